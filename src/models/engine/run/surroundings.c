#include "models/engine/run/run.h"

#include "base/memory.h"
#include "discretise/prepared.h"
#include "discretise/zones/zones.h"
#include "output/maps/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far beyond the area the neighbours of its buildings are followed, wall to wall. */
#define NEIGHBOURS_M 100.0

typedef struct zone_cells {
    uint8_t *excluded;
    size_t columns;
} zone_cells;

static int boxes_overlap(const double a[4], const double b[4])
{
    return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

/* Joins a box to an area, as far as the limit. */
static int widen_surroundings(const double box[4], const double limit[4], double area[4])
{
    int wider = 0;
    for (int i = 0; i < 4; i++) {
        double bound = i < 2 ? fmax(box[i], limit[i]) : fmin(box[i], limit[i]);
        if (i < 2 ? bound < area[i] : bound > area[i]) {
            area[i] = bound;
            wider = 1;
        }
    }
    return wider;
}

/* West, south, east and north of all buildings that stand partly in the area, and of those that touch them. */
static void find_building_area(const rw_scene *scene, const double map_m[4], double area_m[4])
{
    const rw_scene_summary *summary = &scene->prepared->summary;
    double limit[4] = {-INFINITY, -INFINITY, INFINITY, INFINITY};
    memcpy(area_m, map_m, 4 * sizeof *area_m);
    for (int wider = 1, round = 0; wider; round++) {
        double reach[4]; /* buildings of this round stand here */
        memcpy(reach, area_m, sizeof reach);
        wider = 0;
        for (size_t i = 0; i < scene->parts.count; i++) {
            const rw_part_box *part = &summary->boxes[i];
            const double box[4] = {part->west + scene->origin.x, part->south + scene->origin.y,
                                   part->east + scene->origin.x, part->north + scene->origin.y};
            if (boxes_overlap(box, reach))
                wider |= widen_surroundings(box, limit, area_m);
        }
        for (int k = 0; k < 4 && round == 0; k++)
            limit[k] = k < 2 ? fmin(area_m[k], map_m[k] - NEIGHBOURS_M) : fmax(area_m[k], map_m[k] + NEIGHBOURS_M);
    }
}

static void clear_zone_run(void *user, size_t row, size_t first, size_t end)
{
    const zone_cells *cells = user;
    memset(cells->excluded + row * cells->columns + first, 0, end - first);
}

/* The polygons limit the map and not what it is computed from. */
static rw_status find_excluded_cells(const rw_prediction *prediction, rw_surroundings *surroundings)
{
    const rw_scene *scene = prediction->scene;
    const rw_map_info *cells = &surroundings->cells;
    rw_zone_grid grid = {cells->x0_m, cells->y0_m, cells->res_m, cells->columns, cells->rows};
    size_t count = cells->columns * cells->rows;
    rw_zones zones;
    RW_TRY(rw_zones_load(scene->context, prediction->options->zone, rw_scene_crs(scene), NULL, &zones));
    rw_status status = rw_array_create(scene->context, count, 1, "the area", &surroundings->excluded);
    zone_cells marked = {surroundings->excluded, cells->columns};
    if (status == RW_OK)
        memset(surroundings->excluded, 1, count);
    for (size_t i = 0; status == RW_OK && i < zones.count; i++)
        status = rw_zone_rasterise(&zones, i, &grid, clear_zone_run, &marked);
    rw_zones_free(&zones);
    return status;
}

rw_status rw_surroundings_widen(rw_prediction *prediction, rw_surroundings *surroundings)
{
    rw_map_info *cells = &prediction->grid.cells;
    *surroundings = (rw_surroundings){.cells = *cells};
    double res_m = cells->res_m, area_m[4];
    const double map_m[4] = {cells->x0_m, cells->y0_m, cells->x0_m + (double)cells->columns * res_m,
                             cells->y0_m + (double)cells->rows * res_m};
    find_building_area(prediction->scene, map_m, area_m);
    size_t added[4]; /* cells on each side; one of them is the street */
    for (int i = 0; i < 4; i++) {
        double beyond_m = fabs(area_m[i] - map_m[i]);
        added[i] = beyond_m > 0 ? (size_t)ceil(beyond_m / res_m) + 1 : 0;
    }
    surroundings->widened = added[0] || added[1] || added[2] || added[3];
    if (!surroundings->widened)
        return RW_OK;
    double columns = (double)(cells->columns + added[0] + added[2]), rows = (double)(cells->rows + added[1] + added[3]);
    if (columns * rows > 4294967295.0 || !rw_memory_fits(16 * columns * rows))
        return rw_fail(prediction->scene->context, RW_TOO_LARGE,
                       "%.0f x %.0f receivers, of the area and around its buildings, would need %.3g GB; give a larger "
                       "res or a smaller area",
                       columns, rows, 16e-9 * columns * rows);
    if (prediction->options->zone)
        RW_TRY(find_excluded_cells(prediction, surroundings));
    surroundings->column = added[0];
    surroundings->row = added[1];
    cells->columns += added[0] + added[2];
    cells->rows += added[1] + added[3];
    cells->x0_m -= (double)added[0] * res_m;
    cells->y0_m -= (double)added[1] * res_m;
    prediction->grid.zone = NULL;
    rw_predict_options *options = &prediction->resolved_options;
    options->zone = NULL;
    options->area_m[0] = cells->x0_m;
    options->area_m[1] = cells->y0_m;
    options->area_m[2] = cells->x0_m + (double)cells->columns * res_m;
    options->area_m[3] = cells->y0_m + (double)cells->rows * res_m;
    return RW_OK;
}

static rw_status cut_layer(const rw_surroundings *surroundings, const rw_map *wide, const rw_layer_data *layer,
                           rw_map *map)
{
    const rw_map_info *cells = &surroundings->cells;
    float *values;
    RW_TRY(rw_map_add_layer_unset(map, layer->name, layer->unit, layer->bands, &values));
    rw_layer_data *copy = &map->layers[map->info.layers - 1];
    copy->levels = layer->levels;
    copy->first_level_m = layer->first_level_m;
    copy->level_step_m = layer->level_step_m;
    size_t count = cells->columns * cells->rows;
    for (size_t band = 0; band < layer->bands; band++)
        for (size_t row = 0; row < cells->rows; row++)
            memcpy(values + (band * cells->rows + row) * cells->columns,
                   layer->values + (band * wide->info.rows + surroundings->row + row) * wide->info.columns +
                       surroundings->column,
                   cells->columns * sizeof *values);
    for (size_t i = 0; surroundings->excluded && i < layer->bands * count; i++)
        if (surroundings->excluded[i % count])
            values[i] = NAN;
    return RW_OK;
}

/* What the bands are of: names and places of the transmitters. */
static void move_bands(rw_map *from, rw_map *to)
{
    to->band_count = from->band_count;
    to->band_names = from->band_names;
    to->band_positions_m = from->band_positions_m;
    from->band_count = 0;
    from->band_names = NULL;
    from->band_positions_m = NULL;
}

rw_status rw_surroundings_cut(const rw_surroundings *surroundings, rw_map **map)
{
    rw_map *wide = *map, *cut = NULL;
    if (!surroundings->widened)
        return RW_OK;
    *map = NULL;
    rw_map_info info = wide->info;
    info.columns = surroundings->cells.columns;
    info.rows = surroundings->cells.rows;
    info.x0_m = surroundings->cells.x0_m;
    info.y0_m = surroundings->cells.y0_m;
    rw_status status = rw_map_create(wide->context, &info, wide->crs, &cut);
    for (size_t i = 0; status == RW_OK && i < wide->info.layers; i++)
        status = cut_layer(surroundings, wide, &wide->layers[i], cut);
    if (status == RW_OK) {
        move_bands(wide, cut);
        *map = cut;
    } else {
        rw_map_destroy(cut);
    }
    rw_map_destroy(wide);
    return status;
}

void rw_surroundings_free(rw_surroundings *surroundings)
{
    free(surroundings->excluded);
    surroundings->excluded = NULL;
}
