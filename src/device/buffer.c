/* Memory of a backend for callers: rw_buffer of device_maps.h, and its form for DLPack.
 *
 * The structs of DLPack have the layout of its header in version 0.8, which consumers of all later versions take:
 * https://dmlc.github.io/dlpack/latest/c_api.html */
#include "base/memory.h"
#include "base/options.h"
#include "device/device.h"

#include <rasterwave/device_maps.h>

#include <stdatomic.h>
#include <stdlib.h>

/* It knows no context, which it may outlive. */
struct rw_buffer {
    rw_backend backend;
    size_t bytes;
    void *data;
    atomic_size_t references;
};

void rw_buffer_destroy(rw_buffer *buffer)
{
    if (!buffer || atomic_fetch_sub(&buffer->references, 1) > 1)
        return;
    /* Others may still read it on queues of their own, and the pool would give it to the next taker at once. */
    rw_device_wait_silently(buffer->backend);
    rw_device_free(buffer->backend, buffer->data);
    free(buffer);
}

rw_status rw_buffer_create(rw_context *context, size_t bytes, rw_buffer **buffer_out)
{
    rw_buffer *buffer;
    *buffer_out = NULL;
    RW_TRY(rw_array_create(context, 1, sizeof *buffer, "an array", &buffer));
    buffer->backend = context->backend;
    buffer->bytes = bytes;
    atomic_init(&buffer->references, 1);
    rw_status status = rw_device_alloc(context, buffer->backend, bytes, "an array", &buffer->data);
    if (status == RW_OK && buffer->backend == RW_BACKEND_CUDA)
        status = rw_device_clear(context, buffer->backend, buffer->data, bytes);
    if (status == RW_OK)
        status = rw_device_wait(context, buffer->backend);
    if (status == RW_OK)
        *buffer_out = buffer;
    else
        rw_buffer_destroy(buffer);
    return status;
}

void *rw_buffer_data(const rw_buffer *buffer)
{
    return buffer->data;
}

static rw_status check_buffer_range(rw_context *context, const rw_buffer *buffer, size_t offset, size_t bytes)
{
    if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        return rw_fail(context, RW_BAD_CALL, "%zu bytes from %zu on are not in a buffer of %zu bytes", bytes, offset,
                       buffer->bytes);
    return rw_device_wait(context, buffer->backend);
}

rw_status rw_buffer_read(rw_context *context, const rw_buffer *buffer, size_t offset, void *values, size_t bytes)
{
    RW_TRY(check_buffer_range(context, buffer, offset, bytes));
    return rw_device_download(context, buffer->backend, values, (const char *)buffer->data + offset, bytes);
}

rw_status rw_buffer_write(rw_context *context, rw_buffer *buffer, size_t offset, const void *values, size_t bytes)
{
    RW_TRY(check_buffer_range(context, buffer, offset, bytes));
    return rw_device_upload(context, buffer->backend, (char *)buffer->data + offset, values, bytes);
}

#define DIMENSIONS_MAX 8
#define DLPACK_CPU 1
#define DLPACK_CUDA 2

typedef struct dlpack_tensor {
    void *data;
    int32_t device_type, device_number;
    int32_t dimensions;
    uint8_t type_code, type_bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t offset;
} dlpack_tensor;

typedef struct dlpack_managed {
    dlpack_tensor tensor;
    void *owner;
    void (*deleter)(struct dlpack_managed *managed);
    int64_t shape[DIMENSIONS_MAX], strides[DIMENSIONS_MAX]; /* ours, behind what DLPack knows */
} dlpack_managed;

static void delete_tensor(dlpack_managed *managed)
{
    rw_buffer_destroy(managed->owner);
    free(managed);
}

static rw_status check_view(rw_context *context, const rw_dlpack_view *view, size_t *bytes)
{
    if (view->dimensions < 1 || view->dimensions > DIMENSIONS_MAX || !view->shape)
        return rw_fail(context, RW_BAD_CALL, "%d dimensions are not possible; use 1 to %d", view->dimensions,
                       DIMENSIONS_MAX);
    if (view->type_bits < 8 || view->type_bits > 128 || view->type_bits % 8 || view->type_code < 0 ||
        view->type_code > 255)
        return rw_fail(context, RW_BAD_CALL, "numbers of type %d with %d bits are not possible", view->type_code,
                       view->type_bits);
    *bytes = (size_t)view->type_bits / 8;
    for (int i = 0; i < view->dimensions; i++) {
        if (view->shape[i] && *bytes > INT64_MAX / view->shape[i])
            return rw_fail(context, RW_BAD_CALL, "the shape of the array is larger than any memory");
        *bytes *= view->shape[i];
    }
    return RW_OK;
}

rw_status rw_buffer_to_dlpack(rw_context *context, rw_buffer *buffer, const rw_dlpack_view *user_view,
                              void **tensor_out)
{
    rw_dlpack_view view = {0};
    dlpack_managed *new_managed;
    size_t bytes = 0;
    *tensor_out = NULL;
    RW_TRY(RW_RESOLVE(context, user_view, &view));
    RW_TRY(check_view(context, &view, &bytes));
    RW_TRY(check_buffer_range(context, buffer, view.offset, bytes));
    RW_TRY(rw_array_create(context, 1, sizeof *new_managed, "a tensor", &new_managed));
    int64_t stride = 1;
    for (int i = view.dimensions - 1; i >= 0; i--) {
        new_managed->shape[i] = (int64_t)view.shape[i];
        new_managed->strides[i] = stride;
        stride *= new_managed->shape[i];
    }
    new_managed->tensor = (dlpack_tensor){.data = (char *)buffer->data + view.offset,
                                          .device_type = buffer->backend == RW_BACKEND_CUDA ? DLPACK_CUDA : DLPACK_CPU,
                                          .dimensions = view.dimensions,
                                          .type_code = (uint8_t)view.type_code,
                                          .type_bits = (uint8_t)view.type_bits,
                                          .lanes = 1,
                                          .shape = new_managed->shape,
                                          .strides = new_managed->strides};
    new_managed->owner = buffer;
    new_managed->deleter = delete_tensor;
    atomic_fetch_add(&buffer->references, 1);
    *tensor_out = new_managed;
    return RW_OK;
}
