/* A whole map as HDF5: every layer, and where each receiver is. For those who compute with maps, and for planes in
 * space, which no GIS knows how to place. */
#include "base/memory.h"
#include "ext/hdf5.h"
#include "output/maps/map.h"

#include <stdlib.h>

static void compute_cell_centres(const rw_map_info *info, double *x_m, double *y_m, double *z_m)
{
    rw_plane plane = rw_plane_of(info->plane_m);
    for (size_t i = 0; i < info->columns * info->rows; i++) {
        size_t column = i % info->columns, row = i / info->columns;
        rw_vec3 position = rw_vec3_of(info->x0_m + ((double)column + 0.5) * info->res_m,
                                      info->y0_m + ((double)row + 0.5) * info->res_m, info->rx_height_m);
        if (info->has_plane)
            position = rw_plane_cell(&plane, column, row, info->res_m);
        x_m[i] = position.x;
        y_m[i] = position.y;
        z_m[i] = position.z;
    }
}

static rw_status write_map_datasets(const rw_map *map, const char *path, double *const positions[3])
{
    static const char *const names[3] = {"x", "y", "z"};
    const rw_map_info *info = &map->info;
    rw_hdf5_dataset sets[RW_MAP_LAYERS_MAX + 3];
    char plane[RW_PLANE_STRING_MAX] = "";
    for (size_t i = 0; i < info->layers; i++)
        sets[i] = (rw_hdf5_dataset){.name = map->layers[i].name,
                                    .unit = map->layers[i].unit,
                                    .description = "transmitter, row, column; NaN: no receiver, infinity: no path",
                                    .type = RW_HDF5_FLOAT32,
                                    .rank = 3,
                                    .shape = {map->layers[i].bands, info->rows, info->columns},
                                    .values = map->layers[i].values,
                                    .compress = 1};
    for (size_t i = 0; i < 3; i++)
        sets[info->layers + i] = (rw_hdf5_dataset){.name = names[i],
                                                   .unit = "m",
                                                   .description = "of the receivers: row, column",
                                                   .type = RW_HDF5_FLOAT64,
                                                   .rank = 2,
                                                   .shape = {info->rows, info->columns},
                                                   .values = positions[i],
                                                   .compress = 1};
    if (info->has_plane)
        rw_plane_to_string(info->plane_m, plane);
    const rw_hdf5_attribute attributes[] = {
        {"model", info->model, 0}, {"crs", map->crs, 0}, {"plane", plane, 0}, {"resolution_m", NULL, info->res_m}};
    return rw_hdf5_write(map->context, path, sets, info->layers + 3, attributes,
                         sizeof attributes / sizeof *attributes);
}

rw_status rw_map_write_hdf5(const rw_map *map, const char *path)
{
    double *positions[3] = {NULL, NULL, NULL};
    rw_status status = RW_OK;
    for (int i = 0; i < 3 && status == RW_OK; i++)
        status = rw_array_create(map->context, map->info.columns * map->info.rows, sizeof(double),
                                 "places of receivers", &positions[i]);
    if (status == RW_OK) {
        compute_cell_centres(&map->info, positions[0], positions[1], positions[2]);
        status = write_map_datasets(map, path, positions);
    }
    for (int i = 0; i < 3; i++)
        free(positions[i]);
    return status;
}
