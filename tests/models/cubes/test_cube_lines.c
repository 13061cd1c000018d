/* Lines through cubes: against Bresenham's integer steps, how many reach everything, and what supercubes change. */
#include "models/cubes/sight/sight.h"

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
    rw_cube_line line = rw_cube_line_of(dx, dy, dz);
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
                rw_cube_line line = rw_cube_line_of(x, y, z);
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

/* Algorithm 2 of the cubes paper by whole numbers alone: twice the way to a cube's middle is odd on each axis, w. The
 * line enters the supercube at the largest of the shares 2 M |l| / |w|, and q is one cube's length before, w / |w| of a
 * cube on each axis: an irrational number, of which squares are compared. */
typedef struct oracle_line {
    int start[3]; /* q */
    int pass;     /* of Algorithm 1 */
    int first;    /* it starts at the transmitter */
} oracle_line;

static int floor_over(int value, int size)
{
    return (value - ((value % size) + size) % size) / size;
}

/* Whether a |w| >= b, given the square of |w|. */
static int reaches(long long a, __int128 square, __int128 b)
{
    if (a >= 0 && b <= 0)
        return 1;
    if (a <= 0 && b >= 0)
        return a == 0 && b == 0;
    __int128 left = (__int128)a * a * square, right = b * b;
    return a > 0 ? left >= right : left <= right;
}

static oracle_line oracle_start(const int to[3], int axes, int block)
{
    oracle_line line = {{0, 0, 0}, 0, 1};
    long long square = 0, over = 0, under = 1; /* M |l| / |w| of the axis that is entered last */
    for (int axis = 0; axis < axes; axis++) {
        long long w = 2LL * to[axis] + 1;
        int number = floor_over(to[axis], block), l = number < 0 ? -number - 1 : number;
        square += w * w;
        line.pass += l;
        line.first &= l == 0;
        if ((long long)block * l * under > over * llabs(w)) {
            over = (long long)block * l;
            under = llabs(w);
        }
    }
    for (int axis = 0; axis < axes && !line.first; axis++) {
        long long w = 2LL * to[axis] + 1, ahead = over * w; /* the border, times under */
        int n = (int)(ahead / under) + 2;
        while (!reaches(ahead - n * under, square, (__int128)w * under))
            n--;
        line.start[axis] = n;
    }
    return line;
}

/* Every start is that of the kernels, lies in an earlier pass, and at most M steps from its cube. */
static void starts_are_the_papers(void **state)
{
    (void)state;
    const int blocks[] = {1, 2, 3, 7, 16, 50};
    for (int b = 0; b < 6; b++)
        for (int trial = 0; trial < 20000; trial++) {
            int axes = 2 + trial % 2, start[3], number[3], numbers_before[3], far = trial % 5 ? 80 : 2000;
            int to[3] = {random_between(-far, far), random_between(-far, far), 0};
            to[2] = axes == 3 ? random_between(-far, far) : 0;
            oracle_line line = oracle_start(to, axes, blocks[b]);
            assert_int_equal(rw_supercube_start(to, axes, blocks[b], start), line.first);
            for (int axis = 0; axis < 3; axis++) {
                assert_int_equal(start[axis], line.start[axis]);
                assert_true(abs(to[axis] - start[axis]) <= blocks[b]);
                number[axis] = rw_supercube_number(to[axis], blocks[b]);
                numbers_before[axis] = rw_supercube_number(start[axis], blocks[b]);
            }
            assert_int_equal(rw_supercube_pass(number), line.pass);
            assert_true(line.pass == 0 || rw_supercube_pass(numbers_before) < line.pass);
        }
}

typedef enum sum_way { BY_RINGS, AT_ONCE, BY_DIAGONALS } sum_way;

/* Sums on a grid with its source anywhere, by the backend: ring by ring, by the ends of all rings, or by the paper's
 * diagonals. */
static void sum_on(rw_backend backend, int side, int x, int y, int block, sum_way way, rw_four *cells, rw_four *sums)
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
    if (way == AT_ONCE) {
        size_t room = rw_sum_ends_capacity(&grid, block) + 1;
        assert_ok(context, rw_device_alloc(context, backend, room * sizeof(rw_four), "ends", &device[3]));
        grid.ends = device[3];
    }
    assert_ok(context, (way == BY_DIAGONALS ? rw_sum_by_diagonals : rw_sum)(context, backend, &grid, block));
    assert_ok(context, rw_device_download(context, backend, sums, device[1], bytes));
    for (int i = 0; i < 4; i++)
        if (device[i])
            rw_device_free(backend, device[i]);
    free(table);
    rw_context_destroy(context);
}

/* Where the chain of a cell goes on and how many steps its line has from there; 0: at the source. */
static int chain_back(sum_way way, int block, const int to[3], int start[3])
{
    int longest = abs(to[0]) > abs(to[1]) ? abs(to[0]) : abs(to[1]);
    if (way == BY_DIAGONALS && block) {
        oracle_line line = oracle_start(to, 2, block);
        for (int axis = 0; axis < 3; axis++)
            start[axis] = line.start[axis];
        return !line.first;
    }
    int before = block ? longest / block * block - 1 : -1;
    for (int axis = 0; axis < 3; axis++)
        start[axis] = before >= 0 ? whole_step(to[axis], longest, before) : 0;
    return before >= 0;
}

/* Adds the cells of a chain, from its end inwards: of each line those after its start. */
static void add_chain(const rw_four *cells, int pitch, sum_way way, int block, const int end[3], double sum[4])
{
    int to[3] = {end[0], end[1], end[2]}, start[3], goes_on;
    do {
        goes_on = chain_back(way, block, to, start);
        int longest = abs(to[0]) > abs(to[1]) ? abs(to[0]) : abs(to[1]);
        const int *from = way == BY_DIAGONALS ? start : (const int[3]){0, 0, 0};
        int dx = to[0] - from[0], dy = to[1] - from[1], steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
        int first = way == BY_DIAGONALS ? goes_on : goes_on ? longest / block * block : 0;
        for (int step = first; step <= steps; step++) {
            rw_four one =
                cells[(from[1] + whole_step(dy, steps, step)) * pitch + from[0] + whole_step(dx, steps, step)];
            sum[0] += one.a;
            sum[1] += one.b;
            sum[2] += one.c;
            sum[3] += one.d;
        }
        for (int axis = 0; axis < 3; axis++)
            to[axis] = start[axis];
    } while (goes_on);
}

static void compare_sums(rw_backend backend, int side, int x, int y, int block, sum_way way)
{
    int pitch = side + 4;
    size_t count = (size_t)pitch * (size_t)side;
    rw_four *cells = aligned_alloc(16, count * sizeof *cells), *sums = aligned_alloc(16, count * sizeof *sums);
    for (size_t i = 0; i < count; i++)
        cells[i] = (rw_four){(float)(i % 7), (float)(i % 11), (float)(i % 13), 1};
    sum_on(backend, side, x, y, block, way, cells, sums);
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const int to[3] = {column - x, row - y, 0};
            double sum[4] = {0};
            add_chain(cells + y * pitch + x, pitch, way, block, to, sum);
            rw_four got = sums[row * pitch + column];
            assert_near(got.a, sum[0], 0);
            assert_near(got.b, sum[1], 0);
            assert_near(got.c, sum[2], 0);
            assert_near(got.d, sum[3], 0);
            if (way != BY_DIAGONALS)
                assert_near(got.d, 1 + (abs(to[0]) > abs(to[1]) ? abs(to[0]) : abs(to[1])), 0);
        }
    free(cells);
    free(sums);
}

static void compare_all_sums(rw_backend backend)
{
    for (int block = 0; block <= 9; block++)
        for (int way = BY_RINGS; way <= (block > 1 ? BY_DIAGONALS : BY_RINGS); way++)
            compare_sums(backend, 61, 30, 30, block, (sum_way)way);
    for (int way = BY_RINGS; way <= BY_DIAGONALS; way++) {
        compare_sums(backend, 64, 0, 0, 8, (sum_way)way);
        compare_sums(backend, 97, 13, 96, 16, (sum_way)way);
        compare_sums(backend, 33, 40 % 33, 5, 100, (sum_way)way);
        compare_sums(backend, 300, 150, 149, 32, (sum_way)way);
        compare_sums(backend, 301, 150, 150, 2, (sum_way)way);
        compare_sums(backend, 1, 0, 0, 4, (sum_way)way);
    }
    compare_sums(backend, 61, 30, 30, 1, BY_DIAGONALS);
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

/* How far the starts of lines are from the straight line to their end, across it, in cells. */
typedef struct stray {
    double worst, sum, count;
} stray;

static void add_stray(stray *all, double off)
{
    all->worst = fabs(off) > all->worst ? fabs(off) : all->worst;
    all->sum += fabs(off);
    all->count++;
}

/* Lines to all cells at distances n in one octant, from ring to ring or from supercube to supercube. */
static stray stray_of(sum_way way, int block)
{
    stray all = {0};
    for (int n = 255; n <= 256; n++)
        for (int across = 0; across <= n; across++) {
            int to[3] = {n, across, 0}, start[3];
            double half = way == BY_DIAGONALS ? 0.5 : 0; /* the paper's transmitter is on a corner */
            double slope = (across + half) / (n + half);
            while (chain_back(way, block, to, start)) {
                for (int axis = 0; axis < 3; axis++)
                    to[axis] = start[axis];
                add_stray(&all, to[1] + half - slope * (to[0] + half));
            }
        }
    return all;
}

/* docs/explanation/cubes.md */
static void supercubes_stray_little(void **state)
{
    (void)state;
    const int blocks[] = {1, 4, 8, 16, 32, 64, 128};
    stray of[2][7];
    for (int b = 0; b < 7; b++) {
        of[0][b] = stray_of(BY_DIAGONALS, blocks[b]);
        of[1][b] = stray_of(BY_RINGS, blocks[b]);
        printf("| %d | %.2f, %.2f | %.2f, %.2f |\n", blocks[b], of[0][b].worst, of[0][b].sum / of[0][b].count,
               of[1][b].worst, of[1][b].sum / of[1][b].count);
    }
    assert_true(of[1][0].worst > 20); /* blocks of one cell: rounding always goes the same way */
    assert_true(of[1][2].worst <= 4.5 && of[1][3].worst <= 2.5 && of[1][5].worst <= 1 && of[1][6].worst <= 0.5);
    assert_true(of[0][6].worst <= 1.6);
}

/* What a cube of a city sees. */
typedef struct city_cubes {
    rw_context *context;
    rw_backend backend;
    rw_scene *scene;
    rw_cubes cubes;
    rw_device_cubes placed;
    uint8_t *seen; /* of the backend */
    int source[3];
} city_cubes;

enum { CITY_SIDE = 100, CITY_LAYERS = 24, CITY_CUBES = CITY_SIDE * CITY_SIDE * CITY_LAYERS };

static city_cubes open_city(rw_backend backend)
{
    city_cubes city = {.context = context_of(backend), .backend = backend, .source = {48, 53, 12}};
    assert_non_null(city.context);
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 500;
    options.hills = 1;
    assert_ok(city.context, rw_generate_city(city.context, &options, &city.scene));
    assert_ok(city.context, rw_scene_commit(city.scene));
    rw_cube_frame frame = {city.scene->box_min.x, city.scene->box_min.y, -5, 5, CITY_SIDE, CITY_SIDE, CITY_LAYERS};
    assert_ok(city.context, rw_cubes_create(city.scene, &frame, &city.cubes));
    assert_ok(city.context, rw_cubes_upload(city.context, backend, &city.cubes, &city.placed));
    assert_ok(city.context, rw_device_alloc(city.context, backend, CITY_CUBES, "answers", &city.seen));
    return city;
}

static void close_city(city_cubes *city)
{
    rw_device_free(city->backend, city->seen);
    rw_cubes_release(city->backend, &city->placed);
    rw_cubes_destroy(&city->cubes);
    rw_scene_destroy(city->scene);
    rw_context_destroy(city->context);
}

static void see(const city_cubes *city, rw_sight_method method, int block, uint8_t *answers)
{
    const float source[3] = {(float)city->source[0] + 0.5f, (float)city->source[1] + 0.5f,
                             (float)city->source[2] + 0.5f};
    assert_ok(city->context, rw_cube_visibility(city->context, city->backend, &city->placed.view, source,
                                                (rw_sight_line){method, block}, city->seen));
    assert_ok(city->context, rw_device_download(city->context, city->backend, answers, city->seen, CITY_CUBES));
}

static int is_filled(const city_cubes *city, int dx, int dy, int dz)
{
    int i = city->source[0] + dx, j = city->source[1] + dy, k = city->source[2] + dz;
    return (int)rw_cube_bit(city->cubes.filled, rw_cube_word(&city->cubes.view, i, j, k), i);
}

static void way_to(const city_cubes *city, size_t item, int to[3])
{
    to[0] = (int)(item % CITY_SIDE) - city->source[0];
    to[1] = (int)(item / CITY_SIDE % CITY_SIDE) - city->source[1];
    to[2] = (int)(item / (CITY_SIDE * CITY_SIDE)) - city->source[2];
}

/* Whether no cube at steps first to the one before the end is filled. */
static int clear_between(const city_cubes *city, const int from[3], const int to[3], int first)
{
    int d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, steps = 0;
    for (int axis = 0; axis < 3; axis++)
        steps = abs(d[axis]) > steps ? abs(d[axis]) : steps;
    for (int step = first; step < steps; step++)
        if (is_filled(city, from[0] + whole_step(d[0], steps, step), from[1] + whole_step(d[1], steps, step),
                      from[2] + whole_step(d[2], steps, step)))
            return 0;
    return 1;
}

/* The paper's algorithm by its oracle, from the cube inwards. */
static int papers_answer(const city_cubes *city, const int end[3], int block)
{
    int to[3] = {end[0], end[1], end[2]};
    for (;;) {
        oracle_line line = oracle_start(to, 3, block);
        int at_source = !line.start[0] && !line.start[1] && !line.start[2];
        if (!clear_between(city, line.start, to, at_source))
            return 0;
        if (at_source)
            return 1;
        for (int axis = 0; axis < 3; axis++)
            to[axis] = line.start[axis];
    }
}

/* Line by line against whole numbers, the paper's supercubes against their oracle, and how much both of the ways by
 * blocks differ from whole lines: nothing where one block is the whole grid. */
static void compare_seen(rw_backend backend)
{
    city_cubes city = open_city(backend);
    uint8_t *exact = malloc(CITY_CUBES), *fast = malloc(CITY_CUBES);
    size_t visible = 0;
    see(&city, RW_SIGHT_CUBES, 0, exact);
    for (size_t item = 0; item < CITY_CUBES; item++) {
        int to[3];
        way_to(&city, item, to);
        assert_int_equal(exact[item], clear_between(&city, (const int[3]){0, 0, 0}, to, 1));
        visible += exact[item];
    }
    assert_true(visible > CITY_CUBES / 20 && visible < CITY_CUBES - CITY_CUBES / 20);
    for (int method = RW_SIGHT_SUPERCUBES; method <= RW_SIGHT_RINGS; method++)
        for (int block = 1; block <= 128; block = block == 3 ? 8 : block < 3 ? block + 1 : block * 4) {
            size_t different = 0;
            memset(fast, 2, CITY_CUBES);
            see(&city, (rw_sight_method)method, block, fast);
            for (size_t i = 0; i < CITY_CUBES; i++) {
                int to[3];
                way_to(&city, i, to);
                different += fast[i] != exact[i];
                if (method == RW_SIGHT_SUPERCUBES && i % 3 == 0)
                    assert_int_equal(fast[i], papers_answer(&city, to, block));
            }
            printf("%s of %d: %.2f %% of the cubes differ\n", method == RW_SIGHT_RINGS ? "rings" : "supercubes", block,
                   100.0 * (double)different / CITY_CUBES);
            assert_true(block < 8 || (double)different < 0.03 * CITY_CUBES);
            assert_true(block < 100 || different == 0);
        }
    free(exact);
    free(fast);
    close_city(&city);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_bresenhams),  cmocka_unit_test(no_source_is_missed),
        cmocka_unit_test(starts_are_the_papers), cmocka_unit_test(sums_on_cpu),
        cmocka_unit_test(sums_on_gpu),           cmocka_unit_test(supercubes_stray_little),
        cmocka_unit_test(seen_on_cpu),           cmocka_unit_test(seen_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
