/* The transmitter's antenna in the cubes model: it decides which path is dominant, and counts along its departure. */
#include "prediction.h"

/* A building across the way, the same on both sides of it. */
static prediction one_building(double azimuth_deg, const char *antenna)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){190, 170, 210, 230}, 60, "house");
    add_box(context, scene, (double[]){0, 0, 5, 5}, 3, "hut");
    add_box(context, scene, (double[]){395, 395, 400, 400}, 3, "hut");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = "cubes";
    now.options.roofs = now.options.prior = "none";
    now.options.reflections = now.options.horizontal_diffractions = 0;
    now.options.vertical_diffractions = 2;
    now.tx[0].x_m = 100;
    now.tx[0].y_m = 200;
    now.tx[0].height_m = 1.5;
    now.tx[0].antenna = antenna;
    now.tx[0].azimuth_deg = azimuth_deg;
    now.tx[0].power_dbm = 40;
    return now;
}

static rw_path path_to(prediction *now, double x_m, double y_m, rw_paths **paths)
{
    rw_point point = {.size = sizeof point, .x_m = x_m, .y_m = y_m, .height_m = NAN};
    rw_path path = {.size = sizeof path};
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, paths));
    assert_int_equal(rw_paths_count(*paths), 1);
    assert_ok(now->context, rw_paths_get(*paths, 0, &path));
    return path;
}

/* Gain of the antenna as rw_antenna_gain_dbi has it, boresight at the azimuth, no tilt. */
static double gain_dbi(const prediction *now, double theta_deg, double phi_deg)
{
    rw_antenna *antenna;
    assert_ok(now->context, rw_antenna_create(now->context, now->tx[0].antenna, &antenna));
    double bearing_deg = 90 - phi_deg - now->tx[0].azimuth_deg; /* clockwise from boresight */
    double gain = rw_antenna_gain_dbi(antenna, theta_deg, -bearing_deg);
    rw_antenna_destroy(antenna);
    return gain;
}

/* Behind the building, left and right cost about the same; the antenna decides, and its gain is that of the corner. */
static void antenna_chooses_the_path(void **state)
{
    (void)state;
    double loss_db[2], departure_deg[2];
    for (int side = 0; side < 2; side++) {
        prediction now = one_building(side ? 110 : 70, "3gpp"), plain = one_building(0, "isotropic");
        rw_paths *paths, *plain_paths;
        rw_path path = path_to(&now, 300, side ? 200.5 : 199.5, &paths); /* the nearer corner is the other one */
        rw_path alone = path_to(&plain, 300, side ? 200.5 : 199.5, &plain_paths);
        departure_deg[side] = path.departure_phi_deg;
        double gain = gain_dbi(&now, path.departure_theta_deg, path.departure_phi_deg), turns_db = 0;
        for (size_t i = 0; i < path.vertex_count; i++)
            turns_db += (double)path.vertices[i].loss_db;
        assert_near(path.loss_db, path.free_space_db + turns_db - gain, 0.15);
        assert_near(path.free_space_db, alone.free_space_db, 0.1);
        assert_true(path.departure_phi_deg * alone.departure_phi_deg < 0); /* the other side of the building */
        loss_db[side] = path.loss_db;
        rw_paths_destroy(paths);
        rw_paths_destroy(plain_paths);
        end(&now);
        end(&plain);
    }
    assert_true(departure_deg[0] > 5 && departure_deg[1] < -5);
    assert_near(loss_db[0], loss_db[1], 0.5);
}

/* A map has the same: power is what is transmitted less a loss that has the antenna in it, in sight that of the
 * straight line. */
static void antenna_in_maps(void **state)
{
    (void)state;
    prediction now = one_building(60, "3gpp");
    now.options.layers = "path_loss,los,power";
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    const float *loss = layer_of(map, "path_loss").values, *los = layer_of(map, "los").values;
    const float *power = layer_of(map, "power").values;
    size_t in_sight = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        if (!isfinite(loss[i]))
            continue;
        assert_near(power[i], 40 - loss[i], 1e-3);
        double x = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m - now.tx[0].x_m;
        double y = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m - now.tx[0].y_m;
        if (los[i] != 1 || hypot(x, y) < 20)
            continue;
        double free_db = 20 * log10(4 * 3.14159265358979 * hypot(x, y) * now.options.freq_hz / 299792458.0);
        assert_near(loss[i], free_db - gain_dbi(&now, 90, atan2(y, x) * 180 / 3.14159265358979),
                    0.15); /* a table of degrees */
        in_sight++;
    }
    assert_true(in_sight > 1000);
    rw_map_destroy(map);
    end(&now);
}

/* With the way over the roofs and the prior too the antenna adds its gain along the straight line in sight. */
static void antenna_beside_roofs(void **state)
{
    (void)state;
    prediction now = one_building(60, "3gpp"), plain = one_building(0, "isotropic");
    now.options.roofs = plain.options.roofs = "vogler";
    now.options.prior = plain.options.prior = "3gpp";
    now.options.layers = plain.options.layers = "path_loss,los";
    rw_map *map = predict(&now), *without = predict(&plain);
    rw_map_info info = info_of(map);
    const float *loss = layer_of(map, "path_loss").values, *alone = layer_of(without, "path_loss").values;
    for (size_t i = 0; i < info.columns * info.rows; i += 7) {
        double x = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m - now.tx[0].x_m;
        double y = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m - now.tx[0].y_m;
        if (!isfinite(loss[i]) || hypot(x, y) < 20 || (x > 85 && fabs(y) < 120)) /* where more than one way counts */
            continue;
        assert_near(alone[i] - loss[i], gain_dbi(&now, 90, atan2(y, x) * 180 / 3.14159265358979), 0.3);
    }
    rw_map_destroy(map);
    rw_map_destroy(without);
    end(&now);
    end(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(antenna_chooses_the_path), cmocka_unit_test(antenna_in_maps),
                                       cmocka_unit_test(antenna_beside_roofs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
