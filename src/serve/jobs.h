/* Jobs: commands of the program as child processes, each with a folder of its own below the root. */
#ifndef RW_SERVE_JOBS_H
#define RW_SERVE_JOBS_H

#include "serve/serve.h"

#include <pthread.h>
#include <sys/types.h>

#define SERVE_JOBS_FOLDER ".rasterwave-jobs"
#define SERVE_JOB_ID_SIZE 24
#define SERVE_JOB_OUTPUT_MAX ((size_t)4 << 20) /* of what a command prints */

enum serve_job_state { SERVE_JOB_WAITING, SERVE_JOB_RUNNING, SERVE_JOB_DONE, SERVE_JOB_FAILED, SERVE_JOB_CANCELLED };

/* What a command prints on one of its streams. */
struct serve_pipe {
    int fd; /* -1: closed */
    char *text;
    size_t size;
};

struct serve_job {
    char id[SERVE_JOB_ID_SIZE];
    enum serve_job_state state;
    struct serve_command command;
    pid_t pid;
    struct serve_pipe out, error, progress;
    double progress_fraction;
    char stage[64];
    char *stored_answer; /* the answer of an ended job */
    double start_s;      /* by the clock of serve_now_s */
    double kill_s;       /* when it is ended by force; 0: not yet asked to end */
    int is_cancelled, is_late;
    struct serve_job *next; /* the newest first */
};

struct serve_jobs {
    const struct serve_program *program;
    pthread_mutex_t lock;
    pthread_t thread;
    int has_thread, is_closing;
    int wake[2]; /* a pipe that wakes the thread */
    struct serve_job *first;
    unsigned long number; /* of the last job */
    int lock_file;        /* locked as long as this server owns the folder */
};

/* Takes up the ended jobs of earlier runs. 0 where the folder cannot be made; errno says why. */
int serve_jobs_open(struct serve_jobs *jobs, const struct serve_program *program);
/* Ends what runs. */
void serve_jobs_close(struct serve_jobs *jobs);

/* jobs_describe.c: a job as JSON; the lock is held. */
void serve_job_describe(const struct serve_job *job, FILE *stream);
/* The same, kept in the job's folder where it has ended. */
void serve_job_store(struct serve_job *job);
const char *serve_job_state_word(enum serve_job_state state);

/* job_process.c: starts the command of a job; 0 where that failed. Reads what it has written; whether it goes on. Ends
 * it, by force where force is not 0. */
int serve_job_start(struct serve_job *job, const struct serve_program *program);
int serve_job_read(struct serve_job *job);
void serve_job_end(const struct serve_job *job, int force);
void serve_job_read_end(struct serve_job *job);
void serve_job_destroy(struct serve_job *job);

/* store.c: a file that is there whole or not at all, also after a crash; 0 where it cannot be written, with errno. */
int serve_store(const char *path, const void *bytes, size_t size);
/* A whole file, to be freed, with a zero behind it; NULL with errno. */
char *serve_load(const char *path, size_t max_size, size_t *size);
/* Removes a folder and all that is in it. */
void serve_remove_folder(const char *path);

#endif
