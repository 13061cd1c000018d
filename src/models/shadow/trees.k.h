/* What trees take from the straight line and from the way over the roofs: one item is one outdoor receiver of one
 * source.
 *
 * From a raster of tree heights above ground to the metres of a line that lie in crowns, and by those to the loss of
 * ITU-R P.833 (field/air/foliage.k.h). A line is looked at in steps of half a cell; the way over the roofs is the upper
 * hull of the profile. Trees are as the raster has them, also over streets and roofs. */
#ifndef RW_MODELS_SHADOW_TREES_K_H
#define RW_MODELS_SHADOW_TREES_K_H

#include "field/air/foliage.k.h"
#include "visibility/roofs/roof_path.k.h"
#include "visibility/sight/los_args.k.h"

#define RW_TREES_STEPS_MOST 16384

/* Trees in the grid's frame; heights are the backend's. */
typedef struct rw_trees_view {
    const float *heights_m; /* above ground */
    int columns, rows;
    double x0, y0, dx, dy; /* centre of the first cell, and sizes of a cell */
} rw_trees_view;

/* Height of the trees at a place; 0 beyond the raster. */
RW_FN float rw_trees_height_m(const rw_trees_view *trees, double x, double y)
{
    double column = floor((x - trees->x0) / trees->dx + 0.5), row = floor((y - trees->y0) / trees->dy + 0.5);
    if (!(column >= 0.0 && row >= 0.0 && column < (double)trees->columns && row < (double)trees->rows))
        return 0.0f;
    return trees->heights_m[(size_t)row * (size_t)trees->columns + (size_t)column];
}

RW_FN double rw_trees_ground_m(const rw_wall_grid_view *grid, double x, double y)
{
    if (!grid->posts)
        return 0.0;
    return (double)rw_ground_height(grid, (float)((x - grid->post_x0) * grid->posts_per_m_x),
                                    (float)((y - grid->post_y0) * grid->posts_per_m_y));
}

/* Metres of a line that are below the tops of trees. */
RW_FN double rw_trees_depth_m(const rw_trees_view *trees, const rw_wall_grid_view *grid, rw_vec3 from, rw_vec3 to)
{
    rw_vec3 way = rw_vec3_sub(to, from);
    double length_m = rw_vec3_length(way), level_m = sqrt(way.x * way.x + way.y * way.y);
    double step_m = 0.5 * (trees->dx < trees->dy ? trees->dx : trees->dy), steps = ceil(level_m / step_m);
    int count = steps > RW_TREES_STEPS_MOST ? RW_TREES_STEPS_MOST : steps < 1.0 ? 1 : (int)steps, inside = 0;
    for (int i = 0; i < count; i++) {
        double t = (i + 0.5) / count, x = from.x + t * way.x, y = from.y + t * way.y;
        double height_m = (double)rw_trees_height_m(trees, x, y);
        inside += height_m > 0.0 && from.z + t * way.z < rw_trees_ground_m(grid, x, y) + height_m;
    }
    return length_m * inside / count;
}

/* The same of the way over the roofs from the receiver to the source. */
RW_FN double rw_trees_roof_depth_m(const rw_trees_view *trees, const rw_wall_grid_view *grid, rw_vec3 receiver,
                                   rw_vec3 source)
{
    rw_sight sight = rw_sight_make(grid, receiver, source);
    rw_roof_path path;
    rw_vec3 at = receiver;
    double depth_m = 0.0;
    rw_roof_path_find(grid, &sight, &path);
    for (int i = 0; i <= path.count; i++) {
        double t = i < path.count ? (double)path.t[i] : 1.0;
        rw_vec3 next = rw_vec3_add(receiver, rw_vec3_scale(rw_vec3_sub(source, receiver), t));
        next.z = i < path.count ? (double)path.z[i] : source.z;
        depth_m += rw_trees_depth_m(trees, grid, at, next);
        at = next;
    }
    return depth_m;
}

struct rw_trees_db_args {
    rw_los_arrays all;
    rw_trees_view trees;
    const rw_foliage_law *laws; /* of each source */
    float *direct_db, *roof_db; /* one a cell, source after source; roof_db NULL: no way over roofs */
};

RW_FN void rw_trees_db_item(const struct rw_trees_db_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    rw_vec3 receiver = rw_receiver_point(&all->receivers, cell), from = all->sources[source];
    args->direct_db[out] =
        (float)rw_foliage_loss_db(args->laws[source], rw_trees_depth_m(&args->trees, &all->grid, receiver, from));
    if (args->roof_db)
        args->roof_db[out] = (float)rw_foliage_loss_db(args->laws[source],
                                                       rw_trees_roof_depth_m(&args->trees, &all->grid, receiver, from));
}

#endif
