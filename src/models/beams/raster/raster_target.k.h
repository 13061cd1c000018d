/* Where rasterised things go: targets of one, two or three dimensions, with several values a pixel and three ways to
 * put a value into one.
 *
 * Every way gives the same result in whatever order the primitives come: sums are of whole numbers, the least is
 * unique, and of values that replace each other the one of the last primitive stays. */
#ifndef RW_MODELS_BEAMS_RASTER_RASTER_TARGET_K_H
#define RW_MODELS_BEAMS_RASTER_RASTER_TARGET_K_H

#include "models/beams/raster/raster_region.k.h"

#define RW_RASTER_VALUES_MAX 4

typedef enum rw_raster_operation {
    RW_RASTER_ADD,    /* the sum of value times scale, rounded: a signed whole number */
    RW_RASTER_MIN,    /* the least value above 0 with the number of its primitive: a depth and an ID buffer in one */
    RW_RASTER_REPLACE /* the value of the primitive with the highest number */
} rw_raster_operation;

/* Pixels lie layer after layer, row after row. A target of two dimensions has one layer, of one dimension also one
 * row. */
typedef struct rw_raster_target {
    rw_pixel_grid grid;
    int layers;
    double layer_first, layer_width; /* layer i holds third coordinates from first + i width on */
    int value_count;                 /* of a pixel */
    rw_raster_operation operation;
    double scale;     /* of sums */
    uint64_t *pixels; /* value_count each; all bits 0 for ADD and REPLACE, all 1 for LEAST, before anything is drawn */
} rw_raster_target;

/* Layer of a third coordinate; -1: none. */
RW_FN int rw_raster_layer(const rw_raster_target *target, double z)
{
    if (target->layers == 1)
        return 0;
    double layer = floor((z - target->layer_first) / target->layer_width);
    return layer >= 0 && layer < (double)target->layers ? (int)layer : -1;
}

RW_FN void rw_raster_write_pixel(const rw_raster_target *target, int column, int row, int layer, uint32_t primitive,
                                 const double values[RW_RASTER_VALUES_MAX])
{
    size_t pixel =
        ((size_t)layer * (size_t)target->grid.rows + (size_t)row) * (size_t)target->grid.columns + (size_t)column;
    uint64_t *at = target->pixels + pixel * (size_t)target->value_count;
    for (int i = 0; i < target->value_count; i++) {
        if (target->operation == RW_RASTER_ADD)
            rw_shared_add_long(at + i, (uint64_t)(int64_t)floor(values[i] * target->scale + 0.5));
        else if (target->operation == RW_RASTER_MIN)
            rw_shared_min_long(at + i, (uint64_t)rw_float_bits((float)values[i]) << 32 | primitive);
        else
            rw_shared_max_long(at + i, ((uint64_t)primitive + 1) << 32 | rw_float_bits((float)values[i]));
    }
}

/* What a pixel holds, on the host. */
RW_FN double rw_raster_sum(const rw_raster_target *target, uint64_t pixel)
{
    return (double)(int64_t)pixel / target->scale;
}

/* The primitive that a pixel of LEAST or REPLACE is of; 0xffffffff: none. */
RW_FN uint32_t rw_raster_primitive(const rw_raster_target *target, uint64_t pixel)
{
    return target->operation == RW_RASTER_MIN ? (uint32_t)pixel : (uint32_t)(pixel >> 32) - 1u;
}

#endif
