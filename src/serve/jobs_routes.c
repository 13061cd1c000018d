/* Requests about jobs and their files. */
#include "serve/http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct serve_job *find_job(const struct serve_jobs *jobs, const char *id, size_t length)
{
    for (struct serve_job *job = jobs->first; job; job = job->next)
        if (strlen(job->id) == length && strncmp(job->id, id, length) == 0)
            return job;
    return NULL;
}

static int is_ended(const struct serve_job *job)
{
    return job->state != SERVE_JOB_WAITING && job->state != SERVE_JOB_RUNNING;
}

static void forget_job(struct serve_jobs *jobs, struct serve_job *job)
{
    char folder[128];
    struct serve_job **at = &jobs->first;
    while (*at && *at != job)
        at = &(*at)->next;
    if (*at)
        *at = job->next;
    snprintf(folder, sizeof folder, SERVE_JOBS_FOLDER "/%s", job->id);
    serve_remove_folder(folder);
    serve_job_destroy(job);
}

/* Makes room for one more: the oldest ended one goes where there are many. 0 where too many wait. */
static int make_space_for_job(struct serve_jobs *jobs)
{
    size_t waiting = 0, ended = 0;
    struct serve_job *oldest = NULL;
    for (struct serve_job *job = jobs->first; job; job = job->next) {
        waiting += job->state == SERVE_JOB_WAITING;
        if (!is_ended(job))
            continue;
        ended++;
        oldest = job;
    }
    if (waiting >= SERVE_JOBS_WAITING)
        return 0;
    if (ended >= SERVE_JOBS_STORED)
        forget_job(jobs, oldest);
    return 1;
}

static struct serve_job *create_job(struct serve_jobs *jobs, char folder[128])
{
    struct serve_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->out.fd = job->error.fd = job->progress.fd = -1;
    do {
        snprintf(job->id, sizeof job->id, "%lu", ++jobs->number);
        snprintf(folder, 128, SERVE_JOBS_FOLDER "/%s", job->id);
    } while (mkdir(folder, 0777) != 0 && errno == EEXIST);
    return job;
}

static void answer_with_job(const struct serve_job *job, int status, struct serve_answer *answer)
{
    FILE *stream = serve_answer_json(answer);
    if (!stream)
        return;
    answer->status = status;
    serve_job_describe(job, stream);
}

static void add_job(struct serve_server *server, struct serve_task *task, const char *name)
{
    struct serve_jobs *jobs = &server->jobs;
    char folder[128], location[160];
    pthread_mutex_lock(&jobs->lock);
    struct serve_job *job = make_space_for_job(jobs) ? create_job(jobs, folder) : NULL;
    if (!job) {
        serve_answer_error(&task->answer, 429, "wait until one has ended, or cancel one", "%d jobs wait already",
                           SERVE_JOBS_WAITING);
        pthread_mutex_unlock(&jobs->lock);
        return;
    }
    if (server->program->make_command(server->program->engine, serve_task_json(task), name, folder, &job->command,
                                      &task->answer)) {
        job->next = jobs->first;
        jobs->first = job;
        answer_with_job(job, 202, &task->answer);
        snprintf(location, sizeof location, "/v1/jobs/%s", job->id);
        task->answer.location = strdup(location);
        if (write(jobs->wake[1], "", 1) < 0) {
            /* The thread looks by itself a little later. */
        }
    } else {
        rmdir(folder);
        serve_job_destroy(job);
    }
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
    const struct serve_job *job = find_job(jobs, rest, length);
    if (job && !rest[length])
        answer_with_job(job, 200, &task->answer);
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
    } else if (is_ended(job)) {
        FILE *stream = serve_answer_json(&task->answer);
        if (stream)
            fprintf(stream, "{\"id\": \"%s\", \"state\": \"removed\"}\n", job->id);
        forget_job(jobs, job);
    } else {
        job->is_cancelled = 1;
        if (job->state == SERVE_JOB_WAITING) {
            job->state = SERVE_JOB_CANCELLED;
            serve_job_store(job);
        } else if (!job->kill_s) {
            job->kill_s = serve_now_s() + 3;
            serve_job_end(job, 0);
        }
        answer_with_job(job, 200, &task->answer);
    }
    pthread_mutex_unlock(&jobs->lock);
}
