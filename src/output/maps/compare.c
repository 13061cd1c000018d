/* Two maps of the same cells: how far one is from the other, and the difference as a map. */
#include "output/maps/map.h"

#include "base/options.h"

#include <math.h>
#include <string.h>

/* One layer of each map. */
typedef struct compared {
    const rw_map *maps[2];
    const rw_layer_data *layers[2];
    size_t first_band, band_count;
} compared;

void rw_map_compare_options_init_sized(rw_map_compare_options *options, size_t size)
{
    rw_map_compare_options own = {.band = RW_ALL_BANDS, .above = 10};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static int are_within(double a, double b, double within)
{
    return fabs(a - b) <= within;
}

static rw_status check_grids(const rw_map *first, const rw_map *second)
{
    const rw_map_info *a = &first->info, *b = &second->info;
    double within_m = 1e-6 * a->res_m;
    if (a->columns != b->columns || a->rows != b->rows)
        return rw_fail(first->context, RW_BAD_CALL,
                       "the maps have %zu x %zu and %zu x %zu cells; they must be the same", a->columns, a->rows,
                       b->columns, b->rows);
    if (!are_within(a->res_m, b->res_m, within_m))
        return rw_fail(first->context, RW_BAD_CALL, "the maps have cells of %g m and %g m; they must be the same",
                       a->res_m, b->res_m);
    if (!are_within(a->x0_m, b->x0_m, 1e3 * within_m) || !are_within(a->y0_m, b->y0_m, 1e3 * within_m))
        return rw_fail(first->context, RW_BAD_CALL,
                       "the maps begin at %.10g, %.10g and %.10g, %.10g; they must be the same", a->x0_m, a->y0_m,
                       b->x0_m, b->y0_m);
    int same_plane = a->has_plane == b->has_plane;
    for (int i = 0; same_plane && a->has_plane && i < 9; i++)
        same_plane = are_within(a->plane_m[i], b->plane_m[i], 1e3 * within_m);
    return same_plane ? RW_OK
                      : rw_fail(first->context, RW_BAD_CALL, "the maps are of different planes; they must be the same");
}

static rw_status find_compared_layers(const rw_map_compare_options *options, compared *of)
{
    for (int i = 0; i < 2; i++) {
        size_t index = 0;
        if (options->layer)
            RW_TRY(rw_map_find_layer(of->maps[i], options->layer, &index));
        if (index >= of->maps[i]->info.layers)
            return rw_fail(of->maps[i]->context, RW_BAD_CALL, "a map without layers cannot be compared");
        of->layers[i] = &of->maps[i]->layers[index];
    }
    rw_context *context = of->maps[0]->context;
    const rw_layer_data *a = of->layers[0], *b = of->layers[1];
    if (strcmp(a->unit, b->unit) != 0)
        return rw_fail(context, RW_BAD_CALL, "the layers %s in %s and %s in %s cannot be compared", a->name,
                       *a->unit ? a->unit : "no unit", b->name, *b->unit ? b->unit : "no unit");
    size_t fewest = a->bands < b->bands ? a->bands : b->bands;
    if (options->band == RW_ALL_BANDS && a->bands != b->bands)
        return rw_fail(context, RW_BAD_CALL, "the maps have %zu and %zu bands; choose one", a->bands, b->bands);
    if (options->band != RW_ALL_BANDS && options->band >= fewest)
        return rw_fail(context, RW_BAD_CALL, "a map has %zu band%s, there is no number %zu", fewest,
                       fewest == 1 ? "" : "s", options->band + 1);
    of->first_band = options->band == RW_ALL_BANDS ? 0 : options->band;
    of->band_count = options->band == RW_ALL_BANDS ? fewest : 1;
    return RW_OK;
}

/* Differences to values, where there is room for them. */
static rw_map_difference subtract_layers(const compared *of, double above, float *values)
{
    const rw_map_info *info = &of->maps[0]->info;
    size_t cells = info->columns * info->rows, beyond = 0;
    rw_map_difference map_difference = {.above = above, .max_x_m = NAN, .max_y_m = NAN};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < of->band_count * cells; i++) {
        double a = (double)of->layers[0]->values[of->first_band * cells + i];
        double b = (double)of->layers[1]->values[of->first_band * cells + i], by = b - a;
        map_difference.only_first += (size_t)(isfinite(a) && !isfinite(b));
        map_difference.only_second += (size_t)(isfinite(b) && !isfinite(a));
        if (!isfinite(a) || !isfinite(b))
            continue;
        map_difference.cells++;
        sum += by;
        squares += by * by;
        beyond += (size_t)(fabs(by) > above);
        if (map_difference.cells == 1 || fabs(by) > fabs(map_difference.max)) {
            map_difference.max = by;
            map_difference.max_x_m = info->x0_m + ((double)(i % cells % info->columns) + 0.5) * info->res_m;
            map_difference.max_y_m = info->y0_m + ((double)(i % cells / info->columns) + 0.5) * info->res_m;
        }
        if (values)
            values[i] = (float)by;
    }
    double count = (double)map_difference.cells;
    map_difference.mean = map_difference.cells ? sum / count : NAN;
    map_difference.rms = map_difference.cells ? sqrt(squares / count) : NAN;
    map_difference.max = map_difference.cells ? map_difference.max : NAN;
    map_difference.fraction_above = map_difference.cells ? (double)beyond / count : NAN;
    return map_difference;
}

/* A difference of levels in dBm or dBuV/m is in dB. */
static const char *find_difference_unit(const char *unit)
{
    return strncmp(unit, "dB", 2) == 0 ? "dB" : unit;
}

rw_status rw_map_compare(const rw_map *first, const rw_map *second, const rw_map_compare_options *user_options,
                         rw_map_difference *difference, rw_map **map)
{
    rw_map_compare_options options;
    rw_map_compare_options_init(&options);
    compared of = {.maps = {first, second}};
    rw_map *new_map = NULL;
    float *values = NULL;
    if (map)
        *map = NULL;
    if (user_options)
        RW_TRY(RW_RESOLVE(first->context, user_options, &options));
    if (!(options.above >= 0))
        return rw_fail(first->context, RW_BAD_CALL, "a difference above %g is not possible; 10 would be",
                       options.above);
    RW_TRY(check_grids(first, second));
    RW_TRY(find_compared_layers(&options, &of));
    rw_status status = map ? rw_map_create(first->context, &first->info, first->crs, &new_map) : RW_OK;
    if (status == RW_OK && map)
        status =
            rw_map_add_layer(new_map, "difference", find_difference_unit(of.layers[0]->unit), of.band_count, &values);
    rw_map_difference found = {0};
    if (status == RW_OK) {
        found = subtract_layers(&of, options.above, values);
        status = RW_ASSIGN(first->context, &found, difference);
    }
    if (status == RW_OK && map)
        *map = new_map;
    else
        rw_map_destroy(new_map);
    return status;
}
