/* Terrain from any bytes, in place of a raster that GDAL would read: "columns rows x0 y0 dx dy" and heights, as
 * numbers. What is taken lies under a house on which a few points are predicted. */
#include "target.h"

#include "ext/gdal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POSTS_MAX 4096.0

struct rw_gdal_raster {
    double columns, rows, x0_m, y0_m, dx_m, dy_m;
};

static char *text_of_input;

static double next_number(const char **at, double otherwise)
{
    char *end;
    double number = strtod(*at, &end);
    number = end == *at ? otherwise : number;
    *at = end == *at ? *at : end;
    return number;
}

static const char *read_frame(struct rw_gdal_raster *raster)
{
    const char *at = text_of_input;
    raster->columns = floor(next_number(&at, 2));
    raster->rows = floor(next_number(&at, 2));
    raster->x0_m = next_number(&at, 0);
    raster->y0_m = next_number(&at, 0);
    raster->dx_m = next_number(&at, 10);
    raster->dy_m = next_number(&at, 10);
    return at;
}

rw_status __wrap_rw_gdal_raster_open(rw_context *context, const char *path, rw_gdal_raster **raster);
rw_status __wrap_rw_gdal_raster_open(rw_context *context, const char *path, rw_gdal_raster **raster)
{
    static struct rw_gdal_raster made;
    (void)path;
    read_frame(&made);
    *raster = &made;
    if (!(made.columns >= 1 && made.rows >= 1 && made.columns * made.rows <= POSTS_MAX))
        return rw_fail(context, RW_BAD_INPUT, "the raster of the input is too large or empty");
    return RW_OK;
}

const char *__wrap_rw_gdal_raster_crs(const rw_gdal_raster *raster);
const char *__wrap_rw_gdal_raster_crs(const rw_gdal_raster *raster)
{
    (void)raster;
    return "";
}

rw_status __wrap_rw_gdal_raster_reproject(rw_gdal_raster *raster, const char *target_crs);
rw_status __wrap_rw_gdal_raster_reproject(rw_gdal_raster *raster, const char *target_crs)
{
    (void)raster, (void)target_crs;
    return RW_OK;
}

void __wrap_rw_gdal_raster_extent(const rw_gdal_raster *raster, double extent[4]);
void __wrap_rw_gdal_raster_extent(const rw_gdal_raster *raster, double extent[4])
{
    extent[0] = raster->x0_m;
    extent[1] = raster->y0_m;
    extent[2] = raster->x0_m + raster->columns * raster->dx_m;
    extent[3] = raster->y0_m + raster->rows * raster->dy_m;
}

rw_status __wrap_rw_gdal_raster_read(rw_gdal_raster *raster, const double box[4], rw_raster *heights);
rw_status __wrap_rw_gdal_raster_read(rw_gdal_raster *raster, const double box[4], rw_raster *heights)
{
    (void)box;
    const char *at = read_frame(raster);
    *heights = (rw_raster){.size = sizeof *heights,
                           .columns = (size_t)raster->columns,
                           .rows = (size_t)raster->rows,
                           .x0_m = raster->x0_m,
                           .y0_m = raster->y0_m,
                           .dx_m = raster->dx_m,
                           .dy_m = raster->dy_m};
    heights->values = calloc(heights->columns * heights->rows, sizeof *heights->values);
    if (!heights->values)
        exit(1);
    for (size_t i = 0; i < heights->columns * heights->rows; i++)
        heights->values[i] = (float)next_number(&at, 0);
    return RW_OK;
}

void __wrap_rw_gdal_raster_close(rw_gdal_raster *raster);
void __wrap_rw_gdal_raster_close(rw_gdal_raster *raster)
{
    (void)raster;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const double outline[] = {10, 10, 25, 10, 25, 22, 10, 22};
    const size_t ring = 4;
    rw_building building = {
        .size = sizeof building, .xy = outline, .ring_sizes = &ring, .ring_count = 1, .roof_height_m = 12};
    rw_scene *scene;
    text_of_input = calloc(size + 1, 1);
    if (!text_of_input || rw_scene_create(fuzz_context(), &scene) != RW_OK)
        exit(1);
    memcpy(text_of_input, bytes, size);
    if (size % 2 == 0 && rw_scene_add_building(scene, &building) != RW_OK)
        abort();
    fuzz_check(rw_scene_read_terrain(scene, fuzz_write("terrain.tif", (const uint8_t *)"terrain", 7)));
    fuzz_use_scene(scene);
    fuzz_remove("terrain.tif");
    free(text_of_input);
    return 0;
}
