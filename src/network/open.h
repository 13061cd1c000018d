/* From the options of a call to a run that is cut into parts. */
#ifndef RW_NETWORK_OPEN_H
#define RW_NETWORK_OPEN_H

#include "base/inputs.h"
#include "network/layout.h"

typedef struct rw_network_call {
    const rw_scene *scene; /* NULL: it is loaded block by block */
    rw_predict_options prediction;
    rw_transmitter *transmitter_buffer;
    const rw_model *model;
    rw_antenna **antennas; /* of each site; neighbours in the table may share one */
    rw_network_run_state run;
    size_t skipped;   /* sites */
    rw_inputs inputs; /* files that decide on values, as they were when the run began */
} rw_network_call;

/* Takes and checks the options, finds ranges, channels, blocks and groups. To be closed, failed or not. */
rw_status rw_network_open(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                          const rw_network_options *options, rw_network_call *call);
void rw_network_close(rw_network_call *call);

/* What the run is, for the caller. */
rw_status rw_network_describe(const rw_network_call *call, rw_network_report *report);

/* How many sites from first on, and before end, stand at one place with one range. */
size_t rw_sites_alike(const rw_network_call *call, size_t first, size_t end);

/* layers.c: the options of a caller over the usual ones. */
rw_status rw_network_options_resolve(rw_context *context, const rw_network_options *user_options,
                                     rw_network_options *options);

#endif
