/* Prediction: options of models, radio maps, databases.
 *
 * Part of rasterwave.h, where the conventions stand. */
#ifndef RASTERWAVE_PREDICT_H
#define RASTERWAVE_PREDICT_H

#include <rasterwave/transmitters.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    const char *prior;  /* empirical median that path loss is composed with: "3gpp", "p1411", "none" */
    const char *roofs;  /* beams, cubes, tiles: the way over the roofs: "vogler", "polynomial", "none" */
    const char *sigma;  /* shadow: layer "sigma": "constant" (8 dB) or "ensemble", the sensitivity to the inputs */
    int members;        /* shadow: of the ensemble */
    double level_dbm;   /* shadow: received power whose probability layer "coverage_probability" has */
    double roughness;   /* rt, tiles: effective roughness S of walls and roofs whose materials have none, 0 to 1 */
    int block;          /* cubes: side of a supercube in cubes, for the methods "supercubes" and "rings" */
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
    const char *reference;          /* power from which path loss counts: "eirp" or "erp"; unset: as the model says */
    double exclude_within_m;        /* receivers nearer to a transmitter have no value */
    double antenna_size_m;          /* the same within 2 D^2 / lambda, for antennas of largest dimension D */
    double tile_min_m, tile_min_m2; /* tiles: narrower and smaller walls and roofs have no tiles */
    double k_factor;  /* outdoor models, on terrain: effective earth radius over the true one, 6371 km; unset: 4/3 */
    const char *zone; /* file of polygons that limits the map: elsewhere there are no receivers; NULL: none */
    const char *street_method; /* shadow: paths round corners by the "graph" of corners, or by shadow "polygons" */
    const char *tile_shape;    /* tiles: "rectangle" or "triangle" */
    /* Each transmitter is computed only within its range: so far from it (unset: everywhere), and as far as the power
     * received from it may exceed a level, bounded by free space and the antenna's largest gain (unset: none). Other
     * cells have no value of it, and it neither serves nor interferes there. */
    double radius_m, range_level_dbm;
    const char
        *ground;    /* outdoor models: loss over the "smooth" earth, or "none"; unset: smooth, none in floor plans */
    int dimensions; /* beams: 3, or 2 for the horizontal plane of the receivers, as if everything stood in it */
    const char *preset; /* radio system, of rw_preset_get, for what of freq_hz, bandwidth_hz, subcarrier_spacing_hz,
                           resource_blocks, noise_figure_db and throughput is unset */
    int rx_ports;       /* images: 2 for a dual-polarised receiver, whose ports add their powers; unset: 1 */
} rw_predict_options;

/* A radio system by name: typical numbers, each of which a call may replace. */
typedef struct rw_preset {
    size_t size;
    const char *name, *about;
    double freq_hz, bandwidth_hz, subcarrier_spacing_hz;
    int resource_blocks;
    double power_dbm;                             /* of a base station, access point or gateway, at its antenna */
    const char *antenna;                          /* of it, as rw_antenna_create reads it */
    double terminal_power_dbm;                    /* of the other end, with an isotropic antenna */
    double noise_figure_db, base_noise_figure_db; /* of the terminal, and of the base station */
    const char *throughput;                       /* from SINR to data rate, as the option throughput */
    double sensitivity_dbm, base_sensitivity_dbm; /* least received power of each end, without interference */
} rw_preset;

/* How many presets there are. */
RW_API size_t rw_preset_count(void);
/* One of them, from 0; RW_NOT_FOUND beyond the last. Set size to sizeof(rw_preset) before the call. */
RW_API rw_status rw_preset_get(size_t index, rw_preset *preset);
/* Least received power of the lowest data rate, without interference: thermal noise of the occupied band, noise figure
 * and the SINR where throughput begins (Shannon: 0 dB). options NULL: as from init. */
RW_API rw_status rw_predict_sensitivity(rw_context *context, const rw_predict_options *options, double *power_dbm);
/* The preset of a name. */
RW_API rw_status rw_preset_find(rw_context *context, const char *name, rw_preset *preset);

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
                                        const char *string);

/* Checks the options as every call does that takes them, and sets the unset ones to the model's values; those whose
 * value the model chooses by the scene stay unset. */
RW_API rw_status rw_predict_options_complete(rw_context *context, rw_predict_options *options);

/* Whether a prediction can be made from one of the transmitters, from 0: it stands in the open, its antenna is known.
 * The sentence says why not. */
RW_API rw_status rw_check_transmitter(const rw_scene *scene, const rw_predict_options *options, size_t index);

/* SHA-256, in hexadecimal, of everything that decides on the values of a prediction: the content of all files that the
 * scene and the antennas were read from, the scene itself, transmitters, options, version, backend and instruction set.
 * Where rw_inputs_begin is on, it records those files. sha256 has room for 65 characters. */
RW_API rw_status rw_prediction_identity(const rw_scene *scene, const rw_predict_options *options, char sha256[65]);

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
    double tile_min_m, tile_min_m2; /* tiles: narrower and smaller walls and roofs have no tiles */
    const char *tile_shape;         /* tiles: "rectangle" or "triangle" */
} rw_preprocess_options;

/* Model shadow, all else unset. */
RW_API void rw_preprocess_options_init_sized(rw_preprocess_options *options, size_t size);
#define rw_preprocess_options_init(options) rw_preprocess_options_init_sized((options), sizeof *(options))

/* As rw_predict_options_set. */
RW_API rw_status rw_preprocess_options_set(rw_context *context, rw_preprocess_options *options, const char *name,
                                           const char *string);

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
typedef struct rw_stored_file rw_stored_file;

/* Header of a kept file. */
typedef struct rw_stored_file_info {
    size_t size;
    const char *kind;    /* "corner database", "tile database", "kept beams" or "kept rays" */
    const char *model;   /* that takes it */
    const char *program; /* version of the program that made it */
    uint64_t scene;      /* identity of the scene it is of: a hash of its geometry */
    uint32_t version;    /* of this kind */
    size_t sections;     /* names of sections */
    double bytes;        /* of the file */
} rw_stored_file_info;

/* All sections of one name: parts are one for each transmitter, or for each band of rows. */
typedef struct rw_stored_section {
    size_t size;
    const char *name;
    size_t count;
    double elements, bytes;
} rw_stored_section;

/* Whether a file is one of these, by its first bytes: 1 or 0. */
RW_API int rw_stored_file_recognise(rw_context *context, const char *path);
/* Opens a kept file and checks all of it. */
RW_API rw_status rw_stored_file_open(rw_context *context, const char *path, rw_stored_file **file);
/* Closes it; its texts end with it. NULL is allowed. */
RW_API void rw_stored_file_close(rw_stored_file *file);
/* The header of a kept file. */
RW_API rw_status rw_stored_file_get_info(const rw_stored_file *file, rw_stored_file_info *info);
/* The sections of one name, from 0. */
RW_API rw_status rw_stored_file_get_section(const rw_stored_file *file, size_t index, rw_stored_section *section);

/* Kept rays of one transmitter, or of all: what the option reuse of model tiles keeps. */
typedef struct rw_stored_rays_info {
    size_t size;
    size_t transmitters, tiles, edges, points;         /* of the file: between which rays lead */
    int depth, reflections, diffractions, scatterings; /* limits of interactions that they were found with */
    double freq_hz, loss_db;                           /* of the first transmitter: rays down to this loss were kept */
    size_t rays, to_tiles, to_points;
    size_t scattered;             /* of them: begin at a scattering tile */
    size_t by_count[8];           /* of them: with so many interactions */
    size_t reflected, diffracted; /* interactions of all rays */
} rw_stored_rays_info;

/* Counts of the rays of a file of kind "kept rays"; RW_BAD_CALL for other kinds. transmitter from 0; SIZE_MAX: all. */
RW_API rw_status rw_stored_file_get_rays(rw_stored_file *file, size_t transmitter, rw_stored_rays_info *info);

/* How many models there are. */
RW_API size_t rw_model_count(void);
/* Name of a model, from 0; NULL beyond the last. */
RW_API const char *rw_model_name(size_t index);
/* What it is for, in a few words for a list of models; NULL after the last. */
RW_API const char *rw_model_title(size_t index);
/* All layers that a model can give, comma-separated; NULL beyond the last. */
RW_API const char *rw_model_layers(size_t index);
/* Its layers where none is asked for; NULL beyond the last. */
RW_API const char *rw_model_default_layers(size_t index);

/* What an option's text is, and which fields of an options struct hold it. */
typedef enum rw_option_type {
    RW_OPTION_INTEGER,  /* a whole number: int */
    RW_OPTION_QUANTITY, /* a number with a unit: double */
    RW_OPTION_STRING,
    RW_OPTION_CHOICE,     /* one of several words */
    RW_OPTION_LIST,       /* some of several words, with commas */
    RW_OPTION_FILE,       /* path of a file */
    RW_OPTION_AREA,       /* X0,Y0,X1,Y1: four doubles */
    RW_OPTION_PLANE,      /* X,Y,Z:UX,UY,UZ:VX,VY,VZ: nine doubles */
    RW_OPTION_BINS,       /* N,WIDTH[,FIRST]: how many bins, their width, and where the first begins */
    RW_OPTION_DATABASE,   /* an rw_database; the caller loads it */
    RW_OPTION_PARAMS,     /* an rw_params; the caller loads it */
    RW_OPTION_STORED_FILE /* path of a file that the first call writes and later ones read */
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
    double min, max;          /* of numbers */
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
    const char *prior; /* empirical median: "3gpp", "p1411", "p1238", "none"; "" if a file has none */
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

/* The unit of a layer by its name, "" if it has none; NULL if there is no such layer. */
RW_API const char *rw_layer_unit(const char *name);

/* The name of the class that is stored as the number index, of a layer of classes such as "mechanism"; NULL after the
 * last, for a layer of other values, and where classes are transmitters. */
RW_API const char *rw_layer_class(const char *name, size_t index);

/* Which values of a layer are better for radio. */
typedef enum rw_layer_order {
    RW_LAYER_UNORDERED,
    RW_LAYER_LOWER_IS_BETTER, /* losses, delays, interference */
    RW_LAYER_HIGHER_IS_BETTER
} rw_layer_order;
/* The order of a layer by its name; a name that is not registered has higher values that are better. */
RW_API rw_layer_order rw_layer_get_order(const char *name);

/* Whether a layer has one band of all transmitters together, such as "best" and "sinr", in place of bands for each. */
RW_API int rw_layer_is_combined(const char *name);

/* In a map of several transmitters, each layer with a band per transmitter becomes one band with the best value in each
 * cell: the strongest power, the lowest path loss. RW_BAD_CALL for layers without an order, such as mechanism. */
RW_API rw_status rw_map_select_strongest(rw_map *map);

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
    double fraction_of_area;    /* covered cells of all cells */
    double fraction_of_outdoor; /* covered cells of outdoor cells; NaN where there is none */
} rw_coverage;

/* In place of a band: the strongest transmitter in each cell. */
#define RW_ALL_BANDS ((size_t)-1)

/* By the transmitter of one band, or, with RW_ALL_BANDS, by the strongest in each cell. */
RW_API rw_status rw_map_coverage(const rw_map *map, size_t band, double level_dbm, rw_coverage *coverage);

/* The same of any layer with an order, which reaches a level in its unit if its value is that or better. */
RW_API rw_status rw_map_layer_coverage(const rw_map *map, const char *layer, size_t band, double level,
                                       rw_coverage *coverage);

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
    double above, fraction_above; /* share of the cells that differ by more than above */
} rw_map_difference;

/* Compares two maps of the same cells; RW_BAD_CALL where their cells, units or bands differ. map, where not NULL,
 * receives second - first as a map with the layer "difference"; on failure *map is NULL. options NULL: as from init. */
RW_API rw_status rw_map_compare(const rw_map *first, const rw_map *second, const rw_map_compare_options *options,
                                rw_map_difference *difference, rw_map **map);

#ifdef __cplusplus
}
#endif
#endif
