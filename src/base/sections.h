/* Heads and elements of a container's sections as they are in an open file: for its reader and for the writer that
 * resumes it. */
#ifndef RW_BASE_SECTIONS_H
#define RW_BASE_SECTIONS_H

#include "base/container.h"

/* Bytes that elements take in the file. */
size_t rw_section_padded(size_t bytes);

uint64_t rw_section_hash_header(const rw_container_header *header);
uint64_t rw_section_hash_head(const rw_container_head *head);

/* Reads the head at *at and goes behind its elements; 0 where head or elements are not whole. Elements are not looked
 * at. */
int rw_section_read_head(const rw_file_reader *file, uint64_t *at, rw_container_section *section);

/* Reads the elements into room for them where there is some, and tells whether they are those that were written. Where
 * elements is NULL, they are read in parts and only checked. The status is that of reading. */
rw_status rw_section_read(const rw_file_reader *file, const rw_container_section *section, void *elements, int *holds);

int rw_section_is(const rw_container_head *head, const char *name, size_t number, size_t element_bytes);
size_t rw_section_bytes(const rw_container_section *section);

#endif
