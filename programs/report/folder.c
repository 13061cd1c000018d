/* Output folders and files: a place that cannot be written is reported at once, not after a long run. */
#include "command.h"

#include "report/report.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <stdlib.h>

/* A copy for the signal handler; looked at when the flag is set. */
static struct folder interrupted;
static atomic_int can_interrupt;

void undo_interrupted_folder(void)
{
    if (atomic_load(&can_interrupt))
        undo_folder(&interrupted);
}

static int report_folder_error(struct folder *folder, const char *path)
{
    int error = errno;
    undo_folder(folder);
    report_error("%s: creating the folder failed: %s", path, strerror(error));
    return error == ENOSPC || error == EDQUOT || error == EIO ? 1 : 2;
}

int make_folder(struct folder *folder, const char *path)
{
    memset(folder, 0, sizeof *folder);
    if (strlen(path) >= sizeof folder->path)
        return report_error("--out %.60s...: the path is too long", path);
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] && path[i] != '/')
            continue;
        memcpy(folder->path, path, i);
        folder->path[i] = 0;
        if (mkdir(folder->path, 0777) == 0)
            folder->made = 1;
        else if (errno != EEXIST && errno != EISDIR)
            return report_folder_error(folder, path);
        else if (!folder->made)
            folder->existing_length = i;
    }
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) {
        undo_folder(folder);
        return report_error("%s is in the way: it is not a folder", path);
    }
    if (access(path, W_OK | X_OK) != 0)
        return report_folder_error(folder, path);
    atomic_store(&can_interrupt, 0);
    interrupted = *folder;
    atomic_store(&can_interrupt, folder->made);
    return 0;
}

int check_picture_name(const char *option, const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path || (dot && strcasecmp(dot, ".png") == 0))
        return 0;
    return report_error("--%s %s: pictures are written as NAME.png", option, path);
}

int check_output_file(const char *option, const char *path)
{
    char folder[4096];
    struct stat about;
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!path)
        return 0;
    if (strlen(path) >= sizeof folder)
        return report_error("--%s %.60s...: the path is too long", option, path);
    if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return report_error("--%s %s is a folder; name a file in it", option, path);
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode))
        return report_error("--%s %s is no ordinary file, which could be replaced; name another", option, path);
    if (!slash)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    if (access(folder, W_OK | X_OK) == 0)
        return 0;
    return report_error("--%s %s: %s is no folder that can be written; make it first", option, path, folder);
}

/* Removes what was made, from the inside out; a folder that holds something stays. */
void undo_folder(const struct folder *folder)
{
    char path[sizeof folder->path];
    strcpy(path, folder->path);
    while (folder->made && strlen(path) > folder->existing_length) {
        rmdir(path);
        char *slash = strrchr(path, '/');
        if (!slash || slash == path)
            return;
        *slash = 0;
    }
}

/* The list of files that the last run has written into a folder. */

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
    return end_text_file(call, &file, path, 0);
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

/* Texts of the program to files: made in memory, then written by the library, which leaves no partial file. */
FILE *begin_text_file(struct text_file *file)
{
    *file = (struct text_file){0};
    file->stream = open_memstream(&file->text, &file->size);
    return file->stream;
}

int end_text_file(struct call *call, struct text_file *file, const char *path, int exit_status)
{
    int failed = !file->stream || ferror(file->stream);
    if (file->stream && fclose(file->stream) != 0)
        failed = 1;
    if (!exit_status && failed) {
        report_error("%s: no memory left to write it", path);
        exit_status = exit_code_of(RW_OUT_OF_MEMORY);
    }
    rw_status status = exit_status ? RW_OK : rw_write_file(call->context, path, file->text, file->size);
    free(file->text);
    return status == RW_OK ? exit_status : report_status(call, status);
}
