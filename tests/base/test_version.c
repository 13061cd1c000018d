/* labels: files */
/* The version that the library tells at run time is that of its headers, as a text and as a number. */
#include <rasterwave/rasterwave.h>

#include "unit.h"

static void header_and_library_agree(void **state)
{
    (void)state;
    assert_int_equal(rw_version_number(), RW_VERSION_NUMBER);
    assert_int_equal(strncmp(rw_version(), RW_VERSION_STRING, strlen(RW_VERSION_STRING)), 0);
}

static void text_is_made_of_the_parts(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", RW_VERSION_MAJOR, RW_VERSION_MINOR, RW_VERSION_PATCH);
    assert_string_equal(text, RW_VERSION_STRING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(header_and_library_agree),
                                       cmocka_unit_test(text_is_made_of_the_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
