/* Lines of the benchmark: which count as checked, which as wrong, and which become curves of a picture. */
#include "bench/bench.h"
#include "temporary.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

typedef struct kept_results {
    rw_bench_result items[8];
    size_t count;
} kept_results;

static void keep(void *user, const rw_bench_result *result)
{
    kept_results *kept = user;
    assert_true(kept->count < 8);
    kept->items[kept->count++] = *result;
}

/* A line is checked where something was compared, and wrong where the difference is more than allowed, or no number. */
static void only_compared_lines_are_checked(void **state)
{
    (void)state;
    static const struct {
        rw_bench_check check;
        int checked, wrong;
    } cases[] = {{{NULL, 0, 0, NULL}, 0, 0},
                 {{"the march", 0, 0, "receivers"}, 1, 0},
                 {{"the march", 3, 2, "receivers"}, 1, 1},
                 {{"the march", NAN, 2, "dB"}, 1, 1}};
    kept_results kept = {.count = 0};
    rw_bench bench = {.on_result = keep, .user = &kept};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rw_bench told = rw_bench_checked(&bench, cases[i].check);
        rw_bench_add_result(&told, "group", "name", 1, "ms", NAN, NAN, "");
        assert_int_equal(rw_bench_is_checked(&kept.items[i]), cases[i].checked);
        assert_int_equal(rw_bench_is_wrong(&kept.items[i]), cases[i].wrong);
    }
    assert_string_equal(kept.items[1].against, "the march");
    assert_string_equal(kept.items[1].difference_unit, "receivers");
}

/* One picture for each group, unit and abscissa; single lines are no curve. */
static void curves_become_pictures(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 0);
    const char *path = temporary_path("curves.png"), *beside = temporary_path("curves_other_group.png");
    kept_results kept = {.count = 0};
    rw_bench bench = {.on_result = keep, .user = &kept};
    rw_bench_add_result(&bench, "los", "a line", 1, "ms", NAN, NAN, "");
    assert_int_equal(rw_bench_draw(context, kept.items, kept.count, path), RW_BAD_CALL);
    for (int i = 0; i < 3; i++) {
        const rw_bench point = rw_bench_on_curve(&bench, "cpu", pow(10, i), "receivers");
        rw_bench_add_result(&point, "los", "a point", 10 - i, "ms", NAN, NAN, "");
        if (i < 2)
            rw_bench_add_result(&point, "other group", "a point", 10 + i, "s", NAN, NAN, "");
    }
    assert_int_equal(rw_bench_draw(context, kept.items, kept.count, path), RW_OK);
    assert_int_equal(access(path, R_OK), 0);
    assert_int_equal(access(beside, R_OK), 0);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_compared_lines_are_checked),
                                       cmocka_unit_test(curves_become_pictures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
