/* Figures 1 and 3 of Novak (2016) as pictures: the frame buffers along one sequence of the image tree, and the office
 * in space with a transparent ceiling. */
#include "bench/reproduce/images_pictures.h"

#include "base/memory.h"
#include "models/images/image_gains.k.h"
#include "output/pictures/colour_scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PANELS 3 /* the transmitter's view, behind a reflection, and behind a wall beyond it */
#define PANEL_PX 360
#define GAP_PX 12

static const rw_colour paper_colour = {255, 255, 255};

/* The sequence that is shown, and its frame buffers: 1 + surface of each pixel, 0: nothing or outside the stencil. */
typedef struct chosen_views {
    rw_bench_office *at;
    uint32_t steps[PANELS - 1], side;
    double power; /* of the strongest path so far */
    uint32_t (*shown)[PANEL_PX * PANEL_PX];
} chosen_views;

/* The strongest path that is reflected and then goes through a wall, as in the paper. */
static rw_status choose(void *user, const uint32_t *steps, int level, uint32_t side, uint32_t point)
{
    chosen_views *chosen = user;
    const rw_ray_world *world = &chosen->at->rays.host;
    rw_image_path path;
    if (level != PANELS - 1 || RW_STEP_THROUGH(steps[0]) || !RW_STEP_THROUGH(steps[1]) ||
        !rw_image_pair_path(world, steps, level, side, 0, chosen->at->points.places[point], &path))
        return RW_OK;
    double power = rw_complex_abs2(rw_world_arrival(world, &path).gain);
    if (power <= chosen->power)
        return RW_OK;
    chosen->power = power;
    chosen->side = side;
    memcpy(chosen->steps, steps, sizeof chosen->steps);
    return RW_OK;
}

/* Copies the picture of one view of the batch, whose arrays are the backend's. */
static rw_status copy_view(chosen_views *chosen, const rw_view_batch *batch, const rw_view *view)
{
    rw_context *context = chosen->at->context;
    rw_backend backend = chosen->at->rays.backend;
    size_t rows = view->y1 - view->y0, pixels = (view->x1 - view->x0) * rows;
    uint16_t *marks;
    rw_view_candidate *candidates = NULL;
    RW_TRY(rw_array_create(context, pixels + 1, sizeof *marks, "a picture", &marks));
    rw_status status =
        rw_array_create(context, view->candidate_count + 1u, sizeof *candidates, "a picture", &candidates);
    if (status == RW_OK)
        status =
            rw_device_download(context, backend, marks, batch->picture + view->first_pixel, pixels * sizeof *marks);
    if (status == RW_OK)
        status = rw_device_download(context, backend, candidates, batch->candidates + view->first_candidate,
                                    view->candidate_count * sizeof *candidates);
    for (size_t i = 0; status == RW_OK && i < pixels; i++)
        if (marks[i])
            chosen->shown[batch->level][(view->x0 + i / rows) * PANEL_PX + view->y0 + i % rows] =
                1 + candidates[marks[i] - 1].surface;
    free(marks);
    free(candidates);
    return status;
}

/* An rw_view_visit that looks for the views of the chosen sequence. */
static rw_status copy_chosen(void *user, const rw_view_batch *batch)
{
    chosen_views *chosen = user;
    size_t level = (size_t)batch->level;
    rw_view *views = NULL;
    uint32_t *steps = NULL;
    if (!batch->picture || level >= PANELS)
        return RW_OK;
    rw_context *context = chosen->at->context;
    RW_TRY(rw_array_create(context, batch->count, sizeof *views, "views", &views));
    rw_status status = rw_array_create(context, batch->count * level + 1, sizeof *steps, "views", &steps);
    if (status == RW_OK)
        status =
            rw_device_download(context, chosen->at->rays.backend, views, batch->views, batch->count * sizeof *views);
    if (status == RW_OK)
        status = rw_device_download(context, chosen->at->rays.backend, steps, batch->steps,
                                    batch->count * level * sizeof *steps);
    for (size_t i = 0; status == RW_OK && i < batch->count; i++)
        if (views[i].side == chosen->side && views[i].candidate_count &&
            memcmp(steps + i * level, chosen->steps, level * sizeof *steps) == 0)
            status = copy_view(chosen, batch, &views[i]);
    free(views);
    free(steps);
    return status;
}

static rw_colour mix(rw_colour a, rw_colour b, double share)
{
    return (rw_colour){(uint8_t)(a.red + share * (b.red - a.red)), (uint8_t)(a.green + share * (b.green - a.green)),
                       (uint8_t)(a.blue + share * (b.blue - a.blue))};
}

/* A pixel of a panel: what the deepest frame buffer up to it shows; what it only inherits is faded. Rims of surfaces
 * are dark, those of the stencil red. */
static rw_colour panel_colour(const chosen_views *chosen, int panel, int x, int y)
{
    const int at = x * PANEL_PX + y;
    int from = panel;
    while (from > 0 && !chosen->shown[from][at])
        from--;
    uint32_t surface = chosen->shown[from][at];
    rw_colour colour = surface ? rw_class_colour(surface) : paper_colour;
    int next = x + 1 < PANEL_PX ? at + PANEL_PX : at, above = y + 1 < PANEL_PX ? at + 1 : at;
    int rim = chosen->shown[from][next] != surface || chosen->shown[from][above] != surface;
    int stencil_rim = panel > 0 && ((chosen->shown[panel][next] != 0) != (chosen->shown[panel][at] != 0) ||
                                    (chosen->shown[panel][above] != 0) != (chosen->shown[panel][at] != 0));
    colour = rim ? mix(colour, (rw_colour){0, 0, 0}, 0.5) : colour;
    colour = from < panel ? mix(colour, paper_colour, 0.7) : colour;
    return stencil_rim ? (rw_colour){200, 30, 30} : colour;
}

static rw_status write_panels(rw_page *page, const chosen_views *chosen)
{
    char path[4096];
    rw_canvas canvas;
    RW_TRY(rw_canvas_create(page->context, PANELS * PANEL_PX + (PANELS - 1) * GAP_PX, PANEL_PX, paper_colour, &canvas));
    for (int panel = 0; panel < PANELS; panel++)
        for (int x = 0; x < PANEL_PX; x++)
            for (int y = 0; y < PANEL_PX; y++)
                rw_canvas_set(&canvas, panel * (PANEL_PX + GAP_PX) + x, PANEL_PX - 1 - y,
                              panel_colour(chosen, panel, x, y));
    rw_page_picture_path(page, "figure_1", path, sizeof path);
    rw_status status = rw_canvas_write(&canvas, path);
    rw_canvas_free(&canvas);
    return status;
}

static const char *surface_name(const rw_bench_office *at, uint32_t step)
{
    return at->rays.surfaces.kinds[at->rays.surfaces.surfaces[RW_STEP_SURFACE(step)].kind];
}

rw_status rw_reproduce_views(rw_page *page, rw_bench_office *at)
{
    chosen_views chosen = {.at = at};
    rw_images_options options = {.depth = PANELS - 1, .pixels = PANEL_PX, .threshold = 4};
    rw_view_tree_options tree = {.source = at->rays.world.source, .pixels = PANEL_PX, .threshold = 4, .depth = PANELS};
    rw_view_tree_size size;
    rw_images_solver *solver;
    RW_TRY(rw_images_open(&at->rays, &at->points, &options, 0, &solver));
    rw_status status = rw_images_list(solver, choose, &chosen);
    rw_images_close(solver);
    RW_TRY(status);
    RW_TRY(rw_array_create(at->context, PANELS, sizeof *chosen.shown, "pictures", &chosen.shown));
    status = rw_view_tree_walk(at->context, at->rays.backend, &at->rays.surfaces, &at->rays.world.surfaces,
                               at->rays.slabs, &tree, copy_chosen, &chosen, &size);
    if (status == RW_OK)
        status = write_panels(page, &chosen);
    free(chosen.shown);
    RW_TRY(status);
    rw_page_heading(page, "Figure 1: frame buffers along a sequence");
    rw_page_picture(
        page, "figure_1",
        "Figure 1: surfaces by colour in a view from the transmitter (b), behind a reflection (d) and behind a "
        "wall beyond it (f); the stencil is rimmed in red, what lies outside of it is faded");
    rw_page_text(page,
                 "The sequence is that of the strongest path with a reflection and a transmission: reflected at %s %u, "
                 "then through %s %u.",
                 surface_name(at, chosen.steps[0]), RW_STEP_SURFACE(chosen.steps[0]), surface_name(at, chosen.steps[1]),
                 RW_STEP_SURFACE(chosen.steps[1]));
    return RW_OK;
}

/* --- the office in space, in parallel projection */

typedef struct office_camera {
    rw_vec3 right, up, forward, corner; /* corner: the picture's upper left */
    double px_per_m;
    int width, height;
} office_camera;

static office_camera aim(const rw_bench_office *at)
{
    const double azimuth = 0.45, elevation = 0.75;
    office_camera camera = {.width = 900};
    double w = 0.5 * at->plan.width_m, d = 0.5 * at->plan.depth_m, x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY,
           y1 = -INFINITY;
    camera.forward = rw_vec3_make(-sin(azimuth) * cos(elevation), cos(azimuth) * cos(elevation), -sin(elevation));
    camera.right = rw_vec3_make(cos(azimuth), sin(azimuth), 0);
    camera.up = rw_vec3_cross(camera.right, camera.forward);
    for (int i = 0; i < 8; i++) {
        rw_vec3 corner = rw_vec3_make(i & 1 ? w : -w, i & 2 ? d : -d, i & 4 ? 3 : 0);
        x0 = fmin(x0, rw_vec3_dot(corner, camera.right));
        x1 = fmax(x1, rw_vec3_dot(corner, camera.right));
        y0 = fmin(y0, rw_vec3_dot(corner, camera.up));
        y1 = fmax(y1, rw_vec3_dot(corner, camera.up));
    }
    camera.px_per_m = camera.width / (x1 - x0 + 1);
    camera.height = (int)((y1 - y0 + 1) * camera.px_per_m);
    camera.corner = rw_vec3_add(rw_vec3_scale(camera.right, x0 - 0.5), rw_vec3_scale(camera.up, y1 + 0.5));
    camera.corner = rw_vec3_sub(camera.corner, rw_vec3_scale(camera.forward, 1000));
    return camera;
}

/* How much of what is behind a surface is hidden: the ceiling is transparent, windows nearly. */
static double opacity_of(const rw_bench_office *at, uint32_t surface)
{
    const rw_surface *about = &at->rays.surfaces.surfaces[surface];
    if (fabs(about->normal.z) > 0.99 && (double)about->middle[2] > 1)
        return 0.04;
    return strcmp(at->rays.surfaces.kinds[about->kind], "window") == 0 ? 0.35 : 1;
}

/* What a ray of the camera shows; *met: the first surface that is not transparent. */
static rw_colour cast(const rw_bench_office *at, rw_vec3 from, rw_vec3 forward, uint32_t *met)
{
    double left = 1, red = 0, green = 0, blue = 0, distance_m;
    uint32_t before = RW_NO_SURFACE;
    *met = RW_NO_SURFACE;
    for (int layer = 0; layer < 8 && left > 0.01; layer++) {
        uint32_t surface = rw_surfaces_nearest(&at->rays.host.surfaces, from, forward, before, &distance_m);
        if (surface == RW_NO_SURFACE)
            break;
        const rw_surface *about = &at->rays.surfaces.surfaces[surface];
        double opacity = opacity_of(at, surface) * left;
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

static void draw_office(const rw_bench_office *at, const office_camera *camera, uint32_t *above, rw_canvas *canvas)
{
    for (int y = 0; y < camera->height; y++) {
        uint32_t left = RW_NO_SURFACE;
        for (int x = 0; x < camera->width; x++) {
            uint32_t met;
            rw_vec3 from = rw_vec3_add(camera->corner, rw_vec3_scale(camera->right, (x + 0.5) / camera->px_per_m));
            from = rw_vec3_sub(from, rw_vec3_scale(camera->up, (y + 0.5) / camera->px_per_m));
            rw_colour colour = cast(at, from, camera->forward, &met);
            int rim = (x > 0 && met != left) || (y > 0 && met != above[x]);
            rw_canvas_set(canvas, x, y, rim ? mix(colour, (rw_colour){0, 0, 0}, 0.55) : colour);
            left = above[x] = met;
        }
    }
    rw_vec3 away = rw_vec3_sub(at->rays.world.source, camera->corner);
    rw_vec2 place = {rw_vec3_dot(away, camera->right) * camera->px_per_m,
                     -rw_vec3_dot(away, camera->up) * camera->px_per_m};
    rw_canvas_disc(canvas, place, 6);
    rw_canvas_ink(canvas, (rw_colour){200, 30, 30}, 1);
}

rw_status rw_reproduce_office(rw_page *page, const rw_bench_office *at)
{
    char path[4096];
    office_camera camera = aim(at);
    rw_canvas canvas;
    uint32_t *above;
    RW_TRY(rw_array_create(page->context, (size_t)camera.width, sizeof *above, "a picture", &above));
    rw_status status = rw_canvas_create(page->context, camera.width, camera.height, paper_colour, &canvas);
    if (status == RW_OK) {
        draw_office(at, &camera, above, &canvas);
        rw_page_picture_path(page, "figure_3", path, sizeof path);
        status = rw_canvas_write(&canvas, path);
        rw_canvas_free(&canvas);
    }
    free(above);
    RW_TRY(status);
    rw_page_picture(page, "figure_3",
                    "Figure 3: the office with a transparent ceiling; the transmitter is the red dot");
    return RW_OK;
}
