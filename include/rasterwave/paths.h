/* Paths between transmitters and points, and cubes of a scene.
 *
 * Part of rasterwave.h, where the conventions stand. */
#ifndef RASTERWAVE_PATHS_H
#define RASTERWAVE_PATHS_H

#include <rasterwave/predict.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* What rw_predict has at the centre of a cell, at points: every layer, with the bands of a map. *map has one row, whose
 * column i is point i: NaN inside buildings, infinite where nothing arrives. Points have the height of the options, or
 * their own; antennas of points do not count here. Local means are over a square of res_m around the point. area_m does
 * not matter. On failure *map is NULL. */
RW_API rw_status rw_predict_points(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                   size_t point_count, rw_map **map);

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
RW_API rw_status rw_paths_to_json(const rw_paths *paths, char **string);

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

/* --------------------------------------------------------------------------------------------------- link budgets */

/* What a row of a link budget is part of. */
typedef enum rw_budget_part {
    RW_BUDGET_ARRIVAL, /* losses of the mechanisms, or of the model's paths: their powers add up to "arrivals" */
    RW_BUDGET_LOSS,    /* terms that add up to the path loss; "arrivals" is not among them, but its own terms are */
    RW_BUDGET_POWER    /* terms that add up to the received power */
} rw_budget_part;

/* One row of a link budget. */
typedef struct rw_budget_row {
    size_t size;
    rw_budget_part part;
    const char *name;  /* one word for programs: "free_space" */
    const char *about; /* for readers: "free space over the straight line" */
    double value_db; /* dB; of transmitted power dBm. Of the arrival "interference": the loss of all together less that
                        of the sum of the powers above it */
    double fraction; /* of an arrival: of the power of all; else NaN */
    size_t path;     /* of an arrival that is a path: its number in rw_budgets_paths; else (size_t)-1 */
} rw_budget_row;

/* How the value of a map is composed at a point. */
typedef struct rw_link_budget {
    size_t size;
    size_t point, transmitter;      /* from 0, as given */
    int indoor;                     /* 1: the point is inside a building or a wall: no values and no rows */
    double path_loss_db, power_dbm; /* those of the map; infinite: nothing arrives */
    double arrivals_db;             /* loss of all arrivals together, without what the rule of composition adds */
    double median_weight;           /* w of the rule of composition; 0: no empirical median counts */
    double median_db;               /* the median's loss beyond free space */
    double built_over;              /* fraction of the area around the point that is built over */
    const char *dominant;           /* name of the largest arrival; NULL: nothing arrives */
    const rw_budget_row *rows;      /* arrivals, loss, power; NULL: none */
    size_t row_count;
} rw_link_budget;

/* Link budgets of one call of rw_predict_budgets. */
typedef struct rw_budgets rw_budgets;

/* How the values of rw_predict_points are composed, with the same options (layers do not matter): one link budget for
 * each transmitter and point, those of one transmitter in the order of the points. On failure *budgets is NULL. */
RW_API rw_status rw_predict_budgets(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                    size_t point_count, rw_budgets **budgets);
/* Number of link budgets: transmitters times points. */
RW_API size_t rw_budgets_count(const rw_budgets *budgets);
/* One link budget, from 0; its rows live as long as the budgets. RW_BAD_CALL beyond the last. */
RW_API rw_status rw_budgets_get(const rw_budgets *budgets, size_t index, rw_link_budget *budget);
/* One row of a link budget, from 0. RW_BAD_CALL beyond the last. */
RW_API rw_status rw_budgets_get_row(const rw_budgets *budgets, size_t index, size_t row, rw_budget_row *out);
/* The paths that arrivals refer to; NULL: the model's arrivals are mechanisms. They live as long as the budgets. */
RW_API const rw_paths *rw_budgets_paths(const rw_budgets *budgets);
/* All of them as a JSON list (docs/reference/formats.md), to be freed with rw_free; on failure *string is NULL. */
RW_API rw_status rw_budgets_to_json(const rw_budgets *budgets, char **string);
/* Frees link budgets; NULL is allowed. */
RW_API void rw_budgets_destroy(rw_budgets *budgets);

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

#ifdef __cplusplus
}
#endif
#endif
