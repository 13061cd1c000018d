#include "scene/readers/cost231/cost231.h"

#include "base/memory.h"

#include <stdlib.h>

/* One end of a segment, for looking up what meets a point. */
typedef struct segment_end {
    rw_vec2 point;
    size_t segment;
    int is_start;
    size_t first_free; /* of the first entry at a point: the first entry there that may still be unused */
} segment_end;

typedef struct chainer {
    rw_context *context;
    const rw_segment *segments;
    size_t count;
    segment_end *ends; /* sorted by point, then segment; made when first needed */
    char *used;
    rw_wall_loops *chains;
} chainer;

static int same_point(rw_vec2 a, rw_vec2 b)
{
    return a.x == b.x && a.y == b.y;
}

static int compare_segment_ends(rw_vec2 a, rw_vec2 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    return a.y < b.y ? -1 : a.y > b.y;
}

static int compare_ends(const void *left, const void *right)
{
    const segment_end *a = left, *b = right;
    int order = compare_segment_ends(a->point, b->point);
    if (order)
        return order;
    if (a->segment != b->segment)
        return a->segment < b->segment ? -1 : 1;
    return b->is_start - a->is_start;
}

static rw_status sort_ends(chainer *work)
{
    RW_TRY(rw_array_create(work->context, 2 * work->count, sizeof *work->ends, "the ends of walls", &work->ends));
    for (size_t i = 0; i < work->count; i++) {
        work->ends[2 * i] = (segment_end){work->segments[i].from, i, 1, 0};
        work->ends[2 * i + 1] = (segment_end){work->segments[i].to, i, 0, 0};
    }
    qsort(work->ends, 2 * work->count, sizeof *work->ends, compare_ends);
    for (size_t i = 0; i < 2 * work->count; i++)
        work->ends[i].first_free = i;
    return RW_OK;
}

static size_t first_end_at(const chainer *work, rw_vec2 point)
{
    size_t low = 0, high = 2 * work->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_segment_ends(work->ends[middle].point, point) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* An unused segment that meets the point, or count. Entries passed over are used for good, so the search resumes behind
 * them and costs constant time on average however many walls meet in one point. */
static rw_status find_meeting(chainer *work, rw_vec2 point, size_t *segment, int *forward)
{
    if (!work->ends)
        RW_TRY(sort_ends(work));
    *segment = work->count;
    size_t first = first_end_at(work, point);
    if (first >= 2 * work->count || !same_point(work->ends[first].point, point))
        return RW_OK;
    size_t at = work->ends[first].first_free;
    while (at < 2 * work->count && same_point(work->ends[at].point, point) && work->used[work->ends[at].segment])
        at++;
    work->ends[first].first_free = at;
    if (at < 2 * work->count && same_point(work->ends[at].point, point)) {
        *segment = work->ends[at].segment;
        *forward = work->ends[at].is_start;
    }
    return RW_OK;
}

static rw_status append_corner(chainer *work, rw_vec2 corner, size_t segment)
{
    rw_wall_loops *chains = work->chains;
    RW_TRY(RW_ARRAY_RESERVE(work->context, chains->corners, 1, "outlines"));
    RW_TRY(RW_ARRAY_RESERVE(work->context, chains->segments, 1, "outlines"));
    chains->corners.items[chains->corners.count++] = corner;
    chains->segments.items[chains->segments.count++] = segment;
    return RW_OK;
}

/* Follows one ring from its first segment until it closes or nothing meets its end. */
static rw_status follow_wall_chain(chainer *work, size_t segment, int *closed)
{
    rw_vec2 start = work->segments[segment].from;
    int forward = 1;
    for (;;) {
        const rw_segment *now = &work->segments[segment];
        rw_vec2 end = forward ? now->to : now->from;
        work->used[segment] = 1;
        RW_TRY(append_corner(work, forward ? now->from : now->to, segment));
        *closed = same_point(end, start);
        if (*closed)
            return RW_OK;
        size_t next = segment + 1;
        forward = 1;
        if (next >= work->count || work->used[next] || !same_point(work->segments[next].from, end))
            RW_TRY(find_meeting(work, end, &next, &forward));
        if (next >= work->count)
            return append_corner(work, end, segment);
        segment = next;
    }
}

static rw_status chain_all(chainer *work)
{
    rw_wall_loops *chains = work->chains;
    for (size_t i = 0; i < work->count; i++) {
        if (work->used[i])
            continue;
        RW_TRY(RW_ARRAY_RESERVE(work->context, chains->first, 2, "outlines"));
        RW_TRY(RW_ARRAY_RESERVE(work->context, chains->closed, 1, "outlines"));
        chains->first.items[chains->first.count++] = chains->corners.count;
        int closed = 0;
        RW_TRY(follow_wall_chain(work, i, &closed));
        chains->closed.items[chains->closed.count++] = closed;
    }
    RW_TRY(RW_ARRAY_RESERVE(work->context, chains->first, 1, "outlines"));
    chains->first.items[chains->first.count++] = chains->corners.count;
    return RW_OK;
}

rw_status rw_join_walls(rw_context *context, const rw_segment *segments, size_t count, rw_wall_loops *chains)
{
    *chains = (rw_wall_loops){0};
    chainer work = {.context = context, .segments = segments, .count = count, .chains = chains};
    RW_TRY(rw_array_create(context, count, 1, "marks of walls", &work.used));
    rw_status status = chain_all(&work);
    free(work.used);
    free(work.ends);
    if (status != RW_OK)
        rw_wall_loops_free(chains);
    return status;
}

void rw_wall_loops_free(rw_wall_loops *chains)
{
    free(chains->corners.items);
    free(chains->segments.items);
    free(chains->first.items);
    free(chains->closed.items);
    *chains = (rw_wall_loops){0};
}
