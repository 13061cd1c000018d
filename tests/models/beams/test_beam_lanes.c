/* Beams traced and pieces listed by the lanes of warps, emulated on the CPU: the same beams, pieces, windows and
 * receivers, to the bit, as by one lane; and all lanes always ask each other at the same place. */
#include "emulated_lanes.h"

#include "models/beams/beams.h"
#include "models/beams/evaluation/list_receivers.k.h"
#include "shapes.h"

#include "unit.h"

#define BEAMS_MAX 40000
#define SAMPLE 150 /* beams of a level that are followed */

typedef struct traced {
    rw_beam beams[BEAMS_MAX];
    rw_beam_piece pieces[BEAMS_MAX];
    rw_beam_window windows[BEAMS_MAX];
    rw_beam_find finds[BEAMS_MAX];
    uint32_t counts[4]; /* of them; beams from the first new one on */
} traced;

static traced alone, together;

static void trace_item(const void *args, size_t item)
{
    rw_trace_beams_item(args, item);
}

static void list_item(const void *args, size_t item)
{
    rw_list_receivers_item(args, item);
}

static void run(void (*item)(const void *args, size_t item), const void *args, size_t index, int emulated)
{
    if (emulated)
        assert_true(emulate_item(item, args, index));
    else
        item(args, index);
}

/* Traces beams 0 to count of into; new ones go behind them. */
static void trace_level(struct rw_trace_beams_args args, size_t count, int emulated, traced *into)
{
    args.beams = into->beams;
    args.pieces = into->pieces;
    args.windows = into->windows;
    args.beam_count = into->counts;
    args.piece_count = into->counts + 1;
    args.window_count = into->counts + 2;
    args.beam_capacity = args.piece_capacity = args.window_capacity = BEAMS_MAX;
    memset(into->counts, 0, sizeof into->counts);
    into->counts[0] = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        run(trace_item, &args, i, emulated);
    args.windowed = 1;
    for (size_t i = 0; i < into->counts[2]; i++)
        run(trace_item, &args, i, emulated);
}

/* Lists the receivers of some of the pieces that one lane found. */
static void list_level(const struct rw_evaluate_beams_args *evaluation, int emulated, traced *into)
{
    struct rw_list_receivers_args listing = {.all = *evaluation};
    listing.all.beams = alone.beams;
    listing.all.pieces = alone.pieces;
    listing.all.finds = into->finds;
    listing.all.find_count = into->counts + 3;
    listing.all.find_capacity = BEAMS_MAX;
    for (size_t i = 0; i < alone.counts[1] && i < SAMPLE; i++)
        run(list_item, &listing, i, emulated);
}

static int compare_beams(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(rw_beam));
}

static int compare_pieces(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(rw_beam_piece));
}

static int compare_finds(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(rw_beam_find));
}

static void assert_same(void *a, void *b, size_t count, size_t size, int (*compare)(const void *a, const void *b))
{
    qsort(a, count, size, compare);
    qsort(b, count, size, compare);
    assert_memory_equal(a, b, count * size);
}

/* Of one level, whose beams begin with first; in whatever order they came. */
static void compare(size_t first)
{
    assert_memory_equal(alone.counts, together.counts, sizeof alone.counts);
    for (int i = 0; i < 4; i++)
        assert_true(alone.counts[i] <= BEAMS_MAX);
    assert_same(alone.beams + first, together.beams + first, alone.counts[0] - first, sizeof(rw_beam), compare_beams);
    assert_same(alone.finds, together.finds, alone.counts[3], sizeof(rw_beam_find), compare_finds);
    assert_same(alone.pieces, together.pieces, alone.counts[1], sizeof(rw_beam_piece), compare_pieces);
}

/* The first beams of a source, then a sample of those that come of them, and so on. */
static void follow(const rw_prediction *prediction, const rw_beam_settings *settings)
{
    rw_context *context = prediction->scene->context;
    rw_beam_tracer tracer;
    rw_beam_evaluation evaluation;
    rw_beam_tables tables;
    assert_ok(context, rw_beam_tracer_create(prediction, settings, &tracer));
    assert_ok(context, rw_beam_evaluation_create(prediction, settings, (rw_beam_wants){.sums = 1}, &evaluation));
    assert_ok(context, rw_beam_tables_create(prediction, settings, 0, &tables));
    assert_ok(context, rw_beam_evaluation_begin(&evaluation, 0, &tables.losses));
    struct rw_evaluate_beams_args asked = rw_beam_evaluation_args(&evaluation, &tracer);
    struct rw_trace_beams_args args = rw_beam_trace_args(&tracer, evaluation.source, &tables.losses);
    size_t count = rw_beam_start(evaluation.source, alone.beams), all = 0;
    while (count) {
        memcpy(together.beams, alone.beams, count * sizeof(rw_beam));
        trace_level(args, count, 0, &alone);
        trace_level(args, count, 1, &together);
        list_level(&asked, 0, &alone);
        list_level(&asked, 1, &together);
        compare(count);
        size_t made = alone.counts[0] - count, kept = made < SAMPLE ? made : SAMPLE;
        for (size_t i = 0; i < kept; i++)
            alone.beams[i] = alone.beams[count + i * made / kept];
        all += count;
        count = kept;
    }
    assert_true(all > 3 * SAMPLE);
    rw_beam_tables_destroy(&tables);
    rw_beam_evaluation_destroy(&evaluation);
    rw_beam_tracer_destroy(&tracer);
}

static void lanes_agree(void **state)
{
    (void)state;
    for (int hills = 0; hills < 2; hills++) {
        rw_context *context = make_context();
        rw_city_options city;
        rw_city_options_init(&city);
        city.width_m = city.depth_m = 700;
        city.hills = hills;
        rw_scene *scene;
        assert_ok(context, rw_generate_city(context, &city, &scene));
        assert_ok(context, rw_scene_commit(scene));
        rw_transmitter tx;
        rw_transmitter_init(&tx);
        tx.x_m = 351;
        tx.y_m = 353;
        tx.height_m = hills ? 50 : 20;
        rw_predict_options options;
        rw_predict_options_init(&options);
        options.model = "beams";
        options.transmitters = &tx;
        options.transmitter_count = 1;
        options.reflections = 2;
        rw_prediction *prediction;
        rw_beam_settings settings;
        assert_ok(context, rw_prediction_open(scene, &options, &prediction));
        assert_ok(context, rw_beam_settings_resolve(prediction, &settings));
        follow(prediction, &settings);
        settings.split_pixels = 100; /* the paper's buffer and quadtree */
        settings.quadtree = 1;
        if (!hills)
            follow(prediction, &settings);
        rw_prediction_destroy(prediction);
        rw_scene_destroy(scene);
        rw_context_destroy(context);
    }
    for (int lane = 0; lane < RW_GPU_LANES; lane++)
        free(warp.stacks[lane]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
