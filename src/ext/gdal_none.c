/* Stand-in for builds without GDAL. */
#include "output/raster_file.h"

int rw_gdal_is_in(void)
{
    return 0;
}

rw_status rw_gdal_write_layer(const rw_map *map, const rw_layer_data *layer, const char *path)
{
    (void)layer;
    return rw_fail(map->context, RW_UNSUPPORTED, "%s: this build has no GDAL; install libgdal-dev and build again",
                   path);
}

rw_status rw_gdal_read_map(rw_context *context, const char *path, rw_map **map)
{
    *map = NULL;
    return rw_fail(context, RW_UNSUPPORTED, "%s: this build has no GDAL; install libgdal-dev and build again", path);
}
