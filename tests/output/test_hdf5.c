/* labels: files */
/* HDF5 files: what is written is read back, sizes and types are not trusted, failures leave nothing behind. */
#include "ext/hdf5.h"

#include "base/file.h"
#include "temporary.h"
#include "unit.h"

#include <pthread.h>

/* The leak sanitizer asks for this. libhdf5 1.10 loses memory of its own on damaged files, and only there; memory that
 * rasterwave loses is not allocated inside libhdf5 and still counts. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

static rw_context *context;

#define require_hdf5()                                                                                                 \
    if (!rw_hdf5_is_in())                                                                                              \
    skip_test("this build has no HDF5")

static const size_t type_bytes[] = {4, 8, 4, 1, 4, 8};

/* Values that use every byte of the type, and none of them NaN. */
static void fill(rw_hdf5_type type, size_t count, void *values)
{
    for (size_t i = 0; i < count; i++) {
        double number = (i % 2 ? -1.0 : 1.0) * (0.1 + 1.7 * (double)i);
        uint64_t bits = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        if (type == RW_HDF5_FLOAT32)
            ((float *)values)[i] = (float)number;
        else if (type == RW_HDF5_FLOAT64)
            ((double *)values)[i] = number;
        else
            memcpy((char *)values + i * type_bytes[type], &bits, type_bytes[type]);
    }
}

/* Writes a set of this shape alone and reads it back. */
static void check_round_trip(rw_hdf5_type type, int rank, const size_t *shape, int compress)
{
    rw_hdf5_dataset set = {.name = "group/sub/values", .type = type, .rank = rank, .compress = compress};
    size_t count = 1, shape_back[RW_HDF5_RANK_MAX];
    for (int i = 0; i < rank; i++)
        count *= set.shape[i] = shape[i];
    void *values = calloc(count + 1, type_bytes[type]), *back;
    assert_non_null(values);
    fill(type, count, values);
    set.values = values;
    const char *path = temporary_path("values.h5");
    assert_ok(context, rw_hdf5_write(context, path, &set, 1, NULL, 0));
    assert_int_equal(temporary_count(), 1);
    int rank_back = -1;
    assert_ok(context, rw_hdf5_read(context, path, set.name, type, rank, &rank_back, shape_back, &back));
    assert_int_equal(rank_back, rank);
    for (int i = 0; i < rank; i++)
        assert_int_equal(shape_back[i], shape[i]);
    assert_memory_equal(back, values, count * type_bytes[type]);
    free(back);
    free(values);
    temporary_clear();
}

static void every_type_and_rank_reads_back(void **state)
{
    (void)state;
    require_hdf5();
    const size_t shape[] = {5, 3, 4, 2, 3, 1, 2, 2};
    for (int type = RW_HDF5_FLOAT32; type <= RW_HDF5_UINT64; type++)
        for (int rank = 0; rank <= RW_HDF5_RANK_MAX; rank++)
            for (int compress = 0; compress < 2; compress++)
                check_round_trip((rw_hdf5_type)type, rank, shape, compress);
}

static void large_sets_read_back_from_chunks(void **state)
{
    (void)state;
    require_hdf5();
    const size_t line[] = {300001}, square[] = {3, 401, 701}, flat[] = {1, 1, 400003};
    for (int type = RW_HDF5_FLOAT32; type <= RW_HDF5_UINT64; type++) {
        check_round_trip((rw_hdf5_type)type, 1, line, 1);
        check_round_trip((rw_hdf5_type)type, 3, square, 1);
        check_round_trip((rw_hdf5_type)type, 3, flat, 1);
    }
}

static void empty_dimensions_read_back(void **state)
{
    (void)state;
    require_hdf5();
    const size_t shape[] = {4, 0, 3};
    check_round_trip(RW_HDF5_FLOAT32, 3, shape, 0);
    check_round_trip(RW_HDF5_FLOAT32, 3, shape, 1);
    rw_hdf5_dataset set = {.name = "none", .type = RW_HDF5_UINT8, .rank = 1};
    assert_ok(context, rw_hdf5_write(context, temporary_path("none.h5"), &set, 1, NULL, 0));
    assert_ok(context, rw_hdf5_write(context, temporary_path("none.h5"), NULL, 0, NULL, 0));
    temporary_clear();
}

static size_t file_bytes(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return (size_t)about.st_size;
}

static void compression_saves_room(void **state)
{
    (void)state;
    require_hdf5();
    enum { COUNT = 200000 };
    float *values = calloc(COUNT, sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)(i / 100);
    rw_hdf5_dataset set = {.name = "v", .type = RW_HDF5_FLOAT32, .rank = 1, .shape = {COUNT}, .values = values};
    assert_ok(context, rw_hdf5_write(context, temporary_path("plain.h5"), &set, 1, NULL, 0));
    set.compress = 1;
    assert_ok(context, rw_hdf5_write(context, temporary_path("packed.h5"), &set, 1, NULL, 0));
    size_t plain = file_bytes(temporary_path("plain.h5")), packed = file_bytes(temporary_path("packed.h5"));
    assert_true(plain >= COUNT * sizeof *values && plain < COUNT * sizeof *values + 8192);
    assert_true(packed < plain / 10);
    free(values);
    temporary_clear();
}

static const float small_values[6] = {1, 2, 3, 4, 5, -6.5f};
static const rw_hdf5_attribute small_attributes[] = {
    {.name = "model", .string = "shadow"}, {.name = "freq_hz", .number = 947e6}, {.name = "empty", .string = ""}};

/* A small file with everything in it. */
static const char *write_small(const char *name)
{
    static uint8_t packed[20000];
    const rw_hdf5_dataset sets[] = {
        {.name = "loss/path_loss",
         .unit = "dB",
         .description = "loss from Straße to café",
         .type = RW_HDF5_FLOAT32,
         .rank = 2,
         .shape = {2, 3},
         .values = small_values},
        {.name = "loss/packed", .type = RW_HDF5_UINT8, .rank = 2, .shape = {100, 200}, .values = packed, .compress = 1},
    };
    const char *path = temporary_path(name);
    assert_ok(context, rw_hdf5_write(context, path, sets, 2, small_attributes, 3));
    return path;
}

static void attributes_read_back(void **state)
{
    (void)state;
    require_hdf5();
    const char *path = write_small("small.h5");
    char text[64];
    double number = 0;
    assert_ok(context, rw_hdf5_read_string(context, path, "loss/path_loss", "unit", text, sizeof text));
    assert_string_equal(text, "dB");
    assert_ok(context, rw_hdf5_read_string(context, path, "/loss/path_loss", "description", text, sizeof text));
    assert_string_equal(text, "loss from Straße to café");
    assert_ok(context, rw_hdf5_read_string(context, path, "/", "model", text, 7));
    assert_string_equal(text, "shadow");
    assert_ok(context, rw_hdf5_read_string(context, path, "/", "empty", text, 1));
    assert_string_equal(text, "");
    assert_ok(context, rw_hdf5_read_number(context, path, "/", "freq_hz", &number));
    assert_near(number, 947e6, 0);
    check_sentence(context, rw_hdf5_read_string(context, path, "/", "model", text, 6), RW_BAD_INPUT, "at most 5");
    check_sentence(context, rw_hdf5_read_string(context, path, "/", "freq_hz", text, 6), RW_BAD_INPUT, "no text");
    check_sentence(context, rw_hdf5_read_number(context, path, "/", "model", &number), RW_BAD_INPUT, "no number");
    check_sentence(context, rw_hdf5_read_number(context, path, "/", "colour", &number), RW_NOT_FOUND, "colour");
    check_sentence(context, rw_hdf5_read_number(context, path, "lost", "colour", &number), RW_NOT_FOUND, "lost");
    check_sentence(context, rw_hdf5_read_string(context, path, "loss/packed", "unit", text, 6), RW_NOT_FOUND, "unit");
    temporary_clear();
}

static void the_same_values_give_the_same_bytes(void **state)
{
    (void)state;
    require_hdf5();
    char *first, *second;
    size_t first_bytes, second_bytes;
    assert_ok(context, rw_file_read(context, write_small("first.h5"), &first, &first_bytes));
    sleep(1); /* a time of day in the file would differ */
    assert_ok(context, rw_file_read(context, write_small("second.h5"), &second, &second_bytes));
    assert_int_equal(first_bytes, second_bytes);
    assert_memory_equal(first, second, first_bytes);
    free(first);
    free(second);
    temporary_clear();
}

static void refuse_read(const char *path, const char *name, rw_hdf5_type type, int max_rank, rw_status expected,
                        const char *words)
{
    int rank;
    size_t shape[RW_HDF5_RANK_MAX];
    void *values = &rank;
    check_sentence(context, rw_hdf5_read(context, path, name, type, max_rank, &rank, shape, &values), expected, words);
    assert_null(values);
}

static void reading_asks_for_what_is_there(void **state)
{
    (void)state;
    require_hdf5();
    const char *path = write_small("small.h5"), *set = "loss/path_loss";
    refuse_read(path, "loss/lost", RW_HDF5_FLOAT32, 8, RW_NOT_FOUND, "lost");
    refuse_read(path, "loss", RW_HDF5_FLOAT32, 8, RW_BAD_INPUT, "no dataset");
    refuse_read(path, set, RW_HDF5_FLOAT32, 1, RW_BAD_INPUT, "2 dimensions");
    refuse_read(path, set, RW_HDF5_INT32, 2, RW_BAD_INPUT, "int32");
    refuse_read(path, set, RW_HDF5_UINT64, 2, RW_BAD_INPUT, "uint64");
    refuse_read(path, "loss/packed", RW_HDF5_FLOAT64, 2, RW_BAD_INPUT, "float64");
    refuse_read(path, set, (rw_hdf5_type)77, 2, RW_BAD_CALL, "77");
    refuse_read(temporary_path("absent.h5"), set, RW_HDF5_FLOAT32, 2, RW_NOT_FOUND, "absent.h5");
    refuse_read(temporary_folder(), set, RW_HDF5_FLOAT32, 2, RW_BAD_INPUT, "folder");
    temporary_clear();
}

/* What widens without loss is read as asked: float32 as float64, uint8 as int32; not the other way round. */
static void types_only_widen(void **state)
{
    (void)state;
    require_hdf5();
    const char *path = write_small("small.h5");
    int rank;
    size_t shape[RW_HDF5_RANK_MAX];
    double *doubles;
    int32_t *integers;
    assert_ok(context, rw_hdf5_read(context, path, "loss/path_loss", RW_HDF5_FLOAT64, 2, &rank, shape, &doubles));
    for (int i = 0; i < 6; i++)
        assert_near(doubles[i], small_values[i], 0);
    free(doubles);
    assert_ok(context, rw_hdf5_read(context, path, "loss/packed", RW_HDF5_INT32, 2, &rank, shape, &integers));
    free(integers);
    const uint32_t large = 4000000000u;
    const double fine = 0.1;
    const rw_hdf5_dataset sets[] = {{.name = "large", .type = RW_HDF5_UINT32, .values = &large},
                                    {.name = "fine", .type = RW_HDF5_FLOAT64, .values = &fine}};
    path = temporary_path("wide.h5");
    assert_ok(context, rw_hdf5_write(context, path, sets, 2, NULL, 0));
    refuse_read(path, "large", RW_HDF5_INT32, 0, RW_BAD_INPUT, "int32");
    refuse_read(path, "large", RW_HDF5_UINT8, 0, RW_BAD_INPUT, "uint8");
    refuse_read(path, "fine", RW_HDF5_FLOAT32, 0, RW_BAD_INPUT, "float32");
    temporary_clear();
}

static void broken_and_cut_files_are_refused(void **state)
{
    (void)state;
    require_hdf5();
    char *bytes;
    size_t size;
    assert_ok(context, rw_file_read(context, write_small("small.h5"), &bytes, &size));
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 97)
        refuse_read(write_bytes("cut.h5", bytes, cut), "loss/path_loss", RW_HDF5_FLOAT32, 2, RW_BAD_INPUT, "cut.h5");
    refuse_read(write_text("text.h5", "x,y\n1,2\n"), "x", RW_HDF5_FLOAT32, 2, RW_BAD_INPUT, "HDF5");
    free(bytes);
    temporary_clear();
}

/* Reads everything of a file that may be damaged, but for texts (ext/hdf5.h says why); no content may
 * crash it. Counts what is refused. */
static int read_all(const char *path)
{
    int rank, refused = 0;
    size_t shape[RW_HDF5_RANK_MAX];
    void *values;
    double number;
    refused += rw_hdf5_read(context, path, "loss/path_loss", RW_HDF5_FLOAT32, 8, &rank, shape, &values) != RW_OK;
    free(values);
    refused += rw_hdf5_read(context, path, "loss/packed", RW_HDF5_UINT8, 8, &rank, shape, &values) != RW_OK;
    free(values);
    refused += rw_hdf5_read_number(context, path, "/", "freq_hz", &number) != RW_OK;
    return refused;
}

static void flipped_bytes_do_no_harm(void **state)
{
    (void)state;
    require_hdf5();
    char *bytes;
    size_t size;
    const char *whole = write_small("small.h5");
    assert_int_equal(read_all(whole), 0);
    assert_ok(context, rw_file_read(context, whole, &bytes, &size));
    int step = getenv("RASTERWAVE_QUICK") ? 5 : 1, refusals = 0;
    uint64_t random = 88172645463325252u;
    for (size_t at = 0; at < size; at += (size_t)step) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        char kept = bytes[at];
        bytes[at] = (char)(bytes[at] ^ (char)(1 + random % 255));
        refusals += read_all(write_bytes("flipped.h5", bytes, size)) > 0;
        bytes[at] = kept;
    }
    assert_true(refusals > 100 / step);
    free(bytes);
    temporary_clear();
}

static void refuse_write(const rw_hdf5_dataset *sets, size_t count, rw_status expected, const char *words)
{
    check_sentence(context, rw_hdf5_write(context, temporary_path("bad.h5"), sets, count, NULL, 0), expected, words);
    assert_int_equal(temporary_count(), 0);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    require_hdf5();
    const char *const names[] = {NULL, "", "/a", "a/", "a//b", "./a", "a/."};
    rw_hdf5_dataset set = {.type = RW_HDF5_FLOAT32, .rank = 1, .shape = {6}, .values = small_values};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        set.name = names[i];
        refuse_write(&set, 1, RW_BAD_CALL, "no name for a dataset");
    }
    set.name = "a";
    rw_hdf5_dataset twice[] = {set, set}, wrong = set;
    refuse_write(twice, 2, RW_BAD_CALL, "making the dataset a failed");
    twice[1].name = "a/b";
    refuse_write(twice, 2, RW_BAD_CALL, "a/b failed");
    wrong.rank = 9;
    refuse_write(&wrong, 1, RW_BAD_CALL, "9 dimensions");
    wrong = set, wrong.type = (rw_hdf5_type)-1;
    refuse_write(&wrong, 1, RW_BAD_CALL, "type -1");
    wrong = set, wrong.values = NULL;
    refuse_write(&wrong, 1, RW_BAD_CALL, "no values");
    wrong = set, wrong.rank = 3, wrong.shape[0] = wrong.shape[1] = wrong.shape[2] = (size_t)1 << 40;
    refuse_write(&wrong, 1, RW_TOO_LARGE, "more values");
    wrong.rank = 1, wrong.shape[0] = (size_t)1 << 50;
    refuse_write(&wrong, 1, RW_TOO_LARGE, "GB");
    const rw_hdf5_attribute nameless = {.string = "x"};
    check_sentence(context, rw_hdf5_write(context, temporary_path("bad.h5"), NULL, 0, &nameless, 1), RW_BAD_CALL,
                   "no name");
    assert_int_equal(temporary_count(), 0);
}

static void failed_writes_leave_nothing(void **state)
{
    (void)state;
    require_hdf5();
    rw_hdf5_dataset set = {.name = "a", .type = RW_HDF5_FLOAT32, .rank = 1, .shape = {6}, .values = small_values};
    check_sentence(context, rw_hdf5_write(context, temporary_path("absent/a.h5"), &set, 1, NULL, 0), RW_NOT_WRITABLE,
                   "absent/a.h5");
    assert_int_equal(temporary_count(), 0);
    static float many[50000];
    set.values = many, set.shape[0] = 50000;
    struct rlimit before = full_disk_begin(4096);
    rw_status status = rw_hdf5_write(context, temporary_path("full.h5"), &set, 1, NULL, 0);
    full_disk_end(before);
    assert_int_equal(status, RW_IO);
    assert_int_equal(temporary_count(), 0);
    /* A file that was there before stays as it was. */
    const char *path = write_small("kept.h5");
    before = full_disk_begin(4096);
    status = rw_hdf5_write(context, path, &set, 1, NULL, 0);
    full_disk_end(before);
    assert_int_equal(status, RW_IO);
    assert_int_equal(temporary_count(), 1);
    assert_int_equal(read_all(path), 0);
    temporary_clear();
}

struct worker {
    char path[2048];
    int index, wrong;
};

static void *write_and_read(void *argument)
{
    struct worker *worker = argument;
    rw_context *own;
    uint32_t values[1000], *back;
    size_t shape[RW_HDF5_RANK_MAX];
    worker->wrong = rw_context_create(NULL, &own) != RW_OK;
    for (int round = 0; round < 20 && !worker->wrong; round++) {
        for (int i = 0; i < 1000; i++)
            values[i] = (uint32_t)(i * (worker->index + 3) + round);
        rw_hdf5_dataset set = {.name = "v", .type = RW_HDF5_UINT32, .rank = 1, .shape = {1000}, .values = values};
        int rank;
        worker->wrong = rw_hdf5_write(own, worker->path, &set, 1, NULL, 0) != RW_OK ||
                        rw_hdf5_read(own, worker->path, "v", RW_HDF5_UINT32, 1, &rank, shape, &back) != RW_OK ||
                        memcmp(back, values, sizeof values) != 0;
        free(back);
        worker->wrong |= rw_hdf5_read(own, worker->path, "w", RW_HDF5_UINT32, 1, &rank, shape, &back) != RW_NOT_FOUND;
    }
    rw_context_destroy(own);
    return NULL;
}

static void threads_take_turns(void **state)
{
    (void)state;
    require_hdf5();
    struct worker workers[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        workers[i] = (struct worker){.index = i};
        char name[32];
        snprintf(name, sizeof name, "worker%d.h5", i);
        snprintf(workers[i].path, sizeof workers[i].path, "%s", temporary_path(name));
        assert_int_equal(pthread_create(&threads[i], NULL, write_and_read, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(workers[i].wrong, 0);
    }
    temporary_clear();
}

static void a_build_without_it_says_so(void **state)
{
    (void)state;
    if (rw_hdf5_is_in())
        skip_test("this build has HDF5");
    rw_hdf5_dataset set = {.name = "a", .type = RW_HDF5_FLOAT32, .rank = 1, .shape = {6}, .values = small_values};
    const char *path = temporary_path("a.h5");
    char text[8];
    double number;
    check_sentence(context, rw_hdf5_write(context, path, &set, 1, small_attributes, 3), RW_UNSUPPORTED, "libhdf5-dev");
    refuse_read(path, "a", RW_HDF5_FLOAT32, 1, RW_UNSUPPORTED, "RW_HDF5=ON");
    check_sentence(context, rw_hdf5_read_string(context, path, "/", "a", text, 8), RW_UNSUPPORTED, "a.h5");
    check_sentence(context, rw_hdf5_read_number(context, path, "/", "a", &number), RW_UNSUPPORTED, "a.h5");
    assert_int_equal(temporary_count(), 0);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_and_rank_reads_back),
        cmocka_unit_test(large_sets_read_back_from_chunks),
        cmocka_unit_test(empty_dimensions_read_back),
        cmocka_unit_test(compression_saves_room),
        cmocka_unit_test(attributes_read_back),
        cmocka_unit_test(the_same_values_give_the_same_bytes),
        cmocka_unit_test(reading_asks_for_what_is_there),
        cmocka_unit_test(types_only_widen),
        cmocka_unit_test(broken_and_cut_files_are_refused),
        cmocka_unit_test(flipped_bytes_do_no_harm),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(failed_writes_leave_nothing),
        cmocka_unit_test(threads_take_turns),
        cmocka_unit_test(a_build_without_it_says_so),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
