/* A request inside the server: from the first byte of its header to the end of its answer. */
#ifndef RW_SERVE_TASK_H
#define RW_SERVE_TASK_H

#include "serve/serve.h"

#include <stdatomic.h>

struct MHD_Connection;

#define SERVE_CLIENT_MAX 64

/* Why the engine need not go on with a request. */
enum serve_end { SERVE_RUNNING, SERVE_SUPERSEDED, SERVE_CLIENT_LEFT, SERVE_TIMED_OUT, SERVE_CLOSING };

struct serve_task {
    struct serve_server *server;
    struct MHD_Connection *connection; /* NULL in tests */
    const struct serve_route *route;   /* of the engine; NULL: another */
    char client[SERVE_CLIENT_MAX + 1];
    char *body;
    size_t body_size, body_capacity, body_limit;
    int body_is_too_large;
    rw_json json;
    int has_json;
    struct serve_answer answer;
    int is_answered;    /* the answer is whole and can be sent */
    int is_half_closed; /* the client has ended its side with the request, and waits for the answer */
    atomic_int end;     /* enum serve_end */
    double received_s;  /* when the whole request had arrived */
    double deadline_s, looked_s;
    struct serve_task *next; /* in the queue */
};

double serve_now_s(void);

/* The body as JSON; 0 where the answer says what is wrong. */
int serve_task_read_json(struct serve_task *task);
void serve_task_destroy(struct serve_task *task);

/* Ends what was being written to the answer's stream. */
void serve_answer_finish(struct serve_answer *answer);
void serve_answer_clear(struct serve_answer *answer);

#endif
