#include "bench/reproduce/reproduce.h"

#include "base/memory.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const rw_paper papers[] = {
    {"shadow",
     "Rick and Kuhlen: Accelerating Radio Wave Propagation Algorithms by Implementation on Graphics Hardware (2010)",
     rw_reproduce_shadow},
    {"images", "Novak: Discrete Method of Images for 3D Radio Propagation Modeling (2016)", rw_reproduce_images},
    {"cubes",
     "Catrein, Reyer and Rick: Accelerating Radio Wave Propagation Predictions by Implementation on Graphics Hardware "
     "(2007)",
     rw_reproduce_cubes},
    {"beams",
     "Schmitz, Rick, Karolski, Kuhlen and Kobbelt: Efficient Rasterization for Outdoor Radio Wave Propagation (2011)",
     rw_reproduce_beams},
    {"tiles",
     "Lu, Vitucci, Degli-Esposti and others: A Discrete Environment-Driven GPU-Based Ray Launching Algorithm (2019)",
     rw_reproduce_tiles},
};

const rw_paper *rw_paper_find(const char *name)
{
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (strcmp(papers[i].name, name) == 0)
            return &papers[i];
    return NULL;
}

const char *rw_paper_names(void)
{
    static char names[128];
    size_t length = 0;
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", papers[i].name);
    return names;
}

static void format_date(char *text, size_t size)
{
    time_t now = time(NULL);
    struct tm date;
    if (!gmtime_r(&now, &date) || strftime(text, size, "%Y-%m-%d", &date) == 0)
        snprintf(text, size, "unknown");
}

/* What a reader needs to make the page again, and to see whether it is of this code. */
static void report_origin(rw_page *page, const char *command)
{
    char date[32];
    format_date(date, sizeof date);
    rw_page_table(page, "this page | ");
    rw_page_row(page, "date | %s", date);
    rw_page_row(page, "program | rasterwave %s", rw_version());
    rw_page_row(page, "code | `%s` (SHA-256 of src, include, programs and bench)", rw_bench_code_hash());
    rw_page_row(page, "machine | %s", rw_context_machine(page->context));
    rw_page_row(page, "command | `%s`", command);
    rw_page_table_end(page);
}

rw_status rw_reproduce(rw_context *context, const rw_paper *paper, const char *data_folder, const char *out, int tiny,
                       double limit_s, const char *command, rw_bench_watch *watch)
{
    rw_reproduction reproduction = {
        .context = context, .data_folder = data_folder, .tiny = tiny, .limit_s = limit_s, .watch = watch};
    rw_page *page = &reproduction.page;
    RW_TRY(rw_page_begin(context, out, paper->name, page));
    rw_page_print(page, "# %s: the paper's tables and figures\n\n", paper->name);
    rw_page_text(page, "%s.", paper->title);
    report_origin(page, command);
    if (tiny)
        rw_page_text(page, "**A trial on a tiny scene: its numbers compare with nothing.**");
    rw_page_text(page, "A measurement that takes longer than %g s is cancelled and printed as \"over %g s\".", limit_s,
                 limit_s);
    rw_page_try(page, paper->run(&reproduction));
    return rw_page_end(page);
}

void rw_reproduce_list(rw_reproduction *reproduction, const rw_paper_item *items, size_t count)
{
    rw_page *page = &reproduction->page;
    rw_page_heading(page, "What the paper has, and what is made here");
    rw_page_table(page, "in the paper | here");
    for (size_t i = 0; i < count; i++)
        rw_page_row(page, "%s | %s%s", items[i].name,
                    items[i].made ? "" : "not made: ", items[i].made ? items[i].made : items[i].why);
    rw_page_table_end(page);
}

void rw_reproduce_begin(rw_reproduction *reproduction)
{
    rw_bench_watch_begin(reproduction->watch, reproduction->limit_s);
}

rw_status rw_reproduce_end(rw_reproduction *reproduction, rw_status status, int *over)
{
    rw_bench_watch_end(reproduction->watch);
    *over = status == RW_CANCELLED;
    return *over ? RW_OK : status;
}

static int compare_seconds(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Outdoor cells with a value. */
static rw_status find_reached_cells(const rw_map *map, double *reached)
{
    rw_map_layer loss = {.size = sizeof loss};
    rw_map_info info = {.size = sizeof info};
    size_t outdoors = 0, finite = 0;
    RW_TRY(rw_map_get_layer(map, 0, &loss));
    RW_TRY(rw_map_get_info(map, &info));
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        outdoors += !isnan(loss.values[i]);
        finite += isfinite(loss.values[i]) != 0;
    }
    *reached = outdoors ? (double)finite / (double)outdoors : 0;
    return RW_OK;
}

static rw_status time_one_map(rw_reproduction *reproduction, const rw_scene *scene, const rw_predict_options *options,
                              double *seconds, double *reached, int *over)
{
    rw_map *map = NULL;
    double start_s = rw_seconds();
    rw_reproduce_begin(reproduction);
    rw_status status = rw_predict(scene, options, &map);
    *seconds = rw_seconds() - start_s;
    RW_TRY(rw_reproduce_end(reproduction, status, over));
    if (*over)
        return RW_OK;
    status = reached ? find_reached_cells(map, reached) : RW_OK;
    rw_map_destroy(map);
    return status;
}

rw_status rw_reproduce_time_maps(rw_reproduction *reproduction, const rw_scene *scene, const char *city_name,
                                 rw_predict_options options, rw_map_times *times)
{
    rw_vec3 others[RW_MAP_CALLS];
    double seconds[RW_MAP_CALLS], total_s = 0;
    rw_transmitter transmitter = options.transmitters[0];
    int over = 0;
    *times = (rw_map_times){0};
    rw_bench_locate_sources(scene, city_name, others, RW_MAP_CALLS);
    options.layers = "path_loss";
    options.transmitters = &transmitter;
    for (size_t i = 0; i < (reproduction->tiny ? 3 : RW_MAP_CALLS); i++) {
        if (i > 0 && reproduction->limit_s > 0 && total_s + seconds[i - 1] > reproduction->limit_s)
            break;
        if (i > 0) { /* the first is the caller's */
            transmitter.x_m = others[i].x + scene->origin.x;
            transmitter.y_m = others[i].y + scene->origin.y;
            transmitter.height_m = others[i].z;
        }
        RW_TRY(time_one_map(reproduction, scene, &options, &seconds[i], i ? NULL : &times->reached, &over));
        if (over)
            break;
        total_s += seconds[i];
        times->calls++;
    }
    if (times->calls == 0)
        return RW_OK;
    qsort(seconds, times->calls, sizeof *seconds, compare_seconds);
    times->min_s = seconds[0];
    times->max_s = seconds[times->calls - 1];
    times->median_s = 0.5 * (seconds[(times->calls - 1) / 2] + seconds[times->calls / 2]);
    return RW_OK;
}

void rw_reproduce_format_times(const rw_reproduction *reproduction, const rw_map_times *times, char *text, size_t size)
{
    if (times->calls == 0)
        snprintf(text, size, "over %g s", reproduction->limit_s);
    else if (times->calls == 1)
        snprintf(text, size, "%.3g s (one call)", times->median_s);
    else
        snprintf(text, size, "%.3g s (median of %zu, %.3g to %.3g s)", times->median_s, times->calls, times->min_s,
                 times->max_s);
}

rw_bench rw_reproduce_bench(const rw_reproduction *reproduction)
{
    return (rw_bench){.context = reproduction->context,
                      .data_folder = reproduction->data_folder,
                      .tiny = reproduction->tiny,
                      .limit_s = reproduction->limit_s,
                      .watch = reproduction->watch};
}

rw_status rw_reproduce_city(const rw_reproduction *reproduction, rw_scene **scene, const char **city_name,
                            rw_transmitter *transmitter)
{
    rw_bench bench = rw_reproduce_bench(reproduction);
    rw_vec3 at;
    RW_TRY(rw_bench_city(&bench, reproduction->context, scene, city_name));
    rw_bench_locate_sources(*scene, *city_name, &at, 1);
    rw_transmitter_init(transmitter);
    transmitter->x_m = at.x + (*scene)->origin.x;
    transmitter->y_m = at.y + (*scene)->origin.y;
    transmitter->height_m = at.z;
    return RW_OK;
}

typedef struct line_list {
    rw_page *page;
    const char *only;
    rw_bench_result *items;
    size_t count;
    int wrong, memory_failed;
} line_list;

static void format_limit(double value, char *string, size_t size)
{
    string[0] = 0;
    if (!isnan(value))
        snprintf(string, size, "%.3g", value);
}

static void add_result_row(void *user, const rw_bench_result *result)
{
    line_list *list = user;
    if (list->only && !strstr(result->name, list->only))
        return;
    char compared[160] = "not compared", target[32];
    if (rw_bench_is_checked(result))
        snprintf(compared, sizeof compared, "%.3g %s from %s", result->difference, result->difference_unit,
                 result->against);
    format_limit(result->limit, target, sizeof target);
    rw_page_row(list->page, "%s | %.4g %s | %s | %s | %s", result->name, result->value, result->unit, target, compared,
                result->note);
    list->wrong += rw_bench_is_wrong(result);
    rw_bench_result *grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    list->memory_failed |= !grown;
    if (!grown)
        return;
    list->items = grown;
    grown[list->count++] = *result;
}

/* The curves among the lines, where there are some. */
static void draw_curves(rw_page *page, const line_list *list, const char *name, const char *caption)
{
    char path[4096];
    size_t points = 0;
    for (size_t i = 0; i < list->count; i++)
        points += *list->items[i].curve != 0;
    if (page->status != RW_OK || points < 2)
        return;
    rw_page_picture_path(page, name, path, sizeof path);
    rw_page_try(page, rw_bench_draw(page->context, list->items, list->count, path));
    rw_page_picture(page, name, caption);
}

rw_bench_result rw_reproduce_printed_point(const char *curve, double x, double value, const char *unit,
                                           const char *x_label)
{
    rw_bench_result point = {.value = value, .limit = NAN, .target = NAN, .x = x};
    snprintf(point.curve, sizeof point.curve, "%s", curve);
    snprintf(point.unit, sizeof point.unit, "%s", unit);
    snprintf(point.x_label, sizeof point.x_label, "%s", x_label);
    return point;
}

static void add_printed_points(line_list *list, const rw_bench_result *printed, size_t count)
{
    rw_bench_result *grown = list->count ? realloc(list->items, (list->count + count) * sizeof *grown) : NULL;
    list->memory_failed |= list->count && !grown;
    if (!grown)
        return;
    list->items = grown;
    for (size_t i = 0; i < count; i++) {
        grown[list->count] = printed[i]; /* drawn among the curves of the group */
        memcpy(grown[list->count].group, grown[0].group, sizeof grown[0].group);
        list->count++;
    }
}

rw_status rw_reproduce_lines(rw_reproduction *reproduction, rw_status (*group)(const rw_bench *bench), const char *only,
                             const char *name, const char *caption)
{
    return rw_reproduce_lines_with(reproduction, group, only, NULL, 0, name, caption);
}

rw_status rw_reproduce_lines_with(rw_reproduction *reproduction, rw_status (*group)(const rw_bench *bench),
                                  const char *only, const rw_bench_result *printed, size_t printed_count,
                                  const char *name, const char *caption)
{
    line_list list = {.page = &reproduction->page, .only = only};
    rw_bench bench = rw_reproduce_bench(reproduction);
    bench.on_result = add_result_row;
    bench.user = &list;
    rw_page_table(&reproduction->page, "what | ours | limit | compared in this run | the paper's, and notes");
    int over;
    rw_bench_watch_step(reproduction->watch, "%s: lines of the benchmark (%s)", reproduction->page.name, name);
    rw_reproduce_begin(reproduction);
    rw_status status = rw_reproduce_end(reproduction, group(&bench), &over);
    if (over)
        rw_page_row(&reproduction->page, "the lines that would follow | over %g s | | not compared | cancelled",
                    reproduction->limit_s);
    rw_page_table_end(&reproduction->page);
    if (status == RW_OK && list.memory_failed)
        status = rw_fail(reproduction->context, RW_OUT_OF_MEMORY, "no memory for the lines of the benchmark");
    if (status == RW_OK && list.wrong)
        status = rw_fail(reproduction->context, RW_INTERNAL, "%d results of %s are wrong", list.wrong, name);
    if (status == RW_OK && printed_count)
        add_printed_points(&list, printed, printed_count);
    if (status == RW_OK)
        draw_curves(&reproduction->page, &list, name, caption);
    free(list.items);
    return status;
}
