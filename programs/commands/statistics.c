/* statistics: levels and coverage of a map by zones, and of the people in a raster of population. */
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Options of statistics. */
struct statistics_settings {
    const char *zones, *name_field, *rooms, *weights, *layer, *out;
    struct level_list level;
    double confidence, shadowing_db, correlation_m, target; /* NaN: not given */
    int transmitter;
};

/* What the command opens and counts. */
struct counting {
    rw_map *map;
    rw_scene *plan;
    rw_zone_table *table;
    rw_map_layer layer;
    struct map_choice choice;
    const struct level *level; /* NULL: none */
    int has_weights, is_category;
    rw_confidence confidence; /* receivers 0: not requested */
};

static void report_classes(struct report *report, const struct counting *of, size_t zone)
{
    json_list(&report->json, "classes");
    for (size_t i = 0; i < rw_zone_table_class_count(of->table); i++) {
        rw_zone_class class = {.size = sizeof class};
        if (rw_zone_table_get_class(of->table, zone, i, &class) != RW_OK)
            continue;
        json_object(&report->json, NULL);
        json_string(&report->json, "name", class.name);
        json_count(&report->json, "cells", class.cells);
        json_number(&report->json, "percent", 100 * class.fraction);
        json_object_end(&report->json);
        if (class.cells)
            report_text(report, "  %-22.22s %9zu %8.2f %%\n", class.name, class.cells, 100 * class.fraction);
    }
    json_list_end(&report->json);
}

static void report_zone(struct report *report, const struct counting *of, size_t index, const rw_zone_row *row)
{
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
    report_text(report, "%-24.24s %9zu %9zu %9zu", row->name, row->cells, row->receivers, row->without_path);
    if (!of->is_category)
        report_text(report, " %9.2f %9.2f", row->mean, row->median);
    if (of->level) {
        json_count(json, "covered_cells", row->covered_cells);
        json_number(json, "covered_percent", 100 * row->covered_fraction);
        report_text(report, " %9.2f", 100 * row->covered_fraction);
    }
    if (of->has_weights) {
        json_number(json, "weight", row->weight);
        json_number(json, "nearest_weight", row->nearest_weight);
        report_text(report, " %12.1f", row->weight);
    }
    if (of->has_weights && of->level) {
        json_number(json, "covered_weight", row->covered_weight);
        json_number(json, "covered_weight_percent", 100 * row->covered_weight_fraction);
        report_text(report, " %9.2f", 100 * row->covered_weight_fraction);
    }
    report_text(report, "\n");
    if (of->is_category)
        report_classes(report, of, index);
    json_object_end(json);
}

/* The layer, its level and the rule for people, before the table. */
static void report_counted_map(struct report *report, const struct counting *of)
{
    char text[80];
    struct json *json = &report->json;
    json_string(json, "layer", of->layer.name);
    json_string(json, "unit", of->layer.unit);
    report_choice(report, &of->choice);
    if (of->level) {
        describe_level(of->level, text, sizeof text);
        json_number(json, "level", of->level->value);
        report_text(report, "covered: %s\n", text);
    }
    rw_zone_row row = {.size = sizeof row};
    size_t count = rw_zone_table_count(of->table);
    if (!of->has_weights || !count || rw_zone_table_get(of->table, count - 1, &row) != RW_OK)
        return;
    const char *rule = row.nearest_weight > 0 ? "nearest receiver" : "own cell";
    json_string(json, "weights_by", rule);
    if (row.nearest_weight > 0)
        report_text(report,
                    "weights: %.1f of %.1f lie in cells without a receiver, as inside buildings, and count at the "
                    "nearest receiver\n",
                    row.nearest_weight, row.weight);
    else
        report_text(report, "weights: each counts at its own cell\n");
}

static void report_confidence(struct report *report, const struct call *call, const struct counting *of)
{
    const struct statistics_settings *settings = call->settings;
    const rw_confidence *found = &of->confidence;
    struct json *json = &report->json;
    const char *counted = settings->weights ? "weight" : "receivers";
    if (!found->receivers)
        return;
    json_object(json, "confidence");
    json_number(json, "probability", settings->confidence);
    json_number(json, "predicted_percent", 100 * found->predicted);
    json_number(json, "covered_percent", 100 * found->covered);
    json_number(json, "mean_percent", 100 * found->mean);
    json_number(json, "locations_percent", 100 * found->locations);
    json_number(json, "target_probability", found->target_probability);
    json_object_end(json);
    report_text(report,
                "confidence: %.2f %% of the %s by the map's values; with shadowing %.2f %% on average, and "
                "with a probability of %g at least %.2f %%\n",
                100 * found->predicted, counted, 100 * found->mean, settings->confidence, 100 * found->covered);
    report_text(report, "            %.2f %% of the %s are each covered with that probability\n",
                100 * found->locations, counted);
    if (!isnan(settings->target))
        report_text(report, "            the target of %g %% is reached with a probability of %.3g\n", settings->target,
                    found->target_probability);
}

static void report_zones(const struct call *call, const struct counting *of)
{
    const struct statistics_settings *settings = call->settings;
    struct report report;
    report_begin(&report, call);
    report_counted_map(&report, of);
    json_list(&report.json, "zones");
    report_text(&report, "%-24s %9s %9s %9s%s", "zone", "cells", "receivers", "no path",
                of->is_category ? "" : "      mean    median");
    report_text(&report, "%s%s%s\n", of->level ? " covered %" : "", of->has_weights ? "       weight" : "",
                of->level && of->has_weights ? " covered %" : "");
    for (size_t i = 0; i < rw_zone_table_count(of->table); i++) {
        rw_zone_row row = {.size = sizeof row};
        if (rw_zone_table_get(of->table, i, &row) == RW_OK)
            report_zone(&report, of, i, &row);
    }
    json_list_end(&report.json);
    report_confidence(&report, call, of);
    report_file(&report, "file", settings->out);
    report_version(&report);
    report_end(&report);
}

/* The level as one of the map's layer. */
static int resolve_layer_level(struct statistics_settings *settings, struct counting *of)
{
    if (!settings->level.count)
        return 0;
    struct level *level = &settings->level.items[0];
    const char *name = of->layer.name, *unit = of->layer.unit;
    rw_layer_order order = rw_layer_get_order(name);
    if (settings->level.count > 1)
        return report_error("--level: the map has one layer, %s, and so one level", name);
    if (*level->layer && strcmp(level->layer, name) != 0)
        return report_error("--level %s:%g: the layer of %s is %s; name another with --layer", level->layer,
                            level->value, "the map", name);
    if (order == RW_LAYER_UNORDERED)
        return report_error("--level %g: the layer %s has classes, which are counted and have no level", level->value,
                            name);
    if (*level->unit && strcmp(level->unit, unit) != 0)
        return report_error("--level %g%s: the layer %s is in %s", level->value, level->unit, name,
                            *unit ? unit : "no unit");
    if (strcmp(name, "path_loss") == 0 && !(level->value > 0))
        return report_error("--level %g: a path loss in dB is positive, and covered are cells at the level or below; "
                            "write for example --level 120",
                            level->value);
    snprintf(level->layer, sizeof level->layer, "%s", name);
    snprintf(level->unit, sizeof level->unit, "%.7s", unit);
    of->level = level;
    return 0;
}

/* Shadowing is drawn for each transmitter, before the strongest is chosen. */
static int count_confidence(struct call *call, struct counting *of)
{
    const struct statistics_settings *settings = call->settings;
    rw_confidence_options options;
    if (isnan(settings->confidence)) {
        const char *const of_confidence[] = {"target", "shadowing", "correlation"};
        for (size_t i = 0; i < 3; i++)
            if (is_option_given(call, of_confidence[i]))
                return report_error("--%s is of --confidence: give the probability, such as 0.9", of_confidence[i]);
        return 0;
    }
    if (!settings->level.count)
        return report_error("--confidence needs --level: what counts as covered");
    rw_confidence_options_init(&options);
    options.level = settings->level.items[0].value;
    options.confidence = settings->confidence;
    options.band = settings->transmitter > 0 ? (size_t)settings->transmitter - 1 : RW_ALL_BANDS;
    options.target = settings->target / 100;
    options.weights = settings->weights;
    if (!isnan(settings->shadowing_db))
        options.sigma_db = settings->shadowing_db;
    if (!isnan(settings->correlation_m))
        options.correlation_m = settings->correlation_m;
    of->confidence.size = sizeof of->confidence;
    TRY_RW(call, rw_map_confidence(of->map, &options, &of->confidence));
    return 0;
}

static int count_map_zones(struct call *call, struct counting *of)
{
    struct statistics_settings *settings = call->settings;
    const struct scene_options no_options = {0};
    rw_zone_options options;
    char path[MAP_PATH_SIZE];
    if (!call->input)
        return report_error("statistics needs a map: rasterwave statistics MAP --zones FILE.gpkg");
    TRY(check_output_file("out", settings->out));
    TRY(find_map_file(call->input, settings->layer, path));
    TRY_RW(call, rw_map_read(call->context, path, &of->map));
    TRY(count_confidence(call, of));
    TRY(choose_transmitter_of_map(call, of->map, settings->transmitter, &of->choice));
    of->layer.size = sizeof of->layer;
    TRY_RW(call, rw_map_get_layer(of->map, 0, &of->layer));
    of->has_weights = settings->weights != NULL;
    of->is_category = rw_layer_get_order(of->layer.name) == RW_LAYER_UNORDERED && strcmp(of->layer.unit, "deg") != 0;
    TRY(resolve_layer_level(settings, of));
    if (settings->rooms)
        TRY(open_scene(call, &no_options, settings->rooms, &of->plan));
    rw_zone_options_init(&options);
    options.rooms = of->plan;
    options.zones = settings->zones;
    options.name_field = settings->name_field;
    options.weights = settings->weights;
    options.level = of->level ? of->level->value : NAN;
    options.band = of->choice.band;
    TRY_RW(call, rw_map_zone_statistics(of->map, &options, &of->table));
    if (settings->out)
        TRY_RW(call, rw_zone_table_write(of->table, settings->out));
    report_zones(call, of);
    return 0;
}

static int run_statistics(struct call *call)
{
    struct counting counting = {0};
    int exit_status = count_map_zones(call, &counting);
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
                                                           {"level", AT(level)},
                                                           {"confidence", AT(confidence)},
                                                           {"target", AT(target)},
                                                           {"shadowing", AT(shadowing_db)},
                                                           {"correlation", AT(correlation_m)},
                                                           {"layer", AT(layer)},
                                                           {"transmitter", AT(transmitter)},
                                                           {"out", AT(out)},
                                                           {"json", OF_CALL},
                                                           {"quiet", OF_CALL},
                                                           {"allow-outside", OF_CALL},
                                                           {NULL, 0}};
#undef AT

static const struct statistics_settings statistics_defaults = {
    .transmitter = -1, .confidence = NAN, .shadowing_db = NAN, .correlation_m = NAN, .target = NAN};

const struct command statistics_command = {
    .name = "statistics",
    .summary = "levels and coverage of a map by --zones and --weights (people)",
    .input = "MAP",
    .is_served = 1,
    .default_out = "statistics.csv",
    .options = statistics_options,
    .settings_size = sizeof(struct statistics_settings),
    .defaults = &statistics_defaults,
    .examples = {"rasterwave statistics out/city --layer power --level -90 --zones districts.gpkg",
                 "rasterwave statistics out/city --layer sinr --level 0 --weights population.tif --out zones.csv"},
    .run = run_statistics};
