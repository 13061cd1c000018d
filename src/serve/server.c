/* Connections: from libmicrohttpd's calls to routes and back. One thread holds all connections; those that wait for the
 * engine are suspended and cost nothing meanwhile. */
#include "serve/http.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define HEADER_BYTES_MAX (24 * 1024)

static void send_page(struct serve_server *server, struct serve_task *task, const char *rest)
{
    (void)server;
    if (serve_page(rest, &task->answer))
        return;
    serve_answer_error(&task->answer, 404, "GET /v1/openapi.json lists what there is", "there is nothing at /%.200s",
                       rest);
}

static const struct serve_member project_members[] = {{"project", SERVE_OBJECT, 1, SERVE_PROJECT_SCHEMA},
                                                      {NULL, 0, 0, NULL}};
static const struct serve_member job_members[] = {
    {"command", SERVE_STRING, 1, "\"$ref\": \"#/components/schemas/Command\""},
    {"project", SERVE_OBJECT, 0, SERVE_PROJECT_SCHEMA},
    {"arguments", SERVE_OBJECT, 0, SERVE_ARGUMENTS_SCHEMA},
    {NULL, 0, 0, NULL}};

static const struct serve_own_route own_routes[] = {
    {"GET", "/v1/openapi.json", 0, serve_openapi, 0, NULL},
    {"GET", "/v1/project", 0, serve_project_get, 0, NULL},
    {"PUT", "/v1/project", 0, serve_project_write, SERVE_BODY_MAX, project_members},
    {"GET", "/v1/projects", 0, serve_project_list, 0, NULL},
    {"GET", "/v1/files", 0, serve_files_list, 0, NULL},
    {"POST", "/v1/files", 0, serve_files_add, SERVE_UPLOAD_MAX, NULL},
    {"GET", "/v1/files/", 1, serve_files_get, 0, NULL},
    {"GET", "/v1/progress", 0, serve_progress_get, 0, NULL},
    {"GET", "/v1/jobs", 0, serve_jobs_list, 0, NULL},
    {"POST", "/v1/jobs", 0, serve_jobs_add, SERVE_BODY_MAX, job_members},
    {"POST", "/v1/calibrate", 0, serve_calibrate, SERVE_BODY_MAX, job_members + 1},
    {"GET", "/v1/jobs/", 1, serve_jobs_get, 0, NULL},
    {"DELETE", "/v1/jobs/", 1, serve_jobs_delete, 0, NULL},
    {"GET", "/", 1, send_page, 0, NULL},
    {NULL, NULL, 0, NULL, 0, NULL},
};

static int matches_route(const char *method, const char *path, int is_prefix, const char *requested_method,
                         const char *url)
{
    size_t length = strlen(path);
    return strcmp(method, requested_method) == 0 &&
           (is_prefix ? strncmp(url, path, length) == 0 : strcmp(url, path) == 0);
}

static const struct serve_own_route *find_own(const char *method, const char *url)
{
    for (const struct serve_own_route *route = own_routes; route->path; route++)
        if (matches_route(route->method, route->path, route->is_prefix, method, url))
            return route;
    return NULL;
}

static const struct serve_route *find_route(const struct serve_server *server, const char *method, const char *url)
{
    for (const struct serve_route *route = server->program->routes; route->path; route++)
        if (matches_route(route->method, route->path, 0, method, url))
            return route;
    return NULL;
}

const struct serve_member *serve_find_members(const struct serve_server *server, const char *method, const char *path)
{
    const struct serve_route *route = find_route(server, method, path);
    const struct serve_own_route *own = find_own(method, path);
    return route ? route->members : own ? own->members : NULL;
}

/* Methods that a path has, for an answer of 405; 0 where it has none. */
static int has_path(const struct serve_server *server, const char *url)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "DELETE"};
    for (size_t i = 0; i < 4; i++) {
        const struct serve_own_route *own = find_own(methods[i], url);
        if (find_route(server, methods[i], url) || (own && own->handle != send_page))
            return 1;
    }
    return 0;
}

static void identify_client(struct serve_task *task)
{
    const char *client = MHD_lookup_connection_value(task->connection, MHD_HEADER_KIND, "X-Rasterwave-Client");
    size_t length = 0;
    while (client && length < SERVE_CLIENT_MAX &&
           (isalnum((unsigned char)client[length]) || client[length] == '-' || client[length] == '_'))
        length++;
    memcpy(task->client, client ? client : "", length);
}

/* Header fields that go with every answer. The page loads nothing from elsewhere but images of a backdrop that
 * was named, and no other page may show it. */
static void add_headers(struct MHD_Response *response, const struct serve_task *task)
{
    const struct serve_answer *answer = &task->answer;
    const char *images = task->server->options->images;
    char policy[640];
    MHD_add_response_header(response, "Content-Type", answer->type);
    if (answer->encoding)
        MHD_add_response_header(response, "Content-Encoding", answer->encoding);
    MHD_add_response_header(response, "Vary", "Accept-Encoding");
    if (answer->is_report)
        snprintf(policy, sizeof policy,
                 "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'");
    else
        snprintf(policy, sizeof policy,
                 "default-src 'self'; img-src 'self' data: blob:%s%s; style-src 'self'; object-src 'none'; base-uri "
                 "'none'; form-action 'none'; frame-ancestors 'none'",
                 images ? " " : "", images ? images : "");
    MHD_add_response_header(response, "Content-Security-Policy", policy);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    if (answer->status == 429 || answer->status == 503)
        MHD_add_response_header(response, "Retry-After", "1");
    if (answer->location)
        MHD_add_response_header(response, "Location", answer->location);
    if (answer->download) {
        char disposition[512];
        snprintf(disposition, sizeof disposition, "attachment; filename=\"%.400s\"", answer->download);
        MHD_add_response_header(response, "Content-Disposition", disposition);
    }
    if (answer->cookie) {
        char cookie[512];
        snprintf(cookie, sizeof cookie, "rasterwave-token=%s; Path=/; HttpOnly; SameSite=Strict", answer->cookie);
        MHD_add_response_header(response, "Set-Cookie", cookie);
    }
}

static enum MHD_Result send_answer(struct serve_task *task)
{
    struct serve_answer *answer = &task->answer;
    serve_answer_finish(answer);
    serve_choose_encoding(task);
    serve_answer_finish(answer);
    struct MHD_Response *response =
        answer->file
            ? MHD_create_response_from_fd64(answer->size, answer->file - 1)
            : MHD_create_response_from_buffer(answer->size, answer->bytes,
                                              answer->is_constant ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);
    if (!response)
        return MHD_NO;
    answer->file = 0; /* the response's now, and so are the bytes */
    if (!answer->is_constant)
        answer->bytes = NULL;
    add_headers(response, task);
    enum MHD_Result result = MHD_queue_response(task->connection, (unsigned)answer->status, response);
    MHD_destroy_response(response);
    return result;
}

static void on_answered(struct serve_task *task)
{
    task->is_answered = 1;
    MHD_resume_connection(task->connection);
}

/* Refusals that need no body: the connection is closed behind them. 0 where the answer says what is wrong. */
static int check_length(struct serve_task *task)
{
    const char *length = MHD_lookup_connection_value(task->connection, MHD_HEADER_KIND, "Content-Length");
    if (!length || strtoull(length, NULL, 10) <= task->body_limit)
        return 1;
    if (task->body_limit == 0)
        serve_answer_error(&task->answer, 413, NULL, "this request takes no body");
    else
        serve_answer_error(&task->answer, 413, NULL, "the body has more than %zu bytes", task->body_limit);
    return 0;
}

/* The first call for a request: its header alone is there. */
static enum MHD_Result begin_request(struct serve_server *server, struct MHD_Connection *connection, const char *url,
                                     const char *method, void **user)
{
    struct serve_task *task = calloc(1, sizeof *task);
    if (!task)
        return MHD_NO;
    *user = task;
    task->server = server;
    task->connection = connection;
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    const struct serve_own_route *own = find_own(method, url);
    task->route = find_route(server, method, url);
    int has_body = strcmp(method, "POST") == 0 || strcmp(method, "PUT") == 0;
    if (task->route)
        task->body_limit = has_body ? SERVE_BODY_MAX : 0;
    else if (own)
        task->body_limit = own->body_max;
    identify_client(task);
    int wants_json = serve_find_members(server, method, url) != NULL;
    int may_go_on = serve_guard(server, task, method, url, wants_json);
    if (may_go_on && !task->route && (!own || (own->handle == send_page && has_path(server, url)))) {
        may_go_on = 0;
        if (has_path(server, url))
            serve_answer_error(&task->answer, 405, NULL, "%.10s is no method of %.200s", method, url);
        else
            serve_answer_error(&task->answer, 404, "GET /v1/openapi.json lists what there is", "there is no %.200s",
                               url);
    }
    if (may_go_on && check_length(task))
        return MHD_YES;
    return send_answer(task);
}

static enum MHD_Result append_body(struct serve_server *server, struct serve_task *task, const char *data, size_t size)
{
    if (size > task->body_limit - task->body_size)
        return MHD_NO; /* without a length in the header; who sends that much does not listen */
    if (task->body_size + size + 1 > task->body_capacity) {
        size_t capacity = 2 * task->body_capacity + size + 1024, before = task->body_capacity;
        if (atomic_fetch_add(&server->body_bytes, capacity - before) + capacity - before > SERVE_BODIES_MAX) {
            atomic_fetch_sub(&server->body_bytes, capacity - before);
            return MHD_NO;
        }
        task->body_capacity = capacity;
        char *grown = realloc(task->body, capacity);
        if (!grown)
            return MHD_NO;
        task->body = grown;
    }
    memcpy(task->body + task->body_size, data, size);
    task->body_size += size;
    task->body[task->body_size] = 0;
    return MHD_YES;
}

/* The request is whole. */
static enum MHD_Result answer_request(struct serve_server *server, struct serve_task *task, const char *url,
                                      const char *method)
{
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    const struct serve_own_route *own = find_own(method, url);
    const struct serve_member *members = serve_find_members(server, method, url);
    if (members && (!serve_task_read_json(task) || !serve_check_body(task, members)))
        return send_answer(task);
    task->received_s = serve_now_s();
    if (task->route && task->route->answer_at_once &&
        task->route->answer_at_once(server->program->engine, task, &task->answer))
        return send_answer(task);
    if (task->route) {
        serve_end_detached(&server->jobs, task);
        MHD_suspend_connection(task->connection);
        serve_queue_add(&server->queue, task);
        return MHD_YES;
    }
    if (own)
        own->handle(server, task, url + strlen(own->path));
    return send_answer(task);
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *data, size_t *size, void **request)
{
    struct serve_server *server = user;
    struct serve_task *task = *request;
    (void)version;
    if (!task)
        return begin_request(server, connection, url, method, request);
    if (task->is_answered)
        return send_answer(task);
    if (*size) {
        enum MHD_Result result = append_body(server, task, data, *size);
        *size = 0;
        return result;
    }
    return answer_request(server, task, url, method);
}

static void on_completed(void *user, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode code)
{
    struct serve_server *server = user;
    struct serve_task *task = *request;
    (void)connection;
    (void)code;
    if (!task)
        return;
    atomic_fetch_sub(&server->body_bytes, task->body_capacity);
    serve_task_destroy(task);
    *request = NULL;
}

/* A thousand connections are more than the usual limit of a shell. */
static void raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int find_address(const struct serve_options *options, struct addrinfo **found, char *message, size_t size)
{
    char port[16];
    struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    snprintf(port, sizeof port, "%d", options->port);
    int failed = getaddrinfo(options->listen ? options->listen : "127.0.0.1", port, &hints, found);
    if (failed)
        snprintf(message, size, "--listen %s: %s", options->listen, gai_strerror(failed));
    return !failed;
}

static int start_daemon(struct serve_server *server, char *message, size_t size)
{
    struct addrinfo *address;
    if (!find_address(server->options, &address, message, size))
        return 0;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (address->ai_family == AF_INET6)
        flags |= MHD_USE_IPv6;
    errno = 0;
    server->daemon = MHD_start_daemon(
        flags, (uint16_t)server->options->port, NULL, NULL, on_request, server, MHD_OPTION_SOCK_ADDR, address->ai_addr,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVE_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADER_BYTES_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVE_IDLE_SECONDS,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_END);
    freeaddrinfo(address);
    if (!server->daemon) {
        snprintf(message, size, "port %d cannot be opened: %s; choose another one with --port", server->options->port,
                 strerror(errno));
        return 0;
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    server->port = info ? info->port : server->options->port;
    return 1;
}

static void wait_for_end(void)
{
    sigset_t ends;
    int number;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigwait(&ends, &number);
}

/* Signals that end the server come to the thread that waits for them alone. */
static void block_signals(sigset_t *before)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, before);
}

static void print_address(const struct serve_server *server)
{
    char url[512];
    snprintf(url, sizeof url, "http://%s:%d/%s%s", server->options->listen ? server->host : "127.0.0.1", server->port,
             server->options->token ? "?token=" : "", server->options->token ? server->options->token : "");
    server->options->ready(server->options->user, url);
}

/* An address of version 6 stands in brackets in a URL. */
static char *host_of(const char *listen)
{
    char host[300];
    if (!listen)
        return strdup("127.0.0.1");
    snprintf(host, sizeof host, strchr(listen, ':') && listen[0] != '[' ? "[%s]" : "%s", listen);
    return strdup(host);
}

static int serve_until_end(struct serve_server *server, char *message, size_t size)
{
    if (!serve_jobs_open(&server->jobs, server->program)) {
        if (errno == EWOULDBLOCK)
            snprintf(message, size,
                     "another rasterwave serve runs in this folder, whose jobs and project it owns: use its page, or "
                     "start this one with another --root");
        else
            snprintf(message, size, "the folder %s cannot be created: %s", SERVE_JOBS_FOLDER, strerror(errno));
        return 2;
    }
    if (!serve_queue_open(&server->queue, server->program->engine, on_answered, serve_detach)) {
        snprintf(message, size, "no thread could be started");
        return 1;
    }
    if (!start_daemon(server, message, size))
        return 2;
    print_address(server);
    wait_for_end();
    return 0;
}

int serve_run(const struct serve_options *options, const struct serve_program *program, char *message, size_t size)
{
    sigset_t before;
    struct serve_server server = {.options = options, .program = program, .host = host_of(options->listen)};
    if (!server.host) {
        snprintf(message, size, "no memory left for the server");
        return 1;
    }
    raise_file_limit();
    block_signals(&before);
    int exit_status = serve_until_end(&server, message, size);
    serve_queue_close(&server.queue); /* resumes whoever waits, before the connections close */
    if (server.daemon)
        MHD_stop_daemon(server.daemon);
    serve_jobs_close(&server.jobs);
    free(server.host);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return exit_status;
}
