/* labels: files */
/* The tile database as a file: what is read is what was written; a stopped run goes on; damage and other scenes are
 * refused; small; an update equals a full run. */
#include "forge_container.h"
#include "shapes.h"
#include "temporary.h"

#include "base/file.h"
#include "models/tiles/database/database.h"

static rw_preprocess_options tile_options(void)
{
    rw_preprocess_options options;
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    return options;
}

/* Same rows of complete visibility. */
static void check_same(const rw_tile_sight *a, const rw_tile_sight *b)
{
    assert_int_equal(a->view.tile_count, b->view.tile_count);
    assert_true(a->word_count == b->word_count);
    assert_memory_equal(a->view.firsts, b->view.firsts, (a->view.tile_count + 1) * sizeof *a->view.firsts);
    assert_memory_equal(a->view.blocks, b->view.blocks, a->word_count * sizeof *a->view.blocks);
    assert_memory_equal(a->view.masks, b->view.masks, a->word_count * sizeof *a->view.masks);
}

static void test_round_trip(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "european", 480, 1, 1),
             *other = make_generated_city(context, "european", 480, 2, 1);
    const char *path = temporary_path("city.rwdb");
    rw_preprocess_options options = tile_options();
    assert_ok(context, rw_preprocess(scene, &options, path));
    rw_database *database, *none;
    assert_ok(context, rw_database_load(scene, path, &database));
    rw_tile_sight sight;
    assert_ok(context, rw_tile_sight_create(scene, &rw_tile_database_of(database)->tiles, RW_TILES_FAST, &sight));
    check_same(&rw_tile_database_of(database)->sight, &sight);
    rw_database_info info = {.size = sizeof info};
    rw_database_get_info(database, &info);
    printf("%zu tiles, %zu entries, %.3f bytes an entry\n", info.tiles, info.entries,
           info.bytes / (double)info.entries);
    assert_true(info.entries == rw_tile_sight_entries(&sight) && info.tiles == sight.view.tile_count);
    assert_true(info.bytes < 0.8 * (double)info.entries); /* plain columns would take 4 */
    check_sentence(context, rw_database_load(other, path, &none), RW_BAD_INPUT, "another scene");
    rw_tile_sight_destroy(&sight);
    rw_database_destroy(database);
    rw_scene_destroy(scene);
    rw_scene_destroy(other);
    rw_context_destroy(context);
}

static int stop_at_half(void *user, double share, const char *stage)
{
    (void)user, (void)stage;
    return share > 0.5 && share < 1;
}

/* Stopped by its progress, once with damage to the end of what it left, then ended: the same bytes as in one go. */
static void test_resume(void **state)
{
    (void)state;
    rw_context_options stopping;
    rw_context_options_init(&stopping);
    stopping.backend = RW_BACKEND_CPU;
    stopping.on_progress = stop_at_half;
    rw_context *context = make_context(), *stopped;
    assert_int_equal(rw_context_create(&stopping, &stopped), RW_OK);
    rw_scene *scene = make_generated_city(context, "grid", 400, 1, 0),
             *same = make_generated_city(stopped, "grid", 400, 1, 0);
    char whole[2048], part[2048], left[2064];
    snprintf(whole, sizeof whole, "%s", temporary_path("whole.rwdb"));
    snprintf(part, sizeof part, "%s", temporary_path("part.rwdb"));
    snprintf(left, sizeof left, "%s.unfinished", part);
    rw_preprocess_options options = tile_options();
    options.memory_bytes = 1; /* a band for each record */
    assert_ok(context, rw_preprocess(scene, &options, whole));
    char *expected, *bytes;
    size_t expected_size, size;
    assert_ok(context, rw_file_read(context, whole, &expected, &expected_size));
    for (int damage = 0; damage < 2; damage++) {
        assert_int_equal(rw_preprocess(same, &options, part), RW_CANCELLED);
        assert_int_equal(access(part, R_OK), -1);
        assert_ok(context, rw_file_read(context, left, &bytes, &size));
        assert_true(size > expected_size / 3 && size < expected_size);
        rw_database *none;
        check_sentence(context, rw_database_load(scene, left, &none), RW_BAD_INPUT, "not finished");
        free(bytes);
        if (damage)
            assert_int_equal(truncate(left, (off_t)(size - 100)), 0);
        assert_ok(context, rw_preprocess(scene, &options, part));
        assert_int_equal(access(left, R_OK), -1);
        assert_ok(context, rw_file_read(context, part, &bytes, &size));
        assert_true(size == expected_size && memcmp(bytes, expected, size) == 0);
        free(bytes);
        unlink(part);
    }
    free(expected);
    rw_scene_destroy(scene);
    rw_scene_destroy(same);
    rw_context_destroy(context);
    rw_context_destroy(stopped);
}

/* Every byte of the header changed, many others, and the file cut anywhere. */
static void test_damage(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "european", 200, 1, 0);
    char path[2048];
    snprintf(path, sizeof path, "%s", temporary_path("small.rwdb"));
    rw_preprocess_options options = tile_options();
    assert_ok(context, rw_preprocess(scene, &options, path));
    char *bytes;
    size_t size;
    rw_database_info info = {.size = sizeof info};
    assert_ok(context, rw_file_read(context, path, &bytes, &size));
    for (size_t at = 0; at < size; at += at < 400 ? 1 : size / 97) {
        bytes[at] = (char)(bytes[at] ^ 0x41);
        const char *copy = write_bytes("damaged.rwdb", bytes, size);
        bytes[at] = (char)(bytes[at] ^ 0x41);
        if (rw_database_read_info(context, copy, &info) != RW_BAD_INPUT)
            fail_msg("byte %zu of %zu changed, and it is read\n", at, size);
    }
    for (size_t length = 1; length < size; length += 1 + size / 41)
        assert_int_equal(rw_database_read_info(context, write_bytes("damaged.rwdb", bytes, length), &info),
                         RW_BAD_INPUT);
    free(bytes);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Puts a number into a section whose hashes then are right. */
static const char *forge_number(const char *bytes, size_t size, const char *section, size_t offset, double number)
{
    unsigned char *forged = malloc(size);
    memcpy(forged, bytes, size);
    size_t at = sizeof(rw_container_header);
    for (;;) {
        rw_container_head head;
        memcpy(&head, forged + at, sizeof head);
        at += sizeof head;
        if (strcmp(head.name, section) == 0)
            break;
        at += ((size_t)head.count * head.element_bytes + 7) / 8 * 8;
    }
    memcpy(forged + at + offset, &number, sizeof number);
    forge_container(forged, size);
    const char *path = write_bytes("forged.rwdb", forged, size);
    free(forged);
    return path;
}

/* Whole by its hashes, with numbers that are not on Earth. */
static void test_numbers(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -2e9};
    static const struct {
        const char *section;
        size_t offset;
    } places[] = {{"subject", offsetof(rw_tile_subject, area_m2)},  {"subject", offsetof(rw_tile_subject, min_m)},
                  {"subject", offsetof(rw_tile_subject, min_m2)},   {"obstacles", offsetof(rw_tile_obstacle, west)},
                  {"obstacles", offsetof(rw_tile_obstacle, north)}, {"obstacles", offsetof(rw_tile_obstacle, top)}};
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "european", 200, 1, 0);
    char path[2048], *bytes;
    snprintf(path, sizeof path, "%s", temporary_path("numbers.rwdb"));
    rw_preprocess_options options = tile_options();
    assert_ok(context, rw_preprocess(scene, &options, path));
    size_t size;
    assert_ok(context, rw_file_read(context, path, &bytes, &size));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            rw_database *none;
            const char *forged = forge_number(bytes, size, places[i].section, places[i].offset, bad[k]);
            check_sentence(context, rw_database_load(scene, forged, &none), RW_BAD_INPUT, places[i].section);
        }
    free(bytes);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Codes of rows that are not trusted: any bytes are decoded or refused, and what is decoded is sound. */
static void test_codes(void **state)
{
    (void)state;
    rw_context *context = make_context();
    uint64_t random = 1;
    size_t accepted = 0;
    /* Tile 0 sees 1 and 40, tile 1 sees nothing, tile 2 sees 89. */
    static const unsigned char sound[] = {2, 0x10, 0x02, 0x20, 0x01, 0, 1, 0x82, 0x02};
    for (int turn = 0; turn < 20000; turn++) {
        unsigned char bytes[sizeof sound];
        memcpy(bytes, sound, sizeof bytes);
        for (int change = 0; change < turn % 4; change++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bytes[(random >> 33) % sizeof bytes] = (unsigned char)(random >> 56);
        }
        rw_tile_half half = {0};
        int valid;
        assert_ok(context, rw_tile_rows_decode(context, bytes, turn % 5 ? sizeof bytes : (size_t)turn % sizeof bytes, 3,
                                               90, &half, &valid));
        for (uint32_t row = 0; valid && row < 3; row++)
            for (uint64_t i = half.firsts.items[row]; i < half.firsts.items[row + 1]; i++)
                assert_true(half.blocks.items[i] < 3 && half.masks.items[i] != 0);
        accepted += (size_t)valid;
        rw_tile_half_free(&half);
    }
    assert_true(accepted > 4000 && accepted < 10000);
    rw_context_destroy(context);
}

static void test_estimate(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "european", 480, 1, 0);
    const char *path = temporary_path("estimated.rwdb");
    rw_preprocess_options options = tile_options();
    rw_preprocess_estimate estimate = {.size = sizeof estimate};
    rw_database_info info = {.size = sizeof info};
    options.memory_bytes = 1e6;
    assert_ok(context, rw_preprocess_get_estimate(scene, &options, &estimate));
    assert_ok(context, rw_preprocess(scene, &options, path));
    assert_ok(context, rw_database_read_info(context, path, &info));
    assert_int_equal(estimate.tiles, info.tiles);
    assert_true(estimate.bands > 1 && estimate.seconds > 0 && estimate.memory_bytes > 0);
    assert_near(estimate.file_bytes / info.bytes, 1, 0.5);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A copy of a city in which one building is higher, one is gone and one is new. */
static rw_scene *make_changed(rw_context *context, double side_m, uint64_t seed, int hills)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = side_m;
    options.seed = seed;
    options.hills = hills;
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    size_t middle = scene->parts.count / 2;
    scene->parts.items[middle].roof_height_m += 11;
    for (size_t i = 0; i < rw_ring_size(scene, scene->parts.items[middle + 7].first_ring); i++)
        scene->points.items[scene->ring_first.items[scene->parts.items[middle + 7].first_ring] + i].x += 3;
    add_box(context, scene, (double[]){0.48 * side_m, 0.5 * side_m, 0.48 * side_m + 14, 0.5 * side_m + 9}, 33, "new");
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static void compare_update(int hills)
{
    rw_context *context = make_context();
    rw_scene *before = make_generated_city(context, "european", 450, 7, hills),
             *after = make_changed(context, 450, 7, hills);
    char old[2048], updated[2048], whole[2048];
    snprintf(old, sizeof old, "%s", temporary_path("old.rwdb"));
    snprintf(updated, sizeof updated, "%s", temporary_path("updated.rwdb"));
    snprintf(whole, sizeof whole, "%s", temporary_path("whole.rwdb"));
    rw_preprocess_options options = tile_options();
    assert_ok(context, rw_preprocess(before, &options, old));
    assert_ok(context, rw_preprocess(after, &options, whole));
    options.update = old;
    assert_ok(context, rw_preprocess(after, &options, updated));
    char *expected, *bytes;
    size_t expected_size, size;
    assert_ok(context, rw_file_read(context, whole, &expected, &expected_size));
    assert_ok(context, rw_file_read(context, updated, &bytes, &size));
    assert_true(size == expected_size && memcmp(bytes, expected, size) == 0);
    free(bytes);
    assert_ok(context, rw_file_read(context, old, &bytes, &size));
    assert_true(size != expected_size || memcmp(bytes, expected, size) != 0);
    free(bytes);
    free(expected);
    rw_scene_destroy(before);
    rw_scene_destroy(after);
    rw_context_destroy(context);
}

/* What the change keeps, and what it asks again. */
static void check_kept(void)
{
    rw_context *context = make_context();
    rw_scene *before = make_generated_city(context, "european", 450, 7, 0), *after = make_changed(context, 450, 7, 0);
    char old[2048];
    snprintf(old, sizeof old, "%s", temporary_path("old.rwdb"));
    rw_preprocess_options options = tile_options();
    assert_ok(context, rw_preprocess(before, &options, old));
    rw_tile_options cut;
    rw_tiles tiles;
    rw_tile_identity identity;
    rw_tile_change change;
    rw_tile_options_init(&cut);
    assert_ok(context, rw_tiles_create(after, &cut, &tiles));
    assert_ok(context, rw_tile_identity_compute(after, &tiles, &identity));
    assert_ok(context, rw_tile_change_find(after, &identity, old, &change));
    printf("%zu of %u tiles known, %zu boxes changed\n", change.existing_count, tiles.view.tile_count,
           change.boxes.count);
    assert_true(change.boxes.count >= 4 && change.boxes.count <= 6); /* higher and moved: before and after; new */
    assert_true(change.existing_count > 0.95 * tiles.view.tile_count && change.existing_count < tiles.view.tile_count);
    rw_tile_change_free(&change);
    rw_tile_identity_free(&identity);
    rw_tiles_destroy(&tiles);
    rw_scene_destroy(before);
    rw_scene_destroy(after);
    rw_context_destroy(context);
}

static void test_update(void **state)
{
    (void)state;
    compare_update(0);
    compare_update(1);
    check_kept();
}

/* Another terrain is no change of buildings. */
static void test_update_refused(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *flat = make_generated_city(context, "european", 250, 7, 0),
             *hilly = make_generated_city(context, "european", 250, 7, 1);
    char old[2048];
    snprintf(old, sizeof old, "%s", temporary_path("flat.rwdb"));
    rw_preprocess_options options = tile_options();
    assert_ok(context, rw_preprocess(flat, &options, old));
    options.update = old;
    const char *path = temporary_path("hilly.rwdb");
    check_sentence(context, rw_preprocess(hilly, &options, path), RW_BAD_INPUT, "another terrain");
    rw_scene_destroy(flat);
    rw_scene_destroy(hilly);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_resume),
                                       cmocka_unit_test(test_damage),     cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_codes),      cmocka_unit_test(test_estimate),
                                       cmocka_unit_test(test_update),     cmocka_unit_test(test_update_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
