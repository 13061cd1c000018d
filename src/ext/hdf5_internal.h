/* Shared by the hdf5*.c files: the turn that a call takes, libhdf5's errors as sentences, types. */
#ifndef RW_EXT_HDF5_INTERNAL_H
#define RW_EXT_HDF5_INTERNAL_H

#include "ext/hdf5.h"

#include <hdf5.h>

/* How libhdf5 reported errors before the call. */
typedef struct rw_hdf5_guard {
    H5E_auto2_t report;
    void *report_data;
} rw_hdf5_guard;

/* Waits for the turn and silences libhdf5. Fails, with no turn taken, where the library loaded is not the one that this
 * was built for: libhdf5 itself would abort the program. */
rw_status rw_hdf5_enter(rw_context *context, rw_hdf5_guard *guard);
void rw_hdf5_leave(const rw_hdf5_guard *guard);

/* "path: what", and what libhdf5 said. Call at once: libhdf5 forgets its errors at its next call. */
rw_status rw_hdf5_fail(rw_context *context, rw_status status, const char *path, const char *format, ...)
    RW_PRINTF(4, 5);

/* Closes any handle; negative ones are those that were never opened. */
void rw_hdf5_close(hid_t handle);

size_t rw_hdf5_type_bytes(rw_hdf5_type type);
hid_t rw_hdf5_type_in_memory(rw_hdf5_type type); /* to be closed, as the next */
hid_t rw_hdf5_type_in_file(rw_hdf5_type type);
const char *rw_hdf5_type_name(rw_hdf5_type type);
int rw_hdf5_type_is_supported(rw_hdf5_type type);

/* Variable-length UTF-8: what h5py returns as str. Negative where it cannot be made. */
hid_t rw_hdf5_string_type(void);

#endif
