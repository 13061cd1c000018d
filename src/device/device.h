/* Backends: memory and launches on the CPU or a CUDA GPU, chosen at run time.
 *
 * A kernel is a function of one work item in a .k.h file and one line in kernels.def. Launching takes its argument
 * struct, whose pointers are host pointers for the CPU and device pointers for CUDA. */
#ifndef RW_DEVICE_DEVICE_H
#define RW_DEVICE_DEVICE_H

#include "base/context.h"
#include "device/kernel_list.h"
#include "device/memory.h"

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

/* Filling and copying memory of a backend (memory.h). On the CPU these are ordinary copies. */
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

#endif
