#include "output/geojson.h"

#include "base/context.h"
#include "base/text/json_write.h"

#include <string.h>
#include <strings.h>

/* The coordinate system as GIS programs name it; one without a number by its own text. */
static void write_crs_member(FILE *stream, const char *crs)
{
    char name[64];
    if (!*crs)
        return;
    int is_epsg = strncasecmp(crs, "EPSG:", 5) == 0 && strlen(crs) < 20;
    if (is_epsg)
        snprintf(name, sizeof name, "urn:ogc:def:crs:EPSG::%.16s", crs + 5);
    fputs("\"crs\": {\"type\": \"name\", \"properties\": {\"name\": ", stream);
    rw_json_write_string(stream, is_epsg ? name : crs);
    fputs("}},\n", stream);
}

void rw_geojson_begin(FILE *stream, const char *crs, const char *provenance)
{
    fputs("{\"type\": \"FeatureCollection\",\n", stream);
    if (provenance) {
        fputs("\"" RW_PROVENANCE_KEY "\": ", stream);
        rw_json_write_string(stream, provenance);
        fputs(",\n", stream);
    }
    write_crs_member(stream, crs ? crs : "");
    fputs("\"features\": [", stream);
}

void rw_geojson_end(FILE *stream)
{
    fputs("\n]}\n", stream);
}
