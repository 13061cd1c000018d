/* Small scenes with pegs, blocks and metal for tests of models that follow rays outdoors, and their paths. */
#ifndef RW_TESTS_RAY_CASES_H
#define RW_TESTS_RAY_CASES_H

#include "prediction.h"

#define FREQ_HZ 2e9
#define LIGHT_M_S 299792458.0
#define WAVELENGTH_M (LIGHT_M_S / FREQ_HZ)

static inline prediction begin_rt(rw_scene *scene, rw_context *context, double x_m, double y_m, double height_m)
{
    prediction now = begin_with(context, scene);
    now.options.model = "rt";
    now.options.freq_hz = FREQ_HZ;
    now.tx[0].x_m = x_m;
    now.tx[0].y_m = y_m;
    now.tx[0].height_m = height_m;
    return now;
}

static inline void end_rt(prediction *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static inline rw_paths *trace_to(prediction *now, double x_m, double y_m, double height_m)
{
    rw_point point = {.size = sizeof(rw_point), .x_m = x_m, .y_m = y_m, .height_m = height_m};
    rw_paths *paths;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    return paths;
}

/* The path whose interactions are these, in this order; and that there is one such path. */
static inline rw_path only_path(const rw_paths *paths, size_t count, const rw_interaction *interactions)
{
    rw_path found = {.size = sizeof found};
    size_t times = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        assert_int_equal(rw_paths_get(paths, i, &path), RW_OK);
        int same = path.vertex_count == count + 2;
        for (size_t j = 0; same && j < count; j++)
            same = path.vertices[j + 1].interaction == interactions[j];
        if (same)
            found = path;
        times += (size_t)same;
    }
    assert_int_equal(times, 1);
    return found;
}

static inline double gain_of(const rw_path *path)
{
    return hypot(path->gain_re, path->gain_im);
}

static inline void add_metal(rw_context *context, rw_scene *scene, double scattering)
{
    rw_material metal = {.size = sizeof metal,
                         .name = "metal",
                         .a = 1,
                         .freq_max_hz = 1e12,
                         .perfect_conductor = 1,
                         .scattering = scattering};
    assert_ok(context, rw_scene_add_material(scene, &metal));
}

static inline void add_block(rw_context *context, rw_scene *scene, const double box[4], double roof_m,
                             const char *surface)
{
    const double xy[] = {box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]};
    const size_t four = 4;
    rw_building building = {.size = sizeof building,
                            .xy = xy,
                            .ring_sizes = &four,
                            .ring_count = 1,
                            .ground_m = NAN,
                            .roof_height_m = roof_m,
                            .surface = surface};
    assert_ok(context, rw_scene_add_building(scene, &building));
}

/* Two pegs of 4 cm give a scene its extent. */
static inline void commit_between(rw_context *context, rw_scene *scene, double low_m, double high_m)
{
    add_block(context, scene, (double[]){low_m, low_m, low_m + 0.1, low_m + 0.1}, 0.04, NULL);
    add_block(context, scene, (double[]){high_m - 0.1, high_m - 0.1, high_m, high_m}, 0.04, NULL);
    assert_ok(context, rw_scene_commit(scene));
}

#endif
