/* A job as a child process: how it is started, what it writes, how it ends. */
#define _GNU_SOURCE /* pipe2 */
#include "serve/http.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRESS_FD 3
#define GRACE_S 3   /* from the request to end to the end by force */
#define NICENESS 10 /* the engine answers while jobs run */
#define FILE_BYTES_MAX ((rlim_t)8 << 30)

extern char **environ;

static void limit_resource(int what, rlim_t max_value)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0)
        return;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < max_value)
        max_value = now.rlim_max;
    now.rlim_cur = now.rlim_max = max_value;
    setrlimit(what, &now);
}

/* In the child, between fork and exec: calls that a signal handler may make, and no others. */
static void become_program(const char *program, char **arguments, char **environment, const int fds[3],
                           int limits_memory)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    setpriority(PRIO_PROCESS, 0, NICENESS);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(fds[0], 1) < 0 || dup2(fds[1], 2) < 0 || dup2(fds[2], PROGRESS_FD) < 0)
        _exit(126);
    if (limits_memory)
        limit_resource(RLIMIT_AS, SERVE_JOB_BYTES);
    limit_resource(RLIMIT_FSIZE, FILE_BYTES_MAX);
    limit_resource(RLIMIT_CORE, 0);
    execve(program, arguments, environment);
    _exit(127);
}

static char **copy_list(const char *first, char *const *list, size_t count)
{
    char **made = calloc(count + 2, sizeof *made);
    if (!made)
        return NULL;
    made[0] = (char *)(uintptr_t)first;
    for (size_t i = 0; i < count; i++)
        made[i + 1] = list[i];
    return made;
}

static char **make_environment(void)
{
    size_t count = 0;
    while (environ[count])
        count++;
    return copy_list("RASTERWAVE_PROGRESS=3", environ, count);
}

static void close_both(int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

/* Ends above the number that the child gives to progress, so that no copy closes another. */
static int open_pipe(int pair[2])
{
    int made[2];
    pair[0] = pair[1] = -1;
    if (pipe2(made, O_CLOEXEC) != 0)
        return 0;
    pair[0] = fcntl(made[0], F_DUPFD_CLOEXEC, 10);
    pair[1] = fcntl(made[1], F_DUPFD_CLOEXEC, 10);
    close(made[0]);
    close(made[1]);
    if (pair[0] >= 0)
        fcntl(pair[0], F_SETFL, O_NONBLOCK);
    return pair[0] >= 0 && pair[1] >= 0;
}

int serve_job_start(struct serve_job *job, const struct serve_program *program)
{
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    char **arguments = copy_list(program->self, job->command.arguments, job->command.count);
    char **environment = make_environment();
    int good = arguments && environment && open_pipe(pipes[0]) && open_pipe(pipes[1]) && open_pipe(pipes[2]);
    pid_t child = good ? fork() : -1;
    if (child == 0) {
        const int fds[3] = {pipes[0][1], pipes[1][1], pipes[2][1]};
        become_program(program->self, arguments, environment, fds, program->limits_memory);
    }
    free(arguments);
    free(environment);
    if (child < 0) {
        for (int i = 0; i < 3; i++)
            close_both(pipes[i]);
        return 0;
    }
    for (int i = 0; i < 3; i++)
        close(pipes[i][1]);
    job->out.fd = pipes[0][0];
    job->error.fd = pipes[1][0];
    job->progress.fd = pipes[2][0];
    job->pid = child;
    job->state = SERVE_JOB_RUNNING;
    job->start_s = serve_now_s();
    return 1;
}

static void close_pipe(struct serve_pipe *pipe)
{
    if (pipe->fd >= 0)
        close(pipe->fd);
    pipe->fd = -1;
}

/* What is beyond the limit is read and dropped, so that the command does not wait. */
static void read_pipe(struct serve_pipe *pipe)
{
    char bytes[65536];
    while (pipe->fd >= 0) {
        ssize_t got = read(pipe->fd, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0) {
            close_pipe(pipe);
            return;
        }
        if (pipe->size + (size_t)got > SERVE_JOB_OUTPUT_MAX)
            continue;
        char *grown = realloc(pipe->text, pipe->size + (size_t)got + 1);
        if (!grown)
            continue;
        pipe->text = grown;
        memcpy(grown + pipe->size, bytes, (size_t)got);
        pipe->size += (size_t)got;
        grown[pipe->size] = 0;
    }
}

/* Lines of "share stage"; the last whole one counts. */
static void read_progress(struct serve_job *job)
{
    struct serve_pipe *pipe = &job->progress;
    char *end = pipe->text ? strrchr(pipe->text, '\n') : NULL;
    if (!end)
        return;
    *end = 0;
    const char *start = strrchr(pipe->text, '\n');
    char *rest;
    double fraction = strtod(start ? start + 1 : pipe->text, &rest);
    if (fraction >= 0 && fraction <= 1) {
        job->progress_fraction = fraction;
        snprintf(job->stage, sizeof job->stage, "%s", *rest == ' ' ? rest + 1 : rest);
    }
    pipe->size = strlen(end + 1);
    memmove(pipe->text, end + 1, pipe->size + 1);
}

int serve_job_read(struct serve_job *job)
{
    read_pipe(&job->out);
    read_pipe(&job->error);
    read_pipe(&job->progress);
    read_progress(job);
    return job->out.fd >= 0 || job->error.fd >= 0;
}

void serve_job_end(const struct serve_job *job, int force)
{
    if (job->pid > 0)
        kill(-job->pid, force ? SIGKILL : SIGTERM);
}

void serve_job_cancel(struct serve_job *job)
{
    job->is_cancelled = 1;
    if (job->state == SERVE_JOB_WAITING) {
        job->state = SERVE_JOB_CANCELLED;
        serve_job_store(job);
    } else if (job->state == SERVE_JOB_RUNNING && !job->kill_s) {
        job->kill_s = serve_now_s() + GRACE_S;
        serve_job_end(job, 0);
    }
}

void serve_job_read_end(struct serve_job *job)
{
    int status = 0;
    while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
        ;
    job->pid = 0;
    close_pipe(&job->progress);
    if (job->is_cancelled)
        job->state = SERVE_JOB_CANCELLED;
    else
        job->state = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? SERVE_JOB_DONE : SERVE_JOB_FAILED;
    if (job->state == SERVE_JOB_DONE)
        job->progress_fraction = 1;
}

void serve_job_destroy(struct serve_job *job)
{
    close_pipe(&job->out);
    close_pipe(&job->error);
    close_pipe(&job->progress);
    free(job->out.text);
    free(job->error.text);
    free(job->progress.text);
    free(job->stored_answer);
    serve_command_free(&job->command);
    free(job);
}

void serve_command_free(struct serve_command *command)
{
    for (size_t i = 0; i < command->count; i++)
        free(command->arguments[i]);
    free(command->arguments);
    free(command->text);
    *command = (struct serve_command){0};
}
