/* Link budgets at points of the map, for a click on the page: the strongest path of all transmitters to each. */
#include "commands/share/share.h"

#include <math.h>
#include <stdlib.h>

/* Points on a lattice of cells that have a receiver; as many as fit the number that is wanted. */
static size_t choose_budget_points(const struct share_plan *plan, size_t wanted, rw_point *points)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer layer = {.size = sizeof layer};
    if (rw_map_get_info(plan->map, &info) != RW_OK || rw_map_get_layer(plan->map, 0, &layer) != RW_OK || !wanted)
        return 0;
    size_t step = (size_t)fmax(1, ceil(sqrt((double)layer.count / (double)wanted))), count = 0;
    for (size_t row = step / 2; row < info.rows; row += step)
        for (size_t column = step / 2; column < info.columns && count < wanted; column += step)
            if (!isnan(layer.values[row * info.columns + column]))
                points[count++] = (rw_point){.size = sizeof *points,
                                             .x_m = info.x0_m + ((double)column + 0.5) * info.res_m,
                                             .y_m = info.y0_m + ((double)row + 0.5) * info.res_m,
                                             .height_m = NAN};
    return count;
}

static void write_term(struct json *json, const char *label, double value_db)
{
    json_list(json, NULL);
    json_string(json, NULL, label);
    json_number(json, NULL, rint(1000 * value_db) / 1000);
    json_list_end(json);
}

static void write_path_vertices(struct json *json, const rw_path *path)
{
    json_list(json, "path");
    for (size_t i = 0; i < path->vertex_count; i++) {
        json_list(json, NULL);
        json_number(json, NULL, rint(10 * path->vertices[i].x_m) / 10);
        json_number(json, NULL, rint(10 * path->vertices[i].y_m) / 10);
        json_number(json, NULL, rint(10 * path->vertices[i].z_m) / 10);
        json_list_end(json);
    }
    json_list_end(json);
}

/* Free space and each interaction; their sum is the loss of the path. */
static void write_budget(struct json *json, const rw_point *point, const rw_path *path, int with_path)
{
    json_object(json, NULL);
    json_number(json, "x", point->x_m);
    json_number(json, "y", point->y_m);
    json_count(json, "transmitter", path->transmitter);
    json_number(json, "loss_db", rint(1000 * path->loss_db) / 1000);
    json_number(json, "length_m", rint(10 * path->length_m) / 10);
    json_list(json, "terms");
    write_term(json, "free space", path->free_space_db);
    for (size_t i = 0; i < path->vertex_count; i++) {
        const rw_path_vertex *vertex = &path->vertices[i];
        if ((double)vertex->loss_db != 0)
            write_term(json, i ? rw_interaction_word(vertex->interaction) : "offset", (double)vertex->loss_db);
    }
    json_list_end(json);
    if (with_path)
        write_path_vertices(json, path);
    json_object_end(json);
}

static size_t write_budgets(struct share_plan *plan, const rw_paths *paths, size_t point_count, int with_paths)
{
    size_t count = 0;
    rw_path *best = calloc(point_count + 1, sizeof *best);
    for (size_t i = 0; best && i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        if (rw_paths_get(paths, i, &path) == RW_OK && isfinite(path.loss_db) &&
            (!best[path.point].size || path.loss_db < best[path.point].loss_db))
            best[path.point] = path;
    }
    for (size_t i = 0; best && i < point_count; i++) {
        rw_point point = {.size = sizeof point};
        if (!best[i].size || rw_paths_get_point(paths, i, &point, &(int){0}) != RW_OK)
            continue;
        write_budget(&plan->json, &point, &best[i], with_paths);
        count++;
    }
    free(best);
    return count;
}

static int trace_budgets(struct call *call, struct share_plan *plan, const rw_point *points, size_t count)
{
    const struct share_settings *settings = call->settings;
    rw_paths *paths = NULL;
    rw_status status = rw_trace(plan->request.scene, &plan->request.options, points, count, &paths);
    wipe_progress(call);
    TRY_RW(call, status);
    json_list(&plan->json, "budgets");
    size_t written = write_budgets(plan, paths, count, !settings->without_scene);
    json_list_end(&plan->json);
    rw_paths_destroy(paths);
    fprintf(plan->contents_stream, "The strongest path to %zu points%s.\n", written,
            settings->without_scene ? ", without its course" : "");
    return 0;
}

int share_budgets(struct call *call, struct share_plan *plan)
{
    const struct share_settings *settings = call->settings;
    size_t wanted = settings->budgets ? (size_t)settings->budgets : BUDGETS_DEFAULT;
    rw_point *points = calloc(wanted, sizeof *points);
    if (!points)
        return report_out_of_memory("the points");
    size_t count = choose_budget_points(plan, wanted, points);
    int exit_status = count ? trace_budgets(call, plan, points, count) : 0;
    free(points);
    return exit_status;
}
