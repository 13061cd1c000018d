/* One transmitter through the image tree to every receiver. */
#ifndef RW_MODELS_IMAGES_IMAGES_H
#define RW_MODELS_IMAGES_IMAGES_H

#include "models/rays/rays.h"
#include "models/images/views/find_receivers.k.h"
#include "models/images/views/views.h"

typedef struct rw_images_options {
    int depth;
    rw_step_limits limits;
    uint32_t pixels, threshold;
    int direct_always; /* 1: the direct path is there through any number of walls */
    int diffraction;   /* 1: free edges diffract once */
    int unchecked;     /* 1: what pictures show is there: paths are not checked against surfaces */
    int straight;      /* as in rw_view_tree_options, as the rest */
    int recursion, skips_culling;
    size_t batch_pixels;
    uint32_t strip_rows;
    double limit_s;
    int timed;
    int anew; /* 1: uses and stores nothing of other calls, and pictures tell which receivers a view may see */
} rw_images_options;

/* Memory for one scene and its receivers, which must outlive it; the transmitter in the scene may move. */
typedef struct rw_images_solver rw_images_solver;
rw_status rw_images_open(rw_ray_scene *scene, const rw_points *points, const rw_images_options *options, int sums,
                         rw_images_solver **solver);
void rw_images_close(rw_images_solver *solver); /* may be NULL */
const rw_images_options *rw_images_solver_options(const rw_images_solver *solver);

/* Adds all paths from the transmitter of the scene to each point's sums, which are on the host and zero. size may be
 * NULL. */
rw_status rw_images_run(rw_images_solver *solver, rw_ray_sums *sums, rw_view_tree_size *size);

/* The same at once. */
rw_status rw_images_solve(rw_ray_scene *scene, const rw_points *points, const rw_images_options *options,
                          rw_ray_sums *sums, rw_view_tree_size *size);

/* The pairs of views and points that may see each other, batch by batch: what rw_images_solve sums up, for callers that
 * want each path. Steps are level of them for each pair. */
typedef rw_status (*rw_images_pair_fn)(void *user, const uint32_t *steps, int level, uint32_t side, uint32_t point);
rw_status rw_images_list(rw_images_solver *solver, rw_images_pair_fn on_pair, void *user);

/* found_pairs.c: pairs of views and receivers that have paths, which stay with the scene once they were found: the same
 * map with other antennas, weights or orientations needs neither views nor checks again. */

/* Of one batch of views, those that have pairs. */
typedef struct rw_found_batch {
    int level;
    size_t view_count, pair_count;
    uint32_t *steps, *sides;
    rw_view_pair *pairs; /* the views are those of the batch */
} rw_found_batch;

typedef struct rw_found_pairs {
    RW_ARRAY(rw_found_batch) batches;
    double bytes, max_bytes; /* more: the pairs were dropped */
    int complete;
    rw_view_tree_size size;
} rw_found_pairs;

/* The key of a tree, with the receivers added to it. */
rw_status rw_found_pairs_key_add(rw_context *context, const rw_points_view *points, const rw_images_options *options,
                                 rw_view_levels_key *key);
rw_found_pairs *rw_found_pairs_borrow(const rw_scene *scene, const rw_view_levels_key *key);
void rw_found_pairs_return(const rw_scene *scene, const rw_view_levels_key *key, rw_found_pairs *found);
rw_status rw_found_pairs_create(rw_context *context, rw_found_pairs **found);

/* Appends the pairs of some views of a batch, from first on, that have kept their view; when there are too many none
 * stay. */
rw_status rw_found_pairs_add(rw_context *context, rw_found_pairs *found, const rw_view_batch *batch, size_t first,
                             size_t count, const rw_view_pair *pairs, size_t pair_count);

/* options.c: the table, and what the search takes from the options of a prediction. */
extern const rw_model_option rw_images_options_table[];
rw_status rw_images_resolve(const rw_prediction *prediction, rw_images_options *options);

/* Appends every path of the transmitter at hand (paths.c). */
rw_status rw_images_trace(rw_rays *rays, rw_paths *paths);

/* Frame buffers along a sequence of the image tree as a picture (draw_views.c). */

#define RW_VIEW_PANELS_MAX 5 /* the transmitter's view, and those behind up to four interactions */
#define RW_VIEW_PANEL_PX 360

/* One of the six views from the transmitter, and the interactions after it. */
typedef struct rw_view_sequence {
    uint32_t side, steps[RW_IMAGE_DEPTH_MAX];
    int count;
} rw_view_sequence;

/* The transmitter must be placed in the scene. */
rw_status rw_view_sequence_draw(rw_ray_scene *scene, const rw_view_sequence *sequence, uint32_t pixels,
                                const char *path);

#endif
