#include "bench/reproduce/reproduce.h"

#include "base/maths/hash.h"
#include "calibrate/evaluation/evaluation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const metro_names[RW_ROUTES] = {"METRO200", "METRO201", "METRO202"};
static const char *const synthetic_names[RW_ROUTES] = {"synthetic A", "synthetic B", "synthetic C"};

#define NOISE_DB 6.0
#define LINES 4 /* through the scene, of a route */

static int find_file(const char *folder, const char *name, char *path, size_t size)
{
    static const char *const folders[] = {"munich/", ""}, *const endings[] = {"", ".csv", ".txt", ".res"};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 4; k++) {
            int length = snprintf(path, size, "%s/%s%s%s", folder, folders[i], name, endings[k]);
            if (length < (int)size && access(path, F_OK) == 0)
                return 1;
        }
    return 0;
}

/* Some of the routes without the others would be a table with holes. */
static rw_status find_route_files(const rw_reproduction *reproduction, rw_routes *routes, int *are_there)
{
    int found = 0, missing = 0;
    *are_there = 0;
    for (int i = 0; reproduction->data_folder && i < RW_ROUTES; i++)
        if (find_file(reproduction->data_folder, metro_names[i], routes->files[i], sizeof routes->files[i]))
            found++;
        else
            missing = i;
    if (found > 0 && found < RW_ROUTES)
        return rw_fail(reproduction->context, RW_BAD_INPUT,
                       "%s has no %s: the routes METRO200, METRO201 and METRO202 are needed together, or none of them",
                       reproduction->data_folder, metro_names[missing]);
    *are_there = found == RW_ROUTES;
    return RW_OK;
}

rw_status rw_routes_find(const rw_reproduction *reproduction, int *are_there)
{
    rw_routes routes = {0};
    return find_route_files(reproduction, &routes, are_there);
}

/* A sum of uniform numbers is near enough to a normal one. */
static double draw_noise(rw_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += rw_random_unit(random);
    return NOISE_DB * sum;
}

/* Where a synthetic route goes: positions of a file, or none. */
typedef struct route_positions {
    rw_point *points;
    size_t count;
} route_positions;

static void write_value(const rw_map_info *info, const rw_map_layer *loss, double x_m, double y_m, rw_random *random,
                        FILE *stream)
{
    double column = floor((x_m - info->x0_m) / info->res_m), row = floor((y_m - info->y0_m) / info->res_m);
    double noise_db = draw_noise(random); /* for each position, so that all routes have the same noise with any model */
    if (!(column >= 0 && column < (double)info->columns && row >= 0 && row < (double)info->rows))
        return;
    double value = (double)loss->values[(size_t)row * info->columns + (size_t)column] + noise_db;
    if (isfinite(value))
        fprintf(stream, "%.2f,%.2f,%.2f\n", x_m, y_m, value);
}

/* The cells on lines along one axis, at fractions of the other that differ from route to route. */
static void write_route_lines(const rw_map_info *info, const rw_map_layer *loss, int route, rw_random *random,
                              FILE *stream)
{
    for (int line = 0; line < LINES; line++) {
        int along_y = line % 2;
        size_t length = along_y ? info->rows : info->columns, width = along_y ? info->columns : info->rows;
        double across = (floor((double)width * (0.2 + 0.15 * line + 0.05 * route)) + 0.5) * info->res_m;
        for (size_t i = 0; i < length; i++) {
            double along = (0.5 + (double)i) * info->res_m;
            write_value(info, loss, info->x0_m + (along_y ? across : along), info->y0_m + (along_y ? along : across),
                        random, stream);
        }
    }
}

static void write_route(const rw_map_info *info, const rw_map_layer *loss, int route, const route_positions *positions,
                        FILE *stream)
{
    rw_random random = rw_random_of(200 + (uint64_t)route, 0);
    size_t first = positions->count * (size_t)route / RW_ROUTES,
           end = positions->count * (size_t)(route + 1) / RW_ROUTES;
    fputs("x,y,path_loss\n", stream);
    for (size_t i = first; i < end; i++)
        write_value(info, loss, positions->points[i].x_m, positions->points[i].y_m, &random, stream);
    if (positions->count == 0)
        write_route_lines(info, loss, route, &random, stream);
}

static rw_status write_route_files(rw_reproduction *reproduction, const rw_map *map, const route_positions *positions,
                                   rw_routes *routes)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer loss = {.size = sizeof loss};
    RW_TRY(rw_map_get_info(map, &info));
    RW_TRY(rw_map_get_layer(map, 0, &loss));
    for (int i = 0; i < RW_ROUTES; i++) {
        rw_file_writer file;
        snprintf(routes->files[i], sizeof routes->files[i], "%s/%s_synthetic_%c.csv", reproduction->page.folder,
                 reproduction->page.name, 'a' + i);
        RW_TRY(rw_file_begin(reproduction->context, routes->files[i], &file));
        write_route(&info, &loss, i, positions, file.stream);
        RW_TRY(rw_file_commit(reproduction->context, &file));
    }
    return RW_OK;
}

static rw_status make_files(rw_reproduction *reproduction, const rw_scene *scene, const rw_transmitter *transmitter,
                            const route_positions *positions, rw_routes *routes)
{
    rw_predict_options options;
    rw_map *map;
    rw_predict_options_init(&options);
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    options.layers = "path_loss";
    RW_TRY(rw_predict(scene, &options, &map));
    rw_status status = write_route_files(reproduction, map, positions, routes);
    rw_map_destroy(map);
    return status;
}

/* The positions of the real route, which are public; its values are not. */
static rw_status read_positions(const rw_reproduction *reproduction, int is_munich, route_positions *positions)
{
    char path[512];
    rw_motion *motions = NULL;
    *positions = (route_positions){0};
    if (!is_munich || !reproduction->data_folder ||
        !find_file(reproduction->data_folder, "METRO202_positions", path, sizeof path))
        return RW_OK;
    RW_TRY(rw_points_load(reproduction->context, path, NULL, &positions->points, &motions, &positions->count));
    rw_free(motions);
    return RW_OK;
}

static void report_synthetic(rw_reproduction *reproduction, const rw_routes *routes)
{
    rw_page_text(
        &reproduction->page,
        "**Synthetic values.** The measured routes METRO200, METRO201 and METRO202 are not in the data folder. "
        "In their place: the path loss of the default shadow model with %g dB of Gaussian noise, %s. They "
        "show that every step works and nothing about the accuracy of a model, so no accuracy is printed, "
        "and none of the paper next to it. With the three files in `--data DIR` the same command makes the "
        "paper's tables.",
        NOISE_DB, routes->where);
}

rw_status rw_routes_open(rw_reproduction *reproduction, const rw_scene *scene, const rw_transmitter *transmitter,
                         int is_munich, rw_routes *routes)
{
    int are_there = 0;
    memset(routes, 0, sizeof *routes);
    if (is_munich)
        RW_TRY(find_route_files(reproduction, routes, &are_there));
    routes->are_synthetic = !are_there;
    if (routes->are_synthetic) {
        route_positions positions;
        RW_TRY(read_positions(reproduction, is_munich, &positions));
        routes->where =
            positions.count ? "along the positions of METRO202 in three parts" : "along lines through the scene";
        rw_status status = make_files(reproduction, scene, transmitter, &positions, routes);
        rw_free(positions.points);
        RW_TRY(status);
        report_synthetic(reproduction, routes);
    }
    rw_status status = RW_OK;
    for (int i = 0; i < RW_ROUTES && status == RW_OK; i++) {
        routes->names[i] = (routes->are_synthetic ? synthetic_names : metro_names)[i];
        status = rw_measurements_load(reproduction->context, routes->files[i], NULL, &routes->items[i]);
    }
    return status;
}

void rw_routes_close(rw_routes *routes)
{
    for (int i = 0; i < RW_ROUTES; i++)
        rw_measurements_destroy(routes->items[i]);
}

rw_status rw_routes_evaluate(const rw_reproduction *reproduction, const rw_scene *scene,
                             const rw_predict_options *options, const rw_measurements *route, int is_synthetic,
                             const char *picture, rw_evaluation_info *info)
{
    rw_evaluation *evaluation;
    char path[4096];
    *info = (rw_evaluation_info){.size = sizeof *info};
    RW_TRY(rw_evaluate_model(scene, options, route, NULL, &evaluation));
    rw_status status = rw_evaluation_get_info(evaluation, info);
    if (picture)
        rw_page_picture_path(&reproduction->page, picture, path, sizeof path);
    if (status == RW_OK && picture && is_synthetic)
        status = rw_evaluation_draw_route(evaluation, "synthetic", path);
    else if (status == RW_OK && picture)
        status = rw_evaluation_draw(evaluation, RW_EVALUATION_ROUTE, path);
    rw_evaluation_destroy(evaluation);
    return status;
}
