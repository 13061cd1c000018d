/* What receivers get of all transmitters together: received power, best server, SINR and throughput. The same for
 * every model: it gives path losses or received powers, one transmitter after another. */
#ifndef RW_MODELS_ENGINE_RECEIVED_RECEIVED_H
#define RW_MODELS_ENGINE_RECEIVED_RECEIVED_H

#include "mechanisms/indoor/indoor.h"
#include "models/engine/model.h"
#include "models/engine/received/sinr.k.h"

/* Working memory, a value a cell, kept from one call to the next. */
typedef struct rw_received_memory {
    float *power_dbm;   /* of the transmitter at hand */
    float *best_dbm;    /* of the strongest */
    uint32_t *server;   /* its number, from 0; RW_NO_SERVER: nothing is received */
    uint32_t *channels; /* of each transmitter, from 0: those that interfere share one (channels.c) */
    size_t transmitter_count, channel_count;
    double *loads;             /* of each transmitter */
    rw_network_plan *carriers; /* of each transmitter; NULL: all have the system of the options */
    double *loaded_mw;         /* as total_mw, times loads; NULL: all have the load of the options */
    double *total_mw;          /* of each channel, cell after cell; the last array that is taken */
} rw_received_memory;

void rw_received_memory_free(rw_received_memory *memory);

typedef struct rw_received {
    const rw_prediction *prediction;
    rw_received_memory *memory;
    /* Values of the layers; NULL: not asked for. */
    float *power, *field_strength, *best, *ci, *coverage_probability;
    float *strongest, *rsrp, *interference, *noise, *sinr, *throughput;
    rw_network_plan plan;
    rw_status status;  /* of the launches so far, for rw_received_finish */
    const char *prior; /* that powers of models are composed with; NULL: none */
    rw_indoor *indoor; /* what cells inside buildings get; NULL: nothing */
} rw_received;

/* Whether a layer is made here. */
int rw_layer_is_received(const char *name);

/* Whether a list of layers has one that needs received powers. */
int rw_layers_need_power(const char *layers);

/* The values of a layer, if it is one that is made here. */
void rw_received_set_layer(rw_received *received, const char *name, float *values);

/* Whether anything is asked for that needs received powers. */
int rw_received_wanted(const rw_received *received);

/* Before the first transmitter: takes memory where it is not there yet. */
rw_status rw_received_begin(rw_received *received);

/* Takes the path losses of one transmitter after another, one a cell. */
rw_status rw_received_add(rw_received *received, size_t transmitter, const float *path_loss_db);

/* The same for a model that knows the received power itself, with the antenna's gain along each path. NaN: the cell is
 * left out. */
rw_status rw_received_add_power(rw_received *received, size_t transmitter, const float *power_dbm);

/* The powers of receivers inside buildings alone, after those outside, if there are any. */
rw_status rw_received_add_inside(rw_received *received, size_t transmitter);

/* The same of some cells alone: memory->power_dbm holds the power at these, antenna, air and all. */
void rw_received_add_cells(rw_received *received, size_t transmitter, const uint32_t *cells, size_t count);

/* In place of rw_received_finish: makes the layers of these cells, of which NaN in memory->power_dbm leaves out those
 * without a server. */
rw_status rw_received_finish_cells(rw_received *received, const uint32_t *cells, size_t count);

/* With coverage_probability asked for, after the path losses of the same transmitter: the probability that the received
 * power reaches the level of the options, with standard deviations of the power, one a cell. */
rw_status rw_received_find_probability(rw_received *received, size_t transmitter, const float *sigma_db);

/* After the last transmitter; also fails where an earlier step did. */
rw_status rw_received_finish(rw_received *received);

/* Which transmitters interfere: those of the same frequency and the same channel. */

/* Numbers the channels of a prediction's transmitters from 0, in the order of their first transmitter; channels
 * receives one for each transmitter. Returns how many there are. */
size_t rw_channels_find(const rw_prediction *prediction, uint32_t *channels);

/* The radio system behind the layers of a network: bandwidth, resource elements, noise, load. */

/* From the options of a prediction. */
rw_status rw_network_plan_init(const rw_prediction *prediction, rw_network_plan *plan);

/* The same where there is no scene yet; the options are settled. */
rw_status rw_network_plan_of(rw_context *context, const rw_predict_options *options, rw_network_plan *plan);

/* Whether a transmitter has a bandwidth or spatial streams of its own; the radio system of each, to be freed, or NULL
 * if none has. */
int rw_has_own_carriers(const rw_predict_options *options);
rw_status rw_carriers_create(rw_context *context, const rw_predict_options *options, rw_network_plan **carriers);

/* Data rates by SINR of systems that have steps: IEEE 802.11 (Wi-Fi) and LoRa.
 *
 * 802.11: rates of one spatial stream by modulation, code rate, data subcarriers of the channel (20, 40, 80 or 160 MHz,
 * the widest that fits the bandwidth) and symbol time with a guard interval of 0.8 us: IEEE 802.11-2020, sections 19.5
 * and 21.5, IEEE 802.11ax-2021, section 27.5. The SINR of a step is its minimum input level sensitivity over the noise
 * that the standard assumes (tables 19-23, 21-25 and 27-51: a noise figure of 10 dB and 5 dB for the implementation),
 * -91 dBm in 20 MHz. LoRa: spreading factors 12 to 7 with a code rate of 4/5, SNR of the demodulator: Semtech SX1276
 * data sheet. */

/* Sets the steps of a table by its name, an option throughput; other names leave the plan as it is. */
void rw_rate_table_apply(const char *name, rw_network_plan *plan);

#endif
