/* rw_audit_sites: height, azimuth, tilt and EIRP of each site from power measured around it, and which sectors look
 * swapped or rotated.
 *
 * A received power is EIRP + gain(direction) - loss. Of a model whose loss is between isotropic antennas the gain alone
 * depends on azimuth and tilt, so these are found on a grid and refined by Gauss and Newton, with the EIRP as the mean
 * that remains; only heights need predictions of their own. Errors of neighbouring points are alike: as in calibration
 * RW_LEVEL_NEIGHBOURS points count as one, which the standard errors contain. */
#include "base/memory.h"
#include "base/options.h"
#include "calibrate/fitting/fitting.h"
#include "calibrate/measurements/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEIGHTS 5
#define AZIMUTH_STEP_DEG 5.0
#define TILT_STEP_DEG 2.0
#define POINTS_MAX 1500 /* of a site: of more, every n-th */
#define REFINEMENTS 30
#define MAST_M 10.0
#define ROTATED_DEG 20.0   /* an azimuth that differs by more, */
#define ROTATED_ERRORS 3.0 /* and by so many standard errors, is wrong */
#define SWAPPED_WITHIN_DEG 20.0
#define POINTS_MIN 20

struct rw_site_audit {
    rw_context *context;
    size_t count;
    rw_audited_site *sites;
    char **names;
};

void rw_audit_options_init_sized(rw_audit_options *options, size_t size)
{
    const rw_audit_options own = {.height_m = 5, .azimuth_deg = 180, .tilt_deg = 10, .eirp_db = 60};
    rw_defaults_copy(&own, sizeof own, options, size);
}

/* Points of one site. */
typedef struct audited_points {
    const rw_transmitter *site;
    const rw_antenna *antenna;
    const rw_audit_options *bounds;
    size_t count;
    const double *error_db; /* measured - predicted loss, with the gain of the table */
    const double *table_gain_db;
    const rw_vec3 *directions;
} audited_points;

typedef struct site_fit {
    double azimuth_deg, tilt_deg, error_db; /* differences from the table; error: mean that remains */
    double squares, cost;
} site_fit;

static double remaining_error(const audited_points *points, size_t i, double azimuth_deg, double tilt_deg)
{
    return points->error_db[i] - points->table_gain_db[i] +
           rw_antenna_gain_towards(points->antenna, points->site->azimuth_deg + azimuth_deg,
                                   points->site->downtilt_deg + tilt_deg, points->site->roll_deg,
                                   points->directions[i]);
}

/* The EIRP may differ by no more than its bound. */
static site_fit judge_orientation(const audited_points *points, double azimuth_deg, double tilt_deg)
{
    site_fit fit = {azimuth_deg, tilt_deg, 0, 0, 0};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < points->count; i++) {
        double error_db = remaining_error(points, i, azimuth_deg, tilt_deg);
        sum += error_db;
        squares += error_db * error_db;
    }
    double mean = sum / (double)points->count;
    fit.error_db = fmax(-points->bounds->eirp_db, fmin(points->bounds->eirp_db, mean));
    fit.squares = fmax(0, squares - 2 * fit.error_db * sum + fit.error_db * fit.error_db * (double)points->count);
    /* Within its bounds each value is as likely: a variance of a third of the bound squared. What the points do not
     * determine stays as in the table. */
    double away = 0, bounds_deg[2] = {points->bounds->azimuth_deg, points->bounds->tilt_deg};
    for (int k = 0; k < 2; k++)
        away += bounds_deg[k] > 0 ? 3 * pow((k ? tilt_deg : azimuth_deg) / bounds_deg[k], 2) : 0;
    fit.cost = fit.squares * (1 + RW_LEVEL_NEIGHBOURS / (double)points->count * away);
    return fit;
}

static site_fit search_orientation(const audited_points *points)
{
    const rw_audit_options *bounds = points->bounds;
    site_fit best = judge_orientation(points, 0, 0);
    int azimuths = (int)floor(bounds->azimuth_deg / AZIMUTH_STEP_DEG),
        tilts = (int)floor(bounds->tilt_deg / TILT_STEP_DEG);
    for (int a = -azimuths; a <= azimuths; a++)
        for (int t = -tilts; t <= tilts; t++) {
            site_fit fit = judge_orientation(points, a * AZIMUTH_STEP_DEG, t * TILT_STEP_DEG);
            best = fit.cost < best.cost ? fit : best;
        }
    double step_deg[2] = {0.5 * AZIMUTH_STEP_DEG, 0.5 * TILT_STEP_DEG};
    for (int round = 0; round < REFINEMENTS; round++) { /* along one of both, and less where nothing is gained */
        int gained = 0;
        for (int k = 0; k < 4; k++) {
            double sign = k % 2 ? -1 : 1, bound[2] = {bounds->azimuth_deg, bounds->tilt_deg};
            double at[2] = {best.azimuth_deg, best.tilt_deg};
            at[k / 2] = fmax(-bound[k / 2], fmin(bound[k / 2], at[k / 2] + sign * step_deg[k / 2]));
            site_fit fit = judge_orientation(points, at[0], at[1]);
            gained |= fit.cost < best.cost;
            best = fit.cost < best.cost ? fit : best;
        }
        for (int k = 0; k < 2 && !gained; k++)
            step_deg[k] *= 0.5;
    }
    return best;
}

/* Standard errors of azimuth, tilt and mean by the derivatives at the solution; a difference that is held has none. */
static void find_orientation_errors(const audited_points *points, const site_fit *fit, double *errors)
{
    const double step_deg = 0.5, limit[3] = {points->bounds->azimuth_deg, points->bounds->tilt_deg, 1};
    double matrix[3][6] = {{0}};
    double variance_db2 = fmax(1e-12, fit->squares / (double)points->count);
    for (size_t i = 0; i < points->count; i++) {
        double row[3] = {(remaining_error(points, i, fit->azimuth_deg + step_deg, fit->tilt_deg) -
                          remaining_error(points, i, fit->azimuth_deg - step_deg, fit->tilt_deg)) /
                             (2 * step_deg),
                         (remaining_error(points, i, fit->azimuth_deg, fit->tilt_deg + step_deg) -
                          remaining_error(points, i, fit->azimuth_deg, fit->tilt_deg - step_deg)) /
                             (2 * step_deg),
                         -1};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                matrix[a][b] += row[a] * row[b] / (RW_LEVEL_NEIGHBOURS * variance_db2);
    }
    for (int a = 0; a < 3; a++) { /* no more is known than by the bounds: uniform within them */
        matrix[a][3 + a] = 1;
        matrix[a][a] += limit[a] > 0 ? (a < 2 ? 3 / (limit[a] * limit[a]) : 1e-9) : 1e12;
    }
    for (int pivot = 0; pivot < 3; pivot++)
        for (int row = 0; row < 3; row++) {
            double factor = row == pivot ? 0 : matrix[row][pivot] / matrix[pivot][pivot];
            for (int column = 0; column < 6 && factor != 0; column++)
                matrix[row][column] -= factor * matrix[pivot][column];
        }
    for (int a = 0; a < 3; a++)
        errors[a] = sqrt(fmax(0, matrix[a][3 + a] / matrix[a][a]));
}

/* The vertex of the parabola through the best height and its neighbours, within a step; its standard error. */
static double refine_height(const double *squares, int best, double step_m, size_t points, double *error_m)
{
    double variance_db2 = fmax(1e-12, squares[best] / (double)points), bound_m = step_m * (HEIGHTS - 1) / 2;
    *error_m = bound_m / sqrt(3);
    if (best == 0 || best == HEIGHTS - 1)
        return (best - (HEIGHTS - 1) / 2.0) * step_m;
    double curve = (squares[best - 1] - 2 * squares[best] + squares[best + 1]) / (step_m * step_m);
    double slope = (squares[best + 1] - squares[best - 1]) / (2 * step_m);
    if (curve > 0)
        *error_m = fmin(*error_m, sqrt(2 * RW_LEVEL_NEIGHBOURS * variance_db2 / curve));
    return (best - (HEIGHTS - 1) / 2.0) * step_m +
           (curve > 0 ? fmax(-0.5 * step_m, fmin(0.5 * step_m, -slope / curve)) : 0);
}

typedef struct audit_work {
    const rw_scene *scene;
    rw_predict_options prediction;
    rw_audit_options options;
    rw_sample_points sample_points;
    rw_transmitter *raised; /* copies of the transmitters, with other heights */
    double *loss_db[HEIGHTS];
    size_t height_count;
    rw_site_audit *audit;
} audit_work;

static double height_difference(const audit_work *work, size_t height)
{
    return work->height_count == 1
               ? 0
               : ((double)height - (HEIGHTS - 1) / 2.0) * 2 * work->options.height_m / (HEIGHTS - 1);
}

static rw_status predict_heights(audit_work *work)
{
    rw_context *context = work->scene->context;
    const rw_predict_options *given = work->sample_points.prediction;
    rw_predict_options raised_options = *given;
    rw_sample_points points = work->sample_points;
    uint8_t *reached;
    RW_TRY(rw_array_create(context, given->transmitter_count, sizeof *work->raised, "sites", &work->raised));
    RW_TRY(rw_array_create(context, points.count, 1, "path loss", &reached));
    raised_options.transmitters = work->raised;
    points.prediction = &raised_options;
    rw_status status = RW_OK;
    work->height_count = work->options.height_m > 0 ? HEIGHTS : 1;
    for (size_t h = 0; h < work->height_count && status == RW_OK; h++) {
        for (size_t t = 0; t < given->transmitter_count; t++) {
            work->raised[t] = given->transmitters[t];
            work->raised[t].height_m = fmax(1, work->raised[t].height_m + height_difference(work, h));
        }
        status = rw_array_create(context, points.count, sizeof(double), "path loss", &work->loss_db[h]);
        for (size_t i = 0; i < points.count && status == RW_OK; i++)
            work->loss_db[h][i] = NAN;
        if (status == RW_OK)
            status = rw_sample_points_trace(&points, NULL, NULL, work->loss_db[h], reached);
    }
    free(reached);
    return status;
}

static rw_vec3 direction_to(const audit_work *work, const rw_transmitter *site, const rw_point *point)
{
    const rw_scene *scene = work->scene;
    rw_vec2 from = {site->x_m - scene->origin.x, site->y_m - scene->origin.y};
    rw_vec2 to = {point->x_m - scene->origin.x, point->y_m - scene->origin.y};
    double rise_m = rw_scene_ground_m(scene, to) + point->height_m - rw_scene_ground_m(scene, from) - site->height_m;
    rw_vec3 direction = rw_vec3_of(to.x - from.x, to.y - from.y, rise_m);
    return rw_vec3_length(direction) > 0 ? direction : rw_vec3_of(1, 0, 0);
}

/* Arrays of one site, which are used again for the next. */
typedef struct site_arrays {
    size_t *indices;
    double *error_db, *gain_db;
    rw_vec3 *directions;
} site_arrays;

static size_t list_site_points(const audit_work *work, size_t transmitter, size_t *indices)
{
    size_t all = 0, count = 0;
    for (size_t i = 0; i < work->sample_points.count; i++) {
        int usable = work->sample_points.items[i].transmitter == transmitter;
        for (size_t h = 0; h < work->height_count && usable; h++)
            usable = isfinite(work->loss_db[h][i]) != 0;
        if (usable)
            indices[all++] = i;
    }
    size_t every = (all + POINTS_MAX - 1) / POINTS_MAX;
    for (size_t i = 0; i < all; i += every)
        indices[count++] = indices[i];
    return count;
}

static void fit_site(const audit_work *work, audited_points *points, site_arrays *arrays, rw_audited_site *audited)
{
    double squares[HEIGHTS], errors[3];
    site_fit fits[HEIGHTS];
    int best = 0;
    for (size_t i = 0; i < points->count; i++) {
        rw_point at = rw_sample_point_of(&work->sample_points, arrays->indices[i]);
        arrays->directions[i] = direction_to(work, points->site, &at);
        arrays->gain_db[i] =
            rw_antenna_gain_towards(points->antenna, points->site->azimuth_deg, points->site->downtilt_deg,
                                    points->site->roll_deg, arrays->directions[i]);
    }
    for (size_t h = 0; h < work->height_count; h++) {
        for (size_t i = 0; i < points->count; i++)
            arrays->error_db[i] = (double)work->sample_points.items[arrays->indices[i]].measured_db -
                                  work->loss_db[h][arrays->indices[i]];
        if (h == work->height_count / 2)
            audited->rmse_before_db = sqrt(judge_orientation(points, 0, 0).squares / (double)points->count);
        fits[h] = search_orientation(points);
        squares[h] = fits[h].squares;
        best = squares[h] < squares[best] ? (int)h : best;
    }
    for (size_t i = 0; i < points->count; i++)
        arrays->error_db[i] =
            (double)work->sample_points.items[arrays->indices[i]].measured_db - work->loss_db[best][arrays->indices[i]];
    find_orientation_errors(points, &fits[best], errors);
    double height_m = 0, height_error_m = NAN;
    if (work->height_count > 1)
        height_m =
            refine_height(squares, best, 2 * work->options.height_m / (HEIGHTS - 1), points->count, &height_error_m);
    audited->height_m += height_m;
    audited->height_error_m = height_error_m;
    audited->azimuth_deg = fmod(audited->azimuth_deg + fits[best].azimuth_deg + 720, 360);
    audited->azimuth_error_deg = errors[0];
    audited->downtilt_deg += fits[best].tilt_deg;
    audited->downtilt_error_deg = errors[1];
    audited->eirp_difference_db = -fits[best].error_db;
    audited->eirp_error_db = errors[2];
    audited->rmse_after_db = sqrt(fits[best].squares / (double)points->count);
}

/* A pattern that is the same all round says nothing of where it points. */
static int is_directional(const audited_points *points)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < points->count; i++) {
        low = fmin(low, points->table_gain_db[i]);
        high = fmax(high, points->table_gain_db[i]);
    }
    return high - low > 0.5;
}

static rw_status audit_site(audit_work *work, size_t transmitter, site_arrays *arrays)
{
    const rw_transmitter *site = &work->sample_points.prediction->transmitters[transmitter];
    rw_audited_site *audited = &work->audit->sites[transmitter];
    rw_antenna *antenna;
    char **name = &work->audit->names[transmitter];
    *name = rw_string_copy(site->name ? site->name : "");
    if (!*name)
        return rw_fail(work->scene->context, RW_OUT_OF_MEMORY, "no memory left for sites");
    *audited = (rw_audited_site){.size = sizeof *audited, .name = *name, .swapped_with = "", .state = RW_SITE_UNKNOWN};
    audited->table_height_m = audited->height_m = site->height_m;
    audited->table_azimuth_deg = audited->azimuth_deg = site->azimuth_deg;
    audited->table_downtilt_deg = audited->downtilt_deg = site->downtilt_deg;
    audited->height_error_m = audited->azimuth_error_deg = audited->downtilt_error_deg = audited->eirp_error_db = NAN;
    audited->rmse_before_db = audited->rmse_after_db = NAN;
    audited->points = list_site_points(work, transmitter, arrays->indices);
    if (audited->points < POINTS_MIN)
        return RW_OK;
    RW_TRY(rw_antenna_create(work->scene->context, site->antenna ? site->antenna : "isotropic", &antenna));
    audited_points points = {
        site, antenna, &work->options, audited->points, arrays->error_db, arrays->gain_db, arrays->directions};
    fit_site(work, &points, arrays, audited);
    audited->state = RW_SITE_AS_TABLE;
    if (!is_directional(&points)) {
        audited->azimuth_deg = site->azimuth_deg;
        audited->downtilt_deg = site->downtilt_deg;
        audited->azimuth_error_deg = audited->downtilt_error_deg = NAN;
    }
    rw_antenna_destroy(antenna);
    return RW_OK;
}

static double angle_between(double a_deg, double b_deg)
{
    return fabs(remainder(a_deg - b_deg, 360));
}

/* A sector that points where the table has another one of the same mast is swapped with it; one that points elsewhere
 * is rotated. */
static void judge_audited_sites(const audit_work *work)
{
    const rw_transmitter *sites = work->sample_points.prediction->transmitters;
    rw_site_audit *audit = work->audit;
    for (size_t i = 0; i < audit->count; i++) {
        rw_audited_site *site = &audit->sites[i];
        double away_deg = angle_between(site->azimuth_deg, site->table_azimuth_deg), nearest_deg = SWAPPED_WITHIN_DEG;
        if (site->state == RW_SITE_UNKNOWN || !(away_deg > ROTATED_DEG) ||
            !(away_deg > ROTATED_ERRORS * site->azimuth_error_deg))
            continue;
        site->state = RW_SITE_ROTATED;
        for (size_t k = 0; k < audit->count; k++) {
            double apart_deg = angle_between(site->azimuth_deg, sites[k].azimuth_deg);
            int same_mast = hypot(sites[i].x_m - sites[k].x_m, sites[i].y_m - sites[k].y_m) <= MAST_M;
            int other = angle_between(sites[i].azimuth_deg, sites[k].azimuth_deg) > ROTATED_DEG;
            if (k == i || !same_mast || !other || !(apart_deg <= nearest_deg))
                continue;
            nearest_deg = apart_deg;
            site->state = RW_SITE_SWAPPED;
            site->swapped_with = audit->names[k];
        }
    }
}

static rw_status audit_all_sites(audit_work *work)
{
    rw_context *context = work->scene->context;
    size_t count = work->sample_points.count, sites = work->sample_points.prediction->transmitter_count;
    site_arrays arrays = {0};
    work->audit->count = sites;
    rw_status status = rw_array_create(context, sites, sizeof *work->audit->sites, "sites", &work->audit->sites);
    if (status == RW_OK)
        status = rw_array_create(context, sites, sizeof *work->audit->names, "sites", &work->audit->names);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *arrays.indices, "points", &arrays.indices);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *arrays.error_db, "points", &arrays.error_db);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *arrays.gain_db, "points", &arrays.gain_db);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *arrays.directions, "points", &arrays.directions);
    for (size_t t = 0; t < sites && status == RW_OK; t++)
        status = audit_site(work, t, &arrays);
    free(arrays.indices);
    free(arrays.error_db);
    free(arrays.gain_db);
    free(arrays.directions);
    if (status == RW_OK)
        judge_audited_sites(work);
    return status;
}

static rw_status run_audit(audit_work *work, const rw_measurements *measurements)
{
    rw_context *context = work->scene->context;
    const rw_model *model;
    const rw_sample_point_options how = {
        .average = work->options.average, .skip_bad = work->options.skip_bad, .heights = work->options.heights};
    RW_TRY(rw_model_find(context, work->prediction.model, &model));
    if (!measurements->by_site)
        return rw_fail(
            context, RW_BAD_CALL,
            "an audit of sites needs measured power, of which the site's power and antenna are part: quantity "
            "power or rsrp, without tx-power");
    if (model->antenna_in_loss)
        return rw_fail(context, RW_BAD_CALL,
                       "an audit of sites is by a model whose loss is between isotropic antennas, "
                       "as shadow, not by %s",
                       model->name);
    RW_TRY(rw_sample_points_create(work->scene, &work->prediction, measurements, &how, &work->sample_points));
    RW_TRY(predict_heights(work));
    return audit_all_sites(work);
}

rw_status rw_audit_sites(const rw_scene *scene, const rw_predict_options *prediction,
                         const rw_measurements *measurements, const rw_audit_options *options, rw_site_audit **audit)
{
    rw_context *context = scene->context;
    audit_work work = {.scene = scene};
    rw_transmitter *transmitter_buffer;
    *audit = NULL;
    rw_audit_options_init(&work.options);
    if (options)
        RW_TRY(RW_RESOLVE(context, options, &work.options));
    if (!(work.options.height_m >= 0 && work.options.azimuth_deg >= 0 && work.options.azimuth_deg <= 180 &&
          work.options.tilt_deg >= 0 && work.options.tilt_deg <= 90 && work.options.eirp_db >= 0))
        return rw_fail(context, RW_BAD_CALL,
                       "bounds of an audit are not negative: azimuth up to 180, tilt up to 90 degrees");
    RW_TRY(rw_predict_options_resolve(context, prediction, &work.prediction, &transmitter_buffer));
    rw_status status = rw_predict_options_resolve_cells(scene, prediction, &work.prediction);
    if (status == RW_OK)
        status = rw_array_create(context, 1, sizeof *work.audit, "an audit", &work.audit);
    if (status == RW_OK) {
        work.audit->context = context;
        status = run_audit(&work, measurements);
    }
    rw_sample_points_destroy(&work.sample_points);
    for (size_t h = 0; h < HEIGHTS; h++)
        free(work.loss_db[h]);
    free(work.raised);
    free(transmitter_buffer);
    if (status != RW_OK) {
        rw_site_audit_destroy(work.audit);
        return status;
    }
    *audit = work.audit;
    return RW_OK;
}

size_t rw_site_audit_count(const rw_site_audit *audit)
{
    return audit->count;
}

rw_status rw_site_audit_get(const rw_site_audit *audit, size_t index, rw_audited_site *site)
{
    if (index >= audit->count)
        return rw_fail(audit->context, RW_BAD_CALL, "the audit has %zu sites, there is no number %zu", audit->count,
                       index);
    return RW_ASSIGN(audit->context, &audit->sites[index], site);
}

const char *rw_site_state_name(rw_site_state state)
{
    static const char *const names[] = {"too few points", "as in the table", "rotated", "swapped"};
    return (size_t)state < sizeof names / sizeof *names ? names[state] : "";
}

void rw_site_audit_destroy(rw_site_audit *audit)
{
    for (size_t i = 0; audit && audit->names && i < audit->count; i++)
        free(audit->names[i]);
    if (audit) {
        free(audit->names);
        free(audit->sites);
    }
    free(audit);
}
