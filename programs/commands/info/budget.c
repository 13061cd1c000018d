/* info MAP --at X,Y: how the value of a map is composed. The prediction is made again at the centre of the cell, from
 * what the map says of the call that made it. */
#include "cli/cli.h"
#include "commands/info/info.h"
#include "commands/predict/predict.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

struct map_call {
    struct call call; /* of predict, as the map has it */
    struct recorded_words words;
    char options[16384];
    struct request request;
    char message[512]; /* why there are no link budgets; "": there are */
};

static int read_map_call(struct call *call, const char *path, struct map_call *made)
{
    char *provenance, command[32];
    TRY_RW(call, rw_file_provenance(call->context, path, &provenance));
    read_provenance_line(provenance, "command", command, sizeof command);
    read_provenance_line(provenance, "options", made->options, sizeof made->options);
    rw_free(provenance);
    if (strcmp(command, "predict") != 0)
        return report_error("%s does not name the prediction that made it", path);
    TRY(split_recorded_options(&made->words, made->options));
    TRY(begin_call(&made->call, &predict_command));
    made->call.context = call->context;
    made->call.quiet = 1;
    TRY(read_arguments(&made->call, (int)made->words.count, made->words.words));
    struct predict_settings *settings = made->call.settings;
    return open_request(&made->call, &settings->inputs, &made->request);
}

struct map_call *open_map_call(struct call *call, const char *path)
{
    struct map_call *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    capture_errors(made->message, sizeof made->message);
    if (read_map_call(call, path, made) == 0)
        *made->message = 0;
    capture_errors(NULL, 0);
    rw_predict_options *options = &made->request.options;
    options->database = NULL; /* none of these changes a value */
    options->zone = options->reuse = options->layers = NULL;
    return made;
}

void close_map_call(struct map_call *made)
{
    if (!made)
        return;
    close_request(&made->request);
    made->call.context = NULL; /* the caller's */
    end_call(&made->call);
    free(made);
}

static int find_map_budgets(struct call *call, struct map_call *made, const rw_map *map, const double at[2],
                            rw_budgets **budgets)
{
    rw_point point = {.size = sizeof point, .x_m = at[0], .y_m = at[1], .height_m = NAN};
    const char *from = rw_map_crs(map), *to = rw_scene_crs(made->request.scene);
    double xy[2] = {at[0], at[1]};
    if (*from && *to && strcmp(from, to) != 0)
        TRY_RW(call, rw_transform_points(call->context, from, to, xy, 1));
    point.x_m = xy[0];
    point.y_m = xy[1];
    TRY_RW(call, rw_predict_budgets(made->request.scene, &made->request.options, &point, 1, budgets));
    return 0;
}

static void print_map_budgets(struct report *report, const rw_budgets *budgets)
{
    for (size_t i = 0; report->text && i < rw_budgets_count(budgets); i++) {
        rw_link_budget budget = {.size = sizeof budget};
        if (rw_budgets_get(budgets, i, &budget) == RW_OK)
            print_link_budget(&budget);
    }
}

void report_map_budgets(struct report *report, struct call *call, struct map_call *made, const rw_map *map,
                        const double at[2])
{
    rw_budgets *budgets = NULL;
    char *string = NULL;
    if (!made)
        return;
    if (!*made->message) {
        capture_errors(made->message, sizeof made->message);
        if (find_map_budgets(call, made, map, at, &budgets) == 0)
            *made->message = 0;
        capture_errors(NULL, 0);
    }
    wipe_progress(call);
    if (budgets && rw_budgets_to_json(budgets, &string) == RW_OK) {
        json_value(&report->json, "budgets", string);
        print_map_budgets(report, budgets);
    } else {
        json_string(&report->json, "no_budgets", made->message);
        report_text(report, "  no link budget: %s\n", made->message);
    }
    rw_free(string);
    rw_budgets_destroy(budgets);
}
