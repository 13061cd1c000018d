/* The last failure of each thread in each context. A context may be shared by many threads, and each reads only its own
 * failures: the sentences belong to the threads. */
#ifndef RW_BASE_LAST_ERROR_H
#define RW_BASE_LAST_ERROR_H

#define RW_MESSAGE_MAX 1024

/* What a context and the threads that failed in it share. It outlives the context while a thread still refers to it, so
 * that a new context at the same address is never taken for the old one. */
typedef struct rw_error_owner rw_error_owner;

rw_error_owner *rw_error_owner_create(void); /* NULL: no memory */
void rw_error_owner_close(rw_error_owner *owner);

/* Room of RW_MESSAGE_MAX bytes for the calling thread's sentence; NULL: no memory. */
char *rw_error_buffer(rw_error_owner *owner);

/* The calling thread's sentence, or "". */
const char *rw_error_message(const rw_error_owner *owner);

#endif
