/* GIS files (GeoJSON, GeoPackage, OSM, Shapefile and others) from any bytes. */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_scene("input.gis", "gis", bytes, size);
    return 0;
}
