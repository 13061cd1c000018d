#include "output/paths/paths.h"

#include "base/maths/elementary.h"
#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *rw_interaction_word(rw_interaction interaction)
{
    static const char *const words[] = {
#define RW_INTERACTION_WORD(name, word) word,
        RW_INTERACTION_MAP(RW_INTERACTION_WORD)
#undef RW_INTERACTION_WORD
    };
    size_t index = (size_t)interaction;
    return index < sizeof words / sizeof *words ? words[index] : "unknown";
}

rw_status rw_paths_create(rw_context *context, rw_paths **paths)
{
    *paths = calloc(1, sizeof **paths);
    if (!*paths)
        return rw_fail(context, RW_OUT_OF_MEMORY, "there is no memory for a list of paths");
    (*paths)->context = context;
    return RW_OK;
}

void rw_paths_destroy(rw_paths *paths)
{
    if (!paths)
        return;
    free(paths->entries);
    free(paths->vertices);
    free(paths->points);
    free(paths->indoor);
    free(paths->motions);
    free(paths->transmitters);
    free(paths->crs);
    for (size_t i = 0; i < paths->name_count; i++)
        free(paths->names[i]);
    free(paths->names);
    free(paths);
}

static rw_status copy_path_ends(rw_context *context, const void *from, size_t count, size_t bytes, void *to)
{
    RW_TRY(rw_array_create(context, count, bytes, "the ends of paths", to));
    memcpy(*(void **)to, from, count * bytes);
    return RW_OK;
}

rw_status rw_paths_set_ends(rw_paths *paths, const rw_paths_ends *ends)
{
    rw_context *context = paths->context;
    RW_TRY(copy_path_ends(context, ends->points, ends->point_count, sizeof *ends->points, &paths->points));
    RW_TRY(copy_path_ends(context, ends->indoor, ends->point_count, 1, &paths->indoor));
    RW_TRY(copy_path_ends(context, ends->transmitters, ends->transmitter_count, sizeof *ends->transmitters,
                          &paths->transmitters));
    RW_TRY(copy_path_ends(context, ends->crs, strlen(ends->crs) + 1, 1, &paths->crs));
    for (size_t i = 0; i < ends->transmitter_count; i++) {
        RW_TRY(rw_paths_store_name(paths, ends->transmitters[i].name, &paths->transmitters[i].name));
        RW_TRY(rw_paths_store_name(paths, ends->transmitters[i].antenna, &paths->transmitters[i].antenna));
        RW_TRY(rw_paths_store_name(paths, ends->transmitters[i].channel, &paths->transmitters[i].channel));
    }
    for (size_t i = 0; i < ends->point_count; i++)
        RW_TRY(rw_paths_store_name(paths, ends->points[i].antenna, &paths->points[i].antenna));
    paths->point_count = ends->point_count;
    paths->transmitter_count = ends->transmitter_count;
    return RW_OK;
}

size_t rw_paths_point_count(const rw_paths *paths)
{
    return paths->point_count;
}

rw_status rw_paths_get_point(const rw_paths *paths, size_t index, rw_point *point, int *indoor)
{
    if (index >= paths->point_count)
        return rw_fail(paths->context, RW_BAD_CALL, "there is no point %zu; there are %zu", index, paths->point_count);
    *indoor = paths->indoor[index];
    return RW_ASSIGN(paths->context, &paths->points[index], point);
}

rw_status rw_paths_store_name(rw_paths *paths, const char *name, const char **stored)
{
    *stored = NULL;
    for (size_t i = 0; name && i < paths->name_count; i++)
        if (strcmp(paths->names[i], name) == 0)
            *stored = paths->names[i];
    if (!name || *stored)
        return RW_OK;
    RW_TRY(rw_array_reserve(paths->context, &paths->names, &paths->name_capacity, paths->name_count + 1,
                            sizeof *paths->names, "names of walls"));
    char *copied = rw_string_copy(name);
    if (!copied)
        return rw_fail(paths->context, RW_OUT_OF_MEMORY, "there is no memory for names of walls");
    paths->names[paths->name_count++] = copied;
    *stored = copied;
    return RW_OK;
}

rw_status rw_paths_add(rw_paths *paths, const rw_path_entry *entry, const rw_path_vertex *vertices)
{
    if (isinf(entry->loss_db)) /* nothing arrives: in a null of an antenna, or behind metal */
        return RW_OK;
    RW_TRY(rw_array_reserve(paths->context, &paths->entries, &paths->capacity, paths->count + 1, sizeof *paths->entries,
                            "paths"));
    RW_TRY(rw_array_reserve(paths->context, &paths->vertices, &paths->vertex_capacity,
                            paths->vertex_count + entry->vertex_count, sizeof *paths->vertices, "paths"));
    rw_path_entry *added = &paths->entries[paths->count++];
    *added = *entry;
    added->first_vertex = paths->vertex_count;
    for (size_t i = 0; i < entry->vertex_count; i++) {
        paths->vertices[paths->vertex_count + i] = vertices[i];
        paths->vertices[paths->vertex_count + i].size = sizeof *vertices;
    }
    paths->vertex_count += entry->vertex_count;
    added->length_m = 0;
    for (size_t i = 0; i + 1 < entry->vertex_count; i++)
        added->length_m += hypot(hypot(vertices[i + 1].x_m - vertices[i].x_m, vertices[i + 1].y_m - vertices[i].y_m),
                                 vertices[i + 1].z_m - vertices[i].z_m);
    return RW_OK;
}

static rw_vec3 direction_between(const rw_path_vertex *from, const rw_path_vertex *to)
{
    return rw_vec3_of(to->x_m - from->x_m, to->y_m - from->y_m, to->z_m - from->z_m);
}

/* Directions stay those of the scene when the vertices leave its coordinates. */
static void store_directions(rw_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) {
        rw_path_entry *entry = &paths->entries[i];
        const rw_path_vertex *vertices = paths->vertices + entry->first_vertex;
        size_t last = entry->vertex_count - 1;
        if (!(rw_vec3_dot(entry->departs, entry->departs) > 0))
            entry->departs = direction_between(&vertices[0], &vertices[1]);
        if (!(rw_vec3_dot(entry->arrives, entry->arrives) > 0))
            entry->arrives = direction_between(&vertices[last], &vertices[last - 1]);
    }
}

static rw_status transform_path_end(const rw_paths *paths, const char *crs, double *x_m, double *y_m)
{
    double at[2] = {*x_m, *y_m};
    RW_TRY(rw_transform_points(paths->context, paths->crs, crs, at, 1));
    *x_m = at[0];
    *y_m = at[1];
    return RW_OK;
}

rw_status rw_paths_set_crs(rw_paths *paths, const char *crs)
{
    double *xy;
    size_t count = paths->vertex_count;
    RW_TRY(rw_array_create(paths->context, 2 * count + 1, sizeof *xy, "paths", &xy));
    for (size_t i = 0; i < count; i++) {
        xy[2 * i] = paths->vertices[i].x_m;
        xy[2 * i + 1] = paths->vertices[i].y_m;
    }
    rw_status status = rw_transform_points(paths->context, paths->crs, crs, xy, count);
    for (size_t i = 0; i < paths->point_count && status == RW_OK; i++)
        status = transform_path_end(paths, crs, &paths->points[i].x_m, &paths->points[i].y_m);
    for (size_t i = 0; i < paths->transmitter_count && status == RW_OK; i++)
        status = transform_path_end(paths, crs, &paths->transmitters[i].x_m, &paths->transmitters[i].y_m);
    if (status == RW_OK) {
        store_directions(paths);
        for (size_t i = 0; i < count; i++) {
            paths->vertices[i].x_m = xy[2 * i];
            paths->vertices[i].y_m = xy[2 * i + 1];
        }
        status = rw_string_replace(paths->context, crs, &paths->crs);
    }
    free(xy);
    return status;
}

size_t rw_paths_count(const rw_paths *paths)
{
    return paths->count;
}

/* Theta from zenith and phi from east of a known direction, or of that from one vertex to another. Upright where the
 * two are one. */
static void find_path_direction(rw_vec3 direction, const rw_path_vertex *from, const rw_path_vertex *to,
                                double *theta_deg, double *phi_deg)
{
    rw_vec3 d = direction;
    if (!(rw_vec3_dot(d, d) > 0))
        d = rw_vec3_of(to->x_m - from->x_m, to->y_m - from->y_m, to->z_m - from->z_m);
    *theta_deg = atan2(hypot(d.x, d.y), d.z) * 180 / RW_PI;
    *phi_deg = atan2(d.y, d.x) * 180 / RW_PI;
}

rw_motion rw_paths_motion(const rw_paths *paths, size_t point)
{
    const rw_motion rest = {.size = sizeof rest};
    return paths->motions && point < paths->point_count ? paths->motions[point] : rest;
}

rw_status rw_paths_set_motions(rw_paths *paths, const rw_motion *motions, size_t count)
{
    const rw_motion rest = {.size = sizeof rest}, *resolved;
    rw_motion *buffer = NULL;
    if (count != paths->point_count)
        return rw_fail(paths->context, RW_BAD_CALL, "there are %zu motions for %zu points", count, paths->point_count);
    RW_TRY(RW_RESOLVE_ARRAY(paths->context, motions, count, &rest, &resolved, &buffer));
    rw_status status = RW_OK;
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        const double *v = resolved[i].velocity_m_s;
        if (!isfinite(resolved[i].time_s) || !(fabs(v[0]) + fabs(v[1]) + fabs(v[2]) < 3e8))
            status = rw_fail(paths->context, RW_BAD_CALL, "the motion of point %zu is not a time and a velocity", i);
    }
    free(paths->motions);
    paths->motions = NULL;
    if (status == RW_OK)
        status = copy_path_ends(paths->context, resolved, count, sizeof *resolved, &paths->motions);
    free(buffer);
    return status;
}

/* f / c times the speed towards where the wave comes from. */
static double doppler_hz(const rw_paths *paths, const rw_path *path)
{
    if (path->point >= paths->point_count || path->transmitter >= paths->transmitter_count)
        return 0;
    const rw_motion motion = rw_paths_motion(paths, path->point);
    const double *velocity = motion.velocity_m_s;
    double theta = path->arrival_theta_deg * RW_PI / 180, phi = path->arrival_phi_deg * RW_PI / 180;
    double towards_m_s = sin(theta) * (cos(phi) * velocity[0] + sin(phi) * velocity[1]) + cos(theta) * velocity[2];
    return paths->transmitters[path->transmitter].freq_hz * towards_m_s / RW_SPEED_OF_LIGHT_M_S;
}

static rw_path make_path(const rw_paths *paths, size_t index)
{
    const rw_path_entry *entry = &paths->entries[index];
    const rw_path_vertex *vertices = paths->vertices + entry->first_vertex;
    size_t last = entry->vertex_count - 1;
    rw_path path = {.point = entry->point,
                    .transmitter = entry->transmitter,
                    .vertices = vertices,
                    .vertex_count = entry->vertex_count,
                    .free_space_db = entry->free_space_db,
                    .loss_db = entry->loss_db,
                    .gain_re = entry->gain.re,
                    .gain_im = entry->gain.im};
    path.length_m = entry->length_m;
    path.delay_s = entry->delay_s > 0 ? entry->delay_s : path.length_m / RW_SPEED_OF_LIGHT_M_S;
    find_path_direction(entry->departs, &vertices[0], &vertices[1], &path.departure_theta_deg, &path.departure_phi_deg);
    find_path_direction(entry->arrives, &vertices[last], &vertices[last - 1], &path.arrival_theta_deg,
                        &path.arrival_phi_deg);
    path.doppler_hz = doppler_hz(paths, &path);
    for (int i = 0; i < 4; i++) {
        path.transfer_re[i] = entry->transfer[i].re;
        path.transfer_im[i] = entry->transfer[i].im;
    }
    return path;
}

rw_status rw_paths_get(const rw_paths *paths, size_t index, rw_path *path)
{
    if (index >= paths->count)
        return rw_fail(paths->context, RW_BAD_CALL, "there is no path %zu; there are %zu", index, paths->count);
    const rw_path new_path = make_path(paths, index);
    return RW_ASSIGN(paths->context, &new_path, path);
}

rw_status rw_paths_get_many(const rw_paths *paths, size_t first, size_t count, rw_path *out)
{
    if (first > paths->count || count > paths->count - first)
        return rw_fail(paths->context, RW_BAD_CALL, "there are no %zu paths from number %zu on; there are %zu", count,
                       first, paths->count);
    size_t stride = count ? out->size : 0;
    for (size_t i = 0; i < count; i++) {
        rw_path *item = (rw_path *)(void *)((char *)out + i * stride);
        const rw_path path = make_path(paths, first + i);
        item->size = stride;
        RW_TRY(RW_ASSIGN(paths->context, &path, item));
    }
    return RW_OK;
}

rw_status rw_paths_get_vertex(const rw_paths *paths, size_t path, size_t vertex, rw_path_vertex *out)
{
    if (path >= paths->count)
        return rw_fail(paths->context, RW_BAD_CALL, "there is no path %zu; there are %zu", path, paths->count);
    const rw_path_entry *entry = &paths->entries[path];
    if (vertex >= entry->vertex_count)
        return rw_fail(paths->context, RW_BAD_CALL, "the path has %zu vertices, there is no number %zu",
                       entry->vertex_count, vertex);
    return RW_ASSIGN(paths->context, &paths->vertices[entry->first_vertex + vertex], out);
}
