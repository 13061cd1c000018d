/* Which cell centres of a raster lie inside a part's outline: the one place where outlines are rasterised. */
#ifndef RW_DISCRETISE_WALLS_RASTERISE_OUTLINES_H
#define RW_DISCRETISE_WALLS_RASTERISE_OUTLINES_H

#include "scene/scene.h"

typedef struct rw_raster_frame {
    double x0, y0, res; /* centre of cell (0, 0), scene's local frame */
    size_t columns, rows;
    double res_y; /* of cells that are not square; 0: res */
} rw_raster_frame;

/* Called for each run of cells first to end - 1 of a row that lies inside the part (even-odd rule, holes left out). */
typedef void (*rw_outline_row_fn)(void *user, const rw_part *part, size_t row, size_t first, size_t end);

rw_status rw_rasterise_outlines(const rw_scene *scene, const rw_raster_frame *frame, rw_outline_row_fn on_run,
                                void *user);

#endif
