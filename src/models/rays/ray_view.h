/* A scene made ready for rays: its plane surfaces, constructions at a frequency, and tables, on a backend. */
#ifndef RW_MODELS_RAYS_RAY_VIEW_H
#define RW_MODELS_RAYS_RAY_VIEW_H

#include "discretise/surfaces/surfaces.h"
#include "field/surfaces/surfaces.h"
#include "field/paths/pattern.h"
#include "models/rays/ray_view.k.h"

typedef struct rw_ray_scene {
    const rw_scene *scene;
    rw_context *context;
    rw_backend backend;
    rw_surfaces_form form;
    const void *shared;   /* whose the next two are: the scene keeps them */
    rw_surfaces surfaces; /* on the host */
    rw_device_surfaces device;
    rw_refractor *slabs;                     /* of each kind, on the host */
    rw_construction *walls;                  /* the same */
    rw_ray_view view;                        /* on the backend; the caller sets antennas and source */
    rw_ray_view host;                        /* the same on the host, without tables: exact */
    rw_device_pattern transmitter, receiver; /* tables of their antennas */
    double reach_m;                          /* half the thickest slab, and a margin */
    double offset_db;                        /* calibrated, that the receiver's antenna takes */
    void *copies[3];                         /* slabs, walls, tables on the backend */
} rw_ray_scene;

typedef void (*rw_construction_adjust)(void *user, const char *material, rw_construction *wall);

typedef struct rw_ray_scene_request {
    double freq_hz;
    int exact;    /* coefficients are computed for each ray and not read from tables */
    int straight; /* rays go straight through slabs */
    rw_surfaces_form form;
    rw_construction_adjust
        adjust; /* constructions as it leaves them, told the main material of each; NULL: as they are */
    void *user;
} rw_ray_scene_request;
rw_status rw_ray_scene_create_as(const rw_scene *scene, const rw_ray_scene_request *request, rw_ray_scene *made);

/* The same with nothing else asked for. */
rw_status rw_ray_scene_create(const rw_scene *scene, double freq_hz, int exact, rw_ray_scene *made);
void rw_ray_scene_destroy(rw_ray_scene *made);

/* Puts a transmitter there: its place in the frame of the wall grid. */
rw_status rw_ray_scene_set_transmitter(rw_ray_scene *made, const rw_antenna *antenna, const rw_transmitter *about,
                                       rw_vec3 source);

/* The surface whose slab a point is in: nearer to its plane than half the thickness, and a hundredth of a millimetre at
 * least; rays that go straight through slabs know only the latter. RW_NO_SURFACE where there is none. */
uint32_t rw_ray_scene_inside(const rw_ray_scene *made, rw_vec3 point);

#endif
