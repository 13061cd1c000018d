/* Requests of the server from any bytes: the first byte chooses the route, the rest is the body. Connections and
 * headers are libmicrohttpd's; broken ones are sent by rasterwave-serve-client. */
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

/* In place of the server: one request, on the engine as the program made it. */
static int answer_input(const struct serve_program *program)
{
    size_t count = 0;
    while (program->routes[count].path)
        count++;
    size_t chosen = input_size ? input[0] % (count + 1) : 0;
    size_t size = input_size > 1 ? input_size - 1 : 0;
    struct serve_task *task = calloc(1, sizeof *task);
    char *body = malloc(size + 1);
    if (!task || !body)
        exit(1);
    if (size)
        memcpy(body, input + 1, size);
    body[size] = 0;
    fuzz_keep_inside(body, size);
    task->deadline_s = 1e300;
    task->is_alone = 1; /* no server around it */
    task->body = body;
    task->body_size = size;
    int is_read = chosen < count && strcmp(program->routes[chosen].method, "GET") == 0;
    if (is_read || serve_task_read_json(task)) {
        if (chosen < count) {
            program->routes[chosen].handle(program->engine, task, &task->answer);
        } else {
            struct serve_command command = {0};
            if (program->make_command(program->engine, &task->json, "predict", "job", &command, &task->answer))
                serve_answer_error(&task->answer, 202, NULL, "%s", command.text);
            serve_command_free(&command);
        }
    }
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
