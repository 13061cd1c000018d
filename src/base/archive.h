/* Zip archives (KMZ) before others read them: what they expand to, from their list of entries. */
#ifndef RW_BASE_ARCHIVE_H
#define RW_BASE_ARCHIVE_H

#include "base/context.h"

/* Readers hold an entry and what they make of it in memory at once. */
#define RW_ARCHIVE_BYTES_MAX 2.56e8

/* Fails for a zip archive whose entries are larger together; nothing is expanded. Other files pass, and so does one
 * that cannot be opened, of which its reader reports why. */
rw_status rw_archive_check(rw_context *context, const char *path);

#endif
