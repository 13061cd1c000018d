/* serve: the engine as a page in the browser and over HTTP. The HTTP is in src/serve; here is what it asks. */
#include "report/json.h"
#include "serve/serving.h"

#include "base/inside_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_SCENE "city:european:seed=1:size=1200m,1200m"
#define TOKEN_MIN 8
#define ORIGIN_SIZE 280

/* Members of the bodies of requests. */
#define PROJECT_MEMBER                                                                                                 \
    {                                                                                                                  \
        "project", SERVE_OBJECT, 0, SERVE_PROJECT_SCHEMA                                                               \
    }
#define ARGUMENTS_MEMBER                                                                                               \
    {                                                                                                                  \
        "arguments", SERVE_OBJECT, 0, SERVE_ARGUMENTS_SCHEMA                                                           \
    }
#define LAYER_MEMBER                                                                                                   \
    {                                                                                                                  \
        "layer", SERVE_STRING, 0, "\"description\": \"One of the model's layers.\""                                    \
    }
#define RESOLUTION_MEMBER                                                                                              \
    {                                                                                                                  \
        "resolution", SERVE_NUMBER, 0, "\"exclusiveMinimum\": 0"                                                       \
    }
#define BAND_MEMBER                                                                                                    \
    {                                                                                                                  \
        "transmitter", SERVE_STRING | SERVE_NUMBER, 0, "\"description\": \"A number from 0, or best.\""                \
    }
#define LEVEL_MEMBER                                                                                                   \
    {                                                                                                                  \
        "level", SERVE_NUMBER, 0, NULL                                                                                 \
    }
#define RECEIVER_MEMBER                                                                                                \
    {                                                                                                                  \
        "receiver", SERVE_LIST, 1, "\"items\": {\"type\": \"number\"}, \"minItems\": 2, \"maxItems\": 3"               \
    }
#define TRANSMITTER_MEMBER                                                                                             \
    {                                                                                                                  \
        "transmitter", SERVE_NUMBER, 0, "\"minimum\": 0, \"description\": \"This one alone; without it, all.\""        \
    }
#define FILE_MEMBER(required)                                                                                          \
    {                                                                                                                  \
        "file", SERVE_STRING, required, "\"description\": \"Below the root.\""                                         \
    }
#define END_OF_MEMBERS                                                                                                 \
    {                                                                                                                  \
        NULL, 0, 0, NULL                                                                                               \
    }

static const struct serve_member scene_members[] = {
    FILE_MEMBER(0),
    {"generate", SERVE_STRING, 0, "\"enum\": [\"city\", \"office\", \"terrain\", null]"},
    PROJECT_MEMBER,
    {SERVE_ANY_NAME, SERVE_STRING | SERVE_NUMBER | SERVE_FLAG, 0, NULL}, /* settings of the generator */
    END_OF_MEMBERS};
static const struct serve_member transform_members[] = {
    PROJECT_MEMBER,
    {"to", SERVE_STRING, 1, "\"enum\": [\"lonlat\", \"scene\"]"},
    {"points", SERVE_LIST, 1,
     "\"items\": {\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 2, \"maxItems\": 2}"},
    END_OF_MEMBERS};
static const struct serve_member predict_members[] = {PROJECT_MEMBER, LAYER_MEMBER, RESOLUTION_MEMBER,
                                                      BAND_MEMBER,    LEVEL_MEMBER, END_OF_MEMBERS};
static const struct serve_member paths_members[] = {PROJECT_MEMBER, RECEIVER_MEMBER, TRANSMITTER_MEMBER,
                                                    END_OF_MEMBERS};
static const struct serve_member budget_members[] = {PROJECT_MEMBER, RECEIVER_MEMBER, TRANSMITTER_MEMBER,
                                                     RESOLUTION_MEMBER, END_OF_MEMBERS};
static const struct serve_member command_members[] = {
    {"command", SERVE_STRING, 0, "\"$ref\": \"#/components/schemas/Command\""},
    PROJECT_MEMBER,
    ARGUMENTS_MEMBER,
    LAYER_MEMBER,
    RESOLUTION_MEMBER,
    BAND_MEMBER,  /* what the page shows of the map that the command writes, as in a body of /v1/predict */
    LEVEL_MEMBER, /* the same */
    END_OF_MEMBERS};
static const struct serve_member sites_members[] = {
    FILE_MEMBER(0), {"table", SERVE_STRING, 0, NULL}, PROJECT_MEMBER, ARGUMENTS_MEMBER, END_OF_MEMBERS};
static const struct serve_member export_members[] = {{"sites", SERVE_LIST, 1, "\"items\": {\"type\": \"object\"}"},
                                                     END_OF_MEMBERS};
static const struct serve_member read_members[] = {FILE_MEMBER(1), END_OF_MEMBERS};
static const struct serve_member evaluate_members[] = {PROJECT_MEMBER, FILE_MEMBER(1), ARGUMENTS_MEMBER,
                                                       END_OF_MEMBERS};

static const struct serve_route routes[] = {
    {"GET", "/v1/info", serve_info, 0, answer_info_at_once, NULL},
    {"GET", "/v1/scene", serve_scene, 0, answer_scene_at_once, NULL},
    {"GET", "/v1/scene/geometry", serve_geometry, 0, NULL, NULL},
    {"GET", "/v1/scenes", serve_scenes, 0, NULL, NULL},
    {"POST", "/v1/scenes", serve_open_scene, 0, NULL, scene_members},
    {"POST", "/v1/transform", serve_transform, 0, NULL, transform_members},
    {"POST", "/v1/predict", serve_predict, 1, NULL, predict_members},
    {"POST", "/v1/paths", serve_paths, 1, NULL, paths_members},
    {"POST", "/v1/budget", serve_budget, 1, NULL, budget_members},
    {"POST", "/v1/command", serve_command_line, 0, NULL, command_members},
    {"POST", "/v1/sites", serve_sites, 0, NULL, sites_members},
    {"POST", "/v1/sites/export", serve_sites_export, 0, NULL, export_members},
    {"POST", "/v1/project/read", serve_read_project, 0, NULL, read_members},
    {"POST", "/v1/evaluate", serve_evaluate, 1, NULL, evaluate_members},
    {NULL, NULL, NULL, 0, NULL, NULL},
};

static int on_engine_progress(void *user, double fraction, const char *stage)
{
    const struct engine *engine = user;
    const struct served_call *served = current_served_call();
    if (engine->alone)
        return on_progress(engine->alone, fraction, stage);
    if (!served || !served->task)
        return 0;
    serve_task_report(served->task, fraction, stage);
    return serve_task_is_cancelled(served->task);
}

static void on_engine_warning(void *user, const char *message)
{
    struct served_call *served = current_served_call();
    (void)user;
    if (served)
        on_warning(&served->call, message);
}

/* The scheme and host of the address of tiles, which the page may load images from. 0 where it is no such address. */
static int find_origin(const char *url, char *origin, size_t size)
{
    const char *host = strncmp(url, "https://", 8) == 0 ? url + 8 : strncmp(url, "http://", 7) == 0 ? url + 7 : NULL;
    size_t length = host ? strspn(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-:") : 0;
    if (length == 0 || host[length] != '/' || !strstr(host, "{z}") || !strstr(host, "{x}") || !strstr(host, "{y}"))
        return 0;
    int written = snprintf(origin, size, "%.*s", (int)(host - url) + (int)length, url);
    return written > 0 && (size_t)written < size;
}

static int check_serve_call(const struct serve_settings *settings)
{
    char origin[ORIGIN_SIZE];
    if (!settings->answer != !settings->out)
        return report_error(
            "--answer FILE is a stored request, whose answer is written to --out FILE: both are needed");
    if (settings->listen && !settings->token)
        return report_error("--listen %s opens the server to other machines: give a --token that they must know",
                            settings->listen);
    if (settings->token && strlen(settings->token) < TOKEN_MIN)
        return report_error("--token: at least %d characters are needed", TOKEN_MIN);
    for (const char *at = settings->token; at && *at; at++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", *at))
            return report_error("--token: letters, digits, - and _ are possible");
    if (settings->token && strlen(settings->token) > 200)
        return report_error("--token: at most 200 characters are possible");
    if (settings->backdrop && !find_origin(settings->backdrop, origin, sizeof origin))
        return report_error("--backdrop %s: an address such as https://tiles.example/{z}/{x}/{y}.png is expected",
                            settings->backdrop);
    if (settings->port > 65535)
        return report_error("--port %d: ports go up to 65535", settings->port);
    return 0;
}

/* Files that were named in the folder where the server was started are named again from the root. */
static int rename_from_root(struct call *call, const char *root, const char **path)
{
    char real[PATH_MAX];
    if (!*path || is_generator(*path) || strcmp(*path, "flat") == 0)
        return 0;
    if (!realpath(*path, real))
        return report_error("%s cannot be opened: %s", *path, strerror(errno));
    size_t length = strlen(root);
    int is_inside = strncmp(real, root, length) == 0 && real[length] == '/';
    *path = store_string(call, is_inside ? real + length + 1 : real);
    return *path ? 0 : report_out_of_memory("the scene");
}

/* The root is the current folder from here on, so that names mean the same in requests, jobs and command lines. */
static int enter_root(struct call *call, char root[PATH_MAX])
{
    struct serve_settings *settings = call->settings;
    const char *wanted = settings->root ? settings->root : ".";
    if (!realpath(wanted, root))
        return report_error("--root %s cannot be opened: %s", wanted, strerror(errno));
    for (const struct option *option = option_table; option->name; option++)
        if (option->roles & OF_SCENE && option->kind == OPTION_READ && accepts_option(call->command, option->name))
            TRY(rename_from_root(call, root, find_option_target(call, option->name)));
    if (chdir(root) != 0)
        return report_error("--root %s cannot be entered: %s", wanted, strerror(errno));
    return 0;
}

static int start_engine(struct call *call, struct engine *engine)
{
    struct serve_settings *settings = call->settings;
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = call->backend;
    options.threads = call->threads;
    options.on_progress = on_engine_progress;
    options.on_warning = on_engine_warning;
    options.user = engine;
    rw_status status = rw_context_create(&options, &engine->context);
    if (status != RW_OK)
        return report_error("%s", rw_last_error(engine->context));
    engine->call = call;
    engine->scene = settings->scene.file = settings->scene.file ? settings->scene.file : DEFAULT_SCENE;
    return 0;
}

static int describe_first_scene(struct engine *engine, struct served_call *served)
{
    rw_scene *scene;
    TRY(begin_served_call(engine, NULL, "predict", served));
    TRY(find_warm_scene(engine, served, &scene));
    store_description(engine, served, scene);
    return 0;
}

/* The scene is open before the first request, and what is wrong with it is told at once. */
static int open_first_scene(struct engine *engine)
{
    struct served_call served;
    char message[MESSAGE_SIZE];
    int exit_status = describe_first_scene(engine, &served);
    memcpy(message, served.message, sizeof message);
    end_served_call(engine, &served);
    if (exit_status)
        report_error("%s", message);
    return exit_status;
}

static void on_ready(void *user, const char *url)
{
    const struct engine *engine = user;
    struct json json;
    if (engine->call->json) {
        json_begin(&json, stdout);
        json_string(&json, "url", url);
        json_string(&json, "scene", engine->settings->scene.file);
        json_end(&json);
    } else {
        printf("rasterwave serves %s at %s (Ctrl-C ends it)\n", engine->settings->scene.file, url);
    }
    fflush(stdout);
}

/* A driver of a GPU and sanitizers map more addresses than they use: no limit of addresses suits them. */
static int maps_little(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    int found = file && fscanf(file, "%llu", &pages) == 1;
    if (file)
        fclose(file);
    return found && pages * (unsigned long long)sysconf(_SC_PAGESIZE) < SERVE_JOB_BYTES / 2;
}

static int run_server(struct call *call, struct engine *engine, const char *root)
{
    const struct serve_settings *settings = call->settings;
    char message[MESSAGE_SIZE] = "", self[PATH_MAX], origin[ORIGIN_SIZE];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return report_error("the path of the program cannot be read: %s", strerror(errno));
    self[length] = 0;
    const struct serve_options options = {
        .listen = settings->listen,
        .port = settings->port,
        .token = settings->token,
        .images = settings->backdrop && find_origin(settings->backdrop, origin, sizeof origin) ? origin : NULL,
        .root = root,
        .ready = on_ready,
        .user = engine};
    const struct serve_program program = {.engine = engine,
                                          .routes = routes,
                                          .make_command = make_command,
                                          .make_answer_command = make_answer_command,
                                          .write_scene = write_default_scene,
                                          .check_project = check_project,
                                          .write_schema = write_options_schema,
                                          .self = self,
                                          .limits_memory = maps_little()};
    int exit_status = serve_run(&options, &program, message, sizeof message);
    if (exit_status)
        report_error("%s", message);
    return exit_status;
}

static int start_and_run_server(struct call *call, struct engine *engine)
{
    const struct serve_settings *settings = call->settings;
    char root[PATH_MAX];
    TRY(check_serve_call(settings));
    TRY(enter_root(call, root));
    TRY(start_engine(call, engine));
    if (settings->answer) {
        const struct serve_program alone = {.engine = engine, .routes = routes};
        engine->alone = call;
        return answer_stored_request(engine, &alone);
    }
    TRY(open_first_scene(engine));
    return run_server(call, engine, root);
}

int run_serve(struct call *call)
{
    struct engine engine = {.lock = PTHREAD_MUTEX_INITIALIZER, .settings = call->settings};
    int exit_status = start_and_run_server(call, &engine);
    close_warm_scenes(&engine);
    free(engine.description);
    free_scene_name(&engine);
    rw_context_destroy(engine.context);
    return exit_status;
}
