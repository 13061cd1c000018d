/* predict --at and --points: every layer at points in place of a map, as a table, JSON, a GeoPackage or a plot along a
 * route. A table of points keeps its columns, and the layers follow them. */
#include "cli/cli.h"
#include "commands/predict/predict.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct point_run {
    rw_point *points;
    size_t count;
    rw_map *map;
    rw_map_info info;
    char *table; /* the file of points, if it is a table whose columns are kept; NULL: none */
};

static int has_table_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), ending_length = strlen(ending);
    return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

static int is_vector_file(const char *path)
{
    return has_table_ending(path, ".gpkg") || has_table_ending(path, ".geojson");
}

/* Files that are of maps. */
static int check_point_options(const struct call *call)
{
    const struct predict_settings *settings = call->settings;
    const struct {
        const char *name;
        int is_given;
    } of_maps[] = {{"tiles", settings->tiles != NULL},
                   {"beam-outlines", settings->beam_outlines != NULL},
                   {"diffraction-sources", settings->diffraction_sources != NULL},
                   {"report", settings->report != NULL},
                   {"zones", settings->zones != NULL},
                   {"weights", settings->weights != NULL},
                   {"storey-table", settings->storey_table != NULL},
                   {"level", settings->levels.count > 0},
                   {"to-crs", settings->to_crs != NULL},
                   {"area", model_argument_value(call, "area") != NULL},
                   {"radius", model_argument_value(call, "radius") != NULL},
                   {"range-level", model_argument_value(call, "range-level") != NULL}};
    for (size_t i = 0; i < sizeof of_maps / sizeof *of_maps; i++)
        if (of_maps[i].is_given)
            return report_error("--%s is of maps: leave it out with --at and --points", of_maps[i].name);
    if (settings->out && !has_table_ending(settings->out, ".csv") && !has_table_ending(settings->out, ".json") &&
        !is_vector_file(settings->out))
        return report_error("--out %s: predictions at points are written as NAME.csv, NAME.json, NAME.gpkg or "
                            "NAME.geojson",
                            settings->out);
    TRY(check_picture_name("plot", settings->plot));
    TRY(check_output_file("plot", settings->plot));
    if (settings->at.count && settings->points_file)
        return report_error("--at and --points cannot both be given");
    return check_output_file("out", settings->out);
}

static int load_points(struct call *call, const rw_scene *scene, struct point_run *run)
{
    const struct predict_settings *settings = call->settings;
    rw_motion *motions = NULL;
    rw_points_options options;
    rw_points_options_init(&options);
    options.crs = call->points_crs;
    options.to_crs = rw_scene_crs(scene);
    TRY_RW(call, rw_points_load(call->context, settings->points_file, &options, &run->points, &motions, &run->count));
    rw_free(motions);
    return 0;
}

static int copy_at_points(struct call *call, const rw_scene *scene, struct point_run *run)
{
    const struct predict_settings *settings = call->settings;
    run->points = malloc(settings->at.count * sizeof *run->points);
    if (!run->points)
        return report_out_of_memory("the points");
    run->count = settings->at.count;
    for (size_t i = 0; i < run->count; i++) {
        double at[2] = {settings->at.items[i].x_m, settings->at.items[i].y_m};
        TRY(transform_points(call, rw_scene_crs(scene), "--at", at, 1));
        run->points[i] = settings->at.items[i];
        run->points[i].x_m = at[0];
        run->points[i].y_m = at[1];
    }
    return 0;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t length = file ? getdelim(&text, &size, 0, file) : -1;
    if (file)
        fclose(file);
    if (length >= 0)
        return text;
    free(text);
    return NULL;
}

/* Lines of a table that are neither empty nor a comment, with the header. */
static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        count += *at != '\n' && *at != '\r' && *at != '#';
    return count;
}

/* The columns of a table are kept if each of its lines is a point. */
static void keep_columns(const struct call *call, struct point_run *run)
{
    const struct predict_settings *settings = call->settings;
    if (!settings->points_file || !has_table_ending(settings->points_file, ".csv"))
        return;
    run->table = read_text(settings->points_file);
    if (run->table && count_lines(run->table) == run->count + 1)
        return;
    free(run->table);
    run->table = NULL;
}

/* "path_loss", or with several bands "path_loss mast 2". */
static void name_column(const struct point_run *run, size_t index, const rw_map_layer *layer, size_t band, char *name,
                        size_t size)
{
    char of_band[128] = "";
    if (layer->bands > 1)
        rw_map_get_band_name(run->map, index, band, of_band, sizeof of_band);
    snprintf(name, size, "%s%s%s", layer->name, *of_band ? " " : "", of_band);
    for (char *at = name; *at; at++)
        *at = (char)(strchr(",;\"", *at) ? '_' : *at);
}

static void write_layer_values(const struct point_run *run, char separator, size_t point, int names, FILE *out)
{
    for (size_t i = 0; i < run->info.layers; i++) {
        rw_map_layer layer = {.size = sizeof layer};
        if (rw_map_get_layer(run->map, i, &layer) != RW_OK)
            continue;
        for (size_t band = 0; band < layer.bands; band++) {
            char name[256];
            double value = names ? 0 : (double)layer.values[band * run->count + point];
            name_column(run, i, &layer, band, name, sizeof name);
            if (names)
                fprintf(out, "%c%s", separator, name);
            else if (isfinite(value))
                fprintf(out, "%c%.7g", separator, value);
            else
                fprintf(out, "%c%s", separator, isnan(value) ? "" : value > 0 ? "inf" : "-inf");
        }
    }
    fputc('\n', out);
}

static double find_height(const struct point_run *run, size_t point)
{
    return isnan(run->points[point].height_m) ? run->info.rx_height_m : run->points[point].height_m;
}

static void write_table(const struct point_run *run, FILE *out)
{
    fputs("id,x,y,height", out);
    write_layer_values(run, ',', 0, 1, out);
    for (size_t i = 0; i < run->count; i++) {
        fprintf(out, "%zu,%.10g,%.10g,%.6g", i + 1, run->points[i].x_m, run->points[i].y_m, find_height(run, i));
        write_layer_values(run, ',', i, 0, out);
    }
}

/* The lines of the caller's table, each with the layers behind its own columns. */
static void write_kept_table(const struct point_run *run, FILE *out)
{
    char separator = ',';
    size_t line = 0;
    for (const char *at = run->table; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        if (*at == '\n' || *at == '\r' || *at == '#')
            continue;
        if (line == 0 && memchr(at, ';', strcspn(at, "\n")))
            separator = ';';
        fprintf(out, "%.*s", (int)strcspn(at, "\r\n"), at);
        write_layer_values(run, separator, line ? line - 1 : 0, line == 0, out);
        line++;
    }
}

static void compose_points_json(const struct point_run *run, struct json *json)
{
    json_string(json, "model", run->info.model);
    json_list(json, "points");
    for (size_t point = 0; point < run->count; point++) {
        json_object(json, NULL);
        json_number(json, "x", run->points[point].x_m);
        json_number(json, "y", run->points[point].y_m);
        json_number(json, "height", find_height(run, point));
        for (size_t i = 0; i < run->info.layers; i++) {
            rw_map_layer layer = {.size = sizeof layer};
            if (rw_map_get_layer(run->map, i, &layer) != RW_OK)
                continue;
            if (layer.bands > 1)
                json_list(json, layer.name);
            for (size_t band = 0; band < layer.bands; band++)
                json_number(json, layer.bands > 1 ? NULL : layer.name, (double)layer.values[band * run->count + point]);
            if (layer.bands > 1)
                json_list_end(json);
        }
        json_object_end(json);
    }
    json_list_end(json);
}

static int write_points_file(struct call *call, const struct point_run *run)
{
    const struct predict_settings *settings = call->settings;
    struct text_file file;
    if (settings->plot)
        TRY_RW(call, rw_map_draw_points(run->map, 0, run->points, settings->plot));
    if (!settings->out)
        return 0;
    if (is_vector_file(settings->out)) {
        TRY_RW(call, rw_map_write_points(run->map, run->points, settings->out));
        return 0;
    }
    FILE *out = begin_text_file(&file);
    if (out && has_table_ending(settings->out, ".json")) {
        struct report report;
        report_begin_json(&report, out);
        compose_points_json(run, &report.json);
        report_end(&report);
    } else if (out && run->table) {
        write_kept_table(run, out);
    } else if (out) {
        write_table(run, out);
    }
    return end_text_file(call, &file, settings->out, 0);
}

static void report_points(const struct call *call, const struct point_run *run)
{
    const struct predict_settings *settings = call->settings;
    struct report report;
    if (!call->json && !settings->out && !call->quiet) {
        if (run->table)
            write_kept_table(run, stdout);
        else
            write_table(run, stdout);
        return;
    }
    report_begin(&report, call);
    compose_points_json(run, &report.json);
    report_file(&report, "file", settings->out);
    report_file(&report, "plot", settings->plot);
    report_warnings(&report, call);
    report_end(&report);
}

static int predict_and_write_points(struct call *call, const struct request *request, struct point_run *run)
{
    const struct predict_settings *settings = call->settings;
    TRY(settings->points_file ? load_points(call, request->scene, run) : copy_at_points(call, request->scene, run));
    if (call->dry_run)
        return dry_run_points(call, request, run->count, 1);
    keep_columns(call, run);
    rw_map *map = NULL;
    rw_status status = rw_predict_points(request->scene, &request->options, run->points, run->count, &map);
    run->map = map;
    wipe_progress(call);
    TRY_RW(call, status);
    run->info.size = sizeof run->info;
    TRY_RW(call, rw_map_get_info(run->map, &run->info));
    TRY(write_points_file(call, run));
    report_points(call, run);
    return 0;
}

int predict_points(struct call *call, struct prediction *prediction)
{
    struct predict_settings *settings = call->settings;
    struct point_run run = {0};
    TRY(check_point_options(call));
    TRY(open_request(call, &settings->inputs, &prediction->request));
    int exit_status = predict_and_write_points(call, &prediction->request, &run);
    if (settings->points_file)
        rw_free(run.points);
    else
        free(run.points);
    free(run.table);
    rw_map_destroy(run.map);
    return exit_status;
}
