/* Constructions of a scene at one frequency, by the names of slabs and materials. */
#ifndef RW_FIELD_SURFACES_CONSTRUCTION_H
#define RW_FIELD_SURFACES_CONSTRUCTION_H

#include "field/surfaces/construction.k.h"
#include "scene/scene.h"

/* A slab of the scene, or a material as a half space. Warns outside the frequencies that a material holds for. */
rw_status rw_construction_find(const rw_scene *scene, const char *name, double freq_hz, rw_construction *wall);

/* What is said where scattering is asked for and no construction is rough. */
#define RW_NOTHING_SCATTERS                                                                                            \
    "nothing scatters: no material of the scene is rough; give roughness, such as 0.4, or materials with scattering"

/* Effective roughness of walls and roofs of buildings where scattering is asked for and no material says any:
 * Degli-Esposti and others (2007) found 0.2 to 0.4 by measurement. */
#define RW_ROUGHNESS_DEFAULT 0.4

/* The roughness of walls without one of their own: as asked, the usual one where something must scatter and no material
 * of the scene does, else NaN. */
double rw_wall_roughness(const rw_scene *scene, double requested, int must_scatter);

/* Gives a smooth wall an effective roughness S; not above 0, or NaN: none. */
void rw_construction_roughen(rw_construction *wall, double scattering);

/* The material of its thickest layer that is not air. */
const char *rw_construction_material(const rw_scene *scene, const char *name);

/* RW_CONSTRUCTION_SAMPLES + 1 samples. */
void rw_construction_tabulate(rw_context *context, const rw_construction *wall, double wavelength_m,
                              rw_wall_response *table);

#endif
