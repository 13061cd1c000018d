/* labels: files */
/* SHA-256 against the examples of FIPS 180-4, and which files are recorded as inputs. */
#include "temporary.h"

#include "base/file.h"
#include "base/inputs.h"

#include <fcntl.h>

static void digest_of(const char *string, size_t times, size_t step, char text[RW_SHA256_TEXT])
{
    unsigned char digest[RW_SHA256_BYTES];
    rw_sha256 hash;
    rw_sha256_init(&hash);
    for (size_t i = 0; i < times; i++)
        for (size_t at = 0, length = strlen(string); at < length; at += step)
            rw_sha256_add(&hash, string + at, at + step < length ? step : length - at);
    rw_sha256_end(&hash, digest);
    rw_sha256_print(digest, text);
}

static void sha256_agrees_with_the_standard(void **state)
{
    static const struct {
        const char *string, *expected;
        size_t times;
    } examples[] = {{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 1},
                    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 1},
                    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", 1},
                    {"aaaaaaaaaa", "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", 100000}};
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        for (size_t step = 1; step < 70; step += 23) {
            char text[RW_SHA256_TEXT];
            digest_of(examples[i].string, examples[i].times, step, text);
            assert_string_equal(text, examples[i].expected);
        }
}

static void write_content(const char *path, const char *content)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    fclose(file);
}

static void read_whole(rw_context *context, const char *path)
{
    char *bytes;
    size_t size;
    assert_ok(context, rw_file_read(context, path, &bytes, &size));
    free(bytes);
}

static void files_that_are_read_are_recorded_once(void **state)
{
    rw_context *context = make_context();
    const char *path = temporary_path("a.txt");
    rw_inputs *outer;
    rw_inputs inner = {0};
    char text[RW_SHA256_TEXT];
    (void)state;
    write_content(path, "abc");
    read_whole(context, path); /* no list is open */
    assert_ok(context, rw_inputs_begin(context, &outer));
    assert_int_equal(rw_inputs_count(outer), 0);
    rw_inputs_open(&inner);
    read_whole(context, path);
    assert_ok(context, rw_input_record(context, path));
    rw_inputs_close(&inner);
    read_whole(context, path);
    assert_int_equal(inner.count, 1);
    assert_int_equal(rw_inputs_count(outer), 1);
    assert_string_equal(rw_inputs_get(outer, 0, text), path);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    write_content(path, "abd"); /* of the same size, within the same second */
    assert_ok(context, rw_input_record(context, path));
    assert_int_equal(rw_inputs_count(outer), 2);
    rw_inputs_free(&inner);
    rw_inputs_end(outer);
    rw_context_destroy(context);
}

static void a_hash_is_reused_only_of_a_file_that_was_old(void **state)
{
    struct stat about = {.st_ino = 7, .st_size = 3, .st_mtim = {100, 5}, .st_ctim = {101, 6}}, now = about;
    (void)state;
    assert_true(rw_input_is_same_file(&about, (struct timespec){103, 6}, &now));
    assert_false(rw_input_is_same_file(&about, (struct timespec){103, 5}, &now)); /* a nanosecond less than 2 s */
    now.st_ctim.tv_nsec++;
    assert_false(rw_input_is_same_file(&about, (struct timespec){200, 0}, &now));
    now = about, now.st_mtim.tv_nsec--;
    assert_false(rw_input_is_same_file(&about, (struct timespec){200, 0}, &now));
    now = about, now.st_ino++;
    assert_false(rw_input_is_same_file(&about, (struct timespec){200, 0}, &now));
    now = about, now.st_size++;
    assert_false(rw_input_is_same_file(&about, (struct timespec){200, 0}, &now));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sha256_agrees_with_the_standard),
                                       cmocka_unit_test(files_that_are_read_are_recorded_once),
                                       cmocka_unit_test(a_hash_is_reused_only_of_a_file_that_was_old)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
