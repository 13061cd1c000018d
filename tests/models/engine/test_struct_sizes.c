/* labels: files */
/* Programs and libraries of other versions: every struct of the interface smaller than the library's and larger, as
 * options that come in, as results that go out, as defaults and in arrays. Nothing behind a caller's struct is read or
 * written. */
#include "calibrate/fitting/fitting.h"
#include "output/maps/map.h"
#include "temporary.h"

#include <rasterwave/calc.h>
#include <rasterwave/geometry.h>

#define ROOM 8192
#define CANARY 0xA5 /* as a pointer it crashes, as a double it is -1e-130: both would be noticed */
#define MORE 64     /* what a newer header has added */

static rw_context *context;
static rw_scene *scene;
static rw_map *map;
static rw_tile_map *tiles;
static rw_paths *paths;
static rw_params *params;
static rw_database *database;
static rw_stored_file *kept;
static rw_measurements *measurements;
static rw_evaluation *evaluation;
static rw_calibration calibration;
static rw_transmitter sites[2];
static rw_point points[2];
static rw_predict_options prediction;
static char database_path[2048], table_path[2048], mesh_path[2048];

/* ---------------------------------------------------------------------------------------------------- the fixture */

static void make_city(void)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 120;
    city.hills = 1;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_note(scene, "a finding", "an example"));
    assert_ok(context, rw_scene_commit(scene));
}

static void make_prediction(void)
{
    rw_predict_options_init(&prediction);
    for (int i = 0; i < 2; i++) {
        rw_transmitter_init(&sites[i]);
        sites[i].name = i ? "a mast" : "another";
        sites[i].x_m = 40 + 30 * i;
        sites[i].y_m = 60;
        sites[i].height_m = 150;
        points[i] = (rw_point){.size = sizeof(rw_point), .x_m = 5 + 100 * i, .y_m = 5, .height_m = 60};
    }
    prediction.transmitters = sites;
    prediction.transmitter_count = 2;
    prediction.res_m = 10;
    prediction.layers = "path_loss,power";
}

static void make_results(void)
{
    float *values;
    rw_predict_options on_tiles = prediction;
    assert_ok(context, rw_predict(scene, &prediction, &map));
    assert_ok(context, rw_map_add_histogram(map, 2, 4, 0, 1e-7, &values));
    on_tiles.model = "tiles";
    on_tiles.layers = "power";
    on_tiles.depth = 1;
    assert_ok(context, rw_predict_tiles(scene, &on_tiles, &tiles));
    assert_ok(context, rw_trace(scene, &prediction, points, 2, &paths));
    assert_ok(context, rw_params_create(context, "shadow", 1e9, &params));
    assert_ok(context, rw_preprocess(scene, NULL, database_path));
    assert_ok(context, rw_database_load(scene, database_path, &database));
    assert_ok(context, rw_stored_file_open(context, database_path, &kept));
}

static void make_measurements(void)
{
    char text[512];
    snprintf(text, sizeof text, "x,y,path_loss\n");
    for (int i = 0; i < 12; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,%d,%d\n", 5 + 10 * i, 5 + 9 * i, 90 + i);
    snprintf(table_path, sizeof table_path, "%s", write_text("table.csv", text));
    assert_ok(context, rw_measurements_load(context, table_path, NULL, &measurements));
    assert_ok(context, rw_evaluate_map(map, 0, measurements, NULL, &evaluation));
    calibration = (rw_calibration){.context = context, .params = params, .info = {.points = 7, .parameters = 3}};
}

static int set_up(void **state)
{
    (void)state;
    context = make_context_of(RW_BACKEND_CPU, 2);
    snprintf(database_path, sizeof database_path, "%s", temporary_path("scene.rwdb"));
    snprintf(mesh_path, sizeof mesh_path, "%s", write_text("mesh.obj", "v 0 0 0\nv 9 0 0\nv 0 9 5\nf 1 2 3\n"));
    make_city();
    make_prediction();
    make_results();
    make_measurements();
    return 0;
}

static void tear_down(void)
{
    rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(measurements);
    rw_stored_file_close(kept);
    rw_database_destroy(database);
    rw_params_destroy(params);
    rw_paths_destroy(paths);
    rw_tile_map_destroy(tiles);
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* ------------------------------------------------------------------------------------------------------- results */

#define RESULT(name, call)                                                                                             \
    static rw_status give_##name(void *out)                                                                            \
    {                                                                                                                  \
        return call;                                                                                                   \
    }
RESULT(scene_info, rw_scene_get_info(scene, out))
RESULT(scene_geometry, rw_scene_get_geometry(scene, out))
RESULT(scene_part, rw_scene_get_part(scene, 1, out))
RESULT(note, rw_scene_get_note(scene, 0, out))
RESULT(parameter, rw_params_get(params, 1, out))
RESULT(record, rw_params_get_record(params, out))
RESULT(estimate, rw_predict_estimate(scene, &prediction, out))
RESULT(preprocess_estimate, rw_preprocess_get_estimate(scene, NULL, out))
RESULT(database_info, rw_database_get_info(database, out))
RESULT(database_file_info, rw_database_read_info(context, database_path, out))
RESULT(kept_file_info, rw_stored_file_get_info(kept, out))
RESULT(kept_section, rw_stored_file_get_section(kept, 0, out))
RESULT(map_info, rw_map_get_info(map, out))
RESULT(map_layer, rw_map_get_layer(map, 1, out))
RESULT(transmitter, rw_map_get_transmitter(map, 1, out))
RESULT(histogram, rw_map_get_histogram(map, out))
RESULT(coverage, rw_map_coverage(map, RW_ALL_BANDS, -90, out))
RESULT(map_difference, rw_map_compare(map, map, NULL, out, NULL))
RESULT(point, rw_paths_get_point(paths, 1, out, &(int){0}))
RESULT(path, rw_paths_get(paths, 0, out))
RESULT(vertex, rw_paths_get_vertex(paths, 0, 1, out))
RESULT(tile, rw_tile_map_get_tile(tiles, 3, out))
RESULT(measurements_info, rw_measurements_get_info(measurements, out))
RESULT(measurement, rw_measurements_get(measurements, 2, out))
RESULT(evaluation_info, rw_evaluation_get_info(evaluation, out))
RESULT(evaluation_point, rw_evaluation_get_point(evaluation, 1, out))
RESULT(calibration_info, rw_calibration_get_info(&calibration, out))
RESULT(calibrated_parameter, rw_calibration_get_parameter(&calibration, 2, out))
RESULT(free_space, rw_calc_free_space(context, 100, 1e9, out))
RESULT(material, rw_calc_material(context, "itu_glass", 1e9, out))
RESULT(knife_edge, rw_calc_knife_edge(context, 0.5, out))

static rw_status give_slab(void *out)
{
    const rw_layer glass = {sizeof glass, "itu_glass", 0.006};
    rw_slab_options options;
    rw_slab_options_init(&options);
    options.layers = &glass;
    options.layer_count = 1;
    options.freq_hz = 1e9;
    return rw_calc_slab(context, &options, out);
}

static rw_status give_wedge(void *out)
{
    rw_wedge_options options;
    rw_wedge_options_init(&options);
    options.freq_hz = 1e9;
    options.source_m = options.observer_m = 10;
    options.source_angle_deg = 30;
    options.observer_angle_deg = 240;
    return rw_calc_wedge(context, &options, out);
}

static rw_status give_two_ray(void *out)
{
    rw_two_ray_options options;
    rw_two_ray_options_init(&options);
    options.freq_hz = 1e9;
    options.first_height_m = options.second_height_m = 10;
    options.distance_m = 100;
    return rw_calc_two_ray(context, &options, out);
}

static rw_status give_site_general(void *out)
{
    rw_site_general_options options;
    rw_site_general_options_init(&options);
    options.freq_hz = 1e9;
    options.base_height_m = 20;
    options.distance_m = 500;
    return rw_calc_site_general(context, &options, out);
}

static rw_status give_scatter(void *out)
{
    rw_scatter_options options;
    rw_scatter_options_init(&options);
    return rw_calc_scatter(context, &options, out);
}

static rw_status give_antenna(void *out)
{
    rw_antenna_options options;
    rw_antenna_options_init(&options);
    return rw_calc_antenna(context, &options, out);
}

#define GIVEN(type, name)                                                                                              \
    {                                                                                                                  \
#type " by " #name, sizeof(type), give_##name                                                                  \
    }
static const struct result_row {
    const char *name;
    size_t size;
    rw_status (*give)(void *out);
} results[] = {GIVEN(rw_scene_info, scene_info),
               GIVEN(rw_scene_geometry, scene_geometry),
               GIVEN(rw_scene_part, scene_part),
               GIVEN(rw_note, note),
               GIVEN(rw_parameter, parameter),
               GIVEN(rw_params_record, record),
               GIVEN(rw_estimate, estimate),
               GIVEN(rw_preprocess_estimate, preprocess_estimate),
               GIVEN(rw_database_info, database_info),
               GIVEN(rw_database_info, database_file_info),
               GIVEN(rw_stored_file_info, kept_file_info),
               GIVEN(rw_stored_section, kept_section),
               GIVEN(rw_map_info, map_info),
               GIVEN(rw_map_layer, map_layer),
               GIVEN(rw_transmitter, transmitter),
               GIVEN(rw_map_histogram, histogram),
               GIVEN(rw_coverage, coverage),
               GIVEN(rw_map_difference, map_difference),
               GIVEN(rw_point, point),
               GIVEN(rw_path, path),
               GIVEN(rw_path_vertex, vertex),
               GIVEN(rw_tile_info, tile),
               GIVEN(rw_measurements_info, measurements_info),
               GIVEN(rw_measurement, measurement),
               GIVEN(rw_evaluation_info, evaluation_info),
               GIVEN(rw_evaluation_point, evaluation_point),
               GIVEN(rw_calibration_info, calibration_info),
               GIVEN(rw_calibrated_parameter, calibrated_parameter),
               GIVEN(rw_free_space_result, free_space),
               GIVEN(rw_material_result, material),
               GIVEN(rw_slab_result, slab),
               GIVEN(rw_knife_edge_result, knife_edge),
               GIVEN(rw_wedge_result, wedge),
               GIVEN(rw_two_ray_result, two_ray),
               GIVEN(rw_site_general_result, site_general),
               GIVEN(rw_scatter_result, scatter),
               GIVEN(rw_antenna_result, antenna)};

static void prepare(unsigned char *room, size_t size)
{
    memset(room, CANARY, ROOM);
    memcpy(room, &size, sizeof size);
}

/* The size is as it was, what both know is that of the whole struct, the rest of the caller's is zero, and behind it
 * everything is as it was. */
static void check_given(const char *name, const unsigned char *room, const unsigned char *whole, size_t size,
                        size_t user_size)
{
    size_t kept_size;
    memcpy(&kept_size, room, sizeof kept_size);
    if (kept_size != user_size)
        fail_msg("%s of %zu bytes: its size has become %zu\n", name, user_size, kept_size);
    for (size_t i = sizeof kept_size; i < ROOM; i++) {
        unsigned char expected = i >= user_size ? CANARY : i < size ? whole[i] : 0;
        if (room[i] != expected)
            fail_msg("%s of %zu bytes: byte %zu is %#x in place of %#x\n", name, user_size, i, room[i], expected);
    }
}

static void results_fit_the_caller(void **state)
{
    (void)state;
    static unsigned char whole[ROOM], room[ROOM];
    for (size_t row = 0; row < sizeof results / sizeof *results; row++) {
        const struct result_row *at = &results[row];
        prepare(whole, at->size);
        if (at->give(whole) != RW_OK)
            fail_msg("%s: %s\n", at->name, rw_last_error(context));
        for (size_t size = sizeof size; size <= at->size + MORE; size += 8) {
            prepare(room, size);
            if (at->give(room) != RW_OK)
                fail_msg("%s of %zu bytes: %s\n", at->name, size, rw_last_error(context));
            check_given(at->name, room, whole, at->size, size);
        }
    }
}

static void results_without_a_size_are_refused(void **state)
{
    (void)state;
    static unsigned char room[ROOM], before[ROOM];
    static const size_t sizes[] = {0, 1, 7, (size_t)1 << 20, (size_t)-1};
    for (size_t row = 0; row < sizeof results / sizeof *results; row++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            prepare(room, sizes[i]);
            prepare(before, sizes[i]);
            rw_status status = results[row].give(room);
            if (status != RW_BAD_CALL || !strstr(rw_last_error(context), "size"))
                fail_msg("%s of %zu bytes is not refused: %s\n", results[row].name, sizes[i], rw_last_error(context));
            assert_memory_equal(room, before, ROOM);
        }
}

/* ------------------------------------------------------------------------------------------------------- defaults */

#define INIT(type)                                                                                                     \
    static void init_##type(void *out, size_t size)                                                                    \
    {                                                                                                                  \
        type##_init_sized(out, size);                                                                                  \
    }
INIT(rw_context_options)
INIT(rw_load_options)
INIT(rw_city_options)
INIT(rw_office_options)
INIT(rw_terrain_options)
INIT(rw_transmitter)
INIT(rw_predict_options)
INIT(rw_preprocess_options)
INIT(rw_channel_options)
INIT(rw_map_draw_options)
INIT(rw_map_compare_options)
INIT(rw_tile_write_options)
INIT(rw_measurements_options)
INIT(rw_evaluate_options)
INIT(rw_calibrate_options)
INIT(rw_slab_options)
INIT(rw_knife_edge_options)
INIT(rw_wedge_options)
INIT(rw_two_ray_options)
INIT(rw_site_general_options)
INIT(rw_scatter_options)
INIT(rw_antenna_options)

static void init_for_images(void *out, size_t size)
{
    rw_predict_options_init_for_sized(out, "images", size);
}

#define FILLED(type)                                                                                                   \
    {                                                                                                                  \
#type, sizeof(type), init_##type                                                                               \
    }

static void defaults_fit_the_caller(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t size;
        void (*init)(void *out, size_t size);
    } rows[] = {FILLED(rw_context_options),
                FILLED(rw_load_options),
                FILLED(rw_city_options),
                FILLED(rw_office_options),
                FILLED(rw_terrain_options),
                FILLED(rw_transmitter),
                FILLED(rw_predict_options),
                FILLED(rw_preprocess_options),
                FILLED(rw_channel_options),
                FILLED(rw_map_draw_options),
                FILLED(rw_map_compare_options),
                FILLED(rw_tile_write_options),
                FILLED(rw_measurements_options),
                FILLED(rw_evaluate_options),
                FILLED(rw_calibrate_options),
                FILLED(rw_slab_options),
                FILLED(rw_knife_edge_options),
                FILLED(rw_wedge_options),
                FILLED(rw_two_ray_options),
                FILLED(rw_site_general_options),
                FILLED(rw_scatter_options),
                FILLED(rw_antenna_options),
                {"rw_predict_options for images", sizeof(rw_predict_options), init_for_images}};
    static unsigned char whole[ROOM], room[ROOM];
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        memset(whole, CANARY, ROOM);
        rows[row].init(whole, rows[row].size);
        for (size_t size = sizeof size; size <= rows[row].size + MORE; size += 8) {
            memset(room, CANARY, ROOM);
            rows[row].init(room, size);
            check_given(rows[row].name, room, whole, rows[row].size, size);
        }
        memset(room, CANARY, ROOM);
        rows[row].init(room, 0);
        for (size_t i = 0; i < ROOM; i++)
            assert_int_equal(room[i], CANARY);
    }
}

/* -------------------------------------------------------------------------------------------------------- options */

/* A struct that the call takes; least: the bytes that it cannot do without. */
typedef struct taken_row {
    const char *name;
    const void *whole;
    size_t size, least;
    rw_status (*take)(const void *given);
} taken_row;

static rw_status take_context(const void *given)
{
    rw_context *made;
    rw_status status = rw_context_create(given, &made);
    rw_context_destroy(made);
    return status;
}

static rw_status take_compare(const void *given)
{
    rw_map_difference difference = {.size = sizeof difference};
    return rw_map_compare(map, map, given, &difference, NULL);
}

static rw_status take_load(const void *given)
{
    rw_scene *made;
    rw_status status = rw_scene_load(context, mesh_path, given, &made);
    rw_scene_destroy(made);
    return status;
}

#define SCENE_BY(name, call)                                                                                           \
    static rw_status take_##name(const void *given)                                                                    \
    {                                                                                                                  \
        rw_scene *made;                                                                                                \
        rw_status status = call;                                                                                       \
        rw_scene_destroy(made);                                                                                        \
        return status;                                                                                                 \
    }
SCENE_BY(city, rw_generate_city(context, given, &made))
SCENE_BY(office, rw_generate_office(context, given, &made))
SCENE_BY(terrain, rw_generate_terrain(context, given, &made))

#define ADDED_BY(name, call)                                                                                           \
    static rw_status take_##name(const void *given)                                                                    \
    {                                                                                                                  \
        rw_scene *into = make_scene(context);                                                                          \
        rw_status status = call;                                                                                       \
        rw_scene_destroy(into);                                                                                        \
        return status;                                                                                                 \
    }
ADDED_BY(material, rw_scene_add_material(into, given))
ADDED_BY(slab, rw_scene_add_slab(into, given))
ADDED_BY(building, rw_scene_add_building(into, given))
ADDED_BY(panel, rw_scene_add_panel(into, given))
ADDED_BY(mesh, rw_scene_add_mesh(into, given))
ADDED_BY(raster, rw_scene_set_terrain(into, given))

#define TAKEN_BY(name, call)                                                                                           \
    static rw_status take_##name(const void *given)                                                                    \
    {                                                                                                                  \
        return call;                                                                                                   \
    }
TAKEN_BY(predict, rw_predict_estimate(scene, given, &(rw_estimate){.size = sizeof(rw_estimate)}))
TAKEN_BY(preprocess,
         rw_preprocess_get_estimate(scene, given, &(rw_preprocess_estimate){.size = sizeof(rw_preprocess_estimate)}))
TAKEN_BY(channel, rw_paths_write_channel(paths, given, temporary_path("channel.h5")))
TAKEN_BY(draw, rw_map_draw(map, given, temporary_path("map.png")))
TAKEN_BY(tile_write, rw_tile_map_write(tiles, temporary_path("tiles.ply"), given))
TAKEN_BY(calc_slab, rw_calc_slab(context, given, &(rw_slab_result){.size = sizeof(rw_slab_result)}))
TAKEN_BY(nu, rw_calc_knife_edge_nu(context, given, &(double){0}))
TAKEN_BY(wedge, rw_calc_wedge(context, given, &(rw_wedge_result){.size = sizeof(rw_wedge_result)}))
TAKEN_BY(two_ray, rw_calc_two_ray(context, given, &(rw_two_ray_result){.size = sizeof(rw_two_ray_result)}))
TAKEN_BY(site_general,
         rw_calc_site_general(context, given, &(rw_site_general_result){.size = sizeof(rw_site_general_result)}))
TAKEN_BY(scatter, rw_calc_scatter(context, given, &(rw_scatter_result){.size = sizeof(rw_scatter_result)}))
TAKEN_BY(antenna, rw_calc_antenna(context, given, &(rw_antenna_result){.size = sizeof(rw_antenna_result)}))

static rw_status take_measurements(const void *given)
{
    rw_measurements *made;
    rw_status status = rw_measurements_load(context, table_path, given, &made);
    rw_measurements_destroy(made);
    return status;
}

static rw_status take_evaluate(const void *given)
{
    rw_evaluation *made;
    rw_status status = rw_evaluate_map(map, 0, measurements, given, &made);
    rw_evaluation_destroy(made);
    return status;
}

static rw_status take_calibrate(const void *given)
{
    rw_calibration *made;
    rw_status status = rw_calibrate(scene, &prediction, measurements, given, &made);
    rw_calibration_destroy(made);
    return status;
}

/* As the caller's transmitter of an evaluation. */
static rw_status take_transmitter(const void *given)
{
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    options.transmitter = given;
    return take_evaluate(&options);
}

/* The same answer, whatever stands behind the caller's struct. */
static void check_taken(const taken_row *row)
{
    static unsigned char room[ROOM];
    char sentence[RW_MESSAGE_MAX];
    rw_status expected = row->take(row->whole);
    snprintf(sentence, sizeof sentence, "%s", rw_last_error(context));
    for (size_t size = row->least; size <= row->size + MORE; size += 8) {
        prepare(room, size);
        memcpy(room, row->whole, size < row->size ? size : row->size);
        memcpy(room, &size, sizeof size);
        rw_status status = row->take(room);
        if (status != expected || (status != RW_OK && strcmp(rw_last_error(context), sentence) != 0))
            fail_msg("%s of %zu bytes: %s\n", row->name, size, rw_last_error(context));
    }
    for (size_t size = 0; size < 8; size++) {
        prepare(room, size);
        if (row->take(room) != RW_BAD_CALL)
            fail_msg("%s of %zu bytes is not refused\n", row->name, size);
    }
}

#define UP_TO(type, member) ((offsetof(type, member) + sizeof(((type *)NULL)->member) + 7) / 8 * 8)
#define TAKEN(type, object, last, take)                                                                                \
    {                                                                                                                  \
#type, &(object), sizeof(type), UP_TO(type, last), take                                                        \
    }

static void options_fit_the_library(void **state)
{
    (void)state;
    rw_context_options of_context;
    rw_load_options load;
    rw_city_options city;
    rw_office_options office;
    rw_terrain_options terrain;
    rw_preprocess_options preprocess;
    rw_channel_options channel;
    rw_map_draw_options draw;
    rw_map_compare_options compare;
    rw_tile_write_options tile_write;
    rw_measurements_options of_measurements;
    rw_evaluate_options evaluate;
    rw_calibrate_options calibrate;
    rw_context_options_init(&of_context);
    of_context.backend = RW_BACKEND_CPU;
    rw_load_options_init(&load);
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 120;
    rw_office_options_init(&office);
    rw_terrain_options_init(&terrain);
    terrain.width_m = terrain.depth_m = 200;
    rw_preprocess_options_init(&preprocess);
    rw_channel_options_init(&channel);
    rw_map_draw_options_init(&draw);
    rw_map_compare_options_init(&compare);
    rw_tile_write_options_init(&tile_write);
    rw_measurements_options_init(&of_measurements);
    rw_evaluate_options_init(&evaluate);
    rw_calibrate_options_init(&calibrate);
    calibrate.fit = "nothing that a model has"; /* refused before the work, with a sentence that tells */
    const taken_row rows[] = {TAKEN(rw_context_options, of_context, backend, take_context),
                              TAKEN(rw_load_options, load, size, take_load),
                              TAKEN(rw_city_options, city, depth_m, take_city),
                              TAKEN(rw_office_options, office, size, take_office),
                              TAKEN(rw_terrain_options, terrain, depth_m, take_terrain),
                              TAKEN(rw_predict_options, prediction, transmitter_count, take_predict),
                              TAKEN(rw_preprocess_options, preprocess, size, take_preprocess),
                              TAKEN(rw_channel_options, channel, size, take_channel),
                              TAKEN(rw_map_draw_options, draw, size, take_draw),
                              TAKEN(rw_map_compare_options, compare, size, take_compare),
                              TAKEN(rw_tile_write_options, tile_write, size, take_tile_write),
                              TAKEN(rw_measurements_options, of_measurements, size, take_measurements),
                              TAKEN(rw_evaluate_options, evaluate, size, take_evaluate),
                              TAKEN(rw_calibrate_options, calibrate, fit, take_calibrate),
                              TAKEN(rw_transmitter, sites[0], y_m, take_transmitter)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_taken(&rows[i]);
}

static void calc_options_fit_the_library(void **state)
{
    (void)state;
    const rw_layer glass = {sizeof glass, "itu_glass", 0.006};
    rw_slab_options slab;
    rw_knife_edge_options nu;
    rw_wedge_options wedge;
    rw_two_ray_options two_ray;
    rw_site_general_options site_general;
    rw_scatter_options scatter;
    rw_antenna_options antenna;
    rw_slab_options_init(&slab);
    slab.layers = &glass;
    slab.layer_count = 1;
    slab.freq_hz = 1e9;
    rw_knife_edge_options_init(&nu);
    nu.freq_hz = 1e9;
    nu.distance_before_m = nu.distance_after_m = 100;
    rw_wedge_options_init(&wedge);
    wedge.freq_hz = 1e9;
    wedge.source_m = wedge.observer_m = 10;
    wedge.source_angle_deg = 30;
    wedge.observer_angle_deg = 240;
    rw_two_ray_options_init(&two_ray);
    two_ray.freq_hz = 1e9;
    two_ray.first_height_m = two_ray.second_height_m = 10;
    two_ray.distance_m = 100;
    rw_site_general_options_init(&site_general);
    site_general.freq_hz = 1e9;
    site_general.base_height_m = 20;
    site_general.distance_m = 500;
    rw_scatter_options_init(&scatter);
    rw_antenna_options_init(&antenna);
    const taken_row rows[] = {TAKEN(rw_slab_options, slab, freq_hz, take_calc_slab),
                              TAKEN(rw_knife_edge_options, nu, distance_after_m, take_nu),
                              TAKEN(rw_wedge_options, wedge, observer_angle_deg, take_wedge),
                              TAKEN(rw_two_ray_options, two_ray, distance_m, take_two_ray),
                              TAKEN(rw_site_general_options, site_general, base_height_m, take_site_general),
                              TAKEN(rw_scatter_options, scatter, size, take_scatter),
                              TAKEN(rw_antenna_options, antenna, size, take_antenna)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_taken(&rows[i]);
}

static void parts_of_a_scene_fit_the_library(void **state)
{
    (void)state;
    static const double xy[] = {0, 0, 10, 0, 10, 10}, xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corners[] = {0, 1, 2};
    static const size_t three = 3;
    static float heights[] = {1, 2, 3, 4};
    const rw_layer glass = {sizeof glass, "itu_glass", 0.006};
    const rw_material material = {.size = sizeof material, .name = "moss", .a = 4, .c = 0.1, .freq_max_hz = INFINITY};
    const rw_slab slab = {sizeof slab, "pane", &glass, 1};
    const rw_building building = {.size = sizeof building,
                                  .xy = xy,
                                  .ring_sizes = &three,
                                  .ring_count = 1,
                                  .roof_height_m = 5,
                                  .surface = "itu_brick"};
    const rw_panel panel = {.size = sizeof panel, .x1_m = 5, .top_m = 3, .surface = "itu_brick"};
    const rw_mesh mesh = {
        .size = sizeof mesh, .xyz = xyz, .vertex_count = 3, .triangles = corners, .triangle_count = 1};
    const rw_raster raster = {sizeof raster, 2, 2, 0, 0, 10, 10, heights};
    const taken_row rows[] = {TAKEN(rw_material, material, d, take_material),
                              TAKEN(rw_slab, slab, layer_count, take_slab),
                              TAKEN(rw_building, building, roof_height_m, take_building),
                              TAKEN(rw_panel, panel, top_m, take_panel),
                              TAKEN(rw_mesh, mesh, triangle_count, take_mesh),
                              TAKEN(rw_raster, raster, values, take_raster)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_taken(&rows[i]);
}

/* --------------------------------------------------------------------------------------------------------- arrays */

/* Copies count structs into steps of stride bytes; what there is more of is rubbish. */
static void spread(const void *whole, size_t size, size_t count, size_t stride, unsigned char *room)
{
    memset(room, CANARY, ROOM);
    for (size_t i = 0; i < count; i++) {
        memcpy(room + i * stride, (const char *)whole + i * size, stride < size ? stride : size);
        memcpy(room + i * stride, &stride, sizeof stride);
    }
}

static void arrays_have_the_step_of_their_structs(void **state)
{
    (void)state;
    static unsigned char room[ROOM];
    const rw_layer layers[3] = {{sizeof *layers, "itu_glass", 0.004},
                                {sizeof *layers, "itu_wood", 0.016},
                                {sizeof *layers, "itu_glass", 0.004}};
    rw_slab_options slab;
    rw_slab_options_init(&slab);
    slab.freq_hz = 1e9;
    slab.layer_count = 3;
    slab.layers = layers;
    rw_slab_result expected = {.size = sizeof expected}, result = {.size = sizeof result};
    assert_ok(context, rw_calc_slab(context, &slab, &expected));
    spread(layers, sizeof *layers, 3, sizeof *layers + 40, room);
    slab.layers = (const rw_layer *)(const void *)room;
    assert_ok(context, rw_calc_slab(context, &slab, &result));
    assert_memory_equal(&result, &expected, sizeof result);

    /* Of points x and y: heights of the prediction. Of transmitters all but the antenna, which is isotropic. */
    const struct {
        const void *whole;
        size_t size, stride;
    } arrays[] = {{points, sizeof *points, offsetof(rw_point, height_m)},
                  {points, sizeof *points, sizeof *points + 8},
                  {sites, sizeof *sites, offsetof(rw_transmitter, antenna)},
                  {sites, sizeof *sites, sizeof *sites + 48}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        rw_predict_options options = prediction;
        rw_paths *found;
        int of_points = arrays[i].whole == points;
        spread(arrays[i].whole, arrays[i].size, 2, arrays[i].stride, room);
        if (!of_points)
            options.transmitters = (const rw_transmitter *)(const void *)room;
        options.rx_height_m = 60;
        assert_ok(context,
                  rw_trace(scene, &options, of_points ? (const rw_point *)(const void *)room : points, 2, &found));
        assert_int_equal(rw_paths_count(found), rw_paths_count(paths));
        for (size_t k = 0; k < rw_paths_count(paths); k++) {
            rw_path a = {.size = sizeof a}, b = {.size = sizeof b};
            assert_ok(context, rw_paths_get(paths, k, &a));
            assert_ok(context, rw_paths_get(found, k, &b));
            assert_near(b.loss_db, a.loss_db, 0);
        }
        rw_paths_destroy(found);
    }
    rw_transmitter unequal[2] = {sites[0], sites[1]};
    unequal[1].size -= 8;
    rw_predict_options options = prediction;
    options.transmitters = unequal;
    rw_map *none;
    check_sentence(context, rw_predict(scene, &options, &none), RW_BAD_CALL, "sizes");
}

/* Sites come in steps of the caller's size, and names have any length. */
static void sites_have_the_callers_step(void **state)
{
    (void)state;
    static char text[4096];
    size_t count;
    snprintf(text, sizeof text, "name,x,y,height\n%0*d,1,2,3\nshort,4,5,6\n", 700, 7);
    const char *path = write_text("sites.csv", text);
    for (size_t size = UP_TO(rw_transmitter, height_m); size <= sizeof(rw_transmitter) + MORE; size += 8) {
        rw_transmitter *read;
        assert_ok(context, rw_sites_load_sized(context, path, size, &read, &count));
        assert_int_equal(count, 2);
        const rw_transmitter *second = (const rw_transmitter *)(const void *)((const char *)read + size);
        assert_int_equal(read->size, size);
        assert_int_equal(second->size, size);
        assert_int_equal(strlen(read->name), 700);
        assert_string_equal(second->name, "short");
        assert_near(second->height_m, 6, 0);
        if (size >= sizeof(rw_transmitter))
            assert_string_equal(second->antenna, "isotropic");
        rw_free(read);
    }
    rw_transmitter *none;
    check_sentence(context, rw_sites_load_sized(context, path, 0, &none, &count), RW_BAD_CALL, "size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_fit_the_caller),
                                       cmocka_unit_test(results_without_a_size_are_refused),
                                       cmocka_unit_test(defaults_fit_the_caller),
                                       cmocka_unit_test(options_fit_the_library),
                                       cmocka_unit_test(calc_options_fit_the_library),
                                       cmocka_unit_test(parts_of_a_scene_fit_the_library),
                                       cmocka_unit_test(arrays_have_the_step_of_their_structs),
                                       cmocka_unit_test(sites_have_the_callers_step)};
    set_up(NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tear_down();
    return failed;
}
