#include "visibility/los/polygons/polygons.h"

rw_status rw_sectors_create(rw_context *context, rw_backend backend, size_t wall_count, rw_sectors *sectors)
{
    *sectors = (rw_sectors){.context = context, .backend = backend};
    rw_sector_tree *tree = &sectors->tree;
    /* A quarter as many smallest sectors as walls: each holds the ends of about eight. More would take longer to fill
     * than they save. */
    for (tree->levels = 4; tree->levels < RW_SECTOR_LEVELS_MAX && (size_t)1 << 2 * tree->levels < wall_count / 4;)
        tree->levels++;
    sectors->sector_count = rw_sector_count(tree->levels);
    rw_status status = rw_device_alloc(context, backend, sectors->sector_count * sizeof *tree->sectors,
                                       "sectors of directions", &tree->sectors);
    if (status == RW_OK)
        status = rw_device_alloc(context, backend, sizeof *tree->entry_count, "sectors", &tree->entry_count);
    if (status != RW_OK)
        rw_sectors_destroy(sectors);
    return status;
}

void rw_sectors_destroy(rw_sectors *sectors)
{
    void *owned[] = {sectors->tree.sectors, sectors->tree.entry_count, sectors->tree.entries};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        if (owned[i])
            rw_device_free(sectors->backend, owned[i]);
    *sectors = (rw_sectors){0};
}

/* Room for the entries that were counted, and some more for the next source. */
static rw_status reserve_sector_entries(rw_sectors *sectors)
{
    uint32_t count;
    rw_sector_tree *tree = &sectors->tree;
    RW_TRY(rw_device_download(sectors->context, sectors->backend, &count, tree->entry_count, sizeof count));
    if (count <= sectors->entry_capacity)
        return RW_OK;
    sectors->entry_capacity = 0;
    size_t capacity = (size_t)count + count / 4;
    RW_TRY(rw_device_grow(sectors->context, sectors->backend, &tree->entries, 0, capacity * sizeof *tree->entries,
                          "walls in sectors"));
    sectors->entry_capacity = capacity;
    return RW_OK;
}

static rw_status launch_sector_kernel(rw_sectors *sectors, rw_kernel kernel, const void *args, size_t count)
{
    return rw_device_launch(sectors->context, sectors->backend, kernel, args, count);
}

rw_status rw_sectors_run(rw_sectors *sectors, const rw_los_arrays *arrays, rw_vec3 source, size_t index)
{
    rw_sector_tree *tree = &sectors->tree;
    size_t walls = arrays->near_count;
    tree->source = source;
    RW_TRY(rw_device_clear(sectors->context, sectors->backend, tree->sectors,
                           sectors->sector_count * sizeof *tree->sectors));
    RW_TRY(rw_device_clear(sectors->context, sectors->backend, tree->entry_count, sizeof *tree->entry_count));
    struct rw_sector_measure_args measure = {*arrays, *tree};
    struct rw_sector_allocate_args allocate = {*tree};
    RW_TRY(launch_sector_kernel(sectors, RW_KERNEL_sector_measure, &measure, walls));
    RW_TRY(launch_sector_kernel(sectors, RW_KERNEL_sector_allocate, &allocate, sectors->sector_count));
    RW_TRY(reserve_sector_entries(sectors));
    struct rw_sector_enter_args enter = {*arrays, *tree};
    struct rw_sector_sort_args sort = {*tree};
    struct rw_sector_look_args look = {*arrays, *tree, index};
    RW_TRY(launch_sector_kernel(sectors, RW_KERNEL_sector_enter, &enter, walls));
    RW_TRY(launch_sector_kernel(sectors, RW_KERNEL_sector_sort, &sort, sectors->sector_count));
    return launch_sector_kernel(sectors, RW_KERNEL_sector_look, &look, arrays->receivers.outdoor_count);
}
