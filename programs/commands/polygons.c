/* polygons: classes or ranges of a layer as polygons for a GIS or a globe. */
#include "command.h"
#include "report/json.h"

#include <stdio.h>
#include <stdlib.h>

#define LEVELS_MAX 64

/* Numbers with commas between, with or without dB, dBm, m and so on. Returns their count; -1: it has been said what is
 * wrong. */
static int read_levels(struct call *call, const char *string, double levels[LEVELS_MAX])
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
               (count >= LEVELS_MAX || rw_parse_quantity(call->context, token, kinds[kind], &levels[count]) != RW_OK))
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

static int write_polygons(struct call *call, const rw_map *map)
{
    const struct settings *settings = &call->settings;
    double levels[LEVELS_MAX];
    rw_polygon_options options;
    rw_polygon_options_init(&options);
    int count = settings->levels ? read_levels(call, settings->levels, levels) : 0;
    if (count < 0)
        return 2;
    options.band = (size_t)settings->band - 1;
    options.levels = levels;
    options.level_count = (size_t)count;
    rw_status status = rw_map_write_polygons(map, &options, settings->out);
    if (status != RW_OK)
        return report_status(call, status);
    if (settings->json) {
        struct json json;
        json_begin(&json, stdout);
        json_string(&json, "file", settings->out);
        json_string(&json, "version", rw_version());
        json_end(&json);
    } else if (!settings->quiet) {
        puts(settings->out);
    }
    return 0;
}

int command_polygons(struct call *call)
{
    const struct settings *settings = &call->settings;
    rw_map *map = NULL;
    char path[MAP_PATH_SIZE];
    if (!settings->input || !settings->out)
        return report_error("polygons needs a map and a file to write: rasterwave polygons MAP --out FILE.gpkg");
    if (settings->band < 1)
        return report_error("--band %d: bands are counted from 1", settings->band);
    rw_status status = rw_polygons_check_name(call->context, settings->out);
    if (status != RW_OK)
        return report_status(call, status);
    int exit_status = check_output_file("out", settings->out);
    if (!exit_status)
        exit_status = find_map_file(settings->input, settings->layer ? settings->layer : "best", path);
    if (exit_status)
        return exit_status;
    status = rw_map_read(call->context, path, &map);
    exit_status = status == RW_OK ? write_polygons(call, map) : report_status(call, status);
    rw_map_destroy(map);
    return exit_status;
}
