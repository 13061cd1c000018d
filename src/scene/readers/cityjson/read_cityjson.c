/* CityJSON 1.0 to 2.0: Buildings and BuildingParts become prisms over their plan outline (cityjson_shape.c).
 *
 * The ground is the lowest point of the object, the roof its highest one (the ridge), or an attribute where the caller
 * names one. Parts of one building share its number; a part that has only a roof stands above the ground of the
 * building's others. Grounds make a terrain where the caller names none. Needs no GDAL, except to bring degrees or feet
 * into metres. */
#include "scene/readers/readers.h"

#include "base/file.h"
#include "base/text/json.h"
#include "base/memory.h"
#include "base/text/units.h"
#include "scene/readers/cityjson/cityjson.h"
#include "scene/readers/gis/gis.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TERRAIN_RADIUS_M 50 /* altitudes are surveyed: little to smooth */
#define THIN_M 0.1          /* an object lower than this has no height of its own */

typedef struct object {
    const rw_json_value *value; /* its key is the object's name */
    rw_cityjson_shape shape;
    size_t root; /* the building it is a part of, or itself */
    uint32_t building_id;
    double ground_m; /* of a root: the lowest of its parts that have one; infinite where none has */
} object;

typedef struct city {
    rw_scene *scene;
    const char *path;
    const rw_load_options *options;
    rw_json json;
    rw_cityjson_vertices vertices;
    object *objects;
    size_t count;
    rw_ground_samples grounds; /* one for each outline that stands on the ground */
    size_t with_attribute;     /* objects that have the height attribute */
} city;

static int recognise_cityjson(const char *path, const char *start, size_t size)
{
    (void)path;
    size_t at = size >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && isspace((unsigned char)start[at]))
        at++;
    return at < size && start[at] == '{' && (strstr(start, "\"CityJSON") || strstr(start, "\"CityObjects\""));
}

static rw_status read_triple(const city *from, const rw_json_value *list, const char *what, double out[3])
{
    int count = 0;
    for (const rw_json_value *at = rw_json_first(&from->json, list); at && count < 3;
         at = rw_json_next(&from->json, at))
        out[count++] = rw_json_number(at, NAN);
    for (int i = 0; i < 3; i++)
        if (i >= count || !isfinite(out[i]))
            return rw_fail(from->scene->context, RW_BAD_INPUT, "%s: line %u: %s is not three numbers", from->path,
                           list ? list->line : 1, what);
    return RW_OK;
}

static rw_status read_city_vertices(city *from)
{
    rw_context *context = from->scene->context;
    const rw_json *json = &from->json;
    double scale[3] = {1, 1, 1}, translate[3] = {0, 0, 0}, point[3];
    const rw_json_value *transform = rw_json_member(json, json->values, "transform");
    if (transform) {
        RW_TRY(read_triple(from, rw_json_member(json, transform, "scale"), "transform.scale", scale));
        RW_TRY(read_triple(from, rw_json_member(json, transform, "translate"), "transform.translate", translate));
    }
    const rw_json_value *list = rw_json_member(json, json->values, "vertices");
    if (!list || list->kind != RW_JSON_ARRAY || list->count == 0)
        return rw_fail(context, RW_BAD_INPUT, "%s has no vertices", from->path);
    RW_TRY(rw_array_create(context, 2 * (size_t)list->count, sizeof(double), "vertices", &from->vertices.xy));
    RW_TRY(rw_array_create(context, list->count, sizeof(double), "vertices", &from->vertices.z));
    for (const rw_json_value *at = rw_json_first(json, list); at; at = rw_json_next(json, at)) {
        size_t i = from->vertices.count++;
        RW_TRY(read_triple(from, at, "a vertex", point));
        from->vertices.xy[2 * i] = point[0] * scale[0] + translate[0];
        from->vertices.xy[2 * i + 1] = point[1] * scale[1] + translate[1];
        from->vertices.z[i] = point[2] * scale[2] + translate[2];
    }
    return RW_OK;
}

/* "EPSG:n" of "https://www.opengis.net/def/crs/EPSG/0/7415" or "urn:ogc:def:crs:EPSG::7415"; other texts as they are.
 */
static rw_status transform_to_metres(city *from)
{
    const rw_json *json = &from->json;
    const rw_json_value *metadata = rw_json_member(json, json->values, "metadata");
    const char *reference_system = rw_json_string(rw_json_member(json, metadata, "referenceSystem"), "");
    const char *digits = reference_system + strlen(reference_system);
    while (digits > reference_system && isdigit((unsigned char)digits[-1]))
        digits--;
    char epsg[64];
    snprintf(epsg, sizeof epsg, "EPSG:%.20s", digits);
    const char *own = strstr(reference_system, "EPSG") && *digits ? epsg : reference_system;
    if (from->options->crs)
        own = from->options->crs;
    RW_TRY(rw_gis_transform_to_scene(from->scene, own, from->path, from->vertices.xy, from->vertices.count));
    for (size_t i = 0; i < from->vertices.count; i++) {
        double sum = from->vertices.xy[2 * i] + from->vertices.xy[2 * i + 1] + from->vertices.z[i];
        if (!isfinite(sum))
            return rw_fail(from->scene->context, RW_BAD_INPUT, "%s: vertex %zu is outside the area of %.80s",
                           from->path, i, *own ? own : "possible coordinates");
    }
    return RW_OK;
}

/* The most detailed geometry; 4 and above would be interiors. */
static const rw_json_value *best_geometry(const rw_json *json, const rw_json_value *object_value)
{
    const rw_json_value *best = NULL, *list = rw_json_member(json, object_value, "geometry");
    double best_detail = -1;
    for (const rw_json_value *at = rw_json_first(json, list); at; at = rw_json_next(json, at)) {
        const rw_json_value *lod = rw_json_member(json, at, "lod");
        double detail = rw_json_number(lod, 0);
        if (lod && lod->kind == RW_JSON_STRING)
            rw_parse_number(lod->string, &detail);
        if (detail > best_detail && detail < 4) {
            best = at;
            best_detail = detail;
        }
    }
    return best;
}

static int compare_names(const void *left, const void *right)
{
    const object *a = left, *b = right;
    return strcmp(a->value->key, b->value->key);
}

/* Buildings and their parts, by name; other kinds of objects are told by count. */
static rw_status find_objects(city *from)
{
    const rw_json *json = &from->json;
    const rw_json_value *list = rw_json_member(json, json->values, "CityObjects");
    if (!list || list->kind != RW_JSON_OBJECT)
        return rw_fail(from->scene->context, RW_BAD_INPUT, "%s has no CityObjects", from->path);
    RW_TRY(rw_array_create(from->scene->context, list->count, sizeof *from->objects, "city objects", &from->objects));
    for (const rw_json_value *at = rw_json_first(json, list); at; at = rw_json_next(json, at)) {
        const char *type = rw_json_string(rw_json_member(json, at, "type"), "");
        if (strcmp(type, "Building") != 0 && strcmp(type, "BuildingPart") != 0) {
            RW_TRY(rw_scene_note(from->scene, "city objects that are no buildings left out", type));
            continue;
        }
        from->objects[from->count].value = at;
        from->objects[from->count++].ground_m = INFINITY;
    }
    qsort(from->objects, from->count, sizeof *from->objects, compare_names);
    return RW_OK;
}

static size_t find_root_object(const city *from, size_t index)
{
    const rw_json *json = &from->json;
    const rw_json_value *parents = rw_json_member(json, from->objects[index].value, "parents");
    const rw_json_value *parent = rw_json_first(json, parents);
    if (!parent || parent->kind != RW_JSON_STRING)
        return index;
    rw_json_value named = {.key = parent->string};
    object wanted = {.value = &named};
    const object *found = bsearch(&wanted, from->objects, from->count, sizeof wanted, compare_names);
    return found ? (size_t)(found - from->objects) : index;
}

static rw_status make_shapes(city *from)
{
    for (size_t i = 0; i < from->count; i++) {
        object *each = &from->objects[i];
        each->root = find_root_object(from, i);
        char where[512];
        snprintf(where, sizeof where, "%.300s: object %.100s", from->path, each->value->key);
        const rw_json_value *geometry = best_geometry(&from->json, each->value);
        if (geometry)
            RW_TRY(rw_cityjson_shape_build(from->scene->context, &from->json, geometry, &from->vertices, where,
                                           &each->shape));
        object *root = &from->objects[each->root];
        if (each->shape.origin == RW_OUTLINE_GROUND || each->shape.origin == RW_OUTLINE_LOWEST)
            root->ground_m = fmin(root->ground_m, each->shape.z_min_m);
    }
    return RW_OK;
}

/* The height attribute that the caller asked for. */
static int read_height_attribute(city *from, const object *each, double *height_m)
{
    const rw_json_value *attributes = rw_json_member(&from->json, each->value, "attributes");
    const rw_json_value *value = rw_json_member(&from->json, attributes, from->options->height_field);
    if (!value)
        return 0;
    from->with_attribute++;
    if (value->kind == RW_JSON_STRING)
        return rw_gis_parse_length(value->string, height_m) && *height_m > 0;
    double unit_m = from->options->height_unit ? rw_gis_unit_m(from->options->height_unit) : 1;
    *height_m = unit_m * rw_json_number(value, NAN);
    return *height_m > 0;
}

static rw_status choose_heights(city *from, const object *each, rw_building *building)
{
    const rw_cityjson_shape *shape = &each->shape;
    double building_ground_m = from->objects[each->root].ground_m, height_m = shape->z_max_m - shape->z_min_m;
    building->ground_m = shape->z_min_m;
    building->base_height_m = 0;
    if (shape->origin == RW_OUTLINE_ROOF && building_ground_m < shape->z_min_m) {
        building->ground_m = building_ground_m;
        building->base_height_m = shape->z_min_m - building_ground_m;
    }
    double attribute_m = 0;
    int is_requested = from->options->height_field != NULL;
    if (is_requested && read_height_attribute(from, each, &attribute_m) && attribute_m > building->base_height_m) {
        building->roof_height_m = attribute_m;
        return RW_OK;
    }
    int is_thin = !(height_m > THIN_M);
    building->roof_height_m = building->base_height_m + (is_thin ? from->options->default_height_m : height_m);
    if (is_thin)
        return rw_scene_note(from->scene, "buildings without a height given the default height", each->value->key);
    if (is_requested)
        return rw_scene_note(from->scene, "buildings without the height attribute given the height of their geometry",
                             each->value->key);
    return RW_OK;
}

/* One outline with its holes, as the scene takes it. */
static rw_status add_city_outline(city *from, object *each, size_t outline, rw_building *building)
{
    const rw_footprint *footprint = &each->shape.footprint;
    double *xy;
    size_t *ring_sizes, used = 0, rings = 0;
    RW_TRY(rw_array_create(from->scene->context, 2 * footprint->ring_first[footprint->ring_count], sizeof *xy,
                           "an outline", &xy));
    rw_status status =
        rw_array_create(from->scene->context, footprint->ring_count, sizeof *ring_sizes, "an outline", &ring_sizes);
    for (size_t pass = 0; pass < 2 && status == RW_OK; pass++) /* the outline first, then its holes */
        for (size_t ring = 0; ring < footprint->ring_count; ring++) {
            if (footprint->owner[ring] != outline || (ring == outline) != (pass == 0))
                continue;
            for (size_t i = footprint->ring_first[ring]; i < footprint->ring_first[ring + 1]; i++) {
                xy[used++] = footprint->points[i].x;
                xy[used++] = footprint->points[i].y;
            }
            ring_sizes[rings++] = footprint->ring_first[ring + 1] - footprint->ring_first[ring];
        }
    building->xy = xy;
    building->ring_sizes = ring_sizes;
    building->ring_count = rings;
    if (status == RW_OK)
        status = rw_scene_add_building(from->scene, building);
    free(xy);
    free(ring_sizes);
    return status;
}

static rw_status add_object(city *from, object *each)
{
    rw_scene *scene = from->scene;
    const rw_cityjson_shape *shape = &each->shape;
    const rw_json_value *children = rw_json_member(&from->json, each->value, "children");
    int has_children = children && children->count > 0;
    if (has_children && (shape->origin == RW_OUTLINE_NONE || shape->z_max_m - shape->z_min_m < THIN_M))
        return RW_OK; /* its parts stand for it */
    if (shape->origin == RW_OUTLINE_NONE)
        return rw_scene_note(scene, "buildings without an outline left out", each->value->key);
    if (shape->origin == RW_OUTLINE_ROOF)
        RW_TRY(
            rw_scene_note(scene, "buildings without a ground face take the outline of their roof", each->value->key));
    char source[160];
    snprintf(source, sizeof source, "object %.140s", each->value->key);
    rw_building building = {.size = sizeof building, .source = source};
    RW_TRY(choose_heights(from, each, &building));
    object *root = &from->objects[each->root];
    for (size_t ring = 0; ring < shape->footprint.ring_count; ring++)
        if (shape->footprint.owner[ring] == ring) {
            building.building_id = root->building_id;
            RW_TRY(add_city_outline(from, each, ring, &building));
            if (building.base_height_m <= 0)
                RW_TRY(rw_ground_samples_add(
                    scene->context, &from->grounds, shape->footprint.points + shape->footprint.ring_first[ring],
                    shape->footprint.ring_first[ring + 1] - shape->footprint.ring_first[ring], building.ground_m));
            root->building_id = scene->parts.items[scene->parts.count - 1].building;
        }
    return RW_OK;
}

static rw_status fail_attribute(const city *from)
{
    char names[512] = "";
    size_t used = 0;
    const rw_json_value *attributes = rw_json_member(&from->json, from->objects[0].value, "attributes");
    for (const rw_json_value *at = rw_json_first(&from->json, attributes); at && used < sizeof names - 1;
         at = rw_json_next(&from->json, at))
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", at->key);
    return rw_fail(from->scene->context, RW_BAD_INPUT, "%s has no attribute '%s' for the height; object %.100s has %s",
                   from->path, from->options->height_field, from->objects[0].value->key, *names ? names : "none");
}

static rw_status read_city(city *from)
{
    rw_context *context = from->scene->context;
    const rw_json_value *root = from->json.values;
    const char *type = rw_json_string(rw_json_member(&from->json, root, "type"), "");
    if (strcmp(type, "CityJSON") != 0)
        return rw_fail(context, RW_BAD_INPUT, "%s is JSON of type '%.40s'; expected \"type\": \"CityJSON\"", from->path,
                       type);
    RW_TRY(read_city_vertices(from));
    RW_TRY(transform_to_metres(from));
    RW_TRY(find_objects(from));
    RW_TRY(make_shapes(from));
    for (size_t i = 0; i < from->count; i++)
        RW_TRY(add_object(from, &from->objects[i]));
    if (from->scene->parts.count == 0)
        return rw_fail(context, RW_BAD_INPUT, "%s has no building with an outline among %zu buildings", from->path,
                       from->count);
    if (from->options->height_field && from->with_attribute == 0)
        return fail_attribute(from);
    return from->options->terrain ? RW_OK
                                  : rw_ground_samples_set_terrain(from->scene, &from->grounds, TERRAIN_RADIUS_M);
}

static rw_status read_cityjson_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    char *bytes;
    size_t size;
    city from = {.scene = scene, .path = path, .options = options};
    RW_TRY(rw_file_read(scene->context, path, &bytes, &size));
    RW_TRY(rw_json_parse(scene->context, path, bytes, size, &from.json));
    rw_status status = read_city(&from);
    for (size_t i = 0; i < from.count; i++)
        rw_footprint_free(&from.objects[i].shape.footprint);
    rw_ground_samples_free(&from.grounds);
    free(from.objects);
    free(from.vertices.xy);
    free(from.vertices.z);
    rw_json_free(&from.json);
    return status;
}

const rw_reader rw_reader_cityjson = {"cityjson", "CityJSON 1.0 to 2.0", recognise_cityjson, read_cityjson_scene,
                                      RW_READS_HEIGHT_FIELD | RW_READS_HEIGHT_UNIT};
