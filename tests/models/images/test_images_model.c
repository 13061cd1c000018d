/* The images model through the public header: maps and paths. */
#include "prediction.h"
#include "rooms.h"

#include <rasterwave/calc.h>

static prediction begin_rooms(int threads)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, threads);
    prediction now = begin_with(context, two_rooms(context));
    now.tx[0].x_m = 1.17;
    now.tx[0].y_m = 2.71;
    now.tx[0].height_m = 2.21;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.depth = 3;
    now.options.pixels = 256;
    return now;
}

static void maps_have_defaults_and_layers(void **state)
{
    (void)state;
    prediction now = begin_rooms(2);
    now.options.layers = "path_loss,power,delay_spread,delay,azimuth_spread,elevation_spread,paths,best";
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    assert_near(info.res_m, 0.1, 1e-12); /* rooms of 10 m: 100 cells along the longer side */
    assert_near(info.rx_height_m, 1.1, 1e-12);
    assert_int_equal(info.columns, 100);
    size_t in_wall = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        float loss = layer_of(map, "path_loss").values[i];
        if (isnan(loss)) {
            in_wall++;
            continue;
        }
        assert_near(layer_of(map, "power").values[i], 30 - loss, 1e-3);
        assert_true(loss > 20 && loss < 120);
        assert_true(layer_of(map, "paths").values[i] > 10);
        assert_true(layer_of(map, "delay_spread").values[i] > 0 && layer_of(map, "delay_spread").values[i] < 60);
        assert_true(layer_of(map, "delay").values[i] > 1 && layer_of(map, "delay").values[i] < 100);
        assert_true(layer_of(map, "azimuth_spread").values[i] > 0);
        assert_true(layer_of(map, "elevation_spread").values[i] >= 0);
        assert_near(layer_of(map, "best").values[i], 1, 0);
    }
    assert_true(in_wall < info.columns * info.rows / 4); /* cells within half a wall's thickness have no value */
    rw_map_destroy(map);
    end(&now);
}

/* Paths of at most so many reflections and transmissions, out of all. */
static size_t count_within(const rw_paths *paths, size_t reflections, size_t transmissions)
{
    size_t within = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        size_t reflected = 0, through = 0;
        assert_int_equal(rw_paths_get(paths, i, &path), RW_OK);
        for (size_t k = 0; k < path.vertex_count; k++) {
            reflected += path.vertices[k].interaction == RW_INTERACTION_REFLECTION;
            through += path.vertices[k].interaction == RW_INTERACTION_WALL;
        }
        within += reflected <= reflections && through <= transmissions;
    }
    return within;
}

/* Limits of each kind leave out just the paths beyond them, in paths and in maps of both models. */
static void limits_of_kinds(void **state)
{
    (void)state;
    static const int limits[][2] = {{0, 0}, {1, 0}, {0, 2}, {2, 1}, {3, 3}};
    prediction now = begin_rooms(2);
    rw_point point = {.size = sizeof point, .x_m = 8, .y_m = 2, .height_m = 1.1};
    rw_paths *all, *some;
    now.options.transmitters = now.tx;
    now.options.direct = "limited";
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &all));
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        now.options.reflections = limits[i][0];
        now.options.transmissions = limits[i][1];
        assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &some));
        assert_int_equal(rw_paths_count(some), count_within(all, (size_t)limits[i][0], (size_t)limits[i][1]));
        rw_paths_destroy(some);
    }
    assert_true(count_within(all, 3, 3) > count_within(all, 2, 1) && count_within(all, 0, 2) > 0);
    rw_paths_destroy(all);
    for (int sbr = 0; sbr < 2; sbr++) {
        rw_predict_options options = asked_of(&now.options, sbr ? "sbr" : "images");
        rw_map *map;
        options.depth = 3;
        options.layers = "paths";
        options.reflections = options.transmissions = 0;
        assert_ok(now.context, rw_predict(now.scene, &options, &map));
        rw_map_layer paths = layer_of(map, "paths");
        assert_near(paths.max, 1, 0); /* in sight, or nothing */
        rw_map_destroy(map);
    }
    end(&now);
}

/* Paths within the lowest storey of an office. */
static rw_paths *paths_in_office(int storeys)
{
    rw_office_options office;
    rw_office_options_init(&office);
    office.width_m = 12;
    office.depth_m = 8;
    office.storeys = storeys;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene;
    assert_ok(context, rw_generate_office(context, &office, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = now.tx[0].y_m = 3;
    now.tx[0].height_m = 1.5;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.depth = 2;
    now.options.pixels = 256;
    rw_point point = {.size = sizeof point, .x_m = 9, .y_m = 5, .height_m = 1.2};
    rw_paths *paths;
    assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
    end(&now);
    return paths;
}

/* Storeys above take nothing away below, though each adds edges to the outer walls: with 70 of them a column of pixels
 * cuts such a wall in more pieces than are drawn at once, and crosses more edges than are held at once. */
static void surfaces_of_many_edges_are_drawn_whole(void **state)
{
    (void)state;
    rw_paths *low = paths_in_office(2), *high = paths_in_office(70);
    assert_true(rw_paths_count(low) > 5);
    assert_int_equal(rw_paths_count(high), rw_paths_count(low));
    for (size_t i = 0; i < rw_paths_count(low); i++) {
        rw_path one = {.size = sizeof one}, other = {.size = sizeof other};
        assert_int_equal(rw_paths_get(low, i, &one), RW_OK);
        assert_int_equal(rw_paths_get(high, i, &other), RW_OK);
        assert_near(one.loss_db, other.loss_db, 1e-6);
        assert_near(one.length_m, other.length_m, 1e-9);
    }
    rw_paths_destroy(low);
    rw_paths_destroy(high);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    prediction one = begin_rooms(1), two = begin_rooms(2);
    rw_map *first = predict(&one), *second = predict(&two);
    rw_map_info info = info_of(first);
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_layer a = {.size = sizeof a}, b = {.size = sizeof b};
        rw_map_get_layer(first, i, &a);
        rw_map_get_layer(second, i, &b);
        assert_memory_equal(a.values, b.values, info.columns * info.rows * sizeof *a.values);
    }
    rw_map_destroy(first);
    rw_map_destroy(second);
    end(&one);
    end(&two);
}

/* The three kinds of sum: over many cells the mean powers agree; a local mean is smoother than the field. */
static void sums_agree_on_average(void **state)
{
    (void)state;
    static const char *const sums[] = {"coherent", "power", "local"};
    double mean[3], rough[3];
    for (int kind = 0; kind < 3; kind++) {
        prediction now = begin_rooms(2);
        now.options.sum = sums[kind];
        now.options.layers = "path_loss";
        rw_map *map = predict(&now);
        rw_map_info info = info_of(map);
        const float *loss = layer_of(map, "path_loss").values;
        double total = 0, jumps = 0, cells = 0, pairs = 0;
        for (size_t i = 0; i < info.columns * info.rows; i++) {
            if (isnan(loss[i]))
                continue;
            total += pow(10, -loss[i] / 10);
            cells++;
            if (i + 1 < info.columns * info.rows && !isnan(loss[i + 1])) {
                jumps += fabs(loss[i] - loss[i + 1]);
                pairs++;
            }
        }
        mean[kind] = 10 * log10(total / cells);
        rough[kind] = jumps / pairs;
        rw_map_destroy(map);
        end(&now);
    }
    printf("mean %.2f %.2f %.2f dB, steps %.2f %.2f %.2f dB\n", mean[0], mean[1], mean[2], rough[0], rough[1],
           rough[2]);
    assert_near(mean[0], mean[1], 1.5);
    assert_near(mean[2], mean[1], 1.0);
    assert_true(rough[1] < rough[0] && rough[2] < rough[0]);
}

static rw_paths *trace(prediction *now, const rw_point *points, size_t count)
{
    rw_paths *paths;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, points, count, &paths));
    return paths;
}

/* The paths of a point add up to its cell; each obeys its geometry. */
static void paths_add_up_to_the_map(void **state)
{
    (void)state;
    prediction now = begin_rooms(2);
    now.options.layers = "path_loss,paths";
    now.options.sum = "coherent";
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    size_t column = 19, row = 4;
    rw_point point = {.size = sizeof(rw_point),
                      .x_m = info.x0_m + (column + 0.5) * info.res_m,
                      .y_m = info.y0_m + (row + 0.5) * info.res_m,
                      .height_m = 1.1};
    rw_paths *paths = trace(&now, &point, 1);
    assert_near((double)rw_paths_count(paths), layer_of(map, "paths").values[row * info.columns + column], 0);
    double re = 0, im = 0, before = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        assert_ok(now.context, rw_paths_get(paths, i, &path));
        re += path.gain_re;
        im += path.gain_im;
        assert_true(path.loss_db >= before); /* strongest first */
        before = path.loss_db;
        assert_near(path.loss_db, -20 * log10(hypot(path.gain_re, path.gain_im)), 1e-9);
        assert_true(path.delay_s * 299792458.0 > path.length_m - 0.02);
        assert_true(path.vertex_count >= 2 && path.vertex_count <= 5);
        assert_near(path.vertices[0].z_m, 2.21, 1e-12);
        for (size_t v = 1; v + 1 < path.vertex_count; v++)
            assert_true(path.vertices[v].loss_db > -1e-4);
    }
    assert_near(-20 * log10(hypot(re, im)), layer_of(map, "path_loss").values[row * info.columns + column], 1e-3);
    rw_paths_destroy(paths);
    rw_map_destroy(map);
    end(&now);
}

/* With diffraction the door's jambs and lintel and the window's frame add paths, and map and paths still agree. */
static void diffracted_paths_add_up_too(void **state)
{
    (void)state;
    prediction now = begin_rooms(2);
    now.options.layers = "path_loss,paths";
    now.options.diffractions = 1;
    now.options.sum = "coherent";
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    size_t column = 19, row = 4, bent = 0;
    rw_point point = {.size = sizeof(rw_point),
                      .x_m = info.x0_m + (column + 0.5) * info.res_m,
                      .y_m = info.y0_m + (row + 0.5) * info.res_m,
                      .height_m = 1.1};
    rw_paths *paths = trace(&now, &point, 1);
    double re = 0, im = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        assert_ok(now.context, rw_paths_get(paths, i, &path));
        re += path.gain_re;
        im += path.gain_im;
        bent += path.vertices[1].interaction == RW_INTERACTION_STREET ||
                path.vertices[1].interaction == RW_INTERACTION_ROOF;
    }
    assert_true(bent >= 1 && bent <= 7); /* three edges of the door, four of the window */
    assert_near((double)rw_paths_count(paths), layer_of(map, "paths").values[row * info.columns + column], 0);
    assert_near(-20 * log10(hypot(re, im)), layer_of(map, "path_loss").values[row * info.columns + column], 1e-3);
    rw_paths_destroy(paths);
    rw_map_destroy(map);
    now.options.diffractions = 2;
    rw_map *none;
    now.options.transmitters = now.tx;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &none), RW_BAD_CALL,
                   "diffractions = 2 is out of range: 0 to 1");
    end(&now);
}

/* Swapping transmitter and receiver changes nothing but the directions. */
static void paths_are_reciprocal(void **state)
{
    (void)state;
    prediction now = begin_rooms(2);
    rw_point there = {.size = sizeof(rw_point), .x_m = 8.3, .y_m = 1.2, .height_m = 1.3},
             here = {.size = sizeof(rw_point), .x_m = 1.17, .y_m = 2.71, .height_m = 2.21};
    rw_paths *forth = trace(&now, &there, 1);
    now.tx[0].x_m = there.x_m;
    now.tx[0].y_m = there.y_m;
    now.tx[0].height_m = there.height_m;
    rw_paths *back = trace(&now, &here, 1);
    assert_int_equal(rw_paths_count(forth), rw_paths_count(back));
    assert_true(rw_paths_count(forth) > 20);
    for (size_t i = 0; i < rw_paths_count(forth); i++) {
        rw_path a = {.size = sizeof a}, b = {.size = sizeof b};
        rw_paths_get(forth, i, &a);
        rw_paths_get(back, i, &b);
        double size = hypot(a.gain_re, a.gain_im);
        assert_near(hypot(a.gain_re - b.gain_re, a.gain_im - b.gain_im) / size, 0, 1e-6);
        assert_near(a.delay_s, b.delay_s, 1e-16);
        assert_near(a.departure_theta_deg, b.arrival_theta_deg, 0.01); /* equal gains may change places */
    }
    rw_paths_destroy(forth);
    rw_paths_destroy(back);
    end(&now);
}

/* One wall alone: two rays, direct and reflected, as the two-ray formula has them. */
static void a_single_floor_is_the_two_ray_model(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double corners[] = {-500, -500, 0, 500, -500, 0, 500, 500, 0, -500, 500, 0};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "ground",
                    .xyz = corners,
                    .vertex_count = 4,
                    .triangles = triangles,
                    .triangle_count = 2,
                    .surface = "itu_concrete"};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = "images";
    now.options.freq_hz = 2.4e9;
    now.options.depth = 2;
    now.options.pixels = 128;
    now.tx[0].height_m = 8;
    rw_point point = {.size = sizeof(rw_point), .x_m = 120, .y_m = 35, .height_m = 1.5};
    rw_paths *paths = trace(&now, &point, 1);
    assert_int_equal(rw_paths_count(paths), 2);
    double re = 0, im = 0;
    for (size_t i = 0; i < 2; i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        re += path.gain_re;
        im += path.gain_im;
    }
    rw_two_ray_options two;
    rw_two_ray_options_init(&two);
    two.freq_hz = 2.4e9;
    two.first_height_m = 8;
    two.second_height_m = 1.5;
    two.distance_m = 125;
    two.ground = "itu_concrete";
    rw_two_ray_result expected = {.size = sizeof expected};
    assert_ok(context, rw_calc_two_ray(context, &two, &expected));
    /* the formula takes the field as vertical at both ends; here theta is, which differs by the squared cosine */
    assert_near(-20 * log10(hypot(re, im)), expected.loss_vertical_db, 0.1);
    rw_paths_destroy(paths);
    end(&now);
}

/* Of every kind of path, the transfer between theta and phi gives the gain of any slants; many paths are read as one by
 * one. */
static void transfer_gives_every_polarisation(void **state)
{
    (void)state;
    prediction now = begin_rooms(2);
    rw_point points[2] = {{.size = sizeof(rw_point), .x_m = 8, .y_m = 2, .height_m = 1.1},
                          {.size = sizeof(rw_point), .x_m = 3.1, .y_m = 1.3, .height_m = 0.4}};
    const double degree = acos(-1.0) / 180;
    double sent[2] = {cos(30 * degree), sin(30 * degree)}, taken[2] = {cos(-70 * degree), sin(-70 * degree)};
    now.tx[0].slant_deg = 30;
    now.options.rx_slant_deg = -70;
    now.options.transmissions = 0; /* the direct path through the wall is one of its own kind */
    now.options.diffractions = 1;
    rw_paths *paths = trace(&now, points, 2);
    size_t count = rw_paths_count(paths);
    assert_true(count > 10);
    rw_path *many = calloc(count, sizeof *many);
    many[0].size = sizeof *many;
    assert_int_equal(rw_paths_get_many(paths, 1, count, many), RW_BAD_CALL);
    assert_ok(now.context, rw_paths_get_many(paths, 0, count, many));
    size_t walls = 0, edges = 0;
    for (size_t i = 0; i < count; i++) {
        rw_path path = {.size = sizeof path};
        assert_ok(now.context, rw_paths_get(paths, i, &path));
        assert_memory_equal(&path, &many[i], sizeof path);
        double re = 0, im = 0;
        for (int pair = 0; pair < 4; pair++) {
            re += taken[pair / 2] * path.transfer_re[pair] * sent[pair % 2];
            im += taken[pair / 2] * path.transfer_im[pair] * sent[pair % 2];
        }
        assert_near(re, path.gain_re, 1e-12);
        assert_near(im, path.gain_im, 1e-12);
        walls += path.vertices[1].interaction == RW_INTERACTION_WALL;
        edges += path.vertices[1].interaction == RW_INTERACTION_STREET;
    }
    assert_true(walls > 0 && edges > 0);
    free(many);
    rw_paths_destroy(paths);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_have_defaults_and_layers),
        cmocka_unit_test(limits_of_kinds),
        cmocka_unit_test(surfaces_of_many_edges_are_drawn_whole),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(sums_agree_on_average),
        cmocka_unit_test(paths_add_up_to_the_map),
        cmocka_unit_test(diffracted_paths_add_up_too),
        cmocka_unit_test(paths_are_reciprocal),
        cmocka_unit_test(transfer_gives_every_polarisation),
        cmocka_unit_test(a_single_floor_is_the_two_ray_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
