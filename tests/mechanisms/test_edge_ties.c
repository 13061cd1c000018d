/* Buildings that share walls, roofs of equal heights, and rows that are symmetric: the edges of an over-rooftop path
 * are decided by height, then index, whatever order or rounding the crossings come with, and every instruction set
 * predicts the same loss. */
#include "device/device.h"
#include "mechanisms/rooftop/over_rooftop.k.h"
#include "prediction.h"

#include "base/maths/hash.h"

/* The maps of issue "One number": 5 % of the cells of beams differed, by up to 19 dB. */
static float *predict_city(const char *model, uint64_t seed, size_t *count)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_generated_city(context, "european", 300, seed, 0);
    prediction now = begin_with(context, scene);
    now.options.model = model;
    now.options.layers = "path_loss";
    now.options.prior = "none";
    now.options.freq_hz = 2e9;
    if (strcmp(model, "shadow") == 0)
        now.options.effects = "roofs";
    else
        now.options.reflections = now.options.diffractions = now.options.transmissions = 0;
    now.tx[0].x_m = 150;
    now.tx[0].y_m = 145;
    now.tx[0].height_m = 13;
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    *count = info.columns * info.rows;
    float *losses = malloc(*count * sizeof *losses);
    assert_non_null(losses);
    memcpy(losses, layer_of(map, "path_loss").values, *count * sizeof *losses);
    rw_map_destroy(map);
    end(&now);
    return losses;
}

static void instruction_sets_choose_the_same_edges(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams"};
    char best[16];
    snprintf(best, sizeof best, "%s", rw_cpu_isa());
    if (strcmp(best, "baseline") == 0)
        skip_test("one instruction set alone");
    for (size_t m = 0; m < 2; m++) {
        size_t count, differ = 0, cells = 0;
        setenv("RASTERWAVE_ISA", "baseline", 1);
        float *baseline = predict_city(models[m], 1, &count);
        setenv("RASTERWAVE_ISA", best, 1);
        float *wide = predict_city(models[m], 1, &count);
        for (size_t i = 0; i < count; i++) {
            cells += isfinite(baseline[i]);
            differ += isfinite(baseline[i]) != isfinite(wide[i]) || fabsf(baseline[i] - wide[i]) > 0.01f;
        }
        unsetenv("RASTERWAVE_ISA");
        printf("%s, baseline and %s: %zu of %zu cells differ by over 0.01 dB\n", models[m], best, differ, cells);
        assert_true(cells > 1000 && differ == 0);
        free(baseline);
        free(wide);
    }
}

/* Candidates in any order, with heights that differ by rounding alone: the same edges. */
static void order_and_rounding_decide_nothing(void **state)
{
    (void)state;
    rw_random random = rw_random_of(3, 1);
    for (int trial = 0; trial < 2000; trial++) {
        enum { ROW = 9 };
        float x_m[RW_EDGE_CAPACITY(ROW)], h_m[RW_EDGE_CAPACITY(ROW)];
        const float length_m = 1000.0f;
        rw_main_edges edges[2];
        for (int turn = 0; turn < 2; turn++) {
            int order[ROW];
            for (int i = 0; i < ROW; i++)
                order[i] = i;
            for (int i = ROW - 1; turn && i > 0; i--) {
                int other = (int)rw_random_range(&random, 0, i + 0.999), first = order[i];
                order[i] = order[other];
                order[other] = first;
            }
            for (int i = 0; i < ROW; i++) { /* symmetric: five pairs of equal Fresnel parameters */
                x_m[i] = 100.0f * (float)(order[i] + 1);
                h_m[i] = 5.0f + 1e-6f * (float)rw_random_range(&random, -1, 1);
            }
            edges[turn] = rw_main_edges_none(length_m, 0.15f);
            rw_main_edges_choose(&edges[turn], x_m, h_m, ROW);
        }
        assert_int_equal(edges[0].count, edges[1].count);
        for (int i = 0; i < edges[0].count; i++)
            assert_near((double)edges[0].x_m[i], (double)edges[1].x_m[i], 1e-3);
    }
}

/* A line through the wall that two buildings of different heights share: each is one screen in its middle, whichever of
 * the two crossings is found first and a rounding apart. */
static void a_shared_wall_is_crossed_in_order(void **state)
{
    (void)state;
    rw_wall_entry low = {.wall = 9, .part = 2, .top = 16}, high = {.wall = 4, .part = 1, .top = 19};
    for (int turn = 0; turn < 2; turn++)
        for (int late = -1; late <= 1; late++) {
            rw_roof_crossings found = {.count = 0};
            float t = 0.5f + 1e-7f * (float)late;
            rw_roof_crossing_insert(&found, turn ? t : 0.5f, turn ? high.top : low.top, turn ? &high : &low);
            rw_roof_crossing_insert(&found, turn ? 0.5f : t, turn ? low.top : high.top, turn ? &low : &high);
            assert_int_equal(found.count, 2);
            assert_int_equal(found.part[0], 2);
            assert_int_equal(found.part[1], 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instruction_sets_choose_the_same_edges),
        cmocka_unit_test(order_and_rounding_decide_nothing),
        cmocka_unit_test(a_shared_wall_is_crossed_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
