/* Text as every writer may use it: encodings, control characters, composition. Expected values: the Unicode standard.
 */

#include "base/text/normalise.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void check_normalised(const char *bytes, const char *expected)
{
    char *out = malloc(RW_NORMALISED_BYTES_MAX(strlen(bytes)));
    assert_non_null(out);
    assert_int_equal(rw_text_normalise(bytes, strlen(bytes), out), strlen(expected));
    assert_string_equal(out, expected);
    free(out);
}

static void normalises_encodings(void **state)
{
    (void)state;
    check_normalised("plain, text\n", "plain, text\n");
    check_normalised("M\xc3\xbcnchen", "M\xc3\xbcnchen");
    check_normalised("M\xfcnchen", "M\xc3\xbcnchen");                                         /* ISO 8859-1 */
    check_normalised("5 \x80 \x93x\x94", "5 \xe2\x82\xac \xe2\x80\x9cx\xe2\x80\x9d");         /* Windows-1252 */
    check_normalised("\x81\x8d", "  ");                                                       /* nothing there */
    check_normalised("M\xfcnchen\n\xd0\x9a\xd0\xb8\n", "M\xc3\xbcnchen\n\xd0\x9a\xd0\xb8\n"); /* line by line */
    check_normalised("\xf0\x9f\x97\xbc", "\xf0\x9f\x97\xbc");
    check_normalised("\xc0\x80", "\xc3\x80\xe2\x82\xac");                      /* a longer form than needed */
    check_normalised("\xed\xa0\x80", "\xc3\xad\xc2\xa0\xe2\x82\xac");          /* half of a surrogate pair */
    check_normalised("\xf4\x90\x80\x80", "\xc3\xb4 \xe2\x82\xac\xe2\x82\xac"); /* beyond U+10FFFF */
    check_normalised("a\xe2\x82", "a\xc3\xa2\xe2\x80\x9a");                    /* cut short */
}

static void replaces_controls(void **state)
{
    (void)state;
    check_normalised("a\x01\x1f\x7fz\t\r\n", "a   z\t\r\n");
    check_normalised("a\xc2\x85z", "a z");                  /* U+0085 */
    check_normalised("a\xef\xbf\xbe\xef\xbf\xbfz", "a  z"); /* U+FFFE, U+FFFF */
    char out[16];
    assert_int_equal(rw_text_normalise("a\0b", 3, out), 3);
    assert_memory_equal(out, "a\0b", 4);
    assert_true(rw_text_is_plain("a\t\n", 3));
    assert_false(rw_text_is_plain("a\x01", 2));
    assert_false(rw_text_is_plain("\xc3\xbc", 2));
}

static void composes_marks(void **state)
{
    (void)state;
    check_normalised("Mu\xcc\x88nchen", "M\xc3\xbcnchen");
    check_normalised("e\xcc\xa3\xcc\x82", "\xe1\xbb\x87");                    /* e, dot below, circumflex: U+1EC7 */
    check_normalised("\xd0\xb8\xcc\x86", "\xd0\xb9");                         /* Cyrillic short i */
    check_normalised("\xe3\x81\x8b\xe3\x82\x99", "\xe3\x81\x8c");             /* Kana with its voiced mark */
    check_normalised("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "\xed\x95\x9c"); /* Hangul letters: U+D55C */
    check_normalised("q\xcc\x88", "q\xcc\x88");                               /* no composed form */
    check_normalised("\xcc\x88", "\xcc\x88");
    check_normalised("\xe0\xa5\x98", "\xe0\xa5\x98"); /* excluded from composition: stays as it is */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(normalises_encodings), cmocka_unit_test(replaces_controls),
                                       cmocka_unit_test(composes_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
