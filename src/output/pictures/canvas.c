/* Marks to coverage to colour. A stroke's coverage of a pixel is taken from the distance of the pixel's centre to the
 * segment, a polygon's from exact spans on four lines in each pixel row. */
#include "output/pictures/pictures.h"

#include "base/memory.h"
#include "ext/png.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_MAX_PX 32768

rw_status rw_canvas_create(rw_context *context, int width, int height, rw_colour paper, rw_canvas *canvas)
{
    memset(canvas, 0, sizeof *canvas);
    if (width < 1 || height < 1 || width > SIDE_MAX_PX || height > SIDE_MAX_PX)
        return rw_fail(context, RW_BAD_CALL, "a picture of %d x %d pixels is not possible; at most %d a side", width,
                       height, SIDE_MAX_PX);
    size_t pixels = (size_t)width * (size_t)height;
    RW_TRY(rw_array_create(context, pixels, 3, "a picture", &canvas->rgb));
    rw_status status = rw_array_create(context, pixels, 1, "a picture", &canvas->mask);
    if (status != RW_OK) {
        rw_canvas_free(canvas);
        return status;
    }
    canvas->context = context;
    canvas->width = width;
    canvas->height = height;
    rw_canvas_unclip(canvas);
    rw_canvas_fill_box(canvas, canvas->clip, paper);
    return RW_OK;
}

void rw_canvas_free(rw_canvas *canvas)
{
    free(canvas->rgb);
    free(canvas->mask);
    canvas->rgb = canvas->mask = NULL;
}

static rw_box_px intersect_boxes(rw_box_px a, rw_box_px b)
{
    rw_box_px box = {a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                     a.y1 < b.y1 ? a.y1 : b.y1};
    return box;
}

void rw_canvas_clip(rw_canvas *canvas, rw_box_px box)
{
    rw_canvas_unclip(canvas);
    canvas->clip = intersect_boxes(canvas->clip, box);
}

void rw_canvas_unclip(rw_canvas *canvas)
{
    canvas->clip = (rw_box_px){0, 0, canvas->width, canvas->height};
}

void rw_canvas_set(rw_canvas *canvas, int x, int y, rw_colour colour)
{
    if (x < canvas->clip.x0 || y < canvas->clip.y0 || x >= canvas->clip.x1 || y >= canvas->clip.y1)
        return;
    uint8_t *pixel = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
    pixel[0] = colour.red;
    pixel[1] = colour.green;
    pixel[2] = colour.blue;
}

void rw_canvas_fill_box(rw_canvas *canvas, rw_box_px box, rw_colour colour)
{
    box = intersect_boxes(box, canvas->clip);
    for (int x = box.x0; x < box.x1 && box.y0 < box.y1; x++)
        rw_canvas_set(canvas, x, box.y0, colour);
    for (int y = box.y0 + 1; y < box.y1; y++)
        rw_canvas_repeat_row(canvas, box.x0, box.x1, y);
}

void rw_canvas_repeat_row(rw_canvas *canvas, int x0, int x1, int y)
{
    uint8_t *row = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x0);
    if (x0 < x1)
        memcpy(row, row - 3 * (size_t)canvas->width, 3 * (size_t)(x1 - x0));
}

void rw_canvas_frame(rw_canvas *canvas, rw_box_px box, int width_px, rw_colour colour)
{
    int w = width_px;
    rw_canvas_fill_box(canvas, (rw_box_px){box.x0 - w, box.y0 - w, box.x1 + w, box.y0}, colour);
    rw_canvas_fill_box(canvas, (rw_box_px){box.x0 - w, box.y1, box.x1 + w, box.y1 + w}, colour);
    rw_canvas_fill_box(canvas, (rw_box_px){box.x0 - w, box.y0, box.x0, box.y1}, colour);
    rw_canvas_fill_box(canvas, (rw_box_px){box.x1, box.y0, box.x1 + w, box.y1}, colour);
}

/* The box that holds the points and margin around them, inside the clip; remembered as dirty. */
static rw_box_px touch_box(rw_canvas *canvas, rw_vec2 low, rw_vec2 high, double margin)
{
    double x0 = fmax(floor(low.x - margin), canvas->clip.x0), y0 = fmax(floor(low.y - margin), canvas->clip.y0);
    double x1 = fmin(ceil(high.x + margin) + 1, canvas->clip.x1), y1 = fmin(ceil(high.y + margin) + 1, canvas->clip.y1);
    if (!(x0 < x1 && y0 < y1))
        return (rw_box_px){0, 0, 0, 0};
    rw_box_px box = {(int)x0, (int)y0, (int)x1, (int)y1};
    rw_box_px *dirty = &canvas->dirty;
    if (dirty->x1 <= dirty->x0) {
        *dirty = box;
        return box;
    }
    dirty->x0 = box.x0 < dirty->x0 ? box.x0 : dirty->x0;
    dirty->y0 = box.y0 < dirty->y0 ? box.y0 : dirty->y0;
    dirty->x1 = box.x1 > dirty->x1 ? box.x1 : dirty->x1;
    dirty->y1 = box.y1 > dirty->y1 ? box.y1 : dirty->y1;
    return box;
}

static void cover_pixel(rw_canvas *canvas, int x, int y, double coverage)
{
    if (coverage <= 0)
        return;
    uint8_t *mask = canvas->mask + (size_t)y * (size_t)canvas->width + (size_t)x;
    double level = coverage >= 1 ? 255 : 255 * coverage + 0.5;
    if (level > *mask)
        *mask = (uint8_t)level;
}

void rw_canvas_stroke(rw_canvas *canvas, rw_vec2 from, rw_vec2 to, double width_px)
{
    rw_vec2 along = rw_vec2_sub(to, from);
    double length2 = rw_vec2_dot(along, along), reach = 0.5 * width_px + 0.5, max_coverage = fmin(1, width_px);
    double inverse = length2 > 0 ? 1 / length2 : 0;
    if (!isfinite(length2))
        return;
    rw_vec2 low = {fmin(from.x, to.x), fmin(from.y, to.y)}, high = {fmax(from.x, to.x), fmax(from.y, to.y)};
    rw_box_px box = touch_box(canvas, low, high, reach);
    for (int y = box.y0; y < box.y1; y++) {
        /* Of a long slanted stroke only a few pixels in each row are near it. */
        int first = box.x0, last = box.x1;
        if (fabs(along.y) > 1e-9 && length2 > 16) {
            double slack = reach * sqrt(length2) / fabs(along.y) + 1;
            double centre = from.x + along.x * (y + 0.5 - from.y) / along.y;
            first = (int)fmax(first, fmin(floor(centre - slack), last));
            last = (int)fmin(last, fmax(ceil(centre + slack) + 1, first));
        }
        for (int x = first; x < last; x++) {
            rw_vec2 offset = {x + 0.5 - from.x, y + 0.5 - from.y};
            double fraction = rw_vec2_dot(offset, along) * inverse;
            fraction = fraction > 1 ? 1 : fraction > 0 ? fraction : 0;
            rw_vec2 apart = {offset.x - fraction * along.x, offset.y - fraction * along.y};
            double distance2 = rw_vec2_dot(apart, apart);
            if (distance2 >= reach * reach)
                continue;
            double coverage = reach - sqrt(distance2);
            cover_pixel(canvas, x, y, coverage < max_coverage ? coverage : max_coverage);
        }
    }
}

void rw_canvas_disc(rw_canvas *canvas, rw_vec2 centre, double radius_px)
{
    rw_canvas_stroke(canvas, centre, centre, 2 * radius_px);
}

static int compare_edge_crossings(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Most lines cross an outline two or four times. */
static void sort_crossings(double *crossings, size_t count)
{
    if (count > 16) {
        qsort(crossings, count, sizeof *crossings, compare_edge_crossings);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        double moved = crossings[i];
        size_t at = i;
        for (; at > 0 && crossings[at - 1] > moved; at--)
            crossings[at] = crossings[at - 1];
        crossings[at] = moved;
    }
}

/* Where the polygon's edges cross the horizontal line, from left to right. */
static size_t find_crossings(const rw_vec2 *points, const size_t *ring_sizes, size_t ring_count, double y,
                             double *crossings)
{
    size_t count = 0;
    for (size_t ring = 0; ring < ring_count; points += ring_sizes[ring++])
        for (size_t i = 0; i < ring_sizes[ring]; i++) {
            rw_vec2 a = points[i], b = points[i + 1 < ring_sizes[ring] ? i + 1 : 0];
            if ((a.y <= y) != (b.y <= y))
                crossings[count++] = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
        }
    sort_crossings(crossings, count);
    return count;
}

static void add_span(float *row, rw_box_px box, double from, double to, float weight)
{
    from = fmax(from, box.x0);
    to = fmin(to, box.x1);
    for (int x = (int)floor(from); x < to; x++) {
        double left = from > x ? from : x, right = to < x + 1 ? to : x + 1;
        row[x - box.x0] += right > left ? weight * (float)(right - left) : 0;
    }
}

rw_status rw_canvas_polygon(rw_canvas *canvas, const rw_vec2 *points, const size_t *ring_sizes, size_t ring_count)
{
    size_t count = 0;
    rw_vec2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (size_t ring = 0; ring < ring_count; ring++)
        count += ring_sizes[ring];
    for (size_t i = 0; i < count; i++) {
        low = rw_vec2_of(fmin(low.x, points[i].x), fmin(low.y, points[i].y));
        high = rw_vec2_of(fmax(high.x, points[i].x), fmax(high.y, points[i].y));
    }
    rw_box_px box = touch_box(canvas, low, high, 0);
    if (box.x1 <= box.x0)
        return RW_OK;
    double *crossings = NULL;
    float *row = NULL;
    rw_status status = rw_array_create(canvas->context, count, sizeof *crossings, "a polygon", &crossings);
    if (status == RW_OK)
        status = rw_array_create(canvas->context, (size_t)(box.x1 - box.x0) + 1, sizeof *row, "a polygon", &row);
    for (int y = box.y0; status == RW_OK && y < box.y1; y++) {
        memset(row, 0, (size_t)(box.x1 - box.x0) * sizeof *row);
        for (int line = 0; line < 4; line++) {
            size_t found = find_crossings(points, ring_sizes, ring_count, y + 0.125 + 0.25 * line, crossings);
            for (size_t i = 0; i + 1 < found; i += 2)
                add_span(row, box, crossings[i], crossings[i + 1], 0.25f);
        }
        for (int x = box.x0; x < box.x1; x++)
            cover_pixel(canvas, x, y, row[x - box.x0]);
    }
    free(crossings);
    free(row);
    return status;
}

static uint8_t blend_channel(uint8_t under, uint8_t over, double fraction)
{
    return (uint8_t)(under + (over - under) * fraction + 0.5);
}

/* The first pixel of a row from x on that is covered; the mask is mostly empty, eight pixels at a time. */
static int find_covered(const uint8_t *mask, int x, int end)
{
    uint64_t eight;
    for (; x + 8 <= end; x += 8) {
        memcpy(&eight, mask + x, sizeof eight);
        if (eight)
            break;
    }
    while (x < end && !mask[x])
        x++;
    return x;
}

void rw_canvas_ink(rw_canvas *canvas, rw_colour colour, double opacity)
{
    rw_box_px dirty = canvas->dirty;
    for (int y = dirty.y0; y < dirty.y1; y++) {
        uint8_t *mask = canvas->mask + (size_t)y * (size_t)canvas->width;
        uint8_t *pixels = canvas->rgb + 3 * (size_t)y * (size_t)canvas->width;
        for (int x = find_covered(mask, dirty.x0, dirty.x1); x < dirty.x1; x = find_covered(mask, x + 1, dirty.x1)) {
            double fraction = opacity * mask[x] / 255.0;
            uint8_t *pixel = pixels + 3 * (size_t)x;
            pixel[0] = blend_channel(pixel[0], colour.red, fraction);
            pixel[1] = blend_channel(pixel[1], colour.green, fraction);
            pixel[2] = blend_channel(pixel[2], colour.blue, fraction);
            mask[x] = 0;
        }
    }
    canvas->dirty = (rw_box_px){0, 0, 0, 0};
}

rw_status rw_canvas_write(const rw_canvas *canvas, const char *path)
{
    return rw_png_write(canvas->context, path, canvas->width, canvas->height, canvas->rgb);
}

int rw_clamp_to_screen(double value, int max)
{
    return !(value > 0) ? 0 : value >= max ? max : (int)value;
}

/* Half-plane tests for each sample of the triangle's box; either orientation. */
void rw_triangle_sample(const rw_vec3 p[3], int columns, int rows, rw_triangle_fn on_sample, void *user)
{
    double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (!(fabs(area) > 1e-12))
        return;
    int west = rw_clamp_to_screen(floor(fmin(p[0].x, fmin(p[1].x, p[2].x))), columns);
    int east = rw_clamp_to_screen(ceil(fmax(p[0].x, fmax(p[1].x, p[2].x))), columns);
    int top = rw_clamp_to_screen(floor(fmin(p[0].y, fmin(p[1].y, p[2].y))), rows);
    int bottom = rw_clamp_to_screen(ceil(fmax(p[0].y, fmax(p[1].y, p[2].y))), rows);
    for (int row = top; row < bottom; row++)
        for (int column = west; column < east; column++) {
            double x = column + 0.5, y = row + 0.5, weights[3];
            weights[0] = ((p[1].x - x) * (p[2].y - y) - (p[1].y - y) * (p[2].x - x)) / area;
            weights[1] = ((p[2].x - x) * (p[0].y - y) - (p[2].y - y) * (p[0].x - x)) / area;
            weights[2] = 1 - weights[0] - weights[1];
            if (weights[0] >= -1e-9 && weights[1] >= -1e-9 && weights[2] >= -1e-9)
                on_sample(user, column, row, weights);
        }
}

void rw_canvas_set_samples(rw_canvas *canvas, int x, int y, const rw_colour *samples, int columns, int rows)
{
    const int side = RW_CANVAS_SAMPLES;
    for (int row = 0; row < rows / side; row++)
        for (int column = 0; column < columns / side; column++) {
            unsigned red = 0, green = 0, blue = 0, all = (unsigned)(side * side);
            for (int k = 0; k < side * side; k++) {
                size_t from = (size_t)(side * row + k / side) * (size_t)columns + (size_t)(side * column + k % side);
                red += samples[from].red;
                green += samples[from].green;
                blue += samples[from].blue;
            }
            rw_canvas_set(canvas, x + column, y + row,
                          (rw_colour){(uint8_t)(red / all), (uint8_t)(green / all), (uint8_t)(blue / all)});
        }
}
