/* Tiles as a PLY mesh, binary, little-endian: four vertices and a face each, colours, and every layer as a property of
 * faces. */
#include "base/file.h"
#include "output/tiles/tiles.h"
#include "base/bytes.h"

#include <string.h>

/* What rw_tile_map_read needs beside the mesh. */
static void write_ply_comments(const rw_tile_view *view, FILE *file)
{
    const rw_tile_map *map = view->map;
    const rw_map *values = map->values;
    fprintf(file, "comment colours show %s\ncomment area %.9g\n", view->layer->name,
            values->info.res_m * values->info.res_m);
    for (size_t i = 0; i < values->info.layers; i++)
        fprintf(file, "comment layer %s %zu %s\n", values->layers[i].name, values->layers[i].bands,
                values->layers[i].unit);
    for (size_t i = 0; i < map->source_count && i < values->band_count; i++) {
        fprintf(file, "comment transmitter %.10g %.10g %.10g %.10g ", map->sources[i].x + map->origin.x,
                map->sources[i].y + map->origin.y, map->sources[i].z, map->freqs_hz[i]);
        for (const char *at = values->band_names[i]; *at; at++) /* a name may hold anything, a line may not */
            fputc((unsigned char)*at < ' ' ? ' ' : *at, file);
        fputc('\n', file);
    }
}

static void write_ply_header(const rw_tile_view *view, FILE *file)
{
    const rw_map *values = view->map->values;
    fprintf(file, "ply\nformat binary_little_endian 1.0\ncomment rasterwave tiles\n");
    write_ply_comments(view, file);
    fprintf(file, "element vertex %zu\nproperty double x\nproperty double y\nproperty double z\n",
            4 * view->map->count);
    fprintf(file, "property uchar red\nproperty uchar green\nproperty uchar blue\n");
    fprintf(file, "element face %zu\nproperty list uchar uint vertex_indices\nproperty uchar kind\n", view->map->count);
    fprintf(file, "property uint building\n");
    for (size_t i = 0; i < values->info.layers; i++)
        for (size_t band = 0; band < values->layers[i].bands; band++) {
            fprintf(file, "property float %s", values->layers[i].name);
            if (values->layers[i].bands > 1)
                fprintf(file, "_%zu", band + 1);
            fputc('\n', file);
        }
    fprintf(file, "end_header\n");
}

static void write_ply_vertices(const rw_tile_view *view, FILE *file)
{
    const rw_tile_map *map = view->map;
    for (size_t i = 0; i < map->count; i++) {
        rw_colour colour = rw_tile_colour(view, i);
        for (int corner = 0; corner < 4; corner++) {
            unsigned char bytes[27];
            rw_bytes_write_double(bytes, map->corners[i][corner].x + map->origin.x);
            rw_bytes_write_double(bytes + 8, map->corners[i][corner].y + map->origin.y);
            rw_bytes_write_double(bytes + 16, map->corners[i][corner].z);
            bytes[24] = colour.red;
            bytes[25] = colour.green;
            bytes[26] = colour.blue;
            fwrite(bytes, 1, sizeof bytes, file);
        }
    }
}

static void write_ply_u32(FILE *file, uint32_t value)
{
    unsigned char bytes[4];
    rw_bytes_write(bytes, value, 4);
    fwrite(bytes, 1, 4, file);
}

static void write_ply_faces(const rw_tile_view *view, FILE *file)
{
    const rw_tile_map *map = view->map;
    const rw_map *values = map->values;
    for (size_t i = 0; i < map->count; i++) {
        fputc(4, file);
        for (uint32_t corner = 0; corner < 4; corner++)
            write_ply_u32(file, 4 * (uint32_t)i + corner);
        fputc(map->kinds[i], file);
        write_ply_u32(file, map->buildings[i]);
        for (size_t k = 0; k < values->info.layers; k++)
            for (size_t band = 0; band < values->layers[k].bands; band++)
                write_ply_u32(file, rw_float_bits(values->layers[k].values[band * map->count + i]));
    }
}

rw_status rw_tile_write_ply(const rw_tile_view *view, const char *path)
{
    rw_file_writer writer;
    if (view->map->count > UINT32_MAX / 4)
        return rw_fail(view->map->context, RW_TOO_LARGE, "%s: %zu tiles are too many for a PLY file", path,
                       view->map->count);
    RW_TRY(rw_file_begin(view->map->context, path, &writer));
    write_ply_header(view, writer.stream);
    write_ply_vertices(view, writer.stream);
    write_ply_faces(view, writer.stream);
    return rw_file_commit(view->map->context, &writer);
}
