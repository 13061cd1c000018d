/* Who computes what: a claim is a small file with machine, process and its start. It is made by one process alone,
 * shows by its time that the process works, and can be taken over when the process has died. Two that take over at once
 * do the same work twice; what they write is the same. */
#ifndef RW_NETWORK_CLAIMS_H
#define RW_NETWORK_CLAIMS_H

#include "base/context.h"

typedef enum rw_claim_state {
    RW_CLAIM_FREE, /* there is no claim */
    RW_CLAIM_HELD, /* by a process that lives, this one among them */
    RW_CLAIM_DEAD  /* by one that has died, or given no sign for stale_s on another machine */
} rw_claim_state;

rw_claim_state rw_claim_look(const char *path, double stale_s);

/* Takes a free claim or one of the dead; *taken 0: another process works on it. */
rw_status rw_claim_acquire(rw_context *context, const char *path, double stale_s, int *is_acquired);
void rw_claim_release(const char *path);

/* Shows from time to time that the claims of this process are alive, in a thread of its own, until it is stopped. */
typedef struct rw_heartbeat rw_heartbeat;
rw_status rw_heartbeat_start(rw_context *context, double each_s, rw_heartbeat **heartbeat);
void rw_heartbeat_stop(rw_heartbeat *heartbeat);

/* The claim of the work at hand beside that of the share; NULL: none. The text is copied. */
enum { RW_HEARTBEAT_SHARD, RW_HEARTBEAT_CHUNK, RW_HEARTBEAT_CLAIMS };
void rw_heartbeat_set(rw_heartbeat *heartbeat, int which, const char *path);

#endif
