#include "base/container.h"

#include "base/maths/hash.h"
#include "base/inputs.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const char rw_container_magic[8] = {'R', 'W', 'K', 'E', 'P', 'T', '\r', '\n'};

/* Files of earlier versions, before there was a container, by their first bytes. */
static const struct {
    char magic[8];
    const char *kind;
} earlier[] = {{{'R', 'W', 'S', 'T', 'R', 'E', 'E', 'T'}, "corner database"},
               {{'R', 'W', 'T', 'I', 'L', 'E', 'S', '1'}, "tile database"},
               {{'R', 'W', 'B', 'E', 'A', 'M', 'S', '1'}, "kept beams"},
               {{'r', 'w', 'r', 'a', 'y', 's', '1', 0}, "kept rays"}};

/* What the first bytes say that the file is: the name of its kind, NULL where it is none of the library's. The text may
 * be in the header. */
static const char *identify_file_kind(const void *bytes, size_t size, const rw_container_header *header)
{
    if (size < sizeof rw_container_magic)
        return NULL;
    if (memcmp(bytes, rw_container_magic, sizeof rw_container_magic) == 0)
        return size >= sizeof *header && !header->kind[sizeof header->kind - 1] ? header->kind : "";
    for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++)
        if (memcmp(bytes, earlier[i].magic, sizeof rw_container_magic) == 0)
            return earlier[i].kind;
    return NULL;
}

rw_status rw_container_recognise(rw_context *context, const char *path, const rw_container_kind *kind, int *is)
{
    rw_container_header header = {0};
    size_t got;
    *is = 0;
    RW_TRY(rw_file_peek(context, path, (char *)&header, sizeof header, &got));
    const char *name = identify_file_kind(&header, got, &header);
    *is = name && (!kind || strcmp(name, kind->name) == 0);
    return RW_OK;
}

/* --- refusals --- */

static const char *again_of(const rw_container *container)
{
    return container->kind ? container->kind->again : "make it again";
}

static rw_status reject_container(const rw_container *container, const char *why)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s %s; %s", container->path, why, again_of(container));
}

static rw_status reject_foreign_file(const rw_container *container)
{
    if (!container->kind)
        return rw_fail(container->context, RW_BAD_INPUT, "%s is no database and holds no kept paths", container->path);
    return rw_fail(container->context, RW_BAD_INPUT, "%s holds no %s; %s", container->path, container->kind->name,
                   container->kind->other);
}

static rw_status reject_container_kind(const rw_container *container)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s is of the kind '%s', not '%s'; %s", container->path,
                   container->header.kind, container->kind->name, container->kind->other);
}

static rw_status reject_container_version(const rw_container *container, int newer)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s was made by %s version of the program, %.31s; %s",
                   container->path, newer ? "a newer" : "an earlier", container->header.program, again_of(container));
}

static rw_status reject_truncated_container(const rw_container *container, uint64_t bytes)
{
    return rw_fail(container->context, RW_BAD_INPUT, "%s is cut short: %llu of at least %llu bytes are there; %s",
                   container->path, (unsigned long long)container->size, (unsigned long long)bytes,
                   again_of(container));
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
               : reject_container(container, "was made for another scene or terrain than this one");
}

/* --- reading --- */

static uint32_t swap_bytes(uint32_t value)
{
    return value >> 24 | (value >> 8 & 0xff00) | (value << 8 & 0xff0000) | value << 24;
}

/* What has the same place in all versions: magic, byte order, version. */
static rw_status check_start(rw_container *container)
{
    rw_container_header *header = &container->header;
    size_t got = container->size < sizeof *header ? (size_t)container->size : sizeof *header;
    RW_TRY(rw_file_read_at(&container->file, 0, header, got));
    if (!identify_file_kind(header, got, header))
        return reject_foreign_file(container);
    if (memcmp(header->magic, rw_container_magic, sizeof rw_container_magic) != 0)
        return reject_container(container, "was made by an earlier version of the program");
    if (container->size < sizeof *header)
        return reject_truncated_container(container, sizeof *header);
    if (header->byte_order == swap_bytes(RW_CONTAINER_BYTE_ORDER))
        return reject_container(container, "was made on a machine of another byte order");
    if (header->byte_order == RW_CONTAINER_BYTE_ORDER && header->version > RW_CONTAINER_VERSION)
        return reject_container_version(container, 1);
    return RW_OK;
}

static rw_status check_header(const rw_container *container)
{
    const rw_container_header *header = &container->header;
    const rw_container_kind *kind = container->kind;
    if (header->byte_order != RW_CONTAINER_BYTE_ORDER || header->version != RW_CONTAINER_VERSION ||
        !rw_container_hash_agrees(header->header_hash, rw_section_hash_header(header)) ||
        header->kind[sizeof header->kind - 1] || header->model[sizeof header->model - 1])
        return reject_container(container, "has a damaged header");
    if (kind && strcmp(header->kind, kind->name) != 0)
        return reject_container_kind(container);
    if (kind && header->kind_version != kind->version)
        return reject_container_version(container, header->kind_version > kind->version);
    if (!header->finished)
        return rw_fail(container->context, RW_BAD_INPUT, "%s is not finished; the call that made it resumes it",
                       container->path);
    if (header->bytes > container->size)
        return reject_truncated_container(container, header->bytes);
    return header->bytes == container->size ? RW_OK : reject_container(container, "is longer than its header says");
}

/* All heads, one after the other. */
static rw_status walk_heads(rw_container *container)
{
    const rw_container_header *header = &container->header;
    uint64_t hash = RW_HASH_START, at = sizeof *header;
    size_t count = 0;
    while (at < container->size && count < header->section_count) {
        rw_container_section *section = &container->sections[count];
        if (!rw_section_read_head(&container->file, &at, section))
            return rw_fail(container->context, RW_BAD_INPUT, "%s is damaged after section '%.15s'; %s", container->path,
                           count ? section[-1].head.name : "header", again_of(container));
        hash = rw_hash(hash, &section->head, sizeof section->head);
        count++;
    }
    container->section_count = count;
    return at == container->size && count == header->section_count && rw_container_hash_agrees(header->heads_hash, hash)
               ? RW_OK
               : reject_container(container, "has sections missing");
}

static rw_status read_start(rw_container *container)
{
    const rw_container_header *header = &container->header;
    RW_TRY(check_start(container));
    RW_TRY(check_header(container));
    if (header->section_count > (container->size - sizeof *header) / sizeof(rw_container_head))
        return reject_container(container, "has sections missing");
    RW_TRY(rw_array_create(container->context, (size_t)header->section_count, sizeof *container->sections, "sections",
                           &container->sections));
    return walk_heads(container);
}

rw_status rw_container_open(rw_context *context, const char *path, const rw_container_kind *kind,
                            rw_container *container)
{
    *container = (rw_container){.context = context, .path = path, .kind = kind};
    RW_TRY(rw_file_open(context, path, &container->file));
    container->size = container->file.size;
    rw_status status = read_start(container);
    if (status == RW_OK) /* with the hashes of all sections, each of which is checked as it is read */
        status = rw_input_record_bytes(context, path, &container->header, sizeof container->header);
    if (status != RW_OK)
        rw_container_close(container);
    return status;
}

void rw_container_close(rw_container *container)
{
    rw_file_close(&container->file);
    free(container->sections);
    container->sections = NULL;
    container->size = container->section_count = 0;
}

static const rw_container_section *find_section(rw_container *container, const char *name, size_t number,
                                                size_t element_bytes)
{
    for (size_t i = 0; i < container->section_count; i++) {
        size_t index = (container->next + i) % container->section_count; /* readers ask in the order of writers */
        if (!rw_section_is(&container->sections[index].head, name, number, element_bytes))
            continue;
        container->next = index + 1;
        return &container->sections[index];
    }
    return NULL;
}

rw_status rw_container_copy(rw_container *container, const char *name, size_t number, size_t element_bytes,
                            void *elements_out, size_t *count)
{
    const rw_container_section *section = find_section(container, name, number, element_bytes);
    void *elements;
    int holds;
    *(void **)elements_out = NULL;
    *count = 0;
    if (!section)
        return rw_container_damaged(container, name);
    size_t elements_count = (size_t)section->head.count;
    RW_TRY(rw_array_create(container->context, elements_count + 1, element_bytes, container->header.kind, &elements));
    rw_status status = rw_section_read(&container->file, section, elements, &holds);
    if (status == RW_OK && !holds)
        status = rw_container_damaged(container, name);
    if (status != RW_OK) {
        free(elements);
        return status;
    }
    *(void **)elements_out = elements;
    *count = elements_count;
    return RW_OK;
}

rw_status rw_container_get_one(rw_container *container, const char *name, size_t number, size_t element_bytes,
                               void *element)
{
    const rw_container_section *section = find_section(container, name, number, element_bytes);
    int holds;
    if (!section || section->head.count != 1)
        return rw_container_damaged(container, name);
    RW_TRY(rw_section_read(&container->file, section, element, &holds));
    return holds ? RW_OK : rw_container_damaged(container, name);
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
    for (size_t i = 0; i < container->section_count; i++) {
        int holds;
        RW_TRY(rw_section_read(&container->file, &container->sections[i], NULL, &holds));
        if (!holds)
            return rw_container_damaged(container, container->sections[i].head.name);
    }
    return RW_OK;
}
