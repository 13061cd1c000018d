/* labels: slow, numbers */
/* The cubes model through the public header: line of sight beside the shadow model's, convergence, threads, backends,
 * paths, volumes, terrain and refusals. */
#include "models/cubes/cubes.h"
#include "prediction.h"
#include "temporary.h"

/* Line of sight of a scene by the oracle: blocked by a wall, in double. */
#include "sight_oracle.h"

#include <rasterwave/calibrate.h>

static prediction city(uint64_t seed, int hills)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 400;
    options.seed = seed;
    options.hills = hills;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = "cubes";
    now.tx[0].x_m = 203;
    now.tx[0].y_m = 197;
    now.tx[0].height_m = 60;
    return now;
}

static int blocked(const rw_scene *scene, rw_vec3 from, rw_vec3 to)
{
    return oracle_walls(scene, from, to) > 0 || rw_ground_blocks(&scene->prepared->grid.view, from, to, 0, 1);
}

/* 1 or 0 where line of sight is the same for all lines within a cube, beside or above; -1 at a shadow's edge. */
static int sure_sight(const rw_scene *scene, rw_vec3 at, rw_vec3 source, double res_m)
{
    int first = blocked(scene, at, source);
    for (int step = 0; step < 27; step++) {
        rw_vec3 shift = {res_m * (step % 3 - 1), res_m * (step / 3 % 3 - 1), res_m * (step / 9 - 1)};
        rw_vec3 a = rw_vec3_add(at, shift), b = rw_vec3_add(source, shift);
        double ground = rw_scene_ground_m(
            scene, rw_vec2_of(a.x + scene->prepared->grid.centre.x, a.y + scene->prepared->grid.centre.y));
        a.z = a.z < ground + 0.1 ? ground + 0.1 : a.z;
        if (blocked(scene, a, b) != first || blocked(scene, a, source) != first || blocked(scene, at, b) != first)
            return -1;
    }
    /* Three cubes on, the line must be a cube above the ground too. */
    rw_vec3 way = rw_vec3_sub(source, at), on = rw_vec3_add(at, rw_vec3_scale(way, 3 * res_m / rw_vec3_length(way)));
    on.z -= res_m;
    return blocked(scene, on, source) != first ? -1 : !first;
}

/* The model's own paths alone, as in the paper. */
static void as_in_paper(prediction *now)
{
    now->options.roofs = now->options.prior = "none";
}

/* Most deflections of each kind. */
static void allow(prediction *now, int reflections, int horizontal, int vertical)
{
    now->options.reflections = reflections;
    now->options.horizontal_diffractions = horizontal;
    now->options.vertical_diffractions = vertical;
}

static void sight_as_shadow_model(void **state)
{
    (void)state;
    size_t sure = 0, unsure = 0, different = 0, flat = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        prediction now = city(seed, seed % 2 == 0);
        now.options.layers = "los";
        allow(&now, 0, 0, 0);
        now.tx[0].height_m = seed % 3 ? 60 : 35;
        rw_map *map = predict(&now);
        rw_map_info info = info_of(map);
        rw_map_layer los = layer_of(map, "los");
        const rw_scene *scene = now.scene;
        rw_vec2 centre = scene->prepared->grid.centre;
        rw_vec2 place = {now.tx[0].x_m - scene->origin.x, now.tx[0].y_m - scene->origin.y};
        rw_vec3 source = {place.x - centre.x, place.y - centre.y, rw_scene_ground_m(scene, place) + now.tx[0].height_m};
        for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
            if (isnan(los.values[cell]))
                continue;
            rw_vec2 at = {info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m - scene->origin.x,
                          info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m - scene->origin.y};
            rw_vec3 receiver = {at.x - centre.x, at.y - centre.y, rw_scene_ground_m(scene, at) + info.rx_height_m};
            /* On hills receivers are lifted off the ground's cubes: another half cube. */
            int expected = sure_sight(scene, receiver, source, info.res_m * (seed % 2 ? 1 : 1.5));
            sure += expected >= 0;
            unsure += expected < 0;
            int wrong = expected >= 0 && los.values[cell] != (float)expected;
            different += (size_t)wrong;
            flat += wrong && seed % 2;
        }
        printf("seed %d%s: %zu differ so far\n", (int)seed, seed % 2 ? "" : " on hills", different);
        rw_map_destroy(map);
        end(&now);
    }
    printf("%zu receivers away from shadow edges, %zu near them; %zu differ\n", sure, unsure, different);
    assert_true(sure > 3000);
    assert_int_equal(flat, 0);
    assert_true(different * 2000 <= sure); /* wings on hills that are thinner than two cubes */
}

/* The losses of one small city from one transmitter; the caller frees them. */
static float *losses_on(rw_context *context, rw_predict_options *options, size_t *cells)
{
    rw_city_options city_options;
    rw_city_options_init(&city_options);
    city_options.width_m = city_options.depth_m = 400;
    city_options.seed = 3;
    rw_scene *scene;
    rw_map *map;
    assert_ok(context, rw_generate_city(context, &city_options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    assert_ok(context, rw_predict(scene, options, &map));
    rw_map_info info = info_of(map);
    *cells = info.columns * info.rows;
    float *values = malloc(*cells * sizeof *values);
    memcpy(values, layer_of(map, "path_loss").values, *cells * sizeof *values);
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    return values;
}

static void same_losses(rw_backend backend, int threads, size_t allowed_per_million)
{
    rw_context *context = make_context_of(backend, threads);
    if (!context)
        skip_test("no GPU");
    prediction now = city(3, 0);
    now.options.layers = "path_loss,deflections";
    now.options.transmitters = now.tx;
    size_t cells, count = 0, different = 0;
    float *first = losses_on(make_context(), &now.options, &cells);
    float *second = losses_on(context, &now.options, &cells);
    for (size_t i = 0; i < cells; i++) {
        count += !isnan(first[i]);
        different += memcmp(&first[i], &second[i], sizeof *first) != 0 &&
                     (allowed_per_million == 0 || !(fabsf(first[i] - second[i]) <= 0.01f));
    }
    printf("%zu of %zu cells differ\n", different, count);
    assert_true(count > 1000);
    assert_true(different * 1000000 <= count * allowed_per_million);
    free(first);
    free(second);
    end(&now);
}

static void same_with_one_thread(void **state)
{
    (void)state;
    same_losses(RW_BACKEND_CPU, 1, 0);
}

static void same_on_gpu(void **state)
{
    (void)state;
    same_losses(RW_BACKEND_CUDA, 1, 1000);
}

/* Mean difference to the finest cubes at the same places falls as cubes are halved. */
static void halving_converges(void **state)
{
    (void)state;
    prediction now = city(5, 0);
    as_in_paper(&now);
    now.options.layers = "path_loss";
    allow(&now, 1, 2, 1);
    const double sizes[3] = {8, 4, 2};
    rw_map *maps[3];
    for (int i = 0; i < 3; i++) {
        double area[4] = {48, 48, 352, 352};
        now.options.res_m = sizes[i];
        memcpy(now.options.area_m, area, sizeof area);
        maps[i] = predict(&now);
    }
    double sums[2] = {0, 0};
    size_t count = 0;
    for (double y = 52; y < 350; y += 8)
        for (double x = 52; x < 350; x += 8) {
            float values[3];
            int fine = 1;
            for (int i = 0; i < 3; i++) { /* the mean over the coarse cell */
                double sum = 0;
                int n = 0;
                for (double dy = -4 + sizes[i] / 2; dy < 4; dy += sizes[i])
                    for (double dx = -4 + sizes[i] / 2; dx < 4; dx += sizes[i]) {
                        float value = value_at(maps[i], "path_loss", x + dx, y + dy);
                        sum += isfinite(value) ? value : 0;
                        n += isfinite(value) != 0;
                    }
                fine &= n > 0;
                values[i] = n ? (float)(sum / n) : 0;
            }
            if (!fine)
                continue;
            count++;
            for (int i = 0; i < 2; i++)
                sums[i] += fabs((double)values[i] - (double)values[2]);
        }
    printf("cubes of 8 m are off those of 2 m by %.2f dB on average, of 4 m by %.2f (%zu places)\n",
           sums[0] / (double)count, sums[1] / (double)count, count);
    assert_true(count > 300 && sums[1] < 0.8 * sums[0] && sums[1] / (double)count < 4);
    for (int i = 0; i < 3; i++)
        rw_map_destroy(maps[i]);
    end(&now);
}

/* Paths: from the transmitter to the point, their parts add up, and they say what the map says. */
static void paths_are_whole(void **state)
{
    (void)state;
    prediction now = city(2, 0);
    as_in_paper(&now);
    now.options.transmitters = now.tx;
    now.options.layers = "path_loss,deflections";
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    rw_point points[60];
    size_t count = 0, bent = 0;
    for (size_t cell = 17; cell < info.columns * info.rows && count < 60; cell += 101) {
        rw_point point = {.size = sizeof(rw_point),
                          .x_m = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m,
                          .y_m = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m,
                          .height_m = NAN};
        if (isfinite(value_at(map, "path_loss", point.x_m, point.y_m)))
            points[count++] = point;
    }
    rw_paths *paths;
    assert_ok(now.context, rw_trace(now.scene, &now.options, points, count, &paths));
    assert_true(rw_paths_count(paths) > count / 2);
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        assert_ok(now.context, rw_paths_get(paths, i, &path));
        const rw_path_vertex *first = &path.vertices[0], *last = &path.vertices[path.vertex_count - 1];
        double bends = 0;
        assert_near(first->x_m, now.tx[0].x_m, 0.01);
        assert_near(first->y_m, now.tx[0].y_m, 0.01);
        assert_near(last->x_m, points[path.point].x_m, 0.01);
        assert_near(last->y_m, points[path.point].y_m, 0.01);
        for (size_t v = 1; v + 1 < path.vertex_count; v++) {
            bends += path.vertices[v].loss_db;
            assert_true(path.vertices[v].interaction != RW_INTERACTION_END && path.vertices[v].loss_db >= 0);
        }
        bent += path.vertex_count > 2;
        assert_near(path.free_space_db + bends, path.loss_db, 0.01);
        double length_db = 20 * log10(4 * 3.14159265358979 * path.length_m * now.options.freq_hz / 299792458.0);
        assert_near(length_db, path.free_space_db, 0.5); /* vertices are placed for the whole path, losses one by one */
        float mapped = value_at(map, "path_loss", points[path.point].x_m, points[path.point].y_m);
        if (path.vertex_count == 2)
            assert_near(path.loss_db, mapped, 1e-3);
        /* Reduced to its terms, a path has the same loss: what calibration stands on. */
        float terms[RW_CUBES_PARAMETERS];
        double values[RW_CUBES_PARAMETERS], derivatives[RW_CUBES_PARAMETERS];
        assert_ok(now.context, rw_cubes_parameter_defaults(now.context, now.options.freq_hz, values));
        rw_cubes_path_terms(&path, terms);
        assert_near(rw_cubes_terms_loss_db(terms, values, derivatives), path.loss_db, 0.01);
        values[0] = 5; /* the offset */
        assert_near(rw_cubes_terms_loss_db(terms, values, derivatives), path.loss_db + 5, 0.01);
    }
    assert_true(bent > 10);
    rw_paths_destroy(paths);
    rw_map_destroy(map);
    end(&now);
}

/* Measurements that are 7 dB above the uncalibrated map give an offset of 7 dB back. */
static void calibration_finds_an_offset(void **state)
{
    (void)state;
    prediction now = city(2, 0);
    as_in_paper(&now);
    now.options.layers = "path_loss";
    allow(&now, 1, 1, 1);
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    rw_map_layer loss = layer_of(map, "path_loss");
    const char *path = temporary_path("measured.csv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "x,y,path_loss\n");
    for (size_t cell = 0; cell < info.columns * info.rows; cell += 23)
        if (isfinite(loss.values[cell]))
            fprintf(file, "%.3f,%.3f,%.3f\n", info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m,
                    info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m, (double)loss.values[cell] + 7);
    fclose(file);
    rw_measurements *measurements;
    rw_calibration *calibration;
    rw_calibrate_options options;
    rw_calibrated_parameter offset = {.size = sizeof offset};
    rw_calibrate_options_init(&options);
    options.fit = "offset";
    assert_ok(now.context, rw_measurements_load(now.context, path, NULL, &measurements));
    assert_ok(now.context, rw_calibrate(now.scene, &now.options, measurements, &options, &calibration));
    assert_ok(now.context, rw_calibration_get_parameter(calibration, 0, &offset));
    assert_string_equal(offset.name, "offset_db");
    printf("offset %.3f dB\n", offset.after);
    assert_near(offset.after, 7, 0.5);
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_map_destroy(map);
    end(&now);
}

/* The lowest band of the volume is the map on flat ground; higher bands see more. */
static void volume_over_the_map(void **state)
{
    (void)state;
    prediction now = city(4, 0);
    now.options.res_m = 10;
    now.options.layers = "path_loss,volume,power";
    allow(&now, 1, 1, 1);
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    rw_map_layer loss = layer_of(map, "path_loss"), volume = layer_of(map, "volume"), power = layer_of(map, "power");
    size_t cells = info.columns * info.rows, same = 0, open = 0;
    assert_true(volume.bands >= 6);
    for (size_t i = 0; i < cells; i++) {
        if (isnan(loss.values[i]))
            continue;
        assert_true(loss.values[i] == volume.values[i] ||
                    (isnan(volume.values[i]))); /* a receiver outdoors whose cube is filled cannot be: same centre */
        same += loss.values[i] == volume.values[i];
        if (isfinite(loss.values[i]))
            assert_near(power.values[i], now.tx[0].power_dbm - loss.values[i], 1e-3);
    }
    for (size_t i = 0; i < cells; i++)
        open += isfinite(volume.values[(volume.bands - 1) * cells + i]) != 0;
    assert_true(same > cells / 3);
    assert_int_equal(open, cells); /* above the roofs */
    rw_map_destroy(map);
    end(&now);
}

static void refusals(void **state)
{
    (void)state;
    prediction now = city(1, 0);
    rw_map *map;
    now.options.transmitters = now.tx;
    now.options.reflections = 9;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "reflections = 9 is out of range: 0 to 4");
    now.options.reflections = RW_UNSET;
    now.options.effects = "roofs";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL,
                   "model cubes has no option effects; it has ");
    now.options.effects = NULL;
    now.options.layers = "walls";
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_BAD_CALL, "volume");
    now.options.layers = NULL;
    now.options.res_m = 0.02;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_TOO_LARGE, "GB");
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sight_as_shadow_model),
                                       cmocka_unit_test(same_with_one_thread),
                                       cmocka_unit_test(same_on_gpu),
                                       cmocka_unit_test(halving_converges),
                                       cmocka_unit_test(paths_are_whole),
                                       cmocka_unit_test(volume_over_the_map),
                                       cmocka_unit_test(calibration_finds_an_offset),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
