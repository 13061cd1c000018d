#include "base/inside_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The real path, without what is not there yet at its end; 0 where there is none, or where that end goes up again. It
 * takes no memory, whose want would look like a path that leads outside. */
static int resolve_existing_path(const char *path, char real[PATH_MAX])
{
    char rest[PATH_MAX];
    if (strlen(path) >= sizeof rest)
        return 0;
    strcpy(rest, *path ? path : ".");
    while (!realpath(rest, real)) {
        char *slash = strrchr(rest, '/'), *name = slash ? slash + 1 : rest;
        if (errno != ENOENT || strcmp(name, "..") == 0 || slash == rest || (!slash && strcmp(rest, ".") == 0))
            return 0;
        if (slash)
            *slash = 0;
        else
            strcpy(rest, ".");
    }
    return 1;
}

int rw_path_is_inside(const char *path, const char *folder)
{
    char inner[PATH_MAX], outer[PATH_MAX];
    if (!resolve_existing_path(path, inner) || !realpath(*folder ? folder : ".", outer))
        return 0;
    size_t length = strlen(outer);
    return strncmp(inner, outer, length) == 0 &&
           (inner[length] == 0 || inner[length] == '/' || outer[length - 1] == '/');
}
