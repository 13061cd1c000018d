/* The image tree by rendering (Novak 2016, Algorithm 1), a level at a time: every view of a level is drawn at once.
 *
 * The recursion of the paper visits a view, then its children, and reuses one framebuffer whose stencil is the stack.
 * Here the pictures of a level stay until its children are drawn, and take the part of the stencil; a level that is too
 * large goes in batches, each with its children before the next, so that memory stays bounded. The recursion itself is
 * there too (view_recursion.c).
 *
 * Count: a view of w x h pixels costs w h ID writes of 2 bytes, and about 60 flops for each column and candidate.
 * Behind six views of n^2 pixels every pixel is drawn again at most twice a level (reflected and through), fewer where
 * rays leave the building: 6 n^2 (1 + 2 + 4 + ...) pixels in all. The last level is not drawn: its paths are checked.
 */
#ifndef RW_MODELS_IMAGES_VIEWS_VIEWS_H
#define RW_MODELS_IMAGES_VIEWS_VIEWS_H

#include "device/device.h"
#include "discretise/surfaces/surfaces.h"
#include "models/images/views/draw_view.k.h"
#include "models/images/views/weigh_views.k.h"
#include "models/rays/image_path.k.h"

/* Views of one level with all that they lead to; arrays are the backend's. */
typedef struct rw_view_batch {
    int level; /* interactions so far */
    const rw_view *views;
    size_t count;
    const uint32_t *steps;   /* level of them for each view, from the transmitter on */
    const uint16_t *picture; /* NULL where the batch is of the last level, which is not drawn */
    const rw_view_candidate *candidates;
    const rw_view *parents;
    const uint16_t *parent_picture; /* NULL at level 0 */
    const uint8_t *stencil; /* of one frame buffer, pixels x pixels: level inside the view; NULL: the parents' pictures
                               tell */
} rw_view_batch;

typedef rw_status (*rw_view_visit)(void *user, const rw_view_batch *batch);

typedef struct rw_view_tree_options {
    rw_vec3 source;
    uint32_t pixels;    /* of a side of each of the six views */
    uint32_t threshold; /* surfaces of fewer pixels are not followed */
    int depth;          /* most interactions, to RW_IMAGE_DEPTH_MAX */
    rw_step_limits limits;
    size_t batch_pixels;  /* 0: chosen */
    uint32_t strip_rows;  /* of columns that are drawn at once; 0: chosen */
    int straight;         /* 1: views are not shifted through slabs, as if these did not bend rays */
    int draws_last;       /* 1: the last level is drawn too, for receivers that pictures alone decide about */
    int recursion;        /* 1: a view at a time, depth first, with one frame buffer */
    int skips_culling;    /* 1: no occlusion culling; the pictures are the same */
    double limit_s;       /* no batch begins after this time, but for recursion; 0: none */
    rw_points_view crowd; /* receivers, of the backend: where a view of the last level may have many, it is drawn too */
    int timed;            /* 1: waits after each stage, to tell what it took */
} rw_view_tree_options;

/* name, what it is */
#define RW_VIEW_STAGE_MAP(X)                                                                                           \
    X(CULL, "culling")           /* which surfaces may be seen */                                                      \
    X(DRAW, "drawing")           /* pictures and histograms */                                                         \
    X(CHILDREN, "children")      /* the next level's views */                                                          \
    X(FIND, "finding receivers") /* pairs of views and receivers */                                                    \
    X(PATHS, "paths and fields") /* exact paths of the pairs */                                                        \
    X(COPY, "copies")            /* views there and back */

typedef enum rw_view_stage {
#define RW_VIEW_STAGE_ENUM(name, word) RW_VIEW_STAGE_##name,
    RW_VIEW_STAGE_MAP(RW_VIEW_STAGE_ENUM)
#undef RW_VIEW_STAGE_ENUM
        RW_VIEW_STAGES
} rw_view_stage;

/* How large the tree was. */
typedef struct rw_view_tree_size {
    size_t views[RW_IMAGE_DEPTH_MAX + 1];      /* of each level */
    size_t pixels[RW_IMAGE_DEPTH_MAX + 1];     /* drawn, windows' corners outside the stencil included */
    size_t candidates[RW_IMAGE_DEPTH_MAX + 1]; /* surfaces that views were drawn from */
    double seconds[RW_VIEW_STAGES];            /* where timed was asked for */
    double done;                               /* the share of the tree that there was time for, by views of level 1 */
    int cut;                                   /* 1: there was not time for all of it */
} rw_view_tree_size;

/* Adds what passed since *start_s to a stage, and starts anew; nothing where it is not timed. */
rw_status rw_view_stage_end(rw_context *context, rw_backend backend, int timed, rw_view_stage stage, double *start_s,
                            rw_view_tree_size *size);

/* surfaces are those of the backend, and so are slabs, which tell for each kind of surface how rays go through it. */
rw_status rw_view_tree_walk(rw_context *context, rw_backend backend, const rw_surfaces_view *surfaces,
                            const rw_refractor *slabs, const rw_view_tree_options *options, rw_view_visit visit,
                            void *user, rw_view_tree_size *size);

/* view_levels.c: the views of a tree without their pictures, level by level, which stay with the scene once a
 * transmitter's tree was walked: for few receivers nearly all of the work is drawing, and drawing does not depend on
 * receivers. */

#define RW_VIEWS_STORED_BYTES 3e8

/* Bytes that may stay with a scene, of all trees, and of the paths of all maps: these, a quarter of what is left of the
 * call's budget, and an eighth of the free memory. */
double rw_views_stored_bytes(rw_backend backend);

typedef struct rw_view_levels {
    rw_backend backend;
    int complete; /* 1: all views are here */
    int on_backend;
    size_t counts[RW_IMAGE_DEPTH_MAX + 1], capacities[2][RW_IMAGE_DEPTH_MAX + 1];
    double bytes, max_bytes;                /* more: the views were dropped */
    rw_view *views[RW_IMAGE_DEPTH_MAX + 1]; /* on the host while the tree is walked, then on the backend */
    uint32_t *steps[RW_IMAGE_DEPTH_MAX + 1];
    rw_view_tree_size size;
} rw_view_levels;

/* The bytes that decide on the views of a tree: options, and how rays go through each kind of surface. */
typedef struct rw_view_levels_key {
    void *bytes;
    size_t size;
} rw_view_levels_key;

rw_status rw_view_levels_key_create(rw_context *context, const rw_view_tree_options *options, const rw_refractor *slabs,
                                    size_t kind_count, int coplanar, rw_view_levels_key *key);

/* The levels that the scene has of that key, for this caller alone; NULL where there are none. */
rw_view_levels *rw_view_levels_borrow(const rw_scene *scene, const rw_view_levels_key *key);

/* Gives levels back to the scene, where they are complete; else destroys them. */
void rw_view_levels_return(const rw_scene *scene, const rw_view_levels_key *key, rw_view_levels *levels);

rw_status rw_view_levels_create(rw_context *context, rw_backend backend, rw_view_levels **levels);

/* Appends the views of a batch; those of a tree that becomes too large are dropped. */
rw_status rw_view_levels_add(rw_context *context, rw_view_levels *levels, const rw_view_batch *batch);

/* Once the tree is walked: moves the views to the backend. */
rw_status rw_view_levels_complete(rw_context *context, rw_view_levels *levels, const rw_view_tree_size *size);

/* Visits all views again, without pictures. */
rw_status rw_view_levels_visit(const rw_view_levels *levels, rw_view_visit visit, void *user);

/* Drawing views of one level together, and listing their children: what both ways through the tree are made of. */

#define RW_VIEW_CROWD 96 /* receivers in a window from which on drawing costs less than exact checks of each */

/* What every level needs. */
typedef struct rw_view_walk {
    rw_context *context;
    rw_backend backend;
    const rw_surfaces_view *surfaces; /* of the backend, as the next */
    const rw_refractor *slabs;
    const rw_view_tree_options *options;
    rw_view_visit visit;
    void *user;
    rw_view_tree_size *size;
    double started_s;
} rw_view_walk;

/* Views of one level on the backend, and their steps. */
typedef struct rw_view_list {
    rw_view *views;
    uint32_t *steps;
    uint32_t *pixels; /* of each window, on the host: batches are made by them */
    size_t count;
} rw_view_list;

/* The views from the transmitter, which have no steps. */
rw_status rw_view_list_start(const rw_view_walk *walk, const rw_view *views, size_t count, rw_view_list *list);
void rw_view_list_release(const rw_view_walk *walk, rw_view_list *list);

/* A batch being worked on. */
typedef struct rw_drawn_batch {
    rw_view_batch batch;
    rw_view *views; /* of the backend, as all arrays; views and steps are those of a list */
    uint32_t *steps;
    rw_view_candidate *candidates;
    rw_view_edge *edges;
    uint16_t *picture;
    int borrowed; /* 1: the picture is not its own */
    uint32_t *used;
    size_t candidate_count, column_count, pixel_count;
    size_t shown_count; /* candidates of all its views after culling */
    uint32_t strip_rows;
} rw_drawn_batch;

void rw_drawn_batch_release(const rw_view_walk *walk, rw_drawn_batch *drawn);

/* Some views of a list, which must live as long as the batch. */
rw_drawn_batch rw_drawn_batch_of(const rw_view_list *list, int level, size_t first, size_t count);

/* Draws the batch, into its picture where it has one; views get their places. */
rw_status rw_drawn_batch_draw(const rw_view_walk *walk, rw_drawn_batch *drawn);

/* Writes the picture of a drawn batch once more. */
rw_status rw_drawn_batch_paint(const rw_view_walk *walk, const rw_drawn_batch *drawn);

/* Children of all views of a drawn batch: the views of the next level, listed on the backend. */
rw_status rw_drawn_batch_children(const rw_view_walk *walk, const rw_drawn_batch *drawn, rw_view_list *children);

/* Whether views of a level are drawn: those of the last are where pictures alone decide about receivers. */
int rw_view_level_is_drawn(const rw_view_tree_options *options, int level);

rw_status rw_view_walk_stage_end(const rw_view_walk *walk, rw_view_stage stage, double *start_s);

/* view_recursion.c: the whole tree below the six views, a view at a time, with one frame buffer. */
rw_status rw_view_recursion_walk(const rw_view_walk *walk, const rw_view sides[RW_VIEW_SIDES],
                                 const rw_view_list *list);

#endif
