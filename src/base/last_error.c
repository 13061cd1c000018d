#include "base/last_error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct rw_error_owner {
    atomic_int holders; /* the context and every thread that failed in it */
    atomic_int closed;  /* 1: the context is gone, and its messages cannot be read any more */
};

typedef struct thread_error {
    rw_error_owner *owner;
    struct thread_error *next;
    char message[RW_MESSAGE_MAX];
} thread_error;

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* of a thread's first thread_error */
static int key_created;

static void release_error_owner(rw_error_owner *owner)
{
    if (atomic_fetch_sub(&owner->holders, 1) == 1)
        free(owner);
}

static void destroy_thread_error(thread_error *error)
{
    release_error_owner(error->owner);
    free(error);
}

static void destroy_thread_errors(void *first)
{
    for (thread_error *error = first, *next; error; error = next) {
        next = error->next;
        destroy_thread_error(error);
    }
}

static void create_error_key(void)
{
    key_created = pthread_key_create(&key, destroy_thread_errors) == 0;
}

static thread_error *first_error(void)
{
    pthread_once(&key_once, create_error_key);
    return key_created ? pthread_getspecific(key) : NULL;
}

/* Drops the sentences of contexts that are gone and returns the first that is left: a thread that outlives many
 * contexts does not collect them. */
static thread_error *without_closed(thread_error *first)
{
    for (thread_error **at = &first; *at;) {
        thread_error *error = *at;
        if (!atomic_load(&error->owner->closed)) {
            at = &error->next;
            continue;
        }
        *at = error->next;
        destroy_thread_error(error);
    }
    return first;
}

static thread_error *find_thread_error(const rw_error_owner *owner)
{
    thread_error *error = first_error();
    while (error && error->owner != owner)
        error = error->next;
    return error;
}

rw_error_owner *rw_error_owner_create(void)
{
    rw_error_owner *owner = malloc(sizeof *owner);
    if (!owner)
        return NULL;
    atomic_init(&owner->holders, 1);
    atomic_init(&owner->closed, 0);
    return owner;
}

void rw_error_owner_close(rw_error_owner *owner)
{
    atomic_store(&owner->closed, 1);
    release_error_owner(owner);
}

char *rw_error_buffer(rw_error_owner *owner)
{
    thread_error *error = find_thread_error(owner);
    if (error)
        return error->message;
    error = key_created ? calloc(1, sizeof *error) : NULL;
    if (!error)
        return NULL;
    error->owner = owner;
    error->next = without_closed(first_error());
    if (pthread_setspecific(key, error) != 0) { /* only a thread's first can fail, which has none behind it */
        free(error);
        return NULL;
    }
    atomic_fetch_add(&owner->holders, 1);
    return error->message;
}

const char *rw_error_message(const rw_error_owner *owner)
{
    const thread_error *error = find_thread_error(owner);
    return error ? error->message : "";
}
