/* The receivers' antenna in every model that has one, the power that path loss counts from, and receivers too near to a
 * transmitter. */
#include "base/maths/elementary.h"
#include "field/air/air.h"
#include "field/paths/pattern.h"
#include "ray_cases.h"

static const char *const models[] = {"tiles", "rt", "images", "sbr"};
#define MODELS (sizeof models / sizeof *models)
#define PATH_MODELS (MODELS - 1) /* sbr has maps alone */

/* A wall beside the way, so that there are a direct and a reflected path. */
static prediction begin_street(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_block(context, scene, (double[]){100, 0, 120, 400}, 60, NULL);
    commit_between(context, scene, -20, 420);
    prediction now = begin_rt(scene, context, 40, 100, 20);
    now.options.model = model;
    now.options.prior = "none";
    now.options.depth = 1;
    if (strcmp(model, "images") == 0)
        now.options.pixels = 256;
    if (strcmp(model, "sbr") == 0)
        now.options.rays = 100;
    return now;
}

static rw_vec3 direction_of(double theta_deg, double phi_deg)
{
    double theta = theta_deg * RW_PI / 180, phi = phi_deg * RW_PI / 180;
    return rw_vec3_of(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
}

/* Upright antennas have the same polarisation: each path gains what the antenna has where it comes from. */
static void check_paths(const char *model)
{
    prediction now = begin_street(model);
    rw_antenna *sector;
    assert_ok(now.context, rw_antenna_create(now.context, "3gpp", &sector));
    rw_paths *plain = trace_to(&now, 70, 260, 12);
    now.options.rx_antenna = "3gpp";
    now.options.rx_azimuth_deg = 140;
    rw_paths *turned = trace_to(&now, 70, 260, 12);
    size_t count = rw_paths_count(plain), found = 0;
    assert_true(count >= 2);
    assert_int_equal(rw_paths_count(turned), count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            rw_path before = {.size = sizeof before}, after = {.size = sizeof after};
            rw_paths_get(plain, i, &before);
            rw_paths_get(turned, k, &after);
            if (fabs(before.length_m - after.length_m) > 1e-6)
                continue;
            rw_vec3 from = direction_of(before.arrival_theta_deg, before.arrival_phi_deg);
            double gain_db = rw_antenna_gain_towards(sector, 140, 0, 0, from);
            assert_near(before.loss_db - after.loss_db, gain_db, 0.01);
            found++;
        }
    assert_int_equal(found, count);
    rw_paths_destroy(plain);
    rw_paths_destroy(turned);
    rw_antenna_destroy(sector);
    end_rt(&now);
}

static void paths_have_the_gain_of_their_arrival(void **state)
{
    (void)state;
    for (size_t i = 0; i < PATH_MODELS; i++)
        check_paths(models[i]);
}

/* The direct path is vertical: half of its power is slanted, none of it horizontal. */
static void check_slant(const char *model)
{
    prediction now = begin_street(model);
    now.options.reflections = 0;
    rw_paths *plain = trace_to(&now, 70, 260, 20);
    now.options.rx_slant_deg = 45;
    rw_paths *slanted = trace_to(&now, 70, 260, 20);
    now.options.rx_slant_deg = 0;
    now.options.rx_roll_deg = 60; /* tilts an isotropic antenna's polarisation about its boresight, north */
    now.options.rx_azimuth_deg = atan2(40 - 70, 100 - 260) * 180 / RW_PI; /* towards the transmitter */
    rw_paths *rolled = trace_to(&now, 70, 260, 20);
    rw_path direct = only_path(plain, 0, NULL), half = only_path(slanted, 0, NULL), turned = only_path(rolled, 0, NULL);
    assert_near(half.loss_db - direct.loss_db, 10 * log10(2), 1e-6);
    assert_near(turned.loss_db - direct.loss_db, -20 * log10(cos(RW_PI / 3)), 1e-6);
    rw_paths_destroy(plain);
    rw_paths_destroy(slanted);
    rw_paths_destroy(rolled);
    end_rt(&now);
}

static void polarisation_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < PATH_MODELS; i++)
        check_slant(models[i]);
}

/* Across a vertical transmitter's polarisation a receiver takes nothing of the direct path, and no more than rounding.
 */
static void nothing_arrives_across_the_polarisation(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++) {
        prediction now = begin_street(models[i]);
        now.options.reflections = 0;
        now.options.diffractions = 0;
        now.options.rx_slant_deg = 90;
        if (strcmp(models[i], "images") == 0 || strcmp(models[i], "sbr") == 0)
            now.options.direct = "limited"; /* the sums alone, which have nothing */
        now.options.layers = "path_loss";
        now.options.res_m = 10;
        rw_map *map = predict(&now);
        for (double x = 15; x < 90; x += 20)
            assert_true(value_at(map, "path_loss", x, 255) > 200); /* free space has 80 dB */
        rw_map_destroy(map);
        end_rt(&now);
    }
}

/* Points with antennas of their own have the paths that they would have alone, in the order of the points. */
static void points_have_antennas_of_their_own(void **state)
{
    (void)state;
    prediction now = begin_street("rt");
    const rw_point points[] = {
        {.size = sizeof points[0], .x_m = 70, .y_m = 260, .height_m = 12, .antenna = "3gpp", .azimuth_deg = 140},
        {.size = sizeof points[0], .x_m = 60, .y_m = 230, .height_m = 12},
        {.size = sizeof points[0], .x_m = 70, .y_m = 260, .height_m = 12, .antenna = "", .slant_deg = 45},
        {.size = sizeof points[0], .x_m = 65, .y_m = 250, .height_m = 12, .antenna = "3gpp", .azimuth_deg = 140}};
    rw_paths *all;
    now.options.transmitters = now.tx;
    assert_ok(now.context, rw_trace(now.scene, &now.options, points, 4, &all));
    assert_int_equal(rw_paths_point_count(all), 4);
    size_t at = 0;
    for (size_t i = 0; i < 4; i++) {
        now.options.rx_antenna = i == 0 || i == 3 ? "3gpp" : NULL;
        now.options.rx_azimuth_deg = i == 0 || i == 3 ? 140 : NAN;
        now.options.rx_slant_deg = i == 2 ? 45 : NAN;
        rw_paths *alone = trace_to(&now, points[i].x_m, points[i].y_m, points[i].height_m);
        assert_true(rw_paths_count(alone) >= 2);
        for (size_t k = 0; k < rw_paths_count(alone); k++, at++) {
            rw_path own = {.size = sizeof own}, found = {.size = sizeof found};
            rw_paths_get(alone, k, &own);
            assert_ok(now.context, rw_paths_get(all, at, &found));
            assert_int_equal(found.point, i);
            assert_near(found.loss_db, own.loss_db, 1e-9);
            assert_near(found.gain_re, own.gain_re, 1e-12);
        }
        rw_paths_destroy(alone);
    }
    assert_int_equal(rw_paths_count(all), at);
    rw_paths_destroy(all);
    end_rt(&now);
}

/* Maps in sight of the transmitter alone, straight paths only: the gain towards it. */
static void check_map(const char *model)
{
    prediction now = begin_street(model);
    int beams = strcmp(model, "beams") == 0;
    rw_antenna *sector;
    assert_ok(now.context, rw_antenna_create(now.context, "3gpp", &sector));
    now.options.depth = beams ? RW_UNSET : 1;
    now.options.reflections = 0;
    now.options.diffractions = 0;
    if (beams)
        now.options.transmissions = 0;
    now.options.layers = "power";
    now.options.res_m = 10;
    now.options.area_m[0] = now.options.area_m[1] = 10;
    now.options.area_m[2] = 90;
    now.options.area_m[3] = 390;
    rw_map *plain = predict(&now);
    now.options.rx_antenna = "3gpp";
    now.options.rx_azimuth_deg = 200;
    now.options.rx_tilt_deg = -10;
    rw_map *turned = predict(&now);
    for (double y = 15; y < 390; y += 50)
        for (double x = 15; x < 90; x += 20) {
            rw_vec3 from = rw_vec3_of(40 - x, 100 - y, 20 - 1.5);
            double gain_db = rw_antenna_gain_towards(sector, 200, -10, 0, from);
            double more_db = (double)value_at(turned, "power", x, y) - (double)value_at(plain, "power", x, y);
            /* a tilted antenna's polarisation turns by some degrees where the wave comes from the side */
            assert_near(more_db, gain_db, beams ? 0.02 : 0.4);
        }
    rw_map_destroy(plain);
    rw_map_destroy(turned);
    rw_antenna_destroy(sector);
    end_rt(&now);
}

static void maps_have_the_gain(void **state)
{
    (void)state;
    check_map("beams");
    for (size_t i = 0; i < MODELS; i++)
        check_map(models[i]);
}

/* The map of a transmitter of two ports is the mean power of the maps of each. */
static void maps_have_both_ports(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODELS; m++) {
        prediction now = begin_street(models[m]);
        rw_map *maps[3];
        now.options.diffractions = 0;
        now.options.layers = "power";
        now.options.res_m = 10;
        now.options.area_m[0] = now.options.area_m[1] = 10;
        now.options.area_m[2] = 90;
        now.options.area_m[3] = 190;
        for (int i = 0; i < 3; i++) {
            now.tx[0].slant_deg = i == 1 ? -70 : 20;
            now.tx[0].dual_polarised = i == 2;
            maps[i] = predict(&now);
        }
        for (double y = 15; y < 190; y += 50)
            for (double x = 15; x < 90; x += 20) {
                double first = (double)value_at(maps[0], "power", x, y),
                       second = (double)value_at(maps[1], "power", x, y);
                double mean_db = 10 * log10(0.5 * (pow(10, 0.1 * first) + pow(10, 0.1 * second)));
                assert_near(value_at(maps[2], "power", x, y), mean_db, 0.01);
            }
        for (int i = 0; i < 3; i++)
            rw_map_destroy(maps[i]);
        end_rt(&now);
    }
}

/* Behind a block the way over its roof is all there is: it arrives from above the roof's edge. */
static void over_roofs(void **state)
{
    (void)state;
    const char *const of[] = {"tiles", "beams"};
    for (int i = 0; i < 2; i++) {
        prediction now = begin_street(of[i]);
        rw_antenna *sector;
        assert_ok(now.context, rw_antenna_create(now.context, "3gpp", &sector));
        now.options.depth = i ? RW_UNSET : 1;
        now.options.reflections = now.options.diffractions = 0;
        if (i)
            now.options.transmissions = 0;
        now.options.layers = "power";
        now.options.area_m[0] = 205;
        now.options.area_m[1] = 95;
        now.options.area_m[2] = 210;
        now.options.area_m[3] = 100;
        rw_map *plain = predict(&now);
        now.options.rx_antenna = "3gpp";
        now.options.rx_azimuth_deg = 270;
        rw_map *turned = predict(&now);
        double more_db = (double)value_at(turned, "power", 207, 97) - (double)value_at(plain, "power", 207, 97);
        /* beams: towards the transmitter; tiles: along the last leg, from the middle of the roof, its main edge */
        rw_vec3 from = i ? rw_vec3_of(-1, 0, 18.5 / 167.5) : rw_vec3_of(110 - 207.5, 0, 60 - 1.5);
        assert_near(more_db, rw_antenna_gain_towards(sector, 270, 0, 0, from), 0.1);
        rw_map_destroy(plain);
        rw_map_destroy(turned);
        rw_antenna_destroy(sector);
        end_rt(&now);
    }
}

static void refusals(void **state)
{
    (void)state;
    prediction now = begin_street("shadow");
    rw_map *map;
    now.options.transmitters = now.tx;
    now.options.depth = RW_UNSET;
    now.options.rx_antenna = "dipole";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "rx-antenna is of beams, images");
    now.options.model = "cubes";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "model cubes has no option rx-antenna");
    now.options.model = "tiles";
    now.options.rx_antenna = "no such file";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_NOT_FOUND, "there is no antenna");
    now.options.rx_antenna = "dipole";
    now.options.layers = "field_strength";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "leave rx-antenna out");
    now.options.layers = NULL;
    now.options.rx_azimuth_deg = 400;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "rx-azimuth = 400");
    now.options.model = "beams";
    now.options.rx_azimuth_deg = NAN;
    now.options.reference = "erp";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "model beams has no option reference");
    end_rt(&now);
}

/* ERP is 2.15 dB below EIRP, which is the antenna's peak above its input; power stays. */
static void path_loss_counts_from_erp(void **state)
{
    (void)state;
    const char *const of[] = {"tiles", "rt", "images", "sbr", "cubes"};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        prediction now = begin_street(of[i]);
        if (strcmp(of[i], "cubes") == 0)
            now.options.depth = RW_UNSET;
        now.tx[0].antenna = "3gpp";
        now.options.layers = "path_loss,power";
        now.options.res_m = 10;
        now.options.area_m[0] = now.options.area_m[1] = 60;
        now.options.area_m[2] = now.options.area_m[3] = 90;
        rw_map *plain = predict(&now);
        now.options.reference = "eirp";
        rw_map *eirp = predict(&now);
        now.options.reference = "erp";
        rw_map *erp = predict(&now);
        float loss = value_at(plain, "path_loss", 75, 75);
        assert_true(isfinite(loss));
        assert_near((double)(value_at(eirp, "path_loss", 75, 75) - loss), 8, 1e-4);
        assert_near((double)(value_at(erp, "path_loss", 75, 75) - loss), 8 - 2.15, 1e-4);
        assert_near((double)value_at(erp, "power", 75, 75), (double)value_at(plain, "power", 75, 75), 0);
        rw_map_destroy(plain);
        rw_map_destroy(eirp);
        rw_map_destroy(erp);
        end_rt(&now);
    }
}

static void check_near(prediction *now, double limit_m)
{
    const double away[] = {0, 20, 50, 51, 56, 80};
    rw_map *map = predict(now);
    for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
        double x = 42.5, y = 102.5 + 5 * floor(away[i] / 5);
        double distance_m = sqrt(pow(x - 40, 2) + pow(y - 100, 2) + 18.5 * 18.5);
        assert_int_equal(isnan(value_at(map, "path_loss", x, y)) != 0, distance_m < limit_m);
        assert_int_equal(isnan(value_at(map, "power", x, y)) != 0, distance_m < limit_m);
    }
    rw_map_destroy(map);
}

static void near_receivers_have_no_value(void **state)
{
    (void)state;
    const char *const of[] = {"tiles", "shadow", "cubes", "beams"};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        prediction now = begin_street(of[i]);
        now.options.depth = RW_UNSET;
        now.options.layers = "path_loss,power";
        now.options.area_m[0] = 35;
        now.options.area_m[1] = 100;
        now.options.area_m[2] = 50;
        now.options.area_m[3] = 200;
        check_near(&now, 0);
        now.options.exclude_within_m = 60;
        check_near(&now, 60);
        now.options.antenna_size_m = 2.5; /* 2 D^2 / lambda */
        check_near(&now, 2 * 2.5 * 2.5 / WAVELENGTH_M);
        end_rt(&now);
    }
}

/* A cell beside one of two transmitters belongs to the other. */
static void another_transmitter_serves_there(void **state)
{
    (void)state;
    prediction now = begin_street("tiles");
    now.tx[1] = now.tx[0];
    now.tx[1].y_m = 300;
    now.options.transmitter_count = 2;
    now.options.layers = "path_loss,best";
    now.options.exclude_within_m = 40;
    now.options.area_m[0] = 40;
    now.options.area_m[1] = 95;
    now.options.area_m[2] = 45;
    now.options.area_m[3] = 305;
    rw_map *map = predict(&now);
    assert_near((double)value_at(map, "best", 42, 102), 2, 0);
    assert_near((double)value_at(map, "best", 42, 302), 1, 0);
    assert_near((double)value_at(map, "best", 42, 172), 1, 0);
    rw_map_destroy(map);
    end_rt(&now);
}

/* On tiles: the same distances, to their middles; and what air takes goes by them too. */
static void tiles_have_their_own_distances(void **state)
{
    (void)state;
    prediction now = begin_street("tiles");
    rw_tile_map *plain, *air, *far;
    now.options.transmitters = now.tx;
    now.options.freq_hz = 60e9;
    now.options.reflections = now.options.diffractions = 0;
    now.options.roofs = "none";
    now.options.layers = "path_loss";
    now.options.gas = "none";
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &plain));
    now.options.gas = "standard";
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &air));
    now.options.exclude_within_m = 100;
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &far));
    rw_air_state standard = rw_air_standard();
    double db_per_m = 1e-3 * (rw_oxygen_db_km(60e9, &standard) + rw_vapour_db_km(60e9, &standard));
    rw_map_layer losses = layer_of(rw_tile_map_values(plain), "path_loss"),
                 with_air = layer_of(rw_tile_map_values(air), "path_loss"),
                 excluded = layer_of(rw_tile_map_values(far), "path_loss");
    size_t lit = 0;
    for (size_t i = 0; i < losses.count; i++) {
        rw_tile_info tile = {.size = sizeof tile};
        assert_ok(now.context, rw_tile_map_get_tile(plain, i, &tile));
        double middle[3] = {0};
        for (int corner = 0; corner < 4; corner++)
            for (int axis = 0; axis < 3; axis++)
                middle[axis] += 0.25 * tile.corners_m[corner][axis];
        double distance_m = sqrt(pow(middle[0] - 40, 2) + pow(middle[1] - 100, 2) + pow(middle[2] - 20, 2));
        assert_int_equal(isnan(excluded.values[i]) != 0, distance_m < 100);
        if (!isfinite(losses.values[i]))
            continue;
        lit++;
        assert_near((double)(with_air.values[i] - losses.values[i]), db_per_m * distance_m, 1e-3);
    }
    assert_true(lit > 100);
    rw_tile_map_destroy(plain);
    rw_tile_map_destroy(air);
    rw_tile_map_destroy(far);
    end_rt(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_have_the_gain_of_their_arrival),
                                       cmocka_unit_test(polarisation_counts),
                                       cmocka_unit_test(nothing_arrives_across_the_polarisation),
                                       cmocka_unit_test(points_have_antennas_of_their_own),
                                       cmocka_unit_test(maps_have_the_gain),
                                       cmocka_unit_test(maps_have_both_ports),
                                       cmocka_unit_test(over_roofs),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(path_loss_counts_from_erp),
                                       cmocka_unit_test(near_receivers_have_no_value),
                                       cmocka_unit_test(another_transmitter_serves_there),
                                       cmocka_unit_test(tiles_have_their_own_distances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
