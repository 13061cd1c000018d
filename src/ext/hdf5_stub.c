/* Builds without HDF5: calls that would read or write a file report it. */
#include "ext/hdf5.h"

#include "base/stubs.h"

static rw_status report_missing_hdf5(rw_context *context, const char *path)
{
    return rw_fail(
        context, RW_UNSUPPORTED,
        "%s needs HDF5, which this build does not have; install it (libhdf5-dev) and build with -DRW_HDF5=ON, "
        "or use another format, such as CSV",
        path);
}

RW_STUB(int, rw_hdf5_is_in, (void), 0)

RW_STUB(rw_status, rw_hdf5_write,
        (rw_context * context, const char *path, const rw_hdf5_dataset *sets, size_t count,
         const rw_hdf5_attribute *attributes, size_t attribute_count),
        report_missing_hdf5(context, path))
RW_STUB(rw_status, rw_hdf5_read,
        (rw_context * context, const char *path, const char *name, rw_hdf5_type type, int max_rank, int *rank,
         size_t shape[RW_HDF5_RANK_MAX], void *values_out),
        (*(void **)values_out = NULL, report_missing_hdf5(context, path)))
RW_STUB(rw_status, rw_hdf5_read_string,
        (rw_context * context, const char *path, const char *object, const char *name, char *string, size_t size),
        report_missing_hdf5(context, path))
RW_STUB(rw_status, rw_hdf5_read_number,
        (rw_context * context, const char *path, const char *object, const char *name, double *number),
        report_missing_hdf5(context, path))
