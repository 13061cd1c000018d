/* What models of rays between plane surfaces share: from the sums of a receiver's paths to the layers of a map. */
#ifndef RW_MODELS_RAYS_RAY_LAYERS_H
#define RW_MODELS_RAYS_RAY_LAYERS_H

#include "field/paths/ray_sums.k.h"
#include "models/engine/run/run.h"

#define RW_RAY_LAYERS(X)                                                                                               \
    X(RW_RAY_PATH_LOSS, "path_loss", "dB", NULL)                                                                       \
    X(RW_RAY_POWER, "power", "dBm", NULL)                                                                              \
    X(RW_RAY_FIELD_STRENGTH, "field_strength", "dBuV/m", NULL)                                                         \
    X(RW_RAY_DELAY_SPREAD, "delay_spread", "ns", NULL)                                                                 \
    X(RW_RAY_DELAY, "delay", "ns", NULL)                                                                               \
    X(RW_RAY_AZIMUTH_SPREAD, "azimuth_spread", "deg", NULL)                                                            \
    X(RW_RAY_ELEVATION_SPREAD, "elevation_spread", "deg", NULL)                                                        \
    X(RW_RAY_AZIMUTH, "azimuth", "deg", NULL)                                                                          \
    X(RW_RAY_ELEVATION, "elevation", "deg", NULL)                                                                      \
    X(RW_RAY_PATHS, "paths", "paths", NULL)                                                                            \
    X(RW_RAY_BENEFIT, "benefit", "dB", NULL)                                                                           \
    RW_NETWORK_LAYERS(X, RW_RAY_)

enum { RW_RAY_LAYERS(RW_LAYER_INDEX) RW_RAY_LAYER_COUNT };

#define RW_RAY_DEFAULT_LAYERS "path_loss,delay_spread,paths"

/* The same with what the paths of a receiver meet, for models whose paths go through walls. */
#define RW_ROOM_LAYERS(X) RW_RAY_LAYERS(X) X(RW_ROOM_LAYER_MECHANISM, "mechanism", "", NULL)
enum { RW_ROOM_LAYER_MECHANISM = RW_RAY_LAYER_COUNT };
extern const rw_layer_kind rw_room_layer_kinds[RW_RAY_LAYER_COUNT + 2];

#define RW_ROOM_DEFAULT_LAYERS "path_loss,delay_spread,paths,mechanism"

/* The same for models of cities, whose engine fills cells inside buildings. */
#define RW_CITY_LAYERS(X) RW_RAY_LAYERS(X) X(RW_CITY_LAYER_INDOOR, "indoor", "dB", NULL)
enum { RW_CITY_LAYER_INDOOR = RW_RAY_LAYER_COUNT };
extern const rw_layer_kind rw_city_layer_kinds[RW_RAY_LAYER_COUNT + 2];

/* Values of mechanism; the numbers are those of the same mechanisms in other models. */
enum {
    RW_ROOM_SIGHT = 0,     /* in line of sight */
    RW_ROOM_WALLS = 3,     /* reached only through walls */
    RW_ROOM_REFLECTION = 4 /* out of sight, and some path goes through no wall */
};

/* Layers of one transmitter being filled, and the received power, one a cell. */
typedef struct rw_ray_layers {
    const rw_run *run;
    size_t transmitter;
    rw_ray_sum_kind kind;
    float *power_dbm; /* NaN: no receiver */
} rw_ray_layers;

/* Before the first receiver of a transmitter: no cell has a power yet. */
void rw_ray_layers_begin(const rw_ray_layers *layers);

/* One receiver. free_gain and straight_s are those its sums are relative to. */
void rw_ray_layers_store(const rw_ray_layers *layers, size_t cell, const rw_ray_sums *sums, double free_gain,
                         double straight_s);

/* After the last: power, best server and interference. */
rw_status rw_ray_layers_end(const rw_ray_layers *layers, rw_run *run);

/* "coherent", "power" or "local"; NULL: coherent. */
rw_status rw_ray_sum_parse(rw_context *context, const char *name, rw_ray_sum_kind *kind);

/* The sum of a prediction: by name or, by default, the mean over the cell where it is wider than half a wavelength. */
rw_status rw_ray_sum_resolve(const rw_prediction *prediction, size_t transmitter, rw_ray_sum_kind *kind);

/* Adds the sums of a second port, whose phase is not that of the first: powers add, also those of coherent sums. */
void rw_ray_sums_merge(rw_ray_sums *to, const rw_ray_sums *from);

#endif
