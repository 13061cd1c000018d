#include "mechanisms/indoor/indoor.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/options.h"
#include "discretise/walls/walls.h"
#include "field/paths/building_entry.k.h"
#include "field/surfaces/surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDOOR_SLAB, INDOOR_TRADITIONAL, INDOOR_EFFICIENT };

static const char *const methods[] = {"slab", "p2109", "p2109-efficient"};

static rw_vec3 find_inside_point(const rw_prediction *prediction, uint32_t cell)
{
    rw_vec3 point = rw_receiver_point(&prediction->receivers.view, cell);
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    return rw_vec3_of(point.x + centre.x, point.y + centre.y, point.z);
}

static void find_exits(void *user, size_t begin, size_t end)
{
    rw_indoor *indoor = user;
    for (size_t i = begin; i < end; i++) {
        rw_vec3 from = find_inside_point(indoor->prediction, indoor->cells[i]);
        for (int k = 0; k < RW_INDOOR_DIRECTIONS; k++) {
            double angle = 2 * RW_PI * k / RW_INDOOR_DIRECTIONS;
            indoor->exits[i * RW_INDOOR_DIRECTIONS + (size_t)k] =
                rw_facade_find(indoor->facades, from, rw_vec2_of(cos(angle), sin(angle)));
        }
    }
}

static rw_point locate_receiver(const rw_indoor *indoor, size_t number)
{
    const rw_scene *scene = indoor->prediction->scene;
    rw_vec2 at = rw_facade_position(indoor->facades, number);
    return (rw_point){.size = sizeof(rw_point),
                      .x_m = at.x + scene->origin.x,
                      .y_m = at.y + scene->origin.y,
                      .height_m = indoor->facades->height_m};
}

/* Lists the receivers of all exits, each once, and refers the exits to the list. */
static rw_status list_facade_receivers(rw_indoor *indoor)
{
    rw_context *context = indoor->prediction->scene->context;
    size_t exits = indoor->count * RW_INDOOR_DIRECTIONS, capacity = 0;
    uint32_t *numbers; /* in the list, from 1; 0: not in it */
    RW_TRY(rw_array_create(context, rw_facades_count(indoor->facades), sizeof *numbers, "facades", &numbers));
    rw_status status = RW_OK;
    for (size_t i = 0; i < exits && status == RW_OK; i++) {
        uint32_t *receiver = &indoor->exits[i].receiver, number = *receiver;
        if (number == RW_NO_FACADE)
            continue;
        if (!numbers[number]) {
            status = rw_array_reserve(context, &indoor->receivers, &capacity, indoor->receiver_count + 1,
                                      sizeof *indoor->receivers, "facades");
            if (status != RW_OK)
                break;
            indoor->receivers[indoor->receiver_count++] = locate_receiver(indoor, number);
            numbers[number] = (uint32_t)indoor->receiver_count;
        }
        *receiver = numbers[number] - 1;
    }
    free(numbers);
    return status;
}

static rw_status build_indoor_cells(rw_indoor *indoor)
{
    const rw_prediction *prediction = indoor->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_context *context = prediction->scene->context;
    size_t all = view->columns * view->rows, capacity = all - view->outdoor_count + 1;
    RW_TRY(rw_array_create(context, capacity, sizeof *indoor->cells, "cells inside buildings", &indoor->cells));
    for (size_t i = 0; i < all; i++)
        if (view->indoor[i] == 1)
            indoor->cells[indoor->count++] = (uint32_t)i;
    size_t exits = indoor->count * RW_INDOOR_DIRECTIONS + 1, surface_count = prediction->scene->surfaces.count + 1;
    RW_TRY(rw_array_create(context, exits, sizeof *indoor->exits, "facades", &indoor->exits));
    RW_TRY(rw_array_create(context, exits, sizeof *indoor->added_db, "facades", &indoor->added_db));
    RW_TRY(rw_array_create(context, surface_count * (RW_WALL_LOSS_SAMPLES + 1), sizeof *indoor->tables, "facades",
                           &indoor->tables));
    RW_TRY(rw_array_create(context, surface_count, sizeof *indoor->entry_db, "facades", &indoor->entry_db));
    if (!indoor->count)
        return RW_OK;
    RW_TRY(rw_facades_acquire(prediction->scene, prediction->options->rx_height_m, &indoor->facades));
    RW_TRY(rw_parallel(context, indoor->count, 64, find_exits, indoor));
    return list_facade_receivers(indoor);
}

rw_status rw_indoor_create(const rw_prediction *prediction, rw_indoor *indoor)
{
    *indoor = (rw_indoor){0};
    const char *requested = prediction->options->indoor;
    int layer = rw_list_contains(prediction->layers, "indoor");
    if (layer && !(requested && rw_list_contains(prediction->layers, "path_loss")))
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "layer indoor needs the option indoor, for example slab, and the layer path_loss");
    if (!requested || prediction->grid.cells.has_plane)
        return RW_OK;
    indoor->prediction = prediction;
    for (int i = 0; i < (int)(sizeof methods / sizeof *methods); i++)
        if (strcmp(requested, methods[i]) == 0)
            indoor->method = i;
    rw_status status = build_indoor_cells(indoor);
    if (status != RW_OK)
        rw_indoor_destroy(indoor);
    return status;
}

void rw_indoor_destroy(rw_indoor *indoor)
{
    free(indoor->cells);
    free(indoor->exits);
    free(indoor->receivers);
    free(indoor->loss_db);
    free(indoor->power_dbm);
    free(indoor->compositions);
    rw_facades_release(indoor->facades);
    free(indoor->added_db);
    free(indoor->tables);
    free(indoor->entry_db);
    *indoor = (rw_indoor){0};
}

/* Elevation of the straight line from the transmitter at a receiver along a wall. */
static double find_elevation_rad(const rw_indoor *indoor, size_t transmitter, uint32_t receiver)
{
    const rw_scene *scene = indoor->prediction->scene;
    const rw_point *point = &indoor->receivers[receiver];
    rw_vec2 to = {point->x_m - scene->origin.x, point->y_m - scene->origin.y};
    rw_vec3 at = indoor->prediction->sources[transmitter];
    return atan2(at.z - rw_scene_ground_m(scene, to) - point->height_m, hypot(at.x - to.x, at.y - to.y));
}

/* Windows in a facade: 3GPP TR 38.901, table 7.4.3-2, low-loss model, 30 % of standard glass by power; its loss of
 * table 7.4.3-1 and the 5 dB of equation (7.4-2), since waves come in at an angle, which the loss of the walls
 * includes. */
#define GLASS_FRACTION 0.3

static double find_facade_db(double wall_db, double freq_hz)
{
    double glass_db = 5 + 2 + 0.2 * freq_hz * 1e-9;
    return -10 * log10(GLASS_FRACTION * pow(10, -0.1 * glass_db) + (1 - GLASS_FRACTION) * pow(10, -0.1 * wall_db));
}

/* Losses of the facades at a frequency. */
static void find_entries(rw_indoor *indoor, double freq_hz)
{
    const rw_scene *scene = indoor->prediction->scene;
    size_t samples = RW_WALL_LOSS_SAMPLES + 1;
    rw_wall_losses_tabulate(scene, freq_hz, indoor->tables);
    rw_wall_losses_of_concrete(scene, freq_hz, indoor->tables + scene->surfaces.count * samples);
    for (size_t i = 0; i <= scene->surfaces.count; i++)
        indoor->entry_db[i] = (float)find_facade_db(rw_wall_losses_diffuse_db(indoor->tables + i * samples), freq_hz);
}

typedef struct entry_search {
    rw_indoor *indoor;
    size_t transmitter;
    double freq_hz;
} entry_search;

static void find_entry_losses(void *user, size_t begin, size_t end)
{
    const entry_search *of = user;
    rw_indoor *indoor = of->indoor;
    int by_slab = indoor->method == INDOOR_SLAB;
    rw_building_kind kind = indoor->method == INDOOR_EFFICIENT ? RW_BUILDING_EFFICIENT : RW_BUILDING_TRADITIONAL;
    for (size_t i = begin; i < end; i++) {
        const rw_facade_exit *exit = &indoor->exits[i];
        if (exit->receiver == RW_NO_FACADE)
            continue;
        double elevation = by_slab ? 0 : find_elevation_rad(indoor, of->transmitter, exit->receiver);
        indoor->added_db[i] = by_slab ? indoor->entry_db[exit->surface] + (float)RW_INDOOR_DB_PER_M * exit->depth_m
                                      : (float)rw_building_entry_loss_db(kind, of->freq_hz, elevation, 0.0);
    }
}

/* What the ways in cost one transmitter's waves. */
static rw_status find_added(rw_indoor *indoor, size_t transmitter)
{
    const rw_prediction *prediction = indoor->prediction;
    double freq_hz = rw_prediction_freq_hz(prediction, transmitter);
    int by_slab = indoor->method == INDOOR_SLAB;
    if (freq_hz == indoor->freq_hz && (by_slab || transmitter == indoor->transmitter))
        return RW_OK;
    if (by_slab)
        find_entries(indoor, freq_hz);
    entry_search of = {indoor, transmitter, freq_hz};
    indoor->freq_hz = 0; /* not known while the loop runs */
    RW_TRY(rw_parallel(prediction->scene->context, indoor->count * RW_INDOOR_DIRECTIONS, 1024, find_entry_losses, &of));
    indoor->freq_hz = freq_hz;
    indoor->transmitter = transmitter;
    return RW_OK;
}

typedef struct filling {
    rw_indoor *indoor;
    int sign;
    const float *outside; /* values at the receivers along walls */
    float *values, *entry_loss_db;
    const rw_composition *outside_compositions;
    rw_composition *compositions;
} filling;

static void fill_indoor_cells(void *user, size_t begin, size_t end)
{
    const filling *to = user;
    const rw_indoor *indoor = to->indoor;
    for (size_t i = begin; i < end; i++) {
        float lowest = INFINITY, added_db = INFINITY;
        uint32_t cell = indoor->cells[i], receiver = RW_NO_FACADE;
        for (size_t at = i * RW_INDOOR_DIRECTIONS; at < (i + 1) * RW_INDOOR_DIRECTIONS; at++) {
            if (indoor->exits[at].receiver == RW_NO_FACADE)
                continue;
            float here = (float)to->sign * to->outside[indoor->exits[at].receiver] + indoor->added_db[at];
            if (here < lowest) {
                lowest = here;
                added_db = indoor->added_db[at];
                receiver = indoor->exits[at].receiver;
            }
        }
        to->values[cell] = (float)to->sign * lowest;
        if (to->entry_loss_db)
            to->entry_loss_db[cell] = added_db;
        if (to->compositions && receiver != RW_NO_FACADE)
            to->compositions[cell] = to->outside_compositions[receiver];
    }
}

rw_status rw_indoor_predict(rw_indoor *indoor, size_t transmitter, int sign, float *values, float *entry_loss_db,
                            rw_composition *compositions)
{
    const rw_receivers_view *view = &indoor->prediction->receivers.view;
    RW_TRY(find_added(indoor, transmitter));
    for (size_t i = 0; entry_loss_db && i < view->outdoor_count; i++)
        entry_loss_db[view->outdoor[i]] = 0;
    size_t band = transmitter * indoor->receiver_count;
    filling to = {.indoor = indoor, .sign = sign, .values = values, .entry_loss_db = entry_loss_db};
    if (indoor->receiver_count)
        to.outside = (sign > 0 ? indoor->loss_db : indoor->power_dbm) + band;
    if (indoor->compositions && compositions) {
        to.outside_compositions = indoor->compositions + band;
        to.compositions = compositions;
    }
    return rw_parallel(indoor->prediction->scene->context, indoor->count, 512, fill_indoor_cells, &to);
}
