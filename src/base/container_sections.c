#include "base/container.h"

#include "base/maths/hash.h"

#include <stddef.h>
#include <string.h>

size_t rw_section_padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

uint64_t rw_section_hash_header(const rw_container_header *header)
{
    return rw_hash(RW_HASH_START, header, offsetof(rw_container_header, header_hash));
}

uint64_t rw_section_hash_head(const rw_container_head *head)
{
    return rw_hash(RW_HASH_START, head, offsetof(rw_container_head, head_hash));
}

static size_t count_section_bytes(const rw_container_section *section)
{
    return (size_t)section->head.count * section->head.element_bytes;
}

int rw_section_read_head(const rw_file_reader *file, uint64_t *at, rw_container_section *section)
{
    rw_container_head *head = &section->head;
    *section = (rw_container_section){0};
    if (*at > file->size || file->size - *at < sizeof *head || rw_file_read_at(file, *at, head, sizeof *head) != RW_OK)
        return 0;
    section->at = *at + sizeof *head;
    uint64_t left = file->size - section->at;
    if (!rw_container_hash_agrees(head->head_hash, rw_section_hash_head(head)) || head->name[sizeof head->name - 1] ||
        head->element_bytes == 0 || head->count > left / head->element_bytes)
        return 0;
    size_t elements = count_section_bytes(section);
    if (rw_section_padded(elements) < elements || rw_section_padded(elements) > left)
        return 0;
    *at = section->at + rw_section_padded(elements);
    return 1;
}

int rw_section_is(const rw_container_head *head, const char *name, size_t number, size_t element_bytes)
{
    return strcmp(head->name, name) == 0 && head->number == number && head->element_bytes == element_bytes;
}

static rw_status read_padding(const rw_file_reader *file, const rw_container_section *section, int *holds)
{
    static const char zeros[8];
    char padding[8];
    size_t size = count_section_bytes(section), bytes = rw_section_padded(size) - size;
    RW_TRY(rw_file_read_at(file, section->at + size, padding, bytes));
    *holds = memcmp(padding, zeros, bytes) == 0;
    return RW_OK;
}

/* The hash of elements that are read in parts. */
static rw_status hash_section_chunks(const rw_file_reader *file, const rw_container_section *section, uint64_t *hash)
{
    unsigned char chunk[1 << 14];
    size_t size = count_section_bytes(section), at = 0;
    *hash = RW_HASH_START;
    for (; size - at > sizeof chunk; at += sizeof chunk) {
        RW_TRY(rw_file_read_at(file, section->at + at, chunk, sizeof chunk));
        *hash = rw_hash_words(*hash, chunk, sizeof chunk);
    }
    RW_TRY(rw_file_read_at(file, section->at + at, chunk, size - at));
    *hash = rw_hash(*hash, chunk, size - at);
    return RW_OK;
}

rw_status rw_section_read(const rw_file_reader *file, const rw_container_section *section, void *elements, int *holds)
{
    size_t size = count_section_bytes(section);
    uint64_t hash;
    *holds = 0;
    if (elements) {
        RW_TRY(rw_file_read_at(file, section->at, elements, size));
        hash = rw_hash(RW_HASH_START, elements, size); /* of the copy: the file may change at any time */
    } else {
        RW_TRY(hash_section_chunks(file, section, &hash));
    }
    RW_TRY(read_padding(file, section, holds));
    *holds = *holds && rw_container_hash_agrees(section->head.hash, hash);
    return RW_OK;
}
