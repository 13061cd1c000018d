/* Answers: JSON, bytes, and sentences about what is wrong. */
#include "base/text/json_write.h"
#include "serve/http.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char no_memory[] = "{\"error\": \"no memory left for the answer\"}\n";

void serve_answer_finish(struct serve_answer *answer)
{
    if (!answer->stream)
        return;
    int failed = ferror(answer->stream);
    failed |= fclose(answer->stream) != 0;
    answer->stream = NULL;
    if (!failed)
        return;
    serve_answer_clear(answer);
    *answer = (struct serve_answer){.status = 503,
                                    .type = "application/json",
                                    .bytes = (char *)(uintptr_t)no_memory,
                                    .size = sizeof no_memory - 1,
                                    .is_constant = 1};
}

void serve_answer_clear(struct serve_answer *answer)
{
    if (answer->stream)
        fclose(answer->stream);
    if (!answer->is_constant)
        free(answer->bytes);
    if (answer->file)
        close(answer->file - 1);
    free(answer->location);
    free(answer->download);
    *answer = (struct serve_answer){0};
}

FILE *serve_answer_json(struct serve_answer *answer)
{
    serve_answer_clear(answer);
    answer->status = 200;
    answer->type = "application/json";
    answer->stream = open_memstream(&answer->bytes, &answer->size);
    if (answer->stream)
        return answer->stream;
    answer->status = 503;
    answer->bytes = (char *)(uintptr_t)no_memory;
    answer->size = sizeof no_memory - 1;
    answer->is_constant = 1;
    return NULL;
}

void serve_answer_error(struct serve_answer *answer, int status, const char *hint, const char *format, ...)
{
    char message[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    FILE *stream = serve_answer_json(answer);
    if (!stream)
        return;
    answer->status = status;
    fputs("{\"error\": ", stream);
    rw_json_write_string(stream, message);
    if (hint) {
        fputs(", \"hint\": ", stream);
        rw_json_write_string(stream, hint);
    }
    fputs("}\n", stream);
}

void serve_answer_bytes(struct serve_answer *answer, const char *type, char *bytes, size_t size)
{
    serve_answer_clear(answer);
    answer->status = 200;
    answer->type = type;
    answer->bytes = bytes;
    answer->size = size;
}
