/* Tables that requests bring: measurements against the model, and sites. */
#include "commands/evaluate/evaluate.h"
#include "report/json.h"
#include "serve/serving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 20000

static void write_points_json(struct json *json, const rw_evaluation *evaluation, size_t count)
{
    size_t step = 1 + count / POINTS_MAX;
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
        json_string(json, "route", point.route);
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
    write_points_json(&json, evaluation->result, info.points);
    fputs(",\n  \"statistics\": ", stream);
    print_evaluation_json(call, evaluation, stream);
    json_end(&json);
}

static int answer_served_evaluation(struct engine *engine, struct served_call *served, const rw_json *json,
                                    struct evaluation *evaluation, struct serve_answer *answer)
{
    struct evaluate_settings *settings = served->call.settings;
    const char *file = rw_json_string(rw_json_member(json, &json->values[0], "file"), NULL);
    if (!file)
        return report_error("file: measurements are expected, such as uploads/route.csv (POST /v1/files)");
    TRY(check_inside_root(&served->call, "measurements", file));
    TRY(set_served_option(served, "measurements", file));
    TRY(read_arguments_json(&served->call, json));
    TRY(find_warm_scene(engine, served, &evaluation->request.scene));
    evaluation->request.is_warm = 1;
    TRY(find_warm_database(engine, served, evaluation->request.scene, &evaluation->request.database));
    TRY(open_request(&served->call, &settings->inputs, &evaluation->request));
    TRY(load_measurements(&served->call, &settings->measurements, rw_scene_crs(evaluation->request.scene),
                          &evaluation->measurements));
    TRY(compare_evaluation(&served->call, evaluation));
    answer_evaluation(&served->call, evaluation, answer);
    return 0;
}

static int evaluate_request(struct engine *engine, struct serve_task *task, struct served_call *served,
                            struct serve_answer *answer)
{
    TRY(begin_served_call(engine, task, "evaluate", served));
    struct evaluation *evaluation = calloc(1, sizeof *evaluation);
    if (!evaluation)
        return report_out_of_memory("the evaluation");
    int exit_status = answer_served_evaluation(engine, served, serve_task_json(task), evaluation, answer);
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
    answer_by(evaluate_request, user, task, answer);
}

/* As a sites table says it: "dual" is +45 and -45, "vh" 0 and 90. */
static void write_polarisation(struct json *json, const rw_transmitter *site)
{
    char slant[40];
    if (site->dual_polarised) {
        json_string(json, "polarisation", site->slant_deg == 0 ? "vh" : "dual");
        return;
    }
    snprintf(slant, sizeof slant, "%.12g", site->slant_deg);
    if (site->slant_deg != 0)
        json_string(json, "polarisation", slant);
}

/* What few tables have is left out where it is not set. */
static void write_rare_column(struct json *json, const char *name, double value)
{
    if (value != 0)
        json_number(json, name, value);
}

static void write_site_json(struct json *json, const rw_transmitter *site)
{
    json_object(json, NULL);
    json_string(json, "name", site->name ? site->name : "");
    json_number(json, "x", site->x_m);
    json_number(json, "y", site->y_m);
    json_number(json, "height", site->height_m);
    json_number(json, "azimuth", site->azimuth_deg);
    json_number(json, "tilt", site->downtilt_deg);
    json_number(json, "roll", site->roll_deg);
    json_number(json, "power", site->power_dbm);
    json_number(json, "freq", site->freq_hz);
    json_string(json, "antenna", site->antenna ? site->antenna : "isotropic");
    json_string(json, "channel", site->channel ? site->channel : "");
    write_polarisation(json, site);
    if (site->load != 0) /* below 0: none */
        json_number(json, "load", site->load > 0 ? site->load : 0);
    write_rare_column(json, "radius", site->radius_m);
    write_rare_column(json, "bandwidth", site->bandwidth_hz);
    write_rare_column(json, "mimo", site->streams);
    json_object_end(json);
}

/* {"file": ...} below the root, or {"table": "CSV"}. */
static int load_table(struct engine *engine, struct serve_task *task, struct served_call *served,
                      rw_transmitter **sites, size_t *count)
{
    rw_scene *scene = NULL;
    TRY(begin_served_call(engine, task, "predict", served));
    const rw_json *json = serve_task_json(task);
    const char *file = rw_json_string(rw_json_member(json, &json->values[0], "file"), NULL);
    const char *table = rw_json_string(rw_json_member(json, &json->values[0], "table"), NULL);
    if (!file == !table)
        return report_error("a sites table is a \"file\" below the root, or its text as \"table\"");
    TRY(read_arguments_json(&served->call, json));
    if (file)
        TRY(check_inside_root(&served->call, "sites", file));
    if (table) {
        char *joined = malloc(strlen(table) + sizeof "sites\n");
        if (!joined)
            return report_out_of_memory("the sites");
        strcat(strcpy(joined, "sites\n"), table);
        file = store_string(&served->call, joined);
        free(joined);
        if (!file)
            return report_out_of_memory("the sites");
    }
    TRY(find_warm_scene(engine, served, &scene));
    const struct site_options options = {.file = file};
    return load_sites(&served->call, &options, rw_scene_crs(scene), sites, count);
}

static int answer_sites(struct engine *engine, struct serve_task *task, struct served_call *served,
                        struct serve_answer *answer)
{
    struct json json;
    rw_transmitter *sites = NULL;
    size_t count = 0;
    TRY(load_table(engine, task, served, &sites, &count));
    FILE *stream = serve_answer_json(answer);
    if (stream) {
        json_begin(&json, stream);
        json_list(&json, "sites");
        for (size_t i = 0; i < count; i++)
            write_site_json(&json, &sites[i]);
        json_list_end(&json);
        json_end(&json);
    }
    rw_free(sites);
    return 0;
}

void serve_sites(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(answer_sites, user, task, answer);
}

static void write_csv_cell(FILE *stream, const rw_json_value *value)
{
    char number[40];
    const char *string = value ? project_value_string(value, number) : NULL;
    if (!string || !string[strcspn(string, ",;\"\n\r\t")]) {
        fputs(string ? string : "", stream);
        return;
    }
    fputc('"', stream);
    for (; *string; string++)
        fputs(*string == '"' ? "\"\"" : *string == '\n' || *string == '\r' ? " " : (const char[]){*string, 0}, stream);
    fputc('"', stream);
}

/* Columns of a table that serve_sites_export writes: those of write_site_json. */
static const char *const exported_columns[] = {"name", "x",      "y",         "height",  "azimuth", "tilt",
                                               "roll", "power",  "freq",      "antenna", "channel", "polarisation",
                                               "load", "radius", "bandwidth", "mimo"};
#define EXPORTED_COLUMN_COUNT (sizeof exported_columns / sizeof *exported_columns)

/* The key of the sites that no table has; NULL: none. */
static const char *find_unknown_column(const rw_json *json, const rw_json_value *site)
{
    for (const rw_json_value *value = rw_json_first(json, site); value; value = rw_json_next(json, value)) {
        size_t i = 0;
        while (i < EXPORTED_COLUMN_COUNT && strcmp(value->key, exported_columns[i]) != 0)
            i++;
        if (i == EXPORTED_COLUMN_COUNT)
            return value->key;
    }
    return NULL;
}

static int check_exported_sites(const rw_json *json, const rw_json_value *sites, struct serve_answer *answer)
{
    for (const rw_json_value *site = rw_json_first(json, sites); site; site = rw_json_next(json, site)) {
        const char *unknown = site->kind == RW_JSON_OBJECT ? find_unknown_column(json, site) : NULL;
        if (site->kind != RW_JSON_OBJECT || unknown) {
            serve_answer_error(answer, 400, NULL,
                               unknown ? "sites: %.60s is not a column of a sites table"
                                       : "sites: a list of objects is expected%s",
                               unknown ? unknown : "");
            return 0;
        }
    }
    return 1;
}

/* {"sites": [{"name": ..., "x": ...}]} to a table that every command takes. */
void serve_sites_export(void *user, struct serve_task *task, struct serve_answer *answer)
{
    const rw_json *json = serve_task_json(task);
    const rw_json_value *sites = rw_json_member(json, &json->values[0], "sites");
    (void)user;
    if (!check_exported_sites(json, sites, answer))
        return;
    FILE *stream = serve_answer_json(answer);
    if (!stream)
        return;
    answer->type = "text/csv; charset=utf-8";
    for (size_t i = 0; i < EXPORTED_COLUMN_COUNT; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : ",", exported_columns[i]);
    fputc('\n', stream);
    for (const rw_json_value *site = rw_json_first(json, sites); site; site = rw_json_next(json, site)) {
        for (size_t i = 0; i < EXPORTED_COLUMN_COUNT; i++) {
            fputs(i == 0 ? "" : ",", stream);
            write_csv_cell(stream, rw_json_member(json, site, exported_columns[i]));
        }
        fputc('\n', stream);
    }
}
