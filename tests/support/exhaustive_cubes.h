/* A search of the cubes model in a scene made by hand, and beside it an exhaustive one over all sequences of pieces, in
 * double and with its own geometry. */
#ifndef RW_TESTS_EXHAUSTIVE_CUBES_H
#define RW_TESTS_EXHAUSTIVE_CUBES_H

#include "base/maths/elementary.h"
#include "models/cubes/cubes.h"
#include "shapes.h"

#define FREQ_HZ 947e6

static inline double free_space_db(double length_m)
{
    return 20 * log10(4 * RW_PI * length_m * FREQ_HZ / RW_SPEED_OF_LIGHT_M_S);
}

/* A search in the scene from its source to receivers anywhere; nothing is left out by margins unless asked. */
typedef struct trial {
    rw_context *context;
    rw_scene *scene;
    rw_vec2 origin;
    rw_cubes_job job;
    rw_cubes_answer *answers;
    size_t count;
    rw_vec3 source; /* local */
    rw_vec3 *points;
} trial;

static inline trial begin(rw_backend backend)
{
    trial now = {.context = make_context_of(backend, 1)};
    assert_non_null(now.context);
    now.scene = make_scene(now.context);
    return now;
}

static inline void run(trial *now, const rw_cube_frame *frame, const int limits[3], rw_vec3 source, rw_vec3 *points,
                       size_t count, float margin_db)
{
    rw_cube_frame local = *frame;
    local.x0_m -= now->origin.x;
    local.y0_m -= now->origin.y;
    now->source = rw_vec3_of(source.x - now->origin.x, source.y - now->origin.y, source.z);
    now->points = points;
    now->count = count;
    for (size_t i = 0; i < count; i++) {
        points[i].x -= now->origin.x;
        points[i].y -= now->origin.y;
    }
    rw_cubes_points receivers = {count, points};
    assert_ok(now->context,
              rw_cubes_job_create(now->scene, &local, &receivers, limits, 0, now->context->backend, &now->job));
    for (int kind = 0; kind < RW_CUBE_KINDS && margin_db > 0; kind++)
        now->job.search.margins_db[kind] = now->job.search.loss_max_db = margin_db;
    double values[RW_CUBES_PARAMETERS];
    assert_ok(now->context, rw_cubes_parameter_defaults(now->context, FREQ_HZ, values));
    rw_cubes_costs costs = rw_cubes_costs_of(values);
    assert_ok(now->context, rw_cubes_job_run(&now->job, now->source, FREQ_HZ, &costs));
    now->answers = calloc(count, sizeof *now->answers);
    assert_ok(now->context, rw_cubes_job_read(&now->job, now->answers));
}

static inline void commit(trial *now)
{
    assert_ok(now->context, rw_scene_commit(now->scene));
    now->origin = now->scene->origin;
}

static inline void clear_run(trial *now)
{
    rw_cubes_job_destroy(&now->job);
    free(now->answers);
}

static inline void end(trial *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

/* How a line of sight is judged: as it is, or as the best or the worst of lines shifted a little. */
typedef enum sight_rule { AS_IS, LOOSE, STRICT } sight_rule;

typedef struct exhaustive {
    const rw_cubes *cubes;
    const rw_cube_search *search;
    const trial *now;
    sight_rule rule;
    double *best_db; /* of each receiver, in the caller's order */
    double (*points)[3];
    size_t paths;
} exhaustive;

static inline int line_clear(const rw_cubes *cubes, const double from[3], const double to[3])
{
    int axis_of = 0;
    for (int axis = 1; axis < 3; axis++)
        if (fabs(to[axis] - from[axis]) > fabs(to[axis_of] - from[axis_of]))
            axis_of = axis;
    int steps = abs((int)floor(to[axis_of]) - (int)floor(from[axis_of]));
    double to_middle = floor(from[axis_of]) + 0.5 - from[axis_of];
    to_middle = to[axis_of] < from[axis_of] ? -to_middle : to_middle;
    for (int step = 1; step < steps; step++) {
        int at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = (int)floor(from[axis] +
                                  (step + to_middle) * (to[axis] - from[axis]) / fabs(to[axis_of] - from[axis_of]));
        if (!rw_cube_in_grid(&cubes->view, at[0], at[1], at[2]) ||
            rw_cube_bit(cubes->filled, rw_cube_word(&cubes->view, at[0], at[1], at[2]), at[0]))
            return 0;
    }
    return 1;
}

static inline int sees(const exhaustive *all, const double from[3], const double to[3])
{
    if (all->rule == AS_IS)
        return line_clear(all->cubes, from, to);
    /* Rays are half a cube apart and run up to 0.75 cubes before walls. */
    double shift_by = all->rule == LOOSE ? 0.8 : 0.5;
    for (int shift = 0; shift < 27; shift++) {
        double a[3], b[3];
        for (int axis = 0, rest = shift; axis < 3; axis++, rest /= 3) {
            a[axis] = from[axis] + shift_by * (rest % 3 - 1);
            b[axis] = to[axis] + shift_by * (rest % 3 - 1);
        }
        for (int ends = 0; ends < 3; ends++) { /* both ends shifted, or one of them */
            int clear = line_clear(all->cubes, ends == 1 ? from : a, ends == 2 ? to : b);
            if (clear == (all->rule == LOOSE))
                return clear;
        }
    }
    return all->rule == STRICT;
}

/* From a turn to a point: straight, or from an edge along one of its faces a little before it. */
static inline int sees_from(const exhaustive *all, const rw_cube_element *element, const rw_cube_item *piece,
                            const double from[3], const double to[3])
{
    if (sees(all, from, to))
        return 1;
    for (int side = -1; side <= 1 && element->kind != RW_CUBE_REFLECTION && all->rule == AS_IS; side += 2) {
        float middle[3], beside[3];
        double out[3], a[3], b[3], before = 0;
        rw_item_middle(piece, middle);
        rw_item_face_point(element, piece, (float)side, beside);
        for (int axis = 0; axis < 3; axis++) {
            out[axis] = (double)beside[axis] - (double)middle[axis];
            before += (to[axis] - from[axis]) * out[axis];
            a[axis] = from[axis] + out[axis];
            b[axis] = to[axis] + out[axis];
        }
        if (fabs(before) < 0.2 && sees(all, a, b))
            return 1;
    }
    return 0;
}

/* Any of the points at which a piece is listed. */
static inline int sees_piece(const exhaustive *all, const rw_cube_element *start, const rw_cube_item *start_piece,
                             const double from[3], const rw_cube_element *element, const rw_cube_item *piece)
{
    float at[3];
    for (int side = -1; side <= 1; side++) {
        if (side == 0)
            rw_item_middle(piece, at);
        else if (element->kind != RW_CUBE_REFLECTION)
            rw_item_face_point(element, piece, (float)side, at);
        const double to[3] = {at[0], at[1], at[2]};
        if ((side == 0 || element->kind != RW_CUBE_REFLECTION) &&
            (start ? sees_from(all, start, start_piece, from, to) : sees(all, from, to)))
            return 1;
    }
    return 0;
}

typedef struct exact_turn {
    double at[3], from[3], before, length, angle;
} exact_turn;

static inline double dot_of(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* One deflection, from its definition: reflection by the image, diffraction by a search for the shortest way over the
 * edge, whose angles to the edge are equal. */
static inline int exact_turn_find(const rw_cube_element *element, const rw_cube_item *piece, const double from[3],
                                  const double to[3], double border, exact_turn *turn)
{
    double axis_of[3], at[3], in[3], out[3];
    for (int axis = 0; axis < 3; axis++)
        axis_of[axis] = element->axis[axis];
    if (element->kind == RW_CUBE_REFLECTION) {
        double height[2] = {0, 0};
        for (int axis = 0; axis < 3; axis++) {
            height[0] += (from[axis] - element->at[axis]) * axis_of[axis];
            height[1] += (to[axis] - element->at[axis]) * axis_of[axis];
        }
        if (height[0] <= 1e-3 || height[1] <= 1e-3)
            return 0;
        for (int axis = 0; axis < 3; axis++) {
            turn->from[axis] = from[axis] - 2 * height[0] * axis_of[axis];
            at[axis] = turn->from[axis] + (to[axis] - turn->from[axis]) * height[0] / (height[0] + height[1]);
            if (at[axis] < piece->from[axis] - border || at[axis] > piece->to[axis] + border)
                return 0;
        }
        turn->before = 0;
    } else {
        double low = -1e4, high = 1e4, length = 0;
        for (int axis = 0; axis < 3; axis++)
            length += (piece->to[axis] - piece->from[axis]) * axis_of[axis];
        for (int turns = 0; turns < 200; turns++) {
            double t[2] = {low + (high - low) / 3, high - (high - low) / 3}, way[2] = {0, 0};
            for (int side = 0; side < 2; side++) {
                double first = 0, second = 0;
                for (int axis = 0; axis < 3; axis++) {
                    double p = piece->from[axis] + t[side] * axis_of[axis];
                    first += (p - from[axis]) * (p - from[axis]);
                    second += (p - to[axis]) * (p - to[axis]);
                }
                way[side] = sqrt(first) + sqrt(second);
            }
            if (way[0] < way[1])
                high = t[1];
            else
                low = t[0];
        }
        double along = 0.5 * (low + high);
        if (along < -border || along > length + border)
            return 0;
        double across[2][3];
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = turn->from[axis] = piece->from[axis] + along * axis_of[axis];
            across[0][axis] = from[axis] - at[axis];
            across[1][axis] = to[axis] - at[axis];
        }
        double angles[2], along_of[2], solid = 0;
        double side[3] = {axis_of[1] * element->inner[2] - axis_of[2] * element->inner[1],
                          axis_of[2] * element->inner[0] - axis_of[0] * element->inner[2],
                          axis_of[0] * element->inner[1] - axis_of[1] * element->inner[0]};
        double inner[3] = {element->inner[0], element->inner[1], element->inner[2]};
        solid = acos(fmin(1, element->half_cosine));
        for (int end = 0; end < 2; end++) { /* angle round the edge from the middle of the solid */
            angles[end] = atan2(dot_of(across[end], side), dot_of(across[end], inner));
            along_of[end] = dot_of(across[end], axis_of);
            double size2 = dot_of(across[end], across[end]) - along_of[end] * along_of[end];
            if (fabs(angles[end]) < solid - 1.5e-3 || size2 < 1e-6)
                return 0;
        }
        /* On either side of the solid, and nearer to each other through it than round the outside. */
        if (angles[0] * angles[1] >= 0 || fabs(angles[0] - angles[1]) >= RW_PI)
            return 0;
        turn->before = sqrt(dot_of(across[0], across[0]));
    }
    double lengths[2] = {0, 0}, straight = 0;
    for (int axis = 0; axis < 3; axis++) {
        turn->at[axis] = at[axis];
        in[axis] = at[axis] - from[axis];
        out[axis] = to[axis] - at[axis];
    }
    lengths[0] = sqrt(dot_of(in, in));
    lengths[1] = sqrt(dot_of(out, out));
    straight = dot_of(in, out) / (lengths[0] * lengths[1]);
    turn->length = lengths[0] + lengths[1];
    turn->angle = acos(fmax(-1, fmin(1, straight)));
    return 1;
}

static inline double loss_of(const exhaustive *all, double length, double bends_db)
{
    return free_space_db(length * all->cubes->frame.res_m) + bends_db;
}

static inline double bend_db(const exhaustive *all, uint32_t kind, double angle)
{
    return rw_deflection_loss_db(all->search->deflections[kind], angle);
}

/* Everything that follows from a path that ends at a piece. */
static inline void extend(exhaustive *all, uint32_t piece_index, const double from[3], double before, double bends_db,
                          const int counts[3])
{
    const rw_cube_item *piece = &all->cubes->items[piece_index];
    const rw_cube_element *element = &all->cubes->elements[piece->element];
    int after[3] = {counts[0], counts[1], counts[2]};
    double border = all->rule == STRICT ? -1e-2 : all->rule == LOOSE ? 1e-2 : 0;
    exact_turn turn;
    after[element->kind]++;
    all->paths++;
    for (size_t i = 0; i < all->now->count; i++) {
        if (!exact_turn_find(element, piece, from, all->points[i], border, &turn) ||
            !sees_from(all, element, piece, turn.at, all->points[i]))
            continue;
        double loss_db = loss_of(all, before + turn.length, bends_db + bend_db(all, element->kind, turn.angle));
        all->best_db[i] = fmin(all->best_db[i], loss_db);
    }
    for (uint32_t next = 0; next < all->cubes->view.item_count; next++) {
        const rw_cube_item *other = &all->cubes->items[next];
        const rw_cube_element *face = &all->cubes->elements[other->element];
        double middle[3], way2 = 0;
        float seen_from[3];
        if (after[face->kind] >= all->search->limits[face->kind] || other->element == piece->element)
            continue;
        for (int axis = 0; axis < 3; axis++)
            middle[axis] = 0.5 * ((double)other->from[axis] + (double)other->to[axis]);
        if (!exact_turn_find(element, piece, from, middle, border, &turn))
            continue;
        for (int axis = 0; axis < 3; axis++) {
            way2 += (turn.at[axis] - middle[axis]) * (turn.at[axis] - middle[axis]);
            seen_from[axis] = (float)turn.at[axis];
        }
        if (way2 < 1 || !rw_item_faces(face, other, seen_from) ||
            !sees_piece(all, element, piece, turn.at, face, other))
            continue;
        extend(all, next, turn.from, before + turn.before, bends_db + bend_db(all, element->kind, turn.angle), after);
    }
}

/* Whether a straight line crosses a wall anywhere, asked of every piece there is. */
static inline int crosses_a_wall(const exhaustive *all, const double from[3], const double to[3])
{
    for (size_t n = 0; n < all->cubes->view.item_count; n++) {
        const rw_cube_item *piece = &all->cubes->items[n];
        const rw_cube_element *wall = &all->cubes->elements[piece->element];
        if (wall->kind != RW_CUBE_REFLECTION || wall->axis[2] != 0)
            continue;
        double heights[2] = {0, 0};
        for (int axis = 0; axis < 3; axis++) {
            heights[0] += (from[axis] - (double)wall->at[axis]) * (double)wall->axis[axis];
            heights[1] += (to[axis] - (double)wall->at[axis]) * (double)wall->axis[axis];
        }
        int inside = heights[0] * heights[1] < 0;
        for (int axis = 0; axis < 3 && inside; axis++) {
            double at = from[axis] + (to[axis] - from[axis]) * heights[0] / (heights[0] - heights[1]);
            inside = at > (double)piece->from[axis] - 1e-6 && at < (double)piece->to[axis] + 1e-6;
        }
        if (inside)
            return 1;
    }
    return 0;
}

/* The transmitter's line of sight to a receiver is that of the walls, not of cubes; the other rules doubt it. */
static inline int sees_receiver(const exhaustive *all, const double from[3], const double to[3])
{
    int clear = !crosses_a_wall(all, from, to);
    if (all->rule == AS_IS)
        return clear;
    return all->rule == LOOSE ? clear || sees(all, from, to) : clear && sees(all, from, to);
}

static inline void search_all(exhaustive *all)
{
    const float *at = all->search->source;
    const double source[3] = {at[0], at[1], at[2]};
    const int none[3] = {0, 0, 0};
    all->paths = 0;
    for (size_t i = 0; i < all->now->count; i++) {
        double way[3];
        for (int axis = 0; axis < 3; axis++)
            way[axis] = all->points[i][axis] - source[axis];
        all->best_db[i] =
            sees_receiver(all, source, all->points[i]) ? loss_of(all, sqrt(dot_of(way, way)), 0) : (double)INFINITY;
    }
    for (uint32_t n = 0; n < all->cubes->view.item_count; n++) {
        const rw_cube_item *piece = &all->cubes->items[n];
        const rw_cube_element *element = &all->cubes->elements[piece->element];
        if (all->search->limits[element->kind] && rw_item_faces(element, piece, at) &&
            sees_piece(all, NULL, NULL, source, element, piece))
            extend(all, n, source, 0, 0, none);
    }
}

#endif
