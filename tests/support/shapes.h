/* Scenes made by hand, through the public header: a context, boxes, outlines, panels and box meshes. */
#ifndef RW_TESTS_SHAPES_H
#define RW_TESTS_SHAPES_H

#include "rasterwave/rasterwave.h"
#include "unit.h"

/* The same prediction by another model: what all models have stays, the rest is unset. */
static inline rw_predict_options asked_of(const rw_predict_options *asked, const char *model)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, model);
    options.transmitters = asked->transmitters;
    options.transmitter_count = asked->transmitter_count;
    options.freq_hz = asked->freq_hz;
    options.res_m = asked->res_m;
    options.rx_height_m = asked->rx_height_m;
    memcpy(options.area_m, asked->area_m, sizeof options.area_m);
    return options;
}

/* NULL where a GPU is asked for and none is here. */
static inline rw_context *make_context_of(rw_backend backend, int threads)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = backend;
    options.threads = threads;
    rw_context *context;
    if (rw_context_create(&options, &context) == RW_OK)
        return context;
    if (backend != RW_BACKEND_CUDA)
        fail_msg("no context: %s\n", rw_last_error(context));
    rw_context_destroy(context);
    return NULL;
}

static inline rw_context *make_context(void)
{
    return make_context_of(RW_BACKEND_CPU, 0);
}

static inline rw_scene *make_scene(rw_context *context)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    return scene;
}

/* A city of the generator, committed. */
static inline rw_scene *make_generated_city(rw_context *context, const char *style, double side_m, uint64_t seed,
                                            int hills)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.style = style;
    options.width_m = options.depth_m = side_m;
    options.seed = seed;
    options.hills = hills;
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* A call must have failed with this status, and its sentence must hold these words. */
static inline void check_sentence(rw_context *context, rw_status status, rw_status expected, const char *words)
{
    if (status != expected)
        fail_msg("status %d instead of %d: %s\n", status, expected, rw_last_error(context));
    if (!strstr(rw_last_error(context), words))
        fail_msg("'%s' is not in the sentence '%s'\n", words, rw_last_error(context));
}

/* One ring of count corners. */
static inline void add_outline(rw_context *context, rw_scene *scene, const double *xy, size_t count, double roof_m,
                               const char *source)
{
    rw_building building = {.size = sizeof building,
                            .xy = xy,
                            .ring_sizes = &count,
                            .ring_count = 1,
                            .ground_m = NAN,
                            .roof_height_m = roof_m,
                            .source = source};
    assert_ok(context, rw_scene_add_building(scene, &building));
}

static inline void add_box(rw_context *context, rw_scene *scene, const double box[4], double roof_m, const char *source)
{
    const double xy[] = {box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]};
    add_outline(context, scene, xy, 4, roof_m, source);
}

static inline void add_panel(rw_context *context, rw_scene *scene, double x0, double y0, double x1, double y1)
{
    rw_panel panel = {.size = sizeof panel, .x0_m = x0, .y0_m = y0, .x1_m = x1, .y1_m = y1, .bottom_m = 0, .top_m = 3};
    assert_ok(context, rw_scene_add_panel(scene, &panel));
}

/* A closed box of twelve triangles, as exporters of 3-D scenes write buildings. */
static inline void add_box_mesh(rw_context *context, rw_scene *scene, const double low[3], const double high[3])
{
    double xyz[24];
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 0; axis < 3; axis++)
            xyz[3 * corner + axis] = corner >> axis & 1 ? high[axis] : low[axis];
    static const uint32_t triangles[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "box",
                    .xyz = xyz,
                    .vertex_count = 8,
                    .triangles = triangles,
                    .triangle_count = 12};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
}

/* How often the committed scene notes this; the example goes to *example where one is asked for. */
static inline size_t note_count(const rw_scene *scene, const char *what, const char **example)
{
    rw_scene_info info = {.size = sizeof info};
    rw_scene_get_info(scene, &info);
    for (size_t i = 0; i < info.notes; i++) {
        rw_note note = {.size = sizeof note};
        if (rw_scene_get_note(scene, i, &note) == RW_OK && strcmp(note.what, what) == 0) {
            if (example)
                *example = note.example;
            return note.count;
        }
    }
    return 0;
}

#endif
