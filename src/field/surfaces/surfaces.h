/* Constructions of walls, tables of their losses, and the balance of power of scattering. */
#ifndef RW_FIELD_SURFACES_SURFACES_H
#define RW_FIELD_SURFACES_SURFACES_H

#include "field/surfaces/construction.k.h"
#include "scene/scene.h"
#include "field/surfaces/wall_losses.k.h"
#include "field/surfaces/scatter_balance.k.h"

/* Constructions of a scene at one frequency, by the names of slabs and materials. */

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

/* Tables of what the walls of a scene cost, by the names of their slabs and materials. */

/* Fills RW_WALL_LOSS_SAMPLES + 1 samples for each surface of the scene, in the scene's order. A plain material is a
 * wall of RW_PLAIN_WALL_M; a name that nothing defines is concrete, with a warning. */
void rw_wall_losses_tabulate(const rw_scene *scene, double freq_hz, rw_wall_loss *tables);

/* The construction behind a name, as the tables have it; RW_PLAIN_WALL_M of a plain material. */
rw_construction rw_wall_losses_construction(const rw_scene *scene, const char *name, double freq_hz);

/* The same of a plain wall of concrete alone. */
void rw_wall_losses_of_concrete(const rw_scene *scene, double freq_hz, rw_wall_loss *table);

/* Loss of a wall that waves meet from all directions, half of them TE: what comes through of a field that is the same
 * from everywhere, integral of 2 c T(c) over the cosine c. */
double rw_wall_losses_diffuse_db(const rw_wall_loss *table);

/* The least loss of one passage over all angles of which a table tells, of all surfaces. */
double rw_wall_losses_min_db(const rw_wall_loss *tables, size_t surface_count);

/* The table that makes a diffuse lobe reciprocal: computed once for a model of roughness. */

void rw_scatter_balance_compute(const rw_scatter_model *model, rw_scatter_balance *balance);

/* "lambertian" (also NULL), "directive" or "backscattering", with exponents of 4 and three quarters of the power in the
 * specular lobe. */
void rw_scatter_lobe_init(const char *name, rw_scatter_lobe *lobe);

#endif
