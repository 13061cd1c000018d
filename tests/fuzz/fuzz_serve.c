/* Requests of the server from any bytes: the first line is the path of a route, and anything else there chooses one by
 * its first byte; the rest is the body. Connections and headers are libmicrohttpd's; broken ones are sent by
 * rasterwave-serve-client. */
#include "program.h"
#include "target.h"

#include "serve/http.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t *input;
static size_t input_size;

static void check_answer(struct serve_task *task)
{
    serve_answer_finish(&task->answer);
    if (task->answer.status < 200 || task->answer.status > 503 || !task->answer.size)
        abort();
}

/* Routes of src/serve itself that read options. */
enum { JOB, PROJECT, OWN_ROUTES };
static const char *const own_paths[OWN_ROUTES] = {"/v1/jobs", "/v1/project"};

static size_t choose_route(const struct serve_program *program, size_t count, size_t line)
{
    for (size_t i = 0; i < count + OWN_ROUTES; i++) {
        const char *path = i < count ? program->routes[i].path : own_paths[i - count];
        int is_read = i < count && strcmp(program->routes[i].method, "GET") == 0;
        if (!is_read && strlen(path) == line && memcmp(input, path, line) == 0)
            return i;
    }
    return input_size ? input[0] % (count + OWN_ROUTES) : 0;
}

static void answer_route(const struct serve_program *program, const struct serve_route *route, struct serve_task *task)
{
    int is_read = strcmp(route->method, "GET") == 0;
    if (is_read || (serve_task_read_json(task) && serve_check_body(task, route->members)))
        route->handle(program->engine, task, &task->answer);
}

static void answer_own_route(const struct serve_program *program, size_t which, struct serve_task *task)
{
    struct serve_command command = {0};
    if (!serve_task_read_json(task))
        return;
    if (which == PROJECT) {
        const rw_json_value *project = rw_json_member(&task->json, &task->json.values[0], "project");
        if (!project || program->check_project(&task->json, project, &task->answer))
            serve_answer_error(&task->answer, 400, NULL, "this is not stored");
        return;
    }
    if (program->make_command(program->engine, &task->json, "predict", "job", &command, &task->answer))
        serve_answer_error(&task->answer, 202, NULL, "%s", command.text);
    serve_command_free(&command);
}

/* In place of the server: one request, on the engine as the program made it. */
static int answer_input(const struct serve_program *program)
{
    size_t count = 0, line = 0;
    while (program->routes[count].path)
        count++;
    while (line < input_size && input[line] != '\n')
        line++;
    size_t chosen = choose_route(program, count, line), start = line < input_size ? line + 1 : input_size;
    size_t size = input_size - start;
    struct serve_task *task = calloc(1, sizeof *task);
    char *body = malloc(size + 1);
    if (!task || !body)
        exit(1);
    if (size)
        memcpy(body, input + start, size);
    body[size] = 0;
    fuzz_keep_inside(body, size);
    task->deadline_s = 1e300;
    task->is_alone = 1; /* no server around it */
    task->body = body;
    task->body_size = size;
    if (chosen < count)
        answer_route(program, &program->routes[chosen], task);
    else
        answer_own_route(program, chosen - count, task);
    check_answer(task);
    serve_task_destroy(task);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *arguments[] = {"rasterwave", "serve", "--scene", "town.res", "--quiet", NULL};
    input = bytes;
    input_size = size;
    fuzz_serve = answer_input;
    fuzz_run_program(5, arguments);
    return 0;
}
