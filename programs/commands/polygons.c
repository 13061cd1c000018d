/* polygons: classes or ranges of a layer as polygons, or its contour lines, for a GIS or a globe. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

/* Options of polygons. */
struct polygons_settings {
    const char *layer, *levels, *out;
    int transmitter, contours;
};

#define RANGES_MAX 64

/* Numbers with commas between, with or without dB, dBm, m and so on. Returns their count; -1: it has been said what is
 * wrong. */
static int read_levels(struct call *call, const char *string, double levels[RANGES_MAX])
{
    static const rw_quantity kinds[] = {RW_QUANTITY_NUMBER, RW_QUANTITY_POWER_DBM, RW_QUANTITY_LEVEL_DB,
                                        RW_QUANTITY_TIME_S};
    int count = 0;
    while (*string) {
        char token[64];
        size_t length = 0, kind = 0;
        for (; string[length] && string[length] != ','; length++)
            if (length + 1 < sizeof token)
                token[length] = string[length];
        token[length < sizeof token ? length : sizeof token - 1] = 0;
        while (kind < 4 &&
               (count >= RANGES_MAX || rw_parse_quantity(call->context, token, kinds[kind], &levels[count]) != RW_OK))
            kind++;
        if (kind == 4) {
            report_error("--levels %s: expected numbers with commas, such as -100,-90,-80", token);
            return -1;
        }
        count++;
        string += length + (string[length] == ',');
    }
    return count;
}

static int write_polygons(struct call *call, rw_map *map)
{
    const struct polygons_settings *settings = call->settings;
    double levels[RANGES_MAX];
    struct map_choice choice;
    rw_polygon_options options;
    TRY(choose_transmitter_of_map(call, map, settings->transmitter, &choice));
    rw_polygon_options_init(&options);
    int count = settings->levels ? read_levels(call, settings->levels, levels) : 0;
    if (count < 0)
        return 2;
    options.band = choice.band;
    options.levels = levels;
    options.level_count = (size_t)count;
    TRY_RW(call, settings->contours ? rw_map_write_contours(map, &options, settings->out)
                                    : rw_map_write_polygons(map, &options, settings->out));
    report_file_of_map(call, settings->out, &choice);
    return 0;
}

static int run_polygons(struct call *call)
{
    const struct polygons_settings *settings = call->settings;
    rw_map *map = NULL;
    char path[MAP_PATH_SIZE];
    if (!call->input || !settings->out)
        return report_error("polygons needs a map and a file to write: rasterwave polygons MAP --out FILE.gpkg");
    TRY(check_transmitter_number(settings->transmitter));
    TRY_RW(call, rw_polygons_check_name(call->context, settings->out));
    TRY(check_output_file("out", settings->out));
    if (settings->contours && !settings->levels)
        return report_error("--contours needs the levels of the lines: --levels -100,-90,-80");
    TRY(find_map_file(call->input, settings->layer ? settings->layer : "best", path));
    TRY_RW(call, rw_map_read(call->context, path, &map));
    int exit_status = write_polygons(call, map);
    rw_map_destroy(map);
    return exit_status;
}

#define AT(member) offsetof(struct polygons_settings, member)
static const struct command_option polygons_options[] = {{"layer", AT(layer)},
                                                         {"transmitter", AT(transmitter)},
                                                         {"levels", AT(levels)},
                                                         {"contours", AT(contours)},
                                                         {"out", AT(out)},
                                                         {"json", OF_CALL},
                                                         {"quiet", OF_CALL},
                                                         {"allow-outside", OF_CALL},
                                                         {NULL, 0}};
#undef AT

static const struct polygons_settings polygons_defaults = {.transmitter = -1};

const struct command polygons_command = {
    .name = "polygons",
    .summary = "areas of a map: best servers, ranges of --levels",
    .input = "MAP",
    .is_served = 1,
    .default_out = "areas.geojson",
    .options = polygons_options,
    .settings_size = sizeof(struct polygons_settings),
    .defaults = &polygons_defaults,
    .examples = {"rasterwave polygons out/city --layer best --out servers.gpkg",
                 "rasterwave polygons out/city --layer power --levels -100,-90,-80 --out coverage.kmz"},
    .run = run_polygons};
