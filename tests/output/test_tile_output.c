/* labels: files */
/* Values on tiles as files: each is read back by a reader that did not write it. */
#include "base/file.h"
#include "base/maths/elementary.h"
#include "base/text/json.h"
#include "ext/gdal.h"
#include "ext/hdf5.h"
#include "output/tiles/tiles.h"
#include "tile_city.h"
#include "temporary.h"
#include "visibility/tiles/tiles.h"

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
        assert_string_equal(rw_vector_string(file, kind), rw_tile_kind_name(made.map->kinds[count]));
        if (made.map->kinds[count] == RW_TILE_GROUND)
            assert_string_equal(rw_vector_string(file, material), "itu_medium_dry_ground");
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
        made->map->sources[0] = i ? made->map->corners[0][0] : rw_vec3_of(0, 0, 9e4);
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

/* What was written comes back, and gives the same picture. */
static void test_read_back(void **state)
{
    (void)state;
    made_map made = make_map(220);
    const char *path = temporary_path("back.ply"), *picture = temporary_path("back.png");
    rw_transmitter site;
    rw_transmitter_init(&site);
    site.name = "roof 7\nmast";
    assert_ok(made.context, rw_map_set_transmitters(made.map->values, &site, 1));
    assert_ok(made.context, rw_tile_map_add_sources(made.map, 1));
    made.map->sources[0] = rw_vec3_of(10, 20, 30);
    made.map->freqs_hz[0] = 2e9;
    assert_ok(made.context, rw_tile_map_write(made.map, path, NULL));
    rw_tile_map *back;
    assert_ok(made.context, rw_tile_map_read(made.context, path, &back));
    assert_int_equal(back->count, made.map->count);
    assert_int_equal(back->values->info.layers, 2);
    assert_string_equal(back->values->layers[1].unit, "m");
    assert_memory_equal(back->values->layers[0].values, made.seen, made.map->count * sizeof(float));
    assert_memory_equal(back->values->layers[1].values, made.heights, 2 * made.map->count * sizeof(float));
    assert_memory_equal(back->kinds, made.map->kinds, made.map->count);
    assert_near(back->sources[0].x + back->origin.x, made.map->sources[0].x + made.map->origin.x, 1e-6);
    assert_near(back->freqs_hz[0], 2e9, 0);
    assert_string_equal(back->values->band_names[0], "roof 7 mast");
    for (size_t i = 0; i < back->count; i++) {
        assert_near(rw_vec3_dot(back->normals[i], made.map->normals[i]), 1, 1e-5);
        assert_near((double)back->areas_m2[i], (double)made.map->areas_m2[i], 1e-3 * (double)made.map->areas_m2[i]);
    }
    rw_tile_write_options options;
    rw_tile_write_options_init(&options);
    options.elevation_deg = 90;
    options.azimuth_deg = 180;
    const double crop_m[4] = {20, 20, 120, 80};
    memcpy(options.crop_m, crop_m, sizeof crop_m);
    assert_ok(made.context, rw_tile_map_write(back, picture, &options));
    options.crop_m[0] = options.crop_m[2] = 1e6;
    check_sentence(made.context, rw_tile_map_write(back, picture, &options), RW_BAD_CALL, "no tile lies in");
    rw_tile_map_destroy(back);
    char *bytes;
    size_t size;
    assert_ok(made.context, rw_file_read(made.context, path, &bytes, &size));
    assert_ok(made.context, rw_write_file(made.context, path, bytes, size - 1));
    check_sentence(made.context, rw_tile_map_read(made.context, path, &back), RW_BAD_INPUT, "ends before its last");
    assert_ok(made.context, rw_write_file(made.context, path, bytes + 4, size - 4));
    check_sentence(made.context, rw_tile_map_read(made.context, path, &back), RW_BAD_INPUT, "no values on tiles");
    assert_null(back);
    free(bytes);
    end_map(&made);
}

/* A city with its database of tiles. */
static prediction begin_database(const char *path, rw_database **database)
{
    prediction now = begin_city(RW_BACKEND_CPU, 2, 200, 0);
    rw_preprocess_options options;
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    options.tile_min_m = 4;
    assert_ok(now.context, rw_preprocess(now.scene, &options, path));
    assert_ok(now.context, rw_database_load(now.scene, path, database));
    return now;
}

/* The matrix in the file, by rows and by pairs: the same, and symmetric. */
static void test_visibility(void **state)
{
    (void)state;
    rw_database *database;
    prediction now = begin_database(temporary_path("csr.rwdb"), &database);
    rw_database_info info = {.size = sizeof info};
    assert_ok(now.context, rw_database_get_info(database, &info));
    uint32_t *row = calloc(info.tiles, sizeof *row);
    size_t entries = 0;
    for (size_t i = 0; i < info.tiles; i++) {
        size_t count, next = 0;
        assert_ok(now.context, rw_database_tiles_seen(database, i, row, info.tiles, &count));
        entries += count;
        for (size_t k = i % 7; k < info.tiles; k += 7) {
            int sees, back;
            assert_ok(now.context, rw_database_tile_sees(database, i, k, &sees));
            assert_ok(now.context, rw_database_tile_sees(database, k, i, &back));
            while (next < count && row[next] < k)
                next++;
            assert_int_equal(sees, next < count && row[next] == k);
            assert_int_equal(sees, back);
        }
    }
    assert_int_equal(entries, info.entries);
    size_t count;
    assert_ok(now.context, rw_database_tiles_seen(database, 0, NULL, 0, &count));
    check_sentence(now.context, rw_database_tiles_seen(database, info.tiles, row, 0, &count), RW_BAD_CALL,
                   "none has number");
    if (rw_hdf5_is_in()) {
        const char *path = temporary_path("csr.h5");
        uint64_t *indptr;
        uint32_t *indices;
        double *centres;
        int rank;
        size_t shape[RW_HDF5_RANK_MAX];
        assert_ok(now.context, rw_database_write_csr(database, path));
        assert_ok(now.context, rw_hdf5_read(now.context, path, "indptr", RW_HDF5_UINT64, 1, &rank, shape, &indptr));
        assert_int_equal(shape[0], info.tiles + 1);
        assert_int_equal(indptr[info.tiles], info.entries);
        assert_ok(now.context, rw_hdf5_read(now.context, path, "indices", RW_HDF5_UINT32, 1, &rank, shape, &indices));
        assert_int_equal(shape[0], info.entries);
        size_t middle = info.tiles / 2;
        assert_ok(now.context, rw_database_tiles_seen(database, middle, row, info.tiles, &count));
        assert_int_equal(indptr[middle + 1] - indptr[middle], count);
        assert_memory_equal(indices + indptr[middle], row, count * sizeof *row);
        assert_ok(now.context, rw_hdf5_read(now.context, path, "centre", RW_HDF5_FLOAT64, 2, &rank, shape, &centres));
        assert_int_equal(shape[1], 3);
        assert_true(centres[3 * middle] > -50 && centres[3 * middle] < 250);
        free(indptr);
        free(indices);
        free(centres);
    }
    /* cut with other sizes than the default, which are asked for by name */
    rw_tile_map *map;
    now.options.transmitters = now.tx;
    now.options.database = database;
    now.options.tile_min_m = 0.5;
    check_sentence(now.context, rw_predict_tiles(now.scene, &now.options, &map), RW_BAD_CALL, "tile-least-side = 4 m");
    now.options.tile_min_m = NAN;
    now.options.database = NULL;
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &map));
    assert_true(info_of(rw_tile_map_values(map)).columns > info.tiles); /* narrow walls have tiles again */
    rw_tile_map_destroy(map);
    now.options.tile_min_m = 4;
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &map));
    assert_int_equal(info_of(rw_tile_map_values(map)).columns, info.tiles);
    rw_tile_map_destroy(map);
    free(row);
    rw_database_destroy(database);
    end_city(&now);
}

/* All rays of a file. */
typedef struct ray_file {
    size_t count, steps;
    uint32_t *tiles;
    uint8_t *counts, *interactions;
    float (*gains)[2], (*fields)[3][2], (*arrivals)[2];
    double *delays_s, *vertices_m, *sources_m, *centres_m;
} ray_file;

static ray_file read_rays(rw_context *context, const char *path)
{
    ray_file file;
    size_t shape[RW_HDF5_RANK_MAX];
    int rank;
    assert_ok(context, rw_hdf5_read(context, path, "tile", RW_HDF5_UINT32, 1, &rank, shape, &file.tiles));
    file.count = shape[0];
    assert_ok(context, rw_hdf5_read(context, path, "count", RW_HDF5_UINT8, 1, &rank, shape, &file.counts));
    assert_ok(context, rw_hdf5_read(context, path, "gain", RW_HDF5_COMPLEX64, 1, &rank, shape, &file.gains));
    assert_ok(context, rw_hdf5_read(context, path, "field", RW_HDF5_COMPLEX64, 2, &rank, shape, &file.fields));
    assert_ok(context, rw_hdf5_read(context, path, "delay", RW_HDF5_FLOAT64, 1, &rank, shape, &file.delays_s));
    assert_ok(context, rw_hdf5_read(context, path, "arrival", RW_HDF5_FLOAT32, 2, &rank, shape, &file.arrivals));
    assert_ok(context, rw_hdf5_read(context, path, "interactions", RW_HDF5_UINT8, 2, &rank, shape, &file.interactions));
    assert_ok(context, rw_hdf5_read(context, path, "vertices", RW_HDF5_FLOAT64, 3, &rank, shape, &file.vertices_m));
    file.steps = shape[1];
    assert_ok(context, rw_hdf5_read(context, path, "source", RW_HDF5_FLOAT64, 2, &rank, shape, &file.sources_m));
    assert_ok(context, rw_hdf5_read(context, path, "tile_centre", RW_HDF5_FLOAT64, 2, &rank, shape, &file.centres_m));
    return file;
}

static void free_rays(ray_file *file)
{
    void *taken[] = {file->tiles,    file->counts,   file->interactions, file->gains,     file->fields,
                     file->arrivals, file->delays_s, file->vertices_m,   file->sources_m, file->centres_m};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        free(taken[i]);
}

/* A ray's own numbers agree with each other: length of its line, direction of its last leg, field and gain. */
static void check_ray(const ray_file *file, size_t i, double power_w, double wavelength_m)
{
    const double *end = file->centres_m + 3 * file->tiles[i], *from = file->sources_m;
    double length_m = 0;
    for (size_t k = 0; k <= file->counts[i]; k++) {
        const double *to = k < file->counts[i] ? file->vertices_m + 3 * (i * file->steps + k) : end;
        length_m += sqrt(pow(to[0] - from[0], 2) + pow(to[1] - from[1], 2) + pow(to[2] - from[2], 2));
        if (k < file->counts[i])
            from = to;
    }
    for (size_t k = 0; k < file->steps; k++)
        assert_int_equal(file->interactions[i * file->steps + k] == 255, k >= file->counts[i]);
    assert_near(file->delays_s[i] * 299792458.0, length_m, 1e-6 * length_m);
    double theta = (double)file->arrivals[i][0], phi = (double)file->arrivals[i][1];
    double back[3] = {from[0] - end[0], from[1] - end[1], from[2] - end[2]};
    double last_m = sqrt(back[0] * back[0] + back[1] * back[1] + back[2] * back[2]);
    assert_near(sin(theta) * cos(phi), back[0] / last_m, 1e-5);
    assert_near(sin(theta) * sin(phi), back[1] / last_m, 1e-5);
    assert_near(cos(theta), back[2] / last_m, 1e-5);
    /* an isotropic vertical antenna takes the part along theta of where the wave comes from */
    const double on[3] = {cos(theta) * cos(phi), cos(theta) * sin(phi), -sin(theta)};
    double scale = wavelength_m / sqrt(4 * RW_PI * 376.730313668 * power_w);
    for (int part = 0; part < 2 && sin(theta) > 1e-3; part++) { /* straight above, theta has any direction */
        double taken = 0;
        for (int axis = 0; axis < 3; axis++)
            taken += on[axis] * (double)file->fields[i][axis][part];
        assert_near(scale * taken, (double)file->gains[i][part],
                    1e-4 * hypot((double)file->gains[i][0], (double)file->gains[i][1]) + 1e-12);
    }
}

/* The rays of each tile add up to its value. */
static void test_rays(void **state)
{
    (void)state;
    if (!rw_hdf5_is_in())
        skip_test("no HDF5");
    prediction now = begin_city(RW_BACKEND_CPU, 2, 200, 0);
    const char *path = temporary_path("rays.h5"), *kept = temporary_path("rays.rwk");
    now.options.transmitters = now.tx;
    now.tx[0].power_dbm = 40;
    now.options.depth = 2;
    now.options.layers = "path_loss,paths";
    rw_tile_map *map;
    now.options.reuse = kept;
    assert_ok(now.context, rw_predict_tiles(now.scene, &now.options, &map));
    now.options.reuse = NULL;
    assert_ok(now.context, rw_write_rays(now.scene, &now.options, path));
    ray_file file = read_rays(now.context, path);
    size_t tiles = info_of(rw_tile_map_values(map)).columns;
    double *power = calloc(tiles, sizeof *power), *count = calloc(tiles, sizeof *count);
    assert_true(file.count > 1000);
    for (size_t i = 0; i < file.count; i++) {
        power[file.tiles[i]] += pow((double)file.gains[i][0], 2) + pow((double)file.gains[i][1], 2);
        count[file.tiles[i]]++;
        check_ray(&file, i, 10, 299792458.0 / 2e9);
    }
    rw_map_layer losses = layer_of(rw_tile_map_values(map), "path_loss"),
                 paths = layer_of(rw_tile_map_values(map), "paths");
    for (size_t i = 0; i < tiles; i++) {
        assert_near(count[i], (double)paths.values[i], 0);
        if (count[i] > 0)
            assert_near(-10 * log10(power[i]), (double)losses.values[i], 1e-3);
    }
    rw_stored_file *opened;
    rw_stored_rays_info info = {.size = sizeof info};
    assert_ok(now.context, rw_stored_file_open(now.context, kept, &opened));
    assert_ok(now.context, rw_stored_file_get_rays(opened, SIZE_MAX, &info));
    assert_true(info.rays >= file.count && info.rays == info.to_tiles && info.to_points == 0);
    assert_int_equal(info.by_count[0] + info.by_count[1] + info.by_count[2], info.rays);
    assert_int_equal(info.reflected + info.diffracted, info.by_count[1] + 2 * info.by_count[2]);
    assert_int_equal(info.tiles, tiles);
    assert_near(info.loss_db, 240, 0); /* with what is kept beyond the threshold */
    check_sentence(now.context, rw_stored_file_get_rays(opened, 1, &info), RW_BAD_CALL, "none has number 1");
    rw_stored_file_close(opened);
    now.options.model = "rt";
    now.options.roofs = NULL;
    check_sentence(now.context, rw_write_rays(now.scene, &now.options, path), RW_BAD_CALL, "use tiles");
    free(power);
    free(count);
    free_rays(&file);
    rw_tile_map_destroy(map);
    end_city(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ply),        cmocka_unit_test(test_gltf),
                                       cmocka_unit_test(test_vector),     cmocka_unit_test(test_raster),
                                       cmocka_unit_test(test_picture),    cmocka_unit_test(test_read_back),
                                       cmocka_unit_test(test_visibility), cmocka_unit_test(test_rays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
