/* Beams as polygons of the map (outlines.c). */
#ifndef RW_MODELS_BEAMS_OUTLINES_H
#define RW_MODELS_BEAMS_OUTLINES_H

#include "models/beams/beams.h"

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

#endif
