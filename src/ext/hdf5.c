/* The ground under the other hdf5_*.c files: one call at a time, libhdf5's errors as sentences, types. */
#include "ext/hdf5_internal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

/* Debian builds libhdf5 for threads, others do not: calls take turns everywhere. GDAL, which may load libhdf5 too, does
 * not wait for this turn; it comes to libhdf5 only where it opens a raster that is an HDF5 file. */
static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

/* Every file is closed by the call that opened it. At the end of the program libhdf5 would find nothing to save, but
 * would print its complaints about what a damaged file made it lose track of. */
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void leave_no_exit_handler(void)
{
    H5dont_atexit();
}

int rw_hdf5_is_in(void)
{
    return 1;
}

rw_status rw_hdf5_enter(rw_context *context, rw_hdf5_guard *guard)
{
    pthread_once(&prepared, leave_no_exit_handler);
    pthread_mutex_lock(&library_lock);
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    if (major != H5_VERS_MAJOR || minor != H5_VERS_MINOR || release != H5_VERS_RELEASE) {
        pthread_mutex_unlock(&library_lock);
        return rw_fail(context, RW_UNSUPPORTED,
                       "this program was built for HDF5 %d.%d.%d, but %u.%u.%u is installed; build it again",
                       H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, major, minor, release);
    }
    H5Eget_auto2(H5E_DEFAULT, &guard->report, &guard->report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return RW_OK;
}

void rw_hdf5_leave(const rw_hdf5_guard *guard)
{
    H5Eset_auto2(H5E_DEFAULT, guard->report, guard->report_data);
    pthread_mutex_unlock(&library_lock);
}

/* The first entry on the way up is where the error arose. */
static herr_t store_first_error(unsigned index, const H5E_error2_t *error, void *message)
{
    if (index == 0 && error->desc)
        snprintf(message, 300, ": %s", error->desc);
    return 0;
}

rw_status rw_hdf5_fail(rw_context *context, rw_status status, const char *path, const char *format, ...)
{
    char what[300], message[300] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, store_first_error, message);
    for (char *at = message; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    return rw_fail(context, status, "%s: %s%s", path, what, message);
}

void rw_hdf5_close(hid_t handle)
{
    if (handle >= 0)
        H5Idec_ref(handle);
}

int rw_hdf5_type_is_supported(rw_hdf5_type type)
{
    return (int)type >= RW_HDF5_FLOAT32 && (int)type <= RW_HDF5_COMPLEX64;
}

size_t rw_hdf5_type_bytes(rw_hdf5_type type)
{
    const size_t bytes[] = {4, 8, 4, 1, 4, 8, 8};
    return bytes[type];
}

const char *rw_hdf5_type_name(rw_hdf5_type type)
{
    const char *const names[] = {"float32", "float64", "int32", "uint8", "uint32", "uint64", "complex64"};
    return names[type];
}

/* A pair of floats, of the file or of memory. */
static hid_t open_complex(hid_t component)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, 8);
    if (type >= 0 && H5Tinsert(type, "r", 0, component) >= 0 && H5Tinsert(type, "i", 4, component) >= 0)
        return type;
    rw_hdf5_close(type);
    return H5I_INVALID_HID;
}

hid_t rw_hdf5_type_in_memory(rw_hdf5_type type)
{
    const hid_t types[] = {H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE, H5T_NATIVE_INT32,
                           H5T_NATIVE_UINT8, H5T_NATIVE_UINT32, H5T_NATIVE_UINT64};
    return type == RW_HDF5_COMPLEX64 ? open_complex(H5T_NATIVE_FLOAT) : H5Tcopy(types[type]);
}

hid_t rw_hdf5_type_in_file(rw_hdf5_type type)
{
    const hid_t types[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_U8LE, H5T_STD_U32LE, H5T_STD_U64LE};
    return type == RW_HDF5_COMPLEX64 ? open_complex(H5T_IEEE_F32LE) : H5Tcopy(types[type]);
}

hid_t rw_hdf5_string_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    rw_hdf5_close(type);
    return H5I_INVALID_HID;
}
