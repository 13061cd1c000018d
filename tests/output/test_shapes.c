/* labels: files */
/* Triangles and lines in perspective: positions against the pinhole equation, hidden ones, clipping, and bad calls. */
#include <rasterwave/rasterwave.h>

#include "temporary.h"
#include "unit.h"

#include <string.h>

enum { WIDTH = 80, HEIGHT = 60 };

static const unsigned char red[3] = {200, 0, 0}, green[3] = {0, 180, 0}, white[3] = {255, 255, 255};

typedef struct shapes_fixture {
    rw_context *context;
    rw_shapes shapes;
    unsigned char rgb[3 * WIDTH * HEIGHT];
} shapes_fixture;

static shapes_fixture *open_shapes(void)
{
    static shapes_fixture fixture;
    assert_int_equal(rw_context_create(NULL, &fixture.context), RW_OK);
    rw_shapes_init(&fixture.shapes);
    fixture.shapes.width_px = WIDTH;
    fixture.shapes.height_px = HEIGHT;
    fixture.shapes.view_angle_deg = 90; /* half a width is as far to the right as ahead */
    return &fixture;
}

static const unsigned char *pixel_at(const shapes_fixture *fixture, int x, int y)
{
    return fixture->rgb + 3 * (WIDTH * y + x);
}

static void assert_colour(const shapes_fixture *fixture, int x, int y, const unsigned char colour[3])
{
    assert_memory_equal(pixel_at(fixture, x, y), colour, 3);
}

/* A square of two triangles across x = distance, from -half to half. */
static void square_at(double vertices[12], double distance, double half)
{
    const double square[12] = {distance, -half, -half, distance, half,  -half,
                               distance, half,  half,  distance, -half, half};
    memcpy(vertices, square, sizeof square);
}

static const uint32_t square_triangles[6] = {0, 1, 2, 0, 2, 3};

static void squares_are_as_large_as_in_a_pinhole(void **state)
{
    (void)state;
    shapes_fixture *fixture = open_shapes();
    double vertices[12];
    const unsigned char colours[6] = {200, 0, 0, 200, 0, 0};
    for (double distance = 2; distance < 9; distance *= 2) {
        square_at(vertices, distance, 1);
        fixture->shapes.vertices_m = vertices;
        fixture->shapes.vertex_count = 4;
        fixture->shapes.triangles = square_triangles;
        fixture->shapes.triangle_rgb = colours;
        fixture->shapes.triangle_count = 2;
        assert_int_equal(rw_shapes_draw(fixture->context, &fixture->shapes, fixture->rgb, NULL), RW_OK);
        int half_px = (int)(0.5 * WIDTH / distance); /* 40 pixels for 45 degrees */
        assert_colour(fixture, WIDTH / 2 + half_px - 1, HEIGHT / 2, red);
        assert_colour(fixture, WIDTH / 2 + half_px, HEIGHT / 2, white);
        assert_colour(fixture, WIDTH / 2 - half_px, HEIGHT / 2 - half_px, red);
        assert_colour(fixture, WIDTH / 2, HEIGHT / 2 + half_px, white);
    }
    rw_context_destroy(fixture->context);
}

static void nearer_shapes_hide_farther_ones(void **state)
{
    (void)state;
    shapes_fixture *fixture = open_shapes();
    double vertices[24];
    const uint32_t triangles[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    const unsigned char colours[12] = {200, 0, 0, 200, 0, 0, 0, 180, 0, 0, 180, 0};
    /* a line from behind the eye, above it, to between the squares */
    const double line[6] = {-1, 0, 0.5, 3, 0, 0.5};
    const unsigned char black[3] = {0, 0, 0};
    square_at(vertices, 2, 0.5);
    square_at(vertices + 12, 4, 3);
    fixture->shapes.vertices_m = vertices;
    fixture->shapes.vertex_count = 8;
    fixture->shapes.triangles = triangles;
    fixture->shapes.triangle_rgb = colours;
    fixture->shapes.triangle_count = 4;
    fixture->shapes.lines_m = line;
    fixture->shapes.line_rgb = black;
    fixture->shapes.line_count = 1;
    assert_int_equal(rw_shapes_draw(fixture->context, &fixture->shapes, fixture->rgb, NULL), RW_OK);
    assert_colour(fixture, 40, 30, red);
    assert_colour(fixture, 60, 30, green);
    assert_colour(fixture, 40, 15, black); /* 0.5 m up where x is 1.3 m */
    assert_colour(fixture, 40, 27, red);   /* the line's end is hidden */
    /* without what is nearer than 3 m the line ends at the far square */
    fixture->shapes.clip_normal[0] = 1;
    fixture->shapes.clip_m = -3;
    assert_int_equal(rw_shapes_draw(fixture->context, &fixture->shapes, fixture->rgb, NULL), RW_OK);
    assert_colour(fixture, 40, 30, green);
    assert_colour(fixture, 40, 15, green);
    rw_context_destroy(fixture->context);
}

static void light_only_darkens(void **state)
{
    (void)state;
    shapes_fixture *fixture = open_shapes();
    double vertices[12];
    const unsigned char colours[6] = {200, 0, 0, 200, 0, 0};
    square_at(vertices, 2, 1);
    fixture->shapes.vertices_m = vertices;
    fixture->shapes.vertex_count = 4;
    fixture->shapes.triangles = square_triangles;
    fixture->shapes.triangle_rgb = colours;
    fixture->shapes.triangle_count = fixture->shapes.shaded_count = 2;
    assert_int_equal(rw_shapes_draw(fixture->context, &fixture->shapes, fixture->rgb, NULL), RW_OK);
    assert_true(pixel_at(fixture, 40, 30)[0] > 100 && pixel_at(fixture, 40, 30)[0] < 200);
    assert_int_equal(pixel_at(fixture, 40, 30)[1], 0);
    rw_context_destroy(fixture->context);
}

static void pictures_are_files_too(void **state)
{
    (void)state;
    shapes_fixture *fixture = open_shapes();
    const char *path = temporary_path("shapes.png");
    assert_int_equal(rw_shapes_draw(fixture->context, &fixture->shapes, fixture->rgb, path), RW_OK);
    FILE *file = fopen(path, "rb");
    char magic[4] = "";
    assert_non_null(file);
    assert_int_equal(fread(magic, 1, 4, file), 4);
    assert_memory_equal(magic + 1, "PNG", 3);
    fclose(file);
    rw_context_destroy(fixture->context);
}

static void bad_shapes_are_rejected(void **state)
{
    (void)state;
    shapes_fixture *fixture = open_shapes();
    double vertices[12];
    const unsigned char colours[6] = {0};
    const uint32_t beyond[3] = {0, 1, 4};
    rw_shapes shapes = fixture->shapes;
    square_at(vertices, 2, 1);
    shapes.vertices_m = vertices;
    shapes.vertex_count = 4;
    shapes.triangles = beyond;
    shapes.triangle_rgb = colours;
    shapes.triangle_count = 1;
    assert_int_equal(rw_shapes_draw(fixture->context, &shapes, fixture->rgb, NULL), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(fixture->context), "vertex 4"));
    shapes = fixture->shapes;
    shapes.width_px = 0;
    assert_int_equal(rw_shapes_draw(fixture->context, &shapes, fixture->rgb, NULL), RW_BAD_CALL);
    shapes = fixture->shapes;
    shapes.up[2] = 0;
    assert_int_equal(rw_shapes_draw(fixture->context, &shapes, fixture->rgb, NULL), RW_BAD_CALL);
    shapes = fixture->shapes;
    shapes.view_angle_deg = 180;
    assert_int_equal(rw_shapes_draw(fixture->context, &shapes, fixture->rgb, NULL), RW_BAD_CALL);
    assert_int_equal(rw_shapes_draw(fixture->context, NULL, NULL, NULL), RW_OK);
    rw_context_destroy(fixture->context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_as_large_as_in_a_pinhole),
        cmocka_unit_test(nearer_shapes_hide_farther_ones),
        cmocka_unit_test(light_only_darkens),
        cmocka_unit_test(pictures_are_files_too),
        cmocka_unit_test(bad_shapes_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
