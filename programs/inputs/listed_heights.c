/* Options whose values may be listed: heights of receivers and storeys of buildings. */
#include "inputs/inputs.h"

#include <math.h>
#include <string.h>

static const struct listed_heights listed[] = {
    {"rx-height", RW_QUANTITY_LENGTH_M, "m", "", "heights with commas, such as 1.5m,10m"},
    {"floor", RW_QUANTITY_NUMBER, "", "floor", "storeys with commas, such as 0,1,2"}};

const struct listed_heights *find_listed_heights(const struct call *call)
{
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        const char *string = model_argument_value(call, listed[i].name);
        if (string && strchr(string, ','))
            return &listed[i];
    }
    return NULL;
}

int read_listed_heights(struct call *call, const struct listed_heights *of, double values[LISTED_HEIGHTS_MAX])
{
    rw_quantity quantities[LISTED_HEIGHTS_MAX];
    const char *string = model_argument_value(call, of->name);
    for (int i = 0; i < LISTED_HEIGHTS_MAX; i++)
        quantities[i] = of->quantity;
    int count = read_quantities(call->context, string, quantities, LISTED_HEIGHTS_MAX, values), good = count > 0;
    for (int i = 0; i < count && of->quantity == RW_QUANTITY_NUMBER; i++)
        good &= values[i] >= 0 && values[i] == floor(values[i]);
    if (good)
        return count;
    report_error("--%s %s: expected %s", of->name, string, of->example);
    return 0;
}
