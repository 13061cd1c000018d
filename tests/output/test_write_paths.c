/* labels: files */
/* Files of paths: what is in memory is read back from both formats, whatever the names hold; a full disk leaves
 * nothing. */
#include "base/file.h"
#include "base/text/json.h"
#include "output/paths/paths.h"

#include "temporary.h"
#include "unit.h"

static rw_context *context;

/* Two transmitters, three points; the second point is indoors, the paths of the second transmitter come after those of
 * the first, as rw_trace gives them. */
static rw_paths *make_paths(const char *crs)
{
    static const rw_point points[] = {{.size = sizeof(rw_point), .x_m = 1, .y_m = 2, .height_m = 1.5},
                                      {.size = sizeof(rw_point), .x_m = 3, .y_m = 4, .height_m = 2},
                                      {.size = sizeof(rw_point), .x_m = 30, .y_m = 0.1, .height_m = 1.5}};
    static const uint8_t indoor[] = {0, 1, 0};
    static const rw_transmitter transmitters[] = {{.name = "a \"b\" \\ \xff\xc3\xa4\n", .freq_hz = 1e9},
                                                  {.name = "second", .freq_hz = 2e9}};
    static const rw_path_vertex direct[] = {{.x_m = 0, .y_m = 0, .z_m = 10}, {.x_m = 30, .y_m = 40, .z_m = 10}};
    static const rw_path_vertex bent[] = {
        {.x_m = 0},
        {.x_m = 3, .y_m = 4, .interaction = RW_INTERACTION_STREET, .angle_rad = 0.5f, .loss_db = 7.25f},
        {.x_m = 3, .y_m = 4, .z_m = 0.1}};
    rw_paths_ends ends = {points, 3, indoor, transmitters, 2, crs};
    rw_paths *paths;
    assert_ok(context, rw_paths_create(context, &paths));
    assert_ok(context, rw_paths_set_ends(paths, &ends));
    rw_path_entry first = {.point = 2, .transmitter = 0, .vertex_count = 2, .free_space_db = 60, .loss_db = 60};
    rw_path_entry second = {.point = 0, .transmitter = 1, .vertex_count = 3, .free_space_db = 50, .loss_db = 57.25};
    rw_path_entry third = {.point = 2, .transmitter = 1, .vertex_count = 2, .free_space_db = 66, .loss_db = 66};
    assert_ok(context, rw_paths_add(paths, &first, direct));
    assert_ok(context, rw_paths_add(paths, &second, bent));
    assert_ok(context, rw_paths_add(paths, &third, direct));
    return paths;
}

static const rw_json_value *entry(const rw_json *json, const rw_json_value *list, int index)
{
    assert_non_null(list);
    const rw_json_value *value = rw_json_first(json, list);
    for (int i = 0; i < index && value; i++)
        value = rw_json_next(json, value);
    assert_non_null(value);
    return value;
}

static void write_and_parse(const rw_paths *paths, const char *name, rw_json *json)
{
    char *bytes;
    size_t size;
    assert_ok(context, rw_paths_write(paths, temporary_path(name)));
    assert_ok(context, rw_file_read(context, temporary_path(name), &bytes, &size));
    assert_ok(context, rw_json_parse(context, name, bytes, size, json));
}

static void json_has_points_with_their_paths(void **state)
{
    (void)state;
    rw_paths *paths = make_paths("EPSG:25832");
    rw_json json;
    write_and_parse(paths, "paths.json", &json);
    const rw_json_value *root = json.values, *points = rw_json_member(&json, root, "points");
    assert_string_equal(rw_json_string(rw_json_member(&json, root, "crs"), ""), "EPSG:25832");
    assert_int_equal(points->count, 3);
    static const int path_counts[] = {1, 0, 2};
    for (int i = 0; i < 3; i++)
        assert_int_equal(rw_json_member(&json, entry(&json, points, i), "paths")->count, path_counts[i]);
    assert_int_equal(rw_json_member(&json, entry(&json, points, 1), "inside_building")->kind, RW_JSON_TRUE);
    assert_int_equal(rw_json_member(&json, entry(&json, points, 2), "inside_building")->kind, RW_JSON_FALSE);
    const rw_json_value *bent = entry(&json, rw_json_member(&json, entry(&json, points, 0), "paths"), 0);
    assert_near(rw_json_number(rw_json_member(&json, bent, "length_m"), NAN), 5.1, 1e-12);
    assert_near(rw_json_number(rw_json_member(&json, bent, "transmitter"), NAN), 2, 0);
    const rw_json_value *corner = entry(&json, rw_json_member(&json, bent, "vertices"), 1);
    assert_string_equal(rw_json_string(rw_json_member(&json, corner, "interaction"), ""), "street");
    assert_near(rw_json_number(rw_json_member(&json, corner, "turn_deg"), NAN), 28.6478897565, 1e-5);
    assert_near(rw_json_number(rw_json_member(&json, corner, "loss_db"), NAN), 7.25, 0);
    const rw_json_value *first = entry(&json, rw_json_member(&json, root, "transmitters"), 0);
    assert_string_equal(rw_json_string(rw_json_member(&json, first, "name"), ""), "a \"b\" \\ \xc3\xbf\xc3\xa4\n");
    rw_json_free(&json);
    rw_paths_destroy(paths);
}

static void geojson_has_lines(void **state)
{
    (void)state;
    static const char *const systems[][2] = {{"EPSG:25832", "urn:ogc:def:crs:EPSG::25832"},
                                             {"+proj=utm +zone=32", "+proj=utm +zone=32"}};
    rw_json json;
    for (int i = 0; i < 2; i++) {
        rw_paths *paths = make_paths(systems[i][0]);
        write_and_parse(paths, "paths.geojson", &json);
        const rw_json_value *crs = rw_json_member(&json, rw_json_member(&json, json.values, "crs"), "properties");
        assert_string_equal(rw_json_string(rw_json_member(&json, crs, "name"), ""), systems[i][1]);
        const rw_json_value *features = rw_json_member(&json, json.values, "features");
        assert_int_equal(features->count, 3);
        const rw_json_value *geometry = rw_json_member(&json, entry(&json, features, 1), "geometry");
        const rw_json_value *line = rw_json_member(&json, geometry, "coordinates");
        assert_int_equal(line->count, 3);
        assert_near(rw_json_number(entry(&json, entry(&json, line, 2), 2), NAN), 0.1, 0);
        rw_json_free(&json);
        rw_paths_destroy(paths);
    }
}

static void refuses_other_names_and_full_disks(void **state)
{
    (void)state;
    rw_paths *paths = make_paths("");
    rw_point point = {.size = sizeof point};
    int indoor;
    unlink(temporary_path("paths.json"));
    unlink(temporary_path("paths.geojson"));
    assert_int_equal(rw_paths_write(paths, temporary_path("paths.shp")), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "NAME.json, NAME.geojson, NAME.csv or NAME.gpkg"));
    struct rlimit disk = full_disk_begin(100);
    rw_status status = rw_paths_write(paths, temporary_path("full.json"));
    full_disk_end(disk);
    assert_int_equal(status, RW_IO);
    assert_int_equal(temporary_count(), 0);
    assert_int_equal(rw_paths_point_count(paths), 3);
    assert_ok(context, rw_paths_get_point(paths, 1, &point, &indoor));
    assert_near(point.height_m, 2, 0);
    assert_int_equal(indoor, 1);
    assert_int_equal(rw_paths_get_point(paths, 3, &point, &indoor), RW_BAD_CALL);
    rw_paths_destroy(paths);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_points_with_their_paths),
        cmocka_unit_test(geojson_has_lines),
        cmocka_unit_test(refuses_other_names_and_full_disks),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
