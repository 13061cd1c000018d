/* Numbers that come from outside: files, kept files with valid hashes, structs of callers. Whoever takes one asks here
 * before it is used, so that NaN, infinities and lengths that are not on Earth get no further. NaN is within no range.
 */
#ifndef RW_BASE_RANGE_H
#define RW_BASE_RANGE_H

#include <stddef.h>

/* The largest coordinate of a map: beyond it doubles are coarser than a tenth of a micrometre. */
#define RW_COORDINATE_MAX_M 1e9
/* The highest altitude and the tallest building. */
#define RW_HEIGHT_MAX_M 1e5
/* The tallest building and the highest roof that a file is believed; the tallest one that stands has 828 m. */
#define RW_BUILDING_HEIGHT_MAX_M 1000.0
#define RW_ROOF_ALTITUDE_MAX_M 6000.0
/* Sides of cells, posts and tiles. */
#define RW_CELL_MIN_M 1e-6
#define RW_CELL_MAX_M 1e6
/* The smallest distance of a terrain's posts: paths look at the ground at every line of them. */
#define RW_POST_MIN_M 0.01
/* The longest side of a scene. */
#define RW_SCENE_MAX_M 1e6
/* How far a transmitter may be computed. */
#define RW_RADIUS_MAX_M 1e7
/* The most decibels that a loss, gain or power can be: beyond 10^300 a ratio is no double. */
#define RW_DECIBELS_MAX 3000.0

static inline int rw_is_within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static inline int rw_is_coordinate(double metres)
{
    return rw_is_within(metres, -RW_COORDINATE_MAX_M, RW_COORDINATE_MAX_M);
}

/* An altitude, or a height that may lie below the ground. */
static inline int rw_is_altitude(double metres)
{
    return rw_is_within(metres, -RW_HEIGHT_MAX_M, RW_HEIGHT_MAX_M);
}

static inline int rw_is_cell_size(double metres)
{
    return rw_is_within(metres, RW_CELL_MIN_M, RW_CELL_MAX_M);
}

static inline int rw_is_decibels(double decibels)
{
    return rw_is_within(decibels, -RW_DECIBELS_MAX, RW_DECIBELS_MAX);
}

/* The first value outside the range; count where all are within it. */
static inline size_t rw_find_outside(const double *values, size_t count, double low, double high)
{
    size_t i = 0;
    while (i < count && rw_is_within(values[i], low, high))
        i++;
    return i;
}

static inline size_t rw_find_outside_float(const float *values, size_t count, double low, double high)
{
    size_t i = 0;
    while (i < count && rw_is_within((double)values[i], low, high))
        i++;
    return i;
}

/* The first coordinate that is none; count where all are. */
static inline size_t rw_find_bad_coordinate(const double *values, size_t count)
{
    return rw_find_outside(values, count, -RW_COORDINATE_MAX_M, RW_COORDINATE_MAX_M);
}

/* The cell of 0 to count - 1 that a position in cells lies in, or the nearest one; 0 for NaN. A conversion by (int)
 * alone is undefined beyond the integers. */
static inline int rw_cell_index(double position, int count)
{
    return !(position > 0) ? 0 : position >= count - 1 ? count - 1 : (int)position;
}

#endif
