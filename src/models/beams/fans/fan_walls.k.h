/* Which walls a fan meets: cells of the wall grid are visited front to back, a row or column of cells at a time, until
 * solid walls close the fan. The grid takes the place of the quadtree of Schmitz and others (2011), section 4.2.1: it
 * is there already, and a narrow fan visits few cells of it.
 *
 * The height of a ray runs straight from the source over the unfolded plan, so a ray has one slope. What it has passed
 * over bounds its slope from below, what it has been turned by from above: then walls that are higher than every ray
 * and reach below every ray are solid; walls that no ray can meet are left out; the others are of middling height: they
 * act or not, receiver by receiver, and hide nothing here. Nothing here knows how high receivers are but for the lowest
 * and the highest of all, so that hills leave the bounds as sharp as flat ground does. Ground that is higher than every
 * ray closes the fan. */
#ifndef RW_MODELS_BEAMS_FANS_FAN_WALLS_K_H
#define RW_MODELS_BEAMS_FANS_FAN_WALLS_K_H

#include "models/beams/fans/fan_horizon.k.h"
#include "models/beams/fans/fan_walk.k.h"

/* Whether what has nearness w0 and w1 at the ends of a wall stands before all of it. What meets it at an end or stands
 * in the same place, as walls between two houses do, does not, whatever rounding says. */
RW_FN int rw_fan_stands_before(double w0, double w1, const rw_fan_wall *wall)
{
    return w0 > (1 + RW_NEARNESS_TOLERANCE) * wall->w0 && w1 > (1 + RW_NEARNESS_TOLERANCE) * wall->w1;
}

/* Whether every ray that passes over a nearer wall of middling height passes over this one too: then it has no
 * effect, because a ray that does not pass over the nearer one ends there. Lanes share the walls. */
RW_FN int rw_fan_hidden(const rw_wall_grid_view *grid, const rw_fan *fan, const rw_ray_heights *heights,
                        const rw_fan_walls *found, const rw_fan_wall *wall)
{
    double wall_near_m = heights->before_m + fan->min_length / (wall->w0 > wall->w1 ? wall->w0 : wall->w1);
    double wall_far_m = heights->before_m + 1 / (wall->w0 < wall->w1 ? wall->w0 : wall->w1);
    double under = rw_slope_above(rw_slope_under(heights, wall_near_m, wall_far_m, grid->exact[wall->wall].top));
    int hidden = 0;
    for (int i = rw_lane(); i < found->count && !hidden; i += rw_lane_count()) {
        const rw_fan_wall *before = &found->walls[i];
        if (before->u0 > wall->u0 || before->u1 < wall->u1)
            continue;
        double w0 = rw_fan_nearness(before, wall->u0), w1 = rw_fan_nearness(before, wall->u1);
        const rw_exact_wall *exact = grid->exact + before->wall;
        if (!rw_fan_stands_before(w0, w1, wall) || exact->bottom > (double)heights->low_m)
            continue;
        double near_m = heights->before_m + fan->min_length / (w0 > w1 ? w0 : w1);
        double far_m = heights->before_m + 1 / (w0 < w1 ? w0 : w1);
        hidden = before->solid || rw_slope_below(rw_slope_over(heights, near_m, far_m, exact->top)) > under;
    }
    return rw_lanes_any(hidden);
}

/* What a walk through the grid knows. */
typedef struct rw_fan_search {
    const rw_wall_grid_view *grid;
    const rw_wall_entry *entries; /* of the grid or of a quadtree */
    const rw_fan *fan;
    rw_ray_heights heights;
    rw_fan_walk walk;
    double cells_per_m;
    rw_fan_horizon horizon;
    const rw_fan_question *question;
} rw_fan_search;

/* Transforms a wall and tells what it does to rays. Returns whether it matters to any. */
RW_FN int rw_fan_look_at(const rw_fan_search *search, const rw_wall_entry *entry, rw_fan_wall *fan_wall)
{
    const rw_exact_wall *exact = search->grid->exact + entry->wall;
    rw_ray_heights heights = search->heights;
    if (!rw_fan_project(search->fan, rw_vec2_of(exact->x0, exact->y0), rw_vec2_of(exact->x1, exact->y1), fan_wall))
        return 0;
    double near_m =
        heights.before_m + search->fan->min_length / (fan_wall->w0 > fan_wall->w1 ? fan_wall->w0 : fan_wall->w1);
    double far_m = heights.before_m + 1 / (fan_wall->w0 < fan_wall->w1 ? fan_wall->w0 : fan_wall->w1);
    heights.slope_low = rw_horizon_between(&search->horizon, fan_wall->u0, fan_wall->u1);
    if (exact->top <= rw_lowest_ray_m(&heights, near_m, far_m) || heights.slope_low > heights.slope_high)
        return 0;
    double m0 = search->walk.along_x ? exact->x0 : exact->y0, m1 = search->walk.along_x ? exact->x1 : exact->y1;
    fan_wall->passed_m = (float)fmax(search->walk.sense * m0, search->walk.sense * m1) + 0.01f;
    fan_wall->slope_low = (float)rw_slope_below(heights.slope_low);
    fan_wall->wall = entry->wall;
    fan_wall->horizon = 0;
    fan_wall->solid = exact->bottom <= (double)heights.low_m && exact->top > rw_highest_ray_m(&heights, near_m, far_m);
    return 1;
}

/* Whether a wall of a cell, in which no ray is lower than lowest_m, may matter; made is what it is in the fan then. */
RW_FN int rw_fan_considers(const rw_fan_search *search, const rw_wall_entry *entry, double lowest_m,
                           const rw_fan_walls *found, rw_fan_wall *fan_wall)
{
    return (double)entry->top > lowest_m && entry->bottom <= search->heights.high_m &&
           entry->wall != search->question->skipped[0] && entry->wall != search->question->skipped[1] &&
           !rw_fan_has(found, entry->wall) && rw_fan_look_at(search, entry, fan_wall);
}

/* A wall of middling height for which there is no room still raises the horizon: it is kept in a place that is free or
 * has done so; where there is none, the horizon stays lower than it is. */
RW_FN void rw_fan_add_late(rw_fan_walls *found)
{
    rw_fan_wall fan_wall = found->walls[found->count];
    int slot = found->late_count % RW_FAN_LATE_MAX, listed = 0;
    for (int i = 0; i < RW_FAN_LATE_MAX && i < found->late_count; i++)
        listed |= found->workspace->late[i].wall == fan_wall.wall;
    if (listed || (found->late_count >= RW_FAN_LATE_MAX && !found->workspace->late[slot].horizon))
        return;
    rw_lanes_meet();
    if (rw_lane() == 0)
        found->workspace->late[slot] = fan_wall;
    found->late_count++;
    found->pending_m = fan_wall.passed_m < found->pending_m ? fan_wall.passed_m : found->pending_m;
    rw_lanes_meet();
}

/* Adds the wall that lies behind the last one in the room, unless it is there already, hidden, or too much. Returns
 * whether it is added. All lanes come here together. */
RW_FN int rw_fan_add(const rw_fan_search *search, rw_fan_walls *found)
{
    const rw_fan_wall *fan_wall = &found->walls[found->count];
    int full = found->count >= (fan_wall->solid ? RW_FAN_WALLS_MAX : RW_FAN_WALLS_MAX - RW_FAN_SOLID_RESERVED);
    if (full && !fan_wall->solid && found->middling_skipped) {
        rw_fan_add_late(found);
        return 0;
    }
    if ((rw_lane_count() > 1 && rw_fan_has(found, fan_wall->wall)) ||
        rw_fan_hidden(search->grid, search->fan, &search->heights, found, fan_wall))
        return 0;
    found->overflow |= full && fan_wall->solid;
    found->middling_skipped |= full && !fan_wall->solid;
    if (full && !fan_wall->solid)
        rw_fan_add_late(found);
    if (full)
        return 0;
    found->pending_m = fan_wall->passed_m < found->pending_m ? fan_wall->passed_m : found->pending_m;
    found->solid_count += fan_wall->solid;
    found->count++;
    return 1;
}

/* Entries of some cells, one cell a lane. */
typedef struct rw_fan_entries {
    uint32_t first, count; /* of this lane's cell */
    uint32_t before, all;  /* of the cells of lanes before it, and of all lanes */
    int several;           /* 0: they are all of one cell, which every lane has as its own */
} rw_fan_entries;

/* The entry with a number among those of all lanes. */
RW_FN uint32_t rw_fan_entry(const rw_fan_entries *entries, uint32_t index)
{
    if (!entries->several)
        return entries->first + index;
    return rw_lanes_from(entries->first - entries->before, rw_lanes_owner(entries->before, index)) + index;
}

/* The entries of as many cells of a step as there are lanes, from one on; and what else is to be known of them. */
RW_FN rw_fan_entries rw_fan_entries_of(const rw_fan_search *search, int from, double lowest_m, rw_fan_step *step)
{
    const rw_wall_grid_view *grid = search->grid;
    const uint32_t *tops = search->question->receiver_tops;
    rw_fan_entries entries = {0, 0, 0, 0, 0};
    int across = from + rw_lane();
    if (across <= step->last) {
        size_t index = rw_fan_cell(grid, &search->walk, step->at, across);
        const rw_grid_cell *cell = grid->cells + index;
        entries.first = cell->first;
        entries.count = (double)cell->top > lowest_m ? cell[1].first - cell->first : 0u;
        if (tops)
            step->reaches |= (double)rw_top_altitude_m(tops[index]) >= lowest_m - 0.01;
        if (grid->posts && grid->cell_floor[index] < step->floor_m)
            step->floor_m = grid->cell_floor[index];
    }
    uint32_t which = rw_lanes_which(entries.count > 0);
    if (!which)
        return entries;
    if (!(which & (which - 1))) { /* of one cell alone, as of most steps: all lanes take it for theirs */
        entries.first = rw_lanes_from(entries.first, rw_lanes_first(which));
        entries.all = rw_lanes_from(entries.count, rw_lanes_first(which));
        return entries;
    }
    entries.before = rw_lanes_before(entries.count);
    entries.all = rw_lanes_from(entries.before + entries.count, rw_lane_count() - 1);
    entries.several = 1;
    return entries;
}

/* Adds walls that lanes share, in the order in which they are listed; no ray is lower than lowest_m where they are.
 * Returns whether there is no room for more, or the caller narrows the fan anyway; came counts those that are added. */
RW_FN int rw_fan_add_entries(const rw_fan_search *search, const rw_fan_entries *entries, double lowest_m,
                             rw_fan_walls *found, int *came)
{
    for (uint32_t at = 0; at < entries->all; at += (uint32_t)rw_lane_count()) {
        uint32_t index = at + (uint32_t)rw_lane();
        uint32_t entry = rw_fan_entry(entries, index);
        rw_fan_wall fan_wall;
        uint32_t which = rw_lanes_which(index < entries->all &&
                                        rw_fan_considers(search, search->entries + entry, lowest_m, found, &fan_wall));
        for (; which; which &= which - 1) {
            if (rw_lane() == rw_lanes_first(which))
                found->walls[found->count] = fan_wall;
            rw_lanes_meet();
            *came += rw_fan_add(search, found);
            rw_lanes_meet();
            if (found->overflow || (found->middling_skipped && !search->question->complete))
                return 1;
        }
    }
    return 0;
}

/* Adds the walls of a step's cells, in which no ray is lower than lowest_m. Returns how many came; it stops where there
 * is no room for more, or where the caller narrows the fan anyway. Lanes share the cells and then their walls. */
RW_FN int rw_fan_add_step(const rw_fan_search *search, double lowest_m, rw_fan_step *step, rw_fan_walls *found)
{
    int came = 0;
    step->reaches = 0;
    step->floor_m = INFINITY;
    for (int from = step->first; from <= step->last; from += rw_lane_count()) {
        rw_fan_entries entries = rw_fan_entries_of(search, from, lowest_m, step);
        if (rw_fan_add_entries(search, &entries, lowest_m, found, &came))
            return came;
    }
    return came;
}

/* Where along the axis the last of the walls stands that close the fan; infinitely far where it is open. */
RW_FN double rw_fan_reach(const rw_fan *fan, const rw_fan_walk *walk, const rw_fan_walls *found)
{
    if (!found->solid_count || !rw_fan_closed(found))
        return INFINITY;
    double u = 0, reach = -INFINITY;
    while (u < 1) {
        rw_fan_run run = rw_fan_next(found->walls, found->count, u);
        if (run.top < 0)
            return INFINITY;
        rw_vec2 a = rw_fan_point(fan, &found->walls[run.top], run.u0);
        rw_vec2 b = rw_fan_point(fan, &found->walls[run.top], run.u1);
        reach = fmax(reach, walk->sense * (walk->along_x ? a.x : a.y));
        reach = fmax(reach, walk->sense * (walk->along_x ? b.x : b.y));
        u = run.u1;
    }
    return reach;
}

/* Rays that go on beyond a step have passed over the ground there. Beyond the grid the ground goes on level. */
RW_FN void rw_fan_pass_ground(rw_fan_search *search, const rw_fan_step *step)
{
    const rw_fan_walk *walk = &search->walk;
    if (!search->grid->posts || walk->sense * (step->m_in - walk->m_full) < 0)
        return;
    double rise_m = (double)step->floor_m - 0.01 - search->heights.source_m;
    double along_m = search->heights.before_m + (rise_m < 0 ? step->near_m : step->far_m);
    if (rw_lanes_any(!(rise_m > search->horizon.min_slope * along_m)))
        return; /* somewhere they are higher anyway */
    rise_m = rw_lanes_min(rise_m);
    along_m = search->heights.before_m + (rise_m < 0 ? step->near_m : step->far_m);
    double slope = rw_slope_below(rise_m / along_m);
    search->horizon.min_slope = slope > search->horizon.min_slope ? slope : search->horizon.min_slope;
}

/* Where the walk begins: its first step. Returns 0 where the fan leaves the grid at once. */
RW_FN int rw_fan_begin(const rw_fan_search *search, double m0, int count_m, rw_fan_step *step)
{
    const rw_fan_walk *walk = &search->walk;
    double start = floor((walk->m_start - walk->sense * 1e-6 - m0) / (double)search->grid->cell_m);
    if (walk->sense > 0 ? start >= (double)count_m : start < 0)
        return 0;
    step->at = start < 0 ? 0 : start >= (double)count_m ? count_m - 1 : (int)start;
    return 1;
}

/* The part of the next step that the fan touches. Returns 0 where it touches nothing there. */
RW_FN int rw_fan_enter(const rw_fan_search *search, double m0, double n0, int count_n, rw_fan_step *step)
{
    const rw_fan_walk *walk = &search->walk;
    double cell_m = (double)search->grid->cell_m;
    step->m_in = m0 + (double)(walk->sense > 0 ? step->at : step->at + 1) * cell_m;
    step->m_out = m0 + (double)(walk->sense > 0 ? step->at + 1 : step->at) * cell_m;
    step->m_in = walk->sense * (step->m_in - walk->m_start) < 0 ? walk->m_start : step->m_in;
    step->near_m = fabs(step->m_in - walk->m);
    step->far_m = fabs(step->m_out - walk->m) * walk->stretch;
    return rw_fan_across(walk, step->m_in, step->m_out, n0, search->cells_per_m, count_n, &step->first, &step->last);
}

/* What lies behind a place of the walk, at most far_m from the origin, bounds the rays that go on; the horizon was at
 * before. Returns whether none does. */
RW_FN int rw_fan_advance(rw_fan_search *search, double walked_m, double far_m, double before, rw_fan_walls *found)
{
    if ((double)found->pending_m <= walked_m)
        rw_horizon_advance(search->grid, search->fan, &search->heights, walked_m, found, &search->horizon);
    if (search->horizon.min_slope == before)
        return 0;
    rw_ray_heights ahead = search->heights;
    ahead.slope_low = search->horizon.min_slope;
    int closed = ahead.slope_low > ahead.slope_high;
    found->reach_m = fmin(found->reach_m, closed ? far_m : fmax(far_m, rw_ray_reach_m(&ahead) - ahead.before_m));
    return closed;
}

/* The same for a step. */
RW_FN int rw_fan_leave(rw_fan_search *search, const rw_fan_step *step, rw_fan_walls *found)
{
    double before = search->horizon.min_slope;
    rw_fan_pass_ground(search, step);
    return rw_fan_advance(search, search->walk.sense * step->m_out, step->far_m, before, found);
}

/* Gaps that are shorter are not worth a piece of their own, as a multiple of the grid's cells. */
#define RW_FAN_GAP_CELLS 2.0f

/* Takes in that receivers may be reached between two distances, which are no nearer than those before. */
RW_FN void rw_fan_reaches(const rw_fan_search *search, double near_m, double far_m, rw_fan_walls *found)
{
    float gap_m = RW_FAN_GAP_CELLS * search->grid->cell_m, from_m = (float)near_m - 0.01f, to_m = (float)far_m + 0.01f;
    int full = found->reached_count == RW_FAN_REACHED_MAX;
    if (found->reached_count && (full || from_m <= found->reached_to_m + gap_m)) {
        found->reached_to_m = to_m > found->reached_to_m ? to_m : found->reached_to_m;
    } else {
        found->workspace->reached[found->reached_count++].near_m = from_m > 0.0f ? from_m : 0.0f;
        found->reached_to_m = to_m;
    }
    found->workspace->reached[found->reached_count - 1].far_m = found->reached_to_m;
}

RW_FN void rw_fan_search_begin(const rw_wall_grid_view *grid, const rw_fan *fan, const rw_fan_question *question,
                               rw_fan_workspace *workspace, rw_fan_search *search, rw_fan_walls *found)
{
    search->grid = grid;
    search->entries = grid->entries;
    search->fan = fan;
    search->heights = question->heights;
    search->walk = rw_fan_walk_of(fan);
    search->cells_per_m = 1 / (double)grid->cell_m;
    search->question = question;
    search->horizon.min_slope = question->heights.slope_low;
    search->horizon.slopes = workspace->horizon;
    found->workspace = workspace;
    found->walls = workspace->walls;
    found->count = 0;
    found->solid_count = 0;
    found->overflow = 0;
    found->middling_skipped = 0;
    found->reach_m = rw_ray_reach_m(&question->heights) - question->heights.before_m;
    found->late_count = 0;
    found->reached_count = 0;
    found->reached_to_m = 0.0f;
    found->pending_m = INFINITY;
    rw_lanes_meet();
    for (int i = rw_lane(); i < RW_FAN_HORIZON; i += rw_lane_count())
        workspace->horizon[i] = question->heights.slope_low;
    if (!question->receiver_tops)
        rw_fan_reaches(search, 0, INFINITY, found);
    rw_lanes_meet();
}

/* All walls that matter to the fan, and some behind them, and where receivers may be reached. Lanes share the work, and
 * each gets what all found. */
RW_FN void rw_fan_find_walls(const rw_wall_grid_view *grid, const rw_fan *fan, const rw_fan_question *question,
                             rw_fan_workspace *workspace, rw_fan_walls *found)
{
    rw_fan_search search;
    rw_fan_step step;
    rw_fan_search_begin(grid, fan, question, workspace, &search, found);
    int along_x = search.walk.along_x;
    double m0 = (double)(along_x ? grid->x0 : grid->y0), n0 = (double)(along_x ? grid->y0 : grid->x0);
    int count_m = along_x ? grid->columns : grid->rows, count_n = along_x ? grid->rows : grid->columns;
    double reach = INFINITY, before_m = question->heights.before_m;
    if (!rw_fan_begin(&search, m0, count_m, &step))
        return;
    for (; step.at >= 0 && step.at<count_m; step.at += search.walk.sense> 0 ? 1 : -1) {
        int touched = rw_fan_enter(&search, m0, n0, count_n, &step);
        if (step.near_m > found->reach_m)
            break; /* no ray gets there */
        if (!touched)
            continue;
        search.heights.slope_low = search.horizon.min_slope;
        double lowest_m = rw_lowest_ray_m(&search.heights, before_m + step.near_m, before_m + step.far_m);
        int fresh = rw_fan_add_step(&search, lowest_m, &step, found);
        if (rw_lanes_any(step.reaches))
            rw_fan_reaches(&search, step.near_m, step.far_m, found);
        if (found->overflow)
            rw_fan_reaches(&search, step.near_m, INFINITY, found);
        if (found->overflow || (found->middling_skipped && !question->complete))
            break;
        reach = fresh ? rw_fan_reach(fan, &search.walk, found) : reach;
        if (reach <= search.walk.sense * step.m_out || rw_fan_leave(&search, &step, found))
            break;
    }
    rw_lanes_meet();
}

#endif
