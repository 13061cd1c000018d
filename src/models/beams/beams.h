/* The beams model's pieces: settings, what is traced with, and sums over paths. */
#ifndef RW_MODELS_BEAMS_BEAMS_H
#define RW_MODELS_BEAMS_BEAMS_H

#include "device/device.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "mechanisms/rooftop/over_rooftop.h"
#include "models/beams/evaluation/raster_pieces.k.h"
#include "models/beams/trace_beams.k.h"
#include "models/engine/model.h"
#include "models/engine/record.h"

/* How pieces of beams are rasterised. */
typedef enum rw_beam_raster {
    RW_BEAM_SPANS,     /* row by row, threads share the pixels of the rows */
    RW_BEAM_SCANLINES, /* the paper's two rasterisers, over blocks of pixels */
    RW_BEAM_HALF_SPACES
} rw_beam_raster;

/* What a user may set. */
typedef struct rw_beam_settings {
    int reflections, transmissions, diffractions; /* at most, of one path */
    int theory;                                   /* 0: the constants below */
    int holm;                                     /* corners in theory after Holm; 0: after Luebbers */
    float reflection_db[RW_BEAM_ORDERS], transmission_db[RW_BEAM_ORDERS], diffraction_db[RW_BEAM_ORDERS];
    double exponent;    /* of the loss over distance */
    double constant_db; /* NaN: that of free space */
    double loss_max_db;
    double angle_min_rad; /* no wall that is seen wider than this is missed */
    double memory_bytes;  /* for beams and pieces; 0: chosen */
    int bins;             /* of the histogram; 0: none */
    double bin_s, delay_first_s;
    rw_roof_choice roofs; /* one path more over the roofs */
    int ground;           /* terrain takes from the straight path too, and the roofs below it where roofs are counted */
    int verify;           /* every path of every receiver is asked for walls and ground in its way */
    rw_beam_raster raster;
    rw_raster_tiling tiling; /* of scanlines and half spaces */
    int split_pixels;        /* of the buffer that splits beams; 0: the exact sweep does */
    int quadtree;            /* clips beams in place of the wall grid */
} rw_beam_settings;

extern const rw_model_option rw_beam_options[]; /* options.c */

void rw_beam_settings_init(rw_beam_settings *settings);

/* Takes what a prediction asks for over that, and checks it (options.c). */
rw_status rw_beam_settings_resolve(const rw_prediction *prediction, rw_beam_settings *settings);

/* What interactions cost for one transmitter, on the backend: tables at its frequency, constants of the settings, or
 * those of the prediction's parameters (losses.c). */
typedef struct rw_beam_tables {
    rw_backend backend;
    rw_beam_losses losses; /* points to the arrays below */
    void *arrays[3];
    rw_beam_losses host_losses; /* the same with arrays of the host */
    void *host_arrays[3];
} rw_beam_tables;

rw_status rw_beam_tables_create(const rw_prediction *prediction, const rw_beam_settings *settings, size_t transmitter,
                                rw_beam_tables *tables);
void rw_beam_tables_destroy(rw_beam_tables *tables);

/* What one level of the tree took, for profiling. */
typedef struct rw_beam_level {
    size_t launches, beams, pieces;
    double trace_s, evaluate_s;
} rw_beam_level;

#define RW_BEAM_LEVELS 92 /* the source's, and one for each interaction that a path can have */

/* Working memory of tracing, for all transmitters of a prediction (trace_levels.c). */
typedef struct rw_beam_tracer {
    const rw_prediction *prediction;
    const rw_beam_settings *settings;
    rw_backend backend;
    rw_wall_grid_view grid;
    rw_beam_walls walls;
    void *wall_arrays[8];
    rw_edge_grid host_edges;
    rw_edge_grid_view edges;       /* on the backend */
    rw_quadtree_view quadtree;     /* on the backend, where beams are clipped by it */
    const uint32_t *receiver_tops; /* NULL: not known */
    rw_beam *beams;
    rw_beam_piece *pieces;
    rw_beam_window *windows;
    uint32_t *counts; /* of beams, of pieces, of windows; on the backend */
    uint32_t beam_capacity, piece_capacity, window_capacity;
    rw_beam_level levels[RW_BEAM_LEVELS]; /* of the transmitter last traced */
    int timed;                            /* levels are told with times; each is waited for */
} rw_beam_tracer;

rw_status rw_beam_tracer_create(const rw_prediction *prediction, const rw_beam_settings *settings,
                                rw_beam_tracer *tracer);
void rw_beam_tracer_destroy(rw_beam_tracer *tracer);

/* The circle round a source is cut into this many beams; those of corners are cut alike. Fewer leave work to few
 * threads, more are traced one by one where one would do. */
#define RW_SOURCE_BEAMS 64

/* The first beams of a source (in the grid's frame), RW_SOURCE_BEAMS of them; returns how many. */
size_t rw_beam_start(rw_vec3 source, rw_beam *beams);

/* Arguments of the kernel that traces. */
struct rw_trace_beams_args rw_beam_trace_args(const rw_beam_tracer *tracer, rw_vec3 source,
                                              const rw_beam_losses *losses);

/* Called for every batch of pieces, which are on the backend and gone afterwards, as are the beams that they are of. */
typedef rw_status (*rw_pieces_fn)(void *user, const rw_beam_tracer *tracer, size_t beam_count, size_t piece_count);

/* Follows all beams of a source (in the grid's frame). Where they do not fit into memory at once, branches of the tree
 * are followed to their ends one after the other. */
rw_status rw_beam_trace(rw_beam_tracer *tracer, rw_vec3 source, const rw_beam_losses *losses, rw_pieces_fn on_pieces,
                        void *user);

/* Sums over the paths of every receiver (evaluate_pieces.c). */
typedef struct rw_beam_evaluation {
    const rw_prediction *prediction;
    const rw_beam_settings *settings;
    rw_backend backend;
    rw_device_receivers receivers;
    rw_beam_sums sums;                 /* on the backend */
    rw_beam_antenna *antenna;          /* on the backend, with its cuts; NULL: isotropic */
    rw_beam_antenna *receiver_antenna; /* the same of the receivers */
    size_t antenna_bytes, receiver_antenna_bytes;
    double quantum;
    double excess_s;                /* unit of excess delays in the sums */
    int fresh;                      /* the sums are all zeros, as memory of the CPU comes */
    rw_beam_find *listed_receivers; /* receivers to be asked, on the backend; NULL: each is asked at once */
    uint32_t *listed_count, listed_capacity;
    rw_raster_polygon *polygons; /* of some pieces, on the backend; NULL: they are rasterised by spans */
    rw_vec3 source;
    float ground_m; /* wavelength for what terrain takes from the straight path; 0: nothing */
    const rw_beam_losses *losses;
    rw_device_medium device_medium;
    rw_medium medium; /* of the transmitter at hand */
} rw_beam_evaluation;

/* What the sums are wanted for. */
typedef struct rw_beam_wants {
    int sums;     /* 0: none at all, paths are collected */
    int antennas; /* also with the gain of the transmitters' antennas */
    int mechanisms;
} rw_beam_wants;

rw_status rw_beam_evaluation_create(const rw_prediction *prediction, const rw_beam_settings *settings,
                                    rw_beam_wants wants, rw_beam_evaluation *evaluation);
void rw_beam_evaluation_destroy(rw_beam_evaluation *evaluation);

/* Where a transmitter stands, in the grid's frame. */
rw_vec3 rw_beam_source(const rw_prediction *prediction, size_t transmitter);

/* Empties the sums for a transmitter. */
rw_status rw_beam_evaluation_begin(rw_beam_evaluation *evaluation, size_t transmitter, const rw_beam_losses *losses);

/* Power gains in the bins of every receiver that has paths (a count a cell); values begin as zeros. */
rw_status rw_beam_evaluation_read_histogram(const rw_beam_evaluation *evaluation, const uint32_t *paths, float *values);

/* Arguments of the kernels that look at pieces. */
struct rw_evaluate_beams_args rw_beam_evaluation_args(const rw_beam_evaluation *evaluation,
                                                      const rw_beam_tracer *tracer);

/* Rasterises pieces args->first_piece and so many more by the method that is asked for. */
rw_status rw_beam_rasterise(const rw_beam_evaluation *evaluation, const struct rw_evaluate_beams_args *args,
                            size_t count);

/* For the model's table (diffraction_edges.c). */
rw_status rw_beam_diffraction_sources(const rw_prediction *prediction, size_t transmitter,
                                      rw_diffraction_source **sources, size_t *count);

/* An rw_pieces_fn; user is the evaluation. */
rw_status rw_beam_evaluate(void *user, const rw_beam_tracer *tracer, size_t beam_count, size_t piece_count);

/* Adds the path over the roofs to every receiver that does not see the source, and notes which mechanism counts where
 * that is asked for. */
rw_status rw_beam_evaluate_roofs(rw_beam_evaluation *evaluation, const rw_beam_tracer *tracer, rw_roof_choice roofs,
                                 double freq_hz);

/* Paths to points: memory for them, and those of one transmitter, appended from the strongest on (paths.c). With reuse
 * nothing is traced: they are the kept paths of the cell that each point is in, to the middle of it. */
typedef struct rw_beam_finding rw_beam_finding;
rw_status rw_beam_finding_create(rw_beam_evaluation *evaluation, rw_beam_finding **finding);
void rw_beam_finding_destroy(rw_beam_finding *finding);
rw_status rw_beam_trace_points(rw_beam_tracer *tracer, rw_beam_finding *finding, size_t transmitter, rw_paths *paths);

/* Beams as polygons of the map (outlines.c). */

typedef struct rw_beam_outline {
    rw_vec2 corners[4]; /* in the scene's coordinates, round it; one corner twice where it begins at a point */
    const char *kind;   /* "source", "reflected", "transmitted" or "diffracted" */
    int reflections, transmissions, diffractions;
    int ends;        /* at a wall; 0: cut off where it has crossed the scene */
    int conditional; /* whether walls of middling height stand in it, so that some of its rays are blocked */
} rw_beam_outline;

/* Traces the beams of one transmitter for what is drawn of them, and hands all pieces over. */
rw_status rw_beam_outlines_trace(const rw_prediction *prediction, size_t transmitter, rw_pieces_fn on_pieces,
                                 void *user);

/* Beams and pieces of a batch on the host, to be freed. */
rw_status rw_beam_pieces_fetch(const rw_beam_tracer *tracer, size_t beam_count, size_t piece_count, rw_beam **beams,
                               rw_beam_piece **pieces);

/* All pieces of the beams of one transmitter, to be freed, in the order of their interactions. */
rw_status rw_beam_outlines_create(const rw_scene *scene, const rw_predict_options *options, size_t transmitter,
                                  rw_beam_outline **outlines, size_t *count);

/* The beams model's parameters for calibration (parameters.c). */

/* The order of the parameters. */
enum {
    RW_BEAM_EXPONENT,
    RW_BEAM_CONSTANT,
    RW_BEAM_REFLECTION,       /* the first, second, third and further ones */
    RW_BEAM_TRANSMISSION = 6, /* the first and further ones */
    RW_BEAM_DIFFRACTION = 8,  /* the same */
    RW_BEAM_PARAMETERS = 10
};

/* Terms of a point: the number of its paths; and of each path: its length in dB, reflections, walls and corners. */
#define RW_BEAM_TERMS 1
#define RW_BEAM_PATH_TERMS 4

extern const rw_parameter_kind rw_beam_parameters[RW_BEAM_PARAMETERS];

rw_status rw_beam_parameter_defaults(rw_context *context, double freq_hz, double *values);

/* Adds a path to the terms of its point. */
void rw_beam_path_terms(const rw_path *path, float *terms);

/* Loss of the power sum of a point's paths, and its derivatives. */
double rw_beam_terms_loss_db(const float *terms, const double *values, double *derivatives);

/* Paths of beams for kept gains: the chain of walls and corners of each as numbers (models/engine/record.h). */

/* What the paths of one transmitter are recorded with. */
typedef struct rw_beam_recorder {
    const rw_prediction *prediction;
    size_t transmitter;
    rw_vec3 source;
    const rw_beam_losses *losses; /* with tables of the host */
    rw_edge_grid_view edges;      /* that take from paths, on the host */
    rw_wall_grid_view grid;
    uint32_t *walls; /* numbers in the record, of each surface of the scene */
} rw_beam_recorder;

/* Lists the constructions of the scene in the record. Constants in place of theory have no derivatives and are
 * refused. */
rw_status rw_beam_recorder_open(const rw_prediction *prediction, size_t transmitter, rw_vec3 source,
                                const rw_beam_losses *losses, const rw_edge_grid_view *edges, rw_gain_record *record,
                                rw_beam_recorder *recorder);
void rw_beam_recorder_close(rw_beam_recorder *recorder);

/* The path by the last beam of a chain to a receiver. */
rw_status rw_beam_record_path(const rw_beam_recorder *recorder, const rw_beam *beams, uint32_t last, rw_vec3 receiver,
                              uint32_t point, rw_gain_record *record);

#endif
