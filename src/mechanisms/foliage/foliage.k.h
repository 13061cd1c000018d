/* How many metres of a line lie in the crowns of trees.
 *
 * From a raster of altitudes of tree tops. A line is looked at in steps of half a cell; the way over the roofs is the
 * upper hull of the profile. Trees are as the raster has them, also over streets and roofs, and reach down to the
 * ground. */
#ifndef RW_MECHANISMS_FOLIAGE_FOLIAGE_K_H
#define RW_MECHANISMS_FOLIAGE_FOLIAGE_K_H

#include "mechanisms/rooftop/roof_path.k.h"
#include "field/air/foliage.k.h"
#include "visibility/los/sight.k.h"

#define RW_FOLIAGE_STEPS_MAX 16384
#define RW_NO_FOLIAGE -1e30f

/* Trees in the frame of the lines; tops are the backend's. */
typedef struct rw_foliage_view {
    const float *tops_m; /* altitudes; RW_NO_FOLIAGE where there is none; NULL: the scene has no trees */
    int columns, rows;
    double x0, y0, dx, dy; /* centre of the first cell, and sizes of a cell */
} rw_foliage_view;

/* Altitude of the tree tops at a place. */
RW_FN float rw_foliage_top_m(const rw_foliage_view *foliage, double x, double y)
{
    double column = floor((x - foliage->x0) / foliage->dx + 0.5), row = floor((y - foliage->y0) / foliage->dy + 0.5);
    if (!(column >= 0.0 && row >= 0.0 && column < (double)foliage->columns && row < (double)foliage->rows))
        return RW_NO_FOLIAGE;
    return foliage->tops_m[(size_t)row * (size_t)foliage->columns + (size_t)column];
}

/* Metres of a line that are below the tops of trees. */
RW_FN double rw_foliage_depth_m(const rw_foliage_view *foliage, rw_vec3 from, rw_vec3 to)
{
    rw_vec3 span = rw_vec3_sub(to, from);
    double length_m = rw_vec3_length(span), level_m = sqrt(span.x * span.x + span.y * span.y);
    double step_m = 0.5 * (foliage->dx < foliage->dy ? foliage->dx : foliage->dy), steps = ceil(level_m / step_m);
    int count = steps > RW_FOLIAGE_STEPS_MAX ? RW_FOLIAGE_STEPS_MAX : steps < 1.0 ? 1 : (int)steps, inside = 0;
    for (int i = 0; i < count; i++) {
        double t = (i + 0.5) / count;
        inside += from.z + t * span.z < (double)rw_foliage_top_m(foliage, from.x + t * span.x, from.y + t * span.y);
    }
    return length_m * inside / count;
}

/* The same of the way over the roofs from the receiver to the source. */
RW_FN double rw_foliage_roof_depth_m(const rw_foliage_view *foliage, const rw_wall_grid_view *grid, rw_vec3 receiver,
                                     rw_vec3 source)
{
    rw_sight sight = rw_sight_of(grid, receiver, source);
    rw_roof_path path;
    rw_vec3 at = receiver;
    double depth_m = 0.0;
    rw_roof_path_find(grid, &sight, &path);
    for (int i = 0; i <= path.count; i++) {
        double t = i < path.count ? (double)path.t[i] : 1.0;
        rw_vec3 next = rw_vec3_add(receiver, rw_vec3_scale(rw_vec3_sub(source, receiver), t));
        next.z = i < path.count ? (double)path.z[i] : source.z;
        depth_m += rw_foliage_depth_m(foliage, at, next);
        at = next;
    }
    return depth_m;
}

/* What trees take from the straight line and from the way over the roofs, by ITU-R P.833: one item is one outdoor
 * receiver of one source. */

struct rw_foliage_db_args {
    rw_los_arrays all;
    rw_foliage_view foliage;
    const rw_foliage_law *laws; /* of each source */
    float *direct_db, *roof_db; /* one a cell, source after source; roof_db NULL: no way over roofs */
};

RW_FN void rw_foliage_db_item(const struct rw_foliage_db_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    rw_vec3 receiver = rw_receiver_point(&all->receivers, cell), from = all->sources[source];
    args->direct_db[out] =
        (float)rw_foliage_loss_db(args->laws[source], rw_foliage_depth_m(&args->foliage, receiver, from));
    if (args->roof_db)
        args->roof_db[out] = (float)rw_foliage_loss_db(
            args->laws[source], rw_foliage_roof_depth_m(&args->foliage, &all->grid, receiver, from));
}

#endif
