/* What street graphs found out about corners, kept with the scene for the graphs of later predictions: on a CPU the
 * links from a corner, and its horizon, coarser than it was; on a GPU its horizon in the GPU's memory.
 *
 * Neither depends on the transmitter or on where receivers are, as long as the bounds of the graph are the same. Where
 * many transmitters are solved one after the other, each with receivers of its own, as with measurements, most of the
 * time would go into finding the same horizons again. */
#ifndef RW_VISIBILITY_STREETS_CORNER_MEMORY_H
#define RW_VISIBILITY_STREETS_CORNER_MEMORY_H

#include "scene/scene.h"
#include "device/device.h"
#include "visibility/streets/corner_horizons.k.h"

/* The bounds of a graph on which links and horizons depend. */
typedef struct rw_corner_bounds {
    float roof_m, reach_m, depth_m;
    float receiver_height_m, margin_m; /* of horizons */
    int taut, for_links;
} rw_corner_bounds;

typedef struct rw_corner_memory rw_corner_memory;

/* What the scene has for these bounds, empty where that is nothing; for this caller alone until it is given back. NULL
 * where memory is short: then nothing is known. */
rw_corner_memory *rw_corner_memory_borrow(const rw_scene *scene, rw_corner_bounds bounds, size_t corners);
void rw_corner_memory_return(const rw_scene *scene, rw_corner_bounds bounds, rw_corner_memory *memory);

/* The links from a corner and how many; NULL where they are not known. */
const rw_corner_link *rw_corner_memory_links(const rw_corner_memory *memory, uint32_t corner, size_t *count);

/* Whether the horizon of a corner is known; then it can be read. */
int rw_corner_memory_has_horizon(const rw_corner_memory *memory, uint32_t corner);
void rw_corner_memory_read_horizon(const rw_corner_memory *memory, uint32_t corner, rw_corner_horizon *horizon);

/* On a GPU: keeps the horizons of the first fresh corners of a slice and reads those of the others, which are known.
 * places: room on the backend for a number of each corner. */
rw_status rw_corner_memory_exchange(rw_corner_memory *memory, const uint32_t *corners, size_t fresh, size_t count,
                                    uint32_t *slots, rw_corner_horizon *horizons);

/* Keeps the links of these corners, in any order; more than there is room for is forgotten. */
void rw_corner_memory_store_links(rw_corner_memory *memory, const uint32_t *corners, size_t corner_count,
                                  const rw_corner_link *links, size_t link_count);
void rw_corner_memory_store_horizons(rw_corner_memory *memory, const uint32_t *corners, size_t count,
                                     const rw_corner_horizon *horizons);

#endif
