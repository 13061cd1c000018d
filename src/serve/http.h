/* What the files of the server share: tasks and answers, the queue of the engine, jobs, files, the page, and the
 * server. */
#ifndef RW_SERVE_HTTP_H
#define RW_SERVE_HTTP_H

#include "serve/serve.h"

#include <stdatomic.h>
#include <pthread.h>
#include <sys/types.h>
#include <stddef.h>

/* A request inside the server: from the first byte of its header to the end of its answer. */

struct MHD_Connection;

#define SERVE_CLIENT_MAX 64

/* Why the engine need not go on with a request. */
enum serve_end {
    SERVE_RUNNING,
    SERVE_SUPERSEDED,
    SERVE_CLIENT_LEFT,
    SERVE_TIMED_OUT,
    SERVE_CLOSING,
    SERVE_DETACHED /* it becomes a job */
};

/* Threads of the engine: a request whose scene is not open yet goes to the second one. */
enum serve_lane_number { SERVE_LANE_CALLS, SERVE_LANE_OPENINGS, SERVE_LANES };

#define SERVE_STAGE_SIZE 64

struct serve_task {
    struct serve_server *server;
    struct MHD_Connection *connection; /* NULL in tests */
    const struct serve_route *route;   /* of the engine; NULL: another */
    char client[SERVE_CLIENT_MAX + 1];
    char *body;
    size_t body_size, body_capacity, body_limit;
    char *request; /* the body as it came, where the work may become a job */
    rw_json json;
    int has_json;
    struct serve_answer answer;
    int is_answered;    /* the answer is whole and can be sent */
    int is_half_closed; /* the client has ended its side with the request, and waits for the answer */
    atomic_int end;     /* enum serve_end */
    double received_s;  /* when the whole request had arrived */
    double deadline_s, looked_s;
    double turn_s;                /* when its turn began */
    enum serve_lane_number lane;  /* in which it waits or runs */
    int is_alone;                 /* 1: of no server (serve_answer_request): nothing ends it */
    int is_opening, is_deferred;  /* it reads a scene; it must, and waits for the other lane */
    atomic_int others_wait;       /* another client waits in its lane */
    double estimate_s;            /* of a request that becomes a job; 0: none */
    atomic_int progress;          /* in 1/10000 */
    char stage[SERVE_STAGE_SIZE]; /* under the lock of the queue */
    struct serve_task *next;      /* in the queue */
};

double serve_now_s(void);

/* The body as JSON; 0 where the answer says what is wrong. */
int serve_task_read_json(struct serve_task *task);
void serve_task_destroy(struct serve_task *task);

/* Ends what was being written to the answer's stream. */
void serve_answer_finish(struct serve_answer *answer);
void serve_answer_clear(struct serve_answer *answer);

/* The requests that wait for the engine, and the thread that works them off. */

struct serve_queue;

struct serve_lane {
    struct serve_queue *queue;
    pthread_t thread;
    struct serve_task *first, *running;
    char client[SERVE_CLIENT_MAX + 1]; /* whose turn was the last */
    int has_thread;
};

struct serve_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct serve_lane lanes[SERVE_LANES];
    size_t count; /* of those that wait */
    int is_closing;
    void *engine;
    void (*answered)(struct serve_task *task); /* the answer can be sent; any thread */
    void (*detach)(struct serve_task *task);   /* makes a job of it and answers with that */
};

int serve_queue_open(struct serve_queue *queue, void *engine, void (*answered)(struct serve_task *task),
                     void (*detach)(struct serve_task *task));
/* Ends what runs, answers what waits, and ends the thread. */
void serve_queue_close(struct serve_queue *queue);

/* Takes a task over; older ones of its client end. Where the queue is full the task is answered (429) at once: 0. */
int serve_queue_add(struct serve_queue *queue, struct serve_task *task);

/* GET /v1/progress: of the client's request that runs or waits. */
void serve_progress_get(struct serve_server *server, struct serve_task *task, const char *rest);

/* Jobs: commands of the program as child processes, each with a folder of its own below the root. */

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
    char stage[SERVE_STAGE_SIZE];
    char *stored_answer; /* the answer of an ended job */
    int is_detached;     /* 1: it computes the answer to a request, and is forgotten with it */
    char client[SERVE_CLIENT_MAX + 1];
    const struct serve_route *route; /* of a detached one, with its client; NULL: another */
    double watched_s;                /* when a client asked for it last */
    double estimate_s;               /* of a detached one; 0: none */
    double start_s;                  /* by the clock of serve_now_s */
    double kill_s;                   /* when it is ended by force; 0: not yet asked to end */
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

/* job_process.c: starts the command of a job; 0 where that failed. Reads what it has written; whether it goes on. Ends
 * it, by force where force is not 0. */
int serve_job_start(struct serve_job *job, const struct serve_program *program);
/* Asks it to end, at once where it waits. */
void serve_job_cancel(struct serve_job *job);
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

/* Files below the root. */

/* Answers with a file of the folder: a plain file whose real path is inside of it. */
void serve_send_file(const char *folder, const char *name, struct serve_answer *answer);

/* The type of a file's content, by the end of its name. */
const char *serve_type_of(const char *name);

/* Files that the build puts into the program: the page and the description of the interface. */

struct serve_embedded {
    const char *name; /* "index.html", "assets/page.js"; NULL: the end of the list */
    const unsigned char *bytes;
    size_t size;
};

extern const struct serve_embedded serve_page_files[];    /* compressed with gzip; empty where the build has no page */
extern const struct serve_embedded serve_openapi_files[]; /* openapi.json, as it is */

/* The server's own state, and the routes that the thread of the connections answers. */

struct MHD_Daemon;

struct serve_server {
    const struct serve_options *options;
    const struct serve_program *program;
    struct MHD_Daemon *daemon;
    struct serve_queue queue;
    struct serve_jobs jobs;
    atomic_int port;          /* known when connections may already come */
    char *host;               /* of the address in --listen, as a client writes it */
    atomic_size_t body_bytes; /* held for all requests */
};

/* A route that needs no engine. */
struct serve_own_route {
    const char *method, *path;
    int is_prefix; /* 1: path is a beginning, the handler takes the rest */
    void (*handle)(struct serve_server *server, struct serve_task *task, const char *rest);
    size_t body_max; /* 0: none */
    const struct serve_member
        *members; /* the body is read as JSON with these before the handler is called; NULL: not */
};

/* server.c: the members of the body that a route takes as JSON; NULL: it takes none. */
const struct serve_member *serve_find_members(const struct serve_server *server, const char *method, const char *path);

/* guard.c: whether a request may go on: Host, Origin, token, type of its body; 0 where the answer says why not. */
int serve_guard(struct serve_server *server, struct serve_task *task, const char *method, const char *url,
                int wants_json);

/* compression.c: whether the value of Accept-Encoding, NULL for none, has gzip; and the answer in a form that the
 * client accepts. */
void serve_choose_encoding(struct serve_task *task);

/* page.c: the page's file of that name; 0 where there is none. */
int serve_page(const char *url, struct serve_answer *answer);

/* project.c: a value as compact JSON. */
void serve_write_json(FILE *stream, const rw_json *json, const rw_json_value *value);

/* files.c, project.c, openapi.c */
void serve_files_add(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_files_list(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_files_get(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_project_get(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_project_list(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_project_write(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_openapi(struct serve_server *server, struct serve_task *task, const char *rest);

/* jobs_add.c: one more job, with its folder; NULL: the answer says why not. The lock is held, here and in the next
 * ones.
 */
struct serve_job *serve_jobs_create(struct serve_jobs *jobs, char folder[128], struct serve_answer *answer);
/* Into the list, and an answer with it. */
void serve_jobs_insert(struct serve_jobs *jobs, struct serve_job *job, struct serve_answer *answer);
/* The answer that describes it. */
void serve_answer_job(const struct serve_job *job, int status, struct serve_answer *answer);
void serve_jobs_discard(struct serve_job *job, const char *folder);
void serve_jobs_forget(struct serve_jobs *jobs, struct serve_job *job);
int serve_job_has_ended(const struct serve_job *job);

/* detached.c: requests that become jobs. The first is called by threads of the engine. */
void serve_detach(struct serve_task *task);
/* Ends the jobs of older requests of the client to that route. */
void serve_end_detached(struct serve_jobs *jobs, const struct serve_task *task);
/* Ends those without requests for them, and forgets them. The lock is held. */
void serve_end_unwatched(struct serve_jobs *jobs);

/* jobs_routes.c */
void serve_jobs_add(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_calibrate(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_jobs_list(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_jobs_get(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_jobs_delete(struct serve_server *server, struct serve_task *task, const char *rest);

#endif
