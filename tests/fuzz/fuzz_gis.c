/* GIS files (GeoJSON, GeoPackage, OSM, Shapefile and others) from any bytes. */
#include "target.h"

#include <string.h>

/* GDAL takes a hundred times longer to open these, valid or not, and what is searched then is SQLite. The engine leaves
 * them to fuzz_saved.c, which has the same reader without GDAL; the corpus runs them all. */
static int is_slow(const uint8_t *bytes, size_t size)
{
#ifdef RW_FUZZ_ENGINE
    static const char database[] = "SQLite format";
    if (size >= strlen(database) && memcmp(bytes, database, strlen(database)) == 0)
        return 1;
    for (size_t i = 0; i + 4 <= size; i++)
        if (memcmp(bytes + i, "<osm", 4) == 0)
            return 1;
#endif
    return bytes == NULL && size > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!is_slow(bytes, size))
        fuzz_scene("input.gis", "gis", bytes, size);
    return 0;
}
