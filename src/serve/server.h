/* The server's own state, and the routes that the thread of the connections answers. */
#ifndef RW_SERVE_SERVER_H
#define RW_SERVE_SERVER_H

#include "serve/jobs.h"
#include "serve/queue.h"

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
    int is_json;     /* 1: the body is read as JSON before the handler is called */
};

/* guard.c: whether a request may go on: Host, Origin, token, type of its body; 0 where the answer says why not. */
int serve_guard(struct serve_server *server, struct serve_task *task, const char *method, const char *url,
                int wants_json);

/* page.c: the page's file of that name; 0 where there is none. */
int serve_page(const char *url, struct serve_answer *answer);

/* files.c, project.c, openapi.c */
void serve_files_add(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_files_list(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_files_get(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_project_get(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_project_write(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_openapi(struct serve_server *server, struct serve_task *task, const char *rest);

/* jobs_routes.c */
void serve_jobs_add(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_calibrate(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_jobs_list(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_jobs_get(struct serve_server *server, struct serve_task *task, const char *rest);
void serve_jobs_delete(struct serve_server *server, struct serve_task *task, const char *rest);

#endif
