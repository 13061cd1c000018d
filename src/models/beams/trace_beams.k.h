/* One step of beam tracing: one item (on a GPU a warp) is one beam or a window of one, which is cut into pieces by the
 * walls in it and leaves reflected, transmitted and diffracted beams at their ends.
 *
 * After section 4.2 of Schmitz and others (2011). The paper clips the walls against the beam by a quadtree
 * (fans/fan_quadtree.k.h), rasterises them into an ID and depth buffer and then computes exact points for the runs of
 * one ID (fans/fan_buffer.k.h). Both can be asked for; usually the wall grid finds the walls and the sweep over the
 * lines that they are in the fan (fans/fan.k.h) gives runs and exact ends at once, so that no wall is missed.
 * Beams and pieces are appended in whatever order the items run; what is made of them does not depend on it. */
#ifndef RW_MODELS_BEAMS_TRACE_BEAMS_K_H
#define RW_MODELS_BEAMS_TRACE_BEAMS_K_H

#include "models/beams/beam_children.k.h"
#include "models/beams/fans/fan_buffer.k.h"
#include "models/beams/fans/fan_quadtree.k.h"

/* Windows are not made narrower than this share of a sector for walls of middling height alone. */
#define RW_MIDDLING_WIDTH (1.0 / 32)

/* A corner lies where a stretch of a wall begins or stops at its end and something farther lies beside it. */
RW_FN void rw_end_of_run(const rw_tracing *tracing, const rw_fan_walls *found, double u, int before, int after,
                         int needs_check)
{
    double w_before = before >= 0 ? rw_fan_nearness(&found->walls[before], u) : 0;
    double w_after = after >= 0 ? rw_fan_nearness(&found->walls[after], u) : 0;
    double gap = 1e-9 * (w_before > w_after ? w_before : w_after);
    if (w_before > w_after + gap) {
        const rw_fan_wall *hit = &found->walls[before];
        if (hit->u1 == u && !(hit->cut & 2))
            rw_diffract(tracing, hit, 1, needs_check);
    } else if (w_after > w_before + gap) {
        const rw_fan_wall *hit = &found->walls[after];
        if (hit->u0 == u && !(hit->cut & 1))
            rw_diffract(tracing, hit, 0, needs_check);
    }
}

/* The stretch of a wall that lies before the solid wall of a run. Returns whether there is any. */
RW_FN int rw_before_run(const rw_fan_wall *hit, const rw_fan_wall *top, rw_fan_run run, double *u0, double *u1)
{
    *u0 = hit->u0 > run.u0 ? hit->u0 : run.u0;
    *u1 = hit->u1 < run.u1 ? hit->u1 : run.u1;
    if (*u0 >= *u1)
        return 0;
    double ahead0 = top ? rw_fan_nearness(hit, *u0) - rw_fan_nearness(top, *u0) : 1;
    double ahead1 = top ? rw_fan_nearness(hit, *u1) - rw_fan_nearness(top, *u1) : 1;
    if (ahead0 <= 0 && ahead1 <= 0)
        return 0;
    double crossing = *u0 + (*u1 - *u0) * (ahead0 / (ahead0 - ahead1));
    if (ahead0 < 0)
        *u0 = crossing;
    if (ahead1 < 0)
        *u1 = crossing;
    return 1;
}

/* Whether walls of middling height stand before the solid wall of a run. */
RW_FN int rw_has_middling(const rw_fan_walls *found, rw_fan_run run)
{
    double u0, u1;
    for (int i = 0; i < found->count; i++)
        if (!found->walls[i].solid &&
            rw_before_run(&found->walls[i], run.top >= 0 ? &found->walls[run.top] : 0, run, &u0, &u1))
            return 1;
    return 0;
}

/* What leaves a stretch of a wall of middling height; what of it holds is asked later. */
RW_FN void rw_leave_stretch(const rw_tracing *tracing, const rw_fan_wall *hit, double u0, double u1)
{
    rw_leave_wall(tracing, hit, u0, u1, 1);
    if (hit->u0 == u0 && !(hit->cut & 1))
        rw_diffract(tracing, hit, 0, 1);
    if (hit->u1 == u1 && !(hit->cut & 2))
        rw_diffract(tracing, hit, 1, 1);
}

/* A wall of middling height reflects and diffracts where it lies before the solid walls. Its stretches go on across
 * runs: a corner behind the wall must not fall between two beams that come through it. */
RW_FN void rw_leave_middling(const rw_tracing *tracing, const rw_fan_walls *found, int run_count,
                             const rw_fan_wall *hit)
{
    double from = 2, to = 2; /* no stretch yet */
    for (int i = 0; i < run_count && found->workspace->runs[i].u0 < hit->u1; i++) {
        rw_fan_run run = found->workspace->runs[i];
        double u0, u1;
        if (!rw_before_run(hit, run.top >= 0 ? &found->walls[run.top] : 0, run, &u0, &u1))
            continue;
        if (u0 != to) {
            if (from < 2)
                rw_leave_stretch(tracing, hit, from, to);
            from = u0;
        }
        to = u1;
    }
    if (from < 2)
        rw_leave_stretch(tracing, hit, from, to);
}

/* The pieces of a run that ends at a wall, or nowhere (top 0): one for each stretch of it in which receivers may be
 * reached. */
RW_FN void rw_append_pieces(const rw_tracing *tracing, rw_fan_run run, const rw_fan_wall *top)
{
    const rw_fan_walls *found = tracing->found;
    rw_beam_piece piece;
    piece.right = rw_fan_direction(&tracing->fan, run.u0);
    piece.left = rw_fan_direction(&tracing->fan, run.u1);
    piece.beam = tracing->index;
    piece.wall = top ? top->wall : RW_NO_WALL;
    piece.needs_check = (uint32_t)(tracing->beam.needs_check || run.needs_check);
    piece.unused = 0;
    double end_m = 1.000001 * found->reach_m;
    double w0 = top ? rw_fan_nearness(top, run.u0) : 0, w1 = top ? rw_fan_nearness(top, run.u1) : 0;
    double wall_m = top ? 1.000001 / (w0 < w1 ? w0 : w1) : INFINITY;
    for (int i = 0; i < found->reached_count; i++) {
        rw_fan_reached reached = found->workspace->reached[i];
        if ((double)reached.near_m > end_m || (double)reached.near_m > wall_m)
            break;
        piece.near_m = reached.near_m;
        piece.far_m = (double)reached.far_m < end_m ? reached.far_m : (float)end_m;
        uint32_t at = rw_shared_reserve_one(tracing->args->piece_count);
        if (at < tracing->args->piece_capacity)
            tracing->args->pieces[at] = piece;
    }
}

/* One run of the sweep: a piece, beams that leave at its end, and those of the corner where it begins. */
RW_FN void rw_sweep_run(const rw_tracing *tracing, const rw_fan_walls *found, int index)
{
    rw_fan_run run = found->workspace->runs[index];
    const rw_fan_wall *top = run.top >= 0 ? &found->walls[run.top] : 0;
    int cracked = top && !run.needs_check && rw_meets_inside(tracing, top); /* over a lower wall it may come */
    if (index) {
        rw_fan_run before = found->workspace->runs[index - 1];
        rw_end_of_run(tracing, found, run.u0, before.top, run.top, run.needs_check || before.needs_check);
    }
    if (cracked || run.top == RW_RUN_UNSEEN)
        return;
    rw_append_pieces(tracing, run, top);
    if (top)
        rw_leave_wall(tracing, top, run.u0, run.u1, run.needs_check);
}

/* Each run of directions with one nearest wall is a piece, and beams leave at its end. Lanes share the runs,
 * then the walls of middling height. */
RW_FN void rw_sweep_fan(const rw_tracing *tracing, const rw_fan_walls *found)
{
    int pixels = tracing->args->split_pixels;
    int run_count = pixels ? rw_buffer_find_runs(found, pixels) : rw_fan_find_runs(found);
    for (int i = rw_lane(); i < run_count; i += rw_lane_count())
        found->workspace->runs[i].needs_check =
            found->middling_skipped || rw_has_middling(found, found->workspace->runs[i]);
    rw_lanes_meet();
    for (int i = rw_lane(); i < run_count; i += rw_lane_count())
        rw_sweep_run(tracing, found, i);
    for (int i = rw_lane(); i < found->count; i += rw_lane_count())
        if (!found->walls[i].solid)
            rw_leave_middling(tracing, found, run_count, &found->walls[i]);
    rw_lanes_meet();
}

/* The windows of a fan in which there are too many walls: its halves, for another launch. */
RW_FN void rw_append_windows(const rw_tracing *tracing)
{
    const struct rw_trace_beams_args *args = tracing->args;
    rw_vec2 middle = rw_unit(rw_vec2_add(tracing->fan.right, tracing->fan.left));
    uint32_t at = rw_shared_reserve_of(args->window_count, 2);
    for (uint32_t half = 0; half < 2 && at + half < args->window_capacity; half++) {
        rw_beam_window *window = args->windows + at + half;
        window->right = half ? middle : tracing->fan.right;
        window->left = half ? tracing->fan.left : middle;
        window->beam = tracing->index;
        window->unused = 0;
    }
}

/* What the lanes that trace a beam share. */
typedef struct rw_trace_workspace {
    rw_fan_workspace fan;
    rw_fan_walls found;
    rw_fan_question question;
    rw_tracing tracing;
} rw_trace_workspace;

/* The whole of a beam, or a window of one. */
RW_FN void rw_tracing_begin(const struct rw_trace_beams_args *args, size_t item, rw_trace_workspace *workspace)
{
    rw_tracing *tracing = &workspace->tracing;
    const rw_beam_window *window = args->windowed ? args->windows + args->first + item : 0;
    tracing->args = args;
    tracing->index = window ? window->beam : (uint32_t)(args->first + item);
    tracing->beam = args->beams[tracing->index];
    tracing->fan = rw_beam_fan(&tracing->beam, args->walls.exact);
    if (window) {
        tracing->fan.right = window->right;
        tracing->fan.left = window->left;
    }
    tracing->width = rw_vec2_cross(tracing->fan.right, tracing->fan.left);
    tracing->heights = rw_beam_heights(&tracing->beam, &args->limits, &args->losses);
    tracing->found = &workspace->found;
    rw_fan_question *question = &workspace->question;
    question->heights = tracing->heights;
    question->skipped[0] = tracing->beam.kind == RW_BEAM_SOURCE ? RW_NO_WALL : tracing->beam.wall;
    question->skipped[1] = tracing->beam.kind == RW_BEAM_DIFFRACTED ? tracing->beam.other_wall : RW_NO_WALL;
    question->complete = tracing->width <= RW_MIDDLING_WIDTH * args->limits.cut_rad;
    question->receiver_tops = args->quadtree.nodes ? 0 : args->receiver_tops;
}

/* Where a window of the fan has more walls than there is room for, it is halved; behind three dozen walls of middling
 * height in one direction farther ones are let go. */
RW_FN void rw_trace_beams_item(const struct rw_trace_beams_args *args, size_t item)
{
    RW_LANES_MEMORY(rw_trace_workspace, workspace);
    rw_fan_walls found;
    if (rw_lane() == 0)
        rw_tracing_begin(args, item / (size_t)rw_lane_count(), workspace);
    rw_lanes_meet();
    if (args->quadtree.nodes)
        rw_fan_find_walls_in_quadtree(&args->grid, &args->quadtree, &workspace->tracing.fan, &workspace->question,
                                      &workspace->fan, &found);
    else
        rw_fan_find_walls(&args->grid, &workspace->tracing.fan, &workspace->question, &workspace->fan, &found);
    if (rw_lane() == 0)
        workspace->found = found;
    rw_lanes_meet();
    if ((!found.overflow || workspace->tracing.width <= args->limits.angle_min_rad) &&
        (!found.middling_skipped || workspace->question.complete))
        rw_sweep_fan(&workspace->tracing, &workspace->found);
    else if (rw_lane() == 0)
        rw_append_windows(&workspace->tracing);
}

#endif
