/* Outline of faces: what is left of their edges where no neighbour takes it away, chained into simple rings. */
#include "scene/readers/cityjson/cityjson.h"

#include "base/memory.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

static int compare_footprint_points(rw_vec2 a, rw_vec2 b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    return a.y < b.y ? -1 : a.y > b.y;
}

static int is_backward(const rw_face_edge *edge)
{
    return compare_footprint_points(edge->from, edge->to) > 0;
}

/* By the pair of end points whatever the direction, so that edges that cancel stand together. */
static int compare_edge_pairs(const void *left, const void *right)
{
    const rw_face_edge *a = left, *b = right;
    rw_vec2 a_low = is_backward(a) ? a->to : a->from, a_high = is_backward(a) ? a->from : a->to;
    rw_vec2 b_low = is_backward(b) ? b->to : b->from, b_high = is_backward(b) ? b->from : b->to;
    int order = compare_footprint_points(a_low, b_low);
    return order ? order : compare_footprint_points(a_high, b_high);
}

static int compare_starts(const void *left, const void *right)
{
    const rw_face_edge *a = left, *b = right;
    int order = compare_footprint_points(a->from, b->from);
    return order ? order : compare_footprint_points(a->to, b->to);
}

/* Leaves as many copies of each edge as its directions differ in number; then every point has as many edges in as out.
 */
static size_t cancel_face_edges(rw_face_edge *edges, size_t count)
{
    size_t remaining = 0;
    qsort(edges, count, sizeof *edges, compare_edge_pairs);
    for (size_t i = 0, next; i < count; i = next) {
        long surplus = 0;
        for (next = i; next < count && compare_edge_pairs(&edges[i], &edges[next]) == 0; next++)
            surplus += is_backward(&edges[next]) ? -1 : 1;
        rw_face_edge edge = edges[i];
        if ((surplus < 0) != is_backward(&edge)) {
            edge.from = edges[i].to;
            edge.to = edges[i].from;
        }
        if (compare_footprint_points(edge.from, edge.to) == 0)
            surplus = 0;
        for (long copies = labs(surplus); copies > 0; copies--)
            edges[remaining++] = edge;
    }
    return remaining;
}

/* The walk over the remaining edges. Edges that leave a point stand together; first_out and next_out are by point. */
typedef struct walk {
    const rw_face_edge *edges;
    size_t count, point_count;
    size_t *edge_from, *edge_to; /* point numbers */
    size_t *next_out, *end_out;  /* by point: edges that are not used yet */
    size_t *path_index;          /* by point: where it stands in the path, plus one; 0: not there */
    size_t *path;
    size_t path_length;
    size_t written;
} walk;

static size_t find_edge_start(const rw_face_edge *edges, size_t count, rw_vec2 point)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_footprint_points(edges[middle].from, point) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void number_points(walk *w)
{
    for (size_t i = 0; i < w->count; i++) {
        int is_new = i == 0 || compare_footprint_points(w->edges[i - 1].from, w->edges[i].from) != 0;
        w->point_count += is_new;
        size_t point = w->point_count - 1;
        if (is_new)
            w->next_out[point] = i;
        w->end_out[point] = i + 1;
        w->edge_from[i] = point;
    }
    for (size_t i = 0; i < w->count; i++)
        w->edge_to[i] = w->edge_from[find_edge_start(w->edges, w->count, w->edges[i].to)];
}

/* The path came back to a point that it has: what lies between is a ring. */
static void cut_footprint_ring(walk *w, size_t point, const size_t *first_edge, rw_footprint *out)
{
    size_t start = w->path_index[point] - 1;
    for (size_t i = start; i < w->path_length; i++) {
        out->points[w->written++] = w->edges[first_edge[w->path[i]]].from;
        w->path_index[w->path[i]] = 0;
    }
    w->path_length = start;
    out->ring_first[++out->ring_count] = w->written;
}

static void walk_from(walk *w, size_t start, const size_t *first_edge, rw_footprint *out)
{
    size_t point = start;
    for (;;) {
        if (w->path_index[point])
            cut_footprint_ring(w, point, first_edge, out);
        if (w->next_out[point] == w->end_out[point])
            return; /* every way out is used: this is the start, whose rings are all cut */
        w->path[w->path_length++] = point;
        w->path_index[point] = w->path_length;
        point = w->edge_to[w->next_out[point]++];
    }
}

static rw_status chain_edges(rw_context *context, const rw_face_edge *edges, size_t count, rw_footprint *out)
{
    size_t *memory;
    RW_TRY(rw_array_create(context, 7 * count + 1, sizeof *memory, "an outline", &memory));
    walk w = {.edges = edges,
              .count = count,
              .edge_from = memory,
              .edge_to = memory + count,
              .next_out = memory + 2 * count,
              .end_out = memory + 3 * count,
              .path_index = memory + 4 * count,
              .path = memory + 5 * count};
    size_t *first_edge = memory + 6 * count;
    number_points(&w);
    memcpy(first_edge, w.next_out, count * sizeof *first_edge);
    for (size_t i = 0; i < w.point_count; i++)
        while (w.next_out[i] < w.end_out[i])
            walk_from(&w, i, first_edge, out);
    free(memory);
    return RW_OK;
}

static int footprint_ring_contains(const rw_footprint *footprint, size_t ring, rw_vec2 at)
{
    size_t first = footprint->ring_first[ring], end = footprint->ring_first[ring + 1];
    int inside = 0;
    for (size_t i = first, j = end - 1; i < end; j = i++) {
        rw_vec2 a = footprint->points[j], b = footprint->points[i];
        if ((a.y > at.y) == (b.y > at.y))
            continue;
        double side = rw_vec2_cross(rw_vec2_sub(b, a), rw_vec2_sub(at, a));
        inside ^= (side > 0) == (b.y > a.y);
    }
    return inside;
}

static double footprint_ring_area(const rw_footprint *footprint, size_t ring)
{
    size_t first = footprint->ring_first[ring];
    return rw_ring_area(footprint->points + first, footprint->ring_first[ring + 1] - first);
}

/* A ring's owner is decided by the middle of its first edge, which lies on no other ring's corner. */
static void find_owners(rw_footprint *footprint)
{
    for (size_t ring = 0; ring < footprint->ring_count; ring++) {
        const rw_vec2 *points = footprint->points + footprint->ring_first[ring];
        rw_vec2 at = rw_vec2_of(0.5 * (points[0].x + points[1].x), 0.5 * (points[0].y + points[1].y));
        int is_hole = footprint_ring_area(footprint, ring) < 0;
        footprint->owner[ring] = is_hole ? SIZE_MAX : ring;
        for (size_t other = 0; other < footprint->ring_count; other++)
            if (other != ring && footprint_ring_area(footprint, other) > 0 &&
                footprint_ring_contains(footprint, other, at))
                footprint->owner[ring] = is_hole ? other : SIZE_MAX;
    }
    for (size_t ring = 0; ring < footprint->ring_count; ring++) /* a hole in a ring that is left out goes with it */
        if (footprint->owner[ring] != SIZE_MAX && footprint->owner[footprint->owner[ring]] == SIZE_MAX)
            footprint->owner[ring] = SIZE_MAX;
}

rw_status rw_footprint_trace(rw_context *context, rw_face_edge *edges, size_t count, rw_footprint *footprint)
{
    memset(footprint, 0, sizeof *footprint);
    count = cancel_face_edges(edges, count);
    qsort(edges, count, sizeof *edges, compare_starts);
    rw_status status = rw_array_create(context, count, sizeof *footprint->points, "an outline", &footprint->points);
    if (status == RW_OK)
        status = rw_array_create(context, count + 1, sizeof(size_t), "an outline", &footprint->ring_first);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof(size_t), "an outline", &footprint->owner);
    if (status == RW_OK)
        status = chain_edges(context, edges, count, footprint);
    if (status == RW_OK)
        find_owners(footprint);
    else
        rw_footprint_free(footprint);
    return status;
}

void rw_footprint_free(rw_footprint *footprint)
{
    free(footprint->points);
    free(footprint->ring_first);
    free(footprint->owner);
    memset(footprint, 0, sizeof *footprint);
}
