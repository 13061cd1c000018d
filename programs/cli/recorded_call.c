/* The call that made a file, from its provenance: lines by their key, and the options as words again. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

void read_provenance_line(const char *provenance, const char *key, char *value, size_t size)
{
    size_t length = strlen(key);
    value[0] = 0;
    for (const char *line = provenance; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, key, length) == 0 && line[length] == ':') {
            const char *from = line + length + 1 + (line[length + 1] == ' ');
            snprintf(value, size, "%.*s", (int)strcspn(from, "\n"), from);
            return;
        }
}

/* Options of other files than maps: what they write stays as it is. */
static int is_of_other_files(const char *word)
{
    return strncmp(word, "--", 2) == 0 &&
           (find_value_type(NULL, word + 2) == VALUE_WRITE || find_roles(word + 2) & OF_REPORT);
}

int add_recorded_word(struct recorded_words *recorded, char *word)
{
    if (recorded->count + 1 >= RECORDED_WORDS_MAX)
        return report_error("the map was made with more than %d words of options", RECORDED_WORDS_MAX);
    recorded->words[recorded->count++] = word;
    return 0;
}

int split_recorded_options(struct recorded_words *recorded, char *options)
{
    char *at = options;
    int skips = 0;
    while (*at) {
        char *word = at;
        char end = ' ';
        if (*at == '\'') {
            word++;
            end = '\'';
        }
        char *stop = strchr(word, end);
        at = stop ? stop + 1 : word + strlen(word);
        at += *at == ' ' && end == '\'';
        if (stop)
            *stop = 0;
        if (strncmp(word, "--", 2) == 0)
            skips = is_of_other_files(word);
        if (!skips)
            TRY(add_recorded_word(recorded, word));
    }
    return 0;
}
