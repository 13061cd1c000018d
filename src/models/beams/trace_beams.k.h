/* One step of beam tracing: one item is one beam, which is cut into pieces by the walls in it and leaves reflected,
 * transmitted and diffracted beams at their ends.
 *
 * After section 4.2 of Schmitz and others (2011). The paper rasterises the walls into an ID and depth buffer and
 * then computes exact points for the runs of one ID; here the wall grid finds the walls and the sweep over the lines
 * that they are in the fan (visibility/fan.k.h) gives runs and exact ends at once, so that no wall is missed. Beams and
 * pieces are appended in whatever order the items run; what is made of them does not depend on it. */
#ifndef RW_MODELS_BEAMS_TRACE_BEAMS_K_H
#define RW_MODELS_BEAMS_TRACE_BEAMS_K_H

#include "models/beams/beam_children.k.h"

/* Windows are not made narrower than this share of a sector for walls of middling height alone. */
#define RW_MIDDLING_WIDTH (1.0 / 16)

/* A corner lies where a stretch of a wall begins or stops at its end and something farther lies beside it. */
RW_FN void rw_end_of_run(const rw_tracing *tracing, const rw_fan_walls *found, double u, int before, int after,
                         int asks)
{
    double w_before = before >= 0 ? rw_fan_nearness(&found->walls[before], u) : 0;
    double w_after = after >= 0 ? rw_fan_nearness(&found->walls[after], u) : 0;
    double gap = 1e-9 * (w_before > w_after ? w_before : w_after);
    if (w_before > w_after + gap) {
        const rw_fan_wall *hit = &found->walls[before];
        if (hit->u1 == u && !(hit->cut & 2))
            rw_diffract(tracing, hit, 1, asks);
    } else if (w_after > w_before + gap) {
        const rw_fan_wall *hit = &found->walls[after];
        if (hit->u0 == u && !(hit->cut & 1))
            rw_diffract(tracing, hit, 0, asks);
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
RW_FN void rw_leave_middling(const rw_tracing *tracing, const rw_fan_walls *found, const rw_fan_wall *hit)
{
    double u = hit->u0, from = 2, to = 2; /* no stretch yet */
    while (u < hit->u1) {
        rw_fan_run run = rw_fan_next(found->walls, found->count, u);
        double u0, u1;
        if (rw_before_run(hit, run.top >= 0 ? &found->walls[run.top] : 0, run, &u0, &u1)) {
            if (u0 != to) {
                if (from < 2)
                    rw_leave_stretch(tracing, hit, from, to);
                from = u0;
            }
            to = u1;
        }
        u = run.u1;
    }
    if (from < 2)
        rw_leave_stretch(tracing, hit, from, to);
}

RW_FN void rw_append_piece(const rw_tracing *tracing, rw_vec2 right, rw_vec2 left, uint32_t wall, int asks)
{
    rw_beam_piece piece;
    piece.right = right;
    piece.left = left;
    piece.beam = tracing->index;
    piece.wall = wall;
    piece.asks = (uint32_t)(tracing->beam.asks || asks);
    piece.reach_m = (float)(1.000001 * tracing->found->reach_m);
    uint32_t at = rw_shared_take(tracing->args->piece_count, 1);
    if (at < tracing->args->piece_capacity)
        tracing->args->pieces[at] = piece;
}

/* The sweep: each run of directions with one nearest wall is a piece, and beams leave at its end. */
RW_FN void rw_sweep_fan(const rw_tracing *tracing, const rw_fan_walls *found)
{
    double u = 0;
    int before = -2, asks_before = 0; /* no run yet */
    rw_vec2 right = tracing->fan.right;
    while (u < 1) {
        rw_fan_run run = rw_fan_next(found->walls, found->count, u);
        const rw_fan_wall *top = run.top >= 0 ? &found->walls[run.top] : 0;
        rw_vec2 left = rw_fan_direction(&tracing->fan, run.u1);
        int asks = found->middling_left_out || rw_has_middling(found, run);
        int cracked = top && !asks && rw_meets_inside(tracing, top); /* over a lower wall it may come */
        if (before != -2)
            rw_end_of_run(tracing, found, u, before, run.top, asks || asks_before);
        if (!cracked)
            rw_append_piece(tracing, right, left, top ? top->wall : RW_NO_WALL, asks);
        if (!cracked && top)
            rw_leave_wall(tracing, top, run.u0, run.u1, asks);
        before = run.top;
        asks_before = asks;
        right = left;
        u = run.u1;
    }
    for (int i = 0; i < found->count; i++)
        if (!found->walls[i].solid)
            rw_leave_middling(tracing, found, &found->walls[i]);
}

RW_FN void rw_trace_beams_item(const struct rw_trace_beams_args *args, size_t item)
{
    rw_tracing tracing;
    rw_fan_walls found;
    if (item % args->lanes)
        return;
    item /= args->lanes;
    tracing.args = args;
    tracing.index = (uint32_t)(args->first + item);
    tracing.beam = args->beams[tracing.index];
    tracing.fan = rw_beam_fan(&tracing.beam, args->walls.exact);
    tracing.heights = rw_beam_heights(&tracing.beam, &args->limits);
    tracing.found = &found;
    uint32_t skipped[2] = {tracing.beam.kind == RW_BEAM_SOURCE ? RW_NO_WALL : tracing.beam.wall,
                           tracing.beam.kind == RW_BEAM_DIFFRACTED ? tracing.beam.other_wall : RW_NO_WALL};
    rw_vec2 end = tracing.fan.left;
    /* Where a window of the fan has more walls than there is room for, it is halved; behind three dozen walls of
     * middling height in one direction farther ones are let go. */
    for (;;) {
        double width = rw_vec2_cross(tracing.fan.right, tracing.fan.left);
        int narrow = width <= RW_MIDDLING_WIDTH * args->limits.cut_rad;
        rw_fan_find_walls(&args->grid, &tracing.fan, &tracing.heights, skipped, narrow, &found);
        if ((found.overflow && width > args->limits.angle_min_rad) || (found.middling_left_out && !narrow)) {
            tracing.fan.left = rw_unit(rw_vec2_add(tracing.fan.right, tracing.fan.left));
            continue;
        }
        rw_sweep_fan(&tracing, &found);
        if (tracing.fan.left.x == end.x && tracing.fan.left.y == end.y)
            break;
        tracing.fan.right = tracing.fan.left;
        tracing.fan.left = end;
    }
}

#endif
