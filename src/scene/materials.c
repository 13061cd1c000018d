/* Recommendation ITU-R P.2040-3 (2023), table 3: eps' = a (f/GHz)^b and sigma = c (f/GHz)^d in S/m, each inside its
 * range of frequency only. Metal is the recommendation's 1e7 S/m, not a perfect conductor. */
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define PREFIX "itu_"
#define ROW(material, a_, b_, c_, d_, from_ghz, to_ghz)                                                                \
    {                                                                                                                  \
        .name = PREFIX material, .a = (a_), .b = (b_), .c = (c_), .d = (d_), .freq_min_hz = (from_ghz)*1e9,            \
        .freq_max_hz = (to_ghz)*1e9                                                                                    \
    }

/* The usual range of a material first. Above 100 GHz the recommendation has sets of constants from several
 * measurements, whose ranges overlap: the one that stands first holds. */
static const rw_scene_material table[] = {
    ROW("vacuum", 1, 0, 0, 0, 0.001, 100),
    ROW("concrete", 5.24, 0, 0.0462, 0.7822, 1, 100),
    ROW("concrete", 5.17, 0, 0.0145, 1.09, 110, 330),
    ROW("brick", 3.91, 0, 0.0238, 0.16, 1, 40),
    ROW("brick", 4.15, 0, 0.0006, 1.5712, 110, 330),
    ROW("plasterboard", 2.73, 0, 0.0085, 0.9395, 1, 100),
    ROW("plasterboard", 2.56, 0, 0.0001, 1.7799, 110, 330),
    ROW("plasterboard", 2.65, 0, 0.0002, 1.598, 100, 400),
    ROW("wood", 1.99, 0, 0.0047, 1.0718, 0.001, 100),
    ROW("wood", 1.82, 0, 0.004, 1.0761, 110, 330),
    ROW("wood", 2.1183, 0, 0.0055, 1.1113, 100, 400),
    ROW("glass", 6.31, 0, 0.0036, 1.3394, 0.1, 100),
    ROW("glass", 5.79, 0, 0.0004, 1.658, 220, 450),
    ROW("glass", 6.5767, 0, 0.0012, 1.4697, 100, 400),
    ROW("clear_acrylic", 2.58, 0, 0.0001, 1.6524, 110, 330),
    ROW("acrylic", 2.58, 0, 0.0001, 1.6524, 110, 330), /* as the recommendation's text calls it */
    ROW("ceiling_board", 1.48, 0, 0.0011, 1.0750, 1, 100),
    ROW("ceiling_board", 1.52, 0, 0.0029, 1.029, 220, 450),
    ROW("ceiling_board", 1.2567, 0, 0.00013, 1.454, 100, 400),
    ROW("chipboard", 2.58, 0, 0.0217, 0.7800, 1, 100),
    ROW("chipboard", 2.16, 0, 0.0023, 1.359, 100, 200),
    ROW("plywood", 2.71, 0, 0.33, 0, 1, 40),
    ROW("plywood", 1.94, 0, 0.0067, 0.9982, 110, 330),
    ROW("plywood", 2.17, 0, 0.0063, 1.045, 100, 400),
    ROW("marble", 7.074, 0, 0.0055, 0.9262, 1, 60),
    ROW("marble", 7.94, 0, 0.0001, 1.733, 110, 330),
    ROW("marble", 8.62, 0, 0.0027, 1.15, 100, 400),
    ROW("floorboard", 3.66, 0, 0.0044, 1.3515, 50, 100),
    ROW("floorboard", 5.27, 0, 2.22e-17, 7.3413, 220, 300),
    ROW("floorboard", 5.27, 0, 0.0003, 2.0298, 300, 400),
    ROW("floorboard", 5.27, 0, 49.8726, 0, 400, 450),
    ROW("floorboard", 3.1575, 0, 0.001675, 1.32775, 100, 400),
    ROW("vinyl_tile", 3.62, 0, 0.0051, 0.8422, 1, 40),
    ROW("carpet_tile", 2.08, 0, 0.0009, 0.82, 1, 40),
    ROW("asphalt_concrete", 4.83, 0, 0.0108, 1.3969, 1, 40),
    ROW("metal", 1, 0, 1e7, 0, 1, 100),
    ROW("very_dry_ground", 3, 0, 0.00015, 2.52, 1, 10),
    ROW("medium_dry_ground", 15, -0.1, 0.035, 1.63, 1, 10),
    ROW("wet_ground", 30, -0.4, 0.15, 1.30, 1, 10),
};
#define ROW_COUNT (sizeof table / sizeof *table)

size_t rw_builtin_material_count(void)
{
    return ROW_COUNT;
}

const rw_scene_material *rw_builtin_material_row(size_t index)
{
    return index < ROW_COUNT ? &table[index] : NULL;
}

static int material_is_named(const rw_scene_material *row, const char *name)
{
    return strcmp(row->name, name) == 0 || strcmp(row->name + strlen(PREFIX), name) == 0;
}

const rw_scene_material *rw_builtin_material(const char *name)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (material_is_named(&table[i], name))
            return &table[i];
    return NULL;
}

/* How far a frequency is outside the range, as a ratio; 1 inside. */
static double ratio_outside(const rw_scene_material *row, double freq_hz)
{
    if (freq_hz < row->freq_min_hz)
        return row->freq_min_hz / freq_hz;
    return freq_hz > row->freq_max_hz ? freq_hz / row->freq_max_hz : 1;
}

const rw_scene_material *rw_builtin_material_at(const char *name, double freq_hz)
{
    const rw_scene_material *best = NULL;
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (material_is_named(&table[i], name) &&
            (!best || ratio_outside(&table[i], freq_hz) < ratio_outside(best, freq_hz)))
            best = &table[i];
    return best;
}
