/* labels: slow, files */
/* The same question has the same answer through every interface: a table of the library's calls that predict, times all
 * models, three scenes, two frequencies and every instruction set. The oracle is the map; a call that the map rejects
 * is rejected by all with the same message. interfaces.sh has the program, the server and Python. */
#include "models/shadow/shadow.h"
#include "prediction.h"
#include "temporary.h"

#include <rasterwave/calibrate.h>
#include <rasterwave/device_maps.h>
#include <rasterwave/gradients.h>
#include <rasterwave/network.h>

#define POINTS_MAX 200
#define TOLERANCE_DB 1e-3
#define SUM_TOLERANCE_DB 0.01 /* of rows of a link budget, whose values are rounded */

typedef struct question {
    prediction now;
    const char *scene_name, *isa;
    rw_map *map; /* NULL: rejected with: */
    char message[1024];
    size_t count, cells[POINTS_MAX];
    rw_point points[POINTS_MAX];
    float loss_db[POINTS_MAX], power_dbm[POINTS_MAX];
    int whole; /* 1: the whole table; else what ./check has time for */
} question;

/* What an interface answers: path loss, received power or both; NAN: it does not say. */
typedef struct answer {
    size_t count; /* of points, from the first on */
    double loss_db[POINTS_MAX], power_dbm[POINTS_MAX];
    double tolerance_db;
} answer;

/* ---------------------------------------------------------------------------------------------------- interfaces */

static void add_band(const question *asked, const rw_map *map, const char *layer, int of_points, double *values)
{
    rw_map_layer found = layer_of(map, layer);
    for (size_t i = 0; i < asked->count; i++)
        values[i] = (double)found.values[of_points ? i : asked->cells[i]];
}

static rw_status ask_points(question *asked, answer *found)
{
    rw_map *map;
    asked->now.options.layers = "path_loss,power";
    rw_status status = rw_predict_points(asked->now.scene, &asked->now.options, asked->points, found->count, &map);
    if (status != RW_OK)
        return status;
    size_t all = asked->count;
    asked->count = found->count;
    add_band(asked, map, "path_loss", 1, found->loss_db);
    add_band(asked, map, "power", 1, found->power_dbm);
    asked->count = all;
    rw_map_destroy(map);
    return RW_OK;
}

/* The value of a budget, and, where it differs more from it, the sum of its rows. */
static rw_status ask_budgets(question *asked, answer *found)
{
    rw_budgets *budgets;
    asked->now.options.layers = NULL;
    rw_status status = rw_predict_budgets(asked->now.scene, &asked->now.options, asked->points, found->count, &budgets);
    if (status != RW_OK)
        return status;
    for (size_t i = 0; i < found->count; i++) {
        rw_link_budget budget = {.size = sizeof budget};
        double sums[3] = {0};
        assert_int_equal(rw_budgets_get(budgets, i, &budget), RW_OK);
        for (size_t k = 0; k < budget.row_count; k++) {
            const rw_budget_row *row = &budget.rows[k];
            sums[row->part] += row->part == RW_BUDGET_ARRIVAL ? 0 : row->value_db;
        }
        found->loss_db[i] = budget.path_loss_db;
        found->power_dbm[i] = budget.power_dbm;
        if (budget.row_count && !(fabs(sums[RW_BUDGET_LOSS] - budget.path_loss_db) <= SUM_TOLERANCE_DB))
            found->loss_db[i] = sums[RW_BUDGET_LOSS];
        if (budget.row_count && !(fabs(sums[RW_BUDGET_POWER] - budget.power_dbm) <= SUM_TOLERANCE_DB))
            found->power_dbm[i] = sums[RW_BUDGET_POWER];
    }
    rw_budgets_destroy(budgets);
    return RW_OK;
}

static rw_status ask_many(question *asked, answer *found)
{
    rw_map_info cells = {.size = sizeof cells};
    rw_map_array array;
    asked->now.options.layers = "path_loss";
    rw_status status = rw_predict_many_grid(asked->now.scene, &asked->now.options, &cells);
    if (status != RW_OK)
        return status;
    rw_map_array_init(&array);
    array.bytes = cells.columns * cells.rows * sizeof(float);
    array.values = malloc(array.bytes);
    status = rw_predict_many(asked->now.scene, &asked->now.options, &array);
    for (size_t i = 0; i < asked->count && status == RW_OK; i++)
        found->loss_db[i] = (double)((const float *)array.values)[asked->cells[i]];
    free(array.values);
    return status;
}

static rw_status ask_network(question *asked, answer *found)
{
    rw_network_options network;
    rw_map *map;
    rw_network_options_init(&network);
    network.layers = "strongest";
    asked->now.options.layers = NULL;
    rw_status status = rw_network_block(asked->now.context, asked->now.scene, &asked->now.options, &network, 0, &map);
    if (status != RW_OK)
        return status;
    rw_map_info own = info_of(asked->map), other = info_of(map);
    assert_int_equal(own.columns, other.columns);
    assert_near(own.x0_m, other.x0_m, 1e-6);
    add_band(asked, map, "strongest", 0, found->power_dbm);
    rw_map_destroy(map);
    return RW_OK;
}

static rw_status ask_gradients(question *asked, answer *found)
{
    rw_gains *gains;
    double levels_dbm[POINTS_MAX];
    asked->now.options.layers = NULL;
    rw_status status =
        rw_gains_create(asked->now.scene, &asked->now.options, asked->points, found->count, NULL, &gains);
    if (status != RW_OK)
        return status;
    status = rw_gains_evaluate(gains, RW_GAINS_LEVELS, NULL, levels_dbm);
    memcpy(found->power_dbm, levels_dbm, found->count * sizeof *levels_dbm);
    rw_gains_destroy(gains);
    return status;
}

/* Each format that keeps numbers as they are, written and read again. */
static rw_status ask_file(question *asked, const char *name, answer *found)
{
    rw_map *map;
    const char *path = temporary_path(name);
    size_t layer;
    rw_status status = rw_map_find_layer(asked->map, "path_loss", &layer);
    if (status == RW_OK)
        status = strstr(name, ".h5") ? rw_map_write_hdf5(asked->map, path) : rw_map_write_file(asked->map, layer, path);
    if (status == RW_OK)
        status = rw_map_read(asked->now.context, path, &map);
    if (status != RW_OK)
        return status;
    rw_map_layer first = {.size = sizeof first};
    assert_int_equal(rw_map_get_layer(map, 0, &first), RW_OK);
    for (size_t i = 0; i < asked->count; i++)
        found->loss_db[i] = (double)first.values[asked->cells[i]];
    rw_map_destroy(map);
    return RW_OK;
}

static rw_status ask_geotiff(question *asked, answer *found)
{
    return ask_file(asked, "map.tif", found);
}

static rw_status ask_envi(question *asked, answer *found)
{
    return ask_file(asked, "map.bin", found);
}

/* ------------------------------------------------------------------------------------------------- measurements */

/* Losses as the map has them, with an error that depends on the point. */
static double measured_db(const question *asked, size_t point)
{
    return (double)asked->loss_db[point] + 3 + 4 * sin(1.7 * (double)point);
}

static rw_measurements *make_measurements(const question *asked, size_t count)
{
    const char *path = temporary_path("measured.csv");
    FILE *file = fopen(path, "w");
    rw_measurements *measurements;
    fputs("x,y,path_loss\n", file);
    for (size_t i = 0; i < count; i++)
        if (isfinite(asked->loss_db[i]))
            fprintf(file, "%.9f,%.9f,%.9f\n", asked->points[i].x_m, asked->points[i].y_m, measured_db(asked, i));
    fclose(file);
    assert_ok(asked->now.context, rw_measurements_load(asked->now.context, path, NULL, &measurements));
    return measurements;
}

/* The points of an evaluation are those of the question that have a loss, in their order. */
static void read_evaluation(const question *asked, const rw_evaluation *evaluation, answer *found)
{
    size_t next = 0;
    rw_evaluation_point point = {.size = sizeof point};
    for (size_t i = 0; i < found->count; i++) {
        const rw_point *at = &asked->points[i];
        found->loss_db[i] = isnan(asked->loss_db[i]) ? NAN : INFINITY;
        if (rw_evaluation_get_point(evaluation, next, &point) != RW_OK || fabs(point.x_m - at->x_m) > 1e-3 ||
            fabs(point.y_m - at->y_m) > 1e-3)
            continue;
        found->loss_db[i] = point.predicted_db;
        next++;
    }
}

static rw_status ask_evaluation(question *asked, answer *found, int of_map)
{
    rw_evaluate_options options;
    rw_evaluation *evaluation;
    rw_measurements *measurements = make_measurements(asked, found->count);
    rw_evaluate_options_init(&options);
    options.average = "none";
    options.transmitter = &asked->now.tx[0];
    asked->now.options.layers = NULL;
    rw_status status =
        of_map ? rw_evaluate_map(asked->map, 0, measurements, &options, &evaluation)
               : rw_evaluate_model(asked->now.scene, &asked->now.options, measurements, &options, &evaluation);
    if (status == RW_OK)
        read_evaluation(asked, evaluation, found);
    if (status == RW_OK)
        rw_evaluation_destroy(evaluation);
    rw_measurements_destroy(measurements);
    return status;
}

static rw_status ask_evaluation_of_model(question *asked, answer *found)
{
    return ask_evaluation(asked, found, 0);
}

static rw_status ask_evaluation_of_map(question *asked, answer *found)
{
    return ask_evaluation(asked, found, 1);
}

/* Of the points that have a value; levelled: without the mean, which an offset of the site takes. */
static double find_rmse_db(const question *asked, const answer *found, int levelled)
{
    double sum = 0, squares = 0, used = 0;
    for (size_t i = 0; i < found->count; i++)
        if (isfinite(asked->loss_db[i]) && isfinite(found->loss_db[i])) {
            double error_db = measured_db(asked, i) - found->loss_db[i];
            sum += error_db;
            squares += error_db * error_db;
            used++;
        }
    return sqrt((squares - (levelled ? sum * sum / used : 0)) / used);
}

static rw_status ask_with_params(question *asked, const rw_params *params, answer *found)
{
    asked->now.options.params = params;
    rw_status status = ask_points(asked, found);
    asked->now.options.params = NULL;
    return status;
}

/* What a calibration prints is what a prediction with its parameters has. Before the fit that is the prediction with
 * the values it starts from: as it is, or, in the model that fits nothing but levels, with the offset of the site. */
static rw_status ask_calibration(question *asked, answer *found)
{
    static answer before, after;
    rw_context *context = asked->now.context;
    rw_calibrate_options options;
    rw_calibration *calibration;
    rw_calibration_info info = {.size = sizeof info};
    rw_params *start;
    rw_measurements *measurements = make_measurements(asked, found->count);
    rw_calibrate_options_init(&options);
    options.average = "none";
    options.folds = 0;
    asked->now.options.layers = NULL;
    rw_status status = rw_calibrate(asked->now.scene, &asked->now.options, measurements, &options, &calibration);
    rw_measurements_destroy(measurements);
    if (status != RW_OK)
        return status;
    assert_int_equal(rw_calibration_get_info(calibration, &info), RW_OK);
    assert_ok(context, rw_params_create(context, asked->now.options.model, asked->now.options.freq_hz, &start));
    before = after = *found;
    status = ask_with_params(asked, start, &before);
    if (status == RW_OK)
        status = ask_with_params(asked, rw_calibration_params(calibration), &after);
    for (size_t i = 0; i < found->count && status == RW_OK; i++)
        found->loss_db[i] = (double)asked->loss_db[i];
    double off_db[] = {info.before.rmse_db -
                           find_rmse_db(asked, &before, strcmp(asked->now.options.model, "shadow") == 0),
                       info.after.rmse_db - find_rmse_db(asked, &after, 0)};
    for (int i = 0; i < 2 && status == RW_OK; i++)
        if (!(fabs(off_db[i]) <= TOLERANCE_DB))
            found->loss_db[i] = isfinite(off_db[i]) ? 1000 + off_db[i] : NAN; /* an error that no tolerance takes */
    rw_params_destroy(start);
    rw_calibration_destroy(calibration);
    return status;
}

/* A member of an ensemble of which nothing is uncertain. */
static rw_status ask_ensemble(question *asked, answer *found)
{
    const rw_spreads none = {0};
    rw_context *context = asked->now.context;
    rw_prediction *checked;
    rw_shadow_effects effects;
    rw_shadow_job job;
    rw_shadow_needs needs = {.members = 2};
    asked->now.options.layers = "path_loss";
    rw_status status = rw_prediction_open(asked->now.scene, &asked->now.options, &checked);
    if (status != RW_OK)
        return status;
    assert_ok(context, rw_shadow_effects_resolve(checked, &effects));
    assert_ok(context, rw_shadow_job_create(checked, effects, needs, &job));
    rw_ensemble_destroy(&job.ensemble, job.backend);
    assert_ok(context, rw_ensemble_create(&job, 2, &none, &job.ensemble));
    job.args.street_db = job.ensemble.street_db;
    assert_ok(context, rw_shadow_job_run(&job, 0, 1));
    float *losses_db = calloc(job.args.receivers.columns * job.args.receivers.rows, sizeof *losses_db);
    const struct rw_ensemble_member_args args = {{job.args, NULL, NULL}, job.host_sources, {1, 1, 1}};
    for (size_t i = 0; i < job.args.receivers.outdoor_count; i++) {
        rw_ensemble_cell cell = rw_ensemble_cell_of(&job.args, i);
        losses_db[cell.at] = (float)rw_ensemble_loss_db(&args, &cell);
    }
    for (size_t i = 0; i < asked->count; i++) {
        int is_inside = checked->receivers.view.indoor[asked->cells[i]];
        found->loss_db[i] = !is_inside ? (double)losses_db[asked->cells[i]] : checked->options->indoor ? -1e9 : NAN;
    }
    free(losses_db);
    rw_shadow_job_destroy(&job);
    rw_prediction_destroy(checked);
    return RW_OK;
}

/* --------------------------------------------------------------------------------------------------- the table */

/* The calls of the public headers that predict; each takes rw_predict_options. */
static const struct {
    const char *call;
    rw_status (*ask)(question *asked, answer *found);
    size_t quick_points; /* in ./check */
    const char *models;  /* NULL: all; of the others a rejection with a reason of its own is right */
} interfaces[] = {
    {"rw_predict_points", ask_points, POINTS_MAX, NULL},
    {"rw_predict_budgets", ask_budgets, POINTS_MAX, NULL},
    {"rw_predict_many", ask_many, POINTS_MAX, NULL},
    {"rw_network_block", ask_network, POINTS_MAX, NULL},
    {"rw_gains_create", ask_gradients, POINTS_MAX, "beams,images,shadow,tiles"},
    {"rw_evaluate_model", ask_evaluation_of_model, POINTS_MAX, NULL},
    {"rw_evaluate_map", ask_evaluation_of_map, POINTS_MAX, NULL},
    {"rw_calibrate", ask_calibration, POINTS_MAX, "shadow,beams,cubes,images"},
    {"rw_ensemble_run", ask_ensemble, POINTS_MAX, "shadow"},
    {"rw_map_write_file .tif", ask_geotiff, POINTS_MAX, NULL},
    {"rw_map_write_file .bin", ask_envi, POINTS_MAX, NULL},
};

/* Calls with rw_predict_options that answer no level of a point, or are of a call above. */
static const struct {
    const char *call, *reason;
} other_calls[] = {
    {"rw_predict", "the map, which the others are compared with"},
    {"rw_predict_storeys", "receivers on facades, where no map has cells"},
    {"rw_predict_tiles", "means over tiles, not levels of points"},
    {"rw_predict_with_tiles", "rw_predict and rw_predict_tiles by one run"},
    {"rw_predict_many_grid", "the cells of rw_predict_many"},
    {"rw_trace", "single paths; those of a link budget add up to its value"},
    {"rw_trace_estimate", "time and memory"},
    {"rw_predict_estimate", "time and memory"},
    {"rw_prediction_identity", "a hash"},
    {"rw_predict_sensitivity", "a formula of the options"},
    {"rw_predict_options_init_sized", "options"},
    {"rw_predict_options_init_for_sized", "options"},
    {"rw_predict_options_set", "options"},
    {"rw_predict_options_complete", "options"},
    {"rw_check_transmitter", "options"},
    {"rw_write_beams", "geometry"},
    {"rw_write_rays", "geometry"},
    {"rw_write_diffraction_sources", "geometry"},
    {"rw_draw_views", "pictures"},
    {"rw_audit_sites", "a fit of sites to the losses of rw_evaluate_model"},
    {"rw_network_estimate", "time and memory"},
    {"rw_network_run", "rw_network_block in parts, which cli_shards compares"},
    {"rw_network_region_roof", "a mean height"},
};

/* What a call does not have for a model, which it says. */
static const struct {
    const char *call, *model, *message; /* model NULL: all */
} limits[] = {
    {"rw_gains_create", "tiles", "set roofs to none"},
    {"rw_gains_create", "tiles", "set diffractions to 0"},
    {"rw_gains_create", "shadow", "has no gradients of best and sum"}, /* in floor plans */
    {"rw_gains_create", NULL, "of receivers outside buildings"},
    {"rw_calibrate", NULL, "measurements outside buildings"},
};

/* Differences that remain, with what they come from: of most points, and of a few with a larger one. A smaller one is
 * to be entered here, and none at last. */
typedef struct known_remainder {
    const char *call, *model;
    double most_db, largest_db;
    size_t larger_points;
} known_remainder;
static const known_remainder remaining[] = {
    {"rw_gains_create", "beams", 0.15, 1.1, 4},          /* paths of many interactions */
    {"rw_gains_create", "tiles", TOLERANCE_DB, 0.06, 1}, /* of one point in the office */
};

static known_remainder find_remainder(const char *call, const char *model)
{
    for (size_t i = 0; i < sizeof remaining / sizeof *remaining; i++)
        if (strcmp(remaining[i].call, call) == 0 && strcmp(remaining[i].model, model) == 0)
            return remaining[i];
    return (known_remainder){call, model, TOLERANCE_DB, TOLERANCE_DB, 0};
}

static int is_known_limit(const char *call, const char *model, const char *message)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (strcmp(limits[i].call, call) == 0 && (!limits[i].model || strcmp(limits[i].model, model) == 0) &&
            strstr(message, limits[i].message))
            return 1;
    return 0;
}

static void fill_unknown(answer *found, size_t count)
{
    found->count = count;
    found->tolerance_db = TOLERANCE_DB;
    for (size_t i = 0; i < POINTS_MAX; i++)
        found->loss_db[i] = found->power_dbm[i] = -1e9;
}

static int is_wrong(double value, float expected, double tolerance_db, double *worst)
{
    if (value == -1e9 || (double)expected == value || (isnan(value) && isnan(expected)))
        return 0;
    if (isinf(value) && isnan(expected)) /* no receiver and no path are one in files without both */
        return 0;
    double difference = fabs(value - (double)expected);
    if (isnan(*worst) || !(difference <= *worst))
        *worst = difference;
    return !(difference <= tolerance_db);
}

static size_t failures;

static void report_row(const question *asked, const char *call, const char *text)
{
    printf("%s: %s, %s, %.4g MHz, %s: %s\n", call, asked->now.options.model, asked->scene_name,
           asked->now.options.freq_hz / 1e6, asked->isa, text);
    failures++;
}

static void compare_answer(const question *asked, const char *call, const answer *found)
{
    double worst = 0;
    size_t wrong = 0, first = SIZE_MAX;
    char text[256];
    for (size_t i = 0; i < found->count; i++) {
        int differs = is_wrong(found->loss_db[i], asked->loss_db[i], found->tolerance_db, &worst) |
                      is_wrong(found->power_dbm[i], asked->power_dbm[i], found->tolerance_db, &worst);
        if (differs && first == SIZE_MAX)
            first = i;
        wrong += (size_t)differs;
    }
    known_remainder known = find_remainder(call, asked->now.options.model);
    if (wrong <= known.larger_points && worst <= known.largest_db)
        return;
    snprintf(text, sizeof text, "%zu of %zu differ, up to %g dB; first at %g,%g: loss %g and %g, power %g and %g",
             wrong, found->count, worst, asked->points[first].x_m, asked->points[first].y_m, found->loss_db[first],
             (double)asked->loss_db[first], found->power_dbm[first], (double)asked->power_dbm[first]);
    report_row(asked, call, text);
}

static void ask_interface(question *asked, size_t row)
{
    static answer found;
    char text[1200];
    const char *call = interfaces[row].call;
    size_t quick = interfaces[row].quick_points;
    if (!asked->map && strncmp(call, "rw_map", 6) == 0)
        return;
    if (!asked->map && strcmp(call, "rw_evaluate_map") == 0)
        return;
    if (interfaces[row].models && strcmp(call, "rw_ensemble_run") == 0 &&
        strcmp(asked->now.options.model, "shadow") != 0)
        return;
    fill_unknown(&found, asked->whole || quick > asked->count ? asked->count : quick);
    found.tolerance_db = find_remainder(call, asked->now.options.model).most_db;
    rw_status status = interfaces[row].ask(asked, &found);
    const char *message = rw_last_error(asked->now.context);
    if (strcmp(call, "rw_map_write_file .tif") == 0 && status == RW_UNSUPPORTED && strstr(message, "needs GDAL"))
        return; /* a build without it */
    int only_some = interfaces[row].models && !strstr(interfaces[row].models, asked->now.options.model);
    if (status == RW_OK && asked->map && !only_some) {
        compare_answer(asked, call, &found);
    } else if (status == RW_OK) {
        report_row(asked, call, only_some ? "answers for a model that has it not" : "answers where the map does not");
    } else if (!only_some && (asked->map ? !is_known_limit(call, asked->now.options.model, message)
                                         : strcmp(message, asked->message) != 0)) {
        snprintf(text, sizeof text, "%s%s%s", message, asked->map ? "" : "; the map: ", asked->message);
        report_row(asked, call, text);
    }
}

static void list_points(question *asked)
{
    rw_map_info info = info_of(asked->map);
    size_t all = info.columns * info.rows, step = all / POINTS_MAX + 1;
    step += step % 2 == info.columns % 2 && step > 1; /* not along columns alone */
    asked->count = 0;
    for (size_t i = step / 2; i < all && asked->count < POINTS_MAX; i += step, asked->count++) {
        asked->cells[asked->count] = i;
        asked->points[asked->count] = (rw_point){.size = sizeof *asked->points,
                                                 .x_m = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m,
                                                 .y_m = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m,
                                                 .height_m = NAN};
        asked->loss_db[asked->count] = layer_of(asked->map, "path_loss").values[i];
        asked->power_dbm[asked->count] = layer_of(asked->map, "power").values[i];
    }
}

/* ------------------------------------------------------------------------------------------------------- scenes */

static rw_scene *make_city(rw_context *context, int hills)
{
    rw_city_options city;
    rw_scene *scene;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 120;
    city.hills = hills;
    city.seed = 7;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    return scene;
}

static rw_scene *make_flat_city(rw_context *context)
{
    return make_city(context, 0);
}

/* Trees of 9 m over a strip, and a shed of triangles over the ground of any hill. */
static rw_scene *make_hills(rw_context *context)
{
    static const double xyz[] = {60, 8, 0,  68, 8, 0,  68, 14, 0,  60, 14, 0,
                                 60, 8, 60, 68, 8, 60, 68, 14, 60, 60, 14, 60};
    static const uint32_t triangles[] = {0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7,
                                         2, 7, 6, 3, 0, 4, 3, 4, 7, 4, 5, 6, 4, 6, 7};
    static float tops_m[144];
    const rw_mesh mesh = {.size = sizeof mesh,
                          .name = "shed",
                          .xyz = xyz,
                          .vertex_count = 8,
                          .triangles = triangles,
                          .triangle_count = sizeof triangles / sizeof *triangles / 3,
                          .surface = "concrete"};
    for (int i = 0; i < 144; i++)
        tops_m[i] = i % 12 == 3 ? 9 : 0;
    const rw_raster foliage = {.size = sizeof foliage,
                               .columns = 12,
                               .rows = 12,
                               .x0_m = 5,
                               .y0_m = 5,
                               .dx_m = 10,
                               .dy_m = 10,
                               .values = tops_m};
    rw_scene *scene = make_city(context, 1);
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    assert_ok(context, rw_scene_set_foliage(scene, &foliage));
    return scene;
}

static rw_scene *make_two_storeys(rw_context *context)
{
    rw_office_options office;
    rw_scene *scene;
    rw_office_options_init(&office);
    office.storeys = 2;
    office.width_m = 24;
    office.depth_m = 16;
    assert_ok(context, rw_generate_office(context, &office, &scene));
    return scene;
}

static const struct {
    const char *name;
    rw_scene *(*make)(rw_context *context);
    double res_m, at_m[3], freq_hz[2];
    const char *indoor;
} scenes[] = {{"flat city", make_flat_city, 4, {62, 58, 45}, {9e8, 3.5e9}, NULL},
              {"hills", make_hills, 4, {62, 58, 45}, {9e8, 3.5e9}, NULL},
              {"office", make_two_storeys, 1, {5, 5, 2}, {2.4e9, 5.2e9}, NULL},
              {"hills and the insides of houses", make_hills, 4, {62, 58, 45}, {9e8, 3.5e9}, "slab"}};

/* All models, and in one more row tiles with what their gradients have. */
static const char *list_model(size_t index)
{
    return index < rw_model_count() ? rw_model_name(index) : index == rw_model_count() ? "tiles" : NULL;
}

static void set_options(question *asked, size_t model_index, size_t scene, size_t freq)
{
    prediction *now = &asked->now;
    const char *model = list_model(model_index);
    rw_predict_options_init_for(&now->options, model);
    if (model_index == rw_model_count()) {
        now->options.roofs = "none";
        now->options.diffractions = 0;
    }
    now->options.freq_hz = scenes[scene].freq_hz[freq];
    now->options.res_m = scenes[scene].res_m;
    now->options.indoor = scenes[scene].indoor;
    now->options.depth = rw_model_option_count(model) && strstr("rt,images,sbr", model) ? 1 : now->options.depth;
    now->options.transmitters = now->tx;
    now->options.transmitter_count = 1;
    now->options.layers = "path_loss,power";
    rw_transmitter_init(&now->tx[0]);
    now->tx[0].name = "mast";
    now->tx[0].x_m = scenes[scene].at_m[0];
    now->tx[0].y_m = scenes[scene].at_m[1];
    now->tx[0].height_m = scenes[scene].at_m[2];
    now->tx[0].antenna = "3gpp";
    now->tx[0].azimuth_deg = 40;
    now->tx[0].power_dbm = 37;
}

/* Values of the first instruction set, that the others are compared with. */
typedef struct first_map {
    size_t count;
    float loss_db[POINTS_MAX];
} first_map;

static void ask_all(question *asked, first_map *first, int all_interfaces)
{
    rw_status status = rw_predict(asked->now.scene, &asked->now.options, &asked->map);
    *asked->message = 0;
    asked->count = 0;
    if (status == RW_OK) {
        list_points(asked);
        assert_true(asked->count >= 100);
    } else {
        snprintf(asked->message, sizeof asked->message, "%s", rw_last_error(asked->now.context));
        asked->map = NULL;
        asked->points[0] = (rw_point){.size = sizeof *asked->points, .x_m = 1, .y_m = 1, .height_m = NAN};
        asked->loss_db[0] = 100;
        asked->count = 1;
    }
    if (first->count == 0) {
        first->count = asked->count;
        memcpy(first->loss_db, asked->loss_db, sizeof first->loss_db);
    } else if (asked->map) {
        static answer found;
        fill_unknown(&found, first->count);
        for (size_t i = 0; i < first->count; i++)
            found.loss_db[i] = (double)first->loss_db[i];
        compare_answer(asked, "instruction set", &found);
    }
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces && all_interfaces; i++)
        ask_interface(asked, i);
    rw_map_destroy(asked->map);
}

static const char *const instruction_sets[] = {"baseline", "avx2", "avx512"};

static void ask_scene(size_t scene, int whole)
{
    const char *last = instruction_sets[2];
    setenv("RASTERWAVE_ISA", last, 1);
    const char *best = rw_instruction_set();
    for (size_t model = 0; list_model(model); model++)
        for (size_t freq = 0; freq < 2; freq++) {
            first_map first = {0};
            for (size_t isa = 0; isa < 3; isa++) {
                question *asked = calloc(1, sizeof *asked);
                setenv("RASTERWAVE_ISA", instruction_sets[isa], 1);
                if (strcmp(rw_instruction_set(), instruction_sets[isa]) != 0) {
                    free(asked);
                    continue;
                }
                *asked = (question){.scene_name = scenes[scene].name, .isa = instruction_sets[isa], .whole = whole};
                asked->now.context = make_context_of(RW_BACKEND_CPU, 2);
                asked->now.scene = scenes[scene].make(asked->now.context);
                assert_ok(asked->now.context, rw_scene_commit(asked->now.scene));
                set_options(asked, model, scene, freq);
                ask_all(asked, &first, whole || (strcmp(best, instruction_sets[isa]) == 0 && freq == 0));
                end(&asked->now);
                free(asked);
            }
        }
    unsetenv("RASTERWAVE_ISA");
}

static int is_whole(void)
{
    return getenv("RASTERWAVE_ALL_INTERFACES") != NULL;
}

static void a_flat_city_has_one_answer(void **state)
{
    (void)state;
    failures = 0;
    ask_scene(0, is_whole());
    assert_int_equal(failures, 0);
}

static void hills_have_one_answer(void **state)
{
    (void)state;
    failures = 0;
    ask_scene(1, is_whole());
    assert_int_equal(failures, 0);
}

static void an_office_has_one_answer(void **state)
{
    (void)state;
    failures = 0;
    ask_scene(2, is_whole());
    assert_int_equal(failures, 0);
}

static void houses_have_one_answer(void **state)
{
    (void)state;
    failures = 0;
    ask_scene(3, is_whole());
    assert_int_equal(failures, 0);
}

static int is_in_table(const char *call)
{
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; i++)
        if (strcmp(interfaces[i].call, call) == 0)
            return 1;
    for (size_t i = 0; i < sizeof other_calls / sizeof *other_calls; i++)
        if (strcmp(other_calls[i].call, call) == 0)
            return 1;
    return 0;
}

/* A new call that predicts needs a row. interface.txt lists the public interface, and a test compares it with the
 * headers. */
static void every_call_that_predicts_has_a_row(void **state)
{
    char line[2048];
    size_t calls = 0;
    FILE *file = fopen(RW_SOURCE_DIR "/tests/repository/interface.txt", "r");
    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *end = strchr(line, '('), *name = end;
        if (!end || !strstr(line, "rw_predict_options *"))
            continue;
        while (name > line && name[-1] != ' ' && name[-1] != '*')
            name--;
        *end = 0;
        calls++;
        if (!is_in_table(name))
            fail_msg("%s takes rw_predict_options and has no row in the table of interfaces\n", name);
    }
    fclose(file);
    assert_true(calls > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_that_predicts_has_a_row),
        cmocka_unit_test(a_flat_city_has_one_answer),
        cmocka_unit_test(hills_have_one_answer),
        cmocka_unit_test(an_office_has_one_answer),
        cmocka_unit_test(houses_have_one_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
