/* rasterwave: choosing sites, and what stands on them.
 *
 * From candidates, each a transmitter with a cost, and lists of azimuths, tilts, powers and antennas to the choice that
 * covers most weight, or serves best, within limits. docs/how-to/plan.md has the method. Conventions are those of
 * rasterwave.h. */
#ifndef RASTERWAVE_PLAN_H
#define RASTERWAVE_PLAN_H

#include <rasterwave/rasterwave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a candidate is there already. */
typedef enum rw_plan_keep {
    RW_PLAN_FREE,  /* it may be chosen */
    RW_PLAN_KEEP,  /* it stays; its azimuth, tilt, power and antenna are chosen */
    RW_PLAN_FIXED, /* it stays as it is */
} rw_plan_keep;

/* What a plan knows of a candidate beside its transmitter. */
typedef struct rw_plan_candidate {
    size_t size;
    const char *site; /* candidates of one site are its sectors, in one place; NULL or "": it has a site of its own */
    double cost;      /* of the sector */
    double site_cost; /* of the site, once for all of its sectors */
    rw_plan_keep keep;
} rw_plan_candidate;

/* A sites table with the columns site, cost, site_cost and keep (no, yes or fixed) beside its own. Both arrays have
 * *count elements and are to be freed with rw_free; on failure they are NULL. options may be NULL. */
RW_API rw_status rw_plan_candidates_load_sized(rw_context *context, const char *path, const rw_sites_options *options,
                                               size_t transmitter_size, size_t candidate_size,
                                               rw_transmitter **transmitters, rw_plan_candidate **candidates,
                                               size_t *count, size_t *skipped);
#define rw_plan_candidates_load(context, path, options, transmitters, candidates, count, skipped)                      \
    rw_plan_candidates_load_sized((context), (path), (options), sizeof **(transmitters), sizeof **(candidates),        \
                                  (transmitters), (candidates), (count), (skipped))

/* Options of rw_plan_create. Lists that are empty leave each candidate its own value. */
typedef struct rw_plan_options {
    size_t size;
    const rw_predict_options *predict;   /* model and cells; its transmitters are the candidates */
    const rw_plan_candidate *candidates; /* one for each; NULL: each a free site that costs 1 */
    const double *azimuths_deg, *tilts_deg, *powers_dbm;
    size_t azimuth_count, tilt_count, power_count;
    const char *const *antennas;
    size_t antenna_count;
    int sectors;           /* of each candidate, all with these choices; 1 */
    const char *objective; /* "coverage": weight that receives the level; "sinr": a percentile; "rate": mean Mbit/s */
    double level_dbm;      /* received power of a covered cell; coverage needs it */
    double percentile;     /* sinr: that so many percent of the weight do not reach; 10 */
    const char *weights; /* raster whose pixels are shared among the cells, such as people; NULL: each cell its area */
    const char *zones;   /* polygons: elsewhere there is no weight; NULL: everywhere */
    const char *zone_field; /* attribute with the weight of a zone, shared evenly among its cells; NULL: as elsewhere */
    int sites_max;          /* at most so many sites, kept ones among them; 0: any number */
    int sectors_max;        /* the same of sectors */
    double budget;          /* for what is not there already; NaN: any cost */
    double distance_min_m;  /* between two sites of which one is new; 0 */
    uint64_t seed;          /* of the annealing */
    int rounds;             /* of it; 0: none */
    int skip_bad;           /* 1: candidates that cannot be used are left out and counted; 0: they are refused */
    rw_warning_fn on_skipped; /* receives a sentence for each; NULL: the first are told as warnings */
    void *user;               /* handed to it */
    double confidence; /* coverage: probability with which a covered cell receives the level, 0.9; NaN: by the median */
    double shadowing_db;   /* of confidence: spread of single locations around the prediction; 8 */
    double correlation_m;  /* of confidence: distance at which their correlation is 1/e; 50 */
    double target_percent; /* of confidence: of the weight that is to be covered; NaN: none */
    const double
        *rx_heights_m;      /* several heights of receivers, such as those of storeys, planned together; at most 64 */
    size_t rx_height_count; /* 0: that of predict */
    const double *floors;   /* the same for storeys of buildings, the option floor of predict with indoor */
    size_t floor_count;
} rw_plan_options;

/* coverage, one sector, no limits, 100 rounds, seed 1 */
RW_API void rw_plan_options_init_sized(rw_plan_options *options, size_t size);
#define rw_plan_options_init(options) rw_plan_options_init_sized((options), sizeof *(options))

/* A finished plan. */
typedef struct rw_plan rw_plan;

/* What a plan would take: cells, transmitters (places to predict), memory and time. */
RW_API rw_status rw_plan_estimate(const rw_scene *scene, const rw_plan_options *options, rw_estimate *estimate);

/* Predicts every place once, chooses, and predicts what was chosen. On failure *plan is NULL. */
RW_API rw_status rw_plan_create(const rw_scene *scene, const rw_plan_options *options, rw_plan **plan);
/* Frees a plan and its maps; NULL is allowed. */
RW_API void rw_plan_destroy(rw_plan *plan);

/* Values are in the objective's unit: weight, dB or Mbit/s. */
typedef struct rw_plan_info {
    size_t size;
    const char *objective, *unit;
    size_t candidates, skipped, sites, positions, configurations;
    size_t useless;   /* candidates of which no configuration covers anything */
    double weight;    /* of all receivers */
    double before;    /* by what stays alone */
    double greedy;    /* after the greedy steps */
    double value;     /* of the choice, by the gains that it was made with */
    double predicted; /* of the choice, by a prediction of it */
    double rms_db;    /* how far the strongest powers of both differ, over the cells that both have */
    double bound;     /* coverage: no choice within the limits is better; NaN: not known */
    int optimal;      /* 1: all choices were compared or excluded */
    double guarantee; /* share of the optimum that greedy always reaches under such limits; NaN: none known */
    double cost;      /* of what is new */
    size_t chosen_sites, chosen_sectors;
    double evaluated;                       /* changes whose worth was found */
    double predict_s, search_s, evaluate_s; /* evaluate_s: of the search, to find what changes are worth */
    double gain_bytes;                      /* memory of the places' gains */
    /* With a confidence, by draws of shadowing over the prediction; else NaN: the weight that is covered on average and
     * with the probability "confidence", and the probability of reaching the target. */
    double expected, assured, target_probability;
} rw_plan_info;

/* Counts, values and times of a plan. */
RW_API rw_status rw_plan_get_info(const rw_plan *plan, rw_plan_info *info);

/* One change on the way to the choice. */
typedef struct rw_plan_step {
    size_t size;
    const char *phase;                           /* "keep", "greedy", "swap", "anneal" or "exact" */
    const char *change;                          /* "add", "replace" or "remove" */
    const char *name;                            /* of the sector that is added, or removed */
    const char *removed;                         /* replace: of the sector that went; else "" */
    double azimuth_deg, downtilt_deg, power_dbm; /* of what is added */
    const char *antenna;
    double value, cost; /* after it */
} rw_plan_step;

/* Number of changes. */
RW_API size_t rw_plan_step_count(const rw_plan *plan);
/* One change, from 0. */
RW_API rw_status rw_plan_get_step(const rw_plan *plan, size_t index, rw_plan_step *step);

/* Number of chosen sectors. */
RW_API size_t rw_plan_chosen_count(const rw_plan *plan);
/* One of them, from 0: its transmitter, whose texts belong to the plan, and the number of its candidate as given. */
RW_API rw_status rw_plan_get_chosen(const rw_plan *plan, size_t index, rw_transmitter *transmitter, size_t *candidate);

/* The choice as a sites table, which rw_sites_load reads. */
RW_API rw_status rw_plan_write_sites(const rw_plan *plan, const char *path);

/* Prediction of what stays alone, with the layers strongest and best, and for sinr and rate also sinr and throughput.
 * It belongs to the plan; NULL: nothing stays. */
RW_API const rw_map *rw_plan_map_before(const rw_plan *plan);
/* The same of the choice. */
RW_API const rw_map *rw_plan_map_after(const rw_plan *plan);
/* The weight of each receiver, as the layer weight. */
RW_API const rw_map *rw_plan_map_weights(const rw_plan *plan);

/* With several heights or floors: how many, and the maps of one of them, from 0. The calls above return those of the
 * first. */
RW_API size_t rw_plan_level_count(const rw_plan *plan);
/* What stays alone; NULL: nothing stays. */
RW_API const rw_map *rw_plan_map_before_at(const rw_plan *plan, size_t level);
/* The choice. */
RW_API const rw_map *rw_plan_map_after_at(const rw_plan *plan, size_t level);
/* Weights. */
RW_API const rw_map *rw_plan_map_weights_at(const rw_plan *plan, size_t level);

#ifdef __cplusplus
}
#endif
#endif
