/* One door for every scene format: recognises the file by its content, reads it, puts the terrain under it, commits. */
#include "scene/readers/readers.h"

#include "base/file.h"
#include "base/options.h"
#include "base/path.h"
#include "base/range.h"
#include "scene/readers/gis/gis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The order matters: formats with a clear signature first, GDAL's many formats last. */
static const rw_reader *const readers[] = {&rw_reader_mitsuba, &rw_reader_ply, &rw_reader_floorplan,
                                           &rw_reader_cost231, &rw_reader_obj, &rw_reader_cityjson,
                                           &rw_reader_dxf,     &rw_reader_gis};
#define READER_COUNT (sizeof readers / sizeof *readers)

void rw_load_options_init_sized(rw_load_options *options, size_t size)
{
    const rw_load_options own = {.default_height_m = 10, .commit = 1, .area_m = {NAN, NAN, NAN, NAN}};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status find_reader(rw_context *context, const char *path, const char *format, const rw_reader **reader)
{
    char start[4097];
    size_t size;
    if (rw_path_is_folder(path)) { /* of shapefiles */
        *reader = &rw_reader_gis;
        return RW_OK;
    }
    RW_TRY(rw_file_peek(context, path, start, sizeof start - 1, &size));
    start[size] = 0;
    if (size == 0)
        return rw_fail(context, RW_BAD_INPUT, "%s is empty; make it again or give another file", path);
    for (size_t i = 0; i < READER_COUNT; i++) {
        int wanted = format ? strcmp(format, readers[i]->name) == 0 : readers[i]->recognises(path, start, size);
        if (wanted) {
            *reader = readers[i];
            return RW_OK;
        }
    }
    if (format)
        return rw_fail(context, RW_BAD_CALL,
                       "there is no format '%s'; use cost231, mitsuba, ply, obj, floorplan, dxf, cityjson or gis",
                       format);
    return rw_fail(
        context, RW_BAD_INPUT,
        "%s is not a scene: expected COST 231 .res, Mitsuba XML, PLY, OBJ, floor-plan CSV, DXF, CityJSON, or a "
        "GIS file that GDAL reads (GeoPackage, Shapefile, GeoJSON, OSM)",
        path);
}

static rw_status load_terrain(rw_scene *scene, const rw_load_options *options)
{
    if (!options->terrain)
        return RW_OK;
    if (strcmp(options->terrain, "flat") == 0)
        return rw_scene_set_flat(scene);
    memcpy(scene->terrain_area_m, options->terrain_area_m, sizeof scene->terrain_area_m);
    scene->terrain_area_crs = options->terrain_area_crs;
    rw_status status = rw_scene_read_terrain(scene, options->terrain);
    scene->terrain_area_crs = NULL;
    return status;
}

rw_status rw_reader_check_fields(rw_context *context, const char *path, const char *what, unsigned fields,
                                 const rw_load_options *options)
{
    const struct {
        unsigned field;
        const char *name, *value;
    } given[] = {{RW_READS_LAYER, "layer", options->layer},
                 {RW_READS_HEIGHT_FIELD, "height-field", options->height_field},
                 {RW_READS_STOREYS_FIELD, "storeys-field", options->storeys_field},
                 {RW_READS_HEIGHT_UNIT, "height-unit", options->height_unit}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value && !(fields & given[i].field))
            return rw_fail(context, RW_BAD_CALL, "%s %.60s is not read from %s (%s): leave it out", given[i].name,
                           given[i].value, path, what);
    return RW_OK;
}

/* A sentence about a feature or a line says also in which file. */
static rw_status read_scene_file(rw_scene *scene, const rw_reader *reader, const char *path,
                                 const rw_load_options *options)
{
    char message[RW_MESSAGE_MAX];
    rw_status status = reader->read(scene, path, options);
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    if (status != RW_BAD_INPUT || strstr(rw_last_error(scene->context), name))
        return status;
    snprintf(message, sizeof message, "%s", rw_last_error(scene->context));
    return rw_fail(scene->context, status, "%s: %s", path, message);
}

static rw_status load_scene_contents(rw_scene *scene, const char *path, const rw_load_options *options)
{
    const rw_reader *reader = NULL;
    double start_s = rw_seconds();
    RW_TRY(find_reader(scene->context, path, options->format, &reader));
    if (!isnan(options->area_m[0]) && reader != &rw_reader_gis)
        return rw_fail(scene->context, RW_UNSUPPORTED,
                       "%s is read whole: only GIS vector files, such as GeoPackage or FlatGeobuf, are read by parts",
                       path);
    if (!isnan(options->area_m[0]))
        memcpy(scene->read_area_m, options->area_m, sizeof scene->read_area_m);
    RW_TRY(rw_reader_check_fields(scene->context, path, reader->summary, reader->fields, options));
    RW_TRY(read_scene_file(scene, reader, path, options));
    RW_TRY(load_terrain(scene, options));
    if (options->surface)
        RW_TRY(rw_scene_read_surface(scene, options->surface, NULL));
    if (options->foliage)
        RW_TRY(rw_scene_read_foliage(scene, options->foliage));
    if (options->materials)
        RW_TRY(rw_scene_read_materials(scene, options->materials));
    if (options->mesh_buildings)
        RW_TRY(rw_scene_meshes_to_buildings(scene));
    scene->load_s = rw_seconds() - start_s;
    return options->commit ? rw_scene_commit(scene) : RW_OK;
}

/* FILE:LAYER, unless a file has the whole name. Returns the file. */
static const char *split_layer(const char *path, char file[RW_PATH_MAX], const char **layer)
{
    const char *colon = strrchr(path, ':');
    if (!colon || !colon[1] || rw_path_is_regular_file(path) || (size_t)(colon - path) >= RW_PATH_MAX)
        return path;
    snprintf(file, RW_PATH_MAX, "%.*s", (int)(colon - path), path);
    if (!rw_path_is_regular_file(file))
        return path;
    *layer = colon + 1;
    return file;
}

rw_status rw_scene_load(rw_context *context, const char *path, const rw_load_options *options, rw_scene **scene)
{
    *scene = NULL;
    rw_load_options chosen;
    rw_load_options_init(&chosen);
    if (options)
        RW_TRY(RW_RESOLVE(context, options, &chosen));
    if (!(chosen.default_height_m > 0) || !rw_is_altitude(chosen.default_height_m))
        return rw_fail(context, RW_BAD_CALL, "the default building height %g m is not above 0",
                       chosen.default_height_m);
    if (chosen.height_unit && !(rw_gis_unit_m(chosen.height_unit) > 0))
        return rw_fail(context, RW_BAD_CALL, "there is no unit of heights '%.40s'; use m or ft", chosen.height_unit);
    rw_scene *new_scene;
    char file[RW_PATH_MAX];
    if (!chosen.layer)
        path = split_layer(path, file, &chosen.layer);
    RW_TRY(rw_scene_create(context, &new_scene));
    rw_inputs_open(&new_scene->inputs);
    rw_status status = load_scene_contents(new_scene, path, &chosen);
    rw_inputs_close(&new_scene->inputs);
    if (status != RW_OK) {
        rw_scene_destroy(new_scene);
        return status;
    }
    *scene = new_scene;
    return RW_OK;
}
