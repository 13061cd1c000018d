/* A scene from its name: a file, or a generator with its settings ("city:grid:hills:seed=2:size=1km,1km", "office",
 * "terrain:relief=80m"), so that every command also works without any file. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const kinds[] = {"city", "office", "terrain"};

int is_generator(const char *source)
{
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(kinds[i]);
        if (strncmp(source, kinds[i], length) == 0 && (source[length] == ':' || source[length] == 0))
            return access(source, F_OK) != 0;
    }
    return 0;
}

/* A size that was not given keeps the generator's own. */
static void override_default(double user_value, double *value)
{
    if (user_value != 0)
        *value = user_value;
}

static rw_status generate_city(struct call *call, const struct generator_options *settings, rw_scene **scene)
{
    rw_city_options options;
    rw_city_options_init(&options);
    if (settings->style)
        options.style = settings->style;
    override_default(settings->size_m[0], &options.width_m);
    override_default(settings->size_m[1], &options.depth_m);
    options.seed = settings->seed;
    options.hills = settings->hills;
    return rw_generate_city(call->context, &options, scene);
}

static rw_status generate_office(struct call *call, const struct generator_options *settings, rw_scene **scene)
{
    rw_office_options options;
    rw_office_options_init(&options);
    override_default(settings->size_m[0], &options.width_m);
    override_default(settings->size_m[1], &options.depth_m);
    override_default(settings->storey_height_m, &options.storey_height_m);
    if (settings->storeys)
        options.storeys = settings->storeys;
    options.seed = settings->seed;
    return rw_generate_office(call->context, &options, scene);
}

static rw_status generate_terrain(struct call *call, const struct generator_options *settings, rw_scene **scene)
{
    rw_terrain_options options;
    rw_terrain_options_init(&options);
    override_default(settings->size_m[0], &options.width_m);
    override_default(settings->size_m[1], &options.depth_m);
    override_default(settings->spacing_m, &options.spacing_m);
    override_default(settings->relief_m, &options.relief_m);
    options.seed = settings->seed;
    return rw_generate_terrain(call->context, &options, scene);
}

rw_status generate_scene(struct call *call, const struct generator_options *options, const char *kind, rw_scene **scene)
{
    *scene = NULL;
    if (strcmp(kind, "city") == 0)
        return generate_city(call, options, scene);
    if (strcmp(kind, "office") == 0)
        return generate_office(call, options, scene);
    return generate_terrain(call, options, scene);
}

#define AT(member) offsetof(struct generator_options, member)
/* Settings, and the kinds that have them. */
static const struct {
    const char *name;
    size_t at;
    const char *kinds;
} generator_settings[] = {{"style", AT(style), "city"},
                          {"size", AT(size_m), "city office terrain"},
                          {"seed", AT(seed), "city office terrain"},
                          {"hills", AT(hills), "city"},
                          {"storeys", AT(storeys), "office"},
                          {"storey-height", AT(storey_height_m), "office"},
                          {"spacing", AT(spacing_m), "terrain"},
                          {"relief", AT(relief_m), "terrain"}};
#undef AT
#define GENERATOR_SETTING_COUNT (sizeof generator_settings / sizeof *generator_settings)

const char *find_foreign_setting(const struct call *call, const char *kind)
{
    for (size_t i = 0; i < GENERATOR_SETTING_COUNT; i++)
        if (is_option_given(call, generator_settings[i].name) && !strstr(generator_settings[i].kinds, kind))
            return generator_settings[i].name;
    return NULL;
}

static int apply_generator_option(struct call *call, struct generator_options *options, size_t index,
                                  const char *string)
{
    return apply_option(call, find_option(generator_settings[index].name),
                        (char *)options + generator_settings[index].at, string);
}

/* One part of a generator's name: "seed=2", "hills", or a style. */
static int apply_generator_setting(struct call *call, const char *source, const char *kind, const char *setting,
                                   struct generator_options *options)
{
    const char *equals = strchr(setting, '=');
    size_t length = equals ? (size_t)(equals - setting) : strlen(setting);
    if (!equals && strcmp(kind, "city") == 0 && (strcmp(setting, "european") == 0 || strcmp(setting, "grid") == 0))
        return apply_generator_option(call, options, 0, setting);
    for (size_t i = 0; i < GENERATOR_SETTING_COUNT; i++) {
        const char *name = generator_settings[i].name;
        if (strlen(name) != length || memcmp(name, setting, length) != 0 || (!equals && strcmp(name, "hills") != 0))
            continue;
        if (!strstr(generator_settings[i].kinds, kind))
            return report_error("%s: '%s' is a setting of %s, not of %s", source, setting, generator_settings[i].kinds,
                                kind);
        return apply_generator_option(call, options, i, equals ? equals + 1 : "true");
    }
    return report_error("%s: '%s' is no setting of a generator; write for example city:grid:seed=2:size=1km,1km",
                        source, setting);
}

/* Next to a scene's name: terrain, foliage, materials and coordinate system. */
static rw_status finish_generated(const struct scene_options *settings, rw_scene *scene)
{
    rw_status status = settings->crs ? rw_scene_set_crs(scene, settings->crs) : RW_OK;
    if (status == RW_OK && settings->terrain)
        status = strcmp(settings->terrain, "flat") == 0 ? rw_scene_set_flat(scene)
                                                        : rw_scene_read_terrain(scene, settings->terrain);
    if (status == RW_OK && settings->foliage)
        status = rw_scene_read_foliage(scene, settings->foliage);
    if (status == RW_OK && settings->materials)
        status = rw_scene_read_materials(scene, settings->materials);
    return status == RW_OK ? rw_scene_commit(scene) : status;
}

static int open_generated(struct call *call, const struct scene_options *options, const char *source, rw_scene **scene)
{
    char copy[512];
    struct generator_options generator = {.seed = 1};
    const struct {
        const char *name, *value;
    } of_files[] = {{"height-field", options->height_field},
                    {"storeys-field", options->storeys_field},
                    {"height-unit", options->height_unit},
                    {"format", options->format},
                    {"surface", options->surface}};
    for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
        if (of_files[i].value)
            return report_error("--%s is of files: %s is a generator", of_files[i].name, source);
    if (options->default_height_m != 0)
        return report_error("--default-height is of files: %s is a generator", source);
    if (strlen(source) >= sizeof copy)
        return report_error("%.60s... is too long for a generator", source);
    strcpy(copy, source);
    char *kind = strtok(copy, ":");
    for (char *setting = strtok(NULL, ":"); setting; setting = strtok(NULL, ":")) {
        TRY(apply_generator_setting(call, source, kind, setting, &generator));
    }
    rw_status status = generate_scene(call, &generator, kind, scene);
    if (status == RW_OK)
        status = finish_generated(options, *scene);
    if (status == RW_OK)
        return 0;
    int exit_status = report_status(call, status);
    rw_scene_destroy(*scene);
    *scene = NULL;
    return exit_status;
}

int wants_buildings(const struct call *call)
{
    const char *model = model_of(call);
    return call->command->calls && (strcmp(model, "shadow") == 0 || strcmp(model, "beams") == 0);
}

/* An area in numbers, so that terrain is read as far as the map goes; the scenes of serve are for every area. */
static void set_terrain_area(const struct call *call, rw_load_options *options)
{
    const char *area = model_argument_value(call, "area");
    double box[4];
    int end = 0;
    if (!area || call->own_scene || sscanf(area, "%lf,%lf,%lf,%lf%n", &box[0], &box[1], &box[2], &box[3], &end) != 4 ||
        area[end])
        return;
    memcpy(options->terrain_area_m, box, sizeof box);
    options->terrain_area_crs = call->points_crs;
}

rw_status load_scene(struct call *call, const struct scene_options *settings, const char *source, const double *area_m,
                     rw_scene **scene)
{
    rw_load_options options;
    rw_load_options_init(&options);
    options.format = settings->format;
    options.height_field = settings->height_field;
    options.storeys_field = settings->storeys_field;
    options.height_unit = settings->height_unit;
    options.crs = settings->crs;
    options.terrain = settings->terrain;
    options.surface = settings->surface;
    options.foliage = settings->foliage;
    options.materials = settings->materials;
    options.mesh_buildings = wants_buildings(call);
    override_default(settings->default_height_m, &options.default_height_m);
    if (area_m)
        memcpy(options.area_m, area_m, sizeof options.area_m);
    set_terrain_area(call, &options);
    return rw_scene_load(call->context, source, &options, scene);
}

int check_scene_is_named(const struct scene_options *options)
{
    if (!options->file && options->terrain)
        return report_error("--terrain %s belongs to a scene: give --scene FILE", options->terrain);
    return 0;
}

int open_scene(struct call *call, const struct scene_options *options, const char *source, rw_scene **scene)
{
    *scene = NULL;
    if (is_generator(source))
        return open_generated(call, options, source, scene);
    rw_status status = load_scene(call, options, source, NULL, scene);
    return status == RW_OK ? 0 : report_status(call, status);
}
