/* statistics: levels and coverage of a map by zones, and of the people in a raster of population. */
#include "command.h"
#include "report/json.h"

#include <math.h>
#include <stdio.h>

static void print_zones_json(const struct call *call, const rw_zone_table *table)
{
    struct json json;
    int has_level = !isnan(call->settings.level_dbm), has_weights = call->settings.weights != NULL;
    json_begin(&json, stdout);
    json_list(&json, "zones");
    for (size_t i = 0; i < rw_zone_table_count(table); i++) {
        rw_zone_row row = {.size = sizeof row};
        if (rw_zone_table_get(table, i, &row) != RW_OK)
            continue;
        json_object(&json, NULL);
        json_string(&json, "name", row.name);
        json_count(&json, "cells", row.cells);
        json_number(&json, "area_m2", row.area_m2);
        json_count(&json, "receivers", row.receivers);
        json_count(&json, "no_path", row.without_path);
        json_number(&json, "min", row.min);
        json_number(&json, "mean", row.mean);
        json_number(&json, "median", row.median);
        json_number(&json, "max", row.max);
        if (has_level) {
            json_count(&json, "covered_cells", row.covered_cells);
            json_number(&json, "covered_percent", 100 * row.covered_fraction);
        }
        if (has_weights)
            json_number(&json, "weight", row.weight);
        if (has_weights && has_level) {
            json_number(&json, "covered_weight", row.covered_weight);
            json_number(&json, "covered_weight_percent", 100 * row.covered_weight_fraction);
        }
        json_object_end(&json);
    }
    json_list_end(&json);
    if (call->settings.out)
        json_string(&json, "file", call->settings.out);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

static void print_zones(const struct call *call, const rw_zone_table *table)
{
    int has_level = !isnan(call->settings.level_dbm), has_weights = call->settings.weights != NULL;
    printf("%-24s %9s %9s %9s %9s %9s", "zone", "cells", "receivers", "no path", "mean", "median");
    printf("%s%s%s\n", has_level ? " covered %" : "", has_weights ? "       weight" : "",
           has_level && has_weights ? " covered %" : "");
    for (size_t i = 0; i < rw_zone_table_count(table); i++) {
        rw_zone_row row = {.size = sizeof row};
        if (rw_zone_table_get(table, i, &row) != RW_OK)
            continue;
        printf("%-24.24s %9zu %9zu %9zu %9.2f %9.2f", row.name, row.cells, row.receivers, row.without_path, row.mean,
               row.median);
        if (has_level)
            printf(" %9.2f", 100 * row.covered_fraction);
        if (has_weights)
            printf(" %12.1f", row.weight);
        if (has_level && has_weights)
            printf(" %9.2f", 100 * row.covered_weight_fraction);
        puts("");
    }
    if (call->settings.out)
        puts(call->settings.out);
}

static int count_map(struct call *call, const rw_map *map)
{
    const struct settings *settings = &call->settings;
    rw_zone_table *table = NULL;
    rw_scene *plan = NULL;
    rw_zone_options options;
    int exit_status = settings->rooms ? open_scene(call, settings->rooms, &plan) : 0;
    if (exit_status)
        return exit_status;
    rw_zone_options_init(&options);
    options.rooms = plan;
    options.zones = settings->zones;
    options.name_field = settings->name_field;
    options.weights = settings->weights;
    options.level = settings->level_dbm;
    options.band = settings->transmitter ? (size_t)settings->transmitter - 1 : RW_ALL_BANDS;
    rw_status status = rw_map_zone_statistics(map, &options, &table);
    if (status == RW_OK && settings->out)
        status = rw_zone_table_write(table, settings->out);
    if (status == RW_OK && settings->json)
        print_zones_json(call, table);
    else if (status == RW_OK && !settings->quiet)
        print_zones(call, table);
    rw_zone_table_destroy(table);
    rw_scene_destroy(plan);
    return status == RW_OK ? 0 : report_status(call, status);
}

int command_statistics(struct call *call)
{
    const struct settings *settings = &call->settings;
    rw_map *map = NULL;
    char path[MAP_PATH_SIZE];
    if (!settings->input)
        return report_error("statistics needs a map: rasterwave statistics MAP --zones FILE.gpkg");
    int exit_status = check_output_file("out", settings->out);
    if (!exit_status)
        exit_status = find_map_file(settings->input, settings->layer, path);
    if (exit_status)
        return exit_status;
    rw_status status = rw_map_read(call->context, path, &map);
    exit_status = status == RW_OK ? count_map(call, map) : report_status(call, status);
    rw_map_destroy(map);
    return exit_status;
}
