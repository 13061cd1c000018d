/* From standard input to an exit status: 0 where it is one strict JSON object (RFC 8259) and nothing else, and holds
 * every entry named as an argument ("seconds.load", "layers.0.min"). Written apart from the program's own JSON code. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX (1 << 20)
#define PATH_MAX_LENGTH 512
#define DEPTH_MAX 64

static char input[INPUT_MAX + 1];
static const char *at = input;
static char path[PATH_MAX_LENGTH]; /* of the value being read */
static char **wanted;
static int wanted_count;

static void refuse(const char *what)
{
    fprintf(stderr, "json_check: byte %ld: %s, before: %.40s\n", (long)(at - input), what, at);
    exit(1);
}

static void skip_space(void)
{
    at += strspn(at, " \t\r\n");
}

static void expect(char letter)
{
    char what[] = "expected  ";
    what[9] = letter;
    if (*at != letter)
        refuse(what);
    at++;
}

static void read_escape(void)
{
    at++;
    if (*at == 'u') {
        for (int i = 1; i <= 4; i++)
            if (!isxdigit((unsigned char)at[i]))
                refuse("\\u without four digits");
        at += 5;
    } else if (*at && strchr("\"\\/bfnrt", *at)) {
        at++;
    } else {
        refuse("unknown escape");
    }
}

static void read_text(void)
{
    expect('"');
    while (*at != '"') {
        if ((unsigned char)*at < 0x20)
            refuse("control character or end in a text");
        if (*at == '\\')
            read_escape();
        else
            at++;
    }
    at++;
}

static void read_digits(void)
{
    if (!isdigit((unsigned char)*at))
        refuse("expected a digit");
    while (isdigit((unsigned char)*at))
        at++;
}

static void read_number(void)
{
    at += *at == '-';
    if (*at == '0' && isdigit((unsigned char)at[1]))
        refuse("number with a leading zero");
    read_digits();
    if (*at == '.') {
        at++;
        read_digits();
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        read_digits();
    }
}

static void read_value(int depth);

/* Reads the value that stands at path.name. */
static void read_entry(const char *name, size_t length, int depth)
{
    size_t before = strlen(path);
    if (before + length + 2 > sizeof path)
        refuse("nested too deeply");
    snprintf(path + before, sizeof path - before, "%s%.*s", before ? "." : "", (int)length, name);
    for (int i = 0; i < wanted_count; i++)
        if (wanted[i] && strcmp(wanted[i], path) == 0)
            wanted[i] = NULL;
    read_value(depth + 1);
    path[before] = 0;
}

static void read_object(int depth)
{
    expect('{');
    skip_space();
    for (int i = 0; *at != '}'; i++) {
        if (i)
            expect(',');
        skip_space();
        const char *key = at;
        read_text();
        size_t length = (size_t)(at - key) - 2;
        skip_space();
        expect(':');
        read_entry(key + 1, length, depth);
        skip_space();
    }
    at++;
}

static void read_list(int depth)
{
    expect('[');
    skip_space();
    for (int i = 0; *at != ']'; i++) {
        char number[24];
        if (i)
            expect(',');
        snprintf(number, sizeof number, "%d", i);
        read_entry(number, strlen(number), depth);
        skip_space();
    }
    at++;
}

static void read_value(int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    if (depth > DEPTH_MAX)
        refuse("nested too deeply");
    skip_space();
    for (int i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            at += strlen(words[i]);
            return;
        }
    if (*at == '{')
        read_object(depth);
    else if (*at == '[')
        read_list(depth);
    else if (*at == '"')
        read_text();
    else
        read_number();
}

int main(int argc, char **argv)
{
    wanted = argv + 1;
    wanted_count = argc - 1;
    size_t size = fread(input, 1, INPUT_MAX, stdin);
    if (size == INPUT_MAX || strlen(input) != size)
        refuse("input too long, or with a zero byte");
    skip_space();
    if (*at != '{')
        refuse("not an object");
    read_value(0);
    skip_space();
    if (*at)
        refuse("more after the object");
    int missing = 0;
    for (int i = 0; i < wanted_count; i++)
        if (wanted[i]) {
            fprintf(stderr, "json_check: there is no entry %s\n", wanted[i]);
            missing = 1;
        }
    return missing;
}
