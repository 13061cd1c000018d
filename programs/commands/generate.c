/* generate and import: a scene to a GeoPackage or GeoJSON file. */
#include "command.h"

#include <string.h>

/* Options of import. */
struct import_settings {
    struct scene_options scene;
    const char *out;
};

/* Options of generate. */
struct generate_settings {
    struct generator_options generator;
    const char *out;
};

static int save_scene(struct call *call, const rw_scene *scene, const char *path)
{
    TRY_RW(call, rw_scene_save(scene, path));
    report_one_file(call, path);
    return 0;
}

static int generate_and_save(struct call *call, rw_scene **scene)
{
    const struct generate_settings *settings = call->settings;
    const char *kind = call->input;
    if (!kind || !is_generator(kind) || strchr(kind, ':'))
        return report_error("generate %s: expected city, office or terrain", kind ? kind : "what?");
    if (!settings->out)
        return report_error("generate needs a file to write: --out %s.gpkg", kind);
    TRY(check_output_file("out", settings->out));
    rw_status status = generate_scene(call, &settings->generator, kind, scene);
    wipe_progress(call);
    TRY_RW(call, status);
    return save_scene(call, *scene, settings->out);
}

static int run_generate(struct call *call)
{
    rw_scene *scene = NULL;
    int exit_status = generate_and_save(call, &scene);
    rw_scene_destroy(scene);
    return exit_status;
}

static int import_and_save(struct call *call, rw_scene **scene)
{
    const struct import_settings *settings = call->settings;
    const char *source = call->input ? call->input : settings->scene.file;
    if (!source)
        return report_error("import needs a file to read: rasterwave import FILE --out scene.gpkg");
    if (!settings->out)
        return report_error("import needs a file to write: --out scene.gpkg");
    TRY(check_output_file("out", settings->out));
    TRY(open_scene(call, &settings->scene, source, scene));
    return save_scene(call, *scene, settings->out);
}

static int run_import(struct call *call)
{
    rw_scene *scene = NULL;
    int exit_status = import_and_save(call, &scene);
    rw_scene_destroy(scene);
    return exit_status;
}

#define AT(member) offsetof(struct generate_settings, member)
static const struct command_option generate_options[] = {{"style", AT(generator.style)},
                                                         {"size", AT(generator.size_m)},
                                                         {"seed", AT(generator.seed)},
                                                         {"hills", AT(generator.hills)},
                                                         {"storeys", AT(generator.storeys)},
                                                         {"storey-height", AT(generator.storey_height_m)},
                                                         {"spacing", AT(generator.spacing_m)},
                                                         {"relief", AT(generator.relief_m)},
                                                         {"out", AT(out)},
                                                         {"json", OF_CALL},
                                                         {"quiet", OF_CALL},
                                                         {NULL, 0}};
#undef AT

static const struct generate_settings generate_defaults = {.generator.seed = 1};

const struct command generate_command = {
    .name = "generate",
    .summary = "a scene from a seed, as .gpkg or .geojson",
    .input = "city|office|terrain",
    .options = generate_options,
    .settings_size = sizeof(struct generate_settings),
    .defaults = &generate_defaults,
    .examples = {"rasterwave generate city --size 1km,1km --seed 7 --hills --out city.gpkg",
                 "rasterwave generate office --storeys 2 --out office.gpkg"},
    .run = run_generate};

#define AT(member) offsetof(struct import_settings, member)
static const struct command_option import_options[] = {{"scene", AT(scene.file)},
                                                       {"format", AT(scene.format)},
                                                       {"terrain", AT(scene.terrain)},
                                                       {"foliage", AT(scene.foliage)},
                                                       {"materials", AT(scene.materials)},
                                                       {"crs", AT(scene.crs)},
                                                       {"height-field", AT(scene.height_field)},
                                                       {"storeys-field", AT(scene.storeys_field)},
                                                       {"height-unit", AT(scene.height_unit)},
                                                       {"default-height", AT(scene.default_height_m)},
                                                       {"out", AT(out)},
                                                       {"json", OF_CALL},
                                                       {"quiet", OF_CALL},
                                                       {"allow-outside", OF_CALL},
                                                       {NULL, 0}};
#undef AT

const struct command import_command = {.name = "import",
                                       .summary = "any GIS or mesh source to a GeoPackage scene",
                                       .input = "FILE",
                                       .options = import_options,
                                       .settings_size = sizeof(struct import_settings),
                                       .examples = {"rasterwave import city:grid:size=600m,600m --out grid.gpkg",
                                                    "rasterwave import grid.gpkg --terrain flat --out flat.gpkg"},
                                       .run = run_import};
