/* labels: numbers */
/* The fit of parameters to terms of paths: values that made the data are found again within their standard errors,
 * curves stay physical, what the data do not tell stays as it was. */
#include "base/memory.h"
#include "calibrate/fitting/fitting.h"
#include "field/edges/deflection.h"
#include "field/paths/multi_wall.k.h"
#include "models/shadow/parameters.h"

#include "noise.h"
#include "shapes.h"

static rw_context *context;
static const rw_model *model;

/* Where the shadow model's terms and parameters stand. */
enum { FREE_SPACE, STREET_TERMS, ROOF_TERMS = 5, COUNTED = 9, WALLS, TERMS = RW_SHADOW_TERMS };
enum { OFFSET, STREET, ROOF = 5, ROOF_COUNT = 9, WALL_FIRST, WALL_RATIO, PARAMETERS };

static const double truth[RW_PARAMETERS_MAX] = {0, 4, 11, -2, 0.3, 6, 9, 0, 0.5, 5, 9, 0.8};

typedef struct made_data {
    rw_fit_data data;
    float *terms, *measured;
} made_data;

static void put_angles(rw_random *random, float *terms, int count, double angle_max)
{
    for (int i = 0; i < count; i++) {
        double angle = rw_random_range(random, 0.02, angle_max);
        for (int power = 0; power < 4; power++)
            terms[power] += (float)pow(angle, power);
    }
}

/* A third of the paths in sight, a third round corners or over roofs, a third through walls. */
static made_data make(size_t count, const double *values, double noise_db, double angle_max, uint64_t seed)
{
    made_data made = {.data = {.model = model, .count = count}};
    rw_random random = rw_random_of(seed, 1);
    double derivatives[RW_PARAMETERS_MAX];
    made.terms = calloc(count * TERMS, sizeof *made.terms);
    made.measured = calloc(count, sizeof *made.measured);
    for (size_t i = 0; i < count; i++) {
        float *terms = made.terms + i * TERMS;
        terms[FREE_SPACE] = (float)rw_random_range(&random, 70, 110);
        int kind = rw_random_index(&random, 4);
        if (kind == 1)
            put_angles(&random, terms + STREET_TERMS, 1 + rw_random_index(&random, 2), angle_max);
        if (kind == 2)
            put_angles(&random, terms + ROOF_TERMS, 1 + rw_random_index(&random, 4), 0.3 * angle_max);
        if (kind == 3)
            terms[WALLS] = (float)(1 + rw_random_index(&random, 8));
        double loss_db = model->terms_loss_db(terms, values, derivatives);
        made.measured[i] = (float)(loss_db + noise_db * normal_noise(&random));
    }
    made.data.terms = made.terms;
    made.data.measured_db = made.measured;
    return made;
}

static void release(made_data *made)
{
    free(made->terms);
    free(made->measured);
}

static rw_fit_result fit(const made_data *made, const char *groups)
{
    double start[RW_PARAMETERS_MAX];
    rw_unknowns unknowns;
    rw_fit_result result;
    assert_ok(context, model->parameter_defaults(context, 947e6, start));
    assert_ok(context, rw_unknowns_choose(context, model, groups, start, &unknowns));
    assert_ok(context, rw_fit_solve(context, &made->data, &unknowns, &result));
    return result;
}

static int is_physical(const double *a)
{
    return rw_deflection_is_physical((rw_deflection){a[0], a[1], a[2], a[3]});
}

static void the_loss_of_terms_is_that_of_the_formulas(void **state)
{
    (void)state;
    const double angles[3] = {0.1, 0.7, 2.0};
    float terms[TERMS] = {90};
    double derivatives[RW_PARAMETERS_MAX], other[RW_PARAMETERS_MAX], values[RW_PARAMETERS_MAX];
    memcpy(values, truth, sizeof values);
    values[OFFSET] = 1.5;
    rw_deflection street = {truth[STREET], truth[STREET + 1], truth[STREET + 2], truth[STREET + 3]};
    rw_deflection roof = {truth[ROOF], truth[ROOF + 1], truth[ROOF + 2], truth[ROOF + 3]};
    double expected = 90 + 1.5 + rw_multi_wall_loss_db((rw_wall_kind){9, 0.8}, 7) + 2 * truth[ROOF_COUNT];
    for (int i = 0; i < 3; i++) {
        expected += rw_deflection_loss_db(street, angles[i]) + rw_deflection_loss_db(roof, angles[i]);
        for (int power = 0; power < 4; power++) {
            terms[STREET_TERMS + power] += (float)pow(angles[i], power);
            terms[ROOF_TERMS + power] += (float)pow(angles[i], power);
        }
    }
    terms[COUNTED] = 2;
    terms[WALLS] = 7;
    assert_near(model->terms_loss_db(terms, values, derivatives), expected, 1e-4);
    for (int i = 0; i < PARAMETERS; i++) {
        double h = 1e-6, at = values[i];
        values[i] = at + h;
        double up = model->terms_loss_db(terms, values, other);
        values[i] = at - h;
        double down = model->terms_loss_db(terms, values, other);
        values[i] = at;
        assert_near(derivatives[i], (up - down) / (2 * h), 1e-5 * (1 + fabs(derivatives[i])));
    }
}

static void values_are_found_again(const made_data *made, double rmse_db)
{
    rw_fit_result result = fit(made, NULL);
    double tolerance = 4 * rmse_db / sqrt(2.0 * (double)made->data.count) + 1e-5;
    assert_near(result.rmse_db, rmse_db, tolerance + rmse_db * 12 / (double)made->data.count);
    assert_true(result.states[OFFSET] == RW_PARAMETER_HELD && result.values[OFFSET] == 0);
    assert_true(result.states[ROOF_COUNT] == RW_PARAMETER_UNUSED);
    for (size_t i = STREET; i < PARAMETERS; i++) {
        if (i == ROOF_COUNT)
            continue;
        double standard_error = sqrt(result.covariance[i][i]);
        assert_true(result.states[i] == RW_PARAMETER_FITTED || result.states[i] == RW_PARAMETER_OPEN);
        assert_near(result.values[i], truth[i], 4 * standard_error + 2e-3);
    }
}

/* Of a hundred points the coefficients are loose, but the losses that they give are not: the mean squared error of a
 * fit of n unknowns is n / N of the noise's. */
static void a_hundred_points_find_the_losses(void **state)
{
    (void)state;
    double sum = 0, derivatives[RW_PARAMETERS_MAX];
    for (uint64_t seed = 0; seed < 20; seed++) {
        made_data made = make(100, truth, 2, 3, seed);
        rw_fit_result result = fit(&made, NULL);
        assert_true(is_physical(&result.values[STREET]) && is_physical(&result.values[ROOF]));
        for (size_t i = 0; i < 100; i++)
            sum += pow(model->terms_loss_db(made.terms + i * TERMS, result.values, derivatives) -
                           model->terms_loss_db(made.terms + i * TERMS, truth, derivatives),
                       2);
        release(&made);
    }
    assert_true(sqrt(sum / 2000) < 2 * sqrt(10 / 100.0) * 1.1);
}

static void many_points_find_the_values(void **state)
{
    (void)state;
    made_data many = make(1000000, truth, 7, 3, 6), exact = make(3000, truth, 0, 3, 7);
    values_are_found_again(&many, 7);
    values_are_found_again(&exact, 0);
    rw_fit_result result = fit(&many, NULL);
    /* Errors fall with the root of the number: a first coefficient to better than 0.1 dB. */
    assert_true(sqrt(result.covariance[STREET][STREET]) < 0.1);
    release(&many);
    release(&exact);
}

/* Over many draws the errors are as large as the covariance says: their squares in units of it have mean 1. */
static void standard_errors_are_those_of_repetition(void **state)
{
    (void)state;
    static const size_t which[] = {STREET, WALL_FIRST, WALL_RATIO};
    double squares[3] = {0}, curve_squares = 0;
    const int draws = 200;
    for (int draw = 0; draw < draws; draw++) {
        made_data made = make(2000, truth, 6, 3, 100 + (uint64_t)draw);
        rw_fit_result result = fit(&made, NULL);
        for (int i = 0; i < 3; i++)
            squares[i] += pow(result.values[which[i]] - truth[which[i]], 2) / result.covariance[which[i]][which[i]];
        /* The street curve at 1 rad: the sum of its coefficients. */
        double error = 0, variance = 0;
        for (size_t i = STREET; i < STREET + 4; i++) {
            error += result.values[i] - truth[i];
            for (size_t k = STREET; k < STREET + 4; k++)
                variance += result.covariance[i][k];
        }
        curve_squares += error * error / variance;
        release(&made);
    }
    /* The mean of 200 squared normal numbers has a standard deviation of 0.1. */
    for (int i = 0; i < 3; i++)
        assert_near(squares[i] / draws, 1, 0.4);
    assert_near(curve_squares / draws, 1, 0.4);
}

/* Whatever the data say, losses are not negative, do not fall, and stay within their bounds. */
static void curves_stay_physical(void **state)
{
    (void)state;
    static const double falling[4] = {30, -12, 2, 0.1}, negative[4] = {-20, 8, 0, 0}, steep[4] = {0, 400, 50, 9};
    static const double *const wanted[] = {falling, negative, steep};
    for (int i = 0; i < 3; i++) {
        double values[RW_PARAMETERS_MAX];
        memcpy(values, truth, sizeof values);
        memcpy(values + STREET, wanted[i], sizeof falling);
        values[WALL_FIRST] = i == 1 ? -5 : 90;
        values[WALL_RATIO] = i == 1 ? 0.5 : 1.2;
        made_data made = make(4000, values, 3, 3, 20 + (uint64_t)i);
        rw_fit_result result = fit(&made, NULL);
        assert_true(is_physical(&result.values[STREET]) && is_physical(&result.values[ROOF]));
        for (size_t k = 0; k < PARAMETERS; k++)
            assert_true(result.values[k] >= model->parameters[k].low && result.values[k] <= model->parameters[k].high);
        assert_int_equal(result.states[WALL_FIRST], RW_PARAMETER_AT_BOUND);
        release(&made);
    }
}

/* Four unknowns of a curve whose angles are all the same: their sum is found, the rest said to be open. */
static void what_the_data_leave_open_is_told(void **state)
{
    (void)state;
    made_data made = make(1000, truth, 1, 3, 9);
    double start[RW_PARAMETERS_MAX], values[RW_PARAMETERS_MAX];
    assert_ok(context, model->parameter_defaults(context, 947e6, start));
    memcpy(values, start, sizeof values);
    values[STREET] += 5;
    values[WALL_RATIO] = 0.7;
    for (size_t i = 0; i < made.data.count; i++) {
        float *terms = made.terms + i * TERMS, *street = terms + STREET_TERMS;
        double derivatives[RW_PARAMETERS_MAX];
        memset(terms + ROOF_TERMS, 0, 4 * sizeof *terms);
        for (int power = 1; power < 4; power++)
            street[power] = street[0] * (float)pow(1.2, power);
        made.measured[i] = (float)model->terms_loss_db(terms, values, derivatives);
    }
    rw_fit_result result = fit(&made, NULL);
    rw_deflection wanted = {values[STREET], values[STREET + 1], values[STREET + 2], values[STREET + 3]};
    rw_deflection found = {result.values[STREET], result.values[STREET + 1], result.values[STREET + 2],
                           result.values[STREET + 3]};
    assert_near(rw_deflection_loss_db(found, 1.2), rw_deflection_loss_db(wanted, 1.2), 1e-3);
    assert_int_equal(result.states[STREET + 3], RW_PARAMETER_OPEN);
    for (size_t i = ROOF; i < ROOF + 5; i++) {
        assert_int_equal(result.states[i], RW_PARAMETER_UNUSED);
        assert_near(result.values[i], start[i], 0);
    }
    assert_near(result.values[WALL_RATIO], values[WALL_RATIO], 1e-4);
    release(&made);
}

static void groups_are_chosen(void **state)
{
    (void)state;
    double values[RW_PARAMETERS_MAX], start[RW_PARAMETERS_MAX];
    assert_ok(context, model->parameter_defaults(context, 947e6, start));
    memcpy(values, start, sizeof values);
    values[OFFSET] = -7;
    values[WALL_FIRST] = 20;
    made_data made = make(2000, values, 1, 3, 31);
    rw_fit_result result = fit(&made, "wall,offset");
    assert_near(result.values[OFFSET], -7, 4 * sqrt(result.covariance[OFFSET][OFFSET]));
    assert_near(result.values[WALL_FIRST], 20, 4 * sqrt(result.covariance[WALL_FIRST][WALL_FIRST]));
    assert_near(result.values[STREET + 1], start[STREET + 1], 0);
    assert_int_equal(result.states[STREET + 1], RW_PARAMETER_HELD);
    rw_unknowns unknowns;
    rw_status status = rw_unknowns_choose(context, model, "walls", start, &unknowns);
    assert_int_equal(status, RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(context), "offset,street,roof,roof_count,wall"));
    release(&made);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    made_data made = make(50001, truth, 5, 3, 77);
    int threads = context->threads;
    context->threads = 1;
    rw_fit_result one = fit(&made, NULL);
    context->threads = 7;
    rw_fit_result seven = fit(&made, NULL);
    context->threads = threads;
    assert_memory_equal(one.values, seven.values, PARAMETERS * sizeof *one.values);
    release(&made);
}

/* Uncalibrated values are within the bounds at every frequency, and curves survive the change to unknowns. */
static void defaults_are_physical_at_all_frequencies(void **state)
{
    (void)state;
    for (double freq_hz = 1e8; freq_hz <= 1e11; freq_hz *= 1.6) {
        rw_params *params;
        rw_unknowns unknowns;
        double values[RW_PARAMETERS_MAX];
        assert_ok(context, rw_params_create(context, "shadow", freq_hz, &params));
        assert_ok(context, rw_params_check(params, "defaults"));
        assert_ok(context, rw_unknowns_choose(context, model, NULL, params->values, &unknowns));
        rw_unknowns_values(&unknowns, unknowns.start, values);
        for (size_t i = 0; i < PARAMETERS; i++)
            assert_near(values[i], params->values[i], 1e-9);
        rw_params_destroy(params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_of_terms_is_that_of_the_formulas),
        cmocka_unit_test(a_hundred_points_find_the_losses),
        cmocka_unit_test(many_points_find_the_values),
        cmocka_unit_test(standard_errors_are_those_of_repetition),
        cmocka_unit_test(curves_stay_physical),
        cmocka_unit_test(what_the_data_leave_open_is_told),
        cmocka_unit_test(groups_are_chosen),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(defaults_are_physical_at_all_frequencies),
    };
    context = make_context();
    if (rw_model_find(context, "shadow", &model) != RW_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
