#include "base/inside_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The real path, without what is not there yet at its end; NULL where there is none, or where that end goes up again.
 * To be freed. */
static char *follow(const char *path)
{
    size_t length = strlen(path);
    char *rest = malloc(length + 3), *real = NULL;
    if (!rest)
        return NULL;
    memcpy(rest, *path ? path : ".", length + (*path ? 1 : 2));
    while (!(real = realpath(rest, NULL)) && errno == ENOENT) {
        char *slash = strrchr(rest, '/'), *name = slash ? slash + 1 : rest;
        if (strcmp(name, "..") == 0 || slash == rest)
            break;
        if (slash)
            *slash = 0;
        else if (strcmp(rest, ".") == 0)
            break;
        else
            strcpy(rest, ".");
    }
    free(rest);
    return real;
}

int rw_path_is_inside(const char *path, const char *folder)
{
    char *inner = follow(path), *outer = realpath(*folder ? folder : ".", NULL);
    size_t length = outer ? strlen(outer) : 0;
    int inside = inner && outer && strncmp(inner, outer, length) == 0 &&
                 (inner[length] == 0 || inner[length] == '/' || outer[length - 1] == '/');
    free(inner);
    free(outer);
    return inside;
}
