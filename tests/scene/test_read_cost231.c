/* labels: files */
/* COST 231 building files: outlines, courtyards, repairs, terrain, bad input. */
#include "temporary.h"

#define SQUARE(x0, y0, x1, y1, height, building, ground)                                                               \
#x0 " " #y0 " " #x1 " " #y0 " " #height " " #building " 1 " #ground "\r\n" #x1 " " #y0 " " #x1 " " #y1 " " #height \
        " " #building " 1 " #ground "\r\n" #x1 " " #y1 " " #x0 " " #y1 " " #height " " #building " 1 " #ground         \
        "\r\n" #x0 " " #y1 " " #x0 " " #y0 " " #height " " #building " 1 " #ground "\r\n"

static void finds_courtyards_and_parts(void **state)
{
    (void)state;
    rw_context *context = make_context();
    /* 1: with a courtyard, and a house in the courtyard; 2: a tower on it and a low part in it; 3: apart, in two pieces
     */
    const char *path = write_text(
        "a.res", SQUARE(20, 20, 80, 80, 10, 1, 500) SQUARE(0, 0, 100, 100, 10, 1, 500)
                     SQUARE(40, 40, 60, 60, 10, 1, 500) SQUARE(200, 0, 300, 100, 20, 2, 510)
                         SQUARE(210, 10, 220, 20, 50, 2, 510) SQUARE(250, 50, 260, 60, 5, 2, 510)
                             SQUARE(400, 0, 410, 10, 7, 3, 505) SQUARE(420, 0, 430, 10, 7, 3, 505) "\r\n\x1A");
    rw_scene *scene = read_uncommitted(context, path);
    static const struct {
        uint32_t building;
        size_t rings;
        double roof_m;
    } expected[] = {{1, 2, 10}, {1, 1, 10}, {2, 2, 20}, {2, 1, 50}, {2, 1, 5}, {3, 1, 7}, {3, 1, 7}};
    assert_int_equal(scene->parts.count, 7);
    assert_int_equal(scene->points.count, 4 * 9); /* the low part's outline is a hole of the outer one too */
    assert_int_equal(scene->notes.count, 0);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(scene->parts.items[i].building, expected[i].building);
        assert_int_equal(scene->parts.items[i].ring_count, expected[i].rings);
        assert_near(scene->parts.items[i].roof_height_m, expected[i].roof_m, 0);
    }
    assert_true(rw_part_contains(scene, &scene->parts.items[0], rw_vec2_of(10, 10)));
    assert_false(rw_part_contains(scene, &scene->parts.items[0], rw_vec2_of(30, 30)));
    assert_true(isnan(scene->parts.items[2].ground_m)); /* the terrain's */
    assert_true(scene->terrain.values != NULL);
    assert_near(rw_scene_ground_m(scene, rw_vec2_of(50, 50)), 503, 3);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void repairs_and_reports(void **state)
{
    (void)state;
    rw_context *context = make_context();
    /* 1: open; 2: out of order and one wall backwards; 3: one wall alone; 4: two roof heights; 5: a wall of no length
     */
    const char *path =
        write_text("b.res", "0 0 10 0 9 1 1 0\n10 0 10 10 9 1 1 0\n10 10 0 10 9 1 1 0\n"
                            "20 0 30 0 9 2 1 0\n30 10 20 10 9 2 1 0\n30 10 30 0 9 2 1 0\n20 10 20 0 9 2 1 0\n"
                            "40 0 50 0 9 3 1 0\n"
                            "60 0 70 0 8 4 1 0\n70 0 70 10 8 4 1 0\n70 10 60 10 12 4 1 0\n60 10 60 0 12 4 1 0\n"
                            "80 0 90 0 9 5 1 0\n90 0 90 0 9 5 1 0\n90 0 90 10 9 5 1 0\n90 10 80 0 9 5 1 0\n");
    rw_scene *scene = read_uncommitted(context, path);
    assert_int_equal(scene->parts.count, 4);
    assert_int_equal(scene->panels.count, 1);
    assert_int_equal(count_note(scene, "open outlines closed by a straight wall"), 1);
    assert_int_equal(count_note(scene, "outlines that enclose no area, kept as free-standing walls"), 1);
    assert_int_equal(count_note(scene, "outlines whose walls differ in height, set to their mean height"), 1);
    assert_int_equal(count_note(scene, "walls of no length left out"), 1);
    assert_int_equal(rw_ring_size(scene, scene->parts.items[0].first_ring), 4);
    assert_near(fabs(rw_ring_area(rw_ring_points(scene, scene->parts.items[1].first_ring), 4)), 100, 1e-9);
    assert_near(scene->parts.items[2].roof_height_m, 10, 1e-12);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void ignores_altitudes_on_flat_terrain(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_load_options options;
    rw_load_options_init(&options);
    options.commit = 0;
    options.terrain = "flat";
    rw_scene *scene;
    assert_ok(context, rw_scene_load(context, write_text("f.res", SQUARE(0, 0, 9, 9, 5, 1, 77) "0 0 9 9 5 2 1 77\n"),
                                     &options, &scene));
    assert_null(scene->terrain.values);
    assert_near(scene->panels.items[0].bottom_m, 0, 0);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void refuses_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"1 2 3 4 5 6 1\n", "line 1: expected the eight numbers"},
        {"0 0 9 0 5 1 1 0\n9 0 9 9 5 1 1 0\n9 9 0", "line 3"},
        {"0 0 9 0 5 1 1 0 3\n", "more than 8"},
        {"0 0 9 0 5 1 1 x\n", "other text"},
        {"0 0 nan 0 5 1 1 0\n", "line 1: number 3"},
        {"0 0 1 inf 5 1 1 0\n", "line 1: number 4"},
        {"0 0 1e300 0 5 1 1 0\n", "line 1: number 3"},
        {"0 0 1 0 -5 1 1 0\n", "roof height"},
        {"0 0 1 0 0 1 1 0\n", "roof height"},
        {"0 0 1 0 5 1.5 1 0\n", "whole number"},
        {"0 0 1 0 5 -1 1 0\n", "whole number"},
        {"0 0 1 0 5 1 1 1e7\n", "ground altitude"},
        {"\r\n\x1A\r\n", "no walls"},
        {"", "empty"},
    };
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(context, write_text("bad.res", bad[i].text), RW_BAD_INPUT, bad[i].words);
    refuses(context, temporary_path("none.res"), RW_NOT_FOUND, "none.res");
    rw_context_destroy(context);
}

/* One outline holds all walls of a town of one building number, in time near linear. */
static void reads_a_town_of_one_number(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path = temporary_path("town.res");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 10000; i++) {
        int x = i % 100 * 20, y = i / 100 * 20;
        fprintf(file, "%d %d %d %d 9 1 1 0\n%d %d %d %d 9 1 1 0\n%d %d %d %d 9 1 1 0\n", x, y, x + 10, y, x + 10, y,
                x + 10, y + 10, x + 10, y + 10, x, y);
    }
    fclose(file);
    double start_s = rw_seconds();
    rw_scene *scene = read_uncommitted(context, path);
    assert_int_equal(scene->parts.count, 10000);
    assert_true(rw_seconds() - start_s < 5);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void reads_munich_whole(void **state)
{
    (void)state;
    require_test_data(path, "munich/Munich_buildings.res");
    rw_context *context = make_context();
    rw_scene *scene = read_uncommitted(context, path);
    assert_int_equal(scene->parts.count, 2088);
    assert_int_equal(scene->points.count, 17445);
    assert_int_equal(scene->next_building, 2089);
    assert_int_equal(scene->notes.count, 0);
    assert_int_equal(scene->terrain.columns, 49);
    for (size_t i = 0; i < scene->terrain.columns * scene->terrain.rows; i++)
        assert_true(scene->terrain.values[i] >= 505 && scene->terrain.values[i] <= 521);
    printf("Munich read in %.1f ms\n", 1e3 * scene->load_s);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_courtyards_and_parts),        cmocka_unit_test(repairs_and_reports),
        cmocka_unit_test(ignores_altitudes_on_flat_terrain), cmocka_unit_test(refuses_bad_files),
        cmocka_unit_test(reads_a_town_of_one_number),        cmocka_unit_test(reads_munich_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
