/* Map layers as raster files: GeoTIFF through GDAL (ext/gdal.c), ENVI otherwise (envi.c). */
#ifndef RW_OUTPUT_MAPS_RASTER_FILE_H
#define RW_OUTPUT_MAPS_RASTER_FILE_H

#include "output/maps/map.h"

/* In files nodata is NaN-free: nodata is -9999, "no path" is +9999. */
#define RW_FILE_NODATA (-9999.0f)
#define RW_FILE_NO_PATH (9999.0f)

/* ext/gdal.c; the stand-in answers RW_UNSUPPORTED. Bands carry their transmitter's name, the file its layer, unit,
 * receiver height and crs. path is the final one; writing beside and renaming is done inside. */
rw_status rw_gdal_write_layer(const rw_map *map, const rw_layer_data *layer, const char *path);
rw_status rw_gdal_read_map(rw_context *context, const char *path, rw_map **map);
int rw_gdal_is_in(void);

/* envi.c: BASE.bin with BASE.hdr beside it. */
rw_status rw_envi_write_layer(const rw_map *map, const rw_layer_data *layer, const char *path);
rw_status rw_envi_read_map(rw_context *context, const char *path, rw_map **map);

#endif
