/* link: a radio link between two antennas: its section with the first Fresnel zone, the link budget row by row in both
 * directions, and the margin. */
#include "report/report.h"

#include <rasterwave/calc.h>
#include <rasterwave/geometry.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SHADOWING_DB 8 /* of the layer sigma: spread of single locations around a prediction */
#define ROWS_MAX 48

/* Options of link. */
struct link_settings {
    struct input_options inputs;
    const char *rx_antenna, *out, *profile;
    double rx_power_dbm;
};

/* One row of the budget. Rows of the loss are the same in both directions. */
struct link_row {
    char name[24], about[96];
    const char *unit;
    double down, up; /* NaN: of the other direction alone */
};

/* The link and what was found. */
struct link {
    struct request request;
    struct point_list to;
    rw_link_profile profile;
    rw_antenna *antennas[2];
    double gain_dbi[2];                      /* of each end towards the other */
    double power_dbm[2], sensitivity_dbm[2]; /* of A, of B */
    double path_loss_db, received_dbm;       /* of the prediction at B */
    struct link_row rows[ROWS_MAX];
    size_t row_count;
};

static void add_link_row(struct link *link, const char *name, const char *about, const char *unit, double down,
                         double up)
{
    if (link->row_count == ROWS_MAX)
        return;
    struct link_row *row = &link->rows[link->row_count++];
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->about, sizeof row->about, "%s", about);
    row->unit = unit;
    row->down = down;
    row->up = up;
}

static int has_link_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), ending_length = strlen(ending);
    return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

/* Checks what can be checked before anything is read, and reads both ends. */
static int check_link_call(struct call *call, struct link *link)
{
    struct link_settings *settings = call->settings;
    if (!call->input || !call->second)
        return report_error("link needs two ends: rasterwave link X,Y,Z X,Y,Z --scene FILE, heights above ground");
    if (settings->out && !has_link_ending(settings->out, ".csv"))
        return report_error("--out %s: the budget of a link is written as NAME.csv", settings->out);
    if (settings->profile && !has_link_ending(settings->profile, ".png") && !has_link_ending(settings->profile, ".csv"))
        return report_error("--profile %s: the section of a link is written as NAME.png or NAME.csv",
                            settings->profile);
    TRY(check_output_file("out", settings->out));
    TRY(check_output_file("profile", settings->profile));
    TRY(apply_option(call, find_option("tx"), &settings->inputs.sites.tx, call->input));
    return apply_option(call, find_option("at"), &link->to, call->second);
}

/* Position, antenna and direction of an end: towards the other one where the caller names no direction. */
static int orient_ends(struct call *call, struct link *link)
{
    const struct link_settings *settings = call->settings;
    rw_transmitter *from = &settings->inputs.sites.tx.items[0];
    rw_point *to = &link->to.items[0];
    double at[2] = {to->x_m, to->y_m};
    rw_link_options options;
    rw_link_options_init(&options);
    TRY(transform_points(call, rw_scene_crs(link->request.scene), "the second end", at, 1));
    to->x_m = at[0];
    to->y_m = at[1];
    if (isnan(to->height_m))
        to->height_m = link->request.options.rx_height_m;
    const double ends[2][3] = {{from->x_m, from->y_m, from->height_m}, {to->x_m, to->y_m, to->height_m}};
    memcpy(options.first_m, ends[0], sizeof options.first_m);
    memcpy(options.second_m, ends[1], sizeof options.second_m);
    options.freq_hz = from->freq_hz > 0 ? from->freq_hz : link->request.options.freq_hz;
    options.k_factor = link->request.options.k_factor;
    TRY_RW(call, rw_link_profile_create(link->request.scene, &options, &link->profile));
    if (!is_option_given(call, "tx-azimuth"))
        from->azimuth_deg = link->profile.azimuth_deg;
    if (!is_option_given(call, "tx-tilt"))
        from->downtilt_deg = -link->profile.elevation_deg;
    TRY_RW(call, rw_antenna_create(call->context, from->antenna && *from->antenna ? from->antenna : "isotropic",
                                   &link->antennas[0]));
    TRY_RW(call, rw_antenna_create(call->context, settings->rx_antenna ? settings->rx_antenna : "isotropic",
                                   &link->antennas[1]));
    link->gain_dbi[1] = rw_antenna_gain_dbi(link->antennas[1], 90, 0);
    return 0;
}

/* Powers of both ends and what each needs: of the preset, of options, or 23 dBm at the other end. */
static int find_equipment(struct call *call, struct link *link)
{
    const struct link_settings *settings = call->settings;
    const char *name = model_argument_value(call, "preset");
    rw_predict_options options = link->request.options;
    rw_preset preset = {.size = sizeof preset};
    link->power_dbm[0] = settings->inputs.sites.tx.items[0].power_dbm;
    link->power_dbm[1] = 23;
    TRY_RW(call, rw_predict_sensitivity(call->context, &options, &link->sensitivity_dbm[1]));
    if (name) {
        TRY_RW(call, rw_preset_find(call->context, name, &preset));
        link->power_dbm[1] = preset.terminal_power_dbm;
        options.noise_figure_db = preset.base_noise_figure_db;
    }
    TRY_RW(call, rw_predict_sensitivity(call->context, &options, &link->sensitivity_dbm[0]));
    if (is_option_given(call, "rx-power"))
        link->power_dbm[1] = settings->rx_power_dbm;
    return 0;
}

static double read_point_layer(const rw_map *map, const char *name)
{
    rw_map_layer layer = {.size = sizeof layer};
    size_t index;
    if (rw_map_find_layer(map, name, &index) != RW_OK || rw_map_get_layer(map, index, &layer) != RW_OK)
        return NAN;
    return (double)layer.values[0];
}

static int predict_link_values(struct call *call, struct link *link)
{
    rw_map *map = NULL;
    link->request.options.layers = "path_loss,power";
    TRY_RW(call, rw_predict_points(link->request.scene, &link->request.options, link->to.items, 1, &map));
    link->path_loss_db = read_point_layer(map, "path_loss");
    link->received_dbm = read_point_layer(map, "power");
    rw_map_destroy(map);
    if (isnan(link->path_loss_db))
        return report_error("link: %s is inside a building; give a height above its roof, or --indoor slab",
                            call->second);
    if (isinf(link->path_loss_db))
        return report_error("link: no path of model %s reaches %s", model_of(call), call->second);
    /* The gain of the first antenna is what the prediction's power has beyond power and loss. */
    link->gain_dbi[0] = link->received_dbm - (link->power_dbm[0] - link->path_loss_db);
    return 0;
}

static int add_loss_rows(struct call *call, struct link *link)
{
    const rw_transmitter *from = link->request.options.transmitters;
    double freq_hz = from->freq_hz > 0 ? from->freq_hz : link->request.options.freq_hz;
    rw_free_space_result free_space = {.size = sizeof free_space};
    TRY_RW(call, rw_calc_free_space(call->context, link->profile.line_of_sight_m, freq_hz, &free_space));
    double beyond_db = link->path_loss_db - free_space.loss_db;
    char about[96];
    add_link_row(link, "free_space", "free space along the straight line", "dB", -free_space.loss_db,
                 -free_space.loss_db);
    snprintf(about, sizeof about, "beyond free space, by model %s", model_of(call));
    add_link_row(link, "beyond_free_space", about, "dB", -beyond_db, -beyond_db);
    return 0;
}

static int compose_budget(struct call *call, struct link *link)
{
    double received[2], margin[2]; /* at B, at A */
    double both_dbi = link->gain_dbi[0] + link->gain_dbi[1];
    add_link_row(link, "power", "transmitted power", "dBm", link->power_dbm[0], link->power_dbm[1]);
    add_link_row(link, "transmitter_gain", "antenna of the transmitter towards the receiver", "dBi", link->gain_dbi[0],
                 link->gain_dbi[1]);
    TRY(add_loss_rows(call, link));
    add_link_row(link, "receiver_gain", "antenna of the receiver towards the transmitter", "dBi", link->gain_dbi[1],
                 link->gain_dbi[0]);
    for (int i = 0; i < 2; i++) {
        received[i] = link->power_dbm[i] + both_dbi - link->path_loss_db;
        margin[i] = received[i] - link->sensitivity_dbm[1 - i];
    }
    add_link_row(link, "received", "received power", "dBm", received[0], received[1]);
    add_link_row(link, "sensitivity", "least power for the lowest rate", "dBm", link->sensitivity_dbm[1],
                 link->sensitivity_dbm[0]);
    add_link_row(link, "margin", "margin", "dB", margin[0], margin[1]);
    add_link_row(link, "locations", "locations where it holds, with a spread of 8 dB", "%",
                 50 * erfc(-margin[0] / SHADOWING_DB / sqrt(2)), 50 * erfc(-margin[1] / SHADOWING_DB / sqrt(2)));
    return 0;
}

static int write_budget_table(struct call *call, const struct link *link)
{
    const struct link_settings *settings = call->settings;
    struct text_file file;
    if (!settings->out)
        return 0;
    FILE *out = begin_text_file(&file);
    if (out) {
        fputs("row,unit,a_to_b,b_to_a,about\n", out);
        for (size_t i = 0; i < link->row_count; i++)
            fprintf(out, "%s,%s,%.3f,%.3f,\"%s\"\n", link->rows[i].name, link->rows[i].unit, link->rows[i].down,
                    link->rows[i].up, link->rows[i].about);
    }
    return end_text_file(call, &file, settings->out, 0);
}

static int write_section(struct call *call, const struct link *link)
{
    const char *path = ((const struct link_settings *)call->settings)->profile;
    char title[200];
    if (!path)
        return 0;
    if (has_link_ending(path, ".csv")) {
        TRY_RW(call, rw_link_profile_write(call->context, &link->profile, path));
        return 0;
    }
    snprintf(title, sizeof title, "%.80s to %.80s", call->input, call->second);
    TRY_RW(call, rw_link_profile_draw(call->context, &link->profile, title, path));
    return 0;
}

static void report_link_section(struct report *report, const struct link *link)
{
    const rw_link_profile *profile = &link->profile;
    const rw_link_sample *nearest = &profile->samples[profile->nearest];
    double clearance_m = nearest->line_m - nearest->top_m - nearest->bulge_m;
    json_number(&report->json, "length_m", profile->length_m);
    json_number(&report->json, "azimuth_deg", profile->azimuth_deg);
    json_number(&report->json, "elevation_deg", profile->elevation_deg);
    json_number(&report->json, "back_azimuth_deg", profile->back_azimuth_deg);
    json_number(&report->json, "back_elevation_deg", profile->back_elevation_deg);
    json_number(&report->json, "clearance_m", clearance_m);
    json_number(&report->json, "clearance_at_m", nearest->distance_m);
    json_number(&report->json, "clearance_fraction", profile->clearance_fraction);
    json_number(&report->json, "knife_edge_db", profile->knife_edge_db);
    report_text(report, "length     %.1f m, azimuth %.2f deg (back %.2f), elevation %.2f deg (back %.2f)\n",
                profile->length_m, profile->azimuth_deg, profile->back_azimuth_deg, profile->elevation_deg,
                profile->back_elevation_deg);
    report_text(report, "section    %s: %.1f m %s the line at %.0f m, %.0f %% of the Fresnel radius of %.1f m\n",
                clearance_m < 0                     ? "blocked"
                : profile->clearance_fraction < 0.6 ? "in sight, Fresnel zone obstructed"
                                                    : "in sight",
                fabs(clearance_m), clearance_m < 0 ? "above" : "below", nearest->distance_m,
                100 * profile->clearance_fraction, nearest->fresnel_m);
    if (profile->knife_edge_db > 0)
        report_text(report, "           that obstacle alone as a knife edge: %.1f dB (ITU-R P.526)\n",
                    profile->knife_edge_db);
}

static void report_link(struct call *call, const struct link *link)
{
    const struct link_settings *settings = call->settings;
    struct report report;
    report_begin(&report, call);
    report_link_section(&report, link);
    json_string(&report.json, "model", model_of(call));
    json_number(&report.json, "path_loss_db", link->path_loss_db);
    json_list(&report.json, "budget");
    report_text(&report, "%-48s %12s %12s\n", "", "A to B", "B to A");
    for (size_t i = 0; i < link->row_count; i++) {
        const struct link_row *row = &link->rows[i];
        json_object(&report.json, NULL);
        json_string(&report.json, "row", row->name);
        json_string(&report.json, "about", row->about);
        json_string(&report.json, "unit", row->unit);
        json_number(&report.json, "a_to_b", row->down);
        json_number(&report.json, "b_to_a", row->up);
        json_object_end(&report.json);
        report_text(&report, "%-48s %8.2f %-3s %8.2f %-3s\n", row->about, row->down, row->unit, row->up, row->unit);
    }
    json_list_end(&report.json);
    report_file(&report, "file", settings->out);
    report_file(&report, "profile", settings->profile);
    report_warnings(&report, call);
    report_version(&report);
    report_end(&report);
}

static int find_link(struct call *call, struct link *link)
{
    struct link_settings *settings = call->settings;
    TRY(check_link_call(call, link));
    TRY(open_request(call, &settings->inputs, &link->request));
    TRY(orient_ends(call, link));
    TRY(find_equipment(call, link));
    TRY(predict_link_values(call, link));
    TRY(compose_budget(call, link));
    TRY(write_budget_table(call, link));
    TRY(write_section(call, link));
    report_link(call, link);
    return 0;
}

static int run_link(struct call *call)
{
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return report_out_of_memory("the link");
    link->profile.size = sizeof link->profile;
    int exit_status = find_link(call, link);
    wipe_progress(call);
    rw_free(link->profile.samples);
    for (int i = 0; i < 2; i++)
        rw_antenna_destroy(link->antennas[i]);
    free(link->to.items);
    free(((struct link_settings *)call->settings)->inputs.sites.tx.items);
    close_request(&link->request);
    free(link);
    return exit_status;
}

#define AT(member) offsetof(struct link_settings, member)
static const struct command_option link_options[] = {{"scene", AT(inputs.scene.file)},
                                                     {"terrain", AT(inputs.scene.terrain)},
                                                     {"model", OF_CALL},
                                                     {"tx-antenna", AT(inputs.sites.antenna)},
                                                     {"rx-antenna", AT(rx_antenna)},
                                                     {"tx-power", AT(inputs.sites.power_dbm)},
                                                     {"rx-power", AT(rx_power_dbm)},
                                                     {"profile", AT(profile)},
                                                     {"out", AT(out)},
                                                     {"json", OF_CALL},
                                                     {"quiet", OF_CALL},
                                                     {"+help options", OF_CALL},
                                                     {"backend", OF_CALL},
                                                     {"threads", OF_CALL},
                                                     {"tx-azimuth", AT(inputs.sites.azimuth_deg)},
                                                     {"tx-tilt", AT(inputs.sites.tilt_deg)},
                                                     {"materials", AT(inputs.scene.materials)},
                                                     {"foliage", AT(inputs.scene.foliage)},
                                                     {"crs", AT(inputs.scene.crs)},
                                                     {"height-field", AT(inputs.scene.height_field)},
                                                     {"storeys-field", AT(inputs.scene.storeys_field)},
                                                     {"height-unit", AT(inputs.scene.height_unit)},
                                                     {"points-crs", OF_CALL},
                                                     {"allow-outside", OF_CALL},
                                                     {NULL, 0}};
#undef AT

const struct command link_command = {
    .name = "link",
    .summary = "link budget between two antennas, in both directions, with the section",
    .input = "A B",
    .input_is_word = 1,
    .options = link_options,
    .settings_size = sizeof(struct link_settings),
    .calls = RW_OPTION_OF_PREDICT,
    .examples =
        {"rasterwave link 300,300,30 520,410,1.5 --scene city:grid:size=600m,600m --preset lte-1800",
         "rasterwave link 300,300,30 400,300,25 --scene city:grid:size=600m,600m --freq 18GHz --profile section.png"},
    .run = run_link};
