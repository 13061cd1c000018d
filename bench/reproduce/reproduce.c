#include "bench/reproduce/reproduce.h"

#include "base/memory.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

rw_status rw_reproduce(rw_context *context, const rw_paper *paper, const char *data_folder, const char *out, int tiny,
                       double limit_s, const char *command)
{
    rw_reproduction reproduction = {.context = context, .data_folder = data_folder, .tiny = tiny, .limit_s = limit_s};
    RW_TRY(rw_page_begin(context, out, paper->name, &reproduction.page));
    rw_page_print(&reproduction.page, "# %s: the paper's tables and figures\n\n", paper->name);
    rw_page_text(&reproduction.page, "%s.", paper->title);
    rw_page_text(&reproduction.page, "Made by rasterwave %s on %s:", rw_version(), rw_context_machine(context));
    rw_page_text(&reproduction.page, "```\n%s\n```", command);
    if (tiny)
        rw_page_text(&reproduction.page, "**A trial on a tiny scene: its numbers compare with nothing.**");
    rw_page_try(&reproduction.page, paper->run(&reproduction));
    return rw_page_end(&reproduction.page);
}

rw_bench rw_reproduce_bench(const rw_reproduction *reproduction)
{
    return (rw_bench){.context = reproduction->context,
                      .data_folder = reproduction->data_folder,
                      .tiny = reproduction->tiny,
                      .limit_s = reproduction->limit_s};
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

rw_status rw_reproduce_lines(rw_reproduction *reproduction, rw_status (*group)(const rw_bench *bench), const char *only,
                             const char *name, const char *caption)
{
    line_list list = {.page = &reproduction->page, .only = only};
    rw_bench bench = rw_reproduce_bench(reproduction);
    bench.on_result = add_result_row;
    bench.user = &list;
    rw_page_table(&reproduction->page, "what | ours | limit | compared in this run | the paper's, and notes");
    rw_status status = group(&bench);
    rw_page_table_end(&reproduction->page);
    if (status == RW_OK && list.memory_failed)
        status = rw_fail(reproduction->context, RW_OUT_OF_MEMORY, "no memory for the lines of the benchmark");
    if (status == RW_OK && list.wrong)
        status = rw_fail(reproduction->context, RW_INTERNAL, "%d results of %s are wrong", list.wrong, name);
    if (status == RW_OK)
        draw_curves(&reproduction->page, &list, name, caption);
    free(list.items);
    return status;
}
