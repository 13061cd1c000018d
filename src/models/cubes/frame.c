/* Where the cubes of a prediction lie: over the whole scene, from below the ground to above the roofs, on borders that
 * are multiples of a cube's side in world coordinates. What is asked for does not move them, so that the answer at a
 * point is the same whatever else is asked for; a map whose own borders are such multiples has its cells in the middle
 * of cubes. Transmitters and receivers beyond the scene add cubes there. */
#include "models/cubes/cubes.h"

#include <math.h>

/* A scene of more cubes than this is laid only over what is asked for and these surroundings: a part of a large city
 * must not need the memory of all of it. */
static const double entire_scene_cubes = 1 << 24;
static const double surroundings_m = 250;

/* An extent in plan, local frame. */
typedef struct extent {
    rw_vec2 low, high;
} extent;

static extent extend_to_point(extent all, double x, double y)
{
    return (extent){{fmin(all.low.x, x), fmin(all.low.y, y)}, {fmax(all.high.x, x), fmax(all.high.y, y)}};
}

static double find_highest_m(const rw_prediction *prediction)
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

static double lowest_ground_m(const rw_scene *scene)
{
    const rw_raster *terrain = &scene->terrain;
    if (!terrain->values)
        return 0;
    double low_m = (double)terrain->values[0];
    for (size_t i = 1; i < terrain->columns * terrain->rows; i++)
        low_m = fmin(low_m, (double)terrain->values[i]);
    return low_m;
}

/* Corners of the map, or of all points. */
static extent find_requested_extent(const rw_prediction *prediction)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    extent all = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (size_t i = 0; view->points && i < view->columns * view->rows; i++)
        all = extend_to_point(all, view->points[i].x + centre.x, view->points[i].y + centre.y);
    if (view->points)
        return all;
    double half = 0.5 * view->res_m;
    all = extend_to_point(all, view->x0_m + centre.x - half, view->y0_m + centre.y - half);
    return extend_to_point(all, all.low.x + (double)view->columns * view->res_m,
                           all.low.y + (double)view->rows * view->res_m);
}

/* The scene, or of a large one what is asked for and its surroundings; and all ends of paths. */
static extent choose_extent(const rw_prediction *prediction, double layers)
{
    const rw_scene *scene = prediction->scene;
    double res = prediction->options->res_m;
    extent requested = find_requested_extent(prediction);
    extent all = {{scene->box_min.x, scene->box_min.y}, {scene->box_max.x, scene->box_max.y}};
    if ((all.high.x - all.low.x) * (all.high.y - all.low.y) / (res * res) * layers > entire_scene_cubes) {
        all.low.x = fmax(all.low.x, requested.low.x - surroundings_m);
        all.low.y = fmax(all.low.y, requested.low.y - surroundings_m);
        all.high.x = fmin(all.high.x, requested.high.x + surroundings_m);
        all.high.y = fmin(all.high.y, requested.high.y + surroundings_m);
    }
    all = extend_to_point(extend_to_point(all, requested.low.x, requested.low.y), requested.high.x, requested.high.y);
    for (size_t i = 0; i < prediction->options->transmitter_count; i++)
        all = extend_to_point(all, prediction->sources[i].x, prediction->sources[i].y);
    return all;
}

/* Whole cubes over an interval, its upper end included. */
static double lay_cubes(double low, double high, double origin, double res, size_t *count)
{
    const double rounding = 1e-6; /* of borders that are meant to be the same */
    double start = floor((low + origin) / res + rounding) * res - origin;
    *count = (size_t)(floor((high - start) / res + rounding) + 1);
    return start;
}

/* On flat ground the receivers of a map are at the height of cubes' centres. */
void rw_cubes_frame_find(const rw_prediction *prediction, rw_cube_frame *frame)
{
    const rw_scene *scene = prediction->scene;
    double res = prediction->options->res_m, ground_m = lowest_ground_m(scene);
    double height_m = prediction->options->rx_height_m,
           low_m = fmin(ground_m, (double)prediction->receivers.view.low_m);
    *frame = (rw_cube_frame){.res_m = res};
    double start_m = ground_m + height_m - 0.5 * res;
    frame->z0_m = start_m - res * fmax(0, ceil((start_m - low_m) / res));
    frame->layers = (size_t)ceil((find_highest_m(prediction) - frame->z0_m) / res) + 2;
    extent all = choose_extent(prediction, (double)frame->layers);
    frame->x0_m = lay_cubes(all.low.x, all.high.x, scene->origin.x, res, &frame->columns);
    frame->y0_m = lay_cubes(all.low.y, all.high.y, scene->origin.y, res, &frame->rows);
}
