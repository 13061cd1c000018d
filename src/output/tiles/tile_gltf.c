/* Tiles as binary glTF 2.0 (.glb): one mesh with colours, unlit, so that they are those of the scale.
 *
 * glTF has y up and its axes in float: x is east, y up, -z north, from the middle of the scene; the middle's own
 * coordinates stand in "extras". Vertex colours are linear there. */
#include "base/file.h"
#include "output/tiles/tile_map.h"
#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define JSON_MAX 2048

static uint8_t to_linear(uint8_t value)
{
    double share = value / 255.0;
    double linear = share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
    return (uint8_t)(255 * linear + 0.5);
}

static void find_box(const rw_tile_map *map, float low[3], float high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
    }
    for (size_t i = 0; i < map->count; i++)
        for (int corner = 0; corner < 4; corner++) {
            rw_vec3 at = map->corners[i][corner];
            const float place[3] = {(float)at.x, (float)at.z, (float)-at.y};
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = fminf(low[axis], place[axis]);
                high[axis] = fmaxf(high[axis], place[axis]);
            }
        }
}

static size_t make_json(const rw_tile_view *view, char text[JSON_MAX])
{
    const rw_tile_map *map = view->map;
    float low[3], high[3];
    size_t vertices = 4 * map->count, places = 12 * vertices, colours = 4 * vertices, corners = 24 * map->count;
    find_box(map, low, high);
    int length = snprintf(
        text, JSON_MAX,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"rasterwave %s\"},\"extensionsUsed\":[\"KHR_materials_unlit\"],"
        "\"scene\":0,\"scenes\":[{\"nodes\":[0],\"extras\":{\"origin_m\":[%.17g,%.17g,0],\"layer\":\"%s\",\"value_"
        "min\":"
        "%.9g,\"value_max\":%.9g}}],\"nodes\":[{\"mesh\":0,\"name\":\"tiles\"}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":2,\"material\":0}]}],\"materials\":[{"
        "\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":1},\"doubleSided\":true,\"extensions\":{"
        "\"KHR_materials_unlit\":{}}}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%zu,\"type\":"
        "\"VEC3\",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]},{\"bufferView\":1,\"componentType\":5121,"
        "\"normalized\":true,\"count\":%zu,\"type\":\"VEC4\"},{\"bufferView\":2,\"componentType\":5125,\"count\":%zu,"
        "\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%zu,\"target\":34962},{"
        "\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34962},{\"buffer\":0,\"byteOffset\":%zu,"
        "\"byteLength\":%zu,\"target\":34963}],\"buffers\":[{\"byteLength\":%zu}]}",
        rw_version(), map->origin.x, map->origin.y, view->layer->name, view->style.min, view->style.max, vertices,
        (double)low[0], (double)low[1], (double)low[2], (double)high[0], (double)high[1], (double)high[2], vertices,
        6 * map->count, places, places, colours, places + colours, corners, places + colours + corners);
    while (length % 4)
        text[length++] = ' ';
    return (size_t)length;
}

static void put_number(FILE *file, uint32_t value)
{
    unsigned char bytes[4];
    rw_bytes_put(bytes, value, 4);
    fwrite(bytes, 1, 4, file);
}

static void put_places(const rw_tile_map *map, FILE *file)
{
    for (size_t i = 0; i < map->count; i++)
        for (int corner = 0; corner < 4; corner++) {
            rw_vec3 at = map->corners[i][corner];
            put_number(file, rw_float_bits((float)at.x));
            put_number(file, rw_float_bits((float)at.z));
            put_number(file, rw_float_bits((float)-at.y));
        }
}

static void put_colours(const rw_tile_view *view, FILE *file)
{
    for (size_t i = 0; i < view->map->count; i++) {
        rw_colour colour = rw_tile_colour(view, i);
        const uint8_t bytes[4] = {to_linear(colour.red), to_linear(colour.green), to_linear(colour.blue), 255};
        for (int corner = 0; corner < 4; corner++)
            fwrite(bytes, 1, 4, file);
    }
}

rw_status rw_tile_write_gltf(const rw_tile_view *view, const char *path)
{
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const rw_tile_map *map = view->map;
    char json[JSON_MAX + 4];
    rw_file_writer writer;
    double bytes = 88.0 * (double)map->count + JSON_MAX;
    if (bytes > 4e9)
        return rw_fail(map->context, RW_TOO_LARGE, "%s: %zu tiles are too many for a .glb file of 4 GB; write a .ply",
                       path, map->count);
    RW_TRY(rw_file_begin(map->context, path, &writer));
    uint32_t json_bytes = (uint32_t)make_json(view, json), data_bytes = (uint32_t)(88 * map->count);
    put_number(writer.stream, 0x46546c67u); /* "glTF" */
    put_number(writer.stream, 2);
    put_number(writer.stream, 12 + 8 + json_bytes + 8 + data_bytes);
    put_number(writer.stream, json_bytes);
    put_number(writer.stream, 0x4e4f534au); /* "JSON" */
    fwrite(json, 1, json_bytes, writer.stream);
    put_number(writer.stream, data_bytes);
    put_number(writer.stream, 0x004e4942u); /* "BIN" */
    put_places(map, writer.stream);
    put_colours(view, writer.stream);
    for (uint32_t i = 0; i < map->count; i++)
        for (int k = 0; k < 6; k++)
            put_number(writer.stream, 4 * i + corners[k]);
    return rw_file_commit(map->context, &writer);
}
