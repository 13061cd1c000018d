/* rasterwave: prediction of radio waves in cities and buildings.
 *
 * The core; C11 and C++. It reads as a book: context, scene, transmitters, prediction, paths, output. calc.h has the
 * physics behind the models, calibrate.h measurements and what is learnt from them, device_maps.h many maps in one call
 * and memory of the GPU.
 *
 * Conventions: metres, right-handed frame, z up; SI units, the unit stands in each name; path loss in decibels is
 * positive. Every call that can fail returns an rw_status; rw_last_error(context) says why in one sentence. What a call
 * is given it copies where it keeps it; texts and arrays that it gives belong to the object they come from and live as
 * long, unless the call says that they are to be freed with rw_free. Texts may have any length.
 *
 * Sizes: every struct that a call takes or fills starts with its size in bytes. Options are filled by their init call,
 * which sets it; of other structs the caller sets it to sizeof of the struct before the call: rw_map_info info = {.size
 * = sizeof info}. The library reads and writes no more than that, so that a program and a library of other versions
 * work together: what an older program does not know stays at its default and is not written; what an older library
 * does not know is left out of options and is zero in results. A size of 0 is refused with RW_BAD_CALL. In an array of
 * structs all sizes are equal, and the first says how far the elements are apart. Structs that stand inside others by
 * value (rw_field_value, rw_error_statistics, rw_histogram) have no size and do not change.
 */
#ifndef RASTERWAVE_H
#define RASTERWAVE_H

#include <stddef.h>
#include <stdint.h>

#include <rasterwave/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a program may call; everything else stays hidden in the library. */
#if defined(__GNUC__)
#define RW_API __attribute__((visibility("default")))
#else
#define RW_API
#endif

/* ---------------------------------------------------------------------------------------------- status and context */

/* name, text */
#define RW_STATUS_MAP(X)                                                                                               \
    X(OK, "done")                                                                                                      \
    X(BAD_CALL, "the call or its options are wrong")                                                                   \
    X(BAD_INPUT, "the input is wrong")                                                                                 \
    X(NOT_FOUND, "not found")                                                                                          \
    X(UNSUPPORTED, "not supported by this build")                                                                      \
    X(TOO_LARGE, "larger than memory")                                                                                 \
    X(NOT_WRITABLE, "cannot be written")                                                                               \
    X(IO, "reading or writing failed")                                                                                 \
    X(OUT_OF_MEMORY, "out of memory")                                                                                  \
    X(DEVICE, "the device failed")                                                                                     \
    X(CANCELLED, "cancelled")                                                                                          \
    X(INTERNAL, "internal error")

/* What a call returns: RW_OK, or why it failed. */
typedef enum rw_status {
#define RW_STATUS_ENUM(name, text) RW_##name,
    RW_STATUS_MAP(RW_STATUS_ENUM)
#undef RW_STATUS_ENUM
} rw_status;

/* What a status means, in a few words; never NULL. */
RW_API const char *rw_status_text(rw_status status);

/* Version of the library that runs, with the commit it was built from. */
RW_API const char *rw_version(void);
/* Its version as one number, to be compared with RW_VERSION_NUMBER of the headers. */
RW_API int rw_version_number(void);
/* The optional libraries that are in it: "name: version", a bar between two. */
RW_API const char *rw_build_features(void);

/* Where calls compute: RW_BACKEND_AUTO takes a GPU where there is one, and the CPU otherwise. */
typedef enum rw_backend { RW_BACKEND_AUTO, RW_BACKEND_CPU, RW_BACKEND_CUDA } rw_backend;

/* A validity warning: a sentence. Called from the thread that made the call. */
typedef void (*rw_warning_fn)(void *user, const char *message);

/* Progress of a long call: share done in [0, 1] and what is being done. Return 0 to go on, anything else to cancel. */
typedef int (*rw_progress_fn)(void *user, double share, const char *stage);

/* Options of rw_context_create. */
typedef struct rw_context_options {
    size_t size;
    rw_backend backend;         /* AUTO: a GPU where there is one, the CPU otherwise */
    int threads;                /* on the CPU; 0: all cores */
    rw_warning_fn on_warning;   /* NULL: warnings are dropped */
    rw_progress_fn on_progress; /* may be NULL */
    void *user;                 /* handed to both */
    int allow_outside;          /* 1: a file may name files outside of its own folder; 0: it is refused */
} rw_context_options;

/* A context: backend, threads, callbacks and the last error of each thread. All other objects belong to one. */
typedef struct rw_context rw_context;

/* AUTO, all cores, no callbacks. Every init call is a macro that passes the size of the caller's struct. */
RW_API void rw_context_options_init_sized(rw_context_options *options, size_t size);
#define rw_context_options_init(options) rw_context_options_init_sized((options), sizeof *(options))

/* options NULL: as its init call leaves them. Where a backend that was asked for is not there, the call fails and
 * leaves a context for rw_last_error, which is to be destroyed like any other. A context must outlive the scenes and
 * maps made in it. */
RW_API rw_status rw_context_create(const rw_context_options *options, rw_context **context);
/* Frees a context after everything that was made in it; NULL is allowed. */
RW_API void rw_context_destroy(rw_context *context);

/* The sentence for the last call in this context that failed in the calling thread; "" where none did, never NULL.
 * Threads that share a context do not see each other's failures. The text lives until this thread's next failure in
 * this context, or its end. */
RW_API const char *rw_last_error(const rw_context *context);

/* Which backend calls in this context take ("cpu" or "cuda") and the machine in words. */
RW_API const char *rw_context_backend(const rw_context *context);
/* The machine in words. */
RW_API const char *rw_context_machine(const rw_context *context);

/* Where results come from, as lines of "key: value": version, command, options and whatever else the caller wants to
 * find again. It goes into every GeoTIFF, ENVI header, GeoPackage, HDF5 and PNG file that the context's calls write
 * from here on; NULL: nothing, as at first. The text is copied. Not while another thread writes. */
RW_API rw_status rw_context_set_provenance(rw_context *context, const char *text);
/* What a file of one of these formats says; "" where it says nothing. *text is to be freed with rw_free. */
RW_API rw_status rw_file_provenance(rw_context *context, const char *path, char **text);

/* Frees memory that a call has handed to the caller, where the call says so. NULL is fine. */
RW_API void rw_free(void *memory);

/* Writes a file as the library writes its own: under a random name beside the path, synchronised with the disk, then
 * renamed. The path has the old file or the whole new one, never a part. */
RW_API rw_status rw_write_file(rw_context *context, const char *path, const void *bytes, size_t size);

/* Removes the temporary files that calls of this process are writing at the moment; those calls fail. For handlers of
 * signals that end the process (SIGINT, SIGTERM, SIGHUP), from which it may be called; afterwards no file is written
 * any more. The unfinished file of a database that can be resumed stays. */
RW_API void rw_remove_unfinished(void);

/* Numbers with units, as on the command line: "947MHz", "1.5km", "43dBm", "30deg", "6mm", "10ns". A bare number is in
 * the quantity's own SI unit (degrees for angles). The whole text must be a number and a unit of that quantity. */
typedef enum rw_quantity {
    RW_QUANTITY_NUMBER,
    RW_QUANTITY_LENGTH_M,
    RW_QUANTITY_FREQUENCY_HZ,
    RW_QUANTITY_ANGLE_DEG,
    RW_QUANTITY_POWER_DBM,
    RW_QUANTITY_TIME_S,
    RW_QUANTITY_LEVEL_DB,
    RW_QUANTITY_BYTES,    /* "4GB", "512MiB" */
    RW_QUANTITY_RAIN_MM_H /* "20mm/h" */
} rw_quantity;

/* Reads a number with a unit. */
RW_API rw_status rw_parse_quantity(rw_context *context, const char *text, rw_quantity quantity, double *value);

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
} rw_load_options;

/* by content, default height 10 m, committed */
RW_API void rw_load_options_init_sized(rw_load_options *options, size_t size);
#define rw_load_options_init(options) rw_load_options_init_sized((options), sizeof *(options))

/* A scene from a file of any format that docs/reference/formats.md lists; options may be NULL. On failure *scene is
 * NULL. */
RW_API rw_status rw_scene_load(rw_context *context, const char *path, const rw_load_options *options, rw_scene **scene);
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
    double built_share;                         /* of the extent's area */
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

/* --------------------------------------------------------------------------------------- antennas and transmitters */

/* An antenna pattern. */
typedef struct rw_antenna rw_antenna;

/* "isotropic", "dipole" (half a wavelength, vertical), "3gpp" (one element of TR 38.901) or the path of an MSI/Planet
 * file. */
RW_API rw_status rw_antenna_create(rw_context *context, const char *description, rw_antenna **antenna);
/* Frees an antenna; NULL is allowed. */
RW_API void rw_antenna_destroy(rw_antenna *antenna);
/* Name of an antenna. */
RW_API const char *rw_antenna_name(const rw_antenna *antenna);

/* Gain in dBi in the antenna's own frame: theta from its zenith, phi from its boresight, counter-clockwise, in degrees.
 */
RW_API double rw_antenna_gain_dbi(const rw_antenna *antenna, double theta_deg, double phi_deg);

/* A transmitter: place, antenna, power and frequency. */
typedef struct rw_transmitter {
    size_t size;
    const char *name; /* NULL: "" */
    double x_m, y_m;
    double height_m;     /* above ground */
    double azimuth_deg;  /* of the boresight, clockwise from north */
    double downtilt_deg; /* lowers the boresight */
    double roll_deg;     /* clockwise, as seen from behind the antenna */
    double power_dbm;
    double freq_hz;      /* 0: the prediction's */
    const char *antenna; /* as rw_antenna_create takes it; NULL: isotropic */
    const char *channel; /* name or number; transmitters of the same frequency and channel interfere; NULL: "" */
    double slant_deg;    /* polarisation: 0 vertical, 90 horizontal, 45 and -45 slanted (3GPP TR 38.901, 7.3.2) */
    int dual_polarised;  /* 1: a second port at slant_deg - 90; channels of rw_paths_write_channel have both, and maps
                            the  sum of their powers, of which each has half */
    double load; /* share of its resource elements that it uses, as interferer: above 0 to 1; 0: the prediction's; below
                    0: none */
    double radius_m; /* it is computed so far; 0: as the prediction says */
} rw_transmitter;

/* isotropic, 30 dBm, 10 m above ground at (0, 0) */
RW_API void rw_transmitter_init_sized(rw_transmitter *transmitter, size_t size);
#define rw_transmitter_init(transmitter) rw_transmitter_init_sized((transmitter), sizeof *(transmitter))

/* Sets the polarisation by a word: "vertical", "horizontal", a slant in degrees ("45"), "dual" (+45 and -45), "vh". */
RW_API rw_status rw_transmitter_set_polarisation(rw_context *context, rw_transmitter *transmitter, const char *text);

/* A sites CSV: a header line with x, y, height and, where given, name, azimuth, tilt, roll, power, freq, antenna,
 * channel (docs/reference/formats.md). *sites is to be freed with rw_free; on failure it is NULL. */
RW_API rw_status rw_sites_load_sized(rw_context *context, const char *path, size_t size, rw_transmitter **sites,
                                     size_t *count);
#define rw_sites_load(context, path, sites, count)                                                                     \
    rw_sites_load_sized((context), (path), sizeof **(sites), (sites), (count))

/* The same without lines that cannot be used, which are told as warnings and counted in *left_out. */
RW_API rw_status rw_sites_load_good_sized(rw_context *context, const char *path, size_t size, rw_transmitter **sites,
                                          size_t *count, size_t *left_out);
#define rw_sites_load_good(context, path, sites, count, left_out)                                                      \
    rw_sites_load_good_sized((context), (path), sizeof **(sites), (sites), (count), (left_out))

/* Options of rw_sites_load_for. */
typedef struct rw_sites_options {
    size_t size;
    const char *crs;    /* of x and y in the table; NULL: that of to_crs */
    const char *to_crs; /* into which places are brought, as rw_scene_crs; needed for crs, longitude and latitude */
    int skip_bad;       /* 1: lines that cannot be used are left out and counted */
    rw_warning_fn on_left_out; /* receives a sentence for each; NULL: the first are told as warnings */
    void *user;                /* handed to it */
} rw_sites_options;

/* Places as they are, bad lines refused. */
RW_API void rw_sites_options_init_sized(rw_sites_options *options, size_t size);
#define rw_sites_options_init(options) rw_sites_options_init_sized((options), sizeof *(options))

/* A sites CSV whose places may be in another coordinate system, or columns longitude and latitude. */
RW_API rw_status rw_sites_load_for_sized(rw_context *context, const char *path, const rw_sites_options *options,
                                         size_t size, rw_transmitter **sites, size_t *count, size_t *left_out);
#define rw_sites_load_for(context, path, options, sites, count, left_out)                                              \
    rw_sites_load_for_sized((context), (path), (options), sizeof **(sites), (sites), (count), (left_out))

/* ------------------------------------------------------------------------------------------------------ parameters */

/* The numbers of a model that measurements can teach (rw_calibrate): what a corner, a roof or a wall costs. Files are
 * described in docs/explanation/calibration.md. */
typedef struct rw_params rw_params;

/* One parameter of a model. */
typedef struct rw_parameter {
    size_t size;
    const char *name, *unit, *about;
    const char *group; /* parameters that are calibrated together */
    double value, uncalibrated;
    double low, high;      /* between which the value must be */
    double standard_error; /* NaN: not calibrated */
} rw_parameter;

/* How the values came about; points 0: not by calibration. Errors in dB, NaN where there is none. */
typedef struct rw_params_record {
    size_t size;
    const char *data;    /* file name of the measurements; all four are "" where not known */
    const char *effects; /* of the prediction that was calibrated */
    const char *date;    /* YYYY-MM-DD */
    const char *holdout; /* what was kept out of the fit */
    size_t points, holdout_points;
    double rmse_before_db, rmse_after_db;
    double holdout_rmse_before_db, holdout_rmse_after_db;
} rw_params_record;

/* Uncalibrated values of a model at a frequency. */
RW_API rw_status rw_params_create(rw_context *context, const char *model, double freq_hz, rw_params **params);
/* Frees parameters; NULL is allowed. */
RW_API void rw_params_destroy(rw_params *params);
/* Name of the model that the parameters belong to. */
RW_API const char *rw_params_model(const rw_params *params);
/* Frequency at which the parameters hold. */
RW_API double rw_params_freq_hz(const rw_params *params);
/* Number of parameters. */
RW_API size_t rw_params_count(const rw_params *params);
/* One parameter, from 0. */
RW_API rw_status rw_params_get(const rw_params *params, size_t index, rw_parameter *parameter);
/* The record of the calibration. */
RW_API rw_status rw_params_get_record(const rw_params *params, rw_params_record *record);

/* One value between its bounds. The four of a curve a0 + a1 x + a2 x^2 + a3 x^3 must together give a loss that is not
 * negative and does not fall between 0 and pi: that is checked when they are used or saved. */
RW_API rw_status rw_params_set(rw_params *params, const char *name, double value);

/* A JSON file; on failure *params is NULL. */
RW_API rw_status rw_params_load(rw_context *context, const char *path, rw_params **params);
/* Writes the values, with their record, as a JSON file. */
RW_API rw_status rw_params_save(const rw_params *params, const char *path);

/* ------------------------------------------------------------------------------------------------------ prediction */

/* A radio map: layers of values on a grid of cells. */
typedef struct rw_map rw_map;
typedef struct rw_database rw_database; /* see rw_preprocess */

/* An option that was not chosen: whole numbers are RW_UNSET, other numbers NaN, texts and handles NULL. The model's own
 * value then holds: rw_model_option_get has it, with the range and the meaning of every option of a model. An option
 * that is set and that the model does not have is refused, and so is a value out of range. */
#define RW_UNSET (-2147483647 - 1)

/* Options of rw_predict, rw_trace and of the calls that predict at measured points. */
typedef struct rw_predict_options {
    size_t size;
    const char *model; /* one of rw_model_name() */
    const rw_transmitter *transmitters;
    size_t transmitter_count; /* at least 1 */

    /* Of all models. */
    const char *layers;         /* comma-separated, of rw_model_layers() */
    double freq_hz;             /* of transmitters that name none */
    double res_m;               /* side of a cell */
    double rx_height_m;         /* of the receivers above ground */
    double area_m[4];           /* x0, y0, x1, y1; unset: the scene's extent */
    double memory_bytes;        /* budget of main memory */
    double device_memory_bytes; /* budget of the GPU's memory */

    /* Of several models, or of one. */
    const char *effects;         /* propagation mechanisms, comma-separated, or "none" */
    const char *method;          /* algorithm of the model */
    const rw_database *database; /* of the same scene and cells; NULL: without */
    const rw_params *params;     /* of the model; NULL: uncalibrated values at each transmitter's frequency */
    const char *reuse;           /* file of traced paths, made where there is none and used where there is one;
                                    frequency, losses, materials, antennas and powers may change, the rest must not */
    int depth;                   /* most interactions of a path */
    int reflections, transmissions, diffractions, scatterings; /* most of each kind, of a path */
    int horizontal_diffractions, vertical_diffractions;        /* cubes: most at horizontal and at vertical edges */
    int order;                                                 /* shadow: most street corners of a path */
    int best;                                                  /* how many of the strongest paths count */
    const char *sum;                                           /* how paths add: "coherent", "power" or "local" */
    double loss_max_db;                                        /* paths with a higher loss are dropped */
    const char *losses;                /* beams: "theory", or constants in dB: "reflection=6,diffraction=25" */
    int delay_bins;                    /* beams: of the histogram of delays */
    double delay_bin_s, delay_first_s; /* width of a bin, and where the first begins */
    int pixels;                        /* images: of a side of each of the six views */
    int threshold;                     /* images: least pixels of a surface that is followed */
    int rays;                          /* sbr: parts that an edge of the icosahedron is cut into: 10 n^2 + 2 rays */
    double tile_area_m2;               /* tiles: of a tile; rt: of a patch that scatters */
    const char *cells;                 /* tiles: cells of a map are "exact" or take the "nearest" ground tile */
    /* Receivers on a rectangle anywhere in space in place of the area at rx_height_m: x, y, altitude of a corner, then
     * its two sides as vectors, at right angles to each other. */
    double plane_m[9];
    const char *wedge;  /* beams, tiles, rt: diffraction coefficients of lossy edges, "holm" or "luebbers" */
    const char *direct; /* images, sbr: the direct path through walls is there "always" or as "limited" as others */
    const char *indoor; /* outdoor models: the loss into buildings, "slab", "p2109" or "p2109-efficient" */
    double rain_mm_h;   /* outdoor models: rain on the way (ITU-R P.838) */
    const char *gas;    /* outdoor models: gases of the air (ITU-R P.676), "standard" or "none" */
    const char *walls;  /* shadow: what walls cost, "slab" or "constant"; unset: slab where params have no own walls */
    const char *prior; /* median loss of cities towards which what no path explains is drawn: "3gpp", "p1411", "none" */
    const char *roofs; /* beams, cubes, tiles: the way over the roofs: "vogler", "polynomial", "none" */
    int sigma;         /* shadow: members of the ensemble behind layer "sigma" */
    double level_dbm;  /* shadow: received power whose probability layer "coverage_probability" has */
    double roughness;  /* rt, tiles: effective roughness S of walls and roofs whose materials have none, 0 to 1 */
    int block;         /* cubes: side of a supercube in cubes, for the methods "supercubes" and "rings" */
    /* images, sbr: what slabs displace: views and paths "full", "paths" alone, or "none": straight through walls */
    const char *refraction;
    const char *surfaces; /* images, sbr: parts of one plane are one surface where they are "touching", or "coplanar" */
    const char *validation; /* images: paths are checked as "exact", or "none": the depth buffer alone decides */
    const char *traversal;  /* images: the tree by "levels", or by "recursion" with one frame buffer */
    double sphere_m; /* sbr: radius of reception spheres, whose hits ray density normalises; unset: the nearest ray */
    int floor;       /* outdoor models with indoor: storey of the receivers, 3 m each, 0 at the ground */
    const char
        *tiling;       /* beams: pixels of a rasteriser's block, and blocks of the grid that shares a beam: "8x4,2x2" */
    const char *split; /* beams: how beams are split at walls, "sweep" or "buffer" */
    int split_pixels;  /* beams: of that buffer */
    const char *clip;  /* beams: what finds the walls of a beam, "grid" or "quadtree" */
    int tile_quarter;  /* tiles: how often tiles of roofs and ground at an outline are cut into four */
    const char *lobe;  /* rt, tiles: of scattered power: "lambertian", "directive" or "backscattering" */
    /* Of the layers of a network (rsrp, interference, noise, sinr, throughput): */
    double bandwidth_hz;          /* of a channel */
    int resource_blocks;          /* that the transmitted power is spread over; unset: 90 % of the bandwidth */
    double subcarrier_spacing_hz; /* of resource elements */
    double noise_figure_db;       /* of the receivers */
    double load;                  /* share of their resource elements that interferers use, 0 to 1 */
    const char *throughput;       /* from SINR: "3gpp" or "shannon" */
    const char *rx_antenna;       /* beams, images, rt, sbr, tiles: of all receivers, as rw_antenna_create takes it */
    double rx_azimuth_deg, rx_tilt_deg, rx_roll_deg; /* its orientation, as that of a transmitter */
    double
        rx_slant_deg; /* images, rt, sbr, tiles: its polarisation, from vertical, 45 for slanted, 90 for horizontal */
    const char *reference;   /* power from which path loss counts: "eirp" or "erp"; unset: as the model says */
    double exclude_within_m; /* receivers nearer to a transmitter have no value */
    double antenna_size_m;   /* the same within 2 D^2 / lambda, for antennas of largest dimension D */
    double tile_least_m, tile_least_m2; /* tiles: narrower and smaller walls and roofs have no tiles */
    double k_factor;  /* outdoor models, on terrain: effective earth radius over the true one, 6371 km; unset: 4/3 */
    const char *zone; /* file of polygons that limits the map: elsewhere there are no receivers; NULL: none */
    const char *street_method; /* shadow: paths round corners by the "graph" of corners, or by shadow "polygons" */
    const char *tile_shape;    /* tiles: "rectangle" or "triangle" */
    /* Each transmitter is computed only within its range: so far from it (unset: everywhere), and as far as the power
     * received from it may exceed a level, bounded by free space and the antenna's largest gain (unset: none). Other
     * cells have no value of it, and it neither serves nor interferes there. */
    double radius_m, range_level_dbm;
} rw_predict_options;

/* The beams of the transmitters of a prediction by the model beams as polygons: GeoJSON with the kind and interactions
 * of each. */
RW_API rw_status rw_write_beams(const rw_scene *scene, const rw_predict_options *options, const char *path);

/* The corners that send the waves of a prediction by the model shadow or beams on, as points: GeoJSON with the order of
 * each, the least loss up to it and what leads round it: cells, or beams. */
RW_API rw_status rw_write_diffraction_sources(const rw_scene *scene, const rw_predict_options *options,
                                              const char *path);

/* Model shadow, all else unset. */
RW_API void rw_predict_options_init_sized(rw_predict_options *options, size_t size);
#define rw_predict_options_init(options) rw_predict_options_init_sized((options), sizeof *(options))

/* The same with a model. */
RW_API void rw_predict_options_init_for_sized(rw_predict_options *options, const char *model, size_t size);
#define rw_predict_options_init_for(options, model)                                                                    \
    rw_predict_options_init_for_sized((options), (model), sizeof *(options))

/* Sets one option of options->model by its name and a text with a unit, as on the command line and in project files:
 * "loss-max", "150dB"; "model" among them. The options point to the text where they hold texts, so it must live as long
 * as they do. */
RW_API rw_status rw_predict_options_set(rw_context *context, rw_predict_options *options, const char *name,
                                        const char *text);

/* Checks the options as every call does that takes them, and sets the unset ones to the model's values; those whose
 * value the model chooses by the scene stay unset. */
RW_API rw_status rw_predict_options_complete(rw_context *context, rw_predict_options *options);

/* Whether a prediction can be made from one of the transmitters, from 0: it stands in the open, its antenna is known.
 * The sentence says why not. */
RW_API rw_status rw_check_transmitter(const rw_scene *scene, const rw_predict_options *options, size_t index);

/* A radio map on a committed scene. The layers of the map are in the model's order, with one band for each transmitter
 * (layer "best" has one). On failure *map is NULL. */
RW_API rw_status rw_predict(const rw_scene *scene, const rw_predict_options *options, rw_map **map);
/* Frees a map; NULL is allowed. */
RW_API void rw_map_destroy(rw_map *map);

/* Received power of the strongest transmitter in every storey of 3 m of every part of a building, with values inside by
 * options->indoor (unset: slab): a prediction for each storey, from rx_height_m on. By the name's end .csv, .gpkg,
 * .geojson or .shp: building, part, storey, height, cells, least, median and largest power, and the percentage of cells
 * at level_dbm or above (NaN: none). */
RW_API rw_status rw_predict_storeys(const rw_scene *scene, const rw_predict_options *options, double level_dbm,
                                    const char *path);

/* What a prediction would take, before it starts. */
typedef struct rw_estimate {
    size_t size;
    size_t cells, transmitters;
    double bytes;        /* of memory, beside buffers that take what the budget leaves */
    double device_bytes; /* the same of the GPU's memory */
    double table_bytes;  /* of tables of what sees what, from a sample; in the GPU's memory where there is one */
    double seconds;      /* on this machine; runs took from a third to three times as long */
} rw_estimate;

/* Checks the options as rw_predict does, and says what it would take. */
RW_API rw_status rw_predict_estimate(const rw_scene *scene, const rw_predict_options *options, rw_estimate *estimate);

/* The same of rw_trace and of other calls that predict at so many points for each transmitter: cells are the points. */
RW_API rw_status rw_trace_estimate(const rw_scene *scene, const rw_predict_options *options, size_t point_count,
                                   rw_estimate *estimate);

/* What of a prediction does not depend on the transmitter, computed once and kept in a file: for the shadow model which
 * street corners see each other and which of them each receiver sees; for tiles which pieces of walls, roofs and ground
 * see each other (docs/explanation/tiles.md). Predictions with it are the same, and faster. */
typedef struct rw_preprocess_options {
    size_t size;
    const char *model;                    /* shadow or tiles */
    double res_m, rx_height_m, area_m[4]; /* shadow: the cells, as in rw_predict_options */
    double memory_bytes, device_memory_bytes;
    double tile_area_m2; /* tiles: wanted area of a tile */
    int tile_quarter;    /* tiles: how often tiles of roofs and ground at an outline are cut into four */
    const char *update;  /* tiles: database of the scene before buildings changed; what they cannot change is taken from
                            it */
    double tile_least_m, tile_least_m2; /* tiles: narrower and smaller walls and roofs have no tiles */
    const char *tile_shape;             /* tiles: "rectangle" or "triangle" */
} rw_preprocess_options;

/* Model shadow, all else unset. */
RW_API void rw_preprocess_options_init_sized(rw_preprocess_options *options, size_t size);
#define rw_preprocess_options_init(options) rw_preprocess_options_init_sized((options), sizeof *(options))

/* As rw_predict_options_set. */
RW_API rw_status rw_preprocess_options_set(rw_context *context, rw_preprocess_options *options, const char *name,
                                           const char *text);

/* Writes the database at path, whole or not at all. options may be NULL. A run for tiles that is stopped leaves what it
 * has in path.unfinished, and the same call resumes it. */
RW_API rw_status rw_preprocess(const rw_scene *scene, const rw_preprocess_options *options, const char *path);

/* What that would take, from a sample of the tiles; of shadow from one of corners and receivers. */
typedef struct rw_preprocess_estimate {
    size_t size;
    size_t tiles, bands; /* rows are computed in so many bands, each in the working memory */
    double pairs, seconds, file_bytes;
    double memory_bytes, device_bytes; /* of the machine, and of its GPU */
    size_t corners;                    /* of shadow; its pairs are those of corners and receivers */
} rw_preprocess_estimate;

/* Times a sample of the tiles. options may be NULL. */
RW_API rw_status rw_preprocess_get_estimate(const rw_scene *scene, const rw_preprocess_options *options,
                                            rw_preprocess_estimate *estimate);

/* Loads it for the committed scene it was made for; any other is refused. It must be destroyed before the scene. */
RW_API rw_status rw_database_load(const rw_scene *scene, const char *path, rw_database **database);
/* Frees a database; NULL is allowed. */
RW_API void rw_database_destroy(rw_database *database);

/* Content of a database. */
typedef struct rw_database_info {
    size_t size;
    const char *model; /* one of rw_model_name() */
    size_t columns, rows;
    double x0_m, y0_m, res_m, rx_height_m;
    size_t corners, links, entries; /* links between corners; entries of corners in chunks of 32 receivers; of tiles how
                                       many see each other, counted from both sides */
    size_t tiles, edges;
    double tile_area_m2;
    double bytes; /* of the file */
} rw_database_info;

/* Content of a database that is loaded. */
RW_API rw_status rw_database_get_info(const rw_database *database, rw_database_info *info);
/* Content of a file, without a scene. */
RW_API rw_status rw_database_read_info(rw_context *context, const char *path, rw_database_info *info);

/* Tile visibility of a database of model tiles, whose tiles are numbered as those of rw_tile_map (RW_BAD_CALL where the
 * database is of another model or has no such tile). Whether the tiles see each other: 1 or 0. */
RW_API rw_status rw_database_tile_sees(const rw_database *database, size_t tile, size_t other, int *sees);
/* The tiles that a tile sees, rising. *count receives how many there are, tiles the first of them, capacity at most. */
RW_API rw_status rw_database_tiles_seen(const rw_database *database, size_t tile, uint32_t *tiles, size_t capacity,
                                        size_t *count);
/* The whole visibility matrix as an HDF5 file in compressed sparse rows, with the geometry of the tiles:
 *
 *   indptr   [tiles + 1]   where the row of each tile begins in indices, and the end of the last
 *   indices  [entries]     the tiles that it sees, rising; all entries of the matrix are 1
 *   centre, normal  [tiles, 3]  m, in the scene's coordinates; area [tiles] m2; kind [tiles] 0 wall, 1 roof, 2 ground;
 *   building [tiles]       number of its building, 0 where there is none */
RW_API rw_status rw_database_write_csr(const rw_database *database, const char *path);

/* What is in a file that the library keeps, without a scene: a database of rw_preprocess, or the paths that the option
 * reuse of rw_predict_options keeps. Opening checks the whole file. */
typedef struct rw_kept_file rw_kept_file;

/* Header of a kept file. */
typedef struct rw_kept_file_info {
    size_t size;
    const char *kind;    /* "corner database", "tile database", "kept beams" or "kept rays" */
    const char *model;   /* that takes it */
    const char *program; /* version of the program that made it */
    uint64_t scene;      /* identity of the scene it is of: a hash of its geometry */
    uint32_t version;    /* of this kind */
    size_t sections;     /* names of sections */
    double bytes;        /* of the file */
} rw_kept_file_info;

/* All sections of one name: parts are one for each transmitter, or for each band of rows. */
typedef struct rw_kept_section {
    size_t size;
    const char *name;
    size_t parts;
    double elements, bytes;
} rw_kept_section;

/* Whether a file is one of these, by its first bytes: 1 or 0. */
RW_API int rw_kept_file_recognise(rw_context *context, const char *path);
/* Opens a kept file and checks all of it. */
RW_API rw_status rw_kept_file_open(rw_context *context, const char *path, rw_kept_file **file);
/* Closes it; its texts end with it. NULL is allowed. */
RW_API void rw_kept_file_close(rw_kept_file *file);
/* The header of a kept file. */
RW_API rw_status rw_kept_file_get_info(const rw_kept_file *file, rw_kept_file_info *info);
/* The sections of one name, from 0. */
RW_API rw_status rw_kept_file_get_section(const rw_kept_file *file, size_t index, rw_kept_section *section);

/* Kept rays of one transmitter, or of all: what the option reuse of model tiles keeps. */
typedef struct rw_kept_rays_info {
    size_t size;
    size_t transmitters, tiles, edges, points;         /* of the file: between which rays lead */
    int depth, reflections, diffractions, scatterings; /* limits of interactions that they were found with */
    double freq_hz, loss_db;                           /* of the first transmitter: rays down to this loss were kept */
    size_t rays, to_tiles, to_points;
    size_t scattered;             /* of them: begin at a scattering tile */
    size_t by_count[8];           /* of them: with so many interactions */
    size_t reflected, diffracted; /* interactions of all rays */
} rw_kept_rays_info;

/* Counts of the rays of a file of kind "kept rays"; RW_BAD_CALL for other kinds. transmitter from 0; SIZE_MAX: all. */
RW_API rw_status rw_kept_file_get_rays(rw_kept_file *file, size_t transmitter, rw_kept_rays_info *info);

/* How many models there are. */
RW_API size_t rw_model_count(void);
/* Name of a model, from 0; NULL beyond the last. */
RW_API const char *rw_model_name(size_t index);
/* All layers that a model can give, comma-separated; NULL beyond the last. */
RW_API const char *rw_model_layers(size_t index);
/* Its layers where none is asked for; NULL beyond the last. */
RW_API const char *rw_model_default_layers(size_t index);

/* What an option's text is, and which fields of an options struct hold it. */
typedef enum rw_option_type {
    RW_OPTION_WHOLE,    /* a whole number: int */
    RW_OPTION_QUANTITY, /* a number with a unit: double */
    RW_OPTION_TEXT,
    RW_OPTION_CHOICE,   /* one of several words */
    RW_OPTION_LIST,     /* some of several words, with commas */
    RW_OPTION_FILE,     /* path of a file */
    RW_OPTION_AREA,     /* X0,Y0,X1,Y1: four doubles */
    RW_OPTION_PLANE,    /* X,Y,Z:UX,UY,UZ:VX,VY,VZ: nine doubles */
    RW_OPTION_BINS,     /* N,WIDTH[,FIRST]: how many bins, their width, and where the first begins */
    RW_OPTION_DATABASE, /* an rw_database; the caller loads it */
    RW_OPTION_PARAMS    /* an rw_params; the caller loads it */
} rw_option_type;

/* Calls that use an option: bits of rw_model_option_info.calls. */
enum {
    RW_OPTION_OF_PREDICT = 1, /* rw_predict, rw_predict_tiles */
    RW_OPTION_OF_TRACE = 2,
    RW_OPTION_OF_EVALUATE = 4, /* rw_evaluate_model, rw_calibrate */
    RW_OPTION_OF_PREPROCESS = 8
};

/* One option of a model. */
typedef struct rw_model_option_info {
    size_t size;
    const char *name; /* "loss-max"; the field is loss_max_db */
    rw_option_type type;
    rw_quantity quantity;     /* of RW_OPTION_QUANTITY and AREA */
    int calls;                /* that use it */
    int of_all_models;        /* 1: every model has it */
    double least, most;       /* of numbers */
    const char *unit;         /* of these; "" where there is none */
    const char *default_text; /* value where it is unset, or in words how it is chosen */
    const char *choices;      /* comma-separated words; NULL: any text */
    const char *help;         /* a sentence */
} rw_model_option_info;

/* How many options a model has; 0 where there is no such model. */
RW_API size_t rw_model_option_count(const char *model);

/* One of them, those of all models first. RW_NOT_FOUND beyond the last. Set size to sizeof(rw_model_option_info) before
 * the call. */
RW_API rw_status rw_model_option_get(const char *model, size_t index, rw_model_option_info *info);

/* The cells of a map: cell (column, row) has its centre at x0 + (column + 0.5) res, y0 + (row + 0.5) res; row 0 is the
 * southernmost. */
typedef struct rw_map_info {
    size_t size;
    size_t columns, rows, layers;
    double x0_m, y0_m, res_m, rx_height_m;
    double prepare_s, solve_s, write_s;
    const char *model, *backend; /* "" where a file does not say */
    int has_plane;     /* 1: the cells lie on a rectangle in space, and x and y above are lengths along its two sides */
    double plane_m[9]; /* its corner and sides, as in rw_predict_options */
    const char *prior; /* towards which losses are drawn: "3gpp", "p1411", "none"; "" where a file does not say */
    int in_degrees;    /* 1: a raster of longitude and latitude; x0, y0 and res are degrees, not metres */
} rw_map_info;

/* Grid, model and times of a map. */
RW_API rw_status rw_map_get_info(const rw_map *map, rw_map_info *info);

/* The coordinate system of a map; "" where none is known. */
RW_API const char *rw_map_crs(const rw_map *map);

/* Values of nodata (inside buildings, outside the map) are NaN; "computed, no path found" is +infinity. The pointers
 * belong to the map. */
typedef struct rw_map_layer {
    size_t size;
    const char *name, *unit;
    size_t bands;
    const float *values; /* band after band, row after row from the south */
    double min, max;     /* of the finite values */
    size_t count;        /* of the values that are not nodata */
} rw_map_layer;

/* One layer of a map, from 0. */
RW_API rw_status rw_map_get_layer(const rw_map *map, size_t index, rw_map_layer *layer);

/* The number of the layer of that name; RW_NOT_FOUND where the map has none, with the names that it has. */
RW_API rw_status rw_map_find_layer(const rw_map *map, const char *name, size_t *index);

/* The title of a layer in words, as on pictures; the name itself where nothing is known of it. */
RW_API const char *rw_layer_title(const char *name);

/* Adds the layer "reception" to a map with path losses or powers: 1 where a path arrives, 0 where a receiver has none,
 * nodata where there is no receiver. Nothing is added where every receiver has a path. */
RW_API rw_status rw_map_add_reception(rw_map *map);

/* Name, place and height of the transmitter that a band is of; the rest is as rw_transmitter_init leaves it.
 * RW_NOT_FOUND where the map does not say, as maps of other programs. */
RW_API rw_status rw_map_get_transmitter(const rw_map *map, size_t band, rw_transmitter *transmitter);

/* What a band of a layer (both from 0) is called: its transmitter, and where there are several of each, one above the
 * other, also the altitude: "mast 1 at 6.5 m". At most size bytes. */
RW_API rw_status rw_map_get_band_name(const rw_map *map, size_t layer, size_t band, char *name, size_t size);

/* How much power arrives when: for each transmitter (band) and cell, bins of delay from first_s on. Kept where
 * delay_bins was asked for; RW_NOT_FOUND otherwise. */
typedef struct rw_map_histogram {
    size_t size;
    size_t bands, bins;
    double first_s, bin_s;
    const float *values; /* received over transmitted power between isotropic antennas; of a cell bin after bin, cell
                            after cell as in a layer; 0 where nothing arrives */
} rw_map_histogram;

/* The histograms of delays of a map. */
RW_API rw_status rw_map_get_histogram(const rw_map *map, rw_map_histogram *histogram);

/* The histogram as HDF5: set "power" of bands x rows x columns x bins, with the axes x, y and delay. */
RW_API rw_status rw_map_write_histogram(const rw_map *map, const char *path);

/* The histogram of delays of one cell. */
typedef struct rw_delay_profile {
    size_t size;
    double x_m, y_m; /* centre of the cell */
    size_t bins;
    double first_s, bin_s;
    float *power;                        /* in each bin, received over transmitted; rw_free() it */
    double path_loss_db;                 /* of all bins; infinite where nothing arrives */
    double mean_delay_s, delay_spread_s; /* of the bins' middles, weighted by power; NaN where nothing arrives */
} rw_delay_profile;

/* That of the cell at a place for one transmitter, from 0. */
RW_API rw_status rw_map_get_delay_profile(const rw_map *map, double x_m, double y_m, size_t transmitter,
                                          rw_delay_profile *profile);
/* The same from a file of rw_map_write_histogram. */
RW_API rw_status rw_delay_profile_read(rw_context *context, const char *path, double x_m, double y_m,
                                       size_t transmitter, rw_delay_profile *profile);
/* A PNG picture of it: power over delay. */
RW_API rw_status rw_delay_profile_draw(rw_context *context, const rw_delay_profile *profile, const char *path);

/* How much of a map with the layer "power" is received at a level or above. Outdoor cells are all that are not inside
 * buildings: streets, squares, courtyards. */
typedef struct rw_coverage {
    size_t size;
    size_t cells, outdoor_cells, covered_cells;
    double share_of_area;    /* covered cells of all cells */
    double share_of_outdoor; /* covered cells of outdoor cells; NaN where there is none */
} rw_coverage;

/* In place of a band: the strongest transmitter in each cell. */
#define RW_ALL_BANDS ((size_t)-1)

/* By the transmitter of one band, or, with RW_ALL_BANDS, by the strongest in each cell. */
RW_API rw_status rw_map_coverage(const rw_map *map, size_t band, double level_dbm, rw_coverage *coverage);

/* What of two maps is compared. */
typedef struct rw_map_compare_options {
    size_t size;
    const char *layer; /* NULL: the first of each */
    size_t band;       /* from 0; RW_ALL_BANDS: all */
    double above;      /* how many cells differ by more than this, in the layer's unit */
} rw_map_compare_options;

/* All bands of the first layers, and above 10. */
RW_API void rw_map_compare_options_init_sized(rw_map_compare_options *options, size_t size);
#define rw_map_compare_options_init(options) rw_map_compare_options_init_sized((options), sizeof *(options))

/* How far the second map is from the first, over the cells where both have a finite value; NaN where there is none. */
typedef struct rw_map_difference {
    size_t size;
    size_t cells;                   /* compared */
    size_t only_first, only_second; /* cells with a value in one of the maps alone */
    double mean, rms;
    double max, max_x_m, max_y_m; /* largest difference, with its sign, and the cell where it is */
    double above, share_above;    /* share of the cells that differ by more than above */
} rw_map_difference;

/* Compares two maps of the same cells; RW_BAD_CALL where their cells, units or bands differ. map, where not NULL,
 * receives second - first as a map with the layer "difference"; on failure *map is NULL. options NULL: as from init. */
RW_API rw_status rw_map_compare(const rw_map *first, const rw_map *second, const rw_map_compare_options *options,
                                rw_map_difference *difference, rw_map **map);

/* ----------------------------------------------------------------------------------------------------------- paths */

/* How a wave gets from a transmitter to a point: its vertices, what happens at each, and what that costs. */
typedef struct rw_point {
    size_t size;
    double x_m, y_m;
    double height_m; /* above ground; NaN: the prediction's rx_height_m */

    /* An antenna of its own, as rx_antenna and its angles of a prediction, which count at all other points. NULL: none,
     * and the angles are not read. "": the prediction's, with these angles; an angle of NaN is the prediction's. */
    const char *antenna;
    double azimuth_deg, tilt_deg, roll_deg, slant_deg;
} rw_point;

/* When a receiver is at its point, and how it moves. */
typedef struct rw_motion {
    size_t size;
    double time_s;
    double velocity_m_s[3]; /* east, north and up; all 0: at rest */
} rw_motion;

/* Options of rw_points_load. */
typedef struct rw_points_options {
    size_t size;
    const char *crs;    /* of the file; NULL: as it says, degrees where its columns or its format have them */
    const char *to_crs; /* into which points are brought, as rw_scene_crs; NULL: as they are */
    double speed_m_s;   /* along the route, in place of the file's times; 0: by its times */
} rw_points_options;

/* Points as they are, velocities by their times. */
RW_API void rw_points_options_init_sized(rw_points_options *options, size_t size);
#define rw_points_options_init(options) rw_points_options_init_sized((options), sizeof *(options))

/* Points or a route from CSV, GPX or GeoJSON, with times and velocities where the file has times or a speed is given
 * (docs/reference/formats.md). *points and *motions, one for each, are to be freed with rw_free; on failure they are
 * NULL. */
RW_API rw_status rw_points_load_sized(rw_context *context, const char *path, const rw_points_options *options,
                                      size_t point_size, size_t motion_size, rw_point **points, rw_motion **motions,
                                      size_t *count);
#define rw_points_load(context, path, options, points, motions, count)                                                 \
    rw_points_load_sized((context), (path), (options), sizeof **(points), sizeof **(motions), (points), (motions),     \
                         (count))

/* name, word in files and on the command line */
#define RW_INTERACTION_MAP(X)                                                                                          \
    X(END, "end")               /* the transmitter or the point itself */                                              \
    X(STREET, "street")         /* diffraction at a vertical edge */                                                   \
    X(ROOF, "roof")             /* diffraction at a horizontal edge or the ground */                                   \
    X(WALL, "wall")             /* transmission */                                                                     \
    X(REFLECTION, "reflection") /* specular */                                                                         \
    X(SCATTERING, "scattering") /* diffuse */

/* What happens at a vertex of a path. */
typedef enum rw_interaction {
#define RW_INTERACTION_ENUM(name, word) RW_INTERACTION_##name,
    RW_INTERACTION_MAP(RW_INTERACTION_ENUM)
#undef RW_INTERACTION_ENUM
} rw_interaction;

/* The word for an interaction in files and on the command line. */
RW_API const char *rw_interaction_word(rw_interaction interaction);

/* A vertex of a path: its place, interaction and loss. */
typedef struct rw_path_vertex {
    size_t size;
    double x_m, y_m, z_m; /* altitude */
    rw_interaction interaction;
    float angle_rad; /* by which the path turns here */
    float loss_db;   /* of this interaction; of the transmitter's end, a calibrated offset */
    /* Of images: */
    float loss_factor;    /* by which a calibrated parameter has multiplied the loss; 1: none has */
    const char *surface;  /* slab or material that is met; NULL: none is told */
    const char *material; /* of its thickest layer; both live as long as the paths */
} rw_path_vertex;

/* A path from a transmitter to a point. */
typedef struct rw_path {
    size_t size;
    size_t point, transmitter;      /* from 0, as given */
    const rw_path_vertex *vertices; /* from the transmitter to the point, both included */
    size_t vertex_count;
    double length_m, delay_s;
    double free_space_db;                          /* over the length */
    double loss_db;                                /* free space and all interactions */
    double departure_theta_deg, departure_phi_deg; /* theta from zenith, phi from east, counter-clockwise */
    double arrival_theta_deg, arrival_phi_deg;     /* towards where the wave comes from */
    double gain_re,
        gain_im;       /* of images: sqrt(received over transmitted power) with phase, antennas included; else 0 */
    double doppler_hz; /* shift by the point's velocity: positive where it moves towards where the wave comes from */
    /* Of images: the gain between isotropic antennas whose fields stand along theta or phi of the scene's frame: from
     * theta to theta, from phi to theta, from theta to phi, from phi to phi. Any antennas and polarisations follow from
     * them. Else 0. */
    double transfer_re[4], transfer_im[4];
} rw_path;

/* All paths of one call of rw_trace. */
typedef struct rw_paths rw_paths;

/* Paths from every transmitter to each point, by the model of the options (its layers, area and resolution do not
 * matter). A point inside a building, or that nothing reaches, has none. Paths of one transmitter follow each other in
 * the order of the points, those of one point from the strongest. On failure *paths is NULL. */
RW_API rw_status rw_trace(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t point_count, rw_paths **paths);
/* Number of paths, of all transmitters and points. */
RW_API size_t rw_paths_count(const rw_paths *paths);

/* How many points were given. */
RW_API size_t rw_paths_point_count(const rw_paths *paths);
/* A point as it was given, from 0, its height never NaN, and whether it is inside a building; RW_BAD_CALL beyond the
 * last. */
RW_API rw_status rw_paths_get_point(const rw_paths *paths, size_t index, rw_point *point, int *indoor);
/* One path, from 0; RW_BAD_CALL beyond the last. */
RW_API rw_status rw_paths_get(const rw_paths *paths, size_t index, rw_path *path);

/* Many paths at once, from the first on, into an array whose items have the size that its first one names. The vertices
 * of one path follow those of the path before it in memory. RW_BAD_CALL beyond the last. */
RW_API rw_status rw_paths_get_many(const rw_paths *paths, size_t first, size_t count, rw_path *out);

/* One vertex of a path, from 0; RW_BAD_CALL beyond the last. */
RW_API rw_status rw_paths_get_vertex(const rw_paths *paths, size_t path, size_t vertex, rw_path_vertex *out);
/* Frees paths; NULL is allowed. */
RW_API void rw_paths_destroy(rw_paths *paths);

/* A PNG picture of what arrives when at a point (from 0, of all transmitters together): a stem for each path. */
RW_API rw_status rw_paths_draw(const rw_paths *paths, size_t point, const char *path);
/* A PNG picture of the section from the transmitter to a point: ground and roofs of the paths' scene on the straight
 * line, and the first five paths, their vertices at their distance along it. */
RW_API rw_status rw_paths_draw_profile(const rw_paths *paths, size_t point, const rw_scene *scene, const char *path);

/* The frame buffers of the model images along its strongest path to a point that has one to four interactions, from the
 * first transmitter, as a PNG: in each panel the view behind one more of them, surfaces by colour, the stencil rimmed
 * in red. */
RW_API rw_status rw_draw_views(const rw_scene *scene, const rw_predict_options *options, const rw_point *point,
                               const char *path);

/* By the name's end: .json, everything about points and paths; .geojson, paths as lines in the scene's coordinate
 * system; .csv, a line for each path, its vertices as WKT; .gpkg, layers of points and of paths.
 * docs/reference/formats.md has all. */
RW_API rw_status rw_paths_write(const rw_paths *paths, const char *path);

/* Says how the points of the paths move, one motion for each, for Doppler shifts and the calls that write. */
RW_API rw_status rw_paths_set_motions(rw_paths *paths, const rw_motion *motions, size_t count);

/* Brings all places of the paths into another coordinate system, for the calls that write them. Lengths, delays and
 * angles stay as they are in the scene. */
RW_API rw_status rw_paths_set_crs(rw_paths *paths, const char *crs);

/* What .json would hold, as a text to be freed with rw_free; on failure *text is NULL. */
RW_API rw_status rw_paths_to_json(const rw_paths *paths, char **text);

/* Channels between antenna arrays, as an HDF5 file. Plane waves over each array; paths of a pair go from the strongest,
 * and beyond its last one a is 0 and tau -1.
 *
 *   a            [rx, rx_ant, tx, tx_ant, path]  complex: sqrt(received over transmitted power) with phase
 *   tau          [rx, tx, path]                  s
 *   theta_t, phi_t, theta_r, phi_r  [rx, tx, path]  rad: departure, and where the wave comes from
 *   path_count   [rx, tx]
 *   power        [rx, tx]                        received over transmitted power, summed over the paths
 *   mean_delay, delay_spread  [rx, tx]           s; NaN where there is no path
 *   azimuth_spread_t, _r, elevation_spread_t, _r [rx, tx]  rad
 *   h            [rx, rx_ant, tx, tx_ant, tap]   complex: impulse response of that bandwidth, where one is given
 *   frequency_response  [rx, rx_ant, tx, tx_ant, frequency]  complex, over the frequencies of the set frequency
 *   position, velocity  [rx, 3], time [rx]       m, m/s and s, as the points have them
 *   doppler      [rx, tx, path]                  Hz
 *   vertices     [rx, tx, path, vertex, 3]       m, from the transmitter to the point; NaN beyond the last
 *   interactions [rx, tx, path, vertex]          0 end, 1 street, 2 roof, 3 wall, 4 reflection, 5 scattering, 255 none
 *
 * Elements lie in the frame of their antenna: x to its right, y along its boresight, z up. A transmitter's frame turns
 * with its azimuth, downtilt and roll, a receiver's with rx_azimuth_deg and so on; at azimuth 0 x is east and y north.
 */
typedef struct rw_channel_options {
    size_t size;
    int rx_rows, rx_columns, tx_rows, tx_columns; /* elements, rows along z and columns along x; 1 each at first */
    double freq_hz;                               /* for wavelengths; 0: each transmitter's own */
    size_t points, transmitters;                  /* at least so many in the file; 0: as given to rw_trace */
    double rx_spacing, tx_spacing;                /* of rows and columns, in wavelengths; 0.5 at first */
    const double *rx_elements_m, *tx_elements_m; /* x, y, z of each element in place of rows and columns; may be NULL */
    size_t rx_element_count, tx_element_count;
    double bandwidth_hz; /* of the impulse response h, whose taps are 1 / bandwidth apart; 0: none */
    int frequencies;     /* of the frequency response, evenly over the bandwidth round the carrier; 0: none */
    int tx_ports;        /* transmitters that follow each other and are ports of one, in one place: 1 at first */
} rw_channel_options;

/* One element each, half a wavelength apart, no impulse response. */
RW_API void rw_channel_options_init_sized(rw_channel_options *options, size_t size);
#define rw_channel_options_init(options) rw_channel_options_init_sized((options), sizeof *(options))
/* Writes the channels as an HDF5 file. */
RW_API rw_status rw_paths_write_channel(const rw_paths *paths, const rw_channel_options *options, const char *path);

/* Elements of an array from a CSV file with the columns x, y, z in metres. *elements_m is to be freed with rw_free; on
 * failure it is NULL. */
RW_API rw_status rw_elements_load(rw_context *context, const char *path, double **elements_m, size_t *count);

/* ----------------------------------------------------------------------------------------------------------- cubes */

/* Options of rw_visible_cubes: a grid of cubes and one of them. */
typedef struct rw_visible_cubes_options {
    size_t size;
    size_t columns, rows, layers; /* at most 32767 each */
    const unsigned char *filled;  /* 0: free; a row after the other, a layer after the other */
    size_t source[3];             /* column, row and layer of the cube that looks */
    const char *method;           /* lines as "cubes", "supercubes" or "rings" (docs/explanation/cubes.md) */
    int block;                    /* side of a supercube in cubes; of the first method it does not matter */
} rw_visible_cubes_options;

/* No cubes yet; supercubes of 32 cubes a side. */
RW_API void rw_visible_cubes_options_init_sized(rw_visible_cubes_options *options, size_t size);
#define rw_visible_cubes_options_init(options) rw_visible_cubes_options_init_sized((options), sizeof *(options))

/* Which cubes are seen from one: those with no filled cube on the line between, the two themselves aside. visible
 * receives 1 or 0 for each, in the order of filled. For the cubes of a scene see the layer "visible" of model cubes. */
RW_API rw_status rw_visible_cubes(rw_context *context, const rw_visible_cubes_options *options, unsigned char *visible);

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
 * for losses and delays. Shares are NaN where there is nothing to share. */
typedef struct rw_zone_row {
    size_t size;
    const char *name; /* "all": the whole map */
    size_t cells, receivers, without_path, covered_cells;
    double area_m2;
    double min, mean, median, max;
    double covered_share; /* of the receivers */
    double weight, receiver_weight, covered_weight;
    double covered_weight_share; /* of the weight */
} rw_zone_row;

/* The zones of a file, and the whole map as the last row. */
typedef struct rw_zone_table rw_zone_table;

/* Statistics of a layer by zones. On failure *table is NULL. options may be NULL. */
RW_API rw_status rw_map_zone_statistics(const rw_map *map, const rw_zone_options *options, rw_zone_table **table);
/* Rows of the table. */
RW_API size_t rw_zone_table_count(const rw_zone_table *table);
/* One row, from 0; its name belongs to the table. */
RW_API rw_status rw_zone_table_get(const rw_zone_table *table, size_t index, rw_zone_row *row);
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
