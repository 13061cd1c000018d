/* Where results come from: version, command, options and the hash of the scene, in every file that is written. The same
 * call gives the same bytes: no time, unless --time-stamp asks for it, and nothing of where files go or of the machine.
 */
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Options that change no number. */
static const char *const left_out[] = {"out",     "json",    "quiet",         "dry-run", "time-stamp",
                                       "threads", "backend", "allow-outside", "reuse",   NULL};

int note_given(struct call *call, const char *name, const char *text)
{
    for (const char *const *out = left_out; *out; out++)
        if (strcmp(*out, name) == 0)
            return 0;
    struct given *grown = realloc(call->given, (call->given_count + 1) * sizeof *grown);
    if (!grown)
        return complain_memory("the options");
    call->given = grown;
    struct given *made = &grown[call->given_count];
    *made = (struct given){keep_text(call, name), keep_text(call, text), call->given_count};
    call->given_count++;
    return made->name && made->text ? 0 : complain_memory("the options");
}

/* By name, and those of one name as they were given: a project file and a command line say the same. */
static int compare_given(const void *left, const void *right)
{
    const struct given *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* Options of a network that say who computes what: its files are the same for all. */
static int is_of_process(const struct call *call, const char *name)
{
    static const char *const names[] = {"shard",    "stale",       "device",        "threads", "backend",    "quiet",
                                        "json",     "group-sites", "allow-outside", "out",     "parts-only", "layers",
                                        "per-site", NULL};
    int found = 0;
    for (size_t i = 0; names[i] && strcmp(call->command->name, "network") == 0; i++)
        found |= strcmp(names[i], name) == 0;
    return found;
}

/* In quotes where a shell would take it apart, and in one line. */
static void put_options(const struct call *call, FILE *stream)
{
    fputs("options:", stream);
    for (size_t i = 0; i < call->given_count; i++) {
        const struct given *given = &call->given[i];
        if (is_of_process(call, given->name))
            continue;
        int quoted = strpbrk(given->text, " \t\n;|&()<>*?") != NULL;
        fprintf(stream, " --%s%s%s", given->name, *given->text ? " " : "", quoted ? "'" : "");
        for (const char *at = given->text; *at; at++)
            fputc(*at == '\n' || *at == '\r' ? ' ' : *at, stream);
        fputs(quoted ? "'" : "", stream);
    }
    fputc('\n', stream);
}

static void put_time(FILE *stream)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        fprintf(stream, "time: %s\n", text);
}

int set_provenance(struct call *call, const rw_scene *scene)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return complain_memory("the provenance");
    fprintf(stream, "version: rasterwave %s\ncommand: %s", rw_version(), call->command->name);
    if (call->settings.input)
        fprintf(stream, " %s", call->settings.input);
    if (call->settings.second)
        fprintf(stream, " %s", call->settings.second);
    fputc('\n', stream);
    if (call->given_count)
        qsort(call->given, call->given_count, sizeof *call->given, compare_given);
    put_options(call, stream);
    if (scene)
        fprintf(stream, "scene: %016llx\n", (unsigned long long)rw_scene_hash(scene));
    if (call->settings.time_stamp)
        put_time(stream);
    int failed = fclose(stream) != 0;
    rw_status status = failed ? RW_OUT_OF_MEMORY : rw_context_set_provenance(call->context, text);
    free(text);
    return status == RW_OK ? 0 : complain_status(call, status);
}
