#include "base/text/json_write.h"
#include "serve/http.h"

#include <stdlib.h>
#include <string.h>

static void answer_ended(struct serve_task *task)
{
    switch (atomic_load(&task->end)) {
    case SERVE_SUPERSEDED:
        serve_answer_error(&task->answer, 409, NULL, "a newer request of this client took the place of this one");
        break;
    case SERVE_TIMED_OUT:
        serve_answer_error(&task->answer, 503, "take larger cells or a smaller area, or make it a job (POST /v1/jobs)",
                           "the request took longer than %d s", SERVE_CALL_SECONDS);
        break;
    default:
        serve_answer_error(&task->answer, 503, NULL, "the server is closing");
    }
}

/* Whether two names of clients, each with the kind of its requests behind the last -, are of one client. */
static int is_same_client(const char *one, const char *other)
{
    const char *end = strrchr(one, '-'), *other_end = strrchr(other, '-');
    size_t length = end ? (size_t)(end - one) : strlen(one);
    size_t other_length = other_end ? (size_t)(other_end - other) : strlen(other);
    return length == other_length && strncmp(one, other, length) == 0;
}

/* 1: the task is answered; 0: it goes to the other lane. */
static int run_queued_task(struct serve_queue *queue, struct serve_task *task)
{
    task->turn_s = serve_now_s();
    task->deadline_s = task->turn_s + SERVE_CALL_SECONDS;
    task->is_deferred = 0;
    if (!serve_task_is_cancelled(task))
        task->route->handle(queue->engine, task, &task->answer);
    int end = atomic_load(&task->end);
    if (task->is_deferred && end == SERVE_RUNNING) {
        serve_answer_clear(&task->answer);
        return 0;
    }
    if (end == SERVE_DETACHED)
        queue->detach(task);
    else if (end != SERVE_RUNNING)
        answer_ended(task);
    serve_answer_finish(&task->answer);
    return 1;
}

static void append_task(struct serve_queue *queue, struct serve_task *task)
{
    struct serve_lane *lane = &queue->lanes[task->lane];
    struct serve_task **at = &lane->first;
    task->next = NULL;
    while (*at)
        at = &(*at)->next;
    *at = task;
    queue->count++;
    if (lane->running && !is_same_client(lane->running->client, task->client))
        atomic_store(&lane->running->others_wait, 1);
    pthread_cond_broadcast(&queue->changed);
}

/* The first of a client that did not have the last turn, if there is one: clients take turns. */
static struct serve_task *take_next(struct serve_queue *queue, struct serve_lane *lane)
{
    struct serve_task **at = &lane->first;
    while (*at && is_same_client((*at)->client, lane->client))
        at = &(*at)->next;
    if (!*at)
        at = &lane->first;
    struct serve_task *task = *at;
    *at = task->next;
    task->next = NULL;
    queue->count--;
    lane->running = task;
    memcpy(lane->client, task->client, sizeof lane->client);
    int others_wait = 0;
    for (const struct serve_task *other = lane->first; other; other = other->next)
        others_wait |= !is_same_client(other->client, task->client);
    atomic_store(&task->others_wait, others_wait);
    return task;
}

static void *run_lane(void *user)
{
    struct serve_lane *lane = user;
    struct serve_queue *queue = lane->queue;
    pthread_mutex_lock(&queue->lock);
    while (!queue->is_closing || lane->first) {
        if (!lane->first) {
            pthread_cond_wait(&queue->changed, &queue->lock);
            continue;
        }
        struct serve_task *task = take_next(queue, lane);
        if (queue->is_closing)
            atomic_store(&task->end, SERVE_CLOSING);
        pthread_mutex_unlock(&queue->lock);
        int is_answered = run_queued_task(queue, task);
        pthread_mutex_lock(&queue->lock);
        lane->running = NULL;
        if (is_answered) {
            queue->answered(task); /* inside the lock: a task on its way out is not ended by a newer one */
        } else {
            task->lane = SERVE_LANE_OPENINGS;
            append_task(queue, task);
        }
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

int serve_queue_open(struct serve_queue *queue, void *engine, void (*answered)(struct serve_task *task),
                     void (*detach)(struct serve_task *task))
{
    memset(queue, 0, sizeof *queue);
    queue->engine = engine;
    queue->answered = answered;
    queue->detach = detach;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    for (int i = 0; i < SERVE_LANES; i++) {
        struct serve_lane *lane = &queue->lanes[i];
        lane->queue = queue;
        lane->has_thread = pthread_create(&lane->thread, NULL, run_lane, lane) == 0;
        if (!lane->has_thread)
            return 0;
    }
    return 1;
}

static void close_lane(struct serve_lane *lane)
{
    struct serve_queue *queue = lane->queue;
    if (!lane->has_thread)
        return;
    pthread_mutex_lock(&queue->lock);
    queue->is_closing = 1;
    if (lane->running)
        atomic_store(&lane->running->end, SERVE_CLOSING);
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(lane->thread, NULL);
    lane->has_thread = 0;
}

/* In the order of the lanes: the first one may still hand a task to the second. */
void serve_queue_close(struct serve_queue *queue)
{
    for (int i = 0; i < SERVE_LANES; i++)
        close_lane(&queue->lanes[i]);
}

static int is_older_of_client(const struct serve_task *older, const struct serve_task *task)
{
    return older && older->route->newest_wins && task->route->newest_wins && task->client[0] &&
           older->route == task->route && strcmp(older->client, task->client) == 0;
}

/* Waiting ones leave the queue, running ones end as soon as they can. */
static void end_older(struct serve_queue *queue, struct serve_lane *lane, const struct serve_task *task)
{
    struct serve_task **at = &lane->first;
    if (is_older_of_client(lane->running, task))
        atomic_store(&lane->running->end, SERVE_SUPERSEDED);
    while (*at) {
        struct serve_task *older = *at;
        if (!is_older_of_client(older, task)) {
            at = &older->next;
            continue;
        }
        *at = older->next;
        queue->count--;
        atomic_store(&older->end, SERVE_SUPERSEDED);
        answer_ended(older);
        serve_answer_finish(&older->answer);
        queue->answered(older);
    }
}

int serve_queue_add(struct serve_queue *queue, struct serve_task *task)
{
    pthread_mutex_lock(&queue->lock);
    for (int i = 0; i < SERVE_LANES; i++)
        end_older(queue, &queue->lanes[i], task);
    int has_room = queue->count < SERVE_QUEUE_MAX && !queue->is_closing;
    if (has_room) {
        append_task(queue, task);
    } else {
        serve_answer_error(&task->answer, 429, "try again in a second", "%d requests wait already", SERVE_QUEUE_MAX);
        serve_answer_finish(&task->answer);
        queue->answered(task);
    }
    pthread_mutex_unlock(&queue->lock);
    return has_room;
}

static const struct serve_task *find_of_client(const struct serve_queue *queue, const char *client, int *is_running)
{
    for (int i = 0; i < SERVE_LANES; i++) {
        const struct serve_lane *lane = &queue->lanes[i];
        *is_running = lane->running && strcmp(lane->running->client, client) == 0;
        if (*is_running)
            return lane->running;
        for (const struct serve_task *task = lane->first; task; task = task->next)
            if (strcmp(task->client, client) == 0)
                return task;
    }
    return NULL;
}

void serve_progress_get(struct serve_server *server, struct serve_task *task, const char *rest)
{
    struct serve_queue *queue = &server->queue;
    FILE *stream = serve_answer_json(&task->answer);
    int is_running = 0;
    (void)rest;
    if (!stream)
        return;
    pthread_mutex_lock(&queue->lock);
    const struct serve_task *found = task->client[0] ? find_of_client(queue, task->client, &is_running) : NULL;
    fprintf(stream, "{\"state\": \"%s\", \"progress\": %.4f, \"message\": ",
            !found       ? "none"
            : is_running ? "running"
                         : "waiting",
            found ? 1e-4 * atomic_load(&found->progress) : 0);
    rw_json_write_string(stream, found ? found->stage : "");
    pthread_mutex_unlock(&queue->lock);
    fputs("}\n", stream);
}
