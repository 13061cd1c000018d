/* How a run is cut: blocks of cells, groups of sites, and the parts that both make; the file that says so, and the
 * names of everything in the folder of a run. */
#ifndef RW_NETWORK_LAYOUT_H
#define RW_NETWORK_LAYOUT_H

#include "base/maths/sha256.h"
#include "models/engine/received/sinr.h"
#include "models/engine/run/ranges.h"
#include "network/sums.h"

#include <rasterwave/network.h>

#define RW_NETWORK_PATH_MAX 4096

/* What a merge has to know, and what a second run must agree with. */
typedef struct rw_run_head {
    double x0_m, y0_m, res_m, rx_height_m;
    uint64_t columns, rows, block, group_count, site_count, channel_count;
    uint64_t own_loads;   /* 1: sites have loads of their own */
    double region_roof_m; /* mean height of roofs where the scene comes block by block; else 0 */
    rw_network_plan plan;
    char model[32], prior[32];
    char backend[16], isa[16];
    unsigned char identity[RW_SHA256_BYTES]; /* rw_run_identity_add, and options of the network */
} rw_run_head;

typedef struct rw_network_run_state {
    rw_context *context;
    rw_network_options options;
    rw_run_head head;
    rw_map_info cells;
    uint32_t *channels;       /* of each site */
    uint32_t *order;          /* the sites, those near each other together; not in the file */
    uint32_t *groups;         /* where each group begins in that order, and one more at the end */
    uint8_t *has_sites;       /* of each part: 1 where a site of its group reaches its block */
    double (*positions_m)[3]; /* of each site: x, y and height above ground */
    char *names;              /* of the sites, a line each */
    char *crs;                /* "" where not known */
    char *provenance;         /* for the rasters */
    double *loads;            /* of each site: share of its resource elements that it uses */
    double *ranges_m;         /* of each site; not in the file */
    uint64_t shards;          /* of the run that wrote the file, for messages: results do not depend on it */
} rw_network_run_state;

/* A part by its number: group after group of block after block. */
typedef struct rw_network_chunk {
    size_t block, group;
    rw_window window; /* of the block in the region */
    rw_window cells;  /* of it, in the region, those that the group may reach: set by who computes the part */
} rw_network_chunk;

/* Sums of powers of a cell: of each channel, and of what loads use of it. */
size_t rw_sum_count(const rw_network_run_state *run);

size_t rw_block_columns(const rw_network_run_state *run);
size_t rw_block_count(const rw_network_run_state *run);
size_t rw_chunk_count(const rw_network_run_state *run);
rw_network_chunk rw_chunk_at(const rw_network_run_state *run, size_t number);
rw_window rw_block_window(const rw_network_run_state *run, size_t block);

/* Cells that a part of the region and what a site reaches have in common; columns 0: none. */
rw_window rw_site_window(const rw_network_run_state *run, rw_window block, const rw_transmitter *site, double range_m);

/* 0: of a block in memory, which has no identity. */
int rw_network_has_folder(const rw_network_options *options);

/* The start of the identity, for the headers of files. */
uint64_t rw_run_identity_start(const rw_network_run_state *run);

size_t rw_chunks_done(const rw_network_run_state *run);

/* Names in the folder of a run. */
void rw_chunk_path(const rw_network_run_state *run, size_t number, char path[RW_NETWORK_PATH_MAX]);

/* layout_file.c: the file parts/plan. Writing rejects a folder that has the chunks of another run. */
int rw_plan_file_is_there(const char *folder);
rw_status rw_plan_file_write(const rw_network_run_state *run);
rw_status rw_plan_file_read(rw_context *context, const char *folder, rw_network_run_state *run);
void rw_network_run_free(rw_network_run_state *run);

/* chunk_file.c: what is under the name of a chunk. Damaged and unfinished files are missing: they are written anew. */
typedef enum rw_chunk_state {
    RW_CHUNK_MISSING,
    RW_CHUNK_DONE, /* whole and of this run, or without sites */
    RW_CHUNK_OTHER /* whole, but of other inputs */
} rw_chunk_state;
rw_chunk_state rw_chunk_state_of(const rw_network_run_state *run, size_t number);

/* The sums of the cells of a chunk as a file; and added to those of its block. */
rw_status rw_chunk_write(const rw_network_run_state *run, size_t number, rw_window cells, rw_sums *sums);
rw_status rw_chunk_join(const rw_network_run_state *run, size_t number, rw_sums *sums);

#endif
