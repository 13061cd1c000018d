/* The tiles model after Lu, Vitucci, Degli-Esposti and others, IEEE Trans. Antennas Propag. 67 (2019): rays bounce
 * between tiles of walls, roofs and ground, whose visibility is known beforehand; the field on every tile and at
 * points. */
#ifndef RW_MODELS_TILES_H
#define RW_MODELS_TILES_H

#include "discretise/tiles/tiles.h"
#include "models/rays/joint_waves.h"
#include "models/rays/ray_view.h"
#include "models/engine/model.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/engine/prediction/prediction.h"
#include "models/tiles/gather_scattered.k.h"
#include "models/tiles/spawn_rays.k.h"
#include "models/tiles/sum_rays.k.h"
#include "mechanisms/rooftop/over_rooftop.h"
#include "mechanisms/rooftop/roof_path.k.h"
#include "visibility/tiles/tiles.h"
#include "base/container.h"
#include "models/rays/ray_layers.h"
#include "output/tiles/tiles.h"

typedef struct rw_tile_limits {
    int depth; /* interactions of a ray, all kinds together */
    int reflections, diffractions, scatterings;
    rw_roof_choice roofs;      /* the path over the roofs that is added */
    double curve_per_m;        /* of the earth under it */
    double ground_curve_per_m; /* the same for the loss of the ground (rw_prediction_ground_curve_per_m) */
    double roughness;          /* of walls and roofs whose materials have none; NaN: they are smooth */
    int must_scatter;          /* 1: scattering was asked for, and where nothing is rough a warning says so */
    int mechanisms;            /* 1: what counts most is noted */
    double loss_max_db;        /* rays whose incident power is further below die */
    double memory_bytes;       /* for rays on their way; 0: chosen, within the budget */
    int holm;                  /* edges after Holm; 0: after Luebbers */
    rw_scatter_lobe lobe;
} rw_tile_limits;

extern const rw_model_option rw_tile_option_table[]; /* options.c */

/* city.c: what does not depend on a transmitter: tiles and their visibility, on the host and on the backend. */
typedef struct rw_tile_city {
    const rw_scene *scene;
    rw_context *context;
    rw_backend backend;
    rw_tiles tiles;
    rw_tile_sight sight; /* without rows: there is no matrix */
    rw_device_tiles on_device;
    rw_device_tile_sight device_sight;
    rw_device_view world;
    double reach_m;
    double radius_m; /* of the largest tile */
    int borrowed;    /* tiles and sight belong to a database */
} rw_tile_city;

/* How tiles are cut where there is no database; all numbers have one size, for keys. */
typedef struct rw_tiling {
    double area_m2;
    double quarter;       /* how often tiles at outlines are cut into four */
    double min_m, min_m2; /* narrower and smaller walls and roofs have no tiles; 0: the usual sizes */
    double online;        /* 1: no matrix; visibility is tested while rays are followed */
    double triangles;     /* 1: triangles; 0: rectangles */
    double box[4];        /* as in rw_tile_options; zeros: everywhere */
    double beyond[4];     /* as there */
} rw_tiling;

/* options.c: from what is asked, unset where it is not, to how rw_tiles_create cuts; and back. */
rw_tiling rw_tiling_requested(double area_m2, int quarter, double min_m, double min_m2, const char *shape);
rw_tile_options rw_tiling_options(rw_tiling tiling);
rw_tiling rw_tiling_of(const rw_tile_options *options);

/* With a database, its tiles; they then stay its own. */
rw_status rw_tile_city_create(const rw_scene *scene, rw_tiling tiling, const rw_database *database, rw_tile_city *city);
void rw_tile_city_destroy(rw_tile_city *city);

/* The same kept with the scene: made once for a tiling. With a database it is the caller's own. */
rw_status rw_tile_city_acquire(const rw_scene *scene, rw_tiling tiling, const rw_database *database,
                               const rw_tile_city **city);
void rw_tile_city_release(const rw_tile_city *city);

/* Which tiles each point sees: words of blocks, point after point. corners: by their middle or a corner. */
rw_status rw_tile_city_look(const rw_tile_city *city, const rw_vec3 *points, size_t count, int corners,
                            uint32_t *words);

/* The same for many points, up to most at once: horizons of both sides say of most pairs that they are hidden. */
typedef struct rw_point_visibility {
    const rw_tile_city *city;
    rw_tile_geometry_view world;
    rw_tile_horizon *of_tiles, *of_points; /* of the backend */
} rw_point_visibility;

rw_status rw_point_visibility_begin(const rw_tile_city *city, size_t max_count, rw_point_visibility *search);
rw_status rw_point_visibility_find(const rw_point_visibility *search, const rw_vec3 *points, size_t count, int corners,
                                   uint32_t *words);
void rw_point_visibility_end(rw_point_visibility *search);

/* wide_visibility.c: neighbours of tiles, and rows that have those of neighbours as well. */
typedef struct rw_tile_wide {
    uint32_t *neighbours; /* RW_TILE_NEIGHBOURS of each tile */
    rw_tile_sight sight;
    rw_device_tile_sight on_device;
    void *device_neighbours;                       /* of the backend */
    uint32_t *reverse_firsts, *reverse_neighbours; /* the tiles whose neighbour each is, where there is no matrix */
    void *device_reverse[2];                       /* of the backend */
    rw_backend backend;
    const rw_scene *scene; /* that it is kept with; NULL: the caller's own */
} rw_tile_wide;

/* Made once for a city; of a city with a database it is the caller's own. */
rw_status rw_tile_wide_acquire(const rw_tile_city *city, const rw_tile_wide **wide);
void rw_tile_wide_release(const rw_tile_wide *wide);

/* Tiles of words, with their neighbours. */
void rw_tile_words_widen(const rw_tile_wide *wide, const uint32_t *words, size_t block_count, uint32_t *widened);

/* points.c: receivers beside the tiles, for all transmitters; in the frame of the wall grid. */
typedef struct rw_tile_points {
    const rw_tile_city *city;
    size_t count;
    rw_vec3 *points;
    uint32_t *firsts, *lists; /* as point_firsts and tile_points of rw_tile_scene */
    void *copies[3];          /* of the backend: the same three */
    const rw_tile_wide *wide;
} rw_tile_points;

rw_status rw_tile_points_create(const rw_tile_city *city, const rw_vec3 *points, size_t count, rw_tile_points *made);
rw_status rw_tile_points_of(const rw_prediction *prediction, const rw_tile_city *city, rw_tile_points *made);
void rw_tile_points_destroy(rw_tile_points *points);

/* About what lists of that many points take. */
double rw_tile_points_bytes(const rw_tile_city *city, size_t count);

/* tile_solver.c: one transmitter at one frequency, and receivers beside the tiles. Called with batches of rays that
 * have arrived, on the host, for callers that need each of them. */
typedef rw_status (*rw_tile_rays_fn)(void *user, const rw_tile_ray *rays, size_t count);

typedef struct rw_tile_solver {
    const rw_tile_city *city;
    rw_tile_limits limits;
    rw_tile_scene scene; /* of the backend */
    rw_tile_scene host;  /* the same on the host */
    double freq_hz;      /* that walls are at; 0: not known yet */
    rw_construction *walls;
    rw_device_pattern transmitter_pattern, receiver_pattern;
    const rw_vec3 *points; /* on the host */
    size_t point_count;
    const rw_tile_wide *wide;      /* of the points; NULL: no points */
    rw_tile_scatterer *scatterers; /* on the host; scattering.c */
    size_t scatterer_count;
    void *copies[2];                     /* of the backend: walls, scatterers */
    rw_ray_sums *tile_sums, *point_sums; /* of the backend */
    rw_tile_incident *incidents;
    size_t group_count;
    rw_tile_ray *levels[RW_TILE_DEPTH_MAX + 2];
    uint32_t capacity;
    size_t batch_sizes[RW_TILE_DEPTH_MAX + 2]; /* rays of a level whose children have room */
    uint32_t *used;
    double min_gain;
    int points_only;    /* set before a run: the sums of tiles are not wanted, and not whole */
    uint64_t ray_count; /* that were followed */
    rw_tile_rays_fn on_rays;
    void *user;
    rw_joint_waves *joint;           /* of power sums at points; NULL: others */
    const rw_prediction *prediction; /* whose progress is reported; NULL: none */
    size_t transmitter;
} rw_tile_solver;

/* points may be NULL, and must stay as long as the solver does. */
rw_status rw_tile_solver_create(const rw_tile_city *city, const rw_tile_limits *limits, double freq_hz,
                                const rw_antenna *antenna, const rw_transmitter *about, rw_vec3 source,
                                const rw_tile_points *points, rw_tile_solver *solver);

/* The same in two steps: memory for any transmitter, and the transmitter, which may be placed anew. */
rw_status rw_tile_solver_open(const rw_tile_city *city, const rw_tile_limits *limits, const rw_tile_points *points,
                              rw_tile_solver *solver);

/* A transmitter of a prediction, whose progress is then reported. */
rw_status rw_tile_solver_locate_of(rw_tile_solver *solver, const rw_prediction *prediction, size_t transmitter);
void rw_tile_solver_destroy(rw_tile_solver *solver);

/* solve.c: first-level visibility and all that follows, up to the sums. */
rw_status rw_tile_solver_run(rw_tile_solver *solver);

/* Rays on the host, with all that they lead to. */
rw_status rw_tile_bounce(rw_tile_solver *solver, const rw_tile_ray *rays, size_t count);

/* Adds what rays on the host bring, and nothing that they lead to. */
rw_status rw_tile_solver_sum(rw_tile_solver *solver, const rw_tile_ray *rays, size_t count);
rw_status rw_tile_solver_clear(const rw_tile_solver *solver);

/* scattering.c: what tiles scatter of what has reached them. */
rw_status rw_tile_scatter(rw_tile_solver *solver);
rw_status rw_tile_gather(rw_tile_solver *solver); /* no further than to the tiles that scatterers see */

/* rooftop.c: adds what comes over the roofs to the sums; or tells it for one point. */
rw_status rw_tile_over_roofs(const rw_tile_solver *solver);

typedef struct rw_tile_roof_path {
    int there;
    rw_ray_arrival arrival;
    rw_vec3 points[RW_ROOF_POINTS_MAX]; /* from the transmitter on */
    int count;
} rw_tile_roof_path;

rw_status rw_tile_over_roofs_find(const rw_tile_solver *solver, size_t point, rw_tile_roof_path *found);

/* The sums on the host: of each tile, of each point; either may be NULL. */
rw_status rw_tile_solver_read(const rw_tile_solver *solver, rw_ray_sums *tile_sums, rw_ray_sums *point_sums);

/* estimate.c: what asking all pairs of so many tiles takes, and the share that sees each other, by a sample of points.
 */
void rw_tiles_estimate_pairs(const rw_scene *scene, double tiles, double *core_seconds, double *seen_fraction);
rw_status rw_tiles_estimate_prediction(const rw_prediction *prediction, const rw_map_info *cells,
                                       rw_estimate *estimate);

/* options.c: changes where tiles change with the transmitters. */
void rw_tiles_extent_key(const rw_prediction *prediction, double key[4]);

/* options.c: limits from the options of a prediction. */
rw_status rw_tile_resolve(const rw_prediction *prediction, rw_use use, rw_tile_limits *limits, rw_tiling *tiling);

/* paths.c: what a diffraction at an edge is told as. */
rw_interaction rw_tile_edge_interaction(const rw_tile_edge *edge);

/* paths.c: appends the rays of the transmitter that the solver, of points, is placed at. */
rw_status rw_tiles_trace(const rw_prediction *prediction, rw_tile_solver *solver, rw_paths *paths);

/* record.c: rays to points as numbers for kept gains (models/gains). Constructions and antenna first; *walls, by
 * material, is to be freed. *kept: the path's number in the record, plus 1. */
struct rw_gain_record;
rw_status rw_tiles_begin_record(const rw_tile_solver *solver, size_t transmitter, struct rw_gain_record *record,
                                uint32_t **walls);
rw_status rw_tiles_record_ray(const rw_tile_solver *solver, const rw_tile_ray *ray, size_t transmitter, size_t point,
                              const uint32_t *walls, struct rw_gain_record *record, size_t *record_number);

/* Rays that were found once, kept to be evaluated again: for other frequencies, antennas, powers and materials. */

extern const rw_container_kind rw_stored_rays_kind;

/* What rays depend on. */
typedef struct rw_stored_tiles_subject {
    uint64_t tiles_hash, points_hash;
    uint64_t tile_count, edge_count, point_count, transmitter_count;
    int32_t depth, reflections, diffractions, scatterings;
} rw_stored_tiles_subject;

/* Rays are kept this much further down than the first call's threshold, for frequencies and antennas to come. */
#define RW_STORED_MARGIN_DB 40.0

/* What was kept, of one transmitter. */
typedef struct rw_stored_threshold {
    double freq_hz, loss_db; /* rays down to this loss at this frequency */
    int64_t rough;           /* 1: something scattered */
} rw_stored_threshold;

/* The rays of one transmitter that ended at tiles or points. The first step of a scattered one is a number of keys. */
typedef struct rw_stored_rays {
    rw_vec3 source;
    rw_stored_threshold threshold;
    RW_ARRAY(rw_tile_ray) direct;
    RW_ARRAY(rw_tile_ray) scattered;
    uint64_t *keys; /* group and tile of each scatterer */
    size_t key_count;
} rw_stored_rays;

typedef struct rw_stored_tiles {
    rw_context *context;
    const char *path;
    int loaded;     /* from the file; else it is to be written */
    uint64_t scene; /* rw_scene_identity */
    rw_stored_tiles_subject subject;
    rw_stored_rays *transmitters; /* of each transmitter */
} rw_stored_tiles;

/* From the prediction's file where there is one, which must be of the same scene, tiles, places and limits; else empty,
 * to be filled. points may be NULL: then a file with rays to points serves as well. */
rw_status rw_stored_tiles_open(const rw_prediction *prediction, const rw_tile_city *city, const rw_tile_limits *limits,
                               const rw_tile_points *points, rw_stored_tiles *stored);
void rw_stored_tiles_close(rw_stored_tiles *stored);

/* Runs a solver and keeps its rays, or evaluates those that are kept. kept may be NULL: just runs. */
rw_status rw_stored_tiles_run(rw_stored_tiles *stored, size_t transmitter, rw_tile_solver *solver);

/* Writes the file, where it is not there yet. */
rw_status rw_stored_tiles_finish(const rw_stored_tiles *stored);

/* The rays of one transmitter of an open file of kept rays, all that they name checked (stored.c). */
rw_status rw_stored_rays_read(rw_container *container, const rw_stored_tiles_subject *subject, size_t transmitter,
                              rw_stored_rays *rays);
void rw_stored_rays_free(rw_stored_rays *rays);

/* The file (stored.c); everything else is in reuse.c. */
rw_status rw_stored_tiles_read(rw_stored_tiles *stored);
rw_status rw_stored_tiles_write(const rw_stored_tiles *stored);

/* Values on tiles, transmitter by transmitter. */

/* Layers: those of rays in cities, and what counts most where there is no line of sight. */
#define RW_TILE_LAYERS(X) RW_CITY_LAYERS(X) X(RW_TILE_LAYER_MECHANISM, "mechanism", "", NULL)
enum { RW_TILE_LAYER_MECHANISM = RW_CITY_LAYER_INDOOR + 1 };

/* Values of mechanism: in sight, by rays, over the roofs; the numbers are those of the same mechanisms in other models.
 */
enum { RW_TILE_SIGHT = 0, RW_TILE_ROOFS = 2, RW_TILE_RAYS = 4 };
void rw_tile_store_mechanism(const rw_ray_layers *layers, size_t cell, const rw_ray_sums *sums); /* values.c */

typedef struct rw_tile_values {
    rw_prediction prediction; /* whose cells are tiles, one row of them; all else is lent */
    const rw_tile_city *city;
    rw_ray_sum_kind kind;
    rw_run run; /* of the values' map */
    rw_received_memory received;
    uint32_t *all; /* numbers of all tiles: each is a receiver */
    rw_vec3 *centres;
    uint8_t *outdoors; /* zeros */
    float *power_dbm;
    rw_ray_sums *sums;
    rw_tile_map *map;
} rw_tile_values;

rw_status rw_tile_values_begin(const rw_prediction *prediction, const rw_tile_city *city, rw_ray_sum_kind kind,
                               rw_tile_values *values);

/* The sums of a solver that has run, with those of tiles. */
rw_status rw_tile_values_add(rw_tile_values *values, size_t transmitter, const rw_tile_solver *solver);

/* Places the transmitters where there are no cells: on the scene. Other models have no tiles. */
rw_status rw_tiles_locate_on_scene(rw_prediction *prediction);

/* Layers of all transmitters, after the last one. */
rw_status rw_tile_values_finish(rw_tile_values *values);

/* Gives all back but the map, which it returns. */
rw_tile_map *rw_tile_values_end(rw_tile_values *values);

#endif
