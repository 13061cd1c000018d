/* The field benchmark runs, agrees with its reference, and says how fast it is on this machine. */
#include "bench/field.h"

#include "unit.h"

static void print(const rw_bench_field_result *result)
{
    printf("%s, %s: %.3g /s (target %.1g), %.1f %% of %.3g FLOP/s at %.0f FLOP each, largest error %.1e\n",
           result->name, result->backend, result->items_per_s, result->target_per_s, result->percent_of_limit,
           result->flops_limit_per_s, result->flops_per_item, result->largest_error);
}

static void run(rw_backend backend)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = backend;
    rw_context *context;
    if (rw_context_create(&options, &context) != RW_OK) {
        printf("no GPU: %s\n", rw_last_error(context));
        rw_context_destroy(context);
        skip();
    }
    rw_bench_field_result result;
    assert_ok(context, rw_bench_field_wedge(context, backend, &result));
    print(&result);
    assert_true(result.items_per_s > 0 && result.percent_of_limit > 0 && result.percent_of_limit < 100);
    assert_near(result.largest_error, 0, 2e-5);
    assert_ok(context, rw_bench_field_slab(context, backend, &result));
    print(&result);
    assert_true(result.items_per_s > 0 && result.percent_of_limit > 0 && result.percent_of_limit < 100);
    assert_near(result.largest_error, 0, 2e-5);
    rw_context_destroy(context);
}

static void measures_the_cpu(void **state)
{
    (void)state;
    run(RW_BACKEND_CPU);
}

static void measures_the_gpu(void **state)
{
    (void)state;
    run(RW_BACKEND_CUDA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(measures_the_cpu), cmocka_unit_test(measures_the_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
