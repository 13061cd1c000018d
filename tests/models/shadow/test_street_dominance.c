/* A path to a street corner is left out for a better one only where that one goes on wherever the first does: slopes of
 * both to receivers further on, tried one by one. */
#include "models/shadow/streets/street_paths.k.h"

#include "base/maths/hash.h"
#include "unit.h"

static rw_street_path random_path(rw_random *random)
{
    rw_street_path path = {.legs_clear = 1, .dx = 1, .dy = 0};
    path.length_m = (float)rw_random_range(random, 10, 200);
    path.slope_low = (float)rw_random_range(random, -0.5, 0.4);
    path.slope_high = path.slope_low + (float)rw_random_range(random, 0, 0.5);
    return path;
}

static void what_dominates_goes_on_wherever_the_other_does(void **state)
{
    (void)state;
    rw_random random = rw_random_of(21, 0);
    rw_shadow_source source = {.berg = 0};
    rw_street_view street = {.sources = &source};
    int dominated = 0;
    for (int i = 0; i < 20000; i++) {
        rw_street_path better = random_path(&random), path = random_path(&random);
        if (!rw_street_dominates(&street, 0, &better, &path))
            continue;
        dominated++;
        assert_true(better.length_m <= path.length_m);
        for (double rest_m = 0; rest_m < 1000; rest_m = 2 * rest_m + 1) {
            double steeper = ((double)path.length_m + rest_m) / ((double)better.length_m + rest_m);
            for (int k = 0; k <= 8; k++) {
                double slope = (double)path.slope_low + 0.125 * k * (double)(path.slope_high - path.slope_low);
                assert_true(slope * steeper >= (double)better.slope_low - 1e-6);
                assert_true(slope * steeper <= (double)better.slope_high + 1e-6);
            }
        }
    }
    assert_true(dominated > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_dominates_goes_on_wherever_the_other_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
