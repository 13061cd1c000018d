/* Jobs as JSON: state, progress, what the command said, and its files. */
#include "base/text/json_write.h"
#include "serve/http.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX 2
#define FILES_MAX 1000

static const char *name_job_state(enum serve_job_state state)
{
    static const char *const words[] = {"waiting", "running", "done", "failed", "cancelled"};
    return words[state];
}

/* Names below folder, each from there on. */
static void list_files(FILE *stream, const char *folder, const char *below, int depth, size_t *count)
{
    char path[4096], name[2048];
    snprintf(path, sizeof path, "%.1000s/%.2000s", folder, below);
    DIR *open = opendir(path);
    struct dirent *entry;
    while (open && (entry = readdir(open)) != NULL && *count < FILES_MAX) {
        struct stat about;
        if (entry->d_name[0] == '.' || (!*below && strncmp(entry->d_name, "job.json", 8) == 0))
            continue;
        snprintf(name, sizeof name, "%.1000s%s%.255s", below, *below ? "/" : "", entry->d_name);
        snprintf(path, sizeof path, "%.1000s/%.2000s", folder, name);
        if (lstat(path, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode) && depth < DEPTH_MAX)
            list_files(stream, folder, name, depth + 1, count);
        if (!S_ISREG(about.st_mode))
            continue;
        fputs(*count ? ", {\"name\": " : "{\"name\": ", stream);
        rw_json_write_string(stream, name);
        fputs(", \"path\": ", stream);
        rw_json_write_string(stream, path);
        fprintf(stream, ", \"bytes\": %lld}", (long long)about.st_size);
        ++*count;
    }
    if (open)
        closedir(open);
}

static int is_json(const char *content, size_t size)
{
    rw_json json;
    rw_json_fault fault;
    char *copy = malloc(size + 1);
    if (!copy)
        return 0;
    memcpy(copy, content, size + 1);
    if (rw_json_read(copy, size, serve_grow_json, NULL, &json, &fault) != RW_OK)
        return 0;
    rw_json_free(&json);
    return 1;
}

/* What a command printed: an object where it printed one, else a text. */
static void write_job_result(FILE *stream, const struct serve_pipe *out)
{
    fputs(", \"result\": ", stream);
    if (!out->text || !out->size)
        fputs("null", stream);
    else if (is_json(out->text, out->size))
        fputs(out->text, stream);
    else
        rw_json_write_string(stream, out->text);
}

/* The last line on standard error, without the program's name. */
static void write_job_message(FILE *stream, const struct serve_job *job)
{
    char line[1024] = "";
    const char *content = job->error.text ? job->error.text : "";
    size_t length = strlen(content);
    while (length && content[length - 1] == '\n')
        length--;
    size_t start = length;
    while (start && content[start - 1] != '\n')
        start--;
    if (strncmp(content + start, "rasterwave: ", 12) == 0)
        start += 12;
    snprintf(line, sizeof line, "%.*s", (int)(length - start), content + start);
    if (job->is_late)
        snprintf(line, sizeof line, "it took longer than %d s", SERVE_JOB_SECONDS);
    fputs(", \"message\": ", stream);
    rw_json_write_string(stream, job->state == SERVE_JOB_RUNNING ? job->stage : line);
}

void serve_job_describe(const struct serve_job *job, FILE *stream)
{
    char folder[128];
    size_t count = 0;
    if (job->stored_answer) {
        fputs(job->stored_answer, stream);
        return;
    }
    snprintf(folder, sizeof folder, SERVE_JOBS_FOLDER "/%s", job->id);
    fprintf(stream, "{\"id\": \"%s\", \"state\": \"%s\", \"progress\": %.4f, \"command_line\": ", job->id,
            name_job_state(job->state), job->progress_fraction);
    rw_json_write_string(stream, job->command.text);
    write_job_message(stream, job);
    if (job->estimate_s > 0)
        fprintf(stream, ", \"estimate_s\": %.1f", job->estimate_s);
    fputs(", \"files\": [", stream);
    list_files(stream, folder, "", 0, &count);
    fputs("]", stream);
    if (job->state == SERVE_JOB_RUNNING || job->state == SERVE_JOB_WAITING)
        fputs(", \"result\": null", stream);
    else
        write_job_result(stream, &job->out);
    fputs("}\n", stream);
}

void serve_job_store(struct serve_job *job)
{
    char path[128], *content = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&content, &size);
    if (!stream)
        return;
    serve_job_describe(job, stream);
    if (fclose(stream) != 0) {
        free(content);
        return;
    }
    snprintf(path, sizeof path, SERVE_JOBS_FOLDER "/%s/job.json", job->id);
    if (!job->is_detached)
        serve_store(path, content, size); /* where the disk is full, the job is forgotten with the server */
    job->stored_answer = content;
    free(job->out.text);
    free(job->error.text);
    job->out.text = job->error.text = NULL;
    job->out.size = job->error.size = 0;
}
