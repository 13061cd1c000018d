/* Numbers with units. */
#include "base/context.h"
#include "base/text/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    double factor;
    int is_linear; /* of a quantity in dBm: the unit is of power itself, the factor in milliwatts */
};

static const struct unit number_units[] = {{"", 1, 0}, {NULL, 0, 0}};
static const struct unit length_units[] = {{"", 1, 0},      {"m", 1, 0},       {"km", 1e3, 0}, {"cm", 1e-2, 0},
                                           {"mm", 1e-3, 0}, {"ft", 0.3048, 0}, {NULL, 0, 0}};
static const struct unit frequency_units[] = {{"", 1, 0},      {"Hz", 1, 0},     {"kHz", 1e3, 0}, {"MHz", 1e6, 0},
                                              {"GHz", 1e9, 0}, {"THz", 1e12, 0}, {NULL, 0, 0}};
static const struct unit angle_units[] = {
    {"", 1, 0}, {"deg", 1, 0}, {"\xC2\xB0", 1, 0}, {"rad", 57.295779513082320877, 0}, {NULL, 0, 0}};
static const struct unit power_units[] = {{"", 1, 0},     {"dBm", 1, 0},   {"W", 1e3, 1}, {"mW", 1, 1},
                                          {"kW", 1e6, 1}, {"uW", 1e-3, 1}, {NULL, 0, 0}};
static const struct unit time_units[] = {{"", 1, 0},      {"s", 1, 0},     {"ms", 1e-3, 0},
                                         {"us", 1e-6, 0}, {"ns", 1e-9, 0}, {NULL, 0, 0}};
static const struct unit byte_units[] = {
    {"", 1, 0},      {"B", 1, 0},       {"kB", 1e3, 0},       {"MB", 1e6, 0},          {"GB", 1e9, 0},
    {"TB", 1e12, 0}, {"KiB", 1024., 0}, {"MiB", 1048576., 0}, {"GiB", 1073741824., 0}, {"TiB", 1099511627776., 0},
    {NULL, 0, 0}};
static const struct unit rain_units[] = {{"", 1, 0}, {"mm/h", 1, 0}, {NULL, 0, 0}};
static const struct unit level_units[] = {{"", 1, 0}, {"dB", 1, 0}, {NULL, 0, 0}};

static const struct {
    const struct unit *units;
    const char *example;
} quantities[] = {
    [RW_QUANTITY_NUMBER] = {number_units, "12.5"},
    [RW_QUANTITY_LENGTH_M] = {length_units, "1.5m, 2km or 6mm"},
    [RW_QUANTITY_FREQUENCY_HZ] = {frequency_units, "947MHz or 3.5GHz"},
    [RW_QUANTITY_ANGLE_DEG] = {angle_units, "30deg or 0.5rad"},
    [RW_QUANTITY_POWER_DBM] = {power_units, "43dBm or 20W"},
    [RW_QUANTITY_TIME_S] = {time_units, "10ns or 1us"},
    [RW_QUANTITY_LEVEL_DB] = {level_units, "120dB"},
    [RW_QUANTITY_BYTES] = {byte_units, "4GB or 512MiB"},
    [RW_QUANTITY_RAIN_MM_H] = {rain_units, "20mm/h"},
};

rw_status rw_parse_quantity(rw_context *context, const char *string, rw_quantity quantity, double *value)
{
    const char *example = quantities[quantity].example;
    size_t used = rw_parse_number(string, value);
    if (used == 0)
        return rw_fail(context, RW_BAD_CALL, "'%s' is not a number; write for example %s", string, example);
    if (!isfinite(*value))
        return rw_fail(context, RW_BAD_CALL, "'%s' is not a finite number; write for example %s", string, example);
    const char *suffix = string + used + strspn(string + used, " ");
    for (const struct unit *unit = quantities[quantity].units; unit->name; unit++)
        if (strcmp(unit->name, suffix) == 0) {
            if (unit->is_linear && !(*value > 0))
                return rw_fail(context, RW_BAD_CALL, "'%s' is no power: it must be above 0; write for example %s",
                               string, example);
            *value = unit->is_linear ? 10 * log10(*value * unit->factor) : *value * unit->factor;
            return RW_OK;
        }
    return rw_fail(context, RW_BAD_CALL, "'%s' has no unit that fits here; write for example %s", string, example);
}

void rw_quantity_to_string(rw_quantity quantity, double value, const char *unit, char *string, size_t size)
{
    int scaled =
        quantity == RW_QUANTITY_FREQUENCY_HZ || quantity == RW_QUANTITY_TIME_S || quantity == RW_QUANTITY_BYTES;
    double factor = 1;
    for (const struct unit *at = quantities[quantity].units; scaled && at->name; at++)
        if (*at->name && !strchr(at->name, 'i') && at->factor <= fabs(value) * (1 + 1e-12) &&
            (at->factor > factor || factor > fabs(value))) {
            factor = at->factor;
            unit = at->name;
        }
    snprintf(string, size, "%.10g%s%s", value / factor, unit && *unit ? " " : "", unit ? unit : "");
}
