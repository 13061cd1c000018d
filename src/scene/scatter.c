/* Nearest samples come from a k-d tree without pointers: the median of each range of the array splits it, by x and y in
 * turn. Reference: R. Franke, Scattered data interpolation: tests of some methods, Mathematics of Computation 38
 * (1982). */
#include "scene/scatter.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define NEAREST 12

static double coordinate(const rw_sample *sample, int axis)
{
    return axis ? sample->at.y : sample->at.x;
}

static int compare_on(const rw_sample *a, const rw_sample *b, int axis)
{
    for (int i = 0; i < 2; i++, axis = !axis) {
        double left = coordinate(a, axis), right = coordinate(b, axis);
        if (left != right)
            return left < right ? -1 : 1;
    }
    return a->value < b->value ? -1 : a->value > b->value;
}

static int compare_x(const void *a, const void *b)
{
    return compare_on(a, b, 0);
}

static int compare_y(const void *a, const void *b)
{
    return compare_on(a, b, 1);
}

/* Sorting whole ranges costs n log^2 n and gives the same tree on every machine. The depth is the logarithm of count.
 */
static void build_tree(rw_sample *samples, size_t count, int axis)
{
    if (count < 2)
        return;
    qsort(samples, count, sizeof *samples, axis ? compare_y : compare_x);
    size_t middle = count / 2;
    build_tree(samples, middle, !axis);
    build_tree(samples + middle + 1, count - middle - 1, !axis);
}

/* Samples at one point become their mean, so that no weight is infinite twice. Returns how many are left. */
static size_t merge_equal(rw_sample *samples, size_t count)
{
    qsort(samples, count, sizeof *samples, compare_x);
    size_t kept = 0;
    for (size_t first = 0; first < count;) {
        double sum = 0;
        size_t last = first;
        rw_vec2 at = samples[first].at;
        for (; last < count && samples[last].at.x == at.x && samples[last].at.y == at.y; last++)
            sum += samples[last].value;
        samples[kept++] = (rw_sample){at, sum / (double)(last - first)};
        first = last;
    }
    return kept;
}

/* The nearest samples so far, nearest first. */
typedef struct nearest_list {
    rw_vec2 at;
    size_t count;
    double distance_squared[NEAREST + 1];
    double value[NEAREST + 1];
} nearest_list;

static void offer(nearest_list *list, const rw_sample *sample)
{
    rw_vec2 offset = rw_vec2_sub(sample->at, list->at);
    double distance_squared = rw_vec2_dot(offset, offset);
    size_t place = list->count;
    while (place > 0 && list->distance_squared[place - 1] > distance_squared) {
        if (place < NEAREST + 1) {
            list->distance_squared[place] = list->distance_squared[place - 1];
            list->value[place] = list->value[place - 1];
        }
        place--;
    }
    if (place == NEAREST + 1)
        return;
    list->distance_squared[place] = distance_squared;
    list->value[place] = sample->value;
    list->count += list->count < NEAREST + 1;
}

static void search(nearest_list *list, const rw_sample *samples, size_t count, int axis)
{
    if (count == 0)
        return;
    size_t middle = count / 2;
    double offset = (axis ? list->at.y : list->at.x) - coordinate(&samples[middle], axis);
    int right_first = offset > 0;
    const rw_sample *right = samples + middle + 1;
    size_t right_count = count - middle - 1;
    offer(list, &samples[middle]);
    search(list, right_first ? right : samples, right_first ? right_count : middle, !axis);
    if (list->count == NEAREST + 1 && offset * offset > list->distance_squared[NEAREST])
        return;
    search(list, right_first ? samples : right, right_first ? middle : right_count, !axis);
}

/* Weights ((R - d) / (R d))^2 with R the distance of the first sample left out: they reach zero where a sample leaves.
 */
static double weighted_mean(const nearest_list *list)
{
    if (list->distance_squared[0] < 1e-18 || list->count == 1)
        return list->value[0];
    size_t used = list->count <= NEAREST ? list->count : NEAREST;
    double reach_m = list->count > NEAREST ? sqrt(list->distance_squared[NEAREST]) : INFINITY;
    double weights = 0, sum = 0;
    for (size_t i = 0; i < used; i++) {
        double distance_m = sqrt(list->distance_squared[i]);
        double root = isinf(reach_m) ? 1 / distance_m : (reach_m - distance_m) / (reach_m * distance_m);
        weights += root * root;
        sum += root * root * list->value[i];
    }
    return weights > 0 ? sum / weights : list->value[0];
}

static double spacing_within(double width_m, double depth_m, double spacing_m, size_t count)
{
    double most_posts = 4096 + 16 * (double)count;
    while ((width_m / spacing_m + 2) * (depth_m / spacing_m + 2) > most_posts)
        spacing_m *= 1.25;
    return spacing_m;
}

rw_status rw_scatter_to_raster(rw_context *context, rw_sample *samples, size_t count, rw_vec2 box_min, rw_vec2 box_max,
                               double spacing_m, rw_raster *raster)
{
    double width_m = box_max.x - box_min.x, depth_m = box_max.y - box_min.y;
    spacing_m = spacing_within(width_m, depth_m, spacing_m, count);
    *raster = (rw_raster){.columns = (size_t)ceil(width_m / spacing_m) + 1,
                          .rows = (size_t)ceil(depth_m / spacing_m) + 1,
                          .x0_m = box_min.x,
                          .y0_m = box_min.y,
                          .dx_m = spacing_m,
                          .dy_m = spacing_m};
    raster->columns += raster->columns < 2;
    raster->rows += raster->rows < 2;
    RW_TRY(rw_array_create(context, raster->columns * raster->rows, sizeof *raster->values, "the terrain",
                           &raster->values));
    count = merge_equal(samples, count);
    build_tree(samples, count, 0);
    for (size_t row = 0; row < raster->rows; row++)
        for (size_t column = 0; column < raster->columns; column++) {
            nearest_list list = {
                .at = {raster->x0_m + (double)column * spacing_m, raster->y0_m + (double)row * spacing_m}};
            search(&list, samples, count, 0);
            raster->values[row * raster->columns + column] = (float)weighted_mean(&list);
        }
    return RW_OK;
}
