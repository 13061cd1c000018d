#include "network/claims.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* When a process started, in ticks since the machine did; 0 where that is not known. A number that a later process has
 * got again has another start. */
static unsigned long long read_process_start(long process)
{
    char path[64], content[1024];
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(content, 1, sizeof content - 1, file) : 0;
    if (file)
        fclose(file);
    content[got] = 0;
    char *at = strrchr(content, ')'); /* behind the name, which may hold anything; start is field 22 of the line */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    if (at)
        start = strtoull(at, NULL, 10);
    return start;
}

typedef struct owner {
    char machine[256];
    long process;
    unsigned long long start;
} owner;

static owner this_process(void)
{
    owner own = {.process = (long)getpid()};
    if (gethostname(own.machine, sizeof own.machine - 1) != 0)
        strcpy(own.machine, "unknown");
    own.start = read_process_start(own.process);
    return own;
}

static int read_owner(const char *path, owner *found)
{
    FILE *file = fopen(path, "r");
    int read = file ? fscanf(file, "%255s %ld %llu", found->machine, &found->process, &found->start) : 0;
    if (file)
        fclose(file);
    return read == 3;
}

/* A claim that is not written yet is judged by its time. */
rw_claim_state rw_claim_look(const char *path, double stale_s)
{
    struct stat about;
    owner found, own = this_process();
    if (stat(path, &about) != 0)
        return RW_CLAIM_FREE;
    if (read_owner(path, &found) && strcmp(found.machine, own.machine) == 0) {
        int gone = kill((pid_t)found.process, 0) != 0 && errno == ESRCH;
        unsigned long long start = gone ? 0 : read_process_start(found.process);
        return gone || (start && found.start && start != found.start) ? RW_CLAIM_DEAD : RW_CLAIM_HELD;
    }
    return difftime(time(NULL), about.st_mtime) > stale_s ? RW_CLAIM_DEAD : RW_CLAIM_HELD;
}

static rw_status write_owner(rw_context *context, int descriptor, const char *path)
{
    owner own = this_process();
    char content[400];
    int length = snprintf(content, sizeof content, "%s %ld %llu\n", own.machine, own.process, own.start);
    ssize_t written = write(descriptor, content, (size_t)length);
    int closed = close(descriptor);
    if (written == length && closed == 0)
        return RW_OK;
    unlink(path);
    return rw_fail(context, RW_IO, "%s cannot be written: %s", path, strerror(errno));
}

rw_status rw_claim_acquire(rw_context *context, const char *path, double stale_s, int *is_acquired)
{
    *is_acquired = 0;
    if (rw_claim_look(path, stale_s) == RW_CLAIM_DEAD)
        unlink(path);
    int descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST)
        return RW_OK;
    if (descriptor < 0)
        return rw_fail(context, RW_IO, "%s cannot be made: %s", path, strerror(errno));
    RW_TRY(write_owner(context, descriptor, path));
    *is_acquired = 1;
    return RW_OK;
}

void rw_claim_release(const char *path)
{
    unlink(path);
}

struct rw_heartbeat {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    double each_s;
    int stop;
    char paths[RW_HEARTBEAT_CLAIMS][4096];
};

static void touch_all(const rw_heartbeat *heartbeat)
{
    for (int i = 0; i < RW_HEARTBEAT_CLAIMS; i++)
        if (heartbeat->paths[i][0])
            utimensat(AT_FDCWD, heartbeat->paths[i], NULL, 0);
}

static void *beat(void *user)
{
    rw_heartbeat *heartbeat = user;
    pthread_mutex_lock(&heartbeat->lock);
    while (!heartbeat->stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (time_t)heartbeat->each_s + 1;
        touch_all(heartbeat);
        pthread_cond_timedwait(&heartbeat->wake, &heartbeat->lock, &until);
    }
    pthread_mutex_unlock(&heartbeat->lock);
    return NULL;
}

rw_status rw_heartbeat_start(rw_context *context, double each_s, rw_heartbeat **heartbeat)
{
    rw_heartbeat *new_heartbeat;
    RW_TRY(rw_array_create(context, 1, sizeof *new_heartbeat, "a heartbeat", &new_heartbeat));
    new_heartbeat->each_s = each_s;
    pthread_mutex_init(&new_heartbeat->lock, NULL);
    pthread_cond_init(&new_heartbeat->wake, NULL);
    if (pthread_create(&new_heartbeat->thread, NULL, beat, new_heartbeat) != 0) {
        free(new_heartbeat);
        return rw_fail(context, RW_OUT_OF_MEMORY, "no thread can be started");
    }
    *heartbeat = new_heartbeat;
    return RW_OK;
}

void rw_heartbeat_set(rw_heartbeat *heartbeat, int which, const char *path)
{
    pthread_mutex_lock(&heartbeat->lock);
    snprintf(heartbeat->paths[which], sizeof heartbeat->paths[which], "%s", path ? path : "");
    pthread_mutex_unlock(&heartbeat->lock);
}

void rw_heartbeat_stop(rw_heartbeat *heartbeat)
{
    if (!heartbeat)
        return;
    pthread_mutex_lock(&heartbeat->lock);
    heartbeat->stop = 1;
    pthread_cond_signal(&heartbeat->wake);
    pthread_mutex_unlock(&heartbeat->lock);
    pthread_join(heartbeat->thread, NULL);
    pthread_mutex_destroy(&heartbeat->lock);
    pthread_cond_destroy(&heartbeat->wake);
    free(heartbeat);
}
