/* Tiles as a picture: seen from above at an angle, in parallel projection, nearer tiles before farther ones (a depth
 * buffer), two by two samples a pixel; with title and legend as maps have them. Shades only tell which way a tile
 * looks.
 */
#include "base/memory.h"
#include "output/pictures/picture.h"
#include "output/tiles/tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct tile_camera {
    rw_vec3 right, up, forward;
    double x0, y0; /* of the picture's upper left corner */
    double samples_per_m;
    int columns, rows; /* of samples */
    float *depths;
    rw_colour *colours;
} tile_camera;

/* A corner in samples; z grows away from the eye. */
static rw_vec3 project_tile_corner(const tile_camera *camera, rw_vec3 at)
{
    return rw_vec3_of((rw_vec3_dot(at, camera->right) - camera->x0) * camera->samples_per_m,
                      (camera->y0 - rw_vec3_dot(at, camera->up)) * camera->samples_per_m,
                      rw_vec3_dot(at, camera->forward));
}

static void aim_tile_camera(tile_camera *camera, double azimuth_deg, double elevation_deg)
{
    double azimuth = azimuth_deg * (3.14159265358979323846 / 180),
           elevation = elevation_deg * (3.14159265358979323846 / 180);
    rw_vec2 ahead = {-sin(azimuth), -cos(azimuth)};
    camera->forward = rw_vec3_of(cos(elevation) * ahead.x, cos(elevation) * ahead.y, -sin(elevation));
    camera->right = rw_vec3_of(ahead.y, -ahead.x, 0);
    camera->up = rw_vec3_cross(camera->right, camera->forward);
}

static rw_vec3 find_tile_centre(const rw_vec3 corners[4])
{
    rw_vec3 sum = rw_vec3_add(rw_vec3_add(corners[0], corners[1]), rw_vec3_add(corners[2], corners[3]));
    return rw_vec3_scale(sum, 0.25);
}

/* Whether a tile is drawn: its middle lies in what is cropped to, in the scene's coordinates. */
static int is_tile_in_crop(const rw_tile_view *view, size_t tile)
{
    const double *crop_m = view->options.crop_m;
    rw_vec3 middle = find_tile_centre(view->map->corners[tile]);
    double x = middle.x + view->map->origin.x, y = middle.y + view->map->origin.y;
    return isnan(crop_m[0]) || (x >= crop_m[0] && y >= crop_m[1] && x <= crop_m[2] && y <= crop_m[3]);
}

/* Fits everything that is drawn into a picture of that width. */
static rw_status frame_camera(const rw_tile_view *view, int width_px, tile_camera *camera)
{
    const rw_tile_map *map = view->map;
    size_t tile_count = 0;
    double x1 = -INFINITY, y1 = INFINITY;
    camera->x0 = INFINITY;
    camera->y0 = -INFINITY;
    for (size_t i = 0; i < map->count; i++) {
        tile_count += (size_t)is_tile_in_crop(view, i);
        for (int corner = 0; corner < 4 && is_tile_in_crop(view, i); corner++) {
            double x = rw_vec3_dot(map->corners[i][corner], camera->right);
            double y = rw_vec3_dot(map->corners[i][corner], camera->up);
            camera->x0 = fmin(camera->x0, x);
            x1 = fmax(x1, x);
            camera->y0 = fmax(camera->y0, y);
            y1 = fmin(y1, y);
        }
    }
    if (tile_count == 0)
        return rw_fail(map->context, RW_BAD_CALL,
                       "no tile lies in %.10g,%.10g,%.10g,%.10g: crop_m is west, south, east, "
                       "north",
                       view->options.crop_m[0], view->options.crop_m[1], view->options.crop_m[2],
                       view->options.crop_m[3]);
    double ground_rise = camera->y0 - y1;
    for (size_t i = 0; i < map->source_count && isnan(view->options.crop_m[0]); i++) {
        /* one far above the city would make it too small to see */
        double y = rw_vec3_dot(map->sources[i], camera->up);
        if (y > camera->y0 && y < y1 + 1.5 * ground_rise)
            camera->y0 = y;
    }
    double height_px = ceil(width_px * (camera->y0 - y1) / (x1 - camera->x0)) + 1;
    if (!(height_px <= 20000))
        return rw_fail(map->context, RW_TOO_LARGE, "a picture of %d x %g pixels is not possible", width_px, height_px);
    camera->columns = RW_CANVAS_SAMPLES * width_px;
    camera->rows = RW_CANVAS_SAMPLES * (int)height_px;
    camera->samples_per_m = camera->columns / (x1 - camera->x0);
    size_t samples = (size_t)camera->columns * (size_t)camera->rows;
    RW_TRY(rw_array_create(map->context, samples, sizeof *camera->depths, "a picture", &camera->depths));
    RW_TRY(rw_array_create(map->context, samples, sizeof *camera->colours, "a picture", &camera->colours));
    for (size_t i = 0; i < samples; i++) {
        camera->depths[i] = INFINITY;
        camera->colours[i] = rw_colour_paper;
    }
    return RW_OK;
}

typedef struct tile_triangle {
    tile_camera *camera;
    double z[3];
    rw_colour colour;
} tile_triangle;

static void set_tile_sample(void *user, int column, int row, const double weights[3])
{
    const tile_triangle *of = user;
    float depth = (float)(weights[0] * of->z[0] + weights[1] * of->z[1] + weights[2] * of->z[2]);
    size_t at = (size_t)row * (size_t)of->camera->columns + (size_t)column;
    if (depth < of->camera->depths[at]) {
        of->camera->depths[at] = depth;
        of->camera->colours[at] = of->colour;
    }
}

static void draw_triangle(tile_camera *camera, const rw_vec3 p[3], rw_colour colour)
{
    tile_triangle of = {camera, {p[0].z, p[1].z, p[2].z}, colour};
    rw_triangle_sample(p, camera->columns, camera->rows, set_tile_sample, &of);
}

/* Light from the left behind the eye. */
static rw_colour shade_colour(const tile_camera *camera, rw_colour colour, rw_vec3 normal)
{
    rw_vec3 light =
        rw_vec3_sub(rw_vec3_scale(camera->up, 0.6), rw_vec3_add(camera->forward, rw_vec3_scale(camera->right, 0.7)));
    double lit = rw_vec3_dot(normal, light) / rw_vec3_length(light);
    double shade = rw_vec3_dot(normal, camera->forward) > 0 ? 0.55 : 0.78 + 0.22 * fmax(0, lit);
    return (rw_colour){(uint8_t)(colour.red * shade), (uint8_t)(colour.green * shade), (uint8_t)(colour.blue * shade)};
}

/* A tile, widened about its centre, moved back from the eye. */
static void draw_tile(const rw_tile_view *view, tile_camera *camera, size_t tile, double wider, double back_m)
{
    rw_colour colour = shade_colour(camera, rw_tile_colour(view, tile), view->map->normals[tile]);
    const rw_vec3 *tile_corners = view->map->corners[tile];
    rw_vec3 centre = find_tile_centre(tile_corners), corners[4];
    for (int i = 0; i < 4; i++) {
        rw_vec3 at = rw_vec3_add(centre, rw_vec3_scale(rw_vec3_sub(tile_corners[i], centre), wider));
        corners[i] = project_tile_corner(camera, at);
        corners[i].z += back_m;
    }
    draw_triangle(camera, (rw_vec3[]){corners[0], corners[1], corners[2]}, colour);
    draw_triangle(camera, (rw_vec3[]){corners[0], corners[2], corners[3]}, colour);
}

/* Tiles of roofs and ground do not reach their outline everywhere: behind them stand wider ones, which close the gaps.
 */
static void draw_tiles(const rw_tile_view *view, tile_camera *camera)
{
    for (size_t i = 0; i < view->map->count; i++) {
        uint32_t kind = view->map->kinds[i];
        if (!is_tile_in_crop(view, i))
            continue;
        draw_tile(view, camera, i, 1, 0);
        if (kind != RW_TILE_WALL)
            draw_tile(view, camera, i, kind == RW_TILE_GROUND ? 1.8 : 1.1, 1);
    }
}

/* The transmitter of the band, or all where the layer is of all. It is drawn over what stands before it. */
static void draw_sources(const rw_tile_view *view, const tile_camera *camera, rw_picture *picture)
{
    const rw_tile_map *map = view->map;
    rw_canvas_clip(&picture->canvas, picture->map_box);
    for (size_t i = 0; i < map->source_count && i < map->values->band_count; i++) {
        if (view->layer->bands > 1 && i != view->options.band)
            continue;
        rw_vec3 at = project_tile_corner(camera, map->sources[i]);
        rw_vec2 pixel = {picture->map_box.x0 + at.x / RW_CANVAS_SAMPLES,
                         picture->map_box.y0 + at.y / RW_CANVAS_SAMPLES};
        rw_picture_draw_marker(picture, pixel, map->values->band_names[i]);
    }
    rw_canvas_unclip(&picture->canvas);
}

/* "model tiles, 2 GHz, 900 tiles of about 100 m2" */
static void describe_tiles(const rw_tile_view *view, char *string, size_t size)
{
    const rw_tile_map *map = view->map;
    const rw_map_info *info = &map->values->info;
    double freq_hz = view->options.band < map->source_count ? map->freqs_hz[view->options.band] : 0;
    char freq[32] = "";
    if (freq_hz > 0)
        snprintf(freq, sizeof freq, ", %.4g %s", freq_hz >= 1e9 ? freq_hz / 1e9 : freq_hz / 1e6,
                 freq_hz >= 1e9 ? "GHz" : "MHz");
    snprintf(string, size, "model %s%s, %zu tiles of about %g m\xc2\xb2", info->model, freq, map->count,
             round(info->res_m * info->res_m));
}

static rw_status compose_picture(const rw_tile_view *view, const tile_camera *camera, const char *path)
{
    rw_picture picture = {
        .map = view->map->values, .layer = view->layer, .band = view->options.band, .style = view->style};
    picture.style.plain_no_path = 1;
    int width = camera->columns / RW_CANVAS_SAMPLES, height = camera->rows / RW_CANVAS_SAMPLES;
    double unit = picture.unit_px = fmin(2, fmax(1, (width > height ? width : height) / 1000.0));
    int margin = (int)(28 * unit), head = (int)(84 * unit), foot = (int)(40 * unit);
    int legend = (int)(rw_picture_legend_width_px(&picture) + 28 * unit), height_min = (int)(420 * unit);
    RW_TRY(rw_canvas_create(view->map->context, 2 * margin + width + legend,
                            head + (height > height_min ? height : height_min) + foot, rw_colour_paper,
                            &picture.canvas));
    picture.map_box = (rw_box_px){margin, head, margin + width, head + height};
    rw_canvas_set_samples(&picture.canvas, margin, head, camera->colours, camera->columns, camera->rows);
    draw_sources(view, camera, &picture);
    rw_text_style title = {.size_px = 16 * unit, .weight = 1.35, .colour = rw_colour_text};
    rw_canvas_text(&picture.canvas, rw_vec2_of(margin, 42 * unit), &title, view->style.title);
    char subtitle[200];
    describe_tiles(view, subtitle, sizeof subtitle);
    rw_text_style quiet = {.size_px = 9.5 * unit, .weight = 1.1, .colour = rw_colour_quiet};
    rw_canvas_text(&picture.canvas, rw_vec2_of(margin, 68 * unit), &quiet, subtitle);
    rw_box_px box = {picture.map_box.x1 + (int)(24 * unit), head, picture.canvas.width, picture.canvas.height - foot};
    rw_picture_draw_legend(&picture, box);
    rw_status status = rw_canvas_write(&picture.canvas, path);
    rw_canvas_free(&picture.canvas);
    return status;
}

rw_status rw_tile_write_picture(const rw_tile_view *view, const char *path)
{
    const rw_tile_write_options *options = &view->options;
    tile_camera camera = {0};
    if (!(options->elevation_deg >= 5 && options->elevation_deg <= 90) || !isfinite(options->azimuth_deg))
        return rw_fail(view->map->context, RW_BAD_CALL, "a view from %g degrees above; 5 to 90 are possible",
                       options->elevation_deg);
    if (options->width_px < 100 || options->width_px > 8000)
        return rw_fail(view->map->context, RW_BAD_CALL, "a picture %d pixels wide; 100 to 8000 are possible",
                       options->width_px);
    aim_tile_camera(&camera, options->azimuth_deg, options->elevation_deg);
    rw_status status = frame_camera(view, options->width_px, &camera);
    if (status == RW_OK) {
        draw_tiles(view, &camera);
        status = compose_picture(view, &camera, path);
    }
    free(camera.depths);
    free(camera.colours);
    return status;
}
