/* The list of jobs: a new one with its folder, and removing one. */
#include "serve/http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int serve_job_has_ended(const struct serve_job *job)
{
    return job->state != SERVE_JOB_WAITING && job->state != SERVE_JOB_RUNNING;
}

void serve_jobs_forget(struct serve_jobs *jobs, struct serve_job *job)
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
        if (!serve_job_has_ended(job))
            continue;
        ended++;
        oldest = job;
    }
    if (waiting >= SERVE_JOBS_WAITING)
        return 0;
    if (ended >= SERVE_JOBS_STORED)
        serve_jobs_forget(jobs, oldest);
    return 1;
}

struct serve_job *serve_jobs_create(struct serve_jobs *jobs, char folder[128], struct serve_answer *answer)
{
    if (!make_space_for_job(jobs)) {
        serve_answer_error(answer, 429, "wait until one has ended, or cancel one", "%d jobs wait already",
                           SERVE_JOBS_WAITING);
        return NULL;
    }
    struct serve_job *job = calloc(1, sizeof *job);
    if (!job) {
        serve_answer_error(answer, 503, NULL, "no memory left for a job");
        return NULL;
    }
    job->out.fd = job->error.fd = job->progress.fd = -1;
    do {
        snprintf(job->id, sizeof job->id, "%lu", ++jobs->number);
        snprintf(folder, 128, SERVE_JOBS_FOLDER "/%s", job->id);
    } while (mkdir(folder, 0777) != 0 && errno == EEXIST);
    return job;
}

void serve_answer_job(const struct serve_job *job, int status, struct serve_answer *answer)
{
    FILE *stream = serve_answer_json(answer);
    if (!stream)
        return;
    answer->status = status;
    serve_job_describe(job, stream);
}

void serve_jobs_insert(struct serve_jobs *jobs, struct serve_job *job, struct serve_answer *answer)
{
    char location[160];
    job->watched_s = serve_now_s();
    job->next = jobs->first;
    jobs->first = job;
    serve_answer_job(job, 202, answer);
    snprintf(location, sizeof location, "/v1/jobs/%s", job->id);
    answer->location = strdup(location);
    if (write(jobs->wake[1], "", 1) < 0) {
        /* The thread looks by itself a little later. */
    }
}

void serve_jobs_discard(struct serve_job *job, const char *folder)
{
    serve_remove_folder(folder);
    serve_job_destroy(job);
}
