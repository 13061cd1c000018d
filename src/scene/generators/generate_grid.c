/* A high-rise grid city: avenues and streets at right angles, one diagonal avenue, parks, and towers on podiums.
 *
 * Blocks lie between avenues about 250 m and streets about 85 m apart. A block has two rows of lots back to back; a lot
 * has a podium that fills it and, on most, a tower that stands back from it as a second part of the same building. */
#include "scene/generators/generate.h"

#define AVENUE_HALF_M 15.0
#define STREET_HALF_M 9.0

/* The large park north of the centre. */
static int in_large_park(const rw_city *city, rw_vec2 at)
{
    double x = at.x / city->width_m, y = at.y / city->depth_m;
    return city->width_m > 1500 && city->depth_m > 1500 && x > 0.36 && x < 0.62 && y > 0.55 && y < 0.84;
}

static rw_status add_block(rw_city *city, const rw_lot *lot, int park)
{
    park = park || in_large_park(city, rw_lot_centre(lot));
    return rw_city_add_block(city, lot, park ? RW_QUARTER_PARK : RW_QUARTER_DENSE);
}

/* One strip of blocks between two avenues, cut by streets from its south end to its north end. */
static rw_status cut_streets(rw_city *city, rw_lot strip, rw_vec2 north, rw_random *random)
{
    double low, high;
    rw_lot_extent(&strip, north, &low, &high);
    rw_vec2 street = rw_vec2_of(north.y, -north.x);
    for (double at = low + 85; at < high - 50; at += 85) {
        rw_lot left, right;
        rw_vec2 through = rw_vec2_of(north.x * at, north.y * at);
        int wide = rw_random_chance(random, 0.1);
        if (!rw_lot_split(&strip, through, street, wide ? AVENUE_HALF_M : STREET_HALF_M, &left, &right))
            break;
        RW_TRY(add_block(city, &right, rw_random_chance(random, 0.03)));
        strip = left;
    }
    return add_block(city, &strip, 0);
}

static rw_status cut_avenues(rw_city *city, rw_lot land, rw_vec2 north, rw_random *random)
{
    rw_vec2 east = rw_vec2_of(north.y, -north.x);
    double low, high;
    rw_lot_extent(&land, east, &low, &high);
    for (double at = low + rw_random_range(random, 120, 250); at < high - 60;) {
        rw_lot left, right;
        if (!rw_lot_split(&land, rw_vec2_of(east.x * at, east.y * at), north, AVENUE_HALF_M, &left, &right))
            break;
        RW_TRY(cut_streets(city, left, north, random));
        land = right;
        at += rw_random_chance(random, 0.3) ? 140 : rw_random_range(random, 225, 275);
    }
    return cut_streets(city, land, north, random);
}

rw_status rw_streets_grid(rw_city *city)
{
    rw_random random = rw_random_of(city->seed, 1);
    rw_lot land = rw_lot_rectangle(city->width_m, city->depth_m, 4), west, east;
    rw_vec2 north = rw_vec2_turned(rw_vec2_of(0, 1), rw_random_range(&random, -0.12, 0.12));
    rw_vec2 diagonal = rw_vec2_turned(north, rw_random_range(&random, 0.25, 0.5));
    if (!rw_lot_split(&land, rw_lot_centre(&land), diagonal, AVENUE_HALF_M, &west, &east))
        return cut_avenues(city, land, north, &random);
    RW_TRY(cut_avenues(city, west, north, &random));
    return cut_avenues(city, east, north, &random);
}

static rw_status add_city_part(rw_city *city, const rw_lot *outline, double base_m, double roof_m, int new_building)
{
    rw_shape shape = {.rings = {outline->corner},
                      .ring_sizes = {(size_t)outline->count},
                      .ring_count = 1,
                      .base_height_m = base_m,
                      .roof_height_m = roof_m};
    return rw_city_add(city, &shape, new_building);
}

/* Most towers are 40 to 100 m; one in twenty-five reaches up to 250 m. */
static double tower_height_m(rw_random *random)
{
    double chance = rw_random_unit(random);
    return chance < 0.04   ? rw_random_range(random, 160, 250)
           : chance < 0.25 ? rw_random_range(random, 90, 160)
                           : rw_random_range(random, 30, 90);
}

static rw_status build_lot(rw_city *city, const rw_lot *lot, rw_random *random)
{
    rw_lot tower, crown;
    double podium_m = rw_random_range(random, 12, 28), setback_m = rw_random_range(random, 3, 7);
    double top_m = tower_height_m(random);
    if (rw_lot_area_m2(lot) < 120)
        return RW_OK;
    RW_TRY(add_city_part(city, lot, 0, podium_m, 1));
    if (rw_random_chance(random, 0.2) || !rw_lot_offset(lot, setback_m, 10, &tower))
        return RW_OK;
    top_m = top_m < podium_m + 6 ? podium_m + 6 : top_m;
    double step_m = podium_m + (top_m - podium_m) * rw_random_range(random, 0.5, 0.8);
    if (top_m < 90 || !rw_lot_offset(&tower, setback_m, 9, &crown))
        return add_city_part(city, &tower, podium_m, top_m, 0);
    RW_TRY(add_city_part(city, &tower, podium_m, step_m, 0));
    return add_city_part(city, &crown, step_m, top_m, 0);
}

/* A row of lots side by side: cut off one after the other, so that neighbours share their corners exactly. */
static rw_status build_row(rw_city *city, rw_lot row, rw_vec2 along, rw_random *random)
{
    double low, high;
    rw_lot_tidy(&row, 5);
    rw_lot_extent(&row, along, &low, &high);
    for (double at = low + rw_random_range(random, 24, 62); at < high - 22; at += rw_random_range(random, 24, 62)) {
        rw_lot left, right;
        rw_vec2 through = rw_vec2_of(along.x * at, along.y * at), across = rw_vec2_left(along);
        if (!rw_lot_line_is_clear(&row, through, across, 4) || !rw_lot_split(&row, through, across, 0, &left, &right))
            continue;
        RW_TRY(build_lot(city, &left, random));
        row = right;
    }
    return build_lot(city, &row, random);
}

rw_status rw_block_fill_grid(rw_city *city, const rw_block *block, rw_random *random)
{
    rw_lot lot = rw_lot_inset(&block->lot), south, north;
    rw_lot_tidy(&lot, 5);
    if (block->quarter == RW_QUARTER_PARK || lot.count == 0 || rw_lot_area_m2(&lot) < 400)
        return RW_OK;
    rw_vec2 along = rw_lot_longest_edge(&lot);
    double low, high;
    rw_lot_extent(&lot, rw_vec2_left(along), &low, &high);
    if (high - low < 45 || !rw_lot_split(&lot, rw_lot_centre(&lot), along, 3, &north, &south))
        return build_row(city, lot, along, random);
    north = rw_lot_inset(&north);
    south = rw_lot_inset(&south);
    if (north.count)
        RW_TRY(build_row(city, north, along, random));
    return south.count ? build_row(city, south, along, random) : RW_OK;
}
