/* Tiles as binary glTF 2.0 (.glb): one mesh with colours, unlit, so that they are those of the scale.
 *
 * glTF has y up and its axes in float: x is east, y up, -z north, from the middle of the scene; the middle's own
 * coordinates stand in "extras". Vertex colours are linear there. */
#include "base/file.h"
#include "output/tiles/tiles.h"
#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define JSON_MAX 2048

static uint8_t to_linear(uint8_t value)
{
    double fraction = value / 255.0;
    double linear = fraction <= 0.04045 ? fraction / 12.92 : pow((fraction + 0.055) / 1.055, 2.4);
    return (uint8_t)(255 * linear + 0.5);
}

static void find_tile_bounds(const rw_tile_map *map, float low[3], float high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
    }
    for (size_t i = 0; i < map->count; i++)
        for (int corner = 0; corner < 4; corner++) {
            rw_vec3 at = map->corners[i][corner];
            const float position[3] = {(float)at.x, (float)at.z, (float)-at.y};
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = fminf(low[axis], position[axis]);
                high[axis] = fmaxf(high[axis], position[axis]);
            }
        }
}

static size_t make_json(const rw_tile_view *view, char json[JSON_MAX])
{
    const rw_tile_map *map = view->map;
    float low[3], high[3];
    size_t vertices = 4 * map->count, position_bytes = 12 * vertices, colours = 4 * vertices, corners = 24 * map->count;
    find_tile_bounds(map, low, high);
    int length = snprintf(
        json, JSON_MAX,
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
        6 * map->count, position_bytes, position_bytes, colours, position_bytes + colours, corners,
        position_bytes + colours + corners);
    while (length % 4)
        json[length++] = ' ';
    return (size_t)length;
}

static void write_gltf_u32(FILE *file, uint32_t value)
{
    unsigned char bytes[4];
    rw_bytes_write(bytes, value, 4);
    fwrite(bytes, 1, 4, file);
}

static void write_gltf_positions(const rw_tile_map *map, FILE *file)
{
    for (size_t i = 0; i < map->count; i++)
        for (int corner = 0; corner < 4; corner++) {
            rw_vec3 at = map->corners[i][corner];
            write_gltf_u32(file, rw_float_bits((float)at.x));
            write_gltf_u32(file, rw_float_bits((float)at.z));
            write_gltf_u32(file, rw_float_bits((float)-at.y));
        }
}

static void write_gltf_colours(const rw_tile_view *view, FILE *file)
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
    write_gltf_u32(writer.stream, 0x46546c67u); /* "glTF" */
    write_gltf_u32(writer.stream, 2);
    write_gltf_u32(writer.stream, 12 + 8 + json_bytes + 8 + data_bytes);
    write_gltf_u32(writer.stream, json_bytes);
    write_gltf_u32(writer.stream, 0x4e4f534au); /* "JSON" */
    fwrite(json, 1, json_bytes, writer.stream);
    write_gltf_u32(writer.stream, data_bytes);
    write_gltf_u32(writer.stream, 0x004e4942u); /* "BIN" */
    write_gltf_positions(map, writer.stream);
    write_gltf_colours(view, writer.stream);
    for (uint32_t i = 0; i < map->count; i++)
        for (int k = 0; k < 6; k++)
            write_gltf_u32(writer.stream, 4 * i + corners[k]);
    return rw_file_commit(map->context, &writer);
}
