/* A batch of transmitters through the shadow model: sight and wall counts, paths round corners, then the loss at every
 * receiver. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/engine/run/run.h"
#include "models/shadow/database/database.h"
#include "models/shadow/shadow.h"

#include <math.h>
#include <stdlib.h>

static size_t count_shadow_cells(const rw_prediction *prediction)
{
    return prediction->receivers.view.columns * prediction->receivers.view.rows;
}

static rw_status allocate_shadow_array(rw_shadow_job *job, size_t bytes, const char *what, void *pointer_out)
{
    return rw_device_alloc(job->prediction->scene->context, job->backend, bytes, what, pointer_out);
}

/* The altitude above which no path of these transmitters goes, but for its first leg where corners lie in the receiver
 * plane. */
static float find_highest_path_m(const rw_shadow_job *job)
{
    const rw_prediction *prediction = job->prediction;
    double highest = (double)prediction->receivers.view.high_m;
    for (size_t i = 0; !job->effects.in_plane && i < prediction->options->transmitter_count; i++)
        highest = fmax(highest, prediction->sources[i].z);
    return (float)highest;
}

_Static_assert((int)RW_BERG_LEG_MAX_M <= (int)RW_CORNER_NEAR_M, "the ground near a corner holds its links");

static float street_depth_m(const rw_shadow_job *job)
{
    if (job->effects.streets != RW_SHADOW_STREETS_BERG)
        return INFINITY;
    return (float)(RW_STREET_DEPTH * rw_mean_roof_m(job->prediction->scene));
}

/* The paper has flat ground, and its receivers are a plane. */
static int is_plane(const rw_prediction *prediction)
{
    const rw_scene *scene = prediction->scene;
    size_t posts = scene->terrain.values ? scene->terrain.columns * scene->terrain.rows : 0;
    int flat = prediction->receivers.view.high_m - prediction->receivers.view.low_m < 1e-3f;
    for (size_t i = 1; i < posts && flat; i++)
        flat = scene->terrain.values[i] == scene->terrain.values[0];
    return flat;
}

static rw_status create_beams(rw_shadow_job *job)
{
    const rw_prediction *prediction = job->prediction;
    if (!is_plane(prediction))
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "street-method polygons needs flat ground and receivers at one height; use terrain flat or "
                       "street-method graph");
    RW_TRY(rw_corner_beams_create(prediction->scene, &prediction->receivers, &job->beams));
    job->street.beams = &job->beams;
    job->street.view.beams = job->beams.view;
    return RW_OK;
}

static rw_status create_streets(rw_shadow_job *job)
{
    const rw_prediction *prediction = job->prediction;
    if (!job->effects.streets || prediction->scene->prepared->corners.count == 0)
        return RW_OK;
    const rw_database *database = prediction->options->database;
    int points = prediction->receivers.view.points != NULL; /* a database knows what cells see, and not points */
    int complete = database != NULL && !points;
    if (database && points)
        RW_TRY(rw_database_check(database, prediction->scene, prediction->model));
    if (complete) {
        job->graph = &rw_corner_database_of(database)->graph;
    } else {
        int berg = job->effects.streets == RW_SHADOW_STREETS_BERG;
        RW_TRY(rw_street_graph_create(prediction->scene, &prediction->receivers,
                                      berg ? INFINITY : find_highest_path_m(job), &job->own_graph));
        job->own_graph.view.depth_m = street_depth_m(job);
        if (berg) {
            job->own_graph.view.taut = 1;
            job->own_graph.view.reach_m = RW_BERG_LEG_MAX_M;
            job->own_graph.remembered_with = prediction->scene;
            RW_TRY(rw_street_graph_allocate_sectors(&job->own_graph));
        }
        if (database)
            RW_TRY(rw_street_graph_copy_links(&job->own_graph, &rw_corner_database_of(database)->graph));
        job->graph = &job->own_graph;
    }
    RW_TRY(rw_street_create(job->graph, complete ? NULL : &job->own_graph, job->effects.order,
                            job->effects.best_count ? job->effects.best_count : 1, job->batch, &job->street));
    int polynomial = job->effects.streets == RW_SHADOW_STREETS_POLYNOMIAL,
        many = job->effects.order > RW_STREET_ALL_ORDER;
    job->street.view.few = !polynomial || many;
    job->street.drop = polynomial && many;
    return job->effects.in_plane ? create_beams(job) : RW_OK;
}

/* Most receivers have no path that must be marched for. */
static size_t open_capacity(const rw_shadow_job *job)
{
    return job->batch * job->prediction->receivers.view.outdoor_count;
}

static rw_status allocate_step_arrays(rw_shadow_job *job)
{
    size_t items = job->batch * job->prediction->receivers.view.outdoor_count;
    RW_TRY(allocate_shadow_array(job, items * sizeof *job->street_keys, "paths round corners", &job->street_keys));
    RW_TRY(allocate_shadow_array(job, open_capacity(job) * sizeof *job->open, "open paths", &job->open));
    return allocate_shadow_array(job, sizeof *job->open_count, "open paths", &job->open_count);
}

static rw_status allocate_answers(rw_shadow_job *job, rw_shadow_needs needs)
{
    struct rw_shadow_path_loss_args *args = &job->args;
    size_t answers = job->batch * count_shadow_cells(job->prediction);
    RW_TRY(allocate_shadow_array(job, job->batch * sizeof *job->sources, "transmitters", &job->sources));
    RW_TRY(allocate_shadow_array(job, answers * sizeof(float), "path loss", &args->path_loss_db));
    RW_TRY(allocate_shadow_array(job, answers, "mechanisms", &args->mechanism));
    RW_TRY(allocate_shadow_array(job, answers, "deflections", &args->deflections));
    RW_TRY(job->in_steps ? allocate_step_arrays(job) : RW_OK);
    if (needs.strongest) {
        RW_TRY(
            allocate_shadow_array(job, RW_STRONGEST_PATHS_MAX * answers * sizeof(uint32_t), "paths", &args->strongest));
        RW_TRY(
            allocate_shadow_array(job, RW_STRONGEST_PATHS_MAX * answers * sizeof(float), "paths", &args->strongest_db));
    }
    return needs.paths ? allocate_shadow_array(job, answers * sizeof(uint32_t), "paths", &args->street_paths) : RW_OK;
}

static rw_status allocate_host_sources(rw_shadow_job *job)
{
    size_t count = job->prediction->options->transmitter_count;
    if (job->host_sources && job->host_source_count == count)
        return RW_OK;
    free(job->host_sources);
    job->host_sources = NULL;
    job->host_source_count = count;
    return rw_array_create(job->prediction->scene->context, count, sizeof *job->host_sources, "transmitters",
                           &job->host_sources);
}

/* From a source to the receiver that is farthest away, in plan: it limits paths by Berg's recursion. Within the range
 * of a site it is the range, whichever part of it is computed, so that parts have the values of the whole. */
static float farthest_m(const rw_shadow_job *job, rw_vec3 source)
{
    const rw_receivers_view *view = &job->prediction->receivers.view;
    double farthest = 0, range_m = job->prediction->grid.range_m;
    if (job->effects.streets != RW_SHADOW_STREETS_BERG)
        return INFINITY;
    if (range_m > 0 && isfinite(range_m))
        return (float)range_m * 1.0001f;
    size_t cells = view->columns * view->rows;
    for (size_t i = 0; view->points && i < cells; i++)
        farthest = fmax(farthest, hypot(view->points[i].x - source.x, view->points[i].y - source.y));
    for (int i = 0; !view->points && i < 4; i++) { /* the corners of a grid */
        rw_vec3 corner = rw_receiver_cell(view, i % 2 ? view->columns - 1 : 0, i / 2 ? view->rows - 1 : 0);
        farthest = fmax(farthest, hypot(corner.x - source.x, corner.y - source.y));
    }
    return (float)farthest * 1.0001f;
}

/* What lies on paths round corners. Air on paths is the engine's to add. */
static rw_medium street_medium(const rw_shadow_job *job, size_t transmitter)
{
    rw_medium medium = {.foliage = job->foliage.foliage.view};
    if (medium.foliage.tops_m)
        medium.law = rw_foliage_law_of(rw_prediction_freq_hz(job->prediction, transmitter));
    if (!job->stores_paths)
        medium.air_db_per_m = rw_air_db_per_m(job->prediction, transmitter);
    medium.counts = job->graph && (medium.foliage.tops_m || medium.air_db_per_m > 0);
    return medium;
}

/* Transmitters of one frequency share what interactions cost, which takes a while to compute. */
static rw_status build_shadow_sources(rw_shadow_job *job)
{
    const rw_prediction *prediction = job->prediction;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    float depth_m = street_depth_m(job);
    RW_TRY(allocate_host_sources(job));
    for (size_t i = 0; i < prediction->options->transmitter_count; i++) {
        double freq_hz = rw_prediction_freq_hz(prediction, i);
        rw_vec3 at = prediction->sources[i];
        if (freq_hz != job->cached_freq_hz)
            RW_TRY(rw_shadow_source_init(prediction, &job->effects, i, &job->cached_source));
        job->cached_freq_hz = freq_hz;
        if (job->effects.slabs)
            job->cached_source.roof_count_db = -1; /* by theory */
        job->cached_source.medium = street_medium(job, i);
        job->host_sources[i] = job->cached_source;
        job->host_sources[i].prior.base_height_m = prediction->options->transmitters[i].height_m;
        job->host_sources[i].at = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z);
        job->host_sources[i].street_depth_m = depth_m;
        job->host_sources[i].street_farthest_m = farthest_m(job, job->host_sources[i].at);
        job->host_sources[i].street_longest_m = rw_berg_longest_m(job->host_sources[i].street_farthest_m);
        rw_grid_widen(&job->args.grid, &prediction->receivers.view, job->host_sources[i].at);
    }
    job->over_roofs.facade_db = job->cached_source.facade_db;
    return RW_OK;
}

/* How low and how long paths round corners can be, for a graph that is made for these transmitters. */
static rw_status bound_street_graph(rw_shadow_job *job)
{
    float lowest_m = INFINITY, longest_m = 0;
    size_t count = job->prediction->options->transmitter_count;
    if (!job->own_graph.known || !count)
        return RW_OK;
    for (size_t i = 0; i < count; i++) {
        lowest_m = fminf(lowest_m, (float)job->host_sources[i].at.z);
        longest_m = fmaxf(longest_m, job->host_sources[i].street_longest_m);
    }
    return rw_street_graph_bound(&job->own_graph, lowest_m, longest_m);
}

rw_wall_grid_view rw_shadow_host_grid(const rw_shadow_job *job)
{
    rw_wall_grid_view grid = job->prediction->scene->prepared->grid.view;
    grid.coordinate_max = job->args.grid.coordinate_max;
    grid.curve_per_m = job->args.grid.curve_per_m;
    grid.ground_curve_per_m = job->args.grid.ground_curve_per_m;
    return grid;
}

rw_status rw_shadow_job_begin(rw_shadow_job *job)
{
    if (job->no_loss)
        return RW_OK;
    if (job->own_graph.context)
        RW_TRY(rw_street_graph_raise(&job->own_graph, find_highest_path_m(job)));
    if (job->slabs.prediction)
        RW_TRY(rw_slab_job_begin(&job->slabs));
    if (job->foliage.prediction)
        RW_TRY(rw_foliage_job_begin(&job->foliage));
    RW_TRY(build_shadow_sources(job));
    return bound_street_graph(job);
}

static rw_status prepare_shadow_job(rw_shadow_job *job, rw_shadow_needs needs)
{
    const rw_prediction *prediction = job->prediction;
    int counted = job->effects.walls || job->effects.roofs == RW_SHADOW_ROOFS_COUNTED;
    int count_walls = needs.walls || (counted && !needs.no_loss);
    rw_los_method method;
    RW_TRY(rw_los_method_parse(prediction->scene->context, prediction->options->method, &method));
    RW_TRY(rw_los_job_create(prediction->scene, &prediction->receivers, prediction->sources, job->batch, method,
                             count_walls, &job->sight));
    job->sight.counts_only = !needs.sight;
    job->sight.roofs = 1;
    job->sight.arrays.grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    if (needs.no_loss)
        return RW_OK;
    job->in_steps = (needs.steps || job->backend == RW_BACKEND_CUDA) && job->effects.streets &&
                    job->effects.best_count <= 1 && !job->effects.all_terms && !needs.strongest &&
                    !job->effects.in_plane && job->effects.roofs != RW_SHADOW_ROOFS_ANGLES &&
                    job->batch * prediction->receivers.view.outdoor_count < UINT32_MAX;
    RW_TRY(allocate_answers(job, needs));
    RW_TRY(create_streets(job));
    if (job->effects.walls && job->effects.slabs) {
        RW_TRY(rw_slab_job_create(prediction, job->batch, &job->slabs));
        job->args.walls_db = job->slabs.walls_db;
    }
    if (prediction->scene->foliage.values)
        RW_TRY(
            rw_foliage_job_create(prediction, job->batch, job->effects.roofs >= RW_SHADOW_ROOFS_ANGLES, &job->foliage));
    job->args.foliage_db = job->foliage.direct_db;
    job->args.roof_foliage_db = job->foliage.roof_db;
    if (job->effects.roofs == RW_SHADOW_ROOFS_SCREENS) {
        RW_TRY(rw_over_roofs_create(prediction, job->batch, &job->over_roofs));
        job->args.roof_db = job->over_roofs.args.excess_db;
        job->args.open_db = job->over_roofs.args.open_db;
        job->args.ground_db = job->over_roofs.args.ground_db;
        job->args.smooth_db = job->over_roofs.args.smooth_db;
        job->args.open_smooth_db = job->over_roofs.args.open_smooth_db;
        job->args.roof_edges = job->over_roofs.args.edges;
    }
    RW_TRY(rw_prepared_view(prediction->scene, job->backend, &job->args.grid));
    job->args.grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    job->args.grid.ground_curve_per_m = rw_prediction_ground_curve_per_m(prediction);
    job->args.receivers = job->sight.arrays.receivers;
    job->args.sources = job->sources;
    job->args.streets = job->graph != NULL;
    job->args.streets_alone = job->effects.streets_alone;
    job->args.roofs = job->effects.roofs;
    job->args.through = job->effects.walls;
    job->args.best_count = job->effects.best_count;
    job->args.all_terms = job->effects.all_terms;
    if (needs.members) {
        rw_spreads spreads = rw_spreads_default();
        RW_TRY(rw_ensemble_create(job, (size_t)needs.members, &spreads, &job->ensemble));
        job->args.street_db = job->ensemble.street_db;
    }
    return rw_shadow_job_begin(job);
}

/* Bytes that a cell takes for each transmitter of a batch: sight, counts of walls, answers, steps, an ensemble. */
#define ANSWER_BYTES 56.0

/* A few tens of megabytes of answers at a time; on a CPU one transmitter keeps all threads busy. */
static size_t batch_size(const rw_prediction *prediction, rw_backend backend)
{
    size_t count = prediction->options->transmitter_count;
    size_t max_count = backend == RW_BACKEND_CPU ? 4 : 64,
           fits = 1 + (size_t)(32e6 / (double)count_shadow_cells(prediction));
    double fitting_count =
        rw_device_buffer_bytes(backend, INFINITY, 0.5) / (ANSWER_BYTES * (double)count_shadow_cells(prediction));
    fits = fitting_count < (double)fits ? (size_t)fmax(fitting_count, 1) : fits;
    max_count = fits < max_count ? fits : max_count;
    return count < max_count ? count : max_count;
}

rw_status rw_shadow_job_create(const rw_prediction *prediction, rw_shadow_effects effects, rw_shadow_needs needs,
                               rw_shadow_job *job)
{
    *job = (rw_shadow_job){.prediction = prediction,
                           .effects = effects,
                           .no_loss = needs.no_loss,
                           .stores_paths = needs.paths,
                           .backend = prediction->scene->context->backend,
                           .batch = batch_size(prediction, prediction->scene->context->backend)};
    rw_status status = prepare_shadow_job(job, needs);
    if (status != RW_OK)
        rw_shadow_job_destroy(job);
    return status;
}

void rw_shadow_job_destroy(rw_shadow_job *job)
{
    struct rw_shadow_path_loss_args *args = &job->args;
    void *arrays[] = {job->sources,    args->path_loss_db, args->mechanism,    args->deflections,
                      args->strongest, args->strongest_db, args->street_paths, job->street_keys,
                      job->open,       job->open_count,    job->compositions};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(job->backend, arrays[i]);
    free(job->host_sources);
    if (job->street.graph)
        rw_street_destroy(&job->street);
    if (job->beams.scene)
        rw_corner_beams_destroy(&job->beams);
    rw_over_roofs_destroy(&job->over_roofs);
    rw_street_graph_destroy(&job->own_graph);
    rw_los_job_destroy(&job->sight);
    rw_slab_job_destroy(&job->slabs);
    if (job->foliage.prediction)
        rw_foliage_job_destroy(&job->foliage);
    if (job->ensemble.member_count)
        rw_ensemble_destroy(&job->ensemble, job->backend);
    *job = (rw_shadow_job){0};
}

/* A long map is solved slice by slice of its receivers, so that progress is seen and can be stopped. */
static rw_status launch_in_slices(rw_shadow_job *job, size_t count)
{
    rw_context *context = job->prediction->scene->context;
    struct rw_shadow_path_loss_args args = job->args;
    size_t items = count * args.receivers.outdoor_count;
    int hull = args.roofs == RW_SHADOW_ROOFS_ANGLES || args.all_terms;
    rw_kernel kernel = args.street.beams.used ? RW_KERNEL_shadow_plane_loss
                       : hull                 ? RW_KERNEL_shadow_hull_loss
                                              : RW_KERNEL_shadow_path_loss;
    const size_t slice = job->backend == RW_BACKEND_CUDA ? (size_t)1 << 30 : (size_t)1 << 14;
    for (args.first_item = 0; args.first_item < items; args.first_item += slice) {
        size_t now = items - args.first_item < slice ? items - args.first_item : slice;
        RW_TRY(rw_device_launch(context, job->backend, kernel, &args, now));
        double done = (double)(args.first_item + now) / (double)items;
        RW_TRY(rw_progress_within(context, RW_ROOFS_PROGRESS_FRACTION + (1 - RW_ROOFS_PROGRESS_FRACTION) * done,
                                  "predicting"));
    }
    return RW_OK;
}

/* As path_loss_steps.k.h says; done 0 where the list of marches was too short. */
static rw_status launch_steps(rw_shadow_job *job, size_t count, int *done)
{
    rw_context *context = job->prediction->scene->context;
    size_t items = count * job->args.receivers.outdoor_count, chunks = count * job->graph->view.chunk_count;
    const size_t stride = 1 << 16;
    uint32_t open_count;
    rw_shadow_steps steps = {job->args, job->street_keys, job->open, job->open_count, (uint32_t)open_capacity(job)};
    struct rw_shadow_streets_args streets = {steps};
    struct rw_shadow_marches_args marches = {steps, stride};
    struct rw_shadow_finish_args finish = {steps};
    RW_TRY(rw_device_set_bytes(context, job->backend, steps.keys, 0xff, items * sizeof *steps.keys));
    RW_TRY(rw_device_clear(context, job->backend, steps.open_count, sizeof *steps.open_count));
    RW_TRY(rw_device_launch(context, job->backend, RW_KERNEL_shadow_streets, &streets,
                            chunks * RW_CHUNK * RW_SHADOW_SLICES));
    RW_TRY(rw_device_launch(context, job->backend, RW_KERNEL_shadow_marches, &marches, stride));
    RW_TRY(rw_device_launch(context, job->backend, RW_KERNEL_shadow_finish, &finish, items));
    RW_TRY(rw_device_download(context, job->backend, &open_count, steps.open_count, sizeof open_count));
    *done = open_count <= steps.open_capacity;
    return RW_OK;
}

/* Sight, and what needs it: beside the paths round corners. */
static rw_status run_sight(rw_shadow_job *job, size_t first, size_t count)
{
    const float other_paths_db = job->effects.roofs ? 100.0f : INFINITY; /* the way over roofs costs less than that */
    rw_context *context = job->prediction->scene->context;
    RW_TRY(rw_device_side_begin(context, job->backend));
    rw_status status = rw_los_job_run(&job->sight);
    if (status == RW_OK && job->slabs.prediction)
        status = rw_slab_job_run(&job->slabs, &job->sight.arrays, first, other_paths_db);
    if (status == RW_OK && job->foliage.prediction)
        status = rw_foliage_job_run(&job->foliage, &job->sight.arrays, first);
    int from_walls = job->sight.counts_only && rw_los_walls_suffice(&job->sight);
    if (status == RW_OK && job->effects.roofs == RW_SHADOW_ROOFS_SCREENS)
        status = rw_over_roofs_run(&job->over_roofs, &job->sight, from_walls, first, count);
    rw_status ended = rw_device_side_end(context, job->backend);
    return status == RW_OK ? ended : status;
}

/* Marks the chunks with a receiver that ways round corners are looked for to. */
typedef struct chunk_marks {
    const rw_shadow_job *job;
    size_t count; /* of transmitters */
    uint8_t *marks;
} chunk_marks;

static void mark_chunks(void *user, size_t begin, size_t end)
{
    const chunk_marks *work = user;
    const struct rw_shadow_path_loss_args *args = &work->job->args;
    size_t cells = args->receivers.columns * args->receivers.rows, outdoor_count = args->receivers.outdoor_count;
    for (size_t chunk = begin; chunk < end; chunk++) {
        size_t last = (chunk + 1) * RW_CHUNK < outdoor_count ? (chunk + 1) * RW_CHUNK : outdoor_count;
        int needed = 0;
        for (size_t k = 0; k < work->count && !needed; k++)
            for (size_t i = chunk * RW_CHUNK; i < last && !needed; i++) {
                size_t at = k * cells + args->receivers.outdoor[i];
                needed = rw_shadow_looks(args, work->job->sources + k, at) && rw_shadow_streets_reach(args, at);
            }
        work->marks[chunk] = (uint8_t)needed;
    }
}

/* In open country nearly every receiver sees the mast and asks for no way round corners, while every corner sees nearly
 * every receiver: corners are looked for only where they are of use. On a GPU sight is found at the same time. */
static rw_status request_chunks(rw_shadow_job *job, size_t count)
{
    rw_context *context = job->prediction->scene->context;
    chunk_marks work = {job, count, NULL};
    if (job->graph != &job->own_graph || job->backend != RW_BACKEND_CPU)
        return RW_OK;
    RW_TRY(rw_array_create(context, job->own_graph.view.chunk_count, 1, "the street graph", &work.marks));
    rw_status status = rw_parallel(context, job->own_graph.view.chunk_count, 256, mark_chunks, &work);
    if (status == RW_OK)
        status = rw_street_graph_request(&job->own_graph, work.marks);
    free(work.marks);
    return status;
}

rw_status rw_shadow_job_run(rw_shadow_job *job, size_t first, size_t count)
{
    if (job->no_loss) {
        RW_TRY(rw_los_job_move(&job->sight, job->prediction->sources + first, count));
        return rw_los_job_run(&job->sight);
    }
    RW_TRY(rw_device_upload(job->prediction->scene->context, job->backend, job->sources, job->host_sources + first,
                            count * sizeof *job->sources));
    RW_TRY(rw_los_job_move(&job->sight, job->prediction->sources + first, count));
    double alone = 1 / (1 + 0.5 * (double)job->ensemble.member_count); /* of the time: without the ensemble */
    rw_progress_range outer_range = rw_progress_narrow(0, alone);
    RW_TRY(run_sight(job, first, count));
    int from_walls = job->sight.counts_only && rw_los_walls_suffice(&job->sight);
    job->args.los = from_walls ? NULL : job->sight.arrays.los;
    job->args.walls = job->sight.arrays.walls;
    RW_TRY(request_chunks(job, count));
    int enough = 0;
    while (!enough) {
        if (job->graph) {
            RW_TRY(rw_street_run(&job->street, job->sources, count));
            job->args.street = job->street.view;
        }
        RW_TRY(rw_device_side_join(job->prediction->scene->context, job->backend));
        int done = 0;
        if (job->in_steps && job->graph)
            RW_TRY(launch_steps(job, count, &done));
        if (!done)
            RW_TRY(launch_in_slices(job, count));
        enough = !job->graph;
        if (job->graph)
            RW_TRY(rw_street_check(&job->street, &enough));
    }
    rw_progress_range_set(outer_range);
    if (!job->ensemble.member_count)
        return RW_OK;
    rw_progress_narrow(alone, 1);
    rw_status status = rw_ensemble_run(&job->ensemble, job, first, count);
    rw_progress_range_set(outer_range);
    return status;
}
