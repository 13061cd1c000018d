/* labels: slow, numbers */
/* Paths of the cubes model against an exhaustive search over the walls and edges of the scene itself, in double, with
 * its own geometry and lines of sight: whatever the side of a cube and wherever cubes begin, the strongest path is
 * found. */
#include "base/maths/elementary.h"
#include "field/edges/deflection.h"
#include "models/cubes/cubes.h"
#include "shapes.h"

#include <rasterwave/rasterwave.h>

#define FREQ_HZ 947e6

/* What bends a path: a wall that reflects (along its plan), a corner (a vertical edge) or a rim (a horizontal one). */
typedef enum bend_kind { WALL, RIM, CORNER } bend_kind;

typedef struct bend {
    bend_kind kind;
    rw_vec3 at, axis; /* a point; the normal of a wall, the direction of an edge */
    rw_vec3 faces[2]; /* of an edge: along its faces, away from it */
    double length_m, bottom_m, top_m;
    rw_vec2 p0, p1;
} bend;

typedef struct town {
    rw_context *context;
    rw_scene *scene;
    bend *bends;
    size_t count, capacity;
    rw_deflection losses[3];
    rw_vec3 source;
} town;

static void append_bend(town *in, bend one)
{
    if (in->count == in->capacity) {
        in->capacity = in->capacity ? 2 * in->capacity : 1024;
        in->bends = realloc(in->bends, in->capacity * sizeof *in->bends);
    }
    in->bends[in->count++] = one;
}

static int inside_ring(const rw_vec2 *ring, size_t count, double x, double y)
{
    int inside = 0;
    for (size_t i = 0; i < count; i++) {
        rw_vec2 a = ring[i], b = ring[(i + 1) % count];
        if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y))
            inside = !inside;
    }
    return inside;
}

static int inside_solid(const town *in, rw_vec3 at)
{
    for (size_t i = 0; i < in->scene->parts.count; i++) {
        const rw_part *part = &in->scene->parts.items[i];
        int inside = 0;
        if (at.z >= part->top_m || (part->base_height_m > 0 && at.z < part->bottom_m))
            continue;
        for (size_t r = 0; r < part->ring_count; r++)
            inside ^= inside_ring(rw_ring_points(in->scene, part->first_ring + r),
                                  rw_ring_size(in->scene, part->first_ring + r), at.x, at.y);
        if (inside)
            return 1;
    }
    return at.z < 0;
}

/* Crossed in plan below the top of some wall, not at its ends. */
static int sees(const town *in, rw_vec3 a, rw_vec3 b)
{
    const rw_wall_list *walls = &in->scene->prepared->walls;
    for (size_t i = 0; i < walls->count; i++) {
        const rw_wall *wall = &walls->walls[i];
        double dx = b.x - a.x, dy = b.y - a.y, wx = wall->p1.x - wall->p0.x, wy = wall->p1.y - wall->p0.y;
        double cross = dx * wy - dy * wx, ax = wall->p0.x - a.x, ay = wall->p0.y - a.y;
        double t = (ax * wy - ay * wx) / cross, s = (ax * dy - ay * dx) / cross, z = a.z + t * (b.z - a.z);
        if (cross != 0 && t > 1e-6 && t < 1 - 1e-6 && s >= 0 && s < 1 && z < wall->top_m && z >= wall->bottom_m)
            return 0;
    }
    return 1;
}

static rw_vec3 along(rw_vec3 at, rw_vec3 direction, double by)
{
    return rw_vec3_add(at, rw_vec3_scale(direction, by));
}

static void list_bends(town *in)
{
    const rw_wall_list *walls = &in->scene->prepared->walls;
    for (size_t i = 0; i < walls->count; i++) {
        const rw_wall *wall = &walls->walls[i];
        append_bend(in, (bend){.kind = WALL,
                               .at = {wall->p0.x, wall->p0.y, 0},
                               .axis = {walls->normals[i].x, walls->normals[i].y, 0},
                               .p0 = wall->p0,
                               .p1 = wall->p1,
                               .bottom_m = wall->bottom_m,
                               .top_m = wall->top_m});
    }
    for (size_t i = 0; i < in->scene->parts.count; i++) {
        const rw_part *part = &in->scene->parts.items[i];
        for (size_t r = 0; r < part->ring_count; r++) {
            const rw_vec2 *ring = rw_ring_points(in->scene, part->first_ring + r);
            size_t count = rw_ring_size(in->scene, part->first_ring + r);
            for (size_t n = 0; n < count; n++) {
                rw_vec2 a = ring[(n + count - 1) % count], b = ring[n], c = ring[(n + 1) % count];
                double in_x = b.x - a.x, in_y = b.y - a.y, out_x = c.x - b.x, out_y = c.y - b.y;
                double in_m = hypot(in_x, in_y), out_m = hypot(out_x, out_y);
                append_bend(in, (bend){.kind = RIM,
                                       .at = {b.x, b.y, part->top_m},
                                       .axis = {out_x / out_m, out_y / out_m, 0},
                                       .faces = {{0, 0, -1}, {-out_y / out_m, out_x / out_m, 0}},
                                       .length_m = out_m});
                if (in_x * out_y - in_y * out_x >= 0.17 * in_m * out_m)
                    append_bend(in,
                                (bend){.kind = CORNER,
                                       .at = {b.x, b.y, part->bottom_m},
                                       .axis = {0, 0, 1},
                                       .faces = {{-in_x / in_m, -in_y / in_m, 0}, {out_x / out_m, out_y / out_m, 0}},
                                       .length_m = part->top_m - part->bottom_m});
            }
        }
    }
}

/* Where the path from a to b is bent, and by which angle; 0: not by this. */
static int bends_path(const town *in, const bend *by, rw_vec3 a, rw_vec3 b, rw_vec3 *at, double *angle_rad)
{
    rw_vec3 to_a = rw_vec3_sub(a, by->at), to_b = rw_vec3_sub(b, by->at);
    if (by->kind == WALL) {
        double height_a = rw_vec3_dot(to_a, by->axis), height_b = rw_vec3_dot(to_b, by->axis);
        if (height_a < 0.01 || height_b < 0.01)
            return 0;
        *at = along(a, rw_vec3_sub(along(b, by->axis, -2 * height_b), a), height_a / (height_a + height_b));
        double wx = by->p1.x - by->p0.x, wy = by->p1.y - by->p0.y;
        double s = ((at->x - by->p0.x) * wx + (at->y - by->p0.y) * wy) / (wx * wx + wy * wy);
        if (s < 0 || s > 1 || at->z < by->bottom_m || at->z > by->top_m || inside_solid(in, along(*at, by->axis, 0.2)))
            return 0;
    } else {
        double s_a = rw_vec3_dot(to_a, by->axis), s_b = rw_vec3_dot(to_b, by->axis);
        rw_vec3 across_a = along(to_a, by->axis, -s_a), across_b = along(to_b, by->axis, -s_b);
        double d_a = rw_vec3_length(across_a), d_b = rw_vec3_length(across_b),
               s = s_a + (s_b - s_a) * d_a / (d_a + d_b);
        if (s < 0 || s > by->length_m || d_a < 0.01 || d_b < 0.01)
            return 0;
        *at = along(by->at, by->axis, s);
        /* Angles round the edge from the first face: both outside the solid, and the turn round the solid. */
        rw_vec3 x = by->faces[0], y = rw_vec3_cross(by->axis, x);
        if (rw_vec3_dot(y, by->faces[1]) > 0)
            y = rw_vec3_scale(y, -1); /* away from the solid */
        double open = 2 * RW_PI - acos(rw_vec3_dot(by->faces[0], by->faces[1]));
        double angle_a = atan2(rw_vec3_dot(across_a, y), rw_vec3_dot(across_a, x));
        double angle_b = atan2(rw_vec3_dot(across_b, y), rw_vec3_dot(across_b, x));
        angle_a += angle_a < 0 ? 2 * RW_PI : 0;
        angle_b += angle_b < 0 ? 2 * RW_PI : 0;
        if (angle_a > open || angle_b > open || fabs(angle_a - angle_b) <= RW_PI)
            return 0;
        for (int face = 0; face < 2; face++)
            if (inside_solid(in, along(*at, along(rw_vec3_scale(by->faces[face], 1.01), by->faces[1 - face], -1), 0.2)))
                return 0;
    }
    rw_vec3 in_leg = rw_vec3_sub(*at, a), out_leg = rw_vec3_sub(b, *at);
    double cosine = rw_vec3_dot(in_leg, out_leg) / (rw_vec3_length(in_leg) * rw_vec3_length(out_leg));
    *angle_rad = acos(fmax(-1, fmin(1, cosine)));
    return 1;
}

static rw_vec3 outside(const bend *by, rw_vec3 at)
{
    return along(at, by->kind == WALL ? by->axis : rw_vec3_scale(rw_vec3_add(by->faces[0], by->faces[1]), -1), 1e-3);
}

static double free_space_db(double length_m)
{
    return 20 * log10(4 * RW_PI * length_m * FREQ_HZ / RW_SPEED_OF_LIGHT_M_S);
}

/* The least loss over one bend of the kinds allowed. */
static double best_one(const town *in, const int limits[3], rw_vec3 to)
{
    double best_db = INFINITY;
    for (size_t i = 0; i < in->count; i++) {
        const bend *by = &in->bends[i];
        rw_vec3 at;
        double angle_rad;
        if (!limits[by->kind] || !bends_path(in, by, in->source, to, &at, &angle_rad))
            continue;
        double length = rw_vec3_length(rw_vec3_sub(at, in->source)) + rw_vec3_length(rw_vec3_sub(to, at));
        double loss_db = free_space_db(length) + rw_deflection_loss_db(in->losses[by->kind], angle_rad);
        if (loss_db < best_db && sees(in, outside(by, at), to) && sees(in, outside(by, at), in->source))
            best_db = loss_db;
    }
    return best_db;
}

static rw_vec2 mirror_in_plan(const bend *wall, rw_vec2 point)
{
    double height = (point.x - wall->at.x) * wall->axis.x + (point.y - wall->at.y) * wall->axis.y;
    return (rw_vec2){point.x - 2 * height * wall->axis.x, point.y - 2 * height * wall->axis.y};
}

/* Where the line between two points in plan crosses a wall's line, or the corner. */
static rw_vec2 meet_in_plan(const bend *by, rw_vec2 from_image, rw_vec2 to)
{
    if (by->kind == CORNER)
        return (rw_vec2){by->at.x, by->at.y};
    double before = (from_image.x - by->at.x) * by->axis.x + (from_image.y - by->at.y) * by->axis.y;
    double after = (to.x - by->at.x) * by->axis.x + (to.y - by->at.y) * by->axis.y, t = before / (before - after);
    return (rw_vec2){from_image.x + t * (to.x - from_image.x), from_image.y + t * (to.y - from_image.y)};
}

static double plan_m(rw_vec2 a, rw_vec2 b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

/* Loss over two bends of walls and corners, which are upright: exact in plan, with heights along the unfolded path. */
static double two_bends_db(const town *in, const bend *first, const bend *second, rw_vec3 to, double best_db)
{
    rw_vec2 source = {in->source.x, in->source.y}, end = {to.x, to.y}, p1, p2;
    rw_vec2 image = first->kind == WALL ? mirror_in_plan(first, source) : (rw_vec2){first->at.x, first->at.y};
    p2 = meet_in_plan(second, second->kind == WALL ? mirror_in_plan(second, image) : image, end);
    p1 = meet_in_plan(first, image, p2);
    double l1 = plan_m(source, p1), l2 = plan_m(p1, p2), l3 = plan_m(p2, end),
           rise = (to.z - in->source.z) / (l1 + l2 + l3);
    if (!(l2 > 1e-3) || free_space_db(l1 + l2 + l3) >= best_db)
        return INFINITY;
    rw_vec3 at[2] = {{p1.x, p1.y, in->source.z + rise * l1}, {p2.x, p2.y, to.z - rise * l3}}, bent[2];
    double angle_rad[2];
    if (!bends_path(in, first, in->source, at[1], &bent[0], &angle_rad[0]) ||
        !bends_path(in, second, at[0], to, &bent[1], &angle_rad[1]) ||
        rw_vec3_length(rw_vec3_sub(bent[0], at[0])) > 1e-6 || rw_vec3_length(rw_vec3_sub(bent[1], at[1])) > 1e-6)
        return INFINITY;
    double loss_db = free_space_db(hypot(l1 + l2 + l3, to.z - in->source.z)) +
                     rw_deflection_loss_db(in->losses[first->kind], angle_rad[0]) +
                     rw_deflection_loss_db(in->losses[second->kind], angle_rad[1]);
    return loss_db < best_db && sees(in, outside(second, at[1]), to) && sees(in, outside(first, at[0]), in->source) &&
                   sees(in, outside(first, at[0]), outside(second, at[1]))
               ? loss_db
               : INFINITY;
}

static double best_two(const town *in, const int limits[3], rw_vec3 to)
{
    double best_db = best_one(in, limits, to);
    for (size_t i = 0; i < in->count; i++)
        for (size_t j = 0; j < in->count; j++) {
            int counts[3] = {0};
            counts[in->bends[i].kind]++;
            counts[in->bends[j].kind]++;
            if (i != j && counts[WALL] <= limits[WALL] && counts[RIM] == 0 && counts[CORNER] <= limits[CORNER])
                best_db = fmin(best_db, two_bends_db(in, &in->bends[i], &in->bends[j], to, best_db));
        }
    return best_db;
}

static void open_town(town *in, rw_scene *scene, rw_context *context)
{
    double values[RW_CUBES_PARAMETERS];
    *in = (town){.context = context, .scene = scene};
    assert_ok(context, rw_scene_commit(scene));
    assert_ok(context, rw_cubes_parameter_defaults(context, FREQ_HZ, values));
    rw_cubes_costs costs = rw_cubes_costs_of(values);
    for (int kind = 0; kind < 3; kind++)
        in->losses[kind] = costs.deflections[kind];
    list_bends(in);
}

static void close_town(town *in)
{
    free(in->bends);
    rw_scene_destroy(in->scene);
    rw_context_destroy(in->context);
}

/* Own paths to points (local frame); cubes of res_m whose borders are shifted. */
static void search_cubes(const town *in, const int limits[3], int exact, double res_m, double shift_m, rw_vec3 *points,
                         size_t count, rw_cubes_answer *answers)
{
    rw_cubes_job job;
    double values[RW_CUBES_PARAMETERS];
    rw_vec2 low = in->scene->box_min, high = in->scene->box_max;
    double top_m = in->source.z;
    for (size_t i = 0; i < in->scene->parts.count; i++)
        top_m = fmax(top_m, in->scene->parts.items[i].top_m);
    rw_cube_frame frame = {low.x - res_m + shift_m,
                           low.y - res_m + 0.7 * shift_m,
                           -res_m + fmod(1.5 + 0.5 * res_m, res_m),
                           res_m,
                           0,
                           0,
                           0};
    frame.columns = (size_t)ceil((high.x - frame.x0_m) / res_m) + 1;
    frame.rows = (size_t)ceil((high.y - frame.y0_m) / res_m) + 1;
    frame.layers = (size_t)ceil((top_m - frame.z0_m) / res_m) + 2;
    rw_cubes_points receivers = {count, points};
    assert_ok(in->context, rw_cubes_job_create(in->scene, &frame, &receivers, limits, exact, RW_BACKEND_CPU, &job));
    assert_ok(in->context, rw_cubes_parameter_defaults(in->context, FREQ_HZ, values));
    rw_cubes_costs costs = rw_cubes_costs_of(values);
    assert_ok(in->context, rw_cubes_job_run(&job, in->source, FREQ_HZ, &costs));
    assert_ok(in->context, rw_cubes_job_read(&job, answers));
    rw_cubes_job_destroy(&job);
}

static double next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Receivers outdoors at 1.5 m, out of sight of the transmitter. */
static size_t choose_points(const town *in, uint64_t seed, double reach_m, rw_vec3 *points, size_t wanted)
{
    size_t count = 0;
    rw_vec2 low = in->scene->box_min, high = in->scene->box_max;
    while (count < wanted) {
        double x = in->source.x + reach_m * (2 * next_random(&seed) - 1);
        double y = in->source.y + reach_m * (2 * next_random(&seed) - 1);
        rw_vec3 at = rw_vec3_of(x, y, 1.5);
        if (x > low.x && x < high.x && y > low.y && y < high.y && !inside_solid(in, at) && !sees(in, in->source, at))
            points[count++] = at;
    }
    return count;
}

typedef struct tally {
    size_t reached, found, above;
} tally;

/* Receivers whose strongest path by one bend is found within 0.1 dB, and those with one stronger than the exact. */
static void count_found(const town *in, const int limits[3], int exact, double res_m, rw_vec3 *points, size_t count,
                        const double *exact_db, tally *all)
{
    rw_cubes_answer *answers = calloc(count, sizeof *answers);
    tally here = {0};
    search_cubes(in, limits, exact, res_m, 0.3, points, count, answers);
    for (size_t i = 0; i < count; i++) {
        double got_db = (double)answers[i].path_loss_db;
        here.reached += isfinite(exact_db[i]) != 0;
        here.found += isfinite(exact_db[i]) && fabs(got_db - exact_db[i]) <= 0.1;
        here.above += !(got_db >= exact_db[i] - 0.1);
    }
    printf("limits %d %d %d, exact %d, cubes of %g m: %zu of %zu reached, %zu found, %zu too strong\n", limits[0],
           limits[1], limits[2], exact, res_m, here.reached, count, here.found, here.above);
    all->reached += here.reached;
    all->found += here.found;
    all->above += here.above;
    free(answers);
}

/* A city with a mast of 13 m. */
static town city_of_seed(uint64_t seed, double size_m)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_city_options options;
    rw_scene *scene;
    town in;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = size_m;
    options.seed = seed;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    open_town(&in, scene, context);
    in.source = rw_vec3_of(0.5 * size_m - scene->origin.x, 0.5 * size_m - 5 - scene->origin.y, 13);
    return in;
}

enum { POINTS = 300, SHIFTED_PART = 100 };

/* By exact geometry at least 99 % at every size of cubes; the paper's, by cubes alone, finds fewer. */
static void one_bend_is_found(void **state)
{
    (void)state;
    static const int kinds[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    static const double sides_m[3] = {5, 2.5, 1};
    static rw_vec3 points[POINTS];
    static double exact_db[POINTS];
    tally by_exact[3] = {{0}}, by_cubes = {0};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        town in = city_of_seed(seed, 300);
        size_t count = choose_points(&in, 3, 150, points, POINTS);
        for (int kind = 0; kind < 3; kind++) {
            for (size_t i = 0; i < count; i++)
                exact_db[i] = best_one(&in, kinds[kind], points[i]);
            for (int side = 0; side < (kind == 0 && seed == 1 ? 3 : 2); side++)
                count_found(&in, kinds[kind], 1, sides_m[side], points, count, exact_db, &by_exact[side]);
            count_found(&in, kinds[kind], 0, 5, points, count, exact_db, &by_cubes);
        }
        close_town(&in);
    }
    for (int side = 0; side < 3; side++) {
        assert_true(by_exact[side].reached > 40);
        assert_true((double)by_exact[side].found >= 0.99 * (double)by_exact[side].reached);
        assert_int_equal(by_exact[side].above, 0);
    }
    assert_true((double)by_cubes.found < 0.99 * (double)by_cubes.reached);
}

/* Over two walls, two corners, or one of each: at least 97 %. */
static void two_bends_are_found(void **state)
{
    (void)state;
    static const int kinds[3][3] = {{2, 0, 0}, {0, 0, 2}, {1, 0, 1}};
    static rw_vec3 points[POINTS];
    static double exact_db[POINTS];
    tally all = {0};
    town in = city_of_seed(1, 160);
    size_t count = choose_points(&in, 7, 80, points, 100);
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < count; i++)
            exact_db[i] = best_two(&in, kinds[kind], points[i]);
        for (int side = 0; side < 2; side++)
            count_found(&in, kinds[kind], 1, side ? 2.5 : 5, points, count, exact_db, &all);
    }
    close_town(&in);
    assert_true(all.reached > 60);
    assert_true((double)all.found >= 0.97 * (double)all.reached);
    assert_int_equal(all.above, 0);
}

/* Where cubes begin must not matter. */
static void shifted_cubes_agree(void **state)
{
    (void)state;
    static const int limits[2][3] = {{1, 0, 1}, {1, 1, 1}};
    static rw_vec3 points[POINTS];
    rw_cubes_answer first[POINTS], second[POINTS];
    town in = city_of_seed(1, 300);
    size_t count = choose_points(&in, 5, 150, points, POINTS);
    for (int which = 0; which < 2; which++) {
        size_t moved = 0;
        search_cubes(&in, limits[which], 1, 5, 0, points, count, first);
        search_cubes(&in, limits[which], 1, 5, 1.7, points, count, second);
        for (size_t i = 0; i < count; i++) {
            double by_db = fabs((double)first[i].path_loss_db - (double)second[i].path_loss_db);
            moved += first[i].path_loss_db != second[i].path_loss_db && !(by_db <= 1);
        }
        printf("limits %d %d %d: %zu of %zu receivers change by over 1 dB\n", limits[which][0], limits[which][1],
               limits[which][2], moved, count);
        assert_true(moved <= count / SHIFTED_PART);
    }
    close_town(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_bend_is_found), cmocka_unit_test(two_bends_are_found),
                                       cmocka_unit_test(shifted_cubes_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
