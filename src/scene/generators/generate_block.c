/* Blocks of a European city: from one block between streets to its buildings.
 *
 * What a block becomes is drawn by lot, but the draw leans towards what the city is short of so far (ground covered,
 * buildings, walls). So every seed ends near the same totals while no two blocks are alike. The totals per square
 * kilometre are those of the COST 231 Munich data. */
#include "scene/generators/generate.h"

#define BUILT_FRACTION 0.38
#define BUILDINGS_PER_M2 (2000 / 8.16e6)
#define WALLS_PER_M2 (17500 / 8.16e6)

/* What the city is short of, each from -1 (far too much) to 1 (far too little). */
typedef struct shortage {
    double built, buildings, walls;
} shortage;

static double clamp_to_range(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Six blocks' worth of a total counts as a full shortage. */
static shortage find_shortage(const rw_city *city)
{
    double land_m2 = city->land_m2, unit_m2 = 6 * 15000.0;
    shortage now = {.built = (BUILT_FRACTION * land_m2 - city->built_m2) / (BUILT_FRACTION * unit_m2),
                    .buildings = (BUILDINGS_PER_M2 * land_m2 - city->building_count) / (BUILDINGS_PER_M2 * unit_m2),
                    .walls = (WALLS_PER_M2 * land_m2 - (double)city->points.count) / (WALLS_PER_M2 * unit_m2)};
    now.built = clamp_to_range(now.built, -1, 1);
    now.buildings = clamp_to_range(now.buildings, -1, 1);
    now.walls = clamp_to_range(now.walls, -1, 1);
    return now;
}

/* Mostly low workshops and garages, some as high as the houses at the street. */
static double back_height_m(double street_height_m, rw_random *random)
{
    return rw_random_chance(random, 0.75) ? rw_random_range(random, 5, 11)
                                          : street_height_m - rw_random_range(random, 0, 7);
}

/* Each number is drawn in a statement of its own: C leaves open in which order the arguments of a call are worked out.
 */
static int try_back_building(rw_yard *yard, double street_height_m, rw_random *random)
{
    rw_vec2 centre = rw_yard_random_point(yard, random);
    rw_vec2 direction = rw_lot_edge_direction(&yard->lot, rw_random_index(random, yard->lot.count));
    double length_m = rw_random_range(random, 10, 36), breadth_m = rw_random_range(random, 7, 15);
    double height_m = back_height_m(street_height_m, random);
    return rw_yard_add_box(yard, centre, direction, length_m, breadth_m, height_m);
}

static void fill_courtyard(rw_yard *yard, const shortage *now, double street_height_m, rw_random *random)
{
    double relative_area = rw_lot_area_m2(&yard->lot) / 15000;
    int boxes =
        (int)clamp_to_range(rw_random_range(random, 2, 13) * relative_area + 2 * now->buildings + now->built, 0, 14);
    int wings = (int)clamp_to_range(rw_random_range(random, 0, 4) + 7 * now->walls, 0, 16);
    for (int tries = 60; tries > 0 && boxes > 0; tries--)
        boxes -= try_back_building(yard, street_height_m, random);
    for (int tries = 250; tries > 0 && wings > 0; tries--)
        wings -= rw_yard_grow_wing(yard, random);
}

/* Landmarks: from a point and a size to the outlines of churches, palaces and courtyard buildings. */
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

/* Half the length and half the breadth that a church of that length takes, tower included. */
static rw_vec2 church_half_size_m(double length_m)
{
    return rw_vec2_of(0.65 * length_m, 0.35 * length_m);
}

/* A church about its centre, along a direction; its tower is a second part of the same building. */
static rw_status add_church(rw_city *city, rw_vec2 centre, rw_vec2 direction, double length_m, rw_random *random)
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

/* A palace with two side wings round a forecourt. */
static rw_status add_palace(rw_city *city, rw_vec2 centre, rw_vec2 direction, double length_m, rw_random *random)
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

/* A building on the whole lot with up to two courtyards. */
static rw_status add_court_building(rw_city *city, const rw_lot *lot, int courts, double depth_m, double roof_height_m)
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

/* Buildings wall to wall across the whole block, each about width_m wide, the larger ones with a courtyard. They are
 * cut off one after the other, so that neighbours share their corners exactly. */
static rw_status fill_lot_row(rw_city *city, rw_lot lot, double width_m, int courts, rw_random *random)
{
    rw_lot left, right;
    double low, high, height_m = rw_random_range(random, 17, 26), depth_m = rw_random_range(random, 13, 20);
    rw_vec2 along = rw_lot_longest_edge(&lot), across = rw_vec2_left(along);
    rw_lot_extent(&lot, along, &low, &high);
    double at = low + width_m * rw_random_range(random, 0.6, 1.4);
    for (; at < high - width_m * 0.5; at += width_m * rw_random_range(random, 0.6, 1.4)) {
        rw_vec2 through = rw_vec2_of(along.x * at, along.y * at);
        if (!rw_lot_line_is_clear(&lot, through, across, 5) || !rw_lot_split(&lot, through, across, 0, &left, &right))
            continue;
        RW_TRY(add_court_building(city, &left, courts, depth_m, height_m + rw_random_range(random, -4, 4)));
        lot = right;
    }
    return add_court_building(city, &lot, courts, depth_m, height_m + rw_random_range(random, -4, 4));
}

/* One big building, or a few wall to wall. */
static rw_status fill_solid(rw_city *city, const rw_lot *lot, const shortage *now, rw_random *random)
{
    double area_m2 = rw_lot_area_m2(lot);
    int courts = rw_random_index(random, 3) + (now->built < -0.3 || now->walls > 0.5);
    courts = area_m2 > 7000 && courts == 0 ? 1 : courts;
    int together = area_m2 < 14000 && rw_random_chance(random, 0.5 - 0.5 * now->buildings);
    return fill_lot_row(city, *lot, together ? 1e4 : rw_random_range(random, 35, 80), courts, random);
}

static rw_status fill_perimeter(rw_city *city, const rw_lot *lot, const shortage *now, rw_quarter quarter,
                                rw_random *random)
{
    rw_yard yard = {.lot = *lot};
    int old = quarter == RW_QUARTER_OLD_TOWN, loose = rw_random_chance(random, old ? 0.1 : 0.3);
    double depth_m = old ? rw_random_range(random, 10, 13) : rw_random_range(random, 12, 16);
    double piece_m = old ? rw_random_range(random, 20, 44) : rw_random_range(random, 50, 170);
    double gap_chance = loose ? rw_random_range(random, 0.5, 0.9) : rw_random_range(random, 0, 0.25);
    rw_frontage frontage = {.depth_m = depth_m * (1 + 0.2 * now->built),
                            .piece_m = piece_m * (1 - 0.6 * now->buildings),
                            .gap_chance = gap_chance,
                            .roof_height_m = rw_random_range(random, 17, 24)};
    if (!rw_yard_line_streets(&yard, &frontage, random))
        return fill_solid(city, lot, now, random);
    fill_courtyard(&yard, now, frontage.roof_height_m, random);
    return rw_yard_build(city, &yard);
}

/* Parallel bars in the green, as built after 1950, some of them towers. */
static rw_status fill_estate(rw_city *city, const rw_lot *lot, const shortage *now, rw_random *random)
{
    rw_yard yard = {.lot = *lot};
    rw_vec2 along = rw_lot_edge_direction(lot, rw_random_index(random, lot->count)), across = rw_vec2_left(along);
    double low, high, low_across, high_across, deep_m = rw_random_range(random, 12, 17) * (1 + 0.15 * now->built);
    rw_lot_extent(lot, along, &low, &high);
    rw_lot_extent(lot, across, &low_across, &high_across);
    double height_m = rw_random_range(random, 12, 22), pitch_m = deep_m + rw_random_range(random, 14, 22);
    for (double y = low_across + deep_m / 2 + 4.5; y < high_across; y += pitch_m)
        for (double x = low; x < high;) {
            double length_m = rw_random_range(random, 26, 75) * (1 - 0.3 * now->buildings);
            rw_vec2 centre =
                rw_vec2_of(along.x * (x + length_m / 2) + across.x * y, along.y * (x + length_m / 2) + across.y * y);
            int tower = rw_random_chance(random, 0.02);
            int fits =
                rw_yard_add_box(&yard, centre, along, tower ? deep_m * 1.6 : length_m, deep_m,
                                tower ? rw_random_range(random, 35, 70) : height_m + rw_random_range(random, -3, 3));
            x += fits ? length_m + 9 : 6;
        }
    for (int tries = (int)(30 * (1 + now->walls)); tries > 0; tries--)
        rw_yard_grow_wing(&yard, random);
    return rw_yard_build(city, &yard);
}

/* A square or a green with a church, a palace, some pavilions, or nothing. */
static rw_status fill_open(rw_city *city, const rw_lot *lot, rw_quarter quarter, rw_random *random)
{
    rw_yard yard = {.lot = *lot};
    rw_vec2 centre = rw_lot_centre(lot), direction = rw_lot_edge_direction(lot, rw_random_index(random, lot->count));
    double length_m = rw_random_range(random, 45, 85), kind = rw_random_unit(random);
    kind += quarter == RW_QUARTER_PARK ? 0.35 : 0;
    for (int tries = 4; tries > 0 && kind < 0.6; tries--, length_m *= 0.8) {
        rw_vec2 half = church_half_size_m(length_m);
        if (length_m < 30 || !rw_yard_add_box(&yard, centre, direction, 2 * half.x, 2 * half.y, 1))
            continue;
        return kind < 0.42 ? add_church(city, centre, direction, length_m, random)
                           : add_palace(city, centre, direction, 1.2 * length_m, random);
    }
    for (int tries = rw_random_index(random, 5); tries > 0; tries--) {
        centre = rw_yard_random_point(&yard, random);
        double pavilion_m = rw_random_range(random, 8, 20), breadth_m = rw_random_range(random, 6, 12);
        rw_yard_add_box(&yard, centre, direction, pavilion_m, breadth_m, rw_random_range(random, 5, 9));
    }
    return rw_yard_build(city, &yard);
}

/* Twice the area over the length of the outline: half the breadth of a long lot. */
static double half_breadth_m(const rw_lot *lot)
{
    double around_m = 0;
    for (int i = 0; i < lot->count; i++)
        around_m += rw_vec2_distance(lot->corner[i], lot->corner[(i + 1) % lot->count]);
    return around_m > 0 ? 2 * rw_lot_area_m2(lot) / around_m : 0;
}

rw_status rw_block_fill_european(rw_city *city, const rw_block *block, rw_random *random)
{
    static const double open_chances[] = {
        [RW_QUARTER_OLD_TOWN] = 0.11, [RW_QUARTER_DENSE] = 0.07, [RW_QUARTER_ESTATE] = 0.12, [RW_QUARTER_PARK] = 0.75};
    shortage now = find_shortage(city);
    rw_lot lot = rw_lot_inset(&block->lot);
    rw_streets_bend(city, &lot);
    rw_lot_tidy(&lot, 7);
    double area_m2 = lot.count ? rw_lot_area_m2(&lot) : 0;
    int old = block->quarter == RW_QUARTER_OLD_TOWN;
    /* Slivers between two streets stay open. */
    if (area_m2 < 250 || half_breadth_m(&lot) < 8)
        return RW_OK;
    double solid_chance = (old ? 0.15 : 0.24) - 0.35 * now.buildings - 0.25 * now.walls;
    if (rw_random_chance(random, open_chances[block->quarter] - 0.08 * now.built))
        return fill_open(city, &lot, block->quarter, random);
    if (block->quarter == RW_QUARTER_ESTATE && rw_random_chance(random, 0.8))
        return fill_estate(city, &lot, &now, random);
    if (old && area_m2 < 3500)
        return fill_lot_row(city, lot, rw_random_range(random, 16, 38), 0, random);
    if (area_m2 < 1500 || rw_random_chance(random, solid_chance))
        return fill_solid(city, &lot, &now, random);
    return fill_perimeter(city, &lot, &now, block->quarter, random);
}
