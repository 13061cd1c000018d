/* How much memory may be asked for: control groups of both versions, limits of the process, and claims of files that
 * are refused before anything is taken. */
#include "temporary.h"

#include "base/container.h"
#include "base/memory.h"

#include <math.h>
#include <sys/wait.h>

static void write_number(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_text(path, text);
}

static void groups_of_both_versions(void **state)
{
    (void)state;
    char root[1100];
    snprintf(root, sizeof root, "%s", temporary_folder());
    assert_true(isinf(rw_memory_free_in_group(root, "/")));
    assert_true(isinf(rw_memory_free_in_group(root, "/of/nothing")));
    mkdir(temporary_path("two"), 0777);
    mkdir(temporary_path("two/inner"), 0777);
    write_number("two", "memory.max", "1000000000\n");
    write_number("two", "memory.current", "400000000\n");
    write_number("two", "memory.stat", "anon 300000000\ninactive_file 60000000\nactive_file 40000000\n");
    write_number("two/inner", "memory.max", "max\n");
    write_number("two/inner", "memory.current", "5000\n");
    assert_true(rw_memory_free_in_group(root, "/two") == 7e8);
    assert_true(rw_memory_free_in_group(root, "/two/inner") == 7e8); /* of the group around it */
    write_number("two/inner", "memory.max", "300005000\n");
    assert_true(rw_memory_free_in_group(root, "/two/inner") == 3e8);
    mkdir(temporary_path("one"), 0777);
    write_number("one", "memory.limit_in_bytes", "9223372036854771712\n"); /* none, as the first version says it */
    write_number("one", "memory.usage_in_bytes", "1000\n");
    assert_true(rw_memory_free_in_group(root, "/one") > 9e18);
    write_number("one", "memory.limit_in_bytes", "5000\n");
    write_number("one", "memory.stat", "total_inactive_file 300\ntotal_active_file 100\n");
    assert_true(rw_memory_free_in_group(root, "/one") == 4400);
    write_number("one", "memory.usage_in_bytes", "9000\n");
    assert_true(rw_memory_free_in_group(root, "/one") == 0);
    for (int i = 0; i < 2; i++) {
        const char *folders[] = {"two/inner", "two", "one"};
        for (int k = 0; k < 3; k++) {
            char path[256];
            const char *names[] = {"memory.max", "memory.current", "memory.stat", "memory.limit_in_bytes",
                                   "memory.usage_in_bytes"};
            for (int n = 0; n < 5; n++) {
                snprintf(path, sizeof path, "%s/%s", folders[k], names[n]);
                unlink(temporary_path(path));
            }
            rmdir(temporary_path(folders[k]));
        }
    }
}

/* In a child, whose limits are its own. */
static int is_limited(int resource)
{
    rw_context *context = make_context();
    struct rlimit limit = {(rlim_t)1 << 40, (rlim_t)1 << 40};
    void *array = NULL;
    setrlimit(resource, &limit);
    double before = rw_memory_available();
    limit.rlim_cur = (rlim_t)600 << 20;
    setrlimit(resource, &limit);
    double room = rw_memory_available();
    int right = before > room && room > 0 && room <= 600.0 * (1 << 20);
    right &= rw_array_create(context, (size_t)700 << 20, 1, "an array", &array) == RW_TOO_LARGE && !array;
    right &= strstr(rw_last_error(context), "an array would need 0.734 GB") != NULL;
    right &= rw_array_create(context, (size_t)20 << 20, 1, "an array", &array) == RW_OK;
    free(array);
    return !right;
}

static void limits_of_the_process(void **state)
{
    (void)state;
#ifdef RW_ADDRESS_SANITIZER
    skip_test("the address sanitizer takes more address space than any limit");
#endif
    const int resources[] = {RLIMIT_AS, RLIMIT_DATA};
    for (int i = 0; i < 2; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0)
            _exit(is_limited(resources[i]));
        waitpid(child, &status, 0);
        assert_int_equal(status, 0);
    }
}

/* Sizes that have no bytes at all, and those of a file that is not so large. */
static void claims_are_refused(void **state)
{
    (void)state;
    rw_context *context = make_context();
    void *array = NULL;
    assert_int_equal(rw_array_create(context, SIZE_MAX, 8, "an array", &array), RW_TOO_LARGE);
    assert_int_equal(rw_array_create(context, SIZE_MAX / 2, 1, "an array", &array), RW_TOO_LARGE);
    assert_int_equal(rw_memory_check(context, NAN, "nothing"), RW_TOO_LARGE);
    assert_int_equal(rw_memory_check(context, 1e18, "an array"), RW_TOO_LARGE);
    assert_ok(context, rw_memory_check(context, 1e6, "an array"));
    assert_true(rw_memory_fits(1e6) && !rw_memory_fits(1e18) && !rw_memory_fits(NAN) && !rw_memory_fits(INFINITY));
    char *bytes;
    size_t size;
    const char *path = write_text("large", "x"); /* of a terabyte by its size, of almost nothing on the disk */
    if (truncate(path, (off_t)1 << 40) == 0)
        check_sentence(context, rw_file_read(context, path, &bytes, &size), RW_TOO_LARGE, "would need 1.1e+03 GB");
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_of_both_versions),
                                       cmocka_unit_test(limits_of_the_process), cmocka_unit_test(claims_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
