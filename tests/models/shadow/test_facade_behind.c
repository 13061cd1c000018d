/* Over the roofs, the facade behind a receiver sends power back to it, at a hand's breadth as well as across the
 * street. */
#include "prediction.h"

#define NEAR_X 39.5 /* half a metre before the facade at x = 40 */
#define FAR_X 36.5

/* A street along y, behind a row of houses, with or without houses on its other side. */
static prediction begin_street(int other_side, const char *effects)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (const double[]){0, -200, 20, 200}, 15, NULL);
    if (other_side)
        add_box(context, scene, (const double[]){40, -200, 60, 200}, 15, NULL);
    add_box(context, scene, (const double[]){-310, 190, -305, 195}, 1, NULL); /* for the scene's extent */
    add_box(context, scene, (const double[]){100, 190, 105, 195}, 1, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.effects = effects;
    now.options.prior = "none";
    now.options.layers = "path_loss,mechanism,deflections";
    now.options.res_m = 1;
    now.options.area_m[0] = 20;
    now.options.area_m[1] = -3;
    now.options.area_m[2] = 40;
    now.options.area_m[3] = 3;
    now.tx[0].x_m = -300;
    now.tx[0].y_m = 0;
    now.tx[0].height_m = 25;
    return now;
}

static void street_loss_db(int other_side, double loss_db[2])
{
    prediction now = begin_street(other_side, "roofs");
    rw_map *map = predict(&now);
    loss_db[0] = (double)value_at(map, "path_loss", NEAR_X, 0.5);
    loss_db[1] = (double)value_at(map, "path_loss", FAR_X, 0.5);
    rw_map_destroy(map);
    end(&now);
}

static void a_facade_helps_near_as_well_as_far(void **state)
{
    (void)state;
    double open_db[2], street_db[2];
    street_loss_db(0, open_db);
    street_loss_db(1, street_db);
    double near_db = open_db[0] - street_db[0], far_db = open_db[1] - street_db[1];
    assert_true(near_db > 0.2 && far_db > 0.2 && near_db < 3.1); /* at most a wave as strong as the first */
    assert_near(near_db, far_db, 1);
}

/* One row of houses: one deflection over it, none through it. */
static void layers_say_which_way(void **state)
{
    (void)state;
    static const char *const effects[] = {"roofs", "walls"};
    for (int i = 0; i < 2; i++) {
        prediction now = begin_street(0, effects[i]);
        rw_map *map = predict(&now);
        assert_near((double)value_at(map, "mechanism", FAR_X, 0.5), i == 0 ? 2 : 3, 0);
        assert_near((double)value_at(map, "deflections", FAR_X, 0.5), i == 0 ? 1 : 0, 0);
        rw_map_destroy(map);
        end(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_facade_helps_near_as_well_as_far),
        cmocka_unit_test(layers_say_which_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
