/* Receivers along the walls of buildings, from whose losses the values inside follow. They are fixed in the scene: at
 * most 5 m apart along each wall and 0.5 m outside it, at the height above ground of the receivers inside. What enters
 * therefore depends neither on the cells of a map nor on the area that it shows.
 *
 * Surfaces of meshes that a line at that height meets are walls too, with receivers on both sides, along the longest
 * edge of each triangle in plan. A receiver inside another building, as of a wall between two, does not count. */
#ifndef RW_MECHANISMS_INDOOR_FACADES_H
#define RW_MECHANISMS_INDOOR_FACADES_H

#include "discretise/prepared.h"
#include "scene/scene.h"

#include <stdatomic.h>

#define RW_FACADE_SPACING_M 5.0
#define RW_FACADE_AWAY_M 0.5

/* All receivers along walls, by number; which count is found at the first use of each, by any thread. */
typedef struct rw_facades {
    const rw_scene *scene;
    double height_m;           /* above ground */
    uint32_t *first;           /* receiver of each wall and triangle, and one more */
    _Atomic(uint8_t) *outside; /* of each: 0 not known yet, else a number of facades.c */
} rw_facades;

/* Those of a height, cached with the scene; to be released. */
rw_status rw_facades_acquire(const rw_scene *scene, double height_m, const rw_facades **facades);
void rw_facades_release(const rw_facades *facades);

size_t rw_facades_count(const rw_facades *facades);

/* Where a receiver is, in the scene's local frame. */
rw_vec2 rw_facade_position(const rw_facades *facades, size_t receiver);

/* Where a horizontal line leaves the building. */
typedef struct rw_facade_exit {
    uint32_t receiver; /* RW_NO_FACADE: it does not leave any */
    uint32_t surface;  /* of the scene; one more than there are: a mesh, as concrete */
    float depth_m;     /* from the point to the facade */
} rw_facade_exit;

#define RW_NO_FACADE UINT32_MAX

/* The first facade with a receiver along a line from a point inside (local frame, altitude) in a direction of length 1.
 */
rw_facade_exit rw_facade_find(const rw_facades *facades, rw_vec3 from, rw_vec2 direction);

#endif
