/* What beams leave out and how they are evaluated changes no sum: receivers listed first and asked then, in lists of
 * any length; stretches of beams in which no receiver is as high as the rays; and the highest receiver of each cell is
 * that.
 */
#include "base/maths/hash.h"
#include "base/memory.h"
#include "device/device.h"
#include "discretise/receivers/receivers.h"
#include "models/beams/beams.h"
#include "shapes.h"

#include "unit.h"

typedef struct step_case {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx;
    rw_predict_options options;
    rw_prediction *prediction;
    rw_beam_settings settings;
    rw_beam_tracer tracer;
    rw_beam_evaluation evaluation;
    rw_beam_tables tables;
    size_t cells;
} step_case;

static void begin_city(step_case *now, double side_m, int hills)
{
    *now = (step_case){.context = make_context()};
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = side_m;
    city.hills = hills;
    assert_ok(now->context, rw_generate_city(now->context, &city, &now->scene));
    assert_ok(now->context, rw_scene_commit(now->scene));
    rw_transmitter_init(&now->tx);
    now->tx.x_m = 0.5 * side_m + 1;
    now->tx.y_m = 0.5 * side_m + 5;
    now->tx.height_m = hills ? 50 : 25;
    rw_predict_options_init(&now->options);
    now->options.model = "beams";
    now->options.transmitters = &now->tx;
    now->options.transmitter_count = 1;
    now->options.reflections = 2;
    now->options.delay_bins = 16;
    assert_ok(now->context, rw_prediction_open(now->scene, &now->options, &now->prediction));
    assert_ok(now->context, rw_beam_settings_resolve(now->prediction, &now->settings));
    assert_ok(now->context, rw_beam_tracer_create(now->prediction, &now->settings, &now->tracer));
    assert_ok(now->context,
              rw_beam_evaluation_create(now->prediction, &now->settings, (rw_beam_wants){.sums = 1}, &now->evaluation));
    assert_ok(now->context, rw_beam_tables_create(now->prediction, &now->settings, 0, &now->tables));
    now->cells = now->prediction->grid.cells.columns * now->prediction->grid.cells.rows;
}

static void end_city(step_case *now)
{
    rw_beam_tables_destroy(&now->tables);
    rw_beam_evaluation_destroy(&now->evaluation);
    rw_beam_tracer_destroy(&now->tracer);
    rw_prediction_destroy(now->prediction);
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

/* A hash of all sums after tracing. */
static uint64_t trace(step_case *now)
{
    rw_beam_evaluation *evaluation = &now->evaluation;
    const rw_beam_sums *sums = &evaluation->sums;
    assert_ok(now->context, rw_beam_evaluation_begin(evaluation, 0, &now->tables.losses));
    assert_ok(now->context,
              rw_beam_trace(&now->tracer, evaluation->source, &now->tables.losses, rw_beam_evaluate, evaluation));
    size_t paths = 0;
    for (size_t i = 0; i < now->cells; i++)
        paths += sums->paths[i];
    assert_true(paths > 1000);
    uint64_t hash = rw_hash(0, sums->power, now->cells * sizeof *sums->power);
    hash = rw_hash(hash, sums->delay, now->cells * sizeof *sums->delay);
    hash = rw_hash(hash, sums->first, now->cells * sizeof *sums->first);
    hash = rw_hash(hash, sums->paths, now->cells * sizeof *sums->paths);
    return rw_hash(hash, sums->histogram, now->cells * (size_t)now->settings.bins * sizeof *sums->histogram);
}

static void two_steps(void **state)
{
    (void)state;
    for (int hills = 0; hills < 2; hills++) {
        step_case now;
        begin_city(&now, 600, hills);
        uint64_t at_once = trace(&now);
        rw_beam_evaluation *evaluation = &now.evaluation;
        assert_ok(now.context, rw_array_create(now.context, 1 << 20, sizeof *evaluation->listed_receivers, "receivers",
                                               &evaluation->listed_receivers));
        assert_ok(now.context, rw_array_create(now.context, 1, sizeof *evaluation->listed_count, "counts",
                                               &evaluation->listed_count));
        for (evaluation->listed_capacity = 1 << 20; evaluation->listed_capacity > 1000;
             evaluation->listed_capacity /= 16)
            assert_true(trace(&now) == at_once);
        evaluation->listed_capacity = 1; /* a piece has more */
        assert_ok(now.context, rw_beam_evaluation_begin(evaluation, 0, &now.tables.losses));
        assert_int_equal(
            rw_beam_trace(&now.tracer, evaluation->source, &now.tables.losses, rw_beam_evaluate, evaluation),
            RW_TOO_LARGE);
        end_city(&now);
    }
}

static void unreached(void **state)
{
    (void)state;
    for (int hills = 0; hills < 2; hills++) {
        step_case now;
        begin_city(&now, 600, hills);
        assert_non_null(now.tracer.receiver_tops);
        uint64_t left_out = trace(&now);
        size_t pieces = now.tracer.levels[1].pieces;
        now.tracer.receiver_tops = NULL;
        assert_true(trace(&now) == left_out);
        assert_true(pieces < now.tracer.levels[1].pieces);
        end_city(&now);
    }
}

static void highest_receivers(void **state)
{
    (void)state;
    step_case now;
    begin_city(&now, 600, 1);
    const rw_wall_grid_view *grid = &now.tracer.grid;
    const rw_receivers_view *view = &now.prediction->receivers.view;
    size_t cells = (size_t)grid->columns * (size_t)grid->rows;
    float *expected = malloc(cells * sizeof *expected);
    for (size_t i = 0; i < cells; i++)
        expected[i] = -INFINITY;
    for (size_t i = 0; i < view->outdoor_count; i++) {
        rw_vec3 at = rw_receiver_point(view, view->outdoor[i]);
        int column = (int)floor((at.x - (double)grid->x0) / (double)grid->cell_m);
        int row = (int)floor((at.y - (double)grid->y0) / (double)grid->cell_m);
        float *top = &expected[(size_t)row * (size_t)grid->columns + (size_t)column];
        *top = fmaxf(*top, (float)at.z);
    }
    for (size_t i = 0; i < cells; i++)
        assert_true(rw_top_altitude_m(now.tracer.receiver_tops[i]) == expected[i]);
    const float altitudes[] = {-430, -0.5f, 0, 1e-3f, 8848};
    for (int i = 0; i < 5; i++) {
        assert_true(rw_top_altitude_m(rw_top_code(altitudes[i])) == altitudes[i]);
        assert_true(i == 0 || rw_top_code(altitudes[i]) > rw_top_code(altitudes[i - 1]));
    }
    rw_receivers_view beyond = *view;
    beyond.x0_m -= 1e4;
    uint32_t none = 0;
    int found = 1;
    assert_int_equal(rw_receiver_tops(NULL, grid, &beyond, &none, &found), RW_OK);
    assert_int_equal(found, 0);
    free(expected);
    end_city(&now);
}

/* Without contraction, instruction sets round alike and find the same paths. */
static void instruction_sets(void **state)
{
    (void)state;
    char isa[16];
    snprintf(isa, sizeof isa, "%s", rw_cpu_isa());
    if (strcmp(isa, "baseline") == 0)
        skip_test("this CPU has the baseline instruction set alone");
    step_case now;
    begin_city(&now, 1200, 1);
    trace(&now);
    const uint32_t *paths = now.evaluation.sums.paths;
    uint32_t *best = malloc(now.cells * sizeof *best);
    memcpy(best, paths, now.cells * sizeof *best);
    setenv("RASTERWAVE_ISA", "baseline", 1);
    assert_string_equal(rw_cpu_isa(), "baseline");
    trace(&now);
    setenv("RASTERWAVE_ISA", isa, 1);
    size_t reached = 0, different = 0;
    for (size_t i = 0; i < now.cells; i++) {
        reached += best[i] > 0;
        different += best[i] != paths[i];
    }
    printf("%s and baseline: %zu of %zu receivers reached, %zu differ\n", isa, reached, now.cells, different);
    assert_true(reached * 4 > now.cells);
    assert_int_equal(different, 0);
    free(best);
    end_city(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_steps), cmocka_unit_test(instruction_sets),
                                       cmocka_unit_test(unreached), cmocka_unit_test(highest_receivers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
