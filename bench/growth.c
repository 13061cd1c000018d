/* Cost over the size of the city: complete predictions of one transmitter at 10 m on generated cities of 7 to 448 km2,
 * the mean over several transmitters. A cost that grows no faster than the area is the same for each square kilometre.
 */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

static const char group[] = "growth";

static rw_status generate_square_city(rw_context *context, double side_m, rw_scene **scene)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = side_m;
    RW_TRY(rw_generate_city(context, &city, scene));
    return rw_scene_commit(*scene);
}

/* Transmitters at the same shares of the side in every city, since one alone may stand in a yard or on a long street.
 */
enum { TRANSMITTERS = 8 };

/* Predicts once from the place or, where that is inside a building, a little further on, and then takes the time. */
static rw_status predict_at(const rw_scene *scene, rw_predict_options *options, rw_transmitter *transmitter,
                            double *seconds)
{
    rw_map *map = NULL;
    rw_map_info info = {.size = sizeof info};
    rw_status status = RW_BAD_CALL;
    *seconds = INFINITY;
    for (int i = 0; i < 200 && status != RW_OK; i++) {
        transmitter->x_m += 4.0;
        status = rw_predict(scene, options, &map);
    }
    for (int i = 0; i < 3 && status == RW_OK; i++) {
        rw_map_destroy(map);
        status = rw_predict(scene, options, &map);
        if (status == RW_OK && rw_map_get_info(map, &info) == RW_OK)
            *seconds = fmin(*seconds, info.prepare_s + info.solve_s);
    }
    rw_map_destroy(map);
    return status;
}

/* Mean over the transmitters. */
static rw_status predict_growth_maps(const rw_scene *scene, double side_m, double *seconds)
{
    rw_transmitter transmitter;
    rw_predict_options options;
    rw_transmitter_init(&transmitter);
    rw_predict_options_init(&options);
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    options.res_m = 10;
    options.layers = "path_loss";
    options.effects = "streets_polynomial,roofs_counted,walls";
    transmitter.height_m = 13;
    *seconds = 0;
    for (int i = 0; i < TRANSMITTERS; i++) {
        double one_s, angle = 2.4 * i; /* golden angle: all directions, all distances from the middle */
        double from_middle = 0.4 * sqrt((i + 0.5) / TRANSMITTERS);
        transmitter.x_m = side_m * (0.5 + from_middle * cos(angle));
        transmitter.y_m = side_m * (0.5 + from_middle * sin(angle));
        RW_TRY(predict_at(scene, &options, &transmitter, &one_s));
        *seconds += one_s / TRANSMITTERS;
    }
    return RW_OK;
}

static rw_status bench_growth_on_backend(const rw_bench *bench, rw_context *context)
{
    static const double areas_km2[] = {7, 28, 112, 448};
    double first = NAN;
    for (size_t i = 0; i < sizeof areas_km2 / sizeof *areas_km2; i++) {
        double side_m = 1e3 * sqrt(areas_km2[i]), seconds;
        rw_scene *scene = NULL;
        rw_status status = generate_square_city(context, side_m, &scene);
        if (status == RW_OK)
            status = predict_growth_maps(scene, side_m, &seconds);
        rw_scene_destroy(scene);
        RW_TRY(status);
        double each_ms = 1e3 * seconds / areas_km2[i];
        first = i ? first : each_ms;
        char name[64], note[160];
        snprintf(name, sizeof name, "%.0f km2, %s", areas_km2[i], rw_context_backend(context));
        snprintf(note, sizeof note, "%.3g s a transmitter; %.2f times the first", seconds, each_ms / first);
        const rw_bench point = rw_bench_on_curve(bench, rw_context_backend(context), areas_km2[i], "area (km2)");
        rw_bench_add_result(&point, group, name, each_ms, "ms/km2", NAN, NAN, note);
    }
    return RW_OK;
}

rw_status rw_bench_growth(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, group, group))
        return RW_OK;
    return rw_bench_each_backend(bench, bench_growth_on_backend);
}
