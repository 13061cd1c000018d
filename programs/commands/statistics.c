/* statistics: levels and coverage of a map by zones, and of the people in a raster of population. */
#include "command.h"

#include <math.h>
#include <stdio.h>

/* Options of statistics. */
struct statistics_settings {
    const char *zones, *name_field, *rooms, *weights, *layer, *out;
    double level_dbm;
    int transmitter;
};

static void report_zone(struct report *report, const struct statistics_settings *settings, const rw_zone_row *row)
{
    int has_level = !isnan(settings->level_dbm), has_weights = settings->weights != NULL;
    struct json *json = &report->json;
    json_object(json, NULL);
    json_string(json, "name", row->name);
    json_count(json, "cells", row->cells);
    json_number(json, "area_m2", row->area_m2);
    json_count(json, "receivers", row->receivers);
    json_count(json, "no_path", row->without_path);
    json_number(json, "min", row->min);
    json_number(json, "mean", row->mean);
    json_number(json, "median", row->median);
    json_number(json, "max", row->max);
    report_text(report, "%-24.24s %9zu %9zu %9zu %9.2f %9.2f", row->name, row->cells, row->receivers, row->without_path,
                row->mean, row->median);
    if (has_level) {
        json_count(json, "covered_cells", row->covered_cells);
        json_number(json, "covered_percent", 100 * row->covered_fraction);
        report_text(report, " %9.2f", 100 * row->covered_fraction);
    }
    if (has_weights) {
        json_number(json, "weight", row->weight);
        report_text(report, " %12.1f", row->weight);
    }
    if (has_weights && has_level) {
        json_number(json, "covered_weight", row->covered_weight);
        json_number(json, "covered_weight_percent", 100 * row->covered_weight_fraction);
        report_text(report, " %9.2f", 100 * row->covered_weight_fraction);
    }
    report_text(report, "\n");
    json_object_end(json);
}

static void report_zones(const struct call *call, const rw_zone_table *table)
{
    const struct statistics_settings *settings = call->settings;
    int has_level = !isnan(settings->level_dbm), has_weights = settings->weights != NULL;
    struct report report;
    report_begin(&report, call);
    json_list(&report.json, "zones");
    report_text(&report, "%-24s %9s %9s %9s %9s %9s", "zone", "cells", "receivers", "no path", "mean", "median");
    report_text(&report, "%s%s%s\n", has_level ? " covered %" : "", has_weights ? "       weight" : "",
                has_level && has_weights ? " covered %" : "");
    for (size_t i = 0; i < rw_zone_table_count(table); i++) {
        rw_zone_row row = {.size = sizeof row};
        if (rw_zone_table_get(table, i, &row) == RW_OK)
            report_zone(&report, settings, &row);
    }
    json_list_end(&report.json);
    report_file(&report, "file", settings->out);
    report_version(&report);
    report_end(&report);
}

/* What the command opens. */
struct counting {
    rw_map *map;
    rw_scene *plan;
    rw_zone_table *table;
};

static int count_zones(struct call *call, struct counting *counting)
{
    const struct statistics_settings *settings = call->settings;
    const struct scene_options no_options = {0};
    rw_zone_options options;
    char path[MAP_PATH_SIZE];
    if (!call->input)
        return report_error("statistics needs a map: rasterwave statistics MAP --zones FILE.gpkg");
    TRY(check_output_file("out", settings->out));
    TRY(find_map_file(call->input, settings->layer, path));
    TRY_RW(call, rw_map_read(call->context, path, &counting->map));
    if (settings->rooms)
        TRY(open_scene(call, &no_options, settings->rooms, &counting->plan));
    rw_zone_options_init(&options);
    options.rooms = counting->plan;
    options.zones = settings->zones;
    options.name_field = settings->name_field;
    options.weights = settings->weights;
    options.level = settings->level_dbm;
    options.band = settings->transmitter ? (size_t)settings->transmitter - 1 : RW_ALL_BANDS;
    TRY_RW(call, rw_map_zone_statistics(counting->map, &options, &counting->table));
    if (settings->out)
        TRY_RW(call, rw_zone_table_write(counting->table, settings->out));
    report_zones(call, counting->table);
    return 0;
}

static int run_statistics(struct call *call)
{
    struct counting counting = {0};
    int exit_status = count_zones(call, &counting);
    rw_zone_table_destroy(counting.table);
    rw_scene_destroy(counting.plan);
    rw_map_destroy(counting.map);
    return exit_status;
}

#define AT(member) offsetof(struct statistics_settings, member)
static const struct command_option statistics_options[] = {{"zones", AT(zones)},
                                                           {"name-field", AT(name_field)},
                                                           {"rooms", AT(rooms)},
                                                           {"weights", AT(weights)},
                                                           {"level", AT(level_dbm)},
                                                           {"layer", AT(layer)},
                                                           {"transmitter", AT(transmitter)},
                                                           {"out", AT(out)},
                                                           {"json", OF_CALL},
                                                           {"quiet", OF_CALL},
                                                           {"allow-outside", OF_CALL},
                                                           {NULL, 0}};
#undef AT

static const struct statistics_settings statistics_defaults = {.level_dbm = NAN};

const struct command statistics_command = {
    .name = "statistics",
    .summary = "levels and coverage of a map by --zones and --weights (people)",
    .input = "MAP",
    .options = statistics_options,
    .settings_size = sizeof(struct statistics_settings),
    .defaults = &statistics_defaults,
    .examples = {"rasterwave statistics out/city --layer power --level -90 --zones districts.gpkg",
                 "rasterwave statistics out/city --layer sinr --level 0 --weights population.tif --out zones.csv"},
    .run = run_statistics};
