/* From a header line and the caller's choice to columns of x, y, z, value, route, site and device. */
#include "calibrate/measurements/measurements.h"

#include "scene/coordinates.h"

#include <stdlib.h>
#include <string.h>

enum role { ROLE_X, ROLE_Y, ROLE_Z, ROLE_VALUE, ROLE_ROUTE, ROLE_SITE, ROLE_DEVICE, ROLE_COUNT };

static const struct {
    const char *name, *default_names;
    int required;
} roles[ROLE_COUNT] = {
    [ROLE_X] = {"x", "x|x_m|easting|east|utm_x|" RW_LONGITUDE_NAMES, 1},
    [ROLE_Y] = {"y", "y|y_m|northing|north|utm_y|" RW_LATITUDE_NAMES, 1},
    [ROLE_Z] = {"z", "z|z_m|height|height_m|altitude", 0},
    [ROLE_VALUE] = {"value", "path_loss|path_loss_db|pathloss|path loss|pl|pl_db|loss|loss_db|value|measured", 1},
    [ROLE_ROUTE] = {"route", "route|route_id", 0},
    [ROLE_SITE] = {"site", "site|site_id|transmitter|cell|cell_id", 0},
    [ROLE_DEVICE] = {"device", "device|device_id|phone|ue|receiver", 0},
};

static const char default_power_names[] =
    "power|power_dbm|rx_power|rx_power_dbm|received_power|level|level_dbm|rssi|rsrp|rsrp_dbm|value|measured";

static rw_status find_named(const rw_csv *csv, const char *role, const char *name, size_t length, size_t *column)
{
    char string[256], *end;
    if (length >= sizeof string || length == 0)
        return rw_fail(csv->context, RW_BAD_CALL, "the column of %s has no name, or one longer than 255 characters",
                       role);
    memcpy(string, name, length);
    string[length] = 0;
    for (*column = 0; csv->has_header && *column < csv->column_count; ++*column)
        if (strcmp(csv->header[*column], string) == 0)
            return RW_OK;
    /* A bar would be read as an or. */
    *column = csv->has_header && !strchr(string, '|') ? rw_csv_find(csv, string) : RW_CSV_NO_COLUMN;
    if (*column != RW_CSV_NO_COLUMN)
        return RW_OK;
    unsigned long number = strtoul(string, &end, 10);
    if (string[0] >= '0' && string[0] <= '9' && !*end && number >= 1 && number <= csv->column_count) {
        *column = number - 1;
        return RW_OK;
    }
    if (csv->has_header)
        return rw_fail(csv->context, RW_BAD_INPUT, "%s: the header line has no column '%s' for %s", csv->path, string,
                       role);
    return rw_fail(csv->context, RW_BAD_INPUT,
                   "%s has no header line, so the column '%s' of %s must be a number from 1 to %zu", csv->path, string,
                   role, csv->column_count);
}

/* x=NAME,y=NAME,...; found holds RW_CSV_NO_COLUMN for what is not named. */
static rw_status read_choice(const rw_csv *csv, const char *choice, size_t found[ROLE_COUNT])
{
    for (const char *at = choice; *at;) {
        size_t length = strcspn(at, ","), key = strcspn(at, "=,"), role = 0;
        while (role < ROLE_COUNT && (strlen(roles[role].name) != key || strncmp(at, roles[role].name, key) != 0))
            role++;
        if (role == ROLE_COUNT || at[key] != '=')
            return rw_fail(
                csv->context, RW_BAD_CALL,
                "columns '%.*s': expected x=NAME,y=NAME,value=NAME, and z, route, site or device in the same "
                "way",
                (int)(length < 200 ? length : 200), at);
        RW_TRY(find_named(csv, roles[role].name, at + key + 1, length - key - 1, &found[role]));
        at += length + (at[length] == ',');
    }
    return RW_OK;
}

/* Routes are published as lines of x, y, z, path loss; some leave out z. */
static rw_status assign_default_order(const rw_csv *csv, size_t found[ROLE_COUNT])
{
    if (csv->column_count != 3 && csv->column_count != 4)
        return rw_fail(csv->context, RW_BAD_INPUT,
                       "%s has no header line and %zu columns; say which are which, such as columns x=1,y=2,value=4",
                       csv->path, csv->column_count);
    found[ROLE_X] = 0;
    found[ROLE_Y] = 1;
    found[ROLE_VALUE] = csv->column_count - 1;
    if (csv->column_count == 4)
        found[ROLE_Z] = 2;
    return RW_OK;
}

static rw_status find_default_names(const rw_csv *csv, int is_power, size_t found[ROLE_COUNT])
{
    for (size_t role = 0; role < ROLE_COUNT; role++) {
        const char *default_names = role == ROLE_VALUE && is_power ? default_power_names : roles[role].default_names;
        if (found[role] == RW_CSV_NO_COLUMN && csv->has_header)
            found[role] = rw_csv_find(csv, default_names);
        if (found[role] == RW_CSV_NO_COLUMN && roles[role].required)
            return rw_fail(csv->context, RW_BAD_INPUT, "%s: no column for %s (%.*s); name it, such as columns %s=NAME",
                           csv->path, roles[role].name, (int)strcspn(default_names, "|"), default_names,
                           roles[role].name);
    }
    return RW_OK;
}

rw_status rw_measurement_columns_find(const rw_csv *csv, const char *choice, int is_power,
                                      rw_measurement_columns *columns)
{
    size_t found[ROLE_COUNT];
    for (size_t role = 0; role < ROLE_COUNT; role++)
        found[role] = RW_CSV_NO_COLUMN;
    if (choice)
        RW_TRY(read_choice(csv, choice, found));
    else if (!csv->has_header)
        RW_TRY(assign_default_order(csv, found));
    RW_TRY(find_default_names(csv, is_power, found));
    *columns = (rw_measurement_columns){found[ROLE_X],     found[ROLE_Y],    found[ROLE_VALUE],  found[ROLE_Z],
                                        found[ROLE_ROUTE], found[ROLE_SITE], found[ROLE_DEVICE], 0};
    columns->is_degrees = csv->has_header && columns->x == rw_csv_find(csv, RW_LONGITUDE_NAMES) &&
                          columns->y == rw_csv_find(csv, RW_LATITUDE_NAMES);
    return RW_OK;
}
