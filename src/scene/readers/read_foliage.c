/* A file to the trees of a scene: a raster of their heights above ground, or polygons with a height each. */
#include "scene/readers/readers.h"

#include "base/file.h"
#include "base/memory.h"
#include "ext/gdal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_M 2.0            /* of polygons put on a raster */
#define CELLS_MAX 16e6        /* larger woods have larger cells */
#define DEFAULT_HEIGHT_M 15.0 /* of polygons that tell none: the trees that ITU-R P.833 measured */
#define UNBOUNDED_M 1e12

/* Polygons on their way to a raster. */
typedef struct woods {
    rw_scene *scene;
    rw_vector_file *file;
    int height_field;
    double box[4]; /* of all polygons, world */
    rw_raster raster;
    size_t without_height, count;
} woods;

/* Foliage elsewhere, often in another coordinate system, would change nothing. */
static rw_status check_overlap(const rw_scene *scene, const double box[4], const char *path)
{
    double extent[4];
    if (!rw_scene_find_input_extent(scene, extent) ||
        (box[0] <= extent[2] && box[2] >= extent[0] && box[1] <= extent[3] && box[3] >= extent[1]))
        return RW_OK;
    return rw_fail(
        scene->context, RW_BAD_INPUT,
        "%s lies elsewhere: it covers %.10g to %.10g, %.10g to %.10g, and the scene %.10g to %.10g, %.10g to %.10g",
        path, box[0], box[2], box[1], box[3], extent[0], extent[2], extent[1], extent[3]);
}

/* A ring's coordinates in the scene's system, where both are known. */
static rw_status transform_foliage_rings(const woods *new_woods, const rw_vector_shape *shape, double **xy,
                                         size_t *points)
{
    rw_context *context = new_woods->scene->context;
    const char *from = rw_vector_crs(new_woods->file), *to = rw_scene_crs(new_woods->scene);
    *points = 0;
    for (size_t i = 0; i < shape->ring_count; i++)
        *points += shape->ring_sizes[i];
    RW_TRY(rw_array_create(context, 2 * *points + 1, sizeof **xy, "foliage", xy));
    memcpy(*xy, shape->xy, 2 * *points * sizeof **xy);
    if (!*from || !*to)
        return RW_OK;
    return rw_gdal_transform(context, from, to, *xy, *points);
}

static void extend_foliage_box(woods *new_woods, const double *xy, size_t points)
{
    for (size_t i = 0; i < points; i++) {
        if (!isfinite(xy[2 * i]) || !isfinite(xy[2 * i + 1]))
            continue;
        new_woods->box[0] = fmin(new_woods->box[0], xy[2 * i]);
        new_woods->box[1] = fmin(new_woods->box[1], xy[2 * i + 1]);
        new_woods->box[2] = fmax(new_woods->box[2], xy[2 * i]);
        new_woods->box[3] = fmax(new_woods->box[3], xy[2 * i + 1]);
    }
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Where a row's line crosses the rings of a polygon, in order. crossings has room for all of its points. */
static size_t cross_row(const double *xy, const size_t *sizes, size_t rings, double y, double *crossings)
{
    size_t count = 0;
    for (size_t r = 0; r < rings; xy += 2 * sizes[r], r++)
        for (size_t i = 0; i < sizes[r]; i++) {
            const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % sizes[r]);
            if ((a[1] <= y) != (b[1] <= y))
                crossings[count++] = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        }
    qsort(crossings, count, sizeof *crossings, by_value);
    return count;
}

/* Marks the cells whose centres are inside (even-odd); where polygons overlap, the higher trees count. */
static rw_status rasterise_polygon(woods *new_woods, const double *xy, const size_t *sizes, size_t rings,
                                   float height_m)
{
    rw_raster *raster = &new_woods->raster;
    size_t points = 0;
    double *crossings;
    for (size_t r = 0; r < rings; r++)
        points += sizes[r];
    RW_TRY(rw_array_create(new_woods->scene->context, points + 1, sizeof *crossings, "foliage", &crossings));
    for (size_t row = 0; row < raster->rows; row++) {
        size_t count = cross_row(xy, sizes, rings, raster->y0_m + (double)row * raster->dy_m, crossings);
        for (size_t i = 0; i + 1 < count; i += 2) {
            double first = ceil((crossings[i] - raster->x0_m) / raster->dx_m);
            double last = floor((crossings[i + 1] - raster->x0_m) / raster->dx_m);
            for (double column = fmax(first, 0); column <= fmin(last, (double)raster->columns - 1); column++) {
                float *cell = &raster->values[row * raster->columns + (size_t)column];
                *cell = fmaxf(*cell, height_m);
            }
        }
    }
    free(crossings);
    return RW_OK;
}

/* One feature: only measured while there is no raster yet. */
static rw_status add_foliage_feature(woods *new_woods)
{
    rw_vector_shape shape;
    double *xy = NULL, height_m = DEFAULT_HEIGHT_M;
    size_t points;
    RW_TRY(rw_vector_polygons(new_woods->file, &shape));
    if (shape.polygon_count == 0)
        return RW_OK;
    int has_height = new_woods->height_field >= 0 &&
                     rw_vector_real(new_woods->file, new_woods->height_field, &height_m) && height_m > 0;
    rw_status status = transform_foliage_rings(new_woods, &shape, &xy, &points);
    if (status == RW_OK && !new_woods->raster.values) {
        new_woods->count++;
        new_woods->without_height += !has_height;
        extend_foliage_box(new_woods, xy, points);
    } else if (status == RW_OK) {
        const double *at = xy;
        for (size_t p = 0; p < shape.polygon_count && status == RW_OK; p++) {
            size_t first = shape.polygon_first[p], rings = shape.polygon_first[p + 1] - first;
            status = rasterise_polygon(new_woods, at, shape.ring_sizes + first, rings,
                                       (float)(has_height ? height_m : DEFAULT_HEIGHT_M));
            for (size_t r = 0; r < rings; r++)
                at += 2 * shape.ring_sizes[first + r];
        }
    }
    free(xy);
    return status;
}

static rw_status add_foliage_features(woods *new_woods)
{
    for (size_t layer = 0; layer < rw_vector_layer_count(new_woods->file); layer++) {
        if (!rw_vector_layer_has_shapes(new_woods->file, layer))
            continue;
        RW_TRY(rw_vector_select(new_woods->file, layer));
        new_woods->height_field = rw_vector_find_field(new_woods->file, "height");
        for (int more = 1;;) {
            RW_TRY(rw_vector_next(new_woods->file, &more));
            if (!more)
                break;
            RW_TRY(add_foliage_feature(new_woods));
        }
    }
    return RW_OK;
}

static rw_status create_foliage_raster(woods *new_woods)
{
    double width = new_woods->box[2] - new_woods->box[0], depth = new_woods->box[3] - new_woods->box[1];
    double cell_m = fmax(CELL_M, sqrt(width * depth / CELLS_MAX));
    rw_raster *raster = &new_woods->raster;
    *raster = (rw_raster){.size = sizeof *raster,
                          .columns = (size_t)ceil(width / cell_m) + 1,
                          .rows = (size_t)ceil(depth / cell_m) + 1,
                          .x0_m = new_woods->box[0] + 0.5 * cell_m,
                          .y0_m = new_woods->box[1] + 0.5 * cell_m,
                          .dx_m = cell_m,
                          .dy_m = cell_m};
    return rw_array_create(new_woods->scene->context, raster->columns * raster->rows, sizeof *raster->values, "foliage",
                           &raster->values);
}

static rw_status read_polygons(rw_scene *scene, rw_vector_file *file, const char *path)
{
    woods new_woods = {.scene = scene, .file = file, .box = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
    RW_TRY(add_foliage_features(&new_woods));
    if (!new_woods.count || !(new_woods.box[0] < new_woods.box[2]))
        return rw_fail(scene->context, RW_BAD_INPUT, "%s has no polygon of trees", path);
    RW_TRY(check_overlap(scene, new_woods.box, path));
    if (new_woods.without_height)
        RW_TRY(rw_scene_note(scene, "foliage without a field height, taken as 15 m", path));
    rw_status status = create_foliage_raster(&new_woods);
    if (status == RW_OK)
        status = add_foliage_features(&new_woods);
    if (status == RW_OK)
        status = rw_scene_set_foliage(scene, &new_woods.raster);
    free(new_woods.raster.values);
    return status;
}

static rw_status read_foliage_raster(rw_scene *scene, const char *path)
{
    rw_gdal_raster *opened;
    rw_raster heights;
    const double all[4] = {-UNBOUNDED_M, -UNBOUNDED_M, UNBOUNDED_M, UNBOUNDED_M};
    RW_TRY(rw_gdal_raster_open(scene->context, path, &opened));
    int has_both_crs = *rw_gdal_raster_crs(opened) && *rw_scene_crs(scene);
    rw_status status = rw_gdal_raster_reproject(opened, has_both_crs ? rw_scene_crs(scene) : NULL);
    if (status == RW_OK)
        status = rw_gdal_raster_read(opened, all, &heights);
    rw_gdal_raster_close(opened);
    RW_TRY(status);
    const double box[4] = {heights.x0_m, heights.y0_m, heights.x0_m + heights.dx_m * (double)heights.columns,
                           heights.y0_m + heights.dy_m * (double)heights.rows};
    status = check_overlap(scene, box, path);
    if (status == RW_OK)
        status = rw_scene_set_foliage(scene, &heights);
    free(heights.values);
    return status;
}

static rw_status read_foliage_file(rw_scene *scene, const char *path)
{
    char start[1];
    size_t got;
    rw_vector_file *file;
    RW_TRY(rw_file_peek(scene->context, path, start, sizeof start, &got));
    if (rw_gdal_is_raster(path))
        return read_foliage_raster(scene, path);
    RW_TRY(rw_vector_open(scene->context, path, &file));
    rw_status status = read_polygons(scene, file, path);
    rw_vector_close(file);
    return status;
}

rw_status rw_scene_read_foliage(rw_scene *scene, const char *path)
{
    int is_within_load = scene->inputs.is_open; /* rw_scene_load records already */
    if (!is_within_load)
        rw_inputs_open(&scene->inputs);
    rw_status status = read_foliage_file(scene, path);
    if (!is_within_load)
        rw_inputs_close(&scene->inputs);
    return status;
}
