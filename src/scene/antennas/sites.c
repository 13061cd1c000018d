/* Sites tables: one transmitter a line, from a CSV with a header, to rw_transmitter. */
#include "base/text/csv.h"
#include "base/memory.h"
#include "base/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rw_transmitter_init(rw_transmitter *transmitter)
{
    memset(transmitter, 0, sizeof *transmitter);
    transmitter->size = sizeof *transmitter;
    strcpy(transmitter->name, "transmitter");
    transmitter->height_m = 10;
    transmitter->power_dbm = 30;
    strcpy(transmitter->antenna, "isotropic");
}

/* Columns with a number: where it goes, what it is called and whether it must be there. */
static const struct {
    const char *names;
    rw_quantity quantity;
    size_t offset;
    int required;
} number_columns[] = {
    {"x|x_m|easting", RW_QUANTITY_LENGTH_M, offsetof(rw_transmitter, x_m), 1},
    {"y|y_m|northing", RW_QUANTITY_LENGTH_M, offsetof(rw_transmitter, y_m), 1},
    {"height|height_m|z|z_m", RW_QUANTITY_LENGTH_M, offsetof(rw_transmitter, height_m), 1},
    {"azimuth|azimuth_deg", RW_QUANTITY_ANGLE_DEG, offsetof(rw_transmitter, azimuth_deg), 0},
    {"tilt|tilt_deg|downtilt|downtilt_deg", RW_QUANTITY_ANGLE_DEG, offsetof(rw_transmitter, downtilt_deg), 0},
    {"roll|roll_deg", RW_QUANTITY_ANGLE_DEG, offsetof(rw_transmitter, roll_deg), 0},
    {"power|power_dbm", RW_QUANTITY_POWER_DBM, offsetof(rw_transmitter, power_dbm), 0},
    {"freq|freq_hz|frequency|frequency_hz", RW_QUANTITY_FREQUENCY_HZ, offsetof(rw_transmitter, freq_hz), 0},
};
#define NUMBER_COLUMN_COUNT (sizeof number_columns / sizeof *number_columns)

static rw_status fail(const rw_csv *csv, size_t row, const char *wrong)
{
    return rw_fail(csv->context, RW_BAD_INPUT, "%s, line %zu: %s", csv->path, csv->lines[row], wrong);
}

static rw_status read_numbers(const rw_csv *csv, size_t row, rw_transmitter *site)
{
    for (size_t i = 0; i < NUMBER_COLUMN_COUNT; i++) {
        size_t column = rw_csv_find(csv, number_columns[i].names);
        double *value = (double *)((char *)site + number_columns[i].offset);
        if (number_columns[i].required)
            RW_TRY(rw_csv_required_number(csv, row, column, number_columns[i].quantity, value));
        else
            RW_TRY(rw_csv_optional_number(csv, row, column, number_columns[i].quantity, value));
    }
    if (!(fabs(site->x_m) <= 1e9 && fabs(site->y_m) <= 1e9))
        return fail(csv, row, "the position is not on Earth: x and y are metres");
    if (!(site->height_m > 0 && site->height_m < 1e5))
        return fail(csv, row, "the height above ground must be above 0 and below 100 km");
    /* A bare number is in hertz, and 947 alone is more likely meant as megahertz than as an audible tone. */
    if (site->freq_hz != 0 && !(site->freq_hz >= 1e6 && site->freq_hz <= 1e13))
        return fail(csv, row, "the frequency is not between 1 MHz and 10 THz; write its unit, such as 947MHz");
    return RW_OK;
}

static int is_known_antenna(const char *text)
{
    return strcmp(text, "isotropic") == 0 || strcmp(text, "dipole") == 0 || strcmp(text, "3gpp") == 0;
}

/* Files are named relative to the table. */
static rw_status read_antenna(const rw_csv *csv, size_t row, size_t column, rw_transmitter *site)
{
    const char *text = rw_csv_text(csv, row, column);
    char path[RW_PATH_MAX];
    if (!*text)
        return RW_OK;
    if (is_known_antenna(text)) {
        strcpy(site->antenna, text);
        return RW_OK;
    }
    RW_TRY(rw_path_beside(csv->context, csv->path, text, path));
    if (!rw_path_is_regular_file(path))
        return rw_fail(
            csv->context, RW_NOT_FOUND,
            "%s, line %zu: there is no antenna '%.200s': expected isotropic, dipole, 3gpp or an MSI file beside the "
            "table",
            csv->path, csv->lines[row], text);
    if (strlen(path) >= sizeof site->antenna)
        return fail(csv, row, "the path of the antenna file is longer than 511 characters");
    strcpy(site->antenna, path);
    return RW_OK;
}

static rw_status read_site(const rw_csv *csv, size_t row, rw_transmitter *site)
{
    const char *name = rw_csv_text(csv, row, rw_csv_find(csv, "name|site|id"));
    rw_transmitter_init(site);
    if (strlen(name) >= sizeof site->name)
        return fail(csv, row, "the name of a site has at most 63 characters");
    if (*name)
        strcpy(site->name, name);
    else
        snprintf(site->name, sizeof site->name, "site %zu", row + 1);
    RW_TRY(read_numbers(csv, row, site));
    return read_antenna(csv, row, rw_csv_find(csv, "antenna"), site);
}

/* A misspelt column would leave an antenna pointing north without a word. */
static void tell_unknown_columns(const rw_csv *csv)
{
    for (size_t column = 0; column < csv->column_count; column++) {
        int known = column == rw_csv_find(csv, "name|site|id") || column == rw_csv_find(csv, "antenna");
        for (size_t i = 0; i < NUMBER_COLUMN_COUNT; i++)
            known |= column == rw_csv_find(csv, number_columns[i].names);
        if (!known)
            rw_warn(csv->context, "%s: column '%.40s' is not one of a sites table and is left out", csv->path,
                    csv->header[column]);
    }
}

static rw_status read_sites(const rw_csv *csv, rw_transmitter *sites)
{
    size_t column;
    tell_unknown_columns(csv);
    for (size_t i = 0; i < NUMBER_COLUMN_COUNT; i++)
        if (number_columns[i].required)
            RW_TRY(rw_csv_require(csv, number_columns[i].names, &column));
    for (size_t row = 0; row < csv->row_count; row++)
        RW_TRY(read_site(csv, row, &sites[row]));
    return RW_OK;
}

rw_status rw_sites_load(rw_context *context, const char *path, rw_transmitter **sites, size_t *count)
{
    rw_csv csv;
    rw_transmitter *made = NULL;
    *sites = NULL;
    *count = 0;
    RW_TRY(rw_csv_read(context, path, &csv));
    rw_status status = csv.row_count ? rw_array_create(context, csv.row_count, sizeof *made, "sites", &made)
                                     : rw_fail(context, RW_BAD_INPUT, "%s has a header line but no sites", path);
    if (status == RW_OK)
        status = read_sites(&csv, made);
    if (status == RW_OK) {
        *sites = made;
        *count = csv.row_count;
    } else {
        free(made);
    }
    rw_csv_free(&csv);
    return status;
}
