/* A drive test that the program makes itself: losses of a model with known parameters at points on routes, with normal
 * noise from a seed, as a table with columns x, y, path_loss, route, site. */
#ifndef RW_TESTS_SURVEY_H
#define RW_TESTS_SURVEY_H

#include "noise.h"
#include "temporary.h"

#include <rasterwave/calibrate.h>

#define SURVEY_SITES 2
#define SURVEY_ROUTES 3 /* a, b, c */

typedef struct survey {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter sites[SURVEY_SITES];
    rw_predict_options options; /* of both sites */
} survey;

/* A town of 400 m x 400 m with a mast above the roofs and one in between. */
static inline survey survey_begin(rw_context *context)
{
    survey made = {.context = context};
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 400;
    city.seed = 3;
    assert_ok(context, rw_generate_city(context, &city, &made.scene));
    assert_ok(context, rw_scene_commit(made.scene));
    static const double places[SURVEY_SITES][3] = {{190, 205, 45}, {60, 330, 30}};
    static const char *const names[SURVEY_SITES] = {"mast", "roof"};
    for (int i = 0; i < SURVEY_SITES; i++) {
        rw_transmitter_init(&made.sites[i]);
        made.sites[i].name = names[i];
        made.sites[i].x_m = places[i][0];
        made.sites[i].y_m = places[i][1];
        made.sites[i].height_m = places[i][2];
    }
    rw_predict_options_init(&made.options);
    made.options.effects = "streets_polynomial,roofs_polynomial,walls"; /* whose curves and walls the truth has */
    made.options.walls = "constant";
    made.options.freq_hz = 947e6;
    made.options.res_m = 5;
    made.options.transmitter_count = SURVEY_SITES;
    return made;
}

static inline void survey_end(survey *made)
{
    rw_scene_destroy(made->scene);
}

/* Parameters far enough from the uncalibrated ones. */
static inline rw_params *survey_truth(rw_context *context)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"street_a0_db", 6},      {"street_a1_db_rad", 18}, {"street_a2_db_rad2", -1}, {"roof_a0_db", 7},
                  {"roof_a1_db_rad", 16},   {"roof_a2_db_rad2", 0},   {"roof_a3_db_rad3", 1},    {"wall_first_db", 9},
                  {"street_a3_db_rad3", 0}, {"wall_ratio", 0.8}};
    rw_params *truth;
    assert_ok(context, rw_params_create(context, "shadow", 947e6, &truth));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_ok(context, rw_params_set(truth, values[i].name, values[i].value));
    return truth;
}

static inline rw_measurements *survey_load(rw_context *context, const char *path)
{
    rw_measurements *measurements;
    assert_ok(context, rw_measurements_load(context, path, NULL, &measurements));
    return measurements;
}

/* The prediction of the survey with these parameters; NULL: uncalibrated. */
static inline rw_predict_options survey_ask(const survey *made, const rw_params *params)
{
    rw_predict_options options = made->options;
    options.transmitters = made->sites;
    options.params = params;
    return options;
}

/* Points all over the town, each on one of the routes. */
static inline rw_point survey_point(size_t index)
{
    rw_random random = rw_random_of(17, index);
    rw_point point = {.size = sizeof point, .height_m = NAN};
    point.x_m = rw_random_range(&random, 5, 395);
    point.y_m = rw_random_range(&random, 5, 395);
    return point;
}

/* Writes the table; points inside buildings have no line. Returns how many lines there are. */
static inline size_t survey_write(const survey *made, const rw_params *truth, size_t count, double noise_db,
                                  uint64_t seed, const char *path)
{
    rw_point *points = calloc(count, sizeof *points);
    rw_paths *paths;
    rw_predict_options options = made->options;
    rw_random random = rw_random_of(seed, 2);
    for (size_t i = 0; i < count; i++)
        points[i] = survey_point(i);
    options.transmitters = made->sites;
    options.params = truth;
    assert_ok(made->context, rw_trace(made->scene, &options, points, count, &paths));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("x,y,path_loss,route,site\n", file);
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path found = {.size = sizeof found};
        assert_ok(made->context, rw_paths_get(paths, i, &found));
        double noise = normal_noise(&random);
        fprintf(file, "%.6f,%.6f,%.9f,%c,%s\n", points[found.point].x_m, points[found.point].y_m,
                found.loss_db + noise_db * noise, (char)('a' + found.point % SURVEY_ROUTES),
                made->sites[found.transmitter].name);
    }
    fclose(file);
    size_t lines = rw_paths_count(paths);
    rw_paths_destroy(paths);
    free(points);
    return lines;
}

#endif
