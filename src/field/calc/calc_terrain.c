/* rw_calc_terrain: the loss of a link over a profile, given or from a file. */
#include "field/calc/calc.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text/csv.h"
#include "field/edges/delta_bullington.k.h"
#include "field/paths/free_space.k.h"

#include <stdlib.h>
#include <string.h>

#define EARTH_RADIUS_M 6371e3
#define FREQ_MIN_HZ 30e6
#define FREQ_MAX_HZ 6e9
#define LENGTH_MIN_M 250.0

void rw_terrain_loss_options_init_sized(rw_terrain_loss_options *options, size_t size)
{
    const rw_terrain_loss_options own = {.first_height_m = 30, .last_height_m = 1.5, .k_factor = 4.0 / 3.0};
    rw_defaults_copy(&own, sizeof own, options, size);
}

/* Points of a profile, with and without what stands on the ground; one block of memory. */
typedef struct profile_points {
    double *distance_m, *ground_m, *height_m;
    size_t count;
} profile_points;

static rw_status allocate_profile(rw_context *context, size_t count, profile_points *points)
{
    if (count < 2)
        return rw_fail(context, RW_BAD_INPUT, "a profile of %zu points is too short; it needs at least 2", count);
    RW_TRY(rw_array_create(context, 3 * count, sizeof(double), "the profile", &points->distance_m));
    points->ground_m = points->distance_m + count;
    points->height_m = points->ground_m + count;
    points->count = count;
    return RW_OK;
}

static rw_status fill_profile_points(const rw_csv *csv, profile_points *points)
{
    size_t in_m = rw_csv_find(csv, "distance|distance_m|d|x"), in_km = rw_csv_find(csv, "distance_km|d_km");
    size_t height, clutter = rw_csv_find(csv, "clutter|clutter_m|cover|cover_m");
    if (in_m == RW_CSV_NO_COLUMN && in_km == RW_CSV_NO_COLUMN)
        RW_TRY(rw_csv_require(csv, "distance_m|distance_km", &in_m));
    RW_TRY(rw_csv_require(csv, "height|height_m|altitude|altitude_m|z|h", &height));
    for (size_t i = 0; i < points->count; i++) {
        double at, cover_m = 0;
        rw_quantity quantity = in_m != RW_CSV_NO_COLUMN ? RW_QUANTITY_LENGTH_M : RW_QUANTITY_NUMBER;
        RW_TRY(rw_csv_required_number(csv, i, in_m != RW_CSV_NO_COLUMN ? in_m : in_km, quantity, &at));
        RW_TRY(rw_csv_required_number(csv, i, height, RW_QUANTITY_LENGTH_M, &points->ground_m[i]));
        RW_TRY(rw_csv_optional_number(csv, i, clutter, RW_QUANTITY_LENGTH_M, &cover_m));
        points->distance_m[i] = in_m != RW_CSV_NO_COLUMN ? at : 1000 * at;
        points->height_m[i] = points->ground_m[i] + cover_m;
    }
    return RW_OK;
}

static rw_status read_profile_points(rw_context *context, const char *path, profile_points *points)
{
    rw_csv csv;
    RW_TRY(rw_csv_read(context, path, &csv));
    rw_status status = allocate_profile(context, csv.row_count, points);
    if (status == RW_OK)
        status = fill_profile_points(&csv, points);
    rw_csv_free(&csv);
    return status;
}

static rw_status copy_points(rw_context *context, const rw_terrain_loss_options *options, profile_points *points)
{
    if (!options->distance_m || !options->height_m)
        return rw_fail(context, RW_BAD_CALL, "there is no profile: give a file or distances and heights");
    RW_TRY(allocate_profile(context, options->count, points));
    memcpy(points->distance_m, options->distance_m, points->count * sizeof(double));
    memcpy(points->ground_m, options->height_m, points->count * sizeof(double));
    for (size_t i = 0; i < points->count; i++)
        points->height_m[i] = points->ground_m[i] + (options->clutter_m ? options->clutter_m[i] : 0);
    return RW_OK;
}

/* Distances from 0 and rising, heights on Earth; nothing stands where the antennas do. */
static rw_status check_profile_points(rw_context *context, profile_points *points)
{
    size_t last = points->count - 1;
    double start_m = points->distance_m[0];
    for (size_t i = 0; i <= last; i++) {
        points->distance_m[i] -= start_m;
        if (!(points->distance_m[i] < 1e9) || (i && !(points->distance_m[i] > points->distance_m[i - 1])))
            return rw_fail(context, RW_BAD_INPUT,
                           "point %zu of the profile is at %g m, and distances must rise from point to point", i + 1,
                           points->distance_m[i] + start_m);
        if (!(fabs(points->ground_m[i]) < 1e5) || !(fabs(points->height_m[i]) < 1e5))
            return rw_fail(context, RW_BAD_INPUT,
                           "point %zu of the profile has a height of %g m, which is not on Earth", i + 1,
                           points->height_m[i]);
    }
    points->height_m[0] = points->ground_m[0];
    points->height_m[last] = points->ground_m[last];
    return RW_OK;
}

static void compute_terrain_loss(const rw_terrain_loss_options *options, const profile_points *points,
                                 rw_terrain_loss_result *result)
{
    size_t last = points->count - 1;
    double first_m = points->ground_m[0] + options->first_height_m;
    double last_m = points->ground_m[last] + options->last_height_m;
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / options->freq_hz;
    result->length_m = points->distance_m[last];
    result->earth_radius_m = EARTH_RADIUS_M * options->k_factor;
    rw_profile profile = {points->distance_m, points->height_m, points->count, first_m, last_m, result->earth_radius_m};
    rw_terrain_link link = {
        result->length_m, wavelength_m, result->earth_radius_m, {options->sea_fraction, options->horizontal != 0}};
    rw_terrain_pass pass = rw_terrain_pass_over(&profile, points->ground_m);
    double over_first_m, over_last_m;
    rw_terrain_smooth_heights(&pass, &over_first_m, &over_last_m);
    result->nu = points->count > 2 ? rw_terrain_nu(&pass.tops, &link) : -INFINITY;
    result->bullington_db = rw_terrain_bullington_db(result->nu, result->length_m);
    result->smooth_earth_db = rw_smooth_earth_loss_db(link.over, result->length_m, over_first_m, over_last_m,
                                                      result->earth_radius_m, wavelength_m);
    result->diffraction_db = rw_delta_bullington_db(&pass, &link);
    result->free_space_db = rw_free_space_loss_db(hypot(result->length_m, last_m - first_m), wavelength_m);
    result->loss_db = result->free_space_db + result->diffraction_db;
    result->line_of_sight = !(pass.tops.slope_first > 0);
}

rw_status rw_calc_terrain(rw_context *context, const rw_terrain_loss_options *user_options,
                          rw_terrain_loss_result *result)
{
    rw_terrain_loss_options options;
    rw_terrain_loss_result terrain_loss_result = {.size = sizeof terrain_loss_result};
    profile_points points = {0};
    rw_terrain_loss_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(rw_calc_check_freq(context, options.freq_hz));
    RW_TRY(rw_calc_check_positive(context, options.first_height_m, "the transmitter's height"));
    RW_TRY(rw_calc_check_positive(context, options.last_height_m, "the receiver's height"));
    RW_TRY(rw_calc_check_range(context, options.k_factor, 0.1, 1e6, "the k factor", ""));
    RW_TRY(rw_calc_check_range(context, options.sea_fraction, 0, 1, "the share of sea", ""));
    rw_status status = options.profile ? read_profile_points(context, options.profile, &points)
                                       : copy_points(context, &options, &points);
    if (status == RW_OK)
        status = check_profile_points(context, &points);
    if (status == RW_OK) {
        compute_terrain_loss(&options, &points, &terrain_loss_result);
        if (options.freq_hz < FREQ_MIN_HZ || options.freq_hz > FREQ_MAX_HZ ||
            terrain_loss_result.length_m < LENGTH_MIN_M)
            rw_warn(context, "ITU-R P.1812 is for 30 MHz to 6 GHz and 250 m or more");
        status = RW_ASSIGN(context, &terrain_loss_result, result);
    }
    free(points.distance_m);
    return status;
}
