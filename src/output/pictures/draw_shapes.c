/* Triangles and lines in space as a picture, seen by a pinhole camera: a depth buffer with two by two samples per
 * pixel. The depth of a sample is 1 / (distance along the view), which is linear on the screen for points of a plane.
 */
#include "base/memory.h"
#include "base/options.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_MAX_PX 10000
#define NEAR_M 0.01
#define LINE_LIFT 1.002 /* lines along a surface are drawn in front of it */

typedef struct shape_view {
    const rw_shapes *shapes;
    rw_vec3 eye, right, up, forward;
    double scale; /* samples for one unit across at unit distance */
    int columns, rows;
    float *depths;
    rw_colour *colours;
} shape_view;

/* A corner seen by the camera: metres right, up and forward of the eye, and over the clipping plane. */
typedef struct seen_corner {
    double x, y, w, over;
} seen_corner;

static rw_vec3 vector_at(const double *xyz)
{
    return rw_vec3_of(xyz[0], xyz[1], xyz[2]);
}

static seen_corner see_corner(const shape_view *view, rw_vec3 at)
{
    rw_vec3 from_eye = rw_vec3_sub(at, view->eye);
    return (seen_corner){rw_vec3_dot(from_eye, view->right), rw_vec3_dot(from_eye, view->up),
                         rw_vec3_dot(from_eye, view->forward),
                         rw_vec3_dot(at, vector_at(view->shapes->clip_normal)) + view->shapes->clip_m};
}

static seen_corner cross_near_plane(seen_corner a, seen_corner b)
{
    double t = (NEAR_M - a.w) / (b.w - a.w);
    return (seen_corner){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), NEAR_M, a.over + t * (b.over - a.over)};
}

/* On the screen: columns, rows and 1 / w. */
static rw_vec3 project_corner(const shape_view *view, seen_corner corner)
{
    double per_w = 1 / corner.w;
    return rw_vec3_of(0.5 * view->columns + view->scale * corner.x * per_w,
                      0.5 * view->rows - view->scale * corner.y * per_w, per_w);
}

static void set_sample(const shape_view *view, int column, int row, double depth, rw_colour colour)
{
    size_t at = (size_t)row * (size_t)view->columns + (size_t)column;
    if ((float)depth > view->depths[at]) {
        view->depths[at] = (float)depth;
        view->colours[at] = colour;
    }
}

typedef struct shape_triangle {
    const shape_view *view;
    double over[3], z[3];
    rw_colour colour;
} shape_triangle;

static void set_shape_sample(void *user, int column, int row, const double weights[3])
{
    const shape_triangle *of = user;
    double over = 0, z = 0;
    for (int i = 0; i < 3; i++) {
        over += weights[i] * of->over[i] * of->z[i];
        z += weights[i] * of->z[i];
    }
    if (over >= 0)
        set_sample(of->view, column, row, z, of->colour);
}

static void fill_shape_triangle(const shape_view *view, const seen_corner corners[3], rw_colour colour)
{
    rw_vec3 p[3];
    shape_triangle of = {.view = view, .colour = colour};
    for (int i = 0; i < 3; i++) {
        p[i] = project_corner(view, corners[i]);
        of.over[i] = corners[i].over;
        of.z[i] = p[i].z;
    }
    rw_triangle_sample(p, view->columns, view->rows, set_shape_sample, &of);
}

/* A triangle, cut at the near plane: what is left has three or four corners. */
static void draw_shape_triangle(const shape_view *view, const seen_corner corners[3], rw_colour colour)
{
    seen_corner left[4];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        seen_corner a = corners[i], b = corners[(i + 1) % 3];
        if (a.w >= NEAR_M)
            left[count++] = a;
        if ((a.w >= NEAR_M) != (b.w >= NEAR_M))
            left[count++] = cross_near_plane(a, b);
    }
    for (int i = 2; i < count; i++)
        fill_shape_triangle(view, (seen_corner[]){left[0], left[i - 1], left[i]}, colour);
}

/* Light from above and from the eye, on both sides of a surface. */
static rw_colour shade_shape(const shape_view *view, const rw_vec3 at[3], rw_colour colour)
{
    rw_vec3 normal = rw_vec3_cross(rw_vec3_sub(at[1], at[0]), rw_vec3_sub(at[2], at[0]));
    double length = rw_vec3_length(normal);
    if (!(length > 0))
        return colour;
    const rw_vec3 sun = {0.32, -0.42, 0.85};
    double lit =
        0.35 + 0.4 * fabs(rw_vec3_dot(normal, sun)) / length + 0.25 * fabs(rw_vec3_dot(normal, view->forward)) / length;
    return (rw_colour){(uint8_t)(colour.red * lit), (uint8_t)(colour.green * lit), (uint8_t)(colour.blue * lit)};
}

static void draw_shape_triangles(const shape_view *view)
{
    const rw_shapes *shapes = view->shapes;
    for (size_t i = 0; i < shapes->triangle_count; i++) {
        const unsigned char *rgb = shapes->triangle_rgb + 3 * i;
        rw_colour colour = {rgb[0], rgb[1], rgb[2]};
        rw_vec3 at[3];
        seen_corner corners[3];
        for (int k = 0; k < 3; k++) {
            at[k] = vector_at(shapes->vertices_m + 3 * (size_t)shapes->triangles[3 * i + (size_t)k]);
            corners[k] = see_corner(view, at[k]);
        }
        draw_shape_triangle(view, corners, i < shapes->shaded_count ? shade_shape(view, at, colour) : colour);
    }
}

/* All samples within half a width of the segment from a to b on the screen. */
static void draw_shape_line(const shape_view *view, seen_corner from, seen_corner to, rw_colour colour)
{
    if (from.w < NEAR_M && to.w < NEAR_M)
        return;
    from = from.w < NEAR_M ? cross_near_plane(from, to) : from;
    to = to.w < NEAR_M ? cross_near_plane(to, from) : to;
    rw_vec3 a = project_corner(view, from), b = project_corner(view, to);
    double half = 0.5 * RW_CANVAS_SAMPLES * view->shapes->line_width_px, dx = b.x - a.x, dy = b.y - a.y;
    double length2 = dx * dx + dy * dy;
    int top = rw_clamp_to_screen(floor(fmin(a.y, b.y) - half), view->rows);
    int bottom = rw_clamp_to_screen(ceil(fmax(a.y, b.y) + half), view->rows);
    for (int row = top; row < bottom; row++) {
        /* columns of this row that the widened segment can reach */
        double y = row + 0.5, t0 = 0, t1 = 1;
        if (fabs(dy) > 1e-9) {
            double u = (y - half - a.y) / dy, v = (y + half - a.y) / dy;
            t0 = fmax(0, fmin(u, v) - half / fabs(dy));
            t1 = fmin(1, fmax(u, v) + half / fabs(dy));
        }
        double x0 = a.x + t0 * dx, x1 = a.x + t1 * dx;
        int west = rw_clamp_to_screen(floor(fmin(x0, x1) - half), view->columns);
        int east = rw_clamp_to_screen(ceil(fmax(x0, x1) + half), view->columns);
        for (int column = west; column < east; column++) {
            double x = column + 0.5, t = length2 > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / length2 : 0;
            t = fmin(1, fmax(0, t));
            double off_x = a.x + t * dx - x, off_y = a.y + t * dy - y;
            double over = (1 - t) * from.over * a.z + t * to.over * b.z;
            if (off_x * off_x + off_y * off_y <= half * half && over >= 0)
                set_sample(view, column, row, LINE_LIFT * ((1 - t) * a.z + t * b.z), colour);
        }
    }
}

static void draw_shape_lines(const shape_view *view)
{
    const rw_shapes *shapes = view->shapes;
    for (size_t i = 0; i < shapes->line_count; i++) {
        const unsigned char *rgb = shapes->line_rgb + 3 * i;
        draw_shape_line(view, see_corner(view, vector_at(shapes->lines_m + 6 * i)),
                        see_corner(view, vector_at(shapes->lines_m + 6 * i + 3)), (rw_colour){rgb[0], rgb[1], rgb[2]});
    }
}

static rw_status check_shapes(rw_context *context, const rw_shapes *shapes)
{
    if (shapes->width_px < 1 || shapes->width_px > WIDTH_MAX_PX || shapes->height_px < 1 ||
        shapes->height_px > WIDTH_MAX_PX)
        return rw_fail(context, RW_BAD_CALL, "a picture of %d x %d pixels: 1 to %d each are possible", shapes->width_px,
                       shapes->height_px, WIDTH_MAX_PX);
    if (!(shapes->view_angle_deg > 0 && shapes->view_angle_deg < 180))
        return rw_fail(context, RW_BAD_CALL, "a view of %g degrees: more than 0 and less than 180 are possible",
                       shapes->view_angle_deg);
    if (!(shapes->line_width_px > 0 && shapes->line_width_px <= 100))
        return rw_fail(context, RW_BAD_CALL, "lines of %g pixels: more than 0 and up to 100 are possible",
                       shapes->line_width_px);
    if (shapes->shaded_count > shapes->triangle_count)
        return rw_fail(context, RW_BAD_CALL, "%zu triangles are shaded, of %zu", shapes->shaded_count,
                       shapes->triangle_count);
    for (size_t i = 0; i < 3 * shapes->triangle_count; i++)
        if (shapes->triangles[i] >= shapes->vertex_count)
            return rw_fail(context, RW_BAD_CALL, "triangle %zu has vertex %u, of %zu", i / 3, shapes->triangles[i],
                           shapes->vertex_count);
    return RW_OK;
}

static rw_status aim_shape_view(rw_context *context, const rw_shapes *shapes, shape_view *view)
{
    view->shapes = shapes;
    view->eye = vector_at(shapes->eye_m);
    view->forward = vector_at(shapes->forward);
    view->right = rw_vec3_cross(view->forward, vector_at(shapes->up));
    double ahead = rw_vec3_length(view->forward), across = rw_vec3_length(view->right);
    if (!(ahead > 0 && across > 0 && isfinite(ahead) && isfinite(across) && isfinite(rw_vec3_length(view->eye))))
        return rw_fail(context, RW_BAD_CALL,
                       "the camera needs a finite position, and directions forward and up that are not parallel");
    view->forward = rw_vec3_scale(view->forward, 1 / ahead);
    view->right = rw_vec3_scale(view->right, 1 / across);
    view->up = rw_vec3_cross(view->right, view->forward);
    view->columns = RW_CANVAS_SAMPLES * shapes->width_px;
    view->rows = RW_CANVAS_SAMPLES * shapes->height_px;
    view->scale = 0.5 * view->columns / tan(shapes->view_angle_deg * (3.14159265358979323846 / 360));
    return RW_OK;
}

static rw_status draw_shape_view(rw_context *context, shape_view *view, unsigned char *rgb, const char *path)
{
    const unsigned char *paper = view->shapes->background_rgb;
    size_t samples = (size_t)view->columns * (size_t)view->rows;
    rw_canvas canvas;
    RW_TRY(rw_array_create(context, samples, sizeof *view->depths, "a picture", &view->depths));
    RW_TRY(rw_array_create(context, samples, sizeof *view->colours, "a picture", &view->colours));
    RW_TRY(rw_canvas_create(context, view->shapes->width_px, view->shapes->height_px, (rw_colour){0, 0, 0}, &canvas));
    for (size_t i = 0; i < samples; i++) {
        view->depths[i] = 0;
        view->colours[i] = (rw_colour){paper[0], paper[1], paper[2]};
    }
    draw_shape_triangles(view);
    draw_shape_lines(view);
    rw_canvas_set_samples(&canvas, 0, 0, view->colours, view->columns, view->rows);
    if (rgb)
        memcpy(rgb, canvas.rgb, 3 * (samples / (RW_CANVAS_SAMPLES * RW_CANVAS_SAMPLES)));
    rw_status status = path ? rw_canvas_write(&canvas, path) : RW_OK;
    rw_canvas_free(&canvas);
    return status;
}

void rw_shapes_init_sized(rw_shapes *shapes, size_t size)
{
    const rw_shapes own = {.line_width_px = 2,
                           .forward = {1, 0, 0},
                           .up = {0, 0, 1},
                           .view_angle_deg = 45,
                           .width_px = 655,
                           .height_px = 500,
                           .background_rgb = {255, 255, 255}};
    rw_defaults_copy(&own, sizeof own, shapes, size);
}

rw_status rw_shapes_draw(rw_context *context, const rw_shapes *user_shapes, unsigned char *rgb, const char *path)
{
    rw_shapes shapes;
    shape_view view = {0};
    rw_shapes_init(&shapes);
    RW_TRY(RW_RESOLVE(context, user_shapes, &shapes));
    RW_TRY(check_shapes(context, &shapes));
    RW_TRY(aim_shape_view(context, &shapes, &view));
    rw_status status = draw_shape_view(context, &view, rgb, path);
    free(view.depths);
    free(view.colours);
    return status;
}
