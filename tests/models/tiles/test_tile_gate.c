/* Gates against the paths themselves: what a gate calls reached is what rw_tile_reaches finds, what it stops is never
 * reached, and blocks are passed over only where none of their points pass. */
#include "base/maths/hash.h"
#include "models/tiles/tile_gate.k.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 4000, POINTS = 40 };

typedef struct chain {
    rw_tile tiles[2];
    rw_tile_edge edges[2];
    rw_tile_scene scene;
    rw_tile_images images;
    uint32_t last;
} chain;

static double between(rw_random *random, double low, double high)
{
    return low + (high - low) * rw_random_unit(random);
}

static rw_vec3 somewhere(rw_random *random, double half_m)
{
    double x = between(random, -half_m, half_m), y = between(random, -half_m, half_m);
    return rw_vec3_of(x, y, between(random, 0, 0.5 * half_m));
}

static rw_tile random_tile(rw_random *random)
{
    double turn = between(random, 0, 6.28), half_u = between(random, 1, 8), half_v = between(random, 1, 8);
    rw_tile tile = {.centre = somewhere(random, 60), .normal = {cos(turn), sin(turn), 0}};
    tile.half_u[0] = (float)(-sin(turn) * half_u);
    tile.half_u[1] = (float)(cos(turn) * half_u);
    tile.half_v[2] = (float)half_v;
    return tile;
}

/* Corners of buildings and of roofs. */
static rw_tile_edge random_edge(rw_random *random)
{
    double turn = between(random, 0, 6.28), length_m = between(random, 2, 15);
    rw_tile_edge edge = {.from = somewhere(random, 60), .exterior_rad = 1.5 * RW_PI};
    rw_vec3 wall = rw_vec3_of(cos(turn), sin(turn), 0), beside = rw_vec3_of(-sin(turn), cos(turn), 0);
    rw_vec3 up = rw_vec3_of(0, 0, 1);
    int roof = rw_random_unit(random) < 0.5;
    edge.to = rw_vec3_add(edge.from, rw_vec3_scale(roof ? beside : up, length_m));
    edge.normals[0] = wall;
    edge.normals[1] = roof ? up : beside;
    return edge;
}

/* Bends before the last step, then the last step, an edge or a tile. */
static void make_chain(rw_random *random, int bends, int last_bends, chain *made)
{
    memset(made, 0, sizeof *made);
    for (int i = 0; i < 2; i++) {
        made->tiles[i] = random_tile(random);
        made->edges[i] = random_edge(random);
    }
    made->scene.tiles.tiles = made->tiles;
    made->scene.tiles.edges = made->edges;
    made->scene.source = somewhere(random, 80);
    rw_tile_ray ray = {.count = 0};
    for (int i = 0; i < bends - last_bends; i++)
        ray.steps[ray.count++] = RW_TILE_STEP(i, 1);
    if (rw_random_unit(random) < 0.5)
        ray.steps[ray.count++] = RW_TILE_STEP(0, 0);
    made->last = last_bends ? RW_TILE_STEP(bends - 1, 1) : RW_TILE_STEP(1, 0);
    ray.steps[ray.count++] = made->last;
    made->images = rw_tile_images_of(&made->scene, &ray);
}

/* Points behind the last step as well as anywhere. */
static rw_vec3 random_target(rw_random *random, const chain *at)
{
    if (rw_random_unit(random) < 0.5)
        return somewhere(random, 90);
    uint32_t index = RW_TILE_STEP_INDEX(at->last);
    rw_vec3 middle = RW_TILE_STEP_BENDS(at->last) ? at->edges[index].from : at->tiles[index].centre;
    rw_vec3 from = at->images.bends ? at->images.edges[at->images.bends - 1].from : at->images.source;
    rw_vec3 on = rw_vec3_add(middle, somewhere(random, 6));
    return rw_vec3_add(on, rw_vec3_scale(rw_vec3_sub(on, from), between(random, 0, 2)));
}

/* Within rounding of a decision: a small shift changes it. */
static int undecided(const chain *at, rw_vec3 point, int reached)
{
    static const double steps_m[] = {1e-7, -1e-7};
    for (int i = 0; i < 6; i++) {
        rw_vec3 moved = point;
        *(i % 3 == 0 ? &moved.x : i % 3 == 1 ? &moved.y : &moved.z) += steps_m[i / 3];
        if (rw_tile_reaches(&at->scene, &at->images, at->last, moved) != reached)
            return 1;
    }
    return 0;
}

static int check_point(const chain *at, const rw_tile_gate *gate, rw_vec3 point)
{
    int reached = rw_tile_reaches(&at->scene, &at->images, at->last, point), passes = rw_gate_passes(gate, point);
    if (passes != reached && (gate->exact || reached) && !undecided(at, point, reached))
        fail_msg("bends %d, last %u: reached %d, passes %d", at->images.bends, at->last, reached, passes);
    rw_tile_block boxes[] = {
        {.low = {point.x - 1, point.y - 3, point.z}, .high = {point.x + 2, point.y, point.z + 5}},
        {.low = {point.x, point.y, point.z - 5}, .high = {point.x + 3, point.y + 15, point.z}},
        {.low = {point.x - 9, point.y - 1, point.z - 1}, .high = {point.x, point.y + 1, point.z + 1}}};
    for (int i = 0; i < 3; i++)
        if (passes && !rw_gate_meets(gate, &boxes[i], 0.0))
            fail_msg("bends %d, last %u: a block with a point that passes is passed over", at->images.bends, at->last);
    return reached;
}

static void check_kind(int bends, int last_bends)
{
    rw_random random = rw_random_of(17, (uint64_t)(bends * 2 + last_bends));
    int reached = 0, stopped = 0, passed_over = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        chain at;
        rw_tile_gate gate = {.kind = RW_GATE_OPEN};
        make_chain(&random, bends, last_bends, &at);
        rw_gate_init(&at.scene, &at.images, at.last, &gate);
        for (int i = 0; i < POINTS; i++) {
            rw_vec3 point = random_target(&random, &at);
            reached += check_point(&at, &gate, point);
            stopped += !rw_gate_passes(&gate, point);
            rw_tile_block box = {.low = {point.x, point.y, point.z}, .high = {point.x + 5, point.y + 5, point.z + 5}};
            passed_over += !rw_gate_meets(&gate, &box, 0.0);
        }
    }
    assert_true(reached > TRIALS / 20);
    assert_true(stopped > TRIALS * POINTS / 4);
    assert_true(passed_over > TRIALS * POINTS / 8);
}

static void test_mirrors(void **state)
{
    (void)state;
    check_kind(0, 0);
}

static void test_edges(void **state)
{
    (void)state;
    check_kind(1, 1);
}

static void test_mirrors_behind_edges(void **state)
{
    (void)state;
    check_kind(1, 0);
    check_kind(2, 0);
}

static void test_edges_behind_edges(void **state)
{
    (void)state;
    check_kind(2, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mirrors), cmocka_unit_test(test_edges),
                                       cmocka_unit_test(test_mirrors_behind_edges),
                                       cmocka_unit_test(test_edges_behind_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
