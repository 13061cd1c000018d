/* Floor plans from lines of any GIS file: a column names the material, others storey, thickness and altitudes. */

#include "scene/readers/gis/gis.h"
#include "scene/readers/floor_plans/floor_plan.h"

#include <math.h>
#include <stdio.h>

#define LOOK_AT 200       /* features that decide what a file is */
#define PLAN_DEGREES 0.02 /* no building is wider: coordinates that spread more are metres */

/* Shapes of the first features: lines, polygons. */
static rw_status count_shapes(rw_vector_file *file, size_t *lines, size_t *polygons)
{
    *lines = *polygons = 0;
    for (size_t layer = 0; layer < rw_vector_layer_count(file); layer++) {
        int more = 1;
        if (!rw_vector_layer_has_shapes(file, layer))
            continue;
        RW_TRY(rw_vector_select(file, layer));
        while (*lines + *polygons < LOOK_AT) {
            rw_vector_shape shape;
            RW_TRY(rw_vector_next(file, &more));
            if (!more)
                break;
            RW_TRY(rw_vector_line(file, &shape));
            *lines += shape.ring_count > 0;
            RW_TRY(rw_vector_polygons(file, &shape));
            *polygons += shape.polygon_count > 0;
        }
    }
    return RW_OK;
}

rw_status rw_plan_is(rw_vector_file *file, int *is)
{
    size_t lines = 0, polygons = 0;
    *is = 0;
    if (rw_vector_is_osm(file))
        return RW_OK;
    RW_TRY(count_shapes(file, &lines, &polygons));
    *is = lines > 0 && polygons == 0;
    return RW_OK;
}

typedef struct plan_columns {
    int material, thickness, storey, bottom, top;
} plan_columns;

static int find_plan_field(const rw_vector_file *file, const char *const *names)
{
    for (; *names; names++)
        if (rw_vector_find_field(file, *names) >= 0)
            return rw_vector_find_field(file, *names);
    return -1;
}

static plan_columns find_plan_columns(const rw_vector_file *file)
{
    return (plan_columns){
        find_plan_field(file, (const char *const[]){"material", "slab", "surface", "wall_type", "layer", "type", NULL}),
        find_plan_field(file, (const char *const[]){"thickness_m", "thickness", NULL}),
        find_plan_field(file, (const char *const[]){"storey", "floor", "level", NULL}),
        find_plan_field(file, (const char *const[]){"z_bottom_m", "bottom_m", "z_bottom", NULL}),
        find_plan_field(file, (const char *const[]){"z_top_m", "top_m", "z_top", NULL})};
}

static double real_or_nan(rw_vector_file *file, int column)
{
    double value;
    return column >= 0 && rw_vector_real(file, column, &value) ? value : NAN;
}

/* Extent of a layer's lines: whether degrees can be meant. */
static rw_status measure_spread(rw_vector_file *file, double *spread)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int more = 1;;) {
        rw_vector_shape shape;
        RW_TRY(rw_vector_next(file, &more));
        if (!more)
            break;
        RW_TRY(rw_vector_line(file, &shape));
        for (size_t i = 0; shape.ring_count && i < 2 * shape.ring_sizes[0]; i++) {
            low[i & 1] = fmin(low[i & 1], shape.xy[i]);
            high[i & 1] = fmax(high[i & 1], shape.xy[i]);
        }
    }
    *spread = fmax(high[0] - low[0], high[1] - low[1]);
    return RW_OK;
}

static rw_status add_plan_feature(rw_scene *scene, rw_vector_file *file, const plan_columns *columns, const char *crs,
                                  const char *layer)
{
    rw_vector_shape shape;
    char source[160];
    RW_TRY(rw_vector_line(file, &shape));
    snprintf(source, sizeof source, "feature %lld of layer %.80s", rw_vector_feature_id(file), layer);
    if (shape.ring_count == 0)
        return rw_scene_note(scene, "features without a line left out", source);
    const char *material = columns->material >= 0 ? rw_vector_string(file, columns->material) : NULL;
    rw_plan_wall wall = {material ? material : "",           real_or_nan(file, columns->thickness),
                         real_or_nan(file, columns->storey), real_or_nan(file, columns->bottom),
                         real_or_nan(file, columns->top),    source};
    double *xy = (double *)(uintptr_t)shape.xy; /* of the file, until the next feature */
    if (*crs)
        RW_TRY(rw_gis_transform_to_scene(scene, crs, layer, xy, shape.ring_sizes[0]));
    return rw_plan_add_line(scene, xy, shape.ring_sizes[0], 0, &wall);
}

static rw_status add_layer(rw_scene *scene, rw_vector_file *file, size_t layer, const char *user_crs)
{
    double spread = 0;
    const char *name = rw_vector_layer_name(file, layer);
    RW_TRY(rw_vector_select(file, layer));
    RW_TRY(measure_spread(file, &spread));
    RW_TRY(rw_vector_select(file, layer));
    const char *crs = user_crs ? user_crs : rw_vector_crs(file);
    rw_gdal_crs_about about = {0};
    if (*crs)
        RW_TRY(rw_gdal_crs_describe(scene->context, crs, &about));
    if (*crs && about.geographic && spread > PLAN_DEGREES) {
        RW_TRY(rw_scene_note(scene, "a plan wider than any building in degrees taken as metres", name));
        crs = "";
    }
    plan_columns columns = find_plan_columns(file);
    for (int more = 1;;) {
        RW_TRY(rw_vector_next(file, &more));
        if (!more)
            return RW_OK;
        RW_TRY(add_plan_feature(scene, file, &columns, crs, name));
    }
}

rw_status rw_plan_read_lines(rw_scene *scene, rw_vector_file *file, const rw_load_options *options)
{
    for (size_t layer = 0; layer < rw_vector_layer_count(file); layer++)
        if (rw_vector_layer_has_shapes(file, layer))
            RW_TRY(add_layer(scene, file, layer, options->crs));
    return rw_plan_add_floors(scene);
}
