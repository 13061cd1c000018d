/* The requests that wait for the engine, and the thread that works them off. */
#ifndef RW_SERVE_QUEUE_H
#define RW_SERVE_QUEUE_H

#include "serve/task.h"

#include <pthread.h>

struct serve_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    struct serve_task *first, *last, *running;
    size_t count;
    int is_closing, has_thread;
    void *engine;
    void (*answered)(struct serve_task *task); /* the answer can be sent; any thread */
};

int serve_queue_open(struct serve_queue *queue, void *engine, void (*answered)(struct serve_task *task));
/* Ends what runs, answers what waits, and ends the thread. */
void serve_queue_close(struct serve_queue *queue);

/* Takes a task over; older ones of its client end. Where the queue is full the task is answered (429) at once: 0. */
int serve_queue_add(struct serve_queue *queue, struct serve_task *task);

#endif
