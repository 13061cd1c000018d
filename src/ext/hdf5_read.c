/* Arrays and attributes out of HDF5 files that are not trusted: type, rank and size are looked at before anything is
 * taken, and no other file is opened because this one names it. */
#include "ext/hdf5_internal.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static rw_status open_file(rw_context *context, const char *path, hid_t *file)
{
    char start[8];
    size_t got;
    RW_TRY(rw_file_peek(context, path, start, sizeof start, &got));
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    int ready = access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0;
#if H5_VERSION_GE(1, 10, 7)
    /* Cluster file systems often know no locks, and a file that is only read needs none. */
    ready = ready && H5Pset_file_locking(access, 0, 1) >= 0;
#endif
    *file = ready ? H5Fopen(path, H5F_ACC_RDONLY, access) : H5I_INVALID_HID;
    rw_status status = RW_OK;
    if (*file < 0)
        status = rw_hdf5_fail(context, RW_BAD_INPUT, path, "cannot be read as an HDF5 file");
    rw_hdf5_close(access);
    return status;
}

static herr_t follow_no_link(const char *parent_file, const char *parent_group, const char *child_file,
                             const char *child, unsigned *flags, hid_t access, void *user)
{
    (void)parent_file, (void)parent_group, (void)child_file, (void)child, (void)flags, (void)access, (void)user;
    return -1;
}

/* A set, group or the file's root; links into other files fail. */
static rw_status open_object(rw_context *context, const char *path, hid_t file, const char *name, hid_t *object)
{
    hid_t access = H5Pcreate(H5P_LINK_ACCESS);
    rw_status status = RW_OK;
    if (access < 0 || H5Pset_elink_cb(access, follow_no_link, NULL) < 0 || (*object = H5Oopen(file, name, access)) < 0)
        status = rw_hdf5_fail(context, RW_NOT_FOUND, path, "%.100s cannot be opened", name);
    rw_hdf5_close(access);
    return status;
}

/* Every value of the file's type has the same value in the type asked for. */
static int hdf5_type_fits(hid_t stored, rw_hdf5_type type)
{
    if (type == RW_HDF5_COMPLEX64) {
        hid_t own = rw_hdf5_type_in_file(type);
        int same = own >= 0 && H5Tequal(stored, own) > 0;
        rw_hdf5_close(own);
        return same;
    }
    size_t stored_bytes = H5Tget_size(stored), bytes = rw_hdf5_type_bytes(type);
    if (type == RW_HDF5_FLOAT32 || type == RW_HDF5_FLOAT64)
        return H5Tget_class(stored) == H5T_FLOAT && stored_bytes > 0 && stored_bytes <= bytes;
    if (H5Tget_class(stored) != H5T_INTEGER || stored_bytes == 0)
        return 0;
    int is_signed = type == RW_HDF5_INT32, stored_is_signed = H5Tget_sign(stored) != H5T_SGN_NONE;
    return is_signed == stored_is_signed ? stored_bytes <= bytes : is_signed && stored_bytes < bytes;
}

/* Values that lie in other files (external storage, virtual sets) are not fetched. */
static int lies_in_file(hid_t dataset)
{
    hid_t creation = H5Dget_create_plist(dataset);
    int inside = creation >= 0 && H5Pget_layout(creation) != H5D_VIRTUAL && H5Pget_external_count(creation) == 0;
    rw_hdf5_close(creation);
    return inside;
}

/* The set's shape, and the product of it. */
static int read_dataspace_shape(hid_t space, int max_rank, int *rank, size_t shape[RW_HDF5_RANK_MAX], size_t *elements)
{
    hsize_t stored[RW_HDF5_RANK_MAX] = {0};
    H5S_class_t class = H5Sget_simple_extent_type(space);
    *rank = H5Sget_simple_extent_ndims(space);
    if ((class != H5S_SCALAR && class != H5S_SIMPLE) || *rank < 0 || *rank > max_rank || *rank > RW_HDF5_RANK_MAX)
        return 0;
    if (*rank > 0 && H5Sget_simple_extent_dims(space, stored, NULL) != *rank)
        return 0;
    double product = 1;
    *elements = 1;
    for (int i = 0; i < *rank; i++) {
        product *= stored[i] ? (double)stored[i] : 1;
        shape[i] = (size_t)stored[i];
        *elements *= shape[i];
    }
    return product <= (double)(SIZE_MAX / 16);
}

/* What the chunks of a set must be like. */
struct chunking {
    int rank;
    hsize_t shape[RW_HDF5_RANK_MAX]; /* of one chunk */
    hsize_t bytes;                   /* of one chunk, unpacked */
    unsigned packing, checksum;      /* which bits of a chunk's mask stand for such a filter */
};

static int read_chunking(hid_t creation, hid_t stored, int rank, struct chunking *chunking)
{
    *chunking = (struct chunking){.rank = rank, .bytes = H5Tget_size(stored)};
    int filters = H5Pget_nfilters(creation);
    if (H5Pget_chunk(creation, RW_HDF5_RANK_MAX, chunking->shape) != rank || filters < 0 || filters > 32)
        return 0;
    for (int i = 0; i < rank; i++) {
        if (chunking->shape[i] == 0)
            return 0;
        chunking->bytes *= chunking->shape[i];
    }
    for (int i = 0; i < filters; i++) {
        unsigned flags;
        size_t values = 0;
        H5Z_filter_t filter = H5Pget_filter2(creation, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        if (filter == H5Z_FILTER_FLETCHER32)
            chunking->checksum |= 1u << i;
        else if (filter != H5Z_FILTER_SHUFFLE)
            chunking->packing |= 1u << i;
    }
    return 1;
}

/* libhdf5 1.10 copies a whole chunk out of what its filters made, however little that is. A mask that says that the
 * chunk was never packed, beside packed bytes, would make it read beyond them. */
static int chunk_is_complete(hid_t dataset, const struct chunking *chunking, const hsize_t *offset)
{
    unsigned skipped = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info_by_coord(dataset, offset, &skipped, &address, &bytes) < 0)
        return 0;
    if (address == HADDR_UNDEF || (chunking->packing & ~skipped))
        return 1;
    return bytes == chunking->bytes + (chunking->checksum & ~skipped ? 4 : 0);
}

static int chunks_are_complete(hid_t dataset, hid_t stored, int rank, const size_t *shape)
{
    struct chunking chunking;
    hsize_t offset[RW_HDF5_RANK_MAX] = {0};
    hid_t creation = H5Dget_create_plist(dataset);
    int complete = creation >= 0, chunked = complete && H5Pget_layout(creation) == H5D_CHUNKED;
    if (chunked)
        complete = read_chunking(creation, stored, rank, &chunking);
    for (int i = 0; chunked && complete && i >= 0;) {
        complete = chunk_is_complete(dataset, &chunking, offset);
        for (i = rank - 1; i >= 0 && (offset[i] += chunking.shape[i]) >= shape[i]; i--)
            offset[i] = 0;
    }
    rw_hdf5_close(creation);
    return complete;
}

static rw_status read_dataset_values(rw_context *context, const char *path, const char *name, hid_t dataset,
                                     rw_hdf5_type type, size_t elements, void *values_out)
{
    void *values;
    RW_TRY(rw_array_create(context, elements, rw_hdf5_type_bytes(type), path, &values));
    hid_t wanted = rw_hdf5_type_in_memory(type);
    int failed = elements > 0 && H5Dread(dataset, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    rw_hdf5_close(wanted);
    if (failed) {
        rw_status status = rw_hdf5_fail(context, RW_BAD_INPUT, path, "the values of %.100s are damaged", name);
        free(values);
        return status;
    }
    *(void **)values_out = values;
    return RW_OK;
}

static rw_status read_set(rw_context *context, const char *path, const char *name, hid_t dataset, rw_hdf5_type type,
                          int max_rank, int *rank, size_t shape[RW_HDF5_RANK_MAX], void *values_out)
{
    hid_t stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
    size_t elements = 0;
    rw_status status;
    if (stored < 0 || space < 0)
        status = rw_hdf5_fail(context, RW_BAD_INPUT, path, "%.100s is damaged", name);
    else if (!lies_in_file(dataset))
        status = rw_fail(context, RW_BAD_INPUT, "%s: the values of %.100s lie in other files", path, name);
    else if (!hdf5_type_fits(stored, type))
        status = rw_fail(context, RW_BAD_INPUT, "%s: the values of %.100s are not such that %s holds them", path, name,
                         rw_hdf5_type_name(type));
    else if (!read_dataspace_shape(space, max_rank, rank, shape, &elements))
        status = rw_fail(context, RW_BAD_INPUT,
                         "%s: %.100s has %d dimensions or a size beyond memory; at most %d are "
                         "read",
                         path, name, *rank, max_rank);
    else if (elements > 0 && !chunks_are_complete(dataset, stored, *rank, shape))
        status = rw_fail(context, RW_BAD_INPUT, "%s: the chunks of %.100s are damaged", path, name);
    else
        status = read_dataset_values(context, path, name, dataset, type, elements, values_out);
    rw_hdf5_close(space);
    rw_hdf5_close(stored);
    return status;
}

rw_status rw_hdf5_read(rw_context *context, const char *path, const char *name, rw_hdf5_type type, int max_rank,
                       int *rank, size_t shape[RW_HDF5_RANK_MAX], void *values_out)
{
    *(void **)values_out = NULL;
    *rank = 0;
    if (!rw_hdf5_type_is_supported(type))
        return rw_fail(context, RW_BAD_CALL, "%s: there is no type %d of values", path, (int)type);
    rw_hdf5_guard guard;
    RW_TRY(rw_hdf5_enter(context, &guard));
    hid_t file = H5I_INVALID_HID, object = H5I_INVALID_HID;
    rw_status status = open_file(context, path, &file);
    if (status == RW_OK)
        status = open_object(context, path, file, name, &object);
    if (status == RW_OK && H5Iget_type(object) != H5I_DATASET)
        status = rw_fail(context, RW_BAD_INPUT, "%s: %.100s is no dataset", path, name);
    if (status == RW_OK)
        status = read_set(context, path, name, object, type, max_rank, rank, shape, values_out);
    rw_hdf5_close(object);
    rw_hdf5_close(file);
    rw_hdf5_leave(&guard);
    return status;
}

/* How an open attribute becomes a value. */
typedef rw_status read_value_fn(rw_context *context, const char *path, const char *name, hid_t attribute, hid_t stored,
                                void *value, size_t size);

static rw_status read_string_value(rw_context *context, const char *path, const char *name, hid_t attribute,
                                   hid_t stored, void *value, size_t size)
{
    if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) <= 0)
        return rw_fail(context, RW_BAD_INPUT, "%s: the attribute %.100s is no text of variable length", path, name);
    char *string = NULL;
    hid_t type = rw_hdf5_string_type();
    rw_status status = RW_OK;
    if (type < 0 || H5Tset_cset(type, H5Tget_cset(stored)) < 0 || H5Aread(attribute, type, &string) < 0)
        status = rw_hdf5_fail(context, RW_BAD_INPUT, path, "the attribute %.100s is damaged", name);
    else if (string && strlen(string) >= size)
        status = rw_fail(context, RW_BAD_INPUT, "%s: the attribute %.100s has %zu bytes; at most %zu are read", path,
                         name, strlen(string), size - 1);
    else
        strcpy(value, string ? string : "");
    if (string)
        H5free_memory(string);
    rw_hdf5_close(type);
    return status;
}

static rw_status read_number_value(rw_context *context, const char *path, const char *name, hid_t attribute,
                                   hid_t stored, void *value, size_t size)
{
    (void)size;
    if (!hdf5_type_fits(stored, RW_HDF5_FLOAT64))
        return rw_fail(context, RW_BAD_INPUT, "%s: the attribute %.100s is no number with a point", path, name);
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, value) < 0)
        return rw_hdf5_fail(context, RW_BAD_INPUT, path, "the attribute %.100s is damaged", name);
    return RW_OK;
}

static rw_status read_open_attribute(rw_context *context, const char *path, const char *name, hid_t object,
                                     read_value_fn *read_value, void *value, size_t size)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return rw_hdf5_fail(context, RW_NOT_FOUND, path, "there is no attribute %.100s", name);
    hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
    rw_status status;
    if (stored < 0 || space < 0)
        status = rw_hdf5_fail(context, RW_BAD_INPUT, path, "the attribute %.100s is damaged", name);
    else if (H5Sget_simple_extent_npoints(space) != 1)
        status = rw_fail(context, RW_BAD_INPUT, "%s: the attribute %.100s is not one value", path, name);
    else
        status = read_value(context, path, name, attribute, stored, value, size);
    rw_hdf5_close(space);
    rw_hdf5_close(stored);
    rw_hdf5_close(attribute);
    return status;
}

static rw_status read_object_attribute(rw_context *context, const char *path, const char *object_name, const char *name,
                                       read_value_fn *read_value, void *value, size_t size)
{
    rw_hdf5_guard guard;
    RW_TRY(rw_hdf5_enter(context, &guard));
    hid_t file = H5I_INVALID_HID, object = H5I_INVALID_HID;
    rw_status status = open_file(context, path, &file);
    if (status == RW_OK)
        status = open_object(context, path, file, object_name, &object);
    if (status == RW_OK)
        status = read_open_attribute(context, path, name, object, read_value, value, size);
    rw_hdf5_close(object);
    rw_hdf5_close(file);
    rw_hdf5_leave(&guard);
    return status;
}

rw_status rw_hdf5_read_string(rw_context *context, const char *path, const char *object, const char *name, char *string,
                              size_t size)
{
    return read_object_attribute(context, path, object, name, read_string_value, string, size);
}

rw_status rw_hdf5_read_number(rw_context *context, const char *path, const char *object, const char *name,
                              double *number)
{
    return read_object_attribute(context, path, object, name, read_number_value, number, sizeof *number);
}
