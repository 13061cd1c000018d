/* Files and pictures of maps, paths and tiles.
 *
 * Part of rasterwave.h, where the conventions stand. */
#ifndef RASTERWAVE_OUTPUT_H
#define RASTERWAVE_OUTPUT_H

#include <rasterwave/paths.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------- output */

/* Options of rw_map_draw. */
typedef struct rw_map_draw_options {
    size_t size;
    const char *layer;     /* NULL: the first */
    size_t band;           /* from 0 */
    const rw_scene *scene; /* outlines to draw; may be NULL */
    const rw_transmitter *transmitters;
    size_t transmitter_count;
    double value_min, value_max; /* both 0: from the data */
    int width_px;                /* of the map part; 0: chosen */
    const double *marks_m;       /* x, y of each place to mark: a measured route; may be NULL */
    size_t mark_count;
} rw_map_draw_options;

/* The first band of the first layer, with colours from the data. */
RW_API void rw_map_draw_options_init_sized(rw_map_draw_options *options, size_t size);
#define rw_map_draw_options_init(options) rw_map_draw_options_init_sized((options), sizeof *(options))

/* One band of a layer as a PNG at path, with buildings, transmitters, legend and scale bar. */
RW_API rw_status rw_map_draw(const rw_map *map, const rw_map_draw_options *options, const char *path);

/* The cells of one band alone as a PNG, a whole number of pixels each, transparent where there is no value, with a
 * world file (.pgw) and the coordinate system (.png.aux.xml) beside it: a picture that every GIS puts at its place. Of
 * the options layer, band and the range of values count; NULL: as from init. */
RW_API rw_status rw_map_draw_georeferenced(const rw_map *map, const rw_map_draw_options *options, const char *path);

/* Options of rw_scene_draw. */
typedef struct rw_scene_draw_options {
    size_t size;
    const rw_transmitter *transmitters; /* marked; may be NULL */
    size_t transmitter_count;
    double azimuth_deg, elevation_deg; /* of the eye, from north to the east and above the horizon */
    int width_px;                      /* 0: chosen */
} rw_scene_draw_options;

/* From the south-east, 43 degrees above the horizon. */
RW_API void rw_scene_draw_options_init_sized(rw_scene_draw_options *options, size_t size);
#define rw_scene_draw_options_init(options) rw_scene_draw_options_init_sized((options), sizeof *(options))

/* A committed scene in space as a PNG, in parallel projection; ceilings of floor plans are transparent. options may be
 * NULL. Terrain is not drawn, and scenes with terrain are refused. */
RW_API rw_status rw_scene_draw(const rw_scene *scene, const rw_scene_draw_options *options, const char *path);

/* The buildings of a committed scene from above, coloured by where their heights are from (the file, the default, a
 * surface model, found in it), over its foliage, as PNG. */
RW_API rw_status rw_scene_draw_heights(const rw_scene *scene, const char *path);

/* Gain over the angle in the horizontal and the vertical plane of an antenna, as PNG. */
RW_API rw_status rw_antenna_draw(rw_context *context, const rw_antenna *antenna, const char *path);

/* Triangles and lines in space with colours, and the pinhole camera that sees them: what rw_shapes_draw draws. */
typedef struct rw_shapes {
    size_t size;
    const double *vertices_m; /* x, y, z of each */
    size_t vertex_count;
    const uint32_t *triangles; /* three vertices each */
    const unsigned char *triangle_rgb;
    size_t triangle_count, shaded_count; /* the first are shaded by light, the others have their colour as it is */
    const double *lines_m;               /* x, y, z of both ends of each */
    const unsigned char *line_rgb;
    size_t line_count;
    double line_width_px;
    double eye_m[3], forward[3], up[3]; /* forward and up are directions of any length */
    double view_angle_deg;              /* across the width */
    double clip_normal[3], clip_m;      /* points p with p . clip_normal + clip_m < 0 are not drawn */
    int width_px, height_px;
    unsigned char background_rgb[3];
} rw_shapes;

/* 655 x 500 pixels, 45 degrees, z is up, lines of 2 pixels, nothing is clipped. */
RW_API void rw_shapes_init_sized(rw_shapes *shapes, size_t size);
#define rw_shapes_init(shapes) rw_shapes_init_sized((shapes), sizeof *(shapes))

/* A picture in perspective: nearer shapes hide farther ones. rgb receives 3 * width_px * height_px bytes, rows from the
 * top; path is a PNG to write. Either may be NULL. */
RW_API rw_status rw_shapes_draw(rw_context *context, const rw_shapes *shapes, unsigned char *rgb, const char *path);

/* Options of rw_map_write_polygons. */
typedef struct rw_polygon_options {
    size_t size;
    const char *layer;    /* NULL: the first */
    size_t band;          /* from 0 */
    const double *levels; /* rising: ranges from each to the next, the last open; values below the first have none */
    size_t level_count;   /* 0: the layer has classes of its own, such as best servers */
} rw_polygon_options;

/* The first band of the first layer, by classes. */
RW_API void rw_polygon_options_init_sized(rw_polygon_options *options, size_t size);
#define rw_polygon_options_init(options) rw_polygon_options_init_sized((options), sizeof *(options))

/* Classes or ranges of a layer as polygons along the sides of cells, one feature each with its name, cells, area and
 * colour. By the name's end: .gpkg, .geojson, .shp, .kml or .kmz (with a legend). Needs GDAL. options may be NULL. */
RW_API rw_status rw_map_write_polygons(const rw_map *map, const rw_polygon_options *options, const char *path);

/* Lines along which a layer has each of the levels, between the centres of cells, with the level of each line. By the
 * name's end: .gpkg, .geojson or .shp. Needs GDAL. */
RW_API rw_status rw_map_write_contours(const rw_map *map, const rw_polygon_options *options, const char *path);

/* The map of rw_predict_points as points with its layers as fields, by the name's end: .gpkg, .geojson or .shp. points:
 * those of that call, as many as the map has. Needs GDAL. */
RW_API rw_status rw_map_write_points(const rw_map *map, const rw_point *points, const char *path);

/* A layer of it over the distance along the points as a PNG plot, with a line for each of at most 12 transmitters. */
RW_API rw_status rw_map_draw_points(const rw_map *map, size_t layer, const rw_point *points, const char *path);

/* Whether this build writes polygons to files of that name. */
RW_API rw_status rw_polygons_check_name(rw_context *context, const char *path);

/* One layer as this file: GeoTIFF where it ends in .tif or .tiff and the build has GDAL, ENVI (with NAME.hdr beside it)
 * where it ends in .bin. */
RW_API rw_status rw_map_write_file(const rw_map *map, size_t layer, const char *path);
/* Options of rw_map_zone_statistics. */
typedef struct rw_zone_options {
    size_t size;
    const char *zones;      /* file of polygons in any coordinate system that GDAL reads; NULL: the whole map alone */
    const char *name_field; /* with the zones' names; NULL: name, zone, id, or their number */
    const char *layer;      /* NULL: the first */
    size_t band;            /* from 0; RW_ALL_BANDS: the best of all in each cell */
    double level;           /* coverage threshold in the layer's unit; NaN: none */
    const char *weights;    /* raster whose pixels are shared among the cells, such as population; NULL: none */
    const rw_scene *rooms;  /* floor plan whose rooms, at the map's height, are the zones; NULL: none */
} rw_zone_options;

/* The whole map, the best of all bands, no level. */
RW_API void rw_zone_options_init_sized(rw_zone_options *options, size_t size);
#define rw_zone_options_init(options) rw_zone_options_init_sized((options), sizeof *(options))

/* Statistics of one zone. Values are those of receivers with a path; covered: at the level or better, which is below it
 * for losses and delays. Fractions of nothing are NaN. A weight (people) in a cell with a receiver counts there, which
 * is the indoor prediction if the map has one; in a cell without a receiver, such as inside a building, it is covered
 * if the nearest receiver is. Layers of classes have no min, mean, median and max. */
typedef struct rw_zone_row {
    size_t size;
    const char *name; /* "all": the whole map */
    size_t cells, receivers, without_path, covered_cells;
    double area_m2;
    double min, mean, median, max;
    double covered_fraction; /* of the receivers */
    double weight, receiver_weight, covered_weight;
    double covered_weight_fraction; /* of the weight */
    double nearest_weight;          /* of cells without a receiver, counted at the nearest receiver */
} rw_zone_row;

/* A class of a layer that has classes: its cells in a zone. */
typedef struct rw_zone_class {
    size_t size;
    const char *name; /* the table's */
    size_t cells;
    double fraction; /* of the zone's receivers */
} rw_zone_class;

/* The zones of a file, and the whole map as the last row. */
typedef struct rw_zone_table rw_zone_table;

/* Statistics of a layer by zones. On failure *table is NULL. options may be NULL. */
RW_API rw_status rw_map_zone_statistics(const rw_map *map, const rw_zone_options *options, rw_zone_table **table);
/* Rows of the table. */
RW_API size_t rw_zone_table_count(const rw_zone_table *table);
/* One row, from 0; its name belongs to the table. */
RW_API rw_status rw_zone_table_get(const rw_zone_table *table, size_t index, rw_zone_row *row);
/* Classes of the layer; 0: it has values. */
RW_API size_t rw_zone_table_class_count(const rw_zone_table *table);
/* The cells of one class in one zone, both from 0. */
RW_API rw_status rw_zone_table_get_class(const rw_zone_table *table, size_t zone, size_t index, rw_zone_class *out);
/* Shadowing that a map does not have, and what is asked of it. */
typedef struct rw_confidence_options {
    size_t size;
    const char *layer;       /* path loss, power, rsrp or another level in dB; NULL: the first */
    size_t band;             /* from 0; RW_ALL_BANDS: the best of all in each draw */
    double level;            /* in the layer's unit */
    double confidence;       /* probability, above 0 and below 1 */
    double target;           /* fraction of the receivers to be covered; NaN: none */
    double sigma_db;         /* spread of single locations around the map */
    double correlation_m;    /* distance at which their correlation is 1/e */
    double site_correlation; /* of the shadows of two sites at one receiver */
    int draws;
    uint64_t seed;
    const char *weights; /* raster of counts, as people; in cells without a receiver they count at the nearest one */
    const double *cell_weights; /* in place of a raster: of each cell, in the order of the map; neither: 1 each */
} rw_confidence_options;

/* Confidence 0.9, 8 dB, 50 m, 0.5 between sites, 200 draws, no level and no target. */
RW_API void rw_confidence_options_init_sized(rw_confidence_options *options, size_t size);
#define rw_confidence_options_init(options) rw_confidence_options_init_sized((options), sizeof *(options))

/* Coverage as a probability. Fractions are of the weight, or of the receivers; NaN: there is none. */
typedef struct rw_confidence {
    size_t size;
    size_t receivers;
    double predicted;          /* covered by the values of the map */
    double locations;          /* whose own probability of being covered is the confidence or more */
    double mean, covered;      /* of the draws: on average, and reached in the fraction "confidence" of them */
    double target_probability; /* of reaching the target */
} rw_confidence;

/* How likely a coverage is, by draws of correlated shadowing over the map. options must have a level. */
RW_API rw_status rw_map_confidence(const rw_map *map, const rw_confidence_options *options, rw_confidence *confidence);

/* By the name's end: .csv, or with the zones' polygons .gpkg, .geojson or .shp. */
RW_API rw_status rw_zone_table_write(const rw_zone_table *table, const char *path);
/* Frees a table; NULL is allowed. */
RW_API void rw_zone_table_destroy(rw_zone_table *table);

/* Writes one raster a layer (GeoTIFF; ENVI without GDAL). written receives the path, at most path_size bytes. */
RW_API rw_status rw_map_write_layer(const rw_map *map, size_t layer, const char *directory, char *written,
                                    size_t path_size);

/* All layers as one HDF5 file: each [band, row, column], with NaN for nodata and +infinity for no path, and the
 * receivers' places x, y, z [row, column]; z is an altitude on a plane and a height above ground otherwise. */
RW_API rw_status rw_map_write_hdf5(const rw_map *map, const char *path);

/* Writes a raster that rw_map_write_layer wrote anew in another coordinate system, by the nearest cell. Needs GDAL. */
RW_API rw_status rw_raster_to_crs(rw_context *context, const char *path, const char *crs);

/* Reads back what rw_map_write_layer wrote (a map of one layer), or another raster of square cells that GDAL reads. */
RW_API rw_status rw_map_read(rw_context *context, const char *path, rw_map **map);

/* Values on tiles of walls, roofs and ground (docs/explanation/tiles.md). */
typedef struct rw_tile_map rw_tile_map;

/* What rw_predict has for cells, on every tile: model tiles, the same layers; area and resolution do not matter. On
 * failure *map is NULL. */
RW_API rw_status rw_predict_tiles(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **map);

/* Every ray of model tiles that ends at a tile as an HDF5 file: transmitters, limits and threshold are those of the
 * options. One row a ray, by transmitter, then by tile; what is shared by all rays of a tile stands with the tile.
 *
 *   transmitter, tile, count [rays]       count: its interactions
 *   gain [rays]                           complex: sqrt(received over transmitted power) with phase, antennas included
 *   field [rays, 3]                       complex: V/m at the tile for the power of the transmitter, east, north, up
 *   delay [rays]                          s
 *   departure, arrival [rays, 2]          rad: theta from zenith and phi from east; towards where the wave comes from
 *   vertices [rays, most interactions, 3] m, in the scene's coordinates; NaN beyond the last
 *   interactions [rays, most interactions] numbers of rw_interaction; 255 beyond the last
 *   element [rays, most interactions]     tile or edge of each interaction
 *   tile_centre [tiles, 3], tile_normal [tiles, 3], source [transmitters, 3], power_dbm and frequency [transmitters]
 *
 * A scattered ray has no phase of its own (its gain is real and not negative, its field is NaN) and begins at the tile
 * that scatters. What scattering tiles send directly to others is summed up and not listed. */
RW_API rw_status rw_write_rays(const rw_scene *scene, const rw_predict_options *options, const char *path);

/* Both from the same rays. On failure both are NULL. */
RW_API rw_status rw_predict_with_tiles(const rw_scene *scene, const rw_predict_options *options, rw_map **map,
                                       rw_tile_map **tiles);
/* Frees values on tiles; NULL is allowed. */
RW_API void rw_tile_map_destroy(rw_tile_map *map);

/* The values as a map of one row, with a cell for each tile; layers and bands as in any map. It belongs to the tile
 * map. */
RW_API const rw_map *rw_tile_map_values(const rw_tile_map *map);

/* One tile. */
typedef struct rw_tile_info {
    size_t size;
    const char *kind;     /* "wall", "roof" or "ground" */
    const char *material; /* name of the material or slab */
    size_t building;      /* number of its building; 0: none */
    double area_m2;
    double corners_m[4][3]; /* in the scene's coordinates; counter-clockwise from outside; of a triangle one of them is
                               the middle of its longest side */
} rw_tile_info;

/* One tile, from 0. */
RW_API rw_status rw_tile_map_get_tile(const rw_tile_map *map, size_t tile, rw_tile_info *info);

/* Options of rw_tile_map_write. */
typedef struct rw_tile_write_options {
    size_t size;
    const char *layer;           /* that gives the colours; NULL: the first */
    size_t band;                 /* from 0 */
    double value_min, value_max; /* of the colours; both 0: from the data */
    double azimuth_deg;          /* pictures: from where one looks, clockwise from north */
    double elevation_deg;        /* pictures: from how high, 5 to 90 */
    int width_px;                /* pictures */
    double crop_m[4];            /* pictures: west, south, east, north of the tiles that are drawn; NaN: all */
} rw_tile_write_options;

/* from the south-west, 35 degrees, 1400 pixels */
RW_API void rw_tile_write_options_init_sized(rw_tile_write_options *options, size_t size);
#define rw_tile_write_options_init(options) rw_tile_write_options_init_sized((options), sizeof *(options))

/* By the end of the name: .gpkg or .geojson (polygons with heights and all layers), .ply (with colours and all layers)
 * and .glb (binary glTF with colours) for any 3-D viewer, .tif or .bin (the layer on the ground as a raster), .png (a
 * picture from above at an angle). options may be NULL. */
RW_API rw_status rw_tile_map_write(const rw_tile_map *map, const char *path, const rw_tile_write_options *options);

/* Reads back what rw_tile_map_write wrote as .ply: shapes, kinds, buildings and layers; materials and transmitters are
 * not in the file. On failure *map is NULL. */
RW_API rw_status rw_tile_map_read(rw_context *context, const char *path, rw_tile_map **map);

/* Whether this build writes files of that name, so that a long prediction need not end with a refusal. */
RW_API rw_status rw_tile_map_check_name(rw_context *context, const char *path);

#ifdef __cplusplus
}
#endif
#endif
