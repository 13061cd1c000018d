#include "discretise/receivers/receivers.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "discretise/walls/walls.h"
#include "discretise/bvh/cross_meshes.k.h"

#include <math.h>
#include <stdlib.h>

/* Cells of a block. */
#define RW_BLOCK_COLUMNS 8
#define RW_BLOCK_ROWS 4

static double receiver_z(const rw_receivers *receivers, size_t cell)
{
    return receivers->z_m ? (double)receivers->z_m[cell] : receivers->view.flat_z_m;
}

static void mark_indoor_run(void *user, const rw_part *part, size_t row, size_t first, size_t end)
{
    rw_receivers *receivers = user;
    for (size_t column = first; column < end; column++) {
        size_t cell = row * receivers->view.columns + column;
        double z = receiver_z(receivers, cell);
        if (rw_part_holds(part, z, receivers->height_m))
            receivers->indoor[cell] = 1;
    }
}

typedef struct mesh_marks {
    const rw_wall_grid *grid;
    rw_vec3 outside;
    rw_receivers *receivers;
} mesh_marks;

static void mark_cells(void *user, size_t begin, size_t end)
{
    const mesh_marks *marks = user;
    for (size_t cell = begin; cell < end; cell++)
        if (rw_inside_meshes(&marks->grid->view, rw_receiver_point(&marks->receivers->view, cell), marks->outside))
            marks->receivers->indoor[cell] = 1;
}

static rw_status mark_meshes(rw_context *context, const rw_wall_grid *grid, rw_receivers *receivers)
{
    mesh_marks marks = {grid, rw_bvh_outside(&grid->view), receivers};
    return rw_parallel(context, receivers->view.columns * receivers->view.rows, 256, mark_cells, &marks);
}

static void list_block(rw_receivers *receivers, size_t row0, size_t column0)
{
    rw_receivers_view *view = &receivers->view;
    for (size_t row = row0; row < row0 + RW_BLOCK_ROWS && row < view->rows; row++)
        for (size_t column = column0; column < column0 + RW_BLOCK_COLUMNS && column < view->columns; column++)
            if (!receivers->indoor[row * view->columns + column])
                receivers->outdoor[view->outdoor_count++] = (uint32_t)(row * view->columns + column);
}

/* Place of a step of Hilbert's curve through a square of side places, a power of two: it starts in the south-west and
 * ends in the south-east, and neighbouring steps are neighbouring places. */
static void locate_hilbert_step(size_t step, size_t side, size_t *column, size_t *row)
{
    *column = *row = 0;
    for (size_t size = 1; size < side; size *= 2, step /= 4) {
        size_t east = 1 & (step / 2), north = 1 & (step ^ east);
        if (!north) {
            size_t turned = east ? size - 1 - *column : *column;
            *column = east ? size - 1 - *row : *row;
            *row = turned;
        }
        *column += size * east;
        *row += size * north;
    }
}

/* Lists the cells outside buildings block by block along Hilbert's curves, so that what is near in the list is near in
 * the city. */
static void list_outdoor_cells(rw_receivers *receivers)
{
    const rw_receivers_view *view = &receivers->view;
    const size_t side = 16, height = side * RW_BLOCK_ROWS, width = side * RW_BLOCK_COLUMNS;
    for (size_t row0 = 0; row0 < view->rows; row0 += height)
        for (size_t column0 = 0; column0 < view->columns; column0 += width)
            for (size_t step = 0; step < side * side; step++) {
                size_t column, row;
                locate_hilbert_step(step, side, &column, &row);
                list_block(receivers, row0 + row * RW_BLOCK_ROWS, column0 + column * RW_BLOCK_COLUMNS);
            }
}

static rw_status set_receiver_altitudes(const rw_scene *scene, const rw_raster_frame *frame, double height_m,
                                        rw_receivers *receivers)
{
    size_t count = frame->columns * frame->rows;
    receivers->view.flat_z_m = height_m;
    receivers->height_m = height_m;
    receivers->view.low_m = receivers->view.high_m = (float)height_m;
    if (!scene->terrain.values)
        return RW_OK;
    RW_TRY(rw_array_create(scene->context, count, sizeof(float), "receiver altitudes", &receivers->z_m));
    for (size_t row = 0; row < frame->rows; row++)
        for (size_t column = 0; column < frame->columns; column++) {
            rw_vec2 at = {frame->x0 + (double)column * frame->res, frame->y0 + (double)row * frame->res};
            receivers->z_m[row * frame->columns + column] = (float)(rw_scene_ground_m(scene, at) + height_m);
        }
    receivers->view.z_m = receivers->z_m;
    receivers->view.low_m = receivers->view.high_m = receivers->z_m[0];
    for (size_t i = 1; i < count; i++) {
        receivers->view.low_m = fminf(receivers->view.low_m, receivers->z_m[i]);
        receivers->view.high_m = fmaxf(receivers->view.high_m, receivers->z_m[i]);
    }
    return RW_OK;
}

static rw_status build_receiver_grid(const rw_scene *scene, const rw_wall_grid *grid, const rw_raster_frame *frame,
                                     double height_m, rw_receivers *receivers)
{
    size_t count = frame->columns * frame->rows;
    RW_TRY(rw_array_create(scene->context, count, 1, "the receiver grid", &receivers->indoor));
    RW_TRY(rw_array_create(scene->context, count, sizeof(uint32_t), "the receiver grid", &receivers->outdoor));
    receivers->view.indoor = receivers->indoor;
    receivers->view.outdoor = receivers->outdoor;
    RW_TRY(set_receiver_altitudes(scene, frame, height_m, receivers));
    RW_TRY(rw_rasterise_outlines(scene, frame, mark_indoor_run, receivers));
    if (grid->view.node_count)
        RW_TRY(mark_meshes(scene->context, grid, receivers));
    list_outdoor_cells(receivers);
    return RW_OK;
}

rw_status rw_receivers_create(const rw_scene *scene, const rw_wall_grid *grid, rw_vec2 area_min, size_t columns,
                              size_t rows, double res_m, double height_m, rw_receivers *receivers)
{
    *receivers = (rw_receivers){0};
    if ((double)columns * (double)rows > (double)UINT32_MAX)
        return rw_fail(scene->context, RW_TOO_LARGE, "a grid of %zu x %zu receivers has more than 2^32 cells", columns,
                       rows);
    rw_raster_frame frame = {area_min.x + 0.5 * res_m, area_min.y + 0.5 * res_m, res_m, columns, rows, 0};
    receivers->view.columns = columns;
    receivers->view.rows = rows;
    receivers->view.x0_m = frame.x0 - grid->centre.x;
    receivers->view.y0_m = frame.y0 - grid->centre.y;
    receivers->view.res_m = res_m;
    double east = receivers->view.x0_m + (double)columns * res_m, north = receivers->view.y0_m + (double)rows * res_m;
    receivers->view.reach_m =
        fmax(fmax(fabs(receivers->view.x0_m), fabs(east)), fmax(fabs(receivers->view.y0_m), fabs(north)));
    rw_status status = build_receiver_grid(scene, grid, &frame, height_m, receivers);
    if (status != RW_OK)
        rw_receivers_destroy(receivers);
    return status;
}

void rw_receivers_limit(rw_receivers *receivers, const uint8_t *wanted)
{
    for (size_t i = 0; i < receivers->view.columns * receivers->view.rows; i++)
        if (!wanted[i])
            receivers->indoor[i] = RW_RECEIVER_EXCLUDED;
    receivers->view.outdoor_count = 0;
    list_outdoor_cells(receivers);
}

int rw_receiver_is_inside(const rw_scene *scene, int rooms, rw_vec2 at, double z_m)
{
    uint32_t part;
    const rw_wall_grid_view *grid = &scene->prepared->grid.view;
    rw_vec2 centre = scene->prepared->grid.centre;
    if (rw_parts_at(scene, scene->prepared, at, z_m, &part, 1) > 0)
        return 1;
    return !rooms && grid->node_count &&
           rw_inside_meshes(grid, rw_vec3_of(at.x - centre.x, at.y - centre.y, z_m), rw_bvh_outside(grid));
}

static void set_receiver_point(const rw_scene *scene, int rooms, rw_vec3 point_above_ground, size_t index,
                               rw_receivers *receivers)
{
    rw_receivers_view *view = &receivers->view;
    rw_vec2 at = {point_above_ground.x, point_above_ground.y}, centre = scene->prepared->grid.centre;
    rw_vec3 point = rw_vec3_of(point_above_ground.x - centre.x, point_above_ground.y - centre.y,
                               rw_scene_ground_m(scene, at) + point_above_ground.z);
    receivers->points[index] = point;
    view->reach_m = fmax(view->reach_m, fmax(fabs(point.x), fabs(point.y)));
    view->low_m = index ? fminf(view->low_m, (float)point.z) : (float)point.z;
    view->high_m = index ? fmaxf(view->high_m, (float)point.z) : (float)point.z;
    receivers->indoor[index] = (uint8_t)rw_receiver_is_inside(scene, rooms, at, point.z);
    if (!receivers->indoor[index])
        receivers->outdoor[view->outdoor_count++] = (uint32_t)index;
}

rw_status rw_receivers_create_at(const rw_scene *scene, int rooms, const rw_vec3 *points, size_t count,
                                 rw_receivers *receivers)
{
    *receivers = (rw_receivers){.view = {.columns = count, .rows = 1}};
    if (count > UINT32_MAX)
        return rw_fail(scene->context, RW_TOO_LARGE, "%zu points are more than 2^32", count);
    rw_status status = rw_array_create(scene->context, count, sizeof *points, "points", &receivers->points);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, 1, "points", &receivers->indoor);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, sizeof(uint32_t), "points", &receivers->outdoor);
    if (status != RW_OK) {
        rw_receivers_destroy(receivers);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        set_receiver_point(scene, rooms, points[i], i, receivers);
    receivers->view.points = receivers->points;
    receivers->view.indoor = receivers->indoor;
    receivers->view.outdoor = receivers->outdoor;
    return RW_OK;
}

void rw_receivers_destroy(rw_receivers *receivers)
{
    free(receivers->points);
    free(receivers->z_m);
    free(receivers->indoor);
    free(receivers->outdoor);
    *receivers = (rw_receivers){0};
}

static rw_status upload_receiver_array(rw_context *context, rw_backend backend, const void *host, size_t bytes,
                                       void **copy)
{
    RW_TRY(rw_device_alloc(context, backend, bytes, "receivers", copy));
    return rw_device_upload(context, backend, *copy, host, bytes);
}

static rw_status copy_receivers(rw_context *context, rw_backend backend, rw_device_receivers *device)
{
    rw_receivers_view *view = &device->view;
    size_t cells = view->columns * view->rows;
    if (view->z_m)
        RW_TRY(upload_receiver_array(context, backend, view->z_m, cells * sizeof *view->z_m, &device->copies[0]));
    if (view->points)
        RW_TRY(upload_receiver_array(context, backend, view->points, cells * sizeof *view->points, &device->copies[3]));
    RW_TRY(upload_receiver_array(context, backend, view->indoor, cells, &device->copies[1]));
    RW_TRY(upload_receiver_array(context, backend, view->outdoor, view->outdoor_count * sizeof *view->outdoor,
                                 &device->copies[2]));
    view->z_m = device->copies[0];
    view->points = device->copies[3];
    view->indoor = device->copies[1];
    view->outdoor = device->copies[2];
    return RW_OK;
}

rw_status rw_receivers_upload(rw_context *context, rw_backend backend, const rw_receivers *receivers,
                              rw_device_receivers *device)
{
    *device = (rw_device_receivers){.view = receivers->view};
    if (backend == RW_BACKEND_CPU)
        return RW_OK;
    rw_status status = copy_receivers(context, backend, device);
    if (status != RW_OK)
        rw_receivers_release(backend, device);
    return status;
}

void rw_receivers_release(rw_backend backend, rw_device_receivers *device)
{
    for (int i = 0; i < 4; i++)
        if (device->copies[i])
            rw_device_free(backend, device->copies[i]);
    *device = (rw_device_receivers){0};
}
