/* generate and import: a scene to a GeoPackage or GeoJSON file. */
#include "report/json.h"

#include "command.h"

#include <stdio.h>
#include <string.h>

static int save(struct call *call, const rw_scene *scene, const char *path)
{
    rw_status status = rw_scene_save(scene, path);
    if (status != RW_OK)
        return report_status(call, status);
    if (call->settings.json) {
        struct json json;
        json_begin(&json, stdout);
        json_string(&json, "file", path);
        json_string(&json, "version", rw_version());
        json_end(&json);
    } else if (!call->settings.quiet) {
        puts(path);
    }
    return 0;
}

int command_generate(struct call *call)
{
    const char *kind = call->settings.input;
    if (!kind || !is_generator(kind) || strchr(kind, ':'))
        return report_error("generate %s: expected city, office or terrain", kind ? kind : "what?");
    if (!call->settings.out)
        return report_error("generate needs a file to write: --out %s.gpkg", kind);
    rw_scene *scene = NULL;
    int exit_status = check_output_file("out", call->settings.out);
    if (exit_status)
        return exit_status;
    rw_status status = generate_scene(call, kind, &scene);
    wipe_progress(call);
    exit_status = status == RW_OK ? save(call, scene, call->settings.out) : report_status(call, status);
    rw_scene_destroy(scene);
    return exit_status;
}

int command_import(struct call *call)
{
    const char *source = call->settings.input ? call->settings.input : call->settings.scene;
    if (!source)
        return report_error("import needs a file to read: rasterwave import FILE --out scene.gpkg");
    if (!call->settings.out)
        return report_error("import needs a file to write: --out scene.gpkg");
    rw_scene *scene = NULL;
    int exit_status = check_output_file("out", call->settings.out);
    if (!exit_status)
        exit_status = open_scene(call, source, &scene);
    if (!exit_status)
        exit_status = save(call, scene, call->settings.out);
    rw_scene_destroy(scene);
    return exit_status;
}
