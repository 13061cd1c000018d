/* Mitsuba 3 scenes (XML with PLY or OBJ meshes beside it), as Sionna RT and Blender's exporter write them.
 *
 * Shapes become meshes whose surface is the name of their material: the bsdf's id without "mat-", or "itu_TYPE" for a
 * bsdf of type itu-radio-material. Both, and a bsdf of type radio-material, become slabs of their thickness. Whatever
 * light needs (sensors, emitters, integrators, textures) is stepped over. A value "$name" is replaced by its <default>.
 */
#include "scene/readers/readers.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "scene/readers/meshes/meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mitsuba_bsdf {
    const char *id;
    const char *surface;
} mitsuba_bsdf;

typedef struct default_value {
    const char *name, *value;
} default_value;

typedef struct mitsuba_reader {
    rw_scene *scene;
    const char *path;
    rw_xml xml;
    RW_ARRAY(mitsuba_bsdf) bsdfs;
    RW_ARRAY(default_value) defaults;
    RW_ARRAY(rw_mitsuba_shape) shapes;
} mitsuba_reader;

static int is_element(const mitsuba_reader *reader, const char *name)
{
    return strcmp(reader->xml.name, name) == 0;
}

/* An attribute of the open element, with "$name" replaced. */
static const char *read_attribute(const mitsuba_reader *reader, const char *name)
{
    const char *value = rw_xml_attribute(&reader->xml, name, NULL);
    if (value && value[0] == '$')
        for (size_t i = 0; i < reader->defaults.count; i++)
            if (strcmp(reader->defaults.items[i].name, value + 1) == 0)
                return reader->defaults.items[i].value;
    return value;
}

static int element_is_named(const mitsuba_reader *reader, const char *name)
{
    const char *element_name = rw_xml_attribute(&reader->xml, "name", "");
    return strcmp(element_name, name) == 0;
}

static rw_status fail_mitsuba(const mitsuba_reader *reader, const char *wrong)
{
    return rw_fail(reader->scene->context, RW_BAD_INPUT, "%s, line %zu: %s", reader->path, reader->xml.line, wrong);
}

static rw_status read_mitsuba_number(const mitsuba_reader *reader, double *value)
{
    const char *string = read_attribute(reader, "value");
    if (string && rw_parse_quantity(reader->scene->context, string, RW_QUANTITY_NUMBER, value) == RW_OK)
        return RW_OK;
    return fail_mitsuba(reader, "expected value=\"number\"");
}

static rw_status read_bsdf(mitsuba_reader *reader, const char **surface);

static rw_status read_bsdf_child(mitsuba_reader *reader, rw_mitsuba_material *material, const char **nested)
{
    if (is_element(reader, "bsdf"))
        return read_bsdf(reader, nested);
    if (is_element(reader, "ref") && read_attribute(reader, "id"))
        RW_TRY(rw_surface_from_material(reader->scene, read_attribute(reader, "id"), nested));
    else if (is_element(reader, "string") && element_is_named(reader, "type"))
        material->itu_type = read_attribute(reader, "value");
    else if (is_element(reader, "float") && element_is_named(reader, "relative_permittivity"))
        RW_TRY(read_mitsuba_number(reader, &material->permittivity));
    else if (is_element(reader, "float") && element_is_named(reader, "conductivity"))
        RW_TRY(read_mitsuba_number(reader, &material->conductivity_s_per_m));
    else if (is_element(reader, "float") && element_is_named(reader, "scattering_coefficient"))
        RW_TRY(read_mitsuba_number(reader, &material->scattering));
    else if (is_element(reader, "float") && element_is_named(reader, "thickness"))
        RW_TRY(read_mitsuba_number(reader, &material->thickness_m));
    else if (element_is_named(reader, "xpd_coefficient") || element_is_named(reader, "scattering_pattern"))
        RW_TRY(rw_scene_note(reader->scene,
                             "properties of radio materials left out (lobes are an option of the models)",
                             rw_xml_attribute(&reader->xml, "name", "")));
    return rw_xml_skip(&reader->xml);
}

static rw_status remember_bsdf(mitsuba_reader *reader, const char *id, const char *surface)
{
    RW_TRY(RW_ARRAY_RESERVE(reader->scene->context, reader->bsdfs, 1, "materials"));
    mitsuba_bsdf *bsdf = &reader->bsdfs.items[reader->bsdfs.count++];
    bsdf->id = id;
    bsdf->surface = surface;
    return RW_OK;
}

/* A sentence about a material also says where it stands. */
static rw_status at_line(const mitsuba_reader *reader, rw_status status)
{
    char reason[RW_MESSAGE_MAX / 2];
    if (status != RW_BAD_INPUT)
        return status;
    snprintf(reason, sizeof reason, "%s", rw_last_error(reader->scene->context));
    return fail_mitsuba(reader, reason);
}

/* After the opening of a <bsdf>: its surface name, "" where neither it nor what it holds has one. Of a wrapper
 * (twosided, mask) round an ITU material, that material counts and not the wrapper's id. The depth of the XML bounds
 * the recursion. */
static rw_status read_bsdf(mitsuba_reader *reader, const char **surface)
{
    const char *id = read_attribute(reader, "id"), *type = read_attribute(reader, "type");
    rw_mitsuba_material material = {.permittivity = 1, .thickness_m = NAN};
    const char *nested = "";
    for (;;) {
        rw_xml_event event;
        RW_TRY(rw_xml_next(&reader->xml, &event));
        if (event != RW_XML_OPEN)
            break;
        RW_TRY(read_bsdf_child(reader, &material, &nested));
    }
    if (type && strcmp(type, "itu-radio-material") == 0 && material.itu_type)
        RW_TRY(at_line(reader, rw_mitsuba_add_itu(reader->scene, &material, surface)));
    else if (id && strncmp(nested, "itu_", 4) != 0)
        RW_TRY(rw_surface_from_material(reader->scene, id, surface));
    else
        *surface = nested;
    if (type && strcmp(type, "radio-material") == 0 && **surface)
        RW_TRY(at_line(reader, rw_mitsuba_add_own(reader->scene, &material, *surface)));
    return id ? remember_bsdf(reader, id, *surface) : RW_OK;
}

static rw_status read_shape_child(mitsuba_reader *reader, rw_mitsuba_shape *shape)
{
    if (is_element(reader, "bsdf"))
        return read_bsdf(reader, &shape->surface);
    if (is_element(reader, "transform") && element_is_named(reader, "to_world"))
        return rw_mitsuba_read_transform(&reader->xml, &shape->to_world);
    if (is_element(reader, "string") && element_is_named(reader, "filename"))
        shape->filename = read_attribute(reader, "value");
    else if (is_element(reader, "ref") && (element_is_named(reader, "bsdf") || element_is_named(reader, "")))
        shape->material_id = read_attribute(reader, "id");
    return rw_xml_skip(&reader->xml);
}

static rw_status read_mitsuba_shape(mitsuba_reader *reader)
{
    rw_mitsuba_shape shape = {.type = read_attribute(reader, "type"),
                              .id = read_attribute(reader, "id"),
                              .surface = "",
                              .to_world = rw_affine_identity(),
                              .line = reader->xml.line};
    if (!shape.type)
        return fail_mitsuba(reader, "a shape has no type; write for example <shape type=\"ply\">");
    for (;;) {
        rw_xml_event event;
        RW_TRY(rw_xml_next(&reader->xml, &event));
        if (event != RW_XML_OPEN)
            break;
        RW_TRY(read_shape_child(reader, &shape));
    }
    RW_TRY(RW_ARRAY_RESERVE(reader->scene->context, reader->shapes, 1, "shapes"));
    reader->shapes.items[reader->shapes.count++] = shape;
    return RW_OK;
}

static rw_status read_default(mitsuba_reader *reader)
{
    const char *name = rw_xml_attribute(&reader->xml, "name", NULL);
    const char *value = rw_xml_attribute(&reader->xml, "value", NULL);
    if (!name || !value || reader->defaults.count == 256)
        return fail_mitsuba(reader, "a <default> needs a name and a value, and a scene has at most 256");
    RW_TRY(RW_ARRAY_RESERVE(reader->scene->context, reader->defaults, 1, "defaults"));
    reader->defaults.items[reader->defaults.count++] = (default_value){name, value};
    return rw_xml_skip(&reader->xml);
}

static rw_status read_scene_child(mitsuba_reader *reader)
{
    const char *surface = "";
    if (is_element(reader, "shape"))
        return read_mitsuba_shape(reader);
    if (is_element(reader, "bsdf"))
        return read_bsdf(reader, &surface);
    if (is_element(reader, "default"))
        return read_default(reader);
    if (is_element(reader, "include"))
        RW_TRY(
            rw_scene_note(reader->scene, "files that a Mitsuba scene includes left out", rw_path_name(reader->path)));
    return rw_xml_skip(&reader->xml);
}

static rw_status read_document(mitsuba_reader *reader)
{
    rw_xml_event event;
    RW_TRY(rw_xml_next(&reader->xml, &event));
    if (event != RW_XML_OPEN || !is_element(reader, "scene"))
        return fail_mitsuba(reader, "not a Mitsuba scene: the first element is not <scene>");
    for (;;) {
        RW_TRY(rw_xml_next(&reader->xml, &event));
        if (event != RW_XML_OPEN)
            break;
        RW_TRY(read_scene_child(reader));
    }
    if (reader->shapes.count == 0)
        return rw_fail(reader->scene->context, RW_BAD_INPUT, "%s has no <shape>: the scene is empty", reader->path);
    return RW_OK;
}

static int compare_ids(const void *left, const void *right)
{
    return strcmp(((const mitsuba_bsdf *)left)->id, ((const mitsuba_bsdf *)right)->id);
}

/* References are resolved at the end, because a bsdf may stand after the shapes that use it. */
static rw_status add_shapes(mitsuba_reader *reader)
{
    if (reader->bsdfs.count)
        qsort(reader->bsdfs.items, reader->bsdfs.count, sizeof *reader->bsdfs.items, compare_ids);
    for (size_t i = 0; i < reader->shapes.count; i++) {
        rw_mitsuba_shape *shape = &reader->shapes.items[i];
        if (shape->material_id) {
            mitsuba_bsdf key = {.id = shape->material_id};
            const mitsuba_bsdf *found = reader->bsdfs.count ? bsearch(&key, reader->bsdfs.items, reader->bsdfs.count,
                                                                      sizeof *reader->bsdfs.items, compare_ids)
                                                            : NULL;
            if (!found)
                return rw_fail(reader->scene->context, RW_BAD_INPUT,
                               "%s, line %zu: the shape refers to '%.60s', but no <bsdf> has that id", reader->path,
                               shape->line, shape->material_id);
            shape->surface = found->surface;
        }
        RW_TRY(rw_mitsuba_add_named(reader->scene, shape->surface));
        RW_TRY(rw_mitsuba_add_shape(reader->scene, reader->path, shape));
    }
    return RW_OK;
}

static int recognise_mitsuba(const char *path, const char *start, size_t size)
{
    (void)path, (void)size;
    return start[strspn(start, " \t\r\n\xEF\xBB\xBF")] == '<' && strstr(start, "<scene") != NULL;
}

static rw_status read_mitsuba_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    (void)options;
    mitsuba_reader reader = {.scene = scene, .path = path};
    char *bytes;
    size_t size;
    RW_TRY(rw_file_read(scene->context, path, &bytes, &size));
    rw_xml_begin(scene->context, path, bytes, size, &reader.xml);
    rw_status status = read_document(&reader);
    if (status == RW_OK)
        status = add_shapes(&reader);
    free(bytes);
    free(reader.bsdfs.items);
    free(reader.defaults.items);
    free(reader.shapes.items);
    return status;
}

const rw_reader rw_reader_mitsuba = {"mitsuba", "Mitsuba 3 XML with PLY or OBJ meshes", recognise_mitsuba,
                                     read_mitsuba_scene, 0};
