/* How a value is composed: rows of a link budget add up to the values of rw_predict_points. Oracles: the map itself,
 * the rule of composition as docs/explanation/composition.md has it, free space and the specific attenuation of rain.
 */
#include "prediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 14
#define SUM_DB 0.01

static prediction begin_city(int hills)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 200;
    city.hills = hills;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = now.tx[0].y_m = 100;
    now.tx[0].height_m = 45;
    now.tx[0].antenna = "3gpp";
    now.tx[0].azimuth_deg = 70;
    now.tx[1].x_m = now.tx[1].y_m = 20;
    now.tx[1].height_m = 45;
    now.tx[1].power_dbm = 43;
    now.options.transmitter_count = 2;
    return now;
}

static void list_points(double size_m, rw_point points[POINTS])
{
    for (int i = 0; i < POINTS; i++)
        points[i] = (rw_point){.size = sizeof points[i],
                               .x_m = size_m * fmod(0.37 + 0.618 * i, 1.0),
                               .y_m = size_m * fmod(0.11 + 0.414 * i, 1.0),
                               .height_m = i % 5 == 4 ? 6.0 : NAN};
}

typedef struct part_sums {
    double loss_db, power_dbm, arrivals, interference_db, fractions;
    size_t arrival_count, unlisted;
} part_sums;

static part_sums sum_parts(const rw_budgets *budgets, size_t index, const rw_link_budget *budget)
{
    part_sums sums = {0};
    for (size_t i = 0; i < budget->row_count; i++) {
        rw_budget_row row = {.size = sizeof row};
        assert_int_equal(rw_budgets_get_row(budgets, index, i, &row), RW_OK);
        assert_string_equal(row.name, budget->rows[i].name);
        if (row.part == RW_BUDGET_LOSS)
            sums.loss_db += row.value_db;
        else if (row.part == RW_BUDGET_POWER)
            sums.power_dbm += row.value_db;
        else if (strcmp(row.name, "interference") == 0)
            sums.interference_db += row.value_db;
        else
            sums.arrivals += pow(10, -0.1 * row.value_db);
        sums.fractions += row.part == RW_BUDGET_ARRIVAL ? row.fraction : 0;
        sums.arrival_count += row.part == RW_BUDGET_ARRIVAL;
        sums.unlisted += strcmp(row.name, "other_paths") == 0;
    }
    return sums;
}

static double find_row_db(const rw_link_budget *budget, const char *name)
{
    for (size_t i = 0; i < budget->row_count; i++)
        if (budget->rows[i].part == RW_BUDGET_LOSS && strcmp(budget->rows[i].name, name) == 0)
            return budget->rows[i].value_db;
    return 0;
}

/* docs/explanation/composition.md, written again: of buildings A, ground G and the median E. */
static double compose_again_db(const rw_link_budget *budget, double freq_hz, double *weight)
{
    double a = find_row_db(budget, "buildings"), g = find_row_db(budget, "ground"), e = budget->median_db;
    double k = 0.8 * pow(freq_hz / 1e9, -0.1), b = budget->built_over;
    double o = b < 0.05 ? b / 0.05 : b <= 0.22 ? 1 : b < 0.4 ? (0.4 - b) / 0.18 : 0;
    double sight = 0.65 * o, shadow = b < 0.05 ? 0.85 * o : 0.5 + 0.35 * o;
    double bent = a > 0 ? k * a + (1 - k) * 6 * (1 - exp(-a / 6)) : a;
    double w = sight + (shadow - sight) * (1 - exp(-fmax(a, 0) / 10));
    *weight = w;
    return (1 - w) * (bent + g) + w * e;
}

/* Returns how many budgets have values. */
static size_t check_budgets(prediction *now, const rw_point *points, size_t count, int has_median)
{
    rw_map *map;
    rw_budgets *budgets;
    size_t found = 0;
    now->options.layers = "path_loss,power";
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_predict_points(now->scene, &now->options, points, count, &map));
    now->options.layers = NULL;
    assert_ok(now->context, rw_predict_budgets(now->scene, &now->options, points, count, &budgets));
    const float *losses = layer_of(map, "path_loss").values, *powers = layer_of(map, "power").values;
    assert_int_equal(rw_budgets_count(budgets), count * now->options.transmitter_count);
    for (size_t i = 0; i < rw_budgets_count(budgets); i++) {
        rw_link_budget budget = {.size = sizeof budget};
        assert_int_equal(rw_budgets_get(budgets, i, &budget), RW_OK);
        assert_int_equal(budget.point, i % count);
        assert_int_equal(budget.transmitter, i / count);
        if (budget.indoor != (isnan(losses[i]) != 0))
            fail_msg("%s: point %zu: indoor %d, path loss %g", now->options.model, i, budget.indoor, (double)losses[i]);
        if (!isfinite(losses[i])) {
            assert_int_equal(budget.row_count, 0);
            assert_null(budget.dominant);
            continue;
        }
        part_sums sums = sum_parts(budgets, i, &budget);
        assert_near(budget.path_loss_db, (double)losses[i], 1e-4);
        assert_near(sums.loss_db, (double)losses[i], SUM_DB);
        assert_near(sums.power_dbm, (double)powers[i], SUM_DB);
        assert_near(-10 * log10(sums.arrivals) + sums.interference_db, budget.arrivals_db, SUM_DB);
        assert_near(sums.fractions, 1, 2.5e-3);
        assert_true(sums.arrival_count > 0 && budget.dominant != NULL);
        assert_int_equal(sums.unlisted, 0);
        if (has_median) {
            double weight, other_db = sums.loss_db - find_row_db(&budget, "median") -
                                      find_row_db(&budget, "buildings") - find_row_db(&budget, "frequency_slope") -
                                      find_row_db(&budget, "ground");
            double composed_db = compose_again_db(&budget, now->options.freq_hz, &weight) + other_db;
            /* the median's range is not in the budget: within it w is that of the rule */
            if (fabs(weight - budget.median_weight) < 1e-9)
                assert_near(composed_db, (double)losses[i], SUM_DB);
            else
                assert_true(budget.median_weight < weight);
        } else {
            assert_near(budget.median_weight, 0, 0);
            assert_near(budget.arrivals_db, (double)losses[i], SUM_DB);
        }
        found++;
    }
    rw_map_destroy(map);
    rw_budgets_destroy(budgets);
    return found;
}

static const char *const city_models[] = {"shadow", "cubes", "beams", "tiles", "rt"};

static void rows_add_up_in_cities(void **state)
{
    rw_point points[POINTS];
    (void)state;
    list_points(200, points);
    for (int hills = 0; hills < 2; hills++)
        for (size_t i = 0; i < sizeof city_models / sizeof *city_models; i++)
            for (int median = 0; median < 2; median++) {
                prediction now = begin_city(hills);
                now.options.model = city_models[i];
                now.options.prior = median ? NULL : "none";
                if (strcmp(city_models[i], "rt") == 0)
                    now.options.depth = 1;
                size_t count = strcmp(city_models[i], "beams") == 0 ? 6 : POINTS;
                assert_true(check_budgets(&now, points, count, median) > 2);
                end(&now);
            }
}

/* Paths that add with phase, over a cell, and by power. */
static void interference_is_a_row(void **state)
{
    static const char *const sums[] = {"coherent", "local", "power"};
    rw_point points[POINTS];
    (void)state;
    list_points(200, points);
    for (size_t i = 0; i < 3; i++) {
        prediction now = begin_city(0);
        now.options.model = "tiles";
        now.options.sum = sums[i];
        now.options.prior = "none";
        assert_true(check_budgets(&now, points, POINTS, 0) > 2);
        end(&now);
    }
}

static void rows_add_up_in_an_office(void **state)
{
    static const char *const models[] = {"images", "sbr", "rt", "shadow"};
    rw_point points[POINTS];
    (void)state;
    list_points(14, points);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        rw_office_options office;
        rw_office_options_init(&office);
        rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
        rw_scene *scene;
        assert_ok(context, rw_generate_office(context, &office, &scene));
        assert_ok(context, rw_scene_commit(scene));
        prediction now = begin_with(context, scene);
        rw_predict_options_init_for(&now.options, models[i]);
        now.options.freq_hz = 5.2e9;
        now.options.prior = "none";
        if (strcmp(models[i], "shadow") != 0)
            now.options.depth = 1;
        now.options.transmitter_count = 1;
        now.tx[0].x_m = now.tx[0].y_m = 5;
        now.tx[0].height_m = 2;
        assert_true(check_budgets(&now, points, POINTS, 0) > 3);
        end(&now);
    }
}

/* Rain is a row of its own: k R^alpha of ITU-R P.838-3 at 30 GHz, vertical: k = 0.2291, alpha = 0.9129. */
static void rain_and_gases_are_rows(void **state)
{
    rw_point point = {.size = sizeof point, .x_m = 180, .y_m = 20, .height_m = 60};
    rw_budgets *budgets;
    rw_link_budget budget = {.size = sizeof budget};
    (void)state;
    prediction now = begin_city(0);
    now.options.freq_hz = 30e9;
    now.options.transmitters = now.tx;
    now.options.rain_mm_h = 20;
    now.options.transmitter_count = 1;
    assert_ok(now.context, rw_predict_budgets(now.scene, &now.options, &point, 1, &budgets));
    assert_int_equal(rw_budgets_get(budgets, 0, &budget), RW_OK);
    double length_m = sqrt(80 * 80 + 80 * 80 + 15 * 15);
    assert_near(find_row_db(&budget, "free_space"), 20 * log10(4 * 3.14159265358979 * length_m * 30e9 / 299792458.0),
                1e-3);
    assert_near(find_row_db(&budget, "rain"), 0.2291 * pow(20, 0.9129) * 1e-3 * length_m, 2e-3);
    assert_true(find_row_db(&budget, "gases") > 0.005 && find_row_db(&budget, "gases") < 0.03);
    rw_budgets_destroy(budgets);
    end(&now);
}

static void bad_calls_are_rejected(void **state)
{
    (void)state;
    prediction now = begin_city(0);
    rw_point point = {.size = sizeof point, .x_m = 80, .y_m = 80, .height_m = NAN};
    rw_budgets *budgets;
    rw_link_budget budget = {.size = sizeof budget};
    rw_budget_row row = {.size = sizeof row};
    now.options.transmitters = now.tx;
    assert_int_equal(rw_predict_budgets(now.scene, &now.options, &point, 0, &budgets), RW_BAD_CALL);
    assert_null(budgets);
    assert_int_equal(rw_predict_budgets(now.scene, NULL, &point, 1, &budgets), RW_BAD_CALL);
    assert_ok(now.context, rw_predict_budgets(now.scene, &now.options, &point, 1, &budgets));
    assert_int_equal(rw_budgets_get(budgets, 2, &budget), RW_BAD_CALL);
    assert_int_equal(rw_budgets_get_row(budgets, 0, 1000, &row), RW_BAD_CALL);
    rw_budgets_destroy(budgets);
    rw_budgets_destroy(NULL);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_add_up_in_cities),    cmocka_unit_test(interference_is_a_row),
        cmocka_unit_test(rows_add_up_in_an_office), cmocka_unit_test(rain_and_gases_are_rows),
        cmocka_unit_test(bad_calls_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
