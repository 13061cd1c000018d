/* A complete map of the shadow model: line of sight, roofs and walls for one transmitter at 5 m, as a user asks for it.
 * The map is checked before it is timed: a receiver in sight has free-space loss, and none has less. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rw_status check(rw_context *context, const rw_map *map)
{
    rw_map_info info;
    rw_map_layer loss, mechanism;
    RW_TRY(rw_map_get_info(map, &info));
    RW_TRY(rw_map_get_layer(map, 0, &loss));
    RW_TRY(rw_map_get_layer(map, 1, &mechanism));
    size_t sight = 0, roofs = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        sight += mechanism.values[i] == 0;
        roofs += mechanism.values[i] == 2;
        if (!isnan(loss.values[i]) && !(loss.values[i] > 20))
            return rw_fail(context, RW_INTERNAL, "cell %zu has a path loss of %g dB", i, (double)loss.values[i]);
    }
    return sight && roofs ? RW_OK : rw_fail(context, RW_INTERNAL, "no receiver in sight, or none over roofs");
}

static rw_status time_map(rw_context *context, const rw_scene *scene, const rw_predict_options *options,
                          double *seconds)
{
    *seconds = INFINITY;
    for (int i = 0; i < 5; i++) {
        rw_map *map;
        rw_map_info info;
        RW_TRY(rw_predict(scene, options, &map));
        rw_status status = i == 0 ? check(context, map) : RW_OK;
        rw_map_get_info(map, &info);
        rw_map_destroy(map);
        RW_TRY(status);
        *seconds = fmin(*seconds, info.solve_s);
    }
    return RW_OK;
}

static rw_status bench_backend(const rw_bench *bench, rw_context *context)
{
    rw_scene *scene = NULL;
    const char *place;
    RW_TRY(rw_bench_city(bench, context, &scene, &place));
    int munich = strcmp(place, "Munich") == 0;
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = munich ? 1281.36 : 1205;
    transmitter.y_m = munich ? 1381.27 : 1705;
    transmitter.height_m = munich ? 13 : 40;
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    options.layers = "path_loss,mechanism";
    options.effects = "roofs,walls";
    double seconds;
    rw_status status = time_map(context, scene, &options, &seconds);
    char name[64];
    snprintf(name, sizeof name, "roofs and walls, one transmitter, %s", rw_context_backend(context));
    if (status == RW_OK)
        rw_bench_tell(bench, "shadow", name, seconds * 1e3, "ms", NAN, NAN, "paper, roofs alone: 3050 ms");
    rw_scene_destroy(scene);
    return status;
}

rw_status rw_bench_shadow(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, "shadow", "shadow"))
        return RW_OK;
    for (int backend = RW_BACKEND_CPU; backend <= (int)bench->context->backend; backend++) {
        rw_context_options options;
        rw_context_options_init(&options);
        options.backend = (rw_backend)backend;
        options.threads = bench->context->threads;
        rw_context *context;
        rw_status status = rw_context_create(&options, &context);
        if (status == RW_OK)
            status = bench_backend(bench, context);
        if (status != RW_OK)
            rw_fail(bench->context, status, "%s", rw_last_error(context));
        rw_context_destroy(context);
        RW_TRY(status);
    }
    return RW_OK;
}
