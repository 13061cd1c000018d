#include "scene/surface/surface.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A roof is plane along at least two of the four lines through a post, also at a ridge; a crown is rough along most. */
#define ROUGH_PER_M 0.7 /* second difference of posts 1 m apart, which roofs with a noise of 0.3 m stay below */
#define ROUGH_MIN_M 0.25
#define WINDOW 2           /* posts on each side whose majority decides */
#define PLANE_FRACTION 0.6 /* of the high posts around */

static int is_high(const rw_surface *surface, size_t post)
{
    return surface->kinds[post] != RW_POST_COVERED && (double)surface->above_m[post] >= RW_SURFACE_MIN_M;
}

enum { ROUGH, PLANE, UNDECIDED };

/* By the second smallest bend of the lines whose neighbours are high too, of one line by that: at a wall the others end
 * on the ground, and at a corner all do. */
static uint8_t judge_post(const rw_surface *surface, size_t post, double rough_m)
{
    ptrdiff_t columns = (ptrdiff_t)surface->posts.columns;
    const ptrdiff_t steps[4] = {1, columns, columns + 1, columns - 1};
    double least = INFINITY, second = INFINITY;
    for (int i = 0; i < 4; i++) {
        size_t next = post + (size_t)steps[i], before = post - (size_t)steps[i];
        if (!is_high(surface, next) || !is_high(surface, before))
            continue;
        double here = (double)surface->above_m[post];
        double bend = fabs((double)surface->above_m[next] - 2 * here + (double)surface->above_m[before]);
        second = bend < least ? least : fmin(second, bend);
        least = fmin(least, bend);
    }
    if (isinf(least))
        return UNDECIDED;
    return (isinf(second) ? least : second) <= rough_m ? PLANE : ROUGH;
}

/* The majority of the high posts around, covered ones left out. */
static uint8_t decide_post(const rw_surface *surface, const uint8_t *judged, size_t column, size_t row)
{
    size_t columns = surface->posts.columns, high = 0, planes = 0;
    for (size_t y = row >= WINDOW ? row - WINDOW : 0; y <= row + WINDOW && y < surface->posts.rows; y++)
        for (size_t x = column >= WINDOW ? column - WINDOW : 0; x <= column + WINDOW && x < columns; x++) {
            int counts = is_high(surface, y * columns + x) && judged[y * columns + x] != UNDECIDED;
            high += (size_t)counts;
            planes += (size_t)(counts && judged[y * columns + x] == PLANE);
        }
    return high && (double)planes >= PLANE_FRACTION * (double)high ? RW_POST_ROOF : RW_POST_CROWN;
}

rw_status rw_surface_classify(rw_surface *surface)
{
    size_t columns = surface->posts.columns, rows = surface->posts.rows;
    double rough_m = fmax(ROUGH_MIN_M, ROUGH_PER_M * surface->spacing_m);
    uint8_t *judged;
    RW_TRY(rw_array_create(surface->scene->context, columns * rows, sizeof *judged, "a surface model", &judged));
    for (size_t row = 1; row + 1 < rows; row++)
        for (size_t column = 1; column + 1 < columns; column++) {
            size_t post = row * columns + column;
            judged[post] = is_high(surface, post) ? judge_post(surface, post, rough_m) : ROUGH;
        }
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            if (is_high(surface, row * columns + column))
                surface->kinds[row * columns + column] = decide_post(surface, judged, column, row);
    free(judged);
    return RW_OK;
}
