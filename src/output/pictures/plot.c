/* A line plot: axes with round numbers, a quiet grid, one colour a series, their names above the axes. */
#include "output/pictures/pictures.h"

#include "base/range.h"

#include <math.h>
#include <stdio.h>

static const rw_colour text_colour = {32, 34, 40}, quiet_colour = {110, 114, 124}, grid_colour = {228, 229, 233};
static const rw_text_style name_style = {.size_px = 9.5, .weight = 1.1, .colour = {32, 34, 40}};

struct axis {
    double min, max, step; /* of the exponents where it is logarithmic */
    int is_log;
};

struct frame {
    rw_canvas canvas;
    rw_box_px box;
    struct axis x, y;
};

/* Where a value lies along an axis; NaN where it is not drawn. */
static double scale_axis_value(double value, int is_log)
{
    double at = is_log ? log10(value) : value;
    return rw_is_within(at, -RW_PLOT_VALUE_MAX, RW_PLOT_VALUE_MAX) ? at : NAN;
}

static int is_point_drawn(const struct frame *frame, double x, double y)
{
    return !isnan(scale_axis_value(x, frame->x.is_log)) && !isnan(scale_axis_value(y, frame->y.is_log));
}

static struct axis fit_axis(const rw_plot *plot, int vertical, int ticks)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < plot->series_count; i++)
        for (size_t k = 0; k < plot->series[i].count; k++) {
            double x = scale_axis_value(plot->series[i].x[k], plot->log_x),
                   y = scale_axis_value(plot->series[i].y[k], plot->log_y);
            if (isnan(x) || isnan(y))
                continue;
            low = fmin(low, vertical ? y : x);
            high = fmax(high, vertical ? y : x);
        }
    if (!(low <= high))
        low = 0, high = 1;
    int is_log = vertical ? plot->log_y : plot->log_x;
    if (is_log) { /* whole powers of ten at both ends */
        low = floor(low + 1e-9);
        high = fmax(ceil(high - 1e-9), low + 1);
        return (struct axis){low, high, ceil((high - low) / ticks), 1};
    }
    rw_tick_widen(&low, &high);
    double step = rw_tick_step(high - low, ticks);
    /* Values get whole steps of room; the run along x ends where the data ends. */
    return vertical ? (struct axis){floor(low / step) * step, ceil(high / step) * step, step, 0}
                    : (struct axis){low, high, step, 0};
}

/* Widens the axis that has fewer units a pixel. */
static void level_axes(struct frame *frame)
{
    double width = frame->box.x1 - frame->box.x0, height = frame->box.y1 - frame->box.y0;
    double unit = fmax((frame->x.max - frame->x.min) / width, (frame->y.max - frame->y.min) / height);
    struct axis *axes[] = {&frame->x, &frame->y};
    for (int i = 0; i < 2; i++) {
        double more = 0.5 * (unit * (i ? height : width) - (axes[i]->max - axes[i]->min));
        axes[i]->min -= more;
        axes[i]->max += more;
        axes[i]->step = fmax(frame->x.step, frame->y.step);
    }
}

/* The pixel of a place along both axes. */
static rw_vec2 pixel_of(const struct frame *frame, double x, double y)
{
    double u = (x - frame->x.min) / (frame->x.max - frame->x.min),
           v = (y - frame->y.min) / (frame->y.max - frame->y.min);
    return rw_vec2_of(frame->box.x0 + u * (frame->box.x1 - frame->box.x0),
                      frame->box.y1 - v * (frame->box.y1 - frame->box.y0));
}

static rw_vec2 value_to_pixel(const struct frame *frame, double x, double y)
{
    return pixel_of(frame, scale_axis_value(x, frame->x.is_log), scale_axis_value(y, frame->y.is_log));
}

static void format_axis_label(const struct axis *axis, double at, char *label, size_t size)
{
    if (!axis->is_log)
        rw_tick_label(at, axis->step, label, size);
    else if (at < -4 || at > 5)
        snprintf(label, size, "1e%.0f", at);
    else
        rw_tick_label(pow(10, at), pow(10, at), label, size);
}

static void draw_axis(struct frame *frame, int vertical)
{
    struct axis axis = vertical ? frame->y : frame->x;
    rw_text_style style = {.size_px = 9.5, .weight = 1.1, .colour = text_colour};
    style.align = vertical ? RW_TEXT_RIGHT : RW_TEXT_CENTRE;
    double first = ceil(axis.min / axis.step - 1e-6);
    for (int i = 0; i < RW_TICKS_MAX && (first + i) * axis.step <= axis.max + 1e-6 * axis.step; i++) {
        double value = (first + i) * axis.step;
        rw_vec2 from = vertical ? pixel_of(frame, frame->x.min, value) : pixel_of(frame, value, frame->y.min);
        rw_vec2 to = vertical ? pixel_of(frame, frame->x.max, value) : pixel_of(frame, value, frame->y.max);
        rw_canvas_stroke(&frame->canvas, from, to, 1);
        rw_canvas_ink(&frame->canvas, grid_colour, 1);
        char label[32];
        format_axis_label(&axis, value, label, sizeof label);
        rw_vec2 baseline = vertical ? rw_vec2_of(from.x - 9, from.y + 4.7) : rw_vec2_of(from.x, from.y + 20);
        rw_canvas_text(&frame->canvas, baseline, &style, label);
    }
}

static rw_colour series_colour(const rw_plot *plot, size_t index)
{
    if (plot->colours)
        return rw_colour_from_oklch(plot->colours[index][0], plot->colours[index][1], plot->colours[index][2]);
    static const double hues_deg[] = {258, 40, 150, 320, 95, 200};
    int darker = (index / 6) % 2; /* the second six: the same hues, so that twelve colours are different */
    return rw_colour_from_oklch((index % 2 ? 0.64 : 0.52) - 0.18 * darker, darker ? 0.11 : 0.16, hues_deg[index % 6]);
}

/* Where stems begin: at 0, at the lower edge of a logarithmic axis and of values that are all negative, so that the
 * largest value always has the longest stem. */
static double find_stem_base(const struct frame *frame, const rw_series *series)
{
    double highest = -INFINITY;
    for (size_t i = 0; i < series->count; i++)
        if (is_point_drawn(frame, series->x[i], series->y[i]))
            highest = fmax(highest, series->y[i]);
    if (frame->y.is_log || highest < 0)
        return frame->y.min;
    return fmin(fmax(0, frame->y.min), frame->y.max);
}

/* A line of a single point would be invisible. */
static int is_alone(const struct frame *frame, const rw_series *series, size_t i)
{
    int before = i > 0 && is_point_drawn(frame, series->x[i - 1], series->y[i - 1]);
    int after = i + 1 < series->count && is_point_drawn(frame, series->x[i + 1], series->y[i + 1]);
    return !before && !after;
}

static void draw_series(struct frame *frame, const rw_series *series, rw_colour colour)
{
    double base = find_stem_base(frame, series);
    rw_canvas_clip(&frame->canvas,
                   (rw_box_px){frame->box.x0 - 4, frame->box.y0 - 4, frame->box.x1 + 4, frame->box.y1 + 4});
    for (size_t i = 0; i < series->count; i++) {
        if (!is_point_drawn(frame, series->x[i], series->y[i]))
            continue;
        rw_vec2 at = value_to_pixel(frame, series->x[i], series->y[i]);
        if (series->kind == RW_SERIES_LINE) {
            int joined = i > 0 && is_point_drawn(frame, series->x[i - 1], series->y[i - 1]);
            rw_canvas_stroke(&frame->canvas, joined ? value_to_pixel(frame, series->x[i - 1], series->y[i - 1]) : at,
                             at, 1.8);
            if (is_alone(frame, series, i))
                rw_canvas_disc(&frame->canvas, at, 3);
            continue;
        }
        if (series->kind == RW_SERIES_STEMS)
            rw_canvas_stroke(&frame->canvas, pixel_of(frame, scale_axis_value(series->x[i], frame->x.is_log), base), at,
                             1.4);
        rw_canvas_disc(&frame->canvas, at, 3);
    }
    rw_canvas_ink(&frame->canvas, colour, 0.95);
    rw_canvas_unclip(&frame->canvas);
}

#define NAME_GAP_PX 44.0 /* from one name to the next, with the piece of line between them */
#define NAME_ROW_PX 20.0

static double name_width_px(const char *name, const rw_text_style *style)
{
    return name ? rw_text_width_px(name, style) + 8 + NAME_GAP_PX : 0;
}

/* Rows of names: as many as fit the width of the box each, at least one name. */
static int count_name_rows(const rw_plot *plot, double width_px)
{
    double used_px = 0;
    int rows = 1;
    for (size_t i = 0; i < plot->series_count; i++) {
        double name_px = name_width_px(plot->series[i].name, &name_style);
        int full = used_px > 0 && used_px + name_px > width_px + NAME_GAP_PX;
        rows += full;
        used_px = full ? name_px : used_px + name_px;
    }
    return rows;
}

/* The names above the box, from the left, each after a piece of its line. */
static void draw_names(struct frame *frame, const rw_plot *plot, int rows)
{
    double width_px = frame->box.x1 - frame->box.x0, used_px = 0, y = frame->box.y0 - 14 - NAME_ROW_PX * (rows - 1);
    for (size_t i = 0; i < plot->series_count; i++) {
        const char *name = plot->series[i].name;
        double name_px = name_width_px(name, &name_style), x = frame->box.x0;
        if (!name)
            continue;
        if (used_px > 0 && used_px + name_px > width_px + NAME_GAP_PX) {
            used_px = 0;
            y += NAME_ROW_PX;
        }
        x += used_px;
        rw_canvas_stroke(&frame->canvas, rw_vec2_of(x, y - 4.5), rw_vec2_of(x + 22, y - 4.5), 3);
        rw_canvas_ink(&frame->canvas, series_colour(plot, i), 1);
        rw_canvas_text(&frame->canvas, rw_vec2_of(x + 30, y), &name_style, name);
        used_px += name_px;
    }
}

static void draw_labels(struct frame *frame, const rw_plot *plot)
{
    rw_text_style title = {.size_px = 15, .weight = 1.35, .colour = text_colour};
    rw_text_style quiet = {.size_px = 9.5, .weight = 1.1, .colour = quiet_colour};
    rw_canvas_text(&frame->canvas, rw_vec2_of(frame->box.x0, 36), &title, plot->title ? plot->title : "");
    rw_canvas_text(&frame->canvas, rw_vec2_of(frame->box.x0, 60), &quiet, plot->subtitle ? plot->subtitle : "");
    quiet.align = RW_TEXT_CENTRE;
    double middle_x = 0.5 * (frame->box.x0 + frame->box.x1), middle_y = 0.5 * (frame->box.y0 + frame->box.y1);
    rw_canvas_text(&frame->canvas, rw_vec2_of(middle_x, frame->box.y1 + 44), &quiet,
                   plot->x_label ? plot->x_label : "");
    rw_canvas_text_upwards(&frame->canvas, rw_vec2_of(26, middle_y), &quiet, plot->y_label ? plot->y_label : "");
}

rw_status rw_plot_draw(rw_context *context, const rw_plot *plot, rw_canvas *canvas)
{
    int width = plot->width_px > 0 ? plot->width_px : 1100, height = plot->height_px > 0 ? plot->height_px : 560;
    if (width < 300 || height < 240)
        return rw_fail(context, RW_BAD_CALL, "a plot of %d x %d pixels is too small; at least 300 x 240", width,
                       height);
    int rows = count_name_rows(plot, width - 30 - 84);
    struct frame frame = {.box = {84, (int)(104 + NAME_ROW_PX * (rows - 1)), width - 30, height - 64}};
    if (frame.box.y1 - frame.box.y0 < 60)
        return rw_fail(context, RW_BAD_CALL, "a plot of %d x %d pixels has no space for the names of %zu series", width,
                       height, plot->series_count);
    frame.x = fit_axis(plot, 0, width / 110);
    frame.y = fit_axis(plot, 1, height / 75);
    if (plot->same_scale && !plot->log_x && !plot->log_y)
        level_axes(&frame);
    RW_TRY(rw_canvas_create(context, width, height, (rw_colour){255, 255, 255}, &frame.canvas));
    draw_axis(&frame, 0);
    draw_axis(&frame, 1);
    rw_canvas_frame(&frame.canvas, frame.box, 1, quiet_colour);
    for (size_t i = 0; i < plot->series_count; i++)
        draw_series(&frame, &plot->series[i], series_colour(plot, i));
    draw_labels(&frame, plot);
    draw_names(&frame, plot, rows);
    *canvas = frame.canvas;
    return RW_OK;
}

rw_status rw_plot_write(rw_context *context, const rw_plot *plot, const char *path)
{
    rw_canvas canvas;
    RW_TRY(rw_plot_draw(context, plot, &canvas));
    rw_status status = rw_canvas_write(&canvas, path);
    rw_canvas_free(&canvas);
    return status;
}
