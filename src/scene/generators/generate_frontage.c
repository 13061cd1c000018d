/* The closed rows of houses round a block: from a lot to attached buildings with a courtyard behind them.
 *
 * The ring between the lot and its inner offset is cut across at chosen places. Neighbours that stand wall to wall
 * share their corners exactly: where their depths differ, the deeper one has a corner where the shallower one ends. */
#include "scene/generators/generate.h"

#define CUTS_MAX 60
#define DEEPER_MAX_M 3.5

typedef struct ring_cut {
    int edge;
    double along_m; /* on the edge, from its first corner */
    double gap_m;   /* of a passage there; 0: wall to wall */
} ring_cut;

typedef struct building_ring {
    const rw_lot *lot;
    rw_lot inner;
    double first_m[RW_LOT_CORNERS_MAX], last_m[RW_LOT_CORNERS_MAX]; /* where an edge may be cut */
    double length_m[RW_LOT_CORNERS_MAX];
    double depth_m;
    int cut_count;
    ring_cut cut[CUTS_MAX];
    double piece_depth_m[CUTS_MAX]; /* of the piece after each cut */
} building_ring;

static void find_cuttable(building_ring *ring)
{
    for (int i = 0; i < ring->lot->count; i++) {
        rw_vec2 from = ring->lot->corner[i], along = rw_lot_edge_direction(ring->lot, i);
        int next = (i + 1) % ring->lot->count;
        ring->length_m[i] = rw_vec2_distance(from, ring->lot->corner[next]);
        /* A house that reaches deeper than the ring must stay on its side of the corner's bisector. */
        double deeper = 1 + DEEPER_MAX_M / ring->depth_m;
        double first_m = rw_vec2_dot(along, rw_vec2_sub(ring->inner.corner[i], from));
        double last_m = rw_vec2_dot(along, rw_vec2_sub(ring->inner.corner[next], from));
        ring->first_m[i] = first_m * deeper + 1.5;
        ring->last_m[i] = ring->length_m[i] - (ring->length_m[i] - last_m) * deeper - 1.5;
    }
}

/* Cuts an edge at about the wanted place, moved out of the corners; not where the piece before would become too short.
 */
static void try_cut(building_ring *ring, int edge, double along_m, double gap_m, double shortest_m)
{
    double low = ring->first_m[edge] + gap_m / 2, high = ring->last_m[edge] - gap_m / 2;
    if (low > high || ring->cut_count >= CUTS_MAX)
        return;
    along_m = along_m < low ? low : along_m > high ? high : along_m;
    if (ring->cut_count) {
        const ring_cut *last = &ring->cut[ring->cut_count - 1];
        if (last->edge == edge && along_m - gap_m / 2 - last->along_m - last->gap_m / 2 < shortest_m)
            return;
    }
    ring->cut[ring->cut_count++] = (ring_cut){edge, along_m, gap_m};
}

static double choose_gap(const rw_frontage *frontage, rw_random *random)
{
    return rw_random_chance(random, frontage->gap_chance) ? rw_random_range(random, 4, 10) : 0;
}

static void cut_building_ring(building_ring *ring, const rw_frontage *frontage, rw_random *random)
{
    double next_m = frontage->piece_m * rw_random_range(random, 0, 1), start_m = 0;
    for (int edge = 0; edge < ring->lot->count; edge++) {
        while (next_m < start_m + ring->length_m[edge]) {
            try_cut(ring, edge, next_m - start_m, choose_gap(frontage, random), 9);
            next_m += frontage->piece_m * rw_random_range(random, 0.35, 1.65);
        }
        start_m += ring->length_m[edge];
    }
    /* A ring that is cut once must be open there, or its outline would touch itself. */
    if (ring->cut_count == 1 && ring->cut[0].gap_m <= 0) {
        ring->cut_count = 0;
        try_cut(ring, ring->cut[0].edge, ring->cut[0].along_m, 6, 9);
    }
}

static int piece_spans_corner(const building_ring *ring, int piece)
{
    int next = (piece + 1) % ring->cut_count;
    return ring->cut_count == 1 || ring->cut[piece].edge != ring->cut[next].edge ||
           ring->cut[next].along_m < ring->cut[piece].along_m;
}

/* Houses between corners vary in depth; those round a corner keep the ring's, where both arms meet. */
static void choose_depths(building_ring *ring, rw_random *random)
{
    for (int i = 0; i < ring->cut_count; i++) {
        /* Whole metres, or neighbours would differ by a hair. */
        double change_m = rw_random_index(random, 7) - 3;
        ring->piece_depth_m[i] = ring->depth_m + (piece_spans_corner(ring, i) ? 0 : change_m);
    }
}

static rw_vec2 ring_point(const building_ring *ring, int edge, double along_m, double depth_m)
{
    rw_vec2 along = rw_lot_edge_direction(ring->lot, edge);
    return rw_vec2_along(rw_vec2_along(ring->lot->corner[edge], along, along_m), rw_vec2_left(along), depth_m);
}

static void build_piece(const building_ring *ring, int piece, rw_outline *outline)
{
    int count = ring->lot->count, next = (piece + 1) % ring->cut_count;
    int before = (piece + ring->cut_count - 1) % ring->cut_count;
    const ring_cut *a = &ring->cut[piece], *b = &ring->cut[next];
    double depth_m = ring->piece_depth_m[piece], a_m = a->along_m + a->gap_m / 2, b_m = b->along_m - b->gap_m / 2;
    int corners = (b->edge - a->edge + count) % count;
    if (corners == 0 && piece_spans_corner(ring, piece))
        corners = count;

    rw_outline_append(outline, ring_point(ring, a->edge, a_m, 0), 0);
    for (int i = 1; i <= corners; i++)
        rw_outline_append(outline, ring->lot->corner[(a->edge + i) % count], 0);
    rw_outline_append(outline, ring_point(ring, b->edge, b_m, 0), 0);
    if (b->gap_m <= 0 && ring->piece_depth_m[next] < depth_m)
        rw_outline_append(outline, ring_point(ring, b->edge, b_m, ring->piece_depth_m[next]), 0);
    rw_outline_append(outline, ring_point(ring, b->edge, b_m, depth_m), 1);
    for (int i = corners; i >= 1; i--)
        rw_outline_append(outline, ring->inner.corner[(a->edge + i) % count], 1);
    rw_outline_append(outline, ring_point(ring, a->edge, a_m, depth_m), 0);
    if (a->gap_m <= 0 && ring->piece_depth_m[before] < depth_m)
        rw_outline_append(outline, ring_point(ring, a->edge, a_m, ring->piece_depth_m[before]), 0);
}

int rw_yard_line_streets(rw_yard *yard, const rw_frontage *frontage, rw_random *random)
{
    building_ring ring = {.lot = &yard->lot, .depth_m = frontage->depth_m};
    rw_lot yard_behind;
    /* The courtyard must still be there behind the deepest houses, with room between those of opposite sides. */
    if (!rw_lot_offset(&yard->lot, frontage->depth_m + 7, 0, &yard_behind) ||
        !rw_lot_offset(&yard->lot, frontage->depth_m, 9, &ring.inner))
        return 0;
    find_cuttable(&ring);
    cut_building_ring(&ring, frontage, random);
    if (ring.cut_count == 0)
        return 0;
    choose_depths(&ring, random);
    for (int i = 0; i < ring.cut_count && yard->count < RW_YARD_OUTLINES_MAX; i++) {
        rw_outline *outline = &yard->outline[yard->count++];
        *outline = (rw_outline){.roof_height_m = frontage->roof_height_m + rw_random_range(random, -3.5, 3.5)};
        build_piece(&ring, i, outline);
    }
    return 1;
}
