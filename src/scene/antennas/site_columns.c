/* Columns of a sites table, as operators keep them: place in metres or degrees, power at the transmitter or radiated,
 * feeder loss, electrical tilt, channel, polarisation. */
#include "scene/antennas/site.h"

#include "base/memory.h"
#include "base/range.h"
#include "scene/coordinates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ERP_DBI 2.15 /* of the half-wave dipole that ERP is relative to */

/* What a line says in numbers; NaN: nothing. */
typedef struct site_numbers {
    double x_m, y_m, longitude_deg, latitude_deg, height_m;
    double azimuth_deg, tilt_deg, electrical_tilt_deg, roll_deg;
    double power_dbm, power_w, eirp_dbm, eirp_w, erp_dbm, feeder_loss_db, gain_dbi;
    double freq_hz, freq_mhz, freq_ghz;
    double load, load_percent;
    double bandwidth_hz, bandwidth_mhz;
    double radius_m;
} site_numbers;

#define AT(member) offsetof(site_numbers, member)
static const struct {
    const char *names;
    rw_quantity quantity;
    size_t offset;
} number_columns[] = {
    {"x|x_m|easting", RW_QUANTITY_LENGTH_M, AT(x_m)},
    {"y|y_m|northing", RW_QUANTITY_LENGTH_M, AT(y_m)},
    {RW_LONGITUDE_NAMES, RW_QUANTITY_ANGLE_DEG, AT(longitude_deg)},
    {RW_LATITUDE_NAMES, RW_QUANTITY_ANGLE_DEG, AT(latitude_deg)},
    {"height|height_m|z|z_m|agl|antenna_height", RW_QUANTITY_LENGTH_M, AT(height_m)},
    {"azimuth|azimuth_deg|bearing", RW_QUANTITY_ANGLE_DEG, AT(azimuth_deg)},
    {"tilt|tilt_deg|downtilt|downtilt_deg|mechanical_tilt|mtilt", RW_QUANTITY_ANGLE_DEG, AT(tilt_deg)},
    {"etilt|electrical_tilt|electrical_tilt_deg|ret", RW_QUANTITY_ANGLE_DEG, AT(electrical_tilt_deg)},
    {"roll|roll_deg", RW_QUANTITY_ANGLE_DEG, AT(roll_deg)},
    {"power|power_dbm", RW_QUANTITY_POWER_DBM, AT(power_dbm)},
    {"power_w", RW_QUANTITY_NUMBER, AT(power_w)},
    {"eirp|eirp_dbm", RW_QUANTITY_POWER_DBM, AT(eirp_dbm)},
    {"eirp_w", RW_QUANTITY_NUMBER, AT(eirp_w)},
    {"erp|erp_dbm", RW_QUANTITY_POWER_DBM, AT(erp_dbm)},
    {"feeder_loss|feeder_loss_db|cable_loss|cable_loss_db", RW_QUANTITY_LEVEL_DB, AT(feeder_loss_db)},
    {"gain|gain_dbi|antenna_gain|antenna_gain_dbi", RW_QUANTITY_LEVEL_DB, AT(gain_dbi)},
    {"freq|freq_hz|frequency|frequency_hz", RW_QUANTITY_FREQUENCY_HZ, AT(freq_hz)},
    {"freq_mhz|frequency_mhz", RW_QUANTITY_NUMBER, AT(freq_mhz)},
    {"freq_ghz|frequency_ghz", RW_QUANTITY_NUMBER, AT(freq_ghz)},
    {"load|traffic_load|prb_load", RW_QUANTITY_NUMBER, AT(load)},
    {"load_percent|prb_utilisation|prb_utilization", RW_QUANTITY_NUMBER, AT(load_percent)},
    {"bandwidth|bandwidth_hz|bw", RW_QUANTITY_FREQUENCY_HZ, AT(bandwidth_hz)},
    {"bandwidth_mhz|bw_mhz", RW_QUANTITY_NUMBER, AT(bandwidth_mhz)},
    {"radius|radius_m|range|range_m", RW_QUANTITY_LENGTH_M, AT(radius_m)},
};
#undef AT
#define NUMBER_COLUMN_COUNT (sizeof number_columns / sizeof *number_columns)

static const char *const string_columns[] = {"name|site|id", "antenna", "channel|earfcn|nrarfcn|arfcn",
                                             "polarisation|polarization|pol", "mimo|mimo_order|streams|layers"};
enum { STRING_NAME, STRING_ANTENNA, STRING_CHANNEL, STRING_POLARISATION, STRING_MIMO, STRING_COLUMN_COUNT };

static const char *const plan_columns[] = {RW_PLAN_SITE_COLUMN, RW_PLAN_COST_COLUMN, RW_PLAN_SITE_COST_COLUMN,
                                           RW_PLAN_KEEP_COLUMN};

static rw_status fail_site_row(const rw_csv *csv, size_t row, const char *wrong)
{
    return rw_fail(csv->context, RW_BAD_INPUT, "%s, line %zu: %s", csv->path, csv->lines[row], wrong);
}

/* The sentence of the last failure, after file and line. */
static rw_status fail_again(const rw_csv *csv, size_t row, rw_status status)
{
    char message[RW_MESSAGE_MAX / 2];
    strncpy(message, rw_last_error(csv->context), sizeof message - 1);
    message[sizeof message - 1] = 0;
    return rw_fail(csv->context, status, "%s, line %zu: %s", csv->path, csv->lines[row], message);
}

static const char *read_site_string(const rw_csv *csv, size_t row, int column)
{
    return rw_csv_string(csv, row, rw_csv_find(csv, string_columns[column]));
}

/* Whether one of the tables lists a column of this number. */
static int is_site_column(const rw_csv *csv, size_t column)
{
    int recognised = 0;
    for (size_t i = 0; i < STRING_COLUMN_COUNT; i++)
        recognised |= column == rw_csv_find(csv, string_columns[i]);
    for (size_t i = 0; i < NUMBER_COLUMN_COUNT; i++)
        recognised |= column == rw_csv_find(csv, number_columns[i].names);
    for (size_t i = 0; i < sizeof plan_columns / sizeof *plan_columns; i++)
        recognised |= column == rw_csv_find(csv, plan_columns[i]);
    return recognised;
}

int rw_site_names_include(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; *at; at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == length && strncasecmp(at, name, length) == 0)
            return 1;
    return 0;
}

int rw_site_column_group(const char *name)
{
    size_t plans = sizeof plan_columns / sizeof *plan_columns;
    for (size_t i = 0; i < STRING_COLUMN_COUNT + NUMBER_COLUMN_COUNT + plans; i++) {
        const char *names = i < STRING_COLUMN_COUNT ? string_columns[i]
                            : i < STRING_COLUMN_COUNT + NUMBER_COLUMN_COUNT
                                ? number_columns[i - STRING_COLUMN_COUNT].names
                                : plan_columns[i - STRING_COLUMN_COUNT - NUMBER_COLUMN_COUNT];
        if (rw_site_names_include(names, name))
            return (int)i;
    }
    return -1;
}

rw_status rw_site_columns_rename(rw_csv *csv, const char *columns)
{
    RW_TRY(rw_csv_rename(csv, columns));
    for (const char *at = columns; at; at = strchr(at, ',')) {
        at += *at == ',';
        const char *name = csv->names + (at - columns);
        if (!is_site_column(csv, rw_csv_find(csv, name)) && !rw_site_column_has_band(name))
            return rw_fail(csv->context, RW_BAD_CALL,
                           "columns '%.200s': '%.60s' is not a column of a sites table, such as x, y, height, azimuth, "
                           "tilt, etilt, power, gain, freq or antenna",
                           columns, name);
    }
    return RW_OK;
}

/* A misspelt column would leave an antenna pointing north without a word. */
static void warn_unknown_columns(const rw_csv *csv)
{
    for (size_t column = 0; column < csv->column_count; column++) {
        if (!is_site_column(csv, column) && *csv->header[column])
            rw_warn(csv->context, "%s: column '%.40s' is not one of a sites table and is left out", csv->path,
                    csv->header[column]);
    }
}

static int has_degrees(const rw_csv *csv)
{
    return rw_csv_find(csv, RW_LONGITUDE_NAMES) != RW_CSV_NO_COLUMN &&
           rw_csv_find(csv, RW_LATITUDE_NAMES) != RW_CSV_NO_COLUMN;
}

/* Metres where the table has them. */
static int has_metres(const rw_csv *csv)
{
    return rw_csv_find(csv, number_columns[0].names) != RW_CSV_NO_COLUMN &&
           rw_csv_find(csv, number_columns[1].names) != RW_CSV_NO_COLUMN;
}

rw_status rw_site_columns_check(const rw_csv *csv)
{
    size_t column;
    warn_unknown_columns(csv);
    for (size_t i = 0; i < 2 && !has_degrees(csv); i++)
        RW_TRY(rw_csv_require(csv, number_columns[i].names, &column));
    return rw_csv_require(csv, number_columns[4].names, &column);
}

static rw_status read_numbers(const rw_csv *csv, size_t row, site_numbers *numbers)
{
    int degrees = !has_metres(csv);
    for (size_t i = 0; i < NUMBER_COLUMN_COUNT; i++) {
        size_t column = rw_csv_find(csv, number_columns[i].names);
        double *value = (double *)((char *)numbers + number_columns[i].offset);
        int needed = i == 4 || (degrees ? i == 2 || i == 3 : i < 2);
        *value = NAN;
        if (needed)
            RW_TRY(rw_csv_required_number(csv, row, column, number_columns[i].quantity, value));
        else
            RW_TRY(rw_csv_optional_number(csv, row, column, number_columns[i].quantity, value));
    }
    return RW_OK;
}

static rw_status locate_site(const rw_csv *csv, size_t row, const site_numbers *numbers, rw_site_line *line)
{
    line->is_degrees = !has_metres(csv);
    line->site.x_m = line->is_degrees ? numbers->longitude_deg : numbers->x_m;
    line->site.y_m = line->is_degrees ? numbers->latitude_deg : numbers->y_m;
    line->site.height_m = numbers->height_m;
    rw_status status =
        line->is_degrees ? rw_check_degrees(csv->context, "the site", line->site.x_m, line->site.y_m) : RW_OK;
    if (status != RW_OK)
        return fail_again(csv, row, status);
    if (!rw_is_coordinate(line->site.x_m) || !rw_is_coordinate(line->site.y_m))
        return fail_site_row(csv, row, "the position is not on Earth: x and y are metres");
    if (!(line->site.height_m > 0 && line->site.height_m < RW_HEIGHT_MAX_M))
        return fail_site_row(csv, row, "the height above ground must be above 0 and below 100 km");
    return RW_OK;
}

rw_status rw_site_positions_check(const rw_csv *csv, size_t row, const char *crs)
{
    double values[4]; /* x, y, longitude, latitude */
    if (!crs || !*crs || !has_metres(csv))
        return RW_OK;
    for (size_t i = 0; i < 4; i++) {
        size_t column = rw_csv_find(csv, number_columns[i].names);
        values[i] = NAN;
        if (column == RW_CSV_NO_COLUMN)
            return RW_OK;
        RW_TRY(rw_csv_optional_number(csv, row, column, number_columns[i].quantity, &values[i]));
    }
    if (isnan(values[0]) || isnan(values[1]) || isnan(values[2]) || isnan(values[3]))
        return RW_OK;
    double xy[2] = {values[2], values[3]};
    rw_status status = rw_transform_points(csv->context, "lonlat", crs, xy, 1);
    if (status != RW_OK)
        return status == RW_UNSUPPORTED ? RW_OK : status;
    double apart_m = hypot(xy[0] - values[0], xy[1] - values[1]);
    if (apart_m <= 1)
        return RW_OK;
    return rw_fail(csv->context, RW_BAD_INPUT,
                   "%s, line %zu: x, y and longitude, latitude are %.6g m apart; correct or remove one of them",
                   csv->path, csv->lines[row], apart_m);
}

static rw_status check_angles(const rw_csv *csv, size_t row, const site_numbers *numbers)
{
    if (fabs(numbers->azimuth_deg) > 360)
        return fail_site_row(csv, row, "the azimuth is not between -360 and 360 degrees");
    if (fabs(numbers->tilt_deg) > 90)
        return fail_site_row(csv, row, "the tilt is not between -90 and 90 degrees");
    return RW_OK;
}

static void assign_if_set(double value, double *field)
{
    if (!isnan(value))
        *field = value;
}

static rw_status set_frequency(const rw_csv *csv, size_t row, const site_numbers *numbers, rw_transmitter *site)
{
    assign_if_set(numbers->freq_hz, &site->freq_hz);
    assign_if_set(1e6 * numbers->freq_mhz, &site->freq_hz);
    assign_if_set(1e9 * numbers->freq_ghz, &site->freq_hz);
    /* A bare number is in hertz, and 947 alone is more likely meant as megahertz than as an audible tone. */
    if (site->freq_hz != 0 && !(site->freq_hz >= 1e6 && site->freq_hz <= 1e13))
        return fail_site_row(csv, row, "the frequency is not between 1 MHz and 10 THz; write its unit, such as 947MHz");
    return RW_OK;
}

static rw_status set_radius(const rw_csv *csv, size_t row, const site_numbers *numbers, rw_transmitter *site)
{
    if (isnan(numbers->radius_m))
        return RW_OK;
    if (!(numbers->radius_m > 0 && numbers->radius_m <= RW_RADIUS_MAX_M))
        return fail_site_row(csv, row, "the radius must be above 0 and at most 10000 km; leave it empty for none");
    site->radius_m = numbers->radius_m;
    return RW_OK;
}

/* A tilt that the one file does not have would be left out without a word. */
static rw_status check_tilt(const rw_csv *csv, size_t row, const char *path, double tilt_deg)
{
    rw_antenna *antenna;
    rw_status status = rw_antenna_create(csv->context, path, &antenna);
    if (status != RW_OK)
        return fail_again(csv, row, status);
    double has_deg = antenna->electrical_tilt_deg;
    rw_antenna_destroy(antenna);
    if (fabs(has_deg - tilt_deg) <= 0.05)
        return RW_OK;
    if (isnan(has_deg))
        return fail_site_row(csv, row,
                             "its antenna file does not say its electrical tilt; leave etilt empty, or name the folder "
                             "of files for all tilts as the antenna");
    return rw_fail(csv->context, RW_BAD_INPUT,
                   "%s, line %zu: its antenna file is for an electrical tilt of %g degrees, and etilt is %g; name the "
                   "folder of files for all tilts as the antenna",
                   csv->path, csv->lines[row], has_deg, tilt_deg);
}

/* Files and sets of files are named relative to the table. */
static rw_status set_antenna(const rw_csv *csv, size_t row, const site_numbers *numbers, rw_site_line *line)
{
    const char *string = read_site_string(csv, row, STRING_ANTENNA);
    double tilt_deg = numbers->electrical_tilt_deg;
    char path[RW_PATH_MAX], chosen[RW_PATH_MAX];
    if (!*string || rw_antenna_is_shape(string)) {
        int is_tilted = !isnan(tilt_deg) && tilt_deg != 0;
        if (is_tilted && rw_antenna_is_sector(string)) /* the last tilt of a description holds */
            snprintf(path, sizeof path, "%.400s:etilt=%.10g", string, tilt_deg);
        else if (is_tilted)
            return fail_site_row(
                csv, row,
                "etilt is the electrical tilt of an antenna macro, omni or sector or of MSI files, and "
                "none is named");
        else
            snprintf(path, sizeof path, "%.400s", string);
        rw_status status = rw_antenna_check_shape(csv->context, path);
        if (status != RW_OK)
            return fail_again(csv, row, status);
        return *path ? rw_string_replace(csv->context, path, &line->antenna) : RW_OK;
    }
    RW_TRY(rw_path_next_to(csv->context, csv->path, string, path));
    if (rw_antenna_is_set(path)) {
        rw_status status = rw_antenna_choose(csv->context, path, tilt_deg, line->site.freq_hz, chosen);
        return status == RW_OK ? rw_string_replace(csv->context, chosen, &line->antenna) : fail_again(csv, row, status);
    }
    if (!rw_path_is_regular_file(path))
        return rw_fail(csv->context, RW_NOT_FOUND,
                       "%s, line %zu: there is no antenna '%.200s': expected isotropic, dipole, 3gpp, macro, omni, "
                       "sector:... or an "
                       "MSI file next to the table",
                       csv->path, csv->lines[row], string);
    if (!isnan(tilt_deg))
        RW_TRY(check_tilt(csv, row, path, tilt_deg));
    return rw_string_replace(csv->context, path, &line->antenna);
}

static rw_status find_peak_gain(const rw_csv *csv, size_t row, const char *name, double *gain_dbi)
{
    rw_antenna *antenna;
    rw_status status = rw_antenna_create(csv->context, name, &antenna);
    if (status != RW_OK)
        return fail_again(csv, row, status);
    *gain_dbi = antenna->peak_gain_dbi;
    rw_antenna_destroy(antenna);
    return RW_OK;
}

/* Power at the antenna's port: what the transmitter gives less the feeder, or what is radiated less the gain. */
static rw_status set_power(const rw_csv *csv, size_t row, site_numbers *numbers, rw_site_line *line)
{
    if (!isnan(numbers->power_w) || !isnan(numbers->eirp_w)) {
        if (numbers->power_w <= 0 || numbers->eirp_w <= 0)
            return fail_site_row(csv, row, "a power in watts must be above 0");
        assign_if_set(10 * log10(numbers->power_w) + 30, &numbers->power_dbm);
        assign_if_set(10 * log10(numbers->eirp_w) + 30, &numbers->eirp_dbm);
    }
    assign_if_set(numbers->erp_dbm + ERP_DBI, &numbers->eirp_dbm);
    assign_if_set(numbers->power_dbm, &line->site.power_dbm);
    if (!isnan(numbers->power_dbm) && !isnan(numbers->eirp_dbm))
        return fail_site_row(csv, row, "power and EIRP are both given; leave one of them empty");
    double peak_dbi = 0;
    if (!isnan(numbers->eirp_dbm) || !isnan(numbers->gain_dbi))
        RW_TRY(find_peak_gain(csv, row, line->antenna, &peak_dbi));
    if (!isnan(numbers->eirp_dbm)) {
        line->site.power_dbm = numbers->eirp_dbm - peak_dbi;
        return RW_OK;
    }
    if (fabs(numbers->gain_dbi) > 60)
        return fail_site_row(csv, row, "gain is the peak gain of the antenna in dBi, from -60 to 60");
    line->site.power_dbm -= isnan(numbers->feeder_loss_db) ? 0 : numbers->feeder_loss_db;
    /* The pattern's form with the table's gain: the power carries the difference. */
    line->site.power_dbm += isnan(numbers->gain_dbi) ? 0 : numbers->gain_dbi - peak_dbi;
    return RW_OK;
}

static rw_status set_polarisation(const rw_csv *csv, size_t row, rw_transmitter *site)
{
    const char *string = read_site_string(csv, row, STRING_POLARISATION);
    if (!*string)
        return RW_OK;
    rw_status status = rw_polarisation_parse(csv->context, string, &site->slant_deg, &site->dual_polarised);
    return status == RW_OK ? RW_OK : fail_again(csv, row, status);
}

static rw_status set_bandwidth(const rw_csv *csv, size_t row, const site_numbers *numbers, rw_transmitter *site)
{
    assign_if_set(numbers->bandwidth_hz, &site->bandwidth_hz);
    assign_if_set(1e6 * numbers->bandwidth_mhz, &site->bandwidth_hz);
    if (site->bandwidth_hz != 0 && !(site->bandwidth_hz >= 1e3 && site->bandwidth_hz <= 1e11))
        return fail_site_row(csv, row, "the bandwidth is not between 1 kHz and 100 GHz; write its unit, such as 20MHz");
    return RW_OK;
}

/* "4", "4x4" or "4T2R": as many streams as the smaller number of antennas. */
static rw_status set_streams(const rw_csv *csv, size_t row, rw_transmitter *site)
{
    const char *string = read_site_string(csv, row, STRING_MIMO);
    int ends[2] = {0, 0}, at = 0, end = 0;
    if (!*string)
        return RW_OK;
    int is_one = sscanf(string, "%3d%n", &ends[0], &end) == 1 && !string[end];
    int is_pair = sscanf(string, "%3d%*1[xXtT]%3d%n", &ends[0], &ends[1], &at) == 2 &&
                  (!string[at] || (strchr("rR", string[at]) && !string[at + 1]));
    int streams = is_one || ends[0] < ends[1] ? ends[0] : ends[1];
    if ((!is_one && !is_pair) || streams < 1 || streams > 64)
        return fail_site_row(csv, row, "mimo is a number of spatial streams from 1 to 64, or antennas such as 4x4");
    site->streams = streams;
    return RW_OK;
}

/* A load of 0 is none, and one that is not given the prediction's. */
static rw_status set_load(const rw_csv *csv, size_t row, const site_numbers *numbers, rw_transmitter *site)
{
    double load = isnan(numbers->load) ? 0.01 * numbers->load_percent : numbers->load;
    if (isnan(load))
        return RW_OK;
    if (!(load >= 0 && load <= 1))
        return fail_site_row(csv, row,
                             "load is the share of resource elements in use, from 0 to 1 (load_percent: 0 to 100)");
    site->load = load > 0 ? load : -1;
    return RW_OK;
}

rw_status rw_site_line_read(const rw_csv *csv, size_t row, rw_site_line *line)
{
    char number[40];
    const char *name = read_site_string(csv, row, STRING_NAME);
    site_numbers numbers;
    rw_transmitter_init(&line->site);
    snprintf(number, sizeof number, "site %zu", row + 1);
    RW_TRY(rw_string_replace(csv->context, *name ? name : number, &line->name));
    RW_TRY(rw_string_replace(csv->context, line->site.antenna, &line->antenna));
    RW_TRY(rw_string_replace(csv->context, read_site_string(csv, row, STRING_CHANNEL), &line->channel));
    RW_TRY(read_numbers(csv, row, &numbers));
    RW_TRY(locate_site(csv, row, &numbers, line));
    RW_TRY(check_angles(csv, row, &numbers));
    assign_if_set(numbers.azimuth_deg, &line->site.azimuth_deg);
    assign_if_set(numbers.tilt_deg, &line->site.downtilt_deg);
    assign_if_set(numbers.roll_deg, &line->site.roll_deg);
    RW_TRY(set_frequency(csv, row, &numbers, &line->site));
    RW_TRY(set_polarisation(csv, row, &line->site));
    RW_TRY(set_load(csv, row, &numbers, &line->site));
    RW_TRY(set_bandwidth(csv, row, &numbers, &line->site));
    RW_TRY(set_streams(csv, row, &line->site));
    RW_TRY(set_radius(csv, row, &numbers, &line->site));
    RW_TRY(set_antenna(csv, row, &numbers, line));
    return set_power(csv, row, &numbers, line);
}

void rw_site_line_free(rw_site_line *line)
{
    free(line->name);
    free(line->antenna);
    free(line->channel);
    line->name = line->antenna = line->channel = NULL;
}
