/* The corner database as a file (street_tables.h). */
#include "base/file.h"
#include "base/maths/hash.h"
#include "base/memory.h"
#include "models/shadow/database/street_tables.h"

#include <stdlib.h>

#define FILE_VERSION 2
#define BYTE_ORDER_MARK 0x01020304u

static const char file_magic[8] = {'R', 'W', 'S', 'T', 'R', 'E', 'E', 'T'};

typedef struct street_header {
    char magic[8];
    uint32_t version, byte_order;
    rw_street_subject subject;
    uint64_t corner_count, chunk_count, link_count, entry_count;
    uint64_t payload_hash;
    uint64_t header_hash; /* of everything before */
} street_header;

/* One table of the file. */
typedef struct file_table {
    void **array;
    uint64_t count;
    size_t size;
} file_table;

#define TABLE_COUNT 6

static void list_tables(rw_street_tables *tables, file_table list[TABLE_COUNT])
{
    const file_table all[TABLE_COUNT] = {
        {(void **)&tables->link_firsts, tables->corner_count + 1, sizeof *tables->link_firsts},
        {(void **)&tables->link_to, tables->link_count, sizeof *tables->link_to},
        {(void **)&tables->link_highest, tables->link_count, sizeof *tables->link_highest},
        {(void **)&tables->entry_firsts, tables->chunk_count + 1, sizeof *tables->entry_firsts},
        {(void **)&tables->entry_corner, tables->entry_count, sizeof *tables->entry_corner},
        {(void **)&tables->heights, tables->entry_count * RW_CHUNK, sizeof *tables->heights}};
    memcpy(list, all, sizeof all);
}

double rw_street_tables_bytes(const rw_street_tables *tables)
{
    rw_street_tables copy = *tables;
    file_table list[TABLE_COUNT];
    double bytes = sizeof(street_header);
    list_tables(&copy, list);
    for (int i = 0; i < TABLE_COUNT; i++)
        bytes += (double)list[i].count * (double)list[i].size;
    return bytes;
}

static uint64_t hash_tables(const file_table list[TABLE_COUNT])
{
    uint64_t hash = RW_HASH_START;
    for (int i = 0; i < TABLE_COUNT; i++)
        hash = rw_hash(hash, *list[i].array, list[i].count * list[i].size);
    return hash;
}

rw_status rw_street_tables_write(rw_context *context, const char *path, const rw_street_tables *tables)
{
    rw_street_tables copy = *tables;
    file_table list[TABLE_COUNT];
    rw_file_writer writer;
    list_tables(&copy, list);
    street_header header = {.version = FILE_VERSION,
                            .byte_order = BYTE_ORDER_MARK,
                            .subject = tables->subject,
                            .corner_count = tables->corner_count,
                            .chunk_count = tables->chunk_count,
                            .link_count = tables->link_count,
                            .entry_count = tables->entry_count,
                            .payload_hash = hash_tables(list)};
    memcpy(header.magic, file_magic, sizeof file_magic);
    header.header_hash = rw_hash(RW_HASH_START, &header, offsetof(street_header, header_hash));
    RW_TRY(rw_file_begin(context, path, &writer));
    fwrite(&header, sizeof header, 1, writer.stream);
    for (int i = 0; i < TABLE_COUNT; i++)
        fwrite(*list[i].array, list[i].size, list[i].count, writer.stream);
    return rw_file_commit(context, &writer);
}

int rw_street_tables_recognise(const char *bytes, size_t size)
{
    return size >= sizeof file_magic && memcmp(bytes, file_magic, sizeof file_magic) == 0;
}

static rw_status check_header(rw_context *context, const char *path, const char *bytes, size_t size,
                              street_header *header)
{
    if (!rw_street_tables_recognise(bytes, size))
        return rw_fail(context, RW_BAD_INPUT, "%s is no corner database; rasterwave preprocess makes one", path);
    if (size < sizeof *header)
        return rw_fail(context, RW_BAD_INPUT, "%s ends within its header; make it again with rasterwave preprocess",
                       path);
    memcpy(header, bytes, sizeof *header);
    if (header->version != FILE_VERSION || header->byte_order != BYTE_ORDER_MARK)
        return rw_fail(context, RW_BAD_INPUT,
                       "%s was made by another version or on another kind of machine; make it again with rasterwave "
                       "preprocess",
                       path);
    if (header->header_hash != rw_hash(RW_HASH_START, header, offsetof(street_header, header_hash)))
        return rw_fail(context, RW_BAD_INPUT, "%s has a damaged header; make it again with rasterwave preprocess",
                       path);
    return RW_OK;
}

static rw_status copy_tables(rw_context *context, const char *bytes, const file_table list[TABLE_COUNT])
{
    for (int i = 0; i < TABLE_COUNT; i++) {
        RW_TRY(rw_array_create(context, list[i].count + 1, list[i].size, "the corner database", list[i].array));
        memcpy(*list[i].array, bytes, list[i].count * list[i].size);
        bytes += list[i].count * list[i].size;
    }
    return RW_OK;
}

/* Firsts that rise from 0 to count, and numbers of corners that exist. */
static int tables_hold(const uint32_t *firsts, uint64_t groups, const uint32_t *corners, uint64_t count,
                       uint64_t corner_count)
{
    int holds = firsts[0] == 0 && firsts[groups] == count;
    for (uint64_t i = 0; i < groups && holds; i++)
        holds = firsts[i] <= firsts[i + 1];
    for (uint64_t i = 0; i < count && holds; i++)
        holds = corners[i] < corner_count;
    return holds;
}

static rw_status read_tables(rw_context *context, const char *path, const char *bytes, size_t size,
                             rw_street_tables *tables)
{
    street_header header;
    file_table list[TABLE_COUNT];
    RW_TRY(check_header(context, path, bytes, size, &header));
    const uint64_t most = UINT32_MAX / RW_CHUNK;
    int fits = header.corner_count < most && header.chunk_count < most && header.link_count < UINT32_MAX &&
               header.entry_count < most;
    tables->subject = header.subject;
    tables->corner_count = header.corner_count;
    tables->chunk_count = header.chunk_count;
    tables->link_count = header.link_count;
    tables->entry_count = header.entry_count;
    if (!fits || rw_street_tables_bytes(tables) != (double)size)
        return rw_fail(context, RW_BAD_INPUT,
                       "%s is not as long as its header says; make it again with rasterwave "
                       "preprocess",
                       path);
    list_tables(tables, list);
    RW_TRY(copy_tables(context, bytes + sizeof header, list));
    if (header.payload_hash != hash_tables(list) ||
        !tables_hold(tables->link_firsts, tables->corner_count, tables->link_to, tables->link_count,
                     tables->corner_count) ||
        !tables_hold(tables->entry_firsts, tables->chunk_count, tables->entry_corner, tables->entry_count,
                     tables->corner_count))
        return rw_fail(context, RW_BAD_INPUT, "%s is damaged; make it again with rasterwave preprocess", path);
    return RW_OK;
}

rw_status rw_street_tables_read(rw_context *context, const char *path, rw_street_tables *tables)
{
    char *bytes;
    size_t size;
    *tables = (rw_street_tables){0};
    RW_TRY(rw_file_read(context, path, &bytes, &size));
    rw_status status = read_tables(context, path, bytes, size, tables);
    free(bytes);
    if (status != RW_OK)
        rw_street_tables_free(tables);
    return status;
}
