/* Diffraction at the free edge of a wall keeps the polarisation of a wave that comes straight at it: what is across the
 * edge stays across it, and a vertical receiver does not take it. */
#include "prediction.h"
#include "rooms.h"

/* Loss of the path over the upright edge of a wall, all at one height, or over its top; infinite where there is none.
 */
static double edge_loss_db(double roll_deg, int over_top)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene;
    double loss_db = INFINITY;
    assert_ok(context, rw_scene_create(context, &scene));
    add_slab_of(context, scene, "wall", "itu_concrete", 0.2);
    add_panel_of(context, scene, 0, -20, 0, over_top ? 20 : 0, 0, over_top ? 17 : 30, "wall");
    add_panel_of(context, scene, -40, -40, -39, -40, 0, 1, "wall"); /* for the scene's extent: low and far away */
    add_panel_of(context, scene, 39, 40, 40, 40, 0, 1, "wall");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, "images");
    now.tx[0].x_m = -9;
    now.tx[0].y_m = over_top ? 0 : -4;
    now.tx[0].height_m = 15;
    now.tx[0].azimuth_deg = over_top ? 90 : 66; /* towards the edge */
    now.tx[0].downtilt_deg = over_top ? -atan2(2, 9) * 180 / M_PI : 0;
    now.tx[0].roll_deg = roll_deg;
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.depth = 1;
    now.options.diffractions = 1;
    rw_point point = {.size = sizeof point, .x_m = 7, .y_m = over_top ? 0 : -5, .height_m = 15};
    rw_paths *paths;
    assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        const rw_path_vertex *at = path.vertices + 1;
        if (path.vertex_count == 3 && fabs(at->x_m) < 0.01 && fabs(at->y_m) < 0.01 &&
            fabs(at->z_m - (over_top ? 17 : 15)) < 0.01 &&
            (at->interaction == RW_INTERACTION_STREET || at->interaction == RW_INTERACTION_ROOF))
            loss_db = path.loss_db;
    }
    rw_paths_destroy(paths);
    end(&now);
    return loss_db;
}

/* ITU-R P.526, eq. (31), over the straight line of 16 m: the edge is beyond_m from it. */
static double knife_edge_db(double beyond_m)
{
    double wavelength_m = 299792458.0 / 2.4e9, nu = beyond_m * sqrt(2 / wavelength_m * (1.0 / 9 + 1.0 / 7));
    return 20 * log10(4 * M_PI * 16 / wavelength_m) + 6.9 + 20 * log10(sqrt((nu - 0.1) * (nu - 0.1) + 1) + nu - 0.1);
}

static void an_edge_keeps_polarisation(void **state)
{
    (void)state;
    for (int over_top = 0; over_top < 2; over_top++) {
        double upright_db = edge_loss_db(0, over_top);
        assert_near(upright_db, knife_edge_db(over_top ? 2 : 4.5), 5); /* a slab is no knife */
        assert_true(edge_loss_db(90, over_top) > upright_db + 60);
        assert_near(edge_loss_db(45, over_top), upright_db + 3.0103, 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_keeps_polarisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
