/* Files that requests bring and fetch: uploads in a folder of their own, and the files of jobs. */
#include "serve/files.h"

#include "base/inside_folder.h"
#include "base/text/json_write.h"
#include "serve/server.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define UPLOADS "uploads"
#define FILE_NAME_MAX 100

const char *serve_type_of(const char *name)
{
    static const struct {
        const char *end, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".ico", "image/x-icon"},
                 {".woff2", "font/woff2"},
                 {".json", "application/json"},
                 {".geojson", "application/geo+json"},
                 {".csv", "text/csv; charset=utf-8"},
                 {".txt", "text/plain; charset=utf-8"},
                 {".tif", "image/tiff"},
                 {".kml", "application/vnd.google-earth.kml+xml"},
                 {".kmz", "application/vnd.google-earth.kmz"},
                 {".gpkg", "application/geopackage+sqlite3"}};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t end = strlen(types[i].end);
        if (length > end && strcasecmp(name + length - end, types[i].end) == 0)
            return types[i].type;
    }
    return "application/octet-stream";
}

/* Names are plain: letters, digits and a few marks, so that they need no quotes anywhere. */
static int is_plain_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > FILE_NAME_MAX || name[0] == '.' || name[0] == '-')
        return 0;
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-+", *at))
            return 0;
    return 1;
}

static char *plain_copy(const char *name)
{
    const char *slash = strrchr(name, '/');
    char *copy = strdup(slash ? slash + 1 : name);
    for (char *at = copy; at && *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-+", *at))
            *at = '_';
    return copy;
}

void serve_send_file(const char *folder, const char *name, struct serve_answer *answer)
{
    char path[4096];
    struct stat about;
    int fd = -1;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && *name && name[0] != '/' &&
        rw_path_is_inside(path, folder))
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        if (fd >= 0)
            close(fd);
        serve_answer_error(answer, 404, NULL, "there is no file %.200s", name);
        return;
    }
    serve_answer_bytes(answer, serve_type_of(name), NULL, (size_t)about.st_size);
    answer->file = fd + 1;
    answer->download = plain_copy(name);
}

static double sum_uploads(FILE *stream)
{
    double sum = 0;
    struct dirent *entry;
    size_t count = 0;
    DIR *folder = opendir(UPLOADS);
    while (folder && (entry = readdir(folder)) != NULL) {
        char path[512];
        struct stat about;
        snprintf(path, sizeof path, UPLOADS "/%.255s", entry->d_name);
        if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        sum += (double)about.st_size;
        if (!stream || !is_plain_name(entry->d_name))
            continue;
        fputs(count++ ? ", {\"file\": " : "{\"file\": ", stream);
        rw_json_write_string(stream, path);
        fprintf(stream, ", \"bytes\": %lld}", (long long)about.st_size);
    }
    if (folder)
        closedir(folder);
    return sum;
}

void serve_files_list(struct serve_server *server, struct serve_task *task, const char *rest)
{
    FILE *stream = serve_answer_json(&task->answer);
    (void)server;
    (void)rest;
    if (!stream)
        return;
    fputs("{\"files\": [", stream);
    sum_uploads(stream);
    fputs("]}\n", stream);
}

void serve_files_get(struct serve_server *server, struct serve_task *task, const char *rest)
{
    (void)server;
    serve_send_file(UPLOADS, rest, &task->answer);
}

void serve_files_add(struct serve_server *server, struct serve_task *task, const char *rest)
{
    char path[256];
    const char *name = serve_task_argument(task, "name");
    (void)server;
    (void)rest;
    if (!name || !is_plain_name(name)) {
        serve_answer_error(&task->answer, 400, "POST /v1/files?name=route.csv",
                           "name: at most %d letters, digits, dots, dashes and underscores are possible",
                           FILE_NAME_MAX);
        return;
    }
    if (!task->body || !task->body_size) {
        serve_answer_error(&task->answer, 400, NULL, "the file is empty");
        return;
    }
    if (sum_uploads(NULL) + (double)task->body_size > (double)SERVE_UPLOADS_MAX) {
        serve_answer_error(&task->answer, 413, "remove files from the folder " UPLOADS,
                           "uploaded files have %zu bytes together already", SERVE_UPLOADS_MAX);
        return;
    }
    snprintf(path, sizeof path, UPLOADS "/%s", name);
    if ((mkdir(UPLOADS, 0755) != 0 && errno != EEXIST) || !rw_path_is_inside(path, "") ||
        !serve_store(path, task->body, task->body_size)) {
        serve_answer_error(&task->answer, 503, NULL, "%s cannot be written: %s", path, strerror(errno));
        return;
    }
    FILE *stream = serve_answer_json(&task->answer);
    if (!stream)
        return;
    fprintf(stream, "{\"file\": \"%s\", \"bytes\": %zu}\n", path, task->body_size);
}
