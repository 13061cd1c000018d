/* The surfaces of a scene at one frequency: from the name of a material or slab to layers and coefficients. */
#ifndef RW_FIELD_SURFACES_SURFACE_H
#define RW_FIELD_SURFACES_SURFACE_H

#include "field/surfaces/slab.k.h"
#include "scene/scene.h"

/* A wall of a plain material has no thickness: it reflects as a half space, and lets through as a layer this thick. */
#define RW_PLAIN_WALL_M 0.2

typedef struct rw_surface {
    rw_complex permittivity; /* of the outermost layer */
    int half_space;          /* a plain material: layers holds it once, RW_PLAIN_WALL_M thick */
    size_t layer_count;
    rw_layer_field layers[RW_SLAB_LAYERS_MAX];
} rw_surface;

/* Fails where a name is neither a material nor a slab of the scene nor built in. */
rw_status rw_surface_find(const rw_scene *scene, size_t index, double freq_hz, rw_surface *surface);

/* Reflection and transmission at a cosine of incidence. */
rw_interface rw_surface_coefficients(const rw_surface *surface, double cosine_incidence, double wavelength_m);

#endif
