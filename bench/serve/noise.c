/* Broken requests: valid ones with bytes changed, dropped, doubled and cut off, many over one connection or left half
 * way. After all of them the server must still answer. */
#include "bench/serve/serve.h"

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUEST_MAX 8192
#define CHECK_EVERY 20000

static uint64_t state;

/* xorshift64* */
static uint32_t draw_number(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717ull) >> 33) % below;
}

static const struct {
    const char *path, *body;
} seeds[] = {
    {"/v1/predict",
     "{\"project\": {\"tx\": [\"50,50,30\"], \"freq\": \"2GHz\", \"effects\": \"none\"}, \"layer\": \"los\", "
     "\"resolution\": 50, \"transmitter\": 0}"},
    {"/v1/paths", "{\"project\": {\"tx\": [\"50,50,30\"], \"effects\": \"none\"}, \"receiver\": [10, 10, 1.5]}"},
    {"/v1/transform", "{\"to\": \"lonlat\", \"points\": [[1, 2], [3e5, -4.5e-3]]}"},
    {"/v1/command", "{\"project\": {\"sites\": \"name,x,y,height\\nA,1,2,3\\n\", \"page\": {\"a\": [1, {}]}}}"},
    {"/v1/sites", "{\"table\": \"name,x,y,height,azimuth\\nA,1,2,3,\\u00e4\\n\"}"},
    {"/v1/sites/export", "{\"sites\": [{\"name\": \"a,\\\"b\", \"x\": 1}]}"},
    {"/v1/evaluate", "{\"project\": {\"tx\": [\"50,50,30\"]}, \"file\": \"uploads/none.csv\"}"},
    {"/v1/scenes", "{\"file\": \"../../etc/passwd\"}"},
    {"/v1/jobs", "{\"command\": \"rm\", \"arguments\": {\"out\": \"../x\"}}"},
    {"/v1/calibrate", "{\"arguments\": {\"measurements\": \"/etc/passwd\"}}"},
    {"/v1/info", NULL},
    {"/v1/scene?scene=city%3agrid%3asize=100m,100m", NULL},
    {"/v1/scene/geometry", NULL},
    {"/v1/jobs/1/files/..%2f..%2fjob.json", NULL},
    {"/v1/files/%2e%2e%2fproject.yaml", NULL},
    {"/v1/project", NULL},
    {"/assets/../index.html", NULL},
};

/* Changes of one request; length stays below REQUEST_MAX. */
static size_t change_request(char *bytes, size_t length)
{
    static const char *const pieces[] = {"\r\n",
                                         "\r\n\r\n",
                                         ":",
                                         "\0",
                                         "{",
                                         "[[[[[[[[",
                                         "\"",
                                         "%00",
                                         "../",
                                         "1e999",
                                         "-",
                                         "Content-Length: 99999999999999999999\r\n",
                                         "Transfer-Encoding: chunked\r\n",
                                         "Host: evil.example\r\n",
                                         "\xff\xfe",
                                         "null",
                                         "\\ud800"};
    for (uint32_t count = draw_number(6); count; count--) {
        size_t at = draw_number((uint32_t)length + 1);
        const char *piece = pieces[draw_number(sizeof pieces / sizeof *pieces)];
        size_t piece_length = strlen(piece) ? strlen(piece) : 1;
        switch (draw_number(5)) {
        case 0:
            if (at < length)
                bytes[at] = (char)draw_number(256);
            break;
        case 1:
            if (length + piece_length < REQUEST_MAX) {
                memmove(bytes + at + piece_length, bytes + at, length - at);
                for (size_t k = 0; k < piece_length; k++)
                    bytes[at + k] = piece[k];
                length += piece_length;
            }
            break;
        case 2: {
            size_t cut = draw_number((uint32_t)(length - at) + 1);
            memmove(bytes + at, bytes + at + cut, length - at - cut);
            length -= cut;
            break;
        }
        case 3:
            length = at;
            break;
        default:
            if (at < length)
                bytes[at] ^= (char)(1 << draw_number(8));
        }
    }
    return length;
}

/* Several requests over one connection, which ends in the middle as often as not. */
static long send_noise(struct client *client, int port, long max_count)
{
    char request[REQUEST_MAX + 64];
    long sent = 0;
    if (!client_open(client, port))
        return -1;
    for (long count = 1 + draw_number(12); count && sent < max_count; count--) {
        size_t seed = draw_number(sizeof seeds / sizeof *seeds);
        size_t length = client_request(request, REQUEST_MAX, port, seeds[seed].path, seeds[seed].body);
        length = change_request(request, length);
        if (length == 0 || !client_send(client, request, length))
            break;
        sent++;
        if (draw_number(2) == 0) { /* waits a moment for the answer */
            struct pollfd waited = {.fd = client->fd, .events = POLLIN};
            client->size = 0;
            if (poll(&waited, 1, (int)draw_number(3)) > 0 && client_read(client) < 0)
                break;
        }
    }
    client_close(client);
    return sent ? sent : 1;
}

/* As soon as its queue has room again. */
static int still_answers(struct client *client, int port)
{
    char request[512];
    int status = -1;
    size_t length = client_request(request, sizeof request, port, "/v1/info", NULL);
    for (int i = 0; i < 50 && status != 200; i++) {
        client_close(client);
        if (!client_open(client, port) || !client_send(client, request, length))
            return 0;
        status = client_wait(client);
        if (status == 429)
            poll(NULL, 0, 200);
        else if (status != 200)
            return 0;
    }
    client_close(client);
    return status == 200;
}

int try_noise(int port, long count, unsigned long seed)
{
    struct client client = {.fd = -1};
    long done = 0, checked = 0;
    int good = 1;
    state = 0x9e3779b97f4a7c15ull ^ (seed + 1);
    while (done < count && good) {
        long sent = send_noise(&client, port, count - done);
        good = sent > 0;
        done += sent;
        if (good && done - checked > CHECK_EVERY) {
            good = still_answers(&client, port);
            checked = done;
        }
    }
    good = good && still_answers(&client, port);
    printf("{\"requests\": %ld, \"answers_still\": %s}\n", done, good ? "true" : "false");
    free(client.answer);
    return !good;
}
