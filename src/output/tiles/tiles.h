/* Values on tiles in memory: their shapes, and a map of one row that has a cell for each of them. */
#ifndef RW_OUTPUT_TILES_TILES_H
#define RW_OUTPUT_TILES_TILES_H

#include "discretise/tiles/tiles.h"
#include "output/pictures/layer_style.h"

struct rw_tile_map {
    rw_context *context;
    rw_map *values; /* columns: tiles; layers are added to it with rw_map_add_layer */
    size_t count;
    rw_vec2 origin;        /* of the corners, in the scene's coordinates */
    rw_vec3 (*corners)[4]; /* relative to origin; z is an altitude */
    rw_vec3 *normals;      /* outward */
    float *areas_m2;
    uint8_t *kinds; /* RW_TILE_WALL, _ROOF, _GROUND, _MESH */
    uint32_t *buildings;
    uint32_t *materials; /* into names */
    char **names;
    size_t name_count;
    rw_vec3 *sources; /* of the transmitters, as the corners */
    double *freqs_hz;
    size_t source_count; /* 0: not known */
};

/* Room for where the transmitters of the bands are, and for their frequencies, which pictures tell; to be filled. */
rw_status rw_tile_map_add_sources(rw_tile_map *map, size_t count);

/* Room for as many tiles and names as the map has. */
rw_status rw_tile_map_allocate(rw_tile_map *map);

/* Without layers; model is the name of the model that will fill it. */
rw_status rw_tile_map_create(const rw_scene *scene, const rw_tiles *tiles, const char *model, rw_tile_map **map);

const char *rw_tile_kind_name(uint32_t kind);

/* What the writers share: the layer and its colours. */
typedef struct rw_tile_view {
    const rw_tile_map *map;
    const rw_layer_data *layer;
    rw_tile_write_options options;
    rw_layer_style style;
} rw_tile_view;

/* The colour of a tile's value; what has none is grey, and where there is no path darker grey. */
rw_colour rw_tile_colour(const rw_tile_view *view, size_t tile);

rw_status rw_tile_write_ply(const rw_tile_view *view, const char *path);     /* tile_mesh.c */
rw_status rw_tile_write_gltf(const rw_tile_view *view, const char *path);    /* tile_gltf.c */
rw_status rw_tile_write_vector(const rw_tile_view *view, const char *path);  /* tile_vector.c */
rw_status rw_tile_write_raster(const rw_tile_view *view, const char *path);  /* tile_raster.c */
rw_status rw_tile_write_picture(const rw_tile_view *view, const char *path); /* tile_picture.c */

#endif
