/* A raster file to the scene's terrain: brought into the scene's coordinate system, and cut to the scene's extent and
 * as much of its surroundings as a budget of posts allows: maps, transmitters and hills reach beyond the buildings. */
#include "scene/readers/readers.h"

#include "base/file.h"
#include "base/memory.h"
#include "scene/readers/gis/gis.h"

#include <math.h>
#include <stdlib.h>

/* Ground beyond the outermost object, which is there in any case, and the most. */
#define MARGIN_M 200.0
#define MARGIN_MAX_M 300e3
/* Posts that are read beyond that: 60 x 60 km of one every 30 m. */
#define POSTS_MAX 4e6

static void extend_box(double box[4], rw_vec2 point)
{
    box[0] = fmin(box[0], point.x);
    box[1] = fmin(box[1], point.y);
    box[2] = fmax(box[2], point.x);
    box[3] = fmax(box[3], point.y);
}

int rw_scene_find_input_extent(const rw_scene *scene, double box[4])
{
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (size_t i = 0; i < scene->points.count; i++)
        extend_box(box, scene->points.items[i]);
    for (size_t i = 0; i < scene->panels.count; i++) {
        extend_box(box, scene->panels.items[i].p0);
        extend_box(box, scene->panels.items[i].p1);
    }
    for (size_t i = 0; i < scene->vertices.count; i++)
        extend_box(box, rw_vec2_of(scene->vertices.items[i].x, scene->vertices.items[i].y));
    if (!(box[0] <= box[2]))
        return 0;
    box[0] += scene->origin.x;
    box[1] += scene->origin.y;
    box[2] += scene->origin.x;
    box[3] += scene->origin.y;
    return 1;
}

/* Where the scene has no coordinate system, the terrain's becomes its own. */
static rw_status adopt_crs(rw_scene *scene, const rw_gdal_raster *raster, const char *path, int has_objects)
{
    const char *own = rw_gdal_raster_crs(raster);
    rw_gdal_crs_about about;
    double extent[4];
    char utm[RW_CRS_CODE_MAX];
    rw_gdal_raster_extent(raster, extent);
    RW_TRY(rw_gis_find_utm(scene->context, own, 0.5 * (extent[0] + extent[2]), 0.5 * (extent[1] + extent[3]), &about,
                           utm));
    if (!*utm && has_objects)
        RW_TRY(rw_scene_note(scene, "the scene tells no coordinate system; the terrain's is taken", about.name));
    if (!*utm)
        return rw_scene_set_crs(scene, own);
    if (has_objects)
        return rw_fail(scene->context, RW_BAD_INPUT,
                       "%s is in %s, and the scene tells no coordinate system to bring it into; give one (EPSG:n)",
                       path, about.name);
    RW_TRY(rw_scene_note(scene, "terrain brought into UTM metres", utm));
    return rw_scene_set_crs(scene, utm);
}

static rw_status match_crs(rw_scene *scene, rw_gdal_raster *raster, const char *path, int has_objects)
{
    const char *own = rw_gdal_raster_crs(raster);
    if (!*own && *rw_scene_crs(scene))
        RW_TRY(rw_scene_note(scene, "the terrain tells no coordinate system; the scene's is taken", path));
    if (*own && !*rw_scene_crs(scene))
        RW_TRY(adopt_crs(scene, raster, path, has_objects));
    return rw_gdal_raster_reproject(raster, *rw_scene_crs(scene) ? rw_scene_crs(scene) : NULL);
}

/* A box with a margin, within the raster; and how many posts it holds. */
static double widen_box(const rw_gdal_raster *raster, const double box[4], double margin_m, double wide[4])
{
    double extent[4];
    rw_gdal_raster_extent(raster, extent);
    for (int i = 0; i < 2; i++) {
        wide[i] = fmax(box[i] - margin_m, extent[i]);
        wide[i + 2] = fmin(box[i + 2] + margin_m, extent[i + 2]);
    }
    return fmax(wide[2] - wide[0], 0) * fmax(wide[3] - wide[1], 0) / rw_gdal_raster_pixel_m2(raster);
}

/* The largest margin with so many posts, by bisection. */
static void include_surroundings(const rw_gdal_raster *raster, double box[4])
{
    double wide[4], low_m = MARGIN_M, high_m = MARGIN_MAX_M;
    for (int step = 0; step < 40 && high_m - low_m > 1; step++) {
        double middle_m = step ? 0.5 * (low_m + high_m) : high_m; /* mostly the whole raster */
        if (widen_box(raster, box, middle_m, wide) <= POSTS_MAX)
            low_m = middle_m;
        else
            high_m = middle_m;
    }
    for (int i = 0; i < 2; i++) {
        box[i] -= low_m;
        box[i + 2] += low_m;
    }
}

/* Grows a box by the area that was asked for, as far as the raster reaches; straight sides of another coordinate system
 * are curved here, so that points along them are taken. */
static rw_status include_requested_area(const rw_scene *scene, const double extent[4], double box[4])
{
    enum { along = 16 };
    const double *area = scene->terrain_area_m, width_m = area[2] - area[0], depth_m = area[3] - area[1];
    double xy[8 * along], wide[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    if (!(width_m > 0 && depth_m > 0))
        return RW_OK;
    for (int i = 0; i < 4 * along; i++) {
        double fraction = (double)(i % along) / (along - 1);
        int side = i / along;
        xy[2 * i] = area[0] + width_m * (side < 2 ? fraction : side - 2);
        xy[2 * i + 1] = area[1] + depth_m * (side < 2 ? side : fraction);
    }
    if (scene->terrain_area_crs && *rw_scene_crs(scene))
        RW_TRY(
            rw_transform_points(scene->context, scene->terrain_area_crs, rw_scene_crs(scene), xy, (size_t)4 * along));
    for (int i = 0; i < 4 * along; i++)
        extend_box(wide, rw_vec2_of(xy[2 * i], xy[2 * i + 1]));
    for (int i = 0; i < 2; i++) {
        box[i] = fmin(box[i], fmax(wide[i], extent[i]));
        box[i + 2] = fmax(box[i + 2], fmin(wide[i + 2], extent[i + 2]));
    }
    return RW_OK;
}

/* The box to read: the scene's, an area and what is round both, or the whole raster. */
static rw_status choose_box(rw_scene *scene, const rw_gdal_raster *raster, const char *path, int has_objects,
                            double box[4])
{
    double extent[4];
    rw_gdal_raster_extent(raster, extent);
    if (!has_objects) {
        for (int i = 0; i < 4; i++)
            box[i] = extent[i];
        return RW_OK;
    }
    if (box[0] > extent[2] || box[2] < extent[0] || box[1] > extent[3] || box[3] < extent[1])
        return rw_fail(
            scene->context, RW_BAD_INPUT,
            "%s lies elsewhere: it covers %.10g to %.10g, %.10g to %.10g, and the scene %.10g to %.10g, %.10g to %.10g",
            path, extent[0], extent[2], extent[1], extent[3], box[0], box[2], box[1], box[3]);
    if (box[0] < extent[0] || box[2] > extent[2] || box[1] < extent[1] || box[3] > extent[3])
        RW_TRY(rw_scene_note(scene, "terrain does not reach the whole scene; its edge is carried on", path));
    RW_TRY(include_requested_area(scene, extent, box));
    include_surroundings(raster, box);
    return RW_OK;
}

/* Altitudes on land: the shore of the Dead Sea is at -430 m, the highest summit at 8849 m. */
#define GROUND_MIN_M -500.0F
#define GROUND_MAX_M 9000.0F

/* Posts that no ground can have, such as -32768 without a tag for nodata, are filled from their neighbours. */
static rw_status fill_impossible_posts(rw_scene *scene, rw_raster *heights, const char *path)
{
    size_t count = heights->columns * heights->rows, impossible = 0;
    uint8_t *unknown;
    RW_TRY(rw_array_create(scene->context, count, sizeof *unknown, "terrain", &unknown));
    for (size_t i = 0; i < count; i++) {
        unknown[i] = heights->values[i] < GROUND_MIN_M || heights->values[i] > GROUND_MAX_M;
        impossible += unknown[i];
    }
    rw_status status = RW_OK;
    if (impossible == count)
        status = rw_fail(scene->context, RW_BAD_INPUT, "%s has no altitude between %g and %g m: are they metres?", path,
                         (double)GROUND_MIN_M, (double)GROUND_MAX_M);
    else if (impossible) {
        rw_raster_fill_unknown(heights->values, unknown, heights->columns, heights->rows);
        rw_warn(
            scene->context,
            "%s: %zu posts below %g m or above %g m are holes without a tag for nodata, filled from their neighbours",
            path, impossible, (double)GROUND_MIN_M, (double)GROUND_MAX_M);
    }
    free(unknown);
    return status;
}

static rw_status read_terrain_raster(rw_scene *scene, rw_gdal_raster *raster, const char *path)
{
    double box[4];
    int has_objects = rw_scene_find_input_extent(scene, box);
    RW_TRY(match_crs(scene, raster, path, has_objects));
    RW_TRY(choose_box(scene, raster, path, has_objects, box));
    rw_raster heights;
    RW_TRY(rw_gdal_raster_read(raster, box, &heights));
    rw_status status = fill_impossible_posts(scene, &heights, path);
    if (status == RW_OK)
        status = rw_scene_set_terrain(scene, &heights);
    free(heights.values);
    return status;
}

static rw_status read_terrain_file(rw_scene *scene, const char *path)
{
    char start[1];
    size_t got;
    RW_TRY(rw_file_peek(scene->context, path, start, sizeof start, &got));
    rw_gdal_raster *raster;
    RW_TRY(rw_gdal_raster_open(scene->context, path, &raster));
    rw_status status = read_terrain_raster(scene, raster, path);
    rw_gdal_raster_close(raster);
    return status;
}

rw_status rw_scene_read_terrain(rw_scene *scene, const char *path)
{
    int is_within_load = scene->inputs.is_open; /* rw_scene_load records already */
    if (!is_within_load)
        rw_inputs_open(&scene->inputs);
    rw_status status = read_terrain_file(scene, path);
    if (!is_within_load)
        rw_inputs_close(&scene->inputs);
    return status;
}
