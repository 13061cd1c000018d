/* labels: files */
/* A scene saved as GeoPackage reads back as the same scene, bit for bit; what cannot be written leaves nothing. */
#include "temporary.h"

#include "base/file.h"
#include "ext/gdal.h"
#include "scene/scene.h"

static rw_context *context;

#define need_gdal()                                                                                                    \
    if (!rw_gdal_is_in())                                                                                              \
    skip_test("this build has no GDAL")

/* Coordinates with all their digits, two stacked parts, a hole, a wall, meshes, materials, slabs, a terrain and trees;
 * names of any length. */
static rw_scene *make_full_scene(void)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_set_crs(scene, "EPSG:25832"));
    rw_material glass = {sizeof glass, "my glass", 6.31, 0, 0.0036, 1.3394, 1e9, INFINITY, 0, 0.1};
    assert_ok(context, rw_scene_add_material(scene, &glass));
    rw_layer layers[] = {{sizeof(rw_layer), "my glass", 0.1 / 3},
                         {sizeof(rw_layer), "air", 0.016},
                         {sizeof(rw_layer), "my glass", 0.004}};
    rw_slab window = {sizeof window, "window", layers, 3};
    assert_ok(context, rw_scene_add_slab(scene, &window));
    static char long_name[400];
    memset(long_name, 'n', sizeof long_name - 1);
    glass.name = window.name = layers[1].material = long_name;
    assert_ok(context, rw_scene_add_material(scene, &glass));
    assert_ok(context, rw_scene_add_slab(scene, &window));
    double xy[] = {500000.1, 5000000.3, 500040.7, 5000000.9, 500041.3 + 1e-9, 5000033.1, 499999.5, 5000031.1,
                   500010,   5000010,   500020,   5000010,   500020,          5000020,   500010,   5000020};
    size_t ring_sizes[] = {4, 4};
    rw_building part = {sizeof part, 7, xy, ring_sizes, 2, NAN, 0, 12.3, NULL, NULL};
    assert_ok(context, rw_scene_add_building(scene, &part));
    part.ring_count = 1;
    part.base_height_m = 12.3;
    part.roof_height_m = 0.1 + 17;
    part.ground_m = 520.1;
    part.surface = "window";
    assert_ok(context, rw_scene_add_building(scene, &part));
    rw_panel wall = {sizeof wall, 500001.7, 5000002.9, 500003.1, 5000004.2, 520, 523.1, "window", NULL};
    assert_ok(context, rw_scene_add_panel(scene, &wall));
    double xyz[] = {500000.123456, 5000000, 1.1, 500001, 5000000, 2.2, 500000, 5000001, 1.0 / 3};
    uint32_t triangle[] = {0, 1, 2};
    rw_mesh mesh = {sizeof mesh, "tri", xyz, 3, triangle, 1, "itu_metal"};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    mesh.name = mesh.surface = long_name;
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    float heights[12];
    for (int i = 0; i < 12; i++)
        heights[i] = 500 + 1.1f * (float)i;
    rw_raster terrain = {sizeof(rw_raster), 4, 3, 499900.1, 4999900.7, 100.0 / 3, 49.9, heights};
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
    float crowns[] = {0, 12.5f, 1.0f / 3, 0, 7, 0};
    rw_raster trees = {sizeof(rw_raster), 3, 2, 499950.3, 4999990.1, 10.0 / 3, 4.9, crowns};
    assert_ok(context, rw_scene_set_foliage(scene, &trees));
    return scene;
}

static void assert_same_parts(const rw_scene *a, const rw_scene *b)
{
    assert_int_equal(a->parts.count, b->parts.count);
    assert_int_equal(a->points.count, b->points.count);
    assert_int_equal(a->ring_first.count, b->ring_first.count);
    assert_memory_equal(a->points.items, b->points.items, a->points.count * sizeof *a->points.items);
    assert_memory_equal(a->ring_first.items, b->ring_first.items, a->ring_first.count * sizeof *a->ring_first.items);
    for (size_t i = 0; i < a->parts.count; i++) {
        const rw_part *p = &a->parts.items[i], *q = &b->parts.items[i];
        assert_int_equal(p->building, q->building);
        assert_true(p->base_height_m == q->base_height_m && p->roof_height_m == q->roof_height_m);
        assert_true(p->ground_m == q->ground_m || (isnan(p->ground_m) && isnan(q->ground_m)));
        assert_string_equal(a->surfaces.items[p->surface], b->surfaces.items[q->surface]);
    }
}

static void assert_same_meshes(const rw_scene *a, const rw_scene *b)
{
    assert_int_equal(a->meshes.count, b->meshes.count);
    assert_int_equal(a->vertices.count, b->vertices.count);
    assert_int_equal(a->triangles.count, b->triangles.count);
    assert_memory_equal(a->vertices.items, b->vertices.items, a->vertices.count * sizeof *a->vertices.items);
    assert_memory_equal(a->triangles.items, b->triangles.items, a->triangles.count * sizeof *a->triangles.items);
    for (size_t i = 0; i < a->meshes.count; i++)
        assert_string_equal(a->meshes.items[i].name, b->meshes.items[i].name);
}

static void assert_same_terrain(const rw_raster *a, const rw_raster *b)
{
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->rows, b->rows);
    assert_true(a->x0_m == b->x0_m && a->y0_m == b->y0_m && a->dx_m == b->dx_m && a->dy_m == b->dy_m);
    if (a->values)
        assert_memory_equal(a->values, b->values, a->columns * a->rows * sizeof *a->values);
}

static void assert_same_scene(const rw_scene *a, const rw_scene *b)
{
    assert_string_equal(rw_scene_crs(a), rw_scene_crs(b));
    assert_int_equal(a->flat, b->flat);
    assert_same_parts(a, b);
    assert_same_meshes(a, b);
    assert_same_terrain(&a->terrain, &b->terrain);
    assert_same_terrain(&a->foliage, &b->foliage);
    assert_int_equal(a->panels.count, b->panels.count);
    for (size_t i = 0; i < a->panels.count; i++)
        assert_memory_equal(&a->panels.items[i].p0, &b->panels.items[i].p0, 6 * sizeof(double));
    assert_int_equal(a->materials.count, b->materials.count);
    for (size_t i = 0; i < a->materials.count; i++) {
        const rw_scene_material *first = &a->materials.items[i], *second = &b->materials.items[i];
        assert_string_equal(first->name, second->name);
        assert_memory_equal(&first->a, &second->a, 6 * sizeof(double));
        assert_int_equal(first->perfect_conductor, second->perfect_conductor);
        assert_true(first->scattering == second->scattering);
    }
    assert_int_equal(a->slabs.count, b->slabs.count);
    for (size_t i = 0; i < a->slabs.count; i++) {
        const rw_scene_slab *first = &a->slabs.items[i], *second = &b->slabs.items[i];
        assert_string_equal(first->name, second->name);
        assert_int_equal(first->layer_count, second->layer_count);
        for (size_t layer = 0; layer < first->layer_count; layer++) {
            assert_string_equal(first->layer_material[layer], second->layer_material[layer]);
            assert_near(first->layer_thickness_m[layer], second->layer_thickness_m[layer], 0);
        }
    }
}

static rw_scene *load(const char *path)
{
    rw_scene *scene;
    rw_load_options options;
    rw_load_options_init(&options);
    options.commit = 0;
    assert_ok(context, rw_scene_load(context, path, &options, &scene));
    return scene;
}

static void reads_back_the_same(void **state)
{
    (void)state;
    need_gdal();
    for (int is_flat = 0; is_flat < 2; is_flat++) {
        rw_scene *scene = make_full_scene();
        if (is_flat)
            assert_ok(context, rw_scene_set_flat(scene));
        assert_ok(context, rw_scene_save(scene, temporary_path("scene.gpkg")));
        rw_scene *again = load(temporary_path("scene.gpkg"));
        assert_same_scene(scene, again);
        rw_scene_destroy(again);
        rw_scene_destroy(scene);
    }
}

/* Whether a shape in the GeoPackage says "undefined Cartesian" (-1): after "GP", version and flags comes its system. */
static int is_cartesian(const char *path)
{
    char *bytes;
    size_t size;
    int found = 0;
    assert_ok(context, rw_file_read(context, path, &bytes, &size));
    for (size_t i = 0; i + 8 <= size && !found; i++)
        found = memcmp(bytes + i, "GP\0", 3) == 0 && memcmp(bytes + i + 4, "\xff\xff\xff\xff", 4) == 0;
    free(bytes);
    return found;
}

static void empty_and_placeless_scenes(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    double xy[] = {-0.1, 0.2, 10.3, 0.1, 5, 1e6 / 3};
    size_t ring_sizes[] = {3};
    rw_building part = {sizeof part, 0, xy, ring_sizes, 1, NAN, 0, 5, NULL, NULL};
    assert_ok(context, rw_scene_add_building(scene, &part));
    assert_ok(context, rw_scene_save(scene, temporary_path("local.gpkg")));
    assert_true(is_cartesian(temporary_path("local.gpkg")));
    rw_scene *again = load(temporary_path("local.gpkg"));
    assert_same_scene(scene, again);
    rw_scene_destroy(again);
    rw_scene_destroy(scene);
}

/* A building without a ground of its own is not buried by a terrain that comes after it was saved. */
static void later_terrain_lifts_buildings(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene, *again;
    double xy[] = {10, 10, 20, 10, 20, 20, 10, 20}, own_xy[] = {30, 10, 40, 10, 40, 20, 30, 20};
    size_t ring_sizes[] = {4};
    rw_building part = {sizeof part, 0, xy, ring_sizes, 1, NAN, 0, 15, NULL, NULL};
    rw_building own = {sizeof own, 0, own_xy, ring_sizes, 1, 100, 0, 15, NULL, NULL};
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_add_building(scene, &part));
    assert_ok(context, rw_scene_add_building(scene, &own));
    assert_ok(context, rw_scene_commit(scene));
    assert_near(scene->parts.items[0].top_m, 15, 0);
    assert_ok(context, rw_scene_save(scene, temporary_path("lifted.gpkg")));
    rw_scene_destroy(scene);
    float heights[4] = {120, 120, 120, 120};
    rw_raster terrain = {.size = sizeof terrain,
                         .columns = 2,
                         .rows = 2,
                         .x0_m = -100,
                         .y0_m = -100,
                         .dx_m = 300,
                         .dy_m = 300,
                         .values = heights};
    again = load(temporary_path("lifted.gpkg"));
    assert_ok(context, rw_scene_set_terrain(again, &terrain));
    assert_ok(context, rw_scene_commit(again));
    assert_near(again->parts.items[0].bottom_m, 120, 0);
    assert_near(again->parts.items[0].top_m, 135, 0);
    assert_near(again->parts.items[1].top_m, 115, 0); /* its own altitude counts */
    rw_scene_destroy(again);
}

static void same_scene_same_bytes(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene = make_full_scene();
    assert_ok(context, rw_scene_save(scene, temporary_path("one.gpkg")));
    sleep(1);
    assert_ok(context, rw_scene_save(scene, temporary_path("two.gpkg")));
    rw_scene_destroy(scene);
    FILE *one = fopen(temporary_path("one.gpkg"), "rb"), *two = fopen(temporary_path("two.gpkg"), "rb");
    int a, b;
    do {
        a = getc(one);
        b = getc(two);
        assert_int_equal(a, b);
    } while (a != EOF);
    fclose(one);
    fclose(two);
}

static void geojson_is_in_degrees(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene = make_full_scene();
    assert_ok(context, rw_scene_save(scene, temporary_path("scene.geojson")));
    rw_scene *again = load(temporary_path("scene.geojson"));
    assert_int_equal(again->parts.count, 2);
    assert_string_equal(rw_scene_crs(again), "EPSG:32632");
    assert_near(fabs(rw_ring_area(rw_ring_points(again, 0), 4)), fabs(rw_ring_area(rw_ring_points(scene, 0), 4)), 0.1);
    rw_scene_destroy(again);
    rw_scene_destroy(scene);
}

static void truncated_files_are_refused(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene = make_full_scene(), *again;
    assert_ok(context, rw_scene_save(scene, temporary_path("whole.gpkg")));
    rw_scene_destroy(scene);
    FILE *whole = fopen(temporary_path("whole.gpkg"), "rb");
    static char bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, whole);
    fclose(whole);
    for (int eighth = 1; eighth < 8; eighth++) {
        write_bytes("cut.gpkg", bytes, size * (size_t)eighth / 8);
        rw_status status = rw_scene_load(context, temporary_path("cut.gpkg"), NULL, &again);
        assert_int_equal(status, RW_BAD_INPUT);
        assert_non_null(strstr(rw_last_error(context), "cut.gpkg"));
    }
}

static void failed_writes_leave_nothing(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene = make_full_scene();
    size_t before = temporary_count();
    assert_int_equal(rw_scene_save(scene, temporary_path("scene.xyz")), RW_BAD_CALL);
    assert_int_equal(rw_scene_save(scene, temporary_path("no/such/folder.gpkg")), RW_NOT_WRITABLE);
    struct rlimit disk = full_disk_begin(4096);
    rw_status status = rw_scene_save(scene, temporary_path("full.gpkg"));
    full_disk_end(disk);
    assert_int_equal(status, RW_IO);
    assert_int_equal(temporary_count(), before);
    rw_scene_destroy(scene);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back_the_same),           cmocka_unit_test(empty_and_placeless_scenes),
        cmocka_unit_test(later_terrain_lifts_buildings), cmocka_unit_test(same_scene_same_bytes),
        cmocka_unit_test(geojson_is_in_degrees),         cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(failed_writes_leave_nothing)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
