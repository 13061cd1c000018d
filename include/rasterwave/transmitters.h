/* Antennas, transmitters, tables of sites, and parameters of models.
 *
 * Part of rasterwave.h, where the conventions stand. */
#ifndef RASTERWAVE_TRANSMITTERS_H
#define RASTERWAVE_TRANSMITTERS_H

#include <rasterwave/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------- antennas and transmitters */

/* An antenna pattern. */
typedef struct rw_antenna rw_antenna;

/* "isotropic", "dipole" (half a wavelength, vertical), "3gpp" (one element of TR 38.901), "macro" (17 dBi, 65 x 10
 * degrees), "omni" (8 dBi) or "sector", each followed by what differs ("macro:etilt=6", "sector:gain=15:horizontal=90";
 * docs/reference/formats.md), or the path of an MSI/Planet file. */
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
    double radius_m;     /* it is computed so far; 0: as the prediction says */
    double bandwidth_hz; /* of its carrier, of which 90 % are resource blocks; 0: the prediction's */
    int streams;         /* spatial streams at most (MIMO order), for throughput; 0: 1 */
} rw_transmitter;

/* isotropic, 30 dBm, 10 m above ground at (0, 0) */
RW_API void rw_transmitter_init_sized(rw_transmitter *transmitter, size_t size);
#define rw_transmitter_init(transmitter) rw_transmitter_init_sized((transmitter), sizeof *(transmitter))

/* Sets the polarisation by a word: "vertical", "horizontal", a slant in degrees ("45"), "dual" (+45 and -45), "vh". */
RW_API rw_status rw_transmitter_set_polarisation(rw_context *context, rw_transmitter *transmitter, const char *string);

/* A sites CSV: a header line with x, y, height and, where given, name, azimuth, tilt, roll, power, freq, antenna,
 * channel (docs/reference/formats.md). *sites is to be freed with rw_free; on failure it is NULL. */
RW_API rw_status rw_sites_load_sized(rw_context *context, const char *path, size_t size, rw_transmitter **sites,
                                     size_t *count);
#define rw_sites_load(context, path, sites, count)                                                                     \
    rw_sites_load_sized((context), (path), sizeof **(sites), (sites), (count))

/* The same without lines that cannot be used, which are told as warnings and counted in *skipped. */
RW_API rw_status rw_sites_load_good_sized(rw_context *context, const char *path, size_t size, rw_transmitter **sites,
                                          size_t *count, size_t *skipped);
#define rw_sites_load_good(context, path, sites, count, skipped)                                                       \
    rw_sites_load_good_sized((context), (path), sizeof **(sites), (sites), (count), (skipped))

/* Options of rw_sites_load_for. */
typedef struct rw_sites_options {
    size_t size;
    const char *crs;    /* of x and y in the table; NULL: that of to_crs */
    const char *to_crs; /* into which places are brought, as rw_scene_crs; needed for crs, longitude and latitude */
    int skip_bad;       /* 1: lines that cannot be used are left out and counted */
    rw_warning_fn on_skipped; /* receives a sentence for each; NULL: the first are told as warnings */
    void *user;               /* handed to it */
    const char *columns; /* names of the table's columns: "x=Easting,height=AntennaHeight"; NULL: as the table says */
} rw_sites_options;

/* Places as they are, bad lines refused. */
RW_API void rw_sites_options_init_sized(rw_sites_options *options, size_t size);
#define rw_sites_options_init(options) rw_sites_options_init_sized((options), sizeof *(options))

/* A sites CSV whose places may be in another coordinate system, or columns longitude and latitude. */
RW_API rw_status rw_sites_load_for_sized(rw_context *context, const char *path, const rw_sites_options *options,
                                         size_t size, rw_transmitter **sites, size_t *count, size_t *skipped);
#define rw_sites_load_for(context, path, options, sites, count, skipped)                                               \
    rw_sites_load_for_sized((context), (path), (options), sizeof **(sites), (sites), (count), (skipped))

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

#ifdef __cplusplus
}
#endif
#endif
