/* Paths as tables: for each point and transmitter a line about the path, and a row for each vertex. */
#include "commands/paths/paths.h"
#include "report/report.h"

#include <stdio.h>

#define POINTS_LISTED_MAX 20 /* point by point */
#define DEGREES 57.29577951308232

static void print_path(const rw_path *path)
{
    printf("  %.2f dB: free space %.2f dB over %.2f m (%.1f ns), the rest at %zu place%s\n", path->loss_db,
           path->free_space_db, path->length_m, 1e9 * path->delay_s, path->vertex_count - 2,
           path->vertex_count == 3 ? "" : "s");
    printf("  leaves at theta %.2f phi %.2f deg, arrives from theta %.2f phi %.2f deg\n", path->departure_theta_deg,
           path->departure_phi_deg, path->arrival_theta_deg, path->arrival_phi_deg);
    printf("  %12s %12s %10s  %-11s %9s %9s\n", "x m", "y m", "z m", "interaction", "turn deg", "loss dB");
    for (size_t i = 0; i < path->vertex_count; i++) {
        const rw_path_vertex *vertex = &path->vertices[i];
        const char *word = rw_interaction_word(vertex->interaction);
        printf("  %12.2f %12.2f %10.2f  ", vertex->x_m, vertex->y_m, vertex->z_m);
        if (vertex->interaction == RW_INTERACTION_END)
            puts(word);
        else
            printf("%-11s %9.2f %9.2f\n", word, DEGREES * (double)vertex->angle_rad, (double)vertex->loss_db);
    }
}

/* Paths of one transmitter are in the order of the points, so that each search goes on where the last one ended. */
static void report_transmitter(const struct request *request, const rw_paths *paths, const rw_budgets *budgets,
                               size_t transmitter, size_t *next)
{
    for (size_t i = 0; i < rw_paths_point_count(paths); i++) {
        rw_point point = {.size = sizeof point};
        rw_path path = {.size = sizeof path};
        int indoor = 0, found = 0;
        if (rw_paths_get_point(paths, i, &point, &indoor) != RW_OK)
            return;
        printf("point %zu at %.10g, %.10g, %g m above ground, from %s:\n", i + 1, point.x_m, point.y_m, point.height_m,
               request->options.transmitters[transmitter].name);
        while (*next < rw_paths_count(paths) && rw_paths_get(paths, *next, &path) == RW_OK &&
               path.transmitter == transmitter && path.point == i) {
            print_path(&path);
            found = 1;
            ++*next;
        }
        if (!found)
            puts(indoor ? "  inside a building: there are no paths to here" : "  no path: nothing reaches it this way");
        rw_link_budget budget = {.size = sizeof budget};
        if (budgets && rw_budgets_get(budgets, transmitter * rw_paths_point_count(paths) + i, &budget) == RW_OK)
            print_link_budget(&budget);
    }
}

/* Of more points than a reader looks at, how many are reached from each transmitter. */
static void summarise_paths(const struct request *request, const rw_paths *paths)
{
    size_t next = 0;
    for (size_t i = 0; i < request->options.transmitter_count; i++) {
        size_t found = 0, reached = 0, last = (size_t)-1;
        rw_path path = {.size = sizeof path};
        for (; next < rw_paths_count(paths) && rw_paths_get(paths, next, &path) == RW_OK && path.transmitter == i;
             next++) {
            reached += path.point != last;
            last = path.point;
            found++;
        }
        printf("%s: %zu paths to %zu of %zu points\n", request->options.transmitters[i].name, found, reached,
               rw_paths_point_count(paths));
    }
}

void report_paths(const struct call *call, const struct request *request, const rw_paths *paths,
                  const rw_budgets *budgets)
{
    const struct paths_settings *settings = call->settings;
    size_t next = 0;
    if (rw_paths_point_count(paths) > POINTS_LISTED_MAX)
        summarise_paths(request, paths);
    for (size_t i = 0; i < request->options.transmitter_count && rw_paths_point_count(paths) <= POINTS_LISTED_MAX; i++)
        report_transmitter(request, paths, budgets, i, &next);
    if (settings->out)
        puts(settings->out);
    if (settings->plot)
        puts(settings->plot);
}
