/* What is in a database. */
#include "report/report.h"

static void report_tiles(struct report *report, const rw_database_info *info)
{
    json_count(&report->json, "tiles", info->tiles);
    json_number(&report->json, "tile_area_m2", info->tile_area_m2);
    json_count(&report->json, "entries", info->entries);
    report_text(report, "tiles      %zu of about %g m2; each sees %.4g others\n", info->tiles, info->tile_area_m2,
                (double)info->entries / (double)info->tiles);
    report_text(report, "entries    %zu, %.3g bytes each\n", info->entries,
                info->entries ? info->bytes / (double)info->entries : 0);
}

static void report_corners(struct report *report, const rw_database_info *info)
{
    json_count(&report->json, "columns", info->columns);
    json_count(&report->json, "rows", info->rows);
    json_number(&report->json, "x0_m", info->x0_m);
    json_number(&report->json, "y0_m", info->y0_m);
    json_number(&report->json, "res_m", info->res_m);
    json_number(&report->json, "rx_height_m", info->rx_height_m);
    json_count(&report->json, "corners", info->corners);
    json_count(&report->json, "links", info->links);
    json_count(&report->json, "entries", info->entries);
    report_text(report, "receivers  %zu x %zu cells of %g m from %.10g, %.10g, %g m above ground\n", info->columns,
                info->rows, info->res_m, info->x0_m, info->y0_m, info->rx_height_m);
    report_text(report, "corners    %zu with %zu links between them and %zu entries of receivers\n", info->corners,
                info->links, info->entries);
}

void report_database(const struct call *call, const char *path, const rw_database_info *info, double seconds)
{
    struct report report;
    report_begin(&report, call);
    json_string(&report.json, "kind", "database");
    json_string(&report.json, "file", path);
    json_string(&report.json, "model", info->model);
    report_text(&report, "database   %s, %.3g MB, of model %s\n", path, info->bytes / 1e6, info->model);
    if (info->tiles)
        report_tiles(&report, info);
    else
        report_corners(&report, info);
    json_number(&report.json, "bytes", info->bytes);
    if (!isnan(seconds)) {
        json_number(&report.json, "seconds", seconds);
        report_text(&report, "seconds    %.3f\n", seconds);
    }
    report_version(&report);
    report_end(&report);
}
