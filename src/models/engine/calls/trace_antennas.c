/* Paths to points with antennas of their own: a trace for each antenna, and all paths in one list. */
#include "base/memory.h"
#include "models/engine/calls/calls.h"
#include "output/paths/paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether a point has an antenna of its own: the usual one, turned, is no other. */
static int has_antenna(const rw_predict_options *options, const rw_point *point)
{
    return point->antenna && (*point->antenna || options->rx_antenna || isfinite(point->slant_deg));
}

static int same_angle(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static int same_antenna(const rw_predict_options *options, const rw_point *a, const rw_point *b)
{
    if (!has_antenna(options, a) || !has_antenna(options, b))
        return !has_antenna(options, a) && !has_antenna(options, b);
    return strcmp(a->antenna, b->antenna) == 0 && same_angle(a->azimuth_deg, b->azimuth_deg) &&
           same_angle(a->tilt_deg, b->tilt_deg) && same_angle(a->roll_deg, b->roll_deg) &&
           same_angle(a->slant_deg, b->slant_deg);
}

static double own_or(double own, double common)
{
    return isnan(own) ? common : own;
}

/* The prediction with a point's antenna for all. */
static rw_predict_options apply_point_antenna(const rw_predict_options *options, const rw_point *point)
{
    rw_predict_options own = *options;
    if (!has_antenna(options, point))
        return own;
    own.rx_antenna = *point->antenna ? point->antenna : options->rx_antenna;
    own.rx_azimuth_deg = own_or(point->azimuth_deg, options->rx_azimuth_deg);
    own.rx_tilt_deg = own_or(point->tilt_deg, options->rx_tilt_deg);
    own.rx_roll_deg = own_or(point->roll_deg, options->rx_roll_deg);
    own.rx_slant_deg = own_or(point->slant_deg, options->rx_slant_deg);
    return own;
}

/* Paths to points with antennas of their own: those of the same antenna are traced together. */
typedef struct antenna_groups {
    const rw_point *points;
    size_t count;
    rw_point *group;   /* the points of one antenna, */
    size_t *numbers;   /* and which they are */
    uint8_t *traced;   /* of each point: its antenna has been traced */
    rw_point *located; /* all points, with their heights, */
    uint8_t *indoor;   /* and whether they are inside buildings */
} antenna_groups;

/* What one group has found goes to all, with the points' own numbers. */
static rw_status join_group(const antenna_groups *groups, size_t count, const rw_paths *group_paths, rw_paths *all)
{
    for (size_t i = 0; i < count; i++) {
        groups->located[groups->numbers[i]] = group_paths->points[i];
        groups->located[groups->numbers[i]].antenna = groups->points[groups->numbers[i]].antenna;
        groups->indoor[groups->numbers[i]] = group_paths->indoor[i];
    }
    for (size_t i = 0; i < group_paths->count; i++) {
        rw_path_entry entry = group_paths->entries[i];
        rw_path_vertex *vertices = group_paths->vertices + entry.first_vertex;
        for (size_t k = 0; k < entry.vertex_count; k++) {
            RW_TRY(rw_paths_store_name(all, vertices[k].surface, &vertices[k].surface));
            RW_TRY(rw_paths_store_name(all, vertices[k].material, &vertices[k].material));
        }
        entry.point = groups->numbers[entry.point];
        RW_TRY(rw_paths_add(all, &entry, vertices));
    }
    return RW_OK;
}

static int compare_traced_entries(const void *a, const void *b)
{
    const rw_path_entry *first = a, *second = b;
    if (first->transmitter != second->transmitter)
        return first->transmitter < second->transmitter ? -1 : 1;
    if (first->point != second->point)
        return first->point < second->point ? -1 : 1;
    return first->first_vertex < second->first_vertex ? -1 : first->first_vertex > second->first_vertex;
}

static rw_status trace_groups(const rw_scene *scene, const rw_predict_options *options, antenna_groups *groups,
                              rw_paths *all)
{
    for (size_t first = 0; first < groups->count; first++) {
        rw_predict_options own = apply_point_antenna(options, &groups->points[first]);
        rw_paths *group_paths;
        size_t count = 0;
        for (size_t i = first; i < groups->count && !groups->traced[first]; i++)
            if (!groups->traced[i] && same_antenna(options, &groups->points[i], &groups->points[first])) {
                groups->numbers[count] = i;
                groups->group[count] = groups->points[i];
                groups->group[count++].antenna = NULL;
                groups->traced[i] = i > first;
            }
        if (count == 0)
            continue;
        RW_TRY(rw_trace_with(scene, &own, groups->group, count, NULL, &group_paths));
        rw_status status = join_group(groups, count, group_paths, all);
        if (status == RW_OK && first == 0) {
            rw_paths_ends ends = {.points = groups->located,
                                  .point_count = groups->count,
                                  .indoor = groups->indoor,
                                  .transmitters = group_paths->transmitters,
                                  .transmitter_count = group_paths->transmitter_count,
                                  .crs = group_paths->crs};
            status = rw_paths_set_ends(all, &ends);
        }
        rw_paths_destroy(group_paths);
        RW_TRY(status);
    }
    for (size_t i = 0; i < groups->count; i++) {
        const char *antenna = all->points[i].antenna;
        all->points[i] = groups->located[i];
        all->points[i].antenna = antenna;
        all->indoor[i] = groups->indoor[i];
    }
    all->own_antennas = 1;
    rw_sort(all->entries, all->count, sizeof *all->entries, compare_traced_entries);
    return RW_OK;
}

int rw_points_have_antennas(const rw_predict_options *options, const rw_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has_antenna(options, &points[i]))
            return 1;
    return 0;
}

rw_status rw_trace_by_antenna(const rw_prediction *prediction, rw_paths **paths)
{
    const rw_scene *scene = prediction->scene;
    const rw_predict_options *options = prediction->options;
    const rw_point *points = prediction->points;
    size_t count = prediction->point_count;
    antenna_groups groups = {.points = points, .count = count};
    rw_paths *all = NULL;
    rw_status status = rw_array_create(scene->context, count, sizeof *groups.group, "points", &groups.group);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, sizeof *groups.numbers, "points", &groups.numbers);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, 1, "points", &groups.traced);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, sizeof *groups.located, "points", &groups.located);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, 1, "points", &groups.indoor);
    if (status == RW_OK)
        status = rw_paths_create(scene->context, &all);
    for (size_t i = 0; i < count && status == RW_OK; i++)
        groups.located[i] = points[i];
    if (status == RW_OK)
        status = trace_groups(scene, options, &groups, all);
    free(groups.group);
    free(groups.numbers);
    free(groups.traced);
    free(groups.located);
    free(groups.indoor);
    if (status != RW_OK)
        rw_paths_destroy(all);
    else
        *paths = all;
    return status;
}
