/* predict at several heights of the receivers, or on several storeys: one prediction after another, each in a folder of
 * its own. */
#include "cli/cli.h"
#include "commands/predict/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEIGHTS_MAX 64

/* An option whose values may be listed, the unit of a value, and what its folder begins with. */
static const struct listed {
    const char *name;
    rw_quantity quantity;
    const char *unit, *folder, *example;
} listed[] = {{"rx-height", RW_QUANTITY_LENGTH_M, "m", "", "heights with commas, such as 1.5m,10m"},
              {"floor", RW_QUANTITY_NUMBER, "", "floor", "storeys with commas, such as 0,1,2"}};

static const struct listed *find_listed(const struct call *call)
{
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        const char *string = model_argument_value(call, listed[i].name);
        if (string && strchr(string, ','))
            return &listed[i];
    }
    return NULL;
}

int has_several_heights(const struct call *call)
{
    return find_listed(call) != NULL;
}

/* Returns how many there are; 0: it has been said what is wrong. */
static int read_height_values(struct call *call, const struct listed *of, double values[HEIGHTS_MAX])
{
    rw_quantity quantities[HEIGHTS_MAX];
    const char *string = model_argument_value(call, of->name);
    for (int i = 0; i < HEIGHTS_MAX; i++)
        quantities[i] = of->quantity;
    int count = read_quantities(call->context, string, quantities, HEIGHTS_MAX, values), good = count > 0;
    for (int i = 0; i < count && of->quantity == RW_QUANTITY_NUMBER; i++)
        good &= values[i] >= 0 && values[i] == floor(values[i]);
    if (good)
        return count;
    report_error("--%s %s: expected %s", of->name, string, of->example);
    return 0;
}

static int predict_height(struct call *call, const struct listed *of, double height, const char *out,
                          int (*predict)(struct call *call))
{
    struct predict_settings *settings = call->settings;
    char folder[4096], value[48];
    snprintf(value, sizeof value, "%g%s", height, of->unit);
    snprintf(folder, sizeof folder, "%.4000s/%s%s", out, of->folder, value);
    TRY(store_model_argument(call, of->name, value));
    settings->out = store_string(call, folder);
    return settings->out ? predict(call) : report_out_of_memory("the folders");
}

int predict_heights(struct call *call, int (*predict)(struct call *call))
{
    const struct predict_settings *settings = call->settings;
    double values[HEIGHTS_MAX];
    const struct listed *of = find_listed(call);
    int count = read_height_values(call, of, values), exit_status = count ? 0 : 2;
    const char *out = settings->out ? settings->out : "out";
    TRY(exit_status);
    if (settings->report)
        return report_error("--report is of one height of the receivers; --%s has several", of->name);
    if (settings->storey_table)
        return report_error("--storey-table has its own heights; --%s has several", of->name);
    if (call->json)
        puts("{\"heights\": [");
    for (int i = 0; i < count && !exit_status; i++) {
        if (call->json && i)
            puts(",");
        exit_status = predict_height(call, of, values[i], out, predict);
    }
    if (call->json)
        puts("]}");
    return exit_status;
}
