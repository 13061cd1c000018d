#include "base/unfinished.h"

#include <rasterwave/rasterwave.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Entries are pushed and never freed, so that a signal handler can walk the list at any time; a forgotten one is used
 * again. There are as many as files were written at once. */
enum entry_state { ENTRY_FREE, ENTRY_FILLING, ENTRY_NOTED };

struct rw_unfinished {
    struct rw_unfinished *next;
    atomic_int state;
    char path[4128];
};

static _Atomic(rw_unfinished *) first_entry;
static atomic_int process_ends;

static rw_unfinished *claim_free_entry(void)
{
    for (rw_unfinished *entry = atomic_load(&first_entry); entry; entry = entry->next) {
        int is_free = ENTRY_FREE;
        if (atomic_compare_exchange_strong(&entry->state, &is_free, ENTRY_FILLING))
            return entry;
    }
    rw_unfinished *unfinished = calloc(1, sizeof *unfinished);
    if (!unfinished)
        return NULL;
    atomic_init(&unfinished->state, ENTRY_FILLING);
    unfinished->next = atomic_load(&first_entry);
    while (!atomic_compare_exchange_weak(&first_entry, &unfinished->next, unfinished))
        ;
    return unfinished;
}

rw_unfinished *rw_unfinished_note(const char *path)
{
    if (strlen(path) >= sizeof((rw_unfinished *)0)->path || atomic_load(&process_ends))
        return NULL;
    rw_unfinished *entry = claim_free_entry();
    if (!entry)
        return NULL;
    strcpy(entry->path, path);
    atomic_store(&entry->state, ENTRY_NOTED);
    return entry;
}

void rw_unfinished_forget(rw_unfinished *noted)
{
    if (noted)
        atomic_store(&noted->state, ENTRY_FREE);
}

void rw_remove_unfinished(void)
{
    atomic_store(&process_ends, 1);
    for (rw_unfinished *entry = atomic_load(&first_entry); entry; entry = entry->next)
        if (atomic_load(&entry->state) == ENTRY_NOTED)
            unlink(entry->path);
}
