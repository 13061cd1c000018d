/* A layer at points over the distance along them: a route as a plot, with a line for each transmitter. */
#include "output/maps/map.h"
#include "output/pictures/layer_style.h"
#include "output/pictures/pictures.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define POINT_SERIES_MAX 12
#define SERIES_NAME_MAX 96

typedef struct route_plot {
    double *along_m, *values;
    char names[POINT_SERIES_MAX][SERIES_NAME_MAX];
    rw_series series[POINT_SERIES_MAX];
} route_plot;

static rw_status fill_route_series(const rw_map *map, size_t layer, size_t bands, route_plot *plot)
{
    size_t count = map->info.columns;
    for (size_t band = 0; band < bands; band++) {
        if (bands > 1)
            RW_TRY(rw_map_get_band_name(map, layer, band, plot->names[band], SERIES_NAME_MAX));
        for (size_t i = 0; i < count; i++)
            plot->values[band * count + i] = (double)map->layers[layer].values[band * count + i];
        plot->series[band] = (rw_series){bands > 1 ? plot->names[band] : NULL, plot->along_m,
                                         plot->values + band * count, count, RW_SERIES_LINE};
    }
    return RW_OK;
}

static rw_status draw_route_plot(const rw_map *map, size_t layer, const rw_point *points, size_t bands,
                                 route_plot *route, const char *path)
{
    const rw_layer_data *data = &map->layers[layer];
    char y_label[128], title[160];
    for (size_t i = 1; i < map->info.columns; i++)
        route->along_m[i] =
            route->along_m[i - 1] + hypot(points[i].x_m - points[i - 1].x_m, points[i].y_m - points[i - 1].y_m);
    RW_TRY(fill_route_series(map, layer, bands, route));
    snprintf(title, sizeof title, "%s along %zu points", rw_layer_title(data->name), map->info.columns);
    snprintf(y_label, sizeof y_label, "%s%s%s", rw_layer_title(data->name), *data->unit ? " in " : "", data->unit);
    const rw_plot plot = {.title = title,
                          .subtitle = map->info.model,
                          .x_label = "distance along the points in m",
                          .y_label = y_label,
                          .series = route->series,
                          .series_count = bands};
    return rw_plot_write(map->context, &plot, path);
}

rw_status rw_map_draw_points(const rw_map *map, size_t layer, const rw_point *points, const char *path)
{
    rw_context *context = map->context;
    route_plot *route;
    if (map->info.rows != 1)
        return rw_fail(context, RW_BAD_CALL, "the map is not one of points; use rw_predict_points");
    if (layer >= map->info.layers)
        return rw_fail(context, RW_BAD_CALL, "there is no layer %zu; there are %zu", layer, map->info.layers);
    size_t all = map->layers[layer].bands, bands = all < POINT_SERIES_MAX ? all : POINT_SERIES_MAX;
    RW_TRY(rw_array_create(context, 1, sizeof *route, "a plot", &route));
    rw_status status = rw_array_create(context, map->info.columns, sizeof *route->along_m, "a plot", &route->along_m);
    if (status == RW_OK)
        status = rw_array_create(context, bands * map->info.columns, sizeof *route->values, "a plot", &route->values);
    if (status == RW_OK && all > bands)
        rw_warn(context, "the plot has the first %zu of %zu transmitters", bands, all);
    if (status == RW_OK)
        status = draw_route_plot(map, layer, points, bands, route, path);
    free(route->along_m);
    free(route->values);
    free(route);
    return status;
}
