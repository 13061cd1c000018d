/* The thread that looks after jobs: starts those that wait, reads from those that run, ends those that take too long.
 */

#include "serve/http.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_MS 200
#define LATE_GRACE_S 3

static size_t count_state(const struct serve_jobs *jobs, enum serve_job_state state)
{
    size_t count = 0;
    for (const struct serve_job *job = jobs->first; job; job = job->next)
        count += job->state == state;
    return count;
}

/* The oldest that waits: the list has the newest first. */
static struct serve_job *next_waiting(const struct serve_jobs *jobs)
{
    struct serve_job *found = NULL;
    for (struct serve_job *job = jobs->first; job; job = job->next)
        if (job->state == SERVE_JOB_WAITING)
            found = job;
    return found;
}

static void start_waiting(struct serve_jobs *jobs)
{
    struct serve_job *job;
    while (count_state(jobs, SERVE_JOB_RUNNING) < SERVE_JOBS_RUNNING && (job = next_waiting(jobs)) != NULL)
        if (!serve_job_start(job, jobs->program)) {
            job->state = SERVE_JOB_FAILED;
            serve_job_store(job);
        }
}

static void look_at(struct serve_job *job)
{
    double now_s = serve_now_s();
    if (!serve_job_read(job)) {
        serve_job_read_end(job);
        serve_job_store(job);
        return;
    }
    if (now_s - job->start_s > SERVE_JOB_SECONDS && !job->kill_s) {
        job->is_late = 1;
        job->kill_s = now_s + LATE_GRACE_S;
        serve_job_end(job, 0);
    }
    if (job->kill_s && now_s > job->kill_s)
        serve_job_end(job, 1);
}

static size_t list_pipes(const struct serve_jobs *jobs, struct pollfd *list)
{
    size_t count = 0;
    list[count++] = (struct pollfd){.fd = jobs->wake[0], .events = POLLIN};
    for (const struct serve_job *job = jobs->first; job; job = job->next) {
        const int fds[] = {job->out.fd, job->error.fd, job->progress.fd};
        for (int i = 0; i < 3 && job->state == SERVE_JOB_RUNNING; i++)
            if (fds[i] >= 0)
                list[count++] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    }
    return count;
}

static void *look_after(void *user)
{
    struct serve_jobs *jobs = user;
    struct pollfd list[1 + 3 * SERVE_JOBS_RUNNING];
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->is_closing) {
        char bytes[64];
        start_waiting(jobs);
        size_t count = list_pipes(jobs, list);
        pthread_mutex_unlock(&jobs->lock);
        poll(list, count, LOOK_MS);
        while (read(jobs->wake[0], bytes, sizeof bytes) > 0)
            ;
        pthread_mutex_lock(&jobs->lock);
        for (struct serve_job *job = jobs->first; job; job = job->next)
            if (job->state == SERVE_JOB_RUNNING)
                look_at(job);
        serve_end_unwatched(jobs);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

/* A job that ended in an earlier run of the server; one that was running then has nothing kept and goes. */
static void load_stored_job(struct serve_jobs *jobs, const char *id)
{
    char path[256];
    size_t size;
    unsigned long number = strtoul(id, NULL, 10);
    snprintf(path, sizeof path, SERVE_JOBS_FOLDER "/%.20s/job.json", id);
    struct serve_job *job = calloc(1, sizeof *job);
    if (!job)
        return;
    job->out.fd = job->error.fd = job->progress.fd = -1;
    job->stored_answer = serve_load(path, SERVE_JOB_OUTPUT_MAX + 65536, &size);
    if (!job->stored_answer) {
        free(job);
        snprintf(path, sizeof path, SERVE_JOBS_FOLDER "/%.20s", id);
        serve_remove_folder(path);
        return;
    }
    snprintf(job->id, sizeof job->id, "%.20s", id);
    job->state = SERVE_JOB_DONE;
    job->progress_fraction = 1;
    if (number > jobs->number)
        jobs->number = number;
    struct serve_job **at = &jobs->first;
    while (*at && strtoul((*at)->id, NULL, 10) > number)
        at = &(*at)->next;
    job->next = *at;
    *at = job;
}

/* One server at a time owns the folder: folders of jobs that run in another one look like those of a crash. */
static int lock_folder(struct serve_jobs *jobs)
{
    if (mkdir(SERVE_JOBS_FOLDER, 0777) != 0 && errno != EEXIST)
        return 0;
    jobs->lock_file = open(SERVE_JOBS_FOLDER "/.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    return jobs->lock_file >= 0 && flock(jobs->lock_file, LOCK_EX | LOCK_NB) == 0;
}

static int load_stored_jobs(struct serve_jobs *jobs)
{
    struct dirent *entry;
    if (!lock_folder(jobs))
        return 0;
    DIR *folder = opendir(SERVE_JOBS_FOLDER);
    if (!folder)
        return 0;
    while ((entry = readdir(folder)) != NULL)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            strspn(entry->d_name, "0123456789") == strlen(entry->d_name))
            load_stored_job(jobs, entry->d_name);
    closedir(folder);
    return 1;
}

int serve_jobs_open(struct serve_jobs *jobs, const struct serve_program *program)
{
    memset(jobs, 0, sizeof *jobs);
    jobs->program = program;
    jobs->lock_file = -1;
    pthread_mutex_init(&jobs->lock, NULL);
    if (!load_stored_jobs(jobs) || pipe(jobs->wake) != 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        fcntl(jobs->wake[i], F_SETFL, O_NONBLOCK);
        fcntl(jobs->wake[i], F_SETFD, FD_CLOEXEC);
    }
    jobs->has_thread = pthread_create(&jobs->thread, NULL, look_after, jobs) == 0;
    return jobs->has_thread;
}

void serve_jobs_close(struct serve_jobs *jobs)
{
    if (jobs->has_thread) {
        pthread_mutex_lock(&jobs->lock);
        jobs->is_closing = 1;
        pthread_mutex_unlock(&jobs->lock);
        pthread_join(jobs->thread, NULL);
        close(jobs->wake[0]);
        close(jobs->wake[1]);
    }
    while (jobs->first) {
        struct serve_job *job = jobs->first;
        jobs->first = job->next;
        if (job->state == SERVE_JOB_RUNNING) {
            serve_job_end(job, 1);
            serve_job_read_end(job);
        }
        serve_job_destroy(job);
    }
    if (jobs->lock_file >= 0)
        close(jobs->lock_file);
}
