/* Coverage: how much of a map is received at a level or above. */
#include "output/maps/map.h"

#include "base/options.h"

#include <math.h>

/* Whether a cell is covered by one of the bands; outdoor: whether it has a value at all. "No path" is no power. */
static int is_covered(const rw_layer_data *power, size_t cells, size_t cell, size_t first, size_t last,
                      double level_dbm, int *outdoor)
{
    int covered = 0;
    *outdoor = 0;
    for (size_t band = first; band <= last; band++) {
        double power_dbm = (double)power->values[band * cells + cell];
        *outdoor |= !isnan(power_dbm);
        covered |= isfinite(power_dbm) && power_dbm >= level_dbm;
    }
    return covered;
}

rw_status rw_map_coverage(const rw_map *map, size_t band, double level_dbm, rw_coverage *coverage)
{
    size_t index, cells = map->info.columns * map->info.rows;
    if (rw_map_find_layer(map, "power", &index) != RW_OK)
        return rw_fail(map->context, RW_BAD_CALL, "coverage needs the layer power, and the map has none");
    const rw_layer_data *power = &map->layers[index];
    if (!isfinite(level_dbm))
        return rw_fail(map->context, RW_BAD_CALL, "a level of %g dBm is not possible; -90 would be", level_dbm);
    if (band != RW_ALL_BANDS && band >= power->bands)
        return rw_fail(map->context, RW_BAD_CALL, "the map has %zu transmitters, there is no number %zu", power->bands,
                       band);
    size_t first = band == RW_ALL_BANDS ? 0 : band, last = band == RW_ALL_BANDS ? power->bands - 1 : band;
    rw_coverage new_coverage = {.cells = cells};
    for (size_t cell = 0; cell < cells; cell++) {
        int outdoor;
        new_coverage.covered_cells += (size_t)is_covered(power, cells, cell, first, last, level_dbm, &outdoor);
        new_coverage.outdoor_cells += (size_t)outdoor;
    }
    new_coverage.fraction_of_area = (double)new_coverage.covered_cells / (double)cells;
    new_coverage.fraction_of_outdoor =
        new_coverage.outdoor_cells ? (double)new_coverage.covered_cells / (double)new_coverage.outdoor_cells : NAN;
    return RW_ASSIGN(map->context, &new_coverage, coverage);
}
