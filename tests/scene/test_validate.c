/* Validation on commit: what is repaired, what is left out, what is only told, and what is nothing to tell. */
#include "shapes.h"

#include "base/maths/hash.h"
#include "discretise/prepared.h"

#define NO_LENGTH "buildings with walls of no length, walls removed"
#define SPIKES "buildings with spikes, spikes removed"
#define NO_AREA "buildings of no area left out"
#define NO_HOLE "holes of no area left out"
#define DUPLICATE "duplicate buildings left out"
#define CROSSING "outlines that cross themselves, kept as drawn"
#define OVERLAP "buildings that overlap another, both kept"

typedef struct trial {
    rw_context *context;
    rw_scene *scene;
} trial;

static trial begin(void)
{
    rw_context *context = make_context();
    return (trial){context, make_scene(context)};
}

static rw_scene_info commit(const trial *now)
{
    rw_scene_info info = {.size = sizeof info};
    assert_ok(now->context, rw_scene_commit(now->scene));
    assert_ok(now->context, rw_scene_get_info(now->scene, &info));
    return info;
}

static void end(const trial *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

/* A millimetre before each wall is outside its part, a millimetre behind it inside. */
static void check_normals(const rw_scene *scene)
{
    const rw_wall_list *walls = &scene->prepared->walls;
    for (size_t i = 0; i < walls->count; i++) {
        const rw_part *part = &scene->parts.items[walls->parts[i]];
        rw_vec2 p0 = walls->walls[i].p0, p1 = walls->walls[i].p1, normal = walls->normals[i];
        rw_vec2 before = {0.5 * (p0.x + p1.x) + 1e-3 * normal.x, 0.5 * (p0.y + p1.y) + 1e-3 * normal.y};
        rw_vec2 behind = {before.x - 2e-3 * normal.x, before.y - 2e-3 * normal.y};
        assert_near(hypot(normal.x, normal.y), 1, 1e-12);
        assert_false(rw_part_contains(scene, part, before));
        assert_true(rw_part_contains(scene, part, behind));
    }
}

static void repairs_outlines(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        size_t count, walls;
        double xy[18];
    } cases[] = {
        {NULL, 4, 4, {0, 0, 10, 0, 10, 10, 0, 10}},
        {NULL, 4, 4, {0, 0, 0, 10, 10, 10, 10, 0}}, /* clockwise */
        {NO_LENGTH, 6, 4, {0, 0, 10, 0, 10, 0, 10, 0, 10, 10, 0, 10}},
        {NO_LENGTH, 5, 4, {0, 0, 10, 0, 10, 10, 0, 10, 0, 0}},                        /* closed twice */
        {NO_LENGTH, 5, 4, {0, 0, 10, 0, 10.00001, 0.00001, 10, 10, 0, 10}},           /* as good as repeated */
        {SPIKES, 6, 4, {0, 0, 10, 0, 10, 10, 5, 10, 5, 30, 5, 10}},                   /* ends in a spike */
        {SPIKES, 7, 5, {5, 0, 10, 0, 10, 10, 0, 10, 0, 0, 5, 0, 5, -20}},             /* spike at the seam */
        {SPIKES, 5, 4, {0, -20, 0, 0, 10, 0, 10, 10, 0, 10}},                         /* the first corner is its tip */
        {SPIKES, 8, 4, {0, 0, 10, 0, 10, 10, 10, 20, 10, 30, 10, 20, 10, 10, 0, 10}}, /* in steps out and back */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial now = begin();
        add_outline(now.context, now.scene, cases[i].xy, cases[i].count, 10, "here");
        rw_scene_info info = commit(&now);
        const char *example = "here";
        if (cases[i].what)
            assert_int_equal(note_count(now.scene, cases[i].what, &example), 1);
        assert_string_equal(example, "here");
        assert_int_equal(info.walls, cases[i].walls);
        if (!cases[i].what)
            assert_int_equal(info.notes, 0);
        check_normals(now.scene);
        end(&now);
    }
}

static void leaves_out_what_has_no_area(void **state)
{
    (void)state;
    static const double line[] = {0, 0, 10, 0, 20, 0}, point[] = {5, 5, 5, 5, 5, 5}, two[] = {0, 0, 9, 9};
    trial now = begin();
    add_outline(now.context, now.scene, line, 3, 10, "line");
    add_outline(now.context, now.scene, point, 3, 10, "point");
    add_outline(now.context, now.scene, two, 2, 10, "two");
    add_box(now.context, now.scene, (double[]){100, 100, 110, 110}, 10, "box");
    rw_scene_info info = commit(&now);
    const char *example = "";
    assert_int_equal(note_count(now.scene, NO_AREA, &example), 3);
    assert_string_equal(example, "line");
    assert_int_equal(info.buildings, 1);
    assert_near(info.x_min_m, 100, 0);
    end(&now);
}

/* A courtyard drawn either way round stays a courtyard; one of no area goes. */
static void keeps_holes(void **state)
{
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        trial now = begin();
        double xy[] = {0, 0, 30, 0, 30, 30, 0, 30, 10, 10, 10, 20, 20, 20, 20, 10, 5, 5, 6, 5, 7, 5};
        if (backwards)
            memcpy(xy + 8, (double[]){10, 10, 20, 10, 20, 20, 10, 20}, 8 * sizeof *xy);
        const size_t sizes[] = {4, 4, 3};
        rw_building building = {.size = sizeof building,
                                .xy = xy,
                                .ring_sizes = sizes,
                                .ring_count = 3,
                                .ground_m = NAN,
                                .roof_height_m = 9};
        assert_ok(now.context, rw_scene_add_building(now.scene, &building));
        rw_scene_info info = commit(&now);
        assert_int_equal(info.walls, 8);
        assert_int_equal(info.notes, 1);
        assert_int_equal(note_count(now.scene, NO_HOLE, NULL), 1);
        assert_near(info.built_fraction, 800.0 / 900, 1e-12);
        check_normals(now.scene);
        end(&now);
    }
}

static void leaves_out_duplicates(void **state)
{
    (void)state;
    static const double box[4] = {0, 0, 10, 10};
    static const double turned[] = {10, 10, 10, 0, 0, 0, 0, 10}; /* the same, from elsewhere and clockwise */
    trial now = begin();
    add_box(now.context, now.scene, box, 10, "first");
    add_box(now.context, now.scene, box, 20, "higher");
    add_box(now.context, now.scene, box, 10, "second");
    add_outline(now.context, now.scene, turned, 4, 10, "third");
    rw_scene_info info = commit(&now);
    const char *example = "";
    assert_int_equal(note_count(now.scene, DUPLICATE, &example), 2);
    assert_string_equal(example, "second");
    assert_int_equal(info.parts, 2);
    assert_int_equal(note_count(now.scene, OVERLAP, &example), 2); /* equal outline, other height */
    assert_string_equal(example, "first and higher");
    end(&now);
}

static void tells_crossing_outlines(void **state)
{
    (void)state;
    static const double bow[] = {0, 0, 20, 0, 5, 15, 15, 15}, folded[] = {50, 0, 90, 0, 90, 20, 60, -10};
    trial now = begin();
    add_outline(now.context, now.scene, bow, 4, 10, "bow");
    add_outline(now.context, now.scene, folded, 4, 10, "folded");
    rw_scene_info info = commit(&now);
    const char *example = "";
    assert_int_equal(note_count(now.scene, CROSSING, &example), 2);
    assert_string_equal(example, "bow");
    assert_int_equal(info.notes, 1);
    end(&now);
}

static void tells_overlaps(void **state)
{
    (void)state;
    static const struct {
        double a[4], b[4];
    } pairs[] = {
        {{0, 0, 20, 20}, {10, 10, 30, 30}},                                    /* crossing */
        {{0, 0, 20, 20}, {5, 5, 15, 15}},                                      /* wholly inside */
        {{5, 5, 15, 15}, {0, 0, 20, 20}},   {{0, 0, 20, 20}, {10, 0, 30, 20}}, /* flush on two sides */
        {{0, 0, 20, 20}, {0, 0, 10, 20}},                                      /* flush on three sides */
        {{0, 0, 20, 20}, {0, 0, 20, 20}},                                      /* equal */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int turned = 0; turned < 2; turned++) {
            trial now = begin();
            add_box(now.context, now.scene, pairs[i].a, turned ? 40 : 10, "a");
            add_box(now.context, now.scene, pairs[i].b, turned ? 10 : 40, "b");
            add_box(now.context, now.scene, (double[]){100, 100, 200, 200}, 30, "away");
            rw_scene_info info = commit(&now);
            const char *example = "";
            assert_int_equal(note_count(now.scene, OVERLAP, &example), 2);
            assert_true(strcmp(example, "a and b") == 0 || strcmp(example, "b and a") == 0);
            assert_int_equal(info.notes, 1);
            assert_int_equal(info.parts, 3);
            end(&now);
        }
}

static rw_building part_of(uint32_t number, const double *xy, const size_t *four, double base_m, double roof_m)
{
    return (rw_building){.size = sizeof(rw_building),
                         .building_id = number,
                         .xy = xy,
                         .ring_sizes = four,
                         .ring_count = 1,
                         .ground_m = NAN,
                         .base_height_m = base_m,
                         .roof_height_m = roof_m};
}

static void says_nothing_of_neighbours(void **state)
{
    (void)state;
    static const double beside[][4] = {
        {0, 0, 10, 10}, {10, 0, 20, 10}, {10, 10, 20, 20}, {20, 2, 25, 7}, {20, 7, 30, 9}};
    static const double slanted[] = {30, 0, 40, 7, 33, 17, 23, 10.5, 30, 9}, tower[] = {52, 2, 58, 2, 58, 8, 52, 8};
    static const double podium[] = {50, 0, 60, 0, 60, 10, 50, 10};
    const size_t four = 4;
    trial now = begin();
    for (int i = 0; i < 5; i++)
        add_box(now.context, now.scene, beside[i], 10 + i, "house");
    add_outline(now.context, now.scene, slanted, 5, 12, "slanted");
    const rw_building stacked[] = {part_of(77, podium, &four, 0, 10), part_of(77, tower, &four, 0, 50),
                                   part_of(77, tower, &four, 10, 60), part_of(78, podium, &four, 60, 70)};
    for (int i = 0; i < 4; i++)
        assert_ok(now.context, rw_scene_add_building(now.scene, &stacked[i]));
    rw_scene_info info = commit(&now);
    assert_int_equal(info.notes, 0);
    assert_int_equal(info.parts, 10);
    check_normals(now.scene);
    end(&now);
}

static void overlaps_only_where_heights_do(void **state)
{
    (void)state;
    static const double square[] = {0, 0, 10, 0, 10, 10, 0, 10}, inner[] = {2, 2, 8, 2, 8, 8, 2, 8};
    const size_t four = 4;
    for (int apart = 0; apart < 2; apart++) { /* from 6 to 16 over 0 to 10: neither holds the middle of the other */
        trial now = begin();
        rw_building lower = part_of(1, square, &four, 0, 10), upper = part_of(2, inner, &four, apart ? 10 : 6, 16);
        assert_ok(now.context, rw_scene_add_building(now.scene, &lower));
        assert_ok(now.context, rw_scene_add_building(now.scene, &upper));
        commit(&now);
        assert_int_equal(note_count(now.scene, OVERLAP, NULL), apart ? 0 : 2);
        end(&now);
    }
}

static void refuses_empty_and_huge(void **state)
{
    (void)state;
    static const double line[] = {0, 0, 10, 0, 20, 0};
    trial now = begin();
    check_sentence(now.context, rw_scene_commit(now.scene), RW_BAD_INPUT, "empty");
    add_outline(now.context, now.scene, line, 3, 10, "line");
    check_sentence(now.context, rw_scene_commit(now.scene), RW_BAD_INPUT, "empty");
    add_box(now.context, now.scene, (double[]){0, 0, 10, 10}, 10, "here");
    add_box(now.context, now.scene, (double[]){2e6, 0, 2e6 + 10, 10}, 10, "far");
    check_sentence(now.context, rw_scene_commit(now.scene), RW_BAD_INPUT, "2000 x 0 km");
    end(&now);
}

static void generated_cities_are_clean(void **state)
{
    (void)state;
    static const char *const styles[] = {"european", "grid"};
    rw_context *context = make_context();
    for (int i = 0; i < 20; i++) {
        rw_city_options options;
        rw_city_options_init(&options);
        options.style = styles[i % 2];
        options.hills = i / 2 % 2;
        options.seed = 1 + (uint64_t)i / 4;
        options.width_m = options.depth_m = 1500;
        rw_scene *scene;
        rw_note note = {.size = sizeof note};
        assert_ok(context, rw_generate_city(context, &options, &scene));
        assert_ok(context, rw_scene_commit(scene));
        if (rw_scene_get_note(scene, 0, &note) == RW_OK)
            fail_msg("%s, seed %d: %s: %zu, %s\n", options.style, (int)options.seed, note.what, note.count,
                     note.example);
        rw_scene_destroy(scene);
    }
    rw_context_destroy(context);
}

/* The ground between posts 20 m apart, split from south-west to north-east, without the library's interpolation. */
static double ground_by_hand(const float *posts, size_t columns, double x, double y)
{
    size_t column = (size_t)(x / 20), row = (size_t)(y / 20);
    double u = x / 20 - (double)column, v = y / 20 - (double)row;
    double sw = (double)posts[row * columns + column], se = (double)posts[row * columns + column + 1];
    double nw = (double)posts[(row + 1) * columns + column], ne = (double)posts[(row + 1) * columns + column + 1];
    return u >= v ? sw * (1 - u) + se * (u - v) + ne * v : sw * (1 - v) + nw * (v - u) + ne * u;
}

/* A building stands on the lowest terrain under its outline, which need not be at a corner: against a fine sampling. */
static void stands_on_the_lowest_ground(void **state)
{
    (void)state;
    enum { columns = 12, rows = 11 };
    rw_random random = rw_random_of(7, 0);
    size_t away_from_corners = 0;
    for (int round = 0; round < 60; round++) {
        rw_context *context = make_context();
        rw_scene *scene = make_scene(context);
        float posts[columns * rows];
        for (int i = 0; i < columns * rows; i++)
            posts[i] = 100.0f + (float)(rw_random_next(&random) % 4000) / 100.0f;
        rw_raster terrain = {sizeof terrain, columns, rows, 0, 0, 20, 20, posts};
        assert_ok(context, rw_scene_set_terrain(scene, &terrain));
        double x = 40 + (double)(rw_random_next(&random) % 40), y = 40 + (double)(rw_random_next(&random) % 40);
        double wide = 15 + (double)(rw_random_next(&random) % 70), deep = 15 + (double)(rw_random_next(&random) % 60);
        double lean = 0.2 + 0.01 * (double)(rw_random_next(&random) % 10);
        double xy[8] = {x, y, x + wide, y + lean * deep, x + wide - lean * deep, y + deep, x + 3, y + 0.8 * deep};
        add_outline(context, scene, xy, 4, 10, "house");
        assert_ok(context, rw_scene_commit(scene));
        const rw_part *part = &scene->parts.items[0];
        double lowest = INFINITY, corners = INFINITY, step = 0.02;
        for (int i = 0; i < 4; i++) {
            const double *from = xy + 2 * i, *to = xy + 2 * ((i + 1) % 4);
            corners = fmin(corners, ground_by_hand(posts, columns, from[0], from[1]));
            for (double t = 0; t <= 1; t += 1e-4)
                lowest = fmin(lowest, ground_by_hand(posts, columns, from[0] + t * (to[0] - from[0]),
                                                     from[1] + t * (to[1] - from[1])));
        }
        for (double sy = y; sy < y + deep; sy += 10 * step)
            for (double sx = x - deep; sx < x + wide; sx += 10 * step)
                if (rw_part_contains(scene, part, rw_vec2_sub(rw_vec2_of(sx, sy), scene->origin)))
                    lowest = fmin(lowest, ground_by_hand(posts, columns, sx, sy));
        assert_true(part->ground_m <= lowest + 1e-6); /* posts are floats */
        assert_near(part->ground_m, lowest, 0.6);     /* a sample is 0.2 m off, slopes are up to 2 */
        assert_near(part->top_m, part->ground_m + 10, 1e-9);
        away_from_corners += part->ground_m < corners - 0.5;
        rw_scene_destroy(scene);
        rw_context_destroy(context);
    }
    assert_true(away_from_corners > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repairs_outlines),
        cmocka_unit_test(leaves_out_what_has_no_area),
        cmocka_unit_test(keeps_holes),
        cmocka_unit_test(leaves_out_duplicates),
        cmocka_unit_test(tells_crossing_outlines),
        cmocka_unit_test(tells_overlaps),
        cmocka_unit_test(says_nothing_of_neighbours),
        cmocka_unit_test(overlaps_only_where_heights_do),
        cmocka_unit_test(stands_on_the_lowest_ground),
        cmocka_unit_test(refuses_empty_and_huge),
        cmocka_unit_test(generated_cities_are_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
