/* OBJ meshes: "v x y z", "f a b c ..." with a, a/t, a//n or a/t/n, counted from 1 or, negative, back from the last
 * vertex; "o" and "g" name what follows, "usemtl" its material. Every run of faces between those lines is a mesh of the
 * scene. The format leaves the axis that is up open; it is z here, as in every other input. */
#include "scene/readers/meshes/meshes.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/range.h"
#include "base/text/units.h"
#include "scene/readers/readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Faces from first_corner on have this name and material, which stand in the file's bytes. */
typedef struct obj_group {
    const char *name;
    const char *material; /* "": none was named */
    size_t first_corner;
} obj_group;

typedef struct obj_reader {
    rw_context *context;
    const char *path;
    char *bytes; /* of the file */
    size_t line;
    rw_triangle_list list;
    RW_ARRAY(obj_group) groups;
} obj_reader;

static rw_status fail_obj(const obj_reader *reader, const char *wrong)
{
    return rw_fail(reader->context, RW_BAD_INPUT, "%s, line %zu: %s", reader->path, reader->line, wrong);
}

static rw_status read_vertex(obj_reader *reader, const char *string)
{
    double xyz[3];
    for (int i = 0; i < 3; i++) {
        size_t used = rw_parse_number(string, &xyz[i]);
        if (used == 0 || !rw_is_coordinate(xyz[i]))
            return fail_obj(reader, "expected v x y z with three finite numbers of metres");
        string += used;
    }
    if (reader->list.vertices.count == UINT32_MAX)
        return rw_fail(reader->context, RW_TOO_LARGE, "%s has more than 2^32 vertices", reader->path);
    return rw_triangle_list_add_vertex(reader->context, &reader->list, rw_vec3_of(xyz[0], xyz[1], xyz[2]));
}

/* One corner of a face; text moves behind it. */
static rw_status read_corner(obj_reader *reader, const char **string, uint32_t *corner)
{
    char *end;
    long long number = strtoll(*string, &end, 10);
    long long count = (long long)reader->list.vertices.count;
    if (end == *string || (*end && !strchr(" \t/", *end)))
        return fail_obj(reader, "expected f with vertex numbers such as 1, 1/2, 1//3 or -1");
    if (number == 0 || number > count || number < -count)
        return rw_fail(reader->context, RW_BAD_INPUT,
                       "%s, line %zu: vertex %lld of a face; %lld vertices stand before it", reader->path, reader->line,
                       number, count);
    *corner = (uint32_t)(number > 0 ? number - 1 : count + number);
    *string = end + strcspn(end, " \t");
    *string += strspn(*string, " \t");
    return RW_OK;
}

/* A polygon as a fan round its first corner. */
static rw_status read_face(obj_reader *reader, const char *string)
{
    uint32_t first = 0, previous = 0;
    size_t count = 0;
    for (string += strspn(string, " \t"); *string; count++) {
        uint32_t corner = 0;
        RW_TRY(read_corner(reader, &string, &corner));
        if (count >= 2)
            RW_TRY(rw_triangle_list_add(reader->context, &reader->list, first, previous, corner));
        if (count == 0)
            first = corner;
        previous = corner;
    }
    reader->list.short_faces += count < 3;
    return RW_OK;
}

/* A new group where the last one has faces, else the last one is changed. */
static rw_status change_group(obj_reader *reader, const char *name, const char *material)
{
    obj_group next = {.name = "", .material = "", .first_corner = reader->list.corners.count};
    if (reader->groups.count > 0) {
        next = reader->groups.items[reader->groups.count - 1];
        if (next.first_corner == reader->list.corners.count)
            reader->groups.count--;
        next.first_corner = reader->list.corners.count;
    }
    if (name)
        next.name = name;
    if (material)
        next.material = material;
    RW_TRY(RW_ARRAY_RESERVE(reader->context, reader->groups, 1, "groups"));
    reader->groups.items[reader->groups.count++] = next;
    return RW_OK;
}

static rw_status read_line(obj_reader *reader, char *string)
{
    string += strspn(string, " \t");
    size_t length = strcspn(string, " \t");
    char *rest = string + length + strspn(string + length, " \t");
    if (length == 1 && string[0] == 'v')
        return read_vertex(reader, rest);
    if (length == 1 && string[0] == 'f')
        return read_face(reader, rest);
    if (length == 1 && (string[0] == 'o' || string[0] == 'g'))
        return change_group(reader, rest, NULL);
    if (length == 6 && strncmp(string, "usemtl", 6) == 0)
        return change_group(reader, NULL, rest);
    return RW_OK;
}

static rw_status read_obj_lines(obj_reader *reader, char *bytes, size_t size)
{
    RW_TRY(change_group(reader, rw_path_name(reader->path), NULL));
    for (char *at = bytes, *end = bytes + size; at < end;) {
        char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            line_end = end;
        *line_end = 0;
        reader->line++;
        if (strlen(at) != (size_t)(line_end - at))
            return fail_obj(reader, "a zero byte: this is not text");
        for (char *tail = line_end; tail > at && strchr(" \t\r", tail[-1]); tail--)
            tail[-1] = 0;
        RW_TRY(read_line(reader, at));
        at = line_end + 1;
    }
    if (reader->list.corners.count == 0)
        return rw_fail(reader->context, RW_BAD_INPUT, "%s has no faces: expected lines 'v x y z' and 'f 1 2 3'",
                       reader->path);
    return RW_OK;
}

static rw_status load_obj_file(obj_reader *reader)
{
    size_t size;
    RW_TRY(rw_file_read(reader->context, reader->path, &reader->bytes, &size));
    return read_obj_lines(reader, reader->bytes, size);
}

rw_status rw_obj_read(rw_context *context, const char *path, rw_triangle_list *list)
{
    obj_reader reader = {.context = context, .path = path};
    rw_status status = load_obj_file(&reader);
    free(reader.groups.items);
    free(reader.bytes);
    *list = reader.list;
    if (status != RW_OK)
        rw_triangle_list_free(list);
    return status;
}

/* The triangles of one group with only the vertices that they use. local_of keeps the number of each vertex in the
 * group plus one, 0 for none, and is cleaned up behind. */
static rw_status add_group(obj_reader *reader, rw_scene *scene, size_t index, uint32_t *local_of)
{
    const obj_group *group = &reader->groups.items[index];
    size_t end = index + 1 < reader->groups.count ? group[1].first_corner : reader->list.corners.count;
    if (end == group->first_corner)
        return RW_OK;
    rw_triangle_list triangles = {0};
    rw_status status = rw_array_reserve(reader->context, &triangles.corners.items, &triangles.corners.capacity,
                                        end - group->first_corner, sizeof *triangles.corners.items, "mesh triangles");
    for (size_t i = group->first_corner; status == RW_OK && i < end; i++) {
        uint32_t vertex = reader->list.corners.items[i];
        if (local_of[vertex] == 0) {
            status = rw_triangle_list_add_vertex(reader->context, &triangles, reader->list.vertices.items[vertex]);
            local_of[vertex] = (uint32_t)triangles.vertices.count;
        }
        triangles.corners.items[triangles.corners.count++] = local_of[vertex] - 1;
    }
    for (size_t i = group->first_corner; i < end; i++)
        local_of[reader->list.corners.items[i]] = 0;
    const char *surface = NULL;
    if (status == RW_OK && *group->material)
        status = rw_surface_from_material(scene, group->material, &surface);
    if (status == RW_OK)
        status = rw_scene_add_triangles(scene, &triangles, group->name, surface, reader->path);
    rw_triangle_list_free(&triangles);
    return status;
}

static rw_status add_groups(obj_reader *reader, rw_scene *scene)
{
    uint32_t *local_of;
    RW_TRY(rw_array_create(reader->context, reader->list.vertices.count, sizeof *local_of, "mesh vertices", &local_of));
    rw_status status = RW_OK;
    for (size_t i = 0; status == RW_OK && i < reader->groups.count; i++)
        status = add_group(reader, scene, i, local_of);
    free(local_of);
    for (size_t i = 0; status == RW_OK && i < reader->list.short_faces; i++)
        status = rw_scene_note(scene, "faces with fewer than three corners left out", rw_path_name(reader->path));
    return status;
}

static int recognise_obj(const char *path, const char *start, size_t size)
{
    (void)size;
    if (rw_path_has_extension(path, ".obj"))
        return 1;
    while (*start == '#' || *start == '\n' || *start == '\r') {
        start += strcspn(start, "\n");
        start += *start == '\n';
    }
    return strncmp(start, "v ", 2) == 0 || strncmp(start, "mtllib ", 7) == 0;
}

static rw_status read_obj_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    (void)options;
    obj_reader reader = {.context = scene->context, .path = path};
    rw_status status = load_obj_file(&reader);
    if (status == RW_OK)
        status = add_groups(&reader, scene);
    rw_triangle_list_free(&reader.list);
    free(reader.groups.items);
    free(reader.bytes);
    return status;
}

const rw_reader rw_reader_obj = {"obj", "OBJ mesh (Wavefront)", recognise_obj, read_obj_scene, 0};
