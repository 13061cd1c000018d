/* What lies between the ends of a path beside walls: trees, by ITU-R P.833 over all metres of the path that are in
 * foliage, and air, by the metres that the path is longer than the straight line. What air takes along the straight
 * line is added to every loss by the engine (atmosphere.h). */
#ifndef RW_MECHANISMS_ATMOSPHERE_MEDIUM_K_H
#define RW_MECHANISMS_ATMOSPHERE_MEDIUM_K_H

#include "field/air/foliage.k.h"
#include "mechanisms/foliage/foliage.k.h"

typedef struct rw_medium {
    int counts; /* 0: there is nothing, and the rest is not looked at */
    rw_foliage_view foliage;
    rw_foliage_law law;
    double air_db_per_m;
} rw_medium;

/* A path leg by leg. */
typedef struct rw_medium_path {
    double foliage_m, length_m;
} rw_medium_path;

RW_FN rw_medium_path rw_medium_start(void)
{
    rw_medium_path path = {0.0, 0.0};
    return path;
}

RW_FN void rw_medium_go(const rw_medium *medium, rw_medium_path *path, rw_vec3 from, rw_vec3 to)
{
    path->length_m += rw_vec3_length(rw_vec3_sub(to, from));
    if (medium->foliage.tops_m)
        path->foliage_m += rw_foliage_depth_m(&medium->foliage, from, to);
}

/* straight_m: between the ends. */
RW_FN double rw_medium_loss_db(const rw_medium *medium, const rw_medium_path *path, double straight_m)
{
    double longer_m = path->length_m - straight_m;
    return rw_foliage_loss_db(medium->law, path->foliage_m) + medium->air_db_per_m * (longer_m > 0.0 ? longer_m : 0.0);
}

/* Of the way over the roofs, whose length is known. */
RW_FN double rw_medium_roof_db(const rw_medium *medium, const rw_wall_grid_view *grid, rw_vec3 receiver, rw_vec3 source,
                               double length_m)
{
    rw_medium_path path = {0.0, length_m};
    if (medium->foliage.tops_m)
        path.foliage_m = rw_foliage_roof_depth_m(&medium->foliage, grid, receiver, source);
    return rw_medium_loss_db(medium, &path, rw_vec3_length(rw_vec3_sub(source, receiver)));
}

#endif
