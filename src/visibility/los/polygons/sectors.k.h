/* Wall counts at a cost that grows as the city does: a tree of directions around one source.
 *
 * Seen from the source a wall is an interval of directions with a range in each. Directions are cut into 4^levels
 * sectors of equal pseudo-angle (polar.k.h), joined by fours into larger ones up to the whole circle, and a wall is
 * entered into the few largest sectors that it spans from edge to edge: about six for each fourfold of its width. A
 * receiver counts, in the sectors that hold its direction, the walls whose range is below its own: by bisection, since
 * each sector lists its walls by range. What is not certain is asked in double: walls that end inside the smallest
 * sector, walls not above everything, and walls so near to the receiver that their range in its direction decides. So
 * the counts are those of brute force, for walls times log walls and receivers times log^2 walls, where shadow polygons
 * take walls times rows. */
#ifndef RW_VISIBILITY_LOS_POLYGONS_SECTORS_K_H
#define RW_VISIBILITY_LOS_POLYGONS_SECTORS_K_H

#include "visibility/los/sight.k.h"

#define RW_SECTOR_LEVELS_MAX 11

/* Of a direction, in smallest sectors; and of a range, as a share of it. Both are far above what rounding can do: to
 * angles in double, and to a range rounded to float. */
#define RW_SECTOR_SLACK 1e-5
#define RW_SECTOR_RANGE_SLACK 1e-6

/* A wall in a sector that it spans: its ranges there. */
typedef struct rw_sector_entry {
    float low, high;
    float max_high; /* largest high up to here in the list */
    uint32_t wall;  /* into the exact walls */
} rw_sector_entry;

/* Entries first to first + sure - 1 hide everything behind them, by rising low; the asked ones come after, and hide
 * nothing that is not between their low and high. */
typedef struct rw_sector {
    uint32_t first;
    uint32_t sure, tested;
    uint32_t sure_written, tested_written;
} rw_sector;

typedef struct rw_sector_tree {
    rw_vec3 source;
    int levels;
    rw_sector *sectors; /* level by level: 1, 4, 16 and so on */
    uint32_t *entry_count;
    rw_sector_entry *entries;
} rw_sector_tree;

RW_FN size_t rw_sector_count(int levels)
{
    return (((size_t)4 << 2 * levels) - 1) / 3;
}

/* Pseudo-angle of a direction in quarters, 0 to 4. */
RW_FN double rw_sector_quarters(double x, double y)
{
    double fraction = ((y >= 0) == (x > 0) ? fabs(y) : fabs(x)) / (fabs(x) + fabs(y) + 1e-300);
    return (y >= 0 ? (x > 0 ? 0.0 : 1.0) : (x > 0 ? 3.0 : 2.0)) + fraction;
}

/* A wall as seen from the source: counter-clockwise from a, in smallest sectors. */
typedef struct rw_sector_wall {
    double ax, ay, wx, wy;   /* first end, and from there to the second */
    double low, high;        /* no point of it has a smaller range, and nothing at a larger one is hidden by it */
    int64_t touched, inner;  /* first smallest sector that it touches, and first that it spans */
    int64_t inner_end, last; /* behind the last that it spans, and last that it touches */
    int around;              /* the source stands on it, but for rounding: every direction is asked */
    int sure;                /* hides everything behind it */
} rw_sector_wall;

RW_FN int rw_sector_wall_sure(const rw_los_arrays *all, const rw_exact_wall *exact, rw_vec3 source)
{
    return exact->bottom <= rw_los_lowest_m(all) && exact->bottom <= source.z &&
           exact->top > (double)all->receivers.high_m && exact->top > source.z;
}

/* How many times as far as the wall its shadow reaches: a receiver further away is higher than it, equation (2) of Rick
 * and Kuhlen (2010). */
RW_FN double rw_sector_reach(const rw_los_arrays *all, const rw_exact_wall *exact, rw_vec3 source)
{
    double below = source.z - exact->top, fall = source.z - rw_los_lowest_m(all);
    return below > 1e-3 * fall && fall > 0 ? fall / below : 1e3;
}

RW_FN rw_sector_wall rw_sector_wall_of(const rw_los_arrays *all, const rw_sector_tree *tree, size_t index)
{
    const rw_exact_wall *exact = all->grid.exact + index;
    rw_sector_wall wall;
    double ax = exact->x0 - tree->source.x, ay = exact->y0 - tree->source.y;
    double bx = exact->x1 - tree->source.x, by = exact->y1 - tree->source.y;
    double wx = exact->x1 - exact->x0, wy = exact->y1 - exact->y0, cross = ax * wy - ay * wx;
    double length = fabs(wx) + fabs(wy), a_range = fabs(ax) + fabs(ay), b_range = fabs(bx) + fabs(by);
    double quarter = (double)((int64_t)1 << 2 * (tree->levels - 1));
    double a = rw_sector_quarters(ax, ay), b = rw_sector_quarters(bx, by);
    wall.sure = rw_sector_wall_sure(all, exact, tree->source);
    wall.around = fabs(cross) <= 1e-9 * length * (a_range + b_range) && ax * bx + ay * by <= 0;
    wall.low = (int)a == (int)b ? (a_range < b_range ? a_range : b_range) : fabs(cross) / length;
    wall.low *= 1 - RW_SECTOR_RANGE_SLACK;
    double reach = rw_sector_reach(all, exact, tree->source);
    wall.high = reach < 1e3 ? (a_range > b_range ? a_range : b_range) * reach * (1 + RW_SECTOR_RANGE_SLACK) : 1e30;
    int swap = cross < 0;
    wall.ax = swap ? bx : ax;
    wall.ay = swap ? by : ay;
    wall.wx = swap ? -wx : wx;
    wall.wy = swap ? -wy : wy;
    double from = (swap ? b : a) * quarter, to = (swap ? a : b) * quarter;
    if (to < from && from - to < 1e-3) { /* seen end-on: the sign of cross was rounding */
        double other = from;
        from = to;
        to = other;
    }
    to += to < from ? 4 * quarter : 0;
    wall.touched = (int64_t)floor(from - RW_SECTOR_SLACK);
    wall.last = (int64_t)floor(to + RW_SECTOR_SLACK);
    wall.inner = (int64_t)ceil(from + RW_SECTOR_SLACK);
    wall.inner_end = (int64_t)floor(to - RW_SECTOR_SLACK);
    return wall;
}

/* Range of the wall's line in the direction of the lower edge of a smallest sector. */
RW_FN double rw_sector_edge_range(const rw_sector_tree *tree, const rw_sector_wall *wall, int64_t edge)
{
    int64_t quarter_size = (int64_t)1 << 2 * (tree->levels - 1), wrapped = edge & (4 * quarter_size - 1);
    int quarter = (int)(wrapped / quarter_size);
    double along = (double)(wrapped - quarter * quarter_size) / (double)quarter_size, rest = 1 - along;
    double x = quarter == 0 ? rest : quarter == 1 ? -along : quarter == 2 ? -rest : along;
    double y = quarter == 0 ? along : quarter == 1 ? rest : quarter == 2 ? -along : -rest;
    return (wall->ax * wall->wy - wall->ay * wall->wx) / (x * wall->wy - y * wall->wx);
}

/* Goes through the largest sectors that a run of smallest sectors consists of. */
typedef struct rw_sector_walk {
    int64_t at, end;
    int64_t size; /* of the sector found, in smallest ones */
} rw_sector_walk;

RW_FN rw_sector_walk rw_sector_walk_of(int64_t first, int64_t end)
{
    rw_sector_walk walk = {first, end, 0};
    return walk;
}

/* The next sector, as a place in the tree; 0 at the end, since no wall spans the whole circle. */
RW_FN size_t rw_sector_next(const rw_sector_tree *tree, rw_sector_walk *walk)
{
    walk->at += walk->size;
    if (walk->at >= walk->end)
        return 0;
    int level = tree->levels;
    walk->size = 1;
    while (level > 1 && walk->at % (4 * walk->size) == 0 && walk->at + 4 * walk->size <= walk->end) {
        walk->size *= 4;
        level--;
    }
    int64_t number = (walk->at / walk->size) & (((int64_t)1 << 2 * level) - 1);
    return rw_sector_count(level - 1) + (size_t)number;
}

/* A smallest sector as a place in the tree; first may be -1, or behind the circle's end. */
RW_FN size_t rw_sector_leaf(const rw_sector_tree *tree, int64_t first)
{
    return rw_sector_count(tree->levels - 1) + (size_t)(first & (((int64_t)1 << 2 * tree->levels) - 1));
}

/* The next smallest sector that the wall touches without spanning it, after this one; behind last where there is none.
 */
RW_FN int64_t rw_sector_next_end(const rw_sector_wall *wall, int64_t leaf)
{
    leaf++;
    return wall->inner < wall->inner_end && leaf == wall->inner ? wall->inner_end : leaf;
}

/* One item is one wall that lines can meet: counts the entries it will have. */
struct rw_sector_measure_args {
    rw_los_arrays all;
    rw_sector_tree tree;
};

RW_FN void rw_sector_measure_item(const struct rw_sector_measure_args *args, size_t item)
{
    const rw_sector_tree *tree = &args->tree;
    rw_sector_wall wall = rw_sector_wall_of(&args->all, tree, rw_los_wall(&args->all, item));
    if (wall.around) {
        rw_shared_add(&tree->sectors[0].tested, 1);
        return;
    }
    rw_sector_walk walk = rw_sector_walk_of(wall.inner, wall.inner_end);
    for (size_t at = rw_sector_next(tree, &walk); at; at = rw_sector_next(tree, &walk))
        rw_shared_add(wall.sure ? &tree->sectors[at].sure : &tree->sectors[at].tested, 1);
    for (int64_t leaf = rw_sector_next_end(&wall, wall.touched - 1); leaf <= wall.last;
         leaf = rw_sector_next_end(&wall, leaf))
        rw_shared_add(&tree->sectors[rw_sector_leaf(tree, leaf)].tested, 1);
}

/* One item is one sector: takes room for its entries. */
struct rw_sector_allocate_args {
    rw_sector_tree tree;
};

RW_FN void rw_sector_allocate_item(const struct rw_sector_allocate_args *args, size_t item)
{
    rw_sector *sector = args->tree.sectors + item;
    sector->first = rw_shared_reserve(args->tree.entry_count, sector->sure + sector->tested);
}

/* One item is one wall that lines can meet: its entries. */
struct rw_sector_enter_args {
    rw_los_arrays all;
    rw_sector_tree tree;
};

RW_FN void rw_sector_add_tested(const rw_sector_tree *tree, size_t at, double low, double high, size_t wall)
{
    rw_sector *sector = tree->sectors + at;
    uint32_t slot = sector->first + sector->sure + rw_shared_reserve_of(&sector->tested_written, 1);
    rw_sector_entry entry = {(float)low, (float)high, 0.0f, (uint32_t)wall};
    tree->entries[slot] = entry;
}

RW_FN void rw_sector_enter_item(const struct rw_sector_enter_args *args, size_t item)
{
    const rw_sector_tree *tree = &args->tree;
    size_t number = rw_los_wall(&args->all, item);
    rw_sector_wall wall = rw_sector_wall_of(&args->all, tree, number);
    if (wall.around) {
        rw_sector_add_tested(tree, 0, 0, 1e30, number);
        return;
    }
    rw_sector_walk walk = rw_sector_walk_of(wall.inner, wall.inner_end);
    for (size_t at = rw_sector_next(tree, &walk); at; at = rw_sector_next(tree, &walk)) {
        if (!wall.sure) {
            rw_sector_add_tested(tree, at, wall.low, wall.high, number);
            continue;
        }
        double before = rw_sector_edge_range(tree, &wall, walk.at);
        double after = rw_sector_edge_range(tree, &wall, walk.at + walk.size);
        double low = before < after ? before : after, high = before < after ? after : before;
        rw_sector *sector = tree->sectors + at;
        rw_sector_entry entry = {(float)(low * (1 - RW_SECTOR_RANGE_SLACK)),
                                 (float)(high * (1 + RW_SECTOR_RANGE_SLACK)), 0.0f, (uint32_t)number};
        tree->entries[sector->first + rw_shared_reserve_of(&sector->sure_written, 1)] = entry;
    }
    for (int64_t leaf = rw_sector_next_end(&wall, wall.touched - 1); leaf <= wall.last;
         leaf = rw_sector_next_end(&wall, leaf))
        rw_sector_add_tested(tree, rw_sector_leaf(tree, leaf), wall.low, wall.high, number);
}

/* One item is one sector: its walls by rising range. Shell's sort: most lists are short. */
struct rw_sector_sort_args {
    rw_sector_tree tree;
};

RW_FN void rw_sector_sort_item(const struct rw_sector_sort_args *args, size_t item)
{
    const rw_sector *sector = args->tree.sectors + item;
    size_t count = sector->sure, gap = 1;
    if (count == 0)
        return;
    rw_sector_entry *entries = args->tree.entries + sector->first;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            rw_sector_entry entry = entries[i];
            size_t j = i;
            for (; j >= gap && entries[j - gap].low > entry.low; j -= gap)
                entries[j] = entries[j - gap];
            entries[j] = entry;
        }
    float max_high = 0.0f;
    for (size_t i = 0; i < count; i++) {
        max_high = entries[i].high > max_high ? entries[i].high : max_high;
        entries[i].max_high = max_high;
    }
}

/* One item is one outdoor receiver: its wall count. */
struct rw_sector_look_args {
    rw_los_arrays all;
    rw_sector_tree tree;
    size_t source; /* number of the tree's source */
};

RW_FN uint32_t rw_sector_walls(const rw_los_arrays *all, const rw_sector_tree *tree, const rw_sector *sector,
                               rw_vec3 receiver, float range)
{
    const rw_sector_entry *entries = tree->entries + sector->first;
    uint32_t low = 0, high = sector->sure, walls = 0, end = sector->sure + sector->tested;
    double t, bulge_m = rw_earth_bulge_m(&all->grid, receiver, tree->source);
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (entries[middle].low < range)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low > 0 && entries[low - 1].max_high >= range; low--)
        walls += entries[low - 1].high < range ||
                 rw_wall_blocks_exact(receiver, tree->source, bulge_m, all->grid.exact + entries[low - 1].wall, &t);
    for (uint32_t i = sector->sure; i < end; i++)
        if (entries[i].low < range && entries[i].high > range)
            walls +=
                (uint32_t)rw_wall_blocks_exact(receiver, tree->source, bulge_m, all->grid.exact + entries[i].wall, &t);
    return walls + low;
}

RW_FN void rw_sector_look_item(const struct rw_sector_look_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    const rw_sector_tree *tree = &args->tree;
    size_t cell = all->receivers.outdoor[item];
    rw_vec3 receiver = rw_receiver_point(&all->receivers, cell);
    double x = receiver.x - tree->source.x, y = receiver.y - tree->source.y;
    float range = (float)(fabs(x) + fabs(y));
    int64_t leaves = (int64_t)1 << 2 * tree->levels;
    int64_t leaf = (int64_t)floor(rw_sector_quarters(x, y) * 0.25 * (double)leaves) & (leaves - 1);
    uint32_t walls = 0;
    for (int level = 0; level <= tree->levels; level++) {
        size_t at = (level ? rw_sector_count(level - 1) : 0) + (size_t)(leaf >> 2 * (tree->levels - level));
        const rw_sector *sector = tree->sectors + at;
        if (sector->sure + sector->tested)
            walls += rw_sector_walls(all, tree, sector, receiver, range);
    }
    all->walls[args->source * all->receivers.columns * all->receivers.rows + cell] = walls;
}

#endif
