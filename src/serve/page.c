/* The page, from what the build put into the program. */

#include "serve/http.h"

#include <string.h>

static void send_embedded(const struct serve_embedded *file, struct serve_answer *answer)
{
    serve_answer_bytes(answer, serve_type_of(file->name), (char *)(uintptr_t)file->bytes, file->size);
    answer->is_constant = 1;
}

int serve_page(const char *url, struct serve_answer *answer)
{
    static const char none[] = "This rasterwave was built without its page: install npm and build again. The interface "
                               "is at /v1/openapi.json\n";
    const char *name = *url ? url : "index.html";
    for (const struct serve_embedded *file = serve_page_files; file->name; file++)
        if (strcmp(file->name, name) == 0) {
            send_embedded(file, answer);
            answer->encoding = "gzip";
            return 1;
        }
    if (*url || serve_page_files[0].name)
        return 0;
    serve_answer_bytes(answer, "text/plain; charset=utf-8", (char *)(uintptr_t)none, sizeof none - 1);
    answer->is_constant = 1;
    return 1;
}
