/* A recursive-descent parser after RFC 8259. Texts are unescaped in place, so that a tree costs one array of values. */
#include "base/text/json_read.h"

#include "base/context.h" /* RW_TRY */
#include "base/text/number.h"
#include "base/text/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    rw_json_grow_fn grow;
    void *user;
    char *at, *end;
    uint32_t line;
    int depth;
    rw_json *json;
    rw_json_fault *fault;
} parser;

static rw_status fail_json(const parser *p, const char *what)
{
    *p->fault = (rw_json_fault){p->line, p->at >= p->end ? "the JSON text ends too early" : what};
    return RW_BAD_INPUT;
}

static void skip_space(parser *p)
{
    for (;; p->at++) {
        if (*p->at == '\n')
            p->line++;
        else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r')
            return;
    }
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hexadecimal digits; -1 where they are none. The zero byte at the end stops it. */
static int32_t hex_quad(const char *string)
{
    int32_t code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(string[i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

/* At the u of an escape; leaves at after its last digit. A pair of surrogates is one character; a lone one is an error.
 */
static rw_status parse_unicode(parser *p, char **out)
{
    int32_t code = hex_quad(p->at + 1);
    if (code <= 0)
        return fail_json(p,
                         code == 0 ? "a zero character in a text" : "\\u is not followed by four hexadecimal digits");
    p->at += 5;
    if (code >= 0xD800 && code < 0xE000) {
        int32_t low = code < 0xDC00 && p->at[0] == '\\' && p->at[1] == 'u' ? hex_quad(p->at + 2) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return fail_json(p, "half a surrogate pair in a text");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        p->at += 6;
    }
    *out = rw_utf8_write(*out, (uint32_t)code);
    return RW_OK;
}

/* After a backslash. */
static rw_status parse_escape(parser *p, char **out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (*p->at == 'u')
        return parse_unicode(p, out);
    const char *found = *p->at ? strchr(letters, *p->at) : NULL;
    if (!found)
        return fail_json(p, "an unknown escape in a text");
    *(*out)++ = meanings[found - letters];
    p->at++;
    return RW_OK;
}

static rw_status parse_json_string(parser *p, const char **string)
{
    char *out = ++p->at;
    *string = out;
    while (*p->at != '"') {
        if ((unsigned char)*p->at < 0x20)
            return fail_json(p, "a text is not ended by a quotation mark on its line");
        if (*p->at != '\\') {
            *out++ = *p->at++;
            continue;
        }
        p->at++;
        RW_TRY(parse_escape(p, &out));
    }
    p->at++;
    *out = 0; /* at the closing quotation mark or before it */
    return RW_OK;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits and powers of ten that a double holds exactly give a correctly rounded quotient or product, and are most of
 * the numbers there are; the rest goes the slow way. */
static int exact_number(const char *string, const char *end, double *value)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *at = string + (*string == '-');
    int64_t digits = 0;
    int after_point = -1;
    if (end - at > 16)
        return 0;
    for (; at < end; at++) {
        if (*at == '.') {
            after_point = 0;
        } else if (is_digit(*at)) {
            digits = digits * 10 + (*at - '0');
            after_point += after_point >= 0;
        } else {
            return 0;
        }
    }
    if (digits > 1ll << 53 || after_point > 15)
        return 0;
    *value = (double)digits / powers[after_point > 0 ? after_point : 0];
    if (*string == '-')
        *value = -*value;
    return 1;
}

static rw_status parse_number(parser *p, double *value)
{
    const char *start = p->at;
    char *at = p->at + (*p->at == '-');
    int good = is_digit(*at) && !(at[0] == '0' && is_digit(at[1]));
    while (is_digit(*at))
        at++;
    if (good && *at == '.') {
        good = is_digit(*++at);
        while (is_digit(*at))
            at++;
    }
    if (good && (*at == 'e' || *at == 'E')) {
        at += 1 + (at[1] == '+' || at[1] == '-');
        good = is_digit(*at);
        while (is_digit(*at))
            at++;
    }
    if (!good)
        return fail_json(p, "this is no JSON value");
    p->at = at;
    if (!exact_number(start, at, value))
        rw_parse_number(start, value);
    return isfinite(*value) ? RW_OK : fail_json(p, "a number is too large");
}

static rw_status parse_word(parser *p, const char *word, rw_json_kind kind, rw_json_value *value)
{
    size_t length = strlen(word);
    if (strncmp(p->at, word, length) != 0)
        return fail_json(p, "this is no JSON value");
    p->at += length;
    value->kind = kind;
    return RW_OK;
}

static rw_status parse_value(parser *p, const char *key, uint32_t *index);

/* A value of an object, from its key on, or of an array. */
static rw_status parse_json_element(parser *p, int is_object, uint32_t *index)
{
    const char *key = NULL;
    if (is_object) {
        if (*p->at != '"')
            return fail_json(p, "an object's key is missing");
        RW_TRY(parse_json_string(p, &key));
        skip_space(p);
        if (*p->at != ':')
            return fail_json(p, "a colon is missing after a key");
        p->at++;
        skip_space(p);
    }
    return parse_value(p, key, index);
}

static rw_status parse_elements(parser *p, uint32_t owner, int is_object)
{
    char close = is_object ? '}' : ']';
    uint32_t previous = 0;
    p->at++;
    skip_space(p);
    if (*p->at == close) {
        p->at++;
        return RW_OK;
    }
    for (;;) {
        uint32_t index;
        RW_TRY(parse_json_element(p, is_object, &index));
        rw_json_value *values = p->json->values;
        *(previous ? &values[previous].next : &values[owner].first) = index;
        values[owner].count++;
        previous = index;
        skip_space(p);
        char separator = *p->at;
        if (separator != ',' && separator != close)
            return fail_json(p, is_object ? "a comma or } is missing" : "a comma or ] is missing");
        p->at++;
        if (separator == close)
            return RW_OK;
        skip_space(p);
    }
}

static rw_status parse_container(parser *p, uint32_t owner, int is_object)
{
    if (++p->depth > RW_JSON_DEPTH_MAX)
        return fail_json(p, "arrays and objects are nested too deeply");
    RW_TRY(parse_elements(p, owner, is_object));
    p->depth--;
    return RW_OK;
}

static rw_status parse_value(parser *p, const char *key, uint32_t *index)
{
    rw_json *json = p->json;
    if (json->count >= UINT32_MAX)
        return fail_json(p, "there are more than 2^32 JSON values");
    if (json->count == json->capacity)
        RW_TRY(p->grow(p->user, json));
    *index = (uint32_t)json->count++;
    rw_json_value *value = &json->values[*index];
    memset(value, 0, sizeof *value);
    value->line = p->line;
    value->key = key;
    value->string = "";
    switch (*p->at) {
    case '{':
    case '[':
        value->kind = *p->at == '{' ? RW_JSON_OBJECT : RW_JSON_ARRAY;
        return parse_container(p, *index, *p->at == '{');
    case '"':
        value->kind = RW_JSON_STRING;
        return parse_json_string(p, &value->string);
    case 't':
        return parse_word(p, "true", RW_JSON_TRUE, value);
    case 'f':
        return parse_word(p, "false", RW_JSON_FALSE, value);
    case 'n':
        return parse_word(p, "null", RW_JSON_NULL, value);
    default:
        value->kind = RW_JSON_NUMBER;
        return parse_number(p, &value->number);
    }
}

static rw_status parse_document(parser *p)
{
    if (p->end - p->at >= 3 && memcmp(p->at, "\xEF\xBB\xBF", 3) == 0)
        p->at += 3; /* a byte order mark, as some editors write */
    uint32_t root;
    skip_space(p);
    RW_TRY(parse_value(p, NULL, &root));
    skip_space(p);
    return p->at == p->end ? RW_OK : fail_json(p, "there is more after the end of the JSON value");
}

rw_status rw_json_read(char *string, size_t size, rw_json_grow_fn grow, void *user, rw_json *json, rw_json_fault *fault)
{
    memset(json, 0, sizeof *json);
    *fault = (rw_json_fault){0, NULL};
    json->bytes = string;
    parser p = {
        .grow = grow, .user = user, .at = string, .end = string + size, .line = 1, .json = json, .fault = fault};
    rw_status status = parse_document(&p);
    if (status != RW_OK)
        rw_json_free(json);
    return status;
}

void rw_json_free(rw_json *json)
{
    free(json->values);
    free(json->bytes);
    memset(json, 0, sizeof *json);
}

const rw_json_value *rw_json_first(const rw_json *json, const rw_json_value *value)
{
    return value && value->first ? &json->values[value->first] : NULL;
}

const rw_json_value *rw_json_next(const rw_json *json, const rw_json_value *value)
{
    return value && value->next ? &json->values[value->next] : NULL;
}

const rw_json_value *rw_json_member(const rw_json *json, const rw_json_value *value, const char *key)
{
    if (!value || value->kind != RW_JSON_OBJECT)
        return NULL;
    for (const rw_json_value *at = rw_json_first(json, value); at; at = rw_json_next(json, at))
        if (strcmp(at->key, key) == 0)
            return at;
    return NULL;
}

const char *rw_json_string(const rw_json_value *value, const char *otherwise)
{
    return value && value->kind == RW_JSON_STRING ? value->string : otherwise;
}

double rw_json_number(const rw_json_value *value, double otherwise)
{
    return value && value->kind == RW_JSON_NUMBER ? value->number : otherwise;
}
