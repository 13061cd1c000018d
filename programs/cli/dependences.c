/* Options that mean something only together with another one: alone they would be ignored without a word. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* needs: options with blanks between them, of which one must be given ("input": the argument without a dash); "": the
 * command accepts the option with those of its models and does nothing with it. */
static const struct {
    const char *command; /* NULL: every one that accepts the option */
    const char *name, *needs;
} dependences[] = {{NULL, "name-field", "zones"},
                   {NULL, "zone-field", "zones"},
                   {NULL, "skip-bad", "sites measurements candidates points"},
                   {NULL, "rx-azimuth", "rx-antenna rx-array"},
                   {NULL, "rx-tilt", "rx-antenna rx-array"},
                   {"link", "layers", ""},
                   {"link", "area", ""},
                   {"link", "radius", ""},
                   {"link", "range-level", ""},
                   {"render", "columns", "sites measurements"},
                   {"render", "points-crs", "sites measurements tx at"},
                   {"render", "freq", "antenna"},
                   {"render", "crs", "scene"},
                   {"render", "height-field", "scene"},
                   {"render", "storeys-field", "scene"},
                   {"render", "height-unit", "scene"},
                   {"compare", "crs", "scene"},
                   {"compare", "height-field", "scene"},
                   {"compare", "storeys-field", "scene"},
                   {"compare", "height-unit", "scene"},
                   {"compare", "range", "out"},
                   {"compare", "width", "out"},
                   {"evaluate", "crs", "scene"},
                   {"evaluate", "height-field", "scene"},
                   {"evaluate", "storeys-field", "scene"},
                   {"evaluate", "height-unit", "scene"},
                   {"evaluate", "terrain", "scene"},
                   {"evaluate", "foliage", "scene"},
                   {"evaluate", "materials", "scene"},
                   {"info", "transmitter", "at"},
                   {"info", "points-crs", "at"}};

static int is_one_given(const struct call *call, const char *names)
{
    char name[64];
    while (*names) {
        size_t length = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (is_option_given(call, name))
            return 1;
        names += length + (names[length] == ' ');
    }
    return 0;
}

/* "sites candidates" as "--sites or --candidates", of those that the command has. */
static void list_needed(const struct call *call, const char *names, char *words, size_t size)
{
    char name[64];
    size_t used = 0;
    *words = 0;
    while (*names && used < size) {
        size_t length = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (accepts_option(call->command, name) || is_model_option(call->command->calls, name))
            used += (size_t)snprintf(words + used, size - used, "%s--%s", used ? " or " : "", name);
        names += length + (names[length] == ' ');
    }
}

int check_dependences(const struct call *call)
{
    for (size_t i = 0; i < sizeof dependences / sizeof *dependences; i++) {
        const char *name = dependences[i].name, *command = call->command->name;
        char words[200];
        if ((dependences[i].command && strcmp(dependences[i].command, command) != 0) || !is_option_given(call, name) ||
            is_one_given(call, dependences[i].needs))
            continue;
        list_needed(call, dependences[i].needs, words, sizeof words);
        if (!*words)
            return report_error("--%s has no effect on %s: leave it out", name, command);
        return report_error("--%s is of %s: give that too", name, words);
    }
    return 0;
}
