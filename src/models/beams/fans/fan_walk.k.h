/* The way of a fan through the wall grid: front to back, a row or column of cells at a time. */
#ifndef RW_MODELS_BEAMS_FANS_FAN_WALK_K_H
#define RW_MODELS_BEAMS_FANS_FAN_WALK_K_H

#include "discretise/walls/wall_grid.k.h"
#include "models/beams/fans/fan.k.h"

/* A fan along one axis of the grid: m is the coordinate along it, n the one across; edges as n over m. */
typedef struct rw_fan_walk {
    int along_x;  /* m is x */
    double sense; /* +1 or -1: the way m goes */
    double m, n;  /* of the origin */
    double slope_right, slope_left;
    double m_start; /* from where the fan counts */
    double m_full;  /* from where it counts between both edges */
    double stretch; /* no direction gets farther while m goes one metre */
} rw_fan_walk;

/* Cells of one step of the walk: between m_in and m_out, first to last across. */
typedef struct rw_fan_step {
    double m_in, m_out;
    double near_m, far_m; /* it lies between these distances from the origin */
    int at, first, last;
    int reaches;   /* whether receivers in its cells may be as high as the lowest ray; of this lane's cells */
    float floor_m; /* lowest ground in them; of this lane's cells */
} rw_fan_step;

RW_FN size_t rw_fan_cell(const rw_wall_grid_view *grid, const rw_fan_walk *walk, int at, int across)
{
    size_t row = (size_t)(walk->along_x ? across : at), column = (size_t)(walk->along_x ? at : across);
    return row * (size_t)grid->columns + column;
}

/* How far along an edge the near line is met; far behind for an edge that runs away from it. */
RW_FN double rw_fan_near_at(const rw_fan *fan, rw_vec2 edge)
{
    double towards = rw_vec2_dot(edge, fan->near_in);
    double distance = rw_vec2_dot(rw_vec2_sub(fan->near_at, fan->origin), fan->near_in);
    return towards > 0 && distance > 0 ? distance / towards : 0;
}

RW_FN rw_fan_walk rw_fan_walk_of(const rw_fan *fan)
{
    rw_fan_walk walk;
    double dx = fan->right.x + fan->left.x, dy = fan->right.y + fan->left.y;
    walk.along_x = fabs(dx) >= fabs(dy);
    walk.sense = (walk.along_x ? dx : dy) > 0 ? 1 : -1;
    walk.m = walk.along_x ? fan->origin.x : fan->origin.y;
    walk.n = walk.along_x ? fan->origin.y : fan->origin.x;
    double right_m = walk.along_x ? fan->right.x : fan->right.y, left_m = walk.along_x ? fan->left.x : fan->left.y;
    walk.slope_right = (walk.along_x ? fan->right.y : fan->right.x) / right_m;
    walk.slope_left = (walk.along_x ? fan->left.y : fan->left.x) / left_m;
    walk.m_start = walk.m_full = walk.m;
    double steepest = fmax(fabs(walk.slope_right), fabs(walk.slope_left));
    walk.stretch = sqrt(1 + steepest * steepest);
    if (fan->has_near) {
        double at_right = walk.m + rw_fan_near_at(fan, fan->right) * right_m;
        double at_left = walk.m + rw_fan_near_at(fan, fan->left) * left_m;
        walk.m_start = walk.sense > 0 ? fmin(at_right, at_left) : fmax(at_right, at_left);
        walk.m_full = walk.sense > 0 ? fmax(at_right, at_left) : fmin(at_right, at_left);
    }
    return walk;
}

/* Cells across that the fan touches between m_in and m_out: first to last, of those there are. */
RW_FN int rw_fan_across(const rw_fan_walk *walk, double m_in, double m_out, double n0, double cells_per_m, int cells,
                        int *first, int *last)
{
    double a = walk->n + (m_in - walk->m) * walk->slope_right, b = walk->n + (m_in - walk->m) * walk->slope_left;
    double c = walk->n + (m_out - walk->m) * walk->slope_right, d = walk->n + (m_out - walk->m) * walk->slope_left;
    double low = fmin(fmin(a, b), fmin(c, d)) - 1e-6, high = fmax(fmax(a, b), fmax(c, d)) + 1e-6;
    double from = floor((low - n0) * cells_per_m), to = floor((high - n0) * cells_per_m);
    if (from >= (double)cells || to < 0)
        return 0;
    *first = from < 0 ? 0 : (int)from;
    *last = to >= (double)cells ? cells - 1 : (int)to;
    return 1;
}

#endif
