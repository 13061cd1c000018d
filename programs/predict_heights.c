/* predict at several heights of the receivers: one prediction after another, each in a folder of its own. */
#include "options.h"
#include "predict.h"

#include <stdio.h>
#include <string.h>

#define HEIGHTS_MAX 64

int asks_for_heights(const struct call *call)
{
    const char *text = asked_text(call, "rx-height");
    return text && strchr(text, ',') != NULL;
}

/* Returns how many there are; 0: it has been said what is wrong. */
static int read_heights(struct call *call, double heights_m[HEIGHTS_MAX])
{
    rw_quantity lengths[HEIGHTS_MAX];
    for (int i = 0; i < HEIGHTS_MAX; i++)
        lengths[i] = RW_QUANTITY_LENGTH_M;
    const char *text = asked_text(call, "rx-height");
    int count = read_quantities(call->context, text, lengths, HEIGHTS_MAX, heights_m);
    if (count > 0)
        return count;
    complain("--rx-height %s: expected heights with commas, such as 1.5m,10m", text);
    return 0;
}

int predict_heights(struct call *call, int (*predict)(struct call *call))
{
    double heights_m[HEIGHTS_MAX];
    int count = read_heights(call, heights_m), exit_status = count ? 0 : 2;
    const char *out = call->settings.out ? call->settings.out : "out";
    if (!exit_status && call->settings.report)
        exit_status = complain("--report is of one height of the receivers; --rx-height has several");
    if (!exit_status && call->settings.storey_table)
        exit_status = complain("--storey-table has its own heights; --rx-height has several");
    if (exit_status)
        return exit_status;
    if (call->settings.json)
        puts("{\"heights\": [");
    for (int i = 0; i < count && !exit_status; i++) {
        char folder[4096], height[48];
        snprintf(height, sizeof height, "%gm", heights_m[i]);
        snprintf(folder, sizeof folder, "%.4000s/%s", out, height);
        exit_status = ask_option(call, "rx-height", height);
        call->settings.out = keep_text(call, folder);
        if (!exit_status && call->settings.json && i)
            puts(",");
        if (!exit_status)
            exit_status = call->settings.out ? predict(call) : complain_memory("the folders");
    }
    if (call->settings.json)
        puts("]}");
    return exit_status;
}
