/* Paths round street corners against brute force in double (street_oracle.h), receiver by receiver, through the public
 * calls: maps of path loss, mechanism and deflections, sums of the best few, and traced paths with their vertices. */
#include "models/shadow/shadow.h"
#include "plane_oracle.h"
#include "prediction.h"
#include "street_oracle.h"
#include "street_scenes.h"

typedef struct street_case {
    street_town town;
    const char *city;            /* a generated city of this style instead of the town */
    double source_m, receiver_m; /* above ground */
    int order, best_count;
} street_case;

static const street_case cases[] = {
    {{.seed = 1, .buildings = 14, .side_m = 150}, NULL, 5, 1.5, 2, 1},
    {{.seed = 2, .buildings = 14, .side_m = 150, .panels = 1}, NULL, 5, 1.5, 2, 1},
    {{.seed = 3, .buildings = 14, .side_m = 150, .hills = 1}, NULL, 5, 1.5, 2, 1},
    {{.seed = 4, .buildings = 12, .side_m = 140, .yard = 1}, NULL, 14, 1.5, 2, 1},
    {{.seed = 5, .buildings = 14, .side_m = 150, .raised = 1}, NULL, 5, 1.5, 2, 1},
    {{.seed = 26, .buildings = 14, .side_m = 150, .far = 1}, NULL, 15, 1.5, 2, 1},
    {{.seed = 7, .buildings = 14, .side_m = 150, .hills = 1, .far = 1}, NULL, 15, 1.5, 2, 1},
    {{.seed = 8, .buildings = 14, .side_m = 150}, NULL, 30, 1.5, 2, 1},
    {{.seed = 9, .buildings = 14, .side_m = 150, .hills = 1, .raised = 1}, NULL, 30, 1.5, 2, 1},
    {{.seed = 10, .buildings = 14, .side_m = 150, .panels = 1}, NULL, 5, 1.5, 1, 1},
    {{.seed = 11, .buildings = 6, .side_m = 80}, NULL, 5, 1.5, 3, 1},
    {{.seed = 12, .buildings = 6, .side_m = 80, .hills = 1}, NULL, 12, 1.5, 3, 1},
    {{.seed = 13, .buildings = 5, .side_m = 80, .panels = 1, .raised = 1}, NULL, 5, 1.5, 3, 3},
    {{.seed = 14, .buildings = 14, .side_m = 150}, NULL, 5, 1.5, 2, 3},
    {{.seed = 35, .buildings = 12, .side_m = 150, .hills = 1, .yard = 1}, NULL, 8, 1.5, 2, 3},
    {{.seed = 16, .buildings = 14, .side_m = 150, .far = 1, .panels = 1}, NULL, 25, 1.5, 2, 3},
    {{.seed = 108, .buildings = 9, .side_m = 100}, NULL, 2, 12, 2, 1}, /* receivers above the source */
    {{.seed = 109, .buildings = 9, .side_m = 100, .panels = 1, .hills = 1}, NULL, 2, 9, 2, 3},
    {{.seed = 1, .side_m = 220}, "european", 5, 1.5, 2, 1},
    {{.seed = 2, .side_m = 220, .hills = 1}, "european", 5, 1.5, 2, 1},
    {{.seed = 3, .side_m = 220, .hills = 1}, "european", 20, 1.5, 2, 3},
    {{.seed = 4, .side_m = 260}, "grid", 5, 1.5, 2, 1},
    {{.seed = 5, .side_m = 260, .hills = 1}, "grid", 20, 1.5, 2, 1},
};

enum { CELLS_A_SIDE = 24 };

typedef struct tally {
    size_t receivers, in_sight, unreached, ambiguous, traced, round[STREET_ORDER_MAX + 1];
} tally;

typedef struct comparison {
    const street_case *about;
    prediction now;
    street_oracle oracle;
    tally count;
    rw_point *points; /* receivers whose answer is certain, for tracing */
    street_answer *answers;
    size_t point_count;
} comparison;

static double free_space_db(const street_oracle *oracle, double length_m)
{
    return 20 * log10(4 * 3.14159265358979323846 * length_m / oracle->wavelength_m);
}

/* Infinities are equal, NaN is not. */
static int same_db(double a, double b)
{
    return a == b || fabs(a - b) <= 0.01;
}

static void report(const comparison *all, rw_vec3 at, double got_db, double got_corners, const street_answer *answer)
{
    fail_msg("seed %d %s, receiver %.3f %.3f %.3f, source %.3f %.3f %.3f: %.4f dB round %g corners; strict %.4f, plain "
             "%.4f round %d, lenient %.4f\n",
             (int)all->about->town.seed, all->about->city ? all->about->city : "town", at.x, at.y, at.z,
             all->oracle.source.x, all->oracle.source.y, all->oracle.source.z, got_db, got_corners,
             street_sum_db(answer, STREET_STRICT, (size_t)all->about->best_count),
             street_sum_db(answer, STREET_PLAIN, (size_t)all->about->best_count), answer->best[1][0].count,
             street_sum_db(answer, STREET_LENIENT, (size_t)all->about->best_count));
}

/* One receiver that does not see the source: its loss lies between the lenient and the strict answer, and where these
 * agree it has the right number of corners too. */
static void compare_hidden(comparison *all, rw_vec3 at, double loss_db, double corners, double mechanism,
                           const street_answer *answer)
{
    size_t ways = (size_t)all->about->best_count;
    double strict = street_sum_db(answer, STREET_STRICT, ways), lenient = street_sum_db(answer, STREET_LENIENT, ways);
    const street_path *best = answer->best[STREET_PLAIN + 1];
    if (!(loss_db >= lenient - 0.01 && loss_db <= strict + 0.01))
        report(all, at, loss_db, corners, answer);
    if (!same_db(strict, lenient)) {
        all->count.ambiguous++;
        return;
    }
    if (!same_db(loss_db, street_sum_db(answer, STREET_PLAIN, ways)))
        report(all, at, loss_db, corners, answer);
    size_t reached = answer->count[STREET_PLAIN + 1];
    if (reached == 0) {
        all->count.unreached++;
        return;
    }
    all->count.round[best->count]++;
    int tied = reached > 1 && same_db(best[0].loss_db, best[1].loss_db);
    if (!tied && (corners != best->count || mechanism != 1))
        report(all, at, loss_db, corners, answer);
    if (tied || !same_db(answer->best[0][0].loss_db, answer->best[2][0].loss_db))
        return;
    rw_vec2 origin = all->now.scene->origin;
    double ground_m = rw_scene_ground_m(all->now.scene, rw_vec2_of(at.x, at.y));
    all->points[all->point_count] = (rw_point){
        .size = sizeof(rw_point), .x_m = at.x + origin.x, .y_m = at.y + origin.y, .height_m = at.z - ground_m};
    all->answers[all->point_count++] = *answer;
}

static void compare_map(comparison *all)
{
    rw_map *map = predict(&all->now);
    rw_map_info info = info_of(map);
    const float *losses = layer_of(map, "path_loss").values, *corners = layer_of(map, "deflections").values;
    const float *mechanisms = layer_of(map, "mechanism").values;
    const rw_scene *scene = all->now.scene;
    size_t cells = info.columns * info.rows;
    all->points = calloc(cells, sizeof *all->points);
    all->answers = calloc(cells, sizeof *all->answers);
    for (size_t cell = getenv("RASTERWAVE_QUICK") ? 1 : 0; cell < cells; cell += getenv("RASTERWAVE_QUICK") ? 7 : 1) {
        rw_vec2 at = {info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m - scene->origin.x,
                      info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m - scene->origin.y};
        rw_vec3 receiver = {at.x, at.y, rw_scene_ground_m(scene, at) + info.rx_height_m};
        if (isnan(losses[cell])) {
            uint32_t part;
            assert_true(rw_parts_at(scene, scene->prepared, at, receiver.z, &part, 1) > 0 || scene->terrain.values);
            continue;
        }
        street_answer answer = street_solve(&all->oracle, receiver);
        all->count.receivers++;
        if (answer.sees_source[0] != answer.sees_source[2]) {
            all->count.ambiguous++;
        } else if (answer.sees_source[1]) {
            rw_vec3 s = all->oracle.source;
            double length_m = hypot(hypot(receiver.x - s.x, receiver.y - s.y), receiver.z - s.z);
            assert_near(losses[cell], free_space_db(&all->oracle, length_m), 0.01);
            assert_true(corners[cell] == 0 && mechanisms[cell] == 0);
            all->count.in_sight++;
        } else {
            compare_hidden(all, receiver, losses[cell], corners[cell], mechanisms[cell], &answer);
        }
    }
    rw_map_destroy(map);
}

/* A traced path goes round the same corners, rises evenly, and its parts add up to its loss. */
static void compare_path(const comparison *all, const rw_path *path, const street_path *expected)
{
    const street_oracle *oracle = &all->oracle;
    const rw_path_vertex *v = path->vertices;
    size_t last = path->vertex_count - 1;
    rw_vec2 origin = all->now.scene->origin;
    assert_int_equal(path->vertex_count, expected->count + 2);
    assert_near(path->loss_db, expected->loss_db, 0.01);
    assert_near(v[0].x_m, oracle->source.x + origin.x, 1e-6);
    assert_near(v[0].y_m, oracle->source.y + origin.y, 1e-6);
    assert_near(v[0].z_m, oracle->source.z, 1e-4);
    assert_near(v[last].x_m, all->points[path->point].x_m, 1e-6);
    assert_near(v[last].y_m, all->points[path->point].y_m, 1e-6);
    double plan_m = 0, along_m = 0, sum_db = path->free_space_db;
    for (size_t i = 1; i <= last; i++)
        plan_m += hypot(v[i].x_m - v[i - 1].x_m, v[i].y_m - v[i - 1].y_m);
    assert_near(path->length_m, hypot(plan_m, v[last].z_m - v[0].z_m), 1e-3);
    assert_near(path->free_space_db, free_space_db(oracle, path->length_m), 1e-3);
    assert_near(path->delay_s, path->length_m / 299792458.0, 1e-12);
    for (size_t i = 1; i < last; i++) {
        const street_corner *corner = &oracle->corners[expected->corners[i - 1]];
        rw_vec2 in = {v[i].x_m - v[i - 1].x_m, v[i].y_m - v[i - 1].y_m};
        rw_vec2 on = {v[i + 1].x_m - v[i].x_m, v[i + 1].y_m - v[i].y_m};
        along_m += street_length(in);
        assert_near(v[i].x_m, corner->at.x + origin.x, 1e-6);
        assert_near(v[i].y_m, corner->at.y + origin.y, 1e-6);
        assert_near(v[i].z_m, v[0].z_m + (v[last].z_m - v[0].z_m) * along_m / plan_m, 2e-3);
        assert_int_equal(v[i].interaction, RW_INTERACTION_STREET);
        assert_near(v[i].loss_db, street_turn_db(oracle, in, on), 2e-3);
        assert_near(v[i].angle_rad, fabs(atan2(in.x * on.y - in.y * on.x, in.x * on.x + in.y * on.y)), 1e-4);
        sum_db += v[i].loss_db;
    }
    assert_true(v[0].interaction == RW_INTERACTION_END && v[last].interaction == RW_INTERACTION_END);
    assert_near(path->loss_db, sum_db, 1e-3);
}

/* Each point has a path exactly where the oracle has one; its strongest is the oracle's best. */
static void compare_paths(comparison *all)
{
    rw_paths *paths;
    if (all->point_count == 0)
        return;
    all->now.options.transmitters = all->now.tx;
    assert_ok(all->now.context, rw_trace(all->now.scene, &all->now.options, all->points, all->point_count, &paths));
    size_t count = rw_paths_count(paths), before = SIZE_MAX, points = 0;
    for (size_t i = 0; i < count; i++) {
        rw_path path = {.size = sizeof path};
        assert_ok(all->now.context, rw_paths_get(paths, i, &path));
        assert_true(path.point < all->point_count);
        if (path.point == before)
            continue;
        assert_true(before == SIZE_MAX || path.point > before);
        compare_path(all, &path, &all->answers[path.point].best[STREET_PLAIN + 1][0]);
        before = path.point;
        points++;
    }
    assert_int_equal(points, all->point_count);
    all->count.traced = points;
    rw_paths_destroy(paths);
}

static tally compare_case(rw_context *context, const street_case *about)
{
    const street_town *town = &about->town;
    rw_scene *scene = about->city ? street_city_make(context, about->city, town->seed, town->hills, town->side_m)
                                  : street_town_make(context, town);
    comparison all = {.about = about, .now = begin_with(context, scene)};
    uint64_t state = town->seed;
    rw_vec3 source = oracle_source(scene, &state, about->source_m);
    rw_predict_options *options = &all.now.options;
    all.now.tx[0].x_m = source.x + scene->origin.x;
    all.now.tx[0].y_m = source.y + scene->origin.y;
    all.now.tx[0].height_m = about->source_m;
    options->effects = "streets_polynomial";
    options->layers = "path_loss,mechanism,deflections";
    options->order = about->order;
    options->best = about->best_count;
    options->rx_height_m = about->receiver_m;
    options->res_m = (scene->box_max.x - scene->box_min.x) / CELLS_A_SIDE;
    all.oracle = street_oracle_create(scene, !about->city, source, about->order, options->freq_hz);
    if (!about->city)
        assert_int_equal(all.oracle.corner_count, scene->prepared->corners.count);
    compare_map(&all);
    compare_paths(&all);
    const tally *count = &all.count;
    printf("%s %d: %zu corners, %zu chains; of %zu receivers %zu in sight, %zu/%zu/%zu round 1/2/3 corners, %zu not "
           "reached, %zu ambiguous; %zu traced\n",
           about->city ? about->city : "town", (int)town->seed, all.oracle.corner_count, all.oracle.chain_count,
           count->receivers, count->in_sight, count->round[1], count->round[2], count->round[3], count->unreached,
           count->ambiguous, count->traced);
    free(all.points);
    free(all.answers);
    street_oracle_destroy(&all.oracle);
    rw_scene_destroy(scene);
    return all.count;
}

static void compare_cases(rw_backend backend)
{
    rw_context *context = make_context_of(backend, 1); /* threads that wait for work would wait on a busy machine */
    if (!context)
        skip_test("no GPU");
    tally sum = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tally one = compare_case(context, &cases[i]);
        sum.receivers += one.receivers;
        sum.ambiguous += one.ambiguous;
        sum.unreached += one.unreached;
        sum.in_sight += one.in_sight;
        for (int order = 1; order <= STREET_ORDER_MAX; order++)
            sum.round[order] += one.round[order];
    }
    printf("all: %zu receivers, %zu in sight, %zu/%zu/%zu round 1/2/3 corners, %zu not reached, %zu ambiguous\n",
           sum.receivers, sum.in_sight, sum.round[1], sum.round[2], sum.round[3], sum.unreached, sum.ambiguous);
    assert_true(sum.ambiguous < sum.receivers / 100);
    assert_true(sum.round[1] > sum.receivers / 10 && sum.round[2] > sum.receivers / 10);
    assert_true(sum.round[3] > 0 && sum.unreached > 0 && sum.in_sight > 0);
    rw_context_destroy(context);
}

/* Round the end of a low wall goes only what has come down far enough on a detour: the shorter path to the corner
 * before is better in every way, but too high there. */
static void detour_meets_a_low_wall(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    static const double walls[5][5] = {{-100, 0, 0, 0, 30},
                                       {0, 0, 10, 0, 6},
                                       {20, 30, 20, 20, 30},
                                       {50, 100, 50, 110, 30},
                                       {99, 110, 100, 110, 0.5}}; /* a kerb, so that the source is within the scene */
    for (int i = 0; i < 5; i++) {
        const double *w = walls[i];
        rw_panel panel = {.size = sizeof panel, .x0_m = w[0], .y0_m = w[1], .x1_m = w[2], .y1_m = w[3], .top_m = w[4]};
        assert_ok(context, rw_scene_add_panel(scene, &panel));
    }
    assert_ok(context, rw_scene_commit(scene));
    static const street_case about = {.source_m = 20, .receiver_m = 1.5, .order = 3, .best_count = 1};
    comparison all = {.about = &about, .now = begin_with(context, scene)};
    rw_vec2 origin = scene->origin;
    all.now.tx[0].x_m = all.now.tx[0].y_m = 60;
    all.now.tx[0].height_m = about.source_m;
    all.now.options.effects = "streets_polynomial";
    all.now.options.order = about.order;
    all.oracle = street_oracle_create(scene, 0, rw_vec3_of(60 - origin.x, 60 - origin.y, about.source_m), about.order,
                                      all.now.options.freq_hz);
    rw_point point = {.size = sizeof(rw_point), .x_m = -20, .y_m = -15, .height_m = about.receiver_m};
    street_answer answer = street_solve(&all.oracle, rw_vec3_of(-20 - origin.x, -15 - origin.y, about.receiver_m));
    assert_true(answer.count[STREET_STRICT + 1] == 1 && answer.count[STREET_LENIENT + 1] == 1);
    assert_int_equal(answer.best[STREET_PLAIN + 1][0].count, 3);
    all.points = &point;
    all.answers = &answer;
    all.point_count = 1;
    compare_paths(&all);
    street_oracle_destroy(&all.oracle);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Losses of all transmitters by one job, at once or in steps; the caller frees them. */
static float *solve_losses(const rw_prediction *opened, rw_shadow_effects effects, int steps)
{
    rw_shadow_job job;
    rw_context *context = opened->scene->context;
    size_t count = opened->options->transmitter_count;
    size_t values = count * opened->receivers.view.columns * opened->receivers.view.rows;
    float *losses = calloc(values, sizeof *losses);
    assert_ok(context, rw_shadow_job_create(opened, effects, (rw_shadow_needs){.steps = steps}, &job));
    assert_true(job.batch == count && job.in_steps == steps);
    memset(job.args.path_loss_db, 0, values * sizeof *losses);
    assert_ok(context, rw_shadow_job_run(&job, 0, count));
    memcpy(losses, job.args.path_loss_db, values * sizeof *losses);
    rw_shadow_job_destroy(&job);
    return losses;
}

/* The form for devices, on the CPU: every receiver as in the plain form. Low sources in a hilly town have legs that
 * must be marched for. */
static void steps_are_the_same(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    const street_town town = {.seed = 35, .buildings = 12, .side_m = 150, .hills = 1, .yard = 1};
    rw_scene *scene = street_town_make(context, &town);
    prediction now = begin_with(context, scene);
    uint64_t random = 5;
    for (int i = 0; i < 2; i++) {
        rw_vec3 source = oracle_source(scene, &random, 8 + 8 * i);
        now.tx[i].x_m = source.x + scene->origin.x;
        now.tx[i].y_m = source.y + scene->origin.y;
        now.tx[i].height_m = 8 + 8 * i;
    }
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 2;
    now.options.effects = "streets,roofs_counted,walls";
    now.options.res_m = 2;
    rw_prediction *opened;
    rw_shadow_effects effects;
    assert_ok(context, rw_prediction_open(scene, &now.options, &opened));
    assert_ok(context, rw_shadow_effects_resolve(opened, &effects));
    float *plain = solve_losses(opened, effects, 0), *stepped = solve_losses(opened, effects, 1);
    /* the compiler may fuse a product and a sum in one kernel and not in the other */
    for (size_t i = 0; i < 2 * opened->receivers.view.columns * opened->receivers.view.rows; i++)
        assert_true(memcmp(&plain[i], &stepped[i], sizeof *plain) == 0 || fabsf(plain[i] - stepped[i]) <= 1e-4f);
    free(plain);
    free(stepped);
    rw_prediction_destroy(opened);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* ------------------------------------------------------------------------------------- corners in the receiver plane
 */

/* Links of a graph of limited reach are those of the whole graph that are no longer, wherever the corners lie. */
static void links_end_at_their_reach(void **state)
{
    (void)state;
    const float reach_m = 25;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = street_town_make(context, &(street_town){.seed = 1, .buildings = 14, .side_m = 150});
    prediction now = begin_with(context, scene);
    rw_prediction *opened;
    now.tx[0].x_m = now.tx[0].y_m = 1;
    now.options.transmitters = now.tx;
    assert_ok(context, rw_prediction_open(scene, &now.options, &opened));
    size_t corners = scene->prepared->corners.count, found[2], within = 0;
    uint32_t *list = calloc(corners, sizeof *list);
    for (size_t i = 0; i < corners; i++)
        list[i] = (uint32_t)i;
    for (int limited = 0; limited < 2; limited++) {
        rw_street_graph graph;
        assert_ok(context, rw_street_graph_create(scene, &opened->receivers, 5, &graph));
        graph.view.reach_m = limited ? reach_m : INFINITY;
        assert_ok(context, rw_street_graph_link(&graph, list, corners));
        found[limited] = graph.link_count;
        for (size_t i = 0; i < graph.link_count; i++) {
            const rw_corner *from = graph.view.corners.items + graph.view.links[i].from,
                            *to = graph.view.corners.items + graph.view.links[i].to;
            int near = hypot(to->x - from->x, to->y - from->y) <= (double)reach_m;
            assert_true(near || !limited);
            within += !limited && near;
        }
        rw_street_graph_destroy(&graph);
    }
    assert_true(within > 50 && within < found[0] / 2);
    assert_int_equal(found[1], within);
    free(list);
    rw_prediction_destroy(opened);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Path loss of a map by one of the two searches; to be freed. */
static float *losses_by(prediction *now, const char *method, size_t *cells)
{
    now->options.street_method = method;
    rw_map *map = predict(now);
    rw_map_info info = info_of(map);
    *cells = info.columns * info.rows;
    float *losses = malloc(*cells * sizeof *losses);
    memcpy(losses, layer_of(map, "path_loss").values, *cells * sizeof *losses);
    rw_map_destroy(map);
    return losses;
}

/* Where transmitter and receivers have one height, on flat ground, the paper's corners in the receiver plane with their
 * shadow polygons are the same as corners in space. */
static void polygons_are_the_same_in_the_plane(rw_context *context)
{
    static const struct {
        street_town town;
        const char *city;
        int order, best;
        const char *effects, *sum;
    } towns[] = {
        {{.seed = 1, .buildings = 14, .side_m = 150}, NULL, 2, 1, "streets_polynomial", NULL},
        {{.seed = 2, .buildings = 12, .side_m = 140, .panels = 1, .yard = 1}, NULL, 3, 1, "streets_polynomial", NULL},
        {{.seed = 3, .buildings = 14, .side_m = 150, .far = 1}, NULL, 2, 3, "streets_polynomial,walls", NULL},
        {{.seed = 4, .buildings = 14, .side_m = 150}, NULL, 1, 1, "streets_polynomial,roofs_polynomial", NULL},
        {{.seed = 5, .buildings = 14, .side_m = 150}, NULL, 2, 1, "streets_polynomial,roofs_counted,walls", "terms"},
        {{.seed = 6, .side_m = 220}, "european", 2, 1, "streets_polynomial", NULL}};
    size_t reached = 0;
    for (size_t i = 0; i < sizeof towns / sizeof *towns; i++) {
        const street_town *town = &towns[i].town;
        rw_scene *scene = towns[i].city ? street_city_make(context, towns[i].city, town->seed, 0, town->side_m)
                                        : street_town_make(context, town);
        prediction now = begin_with(context, scene);
        uint64_t random = town->seed;
        rw_vec3 source = oracle_source(scene, &random, 1.5);
        now.tx[0].x_m = source.x + scene->origin.x;
        now.tx[0].y_m = source.y + scene->origin.y;
        now.tx[0].height_m = now.options.rx_height_m = 1.5;
        now.options.effects = towns[i].effects;
        now.options.sum = towns[i].sum;
        now.options.order = towns[i].order;
        now.options.best = towns[i].best;
        now.options.res_m = 3;
        size_t cells;
        float *graph = losses_by(&now, "graph", &cells), *polygons = losses_by(&now, "polygons", &cells);
        for (size_t cell = 0; cell < cells; cell++) {
            int both = isnan(graph[cell]) && isnan(polygons[cell]);
            if (!both && graph[cell] != polygons[cell] && !(fabsf(graph[cell] - polygons[cell]) <= 2e-3f))
                fail_msg("town %d, cell %zu: %.4f dB by the graph, %.4f dB by polygons\n", (int)town->seed, cell,
                         (double)graph[cell], (double)polygons[cell]);
            reached += isfinite(graph[cell]) != 0;
        }
        free(graph);
        free(polygons);
        rw_scene_destroy(scene);
    }
    assert_true(reached > 5000);
}

static plane_oracle plane_town(rw_context *context, rw_scene **scene)
{
    plane_oracle oracle = {.receiver_z = 1.5, .wavelength_m = 299792458.0 / 947e6, .order = 2};
    static const double places[PLANE_BOXES][6] = {{20, 22, 12, 7, 0.1, 14},  {55, 18, 14, 6, -0.2, 9},
                                                  {88, 30, 8, 13, 0.3, 20},  {24, 58, 9, 12, 0.05, 6},
                                                  {57, 55, 12, 12, 0.4, 17}, {85, 75, 14, 7, -0.1, 11},
                                                  {50, 90, 15, 5, 0.15, 8.5}}; /* centre, half sides, turned, roof */
    rw_deflection_setting setting = rw_deflection_setting_default(RW_DEFLECTION_STREET, 947e6);
    rw_deflection turn;
    assert_ok(context, rw_deflection_fit(context, RW_DEFLECTION_STREET, &setting, &turn, NULL));
    oracle.turn[0] = turn.a0_db;
    oracle.turn[1] = turn.a1_db;
    oracle.turn[2] = turn.a2_db;
    oracle.turn[3] = turn.a3_db;
    *scene = make_scene(context);
    for (int i = 0; i < PLANE_BOXES; i++) {
        const double *p = places[i];
        double xy[8];
        for (int k = 0; k < 4; k++) {
            double u = k == 0 || k == 3 ? -p[2] : p[2], v = k < 2 ? -p[3] : p[3];
            oracle.boxes[i].x[k] = xy[2 * k] = p[0] + u * cos(p[4]) - v * sin(p[4]);
            oracle.boxes[i].y[k] = xy[2 * k + 1] = p[1] + u * sin(p[4]) + v * cos(p[4]);
        }
        oracle.boxes[i].top = p[5];
        street_town_add(context, *scene, xy, (const size_t[]){4}, 1, 0, p[5]);
    }
    assert_ok(context, rw_scene_commit(*scene));
    return oracle;
}

/* A mast above some of the roofs: the first leg falls into the receiver plane, lengths and turns are those in space.
 * Receivers at the rim of a shadow, whose answer changes within millimetres, are left out. */
static void polygons_are_as_written(rw_context *context)
{
    rw_scene *scene;
    plane_oracle oracle = plane_town(context, &scene);
    const plane_point masts[] = {{40, 40, 10}, {70, 40, 1.5}, {72, 92, 25}};
    prediction now = begin_with(context, scene);
    now.options.effects = "streets_polynomial";
    now.options.street_method = "polygons";
    now.options.order = oracle.order;
    now.options.res_m = 4;
    size_t round = 0, compared = 0, rims = 0;
    for (size_t m = 0; m < sizeof masts / sizeof *masts; m++) {
        now.tx[0].x_m = masts[m].x;
        now.tx[0].y_m = masts[m].y;
        now.tx[0].height_m = masts[m].z;
        rw_map *map = predict(&now);
        rw_map_info info = info_of(map);
        const float *losses = layer_of(map, "path_loss").values;
        for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
            double x = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m;
            double y = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m;
            if (isnan(losses[cell]))
                continue;
            double right_db = plane_loss_db(&oracle, masts[m], x, y);
            double near_db = plane_loss_db(&oracle, masts[m], x + 0.004, y + 0.003);
            double far_db = plane_loss_db(&oracle, masts[m], x - 0.003, y - 0.004);
            int rim = !(fabs(near_db - right_db) < 0.1 && fabs(far_db - right_db) < 0.1) && isfinite(right_db);
            if (!rim && right_db != (double)losses[cell] && !(fabs((double)losses[cell] - right_db) < 0.01))
                fail_msg("mast %zu, %.3f %.3f: %.4f dB, by hand %.4f dB\n", m, x, y, (double)losses[cell], right_db);
            compared += !rim;
            rims += rim != 0;
            round += !plane_sees(&oracle, masts[m], x, y);
        }
        rw_map_destroy(map);
    }
    printf("corners in the plane: %zu receivers, %zu at rims, %zu out of sight\n", compared, rims, round);
    assert_true(compared > 900 && round > 300 && rims < compared / 50);
    rw_scene_destroy(scene);
}

/* The corners that are listed for one mast are those of equations (5) to (8), with free space up to each. */
static void sources_are_as_written(rw_context *context)
{
    rw_scene *scene;
    plane_oracle oracle = plane_town(context, &scene);
    const plane_point mast = {40, 40, 10};
    plane_point right[PLANE_WALLS];
    int right_count = plane_sources(&oracle, mast, right);
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = mast.x;
    now.tx[0].y_m = mast.y;
    now.tx[0].height_m = mast.z;
    now.options.transmitters = now.tx;
    now.options.effects = "streets_polynomial";
    now.options.street_method = "polygons";
    now.options.order = 1;
    now.options.layers = "mechanism";
    rw_map *map = predict(&now);
    rw_map_info cells = info_of(map);
    size_t bent = 0, told = 0, count;
    for (size_t i = 0; i < cells.columns * cells.rows; i++)
        bent += layer_of(map, "mechanism").values[i] == 1;
    rw_map_destroy(map);
    rw_prediction *opened;
    rw_diffraction_source *sources;
    assert_ok(context, rw_prediction_open(scene, &now.options, &opened));
    assert_ok(context, rw_shadow_diffraction_sources(opened, 0, &sources, &count));
    assert_true(count > 5);
    for (size_t i = 0; i < count; i++) {
        double nearest_m = 1e9, distance_m = 0;
        told += sources[i].count;
        for (int k = 0; k < right_count; k++) {
            double x = sources[i].at.x + scene->origin.x, y = sources[i].at.y + scene->origin.y;
            double apart_m = hypot(right[k].x - x, right[k].y - y);
            distance_m = apart_m < nearest_m ? plane_distance(mast, right[k]) : distance_m;
            nearest_m = fmin(nearest_m, apart_m);
        }
        assert_true(nearest_m < 1e-3 && sources[i].order == 1);
        assert_near(sources[i].loss_db, 20 * log10(4 * 3.14159265358979323846 * distance_m / oracle.wavelength_m),
                    1e-3);
    }
    for (int k = 0; k < right_count; k++) { /* a corner is found by each of its walls that faces away */
        int known = 0;
        for (size_t i = 0; i < count; i++)
            known |= hypot(right[k].x - sources[i].at.x - scene->origin.x,
                           right[k].y - sources[i].at.y - scene->origin.y) < 1e-3;
        assert_true(known);
    }
    assert_int_equal(told, bent);
    free(sources);
    rw_prediction_destroy(opened);
    rw_scene_destroy(scene);
}

static void polygons_refuse_hills(rw_context *context)
{
    rw_scene *scene = street_town_make(context, &(street_town){.seed = 3, .buildings = 5, .side_m = 80, .hills = 1});
    prediction now = begin_with(context, scene);
    rw_map *map;
    now.tx[0].x_m = now.tx[0].y_m = 1;
    now.options.transmitters = now.tx;
    now.options.street_method = "polygons";
    now.options.effects = "streets_polynomial";
    assert_int_equal(rw_predict(scene, &now.options, &map), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "needs flat ground"));
    now.options.effects = "streets";
    assert_int_equal(rw_predict(scene, &now.options, &map), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "streets_polynomial"));
    rw_scene_destroy(scene);
}

static void polygons_on(rw_backend backend)
{
    rw_context *context = make_context_of(backend, 1);
    if (!context)
        skip_test("no GPU");
    polygons_are_the_same_in_the_plane(context);
    polygons_are_as_written(context);
    sources_are_as_written(context);
    polygons_refuse_hills(context);
    rw_context_destroy(context);
}

static void polygons_on_cpu(void **state)
{
    (void)state;
    polygons_on(RW_BACKEND_CPU);
}

static void polygons_on_gpu(void **state)
{
    (void)state;
    polygons_on(RW_BACKEND_CUDA);
}

static void streets_on_cpu(void **state)
{
    (void)state;
    compare_cases(RW_BACKEND_CPU);
}

static void streets_on_gpu(void **state)
{
    (void)state;
    compare_cases(RW_BACKEND_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(detour_meets_a_low_wall),
                                       cmocka_unit_test(steps_are_the_same),
                                       cmocka_unit_test(links_end_at_their_reach),
                                       cmocka_unit_test(polygons_on_cpu),
                                       cmocka_unit_test(polygons_on_gpu),
                                       cmocka_unit_test(streets_on_cpu),
                                       cmocka_unit_test(streets_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
