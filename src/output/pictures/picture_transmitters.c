/* Transmitters on a map: a marker for each place, with the names of all that stand there (the sectors of a site) and a
 * spoke for each direction that a sector looks to. */
#include "output/pictures/picture.h"
#include "scene/antennas/antenna.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
                                        : rw_picture_pixel(picture, transmitter->x_m, transmitter->y_m);
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
