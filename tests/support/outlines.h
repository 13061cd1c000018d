/* Exact checks of outlines on the generators' coordinates: whole multiples of 1/128 m, so that signs of areas are exact
 * in 64-bit integers. */
#ifndef RW_TESTS_OUTLINES_H
#define RW_TESTS_OUTLINES_H

#include "scene/scene.h"
#include <stdint.h>
#include <stdlib.h>

typedef struct grid_point {
    int64_t x, y;
} grid_point;

static inline int on_grid(double value)
{
    return value * 128 == floor(value * 128);
}

static inline grid_point to_grid(rw_vec2 p)
{
    return (grid_point){(int64_t)(p.x * 128), (int64_t)(p.y * 128)};
}

/* Sign of the turn a, b, c. Differences of up to 20 km are below 2^22, their products below 2^44: exact. */
static inline int turn_sign(grid_point a, grid_point b, grid_point c)
{
    int64_t area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return (area > 0) - (area < 0);
}

static inline int within(int64_t a, int64_t b, int64_t p)
{
    return (a <= p && p <= b) || (b <= p && p <= a);
}

static inline int on_segment(grid_point a, grid_point b, grid_point p)
{
    return turn_sign(a, b, p) == 0 && within(a.x, b.x, p.x) && within(a.y, b.y, p.y);
}

/* Both ends of each strictly on different sides of the other. */
static inline int walls_cross(grid_point a, grid_point b, grid_point c, grid_point d)
{
    return turn_sign(a, b, c) * turn_sign(a, b, d) < 0 && turn_sign(c, d, a) * turn_sign(c, d, b) < 0;
}

static inline int walls_touch(grid_point a, grid_point b, grid_point c, grid_point d)
{
    return walls_cross(a, b, c, d) || on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) ||
           on_segment(c, d, b);
}

typedef struct wall {
    grid_point a, b;
    size_t ring, at;
} wall;

typedef struct part_walls {
    size_t count;
    wall wall[256];
    rw_vec2 low, high;
} part_walls;

static inline void collect_walls(const rw_scene *scene, const rw_part *part, part_walls *out)
{
    out->count = 0;
    out->low = rw_vec2_of(INFINITY, INFINITY);
    out->high = rw_vec2_of(-INFINITY, -INFINITY);
    for (size_t r = 0; r < part->ring_count; r++) {
        const rw_vec2 *p = rw_ring_points(scene, part->first_ring + r);
        size_t n = rw_ring_size(scene, part->first_ring + r);
        for (size_t i = 0; i < n && out->count < 256; i++) {
            out->wall[out->count++] = (wall){to_grid(p[i]), to_grid(p[(i + 1) % n]), r, i};
            out->low = rw_vec2_of(fmin(out->low.x, p[i].x), fmin(out->low.y, p[i].y));
            out->high = rw_vec2_of(fmax(out->high.x, p[i].x), fmax(out->high.y, p[i].y));
        }
    }
}

/* Whether walls of one part meet other than at the corner two neighbours share. */
static inline int part_is_simple(const rw_scene *scene, const part_walls *part, const rw_part *of)
{
    for (size_t i = 0; i < part->count; i++) {
        const wall *v = &part->wall[i];
        if (v->a.x == v->b.x && v->a.y == v->b.y)
            return 0;
        for (size_t k = i + 1; k < part->count; k++) {
            const wall *w = &part->wall[k];
            size_t n = rw_ring_size(scene, of->first_ring + v->ring);
            int next = v->ring == w->ring && w->at == v->at + 1, last = v->ring == w->ring && w->at == v->at + n - 1;
            int meet = next   ? on_segment(v->a, v->b, w->b) || on_segment(w->a, w->b, v->a)
                       : last ? on_segment(v->a, v->b, w->a) || on_segment(w->a, w->b, v->b)
                              : walls_touch(v->a, v->b, w->a, w->b);
            if (meet)
                return 0;
        }
    }
    return 1;
}

/* A point just inside the part behind the middle of a wall; the interior is on the side that rw_part_contains says. */
static inline int reaches_into(const rw_scene *scene, const rw_part *part, const part_walls *walls,
                               const rw_part *other)
{
    for (size_t i = 0; i < walls->count; i++) {
        double ax = (double)walls->wall[i].a.x / 128, ay = (double)walls->wall[i].a.y / 128;
        double bx = (double)walls->wall[i].b.x / 128, by = (double)walls->wall[i].b.y / 128;
        double length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
        for (int side = -1; side <= 1; side += 2) {
            rw_vec2 probe = {(ax + bx) / 2 - side * 0.05 * (by - ay) / length,
                             (ay + by) / 2 + side * 0.05 * (bx - ax) / length};
            if (rw_part_contains(scene, part, probe) && rw_part_contains(scene, other, probe))
                return 1;
        }
    }
    return 0;
}

static inline int parts_overlap(const rw_scene *scene, const rw_part *a, const part_walls *a_walls, const rw_part *b,
                                const part_walls *b_walls)
{
    for (size_t i = 0; i < a_walls->count; i++)
        for (size_t k = 0; k < b_walls->count; k++)
            if (walls_cross(a_walls->wall[i].a, a_walls->wall[i].b, b_walls->wall[k].a, b_walls->wall[k].b))
                return 1;
    return reaches_into(scene, a, a_walls, b) || reaches_into(scene, b, b_walls, a);
}

#endif
