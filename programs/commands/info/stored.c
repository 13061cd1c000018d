/* info of files that the library keeps: databases, kept beams and kept rays; the matrix of a tile database. */
#include "report/json.h"

#include "commands/info/info.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int has_rays(const rw_stored_file_info *info)
{
    return strcmp(info->kind, "kept rays") == 0;
}

static void report_stored_rays(struct report *report, const rw_stored_rays_info *rays)
{
    struct json *json = &report->json;
    json_object(json, "rays");
    json_count(json, "transmitters", rays->transmitters);
    json_count(json, "tiles", rays->tiles);
    json_count(json, "edges", rays->edges);
    json_count(json, "points", rays->points);
    json_count(json, "depth", (size_t)rays->depth);
    json_count(json, "reflections", (size_t)rays->reflections);
    json_count(json, "diffractions", (size_t)rays->diffractions);
    json_count(json, "scatterings", (size_t)rays->scatterings);
    json_number(json, "freq_hz", rays->freq_hz);
    json_number(json, "loss_db", rays->loss_db);
    json_count(json, "count", rays->rays);
    json_count(json, "to_tiles", rays->to_tiles);
    json_count(json, "to_points", rays->to_points);
    json_count(json, "scattered", rays->scattered);
    report_text(report,
                "rays       %zu of %zu transmitter%s: %zu to tiles, %zu to points; %zu begin at scattering tiles\n",
                rays->rays, rays->transmitters, rays->transmitters == 1 ? "" : "s", rays->to_tiles, rays->to_points,
                rays->scattered);
    report_text(report, "length    ");
    json_list(json, "by_interactions");
    for (int i = 0; i <= rays->depth && i < 8; i++) {
        json_count(json, NULL, rays->by_count[i]);
        report_text(report, "%s %zu with %d", i ? "," : "", rays->by_count[i], i);
    }
    json_list_end(json);
    json_object_end(json);
    report_text(report, " interactions; %zu reflections, %zu diffractions\n", rays->reflected, rays->diffracted);
    report_text(
        report, "limits     depth %d, reflections %d, diffractions %d, scatterings %d; down to %g dB at %.6g MHz\n",
        rays->depth, rays->reflections, rays->diffractions, rays->scatterings, rays->loss_db, rays->freq_hz / 1e6);
    report_text(report, "among      %zu tiles, %zu edges, %zu points\n", rays->tiles, rays->edges, rays->points);
}

/* What every stored file has: its format, scene and sections. */
static void report_sections(struct report *report, const rw_stored_file *file, const rw_stored_file_info *info)
{
    struct json *json = &report->json;
    char scene[24];
    snprintf(scene, sizeof scene, "%016llx", (unsigned long long)info->scene);
    json_count(json, "format", info->version);
    json_string(json, "made_by", info->program);
    json_string(json, "scene", scene);
    report_text(report, "format     %s, version %u, made by %s\n", info->kind, (unsigned)info->version, info->program);
    report_text(report, "scene      %s\n", scene);
    json_list(json, "sections");
    for (size_t i = 0; i < info->sections; i++) {
        rw_stored_section section = {.size = sizeof section};
        if (rw_stored_file_get_section(file, i, &section) != RW_OK)
            continue;
        json_object(json, NULL);
        json_string(json, "name", section.name);
        json_count(json, "parts", section.count);
        json_number(json, "elements", section.elements);
        json_number(json, "bytes", section.bytes);
        json_object_end(json);
        report_text(report, "section    %s: %.10g elements in %zu part%s, %.10g bytes\n", section.name,
                    section.elements, section.count, section.count == 1 ? "" : "s", section.bytes);
    }
    json_list_end(json);
}

/* What a database holds in addition to its sections, which are printed as text alone. */
static int describe_database(struct call *call, const char *path, const rw_stored_file *file,
                             const rw_stored_file_info *stored)
{
    rw_database_info info = {.size = sizeof info};
    struct report report = {.text = call->json || call->quiet ? NULL : stdout};
    if (call->quiet && !call->json)
        return 0;
    TRY_RW(call, rw_database_read_info(call->context, path, &info));
    report_database(call, path, &info, NAN);
    report_sections(&report, file, stored);
    return 0;
}

/* The matrix of a database needs its scene, of which its tiles are made again. */
static int export_csr(struct call *call, const char *path)
{
    const struct info_settings *settings = call->settings;
    rw_scene *scene = NULL;
    rw_database *database = NULL;
    TRY(check_output_file("csr", settings->csr));
    int exit_status = open_scene(call, &settings->scene, settings->scene.file, &scene);
    rw_status status = exit_status ? RW_OK : rw_database_load(scene, path, &database);
    if (!exit_status && status == RW_OK)
        status = rw_database_write_csr(database, settings->csr);
    if (status != RW_OK)
        exit_status = report_status(call, status);
    rw_database_destroy(database);
    rw_scene_destroy(scene);
    return exit_status;
}

static int describe_paths(struct call *call, const char *path, rw_stored_file *file, const rw_stored_file_info *info)
{
    struct report report;
    rw_stored_rays_info rays = {.size = sizeof rays};
    if (has_rays(info))
        TRY_RW(call, rw_stored_file_get_rays(file, SIZE_MAX, &rays));
    report_begin(&report, call);
    json_string(&report.json, "kind", info->kind);
    json_string(&report.json, "file", path);
    json_string(&report.json, "model", info->model);
    json_number(&report.json, "bytes", info->bytes);
    report_text(&report, "kept       %s, %.3g MB, of model %s\n", path, info->bytes / 1e6, info->model);
    if (has_rays(info))
        report_stored_rays(&report, &rays);
    report_sections(&report, file, info);
    report_version(&report);
    report_end(&report);
    return 0;
}

static int describe_open_file(struct call *call, const char *path, rw_stored_file *file)
{
    rw_stored_file_info info = {.size = sizeof info};
    rw_stored_file_get_info(file, &info);
    return strstr(info.kind, "database") ? describe_database(call, path, file, &info)
                                         : describe_paths(call, path, file, &info);
}

int describe_stored_file(struct call *call, const char *path)
{
    const struct info_settings *settings = call->settings;
    rw_stored_file *file;
    if (settings->csr && !settings->scene.file)
        return report_error("--csr needs the scene of the database: --scene FILE");
    TRY_RW(call, rw_stored_file_open(call->context, path, &file));
    int exit_status = describe_open_file(call, path, file);
    rw_stored_file_close(file);
    TRY(exit_status);
    return settings->csr ? export_csr(call, path) : 0;
}
