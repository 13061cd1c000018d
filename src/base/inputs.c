#include "base/inputs.h"

#include "base/memory.h"
#include "base/path.h"

#include <rasterwave/inputs.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SETTLED_S 2 /* coarsest time stamps: FAT */
#define BUFFER_BYTES ((size_t)1 << 16)

static _Thread_local rw_inputs *innermost;

void rw_inputs_open(rw_inputs *inputs)
{
    inputs->outer = innermost;
    inputs->is_open = 1;
    innermost = inputs;
}

void rw_inputs_close(rw_inputs *inputs)
{
    if (!inputs->is_open)
        return;
    for (rw_inputs **at = &innermost; *at; at = &(*at)->outer)
        if (*at == inputs) {
            *at = inputs->outer;
            break;
        }
    inputs->is_open = 0;
    inputs->outer = NULL;
}

void rw_inputs_free(rw_inputs *inputs)
{
    rw_inputs_close(inputs);
    for (size_t i = 0; i < inputs->count; i++)
        free(inputs->items[i].path);
    free(inputs->items);
    *inputs = (rw_inputs){0};
}

static rw_status add_input(rw_context *context, rw_inputs *inputs, const char *path, const unsigned char *digest)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->items[i].path, path) == 0 && memcmp(inputs->items[i].digest, digest, RW_SHA256_BYTES) == 0)
            return RW_OK;
    RW_TRY(rw_array_reserve(context, &inputs->items, &inputs->capacity, inputs->count + 1, sizeof *inputs->items,
                            "the list of inputs"));
    rw_input *input = &inputs->items[inputs->count];
    input->path = rw_string_copy(path);
    if (!input->path)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a path");
    memcpy(input->digest, digest, RW_SHA256_BYTES);
    inputs->count++;
    return RW_OK;
}

static rw_status add_to_open(rw_context *context, const char *path, const unsigned char *digest)
{
    for (rw_inputs *inputs = innermost; inputs; inputs = inputs->outer)
        RW_TRY(add_input(context, inputs, path, digest));
    return RW_OK;
}

rw_status rw_inputs_join(rw_context *context, const rw_inputs *more)
{
    for (size_t i = 0; i < more->count; i++)
        RW_TRY(add_to_open(context, more->items[i].path, more->items[i].digest));
    return RW_OK;
}

rw_status rw_input_record_bytes(rw_context *context, const char *path, const void *bytes, size_t size)
{
    unsigned char digest[RW_SHA256_BYTES];
    rw_sha256 hash;
    if (!innermost)
        return RW_OK;
    rw_sha256_init(&hash);
    rw_sha256_add(&hash, bytes, size);
    rw_sha256_end(&hash, digest);
    return add_to_open(context, path, digest);
}

/* --- hashes that were computed before, in this context --- */

typedef struct hashed_file {
    struct stat about;
    struct timespec hashed_at;
    unsigned char digest[RW_SHA256_BYTES];
} hashed_file;

#define HASHED_MAX 64 /* files; then the oldest entry goes */
struct rw_hashed_files {
    pthread_mutex_t lock;
    hashed_file items[HASHED_MAX];
    size_t count; /* that were added */
};

rw_hashed_files *rw_hashed_files_create(void)
{
    rw_hashed_files *files = calloc(1, sizeof *files);
    if (files && pthread_mutex_init(&files->lock, NULL) != 0) {
        free(files);
        files = NULL;
    }
    return files;
}

void rw_hashed_files_destroy(rw_hashed_files *files)
{
    if (!files)
        return;
    pthread_mutex_destroy(&files->lock);
    free(files);
}

static int is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static int is_settled(struct timespec changed, struct timespec at)
{
    return at.tv_sec - changed.tv_sec > SETTLED_S ||
           (at.tv_sec - changed.tv_sec == SETTLED_S && at.tv_nsec >= changed.tv_nsec);
}

int rw_input_is_same_file(const struct stat *about, struct timespec hashed_at, const struct stat *now)
{
    return about->st_dev == now->st_dev && about->st_ino == now->st_ino && about->st_size == now->st_size &&
           is_same_time(about->st_mtim, now->st_mtim) && is_same_time(about->st_ctim, now->st_ctim) &&
           is_settled(now->st_mtim, hashed_at) && is_settled(now->st_ctim, hashed_at);
}

static int find_hashed(rw_hashed_files *files, const struct stat *about, unsigned char *digest)
{
    int found = 0;
    pthread_mutex_lock(&files->lock);
    for (size_t i = 0; i < HASHED_MAX && i < files->count && !found; i++) {
        const hashed_file *item = &files->items[i];
        found = rw_input_is_same_file(&item->about, item->hashed_at, about);
        if (found)
            memcpy(digest, item->digest, RW_SHA256_BYTES);
    }
    pthread_mutex_unlock(&files->lock);
    return found;
}

static void store_hashed(rw_hashed_files *files, const struct stat *about, struct timespec at,
                         const unsigned char *digest)
{
    pthread_mutex_lock(&files->lock);
    hashed_file *item = &files->items[files->count++ % HASHED_MAX];
    *item = (hashed_file){.about = *about, .hashed_at = at};
    memcpy(item->digest, digest, RW_SHA256_BYTES);
    pthread_mutex_unlock(&files->lock);
}

static rw_status hash_descriptor(rw_context *context, const char *path, int descriptor, unsigned char *digest)
{
    unsigned char *buffer;
    rw_sha256 hash;
    ssize_t got;
    RW_TRY(rw_array_create(context, BUFFER_BYTES, 1, "a file", &buffer));
    rw_sha256_init(&hash);
    while ((got = read(descriptor, buffer, BUFFER_BYTES)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        rw_sha256_add(&hash, buffer, (size_t)got);
    }
    int error = errno;
    free(buffer);
    rw_sha256_end(&hash, digest);
    return got < 0 ? rw_fail(context, RW_IO, "%s: reading failed: %s", path, strerror(error)) : RW_OK;
}

/* A pipe or device is read once, by its reader; a folder that is a format of its own is listed file by file. */
rw_status rw_input_record(rw_context *context, const char *path)
{
    unsigned char digest[RW_SHA256_BYTES];
    struct stat about;
    struct timespec now;
    if (!innermost || !rw_path_is_regular_file(path))
        return RW_OK;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        if (descriptor >= 0)
            close(descriptor);
        return rw_fail(context, RW_NOT_FOUND, "%s cannot be read: %s", path, strerror(errno));
    }
    rw_status status = RW_OK;
    if (!find_hashed(context->hashed_files, &about, digest)) {
        clock_gettime(CLOCK_REALTIME, &now);
        status = hash_descriptor(context, path, descriptor, digest);
        if (status == RW_OK)
            store_hashed(context->hashed_files, &about, now, digest);
    }
    close(descriptor);
    return status == RW_OK ? add_to_open(context, path, digest) : status;
}

/* Whether the file has this content; 0 also if it cannot be read any more. */
static int has_content(rw_context *context, const rw_input *input)
{
    rw_inputs now = {0};
    rw_inputs_open(&now);
    rw_status status = rw_input_record(context, input->path);
    rw_inputs_close(&now);
    const unsigned char *digest = status == RW_OK ? rw_inputs_find(&now, input->path) : NULL;
    int same = digest && memcmp(digest, input->digest, RW_SHA256_BYTES) == 0;
    rw_inputs_free(&now);
    return same;
}

/* --- as one value --- */

static int compare_digests(const void *a, const void *b)
{
    return memcmp(a, b, RW_SHA256_BYTES);
}

rw_status rw_inputs_hash(rw_context *context, const rw_inputs *inputs, rw_sha256 *hash)
{
    unsigned char(*digests)[RW_SHA256_BYTES];
    RW_TRY(rw_array_create(context, inputs->count, sizeof *digests, "the list of inputs", &digests));
    for (size_t i = 0; i < inputs->count; i++)
        memcpy(digests[i], inputs->items[i].digest, RW_SHA256_BYTES);
    if (inputs->count)
        qsort(digests, inputs->count, sizeof *digests, compare_digests);
    for (size_t i = 0; i < inputs->count; i++) /* the same content under two names counts once */
        if (i == 0 || memcmp(digests[i], digests[i - 1], RW_SHA256_BYTES) != 0)
            rw_sha256_add(hash, digests[i], RW_SHA256_BYTES);
    free(digests);
    return RW_OK;
}

const unsigned char *rw_inputs_find(const rw_inputs *inputs, const char *path)
{
    for (size_t i = inputs->count; i-- > 0;)
        if (strcmp(inputs->items[i].path, path) == 0)
            return inputs->items[i].digest;
    return NULL;
}

/* --- for callers --- */

rw_status rw_inputs_begin(rw_context *context, rw_inputs **inputs)
{
    RW_TRY(rw_array_create(context, 1, sizeof **inputs, "the list of inputs", inputs));
    rw_inputs_open(*inputs);
    return RW_OK;
}

void rw_inputs_stop(rw_inputs *inputs)
{
    rw_inputs_close(inputs);
}

void rw_inputs_end(rw_inputs *inputs)
{
    if (!inputs)
        return;
    rw_inputs_free(inputs);
    free(inputs);
}

size_t rw_inputs_count(const rw_inputs *inputs)
{
    return inputs->count;
}

const char *rw_inputs_find_changed(rw_context *context, const rw_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (!has_content(context, &inputs->items[i]))
            return inputs->items[i].path;
    return NULL;
}

const char *rw_inputs_get(const rw_inputs *inputs, size_t index, char sha256[RW_SHA256_TEXT])
{
    rw_sha256_print(inputs->items[index].digest, sha256);
    return inputs->items[index].path;
}
