/* Paths round street corners as Rick and Kuhlen (2010) write them, in double and with geometry of its own: corners in
 * the receiver plane, shadow polygons as quadrangles, equations (1) to (10), (15), (18) to (20). For boxes that stand
 * apart on flat ground. */
#ifndef RW_TESTS_PLANE_ORACLE_H
#define RW_TESTS_PLANE_ORACLE_H

#include "rasterwave/rasterwave.h"

#include <math.h>
#include <string.h>

enum { PLANE_BOXES = 7, PLANE_WALLS = 4 * PLANE_BOXES };

typedef struct plane_point {
    double x, y, z;
} plane_point;

/* Corners anticlockwise, and the roof. */
typedef struct plane_box {
    double x[4], y[4], top;
} plane_box;

typedef struct plane_oracle {
    plane_box boxes[PLANE_BOXES];
    double receiver_z, wavelength_m;
    double turn[4]; /* equation (19) */
    int order;
} plane_oracle;

static inline double plane_side(double ax, double ay, double bx, double by, double x, double y)
{
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

/* Equations (1) to (3): whether a point of the receiver plane lies in the shadow of a wall. */
static inline int plane_in_shadow(const plane_oracle *oracle, plane_point s, int box, int wall, double x, double y)
{
    const plane_box *b = &oracle->boxes[box];
    int next = (wall + 1) % 4;
    double qx[4] = {b->x[wall], b->x[next]}, qy[4] = {b->y[wall], b->y[next]};
    double lambda = s.z > b->top ? (b->top - oracle->receiver_z) / (s.z - b->top) : 1e6;
    if (b->top <= oracle->receiver_z)
        return 0;
    qx[2] = qx[1] + lambda * (qx[1] - s.x);
    qy[2] = qy[1] + lambda * (qy[1] - s.y);
    qx[3] = qx[0] + lambda * (qx[0] - s.x);
    qy[3] = qy[0] + lambda * (qy[0] - s.y);
    int left = 0;
    for (int i = 0; i < 4; i++)
        left += plane_side(qx[i], qy[i], qx[(i + 1) % 4], qy[(i + 1) % 4], x, y) > 0;
    return left == 0 || left == 4;
}

/* Equation (4). */
static inline int plane_sees(const plane_oracle *oracle, plane_point s, double x, double y)
{
    for (int i = 0; i < PLANE_WALLS; i++)
        if (plane_in_shadow(oracle, s, i / 4, i % 4, x, y))
            return 0;
    return 1;
}

/* Equations (5) to (8): the nearer ends of walls that face away, a centimetre off the building. */
static inline int plane_sources(const plane_oracle *oracle, plane_point s, plane_point *found)
{
    int count = 0;
    for (int i = 0; i < PLANE_WALLS; i++) {
        const plane_box *b = &oracle->boxes[i / 4];
        int from = i % 4, to = (from + 1) % 4;
        if (plane_side(b->x[from], b->y[from], b->x[to], b->y[to], s.x, s.y) <= 0) /* faces the source */
            continue;
        int j = hypot(b->x[from] - s.x, b->y[from] - s.y) <= hypot(b->x[to] - s.x, b->y[to] - s.y) ? from : to;
        double off_x = 0, off_y = 0;
        for (int k = 1; k < 4; k += 2) {
            double dx = b->x[j] - b->x[(j + k) % 4], dy = b->y[j] - b->y[(j + k) % 4], length = hypot(dx, dy);
            off_x += dx / length;
            off_y += dy / length;
        }
        double off = 0.01 / hypot(off_x, off_y);
        plane_point corner = {b->x[j] + off * off_x, b->y[j] + off * off_y, oracle->receiver_z};
        if (plane_sees(oracle, s, corner.x, corner.y))
            found[count++] = corner;
    }
    return count;
}

static inline double plane_distance(plane_point a, plane_point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* Equations (18) and (19). */
static inline double plane_turn_db(const plane_oracle *oracle, plane_point a, plane_point b, plane_point c)
{
    double dot = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) + (b.z - a.z) * (c.z - b.z);
    double alpha = acos(fmax(-1, fmin(1, dot / (plane_distance(a, b) * plane_distance(b, c)))));
    return oracle->turn[0] + alpha * (oracle->turn[1] + alpha * (oracle->turn[2] + alpha * oracle->turn[3]));
}

/* The least loss to the receiver of all sequences that go on from corner x, which s sees; length and turns so far. */
static inline double plane_search(const plane_oracle *oracle, plane_point s, plane_point x, plane_point r, int order,
                                  double length_m, double turns_db)
{
    double best_db = INFINITY;
    if (plane_sees(oracle, x, r.x, r.y) && !plane_sees(oracle, s, r.x, r.y)) /* (9) */
        best_db = 20 * log10(4 * 3.14159265358979323846 * (length_m + plane_distance(x, r)) / oracle->wavelength_m) +
                  turns_db + plane_turn_db(oracle, s, x, r);
    plane_point next[PLANE_WALLS];
    int count = order < oracle->order ? plane_sources(oracle, x, next) : 0;
    for (int i = 0; i < count; i++) {
        if (plane_distance(next[i], s) < 0.001 || plane_distance(next[i], x) < 0.001)
            continue;
        double found_db = plane_search(oracle, x, next[i], r, order + 1, length_m + plane_distance(x, next[i]),
                                       turns_db + plane_turn_db(oracle, s, x, next[i]));
        best_db = fmin(best_db, found_db);
    }
    return best_db;
}

/* Infinite where no path leads; free space in sight. */
static inline double plane_loss_db(const plane_oracle *oracle, plane_point s, double x, double y)
{
    plane_point r = {x, y, oracle->receiver_z}, first[PLANE_WALLS];
    if (plane_sees(oracle, s, x, y))
        return 20 * log10(4 * 3.14159265358979323846 * plane_distance(s, r) / oracle->wavelength_m);
    int count = plane_sources(oracle, s, first);
    double best_db = INFINITY;
    for (int i = 0; i < count; i++)
        best_db = fmin(best_db, plane_search(oracle, s, first[i], r, 1, plane_distance(s, first[i]), 0));
    return best_db;
}

#endif
