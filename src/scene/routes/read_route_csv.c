/* Tables of points: x, y or longitude, latitude; height, time, velocity and an antenna where given. */
#include "scene/routes/routes.h"

#include "base/file.h"
#include "base/text/csv.h"
#include "scene/antennas/antenna.h"
#include "scene/coordinates.h"

#include <math.h>

enum {
    COLUMN_X,
    COLUMN_Y,
    COLUMN_HEIGHT,
    COLUMN_TIME,
    COLUMN_VX,
    COLUMN_VY,
    COLUMN_VZ,
    COLUMN_ANTENNA,
    COLUMN_AZIMUTH,
    COLUMN_TILT,
    COLUMN_ROLL,
    COLUMN_POLARISATION,
    COLUMN_COUNT
};

static const char x_names[] = "x|x_m|easting|east|" RW_LONGITUDE_NAMES;
static const char y_names[] = "y|y_m|northing|north|" RW_LATITUDE_NAMES;

static const char *const names[COLUMN_COUNT] = {x_names,
                                                y_names,
                                                "height|height_m|z|z_m",
                                                "time|time_s|t|timestamp|date",
                                                "vx|vx_m_s",
                                                "vy|vy_m_s",
                                                "vz|vz_m_s",
                                                "antenna|rx_antenna",
                                                "azimuth|azimuth_deg|rx_azimuth",
                                                "tilt|tilt_deg|downtilt|rx_tilt",
                                                "roll|roll_deg|rx_roll",
                                                "polarisation|polarization|pol|slant|slant_deg|rx_slant"};

static rw_status read_time(const rw_csv *csv, size_t row, size_t column, double *time_s)
{
    const char *string = rw_csv_string(csv, row, column);
    if (!*string)
        return RW_OK;
    *time_s = rw_route_parse_time(string);
    return isnan(*time_s) ? rw_fail(csv->context, RW_BAD_INPUT,
                                    "%s, line %zu: '%.60s' is no time; write seconds or 2024-05-01T12:00:03Z",
                                    csv->path, csv->lines[row], string)
                          : RW_OK;
}

/* Files are named relative to the table; "" is the antenna of the prediction, turned as the row says. */
static rw_status read_antenna(rw_route *route, const rw_csv *csv, size_t row, const size_t columns[COLUMN_COUNT],
                              rw_point *point)
{
    char path[RW_PATH_MAX] = "";
    int dual = 0, own = 0;
    for (size_t i = COLUMN_ANTENNA; i < COLUMN_COUNT; i++)
        own = own || (columns[i] != RW_CSV_NO_COLUMN && *rw_csv_string(csv, row, columns[i]));
    if (!own)
        return RW_OK;
    point->azimuth_deg = point->tilt_deg = point->roll_deg = point->slant_deg = NAN;
    RW_TRY(rw_csv_optional_number(csv, row, columns[COLUMN_AZIMUTH], RW_QUANTITY_ANGLE_DEG, &point->azimuth_deg));
    RW_TRY(rw_csv_optional_number(csv, row, columns[COLUMN_TILT], RW_QUANTITY_ANGLE_DEG, &point->tilt_deg));
    RW_TRY(rw_csv_optional_number(csv, row, columns[COLUMN_ROLL], RW_QUANTITY_ANGLE_DEG, &point->roll_deg));
    const char *name =
        columns[COLUMN_ANTENNA] != RW_CSV_NO_COLUMN ? rw_csv_string(csv, row, columns[COLUMN_ANTENNA]) : "";
    const char *slant =
        columns[COLUMN_POLARISATION] != RW_CSV_NO_COLUMN ? rw_csv_string(csv, row, columns[COLUMN_POLARISATION]) : "";
    rw_status status = *slant ? rw_polarisation_parse(csv->context, slant, &point->slant_deg, &dual) : RW_OK;
    if (status != RW_OK)
        return rw_fail(csv->context, status,
                       "%s, line %zu: '%.60s' is no polarisation; write vertical, horizontal or a "
                       "slant such as 45",
                       csv->path, csv->lines[row], slant);
    if (dual)
        return rw_fail(csv->context, RW_BAD_INPUT,
                       "%s, line %zu: a point has one polarisation; write it twice for both, such as with 45 and -45",
                       csv->path, csv->lines[row]);
    if (*name && !rw_antenna_is_shape(name)) {
        RW_TRY(rw_path_next_to(csv->context, csv->path, name, path));
        if (!rw_path_is_regular_file(path))
            return rw_fail(csv->context, RW_NOT_FOUND,
                           "%s, line %zu: there is no antenna '%.200s': expected isotropic, dipole, 3gpp, macro, "
                           "omni, sector:... or an MSI file next to the table",
                           csv->path, csv->lines[row], name);
        name = path;
    }
    return rw_route_store_antenna(route, name, &point->antenna);
}

static rw_status read_route_row(rw_route *route, const rw_csv *csv, size_t row, const size_t columns[COLUMN_COUNT])
{
    double at[2];
    for (int i = 0; i < 2; i++)
        RW_TRY(rw_csv_required_number(csv, row, columns[i], RW_QUANTITY_LENGTH_M, &at[i]));
    RW_TRY(rw_route_add(route, at[0], at[1]));
    rw_point *point = &route->points[route->count - 1];
    rw_motion *motion = &route->motions[route->count - 1];
    RW_TRY(rw_csv_optional_number(csv, row, columns[COLUMN_HEIGHT], RW_QUANTITY_LENGTH_M, &point->height_m));
    RW_TRY(read_time(csv, row, columns[COLUMN_TIME], &motion->time_s));
    for (size_t i = 0; i < 3; i++)
        RW_TRY(rw_csv_optional_number(csv, row, columns[COLUMN_VX + i], RW_QUANTITY_NUMBER, &motion->velocity_m_s[i]));
    return read_antenna(route, csv, row, columns, point);
}

static rw_status read_route_rows(rw_route *route, const rw_csv *csv)
{
    size_t columns[COLUMN_COUNT];
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        columns[i] = csv->has_header                  ? rw_csv_find(csv, names[i])
                     : i < csv->column_count && i < 3 ? i
                                                      : RW_CSV_NO_COLUMN;
    for (size_t i = 0; i < 2; i++)
        if (columns[i] == RW_CSV_NO_COLUMN)
            return rw_fail(csv->context, RW_BAD_INPUT, "%s: no column for %s; points need x and y, or lon and lat",
                           csv->path, i ? "y" : "x");
    route->is_degrees = csv->has_header && columns[0] == rw_csv_find(csv, RW_LONGITUDE_NAMES) &&
                        columns[1] == rw_csv_find(csv, RW_LATITUDE_NAMES);
    route->has_velocity = columns[COLUMN_VX] != RW_CSV_NO_COLUMN && columns[COLUMN_VY] != RW_CSV_NO_COLUMN;
    for (size_t row = 0; row < csv->row_count; row++)
        RW_TRY(read_route_row(route, csv, row, columns));
    return RW_OK;
}

rw_status rw_route_read_csv(rw_route *route)
{
    rw_csv csv;
    RW_TRY(rw_csv_read_loose(route->context, route->path, &csv));
    rw_status status = read_route_rows(route, &csv);
    rw_csv_free(&csv);
    return status;
}
