/* The cubes model's pieces: what it is asked for, the cubes it lays, and its search for one transmitter at a time. */
#ifndef RW_MODELS_CUBES_CUBES_H
#define RW_MODELS_CUBES_CUBES_H

#include "discretise/cubes/cubes.h"
#include "models/cubes/labels.k.h"
#include "models/cubes/sight/sight.h"
#include "models/engine/model.h"
#include "models/cubes/total_loss.k.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "mechanisms/rooftop/over_rooftop.h"

/* Labels this much worse than one of the same piece with no more deflections are not followed. At a vertical edge a
 * reflected wave goes on where the straight one does not: with 20 dB half of the paths over a reflection and a corner
 * are missed. Over roofs the over-rooftop path is the stronger one. */
#define RW_CUBES_REFLECTION_MARGIN_DB 15.0f
#define RW_CUBES_HORIZONTAL_MARGIN_DB 3.0f
#define RW_CUBES_VERTICAL_MARGIN_DB 25.0f

/* Nor are labels of so much loss: nothing after it is received. */
#define RW_CUBES_LOSS_MAX_DB 220.0f

/* options.c: most deflections of each kind, and how visibility is found. */
extern const rw_model_option rw_cubes_options[];
rw_sight_line rw_cubes_sight_line(const rw_predict_options *options);
void rw_cubes_limits(const rw_predict_options *options, int limits[RW_CUBE_KINDS]);

/* Memory of the backend that a job owns; lists take four places each. */
enum {
    RW_CUBES_RECEIVER_LISTS = 0,
    RW_CUBES_PIECE_LISTS = 4,
    RW_CUBES_POINTS = 8,
    RW_CUBES_OCCUPIED,
    RW_CUBES_SOLID,
    RW_CUBES_KEYS,
    RW_CUBES_LABELS,
    RW_CUBES_BEST,
    RW_CUBES_IN_SIGHT,
    RW_CUBES_LIST,
    RW_CUBES_LIST_COUNT,
    RW_CUBES_SIGHTS,
    RW_CUBES_TARGETS,
    RW_CUBES_CLEARANCE,
    RW_CUBES_SEEN,
    RW_CUBES_PATTERN,
    RW_CUBES_RAYS, /* two lists */
    RW_CUBES_HITS = RW_CUBES_RAYS + 2,
    RW_CUBES_LAUNCHED,
    RW_CUBES_LATEST,
    RW_CUBES_RAY_COUNTS, /* of the list being filled, and of hits */
    RW_CUBES_OWNED
};

/* Working memory of a prediction (solve.c). Arrays are the backend's unless said otherwise. */
typedef struct rw_cubes_job {
    rw_context *context;
    rw_backend backend;
    const rw_scene *scene;
    rw_cubes cubes;              /* host */
    rw_device_cubes on_device;   /* the same on the backend */
    rw_cube_search search;       /* as kernels see it; its pointers are owned here */
    const rw_vec3 *points;       /* host: the caller's receivers */
    int levels;                  /* deflections that a path may have in all */
    float *amplitudes;           /* host: table of the transmitter's antenna; NULL: none has needed one */
    rw_pattern pattern;          /* host: of the transmitter at hand */
    float peak_gain_db;          /* of it */
    rw_sight_line sight_line;    /* how the transmitter's visibility is found */
    void *owned[RW_CUBES_OWNED]; /* memory of the backend */
    double bytes;                /* of them */
    int by_rays;                 /* labels are launched stage by stage, as launch_rays.k.h does */
    uint32_t rays_together;      /* on its lists, and hits */
    size_t label_count;
    double launched; /* labels, since the job was made */
} rw_cubes_job;

/* A receiver as the search wants it: a point of the scene's local frame with its altitude. */
typedef struct rw_cubes_points {
    size_t count;
    const rw_vec3 *points;
} rw_cubes_points;

/* Lays cubes, takes memory and places receivers. limits are the most deflections of each kind; exact: cubes only find
 * candidates for paths, and geometry decides (exact_path.k.h). */
rw_status rw_cubes_job_create(const rw_scene *scene, const rw_cube_frame *frame, const rw_cubes_points *receivers,
                              const int limits[RW_CUBE_KINDS], int exact, rw_backend backend, rw_cubes_job *job);
void rw_cubes_job_destroy(rw_cubes_job *job);

/* After creation: another way than exact, or the answer of every cube wanted (rw_cubes_job_read_seen). */
rw_status rw_cubes_job_see(rw_cubes_job *job, rw_sight_line method, int store_seen);

/* What deflections cost: the curves of equation (3), and what is added to every path. */
typedef struct rw_cubes_costs {
    rw_deflection deflections[RW_CUBE_KINDS];
    double offset_db;
} rw_cubes_costs;

/* Takes memory of the backend that belongs to the job; slots are places in owned. */
rw_status rw_cubes_allocate(rw_cubes_job *job, int slot, size_t bytes, const char *what, void *pointer_out);

/* lists.c: places receivers and pieces by cube; and where a point is for lines of sight, clear of the ground's cubes.
 */
rw_status rw_cubes_upload_lists(rw_cubes_job *job, const rw_cubes_points *receivers);
void rw_cubes_lift(const rw_cubes_job *job, rw_vec3 point, const float at[3], float sight[3]);

/* solid.c: the eighths of cubes that end rays where geometry decides. */
rw_status rw_cubes_upload_solid(rw_cubes_job *job);

/* clearance.c: of each column, four numbers of eight bits, from the cubes that are filled or hold anything. */
rw_status rw_cubes_find_clearance(const rw_cubes_job *job, const uint32_t *occupied, uint32_t *clearance);

/* antenna.c: before a run, the antenna of its transmitter; isotropic where it is not called. The loss that the pattern
 * takes from a path that departs towards a place in cubes, its gain counted as negative. */
rw_status rw_cubes_job_upload_antenna(rw_cubes_job *job, const rw_antenna *antenna, const rw_transmitter *about);
double rw_cubes_departure_db(const rw_cubes_job *job, const float to[3]);

/* Searches from a source (local frame, altitude) at a frequency. */
rw_status rw_cubes_job_run(rw_cubes_job *job, rw_vec3 source, double freq_hz, const rw_cubes_costs *costs);

/* Whether the transmitter of the last run sees each cube, as rw_see_index numbers them. */
rw_status rw_cubes_job_read_seen(const rw_cubes_job *job, uint8_t *seen);

/* Whether a receiver's cube is filled. */
int rw_cubes_job_filled(const rw_cubes_job *job, size_t receiver);

/* Where the cubes of a prediction lie (frame.c). */
void rw_cubes_frame_find(const rw_prediction *prediction, rw_cube_frame *frame);

/* Which kinds of deflection a path has. */
typedef enum rw_cubes_mechanism {
    RW_CUBES_SIGHT = 0,
    RW_CUBES_CORNERS = 1,
    RW_CUBES_ROOFS = 2,
    RW_CUBES_REFLECTIONS = 4,
    RW_CUBES_SEVERAL = 5
} rw_cubes_mechanism;

typedef struct rw_cubes_answer {
    float path_loss_db; /* infinite where there is no path */
    uint8_t sight, mechanism, deflections;
    uint32_t label; /* it comes from; RW_CUBE_DIRECT in sight */
} rw_cubes_answer;

/* Answers of the last run, in the order of the caller's receivers. */
rw_status rw_cubes_job_read(const rw_cubes_job *job, rw_cubes_answer *answers);

/* A job for the receivers of a prediction that are outdoors and, after them, for so many layers of cubes over the map
 * (model.c). */
typedef struct rw_cubes_open_job {
    rw_cubes_job job;
    size_t count;
    rw_vec3 *points;
    rw_cubes_answer *answers;
} rw_cubes_open_job;

rw_status rw_cubes_open(const rw_prediction *prediction, size_t bands, rw_cubes_open_job *open);
void rw_cubes_close(rw_cubes_open_job *open);

/* cube_layers.c: layers that have a value for each cube above the map, band after band from the lowest receivers
 * upwards; NULL where one is not asked for. */
typedef struct rw_cubes_layers {
    float *visible, *filled, *sources, *supercubes;
} rw_cubes_layers;

/* How many layers of cubes that is: all from the lowest receiver's upwards but the free ones on top. */
size_t rw_cubes_bands(const rw_prediction *prediction);

/* Values of the transmitter of the last run. */
rw_status rw_cubes_layers_store(const rw_prediction *prediction, const rw_cubes_job *job, size_t bands,
                                const rw_cubes_layers *layers);

/* Centre of a cell at the height of a band, local frame. */
rw_vec3 rw_cubes_band_point(const rw_prediction *prediction, size_t cell, size_t band);

/* Appends the paths of count transmitters from first on to the receivers (paths.c). */
rw_status rw_cubes_trace(const rw_prediction *prediction, rw_cubes_open_job *open, size_t first, size_t count,
                         rw_paths *paths);

/* parameters.c: what measurements can teach the model. */
/* An offset, then four coefficients of each curve; of a path as many terms, free-space loss in place of the offset. */
#define RW_CUBES_PARAMETERS (1 + 4 * RW_CUBE_KINDS)
extern const rw_parameter_kind rw_cubes_parameters[RW_CUBES_PARAMETERS];
rw_status rw_cubes_parameter_defaults(rw_context *context, double freq_hz, double *values);
rw_cubes_costs rw_cubes_costs_of(const double *values);
rw_status rw_cubes_costs_find(const rw_prediction *prediction, size_t transmitter, rw_cubes_costs *costs);
void rw_cubes_path_terms(const rw_path *path, float *terms);
double rw_cubes_terms_loss_db(const float *terms, const double *values, double *derivatives);

/* What a map has beside the model's own paths, over a job that has searched for them. */

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
