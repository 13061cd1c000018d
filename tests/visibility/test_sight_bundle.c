/* Lines that are solved side by side against lines one by one: the walls that a bundle crosses against every wall in
 * double, and what kernels make of them against the kernels of one receiver, bit by bit. */
#include "mechanisms/rooftop/over_rooftop.k.h"
#include "sight_oracle.h"
#include "visibility/los/polygons/count_roofs.k.h"

#include "unit.h"

#include <string.h>

#define SIDE 24
#define CELLS (SIDE * SIDE)

typedef struct bundle_case {
    rw_scene *scene;
    rw_receivers receivers;
    rw_wall_grid_view grid;
    rw_vec3 source;
} bundle_case;

static void make_case(rw_context *context, uint64_t seed, bundle_case *made)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 600;
    options.seed = seed;
    options.hills = seed % 2;
    options.style = seed % 3 == 0 ? "grid" : "european";
    assert_ok(context, rw_generate_city(context, &options, &made->scene));
    assert_ok(context, rw_scene_commit(made->scene));
    /* every third map reaches beyond the city */
    double res_m = seed % 3 == 1 ? 40 : seed % 3 == 2 ? 11 : 24.3;
    rw_vec2 corner = made->scene->box_min;
    corner.x -= seed % 3 == 1 ? 150 : 0;
    assert_ok(context, rw_receivers_create(made->scene, &made->scene->prepared->grid, corner, SIDE, SIDE, res_m, 1.5,
                                           &made->receivers));
    uint64_t state = seed;
    rw_vec3 at = oracle_source(made->scene, &state, seed % 2 ? 9 : 35);
    rw_vec2 centre = made->scene->prepared->grid.centre;
    made->source = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z);
    made->grid = made->scene->prepared->grid.view;
    rw_grid_widen(&made->grid, &made->receivers.view, made->source);
    made->grid.curve_per_m = seed % 2 ? 5.9e-8 : 0;
}

static void drop_case(bundle_case *made)
{
    rw_receivers_destroy(&made->receivers);
    rw_scene_destroy(made->scene);
}

/* Every wall that the line crosses is in its list once, in order, but for those that end on it or on its ends. */
static size_t compare_line(const bundle_case *of, const rw_sight *sight, const rw_bundle_line *line)
{
    const rw_wall_grid_view *grid = &of->grid;
    size_t crossed = 0, listed = 0;
    assert_true(line->count <= RW_BUNDLE_CROSSINGS);
    for (int i = 0; i < line->count; i++) {
        double t = -1;
        assert_true(i == 0 || line->t[i - 1] <= line->t[i] + RW_CROSSING_TIE);
        assert_true(
            rw_wall_crosses_exact(sight->from, sight->to, grid->exact + grid->entries[line->entry[i]].wall, &t));
        assert_near((double)line->t[i], t, 1e-4);
        for (int j = 0; j < i; j++)
            assert_true(grid->entries[line->entry[i]].wall != grid->entries[line->entry[j]].wall);
    }
    for (size_t wall = 0; wall < grid->wall_count; wall++) {
        double t;
        if (!rw_wall_crosses_exact(sight->from, sight->to, grid->exact + wall, &t))
            continue;
        crossed++;
        for (int i = 0; i < line->count; i++)
            listed += grid->entries[line->entry[i]].wall == wall;
    }
    assert_int_equal(listed, crossed);
    return crossed;
}

static void crossings_are_those_of_every_wall(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    size_t bundles = 0, tried = 0, crossed = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        bundle_case of;
        make_case(context, seed, &of);
        for (size_t first = 0; first + RW_BUNDLE_LINES <= of.receivers.view.outdoor_count; first += RW_BUNDLE_LINES) {
            rw_sight sights[RW_BUNDLE_LINES];
            float margins[RW_BUNDLE_LINES];
            static rw_bundle bundle;
            static rw_bundle_line lines[RW_BUNDLE_LINES];
            for (size_t i = 0; i < RW_BUNDLE_LINES; i++) {
                rw_vec3 at = rw_receiver_point(&of.receivers.view, of.receivers.outdoor[first + i]);
                sights[i] = rw_sight_of(&of.grid, at, of.source);
                margins[i] = 1e6f; /* every wall is asked for */
            }
            tried++;
            if (!rw_bundle_init(&of.grid, sights, margins, RW_BUNDLE_LINES, &bundle))
                continue;
            bundles++;
            rw_bundle_find_crossings(&bundle, lines);
            for (size_t i = 0; i < RW_BUNDLE_LINES; i++)
                crossed += compare_line(&of, &sights[i], &lines[i]);
        }
        drop_case(&of);
    }
    printf("%zu of %zu groups are bundles, %zu crossings\n", bundles, tried, crossed);
    assert_true(2 * bundles > tried && crossed > 10000);
    rw_context_destroy(context);
}

/* The way over the roofs and the number of roofs, receiver by receiver and in bundles. */
static void kernels_agree_with_those_of_one_receiver(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    static float one[3][CELLS], many[3][CELLS];
    static uint8_t one_edges[CELLS], many_edges[CELLS];
    static uint32_t walls[CELLS], one_walls[CELLS], many_walls[CELLS];
    size_t edges = 0, roofs = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        bundle_case of;
        make_case(context, seed, &of);
        const rw_receivers_view *receivers = &of.receivers.view;
        size_t count = receivers->outdoor_count, bundles = (count + RW_BUNDLE_LINES - 1) / RW_BUNDLE_LINES;
        for (size_t i = 0; i < CELLS; i++)
            walls[i] = one_walls[i] = many_walls[i] = i % 5 != 0;
        rw_roof_source source = {of.source, 0.3f, 5.0f};
        struct rw_over_roofs_args roof = {.grid = of.grid,
                                          .receivers = *receivers,
                                          .sources = &source,
                                          .walls = walls,
                                          .excess_db = one[0],
                                          .open_db = one[1],
                                          .ground_db = one[2],
                                          .edges = one_edges};
        assert_ok(context, rw_device_launch(context, RW_BACKEND_CPU, RW_KERNEL_over_roofs, &roof, count));
        struct rw_over_roofs_bundles_args together = {roof, bundles};
        together.all.excess_db = many[0];
        together.all.open_db = many[1];
        together.all.ground_db = many[2];
        together.all.edges = many_edges;
        assert_ok(context, rw_device_launch(context, RW_BACKEND_CPU, RW_KERNEL_over_roofs_bundles, &together, bundles));
        struct rw_count_roofs_args counted = {{.grid = of.grid,
                                               .receivers = *receivers,
                                               .sources = &of.source,
                                               .source_count = 1,
                                               .walls = one_walls,
                                               .has_decks = 1}};
        struct rw_count_roofs_bundles_args counted_together = {counted.all, bundles};
        counted_together.all.walls = many_walls;
        assert_ok(context, rw_device_launch(context, RW_BACKEND_CPU, RW_KERNEL_count_roofs, &counted, count));
        assert_ok(context,
                  rw_device_launch(context, RW_BACKEND_CPU, RW_KERNEL_count_roofs_bundles, &counted_together, bundles));
        for (size_t i = 0; i < count; i++) {
            size_t cell = of.receivers.outdoor[i];
            for (int k = 0; k < 3; k++)
                assert_near((double)many[k][cell], (double)one[k][cell], 1e-4);
            assert_int_equal(many_edges[cell], one_edges[cell]);
            assert_int_equal(many_walls[cell], one_walls[cell]);
            edges += one_edges[cell];
            roofs += one_walls[cell] > 1;
        }
        drop_case(&of);
    }
    printf("%zu edges, %zu lines through roofs\n", edges, roofs);
    assert_true(edges > 2000 && roofs > 200);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossings_are_those_of_every_wall),
        cmocka_unit_test(kernels_agree_with_those_of_one_receiver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
