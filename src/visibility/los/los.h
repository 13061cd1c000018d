/* Line of sight and wall count from many sources to a receiver grid, in forms that agree:
 * - polar: polar buffers that answer most receivers at once, exact marches for the rest; the fastest, line of sight
 * only
 * - march: grid march
 * - polygons: shadow polygons rasterised with additive blending, after Rick and Kuhlen (2010)
 * - sectors: a tree of directions, whose cost grows as the city does; wall counts
 * - brute: every wall in double, the oracle */
#ifndef RW_VISIBILITY_LOS_LOS_H
#define RW_VISIBILITY_LOS_LOS_H

#include "discretise/prepared.h"
#include "discretise/receivers/receivers.h"
#include "visibility/los/sight.k.h"
#include "visibility/los/polygons/polygons.h"

typedef enum rw_los_method {
    RW_LOS_AUTO,
    RW_LOS_POLAR,
    RW_LOS_MARCH,
    RW_LOS_POLYGONS,
    RW_LOS_SECTORS,
    RW_LOS_BRUTE
} rw_los_method;

rw_status rw_los_method_parse(rw_context *context, const char *name, rw_los_method *method);

/* Arrays of one call on its backend. */
typedef struct rw_los_job {
    rw_context *context;
    rw_backend backend;
    rw_los_method method;
    rw_los_arrays arrays;
    rw_device_receivers receivers;
    rw_vec2 centre;         /* of the grid's frame */
    size_t source_capacity; /* most sources at a time */
    size_t slice;           /* on a device: sources that polar buffers have room for */
    int counts_only;        /* line of sight is not asked for where wall counts tell it: set by the caller */
    int roofs;              /* 1: roofs on the line are counted with the walls: set by the caller */
    void *owned[12];        /* memory of the backend */
    rw_sectors sectors;
    rw_near_walls near;
    rw_vec3 *host_sources; /* as arrays.sources, for sectors */
} rw_los_job;

/* Takes memory on the backend for source_count sources; sources are in the scene's local frame with z as altitude.
 * count_walls 0 asks for line of sight alone, which is faster. AUTO is polar without counting;
 * with it, polygons or, where they would take longer, sectors. */
rw_status rw_los_job_create(const rw_scene *scene, const rw_receivers *receivers, const rw_vec3 *sources,
                            size_t source_count, rw_los_method method, int count_walls, rw_los_job *job);

/* Other sources in place of those before: at most as many as it was created for. */
rw_status rw_los_job_move(rw_los_job *job, const rw_vec3 *sources, size_t count);

/* Whether a receiver sees a source exactly where its wall count is 0: there is no other thing that could hide it. */
int rw_los_walls_suffice(const rw_los_job *job);

/* Answers every receiver of every source; may be called again. */
rw_status rw_los_job_run(rw_los_job *job);

#define RW_LOS_NO_RECEIVER 255

/* Answers every receiver of any number of sources straight into los, memory of the backend with a byte a cell and
 * source: 1, 0, and RW_LOS_NO_RECEIVER in cells inside buildings. Not of a job that counts walls. */
rw_status rw_los_job_see(rw_los_job *job, const rw_vec3 *sources, size_t count, uint8_t *los);

/* Copies the answers of one source: los (1, 0) and walls, each NULL or one value a cell; cells inside buildings are 0.
 */
rw_status rw_los_job_read(const rw_los_job *job, size_t source, uint8_t *los, uint32_t *walls);
void rw_los_job_destroy(rw_los_job *job);

/* Receivers and sources may lie beyond the scene; the bounds on rounding must know. source is in the grid's frame. */
void rw_grid_widen(rw_wall_grid_view *grid, const rw_receivers_view *receivers, rw_vec3 source);

/* The share of pairs of points that see each other, from a sample of a few thousand: what visibility tables would take,
 * before they are made. */

/* Points of such a sample, on either side. */
#define RW_SIGHT_SAMPLE_POINTS 64

/* In the frame of the wall grid, altitudes. A pair farther apart than reach_m in plan does not see each other, nor one
 * with something higher than tallest_m between. 0 where there is no pair. */
double rw_sight_fraction(const rw_scene *scene, const rw_vec3 *from, size_t from_count, const rw_vec3 *to,
                         size_t to_count, double reach_m, double tallest_m);

/* Cells spread evenly over a grid of columns x rows of res_m from the corner x0, y0 (world): points so far above the
 * ground, in the frame of the wall grid. Returns how many, at most RW_SIGHT_SAMPLE_POINTS. */
size_t rw_sight_sample_cells(const rw_scene *scene, const rw_map_info *cells, rw_vec3 points[RW_SIGHT_SAMPLE_POINTS]);

#endif
