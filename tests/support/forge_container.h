/* Containers with right hashes and wrong contents: for what must be refused although it is whole, and for fuzz targets,
 * which would find nothing behind the hashes. */
#ifndef RW_TESTS_FORGE_CONTAINER_H
#define RW_TESTS_FORGE_CONTAINER_H

#include "base/container.h"
#include "base/maths/hash.h"

#include <stddef.h>
#include <string.h>

/* Makes the hash of a head right. */
static inline void forge_head(rw_container_head *head)
{
    head->head_hash = rw_hash(RW_HASH_START, head, offsetof(rw_container_head, head_hash));
}

/* Makes all hashes of a file right, and its header's counts: of as many sections as lie within the bytes. Elements that
 * a head claims beyond the end stay claimed. */
static inline void forge_container(unsigned char *bytes, size_t size)
{
    rw_container_header header;
    rw_container_head head;
    uint64_t hash = RW_HASH_START, count = 0;
    size_t at = sizeof header;
    if (size < sizeof header)
        return;
    memcpy(&header, bytes, sizeof header);
    while (at < size && size - at >= sizeof head) {
        memcpy(&head, bytes + at, sizeof head);
        size_t left = size - at - sizeof head;
        int inside = head.element_bytes && head.count <= left / head.element_bytes;
        size_t elements = inside ? (size_t)head.count * head.element_bytes : left;
        head.hash = rw_hash(RW_HASH_START, bytes + at + sizeof head, elements);
        forge_head(&head);
        memcpy(bytes + at, &head, sizeof head);
        hash = rw_hash(hash, &head, sizeof head);
        count++;
        at += sizeof head + (elements + 7) / 8 * 8;
    }
    header.section_count = count;
    header.heads_hash = hash;
    header.bytes = size;
    header.header_hash = rw_hash(RW_HASH_START, &header, offsetof(rw_container_header, header_hash));
    memcpy(bytes, &header, sizeof header);
}

#endif
