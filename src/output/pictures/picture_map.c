/* The map part of a picture: cells to pixels, buildings over them, marks of routes. */
#include "output/pictures/picture.h"

#include "base/memory.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>

rw_vec2 rw_picture_pixel(const rw_picture *picture, double x_m, double y_m)
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

rw_status rw_picture_draw_cells(rw_picture *picture)
{
    const float *values = band_values(picture);
    rw_box_px box = picture->map_box;
    size_t columns = picture->map->info.columns, *column_at;
    RW_TRY(
        rw_array_create(picture->map->context, (size_t)(box.x1 - box.x0), sizeof *column_at, "a picture", &column_at));
    for (int x = box.x0; x < box.x1; x++)
        column_at[x - box.x0] = cell_at(picture, x, box.y1 - 1) % columns;
    for (int y = box.y0; y < box.y1; y++) {
        size_t row_start = cell_at(picture, box.x0, y) / columns * columns;
        for (int x = box.x0; x < box.x1; x++) {
            float value = values[row_start + column_at[x - box.x0]];
            rw_colour colour = isnan(value)   ? rw_colour_nodata
                               : isinf(value) ? rw_no_path_colour(x, y)
                                              : rw_layer_style_colour(&picture->style, value);
            rw_canvas_set(&picture->canvas, x, y, colour);
        }
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
        (*points)[i] = rw_picture_pixel(picture, local.x + scene->origin.x, local.y + scene->origin.y);
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
        rw_canvas_stroke(&picture->canvas, rw_picture_pixel(picture, p0.x + scene->origin.x, p0.y + scene->origin.y),
                         rw_picture_pixel(picture, p1.x + scene->origin.x, p1.y + scene->origin.y), 1.2 * width_px);
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
            rw_canvas_disc(&picture->canvas, rw_picture_pixel(picture, marks_m[2 * i], marks_m[2 * i + 1]),
                           (rim ? 2.6 : 1.5) * picture->unit_px);
        rw_canvas_ink(&picture->canvas, rim ? white : black, rim ? 0.8 : 1);
    }
    rw_canvas_unclip(&picture->canvas);
}
