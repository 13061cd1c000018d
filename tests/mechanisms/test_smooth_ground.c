/* Level ground: without terrain and over rasters of constant height with any spacing of posts the loss is the same,
 * that of ITU-R P.1812-6 over a dense profile; ground = none is free space; floor plans have no such ground. */
#include "prediction.h"

#include "field/edges/delta_bullington.k.h"
#include "field/paths/free_space.k.h"

#define FREQ_HZ 868e6
#define EARTH_M (6371e3 * 4 / 3)
#define TX_M 10.0
#define RX_M 1.0

static const double distances_m[] = {300, 1000, 2000, 5000, 8000};

#define DISTANCES (sizeof distances_m / sizeof *distances_m)

/* Posts every spacing_m; 0: no terrain. */
static void add_level_terrain(rw_context *context, rw_scene *scene, double spacing_m, double altitude_m)
{
    if (!(spacing_m > 0))
        return;
    size_t columns = (size_t)(12000 / spacing_m) + 1, rows = (size_t)(4000 / spacing_m) + 1;
    float *heights = malloc(columns * rows * sizeof *heights);
    assert_non_null(heights);
    for (size_t i = 0; i < columns * rows; i++)
        heights[i] = (float)altitude_m;
    rw_raster raster = {.size = sizeof raster,
                        .columns = columns,
                        .rows = rows,
                        .x0_m = -1003,
                        .y0_m = -2007,
                        .dx_m = spacing_m,
                        .dy_m = spacing_m,
                        .values = heights};
    assert_ok(context, rw_scene_set_terrain(scene, &raster));
    free(heights);
}

/* A dense profile of the same link. */
static double expected_loss_db(double length_m)
{
    static double distance_m[8001], ground_m[8001];
    size_t count = (size_t)length_m + 1;
    for (size_t i = 0; i < count; i++) {
        distance_m[i] = (double)i * length_m / (double)(count - 1);
        ground_m[i] = 0;
    }
    rw_profile profile = {distance_m, ground_m, count, TX_M, RX_M, EARTH_M};
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / FREQ_HZ;
    return rw_profile_delta_bullington_db(&profile, NULL, (rw_earth_surface){0, 0}, wavelength_m) +
           rw_free_space_loss_db(hypot(length_m, TX_M - RX_M), wavelength_m);
}

static void losses_at_distances(const char *model, double spacing_m, const char *ground, double *losses_db)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    add_level_terrain(context, scene, spacing_m, 50);
    add_box(context, scene, (const double[]){-900, 900, -890, 910}, 3, NULL);
    add_box(context, scene, (const double[]){9900, -910, 9910, -900}, 3, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = model;
    now.options.layers = "path_loss";
    now.options.prior = "none";
    now.options.freq_hz = FREQ_HZ;
    now.options.rx_height_m = RX_M;
    now.options.res_m = 10;
    now.options.ground = ground;
    now.tx[0].x_m = 0;
    now.tx[0].y_m = 0;
    now.tx[0].height_m = TX_M;
    for (size_t i = 0; i < DISTANCES; i++) {
        const double area_m[4] = {distances_m[i] - 5, -5, distances_m[i] + 5, 5};
        memcpy(now.options.area_m, area_m, sizeof area_m);
        rw_map *map = predict(&now);
        losses_db[i] = (double)layer_of(map, "path_loss").values[0];
        rw_map_destroy(map);
    }
    end(&now);
}

static void level_ground_is_the_same_with_and_without_terrain(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams"};
    static const double spacings_m[] = {0, 10, 30, 90, 400, 1000};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t s = 0; s < sizeof spacings_m / sizeof *spacings_m; s++) {
            double losses_db[DISTANCES];
            losses_at_distances(models[m], spacings_m[s], NULL, losses_db);
            for (size_t i = 0; i < DISTANCES; i++) {
                printf("%s, posts every %g m: %.2f dB at %g m, P.1812 %.2f dB\n", models[m], spacings_m[s],
                       losses_db[i], distances_m[i], expected_loss_db(distances_m[i]));
                assert_near(losses_db[i], expected_loss_db(distances_m[i]), 0.1);
            }
        }
}

static void without_a_ground_the_loss_is_free_space(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (double spacing_m = 0; spacing_m <= 100; spacing_m += 100) {
            double losses_db[DISTANCES];
            losses_at_distances(models[m], spacing_m, "none", losses_db);
            for (size_t i = 0; i < DISTANCES; i++)
                assert_near(losses_db[i],
                            rw_free_space_loss_db(hypot(distances_m[i], TX_M - RX_M), RW_SPEED_OF_LIGHT_M_S / FREQ_HZ),
                            0.1);
        }
}

static void floor_plans_have_none(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    add_panel(context, scene, -10, 40, 3000, 40);
    add_panel(context, scene, -10, -40, 3000, -40);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.layers = "path_loss";
    now.options.prior = "none";
    now.options.freq_hz = FREQ_HZ;
    now.options.rx_height_m = RX_M;
    now.options.res_m = 10;
    now.tx[0].height_m = 2;
    const double area_m[4] = {1995, -5, 2005, 5};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    rw_map *map = predict(&now);
    assert_near((double)layer_of(map, "path_loss").values[0],
                rw_free_space_loss_db(2000, RW_SPEED_OF_LIGHT_M_S / FREQ_HZ), 0.1);
    rw_map_destroy(map);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_ground_is_the_same_with_and_without_terrain),
        cmocka_unit_test(without_a_ground_the_loss_is_free_space),
        cmocka_unit_test(floor_plans_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
