/* Free-space path loss from one source to every receiver of a grid.
 *
 * After Friis: L = 20 log10(4 pi d / lambda); equations (15) and (16) of Rick and Kuhlen (2010) with antenna gains 1. Valid in the
 * far field: a receiver nearer than one metre is taken to be at one metre, so that the loss stays finite. */
#ifndef RW_FIELD_FREE_SPACE_MAP_K_H
#define RW_FIELD_FREE_SPACE_MAP_K_H

#include "discretise/receivers.k.h"

struct rw_free_space_map_args {
    rw_receivers_view receivers;
    rw_vec3 source; /* in the receivers' frame */
    double wavelength_m;
    float *path_loss_db; /* one a cell */
};

RW_FN void rw_free_space_map_item(const struct rw_free_space_map_args *args, size_t item)
{
    rw_vec3 d = rw_vec3_sub(rw_receiver_point(&args->receivers, item), args->source);
    double distance_squared = rw_vec3_dot(d, d);
    if (distance_squared < 1.0)
        distance_squared = 1.0;
    double ratio = 4.0 * 3.14159265358979323846 / args->wavelength_m;
    args->path_loss_db[item] = (float)(10.0 * log10(ratio * ratio * distance_squared));
}

#endif
