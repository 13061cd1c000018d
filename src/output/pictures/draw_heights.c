/* A picture of a scene from above: buildings coloured by where their heights are from, and foliage. */
#include "base/memory.h"
#include "output/pictures/pictures.h"
#include "scene/scene.h"
#include "scene/surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LONG_SIDE_PX 1100.0
#define EDGE_PX 30
#define HEAD_PX 70

static const rw_colour text_ink = {32, 34, 40}, foliage_colour = {190, 220, 180};
static const struct {
    const char *name;
    rw_colour colour;
} sources[] = {{"height of the file", {150, 154, 164}},
               {"default height", {214, 96, 77}},
               {"height from the surface", {58, 110, 190}},
               {"found in the surface", {240, 160, 40}}};

typedef struct height_picture {
    const rw_scene *scene;
    rw_canvas canvas;
    double px_per_m;
    rw_vec2 low; /* south-west corner, local */
    int height_px;
} height_picture;

static rw_vec2 locate_pixel(const height_picture *picture, rw_vec2 at)
{
    return rw_vec2_of(EDGE_PX + (at.x - picture->low.x) * picture->px_per_m,
                      picture->height_px - EDGE_PX - (at.y - picture->low.y) * picture->px_per_m);
}

static void draw_foliage_posts(height_picture *picture)
{
    const rw_raster *foliage = &picture->scene->foliage;
    for (int y = HEAD_PX; y < picture->height_px - EDGE_PX && foliage->values; y++)
        for (int x = EDGE_PX; x < picture->canvas.width - EDGE_PX; x++) {
            double east = picture->low.x + (x + 0.5 - EDGE_PX) / picture->px_per_m + picture->scene->origin.x;
            double north = picture->low.y + (picture->height_px - EDGE_PX - y - 0.5) / picture->px_per_m +
                           picture->scene->origin.y;
            double column = rint((east - foliage->x0_m) / foliage->dx_m);
            double row = rint((north - foliage->y0_m) / foliage->dy_m);
            if (column >= 0 && row >= 0 && column < (double)foliage->columns && row < (double)foliage->rows &&
                foliage->values[(size_t)row * foliage->columns + (size_t)column] > 0)
                rw_canvas_set(&picture->canvas, x, y, foliage_colour);
        }
}

static rw_status draw_part(height_picture *picture, const rw_part *part)
{
    const rw_scene *scene = picture->scene;
    size_t count = 0, used = 0, *ring_sizes = NULL;
    rw_vec2 *points;
    for (size_t i = 0; i < part->ring_count; i++)
        count += rw_ring_size(scene, part->first_ring + i);
    RW_TRY(rw_array_create(scene->context, count, sizeof *points, "an outline", &points));
    rw_status status = rw_array_create(scene->context, part->ring_count, sizeof *ring_sizes, "an outline", &ring_sizes);
    for (size_t i = 0; status == RW_OK && i < part->ring_count; i++) {
        const rw_vec2 *ring = rw_ring_points(scene, part->first_ring + i);
        ring_sizes[i] = rw_ring_size(scene, part->first_ring + i);
        for (size_t k = 0; k < ring_sizes[i]; k++)
            points[used++] = locate_pixel(picture, ring[k]);
    }
    if (status == RW_OK)
        status = rw_canvas_polygon(&picture->canvas, points, ring_sizes, part->ring_count);
    free(points);
    free(ring_sizes);
    return status;
}

static void draw_height_legend(height_picture *picture)
{
    size_t counts[4] = {0};
    rw_text_style style = {.size_px = 9.5, .weight = 1.1, .colour = text_ink};
    double x = EDGE_PX;
    for (size_t i = 0; i < picture->scene->parts.count; i++)
        counts[picture->scene->parts.items[i].height_from]++;
    for (size_t i = 0; i < 5; i++) {
        char text[64];
        rw_colour colour = i < 4 ? sources[i].colour : foliage_colour;
        if (i < 4 ? !counts[i] : !picture->scene->foliage.values)
            continue;
        snprintf(text, sizeof text, i < 4 ? "%s: %zu" : "%s", i < 4 ? sources[i].name : "foliage",
                 i < 4 ? counts[i] : 0);
        rw_canvas_fill_box(&picture->canvas, (rw_box_px){(int)x, 32, (int)x + 14, 46}, colour);
        rw_canvas_text(&picture->canvas, rw_vec2_of(x + 20, 44), &style, text);
        x += 44 + rw_text_width_px(text, &style);
    }
}

static rw_status draw_height_parts(height_picture *picture)
{
    draw_foliage_posts(picture);
    for (size_t i = 0; i < picture->scene->parts.count; i++) {
        const rw_part *part = &picture->scene->parts.items[i];
        RW_TRY(draw_part(picture, part));
        rw_canvas_ink(&picture->canvas, sources[part->height_from].colour, 0.95);
    }
    draw_height_legend(picture);
    return RW_OK;
}

rw_status rw_scene_draw_heights(const rw_scene *scene, const char *path)
{
    height_picture picture = {.scene = scene, .low = scene->box_min};
    if (!scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is not committed yet");
    double width_m = scene->box_max.x - scene->box_min.x, depth_m = scene->box_max.y - scene->box_min.y;
    if (!(width_m > 0 && depth_m > 0))
        return rw_fail(scene->context, RW_BAD_CALL, "the scene has nothing to draw from above");
    picture.px_per_m = LONG_SIDE_PX / fmax(width_m, depth_m);
    int width_px = (int)fmax(width_m * picture.px_per_m, 640) + 2 * EDGE_PX;
    picture.height_px = (int)(depth_m * picture.px_per_m) + HEAD_PX + EDGE_PX;
    RW_TRY(rw_canvas_create(scene->context, width_px, picture.height_px, (rw_colour){255, 255, 255}, &picture.canvas));
    rw_status status = draw_height_parts(&picture);
    if (status == RW_OK)
        status = rw_canvas_write(&picture.canvas, path);
    rw_canvas_free(&picture.canvas);
    return status;
}
