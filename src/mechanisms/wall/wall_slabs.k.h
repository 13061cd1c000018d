/* What the walls on the straight line cost, each by its own construction at its own angle: one item is one outdoor
 * receiver of one source.
 *
 * From the walls and triangles between the two to the sum of their slabs' losses (field/surfaces/wall_losses.k.h), for
 * vertical polarisation. A building of which the line crosses one wall and not a second is met through its roof, which
 * is of the same construction. The line is marched as for counting (visibility/los/march_walls.k.h). Where the walls
 * counted cost more than counted_above_db even at the least loss of any, they are that: such a way matters to no sum
 * that has another one, and most receivers of a city are there. */
#ifndef RW_MECHANISMS_WALL_WALL_SLABS_K_H
#define RW_MECHANISMS_WALL_WALL_SLABS_K_H

#include "discretise/bvh/cross_meshes.k.h"
#include "field/surfaces/wall_losses.k.h"
#include "visibility/los/sight.k.h"

/* Constructions of a scene's walls; arrays are the backend's. */
typedef struct rw_wall_slabs {
    const uint32_t *wall_surfaces; /* of each exact wall */
    const uint32_t *mesh_surfaces; /* of each mesh */
    const rw_wall_loss *tables;    /* of each frequency, surface after surface */
    const uint32_t *frequency_of;  /* of each source: which of the frequencies */
    const float *min_db;           /* of each frequency: no wall costs less */
    size_t surface_count;
} rw_wall_slabs;

/* One wall on the line, for those that want to know each. */
typedef struct rw_crossed_wall {
    double t; /* 0 at the receiver, 1 at the source */
    float loss_db;
    uint32_t surface;
    rw_vec3 normal; /* of length 1 */
} rw_crossed_wall;

/* Buildings that a line may be in at once; roofs of more are left out. */
#define RW_SLAB_OPEN 8

/* A line through walls on its way. */
typedef struct rw_slab_line {
    rw_vec3 direction;         /* of length 1 */
    const rw_wall_loss *table; /* of its frequency */
    float loss_db;
    uint32_t count;
    rw_crossed_wall *crossed; /* NULL: not kept */
    uint32_t capacity;
    int open_count; /* buildings of which an odd number of walls was crossed so far, with the last wall's surface */
    uint32_t open_part[RW_SLAB_OPEN], open_surface[RW_SLAB_OPEN];
    float open_top[RW_SLAB_OPEN];
} rw_slab_line;

RW_FN void rw_slab_line_cross(rw_slab_line *line, uint32_t surface, rw_vec3 normal, double t)
{
    double cosine = fabs(rw_vec3_dot(normal, line->direction));
    float loss_db = rw_wall_loss_db(line->table + (size_t)surface * (RW_WALL_LOSS_SAMPLES + 1), cosine,
                                    rw_te_fraction(line->direction, normal));
    if (line->crossed && line->count < line->capacity) {
        rw_crossed_wall *entry = &line->crossed[line->count];
        entry->t = t;
        entry->loss_db = loss_db;
        entry->surface = surface;
        entry->normal = normal;
    }
    line->loss_db += loss_db;
    line->count++;
}

/* Notes which building a wall is of: one that the line was in is left. */
RW_FN void rw_slab_line_enter(rw_slab_line *line, const rw_wall_entry *wall, uint32_t surface)
{
    if (wall->part == RW_NO_WALL_PART)
        return;
    for (int i = 0; i < line->open_count; i++)
        if (line->open_part[i] == wall->part) {
            line->open_count--;
            line->open_part[i] = line->open_part[line->open_count];
            line->open_surface[i] = line->open_surface[line->open_count];
            line->open_top[i] = line->open_top[line->open_count];
            return;
        }
    if (line->open_count == RW_SLAB_OPEN)
        return;
    line->open_part[line->open_count] = wall->part;
    line->open_top[line->open_count] = wall->top;
    line->open_surface[line->open_count++] = surface;
}

/* Roofs of the buildings that the line has not left by a wall. */
RW_FN void rw_slab_line_roofs(const rw_sight *sight, rw_slab_line *line)
{
    for (int i = 0; i < line->open_count; i++) {
        double rise = sight->to.z - sight->from.z, t = ((double)line->open_top[i] - sight->from.z) / rise;
        t = t > 0.0 && t < 1.0 ? t : 0.5;
        rw_slab_line_cross(line, line->open_surface[i], rw_vec3_of(0.0, 0.0, 1.0), t);
    }
    line->open_count = 0;
}

RW_FN void rw_slab_line_cell(const rw_wall_grid_view *grid, const rw_sight *sight, const uint32_t *surfaces,
                             size_t cell, double t_in, double t_out, rw_slab_line *line)
{
    uint32_t end = grid->cells[cell + 1].first;
    for (uint32_t i = grid->cells[cell].first; i < end; i++) {
        const rw_exact_wall *wall = grid->exact + grid->entries[i].wall;
        double t;
        if (!rw_wall_blocks(sight, grid->entries + i, grid->exact) ||
            !rw_wall_blocks_exact(sight->from, sight->to, sight->bulge_m, wall, &t))
            continue;
        double clamped_t = t > 0.999999999999 ? 0.999999999999 : t; /* as in rw_count_cell */
        if (!(clamped_t >= t_in && clamped_t < t_out))
            continue;
        double wx = wall->x1 - wall->x0, wy = wall->y1 - wall->y0, length = sqrt(wx * wx + wy * wy);
        uint32_t surface = surfaces[grid->entries[i].wall];
        rw_slab_line_cross(line, surface, rw_vec3_of(wy / length, -wx / length, 0.0), t);
        rw_slab_line_enter(line, grid->entries + i, surface);
    }
}

/* Triangles of meshes on the line. */
RW_FN void rw_slab_line_meshes(const rw_wall_grid_view *grid, const rw_sight *sight, const uint32_t *surfaces,
                               rw_slab_line *line)
{
    rw_vec3 from = sight->from, d = rw_vec3_sub(sight->to, from);
    rw_box_line box_line = rw_box_line_of(from, d);
    RW_BVH_EACH (node, grid->nodes, grid->node_count, rw_segment_meets_box(node, &box_line))
        for (uint32_t i = 0; i < node->count; i++) {
            const rw_bvh_triangle *triangle = grid->triangles + node->first + i;
            if (!rw_segment_crosses_triangle(triangle, from, d))
                continue;
            rw_vec3 a = rw_vec3_of(triangle->a[0], triangle->a[1], triangle->a[2]);
            rw_vec3 b = rw_vec3_of(triangle->b[0], triangle->b[1], triangle->b[2]);
            rw_vec3 c = rw_vec3_of(triangle->c[0], triangle->c[1], triangle->c[2]);
            rw_vec3 normal = rw_vec3_cross(rw_vec3_sub(b, a), rw_vec3_sub(c, a));
            double t = rw_vec3_dot(normal, rw_vec3_sub(a, from)) / rw_vec3_dot(normal, d);
            normal = rw_vec3_scale(normal, 1.0 / rw_vec3_length(normal));
            rw_slab_line_cross(line, surfaces[triangle->mesh], normal, t);
        }
}

/* Marches the whole line. */
RW_FN void rw_slab_line_march(const rw_wall_grid_view *grid, const rw_sight *sight, const rw_wall_slabs *slabs,
                              rw_slab_line *line)
{
    rw_grid_walk_exact walk = rw_sight_walk_exact(grid, sight);
    for (; rw_grid_walk_exact_enter(&walk); rw_grid_walk_exact_leave(&walk))
        if (rw_march_lowest_m(sight, walk.t_in, walk.t_out) < grid->cells[walk.cell].top)
            rw_slab_line_cell(grid, sight, slabs->wall_surfaces, walk.cell, walk.t_in, walk.t_out, line);
    rw_slab_line_roofs(sight, line);
    if (grid->node_count)
        rw_slab_line_meshes(grid, sight, slabs->mesh_surfaces, line);
}

/* A line of a source, with room for the walls on it or none. */
RW_FN rw_slab_line rw_slab_line_start(const rw_sight *sight, const rw_wall_slabs *slabs, size_t source,
                                      rw_crossed_wall *crossed, uint32_t capacity)
{
    rw_slab_line line;
    rw_vec3 offset = rw_vec3_sub(sight->to, sight->from);
    line.direction = rw_vec3_scale(offset, 1.0 / fmax(rw_vec3_length(offset), 1e-9));
    line.table =
        slabs->tables + (size_t)slabs->frequency_of[source] * slabs->surface_count * (size_t)(RW_WALL_LOSS_SAMPLES + 1);
    line.loss_db = 0.0f;
    line.count = 0;
    line.crossed = crossed;
    line.capacity = capacity;
    line.open_count = 0;
    return line;
}

struct rw_walls_db_args {
    rw_los_arrays all; /* walls are counted */
    rw_wall_slabs slabs;
    float counted_above_db;
    float *walls_db; /* one a cell, source after source */
};

RW_FN void rw_walls_db_item(const struct rw_walls_db_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    float min_db = args->slabs.min_db[args->slabs.frequency_of[source]] * (float)all->walls[out];
    args->walls_db[out] = min_db;
    if (all->walls[out] == 0u || min_db > args->counted_above_db)
        return;
    rw_sight sight = rw_sight_of(&all->grid, rw_receiver_point(&all->receivers, cell), all->sources[source]);
    rw_slab_line line = rw_slab_line_start(&sight, &args->slabs, source, 0, 0);
    rw_slab_line_march(&all->grid, &sight, &args->slabs, &line);
    args->walls_db[out] = line.loss_db;
}

#endif
