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
