/* Bodies of requests against the table of their route. */
#include "serve/http.h"

#include <string.h>

/* true and false are one kind: the second has no word. */
static const struct {
    unsigned kind;
    const char *words, *type;
} kinds_of_json[] = {{SERVE_NULL, NULL, "null"},         {SERVE_FLAG, "true or false", "boolean"},
                     {SERVE_STRING, "a text", "string"}, {SERVE_NUMBER, "a number", "number"},
                     {SERVE_LIST, "a list", "array"},    {SERVE_OBJECT, "an object", "object"}};
#define KIND_COUNT (sizeof kinds_of_json / sizeof *kinds_of_json)

static void describe_kinds(unsigned kinds, char *words, size_t size)
{
    size_t used = 0;
    *words = 0;
    for (size_t i = 0; i < KIND_COUNT && used < size; i++)
        if (kinds_of_json[i].words && kinds & kinds_of_json[i].kind)
            used += (size_t)snprintf(words + used, size - used, "%s%s", used ? " or " : "", kinds_of_json[i].words);
}

void serve_write_type(FILE *stream, unsigned kinds)
{
    const char *between = "";
    fputs("\"type\": [", stream);
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (kinds & kinds_of_json[i].kind) {
            fprintf(stream, "%s\"%s\"", between, kinds_of_json[i].type);
            between = ", ";
        }
    fputs("]", stream);
}

static const struct serve_member *find_body_member(const struct serve_member *members, const char *name)
{
    while (members->name && strcmp(members->name, SERVE_ANY_NAME) != 0 && strcmp(members->name, name) != 0)
        members++;
    return members->name ? members : NULL;
}

static int is_repeated_key(const rw_json *json, const rw_json_value *value)
{
    const rw_json_value *at = rw_json_first(json, &json->values[0]);
    while (at != value && strcmp(at->key, value->key) != 0)
        at = rw_json_next(json, at);
    return at != value;
}

#define NAMES_MAX 40 /* of a body without a fixed list: so many are compared with each other */

int serve_check_body(struct serve_task *task, const struct serve_member *members)
{
    const rw_json *json = &task->json;
    const rw_json_value *root = &json->values[0];
    char words[120];
    size_t count = 0;
    for (const rw_json_value *value = rw_json_first(json, root); value; value = rw_json_next(json, value)) {
        const struct serve_member *member = find_body_member(members, value->key);
        if (!member || ++count > NAMES_MAX) {
            serve_answer_error(&task->answer, 400, "GET /v1/openapi.json lists what there is",
                               "%.60s is not a member of this request", value->key);
            return 0;
        }
        describe_kinds(member->kinds, words, sizeof words);
        if (value->kind != RW_JSON_NULL && !(member->kinds & 1u << value->kind)) {
            serve_answer_error(&task->answer, 400, NULL, "%.60s: %s is expected", value->key, words);
            return 0;
        }
        if (is_repeated_key(json, value)) {
            serve_answer_error(&task->answer, 400, NULL, "%.60s is given twice", value->key);
            return 0;
        }
    }
    for (; members->name; members++) {
        const rw_json_value *value = rw_json_member(json, root, members->name);
        if (!members->is_required || (value && value->kind != RW_JSON_NULL))
            continue;
        describe_kinds(members->kinds, words, sizeof words);
        serve_answer_error(&task->answer, 400, NULL, "%s: %s is expected", members->name, words);
        return 0;
    }
    return 1;
}
