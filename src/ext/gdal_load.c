#define RW_GDAL_LOADS
#include "ext/gdal_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* In place of a function that is not there. */
static void *return_nothing(void)
{
    return NULL;
}

#define RW_GDAL_CALL(name) .name##_ = (__typeof__(name) *)(void (*)(void))return_nothing,
rw_gdal_calls rw_gdal = {RW_GDAL_CALLS(RW_GDAL_CALL)};
#undef RW_GDAL_CALL

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static char load_error[300]; /* empty: it is there */

/* dlsym returns an object, which POSIX lets be a function. */
static int find_function(void *library, const char *name, void *function_out)
{
    void *found = dlsym(library, name);
    if (found)
        memcpy(function_out, &found, sizeof found);
    return found != NULL;
}

static void load_gdal(void)
{
    rw_gdal_calls calls = rw_gdal;
    void *library = dlopen(RW_GDAL_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    int complete = library != NULL;
#define RW_GDAL_CALL(name) complete = complete && find_function(library, #name, &calls.name##_);
    RW_GDAL_CALLS(RW_GDAL_CALL)
#undef RW_GDAL_CALL
    const char *reason = complete ? NULL : dlerror();
    if (complete)
        rw_gdal = calls;
    else
        snprintf(load_error, sizeof load_error, "GDAL cannot be loaded: %s", reason ? reason : RW_GDAL_LIBRARY);
}

int rw_gdal_load(const char **error)
{
    pthread_once(&loaded, load_gdal);
    *error = load_error;
    return !load_error[0];
}
