/* predict --report: one HTML file with settings, transmitters, coverage, zones, numbers and pictures of a prediction.
 * Nothing in it refers to another file, so it can be sent as it is. */
#include "commands/predict/predict.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Every option of the model: the value that was given, or its own. */
static void write_all_options(FILE *out, const struct call *call, const char *model)
{
    rw_model_option_info info = {.size = sizeof info};
    fputs("<details><summary>All options</summary>\n<table>\n", out);
    for (size_t i = 0; rw_model_option_get(model, i, &info) == RW_OK; i++) {
        const char *value = model_argument_value(call, info.name);
        if (info.calls & RW_OPTION_OF_PREDICT)
            html_row(out, info.name, value ? value : info.default_text);
    }
    fputs("</table></details>\n", out);
}

/* What was asked for. */
static void write_settings_table(FILE *out, const struct call *call, const struct prediction *prediction,
                                 const rw_map_info *info)
{
    const struct predict_settings *settings = call->settings;
    const rw_predict_options *options = &prediction->request.options;
    char text[160];
    fputs("<h2>Settings</h2>\n<table>\n", out);
    html_row(out, "Scene", settings->inputs.scene.file);
    html_row(out, "Model", options->model);
    snprintf(text, sizeof text, "%zu x %zu cells of %g m, receivers at %g m", info->columns, info->rows, info->res_m,
             info->rx_height_m);
    html_row(out, "Map", text);
    html_row(out, "Prior", info->prior);
    for (size_t i = 0; i < call->model_argument_count; i++) {
        snprintf(text, sizeof text, "--%s", call->model_argument[i].name);
        html_row(out, text, call->model_argument[i].text);
    }
    html_row(out, "Program", rw_version());
    fputs("</table>\n", out);
    write_all_options(out, call, options->model);
    for (size_t i = 0; i < call->warning_count; i++) {
        fputs("<p class=\"quiet\">Warning: ", out);
        html_text(out, call->warnings[i]);
        fputs("</p>\n", out);
    }
}

static void write_transmitter_table(FILE *out, const struct prediction *prediction)
{
    const rw_predict_options *options = &prediction->request.options;
    fputs("<h2>Transmitters</h2>\n<table>\n<tr><th>Name</th><th>x (m)</th><th>y (m)</th><th>Height (m)</th>"
          "<th>Azimuth</th><th>Tilt</th><th>Power (dBm)</th><th>MHz</th><th>Channel</th><th>Antenna</th></tr>\n",
          out);
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *tx = &options->transmitters[i];
        html_transmitter(out, tx, options->freq_hz);
        fputs("<td>", out);
        html_text(out, tx->channel);
        fputs("</td><td>", out);
        html_text(out, tx->antenna ? tx->antenna : "isotropic");
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void write_covered_row(FILE *out, const struct prediction *prediction, size_t band, const struct level *level)
{
    rw_coverage coverage = {.size = sizeof coverage};
    if (rw_map_layer_coverage(prediction->map, level->layer, band, level->value, &coverage) != RW_OK)
        return;
    fputs("<tr><td>", out);
    html_text(out, band == RW_ALL_BANDS ? "all together" : prediction->request.options.transmitters[band].name);
    fputs("</td>", out);
    html_number(out, "%.2f", 100 * coverage.fraction_of_area);
    html_number(out, "%.2f", 100 * coverage.fraction_of_outdoor);
    fputs("</tr>\n", out);
}

static void write_coverage_table(FILE *out, const struct prediction *prediction, const struct level *level)
{
    size_t count = prediction->request.options.transmitter_count, index;
    rw_map_layer layer = {.size = sizeof layer};
    char text[80];
    if (rw_map_find_layer(prediction->map, level->layer, &index) != RW_OK ||
        rw_map_get_layer(prediction->map, index, &layer) != RW_OK)
        return;
    int of_each = layer.bands == count;
    describe_level(level, text, sizeof text);
    fputs("<h2>Coverage: ", out);
    html_text(out, text);
    fputs("</h2>\n<table>\n<tr><th>By</th><th>% of the area</th><th>% of the cells with a receiver</th></tr>\n", out);
    for (size_t i = 0; of_each && i < count; i++)
        write_covered_row(out, prediction, i, level);
    if (count > 1 || !of_each)
        write_covered_row(out, prediction, RW_ALL_BANDS, level);
    fputs("</table>\n", out);
}

/* Levels by zones, of the first layer that has one: SINR, the strongest power, power, path loss. */
static int write_zone_table(FILE *out, struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    static const char *const layers[] = {"sinr", "strongest", "rsrp", "power", "path_loss"};
    rw_zone_options options;
    rw_zone_table *table = NULL;
    size_t found, k = 0;
    rw_zone_options_init(&options);
    while (k < 5 && (isnan(find_level(&settings->levels, layers[k])) ||
                     rw_map_find_layer(prediction->map, layers[k], &found) != RW_OK))
        k++; /* a layer with a level, */
    for (k = k == 5 ? 0 : k; k < 5 && rw_map_find_layer(prediction->map, layers[k], &found) != RW_OK;)
        k++; /* or the first that the map has */
    const char *weights = settings->weights;
    if ((!settings->zones && !weights) || k == 5)
        return 0;
    options.zones = settings->zones;
    options.name_field = settings->name_field;
    options.weights = weights;
    options.layer = layers[k];
    options.level = find_level(&settings->levels, layers[k]);
    rw_status status = rw_map_zone_statistics(prediction->map, &options, &table);
    if (status != RW_OK)
        return report_status(call, status);
    fputs("<h2>", out);
    html_text(out, rw_layer_title(layers[k]));
    fputs(" by zones</h2>\n<table>\n<tr><th>Zone</th><th>Area (km&sup2;)</th><th>Receivers</th><th>No "
          "path</th><th>Mean</th>"
          "<th>Median</th><th>% covered</th>",
          out);
    fputs(weights ? "<th>Weight</th><th>% of it covered</th></tr>\n" : "</tr>\n", out);
    for (size_t i = 0; i < rw_zone_table_count(table); i++) {
        rw_zone_row row = {.size = sizeof row};
        if (rw_zone_table_get(table, i, &row) != RW_OK)
            continue;
        fputs("<tr><td>", out);
        html_text(out, row.name);
        fputs("</td>", out);
        html_number(out, "%.4f", row.area_m2 / 1e6);
        html_number(out, "%.0f", (double)row.receivers);
        html_number(out, "%.0f", (double)row.without_path);
        html_number(out, "%.1f", row.mean);
        html_number(out, "%.1f", row.median);
        html_number(out, "%.2f", isnan(options.level) ? NAN : 100 * row.covered_fraction);
        if (weights) {
            html_number(out, "%.1f", row.weight);
            html_number(out, "%.2f", isnan(options.level) ? NAN : 100 * row.covered_weight_fraction);
        }
        fputs("</tr>\n", out);
    }
    fputs("</table>\n", out);
    rw_zone_table_destroy(table);
    return 0;
}

static int write_layer_sections(FILE *out, const struct prediction *prediction)
{
    for (size_t i = 0; i < prediction->layer_count; i++) {
        rw_map_layer layer = {.size = sizeof layer};
        if (rw_map_get_layer(prediction->map, i, &layer) != RW_OK)
            continue;
        fputs("<h2>", out);
        html_text(out, rw_layer_title(layer.name));
        fputs("</h2>\n<p class=\"quiet\">", out);
        if (isnan(layer.min)) {
            fputs("no cell with a value", out);
        } else {
            fprintf(out, "%zu cells with a value, %g to %g ", layer.count, layer.min, layer.max);
            html_text(out, layer.unit);
        }
        fputs("; ", out);
        html_text(out, prediction->layers[i].raster);
        fputs("</p>\n", out);
        for (size_t k = 0; k < prediction->layers[i].picture_count; k++)
            TRY(html_picture(out, prediction->layers[i].pictures[k], rw_layer_title(layer.name)));
    }
    return 0;
}

static int write_report_page(FILE *out, struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(prediction->map, &info);
    html_begin(out, "Radio map", settings->inputs.scene.file);
    write_settings_table(out, call, prediction, &info);
    write_transmitter_table(out, prediction);
    for (size_t i = 0; i < settings->levels.count; i++)
        write_coverage_table(out, prediction, &settings->levels.items[i]);
    TRY(write_zone_table(out, call, prediction));
    TRY(write_layer_sections(out, prediction));
    html_end(out);
    return 0;
}

int write_report(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    struct text_file file;
    FILE *out = begin_text_file(&file);
    return end_text_file(call, &file, settings->report, out ? write_report_page(out, call, prediction) : 0);
}
