/* The table of ITU-R P.2040-3: eps' = a f^b, sigma = c f^d with f in GHz, and the range of frequencies it was fitted
 * on. */
#include "scene/materials.h"

#include <string.h>

static const rw_scene_material table[] = {
    {"itu_concrete", 5.24, 0.0, 0.0462, 0.7822, 1e9, 100e9, 0, 0.0},
    {"itu_brick", 3.91, 0.0, 0.0238, 0.16, 1e9, 40e9, 0, 0.0},
    {"itu_plasterboard", 2.73, 0.0, 0.0085, 0.9395, 1e9, 100e9, 0, 0.0},
    {"itu_wood", 1.99, 0.0, 0.0047, 1.0718, 0.001e9, 100e9, 0, 0.0},
    {"itu_glass", 6.31, 0.0, 0.0036, 1.3394, 0.1e9, 100e9, 0, 0.0},
    {"itu_ceiling_board", 1.48, 0.0, 0.0011, 1.0750, 1e9, 100e9, 0, 0.0},
    {"itu_chipboard", 2.58, 0.0, 0.0217, 0.78, 1e9, 100e9, 0, 0.0},
    {"itu_plywood", 2.71, 0.0, 0.33, 0.0, 1e9, 40e9, 0, 0.0},
    {"itu_marble", 7.074, 0.0, 0.0055, 0.9262, 1e9, 60e9, 0, 0.0},
    {"itu_floorboard", 3.66, 0.0, 0.0044, 1.3515, 50e9, 100e9, 0, 0.0},
    {"itu_metal", 1.0, 0.0, 1e7, 0.0, 1e9, 100e9, 0, 0.0},
    {"itu_very_dry_ground", 3.0, 0.0, 0.00015, 2.52, 1e9, 10e9, 0, 0.0},
    {"itu_medium_dry_ground", 15.0, -0.1, 0.035, 1.63, 1e9, 10e9, 0, 0.0},
    {"itu_wet_ground", 30.0, -0.4, 0.15, 1.30, 1e9, 10e9, 0, 0.0},
};

const rw_scene_material *rw_builtin_material(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}
