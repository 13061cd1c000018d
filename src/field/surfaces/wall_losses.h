/* Tables of what the walls of a scene cost, by the names of their slabs and materials. */
#ifndef RW_FIELD_SURFACES_WALL_LOSSES_H
#define RW_FIELD_SURFACES_WALL_LOSSES_H

#include "field/surfaces/wall_losses.k.h"
#include "scene/scene.h"

/* Fills RW_WALL_LOSS_SAMPLES + 1 samples for each surface of the scene, in the scene's order. A plain material is a
 * wall of RW_PLAIN_WALL_M; a name that nothing defines is concrete, with a warning. */
void rw_wall_losses_tabulate(const rw_scene *scene, double freq_hz, rw_wall_loss *tables);

/* The least loss of one passage over all angles of which a table tells, of all surfaces. */
double rw_wall_losses_least_db(const rw_wall_loss *tables, size_t surface_count);

#endif
