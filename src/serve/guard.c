/* Who may ask: the server is for one person at one machine, whose browser also shows pages of others.
 *
 * Host must name this server, so that a foreign name that leads to this address (DNS rebinding) gets nothing. Origin,
 * where a browser sends one, must be the server itself. Bodies must be declared as JSON, which no form can do. With a
 * token every request carries it, as a header or as the cookie that the first address of the page sets. */
#include "serve/http.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAME_MAX_LENGTH 255

static const char *header_of(const struct serve_task *task, const char *name)
{
    return MHD_lookup_connection_value(task->connection, MHD_HEADER_KIND, name);
}

/* "name:port", "[::1]:port" or "name" into name; 0 where it is none, or of another port. */
static int split_host(const char *host, int port, char name[NAME_MAX_LENGTH + 1])
{
    const char *end = host[0] == '[' ? strchr(host, ']') : strchr(host, ':');
    if (host[0] == '[' && !end)
        return 0;
    size_t length = !end ? strlen(host) : host[0] == '[' ? (size_t)(end + 1 - host) : (size_t)(end - host);
    if (length == 0 || length > NAME_MAX_LENGTH)
        return 0;
    memcpy(name, host, length);
    name[length] = 0;
    const char *rest = host + length;
    if (!*rest)
        return port == 80;
    char *digits_end;
    if (*rest != ':' || !isdigit((unsigned char)rest[1]))
        return 0;
    return strtol(rest + 1, &digits_end, 10) == port && !*digits_end;
}

static int is_address(const char *name)
{
    unsigned char bytes[16];
    char inner[INET6_ADDRSTRLEN + 2];
    size_t length = strlen(name);
    if (inet_pton(AF_INET, name, bytes) == 1)
        return 1;
    if (name[0] != '[' || length < 4 || length - 2 >= sizeof inner)
        return 0;
    memcpy(inner, name + 1, length - 2);
    inner[length - 2] = 0;
    return inet_pton(AF_INET6, inner, bytes) == 1;
}

/* Loopback by its names alone; with --listen addresses and the name that was given: no foreign name leads here, and the
 * token keeps others out. */
static int is_own_name(const struct serve_server *server, const char *name)
{
    static const char *const loopback[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof loopback / sizeof *loopback; i++)
        if (strcasecmp(name, loopback[i]) == 0)
            return 1;
    return server->options->listen && (is_address(name) || strcasecmp(name, server->host) == 0);
}

static int is_own_origin(const struct serve_server *server, const char *origin, const char *host)
{
    char name[NAME_MAX_LENGTH + 1];
    (void)host;
    return strncasecmp(origin, "http://", 7) == 0 && split_host(origin + 7, server->port, name) &&
           is_own_name(server, name);
}

/* Takes as long wherever the two differ. */
static int is_same_token(const char *received, const char *token)
{
    size_t length = strlen(token), received_length = strlen(received);
    unsigned difference = length != received_length;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned)(unsigned char)token[i] ^
                      (unsigned)(unsigned char)received[received_length ? i % received_length : 0];
    return difference == 0;
}

static int has_token(const struct serve_server *server, struct serve_task *task)
{
    const char *token = server->options->token;
    const char *bearer = header_of(task, MHD_HTTP_HEADER_AUTHORIZATION);
    const char *cookie = MHD_lookup_connection_value(task->connection, MHD_COOKIE_KIND, "rasterwave-token");
    if (!token)
        return 1;
    if (bearer && strncasecmp(bearer, "Bearer ", 7) == 0 && is_same_token(bearer + 7, token))
        return 1;
    return cookie && is_same_token(cookie, token);
}

/* The first address of the page carries the token; the cookie does from then on, and the address is clean again. */
static int accepts_token_from_url(const struct serve_server *server, struct serve_task *task, const char *url)
{
    const char *token = server->options->token, *received = serve_task_argument(task, "token");
    if (!token || !received || strcmp(url, "/") != 0 || !is_same_token(received, token))
        return 0;
    serve_answer_error(&task->answer, 303, NULL, "go on at /");
    task->answer.location = strdup("/");
    task->answer.cookie = token;
    return 1;
}

static int is_json_type(const char *type)
{
    size_t length = type ? strcspn(type, "; ") : 0;
    return length == 16 && strncasecmp(type, "application/json", 16) == 0;
}

static int check_origin(struct serve_server *server, struct serve_task *task)
{
    char name[NAME_MAX_LENGTH + 1];
    const char *host = header_of(task, MHD_HTTP_HEADER_HOST), *origin = header_of(task, MHD_HTTP_HEADER_ORIGIN);
    const char *site = header_of(task, "Sec-Fetch-Site");
    if (!host || !split_host(host, server->port, name) || !is_own_name(server, name)) {
        serve_answer_error(&task->answer, 403, "open the address that the server printed",
                           "the header Host does not name this server");
        return 0;
    }
    if ((origin && !is_own_origin(server, origin, host)) || (site && strcmp(site, "cross-site") == 0)) {
        serve_answer_error(&task->answer, 403, NULL, "pages of other servers may not ask this one");
        return 0;
    }
    return 1;
}

int serve_guard(struct serve_server *server, struct serve_task *task, const char *method, const char *url,
                int wants_json)
{
    if (!check_origin(server, task))
        return 0;
    if (strcmp(method, "GET") == 0 && accepts_token_from_url(server, task, url))
        return 0;
    if (!has_token(server, task)) {
        serve_answer_error(&task->answer, 401, "send Authorization: Bearer TOKEN, or open /?token=TOKEN once",
                           "this server needs its token");
        return 0;
    }
    if (wants_json && !is_json_type(header_of(task, MHD_HTTP_HEADER_CONTENT_TYPE))) {
        serve_answer_error(&task->answer, 415, "send Content-Type: application/json", "the body must be JSON");
        return 0;
    }
    return 1;
}
