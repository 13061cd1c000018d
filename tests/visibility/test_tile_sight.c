/* labels: slow */
/* Visibility of tile pairs: the fast form equals brute force in double on every pair; symmetric; on any backend and in
 * any bands. Cities of about 5 000 tiles. */
#include "shapes.h"
#include "visibility/tiles/tiles.h"

static rw_tiles make_tiles(rw_context *context, const rw_scene *scene, double area_m2)
{
    rw_tile_options options;
    rw_tiles tiles;
    rw_tile_options_init(&options);
    options.area_m2 = area_m2;
    assert_ok(context, rw_tiles_create(scene, &options, &tiles));
    return tiles;
}

static void scan(const rw_scene *scene, const rw_tiles *tiles, rw_tile_method method, double bytes, rw_tile_half *half)
{
    rw_tile_scan scan;
    *half = (rw_tile_half){0};
    assert_ok(scene->context, rw_tile_scan_create(scene, tiles, method, bytes, &scan));
    double start_s = rw_seconds();
    assert_ok(scene->context, rw_tile_scan_all(&scan, half));
    printf("  %s %.3f s, %u decks\n", method == RW_TILES_FAST ? "fast" : "brute", rw_seconds() - start_s,
           scan.geometry.view.deck_count);
    rw_tile_scan_destroy(&scan);
}

static size_t differing(const rw_tile_half *a, const rw_tile_half *b)
{
    size_t count = 0;
    assert_int_equal(a->row_count, b->row_count);
    for (uint32_t row = 0; row < a->row_count; row++) {
        uint64_t i = a->firsts.items[row], k = b->firsts.items[row];
        uint64_t i_end = a->firsts.items[row + 1], k_end = b->firsts.items[row + 1];
        while (i < i_end || k < k_end) {
            uint32_t block_a = i < i_end ? a->blocks.items[i] : UINT32_MAX;
            uint32_t block_b = k < k_end ? b->blocks.items[k] : UINT32_MAX;
            uint32_t mask_a = block_a <= block_b ? a->masks.items[i++] : 0;
            uint32_t mask_b = block_b <= block_a ? b->masks.items[k++] : 0;
            count += rw_bit_count(mask_a ^ mask_b);
        }
    }
    return count;
}

/* Complete rows hold each pair of the half twice and nothing else. */
static void check_complete(rw_context *context, const rw_tile_half *half)
{
    rw_tile_sight sight;
    uint64_t pairs = 0;
    assert_ok(context, rw_tile_sight_complete(context, half, &sight));
    for (uint32_t row = 0; row < half->row_count; row++)
        for (uint64_t i = half->firsts.items[row]; i < half->firsts.items[row + 1]; i++)
            for (uint32_t bits = half->masks.items[i]; bits; bits &= bits - 1) {
                uint32_t other = half->blocks.items[i] * RW_TILE_BLOCK + rw_lowest_bit(bits);
                assert_true(other > row && other < half->row_count);
                assert_true(rw_tile_sees(&sight.view, row, other) && rw_tile_sees(&sight.view, other, row));
                pairs++;
            }
    assert_true(rw_tile_sight_entries(&sight) == 2 * pairs);
    for (uint32_t row = 0; row < half->row_count; row++)
        for (uint64_t i = sight.view.firsts[row] + 1; i < sight.view.firsts[row + 1]; i++)
            assert_true(sight.view.blocks[i - 1] < sight.view.blocks[i]);
    printf("  %u tiles, %.1f seen by each, %.2f words\n", half->row_count, 2.0 * (double)pairs / half->row_count,
           (double)sight.word_count / half->row_count);
    rw_tile_sight_destroy(&sight);
}

static void compare(const char *style, double side_m, uint64_t seed, int hills, double area_m2)
{
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, style, side_m, seed, hills);
    rw_tiles tiles = make_tiles(context, scene, area_m2);
    rw_tile_half fast, brute, bands;
    printf("%s %d hills %d\n", style, (int)seed, hills);
    scan(scene, &tiles, RW_TILES_FAST, 0, &fast);
    scan(scene, &tiles, RW_TILES_FAST, 1, &bands);
    scan(scene, &tiles, RW_TILES_BRUTE, 0, &brute);
    check_complete(context, &fast);
    assert_int_equal(differing(&fast, &bands), 0);
    assert_int_equal(differing(&fast, &brute), 0);
    rw_tile_half_free(&fast);
    rw_tile_half_free(&bands);
    rw_tile_half_free(&brute);
    rw_tiles_destroy(&tiles);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void test_cities(void **state)
{
    (void)state;
    const char *quick = getenv("RASTERWAVE_QUICK");
    double side_m = quick && *quick == '1' ? 220 : 480;
    compare("european", side_m, 1, 0, 100);
    compare("european", side_m, 2, 1, 100);
    compare("grid", 0.8 * side_m, 3, 0, 100);
    compare("grid", 0.8 * side_m, 4, 1, 100);
}

/* The GPU sees what the CPU sees. Both decide in double, but may round otherwise: one pair in a million may differ. */
static void test_gpu(void **state)
{
    (void)state;
    rw_context *cpu = make_context(), *gpu = make_context_of(RW_BACKEND_CUDA, 0);
    if (!gpu) {
        rw_context_destroy(cpu);
        skip_test("no GPU");
    }
    for (int hills = 0; hills < 2; hills++) {
        rw_scene *here = make_generated_city(cpu, hills ? "grid" : "european", 480, 6, hills);
        rw_scene *there = make_generated_city(gpu, hills ? "grid" : "european", 480, 6, hills);
        rw_tiles tiles = make_tiles(cpu, here, 100), same = make_tiles(gpu, there, 100);
        rw_tile_half on_cpu, on_gpu, brute;
        scan(here, &tiles, RW_TILES_FAST, 0, &on_cpu);
        scan(there, &same, RW_TILES_FAST, 0, &on_gpu);
        scan(there, &same, RW_TILES_BRUTE, 0, &brute);
        size_t most = (size_t)tiles.view.tile_count * tiles.view.tile_count / 2000000;
        printf("  %zu and %zu pairs differ\n", differing(&on_cpu, &on_gpu), differing(&on_gpu, &brute));
        assert_true(differing(&on_cpu, &on_gpu) <= most && differing(&on_gpu, &brute) <= most);
        rw_tile_half_free(&on_cpu);
        rw_tile_half_free(&on_gpu);
        rw_tile_half_free(&brute);
        rw_tiles_destroy(&tiles);
        rw_tiles_destroy(&same);
        rw_scene_destroy(here);
        rw_scene_destroy(there);
    }
    rw_context_destroy(cpu);
    rw_context_destroy(gpu);
}

/* Places outside buildings: over streets, on roofs, far above. */
static void test_sources(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "grid", 400, 5, 1);
    rw_tiles tiles = make_tiles(context, scene, 100);
    rw_device_view placed;
    assert_ok(context, rw_tile_geometry_upload(scene, &tiles, RW_BACKEND_CPU, &placed));
    uint8_t *seen = malloc(tiles.view.tile_count);
    size_t sum = 0;
    for (int i = 0; i < 40; i++) {
        const rw_tile *at = &tiles.view.tiles[(size_t)i * tiles.view.tile_count / 40];
        double off_m = at->normal.z > 0.5 ? 0.3 + 13 * (i % 5) : 0.3; /* not into the house opposite */
        rw_vec3 source = rw_vec3_add(at->centre, rw_vec3_scale(at->normal, off_m));
        assert_ok(context, rw_tile_geometry_see_source(context, &placed, source, seen));
        for (uint32_t t = 0; t < tiles.view.tile_count; t++) {
            const rw_tile *tile = &tiles.view.tiles[t];
            int exact = rw_tile_faces(tile, source) && rw_line_clear_exact(&placed.view, rw_tile_point(tile), source);
            assert_int_equal(seen[t], exact);
            sum += (size_t)exact;
        }
    }
    assert_true(sum > 40 * 50);
    free(seen);
    rw_tile_geometry_release(&placed);
    rw_tiles_destroy(&tiles);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A bridge: what is under it sees its sides and what is beyond, and does not see through its deck. */
static void test_bridge(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double deck[] = {20, 0, 40, 0, 40, 60, 20, 60};
    const size_t ring = 4;
    rw_building bridge = {.size = sizeof bridge,
                          .xy = deck,
                          .ring_sizes = &ring,
                          .ring_count = 1,
                          .ground_m = NAN,
                          .base_height_m = 10,
                          .roof_height_m = 12};
    assert_ok(context, rw_scene_add_building(scene, &bridge));
    add_box(context, scene, (double[]){0, 0, 5, 60}, 40, "west");
    add_box(context, scene, (double[]){55, 0, 60, 60}, 40, "east");
    assert_ok(context, rw_scene_commit(scene));
    rw_tiles tiles = make_tiles(context, scene, 25);
    rw_tile_half fast, brute;
    scan(scene, &tiles, RW_TILES_FAST, 0, &fast);
    scan(scene, &tiles, RW_TILES_BRUTE, 0, &brute);
    assert_int_equal(differing(&fast, &brute), 0);
    rw_device_view placed;
    assert_ok(context, rw_tile_geometry_upload(scene, &tiles, RW_BACKEND_CPU, &placed));
    assert_int_equal(placed.view.deck_count, 1);
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_vec3 under = {30 - centre.x, 30 - centre.y, 1}, above = {30.5 - centre.x, 30 - centre.y, 30};
    assert_int_equal(rw_line_clear(&placed.view, under, above), 0);
    assert_int_equal(rw_line_clear_exact(&placed.view, under, above), 0);
    rw_vec3 beside = {47 - centre.x, 30 - centre.y, 15};
    assert_int_equal(rw_line_clear(&placed.view, beside, rw_vec3_of(47 - centre.x, 31 - centre.y, 1)), 1);
    rw_tile_geometry_release(&placed);
    rw_tile_half_free(&fast);
    rw_tile_half_free(&brute);
    rw_tiles_destroy(&tiles);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cities), cmocka_unit_test(test_gpu),
                                       cmocka_unit_test(test_sources), cmocka_unit_test(test_bridge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
