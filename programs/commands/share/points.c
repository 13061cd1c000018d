/* Link budgets at points of the map, for a click on the page: how the map's value of the strongest transmitter is
 * composed there, and the course of its strongest path. */
#include "commands/share/share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Rows that add up to the path loss, or with it to the received power. */
static int write_budget_terms(struct call *call, struct json *json, const char *key, const rw_budgets *budgets,
                              size_t index, rw_budget_part part)
{
    rw_link_budget budget = {.size = sizeof budget};
    rw_budget_row row = {.size = sizeof row};
    TRY_RW(call, rw_budgets_get(budgets, index, &budget));
    json_list(json, key);
    for (size_t i = 0; i < budget.row_count; i++) {
        TRY_RW(call, rw_budgets_get_row(budgets, index, i, &row));
        if (row.part == part && strcmp(row.name, "path_loss") != 0)
            write_term(json, row.about, row.value_db);
    }
    json_list_end(json);
    return 0;
}

/* Of the transmitters that reach a point the strongest; the number of budgets: none does. */
static size_t find_strongest_budget(const rw_budgets *budgets, size_t point, size_t point_count)
{
    size_t count = rw_budgets_count(budgets), found = count;
    double most_dbm = -INFINITY;
    for (size_t i = point; i < count; i += point_count) {
        rw_link_budget budget = {.size = sizeof budget};
        if (rw_budgets_get(budgets, i, &budget) != RW_OK || budget.indoor || !isfinite(budget.path_loss_db))
            continue;
        double power_dbm = isfinite(budget.power_dbm) ? budget.power_dbm : -budget.path_loss_db;
        if (power_dbm > most_dbm)
            found = i;
        most_dbm = fmax(most_dbm, power_dbm);
    }
    return found;
}

static rw_path find_strongest_path(const rw_paths *paths, size_t point, size_t transmitter)
{
    rw_path best = {.size = 0};
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        if (rw_paths_get(paths, i, &path) == RW_OK && path.point == point && path.transmitter == transmitter &&
            isfinite(path.loss_db) && (!best.size || path.loss_db < best.loss_db))
            best = path;
    }
    return best;
}

/* paths NULL: the plan does not have their course. */
static int write_budget(struct call *call, struct json *json, const rw_point *point, const rw_budgets *budgets,
                        size_t index, const rw_paths *paths)
{
    rw_link_budget budget = {.size = sizeof budget};
    TRY_RW(call, rw_budgets_get(budgets, index, &budget));
    json_object(json, NULL);
    json_number(json, "x", point->x_m);
    json_number(json, "y", point->y_m);
    json_count(json, "transmitter", budget.transmitter);
    json_number(json, "loss_db", rint(1000 * budget.path_loss_db) / 1000);
    TRY(write_budget_terms(call, json, "terms", budgets, index, RW_BUDGET_LOSS));
    if (isfinite(budget.power_dbm)) {
        json_number(json, "power_dbm", rint(1000 * budget.power_dbm) / 1000);
        TRY(write_budget_terms(call, json, "power", budgets, index, RW_BUDGET_POWER));
    }
    rw_path path = paths ? find_strongest_path(paths, budget.point, budget.transmitter) : (rw_path){.size = 0};
    if (path.size)
        write_path_vertices(json, &path);
    json_object_end(json);
    return 0;
}

static int write_budgets(struct call *call, struct share_plan *plan, const rw_point *points, size_t count,
                         const rw_budgets *budgets, const rw_paths *paths)
{
    size_t written = 0;
    json_list(&plan->json, "budgets");
    for (size_t i = 0; i < count; i++) {
        size_t index = find_strongest_budget(budgets, i, count);
        if (index == rw_budgets_count(budgets))
            continue;
        TRY(write_budget(call, &plan->json, &points[i], budgets, index, paths));
        written++;
    }
    json_list_end(&plan->json);
    fprintf(plan->contents_stream, "Link budgets of %zu points%s.\n", written,
            paths ? ", with the course of the strongest path" : "");
    return 0;
}

static int solve_budgets(struct call *call, struct share_plan *plan, const rw_point *points, size_t count)
{
    const struct share_settings *settings = call->settings;
    rw_paths *paths = NULL;
    rw_budgets *budgets = NULL;
    rw_status status = rw_predict_budgets(plan->request.scene, &plan->request.options, points, count, &budgets);
    if (status == RW_OK && !settings->without_scene)
        status = rw_trace(plan->request.scene, &plan->request.options, points, count, &paths);
    wipe_progress(call);
    int exit_status =
        status == RW_OK ? write_budgets(call, plan, points, count, budgets, paths) : report_status(call, status);
    rw_paths_destroy(paths);
    rw_budgets_destroy(budgets);
    return exit_status;
}

int share_budgets(struct call *call, struct share_plan *plan)
{
    const struct share_settings *settings = call->settings;
    size_t wanted = settings->budgets ? (size_t)settings->budgets : BUDGETS_DEFAULT;
    rw_point *points = calloc(wanted, sizeof *points);
    if (!points)
        return report_out_of_memory("the points");
    size_t count = choose_budget_points(plan, wanted, points);
    int exit_status = count ? solve_budgets(call, plan, points, count) : 0;
    free(points);
    return exit_status;
}
