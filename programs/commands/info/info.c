/* info: what is in a scene or a map; the values or the delays at a point. */
#include "commands/info/info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A line "key: value" of a provenance, and the one after it. */
struct provenance_line {
    char key[32], value[8192];
};

static const char *read_key_line(const char *line, struct provenance_line *read)
{
    size_t length = strcspn(line, "\n"), colon = strcspn(line, ":");
    int has_key = colon < length;
    snprintf(read->key, sizeof read->key, "%.*s", (int)(!has_key ? 0 : colon < 30 ? colon : 30), line);
    snprintf(read->value, sizeof read->value, "%.*s", (int)(has_key && length > colon + 2 ? length - colon - 2 : 0),
             line + (has_key ? colon + 2 : 0));
    return line + length + (line[length] == '\n');
}

static size_t count_key_lines(const char *text, const char *end, const char *key)
{
    struct provenance_line read;
    size_t count = 0;
    while (*text && (!end || text < end)) {
        text = read_key_line(text, &read);
        count += strcmp(read.key, key) == 0;
    }
    return count;
}

/* A key with several lines, such as the inputs, is a list. */
static void write_provenance(struct json *json, const char *text)
{
    struct provenance_line read, other;
    json_object(json, "provenance");
    for (const char *line = text, *next; *line; line = next) {
        next = read_key_line(line, &read);
        if (!read.key[0] || count_key_lines(text, line, read.key))
            continue;
        int is_list = count_key_lines(next, NULL, read.key) > 0;
        if (is_list)
            json_list(json, read.key);
        json_string(json, is_list ? NULL : read.key, read.value);
        for (const char *at = next; is_list && *at;) {
            at = read_key_line(at, &other);
            if (strcmp(other.key, read.key) == 0)
                json_string(json, NULL, other.value);
        }
        if (is_list)
            json_list_end(json);
    }
    json_object_end(json);
}

static void report_provenance(struct report *report, const char *text)
{
    write_provenance(&report->json, text);
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), key = strcspn(line, ":");
        if (key < length)
            report_text(report, "%-10.*s %.*s\n", (int)key, line, (int)(length - key > 2 ? length - key - 2 : 0),
                        line + key + 2);
        line += length + (line[length] == '\n');
    }
}

static void report_extent(struct report *report, const rw_scene *scene, const rw_scene_info *info)
{
    const double extent[] = {info->x_min_m, info->y_min_m, info->x_max_m, info->y_max_m};
    const char *crs = rw_scene_crs(scene);
    json_list(&report->json, "extent_m");
    for (int i = 0; i < 4; i++)
        json_number(&report->json, NULL, extent[i]);
    json_list_end(&report->json);
    json_string(&report->json, "crs", crs);
    report_text(report, "extent     %.10g, %.10g to %.10g, %.10g m\n", extent[0], extent[1], extent[2], extent[3]);
    report_text(report, "crs        %.80s\n", *crs ? crs : "not known");
}

static void report_heights(struct report *report, const rw_scene_info *info)
{
    json_number(&report->json, "roof_min_m", info->roof_min_m);
    json_number(&report->json, "roof_max_m", info->roof_max_m);
    json_number(&report->json, "roof_mean_m", info->roof_mean_m);
    json_number(&report->json, "built_share", info->built_fraction);
    json_flag(&report->json, "has_terrain", info->has_terrain);
    if (info->parts)
        report_text(report, "roofs      %.4g to %.4g m, mean %.4g m; %.3g %% built over\n", info->roof_min_m,
                    info->roof_max_m, info->roof_mean_m, 100 * info->built_fraction);
    if (!info->has_terrain)
        return;
    json_object(&report->json, "terrain");
    json_count(&report->json, "columns", info->terrain_columns);
    json_count(&report->json, "rows", info->terrain_rows);
    json_number(&report->json, "min_m", info->terrain_min_m);
    json_number(&report->json, "max_m", info->terrain_max_m);
    json_object_end(&report->json);
    report_text(report, "terrain    %zu x %zu posts, %.5g to %.5g m\n", info->terrain_columns, info->terrain_rows,
                info->terrain_min_m, info->terrain_max_m);
}

static void report_scene_notes(struct report *report, const rw_scene *scene, const rw_scene_info *info)
{
    json_list(&report->json, "notes");
    for (size_t i = 0; i < info->notes; i++) {
        rw_note note = {.size = sizeof note};
        if (rw_scene_get_note(scene, i, &note) != RW_OK)
            continue;
        json_object(&report->json, NULL);
        json_string(&report->json, "what", note.what);
        json_string(&report->json, "example", note.example);
        json_count(&report->json, "count", note.count);
        json_object_end(&report->json);
        report_text(report, "note       %s: %zu, such as %s\n", note.what, note.count, note.example);
    }
    json_list_end(&report->json);
}

static void report_scene(const struct call *call, const rw_scene *scene, const rw_scene_info *info,
                         const char *provenance)
{
    struct report report;
    struct json *json = &report.json;
    report_begin(&report, call);
    json_string(json, "kind", "scene");
    json_count(json, "buildings", info->buildings);
    json_count(json, "parts", info->parts);
    json_count(json, "walls", info->walls);
    json_count(json, "panels", info->panels);
    json_count(json, "meshes", info->meshes);
    json_count(json, "triangles", info->triangles);
    report_text(&report, "buildings  %zu in %zu parts, %zu walls; %zu panels; %zu meshes with %zu triangles\n",
                info->buildings, info->parts, info->walls, info->panels, info->meshes, info->triangles);
    report_extent(&report, scene, info);
    report_heights(&report, info);
    json_list(json, "materials");
    report_text(&report, "materials ");
    for (size_t i = 0; i < info->surfaces; i++) {
        json_string(json, NULL, rw_scene_surface_name(scene, i));
        report_text(&report, " %s", rw_scene_surface_name(scene, i));
    }
    json_list_end(json);
    report_text(&report, "%s\n", info->surfaces ? "" : " none");
    report_scene_notes(&report, scene, info);
    if (*provenance)
        report_provenance(&report, provenance);
    report_end(&report);
}

#define BAND_NAME_MAX 160

/* Names of the bands; in the text the first and the last of many. */
static void report_band_names(struct report *report, const rw_map *map, size_t layer, size_t bands)
{
    char name[BAND_NAME_MAX];
    json_list(&report->json, "band_names");
    for (size_t band = 0; band < bands; band++) {
        if (rw_map_get_band_name(map, layer, band, name, sizeof name) != RW_OK)
            continue;
        json_string(&report->json, NULL, name);
        if (bands > 8 && band == 4)
            report_text(report, "           ...\n");
        if (bands > 1 && *name && (bands <= 8 || band < 4 || band >= bands - 2))
            report_text(report, "           band %zu: %s\n", band + 1, name);
    }
    json_list_end(&report->json);
}

static void report_map_layer(struct report *report, const rw_map *map, size_t index)
{
    struct json *json = &report->json;
    rw_map_layer layer = {.size = sizeof layer};
    if (rw_map_get_layer(map, index, &layer) != RW_OK)
        return;
    json_object(json, NULL);
    json_string(json, "name", layer.name);
    json_string(json, "unit", layer.unit);
    json_count(json, "bands", layer.bands);
    json_number(json, "min", layer.min);
    json_number(json, "max", layer.max);
    json_count(json, "count", layer.count);
    report_text(report, "layer      %s: ", layer.name);
    if (isnan(layer.min))
        report_text(report, "no value, ");
    else
        report_text(report, "%g to %g %s in %zu cells, ", layer.min, layer.max, layer.unit, layer.count);
    report_text(report, "%zu band%s\n", layer.bands, layer.bands == 1 ? "" : "s");
    report_band_names(report, map, index, layer.bands);
    json_object_end(json);
}

static void report_map(const struct call *call, const rw_map *map, const char *provenance)
{
    struct report report;
    struct json *json = &report.json;
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    const double *p = info.plane_m;
    report_begin(&report, call);
    json_string(json, "kind", "map");
    json_count(json, "columns", info.columns);
    json_count(json, "rows", info.rows);
    json_number(json, "x0_m", info.x0_m);
    json_number(json, "y0_m", info.y0_m);
    json_number(json, "res_m", info.res_m);
    if (info.in_degrees)
        json_string(json, "unit", "degrees");
    report_text(&report, "map        %zu x %zu cells of %.6g %s from %.10g, %.10g%s\n", info.columns, info.rows,
                info.in_degrees ? 3600 * info.res_m : info.res_m, info.in_degrees ? "arc seconds" : "m", info.x0_m,
                info.y0_m, info.in_degrees ? " degrees" : "");
    if (info.has_plane) {
        json_list(json, "plane_m");
        for (int i = 0; i < 9; i++)
            json_number(json, NULL, p[i]);
        json_list_end(json);
        report_text(&report, "plane      %.10g,%.10g,%g:%g,%g,%g:%g,%g,%g\n", p[0], p[1], p[2], p[3], p[4], p[5], p[6],
                    p[7], p[8]);
    }
    json_list(json, "layers");
    for (size_t i = 0; i < info.layers; i++)
        report_map_layer(&report, map, i);
    json_list_end(json);
    report_provenance(&report, provenance);
    report_end(&report);
}

/* A file of which only its provenance is printed. */
static void report_result(const struct call *call, const char *path, const char *kind, const char *provenance)
{
    struct report report;
    report_begin(&report, call);
    json_string(&report.json, "kind", kind);
    json_string(&report.json, "file", path);
    report_text(&report, "%-10s %s\n", kind, path);
    report_provenance(&report, provenance);
    report_end(&report);
}

static int describe_open_scene(struct call *call, const rw_scene *scene, const char *provenance)
{
    rw_scene_info info = {.size = sizeof info};
    TRY_RW(call, rw_scene_get_info(scene, &info));
    report_scene(call, scene, &info, provenance);
    return 0;
}

static int describe_scene_file(struct call *call, const char *source, const char *provenance)
{
    const struct info_settings *settings = call->settings;
    rw_scene *scene = NULL;
    TRY(open_scene(call, &settings->scene, source, &scene));
    int exit_status = describe_open_scene(call, scene, provenance);
    rw_scene_destroy(scene);
    return exit_status;
}

static void report_layer_value(struct report *report, const rw_map *map, size_t layer_number, size_t band, float value)
{
    rw_map_layer layer = {.size = sizeof layer};
    struct json *json = &report->json;
    char name[256] = "";
    if (rw_map_get_layer(map, layer_number, &layer) != RW_OK)
        return;
    if (layer.bands > 1)
        (void)rw_map_get_band_name(map, layer_number, band, name, sizeof name);
    json_object(json, NULL);
    json_string(json, "layer", layer.name);
    json_count(json, "band", band + 1);
    json_string(json, "unit", layer.unit);
    json_number(json, "value", (double)value);
    json_object_end(json);
    if (isfinite(value))
        report_text(report, "  %s%s%s: %g %s\n", layer.name, *name ? " of " : "", name, (double)value, layer.unit);
    else
        report_text(report, "  %s%s%s: no value\n", layer.name, *name ? " of " : "", name);
}

static void report_cell(struct report *report, const rw_map *map, const rw_map_info *info, size_t cell)
{
    for (size_t k = 0; k < info->layers; k++) {
        rw_map_layer layer = {.size = sizeof layer};
        for (size_t band = 0; rw_map_get_layer(map, k, &layer) == RW_OK && band < layer.bands; band++)
            report_layer_value(report, map, k, band, layer.values[band * info->columns * info->rows + cell]);
    }
}

static int report_map_point(struct report *report, struct call *call, struct map_call *made, const rw_map *map,
                            const rw_point *point)
{
    struct json *json = &report->json;
    double at[2] = {point->x_m, point->y_m};
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    TRY(transform_points(call, rw_map_crs(map), "--at", at, 1));
    double column = floor((at[0] - info.x0_m) / info.res_m), row = floor((at[1] - info.y0_m) / info.res_m);
    if (!(column >= 0 && row >= 0 && column < (double)info.columns && row < (double)info.rows))
        return report_error("--at %.10g,%.10g is off the map, which is x %.10g to %.10g, y %.10g to %.10g", at[0],
                            at[1], info.x0_m, info.x0_m + info.res_m * (double)info.columns, info.y0_m,
                            info.y0_m + info.res_m * (double)info.rows);
    json_object(json, NULL);
    json_number(json, "x", at[0]);
    json_number(json, "y", at[1]);
    report_text(report, "at %.10g, %.10g\n", at[0], at[1]);
    json_list(json, "values");
    report_cell(report, map, &info, (size_t)row * info.columns + (size_t)column);
    json_list_end(json);
    const double centre[2] = {info.x0_m + (column + 0.5) * info.res_m, info.y0_m + (row + 0.5) * info.res_m};
    report_map_budgets(report, call, made, map, centre);
    json_object_end(json);
    return 0;
}

/* The values of the cell that each --at is in, and how they are composed. */
static int describe_map_points(struct call *call, const char *path, const rw_map *map)
{
    const struct info_settings *settings = call->settings;
    struct report report;
    report_begin(&report, call);
    if (!call->json) /* --quiet leaves what was asked for */
        report.text = stdout;
    struct map_call *made = call->quiet ? NULL : open_map_call(call, path);
    int exit_status = 0;
    json_list(&report.json, "points");
    for (size_t i = 0; i < settings->points.count && !exit_status; i++)
        exit_status = report_map_point(&report, call, made, map, &settings->points.items[i]);
    close_map_call(made);
    if (exit_status)
        return exit_status;
    json_list_end(&report.json);
    report_end(&report);
    return 0;
}

static int has_ending(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcmp(path + length - end_length, end) == 0;
}

/* Points, lines or polygons that are no scene. */
static int is_vector_result(const char *path, const char *provenance)
{
    int scene = strstr(provenance, "command: import") || strstr(provenance, "command: generate");
    int result = strstr(provenance, "command: polygons") || strstr(provenance, "command: statistics") ||
                 strstr(provenance, "command: paths") || strstr(provenance, "command: predict");
    return (has_ending(path, ".gpkg") && result) ||
           (!scene && (has_ending(path, ".geojson") || has_ending(path, ".kml") || has_ending(path, ".kmz") ||
                       has_ending(path, ".shp")));
}

static int describe_map_file(struct call *call, const char *source)
{
    rw_map *map = NULL;
    TRY_RW(call, rw_map_read(call->context, source, &map));
    int exit_status = describe_map_points(call, source, map);
    rw_map_destroy(map);
    return exit_status;
}

/* A map or another result is read as it is. */
static int reject_scene_options(const struct call *call, const char *source)
{
    for (const struct option *option = option_table; option->name; option++)
        if (option->roles & OF_SCENE && is_option_given(call, option->name))
            return report_error("--%s is of scenes, and %s is a result", option->name, source);
    return 0;
}

static int describe_file(struct call *call, const char *source, const char *provenance)
{
    rw_map *map = NULL;
    if (call->input && rw_map_read(call->context, source, &map) == RW_OK) {
        int exit_status = reject_scene_options(call, source);
        if (!exit_status)
            report_map(call, map, provenance);
        rw_map_destroy(map);
        return exit_status;
    }
    if (!*provenance)
        return describe_scene_file(call, source, provenance);
    if (has_ending(source, ".png"))
        report_result(call, source, "picture", provenance);
    else if (has_ending(source, ".h5"))
        report_result(call, source, "hdf5", provenance);
    else if (is_vector_result(source, provenance))
        report_result(call, source, "shapes", provenance);
    else
        return describe_scene_file(call, source, provenance);
    return reject_scene_options(call, source);
}

static int run_info(struct call *call)
{
    const struct info_settings *settings = call->settings;
    const char *source = call->input ? call->input : settings->scene.file;
    if (!source)
        return report_error("info needs a scene, a map, a database or kept paths: rasterwave info FILE");
    if (call->input && settings->points.count)
        return has_ending(source, ".h5") ? describe_delays(call) : describe_map_file(call, source);
    if (!is_generator(source) && rw_stored_file_recognise(call->context, source))
        return describe_stored_file(call, source); /* with a scene: its matrix */
    if (call->input && settings->scene.file && strcmp(call->input, settings->scene.file) != 0)
        return report_error("%s and --scene %s: info describes one file", call->input, settings->scene.file);
    if (is_generator(source))
        return describe_scene_file(call, source, "");
    char *provenance = NULL;
    if (rw_file_provenance(call->context, source, &provenance) != RW_OK)
        return describe_scene_file(call, source, ""); /* which says why */
    int exit_status = describe_file(call, source, provenance);
    rw_free(provenance);
    return exit_status;
}

#define AT(member) offsetof(struct info_settings, member)
static const struct command_option info_options[] = {{"scene", AT(scene.file)},
                                                     {"csr", AT(csr)},
                                                     {"at", AT(points)},
                                                     {"transmitter", AT(transmitter)},
                                                     {"format", AT(scene.format)},
                                                     {"terrain", AT(scene.terrain)},
                                                     {"crs", AT(scene.crs)},
                                                     {"height-field", AT(scene.height_field)},
                                                     {"storeys-field", AT(scene.storeys_field)},
                                                     {"height-unit", AT(scene.height_unit)},
                                                     {"default-height", AT(scene.default_height_m)},
                                                     {"json", OF_CALL},
                                                     {"quiet", OF_CALL},
                                                     {"allow-outside", OF_CALL},
                                                     {"points-crs", OF_CALL},
                                                     {NULL, 0}};
#undef AT

static const struct info_settings info_defaults = {.transmitter = -1};

const struct command info_command = {
    .name = "info",
    .summary = "what is in a scene, map, database; values --at X,Y",
    .input = "FILE",
    .is_served = 1,
    .options = info_options,
    .settings_size = sizeof(struct info_settings),
    .defaults = &info_defaults,
    .examples = {"rasterwave info --scene city:european:seed=1", "rasterwave info office:storeys=2 --json"},
    .run = run_info};
