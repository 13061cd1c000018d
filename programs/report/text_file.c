/* Texts of the program to files: made in memory, then written by the library, which leaves no partial file. */
#include "command.h"

#include <stdlib.h>

FILE *begin_text_file(struct text_file *file)
{
    *file = (struct text_file){0};
    file->stream = open_memstream(&file->text, &file->size);
    return file->stream;
}

int end_text_file(struct call *call, struct text_file *file, const char *path)
{
    int failed = !file->stream || ferror(file->stream);
    if (file->stream && fclose(file->stream) != 0)
        failed = 1;
    rw_status status = failed ? RW_OUT_OF_MEMORY : rw_write_file(call->context, path, file->text, file->size);
    free(file->text);
    if (!failed)
        return status == RW_OK ? 0 : report_status(call, status);
    report_error("%s: no memory left to write it", path);
    return exit_code_of(status);
}
