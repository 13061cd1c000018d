/* Calls of the C library by their oldest versions, so that a wheel that was built with a new glibc runs with one
 * from 2.28 on (manylinux_2_28): the linker's --wrap leads each call here. The versions differ in how errors are
 * reported, which the library does not read, and in the library file that has them. stat and its relatives are
 * functions of their own only since 2.33; before, headers made them calls of __xstat. */
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#define STAT_VERSION 1
#elif defined(__aarch64__)
#define OLDEST "GLIBC_2.17"
#define STAT_VERSION 0
#else
#error "the oldest version of glibc on this processor is not listed here"
#endif

#define BIND(name) __asm__(".symver oldest_" #name "," #name "@" OLDEST)

#define WRAP_1(name)                                                                                                   \
    double oldest_##name(double x);                                                                                    \
    BIND(name);                                                                                                        \
    double __wrap_##name(double x);                                                                                    \
    double __wrap_##name(double x)                                                                                     \
    {                                                                                                                  \
        return oldest_##name(x);                                                                                       \
    }
#define WRAP_2(name)                                                                                                   \
    double oldest_##name(double x, double y);                                                                          \
    BIND(name);                                                                                                        \
    double __wrap_##name(double x, double y);                                                                          \
    double __wrap_##name(double x, double y)                                                                           \
    {                                                                                                                  \
        return oldest_##name(x, y);                                                                                    \
    }
#define WRAP_CALL(result, name, parameters, arguments)                                                                 \
    result oldest_##name parameters;                                                                                   \
    BIND(name);                                                                                                        \
    result __wrap_##name parameters;                                                                                   \
    result __wrap_##name parameters                                                                                    \
    {                                                                                                                  \
        return oldest_##name arguments;                                                                                \
    }

WRAP_1(exp)
WRAP_1(log)
WRAP_1(log2)
WRAP_2(pow)
WRAP_2(hypot)

typedef void *(*thread_start)(void *);
typedef void (*value_end)(void *);
typedef void (*once_call)(void);
WRAP_CALL(int, pthread_create, (pthread_t * thread, const pthread_attr_t *how, thread_start start, void *user),
          (thread, how, start, user))
WRAP_CALL(int, pthread_join, (pthread_t thread, void **result), (thread, result))
WRAP_CALL(int, pthread_once, (pthread_once_t * once, once_call call), (once, call))
WRAP_CALL(int, pthread_key_create, (pthread_key_t * key, value_end end), (key, end))
WRAP_CALL(void *, pthread_getspecific, (pthread_key_t key), (key))
WRAP_CALL(int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value))
WRAP_CALL(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *before), (how, set, before))

int __xstat(int version, const char *path, struct stat *found);
int __lxstat(int version, const char *path, struct stat *found);
int __fxstat(int version, int file, struct stat *found);

int __wrap_stat(const char *path, struct stat *found);
int __wrap_stat(const char *path, struct stat *found)
{
    return __xstat(STAT_VERSION, path, found);
}

int __wrap_lstat(const char *path, struct stat *found);
int __wrap_lstat(const char *path, struct stat *found)
{
    return __lxstat(STAT_VERSION, path, found);
}

int __wrap_fstat(int file, struct stat *found);
int __wrap_fstat(int file, struct stat *found)
{
    return __fxstat(STAT_VERSION, file, found);
}
