#include "scene/surface/surface.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/path.h"
#include "ext/gdal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Posts farther apart show no roofs. */
#define SPACING_MAX_M 5.0

static const char *const height_sources[] = {"file", "default", "surface", "found"};

const char *rw_height_source_name(int height_from)
{
    return height_sources[height_from];
}

int rw_height_source_find(const char *name)
{
    for (int i = 0; name && i < (int)(sizeof height_sources / sizeof *height_sources); i++)
        if (strcmp(name, height_sources[i]) == 0)
            return i;
    return RW_HEIGHT_FROM_FILE;
}

/* As far as both the surface model and the terrain below it are known. */
static rw_status choose_surface_box(const rw_surface *surface, const rw_gdal_raster *raster, const char *path,
                                    double box[4])
{
    const rw_scene *scene = surface->scene;
    const rw_raster *ground = &scene->terrain;
    double extent[4];
    const double low[2] = {ground->x0_m + scene->origin.x, ground->y0_m + scene->origin.y};
    const double high[2] = {low[0] + (double)(ground->columns - 1) * ground->dx_m,
                            low[1] + (double)(ground->rows - 1) * ground->dy_m};
    rw_gdal_raster_extent(raster, extent);
    for (int i = 0; i < 2; i++) {
        box[i] = fmax(extent[i], low[i] - (i ? ground->dy_m : ground->dx_m));
        box[i + 2] = fmin(extent[i + 2], high[i] + (i ? ground->dy_m : ground->dx_m));
    }
    if (box[0] < box[2] && box[1] < box[3])
        return RW_OK;
    return rw_fail(
        scene->context, RW_BAD_INPUT,
        "%s lies elsewhere: it covers %.10g to %.10g, %.10g to %.10g, and the terrain %.10g to %.10g, %.10g to "
        "%.10g",
        path, extent[0], extent[2], extent[1], extent[3], low[0], high[0], low[1], high[1]);
}

static rw_status read_surface_posts(rw_surface *surface, const char *path)
{
    rw_scene *scene = surface->scene;
    rw_gdal_raster *raster;
    double box[4];
    char start[1];
    size_t got;
    RW_TRY(rw_file_peek(scene->context, path, start, sizeof start, &got)); /* a file that is missing, by its name */
    RW_TRY(rw_gdal_raster_open_highest(scene->context, path, &raster));
    const char *own = rw_gdal_raster_crs(raster), *crs = rw_scene_crs(scene);
    rw_status status = *own && *crs ? rw_gdal_raster_reproject(raster, crs) : RW_OK;
    if (status == RW_OK)
        status = choose_surface_box(surface, raster, path, box);
    if (status == RW_OK)
        status = rw_gdal_raster_read(raster, box, &surface->posts);
    rw_gdal_raster_close(raster);
    RW_TRY(status);
    surface->spacing_m = sqrt(surface->posts.dx_m * surface->posts.dy_m);
    if (surface->spacing_m > SPACING_MAX_M)
        return rw_fail(scene->context, RW_BAD_INPUT,
                       "%s has a post every %.3g m; a surface model needs one every %g m or less to show roofs", path,
                       surface->spacing_m, SPACING_MAX_M);
    return RW_OK;
}

/* Altitudes that nothing on land has are taken as ground. */
static rw_status subtract_ground(rw_surface *surface)
{
    const rw_raster *posts = &surface->posts;
    size_t count = posts->columns * posts->rows;
    rw_context *context = surface->scene->context;
    RW_TRY(rw_array_create(context, count, sizeof *surface->above_m, "a surface model", &surface->above_m));
    RW_TRY(rw_array_create(context, count, sizeof *surface->kinds, "a surface model", &surface->kinds));
    for (size_t row = 0; row < posts->rows; row++)
        for (size_t column = 0; column < posts->columns; column++) {
            size_t i = row * posts->columns + column;
            double ground_m = rw_scene_ground_m(surface->scene, rw_surface_post(surface, column, row));
            double above_m = (double)posts->values[i] - ground_m;
            int is_possible = above_m > -500 && above_m < 1000;
            surface->above_m[i] = is_possible ? (float)above_m : 0;
            surface->report.impossible += !is_possible;
        }
    surface->report.posts = count;
    surface->report.spacing_m = surface->spacing_m;
    return RW_OK;
}

/* Crowns become the scene's foliage; foliage of a file of its own stays. */
static rw_status set_crowns(rw_surface *surface)
{
    rw_raster crowns = surface->posts;
    size_t count = crowns.columns * crowns.rows, found = 0;
    for (size_t i = 0; i < count; i++) {
        int is_crown = surface->kinds[i] == RW_POST_CROWN;
        surface->above_m[i] = is_crown ? surface->above_m[i] : 0;
        found += is_crown;
    }
    surface->report.foliage_m2 = (double)found * crowns.dx_m * crowns.dy_m;
    if (!found || surface->scene->foliage.values)
        return RW_OK;
    crowns.values = surface->above_m;
    return rw_scene_set_foliage(surface->scene, &crowns);
}

static rw_status derive_scene(rw_surface *surface, const char *path)
{
    RW_TRY(read_surface_posts(surface, path));
    RW_TRY(subtract_ground(surface));
    RW_TRY(rw_surface_measure_roofs(surface));
    RW_TRY(rw_surface_classify(surface));
    RW_TRY(rw_surface_find_buildings(surface));
    return set_crowns(surface);
}

rw_status rw_scene_read_surface(rw_scene *scene, const char *path, rw_surface_report *report)
{
    rw_surface surface = {.scene = scene, .report = {.size = sizeof surface.report}};
    if (scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is committed and cannot be changed");
    if (!scene->terrain.values)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the surface model %s needs the terrain below it: --terrain DTM.tif", path);
    int is_within_load = scene->inputs.is_open;
    if (!is_within_load)
        rw_inputs_open(&scene->inputs);
    rw_status status = derive_scene(&surface, path);
    if (!is_within_load)
        rw_inputs_close(&scene->inputs);
    free(surface.posts.values);
    free(surface.above_m);
    free(surface.kinds);
    RW_TRY(status);
    scene->surface_report = surface.report;
    return report ? RW_ASSIGN(scene->context, &surface.report, report) : RW_OK;
}

rw_status rw_scene_get_surface_report(const rw_scene *scene, rw_surface_report *report)
{
    return RW_ASSIGN(scene->context, &scene->surface_report, report);
}
