/* A network: how a run is cut into blocks, groups and chunks, the call, and what solves a chunk. */
#ifndef RW_NETWORK_NETWORK_H
#define RW_NETWORK_NETWORK_H

#include "base/maths/sha256.h"
#include "models/engine/received/received.h"
#include "models/engine/run/run.h"
#include "network/sums.h"
#include "output/maps/map.h"
#include "base/inputs.h"

#include <rasterwave/network.h>

/* How a run is cut: blocks of cells, groups of sites, and the parts that both make; the file that says so, and the
 * names of everything in the folder of a run. */

#define RW_NETWORK_PATH_MAX 4096

/* What a merge has to know, and what a second run must agree with. */
typedef struct rw_run_head {
    double x0_m, y0_m, res_m, rx_height_m;
    uint64_t columns, rows, block, group_count, site_count, channel_count;
    uint64_t own_loads;    /* 1: sites have loads of their own */
    uint64_t own_carriers; /* 1: sites have bandwidths or spatial streams of their own */
    double region_roof_m;  /* mean height of roofs where the scene comes block by block; else 0 */
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
    uint32_t *channels;        /* of each site */
    uint32_t *order;           /* the sites, those near each other together; not in the file */
    uint32_t *groups;          /* where each group begins in that order, and one more at the end */
    uint8_t *has_sites;        /* of each part: 1 where a site of its group reaches its block */
    double (*positions_m)[3];  /* of each site: x, y and height above ground */
    char *names;               /* of the sites, a line each */
    char *crs;                 /* "" where not known */
    char *provenance;          /* for the rasters */
    double *loads;             /* of each site: share of its resource elements that it uses */
    rw_network_plan *carriers; /* of each site, with own_carriers; else NULL */
    double *ranges_m;          /* of each site; not in the file */
    uint64_t shards;           /* of the run that wrote the file, for messages: results do not depend on it */
} rw_network_run_state;

/* A part by its number: group after group of block after block. */
typedef struct rw_network_chunk {
    size_t block, group;
    rw_window window; /* of the block in the region */
    rw_window cells;  /* of it, in the region, those that the group may reach: set by who computes the part */
} rw_network_chunk;

/* Sums of powers of a cell: of each channel, and of what loads use of it. */
size_t rw_sum_count(const rw_network_run_state *run);

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

/* The layers of a block from the sums of all its parts. */

/* Sums of a whole block, in main memory, and the layers that they come to. */
rw_status rw_block_sums_create(const rw_network_run_state *run, size_t block, rw_sums *sums);
rw_status rw_layers_of_sums(const rw_network_run_state *run, size_t block, rw_sums *sums, rw_map **map);

/* Reads all parts of the block, which must be there; the options of the run say which layers. */
rw_status rw_block_layers(const rw_network_run_state *run, size_t block, rw_map **map);

/* From the options of a call to a run that is cut into parts. */

typedef struct rw_network_call {
    const rw_scene *scene; /* NULL: it is loaded block by block */
    rw_predict_options prediction;
    rw_transmitter *transmitter_buffer;
    const rw_model *model;
    rw_antenna **antennas; /* of each site; neighbours in the table may share one */
    rw_network_run_state run;
    size_t skipped;   /* sites */
    rw_inputs inputs; /* files that decide on values, as they were when the run began */
} rw_network_call;

/* Takes and checks the options, finds ranges, channels, blocks and groups. To be closed, failed or not. */
rw_status rw_network_open(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                          const rw_network_options *options, rw_network_call *call);
void rw_network_close(rw_network_call *call);

/* What the run is, for the caller. */
rw_status rw_network_describe(const rw_network_call *call, rw_network_report *report);

/* How many sites from first on, and before end, stand at one place with one range. */
size_t rw_sites_alike(const rw_network_call *call, size_t first, size_t end);

/* layers.c: the options of a caller over the usual ones. */
rw_status rw_network_options_resolve(rw_context *context, const rw_network_options *user_options,
                                     rw_network_options *options);

/* Computes one part: the sites of a group on the cells of a block that they reach. */

typedef struct rw_chunk_work {
    rw_network_call *call;
    const rw_scene *scene; /* at hand */
    rw_scene *loaded;      /* where it comes block by block: that of the block below */
    size_t loaded_block;   /* SIZE_MAX: none */
    rw_sums sums;          /* of the part at hand */
    rw_window cells;       /* of these, in the region */
    float *power;          /* of a window, where each site is asked for */
    size_t power_capacity;
    rw_transmitter *distinct; /* sites of one place that differ in height or frequency */
    size_t *distinct_of;      /* of each site of the place: its number among those */
    size_t distinct_capacity;
    uint8_t *skipped;                                     /* of each site: 1 where it is bad and has been told */
    double load_s, prepare_s, solve_s, reduce_s, write_s; /* as of rw_network_report */
} rw_chunk_work;

rw_status rw_chunk_work_create(rw_network_call *call, rw_chunk_work *work);
void rw_chunk_work_destroy(rw_chunk_work *work);

/* The mean height of roofs of a region whose scene comes block by block: one pass over all of it. */
rw_status rw_region_roof(const rw_network_call *call, double *mean_m);

/* Leaves the sums of the part in work->sums. */
rw_status rw_chunk_solve(rw_chunk_work *work, size_t number);

#endif
