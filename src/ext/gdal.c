/* The ground under the other gdal_*.c files: drivers registered once, GDAL's errors caught, files in memory published.
 */
#include "ext/gdal_internal.h"

#include "base/file.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void register_drivers(void)
{
    GDALAllRegister();
}

int rw_gdal_is_in(void)
{
    return 1;
}

static void CPL_STDCALL catch_error(CPLErr class, CPLErrorNum number, const char *message)
{
    (void)number;
    rw_gdal_guard *guard = CPLGetErrorHandlerUserData();
    if (class < CE_Failure || guard->failed)
        return;
    guard->failed = 1;
    snprintf(guard->message, sizeof guard->message, "%s", message);
    for (char *at = guard->message; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
}

void rw_gdal_enter(rw_gdal_guard *guard)
{
    pthread_once(&registered, register_drivers);
    CPLPushErrorHandlerEx(catch_error, guard);
}

void rw_gdal_leave(void)
{
    CPLPopErrorHandler();
}

const char *rw_gdal_said(const rw_gdal_guard *guard, char text[420])
{
    text[0] = 0;
    if (guard->failed && guard->message[0])
        snprintf(text, 420, ": %s", guard->message);
    return text;
}

void rw_gdal_memory_path(const void *owner, const char *path, char memory_path[512])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    /* The end of the name is what drivers go by. */
    snprintf(memory_path, 512, "/vsimem/rasterwave-%p/%s", owner, length > 200 ? name + length - 200 : name);
}

rw_status rw_gdal_publish(rw_context *context, const char *memory_path, const char *path)
{
    vsi_l_offset size = 0;
    const void *bytes = VSIGetMemFileBuffer(memory_path, &size, FALSE);
    if (!bytes)
        return rw_fail(context, RW_INTERNAL, "%s: GDAL left no file in memory", path);
    rw_file_writer writer;
    rw_status status = rw_file_begin(context, path, &writer);
    if (status == RW_OK) {
        fwrite(bytes, 1, (size_t)size, writer.stream);
        status = rw_file_commit(context, &writer);
    }
    VSIUnlink(memory_path);
    return status;
}

int rw_gdal_recognises(const char *path)
{
    rw_gdal_guard guard = {0};
    rw_gdal_enter(&guard);
    GDALDriverH driver = GDALIdentifyDriverEx(path, GDAL_OF_VECTOR | GDAL_OF_RASTER, NULL, NULL);
    rw_gdal_leave();
    return driver != NULL;
}

int rw_gdal_is_raster(const char *path)
{
    rw_gdal_guard guard = {0};
    rw_gdal_enter(&guard);
    GDALDriverH vector = GDALIdentifyDriverEx(path, GDAL_OF_VECTOR, NULL, NULL);
    GDALDriverH raster = vector ? NULL : GDALIdentifyDriverEx(path, GDAL_OF_RASTER, NULL, NULL);
    rw_gdal_leave();
    return raster != NULL;
}
