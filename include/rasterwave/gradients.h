/* Derivatives of path gains and received levels: paths are traced once and kept, and are then an exact sum of products,
 * whose value and derivatives under other materials, powers and antenna orientations take microseconds a path.
 *
 * The sequence of interactions of each path is held fixed, and so is what sees what: derivatives are those between two
 * changes of visibility. All is double precision. docs/how-to/gradients.md has the whole. */
#ifndef RASTERWAVE_GRADIENTS_H
#define RASTERWAVE_GRADIENTS_H

#include <rasterwave/rasterwave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kept paths of all transmitters to a list of points. */
typedef struct rw_gains rw_gains;

/* name, word, unit */
#define RW_GAIN_QUANTITY_MAP(X)                                                                                        \
    X(PERMITTIVITY, "permittivity", "1")   /* of a material, relative, at the frequency of the paths */                \
    X(CONDUCTIVITY, "conductivity", "S/m") /* the same */                                                              \
    X(ROUGHNESS, "roughness", "1")         /* effective roughness S of a material */                                   \
    X(THICKNESS, "thickness", "m")         /* of a layer of a slab */                                                  \
    X(POWER, "power", "dBm")               /* of a transmitter */                                                      \
    X(AZIMUTH, "azimuth", "deg")           /* of its antenna, as in rw_transmitter */                                  \
    X(DOWNTILT, "downtilt", "deg")                                                                                     \
    X(ROLL, "roll", "deg")                                                                                             \
    X(X_M, "x", "m") /* of its place, where positions were asked for */                                                \
    X(Y_M, "y", "m")                                                                                                   \
    X(HEIGHT_M, "height", "m") /* the ground stays where it is */

/* What a parameter of kept paths is. */
typedef enum rw_gain_quantity {
#define RW_GAIN_QUANTITY_ENUM(name, word, unit) RW_GAIN_QUANTITY_##name,
    RW_GAIN_QUANTITY_MAP(RW_GAIN_QUANTITY_ENUM)
#undef RW_GAIN_QUANTITY_ENUM
} rw_gain_quantity;

/* One parameter that gains depend on. */
typedef struct rw_gain_parameter {
    size_t size;
    rw_gain_quantity quantity;
    const char *word, *unit; /* of the quantity */
    const char *name;        /* of the material, slab or transmitter */
    size_t index;            /* layer of the slab, or transmitter, from 0 */
    double value;            /* as the paths were kept */
} rw_gain_parameter;

/* Options of rw_gains_create. */
typedef struct rw_gains_options {
    size_t size;
    int positions; /* 1: derivatives over the places of transmitters too, which takes four times the memory */
} rw_gains_options;

/* With positions. */
RW_API void rw_gains_options_init_sized(rw_gains_options *options, size_t size);
#define rw_gains_options_init(options) rw_gains_options_init_sized((options), sizeof *(options))

/* How many of each. */
typedef struct rw_gains_info {
    size_t size;
    size_t transmitters, points, paths, parameters;
    double bytes; /* of the paths, in main memory or on the GPU */
} rw_gains_info;

/* Traces the paths of a prediction by the model beams, images, shadow or tiles to points and keeps them. All
 * transmitters must have one frequency. gains_options may be NULL. On failure *gains is NULL. */
RW_API rw_status rw_gains_create(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                 size_t point_count, const rw_gains_options *gains_options, rw_gains **gains);
/* Frees kept paths; NULL is allowed. */
RW_API void rw_gains_destroy(rw_gains *gains);
/* Counts of kept paths. */
RW_API rw_status rw_gains_get_info(const rw_gains *gains, rw_gains_info *info);
/* One parameter, from 0; RW_BAD_CALL beyond the last. */
RW_API rw_status rw_gains_get_parameter(const rw_gains *gains, size_t index, rw_gain_parameter *parameter);
/* Transmitter and point of one path, from 0, in the order of the calls below. */
RW_API rw_status rw_gains_get_path(const rw_gains *gains, size_t index, size_t *transmitter, size_t *point);

/* What is evaluated. */
typedef enum rw_gains_output {
    RW_GAINS_LEVELS, /* received power in dBm, the points of one transmitter after those of another; -infinity: none */
    RW_GAINS_PATHS   /* sqrt(received over transmitted power) of each path with its phase, real and imaginary part */
} rw_gains_output;

/* Values under those of the parameters; NULL: as the paths were kept. Positions must be as kept: another place has
 * other paths. out has one value a transmitter and point, or two a path. */
RW_API rw_status rw_gains_evaluate(rw_gains *gains, rw_gains_output output, const double *values, double *out);

/* The same, and their change for a change of the parameters: the derivative along a tangent. out may be NULL. */
RW_API rw_status rw_gains_jvp(rw_gains *gains, rw_gains_output output, const double *values, const double *tangent,
                              double *out, double *change);

/* The gradient of a scalar over all parameters, from its derivatives over the outputs: the cotangent. The result does
 * not depend on the number of threads. */
RW_API rw_status rw_gains_vjp(rw_gains *gains, rw_gains_output output, const double *values, const double *cotangent,
                              double *gradient);

#ifdef __cplusplus
}
#endif

#endif
