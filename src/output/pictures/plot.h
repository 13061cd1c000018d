/* Line plots: series of x and y over one pair of axes, as a PNG picture. For routes, impulse responses and profiles. */
#ifndef RW_OUTPUT_PICTURES_PLOT_H
#define RW_OUTPUT_PICTURES_PLOT_H

#include "output/pictures/canvas.h"

typedef enum rw_series_kind { RW_SERIES_LINE, RW_SERIES_POINTS, RW_SERIES_STEMS } rw_series_kind;

/* A point that is not finite breaks the line. */
typedef struct rw_series {
    const char *name;
    const double *x, *y;
    size_t count;
    rw_series_kind kind;
} rw_series;

typedef struct rw_plot {
    const char *title, *subtitle, *x_label, *y_label;
    const rw_series *series;
    size_t series_count;
    int width_px, height_px;    /* 0: 1100 x 560 */
    int log_x, log_y;           /* powers of ten along the axis; values that are not positive are not drawn */
    int same_scale;             /* a metre is as long on both axes: a map */
    const double (*colours)[3]; /* lightness, chroma and hue (OKLCH) of each series; NULL: the usual ones */
} rw_plot;

/* The picture in memory; rw_canvas_free frees it. */
rw_status rw_plot_draw(rw_context *context, const rw_plot *plot, rw_canvas *canvas);
rw_status rw_plot_write(rw_context *context, const rw_plot *plot, const char *path);

#endif
