/* Cities from a seed: options, the order of the steps, and from drafts to a scene.
 *
 * Only + - * /, sqrt, floor and comparisons on doubles, no contraction and own random numbers: the same seed gives the
 * same bytes on every machine. Time is near linear in the area, since a block only looks at itself. */
#include "scene/generators/generate.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

#define ROOF_MEAN_M 20.0
#define ROOF_LOW_M 5.0
#define ROOF_HIGH_M 100.0

/* One line a style. */
typedef struct city_style {
    const char *name;
    rw_status (*make_streets)(rw_city *city);
    rw_status (*fill_block)(rw_city *city, const rw_block *block, rw_random *random);
    int european_roofs; /* roof heights have the mean of a European city */
} city_style;

static const city_style city_styles[] = {
    {"european", rw_streets_european, rw_block_fill_european, 1},
    {"grid", rw_streets_grid, rw_block_fill_grid, 0},
};

rw_status rw_city_add_block(rw_city *city, const rw_lot *lot, rw_quarter quarter)
{
    RW_TRY(RW_ARRAY_RESERVE(city->context, city->blocks, 1, "blocks of a city"));
    city->blocks.items[city->blocks.count++] = (rw_block){.lot = *lot, .quarter = quarter};
    return RW_OK;
}

rw_status rw_city_add(rw_city *city, const rw_shape *shape, int new_building)
{
    size_t count = 0;
    for (size_t i = 0; i < shape->ring_count; i++)
        count += shape->ring_sizes[i];
    RW_TRY(RW_ARRAY_RESERVE(city->context, city->points, count, "outlines of a city"));
    RW_TRY(RW_ARRAY_RESERVE(city->context, city->drafts, 1, "buildings of a city"));
    city->building_count += new_building != 0;
    rw_draft draft = {.building = city->building_count,
                      .first_point = city->points.count,
                      .ring_count = shape->ring_count,
                      .base_height_m = shape->base_height_m,
                      .roof_height_m = shape->roof_height_m};
    for (size_t ring = 0; ring < shape->ring_count; ring++) {
        rw_vec2 *first = city->points.items + city->points.count;
        draft.ring_sizes[ring] = shape->ring_sizes[ring];
        for (size_t i = 0; i < shape->ring_sizes[ring]; i++) {
            rw_vec2 exact = shape->rings[ring][i];
            city->points.items[city->points.count++] =
                rw_vec2_of(rw_round_coordinate(exact.x), rw_round_coordinate(exact.y));
        }
        double area_m2 = fabs(rw_ring_area(first, shape->ring_sizes[ring]));
        if (shape->base_height_m <= 0)
            city->built_m2 += ring == 0 ? area_m2 : -area_m2;
    }
    city->drafts.items[city->drafts.count++] = draft;
    return RW_OK;
}

static double limit_roof(double height_m)
{
    return height_m < ROOF_LOW_M ? ROOF_LOW_M : height_m > ROOF_HIGH_M ? ROOF_HIGH_M : height_m;
}

static double mean_roof_m(const rw_city *city)
{
    double sum = 0;
    for (size_t i = 0; i < city->drafts.count; i++)
        sum += city->drafts.items[i].roof_height_m;
    return sum / (double)city->drafts.count;
}

/* Stretches all roofs above the lowest until their mean is right; limits at the ends ask for a few rounds. */
static void finalise_roofs(rw_city *city)
{
    for (int round = 0; round < 8 && city->drafts.count; round++) {
        double stretch = (ROOF_MEAN_M - ROOF_LOW_M) / (mean_roof_m(city) - ROOF_LOW_M);
        for (size_t i = 0; i < city->drafts.count; i++) {
            double *roof_m = &city->drafts.items[i].roof_height_m;
            *roof_m = limit_roof(ROOF_LOW_M + (*roof_m - ROOF_LOW_M) * stretch);
        }
    }
}

/* Blocks are filled in a random order, so that what the totals ask for does not pile up in one place. */
static void shuffle_blocks(rw_city *city)
{
    rw_random random = rw_random_of(city->seed, 2);
    for (size_t i = city->blocks.count; i > 1; i--) {
        size_t other = (size_t)(rw_random_next(&random) % i);
        rw_block block = city->blocks.items[i - 1];
        city->blocks.items[i - 1] = city->blocks.items[other];
        city->blocks.items[other] = block;
    }
}

static rw_status fill_city_blocks(rw_city *city, const city_style *style)
{
    double blocks_m2 = 0;
    for (size_t i = 0; i < city->blocks.count; i++)
        blocks_m2 += rw_lot_area_m2(&city->blocks.items[i].lot);
    /* Land that belongs to no block, such as market squares, counts with the blocks. */
    double land_ratio = city->width_m * city->depth_m / blocks_m2;
    for (size_t i = 0; i < city->blocks.count; i++) {
        rw_random random = rw_random_of(city->seed, 16 + i);
        city->land_m2 += rw_lot_area_m2(&city->blocks.items[i].lot) * land_ratio;
        RW_TRY(style->fill_block(city, &city->blocks.items[i], &random));
        if (i % 256 == 0)
            RW_TRY(rw_progress(city->context, (double)i / (double)city->blocks.count, "buildings"));
    }
    return RW_OK;
}

static rw_status add_city_buildings(const rw_city *city, rw_scene *scene, int hills)
{
    for (size_t i = 0; i < city->drafts.count; i++) {
        const rw_draft *draft = &city->drafts.items[i];
        rw_building building = {.size = sizeof building,
                                .building_id = draft->building,
                                .xy = &city->points.items[draft->first_point].x,
                                .ring_sizes = draft->ring_sizes,
                                .ring_count = draft->ring_count,
                                .ground_m = hills ? NAN : 0,
                                .base_height_m = rw_round_coordinate(draft->base_height_m),
                                .roof_height_m = rw_round_coordinate(draft->roof_height_m)};
        RW_TRY(rw_scene_add_building(scene, &building));
    }
    return RW_OK;
}

static rw_status make_city(rw_city *city, const city_style *style, int hills, rw_scene *scene)
{
    RW_TRY(style->make_streets(city));
    shuffle_blocks(city);
    RW_TRY(fill_city_blocks(city, style));
    if (style->european_roofs)
        finalise_roofs(city);
    RW_TRY(add_city_buildings(city, scene, hills));
    return hills ? rw_scene_add_hills(scene, city->width_m, city->depth_m, 20, 45, city->seed) : RW_OK;
}

void rw_city_options_init_sized(rw_city_options *options, size_t size)
{
    const rw_city_options own = {.style = "european", .width_m = 2400, .depth_m = 3400, .seed = 1};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status find_style(rw_context *context, const char *name, const city_style **style)
{
    for (size_t i = 0; name && i < sizeof city_styles / sizeof *city_styles; i++)
        if (strcmp(city_styles[i].name, name) == 0) {
            *style = &city_styles[i];
            return RW_OK;
        }
    return rw_fail(context, RW_BAD_CALL, "the city style %s is unknown; european and grid are there",
                   name ? name : "(none)");
}

rw_status rw_generate_city(rw_context *context, const rw_city_options *options, rw_scene **scene)
{
    const city_style *style = NULL;
    *scene = NULL;
    rw_city_options chosen;
    rw_city_options_init(&chosen);
    RW_TRY(RW_RESOLVE(context, options, &chosen));
    RW_TRY(find_style(context, chosen.style, &style));
    RW_TRY(rw_check_length(context, "width", chosen.width_m, 100, 200000));
    RW_TRY(rw_check_length(context, "depth", chosen.depth_m, 100, 200000));
    rw_city city = {.context = context, .width_m = chosen.width_m, .depth_m = chosen.depth_m, .seed = chosen.seed};
    rw_scene *new_scene;
    RW_TRY(rw_scene_create(context, &new_scene));
    rw_status status = make_city(&city, style, chosen.hills, new_scene);
    free(city.blocks.items);
    free(city.drafts.items);
    free(city.points.items);
    if (status != RW_OK) {
        rw_scene_destroy(new_scene);
        return status;
    }
    *scene = new_scene;
    return RW_OK;
}
