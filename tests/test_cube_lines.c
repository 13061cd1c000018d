/* Lines through cubes: against Bresenham's integer steps, how many reach everything, and what supercubes change. */
#include "models/cubes/sight/supercubes.h"

#include "shapes.h"

#include "discretise/cubes/cubes.h"

static rw_context *context_of(rw_backend backend)
{
    return make_context_of(backend, 1);
}

static int has_gpu(void)
{
    rw_context *context = context_of(RW_BACKEND_CUDA);
    rw_context_destroy(context);
    return context != NULL;
}

static int random_between(int low, int high)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (int)((seed >> 33) % (uint64_t)(high - low));
}

/* Where a line is after a step, by whole numbers alone: halves away from zero. */
static int whole_step(int way, int steps, int step)
{
    long long size = llabs((long long)way), at = steps ? (2 * size * step + steps) / (2LL * steps) : 0;
    return (int)(way < 0 ? -at : at);
}

static void compare_line(int dx, int dy, int dz, int stride)
{
    const int d[3] = {dx, dy, dz};
    rw_cube_line line = rw_cube_line_make(dx, dy, dz);
    int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    steps = abs(dz) > steps ? abs(dz) : steps;
    assert_int_equal(line.steps, steps);
    for (int step = 0; step <= steps; step += stride)
        for (int axis = 0; axis < 3; axis++)
            assert_int_equal(rw_cube_line_at(&line, axis, step), whole_step(d[axis], steps, step));
    for (int axis = 0; axis < 3; axis++)
        assert_int_equal(rw_cube_line_at(&line, axis, steps), d[axis]);
}

static void lines_are_bresenhams(void **state)
{
    (void)state;
    for (int dx = -9; dx <= 9; dx++)
        for (int dy = -9; dy <= 9; dy++)
            for (int dz = -9; dz <= 9; dz++)
                compare_line(dx, dy, dz, 1);
    for (int i = 0; i < 2000; i++)
        compare_line(random_between(-16384, 16384), random_between(-16384, 16384), random_between(-500, 500), 7);
}

/* Lines to the surface of a box reach every cube in it; every second one would not do. */
static size_t missed(int n, int layers, int spacing)
{
    int side = 2 * n + 1, high = 2 * layers + 1;
    uint8_t *hit = calloc((size_t)side * (size_t)side, (size_t)high);
    size_t count = 0;
    for (int x = -n; x <= n; x += 1)
        for (int y = -n; y <= n; y += 1)
            for (int z = -n; z <= n; z += 1) {
                int longest = (abs(x) == n) + (abs(y) == n) + (abs(z) == n);
                if (!longest || (longest == 1 && (x + 2 * y + 3 * z + 100 * spacing) % spacing))
                    continue;
                rw_cube_line line = rw_cube_line_make(x, y, z);
                for (int step = 0; step <= line.steps; step++) {
                    int at[3];
                    for (int axis = 0; axis < 3; axis++)
                        at[axis] = rw_cube_line_at(&line, axis, step);
                    if (abs(at[2]) > layers)
                        break;
                    hit[((at[2] + layers) * side + at[1] + n) * side + at[0] + n] = 1;
                }
            }
    for (size_t i = 0; i < (size_t)side * (size_t)side * (size_t)high; i++)
        count += !hit[i];
    free(hit);
    return count;
}

static void no_source_is_missed(void **state)
{
    (void)state;
    for (int n = 1; n <= 20; n++)
        assert_int_equal(missed(n, n, 1), 0);
    assert_int_equal(missed(60, 3, 1), 0);
    assert_true(missed(20, 20, 2) > 0);
}

/* Sums on a grid with its source anywhere, by the backend; at_once: by the ends of all rings rather than ring by ring.
 */
static void sum_on(rw_backend backend, int side, int x, int y, int block, int at_once, rw_four *cells, rw_four *sums)
{
    rw_context *context = context_of(backend);
    assert_non_null(context);
    int pitch = side + 4;
    size_t bytes = (size_t)pitch * (size_t)side * sizeof(rw_four), entries = (size_t)side + 1;
    uint64_t *table = calloc(entries, sizeof *table);
    for (size_t i = 1; i < entries; i++)
        table[i] = rw_sum_per_step((int)i);
    void *device[4] = {NULL};
    assert_ok(context, rw_device_alloc(context, backend, bytes, "cells", &device[0]));
    assert_ok(context, rw_device_alloc(context, backend, bytes, "sums", &device[1]));
    assert_ok(context, rw_device_alloc(context, backend, entries * sizeof *table, "table", &device[2]));
    assert_ok(context, rw_device_upload(context, backend, device[0], cells, bytes));
    assert_ok(context, rw_device_upload(context, backend, device[2], table, entries * sizeof *table));
    rw_sum_grid grid = {side, pitch, x, y, device[2], device[0], device[1], 1, NULL};
    if (at_once) {
        size_t room = rw_sum_ends_room(&grid, block) + 1;
        assert_ok(context, rw_device_alloc(context, backend, room * sizeof(rw_four), "ends", &device[3]));
        grid.ends = device[3];
    }
    assert_ok(context, rw_sum(context, backend, &grid, block));
    assert_ok(context, rw_device_download(context, backend, sums, device[1], bytes));
    for (int i = 0; i < 3 + at_once; i++)
        rw_device_free(backend, device[i]);
    free(table);
    rw_context_destroy(context);
}

static void compare_sums(rw_backend backend, int side, int x, int y, int block, int at_once)
{
    int pitch = side + 4;
    size_t count = (size_t)pitch * (size_t)side;
    rw_four *cells = aligned_alloc(16, count * sizeof *cells), *sums = aligned_alloc(16, count * sizeof *sums);
    for (size_t i = 0; i < count; i++)
        cells[i] = (rw_four){(float)(i % 7), (float)(i % 11), (float)(i % 13), 1};
    sum_on(backend, side, x, y, block, at_once, cells, sums);
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            int dx = column - x, dy = row - y, steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
            double sum[4] = {0};
            for (int tx = dx, ty = dy, n = steps, step = steps;;) { /* outwards in, ring by ring */
                int start = block ? n / block * block : 0;
                for (; step >= start; step--) {
                    size_t cell = (size_t)((y + whole_step(ty, n, step)) * pitch + x + whole_step(tx, n, step));
                    sum[0] += cells[cell].a;
                    sum[1] += cells[cell].b;
                    sum[2] += cells[cell].c;
                    sum[3] += cells[cell].d;
                }
                if (start == 0)
                    break;
                int next_x = whole_step(tx, n, start - 1), next_y = whole_step(ty, n, start - 1);
                tx = next_x;
                ty = next_y;
                n = step = start - 1;
            }
            rw_four got = sums[row * pitch + column];
            assert_near(got.a, sum[0], 0);
            assert_near(got.b, sum[1], 0);
            assert_near(got.c, sum[2], 0);
            assert_near(got.d, steps + 1, 0);
        }
    free(cells);
    free(sums);
}

static void compare_all_sums(rw_backend backend)
{
    for (int block = 0; block <= 9; block++)
        for (int at_once = 0; at_once <= (block > 1); at_once++)
            compare_sums(backend, 61, 30, 30, block, at_once);
    for (int at_once = 0; at_once < 2; at_once++) {
        compare_sums(backend, 64, 0, 0, 8, at_once);
        compare_sums(backend, 97, 13, 96, 16, at_once);
        compare_sums(backend, 33, 40 % 33, 5, 100, at_once);
        compare_sums(backend, 300, 150, 149, 32, at_once);
        compare_sums(backend, 301, 150, 150, 2, at_once);
        compare_sums(backend, 1, 0, 0, 4, at_once);
    }
}

static void sums_on_cpu(void **state)
{
    (void)state;
    compare_all_sums(RW_BACKEND_CPU);
}

static void sums_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    compare_all_sums(RW_BACKEND_CUDA);
}

/* How far lines that go on from ring to ring stray from the straight one, in cells across it:
 * docs/explanation/cubes.md. */
static void supercubes_stray_little(void **state)
{
    (void)state;
    const int blocks[] = {1, 4, 8, 16, 32, 64, 128};
    double worst_of[7];
    for (int b = 0; b < 7; b++) {
        int block = blocks[b];
        double worst = 0, sum = 0, count = 0;
        for (int n = 255; n <= 256; n++)
            for (int way = 0; way <= n; way++) {
                double slope = (double)way / n;
                for (int tn = n, t = way; tn >= block;) {
                    int start = tn / block * block - 1;
                    t = start > 0 ? whole_step(t, tn, start) : 0;
                    tn = start;
                    double off = fabs(t - slope * tn);
                    worst = off > worst ? off : worst;
                    sum += off;
                    count++;
                }
            }
        printf("blocks of %d: up to %.2f cells, %.2f on average\n", block, worst, count ? sum / count : 0);
        worst_of[b] = worst;
    }
    assert_true(worst_of[0] > 20); /* blocks of one cell: rounding always goes the same way */
    assert_true(worst_of[2] <= 4.5 && worst_of[3] <= 2.5 && worst_of[5] <= 1 && worst_of[6] <= 0.5);
}

/* What a cube of a city sees: line by line against whole numbers, supercubes against line by line. */
static void compare_seen(rw_backend backend)
{
    rw_context *context = context_of(backend);
    assert_non_null(context);
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 500;
    options.hills = 1;
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    rw_cube_frame frame = {scene->box_min.x, scene->box_min.y, -5, 5, 100, 100, 24};
    rw_cubes cubes;
    rw_placed_cubes placed;
    assert_ok(context, rw_cubes_create(scene, &frame, &cubes));
    assert_ok(context, rw_cubes_put(context, backend, &cubes, &placed));
    size_t count = 100 * 100 * 24;
    uint8_t *seen, *exact = malloc(count), *fast = malloc(count);
    assert_ok(context, rw_device_alloc(context, backend, count, "answers", &seen));
    const int source[3] = {48, 53, 12};
    assert_ok(context, rw_cube_visibility(context, backend, &placed.view, source, 0, seen));
    assert_ok(context, rw_device_download(context, backend, exact, seen, count));
    size_t visible = 0;
    for (size_t item = 0; item < count; item++) {
        int d[3] = {(int)(item % 100) - source[0], (int)(item / 100 % 100) - source[1],
                    (int)(item / 10000) - source[2]};
        int steps = abs(d[0]) > abs(d[1]) ? abs(d[0]) : abs(d[1]), clear = 1;
        steps = abs(d[2]) > steps ? abs(d[2]) : steps;
        for (int step = 1; step < steps; step++) {
            int i = source[0] + whole_step(d[0], steps, step), j = source[1] + whole_step(d[1], steps, step);
            int k = source[2] + whole_step(d[2], steps, step);
            clear &= !rw_cube_bit(cubes.filled, rw_cube_word(&cubes.view, i, j, k), i);
        }
        assert_int_equal(exact[item], clear);
        visible += (size_t)clear;
    }
    assert_true(visible > count / 20 && visible < count - count / 20);
    for (int block = 1; block <= 128; block = block == 3 ? 8 : block < 3 ? block + 1 : block * 4) {
        assert_ok(context, rw_cube_visibility(context, backend, &placed.view, source, block, seen));
        assert_ok(context, rw_device_download(context, backend, fast, seen, count));
        size_t different = 0;
        for (size_t i = 0; i < count; i++)
            different += fast[i] != exact[i];
        printf("blocks of %d: %.2f %% of the cubes differ\n", block, 100.0 * (double)different / (double)count);
        assert_true(block < 8 || (double)different < 0.03 * (double)count);
        assert_true(block < 100 || different == 0);
    }
    rw_device_free(backend, seen);
    free(exact);
    free(fast);
    rw_cubes_remove(backend, &placed);
    rw_cubes_destroy(&cubes);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void seen_on_cpu(void **state)
{
    (void)state;
    compare_seen(RW_BACKEND_CPU);
}

static void seen_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    compare_seen(RW_BACKEND_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_bresenhams),
                                       cmocka_unit_test(no_source_is_missed),
                                       cmocka_unit_test(sums_on_cpu),
                                       cmocka_unit_test(sums_on_gpu),
                                       cmocka_unit_test(supercubes_stray_little),
                                       cmocka_unit_test(seen_on_cpu),
                                       cmocka_unit_test(seen_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
