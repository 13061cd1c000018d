/* What a receiver gets of a network: the strongest transmitter, what the others of its channel add, and what follows
 * from both: RSRP, interference, noise, SINR, throughput. receive_power takes one transmitter after another, one item a
 * cell; network_layers then makes the layers. The same source for every backend.
 *
 * Powers are of the whole occupied band and spread evenly over its resource elements, so that ratios of powers are
 * those of a resource element. Throughput: Shannon, Shannon with losses and limits as in 3GPP TR 36.942, annex A, or
 * the steps of a rate table (rate_tables.c). */
#ifndef RW_MODELS_ENGINE_RECEIVED_SINR_K_H
#define RW_MODELS_ENGINE_RECEIVED_SINR_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>
#include <stddef.h>

#define RW_NO_SERVER UINT32_MAX

struct rw_receive_power_args {
    const uint32_t *cells;                /* of the items */
    const float *power_dbm;               /* of the transmitter at hand, one a cell; NaN: left out */
    uint32_t transmitter;                 /* from 0 */
    float field_db;                       /* field strength over power */
    float *best_dbm;                      /* of the strongest so far */
    uint32_t *server;                     /* its number */
    double *total_mw;                     /* of the transmitter's channel */
    double *loaded_mw;                    /* the same of what is used of it; NULL: all have one load */
    double load;                          /* of the transmitter */
    float *power, *field_strength, *best; /* layers of the transmitter, or of all; NULL: not asked for */
};

RW_FN void rw_receive_power_item(const struct rw_receive_power_args *args, size_t item)
{
    size_t cell = args->cells[item];
    float power_dbm = args->power_dbm[cell];
    if (args->power)
        args->power[cell] = power_dbm;
    if (args->field_strength)
        args->field_strength[cell] = power_dbm + args->field_db;
    if (power_dbm != power_dbm)
        return;
    double power_mw = pow(10.0, 0.1 * (double)power_dbm);
    args->total_mw[cell] += power_mw;
    if (args->loaded_mw)
        args->loaded_mw[cell] += args->load * power_mw;
    if (!(power_dbm > args->best_dbm[cell]))
        return;
    args->best_dbm[cell] = power_dbm;
    args->server[cell] = args->transmitter;
    if (args->best)
        args->best[cell] = (float)(args->transmitter + 1);
}

#define RW_RATE_STEPS_MAX 12
#define RW_STREAMS_MAX 64

/* Numbers of the radio system that the layers need. */
typedef struct rw_network_plan {
    double noise_mw;       /* in the occupied band, receiver included */
    double element_db;     /* resource elements of the band */
    double load;           /* share of the resource elements that interferers use */
    double bandwidth_hz;   /* of the channel */
    double efficiency;     /* of Shannon's capacity */
    double min_db, max_db; /* SINR below which nothing is received, and above which it gets no better */
    int streams;           /* spatial streams at most, 1 or more */
    int rate_count;        /* of the steps of a rate table, in place of the curve; 0: the curve */
    double rate_min_db[RW_RATE_STEPS_MAX], rate_bit_s[RW_RATE_STEPS_MAX]; /* both rise */
} rw_network_plan;

/* The best server over the others of its channel; no more than RW_CI_MAX_DB, which a server without interference has
 * too: infinity would be no value in rasters, as where nothing is received. */
#define RW_CI_MAX_DB 100.0f

RW_FN float rw_carrier_db(double best_mw, double others_mw)
{
    if (!(best_mw > 0.0))
        return -INFINITY; /* nothing is received */
    float ratio_db = others_mw > 0.0 ? (float)(10.0 * log10(best_mw / others_mw)) : RW_CI_MAX_DB;
    return ratio_db < RW_CI_MAX_DB ? ratio_db : RW_CI_MAX_DB;
}

/* Bits in a second of one stream by SINR. */
RW_FN double rw_stream_rate(const rw_network_plan *plan, double sinr_db)
{
    double used_db = sinr_db > plan->max_db ? plan->max_db : sinr_db;
    if (!(sinr_db >= plan->min_db))
        return 0.0;
    if (plan->rate_count) {
        int step = plan->rate_count - 1;
        while (step > 0 && sinr_db < plan->rate_min_db[step])
            step--;
        return plan->rate_bit_s[step];
    }
    return plan->bandwidth_hz * plan->efficiency * log2(1.0 + pow(10.0, 0.1 * used_db));
}

/* Bits in a second by SINR: as many streams as are best, each with its share of the power. Streams do not disturb each
 * other, which holds for channels of full rank: an upper bound. */
RW_FN double rw_network_rate(const rw_network_plan *plan, double sinr_db)
{
    double best = rw_stream_rate(plan, sinr_db);
    for (int streams = 2; streams <= plan->streams; streams++) {
        double rate = streams * rw_stream_rate(plan, sinr_db - 10.0 * log10((double)streams));
        best = rate > best ? rate : best;
    }
    return best;
}

struct rw_network_layers_args {
    rw_network_plan plan;
    const rw_network_plan *carriers; /* of each transmitter; NULL: plan is that of all */
    const uint32_t *cells;
    size_t cell_count;      /* of the grid */
    const float *power_dbm; /* of the last transmitter: NaN says that a cell is left out */
    const float *best_dbm;
    const uint32_t *server;
    const uint32_t *channels;                                                /* of each transmitter */
    const double *total_mw;                                                  /* of each channel, cell after cell */
    const double *loaded_mw;                                                 /* as in receive_power; NULL: plan.load */
    const double *loads;                                                     /* of each transmitter, with it */
    float *ci, *strongest, *rsrp, *interference, *noise, *sinr, *throughput; /* NULL: not asked for */
};

RW_FN void rw_network_layers_item(const struct rw_network_layers_args *args, size_t item)
{
    size_t cell = args->cells[item];
    uint32_t server = args->server[cell];
    int served = server != RW_NO_SERVER;
    const rw_network_plan *plan = served && args->carriers ? &args->carriers[server] : &args->plan;
    float none = -INFINITY;
    if (!served && args->power_dbm[cell] != args->power_dbm[cell])
        return;
    double best_mw = served ? pow(10.0, 0.1 * (double)args->best_dbm[cell]) : 0.0;
    double others_mw = served ? args->total_mw[args->channels[server] * args->cell_count + cell] - best_mw : 0.0;
    double heard_mw = others_mw > 0.0 ? args->plan.load * others_mw : 0.0;
    if (served && args->loaded_mw) {
        double loaded_mw = args->loaded_mw[args->channels[server] * args->cell_count + cell];
        double rest_mw = loaded_mw - args->loads[server] * best_mw;
        heard_mw = rest_mw > 1e-12 * loaded_mw ? rest_mw : 0.0; /* a difference of rounding is nothing */
    }
    double sinr_db = best_mw > 0.0 ? 10.0 * log10(best_mw / (heard_mw + plan->noise_mw)) : -INFINITY;
    if (args->ci)
        args->ci[cell] = rw_carrier_db(best_mw, others_mw);
    if (args->strongest)
        args->strongest[cell] = served ? args->best_dbm[cell] : none;
    if (args->rsrp)
        args->rsrp[cell] = served ? (float)((double)args->best_dbm[cell] - plan->element_db) : none;
    if (args->interference)
        args->interference[cell] = heard_mw > 0.0 ? (float)(10.0 * log10(heard_mw)) : none;
    if (args->noise)
        args->noise[cell] = (float)(10.0 * log10(plan->noise_mw));
    if (args->sinr)
        args->sinr[cell] = (float)sinr_db;
    if (args->throughput)
        args->throughput[cell] = (float)(1e-6 * rw_network_rate(plan, sinr_db));
}

#endif
