/* Receivers on a rectangle anywhere in space: checked, cut into cells, placed. */
#include "base/memory.h"
#include "models/engine/model.h"
#include "output/maps/plane.h"

#include <math.h>
#include <stdlib.h>

#define ASKEW_MAX 1e-6 /* cosine between the sides */

static rw_status check_plane_request(const rw_scene *scene, const rw_predict_options *options)
{
    rw_context *context = scene->context;
    if (options->database)
        return rw_fail(context, RW_BAD_CALL, "a database is of cells on the ground and not of a plane");
    if (!isnan(options->area_m[0]))
        return rw_fail(context, RW_BAD_CALL, "an area and a plane cannot both be given");
    rw_plane plane = rw_plane_of(options->plane_m);
    if (!rw_plane_has_sides(&plane))
        return rw_fail(context, RW_BAD_CALL,
                       "the plane has a side of no length; write a corner and two sides: X,Y,Z:UX,UY,UZ:VX,VY,VZ");
    double cosine = rw_vec3_dot(plane.along_u, plane.along_v);
    if (!(fabs(cosine) <= ASKEW_MAX))
        return rw_fail(context, RW_BAD_CALL, "the sides of the plane are at %.4g degrees; they must be at right angles",
                       acos(cosine) * 180 / RW_PI);
    return RW_OK;
}

rw_status rw_plane_cells(const rw_scene *scene, const rw_predict_options *options, rw_map_info *cells)
{
    RW_TRY(check_plane_request(scene, options));
    rw_plane plane = rw_plane_of(options->plane_m);
    double res = options->res_m, columns = fmax(1, ceil(plane.width_m / res - 1e-9));
    double rows = fmax(1, ceil(plane.height_m / res - 1e-9));
    if (columns * rows > 4294967295.0 || !rw_memory_fits(columns * rows * 48))
        return rw_fail(scene->context, RW_TOO_LARGE,
                       "%.0f x %.0f receivers would need %.3g GB, and %.3g GB is free; give a larger res", columns,
                       rows, columns * rows * 48e-9, rw_memory_available() / 1e9);
    *cells = (rw_map_info){.columns = (size_t)columns, .rows = (size_t)rows, .res_m = res, .has_plane = 1};
    for (int i = 0; i < 9; i++)
        cells->plane_m[i] = options->plane_m[i];
    return RW_OK;
}

rw_status rw_plane_receivers(const rw_scene *scene, const rw_map_info *cells, rw_receivers *receivers)
{
    rw_plane plane = rw_plane_of(cells->plane_m);
    rw_vec3 *positions;
    size_t count = cells->columns * cells->rows;
    RW_TRY(rw_array_create(scene->context, count, sizeof *positions, "receivers", &positions));
    for (size_t i = 0; i < count; i++) {
        rw_vec3 position = rw_plane_cell(&plane, i % cells->columns, i / cells->columns, cells->res_m);
        rw_vec2 at = {position.x - scene->origin.x, position.y - scene->origin.y};
        positions[i] = rw_vec3_of(at.x, at.y, position.z - rw_scene_ground_m(scene, at));
    }
    rw_prepared prepared = *scene->prepared;
    prepared.grid.view.node_count = 0; /* no mesh makes a receiver indoor: models that take planes look into rooms */
    rw_status status = rw_receivers_create_at(scene, &prepared, positions, count, receivers);
    free(positions);
    receivers->view.columns = cells->columns;
    receivers->view.rows = cells->rows;
    return status;
}

rw_near_square rw_prediction_cell(const rw_prediction *prediction)
{
    const rw_predict_options *options = prediction->options;
    rw_near_square cell = {options->res_m, rw_vec3_of(1, 0, 0), rw_vec3_of(0, 1, 0)};
    if (!rw_plane_is_set(options->plane_m))
        return cell;
    rw_plane plane = rw_plane_of(options->plane_m);
    cell.along_u = plane.along_u;
    cell.along_v = plane.along_v;
    return cell;
}
