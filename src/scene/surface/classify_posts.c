#include "scene/surface/surface.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A roof is plane along at least two of the four lines through a post, also at a ridge; a crown is rough along most, or
 * round: most posts of a ridge are still plane, those of a dome bend the same way. */
#define ROUGH_PER_M 0.7 /* second difference of posts 1 m apart, which roofs with a noise of 0.3 m stay below */
#define ROUGH_MIN_M 0.25
#define ROUND_PER_M 0.4    /* median of the second differences around: 0.6 on a crown of 4 m radius and 5 m height */
#define WINDOW 2           /* posts on each side whose majority decides */
#define PLANE_FRACTION 0.6 /* of the high posts around */

static int is_high(const rw_surface *surface, size_t post)
{
    return surface->kinds[post] != RW_POST_COVERED && (double)surface->above_m[post] >= RW_SURFACE_MIN_M;
}

enum { ROUGH, PLANE, UNDECIDED };

/* By the second smallest bend of the lines whose neighbours are high too, of one line by that: at a wall the others end
 * on the ground, and at a corner all do. */
static uint8_t judge_post(const rw_surface *surface, size_t post, double rough_m, float *mean_bend_m)
{
    ptrdiff_t columns = (ptrdiff_t)surface->posts.columns;
    const ptrdiff_t steps[4] = {1, columns, columns + 1, columns - 1};
    double least = INFINITY, second = INFINITY, sum = 0, lines = 0;
    for (int i = 0; i < 4; i++) {
        size_t next = post + (size_t)steps[i], before = post - (size_t)steps[i];
        if (!is_high(surface, next) || !is_high(surface, before))
            continue;
        double here = (double)surface->above_m[post];
        double signed_bend = (double)surface->above_m[next] - 2 * here + (double)surface->above_m[before];
        double bend = fabs(signed_bend);
        sum += signed_bend;
        lines++;
        second = bend < least ? least : fmin(second, bend);
        least = fmin(least, bend);
    }
    *mean_bend_m = lines > 0 ? (float)(sum / lines) : 0;
    if (isinf(least))
        return UNDECIDED;
    return (isinf(second) ? least : second) <= rough_m ? PLANE : ROUGH;
}

static int compare_bends(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The majority of the high posts around, covered ones left out, and the median of how they bend. */
static uint8_t decide_post(const rw_surface *surface, const uint8_t *judged, const float *bend_m, size_t column,
                           size_t row)
{
    size_t columns = surface->posts.columns, high = 0, planes = 0;
    float bends[(2 * WINDOW + 1) * (2 * WINDOW + 1)];
    for (size_t y = row >= WINDOW ? row - WINDOW : 0; y <= row + WINDOW && y < surface->posts.rows; y++)
        for (size_t x = column >= WINDOW ? column - WINDOW : 0; x <= column + WINDOW && x < columns; x++) {
            size_t post = y * columns + x;
            if (!is_high(surface, post) || judged[post] == UNDECIDED)
                continue;
            bends[high++] = bend_m[post];
            planes += judged[post] == PLANE;
        }
    if (!high || (double)planes < PLANE_FRACTION * (double)high)
        return RW_POST_CROWN;
    qsort(bends, high, sizeof *bends, compare_bends);
    return fabs((double)bends[high / 2]) <= ROUND_PER_M * surface->spacing_m ? RW_POST_ROOF : RW_POST_CROWN;
}

rw_status rw_surface_classify(rw_surface *surface)
{
    size_t columns = surface->posts.columns, rows = surface->posts.rows;
    double rough_m = fmax(ROUGH_MIN_M, ROUGH_PER_M * surface->spacing_m);
    uint8_t *judged = NULL;
    float *bend_m;
    RW_TRY(rw_array_create(surface->scene->context, columns * rows, sizeof *bend_m, "a surface model", &bend_m));
    rw_status status =
        rw_array_create(surface->scene->context, columns * rows, sizeof *judged, "a surface model", &judged);
    if (status != RW_OK) {
        free(bend_m);
        return status;
    }
    for (size_t row = 1; row + 1 < rows; row++)
        for (size_t column = 1; column + 1 < columns; column++) {
            size_t post = row * columns + column;
            judged[post] = is_high(surface, post) ? judge_post(surface, post, rough_m, &bend_m[post]) : ROUGH;
        }
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            if (is_high(surface, row * columns + column))
                surface->kinds[row * columns + column] = decide_post(surface, judged, bend_m, column, row);
    free(judged);
    free(bend_m);
    return RW_OK;
}
