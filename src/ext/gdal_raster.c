/* Height rasters through GDAL: formats of a closed list, reprojected where asked, read as posts at pixel centres from
 * the south. */
#include "ext/gdal_internal.h"

#include "base/inputs.h"
#include "base/memory.h"

#include <gdal_utils.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rw_gdal_raster {
    rw_context *context;
    char path[4096];
    char points[4096];          /* temporary raster of a point cloud; "": none */
    GDALDatasetH source, shown; /* shown: the source, or its reprojection */
    char *crs;
    double transform[6];
    double scale, offset;
    rw_gdal_guard guard;
};

static void read_raster_geometry(rw_gdal_raster *raster, GDALDatasetH dataset)
{
    raster->shown = dataset;
    if (GDALGetGeoTransform(dataset, raster->transform) == CE_None)
        return;
    /* Without a position of its own: a metre to a pixel, from the origin. */
    const double identity[6] = {0, 1, 0, GDALGetRasterYSize(dataset), 0, -1};
    memcpy(raster->transform, identity, sizeof identity);
}

static void open_source(rw_gdal_raster *raster)
{
    raster->source = rw_gdal_open_raster(*raster->points ? raster->points : raster->path);
    if (!raster->source || GDALGetRasterCount(raster->source) < 1)
        return;
    GDALRasterBandH band = GDALGetRasterBand(raster->source, 1);
    int has = 0;
    raster->scale = GDALGetRasterScale(band, &has);
    if (!has || raster->scale == 0)
        raster->scale = 1;
    raster->offset = GDALGetRasterOffset(band, &has);
    if (!has)
        raster->offset = 0;
    raster->crs = rw_gdal_crs_wkt(GDALGetSpatialRef(raster->source));
    read_raster_geometry(raster, raster->source);
}

static rw_status open_raster(rw_context *context, const char *path, int only_ground, rw_gdal_raster **out)
{
    rw_gdal_raster *raster;
    char message[420];
    *out = NULL;
    if (strlen(path) >= sizeof raster->path)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    RW_TRY(rw_array_create(context, 1, sizeof *raster, "a raster", &raster));
    raster->context = context;
    strcpy(raster->path, path);
    rw_status status =
        rw_gdal_is_point_cloud(path) ? rw_gdal_points_rasterise(context, path, only_ground, raster->points) : RW_OK;
    if (status != RW_OK) {
        rw_gdal_raster_close(raster);
        return status;
    }
    rw_gdal_enter(&raster->guard);
    open_source(raster);
    rw_gdal_leave();
    if (!raster->shown) {
        rw_fail(context, RW_BAD_INPUT, "%s cannot be read as a raster of heights%s", path,
                rw_gdal_last_message(&raster->guard, message));
        rw_gdal_raster_close(raster);
        return RW_BAD_INPUT;
    }
    status = *raster->points ? rw_input_record(context, path) : rw_gdal_record_inputs(context, raster->source);
    if (status != RW_OK)
        rw_gdal_raster_close(raster);
    else
        *out = raster;
    return status;
}

rw_status rw_gdal_raster_open(rw_context *context, const char *path, rw_gdal_raster **out)
{
    return open_raster(context, path, 1, out);
}

rw_status rw_gdal_raster_open_highest(rw_context *context, const char *path, rw_gdal_raster **out)
{
    return open_raster(context, path, 0, out);
}

void rw_gdal_raster_close(rw_gdal_raster *raster)
{
    if (!raster)
        return;
    rw_gdal_enter(&raster->guard);
    if (raster->shown && raster->shown != raster->source)
        GDALClose(raster->shown);
    if (raster->source)
        GDALClose(raster->source);
    rw_gdal_leave();
    rw_gdal_points_remove(raster->points);
    CPLFree(raster->crs);
    free(raster);
}

const char *rw_gdal_raster_crs(const rw_gdal_raster *raster)
{
    return raster->crs;
}

/* A virtual raster that is computed where it is read; unknown heights and the outside are NaN. */
static GDALDatasetH build_warped_raster(rw_gdal_raster *raster, const char *target_crs)
{
    const char *turned[] = {"-of", "VRT",      "-ovr",       "NONE", "-ot", "Float32",
                            "-r",  "bilinear", "-dstnodata", "nan",  NULL};
    const char *moved[] = {"-of",      "VRT",        "-ovr", "NONE",   "-ot",      "Float32", "-r",
                           "bilinear", "-dstnodata", "nan",  "-t_srs", target_crs, NULL};
    GDALWarpAppOptions *options = GDALWarpAppOptionsNew((char **)(target_crs ? moved : turned), NULL);
    if (!options)
        return NULL;
    int wrong = 0;
    GDALDatasetH new_return = GDALWarp("", NULL, 1, &raster->source, options, &wrong);
    GDALWarpAppOptionsFree(options);
    return new_return;
}

rw_status rw_gdal_raster_reproject(rw_gdal_raster *raster, const char *target_crs)
{
    int is_turned = raster->transform[2] != 0 || raster->transform[4] != 0, is_same = 1;
    if (target_crs && raster->crs[0])
        RW_TRY(rw_gdal_crs_is_same(raster->context, raster->crs, target_crs, &is_same));
    if (is_same && !is_turned)
        return RW_OK;
    char message[420];
    rw_gdal_enter(&raster->guard);
    GDALDatasetH made = build_warped_raster(raster, is_same ? NULL : target_crs);
    if (made)
        read_raster_geometry(raster, made);
    rw_gdal_leave();
    if (!made)
        return rw_fail(raster->context, RW_BAD_INPUT, "%s cannot be brought into the coordinate system %.80s%s",
                       raster->path, target_crs ? target_crs : "of its own",
                       rw_gdal_last_message(&raster->guard, message));
    return RW_OK;
}

void rw_gdal_raster_extent(const rw_gdal_raster *raster, double extent[4])
{
    const double *t = raster->transform;
    double x0 = t[0], x1 = t[0] + t[1] * GDALGetRasterXSize(raster->shown);
    double y0 = t[3], y1 = t[3] + t[5] * GDALGetRasterYSize(raster->shown);
    extent[0] = fmin(x0, x1);
    extent[1] = fmin(y0, y1);
    extent[2] = fmax(x0, x1);
    extent[3] = fmax(y0, y1);
}

/* Pixels of one axis between two coordinates, with one more to each side, inside 0 .. count. */
static void pixel_range(double start, double step, int count, double low, double high, int *first, int *number)
{
    double a = (low - start) / step, b = (high - start) / step;
    double from = fmin(fmax(floor(fmin(a, b)) - 1, 0), count), to = fmin(fmax(ceil(fmax(a, b)) + 1, 0), count);
    *first = (int)from;
    *number = (int)(to - from);
}

static void tidy_values(const rw_gdal_raster *raster, rw_raster *heights)
{
    int has_nodata = 0;
    float nodata = (float)GDALGetRasterNoDataValue(GDALGetRasterBand(raster->shown, 1), &has_nodata);
    size_t count = heights->columns * heights->rows;
    for (size_t i = 0; i < count; i++) {
        float value = heights->values[i];
        int is_valid = isfinite(value) && !(has_nodata && value == nodata);
        heights->values[i] = is_valid ? (float)(value * raster->scale + raster->offset) : NAN;
    }
}

static void flip_rows(rw_raster *heights)
{
    for (size_t low = 0, high = heights->rows - 1; low < high; low++, high--)
        for (size_t column = 0; column < heights->columns; column++) {
            float *a = heights->values + low * heights->columns + column;
            float *b = heights->values + high * heights->columns + column;
            float swapped = *a;
            *a = *b;
            *b = swapped;
        }
}

double rw_gdal_raster_pixel_m2(const rw_gdal_raster *raster)
{
    return fabs(raster->transform[1] * raster->transform[5]);
}

rw_status rw_gdal_raster_read(rw_gdal_raster *raster, const double box[4], rw_raster *heights)
{
    const double *t = raster->transform;
    int column, columns, row, rows;
    pixel_range(t[0], t[1], GDALGetRasterXSize(raster->shown), box[0], box[2], &column, &columns);
    pixel_range(t[3], t[5], GDALGetRasterYSize(raster->shown), box[1], box[3], &row, &rows);
    *heights = (rw_raster){.size = sizeof *heights};
    if (columns < 2 || rows < 2)
        return rw_fail(raster->context, RW_BAD_INPUT, "%s has %d x %d heights there; at least 2 x 2 are needed",
                       raster->path, columns > 0 ? columns : 0, rows > 0 ? rows : 0);
    heights->columns = (size_t)columns;
    heights->rows = (size_t)rows;
    RW_TRY(rw_array_create(raster->context, heights->columns * heights->rows, sizeof *heights->values, raster->path,
                           &heights->values));
    char message[420];
    rw_gdal_enter(&raster->guard);
    CPLErr error = GDALRasterIO(GDALGetRasterBand(raster->shown, 1), GF_Read, column, row, columns, rows,
                                heights->values, columns, rows, GDT_Float32, 0, 0);
    rw_gdal_leave();
    if (error != CE_None) {
        free(heights->values);
        heights->values = NULL;
        return rw_fail(raster->context, RW_BAD_INPUT, "%s is damaged%s", raster->path,
                       rw_gdal_last_message(&raster->guard, message));
    }
    tidy_values(raster, heights);
    heights->dx_m = fabs(t[1]);
    heights->dy_m = fabs(t[5]);
    heights->x0_m = t[0] + (column + 0.5) * t[1];
    heights->y0_m = t[3] + (t[5] < 0 ? row + rows - 0.5 : row + 0.5) * t[5];
    if (t[5] < 0)
        flip_rows(heights);
    return RW_OK;
}
