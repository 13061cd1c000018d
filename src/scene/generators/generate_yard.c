/* Inside a block: wings and back buildings that find room between what stands already, by trial.
 *
 * A block holds a few dozen outlines at most, so that comparing with all of them costs a bounded time per block. */
#include "scene/generators/generate.h"

#define CLEARANCE_M 4.0

static void append_outline_point(rw_outline *outline, rw_vec2 point, int open)
{
    if (outline->count < RW_OUTLINE_POINTS_MAX) {
        outline->point[outline->count] = point;
        outline->open[outline->count++] = (unsigned char)open;
    }
}

static int segments_cross(rw_vec2 a, rw_vec2 b, rw_vec2 c, rw_vec2 d)
{
    rw_vec2 ab = rw_vec2_sub(b, a), cd = rw_vec2_sub(d, c);
    double c_side = rw_vec2_cross(ab, rw_vec2_sub(c, a)), d_side = rw_vec2_cross(ab, rw_vec2_sub(d, a));
    double a_side = rw_vec2_cross(cd, rw_vec2_sub(a, c)), b_side = rw_vec2_cross(cd, rw_vec2_sub(b, c));
    return (c_side > 0) != (d_side > 0) && (a_side > 0) != (b_side > 0);
}

static int outline_contains(const rw_outline *outline, rw_vec2 point)
{
    int inside = 0;
    for (int i = 0, j = outline->count - 1; i < outline->count; j = i++) {
        rw_vec2 a = outline->point[i], b = outline->point[j];
        if ((a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside;
}

/* Whether a convex box meets an outline; one edge of the outline, from which a wing grows, may be left out. */
static int box_meets(const rw_lot *box, const rw_outline *outline, int except_edge)
{
    for (int i = 0; i < outline->count; i++) {
        if (i == except_edge)
            continue;
        rw_vec2 a = outline->point[i], b = outline->point[(i + 1) % outline->count];
        for (int k = 0; k < box->count; k++)
            if (segments_cross(a, b, box->corner[k], box->corner[(k + 1) % box->count]))
                return 1;
        if (rw_lot_contains(box, a))
            return 1;
    }
    return outline_contains(outline, box->corner[0]) && outline_contains(outline, box->corner[2]);
}

/* A box with its base from a point along a direction, standing to the left of it. */
static rw_lot make_box(rw_vec2 from, rw_vec2 direction, double length_m, double breadth_m)
{
    rw_vec2 far = rw_vec2_along(from, rw_vec2_left(direction), breadth_m);
    rw_lot box = {
        .count = 4,
        .corner = {from, rw_vec2_along(from, direction, length_m), rw_vec2_along(far, direction, length_m), far}};
    return box;
}

static int box_fits(const rw_yard *yard, const rw_lot *box, int own, int own_edge)
{
    for (int k = 0; k < box->count; k++)
        if (!rw_lot_contains(&yard->lot, box->corner[k]))
            return 0;
    for (int i = 0; i < yard->count; i++)
        if (box_meets(box, &yard->outline[i], i == own ? own_edge : -1))
            return 0;
    return 1;
}

static void insert_wing(rw_outline *outline, int edge, const rw_vec2 wing[4])
{
    for (int i = outline->count - 1; i > edge; i--) {
        outline->point[i + 4] = outline->point[i];
        outline->open[i + 4] = outline->open[i];
    }
    for (int i = 0; i < 4; i++) {
        outline->point[edge + 1 + i] = wing[i];
        outline->open[edge + 1 + i] = i == 3;
    }
    outline->count += 4;
}

int rw_yard_grow_wing(rw_yard *yard, rw_random *random)
{
    if (!yard->count)
        return 0;
    int own = rw_random_index(random, yard->count);
    rw_outline *outline = &yard->outline[own];
    int edge = rw_random_index(random, outline->count);
    rw_vec2 from = outline->point[edge], to = outline->point[(edge + 1) % outline->count];
    double edge_m = rw_vec2_distance(from, to), width_m = rw_random_range(random, 7, 13);
    double length_m = rw_random_range(random, 6, 24);
    if (!outline->open[edge] || edge_m < width_m + 5 || outline->count + 4 > RW_OUTLINE_POINTS_MAX)
        return 0;
    double start_m = rw_random_range(random, 2.5, edge_m - width_m - 2.5);
    rw_vec2 along = rw_vec2_unit(rw_vec2_sub(to, from)), out = rw_vec2_of(along.y, -along.x);
    /* The box to keep clear starts half a metre off the wall, or the wall itself would be in it. */
    rw_vec2 corner = rw_vec2_along(rw_vec2_along(from, along, start_m + width_m + CLEARANCE_M), out, 0.5);
    rw_lot needed = make_box(corner, rw_vec2_of(-along.x, -along.y), width_m + 2 * CLEARANCE_M, length_m + CLEARANCE_M);
    if (!box_fits(yard, &needed, own, edge))
        return 0;
    rw_vec2 near = rw_vec2_along(from, along, start_m), far = rw_vec2_along(from, along, start_m + width_m);
    rw_vec2 wing[4] = {near, rw_vec2_along(near, out, length_m), rw_vec2_along(far, out, length_m), far};
    insert_wing(outline, edge, wing);
    return 1;
}

int rw_yard_add_box(rw_yard *yard, rw_vec2 centre, rw_vec2 direction, double length_m, double breadth_m,
                    double roof_height_m)
{
    if (yard->count >= RW_YARD_OUTLINES_MAX)
        return 0;
    rw_vec2 corner =
        rw_vec2_along(rw_vec2_along(centre, direction, -length_m / 2), rw_vec2_left(direction), -breadth_m / 2);
    rw_vec2 outer =
        rw_vec2_along(rw_vec2_along(corner, direction, -CLEARANCE_M), rw_vec2_left(direction), -CLEARANCE_M);
    rw_lot needed = make_box(outer, direction, length_m + 2 * CLEARANCE_M, breadth_m + 2 * CLEARANCE_M);
    if (!box_fits(yard, &needed, -1, -1))
        return 0;
    rw_lot box = make_box(corner, direction, length_m, breadth_m);
    rw_outline *outline = &yard->outline[yard->count++];
    *outline = (rw_outline){.roof_height_m = roof_height_m};
    for (int i = 0; i < 4; i++)
        append_outline_point(outline, box.corner[i], 1);
    return 1;
}

rw_vec2 rw_yard_random_point(const rw_yard *yard, rw_random *random)
{
    rw_vec2 along = rw_vec2_unit(rw_vec2_sub(yard->lot.corner[1], yard->lot.corner[0])), across = rw_vec2_left(along);
    double low, high, low_across, high_across;
    rw_lot_extent(&yard->lot, along, &low, &high);
    rw_lot_extent(&yard->lot, across, &low_across, &high_across);
    double x = rw_random_range(random, low, high), y = rw_random_range(random, low_across, high_across);
    return rw_vec2_of(along.x * x + across.x * y, along.y * x + across.y * y);
}

rw_status rw_yard_build(rw_city *city, const rw_yard *yard)
{
    for (int i = 0; i < yard->count; i++) {
        const rw_outline *outline = &yard->outline[i];
        rw_shape shape = {.rings = {outline->point},
                          .ring_sizes = {(size_t)outline->count},
                          .ring_count = 1,
                          .roof_height_m = outline->roof_height_m};
        RW_TRY(rw_city_add(city, &shape, 1));
    }
    return RW_OK;
}

/* The buildings of a perimeter block along its streets. */
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

    append_outline_point(outline, ring_point(ring, a->edge, a_m, 0), 0);
    for (int i = 1; i <= corners; i++)
        append_outline_point(outline, ring->lot->corner[(a->edge + i) % count], 0);
    append_outline_point(outline, ring_point(ring, b->edge, b_m, 0), 0);
    if (b->gap_m <= 0 && ring->piece_depth_m[next] < depth_m)
        append_outline_point(outline, ring_point(ring, b->edge, b_m, ring->piece_depth_m[next]), 0);
    append_outline_point(outline, ring_point(ring, b->edge, b_m, depth_m), 1);
    for (int i = corners; i >= 1; i--)
        append_outline_point(outline, ring->inner.corner[(a->edge + i) % count], 1);
    append_outline_point(outline, ring_point(ring, a->edge, a_m, depth_m), 0);
    if (a->gap_m <= 0 && ring->piece_depth_m[before] < depth_m)
        append_outline_point(outline, ring_point(ring, a->edge, a_m, ring->piece_depth_m[before]), 0);
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
