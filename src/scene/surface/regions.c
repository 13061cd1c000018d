#include "scene/surface/regions.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NO_LABEL UINT32_MAX

typedef struct ring {
    size_t first, count; /* in points */
    uint32_t label;
} ring;

/* While regions are found. */
typedef struct search {
    rw_context *context;
    const int32_t *classes;
    size_t columns, rows;
    uint32_t *labels; /* region of each cell */
    uint32_t label_count;
    int32_t *label_class; /* class of each label */
    uint8_t *walked;      /* 1: the southern side of the cell is part of a ring that is done */
    uint32_t *points;
    size_t point_count, point_capacity;
    ring *rings;
    size_t ring_count, ring_capacity;
} search;

static uint32_t find_label_root(uint32_t *parents, uint32_t label)
{
    while (parents[label] != label) {
        parents[label] = parents[parents[label]];
        label = parents[label];
    }
    return label;
}

/* First labels: a cell takes that of its western or southern neighbour of the same class, and joins them. */
static void join_cells(search *of, uint32_t *parents)
{
    uint32_t next = 0;
    for (size_t i = 0, column = 0; i < of->columns * of->rows;
         i++, column = column + 1 < of->columns ? column + 1 : 0) {
        int32_t own = of->classes[i];
        int west = column > 0 && of->classes[i - 1] == own;
        int south = i >= of->columns && of->classes[i - of->columns] == own;
        if (own == RW_NO_CLASS) {
            of->labels[i] = NO_LABEL;
        } else if (!west && !south) {
            parents[next] = next;
            of->labels[i] = next++;
        } else {
            uint32_t label = find_label_root(parents, of->labels[west ? i - 1 : i - of->columns]);
            if (west && south) {
                uint32_t other = find_label_root(parents, of->labels[i - of->columns]);
                parents[label < other ? other : label] = label < other ? label : other;
                label = label < other ? label : other;
            }
            of->labels[i] = label;
        }
    }
    of->label_count = next;
}

/* Labels without gaps, in the order of their first cells, and their classes. */
static rw_status number_labels(search *of, uint32_t *parents)
{
    uint32_t *numbers, count = 0;
    RW_TRY(rw_array_create(of->context, (size_t)of->label_count + 1, sizeof *numbers, "regions", &numbers));
    for (uint32_t i = 0; i < of->label_count; i++)
        numbers[i] = find_label_root(parents, i) == i ? count++ : 0;
    rw_status status =
        rw_array_create(of->context, (size_t)count + 1, sizeof *of->label_class, "regions", &of->label_class);
    for (size_t i = 0; status == RW_OK && i < of->columns * of->rows; i++)
        if (of->labels[i] != NO_LABEL) {
            of->labels[i] = numbers[find_label_root(parents, of->labels[i])];
            of->label_class[of->labels[i]] = of->classes[i];
        }
    of->label_count = count;
    free(numbers);
    return status;
}

static rw_status label_cells(search *of)
{
    uint32_t *parents;
    size_t cells = of->columns * of->rows;
    RW_TRY(rw_array_create(of->context, cells, sizeof *of->labels, "regions", &of->labels));
    RW_TRY(rw_array_create(of->context, cells, sizeof *parents, "regions", &parents));
    join_cells(of, parents);
    rw_status status = number_labels(of, parents);
    free(parents);
    return status;
}

static int is_of(const search *of, long long column, long long row, uint32_t label)
{
    return column >= 0 && row >= 0 && column < (long long)of->columns && row < (long long)of->rows &&
           of->labels[(size_t)row * of->columns + (size_t)column] == label;
}

static rw_status add_outline_point(search *of, long long column, long long row)
{
    RW_TRY(rw_array_reserve(of->context, &of->points, &of->point_capacity, 2 * (of->point_count + 1),
                            sizeof *of->points, "outlines of regions"));
    of->points[2 * of->point_count] = (uint32_t)column;
    of->points[2 * of->point_count + 1] = (uint32_t)row;
    of->point_count++;
    return RW_OK;
}

/* Steps east, north, west, south; the cells left and right ahead of a corner that is reached in that direction. */
static const int step_x[4] = {1, 0, -1, 0}, step_y[4] = {0, 1, 0, -1};
static const int left_x[4] = {0, -1, -1, 0}, left_y[4] = {0, 0, -1, -1};
static const int right_x[4] = {0, 0, -1, -1}, right_y[4] = {-1, 0, 0, -1};

/* Walks around a region with its cells on the left, from the southern side of a cell. Where two of its cells meet in a
 * corner only, the walk goes on to the other one (right): the region is in one piece, so what lies between is closed
 * off and becomes a ring of its own, and no ring touches itself. */
static rw_status walk_ring(search *of, size_t start)
{
    uint32_t label = of->labels[start];
    long long x = (long long)(start % of->columns), y = (long long)(start / of->columns), x0 = x, y0 = y;
    size_t first = of->point_count;
    int direction = 0;
    RW_TRY(add_outline_point(of, x, y));
    do {
        if (direction == 0)
            of->walked[(size_t)y * of->columns + (size_t)x] = 1;
        x += step_x[direction];
        y += step_y[direction];
        int left = is_of(of, x + left_x[direction], y + left_y[direction], label);
        int right = is_of(of, x + right_x[direction], y + right_y[direction], label);
        int rotation = right ? 3 : left ? 0 : 1;
        direction = (direction + rotation) % 4;
        if (rotation != 0 && !(x == x0 && y == y0 && direction == 0))
            RW_TRY(add_outline_point(of, x, y));
    } while (!(x == x0 && y == y0 && direction == 0));
    RW_TRY(rw_array_reserve(of->context, &of->rings, &of->ring_capacity, of->ring_count + 1, sizeof *of->rings,
                            "outlines of regions"));
    of->rings[of->ring_count++] = (ring){first, of->point_count - first, label};
    return RW_OK;
}

/* Every ring has a southern side with the region above; the first one of a region is of its outer ring. */
static rw_status walk_rings(search *of)
{
    RW_TRY(rw_array_create(of->context, of->columns * of->rows, sizeof *of->walked, "regions", &of->walked));
    for (size_t i = 0; i < of->columns * of->rows; i++) {
        int is_side = of->labels[i] != NO_LABEL && (i < of->columns || of->labels[i - of->columns] != of->labels[i]);
        if (is_side && !of->walked[i])
            RW_TRY(walk_ring(of, i));
    }
    return RW_OK;
}

static size_t *add_up(size_t *counts, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i <= count; i++) {
        size_t own = counts[i];
        counts[i] = sum;
        sum += own;
    }
    return counts;
}

static rw_status allocate_regions(const search *of, size_t class_count, rw_regions *regions)
{
    rw_context *context = of->context;
    regions->ring_count = of->ring_count;
    regions->polygon_count = of->label_count;
    regions->class_count = class_count;
    RW_TRY(rw_array_create(context, 2 * of->point_count + 1, sizeof *regions->points, "outlines", &regions->points));
    RW_TRY(rw_array_create(context, of->ring_count + 1, sizeof(size_t), "outlines", &regions->ring_first));
    RW_TRY(rw_array_create(context, (size_t)of->label_count + 1, sizeof(size_t), "outlines", &regions->polygon_first));
    RW_TRY(rw_array_create(context, class_count + 1, sizeof(size_t), "outlines", &regions->class_first));
    return rw_array_create(context, class_count + 1, sizeof(size_t), "outlines", &regions->class_cells);
}

/* Rings to their polygons, polygons to their classes. order and at: room for a number of each label. */
static rw_status arrange_rings(const search *of, rw_regions *regions, size_t *order, size_t *at)
{
    size_t point = 0, number = 0;
    for (uint32_t i = 0; i < of->label_count; i++)
        regions->class_first[of->label_class[i]]++;
    add_up(regions->class_first, regions->class_count);
    for (size_t i = 0; i < regions->class_count; i++)
        at[i] = regions->class_first[i];
    for (uint32_t i = 0; i < of->label_count; i++)
        order[i] = at[of->label_class[i]]++;
    for (size_t i = 0; i < of->ring_count; i++)
        regions->polygon_first[order[of->rings[i].label]]++;
    add_up(regions->polygon_first, of->label_count);
    size_t *rings; /* in their new order */
    RW_TRY(rw_array_create(of->context, of->ring_count + 1, sizeof *rings, "outlines", &rings));
    for (uint32_t i = 0; i < of->label_count; i++)
        at[i] = regions->polygon_first[i];
    for (size_t i = 0; i < of->ring_count; i++)
        rings[at[order[of->rings[i].label]]++] = i;
    for (; number < of->ring_count; number++) {
        const ring *from = &of->rings[rings[number]];
        regions->ring_first[number] = point;
        memcpy(regions->points + 2 * point, of->points + 2 * from->first, 2 * from->count * sizeof *of->points);
        point += from->count;
    }
    regions->ring_first[number] = point;
    free(rings);
    return RW_OK;
}

static rw_status collect_regions(const search *of, size_t class_count, rw_regions *regions)
{
    size_t *order, *at, capacity = of->label_count > class_count ? of->label_count : class_count;
    RW_TRY(allocate_regions(of, class_count, regions));
    for (size_t i = 0; i < of->columns * of->rows; i++)
        if (of->classes[i] != RW_NO_CLASS)
            regions->class_cells[of->classes[i]]++;
    RW_TRY(rw_array_create(of->context, capacity + 1, sizeof *order, "outlines", &order));
    rw_status status = rw_array_create(of->context, capacity + 1, sizeof *at, "outlines", &at);
    if (status == RW_OK) {
        status = arrange_rings(of, regions, order, at);
        free(at);
    }
    free(order);
    return status;
}

rw_status rw_regions_find(rw_context *context, const int32_t *classes, size_t columns, size_t rows, size_t class_count,
                          rw_regions *regions)
{
    search of = {.context = context, .classes = classes, .columns = columns, .rows = rows};
    *regions = (rw_regions){0};
    rw_status status = label_cells(&of);
    if (status == RW_OK)
        status = walk_rings(&of);
    if (status == RW_OK)
        status = collect_regions(&of, class_count, regions);
    free(of.labels);
    free(of.label_class);
    free(of.walked);
    free(of.points);
    free(of.rings);
    if (status != RW_OK)
        rw_regions_free(regions);
    return status;
}

void rw_regions_free(rw_regions *regions)
{
    free(regions->points);
    free(regions->ring_first);
    free(regions->polygon_first);
    free(regions->class_first);
    free(regions->class_cells);
    *regions = (rw_regions){0};
}
