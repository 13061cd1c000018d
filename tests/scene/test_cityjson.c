/* labels: files */
/* CityJSON: outlines from ground faces, from triangles without semantics and from roofs; heights, parts, bad files. */
#include "temporary.h"

#include "base/context.h"
#include "scene/scene.h"

static rw_context *context;

/* A block of 10 m x 20 m x 6 m at 84000, 447000 on ground 1.5 m: vertices 0 to 3 below, 4 to 7 above, in centimetres.
 */
#define HEAD                                                                                                           \
    "{\"type\":\"CityJSON\",\"version\":\"2.0\",\"transform\":{\"scale\":[0.01,0.01,0.01],\"translate\":[84000,"       \
    "447000,1.5]},"                                                                                                    \
    "\"metadata\":{\"referenceSystem\":\"https://www.opengis.net/def/crs/EPSG/0/28992\"},"
#define VERTICES                                                                                                       \
    "\"vertices\":[[0,0,0],[1000,0,0],[1000,2000,0],[0,2000,0],[0,0,600],[1000,0,600],[1000,2000,600],[0,2000,600]],"
#define CITY(objects) HEAD VERTICES "\"CityObjects\":{" objects "}}"
#define WALLS "[[0,1,5,4]],[[1,2,6,5]],[[2,3,7,6]],[[3,0,4,7]]"

static rw_status load(const char *text, const char *height_field, rw_scene **scene)
{
    rw_load_options options;
    rw_load_options_init(&options);
    options.commit = 0;
    options.height_field = height_field;
    return rw_scene_load(context, write_text("city.json", text), &options, scene);
}

static size_t notes_like(const rw_scene *scene, const char *words)
{
    for (size_t i = 0; i < scene->notes.count; i++)
        if (strstr(scene->notes.items[i].what, words))
            return scene->notes.items[i].count;
    return 0;
}

static void assert_block(const rw_scene *scene, size_t index)
{
    const rw_part *part = &scene->parts.items[index];
    assert_int_equal(part->ring_count, 1);
    assert_int_equal(rw_ring_size(scene, part->first_ring), 4);
    assert_near(fabs(rw_ring_area(rw_ring_points(scene, part->first_ring), 4)), 200, 1e-6);
    assert_near(part->ground_m, 1.5, 1e-9);
    assert_near(part->roof_height_m, 6, 1e-9);
}

static void ground_faces(void **state)
{
    (void)state;
    rw_scene *scene;
    assert_ok(context, load(CITY("\"a\":{\"type\":\"Building\",\"geometry\":[{\"type\":\"MultiSurface\",\"lod\":\"2\","
                                 "\"boundaries\":[[[3,2,1,0]],[[4,5,6,7]]," WALLS "],"
                                 "\"semantics\":{\"surfaces\":[{\"type\":\"GroundSurface\"},{\"type\":\"RoofSurface\"},"
                                 "{\"type\":\"WallSurface\"}],"
                                 "\"values\":[0,1,2,2,2,null]}}]},\"r\":{\"type\":\"Road\"}"),
                            NULL, &scene));
    assert_string_equal(rw_scene_crs(scene), "EPSG:28992");
    assert_int_equal(scene->parts.count, 1);
    assert_block(scene, 0);
    assert_int_equal(notes_like(scene, "no buildings"), 1);
    assert_string_equal(scene->part_sources.items[0], "object a");
    rw_scene_destroy(scene);
}

static void triangles_without_semantics(void **state)
{
    (void)state;
    rw_scene *scene;
    assert_ok(context, load(CITY("\"a\":{\"type\":\"Building\",\"geometry\":[{\"type\":\"Solid\",\"lod\":1,"
                                 "\"boundaries\":[[[[0,2,1]],[[0,3,2]],[[4,5,6]],[[4,6,7]]," WALLS "]]}]}"),
                            NULL, &scene));
    assert_block(scene, 0);
    rw_scene_destroy(scene);
    assert_ok(context, load(CITY("\"open\":{\"type\":\"Building\",\"geometry\":[{\"type\":\"MultiSurface\",\"lod\":1,"
                                 "\"boundaries\":[[[4,5,6]],[[4,6,7]]," WALLS "]}]}"),
                            NULL, &scene));
    assert_block(scene, 0);
    assert_int_equal(notes_like(scene, "outline of their roof"), 1);
    rw_scene_destroy(scene);
}

static void a_courtyard_is_a_hole(void **state)
{
    (void)state;
    rw_scene *scene;
    assert_ok(
        context,
        load(HEAD
             "\"vertices\":[[0,0,0],[900,0,0],[900,900,0],[0,900,0],[300,300,0],[600,300,0],[600,600,0],[300,600,0],[0,"
             "0,500]],"
             "\"CityObjects\":{\"a\":{\"type\":\"Building\",\"geometry\":[{\"type\":\"MultiSurface\",\"boundaries\":["
             "[[0,1,5,4]],[[1,2,6,5]],[[2,3,7,6]],[[3,0,4,7]],[[0,8,1]]]}]}}}",
             NULL, &scene));
    const rw_part *part = &scene->parts.items[0];
    assert_int_equal(part->ring_count, 2);
    assert_near(fabs(rw_ring_area(rw_ring_points(scene, 0), 4)), 81, 1e-9);
    assert_near(fabs(rw_ring_area(rw_ring_points(scene, 1), 4)), 9, 1e-9);
    rw_scene_destroy(scene);
}

static void parts_share_their_building(void **state)
{
    (void)state;
    rw_scene *scene;
    assert_ok(context, load(CITY("\"house\":{\"type\":\"Building\",\"children\":[\"p1\",\"p2\"]},"
                                 "\"p1\":{\"type\":\"BuildingPart\",\"parents\":[\"house\"],\"geometry\":[{\"type\":"
                                 "\"Solid\",\"lod\":\"1\",\"boundaries\":[[[[0,3,2,1]],[[4,5,6,7]]," WALLS "]]}]},"
                                 "\"p2\":{\"type\":\"BuildingPart\",\"parents\":[\"house\"],\"attributes\":{\"h\":\"7."
                                 "5 m\"},\"geometry\":[{\"type\":\"MultiSurface\",\"boundaries\":[[[4,5,6]]],"
                                 "\"semantics\":{\"surfaces\":[{\"type\":\"RoofSurface\"}],\"values\":[0]}}]}"),
                            "h", &scene));
    assert_int_equal(scene->parts.count, 2);
    assert_int_equal(scene->parts.items[0].building, scene->parts.items[1].building);
    assert_near(scene->parts.items[1].base_height_m, 6, 1e-9);
    assert_near(scene->parts.items[1].roof_height_m, 7.5, 1e-9);
    assert_near(scene->parts.items[1].ground_m, 1.5, 1e-9);
    rw_scene_destroy(scene);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *height_field, *words;
    } cases[] = {
        {"{\"type\":\"CityJSON\"", NULL, "line 1"},
        {"{\"type\":\"CityJSONFeature\",\"vertices\":[]}", NULL, "expected \"type\""},
        {"{\"type\":\"CityJSON\",\"CityObjects\":{}}", NULL, "no vertices"},
        {HEAD "\"vertices\":[[0,0]],\"CityObjects\":{}}", NULL, "three numbers"},
        {HEAD "\"vertices\":[[0,0,\"x\"]],\"CityObjects\":{}}", NULL, "three numbers"},
        {HEAD VERTICES "\"CityObjects\":[]}", NULL, "no CityObjects"},
        {CITY("\"a\":{\"type\":\"Road\"}"), NULL, "no building"},
        {CITY("\"a\":{\"type\":\"Building\"}"), NULL, "no building"},
        {CITY("\"a\":{\"type\":\"Building\",\"geometry\":[{\"type\":\"MultiSurface\",\"boundaries\":[[[0,1,99]]]}]}"),
         NULL, "object a: line 1: a face names a vertex"},
        {CITY("\"a\":{\"type\":\"Building\",\"geometry\":[{\"type\":\"MultiSurface\",\"boundaries\":[[[0,1,-1]]]}]}"),
         NULL, "names a vertex"},
        {CITY("\"a\":{\"type\":\"Building\",\"attributes\":{\"measuredHeight\":3},\"geometry\":[{\"type\":"
              "\"MultiSurface\",\"boundaries\":[[[0,1,2]]]}]}"),
         "roof", "no attribute 'roof' for the height; object a has measuredHeight"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rw_scene *scene;
        rw_status status = load(cases[i].text, cases[i].height_field, &scene);
        if (status != RW_BAD_INPUT || !strstr(rw_last_error(context), cases[i].words))
            fail_msg("case %zu: status %d, '%s'\n", i, (int)status, rw_last_error(context));
    }
}

static double plan_area(const rw_scene *scene)
{
    double sum = 0;
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        for (size_t ring = 0; part->base_height_m == 0 && ring < part->ring_count; ring++) {
            double area = fabs(rw_ring_area(rw_ring_points(scene, part->first_ring + ring),
                                            rw_ring_size(scene, part->first_ring + ring)));
            sum += ring == 0 ? area : -area;
        }
    }
    return sum;
}

/* The expected area is the sum of the file's ground faces (of all near-flat faces where it names none), one by one. */
static void real_city(const char *path, size_t buildings, size_t parts, double roof_max_m, double area_m2)
{
    rw_scene *scene;
    rw_load_options options;
    rw_load_options_init(&options);
    options.commit = 0;
    double start_s = rw_seconds(), highest_m = 0;
    assert_ok(context, rw_scene_load(context, path, &options, &scene));
    for (size_t i = 0; i < scene->parts.count; i++)
        highest_m = fmax(highest_m, scene->parts.items[i].roof_height_m);
    printf("%zu parts, %u buildings, highest %.2f m, %.3f s\n", scene->parts.count, scene->next_building - 1, highest_m,
           rw_seconds() - start_s);
    assert_int_equal(scene->parts.count, parts);
    assert_int_equal(scene->next_building - 1, buildings);
    assert_near(highest_m, roof_max_m, 0.01);
    assert_near(plan_area(scene), area_m2, 0.01);
    rw_scene_destroy(scene);
}

static void delft(void **state)
{
    (void)state;
    require_test_data(path, "scenes/delft.json");
    real_city(path, 160, 160, 8.29, 8654.035);
}

static void rotterdam(void **state)
{
    (void)state;
    require_test_data(path, "scenes/rotterdam_subset.json");
    real_city(path, 16, 16, 18.29, 2187.967);
}

static void zurich(void **state)
{
    (void)state;
    require_test_data(path, "scenes/zurich_subset_lod2.json");
    real_city(path, 49, 161, 31.358, 9119.840);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(ground_faces),
                                       cmocka_unit_test(triangles_without_semantics),
                                       cmocka_unit_test(a_courtyard_is_a_hole),
                                       cmocka_unit_test(parts_share_their_building),
                                       cmocka_unit_test(bad_files_are_refused),
                                       cmocka_unit_test(delft),
                                       cmocka_unit_test(rotterdam),
                                       cmocka_unit_test(zurich)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
