/* The beams model: a city with histograms of delays, and time over the number of reflections, like figure 9 of Schmitz
 * and others (2011).
 *
 * Count first: the paper's Munich with four reflections and one diffraction is 0.3 million beams and 0.6 million
 * pieces; they reach 20 000 of 200 000 receivers by a million paths, each of which adds to five sums and a bin (some
 * 50 bytes) and costs a corner's diffraction (some 500 operations). That is 0.02 ms of an H200's memory and less of its
 * arithmetic: time goes into tracing level after level and into pieces of uneven size. */
#include "bench/groups.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A map that is right: nothing is stronger than free space by more than reflections can add, and paths are counted.
 * Tells the share of outdoor receivers that are reached. */
static rw_status check_beam_losses(rw_context *context, const rw_map *map, double *reached_fraction)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer loss = {.size = sizeof loss}, paths = {.size = sizeof paths};
    RW_TRY(rw_map_get_info(map, &info));
    RW_TRY(rw_map_get_layer(map, 0, &loss));
    RW_TRY(rw_map_get_layer(map, 1, &paths));
    size_t reached = 0, outdoors = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        reached += paths.values[i] > 0;
        outdoors += !isnan(loss.values[i]);
        if (!isnan(loss.values[i]) && !(loss.values[i] > 20 && isfinite(loss.values[i]) == (paths.values[i] > 0)))
            return rw_fail(context, RW_INTERNAL, "cell %zu has a path loss of %g dB by %g paths", i,
                           (double)loss.values[i], (double)paths.values[i]);
    }
    *reached_fraction = outdoors ? (double)reached / (double)outdoors : 0;
    return reached ? RW_OK : rw_fail(context, RW_INTERNAL, "no receiver is reached");
}

/* Receivers whose number of paths is another one by the paper's own algorithms: half spaces over blocks and, on flat
 * ground, walls from the quadtree. */
static rw_status compare_half_spaces(const rw_scene *scene, const rw_predict_options *options, const rw_map *map,
                                     double *different)
{
    rw_predict_options other = *options;
    rw_map *new_map;
    rw_map_info info = {.size = sizeof info};
    rw_map_layer ours = {.size = sizeof ours}, theirs = {.size = sizeof theirs};
    other.method = "half-spaces";
    other.clip = scene->terrain.values ? "grid" : "quadtree"; /* which knows no ground: too long on hills */
    other.delay_bins = 0;
    RW_TRY(rw_predict(scene, &other, &new_map));
    rw_status status = rw_map_get_info(map, &info);
    if (status == RW_OK)
        status = rw_map_get_layer(map, 1, &ours);
    if (status == RW_OK)
        status = rw_map_get_layer(new_map, 1, &theirs);
    *different = 0;
    for (size_t i = 0; status == RW_OK && i < info.columns * info.rows; i++)
        *different += memcmp(&ours.values[i], &theirs.values[i], sizeof(float)) != 0;
    rw_map_destroy(new_map);
    return status;
}

rw_status rw_bench_time_beams(rw_context *context, const rw_scene *scene, const rw_predict_options *options,
                              int repeats, rw_beams_timing *timing)
{
    *timing = (rw_beams_timing){.seconds = INFINITY};
    for (int i = 0; i < repeats; i++) {
        rw_map *map;
        rw_map_info info = {.size = sizeof info};
        RW_TRY(rw_predict(scene, options, &map));
        rw_status status = i == 0 ? check_beam_losses(context, map, &timing->reached_fraction) : RW_OK;
        if (i == 0 && status == RW_OK)
            status = compare_half_spaces(scene, options, map, &timing->different);
        rw_map_get_info(map, &info);
        timing->receivers = (double)info.columns * (double)info.rows;
        rw_map_destroy(map);
        RW_TRY(status);
        timing->seconds = fmin(timing->seconds, info.solve_s);
    }
    return RW_OK;
}

/* A thousandth of the receivers may differ, where limits on the number of walls are at work. */
static rw_bench add_comparison(const rw_bench *bench, const rw_beams_timing *timing)
{
    return rw_bench_checked(bench, (rw_bench_check){"the paper's rasteriser and clipping", timing->different,
                                                    1e-3 * timing->receivers, "receivers"});
}

static rw_predict_options default_beam_options(const rw_transmitter *transmitter)
{
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.model = "beams";
    options.layers = "path_loss,paths";
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    options.transmissions = 0;
    options.roofs = "none"; /* the paper's own paths, so that the share that they reach can be told */
    return options;
}

/* Where the time goes, and what keeping paths saves: under theory and under constants. */
static rw_status bench_stages_and_reuse(const rw_bench *bench, const rw_scene *scene, rw_predict_options *options)
{
    options->reflections = 4;
    options->delay_bins = 128;
    if (rw_bench_wants(bench, "beams_stages", "beams"))
        RW_TRY(rw_bench_beam_stages(bench, scene, options));
    if (!rw_bench_wants(bench, "beams_reuse", "beams"))
        return RW_OK;
    options->delay_bins = 0;
    RW_TRY(rw_bench_beam_reuse(bench, scene, options));
    options->losses = "reflection=6,diffraction=22";
    return rw_bench_beam_reuse(bench, scene, options);
}

/* Where the transmitter stands in the city of the benchmark. */
static rw_transmitter transmitter_in(const rw_bench *bench, const rw_scene *scene, const char *city_name)
{
    int munich = strcmp(city_name, "Munich") == 0;
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = munich ? 1281.36 : 1205;
    transmitter.y_m = munich ? 1381.27 : 1705;
    transmitter.height_m = munich ? 13 : 20;
    if (bench->tiny) {
        rw_vec3 at;
        rw_bench_locate_sources(scene, city_name, &at, 1);
        transmitter.x_m = at.x + scene->origin.x;
        transmitter.y_m = at.y + scene->origin.y;
        transmitter.height_m = at.z;
    }
    return transmitter;
}

/* Time over reflections, like figure 9, and the map with delays of table 1. */
static rw_status report_beams_curve(const rw_bench *bench, rw_context *context, const rw_scene *scene,
                                    rw_predict_options *options)
{
    const char *backend = rw_context_backend(context);
    rw_beams_timing timing;
    char name[64], note[160];
    for (int depth = 0; depth <= (bench->tiny ? 2 : 8); depth++) {
        options->reflections = depth;
        RW_TRY(rw_bench_time_beams(context, scene, options, depth > 4 ? 1 : 3, &timing));
        snprintf(name, sizeof name, "%d reflections, 1 diffraction, %s", depth, backend);
        snprintf(note, sizeof note, "reaches %.0f %% of the outdoor receivers", 100 * timing.reached_fraction);
        const rw_bench point = rw_bench_on_curve(bench, backend, depth, "reflections, beside 1 diffraction");
        const rw_bench checked = add_comparison(&point, &timing);
        rw_bench_add_result(&checked, "beams", name, timing.seconds * 1e3, "ms", NAN, NAN, note);
    }
    options->reflections = bench->tiny ? 2 : 4;
    options->delay_bins = 128;
    RW_TRY(rw_bench_time_beams(context, scene, options, 3, &timing));
    snprintf(name, sizeof name, "%d reflections, 128 bins, %s", options->reflections, backend);
    snprintf(note, sizeof note, "reaches %.0f %% of the outdoor receivers; paper: 1800 ms, neither bins nor share told",
             100 * timing.reached_fraction);
    const rw_bench checked = add_comparison(bench, &timing);
    rw_bench_add_result(&checked, "beams", name, timing.seconds * 1e3, "ms", NAN,
                        strcmp(backend, "cuda") == 0 ? 20 : 3000, note);
    return RW_OK;
}

static rw_status bench_beams_city(const rw_bench *bench, rw_context *context)
{
    rw_scene *scene = NULL;
    const char *city_name;
    RW_TRY(rw_bench_city(bench, context, &scene, &city_name));
    rw_transmitter transmitter = transmitter_in(bench, scene, city_name);
    rw_predict_options options = default_beam_options(&transmitter);
    rw_status status = RW_OK;
    if (rw_bench_wants(bench, "beams", "beams"))
        status = report_beams_curve(bench, context, scene, &options);
    if (status == RW_OK)
        status = bench_stages_and_reuse(bench, scene, &options);
    rw_scene_destroy(scene);
    return status;
}

/* The curve alone, for a page. */
static rw_status curve_of_backend(const rw_bench *bench, rw_context *context)
{
    rw_scene *scene = NULL;
    const char *city_name;
    RW_TRY(rw_bench_city(bench, context, &scene, &city_name));
    rw_transmitter transmitter = transmitter_in(bench, scene, city_name);
    rw_predict_options options = default_beam_options(&transmitter);
    rw_status status = report_beams_curve(bench, context, scene, &options);
    rw_scene_destroy(scene);
    return status;
}

rw_status rw_bench_beams_curve(const rw_bench *bench)
{
    return rw_bench_each_backend(bench, curve_of_backend);
}

/* A city of as many vertices as the paper's second one, on hills. */
static rw_status bench_large_beams(const rw_bench *bench, rw_context *context)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 13300;
    city.hills = 1;
    rw_scene *scene = NULL;
    RW_TRY(rw_generate_city(context, &city, &scene));
    rw_status status = rw_scene_commit(scene);
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = transmitter.y_m = 6650;
    transmitter.height_m = 60;
    rw_predict_options options = default_beam_options(&transmitter);
    rw_beams_timing timing;
    const char *backend = rw_context_backend(context);
    if (status == RW_OK)
        status = rw_bench_time_beams(context, scene, &options, strcmp(backend, "cuda") == 0 ? 3 : 1, &timing);
    char name[64], note[160];
    snprintf(name, sizeof name, "city of 380 000 vertices on hills, %s", backend);
    if (status == RW_OK) {
        snprintf(note, sizeof note, "reaches %.0f %% of the outdoor receivers", 100 * timing.reached_fraction);
        const rw_bench checked = add_comparison(bench, &timing);
        rw_bench_add_result(&checked, "beams_large", name, timing.seconds * 1e3, "ms", NAN,
                            strcmp(backend, "cuda") == 0 ? 200 : 30000, note);
    }
    if (status == RW_OK && strcmp(backend, "cuda") == 0)
        status = rw_bench_beam_stages(bench, scene, &options);
    rw_scene_destroy(scene);
    return status;
}

static rw_status bench_beams_on_backend(const rw_bench *bench, rw_context *context)
{
    if (rw_bench_wants(bench, "raster", "raster"))
        RW_TRY(rw_bench_raster(bench, context));
    if (rw_bench_wants(bench, "beams_stages", "beams_reuse"))
        RW_TRY(bench_beams_city(bench, context));
    return bench->only && strcmp(bench->only, "beams_large") == 0 ? bench_large_beams(bench, context) : RW_OK;
}

rw_status rw_bench_beams(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, "beams_large", "raster") && !rw_bench_wants(bench, "beams_stages", "beams_reuse"))
        return RW_OK;
    return rw_bench_each_backend(bench, bench_beams_on_backend);
}
