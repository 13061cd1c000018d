/* The text header of an ENVI raster. */
#ifndef RW_OUTPUT_MAPS_ENVI_HEADER_H
#define RW_OUTPUT_MAPS_ENVI_HEADER_H

#include "base/context.h"

typedef struct rw_envi_header {
    size_t columns, rows, bands, offset;
    int big_endian, has_nodata, has_no_path;
    double nodata, no_path;
    double x_m, top_m, res_m; /* of the upper left corner */
    double rx_height_m;
    char layer[RW_NAME_MAX], unit[RW_NAME_MAX], model[RW_NAME_MAX];
    char band_names[8192]; /* parted by commas */
    char crs[8192];
    char plane[256];          /* as rw_plane_from_text takes it; "": none */
    char transmitters[65536]; /* places, as rw_map_places_from_text takes them */
} rw_envi_header;

/* Reads and checks: float values, band after band, square cells. */
rw_status rw_envi_read_header(rw_context *context, const char *path, rw_envi_header *header);

#endif
