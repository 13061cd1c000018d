/* The profile over the roofs between a receiver and a source as screens: one for each building that the line crosses in
 * plan, in the middle of the crossing and as high as the building over an earth that bulges. The ground is one more
 * screen, which who asks knows already.
 *
 * One march from the receiver. Only what comes near to the string from the receiver over the roofs so far to the source
 * (roof_path.k.h), and to that over the ground's screen, can matter. Cells whose highest wall lies further below the
 * straight line than a wave of this length notices are passed over: a building that a march from the other end would
 * see is seen from both. */
#ifndef RW_MECHANISMS_ROOFTOP_ROOF_SCREENS_K_H
#define RW_MECHANISMS_ROOFTOP_ROOF_SCREENS_K_H

#include "mechanisms/rooftop/roof_path.k.h"
#include "visibility/los/sight_bundle.k.h"

#define RW_ROOF_SCREENS_MAX 64
/* Walls of one grid cell that are put in order at a time. */
#define RW_ROOF_CROSSINGS 12
/* How many buildings the line may have entered and not left yet. */
#define RW_ROOF_OPEN_SCREENS 8

/* From receiver (t = 0) to source (t = 1), in about this order. */
typedef struct rw_roof_screens {
    int count;
    float t[RW_ROOF_SCREENS_MAX], z[RW_ROOF_SCREENS_MAX];
    int open_count;
    float open_t[RW_ROOF_OPEN_SCREENS], open_z[RW_ROOF_OPEN_SCREENS]; /* where the line entered a building */
    uint32_t open_part[RW_ROOF_OPEN_SCREENS];
    int open_matters[RW_ROOF_OPEN_SCREENS];
} rw_roof_screens;

/* The ground between the two ends as one screen. */
typedef struct rw_ground_screen {
    float t;       /* from receiver to source */
    float above_m; /* the straight line; none where this is not above 0 */
} rw_ground_screen;

/* What the march knows on its way. */
typedef struct rw_roof_march {
    const rw_wall_grid_view *grid;
    const rw_sight *sight;
    float string_z, string_slope; /* the string from the last wall above it to the source: at t = 0, and along t */
    float ground_up, ground_down; /* rise of the string over the ground's screen from each end; below 0: none */
    float margin;                 /* times sqrt(t (1 - t)): how far below the string something still matters */
    rw_roof_screens *screens;
} rw_roof_march;

/* A place for a screen; the lowest against the straight line gives way where there is none. */
RW_FN int rw_roof_screen_slot(rw_roof_screens *screens, const rw_sight *sight, float t, float z)
{
    if (screens->count < RW_ROOF_SCREENS_MAX)
        return screens->count++;
    int lowest = 0;
    float lowest_rise = INFINITY;
    for (int i = 0; i < RW_ROOF_SCREENS_MAX; i++) {
        float above = screens->z[i] - screens->t[i] * sight->dz;
        lowest = above < lowest_rise ? i : lowest;
        lowest_rise = above < lowest_rise ? above : lowest_rise;
    }
    return z - t * sight->dz > lowest_rise ? lowest : -1;
}

RW_FN void rw_roof_open_remove(rw_roof_screens *screens, int at)
{
    screens->open_count--;
    for (int i = at; i < screens->open_count; i++) {
        screens->open_t[i] = screens->open_t[i + 1];
        screens->open_z[i] = screens->open_z[i + 1];
        screens->open_part[i] = screens->open_part[i + 1];
        screens->open_matters[i] = screens->open_matters[i + 1];
    }
}

RW_FN void rw_roof_screen_append(rw_roof_screens *screens, const rw_sight *sight, float t, float z)
{
    int at = rw_roof_screen_slot(screens, sight, t, z);
    if (at < 0)
        return;
    screens->t[at] = t;
    screens->z[at] = z;
}

/* Entering a building opens it, leaving it makes a screen in the middle if it matters at one of the two walls. Walls
 * below the string are noted as well: a screen must not stand at the wall that a march from one end meets above it. */
RW_FN void rw_roof_screen_add(rw_roof_screens *screens, const rw_sight *sight, float t, float z, uint32_t part,
                              int matters)
{
    for (int i = screens->open_count - 1; part != RW_NO_WALL_PART && i >= 0; i--)
        if (screens->open_part[i] == part) {
            float open_z = screens->open_z[i];
            if (matters || screens->open_matters[i])
                rw_roof_screen_append(screens, sight, 0.5f * (screens->open_t[i] + t), z > open_z ? z : open_z);
            rw_roof_open_remove(screens, i);
            return;
        }
    if (part == RW_NO_WALL_PART) {
        if (matters)
            rw_roof_screen_append(screens, sight, t, z);
        return;
    }
    if (screens->open_count == RW_ROOF_OPEN_SCREENS) {
        if (screens->open_matters[0])
            rw_roof_screen_append(screens, sight, screens->open_t[0], screens->open_z[0]);
        rw_roof_open_remove(screens, 0);
    }
    int last = screens->open_count++;
    screens->open_t[last] = t;
    screens->open_z[last] = z;
    screens->open_part[last] = part;
    screens->open_matters[last] = matters;
}

/* Buildings that the line has not left: an end is inside. */
RW_FN void rw_roof_screens_close(rw_roof_screens *screens, const rw_sight *sight)
{
    for (int i = 0; i < screens->open_count; i++)
        if (screens->open_matters[i])
            rw_roof_screen_append(screens, sight, screens->open_t[i], screens->open_z[i]);
    screens->open_count = 0;
}

RW_FN float rw_roof_margin(const rw_roof_march *march, float t)
{
    return march->margin * sqrtf(t * (1.0f - t));
}

RW_FN void rw_roof_draw_string(rw_roof_march *march, float t, float z)
{
    const rw_sight *sight = march->sight;
    float rest = 1.0f - t;
    march->string_slope = rest > 1e-7f ? (sight->z + sight->dz - z) / rest : 0.0f;
    march->string_z = z - t * march->string_slope;
}

RW_FN float rw_roof_string_at(const rw_roof_march *march, float t)
{
    return march->string_z + t * march->string_slope;
}

/* Height of the string over the ground's screen. */
RW_FN float rw_ground_string_at(const rw_roof_march *march, float t)
{
    float up = march->ground_up * t, down = march->ground_down * (1.0f - t);
    return march->sight->z + t * march->sight->dz + (up < down ? up : down);
}

/* The first few crossings of a cell, in order (rw_crossing_before); z: tops without the earth's bulge. */
typedef struct rw_roof_crossings {
    int count;
    float t[RW_ROOF_CROSSINGS], z[RW_ROOF_CROSSINGS];
    uint32_t part[RW_ROOF_CROSSINGS], wall[RW_ROOF_CROSSINGS];
} rw_roof_crossings;

RW_FN void rw_roof_crossing_insert(rw_roof_crossings *found, float t, float z, const rw_wall_entry *wall)
{
    int full = found->count == RW_ROOF_CROSSINGS, at = full ? RW_ROOF_CROSSINGS - 1 : found->count;
    if (full && !rw_crossing_before(t, z, wall->wall, found->t[at], found->z[at], found->wall[at]))
        return;
    found->count = at + 1;
    for (; at > 0 && rw_crossing_before(t, z, wall->wall, found->t[at - 1], found->z[at - 1], found->wall[at - 1]);
         at--) {
        found->t[at] = found->t[at - 1];
        found->z[at] = found->z[at - 1];
        found->part[at] = found->part[at - 1];
        found->wall[at] = found->wall[at - 1];
    }
    found->t[at] = t;
    found->z[at] = z;
    found->part[at] = wall->part;
    found->wall[at] = wall->wall;
}

/* Each crossing belongs to the cell whose stretch [t_in, t_out) contains it. */
RW_FN void rw_roof_cross_walls(const rw_roof_march *march, size_t cell, float t_in, float t_out,
                               rw_roof_crossings *found)
{
    const rw_wall_grid_view *grid = march->grid;
    uint32_t end = grid->cells[cell + 1].first;
    found->count = 0;
    for (uint32_t i = grid->cells[cell].first; i < end; i++) {
        const rw_wall_entry *wall = grid->entries + i;
        float t;
        if (rw_wall_crosses(march->sight, wall, grid->exact, &t) && t >= t_in && t < t_out)
            rw_roof_crossing_insert(found, t, rw_wall_top(grid, wall), wall);
    }
}

/* A wall below the straight line by more than the margin counts nowhere, seen from either end. */
RW_FN void rw_roof_wall(rw_roof_march *march, float t, float z, uint32_t part)
{
    float string = rw_roof_string_at(march, t), ground = rw_ground_string_at(march, t);
    float line = march->sight->z + t * march->sight->dz, margin = rw_roof_margin(march, t);
    if (z <= (ground > line ? ground : line) - margin)
        return;
    string = ground > string ? ground : string;
    rw_roof_screen_add(march->screens, march->sight, t, z, part, z > string - margin);
    if (z > string + RW_ROOF_CLEARANCE_M)
        rw_roof_draw_string(march, t, z);
}

RW_FN void rw_roof_screens_cell(rw_roof_march *march, size_t cell, float t_in, float t_out)
{
    rw_roof_crossings found;
    float bulge_m = (float)march->sight->bulge_m;
    float low = march->sight->z + t_in * march->sight->dz, high = march->sight->z + t_out * march->sight->dz;
    float ground_low = rw_ground_string_at(march, t_in), ground_high = rw_ground_string_at(march, t_out);
    float string = low < high ? low : high, ground = ground_low < ground_high ? ground_low : ground_high;
    /* minus infinity where there is no wall */
    float top = march->grid->cells[cell].top + march->grid->raised_max_m + rw_march_bulge_m(march->sight, t_in, t_out);
    float below = (string > ground ? string : ground) - top;
    float widest = t_in > 0.5f ? t_in : t_out < 0.5f ? t_out : 0.5f; /* where the margin is */
    if (!(below < 0.01f + 1.001f * rw_roof_margin(march, widest)))
        return;
    do {
        rw_roof_cross_walls(march, cell, t_in, t_out, &found);
        for (int i = 0; i < found.count; i++)
            rw_roof_wall(march, found.t[i], found.z[i] + bulge_m * found.t[i] * (1.0f - found.t[i]), found.part[i]);
        t_in = found.count ? found.t[found.count - 1] + 1e-7f : t_in;
    } while (found.count == RW_ROOF_CROSSINGS);
}

/* How far below the string something matters, over sqrt(t (1 - t)). reach is its Fresnel parameter, below 0. */
RW_FN float rw_roof_margin_of(const rw_sight *sight, float wavelength_m, float reach)
{
    float plan_m = sqrtf(sight->dx * sight->dx + sight->dy * sight->dy);
    return -reach * sqrtf(0.5f * wavelength_m * plan_m);
}

RW_FN rw_roof_march rw_roof_march_start(const rw_wall_grid_view *grid, const rw_sight *sight, rw_ground_screen ground,
                                        float margin, rw_roof_screens *screens)
{
    rw_roof_march march;
    march.grid = grid;
    march.sight = sight;
    rw_roof_draw_string(&march, 0.0f, sight->z);
    march.ground_up = ground.above_m > 0.0f ? ground.above_m / ground.t : -1e30f;
    march.ground_down = ground.above_m > 0.0f ? ground.above_m / (1.0f - ground.t) : -1e30f;
    march.margin = margin;
    march.screens = screens;
    screens->count = screens->open_count = 0;
    return march;
}

RW_FN void rw_roof_screens_find(const rw_wall_grid_view *grid, const rw_sight *sight, rw_ground_screen ground,
                                float margin, rw_roof_screens *screens)
{
    rw_grid_walk walk = rw_sight_walk(grid, sight, 0.0f, 1.0f);
    rw_roof_march march = rw_roof_march_start(grid, sight, ground, margin, screens);
    if (grid->wall_count == 0)
        return;
    for (; rw_grid_walk_enter(&walk); rw_grid_walk_leave(&walk))
        rw_roof_screens_cell(&march, walk.cell, walk.t_in, walk.t_out);
    rw_roof_screens_close(screens, sight);
}

/* The same from the crossings of a line. */
RW_FN void rw_bundle_screens(const rw_wall_grid_view *grid, const rw_sight *sight, rw_ground_screen ground,
                             float margin, const rw_bundle_line *line, rw_roof_screens *screens)
{
    rw_roof_march march = rw_roof_march_start(grid, sight, ground, margin, screens);
    float bulge_m = (float)sight->bulge_m;
    for (int i = 0; i < line->count; i++) {
        const rw_wall_entry *wall = grid->entries + line->entry[i];
        float t = line->t[i];
        rw_roof_wall(&march, t, rw_wall_top(grid, wall) + bulge_m * t * (1.0f - t), wall->part);
    }
    rw_roof_screens_close(screens, sight);
}

/* The next wall behind the receiver as seen from the source, up to reach_m away; negative where there is none that
 * stands above the receiver. top receives its top. */
RW_FN float rw_wall_behind_m(const rw_wall_grid_view *grid, rw_vec3 receiver, rw_vec3 source, double reach_m,
                             float *top)
{
    double dx = receiver.x - source.x, dy = receiver.y - source.y, plan_m = sqrt(dx * dx + dy * dy);
    if (!(plan_m > 0))
        return -1.0f;
    rw_vec3 end = rw_vec3_of(receiver.x + dx / plan_m * reach_m, receiver.y + dy / plan_m * reach_m, receiver.z);
    rw_sight sight = rw_sight_of(grid, receiver, end);
    rw_grid_walk walk = rw_sight_walk(grid, &sight, 0.0f, 1.0f);
    float nearest = 2.0f;
    for (; rw_grid_walk_enter(&walk) && !(nearest <= walk.t_in); rw_grid_walk_leave(&walk)) {
        const rw_grid_cell *cell = grid->cells + walk.cell;
        uint32_t last = cell->top + grid->raised_max_m > sight.z ? cell[1].first : cell->first;
        for (uint32_t i = cell->first; i < last; i++) {
            float t, wall_top = rw_wall_top(grid, grid->entries + i);
            if (wall_top > sight.z && rw_wall_crosses(&sight, grid->entries + i, grid->exact, &t) && t < nearest) {
                nearest = t;
                *top = wall_top;
            }
        }
    }
    return nearest <= 1.0f ? nearest * (float)reach_m : -1.0f;
}

#endif
