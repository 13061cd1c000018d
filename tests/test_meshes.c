/* Meshes in the models: buildings that are made of them, and what each model takes of them. */
#include "prediction.h"

/* A mesh of walls over a ring and, where asked for, a fan of triangles at a height over its first corner. */
typedef struct mesh_maker {
    double xyz[300];
    uint32_t triangles[300];
    size_t vertices, corners;
} mesh_maker;

static uint32_t add_vertex(mesh_maker *make, double x, double y, double z)
{
    const double at[] = {x, y, z};
    memcpy(make->xyz + 3 * make->vertices, at, sizeof at);
    return (uint32_t)make->vertices++;
}

static void add_triangle(mesh_maker *make, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t three[] = {a, b, c};
    memcpy(make->triangles + make->corners, three, sizeof three);
    make->corners += 3;
}

static void add_walls(mesh_maker *make, const double *xy, size_t count, double low, double high)
{
    for (size_t i = 0; i < count; i++) {
        const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % count);
        uint32_t p = add_vertex(make, a[0], a[1], low), q = add_vertex(make, b[0], b[1], low);
        uint32_t r = add_vertex(make, b[0], b[1], high), s = add_vertex(make, a[0], a[1], high);
        add_triangle(make, p, q, r);
        add_triangle(make, p, r, s);
    }
}

static void add_fan(mesh_maker *make, const double *xy, size_t count, double z)
{
    uint32_t first = (uint32_t)make->vertices;
    for (size_t i = 0; i < count; i++)
        add_vertex(make, xy[2 * i], xy[2 * i + 1], z);
    for (uint32_t i = 1; i + 1 < count; i++)
        add_triangle(make, first, first + i, first + i + 1);
}

static void finish_mesh(rw_context *context, rw_scene *scene, mesh_maker *make, const char *name, const char *surface)
{
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = name,
                    .xyz = make->xyz,
                    .vertex_count = make->vertices,
                    .triangles = make->triangles,
                    .triangle_count = make->corners / 3,
                    .surface = surface};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    *make = (mesh_maker){0};
}

static void check_buildings(rw_context *context, rw_scene *scene, size_t buildings, size_t meshes, size_t triangles)
{
    rw_scene_info info = {.size = sizeof info};
    assert_ok(context, rw_scene_meshes_to_buildings(scene));
    assert_ok(context, rw_scene_commit(scene));
    rw_scene_get_info(scene, &info);
    assert_int_equal(info.parts, buildings);
    assert_int_equal(info.meshes, meshes);
    assert_int_equal(info.triangles, triangles);
}

/* Closed boxes, one of them turned, on a floor: buildings with the floor's ground, and nothing is left. */
static void closed_prisms_become_buildings(void **state)
{
    (void)state;
    static const double floor_xy[] = {-60, -60, 60, -60, 60, 60, -60, 60}, turned[] = {20, 0, 40, 10, 30, 30, 10, 20};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    mesh_maker make = {0};
    const double low[] = {-40, -40, 300}, high[] = {-20, -10, 315};
    add_box_mesh(context, scene, low, high);
    add_walls(&make, turned, 4, 300, 308);
    add_fan(&make, turned, 4, 308);
    add_fan(&make, turned, 4, 300);
    finish_mesh(context, scene, &make, "turned", "itu_brick");
    add_fan(&make, floor_xy, 4, 300);
    finish_mesh(context, scene, &make, "floor", NULL);
    check_buildings(context, scene, 2, 0, 0);
    rw_map_info area;
    rw_predict_options options;
    rw_predict_options_init(&options);
    rw_transmitter tx;
    rw_transmitter_init(&tx);
    tx.height_m = 10; /* above the floor at 300 m, which is the ground now */
    options.transmitters = &tx;
    options.transmitter_count = 1;
    options.freq_hz = 1e9;
    options.res_m = 10;
    rw_map *map;
    assert_ok(context, rw_predict(scene, &options, &map));
    area.size = sizeof area;
    rw_map_get_info(map, &area);
    assert_int_equal(area.columns, 12); /* the floor's extent */
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Walls in one mesh, roofs in another, of houses that touch and differ in height; and a courtyard. */
static void walls_and_roofs_are_joined(void **state)
{
    (void)state;
    static const double west[] = {0, 0, 10, 0, 10, 10, 0, 10}, east[] = {10, 0, 20, 0, 20, 10, 10, 10};
    static const double outer[] = {40, 0, 60, 0, 60, 20, 40, 20}, inner[] = {45, 15, 55, 15, 55, 5, 45, 5};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    mesh_maker make = {0};
    for (int i = 0; i < 2; i++) {
        add_walls(&make, i ? east : west, 4, 0, i ? 14 : 9);
        finish_mesh(context, scene, &make, "walls", "itu_brick");
        add_fan(&make, i ? east : west, 4, i ? 14 : 9);
        finish_mesh(context, scene, &make, "roof", "itu_metal");
    }
    add_walls(&make, outer, 4, 0, 12);
    add_walls(&make, inner, 4, 0, 12);
    for (uint32_t i = 0; i < 4; i++) { /* the roof between the rings: corners of both in one order */
        static const double rings[][2] = {{40, 0}, {60, 0}, {60, 20}, {40, 20}, {45, 5}, {55, 5}, {55, 15}, {45, 15}};
        const double *a = rings[i], *b = rings[(i + 1) % 4], *c = rings[4 + (i + 1) % 4], *d = rings[4 + i];
        uint32_t p = add_vertex(&make, a[0], a[1], 12), q = add_vertex(&make, b[0], b[1], 12);
        uint32_t r = add_vertex(&make, c[0], c[1], 12), s = add_vertex(&make, d[0], d[1], 12);
        add_triangle(&make, p, q, r);
        add_triangle(&make, p, r, s);
    }
    finish_mesh(context, scene, &make, "court", NULL);
    check_buildings(context, scene, 3, 0, 0);
    rw_scene_info info = {.size = sizeof info};
    rw_scene_get_info(scene, &info);
    assert_int_equal(info.walls, 4 + 4 + 8);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A gabled house is a prism up to its ridge, with a note; a free-standing sheet stays a mesh. */
static void other_bodies_are_told(void **state)
{
    (void)state;
    static const double sheet[] = {30, 0, 30, 10};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    mesh_maker make = {0};
    static const double plan[] = {0, 0, 10, 0, 10, 8, 0, 8};
    add_walls(&make, plan, 4, 0, 6);
    uint32_t a = add_vertex(&make, 0, 0, 6), b = add_vertex(&make, 10, 0, 6), c = add_vertex(&make, 10, 8, 6);
    uint32_t d = add_vertex(&make, 0, 8, 6), e = add_vertex(&make, 0, 4, 9), f = add_vertex(&make, 10, 4, 9);
    add_triangle(&make, a, b, f);
    add_triangle(&make, a, f, e);
    add_triangle(&make, c, d, e);
    add_triangle(&make, c, e, f);
    add_triangle(&make, d, a, e);
    add_triangle(&make, b, c, f);
    finish_mesh(context, scene, &make, "gable", NULL);
    add_walls(&make, sheet, 2, 0, 5);
    finish_mesh(context, scene, &make, "sheet", NULL);
    check_buildings(context, scene, 1, 1, 4);
    assert_int_equal(note_count(scene, "meshes with sloped roofs taken as prisms up to their highest point", NULL), 1);
    check_sentence(context, rw_scene_meshes_to_buildings(scene), RW_BAD_CALL, "committed");
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_prisms_become_buildings),
        cmocka_unit_test(walls_and_roofs_are_joined),
        cmocka_unit_test(other_bodies_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
