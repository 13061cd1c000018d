/* Where results come from: version, command, options, backend and instruction set, the content of every file that was
 * read, frequency, power and antenna of the transmitters, and one hash of all that decides on values, in every file
 * that is written. The same call gives the same bytes: no time, unless --time-stamp is given, and no name of a folder.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int record_argument(struct call *call, const char *name, const char *string)
{
    struct argument *grown = realloc(call->argument, (call->argument_count + 1) * sizeof *grown);
    if (!grown)
        return report_out_of_memory("the options");
    call->argument = grown;
    struct argument *new_argument = &grown[call->argument_count];
    *new_argument = (struct argument){store_string(call, name), store_string(call, string), call->argument_count};
    call->argument_count++;
    return new_argument->name && new_argument->text ? 0 : report_out_of_memory("the options");
}

/* By name, and those of one name as they were given: a project file and a command line say the same. */
static int compare_arguments(const void *left, const void *right)
{
    const struct argument *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* Neither how the call runs and where it writes, nor who computes which part of a network: its files are the same. */
static int is_of_result(const struct call *call, const char *name)
{
    unsigned roles = find_roles(name);
    int is_of_shard = strcmp(call->command->name, "network") == 0 && roles & OF_SHARD;
    return !(roles & OF_RUN) && !is_of_shard && find_value_type(call->command, name) != VALUE_WRITE;
}

/* In quotes where a shell would take it apart, and in one line. */
static void write_options(const struct call *call, FILE *stream)
{
    fputs("options:", stream);
    for (size_t i = 0; i < call->argument_count; i++) {
        const struct argument *argument = &call->argument[i];
        if (!is_of_result(call, argument->name))
            continue;
        int quoted = strpbrk(argument->text, " \t\n;|&()<>*?") != NULL;
        fprintf(stream, " --%s%s%s", argument->name, *argument->text ? " " : "", quoted ? "'" : "");
        for (const char *at = argument->text; *at; at++)
            fputc(*at == '\n' || *at == '\r' ? ' ' : *at, stream);
        fputs(quoted ? "'" : "", stream);
    }
    fputc('\n', stream);
}

static void write_time(FILE *stream)
{
    char string[32];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(string, sizeof string, "%Y-%m-%dT%H:%M:%SZ", &utc))
        fprintf(stream, "time: %s\n", string);
}

/* Of a path, the name: folders differ between machines. */
static void write_inputs(const struct call *call, FILE *stream)
{
    char sha256[65];
    for (size_t i = 0; call->inputs && i < rw_inputs_count(call->inputs); i++) {
        const char *path = rw_inputs_get(call->inputs, i, sha256), *slash = strrchr(path, '/');
        fprintf(stream, "input: %s %s\n", sha256, slash ? slash + 1 : path);
    }
}

/* "transmitters: 1-3,7: 1800 MHz, 43 dBm, 3gpp": a line for all that are alike. */
static int is_alike(const rw_transmitter *a, const rw_transmitter *b)
{
    return a->freq_hz == b->freq_hz && a->power_dbm == b->power_dbm && strcmp(a->antenna, b->antenna) == 0;
}

static void write_alike(const rw_predict_options *options, size_t first, FILE *stream)
{
    const rw_transmitter *like = &options->transmitters[first];
    size_t count = options->transmitter_count;
    const char *separator = "";
    fputs("transmitters: ", stream);
    for (size_t i = first; i < count; i++) {
        size_t last = i;
        if (!is_alike(&options->transmitters[i], like))
            continue;
        while (last + 1 < count && is_alike(&options->transmitters[last + 1], like))
            last++;
        fprintf(stream, "%s%zu", separator, i + 1);
        if (last > i)
            fprintf(stream, "-%zu", last + 1);
        separator = ",";
        i = last;
    }
    double freq_hz = like->freq_hz > 0 ? like->freq_hz : options->freq_hz;
    fprintf(stream, ": %.10g MHz, %.10g dBm, %s\n", freq_hz / 1e6, like->power_dbm, like->antenna);
}

static void write_transmitters(const rw_predict_options *options, FILE *stream)
{
    for (size_t i = 0; i < options->transmitter_count; i++) {
        size_t earlier = 0;
        while (earlier < i && !is_alike(&options->transmitters[earlier], &options->transmitters[i]))
            earlier++;
        if (earlier == i)
            write_alike(options, i, stream);
    }
}

int is_option_given(const struct call *call, const char *name)
{
    for (size_t i = 0; i < call->argument_count; i++)
        if (strcmp(call->argument[i].name, name) == 0)
            return 1;
    return 0;
}

int set_provenance(struct call *call, const rw_scene *scene, const rw_predict_options *options)
{
    char identity[65] = "";
    if (scene && options) /* which reads antennas, too */
        TRY_RW(call, rw_prediction_identity(scene, options, identity));
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return report_out_of_memory("the provenance");
    fprintf(stream, "version: rasterwave %s\ncommand: %s", rw_version(), call->command->name);
    if (call->input)
        fprintf(stream, " %s", call->input);
    if (call->second)
        fprintf(stream, " %s", call->second);
    fputc('\n', stream);
    if (call->argument_count)
        qsort(call->argument, call->argument_count, sizeof *call->argument, compare_arguments);
    write_options(call, stream);
    if (scene)
        fprintf(stream, "scene: %016llx\n", (unsigned long long)rw_scene_hash(scene));
    if (*identity)
        fprintf(stream, "backend: %s\ninstruction set: %s\nidentity: %s\n", rw_context_backend(call->context),
                rw_instruction_set(), identity);
    write_inputs(call, stream);
    if (scene && options)
        write_transmitters(options, stream);
    if (call->time_stamp)
        write_time(stream);
    int failed = fclose(stream) != 0;
    rw_status status = failed ? RW_OUT_OF_MEMORY : rw_context_set_provenance(call->context, text);
    free(text);
    return status == RW_OK ? 0 : report_status(call, status);
}
