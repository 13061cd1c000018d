#include "scene/surface/surface.h"

#include "base/memory.h"
#include "scene/surface/regions.h"

#include <math.h>
#include <stdlib.h>

#define STEP_M 1.5 /* between neighbouring posts of one roof */
#define AREA_MIN_M2 20.0
#define TOLERANCE_POSTS 1.0 /* of an outline */

typedef struct roof_search {
    rw_surface *surface;
    int32_t *roofs; /* of each post; RW_NO_CLASS: none */
    size_t *posts;  /* stack of a flood, then the posts of a roof */
    double *altitude_m;
    size_t count;
} roof_search;

/* Posts that hang together without a step of a storey: one roof. Returns how many there are. */
static size_t flood_roof(roof_search *search, size_t start, int32_t roof)
{
    const rw_surface *surface = search->surface;
    size_t columns = surface->posts.columns, rows = surface->posts.rows, next = 0, count = 0;
    search->posts[count++] = start;
    search->roofs[start] = roof;
    while (next < count) {
        size_t post = search->posts[next++], column = post % columns, row = post / columns;
        const size_t neighbours[4] = {column > 0 ? post - 1 : post, column + 1 < columns ? post + 1 : post,
                                      row > 0 ? post - columns : post, row + 1 < rows ? post + columns : post};
        for (int i = 0; i < 4; i++) {
            size_t other = neighbours[i];
            double step_m = fabs((double)surface->above_m[other] - (double)surface->above_m[post]);
            if (surface->kinds[other] != RW_POST_ROOF || search->roofs[other] != RW_NO_CLASS || step_m > STEP_M)
                continue;
            search->roofs[other] = roof;
            search->posts[count++] = other;
        }
    }
    return count;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double find_median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

typedef struct found_roof {
    double altitude_m, spread_m;
} found_roof;

/* Roofs with their heights; what is too small is a crown. */
static rw_status find_roofs(roof_search *search, found_roof **roofs, size_t *capacity)
{
    rw_surface *surface = search->surface;
    size_t posts = surface->posts.columns * surface->posts.rows;
    double pixel_m2 = surface->posts.dx_m * surface->posts.dy_m;
    for (size_t start = 0; start < posts; start++) {
        if (surface->kinds[start] != RW_POST_ROOF || search->roofs[start] != RW_NO_CLASS)
            continue;
        size_t count = flood_roof(search, start, (int32_t)search->count);
        if ((double)count * pixel_m2 < AREA_MIN_M2) {
            for (size_t i = 0; i < count; i++) {
                surface->kinds[search->posts[i]] = RW_POST_CROWN;
                search->roofs[search->posts[i]] = RW_NO_CLASS;
            }
            continue;
        }
        RW_TRY(rw_array_reserve(surface->scene->context, roofs, capacity, search->count + 1, sizeof **roofs, "roofs"));
        for (size_t i = 0; i < count; i++)
            search->altitude_m[i] = (double)surface->posts.values[search->posts[i]];
        double median_m = find_median_of(search->altitude_m, count);
        for (size_t i = 0; i < count; i++)
            search->altitude_m[i] = fabs(search->altitude_m[i] - median_m);
        (*roofs)[search->count++] =
            (found_roof){median_m, fmax(0.3, 1.4826 * find_median_of(search->altitude_m, count))};
    }
    return RW_OK;
}

/* A ring in world coordinates, simplified. Returns its points. */
static size_t trace_ring(roof_search *search, const rw_regions *regions, size_t ring, rw_vec2 *points, int *squared)
{
    const rw_raster *posts = &search->surface->posts;
    size_t first = regions->ring_first[ring], count = regions->ring_first[ring + 1] - first;
    for (size_t i = 0; i < count; i++)
        points[i] = rw_vec2_of(posts->x0_m + ((double)regions->points[2 * (first + i)] - 0.5) * posts->dx_m,
                               posts->y0_m + ((double)regions->points[2 * (first + i) + 1] - 0.5) * posts->dy_m);
    return rw_outline_simplify(points, count, TOLERANCE_POSTS * search->surface->spacing_m, squared);
}

/* The outer ring, and courtyards that are large enough. */
static rw_status add_found_roof(roof_search *search, const rw_regions *regions, size_t polygon, const found_roof *roof,
                                rw_vec2 *points, size_t *ring_sizes)
{
    rw_surface *surface = search->surface;
    rw_scene *scene = surface->scene;
    size_t used = 0, rings = 0;
    int squared = 0;
    for (size_t ring = regions->polygon_first[polygon]; ring < regions->polygon_first[polygon + 1]; ring++) {
        int is_outer = rings == 0, ring_squared;
        size_t count = trace_ring(search, regions, ring, points + used, &ring_squared);
        double area_m2 = count >= 3 ? fabs(rw_ring_area(points + used, count)) : 0;
        if (is_outer && area_m2 < AREA_MIN_M2)
            return RW_OK;
        if (area_m2 < AREA_MIN_M2)
            continue;
        squared = is_outer ? ring_squared : squared;
        ring_sizes[rings++] = count;
        used += count;
    }
    const rw_building building = {.size = sizeof building,
                                  .xy = &points[0].x,
                                  .ring_sizes = ring_sizes,
                                  .ring_count = rings,
                                  .ground_m = NAN,
                                  .roof_height_m = RW_SURFACE_MIN_M,
                                  .source = "surface model"};
    if (!rings)
        return RW_OK;
    RW_TRY(rw_scene_add_building(scene, &building));
    rw_part *part = &scene->parts.items[scene->parts.count - 1];
    part->roof_is_altitude = 1;
    part->roof_height_m = roof->altitude_m;
    part->height_spread_m = roof->spread_m;
    part->height_from = RW_HEIGHT_FOUND;
    surface->report.found++;
    surface->report.squared += squared;
    surface->report.found_m2 += fabs(rw_ring_area(points, ring_sizes[0]));
    return RW_OK;
}

static rw_status add_found_roofs(roof_search *search, const rw_regions *regions, const found_roof *roofs)
{
    rw_context *context = search->surface->scene->context;
    size_t all = regions->ring_first[regions->ring_count], *ring_sizes = NULL;
    rw_vec2 *points;
    RW_TRY(rw_array_create(context, all + 1, sizeof *points, "outlines of roofs", &points));
    rw_status status =
        rw_array_create(context, regions->ring_count + 1, sizeof *ring_sizes, "outlines of roofs", &ring_sizes);
    for (size_t roof = 0; roof < search->count && status == RW_OK; roof++)
        for (size_t polygon = regions->class_first[roof]; polygon < regions->class_first[roof + 1] && status == RW_OK;
             polygon++)
            status = add_found_roof(search, regions, polygon, &roofs[roof], points, ring_sizes);
    free(points);
    free(ring_sizes);
    return status;
}

static rw_status search_roofs(roof_search *search)
{
    rw_context *context = search->surface->scene->context;
    const rw_raster *posts = &search->surface->posts;
    found_roof *roofs = NULL;
    size_t capacity = 0;
    rw_regions regions = {0};
    rw_status status = find_roofs(search, &roofs, &capacity);
    if (status == RW_OK && search->count && roofs) {
        status = rw_regions_find(context, search->roofs, posts->columns, posts->rows, search->count, &regions);
        if (status == RW_OK)
            status = add_found_roofs(search, &regions, roofs);
        rw_regions_free(&regions);
    }
    free(roofs);
    return status;
}

rw_status rw_surface_find_buildings(rw_surface *surface)
{
    rw_context *context = surface->scene->context;
    size_t posts = surface->posts.columns * surface->posts.rows;
    roof_search search = {.surface = surface};
    rw_status status = rw_array_create(context, posts, sizeof *search.roofs, "roofs", &search.roofs);
    if (status == RW_OK)
        status = rw_array_create(context, posts, sizeof *search.posts, "roofs", &search.posts);
    if (status == RW_OK)
        status = rw_array_create(context, posts, sizeof *search.altitude_m, "roofs", &search.altitude_m);
    for (size_t i = 0; status == RW_OK && i < posts; i++)
        search.roofs[i] = RW_NO_CLASS;
    if (status == RW_OK)
        status = search_roofs(&search);
    free(search.roofs);
    free(search.posts);
    free(search.altitude_m);
    return status;
}
