/* Kept gains: the paths of a record, their parameters, and the values at hand. */
#ifndef RW_MODELS_GRADIENTS_GRADIENTS_H
#define RW_MODELS_GRADIENTS_GRADIENTS_H

#include "device/device.h"
#include "models/gradients/gain_kernels.k.h"
#include "mechanisms/prediction.h"
#include "models/engine/record.h"
#include <rasterwave/gradients.h>

/* Arrays on the backend. */
typedef struct rw_gains_device {
    rw_gain_path *paths;
    rw_gain_node *nodes;
    double *numbers, *slopes;
    rw_gain_wall *walls;
    rw_gain_sender *senders;
    uint64_t *firsts;
    double *curves; /* antenna cuts */
    float **tables; /* of each transmitter, on the host: pointers of the backend */
    rw_complex *gains, *changes;
    rw_gain_state *states;
    rw_complex *fields; /* of each pair */
    rw_gain_pair_weight *weights;
    double *values; /* tangent or cotangent, gradient, levels and their changes */
    double *slots, *sums;
    rw_gain_stretch *stretches;
    uint64_t *stretch_firsts;
} rw_gains_device;

struct rw_gains {
    rw_context *context;
    rw_backend backend;
    rw_gain_record record;
    rw_gain_parameter *parameters;
    size_t parameter_count, parameter_capacity;
    size_t first_transmitter_parameter;
    char **names; /* that parameters point to */
    size_t name_count, name_capacity;
    uint64_t *firsts; /* of the paths of each pair */
    rw_transmitter *transmitters;
    rw_ray_sum_kind sum;
    rw_near_square near;
    rw_gain_wall *walls;     /* under the values at hand */
    rw_gain_sender *senders; /* the same, with antennas of the backend */
    rw_gains_device device;
    rw_gain_stretch *stretches; /* of slots, those of one parameter after those of another */
    size_t stretch_count, stretch_capacity;
    uint64_t *stretch_firsts; /* of each parameter, and one behind the last */
    size_t slot_count, first_power_slot;
};

/* references.c: the rule of composition, if the engine applies it to the model's losses. */
rw_status rw_gains_record_references(const rw_prediction *prediction, rw_gain_record *record);

/* parameters.c: the table, which of them walls have, and walls and senders under values; NULL: as kept. */
rw_status rw_gains_list_parameters(rw_gains *gains);
void rw_gains_link_parameters(rw_gains *gains);
rw_status rw_gains_apply(rw_gains *gains, const double *values);

/* slots.c: where paths write their derivatives, and which slots are those of a parameter. */
rw_status rw_gains_list_slots(rw_gains *gains);

/* upload_gains.c: everything on the backend. */
rw_status rw_gains_upload(rw_gains *gains);
void rw_gains_release(rw_gains *gains);
rw_gain_view rw_gains_view(const rw_gains *gains);
size_t rw_gains_values_capacity(const rw_gains *gains); /* numbers in each of the three parts of placed.values */

#endif
