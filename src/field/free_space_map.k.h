/* Free-space path loss from one source to every cell of a grid.
 *
 * From source and grid to decibels, after Friis: L = 20 log10(4 pi d / lambda). Valid in the far field; a receiver
 * nearer than one metre is taken to be at one metre, so that the loss stays finite. */
#ifndef RW_FIELD_FREE_SPACE_MAP_K_H
#define RW_FIELD_FREE_SPACE_MAP_K_H

#include "base/qualifiers.h"
#include <math.h>
#include <stddef.h>

struct rw_free_space_map_args {
    double source_x_m, source_y_m, source_z_m;
    double x0_m, y0_m, res_m; /* centre of cell (0, 0) and the spacing */
    size_t columns;
    const float *receiver_z_m; /* altitude of each receiver */
    double wavelength_m;
    float *path_loss_db;
};

RW_FN void rw_free_space_map_item(const struct rw_free_space_map_args *args, size_t item)
{
    double x = args->x0_m + (double)(item % args->columns) * args->res_m - args->source_x_m;
    double y = args->y0_m + (double)(item / args->columns) * args->res_m - args->source_y_m;
    double z = (double)args->receiver_z_m[item] - args->source_z_m;
    double distance_squared = x * x + y * y + z * z;
    if (distance_squared < 1.0)
        distance_squared = 1.0;
    double ratio = 4.0 * 3.14159265358979323846 / args->wavelength_m;
    args->path_loss_db[item] = (float)(10.0 * log10(ratio * ratio * distance_squared));
}

#endif
