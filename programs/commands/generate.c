/* generate and import: a scene to a GeoPackage or GeoJSON file. */
#include "command.h"

#include <math.h>
#include <string.h>

/* Options of import. */
struct import_settings {
    struct scene_options scene;
    const char *out, *picture;
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
    const char *foreign = find_foreign_setting(call, kind);
    if (foreign)
        return report_error("--%s has no effect on generate %s", foreign, kind);
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

static void report_surface(struct report *report, const rw_surface_report *found)
{
    struct json *json = &report->json;
    if (!found->posts)
        return;
    json_object(json, "surface");
    json_count(json, "posts", found->posts);
    json_number(json, "spacing_m", found->spacing_m);
    json_count(json, "given", found->given);
    json_count(json, "measured", found->measured);
    json_count(json, "unmeasured", found->unmeasured);
    json_number(json, "mean_spread_m", found->measured ? found->mean_spread_m : NAN);
    json_count(json, "found", found->found);
    json_count(json, "squared", found->squared);
    json_number(json, "found_m2", found->found_m2);
    json_number(json, "foliage_m2", found->foliage_m2);
    json_object_end(json);
    report_text(report, "surface    %zu posts of %.3g m", found->posts, found->spacing_m);
    if (found->impossible)
        report_text(report, ", %zu without an altitude of land", found->impossible);
    report_text(report, "\nheights    %zu of the file, %zu from the surface", found->given, found->measured);
    if (found->measured)
        report_text(report, " (spread %.2f m)", found->mean_spread_m);
    report_text(report,
                ", %zu by default\nfound      %zu buildings without an outline, %.0f m2, %zu with right angles\n",
                found->unmeasured, found->found, found->found_m2, found->squared);
    report_text(report, "foliage    %.0f m2\n", found->foliage_m2);
}

static void report_import(struct call *call, const rw_scene *scene)
{
    const struct import_settings *settings = call->settings;
    rw_surface_report found = {.size = sizeof found};
    struct report report;
    report_begin(&report, call);
    if (rw_scene_get_surface_report(scene, &found) == RW_OK)
        report_surface(&report, &found);
    report_file(&report, "picture", settings->picture);
    report_file(&report, "file", settings->out);
    report_version(&report);
    report_end(&report);
}

/* A surface model and its terrain alone are a scene too. */
static int open_surface(struct call *call, const struct scene_options *options, rw_scene **scene)
{
    *scene = NULL;
    TRY_RW(call, rw_scene_create(call->context, scene));
    if (options->crs)
        TRY_RW(call, rw_scene_set_crs(*scene, options->crs));
    if (!options->terrain)
        return report_error("--surface needs the terrain below it: --terrain DTM.tif");
    TRY_RW(call, rw_scene_read_terrain(*scene, options->terrain));
    TRY_RW(call, rw_scene_read_surface(*scene, options->surface, NULL));
    if (options->foliage)
        TRY_RW(call, rw_scene_read_foliage(*scene, options->foliage));
    if (options->materials)
        TRY_RW(call, rw_scene_read_materials(*scene, options->materials));
    TRY_RW(call, rw_scene_commit(*scene));
    return 0;
}

static int import_and_save(struct call *call, rw_scene **scene)
{
    const struct import_settings *settings = call->settings;
    const char *source = call->input ? call->input : settings->scene.file;
    if (!source && !settings->scene.surface)
        return report_error("import needs a file to read: rasterwave import FILE --out scene.gpkg");
    if (!settings->out)
        return report_error("import needs a file to write: --out scene.gpkg");
    if (source && settings->scene.surface && is_generator(source))
        return report_error("--surface is of files: %s is a generator", source);
    TRY(check_output_file("out", settings->out));
    TRY(check_picture_name("picture", settings->picture));
    TRY(check_output_file("picture", settings->picture));
    TRY(source ? open_scene(call, &settings->scene, source, scene) : open_surface(call, &settings->scene, scene));
    TRY_RW(call, rw_scene_save(*scene, settings->out));
    if (settings->picture)
        TRY_RW(call, rw_scene_draw_heights(*scene, settings->picture));
    report_import(call, *scene);
    return 0;
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
    .is_served = 1,
    .default_out = "scene.gpkg",
    .input_is_word = 1,
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
                                                       {"surface", AT(scene.surface)},
                                                       {"picture", AT(picture)},
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
                                       .is_served = 1,
                                       .default_out = "scene.gpkg",
                                       .options = import_options,
                                       .settings_size = sizeof(struct import_settings),
                                       .examples = {"rasterwave import city:grid:size=600m,600m --out grid.gpkg",
                                                    "rasterwave import grid.gpkg --terrain flat --out flat.gpkg"},
                                       .run = run_import};
