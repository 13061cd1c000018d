/* Map layers as GeoTIFF through GDAL; in builds without it these calls return RW_UNSUPPORTED. Serves: output. */
#ifndef RW_EXT_GDAL_RASTERS_H
#define RW_EXT_GDAL_RASTERS_H

#include "output/maps/raster_file.h"

/* Bands carry their transmitter's name, the file its layer, unit, receiver height and coordinate system. path is the
 * final one; a temporary file is written and renamed (gdal_map.c). */
rw_status rw_gdal_write_layer(const rw_map *map, const rw_layer_data *layer, const char *path);
rw_status rw_gdal_read_map(rw_context *context, const char *path, rw_map **map);

/* A cloud-optimised GeoTIFF with overviews, or a plain one if this GDAL makes none (gdal_cog.c). centi: 16-bit
 * integers. */
rw_status rw_gdal_write_cog(const rw_map *map, const rw_layer_data *layer, const char *path, int centi);

#endif
