#include "base/container.h"

#include "base/maths/hash.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char file_magic[8] = {'R', 'W', 'K', 'E', 'P', 'T', '\r', '\n'};

/* Files of earlier versions, before there was a container, by their first bytes. */
static const struct {
    char magic[8];
    const char *kind;
} earlier[] = {{{'R', 'W', 'S', 'T', 'R', 'E', 'E', 'T'}, "corner database"},
               {{'R', 'W', 'T', 'I', 'L', 'E', 'S', '1'}, "tile database"},
               {{'R', 'W', 'B', 'E', 'A', 'M', 'S', '1'}, "kept beams"},
               {{'r', 'w', 'r', 'a', 'y', 's', '1', 0}, "kept rays"}};

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static uint64_t hash_header(const rw_container_header *header)
{
    return rw_hash(RW_HASH_START, header, offsetof(rw_container_header, header_hash));
}

static uint64_t hash_head(const rw_container_head *head)
{
    return rw_hash(RW_HASH_START, head, offsetof(rw_container_head, head_hash));
}

/* What the first bytes say that the file is: the name of its kind, NULL where it is none of the library's. The text may
 * be in the header. */
static const char *kind_of(const void *bytes, size_t size, const rw_container_header *header)
{
    if (size < sizeof file_magic)
        return NULL;
    if (memcmp(bytes, file_magic, sizeof file_magic) == 0)
        return size >= sizeof *header && !header->kind[sizeof header->kind - 1] ? header->kind : "";
    for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++)
        if (memcmp(bytes, earlier[i].magic, sizeof file_magic) == 0)
            return earlier[i].kind;
    return NULL;
}

rw_status rw_container_recognise(rw_context *context, const char *path, const rw_container_kind *kind, int *is)
{
    rw_container_header header = {0};
    size_t got;
    *is = 0;
    RW_TRY(rw_file_peek(context, path, (char *)&header, sizeof header, &got));
    const char *name = kind_of(&header, got, &header);
    *is = name && (!kind || strcmp(name, kind->name) == 0);
    return RW_OK;
}

/* --- refusals --- */

static const char *again_of(const rw_container *container)
{
    return container->kind ? container->kind->again : "make it again";
}

static rw_status refuse(const rw_container *container, const char *why)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s %s; %s", container->path, why, again_of(container));
}

static rw_status refuse_stranger(const rw_container *container)
{
    if (!container->kind)
        return rw_fail(container->context, RW_BAD_INPUT, "%s is no database and holds no kept paths", container->path);
    return rw_fail(container->context, RW_BAD_INPUT, "%s holds no %s; %s", container->path, container->kind->name,
                   container->kind->other);
}

static rw_status refuse_kind(const rw_container *container)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s is of the kind '%s', not '%s'; %s", container->path,
                   container->header.kind, container->kind->name, container->kind->other);
}

static rw_status refuse_version(const rw_container *container, int newer)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s was made by %s version of the program, %.31s; %s",
                   container->path, newer ? "a newer" : "an earlier", container->header.program, again_of(container));
}

static rw_status refuse_cut(const rw_container *container, uint64_t bytes)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s is cut short: %zu of at least %llu bytes are there; %s",
                   container->path, container->size, (unsigned long long)bytes, again_of(container));
}

rw_status rw_container_damaged(const rw_container *container, const char *name)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s is damaged at section '%.15s'; %s", container->path, name,
                   again_of(container));
}

rw_status rw_container_check_scene(const rw_container *container, uint64_t scene)
{
    return rw_container_hash_agrees(container->header.scene, scene)
               ? RW_OK
               : refuse(container, "was made for another scene or terrain than this one");
}

/* --- reading --- */

static uint32_t swapped(uint32_t value)
{
    return value >> 24 | (value >> 8 & 0xff00) | (value << 8 & 0xff0000) | value << 24;
}

/* What has the same place in all versions: magic, byte order, version. */
static rw_status check_start(rw_container *container)
{
    rw_container_header *header = &container->header;
    memcpy(header, container->bytes, container->size < sizeof *header ? container->size : sizeof *header);
    if (!kind_of(container->bytes, container->size, header))
        return refuse_stranger(container);
    if (memcmp(header->magic, file_magic, sizeof file_magic) != 0)
        return refuse(container, "was made by an earlier version of the program");
    if (container->size < sizeof *header)
        return refuse_cut(container, sizeof *header);
    if (header->byte_order == swapped(RW_CONTAINER_BYTE_ORDER))
        return refuse(container, "was made on a machine of another byte order");
    if (header->byte_order == RW_CONTAINER_BYTE_ORDER && header->version > RW_CONTAINER_VERSION)
        return refuse_version(container, 1);
    return RW_OK;
}

static rw_status check_header(const rw_container *container)
{
    const rw_container_header *header = &container->header;
    const rw_container_kind *kind = container->kind;
    if (header->byte_order != RW_CONTAINER_BYTE_ORDER || header->version != RW_CONTAINER_VERSION ||
        !rw_container_hash_agrees(header->header_hash, hash_header(header)) || header->kind[sizeof header->kind - 1] ||
        header->model[sizeof header->model - 1])
        return refuse(container, "has a damaged header");
    if (kind && strcmp(header->kind, kind->name) != 0)
        return refuse_kind(container);
    if (kind && header->kind_version != kind->version)
        return refuse_version(container, header->kind_version > kind->version);
    if (!header->finished)
        return rw_fail(container->context, RW_BAD_INPUT, "%s is not finished; the call that made it resumes it",
                       container->path);
    if (header->bytes > container->size)
        return refuse_cut(container, header->bytes);
    return header->bytes == container->size ? RW_OK : refuse(container, "is longer than its header says");
}

/* Reads the head at *at and goes behind its elements; 0 where head or elements are not whole. Elements are not looked
 * at. */
static int take_head(const unsigned char *bytes, size_t size, size_t *at, rw_container_section *section)
{
    rw_container_head *head = &section->head;
    if (*at > size || size - *at < sizeof *head)
        return 0;
    memcpy(head, bytes + *at, sizeof *head);
    section->at = *at + sizeof *head;
    size_t left = size - section->at;
    if (!rw_container_hash_agrees(head->head_hash, hash_head(head)) || head->name[sizeof head->name - 1] ||
        head->element_bytes == 0 || head->count > left / head->element_bytes)
        return 0;
    size_t elements = (size_t)head->count * head->element_bytes;
    if (padded(elements) < elements || padded(elements) > left)
        return 0;
    *at = section->at + padded(elements);
    return 1;
}

static size_t bytes_of(const rw_container_section *section)
{
    return (size_t)section->head.count * section->head.element_bytes;
}

/* Whether the elements are those that were written. */
static int elements_hold(const unsigned char *bytes, const rw_container_section *section)
{
    size_t size = bytes_of(section);
    for (size_t i = size; i < padded(size); i++)
        if (bytes[section->at + i])
            return 0;
    return rw_container_hash_agrees(section->head.hash, rw_hash(RW_HASH_START, bytes + section->at, size));
}

/* All heads, one after the other; sections may be NULL: then they are only checked. */
static rw_status walk_heads(const rw_container *container, rw_container_section *sections)
{
    const rw_container_header *header = &container->header;
    rw_container_section section = {0};
    uint64_t hash = RW_HASH_START, count = 0;
    size_t at = sizeof *header;
    while (at < container->size) {
        char before[sizeof section.head.name];
        memcpy(before, section.head.name, sizeof before);
        if (!take_head(container->bytes, container->size, &at, &section))
            return rw_fail(container->context, RW_BAD_INPUT, "%s is damaged after section '%.15s'; %s", container->path,
                           count ? before : "header", again_of(container));
        hash = rw_hash(hash, &section.head, sizeof section.head);
        if (sections)
            sections[count] = section;
        count++;
    }
    return count == header->section_count && rw_container_hash_agrees(header->heads_hash, hash)
               ? RW_OK
               : refuse(container, "has sections missing");
}

static rw_status open_mapped(rw_container *container)
{
    RW_TRY(check_start(container));
    RW_TRY(check_header(container));
    RW_TRY(walk_heads(container, NULL));
    container->section_count = (size_t)container->header.section_count;
    RW_TRY(rw_array_create(container->context, container->section_count, sizeof *container->sections, "sections",
                           &container->sections));
    return walk_heads(container, container->sections);
}

rw_status rw_container_open(rw_context *context, const char *path, const rw_container_kind *kind,
                            rw_container *container)
{
    *container = (rw_container){.context = context, .path = path, .kind = kind};
    RW_TRY(rw_file_map(context, path, &container->bytes, &container->size));
    rw_status status = open_mapped(container);
    if (status != RW_OK)
        rw_container_close(container);
    return status;
}

void rw_container_close(rw_container *container)
{
    rw_file_unmap(container->bytes, container->size);
    free(container->sections);
    container->bytes = NULL;
    container->sections = NULL;
    container->size = container->section_count = 0;
}

static int is_section(const rw_container_head *head, const char *name, size_t number, size_t element_bytes)
{
    return strcmp(head->name, name) == 0 && head->number == number && head->element_bytes == element_bytes;
}

rw_status rw_container_get(rw_container *container, const char *name, size_t number, size_t element_bytes,
                           const void *elements_out, size_t *count)
{
    for (size_t i = 0; i < container->section_count; i++) {
        size_t index = (container->next + i) % container->section_count; /* readers ask in the order of writers */
        const rw_container_section *section = &container->sections[index];
        if (!is_section(&section->head, name, number, element_bytes))
            continue;
        if (!elements_hold(container->bytes, section))
            break;
        container->next = index + 1;
        *(const void **)elements_out = container->bytes + section->at;
        *count = (size_t)section->head.count;
        return RW_OK;
    }
    return rw_container_damaged(container, name);
}

rw_status rw_container_copy(rw_container *container, const char *name, size_t number, size_t element_bytes,
                            void *elements_out, size_t *count)
{
    const void *elements = NULL;
    RW_TRY(rw_container_get(container, name, number, element_bytes, &elements, count));
    RW_TRY(rw_array_create(container->context, *count + 1, element_bytes, container->header.kind, elements_out));
    if (elements)
        memcpy(*(void **)elements_out, elements, *count * element_bytes);
    return RW_OK;
}

rw_status rw_container_get_one(rw_container *container, const char *name, size_t number, size_t element_bytes,
                               void *element)
{
    const void *elements = NULL;
    size_t count;
    RW_TRY(rw_container_get(container, name, number, element_bytes, &elements, &count));
    if (count != 1 || !elements)
        return rw_container_damaged(container, name);
    memcpy(element, elements, element_bytes);
    return RW_OK;
}

size_t rw_container_count(const rw_container *container, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < container->section_count; i++)
        count += strcmp(container->sections[i].head.name, name) == 0;
    return count;
}

rw_status rw_container_verify(const rw_container *container)
{
    for (size_t i = 0; i < container->section_count; i++)
        if (!elements_hold(container->bytes, &container->sections[i]))
            return rw_container_damaged(container, container->sections[i].head.name);
    return RW_OK;
}

/* --- writing --- */

static rw_container_header make_header(const rw_container_kind *kind, uint64_t scene)
{
    rw_container_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, file_magic, sizeof file_magic);
    header.byte_order = RW_CONTAINER_BYTE_ORDER;
    header.version = RW_CONTAINER_VERSION;
    snprintf(header.program, sizeof header.program, "%s", rw_version());
    snprintf(header.kind, sizeof header.kind, "%s", kind->name);
    snprintf(header.model, sizeof header.model, "%s", kind->model);
    header.kind_version = kind->version;
    header.scene = scene;
    header.header_hash = hash_header(&header);
    return header;
}

static void drop_left(rw_container_writer *writer)
{
    rw_file_unmap(writer->left, writer->left_size);
    writer->left = NULL;
    writer->left_size = 0;
}

/* What an earlier run left from here on is cut off; the next byte written is behind what was taken over. */
static rw_status cut_left(rw_container_writer *writer)
{
    drop_left(writer);
    return rw_file_cut(writer->context, &writer->file, writer->at);
}

/* Finds what an earlier run left: mapped where it starts with the same header. A run that was killed just before it
 * renamed the file has left it marked as finished. */
static void find_left(rw_container_writer *writer)
{
    rw_container_header found;
    if (rw_file_map(writer->context, writer->file.partial, &writer->left, &writer->left_size) != RW_OK)
        return; /* empty: just made */
    if (writer->left_size < sizeof found)
        return;
    memcpy(&found, writer->left, sizeof found);
    found.finished = 0;
    found.section_count = found.bytes = found.heads_hash = 0;
    found.header_hash = hash_header(&found);
    if (memcmp(&found, &writer->header, sizeof found) == 0)
        writer->at = sizeof found;
}

static rw_status start(rw_container_writer *writer)
{
    if (writer->resumable)
        find_left(writer);
    if (writer->at)
        return RW_OK;
    if (writer->resumable)
        RW_TRY(cut_left(writer));
    fwrite(&writer->header, sizeof writer->header, 1, writer->file.stream);
    writer->at = sizeof writer->header;
    return RW_OK;
}

rw_status rw_container_begin(rw_context *context, const char *path, const rw_container_kind *kind, uint64_t scene,
                             int resumable, rw_container_writer *writer)
{
    *writer = (rw_container_writer){
        .context = context, .resumable = resumable, .header = make_header(kind, scene), .heads_hash = RW_HASH_START};
    RW_TRY(resumable ? rw_file_resume(context, path, &writer->file) : rw_file_begin(context, path, &writer->file));
    rw_status status = start(writer);
    if (status != RW_OK)
        rw_container_abandon(writer);
    return status;
}

static void count_section(rw_container_writer *writer, const rw_container_head *head)
{
    writer->heads_hash = rw_hash(writer->heads_hash, head, sizeof *head);
    writer->section_count++;
    writer->at += sizeof *head + padded((size_t)head->count * head->element_bytes);
}

/* The next section that the earlier run left, where it is whole. */
static int next_left(const rw_container_writer *writer, rw_container_section *section)
{
    size_t at = (size_t)writer->at;
    return writer->left && take_head(writer->left, writer->left_size, &at, section) &&
           elements_hold(writer->left, section);
}

const void *rw_container_left(const rw_container_writer *writer, const char *name, size_t number, size_t element_bytes,
                              size_t *count)
{
    rw_container_section section;
    if (!next_left(writer, &section) || !is_section(&section.head, name, number, element_bytes))
        return NULL;
    *count = (size_t)section.head.count;
    return writer->left + section.at;
}

void rw_container_accept(rw_container_writer *writer)
{
    rw_container_section section;
    size_t at = (size_t)writer->at;
    if (take_head(writer->left, writer->left_size, &at, &section))
        count_section(writer, &section.head);
}

rw_status rw_container_write(rw_container_writer *writer, const char *name, size_t number, size_t element_bytes,
                             size_t count, const void *elements)
{
    static const char zeros[8];
    size_t bytes = count * element_bytes;
    elements = bytes ? elements : zeros;
    rw_container_section left;
    rw_container_head head;
    memset(&head, 0, sizeof head);
    snprintf(head.name, sizeof head.name, "%s", name);
    head.number = (uint32_t)number;
    head.element_bytes = (uint32_t)element_bytes;
    head.count = count;
    head.hash = rw_hash(RW_HASH_START, elements, bytes);
    head.head_hash = hash_head(&head);
    if (next_left(writer, &left) && memcmp(&left.head, &head, sizeof head) == 0) {
        count_section(writer, &head);
        return RW_OK;
    }
    if (writer->left)
        RW_TRY(cut_left(writer));
    /* write errors are found by rw_file_flush and rw_file_commit */
    fwrite(&head, sizeof head, 1, writer->file.stream);
    fwrite(elements, 1, bytes, writer->file.stream);
    fwrite(zeros, 1, padded(bytes) - bytes, writer->file.stream);
    count_section(writer, &head);
    return writer->resumable ? rw_file_flush(writer->context, &writer->file) : RW_OK;
}

rw_status rw_container_commit(rw_container_writer *writer)
{
    rw_container_header *header = &writer->header;
    rw_status status = writer->left ? cut_left(writer) : RW_OK;
    if (status == RW_OK)
        status = rw_file_flush(writer->context, &writer->file);
    if (status != RW_OK) {
        (writer->resumable ? rw_container_leave : rw_container_abandon)(writer);
        return status;
    }
    header->finished = 1;
    header->section_count = writer->section_count;
    header->bytes = writer->at;
    header->heads_hash = writer->heads_hash;
    header->header_hash = hash_header(header);
    rewind(writer->file.stream);
    fwrite(header, sizeof *header, 1, writer->file.stream);
    return rw_file_commit(writer->context, &writer->file);
}

void rw_container_abandon(rw_container_writer *writer)
{
    drop_left(writer);
    rw_file_abandon(&writer->file);
}

void rw_container_leave(rw_container_writer *writer)
{
    drop_left(writer);
    rw_file_leave(&writer->file);
}
