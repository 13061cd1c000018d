/* Path loss of the shadow model: one item is one outdoor receiver of one source.
 *
 * Equation (20) of Rick and Kuhlen (2010): free space over the length of the path, plus a polynomial in each deflection
 * angle (equations (18) and (19)), plus the loss of walls. A receiver in sight has its free-space loss, equation (15).
 * Of the other ways, round corners, over the roofs or through the walls, the one with the least loss counts, or the sum
 * of the powers of the best few. */
#ifndef RW_MODELS_SHADOW_PATH_LOSS_K_H
#define RW_MODELS_SHADOW_PATH_LOSS_K_H

#include "field/free_space.k.h"
#include "models/shadow/street_best.k.h"
#include "visibility/roof_path.k.h"

typedef enum rw_shadow_mechanism {
    RW_SHADOW_SIGHT,
    RW_SHADOW_STREET,
    RW_SHADOW_ROOF,
    RW_SHADOW_THROUGH
} rw_shadow_mechanism;

typedef enum rw_shadow_roofs {
    RW_SHADOW_ROOFS_NONE,
    RW_SHADOW_ROOFS_COUNTED, /* the walls below the line, without angles: section 7.1 */
    RW_SHADOW_ROOFS_ANGLES   /* the upper hull of the profile */
} rw_shadow_roofs;

struct rw_shadow_path_loss_args {
    rw_wall_grid_view grid;
    rw_receivers_view receivers;
    const rw_shadow_source *sources;
    rw_street_view street;
    size_t first_item; /* number of item 0 */
    int streets;       /* whether waves go round corners */
    rw_shadow_roofs roofs;
    int through;           /* whether they go through walls */
    int best_count;        /* how many ways are summed; 1: the best alone */
    const uint8_t *los;    /* one a cell, source after source, as all that follow; NULL: where walls are 0 */
    const uint32_t *walls; /* NULL where neither walls nor roofs are counted */
    float *path_loss_db;   /* infinite where there is no way */
    uint8_t *mechanism;
    uint8_t *deflections;
    uint32_t *street_paths; /* the path taken, RW_STREET_NONE where it goes round no corner; may be NULL */
};

/* In place of the numbers of paths round corners. */
#define RW_SHADOW_WAY_ROOF (RW_STREET_NONE - 1u)
#define RW_SHADOW_WAY_THROUGH (RW_STREET_NONE - 2u)

/* Length of the path over the roofs and the loss of its deflections. */
RW_FN double rw_roof_deflections_db(const rw_roof_path *path, const rw_sight *sight, rw_deflection roof,
                                    double *length_m)
{
    float distance = sqrtf(sight->dx * sight->dx + sight->dy * sight->dy);
    float t = 0.0f, z = sight->z, slope_before = 0.0f;
    double loss_db = 0.0;
    *length_m = 0.0;
    for (int i = 0; i <= path->count; i++) {
        float next_t = i < path->count ? path->t[i] : 1.0f,
              next_z = i < path->count ? path->z[i] : sight->z + sight->dz;
        float along = (next_t - t) * distance, up = next_z - z;
        float slope = atan2f(up, along);
        if (i > 0)
            loss_db += rw_deflection_loss_db(
                roof, (double)fabsf(slope - slope_before)); /* eq. (18): the change of direction */
        *length_m += (double)sqrtf(along * along + up * up);
        slope_before = slope;
        t = next_t;
        z = next_z;
    }
    return loss_db;
}

/* The way over the roofs; returns how often it is deflected. */
RW_FN int rw_shadow_try_roofs(const struct rw_shadow_path_loss_args *args, const rw_shadow_source *source,
                              rw_vec3 receiver, double direct_db, uint32_t walls, int angles, rw_shadow_ways *ways)
{
    if (!angles) {
        rw_shadow_keep(ways, (float)(direct_db + source->roof_count_db * (double)walls), RW_SHADOW_WAY_ROOF);
        return walls < 255u ? (int)walls : 255;
    }
    rw_sight sight = rw_sight_make(&args->grid, receiver, source->at);
    rw_roof_path path;
    double length_m;
    rw_roof_path_find(&args->grid, &sight, &path);
    double over_db = rw_roof_deflections_db(&path, &sight, source->roof, &length_m) + source->offset_db;
    rw_shadow_keep(ways, (float)(rw_free_space_loss_db(length_m, source->wavelength_m) + over_db), RW_SHADOW_WAY_ROOF);
    return path.count;
}

/* What every path costs beside 20 log10 of its length in metres. Taken far away, where free space is free space at any
 * frequency. */
RW_FN float rw_shadow_metre_db(const rw_shadow_source *source)
{
    return (float)(source->offset_db + rw_free_space_loss_db(1e6, source->wavelength_m) - 120.0);
}

/* angles and may_march are constants where this is called, so that the forms without them do not carry their registers.
 * Returns 0 where the receiver is left open, because a march would decide. */
RW_FN int rw_shadow_solve(const struct rw_shadow_path_loss_args *args, size_t item, int angles, int may_march)
{
    item += args->first_item;
    size_t index = item / args->receivers.outdoor_count, outdoor = item - index * args->receivers.outdoor_count;
    size_t cell = args->receivers.outdoor[outdoor];
    size_t at = index * args->receivers.columns * args->receivers.rows + cell;
    const rw_shadow_source *source = args->sources + index;
    rw_vec3 receiver = rw_receiver_point(&args->receivers, cell);
    double direct_db = source->offset_db +
                       rw_free_space_loss_db(rw_vec3_length(rw_vec3_sub(source->at, receiver)), source->wavelength_m);
    args->path_loss_db[at] = (float)direct_db;
    args->mechanism[at] = RW_SHADOW_SIGHT;
    args->deflections[at] = 0;
    if (args->street_paths)
        args->street_paths[at] = RW_STREET_NONE;
    if ((args->los ? args->los[at] != 0 : args->walls[at] == 0u) || !(args->streets || args->roofs || args->through))
        return 1;
    rw_shadow_ways ways = rw_shadow_ways_make(args->best_count);
    uint32_t walls = args->walls ? args->walls[at] : 0u;
    if (args->through)
        rw_shadow_keep(&ways, (float)(direct_db + rw_multi_wall_loss_db(source->wall, (double)walls)),
                       RW_SHADOW_WAY_THROUGH);
    int roofs = args->roofs ? rw_shadow_try_roofs(args, source, receiver, direct_db, walls, angles, &ways) : 0;
    if (args->streets) {
        rw_street_receiver to = {receiver, (float)(receiver.z - source->at.z), rw_shadow_metre_db(source)};
        rw_street_find(&args->street, index, outdoor, &to, may_march, &ways);
        if (ways.open)
            return 0;
    }
    args->path_loss_db[at] = rw_shadow_sum_db(&ways);
    uint32_t way = ways.count ? ways.best : RW_SHADOW_WAY_THROUGH;
    args->mechanism[at] = (uint8_t)(way == RW_SHADOW_WAY_THROUGH ? RW_SHADOW_THROUGH
                                    : way == RW_SHADOW_WAY_ROOF  ? RW_SHADOW_ROOF
                                                                 : RW_SHADOW_STREET);
    if (way == RW_SHADOW_WAY_ROOF)
        args->deflections[at] = (uint8_t)roofs;
    if (args->mechanism[at] != RW_SHADOW_STREET)
        return 1;
    args->deflections[at] = args->street.paths[index * args->street.capacity + way].order;
    if (args->street_paths)
        args->street_paths[at] = way;
    return 1;
}

RW_FN void rw_shadow_path_loss_item(const struct rw_shadow_path_loss_args *args, size_t item)
{
    rw_shadow_solve(args, item, 0, 1);
}

/* The same where roofs have angles. */
struct rw_shadow_hull_loss_args {
    struct rw_shadow_path_loss_args all;
};

RW_FN void rw_shadow_hull_loss_item(const struct rw_shadow_hull_loss_args *args, size_t item)
{
    rw_shadow_solve(&args->all, item, 1, 1);
}

/* Two steps for a device: first what needs no march, whose many registers would keep other receivers waiting, and a
 * list of what is left open; then the list, item i taking receivers i, i + stride and so on, since its length stays
 * there. */
struct rw_shadow_sure_loss_args {
    struct rw_shadow_path_loss_args all;
    uint32_t *open_items; /* room for every item */
    uint32_t *open_count;
};

RW_FN void rw_shadow_sure_loss_item(const struct rw_shadow_sure_loss_args *args, size_t item)
{
    if (!rw_shadow_solve(&args->all, item, 0, 0))
        args->open_items[rw_shared_take(args->open_count, 1)] = (uint32_t)item;
}

struct rw_shadow_open_loss_args {
    struct rw_shadow_sure_loss_args sure;
    size_t stride;
};

RW_FN void rw_shadow_open_loss_item(const struct rw_shadow_open_loss_args *args, size_t item)
{
    for (size_t i = item; i < *args->sure.open_count; i += args->stride)
        rw_shadow_solve(&args->sure.all, args->sure.open_items[i], 0, 1);
}

#endif
