/* The program rasterwave-serve-client: asks a running `rasterwave serve` on this machine, as fast as it answers
 * (speed), at a steady rate over many connections (load), or with broken requests (noise). bench/serve.sh runs it. */
#include "bench/serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

double client_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int client_open(struct client *client, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->size = 0;
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (client->fd < 0)
        return 0;
    /* Closed at once, so that a million connections do not use up all ports. */
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(client->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    if (connect(client->fd, (struct sockaddr *)&address, sizeof address) == 0)
        return 1;
    client_close(client);
    return 0;
}

void client_close(struct client *client)
{
    if (client->fd >= 0)
        close(client->fd);
    client->fd = -1;
    client->size = 0;
}

size_t client_request(char *buffer, size_t size, int port, const char *path, const char *body)
{
    int length = body ? snprintf(buffer, size,
                                 "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                                 "Content-Length: %zu\r\n\r\n%s",
                                 path, port, strlen(body), body)
                      : snprintf(buffer, size, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

int client_send(struct client *client, const char *bytes, size_t size)
{
    while (size) {
        ssize_t sent = send(client->fd, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return 0;
        bytes += sent;
        size -= (size_t)sent;
    }
    client->sent_s = client_now_s();
    return 1;
}

/* The status where header and body are there; 0 where not. */
static int status_of(const struct client *client)
{
    const char *end = client->size ? strstr(client->answer, "\r\n\r\n") : NULL;
    if (!end)
        return 0;
    const char *length = strcasestr(client->answer, "\r\nContent-Length:");
    size_t body = length && length < end ? strtoul(length + 17, NULL, 10) : 0;
    size_t expected = (size_t)(end + 4 - client->answer) + body;
    return client->size >= expected ? atoi(client->answer + 9) : 0;
}

int client_read(struct client *client)
{
    if (client->capacity - client->size < 65536) {
        size_t capacity = 2 * client->capacity + 131072;
        char *grown = capacity <= 2 * ANSWER_MAX ? realloc(client->answer, capacity) : NULL;
        if (!grown)
            return -1;
        client->answer = grown;
        client->capacity = capacity;
    }
    ssize_t got = recv(client->fd, client->answer + client->size, client->capacity - client->size - 1, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (got <= 0)
        return -1;
    client->size += (size_t)got;
    client->answer[client->size] = 0;
    return status_of(client);
}

int client_wait(struct client *client)
{
    int status = 0;
    client->size = 0;
    while (status == 0) {
        struct pollfd waited = {.fd = client->fd, .events = POLLIN};
        if (poll(&waited, 1, 120000) <= 0)
            return -1;
        status = client_read(client);
    }
    return status;
}

static int print_client_usage(void)
{
    fputs("Usage: rasterwave-serve-client PORT speed SECONDS BODY\n"
          "       rasterwave-serve-client PORT load CONNECTIONS RATE SECONDS BODY [PID]\n"
          "       rasterwave-serve-client PORT noise COUNT SEED\n"
          "@X in BODY, a request for a prediction, is replaced by a place that moves\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    int port = argc > 2 ? atoi(argv[1]) : 0;
    if (argc == 5 && strcmp(argv[2], "speed") == 0)
        return measure_speed(port, strtod(argv[3], NULL), argv[4]);
    if ((argc == 7 || argc == 8) && strcmp(argv[2], "load") == 0)
        return measure_load(port, atoi(argv[3]), strtod(argv[4], NULL), strtod(argv[5], NULL), argv[6],
                            argc == 8 ? atoi(argv[7]) : 0);
    if (argc == 5 && strcmp(argv[2], "noise") == 0)
        return try_noise(port, atol(argv[3]), strtoul(argv[4], NULL, 10));
    return print_client_usage();
}
