/* labels: files */
/* Files in and out: new files follow no link and replace nothing but files; two runs on one resumable file end with a
 * whole one; a file that is cut while it is read fails; what a signal handler removes; places that cannot be written.
 */
#include "temporary.h"

#include "base/container.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

static const rw_container_kind kind = {"test file", "shadow", 1, "make it again", "make one"};

static void read_text(const char *path, char text[64])
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    text[fread(text, 1, 63, stream)] = 0;
    fclose(stream);
}

static void writes_whole_files(void **state)
{
    (void)state;
    rw_context *context = make_context();
    char text[64], long_name[256];
    temporary_clear();
    assert_ok(context, rw_write_file(context, temporary_path("new"), "first", 5));
    assert_ok(context, rw_write_file(context, temporary_path("new"), "second", 6));
    read_text(temporary_path("new"), text);
    assert_string_equal(text, "second");
    memset(long_name, 'n', 255); /* the longest that there is */
    long_name[255] = 0;
    assert_ok(context, rw_write_file(context, temporary_path(long_name), "long", 4));
    assert_int_equal(temporary_count(), 2);
    rw_context_destroy(context);
}

static void follows_no_links(void **state)
{
    (void)state;
    rw_context *context = make_context();
    char text[64], name[64], victim[2048], link_path[2048];
    temporary_clear();
    snprintf(victim, sizeof victim, "%s", write_text("victim", "precious"));

    /* the name of a temporary file as it was before there was chance in it */
    snprintf(name, sizeof name, ".partial-%ld-out", (long)getpid());
    assert_int_equal(symlink(victim, temporary_path(name)), 0);
    assert_ok(context, rw_write_file(context, temporary_path("out"), "new", 3));

    /* a link under the final name is replaced, not followed */
    assert_int_equal(symlink(victim, temporary_path("linked")), 0);
    assert_ok(context, rw_write_file(context, temporary_path("linked"), "new", 3));

    /* one under the name of an unfinished file is refused: symbolic, to nothing, and a second name */
    snprintf(link_path, sizeof link_path, "%s", temporary_path("resumed.unfinished"));
    for (int i = 0; i < 3; i++) {
        rw_file_writer writer;
        assert_int_equal(i == 2 ? link(victim, link_path) : symlink(i ? "nowhere" : victim, link_path), 0);
        check_sentence(context, rw_file_resume(context, temporary_path("resumed"), &writer), RW_NOT_WRITABLE,
                       "is in the way");
        assert_int_equal(unlink(link_path), 0);
    }
    assert_int_equal(access(temporary_path("nowhere"), F_OK), -1);
    read_text(victim, text);
    assert_string_equal(text, "precious");
    rw_context_destroy(context);
}

static void replaces_files_alone(void **state)
{
    (void)state;
    rw_context *context = make_context();
    temporary_clear();
    const char *folder = temporary_path("folder"), *pipe_path = temporary_path("pipe");
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(mkfifo(pipe_path, 0666), 0);
    check_sentence(context, rw_file_check_writable(context, folder), RW_NOT_WRITABLE, "it is a folder");
    check_sentence(context, rw_write_file(context, pipe_path, "x", 1), RW_NOT_WRITABLE, "no ordinary file");
    check_sentence(context, rw_write_file(context, temporary_path("missing/file"), "x", 1), RW_NOT_WRITABLE,
                   strerror(ENOENT));
    check_sentence(context, rw_file_check_writable(context, "missing/"), RW_NOT_WRITABLE, "no name for a file");
    assert_ok(context, rw_file_check_writable(context, temporary_path("new")));
    assert_int_equal(temporary_count(), 2);
    rw_context_destroy(context);
}

/* Sections that every run writes the same. */
static rw_status write_container(rw_context *context, const char *path)
{
    rw_container_writer writer;
    char bytes[3000];
    memset(bytes, 'b', sizeof bytes);
    RW_TRY(rw_container_begin(context, path, &kind, 1, 1, &writer));
    rw_status status = RW_OK;
    for (size_t i = 0; i < 3 && status == RW_OK; i++)
        status = rw_container_write(&writer, "bytes", i, 1, sizeof bytes, bytes);
    if (status == RW_OK)
        return rw_container_commit(&writer);
    rw_container_leave(&writer);
    return status;
}

static rw_status verify_container(rw_context *context, const char *path)
{
    rw_container container;
    RW_TRY(rw_container_open(context, path, &kind, &container));
    rw_status status = container.section_count == 3 ? rw_container_verify(&container) : RW_BAD_INPUT;
    rw_container_close(&container);
    return status;
}

/* Writes it again and again; a file that is there must always be whole. */
static int race(const char *path, int rounds)
{
    rw_context *context = make_context();
    int wrong = 0;
    for (int i = 0; i < rounds; i++) {
        rw_status status = write_container(context, path);
        wrong += status != RW_OK && !strstr(rw_last_error(context), "another run");
        wrong += access(path, F_OK) == 0 && verify_container(context, path) != RW_OK;
    }
    rw_context_destroy(context);
    return wrong > 0;
}

static void two_runs_leave_a_whole_file(void **state)
{
    (void)state;
    const char *path = temporary_path("raced");
    pid_t runs[3];
    temporary_clear();
    for (int i = 0; i < 3; i++) {
        runs[i] = fork();
        if (runs[i] == 0)
            _exit(race(path, 100));
    }
    for (int i = 0; i < 3; i++) {
        int status = -1;
        waitpid(runs[i], &status, 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(temporary_count(), 1); /* nothing unfinished */
}

/* A file that is cut or changed after it was opened: an error, neither the end of the process nor other elements. */
static void a_file_that_changes_is_refused(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path = temporary_path("cut");
    rw_container container;
    char *elements;
    size_t count;
    assert_ok(context, write_container(context, path));
    assert_ok(context, rw_container_open(context, path, &kind, &container));
    int descriptor = open(path, O_WRONLY);
    assert_int_equal(pwrite(descriptor, "x", 1, 4000), 1);
    check_sentence(context, rw_container_copy(&container, "bytes", 1, 1, &elements, &count), RW_BAD_INPUT, "damaged");
    assert_int_equal(ftruncate(descriptor, 4096), 0);
    check_sentence(context, rw_container_copy(&container, "bytes", 2, 1, &elements, &count), RW_IO, "shorter");
    assert_int_equal(rw_container_verify(&container), RW_IO);
    assert_int_equal(ftruncate(descriptor, 0), 0);
    assert_int_equal(rw_container_verify(&container), RW_IO);
    close(descriptor);
    rw_container_close(&container);
    rw_context_destroy(context);
}

/* In a child: afterwards nothing can be written in that process. */
static int remove_unfinished(void)
{
    rw_context *context = make_context();
    rw_file_writer first, second, resumed;
    int right = rw_file_begin(context, temporary_path("first"), &first) == RW_OK &&
                rw_file_begin(context, temporary_path("second"), &second) == RW_OK &&
                rw_file_resume(context, temporary_path("third"), &resumed) == RW_OK;
    fputs("half", first.stream);
    right &= rw_file_commit(context, &second) == RW_OK;
    right &= temporary_count() == 3;
    rw_remove_unfinished();
    right &= temporary_count() == 2; /* the finished one, and the one to be resumed */
    right &= rw_file_commit(context, &first) == RW_NOT_WRITABLE;
    right &= rw_write_file(context, temporary_path("late"), "x", 1) != RW_OK;
    right &= temporary_count() == 2;
    rw_file_leave(&resumed);
    rw_context_destroy(context);
    return !right;
}

static void a_handler_removes_what_is_unfinished(void **state)
{
    (void)state;
    int status = -1;
    temporary_clear();
    pid_t child = fork();
    if (child == 0)
        _exit(remove_unfinished());
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_whole_files),
        cmocka_unit_test(follows_no_links),
        cmocka_unit_test(replaces_files_alone),
        cmocka_unit_test(two_runs_leave_a_whole_file),
        cmocka_unit_test(a_file_that_changes_is_refused),
        cmocka_unit_test(a_handler_removes_what_is_unfinished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
