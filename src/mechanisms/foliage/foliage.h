/* The trees of a scene, ready for trees.k.h on a backend. */
#ifndef RW_MECHANISMS_FOLIAGE_FOLIAGE_H
#define RW_MECHANISMS_FOLIAGE_FOLIAGE_H

#include "device/memory.h"
#include "scene/scene.h"
#include "mechanisms/foliage/foliage.k.h"

typedef struct rw_device_foliage {
    rw_backend backend;
    rw_foliage_view view; /* on the backend, in the frame of the wall grid; tops_m NULL: the scene has none */
    rw_foliage_view host; /* the same on the host */
    float *tops_m;        /* the host's */
} rw_device_foliage;

rw_status rw_foliage_upload(const rw_scene *scene, rw_backend backend, rw_device_foliage *device);
void rw_foliage_release(rw_device_foliage *device);

#endif
