/* Frame buffers along one sequence of the image tree as a picture: Figure 1 of Novak (2016) for any path. Each panel
 * has the view behind one more interaction: surfaces by colour, the stencil rimmed in red, what lies outside of it
 * faded. */
#include "models/images/images.h"

#include "base/memory.h"
#include "models/images/image_gains.k.h"
#include "models/rays/rays.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAP_PX 12

static const rw_colour paper_colour = {255, 255, 255};

/* The frame buffers of a sequence: 1 + surface of each pixel, 0: nothing or outside the stencil. */
typedef struct sequence_views {
    rw_ray_scene *scene;
    const rw_view_sequence *sequence;
    uint32_t pixels;
    uint32_t *shown; /* pixels x pixels a panel, columns one after the other */
} sequence_views;

static uint32_t *panel_of(const sequence_views *views, int panel)
{
    return views->shown + (size_t)panel * views->pixels * views->pixels;
}

/* Copies the picture of one view of the batch, whose arrays are the backend's. */
static rw_status copy_view(const sequence_views *views, const rw_view_batch *batch, const rw_view *view)
{
    rw_context *context = views->scene->context;
    rw_backend backend = views->scene->backend;
    size_t rows = view->y1 - view->y0, pixels = (view->x1 - view->x0) * rows;
    uint32_t *panel = panel_of(views, batch->level);
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
            panel[(view->x0 + i / rows) * views->pixels + view->y0 + i % rows] = 1 + candidates[marks[i] - 1].surface;
    free(marks);
    free(candidates);
    return status;
}

/* An rw_view_visit that looks for the views of the sequence. */
static rw_status copy_sequence(void *user, const rw_view_batch *batch)
{
    const sequence_views *views = user;
    size_t level = (size_t)batch->level;
    rw_view *found = NULL;
    uint32_t *steps = NULL;
    if (!batch->picture || batch->level > views->sequence->count)
        return RW_OK;
    rw_context *context = views->scene->context;
    rw_backend backend = views->scene->backend;
    RW_TRY(rw_array_create(context, batch->count, sizeof *found, "views", &found));
    rw_status status = rw_array_create(context, batch->count * level + 1, sizeof *steps, "views", &steps);
    if (status == RW_OK)
        status = rw_device_download(context, backend, found, batch->views, batch->count * sizeof *found);
    if (status == RW_OK)
        status = rw_device_download(context, backend, steps, batch->steps, batch->count * level * sizeof *steps);
    for (size_t i = 0; status == RW_OK && i < batch->count; i++)
        if (found[i].side == views->sequence->side && found[i].candidate_count &&
            memcmp(steps + i * level, views->sequence->steps, level * sizeof *steps) == 0)
            status = copy_view(views, batch, &found[i]);
    free(found);
    free(steps);
    return status;
}

static rw_colour blend_panel_colours(rw_colour a, rw_colour b, double fraction)
{
    return (rw_colour){(uint8_t)(a.red + fraction * (b.red - a.red)),
                       (uint8_t)(a.green + fraction * (b.green - a.green)),
                       (uint8_t)(a.blue + fraction * (b.blue - a.blue))};
}

/* A pixel of a panel: what the deepest frame buffer up to it shows; what it only inherits is faded. Rims of surfaces
 * are dark, those of the stencil red. */
static rw_colour panel_colour(const sequence_views *views, int panel, size_t x, size_t y)
{
    const size_t n = views->pixels, at = x * n + y;
    const uint32_t *own = panel_of(views, panel);
    int from = panel;
    while (from > 0 && !panel_of(views, from)[at])
        from--;
    const uint32_t *shown = panel_of(views, from);
    uint32_t surface = shown[at];
    rw_colour colour = surface ? rw_class_colour(surface) : paper_colour;
    size_t next = x + 1 < n ? at + n : at, above = y + 1 < n ? at + 1 : at;
    int rim = shown[next] != surface || shown[above] != surface;
    int stencil_rim = panel > 0 && ((own[next] != 0) != (own[at] != 0) || (own[above] != 0) != (own[at] != 0));
    colour = rim ? blend_panel_colours(colour, (rw_colour){0, 0, 0}, 0.5) : colour;
    colour = from < panel ? blend_panel_colours(colour, paper_colour, 0.7) : colour;
    return stencil_rim ? (rw_colour){200, 30, 30} : colour;
}

static rw_status write_panels(const sequence_views *views, const char *path)
{
    int n = (int)views->pixels, panels = views->sequence->count + 1;
    rw_canvas canvas;
    RW_TRY(rw_canvas_create(views->scene->context, panels * n + (panels - 1) * GAP_PX, n, paper_colour, &canvas));
    for (int panel = 0; panel < panels; panel++)
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++)
                rw_canvas_set(&canvas, panel * (n + GAP_PX) + x, n - 1 - y,
                              panel_colour(views, panel, (size_t)x, (size_t)y));
    rw_status status = rw_canvas_write(&canvas, path);
    rw_canvas_free(&canvas);
    return status;
}

rw_status rw_view_sequence_draw(rw_ray_scene *scene, const rw_view_sequence *sequence, uint32_t pixels,
                                const char *path)
{
    sequence_views views = {.scene = scene, .sequence = sequence, .pixels = pixels};
    rw_view_tree_options tree = {.source = scene->view.source,
                                 .pixels = pixels,
                                 .threshold = 1,
                                 .depth = sequence->count,
                                 .draws_last = 1,
                                 .skips_culling = 1};
    rw_view_tree_size size;
    size_t panels = (size_t)sequence->count + 1;
    RW_TRY(rw_array_create(scene->context, panels * pixels * pixels, sizeof *views.shown, "pictures", &views.shown));
    rw_status status = rw_view_tree_walk(scene->context, scene->backend, &scene->view.surfaces, scene->view.slabs,
                                         &tree, copy_sequence, &views, &size);
    if (status == RW_OK)
        status = write_panels(&views, path);
    free(views.shown);
    return status;
}

/* --- the strongest path to a point */

typedef struct strongest_path {
    const rw_rays *rays;
    rw_view_sequence sequence;
    double power;
} strongest_path;

/* An rw_images_pair_fn. */
static rw_status choose_strongest_pair(void *user, const uint32_t *steps, int level, uint32_t side, uint32_t point)
{
    strongest_path *chosen = user;
    const rw_ray_view *view = &chosen->rays->scene.host;
    rw_image_path path;
    if (level < 1 || level >= RW_VIEW_PANELS_MAX ||
        !rw_image_pair_path(view, steps, level, side, 0, chosen->rays->points.positions[point], &path))
        return RW_OK;
    double power = rw_complex_abs2(rw_ray_view_arrival(view, &path).gain);
    if (power <= chosen->power)
        return RW_OK;
    chosen->power = power;
    chosen->sequence.count = level;
    chosen->sequence.side = side;
    memcpy(chosen->sequence.steps, steps, (size_t)level * sizeof *steps);
    return RW_OK;
}

/* The open model has the transmitter in place once its paths were traced. */
static rw_status draw_strongest(rw_rays *rays, const char *path)
{
    strongest_path chosen = {.rays = rays};
    rw_paths *paths;
    RW_TRY(rw_paths_create(rays->prediction->scene->context, &paths));
    rw_status status = rw_rays_trace(rays, 0, 1, paths);
    rw_paths_destroy(paths);
    RW_TRY(status);
    RW_TRY(rw_images_list(rays->own, choose_strongest_pair, &chosen));
    if (!chosen.sequence.count)
        return rw_fail(rays->prediction->scene->context, RW_BAD_CALL,
                       "no path with 1 to %d interactions leads to the point: there are no views to draw",
                       RW_VIEW_PANELS_MAX - 1);
    return rw_view_sequence_draw(&rays->scene, &chosen.sequence, RW_VIEW_PANEL_PX, path);
}

static rw_status draw_at(rw_prediction *prediction, const char *path)
{
    void *state;
    RW_TRY(rw_prediction_locate(prediction));
    if (!prediction->receivers.view.outdoor_count)
        return rw_fail(prediction->scene->context, RW_BAD_CALL, "the point lies inside a wall: it has no views");
    RW_TRY(prediction->model->open(prediction, RW_USE_PATHS, &state));
    rw_status status = draw_strongest(state, path);
    prediction->model->close(state);
    return status;
}

rw_status rw_draw_views(const rw_scene *scene, const rw_predict_options *options, const rw_point *point,
                        const char *path)
{
    const rw_target target = {.use = RW_USE_PATHS, .points = point, .point_count = 1};
    rw_prediction *prediction;
    RW_TRY(rw_prediction_create(scene, options, &target, &prediction));
    rw_status status = prediction->model == &rw_model_images
                           ? draw_at(prediction, path)
                           : rw_fail(scene->context, RW_BAD_CALL, "model %s has no views; the model images has",
                                     prediction->model->name);
    rw_prediction_destroy(prediction);
    return status;
}
