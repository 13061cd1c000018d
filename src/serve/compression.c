/* Answers with gzip for clients that accept it, and plain for the others. */
#include "serve/http.h"

#include "ext/zlib.h"

#include <ctype.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define JSON_BYTES_MIN 1400              /* what fits a packet is sent as it is */
#define JSON_BYTES_MAX ((size_t)1 << 20) /* what takes longer to compress than to send on one machine */
#define PAGE_BYTES_MAX ((size_t)16 << 20)

/* "br, gzip;q=0.5, *;q=0": whether gzip may be sent. */
static int does_accept_gzip(const char *accepted)
{
    while (accepted && *accepted) {
        size_t length = strcspn(accepted, ",");
        while (isspace((unsigned char)*accepted) && length) {
            accepted++;
            length--;
        }
        size_t name = strcspn(accepted, ",; \t");
        const char *quality = memchr(accepted, '=', length);
        int is_named = (name == 4 && strncasecmp(accepted, "gzip", 4) == 0) ||
                       (name == 6 && strncasecmp(accepted, "x-gzip", 6) == 0);
        if (is_named)
            return !quality || strtod(quality + 1, NULL) > 0;
        accepted += length;
        accepted += *accepted == ',';
    }
    return 0;
}

static void replace_bytes(struct serve_answer *answer, char *bytes, size_t size, const char *encoding)
{
    if (!answer->is_constant)
        free(answer->bytes);
    answer->is_constant = 0;
    answer->bytes = bytes;
    answer->size = size;
    answer->encoding = encoding;
}

void serve_choose_encoding(struct serve_task *task)
{
    struct serve_answer *answer = &task->answer;
    int accepts = does_accept_gzip(
        MHD_lookup_connection_value(task->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING));
    size_t size = 0;
    char *bytes = NULL;
    if (answer->encoding && !accepts) {
        bytes = rw_gzip_extract(answer->bytes, answer->size, PAGE_BYTES_MAX, &size);
        if (bytes)
            replace_bytes(answer, bytes, size, NULL);
        else
            serve_answer_error(answer, 406, "accept gzip (curl --compressed)", "this file is sent with gzip alone");
    } else if (!answer->encoding && accepts && !answer->file && answer->type &&
               strcmp(answer->type, "application/json") == 0 && answer->size >= JSON_BYTES_MIN &&
               answer->size <= JSON_BYTES_MAX) {
        bytes = rw_gzip_compress(answer->bytes, answer->size, &size);
        if (bytes)
            replace_bytes(answer, bytes, size, "gzip");
    }
}
