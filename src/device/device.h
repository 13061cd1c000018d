/* Backends: memory and launches on the CPU or a CUDA GPU, chosen at run time.
 *
 * A kernel is a function of one work item in a .k.h file and one line in kernels.def. Launching takes its argument
 * struct, whose pointers are host pointers for the CPU and device pointers for CUDA. */
#ifndef RW_DEVICE_DEVICE_H
#define RW_DEVICE_DEVICE_H

#include "base/context.h"

#include <stddef.h>

/* A list of kernels and how each backend runs them. All of it is made by macro from a file like kernels.def, once for
 * the library and once for the benchmark, whose kernels the library does not carry. */

/* Items begin to end - 1 of one kernel, for one instruction set. */
typedef void (*rw_cpu_loop)(const void *args, size_t begin, size_t end);

/* Starts kernel number kernel of the list on the GPU for count items from first on, a multiple of a block; queue is a
 * cudaStream_t. */
typedef void (*rw_cuda_start)(int kernel, const void *args, size_t first, size_t count, void *queue);

typedef struct rw_kernel_list {
    const char *const *names;
    const size_t *grains;                        /* items that a CPU thread takes at a time */
    const rw_cpu_loop *baseline, *avx2, *avx512; /* NULL where the machine cannot have them */
    rw_cuda_start cuda_start;                    /* does nothing in a build without CUDA */
} rw_kernel_list;

extern const rw_kernel_list rw_library_kernels; /* device/kernels.def */

/* Names that belong to one list: RW_LIST is its name, set by the build. rw_library_kernels, rw_library_loops_avx2. */
#define RW_LIST_JOIN_(list, name) rw_##list##_##name
#define RW_LIST_JOIN(list, name) RW_LIST_JOIN_(list, name)
#define RW_LIST_NAME(name) RW_LIST_JOIN(RW_LIST, name)

/* Memory of a backend, counted and within budgets.
 *
 * An account belongs to whoever works for a while, as an open model does: what a thread takes between entering and
 * leaving it counts there until it is given back, by whichever thread. Memory of the CPU that comes back while the
 * account is open stays with it for the next taker, zeroed again, as the pool of the GPU's driver does it: taking it
 * from the system anew costs a page fault for every 4 KB. Without an account nothing is counted and nothing kept. */

/* Takes zeroed memory on the CPU, and memory as it is on CUDA. what names it in the sentence of a failure; beyond the
 * account's budget RW_TOO_LARGE. */
rw_status rw_device_alloc(rw_context *context, rw_backend backend, size_t bytes, const char *what, void *pointer_out);
void rw_device_free(rw_backend backend, void *pointer); /* NULL is fine */

/* Copies between two arrays of a backend. */
rw_status rw_device_copy(rw_context *context, rw_backend backend, void *to, const void *from, size_t bytes);

/* A larger array in place of the one at array_io, which may be NULL; the first used_bytes are the same. */
rw_status rw_device_grow(rw_context *context, rw_backend backend, void *array_io, size_t used_bytes, size_t bytes,
                         const char *what);

/* Bytes for a buffer that works with any size: default_bytes, or with a budget at most a share of what is left of it.
 */
double rw_device_buffer_bytes(rw_backend backend, double default_bytes, double fraction);

typedef struct rw_account rw_account;

/* Bytes of one kind of memory, on the host and on the GPU. */
typedef struct rw_memory_use {
    double limit;  /* the budget; INFINITY: none */
    double used;   /* taken and not given back */
    double peak;   /* the most of it so far */
    double cached; /* given back and kept for the next taker */
    size_t blocks; /* how often memory was taken from the system or the driver's pool */
} rw_memory_use;

rw_status rw_account_create(rw_context *context, rw_account **account);

/* Gives back what is kept; what is still used counts until it is given back. */
void rw_account_close(rw_account *account);

/* Budgets; 0 and NaN: none. What is used already stays. */
void rw_account_set_budgets(rw_account *account, double memory_bytes, double device_memory_bytes);
rw_memory_use rw_account_use(const rw_account *account, rw_backend backend);

/* The account of this thread becomes another; NULL: none. Returns the one before, to be entered again afterwards. */
rw_account *rw_account_enter(rw_account *account);

/* Settles context->backend, threads and machine from its options; called once by rw_context_create. */
rw_status rw_device_choose(rw_context *context);

typedef enum rw_kernel {
#define RW_KERNEL(name, grain) RW_KERNEL_##name,
#include "device/kernels.def"
#undef RW_KERNEL
} rw_kernel;

/* Runs the kernel for items 0 to count - 1 on the backend. args points to the kernel's argument struct. On CUDA
 * launches queue up in order; a download waits for them, and so does rw_device_wait. */
rw_status rw_device_launch(rw_context *context, rw_backend backend, rw_kernel kernel, const void *args, size_t count);

/* The same for a kernel of any list, by its number there. */
rw_status rw_device_launch_of(rw_context *context, rw_backend backend, const rw_kernel_list *list, int kernel,
                              const void *args, size_t count);
rw_status rw_device_wait(rw_context *context, rw_backend backend);
void rw_device_wait_silently(rw_backend backend); /* the same without a caller to tell a failure */

/* Items that a launch has for each that is meant, where the kernel's items are shared by lanes (base/kernel/lanes.h).
 */
size_t rw_device_lanes(rw_backend backend);

/* Between begin and end what is launched goes into a second queue, after all that was launched before; what is launched
 * after end runs beside it, until join. Each join belongs to the last end. On the CPU everything goes in order anyway.
 */
rw_status rw_device_side_begin(rw_context *context, rw_backend backend);
rw_status rw_device_side_end(rw_context *context, rw_backend backend);
rw_status rw_device_side_join(rw_context *context, rw_backend backend);

/* Median seconds of run, which launches kernels on the backend: one run to warm up, then repeats. */
rw_status rw_device_time(rw_context *context, rw_backend backend, rw_status (*run)(void *user), void *user, int repeats,
                         double *seconds);

/* Whether kernels of the backend can write to memory of a caller. On the CPU there is no way to know. */
int rw_device_reaches(rw_backend backend, const void *memory);

/* Filling and copying memory of a backend. On the CPU these are ordinary copies. */
rw_status rw_device_set_bytes(rw_context *context, rw_backend backend, void *device, int byte, size_t bytes);
rw_status rw_device_clear(rw_context *context, rw_backend backend, void *device, size_t bytes); /* to zero */
rw_status rw_device_upload(rw_context *context, rw_backend backend, void *device, const void *host, size_t bytes);
rw_status rw_device_download(rw_context *context, rw_backend backend, void *host, const void *device, size_t bytes);

/* Called for one part of an array after the other, from offset on, to fill it. */
typedef void (*rw_fill_fn)(void *user, void *chunk, size_t offset, size_t bytes);

/* The same to take it; it is gone afterwards. */
typedef void (*rw_chunk_fn)(void *user, const void *chunk, size_t offset, size_t bytes);

/* Reads an array without a place for all of it: parts are multiples of unit, which is at most 1 MB. On CUDA the next
 * part is on its way while one is taken. */
rw_status rw_device_read(rw_context *context, rw_backend backend, const void *device, size_t bytes, size_t unit,
                         rw_chunk_fn consume, void *user);

/* Columns: the arrays of a kernel's argument struct, held on the host and placed on a backend for a launch. */
typedef struct rw_kernel_array {
    void *field; /* address of the pointer in the argument struct */
    void *host;  /* the values on the host */
    size_t bytes;
    int output;      /* fetched back after the launch; otherwise sent before it */
    void *on_device; /* where it is on the backend; set by rw_kernel_arrays_upload */
} rw_kernel_array;

/* Takes memory for every column on the backend, sends the inputs, and points the argument struct to it. */
rw_status rw_kernel_arrays_upload(rw_context *context, rw_backend backend, rw_kernel_array *columns, size_t count);

/* Copies the outputs to the host. */
rw_status rw_kernel_arrays_fetch(rw_context *context, rw_backend backend, rw_kernel_array *columns, size_t count);

void rw_kernel_arrays_release(rw_backend backend, rw_kernel_array *columns, size_t count);

/* Places, launches for items 0 to item_count - 1, fetches and releases. */
rw_status rw_kernel_arrays_run(rw_context *context, rw_backend backend, rw_kernel kernel, const void *args,
                               rw_kernel_array *columns, size_t count, size_t item_count);

/* Many items whose output has bounded room. How much they fill is not known beforehand: a batch that does not fit is
 * done again as smaller ones. */
typedef enum rw_batch_fill_fn {
    RW_BATCH_FITS,
    RW_BATCH_FULL,  /* the output had no room: nothing of the batch counts */
    RW_BATCH_SPARSE /* a batch of twice as many items is worth a try */
} rw_batch_fill_fn;

/* Does count items from first on. One item alone is never RW_BATCH_FULL: it is done otherwise, or refused. */
typedef rw_status (*rw_batch_fn)(void *user, size_t first, size_t count, rw_batch_fill_fn *fill);

/* Does items first to end - 1 in order, at most *size at once. *size is what was found to fit, for the next call. */
rw_status rw_batches_run(size_t first, size_t end, size_t *size, rw_batch_fn run, void *user);

/* The CPU backend: loops over work items for each instruction set, shared among threads. */

/* With context NULL by the calling thread alone. RW_CANCELLED as rw_parallel. */
rw_status rw_cpu_launch(rw_context *context, const rw_kernel_list *list, int kernel, const void *args, size_t count);

/* Name of the instruction set in use ("avx512", "avx2" or "baseline"); RASTERWAVE_ISA=name asks for a lesser one. */
const char *rw_cpu_isa(void);

/* The processor's name, and how many threads there can be. */
void rw_cpu_describe(char *description, size_t size);
int rw_cpu_thread_count(void);

#endif
