/* One list of kernels, from the file RW_LIST_FILE; built once for each list. */
#include "device/device.h"

static const char *const names[] = {
#define RW_KERNEL(name, grain) #name,
#include RW_LIST_FILE
#undef RW_KERNEL
};

static const size_t grains[] = {
#define RW_KERNEL(name, grain) grain,
#include RW_LIST_FILE
#undef RW_KERNEL
};

extern const rw_cpu_loop RW_LIST_NAME(loops_baseline)[], RW_LIST_NAME(loops_avx2)[], RW_LIST_NAME(loops_avx512)[];
void RW_LIST_NAME(cuda_start)(int kernel, const void *args, size_t first, size_t count, void *queue);

const rw_kernel_list RW_LIST_NAME(kernels) = {
    .names = names,
    .grains = grains,
    .baseline = RW_LIST_NAME(loops_baseline),
#ifdef RW_ISA_X86
    .avx2 = RW_LIST_NAME(loops_avx2),
    .avx512 = RW_LIST_NAME(loops_avx512),
#endif
    .cuda_start = RW_LIST_NAME(cuda_start),
};
