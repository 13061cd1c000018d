/* Beams and paths that are kept: traced once, evaluated again with other frequencies, losses, antennas and powers.
 *
 * Kept is what geometry decides: every path that holds, whatever it costs, and the beams that it is of. In memory and
 * as a file; whether it belongs to a prediction is told by the identity of the scene and by the numbers of its subject.
 */
#ifndef RW_MODELS_BEAMS_STORED_H
#define RW_MODELS_BEAMS_STORED_H

#include "models/beams/beams.h"

/* What was traced. Lengths in metres, the corner in world coordinates. */
typedef struct rw_stored_beams_subject {
    uint64_t columns, rows, outdoor_count;
    double x0_m, y0_m, res_m, height_m;
    double angle_min_rad;
    uint32_t reflections, transmissions, diffractions;
    uint32_t transmitter_count;
} rw_stored_beams_subject;

#define RW_STORED_LEVELS (RW_BEAM_LEVELS + 1)

/* What evaluation takes, on a backend: placed once, for as many evaluations as there are (stored/reuse.c). */
typedef struct rw_stored_device_paths {
    rw_backend backend;
    rw_beam *beams; /* with the losses of the last evaluation */
    struct rw_stored_group *groups;
    uint32_t *lasts; /* NULL: not placed yet */
    size_t group_count;
} rw_stored_device_paths;

/* Of one transmitter. */
typedef struct rw_stored_paths {
    rw_vec3 source; /* in the grid's frame */
    uint64_t
        level_firsts[RW_STORED_LEVELS]; /* beams by their number of interactions; the last is the number of beams */
    uint64_t path_count;
    rw_beam *beams;
    uint64_t *firsts; /* of each outdoor receiver's paths, and one more at the end */
    uint32_t *lasts;  /* the last beam of each path */
    rw_stored_device_paths on_device;
} rw_stored_paths;

typedef struct rw_stored_beams {
    uint64_t scene; /* rw_scene_identity */
    rw_stored_beams_subject subject;
    rw_stored_paths *transmitters;
} rw_stored_beams;

void rw_stored_beams_destroy(rw_stored_beams *stored);

/* The subject of a prediction. */
rw_stored_beams_subject rw_stored_beams_subject_of(const rw_prediction *prediction, const rw_beam_settings *settings);

/* Traces all transmitters of a prediction, whatever paths cost (stored/store_paths.c). */
rw_status rw_stored_beams_trace(const rw_prediction *prediction, const rw_beam_settings *settings,
                                rw_stored_beams *stored);

/* Files (stored.c). Reading checks that the file is whole and of the scene, where one is given, and that nothing in it
 * points beyond its own arrays or the walls; rw_stored_beams_check that it is of this prediction. */
rw_status rw_stored_beams_write(rw_context *context, const char *path, const rw_stored_beams *stored);
rw_status rw_stored_beams_read(rw_context *context, const char *path, const rw_scene *scene, size_t wall_count,
                               rw_stored_beams *stored);
rw_status rw_stored_beams_check(rw_context *context, const char *path, const rw_stored_beams *stored,
                                const rw_stored_beams_subject *wanted);

/* What the options' file holds: read, or traced and written where there is none (stored/reuse.c). */
rw_status rw_stored_beams_open(const rw_prediction *prediction, const rw_beam_settings *settings,
                               rw_stored_beams *stored);

/* The same for paths to points: a file that is there, and the cells that it is of, as a prediction to be released. */
rw_status rw_stored_beams_open_cells(const rw_prediction *points, const rw_beam_settings *settings,
                                     rw_prediction **cells, rw_stored_beams *stored);

/* Gives back what was placed on a backend. */
void rw_stored_paths_release(rw_stored_paths *paths);

/* Sums of one transmitter from its kept paths. */
rw_status rw_stored_paths_evaluate(rw_stored_paths *paths, rw_beam_evaluation *evaluation,
                                   const rw_beam_tracer *tracer);

#endif
