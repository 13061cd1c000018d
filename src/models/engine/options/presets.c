#include "models/engine/options/options.h"

#include "base/options.h"
#include "models/engine/received/received.h"

#include <math.h>
#include <string.h>

/* Bandwidth, noise and rates that several presets share. */
#define WIFI(width_hz, blocks)                                                                                         \
    .bandwidth_hz = width_hz, .subcarrier_spacing_hz = 78125, .resource_blocks = blocks, .noise_figure_db = 7,         \
    .base_noise_figure_db = 7, .throughput = "802.11ax", .antenna = "isotropic", .terminal_power_dbm = 15
#define LORA                                                                                                           \
    .bandwidth_hz = 125e3, .subcarrier_spacing_hz = 125e3 / 12, .resource_blocks = 1, .noise_figure_db = 6,            \
    .base_noise_figure_db = 6, .throughput = "lora", .antenna = "isotropic"
#define CELL(width_hz, spacing_hz, blocks)                                                                             \
    .bandwidth_hz = width_hz, .subcarrier_spacing_hz = spacing_hz, .resource_blocks = blocks, .noise_figure_db = 9,    \
    .base_noise_figure_db = 5, .throughput = "3gpp", .antenna = "macro", .terminal_power_dbm = 23

/* Resource blocks: 3GPP TS 36.101 table 5.6-1, TS 38.101-1 table 5.3.2-1, TS 38.101-2 table 5.3.2-1; of 802.11ax those
 * of 242, 996 and 1992 subcarriers. Noise figures: 3GPP TR 36.942 section 4.3; Wi-Fi and LoRa receivers by data sheets.
 * Powers: Wi-Fi ETSI EN 300 328 (100 mW EIRP) and EN 301 893 (200 mW EIRP); LoRa ETSI EN 300 220 (25 mW ERP, 16.15 dBm
 * EIRP); terminals 3GPP power class 3; base stations 40 W, as in TR 36.942. */
static const rw_preset presets[] = {
    {.name = "wifi-2.4",
     .about = "Wi-Fi 802.11ax, 2.4 GHz, channel 6, 20 MHz",
     .freq_hz = 2437e6,
     .power_dbm = 20,
     WIFI(20e6, 20)},
    {.name = "wifi-5",
     .about = "Wi-Fi 802.11ax, 5 GHz, channel 42, 80 MHz",
     .freq_hz = 5210e6,
     .power_dbm = 23,
     WIFI(80e6, 83)},
    {.name = "wifi-6",
     .about = "Wi-Fi 802.11ax, 6 GHz, channel 47, 160 MHz",
     .freq_hz = 6185e6,
     .power_dbm = 23,
     WIFI(160e6, 166)},
    {.name = "lora-868",
     .about = "LoRa, 868 MHz, 125 kHz, spreading factors 7 to 12",
     .freq_hz = 868.1e6,
     .power_dbm = 16.15,
     .terminal_power_dbm = 16.15,
     LORA},
    {.name = "lora-915",
     .about = "LoRa, 915 MHz, 125 kHz, spreading factors 7 to 12",
     .freq_hz = 914.9e6,
     .power_dbm = 20,
     .terminal_power_dbm = 20,
     LORA},
    {.name = "lte-700",
     .about = "LTE band 28, 780.5 MHz, 10 MHz",
     .freq_hz = 780.5e6,
     .power_dbm = 46,
     CELL(10e6, 15e3, 50)},
    {.name = "lte-800",
     .about = "LTE band 20, 806 MHz, 10 MHz",
     .freq_hz = 806e6,
     .power_dbm = 46,
     CELL(10e6, 15e3, 50)},
    {.name = "lte-1800",
     .about = "LTE band 3, 1842.5 MHz, 20 MHz",
     .freq_hz = 1842.5e6,
     .power_dbm = 46,
     CELL(20e6, 15e3, 100)},
    {.name = "lte-2600",
     .about = "LTE band 7, 2655 MHz, 20 MHz",
     .freq_hz = 2655e6,
     .power_dbm = 46,
     CELL(20e6, 15e3, 100)},
    {.name = "nr-700",
     .about = "NR band n28, 780.5 MHz, 10 MHz",
     .freq_hz = 780.5e6,
     .power_dbm = 46,
     CELL(10e6, 15e3, 52)},
    {.name = "nr-3500",
     .about = "NR band n78, 3.5 GHz, 100 MHz",
     .freq_hz = 3500e6,
     .power_dbm = 49,
     CELL(100e6, 30e3, 273)},
    {.name = "nr-26000",
     .about = "NR band n258, 26 GHz, 100 MHz",
     .freq_hz = 26e9,
     .power_dbm = 35,
     CELL(100e6, 120e3, 66)},
};
#define PRESET_COUNT (sizeof presets / sizeof *presets)

static const rw_preset *find_preset(const char *name)
{
    for (size_t i = 0; name && i < PRESET_COUNT; i++)
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    return NULL;
}

static void set_if_unset(double value, double *field)
{
    if (isnan(*field))
        *field = value;
}

void rw_preset_apply(rw_predict_options *options)
{
    const rw_preset *preset = find_preset(options->preset);
    if (!preset)
        return;
    /* Resource blocks are those of the preset's own bandwidth. */
    int is_own_band = isnan(options->bandwidth_hz) && isnan(options->subcarrier_spacing_hz);
    if (is_own_band && options->resource_blocks == RW_UNSET)
        options->resource_blocks = preset->resource_blocks;
    set_if_unset(preset->freq_hz, &options->freq_hz);
    set_if_unset(preset->bandwidth_hz, &options->bandwidth_hz);
    set_if_unset(preset->subcarrier_spacing_hz, &options->subcarrier_spacing_hz);
    set_if_unset(preset->noise_figure_db, &options->noise_figure_db);
    if (!options->throughput)
        options->throughput = preset->throughput;
}

size_t rw_preset_count(void)
{
    return PRESET_COUNT;
}

/* Thermal noise of the occupied band, the receiver's own, and the SINR from which the rates begin. */
static double find_sensitivity_dbm(const rw_preset *preset, double noise_figure_db)
{
    const rw_predict_options options = {.bandwidth_hz = preset->bandwidth_hz,
                                        .subcarrier_spacing_hz = preset->subcarrier_spacing_hz,
                                        .resource_blocks = preset->resource_blocks,
                                        .noise_figure_db = noise_figure_db,
                                        .throughput = preset->throughput};
    rw_network_plan plan;
    return rw_network_plan_of(NULL, &options, &plan) == RW_OK ? 10 * log10(plan.noise_mw) + plan.min_db : NAN;
}

rw_status rw_preset_get(size_t index, rw_preset *preset)
{
    if (index >= PRESET_COUNT)
        return RW_NOT_FOUND;
    if (!preset || preset->size < 2 * sizeof(size_t))
        return RW_BAD_CALL;
    rw_preset whole = presets[index];
    whole.sensitivity_dbm = find_sensitivity_dbm(&whole, whole.noise_figure_db);
    whole.base_sensitivity_dbm = find_sensitivity_dbm(&whole, whole.base_noise_figure_db);
    return rw_result_assign(NULL, &whole, sizeof whole, preset);
}

rw_status rw_preset_find(rw_context *context, const char *name, rw_preset *preset)
{
    const rw_preset *found = find_preset(name);
    if (found)
        return rw_preset_get((size_t)(found - presets), preset);
    return rw_fail(context, RW_NOT_FOUND, "there is no preset '%.100s'; there are %s", name ? name : "",
                   RW_PRESET_NAMES);
}
