/* Sites tables: one transmitter a line, from a CSV with a header, to rw_transmitter. */
#include "scene/antennas/antenna.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/path.h"
#include "base/range.h"
#include "base/text/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rw_transmitter usual = {
    .name = "transmitter", .height_m = 10, .power_dbm = 30, .antenna = "isotropic", .channel = ""};

void rw_transmitter_init_sized(rw_transmitter *transmitter, size_t size)
{
    rw_defaults_give(&usual, sizeof usual, transmitter, size);
}

static void name_all(rw_transmitter *transmitters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        transmitters[i].name = transmitters[i].name ? transmitters[i].name : "";
        transmitters[i].antenna = transmitters[i].antenna ? transmitters[i].antenna : usual.antenna;
        transmitters[i].channel = transmitters[i].channel ? transmitters[i].channel : usual.channel;
    }
}

rw_status rw_transmitter_take(rw_context *context, const rw_transmitter *given, rw_transmitter *taken)
{
    *taken = usual;
    RW_TRY(RW_TAKE(context, given, taken));
    name_all(taken, 1);
    return RW_OK;
}

rw_status rw_transmitters_take(rw_context *context, const rw_transmitter *given, size_t count,
                               const rw_transmitter **taken, rw_transmitter **room)
{
    int named = 1;
    RW_TRY(RW_TAKE_ARRAY(context, given, count, &usual, taken, room));
    for (size_t i = 0; i < count; i++)
        named = named && (*taken)[i].name && (*taken)[i].antenna && (*taken)[i].channel;
    if (named)
        return RW_OK;
    if (!*room) {
        RW_TRY(rw_array_create(context, count, sizeof **room, "transmitters", room));
        memcpy(*room, *taken, count * sizeof **room);
        *taken = *room;
    }
    name_all(*room, count);
    return RW_OK;
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
    if (!rw_is_coordinate(site->x_m) || !rw_is_coordinate(site->y_m))
        return fail(csv, row, "the position is not on Earth: x and y are metres");
    if (!(site->height_m > 0 && site->height_m < RW_HEIGHT_MAX_M))
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
static rw_status read_antenna(const rw_csv *csv, size_t row, size_t column, char **antenna)
{
    const char *text = rw_csv_text(csv, row, column);
    char path[RW_PATH_MAX];
    if (!*text)
        return RW_OK;
    if (is_known_antenna(text))
        return rw_text_keep(csv->context, text, antenna);
    RW_TRY(rw_path_beside(csv->context, csv->path, text, path));
    if (!rw_path_is_regular_file(path))
        return rw_fail(
            csv->context, RW_NOT_FOUND,
            "%s, line %zu: there is no antenna '%.200s': expected isotropic, dipole, 3gpp or an MSI file beside the "
            "table",
            csv->path, csv->lines[row], text);
    return rw_text_keep(csv->context, path, antenna);
}

#define CHANNEL_NAMES "channel|earfcn|nrarfcn|arfcn"

/* One line on its way to the caller's array. */
typedef struct site_line {
    rw_transmitter site;
    char *name, *antenna, *channel;
} site_line;

static rw_status read_site(const rw_csv *csv, size_t row, site_line *line)
{
    char number[40];
    const char *name = rw_csv_text(csv, row, rw_csv_find(csv, "name|site|id"));
    rw_transmitter_init(&line->site);
    snprintf(number, sizeof number, "site %zu", row + 1);
    RW_TRY(rw_text_keep(csv->context, *name ? name : number, &line->name));
    RW_TRY(rw_text_keep(csv->context, line->site.antenna, &line->antenna));
    RW_TRY(rw_text_keep(csv->context, rw_csv_text(csv, row, rw_csv_find(csv, CHANNEL_NAMES)), &line->channel));
    RW_TRY(read_numbers(csv, row, &line->site));
    return read_antenna(csv, row, rw_csv_find(csv, "antenna"), &line->antenna);
}

/* A misspelt column would leave an antenna pointing north without a word. */
static void tell_unknown_columns(const rw_csv *csv)
{
    for (size_t column = 0; column < csv->column_count; column++) {
        int known = column == rw_csv_find(csv, "name|site|id") || column == rw_csv_find(csv, "antenna") ||
                    column == rw_csv_find(csv, CHANNEL_NAMES);
        for (size_t i = 0; i < NUMBER_COLUMN_COUNT; i++)
            known |= column == rw_csv_find(csv, number_columns[i].names);
        if (!known)
            rw_warn(csv->context, "%s: column '%.40s' is not one of a sites table and is left out", csv->path,
                    csv->header[column]);
    }
}

static void free_line(site_line *line)
{
    free(line->name);
    free(line->antenna);
    free(line->channel);
    line->name = line->antenna = line->channel = NULL;
}

/* Bad lines that are named when they are left out; the rest are counted. */
#define NAMED_MAX 8

/* Whether a line that failed may be left out; then it is named. */
static int leave_out(const rw_csv *csv, rw_status status, size_t *left_out)
{
    if (!left_out || status == RW_OUT_OF_MEMORY)
        return 0;
    if ((*left_out)++ < NAMED_MAX)
        rw_warn(csv->context, "left out: %s", rw_last_error(csv->context));
    return 1;
}

/* The lines of the table, or the good ones where left_out counts the others. */
static rw_status read_sites(const rw_csv *csv, site_line *lines, size_t *count, size_t *left_out)
{
    size_t column;
    tell_unknown_columns(csv);
    for (size_t i = 0; i < NUMBER_COLUMN_COUNT; i++)
        if (number_columns[i].required)
            RW_TRY(rw_csv_require(csv, number_columns[i].names, &column));
    for (size_t row = 0; row < csv->row_count; row++) {
        site_line *line = &lines[*count];
        rw_status status = read_site(csv, row, line);
        *count += status == RW_OK;
        if (status != RW_OK && !leave_out(csv, status, left_out))
            return status;
        if (status != RW_OK)
            free_line(line);
    }
    if (left_out && *left_out > NAMED_MAX)
        rw_warn(csv->context, "left out: %zu more lines of %s", *left_out - NAMED_MAX, csv->path);
    return *count ? RW_OK
                  : rw_fail(csv->context, RW_BAD_INPUT, "%s: none of its %zu sites can be used", csv->path,
                            csv->row_count);
}

static const char *put_text(char **room, const char *text)
{
    char *put = *room;
    strcpy(put, text);
    *room += strlen(text) + 1;
    return put;
}

/* One piece of memory, which one call frees: the array in steps of the caller's size, then the texts. */
static rw_status pack_sites(rw_context *context, const site_line *lines, size_t count, size_t size,
                            rw_transmitter **sites)
{
    size_t bytes = count * size;
    char *block;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(lines[i].name) + strlen(lines[i].antenna) + strlen(lines[i].channel) + 3;
    RW_TRY(rw_array_create(context, bytes, 1, "sites", &block));
    char *room = block + count * size;
    for (size_t i = 0; i < count; i++) {
        rw_transmitter site = lines[i].site;
        site.name = put_text(&room, lines[i].name);
        site.antenna = put_text(&room, lines[i].antenna);
        site.channel = put_text(&room, lines[i].channel);
        rw_defaults_give(&site, sizeof site, block + i * size, size);
    }
    *sites = (rw_transmitter *)(void *)block;
    return RW_OK;
}

static rw_status load(const rw_csv *csv, size_t size, rw_transmitter **sites, size_t *count, size_t *left_out)
{
    site_line *lines;
    if (csv->row_count == 0)
        return rw_fail(csv->context, RW_BAD_INPUT, "%s has a header line but no sites", csv->path);
    RW_TRY(rw_array_create(csv->context, csv->row_count, sizeof *lines, "sites", &lines));
    rw_status status = read_sites(csv, lines, count, left_out);
    if (status == RW_OK)
        status = pack_sites(csv->context, lines, *count, size, sites);
    for (size_t i = 0; i < csv->row_count; i++)
        free_line(&lines[i]);
    free(lines);
    if (status != RW_OK)
        *count = 0;
    return status;
}

static rw_status load_file(rw_context *context, const char *path, size_t size, rw_transmitter **sites, size_t *count,
                           size_t *left_out)
{
    rw_csv csv;
    *sites = NULL;
    *count = 0;
    RW_TRY(rw_options_check_size(context, size));
    RW_TRY(rw_csv_read(context, path, &csv));
    rw_status status = load(&csv, size, sites, count, left_out);
    rw_csv_free(&csv);
    return status;
}

rw_status rw_sites_load_sized(rw_context *context, const char *path, size_t size, rw_transmitter **sites, size_t *count)
{
    return load_file(context, path, size, sites, count, NULL);
}

rw_status rw_sites_load_good_sized(rw_context *context, const char *path, size_t size, rw_transmitter **sites,
                                   size_t *count, size_t *left_out)
{
    *left_out = 0;
    return load_file(context, path, size, sites, count, left_out);
}
