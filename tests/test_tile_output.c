/* Values on tiles as files: each is read back by a reader that did not write it. */
#include "base/file.h"
#include "base/text/json.h"
#include "ext/gdal.h"
#include "output/tiles/tile_map.h"
#include "shapes.h"
#include "temporary.h"
#include "visibility/tiles/tile_sight.h"

typedef struct made_map {
    rw_context *context;
    rw_scene *scene;
    rw_tiles tiles;
    rw_tile_map *map;
    float *seen, *heights;
} made_map;

/* Two layers: how many tiles each sees, and its altitude, in two bands. */
static made_map make_map(double side_m)
{
    made_map made = {.context = make_context()};
    rw_city_options options;
    rw_tile_options cut;
    rw_tile_sight sight;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = side_m;
    options.hills = 1;
    assert_ok(made.context, rw_generate_city(made.context, &options, &made.scene));
    assert_ok(made.context, rw_scene_commit(made.scene));
    rw_tile_options_init(&cut);
    assert_ok(made.context, rw_tiles_create(made.scene, &cut, &made.tiles));
    assert_ok(made.context, rw_tile_sight_create(made.scene, &made.tiles, RW_TILES_FAST, &sight));
    assert_ok(made.context, rw_tile_map_create(made.scene, &made.tiles, "tiles", &made.map));
    assert_ok(made.context, rw_map_add_layer(made.map->values, "seen", "tiles", 1, &made.seen));
    assert_ok(made.context, rw_map_add_layer(made.map->values, "altitude", "m", 2, &made.heights));
    for (size_t i = 0; i < made.map->count; i++) {
        made.seen[i] = 0;
        for (uint64_t k = sight.view.firsts[i]; k < sight.view.firsts[i + 1]; k++)
            made.seen[i] += (float)rw_bit_count(sight.view.masks[k]);
        made.heights[i] = (float)made.tiles.view.tiles[i].centre.z;
        made.heights[made.map->count + i] = -made.heights[i];
    }
    made.seen[7] = NAN;
    made.seen[8] = INFINITY;
    rw_tile_sight_destroy(&sight);
    return made;
}

static void end_map(made_map *made)
{
    rw_tile_map_destroy(made->map);
    rw_tiles_destroy(&made->tiles);
    rw_scene_destroy(made->scene);
    rw_context_destroy(made->context);
}

/* Read as a scene: two triangles a tile, the same extent. */
static void test_ply(void **state)
{
    (void)state;
    made_map made = make_map(220);
    const char *path = temporary_path("tiles.ply");
    assert_ok(made.context, rw_tile_map_write(made.map, path, NULL));
    rw_scene *mesh;
    rw_scene_info info = {.size = sizeof info}, own = {.size = sizeof own};
    assert_ok(made.context, rw_scene_load(made.context, path, NULL, &mesh));
    rw_scene_get_info(mesh, &info);
    rw_scene_get_info(made.scene, &own);
    assert_int_equal(info.triangles, 2 * made.map->count);
    assert_near(info.x_min_m, own.x_min_m, 3);
    assert_near(info.y_max_m, own.y_max_m, 3);
    rw_scene_destroy(mesh);
    end_map(&made);
}

static uint32_t word_at(const char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* Header, sizes of the chunks, JSON that parses, places within the accessor's bounds. */
static void test_gltf(void **state)
{
    (void)state;
    made_map made = make_map(220);
    const char *path = temporary_path("tiles.glb");
    rw_tile_write_options options;
    rw_tile_write_options_init(&options);
    options.layer = "altitude";
    options.band = 1;
    assert_ok(made.context, rw_tile_map_write(made.map, path, &options));
    char *bytes;
    size_t size;
    assert_ok(made.context, rw_file_read(made.context, path, &bytes, &size));
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(word_at(bytes + 4), 2);
    assert_int_equal(word_at(bytes + 8), size);
    uint32_t json = word_at(bytes + 12), data = word_at(bytes + 20 + json);
    assert_memory_equal(bytes + 16, "JSON", 4);
    assert_memory_equal(bytes + 24 + json, "BIN", 4);
    assert_int_equal(28 + json + data, size);
    assert_int_equal(data, 88 * made.map->count);
    const char *places = bytes + 28 + json;
    for (size_t i = 0; i < 4 * made.map->count; i++) {
        rw_vec3 corner = made.map->corners[i / 4][i % 4];
        float place[3];
        memcpy(place, places + 12 * i, sizeof place);
        assert_true(place[0] == (float)corner.x && place[1] == (float)corner.z && place[2] == (float)-corner.y);
    }
    for (size_t i = 0; i < 6 * made.map->count; i++)
        assert_true(word_at(places + 64 * made.map->count + 4 * i) < 4 * made.map->count);
    char *text = calloc(json + 1, 1);
    memcpy(text, bytes + 20, json);
    rw_json tree;
    assert_ok(made.context, rw_json_parse(made.context, path, text, json, &tree)); /* takes the text over */
    rw_json_free(&tree);
    free(bytes);
    end_map(&made);
}

/* Polygons with heights, all fields; what has no value has none. */
static void test_vector(void **state)
{
    (void)state;
    if (!rw_gdal_is_in())
        skip_test("this build has no GDAL");
    made_map made = make_map(220);
    const char *path = temporary_path("tiles.gpkg");
    assert_ok(made.context, rw_tile_map_write(made.map, path, NULL));
    rw_vector_file *file;
    int more;
    size_t count = 0;
    assert_ok(made.context, rw_vector_open(made.context, path, &file));
    assert_ok(made.context, rw_vector_select(file, 0));
    int seen = rw_vector_find_field(file, "seen"), second = rw_vector_find_field(file, "altitude_2");
    int kind = rw_vector_find_field(file, "kind"), material = rw_vector_find_field(file, "material");
    assert_true(seen >= 0 && second >= 0 && kind >= 0 && material >= 0);
    for (;; count++) {
        assert_ok(made.context, rw_vector_next(file, &more));
        if (!more)
            break;
        double value;
        assert_int_equal(rw_vector_real(file, seen, &value), count != 7 && count != 8);
        if (count != 7 && count != 8)
            assert_near(value, (double)made.seen[count], 1e-6);
        assert_int_equal(rw_vector_real(file, second, &value), 1);
        assert_near(value, -(double)made.heights[count], 1e-6);
        assert_string_equal(rw_vector_text(file, kind), rw_tile_kind_name(made.map->kinds[count]));
        if (made.map->kinds[count] == RW_TILE_GROUND)
            assert_string_equal(rw_vector_text(file, material), "itu_medium_dry_ground");
    }
    assert_int_equal(count, made.map->count);
    rw_vector_close(file);
    end_map(&made);
}

/* Every cell whose centre is on a tile of the ground has its value, the others none. */
static void test_raster(void **state)
{
    (void)state;
    made_map made = make_map(220);
    const char *path = temporary_path(rw_gdal_is_in() ? "ground.tif" : "ground.bin");
    rw_tile_write_options options;
    rw_tile_write_options_init(&options);
    options.layer = "altitude";
    assert_ok(made.context, rw_tile_map_write(made.map, path, &options));
    rw_map *map;
    rw_map_info info = {.size = sizeof info};
    rw_map_layer layer = {.size = sizeof layer};
    assert_ok(made.context, rw_map_read(made.context, path, &map));
    rw_map_get_info(map, &info);
    assert_ok(made.context, rw_map_get_layer(map, 0, &layer));
    assert_int_equal(layer.bands, 2);
    size_t found = 0;
    for (size_t i = 0; i < made.map->count; i++) {
        if (made.map->kinds[i] != RW_TILE_GROUND)
            continue;
        rw_vec3 at = made.tiles.view.tiles[i].centre;
        double x = at.x + made.map->origin.x, y = at.y + made.map->origin.y;
        size_t column = (size_t)((x - info.x0_m) / info.res_m), row = (size_t)((y - info.y0_m) / info.res_m);
        found += fabsf(layer.values[row * info.columns + column] - made.heights[i]) < 1e-3f;
    }
    size_t ground = 0;
    for (size_t i = 0; i < made.map->count; i++)
        ground += made.map->kinds[i] == RW_TILE_GROUND;
    assert_true(found > 0.9 * (double)ground); /* cells are square, tiles nearly */
    rw_map_destroy(map);
    end_map(&made);
}

/* A transmitter in the city is marked; one far above it neither is nor makes the picture another size. */
static void check_mark(made_map *made, const char *path)
{
    rw_transmitter transmitter;
    char *bytes[2];
    size_t sizes[2];
    rw_transmitter_init(&transmitter);
    assert_ok(made->context, rw_map_set_transmitters(made->map->values, &transmitter, 1));
    assert_ok(made->context, rw_tile_map_add_sources(made->map, 1));
    made->map->freqs_hz[0] = 2e9;
    for (int i = 0; i < 2; i++) {
        made->map->sources[0] = i ? made->map->corners[0][0] : rw_vec3_make(0, 0, 9e4);
        assert_ok(made->context, rw_tile_map_write(made->map, path, NULL));
        assert_ok(made->context, rw_file_read(made->context, path, &bytes[i], &sizes[i]));
    }
    assert_memory_equal(bytes[0] + 16, bytes[1] + 16, 8); /* width and height */
    assert_true(sizes[0] != sizes[1] || memcmp(bytes[0], bytes[1], sizes[0]) != 0);
    free(bytes[0]);
    free(bytes[1]);
}

/* A picture is there, and most of it is not paper; refusals. */
static void test_picture(void **state)
{
    (void)state;
    made_map made = make_map(400);
    const char *path = temporary_path("tiles.png");
    rw_tile_write_options options;
    rw_tile_write_options_init(&options);
    assert_ok(made.context, rw_tile_map_write(made.map, path, &options));
    char *bytes;
    size_t size;
    assert_ok(made.context, rw_file_read(made.context, path, &bytes, &size));
    assert_memory_equal(bytes + 1, "PNG", 3);
    assert_true(size > 20000);
    free(bytes);
    check_mark(&made, path);
    options.elevation_deg = 2;
    check_sentence(made.context, rw_tile_map_write(made.map, path, &options), RW_BAD_CALL, "degrees above");
    options.layer = "fog";
    check_sentence(made.context, rw_tile_map_write(made.map, path, &options), RW_NOT_FOUND, "fog");
    check_sentence(made.context, rw_tile_map_write(made.map, "tiles.doc", NULL), RW_BAD_CALL, ".glb");
    check_sentence(made.context, rw_tile_map_check_name(made.context, "tiles.doc"), RW_BAD_CALL, ".glb");
    check_sentence(made.context, rw_tile_map_check_name(made.context, "tiles"), RW_BAD_CALL, ".glb");
    assert_ok(made.context, rw_tile_map_check_name(made.context, "tiles.GLB"));
    assert_int_equal(rw_tile_map_check_name(made.context, "tiles.gpkg"), rw_gdal_is_in() ? RW_OK : RW_UNSUPPORTED);
    rw_tile_info info = {.size = sizeof info};
    assert_ok(made.context, rw_tile_map_get_tile(made.map, 3, &info));
    assert_near(info.corners_m[0][2], made.map->corners[3][0].z, 1e-9);
    check_sentence(made.context, rw_tile_map_get_tile(made.map, 1u << 30, &info), RW_BAD_CALL, "none has number");
    end_map(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ply), cmocka_unit_test(test_gltf),
                                       cmocka_unit_test(test_vector), cmocka_unit_test(test_raster),
                                       cmocka_unit_test(test_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
