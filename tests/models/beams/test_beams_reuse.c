/* Trace once, evaluate again: kept paths give the map that tracing gives, byte for byte, under other frequencies,
 * losses, antennas and powers; what does not belong together, and what is damaged, is refused. */
#include "base/file.h"
#include "models/beams/stored.h"
#include "shapes.h"
#include "temporary.h"

#include "unit.h"

#include <unistd.h>

typedef struct reuse_case {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx[2];
    rw_predict_options options;
    char path[2048];
} reuse_case;

static reuse_case begin_city(rw_backend backend, int hills, uint64_t seed)
{
    reuse_case now = {.context = make_context_of(backend, 2)};
    if (!now.context)
        skip_test("no GPU");
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 400;
    city.hills = hills;
    city.seed = seed;
    assert_ok(now.context, rw_generate_city(now.context, &city, &now.scene));
    assert_ok(now.context, rw_scene_commit(now.scene));
    for (int i = 0; i < 2; i++) {
        rw_transmitter_init(&now.tx[i]);
        now.tx[i].x_m = 141 + 80 * i;
        now.tx[i].y_m = 262 - 60 * i;
        now.tx[i].height_m = 40 + 10 * i;
    }
    rw_predict_options_init(&now.options);
    now.options.model = "beams";
    now.options.roofs = "none"; /* its own paths */
    now.options.transmitter_count = 2;
    now.options.layers = "path_loss,delay_spread,mean_delay,first_arrival,k_factor,paths,power";
    now.options.reflections = 2;
    now.options.delay_bins = 40;
    snprintf(now.path, sizeof now.path, "%s", temporary_path("kept.rwbeams"));
    unlink(now.path);
    return now;
}

static rw_map *solve(reuse_case *now, const char *reuse)
{
    rw_map *map;
    now->options.transmitters = now->tx;
    now->options.reuse = reuse;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

static void end(reuse_case *now)
{
    unlink(now->path);
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static void assert_same(const rw_map *a, const rw_map *b)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_histogram one = {.size = sizeof one}, other = {.size = sizeof other};
    rw_map_get_info(a, &info);
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_layer first = {.size = sizeof first}, second = {.size = sizeof second};
        assert_int_equal(rw_map_get_layer(a, i, &first), RW_OK);
        assert_int_equal(rw_map_get_layer(b, i, &second), RW_OK);
        assert_true(strcmp(first.name, "paths") != 0 || first.max >= 3);
        assert_memory_equal(first.values, second.values, first.bands * info.columns * info.rows * sizeof(float));
    }
    assert_int_equal(rw_map_get_histogram(a, &one), RW_OK);
    assert_int_equal(rw_map_get_histogram(b, &other), RW_OK);
    assert_memory_equal(one.values, other.values, one.bands * one.bins * info.columns * info.rows * sizeof(float));
}

/* Traced anew and from what is kept. */
static void check(reuse_case *now)
{
    rw_map *traced = solve(now, NULL), *again = solve(now, now->path);
    assert_same(traced, again);
    rw_map_destroy(traced);
    rw_map_destroy(again);
}

static void same_maps(rw_backend backend, int hills)
{
    reuse_case now = begin_city(backend, hills, 3);
    now.options.memory_bytes = hills ? 12e6 : NAN; /* kept branch by branch, too */
    check(&now);                                   /* makes the file */
    assert_int_equal(access(now.path, F_OK), 0);
    now.options.memory_bytes = NAN;
    check(&now); /* uses it */
    now.options.freq_hz = 3.5e9;
    now.tx[1].freq_hz = 800e6;
    check(&now);
    now.options.losses = "reflection=5,reflection2=7,diffraction=21,exponent=2.2";
    check(&now);
    now.options.losses = NULL;
    now.options.loss_max_db = 120;
    now.tx[0].antenna = "3gpp";
    now.tx[0].azimuth_deg = 70;
    now.tx[1].power_dbm = 43;
    check(&now);
    now.options.loss_max_db = NAN;
    now.options.roofs = "polynomial";
    check(&now);
    end(&now);
}

static void same_on_cpu(void **state)
{
    (void)state;
    same_maps(RW_BACKEND_CPU, 0);
    same_maps(RW_BACKEND_CPU, 1);
}

static void same_on_gpu(void **state)
{
    (void)state;
    same_maps(RW_BACKEND_CUDA, 0);
    same_maps(RW_BACKEND_CUDA, 1);
}

static void refuse(reuse_case *now, rw_status expected, const char *part)
{
    rw_map *map;
    now->options.transmitters = now->tx;
    now->options.reuse = now->path;
    check_sentence(now->context, rw_predict(now->scene, &now->options, &map), expected, part);
    assert_null(map);
}

static void refuses_others(void **state)
{
    (void)state;
    reuse_case now = begin_city(RW_BACKEND_CPU, 0, 3), other = begin_city(RW_BACKEND_CPU, 0, 4);
    rw_map_destroy(solve(&now, now.path));
    memcpy(other.path, now.path, sizeof now.path);
    refuse(&other, RW_BAD_INPUT, "another scene");
    now.options.res_m = 7;
    refuse(&now, RW_BAD_CALL, "res 5");
    now.options.res_m = 5;
    now.options.rx_height_m = 2;
    refuse(&now, RW_BAD_CALL, "rx-height 1.5");
    now.options.rx_height_m = 1.5;
    now.options.reflections = 3;
    refuse(&now, RW_BAD_CALL, "reflections 2");
    now.options.reflections = 2;
    now.options.transmitter_count = 1;
    refuse(&now, RW_BAD_CALL, "2 transmitters");
    now.options.transmitter_count = 2;
    now.tx[1].height_m = 51;
    refuse(&now, RW_BAD_CALL, "transmitter 2 stands elsewhere");
    now.tx[1].height_m = 50;
    const char *file = now.options.reuse;
    now.options = asked_of(&now.options, "shadow");
    now.options.reuse = file;
    refuse(&now, RW_BAD_CALL, "model shadow has no option reuse; it has ");
    end(&now);
    end(&other);
}

/* Every byte of the header changed, many of the rest, and the file cut anywhere. */
static void refuses_damage(void **state)
{
    (void)state;
    reuse_case now = begin_city(RW_BACKEND_CPU, 0, 3);
    now.options.res_m = 20;
    now.options.reflections = 1;
    rw_map_destroy(solve(&now, now.path));
    char *bytes;
    size_t size, walls = now.scene->prepared->walls.count;
    rw_stored_beams kept;
    assert_ok(now.context, rw_file_read(now.context, now.path, &bytes, &size));
    for (size_t at = 0; at < size; at += at < 160 ? 1 : size / 53) {
        bytes[at] = (char)(bytes[at] ^ 0x41);
        const char *copy = write_bytes("damaged.rwbeams", bytes, size);
        bytes[at] = (char)(bytes[at] ^ 0x41);
        assert_int_equal(rw_stored_beams_read(now.context, copy, now.scene, walls, &kept), RW_BAD_INPUT);
        assert_null(kept.transmitters);
    }
    for (size_t length = 1; length < size; length += 1 + size / 41) {
        const char *copy = write_bytes("damaged.rwbeams", bytes, length);
        assert_int_equal(rw_stored_beams_read(now.context, copy, now.scene, walls, &kept), RW_BAD_INPUT);
    }
    assert_ok(now.context,
              rw_stored_beams_read(now.context, write_bytes("damaged.rwbeams", bytes, size), now.scene, walls, &kept));
    rw_stored_beams_destroy(&kept);
    /* whole, but of walls that a smaller scene does not have */
    assert_int_equal(rw_stored_beams_read(now.context, now.path, NULL, 3, &kept), RW_BAD_INPUT);
    unlink(temporary_path("damaged.rwbeams"));
    free(bytes);
    end(&now);
}

/* Kept beams with right hashes and one number of a beam that is none: refused, or evaluated where it does not matter.
 */
static void refuses_numbers(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, 2e9};
    reuse_case now = begin_city(RW_BACKEND_CPU, 0, 3);
    now.options.res_m = 20;
    now.options.reflections = now.options.diffractions = 1;
    rw_map_destroy(solve(&now, now.path));
    size_t walls = now.scene->prepared->walls.count, refused = 0;
    rw_stored_beams kept, none;
    assert_ok(now.context, rw_stored_beams_read(now.context, now.path, now.scene, walls, &kept));
    rw_stored_paths *paths = &kept.transmitters[0];
    rw_beam *beam = &paths->beams[paths->level_firsts[RW_STORED_LEVELS - 1] - 1], before = *beam;
    double *doubles[] = {&beam->origin.x, &beam->right.y, &beam->left.x, &beam->before_m, &paths->source.z};
    float *floats[] = {&beam->loss_db[1], &beam->rotation_rad, &beam->leg_m, &beam->shadow_rad, &beam->exterior_rad};
    double source_z = paths->source.z;
    for (size_t i = 0; i < 50; i++) {
        double value = bad[i % 5];
        if (i < 25)
            *doubles[i / 5] = value;
        else
            *floats[i / 5 - 5] = isfinite((float)fmin(fabs(value), 1e30)) && isfinite(value) ? 2e9f : (float)value;
        const char *path = temporary_path("forged.rwbeams");
        assert_ok(now.context, rw_stored_beams_write(now.context, path, &kept));
        rw_status status = rw_stored_beams_read(now.context, path, now.scene, walls, &none);
        int matters = i < 40 || before.diffractions > 0;
        assert_true(status == RW_BAD_INPUT || (status == RW_OK && !matters));
        refused += status == RW_BAD_INPUT;
        rw_stored_beams_destroy(&none);
        *beam = before;
        paths->source.z = source_z;
    }
    assert_true(refused >= 30);
    rw_stored_beams_destroy(&kept);
    end(&now);
}

/* Where the file cannot be written there is no map either, and nothing half-written. */
static void refuses_no_folder(void **state)
{
    (void)state;
    reuse_case now = begin_city(RW_BACKEND_CPU, 0, 3);
    now.options.res_m = 50;
    now.options.reflections = 0;
    snprintf(now.path, sizeof now.path, "%s", temporary_path("no/such/folder/kept.rwbeams"));
    refuse(&now, RW_NOT_WRITABLE, "kept.rwbeams");
    end(&now);
}

/* Paths to points from the file are those that tracing finds to the middles of their cells. */
static void paths_to_points(void **state)
{
    (void)state;
    reuse_case now = begin_city(RW_BACKEND_CPU, 1, 3);
    rw_map_info info = {.size = sizeof info};
    rw_point middles[200], aside[200];
    rw_paths *traced, *kept;
    size_t count = 0;
    now.options.res_m = 8;
    now.options.layers = NULL;
    now.options.delay_bins = RW_UNSET;
    rw_map *map = solve(&now, now.path);
    assert_ok(now.context, rw_map_get_info(map, &info));
    for (size_t cell = 5; cell < info.columns * info.rows && count < 200; cell += 11) {
        double x = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m;
        double y = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m;
        middles[count] = (rw_point){.size = sizeof(rw_point), .x_m = x, .y_m = y, .height_m = NAN};
        aside[count++] = (rw_point){.size = sizeof(rw_point), .x_m = x + 0.01, .y_m = y - 0.01, .height_m = NAN};
    }
    rw_map_destroy(map);
    now.options.res_m = NAN; /* the file knows its cells */
    assert_ok(now.context, rw_trace(now.scene, &now.options, aside, count, &kept));
    now.options.reuse = NULL;
    assert_ok(now.context, rw_trace(now.scene, &now.options, middles, count, &traced));
    printf("%zu paths\n", rw_paths_count(traced));
    assert_true(rw_paths_count(traced) > 500);
    assert_int_equal(rw_paths_count(kept), rw_paths_count(traced));
    for (size_t i = 0; i < rw_paths_count(traced); i++) {
        rw_path one = {.size = sizeof one}, two = {.size = sizeof two};
        assert_ok(now.context, rw_paths_get(traced, i, &one));
        assert_ok(now.context, rw_paths_get(kept, i, &two));
        assert_int_equal(one.point, two.point);
        assert_near(one.loss_db, two.loss_db, 1e-4);
        assert_near(one.length_m, two.length_m, 1e-4); /* altitudes of cells are floats */
        assert_int_equal(one.vertex_count, two.vertex_count);
    }
    rw_paths_destroy(traced);
    rw_paths_destroy(kept);
    now.options.reuse = temporary_path("missing.rwbeams");
    check_sentence(now.context, rw_trace(now.scene, &now.options, aside, count, &kept), RW_NOT_FOUND,
                   "a prediction with reuse makes it");
    now.options.reuse = now.path;
    now.options.reflections = 1;
    check_sentence(now.context, rw_trace(now.scene, &now.options, aside, count, &kept), RW_BAD_CALL,
                   "was traced with reflections 2");
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_to_points),  cmocka_unit_test(same_on_cpu),
                                       cmocka_unit_test(same_on_gpu),      cmocka_unit_test(refuses_others),
                                       cmocka_unit_test(refuses_damage),   cmocka_unit_test(refuses_numbers),
                                       cmocka_unit_test(refuses_no_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
