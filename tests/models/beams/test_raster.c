/* The rasterisation pipeline: every pixel of a triangulated polygon exactly once, by both methods, whatever the blocks
 * and the grids of blocks; and what it puts into targets of one, two and three dimensions. */
#include "base/maths/hash.h"
#include "device/device.h"
#include "shapes.h"
#include "models/beams/raster/raster_segments.k.h"
#include "models/beams/raster/raster_triangles.k.h"

#define COLUMNS 97
#define ROWS 83
#define LAYERS 5
#define VERTICES 400
#define TRIANGLES 1200

static double vertices[3 * VERTICES];
static float vertex_values[2 * VERTICES], ones[VERTICES];
static uint32_t triangles[3 * TRIANGLES];
static size_t vertex_count, triangle_count;
static uint64_t pixels[LAYERS * ROWS * COLUMNS * 2], others[LAYERS * ROWS * COLUMNS * 2];

static void add_vertex(double x, double y, double z)
{
    vertices[3 * vertex_count] = x;
    vertices[3 * vertex_count + 1] = y;
    vertices[3 * vertex_count + 2] = z;
    vertex_values[2 * vertex_count] = ones[vertex_count] = 1;
    vertex_values[2 * vertex_count + 1] = (float)(0.25 * x - 0.5 * y + 3);
    vertex_count++;
}

static void add_triangle(size_t a, size_t b, size_t c)
{
    uint32_t *triangle = &triangles[3 * triangle_count++];
    triangle[0] = (uint32_t)a;
    triangle[1] = (uint32_t)b;
    triangle[2] = (uint32_t)c;
}

/* A net of triangles over the screen and beyond, its inner vertices shaken, but not so far that triangles fold over;
 * snap puts them on pixel centres and on the lines between, where rounding has to decide. */
static void make_net(uint64_t seed_of_net, double snap)
{
    rw_random random = rw_random_of(seed_of_net, 0);
    vertex_count = triangle_count = 0;
    for (int j = 0; j < 18; j++)
        for (int i = 0; i < 20; i++) {
            int inner = i > 0 && i < 19 && j > 0 && j < 17;
            double x = -4 + i * (COLUMNS + 8) / 19.0, y = -4 + j * (ROWS + 8) / 17.0;
            x += inner ? rw_random_range(&random, -0.8, 0.8) : 0;
            y += inner ? rw_random_range(&random, -0.8, 0.8) : 0;
            if (snap > 0 && inner) {
                x = snap * floor(x / snap + 0.5);
                y = snap * floor(y / snap + 0.5);
            }
            add_vertex(x, y, 0.5 + 0.01 * x);
        }
    for (size_t j = 0; j < 17; j++)
        for (size_t i = 0; i < 19; i++) {
            size_t a = j * 20 + i, b = a + 1, c = a + 20, d = a + 21;
            int other_way = rw_random_chance(&random, 0.5);
            add_triangle(a, b, other_way ? d : c); /* either diagonal, either sense */
            if (other_way)
                add_triangle(a, c, d);
            else
                add_triangle(d, b, c);
        }
}

static void draw(rw_backend backend, struct rw_raster_triangles_args *args, uint64_t *result)
{
    rw_raster_target *target = &args->target;
    size_t count = (size_t)target->layers * ROWS * COLUMNS * (size_t)target->value_count;
    rw_context *context = make_context_of(backend, 2);
    assert_non_null(context);
    memset(result, target->operation == RW_RASTER_MIN ? 0xff : 0, count * sizeof *result);
    rw_kernel_array columns[] = {{&args->vertices, vertices, sizeof vertices, 0, NULL},
                                 {&args->values, target->value_count == 2 ? vertex_values : ones,
                                  (size_t)target->value_count * sizeof ones, 0, NULL},
                                 {&args->triangles, triangles, sizeof triangles, 0, NULL}};
    uint64_t *placed;
    assert_ok(context, rw_kernel_arrays_upload(context, backend, columns, 3));
    assert_ok(context, rw_device_alloc(context, backend, count * sizeof *result, "pixels", &placed));
    assert_ok(context, rw_device_upload(context, backend, placed, result, count * sizeof *result));
    target->pixels = placed;
    assert_ok(context,
              rw_device_alloc(context, backend, 2 * triangle_count * sizeof *args->faces, "faces", &args->faces));
    struct rw_prepare_triangles_args prepare = {*args};
    size_t blocks = (size_t)(args->tiling.grid_columns * args->tiling.grid_rows);
    assert_ok(context, rw_device_launch(context, backend, RW_KERNEL_prepare_triangles, &prepare, triangle_count));
    assert_ok(context, rw_device_launch(context, backend, RW_KERNEL_raster_triangles, args,
                                        2 * triangle_count * blocks * rw_device_lanes(backend)));
    assert_ok(context, rw_device_download(context, backend, result, placed, count * sizeof *result));
    rw_device_free(backend, args->faces);
    rw_device_free(backend, placed);
    rw_kernel_arrays_release(backend, columns, 3);
    rw_context_destroy(context);
}

static struct rw_raster_triangles_args flat_args(rw_raster_method method, int wide, int high)
{
    struct rw_raster_triangles_args args = {
        .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        .near_w = 0.5,
        .target = {.grid = {0, 0, 1, COLUMNS, ROWS}, .layers = 1, .value_count = 1, .scale = 1024},
        .method = method,
        .tiling = {wide, high, 1, 1}};
    return args;
}

static void each_pixel_once(void **state)
{
    (void)state;
    static const rw_raster_tiling tilings[] = {{1, 1, 1, 1},  {2, 8, 8, 2}, {8, 2, 2, 4},  {4, 4, 4, 2},
                                               {16, 1, 1, 3}, {7, 5, 1, 1}, {64, 64, 2, 2}};
    for (uint64_t net = 1; net <= 40; net++) {
        make_net(net, net % 4 == 0 ? 0 : net % 4 == 1 ? 0.25 : net % 4 == 2 ? 0.5 : 1);
        struct rw_raster_triangles_args args = flat_args(RW_RASTER_SCANLINE, 1, 1);
        draw(RW_BACKEND_CPU, &args, pixels);
        for (size_t i = 0; i < ROWS * COLUMNS; i++)
            if (pixels[i] != 1024)
                fail_msg("net %d: pixel %zu is drawn %g times\n", (int)net, i, (double)pixels[i] / 1024);
        args.target.operation = RW_RASTER_REPLACE; /* which triangle has each pixel */
        draw(RW_BACKEND_CPU, &args, pixels);
        for (size_t i = 0; i < 2 * sizeof tilings / sizeof *tilings; i++) {
            args.method = i % 2 ? RW_RASTER_HALF_SPACE : RW_RASTER_SCANLINE;
            args.tiling = tilings[i / 2];
            draw(RW_BACKEND_CPU, &args, others);
            assert_memory_equal(pixels, others, ROWS * COLUMNS * sizeof *pixels);
        }
    }
}

/* A convex region between up to six lines that touch a circle, or miss it, about a place of the screen. */
static rw_region random_region(rw_random *random)
{
    rw_region region = {.border_count = 3 + (int)rw_random_index(random, RW_BORDERS_MAX - 2)};
    double x = rw_random_range(random, 0, COLUMNS), y = rw_random_range(random, 0, ROWS);
    double radius = pow(10, rw_random_range(random, -1, 1.7)), turn = rw_random_range(random, 0, 6.3);
    for (int i = 0; i < region.border_count; i++) { /* some steep, some nearly along the rows */
        double angle = turn + 6.2832 * i / region.border_count + rw_random_range(random, -0.5, 0.5);
        angle = rw_random_chance(random, 0.1) ? floor(angle / 1.5708) * 1.5708 + 1e-9 : angle;
        double away = radius * rw_random_range(random, 0.4, 1.2), right = rw_random_chance(random, 0.5) ? -1 : 1;
        region.borders[i] = rw_border_of(x + away * cos(angle), y + away * sin(angle), -right * sin(angle),
                                         right * cos(angle), right < 0);
    }
    region.west = region.south = -1e9;
    region.east = region.north = 1e9;
    return region;
}

/* The pixels of a region by a rasteriser, against asking every pixel. */
static void regions(void **state)
{
    (void)state;
    static const rw_pixel_grid grid = {0, 0, 1, COLUMNS, ROWS};
    static uint8_t drawn[ROWS * COLUMNS];
    rw_random random = rw_random_of(21, 0);
    size_t inside = 0;
    for (int i = 0; i < 20000; i++) {
        rw_raster_polygon polygon = {.region = random_region(&random)};
        const rw_raster_tiling tiling = {1 + (int)rw_random_index(&random, 9), 1 + (int)rw_random_index(&random, 9), 2,
                                         1};
        rw_raster_method method = i % 2 ? RW_RASTER_HALF_SPACE : RW_RASTER_SCANLINE;
        rw_raster_prepare(method, &grid, &polygon);
        memset(drawn, 0, sizeof drawn);
        for (int block = 0; block < 2; block++) {
            int column, row;
            rw_raster_walk walk = rw_raster_walk_begin(&polygon, &grid, method, &tiling, block);
            while (rw_raster_walk_next(&walk, &column, &row))
                drawn[row * COLUMNS + column]++;
        }
        for (int p = 0; p < ROWS * COLUMNS; p++) {
            int holds = rw_region_holds(&polygon.region, p % COLUMNS, p / COLUMNS);
            inside += (size_t)holds;
            if (drawn[p] != holds)
                fail_msg("region %d by method %d: pixel %d, %d is drawn %d times\n", i, (int)method, p % COLUMNS,
                         p / COLUMNS, drawn[p]);
        }
    }
    printf("%zu pixels\n", inside);
    assert_true(inside > 100000);
}

/* A view in perspective, with the near plane through the net: what is drawn is drawn once, and both methods agree. */
static void clipped(void **state)
{
    (void)state;
    make_net(7, 0);
    struct rw_raster_triangles_args args = flat_args(RW_RASTER_SCANLINE, 4, 4);
    const double view[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.004, 0.013, 0, -0.2};
    memcpy(args.transform, view, sizeof view);
    args.near_w = 0.1;
    draw(RW_BACKEND_CPU, &args, pixels);
    size_t drawn = 0;
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        double x = (double)(i % COLUMNS), y = (double)(i / COLUMNS); /* back to the net: solve for what comes here */
        double a = 1 - 0.004 * x, b = -0.013 * x, c = -0.004 * y, d = 1 - 0.013 * y, det = a * d - b * c;
        double px = (-0.2 * x * d + 0.2 * y * b) / det, py = (-0.2 * y * a + 0.2 * x * c) / det;
        double w = 0.004 * px + 0.013 * py - 0.2;
        int inside = px > -4 && py > -4 && px < COLUMNS + 4 && py < ROWS + 4 && w > 0.1;
        if (fabs(w - 0.1) < 1e-9 || fabs(px + 4) < 1e-6 || fabs(py + 4) < 1e-6)
            continue;
        assert_int_equal(pixels[i], inside ? 1024 : 0);
        drawn += inside;
    }
    assert_true(drawn > 500 && drawn < ROWS * COLUMNS);
    args.method = RW_RASTER_HALF_SPACE;
    draw(RW_BACKEND_CPU, &args, others);
    assert_memory_equal(pixels, others, ROWS * COLUMNS * sizeof *pixels);
}

/* Two values a pixel, and the third coordinate as the layer. */
static void three_dimensions(void **state)
{
    (void)state;
    make_net(3, 0);
    struct rw_raster_triangles_args args = flat_args(RW_RASTER_HALF_SPACE, 8, 4);
    args.target.layers = LAYERS;
    args.target.layer_first = 0.5;
    args.target.layer_width = 0.2;
    args.target.value_count = 2;
    draw(RW_BACKEND_CPU, &args, pixels);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            for (int layer = 0; layer < LAYERS; layer++) {
                const uint64_t *pixel = pixels + 2 * (((size_t)layer * ROWS + (size_t)row) * COLUMNS + (size_t)column);
                double position = (0.5 + 0.01 * column - 0.5) / 0.2;
                int expected = fabs(position - nearbyint(position)) < 1e-9 ? -1 : layer == (int)floor(position);
                if (expected < 0)
                    continue;
                assert_near(rw_raster_sum(&args.target, pixel[0]), expected, 0);
                assert_near(rw_raster_sum(&args.target, pixel[1]), expected ? 0.25 * column - 0.5 * row + 3 : 0, 1e-3);
            }
}

/* The nearest segment of each direction: the buffer against the exact sweep, and against trying them all. */
static void one_dimension(void **state)
{
    (void)state;
    enum { SEGMENTS = 60, DIRECTIONS = 4001 };
    static double segments[4 * SEGMENTS];
    static uint64_t buffer[DIRECTIONS];
    rw_fan fan = {.origin = {3, -2}, .right = {cos(-0.3), sin(-0.3)}, .left = {cos(0.4), sin(0.4)}};
    size_t runs = 0;
    for (uint64_t scene = 1; scene <= 20; scene++) {
        rw_random random = rw_random_of(scene, 1);
        rw_fan_wall walls[SEGMENTS];
        int count = 0;
        for (int i = 0; i < SEGMENTS; i++) {
            double x = rw_random_range(&random, 5, 60), y = rw_random_range(&random, -30, 30);
            double turn = rw_random_range(&random, 0, 6.3), length = rw_random_range(&random, 0.01, 6);
            double *segment = segments + 4 * i;
            segment[0] = x;
            segment[1] = y;
            segment[2] = x + length * cos(turn);
            segment[3] = y + length * sin(turn);
            rw_fan_wall made;
            if (!rw_fan_project(&fan, rw_vec2_of(x, y), rw_vec2_of(segment[2], segment[3]), &made))
                continue;
            made.wall = (uint32_t)i;
            made.solid = 1;
            walls[count++] = made;
        }
        struct rw_raster_segments_args args = {
            .fan = fan,
            .target = {.grid = {0.5 / DIRECTIONS, 0, 1.0 / DIRECTIONS, DIRECTIONS, 1},
                       .layers = 1,
                       .value_count = 1,
                       .operation = RW_RASTER_MIN}};
        memset(buffer, 0xff, sizeof buffer);
        args.segments = segments;
        args.target.pixels = buffer;
        for (size_t i = 0; i < SEGMENTS; i++)
            rw_raster_segments_item(&args, i);
        double u = 0;
        int column = 0;
        while (u < 1) {
            rw_fan_run run = rw_fan_next(walls, count, u);
            assert_true(run.u1 > u && run.u1 <= 1);
            for (; column < DIRECTIONS && rw_pixel_x(&args.target.grid, column) < run.u1; column++) {
                uint32_t expected = run.top < 0 ? 0xffffffffu : walls[run.top].wall;
                if (rw_raster_primitive(&args.target, buffer[column]) != expected)
                    fail_msg("scene %d: direction %d sees %u, expected %u\n", (int)scene, column,
                             rw_raster_primitive(&args.target, buffer[column]), expected);
            }
            u = run.u1;
            runs++;
        }
        assert_int_equal(column, DIRECTIONS);
    }
    printf("%zu runs\n", runs);
    assert_true(runs > 200);
}

static void same_on_gpu(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CUDA, 0);
    if (!context)
        skip_test("no GPU");
    rw_context_destroy(context);
    for (uint64_t net = 1; net <= 4; net++)
        for (int operation = RW_RASTER_ADD; operation <= RW_RASTER_REPLACE; operation++)
            for (int method = RW_RASTER_SCANLINE; method <= RW_RASTER_HALF_SPACE; method++) {
                make_net(net, net % 2 ? 0.5 : 0);
                struct rw_raster_triangles_args args = flat_args((rw_raster_method)method, 8, 4);
                args.target.operation = (rw_raster_operation)operation;
                args.target.value_count = 1;
                draw(RW_BACKEND_CPU, &args, pixels);
                draw(RW_BACKEND_CUDA, &args, others);
                assert_memory_equal(pixels, others, ROWS * COLUMNS * sizeof *pixels);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_pixel_once), cmocka_unit_test(regions),
                                       cmocka_unit_test(clipped),         cmocka_unit_test(three_dimensions),
                                       cmocka_unit_test(one_dimension),   cmocka_unit_test(same_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
