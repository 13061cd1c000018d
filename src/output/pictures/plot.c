/* A line plot: axes with round numbers, a quiet grid, one colour a series, their names above the axes. */
#include "output/pictures/plot.h"

#include "base/range.h"
#include "output/pictures/colour_scale.h"
#include "output/pictures/font.h"
#include "output/pictures/ticks.h"

#include <math.h>
#include <stdio.h>

static const rw_colour text_colour = {32, 34, 40}, quiet_colour = {110, 114, 124}, grid_colour = {228, 229, 233};

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
    return rw_colour_from_oklch(index % 2 ? 0.64 : 0.52, 0.16, hues_deg[index % 6]);
}

static void draw_series(struct frame *frame, const rw_series *series, rw_colour colour)
{
    double ground = frame->y.is_log ? frame->y.min : fmin(fmax(0, frame->y.min), frame->y.max);
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
            continue;
        }
        if (series->kind == RW_SERIES_STEMS)
            rw_canvas_stroke(&frame->canvas, pixel_of(frame, scale_axis_value(series->x[i], frame->x.is_log), ground),
                             at, 1.4);
        rw_canvas_disc(&frame->canvas, at, 3);
    }
    rw_canvas_ink(&frame->canvas, colour, 0.95);
    rw_canvas_unclip(&frame->canvas);
}

/* The names stand in one line at the upper right, each after a piece of its line. */
static void draw_names(struct frame *frame, const rw_plot *plot)
{
    rw_text_style style = {.size_px = 9.5, .weight = 1.1, .align = RW_TEXT_RIGHT, .colour = text_colour};
    double x = frame->box.x1, y = frame->box.y0 - 14;
    for (size_t i = plot->series_count; i-- > 0;) {
        const char *name = plot->series[i].name;
        if (!name)
            continue;
        rw_canvas_text(&frame->canvas, rw_vec2_of(x, y), &style, name);
        x -= rw_text_width_px(name, &style) + 8;
        rw_canvas_stroke(&frame->canvas, rw_vec2_of(x - 22, y - 4.5), rw_vec2_of(x, y - 4.5), 3);
        rw_canvas_ink(&frame->canvas, series_colour(plot, i), 1);
        x -= 44;
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

rw_status rw_plot_write(rw_context *context, const rw_plot *plot, const char *path)
{
    int width = plot->width_px > 0 ? plot->width_px : 1100, height = plot->height_px > 0 ? plot->height_px : 560;
    if (width < 300 || height < 240)
        return rw_fail(context, RW_BAD_CALL, "a plot of %d x %d pixels is too small; at least 300 x 240", width,
                       height);
    struct frame frame = {.box = {84, 104, width - 30, height - 64}};
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
    draw_names(&frame, plot);
    rw_status status = rw_canvas_write(&frame.canvas, path);
    rw_canvas_free(&frame.canvas);
    return status;
}
