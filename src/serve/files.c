/* Files that requests bring and fetch: uploads in a folder of their own, and the files of jobs. */

#include "base/inside_folder.h"
#include "base/text/json_write.h"
#include "serve/http.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define UPLOADS "uploads"
#define FILE_NAME_MAX 120                   /* bytes of a name as it was given */
#define STORED_NAME_MAX (3 * FILE_NAME_MAX) /* and as it is stored: more than a disk accepts is rejected by it */

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

static int is_plain_letter(char letter)
{
    return isalnum((unsigned char)letter) || (letter && strchr("._-+", letter));
}

/* Whether text is UTF-8 without control characters: names of any alphabet, but nothing that a terminal, a header field
 * or a file of ours would read as more than a name. */
static int is_printable_utf8(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        int length = *at < 0x80                  ? 1
                     : *at >= 0xc2 && *at < 0xe0 ? 2
                     : *at >= 0xe0 && *at < 0xf0 ? 3
                     : *at < 0xf5                ? 4
                                                 : 0;
        unsigned code = length < 2 ? *at : *at & (0xffu >> (length + 1));
        if (length == 0 || (*at >= 0x80 && length == 1))
            return 0;
        for (int i = 1; i < length; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (at[i] & 0x3fu);
        }
        static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
        if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code < smallest[length] || code > 0x10ffff ||
            (code >= 0xd800 && code < 0xe000))
            return 0;
        at += length;
    }
    return 1;
}

/* The name under which an upload is stored: letters, digits and a few marks stay, every other byte becomes ~ and two
 * hexadecimal digits, so that no stored name needs quotes anywhere and the given one can be shown. 0 if it is not
 * possible. */
static int encode_name(const char *name, char *stored, size_t size)
{
    size_t length = 0;
    if (!*name || strlen(name) > FILE_NAME_MAX || strchr(name, '/') || !is_printable_utf8(name))
        return 0;
    for (const char *at = name; *at; at++) {
        int is_plain = is_plain_letter(*at) && !(at == name && (*at == '.' || *at == '-'));
        if (length + 4 > size)
            return 0;
        length += (size_t)snprintf(stored + length, size - length, is_plain ? "%c" : "~%02X", (unsigned char)*at);
    }
    return 1;
}

/* The name as it was given. 0 if it is not one that encode_name writes. */
static int decode_name(const char *stored, char name[FILE_NAME_MAX + 1])
{
    char again[STORED_NAME_MAX + 1];
    size_t length = 0;
    for (const char *at = stored; *at; at++) {
        unsigned byte = (unsigned char)*at;
        if (length == FILE_NAME_MAX)
            return 0;
        if (*at == '~') {
            if (!isxdigit((unsigned char)at[1]) || !isxdigit((unsigned char)at[2]) || sscanf(at + 1, "%2x", &byte) != 1)
                return 0;
            at += 2;
        }
        name[length++] = (char)byte;
    }
    name[length] = 0;
    return encode_name(name, again, sizeof again) && strcmp(again, stored) == 0;
}

static char *plain_copy(const char *name)
{
    const char *slash = strrchr(name, '/');
    char *copy = strdup(slash ? slash + 1 : name);
    for (char *at = copy; at && *at; at++)
        if (!is_plain_letter(*at))
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
        char path[512], name[FILE_NAME_MAX + 1];
        struct stat about;
        snprintf(path, sizeof path, UPLOADS "/%.255s", entry->d_name);
        if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        sum += (double)about.st_size;
        if (!stream || !decode_name(entry->d_name, name))
            continue;
        fputs(count++ ? ", {\"file\": " : "{\"file\": ", stream);
        rw_json_write_string(stream, path);
        fputs(", \"name\": ", stream);
        rw_json_write_string(stream, name);
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
    char stored[STORED_NAME_MAX + 1], path[sizeof UPLOADS + sizeof stored];
    const char *name = serve_task_argument(task, "name");
    (void)server;
    (void)rest;
    if (!name || !encode_name(name, stored, sizeof stored) || strlen(stored) > NAME_MAX) {
        serve_answer_error(&task->answer, 400, "POST /v1/files?name=route.csv",
                           "name: at most %d bytes of UTF-8 without / and control characters are possible",
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
    snprintf(path, sizeof path, UPLOADS "/%s", stored);
    if ((mkdir(UPLOADS, 0777) != 0 && errno != EEXIST) || !rw_path_is_inside(path, "") ||
        !serve_store(path, task->body, task->body_size)) {
        serve_answer_error(&task->answer, 503, NULL, "%s cannot be written: %s", path, strerror(errno));
        return;
    }
    FILE *stream = serve_answer_json(&task->answer);
    if (!stream)
        return;
    fprintf(stream, "{\"file\": \"%s\", \"name\": ", path);
    rw_json_write_string(stream, name);
    fprintf(stream, ", \"bytes\": %zu}\n", task->body_size);
}
