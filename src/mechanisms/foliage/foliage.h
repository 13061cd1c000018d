/* The trees of a scene, ready for trees.k.h on a backend. */
#ifndef RW_MECHANISMS_FOLIAGE_FOLIAGE_H
#define RW_MECHANISMS_FOLIAGE_FOLIAGE_H

#include "device/memory.h"
#include "scene/scene.h"
#include "mechanisms/foliage/foliage.k.h"

typedef struct rw_placed_trees {
    rw_backend backend;
    rw_trees_view view; /* on the backend, in the frame of the wall grid; tops_m NULL: the scene has none */
    rw_trees_view host; /* the same on the host */
    float *tops_m;      /* the host's */
} rw_placed_trees;

rw_status rw_trees_place(const rw_scene *scene, rw_backend backend, rw_placed_trees *placed);
void rw_trees_remove(rw_placed_trees *placed);

#endif
