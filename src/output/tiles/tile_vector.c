/* Tiles as polygons with heights in a GeoPackage or GeoJSON file, with every layer as a field. */
#include "base/memory.h"
#include "ext/gdal.h"
#include "output/tiles/tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIXED_FIELDS 5

static size_t count_fields(const rw_map *values)
{
    size_t count = FIXED_FIELDS;
    for (size_t i = 0; i < values->info.layers; i++)
        count += values->layers[i].bands;
    return count;
}

/* Names of bands follow the layer's: power_1, power_2. names are to be freed in any case. */
static rw_status name_fields(const rw_map *values, char **names, rw_vector_field *fields)
{
    static const rw_vector_field fixed[FIXED_FIELDS] = {{"tile", RW_FIELD_INTEGER},
                                                        {"kind", RW_FIELD_STRING},
                                                        {"building", RW_FIELD_INTEGER},
                                                        {"material", RW_FIELD_STRING},
                                                        {"area_m2", RW_FIELD_REAL}};
    size_t at = FIXED_FIELDS;
    memcpy(fields, fixed, sizeof fixed);
    for (size_t i = 0; i < values->info.layers; i++)
        for (size_t band = 0; band < values->layers[i].bands; band++, at++) {
            size_t size = strlen(values->layers[i].name) + 24; /* a line, a number of 20 digits */
            RW_TRY(rw_array_create(values->context, size, 1, "fields", &names[at]));
            snprintf(names[at], size, values->layers[i].bands > 1 ? "%s_%zu" : "%s", values->layers[i].name, band + 1);
            fields[at] = (rw_vector_field){names[at], RW_FIELD_REAL};
        }
    return RW_OK;
}

static rw_status write_tile_shape(const rw_tile_map *map, size_t tile, rw_vector_writer *writer)
{
    double xyz[12];
    int field = FIXED_FIELDS;
    for (int corner = 0; corner < 4; corner++) {
        xyz[3 * corner] = map->corners[tile][corner].x + map->origin.x;
        xyz[3 * corner + 1] = map->corners[tile][corner].y + map->origin.y;
        xyz[3 * corner + 2] = map->corners[tile][corner].z;
    }
    RW_TRY(rw_vector_write_polygon_z(writer, xyz, 4));
    rw_vector_write_integer(writer, 0, (long long)tile);
    rw_vector_write_string(writer, 1, rw_tile_kind_name(map->kinds[tile]));
    rw_vector_write_integer(writer, 2, map->buildings[tile]);
    rw_vector_write_string(writer, 3, map->names[map->materials[tile]]);
    rw_vector_write_real(writer, 4, (double)map->areas_m2[tile]);
    for (size_t i = 0; i < map->values->info.layers; i++)
        for (size_t band = 0; band < map->values->layers[i].bands; band++) {
            float value = map->values->layers[i].values[band * map->count + tile];
            rw_vector_write_real(writer, field++, isfinite(value) ? (double)value : NAN); /* no path: left empty */
        }
    return rw_vector_writer_add(writer);
}

static rw_status write_tile_shapes(const rw_tile_map *map, const rw_vector_field *fields, rw_vector_writer *writer)
{
    RW_TRY(rw_vector_writer_layer(writer, "tiles", RW_SHAPE_POLYGON_Z, fields, count_fields(map->values)));
    for (size_t i = 0; i < map->count; i++)
        RW_TRY(write_tile_shape(map, i, writer));
    return RW_OK;
}

rw_status rw_tile_write_vector(const rw_tile_view *view, const char *path)
{
    const rw_tile_map *map = view->map;
    size_t count = count_fields(map->values);
    int json = strcasecmp(strrchr(path, '.'), ".geojson") == 0;
    char **names;
    rw_vector_field *fields;
    rw_vector_writer *writer;
    RW_TRY(rw_array_create(map->context, count, sizeof *names, "fields", &names));
    rw_status status = rw_array_create(map->context, count, sizeof *fields, "fields", &fields);
    if (status == RW_OK)
        status = name_fields(map->values, names, fields);
    if (status == RW_OK)
        status = rw_vector_writer_create(map->context, json ? "GeoJSON" : "GPKG", path, map->values->crs, &writer);
    if (status == RW_OK) {
        status = write_tile_shapes(map, fields, writer);
        if (status == RW_OK)
            status = rw_vector_writer_finish(writer);
        else
            rw_vector_writer_abandon(writer);
    }
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    free(fields);
    return status;
}
