#include "visibility/los/los.h"

#include "base/memory.h"
#include "visibility/los/brute_los.k.h"
#include "visibility/los/polygons/count_roofs.k.h"
#include "visibility/los/march_los.k.h"
#include "visibility/los/march_open.k.h"
#include "visibility/los/polar/polar_clear.k.h"
#include "visibility/los/polar/polar_los.k.h"
#include "visibility/los/polar/polar_map.k.h"
#include "visibility/los/polar/polar_pieces.k.h"
#include "visibility/los/polar/polar_walls.k.h"
#include "visibility/los/polygons/shadow_polygons.k.h"
#include "visibility/los/height_march.k.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rw_status rw_los_method_parse(rw_context *context, const char *name, rw_los_method *method)
{
    static const char *const names[] = {"auto", "polar", "march", "polygons", "sectors", "brute"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!name || strcmp(name, names[i]) == 0) {
            *method = (rw_los_method)i;
            return RW_OK;
        }
    return rw_fail(context, RW_BAD_CALL, "there is no method '%s'; use auto, polar, march, polygons, sectors or brute",
                   name);
}

enum {
    OWNED_SOURCES,
    OWNED_LOS,
    OWNED_WALLS,
    OWNED_BINS,
    OWNED_OPEN,
    OWNED_COUNTS,
    OWNED_PIECES,
    OWNED_SCRATCH,
    OWNED_ENTERED
};

static rw_status allocate_los_array(rw_los_job *job, int slot, size_t bytes, const char *what)
{
    return rw_device_alloc(job->context, job->backend, bytes, what, &job->owned[slot]);
}

/* Whether the method takes one wall after the other, and not cell by cell of the grid. */
static int iterates_over_walls(const rw_los_job *job)
{
    return job->method == RW_LOS_POLYGONS || job->method == RW_LOS_SECTORS ||
           (job->method == RW_LOS_POLAR && job->backend != RW_BACKEND_CPU);
}

static rw_status find_near_walls(rw_los_job *job, size_t source_count)
{
    RW_TRY(rw_near_walls_find(&job->near, &job->arrays.receivers, job->host_sources, source_count));
    job->arrays.near_walls = job->near.is_all ? NULL : job->near.list;
    job->arrays.near_count = job->near.count;
    return RW_OK;
}

rw_status rw_los_job_move(rw_los_job *job, const rw_vec3 *sources, size_t count)
{
    rw_vec3 *shifted = job->host_sources;
    if (count > job->source_capacity)
        return rw_fail(job->context, RW_INTERNAL, "%zu sources are more than the %zu that were planned", count,
                       job->source_capacity);
    for (size_t i = 0; i < count; i++) {
        shifted[i] = rw_vec3_of(sources[i].x - job->centre.x, sources[i].y - job->centre.y, sources[i].z);
        rw_grid_widen(&job->arrays.grid, &job->arrays.receivers, shifted[i]);
    }
    if (iterates_over_walls(job))
        RW_TRY(find_near_walls(job, count));
    job->arrays.sources = job->owned[OWNED_SOURCES];
    job->arrays.source_count = count;
    return rw_device_upload(job->context, job->backend, job->owned[OWNED_SOURCES], shifted, count * sizeof *shifted);
}

void rw_grid_widen(rw_wall_grid_view *grid, const rw_receivers_view *receivers, rw_vec3 source)
{
    double max_m = receivers->reach_m;
    max_m = fmax(max_m, fmax(fabs(source.x), fabs(source.y)));
    grid->coordinate_max = fmaxf(grid->coordinate_max, (float)max_m);
}

static rw_status clear_answers(rw_los_job *job)
{
    size_t count = job->arrays.source_count * job->arrays.receivers.columns * job->arrays.receivers.rows;
    RW_TRY(rw_device_clear(job->context, job->backend, job->arrays.los, count));
    return job->arrays.walls ? rw_device_clear(job->context, job->backend, job->arrays.walls, count * sizeof(uint32_t))
                             : RW_OK;
}

/* Working memory of the polar form on the CPU: some a thread. */
static rw_status allocate_polar_scratch(rw_los_job *job)
{
    size_t threads = (size_t)job->context->threads, walls = job->arrays.grid.wall_count;
    RW_TRY(allocate_los_array(job, OWNED_SCRATCH, threads * sizeof(rw_polar_scratch), "polar buffers"));
    RW_TRY(allocate_los_array(job, OWNED_ENTERED, threads * walls, "polar buffers"));
    rw_polar_scratch *scratch = job->owned[OWNED_SCRATCH];
    for (size_t i = 0; i < threads; i++)
        scratch[i].entered = (uint8_t *)job->owned[OWNED_ENTERED] + i * walls;
    return RW_OK;
}

/* On a device sources go in slices, so that buffers stay in its cache and lists have room for everything. */
static const size_t slice_sources = 64, pieces_a_source = 65536;

static rw_status allocate_polar_lists(rw_los_job *job)
{
    size_t slice = job->arrays.source_count < slice_sources ? job->arrays.source_count : slice_sources;
    job->slice = slice;
    RW_TRY(allocate_los_array(job, OWNED_BINS, slice * sizeof(rw_polar_bins), "polar buffers"));
    RW_TRY(allocate_los_array(job, OWNED_OPEN, slice * job->arrays.receivers.outdoor_count * sizeof(uint64_t),
                              "open receivers"));
    RW_TRY(allocate_los_array(job, OWNED_PIECES, slice * pieces_a_source * sizeof(rw_polar_piece), "pieces of walls"));
    return allocate_los_array(job, OWNED_COUNTS, 2 * sizeof(uint32_t), "lengths of lists");
}

/* A device needs more items than a few sources have walls and rows. */
static const size_t items_wanted = 1 << 19, piece_columns = 32;

static size_t shadow_lane_count(const rw_los_job *job, size_t pairs)
{
    if (job->backend == RW_BACKEND_CPU || pairs >= items_wanted)
        return 1;
    return items_wanted / (pairs + 1) < 16 ? items_wanted / (pairs + 1) + 1 : 16;
}

static size_t piece_count(const rw_los_job *job)
{
    return (job->arrays.receivers.columns + piece_columns - 1) / piece_columns;
}

static rw_row_pieces row_pieces(const rw_los_job *job)
{
    rw_row_pieces uncut = {1, job->arrays.receivers.columns, NULL};
    rw_row_pieces cut = {piece_count(job), piece_columns, job->owned[OWNED_PIECES]};
    return job->backend == RW_BACKEND_CPU ? uncut : cut;
}

static rw_status create_los_job(const rw_scene *scene, const rw_receivers *receivers, const rw_vec3 *sources,
                                size_t source_count, int count_walls, rw_los_job *job)
{
    RW_TRY(rw_prepared_view(scene, job->backend, &job->arrays.grid));
    RW_TRY(rw_receivers_upload(job->context, job->backend, receivers, &job->receivers));
    job->arrays.receivers = job->receivers.view;
    job->centre = scene->prepared->grid.centre;
    job->arrays.lowest_roof_m = scene->prepared->summary.lowest_roof_m;
    job->arrays.has_decks = scene->prepared->summary.has_decks;
    RW_TRY(allocate_los_array(job, OWNED_SOURCES, source_count * sizeof *sources, "sources"));
    RW_TRY(rw_array_create(job->context, source_count, sizeof *sources, "sources", &job->host_sources));
    job->source_capacity = source_count;
    RW_TRY(rw_los_job_move(job, sources, source_count));
    size_t answers = source_count * receivers->view.columns * receivers->view.rows;
    RW_TRY(allocate_los_array(job, OWNED_LOS, answers, "line of sight"));
    job->arrays.los = job->owned[OWNED_LOS];
    if (count_walls || job->method == RW_LOS_POLYGONS || job->method == RW_LOS_SECTORS) {
        RW_TRY(allocate_los_array(job, OWNED_WALLS, answers * sizeof(uint32_t), "wall counts"));
        job->arrays.walls = job->owned[OWNED_WALLS];
    }
    if (job->method == RW_LOS_POLYGONS && job->backend != RW_BACKEND_CPU)
        RW_TRY(allocate_los_array(job, OWNED_PIECES,
                                  source_count * receivers->view.rows * piece_count(job) * sizeof(uint32_t),
                                  "wall counts"));
    if (job->method == RW_LOS_SECTORS)
        RW_TRY(rw_sectors_create(job->context, job->backend, job->arrays.near_count, &job->sectors));
    if (job->method == RW_LOS_POLAR)
        RW_TRY(job->backend == RW_BACKEND_CPU ? allocate_polar_scratch(job) : allocate_polar_lists(job));
    return clear_answers(job);
}

/* Wall counts by sectors cost so much a wall and a receiver, by polygons so much a wall and row; where receivers stand
 * at different heights, each one in a shadow is asked. Measured, in steps of a polygon's row. */
static rw_los_method counting_method(const rw_scene *scene, const rw_receivers *receivers)
{
    const rw_receivers_view *view = &receivers->view;
    int cpu = scene->context->backend == RW_BACKEND_CPU;
    const rw_wall_grid_view *grid = &scene->prepared->grid.view;
    double grid_m2 = (double)grid->columns * (double)grid->rows * (double)grid->cell_m * (double)grid->cell_m;
    double covered = (double)view->columns * (double)view->rows * view->res_m * view->res_m / grid_m2;
    double walls = (double)scene->prepared->walls.count * fmin(covered, 1),
           rows = (double)view->rows * (view->z_m ? 2 : 1);
    double a_wall = cpu ? 250 : 2000, a_receiver = cpu ? 150 : 200;
    return walls * rows > a_wall * walls + a_receiver * (double)view->outdoor_count ? RW_LOS_SECTORS : RW_LOS_POLYGONS;
}

rw_status rw_los_job_create(const rw_scene *scene, const rw_receivers *receivers, const rw_vec3 *sources,
                            size_t source_count, rw_los_method method, int count_walls, rw_los_job *job)
{
    if (receivers->view.points) /* the others need a grid */
        method = method == RW_LOS_BRUTE ? method : RW_LOS_MARCH;
    else if (method == RW_LOS_AUTO || (method == RW_LOS_POLAR && count_walls))
        method = count_walls ? counting_method(scene, receivers) : RW_LOS_POLAR;
    *job = (rw_los_job){.context = scene->context, .backend = scene->context->backend, .method = method};
    job->near = rw_near_walls_of(scene);
    rw_status status = create_los_job(scene, receivers, sources, source_count, count_walls, job);
    if (status != RW_OK)
        rw_los_job_destroy(job);
    return status;
}

int rw_los_walls_suffice(const rw_los_job *job)
{
    int counted = job->method == RW_LOS_POLYGONS || job->method == RW_LOS_SECTORS;
    return counted && !job->arrays.grid.posts && !job->arrays.grid.node_count;
}

/* Line of sight, where the wall counts alone do not tell it. */
static rw_status see_by_walls(rw_los_job *job)
{
    struct rw_los_from_walls_args answers = {job->arrays};
    if (job->counts_only && rw_los_walls_suffice(job))
        return RW_OK;
    return rw_device_launch(job->context, job->backend, RW_KERNEL_los_from_walls, &answers,
                            job->arrays.source_count * job->arrays.receivers.outdoor_count);
}

static rw_status run_sectors(rw_los_job *job)
{
    for (size_t i = 0; i < job->arrays.source_count; i++)
        RW_TRY(rw_sectors_run(&job->sectors, &job->arrays, job->host_sources[i], i));
    return see_by_walls(job);
}

static rw_status run_shadow_polygons(rw_los_job *job)
{
    size_t pairs = job->arrays.source_count * job->arrays.near_count;
    size_t rows = job->arrays.source_count * job->arrays.receivers.rows;
    rw_row_pieces pieces = row_pieces(job);
    struct rw_shadow_polygons_args shadows = {job->arrays, shadow_lane_count(job, pairs)};
    struct rw_sum_pieces_args totals = {job->arrays, pieces};
    struct rw_sum_rows_args sums = {job->arrays, pieces};
    RW_TRY(clear_answers(job));
    RW_TRY(
        rw_device_launch(job->context, job->backend, RW_KERNEL_shadow_polygons, &shadows, pairs * shadows.lane_count));
    if (pieces.totals)
        RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_sum_pieces, &totals, rows * pieces.count));
    RW_TRY(rw_device_launch(job->context, job->backend, RW_KERNEL_sum_rows, &sums, rows * pieces.count));
    return see_by_walls(job);
}

static rw_status run_polar_on_cpu(rw_los_job *job)
{
    struct rw_polar_map_args map = {job->arrays, job->owned[OWNED_SCRATCH]};
    return rw_device_launch(job->context, job->backend, RW_KERNEL_polar_map, &map, job->arrays.source_count);
}

static rw_status launch_los_kernel(rw_los_job *job, rw_kernel kernel, const void *args, size_t count)
{
    return rw_device_launch(job->context, job->backend, kernel, args, count);
}

/* Clear the buffers, enter the walls, look the receivers up, march for what is left open. */
static rw_status run_slice(rw_los_job *job, const rw_los_arrays *slice)
{
    size_t stride =
        slice->source_count > 8 ? 1 << 18 : 1 << 16; /* threads for the lists, whose lengths stay on the device */
    uint32_t *counts = job->owned[OWNED_COUNTS];
    struct rw_polar_clear_args clear = {job->owned[OWNED_BINS], counts};
    struct rw_polar_walls_args walls = {*slice, job->owned[OWNED_BINS], job->owned[OWNED_PIECES], counts + 1,
                                        (uint32_t)(job->slice * pieces_a_source)};
    struct rw_polar_pieces_args pieces = {walls, stride};
    struct rw_polar_los_args los = {*slice, job->owned[OWNED_BINS], job->owned[OWNED_OPEN], counts};
    struct rw_march_open_args open = {los, stride};
    RW_TRY(launch_los_kernel(job, RW_KERNEL_polar_clear, &clear,
                             slice->source_count * sizeof(rw_polar_bins) / sizeof(uint32_t)));
    RW_TRY(launch_los_kernel(job, RW_KERNEL_polar_walls, &walls, slice->source_count * slice->near_count));
    RW_TRY(launch_los_kernel(job, RW_KERNEL_polar_pieces, &pieces, stride));
    RW_TRY(launch_los_kernel(job, RW_KERNEL_polar_los, &los, slice->source_count * slice->receivers.outdoor_count));
    return launch_los_kernel(job, RW_KERNEL_march_open, &open, stride);
}

static rw_status run_polar_on_device(rw_los_job *job)
{
    size_t cells = job->arrays.receivers.columns * job->arrays.receivers.rows, count = job->arrays.source_count;
    for (size_t first = 0; first < count; first += job->slice) {
        rw_los_arrays slice = job->arrays;
        slice.sources += first;
        slice.los += first * cells;
        slice.source_count = count - first < job->slice ? count - first : job->slice;
        RW_TRY(run_slice(job, &slice));
    }
    return RW_OK;
}

static rw_status run_method(rw_los_job *job)
{
    size_t items = job->arrays.source_count * job->arrays.receivers.outdoor_count;
    struct rw_march_los_args march = {job->arrays};
    struct rw_brute_los_args brute = {job->arrays};
    switch (job->method) {
    case RW_LOS_POLAR:
        return job->backend == RW_BACKEND_CPU ? run_polar_on_cpu(job) : run_polar_on_device(job);
    case RW_LOS_POLYGONS:
        return run_shadow_polygons(job);
    case RW_LOS_SECTORS:
        return run_sectors(job);
    case RW_LOS_BRUTE:
        return rw_device_launch(job->context, job->backend, RW_KERNEL_brute_los, &brute, items);
    default:
        return rw_device_launch(job->context, job->backend, RW_KERNEL_march_los, &march, items);
    }
}

rw_status rw_los_job_run(rw_los_job *job)
{
    struct rw_count_roofs_args roofs = {job->arrays};
    size_t receivers = job->arrays.receivers.outdoor_count;
    RW_TRY(run_method(job));
    if (!job->roofs || !job->arrays.walls)
        return RW_OK;
    if (job->backend != RW_BACKEND_CPU)
        return launch_los_kernel(job, RW_KERNEL_count_roofs, &roofs, job->arrays.source_count * receivers);
    struct rw_count_roofs_bundles_args bundles = {job->arrays, (receivers + RW_BUNDLE_LINES - 1) / RW_BUNDLE_LINES};
    return launch_los_kernel(job, RW_KERNEL_count_roofs_bundles, &bundles, job->arrays.source_count * bundles.bundles);
}

/* Room for more sources than the job was created for. */
static rw_status reserve_sources(rw_los_job *job, size_t count)
{
    if (count <= job->source_capacity)
        return RW_OK;
    size_t capacity = job->source_capacity;
    RW_TRY(rw_array_reserve(job->context, &job->host_sources, &capacity, count, sizeof *job->host_sources, "sources"));
    RW_TRY(rw_device_grow(job->context, job->backend, &job->owned[OWNED_SOURCES], 0, capacity * sizeof(rw_vec3),
                          "sources"));
    job->source_capacity = capacity;
    return RW_OK;
}

rw_status rw_los_job_see(rw_los_job *job, const rw_vec3 *sources, size_t count, uint8_t *los)
{
    uint8_t *own = job->arrays.los;
    size_t cells = job->arrays.receivers.columns * job->arrays.receivers.rows;
    if (job->arrays.walls)
        return rw_fail(job->context, RW_INTERNAL, "wall counts have no room for %zu sources", count);
    RW_TRY(reserve_sources(job, count));
    RW_TRY(rw_los_job_move(job, sources, count));
    RW_TRY(rw_device_set_bytes(job->context, job->backend, los, RW_LOS_NO_RECEIVER, count * cells));
    job->arrays.los = los;
    rw_status status = rw_los_job_run(job);
    job->arrays.los = own;
    return status;
}

rw_status rw_los_job_read(const rw_los_job *job, size_t source, uint8_t *los, uint32_t *walls)
{
    size_t cells = job->arrays.receivers.columns * job->arrays.receivers.rows;
    if (los)
        RW_TRY(rw_device_download(job->context, job->backend, los, job->arrays.los + source * cells, cells));
    if (walls)
        RW_TRY(rw_device_download(job->context, job->backend, walls, job->arrays.walls + source * cells,
                                  cells * sizeof *walls));
    return RW_OK;
}

void rw_los_job_destroy(rw_los_job *job)
{
    rw_receivers_release(job->backend, &job->receivers);
    for (size_t i = 0; i < sizeof job->owned / sizeof *job->owned; i++)
        if (job->owned[i])
            rw_device_free(job->backend, job->owned[i]);
    if (job->method == RW_LOS_SECTORS)
        rw_sectors_destroy(&job->sectors);
    rw_near_walls_destroy(&job->near);
    free(job->host_sources);
    memset(job, 0, sizeof *job);
}

double rw_sight_fraction(const rw_scene *scene, const rw_vec3 *from, size_t from_count, const rw_vec3 *to,
                         size_t to_count, double reach_m, double tallest_m)
{
    const rw_wall_grid_view *grid = &scene->prepared->grid.view;
    float tallest = isinf(tallest_m) ? RW_HEIGHT_ANY : (float)tallest_m;
    size_t seen = 0, pairs = from_count * to_count;
    for (size_t i = 0; i < from_count; i++)
        for (size_t j = 0; j < to_count; j++) {
            if (hypot(to[j].x - from[i].x, to[j].y - from[i].y) > reach_m)
                continue;
            rw_sight sight = rw_sight_of(grid, from[i], to[j]);
            rw_height_need need = rw_height_march_below(grid, &sight, (float)to[j].z, tallest);
            seen += need.min_z_m <= (float)to[j].z && need.highest <= tallest;
        }
    return pairs ? (double)seen / (double)pairs : 0;
}

size_t rw_sight_sample_cells(const rw_scene *scene, const rw_map_info *cells, rw_vec3 points[RW_SIGHT_SAMPLE_POINTS])
{
    const size_t side = 8; /* RW_SIGHT_SAMPLE_POINTS are 8 x 8 */
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t count = 0;
    for (size_t i = 0; i < side * side; i++) {
        size_t column = (2 * (i % side) + 1) * cells->columns / (2 * side);
        size_t row = (2 * (i / side) + 1) * cells->rows / (2 * side);
        rw_vec2 at = {cells->x0_m + ((double)column + 0.5) * cells->res_m - scene->origin.x,
                      cells->y0_m + ((double)row + 0.5) * cells->res_m - scene->origin.y};
        uint32_t part;
        if (rw_parts_over(scene, scene->prepared, at, &part, 1) > 0)
            continue; /* inside a building */
        points[count++] =
            rw_vec3_of(at.x - centre.x, at.y - centre.y, rw_scene_ground_m(scene, at) + cells->rx_height_m);
    }
    return count;
}
