#include "base/archive.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After PKWARE's APPNOTE, sections 4.3.12 and 4.3.16. Numbers are little-endian. */
enum { END_BYTES = 22, COMMENT_MAX = 65535, ENTRY_BYTES = 46 };
static const char local_mark[4] = {'P', 'K', 3, 4}, entry_mark[4] = {'P', 'K', 1, 2}, end_mark[4] = {'P', 'K', 5, 6};

static uint32_t read_number(const char *at, int bytes)
{
    uint32_t number = 0;
    for (int i = 0; i < bytes; i++)
        number |= (uint32_t)(unsigned char)at[i] << 8 * i;
    return number;
}

/* The record at the end, which says where the list is; NULL: there is none. */
static const char *find_end_record(const char *tail, size_t size)
{
    for (size_t i = size; i >= END_BYTES; i--)
        if (memcmp(tail + i - END_BYTES, end_mark, sizeof end_mark) == 0)
            return tail + i - END_BYTES;
    return NULL;
}

/* Sizes of 64 bits are in a field of their own: such an entry has 4 GB or more. */
static double sum_entries(const char *list, size_t size)
{
    double sum = 0;
    for (size_t at = 0; at + ENTRY_BYTES <= size && memcmp(list + at, entry_mark, sizeof entry_mark) == 0;) {
        sum += (double)read_number(list + at + 24, 4);
        at += ENTRY_BYTES + read_number(list + at + 28, 2) + read_number(list + at + 30, 2) +
              read_number(list + at + 32, 2);
    }
    return sum;
}

static rw_status read_entry_sizes(const rw_file_reader *file, double *bytes)
{
    char tail[END_BYTES + COMMENT_MAX], *list;
    size_t size = file->size < sizeof tail ? (size_t)file->size : sizeof tail;
    RW_TRY(rw_file_read_at(file, file->size - size, tail, size));
    const char *end = find_end_record(tail, size);
    *bytes = 0;
    if (!end)
        return RW_OK;
    uint64_t list_size = read_number(end + 12, 4), first = read_number(end + 16, 4);
    if (first == UINT32_MAX || list_size == UINT32_MAX) { /* an archive of more than 4 GB */
        *bytes = INFINITY;
        return RW_OK;
    }
    if (first + list_size > file->size)
        return RW_OK; /* damaged: its reader says so */
    RW_TRY(rw_array_create(file->context, (size_t)list_size, 1, "the entries of an archive", &list));
    rw_status status = rw_file_read_at(file, first, list, (size_t)list_size);
    if (status == RW_OK)
        *bytes = sum_entries(list, (size_t)list_size);
    free(list);
    return status;
}

static rw_status check_opened(const rw_file_reader *file)
{
    char start[4];
    double bytes = 0;
    if (file->size < END_BYTES)
        return RW_OK;
    RW_TRY(rw_file_read_at(file, 0, start, sizeof start));
    if (memcmp(start, local_mark, sizeof start) != 0)
        return RW_OK;
    RW_TRY(read_entry_sizes(file, &bytes));
    if (bytes <= RW_ARCHIVE_BYTES_MAX)
        return RW_OK;
    return rw_fail(
        file->context, RW_TOO_LARGE,
        "%s expands to %.3g bytes; an archive may have at most %.3g: unpack it, and give the file that is in "
        "it",
        file->path, bytes, RW_ARCHIVE_BYTES_MAX);
}

rw_status rw_archive_check(rw_context *context, const char *path)
{
    rw_file_reader file;
    if (!rw_path_is_regular_file(path) || rw_file_open(context, path, &file) != RW_OK)
        return RW_OK;
    rw_status status = check_opened(&file);
    rw_file_close(&file);
    return status;
}
