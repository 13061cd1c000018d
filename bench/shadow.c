/* The shadow model at 5 m on Munich (where its data are; else on a generated city of the same size): complete
 * predictions of one transmitter, with and without the corner database, batches of transmitters, an ensemble, and the
 * paper's Table 2 beside them. A prediction with the database is compared with one without it on every receiver. */
#include "bench/bench.h"

#include "base/memory.h"
#include "models/shadow/database/database.h"
#include "models/shadow/shadow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char group[] = "shadow";

#define BATCH 64
#define MEMBERS 100
#define MEMBERS_ON_CPU 4

typedef struct shadow_bench {
    const rw_bench *bench;
    rw_context *context;
    rw_scene *scene;
    const char *city_name;
    rw_transmitter transmitters[BATCH];
    rw_database *database;
    double preprocess_s;
} shadow_bench;

static void locate_shadow_transmitters(shadow_bench *shadow)
{
    rw_vec3 positions[BATCH];
    rw_bench_locate_sources(shadow->scene, shadow->city_name, positions, BATCH);
    for (int i = 0; i < BATCH; i++) {
        rw_transmitter *transmitter = &shadow->transmitters[i];
        rw_transmitter_init(transmitter);
        transmitter->x_m = positions[i].x + shadow->scene->origin.x;
        transmitter->y_m = positions[i].y + shadow->scene->origin.y;
        transmitter->height_m = positions[i].z;
    }
}

static rw_predict_options build_shadow_options(const shadow_bench *shadow, const char *effects, size_t count,
                                               const rw_database *database)
{
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.transmitters = shadow->transmitters;
    options.transmitter_count = count;
    options.effects = effects;
    options.database = database;
    options.layers = "path_loss";
    return options;
}

/* A database made for the run, in a file that is gone when it is loaded. */
static rw_status make_database(shadow_bench *shadow)
{
    char path[] = "rasterwave-bench-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        return rw_fail(shadow->context, RW_NOT_WRITABLE, "the benchmark needs to write a file into the present folder");
    close(file);
    double start_s = rw_seconds();
    rw_status status = rw_preprocess(shadow->scene, NULL, path);
    shadow->preprocess_s = rw_seconds() - start_s;
    if (status == RW_OK)
        status = rw_database_load(shadow->scene, path, &shadow->database);
    unlink(path);
    return status;
}

static rw_status predict_loss(const shadow_bench *shadow, const rw_predict_options *options, rw_map **map,
                              rw_map_layer *loss)
{
    RW_TRY(rw_predict(shadow->scene, options, map));
    return rw_map_get_layer(*map, 0, loss);
}

/* Two maps: all but one receiver in so many the same. */
static rw_status check_maps(const shadow_bench *shadow, const rw_predict_options *options, double but_one_in,
                            rw_bench_check *compared)
{
    rw_map *maps[2] = {NULL, NULL};
    rw_map_layer loss[2] = {{.size = sizeof *loss}, {.size = sizeof *loss}};
    rw_map_info info = {.size = sizeof info};
    rw_status status = RW_OK;
    size_t different = 0, finite = 0;
    for (int i = 0; i < 2 && status == RW_OK; i++)
        status = predict_loss(shadow, &options[i], &maps[i], &loss[i]);
    if (status == RW_OK)
        status = rw_map_get_info(maps[0], &info);
    for (size_t i = 0; status == RW_OK && i < info.columns * info.rows; i++) {
        float a = loss[0].values[i], b = loss[1].values[i];
        finite += isfinite(a) != 0;
        different += isfinite(a) ? !(fabsf(a - b) <= 0.01f) : isfinite(b) != 0;
    }
    rw_map_destroy(maps[0]);
    rw_map_destroy(maps[1]);
    *compared = (rw_bench_check){compared->against, (double)different, (double)finite / but_one_in, "receivers"};
    if (status == RW_OK && finite < 1000)
        return rw_fail(shadow->context, RW_INTERNAL, "only %zu receivers have a value", finite);
    return status;
}

/* With and without the database. Berg's search drops what heights alone would have kept, which may differ where a leg
 * is seen at another height: one in 1000. */
static rw_status compare_shadow_effects(const shadow_bench *shadow, const char *effects, double but_one_in,
                                        rw_bench_check *compared)
{
    rw_predict_options options[2] = {build_shadow_options(shadow, effects, 1, NULL),
                                     build_shadow_options(shadow, effects, 1, shadow->database)};
    compared->against = "the map without database";
    return check_maps(shadow, options, but_one_in, compared);
}

/* Corners in the receiver plane are corners in space where the transmitter is in that plane; on fewer cells, since a
 * CPU takes seconds for it. */
static rw_status check_plane_streets(const shadow_bench *shadow, const char *effects, rw_bench_check *compared)
{
    rw_predict_options options[2] = {build_shadow_options(shadow, effects, 1, NULL),
                                     build_shadow_options(shadow, effects, 1, NULL)};
    rw_transmitter low = shadow->transmitters[0];
    low.height_m = 1.5;
    for (int i = 0; i < 2; i++) {
        options[i].transmitters = &low;
        options[i].res_m = 20;
        options[i].street_method = i ? "polygons" : "graph";
    }
    compared->against = "corners in space, for a transmitter at the receivers' height";
    return check_maps(shadow, options, 1e4, compared);
}

typedef struct timed_job {
    rw_shadow_job job;
    size_t count;
} timed_job;

/* Without a database nothing is left over from the run before. */
static rw_status run_timed_shadow_job(void *user)
{
    timed_job *timed = user;
    if (timed->job.graph == &timed->job.own_graph)
        RW_TRY(rw_street_graph_clear(&timed->job.own_graph));
    if (timed->job.street.beams)
        rw_corner_beams_clear(&timed->job.beams);
    return rw_shadow_job_run(&timed->job, 0, timed->count);
}

/* A run that takes seconds is timed once, without another to warm up. */
static rw_status time_once(const shadow_bench *shadow, timed_job *timed, double *seconds)
{
    double start_s = rw_seconds();
    RW_TRY(run_timed_shadow_job(timed));
    RW_TRY(rw_device_wait(shadow->context, shadow->context->backend));
    *seconds = rw_seconds() - start_s;
    return RW_OK;
}

static rw_status time_job(const shadow_bench *shadow, rw_predict_options options, int members, double *seconds)
{
    int repeats = members ? 1 : 7, slow = options.street_method && shadow->context->backend == RW_BACKEND_CPU;
    size_t count = options.transmitter_count;
    rw_prediction *prediction;
    rw_shadow_effects effects;
    timed_job timed = {.count = count};
    RW_TRY(rw_prediction_open(shadow->scene, &options, &prediction));
    rw_status status = rw_shadow_effects_resolve(prediction, &effects);
    if (status == RW_OK)
        status = rw_shadow_job_create(prediction, effects, (rw_shadow_needs){.members = members}, &timed.job);
    timed.count = count < timed.job.batch ? count : timed.job.batch;
    *seconds = 0;
    if (status == RW_OK && slow)
        status = time_once(shadow, &timed, seconds);
    else if (status == RW_OK)
        status =
            rw_device_time(shadow->context, shadow->context->backend, run_timed_shadow_job, &timed, repeats, seconds);
    *seconds *= (double)count / (double)(timed.count ? timed.count : 1);
    rw_shadow_job_destroy(&timed.job);
    rw_prediction_destroy(prediction);
    return status;
}

#define PAPER_STREETS "streets_polynomial"

/* One line: its effects, and the target in milliseconds on a GPU and on two CPU cores. */
typedef struct shadow_line {
    const char *name, *effects, *note;
    int with_database;
    double gpu_ms, cpu_ms;
    const char *street_method;
} shadow_line;

static const shadow_line lines[] = {
    {"all default ways", "streets,roofs,walls", "Berg, Vogler, slabs and prior", 0, 5, 600, NULL},
    {"all default ways with database", "streets,roofs,walls", "Berg, Vogler, slabs and prior", 1, 1, NAN, NULL},
    {"over roofs by main edges alone", "roofs", "Vogler", 0, NAN, NAN, NULL},
    {"streets and walls", PAPER_STREETS ",walls", "Table 2: 50 ms, std. dev. 4.5 dB (CORLA: 8 s, 4.2 dB)", 0, NAN, NAN,
     NULL},
    {"the same, corners in the receiver plane", PAPER_STREETS ",walls",
     "the paper's own search: shadow polygons of each corner; Table 2: 50 ms", 0, NAN, NAN, "polygons"},
    {"over roofs alone", "roofs_polynomial", "Table 2: 3050 ms, std. dev. 4.7 dB", 0, NAN, NAN, NULL},
    {"complete, roofs counted", PAPER_STREETS ",roofs_counted,walls", "paper: 50 ms", 0, 2, 1000, NULL},
    {"complete, roof angles", PAPER_STREETS ",roofs_polynomial,walls", "paper: 3050 ms", 0, 5, NAN, NULL},
    {"with database, roofs counted", PAPER_STREETS ",roofs_counted,walls", "paper: 50 ms", 1, 0.2, 50, NULL},
    {"with database, roof angles", PAPER_STREETS ",roofs_polynomial,walls", "paper: 3050 ms", 1, NAN, NAN, NULL},
};

/* Lines with the database say what was precomputed, and are compared with the same map without it. */
static rw_status bench_line(const shadow_bench *shadow, const shadow_line *line)
{
    int gpu = shadow->context->backend == RW_BACKEND_CUDA, by_database = line->with_database;
    rw_bench_check compared = {0};
    double seconds;
    char name[64], note[160];
    if (line->street_method)
        RW_TRY(check_plane_streets(shadow, line->effects, &compared));
    if (by_database)
        RW_TRY(compare_shadow_effects(shadow, line->effects, strncmp(line->effects, PAPER_STREETS, 18) == 0 ? 1e4 : 1e3,
                                      &compared));
    rw_predict_options options = build_shadow_options(shadow, line->effects, 1, by_database ? shadow->database : NULL);
    options.street_method = line->street_method;
    RW_TRY(time_job(shadow, options, 0, &seconds));
    const rw_bench checked = rw_bench_checked(shadow->bench, compared);
    snprintf(name, sizeof name, "%s, %s", line->name, rw_context_backend(shadow->context));
    snprintf(note, sizeof note, "%s%s", line->note, by_database ? "; what corners see is precomputed" : "");
    rw_bench_add_result(&checked, group, name, seconds * 1e3, "ms", NAN, gpu ? line->gpu_ms : line->cpu_ms, note);
    return RW_OK;
}

static rw_status bench_shadow_lines(const shadow_bench *shadow)
{
    const char *backend = rw_context_backend(shadow->context);
    int gpu = shadow->context->backend == RW_BACKEND_CUDA;
    char name[64];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        RW_TRY(bench_line(shadow, &lines[i]));
    double seconds;
    RW_TRY(time_job(shadow, build_shadow_options(shadow, PAPER_STREETS ",roofs_counted,walls", BATCH, shadow->database),
                    0, &seconds));
    snprintf(name, sizeof name, "batch of %d with database, %s", BATCH, backend);
    rw_bench_add_result(shadow->bench, group, name, BATCH / seconds, "tx/s", NAN, gpu ? 5000 : NAN,
                        "paper: 20 tx/s (derived from its 50 ms a map); what corners see is precomputed");
    int members = gpu ? MEMBERS : MEMBERS_ON_CPU;
    RW_TRY(time_job(shadow, build_shadow_options(shadow, NULL, 1, NULL), members, &seconds));
    snprintf(name, sizeof name, "%d members of an ensemble, %s", members, backend);
    rw_bench_add_result(shadow->bench, group, name, seconds * 1e3, "ms", NAN, gpu ? 1000 : NAN,
                        "standard deviation of all ways");
    return RW_OK;
}

static rw_status bench_database(shadow_bench *shadow)
{
    char name[64], note[160];
    rw_database_info info = {.size = sizeof info};
    RW_TRY(make_database(shadow));
    rw_database_get_info(shadow->database, &info);
    snprintf(name, sizeof name, "making the database, %s", rw_context_backend(shadow->context));
    snprintf(note, sizeof note, "%zu corners, %zu links, %zu entries", info.corners, info.links, info.entries);
    rw_bench_add_result(shadow->bench, group, name, shadow->preprocess_s, "s", NAN, NAN, note);
    rw_bench_add_result(shadow->bench, group, "size of the database", info.bytes / 1e6, "MB", NAN, 200,
                        shadow->city_name);
    return RW_OK;
}

static rw_status bench_shadow_on_backend(const rw_bench *bench, rw_context *context)
{
    shadow_bench *shadow;
    RW_TRY(rw_array_create(context, 1, sizeof *shadow, "the benchmark", &shadow));
    shadow->bench = bench;
    shadow->context = context;
    rw_status status = rw_bench_city(bench, context, &shadow->scene, &shadow->city_name);
    if (status == RW_OK) {
        locate_shadow_transmitters(shadow);
        status = bench_database(shadow);
    }
    if (status == RW_OK)
        status = bench_shadow_lines(shadow);
    rw_database_destroy(shadow->database);
    rw_scene_destroy(shadow->scene);
    free(shadow);
    return status;
}

rw_status rw_bench_shadow(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, group, group))
        return RW_OK;
    return rw_bench_each_backend(bench, bench_shadow_on_backend);
}
