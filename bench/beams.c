/* The beams model: a city with histograms of delays, and time over the number of reflections, like figure 9 of Schmitz
 * and others (2011).
 *
 * Count first: the paper's Munich with four reflections and one diffraction is 0.3 million beams and 0.6 million
 * pieces; they reach 20 000 of 200 000 receivers by a million paths, each of which adds to five sums and a bin (some
 * 50 bytes) and costs a corner's diffraction (some 500 operations). That is 0.02 ms of an H200's memory and less of its
 * arithmetic: time goes into tracing level after level and into pieces of uneven size. */
#include "bench/beams.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A map that is right: nothing is stronger than free space by more than reflections can add, and paths are counted. */
static rw_status check(rw_context *context, const rw_map *map)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer loss = {.size = sizeof loss}, paths = {.size = sizeof paths};
    RW_TRY(rw_map_get_info(map, &info));
    RW_TRY(rw_map_get_layer(map, 0, &loss));
    RW_TRY(rw_map_get_layer(map, 1, &paths));
    size_t reached = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        reached += paths.values[i] > 0;
        if (!isnan(loss.values[i]) && !(loss.values[i] > 20 && isfinite(loss.values[i]) == (paths.values[i] > 0)))
            return rw_fail(context, RW_INTERNAL, "cell %zu has a path loss of %g dB by %g paths", i,
                           (double)loss.values[i], (double)paths.values[i]);
    }
    return reached ? RW_OK : rw_fail(context, RW_INTERNAL, "no receiver is reached");
}

static rw_status time_map(rw_context *context, const rw_scene *scene, const rw_predict_options *options, int repeats,
                          double *seconds)
{
    *seconds = INFINITY;
    for (int i = 0; i < repeats; i++) {
        rw_map *map;
        rw_map_info info = {.size = sizeof info};
        RW_TRY(rw_predict(scene, options, &map));
        rw_status status = i == 0 ? check(context, map) : RW_OK;
        rw_map_get_info(map, &info);
        rw_map_destroy(map);
        RW_TRY(status);
        *seconds = fmin(*seconds, info.solve_s);
    }
    return RW_OK;
}

static rw_predict_options usual_options(const rw_transmitter *transmitter)
{
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.model = "beams";
    options.layers = "path_loss,paths";
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    options.transmissions = 0;
    return options;
}

/* Where the time goes, and what keeping paths saves: under theory and under constants. */
static rw_status bench_parts(const rw_bench *bench, const rw_scene *scene, rw_predict_options *options)
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

static rw_status bench_city(const rw_bench *bench, rw_context *context)
{
    rw_scene *scene = NULL;
    const char *place, *backend = rw_context_backend(context);
    RW_TRY(rw_bench_city(bench, context, &scene, &place));
    int munich = strcmp(place, "Munich") == 0, cuda = strcmp(backend, "cuda") == 0;
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = munich ? 1281.36 : 1205;
    transmitter.y_m = munich ? 1381.27 : 1705;
    transmitter.height_m = munich ? 13 : 20;
    rw_predict_options options = usual_options(&transmitter);
    char name[64];
    double seconds;
    rw_status status = RW_OK;
    int curve = rw_bench_wants(bench, "beams", "beams");
    for (int depth = 0; depth <= 8 && curve && status == RW_OK; depth++) { /* like figure 9 */
        options.reflections = depth;
        status = time_map(context, scene, &options, depth > 4 ? 1 : 3, &seconds);
        snprintf(name, sizeof name, "%d reflections, 1 diffraction, %s", depth, backend);
        const rw_bench point = rw_bench_on_curve(bench, backend, depth, "reflections, beside 1 diffraction");
        if (status == RW_OK)
            rw_bench_tell(&point, "beams", name, seconds * 1e3, "ms", NAN, NAN, "");
    }
    options.reflections = 4;
    options.delay_bins = 128;
    if (status == RW_OK && curve)
        status = time_map(context, scene, &options, 3, &seconds);
    snprintf(name, sizeof name, "4 reflections, 128 bins, %s", backend);
    if (status == RW_OK && curve)
        rw_bench_tell(bench, "beams", name, seconds * 1e3, "ms", NAN, cuda ? 20 : 3000,
                      "paper: 1800 ms, bins not told");
    if (status == RW_OK)
        status = bench_parts(bench, scene, &options);
    rw_scene_destroy(scene);
    return status;
}

/* A city of as many vertices as the paper's second one, on hills. */
static rw_status bench_large(const rw_bench *bench, rw_context *context)
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
    rw_predict_options options = usual_options(&transmitter);
    double seconds;
    const char *backend = rw_context_backend(context);
    if (status == RW_OK)
        status = time_map(context, scene, &options, strcmp(backend, "cuda") == 0 ? 3 : 1, &seconds);
    char name[64];
    snprintf(name, sizeof name, "city of 380 000 vertices on hills, %s", backend);
    if (status == RW_OK)
        rw_bench_tell(bench, "beams_large", name, seconds * 1e3, "ms", NAN, strcmp(backend, "cuda") == 0 ? 200 : 30000,
                      "");
    if (status == RW_OK && strcmp(backend, "cuda") == 0)
        status = rw_bench_beam_stages(bench, scene, &options);
    rw_scene_destroy(scene);
    return status;
}

static rw_status bench_backend(const rw_bench *bench, rw_context *context)
{
    if (rw_bench_wants(bench, "raster", "raster"))
        RW_TRY(rw_bench_raster(bench, context));
    if (rw_bench_wants(bench, "beams_stages", "beams_reuse"))
        RW_TRY(bench_city(bench, context));
    return bench->only && strcmp(bench->only, "beams_large") == 0 ? bench_large(bench, context) : RW_OK;
}

rw_status rw_bench_beams(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, "beams_large", "raster") && !rw_bench_wants(bench, "beams_stages", "beams_reuse"))
        return RW_OK;
    return rw_bench_each_backend(bench, bench_backend);
}
