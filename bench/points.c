/* What a click costs: rw_predict_points and rw_predict_budgets at one point of a city, the first on a new scene and
 * then at other points, with one transmitter. What does not depend on the point stays with the scene. Checked: a later
 * value equals that of a new scene. */
#include "bench/bench.h"

#include "base/maths/hash.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "points";

#define CLICKS 8

/* cubes and tiles prepare all of a city for the first point: a small one. */
static const struct {
    const char *model;
    int tiny;
} models[] = {{"shadow", 0}, {"beams", 0}, {"cubes", 1}, {"tiles", 1}};

typedef struct click_bench {
    const rw_bench *bench;
    rw_context *context;
    const char *model, *city_name;
    rw_transmitter from;
    rw_point points[CLICKS];
} click_bench;

static rw_predict_options build_click_options(const click_bench *clicks)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, clicks->model);
    options.transmitters = &clicks->from;
    options.transmitter_count = 1;
    options.layers = "path_loss";
    return options;
}

/* Milliseconds and value of a prediction at one point. */
static rw_status time_click(const click_bench *clicks, const rw_scene *scene, size_t point, double *ms, double *loss_db)
{
    rw_predict_options options = build_click_options(clicks);
    rw_map *map;
    rw_map_layer layer = {.size = sizeof layer};
    double start_s = rw_seconds();
    RW_TRY(rw_predict_points(scene, &options, &clicks->points[point], 1, &map));
    *ms = 1e3 * (rw_seconds() - start_s);
    rw_status status = rw_map_get_layer(map, 0, &layer);
    *loss_db = status == RW_OK ? (double)layer.values[0] : NAN;
    rw_map_destroy(map);
    return status;
}

static rw_status time_budget(const click_bench *clicks, const rw_scene *scene, size_t point, double *ms)
{
    rw_predict_options options = build_click_options(clicks);
    rw_budgets *budgets;
    options.layers = NULL;
    double start_s = rw_seconds();
    RW_TRY(rw_predict_budgets(scene, &options, &clicks->points[point], 1, &budgets));
    *ms = 1e3 * (rw_seconds() - start_s);
    rw_budgets_destroy(budgets);
    return RW_OK;
}

static int compare_clicks(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

static void add_click_result(const rw_bench *bench, const click_bench *clicks, const char *what, double ms,
                             double target, const char *note)
{
    char name[64];
    snprintf(name, sizeof name, "%s, %s", clicks->model, what);
    rw_bench_add_result(bench, group, name, ms, "ms", NAN, target, note);
}

/* The first click, the median of others elsewhere, and that of budgets. */
static rw_status time_clicks(const click_bench *clicks, const rw_scene *scene, const rw_scene *fresh)
{
    double first_ms, ms[CLICKS], budget_ms[CLICKS], loss_db[CLICKS], fresh_ms, fresh_db;
    char note[160];
    RW_TRY(time_click(clicks, scene, 0, &first_ms, &loss_db[0]));
    for (size_t i = 1; i < CLICKS; i++)
        RW_TRY(time_click(clicks, scene, i, &ms[i], &loss_db[i]));
    for (size_t i = 0; i < CLICKS; i++)
        RW_TRY(time_budget(clicks, scene, i, &budget_ms[i]));
    RW_TRY(time_click(clicks, fresh, CLICKS - 1, &fresh_ms, &fresh_db));
    double difference_db =
        isfinite(fresh_db) || isfinite(loss_db[CLICKS - 1]) ? fabs(fresh_db - loss_db[CLICKS - 1]) : 0;
    rw_bench checked =
        rw_bench_checked(clicks->bench, (rw_bench_check){"the same point of a new scene", difference_db, 1e-3, "dB"});
    qsort(ms + 1, CLICKS - 1, sizeof *ms, compare_clicks);
    qsort(budget_ms, CLICKS, sizeof *budget_ms, compare_clicks);
    snprintf(note, sizeof note, "%s, %s", clicks->city_name, rw_context_backend(clicks->context));
    add_click_result(clicks->bench, clicks, "first point", first_ms, NAN, note);
    add_click_result(&checked, clicks, "another point", ms[1 + (CLICKS - 1) / 2], 10, note);
    add_click_result(clicks->bench, clicks, "its budget", budget_ms[CLICKS / 2], 10, note);
    return RW_OK;
}

static void locate_clicks(const rw_scene *scene, click_bench *clicks)
{
    rw_vec3 places[CLICKS + 1];
    rw_bench_locate_sources(scene, clicks->city_name, places, CLICKS + 1);
    rw_transmitter_init(&clicks->from);
    clicks->from.name = "mast";
    clicks->from.x_m = places[0].x + scene->origin.x;
    clicks->from.y_m = places[0].y + scene->origin.y;
    clicks->from.height_m = 13;
    for (size_t i = 0; i < CLICKS; i++)
        clicks->points[i] = (rw_point){.size = sizeof(rw_point),
                                       .x_m = places[i + 1].x + scene->origin.x,
                                       .y_m = places[i + 1].y + scene->origin.y,
                                       .height_m = NAN};
}

static rw_status bench_clicks_of(const rw_bench *bench, rw_context *context, const char *model, int tiny)
{
    rw_bench of_city = *bench;
    click_bench clicks = {.bench = bench, .context = context, .model = model};
    rw_scene *scenes[2] = {NULL, NULL};
    rw_status status = RW_OK;
    of_city.tiny |= tiny;
    for (int i = 0; i < 2 && status == RW_OK; i++)
        status = rw_bench_city(&of_city, context, &scenes[i], &clicks.city_name);
    if (status == RW_OK) {
        locate_clicks(scenes[0], &clicks);
        status = time_clicks(&clicks, scenes[0], scenes[1]);
    }
    rw_scene_destroy(scenes[0]);
    rw_scene_destroy(scenes[1]);
    return status;
}

static rw_status bench_points_on_backend(const rw_bench *bench, rw_context *context)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (rw_bench_wants(bench, group, models[i].model))
            RW_TRY(bench_clicks_of(bench, context, models[i].model, models[i].tiny));
    return RW_OK;
}

rw_status rw_bench_points(const rw_bench *bench)
{
    return rw_bench_each_backend(bench, bench_points_on_backend);
}
