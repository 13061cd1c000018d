/* A scene in space as a PNG picture, in parallel projection: buildings, or a floor plan whose ceilings are transparent
 * (Figure 3 of Novak 2016). */
#include "base/memory.h"
#include "base/options.h"
#include "discretise/prepared.h"
#include "discretise/surfaces/surfaces.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rw_colour paper_colour = {255, 255, 255}, mark_colour = {200, 30, 30};

#define WIDTH_DEFAULT_PX 900
#define WIDTH_MAX_PX 10000
#define MARGIN_M 0.5

typedef struct scene_camera {
    rw_vec3 right, up, forward, corner; /* corner: the picture's upper left */
    double px_per_m;
    int width, height;
} scene_camera;

typedef struct scene_picture {
    const rw_scene *scene;
    rw_surfaces surfaces;
    scene_camera camera;
    double floor_m; /* the lowest point */
    uint32_t *above;
} scene_picture;

static rw_vec3 corner_of(const rw_surface_edge *edge)
{
    return rw_vec3_of((double)edge->a[0], (double)edge->a[1], (double)edge->a[2]);
}

static void aim_scene_camera(scene_picture *picture, const rw_scene_draw_options *options)
{
    const double degree = 3.14159265358979323846 / 180;
    double azimuth = degree * options->azimuth_deg, elevation = degree * options->elevation_deg;
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    scene_camera *camera = &picture->camera;
    camera->width = options->width_px ? options->width_px : WIDTH_DEFAULT_PX;
    camera->forward = rw_vec3_of(-sin(azimuth) * cos(elevation), -cos(azimuth) * cos(elevation), -sin(elevation));
    camera->right = rw_vec3_of(-cos(azimuth), sin(azimuth), 0);
    camera->up = rw_vec3_cross(camera->right, camera->forward);
    picture->floor_m = INFINITY;
    for (uint32_t i = 0; i < picture->surfaces.view.edge_count; i++) {
        rw_vec3 corner = corner_of(&picture->surfaces.edges[i]);
        x0 = fmin(x0, rw_vec3_dot(corner, camera->right));
        x1 = fmax(x1, rw_vec3_dot(corner, camera->right));
        y0 = fmin(y0, rw_vec3_dot(corner, camera->up));
        y1 = fmax(y1, rw_vec3_dot(corner, camera->up));
        picture->floor_m = fmin(picture->floor_m, corner.z);
    }
    camera->px_per_m = camera->width / (x1 - x0 + 2 * MARGIN_M);
    camera->height = (int)fmax(1, (y1 - y0 + 2 * MARGIN_M) * camera->px_per_m);
    camera->corner = rw_vec3_add(rw_vec3_scale(camera->right, x0 - MARGIN_M), rw_vec3_scale(camera->up, y1 + MARGIN_M));
    camera->corner = rw_vec3_sub(camera->corner, rw_vec3_scale(camera->forward, 1e5));
}

/* How much of what is behind a surface is hidden: ceilings of plans are transparent, windows nearly. */
static double opacity_of(const scene_picture *picture, uint32_t surface)
{
    const rw_surface *about = &picture->surfaces.surfaces[surface];
    const char *kind = picture->surfaces.kinds[about->kind];
    int plan = picture->scene->parts.count == 0;
    if (plan && fabs(about->normal.z) > 0.99 && (double)about->middle[2] > picture->floor_m + 1)
        return 0.04;
    return kind && (strstr(kind, "window") || strstr(kind, "glass")) ? 0.35 : 1;
}

static rw_colour mix_scene_colours(rw_colour a, rw_colour b, double fraction)
{
    return (rw_colour){(uint8_t)(a.red + fraction * (b.red - a.red)),
                       (uint8_t)(a.green + fraction * (b.green - a.green)),
                       (uint8_t)(a.blue + fraction * (b.blue - a.blue))};
}

/* What a ray of the camera shows; *met: the first surface that is not transparent. */
static rw_colour cast_camera_ray(const scene_picture *picture, rw_vec3 from, uint32_t *met)
{
    double left = 1, red = 0, green = 0, blue = 0, distance_m;
    uint32_t before = RW_NO_SURFACE;
    rw_vec3 forward = picture->camera.forward;
    *met = RW_NO_SURFACE;
    for (int layer = 0; layer < 16 && left > 0.01; layer++) {
        uint32_t surface = rw_surfaces_nearest(&picture->surfaces.view, from, forward, before, &distance_m);
        if (surface == RW_NO_SURFACE)
            break;
        const rw_surface *about = &picture->surfaces.surfaces[surface];
        double opacity = opacity_of(picture, surface) * left;
        double light = 0.62 + 0.3 * fabs(about->normal.z) + 0.12 * fabs(about->normal.x);
        rw_colour colour = rw_class_colour(about->kind);
        red += opacity * light * (0.5 * colour.red + 110);
        green += opacity * light * (0.5 * colour.green + 110);
        blue += opacity * light * (0.5 * colour.blue + 110);
        *met = *met == RW_NO_SURFACE && opacity > 0.1 ? surface : *met;
        left -= opacity;
        from = rw_vec3_add(from, rw_vec3_scale(forward, distance_m));
        before = surface;
    }
    return (rw_colour){(uint8_t)fmin(255, red + left * 255), (uint8_t)fmin(255, green + left * 255),
                       (uint8_t)fmin(255, blue + left * 255)};
}

static void draw_surfaces(const scene_picture *picture, rw_canvas *canvas)
{
    const scene_camera *camera = &picture->camera;
    for (int y = 0; y < camera->height; y++) {
        uint32_t left = RW_NO_SURFACE;
        for (int x = 0; x < camera->width; x++) {
            uint32_t met;
            rw_vec3 from = rw_vec3_add(camera->corner, rw_vec3_scale(camera->right, (x + 0.5) / camera->px_per_m));
            from = rw_vec3_sub(from, rw_vec3_scale(camera->up, (y + 0.5) / camera->px_per_m));
            rw_colour colour = cast_camera_ray(picture, from, &met);
            int rim = (x > 0 && met != left) || (y > 0 && met != picture->above[x]);
            rw_canvas_set(canvas, x, y, rim ? mix_scene_colours(colour, (rw_colour){0, 0, 0}, 0.55) : colour);
            left = picture->above[x] = met;
        }
    }
}

/* Transmitters, whatever is before them. */
static void draw_transmitters(const scene_picture *picture, const rw_scene_draw_options *options, rw_canvas *canvas)
{
    const rw_scene *scene = picture->scene;
    const scene_camera *camera = &picture->camera;
    rw_vec2 centre = scene->prepared->grid.centre;
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *one = &options->transmitters[i];
        rw_vec2 at = rw_vec2_of(one->x_m - scene->origin.x, one->y_m - scene->origin.y);
        rw_vec3 position = rw_vec3_of(at.x - centre.x, at.y - centre.y, rw_scene_ground_m(scene, at) + one->height_m);
        rw_vec3 away = rw_vec3_sub(position, camera->corner);
        rw_canvas_disc(canvas,
                       rw_vec2_of(rw_vec3_dot(away, camera->right) * camera->px_per_m,
                                  -rw_vec3_dot(away, camera->up) * camera->px_per_m),
                       6);
    }
    rw_canvas_ink(canvas, mark_colour, 1);
}

static rw_status draw_scene(scene_picture *picture, const rw_scene_draw_options *options, const char *path)
{
    rw_context *context = picture->scene->context;
    rw_canvas canvas;
    aim_scene_camera(picture, options);
    if (picture->camera.height > 4 * WIDTH_MAX_PX)
        return rw_fail(context, RW_TOO_LARGE, "the picture would be %d pixels high; lower width",
                       picture->camera.height);
    RW_TRY(
        rw_array_create(context, (size_t)picture->camera.width, sizeof *picture->above, "a picture", &picture->above));
    RW_TRY(rw_canvas_create(context, picture->camera.width, picture->camera.height, paper_colour, &canvas));
    draw_surfaces(picture, &canvas);
    draw_transmitters(picture, options, &canvas);
    rw_status status = rw_canvas_write(&canvas, path);
    rw_canvas_free(&canvas);
    return status;
}

void rw_scene_draw_options_init_sized(rw_scene_draw_options *options, size_t size)
{
    const rw_scene_draw_options own = {.azimuth_deg = 154, .elevation_deg = 43};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status check_scene_drawing(rw_context *context, const rw_scene_draw_options *options)
{
    if (options->width_px < 0 || options->width_px > WIDTH_MAX_PX)
        return rw_fail(context, RW_BAD_CALL, "a picture is 1 to %d pixels wide, not %d", WIDTH_MAX_PX,
                       options->width_px);
    if (!(options->elevation_deg > 0 && options->elevation_deg <= 90) || !isfinite(options->azimuth_deg))
        return rw_fail(context, RW_BAD_CALL, "the eye of a picture is 0 to 90 degrees above the horizon, not %g",
                       options->elevation_deg);
    return RW_OK;
}

rw_status rw_scene_draw(const rw_scene *scene, const rw_scene_draw_options *user_options, const char *path)
{
    rw_scene_draw_options options;
    scene_picture picture = {.scene = scene};
    rw_scene_draw_options_init(&options);
    if (user_options)
        RW_TRY(RW_RESOLVE(scene->context, user_options, &options));
    if (!scene->prepared)
        return rw_fail(scene->context, RW_BAD_CALL, "a scene is drawn once it is committed");
    RW_TRY(check_scene_drawing(scene->context, &options));
    RW_TRY(rw_surfaces_create(scene, scene->prepared->grid.centre, &picture.surfaces));
    rw_status status = picture.surfaces.view.surface_count
                           ? draw_scene(&picture, &options, path)
                           : rw_fail(scene->context, RW_BAD_CALL, "the scene has no surfaces to draw");
    free(picture.above);
    rw_surfaces_destroy(&picture.surfaces);
    return status;
}
