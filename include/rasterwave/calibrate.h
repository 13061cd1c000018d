/* rasterwave: maps and models against measurements, and a model's parameters from them.
 *
 * It reads in the order of the work: measurements from a file, the error of a map or a model, then calibration, whose
 * result is a set of parameters for rw_predict. Conventions are those of rasterwave.h. */
#ifndef RASTERWAVE_CALIBRATE_H
#define RASTERWAVE_CALIBRATE_H

#include <rasterwave/rasterwave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------ evaluation */

/* How good is a map? Measurements against it: error = measured - predicted, in dB of path loss.
 * docs/reference/evaluation.md has the definitions. */
typedef struct rw_measurements rw_measurements;

/* Options of rw_measurements_load. */
typedef struct rw_measurements_options {
    size_t size;
    const char *columns; /* "x=EAST,y=NORTH,value=LOSS", also z, route, site, device; or numbers from 1; NULL: usual
                            names */
    const char
        *quantity; /* of value: "path_loss" in dB between isotropic antennas (default), "power" or "rsrp" in dBm */
    double tx_power_dbm;      /* of power: path loss = tx_power_dbm - power; NaN: each site's power and antenna gain */
    const char *route, *site; /* only the samples of this route or site; NULL: all */
    int resource_blocks;      /* of rsrp: among whose 12 subcarriers each the power is shared; 0: it is that of one */
    const char
        *crs; /* of x and y; NULL: degrees where columns are called longitude and latitude, else that of to_crs */
    const char *to_crs; /* of the scene or map, into which places are brought; NULL: as they are */
} rw_measurements_options;

/* Counts of a file of measurements. */
typedef struct rw_measurements_info {
    size_t size;
    size_t rows;        /* of the file */
    size_t samples;     /* usable ones */
    size_t not_numbers; /* text, empty or NaN in x, y or value, or a value beyond 1000 dB */
    size_t not_chosen;  /* of other routes or sites */
} rw_measurements_info;

/* One usable sample. */
typedef struct rw_measurement {
    size_t size;
    double x_m, y_m;
    double z_m;               /* as in the file; NaN: not given */
    double path_loss_db;      /* NaN where it depends on the site's power and antenna */
    const char *route, *site; /* "" where not given */
    size_t line;              /* of the file, from 1 */
    double power_dbm;         /* NaN where path loss was measured */
    const char *device;       /* "" where not given */
} rw_measurement;

/* Usual column names, path loss, all routes and sites. */
RW_API void rw_measurements_options_init_sized(rw_measurements_options *options, size_t size);
#define rw_measurements_options_init(options) rw_measurements_options_init_sized((options), sizeof *(options))

/* A CSV with a header line, or lines of nothing but numbers: x, y, value or x, y, z, value. Separators are commas,
 * semicolons, tabs or blanks. options may be NULL. */
RW_API rw_status rw_measurements_load(rw_context *context, const char *path, const rw_measurements_options *options,
                                      rw_measurements **measurements);
/* Frees measurements; NULL is allowed. */
RW_API void rw_measurements_destroy(rw_measurements *measurements);
/* Counts of the file. */
RW_API rw_status rw_measurements_get_info(const rw_measurements *measurements, rw_measurements_info *info);
/* One usable sample, from 0. */
RW_API rw_status rw_measurements_get(const rw_measurements *measurements, size_t index, rw_measurement *measurement);

/* Errors of a map or a model at measured points. */
typedef struct rw_evaluation rw_evaluation;

/* Options of rw_evaluate_map and rw_evaluate_model. */
typedef struct rw_evaluate_options {
    size_t size;
    size_t band;                       /* of the layer, from 0 */
    const char *average;               /* of the samples in a cell: "db" (default), "linear" (of power) or "none" */
    const rw_transmitter *transmitter; /* where the one-slope fit starts from; NULL: the map's, where it says so */
    const char *offsets; /* constants fitted before errors are told: of each "site", "device", "site,device"; "none" */
    int skip_bad;        /* of a model: 1 leaves out sites that cannot be predicted from, and counts their samples */
    const char *heights; /* of a model, of the measurements' z: "above_ground", "above_sea", or "none" (receivers are at
                            the prediction's rx_height_m); NULL: above ground where a header or columns name z */
    double above_m;      /* points higher than this are above ground level, in figures of their own */
} rw_evaluate_options;

/* The first band, samples of a cell averaged in dB, no offsets, nothing bad left out, above ground level from 5 m on.
 */
RW_API void rw_evaluate_options_init_sized(rw_evaluate_options *options, size_t size);
#define rw_evaluate_options_init(options) rw_evaluate_options_init_sized((options), sizeof *(options))

/* Errors of a prediction; NaN where there is no such number: the deviation of one point, the correlation of constants.
 */
typedef struct rw_error_statistics {
    double mean_db, rmse_db, std_dev_db; /* Rick and Kuhlen 2010, equations (23), (21), (22) */
    double median_db, absolute_p90_db;   /* p90: 90 % of |error| are at most this */
    double correlation;                  /* of measured and predicted, after Pearson */
} rw_error_statistics;

/* Most bins of a histogram of errors. */
#define RW_HISTOGRAM_BINS_MAX 40

/* Bin i counts errors from low_db + i width_db up to the next bin's. */
typedef struct rw_histogram {
    double low_db, width_db;
    size_t bin_count;
    size_t counts[RW_HISTOGRAM_BINS_MAX];
} rw_histogram;

/* Figures of an evaluation. */
typedef struct rw_evaluation_info {
    size_t size;
    size_t points; /* that the figures are of: cells, or samples without averaging */
    size_t samples_used, off_map, in_building, no_path; /* these and those of bad sites are all usable samples */
    rw_error_statistics prediction;
    rw_histogram histogram; /* of the prediction's errors */
    int has_one_slope;
    rw_error_statistics one_slope; /* of the fit L = intercept + 10 exponent log10(d/m) to the same points */
    double one_slope_intercept_db, one_slope_exponent;
    size_t bad_rows;    /* samples of sites that are not among the transmitters */
    size_t bad_sites;   /* sites inside buildings, off the scene, or with an unknown antenna */
    size_t of_bad_site; /* their samples */
    size_t offsets;     /* fitted ones */
    size_t baselines;
    size_t ground_points, above_points; /* not higher than above_m, and higher */
    rw_error_statistics ground, above;  /* of the prediction at them; NaN where there are none */
    double height_min_m, height_max_m;  /* of the points, above ground */
    double res_m;                       /* side of the cells in which samples are one point; 0 for a map */
} rw_evaluation_info;

/* A constant that was fitted to the points of one site, device, or both. */
typedef struct rw_offset {
    size_t size;
    const char *site, *device; /* "" where it is for all of them; they live as long as the measurements */
    double offset_db;          /* added to the prediction */
    size_t points;
} rw_offset;

/* Errors of a formula that needs no map, at the same points. */
typedef struct rw_baseline {
    size_t size;
    const char *name; /* "free_space", "walfisch_ikegami", "cost_hata", "p1411", "3gpp_umi", "3gpp_uma" */
    rw_error_statistics errors;
} rw_baseline;

/* One point, in the order of the file. */
typedef struct rw_evaluation_point {
    size_t size;
    double x_m, y_m; /* mean of its samples */
    double along_m;  /* way from the first point, without the gaps between routes */
    double measured_db, predicted_db;
    double one_slope_db; /* NaN where there is no fit */
    size_t samples;
    const char *route;         /* lives as long as the measurements */
    double height_m;           /* above ground */
    const char *site, *device; /* "" where not given; they live as long as the measurements */
    int mechanism;             /* the strongest one, as in the layer of that name; -1: not predicted */
} rw_evaluation_point;

/* Fails with RW_BAD_INPUT where no sample is left. options may be NULL. */
RW_API rw_status rw_evaluate_map(const rw_map *map, size_t layer, const rw_measurements *measurements,
                                 const rw_evaluate_options *options, rw_evaluation **evaluation);

/* The same without a map: the model is evaluated at the measured places. Samples within a cell of the prediction's
 * res_m are one point, at the sample nearest to their middle; its transmitter is chosen as rw_calibrate does. With
 * heights, cells are stacked at the same distance. The options' band is not used. */
RW_API rw_status rw_evaluate_model(const rw_scene *scene, const rw_predict_options *prediction,
                                   const rw_measurements *measurements, const rw_evaluate_options *options,
                                   rw_evaluation **evaluation);
/* Frees an evaluation; NULL is allowed. */
RW_API void rw_evaluation_destroy(rw_evaluation *evaluation);
/* The figures of an evaluation. */
RW_API rw_status rw_evaluation_get_info(const rw_evaluation *evaluation, rw_evaluation_info *info);
/* One fitted offset, from 0. */
RW_API rw_status rw_evaluation_get_offset(const rw_evaluation *evaluation, size_t index, rw_offset *offset);
/* One yardstick, from 0. */
RW_API rw_status rw_evaluation_get_baseline(const rw_evaluation *evaluation, size_t index, rw_baseline *baseline);
/* One point, from 0. */
RW_API rw_status rw_evaluation_get_point(const rw_evaluation *evaluation, size_t index, rw_evaluation_point *point);

/* Pictures of an evaluation. */
typedef enum rw_evaluation_plot {
    RW_EVALUATION_ROUTE,     /* measured and predicted along the way */
    RW_EVALUATION_SCATTER,   /* predicted over measured */
    RW_EVALUATION_HISTOGRAM, /* of errors */
    RW_EVALUATION_MAP        /* errors where they were measured, among the walls of the scene (of a model) */
} rw_evaluation_plot;

/* A PNG picture. */
RW_API rw_status rw_evaluation_draw(const rw_evaluation *evaluation, rw_evaluation_plot plot, const char *path);

/* ----------------------------------------------------------------------------------------------------- calibration */

/* What measurements add to a model's prediction: an offset for each site, a distance slope, a contrast between points
 * in and out of sight, the weight of the empirical median and, if requested, what remains as a field. Groups of the
 * model's own parameters are fitted before, if they are named. docs/explanation/calibration.md has the method. */
typedef struct rw_calibration rw_calibration;

/* Options of rw_calibrate. */
typedef struct rw_calibrate_options {
    size_t size;
    const char *fit;         /* groups of the model's parameters, comma-separated, fitted first; "all"; NULL: none */
    const char *holdout;     /* kept out of the fit: "route=NAME", "site=NAME", "random=0.3"; NULL: nothing */
    const char *average;     /* as in rw_evaluate_options */
    uint64_t seed;           /* of a random hold-out */
    int iterations_max;      /* of tracing and fitting */
    const char *constraints; /* linear ones: "reflection2_db=reflection1_db,exponent<=3"; NULL: bounds alone */
    const char *offsets;     /* as in rw_evaluate_options; NULL: "site" */
    int skip_bad;            /* likewise */
    int folds; /* of cross-validation: parts of the data of which each is predicted from the others; 0: none */
    const char *heights; /* as in rw_evaluate_options */
    int residuals;       /* 1: what remains at the points is stored in the parameters, and predictions follow it */
} rw_calibrate_options;

/* no group of the model's, nothing held out, 12 turns, an offset for each site, 5 folds, no residuals */
RW_API void rw_calibrate_options_init_sized(rw_calibrate_options *options, size_t size);
#define rw_calibrate_options_init(options) rw_calibrate_options_init_sized((options), sizeof *(options))

/* How a parameter took part in a fit. */
typedef enum rw_parameter_state {
    RW_PARAMETER_HELD,     /* not fitted */
    RW_PARAMETER_FITTED,   /* has a standard error */
    RW_PARAMETER_AT_BOUND, /* fitted; better values would not be physical */
    RW_PARAMETER_UNUSED,   /* keeps its value: no path depends on it */
    RW_PARAMETER_OPEN      /* stays near its start: these measurements do not determine it */
} rw_parameter_state;

/* A state in words. */
RW_API const char *rw_parameter_state_name(rw_parameter_state state);

/* One parameter before and after a calibration. */
typedef struct rw_calibrated_parameter {
    size_t size;
    const char *name, *unit;
    double before, after;
    double standard_error; /* NaN where not fitted */
    rw_parameter_state state;
} rw_calibrated_parameter;

/* Result of a calibration. */
typedef struct rw_calibration_info {
    size_t size;
    size_t points, holdout_points;                      /* cells, or samples without averaging */
    size_t samples_used, off_map, in_building, no_path; /* these four are all usable samples */
    size_t parameters, fitted;
    int iterations, converged;                         /* settled 0: iterations_max came first */
    rw_error_statistics before, after;                 /* on the points of the fit */
    rw_error_statistics holdout_before, holdout_after; /* NaN where nothing is held out */
    size_t bad_rows, bad_sites, of_bad_site, offsets;  /* as in rw_evaluation_info */
    int folds;                                         /* of cross-validation; 0: there was none */
    double folds_rmse_before_db, folds_rmse_after_db;  /* of points predicted from the others; NaN without */
    double strength; /* factor of the prior's weight that predicts unseen points best; infinite: none is better */
    /* Of unseen points, by formulas that need no map, each with the offsets of the fit: NaN without folds or if the
     * formula does not apply. */
    double folds_free_space_db, folds_cost_hata_db, folds_one_slope_db;
    size_t residuals;                /* stored ones: points merged over a fifth of the correlation length */
    double residuals_rmse_db;        /* of 100 m blocks, each half predicted with the residuals of the other half */
    double residuals_within_percent; /* of those points, how many are within one standard deviation */
    int start_preserved; /* 1: the fit was no better on points it had not seen, and the values are those it started from
                          */
} rw_calibration_info;

/* prediction says scene, transmitters, model, effects and, as params, where to start; res_m is the side of the cells in
 * which samples are averaged. Where there are several transmitters, the measurements' site names each sample's. */
RW_API rw_status rw_calibrate(const rw_scene *scene, const rw_predict_options *prediction,
                              const rw_measurements *measurements, const rw_calibrate_options *options,
                              rw_calibration **calibration);
/* Frees a calibration; NULL is allowed. */
RW_API void rw_calibration_destroy(rw_calibration *calibration);
/* Counts and errors of a calibration. */
RW_API rw_status rw_calibration_get_info(const rw_calibration *calibration, rw_calibration_info *info);
/* One parameter of a calibration, from 0. */
RW_API rw_status rw_calibration_get_parameter(const rw_calibration *calibration, size_t index,
                                              rw_calibrated_parameter *parameter);

/* One fitted offset, from 0. */
RW_API rw_status rw_calibration_get_offset(const rw_calibration *calibration, size_t index, rw_offset *offset);

/* A PNG picture of the losses before and after, with their standard errors. */
RW_API rw_status rw_calibration_draw(const rw_calibration *calibration, const char *path);

/* The same with other parameters of the model beside the fitted ones, each with a name and how far it deviates. */
RW_API rw_status rw_calibration_draw_comparison(const rw_calibration *calibration, const rw_params *const *others,
                                                const char *const *names, size_t count, const char *path);

/* How far the losses of two parameter vectors of a model deviate: the root of the mean squared difference over what is
 * in dB and was fitted in both, or over all that is in dB where neither has a record. */
RW_API rw_status rw_params_deviation_db(const rw_params *params, const rw_params *other, double *deviation_db);

/* The linear form of the fit as CSV: a line for each path of each point, with the coefficient of every parameter in its
 * loss and the measured loss of the point. Of models whose loss is not that of paths it is the derivative at the fitted
 * values, a line for each point. */
RW_API rw_status rw_calibration_write_matrix(const rw_calibration *calibration, const char *path);

/* The values that were found, with their record; they live as long as the calibration. */
RW_API const rw_params *rw_calibration_params(const rw_calibration *calibration);

/* ------------------------------------------------------------------------------------------------------ site audit */

/* Height, azimuth, tilt and EIRP of each site from power measured around it. docs/explanation/calibration.md has the
 * method. */
typedef struct rw_site_audit rw_site_audit;

/* Options of rw_audit_sites: how far each value may be from the table of sites; 0: it is held. */
typedef struct rw_audit_options {
    size_t size;
    double height_m, azimuth_deg, tilt_deg, eirp_db;
    const char *average; /* as in rw_evaluate_options, as are: */
    int skip_bad;
    const char *heights;
} rw_audit_options;

/* 5 m, any azimuth, 10 degrees of tilt, 60 dB */
RW_API void rw_audit_options_init_sized(rw_audit_options *options, size_t size);
#define rw_audit_options_init(options) rw_audit_options_init_sized((options), sizeof *(options))

/* What the measurements of a site say about its azimuth. */
typedef enum rw_site_state {
    RW_SITE_UNKNOWN,  /* too few points */
    RW_SITE_AS_TABLE, /* within 20 degrees or three standard errors */
    RW_SITE_ROTATED,
    RW_SITE_SWAPPED /* it points where the table has another sector of the mast */
} rw_site_state;

/* A state in words. */
RW_API const char *rw_site_state_name(rw_site_state state);

/* One site: values of the table, and estimates with their standard errors (NaN: not estimated). */
typedef struct rw_audited_site {
    size_t size;
    const char *name;
    size_t points;
    double table_height_m, table_azimuth_deg, table_downtilt_deg;
    double height_m, azimuth_deg, downtilt_deg;
    double height_error_m, azimuth_error_deg, downtilt_error_deg;
    double eirp_difference_db, eirp_error_db; /* of the EIRP, from that of the table */
    double rmse_before_db, rmse_after_db;     /* before: with the table's values and the best EIRP */
    rw_site_state state;
    const char *swapped_with; /* "" unless swapped; it lives as long as the audit */
} rw_audited_site;

/* Needs measured power, and a model whose loss is between isotropic antennas. options may be NULL. */
RW_API rw_status rw_audit_sites(const rw_scene *scene, const rw_predict_options *prediction,
                                const rw_measurements *measurements, const rw_audit_options *options,
                                rw_site_audit **audit);
/* Number of sites: those of the prediction, in its order. */
RW_API size_t rw_site_audit_count(const rw_site_audit *audit);
/* One site, from 0. */
RW_API rw_status rw_site_audit_get(const rw_site_audit *audit, size_t index, rw_audited_site *site);
/* Frees an audit; NULL is allowed. */
RW_API void rw_site_audit_destroy(rw_site_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
