/* Landmarks: from a place and a size to the outlines of churches, palaces and courtyard buildings. */
#include "scene/generators/generate.h"

/* A point given in a building's own frame. */
static rw_vec2 transform_to_city(rw_vec2 centre, rw_vec2 direction, double along_m, double left_m)
{
    return rw_vec2_along(rw_vec2_along(centre, direction, along_m), rw_vec2_left(direction), left_m);
}

static rw_status add_landmark_outline(rw_city *city, const rw_vec2 *points, size_t count, double base_m, double roof_m,
                                      int new_building)
{
    rw_shape shape = {
        .rings = {points}, .ring_sizes = {count}, .ring_count = 1, .base_height_m = base_m, .roof_height_m = roof_m};
    return rw_city_add(city, &shape, new_building);
}

rw_vec2 rw_landmark_church_half_m(double length_m)
{
    return rw_vec2_of(0.65 * length_m, 0.35 * length_m);
}

rw_status rw_landmark_church(rw_city *city, rw_vec2 centre, rw_vec2 direction, double length_m, rw_random *random)
{
    double half = length_m / 2, nave = 0.16 * length_m, arm = 0.3 * length_m, tower = 0.09 * length_m;
    double cross_from = 0.1 * length_m, cross_to = 0.3 * length_m;
    /* Cross-shaped, with a round choir as three sides; the tower's corners are corners of the nave too. */
    double own[][2] = {{-half, -nave},         {cross_from, -nave},     {cross_from, -arm}, {cross_to, -arm},
                       {cross_to, -nave},      {0.4 * length_m, -nave}, {half, -nave / 2},  {half, nave / 2},
                       {0.4 * length_m, nave}, {cross_to, nave},        {cross_to, arm},    {cross_from, arm},
                       {cross_from, nave},     {-half, nave},           {-half, tower},     {-half, -tower}};
    rw_vec2 points[16];
    for (int i = 0; i < 16; i++)
        points[i] = transform_to_city(centre, direction, own[i][0], own[i][1]);
    RW_TRY(add_landmark_outline(city, points, 16, 0, rw_random_range(random, 20, 32), 1));
    rw_vec2 square[4] = {points[15], points[14], transform_to_city(centre, direction, -half - 2 * tower, tower),
                         transform_to_city(centre, direction, -half - 2 * tower, -tower)};
    return add_landmark_outline(city, square, 4, 0, rw_random_range(random, 48, 88), 0);
}

rw_status rw_landmark_palace(rw_city *city, rw_vec2 centre, rw_vec2 direction, double length_m, rw_random *random)
{
    double half = length_m / 2, deep = length_m * rw_random_range(random, 0.14, 0.18), wing = 0.42 * length_m;
    double own[][2] = {{-half, -wing / 2},
                       {-half + deep, -wing / 2},
                       {-half + deep, wing / 2 - deep},
                       {half - deep, wing / 2 - deep},
                       {half - deep, -wing / 2},
                       {half, -wing / 2},
                       {half, wing / 2},
                       {0.12 * length_m, wing / 2},
                       {0.12 * length_m, wing / 2 + 5},
                       {-0.12 * length_m, wing / 2 + 5},
                       {-0.12 * length_m, wing / 2},
                       {-half, wing / 2}};
    rw_vec2 points[12];
    for (int i = 0; i < 12; i++)
        points[i] = transform_to_city(centre, direction, own[i][0], own[i][1]);
    return add_landmark_outline(city, points, 12, 0, rw_random_range(random, 18, 30), 1);
}

/* Two courts: the inner offset cut across its longer side, a cross wing between the halves. */
static int split_court(const rw_lot *inner, double wing_m, rw_lot courts[2])
{
    rw_vec2 along = rw_vec2_unit(rw_vec2_sub(inner->corner[1], inner->corner[0])), across = rw_vec2_left(along);
    double low, high, low_across, high_across;
    rw_lot_extent(inner, along, &low, &high);
    rw_lot_extent(inner, across, &low_across, &high_across);
    rw_vec2 axis = high - low > high_across - low_across ? along : across, back = rw_vec2_of(-axis.x, -axis.y);
    rw_vec2 centre = rw_lot_centre(inner);
    courts[0] = rw_lot_clip(inner, rw_vec2_along(centre, axis, wing_m / 2), rw_vec2_left(back), 0);
    courts[1] = rw_lot_clip(inner, rw_vec2_along(centre, axis, -wing_m / 2), rw_vec2_left(axis), 0);
    rw_lot_tidy(&courts[0], 2);
    rw_lot_tidy(&courts[1], 2);
    return rw_lot_area_m2(&courts[0]) > 150 && rw_lot_area_m2(&courts[1]) > 150;
}

rw_status rw_landmark_courts(rw_city *city, const rw_lot *lot, int courts, double depth_m, double roof_height_m)
{
    rw_lot inner, halves[2];
    rw_shape shape = {
        .rings = {lot->corner}, .ring_sizes = {(size_t)lot->count}, .ring_count = 1, .roof_height_m = roof_height_m};
    if (courts > 0 && rw_lot_offset(lot, depth_m, 8, &inner)) {
        int two = courts > 1 && split_court(&inner, depth_m, halves);
        const rw_lot *court = two ? halves : &inner;
        for (int i = 0; i < (two ? 2 : 1); i++) {
            shape.rings[shape.ring_count] = court[i].corner;
            shape.ring_sizes[shape.ring_count++] = (size_t)court[i].count;
        }
    }
    return rw_city_add(city, &shape, 1);
}
