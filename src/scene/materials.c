/* Recommendation ITU-R P.2040-3 (2023), table 3: eps' = a (f/GHz)^b and sigma = c (f/GHz)^d in S/m, each inside its
 * range of frequency only. Metal is the recommendation's 1e7 S/m, not a perfect conductor. */
#include "scene/materials.h"

#include <math.h>
#include <string.h>

#define PREFIX "itu_"
#define ROW(material, a_, b_, c_, d_, from_ghz, to_ghz)                                                                \
    {                                                                                                                  \
        .name = PREFIX material, .a = (a_), .b = (b_), .c = (c_), .d = (d_), .freq_min_hz = (from_ghz)*1e9,            \
        .freq_max_hz = (to_ghz)*1e9                                                                                    \
    }

static const rw_scene_material table[] = {
    ROW("vacuum", 1, 0, 0, 0, 0.001, 100),
    ROW("concrete", 5.24, 0, 0.0462, 0.7822, 1, 100),
    ROW("brick", 3.91, 0, 0.0238, 0.16, 1, 40),
    ROW("plasterboard", 2.73, 0, 0.0085, 0.9395, 1, 100),
    ROW("wood", 1.99, 0, 0.0047, 1.0718, 0.001, 100),
    ROW("glass", 6.31, 0, 0.0036, 1.3394, 0.1, 100),
    ROW("glass", 5.79, 0, 0.0004, 1.658, 220, 450),
    ROW("ceiling_board", 1.48, 0, 0.0011, 1.0750, 1, 100),
    ROW("ceiling_board", 1.52, 0, 0.0029, 1.029, 220, 450),
    ROW("chipboard", 2.58, 0, 0.0217, 0.7800, 1, 100),
    ROW("plywood", 2.71, 0, 0.33, 0, 1, 40),
    ROW("marble", 7.074, 0, 0.0055, 0.9262, 1, 60),
    ROW("floorboard", 3.66, 0, 0.0044, 1.3515, 50, 100),
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

static int is_named(const rw_scene_material *row, const char *name)
{
    return strcmp(row->name, name) == 0 || strcmp(row->name + strlen(PREFIX), name) == 0;
}

const rw_scene_material *rw_builtin_material(const char *name)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (is_named(&table[i], name))
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
        if (is_named(&table[i], name) && (!best || ratio_outside(&table[i], freq_hz) < ratio_outside(best, freq_hz)))
            best = &table[i];
    return best;
}
