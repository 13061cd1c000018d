/* Coverage: how much of a map reaches a level. */
#include "output/maps/map.h"

#include "base/options.h"

#include <math.h>

/* Cells of one layer, bands first to last, of which the best counts. */
typedef struct covered_layer {
    const rw_layer_data *layer;
    size_t cells, first, last;
    int lower_is_better;
    double level;
} covered_layer;

/* Whether a cell is covered by one of the bands; has_receiver: whether it has a value at all. "No path" covers nothing.
 */
static int is_covered(const covered_layer *of, size_t cell, int *has_receiver)
{
    int covered = 0;
    *has_receiver = 0;
    for (size_t band = of->first; band <= of->last; band++) {
        double value = (double)of->layer->values[band * of->cells + cell];
        *has_receiver |= !isnan(value);
        covered |= isfinite(value) && (of->lower_is_better ? value <= of->level : value >= of->level);
    }
    return covered;
}

rw_status rw_map_layer_coverage(const rw_map *map, const char *name, size_t band, double level, rw_coverage *coverage)
{
    size_t index, cells = map->info.columns * map->info.rows;
    if (rw_map_find_layer(map, name, &index) != RW_OK)
        return rw_fail(map->context, RW_BAD_CALL, "coverage needs the layer %s, and the map has none", name);
    const rw_layer_data *layer = &map->layers[index];
    rw_layer_order order = rw_layer_get_order(name);
    if (order == RW_LAYER_UNORDERED)
        return rw_fail(map->context, RW_BAD_CALL, "the layer %s has no order, and so no level", name);
    if (!isfinite(level))
        return rw_fail(map->context, RW_BAD_CALL, "a level of %g %s is not possible; -90 would be", level, layer->unit);
    if (band != RW_ALL_BANDS && band >= layer->bands)
        return rw_fail(map->context, RW_BAD_CALL, "the map has %zu transmitters, there is no number %zu", layer->bands,
                       band);
    const covered_layer of = {.layer = layer,
                              .cells = cells,
                              .first = band == RW_ALL_BANDS ? 0 : band,
                              .last = band == RW_ALL_BANDS ? layer->bands - 1 : band,
                              .lower_is_better = order == RW_LAYER_LOWER_IS_BETTER,
                              .level = level};
    rw_coverage new_coverage = {.cells = cells};
    for (size_t cell = 0; cell < cells; cell++) {
        int has_receiver;
        new_coverage.covered_cells += (size_t)is_covered(&of, cell, &has_receiver);
        new_coverage.outdoor_cells += (size_t)has_receiver;
    }
    new_coverage.fraction_of_area = (double)new_coverage.covered_cells / (double)cells;
    new_coverage.fraction_of_outdoor =
        new_coverage.outdoor_cells ? (double)new_coverage.covered_cells / (double)new_coverage.outdoor_cells : NAN;
    return RW_ASSIGN(map->context, &new_coverage, coverage);
}

rw_status rw_map_coverage(const rw_map *map, size_t band, double level_dbm, rw_coverage *coverage)
{
    return rw_map_layer_coverage(map, "power", band, level_dbm, coverage);
}
