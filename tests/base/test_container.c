/* labels: files */
/* The container of kept files: what is read is what was written; every refusal; no byte changed or missing goes
 * unnoticed; claims beyond the file are refused before anything is allocated; an unfinished file is resumed as far as
 * it is whole. */
#include "forge_container.h"
#include "temporary.h"

#include "discretise/identity.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static const rw_container_kind kind = {"test file", "shadow", 7, "make it again", "make one"};
static const rw_container_kind other_kind = {"other file", "tiles", 7, "make it again", "make one"};

static const double numbers[5] = {1, -2.5, 1e300, 0, 4};
static const char letters[3] = {'a', 'b', 'c'};
#define SCENE UINT64_C(0x1234567890abcdef)

/* Sections: five doubles, three letters (padded), nothing at all, and three parts of one name. */
static rw_status write_sections(rw_container_writer *writer, int parts)
{
    RW_TRY(rw_container_write(writer, "numbers", 0, sizeof *numbers, 5, numbers));
    RW_TRY(rw_container_write(writer, "letters", 0, 1, 3, letters));
    RW_TRY(rw_container_write(writer, "nothing", 0, 4, 0, NULL));
    for (uint32_t i = 0; i < (uint32_t)parts; i++) {
        uint32_t part[3] = {i, i + 1, i + 2};
        RW_TRY(rw_container_write(writer, "part", i, sizeof *part, 3, part));
    }
    return RW_OK;
}

static void write_file(rw_context *context, const char *path)
{
    rw_container_writer writer;
    assert_ok(context, rw_container_begin(context, path, &kind, SCENE, 0, &writer));
    assert_ok(context, write_sections(&writer, 3));
    assert_ok(context, rw_container_commit(&writer));
}

static unsigned char *read_file(rw_context *context, const char *path, size_t *size)
{
    char *bytes;
    assert_ok(context, rw_file_read(context, path, &bytes, size));
    return (unsigned char *)bytes;
}

/* A sound file in memory and its size. */
static unsigned char *make_bytes(rw_context *context, size_t *size)
{
    const char *path = temporary_path("sound");
    write_file(context, path);
    return read_file(context, path, size);
}

/* Opens it and reads every element. */
static rw_status read_all(rw_context *context, const char *path)
{
    rw_container container;
    RW_TRY(rw_container_open(context, path, &kind, &container));
    rw_status status = rw_container_verify(&container);
    rw_container_close(&container);
    return status;
}

static void check_refused(rw_context *context, const unsigned char *bytes, size_t size, const char *part)
{
    check_sentence(context, read_all(context, write_bytes("refused", bytes, size)), RW_BAD_INPUT, part);
}

static void test_round_trip(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path = temporary_path("round");
    rw_container file;
    double *read;
    uint32_t *part;
    double one;
    size_t count;
    write_file(context, path);
    assert_ok(context, rw_container_open(context, path, &kind, &file));
    assert_int_equal(file.section_count, 6);
    assert_string_equal(file.header.program, rw_version());
    assert_ok(context, rw_container_check_scene(&file, SCENE));
    check_sentence(context, rw_container_check_scene(&file, SCENE + 1), RW_BAD_INPUT, "another scene");
    assert_ok(context, rw_container_copy(&file, "numbers", 0, sizeof *read, &read, &count));
    assert_int_equal(count, 5);
    assert_memory_equal(read, numbers, sizeof numbers);
    free(read);
    assert_ok(context, rw_container_copy(&file, "nothing", 0, 4, &read, &count));
    assert_int_equal(count, 0);
    free(read);
    assert_int_equal(rw_container_count(&file, "part"), 3);
    for (uint32_t i = 3; i-- > 0;) { /* in any order */
        assert_ok(context, rw_container_copy(&file, "part", i, sizeof *part, &part, &count));
        assert_true(count == 3 && part[0] == i && part[2] == i + 2 && part[3] == 0);
        free(part);
    }
    /* not there, of another size, more than one */
    check_sentence(context, rw_container_copy(&file, "part", 3, sizeof *part, &read, &count), RW_BAD_INPUT, "'part'");
    check_sentence(context, rw_container_copy(&file, "numbers", 0, 4, &read, &count), RW_BAD_INPUT, "'numbers'");
    check_sentence(context, rw_container_get_one(&file, "numbers", 0, sizeof one, &one), RW_BAD_INPUT, "'numbers'");
    rw_container_close(&file);
    rw_context_destroy(context);
}

static void change_header(unsigned char *bytes, size_t size, void (*change)(rw_container_header *header))
{
    rw_container_header header;
    memcpy(&header, bytes, sizeof header);
    change(&header);
    memcpy(bytes, &header, sizeof header);
    forge_container(bytes, size);
}

static void raise_version(rw_container_header *header)
{
    header->version++;
    strcpy(header->program, "99.1.0");
}

static void raise_kind(rw_container_header *header)
{
    header->kind_version++;
}

static void lower_kind(rw_container_header *header)
{
    header->kind_version--;
}

static void unfinish(rw_container_header *header)
{
    header->finished = 0;
}

static void swap_order(rw_container_header *header)
{
    header->byte_order = 0x04030201;
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        void (*change)(rw_container_header *header);
        const char *sentence;
    } cases[] = {{raise_version, "newer version of the program, 99.1.0"},
                 {raise_kind, "newer version"},
                 {lower_kind, "earlier version"},
                 {unfinish, "not finished"},
                 {swap_order, "another byte order"}};
    rw_context *context = make_context();
    size_t size;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char *bytes = make_bytes(context, &size);
        change_header(bytes, size, cases[i].change);
        check_refused(context, bytes, size, cases[i].sentence);
        free(bytes);
    }
    static const char *const earlier[] = {"RWSTREET.......", "RWTILES1.......", "RWBEAMS1.......", "rwrays1"};
    for (int i = 0; i < 4; i++)
        check_refused(context, (const unsigned char *)earlier[i], strlen(earlier[i]) + 1, "earlier version");
    check_refused(context, (const unsigned char *)"hello, world", 12, "holds no test file; make one");
    check_refused(context, (const unsigned char *)"RW", 2, "holds no test file");
    rw_container file;
    write_file(context, temporary_path("sound"));
    check_sentence(context, rw_container_open(context, temporary_path("sound"), &other_kind, &file), RW_BAD_INPUT,
                   "kind 'test file', not 'other file'");
    assert_int_equal(rw_container_open(context, temporary_path("missing"), &kind, &file), RW_NOT_FOUND);
    check_refused(context, (const unsigned char *)"", 0, "is empty");
    rw_context_destroy(context);
}

/* Cut at every byte, and with bytes behind its end. */
static void test_cut(void **state)
{
    (void)state;
    rw_context *context = make_context();
    size_t size;
    unsigned char *bytes = make_bytes(context, &size);
    for (size_t length = 8; length < size; length++)
        check_refused(context, bytes, length, "cut short");
    unsigned char *longer = calloc(1, size + 8);
    memcpy(longer, bytes, size);
    check_refused(context, longer, size + 8, "longer than its header says");
    free(longer);
    free(bytes);
    rw_context_destroy(context);
}

/* Every byte changed, one bit or all of them: of the header, of heads, of elements, of what pads them. */
static void test_changed(void **state)
{
    (void)state;
    rw_context *context = make_context();
    size_t size;
    unsigned char *bytes = make_bytes(context, &size);
    for (size_t at = 0; at < size; at++)
        for (int all = 0; all < 2; all++) {
            unsigned char before = bytes[at];
            bytes[at] = (unsigned char)(before ^ (all ? 255u : 1u << at % 8));
            if (read_all(context, write_bytes("changed", bytes, size)) != RW_BAD_INPUT)
                fail_msg("byte %zu of %zu changed, and it is read\n", at, size);
            bytes[at] = before;
        }
    /* the sentence names the section */
    bytes[sizeof(rw_container_header) + sizeof(rw_container_head) + 3] ^= 1;
    check_refused(context, bytes, size, "damaged at section 'numbers'");
    bytes[size - 2] ^= 1;
    bytes[sizeof(rw_container_header) + sizeof(rw_container_head) + 3] ^= 1;
    check_refused(context, bytes, size, "damaged at section 'part'");
    free(bytes);
    rw_context_destroy(context);
}

/* Heads that are whole by their hashes and claim what is not there. */
static void test_claims(void **state)
{
    (void)state;
    static const struct {
        uint32_t element_bytes;
        uint64_t count;
    } claims[] = {{8, 6},                   /* reaches into the next head */
                  {8, 1000},                /* beyond the file */
                  {8, UINT64_MAX / 8 + 2},  /* 8 bytes, modulo 2^64 */
                  {8, UINT64_MAX / 8},      /* almost all of 2^64 */
                  {UINT32_MAX, UINT32_MAX}, /* 2^64 and a little less */
                  {1, UINT64_MAX},          /* would be padded to 0 */
                  {1, UINT64_MAX - 6},
                  {0, 40}, /* elements of nothing */
                  {0, UINT64_MAX}};
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        size_t size;
        unsigned char *bytes = make_bytes(context, &size);
        rw_container_head head;
        memcpy(&head, bytes + sizeof(rw_container_header), sizeof head);
        head.element_bytes = claims[i].element_bytes;
        head.count = claims[i].count;
        memcpy(bytes + sizeof(rw_container_header), &head, sizeof head);
        forge_container(bytes, size);
        check_refused(context, bytes, size, "damaged after section");
        free(bytes);
    }
    rw_context_destroy(context);
}

/* A section taken out, or two in another order: heads are whole, but not those that were written. */
static void test_order(void **state)
{
    (void)state;
    rw_context *context = make_context();
    size_t size, part = sizeof(rw_container_head) + 16;
    unsigned char *bytes = make_bytes(context, &size);
    unsigned char *swapped = malloc(size);
    memcpy(swapped, bytes, size);
    memcpy(swapped + size - 2 * part, bytes + size - part, part);
    memcpy(swapped + size - part, bytes + size - 2 * part, part);
    check_refused(context, swapped, size, "sections missing");
    free(swapped);
    free(bytes);
    rw_context_destroy(context);
}

/* Writes the first parts and leaves the file unfinished. */
static void leave_parts(rw_context *context, const char *path, uint64_t scene, int parts)
{
    rw_container_writer writer;
    assert_ok(context, rw_container_begin(context, path, &kind, scene, 1, &writer));
    assert_ok(context, write_sections(&writer, parts));
    rw_container_leave(&writer);
}

/* Ends it, and tells how many bytes were there before the first new one. */
static void finish_parts(rw_context *context, const char *path, const unsigned char *expected, size_t expected_size)
{
    rw_container_writer writer;
    size_t size;
    assert_ok(context, rw_container_begin(context, path, &kind, SCENE, 1, &writer));
    assert_ok(context, write_sections(&writer, 3));
    assert_ok(context, rw_container_commit(&writer));
    unsigned char *bytes = read_file(context, path, &size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(bytes, expected, size);
    free(bytes);
    unlink(path);
}

/* Whatever is left, cut or changed anywhere, the resumed file has the bytes of one that was written at once. */
static void test_resume(void **state)
{
    (void)state;
    rw_context *context = make_context();
    char path[2048], left[2064];
    snprintf(path, sizeof path, "%s", temporary_path("resumed"));
    snprintf(left, sizeof left, "%s.unfinished", path);
    size_t size, unfinished_size;
    unsigned char *expected = make_bytes(context, &size);
    leave_parts(context, path, SCENE, 2);
    check_sentence(context, read_all(context, left), RW_BAD_INPUT, "not finished");
    unsigned char *unfinished = read_file(context, left, &unfinished_size);
    assert_true(unfinished_size < size && access(path, F_OK) != 0);
    finish_parts(context, path, expected, size);
    for (size_t at = 0; at < unfinished_size; at++)
        for (int cut = 0; cut < 2; cut++) {
            unfinished[at] ^= 0x41;
            write_bytes("resumed.unfinished", unfinished, cut ? at : unfinished_size);
            unfinished[at] ^= 0x41;
            finish_parts(context, path, expected, size);
        }
    /* more than is wanted, marked as finished by a run that was killed before its rename, and of another scene */
    leave_parts(context, path, SCENE, 9);
    finish_parts(context, path, expected, size);
    write_bytes("resumed.unfinished", expected, size);
    finish_parts(context, path, expected, size);
    leave_parts(context, path, SCENE + 1, 2);
    finish_parts(context, path, expected, size);
    free(unfinished);
    free(expected);
    rw_context_destroy(context);
}

/* What is left is offered one by one, and only in its place. */
static void test_left(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path = temporary_path("left");
    rw_container_writer writer;
    size_t count;
    leave_parts(context, path, SCENE, 2);
    assert_ok(context, rw_container_begin(context, path, &kind, SCENE, 1, &writer));
    char *found;
    assert_ok(context, rw_container_left(&writer, "letters", 0, 1, &found, &count));
    assert_null(found);
    assert_ok(context, rw_container_left(&writer, "numbers", 0, 4, &found, &count));
    assert_null(found);
    assert_ok(context, rw_container_left(&writer, "numbers", 0, sizeof *numbers, &found, &count));
    assert_non_null(found);
    assert_memory_equal(found, numbers, sizeof numbers);
    free(found);
    rw_container_accept(&writer);
    assert_ok(context, rw_container_left(&writer, "letters", 0, 1, &found, &count));
    assert_non_null(found);
    assert_int_equal(count, 3);
    free(found);
    assert_ok(context, rw_container_write(&writer, "letters", 0, 1, 2, letters)); /* others: the rest is cut off */
    assert_ok(context, rw_container_left(&writer, "nothing", 0, 4, &found, &count));
    assert_null(found);
    assert_ok(context, rw_container_commit(&writer));
    rw_container file;
    assert_ok(context, rw_container_open(context, path, &kind, &file));
    assert_int_equal(file.section_count, 2);
    assert_ok(context, rw_container_verify(&file));
    rw_container_close(&file);
    rw_context_destroy(context);
}

/* Two runs do not write one file. */
static void test_lock(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path = temporary_path("locked");
    rw_container_writer first, second;
    assert_ok(context, rw_container_begin(context, path, &kind, SCENE, 1, &first));
    check_sentence(context, rw_container_begin(context, path, &kind, SCENE, 1, &second), RW_NOT_WRITABLE,
                   "another run");
    assert_ok(context, write_sections(&first, 3));
    assert_ok(context, rw_container_commit(&first));
    assert_ok(context, rw_container_begin(context, path, &kind, SCENE, 1, &second));
    rw_container_abandon(&second);
    assert_ok(context, read_all(context, path));
    rw_context_destroy(context);
}

/* On a full disk the call says so; nothing is left but what can be resumed. */
static void test_full_disk(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_container_writer writer;
    char *large = calloc(1, 100000);
    temporary_clear();
    const char *path = temporary_path("full");
    for (int resumable = 0; resumable < 2; resumable++) {
        assert_ok(context, rw_container_begin(context, path, &kind, SCENE, resumable, &writer));
        struct rlimit before = full_disk_begin(20000);
        rw_status status = rw_container_write(&writer, "large", 0, 1, 100000, large);
        if (status == RW_OK)
            status = rw_container_commit(&writer);
        else
            rw_container_leave(&writer);
        full_disk_end(before);
        assert_int_equal(status, RW_IO);
        assert_int_equal(access(path, F_OK), -1);
        assert_int_equal(temporary_count(), (size_t)resumable);
    }
    free(large);
    rw_context_destroy(context);
}

/* What callers are told of any kind. */
static void test_info(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path = temporary_path("told");
    rw_stored_file *file;
    rw_stored_file_info info = {.size = sizeof info};
    rw_stored_section section = {.size = sizeof section};
    write_file(context, path);
    assert_true(rw_stored_file_recognise(context, path));
    assert_false(rw_stored_file_recognise(context, write_text("stranger", "a text that is no such file")));
    assert_true(rw_stored_file_recognise(context, write_text("stranger", "RWBEAMS1 of an earlier version")));
    assert_ok(context, rw_stored_file_open(context, path, &file));
    rw_stored_file_get_info(file, &info);
    assert_string_equal(info.kind, "test file");
    assert_string_equal(info.model, "shadow");
    assert_string_equal(info.program, rw_version());
    assert_true(info.version == 7 && info.scene == SCENE && info.sections == 4 && info.size == sizeof info);
    assert_int_equal(rw_stored_file_get_section(file, 3, &section), RW_OK);
    assert_string_equal(section.name, "part");
    assert_true(section.count == 3 && section.elements == 9 && section.bytes == 36);
    assert_int_equal(rw_stored_file_get_section(file, 4, &section), RW_NOT_FOUND);
    info = (rw_stored_file_info){.size = 2 * sizeof(size_t)}; /* of an older caller */
    rw_stored_file_get_info(file, &info);
    assert_string_equal(info.kind, "test file");
    assert_null(info.model);
    rw_stored_file_close(file);
    check_sentence(context, rw_stored_file_open(context, write_text("stranger", "no such file"), &file), RW_BAD_INPUT,
                   "no database");
    assert_null(file);
    rw_context_destroy(context);
}

/* One hash for whatever geometry there is, and not for what has none. */
static rw_scene *scene_with(rw_context *context, int change)
{
    rw_scene *scene;
    const float posts[4] = {0, 0, change == 1 ? 0.5f : 0, 0};
    rw_raster terrain = {
        .size = sizeof terrain, .columns = 2, .rows = 2, .dx_m = 100, .dy_m = 100, .values = (float *)posts};
    rw_panel panel = {.size = sizeof panel, .x0_m = 5, .y0_m = 50, .x1_m = 40, .y1_m = 50, .top_m = 9};
    panel.y1_m += change == 2;
    panel.surface = change == 6 ? "itu_glass" : NULL;
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
    add_box(context, scene, (double[]){10, 10, 20, change == 3 ? 31 : 30}, change == 4 ? 12.5 : 12,
            change == 5 ? "renamed" : "house");
    add_box_mesh(context, scene, (double[]){60, 60, 0}, (double[]){70, 70, change == 7 ? 6 : 5});
    assert_ok(context, rw_scene_add_panel(scene, &panel));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static void test_identity(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = scene_with(context, 0);
    uint64_t identity = rw_scene_identity(scene), terrain = rw_scene_terrain_identity(scene);
    for (int change = 0; change < 8; change++) {
        rw_scene *other = scene_with(context, change);
        int same = change == 0 || change == 5 || change == 6; /* names and materials are not in it */
        assert_int_equal(rw_scene_identity(other) == identity, same);
        assert_int_equal(rw_scene_terrain_identity(other) == terrain, change != 1 && change != 7);
        rw_scene_destroy(other);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refusals), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_changed),    cmocka_unit_test(test_claims),   cmocka_unit_test(test_order),
        cmocka_unit_test(test_resume),     cmocka_unit_test(test_left),     cmocka_unit_test(test_lock),
        cmocka_unit_test(test_full_disk),  cmocka_unit_test(test_info),     cmocka_unit_test(test_identity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
