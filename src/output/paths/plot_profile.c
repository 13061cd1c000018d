/* A picture of the section of a scene from a transmitter to a point, with the paths between them: ground and roofs on
 * the straight line, and the vertices of each path at their distance along it. */
#include <rasterwave/geometry.h>

#include "base/memory.h"
#include "output/paths/paths.h"
#include "output/pictures/pictures.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 2000
#define PATHS_MAX 5 /* of a picture; the strongest */

typedef struct profile {
    const rw_scene *scene;
    rw_path_vertex from, to;
    double length_m;
    double along_m[SAMPLES], ground_m[SAMPLES], roof_m[SAMPLES];
    double *x, *y; /* vertices of the paths */
    rw_series series[PATHS_MAX + 2];
    size_t series_count;
    char names[PATHS_MAX][32];
} profile;

static rw_status sample_line(profile *new_profile)
{
    for (size_t i = 0; i < SAMPLES; i++)
        new_profile->along_m[i] = (double)i / (SAMPLES - 1) * new_profile->length_m;
    return rw_scene_profile(new_profile->scene, new_profile->from.x_m, new_profile->from.y_m, new_profile->to.x_m,
                            new_profile->to.y_m, SAMPLES, new_profile->ground_m, new_profile->roof_m);
}

/* Vertices by their distance along the line, whichever side of it they are on. */
static void add_profile_path(profile *new_profile, const rw_path *path)
{
    double dx = (new_profile->to.x_m - new_profile->from.x_m) / new_profile->length_m,
           dy = (new_profile->to.y_m - new_profile->from.y_m) / new_profile->length_m;
    char *name = new_profile->names[new_profile->series_count - 2];
    for (size_t i = 0; i < path->vertex_count; i++) {
        const rw_path_vertex *vertex = &path->vertices[i];
        new_profile->x[i] = (vertex->x_m - new_profile->from.x_m) * dx + (vertex->y_m - new_profile->from.y_m) * dy;
        new_profile->y[i] = vertex->z_m;
    }
    snprintf(name, sizeof new_profile->names[0], "%.1f dB", path->loss_db);
    new_profile->series[new_profile->series_count++] =
        (rw_series){name, new_profile->x, new_profile->y, path->vertex_count, RW_SERIES_LINE};
    new_profile->x += path->vertex_count;
    new_profile->y += path->vertex_count;
}

static rw_status draw_profile(const rw_paths *paths, size_t point, profile *new_profile, const char *file)
{
    char subtitle[128];
    rw_path path = {.size = sizeof path};
    size_t found = 0;
    for (size_t i = 0; i < paths->count && found < PATHS_MAX; i++) {
        RW_TRY(rw_paths_get(paths, i, &path));
        if (path.point != point)
            continue;
        if (found++ == 0) {
            new_profile->from = path.vertices[0];
            new_profile->to = path.vertices[path.vertex_count - 1];
            new_profile->length_m = fmax(
                hypot(new_profile->to.x_m - new_profile->from.x_m, new_profile->to.y_m - new_profile->from.y_m), 1e-3);
            RW_TRY(sample_line(new_profile));
            new_profile->series[0] =
                (rw_series){"roofs", new_profile->along_m, new_profile->roof_m, SAMPLES, RW_SERIES_LINE};
            new_profile->series[1] =
                (rw_series){"ground", new_profile->along_m, new_profile->ground_m, SAMPLES, RW_SERIES_LINE};
            new_profile->series_count = 2;
        }
        add_profile_path(new_profile, &path);
    }
    if (!found)
        return rw_fail(paths->context, RW_BAD_INPUT, "no path reaches point %zu: there is nothing to draw", point + 1);
    snprintf(subtitle, sizeof subtitle, "%.1f m to point %zu; heights are exaggerated", new_profile->length_m,
             point + 1);
    rw_plot plot = {.title = "Profile",
                    .subtitle = subtitle,
                    .x_label = "distance from the transmitter in m",
                    .y_label = "altitude in m",
                    .series = new_profile->series,
                    .series_count = new_profile->series_count};
    return rw_plot_write(paths->context, &plot, file);
}

rw_status rw_paths_draw_profile(const rw_paths *paths, size_t point, const rw_scene *scene, const char *path)
{
    profile *new_profile;
    double *buffer = NULL;
    size_t vertices = 0;
    for (size_t i = 0; i < paths->count; i++)
        vertices += paths->entries[i].vertex_count;
    if (!scene || !scene->prepared)
        return rw_fail(paths->context, RW_BAD_CALL, "a profile needs the committed scene of the paths");
    RW_TRY(rw_array_create(paths->context, 1, sizeof *new_profile, "a profile", &new_profile));
    rw_status status = rw_array_create(paths->context, 2 * vertices + 1, sizeof *buffer, "a profile", &buffer);
    if (status == RW_OK) {
        new_profile->scene = scene;
        new_profile->x = buffer;
        new_profile->y = buffer + vertices;
        status = draw_profile(paths, point, new_profile, path);
    }
    free(buffer);
    free(new_profile);
    return status;
}
