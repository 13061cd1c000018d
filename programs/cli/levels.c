/* Levels of the command line: "-85dBm", "rsrp:-100dBm", "rsrp:-100dBm,sinr:3dB". A level belongs to a layer, which is
 * named or follows from its unit. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* A value and its unit, "" if none is given. */
static int parse_level_value(struct call *call, const char *string, struct level *level)
{
    static const struct {
        rw_quantity quantity;
        const char *unit;
        double scale;
    } kinds[] = {{RW_QUANTITY_NUMBER, "", 1},
                 {RW_QUANTITY_POWER_DBM, "dBm", 1},
                 {RW_QUANTITY_LEVEL_DB, "dB", 1},
                 {RW_QUANTITY_TIME_S, "ns", 1e9}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (rw_parse_quantity(call->context, string, kinds[i].quantity, &level->value) == RW_OK) {
            level->value *= kinds[i].scale;
            snprintf(level->unit, sizeof level->unit, "%s", kinds[i].unit);
            return 1;
        }
    return 0;
}

static int check_level_layer(const char *string, const struct level *level)
{
    const char *unit = rw_layer_unit(level->layer);
    if (!unit)
        return report_error("--level %s: there is no layer '%s'", string, level->layer);
    if (rw_layer_get_order(level->layer) == RW_LAYER_UNORDERED)
        return report_error("--level %s: the layer %s has no order, and so no level", string, level->layer);
    if (*level->unit && strcmp(level->unit, unit) != 0)
        return report_error("--level %s: the layer %s is in %s, not in %s", string, level->layer,
                            *unit ? unit : "no unit", level->unit);
    return 0;
}

static int parse_level(struct call *call, const char *string, struct level *level)
{
    const char *colon = strchr(string, ':');
    *level = (struct level){.layer = ""};
    if (colon && (size_t)(colon - string) >= sizeof level->layer)
        return report_error("--level %.60s: there is no such layer", string);
    if (colon)
        memcpy(level->layer, string, (size_t)(colon - string));
    if (!parse_level_value(call, colon ? colon + 1 : string, level))
        return report_error("--level %.60s: expected a level such as -90dBm, or with its layer sinr:3dB", string);
    return colon ? check_level_layer(string, level) : 0;
}

int read_levels_option(struct call *call, const char *string, struct level_list *list)
{
    char token[64];
    list->count = 0;
    for (;;) {
        size_t length = strcspn(string, ",");
        if (list->count == LEVELS_MAX || length >= sizeof token)
            return report_error("--level %.60s: expected at most %d levels such as rsrp:-100dBm,sinr:3dB", string,
                                LEVELS_MAX);
        snprintf(token, sizeof token, "%.*s", (int)length, string);
        TRY(parse_level(call, token, &list->items[list->count]));
        list->count++;
        if (!string[length])
            return 0;
        string += length + 1;
    }
}

int resolve_level(struct level *level, const char *layers, const char *default_layer)
{
    const char *unit = *level->unit ? level->unit : rw_layer_unit(default_layer);
    if (*level->layer)
        return check_level_layer(level->layer, level);
    snprintf(level->layer, sizeof level->layer, "%s", default_layer);
    for (const char *at = layers ? layers : ""; *at; at += strcspn(at, ","), at += *at == ',') {
        char name[sizeof level->layer];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        const char *own = rw_layer_unit(name);
        if (!own || strcmp(own, unit) != 0 || rw_layer_get_order(name) == RW_LAYER_UNORDERED)
            continue;
        snprintf(level->layer, sizeof level->layer, "%s", name);
        if (strcmp(name, default_layer) == 0)
            break;
        if (strcmp(unit, rw_layer_unit(default_layer)) == 0 && strstr(layers, default_layer))
            continue; /* the default layer is listed and comes later */
        break;
    }
    if (*level->unit && strcmp(level->unit, rw_layer_unit(level->layer)) != 0)
        return report_error("--level %g%s: of which layer? write for example sinr:%g%s", level->value, level->unit,
                            level->value, level->unit);
    snprintf(level->unit, sizeof level->unit, "%s", rw_layer_unit(level->layer));
    return 0;
}

double find_level(const struct level_list *list, const char *layer)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].layer, layer) == 0)
            return list->items[i].value;
    return NAN;
}

int resolve_power_level(const struct call *call, struct level_list *list, double *level_dbm)
{
    *level_dbm = NAN;
    for (size_t i = 0; i < list->count; i++) {
        TRY(resolve_level(&list->items[i], NULL, "power"));
        if (strcmp(list->items[i].layer, "power") != 0 && strcmp(list->items[i].layer, "strongest") != 0)
            return report_error("--level %s:%g: the level of %s is a received power: --level power:-90dBm",
                                list->items[i].layer, list->items[i].value, call->command->name);
    }
    if (list->count > 1)
        return report_error("--level: %s has one level, of received power", call->command->name);
    if (list->count)
        *level_dbm = list->items[0].value;
    return 0;
}

void describe_level(const struct level *level, char *text, size_t size)
{
    const char *unit = level->unit;
    snprintf(text, size, "%s of %g%s%s or %s", level->layer, level->value, *unit ? " " : "", unit,
             rw_layer_get_order(level->layer) == RW_LAYER_LOWER_IS_BETTER ? "less" : "more");
}
