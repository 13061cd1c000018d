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
    rw_defaults_give(&own, sizeof own, options, size);
}

static int is_near(double a, double b, double within)
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
    if (!is_near(a->res_m, b->res_m, within_m))
        return rw_fail(first->context, RW_BAD_CALL, "the maps have cells of %g m and %g m; they must be the same",
                       a->res_m, b->res_m);
    if (!is_near(a->x0_m, b->x0_m, 1e3 * within_m) || !is_near(a->y0_m, b->y0_m, 1e3 * within_m))
        return rw_fail(first->context, RW_BAD_CALL,
                       "the maps begin at %.10g, %.10g and %.10g, %.10g; they must be the same", a->x0_m, a->y0_m,
                       b->x0_m, b->y0_m);
    int same_plane = a->has_plane == b->has_plane;
    for (int i = 0; same_plane && a->has_plane && i < 9; i++)
        same_plane = is_near(a->plane_m[i], b->plane_m[i], 1e3 * within_m);
    return same_plane ? RW_OK
                      : rw_fail(first->context, RW_BAD_CALL, "the maps are of different planes; they must be the same");
}

static rw_status find_layers(const rw_map_compare_options *options, compared *of)
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
static rw_map_difference subtract(const compared *of, double above, float *values)
{
    const rw_map_info *info = &of->maps[0]->info;
    size_t cells = info->columns * info->rows, beyond = 0;
    rw_map_difference made = {.above = above, .max_x_m = NAN, .max_y_m = NAN};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < of->band_count * cells; i++) {
        double a = (double)of->layers[0]->values[of->first_band * cells + i];
        double b = (double)of->layers[1]->values[of->first_band * cells + i], by = b - a;
        made.only_first += (size_t)(isfinite(a) && !isfinite(b));
        made.only_second += (size_t)(isfinite(b) && !isfinite(a));
        if (!isfinite(a) || !isfinite(b))
            continue;
        made.cells++;
        sum += by;
        squares += by * by;
        beyond += (size_t)(fabs(by) > above);
        if (made.cells == 1 || fabs(by) > fabs(made.max)) {
            made.max = by;
            made.max_x_m = info->x0_m + ((double)(i % cells % info->columns) + 0.5) * info->res_m;
            made.max_y_m = info->y0_m + ((double)(i % cells / info->columns) + 0.5) * info->res_m;
        }
        if (values)
            values[i] = (float)by;
    }
    double count = (double)made.cells;
    made.mean = made.cells ? sum / count : NAN;
    made.rms = made.cells ? sqrt(squares / count) : NAN;
    made.max = made.cells ? made.max : NAN;
    made.share_above = made.cells ? (double)beyond / count : NAN;
    return made;
}

rw_status rw_map_compare(const rw_map *first, const rw_map *second, const rw_map_compare_options *given,
                         rw_map_difference *difference, rw_map **map)
{
    rw_map_compare_options options;
    rw_map_compare_options_init(&options);
    compared of = {.maps = {first, second}};
    rw_map *made = NULL;
    float *values = NULL;
    if (map)
        *map = NULL;
    if (given)
        RW_TRY(RW_TAKE(first->context, given, &options));
    if (!(options.above >= 0))
        return rw_fail(first->context, RW_BAD_CALL, "a difference above %g is not possible; 10 would be",
                       options.above);
    RW_TRY(check_grids(first, second));
    RW_TRY(find_layers(&options, &of));
    rw_status status = map ? rw_map_create(first->context, &first->info, first->crs, &made) : RW_OK;
    if (status == RW_OK && map)
        status = rw_map_add_layer(made, "difference", of.layers[0]->unit, of.band_count, &values);
    rw_map_difference found = {0};
    if (status == RW_OK) {
        found = subtract(&of, options.above, values);
        status = RW_GIVE(first->context, &found, difference);
    }
    if (status == RW_OK && map)
        *map = made;
    else
        rw_map_destroy(made);
    return status;
}
