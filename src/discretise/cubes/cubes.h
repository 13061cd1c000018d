/* Rasterises a committed scene into cubes (cubes.k.h), in time linear in cubes and covered surface. */
#ifndef RW_DISCRETISE_CUBES_CUBES_H
#define RW_DISCRETISE_CUBES_CUBES_H

#include "device/device.h"
#include "discretise/cubes/cubes.k.h"
#include "discretise/prepared.h"

/* Where the cubes lie: corner in the scene's local frame and altitude, and how many along x, y and z. */
typedef struct rw_cube_frame {
    double x0_m, y0_m, z0_m, res_m;
    size_t columns, rows, layers;
} rw_cube_frame;

typedef struct rw_cubes {
    rw_cube_frame frame;
    rw_cubes_view view; /* its arrays belong to this struct */
    size_t cube_words;
    uint32_t *filled, *source, *source_before, *first_item;
    uint32_t *kinds[RW_CUBE_KINDS]; /* bits of each class of source */
    rw_cube_element *elements;
    size_t element_capacity;
    rw_cube_item *items;
    size_t item_capacity;
} rw_cubes;

/* Cubes over columns x rows x layers; what would need more memory than there is is refused with what it would need. */
rw_status rw_cubes_create(const rw_scene *scene, const rw_cube_frame *frame, rw_cubes *cubes);
void rw_cubes_destroy(rw_cubes *cubes);

/* Bytes of the bits of so many cubes, before anything is built. */
double rw_cubes_bytes(const rw_cube_frame *frame);

/* A point of the scene's local frame in cubes from the grid's corner. */
void rw_cubes_locate(const rw_cube_frame *frame, rw_vec3 point, float at[3]);

/* cube_fill.c: the cubes as a raster, and marks what is filled. */
rw_raster_frame rw_cube_raster(const rw_cube_frame *frame);
rw_status rw_cubes_mark_filled(const rw_scene *scene, rw_cubes *cubes);

/* cube_walls.c, cube_meshes.c: adds the surfaces and edges of buildings and panels, and of meshes, piece by piece. */
rw_status rw_cubes_add_walls(const rw_scene *scene, rw_cubes *cubes);
rw_status rw_cubes_add_meshes(const rw_scene *scene, rw_cubes *cubes);

/* Appends an element, and a piece of the last element in one cube. */
rw_status rw_cubes_add_element(rw_context *context, rw_cubes *cubes, const rw_cube_element *element);
rw_status rw_cubes_add_item(rw_context *context, rw_cubes *cubes, int i, int j, int k, const float from[3],
                            const float to[3]);

/* Adds the last element's piece of a straight edge in each cube that it passes. */
rw_status rw_cubes_add_edge(rw_context *context, rw_cubes *cubes, const float from[3], const float to[3]);

/* Cubes where the kernels of a backend can read them: themselves on the CPU, a copy on a device. */
typedef struct rw_device_cubes {
    rw_cubes_view view;
    void *copies[6];
} rw_device_cubes;

rw_status rw_cubes_upload(rw_context *context, rw_backend backend, const rw_cubes *cubes, rw_device_cubes *device);
void rw_cubes_release(rw_backend backend, rw_device_cubes *device);

#endif
