/* Chains of a reflection and a diffraction in the tiles model, in either order and off the middle of the scene: the
 * same paths as the exhaustive ray tracer finds. */
#include "ray_cases.h"

#define WEAK_DB 145.0

typedef struct chain {
    double length_m, loss_db;
    int met; /* by the other model */
} chain;

/* Paths of these two interactions. */
static size_t list_chains(const rw_paths *paths, rw_interaction first, rw_interaction second, chain *list)
{
    size_t count = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertex_count == 4 && path.vertices[1].interaction == first && path.vertices[2].interaction == second &&
            path.loss_db < WEAK_DB)
            list[count++] = (chain){path.length_m, path.loss_db, 0};
        assert_true(count < 64);
    }
    return count;
}

/* A tower whose corners bend, a long wall that mirrors, and ends out of each other's sight. */
static rw_paths *trace_chains(prediction *now, const char *model, double far_m)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_metal(context, scene, 0);
    add_block(context, scene, (double[]){far_m, far_m, far_m + 40, far_m + 40}, 60, "metal");
    add_block(context, scene, (double[]){far_m - 60, far_m - 40, far_m - 50, far_m + 120}, 60, "metal");
    commit_between(context, scene, -50, far_m + 200);
    *now = begin_rt(scene, context, far_m - 20, far_m + 15, 25);
    now->options.model = model;
    now->options.depth = 2;
    now->options.reflections = 1;
    now->options.diffractions = 1;
    now->options.scatterings = 0;
    if (strcmp(model, "tiles") == 0)
        now->options.tile_area_m2 = 50;
    return trace_to(now, far_m + 25, far_m - 15, 27);
}

static void both_models_have_the_same_chains(void **state)
{
    (void)state;
    const rw_interaction orders[2][2] = {{RW_INTERACTION_REFLECTION, RW_INTERACTION_STREET},
                                         {RW_INTERACTION_STREET, RW_INTERACTION_REFLECTION}};
    for (double far_m = 0; far_m <= 300; far_m += 300) {
        prediction exact, tiles;
        rw_paths *all = trace_chains(&exact, "rt", far_m), *found = trace_chains(&tiles, "tiles", far_m);
        for (int order = 0; order < 2; order++) {
            chain wanted[64], got[64];
            size_t wanted_count = list_chains(all, orders[order][0], orders[order][1], wanted);
            size_t got_count = list_chains(found, orders[order][0], orders[order][1], got);
            assert_int_equal(got_count, wanted_count);
            for (size_t i = 0; i < wanted_count; i++)
                for (size_t j = 0; j < got_count; j++)
                    wanted[i].met |= fabs(wanted[i].length_m - got[j].length_m) < 1e-3 &&
                                     fabs(wanted[i].loss_db - got[j].loss_db) < 0.01;
            for (size_t i = 0; i < wanted_count; i++)
                assert_int_equal(wanted[i].met, 1);
            assert_true(wanted_count > 0);
        }
        rw_paths_destroy(all);
        rw_paths_destroy(found);
        end_rt(&exact);
        end_rt(&tiles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_models_have_the_same_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
