/* labels: slow */
/* The program where memory runs out: one command of each kind is run again and again, and the first, second, third ...
 * of its allocations fails, until one run needs no more of them. Each run must end with status 1 and one sentence that
 * speaks of memory, without a crash, without a leak (under a sanitizer) and without a file under its final name; or do
 * its work all the same.
 *
 * Allocations of the library and the program are those that fail (the linker gives them to the functions below); other
 * libraries keep theirs. Every run is a process of its own: the command inside a child. */
#include "base/maths/hash.h"
#include "program_main.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

static atomic_long *allocations; /* so far in the child; shared with the parent */
static long fails_at;            /* 0: none */
static int fails_on;             /* all behind it fail, too */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static int is_out(void)
{
    if (!fails_at)
        return 0;
    long number = atomic_fetch_add(allocations, 1) + 1;
    int out = number == fails_at || (fails_on && number > fails_at);
    if (out)
        errno = ENOMEM;
    return out;
}

void *__wrap_malloc(size_t size)
{
    return is_out() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_out() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return is_out() ? NULL : __real_realloc(memory, size);
}

/* What is wrong is told for every run; then the test fails. */
static int wrong;
#define report(...) (wrong++, fprintf(stderr, __VA_ARGS__))

/* --- one run --- */

#define ARGUMENTS_MAX 32
#define OUTPUTS_MAX 64

static const struct {
    const char *name, *text;
} inputs[] = {
    {"town.res", "10 10 25 10 12 1 1 0\n25 10 25 22 12 1 1 0\n25 22 10 22 12 1 1 0\n10 22 10 10 12 1 1 0\n"
                 "10 30 25 30 9 2 1 0\n25 30 25 40 9 2 1 0\n25 40 10 40 9 2 1 0\n10 40 10 30 9 2 1 0\n"},
    {"walls.csv", "x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m,slab\n0,9,9,9,0,3,\n0,0,0,9,0,3,\n"},
    {"sites.csv", "name,x,y,height,power\na,12,26,5,30\nb,20,25,5,43\n"},
    {"route.csv", "x,y,path_loss,route\n14,25,70,a\n16,28,75,a\n20,24,79,b\n24,29,77,b\n22,23,76,b\n"},
    {"map.hdr", "ENVI\nsamples = 2\nlines = 2\nbands = 1\nheader offset = 0\ndata type = 4\ninterleave = bsq\n"
                "byte order = 0\nmap info = {Arbitrary, 1, 1, 10, 30, 10, 10, units=Meters}\n"
                "rasterwave layer = path_loss\nrasterwave unit = dB\n"},
    {"map.bin", "ABCBEFGBIJKBMNOB"},
    {"project.yaml", "command: info\ninput: town.res\njson: true\n"},
};
#define INPUT_COUNT (sizeof inputs / sizeof *inputs)

/* In the folder of the runs; it lives until the next call but one. */
static const char *work_path(const char *name)
{
    static char paths[2][2048];
    static int next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof paths[0], "%.1000s/work/%.900s", temporary_folder(), name);
    return path;
}

static void run_child(const char *command)
{
    char text[512], *arguments[ARGUMENTS_MAX + 1] = {"rasterwave"};
    int count = 1, none = open("/dev/null", O_WRONLY), errors = open(temporary_path("errors"), O_WRONLY | O_TRUNC);
    if (none < 0 || errors < 0 || chdir(work_path("")) != 0)
        _exit(99);
    dup2(none, 1);
    dup2(errors, 2);
    snprintf(text, sizeof text, "%s", command);
    for (char *word = strtok(text, " "); word && count < ARGUMENTS_MAX; word = strtok(NULL, " "))
        arguments[count++] = word;
    *rw_temporary_folder = 0; /* the parent's: nothing of it is removed when this process ends */
    atomic_store(allocations, 0);
    int status = rasterwave_main(count, arguments);
    fails_at = 0;
    exit(status);
}

static int run(const char *command, long number, int all_behind)
{
    int status;
    write_text("errors", "");
    fails_at = number;
    fails_on = all_behind;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_child(command);
    fails_at = 0;
    assert_true(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status))
        report("%s: a signal (%d) ended it where allocation %ld failed\n", command, WTERMSIG(status), number);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* --- what it leaves --- */

typedef struct output {
    char path[128]; /* in the folder of the run */
    uint64_t hash;  /* of its bytes */
} output;

typedef struct outputs {
    output items[OUTPUTS_MAX];
    size_t count;
} outputs;

static int is_input(const char *path)
{
    for (size_t i = 0; i < INPUT_COUNT; i++)
        if (strcmp(inputs[i].name, path) == 0)
            return 1;
    return strcmp(path, "params.json") == 0;
}

static uint64_t hash_file(const char *path)
{
    uint64_t hash = RW_HASH_START;
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    for (size_t got; file && (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        hash = rw_hash(hash, bytes, got);
    if (file)
        fclose(file);
    return hash;
}

/* Files and folders that the run made; removed where wanted. */
static void visit_outputs(const char *folder, outputs *found, int removes)
{
    char inside[256];
    DIR *open_folder = opendir(work_path(folder));
    for (struct dirent *entry; open_folder && (entry = readdir(open_folder));) {
        if (!rw_temporary_is_entry(entry))
            continue;
        snprintf(inside, sizeof inside, "%s%s%.100s", folder, *folder ? "/" : "", entry->d_name);
        if (is_input(inside))
            continue;
        if (found && found->count < OUTPUTS_MAX) {
            output *one = &found->items[found->count++];
            snprintf(one->path, sizeof one->path, "%.127s", inside);
            one->hash = hash_file(work_path(inside));
        }
        visit_outputs(inside, found, removes);
        if (removes && unlink(work_path(inside)) != 0)
            rmdir(work_path(inside));
    }
    if (open_folder)
        closedir(open_folder);
}

static const output *find_output(const outputs *all, const output *one)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].path, one->path) == 0 && all->items[i].hash == one->hash)
            return &all->items[i];
    return NULL;
}

static void check_sentence_of_failure(const char *command, long number, int status)
{
    char errors[4096];
    FILE *file = fopen(temporary_path("errors"), "r");
    size_t got = file ? fread(errors, 1, sizeof errors - 1, file) : 0;
    errors[got] = 0;
    if (file)
        fclose(file);
    const char *end = strchr(errors, '\n');
    if (status != 1 || !strstr(errors, "memory") || strncmp(errors, "rasterwave: ", 12) != 0 || !end || end[1])
        report("%s: status %d where allocation %ld failed: %s\n", command, status, number, errors);
}

/* After a failure what can be resumed may stay, and a file that was whole before telling of it failed. A run that did
 * its work all the same has made what others make. */
static void check_outputs(const char *command, long number, int status, const outputs *whole)
{
    static outputs left;
    left.count = 0;
    visit_outputs("", &left, 1);
    for (size_t i = 0; i < left.count; i++)
        if (!find_output(whole, &left.items[i]) && !(status && strstr(left.items[i].path, ".unfinished")))
            report("%s: status %d, and %s is left where allocation %ld failed\n", command, status, left.items[i].path,
                   number);
    if (status == 0 && left.count != whole->count)
        report("%s: %zu of %zu files are made where allocation %ld failed\n", command, left.count, whole->count,
               number);
    for (size_t i = 0; status && i < left.count; i++)
        if (strchr(left.items[i].path, '/'))
            report("%s: the folder of %s is left where allocation %ld failed\n", command, left.items[i].path, number);
}

/* Every allocation alone, or it and all behind it; where time is short, some of them. */
static void fail_each(const char *command, int all_behind, const outputs *whole)
{
    const long step = getenv("RASTERWAVE_QUICK") ? 13 : 1;
    long survived = 0, number;
    for (number = 1; wrong < 20; number += step) {
        int status = run(command, number, all_behind);
        if (atomic_load(allocations) < number)
            break;
        if (status > 0)
            check_sentence_of_failure(command, number, status);
        check_outputs(command, number, status, whole);
        survived += status == 0;
    }
    visit_outputs("", NULL, 1);
    printf("%s: %ld allocations, without %ld of them it succeeds\n", command, atomic_load(allocations), survived);
}

/* Parameters that the theory would take long to give in every run. */
static void write_params(void)
{
    rw_context *context = make_context();
    rw_params *params;
    assert_ok(context, rw_params_create(context, "shadow", 2e9, &params));
    assert_ok(context, rw_params_save(params, work_path("params.json")));
    rw_params_destroy(params);
    rw_context_destroy(context);
}

static void fails(const char *command)
{
    static outputs whole;
    char name[64];
    if (!allocations) {
        allocations = mmap(NULL, sizeof *allocations, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        assert_true(allocations != MAP_FAILED && mkdir(temporary_path("work"), 0777) == 0);
        setenv("OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z", 1); /* the time in a GeoPackage */
        for (size_t i = 0; i < INPUT_COUNT; i++)
            write_text(strcat(strcpy(name, "work/"), inputs[i].name), inputs[i].text);
        write_params();
    }
    wrong = 0;
    whole.count = 0;
    int status = run(command, LONG_MAX, 0);
    if (status == 2) /* what this build cannot do */
        skip_test("a library is not in this build");
    assert_int_equal(status, 0);
    visit_outputs("", &whole, 1);
    fail_each(command, 0, &whole);
    if (getenv("RASTERWAVE_FULL"))
        fail_each(command, 1, &whole);
    assert_int_equal(wrong, 0);
}

#define CPU " --backend cpu --threads 1"

static void predict(void **state)
{
    (void)state;
    fails("predict --scene town.res --sites sites.csv --params params.json --res 10 "
          "--layers path_loss,best --out out" CPU);
}

static void predict_images(void **state)
{
    (void)state;
    fails("predict --model images --scene walls.csv --tx 4,4,2 --res 5 --reflections 1 --pixels 16 "
          "--layers path_loss --out out" CPU);
}

static void predict_beams(void **state)
{
    (void)state;
    fails("predict --model beams --scene town.res --tx 12,26,5 --res 10 --reflections 1 --reuse kept "
          "--roofs none --layers path_loss --out out" CPU);
}

static void predict_cubes(void **state)
{
    (void)state;
    fails("predict --model cubes --scene town.res --tx 12,26,5 --res 10 --reflections 1 --roofs none "
          "--prior none --layers path_loss --out out" CPU);
}

static void predict_tiles(void **state)
{
    (void)state;
    fails("predict --model tiles --scene town.res --tx 12,26,5 --res 10 --depth 1 --tile-area 100 "
          "--roofs none --layers path_loss --out out" CPU);
}

static void paths(void **state)
{
    (void)state;
    fails("paths --scene town.res --tx 12,26,5 --at 20,24 --params params.json --json" CPU);
}

static void preprocess(void **state)
{
    (void)state;
    fails("preprocess --scene town.res --res 10 --out corners.rwdb" CPU);
}

static void preprocess_tiles(void **state)
{
    (void)state;
    fails("preprocess --scene town.res --model tiles --tile-area 100 --out tiles.rwdb" CPU);
}

static void generate(void **state)
{
    (void)state;
    fails("generate office --size 12m,8m --out office.gpkg");
}

static void import(void **state)
{
    (void)state;
    fails("import town.res --out town.gpkg");
}

static void render(void **state)
{
    (void)state;
    fails("render map.hdr --scene town.res --width 32 --out map.png");
}

static void info(void **state)
{
    (void)state;
    fails("info town.res --json");
}

static void evaluate(void **state)
{
    (void)state;
    fails("evaluate --map map.hdr --measurements route.csv --out plots");
}

static void calibrate(void **state)
{
    (void)state;
    fails(
        "calibrate --scene town.res --tx 12,26,5 --measurements route.csv --params params.json --fit offset --folds 0 "
        "--average none --out fitted.json" CPU);
}

static void calc(void **state)
{
    (void)state;
    fails("calc slab --material itu_concrete --thickness 20cm --freq 2GHz");
}

static void project(void **state)
{
    (void)state;
    fails("project.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predict),       cmocka_unit_test(predict_images),   cmocka_unit_test(predict_beams),
        cmocka_unit_test(predict_cubes), cmocka_unit_test(predict_tiles),    cmocka_unit_test(paths),
        cmocka_unit_test(preprocess),    cmocka_unit_test(preprocess_tiles), cmocka_unit_test(generate),
        cmocka_unit_test(import),        cmocka_unit_test(render),           cmocka_unit_test(info),
        cmocka_unit_test(evaluate),      cmocka_unit_test(calibrate),        cmocka_unit_test(calc),
        cmocka_unit_test(project)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
