/* PLY meshes: the body of the file, entry after entry, into triangles. */
#include "scene/readers/meshes/meshes.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/range.h"
#include "base/text/units.h"
#include "scene/readers/readers.h"
#include "scene/readers/meshes/ply_header.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct ply_body {
    rw_context *context;
    const char *path;
    const char *at, *end;
    rw_ply_encoding encoding;
    const rw_ply_element *element;
    size_t entry, line;
    rw_triangle_list *list;
} ply_body;

static rw_status fail_entry(ply_body *body, const char *wrong)
{
    if (body->encoding == RW_PLY_ASCII)
        return rw_fail(body->context, RW_BAD_INPUT, "%s, line %zu (%s %zu): %s", body->path, body->line,
                       body->element->name, body->entry, wrong);
    return rw_fail(body->context, RW_BAD_INPUT, "%s, %s %zu: %s", body->path, body->element->name, body->entry, wrong);
}

static rw_status read_ascii(ply_body *body, double *value)
{
    while (body->at < body->end && (unsigned char)*body->at <= ' ') {
        body->line += *body->at == '\n';
        body->at++;
    }
    size_t used = rw_parse_number(body->at, value);
    if (used == 0)
        return fail_entry(body, body->at < body->end ? "expected a number" : "the file ends before its last entry");
    body->at += used;
    return RW_OK;
}

static double decode_ply_value(const unsigned char *bytes, rw_ply_type type)
{
    uint64_t bits = 0;
    for (size_t i = rw_ply_type_size(type); i-- > 0;)
        bits = bits << 8 | bytes[i];
    float single;
    double number;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case RW_PLY_INT8:
        return (int8_t)bits;
    case RW_PLY_INT16:
        return (int16_t)bits;
    case RW_PLY_INT32:
        return (int32_t)low;
    case RW_PLY_FLOAT32:
        memcpy(&single, &low, sizeof single);
        return single;
    case RW_PLY_FLOAT64:
        memcpy(&number, &bits, sizeof number);
        return number;
    default:
        return (double)bits;
    }
}

static rw_status read_binary(ply_body *body, rw_ply_type type, double *value)
{
    size_t size = rw_ply_type_size(type);
    unsigned char bytes[8];
    if ((size_t)(body->end - body->at) < size)
        return fail_entry(body, "the file ends before its last entry");
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)body->at[body->encoding == RW_PLY_BIG_ENDIAN ? size - 1 - i : i];
    body->at += size;
    *value = decode_ply_value(bytes, type);
    return RW_OK;
}

static rw_status read_ply_value(ply_body *body, rw_ply_type type, double *value)
{
    return body->encoding == RW_PLY_ASCII ? read_ascii(body, value) : read_binary(body, type, value);
}

static rw_status read_list_count(ply_body *body, const rw_ply_property *property, size_t *count)
{
    double value;
    RW_TRY(read_ply_value(body, property->count_type, &value));
    /* Every value takes at least a byte, so that a count beyond what is left is wrong at once. */
    if (!(value >= 0) || value != floor(value) || value > (double)(body->end - body->at))
        return fail_entry(body, "the length of a list is negative, broken or beyond the end of the file");
    *count = (size_t)value;
    return RW_OK;
}

static rw_status skip_property(ply_body *body, const rw_ply_property *property)
{
    size_t count = 1;
    double unused;
    if (property->is_list)
        RW_TRY(read_list_count(body, property, &count));
    for (size_t i = 0; i < count; i++)
        RW_TRY(read_ply_value(body, property->type, &unused));
    return RW_OK;
}

static size_t find_property(const rw_ply_element *element, const char *name, int is_list)
{
    for (size_t i = 0; i < element->property_count; i++)
        if (element->properties[i].is_list == is_list && strcmp(element->properties[i].name, name) == 0)
            return i;
    return RW_PLY_PROPERTIES_MAX;
}

static rw_status read_ply_vertices(ply_body *body)
{
    const rw_ply_element *element = body->element;
    size_t x_at = find_property(element, "x", 0), y_at = find_property(element, "y", 0),
           z_at = find_property(element, "z", 0);
    if (x_at >= element->property_count || y_at >= element->property_count || z_at >= element->property_count)
        return rw_fail(body->context, RW_BAD_INPUT, "%s: its vertices lack one of the properties x, y and z",
                       body->path);
    for (body->entry = 0; body->entry < element->count; body->entry++) {
        rw_vec3 vertex = {0, 0, 0};
        for (size_t i = 0; i < element->property_count; i++) {
            if (i != x_at && i != y_at && i != z_at) {
                RW_TRY(skip_property(body, &element->properties[i]));
                continue;
            }
            double value;
            RW_TRY(read_ply_value(body, element->properties[i].type, &value));
            if (!rw_is_coordinate(value))
                return fail_entry(body, "a coordinate is not a finite number of metres");
            *(i == x_at ? &vertex.x : i == y_at ? &vertex.y : &vertex.z) = value;
        }
        RW_TRY(rw_triangle_list_add_vertex(body->context, body->list, vertex));
    }
    return RW_OK;
}

/* A polygon as a fan round its first corner. */
static rw_status read_polygon(ply_body *body, const rw_ply_property *property, size_t vertex_count)
{
    size_t count = 0;
    uint32_t first = 0, previous = 0;
    RW_TRY(read_list_count(body, property, &count));
    for (size_t i = 0; i < count; i++) {
        double value;
        RW_TRY(read_ply_value(body, property->type, &value));
        if (!(value >= 0 && value < (double)vertex_count) || value != floor(value))
            return rw_fail(body->context, RW_BAD_INPUT, "%s, face %zu names vertex %g; the file has vertices 0 to %.0f",
                           body->path, body->entry, value, (double)vertex_count - 1);
        uint32_t corner = (uint32_t)value;
        if (i >= 2)
            RW_TRY(rw_triangle_list_add(body->context, body->list, first, previous, corner));
        if (i == 0)
            first = corner;
        previous = corner;
    }
    body->list->short_faces += count < 3;
    return RW_OK;
}

static rw_status read_faces(ply_body *body, size_t vertex_count)
{
    const rw_ply_element *element = body->element;
    size_t corners_at = find_property(element, "vertex_indices", 1);
    if (corners_at >= element->property_count)
        corners_at = find_property(element, "vertex_index", 1);
    if (corners_at >= element->property_count)
        return rw_fail(body->context, RW_BAD_INPUT, "%s: its faces lack the list vertex_indices", body->path);
    for (body->entry = 0; body->entry < element->count; body->entry++)
        for (size_t i = 0; i < element->property_count; i++) {
            if (i == corners_at)
                RW_TRY(read_polygon(body, &element->properties[i], vertex_count));
            else
                RW_TRY(skip_property(body, &element->properties[i]));
        }
    return RW_OK;
}

static rw_status skip_element(ply_body *body)
{
    for (body->entry = 0; body->entry < body->element->count; body->entry++)
        for (size_t i = 0; i < body->element->property_count; i++)
            RW_TRY(skip_property(body, &body->element->properties[i]));
    return RW_OK;
}

static rw_status read_body(ply_body *body, const rw_ply_header *header)
{
    size_t vertex_count = 0;
    int has_faces = 0;
    for (size_t i = 0; i < header->element_count; i++)
        if (strcmp(header->elements[i].name, "vertex") == 0)
            vertex_count += header->elements[i].count;
    if (vertex_count > UINT32_MAX)
        return rw_fail(body->context, RW_TOO_LARGE, "%s has more than 2^32 vertices", body->path);
    for (size_t i = 0; i < header->element_count; i++) {
        body->element = &header->elements[i];
        int is_face = strcmp(body->element->name, "face") == 0;
        has_faces |= is_face;
        if (strcmp(body->element->name, "vertex") == 0)
            RW_TRY(read_ply_vertices(body));
        else if (is_face)
            RW_TRY(read_faces(body, vertex_count));
        else
            RW_TRY(skip_element(body));
    }
    if (vertex_count == 0 || !has_faces)
        return rw_fail(body->context, RW_BAD_INPUT, "%s has no %s: expected a mesh, not a cloud of points", body->path,
                       vertex_count == 0 ? "vertices" : "faces");
    return RW_OK;
}

static rw_status parse_ply_bytes(rw_context *context, const char *path, const char *bytes, size_t size,
                                 rw_triangle_list *list)
{
    rw_ply_header *header;
    RW_TRY(rw_array_create(context, 1, sizeof *header, "a PLY header", &header));
    rw_status status = rw_ply_header_read(context, path, bytes, size, header);
    if (status == RW_OK) {
        ply_body body = {.context = context,
                         .path = path,
                         .at = bytes + header->bytes,
                         .end = bytes + size,
                         .encoding = header->encoding,
                         .line = header->lines + 1,
                         .list = list};
        status = read_body(&body, header);
    }
    free(header);
    return status;
}

rw_status rw_ply_read(rw_context *context, const char *path, rw_triangle_list *list)
{
    char *bytes;
    size_t size;
    *list = (rw_triangle_list){0};
    RW_TRY(rw_file_read(context, path, &bytes, &size));
    rw_status status = parse_ply_bytes(context, path, bytes, size, list);
    free(bytes);
    if (status != RW_OK)
        rw_triangle_list_free(list);
    return status;
}

static int recognise_ply(const char *path, const char *start, size_t size)
{
    return rw_path_has_extension(path, ".ply") ||
           (size > 4 && memcmp(start, "ply", 3) == 0 && (start[3] == '\n' || start[3] == '\r'));
}

static rw_status read_ply_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    (void)options;
    rw_triangle_list list;
    RW_TRY(rw_ply_read(scene->context, path, &list));
    rw_status status = rw_scene_add_triangles(scene, &list, rw_path_name(path), NULL, path);
    rw_triangle_list_free(&list);
    return status;
}

const rw_reader rw_reader_ply = {"ply", "PLY mesh, text or binary", recognise_ply, read_ply_scene, 0};
