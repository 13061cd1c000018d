/* Tables that requests bring: measurements against the model, and sites. */
#include "commands/evaluate/evaluate.h"
#include "report/json.h"
#include "serve/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MOST 20000

static void put_points(struct json *json, const rw_evaluation *evaluation, size_t count)
{
    size_t step = 1 + count / POINTS_MOST;
    json_list(json, "points");
    for (size_t i = 0; i < count; i += step) {
        rw_evaluation_point point = {.size = sizeof point};
        if (rw_evaluation_get_point(evaluation, i, &point) != RW_OK)
            continue;
        json_object(json, NULL);
        json_number(json, "x", point.x_m);
        json_number(json, "y", point.y_m);
        json_number(json, "height", point.height_m);
        json_number(json, "measured", point.measured_db);
        json_number(json, "predicted", point.predicted_db);
        json_number(json, "along", point.along_m);
        json_text(json, "route", point.route);
        json_object_end(json);
    }
    json_list_end(json);
}

static void answer_evaluation(const struct call *call, const struct evaluation *evaluation, struct serve_answer *answer)
{
    struct json json;
    rw_evaluation_info info = {.size = sizeof info};
    rw_evaluation_get_info(evaluation->result, &info);
    FILE *stream = serve_answer_json(answer);
    if (!stream)
        return;
    json_begin(&json, stream);
    put_points(&json, evaluation->result, info.points);
    fputs(",\n  \"statistics\": ", stream);
    put_evaluation_json(call, evaluation, stream);
    json_end(&json);
}

static int evaluate(struct engine *engine, struct serve_task *task, struct asked_call *asked,
                    struct serve_answer *answer)
{
    int exit_status = begin_asked(engine, task, "evaluate", asked);
    if (exit_status)
        return exit_status;
    struct evaluation *evaluation = calloc(1, sizeof *evaluation);
    if (!evaluation)
        return complain_memory("the evaluation");
    const rw_json *json = serve_task_json(task);
    const char *file = rw_json_text(rw_json_member(json, &json->values[0], "file"), NULL);
    if (!file)
        exit_status = complain("file: measurements are expected, such as uploads/route.csv (POST /v1/files)");
    if (!exit_status)
        exit_status = check_inside_root(&asked->call, "measurements", file);
    if (!exit_status)
        exit_status = give_asked(asked, "measurements", file);
    if (!exit_status)
        exit_status = read_arguments_json(&asked->call, json);
    if (!exit_status)
        exit_status = find_warm_scene(engine, asked, &evaluation->request.scene);
    if (!exit_status) {
        evaluation->request.is_warm = 1;
        exit_status = find_warm_database(engine, asked, evaluation->request.scene, &evaluation->request.database);
    }
    if (!exit_status)
        exit_status = open_request(&asked->call, &evaluation->request);
    if (!exit_status)
        exit_status =
            load_measurements(&asked->call, rw_scene_crs(evaluation->request.scene), &evaluation->measurements);
    if (!exit_status)
        exit_status = compare_evaluation(&asked->call, evaluation);
    if (!exit_status)
        answer_evaluation(&asked->call, evaluation, answer);
    rw_evaluation_destroy(evaluation->result);
    rw_measurements_destroy(evaluation->measurements);
    evaluation->request.scene = NULL; /* both stay warm */
    evaluation->request.database = NULL;
    close_request(&evaluation->request);
    free(evaluation);
    return exit_status;
}

void serve_evaluate(void *user, struct serve_task *task, struct serve_answer *answer)
{
    struct engine *engine = user;
    struct asked_call asked;
    int exit_status = evaluate(engine, task, &asked, answer);
    if (exit_status)
        answer_failure(&asked, exit_status, answer);
    end_asked(engine, &asked);
}

static void put_site(struct json *json, const rw_transmitter *site)
{
    json_object(json, NULL);
    json_text(json, "name", site->name ? site->name : "");
    json_number(json, "x", site->x_m);
    json_number(json, "y", site->y_m);
    json_number(json, "height", site->height_m);
    json_number(json, "azimuth", site->azimuth_deg);
    json_number(json, "tilt", site->downtilt_deg);
    json_number(json, "roll", site->roll_deg);
    json_number(json, "power", site->power_dbm);
    json_number(json, "freq", site->freq_hz);
    json_text(json, "antenna", site->antenna ? site->antenna : "isotropic");
    json_text(json, "channel", site->channel ? site->channel : "");
    json_object_end(json);
}

/* {"file": ...} below the root, or {"table": "CSV"}. */
static int load_table(struct engine *engine, struct serve_task *task, struct asked_call *asked, rw_transmitter **sites,
                      size_t *count)
{
    rw_scene *scene = NULL;
    int exit_status = begin_asked(engine, task, "predict", asked);
    const rw_json *json = serve_task_json(task);
    const char *file = rw_json_text(rw_json_member(json, &json->values[0], "file"), NULL);
    const char *table = rw_json_text(rw_json_member(json, &json->values[0], "table"), NULL);
    if (exit_status)
        return exit_status;
    if (!file == !table)
        return complain("a sites table is a \"file\" below the root, or its text as \"table\"");
    exit_status = read_arguments_json(&asked->call, json);
    if (!exit_status && file)
        exit_status = check_inside_root(&asked->call, "sites", file);
    if (!exit_status && table) {
        char *joined = malloc(strlen(table) + sizeof "sites\n");
        if (!joined)
            return complain_memory("the sites");
        strcat(strcpy(joined, "sites\n"), table);
        file = keep_text(&asked->call, joined);
        free(joined);
        exit_status = file ? 0 : complain_memory("the sites");
    }
    if (!exit_status)
        exit_status = find_warm_scene(engine, asked, &scene);
    if (exit_status)
        return exit_status;
    asked->call.settings.sites = file;
    return load_sites(&asked->call, rw_scene_crs(scene), sites, count);
}

void serve_sites(void *user, struct serve_task *task, struct serve_answer *answer)
{
    struct engine *engine = user;
    struct asked_call asked;
    struct json json;
    rw_transmitter *sites = NULL;
    size_t count = 0;
    int exit_status = load_table(engine, task, &asked, &sites, &count);
    FILE *stream = exit_status ? NULL : serve_answer_json(answer);
    if (exit_status)
        answer_failure(&asked, exit_status, answer);
    if (stream) {
        json_begin(&json, stream);
        json_list(&json, "sites");
        for (size_t i = 0; i < count; i++)
            put_site(&json, &sites[i]);
        json_list_end(&json);
        json_end(&json);
    }
    rw_free(sites);
    end_asked(engine, &asked);
}

static void put_cell(FILE *stream, const rw_json_value *value)
{
    char number[40];
    const char *text = value ? project_value_text(value, number) : NULL;
    if (!text || !text[strcspn(text, ",;\"\n\r\t")]) {
        fputs(text ? text : "", stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : *text == '\n' || *text == '\r' ? " " : (const char[]){*text, 0}, stream);
    fputc('"', stream);
}

/* {"sites": [{"name": ..., "x": ...}]} to a table that every command takes. */
void serve_sites_export(void *user, struct serve_task *task, struct serve_answer *answer)
{
    static const char *const columns[] = {"name", "x",     "y",    "height",  "azimuth", "tilt",
                                          "roll", "power", "freq", "antenna", "channel", NULL};
    const rw_json *json = serve_task_json(task);
    const rw_json_value *sites = rw_json_member(json, &json->values[0], "sites");
    (void)user;
    if (!sites || sites->kind != RW_JSON_ARRAY) {
        serve_answer_error(answer, 400, NULL, "sites: a list of sites is expected");
        return;
    }
    FILE *stream = serve_answer_json(answer);
    if (!stream)
        return;
    answer->type = "text/csv; charset=utf-8";
    for (const char *const *column = columns; *column; column++)
        fprintf(stream, "%s%s", column == columns ? "" : ",", *column);
    fputc('\n', stream);
    for (const rw_json_value *site = rw_json_first(json, sites); site; site = rw_json_next(json, site)) {
        for (const char *const *column = columns; *column; column++) {
            fputs(column == columns ? "" : ",", stream);
            put_cell(stream, rw_json_member(json, site, *column));
        }
        fputc('\n', stream);
    }
}
