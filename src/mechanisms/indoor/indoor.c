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

/* Which surface the building over each cell has. */
typedef struct cell_surfaces {
    size_t columns;
    uint32_t *surfaces;
} cell_surfaces;

static void mark_surface(void *user, const rw_part *part, size_t row, size_t first, size_t end)
{
    cell_surfaces *marked = user;
    for (size_t column = first; column < end; column++)
        marked->surfaces[row * marked->columns + column] = part->surface;
}

static rw_status find_surfaces(const rw_prediction *prediction, uint32_t **surfaces)
{
    const rw_scene *scene = prediction->scene;
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_raster_frame frame = {view->x0_m + centre.x, view->y0_m + centre.y, view->res_m, view->columns, view->rows, 0};
    cell_surfaces marked = {view->columns, NULL};
    size_t count = view->columns * view->rows;
    RW_TRY(rw_array_create(scene->context, count, sizeof **surfaces, "buildings", &marked.surfaces));
    for (size_t i = 0; i < count; i++)
        marked.surfaces[i] = (uint32_t)scene->surfaces.count;
    *surfaces = marked.surfaces;
    return rw_rasterise_outlines(scene, &frame, mark_surface, &marked);
}

/* Goes from a cell in steps of a quarter of one until it is outside. The facade lies in the last step. */
static rw_indoor_face look_out(const rw_receivers_view *view, const uint32_t *surfaces, size_t cell, int direction)
{
    const double step = 0.25;
    double angle = 2 * RW_PI * direction / RW_INDOOR_DIRECTIONS, dx = cos(angle), dy = sin(angle);
    double x = (double)(cell % view->columns) + 0.5, y = (double)(cell / view->columns) + 0.5;
    rw_indoor_face face = {RW_INDOOR_NONE, surfaces[cell], 0};
    for (double t = step;; t += step) {
        double column = floor(x + t * dx), row = floor(y + t * dy);
        if (column < 0 || row < 0 || column >= (double)view->columns || row >= (double)view->rows)
            return face;
        size_t there = (size_t)row * view->columns + (size_t)column;
        if (view->indoor[there] == RW_RECEIVER_EXCLUDED)
            return face;
        if (!view->indoor[there]) {
            face.street = (uint32_t)there;
            face.depth_m = (float)((t - 0.5 * step) * view->res_m);
            return face;
        }
        face.surface = surfaces[there];
    }
}

typedef struct face_search {
    rw_indoor *indoor;
    const uint32_t *surfaces;
} face_search;

static void find_cell_facades(void *user, size_t begin, size_t end)
{
    const face_search *to = user;
    const rw_receivers_view *view = &to->indoor->prediction->receivers.view;
    for (size_t i = begin; i < end; i++)
        for (int k = 0; k < RW_INDOOR_DIRECTIONS; k++)
            to->indoor->faces[i * RW_INDOOR_DIRECTIONS + (size_t)k] =
                look_out(view, to->surfaces, to->indoor->cells[i], k);
}

static rw_status build_indoor_cells(rw_indoor *indoor)
{
    const rw_receivers_view *view = &indoor->prediction->receivers.view;
    rw_context *context = indoor->prediction->scene->context;
    size_t all = view->columns * view->rows, capacity = all - view->outdoor_count + 1;
    uint32_t *surfaces = NULL;
    RW_TRY(rw_array_create(context, capacity, sizeof *indoor->cells, "cells inside buildings", &indoor->cells));
    RW_TRY(rw_array_create(context, capacity * RW_INDOOR_DIRECTIONS, sizeof *indoor->faces, "facades", &indoor->faces));
    RW_TRY(rw_array_create(context, capacity * RW_INDOOR_DIRECTIONS, sizeof *indoor->added_db, "facades",
                           &indoor->added_db));
    size_t surface_count = indoor->prediction->scene->surfaces.count + 1;
    RW_TRY(rw_array_create(context, surface_count * (RW_WALL_LOSS_SAMPLES + 1), sizeof *indoor->tables, "facades",
                           &indoor->tables));
    RW_TRY(rw_array_create(context, surface_count, sizeof *indoor->entry_db, "facades", &indoor->entry_db));
    for (size_t i = 0; i < all; i++)
        if (view->indoor[i] == 1)
            indoor->cells[indoor->count++] = (uint32_t)i;
    rw_status status = find_surfaces(indoor->prediction, &surfaces);
    face_search to = {indoor, surfaces};
    if (status == RW_OK)
        status = rw_parallel(context, indoor->count, 256, find_cell_facades, &to);
    free(surfaces);
    return status;
}

rw_status rw_indoor_create(const rw_prediction *prediction, rw_indoor *indoor)
{
    *indoor = (rw_indoor){0};
    const char *requested = prediction->options->indoor;
    int layer = rw_list_contains(prediction->layers, "indoor");
    if (layer && !(requested && rw_list_contains(prediction->layers, "path_loss")))
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "layer indoor needs the option indoor, for example slab, and the layer path_loss");
    if (!requested || prediction->receivers.view.points)
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
    free(indoor->faces);
    free(indoor->added_db);
    free(indoor->tables);
    free(indoor->entry_db);
    *indoor = (rw_indoor){0};
}

/* Elevation of the straight line from the transmitter at a cell of the street. */
static double elevation_rad(const rw_prediction *prediction, size_t transmitter, size_t street)
{
    rw_vec3 at = prediction->sources[transmitter], to = rw_receiver_point(&prediction->receivers.view, street);
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    return atan2(at.z - to.z, hypot(at.x - centre.x - to.x, at.y - centre.y - to.y));
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
        const rw_indoor_face *face = &indoor->faces[i];
        if (face->street == RW_INDOOR_NONE)
            continue;
        double elevation = by_slab ? 0 : elevation_rad(indoor->prediction, of->transmitter, face->street);
        indoor->added_db[i] = by_slab ? indoor->entry_db[face->surface] + (float)RW_INDOOR_DB_PER_M * face->depth_m
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
    float *values, *entry_loss_db;
} filling;

static void fill_indoor_cells(void *user, size_t begin, size_t end)
{
    const filling *to = user;
    const rw_indoor *indoor = to->indoor;
    for (size_t i = begin; i < end; i++) {
        float lowest = INFINITY, added_db = INFINITY;
        for (size_t at = i * RW_INDOOR_DIRECTIONS; at < (i + 1) * RW_INDOOR_DIRECTIONS; at++) {
            if (indoor->faces[at].street == RW_INDOOR_NONE)
                continue;
            float here = (float)to->sign * to->values[indoor->faces[at].street] + indoor->added_db[at];
            if (here < lowest) {
                lowest = here;
                added_db = indoor->added_db[at];
            }
        }
        to->values[indoor->cells[i]] = (float)to->sign * lowest;
        if (to->entry_loss_db)
            to->entry_loss_db[indoor->cells[i]] = added_db;
    }
}

rw_status rw_indoor_predict(rw_indoor *indoor, size_t transmitter, int sign, float *values, float *entry_loss_db)
{
    const rw_receivers_view *view = &indoor->prediction->receivers.view;
    RW_TRY(find_added(indoor, transmitter));
    for (size_t i = 0; entry_loss_db && i < view->outdoor_count; i++)
        entry_loss_db[view->outdoor[i]] = 0;
    filling to = {indoor, sign, values, entry_loss_db};
    return rw_parallel(indoor->prediction->scene->context, indoor->count, 512, fill_indoor_cells, &to);
}
