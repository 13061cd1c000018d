/* Polygons as KML (OGC 07-147r2) in longitude and latitude: a style and a placemark for each class, the legend as a
 * table in the description; in a KMZ archive also as a picture in the corner of the screen. */
#include "output/vectors/vectors.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text/xml.h"
#include "ext/gdal.h"
#include "ext/png.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text of lines, which stay lines. */
static void write_kml_lines(FILE *out, const char *string)
{
    char line[8192];
    for (; *string; string += strcspn(string, "\n") + (string[strcspn(string, "\n")] == '\n')) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(string, "\n"), string);
        rw_xml_write_text(out, line);
        fputc('\n', out);
    }
}

static void write_kml_ring(FILE *out, const char *boundary, const double *lonlat, size_t count)
{
    fprintf(out, "<%s><LinearRing><coordinates>", boundary);
    for (size_t i = 0; i <= count; i++)
        fprintf(out, "%s%.8f,%.8f", i ? " " : "", lonlat[2 * (i % count)], lonlat[2 * (i % count) + 1]);
    fprintf(out, "</coordinates></LinearRing></%s>\n", boundary);
}

static void write_kml_polygons(FILE *out, const rw_polygons *polygons, size_t class_index, const double *lonlat)
{
    const rw_regions *regions = &polygons->regions;
    size_t start = regions->ring_first[regions->polygon_first[regions->class_first[class_index]]];
    fputs("<MultiGeometry>\n", out);
    for (size_t i = regions->class_first[class_index]; i < regions->class_first[class_index + 1]; i++) {
        fputs("<Polygon>\n", out);
        for (size_t ring = regions->polygon_first[i]; ring < regions->polygon_first[i + 1]; ring++)
            write_kml_ring(out, ring == regions->polygon_first[i] ? "outerBoundaryIs" : "innerBoundaryIs",
                           lonlat + 2 * (regions->ring_first[ring] - start),
                           regions->ring_first[ring + 1] - regions->ring_first[ring]);
        fputs("</Polygon>\n", out);
    }
    fputs("</MultiGeometry>\n", out);
}

static rw_status write_kml_placemark(FILE *out, const rw_polygons *polygons, size_t class_index)
{
    const rw_map *map = polygons->map;
    const rw_polygon_class *one = &polygons->classes[class_index];
    size_t count, cells = polygons->regions.class_cells[class_index];
    double *xy;
    RW_TRY(rw_polygons_points(polygons, class_index, &xy, &count));
    rw_status status = rw_gdal_transform(map->context, map->crs, "EPSG:4326", xy, count);
    for (size_t i = 0; status == RW_OK && i < 2 * count; i++)
        if (!isfinite(xy[i]))
            status = rw_fail(map->context, RW_BAD_INPUT, "the map reaches beyond where %s holds", map->crs);
    if (status == RW_OK) {
        fputs("<Placemark><name>", out);
        rw_xml_write_text(out, one->name);
        fprintf(out, "</name><styleUrl>#class%zu</styleUrl><ExtendedData>", class_index);
        fprintf(out, "<Data name=\"class\"><value>%d</value></Data>", one->value);
        fprintf(out, "<Data name=\"cells\"><value>%zu</value></Data>", cells);
        fprintf(out, "<Data name=\"area_m2\"><value>%.10g</value></Data></ExtendedData>\n",
                (double)cells * map->info.res_m * map->info.res_m);
        write_kml_polygons(out, polygons, class_index, xy);
        fputs("</Placemark>\n", out);
    }
    free(xy);
    return status;
}

static void write_kml_styles(FILE *out, const rw_polygons *polygons)
{
    for (size_t i = 0; i < polygons->class_count; i++) {
        rw_colour c = polygons->classes[i].colour;
        if (polygons->regions.class_cells[i])
            fprintf(out,
                    "<Style id=\"class%zu\"><LineStyle><color>ff%02x%02x%02x</color><width>1</width></LineStyle>"
                    "<PolyStyle><color>a0%02x%02x%02x</color></PolyStyle></Style>\n",
                    i, c.blue, c.green, c.red, c.blue, c.green, c.red);
    }
}

static void write_kml_legend(FILE *out, const rw_polygons *polygons)
{
    fputs("<description><![CDATA[<table>", out);
    for (size_t i = 0; i < polygons->class_count; i++) {
        const rw_polygon_class *one = &polygons->classes[i];
        if (!polygons->regions.class_cells[i])
            continue;
        fprintf(out, "<tr><td bgcolor=\"#%02x%02x%02x\">&nbsp;&nbsp;&nbsp;</td><td>", one->colour.red,
                one->colour.green, one->colour.blue);
        rw_xml_write_text(out, one->name);
        fputs("</td></tr>", out);
    }
    fputs("</table>]]></description>\n", out);
}

static rw_status write_kml_document(FILE *out, const rw_polygons *polygons, int with_picture)
{
    fputs(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\n<name>",
        out);
    rw_xml_write_text(out, polygons->title);
    fputs("</name>\n", out);
    write_kml_legend(out, polygons);
    write_kml_styles(out, polygons);
    if (polygons->map->context->provenance) {
        fputs("<ExtendedData><Data name=\"" RW_PROVENANCE_KEY "\"><value>", out);
        write_kml_lines(out, polygons->map->context->provenance);
        fputs("</value></Data></ExtendedData>\n", out);
    }
    if (with_picture)
        fputs("<ScreenOverlay><name>Legend</name><Icon><href>legend.png</href></Icon>"
              "<overlayXY x=\"0\" y=\"0\" xunits=\"fraction\" yunits=\"fraction\"/>"
              "<screenXY x=\"0.02\" y=\"0.05\" xunits=\"fraction\" yunits=\"fraction\"/>"
              "<size x=\"0\" y=\"0\" xunits=\"fraction\" yunits=\"fraction\"/></ScreenOverlay>\n",
              out);
    for (size_t i = 0; i < polygons->class_count; i++)
        if (polygons->regions.class_cells[i])
            RW_TRY(write_kml_placemark(out, polygons, i));
    fputs("</Document></kml>\n", out);
    return RW_OK;
}

#define LEGEND_ROWS_MAX 40
#define LEGEND_ROW_PX 22

/* Title, then a square of colour and a name for each class that occurs. */
static rw_status draw_legend(const rw_polygons *polygons, rw_canvas *canvas)
{
    const rw_colour paper = {255, 255, 255}, ink = {32, 34, 40};
    rw_text_style label = {.size_px = 10, .weight = 1.1, .colour = ink},
                  title = {.size_px = 11, .weight = 1.5, .colour = ink};
    double widest = rw_text_width_px(polygons->title, &title);
    int rows = 0;
    for (size_t i = 0; i < polygons->class_count && rows < LEGEND_ROWS_MAX; i++)
        if (polygons->regions.class_cells[i]) {
            widest = fmax(widest, 26 + rw_text_width_px(polygons->classes[i].name, &label));
            rows++;
        }
    RW_TRY(rw_canvas_create(polygons->map->context, (int)widest + 24, 40 + LEGEND_ROW_PX * rows, paper, canvas));
    rw_canvas_text(canvas, rw_vec2_of(10, 22), &title, polygons->title);
    int y = 34;
    for (size_t i = 0; i < polygons->class_count && rows > 0; i++) {
        if (!polygons->regions.class_cells[i])
            continue;
        rw_canvas_fill_box(canvas, (rw_box_px){10, y, 26, y + 16}, polygons->classes[i].colour);
        rw_canvas_text(canvas, rw_vec2_of(36, y + 13), &label, polygons->classes[i].name);
        y += LEGEND_ROW_PX;
        rows--;
    }
    return RW_OK;
}

static rw_status write_packed(const rw_polygons *polygons, FILE *out, const char *document, size_t size)
{
    rw_canvas canvas = {0};
    char *picture = NULL;
    size_t picture_size = 0;
    rw_status status = draw_legend(polygons, &canvas);
    if (status == RW_OK)
        status =
            rw_png_encode(polygons->map->context, canvas.width, canvas.height, 3, canvas.rgb, &picture, &picture_size);
    if (status == RW_OK) {
        rw_zip_file files[] = {{"doc.kml", document, size}, {"legend.png", picture, picture_size}};
        status = rw_zip_write(polygons->map->context, out, files, 2);
    }
    free(picture);
    rw_canvas_free(&canvas);
    return status;
}

rw_status rw_polygons_write_kml(const rw_polygons *polygons, const char *path, int packed)
{
    rw_context *context = polygons->map->context;
    rw_file_writer writer;
    char *document = NULL;
    size_t size = 0;
    if (!polygons->map->crs[0])
        return rw_fail(context, RW_BAD_CALL,
                       "%s: KML is in longitude and latitude, and the map has no coordinate system; give the scene one "
                       "with --crs",
                       path);
    FILE *memory = open_memstream(&document, &size);
    if (!memory)
        return rw_fail(context, RW_OUT_OF_MEMORY, "%s: no memory left to write it", path);
    rw_status status = write_kml_document(memory, polygons, packed);
    int failed = ferror(memory);
    failed |= fclose(memory) != 0;
    if (status == RW_OK && failed)
        status = rw_fail(context, RW_OUT_OF_MEMORY, "%s: no memory left to write it", path);
    if (status == RW_OK)
        status = rw_file_begin(context, path, &writer);
    if (status == RW_OK) {
        if (packed)
            status = write_packed(polygons, writer.stream, document, size);
        else
            fwrite(document, 1, size, writer.stream);
        if (status == RW_OK)
            status = rw_file_commit(context, &writer);
        else
            rw_file_abandon(&writer);
    }
    free(document);
    return status;
}
