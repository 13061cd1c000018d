/* Drawing views of one level together, and listing their children: what both ways through the tree are made of. */
#ifndef RW_MODELS_IMAGES_VIEWS_VIEW_BATCH_H
#define RW_MODELS_IMAGES_VIEWS_VIEW_BATCH_H

#include "models/images/views/view_tree.h"

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
