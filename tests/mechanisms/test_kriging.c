/* Kriging of residuals against the dense system of all samples, solved by elimination with pivots in double. */
#include "base/maths/hash.h"
#include "base/memory.h"
#include "mechanisms/measured/kriging.h"

#include "temporary.h"

#include <string.h>

#define SAMPLES 60
#define SITES 4

static rw_context *context;
static const uint32_t sectors[SITES] = {0, 0, 2, 2}; /* A and B share mast and azimuth, as C and D do */

static double between_sites(uint32_t a, uint32_t b)
{
    return a == b ? 1 : sectors[a] == sectors[b] ? 0.9 : 0.3;
}

/* Samples of 12 to 18 per site within 110 m, which all count everywhere there. */
static rw_residual_field make_field(uint64_t seed, double noise_db2)
{
    rw_residual *items;
    rw_residual_field field = {.sill_db2 = 36, .nugget_db2 = 12, .length_m = 50};
    rw_random random = rw_random_of(seed, 1);
    assert_ok(context, rw_array_create(context, SAMPLES, sizeof *items, "residuals", &items));
    for (int i = 0; i < SAMPLES; i++)
        items[i] = (rw_residual){110 * rw_random_unit(&random), 110 * rw_random_unit(&random),
                                 20 * rw_random_unit(&random) - 10, noise_db2 * (1 + i % 3), (uint32_t)(i % SITES)};
    assert_ok(context, rw_residual_field_create(context, items, SAMPLES, &field));
    return field;
}

/* Mean and variance of one more sample of a site at a point, by all samples. */
static void solve_dense(const rw_residual_field *field, uint32_t site, double x_m, double y_m, double *value_db,
                        double *variance_db2)
{
    double system[SAMPLES][SAMPLES + 2];
    for (int i = 0; i < SAMPLES; i++) {
        const rw_residual *a = &field->items[i];
        for (int k = 0; k < SAMPLES; k++) {
            const rw_residual *b = &field->items[k];
            double distance_m = hypot(a->x_m - b->x_m, a->y_m - b->y_m);
            system[i][k] = field->sill_db2 * between_sites(a->site, b->site) * exp(-distance_m / field->length_m) +
                           (i == k ? a->noise_db2 : 0);
        }
        system[i][SAMPLES] = a->value_db;
        system[i][SAMPLES + 1] =
            field->sill_db2 * between_sites(a->site, site) * exp(-hypot(a->x_m - x_m, a->y_m - y_m) / field->length_m);
    }
    double covariance[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        covariance[i] = system[i][SAMPLES + 1];
    for (int pivot = 0; pivot < SAMPLES; pivot++) {
        int best = pivot;
        for (int row = pivot; row < SAMPLES; row++)
            best = fabs(system[row][pivot]) > fabs(system[best][pivot]) ? row : best;
        for (int column = 0; column < SAMPLES + 2; column++) {
            double kept = system[pivot][column];
            system[pivot][column] = system[best][column];
            system[best][column] = kept;
        }
        for (int row = 0; row < SAMPLES; row++) {
            double factor = row == pivot ? 0 : system[row][pivot] / system[pivot][pivot];
            for (int column = pivot; column < SAMPLES + 2; column++)
                system[row][column] -= factor * system[pivot][column];
        }
    }
    *value_db = 0;
    *variance_db2 = field->sill_db2 + field->nugget_db2;
    for (int i = 0; i < SAMPLES; i++) {
        *value_db += covariance[i] * system[i][SAMPLES] / system[i][i];
        *variance_db2 -= covariance[i] * system[i][SAMPLES + 1] / system[i][i];
    }
}

static void local_systems_are_the_dense_one(void **state)
{
    (void)state;
    rw_residual_field field = make_field(5, 4);
    double worst_db = 0, worst_db2 = 0;
    for (uint32_t site = 0; site < SITES; site++) {
        rw_kriging kriging = {.field = &field, .target = {sectors, site, sectors[site]}};
        for (int i = 0; i < 40; i++) {
            double x_m = 5 + 13.7 * (i % 8), y_m = 3 + 19.1 * (double)(i / 8), value_db, variance_db2, found_db2;
            solve_dense(&field, site, x_m, y_m, &value_db, &variance_db2);
            double found_db = rw_kriging_estimate(&kriging, x_m, y_m, &found_db2, NULL);
            worst_db = worse_of(worst_db, fabs(found_db - value_db));
            worst_db2 = worse_of(worst_db2, fabs(found_db2 - fmax(variance_db2, field.nugget_db2)));
        }
        rw_kriging_free(&kriging);
    }
    assert_near(worst_db, 0, 1e-9);
    assert_near(worst_db2, 0, 1e-9);
    rw_residual_field_destroy(&field);
}

static void samples_without_noise_are_met_and_far_points_are_free(void **state)
{
    (void)state;
    rw_residual_field field = make_field(6, 0);
    double variance_db2, benefit_db;
    for (int i = 0; i < SAMPLES; i++) {
        const rw_residual *item = &field.items[i];
        rw_kriging kriging = {.field = &field, .target = {sectors, item->site, sectors[item->site]}};
        assert_near(rw_kriging_estimate(&kriging, item->x_m, item->y_m, &variance_db2, &benefit_db), item->value_db,
                    1e-3);
        assert_near(variance_db2, field.nugget_db2, 1e-3);
        rw_kriging_free(&kriging);
    }
    rw_kriging kriging = {.field = &field, .target = {sectors, UINT32_MAX, UINT32_MAX}};
    assert_near(rw_kriging_estimate(&kriging, 2000, -700, &variance_db2, &benefit_db), 0, 0);
    assert_near(variance_db2, field.sill_db2 + field.nugget_db2, 1e-12);
    double far_db = benefit_db; /* one more sample says more where there is none */
    rw_kriging_estimate(&kriging, 55, 55, &variance_db2, &benefit_db);
    assert_true(variance_db2 < field.sill_db2 + field.nugget_db2);
    assert_true(far_db > 0 && benefit_db < far_db);
    rw_kriging_free(&kriging);
    rw_residual_field_destroy(&field);
}

/* A field of known sill and nugget, by the dense factor of its covariance. */
static void sill_and_nugget_are_found(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    static double factor[COUNT][COUNT];
    static rw_residual items[COUNT];
    rw_random random = rw_random_of(9, 2);
    double sill_db2, nugget_db2;
    for (int i = 0; i < COUNT; i++)
        items[i] = (rw_residual){.x_m = 4 * i, .y_m = 30 * sin(i / 9.0)};
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k <= i; k++) {
            double sum =
                40 * exp(-hypot(items[i].x_m - items[k].x_m, items[i].y_m - items[k].y_m) / 50) + (i == k ? 10 : 0);
            for (int j = 0; j < k; j++)
                sum -= factor[i][j] * factor[k][j];
            factor[i][k] = i == k ? sqrt(sum) : sum / factor[k][k];
        }
    for (int i = 0; i < COUNT; i++) {
        double normal = sqrt(-2 * log(1 - rw_random_unit(&random))) * cos(6.283185307179586 * rw_random_unit(&random));
        for (int row = i; row < COUNT; row++)
            items[row].value_db += factor[row][i] * normal;
    }
    assert_ok(context, rw_residual_field_fit(context, items, COUNT, 50, &sill_db2, &nugget_db2));
    assert_near(nugget_db2, 10, 5);
    assert_near(sill_db2, 40, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(local_systems_are_the_dense_one),
                                       cmocka_unit_test(samples_without_noise_are_met_and_far_points_are_free),
                                       cmocka_unit_test(sill_and_nugget_are_found)};
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
