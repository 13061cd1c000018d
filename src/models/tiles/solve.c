/* Bouncing, flow chart of Lu et al. (2019), figure 10: rays at tiles and edges send rays on, level by level. Levels
 * have a bounded number of rays; where more would come, the rays before are taken in parts, each followed to its end.
 */
#include "models/tiles/tiles.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "device/device.h"
#include "visibility/tiles/see_from_points.k.h"

#include <stdint.h>
#include <stdlib.h>

/* Rays that arrived, on the host. */
typedef struct arrived_rays {
    rw_tile_solver *solver;
    const rw_tile_ray *rays;
} arrived_rays;

static void add_tile_joint_waves(void *user, size_t begin, size_t end)
{
    const arrived_rays *of = user;
    const rw_tile_scene *scene = &of->solver->host;
    for (size_t i = begin; i < end; i++) {
        const rw_tile_ray *ray = &of->rays[i];
        rw_tile_arrival arrival = {.length_m = 0};
        rw_tile_legs legs;
        int over_edge = 0;
        if (ray->end_kind != RW_END_POINT || ray->dead || ray->scattered)
            continue;
        rw_vec3 end_point = of->solver->points[ray->end];
        if (!rw_tile_legs_of(scene, ray, end_point, &legs) || !rw_tile_arrive(scene, ray, end_point, &arrival))
            continue;
        rw_tile_arrival_attenuate(scene, ray, end_point, &arrival);
        for (int step = 0; step < ray->count; step++)
            over_edge |= RW_TILE_STEP_BENDS(ray->steps[step]);
        rw_joint_wave wave = {.point = ray->end,
                              .over_edge = over_edge,
                              .gain = arrival.ray.gain,
                              .length_m = arrival.length_m,
                              .departure = legs.directions[0],
                              .arrival = legs.directions[ray->count]};
        rw_joint_waves_add(of->solver->joint, &wave);
    }
}

static rw_status read_arrived_rays(const rw_tile_solver *solver, int level, uint32_t count, rw_tile_ray **rays)
{
    rw_context *context = solver->city->context;
    RW_TRY(rw_array_create(context, count, sizeof **rays, "rays", rays));
    rw_status status =
        rw_device_download(context, solver->city->backend, *rays, solver->levels[level], count * sizeof **rays);
    if (status != RW_OK)
        free(*rays);
    return status;
}

static rw_status collect_joint_waves(rw_tile_solver *solver, int level, uint32_t count)
{
    rw_tile_ray *rays;
    if (!solver->joint || count == 0)
        return RW_OK;
    RW_TRY(read_arrived_rays(solver, level, count, &rays));
    arrived_rays of = {solver, rays};
    rw_status status = rw_parallel(solver->city->context, count, 256, add_tile_joint_waves, &of);
    free(rays);
    return status;
}

static rw_status sum_level(rw_tile_solver *solver, int level, uint32_t count)
{
    struct rw_sum_rays_args args = {.scene = solver->scene,
                                    .world = solver->city->world.view,
                                    .rays = solver->levels[level],
                                    .min_gain = solver->min_gain,
                                    .tile_sums = solver->tile_sums,
                                    .point_sums = solver->point_sums,
                                    .incidents = solver->incidents,
                                    .max_bends = (uint32_t)solver->limits.diffractions};
    solver->ray_count += count;
    RW_TRY(rw_device_launch(solver->city->context, solver->city->backend, RW_KERNEL_sum_rays, &args, count));
    return collect_joint_waves(solver, level, count);
}

static rw_status report_arrived_rays(const rw_tile_solver *solver, int level, uint32_t count)
{
    rw_tile_ray *rays;
    if (!solver->on_rays || count == 0)
        return RW_OK;
    RW_TRY(read_arrived_rays(solver, level, count, &rays));
    rw_status status = solver->on_rays(solver->user, rays, count);
    free(rays);
    return status;
}

/* The children of rays first to first + count - 1 of a level; *taken may be more than there is room for. */
static rw_status spawn_level(rw_tile_solver *solver, int level, size_t first, size_t count, uint32_t *used)
{
    rw_context *context = solver->city->context;
    rw_backend backend = solver->city->backend;
    struct rw_spawn_rays_args args = {.scene = solver->scene,
                                      .world = solver->city->world.view,
                                      .rays = solver->levels[level] + first,
                                      .points_only = solver->points_only,
                                      .capacity = solver->capacity,
                                      .children = solver->levels[level + 1],
                                      .used = solver->used};
    RW_TRY(rw_device_clear(context, backend, solver->used, sizeof *solver->used));
    RW_TRY(rw_device_launch(context, backend, RW_KERNEL_spawn_rays, &args, count * rw_device_lanes(backend)));
    return rw_device_download(context, backend, used, solver->used, sizeof *used);
}

/* Rays of a level being followed. */
typedef struct level_batch {
    rw_tile_solver *solver;
    int level, depth_left;
    size_t count; /* of the level */
} level_batch;

static rw_status follow_tile_rays(rw_tile_solver *solver, int level, size_t count, int depth_left);

/* What the children of some rays lead to. Progress is theirs: a third is their own, the rest of what follows. */
static rw_status follow_child_rays(const level_batch *batch, size_t first, size_t count, uint32_t children)
{
    rw_tile_solver *solver = batch->solver;
    rw_context *context = solver->city->context;
    const double own = 1.0 / 3, rays = (double)batch->count;
    int reports = solver->prediction != NULL && batch->level < 2; /* deeper ones are too short */
    rw_progress_range full_range = rw_progress_narrow((double)first / rays, (double)(first + count) / rays);
    rw_status status = reports ? rw_progress_within(context, own, "predicting") : RW_OK;
    rw_progress_narrow(own, 1);
    if (status == RW_OK && children > 0 && batch->depth_left > 0)
        status = follow_tile_rays(solver, batch->level + 1, children, batch->depth_left - 1);
    rw_progress_range_set(full_range);
    return status == RW_OK && reports ? rw_progress_within(context, (double)(first + count) / rays, "predicting")
                                      : status;
}

/* An rw_batch_fn: the children of some rays, and all that they lead to. */
static rw_status follow_ray_batch(void *user, size_t first, size_t count, rw_batch_fill_fn *fill)
{
    const level_batch *batch = user;
    rw_tile_solver *solver = batch->solver;
    int level = batch->level;
    uint32_t used;
    RW_TRY(spawn_level(solver, level, first, count, &used));
    if (used > solver->capacity) {
        *fill = RW_BATCH_FULL;
        return count > 1 ? RW_OK
                         : rw_fail(solver->city->context, RW_TOO_LARGE,
                                   "a tile sends on %u rays and there is room for %u; raise %s", used, solver->capacity,
                                   solver->city->backend == RW_BACKEND_CUDA ? "device-memory" : "memory");
    }
    if (used < solver->capacity / 3)
        *fill = RW_BATCH_SPARSE;
    if (used > 0) {
        RW_TRY(sum_level(solver, level + 1, used));
        RW_TRY(report_arrived_rays(solver, level + 1, used));
    }
    return follow_child_rays(batch, first, count, used);
}

/* All that the rays of a level lead to. depth_left: interactions that their children still may have. */
static rw_status follow_tile_rays(rw_tile_solver *solver, int level, size_t count, int depth_left)
{
    level_batch batch = {solver, level, depth_left, count};
    return rw_batches_run(0, count, &solver->batch_sizes[level], follow_ray_batch, &batch);
}

rw_status rw_tile_bounce(rw_tile_solver *solver, const rw_tile_ray *rays, size_t count)
{
    rw_context *context = solver->city->context;
    for (size_t first = 0; first < count;) {
        size_t rest = count - first, batch = rest < solver->capacity ? rest : solver->capacity;
        RW_TRY(rw_device_upload(context, solver->city->backend, solver->levels[0], rays + first, batch * sizeof *rays));
        int depth_left = rays[first].depth_left;
        for (size_t i = 0; first == 0 && i < sizeof solver->batch_sizes / sizeof *solver->batch_sizes; i++)
            solver->batch_sizes[i] = SIZE_MAX;
        if (!rays[first].origin) {
            RW_TRY(sum_level(solver, 0, (uint32_t)batch));
            RW_TRY(report_arrived_rays(solver, 0, (uint32_t)batch));
            depth_left--;
        }
        if (depth_left >= 0)
            RW_TRY(follow_tile_rays(solver, 0, batch, depth_left));
        first += batch;
    }
    return RW_OK;
}

rw_status rw_tile_solver_sum(rw_tile_solver *solver, const rw_tile_ray *rays, size_t count)
{
    for (size_t first = 0; first < count; first += solver->capacity) {
        size_t rest = count - first, batch = rest < solver->capacity ? rest : solver->capacity;
        RW_TRY(rw_device_upload(solver->city->context, solver->city->backend, solver->levels[0], rays + first,
                                batch * sizeof *rays));
        RW_TRY(sum_level(solver, 0, (uint32_t)batch));
    }
    return RW_OK;
}

static int has_tile_bit(const uint32_t *words, uint32_t tile)
{
    return words[tile / RW_TILE_BLOCK] >> tile % RW_TILE_BLOCK & 1u;
}

/* Rays to all tiles, edges and points that the transmitter sees; an edge is seen where one of its parents is. */
static size_t list_first(const rw_tile_solver *solver, const uint32_t *words, const uint32_t *widened,
                         const uint8_t *seen, rw_tile_ray *rays)
{
    const rw_tiles_view *tiles = &solver->city->tiles.view;
    const rw_tile_limits *limits = &solver->limits;
    rw_tile_ray ray = {.depth_left = (uint8_t)(limits->depth & 15),
                       .bends_left = (uint8_t)(limits->diffractions & 15),
                       .mirrors_left = (uint8_t)limits->reflections};
    size_t count = 0;
    ray.end_kind = RW_END_TILE;
    for (ray.end = 0; ray.end < tiles->tile_count; ray.end++) {
        ray.loose = has_tile_bit(words, ray.end) ? 0 : 1;
        if (has_tile_bit(widened, ray.end))
            rays[count++] = ray;
    }
    ray.loose = 0;
    ray.end_kind = RW_END_EDGE;
    for (ray.end = 0; limits->diffractions > 0 && ray.end < tiles->edge_count; ray.end++)
        if (has_tile_bit(words, tiles->edges[ray.end].tiles[0]) || has_tile_bit(words, tiles->edges[ray.end].tiles[1]))
            rays[count++] = ray;
    ray.end_kind = RW_END_POINT;
    for (ray.end = 0; ray.end < solver->point_count; ray.end++)
        if (seen[ray.end])
            rays[count++] = ray;
    return count;
}

static rw_status find_source_visibility(const rw_tile_solver *solver, uint32_t *words, uint8_t *seen)
{
    const rw_tile_city *city = solver->city;
    RW_TRY(rw_tile_city_look(city, &solver->host.source, 1, 1, words));
    if (solver->point_count == 0)
        return RW_OK;
    struct rw_see_between_args args = {
        .world = city->world.view, .points = solver->scene.points, .from = solver->scene.source};
    rw_kernel_array column = {.field = &args.seen, .host = seen, .bytes = solver->point_count, .output = 1};
    return rw_kernel_arrays_run(city->context, city->backend, RW_KERNEL_see_between, &args, &column, 1,
                                solver->point_count);
}

rw_status rw_tile_solver_clear(const rw_tile_solver *solver)
{
    const rw_tile_city *city = solver->city;
    size_t tiles = city->tiles.view.tile_count;
    if (solver->joint)
        solver->joint->count = 0;
    RW_TRY(rw_device_clear(city->context, city->backend, solver->tile_sums, tiles * sizeof *solver->tile_sums));
    RW_TRY(rw_device_clear(city->context, city->backend, solver->point_sums,
                           (solver->point_count + 1) * sizeof *solver->point_sums));
    if (!solver->incidents)
        return RW_OK;
    return rw_device_clear(city->context, city->backend, solver->incidents,
                           solver->group_count * tiles * sizeof *solver->incidents);
}

rw_status rw_tile_solver_run(rw_tile_solver *solver)
{
    const rw_tile_city *city = solver->city;
    size_t max_rays = (size_t)city->tiles.view.tile_count + city->tiles.view.edge_count + solver->point_count;
    size_t blocks = city->world.view.block_count;
    uint32_t *words = NULL;
    uint8_t *seen = NULL;
    rw_tile_ray *rays = NULL;
    rw_status status = rw_array_create(city->context, 2 * blocks, sizeof *words, "tiles", &words);
    if (status == RW_OK)
        status = rw_array_create(city->context, solver->point_count + 1, 1, "points", &seen);
    if (status == RW_OK)
        status = rw_array_create(city->context, max_rays, sizeof *rays, "rays", &rays);
    solver->ray_count = 0;
    if (status == RW_OK)
        status = rw_tile_solver_clear(solver);
    if (status == RW_OK)
        status = find_source_visibility(solver, words, seen);
    if (status == RW_OK && solver->wide)
        rw_tile_words_widen(solver->wide, words, blocks, words + blocks);
    double bounced = solver->incidents ? 0.6 : 1; /* of the progress: scattering is the rest */
    rw_progress_range full_range = rw_progress_narrow(0, bounced);
    if (status == RW_OK)
        status =
            rw_tile_bounce(solver, rays, list_first(solver, words, solver->wide ? words + blocks : words, seen, rays));
    rw_progress_range_set(full_range);
    rw_progress_narrow(bounced, 1);
    if (status == RW_OK && solver->incidents)
        status = rw_tile_scatter(solver);
    rw_progress_range_set(full_range);
    if (status == RW_OK && (solver->limits.roofs || solver->limits.mechanisms))
        status = rw_tile_over_roofs(solver);
    free(words);
    free(seen);
    free(rays);
    return status;
}
