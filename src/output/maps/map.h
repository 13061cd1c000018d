/* A radio map in memory: a grid of cells and layers of float bands over it. World coordinates. */
#ifndef RW_OUTPUT_MAPS_MAP_H
#define RW_OUTPUT_MAPS_MAP_H

#include "base/context.h"
#include "base/maths/vector.h"

typedef struct rw_layer_data {
    char *name, *unit;
    size_t bands;
    size_t levels;                      /* bands of each transmitter, one above the other; 0: one */
    double first_level_m, level_step_m; /* their altitudes */
    float *values; /* bands * rows * columns, row 0 southernmost; NaN: nodata; +infinity: no path */
} rw_layer_data;

#define RW_MAP_LAYERS_MAX 32

struct rw_map {
    rw_context *context;
    rw_map_info info; /* info.layers is the number of layers below; its texts are those of the next line */
    char *model, *backend, *prior;
    char *crs; /* "" where none is known */
    rw_layer_data layers[RW_MAP_LAYERS_MAX];
    size_t band_count;             /* of the transmitters */
    char **band_names;             /* name of each transmitter; NULL: no bands */
    double (*band_positions_m)[3]; /* x, y and height above ground of each; NULL: not known */
    rw_map_histogram histogram;    /* of delays; values NULL: none */
    float *histogram_values;
};

/* Whether the map of a file can lie where it says: cell size, corners and height of the receivers. */
rw_status rw_map_check_position(rw_context *context, const rw_map_info *info, const char *path);

/* A map without layers; info gives grid, model, backend, whose texts are copied; NULL: "". */
rw_status rw_map_create(rw_context *context, const rw_map_info *info, const char *crs, rw_map **map);

/* The same with values that are not set: every one is to be written. */
rw_status rw_map_add_layer_unset(rw_map *map, const char *name, const char *unit, size_t bands, float **values);

/* Adds a layer whose values are all nodata, and gives them for filling. */
rw_status rw_map_add_layer(rw_map *map, const char *name, const char *unit, size_t bands, float **values);

/* map_histogram.c: gives the map a histogram of delays, all zero, for filling. */
rw_status rw_map_add_histogram(rw_map *map, size_t bands, size_t bins, double first_s, double bin_s, float **values);

/* The transmitters that the bands are of. */
rw_status rw_map_set_transmitters(rw_map *map, const rw_transmitter *transmitters, size_t count);

/* What a band is called: its transmitter, with levels also the altitude; the layer's name where it has no other. */
#define RW_BAND_NAME_MAX 160
void rw_layer_band_name(const rw_map *map, const rw_layer_data *layer, size_t band, char string[RW_BAND_NAME_MAX]);

/* Bands without names and places, in place of those that there are. */
rw_status rw_map_set_bands(rw_map *map, size_t count);

/* Their places as a text for the headers of files, "" where not known (free with free()), and back. A text that does
 * not fit the bands leaves the places unknown. */
rw_status rw_map_transmitters_to_string(const rw_map *map, char **string);
rw_status rw_map_transmitters_from_string(rw_map *map, const char *string);

/* Maps whose cells lie on a rectangle in space: its frame, and the frame as a text for the headers of files. */

/* World coordinates; altitudes. */
typedef struct rw_plane {
    rw_vec3 corner;
    rw_vec3 along_u, along_v, normal; /* of length 1 */
    double width_m, height_m;         /* of the two sides */
} rw_plane;

#define RW_PLANE_STRING_MAX 256

rw_plane rw_plane_of(const double plane_m[9]);

/* Whether both sides have a length. */
int rw_plane_has_sides(const rw_plane *plane);

/* Centre of a cell. */
rw_vec3 rw_plane_cell(const rw_plane *plane, size_t column, size_t row, double res_m);

/* "X,Y,Z:UX,UY,UZ:VX,VY,VZ", and back; 0 where the text is none. */
void rw_plane_to_string(const double plane_m[9], char string[RW_PLANE_STRING_MAX]);
int rw_plane_from_string(const char *string, double plane_m[9]);

#endif
