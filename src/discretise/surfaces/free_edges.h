/* Finds the edges of a scene's surfaces that diffract. */
#ifndef RW_DISCRETISE_SURFACES_FREE_EDGES_H
#define RW_DISCRETISE_SURFACES_FREE_EDGES_H

#include "discretise/surfaces/free_edges.k.h"
#include "discretise/surfaces/surfaces.h"

/* All of them; free() them. An edge that diffracts in part is listed with those parts. */
rw_status rw_free_edges_find(rw_context *context, const rw_surfaces *surfaces, rw_free_edge **edges, size_t *count);

#endif
