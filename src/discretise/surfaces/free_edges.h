/* Finds the edges of a scene's surfaces that diffract. */
#ifndef RW_DISCRETISE_SURFACES_FREE_EDGES_H
#define RW_DISCRETISE_SURFACES_FREE_EDGES_H

#include "discretise/surfaces/free_edges.k.h"
#include "discretise/surfaces/surfaces.h"

/* All of them; free() them. An edge that diffracts in part is listed with those parts. beside_buildings: those between
 * two faces of buildings, which rw_building_edges_find has, are left out. */
rw_status rw_free_edges_find(rw_context *context, const rw_surfaces *surfaces, int beside_buildings,
                             rw_free_edge **edges, size_t *count);

#endif
