/* preprocess: the part of a prediction that does not depend on the transmitter, as a file. */
#include "command.h"

#include <stdio.h>
#include <string.h>

/* Options of preprocess. */
struct preprocess_settings {
    struct scene_options scene;
    const char *csr, *out;
};

static void report_preprocess_estimate(struct report *report, const struct call *call,
                                       const rw_preprocess_estimate *estimate)
{
    struct json *json = &report->json;
    json_string(json, "kind", "estimate");
    json_string(json, "command", call->command->name);
    json_string(json, "model", model_of(call));
    json_count(json, "tiles", estimate->tiles);
    json_count(json, "corners", estimate->corners);
    json_number(json, "pairs", estimate->pairs);
    json_number(json, "seconds", estimate->seconds);
    json_number(json, "file_bytes", estimate->file_bytes);
    json_number(json, "memory_bytes", estimate->memory_bytes);
    json_number(json, "device_memory_bytes", estimate->device_bytes);
    report_version(report);
    report_text(report, "estimate   %zu %s, %.3g pairs: about %.2g s, a file of %.2g MB; %.2g MB of memory",
                estimate->tiles ? estimate->tiles : estimate->corners, estimate->tiles ? "tiles" : "corners",
                estimate->pairs, estimate->seconds, estimate->file_bytes / 1e6, estimate->memory_bytes / 1e6);
    if (estimate->device_bytes > 0)
        report_text(report, " and %.2g MB of the GPU", estimate->device_bytes / 1e6);
    if (estimate->bands > 1)
        report_text(report, ", in %zu bands", estimate->bands);
    report_text(report, "\n");
}

/* Before a long run, or with --dry-run: what it will take. */
static int estimate_preprocess(struct call *call, const rw_scene *scene, const rw_preprocess_options *options)
{
    rw_preprocess_estimate estimate = {.size = sizeof estimate};
    struct report report;
    if (!call->dry_run && (call->json || call->quiet))
        return 0;
    TRY_RW(call, rw_preprocess_get_estimate(scene, options, &estimate));
    report_begin(&report, call);
    if (!call->json)
        report.text = stdout;
    report_preprocess_estimate(&report, call, &estimate);
    report_end(&report);
    fflush(stdout);
    return 0;
}

static int write_csr(struct call *call, const rw_scene *scene)
{
    const struct preprocess_settings *settings = call->settings;
    rw_database *database;
    TRY_RW(call, rw_database_load(scene, settings->out, &database));
    rw_status status = rw_database_write_csr(database, settings->csr);
    rw_database_destroy(database);
    TRY_RW(call, status);
    return 0;
}

static int create_database(struct call *call, const rw_scene *scene, const rw_preprocess_options *options)
{
    const struct preprocess_settings *settings = call->settings;
    rw_database_info info = {.size = sizeof info};
    TRY(estimate_preprocess(call, scene, options));
    if (call->dry_run)
        return 0;
    double start_s = now_s();
    rw_status status = rw_preprocess(scene, options, settings->out);
    double seconds = now_s() - start_s;
    wipe_progress(call);
    TRY_RW(call, status);
    TRY_RW(call, rw_database_read_info(call->context, settings->out, &info));
    if (settings->csr)
        TRY(write_csr(call, scene));
    report_database(call, settings->out, &info, seconds);
    return 0;
}

static int preprocess_scene(struct call *call, rw_scene **scene)
{
    const struct preprocess_settings *settings = call->settings;
    rw_preprocess_options options;
    if (!settings->scene.file)
        return report_error("preprocess needs a scene: --scene FILE, or --scene city:european:seed=1");
    if (!settings->out && !call->dry_run)
        return report_error("preprocess needs a file to write: --out city.rwdb");
    TRY(check_output_file("out", settings->out));
    TRY(check_output_file("csr", settings->csr));
    if (settings->csr && strcmp(model_of(call), "tiles") != 0)
        return report_error("--csr is the matrix of tiles: --model tiles");
    TRY(apply_preprocess_arguments(call, &options));
    TRY(open_scene(call, &settings->scene, settings->scene.file, scene));
    if (model_argument_value(call, "area"))
        TRY(transform_area(call, rw_scene_crs(*scene), options.area_m));
    return create_database(call, *scene, &options);
}

static int run_preprocess(struct call *call)
{
    rw_scene *scene = NULL;
    int exit_status = preprocess_scene(call, &scene);
    rw_scene_destroy(scene);
    return exit_status;
}

#define AT(member) offsetof(struct preprocess_settings, member)
static const struct command_option preprocess_options[] = {{"scene", AT(scene.file)},
                                                           {"terrain", AT(scene.terrain)},
                                                           {"crs", AT(scene.crs)},
                                                           {"height-field", AT(scene.height_field)},
                                                           {"storeys-field", AT(scene.storeys_field)},
                                                           {"height-unit", AT(scene.height_unit)},
                                                           {"points-crs", OF_CALL},
                                                           {"model", OF_CALL},
                                                           {"backend", OF_CALL},
                                                           {"threads", OF_CALL},
                                                           {"csr", AT(csr)},
                                                           {"out", AT(out)},
                                                           {"json", OF_CALL},
                                                           {"quiet", OF_CALL},
                                                           {"allow-outside", OF_CALL},
                                                           {"dry-run", OF_CALL},
                                                           {NULL, 0}};
#undef AT

const struct command preprocess_command = {
    .name = "preprocess",
    .summary = "database of what sees what: corners (shadow) or tiles",
    .is_served = 1,
    .default_out = "database.rwdb",
    .options = preprocess_options,
    .settings_size = sizeof(struct preprocess_settings),
    .calls = RW_OPTION_OF_PREPROCESS,
    .examples = {"rasterwave preprocess --scene city:european:seed=1:size=500m,500m --out city.rwdb",
                 "rasterwave preprocess --scene city:grid:size=600m,600m --model tiles --out grid.rwdb"},
    .run = run_preprocess};
