/* The measured office: images must explain it better than walls counted on the straight line, in every band, with the
 * materials of the table and with fitted ones on links that were not fitted. */
#include "rasterwave/rasterwave.h"

#include "bench/bench.h"

#include "unit.h"

typedef struct bands {
    size_t count;
    rw_bench_result results[16];
} bands;

static void keep(void *user, const rw_bench_result *result)
{
    bands *kept = user;
    if (strncmp(result->name, "measured office", 15) == 0 && kept->count < 16)
        kept->results[kept->count++] = *result;
}

static void images_beat_counting_walls(void **state)
{
    (void)state;
    require_test_data(links, "where1/links.csv");
    if (!getenv("RASTERWAVE_FULL"))
        skip_test("a minute of fitting, with RASTERWAVE_FULL only");
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", links);
    folder[strlen(folder) - strlen("/where1/links.csv")] = 0;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    bands found = {0};
    rw_status status = rw_bench_run(context, folder, "measured office", keep, &found);
    if (status != RW_OK)
        fail_msg("%s\n", rw_last_error(context));
    assert_int_equal(found.count, 8);
    for (size_t i = 0; i < found.count; i++) {
        printf("%s: %.2f dB, walls %.2f dB\n", found.results[i].name, found.results[i].value, found.results[i].target);
        assert_true(found.results[i].value < found.results[i].target);
        assert_true(found.results[i].value > 2 && found.results[i].value < 10);
    }
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(images_beat_counting_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
