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

static void json_rays(struct json *json, const rw_stored_rays_info *rays)
{
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
    json_list(json, "by_interactions");
    for (int i = 0; i <= rays->depth && i < 8; i++)
        json_count(json, NULL, rays->by_count[i]);
    json_list_end(json);
    json_object_end(json);
}

static void print_rays(const rw_stored_rays_info *rays)
{
    printf("rays       %zu of %zu transmitter%s: %zu to tiles, %zu to points; %zu begin at scattering tiles\n",
           rays->rays, rays->transmitters, rays->transmitters == 1 ? "" : "s", rays->to_tiles, rays->to_points,
           rays->scattered);
    printf("length    ");
    for (int i = 0; i <= rays->depth && i < 8; i++)
        printf("%s %zu with %d", i ? "," : "", rays->by_count[i], i);
    printf(" interactions; %zu reflections, %zu diffractions\n", rays->reflected, rays->diffracted);
    printf("limits     depth %d, reflections %d, diffractions %d, scatterings %d; down to %g dB at %.6g MHz\n",
           rays->depth, rays->reflections, rays->diffractions, rays->scatterings, rays->loss_db, rays->freq_hz / 1e6);
    printf("among      %zu tiles, %zu edges, %zu points\n", rays->tiles, rays->edges, rays->points);
}

static void print_stored_file_json(const char *path, const rw_stored_file *file, const rw_stored_file_info *info,
                                   const rw_stored_rays_info *rays)
{
    struct json json;
    char scene[24];
    snprintf(scene, sizeof scene, "%016llx", (unsigned long long)info->scene);
    json_begin(&json, stdout);
    json_string(&json, "kind", info->kind);
    json_string(&json, "file", path);
    json_string(&json, "model", info->model);
    json_count(&json, "format", info->version);
    json_string(&json, "made_by", info->program);
    json_string(&json, "scene", scene);
    json_number(&json, "bytes", info->bytes);
    json_list(&json, "sections");
    for (size_t i = 0; i < info->sections; i++) {
        rw_stored_section section = {.size = sizeof section};
        if (rw_stored_file_get_section(file, i, &section) != RW_OK)
            continue;
        json_object(&json, NULL);
        json_string(&json, "name", section.name);
        json_count(&json, "parts", section.count);
        json_number(&json, "elements", section.elements);
        json_number(&json, "bytes", section.bytes);
        json_object_end(&json);
    }
    json_list_end(&json);
    if (has_rays(info))
        json_rays(&json, rays);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

static void print_stored_file(const rw_stored_file *file, const rw_stored_file_info *info)
{
    printf("format     %s, version %u, made by %s\n", info->kind, (unsigned)info->version, info->program);
    printf("scene      %016llx\n", (unsigned long long)info->scene);
    for (size_t i = 0; i < info->sections; i++) {
        rw_stored_section section = {.size = sizeof section};
        if (rw_stored_file_get_section(file, i, &section) == RW_OK)
            printf("section    %s: %.10g elements in %zu part%s, %.10g bytes\n", section.name, section.elements,
                   section.count, section.count == 1 ? "" : "s", section.bytes);
    }
}

/* A database tells what it holds beside its sections. */
static int describe_database(struct call *call, const char *path)
{
    rw_database_info info = {.size = sizeof info};
    rw_status status = rw_database_read_info(call->context, path, &info);
    if (status != RW_OK)
        return report_status(call, status);
    report_database(call, path, &info, NAN);
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
    rw_stored_rays_info rays = {.size = sizeof rays};
    rw_status status = has_rays(info) ? rw_stored_file_get_rays(file, SIZE_MAX, &rays) : RW_OK;
    if (status != RW_OK)
        return report_status(call, status);
    if (call->json) {
        print_stored_file_json(path, file, info, &rays);
    } else if (!call->quiet) {
        printf("kept       %s, %.3g MB, of model %s\n", path, info->bytes / 1e6, info->model);
        if (has_rays(info))
            print_rays(&rays);
    }
    return 0;
}

static int describe_open_file(struct call *call, const char *path, rw_stored_file *file)
{
    rw_stored_file_info info = {.size = sizeof info};
    int as_text = !call->json && !call->quiet, is_database;
    rw_stored_file_get_info(file, &info);
    is_database = strstr(info.kind, "database") != NULL;
    if (is_database && (call->json || as_text))
        TRY(describe_database(call, path));
    else if (!is_database)
        TRY(describe_paths(call, path, file, &info));
    if (as_text)
        print_stored_file(file, &info);
    return 0;
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
