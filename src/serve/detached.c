/* Requests that take too long for the engine: the same handler answers them in a process of its own, as a job. */
#include "serve/http.h"

#include "base/text/json_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUEST_NAME ".request.json" /* not listed among the files of the job */
#define ANSWER_NAME "answer.bin"
#define BODY_MARK "\n--\n"

/* {"path": of the route, "default": scene of requests that name none}, a line with -- alone, then the body as it came.
 */
static int store_request(const struct serve_program *program, const struct serve_task *task, const char *path)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    if (!stream)
        return 0;
    fprintf(stream, "{\"path\": \"%s\", \"default\": ", task->route->path);
    program->write_scene(program->engine, stream);
    fprintf(stream, "}" BODY_MARK "%s", task->request);
    int stored = fclose(stream) == 0 && serve_store(path, bytes, size);
    free(bytes);
    return stored;
}

static int prepare_job(const struct serve_program *program, struct serve_task *task, const char *folder,
                       struct serve_job *job)
{
    char request[160], out[160];
    snprintf(request, sizeof request, "%.120s/" REQUEST_NAME, folder);
    snprintf(out, sizeof out, "%.120s/" ANSWER_NAME, folder);
    job->is_detached = 1;
    job->route = task->route;
    job->estimate_s = task->estimate_s;
    memcpy(job->client, task->client, sizeof job->client);
    if (store_request(program, task, request))
        return program->make_answer_command(program->engine, request, out, &job->command, &task->answer);
    serve_answer_error(&task->answer, 503, NULL, "%s cannot be written", request);
    return 0;
}

void serve_detach(struct serve_task *task)
{
    struct serve_jobs *jobs = &task->server->jobs;
    char folder[128];
    serve_answer_clear(&task->answer);
    pthread_mutex_lock(&jobs->lock);
    struct serve_job *job = serve_jobs_create(jobs, folder, &task->answer);
    if (job && prepare_job(task->server->program, task, folder, job))
        serve_jobs_insert(jobs, job, &task->answer);
    else if (job)
        serve_jobs_discard(job, folder);
    pthread_mutex_unlock(&jobs->lock);
}

void serve_end_detached(struct serve_jobs *jobs, const struct serve_task *task)
{
    if (!task->route->newest_wins || !task->client[0])
        return;
    pthread_mutex_lock(&jobs->lock);
    for (struct serve_job *job = jobs->first; job; job = job->next)
        if (job->is_detached && job->route == task->route && strcmp(job->client, task->client) == 0)
            serve_job_cancel(job);
    pthread_mutex_unlock(&jobs->lock);
}

void serve_end_unwatched(struct serve_jobs *jobs)
{
    double now_s = serve_now_s();
    for (struct serve_job *job = jobs->first, *next; job; job = next) {
        next = job->next;
        if (!job->is_detached || now_s - job->watched_s < SERVE_WATCH_SECONDS)
            continue;
        if (serve_job_has_ended(job))
            serve_jobs_forget(jobs, job);
        else
            serve_job_cancel(job);
    }
}

static const struct serve_route *find_detachable(const struct serve_program *program, const char *path)
{
    for (const struct serve_route *route = program->routes; route->path; route++)
        if (route->newest_wins && strcmp(route->path, path) == 0)
            return route;
    return NULL;
}

/* What is before the mark as a tree, and the rest as the task's own. */
static int read_request(const char *path, rw_json *head, struct serve_task *task)
{
    rw_json_fault fault;
    size_t size;
    char *content = serve_load(path, SERVE_BODY_MAX + 65536, &size), *end = content ? strstr(content, BODY_MARK) : NULL;
    char *line = end ? strndup(content, (size_t)(end - content)) : NULL;
    task->body = line ? strdup(end + strlen(BODY_MARK)) : NULL;
    task->body_size = task->body ? strlen(task->body) : 0;
    free(content);
    if (!task->body) {
        free(line);
        return 0;
    }
    if (rw_json_read(line, strlen(line), serve_grow_json, NULL, head, &fault) != RW_OK)
        return 0;
    if (serve_task_read_json(task))
        return 1;
    rw_json_free(head);
    return 0;
}

/* An answer that is an error has its message in JSON: {"error": message}. */
static void copy_error(struct serve_answer *answer, char *message, size_t size)
{
    rw_json json;
    rw_json_fault fault;
    char *copy = strndup(answer->bytes, answer->size);
    snprintf(message, size, "the request failed");
    if (!copy || rw_json_read(copy, strlen(copy), serve_grow_json, NULL, &json, &fault) != RW_OK)
        return;
    snprintf(message, size, "%s",
             rw_json_string(rw_json_member(&json, &json.values[0], "error"), "the request failed"));
    rw_json_free(&json);
}

static int handle_alone(const struct serve_program *program, struct serve_task *task, const char *out, char *message,
                        size_t size)
{
    struct serve_answer *answer = &task->answer;
    task->route->handle(program->engine, task, answer);
    serve_answer_finish(answer);
    if (answer->status != 200) {
        copy_error(answer, message, size);
        return answer->status == 400 ? 2 : 1;
    }
    if (serve_store(out, answer->bytes, answer->size))
        return 0;
    snprintf(message, size, "%s cannot be written", out);
    return 2;
}

int serve_answer_request(const struct serve_program *program, const char *path, const char *out,
                         int (*begin)(void *engine, const rw_json *json, const rw_json_value *scene), char *message,
                         size_t size)
{
    rw_json head = {0};
    struct serve_task *task = calloc(1, sizeof *task);
    int exit_status = 2;
    *message = 0;
    if (!task) {
        snprintf(message, size, "no memory left for the request");
        return 1;
    }
    task->is_alone = 1;
    if (!read_request(path, &head, task)) {
        snprintf(message, size, "%s is not a request that a server has stored for a job", path);
        serve_task_destroy(task);
        return 2;
    }
    const rw_json_value *root = &head.values[0];
    const rw_json_value *scene = rw_json_member(&head, root, "default");
    task->route = find_detachable(program, rw_json_string(rw_json_member(&head, root, "path"), ""));
    if (!task->route)
        snprintf(message, size, "%s: the path is none of a prediction", path);
    else if (scene && (exit_status = begin(program->engine, &head, scene)) != 0)
        snprintf(message, size, "%s: the scene cannot be named", path);
    else
        exit_status = handle_alone(program, task, out, message, size);
    rw_json_free(&head);
    serve_task_destroy(task);
    return exit_status;
}
