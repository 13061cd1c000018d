/* Named arrays and attributes to an HDF5 file. The file is made in memory by libhdf5's core driver: a write that fails
 * inside libhdf5 can leave its file open for good, whereas memory does not fill up like a disk. */
#include "ext/hdf5_internal.h"

#include "base/file.h"
#include "base/memory.h"

#include <string.h>

#define NAME_BYTES_MAX 512
/* Below this, chunks and filters cost more than they save. */
#define COMPRESS_BYTES_MIN ((size_t)16 << 10)
/* What libhdf5's chunk cache holds by default: one chunk is packed while it is there. */
#define CHUNK_BYTES_MAX ((size_t)1 << 20)
#define GROW_BYTES ((size_t)1 << 20)

struct output {
    rw_context *context;
    const char *path;
    hid_t file;
};

/* Elements of the set, which must be few enough that their bytes have a number. */
static int count_set_elements(const rw_hdf5_dataset *set, size_t *elements)
{
    double max_elements = (double)(SIZE_MAX / 16), product = 1;
    *elements = 1;
    for (int i = 0; i < set->rank; i++) {
        product *= set->shape[i] ? (double)set->shape[i] : 1;
        *elements *= set->shape[i];
    }
    return product <= max_elements;
}

/* A name that leads to the same place in every reader: parts between single slashes, none of them ".". */
static int is_name(const char *name)
{
    if (!name || !*name || strlen(name) >= NAME_BYTES_MAX)
        return 0;
    for (const char *component = name;; component++) {
        size_t length = strcspn(component, "/");
        if (length == 0 || (length == 1 && *component == '.'))
            return 0;
        component += length;
        if (!*component)
            return 1;
    }
}

static rw_status check_set(const struct output *output, const rw_hdf5_dataset *set, size_t *bytes)
{
    size_t elements;
    if (!is_name(set->name))
        return rw_fail(output->context, RW_BAD_CALL,
                       "%s: '%.60s' is no name for a dataset; names are parts with one slash between them",
                       output->path, set->name ? set->name : "");
    if (!rw_hdf5_type_is_supported(set->type) || set->rank < 0 || set->rank > RW_HDF5_RANK_MAX)
        return rw_fail(output->context, RW_BAD_CALL, "%s: the dataset %s has type %d and %d dimensions; at most %d are",
                       output->path, set->name, (int)set->type, set->rank, RW_HDF5_RANK_MAX);
    if (!count_set_elements(set, &elements))
        return rw_fail(output->context, RW_TOO_LARGE, "%s: the dataset %s has more values than memory has bytes",
                       output->path, set->name);
    if (elements > 0 && !set->values)
        return rw_fail(output->context, RW_BAD_CALL, "%s: the dataset %s has no values", output->path, set->name);
    *bytes = elements * rw_hdf5_type_bytes(set->type);
    return RW_OK;
}

static rw_status check_hdf5_call(const struct output *output, const rw_hdf5_dataset *sets, size_t count,
                                 const rw_hdf5_attribute *attributes, size_t attribute_count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bytes = 0;
        RW_TRY(check_set(output, &sets[i], &bytes));
        total += sets[i].compress ? 0 : (double)bytes;
    }
    for (size_t i = 0; i < attribute_count; i++)
        if (!attributes[i].name || !*attributes[i].name)
            return rw_fail(output->context, RW_BAD_CALL, "%s: attribute %zu has no name", output->path, i);
    if (!rw_memory_fits(total))
        return rw_fail(output->context, RW_TOO_LARGE,
                       "%s would need %.3g GB of memory while it is made, and %.3g GB is free; compress its datasets",
                       output->path, total / 1e9, rw_memory_available() / 1e9);
    return RW_OK;
}

/* value points to the value: for a text, to the pointer. */
static rw_status write_hdf5_attribute(const struct output *output, hid_t object, const char *name, hid_t type,
                                      const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR), creation = H5Pcreate(H5P_ATTRIBUTE_CREATE), attribute = H5I_INVALID_HID;
    rw_status status = RW_OK;
    if (space < 0 || creation < 0 || H5Pset_char_encoding(creation, H5T_CSET_UTF8) < 0 ||
        (attribute = H5Acreate2(object, name, type, space, creation, H5P_DEFAULT)) < 0 ||
        H5Awrite(attribute, type, value) < 0)
        status = rw_hdf5_fail(output->context, RW_IO, output->path, "writing the attribute %.100s failed", name);
    rw_hdf5_close(attribute);
    rw_hdf5_close(creation);
    rw_hdf5_close(space);
    return status;
}

static rw_status write_string_attribute(const struct output *output, hid_t object, const char *name, const char *string)
{
    hid_t type = rw_hdf5_string_type();
    if (type < 0)
        return rw_hdf5_fail(output->context, RW_IO, output->path, "writing the attribute %.100s failed", name);
    rw_status status = write_hdf5_attribute(output, object, name, type, &string);
    rw_hdf5_close(type);
    return status;
}

/* libhdf5 could make the groups on the way itself, but would put the time of day into them. */
static rw_status create_hdf5_groups(const struct output *output, const char *name)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    rw_status status = RW_OK;
    int prepared = creation >= 0 && H5Pset_obj_track_times(creation, 0) >= 0;
    for (const char *slash = strchr(name, '/'); slash && status == RW_OK; slash = strchr(slash + 1, '/')) {
        char group[NAME_BYTES_MAX];
        memcpy(group, name, (size_t)(slash - name));
        group[slash - name] = 0;
        htri_t exists = prepared ? H5Lexists(output->file, group, H5P_DEFAULT) : -1;
        if (exists > 0)
            continue;
        hid_t new_t = exists < 0 ? -1 : H5Gcreate2(output->file, group, H5P_DEFAULT, creation, H5P_DEFAULT);
        if (new_t < 0)
            status = rw_hdf5_fail(output->context, RW_BAD_CALL, output->path, "%s cannot be a group", group);
        rw_hdf5_close(new_t);
    }
    rw_hdf5_close(creation);
    return status;
}

/* Chunks of at most CHUNK_BYTES_MAX that keep the last dimensions whole: those are read together. */
static void choose_chunk(const rw_hdf5_dataset *set, hsize_t chunk[RW_HDF5_RANK_MAX])
{
    double bytes = (double)rw_hdf5_type_bytes(set->type);
    for (int i = 0; i < set->rank; i++) {
        chunk[i] = set->shape[i];
        bytes *= (double)set->shape[i];
    }
    for (int i = 0; i < set->rank; i++)
        while (bytes > (double)CHUNK_BYTES_MAX && chunk[i] > 1) {
            hsize_t half = (chunk[i] + 1) / 2;
            bytes *= (double)half / (double)chunk[i];
            chunk[i] = half;
        }
}

/* How the set is laid out; negative where libhdf5 fails. */
static hid_t plan_layout(const rw_hdf5_dataset *set, size_t bytes)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    int failed = creation < 0 || H5Pset_obj_track_times(creation, 0) < 0;
    if (!failed && set->compress && set->rank > 0 && bytes >= COMPRESS_BYTES_MIN &&
        H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        hsize_t chunk[RW_HDF5_RANK_MAX];
        choose_chunk(set, chunk);
        failed = H5Pset_chunk(creation, set->rank, chunk) < 0 || H5Pset_shuffle(creation) < 0 ||
                 H5Pset_deflate(creation, 4) < 0 || H5Pset_fletcher32(creation) < 0;
    }
    if (!failed)
        return creation;
    rw_hdf5_close(creation);
    return H5I_INVALID_HID;
}

static hid_t make_space(const rw_hdf5_dataset *set)
{
    hsize_t shape[RW_HDF5_RANK_MAX];
    for (int i = 0; i < set->rank; i++)
        shape[i] = set->shape[i];
    return set->rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(set->rank, shape, NULL);
}

static rw_status write_hdf5_dataset(const struct output *output, const rw_hdf5_dataset *set)
{
    size_t bytes = 0;
    RW_TRY(check_set(output, set, &bytes));
    RW_TRY(create_hdf5_groups(output, set->name));
    hid_t space = make_space(set), creation = plan_layout(set, bytes), links = H5Pcreate(H5P_LINK_CREATE);
    hid_t dataset = H5I_INVALID_HID, stored = rw_hdf5_type_in_file(set->type);
    hid_t memory_type = rw_hdf5_type_in_memory(set->type);
    rw_status status = RW_OK;
    if (stored < 0 || memory_type < 0 || space < 0 || creation < 0 || links < 0 ||
        H5Pset_char_encoding(links, H5T_CSET_UTF8) < 0 ||
        (dataset = H5Dcreate2(output->file, set->name, stored, space, links, creation, H5P_DEFAULT)) < 0)
        status = rw_hdf5_fail(output->context, RW_BAD_CALL, output->path, "making the dataset %s failed", set->name);
    else if (bytes > 0 && H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, set->values) < 0)
        status = rw_hdf5_fail(output->context, RW_IO, output->path, "writing the dataset %s failed", set->name);
    if (status == RW_OK && set->unit)
        status = write_string_attribute(output, dataset, "unit", set->unit);
    if (status == RW_OK && set->description)
        status = write_string_attribute(output, dataset, "description", set->description);
    rw_hdf5_close(dataset);
    rw_hdf5_close(stored);
    rw_hdf5_close(memory_type);
    rw_hdf5_close(links);
    rw_hdf5_close(creation);
    rw_hdf5_close(space);
    return status;
}

/* A file in memory that is never written by libhdf5; what is still open closes with it. HDF5 1.8's format has checksums
 * over most of what describes the data, which the oldest one has not. */
static hid_t open_in_memory(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE), file = H5I_INVALID_HID;
    if (access >= 0 && creation >= 0 && H5Pset_fapl_core(access, GROW_BYTES, 0) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0)
        file = H5Fcreate("rasterwave", H5F_ACC_TRUNC, creation, access);
    rw_hdf5_close(creation);
    rw_hdf5_close(access);
    return file;
}

/* The bytes of the file in memory to its place on disk, without a second copy of them. */
static rw_status publish_hdf5_file(const struct output *output)
{
    void **bytes = NULL;
    ssize_t size = -1;
    if (H5Fflush(output->file, H5F_SCOPE_GLOBAL) < 0 || (size = H5Fget_file_image(output->file, NULL, 0)) <= 0 ||
        H5Fget_vfd_handle(output->file, H5P_DEFAULT, (void **)&bytes) < 0 || !bytes || !*bytes)
        return rw_hdf5_fail(output->context, RW_IO, output->path, "finishing the file failed");
    rw_file_writer writer;
    RW_TRY(rw_file_begin(output->context, output->path, &writer));
    fwrite(*bytes, 1, (size_t)size, writer.stream);
    return rw_file_commit(output->context, &writer);
}

/* As an attribute, which is text to every reader, and as bytes, which can be read of files that are not trusted. */
static rw_status write_hdf5_provenance(const struct output *output)
{
    const char *string = output->context->provenance;
    if (!string)
        return RW_OK;
    rw_hdf5_dataset bytes = {.name = RW_PROVENANCE_KEY,
                             .description = "where the file came from, as UTF-8",
                             .type = RW_HDF5_UINT8,
                             .rank = 1,
                             .shape = {strlen(string)},
                             .values = string};
    RW_TRY(write_string_attribute(output, output->file, RW_PROVENANCE_KEY, string));
    return write_hdf5_dataset(output, &bytes);
}

static rw_status write_hdf5_contents(const struct output *output, const rw_hdf5_dataset *sets, size_t count,
                                     const rw_hdf5_attribute *attributes, size_t attribute_count)
{
    for (size_t i = 0; i < attribute_count; i++) {
        const rw_hdf5_attribute *attribute = &attributes[i];
        RW_TRY(attribute->string ? write_string_attribute(output, output->file, attribute->name, attribute->string)
                                 : write_hdf5_attribute(output, output->file, attribute->name, H5T_NATIVE_DOUBLE,
                                                        &attribute->number));
    }
    for (size_t i = 0; i < count; i++)
        RW_TRY(write_hdf5_dataset(output, &sets[i]));
    RW_TRY(write_hdf5_provenance(output));
    return publish_hdf5_file(output);
}

rw_status rw_hdf5_write(rw_context *context, const char *path, const rw_hdf5_dataset *sets, size_t count,
                        const rw_hdf5_attribute *attributes, size_t attribute_count)
{
    struct output output = {.context = context, .path = path, .file = H5I_INVALID_HID};
    RW_TRY(check_hdf5_call(&output, sets, count, attributes, attribute_count));
    rw_hdf5_guard guard;
    RW_TRY(rw_hdf5_enter(context, &guard));
    output.file = open_in_memory();
    rw_status status = output.file < 0 ? rw_hdf5_fail(context, RW_IO, path, "libhdf5 could not begin it")
                                       : write_hdf5_contents(&output, sets, count, attributes, attribute_count);
    rw_hdf5_close(output.file);
    rw_hdf5_leave(&guard);
    return status;
}
