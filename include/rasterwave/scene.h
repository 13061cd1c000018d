/* Scenes: buildings, walls, meshes, materials, terrain; readers, generators.
 *
 * Part of rasterwave.h, where the conventions stand. */
#ifndef RASTERWAVE_SCENE_H
#define RASTERWAVE_SCENE_H

#include <rasterwave/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------------------------- scene */

/* A scene: buildings, walls, meshes, materials, terrain. It is edited, committed, and then immutable. */
typedef struct rw_scene rw_scene;

/* Permittivity and conductivity over frequency as in ITU-R P.2040: eps' = a (f/GHz)^b, sigma = c (f/GHz)^d in S/m. */
typedef struct rw_material {
    size_t size;
    const char *name;
    double a, b, c, d;
    double freq_min_hz, freq_max_hz; /* where the fit holds; 0 and infinity for a user's constant values */
    int perfect_conductor;
    double scattering; /* effective roughness S in [0, 1] */
} rw_material;

/* One layer of a slab. */
typedef struct rw_layer {
    size_t size;
    const char *material;
    double thickness_m;
} rw_layer;

/* A wall or slab construction: layers from one side to the other. Surfaces name a slab or, for a half space, a
 * material. */
typedef struct rw_slab {
    size_t size;
    const char *name;
    const rw_layer *layers;
    size_t layer_count;
} rw_slab;

/* One prism: an outline with holes, from base to roof. Parts that share building_id are stacked parts of one building.
 * Rings follow each other in xy (x, y pairs, not closed); the first is the outer one; orientation is free. */
typedef struct rw_building {
    size_t size;
    uint32_t building_id; /* 0: a number of its own */
    const double *xy;
    const size_t *ring_sizes; /* points in each ring */
    size_t ring_count;
    double ground_m;      /* altitude of the ground; NaN: the lowest terrain under the outline */
    double base_height_m; /* above ground */
    double roof_height_m; /* above ground */
    const char *surface;  /* slab or material; NULL: concrete */
    const char *source;   /* where it comes from, for messages ("line 12"); may be NULL */
} rw_building;

/* A free-standing vertical wall, as in floor plans. Altitudes are absolute. */
typedef struct rw_panel {
    size_t size;
    double x0_m, y0_m, x1_m, y1_m;
    double bottom_m, top_m;
    const char *surface; /* slab or material; NULL: concrete */
    const char *source;  /* as in rw_building */
} rw_panel;

/* Triangles in space, from rooms or whole cities. Altitudes are absolute. */
typedef struct rw_mesh {
    size_t size;
    const char *name;
    const double *xyz;
    size_t vertex_count;
    const uint32_t *triangles; /* three vertex numbers each */
    size_t triangle_count;
    const char *surface; /* slab or material; NULL: concrete */
} rw_mesh;

/* A raster whose values stand at posts: post (column, row) at x0 + column dx, y0 + row dy; row 0 is the southernmost.
 * NaN: unknown. */
typedef struct rw_raster {
    size_t size;
    size_t columns, rows;
    double x0_m, y0_m, dx_m, dy_m;
    float *values;
} rw_raster;

/* An empty scene, to be filled by the calls below, which copy what they are given, and then committed. NULL may be
 * destroyed. */
RW_API rw_status rw_scene_create(rw_context *context, rw_scene **scene);
/* Frees a scene; NULL is allowed. */
RW_API void rw_scene_destroy(rw_scene *scene);

/* Defines a material of the scene. It goes before one of ITU-R P.2040 of the same name. */
RW_API rw_status rw_scene_add_material(rw_scene *scene, const rw_material *material);
/* Defines a slab: a wall construction of layers. */
RW_API rw_status rw_scene_add_slab(rw_scene *scene, const rw_slab *slab);
/* Adds one prism of a building. */
RW_API rw_status rw_scene_add_building(rw_scene *scene, const rw_building *building);
/* Adds a free-standing vertical wall. */
RW_API rw_status rw_scene_add_panel(rw_scene *scene, const rw_panel *panel);
/* Adds triangles. */
RW_API rw_status rw_scene_add_mesh(rw_scene *scene, const rw_mesh *mesh);
/* Sets the terrain, whose values are copied. */
RW_API rw_status rw_scene_set_terrain(rw_scene *scene, const rw_raster *terrain);
/* Sets trees: their heights above ground, on a raster whose values are copied; 0 or NaN where there is none. The model
 * shadow adds what they take. */
RW_API rw_status rw_scene_set_foliage(rw_scene *scene, const rw_raster *heights);
/* Forgets terrain and ground altitudes. */
RW_API rw_status rw_scene_set_flat(rw_scene *scene);
/* The scene has no ground but its own surfaces, and nothing else is around it: models of plane surfaces lay none under
 * it, and transmitters may stand beside it. */
RW_API rw_status rw_scene_set_no_ground(rw_scene *scene);
/* Sets the coordinate system: WKT, PROJ string or EPSG:n. */
RW_API rw_status rw_scene_set_crs(rw_scene *scene, const char *crs);
/* The coordinate system; "" where none is known. */
RW_API const char *rw_scene_crs(const rw_scene *scene);

/* Brings x, y pairs from one coordinate system into another, in place: EPSG:n, WKT, PROJ strings, or "lonlat" for
 * degrees on WGS84. Longitude and easting come first; pairs that cannot be transformed become NaN. Without GDAL degrees
 * (EPSG:4326) and UTM (EPSG:326zz, 327zz, 258zz) work, all else is refused. */
RW_API rw_status rw_transform_points(rw_context *context, const char *from, const char *to, double *xy, size_t count);

/* A raster file as the scene's terrain, brought into the scene's coordinate system. Where the scene is empty, the
 * terrain alone is the scene. */
RW_API rw_status rw_scene_read_terrain(rw_scene *scene, const char *path);
/* A file as the scene's trees: a raster of their heights above ground, or polygons with a field height. */
RW_API rw_status rw_scene_read_foliage(rw_scene *scene, const char *path);
/* A table of materials (docs/reference/formats.md): those of names that the scene knows are replaced. */
RW_API rw_status rw_scene_read_materials(rw_scene *scene, const char *path);

/* A finding of a reader or of validation: counted, with the first case as an example; told by info and on_warning. */
RW_API rw_status rw_scene_note(rw_scene *scene, const char *what, const char *example);

/* Validates, repairs, fixes heights on the terrain and builds what predictions need. Immutable afterwards, and any
 * number of threads may then predict on it. */
RW_API rw_status rw_scene_commit(rw_scene *scene);

/* Options of rw_scene_load. */
typedef struct rw_load_options {
    size_t size;
    const char *format;       /* NULL: by content */
    const char *height_field; /* attribute with the roof height; NULL: the usual names */
    const char *crs;          /* coordinate system of the input, or to override its own; NULL: as it says */
    const char *terrain;      /* raster file, "flat", or NULL: what the scene has */
    double default_height_m;  /* where a building tells none */
    int commit;               /* 1: commit at the end */
    const char *foliage;      /* file of trees, as rw_scene_read_foliage takes it; NULL: none */
    const char *materials;    /* table of materials, as rw_scene_read_materials takes it; NULL: none */
    int mesh_buildings;       /* 1: rw_scene_meshes_to_buildings, for the models shadow and beams */
    const char *height_unit;  /* of heights without a unit of their own: "m" or "ft"; NULL: by the field's name */
    double terrain_area_m[4]; /* west, south, east, north: terrain is read there too, beyond the scene's surroundings
                                 that are read in any case; all 0: no such area */
    const char *terrain_area_crs; /* its coordinate system; NULL: the scene's */
    double area_m[4]; /* GIS vector files in metres: only what touches west, south, east, north, which may be nothing;
                         unset: all */
    const char *storeys_field; /* attribute with the number of storeys, of 3 m each; NULL: the usual names */
    const char *layer;         /* of a GIS file with several; NULL: the one named after buildings, or the only one */
    const char *surface; /* raster of the highest points, as rw_scene_read_surface; NULL: none. Needs the terrain */
} rw_load_options;

/* by content, default height 10 m, committed */
RW_API void rw_load_options_init_sized(rw_load_options *options, size_t size);
#define rw_load_options_init(options) rw_load_options_init_sized((options), sizeof *(options))

/* A scene from a file of any format that docs/reference/formats.md lists; options may be NULL. On failure *scene is
 * NULL. */
RW_API rw_status rw_scene_load(rw_context *context, const char *path, const rw_load_options *options, rw_scene **scene);
/* What a surface model gave to a scene. Parts are those of buildings. */
typedef struct rw_surface_report {
    size_t size;
    size_t posts, impossible; /* and of them, with an altitude that nothing on land has */
    double spacing_m;
    size_t given, measured, unmeasured; /* heights of the file; from the surface; neither: the default */
    double mean_spread_m;               /* of the measured roofs, each the standard deviation of its posts */
    size_t found, squared;              /* buildings without an outline, and of them, with right angles */
    double found_m2, foliage_m2;
} rw_surface_report;

/* A raster of the altitude of the highest points (a digital surface model) over the scene's terrain: heights for
 * buildings whose file tells none (the median of the roof), outlines of buildings that are missing, and foliage where
 * it is rough. Pixels of 5 m or less. Before rw_scene_commit. report may be NULL. */
RW_API rw_status rw_scene_read_surface(rw_scene *scene, const char *path, rw_surface_report *report);
/* The same report later; posts 0: no surface model was read. */
RW_API rw_status rw_scene_get_surface_report(const rw_scene *scene, rw_surface_report *report);

/* Makes buildings of what hangs together in meshes and is an upright prism, closed or open at its bottom, and takes a
 * floor under them for the ground. With a sloped roof it is one up to its highest point, with a note. Other planes of
 * 45 degrees and steeper become free-standing walls; flatter triangles stay. For models that know no other bodies than
 * buildings: shadow and beams; the others take meshes as they are. Before rw_scene_commit. */
RW_API rw_status rw_scene_meshes_to_buildings(rw_scene *scene);
/* Writes the scene as GeoPackage, or as GeoJSON by the name's end. */
RW_API rw_status rw_scene_save(const rw_scene *scene, const char *path);

/* Content of a scene. Positions are in the scene's coordinate system. */
typedef struct rw_scene_info {
    size_t size;
    size_t buildings, parts, walls, panels, meshes, triangles, materials, slabs, surfaces, notes;
    double x_min_m, y_min_m, x_max_m, y_max_m;
    double roof_min_m, roof_max_m, roof_mean_m; /* above ground; mean over parts */
    double built_fraction;                      /* of the extent's area */
    int has_terrain;
    double terrain_min_m, terrain_max_m;
    size_t terrain_columns, terrain_rows;
    double load_s, prepare_s;
} rw_scene_info;

/* One number for the geometry of a committed scene: another geometry has another one. */
RW_API uint64_t rw_scene_hash(const rw_scene *scene);
/* Counts, extent and heights of a scene. */
RW_API rw_status rw_scene_get_info(const rw_scene *scene, rw_scene_info *info);
/* Name of a material that the scene defines, from 0; NULL beyond the last. */
RW_API const char *rw_scene_material_name(const rw_scene *scene, size_t index);
/* Name of a slab that the scene defines, from 0; NULL beyond the last. */
RW_API const char *rw_scene_slab_name(const rw_scene *scene, size_t index);
/* Names of materials or slabs that walls and meshes are of, each once; built-in ones (itu_concrete) need no definition.
 */
RW_API const char *rw_scene_surface_name(const rw_scene *scene, size_t index);
/* A material that the scene defines, from 0; RW_BAD_CALL beyond the last. Its name lives as long as the scene. */
RW_API rw_status rw_scene_get_material(const rw_scene *scene, size_t index, rw_material *material);
/* A layer of a slab that the scene defines, both from 0, and how many the slab has; RW_BAD_CALL beyond the last. */
RW_API rw_status rw_scene_get_layer(const rw_scene *scene, size_t slab, size_t layer, rw_layer *out, size_t *layers);

/* A finding of a reader or of validation, how often it occurred, and one example. */
typedef struct rw_note {
    size_t size;
    const char *what;
    const char *example;
    size_t count;
} rw_note;

/* One note of a scene, from 0. */
RW_API rw_status rw_scene_get_note(const rw_scene *scene, size_t index, rw_note *note);

/* ------------------------------------------------------------------------------------------------------ generators */

/* Scenes from a seed. The same options give the same bytes on every machine. The scene lies in the rectangle from (0,
 * 0) to (width_m, depth_m) and is returned uncommitted, so that more can be added to it: call rw_scene_commit before
 * predicting. Options that are not possible fail with RW_BAD_CALL and leave *scene NULL. */

typedef struct rw_city_options {
    size_t size;
    const char *style;       /* "european" or "grid" */
    double width_m, depth_m; /* 100 m to 200 km */
    uint64_t seed;
    int hills; /* 1: buildings stand on a terrain of 45 m relief */
} rw_city_options;

/* european, 2.4 x 3.4 km, seed 1, flat */
RW_API void rw_city_options_init_sized(rw_city_options *options, size_t size);
#define rw_city_options_init(options) rw_city_options_init_sized((options), sizeof *(options))

/* european: irregular blocks with courtyards, squares, churches and a river, with the totals of the COST 231 Munich
 * data (per 8.16 km2: 2000 buildings, 17 500 walls, 38 % built over, roofs 5 to 100 m, mean 20 m). grid: avenues and
 * streets with towers of up to 250 m on podiums, as stacked parts of one building. The scene is not committed. */
RW_API rw_status rw_generate_city(rw_context *context, const rw_city_options *options, rw_scene **scene);

/* Options of rw_generate_office. */
typedef struct rw_office_options {
    size_t size;
    double width_m, depth_m; /* 6 m to 2 km */
    double storey_height_m;  /* 2 m to 20 m */
    int storeys;             /* 1 to 200 */
    uint64_t seed;
} rw_office_options;

/* 40 x 20 m, one storey of 3 m, seed 1 */
RW_API void rw_office_options_init_sized(rw_office_options *options, size_t size);
#define rw_office_options_init(options) rw_office_options_init_sized((options), sizeof *(options))

/* Rooms on both sides of corridors along x: walls, doors and windows as panels, floors and ceilings as meshes, surfaces
 * as slabs outer_wall, corridor_wall, partition, window, door and floor of ITU-R P.2040 materials. The scene is not
 * committed. */
RW_API rw_status rw_generate_office(rw_context *context, const rw_office_options *options, rw_scene **scene);

/* Options of rw_generate_terrain. */
typedef struct rw_terrain_options {
    size_t size;
    double width_m, depth_m; /* at least the spacing, up to 200 km */
    double spacing_m;        /* between posts, 1 cm to 10 km; at most a million posts a side */
    double relief_m;         /* from the lowest post, at 0, to the highest; 0 to 9 km */
    uint64_t seed;
} rw_terrain_options;

/* 5 x 5 km, posts every 20 m, relief 150 m, seed 1 */
RW_API void rw_terrain_options_init_sized(rw_terrain_options *options, size_t size);
#define rw_terrain_options_init(options) rw_terrain_options_init_sized((options), sizeof *(options))

/* Smooth hills and nothing on them. The scene is not committed. */
RW_API rw_status rw_generate_terrain(rw_context *context, const rw_terrain_options *options, rw_scene **scene);

#ifdef __cplusplus
}
#endif
#endif
