/* Polygons of a GIS file that limit a map (the area of a prediction) or divide it (statistics): rings in the coordinate
 * system of the map, and the cells whose centres lie inside. */
#ifndef RW_DISCRETISE_ZONES_ZONES_H
#define RW_DISCRETISE_ZONES_ZONES_H

#include "ext/gdal.h"
#include "scene/scene.h"

typedef struct rw_zone {
    char *name;
    size_t first_ring, ring_count;
    size_t first_polygon, polygon_count; /* of polygon_first; rings are counted from the zone's first */
} rw_zone;

typedef struct rw_zones {
    rw_context *context;
    double *xy;         /* x, y of each point, ring after ring */
    size_t *ring_sizes; /* points of each ring */
    size_t *polygon_first;
    rw_zone *zones;
    size_t count, ring_count, point_count, polygon_entries;
    size_t xy_capacity, ring_capacity, polygon_capacity, zone_capacity;
    double box[4]; /* x_min, y_min, x_max, y_max */
} rw_zones;

/* All features with polygons of the file's first layer that has some. crs: that the rings are brought into, "" to leave
 * them. name_field: with the names; NULL: name, id, or the number of the feature. Frees nothing on success. */
rw_status rw_zones_load(rw_context *context, const char *path, const char *crs, const char *name_field,
                        rw_zones *zones);
void rw_zones_free(rw_zones *zones);

/* One more. */
rw_status rw_zones_add(rw_zones *zones, const rw_vector_shape *shape, const char *name);

/* Cells of a raster whose south-western corner is at x0, y0. */
typedef struct rw_zone_grid {
    double x0, y0, res;
    size_t columns, rows;
} rw_zone_grid;

/* Called for each run of cells, first to end - 1 of a row, whose centres are inside the zone. */
typedef void (*rw_zone_run_fn)(void *user, size_t row, size_t first, size_t end);
rw_status rw_zone_rasterise(const rw_zones *zones, size_t zone, const rw_zone_grid *grid, rw_zone_run_fn on_run,
                            void *user);

/* rooms.c: rooms of a floor plan at an altitude, that its walls close off, as cells of the raster. */
rw_status rw_zones_of_rooms(const rw_scene *scene, const rw_zone_grid *cells, double z_m, rw_zones *zones);

#endif
