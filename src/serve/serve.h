/* The HTTP server of `rasterwave serve`: connections, limits, safety, the page, files below a root, jobs as child
 * processes.
 *
 * The server itself knows no radio waves. What computes is given to it as a table of routes (struct serve_route), whose
 * handlers run one after the other in one thread, the engine's, on what they keep warm. Everything else is answered by
 * the thread of the connections. */
#ifndef RW_SERVE_SERVE_H
#define RW_SERVE_SERVE_H

#include "base/text/json_read.h"

#include <stdio.h>

/* Limits, which GET /v1/info tells. */
#define SERVE_BODY_MAX ((size_t)4 << 20)     /* of a request in JSON */
#define SERVE_JSON_VALUES_MAX 262144         /* in such a request */
#define SERVE_UPLOAD_MAX ((size_t)64 << 20)  /* of an uploaded file */
#define SERVE_BODIES_MAX ((size_t)256 << 20) /* of all bodies that are held at a time */
#define SERVE_UPLOADS_MAX ((size_t)1 << 30)  /* of all uploaded files */
#define SERVE_CONNECTIONS_MAX 4000
#define SERVE_QUEUE_MAX 64     /* requests that wait for the engine */
#define SERVE_CALL_SECONDS 60  /* of one request on the engine that cannot become a job */
#define SERVE_DETACH_SECONDS 5 /* of one that can: what is estimated to take longer becomes a job */
#define SERVE_LONG_SECONDS 20  /* what takes longer becomes a job, too: it begins again, and nothing of it is cached */
#define SERVE_TURN_SECONDS 0.5 /* the same while another client waits */
#define SERVE_OPEN_SECONDS 600 /* of reading a scene */
#define SERVE_WATCH_SECONDS 20 /* a request that became a job ends if its client does not ask for it so long */
#define SERVE_IDLE_SECONDS 20  /* of a connection */
#define SERVE_JOBS_RUNNING 2   /* at a time */
#define SERVE_JOBS_WAITING 16  /* beside those */
#define SERVE_JOBS_STORED 64   /* ended ones; older ones are removed with their files */
#define SERVE_JOB_SECONDS 3600 /* of one job */
#define SERVE_JOB_BYTES ((size_t)8 << 30)
#define SERVE_CELLS_MAX 16000000 /* of one raster, all transmitters together */

/* What a request is answered with. A handler writes text to stream, or hands over bytes that free() releases. */
struct serve_answer {
    int status;       /* of HTTP */
    const char *type; /* of the content; a constant */
    char *bytes;
    size_t size;
    FILE *stream;         /* writes bytes; closed by the server */
    const char *encoding; /* NULL, or "gzip" */
    int is_constant;      /* 1: bytes are not to be freed */
    int file;             /* 1 + the descriptor of an open file that is the content, of size bytes; 0: none */
    int is_report;        /* 1: a page of a job, shown by itself: styles and pictures inside it, no script */
    char *download;       /* name under which a browser keeps the content; NULL: it shows it */
    char *location;       /* of a job that was made, or a page to go to; NULL: none */
    const char *cookie;   /* to be set; NULL: none */
};

/* One request, as a handler sees it. */
struct serve_task;

/* The body as JSON; NULL where the route takes none, and where there is no task. */
const rw_json *serve_task_json(const struct serve_task *task);

/* Room for values that are read from a text of known length: twice as many, as often as it asks. */
rw_status serve_grow_json(void *user, rw_json *json);

/* An argument of the address after the question mark; NULL if it is not given or contains a zero byte. */
const char *serve_task_argument(const struct serve_task *task, const char *name);

/* Whether the work for a request is to end: a newer one of the same client is there, the client has left, or the time
 * is over. Cheap enough for every report of progress; NULL is allowed. */
int serve_task_is_cancelled(struct serve_task *task);

/* Progress of the request's work, which GET /v1/progress reports; a few words say what is being done. */
void serve_task_report(struct serve_task *task, double fraction, const char *stage);

/* The work would take so many seconds. 1: it becomes a job, which computes the same answer in a process of its own; the
 * handler returns without one. */
int serve_task_is_detached(struct serve_task *task, double seconds);

/* A scene must be read first, which takes its time. 1: the request is handled again by the thread of openings, and the
 * handler returns without an answer; requests for other scenes do not wait meanwhile. 0: it may read the scene now. */
int serve_task_is_deferred(struct serve_task *task);

/* Around reading a scene: this time belongs to no request alone, and what is read stays open for all. */
void serve_task_begin_opening(struct serve_task *task);
void serve_task_end_opening(struct serve_task *task);

/* A stream for JSON; status 200. NULL where there is no memory: the answer says so. */
FILE *serve_answer_json(struct serve_answer *answer);
/* {"error": sentence, "hint": hint}; hint NULL: none. What was written before is dropped. */
void serve_answer_error(struct serve_answer *answer, int status, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Bytes that the server frees. */
void serve_answer_bytes(struct serve_answer *answer, const char *type, char *bytes, size_t size);

/* A member that the body of a request may have. One that is not listed, of another kind or missing is rejected by its
 * name before the handler is called, and openapi.json has the same list. */
struct serve_member {
    const char *name; /* SERVE_ANY_NAME: every other one; NULL: the end of the list */
    unsigned kinds;   /* SERVE_STRING and the like */
    int is_required;
    const char *schema; /* further members of its JSON schema; NULL: none */
};
#define SERVE_ANY_NAME "*"
#define SERVE_NULL (1u << RW_JSON_NULL)
#define SERVE_FLAG (1u << RW_JSON_TRUE | 1u << RW_JSON_FALSE)
#define SERVE_NUMBER (1u << RW_JSON_NUMBER)
#define SERVE_STRING (1u << RW_JSON_STRING)
#define SERVE_LIST (1u << RW_JSON_ARRAY)
#define SERVE_OBJECT (1u << RW_JSON_OBJECT)
#define SERVE_PROJECT_SCHEMA "\"$ref\": \"#/components/schemas/Project\""
#define SERVE_ARGUMENTS_SCHEMA "\"$ref\": \"#/components/schemas/Arguments\""

/* Whether the body has these members alone, each once and of its kind; 0 where the answer says what is wrong. NULL:
 * the route takes no body. */
int serve_check_body(struct serve_task *task, const struct serve_member *members);

/* The member "type" of a JSON schema. */
void serve_write_type(FILE *stream, unsigned kinds);

/* A route whose handler runs on the engine. */
struct serve_route {
    const char *method, *path;
    void (*handle)(void *engine, struct serve_task *task, struct serve_answer *answer);
    int newest_wins; /* 1: a newer request of the same client to such a route takes the place of this one, and one that
                        takes long becomes a job */
    /* Answers at once, in the thread of the connections; 0: the engine must. NULL: it must always. */
    int (*answer_at_once)(void *engine, struct serve_task *task, struct serve_answer *answer);
    const struct serve_member *members; /* of its body; NULL: it takes none */
};

/* What the program makes of a request for a job: arguments of a command of the program, which writes into folder. */
struct serve_command {
    char **arguments; /* without the program's name, ended by NULL */
    size_t count;
    char *text; /* the same as a command line for a shell */
};

struct serve_program {
    void *engine;
    const struct serve_route *routes; /* ended by a path of NULL */
    /* Checks a request for a job and makes its command; 0 where the answer says what is wrong. name: of the command,
     * where the request names none. Any thread. */
    int (*make_command)(void *engine, const rw_json *json, const char *name, const char *folder,
                        struct serve_command *command, struct serve_answer *answer);
    /* Makes the command that answers the request stored in this file, into this other file; 0 where the answer says
     * what is wrong. Any thread. */
    int (*make_answer_command)(void *engine, const char *request, const char *out, struct serve_command *command,
                               struct serve_answer *answer);
    /* Writes the scene of requests that name none as JSON. Any thread. */
    void (*write_scene)(void *engine, FILE *stream);
    /* Whether a project has only options of the tables, each of its type; 0 where the answer says what is wrong. Any
     * thread. */
    int (*check_project)(const rw_json *json, const rw_json_value *project, struct serve_answer *answer);
    /* Writes what the tables of options say as a JSON schema: of a project, of arguments of a job, or of the name of a
     * command that is a job. Any thread. */
    void (*write_schema)(const char *name, FILE *stream);
    const char *self;  /* path of the program, for jobs */
    int limits_memory; /* 1: jobs may take SERVE_JOB_BYTES of addresses */
};

struct serve_options {
    const char *listen;                         /* address; NULL: 127.0.0.1 */
    int port;                                   /* 0: a free one */
    const char *token;                          /* needed by every request; NULL: none */
    const char *images;                         /* another origin whose images the page may show; NULL: none */
    const char *root;                           /* folder of files, jobs and the project; it is the current one */
    void (*ready)(void *user, const char *url); /* called when connections are accepted */
    void *user;
};

/* Serves until SIGINT, SIGTERM or SIGHUP. Returns 0, or an exit status where it could not begin: sentence says why. */
int serve_run(const struct serve_options *options, const struct serve_program *program, char *message, size_t size);

/* The request stored in a file, as a server stores it for its jobs, answered by the handler of its route into another
 * file; no server runs. begin is called with the scene of requests that name none, as write_scene wrote it. Returns the
 * exit status: message says why. */
int serve_answer_request(const struct serve_program *program, const char *path, const char *out,
                         int (*begin)(void *engine, const rw_json *json, const rw_json_value *scene), char *message,
                         size_t size);

void serve_command_free(struct serve_command *command);

#endif
