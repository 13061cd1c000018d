/* Algorithm 1 of Novak (2016) to the letter, as an oracle: one framebuffer with ID, depth and a stencil that is the
 * stack of the recursion. Each pixel is a ray in double against every plate; nothing is culled or batched. Plates,
 * mirror, shift and clipping are its own: it includes nothing of the library. */
#ifndef RW_TESTS_STENCIL_TREE_H
#define RW_TESTS_STENCIL_TREE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define STENCIL_PIXELS 96
#define STENCIL_DEPTH 8
#define STENCIL_NOTHING UINT32_MAX

/* A plane slab: rectangles u0, v0, u1, v1 along two unit vectors at right angles. */
typedef struct stencil_plate {
    double origin[3], u[3], v[3];
    int part_count;
    double parts[8][4];
    double thickness_m, index; /* index 0: nothing goes through */
    const char *surface;
} stencil_plate;

typedef struct stencil_view {
    double eye[3], right[3], up[3], forward[3];
    uint32_t clip;     /* plate whose plane cuts the view; STENCIL_NOTHING: none */
    double clip_shows; /* sign of the heights over that plate that are shown */
} stencil_view;

typedef struct found_sequence {
    uint32_t side, steps[STENCIL_DEPTH]; /* a step is 2 plate + through */
    int level;
    size_t pixels; /* of the window that led to it */
    stencil_view view;
    uint32_t window[4];  /* x0, x1, y0, y1, ends not included */
    double min_m, max_m; /* shifts of the rays of those pixels, where the last step goes through */
    double slack_m;      /* what the library says of that: how far off its shift may be */
} found_sequence;

typedef struct stencil_tree {
    const stencil_plate *plates;
    uint32_t plate_count;
    uint32_t side;
    size_t threshold;
    int depth;
    uint32_t id[STENCIL_PIXELS * STENCIL_PIXELS];
    double z[STENCIL_PIXELS * STENCIL_PIXELS];
    uint8_t stencil[STENCIL_PIXELS * STENCIL_PIXELS];
    found_sequence *found;
    size_t found_count, found_capacity;
} stencil_tree;

static inline double stencil_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Coordinates of a point (or, with no origin, of a direction) along the plate's u, v and normal. */
static inline void stencil_along(const stencil_plate *plate, const double point[3], int is_point, double out[3])
{
    double away[3], normal[3] = {plate->u[1] * plate->v[2] - plate->u[2] * plate->v[1],
                                 plate->u[2] * plate->v[0] - plate->u[0] * plate->v[2],
                                 plate->u[0] * plate->v[1] - plate->u[1] * plate->v[0]};
    for (int i = 0; i < 3; i++)
        away[i] = point[i] - (is_point ? plate->origin[i] : 0);
    out[0] = stencil_dot(away, plate->u);
    out[1] = stencil_dot(away, plate->v);
    out[2] = stencil_dot(away, normal);
}

/* The point whose height over the plate is changed by so much. */
static inline void stencil_lift(const stencil_plate *plate, double by, double point[3])
{
    double normal[3] = {plate->u[1] * plate->v[2] - plate->u[2] * plate->v[1],
                        plate->u[2] * plate->v[0] - plate->u[0] * plate->v[2],
                        plate->u[0] * plate->v[1] - plate->u[1] * plate->v[0]};
    for (int i = 0; i < 3; i++)
        point[i] += by * normal[i];
}

static inline void stencil_ray(const stencil_view *view, double x, double y, double d[3])
{
    double right = 2 * x / STENCIL_PIXELS - 1, up = 2 * y / STENCIL_PIXELS - 1;
    for (int i = 0; i < 3; i++)
        d[i] = view->forward[i] + right * view->right[i] + up * view->up[i];
}

/* Where a ray meets a plate, as a multiple of its direction; infinite where it does not, or where the view is cut. */
static inline double stencil_meets(const stencil_tree *tree, const stencil_view *view, const double d[3],
                                   const stencil_plate *plate)
{
    double from[3], along[3], at[3], over[3];
    stencil_along(plate, view->eye, 1, from);
    stencil_along(plate, d, 0, along);
    double t = -from[2] / along[2], u = from[0] + t * along[0], v = from[1] + t * along[1];
    if (!(t > 0))
        return INFINITY;
    int inside = 0;
    for (int i = 0; i < plate->part_count; i++)
        inside = inside || (u >= plate->parts[i][0] && u < plate->parts[i][2] && v >= plate->parts[i][1] &&
                            v < plate->parts[i][3]);
    for (int i = 0; i < 3; i++)
        at[i] = view->eye[i] + t * d[i];
    if (inside && view->clip != STENCIL_NOTHING) {
        stencil_along(&tree->plates[view->clip], at, 1, over);
        inside = view->clip_shows * over[2] > 1e-4; /* what lies in the plane itself is not shown */
    }
    return inside ? t : INFINITY;
}

/* Colour and depth of every pixel where the stencil has the value. */
static inline void draw_stencilled(stencil_tree *tree, const stencil_view *view, int value)
{
    for (int p = 0; p < STENCIL_PIXELS * STENCIL_PIXELS; p++) {
        if (tree->stencil[p] != value)
            continue;
        double d[3];
        stencil_ray(view, p / STENCIL_PIXELS + 0.5, p % STENCIL_PIXELS + 0.5, d);
        tree->id[p] = STENCIL_NOTHING;
        tree->z[p] = INFINITY;
        for (uint32_t s = 0; s < tree->plate_count; s++) {
            double t = stencil_meets(tree, view, d, &tree->plates[s]);
            if (t < tree->z[p]) {
                tree->z[p] = t;
                tree->id[p] = s;
            }
        }
    }
}

/* Delta that aligns the ray of an angle: equations (1) and (2) with epsilon = 0, solved for it. The distance l of the
 * source falls out. */
static inline double stencil_shift_m(const stencil_view *view, const stencil_plate *plate, double x, double y)
{
    double d[3], along[3], l = 1;
    stencil_ray(view, x, y, d);
    stencil_along(plate, d, 0, along);
    double incidence = atan2(hypot(along[0], along[1]), fabs(along[2]));
    if (incidence < 1e-6)
        return plate->thickness_m * (1 - 1 / plate->index);
    double r = l * tan(incidence) + plate->thickness_m * tan(asin(sin(incidence) / plate->index));
    return l + plate->thickness_m - r / tan(incidence);
}

/* Half-way between the least and the largest shift at corners, middles of sides and centre of a window. */
static inline double stencil_window_shift_m(const stencil_view *view, const stencil_plate *plate,
                                            const uint32_t window[4])
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double x = (window[0] * (2 - i) + window[1] * i) / 2.0, y = (window[2] * (2 - j) + window[3] * j) / 2.0;
            double shift = stencil_shift_m(view, plate, x, y);
            least = fmin(least, shift);
            most = fmax(most, shift);
        }
    return (least + most) / 2;
}

/* Lines 5 to 8: mirrors the view, or translates it towards the plate. */
static inline stencil_view stencil_next(const stencil_tree *tree, const stencil_view *view, uint32_t number,
                                        int through, const uint32_t window[4])
{
    const stencil_plate *plate = &tree->plates[number];
    stencil_view next = *view;
    double eye[3];
    stencil_along(plate, view->eye, 1, eye);
    double before = eye[2] > 0 ? 1 : -1;
    next.clip = number;
    next.clip_shows = through ? -before : before;
    if (through) {
        /* a viewpoint in the plane itself would see nothing: it stays a thousandth before it */
        double shift_m = fmin(stencil_window_shift_m(view, plate, window), 0.999 * fabs(eye[2]));
        stencil_lift(plate, -before * shift_m, next.eye);
        return next;
    }
    stencil_lift(plate, -2 * eye[2], next.eye);
    double *axes[3] = {next.right, next.up, next.forward};
    for (int i = 0; i < 3; i++) {
        double along[3];
        stencil_along(plate, axes[i], 0, along);
        stencil_lift(plate, -2 * along[2], axes[i]);
    }
    return next;
}

static inline void keep_sequence(stencil_tree *tree, const found_sequence *made)
{
    if (tree->found_count == tree->found_capacity) {
        tree->found_capacity = tree->found_capacity ? 2 * tree->found_capacity : 1024;
        tree->found = realloc(tree->found, tree->found_capacity * sizeof *tree->found);
    }
    tree->found[tree->found_count++] = *made;
}

static inline void stencil_step(stencil_tree *tree, const stencil_view *view, uint32_t *steps, int level);

/* Lines 14 to 18 for one plate: both kinds of interaction. */
static inline void stencil_follow(stencil_tree *tree, const stencil_view *view, uint32_t plate,
                                  const found_sequence *seen, uint32_t *steps, int level)
{
    for (int through = 0; through <= (tree->plates[plate].index > 0); through++) {
        stencil_view next = stencil_next(tree, view, plate, through, seen->window);
        found_sequence made = *seen;
        steps[level] = 2 * plate + (uint32_t)through;
        made.side = tree->side;
        made.level = level + 1;
        made.view = next;
        memcpy(made.steps, steps, (size_t)(level + 1) * sizeof *steps);
        keep_sequence(tree, &made);
        if (level + 1 == tree->depth)
            continue;
        /* Lines 2 to 4: the view is drawn again, since deeper steps have overwritten it, and the stencil grows. */
        draw_stencilled(tree, view, level);
        for (int p = 0; p < STENCIL_PIXELS * STENCIL_PIXELS; p++)
            tree->stencil[p] = (uint8_t)(tree->stencil[p] + (tree->stencil[p] == level && tree->id[p] == plate));
        stencil_step(tree, &next, steps, level + 1);
        /* Line 19 */
        for (int p = 0; p < STENCIL_PIXELS * STENCIL_PIXELS; p++)
            tree->stencil[p] = (uint8_t)(tree->stencil[p] - (tree->stencil[p] == level + 1));
    }
}

/* One more pixel of a plate. */
static inline void stencil_count(const stencil_tree *tree, const stencil_view *view, uint32_t plate, uint32_t x,
                                 uint32_t y, found_sequence *seen)
{
    uint32_t *window = seen->window;
    if (seen->pixels++ == 0) {
        window[0] = window[2] = STENCIL_PIXELS;
        seen->min_m = INFINITY;
    }
    window[0] = x < window[0] ? x : window[0];
    window[1] = x + 1 > window[1] ? x + 1 : window[1];
    window[2] = y < window[2] ? y : window[2];
    window[3] = y + 1 > window[3] ? y + 1 : window[3];
    if (tree->plates[plate].index > 0) {
        double shift = stencil_shift_m(view, &tree->plates[plate], x + 0.5, y + 0.5);
        seen->min_m = fmin(seen->min_m, shift);
        seen->max_m = fmax(seen->max_m, shift);
    }
}

static inline void stencil_step(stencil_tree *tree, const stencil_view *view, uint32_t *steps, int level)
{
    draw_stencilled(tree, view, level);
    found_sequence *seen = calloc(tree->plate_count, sizeof *seen);
    for (uint32_t p = 0; p < STENCIL_PIXELS * STENCIL_PIXELS; p++)
        if (tree->stencil[p] == level && tree->id[p] != STENCIL_NOTHING)
            stencil_count(tree, view, tree->id[p], p / STENCIL_PIXELS, p % STENCIL_PIXELS, &seen[tree->id[p]]);
    for (uint32_t s = 0; s < tree->plate_count; s++)
        if (seen[s].pixels > 0 && seen[s].pixels >= tree->threshold)
            stencil_follow(tree, view, s, &seen[s], steps, level);
    free(seen);
}

/* Six views along x, y, z and back; rows go up but where the view is up or down, and columns with x or y. */
static inline void stencil_tree_build(stencil_tree *tree, const double source[3])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int up_of[3] = {2, 2, 1}, right_of[3] = {1, 0, 0};
    uint32_t steps[STENCIL_DEPTH];
    for (tree->side = 0; tree->side < 6; tree->side++) {
        stencil_view view = {.clip = STENCIL_NOTHING};
        for (int i = 0; i < 3; i++) {
            view.eye[i] = source[i];
            view.forward[i] = (tree->side < 3 ? 1 : -1) * axes[tree->side % 3][i];
            view.up[i] = axes[up_of[tree->side % 3]][i];
            view.right[i] = axes[right_of[tree->side % 3]][i];
        }
        memset(tree->stencil, 0, sizeof tree->stencil);
        stencil_step(tree, &view, steps, 0);
    }
}

#endif
