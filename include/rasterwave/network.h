/* rasterwave: networks of many sites over whole regions, in parts, on many machines.
 *
 * A run is cut into parts: a block of cells times a group of sites. Each part is computed once, by whichever process
 * comes first, and written to a folder; a merge puts them together. What comes out does not depend on how many parts
 * and processes there were, to the byte. docs/how-to/network.md has the method. Conventions are those of rasterwave.h.
 */
#ifndef RASTERWAVE_NETWORK_H
#define RASTERWAVE_NETWORK_H

#include <rasterwave/rasterwave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Loads what a scene has in an area (west, south, east, north) and commits it. Status as of other calls, with a
 * sentence kept by the library; *scene NULL with RW_OK: there is nothing. */
typedef rw_status (*rw_network_scene_fn)(void *user, const double area_m[4], rw_scene **scene);

/* Options of rw_network_run and rw_network_merge. */
typedef struct rw_network_options {
    size_t size;
    const char *folder; /* for the parts, in its folder "parts", and the layers */
    /* Comma-separated: best, strongest, second, second_strongest, servers, total, ci, rsrp, interference, noise, sinr,
     * throughput. NULL: best,strongest,sinr */
    const char *layers;
    double level_dbm;         /* sites at this power or above count as servers; NaN: all that are received */
    size_t block;             /* side of a block in cells */
    size_t group;             /* sites of a part, about */
    size_t shard;             /* which of the shards, from 1, this call computes */
    size_t shards;            /* 1: everything */
    int per_site;             /* 1: the power of each site as a raster of its own, in the folder "sites" */
    int centi_db;             /* 1: rasters of 16-bit whole numbers, hundredths of the unit */
    int skip_bad;             /* 1: sites that no prediction can be made from are left out, and told as warnings */
    rw_network_scene_fn load; /* NULL: the scene of the call is all there is */
    void *user;               /* handed to it */
    const char *scene_name;   /* for load: what the scene is, which a later run must agree with; NULL: the scene of the
                                 call, which may be a small part of the region, has been read from the same files */
    const char *crs;          /* for load: of the region; NULL: not known */
    double margin_m;          /* for load: read so far beyond the block and its sites */
    double region_roof_m;     /* for load, of rw_network_block: as of rw_network_region_roof; 0: measured first */
} rw_network_options;

/* Blocks of 2048 cells, 48 sites a part, one shard. */
RW_API void rw_network_options_init_sized(rw_network_options *options, size_t size);
#define rw_network_options_init(options) rw_network_options_init_sized((options), sizeof *(options))

/* What a run came to. */
typedef struct rw_network_report {
    size_t size;
    size_t columns, rows;  /* cells of the region */
    size_t block;          /* side of a block in cells */
    size_t blocks, chunks; /* of the run */
    size_t done;           /* parts that are there now */
    size_t computed;       /* parts by this call */
    size_t sites, skipped; /* of the table; bad ones, with skip_bad */
    size_t reaching;       /* sites whose range reaches the region */
    double site_cells;     /* cells within the ranges, of all sites together */
    double bytes;          /* of memory for the sums of a block */
    double x0_m, y0_m;     /* south-west corner of the region */
    double res_m;          /* side of a cell */
    /* Seconds of this call: reading scenes by blocks, laying out receivers and models, predictions, adding them up,
     * writing parts and rasters of sites; of rw_network_merge, all of it. */
    double load_s, prepare_s, solve_s, reduce_s, write_s, merge_s;
} rw_network_report;

/* How a run would be cut, without computing anything. scene may be NULL if options->load is there and the area of
 * the prediction is given. */
RW_API rw_status rw_network_estimate(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                                     const rw_network_options *options, rw_network_report *report);

/* Computes the parts of one shard that are not there yet; RW_OK: all of the shard are there. The same call again
 * resumes where an earlier one ended, however that was. Processes that compute the same part write the same bytes. */
RW_API rw_status rw_network_run(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                                const rw_network_options *options, rw_network_report *report);

/* One block of a network in memory, for schedulers that call from several processes: its layers, of all sites, with
 * the values that rw_network_run and rw_network_merge give. Blocks are numbered row by row from the south-west corner.
 * Of the options folder, shards and per_site do not count. *map is to be destroyed. */
RW_API rw_status rw_network_block(rw_context *context, const rw_scene *scene, const rw_predict_options *prediction,
                                  const rw_network_options *options, size_t block, rw_map **map);

/* The mean height of roofs of a region whose scene comes block by block, on which losses in streets depend: one pass
 * over all of it. 0 without load. */
RW_API rw_status rw_network_region_roof(rw_context *context, const rw_scene *scene,
                                        const rw_predict_options *prediction, const rw_network_options *options,
                                        double *mean_m);

/* Puts all parts of a folder together: a raster for each layer, LAYER.tif, or with several blocks LAYER.vrt over
 * rasters in the folder "blocks". Fails where parts are missing. Of the options only folder, layers and centi_db count.
 */
RW_API rw_status rw_network_merge(rw_context *context, const rw_network_options *options, rw_network_report *report);

#ifdef __cplusplus
}
#endif

#endif
