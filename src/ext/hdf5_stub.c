/* The stand-in for builds without HDF5: every call says so. */
#include "ext/hdf5.h"

int rw_hdf5_is_in(void)
{
    return 0;
}

static rw_status report_missing_hdf5(rw_context *context, const char *path)
{
    return rw_fail(context, RW_UNSUPPORTED,
                   "%s needs HDF5, which this build has not; install it (libhdf5-dev) and build with -DRW_HDF5=ON, or "
                   "take another format, such as CSV",
                   path);
}

rw_status rw_hdf5_write(rw_context *context, const char *path, const rw_hdf5_dataset *sets, size_t count,
                        const rw_hdf5_attribute *attributes, size_t attribute_count)
{
    (void)sets, (void)count, (void)attributes, (void)attribute_count;
    return report_missing_hdf5(context, path);
}

rw_status rw_hdf5_read(rw_context *context, const char *path, const char *name, rw_hdf5_type type, int max_rank,
                       int *rank, size_t shape[RW_HDF5_RANK_MAX], void *values_out)
{
    (void)name, (void)type, (void)max_rank, (void)rank, (void)shape;
    *(void **)values_out = NULL;
    return report_missing_hdf5(context, path);
}

rw_status rw_hdf5_read_string(rw_context *context, const char *path, const char *object, const char *name, char *string,
                              size_t size)
{
    (void)object, (void)name, (void)string, (void)size;
    return report_missing_hdf5(context, path);
}

rw_status rw_hdf5_read_number(rw_context *context, const char *path, const char *object, const char *name,
                              double *number)
{
    (void)object, (void)name, (void)number;
    return report_missing_hdf5(context, path);
}
