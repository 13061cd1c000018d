/* preprocess: the part of a prediction that does not depend on the transmitter, as a file. */
#include "command.h"
#include "report/json.h"

#include <stdio.h>
#include <string.h>

static void print_preprocess_json(const struct call *call, const rw_preprocess_estimate *estimate)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "kind", "estimate");
    json_string(&json, "command", call->command->name);
    json_string(&json, "model", model_of(call));
    json_count(&json, "tiles", estimate->tiles);
    json_count(&json, "corners", estimate->corners);
    json_number(&json, "pairs", estimate->pairs);
    json_number(&json, "seconds", estimate->seconds);
    json_number(&json, "file_bytes", estimate->file_bytes);
    json_number(&json, "memory_bytes", estimate->memory_bytes);
    json_number(&json, "device_memory_bytes", estimate->device_bytes);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

/* Before a long run: what it will take. */
static rw_status report_preprocess_estimate(struct call *call, const rw_scene *scene,
                                            const rw_preprocess_options *options)
{
    rw_preprocess_estimate estimate = {.size = sizeof estimate};
    int dry_run = call->settings.dry_run;
    if (!dry_run && (call->settings.json || call->settings.quiet))
        return RW_OK;
    rw_status status = rw_preprocess_get_estimate(scene, options, &estimate);
    if (status != RW_OK)
        return status;
    if (call->settings.json) {
        print_preprocess_json(call, &estimate);
        return RW_OK;
    }
    printf("estimate   %zu %s, %.3g pairs: about %.2g s, a file of %.2g MB; %.2g MB of memory",
           estimate.tiles ? estimate.tiles : estimate.corners, estimate.tiles ? "tiles" : "corners", estimate.pairs,
           estimate.seconds, estimate.file_bytes / 1e6, estimate.memory_bytes / 1e6);
    if (estimate.device_bytes > 0)
        printf(" and %.2g MB of the GPU", estimate.device_bytes / 1e6);
    if (estimate.bands > 1)
        printf(", in %zu bands", estimate.bands);
    putchar('\n');
    fflush(stdout);
    return RW_OK;
}

static int create_database(struct call *call, const rw_scene *scene, const rw_preprocess_options *options)
{
    const char *path = call->settings.out;
    rw_database_info info = {.size = sizeof info};
    rw_status status = report_preprocess_estimate(call, scene, options);
    if (call->settings.dry_run)
        return status == RW_OK ? 0 : report_status(call, status);
    double start_s = now_s();
    if (status == RW_OK)
        status = rw_preprocess(scene, options, path);
    double seconds = now_s() - start_s;
    if (status == RW_OK)
        status = rw_database_read_info(call->context, path, &info);
    wipe_progress(call);
    if (status != RW_OK)
        return report_status(call, status);
    if (call->settings.csr) {
        rw_database *database;
        status = rw_database_load(scene, path, &database);
        if (status == RW_OK)
            status = rw_database_write_csr(database, call->settings.csr);
        rw_database_destroy(database);
    }
    if (status != RW_OK)
        return report_status(call, status);
    if (call->settings.json || !call->settings.quiet)
        report_database(call, path, &info, seconds);
    return 0;
}

int command_preprocess(struct call *call)
{
    if (!call->settings.scene)
        return report_error("preprocess needs a scene: --scene FILE, or --scene city:european:seed=1");
    if (!call->settings.out && !call->settings.dry_run)
        return report_error("preprocess needs a file to write: --out city.rwdb");
    rw_scene *scene = NULL;
    rw_preprocess_options options;
    int exit_status = check_output_file("out", call->settings.out);
    if (!exit_status)
        exit_status = check_output_file("csr", call->settings.csr);
    if (!exit_status && call->settings.csr && strcmp(model_of(call), "tiles") != 0)
        exit_status = report_error("--csr is the matrix of tiles: --model tiles");
    if (!exit_status)
        exit_status = apply_preprocess_arguments(call, &options);
    if (!exit_status)
        exit_status = open_scene(call, call->settings.scene, &scene);
    if (!exit_status && model_argument_value(call, "area"))
        exit_status = transform_area(call, rw_scene_crs(scene), options.area_m);
    if (!exit_status)
        exit_status = create_database(call, scene, &options);
    rw_scene_destroy(scene);
    return exit_status;
}
