/* labels: numbers */
/* Tiles: equations (1) to (3) by hand on one box, areas against sampling on whole cities, stacked and touching prisms,
 * edges and their parents. */
#include "discretise/tiles/tile_builder.h"
#include "discretise/tiles/tiles.h"
#include "shapes.h"

#include "base/maths/hash.h"

static rw_tiles make_tiles(rw_context *context, const rw_scene *scene, double area_m2, int border_quarter)
{
    rw_tile_options options;
    rw_tiles tiles;
    rw_tile_options_init(&options);
    options.area_m2 = area_m2;
    options.border_quarter = border_quarter;
    assert_ok(context, rw_tiles_create(scene, &options, &tiles));
    return tiles;
}

static void sum_areas(const rw_tiles *tiles, double areas_m2[RW_TILE_KINDS], size_t counts[RW_TILE_KINDS])
{
    for (int kind = 0; kind < RW_TILE_KINDS; kind++) {
        areas_m2[kind] = 0;
        counts[kind] = 0;
    }
    for (uint32_t i = 0; i < tiles->view.tile_count; i++) {
        uint32_t kind = tiles->view.surfaces[tiles->view.tiles[i].surface].kind;
        areas_m2[kind] += (double)tiles->view.tiles[i].area_m2;
        counts[kind]++;
    }
}

/* u = 10 q + rest: a rest of up to a half widens the pieces, a larger one makes one more. */
static void test_pieces(void **state)
{
    (void)state;
    assert_int_equal(rw_tile_pieces(40, 10), 4);
    assert_int_equal(rw_tile_pieces(44.9, 10), 4);
    assert_int_equal(rw_tile_pieces(45, 10), 4);
    assert_int_equal(rw_tile_pieces(45.1, 10), 5);
    assert_int_equal(rw_tile_pieces(12, 10), 1);
    assert_int_equal(rw_tile_pieces(3, 10), 1);
}

/* A box of 44 x 26 x 17 m: walls of 4 x 2 and 3 x 2 tiles, a roof of 4 x 3, corners of two pieces, roof edges. */
static void test_box(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){0, 0, 44, 26}, 17, "box");
    assert_ok(context, rw_scene_commit(scene));
    rw_tiles tiles = make_tiles(context, scene, 100, 0);
    double areas[RW_TILE_KINDS];
    size_t counts[RW_TILE_KINDS];
    sum_areas(&tiles, areas, counts);
    assert_int_equal(counts[RW_TILE_WALL], 2 * (4 + 3) * 2);
    assert_int_equal(counts[RW_TILE_ROOF], 4 * 3);
    assert_int_equal(counts[RW_TILE_GROUND], 0); /* the box is the scene's extent */
    assert_near(areas[RW_TILE_WALL], 2 * (44 + 26) * 17, 1e-2);
    assert_near(areas[RW_TILE_ROOF], 44 * 26, 1e-2);
    size_t kinds[RW_TILE_EDGE_KINDS] = {0};
    double lengths[RW_TILE_EDGE_KINDS] = {0};
    for (uint32_t i = 0; i < tiles.view.edge_count; i++) {
        const rw_tile_edge *edge = &tiles.view.edges[i];
        kinds[edge->kind]++;
        lengths[edge->kind] += rw_vec3_length(rw_vec3_sub(edge->to, edge->from));
        assert_near(edge->exterior_rad, 1.5 * 3.14159265358979, 1e-9);
        assert_near(rw_vec3_dot(edge->normals[0], edge->normals[1]), 0, 1e-9);
    }
    assert_int_equal(kinds[RW_TILE_EDGE_CORNER], 4 * 2);
    assert_int_equal(kinds[RW_TILE_EDGE_ROOF], 2 * (4 + 3));
    assert_near(lengths[RW_TILE_EDGE_CORNER], 4 * 17, 1e-3);
    assert_near(lengths[RW_TILE_EDGE_ROOF], 2 * (44 + 26), 1e-3);
    rw_tiles_destroy(&tiles);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Two houses side by side, of 30 and 20 m, and a tower on the second: what they cover of each other is no tile, and
 * where the wall goes on upwards there is no roof edge. */
static void test_touching(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){0, 0, 20, 20}, 30, "house");
    add_box(context, scene, (double[]){20, 0, 60, 20}, 20, "podium");
    const double tower[] = {40, 0, 50, 0, 50, 10, 40, 10};
    const size_t ring = 4;
    rw_building upper = {.size = sizeof upper,
                         .xy = tower,
                         .ring_sizes = &ring,
                         .ring_count = 1,
                         .ground_m = NAN,
                         .base_height_m = 20,
                         .roof_height_m = 50,
                         .source = "tower"};
    assert_ok(context, rw_scene_add_building(scene, &upper));
    assert_ok(context, rw_scene_commit(scene));
    rw_tiles tiles = make_tiles(context, scene, 100, 0);
    double areas[RW_TILE_KINDS], roof_edges_m = 0;
    size_t counts[RW_TILE_KINDS];
    sum_areas(&tiles, areas, counts);
    double house = 3 * 20 * 30 + 20 * 10, podium = 2 * 40 * 20 + 20 * 20, over = 4 * 10 * 30;
    assert_near(areas[RW_TILE_WALL], house + podium + over, 0.1);
    assert_near(areas[RW_TILE_ROOF], 20 * 60, 1);
    for (uint32_t i = 0; i < tiles.view.edge_count; i++)
        if (tiles.view.edges[i].kind == RW_TILE_EDGE_ROOF)
            roof_edges_m += rw_vec3_length(rw_vec3_sub(tiles.view.edges[i].to, tiles.view.edges[i].from));
    assert_near(roof_edges_m, 4 * 20 + (40 - 10) + 40 + 20 + 4 * 10, 0.1);
    rw_tiles_destroy(&tiles);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A free-standing wall has tiles on both sides; what is too narrow has none; bad options are refused. */
static void test_least(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_panel(context, scene, 0, 0, 20, 0);
    add_panel(context, scene, 0, 5, 0.3, 5);
    assert_ok(context, rw_scene_commit(scene));
    rw_tile_options options;
    rw_tiles tiles;
    rw_tile_options_init(&options);
    options.ground = NULL;
    options.area_m2 = 9;
    assert_ok(context, rw_tiles_create(scene, &options, &tiles));
    assert_int_equal(tiles.view.tile_count, 2 * 7);
    assert_int_equal(tiles.skipped_count, 2);
    double sum = 0;
    for (uint32_t i = 0; i < tiles.view.tile_count; i++)
        sum += tiles.view.tiles[i].normal.y;
    assert_near(sum, 0, 1e-12);
    rw_tiles_destroy(&tiles);
    options.area_m2 = NAN;
    check_sentence(context, rw_tiles_create(scene, &options, &tiles), RW_BAD_CALL, "m2 are possible");
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* The side of a parent tile that is nearest to the edge lies on it (walls), or the tile is the roof's. */
static void check_edges(const rw_tiles *tiles)
{
    const rw_tiles_view *view = &tiles->view;
    for (uint32_t i = 0; i < view->edge_count; i++) {
        const rw_tile_edge *edge = &view->edges[i];
        rw_vec3 middle = rw_vec3_scale(rw_vec3_add(edge->from, edge->to), 0.5);
        for (int side = 0; side < 2; side++) {
            const rw_tile *tile = &view->tiles[edge->tiles[side]];
            rw_vec3 way = rw_vec3_sub(middle, tile->centre);
            double u2 = 0, v2 = 0, u = 0, v = 0;
            const double d[3] = {way.x, way.y, way.z};
            for (int k = 0; k < 3; k++) {
                double hu = (double)tile->half_u[k], hv = (double)tile->half_v[k];
                u2 += hu * hu, v2 += hv * hv, u += hu * d[k], v += hv * d[k];
            }
            int wall = view->surfaces[tile->surface].kind == RW_TILE_WALL;
            if (wall)
                assert_true(fabs(u / u2) < 1.001 && fabs(v / v2) < 1.001 &&
                            (fabs(u / u2) > 0.999 || fabs(v / v2) > 0.999));
            int listed = 0;
            for (uint32_t k = view->edge_firsts[edge->tiles[side]]; k < view->edge_firsts[edge->tiles[side] + 1]; k++)
                listed += view->tile_edges[k] == i;
            assert_int_equal(listed, 1);
        }
        assert_true(edge->exterior_rad > 3.14159 && edge->exterior_rad < 6.2832);
    }
    assert_true(view->edge_firsts[view->tile_count] <= 2 * view->edge_count);
}

static void check_tiles(const rw_tiles *tiles)
{
    const rw_tiles_view *view = &tiles->view;
    for (uint32_t i = 0; i < view->tile_count; i++) {
        const rw_tile *tile = &view->tiles[i];
        assert_near(rw_vec3_length(tile->normal), 1, 1e-12);
        assert_true(tile->surface < view->surface_count);
        assert_true(view->surfaces[tile->surface].material < tiles->material_count);
        rw_vec3 a = rw_vec3_sub(rw_tile_corner(tile, 1), rw_tile_corner(tile, 0));
        rw_vec3 b = rw_vec3_sub(rw_tile_corner(tile, 3), rw_tile_corner(tile, 0));
        rw_vec3 cross = rw_vec3_cross(a, b);
        assert_near(rw_vec3_length(cross), (double)tile->area_m2, 1e-4 * (double)tile->area_m2);
        assert_near(rw_vec3_dot(cross, tile->normal), rw_vec3_length(cross), 1e-4 * (double)tile->area_m2);
    }
}

static int filled(const rw_scene *scene, rw_vec2 at, double z_m)
{
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        double bottom_m = part->base_height_m <= 0 ? -1e9 : part->bottom_m;
        if (z_m >= bottom_m && z_m < part->top_m && rw_part_contains(scene, part, at))
            return 1;
    }
    return 0;
}

static int under_building(const rw_scene *scene, rw_vec2 at)
{
    for (size_t i = 0; i < scene->parts.count; i++)
        if (scene->parts.items[i].base_height_m <= 0 && rw_part_contains(scene, &scene->parts.items[i], at))
            return 1;
    return 0;
}

/* Areas by looking at points a hand's breadth apart on every surface: the oracle. */
static double sample_walls_m2(const rw_scene *scene)
{
    const rw_wall_list *walls = &scene->prepared->walls;
    double area = 0;
    for (size_t i = 0; i < walls->count; i++) {
        const rw_wall *wall = &walls->walls[i];
        rw_vec2 way = rw_vec2_sub(wall->p1, wall->p0);
        double length = sqrt(rw_vec2_dot(way, way)), height = wall->top_m - wall->bottom_m;
        size_t along = (size_t)ceil(length), up = (size_t)ceil(height), outside = 0;
        for (size_t k = 0; k < along * up; k++) {
            double u = ((double)(k % along) + 0.5) / (double)along,
                   z = wall->bottom_m + height * ((double)(k / along) + 0.5) / (double)up;
            rw_vec2 at = {wall->p0.x + u * way.x + 0.02 * walls->normals[i].x,
                          wall->p0.y + u * way.y + 0.02 * walls->normals[i].y};
            outside += z > rw_scene_ground_m(scene, at) && !filled(scene, at, z);
        }
        area += length * height * (double)outside / (double)(along * up);
    }
    return area;
}

static void sample_level_m2(const rw_scene *scene, double *roofs_m2, double *ground_m2)
{
    double step = 1.3, plan = step * step;
    *roofs_m2 = *ground_m2 = 0;
    for (double y = scene->box_min.y + 0.5 * step; y < scene->box_max.y; y += step)
        for (double x = scene->box_min.x + 0.5 * step; x < scene->box_max.x; x += step) {
            rw_vec2 at = {x, y};
            double ground = rw_scene_ground_m(scene, at);
            if (!under_building(scene, at)) {
                double gx = rw_scene_ground_m(scene, rw_vec2_of(x + 0.1, y)) - ground;
                double gy = rw_scene_ground_m(scene, rw_vec2_of(x, y + 0.1)) - ground;
                *ground_m2 += plan * sqrt(1 + 100 * (gx * gx + gy * gy));
            }
            for (size_t i = 0; i < scene->parts.count; i++) {
                const rw_part *part = &scene->parts.items[i];
                if (rw_part_contains(scene, part, at) && !filled(scene, at, part->top_m + 0.01))
                    *roofs_m2 += plan;
            }
        }
}

static void compare_areas(const char *style, uint64_t seed, int hills, double area_m2, int border_quarter)
{
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, style, 500, seed, hills);
    rw_tiles tiles = make_tiles(context, scene, area_m2, border_quarter);
    double areas[RW_TILE_KINDS], roofs, ground, walls = sample_walls_m2(scene);
    size_t counts[RW_TILE_KINDS];
    sum_areas(&tiles, areas, counts);
    sample_level_m2(scene, &roofs, &ground);
    printf("%s %d hills %d, %g m2 cut %d: walls %zu, %.4f of the area; roofs %zu, %.4f; ground %zu, %.4f; %zu left "
           "out, %.0f m2; %u edges\n",
           style, (int)seed, hills, area_m2, border_quarter, counts[RW_TILE_WALL], areas[RW_TILE_WALL] / walls,
           counts[RW_TILE_ROOF], areas[RW_TILE_ROOF] / roofs, counts[RW_TILE_GROUND], areas[RW_TILE_GROUND] / ground,
           tiles.skipped_count, tiles.skipped_m2, tiles.view.edge_count);
    check_tiles(&tiles);
    check_edges(&tiles);
    assert_near(areas[RW_TILE_WALL] / walls, 1, 0.02);

    assert_near(areas[RW_TILE_ROOF] / roofs, 1, 0.02);
    assert_near(areas[RW_TILE_GROUND] / ground, 1, 0.02);
    rw_tiles_destroy(&tiles);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void test_areas(void **state)
{
    (void)state;
    compare_areas("european", 1, 0, 100, 0);
    compare_areas("european", 2, 1, 100, 0);
    compare_areas("grid", 3, 0, 100, 0);
    compare_areas("european", 1, 0, 25, 0);
    compare_areas("european", 1, 0, 100, 1);
    compare_areas("european", 1, 0, 100, 2);
    compare_areas("european", 5, 0, 100, 2);
}

/* Triangles are halves of the rectangles of twice their area: twice as many, of the same surfaces and edges, each edge
 * on a side of its parents. */
static void test_triangles(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "european", 300, 1, 1);
    rw_tile_options options;
    rw_tiles whole, halves;
    rw_tile_options_init(&options);
    assert_ok(context, rw_tiles_create(scene, &options, &whole));
    options.triangles = 1;
    options.area_m2 = 50;
    assert_ok(context, rw_tiles_create(scene, &options, &halves));
    double areas[2][RW_TILE_KINDS];
    size_t counts[2][RW_TILE_KINDS];
    sum_areas(&whole, areas[0], counts[0]);
    sum_areas(&halves, areas[1], counts[1]);
    for (int kind = 0; kind < RW_TILE_KINDS; kind++) {
        assert_int_equal(counts[1][kind], 2 * counts[0][kind]);
        assert_near(areas[1][kind], areas[0][kind], 1e-5 * areas[0][kind]);
    }
    assert_int_equal(halves.view.edge_count, whole.view.edge_count);
    for (uint32_t i = 0; i < halves.view.tile_count; i++) {
        const rw_tile *tile = &halves.view.tiles[i];
        rw_vec3 first = rw_vec3_sub(rw_tile_corner(tile, 2), rw_tile_corner(tile, 0)),
                second = rw_vec3_sub(rw_tile_corner(tile, 3), rw_tile_corner(tile, 1)), sum = {0, 0, 0};
        rw_vec3 across = rw_vec3_cross(first, second);
        assert_near(0.5 * rw_vec3_dot(across, tile->normal), (double)tile->area_m2, 1e-4 * (double)tile->area_m2);
        /* the centre is that of the three corners */
        for (int corner = 0; corner < 4; corner++)
            if (corner != (tile->half == RW_TILE_LOWER ? 2 : 0))
                sum = rw_vec3_add(sum, rw_tile_corner(tile, corner));
        assert_near(rw_vec3_length(rw_vec3_sub(rw_vec3_scale(sum, 1.0 / 3), tile->centre)), 0, 1e-5);
    }
    for (uint32_t i = 0; i < halves.view.edge_count; i++)
        for (int k = 0; k < 2; k++) {
            const rw_tile_edge *edge = &halves.view.edges[i];
            const rw_tile *tile = &halves.view.tiles[edge->tiles[k]];
            if (halves.view.surfaces[tile->surface].kind != RW_TILE_WALL)
                continue;
            rw_vec3 middle = rw_vec3_scale(rw_vec3_add(edge->from, edge->to), 0.5);
            double nearest = INFINITY; /* middles of the two sides that are the rectangle's */
            for (int corner = 0; corner < 4; corner++) {
                rw_vec3 from = rw_tile_corner(tile, corner),
                        way = rw_vec3_sub(rw_tile_corner(tile, (corner + 1) % 4), from);
                double share = rw_vec3_dot(rw_vec3_sub(middle, from), way) / rw_vec3_dot(way, way);
                rw_vec3 at = rw_vec3_add(from, rw_vec3_scale(way, fmin(1, fmax(0, share))));
                nearest = fmin(nearest, rw_vec3_length(rw_vec3_sub(at, middle)));
            }
            assert_true(nearest < 1e-3);
        }
    rw_tiles_destroy(&whole);
    rw_tiles_destroy(&halves);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Tiles stop at a box: what lies wholly beyond has none, the rest is as it was. */
static void test_box_of_tiles(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "grid", 600, 1, 0);
    rw_tile_options options;
    rw_tiles all, some;
    rw_tile_options_init(&options);
    double whole = rw_tiles_estimate(scene, &options);
    assert_ok(context, rw_tiles_create(scene, &options, &all));
    double x = 0.5 * (scene->box_min.x + scene->box_max.x), y = 0.5 * (scene->box_min.y + scene->box_max.y);
    memcpy(options.box, (double[]){x - 60, y - 60, x + 60, y + 60}, sizeof options.box);
    assert_true(rw_tiles_estimate(scene, &options) < 0.2 * whole);
    assert_ok(context, rw_tiles_create(scene, &options, &some));
    assert_true(some.view.tile_count > 50 && some.view.tile_count < 0.25 * all.view.tile_count);
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t inside[2] = {0};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < (k ? some : all).view.tile_count; i++) {
            const rw_tile *tile = &(k ? some : all).view.tiles[i];
            inside[k] += (k ? some : all).view.surfaces[tile->surface].kind == RW_TILE_WALL &&
                         fabs(tile->centre.x + centre.x - x) < 60 && fabs(tile->centre.y + centre.y - y) < 60;
        }
    assert_int_equal(inside[0], inside[1]);
    rw_tiles_destroy(&all);
    rw_tiles_destroy(&some);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces),      cmocka_unit_test(test_box),
                                       cmocka_unit_test(test_touching),    cmocka_unit_test(test_least),
                                       cmocka_unit_test(test_areas),       cmocka_unit_test(test_triangles),
                                       cmocka_unit_test(test_box_of_tiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
