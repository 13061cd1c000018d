/* labels: numbers */
/* Line of sight of the cubes model against every wall in double: receivers beside walls, whose cubes may be filled,
 * transmitters beside walls too, and receivers anywhere rather than at centres of cubes. */
#include "discretise/cubes/cubes.h"
#include "prediction.h"
#include "sight_oracle.h"
#include "models/cubes/sight/cube_sight.k.h"

static prediction city(rw_backend backend, const char *style, uint64_t seed)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 300;
    options.seed = seed;
    options.style = style;
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        return (prediction){0};
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = "cubes";
    now.options.roofs = now.options.prior = "none"; /* in sight there is free space alone */
    now.options.layers = "path_loss,los";
    now.options.reflections = now.options.horizontal_diffractions = now.options.vertical_diffractions = 0;
    return now;
}

/* Walls between, or -1 where lines to or from some place within 2 cm have another number: the edge of a shadow. */
static int sure_walls(const rw_scene *scene, rw_vec3 receiver, rw_vec3 source)
{
    int walls = (int)oracle_walls(scene, receiver, source);
    for (int i = 0; i < 27; i++) {
        rw_vec3 shift = {0.02 * (i % 3 - 1), 0.02 * (i / 3 % 3 - 1), 0.02 * (i / 9 - 1)};
        if ((int)oracle_walls(scene, rw_vec3_add(receiver, shift), source) != walls ||
            (int)oracle_walls(scene, receiver, rw_vec3_add(source, shift)) != walls)
            return -1;
    }
    return walls;
}

typedef struct counts {
    size_t clear, blocked, edge, wrong, beside;
} counts;

/* Every receiver of a map. One that is seen has the loss of free space. */
static void compare(prediction *now, counts *all)
{
    rw_map *map = predict(now);
    rw_map_info info = info_of(map);
    rw_map_layer los = layer_of(map, "los"), loss = layer_of(map, "path_loss");
    const rw_scene *scene = now->scene;
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_vec3 source = {now->tx[0].x_m - scene->origin.x - centre.x, now->tx[0].y_m - scene->origin.y - centre.y,
                      now->tx[0].height_m};
    for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
        if (isnan(los.values[cell]))
            continue;
        double x = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m;
        double y = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m;
        rw_vec3 receiver = {x - scene->origin.x - centre.x, y - scene->origin.y - centre.y, info.rx_height_m};
        int walls = sure_walls(scene, receiver, source);
        all->edge += walls < 0;
        all->clear += walls == 0;
        all->blocked += walls > 0;
        uint32_t part;
        for (int side = 0; side < 4 && walls == 0; side++) {
            rw_vec2 next = {x - scene->origin.x + (side < 2 ? 2 * side - 1 : 0) * info.res_m,
                            y - scene->origin.y + (side < 2 ? 0 : 2 * side - 5) * info.res_m};
            if (rw_parts_at(scene, scene->prepared, next, info.rx_height_m, &part, 1) > 0) {
                all->beside++;
                break;
            }
        }
        if (walls < 0)
            continue;
        double free_db = 20 * log10(4 * 3.14159265358979 * rw_vec3_length(rw_vec3_sub(receiver, source)) *
                                    now->options.freq_hz / 299792458.0);
        int wrong = los.values[cell] != (walls == 0);
        wrong |= walls == 0 && !(fabs((double)loss.values[cell] - free_db) < 0.01);
        if (wrong && all->wrong < 5)
            printf("at %g, %g from %g, %g, %g: %d walls, in cubes %g\n", x, y, now->tx[0].x_m, now->tx[0].y_m,
                   now->tx[0].height_m, walls, (double)los.values[cell]);
        all->wrong += (size_t)wrong;
    }
    rw_map_destroy(map);
}

static void compare_cities(rw_backend backend)
{
    counts all = {0};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        prediction now = city(backend, seed % 2 ? "grid" : "european", seed);
        if (!now.context)
            skip_test("no GPU");
        uint64_t random = seed;
        for (int i = 0; i < 4; i++) {
            double height_m = i % 2 ? 45 : 10;
            rw_vec3 source = oracle_source(now.scene, &random, height_m);
            now.tx[0].x_m = source.x + now.scene->origin.x;
            now.tx[0].y_m = source.y + now.scene->origin.y;
            now.tx[0].height_m = height_m;
            now.options.res_m = i < 2 ? 5 : 3.7; /* walls on the borders of cubes, and anywhere */
            compare(&now, &all);
        }
        end(&now);
    }
    printf("%zu receivers in sight, %zu of them beside buildings, %zu behind walls, %zu at edges of shadows: %zu "
           "wrong\n",
           all.clear, all.beside, all.blocked, all.edge, all.wrong);
    assert_true(all.clear > 5000 && all.beside > 1000 && all.blocked > 5000 && all.edge * 50 < all.clear + all.blocked);
    assert_int_equal(all.wrong, 0);
}

static void all_walls_on_cpu(void **state)
{
    (void)state;
    compare_cities(RW_BACKEND_CPU);
}

static void all_walls_on_gpu(void **state)
{
    (void)state;
    compare_cities(RW_BACKEND_CUDA);
}

/* A receiver at the foot of a wall that lay in a filled cube: free space, as a path too. */
static void foot_of_a_wall(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene;
    rw_city_options options;
    rw_city_options_init(&options);
    options.style = "grid";
    options.width_m = options.depth_m = 200;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = "cubes";
    now.options.transmitters = now.tx;
    now.tx[0].x_m = now.tx[0].y_m = 100;
    now.tx[0].height_m = 10;
    rw_point point = {.size = sizeof(rw_point), .x_m = 127.5, .y_m = 62.5, .height_m = NAN};
    rw_paths *paths;
    rw_path path = {.size = sizeof path};
    assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
    assert_int_equal(rw_paths_count(paths), 1);
    assert_ok(context, rw_paths_get(paths, 0, &path));
    assert_int_equal(path.vertex_count, 2);
    double length_m = sqrt(27.5 * 27.5 + 37.5 * 37.5 + 8.5 * 8.5);
    assert_near(path.loss_db, 20 * log10(4 * 3.14159265358979 * length_m * now.options.freq_hz / 299792458.0), 0.01);
    rw_paths_destroy(paths);
    end(&now);
}

/* Between points anywhere in rooms of thin walls and beside boxes: every cube that a wall passes is filled there. */
static void points_among_thin_walls(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double boxes[2][4] = {{30, 5, 37, 12}, {21.3, 21.7, 33.1, 28.2}};
    for (int i = 0; i < 2; i++)
        add_box(context, scene, boxes[i], 6, "box");
    add_panel(context, scene, 3, 15, 25, 15);
    add_panel(context, scene, 12.4, 2, 12.4, 14);
    add_panel(context, scene, 5, 20, 18, 31);
    assert_ok(context, rw_scene_commit(scene));
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_cube_frame frame = {-scene->origin.x, -scene->origin.y, 0, 1, 40, 35, 9};
    rw_cubes cubes;
    assert_ok(context, rw_cubes_create(scene, &frame, &cubes));
    uint64_t random = 7;
    size_t clear = 0, blocked = 0, wrong = 0;
    for (int i = 0; i < 20000; i++) {
        rw_vec3 ends[2];
        float at[2][3];
        for (int end_of = 0; end_of < 2; end_of++) {
            uint32_t part;
            do {
                ends[end_of] = rw_vec3_of(frame.x0_m + 40 * oracle_random(&random),
                                          frame.y0_m + 35 * oracle_random(&random), 8.9 * oracle_random(&random));
            } while (rw_parts_at(scene, scene->prepared, rw_vec2_of(ends[end_of].x, ends[end_of].y), ends[end_of].z,
                                 &part, 1) > 0);
            rw_cubes_locate(&frame, ends[end_of], at[end_of]);
            ends[end_of].x -= centre.x;
            ends[end_of].y -= centre.y;
        }
        int walls = sure_walls(scene, ends[0], ends[1]);
        clear += walls == 0;
        blocked += walls > 0;
        wrong += walls >= 0 && rw_cube_sight_clear(&cubes.view, at[0], at[1]) != (walls == 0);
    }
    printf("%zu pairs of points see each other, %zu do not: %zu wrong\n", clear, blocked, wrong);
    assert_true(clear > 4000 && blocked > 4000);
    assert_int_equal(wrong, 0);
    rw_cubes_destroy(&cubes);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_walls_on_cpu), cmocka_unit_test(all_walls_on_gpu),
                                       cmocka_unit_test(foot_of_a_wall), cmocka_unit_test(points_among_thin_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
