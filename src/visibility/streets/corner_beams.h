/* Draws the beams of corners in the receiver plane (corner_beams.k.h) by shadow polygons, for the corners that a
 * prediction reaches. */
#ifndef RW_VISIBILITY_STREETS_CORNER_BEAMS_H
#define RW_VISIBILITY_STREETS_CORNER_BEAMS_H

#include "visibility/los/los.h"
#include "visibility/streets/corner_beams.k.h"

typedef struct rw_corner_beams {
    const rw_scene *scene;
    rw_corner_beams_view view;        /* its arrays, on the backend, belong to this struct */
    rw_los_job sight;                 /* of RW_BEAMS_A_WORD corners at a time */
    uint32_t *seen, *corners, *slots; /* the view's, to be written */
    uint32_t *host_slots;             /* RW_STREET_NONE: not drawn yet */
    size_t word_capacity;
} rw_corner_beams;

/* The receivers must stand at one altitude; receivers that are no grid are asked one by one. */
rw_status rw_corner_beams_create(const rw_scene *scene, const rw_receivers *receivers, rw_corner_beams *beams);
void rw_corner_beams_destroy(rw_corner_beams *beams);

/* Forgets all beams. */
void rw_corner_beams_clear(rw_corner_beams *beams);

/* Draws the beams of the corners of the list that have none yet. */
rw_status rw_corner_beams_draw(rw_corner_beams *beams, const uint32_t *list, size_t count);

#endif
