/* Streets of an old European city: from a rectangle to convex blocks, by cutting land in two again and again.
 *
 * Land is cut into towns, a town into sectors between its radial roads, each sector at the ring road round the old
 * town, the outer sectors into quarters, and every quarter into blocks along its own direction. Every cut is a street
 * that ends on older streets, so that all streets are connected. */
#include "scene/generators/generate.h"

#define TOWN_AREA_MAX_M2 14e6
#define QUARTER_AREA_MAX_M2 0.55e6
#define RADIAL_ROADS_MAX 8
#define BLOCK_LENGTH_MAX_M 190
#define BEND_MAX_M 75
#define BEND_SIZE_M 1000
#define BEND_FADE_M 600

/* How a quarter is cut into blocks. */
typedef struct street_plan {
    rw_vec2 direction;    /* of its longer streets */
    double block_area_m2; /* blocks larger than about this are cut */
    double crookedness;   /* tangent of the largest turn of a street against the plan's direction */
    double street_half_m; /* half the width of its narrowest streets */
    rw_quarter quarter;
} street_plan;

/* Cuts across the longer side near the middle; the street gets wider the more land it serves. */
static rw_status cut_blocks(rw_city *city, const rw_lot *lot, const street_plan *plan, rw_random *random)
{
    double low, high, low_across, high_across, area_m2 = rw_lot_area_m2(lot);
    rw_vec2 along = plan->direction, across = rw_vec2_left(along);
    rw_lot_extent(lot, along, &low, &high);
    rw_lot_extent(lot, across, &low_across, &high_across);
    double length = high - low, breadth = high_across - low_across;
    double stop_m2 = plan->block_area_m2 * rw_random_range(random, 0.7, 1.7);
    /* Blocks are longer along the plan's direction than across it. */
    int cut_length = length > 1.35 * breadth || (length > breadth && rw_random_chance(random, 0.4));
    double longer = cut_length ? length : breadth;
    /* Bent streets would cut into the straight sides of longer blocks. */
    if (longer < 90 || (area_m2 < stop_m2 && longer < BLOCK_LENGTH_MAX_M))
        return rw_city_add_block(city, lot, plan->quarter);

    rw_vec2 centre = rw_lot_centre(lot), axis = cut_length ? along : across;
    rw_vec2 through = rw_vec2_along(centre, axis, longer * rw_random_range(random, -0.11, 0.11));
    rw_vec2 street = rw_vec2_turned(rw_vec2_left(axis), rw_random_range(random, -1, 1) * plan->crookedness);
    double served = sqrt(area_m2 / plan->block_area_m2);
    double half_m = plan->street_half_m * (1 + 0.12 * (served < 6 ? served : 6)) * rw_random_range(random, 0.85, 1.2);
    rw_lot left, right;
    if (!rw_lot_split(lot, through, street, half_m, &left, &right))
        return rw_city_add_block(city, lot, plan->quarter);
    RW_TRY(cut_blocks(city, &left, plan, random));
    return cut_blocks(city, &right, plan, random);
}

static rw_status plan_quarter(rw_city *city, const rw_lot *lot, rw_random *random)
{
    double kind = rw_random_unit(random), skew = rw_random_range(random, -0.12, 0.12);
    double block_area_m2 = rw_random_range(random, 11000, 19000);
    street_plan plan = {.direction = rw_vec2_turned(rw_lot_longest_edge(lot), skew),
                        .block_area_m2 = block_area_m2,
                        .crookedness = 0.07,
                        .street_half_m = rw_random_range(random, 6.5, 8.5),
                        .quarter = kind < 0.78   ? RW_QUARTER_DENSE
                                   : kind < 0.94 ? RW_QUARTER_ESTATE
                                                 : RW_QUARTER_PARK};
    if (plan.quarter != RW_QUARTER_DENSE)
        plan.block_area_m2 *= 1.6;
    if (rw_random_chance(random, 0.5))
        plan.direction = rw_vec2_left(plan.direction);
    return cut_blocks(city, lot, &plan, random);
}

static rw_status split_into_quarters(rw_city *city, const rw_lot *lot, rw_random *random)
{
    rw_lot left, right;
    double area_m2 = rw_lot_area_m2(lot);
    if (area_m2 < QUARTER_AREA_MAX_M2 * rw_random_range(random, 0.5, 1.2))
        return plan_quarter(city, lot, random);
    rw_vec2 along = rw_lot_longest_edge(lot), centre = rw_lot_centre(lot);
    double low, high;
    rw_lot_extent(lot, along, &low, &high);
    rw_vec2 through = rw_vec2_along(centre, along, (high - low) * rw_random_range(random, -0.12, 0.12));
    rw_vec2 road = rw_vec2_turned(rw_vec2_left(along), rw_random_range(random, -0.3, 0.3));
    if (!rw_lot_split(lot, through, road, rw_random_range(random, 11, 16), &left, &right))
        return plan_quarter(city, lot, random);
    RW_TRY(split_into_quarters(city, &left, random));
    return split_into_quarters(city, &right, random);
}

static rw_status plan_old_town(rw_city *city, const rw_lot *lot, rw_random *random)
{
    double skew = rw_random_range(random, -0.2, 0.2);
    street_plan plan = {.direction = rw_vec2_turned(rw_lot_longest_edge(lot), skew),
                        .block_area_m2 = rw_random_range(random, 6500, 9000),
                        .crookedness = 0.28,
                        .street_half_m = 4.6,
                        .quarter = RW_QUARTER_OLD_TOWN};
    return cut_blocks(city, lot, &plan, random);
}

/* A road from the market square out of the town, and where square and ring road cross it. */
typedef struct radial_road {
    rw_vec2 direction;
    double half_m, market_m, ring_m;
} radial_road;

/* One sector between two radial roads: market square, old town, ring road, quarters. */
static rw_status cut_sector(rw_city *city, const rw_lot *sector, rw_vec2 centre, const radial_road roads[2],
                            rw_random *random)
{
    rw_lot inside, outside;
    rw_vec2 ring_from = rw_vec2_along(centre, roads[0].direction, roads[0].ring_m);
    rw_vec2 ring_to = rw_vec2_along(centre, roads[1].direction, roads[1].ring_m);
    rw_vec2 ring = rw_vec2_unit(rw_vec2_sub(ring_to, ring_from));
    if (!rw_lot_split(sector, ring_from, ring, 20, &inside, &outside))
        return split_into_quarters(city, sector, random);
    rw_vec2 market_from = rw_vec2_along(centre, roads[1].direction, roads[1].market_m);
    rw_vec2 market_to = rw_vec2_along(centre, roads[0].direction, roads[0].market_m);
    rw_lot old_town = rw_lot_clip(&inside, market_from, rw_vec2_sub(market_to, market_from), 4);
    RW_TRY(split_into_quarters(city, &outside, random));
    return old_town.count ? plan_old_town(city, &old_town, random) : RW_OK;
}

/* A river past the old town: the land beyond it is quarters only. */
static rw_status cut_river(rw_city *city, rw_lot *town, rw_vec2 centre, double ring_m, rw_random *random)
{
    rw_lot beyond, near;
    rw_vec2 direction = rw_direction_at(rw_random_range(random, 0, 4)), left = rw_vec2_left(direction);
    rw_vec2 bank = rw_vec2_along(centre, left, -ring_m * rw_random_range(random, 1.15, 1.6));
    if (!rw_lot_split(town, bank, direction, rw_random_range(random, 32, 45), &near, &beyond))
        return RW_OK;
    *town = near;
    return split_into_quarters(city, &beyond, random);
}

static rw_status cut_town(rw_city *city, rw_lot town, rw_random *random)
{
    double side_m = sqrt(rw_lot_area_m2(&town));
    rw_vec2 centre = rw_lot_centre(&town);
    centre.x += side_m * rw_random_range(random, -0.1, 0.1);
    centre.y += side_m * rw_random_range(random, -0.1, 0.1);
    int roads = 6 + rw_random_index(random, 3);
    double skew = rw_random_range(random, 0, 4), ring_m = side_m * rw_random_range(random, 0.13, 0.17);
    RW_TRY(cut_river(city, &town, centre, ring_m, random));
    radial_road road[RADIAL_ROADS_MAX + 1];
    for (int i = 0; i < roads; i++) {
        double shift = rw_random_range(random, -0.28, 0.28);
        road[i].direction = rw_direction_at(skew + (i + shift) * 4 / roads);
        road[i].half_m = rw_random_range(random, 8, 14);
        road[i].market_m = rw_random_range(random, 40, 75);
        road[i].ring_m = ring_m * rw_random_range(random, 0.75, 1.3);
    }
    road[roads] = road[0];
    for (int i = 0; i < roads; i++) {
        rw_vec2 next = road[i + 1].direction;
        rw_lot sector = rw_lot_clip(&town, centre, road[i].direction, road[i].half_m);
        if (sector.count)
            sector = rw_lot_clip(&sector, centre, rw_vec2_of(-next.x, -next.y), road[i + 1].half_m);
        if (sector.count)
            RW_TRY(cut_sector(city, &sector, centre, road + i, random));
    }
    return RW_OK;
}

static rw_status cut_towns(rw_city *city, const rw_lot *land, rw_random *random)
{
    rw_lot left, right;
    double area_m2 = rw_lot_area_m2(land);
    if (area_m2 < 0.8e6)
        return plan_quarter(city, land, random);
    rw_vec2 along = rw_lot_longest_edge(land);
    rw_vec2 road = rw_vec2_turned(rw_vec2_left(along), rw_random_range(random, -0.15, 0.15));
    if (area_m2 < TOWN_AREA_MAX_M2 ||
        !rw_lot_split(land, rw_lot_centre(land), road, rw_random_range(random, 18, 30), &left, &right))
        return cut_town(city, *land, random);
    RW_TRY(cut_towns(city, &left, random));
    return cut_towns(city, &right, random);
}

/* The move fades out towards the edges of the city, and its slope is small, so that what was apart stays apart. */
static rw_vec2 bend_street_point(const rw_city *city, rw_vec2 at)
{
    double edge_m = at.x < at.y ? at.x : at.y;
    edge_m = city->width_m - at.x < edge_m ? city->width_m - at.x : edge_m;
    edge_m = city->depth_m - at.y < edge_m ? city->depth_m - at.y : edge_m;
    double fade = edge_m <= 0 ? 0 : edge_m > BEND_FADE_M ? 1 : edge_m / BEND_FADE_M;
    double move_m = BEND_MAX_M * fade * fade * (3 - 2 * fade);
    return rw_vec2_of(at.x + move_m * rw_noise(city->seed ^ 0x51, at.x, at.y, BEND_SIZE_M, 1),
                      at.y + move_m * rw_noise(city->seed ^ 0x52, at.x, at.y, BEND_SIZE_M, 1));
}

void rw_streets_bend(const rw_city *city, rw_lot *lot)
{
    for (int i = 0; i < lot->count; i++)
        lot->corner[i] = bend_street_point(city, lot->corner[i]);
}

rw_status rw_streets_european(rw_city *city)
{
    rw_random random = rw_random_of(city->seed, 1);
    rw_lot land = rw_lot_rectangle(city->width_m, city->depth_m, 3);
    return cut_towns(city, &land, &random);
}
