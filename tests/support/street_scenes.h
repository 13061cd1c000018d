/* Small towns drawn from a seed for tests of street paths: buildings of several shapes that stand apart, free walls, a
 * yard, passages under buildings, hills, and coordinates far from zero. */
#ifndef RW_TESTS_STREET_SCENES_H
#define RW_TESTS_STREET_SCENES_H

#include "shapes.h"
#include "sight_oracle.h"

typedef struct street_town {
    uint64_t seed;
    int buildings;
    double side_m;
    int hills, raised, panels, yard, far; /* each 1 or 0 */
} street_town;

static inline void street_town_add(rw_context *context, rw_scene *scene, const double *xy, const size_t *rings,
                                   size_t ring_count, double base_m, double roof_m)
{
    rw_building building = {.size = sizeof building,
                            .xy = xy,
                            .ring_sizes = rings,
                            .ring_count = ring_count,
                            .ground_m = NAN,
                            .base_height_m = base_m,
                            .roof_height_m = roof_m};
    assert_ok(context, rw_scene_add_building(scene, &building));
}

/* A box, an L, a triangle or a hexagon within a circle about (x, y), turned, in either sense. */
static inline size_t street_shape(uint64_t *state, double x, double y, double radius_m, double *xy)
{
    static const double shapes[4][12] = {{-0.8, -0.6, 0.8, -0.6, 0.8, 0.6, -0.8, 0.6},
                                         {-0.8, -0.6, 0.8, -0.6, 0.8, -0.1, -0.1, -0.1, -0.1, 0.6, -0.8, 0.6},
                                         {-0.8, -0.5, 0.9, -0.3, 0.1, 0.9},
                                         {1, 0, 0.5, 0.85, -0.5, 0.85, -1, 0, -0.5, -0.85, 0.5, -0.85}};
    static const size_t sizes[4] = {4, 6, 3, 6};
    int shape = (int)(4 * oracle_random(state)), backwards = oracle_random(state) < 0.5;
    double angle = 6.28 * oracle_random(state), c = radius_m * cos(angle), s = radius_m * sin(angle);
    for (size_t i = 0; i < sizes[shape]; i++) {
        const double *point = &shapes[shape][2 * (backwards ? sizes[shape] - 1 - i : i)];
        xy[2 * i] = x + c * point[0] - s * point[1];
        xy[2 * i + 1] = y + s * point[0] + c * point[1];
    }
    return sizes[shape];
}

static inline void street_hills(rw_context *context, rw_scene *scene, uint64_t *state, double x0, double y0,
                                double side_m)
{
    float values[20 * 20];
    double phase = 6.28 * oracle_random(state);
    for (int i = 0; i < 400; i++)
        values[i] =
            (float)(100 + 4 * sin(0.6 * (i % 20) + phase) + 3 * cos(0.45 * (i / 20) - phase) + oracle_random(state));
    rw_raster terrain = {sizeof(rw_raster), 20, 20, x0 - 10, y0 - 10, (side_m + 20) / 19, (side_m + 20) / 19, values};
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
}

/* A ring of 40 x 40 m round a yard with one inner corner that waves bend round, in the town's south-western corner. */
static inline void street_yard(rw_context *context, rw_scene *scene, double x, double y)
{
    const double ring[] = {0, 0, 40, 0, 40, 40, 0, 40, 8, 8, 32, 8, 32, 20, 18, 20, 18, 33, 8, 33};
    const size_t sizes[] = {4, 6};
    double xy[20];
    for (int i = 0; i < 10; i++) {
        xy[2 * i] = x + ring[2 * i];
        xy[2 * i + 1] = y + ring[2 * i + 1];
    }
    street_town_add(context, scene, xy, sizes, 2, 0, 14);
}

/* Whether a circle is free of those before it; then it is remembered. */
static inline int street_free_circle(double (*circles)[3], size_t *count, double x, double y, double radius_m)
{
    for (size_t i = 0; i < *count; i++)
        if (hypot(x - circles[i][0], y - circles[i][1]) < radius_m + circles[i][2] + 2)
            return 0;
    circles[*count][0] = x;
    circles[*count][1] = y;
    circles[(*count)++][2] = radius_m;
    return 1;
}

static inline rw_scene *street_town_make(rw_context *context, const street_town *town)
{
    rw_scene *scene = make_scene(context);
    uint64_t state = town->seed * 7919 + 13;
    double x0 = town->far ? 691234.5 : 0, y0 = town->far ? 5334321.25 : 0;
    double circles[64][3];
    size_t placed = 0;
    oracle_random(&state);
    if (town->hills)
        street_hills(context, scene, &state, x0, y0, town->side_m);
    if (town->yard) {
        street_yard(context, scene, x0, y0);
        street_free_circle(circles, &placed, 20, 20, 29);
    }
    size_t wanted = placed + (size_t)town->buildings + (town->panels ? 4 : 0);
    for (int tries = 0; placed < wanted && tries < 5000; tries++) {
        int panel = town->panels && wanted - placed <= 4;
        double x = town->side_m * oracle_random(&state), y = town->side_m * oracle_random(&state), xy[12];
        double radius_m = panel ? 4 + 4 * oracle_random(&state) : 7 + 10 * oracle_random(&state);
        if (!street_free_circle(circles, &placed, x, y, radius_m))
            continue;
        size_t points = street_shape(&state, x0 + x, y0 + y, radius_m, xy);
        double roof_m = 5 + 17 * oracle_random(&state);
        rw_panel wall = {.size = sizeof wall, .x0_m = xy[0], .y0_m = xy[1], .x1_m = xy[4], .y1_m = xy[5]};
        wall.top_m = town->hills ? 106 : 5; /* an altitude; the hills are about 100 m high */
        if (panel)
            assert_ok(context, rw_scene_add_panel(scene, &wall));
        else
            street_town_add(context, scene, xy, &points, 1, town->raised && placed % 2 ? 2.2 : 0, roof_m);
    }
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static inline rw_scene *street_city_make(rw_context *context, const char *style, uint64_t seed, int hills,
                                         double side_m)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = side_m;
    options.seed = seed;
    options.hills = hills;
    options.style = style;
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

#endif
