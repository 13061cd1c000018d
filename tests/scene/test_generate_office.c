/* labels: numbers */
/* Generated offices: every room can be walked to through doors, walls are inside the building, and surfaces are
 * defined. */
#include <rasterwave/rasterwave.h>

#include "scene/scene.h"
#include "unit.h"

#define CELL_M 0.1

static rw_scene *make_office(rw_context *context, double width_m, double depth_m, int storeys, uint64_t seed)
{
    rw_office_options options;
    rw_office_options_init(&options);
    options.width_m = width_m;
    options.depth_m = depth_m;
    options.storeys = storeys;
    options.seed = seed;
    rw_scene *scene = NULL;
    assert_ok(context, rw_generate_office(context, &options, &scene));
    assert_false(scene->committed);
    return scene;
}

/* The plan of a storey in cells of 10 cm, one cell of outside around it. */
typedef struct floor_plan {
    int columns, rows;
    int *room; /* 0 free, -1 wall, else the number of a room */
    int *stack;
} floor_plan;

static void draw_panel(floor_plan *plan, const rw_scene_panel *panel, rw_vec2 origin)
{
    double dx = panel->p1.x - panel->p0.x, dy = panel->p1.y - panel->p0.y;
    int steps = (int)(sqrt(dx * dx + dy * dy) / (CELL_M / 4)) + 1;
    for (int i = 0; i <= steps; i++) {
        int column = (int)floor((panel->p0.x + origin.x + dx * i / steps) / CELL_M + 0.5) + 1;
        int row = (int)floor((panel->p0.y + origin.y + dy * i / steps) / CELL_M + 0.5) + 1;
        plan->room[row * plan->columns + column] = -1;
    }
}

static void walk(floor_plan *plan, int start, int number)
{
    int depth = 0;
    plan->room[start] = number;
    plan->stack[depth++] = start;
    while (depth) {
        int cell = plan->stack[--depth], column = cell % plan->columns, row = cell / plan->columns;
        const int next[4] = {column > 0 ? cell - 1 : cell, column < plan->columns - 1 ? cell + 1 : cell,
                             row > 0 ? cell - plan->columns : cell, row < plan->rows - 1 ? cell + plan->columns : cell};
        for (int i = 0; i < 4; i++)
            if (plan->room[next[i]] == 0) {
                plan->room[next[i]] = number;
                plan->stack[depth++] = next[i];
            }
    }
}

/* How many areas the panels divide the plan into at one metre above a floor, without doors or with all doors closed. */
static int count_areas(const rw_scene *scene, double width_m, double depth_m, double at_m, int doors_are_walls)
{
    floor_plan plan = {.columns = (int)(width_m / CELL_M) + 5, .rows = (int)(depth_m / CELL_M) + 5};
    plan.room = calloc((size_t)(plan.columns * plan.rows), sizeof *plan.room);
    plan.stack = calloc((size_t)(plan.columns * plan.rows), sizeof *plan.stack);
    assert_true(plan.room && plan.stack);
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        int door = strcmp(scene->surfaces.items[panel->surface], "door") == 0;
        if (panel->bottom_m < at_m && panel->top_m > at_m && (doors_are_walls || !door))
            draw_panel(&plan, panel, scene->origin);
    }
    int areas = 0;
    for (int i = 0; i < plan.columns * plan.rows; i++)
        if (plan.room[i] == 0)
            walk(&plan, i, ++areas);
    free(plan.room);
    free(plan.stack);
    return areas;
}

static void every_room_can_be_reached(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    const double sizes_m[][2] = {{40, 20}, {6, 6}, {25, 9}, {63.7, 41.3}, {12, 60}};
    for (int size = 0; size < 5; size++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            rw_scene *scene = make_office(context, sizes_m[size][0], sizes_m[size][1], 2, seed);
            /* The ground floor is one area with the outside; upper storeys have no door to the outside. */
            assert_int_equal(count_areas(scene, sizes_m[size][0], sizes_m[size][1], 1, 0), 1);
            assert_int_equal(count_areas(scene, sizes_m[size][0], sizes_m[size][1], 4, 0), 2);
            rw_scene_destroy(scene);
        }
    rw_context_destroy(context);
}

/* At 2.5 m walls are above all doors and windows: every room is an area of its own. */
static void the_default_has_about_thirty_rooms(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_scene *scene = make_office(context, 40, 20, 1, 1);
    int rooms = count_areas(scene, 40, 20, 2.5, 1) - 2; /* less the outside and the corridors */
    assert_true(rooms >= 27 && rooms <= 33);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static int material_is_known(const rw_scene *scene, const char *name)
{
    const char *const built_in[] = {"itu_concrete", "itu_brick", "itu_plasterboard",
                                    "itu_wood",     "itu_glass", "itu_ceiling_board"};
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (strcmp(built_in[i], name) == 0)
            return 1;
    return rw_scene_find_material(scene, name) != NULL;
}

static int surface_is_defined(const rw_scene *scene, const char *name)
{
    const rw_scene_slab *slab = rw_scene_find_slab(scene, name);
    for (size_t i = 0; slab && i < slab->layer_count; i++)
        if (!material_is_known(scene, slab->layer_material[i]))
            return 0;
    return slab != NULL;
}

static void walls_are_inside_and_known(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_scene *scene = make_office(context, 63.7, 41.3, 3, 9);
    int windows = 0, doors = 0;
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        const rw_vec2 ends[2] = {panel->p0, panel->p1};
        for (int k = 0; k < 2; k++) {
            assert_true(ends[k].x + scene->origin.x >= 0 && ends[k].x + scene->origin.x <= 63.71);
            assert_true(ends[k].y + scene->origin.y >= 0 && ends[k].y + scene->origin.y <= 41.31);
        }
        assert_true(panel->bottom_m >= 0 && panel->top_m <= 9 && panel->top_m > panel->bottom_m);
        windows += strcmp(scene->surfaces.items[panel->surface], "window") == 0;
        doors += strcmp(scene->surfaces.items[panel->surface], "door") == 0;
    }
    assert_true(windows > 50 && doors > 50);
    assert_int_equal(scene->meshes.count, 4);
    assert_int_equal(scene->triangles.count, 4 * 6);
    for (size_t i = 0; i < scene->surfaces.count; i++)
        assert_true(surface_is_defined(scene, scene->surfaces.items[i]));
    assert_int_equal(scene->notes.count, 0);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static int same_panel(const rw_scene_panel *a, const rw_scene_panel *b)
{
    return a->p0.x == b->p0.x && a->p0.y == b->p0.y && a->p1.x == b->p1.x && a->p1.y == b->p1.y &&
           a->bottom_m == b->bottom_m && a->top_m == b->top_m && a->surface == b->surface;
}

static void same_seed_same_office(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_scene *one = make_office(context, 40, 20, 1, 1), *again = make_office(context, 40, 20, 1, 1);
    rw_scene *other = make_office(context, 40, 20, 1, 2);
    assert_int_equal(one->panels.count, again->panels.count);
    for (size_t i = 0; i < one->panels.count; i++)
        assert_true(same_panel(&one->panels.items[i], &again->panels.items[i]));
    assert_false(same_panel(&one->panels.items[5], &other->panels.items[5]));
    rw_scene_destroy(one);
    rw_scene_destroy(again);
    rw_scene_destroy(other);
    rw_context_destroy(context);
}

/* FNV-1a over every coordinate in 1/128 m, so that byte order does not matter. */
static uint64_t hash_panels(const rw_scene *scene)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        const double values[] = {panel->p0.x, panel->p0.y, panel->p1.x, panel->p1.y, panel->bottom_m, panel->top_m};
        for (int k = 0; k < 6; k++)
            hash = (hash ^ (uint64_t)(int64_t)(values[k] * 128)) * UINT64_C(1099511628211);
        hash = (hash ^ panel->surface) * UINT64_C(1099511628211);
    }
    return hash;
}

static void seed_one_is_the_same_everywhere(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_scene *scene = make_office(context, 40, 20, 2, 1);
    uint64_t hash = hash_panels(scene);
    if (hash != UINT64_C(0xc535d253782ef8aa))
        fail_msg("seed 1: 0x%016llx\n", (unsigned long long)hash);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void refuses_bad_options(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    const double bad_m[] = {0, -5, NAN, INFINITY, -INFINITY, 1e9};
    for (size_t i = 0; i < 3 * sizeof bad_m / sizeof *bad_m; i++) {
        rw_office_options options;
        rw_office_options_init(&options);
        double *field = i % 3 == 0 ? &options.width_m : i % 3 == 1 ? &options.depth_m : &options.storey_height_m;
        *field = bad_m[i / 3];
        rw_scene *scene = NULL;
        assert_int_equal(rw_generate_office(context, &options, &scene), RW_BAD_CALL);
        assert_null(scene);
        assert_true(strlen(rw_last_error(context)) > 20);
    }
    const int bad_storeys[] = {0, -1, 100000};
    for (size_t i = 0; i < 3; i++) {
        rw_office_options options;
        rw_office_options_init(&options);
        options.storeys = bad_storeys[i];
        rw_scene *scene = NULL;
        assert_int_equal(rw_generate_office(context, &options, &scene), RW_BAD_CALL);
        assert_null(scene);
    }
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_room_can_be_reached),       cmocka_unit_test(the_default_has_about_thirty_rooms),
        cmocka_unit_test(walls_are_inside_and_known),      cmocka_unit_test(same_seed_same_office),
        cmocka_unit_test(seed_one_is_the_same_everywhere), cmocka_unit_test(refuses_bad_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
