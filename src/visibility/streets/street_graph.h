/* Builds the street graph (street_graph.k.h): whole, for a database, or only for the corners that a prediction reaches.
 */
#ifndef RW_VISIBILITY_STREETS_STREET_GRAPH_H
#define RW_VISIBILITY_STREETS_STREET_GRAPH_H

#include "discretise/prepared.h"
#include "discretise/receivers/receivers.h"
#include "visibility/streets/street_graph.k.h"

typedef struct rw_street_graph {
    rw_context *context;
    rw_backend backend;
    rw_street_graph_view view;       /* its arrays, on the backend, belong to this struct */
    const rw_scene *remembered_with; /* what is found of corners is kept with it (corner_memory.h); NULL: not */
    rw_device_receivers receivers;
    size_t link_count, link_capacity;
    size_t entry_count, entry_capacity;
    size_t run_count, run_capacity;
    rw_corner_sector *known;  /* on the backend, of each corner: where its receivers are there; NULL: everywhere */
    rw_corner_sector *wanted; /* on the backend: where they are wanted, at corners that are passed to see_sectors */
    uint8_t *linked, *seen;   /* of each corner, on the host: its links and its chunks are there */
    const rw_corner_list *corners; /* of the scene, in main memory */
    const rw_group_box *corner_boxes;
    uint32_t *host_groups;  /* groups of corners that links of a slice can end in */
    uint32_t *group_slice;  /* the same on the backend */
    uint32_t *slot_slice;   /* on the backend: places of horizons that are kept */
    uint32_t *corner_slice; /* on the backend */
    struct rw_corner_horizon *horizons;
    uint32_t *counts; /* on the backend: links or candidates found, entries, runs */
    size_t candidate_capacity;
    struct rw_chunk_candidate *candidates; /* on the backend, as are the next two */
    uint16_t *candidate_heights;
    uint32_t *chunk_counts; /* and as many cursors after them */
    uint8_t *requested;     /* of each chunk; NULL: all are */
} rw_street_graph;

/* An empty graph. No path is looked for above roof_m. */
rw_status rw_street_graph_create(const rw_scene *scene, const rw_receivers *receivers, float roof_m,
                                 rw_street_graph *graph);
void rw_street_graph_destroy(rw_street_graph *graph);

/* Paths are looked for up to that altitude; a graph that has not been asked so high begins anew. */
rw_status rw_street_graph_raise(rw_street_graph *graph, float roof_m);

/* No path comes from below that altitude or is longer; a graph that was made for higher sources or shorter paths begins
 * anew. */
rw_status rw_street_graph_bound(rw_street_graph *graph, float lowest_source_m, float longest_m);

/* Forgets all links and entries. */
rw_status rw_street_graph_clear(rw_street_graph *graph);

/* Adds the links from each corner of the list that has none yet. */
rw_status rw_street_graph_link(rw_street_graph *graph, const uint32_t *corners, size_t count);

/* Takes over the links of all corners from a graph of the same scene that has them. */
rw_status rw_street_graph_copy_links(rw_street_graph *graph, const rw_street_graph *from);

/* Adds each corner of the list to the chunks that see it. */
rw_status rw_street_graph_see(rw_street_graph *graph, const uint32_t *corners, size_t count);

/* The same for sectors: each corner of the list is added where its wanted sector is wider than the known one, which
 * then becomes the wanted one. The sectors must be allocated. */
rw_status rw_street_graph_allocate_sectors(rw_street_graph *graph);
rw_status rw_street_graph_see_sectors(rw_street_graph *graph, const uint32_t *corners, size_t count);

/* On a CPU: from now on corners are looked for in these chunks and in those asked for before, and no others. Corners
 * that other chunks know already are looked for in the new ones. asked: one byte a chunk. */
rw_status rw_street_graph_request(rw_street_graph *graph, const uint8_t *requested);

/* Makes room for that many more links, entries and runs. */
rw_status rw_street_graph_reserve(rw_street_graph *graph, size_t links, size_t entries, size_t runs);

#endif
