/* Columns: the arrays of a kernel's argument struct, held on the host and placed on a backend for a launch. */
#ifndef RW_DEVICE_KERNEL_ARRAYS_H
#define RW_DEVICE_KERNEL_ARRAYS_H

#include "device/device.h"

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

#endif
