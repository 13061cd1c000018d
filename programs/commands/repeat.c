/* repeat: runs the command that made a map again, from the provenance in the map, and compares: which inputs have
 * changed since, and whether every cell has the same value. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "cli/cli.h"

#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What the provenance says, and the words of the call that repeats it. */
struct repetition {
    char *provenance;            /* of the map */
    char *again;                 /* of the new one */
    struct recorded_words words; /* in text */
    char *text;
    char command[32], backend[16], isa[16];
    char folder[64]; /* of the new files; "": none yet */
};

static int read_provenance(struct call *call, const char *path, struct repetition *repetition)
{
    char options[16384];
    TRY_RW(call, rw_file_provenance(call->context, path, &repetition->provenance));
    read_provenance_line(repetition->provenance, "command", repetition->command, sizeof repetition->command);
    read_provenance_line(repetition->provenance, "options", options, sizeof options);
    read_provenance_line(repetition->provenance, "backend", repetition->backend, sizeof repetition->backend);
    read_provenance_line(repetition->provenance, "instruction set", repetition->isa, sizeof repetition->isa);
    if (strcmp(repetition->command, "predict") != 0 && strcmp(repetition->command, "network") != 0)
        return report_error("%s says nothing of a prediction or network that made it, which repeat needs", path);
    repetition->text = strdup(options);
    return repetition->text ? 0 : report_out_of_memory("the options");
}

static int make_repeat_folder(struct repetition *repetition)
{
    const char *parent = getenv("TMPDIR");
    snprintf(repetition->folder, sizeof repetition->folder, "%.40s/rasterwave-XXXXXX", parent ? parent : "/tmp");
    if (mkdtemp(repetition->folder))
        return 0;
    repetition->folder[0] = 0;
    return report_error("there is no folder for temporary files: set TMPDIR");
}

static int run_again(struct call *call, struct repetition *repetition, const char *layer)
{
    static char program[] = "rasterwave", out[] = "--out", quiet[] = "--quiet", layers[] = "--layers",
                backend[] = "--backend";
    char layer_name[64];
    int status;
    pid_t process;
    snprintf(layer_name, sizeof layer_name, "%s", layer);
    TRY(add_recorded_word(&repetition->words, program));
    TRY(add_recorded_word(&repetition->words, repetition->command));
    TRY(split_recorded_options(&repetition->words, repetition->text));
    char *const more[] = {out, repetition->folder, quiet, backend, repetition->backend, layers, layer_name};
    size_t count = strcmp(repetition->command, "network") == 0 ? 7 : 5; /* which has its layers in the options */
    for (size_t i = 0; i < count; i++)
        TRY(add_recorded_word(&repetition->words, more[i]));
    if (*repetition->isa && setenv("RASTERWAVE_ISA", repetition->isa, 1) != 0)
        return report_out_of_memory("the environment");
    fflush(NULL);
    if (posix_spawn(&process, "/proc/self/exe", NULL, NULL, repetition->words.words, environ) != 0 ||
        waitpid(process, &status, 0) != process)
        return report_error("the program could not be started again");
    wipe_progress(call);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return report_error("%s cannot be repeated: the call above failed", call->input);
    return 0;
}

/* Where the new map is: as the old one, in the folder "blocks" or not. */
static int find_new_map(const char *old_path, const char *layer, const struct repetition *repetition,
                        char path[MAP_PATH_SIZE])
{
    const char *name = strrchr(old_path, '/');
    size_t length = name ? (size_t)(name - old_path) : 0;
    if (length >= 6 && strncmp(old_path + length - 6, "blocks", 6) == 0) {
        snprintf(path, MAP_PATH_SIZE, "%s/blocks%.4000s", repetition->folder, name);
        return 0;
    }
    return find_map_file(repetition->folder, layer, path);
}

/* Inputs with another content than then; returns how many. */
static size_t report_changed_inputs(struct report *report, const struct repetition *repetition)
{
    size_t changed = 0;
    json_list(&report->json, "changed_inputs");
    for (const char *line = repetition->again; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        char whole[1200];
        snprintf(whole, sizeof whole, "%.*s", (int)strcspn(line, "\n"), line);
        if (strncmp(whole, "input: ", 7) != 0 || strlen(whole) < 73 || strstr(repetition->provenance, whole))
            continue;
        changed++;
        json_string(&report->json, NULL, whole + 72);
        report_text(report, "changed    %s\n", whole + 72);
    }
    json_list_end(&report->json);
    return changed;
}

/* Over all bands: cells that differ or are in one map alone, and the largest difference. */
static int compare_bands(struct call *call, const rw_map *first, const rw_map *second, size_t *different, double *max)
{
    rw_map_layer layer = {.size = sizeof layer};
    TRY_RW(call, rw_map_get_layer(first, 0, &layer));
    for (size_t band = 0; band < layer.bands; band++) {
        rw_map_compare_options options;
        rw_map_difference found = {.size = sizeof found};
        rw_map_compare_options_init(&options);
        options.band = band;
        options.above = 0;
        TRY_RW(call, rw_map_compare(first, second, &options, &found, NULL));
        size_t above = found.cells ? (size_t)llround(found.fraction_above * (double)found.cells) : 0;
        *different += found.only_first + found.only_second + above;
        *max = fmax(*max, found.cells ? fabs(found.max) : 0);
    }
    return 0;
}

static int report_repetition(struct call *call, const struct repetition *repetition, const rw_map *maps[2])
{
    struct report report;
    size_t different = 0;
    double max = 0;
    char version[80], version_again[80];
    TRY(compare_bands(call, maps[0], maps[1], &different, &max));
    read_provenance_line(repetition->provenance, "version", version, sizeof version);
    read_provenance_line(repetition->again, "version", version_again, sizeof version_again);
    report_begin(&report, call);
    json_string(&report.json, "map", call->input);
    report_changed_inputs(&report, repetition);
    if (strcmp(version, version_again) != 0)
        report_text(&report, "version    %s then, %s now\n", version, version_again);
    json_count(&report.json, "different", different);
    json_number(&report.json, "max", max);
    if (different)
        report_text(&report, "%s differs in %zu cells, by up to %.3g\n", call->input, different, max);
    else
        report_text(&report, "%s has the same values again\n", call->input);
    report_version(&report);
    report_end(&report);
    return different ? 1 : 0;
}

static int repeat_and_compare(struct call *call, struct repetition *repetition, rw_map *maps[2])
{
    char path[MAP_PATH_SIZE], new_path[MAP_PATH_SIZE];
    rw_map_layer layer = {.size = sizeof layer};
    if (!call->input)
        return report_error("repeat needs a map: rasterwave repeat out/path_loss.tif");
    TRY(find_map_file(call->input, NULL, path));
    TRY(read_provenance(call, path, repetition));
    TRY_RW(call, rw_map_read(call->context, path, &maps[0]));
    TRY_RW(call, rw_map_get_layer(maps[0], 0, &layer));
    TRY(make_repeat_folder(repetition));
    TRY(run_again(call, repetition, layer.name));
    TRY(find_new_map(path, layer.name, repetition, new_path));
    TRY_RW(call, rw_map_read(call->context, new_path, &maps[1]));
    TRY_RW(call, rw_file_provenance(call->context, new_path, &repetition->again));
    return report_repetition(call, repetition, (const rw_map *[2]){maps[0], maps[1]});
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static int run_repeat(struct call *call)
{
    struct repetition repetition = {0};
    rw_map *maps[2] = {NULL, NULL};
    int exit_status = repeat_and_compare(call, &repetition, maps);
    for (int i = 0; i < 2; i++)
        rw_map_destroy(maps[i]);
    if (*repetition.folder)
        nftw(repetition.folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    rw_free(repetition.provenance);
    rw_free(repetition.again);
    free(repetition.text);
    return exit_status;
}

/* Of its own it has none: all are in the map. */
struct repeat_settings {
    int none;
};

static const struct command_option repeat_options[] = {
    {"json", OF_CALL}, {"quiet", OF_CALL}, {"allow-outside", OF_CALL}, {NULL, 0}};

const struct command repeat_command = {
    .name = "repeat",
    .summary = "runs the command that made a map again, and compares",
    .input = "MAP",
    .options = repeat_options,
    .settings_size = sizeof(struct repeat_settings),
    .examples = {"rasterwave repeat out/path_loss.tif", "rasterwave repeat net/sinr.tif --json"},
    .run = run_repeat};
