/* HDF5 files: named arrays of up to eight dimensions with units, for results that are read with h5py, MATLAB or Julia.
 *
 * Calls may come from several threads; they take turns, because libhdf5 is not built for threads everywhere. Files are
 * in the format of HDF5 1.8, so that older readers take them, and the same values give the same bytes. */
#ifndef RW_EXT_HDF5_H
#define RW_EXT_HDF5_H

#include "base/context.h"

#define RW_HDF5_RANK_MAX 8

typedef enum rw_hdf5_type {
    RW_HDF5_FLOAT32,
    RW_HDF5_FLOAT64,
    RW_HDF5_INT32,
    RW_HDF5_UINT8,
    RW_HDF5_UINT32,
    RW_HDF5_UINT64,
    RW_HDF5_COMPLEX64 /* two floats each, "r" and "i": what h5py and Julia read as complex numbers */
} rw_hdf5_type;

typedef struct rw_hdf5_dataset {
    const char *name;        /* "path_loss", or "group/path_loss": groups are made */
    const char *unit;        /* the attribute "unit"; NULL: none */
    const char *description; /* the attribute "description"; NULL: none */
    rw_hdf5_type type;
    int rank; /* 0: one value */
    size_t shape[RW_HDF5_RANK_MAX];
    const void *values; /* the last dimension runs fastest; may be NULL where a dimension is 0 */
    int compress;       /* shuffle and deflate, where the set is large enough to be worth it */
} rw_hdf5_dataset;

/* An attribute of the file: a text, or a number where text is NULL. */
typedef struct rw_hdf5_attribute {
    const char *name;
    const char *string;
    double number;
} rw_hdf5_attribute;

int rw_hdf5_is_in(void);

/* One file with these sets and attributes, written beside and renamed. It is made in memory first (as large as the
 * uncompressed sets and the compressed rest together), so that a full disk fails like that of any other file. */
rw_status rw_hdf5_write(rw_context *context, const char *path, const rw_hdf5_dataset *sets, size_t count,
                        const rw_hdf5_attribute *attributes, size_t attribute_count);

/* The values of one set, as type: refused where the file's own type does not fit into it without loss, where the set
 * has more than max_rank dimensions, and where it would not fit into memory. values_out is a pointer to the pointer;
 * free() it. Links to other files are not followed. Damaged files are refused as far as libhdf5 sees the damage. */
rw_status rw_hdf5_read(rw_context *context, const char *path, const char *name, rw_hdf5_type type, int max_rank,
                       int *rank, size_t shape[RW_HDF5_RANK_MAX], void *values_out);

/* An attribute of the set or group called object; "/" is the file. A text that is longer than size - 1 is refused.
 *
 * Texts only of files that can be trusted: they lie in the one part of a file without checksums (the global heap, which
 * is what makes them str in h5py), and libhdf5 1.10 never returns from some damage there. */
rw_status rw_hdf5_read_string(rw_context *context, const char *path, const char *object, const char *name, char *string,
                              size_t size);
rw_status rw_hdf5_read_number(rw_context *context, const char *path, const char *object, const char *name,
                              double *number);

#endif
