/* labels: files */
#define _GNU_SOURCE
/* Options that are NULL are defaults in every public call: none crashes, and each returns a status. A call of the
 * headers that is missing here fails the test. */
#include "prediction.h"
#include "temporary.h"

#include <rasterwave/calc.h>
#include <rasterwave/calibrate.h>
#include <rasterwave/device_maps.h>
#include <rasterwave/geometry.h>
#include <rasterwave/gradients.h>
#include <rasterwave/network.h>
#include <rasterwave/plan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char called[16384];

/* RESULT is what a call returns; its name is noted. */
#define CALL(name, ...)                                                                                                \
    do {                                                                                                               \
        rw_status result_ = name(__VA_ARGS__);                                                                         \
        strcat(strcat(called, #name), ",");                                                                            \
        assert_int_not_equal(result_, RW_INTERNAL);                                                                    \
    } while (0)
#define RESULT(type, name) type name = {.size = sizeof name}

static void calc_calls(rw_context *context)
{
    RESULT(rw_slab_result, slab);
    RESULT(rw_air_result, air);
    RESULT(rw_terrain_loss_result, terrain);
    RESULT(rw_wedge_result, wedge);
    RESULT(rw_two_ray_result, two_ray);
    RESULT(rw_site_general_result, site);
    RESULT(rw_scatter_result, scatter);
    RESULT(rw_antenna_result, antenna);
    double nu = 0;
    CALL(rw_calc_slab, context, NULL, &slab);
    CALL(rw_shapes_draw, context, NULL, NULL, NULL);
    CALL(rw_calc_air, context, NULL, &air);
    CALL(rw_calc_knife_edge_nu, context, NULL, &nu);
    CALL(rw_calc_terrain, context, NULL, &terrain);
    CALL(rw_calc_wedge, context, NULL, &wedge);
    CALL(rw_calc_two_ray, context, NULL, &two_ray);
    CALL(rw_calc_site_general, context, NULL, &site);
    CALL(rw_calc_scatter, context, NULL, &scatter);
    CALL(rw_calc_antenna, context, NULL, &antenna);
}

static void scene_calls(rw_context *context)
{
    rw_scene *scene = NULL;
    rw_context *other = NULL;
    CALL(rw_context_create, NULL, &other);
    rw_context_destroy(other);
    CALL(rw_scene_load, context, "nothing.gpkg", NULL, &scene);
    CALL(rw_generate_city, context, NULL, &scene);
    rw_scene_destroy(scene);
    CALL(rw_generate_office, context, NULL, &scene);
    rw_scene_destroy(scene);
    scene = NULL;
    CALL(rw_generate_terrain, context, NULL, &scene);
    rw_scene_destroy(scene);
}

static void prediction_calls(prediction *now)
{
    const rw_scene *scene = now->scene;
    rw_point point = {.size = sizeof point, .x_m = 50, .y_m = 50, .height_m = 1.5};
    rw_map *map = NULL;
    rw_tile_map *tiles = NULL;
    rw_paths *paths = NULL;
    rw_gains *gains = NULL;
    rw_budgets *budgets = NULL;
    RESULT(rw_estimate, estimate);
    RESULT(rw_preprocess_estimate, preprocess);
    RESULT(rw_map_info, info);
    RESULT(rw_map_array, array);
    CALL(rw_predict, scene, NULL, &map);
    assert_null(map);
    CALL(rw_predict_points, scene, NULL, &point, 1, &map);
    CALL(rw_predict_budgets, scene, NULL, &point, 1, &budgets);
    CALL(rw_predict_tiles, scene, NULL, &tiles);
    CALL(rw_predict_with_tiles, scene, NULL, &map, &tiles);
    CALL(rw_predict_many, scene, NULL, &array);
    CALL(rw_predict_many_grid, scene, NULL, &info);
    CALL(rw_predict_estimate, scene, NULL, &estimate);
    CALL(rw_trace_estimate, scene, NULL, 1, &estimate);
    CALL(rw_predict_storeys, scene, NULL, -80, "null_storeys.csv");
    char sha256[65];
    CALL(rw_prediction_identity, scene, NULL, sha256);
    CALL(rw_check_transmitter, scene, NULL, 0);
    CALL(rw_trace, scene, NULL, &point, 1, &paths);
    CALL(rw_draw_views, scene, NULL, &point, "null.png");
    CALL(rw_write_rays, scene, NULL, "null.h5");
    CALL(rw_write_beams, scene, NULL, "null.geojson");
    CALL(rw_write_diffraction_sources, scene, NULL, "null.geojson");
    CALL(rw_preprocess, scene, NULL, "null.rwdb");
    remove("null.rwdb");
    CALL(rw_preprocess_get_estimate, scene, NULL, &preprocess);
    CALL(rw_gains_create, scene, NULL, &point, 1, NULL, &gains);
    CALL(rw_scene_draw, scene, NULL, "null.png");
    remove("null.png");
}

static void result_calls(prediction *now)
{
    rw_map *map = predict(now), *difference = NULL;
    rw_zone_table *table = NULL;
    rw_point point = {.size = sizeof point, .x_m = 50, .y_m = 50, .height_m = 1.5};
    rw_paths *paths = NULL;
    RESULT(rw_map_difference, apart);
    CALL(rw_map_draw, map, NULL, "null.png");
    CALL(rw_map_draw_georeferenced, map, NULL, "null_place.png");
    CALL(rw_map_write_polygons, map, NULL, "null.gpkg");
    CALL(rw_map_write_contours, map, NULL, "null.gpkg");
    RESULT(rw_confidence, confidence);
    CALL(rw_map_confidence, map, NULL, &confidence);
    CALL(rw_map_zone_statistics, map, NULL, &table);
    rw_zone_table_destroy(table);
    CALL(rw_map_compare, map, map, NULL, &apart, &difference);
    rw_map_destroy(difference);
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    CALL(rw_paths_write_channel, paths, NULL, "null.h5");
    rw_paths_destroy(paths);
    rw_map_destroy(map);
    rw_tile_map *tiles = NULL;
    rw_predict_options_init_for(&now->options, "tiles");
    now->options.transmitters = now->tx;
    now->options.transmitter_count = 1;
    assert_ok(now->context, rw_predict_tiles(now->scene, &now->options, &tiles));
    CALL(rw_tile_map_write, tiles, "null.ply", NULL);
    rw_tile_map_destroy(tiles);
}

static void measurement_calls(prediction *now)
{
    rw_measurements *measurements = NULL;
    rw_evaluation *evaluation = NULL;
    rw_calibration *calibration = NULL;
    rw_predict_options_init(&now->options);
    now->options.transmitters = now->tx;
    now->options.transmitter_count = 1;
    rw_map *map = predict(now);
    FILE *file = fopen("null.csv", "w");
    fputs("x,y,path_loss\n20,30,110\n60,90,121\n90,80,104\n50,10,98\n", file);
    fclose(file);
    CALL(rw_measurements_load, now->context, "null.csv", NULL, &measurements);
    CALL(rw_evaluate_map, map, 0, measurements, NULL, &evaluation);
    rw_evaluation_destroy(evaluation);
    evaluation = NULL;
    CALL(rw_evaluate_model, now->scene, NULL, measurements, NULL, &evaluation);
    CALL(rw_calibrate, now->scene, NULL, measurements, NULL, &calibration);
    rw_site_audit *audit = NULL;
    CALL(rw_audit_sites, now->scene, NULL, measurements, NULL, &audit);
    rw_measurements_destroy(measurements);
    rw_map_destroy(map);
}

static void table_calls(prediction *now)
{
    rw_point *points = NULL;
    rw_motion *motions = NULL;
    rw_transmitter *sites = NULL;
    rw_plan_candidate *candidates = NULL;
    size_t count, skipped;
    unsigned char visible[8];
    CALL(rw_points_load_sized, now->context, "null.csv", NULL, sizeof *points, sizeof *motions, &points, &motions,
         &count);
    rw_free(points);
    rw_free(motions);
    CALL(rw_sites_load_for_sized, now->context, "null.csv", NULL, sizeof *sites, &sites, &count, &skipped);
    rw_free(sites);
    sites = NULL;
    CALL(rw_plan_candidates_load_sized, now->context, "null.csv", NULL, sizeof *sites, sizeof *candidates, &sites,
         &candidates, &count, &skipped);
    rw_free(sites);
    rw_free(candidates);
    CALL(rw_visible_cubes, now->context, NULL, visible);
    rw_link_profile link = {.size = sizeof link};
    double sensitivity_dbm;
    CALL(rw_link_profile_create, now->scene, NULL, &link);
    CALL(rw_predict_sensitivity, now->context, NULL, &sensitivity_dbm);
}

static void network_calls(prediction *now)
{
    rw_plan *plan = NULL;
    RESULT(rw_network_report, report);
    RESULT(rw_estimate, estimate);
    CALL(rw_network_estimate, now->context, now->scene, NULL, NULL, &report);
    CALL(rw_network_run, now->context, now->scene, NULL, NULL, &report);
    CALL(rw_network_merge, now->context, NULL, &report);
    rw_map *block = NULL;
    double roof_m = 0;
    CALL(rw_network_block, now->context, now->scene, NULL, NULL, 0, &block);
    CALL(rw_network_region_roof, now->context, now->scene, NULL, NULL, &roof_m);
    CALL(rw_plan_estimate, now->scene, NULL, &estimate);
    CALL(rw_plan_create, now->scene, NULL, &plan);
}

/* Declarations of a header that take const options; each must have been called. */
static size_t check_header(const char *path)
{
    FILE *file = fopen(path, "r");
    static char text[1 << 18];
    size_t found = 0;
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    for (char *at = strstr(text, "\nRW_API "); at; at = strstr(at + 1, "\nRW_API ")) {
        char name[96] = "", *open = strchr(at, '('), *end = strchr(at, ';'), *first = open;
        size_t before = (size_t)(end - at);
        char *options = memmem(at, before, "_options *", 10), *status = memmem(at, before, "rw_status ", 10);
        char *constant = open ? memmem(open, (size_t)(end - open), "const rw_", 9) : NULL;
        while (first > at && first[-1] != ' ' && first[-1] != '*')
            first--;
        snprintf(name, sizeof name, "%.*s,", (int)(open - first), first);
        int is_options = 0; /* "const rw_X_options *": both in one parameter */
        for (char *type = constant; type && type < end;
             type = memmem(type + 1, (size_t)(end - type - 1), "const rw_", 9)) {
            size_t length = strspn(type + 6, "abcdefghijklmnopqrstuvwxyz_");
            is_options |= length > 8 && memcmp(type + 6 + length - 8, "_options", 8) == 0;
        }
        if (!options || !status || !is_options)
            continue;
        found++;
        if (!strstr(called, name))
            fail_msg("%s is not called with NULL options", name);
    }
    return found;
}

static void options_that_are_null_are_defaults(void **state)
{
    (void)state;
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 100;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.transmitters = now.tx;
    now.tx[0].x_m = now.tx[0].y_m = 50;
    now.tx[0].height_m = 60;
    char folder[] = "/tmp/null_options_XXXXXX", command[128];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    calc_calls(context);
    scene_calls(context);
    prediction_calls(&now);
    result_calls(&now);
    measurement_calls(&now);
    table_calls(&now);
    network_calls(&now);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(system(command), 0);
    static const char *const headers[] = {"calc",      "calibrate", "context",     "device_maps", "geometry",
                                          "gradients", "network",   "output",      "paths",       "plan",
                                          "predict",   "scene",     "transmitters"};
    size_t found = 0;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/include/rasterwave/%s.h", RW_SOURCE_DIR, headers[i]);
        found += check_header(path);
    }
    assert_true(found > 45);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_that_are_null_are_defaults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
