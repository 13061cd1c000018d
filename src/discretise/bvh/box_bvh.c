#include "discretise/bvh/bvh.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct sort_key {
    double at;
    uint64_t code; /* along the curve, otherwise 0 */
    uint32_t tie_break, box;
} sort_key;

typedef struct bvh_builder {
    const rw_boxes *boxes;
    uint32_t *order;
    sort_key *keys; /* room for all boxes */
    rw_bvh_node *nodes;
    size_t node_count;
} bvh_builder;

static double coordinate_along(const rw_vec3 *point, int axis)
{
    return axis == 0 ? point->x : axis == 1 ? point->y : point->z;
}

static int compare_box_keys(const void *left, const void *right)
{
    const sort_key *a = left, *b = right;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->tie_break < b->tie_break ? -1 : a->tie_break > b->tie_break;
}

static void sort_range(bvh_builder *builder, size_t first, size_t count)
{
    qsort(builder->keys, count, sizeof *builder->keys, compare_box_keys);
    for (size_t i = 0; i < count; i++)
        builder->order[first + i] = builder->keys[i].box;
}

static sort_key start_sort_key(const rw_boxes *boxes, uint32_t box)
{
    return (sort_key){.tie_break = boxes->tie_break ? boxes->tie_break[box] : box, .box = box};
}

static void sort_along_axis(bvh_builder *builder, size_t first, size_t count, int axis)
{
    for (size_t i = 0; i < count; i++) {
        builder->keys[i] = start_sort_key(builder->boxes, builder->order[first + i]);
        builder->keys[i].at = coordinate_along(&builder->boxes->middles[builder->order[first + i]], axis);
    }
    sort_range(builder, first, count);
}

/* Lowest and highest of the boxes of a part along one axis; of their middles where low and high are those. */
static void measure_extent(const bvh_builder *builder, const rw_vec3 *lows, const rw_vec3 *highs, size_t first,
                           size_t count, int axis, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = first; i < first + count; i++) {
        *low = fmin(*low, coordinate_along(&lows[builder->order[i]], axis));
        *high = fmax(*high, coordinate_along(&highs[builder->order[i]], axis));
    }
}

/* Spreads the low 21 bits to every third bit. */
static uint64_t spread_morton_bits(uint64_t bits)
{
    bits &= 0x1fffff;
    bits = (bits | bits << 32) & 0x1f00000000ffffu;
    bits = (bits | bits << 16) & 0x1f0000ff0000ffu;
    bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
    return (bits | bits << 2) & 0x1249249249249249u;
}

static void sort_along_curve(bvh_builder *builder)
{
    const rw_boxes *boxes = builder->boxes;
    for (size_t i = 0; i < boxes->count; i++)
        builder->keys[i] = start_sort_key(boxes, (uint32_t)i);
    for (int axis = 0; axis < 3; axis++) {
        double low, high;
        measure_extent(builder, boxes->low, boxes->high, 0, boxes->count, axis, &low, &high);
        for (size_t i = 0; i < boxes->count; i++) {
            double fraction = high > low ? (coordinate_along(&boxes->middles[i], axis) - low) / (high - low) : 0;
            builder->keys[i].code |= spread_morton_bits((uint64_t)(fraction * 2097151.0)) << axis;
        }
    }
    sort_range(builder, 0, boxes->count);
}

/* A margin beyond the rounding of float coordinates and slopes in the box test. */
static void set_node_bounds(const bvh_builder *builder, rw_bvh_node *node, size_t first, size_t count)
{
    for (int axis = 0; axis < 3; axis++) {
        double low, high;
        measure_extent(builder, builder->boxes->low, builder->boxes->high, first, count, axis, &low, &high);
        double margin = 1e-4 + 2e-6 * fmax(fabs(low), fabs(high));
        node->low[axis] = (float)(low - margin);
        node->high[axis] = (float)(high + margin);
    }
}

static int choose_axis(const bvh_builder *builder, const rw_bvh_node *node, size_t first, size_t count)
{
    int longest = 0;
    float longest_extent = -1;
    for (int axis = 0; axis < 3; axis++) {
        float extent = node->high[axis] - node->low[axis];
        if (builder->boxes->split == RW_SPLIT_MIDDLES) {
            double low, high;
            measure_extent(builder, builder->boxes->middles, builder->boxes->middles, first, count, axis, &low, &high);
            extent = (float)(high - low);
        }
        if (extent > longest_extent) {
            longest_extent = extent;
            longest = axis;
        }
    }
    return longest;
}

#define AREA_BINS 16
#define AREA_LEVELS_MAX 40 /* deeper nodes are halved, so that walks through the tree have bounded stacks */

/* Of a split by bins: items of one bin, or of all up to it, and their box. */
typedef struct area_bin {
    double low[3], high[3];
    size_t count;
} area_bin;

static void join_bin(area_bin *bin, const area_bin *more)
{
    for (int axis = 0; axis < 3; axis++) {
        bin->low[axis] = fmin(bin->low[axis], more->low[axis]);
        bin->high[axis] = fmax(bin->high[axis], more->high[axis]);
    }
    bin->count += more->count;
}

static area_bin empty_bin(void)
{
    return (area_bin){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
}

/* Half the area of a bin's box times its items. */
static double bin_cost(const area_bin *bin)
{
    double x = bin->high[0] - bin->low[0], y = bin->high[1] - bin->low[1], z = bin->high[2] - bin->low[2];
    return bin->count ? (x * y + y * z + z * x) * (double)bin->count : 0;
}

static void fill_area_bins(const bvh_builder *builder, size_t first, size_t count, int axis, double low, double high,
                           area_bin bins[AREA_BINS])
{
    const rw_boxes *boxes = builder->boxes;
    for (int i = 0; i < AREA_BINS; i++)
        bins[i] = empty_bin();
    for (size_t i = first; i < first + count; i++) {
        uint32_t index = builder->order[i];
        double fraction = (coordinate_along(&boxes->middles[index], axis) - low) / (high - low);
        int bin = (int)(fraction * AREA_BINS);
        area_bin own = {.count = 1};
        for (int k = 0; k < 3; k++) {
            own.low[k] = coordinate_along(&boxes->low[index], k);
            own.high[k] = coordinate_along(&boxes->high[index], k);
        }
        join_bin(&bins[bin < AREA_BINS ? bin : AREA_BINS - 1], &own);
    }
}

/* The axis and the number of items of the first half whose cost is least; 0 where no plane between bins divides them.
 */
static size_t choose_area_split(const bvh_builder *builder, size_t first, size_t count, int *best_axis)
{
    double least = INFINITY;
    size_t best = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low, high, after[AREA_BINS];
        area_bin bins[AREA_BINS], sum = empty_bin();
        measure_extent(builder, builder->boxes->middles, builder->boxes->middles, first, count, axis, &low, &high);
        if (!(high > low))
            continue;
        fill_area_bins(builder, first, count, axis, low, high, bins);
        for (int i = AREA_BINS - 1; i > 0; i--) {
            join_bin(&sum, &bins[i]);
            after[i] = bin_cost(&sum);
        }
        sum = empty_bin();
        for (int i = 0; i + 1 < AREA_BINS; i++) {
            join_bin(&sum, &bins[i]);
            double cost = bin_cost(&sum) + after[i + 1];
            if (sum.count == 0 || sum.count == count || !(cost < least))
                continue;
            least = cost;
            best = sum.count;
            *best_axis = axis;
        }
    }
    return best;
}

/* Orders the items of a node and returns how many go into its first half. */
static size_t split_node(bvh_builder *builder, const rw_bvh_node *node, size_t first, size_t count, int level)
{
    int axis = 0;
    size_t half = builder->boxes->split == RW_SPLIT_AREA && level < AREA_LEVELS_MAX
                      ? choose_area_split(builder, first, count, &axis)
                      : 0;
    if (builder->boxes->split == RW_SPLIT_ALONG_CURVE)
        return count / 2;
    sort_along_axis(builder, first, count, half ? axis : choose_axis(builder, node, first, count));
    return half ? half : count / 2;
}

static void build_node(bvh_builder *builder, size_t at, size_t first, size_t count, int level)
{
    rw_bvh_node *node = &builder->nodes[at];
    set_node_bounds(builder, node, first, count);
    if (count <= builder->boxes->leaf_size) {
        node->first = (uint32_t)first;
        node->count = (uint32_t)count;
        return;
    }
    size_t half = split_node(builder, node, first, count, level), left = builder->node_count;
    builder->node_count += 2;
    node->first = (uint32_t)left;
    node->count = 0;
    build_node(builder, left, first, half, level + 1);
    build_node(builder, left + 1, first + half, count - half, level + 1);
}

rw_status rw_bvh_build_nodes(rw_context *context, const rw_boxes *boxes, uint32_t *order, rw_bvh_node *nodes,
                             size_t *node_count)
{
    bvh_builder builder = {.boxes = boxes, .order = order, .nodes = nodes, .node_count = 1};
    RW_TRY(rw_array_create(context, boxes->count + 1, sizeof *builder.keys, boxes->what, &builder.keys));
    for (size_t i = 0; i < boxes->count; i++)
        order[i] = (uint32_t)i;
    if (boxes->split == RW_SPLIT_ALONG_CURVE)
        sort_along_curve(&builder);
    build_node(&builder, 0, 0, boxes->count, 0);
    free(builder.keys);
    *node_count = builder.node_count;
    return RW_OK;
}

rw_status rw_box_arrays_create(rw_context *context, size_t count, const char *what, rw_box_arrays *arrays)
{
    *arrays = (rw_box_arrays){0};
    rw_status status = rw_array_create(context, count, sizeof *arrays->low, what, &arrays->low);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *arrays->high, what, &arrays->high);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *arrays->middles, what, &arrays->middles);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *arrays->order, what, &arrays->order);
    if (status != RW_OK)
        rw_box_arrays_destroy(arrays);
    return status;
}

void rw_box_arrays_destroy(rw_box_arrays *arrays)
{
    free(arrays->low);
    free(arrays->high);
    free(arrays->middles);
    free(arrays->order);
    *arrays = (rw_box_arrays){0};
}
