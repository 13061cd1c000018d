#include "network/network.h"

#include "base/memory.h"
#include "base/options.h"
#include "device/device.h"
#include "models/engine/calls/calls.h"
#include "models/engine/received/received.h"
#include "output/maps/map.h"
#include "models/engine/prediction/prediction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is of all transmitters, or of one file, has no parts. */
static rw_status check_network_options(rw_context *context, const rw_predict_options *options)
{
    const char *wrong = rw_plane_is_set(options->plane_m) ? "a plane in space" : NULL;
    if (options->database)
        wrong = "a database";
    if (options->reuse)
        wrong = "reuse";
    if (wrong)
        return rw_fail(context, RW_BAD_CALL, "%s does not go with a network, which is computed in parts", wrong);
    if (!options->transmitter_count)
        return rw_fail(context, RW_BAD_CALL, "there is no site");
    return RW_OK;
}

/* Cells of the region: as of a prediction, or of the area alone where the scene comes block by block. */
static rw_status find_region_cells(rw_network_call *call)
{
    rw_network_run_state *run = &call->run;
    const rw_predict_options *options = &call->prediction;
    const double *area = options->area_m;
    run->cells = (rw_map_info){.size = sizeof run->cells, .res_m = options->res_m, .rx_height_m = options->rx_height_m};
    if (call->scene && !run->options.load)
        return rw_grid_resolve(call->scene, options, &run->cells);
    if (isnan(area[0]) || !(area[2] > area[0] && area[3] > area[1]))
        return rw_fail(run->context, RW_BAD_CALL,
                       "a scene that is read block by block needs the area: west, south, east, north");
    double columns = ceil((area[2] - area[0]) / options->res_m - 1e-9);
    double rows = ceil((area[3] - area[1]) / options->res_m - 1e-9);
    if (!(columns * rows < 1e12) || columns > UINT32_MAX || rows > UINT32_MAX)
        return rw_fail(run->context, RW_TOO_LARGE, "%.0f x %.0f cells are too many; give a larger res", columns, rows);
    run->cells.x0_m = area[0];
    run->cells.y0_m = area[1];
    run->cells.columns = (size_t)fmax(columns, 1);
    run->cells.rows = (size_t)fmax(rows, 1);
    return RW_OK;
}

/* Antennas of all sites; neighbours in the table with the same share it. */
static rw_status load_antennas(rw_network_call *call)
{
    const rw_predict_options *options = &call->prediction;
    RW_TRY(rw_array_create(call->run.context, options->transmitter_count, sizeof *call->antennas, "antennas",
                           &call->antennas));
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const char *name = options->transmitters[i].antenna;
        if (i && strcmp(name, options->transmitters[i - 1].antenna) == 0)
            call->antennas[i] = call->antennas[i - 1];
        else
            RW_TRY(rw_antenna_create(call->run.context, name, &call->antennas[i]));
    }
    return RW_OK;
}

static rw_status find_ranges(rw_network_call *call)
{
    const rw_predict_options *options = &call->prediction;
    rw_antenna *receiver = NULL;
    RW_TRY(load_antennas(call));
    RW_TRY(
        rw_array_create(call->run.context, options->transmitter_count, sizeof(double), "ranges", &call->run.ranges_m));
    if (options->rx_antenna)
        RW_TRY(rw_antenna_create(call->run.context, options->rx_antenna, &receiver));
    double received_dbi = receiver ? receiver->peak_gain_dbi : 0;
    rw_antenna_destroy(receiver);
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *site = &options->transmitters[i];
        if (!(site->radius_m >= 0 && site->radius_m <= RW_RADIUS_MAX_M))
            return rw_fail(call->run.context, RW_BAD_CALL, "site %s: a radius of %g m is not between 0 and 10000 km",
                           site->name, site->radius_m);
        call->run.ranges_m[i] =
            rw_transmitter_range_m(call->model, options, site, call->antennas[i]->peak_gain_dbi + received_dbi);
    }
    return RW_OK;
}

/* The same antenna twice is a mistake of the table: each would interfere with the other. */
static int is_same_antenna(const rw_transmitter *a, const rw_transmitter *b)
{
    return a->x_m == b->x_m && a->y_m == b->y_m && a->height_m == b->height_m && a->azimuth_deg == b->azimuth_deg &&
           a->freq_hz == b->freq_hz && strcmp(a->channel, b->channel) == 0;
}

static int compare_site_positions(const void *a_in, const void *b_in)
{
    const rw_transmitter *a = *(const rw_transmitter *const *)a_in, *b = *(const rw_transmitter *const *)b_in;
    if (a->x_m != b->x_m)
        return a->x_m < b->x_m ? -1 : 1;
    if (a->y_m != b->y_m)
        return a->y_m < b->y_m ? -1 : 1;
    return a < b ? -1 : a > b;
}

static rw_status check_twice(const rw_network_call *call)
{
    size_t count = call->prediction.transmitter_count;
    const rw_transmitter **sorted;
    rw_status status = RW_OK;
    RW_TRY(rw_array_create(call->run.context, count, sizeof *sorted, "sites", &sorted));
    for (size_t i = 0; i < count; i++)
        sorted[i] = &call->prediction.transmitters[i];
    qsort(sorted, count, sizeof *sorted, compare_site_positions);
    for (size_t i = 0; i < count && status == RW_OK; i++)
        for (size_t k = i + 1; k < count && sorted[k]->x_m == sorted[i]->x_m && sorted[k]->y_m == sorted[i]->y_m; k++)
            if (is_same_antenna(sorted[i], sorted[k])) {
                status = rw_fail(call->run.context, RW_BAD_CALL,
                                 "sites %.60s and %.60s are the same antenna twice: place, height, azimuth, frequency "
                                 "and channel are equal",
                                 sorted[i]->name, sorted[k]->name);
                break;
            }
    free(sorted);
    return status;
}

/* A site that no prediction can be made from is told before anything is computed or written. Where the scene comes
 * block by block, and where bad sites are left out, each is checked when its turn comes. */
static rw_status check_sites(const rw_network_call *call)
{
    rw_predict_options one = call->prediction;
    rw_status status = RW_OK;
    if (!call->scene || call->run.options.load || call->run.options.skip_bad)
        return RW_OK;
    int held = rw_warnings_hold(1);
    one.transmitter_count = 1;
    for (size_t i = 0; i < call->prediction.transmitter_count && status == RW_OK; i++) {
        one.transmitters = &call->prediction.transmitters[i];
        status = rw_check_transmitter(call->scene, &one, 0);
    }
    rw_warnings_hold(held);
    return status;
}

static rw_status find_site_channels(rw_network_call *call)
{
    rw_prediction prediction = {.options = &call->prediction};
    RW_TRY(rw_array_create(call->run.context, call->prediction.transmitter_count, sizeof(uint32_t), "channels",
                           &call->run.channels));
    call->run.head.channel_count = rw_channels_find(&prediction, call->run.channels);
    RW_TRY(rw_array_create(call->run.context, call->prediction.transmitter_count, sizeof(double), "loads",
                           &call->run.loads));
    for (size_t i = 0; i < call->prediction.transmitter_count; i++) {
        double load = call->prediction.transmitters[i].load;
        if (!(load <= 1))
            return rw_fail(call->run.context, RW_BAD_CALL, "site %s: a load of %g is not between 0 and 1",
                           call->prediction.transmitters[i].name, load);
        call->run.head.own_loads |= load != 0;
        call->run.loads[i] = load == 0 ? call->prediction.load : load < 0 ? 0 : load;
    }
    RW_TRY(rw_carriers_create(call->run.context, &call->prediction, &call->run.carriers));
    call->run.head.own_carriers = call->run.carriers != NULL;
    return RW_OK;
}

size_t rw_sites_alike(const rw_network_call *call, size_t first, size_t end)
{
    const rw_transmitter *sites = call->prediction.transmitters;
    size_t next = first + 1;
    while (next < end && sites[next].x_m == sites[first].x_m && sites[next].y_m == sites[first].y_m &&
           call->run.ranges_m[next] == call->run.ranges_m[first])
        next++;
    return next - first;
}

/* Sites of one place, by where it lies along a curve that fills the plane. */
typedef struct colocated_sites {
    uint32_t step, first, count;
} colocated_sites;

/* Interleaves the digits of two numbers of 16 bits (Morton's order): places near each other are near along the curve.
 */
static uint32_t curve_step(double x, double y)
{
    uint32_t column = (uint32_t)(65535 * fmin(fmax(x, 0), 1)), row = (uint32_t)(65535 * fmin(fmax(y, 0), 1)), step = 0;
    for (int bit = 0; bit < 16; bit++)
        step |= (column >> bit & 1) << 2 * bit | (row >> bit & 1) << (2 * bit + 1);
    return step;
}

static int compare_steps(const void *a_in, const void *b_in)
{
    const colocated_sites *a = a_in, *b = b_in;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* The places of the table, in the order of the curve over the region. */
static rw_status sort_site_positions(const rw_network_call *call, colocated_sites **positions_out,
                                     size_t *position_count)
{
    const rw_map_info *cells = &call->run.cells;
    size_t count = call->prediction.transmitter_count, found = 0;
    double side_m = fmax((double)cells->columns, (double)cells->rows) * cells->res_m;
    colocated_sites *positions;
    RW_TRY(rw_array_create(call->run.context, count, sizeof *positions, "sites", &positions));
    for (size_t first = 0, alike; first < count; first += alike) {
        const rw_transmitter *site = &call->prediction.transmitters[first];
        alike = rw_sites_alike(call, first, count);
        uint32_t step = curve_step((site->x_m - cells->x0_m) / side_m, (site->y_m - cells->y0_m) / side_m);
        positions[found++] = (colocated_sites){step, (uint32_t)first, (uint32_t)alike};
    }
    qsort(positions, found, sizeof *positions, compare_steps);
    *positions_out = positions;
    *position_count = found;
    return RW_OK;
}

/* Groups of about so many sites, which do not cut a place. A group is of neighbours, so that its sums are of few cells
 * of the block, and what is found out about a street is of use to the next site. */
static rw_status build_site_groups(rw_network_call *call)
{
    rw_network_run_state *run = &call->run;
    size_t count = call->prediction.transmitter_count, groups = 0, in_group = 0, at = 0, position_count;
    colocated_sites *positions;
    RW_TRY(rw_array_create(run->context, count + 1, sizeof *run->groups, "groups", &run->groups));
    RW_TRY(rw_array_create(run->context, count, sizeof *run->order, "groups", &run->order));
    RW_TRY(sort_site_positions(call, &positions, &position_count));
    for (size_t i = 0; i < position_count; i++) {
        if (in_group == 0)
            run->groups[groups++] = (uint32_t)at;
        for (uint32_t k = 0; k < positions[i].count; k++)
            run->order[at++] = positions[i].first + k;
        in_group += positions[i].count;
        if (in_group >= run->options.group)
            in_group = 0;
    }
    free(positions);
    run->groups[groups] = (uint32_t)count;
    run->head.group_count = groups;
    return RW_OK;
}

static rw_status find_chunks_with_sites(rw_network_call *call)
{
    rw_network_run_state *run = &call->run;
    RW_TRY(rw_array_create(run->context, rw_chunk_count(run), 1, "parts", &run->has_sites));
    for (size_t i = 0; i < rw_chunk_count(run); i++) {
        rw_network_chunk chunk = rw_chunk_at(run, i);
        for (size_t k = run->groups[chunk.group]; k < run->groups[chunk.group + 1] && !run->has_sites[i]; k++)
            run->has_sites[i] = rw_site_window(run, chunk.window, &call->prediction.transmitters[run->order[k]],
                                               run->ranges_m[run->order[k]])
                                    .columns > 0;
    }
    return RW_OK;
}

static rw_status copy_site_positions(rw_network_call *call)
{
    rw_network_run_state *run = &call->run;
    size_t count = call->prediction.transmitter_count, length = 1, at = 0;
    for (size_t i = 0; i < count; i++)
        length += strlen(call->prediction.transmitters[i].name) + 1;
    RW_TRY(rw_array_create(run->context, count, sizeof *run->positions_m, "sites", &run->positions_m));
    RW_TRY(rw_array_create(run->context, length, 1, "sites", &run->names));
    for (size_t i = 0; i < count; i++) {
        const rw_transmitter *site = &call->prediction.transmitters[i];
        memcpy(run->positions_m[i], (double[3]){site->x_m, site->y_m, site->height_m}, sizeof run->positions_m[i]);
        at += (size_t)snprintf(run->names + at, length - at, "%s%s", i ? "\n" : "", site->name);
    }
    const char *crs = call->scene ? rw_scene_crs(call->scene) : run->options.crs;
    return rw_string_replace(run->context, crs ? crs : "", &run->crs);
}

/* What the run computes: of a scene that comes block by block, its files. */
static rw_status find_identity(rw_network_call *call)
{
    rw_network_run_state *run = &call->run;
    const rw_network_options *options = &run->options;
    const double numbers[] = {options->level_dbm, options->load ? options->margin_m : 0};
    rw_sha256 hash;
    rw_sha256_init(&hash);
    rw_sha256_add(&hash, numbers, sizeof numbers);
    rw_sha256_add_string(&hash, options->load ? options->scene_name : NULL);
    rw_inputs_open(&call->inputs);
    rw_status status = call->scene ? rw_inputs_join(run->context, &call->scene->inputs) : RW_OK;
    if (status == RW_OK)
        status = rw_run_identity_add(run->context, call->scene, call->model, &call->prediction, &hash);
    rw_inputs_close(&call->inputs);
    rw_sha256_end(&hash, run->head.identity);
    return status;
}

static rw_status fill_head(rw_network_call *call)
{
    rw_network_run_state *run = &call->run;
    rw_run_head *head = &run->head;
    head->x0_m = run->cells.x0_m;
    head->y0_m = run->cells.y0_m;
    head->res_m = run->cells.res_m;
    head->rx_height_m = run->cells.rx_height_m;
    head->columns = run->cells.columns;
    head->rows = run->cells.rows;
    head->block = run->options.block;
    head->site_count = call->prediction.transmitter_count;
    snprintf(head->backend, sizeof head->backend, "%s", rw_context_backend(run->context));
    snprintf(head->isa, sizeof head->isa, "%s", rw_cpu_isa());
    snprintf(head->prior, sizeof head->prior, "%s", call->prediction.prior ? call->prediction.prior : "");
    snprintf(head->model, sizeof head->model, "%s", call->model->name);
    return rw_network_has_folder(&run->options) ? find_identity(call) : RW_OK;
}

rw_status rw_network_open(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                          const rw_network_options *options, rw_network_call *call)
{
    memset(call, 0, sizeof *call); /* padding of the head too, which is compared byte by byte */
    call->run.context = context;
    call->scene = scene;
    RW_TRY(rw_network_options_resolve(context, options, &call->run.options));
    RW_TRY(rw_predict_options_resolve(context, prediction, &call->prediction, &call->transmitter_buffer));
    if (scene)
        RW_TRY(rw_predict_options_resolve_cells(scene, prediction, &call->prediction));
    RW_TRY(rw_model_find(context, call->prediction.model, &call->model));
    RW_TRY(check_network_options(context, &call->prediction));
    if (!scene && !call->run.options.load)
        return rw_fail(context, RW_BAD_CALL, "there is no scene");
    RW_TRY(find_region_cells(call));
    RW_TRY(find_ranges(call));
    RW_TRY(check_twice(call));
    RW_TRY(check_sites(call));
    RW_TRY(find_site_channels(call));
    RW_TRY(rw_network_plan_of(context, &call->prediction, &call->run.head.plan));
    RW_TRY(build_site_groups(call));
    RW_TRY(fill_head(call));
    RW_TRY(find_chunks_with_sites(call));
    return copy_site_positions(call);
}

void rw_network_close(rw_network_call *call)
{
    for (size_t i = 0; call->antennas && i < call->prediction.transmitter_count; i++)
        if (i == 0 || call->antennas[i] != call->antennas[i - 1])
            rw_antenna_destroy(call->antennas[i]);
    free(call->antennas);
    free(call->transmitter_buffer);
    rw_inputs_free(&call->inputs);
    rw_network_run_free(&call->run);
}

rw_status rw_network_describe(const rw_network_call *call, rw_network_report *report)
{
    const rw_network_run_state *run = &call->run;
    const rw_window all = {0, 0, run->cells.columns, run->cells.rows};
    double each = 0, side = (double)run->head.block;
    for (size_t i = 0; i < RW_SUMS_ARRAYS; i++)
        each += (double)(rw_sums_arrays[i].element_bytes * (rw_sums_arrays[i].of_channels ? rw_sum_count(run) : 1));
    report->columns = run->cells.columns;
    report->rows = run->cells.rows;
    report->blocks = rw_block_count(run);
    report->chunks = rw_chunk_count(run);
    report->done = rw_network_has_folder(&run->options) ? rw_chunks_done(run) : 0;
    report->block = (size_t)run->head.block;
    report->x0_m = run->cells.x0_m;
    report->y0_m = run->cells.y0_m;
    report->res_m = run->cells.res_m;
    report->sites = call->prediction.transmitter_count;
    report->skipped = call->skipped;
    report->bytes = each * fmin(side, (double)run->cells.columns) * fmin(side, (double)run->cells.rows);
    report->reaching = 0;
    report->site_cells = 0;
    for (size_t i = 0; i < report->sites; i++) {
        rw_window window = rw_site_window(run, all, &call->prediction.transmitters[i], run->ranges_m[i]);
        report->reaching += window.columns > 0;
        report->site_cells += (double)window.columns * (double)window.rows;
    }
    return RW_OK;
}
