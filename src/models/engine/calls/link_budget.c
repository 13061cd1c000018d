/* rw_predict_budgets: how the values of rw_predict_points are composed. The prediction records each step
 * (mechanisms/composition.k.h); models that record no mechanisms list their paths by rw_trace. */
#include "base/memory.h"
#include "base/progress.h"
#include "field/paths/free_space.k.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/engine/calls/calls.h"
#include "output/paths/budgets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_PATH ((size_t)-1)
#define NEGLIGIBLE_DB 0.005 /* of what is not listed */

typedef struct budget_call {
    rw_prediction *whole; /* located */
    const rw_map *map;
    rw_budgets *budgets;
    size_t budget; /* at hand */
    size_t transmitter, point;
    const rw_composition *composition;
    size_t next_path; /* of the paths, which are sorted by transmitter and point */
    int adds_powers;  /* paths add by their powers, and not with phase or over a cell */
} budget_call;

static rw_status add_row(const budget_call *call, rw_budget_part part, rw_budget_name name, double value_db)
{
    return rw_budgets_add_row(call->budgets, call->budget, part, name, value_db, NAN, NO_PATH);
}

static rw_status add_row_unless_zero(const budget_call *call, rw_budget_part part, rw_budget_name name, double value_db)
{
    return value_db != 0 ? add_row(call, part, name, value_db) : RW_OK;
}

static rw_status add_budget_arrival(const budget_call *call, rw_budget_name name, double fraction, size_t path)
{
    rw_link_budget *budget = &call->budgets->items[call->budget];
    return rw_budgets_add_row(call->budgets, call->budget, RW_BUDGET_ARRIVAL, name,
                              budget->arrivals_db - 10 * log10(fraction), fraction, path);
}

static rw_status add_mechanisms(const budget_call *call)
{
    static const rw_budget_name names[RW_MECHANISMS] = {RW_BUDGET_NAME_LINE_OF_SIGHT, RW_BUDGET_NAME_STREETS,
                                                        RW_BUDGET_NAME_ROOFTOP, RW_BUDGET_NAME_WALLS,
                                                        RW_BUDGET_NAME_PATHS};
    const double *fraction = call->composition->fraction;
    for (int i = 0; i < RW_MECHANISMS; i++)
        if (fraction[i] > 0)
            RW_TRY(add_budget_arrival(call, names[i], fraction[i], NO_PATH));
    return RW_OK;
}

static rw_budget_name name_path(const rw_paths *paths, const rw_path_entry *entry)
{
    static const rw_budget_name names[] = {[RW_INTERACTION_END] = RW_BUDGET_NAME_LINE_OF_SIGHT,
                                           [RW_INTERACTION_STREET] = RW_BUDGET_NAME_STREETS,
                                           [RW_INTERACTION_ROOF] = RW_BUDGET_NAME_ROOFTOP,
                                           [RW_INTERACTION_WALL] = RW_BUDGET_NAME_WALLS,
                                           [RW_INTERACTION_REFLECTION] = RW_BUDGET_NAME_REFLECTION,
                                           [RW_INTERACTION_SCATTERING] = RW_BUDGET_NAME_SCATTERING};
    const rw_path_vertex *vertices = paths->vertices + entry->first_vertex;
    rw_interaction kind = RW_INTERACTION_END;
    for (size_t i = 1; i + 1 < entry->vertex_count; i++) {
        if (kind != RW_INTERACTION_END && vertices[i].interaction != kind)
            return RW_BUDGET_NAME_MIXED;
        kind = vertices[i].interaction;
    }
    return names[kind];
}

/* Received over transmitted power of a path, with antennas if the model's losses have them. */
static double find_path_power(const rw_path_entry *entry)
{
    double power = entry->gain.re * entry->gain.re + entry->gain.im * entry->gain.im;
    return power > 0 ? power : pow(10, -0.1 * entry->loss_db);
}

/* Fractions are of the sum of powers of all together. */
static rw_status add_arrival_paths(budget_call *call)
{
    const rw_paths *paths = call->budgets->paths;
    double together = pow(10, -0.1 * call->budgets->items[call->budget].arrivals_db), sum = 0;
    for (; call->next_path < paths->count; call->next_path++) {
        const rw_path_entry *entry = &paths->entries[call->next_path];
        if (entry->transmitter != call->transmitter || entry->point != call->point)
            break;
        double power = find_path_power(entry);
        sum += power;
        RW_TRY(add_budget_arrival(call, name_path(paths, entry), power / together, call->next_path));
    }
    if (sum == 0) /* a model that lists no paths */
        return add_budget_arrival(call, RW_BUDGET_NAME_PATHS, 1, NO_PATH);
    double left_db = 10 * log10(sum / together);
    if (call->adds_powers && left_db < -NEGLIGIBLE_DB)
        return add_budget_arrival(call, RW_BUDGET_NAME_OTHER_PATHS, 1 - sum / together, NO_PATH);
    if (fabs(left_db) > (call->adds_powers ? NEGLIGIBLE_DB : 0.1 * NEGLIGIBLE_DB))
        return rw_budgets_add_row(call->budgets, call->budget, RW_BUDGET_ARRIVAL, RW_BUDGET_NAME_INTERFERENCE, left_db,
                                  1 - sum / together, NO_PATH);
    return RW_OK;
}

static void find_dominant_arrival(const budget_call *call)
{
    rw_budgets *budgets = call->budgets;
    double best = 0;
    for (size_t i = budgets->first_rows[call->budget]; i < budgets->row_count; i++) {
        const rw_budget_row *row = &budgets->rows[i];
        if (row->part == RW_BUDGET_ARRIVAL && row->fraction > best && strcmp(row->name, "interference") != 0) {
            best = row->fraction;
            budgets->items[call->budget].dominant = row->name;
        }
    }
}

/* The gain of the receiver's antenna along the straight line; 0 without one. */
static double find_receiver_gain_dbi(const budget_call *call)
{
    const rw_prediction *whole = call->whole;
    rw_vec2 centre = whole->scene->prepared->grid.centre;
    rw_vec3 at = whole->sources[call->transmitter];
    rw_vec3 receiver = rw_receiver_point(&whole->receivers.view, call->point);
    return rw_receiver_gain_dbi(whole, rw_vec3_sub(rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z), receiver));
}

/* The terms of compose.k.h. */
static rw_status add_budget_loss_rows(const budget_call *call)
{
    const rw_composition *composition = call->composition;
    const rw_compose_input *in = &composition->in;
    rw_composed composed = rw_compose(composition->rule, in);
    double receiver_dbi = find_receiver_gain_dbi(call);
    double air_db_per_m = rw_air_db_per_m(call->whole, call->transmitter);
    double rain = air_db_per_m > 0 ? rw_rain_db_per_m(call->whole, call->transmitter) / air_db_per_m : 0;
    int indoor = composition->rule == RW_COMPOSE_INDOOR;
    const struct {
        rw_budget_name name;
        double value_db;
    } terms[] = {{indoor ? RW_BUDGET_NAME_LEAKAGE : RW_BUDGET_NAME_FREQUENCY_SLOPE, composed.bent_db - in->excess_db},
                 {RW_BUDGET_NAME_GROUND, in->ground_db},
                 {RW_BUDGET_NAME_TERRAIN, composition->terrain_db},
                 {RW_BUDGET_NAME_FOLIAGE, composition->foliage_db},
                 {RW_BUDGET_NAME_MEDIAN, composed.median_fraction * (in->median_db - composed.bent_db - in->ground_db)},
                 {RW_BUDGET_NAME_OFFSET, composition->offset_db},
                 {RW_BUDGET_NAME_GASES, (1 - rain) * composition->air_db},
                 {RW_BUDGET_NAME_RAIN, rain * composition->air_db},
                 {RW_BUDGET_NAME_MEASURED, composition->measured_db},
                 {RW_BUDGET_NAME_ENTRY, composition->entry_db},
                 {RW_BUDGET_NAME_REFERENCE, composition->reference_db}};
    RW_TRY(add_row(call, RW_BUDGET_LOSS, RW_BUDGET_NAME_FREE_SPACE, in->free_space_db));
    RW_TRY(add_row(call, RW_BUDGET_LOSS, RW_BUDGET_NAME_BUILDINGS, in->excess_db));
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        RW_TRY(add_row_unless_zero(call, RW_BUDGET_LOSS, terms[i].name, terms[i].value_db));
    if (!call->whole->model->antenna_in_loss)
        return RW_OK;
    RW_TRY(add_row(call, RW_BUDGET_LOSS, RW_BUDGET_NAME_TRANSMITTER_GAIN, receiver_dbi - composition->gain_db));
    return add_row_unless_zero(call, RW_BUDGET_LOSS, RW_BUDGET_NAME_RECEIVER_GAIN, -receiver_dbi);
}

static rw_status add_power_rows(const budget_call *call)
{
    const rw_link_budget *budget = &call->budgets->items[call->budget];
    double sent_dbm = call->whole->options->transmitters[call->transmitter].power_dbm;
    double counted_db = budget->path_loss_db - call->composition->reference_db;
    int in_loss = call->whole->model->antenna_in_loss;
    double receiver_dbi = in_loss ? 0 : find_receiver_gain_dbi(call);
    double gain_db = budget->power_dbm - sent_dbm + counted_db - receiver_dbi;
    RW_TRY(add_row(call, RW_BUDGET_POWER, RW_BUDGET_NAME_TRANSMITTED, sent_dbm));
    if (!in_loss || fabs(gain_db) > NEGLIGIBLE_DB)
        RW_TRY(add_row(call, RW_BUDGET_POWER, RW_BUDGET_NAME_TRANSMITTER_GAIN, gain_db));
    RW_TRY(add_row_unless_zero(call, RW_BUDGET_POWER, RW_BUDGET_NAME_RECEIVER_GAIN, receiver_dbi));
    RW_TRY(add_row(call, RW_BUDGET_POWER, RW_BUDGET_NAME_PATH_LOSS, -budget->path_loss_db));
    return add_row_unless_zero(call, RW_BUDGET_POWER, RW_BUDGET_NAME_REFERENCE, call->composition->reference_db);
}

/* Paths of points without a value are passed over. */
static void pass_paths(budget_call *call)
{
    const rw_paths *paths = call->budgets->paths;
    while (call->next_path < paths->count && paths->entries[call->next_path].transmitter == call->transmitter &&
           paths->entries[call->next_path].point == call->point)
        call->next_path++;
}

static rw_status compose_link_budget(budget_call *call)
{
    rw_link_budget *budget = &call->budgets->items[call->budget];
    const rw_composition *composition = call->composition;
    const rw_compose_input *in = &composition->in;
    if (!isfinite(budget->path_loss_db) || !composition->known) {
        pass_paths(call);
        return RW_OK;
    }
    budget->arrivals_db = in->free_space_db + in->excess_db + in->ground_db + in->other_db + composition->air_db;
    budget->median_weight = rw_compose(composition->rule, in).median_fraction;
    budget->median_db = in->median_db;
    budget->built_over = in->built;
    RW_TRY(composition->by_mechanisms ? add_mechanisms(call) : add_arrival_paths(call));
    pass_paths(call);
    find_dominant_arrival(call);
    RW_TRY(add_budget_loss_rows(call));
    return add_power_rows(call);
}

static float find_point_value(const budget_call *call, const char *layer)
{
    size_t index;
    if (rw_map_find_layer(call->map, layer, &index) != RW_OK)
        return NAN;
    return call->map->layers[index].values[call->budget];
}

static rw_status compose_budgets(budget_call *call)
{
    const rw_prediction *whole = call->whole;
    rw_budgets *budgets = call->budgets;
    for (call->budget = 0; call->budget < budgets->count; call->budget++) {
        call->transmitter = call->budget / whole->point_count;
        call->point = call->budget % whole->point_count;
        call->composition = &whole->compositions[call->budget];
        budgets->first_rows[call->budget + 1] = budgets->row_count;
        double loss_db = (double)find_point_value(call, "path_loss");
        budgets->items[call->budget] = (rw_link_budget){.point = call->point,
                                                        .transmitter = call->transmitter,
                                                        .indoor = isnan(loss_db) != 0,
                                                        .path_loss_db = loss_db,
                                                        .power_dbm = (double)find_point_value(call, "power"),
                                                        .arrivals_db = NAN};
        RW_TRY(compose_link_budget(call));
    }
    return RW_OK;
}

/* Whether paths of the call add by their powers: so in models without the option, and by name. */
static int adds_by_power(const rw_prediction *prediction)
{
    for (const rw_model_option *option = prediction->model->options; option->name; option++)
        if (strcmp(option->name, "sum") == 0)
            return prediction->options->sum && strcmp(prediction->options->sum, "power") == 0 &&
                   prediction->model->rooms; /* others add a wave and that of the edge that ends it as fields */
    return 1;
}

static int needs_arrival_paths(const rw_prediction *whole)
{
    size_t count = whole->point_count * whole->options->transmitter_count;
    for (size_t i = 0; whole->model->trace && i < count; i++)
        if (whole->compositions[i].known && !whole->compositions[i].by_mechanisms)
            return 1;
    return 0;
}

/* Paths, if arrivals are paths; in any case the ends of the links. */
static rw_status find_budget_paths(const rw_prediction *whole, const rw_predict_options *options, rw_budgets *budgets)
{
    rw_predict_options path_options = *options;
    path_options.layers = NULL;
    budgets->has_arrival_paths = needs_arrival_paths(whole);
    if (budgets->has_arrival_paths)
        return rw_trace(whole->scene, &path_options, whole->points, whole->point_count, &budgets->paths);
    RW_TRY(rw_paths_create(whole->scene->context, &budgets->paths));
    return rw_paths_store_ends(whole, budgets->paths);
}

static rw_status predict_budgets(rw_prediction *whole, const rw_predict_options *options, rw_budgets *budgets)
{
    rw_map *map;
    RW_TRY(rw_prediction_solve_points(whole, &map));
    budget_call call = {.whole = whole, .map = map, .budgets = budgets, .adds_powers = adds_by_power(whole)};
    rw_status status = find_budget_paths(whole, options, budgets);
    if (status == RW_OK)
        status = compose_budgets(&call);
    rw_map_destroy(map);
    return status;
}

rw_status rw_predict_budgets(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                             size_t point_count, rw_budgets **budgets_out)
{
    const rw_target target = {.use = RW_USE_MAP, .points = points, .point_count = point_count};
    rw_predict_options budget_options;
    rw_prediction *whole;
    rw_budgets *budgets = NULL;
    *budgets_out = NULL;
    rw_predict_options_init(&budget_options);
    RW_TRY(RW_RESOLVE(scene->context, options, &budget_options));
    budget_options.zone = NULL; /* what is of the cells of a map changes no value at a point */
    budget_options.database = NULL;
    budget_options.layers = "path_loss,power";
    rw_progress_range_set((rw_progress_range){0, 1});
    RW_TRY(rw_prediction_create(scene, &budget_options, &target, &whole));
    size_t count = whole->options->transmitter_count * whole->point_count;
    rw_status status = rw_budgets_create(scene->context, count, &budgets);
    if (status == RW_OK)
        status =
            rw_array_create(scene->context, count, sizeof *whole->compositions, "link budgets", &whole->compositions);
    if (status == RW_OK)
        status = predict_budgets(whole, &budget_options, budgets);
    if (status == RW_OK)
        *budgets_out = budgets;
    else
        rw_budgets_destroy(budgets);
    free(whole->compositions);
    rw_prediction_destroy(whole);
    return status;
}
