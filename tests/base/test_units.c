/* Numbers with units. */
#include <rasterwave/rasterwave.h>

#include "unit.h"

static void reads_units(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    double value;
    assert_ok(context, rw_parse_quantity(context, "947MHz", RW_QUANTITY_FREQUENCY_HZ, &value));
    assert_near(value, 947e6, 1e-3);
    assert_ok(context, rw_parse_quantity(context, "1.5km", RW_QUANTITY_LENGTH_M, &value));
    assert_near(value, 1500, 1e-9);
    assert_ok(context, rw_parse_quantity(context, "100 ft", RW_QUANTITY_LENGTH_M, &value));
    assert_near(value, 30.48, 1e-9);
    assert_ok(context, rw_parse_quantity(context, "270\xC2\xB0", RW_QUANTITY_ANGLE_DEG, &value));
    assert_near(value, 270, 0);
    assert_ok(context, rw_parse_quantity(context, "-3", RW_QUANTITY_ANGLE_DEG, &value));
    assert_near(value, -3, 0);
    rw_context_destroy(context);
}

static void refuses_nonsense(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    const char *const bad[] = {"", "m", "5 apples", "nan", "inf", "1e999", "5MHzz", "5GHz"};
    double value;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(rw_parse_quantity(context, bad[i], RW_QUANTITY_LENGTH_M, &value), RW_BAD_CALL);
        assert_true(strlen(rw_last_error(context)) > 10);
    }
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_units), cmocka_unit_test(refuses_nonsense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
