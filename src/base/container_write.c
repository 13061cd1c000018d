/* Writing containers, and resuming those that an earlier run left unfinished (container.h). */
#include "base/container.h"

#include "base/maths/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static rw_container_header build_container_header(const rw_container_kind *kind, uint64_t scene)
{
    rw_container_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, rw_container_magic, sizeof rw_container_magic);
    header.byte_order = RW_CONTAINER_BYTE_ORDER;
    header.version = RW_CONTAINER_VERSION;
    snprintf(header.program, sizeof header.program, "%s", rw_version());
    snprintf(header.kind, sizeof header.kind, "%s", kind->name);
    snprintf(header.model, sizeof header.model, "%s", kind->model);
    header.kind_version = kind->version;
    header.scene = scene;
    header.header_hash = rw_section_hash_header(&header);
    return header;
}

/* What an earlier run left from here on is cut off; the next byte written is behind what was taken over. */
static rw_status cut_left(rw_container_writer *writer)
{
    writer->has_left = 0;
    return rw_file_cut(writer->context, &writer->file, writer->at);
}

/* Finds what an earlier run left, where it starts with the same header. A run that was killed just before it renamed
 * the file has left it marked as finished. */
static rw_status find_left(rw_container_writer *writer)
{
    rw_container_header found;
    RW_TRY(rw_file_left(writer->context, &writer->file, &writer->left));
    if (writer->left.size < sizeof found)
        return RW_OK;
    RW_TRY(rw_file_read_at(&writer->left, 0, &found, sizeof found));
    found.finished = 0;
    found.section_count = found.bytes = found.heads_hash = 0;
    found.header_hash = rw_section_hash_header(&found);
    writer->has_left = memcmp(&found, &writer->header, sizeof found) == 0;
    writer->at = writer->has_left ? sizeof found : 0;
    return RW_OK;
}

static rw_status start_container(rw_container_writer *writer)
{
    if (writer->resumable) {
        RW_TRY(find_left(writer));
        if (writer->has_left)
            return RW_OK;
        RW_TRY(cut_left(writer));
    }
    fwrite(&writer->header, sizeof writer->header, 1, writer->file.stream);
    writer->at = sizeof writer->header;
    return RW_OK;
}

rw_status rw_container_begin(rw_context *context, const char *path, const rw_container_kind *kind, uint64_t scene,
                             int resumable, rw_container_writer *writer)
{
    *writer = (rw_container_writer){.context = context,
                                    .resumable = resumable,
                                    .header = build_container_header(kind, scene),
                                    .heads_hash = RW_HASH_START};
    RW_TRY(resumable ? rw_file_resume(context, path, &writer->file) : rw_file_begin(context, path, &writer->file));
    rw_status status = start_container(writer);
    if (status != RW_OK)
        rw_container_abandon(writer);
    return status;
}

static void count_section(rw_container_writer *writer, const rw_container_head *head)
{
    writer->heads_hash = rw_hash(writer->heads_hash, head, sizeof *head);
    writer->section_count++;
    writer->at += sizeof *head + rw_section_padded((size_t)head->count * head->element_bytes);
}

/* The head of the next section that the earlier run left. */
static int next_left(const rw_container_writer *writer, rw_container_section *section)
{
    uint64_t at = writer->at;
    return writer->has_left && rw_section_read_head(&writer->left, &at, section);
}

rw_status rw_container_left(const rw_container_writer *writer, const char *name, size_t number, size_t element_bytes,
                            void *elements_out, size_t *count)
{
    rw_container_section section;
    void *elements;
    int holds;
    *(void **)elements_out = NULL;
    *count = 0;
    if (!next_left(writer, &section) || !rw_section_is(&section.head, name, number, element_bytes))
        return RW_OK;
    size_t elements_count = (size_t)section.head.count;
    RW_TRY(rw_array_create(writer->context, elements_count + 1, element_bytes, name, &elements));
    rw_status status = rw_section_read(&writer->left, &section, elements, &holds);
    if (status != RW_OK || !holds) {
        free(elements);
        return status;
    }
    *(void **)elements_out = elements;
    *count = elements_count;
    return RW_OK;
}

void rw_container_accept(rw_container_writer *writer)
{
    rw_container_section section;
    if (next_left(writer, &section))
        count_section(writer, &section.head);
}

static rw_container_head make_head(const char *name, size_t number, size_t element_bytes, size_t count,
                                   const void *elements)
{
    rw_container_head head;
    memset(&head, 0, sizeof head);
    snprintf(head.name, sizeof head.name, "%s", name);
    head.number = (uint32_t)number;
    head.element_bytes = (uint32_t)element_bytes;
    head.count = count;
    head.hash = rw_hash(RW_HASH_START, elements, count * element_bytes);
    head.head_hash = rw_section_hash_head(&head);
    return head;
}

/* Whether the earlier run left this very section, undamaged. */
static rw_status is_left(const rw_container_writer *writer, const rw_container_head *head, int *is)
{
    rw_container_section left;
    *is = next_left(writer, &left) && memcmp(&left.head, head, sizeof *head) == 0;
    return *is ? rw_section_read(&writer->left, &left, NULL, is) : RW_OK;
}

rw_status rw_container_write(rw_container_writer *writer, const char *name, size_t number, size_t element_bytes,
                             size_t count, const void *elements)
{
    static const char zeros[8];
    size_t bytes = count * element_bytes;
    int is;
    elements = bytes ? elements : zeros;
    rw_container_head head = make_head(name, number, element_bytes, count, elements);
    RW_TRY(is_left(writer, &head, &is));
    if (is) {
        count_section(writer, &head);
        return RW_OK;
    }
    if (writer->has_left)
        RW_TRY(cut_left(writer));
    /* write errors are found by rw_file_flush and rw_file_commit */
    fwrite(&head, sizeof head, 1, writer->file.stream);
    fwrite(elements, 1, bytes, writer->file.stream);
    fwrite(zeros, 1, rw_section_padded(bytes) - bytes, writer->file.stream);
    count_section(writer, &head);
    return writer->resumable ? rw_file_flush(writer->context, &writer->file) : RW_OK;
}

/* Reads a resumed file again, before it gets its name: all that this run and the earlier ones have written. */
static rw_status verify_resumed(const rw_container_writer *writer)
{
    rw_file_reader file;
    uint64_t hash = RW_HASH_START, at = sizeof writer->header, count = 0;
    RW_TRY(rw_file_left(writer->context, &writer->file, &file));
    int holds = file.size == writer->at;
    while (holds && at < file.size) {
        rw_container_section section;
        holds = rw_section_read_head(&file, &at, &section);
        if (holds)
            RW_TRY(rw_section_read(&file, &section, NULL, &holds));
        hash = rw_hash(hash, &section.head, sizeof section.head);
        count++;
    }
    if (holds && hash == writer->heads_hash && count == writer->section_count)
        return RW_OK;
    return rw_fail(writer->context, RW_IO, "%s does not hold what was written to it; run again", writer->file.partial);
}

/* Hands all sections to the system and, where the file can be resumed, checks them there. */
static rw_status end_sections(rw_container_writer *writer)
{
    if (writer->has_left)
        RW_TRY(cut_left(writer));
    RW_TRY(rw_file_flush(writer->context, &writer->file));
    return writer->resumable ? verify_resumed(writer) : RW_OK;
}

rw_status rw_container_commit(rw_container_writer *writer)
{
    rw_container_header *header = &writer->header;
    rw_status status = end_sections(writer);
    if (status != RW_OK) {
        (writer->resumable ? rw_container_leave : rw_container_abandon)(writer);
        return status;
    }
    header->finished = 1;
    header->section_count = writer->section_count;
    header->bytes = writer->at;
    header->heads_hash = writer->heads_hash;
    header->header_hash = rw_section_hash_header(header);
    rewind(writer->file.stream);
    fwrite(header, sizeof *header, 1, writer->file.stream);
    return rw_file_commit(writer->context, &writer->file);
}

void rw_container_abandon(rw_container_writer *writer)
{
    rw_file_abandon(&writer->file);
}

void rw_container_leave(rw_container_writer *writer)
{
    rw_file_leave(&writer->file);
}
