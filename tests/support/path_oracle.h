/* All paths to a point by trying every sequence of walls and corners: images, then visibility, in double. Slow, and
 * written without any part of the beams model. */
#ifndef RW_TESTS_PATH_ORACLE_H
#define RW_TESTS_PATH_ORACLE_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#define ORACLE_WALLS_MAX 64
#define ORACLE_STEPS_MAX 8

typedef struct oracle_wall {
    double x0, y0, x1, y1, bottom, top;
    int next[2]; /* wall of the same building at each end; -1: none */
} oracle_wall;

typedef struct oracle_scene {
    oracle_wall walls[ORACLE_WALLS_MAX];
    int wall_count;
    int reflections, transmissions, diffractions; /* limits */
    double loss_db[3];                            /* of one of each */
    double constant_db, loss_max_db;
    double source[3];
} oracle_scene;

typedef struct oracle_step {
    int wall, end; /* end: 0 or 1 for a corner, -1 for a reflection */
} oracle_step;

typedef struct oracle_sum {
    size_t paths;
    double power, strongest, first_m;
    double delay_m, delay_square_m2; /* power-weighted sums of length and its square */
    double lengths_m[4096], losses_db[4096];
} oracle_sum;

static inline double oracle_cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

/* Points of the path, plan: [0] the source, [count + 1] the receiver. Returns whether each reflection lies on its wall.
 */
static inline int oracle_points(const oracle_scene *scene, const oracle_step *steps, int count, const double to[3],
                                double points[][2])
{
    points[0][0] = scene->source[0];
    points[0][1] = scene->source[1];
    points[count + 1][0] = to[0];
    points[count + 1][1] = to[1];
    for (int i = 0; i < count; i++)
        if (steps[i].end >= 0) {
            const oracle_wall *wall = &scene->walls[steps[i].wall];
            points[i + 1][0] = steps[i].end ? wall->x1 : wall->x0;
            points[i + 1][1] = steps[i].end ? wall->y1 : wall->y0;
        }
    for (int begin = 0; begin <= count;) {
        int end = begin; /* reflections begin to end - 1 lie between two fixed points */
        while (end < count && steps[end].end < 0)
            end++;
        double images[ORACLE_STEPS_MAX + 1][2] = {{points[begin][0], points[begin][1]}};
        for (int i = begin; i < end; i++) {
            const oracle_wall *wall = &scene->walls[steps[i].wall];
            double wx = wall->x1 - wall->x0, wy = wall->y1 - wall->y0, *before = images[i - begin];
            double side = oracle_cross(wx, wy, before[0] - wall->x0, before[1] - wall->y0) / (wx * wx + wy * wy);
            images[i - begin + 1][0] = before[0] + 2 * side * wy;
            images[i - begin + 1][1] = before[1] - 2 * side * wx;
        }
        const double *target = points[end + 1];
        for (int i = end - 1; i >= begin; i--) {
            const oracle_wall *wall = &scene->walls[steps[i].wall];
            const double *image = images[i - begin + 1];
            double wx = wall->x1 - wall->x0, wy = wall->y1 - wall->y0;
            double dx = target[0] - image[0], dy = target[1] - image[1], below = oracle_cross(dx, dy, wx, wy);
            double t = oracle_cross(wall->x0 - image[0], wall->y0 - image[1], wx, wy) / below;
            double s = oracle_cross(wall->x0 - image[0], wall->y0 - image[1], dx, dy) / below;
            if (!(t > 1e-12 && t < 1 - 1e-12 && s >= 0 && s <= 1))
                return 0;
            points[i + 1][0] = image[0] + t * dx;
            points[i + 1][1] = image[1] + t * dy;
            target = points[i + 1];
        }
        begin = end + 1;
    }
    return 1;
}

/* Walls that cross a leg at the height of the ray; -1 where more than allowed. */
static inline int oracle_crossings(const oracle_scene *scene, const double a[2], const double b[2], double za,
                                   double zb, int skip_a, int skip_a2, int skip_b, int skip_b2)
{
    int crossings = 0;
    for (int i = 0; i < scene->wall_count; i++) {
        const oracle_wall *wall = &scene->walls[i];
        if (i == skip_a || i == skip_a2 || i == skip_b || i == skip_b2)
            continue;
        double dx = b[0] - a[0], dy = b[1] - a[1], wx = wall->x1 - wall->x0, wy = wall->y1 - wall->y0;
        double below = oracle_cross(dx, dy, wx, wy);
        double t = oracle_cross(wall->x0 - a[0], wall->y0 - a[1], wx, wy) / below;
        double s = oracle_cross(wall->x0 - a[0], wall->y0 - a[1], dx, dy) / below;
        double z = za + t * (zb - za);
        crossings += t > 0 && t < 1 && s >= 0 && s < 1 && z < wall->top && z >= wall->bottom;
    }
    return crossings;
}

/* The dark side of a corner: between the ray that goes on straight and the face that the source does not see. */
static inline int oracle_dark(const oracle_scene *scene, oracle_step step, const double before[2], const double at[2],
                              const double after[2])
{
    const oracle_wall *wall = &scene->walls[step.wall];
    double bx = (step.end ? wall->x0 : wall->x1) - at[0], by = (step.end ? wall->y0 : wall->y1) - at[1];
    double fx = bx, fy = by;
    if (wall->next[step.end] >= 0) {
        const oracle_wall *other = &scene->walls[wall->next[step.end]];
        int far_end = hypot(other->x0 - at[0], other->y0 - at[1]) > hypot(other->x1 - at[0], other->y1 - at[1]) ? 0 : 1;
        fx = (far_end ? other->x1 : other->x0) - at[0];
        fy = (far_end ? other->y1 : other->y0) - at[1];
    }
    double dx = at[0] - before[0], dy = at[1] - before[1], ox = after[0] - at[0], oy = after[1] - at[1];
    double sign = oracle_cross(dx, dy, bx, by) > 0 ? 1 : -1;
    double face = atan2(sign * oracle_cross(dx, dy, fx, fy), dx * fx + dy * fy);
    double body = atan2(sign * oracle_cross(dx, dy, bx, by), dx * bx + dy * by);
    double out = atan2(sign * oracle_cross(dx, dy, ox, oy), dx * ox + dy * oy);
    return face > 0 && face <= body + 1e-12 && out > 0 && out < face;
}

static inline void oracle_try(const oracle_scene *scene, const oracle_step *steps, int count, const double to[3],
                              oracle_sum *sum)
{
    double points[ORACLE_STEPS_MAX + 2][2], lengths[ORACLE_STEPS_MAX + 2] = {0};
    if (count > ORACLE_STEPS_MAX || !oracle_points(scene, steps, count, to, points))
        return;
    for (int i = 0; i <= count; i++)
        lengths[i + 1] = lengths[i] + hypot(points[i + 1][0] - points[i][0], points[i + 1][1] - points[i][1]);
    double plan = lengths[count + 1], rise = to[2] - scene->source[2];
    int transmissions = 0, reflections = 0, diffractions = 0;
    for (int i = 0; i <= count; i++) {
        double za = scene->source[2] + rise * lengths[i] / plan, zb = scene->source[2] + rise * lengths[i + 1] / plan;
        int a = i > 0 ? steps[i - 1].wall : -1, b = i < count ? steps[i].wall : -1;
        int a2 = i > 0 && steps[i - 1].end >= 0 ? scene->walls[a].next[steps[i - 1].end] : -1;
        int b2 = i < count && steps[i].end >= 0 ? scene->walls[b].next[steps[i].end] : -1;
        transmissions += oracle_crossings(scene, points[i], points[i + 1], za, zb, a, a2, b, b2);
        if (transmissions > scene->transmissions)
            return;
        if (i == count)
            break;
        reflections += steps[i].end < 0;
        diffractions += steps[i].end >= 0;
        if (!(zb < scene->walls[b].top && zb >= scene->walls[b].bottom))
            return;
        if (steps[i].end >= 0 && !oracle_dark(scene, steps[i], points[i], points[i + 1], points[i + 2]))
            return;
    }
    double length = hypot(plan, rise);
    double loss_db = scene->constant_db + 20 * log10(length) + reflections * scene->loss_db[0] +
                     transmissions * scene->loss_db[1] + diffractions * scene->loss_db[2];
    if (loss_db > scene->loss_max_db)
        return;
    double power = pow(10, -loss_db / 10);
    if (sum->paths < 4096) {
        sum->lengths_m[sum->paths] = length;
        sum->losses_db[sum->paths] = loss_db;
    }
    sum->paths++;
    sum->power += power;
    sum->strongest = fmax(sum->strongest, power);
    sum->first_m = fmin(sum->first_m, length);
    sum->delay_m += power * length;
    sum->delay_square_m2 += power * length * length;
}

static inline void oracle_extend(const oracle_scene *scene, oracle_step *steps, int count, int reflections,
                                 int diffractions, const double to[3], oracle_sum *sum)
{
    oracle_try(scene, steps, count, to, sum);
    for (int wall = 0; wall < scene->wall_count; wall++) {
        int same = count > 0 && steps[count - 1].wall == wall;
        if (reflections < scene->reflections && !(same && steps[count - 1].end < 0)) {
            steps[count] = (oracle_step){wall, -1};
            oracle_extend(scene, steps, count + 1, reflections + 1, diffractions, to, sum);
        }
        for (int end = 0; end < 2 && diffractions < scene->diffractions; end++) {
            steps[count] = (oracle_step){wall, end};
            oracle_extend(scene, steps, count + 1, reflections, diffractions + 1, to, sum);
        }
    }
}

static inline void oracle_paths(const oracle_scene *scene, const double to[3], oracle_sum *sum)
{
    oracle_step steps[ORACLE_STEPS_MAX];
    sum->paths = 0;
    sum->power = sum->strongest = sum->delay_m = sum->delay_square_m2 = 0;
    sum->first_m = INFINITY;
    oracle_extend(scene, steps, 0, 0, 0, to, sum);
}

#endif
