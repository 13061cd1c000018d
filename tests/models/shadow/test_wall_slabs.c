/* What the walls on the straight line cost in the model shadow: against every wall tried in double with the slab's
 * formula written out, for buildings, floor plans and meshes; the constants by name; roofs that are only counted. */
#include "prediction.h"

#include <complex.h>

#define FREQ_HZ 2e9

/* A construction as the tests know it: at most two layers. */
typedef struct made_of {
    const char *name;
    double permittivity[2], conductivity[2], thickness_m[2];
} made_of;

static const made_of kinds[] = {{"thin", {2.2}, {0.01}, {0.02}},
                                {"thick", {5.5}, {0.05}, {0.25}},
                                {"double", {6.3, 3.9}, {0.02, 0.03}, {0.008, 0.11}}};

static void add_kinds(rw_context *context, rw_scene *scene)
{
    for (int i = 0; i < 3; i++) {
        rw_layer layers[2];
        size_t count = 0;
        for (; count < 2 && kinds[i].thickness_m[count] > 0; count++) {
            char name[32];
            snprintf(name, sizeof name, "%s%zu", kinds[i].name, count);
            rw_material material = {.size = sizeof material,
                                    .name = name,
                                    .a = kinds[i].permittivity[count],
                                    .c = kinds[i].conductivity[count],
                                    .freq_max_hz = INFINITY};
            assert_ok(context, rw_scene_add_material(scene, &material));
            layers[count] = (rw_layer){sizeof(rw_layer),
                                       count    ? "double1"
                                       : i == 0 ? "thin0"
                                       : i == 1 ? "thick0"
                                                : "double0",
                                       kinds[i].thickness_m[count]};
        }
        rw_slab slab = {sizeof slab, kinds[i].name, layers, count};
        assert_ok(context, rw_scene_add_slab(scene, &slab));
    }
}

/* Transmitted power of a stack by the matrices of its layers (M. Born, E. Wolf, Principles of Optics, section 1.6). */
static double stack_power(const made_of *wall, double cosine, int tm)
{
    double k = 2 * M_PI * FREQ_HZ / 299792458.0;
    double complex m[2][2] = {{1, 0}, {0, 1}};
    for (int i = 0; i < 2 && wall->thickness_m[i] > 0; i++) {
        double complex eps =
            wall->permittivity[i] - I * wall->conductivity[i] / (2 * M_PI * FREQ_HZ * 8.8541878128e-12);
        double complex q = csqrt(eps - (1 - cosine * cosine)), beta = k * wall->thickness_m[i] * q;
        double complex p = tm ? q / eps : q;
        double complex layer[2][2] = {{ccos(beta), I * csin(beta) / p}, {I * p * csin(beta), ccos(beta)}},
                       product[2][2];
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                product[a][b] = m[a][0] * layer[0][b] + m[a][1] * layer[1][b];
        memcpy(m, product, sizeof m);
    }
    double complex t = 2 * cosine / ((m[0][0] + m[0][1] * cosine) * cosine + m[1][0] + m[1][1] * cosine);
    return creal(t) * creal(t) + cimag(t) * cimag(t);
}

/* Loss of one passage of a vertically polarised wave along d through a plane of that normal. */
static double plane_db(const made_of *wall, const double d[3], const double n[3])
{
    double cosine = fabs(d[0] * n[0] + d[1] * n[1] + d[2] * n[2]), level = hypot(d[0], d[1]);
    double theta[3] = {d[0] * d[2] / level, d[1] * d[2] / level, -level};
    double te[3] = {d[1] * n[2] - d[2] * n[1], d[2] * n[0] - d[0] * n[2], d[0] * n[1] - d[1] * n[0]};
    double size = sqrt(te[0] * te[0] + te[1] * te[1] + te[2] * te[2]);
    double along = size > 0 ? (te[0] * theta[0] + te[1] * theta[1] + te[2] * theta[2]) / size : 1;
    double share = along * along;
    return -10 * log10(share * stack_power(wall, cosine, 0) + (1 - share) * stack_power(wall, cosine, 1));
}

/* The same through a vertical wall along w. */
static double passage_db(const made_of *wall, const double d[3], double wx, double wy)
{
    double length = hypot(wx, wy), n[3] = {wy / length, -wx / length, 0};
    return plane_db(wall, d, n);
}

/* One wall of the scene as the test made it. */
typedef struct test_wall {
    double x0, y0, x1, y1, top;
    int kind;
} test_wall;

#define HOUSES 60

/* Quadrilaterals in rows, each turned a little, of the three constructions in turn. */
static rw_scene *many_houses(rw_context *context, test_wall *walls)
{
    rw_scene *scene = make_scene(context);
    add_kinds(context, scene);
    for (int i = 0; i < HOUSES; i++) {
        double x = 10 + 22 * (i % 10), y = 10 + 24 * (int)(i / 10), turn = 0.3 * i, top = 6 + i % 7;
        double xy[8];
        size_t count = 4;
        for (int k = 0; k < 4; k++) {
            double a = turn + M_PI / 2 * k;
            xy[2 * k] = x + 8 * cos(a);
            xy[2 * k + 1] = y + 8 * sin(a);
        }
        rw_building building = {.size = sizeof building,
                                .xy = xy,
                                .ring_sizes = &count,
                                .ring_count = 1,
                                .ground_m = NAN,
                                .roof_height_m = top,
                                .surface = kinds[i % 3].name};
        assert_ok(context, rw_scene_add_building(scene, &building));
        for (int k = 0; k < 4; k++) {
            int next = (k + 1) % 4;
            walls[4 * i + k] = (test_wall){xy[2 * k], xy[2 * k + 1], xy[2 * next], xy[2 * next + 1], top, i % 3};
        }
    }
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* All walls on the line, each tried, and the roofs of houses that it enters or leaves from above; how many of both. */
static double walls_by_hand_db(const test_wall *walls, size_t wall_count, const double from[3], const double to[3],
                               int *count, int *roofs)
{
    const double up[3] = {0, 0, 1};
    int of_house = 0;
    double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, sum_db = 0;
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
           unit[3] = {d[0] / length, d[1] / length, d[2] / length};
    *count = *roofs = 0;
    for (size_t i = 0; i < wall_count; i++) {
        of_house = i % 4 ? of_house : *count; /* before this house */
        double wx = walls[i].x1 - walls[i].x0, wy = walls[i].y1 - walls[i].y0, below = d[0] * wy - d[1] * wx;
        double ax = walls[i].x0 - from[0], ay = walls[i].y0 - from[1];
        double t = (ax * wy - ay * wx) / below, s = (ax * d[1] - ay * d[0]) / below;
        if (t > 0 && t < 1 && s > 0 && s < 1 && from[2] + t * d[2] < walls[i].top) {
            ++*count;
            sum_db += passage_db(&kinds[walls[i].kind], unit, wx, wy);
        }
        if (i % 4 == 3 && (*count - of_house) % 2) {
            ++*roofs;
            sum_db += plane_db(&kinds[walls[i].kind], unit, up);
        }
    }
    return sum_db;
}

static double free_db(const double from[3], const double to[3])
{
    double m = sqrt(pow(to[0] - from[0], 2) + pow(to[1] - from[1], 2) + pow(to[2] - from[2], 2));
    return 20 * log10(4 * M_PI * m * FREQ_HZ / 299792458.0);
}

static prediction begin_houses(rw_backend backend, test_wall *walls)
{
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        skip_test("no GPU");
    prediction now = begin_with(context, many_houses(context, walls));
    now.tx[0].x_m = 119;
    now.tx[0].y_m = 81;
    now.tx[0].height_m = 9;
    now.options.freq_hz = FREQ_HZ;
    now.options.effects = "walls";
    now.options.layers = "path_loss,walls,los";
    return now;
}

static void check_houses(rw_backend backend)
{
    test_wall walls[4 * HOUSES];
    prediction now = begin_houses(backend, walls);
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    size_t through = 0, over = 0;
    double from[3] = {119, 81, 9}, worst_db = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        float loss_db = layer_of(map, "path_loss").values[i];
        int count, roofs;
        if (isnan(loss_db))
            continue;
        double to[3] = {info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m,
                        info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m, 1.5};
        double walls_db = walls_by_hand_db(walls, 4 * HOUSES, from, to, &count, &roofs);
        assert_near(layer_of(map, "walls").values[i], count + roofs, 0);
        worst_db = fmax(worst_db, fabs((double)loss_db - free_db(from, to) - walls_db));
        through += count > 0;
        over += roofs > 0;
    }
    assert_true(through > 500 && over > 20);
    assert_near(worst_db, 0, 0.3); /* grazing walls are read from the table's first steps */
    rw_map_destroy(map);
    end(&now);
}

static void every_wall_by_its_slab(void **state)
{
    (void)state;
    check_houses(RW_BACKEND_CPU);
}

static void every_wall_by_its_slab_gpu(void **state)
{
    (void)state;
    check_houses(RW_BACKEND_CUDA);
}

/* The path through walls has a vertex on each, with its name and loss. */
static void paths_place_the_walls(void **state)
{
    (void)state;
    test_wall walls[4 * HOUSES];
    prediction now = begin_houses(RW_BACKEND_CPU, walls);
    rw_point point = {.size = sizeof point, .x_m = 208.5, .y_m = 95.5, .height_m = 1.5};
    rw_paths *paths;
    rw_path path = {.size = sizeof path};
    double from[3] = {119, 81, 9}, to[3] = {208.5, 95.5, 1.5}, sum_db = 0;
    int count, roofs;
    now.options.transmitters = now.tx;
    now.options.layers = NULL;
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
    assert_int_equal(rw_paths_count(paths), 1);
    rw_paths_get(paths, 0, &path);
    double walls_db = walls_by_hand_db(walls, 4 * HOUSES, from, to, &count, &roofs);
    assert_true(count >= 3 && roofs >= 1);
    assert_int_equal(path.vertex_count, count + roofs + 2);
    for (size_t i = 1; i + 1 < path.vertex_count; i++) {
        const rw_path_vertex *vertex = &path.vertices[i];
        double nearest_m = INFINITY;
        sum_db += (double)vertex->loss_db;
        for (size_t w = 0; w < 4 * HOUSES; w++) {
            double wx = walls[w].x1 - walls[w].x0, wy = walls[w].y1 - walls[w].y0, length = hypot(wx, wy);
            double off = fabs((vertex->x_m - walls[w].x0) * wy - (vertex->y_m - walls[w].y0) * wx) / length;
            if (strcmp(vertex->surface, kinds[walls[w].kind].name) == 0)
                nearest_m = fmin(nearest_m, fmin(off, fabs(vertex->z_m - walls[w].top))); /* a wall or a roof */
        }
        assert_near(nearest_m, 0, 1e-6);
        assert_true(vertex->x_m > path.vertices[i - 1].x_m);
    }
    assert_near(sum_db, walls_db, 0.1);
    rw_paths_destroy(paths);
    end(&now);
}

/* Triangles of a mesh have its construction: a box of two faces on the line. */
static void meshes_too(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    add_kinds(context, scene);
    double xyz[24];
    for (int corner = 0; corner < 8; corner++) {
        xyz[3 * corner] = corner & 1 ? 30 : 20;
        xyz[3 * corner + 1] = corner & 2 ? 40 : 0;
        xyz[3 * corner + 2] = corner & 4 ? 12 : 0;
    }
    static const uint32_t triangles[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "box",
                    .xyz = xyz,
                    .vertex_count = 8,
                    .triangles = triangles,
                    .triangle_count = 12,
                    .surface = "double"};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 5;
    now.tx[0].y_m = 20;
    now.tx[0].height_m = 3;
    now.options.freq_hz = FREQ_HZ;
    now.options.res_m = 1;
    now.options.area_m[0] = 0, now.options.area_m[1] = 0, now.options.area_m[2] = 60, now.options.area_m[3] = 40;
    rw_map *map = predict(&now);
    double from[3] = {5, 20, 3};
    for (int i = 0; i < 3; i++) {
        double to[3] = {45.5, 20.5 + 5 * i, 1.5}, d[3], length = 0;
        for (int k = 0; k < 3; k++)
            length += (to[k] - from[k]) * (to[k] - from[k]);
        for (int k = 0; k < 3; k++)
            d[k] = (to[k] - from[k]) / sqrt(length);
        assert_near(value_at(map, "path_loss", to[0], to[1]), free_db(from, to) + 2 * passage_db(&kinds[2], d, 0, 1),
                    0.05);
    }
    rw_map_destroy(map);
    end(&now);
}

static void constants_by_name(void **state)
{
    (void)state;
    test_wall walls[4 * HOUSES];
    prediction now = begin_houses(RW_BACKEND_CPU, walls);
    rw_params *params;
    rw_map *maps[3];
    now.options.walls = "constant";
    maps[0] = predict(&now);
    now.options.walls = NULL;
    assert_ok(now.context, rw_params_create(now.context, "shadow", FREQ_HZ, &params));
    now.options.params = params;
    maps[1] = predict(&now); /* uncalibrated: by slabs */
    assert_ok(now.context, rw_params_set(params, "wall_first_db", 12.0000001));
    rw_map_destroy(maps[1]);
    maps[1] = predict(&now);
    now.options.walls = "slab";
    maps[2] = predict(&now);
    rw_map_info info = info_of(maps[0]);
    double from[3] = {119, 81, 9}, apart_db = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        float loss_db = layer_of(maps[0], "path_loss").values[i], count = layer_of(maps[0], "walls").values[i];
        double to[3] = {info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m,
                        info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m, 1.5};
        if (isnan(loss_db))
            continue;
        assert_near(loss_db, free_db(from, to) + 12 * (1 - pow(0.95, (double)count)) / 0.05, 1e-3);
        assert_near(layer_of(maps[1], "path_loss").values[i], loss_db, 1e-4);
        apart_db = fmax(apart_db, fabs((double)layer_of(maps[2], "path_loss").values[i] - (double)loss_db));
    }
    assert_true(apart_db > 5);
    for (int i = 0; i < 3; i++)
        rw_map_destroy(maps[i]);
    rw_params_destroy(params);
    now.options.params = NULL;
    now.options.walls = "paper";
    now.options.transmitters = now.tx;
    check_sentence(now.context, rw_predict(now.scene, &now.options, &maps[0]), RW_BAD_CALL, "slab");
    end(&now);
}

/* Rows of one to five houses, each wider than long, the line at their roofs' height. */
static void counted_roofs_saturate(void **state)
{
    (void)state;
    for (int houses = 1; houses <= 5; houses++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
        rw_scene *scene = make_scene(context);
        for (int i = 0; i < houses; i++)
            add_box(context, scene, (double[]){20 + 20 * i, 0, 30 + 20 * i, 60}, 8, NULL);
        assert_ok(context, rw_scene_commit(scene));
        prediction now = begin_with(context, scene);
        now.tx[0].x_m = 20.5;
        now.tx[0].y_m = 30;
        now.tx[0].height_m = 7.9;
        now.options.area_m[0] = 0, now.options.area_m[1] = 0, now.options.area_m[2] = 150, now.options.area_m[3] = 60;
        now.options.effects = "roofs_counted";
        now.options.rx_height_m = 7.8;
        now.options.freq_hz = FREQ_HZ;
        now.tx[0].x_m = 5;
        rw_map *map = predict(&now);
        double from[3] = {5, 30, 7.9}, to[3] = {142.5, 32.5, 7.8};
        assert_near(value_at(map, "walls", 142.5, 32.5), 2 * houses, 0);
        assert_near(value_at(map, "path_loss", 142.5, 32.5), free_db(from, to) + 20 * log10(houses + 1), 0.01);
        rw_map_destroy(map);
        end(&now);
    }
}

/* A name that nothing defines is concrete, not a refusal. */
static void unknown_names_are_concrete(void **state)
{
    (void)state;
    double loss_db[2];
    for (int i = 0; i < 2; i++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
        rw_scene *scene = make_scene(context);
        rw_panel panel = {.size = sizeof panel, .x0_m = 20, .y0_m = 0, .x1_m = 20, .y1_m = 40, .top_m = 9};
        panel.surface = i ? "itu_concrete" : "whatever";
        assert_ok(context, rw_scene_add_panel(scene, &panel));
        add_box(context, scene, (double[]){0, 0, 1, 1}, 3, NULL);
        add_box(context, scene, (double[]){39, 39, 40, 40}, 3, NULL);
        assert_ok(context, rw_scene_commit(scene));
        prediction now = begin_with(context, scene);
        now.tx[0].x_m = 5;
        now.tx[0].y_m = 20;
        now.tx[0].height_m = 2;
        now.options.effects = "walls";
        now.options.freq_hz = FREQ_HZ;
        rw_map *map = predict(&now);
        loss_db[i] = (double)value_at(map, "path_loss", 32.5, 22.5);
        rw_map_destroy(map);
        end(&now);
    }
    assert_near(loss_db[0], loss_db[1], 0);
}

/* A scene of free walls alone is a floor plan: no effect leads over them unless it is asked for. */
static void floor_plans_have_walls_alone(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    add_kinds(context, scene);
    for (int i = 0; i < 5; i++) {
        rw_panel panel = {.size = sizeof panel, .x0_m = 4.0 * i, .y0_m = 0, .x1_m = 4.0 * i, .y1_m = 20, .top_m = 3};
        panel.surface = "thick";
        assert_ok(context, rw_scene_add_panel(scene, &panel));
    }
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 1;
    now.tx[0].y_m = 10;
    now.tx[0].height_m = 2;
    now.options.freq_hz = FREQ_HZ;
    now.options.res_m = 1;
    now.options.layers = "path_loss,mechanism";
    now.options.prior = "none";
    rw_map *map = predict(&now);
    double from[3] = {1, 10, 2}, to[3] = {14.5, 10.5, 1.5}, length = 0, d[3];
    for (int k = 0; k < 3; k++)
        length += (to[k] - from[k]) * (to[k] - from[k]);
    for (int k = 0; k < 3; k++)
        d[k] = (to[k] - from[k]) / sqrt(length);
    assert_near(value_at(map, "mechanism", 14.5, 10.5), 3, 0);
    assert_near(value_at(map, "path_loss", 14.5, 10.5), free_db(from, to) + 3 * passage_db(&kinds[1], d, 0, 1), 0.05);
    rw_map_destroy(map);
    end(&now);
}

/* Lines that rise by less than a metre and pass a centimetre below the top of a wall meet it, wherever in its cell of
 * the wall grid it stands. */
static void grazed_tops_count(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
        rw_scene *scene = make_scene(context);
        double x = 6.2 + 0.73 * i, rise_m = 0.9, t = (20.5 - x) / 20, d[3] = {20, 0, -rise_m},
               length_m = hypot(20, rise_m);
        rw_panel walls[2] = {
            {.size = sizeof *walls, .x0_m = x, .y0_m = -9, .x1_m = x, .y1_m = 10, .surface = "thick"},
            {.size = sizeof *walls, .x0_m = -1, .y0_m = 20, .x1_m = 30, .y1_m = 20, .surface = "thin"}};
        walls[0].top_m = 1.5 + rise_m * t + 0.012;
        walls[1].top_m = 0.1; /* a kerb, which makes the scene larger */
        add_kinds(context, scene);
        for (int k = 0; k < 2; k++)
            assert_ok(context, rw_scene_add_panel(scene, &walls[k]));
        assert_ok(context, rw_scene_commit(scene));
        prediction now = begin_with(context, scene);
        now.tx[0].x_m = now.tx[0].y_m = 0.5;
        now.tx[0].height_m = 1.5 + rise_m;
        now.options.freq_hz = FREQ_HZ;
        now.options.effects = "walls";
        now.options.prior = "none";
        now.options.res_m = 1;
        rw_map *map = predict(&now);
        for (int k = 0; k < 3; k++)
            d[k] /= length_m;
        double free_db = 20 * log10(4 * M_PI * length_m * FREQ_HZ / 299792458.0);
        assert_near(value_at(map, "path_loss", 20.5, 0.5), free_db + passage_db(&kinds[1], d, 0, 1), 0.3);
        rw_map_destroy(map);
        end(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wall_by_its_slab),      cmocka_unit_test(every_wall_by_its_slab_gpu),
        cmocka_unit_test(paths_place_the_walls),       cmocka_unit_test(meshes_too),
        cmocka_unit_test(constants_by_name),           cmocka_unit_test(counted_roofs_saturate),
        cmocka_unit_test(grazed_tops_count),           cmocka_unit_test(unknown_names_are_concrete),
        cmocka_unit_test(floor_plans_have_walls_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
