/* Paths of files that are named inside other files. */
#ifndef RW_BASE_PATH_H
#define RW_BASE_PATH_H

#include "base/context.h"

#define RW_PATH_MAX 4096

/* The path of name as the file reference_path means it: beside it, unless name starts at the root. Backslashes of files
 * written on Windows become slashes. A file names only files of its own folder and those below, unless the caller of
 * the context allows others (allow_outside). */
rw_status rw_path_next_to(rw_context *context, const char *reference_path, const char *name, char path[RW_PATH_MAX]);

/* Whether the path is a file of bytes: not missing, no folder, no device or pipe that could feed a reader for ever. */
int rw_path_is_regular_file(const char *path);

int rw_path_is_folder(const char *path);

/* Whether the path ends in the extension (".obj"), in either case. */
int rw_path_has_extension(const char *path, const char *extension);

/* The name after the last slash. */
const char *rw_path_name(const char *path);

#endif
