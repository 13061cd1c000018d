#include "models/shadow/ensemble/ensemble.h"

#include "base/maths/hash.h"

#include <math.h>

enum { OF_HEIGHT, OF_MAST_X, OF_MAST_Y, OF_MAST_Z, OF_WALLS, OF_FACADE, OF_STREETS, OF_PRIOR, OF_FOLIAGE, KINDS };

/* No house is known less well than to this share of its height: a shed of 3 m is not 9 m high. */
#define HEIGHT_FRACTION_MAX 0.2

/* Parts of a building that lie over each other at one place. */
#define PARTS_MAX 8

rw_spreads rw_spreads_default(void)
{
    return (rw_spreads){.height_m = 2.0,
                        .mast_xy_m = 1.0,
                        .mast_z_m = 0.5,
                        .wall_fraction = 0.2,
                        .foliage_fraction = 0.3,
                        .facade_db = 2.0,
                        .street_fraction = 0.15,
                        .prior_weight = 0.2};
}

/* A number of mean 0 and standard deviation 1: the sum of twelve even ones, which no mathematical library rounds. */
static double draw_normal(size_t member, int kind, uint64_t number)
{
    rw_random random = rw_random_of((uint64_t)member * KINDS + (uint64_t)kind, number);
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += rw_random_unit(&random);
    return fmin(fmax(sum, -RW_DRAW_MAX), RW_DRAW_MAX);
}

rw_member rw_member_draw(const rw_spreads *spreads, size_t member)
{
    return (rw_member){.wall_factor = fmax(0, 1 + spreads->wall_fraction * draw_normal(member, OF_WALLS, 0)),
                       .street_factor = fmax(0, 1 + spreads->street_fraction * draw_normal(member, OF_STREETS, 0)),
                       .foliage_factor = fmax(0, 1 + spreads->foliage_fraction * draw_normal(member, OF_FOLIAGE, 0)),
                       .facade_db = spreads->facade_db * draw_normal(member, OF_FACADE, 0),
                       .prior_weight = spreads->prior_weight * draw_normal(member, OF_PRIOR, 0)};
}

double rw_member_heights(const rw_spreads *spreads, const rw_scene *scene, size_t member, float *raised_m)
{
    double max_m = 0;
    for (size_t i = 0; i < scene->parts.count; i++) {
        double height_m = scene->parts.items[i].roof_height_m - scene->parts.items[i].base_height_m;
        double known_m = scene->parts.items[i].height_spread_m; /* of a surface model */
        double spread_m = fmin(known_m > 0 ? known_m : spreads->height_m, HEIGHT_FRACTION_MAX * height_m);
        raised_m[i] = (float)(spread_m * draw_normal(member, OF_HEIGHT, i));
        max_m = fmax(max_m, (double)raised_m[i]);
    }
    return max_m;
}

/* The roof that a transmitter stands on: by how much it is higher. */
static double raised_below(const rw_scene *scene, const float *raised_m, rw_vec3 source)
{
    uint32_t parts[PARTS_MAX];
    size_t count = rw_parts_over(scene, scene->prepared, (rw_vec2){source.x, source.y}, parts, PARTS_MAX);
    double top_m = -INFINITY, raised = 0;
    for (size_t i = 0; i < count && i < PARTS_MAX; i++) {
        const rw_part *part = &scene->parts.items[parts[i]];
        if (part->top_m > source.z || part->top_m < top_m)
            continue;
        top_m = part->top_m;
        raised = (double)raised_m[parts[i]];
    }
    return raised;
}

static int is_inside(const rw_scene *scene, const float *raised_m, rw_vec3 at)
{
    uint32_t parts[PARTS_MAX];
    size_t count = rw_parts_over(scene, scene->prepared, (rw_vec2){at.x, at.y}, parts, PARTS_MAX);
    int inside = 0;
    for (size_t i = 0; i < count && i < PARTS_MAX; i++)
        inside |= at.z < scene->parts.items[parts[i]].top_m + (double)raised_m[parts[i]];
    return inside;
}

/* A shift that would lead into a building is halved until it does not. */
rw_vec3 rw_member_mast(const rw_spreads *spreads, const rw_scene *scene, size_t member, const float *raised_m,
                       rw_vec3 source)
{
    const double position[3] = {source.x, source.y, source.z}; /* no padding between them */
    uint64_t number = rw_hash(RW_HASH_START, position, sizeof position);
    double ground_m = rw_scene_ground_m(scene, (rw_vec2){source.x, source.y});
    double z =
        source.z + raised_below(scene, raised_m, source) + spreads->mast_z_m * draw_normal(member, OF_MAST_Z, number);
    double dx = spreads->mast_xy_m * draw_normal(member, OF_MAST_X, number);
    double dy = spreads->mast_xy_m * draw_normal(member, OF_MAST_Y, number);
    z = fmax(z, ground_m + 0.5 * (source.z - ground_m));
    for (int i = 0; i < 6; i++, dx *= 0.5, dy *= 0.5) {
        rw_vec3 moved = rw_vec3_of(source.x + dx, source.y + dy, z);
        if (!is_inside(scene, raised_m, moved))
            return moved;
    }
    return rw_vec3_of(source.x, source.y, z);
}
