/* Several edges and terrain profiles: against Vogler's limit, a brute-force Kirchhoff integral and the ITU-R P.1812
 * vectors. */
#include "field/edges/delta_bullington.k.h"

#include <complex.h>

#include "multiple_edges.h"
#include "unit.h"

/* The repeated Fresnel-Kirchhoff integral on a fine grid of heights, plane by plane, relative to free space. The far
 * end of each integral is rounded off by a raised cosine. */
static double kirchhoff_loss_db(const rw_edge_path *path, double wavelength_m, double top_m, int steps)
{
    const double pi = acos(-1.0);
    double complex *here = malloc(sizeof *here * (size_t)steps), *next = malloc(sizeof *next * (size_t)steps);
    size_t last = path->count - 1;
    for (int i = 0; i < steps; i++)
        here[i] = 1;
    double complex result = 0;
    for (size_t plane = 1; plane < last; plane++) {
        double x1 = path->distance_m[plane] - path->distance_m[0];
        double x2 = path->distance_m[plane + 1] - path->distance_m[plane];
        double base = path->altitude_m[plane], dh = top_m / steps, curvature = pi / wavelength_m * (1 / x1 + 1 / x2);
        int targets = plane + 1 == last ? 1 : steps;
        for (int j = 0; j < targets; j++) {
            double to = path->altitude_m[plane + 1] + (targets == 1 ? 0 : (j + 0.5) * dh);
            double line = path->altitude_m[0] + x1 / (x1 + x2) * (to - path->altitude_m[0]);
            double complex sum = 0;
            for (int i = 0; i < steps; i++) {
                double h = base + (i + 0.5) * dh - line,
                       taper = i < 0.6 * steps ? 1 : 0.5 + 0.5 * cos(pi * (i - 0.6 * steps) / (0.4 * steps));
                sum += here[i] * taper * cexp(-I * curvature * h * h);
            }
            next[j] = sum * dh * csqrt(I * curvature / pi);
        }
        result = next[0];
        memcpy(here, next, sizeof *here * (size_t)targets);
    }
    free(here);
    free(next);
    return -20 * log10(cabs(result));
}

/* Vogler 1982: N edges in a line with the antennas, all spacings equal, cost exactly 20 log10(N + 1). */
static void edges_at_grazing_follow_vogler(void **state)
{
    (void)state;
    for (size_t edges = 1; edges <= 8; edges++) {
        double distance_m[12], altitude_m[12] = {0};
        for (size_t i = 0; i < edges + 2; i++)
            distance_m[i] = 100.0 * (double)i;
        rw_edge_path path = {distance_m, altitude_m, edges + 2};
        double exact_db = 20 * log10((double)edges + 1), got_db = rw_vogler_loss_db(&path, 0.3);
        printf("%zu edges at grazing: Vogler %.2f dB, exact %.2f dB, Deygout %.2f dB\n", edges, got_db, exact_db,
               rw_deygout_loss_db(&path, 0.3, 0));
        assert_near(got_db, exact_db, 0.01);
    }
}

/* Two edges in line with the antennas (Millington, Hewitt and Immirzi 1962): 1/4 + asin(sqrt(...)) / (2 pi), also where
 * the edges are so close that one stands for both. */
static void two_edges_at_grazing_follow_millington(void **state)
{
    (void)state;
    for (double gap = 0.1; gap < 2000; gap *= 1.3) {
        double distance_m[] = {0, 300, 300 + gap, 800 + gap}, altitude_m[] = {0, 0, 0, 0};
        rw_edge_path path = {distance_m, altitude_m, 4};
        double field = 0.25 + asin(sqrt(300.0 * 500.0 / ((300 + gap) * (500 + gap)))) / (2 * acos(-1));
        assert_near(rw_vogler_loss_db(&path, 0.3), -20 * log10(field), gap < 2.5 ? 0.3 : 0.01);
    }
}

static void one_edge_is_the_knife_edge(void **state)
{
    (void)state;
    for (double height = -10; height < 30; height += 0.7) {
        double distance_m[] = {0, 300, 500}, altitude_m[] = {10, 10 + height, 10};
        rw_edge_path path = {distance_m, altitude_m, 3};
        double nu = rw_knife_edge_nu(height, 300, 200, 0.15);
        assert_near(rw_vogler_loss_db(&path, 0.15), rw_knife_edge_loss_db(nu), nu < -4 ? 0.5 : 1e-4);
        assert_near(rw_deygout_loss_db(&path, 0.15, 3), rw_knife_edge_loss_p526_db(nu), 1e-12);
    }
}

static void vogler_agrees_with_kirchhoff(void **state)
{
    (void)state;
    const double heights[][3] = {{10, 12, 10}, {8, 14, 9}, {12, 9, 13}, {10, 10, 10}, {15, 3, 12}, {6, 18, 4}};
    double worst = 0;
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        double distance_m[] = {0, 200, 350, 450, 700};
        double altitude_m[] = {8, heights[i][0], heights[i][1], heights[i][2], 2};
        rw_edge_path path = {distance_m, altitude_m, 5};
        double exact_db = kirchhoff_loss_db(&path, 0.5, 90, 900), got_db = rw_vogler_loss_db(&path, 0.5);
        double deygout_db = rw_deygout_loss_db(&path, 0.5, 3);
        printf("edges %g %g %g m: Kirchhoff %.2f dB, Vogler %.2f dB, Deygout %.2f dB\n", heights[i][0], heights[i][1],
               heights[i][2], exact_db, got_db, deygout_db);
        assert_near(got_db, exact_db, 0.05);
        assert_near(deygout_db, exact_db, 8.0);
        worst = fabs(got_db - exact_db) > worst ? fabs(got_db - exact_db) : worst;
    }
    printf("Vogler: largest difference %.3f dB\n", worst);
}

static void multiple_edges_are_reciprocal(void **state)
{
    (void)state;
    double distance_m[] = {0, 120, 300, 420, 700}, altitude_m[] = {8, 15, 11, 19, 2};
    double turned_m[] = {0, 280, 400, 580, 700}, back_m[] = {2, 19, 11, 15, 8};
    rw_edge_path there = {distance_m, altitude_m, 5}, back = {turned_m, back_m, 5};
    assert_near(rw_vogler_loss_db(&there, 0.3), rw_vogler_loss_db(&back, 0.3), 1e-9);
    assert_near(rw_deygout_loss_db(&there, 0.3, 0), rw_deygout_loss_db(&back, 0.3, 0), 1e-9);
}

static void clear_paths_cost_nothing(void **state)
{
    (void)state;
    double distance_m[] = {0, 200, 350, 700}, altitude_m[] = {50, 0, 3, 40};
    rw_edge_path path = {distance_m, altitude_m, 4};
    assert_near(rw_deygout_loss_db(&path, 0.1, 0), 0, 0);
    assert_near(rw_vogler_loss_db(&path, 0.1), 0, 0.5);
    rw_profile profile = {distance_m, altitude_m, 4, 60, 50, 0};
    assert_near(rw_bullington_loss_db(&profile, 0.1), 0, 1e-12);
}

#define POINTS_MAX 4096

struct log_entries {
    double freq_ghz, earth_km, first_m, last_m, first_smooth_m, last_smooth_m, actual_db, smooth_db;
    double median_db, sea_fraction, polarisation;
};

/* The value in the fourth column of the row that starts with name and whose second column is reference (NULL: any). */
static int read_log_value(const char *path, const char *name, const char *reference, double *value)
{
    FILE *file = fopen(path, "r");
    char line[512];
    int found = 0;
    while (file && !found && fgets(line, sizeof line, file)) {
        char *columns[4] = {line, NULL, NULL, NULL};
        for (int i = 1; i < 4 && columns[i - 1]; i++) {
            columns[i] = strchr(columns[i - 1], ',');
            if (columns[i])
                *columns[i]++ = 0;
        }
        found = columns[3] && strcmp(columns[0], name) == 0 && (!reference || strcmp(columns[1], reference) == 0);
        if (found)
            *value = atof(columns[3]);
    }
    if (file)
        fclose(file);
    return found;
}

static int read_log(const char *path, struct log_entries *entries)
{
    return read_log_value(path, "f (GHz)", NULL, &entries->freq_ghz) &&
           read_log_value(path, "ae (km)", NULL, &entries->earth_km) &&
           read_log_value(path, "hts (m)", NULL, &entries->first_m) &&
           read_log_value(path, "hrs (m)", NULL, &entries->last_m) &&
           read_log_value(path, "htc (m)", "Eq (37a)", &entries->first_smooth_m) &&
           read_log_value(path, "hrc (m)", "Eq (37b)", &entries->last_smooth_m) &&
           read_log_value(path, "Lbulla (dB)", NULL, &entries->actual_db) &&
           read_log_value(path, "Lbulls (dB)", NULL, &entries->smooth_db) &&
           read_log_value(path, "Ld50 (dB)", NULL, &entries->median_db) &&
           read_log_value(path, "w", NULL, &entries->sea_fraction) &&
           read_log_value(path, "pol", NULL, &entries->polarisation);
}

/* Distance, ground height, and that with clutter between the ends, in metres. */
static size_t read_profile(const char *path, double *distance_m, double *ground_m, double *height_m)
{
    FILE *file = fopen(path, "r");
    char line[512];
    size_t count = 0;
    int inside = 0;
    double clutter[POINTS_MAX];
    while (file && fgets(line, sizeof line, file) && count < POINTS_MAX) {
        double km, height, code, cover;
        if (strncmp(line, "{Begin of Profile}", 18) == 0)
            inside = 1;
        else if (inside && sscanf(line, "%lf,%lf,%lf,%lf", &km, &height, &code, &cover) == 4) {
            distance_m[count] = 1000 * km;
            height_m[count] = ground_m[count] = height;
            clutter[count++] = cover;
        }
    }
    if (file)
        fclose(file);
    for (size_t i = 1; i + 1 < count; i++)
        height_m[i] += clutter[i];
    return count;
}

static const char *const profiles[] = {"b2iseac",
                                       "b2iseac_dense_urban_land",
                                       "b2iseac_dense_urban_land_eqdist",
                                       "b2iseac_eqdist",
                                       "b2iseac_eqdist_vertical",
                                       "b2iseac_rural_land_100km",
                                       "b2iseac_rural_land_100km_eqdist",
                                       "b2iseac_rural_land_10km",
                                       "b2iseac_rural_land_10km_eqdist",
                                       "b2iseac_rural_land_1km",
                                       "b2iseac_rural_land_1km_eqdist",
                                       "b2iseac_vertical",
                                       "rburg",
                                       "rburg_rural_noclutter",
                                       "rburg_rural_noclutter_los",
                                       "rburg_rural_noclutter_los_subpath_diffraction",
                                       "rburg_rural_with_clutter",
                                       "rburg_urban_with_clutter",
                                       "rburg_urban_with_clutter_vertical"};

static void bullington_agrees_with_p1812(void **state)
{
    (void)state;
    require_test_data(folder_found, "vectors/p1812/validation_results/rburg_0_log.csv");
    char folder[4096], path[4352];
    snprintf(folder, sizeof folder, "%.*s", (int)(strstr(folder_found, "/validation_results") - folder_found),
             folder_found);
    static double distance_m[POINTS_MAX], ground_m[POINTS_MAX], height_m[POINTS_MAX], zero_m[POINTS_MAX];
    int cases = 0;
    double worst = 0, worst_delta = 0;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        snprintf(path, sizeof path, "%s/validation_profiles/%s.csv", folder, profiles[i]);
        size_t count = read_profile(path, distance_m, ground_m, height_m);
        assert_true(count > 3);
        for (int set = 0; set < 10; set++) {
            struct log_entries entries;
            snprintf(path, sizeof path, "%s/validation_results/%s_%d_log.csv", folder, profiles[i], set);
            if (access(path, R_OK) != 0)
                break;
            assert_true(read_log(path, &entries));
            double wavelength_m = 0.2998 / entries.freq_ghz; /* the constants of P.1812 */
            double earth_m = 6371e3 * 3.0; /* eq. (7b): the last radius for which the logs keep these two */
            rw_profile actual = {distance_m, height_m, count, entries.first_m, entries.last_m, earth_m};
            rw_profile smooth = {distance_m, zero_m, count, entries.first_smooth_m, entries.last_smooth_m, earth_m};
            double got_db = rw_bullington_loss_db(&actual, wavelength_m);
            double got_smooth_db = rw_bullington_loss_db(&smooth, wavelength_m);
            worst =
                worse_of(worse_of(worst, fabs(got_db - entries.actual_db)), fabs(got_smooth_db - entries.smooth_db));
            actual.earth_radius_m = 1000 * entries.earth_km; /* the median */
            rw_earth_surface over = {entries.sea_fraction, entries.polarisation == 1};
            double delta_db = rw_profile_delta_bullington_db(&actual, ground_m, over, wavelength_m);
            worst_delta = worse_of(worst_delta, fabs(delta_db - entries.median_db));
            cases++;
        }
    }
    printf("Bullington: %d cases, largest difference %.1e dB; delta-Bullington: %.1e dB\n", cases, worst, worst_delta);
    assert_int_equal(cases, 63);
    assert_near(worst, 0, 1e-6);
    assert_near(worst_delta, 0, 0.1);
}

/* Profiles made by hand: a level profile of so many points, between antennas. */
static rw_profile level_profile(double *distance_m, double *height_m, size_t count, double length_m, double antenna_m,
                                double earth_radius_m)
{
    for (size_t i = 0; i < count; i++) {
        distance_m[i] = length_m * (double)i / (double)(count - 1);
        height_m[i] = 0;
    }
    rw_profile made = {distance_m, height_m, count, antenna_m, antenna_m, earth_radius_m};
    return made;
}

/* Over a level profile the trend is the profile itself: what is left is the smooth earth's own loss, beyond the
 * horizon, before it, and none in clear sight. */
static void delta_bullington_of_smooth_earth(void **state)
{
    (void)state;
    static double distance_m[POINTS_MAX], height_m[POINTS_MAX];
    const double lengths_m[] = {60e3, 40e3, 25e3}, wavelength_m = 0.3747, radius_m = 8495e3;
    const rw_earth_surface land = {0, 0};
    for (int i = 0; i < 3; i++) {
        rw_profile profile = level_profile(distance_m, height_m, 2001, lengths_m[i], 20, radius_m);
        double expected_db = rw_smooth_earth_loss_db(land, lengths_m[i], 20, 20, radius_m, wavelength_m);
        assert_true(expected_db > 10);
        assert_near(rw_profile_delta_bullington_db(&profile, NULL, land, wavelength_m), expected_db, 0.02);
    }
    rw_profile near = level_profile(distance_m, height_m, 2001, 500, 20, radius_m);
    assert_near(rw_profile_delta_bullington_db(&near, NULL, land, wavelength_m), 0, 1e-9);
    /* Far below the horizon the residue series falls by 17.6 dB for a step of 1 of X: eq. (30). */
    double x_m = 1000 / (21.88 * cbrt(0.299792458 / wavelength_m / (8495.0 * 8495.0)));
    double far_db = rw_smooth_earth_loss_db(land, 100e3, 20, 20, radius_m, wavelength_m);
    double farther_db = rw_smooth_earth_loss_db(land, 100e3 + x_m, 20, 20, radius_m, wavelength_m);
    assert_near(farther_db - far_db, 17.6 - 10 * log10(1 + x_m / 100e3), 0.2);
}

/* One sharp edge high above clear ground: Bullington's own number, on a flat earth and on a round one. */
static void delta_bullington_of_one_edge(void **state)
{
    (void)state;
    static double distance_m[POINTS_MAX], height_m[POINTS_MAX];
    const double wavelength_m = 0.3, length_m = 4000;
    const rw_earth_surface land = {0, 0};
    for (int round = 0; round < 2; round++) {
        double radius_m = round ? 8495e3 : 0;
        rw_profile profile = level_profile(distance_m, height_m, 401, length_m, 100, radius_m);
        height_m[150] = 130;
        double bulge_m = round ? 1500.0 * 2500.0 / (2 * radius_m) : 0;
        double nu = (30 + bulge_m) * sqrt(2 * length_m / (wavelength_m * 1500 * 2500));
        double edge_db = rw_knife_edge_loss_p526_db(nu);
        double expected_db = edge_db + (1 - exp(-edge_db / 6)) * (10 + 0.02 * 4);
        assert_near(rw_profile_delta_bullington_db(&profile, NULL, land, wavelength_m), expected_db, 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delta_bullington_of_smooth_earth),       cmocka_unit_test(delta_bullington_of_one_edge),
        cmocka_unit_test(two_edges_at_grazing_follow_millington), cmocka_unit_test(one_edge_is_the_knife_edge),
        cmocka_unit_test(edges_at_grazing_follow_vogler),         cmocka_unit_test(vogler_agrees_with_kirchhoff),
        cmocka_unit_test(multiple_edges_are_reciprocal),          cmocka_unit_test(clear_paths_cost_nothing),
        cmocka_unit_test(bullington_agrees_with_p1812),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
