/* Path loss of the shadow model: one item is one outdoor receiver of one source.
 *
 * Equation (20) of Rick and Kuhlen (2010): free space over the length of the path, plus a polynomial in each deflection
 * angle (equations (18) and (19)), plus the loss of walls. Of the ways a wave may take, in sight, over the roofs or
 * through the walls, the one with the least loss counts. */
#ifndef RW_MODELS_SHADOW_PATH_LOSS_K_H
#define RW_MODELS_SHADOW_PATH_LOSS_K_H

#include "field/deflection.k.h"
#include "field/free_space.k.h"
#include "field/multi_wall.k.h"
#include "visibility/los_args.k.h"
#include "visibility/roof_path.k.h"

typedef enum rw_shadow_mechanism {
    RW_SHADOW_SIGHT,
    RW_SHADOW_STREET,
    RW_SHADOW_ROOF,
    RW_SHADOW_THROUGH
} rw_shadow_mechanism;

struct rw_shadow_path_loss_args {
    rw_wall_grid_view grid;
    rw_receivers_view receivers;
    rw_vec3 source; /* in the grid's frame */
    double wavelength_m;
    rw_deflection roof;
    rw_wall_kind wall;
    int roofs;             /* whether waves go over roofs */
    const uint32_t *walls; /* one a cell; NULL: no way through walls */
    float *path_loss_db;   /* one a cell, as are the next two; infinite where there is no way */
    uint8_t *mechanism;
    uint8_t *deflections;
};

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

RW_FN void rw_shadow_path_loss_item(const struct rw_shadow_path_loss_args *args, size_t item)
{
    size_t cell = args->receivers.outdoor[item];
    rw_vec3 receiver = rw_receiver_point(&args->receivers, cell);
    rw_sight sight = rw_sight_make(&args->grid, receiver, args->source);
    int clear = rw_march_clear(&args->grid, &sight);
    double direct_db = rw_free_space_loss_db(rw_vec3_length(rw_vec3_sub(args->source, receiver)), args->wavelength_m);
    double best_db = clear ? direct_db : (double)INFINITY;
    uint8_t mechanism = RW_SHADOW_SIGHT, deflections = 0;
    if (!clear && args->roofs) {
        rw_roof_path path;
        double length_m;
        rw_roof_path_find(&args->grid, &sight, &path);
        double over_db = rw_roof_deflections_db(&path, &sight, args->roof, &length_m);
        best_db = rw_free_space_loss_db(length_m, args->wavelength_m) + over_db;
        mechanism = RW_SHADOW_ROOF;
        deflections = (uint8_t)path.count;
    }
    if (!clear && args->walls) {
        double through_db = direct_db + rw_multi_wall_loss_db(args->wall, (double)args->walls[cell]);
        if (through_db < best_db) {
            best_db = through_db;
            mechanism = RW_SHADOW_THROUGH;
            deflections = 0;
        }
    }
    args->path_loss_db[cell] = (float)best_db;
    args->mechanism[cell] = mechanism;
    args->deflections[cell] = deflections;
}

#endif
