#include "scene/surface/surface.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define POSTS_MIN 4      /* that lie wholly inside an outline; else all that are inside count */
#define SPREAD_MIN_M 0.3 /* of a surface model, even of a flat roof */
#define NORMAL_PER_MAD 1.4826

typedef struct roof_posts {
    double *altitude_m; /* of the posts that count */
    size_t count, capacity;
} roof_posts;

static int compare_altitudes(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double find_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_altitudes);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* Columns and rows of the posts in the box of a part, one post wider. */
static int find_part_posts(const rw_surface *surface, const rw_part *part, size_t box[4])
{
    const rw_scene *scene = surface->scene;
    const rw_raster *posts = &surface->posts;
    const rw_vec2 *points = rw_ring_points(scene, part->first_ring);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    rw_vec2 first = rw_surface_post(surface, 0, 0);
    for (size_t i = 0; i < rw_ring_size(scene, part->first_ring); i++) {
        const double at[2] = {(points[i].x - first.x) / posts->dx_m, (points[i].y - first.y) / posts->dy_m};
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], floor(at[k]) - 1);
            high[k] = fmax(high[k], ceil(at[k]) + 1);
        }
    }
    const double last[2] = {(double)posts->columns - 1, (double)posts->rows - 1};
    for (int k = 0; k < 2; k++) {
        if (high[k] < 0 || low[k] > last[k])
            return 0;
        box[k] = (size_t)fmax(low[k], 0);
        box[k + 2] = (size_t)fmin(high[k], last[k]);
    }
    return 1;
}

/* Whether a part holds a post and its four neighbours, half a pixel around it. */
static int holds_pixel(const rw_surface *surface, const rw_part *part, rw_vec2 at)
{
    double half_x_m = 0.5 * surface->posts.dx_m, half_y_m = 0.5 * surface->posts.dy_m;
    static const int corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++)
        if (!rw_part_contains(surface->scene, part,
                              rw_vec2_of(at.x + corners[i][0] * half_x_m, at.y + corners[i][1] * half_y_m)))
            return 0;
    return 1;
}

/* Posts inside, those whose whole pixel is inside alone if there are enough of them; all are covered. */
static rw_status collect_roof_posts(rw_surface *surface, const rw_part *part, roof_posts *found)
{
    size_t box[4], whole = 0;
    found->count = 0;
    if (!find_part_posts(surface, part, box))
        return RW_OK;
    size_t most = (box[2] - box[0] + 1) * (box[3] - box[1] + 1);
    RW_TRY(rw_array_reserve(surface->scene->context, &found->altitude_m, &found->capacity, 2 * most,
                            sizeof *found->altitude_m, "heights of a roof"));
    double *inner = found->altitude_m + most;
    for (size_t row = box[1]; row <= box[3]; row++)
        for (size_t column = box[0]; column <= box[2]; column++) {
            size_t post = row * surface->posts.columns + column;
            rw_vec2 at = rw_surface_post(surface, column, row);
            if (!rw_part_contains(surface->scene, part, at))
                continue;
            surface->kinds[post] = RW_POST_COVERED;
            found->altitude_m[found->count++] = (double)surface->posts.values[post];
            if (holds_pixel(surface, part, at))
                inner[whole++] = (double)surface->posts.values[post];
        }
    if (whole >= POSTS_MIN) {
        for (size_t i = 0; i < whole; i++)
            found->altitude_m[i] = inner[i];
        found->count = whole;
    }
    return RW_OK;
}

/* The median of the roof as an altitude, and the spread of a normal distribution with the same median deviation. */
static void set_roof(rw_surface *surface, rw_part *part, roof_posts *found)
{
    double ground_m = INFINITY;
    const rw_vec2 *points = rw_ring_points(surface->scene, part->first_ring);
    if (!found->count || !found->altitude_m) {
        surface->report.unmeasured++;
        return;
    }
    for (size_t i = 0; i < rw_ring_size(surface->scene, part->first_ring); i++)
        ground_m = fmin(ground_m, rw_scene_ground_m(surface->scene, points[i]));
    double median_m = find_median(found->altitude_m, found->count);
    if (!(median_m - ground_m >= RW_SURFACE_MIN_M)) {
        surface->report.unmeasured++;
        return;
    }
    for (size_t i = 0; i < found->count; i++)
        found->altitude_m[i] = fabs(found->altitude_m[i] - median_m);
    part->roof_height_m = median_m;
    part->roof_is_altitude = 1;
    part->height_from = RW_HEIGHT_FROM_SURFACE;
    part->height_spread_m = fmax(SPREAD_MIN_M, NORMAL_PER_MAD * find_median(found->altitude_m, found->count));
    surface->report.measured++;
    surface->report.mean_spread_m += part->height_spread_m;
}

/* Pixels at a wall show roof or ground, and belong to the building. */
static rw_status widen_cover(rw_surface *surface)
{
    size_t columns = surface->posts.columns, rows = surface->posts.rows;
    uint8_t *wide;
    RW_TRY(rw_array_create(surface->scene->context, columns * rows, sizeof *wide, "a surface model", &wide));
    for (size_t row = 0, i = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++, i++)
            wide[i] = surface->kinds[i] == RW_POST_COVERED ||
                      (column > 0 && surface->kinds[i - 1] == RW_POST_COVERED) ||
                      (column + 1 < columns && surface->kinds[i + 1] == RW_POST_COVERED) ||
                      (row > 0 && surface->kinds[i - columns] == RW_POST_COVERED) ||
                      (row + 1 < rows && surface->kinds[i + columns] == RW_POST_COVERED);
    for (size_t i = 0; i < columns * rows; i++)
        surface->kinds[i] = wide[i] ? RW_POST_COVERED : RW_POST_LOW;
    free(wide);
    return RW_OK;
}

rw_status rw_surface_measure_roofs(rw_surface *surface)
{
    roof_posts found = {0};
    rw_status status = RW_OK;
    for (size_t i = 0; i < surface->scene->parts.count && status == RW_OK; i++) {
        rw_part *part = &surface->scene->parts.items[i];
        status = collect_roof_posts(surface, part, &found);
        if (status != RW_OK || part->height_from != RW_HEIGHT_ASSUMED)
            surface->report.given += status == RW_OK;
        else
            set_roof(surface, part, &found);
    }
    free(found.altitude_m);
    if (surface->report.measured)
        surface->report.mean_spread_m /= (double)surface->report.measured;
    return status == RW_OK ? widen_cover(surface) : status;
}
