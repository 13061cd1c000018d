/* labels: files */
/* Surface models made by hand: roofs of known height and outline on a slope, a wood, and what cannot be read. */
#include "scene/surface/surface.h"

#include "base/maths/hash.h"
#include "ext/gdal.h"

#include "temporary.h"

#include <math.h>
#include <stdlib.h>

#define SIDE 200 /* posts of 1 m */

static rw_context *context;

static double ground_m(double x, double y)
{
    return 400 + 0.05 * x + 0.02 * y;
}

/* A rectangle of 30 x 14 m around (140, 60), turned by 25 degrees. */
static int is_in_turned(double x, double y)
{
    const double c = cos(25 / 57.29578), s = sin(25 / 57.29578);
    double u = c * (x - 140) + s * (y - 60), v = -s * (x - 140) + c * (y - 60);
    return fabs(u) <= 15 && fabs(v) <= 7;
}

/* What stands on the ground: a known building (12 m), a turned one (9 m), an L (15 m), two roofs in a row (8 and 14 m)
 * and a wood of 8 to 14 m. */
static double height_m(double x, double y)
{
    if (x > 20 && x < 50 && y > 20 && y < 40)
        return 12;
    if (is_in_turned(x, y))
        return 9;
    if (x > 20 && x < 60 && y > 80 && y < 120 && !(x > 40 && y > 100))
        return 15;
    if (x > 100 && x < 140 && y > 100 && y < 120)
        return x < 120 ? 8 : 14;
    double from_tree_m = hypot(x - 170, y - 120); /* a round crown */
    if (from_tree_m < 5)
        return 11 - 6 * from_tree_m * from_tree_m / 25;
    if (x > 20 && x < 100 && y > 150 && y < 190) {
        const double at[2] = {floor(x), floor(y)};
        return 8 + 6 * (double)(rw_hash(RW_HASH_START, at, sizeof at) % 1000) / 1000;
    }
    return 0;
}

static const char *write_grid(const char *name, int with_objects)
{
    const char *path = temporary_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "ncols %d\nnrows %d\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n", SIDE, SIDE);
    for (int row = SIDE - 1; row >= 0; row--)
        for (int column = 0; column < SIDE; column++) {
            double x = column + 0.5, y = row + 0.5;
            fprintf(file, "%.3f%c", ground_m(x, y) + (with_objects ? height_m(x, y) : 0),
                    column + 1 < SIDE ? ' ' : '\n');
        }
    fclose(file);
    return path;
}

static void add_footprint(rw_scene *scene, const double *xy, int is_assumed)
{
    const size_t points = 4;
    const rw_building building = {.size = sizeof building,
                                  .xy = xy,
                                  .ring_sizes = &points,
                                  .ring_count = 1,
                                  .ground_m = NAN,
                                  .roof_height_m = 10};
    assert_ok(context, rw_scene_add_building(scene, &building));
    scene->parts.items[scene->parts.count - 1].height_from = is_assumed ? RW_HEIGHT_ASSUMED : RW_HEIGHT_FROM_FILE;
}

static const rw_part *find_part(const rw_scene *scene, double x, double y)
{
    for (size_t i = 0; i < scene->parts.count; i++)
        if (rw_part_contains(scene, &scene->parts.items[i], rw_vec2_of(x - scene->origin.x, y - scene->origin.y)))
            return &scene->parts.items[i];
    return NULL;
}

static double area_of(const rw_scene *scene, const rw_part *part)
{
    return fabs(rw_ring_area(rw_ring_points(scene, part->first_ring), rw_ring_size(scene, part->first_ring)));
}

static rw_scene *derive(rw_surface_report *report)
{
    static const double known[] = {20, 20, 50, 20, 50, 40, 20, 40}, low[] = {150, 150, 170, 150, 170, 170, 150, 170};
    rw_scene *scene;
    report->size = sizeof *report;
    assert_ok(context, rw_scene_create(context, &scene));
    add_footprint(scene, known, 1);
    add_footprint(scene, low, 1); /* nothing stands there */
    assert_ok(context, rw_scene_read_terrain(scene, write_grid("dtm.asc", 0)));
    assert_ok(context, rw_scene_read_surface(scene, write_grid("dsm.asc", 1), report));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* Heights above the ground below, which rises by up to 2 m along a roof: the median is that of the middle. */
static void roofs_have_their_heights(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("no GDAL");
    rw_surface_report report;
    rw_scene *scene = derive(&report);
    const rw_part *known = find_part(scene, 35, 30), *missing = find_part(scene, 160, 160);
    assert_non_null(known);
    assert_near(known->top_m, ground_m(35, 30) + 12, 0.1);
    assert_int_equal(known->height_from, RW_HEIGHT_FROM_SURFACE);
    assert_near(known->height_spread_m, 0.5, 0.25); /* of 0.05 x over 30 m */
    assert_int_equal(missing->height_from, RW_HEIGHT_ASSUMED);
    assert_near(missing->roof_height_m, 10, 1e-9);
    assert_int_equal(report.measured, 1);
    assert_int_equal(report.unmeasured, 1);
    assert_near(report.spacing_m, 1, 1e-9);
    rw_scene_destroy(scene);
}

static void missing_buildings_are_found(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("no GDAL");
    rw_surface_report report;
    rw_scene *scene = derive(&report);
    const struct {
        double x, y, height_m, area_m2;
        size_t corners;
    } expected[] = {{140, 60, 9, 420, 4}, {30, 110, 15, 1200, 6}, {110, 110, 8, 400, 4}, {130, 110, 14, 400, 4}};
    for (size_t i = 0; i < 4; i++) {
        const rw_part *part = find_part(scene, expected[i].x, expected[i].y);
        assert_non_null(part);
        assert_int_equal(part->height_from, RW_HEIGHT_FOUND);
        assert_near(part->top_m, ground_m(expected[i].x, expected[i].y) + expected[i].height_m, 0.5);
        assert_near(area_of(scene, part), expected[i].area_m2, 0.08 * expected[i].area_m2);
        size_t count = rw_ring_size(scene, part->first_ring);
        const rw_vec2 *points = rw_ring_points(scene, part->first_ring);
        assert_int_equal(count, expected[i].corners);
        for (size_t k = 0; k < count; k++) { /* right angles */
            rw_vec2 a = points[k], b = points[(k + 1) % count], c = points[(k + 2) % count];
            double along = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y);
            assert_near(along / hypot(b.x - a.x, b.y - a.y) / hypot(c.x - b.x, c.y - b.y), 0, 1e-3);
        }
    }
    assert_int_equal(report.found, 4);
    assert_int_equal(report.squared, 4);
    assert_null(find_part(scene, 60, 170));  /* the wood */
    assert_null(find_part(scene, 170, 120)); /* the tree */
    assert_near(report.foliage_m2, 80 * 40, 0.1 * 80 * 40);
    assert_near(rw_raster_height_m(&scene->foliage, rw_vec2_of(60.5, 170.5)), 11, 3.1);
    assert_near(rw_raster_height_m(&scene->foliage, rw_vec2_of(130.5, 110.5)), 0, 0);
    rw_scene_destroy(scene);
}

static void files_keep_what_was_derived(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("no GDAL");
    rw_surface_report report;
    rw_scene *scene = derive(&report), *read;
    const char *path = temporary_path("derived.gpkg");
    assert_ok(context, rw_scene_save(scene, path));
    assert_ok(context, rw_scene_load(context, path, NULL, &read));
    assert_int_equal(read->parts.count, scene->parts.count);
    for (size_t i = 0; i < read->parts.count; i++) {
        assert_int_equal(read->parts.items[i].height_from, scene->parts.items[i].height_from);
        assert_near(read->parts.items[i].height_spread_m, scene->parts.items[i].height_spread_m, 1e-9);
        assert_near(read->parts.items[i].top_m, scene->parts.items[i].top_m, 1e-6);
    }
    rw_scene_destroy(scene);
    rw_scene_destroy(read);
}

static void bad_surfaces_are_rejected(void **state)
{
    (void)state;
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    assert_int_equal(rw_scene_read_surface(scene, "cloud.laz", NULL), RW_BAD_CALL); /* no terrain */
    assert_int_equal(rw_scene_read_surface(scene, "none.tif", NULL), RW_BAD_CALL);
    rw_scene_destroy(scene);
    if (!rw_gdal_is_in())
        return;
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_read_terrain(scene, write_grid("dtm.asc", 0)));
    assert_int_equal(rw_scene_read_surface(scene, temporary_path("none.tif"), NULL), RW_NOT_FOUND);
    FILE *file = fopen(temporary_path("coarse.asc"), "w");
    assert_non_null(file);
    fprintf(file, "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 50\n1 2 3 4\n1 2 3 4\n1 2 3 4\n1 2 3 4\n");
    fclose(file);
    assert_int_equal(rw_scene_read_surface(scene, temporary_path("coarse.asc"), NULL), RW_BAD_INPUT);
    rw_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roofs_have_their_heights), cmocka_unit_test(missing_buildings_are_found),
        cmocka_unit_test(files_keep_what_was_derived), cmocka_unit_test(bad_surfaces_are_rejected)};
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
