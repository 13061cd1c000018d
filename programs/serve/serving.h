/* serve: what is kept warm between requests, and the handlers of requests (src/serve has the HTTP). */
#ifndef SERVE_SERVING_H
#define SERVE_SERVING_H

#include "serve/serve_settings.h"

#include "serve/serve.h"

#include <pthread.h>

#define WARM_SCENES 2
#define MESSAGE_SIZE 2048
#define DATABASE_KEY_SIZE 5000

/* A scene that stays open; which one is told by all options that make it. */
struct warm_scene {
    char *key;
    rw_scene *scene;
    int users;                            /* calls on it at the moment, of the engine's two threads */
    int is_stale;                         /* its files have changed: closed by its last user */
    rw_inputs *inputs;                    /* the files that it was read from, by content */
    unsigned long used;                   /* when last */
    rw_database *database;                /* of it, the last one that was asked for; NULL: none */
    char database_key[DATABASE_KEY_SIZE]; /* which file that is; "": to be loaded again */
};

struct engine {
    rw_context *context;
    const struct call *call; /* of serve itself */
    const struct serve_settings *settings;
    pthread_mutex_t lock;       /* of all that follows: requests come from several threads */
    const char *scene;          /* of requests that name none */
    char scene_name[512];       /* room for it */
    struct scene_options given; /* of that scene, if it was opened with options; its file is NULL otherwise */
    char *description;          /* of that scene, as JSON; NULL: not known yet */
    char described[512];        /* which scene that is */
    struct warm_scene scenes[WARM_SCENES];
    unsigned long uses;
    struct call *alone; /* of a process that answers one request: whose progress is reported; NULL in a server */
};

/* One request on the engine: a call of a command, made from the request's project. */
struct served_call {
    struct call call;
    char message[MESSAGE_SIZE]; /* what is wrong */
    struct request request;
    struct serve_task *task;   /* NULL: none */
    struct warm_scene *warm;   /* its scene, in use until the call ends */
    rw_database *own_database; /* where another call uses the scene's */
    struct served_call *outer; /* of this thread, before */
};

/* request.c: the call that this thread serves; NULL: none. */
struct served_call *current_served_call(void);

/* request.c: where a call stores the options of its scene; NULL if its command has none. */
struct scene_options *scene_options_of(const struct call *call);

/* request.c: a call of the command, with the options that the project of the request gives. Returns the exit status;
 * asked->sentence says what is wrong. To be ended in any case. */
int begin_served_call(struct engine *engine, struct serve_task *task, const char *command, struct served_call *served);
void end_served_call(struct engine *engine, struct served_call *served);

/* One more option, as if the command line had it. Returns the exit status. */
int set_served_option(struct served_call *served, const char *name, const char *string);

/* Options of the server's scene for a command line. Returns the exit status. */
int set_default_scene(struct engine *engine, struct call *call);

/* Another scene by its name: with the options that it was opened with, or those of serve if it is the one that serve
 * was started with. */
void name_scene(struct engine *engine, struct call *call, const char *name);

/* The scene of requests that name none from here on, with the options of the call. Returns the exit status. */
int store_scene_name(struct engine *engine, const struct call *call);
void free_scene_name(struct engine *engine);

/* The options of the call's scene beside its name, as a project has them. */
struct json;
void write_scene_options(struct json *json, const struct call *call);

/* A request that is a call: the step begins the call first (begin_served_call), and its answer is an error if it
 * returns another exit status than 0. */
typedef int answer_step(struct engine *engine, struct serve_task *task, struct served_call *served,
                        struct serve_answer *answer);
void answer_by(answer_step *step, struct engine *engine, struct serve_task *task, struct serve_answer *answer);

/* engine.c: the scene of a call, kept warm. Returns the exit status. */
int find_warm_scene(struct engine *engine, struct served_call *served, rw_scene **scene);
/* The call's scene is not used any more. */
void release_warm_scene(struct engine *engine, struct served_call *served);
void close_warm_scenes(struct engine *engine);

/* The database that the call asks for, kept warm with its scene; NULL: it asks for none. Returns the exit status. */
int find_warm_database(struct engine *engine, struct served_call *served, rw_scene *scene, rw_database **database);

/* Answers with what the scene is. */
void describe_scene(struct served_call *served, const rw_scene *scene, struct serve_answer *answer);

/* The description of the scene that requests without a name mean is stored, so that it is there while the engine is
 * busy.
 */
void store_description(struct engine *engine, struct served_call *served, const rw_scene *scene);

/* A request that would take so many seconds becomes a job if they are too many: an exit status that is not 0 then. */
int check_duration(struct served_call *served, double seconds);

/* answer.c: the command of a process that answers one stored request, and that process. */
int make_answer_command(void *engine, const char *request, const char *out, struct serve_command *command,
                        struct serve_answer *answer);
/* The scene of requests that name none, with its options, as JSON. */
void write_default_scene(void *engine, FILE *stream);
int answer_stored_request(struct engine *engine, const struct serve_program *program);

/* command.c: one more argument of a command. Returns the exit status. */
int add_argument(struct serve_command *command, const char *string);
int add_option(struct serve_command *command, const char *name, const char *string);
int format_command_line(struct serve_command *command);
/* An option of the list that a call was given, as an argument. */
int add_call_argument(struct call *call, struct serve_command *command, const struct argument *argument);

/* project.c: options of a project in JSON; whether a value is a file outside of the root; whether a value has the kind
 * that its option takes and its key stands once in the object. All return the exit status. */
int read_project_json(struct call *call, const rw_json *json, const rw_json_value *project);
int check_inside_root(struct call *call, const char *name, const char *string);
int check_option_value(const struct call *call, const rw_json *json, const rw_json_value *object,
                       const rw_json_value *value);
int set_project_list(struct call *call, const rw_json *json, const rw_json_value *list);

/* What src/serve asks of the tables of options: see struct serve_program. */
int check_project(const rw_json *json, const rw_json_value *project, struct serve_answer *answer);
void write_options_schema(const char *name, FILE *stream);

/* A scalar as the text that the command line would have; NULL where it is none. */
const char *project_value_string(const rw_json_value *value, char number[40]);

/* "arguments" of a request: more options, beside those of its project. Returns the exit status. */
int read_arguments_json(struct call *call, const rw_json *json);

/* Makes the arguments of a command from a request for a job: {"command", "project", "arguments"}. name: the command
 * where the request names none. */
int make_command(void *engine, const rw_json *json, const char *name, const char *folder, struct serve_command *command,
                 struct serve_answer *answer);

/* engine.c: magic, length, a header in JSON that ends at a multiple of four bytes, and room for data. NULL where
 * there is no memory. */
char *begin_binary(const char magic[4], const char *header, size_t header_size, size_t data_size, size_t *size,
                   char **data);

/* Handlers of routes. */
void serve_info(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_scene(void *engine, struct serve_task *task, struct serve_answer *answer);
int answer_info_at_once(void *engine, struct serve_task *task, struct serve_answer *answer);
int answer_scene_at_once(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_geometry(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_scenes(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_open_scene(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_budget(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_transform(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_predict(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_paths(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_sites(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_sites_export(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_read_project(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_evaluate(void *engine, struct serve_task *task, struct serve_answer *answer);
void serve_command_line(void *engine, struct serve_task *task, struct serve_answer *answer);

#endif
