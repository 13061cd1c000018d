/* Antennas of base stations by their data sheet: gain, widths at 3 dB and electrical tilt.
 *
 * macro (17 dBi, 65 and 10 degrees), omni (8 dBi, all round) or sector, each followed by what differs:
 * "macro:etilt=6", "omni:gain=5", "sector:gain=15:horizontal=90". The pattern is that of 3GPP TR 36.814, table
 * A.2.1.1-2 (rw_sector_loss_db). A width or a gain that is missing follows from the others by ITU-R F.1336-5:
 * recommends 2.1 for antennas that radiate all round, recommends 3.3 for sectors. A gain that the widths exclude is
 * rejected: more power would be sent than the transmitter has. */
#include "scene/antennas/antenna.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define OMNI_GAIN_DEG 107.6     /* ITU-R F.1336-5: gain times the width in degrees */
#define SECTOR_GAIN_DEG2 31000. /* the same with both widths */
#define DEEPEST_LOSS_DB 30
#define GAIN_TOLERANCE_DB 0.5 /* data sheets round their widths */

struct sector_values {
    double gain_dbi, horizontal_deg, vertical_deg, electrical_tilt_deg, deepest_loss_db; /* NaN: not given */
};

static const struct {
    const char *name;
    struct sector_values values;
} sector_families[] = {{"macro", {17, 65, 10, 0, DEEPEST_LOSS_DB}},
                       {"omni", {8, INFINITY, NAN, 0, DEEPEST_LOSS_DB}},
                       {"sector", {NAN, NAN, NAN, 0, DEEPEST_LOSS_DB}}};

#define AT(member) offsetof(struct sector_values, member)
static const struct {
    const char *name;
    rw_quantity quantity;
    size_t at;
    double min, max;
} sector_keys[] = {{"gain", RW_QUANTITY_LEVEL_DB, AT(gain_dbi), -10, 50},
                   {"horizontal", RW_QUANTITY_ANGLE_DEG, AT(horizontal_deg), 0.5, 360},
                   {"vertical", RW_QUANTITY_ANGLE_DEG, AT(vertical_deg), 0.5, 180},
                   {"etilt", RW_QUANTITY_ANGLE_DEG, AT(electrical_tilt_deg), -30, 30},
                   {"front-to-back", RW_QUANTITY_LEVEL_DB, AT(deepest_loss_db), 3, 60}};
#undef AT

static size_t find_sector_family(const char *description)
{
    size_t length = strcspn(description, ":"), count = sizeof sector_families / sizeof *sector_families;
    for (size_t i = 0; i < count; i++)
        if (strlen(sector_families[i].name) == length && strncmp(description, sector_families[i].name, length) == 0)
            return i;
    return count;
}

int rw_antenna_is_sector(const char *name)
{
    return find_sector_family(name) < sizeof sector_families / sizeof *sector_families;
}

/* KEY=VALUE, a gain also in dBi. */
static rw_status read_sector_value(rw_context *context, const char *description, char *entry, struct sector_values *to)
{
    char *value = strchr(entry, '=');
    if (value)
        *value++ = 0;
    for (size_t i = 0; value && i < sizeof sector_keys / sizeof *sector_keys; i++) {
        if (strcmp(entry, sector_keys[i].name) != 0)
            continue;
        size_t length = strlen(value);
        if (sector_keys[i].quantity == RW_QUANTITY_LEVEL_DB && length > 3 && strcmp(value + length - 3, "dBi") == 0)
            value[length - 1] = 0;
        double *number = (double *)(void *)((char *)to + sector_keys[i].at);
        RW_TRY(rw_parse_quantity(context, value, sector_keys[i].quantity, number));
        if (*number >= sector_keys[i].min && *number <= sector_keys[i].max)
            return RW_OK;
        return rw_fail(context, RW_BAD_CALL, "antenna %.200s: %s is not between %g and %g", description, entry,
                       sector_keys[i].min, sector_keys[i].max);
    }
    return rw_fail(context, RW_BAD_CALL,
                   "antenna %.200s: '%.40s' is not gain, horizontal, vertical, etilt or front-to-back with a value, "
                   "such as macro:gain=15:etilt=6",
                   description, entry);
}

static rw_status read_sector_values(rw_context *context, const char *description, struct sector_values *values)
{
    char entry[64];
    for (const char *at = strchr(description, ':'); at; at = strchr(at, ':')) {
        size_t length = strcspn(++at, ":");
        if (length >= sizeof entry)
            return rw_fail(context, RW_BAD_CALL, "antenna %.200s: '%.60s...' is too long", description, at);
        memcpy(entry, at, length);
        entry[length] = 0;
        RW_TRY(read_sector_value(context, description, entry, values));
    }
    return RW_OK;
}

/* The largest gain that the widths allow: 4 pi over the integral of the pattern without its side lobes. */
static double find_max_gain_dbi(const struct sector_values *values)
{
    const double step_deg = 0.125, radians = 0.017453292519943295;
    double vertical = 0, horizontal = 0;
    for (int i = 0; i < 1440; i++) {
        double theta_deg = (i + 0.5) * step_deg, down = (theta_deg - 90) / values->vertical_deg;
        vertical += sin(theta_deg * radians) * pow(10, -1.2 * down * down);
    }
    for (int i = 0; i < 1440; i++) {
        double aside = (i + 0.5) * step_deg / values->horizontal_deg;
        horizontal += 2 * pow(10, -1.2 * aside * aside);
    }
    double steps = step_deg * radians;
    return 10 * log10(4 * 3.14159265358979323846 / (vertical * horizontal * steps * steps));
}

/* Gain and vertical width, of which one may be missing. */
static rw_status complete_sector(rw_context *context, const char *description, struct sector_values *values)
{
    int is_omni = isinf(values->horizontal_deg);
    if (isnan(values->horizontal_deg) || (isnan(values->gain_dbi) && isnan(values->vertical_deg)))
        return rw_fail(context, RW_BAD_CALL,
                       "antenna %.200s: a sector needs its horizontal width, and its gain or its vertical width, such "
                       "as sector:gain=17:horizontal=65",
                       description);
    double product = is_omni ? OMNI_GAIN_DEG : SECTOR_GAIN_DEG2 / values->horizontal_deg;
    if (isnan(values->gain_dbi))
        values->gain_dbi = 10 * log10(product / values->vertical_deg);
    if (isnan(values->vertical_deg))
        values->vertical_deg = fmin(product * pow(10, -0.1 * values->gain_dbi), 180);
    double max_dbi = find_max_gain_dbi(values);
    if (values->gain_dbi <= max_dbi + GAIN_TOLERANCE_DB)
        return RW_OK;
    return rw_fail(context, RW_BAD_CALL,
                   "antenna %.200s: a gain of %.3g dBi is impossible with a beam of %.3g x %.3g degrees, which allows "
                   "%.3g dBi",
                   description, values->gain_dbi, fmin(values->horizontal_deg, 360), values->vertical_deg, max_dbi);
}

/* A width that a call sets, without the gain, changes the gain: macro:horizontal=33 has 20 dBi and not 17. */
static void drop_replaced_values(const char *description, struct sector_values *values)
{
    int sets_gain = strstr(description, ":gain=") != NULL, sets_vertical = strstr(description, ":vertical=") != NULL;
    int sets_horizontal = strstr(description, ":horizontal=") != NULL;
    if (!sets_gain && (sets_vertical || sets_horizontal))
        values->gain_dbi = NAN;
    if (sets_gain && !sets_vertical)
        values->vertical_deg = NAN;
}

rw_status rw_antenna_read_sector(rw_context *context, const char *description, rw_antenna *antenna)
{
    struct sector_values values = sector_families[find_sector_family(description)].values;
    drop_replaced_values(description, &values);
    RW_TRY(read_sector_values(context, description, &values));
    RW_TRY(complete_sector(context, description, &values));
    antenna->kind = RW_ANTENNA_SECTOR;
    antenna->peak_gain_dbi = values.gain_dbi;
    antenna->deepest_loss_db = values.deepest_loss_db;
    antenna->electrical_tilt_deg = values.electrical_tilt_deg;
    antenna->sector = (rw_sector_widths){values.horizontal_deg, values.vertical_deg, values.electrical_tilt_deg};
    return rw_string_replace(context, description, &antenna->name);
}

rw_status rw_antenna_check_shape(rw_context *context, const char *description)
{
    rw_antenna *antenna = NULL;
    if (!rw_antenna_is_sector(description))
        return RW_OK;
    rw_status status = rw_antenna_create(context, description, &antenna);
    rw_antenna_destroy(antenna);
    return status;
}
