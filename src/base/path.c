#include "base/path.h"

#include "base/inside_folder.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

const char *rw_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static rw_status check_inside(rw_context *context, const char *reference_path, const char *name, const char *path)
{
    char folder[RW_PATH_MAX];
    int length = (int)(rw_path_name(reference_path) - reference_path);
    if (context->options.allow_outside)
        return RW_OK;
    if (length < RW_PATH_MAX)
        snprintf(folder, sizeof folder, "%.*s", length, reference_path);
    if (length < RW_PATH_MAX && rw_path_is_inside(path, folder))
        return RW_OK;
    return rw_fail(context, RW_BAD_INPUT,
                   "%s names %s, which is outside of its folder; move it there, or allow such files (--allow-outside)",
                   reference_path, name);
}

rw_status rw_path_next_to(rw_context *context, const char *reference_path, const char *name, char path[RW_PATH_MAX])
{
    int folder_length = name[0] == '/' ? 0 : (int)(rw_path_name(reference_path) - reference_path);
    int written = snprintf(path, RW_PATH_MAX, "%.*s%s", folder_length, reference_path, name);
    if (written < 0 || written >= RW_PATH_MAX)
        return rw_fail(context, RW_BAD_INPUT, "%s names a file whose path is longer than %d characters: %.60s...",
                       reference_path, RW_PATH_MAX - 1, name);
    for (char *at = path + folder_length; *at; at++)
        if (*at == '\\')
            *at = '/';
    return check_inside(context, reference_path, name, path);
}

int rw_path_is_regular_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

int rw_path_has_extension(const char *path, const char *extension)
{
    size_t length = strlen(path), tail = strlen(extension);
    return length >= tail && strcasecmp(path + length - tail, extension) == 0;
}

int rw_path_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}
