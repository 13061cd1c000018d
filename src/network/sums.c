#include "network/sums.h"

#include "base/memory.h"

#include <stdlib.h>

const rw_sums_array rw_sums_arrays[RW_SUMS_ARRAYS] = {
    {"best power", offsetof(rw_sums_view, best_dbm), sizeof(float), 0},
    {"second power", offsetof(rw_sums_view, second_dbm), sizeof(float), 0},
    {"best site", offsetof(rw_sums_view, best_site), sizeof(uint32_t), 0},
    {"second site", offsetof(rw_sums_view, second_site), sizeof(uint32_t), 0},
    {"servers", offsetof(rw_sums_view, server_count), sizeof(uint32_t), 0},
    {"receivers", offsetof(rw_sums_view, is_receiver), 1, 0},
    {"channels", offsetof(rw_sums_view, channels), sizeof(rw_exact_sum), 1}};

static size_t array_bytes(const rw_sums *sums, const rw_sums_array *array)
{
    return sums->view.cells * array->element_bytes * (array->of_channels ? sums->channel_count : 1);
}

rw_status rw_sums_clear(rw_sums *sums)
{
    struct rw_clear_sums_args args = {sums->view};
    for (size_t i = 0; i < RW_SUMS_ARRAYS; i++)
        RW_TRY(rw_device_clear(sums->context, sums->backend, *rw_sums_array_of(&sums->view, &rw_sums_arrays[i]),
                               array_bytes(sums, &rw_sums_arrays[i])));
    return rw_device_launch(sums->context, sums->backend, RW_KERNEL_clear_sums, &args, sums->view.cells);
}

rw_status rw_sums_create(rw_context *context, rw_backend backend, size_t columns, size_t rows, size_t channel_count,
                         rw_sums *sums)
{
    *sums = (rw_sums){.context = context, .backend = backend, .channel_count = channel_count};
    sums->view.columns = columns;
    sums->view.cells = columns * rows;
    rw_status status = RW_OK;
    for (size_t i = 0; i < RW_SUMS_ARRAYS && status == RW_OK; i++)
        status = rw_device_alloc(context, backend, array_bytes(sums, &rw_sums_arrays[i]), "sums of a network",
                                 rw_sums_array_of(&sums->view, &rw_sums_arrays[i]));
    if (status == RW_OK)
        status = rw_sums_clear(sums);
    if (status != RW_OK)
        rw_sums_destroy(sums);
    return status;
}

void rw_sums_destroy(rw_sums *sums)
{
    for (size_t i = 0; sums->context && i < RW_SUMS_ARRAYS; i++)
        rw_device_free(sums->backend, *rw_sums_array_of(&sums->view, &rw_sums_arrays[i]));
    void *allocated[] = {sums->values,
                         sums->z_m,
                         sums->power,
                         sums->cuts[0].angle_deg,
                         sums->cuts[0].loss_db,
                         sums->cuts[0].slope_db_per_deg,
                         sums->cuts[1].angle_deg,
                         sums->cuts[1].loss_db,
                         sums->cuts[1].slope_db_per_deg};
    for (size_t i = 0; sums->context && i < sizeof allocated / sizeof *allocated; i++)
        rw_device_free(sums->backend, allocated[i]);
    *sums = (rw_sums){0};
}

static rw_status grow_window_array(const rw_sums *sums, void *array_io, size_t bytes)
{
    return rw_device_grow(sums->context, sums->backend, array_io, 0, bytes, "a site's window");
}

static rw_status allocate_window(rw_sums *sums, size_t cells)
{
    if (cells <= sums->window_capacity)
        return RW_OK;
    sums->window_capacity = 0; /* until all have room */
    RW_TRY(grow_window_array(sums, (void *)&sums->values, cells * sizeof(float)));
    RW_TRY(grow_window_array(sums, (void *)&sums->z_m, cells * sizeof(float)));
    RW_TRY(grow_window_array(sums, (void *)&sums->power, cells * sizeof(float)));
    sums->window_capacity = cells;
    return RW_OK;
}

static rw_status upload_window_array(const rw_sums *sums, void *to, const void *from, size_t bytes)
{
    return from ? rw_device_upload(sums->context, sums->backend, to, from, bytes) : RW_OK;
}

static rw_status send_cut(rw_sums *sums, int which, rw_antenna_cut *cut)
{
    rw_antenna_cut *there = &sums->cuts[which];
    size_t bytes = cut->count * sizeof(double);
    if (!cut->count)
        return RW_OK;
    if (cut->count > sums->cut_capacity[which]) {
        sums->cut_capacity[which] = 0;
        RW_TRY(grow_window_array(sums, (void *)&there->angle_deg, bytes));
        RW_TRY(grow_window_array(sums, (void *)&there->loss_db, bytes));
        RW_TRY(grow_window_array(sums, (void *)&there->slope_db_per_deg, bytes));
        sums->cut_capacity[which] = cut->count;
    }
    RW_TRY(upload_window_array(sums, there->angle_deg, cut->angle_deg, bytes));
    RW_TRY(upload_window_array(sums, there->loss_db, cut->loss_db, bytes));
    RW_TRY(upload_window_array(sums, there->slope_db_per_deg, cut->slope_db_per_deg, bytes));
    there->count = cut->count;
    *cut = *there;
    return RW_OK;
}

rw_status rw_sums_add(rw_sums *sums, struct rw_add_site_args args, size_t cells)
{
    float *power = args.power;
    args.sums = sums->view;
    if (sums->backend != RW_BACKEND_CPU) {
        RW_TRY(allocate_window(sums, cells));
        RW_TRY(upload_window_array(sums, sums->values, args.values, cells * sizeof(float)));
        RW_TRY(upload_window_array(sums, sums->z_m, args.z_m, cells * sizeof(float)));
        RW_TRY(send_cut(sums, 0, &args.pattern.horizontal));
        RW_TRY(send_cut(sums, 1, &args.pattern.vertical));
        args.values = sums->values;
        args.z_m = args.z_m ? sums->z_m : NULL;
        args.power = power ? sums->power : NULL;
    }
    RW_TRY(rw_device_launch(sums->context, sums->backend, RW_KERNEL_add_site, &args, cells));
    if (!power || sums->backend == RW_BACKEND_CPU)
        return RW_OK;
    return rw_device_download(sums->context, sums->backend, power, sums->power, cells * sizeof(float));
}

rw_status rw_sums_download(const rw_sums *sums, rw_sums_view *view)
{
    *view = sums->view;
    if (sums->backend == RW_BACKEND_CPU)
        return RW_OK;
    for (size_t i = 0; i < RW_SUMS_ARRAYS; i++)
        *rw_sums_array_of(view, &rw_sums_arrays[i]) = NULL;
    rw_status status = RW_OK;
    for (size_t i = 0; i < RW_SUMS_ARRAYS && status == RW_OK; i++) {
        const rw_sums_array *array = &rw_sums_arrays[i];
        void **copy = rw_sums_array_of(view, array);
        status = rw_array_create(sums->context, array_bytes(sums, array), 1, "sums of a network", copy);
        if (status == RW_OK)
            status = rw_device_download(sums->context, sums->backend, *copy, *rw_sums_array_of(&sums->view, array),
                                        array_bytes(sums, array));
    }
    if (status != RW_OK)
        rw_sums_download_free(sums, view);
    return status;
}

void rw_sums_download_free(const rw_sums *sums, rw_sums_view *view)
{
    for (size_t i = 0; sums->backend != RW_BACKEND_CPU && i < RW_SUMS_ARRAYS; i++)
        free(*rw_sums_array_of(view, &rw_sums_arrays[i]));
    *view = (rw_sums_view){0};
}

rw_status rw_sums_join(rw_sums *sums, const rw_sums_view *more, size_t first)
{
    struct rw_join_sums_args args = {sums->view, *more, first, sums->channel_count};
    return rw_device_launch(sums->context, sums->backend, RW_KERNEL_join_sums, &args, more->cells);
}

rw_status rw_sums_finish(rw_sums *sums, struct rw_finish_sums_args args)
{
    args.sums = sums->view;
    return rw_device_launch(sums->context, sums->backend, RW_KERNEL_finish_sums, &args, sums->view.cells);
}
