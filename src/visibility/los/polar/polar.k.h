/* The polar buffer of a source: for each direction, how far it surely sees and where it is surely blocked.
 *
 * Directions are cut into bins of equal pseudo-angle (y over |x| + |y|, quarter by quarter), which needs no arctangent,
 * and ranges are in the same norm |x| + |y|, in which a straight wall is linear between two directions of one quarter.
 * A wall that touches a bin may block what lies behind it; a wall that spans the whole bin surely does: without end
 * where its top is above the source and all receivers, else to the length of its shadow, equation (2) of Rick and
 * Kuhlen (2010). Endless shadows are kept as the range where they start, others as bits over range steps of three per
 * cent. Bounds include the rounding of float, so what the buffer answers is certain; what it leaves open is asked
 * exactly (march_walls.k.h). */
#ifndef RW_VISIBILITY_LOS_POLAR_POLAR_K_H
#define RW_VISIBILITY_LOS_POLAR_POLAR_K_H

#include "visibility/los/sight.k.h"

#define RW_POLAR_QUARTER 1024
#define RW_POLAR_BINS (4 * RW_POLAR_QUARTER)

/* Range steps: 32 to each doubling, from RW_POLAR_FIRST_RANGE over eight doublings. */
#define RW_POLAR_STEPS 256
#define RW_POLAR_WORDS (RW_POLAR_STEPS / 32)
#define RW_POLAR_FIRST_RANGE 32.0f

typedef struct rw_polar_bins {
    uint32_t clear_bits[RW_POLAR_BINS];  /* no endless shadow starts before this range (as the bits of a float) */
    uint32_t hidden_bits[RW_POLAR_BINS]; /* an endless shadow surely covers everything beyond this range */
    uint32_t sure[RW_POLAR_BINS][RW_POLAR_WORDS];  /* steps that lie wholly in some shadow */
    uint32_t maybe[RW_POLAR_BINS][RW_POLAR_WORDS]; /* steps that some shadow may touch */
} rw_polar_bins;

#define RW_POLAR_FAR 3e38f

/* A source, and between which altitudes its receivers are. */
typedef struct rw_polar_source {
    double x, y;
    float z;
    float receiver_low, receiver_high;
} rw_polar_source;

/* Number of the range step that holds a range; below 0 and beyond RW_POLAR_STEPS - 1 there are none. Floats are nearly
 * logarithmic in their bits, so a shift is enough. */
RW_FN int rw_polar_step(float range)
{
    return (int)(rw_float_bits(range) >> 18) - (int)(rw_float_bits(RW_POLAR_FIRST_RANGE) >> 18);
}

/* Sets the bits of steps first to last. */
RW_FN void rw_polar_mark(uint32_t *words, int first, int last)
{
    first = first < 0 ? 0 : first;
    last = last > RW_POLAR_STEPS - 1 ? RW_POLAR_STEPS - 1 : last;
    for (int word = first >> 5; first <= last && word <= last >> 5; word++) {
        uint32_t bits = 0xffffffffu;
        if (word == first >> 5)
            bits &= 0xffffffffu << (first & 31);
        if (word == last >> 5)
            bits &= 0xffffffffu >> (31 - (last & 31));
        rw_shared_or(&words[word], bits);
    }
}

/* Pseudo-angle of a direction in bins, 0 to RW_POLAR_BINS; inverse_range is 1 / (|x| + |y|). */
RW_FN float rw_polar_angle(float x, float y, float inverse_range)
{
    const float quarter = (float)RW_POLAR_QUARTER;
    float fraction = (y >= 0) == (x > 0) ? fabsf(y) : fabsf(x);
    float first = y >= 0 ? (x > 0 ? 0.0f : quarter) : (x > 0 ? 3.0f * quarter : 2.0f * quarter);
    return first + fraction * inverse_range * quarter;
}

/* Direction of the lower edge of a bin, with |x| + |y| = 1. */
RW_FN void rw_polar_edge(int edge, float *x, float *y)
{
    int wrapped = edge & (RW_POLAR_BINS - 1), quarter = wrapped / RW_POLAR_QUARTER;
    float along = (float)(wrapped - quarter * RW_POLAR_QUARTER) * (1.0f / (float)RW_POLAR_QUARTER);
    float rest = 1.0f - along;
    *x = quarter == 0 ? rest : quarter == 1 ? -along : quarter == 2 ? -rest : along;
    *y = quarter == 0 ? along : quarter == 1 ? rest : quarter == 2 ? -along : -rest;
}

/* The shadow of a wall at range r surely covers r to sure times r, and touches nothing beyond most times r. */
typedef struct rw_polar_reach {
    float sure, max;
} rw_polar_reach;

RW_FN rw_polar_reach rw_polar_reach_of(const rw_polar_source *source, float bottom, float top)
{
    rw_polar_reach reach = {0.0f, RW_POLAR_FAR};
    float low = source->receiver_low < source->z ? source->receiver_low : source->z;
    float high = source->receiver_high > source->z ? source->receiver_high : source->z;
    int grounded = bottom < low - 0.01f;
    if (top > high + 0.01f) {
        reach.sure = grounded ? RW_POLAR_FAR : 0.0f;
    } else if (source->z > source->receiver_high + 0.01f && source->z > top + 0.01f) {
        reach.max = top < source->receiver_low - 0.01f
                        ? 0.0f
                        : 1.0001f * (source->z - source->receiver_low + 0.001f) / (source->z - top - 0.001f);
        if (grounded && top > source->receiver_high + 0.01f)
            reach.sure = 0.9999f * (source->z - source->receiver_high - 0.001f) / (source->z - top + 0.001f);
    }
    return reach;
}

/* A wall prepared for entering: its ends relative to the source, counter-clockwise, and the bins it touches.
 * Differences are taken in double, so that what follows in float has a relative error, near the source too. */
typedef struct rw_polar_wall {
    float ax, ay, wx, wy; /* first end, and from there to the second */
    float a_range, b_range;
    float a_angle, b_angle; /* in bins; b may exceed RW_POLAR_BINS */
    int first_bin, last_bin;
    int end_on; /* so nearly seen end-on that it covers nothing for certain */
} rw_polar_wall;

/* Of the angles, in bins: about twice what rounding can do to them (docs/explanation/line_of_sight.md). */
#define RW_POLAR_SLACK 2e-3f

/* A wall on which the source stands, but for rounding: which side it is on is asked exactly, in every direction. */
RW_FN void rw_polar_leave_open(rw_polar_wall *wall)
{
    wall->end_on = 1;
    wall->first_bin = 0;
    wall->last_bin = RW_POLAR_BINS - 1;
    wall->a_angle = (float)RW_POLAR_BINS; /* beyond b_angle: no bin is spanned */
    wall->b_angle = 0.0f;
}

RW_FN rw_polar_wall rw_polar_wall_of(const rw_polar_source *source, const rw_exact_wall *exact)
{
    rw_polar_wall wall;
    float ax = (float)(exact->x0 - source->x), ay = (float)(exact->y0 - source->y);
    float bx0 = (float)(exact->x1 - source->x), by0 = (float)(exact->y1 - source->y), bx = bx0, by = by0;
    float wx = (float)(exact->x1 - exact->x0), wy = (float)(exact->y1 - exact->y0);
    float cross = ax * wy - ay * wx;
    int swap = cross < 0;
    wall.ax = swap ? bx : ax;
    wall.ay = swap ? by : ay;
    wall.wx = swap ? -wx : wx;
    wall.wy = swap ? -wy : wy;
    bx = swap ? ax : bx;
    by = swap ? ay : by;
    wall.a_range = fabsf(wall.ax) + fabsf(wall.ay);
    wall.b_range = fabsf(bx) + fabsf(by);
    wall.end_on =
        fabsf(cross) < 0.02f * (fabsf(wx) + fabsf(wy)) * (wall.a_range > wall.b_range ? wall.a_range : wall.b_range);
    wall.a_angle = rw_polar_angle(wall.ax, wall.ay, 1.0f / (wall.a_range + 1e-30f));
    wall.b_angle = rw_polar_angle(bx, by, 1.0f / (wall.b_range + 1e-30f));
    if (wall.b_angle < wall.a_angle) {
        if (wall.end_on && wall.a_angle - wall.b_angle < 1.0f) {
            float angle = wall.a_angle; /* the sign of cross was rounding */
            wall.a_angle = wall.b_angle;
            wall.b_angle = angle;
        } else {
            wall.b_angle += (float)RW_POLAR_BINS;
        }
    }
    wall.first_bin = (int)floorf(wall.a_angle - RW_POLAR_SLACK);
    wall.last_bin = (int)floorf(wall.b_angle + RW_POLAR_SLACK);
    if (fabsf(cross) <= 1e-6f * (fabsf(wx) + fabsf(wy)) * (wall.a_range + wall.b_range) && ax * bx0 + ay * by0 <= 0.0f)
        rw_polar_leave_open(&wall);
    return wall;
}

/* Range of the wall's line in the direction of a bin edge, and a bound on its error. */
RW_FN float rw_polar_range(const rw_polar_wall *wall, int edge, float *error)
{
    float x, y;
    rw_polar_edge(edge, &x, &y);
    float inverse = 1.0f / (x * wall->wy - y * wall->wx);
    float range = (wall->ax * wall->wy - wall->ay * wall->wx) * inverse;
    float grazing = (fabsf(wall->wx) + fabsf(wall->wy)) * fabsf(inverse);
    *error = (1e-6f * grazing + 4e-6f) * (fabsf(range) + wall->a_range);
    return range;
}

/* No point of the wall has a smaller range: the distance of its line. */
RW_FN float rw_polar_min_range(const rw_polar_wall *wall)
{
    float distance = fabsf(wall->ax * wall->wy - wall->ay * wall->wx) / (fabsf(wall->wx) + fabsf(wall->wy));
    float margin = 1e-5f * (wall->a_range + wall->b_range);
    return distance > margin ? distance - margin : 0.0f;
}

/* Least range of the part of the wall in a bin that holds one of its ends, or both: linear between the end and the
 * edge, but for what the slack of an angle can add. */
RW_FN float rw_polar_end_range(const rw_polar_wall *wall, int has_before, float before, int has_after, float after)
{
    if (wall->end_on)
        return rw_polar_min_range(wall);
    float a = wall->a_range, b = wall->b_range, nearest = a < b ? a : b;
    if (has_before)
        nearest = before < b ? before : b;
    else if (has_after)
        nearest = after < a ? after : a;
    return 0.9996f * nearest;
}

/* Enters a stretch of wall between ranges low and high into one bin; spans: it reaches from edge to edge. */
RW_FN void rw_polar_enter_bin(rw_polar_bins *bins, int bin, rw_polar_reach reach, float low, float high, int spans)
{
    int at = bin & (RW_POLAR_BINS - 1);
    low = low > 0.0f ? low : 0.0f;
    if (reach.max >= RW_POLAR_FAR || low < RW_POLAR_FIRST_RANGE) {
        rw_shared_min(&bins->clear_bits[at], rw_float_bits(low));
    } else {
        rw_polar_mark(bins->maybe[at], rw_polar_step(low), rw_polar_step(high * reach.max));
    }
    if (!spans)
        return;
    if (reach.sure >= RW_POLAR_FAR) {
        rw_shared_min(&bins->hidden_bits[at], rw_float_bits(high));
    } else if (low * reach.sure > high) {
        rw_polar_mark(bins->sure[at], rw_polar_step(high) + 1, rw_polar_step(low * reach.sure) - 1);
    }
}

/* A bin whose two edges the wall crosses: the stretch lies between the ranges there. */
RW_FN void rw_polar_stretch(const rw_polar_wall *wall, int bin, float *low, float *high)
{
    float before_error, after_error;
    float before = rw_polar_range(wall, bin, &before_error), after = rw_polar_range(wall, bin + 1, &after_error);
    float low0 = before - before_error, low1 = after - after_error;
    float high0 = before + before_error, high1 = after + after_error;
    *low = low0 < low1 ? low0 : low1;
    *high = high0 > high1 ? high0 : high1;
}

/* A bin with an end of the wall in it, or so near its edge that rounding leaves it open. */
RW_FN void rw_polar_enter_end(const rw_polar_wall *wall, int bin, rw_polar_reach reach, int first_inner, int last_inner,
                              rw_polar_bins *bins)
{
    float farthest = 1.0004f * (wall->a_range > wall->b_range ? wall->a_range : wall->b_range);
    int has_before = bin >= first_inner && bin <= last_inner,
        has_after = bin + 1 >= first_inner && bin + 1 <= last_inner;
    float error, before = 0, after = 0;
    if (has_before) {
        before = rw_polar_range(wall, bin, &error);
        before -= error;
    }
    if (has_after) {
        after = rw_polar_range(wall, bin + 1, &error);
        after -= error;
    }
    float low = rw_polar_end_range(wall, has_before, before, has_after, after);
    rw_polar_enter_bin(bins, bin, reach, low, farthest, 0);
}

/* An endless shadow over bins first to last - 1, which do not pass the end of the circle: nothing but minima, so that a
 * CPU takes several bins at once. */
RW_FN void rw_polar_enter_endless(const rw_polar_wall *wall, int first, int last, rw_polar_bins *bins)
{
    uint32_t *clear = bins->clear_bits, *hidden = bins->hidden_bits;
    RW_SIMD
    for (int bin = first; bin < last; bin++) {
        float low, high;
        rw_polar_stretch(wall, bin, &low, &high);
        uint32_t low_bits = rw_float_bits(low > 0.0f ? low : 0.0f);
        uint32_t high_bits = rw_float_bits(high > 0.0f ? high : RW_POLAR_FAR);
        rw_shared_min(&clear[bin], low_bits);
        rw_shared_min(&hidden[bin], high_bits);
    }
}

/* Bins first to last - 1, all of them spanned by the wall. */
RW_FN void rw_polar_enter_spanned(const rw_polar_wall *wall, rw_polar_reach reach, int first, int last,
                                  rw_polar_bins *bins)
{
    if (reach.sure >= RW_POLAR_FAR) {
        int again = first > RW_POLAR_BINS ? first - RW_POLAR_BINS : 0;
        rw_polar_enter_endless(wall, first, last > RW_POLAR_BINS ? RW_POLAR_BINS : last, bins);
        rw_polar_enter_endless(wall, again, last - RW_POLAR_BINS, bins);
        return;
    }
    for (int bin = first; bin < last; bin++) {
        float low, high;
        rw_polar_stretch(wall, bin, &low, &high);
        rw_polar_enter_bin(bins, bin, reach, low, high, high > 0.0f);
    }
}

/* First and last edge of bins that the wall surely crosses; the bins between them are spanned. */
RW_FN int rw_polar_first_inner(const rw_polar_wall *wall)
{
    return (int)ceilf(wall->a_angle + RW_POLAR_SLACK);
}

RW_FN int rw_polar_last_inner(const rw_polar_wall *wall)
{
    return (int)floorf(wall->b_angle - RW_POLAR_SLACK);
}

/* The bins at both ends of the wall that it does not span. */
RW_FN void rw_polar_enter_ends(const rw_polar_wall *wall, rw_polar_reach reach, rw_polar_bins *bins)
{
    int first_inner = rw_polar_first_inner(wall), last_inner = rw_polar_last_inner(wall);
    int spans = first_inner < last_inner;
    for (int bin = wall->first_bin; bin < (spans ? first_inner : wall->last_bin + 1); bin++)
        rw_polar_enter_end(wall, bin, reach, first_inner, last_inner, bins);
    for (int bin = last_inner; spans && bin <= wall->last_bin; bin++)
        rw_polar_enter_end(wall, bin, reach, first_inner, last_inner, bins);
}

/* 1 clear, 0 blocked, -1 open; may_be_clear 0 where something the buffer does not know can still block. */
RW_FN int rw_polar_answer(const rw_polar_bins *bins, int bin, float range, int may_be_clear)
{
    float margin = 1e-5f * range;
    if (range - margin > rw_bits_float(bins->hidden_bits[bin]))
        return 0;
    int first = rw_polar_step(range - margin), last = rw_polar_step(range + margin);
    int in_steps = first >= 0 && last < RW_POLAR_STEPS;
    if (in_steps && bins->sure[bin][first >> 5] >> (first & 31) & bins->sure[bin][last >> 5] >> (last & 31) & 1u)
        return 0;
    if (!may_be_clear || range + margin >= rw_bits_float(bins->clear_bits[bin]))
        return -1;
    if (range + margin < RW_POLAR_FIRST_RANGE)
        return 1;
    uint32_t maybe =
        in_steps ? bins->maybe[bin][first >> 5] >> (first & 31) | bins->maybe[bin][last >> 5] >> (last & 31) : 1u;
    return maybe & 1u ? -1 : 1;
}

RW_FN rw_polar_source rw_polar_source_of(const rw_los_arrays *all, size_t index)
{
    rw_polar_source source;
    source.x = all->sources[index].x;
    source.y = all->sources[index].y;
    source.z = (float)all->sources[index].z;
    source.receiver_low = (float)rw_los_lowest_m(all);
    source.receiver_high = all->receivers.high_m;
    return source;
}

/* Boxes of the plane as a source sees them in the bins of polar.k.h. */

#define RW_POLAR_LEVELS 9 /* runs of 1, 2, 4 ... 256 bins; a box over more than two of the longest is too near */

/* A box of the plane as the source sees it: its bins and its ranges. */
typedef struct rw_polar_box {
    int first_bin, last_bin; /* last may exceed RW_POLAR_BINS */
    float near_range;
} rw_polar_box;

/* Returns 0 where the source is inside or too near for its directions to be bounded. */
RW_FN int rw_polar_box_init(float west, float south, float east, float north, rw_polar_box *box)
{
    float x = west > 0 ? west : east < 0 ? east : 0.0f, y = south > 0 ? south : north < 0 ? north : 0.0f;
    box->near_range = fabsf(x) + fabsf(y);
    if (box->near_range <= 0.0f)
        return 0;
    /* Its outermost directions, counter-clockwise from a to b, are those of two corners, by where the box lies. */
    int north_of = south > 0, south_of = north < 0;
    float ax, ay, bx, by;
    if (west > 0) {
        ax = north_of ? east : west, ay = south;
        bx = south_of ? east : west, by = north;
    } else if (east < 0) {
        ax = south_of ? west : east, ay = north;
        bx = north_of ? west : east, by = south;
    } else {
        ax = north_of ? east : west, ay = north_of ? south : north;
        bx = north_of ? west : east, by = ay;
    }
    float a = rw_polar_angle(ax, ay, 1.0f / (fabsf(ax) + fabsf(ay)));
    float b = rw_polar_angle(bx, by, 1.0f / (fabsf(bx) + fabsf(by)));
    if (b < a)
        b += (float)RW_POLAR_BINS;
    box->first_bin = (int)floorf(a - 0.01f);
    box->last_bin = (int)floorf(b + 0.01f);
    return box->last_bin - box->first_bin < 2 << (RW_POLAR_LEVELS - 1);
}

#endif
