/* A picture of the section of a scene from a transmitter to a point, with the paths between them: ground and roofs on
 * the straight line, and the vertices of each path at their distance along it. */
#include <rasterwave/geometry.h>

#include "base/memory.h"
#include "output/paths/paths.h"
#include "output/pictures/plot.h"
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

static rw_status sample_line(profile *made)
{
    for (size_t i = 0; i < SAMPLES; i++)
        made->along_m[i] = (double)i / (SAMPLES - 1) * made->length_m;
    return rw_scene_profile(made->scene, made->from.x_m, made->from.y_m, made->to.x_m, made->to.y_m, SAMPLES,
                            made->ground_m, made->roof_m);
}

/* Vertices by their distance along the line, whichever side of it they are on. */
static void add_path(profile *made, const rw_path *path)
{
    double dx = (made->to.x_m - made->from.x_m) / made->length_m, dy = (made->to.y_m - made->from.y_m) / made->length_m;
    char *name = made->names[made->series_count - 2];
    for (size_t i = 0; i < path->vertex_count; i++) {
        const rw_path_vertex *vertex = &path->vertices[i];
        made->x[i] = (vertex->x_m - made->from.x_m) * dx + (vertex->y_m - made->from.y_m) * dy;
        made->y[i] = vertex->z_m;
    }
    snprintf(name, sizeof made->names[0], "%.1f dB", path->loss_db);
    made->series[made->series_count++] = (rw_series){name, made->x, made->y, path->vertex_count, RW_SERIES_LINE};
    made->x += path->vertex_count;
    made->y += path->vertex_count;
}

static rw_status draw(const rw_paths *paths, size_t point, profile *made, const char *file)
{
    char subtitle[128];
    rw_path path = {.size = sizeof path};
    size_t found = 0;
    for (size_t i = 0; i < paths->count && found < PATHS_MAX; i++) {
        RW_TRY(rw_paths_get(paths, i, &path));
        if (path.point != point)
            continue;
        if (found++ == 0) {
            made->from = path.vertices[0];
            made->to = path.vertices[path.vertex_count - 1];
            made->length_m = fmax(hypot(made->to.x_m - made->from.x_m, made->to.y_m - made->from.y_m), 1e-3);
            RW_TRY(sample_line(made));
            made->series[0] = (rw_series){"roofs", made->along_m, made->roof_m, SAMPLES, RW_SERIES_LINE};
            made->series[1] = (rw_series){"ground", made->along_m, made->ground_m, SAMPLES, RW_SERIES_LINE};
            made->series_count = 2;
        }
        add_path(made, &path);
    }
    if (!found)
        return rw_fail(paths->context, RW_BAD_INPUT, "no path reaches point %zu: there is nothing to draw", point + 1);
    snprintf(subtitle, sizeof subtitle, "%.1f m to point %zu; heights are exaggerated", made->length_m, point + 1);
    rw_plot plot = {.title = "Profile",
                    .subtitle = subtitle,
                    .x_label = "distance from the transmitter in m",
                    .y_label = "altitude in m",
                    .series = made->series,
                    .series_count = made->series_count};
    return rw_plot_write(paths->context, &plot, file);
}

rw_status rw_paths_draw_profile(const rw_paths *paths, size_t point, const rw_scene *scene, const char *path)
{
    profile *made;
    double *room = NULL;
    size_t vertices = 0;
    for (size_t i = 0; i < paths->count; i++)
        vertices += paths->entries[i].vertex_count;
    if (!scene || !scene->prepared)
        return rw_fail(paths->context, RW_BAD_CALL, "a profile needs the committed scene of the paths");
    RW_TRY(rw_array_create(paths->context, 1, sizeof *made, "a profile", &made));
    rw_status status = rw_array_create(paths->context, 2 * vertices + 1, sizeof *room, "a profile", &room);
    if (status == RW_OK) {
        made->scene = scene;
        made->x = room;
        made->y = room + vertices;
        status = draw(paths, point, made, path);
    }
    free(room);
    free(made);
    return status;
}
