#include "models/tiles/database/tile_file.h"

#include "base/file.h"
#include "base/maths/hash.h"
#include "base/memory.h"
#include "visibility/tiles/tile_sight.k.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define FILE_VERSION 1
#define BYTE_ORDER_MARK 0x01020304u

static const char file_magic[8] = {'R', 'W', 'T', 'I', 'L', 'E', 'S', '1'};

typedef struct tile_header {
    char magic[8];
    uint32_t version, byte_order, record_rows, finished;
    rw_tile_subject subject;
    uint64_t word_count, entry_count; /* of the finished file */
    uint64_t tables_hash;             /* of keys and obstacles */
    uint64_t header_hash;             /* of everything before */
} tile_header;

typedef struct tile_record {
    uint32_t first_tile, row_count;
    uint64_t bytes, word_count, entry_count; /* bytes are padded to a multiple of eight */
    uint64_t payload_hash;
    uint64_t record_hash; /* of everything before */
} tile_record;

static size_t padded(uint64_t bytes)
{
    return (size_t)(bytes + 7) / 8 * 8;
}

static tile_header make_header(const rw_tile_subject *subject, uint64_t tables_hash)
{
    tile_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, file_magic, sizeof file_magic);
    header.version = FILE_VERSION;
    header.byte_order = BYTE_ORDER_MARK;
    header.record_rows = RW_TILE_RECORD_ROWS;
    header.subject = *subject;
    header.tables_hash = tables_hash;
    header.header_hash = rw_hash(RW_HASH_START, &header, offsetof(tile_header, header_hash));
    return header;
}

static uint64_t hash_tables(const rw_tile_subject *subject, const uint64_t *keys, const rw_tile_obstacle *obstacles)
{
    uint64_t hash = rw_hash(RW_HASH_START, keys, subject->tile_count * sizeof *keys);
    return rw_hash(hash, obstacles, subject->obstacle_count * sizeof *obstacles);
}

static rw_status fail_writing(rw_tile_file_writer *writer)
{
    return rw_fail(writer->context, errno == ENOSPC || errno == EIO ? RW_IO : RW_NOT_WRITABLE, "%s: writing failed: %s",
                   writer->unfinished, strerror(errno));
}

/* Reads a record's head and takes its rows as given, where it is whole; 0 at the end and at what is damaged. */
static int accept_record(rw_tile_file_writer *writer)
{
    tile_record record;
    if (fread(&record, sizeof record, 1, writer->stream) != 1 ||
        record.record_hash != rw_hash(RW_HASH_START, &record, offsetof(tile_record, record_hash)) ||
        record.first_tile != writer->next_tile || record.bytes > UINT32_MAX)
        return 0;
    size_t size = padded(record.bytes);
    writer->bytes.count = 0;
    if (RW_ARRAY_RESERVE(writer->context, writer->bytes, size, "coded rows of tiles") != RW_OK ||
        fread(writer->bytes.items, 1, size, writer->stream) != size ||
        rw_hash(RW_HASH_START, writer->bytes.items, size) != record.payload_hash)
        return 0;
    writer->next_tile += record.row_count;
    writer->word_count += record.word_count;
    writer->entry_count += record.entry_count;
    return 1;
}

/* Takes over the whole records of an unfinished file of the same subject; what follows them is cut off. */
static int take_over(rw_tile_file_writer *writer, const tile_header *wanted, size_t tables)
{
    tile_header found;
    rewind(writer->stream);
    if (fread(&found, sizeof found, 1, writer->stream) != 1 || memcmp(&found, wanted, sizeof found) != 0 ||
        fseek(writer->stream, (long)(sizeof found + tables), SEEK_SET) != 0)
        return 0;
    long end;
    do
        end = ftell(writer->stream);
    while (accept_record(writer));
    return fseek(writer->stream, end, SEEK_SET) == 0 && ftruncate(fileno(writer->stream), end) == 0;
}

static rw_status start_anew(rw_tile_file_writer *writer, const rw_tile_identity *identity, const tile_header *header)
{
    writer->next_tile = 0;
    writer->word_count = writer->entry_count = 0;
    rewind(writer->stream);
    if (ftruncate(fileno(writer->stream), 0) != 0)
        return fail_writing(writer);
    fwrite(header, sizeof *header, 1, writer->stream);
    fwrite(identity->keys, sizeof *identity->keys, header->subject.tile_count, writer->stream);
    fwrite(identity->obstacles, sizeof *identity->obstacles, header->subject.obstacle_count, writer->stream);
    return fflush(writer->stream) == 0 ? RW_OK : fail_writing(writer);
}

rw_status rw_tile_file_begin(rw_context *context, const char *path, const rw_tile_identity *identity,
                             rw_tile_file_writer *writer)
{
    *writer = (rw_tile_file_writer){.context = context, .subject = identity->subject};
    if (strlen(path) >= sizeof writer->path)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    strcpy(writer->path, path);
    snprintf(writer->unfinished, sizeof writer->unfinished, "%s.unfinished", path);
    writer->stream = fopen(writer->unfinished, "r+b");
    if (!writer->stream)
        writer->stream = fopen(writer->unfinished, "w+b");
    if (!writer->stream)
        return fail_writing(writer);
    if (flock(fileno(writer->stream), LOCK_EX | LOCK_NB) != 0) {
        fclose(writer->stream);
        writer->stream = NULL;
        return rw_fail(context, RW_NOT_WRITABLE, "%s is being written by another run", path);
    }
    const rw_tile_subject *subject = &writer->subject;
    tile_header header = make_header(subject, hash_tables(subject, identity->keys, identity->obstacles));
    size_t tables = subject->tile_count * sizeof *identity->keys;
    tables += subject->obstacle_count * sizeof *identity->obstacles;
    rw_status status = take_over(writer, &header, tables) ? RW_OK : start_anew(writer, identity, &header);
    if (status != RW_OK)
        rw_tile_file_leave(writer);
    return status;
}

static rw_status append_record(rw_tile_file_writer *writer, const rw_tile_half *half, uint32_t row, uint32_t rows)
{
    tile_record record;
    memset(&record, 0, sizeof record);
    writer->bytes.count = 0;
    RW_TRY(rw_tile_rows_encode(writer->context, half, row, rows, &writer->bytes));
    RW_TRY(RW_ARRAY_RESERVE(writer->context, writer->bytes, 8, "coded rows of tiles"));
    record.bytes = writer->bytes.count;
    while (writer->bytes.count % 8)
        writer->bytes.items[writer->bytes.count++] = 0;
    record.first_tile = half->first_tile + row;
    record.row_count = rows;
    record.word_count = half->firsts.items[row + rows] - half->firsts.items[row];
    for (uint64_t i = half->firsts.items[row]; i < half->firsts.items[row + rows]; i++)
        record.entry_count += 2 * rw_bit_count(half->masks.items[i]);
    record.payload_hash = rw_hash(RW_HASH_START, writer->bytes.items, writer->bytes.count);
    record.record_hash = rw_hash(RW_HASH_START, &record, offsetof(tile_record, record_hash));
    fwrite(&record, sizeof record, 1, writer->stream);
    fwrite(writer->bytes.items, 1, writer->bytes.count, writer->stream);
    writer->word_count += record.word_count;
    writer->entry_count += record.entry_count;
    writer->next_tile += rows;
    return ferror(writer->stream) ? fail_writing(writer) : RW_OK;
}

rw_status rw_tile_file_append(rw_tile_file_writer *writer, const rw_tile_half *half)
{
    uint32_t end = half->first_tile + half->row_count;
    if (half->first_tile > writer->next_tile)
        return rw_fail(writer->context, RW_INTERNAL, "rows of tiles are missing before row %u", half->first_tile);
    while (writer->next_tile < end) {
        uint32_t rest = end - writer->next_tile, rows = rest < RW_TILE_RECORD_ROWS ? rest : RW_TILE_RECORD_ROWS;
        if (rows < RW_TILE_RECORD_ROWS && end != writer->subject.tile_count)
            return rw_fail(writer->context, RW_INTERNAL, "rows of tiles end within a record");
        RW_TRY(append_record(writer, half, writer->next_tile - half->first_tile, rows));
    }
    return fflush(writer->stream) == 0 ? RW_OK : fail_writing(writer);
}

rw_status rw_tile_file_commit(rw_tile_file_writer *writer)
{
    tile_header header;
    rw_status status = RW_OK;
    rewind(writer->stream);
    if (fread(&header, sizeof header, 1, writer->stream) != 1)
        status = fail_writing(writer);
    header.finished = 1;
    header.word_count = writer->word_count;
    header.entry_count = writer->entry_count;
    header.header_hash = rw_hash(RW_HASH_START, &header, offsetof(tile_header, header_hash));
    rewind(writer->stream);
    if (status == RW_OK && (fwrite(&header, sizeof header, 1, writer->stream) != 1 || fflush(writer->stream) != 0))
        status = fail_writing(writer);
    if (status == RW_OK)
        status = rw_file_rename(writer->context, writer->unfinished, writer->path);
    rw_tile_file_leave(writer);
    return status;
}

void rw_tile_file_leave(rw_tile_file_writer *writer)
{
    if (writer->stream && writer->next_tile == 0) /* nothing to go on with */
        unlink(writer->unfinished);
    if (writer->stream)
        fclose(writer->stream);
    free(writer->bytes.items);
    writer->stream = NULL;
    writer->bytes.items = NULL;
    writer->bytes.count = writer->bytes.capacity = 0;
}

int rw_tile_file_recognise(const char *bytes, size_t size)
{
    return size >= sizeof file_magic && memcmp(bytes, file_magic, sizeof file_magic) == 0;
}

static rw_status refuse(rw_context *context, const char *path, const char *why)
{
    return rw_fail(context, RW_BAD_INPUT, "%s %s; make it again with rasterwave preprocess --model tiles", path, why);
}

static rw_status check_header(rw_context *context, const char *path, const rw_tile_file *file, tile_header *header)
{
    if (!rw_tile_file_recognise((const char *)file->bytes, file->size))
        return rw_fail(context, RW_BAD_INPUT,
                       "%s is no database of tiles; rasterwave preprocess --model tiles makes one", path);
    if (file->size < sizeof *header)
        return refuse(context, path, "ends within its header");
    memcpy(header, file->bytes, sizeof *header);
    if (header->version != FILE_VERSION || header->byte_order != BYTE_ORDER_MARK)
        return refuse(context, path, "was made by another version or on another kind of machine");
    if (header->header_hash != rw_hash(RW_HASH_START, header, offsetof(tile_header, header_hash)) ||
        header->record_rows != RW_TILE_RECORD_ROWS || header->subject.ground[RW_NAME_MAX - 1])
        return refuse(context, path, "has a damaged header");
    if (!header->finished)
        return rw_fail(context, RW_BAD_INPUT,
                       "%s is not finished; the same call of rasterwave preprocess goes on with it", path);
    return RW_OK;
}

static rw_status open_mapped(rw_context *context, const char *path, rw_tile_file *file)
{
    tile_header header;
    RW_TRY(check_header(context, path, file, &header));
    file->subject = header.subject;
    file->word_count = header.word_count;
    file->entry_count = header.entry_count;
    double tables = (double)header.subject.tile_count * sizeof *file->keys;
    tables += (double)header.subject.obstacle_count * sizeof *file->obstacles;
    if ((double)sizeof header + tables > (double)file->size)
        return refuse(context, path, "is shorter than its header says");
    file->keys = (const uint64_t *)(file->bytes + sizeof header);
    file->obstacles = (const rw_tile_obstacle *)(file->keys + header.subject.tile_count);
    file->records_at = sizeof header + (size_t)tables;
    if (header.tables_hash != hash_tables(&file->subject, file->keys, file->obstacles))
        return refuse(context, path, "is damaged");
    return RW_OK;
}

rw_status rw_tile_file_open(rw_context *context, const char *path, rw_tile_file *file)
{
    *file = (rw_tile_file){0};
    RW_TRY(rw_file_map(context, path, &file->bytes, &file->size));
    rw_status status = open_mapped(context, path, file);
    if (status != RW_OK)
        rw_tile_file_close(file);
    return status;
}

void rw_tile_file_close(rw_tile_file *file)
{
    rw_file_unmap(file->bytes, file->size);
    *file = (rw_tile_file){0};
}

/* One record at *at; *valid is 0 where it is damaged. */
static rw_status read_record(rw_context *context, const rw_tile_file *file, size_t *at, rw_tile_half *half, int *valid)
{
    tile_record record;
    *valid = 0;
    if (file->size - *at < sizeof record)
        return RW_OK;
    memcpy(&record, file->bytes + *at, sizeof record);
    *at += sizeof record;
    uint32_t rest = file->subject.tile_count - half->row_count;
    if (record.record_hash != rw_hash(RW_HASH_START, &record, offsetof(tile_record, record_hash)) ||
        record.bytes > file->size - *at || padded(record.bytes) > file->size - *at ||
        record.first_tile != half->row_count || record.row_count == 0 || record.row_count > rest ||
        record.payload_hash != rw_hash(RW_HASH_START, file->bytes + *at, padded(record.bytes)))
        return RW_OK;
    RW_TRY(rw_tile_rows_decode(context, file->bytes + *at, (size_t)record.bytes, record.row_count,
                               file->subject.tile_count, half, valid));
    *at += padded(record.bytes);
    return RW_OK;
}

rw_status rw_tile_file_read(rw_context *context, const char *path, const rw_tile_file *file, rw_tile_half *half)
{
    size_t at = file->records_at;
    int valid = 1;
    *half = (rw_tile_half){0};
    while (half->row_count < file->subject.tile_count && valid) {
        rw_status status = read_record(context, file, &at, half, &valid);
        if (status != RW_OK) {
            rw_tile_half_free(half);
            return status;
        }
    }
    if (valid && at == file->size && half->blocks.count == file->word_count)
        return RW_OK;
    rw_tile_half_free(half);
    return refuse(context, path, "is damaged");
}
