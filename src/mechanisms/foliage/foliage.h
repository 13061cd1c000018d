/* The trees of a scene, ready for foliage.k.h on a backend. */
#ifndef RW_MECHANISMS_FOLIAGE_FOLIAGE_H
#define RW_MECHANISMS_FOLIAGE_FOLIAGE_H

#include "device/device.h"
#include "scene/scene.h"
#include "mechanisms/foliage/foliage.k.h"
#include "mechanisms/prediction.h"
#include "visibility/los/los.h"

typedef struct rw_device_foliage {
    rw_backend backend;
    rw_foliage_view view; /* on the backend, in the frame of the wall grid; tops_m NULL: the scene has none */
    rw_foliage_view host; /* the same on the host */
    float *tops_m;        /* the host's */
} rw_device_foliage;

rw_status rw_foliage_upload(const rw_scene *scene, rw_backend backend, rw_device_foliage *device);
void rw_foliage_release(rw_device_foliage *device);

/* The trees of a scene, ready for foliage.k.h on a backend. */

typedef struct rw_foliage_job {
    const rw_prediction *prediction; /* NULL: the scene has no trees */
    rw_backend backend;
    rw_device_foliage foliage;
    float *direct_db, *roof_db; /* on the backend, of a batch of transmitters, one a cell */
    rw_foliage_law *laws;       /* on the backend, of the same */
    rw_foliage_law *host_laws;  /* of all transmitters */
} rw_foliage_job;

/* Takes memory for a batch of transmitters, where the scene has trees. */
rw_status rw_foliage_job_create(const rw_prediction *prediction, size_t batch, int roofs, rw_foliage_job *job);
void rw_foliage_job_destroy(rw_foliage_job *job);

/* What trees cost at the frequencies of the prediction's transmitters. */
rw_status rw_foliage_job_begin(rw_foliage_job *job);

/* Fills both arrays for the transmitters of arrays, of which the first is number first of the prediction. */
rw_status rw_foliage_job_run(const rw_foliage_job *job, const rw_los_arrays *arrays, size_t first);

#endif
