/* labels: slow, numbers */
/* Berg's recursion: its formula, and the search that minimises it against every chain of corners (street_oracle.h),
 * receiver by receiver through the public calls. */
#include "field/paths/berg.k.h"

#include "base/maths/hash.h"
#include "prediction.h"
#include "street_oracle.h"
#include "street_scenes.h"

/* Two streets of 100 m at a right angle at 947 MHz: 100 + (1 + 100 / 2) 100 = 5200 m; at half the angle q falls to
 * 0.5 / 2^1.5. */
static void formula(void **state)
{
    (void)state;
    double wavelength_m = 299792458.0 / 947e6;
    float q90 = (float)rw_berg_q90(wavelength_m);
    assert_near(q90, 0.5, 0.001);
    assert_near(rw_berg_diffract(rw_berg_start(100.0f), 0.5f, (float)(0.5 * RW_PI), 100.0f).distance_m, 5200, 0.01);
    assert_near(rw_berg_diffract(rw_berg_start(100.0f), 0.5f, (float)(0.25 * RW_PI), 100.0f).distance_m,
                200 + 100 * 100 * 0.5 / pow(2, 1.5), 0.01);
    assert_near(rw_berg_diffract(rw_berg_start(80.0f), 0.5f, 0.0f, 70.0f).distance_m, 150, 1e-4);
    assert_near(rw_berg_q90(wavelength_m / 4), 2 * rw_berg_q90(wavelength_m), 1e-12);
}

#define LEGS 5

/* Both ends give the same distance. */
static void reciprocal(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        rw_random random = rw_random_of(seed, 1);
        float legs[LEGS], turns[LEGS];
        for (int i = 0; i < LEGS; i++) {
            legs[i] = (float)rw_random_range(&random, 1, 200);
            turns[i] = (float)rw_random_range(&random, 0, RW_PI);
        }
        rw_berg there = rw_berg_start(legs[0]), back = rw_berg_start(legs[LEGS - 1]);
        for (int i = 1; i < LEGS; i++) {
            there = rw_berg_diffract(there, 0.5f, turns[i], legs[i]);
            back = rw_berg_diffract(back, 0.5f, turns[LEGS - i], legs[LEGS - 1 - i]);
        }
        assert_near(there.distance_m / back.distance_m, 1, 1e-5);
    }
}

/* What dominates is no worse in whichever direction both go on. */
static void domination(void **state)
{
    (void)state;
    size_t dominated = 0;
    for (uint64_t seed = 0; seed < 5000; seed++) {
        rw_random random = rw_random_of(seed, 2);
        rw_berg a = {(float)rw_random_range(&random, 10, 500), (float)rw_random_range(&random, 1, 100)};
        rw_berg b = {(float)rw_random_range(&random, 10, 500), (float)rw_random_range(&random, 1, 100)};
        float apart = (float)rw_random_range(&random, 0, 1.5);
        if (!rw_berg_dominates(a, b, 0.5f, apart))
            continue;
        dominated++;
        for (int i = 0; i <= 100; i++) {
            float turn = (float)(RW_PI * i / 100.0);
            for (float length = 1; length < 1000; length *= 4)
                assert_true(rw_berg_diffract(a, 0.5f, turn + apart, length).distance_m <=
                            rw_berg_diffract(b, 0.5f, turn, length).distance_m * 1.0001f);
        }
    }
    assert_true(dominated > 500);
}

/* ---------------------------------------------------------------------------------------------- against all chains */

static double turn_q(rw_vec2 a, rw_vec2 b, double wavelength_m)
{
    double angle = fabs(atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y));
    return sqrt(0.079 / wavelength_m) * pow(angle / 1.5707963267948966, 1.5);
}

/* Whether a string would lie taut round the corner between two legs: there is building between them, on the inner side
 * of the turn. */
static int is_taut(const street_oracle *oracle, rw_vec2 corner, rw_vec2 in, rw_vec2 out)
{
    const double step_m = 0.1;
    double back = atan2(-in.y, -in.x), fan = remainder(atan2(out.y, out.x) - back, 2 * RW_PI);
    uint32_t part;
    for (int i = 1; i < 100; i++) {
        double direction = back + fan * i / 100;
        rw_vec2 at = {corner.x + step_m * cos(direction), corner.y + step_m * sin(direction)};
        if (rw_parts_over(oracle->scene, oracle->scene->prepared, at, &part, 1) > 0)
            return 1;
    }
    return 0;
}

static int chain_is_taut(const street_oracle *oracle, const street_chain *chain, const street_leg *last)
{
    for (int i = 0; i < chain->count; i++) {
        const street_leg *out = i + 1 < chain->count ? &oracle->legs[chain->legs[i + 1]] : last;
        if (!is_taut(oracle, oracle->corners[chain->corners[i]].at, oracle->legs[chain->legs[i]].direction,
                     out->direction))
            return 0;
    }
    return 1;
}

static double chain_db(const street_oracle *oracle, const street_chain *chain, const street_leg *last, double rise_m)
{
    double k = 1, distance_m = 0;
    for (int i = 0; i <= chain->count; i++) {
        const street_leg *leg = i < chain->count ? &oracle->legs[chain->legs[i]] : last;
        if (i > 0)
            k += distance_m * turn_q(oracle->legs[chain->legs[i - 1]].direction, leg->direction, oracle->wavelength_m);
        distance_m += k * leg->length_m;
    }
    return 20 * log10(4 * RW_PI * hypot(distance_m, rise_m) / oracle->wavelength_m);
}

/* The least loss over all chains that lie taut, strictly and leniently. */
static void min_db(street_oracle *oracle, rw_vec3 receiver, double least[3])
{
    size_t mark = oracle->obstacle_count;
    for (int variant = 0; variant < 3; variant++)
        least[variant] = INFINITY;
    street_leg *lasts = malloc((oracle->corner_count + 1) * sizeof *lasts);
    for (size_t i = 0; i < oracle->corner_count; i++)
        lasts[i] = street_leg_make(oracle, oracle->corners[i].at, oracle->corners[i].top_m,
                                   rw_vec2_of(receiver.x, receiver.y), receiver.z);
    for (size_t i = 0; i < oracle->chain_count; i++) {
        const street_chain *chain = &oracle->chains[i];
        const street_leg *last = &lasts[chain->corners[chain->count - 1]];
        if (last->from_variant == STREET_NEVER)
            continue;
        if (!chain_is_taut(oracle, chain, last))
            continue;
        double loss_db = chain_db(oracle, chain, last, receiver.z - oracle->source.z);
        for (int variant = STREET_STRICT; variant <= STREET_LENIENT; variant++)
            if (loss_db < least[variant + 1] && street_path_exists(oracle, chain, last, receiver.z, variant))
                least[variant + 1] = loss_db;
    }
    free(lasts);
    oracle->obstacle_count = mark;
}

typedef struct counts {
    size_t hidden, ambiguous, worse, better;
} counts;

/* The path that is traced has the loss of the map, by the formula on its vertices, and turns add up to it. */
static void check_trace(prediction *now, const rw_point *point, double loss_db)
{
    rw_paths *paths;
    rw_path path = {.size = sizeof path};
    now->options.layers = NULL;
    assert_ok(now->context, rw_trace(now->scene, &now->options, point, 1, &paths));
    assert_int_equal(rw_paths_count(paths), 1);
    assert_ok(now->context, rw_paths_get(paths, 0, &path));
    const rw_path_vertex *v = path.vertices;
    size_t last = path.vertex_count - 1;
    double k = 1, distance_m = 0, wavelength_m = 299792458.0 / now->options.freq_hz, sum_db = path.free_space_db;
    for (size_t i = 1; i <= last; i++) {
        rw_vec2 leg = {v[i].x_m - v[i - 1].x_m, v[i].y_m - v[i - 1].y_m};
        if (i > 1) {
            rw_vec2 before = {v[i - 1].x_m - v[i - 2].x_m, v[i - 1].y_m - v[i - 2].y_m};
            k += distance_m * turn_q(before, leg, wavelength_m);
            sum_db += v[i - 1].loss_db;
        }
        distance_m += k * hypot(leg.x, leg.y);
    }
    assert_near(20 * log10(4 * RW_PI * hypot(distance_m, v[last].z_m - v[0].z_m) / wavelength_m), loss_db, 0.02);
    assert_near(path.loss_db, loss_db, 0.01);
    assert_near(sum_db, loss_db, 0.1);
    rw_paths_destroy(paths);
}

/* Another transmitter before, with other receivers: what its prediction leaves with the scene must change nothing. */
static void predict_another(prediction *now, rw_vec3 source)
{
    prediction other = *now;
    rw_scene *scene = now->scene;
    other.tx[0].x_m = source.x + scene->origin.x;
    other.tx[0].y_m = source.y + scene->origin.y;
    other.tx[0].height_m = 9;
    other.options.res_m = (scene->box_max.x - scene->box_min.x) / 15;
    rw_map_destroy(predict(&other));
}

/* No chain is better than what the search found, and none of those it has is missing. */
static void compare_town(rw_context *context, const street_town *town, int order, counts *count)
{
    rw_scene *scene = street_town_make(context, town);
    prediction now = begin_with(context, scene);
    uint64_t random = town->seed;
    rw_vec3 source = oracle_source(scene, &random, 5);
    now.tx[0].x_m = source.x + scene->origin.x;
    now.tx[0].y_m = source.y + scene->origin.y;
    now.tx[0].height_m = 5;
    now.options.effects = "streets";
    now.options.prior = "none";
    now.options.order = order;
    now.options.layers = "path_loss";
    now.options.res_m = (scene->box_max.x - scene->box_min.x) / 24;
    street_oracle oracle = street_oracle_create(scene, 1, source, order, now.options.freq_hz);
    if (town->seed % 2 == 0)
        predict_another(&now, oracle_source(scene, &random, 9));
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    const float *losses = layer_of(map, "path_loss").values;
    for (size_t cell = 0; cell < info.columns * info.rows; cell += 3) {
        rw_vec2 at = {info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m - scene->origin.x,
                      info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m - scene->origin.y};
        rw_vec3 receiver = {at.x, at.y, rw_scene_ground_m(scene, at) + info.rx_height_m};
        double least[3];
        if (isnan(losses[cell]) || street_sees(&oracle, receiver, STREET_LENIENT))
            continue;
        min_db(&oracle, receiver, least);
        count->hidden++;
        if (least[0] != least[2] && !(fabs(least[0] - least[2]) < 0.01)) {
            count->ambiguous++;
            continue;
        }
        count->worse += !(losses[cell] <= least[0] + 0.01);
        count->better += losses[cell] < least[2] - 0.01;
        rw_point point = {
            .size = sizeof(rw_point), .x_m = at.x + scene->origin.x, .y_m = at.y + scene->origin.y, .height_m = NAN};
        if (isfinite(losses[cell]))
            check_trace(&now, &point, losses[cell]);
    }
    rw_map_destroy(map);
    street_oracle_destroy(&oracle);
    rw_scene_destroy(scene);
}

static void as_all_chains(rw_backend backend)
{
    static const struct {
        street_town town;
        int order;
    } towns[] = {{{.seed = 1, .buildings = 14, .side_m = 150}, 2},  {{.seed = 2, .buildings = 14, .side_m = 150}, 2},
                 {{.seed = 5, .buildings = 14, .side_m = 150}, 2},  {{.seed = 11, .buildings = 6, .side_m = 80}, 3},
                 {{.seed = 14, .buildings = 14, .side_m = 150}, 2}, {{.seed = 21, .buildings = 6, .side_m = 80}, 3}};
    rw_context *context = make_context_of(backend, 1);
    if (!context)
        skip_test("no GPU");
    counts count = {0};
    for (size_t i = 0; i < sizeof towns / sizeof *towns; i++)
        compare_town(context, &towns[i].town, towns[i].order, &count);
    printf("%zu receivers out of sight, %zu ambiguous, %zu with a better chain than was found, %zu better by more "
           "corners\n",
           count.hidden, count.ambiguous, count.worse, count.better);
    assert_true(count.hidden > 200 && count.ambiguous < count.hidden / 20 && count.worse + count.better == 0);
    rw_context_destroy(context);
}

static void all_chains_on_cpu(void **state)
{
    (void)state;
    as_all_chains(RW_BACKEND_CPU);
}

static void all_chains_on_gpu(void **state)
{
    (void)state;
    as_all_chains(RW_BACKEND_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formula), cmocka_unit_test(reciprocal),
                                       cmocka_unit_test(domination), cmocka_unit_test(all_chains_on_cpu),
                                       cmocka_unit_test(all_chains_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
