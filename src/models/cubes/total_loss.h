/* What a map has beside the model's own paths, over a job that has searched for them. */
#ifndef RW_MODELS_CUBES_TOTAL_LOSS_H
#define RW_MODELS_CUBES_TOTAL_LOSS_H

#include "models/cubes/cubes.h"
#include "models/cubes/total_loss.k.h"
#include "mechanisms/atmosphere/medium.h"
#include "mechanisms/rooftop/over_rooftop.h"

/* Beside the way over the roofs corners cost little at angles below this: about what a Fresnel zone at 1 GHz takes at
 * the distances of streets. */
#define RW_CUBES_ONSET_PER_RAD 28.6f /* 2 degrees */

typedef struct rw_cubes_extras {
    int roofs;         /* the way over the roofs takes the place of the model's own paths over roof edges alone */
    const char *prior; /* rw_prior_of's; NULL: none */
} rw_cubes_extras;

/* What the options choose. Without both, a map is that of the paper. */
rw_status rw_cubes_extras_resolve(const rw_prediction *prediction, rw_cubes_extras *extras);

/* It must stay where it is, and so must the job. */
typedef struct rw_cubes_total {
    const rw_prediction *prediction;
    rw_cubes_extras extras;
    rw_cubes_open_job *open;
    rw_receivers receivers; /* of the job, as points */
    rw_device_receivers on_device;
    rw_prediction at_points; /* the prediction at them */
    rw_over_roofs over_roofs;
    rw_device_medium medium;
    rw_wall_grid_view grid; /* on the backend */
    float *loss_db;         /* on the backend, as the next; NULL: nothing is added */
    uint8_t *by_roofs;
    float *host_loss_db;
    uint8_t *host_by_roofs; /* and after them how many edges */
} rw_cubes_total;

rw_status rw_cubes_total_create(const rw_prediction *prediction, rw_cubes_extras extras, rw_cubes_open_job *open,
                                rw_cubes_total *total);
void rw_cubes_total_destroy(rw_cubes_total *total);

/* After the job has run for a transmitter and its answers have been read: puts the loss of all ways into them. */
rw_status rw_cubes_total_add(rw_cubes_total *total, size_t transmitter);

#endif
