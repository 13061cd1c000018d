#include "serve/http.h"

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

static void run_queued_task(struct serve_queue *queue, struct serve_task *task)
{
    task->deadline_s = serve_now_s() + SERVE_CALL_SECONDS;
    if (!serve_task_is_cancelled(task))
        task->route->handle(queue->engine, task, &task->answer);
    if (atomic_load(&task->end) != SERVE_RUNNING)
        answer_ended(task);
    serve_answer_finish(&task->answer);
}

static void *run_queue(void *user)
{
    struct serve_queue *queue = user;
    pthread_mutex_lock(&queue->lock);
    while (!queue->is_closing || queue->first) {
        struct serve_task *task = queue->first;
        if (!task) {
            pthread_cond_wait(&queue->changed, &queue->lock);
            continue;
        }
        queue->first = task->next;
        if (!queue->first)
            queue->last = NULL;
        queue->count--;
        queue->running = task;
        if (queue->is_closing)
            atomic_store(&task->end, SERVE_CLOSING);
        pthread_mutex_unlock(&queue->lock);
        run_queued_task(queue, task);
        pthread_mutex_lock(&queue->lock);
        queue->running = NULL;
        queue->answered(task); /* inside the lock: a task on its way out is not ended by a newer one */
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

int serve_queue_open(struct serve_queue *queue, void *engine, void (*answered)(struct serve_task *task))
{
    memset(queue, 0, sizeof *queue);
    queue->engine = engine;
    queue->answered = answered;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue->has_thread = pthread_create(&queue->thread, NULL, run_queue, queue) == 0;
    return queue->has_thread;
}

void serve_queue_close(struct serve_queue *queue)
{
    if (!queue->has_thread)
        return;
    pthread_mutex_lock(&queue->lock);
    queue->is_closing = 1;
    if (queue->running)
        atomic_store(&queue->running->end, SERVE_CLOSING);
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->thread, NULL);
    queue->has_thread = 0;
}

static int is_older_of_client(const struct serve_task *older, const struct serve_task *task)
{
    return older && older->route->newest_wins && task->route->newest_wins && task->client[0] &&
           older->route == task->route && strcmp(older->client, task->client) == 0;
}

/* Waiting ones leave the queue, a running one is told. */
static void end_older(struct serve_queue *queue, const struct serve_task *task)
{
    struct serve_task **at = &queue->first, *last = NULL;
    if (is_older_of_client(queue->running, task))
        atomic_store(&queue->running->end, SERVE_SUPERSEDED);
    while (*at) {
        struct serve_task *older = *at;
        if (!is_older_of_client(older, task)) {
            last = older;
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
    queue->last = last;
}

int serve_queue_add(struct serve_queue *queue, struct serve_task *task)
{
    pthread_mutex_lock(&queue->lock);
    end_older(queue, task);
    int has_room = queue->count < SERVE_QUEUE_MAX && !queue->is_closing;
    if (has_room) {
        task->next = NULL;
        *(queue->last ? &queue->last->next : &queue->first) = task;
        queue->last = task;
        queue->count++;
        pthread_cond_signal(&queue->changed);
    } else {
        serve_answer_error(&task->answer, 429, "try again in a second", "%d requests wait already", SERVE_QUEUE_MAX);
        serve_answer_finish(&task->answer);
        queue->answered(task);
    }
    pthread_mutex_unlock(&queue->lock);
    return has_room;
}
