/* A prediction through the public header: its scene, transmitters and options, and looking into its map. */
#ifndef RW_TESTS_PREDICTION_H
#define RW_TESTS_PREDICTION_H

#include "shapes.h"

#define TX_X 250.0
#define TX_Y 250.0

typedef struct prediction {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx[2];
    rw_predict_options options;
} prediction;

static inline prediction begin_with(rw_context *context, rw_scene *scene)
{
    prediction now = {.context = context, .scene = scene};
    rw_predict_options_init(&now.options);
    now.options.freq_hz = 947e6;
    now.options.res_m = 5;
    now.options.rx_height_m = 1.5;
    for (int i = 0; i < 2; i++) {
        rw_transmitter_init(&now.tx[i]);
        now.tx[i].name = i ? "mast 2" : "mast 1";
    }
    now.options.transmitter_count = 1;
    return now;
}

/* A town on hills, transmitters far above its roofs. */
static inline prediction begin(rw_backend backend, int threads)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 500;
    city.hills = 1;
    rw_context *context = make_context_of(backend, threads);
    assert_non_null(context);
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = TX_X;
    now.tx[0].y_m = TX_Y;
    now.tx[0].height_m = 120;
    now.tx[1].x_m = 60;
    now.tx[1].y_m = 420;
    now.tx[1].height_m = 120;
    return now;
}

static inline void end(prediction *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static inline rw_map *predict(prediction *now)
{
    rw_map *map;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

static inline rw_map_layer layer_of(const rw_map *map, const char *name)
{
    rw_map_layer layer = {.size = sizeof layer};
    size_t index;
    if (rw_map_find_layer(map, name, &index) != RW_OK || rw_map_get_layer(map, index, &layer) != RW_OK)
        fail_msg("no layer %s\n", name);
    return layer;
}

static inline rw_map_info info_of(const rw_map *map)
{
    rw_map_info info = {.size = sizeof info};
    assert_int_equal(rw_map_get_info(map, &info), RW_OK);
    return info;
}

static inline float value_at(const rw_map *map, const char *name, double x, double y)
{
    rw_map_info info = info_of(map);
    size_t column = (size_t)((x - info.x0_m) / info.res_m), row = (size_t)((y - info.y0_m) / info.res_m);
    assert_true(column < info.columns && row < info.rows);
    return layer_of(map, name).values[row * info.columns + column];
}

#endif
