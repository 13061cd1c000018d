#include "discretise/walls/walls.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct raise_user {
    float *heights;
    size_t columns;
} raise_user;

static void raise_run(void *user, const rw_part *part, size_t row, size_t first, size_t end)
{
    raise_user *raised = user;
    for (size_t column = first; column < end; column++) {
        float *height = &raised->heights[row * raised->columns + column];
        *height = (float)part->top_m > *height ? (float)part->top_m : *height;
    }
}

rw_status rw_height_raster_create(const rw_scene *scene, rw_vec2 area_min, size_t columns, size_t rows, double res_m,
                                  float **heights)
{
    RW_TRY(rw_array_create(scene->context, columns * rows, sizeof **heights, "the height raster", heights));
    rw_raster_frame frame = {area_min.x + 0.5 * res_m, area_min.y + 0.5 * res_m, res_m, columns, rows, 0};
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            rw_vec2 at = {frame.x0 + (double)column * res_m, frame.y0 + (double)row * res_m};
            (*heights)[row * columns + column] = (float)rw_scene_ground_m(scene, at);
        }
    raise_user user = {*heights, columns};
    rw_status status = rw_rasterise_outlines(scene, &frame, raise_run, &user);
    if (status != RW_OK) {
        free(*heights);
        *heights = NULL;
    }
    return status;
}
