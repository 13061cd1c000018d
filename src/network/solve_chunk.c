#include "network/network.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "discretise/summary.h"
#include "models/engine/run/session.h"
#include "ext/gdal.h"
#include "output/maps/raster_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rw_status rw_chunk_work_create(rw_network_call *call, rw_chunk_work *work)
{
    *work = (rw_chunk_work){.call = call, .scene = call->scene, .loaded_block = SIZE_MAX};
    return rw_array_create(call->run.context, call->prediction.transmitter_count, 1, "sites", &work->skipped);
}

void rw_chunk_work_destroy(rw_chunk_work *work)
{
    rw_scene_destroy(work->loaded);
    rw_sums_destroy(&work->sums);
    free(work->power);
    free(work->distinct);
    free(work->distinct_of);
    free(work->skipped);
}

/* The box of a block and of every site that reaches it, whichever its group: what is computed does not depend on the
 * groups. */
static void find_block_box(const rw_network_call *call, rw_window block, double box_m[4])
{
    const rw_network_run_state *run = &call->run;
    rw_map_info cells = rw_window_cells(&run->cells, block);
    double margin_m = run->options.margin_m;
    box_m[0] = cells.x0_m;
    box_m[1] = cells.y0_m;
    box_m[2] = cells.x0_m + (double)cells.columns * cells.res_m;
    box_m[3] = cells.y0_m + (double)cells.rows * cells.res_m;
    for (size_t i = 0; i < call->prediction.transmitter_count; i++) {
        const rw_transmitter *site = &call->prediction.transmitters[i];
        if (!rw_site_window(run, block, site, run->ranges_m[i]).columns)
            continue;
        box_m[0] = fmin(box_m[0], site->x_m);
        box_m[1] = fmin(box_m[1], site->y_m);
        box_m[2] = fmax(box_m[2], site->x_m);
        box_m[3] = fmax(box_m[3], site->y_m);
    }
    box_m[0] -= margin_m;
    box_m[1] -= margin_m;
    box_m[2] += margin_m;
    box_m[3] += margin_m;
}

rw_status rw_region_roof(const rw_network_call *call, double *mean_m)
{
    const rw_network_run_state *run = &call->run;
    rw_built built = {0};
    for (size_t block = 0; block < rw_block_count(run); block++) {
        rw_map_info cells = rw_window_cells(&run->cells, rw_block_window(run, block));
        const double box_m[4] = {cells.x0_m, cells.y0_m, cells.x0_m + (double)cells.columns * cells.res_m,
                                 cells.y0_m + (double)cells.rows * cells.res_m};
        rw_scene *scene;
        RW_TRY(run->options.load(run->options.user, box_m, &scene));
        if (scene)
            rw_add_built(scene, box_m, &built);
        rw_scene_destroy(scene);
        RW_TRY(rw_progress(run->context, (double)(block + 1) / (double)rw_block_count(run), "reading the region"));
    }
    *mean_m = built.area_m2 > 0 ? built.volume_m3 / built.area_m2 : 0;
    return RW_OK;
}

static rw_status load_block(rw_chunk_work *work, rw_network_chunk chunk)
{
    const rw_network_options *options = &work->call->run.options;
    double box_m[4];
    if (!options->load || work->loaded_block == chunk.block)
        return RW_OK;
    rw_scene_destroy(work->loaded);
    work->loaded = NULL;
    work->scene = NULL;
    double start_s = rw_seconds();
    find_block_box(work->call, chunk.window, box_m);
    RW_TRY(options->load(options->user, box_m, &work->loaded));
    work->load_s += rw_seconds() - start_s;
    if (work->loaded)
        work->loaded->region_roof_m = work->call->run.head.region_roof_m;
    work->loaded_block = chunk.block;
    work->scene = work->loaded;
    return RW_OK;
}

static rw_status prepare_chunk_sums(rw_chunk_work *work, rw_network_chunk chunk)
{
    rw_context *context = work->call->run.context;
    size_t channels = rw_sum_count(&work->call->run);
    if (work->sums.context && work->sums.view.columns == chunk.cells.columns &&
        work->sums.view.cells == chunk.cells.columns * chunk.cells.rows)
        return rw_sums_clear(&work->sums);
    rw_sums_destroy(&work->sums);
    return rw_sums_create(context, context->backend, chunk.cells.columns, chunk.cells.rows, channels, &work->sums);
}

/* Whether power follows from path loss and the gain along the straight line, so that the sectors of a position share
 * one prediction. */
static int is_loss_shared(const rw_network_call *call)
{
    return !call->model->antenna_in_loss && !call->model->antenna_in_power && !call->prediction.indoor &&
           !call->prediction.reference;
}

/* Sites of one place that need a prediction each: those that differ in height or frequency, or all. */
static rw_status list_distinct(rw_chunk_work *work, size_t first, size_t count, size_t *found)
{
    const rw_transmitter *sites = work->call->prediction.transmitters + first;
    rw_context *context = work->call->run.context;
    int shared = is_loss_shared(work->call);
    if (count > work->distinct_capacity) {
        work->distinct_capacity = 0;
        free(work->distinct);
        free(work->distinct_of);
        work->distinct = NULL;
        work->distinct_of = NULL;
        RW_TRY(rw_array_create(context, count, sizeof *work->distinct, "sites", &work->distinct));
        RW_TRY(rw_array_create(context, count, sizeof *work->distinct_of, "sites", &work->distinct_of));
        work->distinct_capacity = count;
    }
    *found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t like = 0;
        while (like < *found && !(shared && work->distinct[like].height_m == sites[i].height_m &&
                                  work->distinct[like].freq_hz == sites[i].freq_hz))
            like++;
        if (like == *found)
            work->distinct[(*found)++] = sites[i];
        work->distinct_of[i] = like;
    }
    return RW_OK;
}

/* A name as a file: letters, digits and few others. */
static void file_name(const rw_network_run_state *run, const rw_transmitter *site, size_t number, size_t block,
                      char path[RW_NETWORK_PATH_MAX])
{
    char name[80];
    size_t length = 0;
    for (const char *at = site->name; *at && length + 1 < sizeof name; at++)
        name[length++] = (char)(isalnum((unsigned char)*at) || *at == '-' || *at == '_' ? *at : '_');
    name[length] = 0;
    char suffix[32] = "";
    if (rw_block_count(run) > 1)
        snprintf(suffix, sizeof suffix, "-block%zu", block + 1);
    snprintf(path, RW_NETWORK_PATH_MAX, "%.3800s/sites/%zu-%s%s.%s", run->options.folder, number + 1, name, suffix,
             rw_gdal_is_in() ? "tif" : "bin");
}

/* The power of one site on its window, as a raster of its own. */
static rw_status write_site(const rw_chunk_work *work, const rw_map_info *window, size_t site, size_t block)
{
    const rw_network_run_state *run = &work->call->run;
    const rw_transmitter *about = &work->call->prediction.transmitters[site];
    rw_map_info info = *window;
    rw_map *map;
    float *values;
    char path[RW_NETWORK_PATH_MAX];
    info.model = run->head.model;
    info.backend = rw_context_backend(run->context);
    info.prior = "";
    RW_TRY(rw_map_create(run->context, &info, run->crs, &map));
    rw_status status = rw_map_set_transmitters(map, about, 1);
    if (status == RW_OK)
        status = rw_map_add_layer(map, "power", "dBm", 1, &values);
    if (status == RW_OK) {
        memcpy(values, work->power, info.columns * info.rows * sizeof *values);
        file_name(run, about, site, block, path);
        status = rw_map_write_cog(map, &map->layers[0], path, run->options.centi_db);
    }
    rw_map_destroy(map);
    return status;
}

static rw_status allocate_site_power(rw_chunk_work *work, size_t cells)
{
    if (!work->call->run.options.per_site || cells <= work->power_capacity)
        return RW_OK;
    free(work->power);
    work->power = NULL;
    work->power_capacity = 0;
    RW_TRY(rw_array_create(work->call->run.context, cells, sizeof *work->power, "a site's power", &work->power));
    work->power_capacity = cells;
    return RW_OK;
}

/* The sites of a place, at hand. */
typedef struct site_position {
    rw_network_chunk chunk;
    size_t first, count;
    rw_window window; /* in the region */
    rw_grid grid;
} site_position;

/* Adds the sites of a place from a prediction of those that are distinct. */
static rw_status add_sites(rw_chunk_work *work, const site_position *at, const rw_session *session, const rw_map *map)
{
    const rw_network_call *call = work->call;
    const rw_receivers_view *view = &session->prediction->receivers.view;
    size_t cells = at->window.columns * at->window.rows;
    int shared = is_loss_shared(call);
    RW_TRY(allocate_site_power(work, cells));
    for (size_t i = 0; i < at->count; i++) {
        size_t site = at->first + i, source = work->distinct_of[i];
        const rw_transmitter *about = &call->prediction.transmitters[site];
        rw_vec2 centre = session->prediction->scene->prepared->grid.centre;
        rw_vec3 from = session->prediction->sources[source];
        struct rw_add_site_args args = {
            .columns = at->window.columns,
            .first = (at->window.row - at->chunk.cells.row) * at->chunk.cells.columns + at->window.column -
                     at->chunk.cells.column,
            .values = map->layers[0].values + source * cells,
            .is_power = !shared,
            .to_first = rw_vec3_of(view->x0_m - (from.x - centre.x), view->y0_m - (from.y - centre.y), -from.z),
            .res_m = view->res_m,
            .flat_z_m = view->flat_z_m,
            .z_m = view->z_m,
            .pattern = rw_antenna_shape_of(call->antennas[site]),
            .mounting = rw_mounting_of(about->azimuth_deg, about->downtilt_deg, about->roll_deg),
            .power_dbm = about->power_dbm,
            .level_dbm = isnan(call->run.options.level_dbm) ? -INFINITY : (float)call->run.options.level_dbm,
            .site = (uint32_t)site,
            .channel = call->run.channels[site],
            .loaded_channel =
                call->run.head.own_loads ? (size_t)call->run.head.channel_count + call->run.channels[site] : 0,
            .load = call->run.loads[site],
            .power = call->run.options.per_site ? work->power : NULL};
        double start_s = rw_seconds();
        RW_TRY(rw_sums_add(&work->sums, args, cells));
        double added_s = rw_seconds();
        work->reduce_s += added_s - start_s;
        if (args.power)
            RW_TRY(write_site(work, &at->grid.cells, site, at->chunk.block));
        work->write_s += rw_seconds() - added_s;
    }
    return RW_OK;
}

/* Values beyond the range, of models that fill the whole window. */
static void cut_circle(const site_position *at, const rw_transmitter *site, double range_m, rw_map *map)
{
    size_t cells = at->window.columns * at->window.rows;
    for (size_t i = 0; i < cells; i++)
        if (!rw_cell_is_within(&at->grid.cells, i % at->window.columns, i / at->window.columns, site->x_m, site->y_m,
                               range_m))
            for (size_t band = 0; band < map->layers[0].bands; band++)
                map->layers[0].values[band * cells + i] = NAN;
}

/* On failure there is no session. */
static rw_status predict_distinct(rw_chunk_work *work, const site_position *at, size_t distinct, rw_session **session,
                                  rw_map **map)
{
    const rw_network_call *call = work->call;
    rw_predict_options options = call->prediction;
    options.layers = is_loss_shared(call) ? "path_loss" : "power";
    options.transmitters = work->distinct;
    options.transmitter_count = distinct;
    double start_s = rw_seconds();
    RW_TRY(rw_session_open_call(work->scene, &options, &(rw_target){.use = RW_USE_MAP, .grid = &at->grid}, session));
    double open_s = rw_seconds();
    rw_status status = rw_session_predict(*session, map);
    work->prepare_s += open_s - start_s;
    work->solve_s += rw_seconds() - open_s;
    if (status != RW_OK)
        rw_session_close(*session, 0);
    return status;
}

/* Sites without a range share their cells, and an open model: what it finds of streets for one is of use to the next.
 * If that has become more than the budget allows, the next begins anew. */
static rw_status solve_sites(rw_chunk_work *work, const site_position *at, size_t distinct)
{
    const rw_network_call *call = work->call;
    rw_session *session;
    rw_map *map;
    int is_session_shared = isinf(call->run.ranges_m[at->first]) != 0;
    rw_status status = predict_distinct(work, at, distinct, &session, &map);
    if (status == RW_TOO_LARGE && is_session_shared)
        status = predict_distinct(work, at, distinct, &session, &map);
    RW_TRY(status);
    cut_circle(at, &call->prediction.transmitters[at->first], call->run.ranges_m[at->first], map);
    status = add_sites(work, at, session, map);
    rw_map_destroy(map);
    rw_session_close(session, is_session_shared && status == RW_OK);
    return status;
}

/* Whether a place that failed may be left out: told once for each of its sites. */
static int skip_failed_sites(rw_chunk_work *work, rw_status status, size_t first, size_t count)
{
    rw_network_call *call = work->call;
    if (!call->run.options.skip_bad || (status != RW_BAD_CALL && status != RW_BAD_INPUT))
        return 0;
    char message[RW_MESSAGE_MAX / 2];
    snprintf(message, sizeof message, "%s", rw_last_error(call->run.context));
    for (size_t i = first; i < first + count; i++)
        if (!work->skipped[i]) {
            work->skipped[i] = 1;
            call->skipped++;
            rw_warn(call->run.context, "left out: site %.60s: %.300s", call->prediction.transmitters[i].name, message);
        }
    return 1;
}

/* A window whose cells are all inside buildings, or beyond the circle, has no receivers. */
static int has_no_receivers(const rw_context *context)
{
    return strstr(rw_last_error(context), "the area has no receivers") != NULL;
}

/* Cells of the block that the sites of a group may reach. */
static rw_window find_chunk_cells(const rw_network_call *call, rw_network_chunk chunk)
{
    const rw_network_run_state *run = &call->run;
    rw_window all = {0};
    for (size_t i = run->groups[chunk.group]; i < run->groups[chunk.group + 1]; i++) {
        size_t site = run->order[i];
        rw_window reached =
            rw_site_window(run, chunk.window, &call->prediction.transmitters[site], run->ranges_m[site]);
        if (reached.columns)
            all = all.columns ? rw_window_join(all, reached) : reached;
    }
    return all;
}

static rw_status solve_site_position(rw_chunk_work *work, rw_network_chunk chunk, size_t first, size_t count)
{
    const rw_network_call *call = work->call;
    const rw_transmitter *site = &call->prediction.transmitters[first];
    double range_m = call->run.ranges_m[first];
    site_position at = {.chunk = chunk, .first = first, .count = count};
    size_t distinct;
    at.window = rw_site_window(&call->run, chunk.window, site, range_m);
    if (!at.window.columns)
        return RW_OK;
    at.grid = (rw_grid){.cells = rw_window_cells(&call->run.cells, at.window),
                        .x_m = isinf(range_m) ? 0 : site->x_m,
                        .y_m = isinf(range_m) ? 0 : site->y_m,
                        .range_m = range_m};
    RW_TRY(list_distinct(work, first, count, &distinct));
    rw_status status = solve_sites(work, &at, distinct);
    if (status == RW_BAD_CALL && has_no_receivers(call->run.context))
        return RW_OK;
    return status == RW_OK || skip_failed_sites(work, status, first, count) ? RW_OK : status;
}

/* A file that is read again for each chunk, as one of an antenna, must still be what it was when the run began. */
static rw_status check_inputs_unchanged(const rw_network_call *call, const rw_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const unsigned char *before = rw_inputs_find(&call->inputs, inputs->items[i].path);
        if (before && memcmp(before, inputs->items[i].digest, RW_SHA256_BYTES) != 0)
            return rw_fail(call->run.context, RW_BAD_INPUT,
                           "%s was changed while the network was computed; run it again", inputs->items[i].path);
    }
    return RW_OK;
}

static rw_status solve_chunk(rw_chunk_work *work, size_t number)
{
    const rw_network_run_state *run = &work->call->run;
    rw_network_chunk chunk = rw_chunk_at(run, number);
    size_t begin = run->groups[chunk.group], end = run->groups[chunk.group + 1];
    chunk.cells = work->cells = find_chunk_cells(work->call, chunk);
    RW_TRY(prepare_chunk_sums(work, chunk));
    RW_TRY(load_block(work, chunk));
    for (size_t at = begin, alike; at < end && work->scene; at += alike) {
        size_t first = run->order[at];
        alike = rw_sites_alike(work->call, first, work->call->prediction.transmitter_count);
        RW_TRY(solve_site_position(work, chunk, first, alike));
        RW_TRY(rw_progress_within(run->context, (double)(at - begin) / (double)(end - begin), "computing"));
    }
    return rw_device_wait(run->context, work->sums.backend);
}

rw_status rw_chunk_solve(rw_chunk_work *work, size_t number)
{
    rw_inputs inputs = {0};
    rw_inputs_open(&inputs);
    rw_status status = solve_chunk(work, number);
    rw_inputs_close(&inputs);
    if (status == RW_OK)
        status = check_inputs_unchanged(work->call, &inputs);
    rw_inputs_free(&inputs);
    return status;
}
