/* Free-space path loss from one source to every receiver of a grid: equations (15) and (16) of Rick and Kuhlen (2010)
 * with antenna gains 1. Formula and validity: free_space.k.h. */
#ifndef RW_BENCH_KERNELS_FREE_SPACE_MAP_K_H
#define RW_BENCH_KERNELS_FREE_SPACE_MAP_K_H

#include "discretise/receivers/receivers.k.h"
#include "field/paths/free_space.k.h"

struct rw_free_space_map_args {
    rw_receivers_view receivers;
    rw_vec3 source; /* in the receivers' frame */
    double wavelength_m;
    float *path_loss_db; /* one a cell */
};

RW_FN void rw_free_space_map_item(const struct rw_free_space_map_args *args, size_t item)
{
    rw_vec3 d = rw_vec3_sub(rw_receiver_point(&args->receivers, item), args->source);
    args->path_loss_db[item] = (float)rw_free_space_loss_db(rw_vec3_length(d), args->wavelength_m);
}

#endif
