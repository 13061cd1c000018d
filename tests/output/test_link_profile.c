/* labels: files */
/* The section of a link against the rules of thumb of ITU-R P.530 and heights known by hand. */
#include <rasterwave/geometry.h>

#include "scene/scene.h"

#include "temporary.h"

#include <stdlib.h>

static rw_context *context;

/* Level ground, one building of 20 m between 9 and 9.1 km east of the origin. */
static rw_scene *make_link_scene(double roof_m)
{
    rw_scene *scene;
    const double outline[] = {9000, -50, 9100, -50, 9100, 50, 9000, 50};
    const size_t points = 4;
    const rw_building building = {.size = sizeof building,
                                  .xy = outline,
                                  .ring_sizes = &points,
                                  .ring_count = 1,
                                  .ground_m = 0,
                                  .roof_height_m = roof_m};
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_add_building(scene, &building));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static rw_link_profile profile_of(const rw_scene *scene, double height_m, double freq_hz)
{
    rw_link_options options;
    rw_link_profile profile = {.size = sizeof profile};
    rw_link_options_init(&options);
    options.first_m[2] = options.second_m[2] = height_m;
    options.second_m[0] = 40000;
    options.freq_hz = freq_hz;
    assert_ok(context, rw_link_profile_create(scene, &options, &profile));
    return profile;
}

static void bulge_and_zone_are_those_of_p530(void **state)
{
    (void)state;
    rw_scene *scene = make_link_scene(20);
    rw_link_profile profile = profile_of(scene, 100, 18e9);
    assert_near(profile.length_m, 40000, 1e-9);
    assert_near(profile.azimuth_deg, 90, 1e-12);
    assert_near(profile.back_azimuth_deg, 270, 1e-12);
    for (size_t i = 0; i < profile.count; i++) {
        const rw_link_sample *at = &profile.samples[i];
        double d1_km = at->distance_m / 1e3, d2_km = 40 - d1_km;
        assert_near(at->bulge_m, d1_km * d2_km / 12.74 / (4. / 3),
                    1e-3 * (1 + at->bulge_m)); /* h = d1 d2 / (12.74 k) */
        assert_near(at->fresnel_m, 17.3 * sqrt(d1_km * d2_km / (18 * 40)), 2e-3 * (1 + at->fresnel_m));
        assert_near(at->line_m, 100, 1e-9);
        assert_near(at->top_m, at->distance_m > 9000 && at->distance_m < 9100 ? 20 : 0, 1e-9);
    }
    /* Both ends look down by half of the angle that they are apart at the earth's centre. */
    assert_near(profile.elevation_deg, -0.5 * 40e3 / (4. / 3 * 6371e3) * 57.29578, 1e-6);
    assert_near(profile.back_elevation_deg, profile.elevation_deg, 1e-12);
    assert_near(profile.clearance_m, 100 - 20 - 9.1 * 30.9 / 12.74 / (4. / 3), 0.06); /* over the building */
    assert_true(profile.clearance_fraction > 0.6 && profile.knife_edge_db == 0);
    rw_free(profile.samples);
    rw_scene_destroy(scene);
}

/* A roof at the height of the line costs 6 dB, and one that is higher by 0.707 Fresnel radii has nu = 1: 13.9 dB. */
static void obstacles_cost_what_p526_says(void **state)
{
    (void)state;
    double bulge_m = 9.05 * 30.95 / 12.742 / (4. / 3), line_m = 100;
    double fresnel_m = 17.31 * sqrt(9.05 * 30.95 / (18 * 40));
    const double above[] = {0, 1 / sqrt(2)}, loss_db[] = {6.0, 13.9};
    for (int i = 0; i < 2; i++) {
        rw_scene *scene = make_link_scene(line_m - bulge_m + above[i] * fresnel_m);
        rw_link_profile profile = profile_of(scene, line_m, 18e9);
        assert_near(profile.clearance_fraction, -above[i], 0.03);
        assert_near(profile.knife_edge_db, loss_db[i], 0.3);
        assert_near(profile.samples[profile.nearest].distance_m, 9050, 60);
        rw_free(profile.samples);
        rw_scene_destroy(scene);
    }
}

static void a_table_has_every_sample(void **state)
{
    (void)state;
    rw_scene *scene = make_link_scene(20);
    rw_link_profile profile = profile_of(scene, 50, 2e9);
    const char *path = temporary_path("section.csv");
    assert_ok(context, rw_link_profile_write(context, &profile, path));
    FILE *file = fopen(path, "r");
    char line[256];
    size_t lines = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        lines++;
    fclose(file);
    assert_int_equal(lines, profile.count + 1);
    rw_free(profile.samples);
    rw_scene_destroy(scene);
}

static void bad_links_are_rejected(void **state)
{
    (void)state;
    rw_scene *scene = make_link_scene(20);
    rw_link_profile profile = {.size = sizeof profile};
    for (int i = 0; i < 6; i++) {
        rw_link_options options;
        rw_link_options_init(&options);
        options.first_m[2] = options.second_m[2] = 10;
        options.second_m[0] = i == 0 ? 0 : i == 1 ? NAN : 100;
        options.second_m[2] = i == 2 ? 0 : 10;
        options.freq_hz = i == 3 ? 5 : 1e9;
        options.k_factor = i == 4 ? -1 : 1;
        options.count = i == 5 ? 1 : 0;
        assert_int_equal(rw_link_profile_create(scene, &options, &profile), RW_BAD_CALL);
        assert_null(profile.samples);
    }
    assert_int_equal(rw_link_profile_write(context, &profile, temporary_path("no.csv")), RW_BAD_CALL);
    rw_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bulge_and_zone_are_those_of_p530), cmocka_unit_test(obstacles_cost_what_p526_says),
        cmocka_unit_test(a_table_has_every_sample), cmocka_unit_test(bad_links_are_rejected)};
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
