/* The open beams model: what its model.c makes and its solve.c fills. */
#ifndef RW_MODELS_BEAMS_STATE_H
#define RW_MODELS_BEAMS_STATE_H

#include "models/beams/stored.h"
#include "models/engine/run/run.h"

#define RW_BEAM_LAYERS(X)                                                                                              \
    X(LAYER_PATH_LOSS, "path_loss", "dB", NULL)                                                                        \
    X(LAYER_DELAY_SPREAD, "delay_spread", "ns", NULL)                                                                  \
    X(LAYER_MEAN_DELAY, "mean_delay", "ns", NULL)                                                                      \
    X(LAYER_FIRST_ARRIVAL, "first_arrival", "ns", NULL)                                                                \
    X(LAYER_K_FACTOR, "k_factor", "dB", NULL)                                                                          \
    X(LAYER_PATHS, "paths", "paths", NULL)                                                                             \
    X(LAYER_MECHANISM, "mechanism", "", NULL)                                                                          \
    RW_RECEIVED_LAYERS(X)

enum { RW_BEAM_LAYERS(RW_LAYER_INDEX) };

/* Sums of one transmitter on the host. */
typedef struct rw_beam_host_sums {
    uint64_t *power, *delay, *delay_square, *antenna_power, *strongest;
    uint32_t *first, *paths;
} rw_beam_host_sums;

/* The open model. */
typedef struct rw_beams_state {
    const rw_prediction *prediction;
    rw_beam_settings settings;
    rw_beam_tracer tracer;
    rw_beam_evaluation evaluation;
    rw_beam_host_sums host;   /* those that the layers need; the others are NULL */
    float *power_dbm;         /* of the transmitter at hand; NULL: not asked for */
    float *histogram;         /* of all transmitters of the call; NULL: not asked for */
    rw_stored_beams stored;   /* of the call, where paths are reused */
    rw_beam_finding *finding; /* for paths; NULL: for maps */
} rw_beams_state;

/* Takes memory for the sums that the layers need; received: for powers too. */
rw_status rw_beams_allocate_sums(rw_beams_state *state, int received);
void rw_beams_free_sums(rw_beam_host_sums *host);

/* Fills the layers of count transmitters from first on; state is an rw_beams_state. */
rw_status rw_beams_solve(void *state, rw_run *run, size_t first, size_t count);

#endif
