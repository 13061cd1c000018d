/* Map layers as raster files: GeoTIFF through GDAL (ext/gdal_rasters.h), ENVI otherwise (envi.c). */
#ifndef RW_OUTPUT_MAPS_RASTER_FILE_H
#define RW_OUTPUT_MAPS_RASTER_FILE_H

#include "output/maps/map.h"
#include "base/context.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* In files a cell without a value is NaN, which is their nodata, so that no GIS takes a dead zone for a signal. Which
 * kind it is stands in the last bits of the NaN, which only this library reads: no receiver, or no path, that is
 * infinite loss or no power at all. Older files have -9999 as nodata and 9999 for no path. */
#define RW_FILE_NO_RECEIVER 0x7fc00000u
#define RW_FILE_NO_PATH_UP 0x7fc00001u   /* infinity */
#define RW_FILE_NO_PATH_DOWN 0x7fc00002u /* minus infinity */
#define RW_FILE_NO_PATH_ONCE 9999.0f

static inline float rw_to_file_value(float value)
{
    uint32_t bits = isnan(value) ? RW_FILE_NO_RECEIVER : value > 0 ? RW_FILE_NO_PATH_UP : RW_FILE_NO_PATH_DOWN;
    if (isfinite(value))
        return value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float rw_from_file_value(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return !isnan(value)                  ? value
           : bits == RW_FILE_NO_PATH_UP   ? INFINITY
           : bits == RW_FILE_NO_PATH_DOWN ? -INFINITY
                                          : NAN;
}

/* How the values of a layer stand in a compact file: as they are, or as 16-bit whole numbers of so much of the unit. */
typedef struct rw_raster_kind {
    int is_integer; /* 16-bit whole numbers */
    const char *type_name, *nodata_string;
    double scale; /* of a whole number */
} rw_raster_kind;
#define RW_INTEGER_NODATA (-32768)

static inline rw_raster_kind rw_raster_kind_of(const rw_layer_data *layer, int centi)
{
    int counts = strcmp(layer->unit, "transmitter") == 0 || !layer->unit[0];
    if (!centi)
        return (rw_raster_kind){0, "Float32", "nan", 1};
    return (rw_raster_kind){1, "Int16", "-32768", counts ? 1 : strcmp(layer->unit, "Mbit/s") == 0 ? 0.1 : 0.01};
}

/* A cloud-optimised GeoTIFF, or ENVI in a build without GDAL (write.c). centi: 16-bit integers. */
rw_status rw_map_write_cog(const rw_map *map, const rw_layer_data *layer, const char *path, int centi);

/* envi.c: BASE.bin with BASE.hdr beside it. */
rw_status rw_envi_write_layer(const rw_map *map, const rw_layer_data *layer, const char *path);
rw_status rw_envi_read_map(rw_context *context, const char *path, rw_map **map);

/* The text header of an ENVI raster. */

typedef struct rw_envi_header {
    size_t columns, rows, bands, offset;
    int big_endian, has_nodata, has_no_path;
    double nodata, no_path;
    double x_m, top_m, res_m; /* of the upper left corner */
    double rx_height_m;
    /* Texts of the file; "" where it has none. */
    const char *layer, *unit, *model;
    const char *band_names; /* parted by commas */
    const char *crs;
    const char *plane;        /* as rw_plane_from_string takes it */
    const char *transmitters; /* places, as rw_map_transmitters_from_string takes them */
    const char *provenance;   /* lines parted by " | " */
    char *file;               /* that they stand in */
} rw_envi_header;

/* Reads and checks: float values, band after band, square cells. header->file is to be freed in any case. */
rw_status rw_envi_read_header(rw_context *context, const char *path, rw_envi_header *header);

#endif
