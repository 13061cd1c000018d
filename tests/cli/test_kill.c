/* labels: slow, files */
/* Every command that writes files, looked at and ended at each of its system calls that change files: what has a final
 * name is absent, the old file or the right one, byte by byte; the same command then gives the right files. New files
 * are made exclusively and synchronised with the disk before they get their name. Signals that can be caught leave no
 * temporary file; errors of the disk are told by their own name.
 *
 * The look at each call is a look at what a kill there would leave. Real kills are done at the calls of commands that
 * resume, and everywhere with RASTERWAVE_FULL. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "temporary.h"
#include "traced_run.h"

#include <ftw.h>

#define FILES_MAX 64
#define WORDS_MAX 48
#define OLD_TEXT "an old file of another run\n"

typedef struct kept_bytes {
    char path[512];
    char *bytes;
    size_t size;
} kept_bytes;

typedef struct file_list {
    kept_bytes items[FILES_MAX];
    size_t count;
} file_list;

typedef struct command_case {
    const char *command; /* of the program, in the folder where it runs; inputs are in ../in */
    int reads_output;    /* an old file under a final name would be input */
    int resumes;
    const char *needs; /* a library */
} command_case;

#define CITY "--scene city:grid:size=100m,100m --threads 1"
#define PREDICT "predict " CITY " --tx 50,50,20 --res 25 --layers path_loss --out out"
#define PATHS "paths " CITY " --tx 50,50,20 --at 50,50,25"
static const command_case cases[] = {
    {.command = PREDICT},
    {.command = "preprocess " CITY " --model tiles --tile-area 20 --memory 1kB --out tiles.rwdb", .resumes = 1},
    {.command = "preprocess " CITY " --model tiles --update ../in/tiles.rwdb --out tiles.rwdb", .resumes = 1},
    {.command = "preprocess " CITY " --res 20 --out corners.rwdb"},
    {.command = PREDICT " --model beams --reuse kept", .reads_output = 1},
    {.command = PREDICT " --model beams --delay-bins 4,50ns", .needs = "hdf5"},
    {.command = PREDICT " --model tiles --tile-area 400 --tiles walls.ply --reuse kept", .reads_output = 1},
    {.command = PREDICT " --model tiles --tile-area 400 --tiles walls.glb"},
    {.command = PREDICT " --model tiles --tile-area 400 --tiles walls.bin"},
    {.command = PREDICT " --model tiles --tile-area 400 --tiles walls.png"},
    {.command = PREDICT " --model tiles --tile-area 400 --tiles walls.gpkg", .needs = "gdal"},
    {.command = "predict --scene office:size=12m,8m --tx 6,4,2 --res 0.5 --layers path_loss --model images "
                "--plane 1,4,1:8,0,0:0,0,1 --threads 1 --out out"},
    {.command = "render ../in/map --layer path_loss --out map.png"},
    {.command = PATHS " --out paths.json --plot paths.png"},
    {.command = PATHS " --out paths.geojson"},
    {.command = PATHS " --model rt --out channel.h5", .needs = "hdf5"},
    {.command = "evaluate " CITY " --tx 50,50,20 --measurements ../in/measured.csv --out out"},
    {.command = "calibrate " CITY " --tx 50,50,20 --measurements ../in/measured.csv --fit wall --out fit.json "
                "--plot fit.png"},
    {.command = "generate city --style grid --size 100m,100m --out city.gpkg", .needs = "gdal"},
    {.command = "generate city --style grid --size 100m,100m --out city.geojson", .needs = "gdal"},
    {.command = "import office:size=12m,8m --out scene.gpkg", .needs = "gdal"},
};
#define CASE_COUNT (sizeof cases / sizeof *cases)

/* --- folders --- */

static char base[1200];

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static void remove_tree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_base(void)
{
    remove_tree(base);
}

static file_list *listing;
static size_t listing_root;

static int list_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)walk;
    if (type != FTW_F || listing->count == FILES_MAX)
        return 0;
    kept_bytes *file = &listing->items[listing->count++];
    snprintf(file->path, sizeof file->path, "%s", path + listing_root + 1);
    file->size = (size_t)about->st_size;
    file->bytes = malloc(file->size + 1);
    FILE *stream = fopen(path, "rb");
    file->size = stream && file->bytes ? fread(file->bytes, 1, file->size, stream) : 0;
    if (stream)
        fclose(stream);
    return 0;
}

static void list_files(const char *folder, file_list *list)
{
    list->count = 0;
    listing = list;
    listing_root = strlen(folder);
    nftw(folder, list_one, 16, FTW_PHYS);
}

static void free_files(file_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].bytes);
    list->count = 0;
}

static const kept_bytes *find_file(const file_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].path, path) == 0)
            return &list->items[i];
    return NULL;
}

static void run_folder(char folder[1400])
{
    snprintf(folder, 1400, "%s/run", base);
}

/* An empty folder to run in, or one with old files under the final names; the process goes there. */
static void enter_fresh(const file_list *old)
{
    char folder[1400], path[2048];
    run_folder(folder);
    assert_int_equal(chdir(base), 0);
    remove_tree(folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    for (size_t i = 0; old && i < old->count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, old->items[i].path);
        char *slash = strrchr(path, '/');
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
        FILE *stream = fopen(path, "wb");
        assert_non_null(stream);
        fputs(OLD_TEXT, stream);
        fclose(stream);
    }
    assert_int_equal(chdir(folder), 0);
}

/* --- runs --- */

static void split(char *text, char *words[WORDS_MAX])
{
    size_t count = 0;
    words[count++] = (char *)(uintptr_t)RW_PROGRAM;
    for (char *word = strtok(text, " "); word && count < WORDS_MAX - 3; word = strtok(NULL, " "))
        words[count++] = word;
    words[count++] = (char *)(uintptr_t) "--quiet";
    words[count] = NULL;
}

/* The status of waitpid. */
static int run_command(const char *command, traced_plan *plan)
{
    char text[1024], *words[WORDS_MAX];
    snprintf(text, sizeof text, "%s", command);
    split(text, words);
    return traced_run(words, plan);
}

static int runs(const char *command)
{
    traced_plan plan = {.said = "../said"};
    return run_command(command, &plan) == 0;
}

static void make_inputs(void)
{
    static const char *const made[] = {
        "preprocess " CITY " --model tiles --out tiles.rwdb",
        "predict " CITY " --tx 50,50,20 --res 25 --layers path_loss --out map",
    };
    char folder[1400];
    snprintf(base, sizeof base, "%s/kill", temporary_folder());
    mkdir(base, 0777);
    atexit(remove_base);
    snprintf(folder, sizeof folder, "%s/in", base);
    mkdir(folder, 0777);
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (!runs(made[i]))
            fail_msg("%s\n", made[i]);
    FILE *stream = fopen("measured.csv", "w");
    fputs("x,y,path_loss_db\n", stream);
    for (int i = 0; i < 40; i++)
        fprintf(stream, "%d,%d,%g\n", 2 + 12 * (i % 8), 3 + 20 * (i / 8), 80 + 0.7 * (i % 13));
    fclose(stream);
}

/* Whether tracing works here; the inputs are made once. */
static void begin(void)
{
    static int made;
    char *words[] = {(char *)(uintptr_t)RW_PROGRAM, (char *)(uintptr_t) "--version", NULL};
    traced_plan plan = {0};
    if (traced_run(words, &plan) != 0)
        skip_test("system calls cannot be traced here");
    if (!made)
        make_inputs();
    made = 1;
}

/* --- looking --- */

typedef struct watched_run {
    const command_case *of;
    const file_list *right;
    int has_old;
    int calls;          /* seen */
    int stop_at;        /* 0: nowhere */
    traced_answer how;  /* at that call */
    traced_kind before; /* the call before */
    int opened_badly, renamed_unsynced;
    char wrong[512]; /* the first file that should not be there */
} watched_run;

static int is_temporary(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = strstr(name, ".unfinished");
    return strncmp(name, ".partial-", 9) == 0 || (end && !end[11]);
}

static int is_right_or_old(const watched_run *watch, const kept_bytes *file)
{
    const kept_bytes *right = find_file(watch->right, file->path);
    int is_right = right && right->size == file->size && memcmp(right->bytes, file->bytes, file->size) == 0;
    int is_old =
        right && watch->has_old && file->size == strlen(OLD_TEXT) && memcmp(file->bytes, OLD_TEXT, file->size) == 0;
    return is_right || is_old;
}

static void look(watched_run *watch)
{
    file_list now;
    char folder[1400];
    run_folder(folder);
    list_files(folder, &now);
    for (size_t i = 0; i < now.count && !*watch->wrong; i++)
        if (!is_temporary(now.items[i].path) && !is_right_or_old(watch, &now.items[i]))
            snprintf(watch->wrong, sizeof watch->wrong, "%s at call %d", now.items[i].path, watch->calls);
    free_files(&now);
}

static traced_answer look_at_call(void *user, const traced_call *call)
{
    watched_run *watch = user;
    watch->calls = call->number;
    if (call->kind == TRACED_OPEN && call->flags & O_CREAT)
        watch->opened_badly |= !(call->flags & O_EXCL) || !(call->flags & O_NOFOLLOW);
    if (call->kind == TRACED_RENAME)
        watch->renamed_unsynced |= watch->before != TRACED_SYNC;
    watch->before = call->kind;
    look(watch);
    return TRACED_GO_ON;
}

static traced_answer stop_at_call(void *user, const traced_call *call)
{
    const watched_run *watch = user;
    if (call->number != watch->stop_at)
        return TRACED_GO_ON;
    return watch->how == TRACED_TEAR && call->kind != TRACED_WRITE ? TRACED_GO_ON : watch->how;
}

static int has_library(const char *name)
{
    return !name || strstr(rw_build_features(), name) != NULL;
}

/* What the command makes in an empty folder. */
static void find_right(const command_case *of, file_list *right)
{
    char folder[1400];
    run_folder(folder);
    enter_fresh(NULL);
    if (!runs(of->command))
        fail_msg("%s\n", of->command);
    list_files(folder, right);
    assert_true(right->count > 0);
}

static void check_right(const watched_run *watch)
{
    file_list now;
    char folder[1400];
    run_folder(folder);
    list_files(folder, &now);
    for (size_t i = 0; i < watch->right->count; i++) {
        const kept_bytes *right = &watch->right->items[i], *is = find_file(&now, right->path);
        if (!is || is->size != right->size || memcmp(is->bytes, right->bytes, right->size) != 0)
            fail_msg("%s is wrong after call %d of %s\n", right->path, watch->stop_at, watch->of->command);
    }
    free_files(&now);
}

/* With a sanitizer programs start slowly, and what is left on the disk is the same. */
#ifdef RW_ADDRESS_SANITIZER
#define USUAL_STEP 4
#define USUAL_CASES 6
#else
#define USUAL_STEP 1
#define USUAL_CASES CASE_COUNT
#endif

static int is_full(void)
{
    return getenv("RASTERWAVE_FULL") != NULL;
}

/* How far apart the calls are at which it is killed; 0: it is not. */
static int kill_step(const command_case *of)
{
    return is_full() ? 1 : of->resumes ? USUAL_STEP : 0;
}

static void check_case(const command_case *of)
{
    file_list right;
    find_right(of, &right);
    watched_run watch = {.of = of, .right = &right, .has_old = !of->reads_output};
    traced_plan plan = {.at_call = look_at_call, .user = &watch};
    enter_fresh(watch.has_old ? &right : NULL);
    assert_int_equal(run_command(of->command, &plan), 0);
    check_right(&watch);
    int calls = watch.calls, kills = 0;
    if (*watch.wrong || watch.opened_badly || watch.renamed_unsynced || calls < 5)
        fail_msg("%s: %s%s%s\n", of->command, watch.wrong, watch.opened_badly ? " opened without O_EXCL" : "",
                 watch.renamed_unsynced ? " renamed without fsync" : "");
    plan.at_call = stop_at_call;
    for (int torn = 0, step = kill_step(of); torn < 2; torn++)
        for (int k = 1 + torn; step && k <= calls; k += step) {
            watch.stop_at = k;
            watch.how = torn ? TRACED_TEAR : TRACED_KILL;
            enter_fresh(watch.has_old ? &right : NULL);
            int status = run_command(of->command, &plan);
            if (torn && status == 0) /* no write */
                continue;
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
            look(&watch);
            if (*watch.wrong)
                fail_msg("%s: %s\n", of->command, watch.wrong);
            if (!runs(of->command)) /* again in the same folder */
                fail_msg("%s fails after call %d\n", of->command, k);
            check_right(&watch);
            kills++;
        }
    printf("%3d calls, %3d kills: %s\n", calls, kills, of->command);
    free_files(&right);
}

static void kills_leave_no_wrong_file(void **state)
{
    (void)state;
    begin();
    size_t count = is_full() ? CASE_COUNT : USUAL_CASES;
    for (size_t i = 0; i < count; i++)
        if (has_library(cases[i].needs))
            check_case(&cases[i]);
}

/* --- signals and errors --- */

static size_t count_temporary(void)
{
    file_list now;
    char folder[1400];
    size_t count = 0;
    run_folder(folder);
    list_files(folder, &now);
    for (size_t i = 0; i < now.count; i++)
        count += (size_t)is_temporary(now.items[i].path);
    free_files(&now);
    return count;
}

static traced_answer signal_at_sync(void *user, const traced_call *call)
{
    int *was_there = user;
    if (call->kind != TRACED_SYNC || *was_there)
        return TRACED_GO_ON;
    *was_there = count_temporary() == 1;
    return TRACED_SIGNAL;
}

/* A temporary file is there when the signal comes, and neither it nor the folder made for it afterwards. */
static void signals_remove_temporary_files(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    begin();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int was_there = 0;
        traced_plan plan = {.at_call = signal_at_sync, .user = &was_there, .signal = signals[i]};
        enter_fresh(NULL);
        int status = run_command(cases[0].command, &plan);
        assert_true(was_there);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        assert_int_equal(count_temporary(), 0);
        assert_int_equal(access("out", F_OK), -1);
    }
}

static traced_answer fail_first_write(void *user, const traced_call *call)
{
    int *descriptor = user; /* of the first file written; all of its writes fail */
    if (call->kind != TRACED_WRITE || call->descriptor < 3)
        return TRACED_GO_ON;
    *descriptor = *descriptor ? *descriptor : call->descriptor;
    return call->descriptor == *descriptor ? TRACED_FAIL : TRACED_GO_ON;
}

static void disk_errors_keep_their_name(void **state)
{
    (void)state;
    static const int errors[] = {EIO, ENOSPC, EDQUOT};
    static const int of_cases[] = {0, 1, 3, 9};
    char said[2048];
    begin();
    for (size_t i = 0; i < 12; i++) {
        int descriptor = 0, error = errors[i % 3];
        traced_plan plan = {.at_call = fail_first_write, .user = &descriptor, .error = error, .said = "../said"};
        enter_fresh(NULL);
        const char *command = cases[of_cases[i / 3]].command;
        int status = run_command(command, &plan);
        FILE *stream = fopen("../said", "r");
        said[stream ? fread(said, 1, sizeof said - 1, stream) : 0] = 0;
        if (stream)
            fclose(stream);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 1 || !strstr(said, strerror(error)))
            fail_msg("%s: status %x with %s: %s\n", command, status, strerror(error), said);
        if (!cases[of_cases[i / 3]].resumes)
            assert_int_equal(count_temporary(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kills_leave_no_wrong_file),
                                       cmocka_unit_test(signals_remove_temporary_files),
                                       cmocka_unit_test(disk_errors_keep_their_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
