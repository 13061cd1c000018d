/* Maps of open country: 20 x 20 km of hills by delta-Bullington, and the same with scattered houses under a mast.
 *
 * Checked: cells of the map of hills against the same formulas in double on profiles of the scene. */
#include "bench/bench.h"

#include "base/maths/hash.h"
#include "base/memory.h"
#include "field/edges/delta_bullington.k.h"
#include "field/paths/free_space.k.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char group[] = "terrain";

#define SIDE_M 20e3
#define SPACING_M 30.0
#define RES_M 50.0
#define MAST_M 30.0
#define RECEIVER_M 1.5
#define FREQ_HZ 800e6
#define BUILDINGS 154
#define POINTS 4096
#define CHECKED_CELLS 200

/* Hills, and so many houses of 6 to 12 m on them by chance. */
static rw_status make_terrain_scene(rw_context *context, int buildings, rw_scene **scene)
{
    rw_terrain_options options;
    rw_random random = rw_random_of(5, 2);
    rw_terrain_options_init(&options);
    options.width_m = options.depth_m = SIDE_M;
    options.spacing_m = SPACING_M;
    options.relief_m = 500;
    RW_TRY(rw_generate_terrain(context, &options, scene));
    rw_status status = RW_OK;
    for (int i = 0; i < buildings && status == RW_OK; i++) {
        double x = rw_random_range(&random, 0.3 * SIDE_M, 0.7 * SIDE_M),
               y = rw_random_range(&random, 0.3 * SIDE_M, 0.7 * SIDE_M);
        double xy[] = {x, y, x + 12, y, x + 12, y + 10, x, y + 10};
        size_t ring = 4;
        rw_building building = {.size = sizeof building,
                                .xy = xy,
                                .ring_sizes = &ring,
                                .ring_count = 1,
                                .ground_m = NAN,
                                .roof_height_m = rw_random_range(&random, 6, 12)};
        status = rw_scene_add_building(*scene, &building);
    }
    if (status == RW_OK)
        status = rw_scene_commit(*scene);
    if (status != RW_OK)
        rw_scene_destroy(*scene);
    return status;
}

/* What a cell should have, by a profile of many points. */
static double expected_db(const rw_scene *scene, rw_vec2 from, rw_vec2 to, double *distance_m, double *height_m)
{
    double length_m = hypot(to.x - from.x, to.y - from.y), wavelength_m = RW_SPEED_OF_LIGHT_M_S / FREQ_HZ;
    const double earth_m = 6371e3 * 4 / 3;
    for (size_t i = 0; i < POINTS; i++) {
        double t = (double)i / (POINTS - 1);
        distance_m[i] = t * length_m;
        height_m[i] = rw_scene_ground_m(scene, rw_vec2_of(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)));
    }
    double first_m = height_m[0] + MAST_M, last_m = height_m[POINTS - 1] + RECEIVER_M;
    rw_profile profile = {distance_m, height_m, POINTS, first_m, last_m, earth_m};
    const rw_earth_surface land = {0, 0};
    return rw_profile_delta_bullington_db(&profile, NULL, land, wavelength_m) +
           rw_free_space_loss_db(hypot(length_m, last_m - first_m), wavelength_m);
}

static rw_status check_terrain_cells(const rw_scene *scene, const rw_map *map, rw_vec2 mast, rw_bench_check *check)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer loss = {.size = sizeof loss};
    rw_random random = rw_random_of(9, 1);
    double *profile, worst_db = 0;
    RW_TRY(rw_map_get_info(map, &info));
    RW_TRY(rw_map_get_layer(map, 0, &loss));
    RW_TRY(rw_array_create(scene->context, 2 * (size_t)POINTS, sizeof *profile, "a profile", &profile));
    for (int i = 0; i < CHECKED_CELLS; i++) {
        size_t column = (size_t)rw_random_range(&random, 0, (double)info.columns - 0.001);
        size_t row = (size_t)rw_random_range(&random, 0, (double)info.rows - 0.001);
        rw_vec2 to = rw_vec2_of(info.x0_m + ((double)column + 0.5) * info.res_m - scene->origin.x,
                                info.y0_m + ((double)row + 0.5) * info.res_m - scene->origin.y);
        double error_db =
            (double)loss.values[row * info.columns + column] - expected_db(scene, mast, to, profile, profile + POINTS);
        worst_db = fabs(error_db) > worst_db ? fabs(error_db) : worst_db;
    }
    free(profile);
    *check = (rw_bench_check){"P.1812 on 200 profiles", worst_db, 0.5, "dB"};
    return RW_OK;
}

static rw_status bench_map(const rw_bench *bench, rw_context *context, int buildings, const char *what)
{
    rw_scene *scene;
    rw_transmitter mast;
    rw_predict_options options;
    rw_bench_check check = {0};
    rw_map *map = NULL;
    RW_TRY(make_terrain_scene(context, buildings, &scene));
    rw_transmitter_init(&mast);
    mast.x_m = mast.y_m = 0.5 * SIDE_M + 11;
    mast.height_m = MAST_M;
    rw_predict_options_init(&options);
    options.transmitters = &mast;
    options.transmitter_count = 1;
    options.layers = "path_loss";
    options.res_m = RES_M;
    options.rx_height_m = RECEIVER_M;
    options.freq_hz = FREQ_HZ;
    const double area_m[4] = {0, 0, SIDE_M, SIDE_M};
    for (int i = 0; i < 4; i++)
        options.area_m[i] = area_m[i];
    rw_status status = rw_predict(scene, &options, &map);
    if (status == RW_OK && !buildings)
        status =
            check_terrain_cells(scene, map, rw_vec2_of(mast.x_m - scene->origin.x, mast.y_m - scene->origin.y), &check);
    rw_map_destroy(map);
    double start_s = rw_seconds(), seconds = 0;
    if (status == RW_OK)
        status = rw_predict(scene, &options, &map);
    seconds = rw_seconds() - start_s;
    if (status == RW_OK) {
        char name[64];
        snprintf(name, sizeof name, "%s, %s", what, rw_context_backend(context));
        rw_bench checked = rw_bench_checked(bench, check);
        rw_bench_add_result(&checked, group, name, seconds, "s", NAN, NAN,
                            "20 x 20 km at 50 m, posts every 30 m, mast 30 m, 800 MHz");
        rw_map_destroy(map);
    }
    rw_scene_destroy(scene);
    return status;
}

static rw_status bench_terrain_maps(const rw_bench *bench, rw_context *context)
{
    RW_TRY(bench_map(bench, context, 0, "hills"));
    return bench_map(bench, context, BUILDINGS, "hills with 154 houses");
}

rw_status rw_bench_terrain(const rw_bench *bench)
{
    return rw_bench_wants(bench, group, group) ? rw_bench_each_backend(bench, bench_terrain_maps) : RW_OK;
}
