/* The legend: a colour bar with round numbers, or a list of classes; below it what is not a value; and the scale bar.
 */
#include "output/pictures/picture.h"

#include "output/pictures/pictures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BAR_WIDTH 18 /* all lengths in units of unit_px */
#define LABEL_GAP 10
#define ENTRY_STEP 26
#define BAR_LENGTH 380

static rw_text_style label_style(const rw_picture *picture)
{
    return (rw_text_style){.size_px = 9 * picture->unit_px, .weight = 1.1, .colour = rw_colour_text};
}

static const char *no_path_label = "no path found";
static const char *nodata_string = "no receiver";

double rw_picture_legend_width_px(const rw_picture *picture)
{
    rw_text_style style = label_style(picture);
    double widest = rw_text_width_px(nodata_string, &style);
    for (size_t i = 0; i < picture->style.class_count; i++) {
        char name[RW_CLASS_NAME_MAX];
        rw_layer_class_name(&picture->style, i, name);
        widest = fmax(widest, rw_text_width_px(name, &style));
    }
    return widest + (BAR_WIDTH + LABEL_GAP + 2) * picture->unit_px;
}

/* A square of colour with its name; returns where the next one goes. */
static double draw_entry(rw_picture *picture, double x, double y, const rw_colour *colour, const char *label)
{
    double unit = picture->unit_px;
    rw_box_px box = {(int)x, (int)y, (int)(x + BAR_WIDTH * unit), (int)(y + BAR_WIDTH * unit)};
    if (colour)
        rw_canvas_fill_box(&picture->canvas, box, *colour);
    for (int py = box.y0; !colour && py < box.y1; py++)
        for (int px = box.x0; px < box.x1; px++)
            rw_canvas_set(&picture->canvas, px, py, rw_no_path_colour(px, py));
    rw_canvas_frame(&picture->canvas, box, 1, rw_colour_quiet);
    rw_text_style style = label_style(picture);
    rw_vec2 baseline = {x + (BAR_WIDTH + LABEL_GAP) * unit, y + (BAR_WIDTH * unit + style.size_px) / 2};
    rw_canvas_text(&picture->canvas, baseline, &style, label);
    return y + ENTRY_STEP * unit;
}

static double draw_classes(rw_picture *picture, double x, double y)
{
    const rw_layer_style *style = &picture->style;
    for (size_t i = style->class_count; i-- > 0;) {
        if (!style->class_names[i][0])
            continue;
        char label[RW_CLASS_NAME_MAX + 16];
        int open_end = i + 1 == style->class_count && style->cut_above;
        snprintf(label, sizeof label, "%s%s", style->class_names[i], open_end ? " and more" : "");
        y = draw_entry(picture, x, y, &style->class_colours[i], label);
    }
    return y;
}

/* Whether a transmitter serves a cell of the picture. */
static int is_serving_a_cell(const rw_picture *picture, size_t transmitter)
{
    size_t cells = picture->map->info.columns * picture->map->info.rows;
    const float *values = picture->layer->values + picture->band * cells;
    for (size_t i = 0; i < cells; i++)
        if (values[i] == (float)(transmitter + 1))
            return 1;
    return 0;
}

/* Those that serve, as far as there is room; the others are counted. */
static double draw_transmitter_classes(rw_picture *picture, double x, double y, double height_px)
{
    const rw_layer_style *style = &picture->style;
    double step = ENTRY_STEP * picture->unit_px, last = y + height_px - 2 * step;
    size_t left = 0;
    char label[RW_CLASS_NAME_MAX];
    for (size_t i = 0; i < style->class_count; i++) {
        if (!is_serving_a_cell(picture, i))
            continue;
        if (y > last) {
            left++;
            continue;
        }
        rw_colour colour = rw_layer_class_colour(style, i);
        rw_layer_class_name(style, i, label);
        y = draw_entry(picture, x, y, &colour, label);
    }
    if (!left)
        return y;
    rw_text_style rest_style = label_style(picture);
    snprintf(label, sizeof label, "and %zu more", left);
    rw_canvas_text(&picture->canvas, rw_vec2_of(x, y + 0.5 * step), &rest_style, label);
    return y + step;
}

/* The end of a bar beyond which there are more values: a triangle instead of a straight edge. */
static void draw_arrow(rw_picture *picture, rw_box_px bar, int upwards, rw_colour colour)
{
    double tip = 12 * picture->unit_px, y = upwards ? bar.y0 - 1 : bar.y1 + 1;
    rw_vec2 points[3] = {{bar.x0, y}, {bar.x1, y}, {0.5 * (bar.x0 + bar.x1), upwards ? y - tip : y + tip}};
    size_t size = 3;
    if (rw_canvas_polygon(&picture->canvas, points, &size, 1) == RW_OK)
        rw_canvas_ink(&picture->canvas, colour, 1);
    for (int i = 0; i < 2; i++)
        rw_canvas_stroke(&picture->canvas, points[2], points[i], 1);
    rw_canvas_ink(&picture->canvas, rw_colour_quiet, 1);
}

static void draw_bar_ticks(rw_picture *picture, rw_box_px bar)
{
    const rw_layer_style *style = &picture->style;
    double unit = picture->unit_px, range = style->max - style->min, length = bar.y1 - bar.y0;
    double step = rw_tick_step(range, length / unit > 300 ? 8 : 5);
    if (strcmp(picture->layer->name, "walls") == 0)
        step = fmax(1, step);
    rw_text_style text_style = label_style(picture);
    double first = ceil(style->min / step - 1e-6);
    for (int i = 0; i < RW_TICKS_MAX && (first + i) * step <= style->max + 1e-6 * step; i++) {
        double value = (first + i) * step;
        double y = bar.y1 - length * (value - style->min) / range;
        char label[32];
        rw_tick_label(value, step, label, sizeof label);
        rw_canvas_stroke(&picture->canvas, rw_vec2_of(bar.x1 + 1, y), rw_vec2_of(bar.x1 + 5 * unit, y), 1.2 * unit);
        rw_canvas_ink(&picture->canvas, rw_colour_quiet, 1);
        rw_vec2 baseline = {bar.x1 + LABEL_GAP * unit, y + text_style.size_px / 2};
        rw_canvas_text(&picture->canvas, baseline, &text_style, label);
    }
}

static double draw_bar(rw_picture *picture, double x, double y, double height_px)
{
    const rw_layer_style *style = &picture->style;
    double unit = picture->unit_px, length = fmin(height_px - 30 * unit, BAR_LENGTH * unit);
    y += 14 * unit;
    rw_box_px bar = {(int)x, (int)y, (int)(x + BAR_WIDTH * unit), (int)(y + fmax(length, 60 * unit))};
    for (int row = bar.y0; row < bar.y1; row++) {
        double fraction = (bar.y1 - row - 0.5) / (bar.y1 - bar.y0);
        rw_colour colour = rw_layer_style_colour(style, style->min + fraction * (style->max - style->min));
        rw_canvas_fill_box(&picture->canvas, (rw_box_px){bar.x0, row, bar.x1, row + 1}, colour);
    }
    rw_canvas_frame(&picture->canvas, bar, 1, rw_colour_quiet);
    if (style->cut_above)
        draw_arrow(picture, bar, 1, rw_layer_style_colour(style, style->max));
    if (style->cut_below)
        draw_arrow(picture, bar, 0, rw_layer_style_colour(style, style->min));
    draw_bar_ticks(picture, bar);
    return bar.y1 + 34 * unit;
}

void rw_picture_draw_legend(rw_picture *picture, rw_box_px box)
{
    const rw_layer_style *style = &picture->style;
    double unit = picture->unit_px, x = box.x0, y = box.y0;
    double gaps = (style->has_no_path + style->has_nodata) * ENTRY_STEP * unit;
    const char *unit_label = picture->layer->unit;
    if (style->kind == RW_SCALE_CONTINUOUS && unit_label[0]) {
        rw_text_style heading = label_style(picture);
        heading.weight = 1.5;
        rw_canvas_text(&picture->canvas, rw_vec2_of(x, y + heading.size_px), &heading, unit_label);
        y += 18 * unit;
    }
    if (style->kind == RW_SCALE_CONTINUOUS)
        y = draw_bar(picture, x, y, box.y1 - y - gaps);
    else if (style->of_transmitters)
        y = draw_transmitter_classes(picture, x, y, box.y1 - y - gaps) + 8 * unit;
    else
        y = draw_classes(picture, x, y) + 8 * unit;
    if (style->has_no_path)
        y = draw_entry(picture, x, y, style->plain_no_path ? &rw_colour_no_path : NULL, no_path_label);
    if (style->has_nodata)
        draw_entry(picture, x, y, &rw_colour_nodata, nodata_string);
}

/* East to west, in the middle of the map. */
static double cell_width_m(const rw_map_info *info)
{
    const double metres_per_degree = 111320, radians_per_degree = 3.14159265358979323846 / 180;
    double latitude_deg = info->y0_m + 0.5 * (double)info->rows * info->res_m;
    return info->in_degrees ? info->res_m * metres_per_degree * fmax(0.01, cos(latitude_deg * radians_per_degree))
                            : info->res_m;
}

void rw_picture_draw_scale_bar(rw_picture *picture, double x, double y)
{
    double unit = picture->unit_px, pixels_per_metre = picture->pixels_per_cell / cell_width_m(&picture->map->info);
    double length_m = rw_tick_step(180 * unit / pixels_per_metre, 1), length_px = length_m * pixels_per_metre;
    if (length_px > 0.6 * (picture->map_box.x1 - picture->map_box.x0)) {
        length_m /= 2;
        length_px /= 2;
    }
    int left = (int)x, top = (int)y, right = (int)(x + length_px + 0.5), height = (int)(5 * unit + 0.5);
    int middle = (left + right) / 2;
    rw_canvas_fill_box(&picture->canvas, (rw_box_px){left, top, middle, top + height}, rw_colour_text);
    rw_canvas_frame(&picture->canvas, (rw_box_px){left, top, right, top + height}, 1, rw_colour_text);
    char label[48];
    if (length_m >= 1000)
        snprintf(label, sizeof label, "%g km", length_m / 1000);
    else
        snprintf(label, sizeof label, "%g m", length_m);
    rw_text_style style = label_style(picture);
    rw_canvas_text(&picture->canvas, rw_vec2_of(right + 8 * unit, top + (height + style.size_px) / 2), &style, label);
}
