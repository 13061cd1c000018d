/* Paths on their way into kept gains (rw_gains): what a model hands over of each path that it finds. */
#ifndef RW_MODELS_ENGINE_RECORD_H
#define RW_MODELS_ENGINE_RECORD_H

#include "base/context.h"
#include "mechanisms/compose.k.h"
#include "models/engine/gain_path.k.h"
#include "scene/antennas/antenna.h"
#include "scene/scene.h"

#define RW_GAIN_NUMBERS_MAX (RW_GAIN_HEAD + RW_GAIN_NODES_MAX * RW_GAIN_WEDGE_NUMBERS)

/* A path as numbers, with the transmitter at one place. */
typedef struct rw_gain_frozen {
    uint32_t number_count, node_count, diffuse;
    rw_gain_node nodes[RW_GAIN_NODES_MAX];
    double numbers[RW_GAIN_NUMBERS_MAX];
} rw_gain_frozen;

/* Writes the numbers of a path whose transmitter is moved by so much; 0 where it has none. Sequence and nodes must not
 * depend on the move. */
typedef int (*rw_gain_freeze_fn)(void *user, rw_vec3 moved, rw_gain_frozen *frozen);

/* Constructions that paths meet, by name. */
typedef struct rw_recorded_wall {
    char *name;
    rw_construction wall;
    int unscattered;       /* 1: the model ignores roughness */
    uint32_t roughness[2]; /* parameters of its two outer layers */
} rw_recorded_wall;

typedef struct rw_gain_record rw_gain_record;
struct rw_gain_record {
    rw_context *context;
    const rw_scene *scene;
    int positions;
    rw_gain_path *paths;
    size_t path_count, path_capacity;
    rw_gain_node *nodes;
    size_t node_count, node_capacity;
    double *numbers, *slopes;
    size_t number_count, number_capacity, slope_capacity;
    rw_recorded_wall *walls;
    size_t wall_count, wall_capacity;
    rw_sender *senders; /* of each transmitter: set by the model; tables are the record's */
    float **tables;     /* of each transmitter; NULL: none */
    double **curves;    /* two of each transmitter: the cuts of its antenna; NULL: none */
    double step_m;      /* of differences over places; 0: the usual */
    size_t transmitter_count, point_count;
    double wavelength_m, freq_hz;
    rw_gain_frozen *scratch; /* two */
    size_t skipped;          /* paths of more interactions than are kept */
};

void rw_gain_record_free(rw_gain_record *record);

/* The number of a construction, which is added where it is new. */
rw_status rw_gain_record_wall(rw_gain_record *record, const char *name, const rw_construction *wall, int unscattered,
                              uint32_t *index);

/* The antenna of a transmitter, as the model has placed it: the pattern on the host, or the gain alone. */
rw_status rw_gain_record_pattern(rw_gain_record *record, size_t transmitter, const rw_pattern *pattern);

/* The same of a model without polarisation: the antenna's exact gain, which must live as long as the record. */
rw_status rw_gain_record_antenna(rw_gain_record *record, size_t transmitter, const rw_antenna *antenna);

/* Makes the last path weaker: trees and air. */
void rw_gain_record_attenuate(rw_gain_record *record, size_t path, double loss_db);

/* Appends a path with its slopes. */
rw_status rw_gain_record_path(rw_gain_record *record, size_t transmitter, size_t point, rw_gain_freeze_fn freeze,
                              void *user);

/* Appends a path of a loss in dB that walls have no part in, such as over the roofs: it leaves straight for the
 * receiver. The loss is differentiated over steps of step_m. */
typedef double (*rw_gain_loss_fn)(void *user, rw_vec3 source);
rw_status rw_gain_record_loss(rw_gain_record *record, size_t transmitter, size_t point, rw_vec3 source,
                              rw_vec3 receiver, double step_m, rw_gain_loss_fn loss_db, void *user);

/* How the level of a pair is composed of the power of its paths: the rule, the input from a position of the transmitter
 * but for the excess, losses that are not by buildings, and a calibrated offset that is not in the paths. */
typedef void (*rw_gain_reference_fn)(void *user, rw_vec3 source, rw_compose_input *in);
typedef struct rw_gain_reference {
    int rule; /* rw_compose_rule */
    double other_db, ground_db, offset_db;
    rw_gain_reference_fn find;
    void *user;
} rw_gain_reference;
rw_status rw_gain_record_reference(rw_gain_record *record, size_t transmitter, size_t point, rw_vec3 source,
                                   rw_vec3 receiver, const rw_gain_reference *reference);

/* The head of a path: departure, arrival (directions of travel), receiver, amplitude and length. */
void rw_gain_freeze_head(rw_gain_frozen *frozen, rw_vec3 departs, rw_vec3 arrives, const rw_pattern *receiver,
                         double amplitude, double phase_m);

/* Appends a reflection or transmission at a wall. */
void rw_gain_freeze_wall(rw_gain_frozen *frozen, uint32_t kind, uint32_t wall, rw_vec3 direction, rw_vec3 normal,
                         double cosine);

/* Appends a passage through a wall that has the powers of both polarisations in fixed shares. */
void rw_gain_freeze_mixed(rw_gain_frozen *frozen, uint32_t wall, double cosine, double te_fraction);

/* Unit vectors before and behind an interaction of a wave that has one component. */
void rw_gain_freeze_scalar(double *numbers);

#endif
