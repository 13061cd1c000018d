#include "device/device.h"

#include <string.h>

rw_status rw_kernel_arrays_upload(rw_context *context, rw_backend backend, rw_kernel_array *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        columns[i].on_device = NULL;
    for (size_t i = 0; i < count; i++) {
        rw_kernel_array *column = &columns[i];
        RW_TRY(rw_device_alloc(context, backend, column->bytes, "a kernel's arrays", &column->on_device));
        if (!column->output)
            RW_TRY(rw_device_upload(context, backend, column->on_device, column->host, column->bytes));
        memcpy(column->field, &column->on_device, sizeof column->on_device);
    }
    return RW_OK;
}

rw_status rw_kernel_arrays_fetch(rw_context *context, rw_backend backend, rw_kernel_array *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i].output)
            RW_TRY(rw_device_download(context, backend, columns[i].host, columns[i].on_device, columns[i].bytes));
    return RW_OK;
}

void rw_kernel_arrays_release(rw_backend backend, rw_kernel_array *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rw_device_free(backend, columns[i].on_device);
        columns[i].on_device = NULL;
    }
}

rw_status rw_kernel_arrays_run(rw_context *context, rw_backend backend, rw_kernel kernel, const void *args,
                               rw_kernel_array *columns, size_t count, size_t item_count)
{
    rw_status status = rw_kernel_arrays_upload(context, backend, columns, count);
    if (status == RW_OK)
        status = rw_device_launch(context, backend, kernel, args, item_count);
    if (status == RW_OK)
        status = rw_kernel_arrays_fetch(context, backend, columns, count);
    rw_kernel_arrays_release(backend, columns, count);
    return status;
}
