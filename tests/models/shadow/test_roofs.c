/* Paths over roofs against a brute-force profile in double: every wall and every line of posts is intersected, the hull
 * is taken by trying, from each point, every later one. */
#include "models/shadow/path_loss.k.h"
#include "sight_oracle.h"

#include "unit.h"

typedef struct profile_point {
    double t, z;
} profile_point;

typedef struct profile {
    profile_point points[20000];
    size_t count;
} profile;

static void add_point(profile *made, double t, double z)
{
    assert_true(made->count < sizeof made->points / sizeof *made->points);
    made->points[made->count++] = (profile_point){t, z};
}

static void add_ground(const rw_scene *scene, rw_vec3 from, rw_vec3 to, profile *made)
{
    const rw_wall_grid_view *view = &scene->prepared->grid.view;
    rw_vec2 centre = scene->prepared->grid.centre;
    for (int kind = 0; view->posts && kind < 3; kind++) {
        double u = (from.x - view->post_x0) * view->posts_per_m_x, v = (from.y - view->post_y0) * view->posts_per_m_y;
        double du = (to.x - from.x) * view->posts_per_m_x, dv = (to.y - from.y) * view->posts_per_m_y;
        double start = kind == 0 ? u : kind == 1 ? v : u - v, step = kind == 0 ? du : kind == 1 ? dv : du - dv;
        for (int line = -view->post_rows; line <= view->post_columns + view->post_rows; line++) {
            double t = (line - start) / step;
            if (!(t > 0 && t < 1))
                continue;
            rw_vec2 at = {from.x + t * (to.x - from.x) + centre.x, from.y + t * (to.y - from.y) + centre.y};
            add_point(made, t, rw_scene_ground_m(scene, at));
        }
    }
}

/* Walks the hull: from each point on to the one that is seen steepest. Returns the loss over roofs in dB; least_rise_m
 * is how little an edge on it rises above the line between its neighbours. */
static double brute_loss_db(const rw_scene *scene, rw_vec3 from, rw_vec3 to, double wavelength_m, rw_deflection roof,
                            size_t *deflections, double *least_rise_m)
{
    static profile made;
    made.count = 0;
    const rw_wall_grid *grid = &scene->prepared->grid;
    for (size_t i = 0; i < grid->view.wall_count; i++) {
        double t;
        if (rw_wall_crosses_exact(from, to, &grid->exact[i], &t) && t > 0 && t < 1)
            add_point(&made, t, grid->exact[i].top);
    }
    add_ground(scene, from, to, &made);
    double distance = hypot(to.x - from.x, to.y - from.y), length = 0, loss = 0, before = 0, along_before = 0;
    profile_point at = {0, from.z};
    *deflections = 0;
    *least_rise_m = INFINITY;
    while (at.t < 1) {
        profile_point next = {1, to.z};
        double steepest = (to.z - at.z) / (1 - at.t);
        for (size_t i = 0; i < made.count; i++) {
            double slope = (made.points[i].z - at.z) / (made.points[i].t - at.t);
            int farther =
                made.points[i].t > next.t && next.t < 1; /* of points in line, the last: the others are seen over */
            if (made.points[i].t > at.t + 1e-12 && (slope > steepest + 1e-7 || (slope > steepest - 1e-7 && farther))) {
                steepest = slope;
                next = made.points[i];
            }
        }
        double along = (next.t - at.t) * distance, up = next.z - at.z, angle = atan2(up, along);
        if (at.t > 0) {
            loss += rw_deflection_loss_db(roof, fabs(angle - before));
            *least_rise_m = fmin(*least_rise_m, fabs(angle - before) * fmin(along, along_before));
            ++*deflections;
        }
        length += hypot(along, up);
        before = angle;
        along_before = along;
        at = next;
    }
    return loss + 20 * log10(4 * 3.14159265358979323846 * length / wavelength_m);
}

/* Whether two millimetres decide: then another set of walls is crossed, or an edge only just touches the string. */
static int ambiguous(const rw_scene *scene, rw_vec3 from, rw_vec3 to, double wavelength_m, rw_deflection roof,
                     double here_db)
{
    for (int step = 0; step < 27; step++) {
        size_t count;
        double rise;
        rw_vec3 moved = {from.x + 2e-3 * (step % 3 - 1), from.y + 2e-3 * (step / 3 % 3 - 1),
                         from.z + 2e-3 * (step / 9 - 1)};
        rw_vec3 raised = {to.x, to.y, to.z + 2e-3 * (step % 3 - 1)};
        if (fabs(brute_loss_db(scene, moved, raised, wavelength_m, roof, &count, &rise) - here_db) > 0.05)
            return 1;
    }
    return 0;
}

static void compare_city(rw_context *context, uint64_t seed, double source_height_m)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 450;
    options.seed = seed;
    options.hills = seed % 2;
    options.style = seed % 5 == 0 ? "grid" : "european";
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    rw_receivers receivers;
    assert_ok(context,
              rw_receivers_create(scene, &scene->prepared->grid, scene->box_min, 28, 28, 16.1, 1.5, &receivers));
    uint64_t state = seed;
    rw_vec3 source = oracle_source(scene, &state, source_height_m);
    rw_device_receivers placed;
    rw_backend backend = context->backend;
    size_t cells = 28 * 28;
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_shadow_source about = {
        .at = {source.x - centre.x, source.y - centre.y, source.z}, .wavelength_m = 0.3, .roof = {3, 9, 2, 0}};
    struct rw_shadow_path_loss_args args = {.roofs = RW_SHADOW_ROOFS_ANGLES, .best_count = 1};
    rw_los_job sight;
    rw_shadow_source *placed_source;
    assert_ok(context, rw_los_job_create(scene, &receivers, &source, 1, RW_LOS_MARCH, 0, &sight));
    assert_ok(context, rw_los_job_run(&sight));
    args.los = sight.arrays.los;
    assert_ok(context, rw_device_alloc(context, backend, sizeof about, "source", &placed_source));
    assert_ok(context, rw_device_upload(context, backend, placed_source, &about, sizeof about));
    args.sources = placed_source;
    assert_ok(context, rw_prepared_view(scene, backend, &args.grid));
    assert_ok(context, rw_receivers_upload(context, backend, &receivers, &placed));
    args.receivers = placed.view;
    assert_ok(context, rw_device_alloc(context, backend, cells * sizeof(float), "losses", &args.path_loss_db));
    assert_ok(context, rw_device_alloc(context, backend, cells, "mechanisms", &args.mechanism));
    assert_ok(context, rw_device_alloc(context, backend, cells, "deflections", &args.deflections));
    assert_ok(context,
              rw_device_launch(context, backend, RW_KERNEL_shadow_hull_loss, &args, receivers.view.outdoor_count));
    float losses[28 * 28];
    uint8_t deflections[28 * 28];
    assert_ok(context, rw_device_download(context, backend, losses, args.path_loss_db, sizeof losses));
    assert_ok(context, rw_device_download(context, backend, deflections, args.deflections, sizeof deflections));
    size_t deflected = 0, ambiguities = 0;
    for (size_t i = 0; i < receivers.view.outdoor_count; i++) {
        size_t cell = receivers.outdoor[i], count;
        double rise;
        rw_vec3 at = rw_receiver_point(&receivers.view, cell);
        if (oracle_walls(scene, at, about.at) == 0 &&
            !rw_ground_blocks(&scene->prepared->grid.view, at, about.at, 0, 1)) {
            assert_int_equal(deflections[cell], 0);
            continue;
        }
        double expected = brute_loss_db(scene, at, about.at, about.wavelength_m, about.roof, &count, &rise);
        deflected += count > 1;
        if (fabs(losses[cell] - expected) <= 0.01 && deflections[cell] == count)
            continue;
        if (fabs(losses[cell] - expected) <= 0.02) /* points within a millimetre of the string */
            continue;
        ambiguities++;
        if (rise > 2e-3 && !ambiguous(scene, at, about.at, about.wavelength_m, about.roof, expected))
            fail_msg("seed %d, cell %zu: %.3f dB over %d edges, expected %.3f over %zu\n", (int)seed, cell,
                     losses[cell], deflections[cell], expected, count);
    }
    printf("seed %d: %zu of %zu deflected more than once, %zu ambiguous\n", (int)seed, deflected,
           receivers.view.outdoor_count, ambiguities);
    assert_true(deflected > receivers.view.outdoor_count / 20 && ambiguities <= 3);
    rw_device_free(backend, placed_source);
    rw_los_job_destroy(&sight);
    rw_device_free(backend, args.path_loss_db);
    rw_device_free(backend, args.mechanism);
    rw_device_free(backend, args.deflections);
    rw_receivers_release(backend, &placed);
    rw_receivers_destroy(&receivers);
    rw_scene_destroy(scene);
}

static void compare_cities(rw_backend backend)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = backend;
    rw_context *context;
    if (rw_context_create(&options, &context) != RW_OK) {
        rw_context_destroy(context);
        assert_int_equal(backend, RW_BACKEND_CUDA);
        skip_test("no GPU");
    }
    for (uint64_t seed = 1; seed <= 12; seed++)
        compare_city(context, seed, seed % 3 == 0 ? 8 : seed % 3 == 1 ? 25 : 60);
    rw_context_destroy(context);
}

static void roofs_on_cpu(void **state)
{
    (void)state;
    compare_cities(RW_BACKEND_CPU);
}

static void roofs_on_gpu(void **state)
{
    (void)state;
    compare_cities(RW_BACKEND_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(roofs_on_cpu), cmocka_unit_test(roofs_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
