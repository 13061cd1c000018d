/* Tables of what the walls of a scene cost, by the names of their slabs and materials. */
#ifndef RW_FIELD_SURFACES_WALL_LOSSES_H
#define RW_FIELD_SURFACES_WALL_LOSSES_H

#include "field/surfaces/construction.k.h"
#include "field/surfaces/wall_losses.k.h"
#include "scene/scene.h"

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

#endif
