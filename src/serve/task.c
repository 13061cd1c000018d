/* Requests: their body as JSON, and whether their work is still wanted. */
#define _GNU_SOURCE /* POLLRDHUP */
#include "serve/http.h"

#include <microhttpd.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOK_S 0.002     /* between two looks at a connection */
#define HALF_CLOSE_S 0.2 /* after its request, a client that ends its side waits for the answer */

double serve_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const rw_json *serve_task_json(const struct serve_task *task)
{
    return task && task->has_json ? &task->json : NULL;
}

const char *serve_task_argument(const struct serve_task *task, const char *name)
{
    const char *value = NULL;
    size_t size = 0;
    if (!task || !task->connection ||
        MHD_lookup_connection_value_n(task->connection, MHD_GET_ARGUMENT_KIND, name, strlen(name), &value, &size) !=
            MHD_YES)
        return NULL;
    return value && strlen(value) == size ? value : NULL;
}

rw_status serve_grow_json(void *user, rw_json *json)
{
    size_t capacity = json->capacity ? 2 * json->capacity : 64;
    (void)user;
    if (json->count >= SERVE_JSON_VALUES_MAX) /* each takes more memory than its text: 4 MiB of [0,0,...] 100 MB */
        return RW_TOO_LARGE;
    rw_json_value *grown = realloc(json->values, capacity * sizeof *grown);
    if (!grown)
        return RW_OUT_OF_MEMORY;
    json->values = grown;
    json->capacity = capacity;
    return RW_OK;
}

int serve_task_read_json(struct serve_task *task)
{
    rw_json_fault fault;
    char *content = task->body;
    size_t size = task->body_size;
    if (content && task->route && task->route->newest_wins) {
        task->request = strdup(content);
        if (!task->request) {
            serve_answer_error(&task->answer, 503, NULL, "no memory left for the request");
            return 0;
        }
    }
    task->body = NULL;
    task->body_size = 0;
    if (!content) {
        serve_answer_error(&task->answer, 400, "send an object such as {\"project\": {}}", "the request has no body");
        return 0;
    }
    rw_status status = rw_json_read(content, size, serve_grow_json, NULL, &task->json, &fault);
    if (status != RW_OK) {
        if (status == RW_TOO_LARGE)
            serve_answer_error(&task->answer, 413, NULL, "the body has more than %d values", SERVE_JSON_VALUES_MAX);
        else if (fault.what)
            serve_answer_error(&task->answer, 400, NULL, "the body is no JSON: line %u: %s", fault.line, fault.what);
        else
            serve_answer_error(&task->answer, 503, NULL, "no memory left for the request");
        return 0;
    }
    task->has_json = 1;
    if (task->json.values[0].kind == RW_JSON_OBJECT)
        return 1;
    serve_answer_error(&task->answer, 400, NULL, "the body must be a JSON object");
    return 0;
}

/* What poll reports of the connection among these events. */
static int poll_connection(const struct serve_task *task, short events)
{
    const union MHD_ConnectionInfo *info =
        task->connection ? MHD_get_connection_info(task->connection, MHD_CONNECTION_INFO_CONNECTION_FD) : NULL;
    if (!info)
        return 0;
    struct pollfd connection = {.fd = info->connect_fd, .events = events};
    return poll(&connection, 1, 0) > 0 ? connection.revents & (events | POLLHUP | POLLERR) : 0;
}

/* A client that ends its side of the connection with its request (nc -N) wants the answer; one that does so later has
 * left. On the connection both look the same: the moment decides. */
static int has_left(struct serve_task *task, double now_s)
{
    int found = poll_connection(task, task->is_half_closed ? 0 : POLLRDHUP);
    if (found == POLLRDHUP && now_s - task->received_s < HALF_CLOSE_S) {
        task->is_half_closed = 1;
        return 0;
    }
    return found != 0;
}

/* What takes long does not hold the engine. */
static int must_detach(const struct serve_task *task, double now_s)
{
    if (!task->route || !task->route->newest_wins || task->is_opening)
        return 0;
    return now_s - task->turn_s > (atomic_load(&task->others_wait) ? SERVE_TURN_SECONDS : SERVE_LONG_SECONDS);
}

int serve_task_is_cancelled(struct serve_task *task)
{
    if (!task || task->is_alone)
        return 0;
    if (atomic_load(&task->end) != SERVE_RUNNING)
        return 1;
    double now_s = serve_now_s();
    if (now_s - task->looked_s < LOOK_S)
        return 0;
    task->looked_s = now_s;
    int running = SERVE_RUNNING;
    int end = has_left(task, now_s)      ? SERVE_CLIENT_LEFT
              : must_detach(task, now_s) ? SERVE_DETACHED
              : now_s > task->deadline_s ? SERVE_TIMED_OUT
                                         : SERVE_RUNNING;
    if (end != SERVE_RUNNING)
        atomic_compare_exchange_strong(&task->end, &running, end);
    return end != SERVE_RUNNING;
}

void serve_task_report(struct serve_task *task, double fraction, const char *stage)
{
    if (!task || task->is_alone)
        return;
    atomic_store(&task->progress, (int)(1e4 * (fraction > 1 ? 1 : fraction > 0 ? fraction : 0)));
    pthread_mutex_lock(&task->server->queue.lock);
    snprintf(task->stage, sizeof task->stage, "%s", stage ? stage : "");
    pthread_mutex_unlock(&task->server->queue.lock);
}

int serve_task_is_detached(struct serve_task *task, double seconds)
{
    int running = SERVE_RUNNING;
    if (!task || task->is_alone || !(seconds > SERVE_DETACH_SECONDS))
        return 0;
    task->estimate_s = seconds;
    atomic_compare_exchange_strong(&task->end, &running, SERVE_DETACHED);
    return 1;
}

int serve_task_is_deferred(struct serve_task *task)
{
    if (!task || task->is_alone || task->lane == SERVE_LANE_OPENINGS)
        return 0;
    task->is_deferred = 1;
    return 1;
}

void serve_task_begin_opening(struct serve_task *task)
{
    if (!task)
        return;
    task->is_opening = 1;
    task->deadline_s = serve_now_s() + SERVE_OPEN_SECONDS;
}

void serve_task_end_opening(struct serve_task *task)
{
    if (!task)
        return;
    task->is_opening = 0;
    task->turn_s = serve_now_s();
    task->deadline_s = task->turn_s + SERVE_CALL_SECONDS;
}

void serve_task_destroy(struct serve_task *task)
{
    free(task->request);
    serve_answer_clear(&task->answer);
    if (task->has_json)
        rw_json_free(&task->json);
    free(task->body);
    free(task);
}
