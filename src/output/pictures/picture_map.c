/* The map part of a picture: cells to pixels, buildings over them, marks of routes. */
#include "output/pictures/picture.h"

#include "base/memory.h"
#include "scene/scene.h"
#include "scene/antennas/antenna.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static rw_vec2 find_picture_pixel(const rw_picture *picture, double x_m, double y_m)
{
    const rw_map_info *info = &picture->map->info;
    double scale = picture->pixels_per_cell / info->res_m;
    return rw_vec2_of(picture->map_box.x0 + (x_m - info->x0_m) * scale,
                      picture->map_box.y1 - (y_m - info->y0_m) * scale);
}

/* The cell under a pixel; outside the map the nearest. */
static size_t cell_at(const rw_picture *picture, int x, int y)
{
    const rw_map_info *info = &picture->map->info;
    double column = (x + 0.5 - picture->map_box.x0) / picture->pixels_per_cell;
    double row = (picture->map_box.y1 - y - 0.5) / picture->pixels_per_cell;
    column = fmin(fmax(column, 0), (double)info->columns - 1);
    row = fmin(fmax(row, 0), (double)info->rows - 1);
    return (size_t)row * info->columns + (size_t)column;
}

static const float *band_values(const rw_picture *picture)
{
    return picture->layer->values + picture->band * picture->map->info.columns * picture->map->info.rows;
}

/* Draws the pixels of one row, with the values of its cells; returns whether none has a pattern, which depends on the
 * pixel. */
static int draw_cell_row(rw_picture *picture, const float *values, const size_t *column_at, int y)
{
    rw_box_px box = picture->map_box;
    rw_colour colour = rw_colour_nodata;
    size_t column_before = SIZE_MAX;
    int plain = 1;
    for (int x = box.x0; x < box.x1; x++) {
        size_t column = column_at[x - box.x0];
        float value = values[column];
        if (isinf(value)) {
            plain = 0;
            rw_canvas_set(&picture->canvas, x, y, rw_no_path_colour(x, y));
            continue;
        }
        if (column != column_before)
            colour = isnan(value) ? rw_colour_nodata : rw_layer_style_colour(&picture->style, value);
        column_before = column;
        rw_canvas_set(&picture->canvas, x, y, colour);
    }
    return plain;
}

rw_status rw_picture_draw_cells(rw_picture *picture)
{
    const float *values = band_values(picture);
    rw_box_px box = picture->map_box;
    size_t columns = picture->map->info.columns, *column_at;
    RW_TRY(
        rw_array_create(picture->map->context, (size_t)(box.x1 - box.x0), sizeof *column_at, "a picture", &column_at));
    for (int x = box.x0; x < box.x1; x++)
        column_at[x - box.x0] = cell_at(picture, x, box.y1 - 1) % columns;
    size_t row_before = SIZE_MAX; /* of which all pixels have the colour of their cell */
    for (int y = box.y0; y < box.y1; y++) {
        size_t row_start = cell_at(picture, box.x0, y) / columns * columns;
        if (row_start == row_before)
            rw_canvas_repeat_row(&picture->canvas, box.x0, box.x1, y);
        else
            row_before = draw_cell_row(picture, values + row_start, column_at, y) ? row_start : SIZE_MAX;
    }
    free(column_at);
    return RW_OK;
}

/* Corners of a part in pixels, ring after ring. Empty where the part lies outside the map. */
static rw_status building_part_pixels(const rw_picture *picture, const rw_scene *scene, const rw_part *part,
                                      rw_vec2 **points, size_t *capacity, size_t *count)
{
    size_t first = scene->ring_first.items[part->first_ring];
    size_t last = scene->ring_first.items[part->first_ring + part->ring_count];
    *count = last - first;
    RW_TRY(rw_array_reserve(picture->canvas.context, points, capacity, *count, sizeof **points, "outlines"));
    for (size_t i = 0; i < *count; i++) {
        rw_vec2 local = scene->points.items[first + i];
        (*points)[i] = find_picture_pixel(picture, local.x + scene->origin.x, local.y + scene->origin.y);
    }
    return RW_OK;
}

/* Whether the part's inside has no values: then it is drawn as a closed grey shape, and its border is the outline and
 * not the staircase of the cells. Above the roofs (high receivers) the values stay visible. */
static int is_without_values(const rw_picture *picture, const rw_vec2 *points, size_t count)
{
    const float *values = band_values(picture);
    size_t empty = 0, seen = 0;
    for (size_t i = 0; i < count; i++) {
        rw_vec2 a = points[i], b = points[(i + count / 2) % count];
        rw_vec2 middle = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
        rw_box_px box = picture->map_box;
        if (middle.x < box.x0 || middle.x >= box.x1 || middle.y < box.y0 || middle.y >= box.y1)
            continue;
        seen++;
        empty += isnan(values[cell_at(picture, (int)middle.x, (int)middle.y)]) != 0;
    }
    return seen > 0 && 2 * empty >= seen;
}

static void stroke_ring(rw_picture *picture, const rw_vec2 *points, size_t count, double width_px)
{
    for (size_t i = 0; i < count; i++)
        rw_canvas_stroke(&picture->canvas, points[i], points[i + 1 < count ? i + 1 : 0], width_px);
}

static rw_status draw_building_parts(rw_picture *picture, const rw_scene *scene, int fill, double width_px)
{
    rw_vec2 *points = NULL;
    size_t capacity = 0, count = 0, *ring_sizes = NULL, ring_capacity = 0;
    rw_status status = RW_OK;
    for (size_t i = 0; i < scene->parts.count && status == RW_OK; i++) {
        const rw_part *part = &scene->parts.items[i];
        status = building_part_pixels(picture, scene, part, &points, &capacity, &count);
        if (status == RW_OK)
            status = rw_array_reserve(picture->canvas.context, &ring_sizes, &ring_capacity, part->ring_count,
                                      sizeof *ring_sizes, "outlines");
        if (status != RW_OK)
            break;
        for (size_t ring = 0; ring < part->ring_count; ring++)
            ring_sizes[ring] = rw_ring_size(scene, part->first_ring + ring);
        if (fill && is_without_values(picture, points, ring_sizes[0]))
            status = rw_canvas_polygon(&picture->canvas, points, ring_sizes, part->ring_count);
        const rw_vec2 *ring_points = points;
        for (size_t ring = 0; !fill && ring < part->ring_count; ring_points += ring_sizes[ring++])
            stroke_ring(picture, ring_points, ring_sizes[ring], width_px);
    }
    free(points);
    free(ring_sizes);
    return status;
}

rw_status rw_picture_draw_buildings(rw_picture *picture, const rw_scene *scene)
{
    const rw_colour outline = {62, 64, 74};
    if (picture->map->info.has_plane) {
        rw_picture_draw_cut(picture, scene);
        return RW_OK;
    }
    rw_canvas_clip(&picture->canvas, picture->map_box);
    double metres_per_pixel = picture->map->info.res_m / picture->pixels_per_cell;
    /* Where a pixel is many metres wide, full outlines would hide the map. */
    double width_px = picture->unit_px * (metres_per_pixel < 1 ? 1.3 : metres_per_pixel < 4 ? 1.0 : 0.6);
    rw_status status = draw_building_parts(picture, scene, 1, 0);
    rw_canvas_ink(&picture->canvas, rw_colour_nodata, 1);
    if (status == RW_OK)
        status = draw_building_parts(picture, scene, 0, width_px);
    for (size_t i = 0; i < scene->panels.count && status == RW_OK; i++) {
        rw_vec2 p0 = scene->panels.items[i].p0, p1 = scene->panels.items[i].p1;
        rw_canvas_stroke(&picture->canvas, find_picture_pixel(picture, p0.x + scene->origin.x, p0.y + scene->origin.y),
                         find_picture_pixel(picture, p1.x + scene->origin.x, p1.y + scene->origin.y), 1.2 * width_px);
    }
    rw_canvas_ink(&picture->canvas, outline, 0.75);
    rw_canvas_unclip(&picture->canvas);
    return status;
}

/* Places of a route as dots that show on every colour of a map. */
void rw_picture_draw_marks(rw_picture *picture, const double *marks_m, size_t count)
{
    const rw_colour white = {255, 255, 255}, black = {0, 0, 0};
    rw_canvas_clip(&picture->canvas, picture->map_box);
    for (int rim = 1; rim >= 0; rim--) {
        for (size_t i = 0; i < count; i++)
            rw_canvas_disc(&picture->canvas, find_picture_pixel(picture, marks_m[2 * i], marks_m[2 * i + 1]),
                           (rim ? 2.6 : 1.5) * picture->unit_px);
        rw_canvas_ink(&picture->canvas, rim ? white : black, rim ? 0.8 : 1);
    }
    rw_canvas_unclip(&picture->canvas);
}

#define LINES_MAX 6        /* names at one place; more are counted */
#define SAME_POSITION_PX 4 /* nearer markers would lie on each other */

static const rw_colour white = {255, 255, 255}, red = {214, 40, 57};

static void draw_ring(rw_picture *picture, rw_vec2 at, rw_colour colour)
{
    double unit = picture->unit_px;
    rw_canvas_disc(&picture->canvas, at, 8 * unit);
    rw_canvas_ink(&picture->canvas, white, 1);
    rw_canvas_disc(&picture->canvas, at, 6.2 * unit);
    rw_canvas_ink(&picture->canvas, colour, 1);
    rw_canvas_disc(&picture->canvas, at, 2.4 * unit);
    rw_canvas_ink(&picture->canvas, white, 1);
}

/* Lines of text beside a marker, on the side where there is room; the middle one at its height. */
static void draw_lines(rw_picture *picture, rw_vec2 at, double gap, char (*lines)[RW_CLASS_NAME_MAX], size_t count)
{
    double unit = picture->unit_px, widest = 0, step = 15 * unit;
    rw_text_style style = {.size_px = 10 * unit, .weight = 1.5, .colour = rw_colour_text};
    for (size_t i = 0; i < count; i++)
        widest = fmax(widest, rw_text_width_px(lines[i], &style));
    int fits_right = at.x + gap + widest < picture->map_box.x1 - 4 * unit;
    style.align = fits_right ? RW_TEXT_LEFT : RW_TEXT_RIGHT;
    double top = at.y + 5 * unit - 0.5 * step * ((double)count - 1);
    top = fmin(fmax(top, picture->map_box.y0 + 14 * unit), picture->map_box.y1 - 4 * unit - step * ((double)count - 1));
    for (size_t i = 0; i < count; i++) {
        rw_vec2 baseline = {fits_right ? at.x + gap : at.x - gap, top + step * (double)i};
        rw_canvas_text_with_rim(&picture->canvas, baseline, &style, white, lines[i]);
    }
}

void rw_picture_draw_marker(rw_picture *picture, rw_vec2 at, const char *name)
{
    char line[1][RW_CLASS_NAME_MAX];
    snprintf(line[0], sizeof line[0], "%s", name);
    draw_ring(picture, at, red);
    draw_lines(picture, at, 13 * picture->unit_px, line, 1);
}

static rw_vec2 find_marker_pixel(const rw_picture *picture, const rw_transmitter *transmitter)
{
    return picture->map->info.has_plane ? rw_picture_foot(picture, transmitter)
                                        : find_picture_pixel(picture, transmitter->x_m, transmitter->y_m);
}

static int have_same_pixel(const rw_picture *picture, const rw_transmitter *a, const rw_transmitter *b)
{
    rw_vec2 p = find_marker_pixel(picture, a), q = find_marker_pixel(picture, b);
    return hypot(p.x - q.x, p.y - q.y) < SAME_POSITION_PX * picture->unit_px;
}

/* Whether the antenna looks somewhere, as seen from above. */
static int has_direction(const rw_picture *picture, const rw_transmitter *transmitter)
{
    const char *antenna = transmitter->antenna;
    return antenna && rw_antenna_has_azimuth(antenna) && !picture->map->info.has_plane;
}

/* The colour of a transmitter's own area, where the map shows whose area a cell is. */
static rw_colour colour_of(const rw_picture *picture, size_t transmitter)
{
    return picture->style.of_transmitters ? rw_layer_class_colour(&picture->style, transmitter) : red;
}

static void draw_spoke(rw_picture *picture, rw_vec2 at, const rw_transmitter *transmitter, rw_colour colour)
{
    double unit = picture->unit_px, azimuth_rad = transmitter->azimuth_deg * 3.14159265358979323846 / 180;
    rw_vec2 tip = {at.x + 19 * unit * sin(azimuth_rad), at.y - 19 * unit * cos(azimuth_rad)};
    rw_canvas_stroke(&picture->canvas, at, tip, 6 * unit);
    rw_canvas_ink(&picture->canvas, white, 1);
    rw_canvas_stroke(&picture->canvas, at, tip, 3.4 * unit);
    rw_canvas_ink(&picture->canvas, colour, 1);
}

/* Whether an earlier transmitter stands at the same place and has been drawn with this one. */
static int is_drawn_with_earlier(const rw_picture *picture, const rw_transmitter *transmitters, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (have_same_pixel(picture, &transmitters[i], &transmitters[index]))
            return 1;
    return 0;
}

static void draw_marker(rw_picture *picture, const rw_transmitter *transmitters, size_t first, size_t count)
{
    char lines[LINES_MAX][RW_CLASS_NAME_MAX];
    rw_vec2 at = find_marker_pixel(picture, &transmitters[first]);
    size_t here = 0;
    int spokes = 0;
    for (size_t i = first; i < count; i++) {
        if (!have_same_pixel(picture, &transmitters[first], &transmitters[i]))
            continue;
        if (here < LINES_MAX)
            snprintf(lines[here], sizeof lines[here], "%s", transmitters[i].name ? transmitters[i].name : "");
        here++;
        if (has_direction(picture, &transmitters[i])) {
            draw_spoke(picture, at, &transmitters[i], colour_of(picture, i));
            spokes++;
        }
    }
    draw_ring(picture, at, here > 1 ? red : colour_of(picture, first));
    size_t shown = here < LINES_MAX ? here : LINES_MAX;
    if (here > LINES_MAX)
        snprintf(lines[LINES_MAX - 1], sizeof lines[0], "and %zu more", here - (LINES_MAX - 1));
    draw_lines(picture, at, (spokes ? 23 : 13) * picture->unit_px, lines, shown);
}

void rw_picture_draw_transmitters(rw_picture *picture, const rw_transmitter *transmitters, size_t count)
{
    rw_canvas_clip(&picture->canvas, picture->map_box);
    for (size_t i = 0; i < count; i++)
        if (!is_drawn_with_earlier(picture, transmitters, i))
            draw_marker(picture, transmitters, i, count);
    rw_canvas_unclip(&picture->canvas);
}
