/* Where the cubes of a prediction lie: over the map or the points, their surroundings and the transmitters, from below
 * the ground to above the roofs. */
#include "models/cubes/cubes.h"

#include <math.h>

/* Paths may leave the area asked for by this much, as far as the scene goes. */
static const double surroundings_m = 250;

static double highest_m(const rw_prediction *prediction)
{
    const rw_scene *scene = prediction->scene;
    double top_m = (double)prediction->receivers.view.high_m;
    for (size_t i = 0; i < prediction->options->transmitter_count; i++)
        top_m = fmax(top_m, prediction->sources[i].z);
    for (size_t i = 0; i < scene->parts.count; i++)
        top_m = fmax(top_m, scene->parts.items[i].top_m);
    for (size_t i = 0; i < scene->panels.count; i++)
        top_m = fmax(top_m, scene->panels.items[i].top_m);
    for (size_t i = 0; i < scene->vertices.count; i++)
        top_m = fmax(top_m, scene->vertices.items[i].z);
    return top_m;
}

static double lowest_m(const rw_prediction *prediction)
{
    const rw_raster *terrain = &prediction->scene->terrain;
    double low_m = fmin(0, (double)prediction->receivers.view.low_m);
    if (!terrain->values)
        return low_m;
    low_m = (double)prediction->receivers.view.low_m;
    for (size_t i = 0; i < terrain->columns * terrain->rows; i++)
        low_m = fmin(low_m, (double)terrain->values[i]);
    return low_m;
}

/* From an interval of the map to whole cubes that also hold its surroundings, as far as the scene goes, and the
 * transmitters. */
static void widen(double *start_m, size_t *count, double res_m, double scene_low, double scene_high, double tx_low,
                  double tx_high)
{
    double end_m = *start_m + (double)*count * res_m;
    double low = fmin(fmax(scene_low, *start_m - surroundings_m), tx_low);
    double high = fmax(fmin(scene_high, end_m + surroundings_m), tx_high);
    double before = fmax(0, ceil((*start_m - low) / res_m)), after = fmax(0, ceil((high - end_m) / res_m));
    *start_m -= before * res_m;
    *count += (size_t)before + (size_t)after;
}

static void cover_map(const rw_prediction *prediction, rw_cube_frame *frame)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    frame->x0_m = view->x0_m + centre.x - 0.5 * view->res_m;
    frame->y0_m = view->y0_m + centre.y - 0.5 * view->res_m;
    frame->columns = view->columns;
    frame->rows = view->rows;
}

static void cover_points(const rw_prediction *prediction, rw_cube_frame *frame)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 low = view->points[0], high = low;
    for (size_t i = 1; i < view->columns * view->rows; i++) {
        rw_vec3 at = view->points[i];
        low = rw_vec3_make(fmin(low.x, at.x), fmin(low.y, at.y), 0);
        high = rw_vec3_make(fmax(high.x, at.x), fmax(high.y, at.y), 0);
    }
    frame->x0_m = low.x + centre.x - 0.5 * frame->res_m; /* centred on the first */
    frame->y0_m = low.y + centre.y - 0.5 * frame->res_m;
    frame->columns = (size_t)((high.x - low.x) / frame->res_m) + 2;
    frame->rows = (size_t)((high.y - low.y) / frame->res_m) + 2;
}

/* Cubes are as wide as the map's cells and centred on them; on flat ground the receivers are at the height of centres.
 */
void rw_cubes_frame_find(const rw_prediction *prediction, rw_cube_frame *frame)
{
    const rw_scene *scene = prediction->scene;
    const rw_receivers_view *view = &prediction->receivers.view;
    double res = prediction->options->res_m;
    *frame = (rw_cube_frame){.res_m = res};
    if (view->points)
        cover_points(prediction, frame);
    else
        cover_map(prediction, frame);
    rw_vec3 low = prediction->sources[0], high = prediction->sources[0];
    for (size_t i = 1; i < prediction->options->transmitter_count; i++) {
        rw_vec3 at = prediction->sources[i];
        low = rw_vec3_make(fmin(low.x, at.x), fmin(low.y, at.y), 0);
        high = rw_vec3_make(fmax(high.x, at.x), fmax(high.y, at.y), 0);
    }
    widen(&frame->x0_m, &frame->columns, res, scene->box_min.x, scene->box_max.x, low.x, high.x);
    widen(&frame->y0_m, &frame->rows, res, scene->box_min.y, scene->box_max.y, low.y, high.y);
    double start_m = (double)view->low_m - 0.5 * res;
    frame->z0_m = start_m - res * fmax(0, ceil((start_m - lowest_m(prediction)) / res));
    frame->layers = (size_t)ceil((highest_m(prediction) - frame->z0_m) / res) + 2;
}
