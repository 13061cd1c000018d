/* What a cell gets of a network, site after site, in any order and in any number of parts, to the same bits: the
 * strongest and the second strongest site (of equal ones that with the lower number), how many reach a level, and the
 * power of each channel as a sum of whole numbers. add_site takes one site, join_sums another part of the sites, and
 * finish_sums makes the layers. The same source for every backend.
 *
 * A power in milliwatts is a whole number of 2^-96 mW in 128 bits: from -289 to 96 dBm. Sums of whole numbers do not
 * depend on their order, and what is left of a sum without its largest term is exact. */
#ifndef RW_NETWORK_SUMS_K_H
#define RW_NETWORK_SUMS_K_H

#include "models/engine/received/sinr.k.h"
#include "scene/antennas/antenna_shape.k.h"

typedef struct rw_exact_sum {
    uint64_t high, low; /* of 2^-32 mW and 2^-96 mW */
} rw_exact_sum;

RW_FN rw_exact_sum rw_exact_of(double power_mw)
{
    rw_exact_sum sum;
    double scaled = fmin(power_mw, 4e9) * 4294967296.0, high = floor(scaled), rest = scaled - high;
    sum.high = (uint64_t)high;
    sum.low = rest < 1.0 ? (uint64_t)(rest * 18446744073709551616.0) : 0;
    return sum;
}

RW_FN void rw_exact_add(rw_exact_sum *sum, rw_exact_sum more)
{
    sum->low += more.low;
    sum->high += more.high + (sum->low < more.low);
}

/* sum - less, where less is one of its terms. */
RW_FN rw_exact_sum rw_exact_without(rw_exact_sum sum, rw_exact_sum less)
{
    rw_exact_sum rest;
    rest.low = sum.low - less.low;
    rest.high = sum.high - less.high - (sum.low < less.low);
    return rest;
}

RW_FN double rw_exact_mw(rw_exact_sum sum)
{
    return (double)sum.high / 4294967296.0 + (double)sum.low / 79228162514264337593543950336.0;
}

RW_FN double rw_dbm_to_mw(float power_dbm)
{
    return pow(10.0, 0.1 * (double)power_dbm);
}

/* Arrays of a block of cells. */
typedef struct rw_sums_view {
    size_t columns, cells;
    float *best_dbm, *second_dbm;      /* -infinity: none */
    uint32_t *best_site, *second_site; /* from 0; RW_NO_SERVER: none */
    uint32_t *server_count;            /* sites at the level or above */
    uint8_t *is_receiver;              /* 1 where a site found a receiver */
    rw_exact_sum *channels;            /* of each channel, cell after cell */
} rw_sums_view;

RW_FN int rw_site_precedes(float a_dbm, uint32_t a, float b_dbm, uint32_t b)
{
    return a_dbm > b_dbm || (a_dbm == b_dbm && a < b);
}

/* Takes one power into the two strongest. */
RW_FN void rw_sums_rank(const rw_sums_view *sums, size_t cell, float power_dbm, uint32_t site)
{
    if (site == RW_NO_SERVER || !(power_dbm > -INFINITY))
        return;
    if (rw_site_precedes(power_dbm, site, sums->best_dbm[cell], sums->best_site[cell])) {
        sums->second_dbm[cell] = sums->best_dbm[cell];
        sums->second_site[cell] = sums->best_site[cell];
        sums->best_dbm[cell] = power_dbm;
        sums->best_site[cell] = site;
    } else if (rw_site_precedes(power_dbm, site, sums->second_dbm[cell], sums->second_site[cell])) {
        sums->second_dbm[cell] = power_dbm;
        sums->second_site[cell] = site;
    }
}

/* Begins with nothing: one item is one cell. */
struct rw_clear_sums_args {
    rw_sums_view sums;
};

RW_FN void rw_clear_sums_item(const struct rw_clear_sums_args *args, size_t item)
{
    args->sums.best_dbm[item] = args->sums.second_dbm[item] = -INFINITY;
    args->sums.best_site[item] = args->sums.second_site[item] = RW_NO_SERVER;
}

/* One site on a window of the block: one item is one cell of the window. */
struct rw_add_site_args {
    rw_sums_view sums;
    size_t columns, first;    /* of the window; its first cell in the block */
    const float *values;      /* path loss, or received power; NaN: no receiver */
    int is_power;             /* values are the received power, antenna and all */
    rw_vec3 to_first;         /* from the antenna to the receiver of the first cell, at altitude 0 */
    double res_m, flat_z_m;   /* altitude of every receiver where z_m is NULL */
    const float *z_m;         /* altitude of each receiver of the window, on terrain */
    rw_antenna_shape pattern; /* its cuts where the backend can read them */
    rw_mounting mounting;
    double power_dbm;
    float level_dbm; /* -infinity: all sites count as servers */
    uint32_t site;
    size_t channel;
    size_t loaded_channel; /* where the part of its power that its load uses is added; 0: all sites have one load */
    double load;           /* share of its resource elements that it uses */
    float *power;          /* of the window, to be filled; NULL: not asked for */
};

RW_FN void rw_add_site_item(const struct rw_add_site_args *args, size_t item)
{
    size_t row = item / args->columns, column = item - row * args->columns;
    size_t cell = args->first + row * args->sums.columns + column;
    float value = args->values[item];
    if (value != value) {
        if (args->power)
            args->power[item] = NAN;
        return;
    }
    float power_dbm = value;
    if (!args->is_power) {
        double z_m = args->z_m ? (double)args->z_m[item] : args->flat_z_m;
        rw_vec3 direction = rw_vec3_of(args->to_first.x + (double)column * args->res_m,
                                       args->to_first.y + (double)row * args->res_m, args->to_first.z + z_m);
        power_dbm = (float)(args->power_dbm + rw_shape_gain_towards(&args->pattern, &args->mounting, direction) -
                            (double)value);
    }
    if (args->power)
        args->power[item] = power_dbm;
    args->sums.is_receiver[cell] = 1;
    if (!(power_dbm > -INFINITY))
        return;
    rw_sums_rank(&args->sums, cell, power_dbm, args->site);
    args->sums.server_count[cell] += power_dbm >= args->level_dbm;
    double power_mw = rw_dbm_to_mw(power_dbm);
    rw_exact_add(args->sums.channels + args->channel * args->sums.cells + cell, rw_exact_of(power_mw));
    if (args->loaded_channel)
        rw_exact_add(args->sums.channels + args->loaded_channel * args->sums.cells + cell,
                     rw_exact_of(args->load * power_mw));
}

/* Another part of the sites on a window of the block: one item is one cell of the window. */
struct rw_join_sums_args {
    rw_sums_view sums, more;
    size_t first; /* cell of the window in the block */
    size_t channel_count;
};

RW_FN void rw_join_sums_item(const struct rw_join_sums_args *args, size_t item)
{
    const rw_sums_view *more = &args->more;
    size_t row = item / more->columns, cell = args->first + row * args->sums.columns + item - row * more->columns;
    rw_sums_rank(&args->sums, cell, more->best_dbm[item], more->best_site[item]);
    rw_sums_rank(&args->sums, cell, more->second_dbm[item], more->second_site[item]);
    args->sums.server_count[cell] += more->server_count[item];
    args->sums.is_receiver[cell] |= more->is_receiver[item];
    for (size_t i = 0; i < args->channel_count; i++)
        rw_exact_add(args->sums.channels + i * args->sums.cells + cell, more->channels[i * more->cells + item]);
}

/* The layers: one item is one cell. */
struct rw_finish_sums_args {
    rw_sums_view sums;
    rw_network_plan plan;
    const rw_network_plan *carriers; /* of each site; NULL: plan is that of all */
    const uint32_t *channels;        /* of each site */
    const double *loads; /* of each site; sums of what these use follow those of the channels; NULL: plan.load */
    size_t channel_count;
    float *best, *strongest, *second, *second_strongest, *servers, *total; /* NULL: not asked for */
    float *ci, *rsrp, *interference, *noise, *sinr, *throughput;
};

RW_FN float rw_mw_to_dbm(double power_mw)
{
    return power_mw > 0.0 ? (float)(10.0 * log10(power_mw)) : -INFINITY;
}

/* The radio system of a cell's best site. */
RW_FN const rw_network_plan *rw_carrier_of(const struct rw_finish_sums_args *args, uint32_t site)
{
    return site != RW_NO_SERVER && args->carriers ? &args->carriers[site] : &args->plan;
}

RW_FN void rw_finish_ratios(const struct rw_finish_sums_args *args, size_t cell, double others_mw, double heard_mw)
{
    uint32_t site = args->sums.best_site[cell];
    const rw_network_plan *plan = rw_carrier_of(args, site);
    double best_mw = site == RW_NO_SERVER ? 0.0 : rw_dbm_to_mw(args->sums.best_dbm[cell]);
    double sinr_db = best_mw > 0.0 ? 10.0 * log10(best_mw / (heard_mw + plan->noise_mw)) : -INFINITY;
    if (args->ci)
        args->ci[cell] = rw_carrier_db(best_mw, others_mw);
    if (args->interference)
        args->interference[cell] = rw_mw_to_dbm(heard_mw);
    if (args->noise)
        args->noise[cell] = rw_mw_to_dbm(plan->noise_mw);
    if (args->sinr)
        args->sinr[cell] = (float)sinr_db;
    if (args->throughput)
        args->throughput[cell] = (float)(1e-6 * rw_network_rate(plan, sinr_db));
}

/* What the others of the best server's channel bring, or what their loads use of it. */
RW_FN double rw_others_mw(const struct rw_finish_sums_args *args, size_t cell, int loaded)
{
    uint32_t site = args->sums.best_site[cell];
    if (site == RW_NO_SERVER)
        return 0.0;
    size_t sum = args->channels[site] + (loaded ? args->channel_count : 0);
    rw_exact_sum all = args->sums.channels[sum * args->sums.cells + cell];
    double best_mw = rw_dbm_to_mw(args->sums.best_dbm[cell]) * (loaded ? args->loads[site] : 1.0);
    double others_mw = rw_exact_mw(rw_exact_without(all, rw_exact_of(best_mw)));
    /* Parts of another backend may have rounded the power of the best server by one unit in the last place. */
    return others_mw > 1e-13 * best_mw && others_mw < 4e9 ? others_mw : 0.0;
}

RW_FN void rw_finish_sums_item(const struct rw_finish_sums_args *args, size_t item)
{
    const rw_sums_view *sums = &args->sums;
    uint32_t site = sums->best_site[item], second = sums->second_site[item];
    if (!sums->is_receiver[item])
        return;
    if (args->best)
        args->best[item] = site == RW_NO_SERVER ? NAN : (float)(site + 1);
    if (args->strongest)
        args->strongest[item] = sums->best_dbm[item];
    if (args->rsrp)
        args->rsrp[item] = (float)((double)sums->best_dbm[item] - rw_carrier_of(args, site)->element_db);
    if (args->second)
        args->second[item] = second == RW_NO_SERVER ? NAN : (float)(second + 1);
    if (args->second_strongest)
        args->second_strongest[item] = sums->second_dbm[item];
    if (args->servers)
        args->servers[item] = (float)sums->server_count[item];
    double others_mw = rw_others_mw(args, item, 0);
    rw_finish_ratios(args, item, others_mw, args->loads ? rw_others_mw(args, item, 1) : args->plan.load * others_mw);
    if (!args->total)
        return;
    rw_exact_sum all;
    all.high = all.low = 0;
    for (size_t i = 0; i < args->channel_count; i++)
        rw_exact_add(&all, sums->channels[i * sums->cells + item]);
    args->total[item] = rw_mw_to_dbm(rw_exact_mw(all));
}

#endif
