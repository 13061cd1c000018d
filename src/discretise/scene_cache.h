/* What is made once for a committed scene and kept with it: receivers of a grid, plane surfaces, tiles, open models.
 *
 * An entry is known by its kind and by its key, bytes that say what it was made from. Shared entries are read by any
 * number of callers at once and must not be changed; borrowed ones belong to one caller until they are given back.
 * Unused entries stay, up to the kind's number of idle entries, the latest first, until the scene is destroyed. */
#ifndef RW_DISCRETISE_SCENE_CACHE_H
#define RW_DISCRETISE_SCENE_CACHE_H

#include "scene/scene.h"

typedef struct rw_cache_kind {
    const char *name;
    size_t idle_max; /* entries that are kept while unused */
    void (*destroy)(void *value);
} rw_cache_kind;

typedef rw_status (*rw_cache_create_fn)(void *user, void **value);

typedef struct rw_scene_cache rw_scene_cache;

rw_status rw_scene_cache_create(rw_context *context, rw_scene_cache **cache);
void rw_scene_cache_destroy(rw_scene_cache *cache);

/* The entry of that key, made where there is none; to be released by every caller. */
rw_status rw_scene_cache_acquire(const rw_scene *scene, const rw_cache_kind *kind, const void *key, size_t key_size,
                                 rw_cache_create_fn make, void *user, void **value);
void rw_scene_cache_release(const rw_scene *scene, const void *value);

/* An idle entry of that key, for this caller alone; NULL where there is none. */
void *rw_scene_cache_borrow(const rw_scene *scene, const rw_cache_kind *kind, const void *key, size_t key_size);

/* Gives a borrowed value back, or a new one into the cache; it may be destroyed at once. */
void rw_scene_cache_return(const rw_scene *scene, const rw_cache_kind *kind, const void *key, size_t key_size,
                           void *value);

/* Bytes of memory of a value. */
typedef double (*rw_cache_bytes_fn)(const void *value);

/* Destroys the idle entries of a kind beyond the latest ones that fit into max_bytes together. */
void rw_scene_cache_limit(const rw_scene *scene, const rw_cache_kind *kind, rw_cache_bytes_fn bytes_of,
                          double max_bytes);

/* Destroys the idle entries of a kind; NULL: of all kinds. */
void rw_scene_cache_drop_idle(const rw_scene *scene, const rw_cache_kind *kind);

#endif
