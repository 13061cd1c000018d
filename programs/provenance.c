/* Where results come from: version, command, options and the hash of the scene, in every file that is written. The same
 * call gives the same bytes: no time, unless --time-stamp asks for it, and nothing of where files go or of the machine.
 */
#include "call.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Options that change no number. */
static const char *const left_out[] = {"out",     "json",    "quiet",         "dry-run", "time-stamp",
                                       "threads", "backend", "allow-outside", "reuse",   NULL};

/* In quotes where a shell would take it apart. */
static int append(struct call *call, const char *name, const char *text)
{
    size_t used = call->given ? strlen(call->given) : 0, room = used + strlen(name) + strlen(text) + 8;
    int quoted = strpbrk(text, " \t\n;|&()<>*?") != NULL;
    char *grown = realloc(call->given, room);
    if (!grown)
        return complain_memory("the options");
    call->given = grown;
    snprintf(grown + used, room - used, "%s--%s%s%s%s%s", used ? " " : "", name, *text ? " " : "", quoted ? "'" : "",
             text, quoted ? "'" : "");
    for (char *at = grown + used; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' '; /* one line */
    return 0;
}

int note_given(struct call *call, const char *name, const char *text)
{
    for (const char *const *out = left_out; *out; out++)
        if (strcmp(*out, name) == 0)
            return 0;
    return append(call, name, text);
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
    fprintf(stream, "\noptions: %s\n", call->given ? call->given : "");
    if (scene)
        fprintf(stream, "scene: %016llx\n", (unsigned long long)rw_scene_hash(scene));
    if (call->settings.time_stamp)
        put_time(stream);
    int failed = fclose(stream) != 0;
    rw_status status = failed ? RW_OUT_OF_MEMORY : rw_context_set_provenance(call->context, text);
    free(text);
    return status == RW_OK ? 0 : complain_status(call, status);
}
