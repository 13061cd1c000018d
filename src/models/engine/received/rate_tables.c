#include "models/engine/received/received.h"

#include <string.h>

/* Bits of a subcarrier and symbol, code rate included, and the SINR that they need. */
static const double wifi_bits[RW_RATE_STEPS_MAX] = {0.5, 1, 1.5, 2, 3, 4, 4.5, 5, 6, 20. / 3, 7.5, 25. / 3};
static const double wifi_min_db[RW_RATE_STEPS_MAX] = {9, 12, 14, 17, 21, 25, 26, 27, 32, 34, 37, 39};

static const struct wifi_table {
    const char *name;
    int steps, steps_20; /* steps_20: in channels of 20 MHz, where MCS 9 of one stream of 802.11ac is excluded */
    double symbol_s;
    int subcarriers[4]; /* for data, of 20, 40, 80 and 160 MHz; 0: no such channel */
} wifi_tables[] = {{"802.11n", 8, 8, 4e-6, {52, 108, 0, 0}},
                   {"802.11ac", 10, 9, 4e-6, {52, 108, 234, 468}},
                   {"802.11ax", 12, 12, 13.6e-6, {234, 468, 980, 1960}}};

static void apply_wifi_table(const struct wifi_table *table, rw_network_plan *plan)
{
    int width = 0;
    for (int i = 1; i < 4; i++)
        if (table->subcarriers[i] && plan->bandwidth_hz >= 20e6 * (1 << i) * (1 - 1e-9))
            width = i;
    double subcarriers = table->subcarriers[width];
    plan->rate_count = width == 0 ? table->steps_20 : table->steps;
    for (int i = 0; i < plan->rate_count; i++) {
        plan->rate_min_db[i] = wifi_min_db[i];
        plan->rate_bit_s[i] = subcarriers * wifi_bits[i] / table->symbol_s;
    }
}

#define LORA_STEPS 6
#define LORA_LAST_FACTOR 12

static void apply_lora_table(rw_network_plan *plan)
{
    plan->rate_count = LORA_STEPS;
    for (int i = 0; i < LORA_STEPS; i++) {
        int factor = LORA_LAST_FACTOR - i;
        plan->rate_min_db[i] = -20 + 2.5 * i;
        plan->rate_bit_s[i] = 0.8 * factor * plan->bandwidth_hz / (1 << factor);
    }
}

void rw_rate_table_apply(const char *name, rw_network_plan *plan)
{
    plan->rate_count = 0;
    for (size_t i = 0; i < sizeof wifi_tables / sizeof *wifi_tables; i++)
        if (strcmp(name, wifi_tables[i].name) == 0)
            apply_wifi_table(&wifi_tables[i], plan);
    if (strcmp(name, "lora") == 0)
        apply_lora_table(plan);
    if (!plan->rate_count)
        return;
    plan->min_db = plan->rate_min_db[0];
    plan->max_db = plan->rate_min_db[plan->rate_count - 1];
}
