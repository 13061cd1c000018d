/* The cells of a map that options request: of an area, of polygons, or of a rectangle anywhere in space. */
#include "base/memory.h"

#include "discretise/zones/zones.h"
#include "models/engine/model.h"
#include "models/engine/prediction/prediction.h"
#include "output/maps/map.h"

#include <math.h>

#define ASKEW_MAX 1e-6 /* cosine between the sides of a plane */

int rw_plane_is_set(const double plane_m[9])
{
    return !isnan(plane_m[0]);
}

/* What stands in the scene and its terrain: west, south, east, north (world). */
static void find_full_extent(const rw_scene *scene, double extent_m[4])
{
    const rw_raster *terrain = &scene->terrain;
    rw_vec2 low = scene->box_min, high = scene->box_max;
    if (terrain->values) {
        low = rw_vec2_of(fmin(low.x, terrain->x0_m), fmin(low.y, terrain->y0_m));
        high.x = fmax(high.x, terrain->x0_m + (double)(terrain->columns - 1) * terrain->dx_m);
        high.y = fmax(high.y, terrain->y0_m + (double)(terrain->rows - 1) * terrain->dy_m);
    }
    extent_m[0] = low.x + scene->origin.x;
    extent_m[1] = low.y + scene->origin.y;
    extent_m[2] = high.x + scene->origin.x;
    extent_m[3] = high.y + scene->origin.y;
}

/* An area that was asked for: not empty, and at least partly on the scene. */
static rw_status check_area(const rw_scene *scene, const double area[4])
{
    if (!(area[2] > area[0] && area[3] > area[1]))
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the area %.10g,%.10g,%.10g,%.10g is empty: it is west, south, east, north", area[0], area[1],
                       area[2], area[3]);
    double extent[4];
    find_full_extent(scene, extent);
    if (area[0] > extent[2] || area[1] > extent[3] || area[2] < extent[0] || area[3] < extent[1])
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the area %.10g,%.10g,%.10g,%.10g lies off the scene, which is %.10g,%.10g,%.10g,%.10g", area[0],
                       area[1], area[2], area[3], extent[0], extent[1], extent[2], extent[3]);
    return RW_OK;
}

/* The box of the polygons that limit a map, in whole cells. */
static rw_status find_zone(const rw_scene *scene, const rw_predict_options *options, double area_m[4])
{
    rw_zones zones;
    double res = options->res_m;
    RW_TRY(rw_zones_load(scene->context, options->zone, rw_scene_crs(scene), NULL, &zones));
    for (int i = 0; i < 4; i++)
        area_m[i] = (i < 2 ? floor(zones.box[i] / res) : ceil(zones.box[i] / res)) * res;
    rw_zones_free(&zones);
    return RW_OK;
}

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

static rw_status find_plane_cells(const rw_scene *scene, const rw_predict_options *options, rw_map_info *cells)
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

rw_status rw_grid_resolve(const rw_scene *scene, const rw_predict_options *options, rw_map_info *cells)
{
    if (!scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is not committed yet");
    if (rw_plane_is_set(options->plane_m))
        return find_plane_cells(scene, options, cells);
    *cells = (rw_map_info){.res_m = options->res_m, .rx_height_m = options->rx_height_m};
    double zone_m[4];
    const double *area = options->area_m;
    if (options->zone && isnan(area[0])) {
        RW_TRY(find_zone(scene, options, zone_m));
        area = zone_m;
    }
    double res = options->res_m, x1, y1;
    int chosen = !isnan(area[0]);
    if (chosen)
        RW_TRY(check_area(scene, area));
    cells->x0_m = chosen ? area[0] : floor((scene->box_min.x + scene->origin.x) / res) * res;
    cells->y0_m = chosen ? area[1] : floor((scene->box_min.y + scene->origin.y) / res) * res;
    x1 = chosen ? area[2] : scene->box_max.x + scene->origin.x;
    y1 = chosen ? area[3] : scene->box_max.y + scene->origin.y;
    double columns = fmax(1, ceil((x1 - cells->x0_m) / res - 1e-9)),
           rows = fmax(1, ceil((y1 - cells->y0_m) / res - 1e-9));
    double bytes = columns * rows * 16;
    if (columns * rows > 4294967295.0 || !rw_memory_fits(bytes))
        return rw_fail(
            scene->context, RW_TOO_LARGE,
            "%.0f x %.0f receivers would need %.3g GB, and %.3g GB is free; give a larger res or a smaller area",
            columns, rows, bytes / 1e9, rw_memory_available() / 1e9);
    cells->columns = (size_t)columns;
    cells->rows = (size_t)rows;
    return RW_OK;
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

int rw_cell_is_within(const rw_map_info *cells, size_t column, size_t row, double x_m, double y_m, double range_m)
{
    double x = cells->x0_m + ((double)column + 0.5) * cells->res_m - x_m;
    double y = cells->y0_m + ((double)row + 0.5) * cells->res_m - y_m;
    return x * x + y * y <= range_m * range_m;
}

/* How much of a map lies beyond the scene's terrain, and a warning that says so. */

/* Whether the ground there is more than half a post away from the terrain's data. */
static int is_unknown(const rw_scene *scene, double x_m, double y_m)
{
    const rw_raster *terrain = &scene->terrain;
    double u = (x_m - scene->origin.x - terrain->x0_m) / terrain->dx_m;
    double v = (y_m - scene->origin.y - terrain->y0_m) / terrain->dy_m;
    if (!(u >= -0.5 && v >= -0.5 && u <= (double)terrain->columns - 0.5 && v <= (double)terrain->rows - 0.5))
        return 1;
    size_t column = (size_t)fmin(fmax(floor(u + 0.5), 0), (double)(terrain->columns - 1));
    size_t row = (size_t)fmin(fmax(floor(v + 0.5), 0), (double)(terrain->rows - 1));
    return scene->terrain_unknown && scene->terrain_unknown[row * terrain->columns + column];
}

/* Of the cells, or of a few hundred by a few hundred of them. */
double rw_terrain_missing_fraction(const rw_scene *scene, const rw_map_info *cells)
{
    const size_t max_count = 500;
    size_t columns = cells->columns < max_count ? cells->columns : max_count,
           rows = cells->rows < max_count ? cells->rows : max_count;
    size_t missing = 0;
    if (!scene->terrain.values || cells->has_plane)
        return 0;
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            double across = ((double)column + 0.5) / (double)columns, up = ((double)row + 0.5) / (double)rows;
            missing += (size_t)is_unknown(scene, cells->x0_m + across * (double)cells->columns * cells->res_m,
                                          cells->y0_m + up * (double)cells->rows * cells->res_m);
        }
    return (double)missing / (double)(columns * rows);
}

void rw_warn_of_missing_terrain(const rw_scene *scene, const rw_map_info *cells)
{
    double fraction = rw_terrain_missing_fraction(scene, cells);
    if (fraction > 0)
        rw_warn(scene->context, "%.3g %% of the area lies beyond the terrain's data, whose edge is carried on level",
                100 * fraction);
}
