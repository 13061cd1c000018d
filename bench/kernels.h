/* The benchmark's own kernels, launched as rw_device_launch launches those of the library. */
#ifndef RW_BENCH_KERNELS_H
#define RW_BENCH_KERNELS_H

#include "device/device.h"

typedef enum rw_bench_kernel {
#define RW_KERNEL(name, grain) RW_BENCH_KERNEL_##name,
#include "bench/kernels.def"
#undef RW_KERNEL
} rw_bench_kernel;

extern const rw_kernel_list rw_bench_kernels;

#endif
