/* Maps on rectangles anywhere in space: cells, values, local means, files and refusals. */
#include "ext/hdf5.h"
#include "field/paths/ray_sums.k.h"
#include "output/maps/map.h"
#include "output/maps/raster_file.h"
#include "prediction.h"
#include "rooms.h"
#include "temporary.h"

static prediction begin_plane_on(rw_backend backend, const double plane_m[9])
{
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        skip_test("no GPU");
    prediction now = begin_with(context, two_rooms(context));
    now.tx[0].x_m = 1.17;
    now.tx[0].y_m = 2.71;
    now.tx[0].height_m = 2.21;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.res_m = 1.0 / 3;
    now.options.depth = 2;
    now.options.pixels = 256;
    now.options.layers = "path_loss,paths";
    memcpy(now.options.plane_m, plane_m, 9 * sizeof *plane_m);
    return now;
}

static prediction begin_plane(const double plane_m[9])
{
    return begin_plane_on(RW_BACKEND_CPU, plane_m);
}

static const double none[9] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}, level[9] = {0, 0, 1.1, 10, 0, 0, 0, 4, 0};
static const double tilted[9] = {0.6, 0.7, 0.4, 4, 0, 0, 0, 2.4, 1.8}, upright[9] = {6.2, 0.5, 0.3, 0, 3, 0, 0, 0, 2.2};

/* A level plane through the cells of a plain map is that map. */
static void a_level_plane_is_the_plain_map(void **state)
{
    (void)state;
    prediction plain = begin_plane(none), plane = begin_plane(level);
    for (int i = 0; i < 4; i++)
        plain.options.area_m[i] = (const double[]){0, 0, 10, 4}[i];
    rw_map *expected = predict(&plain), *got = predict(&plane);
    rw_map_info a = info_of(expected), b = info_of(got);
    assert_true(a.columns == b.columns && a.rows == b.rows && !a.has_plane && b.has_plane);
    for (size_t i = 0; i < a.columns * a.rows; i++) {
        float first = layer_of(expected, "path_loss").values[i], second = layer_of(got, "path_loss").values[i];
        assert_int_equal(isnan(first), isnan(second));
        if (!isnan(first))
            assert_near(first, second, 1e-2);
    }
    rw_map_destroy(expected);
    rw_map_destroy(got);
    end(&plain);
    end(&plane);
}

/* Field of the paths to a point, at a place beside it, as plane waves. */
static double power_beside(const rw_paths *paths, rw_vec3 off, double freq_hz)
{
    double re = 0, im = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        double theta = path.arrival_theta_deg * RW_PI / 180, phi = path.arrival_phi_deg * RW_PI / 180;
        rw_vec3 towards = rw_vec3_of(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
        double turn = 2 * RW_PI * freq_hz / 299792458.0 * rw_vec3_dot(towards, off);
        re += path.gain_re * cos(turn) - path.gain_im * sin(turn);
        im += path.gain_re * sin(turn) + path.gain_im * cos(turn);
    }
    return re * re + im * im;
}

/* Cells of a plane hold the sum of the paths to their centres, and local means are taken in the plane. */
static void cells_are_where_the_plane_is(const double plane_m[9], const char *sum)
{
    prediction now = begin_plane(plane_m);
    rw_plane plane = rw_plane_of(plane_m);
    int local = strcmp(sum, "local") == 0;
    now.options.sum = sum;
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    assert_near((double)info.columns, ceil(plane.width_m * 3 - 1e-9), 0);
    size_t compared = 0;
    for (size_t cell = 0; cell < info.columns * info.rows; cell += 7) {
        rw_vec3 at = rw_plane_cell(&plane, cell % info.columns, cell / info.columns, info.res_m);
        rw_point point = {.size = sizeof(rw_point), .x_m = at.x, .y_m = at.y, .height_m = at.z};
        rw_paths *paths;
        float loss = layer_of(map, "path_loss").values[cell];
        if (isnan(loss))
            continue;
        assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
        double power = local ? 0 : power_beside(paths, rw_vec3_of(0, 0, 0), 2.4e9);
        for (int i = 0; local && i < 16; i++) {
            rw_near_square square = {info.res_m, plane.along_u, plane.along_v};
            rw_vec3 off = rw_ray_near(&square, i);
            power += power_beside(paths, off, 2.4e9) / 16;
        }
        assert_near(layer_of(map, "paths").values[cell], (double)rw_paths_count(paths), 0);
        assert_near(loss, -10 * log10(power), 2e-3);
        rw_paths_destroy(paths);
        compared++;
    }
    assert_true(compared > 5);
    rw_map_destroy(map);
    end(&now);
}

static void cells_hold_the_sum_of_their_paths(void **state)
{
    (void)state;
    cells_are_where_the_plane_is(tilted, "coherent");
    cells_are_where_the_plane_is(upright, "coherent");
    cells_are_where_the_plane_is(tilted, "local");
    cells_are_where_the_plane_is(upright, "local");
}

/* CPU and GPU agree on a tilted plane with everything on: edges, local means, calibrated walls. */
static void the_gpu_agrees(void **state)
{
    (void)state;
    prediction now[2] = {begin_plane_on(RW_BACKEND_CUDA, tilted), begin_plane(tilted)};
    rw_map *maps[2];
    for (int i = 0; i < 2; i++) {
        rw_params *params;
        assert_ok(now[i].context, rw_params_create(now[i].context, "images", 2.4e9, &params));
        assert_ok(now[i].context, rw_params_set(params, "brick_factor", 1.7));
        now[i].options.params = params;
        now[i].options.sum = "local";
        now[i].options.diffractions = 1;
        now[i].options.depth = 3;
        maps[i] = predict(&now[i]);
        rw_params_destroy(params);
    }
    rw_map_info info = info_of(maps[0]);
    size_t off = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        float a = layer_of(maps[0], "path_loss").values[i], b = layer_of(maps[1], "path_loss").values[i];
        off += isnan(a) != isnan(b) || (!isnan(a) && !(fabsf(a - b) < 0.01f));
    }
    assert_int_equal(off, 0);
    for (int i = 0; i < 2; i++) {
        rw_map_destroy(maps[i]);
        end(&now[i]);
    }
}

static void check_read(rw_context *context, const char *path, const rw_map *map)
{
    rw_map *back;
    assert_ok(context, rw_map_read(context, path, &back));
    rw_map_info a = info_of(map), b = info_of(back);
    assert_int_equal(b.has_plane, 1);
    for (int i = 0; i < 9; i++)
        assert_near(b.plane_m[i], a.plane_m[i], 0);
    assert_near(layer_of(back, "path_loss").values[20], layer_of(map, "path_loss").values[20], 0);
    rw_map_destroy(back);
}

static void files_keep_the_frame(void **state)
{
    (void)state;
    prediction now = begin_plane(tilted);
    rw_map *map = predict(&now);
    char written[512];
    assert_ok(now.context, rw_map_write_layer(map, 0, temporary_path("plane"), written, sizeof written));
    check_read(now.context, written, map);
    const char *envi = temporary_path("plane.bin");
    assert_ok(now.context, rw_envi_write_layer(map, &map->layers[0], envi));
    check_read(now.context, envi, map);
    const char *whole = temporary_path("plane.h5");
    if (!rw_hdf5_is_in()) {
        assert_int_equal(rw_map_write_hdf5(map, whole), RW_UNSUPPORTED);
    } else {
        rw_plane plane = rw_plane_of(tilted);
        size_t shape[RW_HDF5_RANK_MAX];
        double *z;
        float *loss;
        int rank;
        assert_ok(now.context, rw_map_write_hdf5(map, whole));
        assert_ok(now.context, rw_hdf5_read(now.context, whole, "z", RW_HDF5_FLOAT64, 2, &rank, shape, &z));
        rw_map_info info = info_of(map);
        assert_true(shape[0] == info.rows && shape[1] == info.columns);
        for (size_t i = 0; i < info.rows * info.columns; i++)
            assert_near(z[i], rw_plane_cell(&plane, i % info.columns, i / info.columns, info.res_m).z, 1e-12);
        assert_ok(now.context, rw_hdf5_read(now.context, whole, "path_loss", RW_HDF5_FLOAT32, 3, &rank, shape, &loss));
        assert_true(rank == 3 && shape[0] == 1);
        assert_near(loss[20], layer_of(map, "path_loss").values[20], 0);
        free(z);
        free(loss);
    }
    rw_map_destroy(map);
    end(&now);
}

static void refused(const double plane_m[9], const char *model, const char *words)
{
    prediction now = begin_plane(plane_m);
    rw_map *map;
    now.options.transmitters = now.tx;
    now.options = asked_of(&now.options, model);
    memcpy(now.options.plane_m, plane_m, sizeof now.options.plane_m);
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, words);
    assert_null(map);
    end(&now);
}

static void bad_planes_are_refused_by_name(void **state)
{
    (void)state;
    refused(level, "shadow", "model shadow has no option plane; it has ");
    refused((const double[9]){0, 0, 1, 5, 0, 0, 3, 3, 0}, "images", "the sides of the plane are at 45 degrees");
    refused((const double[9]){0, 0, 1, 5, 0, 0, 0, 0, 0}, "sbr", "a side of no length");
    refused((const double[9]){0, 0, 1, NAN, 0, 0, 0, 1, 0}, "images", "plane = nan m is out of range");
    double numbers[9];
    assert_int_equal(rw_plane_from_string("1,2,3:4,0,0:0,5,0", numbers), 1);
    assert_near(numbers[7], 5, 0);
    assert_int_equal(rw_plane_from_string("1,2,3:4,0,0:0,5", numbers), 0);
    assert_int_equal(rw_plane_from_string("1,2,3:4,0,0:0,5,0,6", numbers), 0);
    assert_int_equal(rw_plane_from_string("1,2,3:0,0,0:0,5,0", numbers), 0);
    assert_int_equal(rw_plane_from_string("", numbers), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_plane_is_the_plain_map),
        cmocka_unit_test(cells_hold_the_sum_of_their_paths),
        cmocka_unit_test(the_gpu_agrees),
        cmocka_unit_test(files_keep_the_frame),
        cmocka_unit_test(bad_planes_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
