/* Buildings from any GIS file: polygons with height attributes become prisms in metres.
 *
 * Projected coordinates in metres are kept; all others are brought into the UTM zone of the layer's centre. A
 * GeoPackage that rasterwave saved is read whole (read_stored_scene.c); a raster alone is a terrain. */
#include "scene/readers/readers.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/range.h"
#include "scene/readers/gis/gis.h"
#include "scene/readers/floor_plans/floor_plan.h"
#include "scene/surface/surface.h"
#include "scene/stored/stored_scene.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TERRAIN_RADIUS_M 50.0 /* of the ground that models in space stand on, as of CityJSON */

static int bytes_contain_word(const char *start, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(start + i, word, length) == 0)
            return 1;
    return 0;
}

/* By signature, so that a build without GDAL can say what it lacks; the rest by asking GDAL. */
static int recognise_gis(const char *path, const char *start, size_t size)
{
    size_t space = 0, line = strcspn(start, "\r\n");
    if (rw_path_has_extension(path, ".csv")) /* with shapes as text */
        return bytes_contain_word(start, line, "wkt") || bytes_contain_word(start, line, "WKT") ||
               bytes_contain_word(start, line, "geom");
    while (space < size && isspace((unsigned char)start[space]))
        space++;
    if (size >= 16 && memcmp(start, "SQLite format 3", 16) == 0)
        return 1;
    if (size >= 4 && (memcmp(start, "\x00\x00\x27\x0a", 4) == 0 || memcmp(start, "fgb\x03", 4) == 0))
        return 1;
    if (bytes_contain_word(start, size, "<osm") || bytes_contain_word(start, size < 64 ? size : 64, "OSMHeader"))
        return 1;
    if (space < size && start[space] == '{' && bytes_contain_word(start, size, "\"Feature"))
        return 1;
    return rw_gdal_recognises(path);
}

const char *rw_gis_describe(const rw_gis_outlines *from, long long feature, char description[160])
{
    snprintf(description, 160, "feature %lld of layer %.80s", feature, from->layer);
    return description;
}

rw_status rw_gis_note(const rw_gis_outlines *from, const char *what, long long feature)
{
    char example[160];
    return rw_scene_note(from->scene, what, rw_gis_describe(from, feature, example));
}

/* 0: usable; otherwise what is wrong with the polygon. */
static const char *check_polygon(const double *xy, const size_t *ring_sizes, size_t ring_count)
{
    size_t points = 0;
    for (size_t i = 0; i < ring_count; i++)
        points += ring_sizes[i];
    if (rw_find_bad_coordinate(xy, 2 * points) < 2 * points)
        return "outlines with a coordinate that is not a finite number left out";
    return ring_sizes[0] < 3 ? "outlines of fewer than three points left out" : NULL;
}

static rw_status copy_rings(rw_gis_outlines *into, const double *xy, const size_t *ring_sizes, size_t ring_count,
                            rw_gis_outline *gis_outline)
{
    rw_context *context = into->scene->context;
    for (size_t i = 0; i < ring_count; xy += 2 * ring_sizes[i++]) {
        if (ring_sizes[i] < 3) {
            RW_TRY(rw_gis_note(into, "holes of fewer than three points left out", gis_outline->feature));
            continue;
        }
        RW_TRY(rw_array_reserve(context, &into->xy, &into->xy_capacity, 2 * (into->point_count + ring_sizes[i]),
                                sizeof *into->xy, "outlines"));
        RW_TRY(rw_array_reserve(context, &into->ring_sizes, &into->ring_capacity, into->ring_count + 1,
                                sizeof *into->ring_sizes, "outlines"));
        memcpy(into->xy + 2 * into->point_count, xy, 2 * ring_sizes[i] * sizeof *xy);
        into->point_count += ring_sizes[i];
        into->ring_sizes[into->ring_count++] = ring_sizes[i];
        gis_outline->ring_count++;
        gis_outline->point_count += ring_sizes[i];
    }
    return RW_OK;
}

static rw_status collect_polygon(rw_gis_outlines *into, const double *xy, const size_t *ring_sizes, size_t ring_count,
                                 const rw_gis_outline *about)
{
    rw_gis_outline gis_outline = *about;
    const char *problem = check_polygon(xy, ring_sizes, ring_count);
    if (problem)
        return rw_gis_note(into, problem, gis_outline.feature);
    RW_TRY(rw_array_reserve(into->scene->context, &into->items, &into->capacity, into->count + 1, sizeof *into->items,
                            "outlines"));
    gis_outline.first_point = into->point_count;
    gis_outline.first_ring = into->ring_count;
    if (about->values.surface) /* the file's own goes with the feature */
        RW_TRY(rw_scene_store_string(into->scene, about->values.surface, &gis_outline.values.surface));
    RW_TRY(copy_rings(into, xy, ring_sizes, ring_count, &gis_outline));
    into->items[into->count++] = gis_outline;
    return RW_OK;
}

static rw_status collect_polygons(rw_gis_outlines *into, const rw_vector_shape *shape, const double *z,
                                  const rw_gis_outline *about)
{
    int is_reported = 0;
    size_t first_point = 0;
    for (size_t i = 0; i < shape->polygon_count; i++) {
        size_t first = shape->polygon_first[i], rings = shape->polygon_first[i + 1] - first;
        rw_gis_outline gis_outline = *about;
        int is_outline = rw_gis_heights_from_z(shape, z, i, first_point, &gis_outline);
        if (is_outline && gis_outline.values.problem && !is_reported)
            RW_TRY(rw_gis_note(into, gis_outline.values.problem, gis_outline.feature));
        is_reported |= is_outline;
        if (is_outline)
            RW_TRY(collect_polygon(into, shape->xy + 2 * first_point, shape->ring_sizes + first, rings, &gis_outline));
        for (size_t ring = 0; ring < rings; ring++)
            first_point += shape->ring_sizes[first + ring];
    }
    return RW_OK;
}

static rw_status collect_feature(rw_gis_outlines *into, rw_vector_file *file, const rw_gis_fields *fields,
                                 double default_height_m)
{
    if (fields->building_tag >= 0 && !rw_gis_is_tagged(file, fields->building_tag) &&
        !rw_gis_is_tagged(file, fields->part_tag))
        return RW_OK;
    into->feature_count++;
    rw_gis_outline about = {.feature = rw_vector_feature_id(file)};
    rw_vector_shape shape;
    RW_TRY(rw_vector_polygons(file, &shape));
    if (shape.polygon_count == 0)
        return rw_gis_note(into, "features without a polygon left out", about.feature);
    rw_gis_read_values(file, fields, default_height_m, &about.values);
    return collect_polygons(into, &shape, rw_vector_z(file), &about);
}

static rw_status fail_height_field(rw_context *context, const rw_vector_file *file, const char *path,
                                   const char *wanted, const char *what)
{
    char names[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < rw_vector_field_count(file) && used < sizeof names - 1; i++) {
        int length = snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", rw_vector_field_name(file, i));
        used += length > 0 ? (size_t)length : 0;
    }
    return rw_fail(context, RW_BAD_INPUT, "%s has no field '%s' for the %s; it has %s", path, wanted, what,
                   *names ? names : "no fields");
}

/* Numbers that are given out are above those that the file gives. */
static void reserve_building_ids(const rw_gis_outlines *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (from->items[i].values.building_id >= from->scene->next_building)
            from->scene->next_building = from->items[i].values.building_id + 1;
}

/* Models in space say where the ground is; a terrain that is given goes before it. */
static rw_status set_ground(const rw_gis_outlines *from)
{
    rw_ground_samples grounds = {0};
    rw_status status = RW_OK;
    for (size_t i = 0; i < from->count && status == RW_OK; i++) {
        const rw_gis_outline *each = &from->items[i];
        const double *xy = from->xy + 2 * each->first_point;
        rw_vec2 corner = rw_vec2_of(xy[0], xy[1]);
        if (each->ground_is_z && rw_is_coordinate(xy[0]) && rw_is_coordinate(xy[1]))
            status = rw_ground_samples_add(from->scene->context, &grounds, &corner, 1, each->values.ground_m);
    }
    if (status == RW_OK && grounds.list.count > 0 && !from->scene->terrain.values)
        status = rw_ground_samples_set_terrain(from->scene, &grounds, TERRAIN_RADIUS_M);
    rw_ground_samples_free(&grounds);
    return status;
}

static rw_status add_outlines(rw_gis_outlines *from)
{
    uint32_t last_building = 0; /* the polygons of one feature are parts of one building */
    for (size_t i = 0; i < from->count; i++) {
        const rw_gis_outline *each = &from->items[i];
        int is_continued = i > 0 && each[-1].feature == each->feature && each->values.building_id == 0;
        last_building = is_continued ? last_building : each->values.building_id;
        if (each->is_replaced)
            continue;
        const double *xy = from->xy + 2 * each->first_point;
        const size_t *ring_sizes = from->ring_sizes + each->first_ring;
        if (check_polygon(xy, ring_sizes, each->ring_count)) {
            RW_TRY(rw_gis_note(from, "outlines outside the area of the coordinate system left out", each->feature));
            continue;
        }
        char source[160];
        rw_building building = {.size = sizeof building,
                                .building_id = last_building,
                                .xy = xy,
                                .ring_sizes = ring_sizes,
                                .ring_count = each->ring_count,
                                .ground_m = each->values.ground_m,
                                .base_height_m = each->values.base_height_m,
                                .roof_height_m = each->values.roof_height_m,
                                .surface = each->values.surface,
                                .source = rw_gis_describe(from, each->feature, source)};
        RW_TRY(rw_scene_add_building(from->scene, &building));
        rw_part *part = &from->scene->parts.items[from->scene->parts.count - 1];
        part->roof_is_altitude = each->roof_is_altitude;
        if (!each->values.height_is_stated && !each->roof_is_altitude)
            part->height_from = RW_HEIGHT_ASSUMED;
        last_building = part->building;
    }
    return set_ground(from);
}

#define STOREYS_MAX 200

static int is_storey_count(double value)
{
    return value >= 0 && value <= STOREYS_MAX && value == rint(value);
}

/* A field that is only named like storeys must have their numbers in all features; else no height is known. */
static rw_status drop_storeys_by_name(rw_gis_outlines *from, const rw_gis_fields *fields, double default_height_m)
{
    size_t others = 0;
    for (size_t i = 0; fields->levels_by_name && i < from->count; i++)
        others += from->items[i].values.storeys != 0 && !is_storey_count(from->items[i].values.storeys);
    for (size_t i = 0; others && i < from->count; i++) {
        rw_gis_values *values = &from->items[i].values;
        if (values->storeys == 0)
            continue;
        values->roof_height_m = default_height_m;
        values->height_is_stated = 0;
        RW_TRY(rw_gis_note(from, "buildings without a height given the default height", from->items[i].feature));
    }
    return RW_OK;
}

/* A field that is named after storeys and has their numbers, read as metres, would make a city of huts. */
static rw_status check_storeys(const rw_gis_outlines *from, const rw_load_options *options)
{
    size_t stated = 0;
    if (!options->height_field || !rw_gis_names_storeys(options->height_field))
        return RW_OK;
    for (size_t i = 0; i < from->count; i++) {
        double value = from->items[i].values.roof_height_m;
        if (!from->items[i].values.height_is_stated)
            continue;
        stated++;
        if (!is_storey_count(value))
            return RW_OK;
    }
    if (!stated)
        return RW_OK;
    return rw_fail(from->scene->context, RW_BAD_INPUT,
                   "%s: the field %s has numbers of storeys and not heights; give it as --storeys-field %s", from->path,
                   options->height_field, options->height_field);
}

#define BUILDING_MAX_DEG 0.2

/* Outlines that reach further than that from their first point. */
static size_t count_wide_outlines(const rw_gis_outlines *from, double limit)
{
    size_t wide = 0;
    for (size_t i = 0; i < from->count; i++) {
        const double *xy = from->xy + 2 * from->items[i].first_point;
        double reach = 0;
        for (size_t k = 1; k < from->items[i].point_count; k++)
            reach = fmax(reach, fmax(fabs(xy[2 * k] - xy[0]), fabs(xy[2 * k + 1] - xy[1])));
        wide += reach > limit;
    }
    return wide;
}

/* Small outlines within 180 and 90 of the origin, without a coordinate system: degrees, of which metres would be an
 * empty scene. */
static rw_status check_unnamed_degrees(const rw_gis_outlines *from, const char *crs)
{
    double largest = 0, box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    if (*crs || !from->point_count)
        return RW_OK;
    for (size_t i = 0; i < from->point_count; i++) {
        const double *at = from->xy + 2 * i;
        largest = fmax(largest, fmax(fabs(at[0]) / 180, fabs(at[1]) / 90));
        box[0] = fmin(box[0], at[0]);
        box[1] = fmin(box[1], at[1]);
        box[2] = fmax(box[2], at[0]);
        box[3] = fmax(box[3], at[1]);
    }
    if (!(largest <= 1) || 2 * count_wide_outlines(from, BUILDING_MAX_DEG) > from->count)
        return RW_OK;
    return rw_fail(from->scene->context, RW_BAD_INPUT,
                   "%s names no coordinate system (a shapefile without its .prj?), and its outlines lie within %.6g, "
                   "%.6g to %.6g, %.6g, which look like degrees; give it, such as --crs EPSG:4326",
                   from->path, box[0], box[1], box[2], box[3]);
}

/* GeoJSON has no name for local metres: what rasterwave saved without a coordinate system reads as degrees, but its
 * buildings are then wider than 20 km. */
static int is_saved_in_metres(const rw_gis_outlines *from, const rw_vector_file *file)
{
    return rw_vector_find_field(file, "roof_height_m") >= 0 && rw_vector_find_field(file, "base_height_m") >= 0 &&
           2 * count_wide_outlines(from, BUILDING_MAX_DEG) > from->count;
}

static rw_status collect_layer(rw_gis_outlines *into, rw_vector_file *file, const rw_load_options *options)
{
    rw_gis_fields fields;
    rw_gis_find_fields(file, options->height_field, options->storeys_field, options->height_unit, &fields);
    if (options->height_field && fields.height < 0)
        return fail_height_field(into->scene->context, file, into->path, options->height_field, "height");
    if (options->storeys_field && fields.levels < 0)
        return fail_height_field(into->scene->context, file, into->path, options->storeys_field, "number of storeys");
    int more;
    for (;;) {
        RW_TRY(rw_vector_next(file, &more));
        if (!more)
            break;
        RW_TRY(collect_feature(into, file, &fields, options->default_height_m));
    }
    if (into->count == 0)
        return RW_OK;
    const char *crs = options->crs ? options->crs : rw_vector_crs(file);
    rw_gdal_crs_about about = {0};
    if (*crs && !options->crs)
        RW_TRY(rw_gdal_crs_describe(into->scene->context, crs, &about));
    if (about.geographic && is_saved_in_metres(into, file))
        crs = "";
    RW_TRY(check_storeys(into, options));
    RW_TRY(drop_storeys_by_name(into, &fields, options->default_height_m));
    RW_TRY(check_unnamed_degrees(into, crs));
    RW_TRY(rw_gis_check_heights(into));
    RW_TRY(rw_gis_check_degrees(into, crs));
    RW_TRY(rw_gis_transform_to_scene(into->scene, crs, into->layer, into->xy, into->point_count));
    reserve_building_ids(into);
    RW_TRY(rw_gis_replace_by_parts(into));
    return add_outlines(into);
}

/* An area is in metres of the file itself: what must be transformed could be limited only after it is read. */
static rw_status check_metres(const rw_scene *scene, const char *crs, const char *path)
{
    rw_gdal_crs_about about;
    if (!*crs)
        return RW_OK;
    RW_TRY(rw_gdal_crs_describe(scene->context, crs, &about));
    if (!about.geographic && fabs(about.metres_per_unit - 1) < 1e-9)
        return RW_OK;
    return rw_fail(scene->context, RW_BAD_INPUT,
                   "%s is in %s, and a file that is read by parts must be in metres: ogr2ogr -t_srs makes one", path,
                   about.name);
}

static rw_status read_gis_layer(rw_scene *scene, rw_vector_file *file, const char *path, size_t layer,
                                const rw_load_options *options, size_t *feature_count)
{
    RW_TRY(rw_vector_select(file, layer));
    if (!isnan(options->area_m[0]))
        RW_TRY(check_metres(scene, options->crs ? options->crs : rw_vector_crs(file), path));
    rw_gis_outlines gis_outlines = {.scene = scene, .path = path, .layer = rw_vector_layer_name(file, layer)};
    rw_status status = collect_layer(&gis_outlines, file, options);
    *feature_count += gis_outlines.feature_count;
    free(gis_outlines.xy);
    free(gis_outlines.ring_sizes);
    free(gis_outlines.items);
    return status;
}

static const char *list_layer_names(const rw_vector_file *file, char *names, size_t size)
{
    size_t used = 0;
    *names = 0;
    for (size_t i = 0; i < rw_vector_layer_count(file); i++) {
        const char *name = rw_vector_layer_name(file, i);
        if (used + strlen(name) + 3 < size)
            used += (size_t)snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
    }
    return names;
}

/* Unmarks those of something else, such as "building sites", where others remain. */
static void drop_other_layers(const rw_vector_file *file, uint8_t *is_wanted)
{
    size_t others = 0, wanted = 0, count = rw_vector_layer_count(file);
    for (size_t i = 0; i < count; i++) {
        wanted += is_wanted[i];
        others += is_wanted[i] && rw_gis_names_other_layer(rw_vector_layer_name(file, i));
    }
    for (size_t i = 0; i < count && others < wanted; i++)
        is_wanted[i] &= !rw_gis_names_other_layer(rw_vector_layer_name(file, i));
}

/* Whether the marked layers are one: tiles of it, or buildings and their parts. */
static int are_one_layer(const rw_vector_file *file, const uint8_t *is_wanted)
{
    const char *first = NULL;
    for (size_t i = 0; i < rw_vector_layer_count(file); i++) {
        const char *name = rw_vector_layer_name(file, i);
        if (!is_wanted[i] || (rw_gis_names_buildings(name) && rw_gis_names_parts(name)))
            continue;
        if (first && !rw_gis_same_but_numbers(first, name))
            return 0;
        first = first ? first : name;
    }
    return 1;
}

/* Whether the marked layers have one table of fields: files of one kind in a folder, such as one for each district. */
static int have_same_fields(rw_vector_file *file, const uint8_t *is_wanted)
{
    char fields[2048] = "", first[sizeof fields] = "";
    for (size_t i = 0; i < rw_vector_layer_count(file); i++) {
        size_t used = 0;
        if (!is_wanted[i])
            continue;
        if (rw_vector_select(file, i) != RW_OK)
            return 0;
        for (size_t k = 0; k < rw_vector_field_count(file) && used < sizeof fields; k++)
            used += (size_t)snprintf(fields + used, sizeof fields - used, "%s\n", rw_vector_field_name(file, k));
        if (*first && strcmp(first, fields) != 0)
            return 0;
        memcpy(first, fields, sizeof first);
    }
    return 1;
}

/* Of layers with polygons those named after buildings, or the only one: land use is not built over. */
static rw_status choose_by_name(rw_scene *scene, rw_vector_file *file, const char *path, uint8_t *is_wanted)
{
    size_t count = rw_vector_layer_count(file), polygons = 0, named = 0;
    for (size_t i = 0; i < count; i++) {
        is_wanted[i] = rw_vector_layer_has_polygons(file, i) && rw_gis_names_buildings(rw_vector_layer_name(file, i));
        polygons += (size_t)rw_vector_layer_has_polygons(file, i);
        named += is_wanted[i];
    }
    for (size_t i = 0; i < count && !named; i++)
        is_wanted[i] =
            (uint8_t)(polygons ? rw_vector_layer_has_polygons(file, i) : rw_vector_layer_has_shapes(file, i));
    if (named)
        drop_other_layers(file, is_wanted);
    if (are_one_layer(file, is_wanted) || !polygons || (rw_path_is_folder(path) && have_same_fields(file, is_wanted)))
        return RW_OK;
    char names[400];
    return rw_fail(scene->context, RW_BAD_INPUT,
                   "%s has the layers %s, and %s named after buildings; select one: %s:LAYER", path,
                   list_layer_names(file, names, sizeof names), named ? "several are" : "none is", path);
}

/* A layer that is selected, or what names and shapes tell. */
static rw_status choose_layers(rw_scene *scene, rw_vector_file *file, const char *path, const rw_load_options *options,
                               uint8_t *is_wanted)
{
    int is_osm = rw_vector_is_osm(file);
    size_t found = 0;
    if (!options->layer && !is_osm)
        return choose_by_name(scene, file, path, is_wanted);
    for (size_t i = 0; i < rw_vector_layer_count(file); i++) {
        const char *wanted = options->layer ? options->layer : "multipolygons";
        is_wanted[i] = strcmp(rw_vector_layer_name(file, i), wanted) == 0;
        found += is_wanted[i];
    }
    if (found || is_osm)
        return RW_OK;
    char names[400];
    return rw_fail(scene->context, RW_NOT_FOUND, "%s has no layer '%s'; it has %s", path, options->layer,
                   list_layer_names(file, names, sizeof names));
}

static rw_status read_gis_layers(rw_scene *scene, rw_vector_file *file, const char *path,
                                 const rw_load_options *options)
{
    size_t feature_count = 0, layer_count = rw_vector_layer_count(file);
    uint8_t *is_wanted;
    RW_TRY(rw_array_create(scene->context, layer_count, 1, "layers", &is_wanted));
    rw_status status = choose_layers(scene, file, path, options, is_wanted);
    for (size_t i = 0; i < layer_count && status == RW_OK; i++)
        if (is_wanted[i])
            status = read_gis_layer(scene, file, path, i, options, &feature_count);
    free(is_wanted);
    RW_TRY(status);
    if (scene->parts.count > 0 || !isnan(options->area_m[0]))
        return RW_OK;
    const rw_scene_note_entry *first = scene->notes.count ? &scene->notes.items[0] : NULL;
    return rw_fail(scene->context, RW_BAD_INPUT, "%s has no usable building among %zu features%s%s%s%s%s", path,
                   feature_count, first ? ": " : "; polygons are needed", first ? first->what : "", first ? " (" : "",
                   first ? first->example : "", first ? ")" : "");
}

static rw_status read_saved(rw_scene *scene, rw_vector_file *file, const char *path, const rw_load_options *options)
{
    rw_gdal_crs_about about;
    RW_TRY(rw_reader_check_fields(scene->context, path, "a scene that rasterwave saved", 0, options));
    RW_TRY(rw_saved_read(scene, file, path));
    if (!options->crs)
        return RW_OK;
    RW_TRY(rw_gdal_crs_describe(scene->context, options->crs, &about));
    return rw_scene_set_crs(scene, options->crs);
}

static rw_status read_gis_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    if (rw_gdal_is_raster(path)) {
        RW_TRY(rw_reader_check_fields(scene->context, path, "a raster", 0, options));
        return rw_scene_read_terrain(scene, path);
    }
    rw_vector_file *file;
    RW_TRY(rw_vector_open(scene->context, path, &file));
    int plan = 0, limited = !isnan(options->area_m[0]);
    rw_status status = rw_saved_is(file) || limited ? RW_OK : rw_plan_is(file, &plan);
    if (limited)
        rw_vector_limit(file, options->area_m);
    if (status == RW_OK)
        status = rw_saved_is(file) ? read_saved(scene, file, path, options)
                 : plan            ? rw_plan_read_lines(scene, file, options)
                                   : read_gis_layers(scene, file, path, options);
    rw_vector_close(file);
    return status;
}

const rw_reader rw_reader_gis = {
    "gis", "GeoPackage, Shapefile, GeoJSON, OSM and others that GDAL reads", recognise_gis, read_gis_scene,
    RW_READS_LAYER | RW_READS_HEIGHT_FIELD | RW_READS_STOREYS_FIELD | RW_READS_HEIGHT_UNIT};
