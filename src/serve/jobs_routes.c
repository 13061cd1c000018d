/* Requests about jobs and their files. */
#include "serve/http.h"

#include <stdlib.h>
#include <string.h>

static struct serve_job *find_job(const struct serve_jobs *jobs, const char *id, size_t length)
{
    for (struct serve_job *job = jobs->first; job; job = job->next)
        if (strlen(job->id) == length && strncmp(job->id, id, length) == 0)
            return job;
    return NULL;
}

static void add_job(struct serve_server *server, struct serve_task *task, const char *name)
{
    struct serve_jobs *jobs = &server->jobs;
    char folder[128];
    pthread_mutex_lock(&jobs->lock);
    struct serve_job *job = serve_jobs_create(jobs, folder, &task->answer);
    if (job && server->program->make_command(server->program->engine, serve_task_json(task), name, folder,
                                             &job->command, &task->answer))
        serve_jobs_insert(jobs, job, &task->answer);
    else if (job)
        serve_jobs_discard(job, folder);
    pthread_mutex_unlock(&jobs->lock);
}

void serve_jobs_add(struct serve_server *server, struct serve_task *task, const char *rest)
{
    (void)rest;
    add_job(server, task, "");
}

void serve_calibrate(struct serve_server *server, struct serve_task *task, const char *rest)
{
    (void)rest;
    add_job(server, task, "calibrate");
}

void serve_jobs_list(struct serve_server *server, struct serve_task *task, const char *rest)
{
    struct serve_jobs *jobs = &server->jobs;
    FILE *stream = serve_answer_json(&task->answer);
    (void)rest;
    if (!stream)
        return;
    fputs("{\"jobs\": [", stream);
    pthread_mutex_lock(&jobs->lock);
    for (const struct serve_job *job = jobs->first; job; job = job->next) {
        serve_job_describe(job, stream);
        fputs(job->next ? ", " : "", stream);
    }
    pthread_mutex_unlock(&jobs->lock);
    fputs("]}\n", stream);
}

/* ID, or ID/files/NAME. */
void serve_jobs_get(struct serve_server *server, struct serve_task *task, const char *rest)
{
    struct serve_jobs *jobs = &server->jobs;
    size_t length = strcspn(rest, "/");
    char folder[128];
    pthread_mutex_lock(&jobs->lock);
    struct serve_job *job = find_job(jobs, rest, length);
    if (job)
        job->watched_s = serve_now_s();
    if (job && !rest[length])
        serve_answer_job(job, 200, &task->answer);
    if (job)
        snprintf(folder, sizeof folder, SERVE_JOBS_FOLDER "/%s", job->id);
    pthread_mutex_unlock(&jobs->lock);
    if (!job)
        serve_answer_error(&task->answer, 404, "GET /v1/jobs lists all", "there is no job %.40s", rest);
    else if (rest[length] && strncmp(rest + length, "/files/", 7) != 0)
        serve_answer_error(&task->answer, 404, NULL, "a job has nothing at %.100s", rest + length);
    else if (rest[length])
        serve_send_file(folder, rest + length + 7, &task->answer);
    if (task->answer.file && serve_task_argument(task, "show") && strncmp(task->answer.type, "text/html", 9) == 0) {
        free(task->answer.download);
        task->answer.download = NULL;
        task->answer.is_report = 1;
    }
}

/* Cancels a job; one that has ended is removed with its files. */
void serve_jobs_delete(struct serve_server *server, struct serve_task *task, const char *rest)
{
    struct serve_jobs *jobs = &server->jobs;
    pthread_mutex_lock(&jobs->lock);
    struct serve_job *job = find_job(jobs, rest, strlen(rest));
    if (!job) {
        serve_answer_error(&task->answer, 404, "GET /v1/jobs lists all", "there is no job %.40s", rest);
    } else if (serve_job_has_ended(job)) {
        FILE *stream = serve_answer_json(&task->answer);
        if (stream)
            fprintf(stream, "{\"id\": \"%s\", \"state\": \"removed\"}\n", job->id);
        serve_jobs_forget(jobs, job);
    } else {
        serve_job_cancel(job);
        serve_answer_job(job, 200, &task->answer);
    }
    pthread_mutex_unlock(&jobs->lock);
}
