/* Memory of a backend, counted and within budgets.
 *
 * An account belongs to whoever works for a while, as an open model does: what a thread takes between entering and
 * leaving it counts there until it is given back, by whichever thread. Memory of the CPU that comes back while the
 * account is open stays with it for the next taker, zeroed again, as the pool of the GPU's driver does it: taking it
 * from the system anew costs a page fault for every 4 KB. Without an account nothing is counted and nothing kept. */
#ifndef RW_DEVICE_MEMORY_H
#define RW_DEVICE_MEMORY_H

#include "base/context.h"

/* Takes zeroed memory on the CPU, and memory as it is on CUDA. what names it in the sentence of a failure; beyond the
 * account's budget RW_TOO_LARGE. */
rw_status rw_device_alloc(rw_context *context, rw_backend backend, size_t bytes, const char *what, void *pointer_out);
void rw_device_free(rw_backend backend, void *pointer); /* NULL is fine */

/* A larger array in place of the one at array_io, which may be NULL; the first used_bytes are the same. */
rw_status rw_device_grow(rw_context *context, rw_backend backend, void *array_io, size_t used_bytes, size_t bytes,
                         const char *what);

/* Bytes for a buffer that works with any size: default_bytes, or with a budget at most a share of what is left of it.
 */
double rw_device_buffer_bytes(rw_backend backend, double default_bytes, double fraction);

typedef struct rw_account rw_account;

/* Bytes of one kind of memory, on the host and on the GPU. */
typedef struct rw_memory_use {
    double limit;  /* the budget; INFINITY: none */
    double used;   /* taken and not given back */
    double peak;   /* the most of it so far */
    double cached; /* given back and kept for the next taker */
    size_t blocks; /* how often memory was taken from the system or the driver's pool */
} rw_memory_use;

rw_status rw_account_create(rw_context *context, rw_account **account);

/* Gives back what is kept; what is still used counts until it is given back. */
void rw_account_close(rw_account *account);

/* Budgets; 0 and NaN: none. What is used already stays. */
void rw_account_set_budgets(rw_account *account, double memory_bytes, double device_memory_bytes);
rw_memory_use rw_account_use(const rw_account *account, rw_backend backend);

/* The account of this thread becomes another; NULL: none. Returns the one before, to be entered again afterwards. */
rw_account *rw_account_enter(rw_account *account);

#endif
