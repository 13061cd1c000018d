/* The shadow model's pieces: which effects it has, and a job that solves a batch of transmitters on a backend. */
#ifndef RW_MODELS_SHADOW_SHADOW_H
#define RW_MODELS_SHADOW_SHADOW_H

#include "models/engine/model.h"
#include "mechanisms/rooftop/over_rooftop.h"
#include "models/shadow/ensemble/ensemble.h"
#include "models/shadow/path_loss_steps.k.h"
#include "models/shadow/streets/streets.h"
#include "mechanisms/foliage/foliage.h"
#include "mechanisms/wall/wall_slabs.h"
#include "models/engine/record.h"

typedef enum rw_shadow_streets {
    RW_SHADOW_STREETS_NONE,
    RW_SHADOW_STREETS_BERG,
    RW_SHADOW_STREETS_POLYNOMIAL
} rw_shadow_streets;

/* Which ways a wave may take besides the straight one; none: free space everywhere. */
typedef struct rw_shadow_effects {
    rw_shadow_streets streets;
    int order;               /* most corners on a path */
    double street_excess_db; /* paths along streets end so far beyond free space over the straight line; 0: nowhere */
    int streets_alone;       /* the way along streets is wanted in sight too, and not the straight one */
    rw_shadow_roofs roofs;
    int walls;
    int slabs;         /* walls cost what their constructions do; 0: the constants of the parameters */
    int best_count;    /* how many ways are summed; 0: the best of each kind */
    int all_terms;     /* equation (20) as written: all terms on one path */
    int in_plane;      /* corners lie in the receiver plane, and their beams are drawn there, as in the paper */
    const char *prior; /* rw_prior_of's; NULL: none */
} rw_shadow_effects;

extern const rw_model_option rw_shadow_options[]; /* options.c, as the next */
rw_status rw_shadow_effects_resolve(const rw_prediction *prediction, rw_shadow_effects *effects);

/* Streets are what lies between houses: by Berg's recursion no leg between corners goes over what is higher than this
 * part of the mean height of roofs above the ground of its higher end, and none to a receiver leaves a corner higher
 * above the ground there. A mast above the roofs would otherwise see the whole city from corner to corner, and what
 * such paths bring the way over the roofs brings as well. */
#define RW_STREET_DEPTH 0.75

/* estimate.c: what a prediction would take; and the street graph of all corners, with receivers in those cells: bytes,
 * and seconds of one core. What is higher above the ground than depth_m, and corners farther than reach_m, do not
 * count. */
rw_status rw_shadow_estimate(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate);
typedef struct rw_street_cost {
    double bytes, core_s;
} rw_street_cost;
rw_street_cost rw_street_cost_of(const rw_scene *scene, const rw_map_info *cells, double reach_m, double depth_m);

/* How many members the ensemble has that the options ask for; 0: none. */
int rw_shadow_members(const rw_prediction *prediction);

/* What the interactions of one transmitter cost (parameters.c). */
rw_status rw_shadow_source_init(const rw_prediction *prediction, const rw_shadow_effects *effects, size_t transmitter,
                                rw_shadow_source *source);

/* Working memory of a batch of transmitters on the prediction's backend (solve.c). */
typedef struct rw_shadow_job {
    const rw_prediction *prediction;
    rw_shadow_effects effects;
    rw_backend backend;
    size_t batch;                 /* most transmitters at a time */
    rw_street_graph own_graph;    /* where there is no database */
    const rw_street_graph *graph; /* that or the database's; NULL without streets */
    rw_street street;
    rw_corner_beams beams; /* where corners lie in the receiver plane */
    rw_over_roofs over_roofs;
    rw_los_job sight;               /* line of sight, and wall counts where they are needed */
    rw_shadow_source *sources;      /* on the backend */
    rw_shadow_source *host_sources; /* of all transmitters */
    size_t host_source_count;
    rw_shadow_source cached_source; /* what interactions cost at the frequency below */
    double cached_freq_hz;          /* 0: none yet */
    struct rw_shadow_path_loss_args args;
    rw_foliage_job foliage; /* where the scene has any */
    rw_slab_job slabs;      /* where walls cost what their constructions do */
    rw_ensemble ensemble;   /* where standard deviations are asked for */
    int no_loss;            /* sight and walls alone */
    int stores_paths;       /* for paths and not for a map */
    int in_steps;           /* solves as path_loss_steps.k.h does */
    uint64_t *street_keys;
    rw_street_open *open;
    uint32_t *open_count;
    rw_composition *compositions; /* on the backend, for link budgets; NULL: none yet */
} rw_shadow_job;

/* What is to be kept of a run beside the losses. */
typedef struct rw_shadow_needs {
    int sight, walls; /* for their layers */
    int no_loss;      /* path loss is not asked for: sight and walls alone */
    int paths;        /* which path each receiver takes, for rw_shadow_trace */
    int strongest;    /* all ways that were kept, not the best alone */
    int steps;        /* solve in steps where it could be done at once */
    int members;      /* of an ensemble; 0: none */
} rw_shadow_needs;

rw_status rw_shadow_job_create(const rw_prediction *prediction, rw_shadow_effects effects, rw_shadow_needs needs,
                               rw_shadow_job *job);
void rw_shadow_job_destroy(rw_shadow_job *job);

/* After the prediction has got other transmitters, and once after the job was made: what they cost, and how high paths
 * may go. */
rw_status rw_shadow_job_begin(rw_shadow_job *job);

/* Solves count transmitters from first on. What it finds is in job->args until the next run. */
rw_status rw_shadow_job_run(rw_shadow_job *job, size_t first, size_t count);

/* The wall grid on the host as the kernels have it: as wide as the job's coordinates, over the same earth. */
rw_wall_grid_view rw_shadow_host_grid(const rw_shadow_job *job);

/* For the model's table (diffraction_edges.c). */
rw_status rw_shadow_diffraction_sources(const rw_prediction *prediction, size_t transmitter,
                                        rw_diffraction_source **sources, size_t *count);

/* Appends the path that each receiver takes (paths.c). */
rw_status rw_shadow_job_trace(rw_shadow_job *job, size_t first, size_t count, rw_paths *paths);

/* Terms of points to which all mechanisms contribute, and their loss (terms.c). Terms that an earlier call found for
 * the same points are passed again, so that only what depends on the parameters is solved; otherwise zeros. */
rw_status rw_shadow_point_terms(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                size_t count, float *terms, int *done);
double rw_shadow_mechanisms_loss_db(const float *terms, const double *values, double *derivatives);

/* Ways of the shadow model for kept gains: what each loses as numbers (models/engine/record.h). */

/* Refuses effects that gradients do not have. */
rw_status rw_shadow_check_record(const rw_shadow_job *job);

/* Appends the ways of one transmitter of the batch, its number in_batch there; paths: those round corners. */
rw_status rw_shadow_record(const rw_shadow_job *job, size_t transmitter, size_t in_batch, const rw_street_path *paths,
                           rw_gain_record *record);

#endif
