/* The list of files that the last run has written into a folder. */
#include "report/report.h"

#include <stdio.h>
#include <string.h>

int write_manifest(struct call *call, const char *folder, const char *const *names, size_t count)
{
    struct text_file file;
    char path[MAP_PATH_SIZE];
    FILE *stream = begin_text_file(&file);
    snprintf(path, sizeof path, "%.4000s/" MANIFEST_NAME, folder);
    for (size_t i = 0; stream && i < count; i++) {
        const char *slash = strrchr(names[i], '/');
        fprintf(stream, "%s\n", slash ? slash + 1 : names[i]);
    }
    return end_text_file(call, &file, path);
}

int is_in_manifest(const char *folder, const char *name)
{
    char path[MAP_PATH_SIZE], line[512];
    int found = 0;
    snprintf(path, sizeof path, "%.4000s/" MANIFEST_NAME, folder);
    FILE *file = fopen(path, "r");
    if (!file)
        return 1;
    while (!found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        found = strcmp(line, name) == 0;
    }
    fclose(file);
    return found;
}
