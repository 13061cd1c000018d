/* The files of a plan: the chosen sites, the record of the plan, and maps before and after with their pictures. */
#include "commands/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The chosen sectors, or those that stay, for pictures. */
static rw_transmitter *transmitters_of(const struct planning *planning, size_t *count)
{
    size_t all = rw_plan_chosen_count(planning->plan);
    rw_transmitter *transmitter = calloc(all ? all : 1, sizeof *transmitter);
    *count = 0;
    for (size_t i = 0; transmitter && i < all; i++) {
        size_t candidate;
        transmitter[*count].size = sizeof *transmitter;
        if (rw_plan_get_chosen(planning->plan, i, &transmitter[*count], &candidate) != RW_OK)
            continue;
        if (transmitter[*count].freq_hz == 0)
            transmitter[*count].freq_hz = planning->request.options.freq_hz;
        ++*count;
    }
    return transmitter;
}

/* Area weighs the same everywhere: that is no picture. */
static int is_shown(const struct planning *planning, const char *layer)
{
    return strcmp(layer, "weight") != 0 || planning->options.weights || planning->options.zones;
}

/* Colours of before and after are the same: those of the map after. */
static rw_status draw_plan_layer(struct planning *planning, const rw_map *map, const char *layer, const char *folder,
                                 const rw_transmitter *transmitters, size_t count)
{
    rw_map_draw_options options;
    rw_map_layer values = {.size = sizeof values};
    const rw_map *after = rw_plan_map_after(planning->plan);
    size_t index;
    struct plan_picture *picture = &planning->pictures[planning->picture_count];
    if (planning->picture_count == PLAN_PICTURES_MAX)
        return RW_OK;
    rw_map_draw_options_init(&options);
    options.layer = layer;
    options.scene = planning->request.scene;
    options.transmitters = transmitters;
    options.transmitter_count = count;
    if (after && strcmp(layer, "best") != 0 && rw_map_find_layer(after, layer, &index) == RW_OK &&
        rw_map_get_layer(after, index, &values) == RW_OK && values.max > values.min) {
        options.value_min = values.min;
        options.value_max = values.max;
    }
    snprintf(picture->path, sizeof picture->path, "%.3800s/%.200s.png", folder, layer);
    const char *when = strrchr(folder, '/');
    if (count) /* before or after; weights have no transmitters */
        snprintf(picture->title, sizeof picture->title, "%.80s, %.20s", rw_layer_title(layer),
                 when ? when + 1 : folder);
    else
        snprintf(picture->title, sizeof picture->title, "%.80s", rw_layer_title(layer));
    rw_status status = rw_map_draw(map, &options, picture->path);
    planning->picture_count += status == RW_OK;
    return status;
}

/* All layers of one map into a folder. */
static int write_map(struct call *call, struct planning *planning, const rw_map *map, const char *name,
                     const rw_transmitter *transmitters, size_t count)
{
    const struct plan_settings *settings = call->settings;
    char folder[PLAN_PATH_SIZE], written[PLAN_PATH_SIZE];
    rw_map_info info = {.size = sizeof info};
    if (!map)
        return 0;
    snprintf(folder, sizeof folder, "%.3600s/%s", settings->out, name);
    (void)mkdir(folder, 0777); /* whether it is there shows when it is written to */
    rw_status status = rw_map_get_info(map, &info);
    for (size_t i = 0; i < info.layers && status == RW_OK; i++) {
        rw_map_layer layer = {.size = sizeof layer};
        status = rw_map_get_layer(map, i, &layer);
        if (status == RW_OK)
            status = rw_map_write_layer(map, i, folder, written, sizeof written);
        if (status == RW_OK && is_shown(planning, layer.name))
            status = draw_plan_layer(planning, map, layer.name, folder, transmitters, count);
    }
    return status == RW_OK ? 0 : report_status(call, status);
}

/* A map of each height or floor, in a folder of its own if there are several. */
typedef const rw_map *(*level_map)(const rw_plan *plan, size_t level);

static int write_level_maps(struct call *call, struct planning *planning, level_map map_of, const char *name,
                            const rw_transmitter *transmitters, size_t count)
{
    const struct plan_settings *settings = call->settings;
    char folder[PLAN_PATH_SIZE], level_name[120];
    size_t levels = rw_plan_level_count(planning->plan);
    if (levels == 1 || !planning->listed)
        return write_map(call, planning, map_of(planning->plan, 0), name, transmitters, count);
    snprintf(folder, sizeof folder, "%.3600s/%s", settings->out, name);
    if (map_of(planning->plan, 0))
        (void)mkdir(folder, 0777); /* whether it is there shows when it is written to */
    for (size_t i = 0; i < levels; i++) {
        snprintf(level_name, sizeof level_name, "%.40s/%s%g%s", name, planning->listed->folder, planning->levels[i],
                 planning->listed->unit);
        TRY(write_map(call, planning, map_of(planning->plan, i), level_name, transmitters, count));
    }
    return 0;
}

/* transmitters: of the plan; they become the existing ones, whose map is the last. */
static int write_each_map(struct call *call, struct planning *planning, rw_transmitter *transmitters, size_t count)
{
    size_t existing_count = 0;
    TRY(write_level_maps(call, planning, rw_plan_map_weights_at, "weights", NULL, 0));
    TRY(write_level_maps(call, planning, rw_plan_map_after_at, "after", transmitters, count));
    for (size_t i = 0; i < planning->request.options.transmitter_count; i++)
        if (planning->request.candidates[i].keep != RW_PLAN_FREE && existing_count < count)
            transmitters[existing_count++] = planning->request.options.transmitters[i];
    return write_level_maps(call, planning, rw_plan_map_before_at, "before", transmitters, existing_count);
}

static int write_maps(struct call *call, struct planning *planning)
{
    size_t count;
    rw_transmitter *transmitters = transmitters_of(planning, &count);
    if (!transmitters)
        return report_out_of_memory("the transmitters");
    int exit_status = write_each_map(call, planning, transmitters, count);
    free(transmitters);
    return exit_status;
}

int write_plan_files(struct call *call, struct planning *planning)
{
    const struct plan_settings *settings = call->settings;
    struct text_file file;
    snprintf(planning->sites, sizeof planning->sites, "%.4000s/sites.csv", settings->out);
    snprintf(planning->record, sizeof planning->record, "%.4000s/plan.json", settings->out);
    rw_status status = rw_plan_write_sites(planning->plan, planning->sites);
    if (status != RW_OK)
        return report_status(call, status);
    TRY(write_maps(call, planning));
    FILE *out = begin_text_file(&file);
    if (out)
        write_plan_json(out, call, planning);
    return end_text_file(call, &file, planning->record, 0);
}
