#include "bench/reproduce/routes.h"

#include "base/maths/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const rw_route_names[RW_ROUTES] = {"METRO200", "METRO201", "METRO202"};

#define NOISE_DB 6.0
#define LINES 4 /* through the scene, of a route */

static int find_file(const char *folder, const char *name, char *path, size_t size)
{
    static const char *const folders[] = {"munich/", ""}, *const endings[] = {"", ".csv", ".txt", ".res"};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 4; k++) {
            int length = snprintf(path, size, "%s/%s%s%s", folder, folders[i], name, endings[k]);
            if (length < (int)size && access(path, R_OK) == 0)
                return 1;
        }
    return 0;
}

static int find_files(const rw_reproduction *reproduction, rw_routes *routes)
{
    int found = 0;
    for (int i = 0; reproduction->data_folder && i < RW_ROUTES; i++)
        found += find_file(reproduction->data_folder, rw_route_names[i], routes->files[i], sizeof routes->files[i]);
    return found == RW_ROUTES;
}

/* A sum of uniform numbers is near enough to a normal one. */
static double noise(rw_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += rw_random_unit(random);
    return NOISE_DB * sum;
}

/* One route: the cells on lines along one axis, at shares of the other that differ from route to route. */
static void write_route(const rw_map_info *info, const rw_map_layer *loss, int route, FILE *stream)
{
    rw_random random = rw_random_of(200 + (uint64_t)route, 0);
    fputs("x,y,path_loss\n", stream);
    for (int line = 0; line < LINES; line++) {
        int along_y = line % 2;
        size_t length = along_y ? info->rows : info->columns, width = along_y ? info->columns : info->rows;
        size_t across = (size_t)((double)width * (0.2 + 0.15 * line + 0.05 * route));
        for (size_t i = 0; i < length; i++) {
            size_t column = along_y ? across : i, row = along_y ? i : across;
            double value = (double)loss->values[row * info->columns + column] + noise(&random);
            if (isfinite(value))
                fprintf(stream, "%.2f,%.2f,%.2f\n", info->x0_m + (0.5 + (double)column) * info->res_m,
                        info->y0_m + (0.5 + (double)row) * info->res_m, value);
        }
    }
}

static rw_status make_files(rw_reproduction *reproduction, const rw_scene *scene, const rw_transmitter *transmitter,
                            rw_routes *routes)
{
    rw_predict_options options;
    rw_map *map;
    rw_map_info info = {.size = sizeof info};
    rw_map_layer loss = {.size = sizeof loss};
    rw_predict_options_init(&options);
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    options.layers = "path_loss";
    RW_TRY(rw_predict(scene, &options, &map));
    rw_status status = rw_map_get_info(map, &info);
    if (status == RW_OK)
        status = rw_map_get_layer(map, 0, &loss);
    for (int i = 0; i < RW_ROUTES && status == RW_OK; i++) {
        rw_file_writer file;
        snprintf(routes->files[i], sizeof routes->files[i], "%s/%s_made_%s.csv", reproduction->page.folder,
                 reproduction->page.name, rw_route_names[i]);
        status = rw_file_begin(reproduction->context, routes->files[i], &file);
        if (status != RW_OK)
            break;
        write_route(&info, &loss, i, file.stream);
        status = rw_file_commit(reproduction->context, &file);
    }
    rw_map_destroy(map);
    return status;
}

rw_status rw_routes_open(rw_reproduction *reproduction, const rw_scene *scene, const rw_transmitter *transmitter,
                         int is_munich, rw_routes *routes)
{
    memset(routes, 0, sizeof *routes);
    routes->are_generated = !is_munich || !find_files(reproduction, routes);
    if (routes->are_generated) {
        RW_TRY(make_files(reproduction, scene, transmitter, routes));
        rw_page_text(&reproduction->page,
                     "**The measured routes are not at hand.** In their place stand measurements that were made for "
                     "this page: the path loss of the default shadow model along lines through the scene, with %g dB "
                     "of noise. They show that the chain runs; how accurate a model is they do not show. With the "
                     "files METRO200, METRO201 and METRO202 in `--data DIR` the same command gives the paper's tables.",
                     NOISE_DB);
    }
    rw_status status = RW_OK;
    for (int i = 0; i < RW_ROUTES && status == RW_OK; i++)
        status = rw_measurements_load(reproduction->context, routes->files[i], NULL, &routes->items[i]);
    return status;
}

void rw_routes_close(rw_routes *routes)
{
    for (int i = 0; i < RW_ROUTES; i++)
        rw_measurements_destroy(routes->items[i]);
}

int rw_routes_are_there(const rw_reproduction *reproduction)
{
    rw_routes routes = {0};
    return find_files(reproduction, &routes);
}

rw_status rw_routes_evaluate(const rw_reproduction *reproduction, const rw_scene *scene,
                             const rw_predict_options *options, const rw_measurements *route, const char *picture,
                             rw_evaluation_info *info)
{
    rw_evaluation *evaluation;
    *info = (rw_evaluation_info){.size = sizeof *info};
    RW_TRY(rw_evaluate_model(scene, options, route, NULL, &evaluation));
    rw_status status = rw_evaluation_get_info(evaluation, info);
    if (status == RW_OK && picture) {
        char path[4096];
        rw_page_picture_path(&reproduction->page, picture, path, sizeof path);
        status = rw_evaluation_draw(evaluation, RW_EVALUATION_ROUTE, path);
    }
    rw_evaluation_destroy(evaluation);
    return status;
}
