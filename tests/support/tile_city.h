/* A generated city with rough walls for tests of the tiles model, and its maps. */
#ifndef RW_TESTS_TILE_CITY_H
#define RW_TESTS_TILE_CITY_H

#include "prediction.h"

static inline rw_scene *make_city(rw_context *context, double side_m, double scattering)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = side_m;
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    rw_material rough = {.size = sizeof rough,
                         .name = "itu_concrete",
                         .a = 5.24,
                         .c = 0.0462,
                         .d = 0.7822,
                         .freq_max_hz = 1e12,
                         .scattering = scattering};
    assert_ok(context, rw_scene_add_material(scene, &rough));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static inline prediction begin_city(rw_backend backend, int threads, double side_m, double scattering)
{
    rw_context *context = make_context_of(backend, threads);
    if (!context)
        skip_test("no GPU");
    prediction now = begin_with(context, make_city(context, side_m, scattering));
    now.tx[0].x_m = now.tx[0].y_m = 0.5 * side_m;
    now.tx[0].height_m = 12;
    now.options.model = "tiles";
    now.options.roofs = "none"; /* its own rays */
    now.options.freq_hz = 2e9;
    now.options.sum = "power";
    now.options.layers = "path_loss,delay_spread,paths";
    now.options.loss_max_db = 200;
    return now;
}

static inline void end_city(prediction *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static inline rw_map *map_of(prediction *now)
{
    rw_map *map;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

#endif
