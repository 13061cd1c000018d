/* What is in a database, as text or as JSON. */
#include "report/json.h"

#include "command.h"

#include <math.h>
#include <stdio.h>

static void report_tiles_json(const char *path, const rw_database_info *info, double seconds)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "kind", "database");
    json_string(&json, "file", path);
    json_string(&json, "model", info->model);
    json_count(&json, "tiles", info->tiles);
    json_number(&json, "tile_area_m2", info->tile_area_m2);
    json_count(&json, "entries", info->entries);
    json_number(&json, "bytes", info->bytes);
    if (!isnan(seconds))
        json_number(&json, "seconds", seconds);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

static void report_tiles(const rw_database_info *info)
{
    printf("tiles      %zu of about %g m2; each sees %.4g others\n", info->tiles, info->tile_area_m2,
           (double)info->entries / (double)info->tiles);
    printf("entries    %zu, %.3g bytes each\n", info->entries, info->entries ? info->bytes / (double)info->entries : 0);
}

static void report_corners(const rw_database_info *info)
{
    printf("receivers  %zu x %zu cells of %g m from %.10g, %.10g, %g m above ground\n", info->columns, info->rows,
           info->res_m, info->x0_m, info->y0_m, info->rx_height_m);
    printf("corners    %zu with %zu links between them and %zu entries of receivers\n", info->corners, info->links,
           info->entries);
}

static void print_database_json(const char *path, const rw_database_info *info, double seconds)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "kind", "database");
    json_string(&json, "file", path);
    json_string(&json, "model", info->model);
    json_count(&json, "columns", info->columns);
    json_count(&json, "rows", info->rows);
    json_number(&json, "x0_m", info->x0_m);
    json_number(&json, "y0_m", info->y0_m);
    json_number(&json, "res_m", info->res_m);
    json_number(&json, "rx_height_m", info->rx_height_m);
    json_count(&json, "corners", info->corners);
    json_count(&json, "links", info->links);
    json_count(&json, "entries", info->entries);
    json_number(&json, "bytes", info->bytes);
    if (!isnan(seconds))
        json_number(&json, "seconds", seconds);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

void report_database(const struct call *call, const char *path, const rw_database_info *info, double seconds)
{
    if (call->settings.json && info->tiles) {
        report_tiles_json(path, info, seconds);
        return;
    }
    if (call->settings.json) {
        print_database_json(path, info, seconds);
        return;
    }
    printf("database   %s, %.3g MB, of model %s\n", path, info->bytes / 1e6, info->model);
    if (info->tiles)
        report_tiles(info);
    else
        report_corners(info);
    if (!isnan(seconds))
        printf("seconds    %.3f\n", seconds);
}
