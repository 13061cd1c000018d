#include "discretise/scene_cache.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An entry is its key, its value and how many use it; the latest used stand first in the list. */
typedef struct cache_entry {
    struct cache_entry *next;
    const rw_cache_kind *kind;
    void *value;
    size_t users, key_size;
    unsigned char key[];
} cache_entry;

struct rw_scene_cache {
    pthread_mutex_t lock;
    cache_entry *entries;
};

rw_status rw_scene_cache_create(rw_context *context, rw_scene_cache **cache)
{
    RW_TRY(rw_array_create(context, 1, sizeof **cache, "the prepared scene", cache));
    pthread_mutex_init(&(*cache)->lock, NULL);
    return RW_OK;
}

static rw_scene_cache *cache_of(const rw_scene *scene)
{
    return scene->prepared->cache;
}

/* Removes from the list the idle entries of a kind (NULL: of all) beyond the first max_idle, and beyond
 * max_bytes where bytes_of is not NULL. */
static cache_entry *detach_idle_entries(rw_scene_cache *cache, const rw_cache_kind *kind, size_t max_idle,
                                        rw_cache_bytes_fn bytes_of, double max_bytes)
{
    cache_entry *detached = NULL;
    size_t idle = 0;
    double bytes = 0;
    for (cache_entry **at = &cache->entries; *at;) {
        cache_entry *entry = *at;
        int counts = entry->users == 0 && (!kind || entry->kind == kind);
        if (counts && bytes_of)
            bytes += bytes_of(entry->value);
        if (!counts || (idle++ < max_idle && !(bytes > max_bytes))) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        entry->next = detached;
        detached = entry;
    }
    return detached;
}

/* Outside the lock: destroying a value may release others. */
static void destroy_all(cache_entry *entries)
{
    while (entries) {
        cache_entry *next = entries->next;
        entries->kind->destroy(entries->value);
        free(entries);
        entries = next;
    }
}

void rw_scene_cache_drop_idle(const rw_scene *scene, const rw_cache_kind *kind)
{
    rw_scene_cache *cache = cache_of(scene);
    cache_entry *idle;
    do { /* what one entry used becomes idle with it */
        pthread_mutex_lock(&cache->lock);
        idle = detach_idle_entries(cache, kind, 0, NULL, 0);
        pthread_mutex_unlock(&cache->lock);
        destroy_all(idle);
    } while (idle);
}

void rw_scene_cache_limit(const rw_scene *scene, const rw_cache_kind *kind, rw_cache_bytes_fn bytes_of,
                          double max_bytes)
{
    rw_scene_cache *cache = cache_of(scene);
    pthread_mutex_lock(&cache->lock);
    cache_entry *surplus = detach_idle_entries(cache, kind, SIZE_MAX, bytes_of, max_bytes);
    pthread_mutex_unlock(&cache->lock);
    destroy_all(surplus);
}

void rw_scene_cache_destroy(rw_scene_cache *cache)
{
    if (!cache)
        return;
    cache_entry *idle;
    while ((idle = detach_idle_entries(cache, NULL, 0, NULL, 0)))
        destroy_all(idle);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static int entry_matches(const cache_entry *entry, const rw_cache_kind *kind, const void *key, size_t key_size)
{
    return entry->kind == kind && entry->key_size == key_size && memcmp(entry->key, key, key_size) == 0;
}

static void move_entry_first(rw_scene_cache *cache, cache_entry **at)
{
    cache_entry *entry = *at;
    *at = entry->next;
    entry->next = cache->entries;
    cache->entries = entry;
}

static cache_entry *find_cache_entry(rw_scene_cache *cache, const rw_cache_kind *kind, const void *key, size_t key_size)
{
    for (cache_entry **at = &cache->entries; *at; at = &(*at)->next)
        if (entry_matches(*at, kind, key, key_size)) {
            move_entry_first(cache, at);
            return cache->entries;
        }
    return NULL;
}

static cache_entry *make_entry(const rw_cache_kind *kind, const void *key, size_t key_size, void *value, size_t users)
{
    cache_entry *entry = malloc(sizeof *entry + key_size);
    if (!entry)
        return NULL;
    *entry = (cache_entry){.kind = kind, .value = value, .users = users, .key_size = key_size};
    memcpy(entry->key, key, key_size);
    return entry;
}

/* Adds an entry and destroys what is then too much of its kind. */
static void insert_cache_entry(rw_scene_cache *cache, cache_entry *entry)
{
    pthread_mutex_lock(&cache->lock);
    entry->next = cache->entries;
    cache->entries = entry;
    cache_entry *surplus = detach_idle_entries(cache, entry->kind, entry->kind->idle_max, NULL, 0);
    pthread_mutex_unlock(&cache->lock);
    destroy_all(surplus);
}

rw_status rw_scene_cache_acquire(const rw_scene *scene, const rw_cache_kind *kind, const void *key, size_t key_size,
                                 rw_cache_create_fn make, void *user, void **value)
{
    rw_scene_cache *cache = cache_of(scene);
    pthread_mutex_lock(&cache->lock);
    cache_entry *entry = find_cache_entry(cache, kind, key, key_size);
    if (entry)
        entry->users++;
    pthread_mutex_unlock(&cache->lock);
    if (entry) {
        *value = entry->value;
        return RW_OK;
    }
    /* Two callers may both make it: each then has its own, which is right, and the later one is found next time. */
    RW_TRY(make(user, value));
    entry = make_entry(kind, key, key_size, *value, 1);
    if (!entry) {
        kind->destroy(*value);
        return rw_fail(scene->context, RW_OUT_OF_MEMORY, "no memory left for the %s of a scene", kind->name);
    }
    insert_cache_entry(cache, entry);
    return RW_OK;
}

void rw_scene_cache_release(const rw_scene *scene, const void *value)
{
    rw_scene_cache *cache = cache_of(scene);
    cache_entry *surplus = NULL;
    pthread_mutex_lock(&cache->lock);
    for (cache_entry *entry = cache->entries; entry; entry = entry->next)
        if (entry->value == value) {
            entry->users--;
            surplus = detach_idle_entries(cache, entry->kind, entry->kind->idle_max, NULL, 0);
            break;
        }
    pthread_mutex_unlock(&cache->lock);
    destroy_all(surplus);
}

void *rw_scene_cache_borrow(const rw_scene *scene, const rw_cache_kind *kind, const void *key, size_t key_size)
{
    rw_scene_cache *cache = cache_of(scene);
    void *value = NULL;
    pthread_mutex_lock(&cache->lock);
    cache_entry *entry = find_cache_entry(cache, kind, key, key_size);
    if (entry) {
        cache->entries = entry->next;
        value = entry->value;
    }
    pthread_mutex_unlock(&cache->lock);
    free(entry);
    return value;
}

void rw_scene_cache_return(const rw_scene *scene, const rw_cache_kind *kind, const void *key, size_t key_size,
                           void *value)
{
    cache_entry *entry = make_entry(kind, key, key_size, value, 0);
    if (entry)
        insert_cache_entry(cache_of(scene), entry);
    else
        kind->destroy(value);
}
