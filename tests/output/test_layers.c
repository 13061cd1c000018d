/* The table of layers agrees with what models compute: units, and which layers are of all transmitters together. */
#include "models/engine/model.h"
#include "unit.h"

#include <string.h>

static void units_are_those_of_models(void **state)
{
    (void)state;
    size_t combined = 0, lower = 0;
    for (size_t i = 0; i < rw_model_count(); i++)
        for (const rw_layer_kind *kind = rw_model_at(i)->layer_kinds; kind->name; kind++) {
            assert_non_null(rw_layer_unit(kind->name));
            /* shadow counts edges, and passes have none */
            if (strcmp(kind->name, "deflections") != 0 && strcmp(kind->name, "supercubes") != 0 &&
                strcmp(kind->unit, "transmitter") != 0)
                assert_string_equal(rw_layer_unit(kind->name), kind->unit);
            combined += (size_t)rw_layer_is_combined(kind->name);
            lower += rw_layer_get_order(kind->name) == RW_LAYER_LOWER_IS_BETTER;
        }
    assert_true(combined > 20 && lower > 20);
}

static void layers_of_all_transmitters_have_one_band(void **state)
{
    (void)state;
    static const char *const combined[] = {"best",      "ci",         "sinr",   "rsrp",
                                           "strongest", "throughput", "second", "servers"};
    static const char *const own[] = {"path_loss", "power", "sigma", "azimuth", "delay", "walls", "indoor", "nothing"};
    for (size_t i = 0; i < sizeof combined / sizeof *combined; i++) {
        assert_true(rw_layer_is_combined(combined[i]));
        assert_false(rw_layer_is_combined(own[i]));
    }
}

static void classes_have_names(void **state)
{
    (void)state;
    assert_string_equal(rw_layer_class("reception", 0), "no path");
    assert_string_equal(rw_layer_class("reception", 1), "path");
    assert_null(rw_layer_class("reception", 2));
    assert_non_null(rw_layer_class("sources", 7)); /* as many as the table holds */
    assert_null(rw_layer_class("sources", 8));
    assert_null(rw_layer_class("path_loss", 0));
    assert_null(rw_layer_class("best", 0)); /* transmitters */
    assert_null(rw_layer_class("nothing", 0));
}

static void models_have_titles(void **state)
{
    (void)state;
    for (size_t i = 0; i < rw_model_count(); i++)
        assert_true(rw_model_title(i) && *rw_model_title(i));
    assert_null(rw_model_title(rw_model_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_those_of_models),
        cmocka_unit_test(layers_of_all_transmitters_have_one_band),
        cmocka_unit_test(classes_have_names),
        cmocka_unit_test(models_have_titles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
