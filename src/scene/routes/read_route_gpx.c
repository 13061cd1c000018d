/* GPX: trkpt, rtept and wpt in the order of the file, with their time. Their altitude (ele) is that of the receiver of
 * satellites, too coarse for a height above ground, and is left out. */
#include "scene/routes/routes.h"

#include "base/text/units.h"
#include "base/text/xml.h"

#include <math.h>
#include <string.h>

static int is_point(const char *name)
{
    return strcmp(name, "trkpt") == 0 || strcmp(name, "rtept") == 0 || strcmp(name, "wpt") == 0;
}

static rw_status read_degrees(const rw_xml *xml, const char *name, double *degrees)
{
    const char *string = rw_xml_attribute(xml, name, "");
    size_t used = rw_parse_number(string, degrees);
    if (used == 0 || string[used] || !isfinite(*degrees))
        return rw_fail(xml->context, RW_BAD_INPUT, "%s, line %zu: a point has no %s in degrees", xml->path, xml->line,
                       name);
    return RW_OK;
}

rw_status rw_route_read_gpx(rw_route *route, char *bytes, size_t size)
{
    rw_xml xml;
    rw_xml_event event = RW_XML_OPEN;
    int inside = 0;
    route->is_degrees = 1;
    rw_xml_begin(route->context, route->path, bytes, size, &xml);
    while (event != RW_XML_END) {
        RW_TRY(rw_xml_next(&xml, &event));
        if (event == RW_XML_CLOSE && is_point(xml.name))
            inside = 0;
        if (event == RW_XML_OPEN && inside && strcmp(xml.name, "time") == 0)
            route->motions[route->count - 1].time_s = rw_route_parse_time(xml.at); /* the text behind the opening */
        if (event != RW_XML_OPEN || !is_point(xml.name))
            continue;
        double at[2] = {0, 0};
        RW_TRY(read_degrees(&xml, "lon", &at[0]));
        RW_TRY(read_degrees(&xml, "lat", &at[1]));
        RW_TRY(rw_route_add(route, at[0], at[1]));
        inside = 1;
    }
    return RW_OK;
}
