/* MSI/Planet antenna files: lines of a keyword and its value, then two tables of angle and attenuation.
 *
 *   NAME, FREQUENCY (MHz), GAIN (dBd unless it says dBi), ELECTRICAL_TILT, COMMENT ... ; HORIZONTAL n ; VERTICAL n
 *
 * Angles of the horizontal cut run clockwise from boresight seen from above; those of the vertical cut from boresight
 * down, so that an electrical downtilt shows at a small positive angle. The cuts hold the electrical tilt already. */
#include "scene/antennas/antenna.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIPOLE_GAIN_DBI 2.15 /* dBd to dBi, as data sheets round it */
#define SAMPLES_MAX 7200

typedef struct msi_reader {
    rw_context *context;
    const char *path;
    char *at;
    size_t line;
    rw_antenna *antenna;
    int has_gain;
} msi_reader;

static rw_status fail_msi(const msi_reader *reader, const char *wrong)
{
    return rw_fail(reader->context, RW_BAD_INPUT, "%s, line %zu: %s", reader->path, reader->line, wrong);
}

/* The next line that is not blank, ended with a zero; NULL at the end of the file. */
static char *read_msi_line(msi_reader *reader)
{
    while (*reader->at) {
        char *line = reader->at;
        size_t length = strcspn(line, "\n");
        reader->at += length + (line[length] == '\n');
        reader->line++;
        while (length > 0 && (unsigned char)line[length - 1] <= ' ')
            length--;
        line[length] = 0;
        line += strspn(line, " \t");
        if (*line && *line != 0x1A)
            return line;
    }
    return NULL;
}

static rw_status read_gain(msi_reader *reader, const char *string)
{
    double gain;
    size_t used = rw_parse_number(string, &gain);
    const char *unit = string + used + strspn(string + used, " \t");
    if (used == 0 || !isfinite(gain) || fabs(gain) > 100)
        return fail_msi(reader, "GAIN is not a number of dBd or dBi");
    if (strncasecmp(unit, "dBi", 3) != 0 && strncasecmp(unit, "dBd", 3) != 0 && *unit)
        return fail_msi(reader, "the unit of GAIN is neither dBd nor dBi");
    reader->antenna->peak_gain_dbi = strncasecmp(unit, "dBi", 3) == 0 ? gain : gain + DIPOLE_GAIN_DBI;
    reader->has_gain = 1;
    return RW_OK;
}

static rw_status read_cut_sample(msi_reader *reader, rw_antenna_cut *cut, size_t index)
{
    const char *line = read_msi_line(reader);
    double angle, loss;
    size_t used = line ? rw_parse_number(line, &angle) : 0;
    size_t more = used ? rw_parse_number(line + used, &loss) : 0;
    if (more == 0)
        return fail_msi(
            reader, "expected an angle and an attenuation in dB; the table ends before the count in its first line");
    if (!(angle >= 0 && angle <= 360) || (index > 0 && angle <= cut->angle_deg[index - 1]))
        return fail_msi(reader, "the angles of a table must rise from 0 to 360 degrees");
    if (!(fabs(loss) <= 300))
        return fail_msi(reader, "an attenuation must be a number of dB");
    cut->angle_deg[index] = angle;
    cut->loss_db[index] = loss;
    return RW_OK;
}

/* Some files write attenuation as negative gain; a cut with no positive value is one of those. */
static void fix_sign(rw_antenna_cut *cut)
{
    for (size_t i = 0; i < cut->count; i++)
        if (cut->loss_db[i] > 0)
            return;
    for (size_t i = 0; i < cut->count; i++)
        cut->loss_db[i] = -cut->loss_db[i];
}

static rw_status read_cut(msi_reader *reader, const char *string, rw_antenna_cut *cut)
{
    double count;
    if (cut->count)
        return fail_msi(reader, "a second table of the same cut");
    if (rw_parse_number(string, &count) == 0 || !(count >= 2 && count <= SAMPLES_MAX) || count != floor(count))
        return fail_msi(reader, "HORIZONTAL and VERTICAL need the number of their lines, 2 to 7200; usual is 360");
    size_t samples = (size_t)count;
    RW_TRY(rw_array_create(reader->context, samples, sizeof(double), "an antenna cut", &cut->angle_deg));
    RW_TRY(rw_array_create(reader->context, samples, sizeof(double), "an antenna cut", &cut->loss_db));
    RW_TRY(rw_array_create(reader->context, samples, sizeof(double), "an antenna cut", &cut->slope_db_per_deg));
    for (size_t i = 0; i < samples; i++)
        RW_TRY(read_cut_sample(reader, cut, i));
    int repeats_first = cut->angle_deg[samples - 1] - 360 >= cut->angle_deg[0];
    cut->count = samples - (repeats_first ? 1 : 0);
    fix_sign(cut);
    rw_antenna_cut_smooth(cut);
    return RW_OK;
}

static rw_status read_keyword(msi_reader *reader, char *line)
{
    size_t length = strcspn(line, " \t");
    char *value = line + length + strspn(line + length, " \t");
    line[length] = 0;
    rw_antenna *antenna = reader->antenna;
    if (strcasecmp(line, "NAME") == 0)
        return rw_string_replace(reader->context, value, &antenna->name);
    if (strcasecmp(line, "GAIN") == 0)
        return read_gain(reader, value);
    else if (strcasecmp(line, "HORIZONTAL") == 0)
        return read_cut(reader, value, &antenna->horizontal);
    else if (strcasecmp(line, "VERTICAL") == 0)
        return read_cut(reader, value, &antenna->vertical);
    else if (strcasecmp(line, "FREQUENCY") == 0) {
        double megahertz;
        if (rw_parse_number(value, &megahertz) > 0 && megahertz > 0 && megahertz < 1e9)
            antenna->freq_hz = megahertz * 1e6;
    } else if (strcasecmp(line, "ELECTRICAL_TILT") == 0 || strcasecmp(line, "TILT") == 0) {
        double tilt_deg;
        if (strncasecmp(value, "ELECTRICAL", 10) == 0)
            value += 10 + strspn(value + 10, " \t");
        if (rw_parse_number(value, &tilt_deg) > 0 && fabs(tilt_deg) <= 90)
            antenna->electrical_tilt_deg = tilt_deg;
    }
    return RW_OK;
}

static double find_deepest_loss(const rw_antenna_cut *cut, double so_far_db)
{
    for (size_t i = 0; i < cut->count; i++)
        so_far_db = fmax(so_far_db, cut->loss_db[i]);
    return so_far_db;
}

static rw_status read_msi_lines(msi_reader *reader)
{
    rw_antenna *antenna = reader->antenna;
    for (char *line = read_msi_line(reader); line; line = read_msi_line(reader))
        RW_TRY(read_keyword(reader, line));
    const char *missing = !reader->has_gain                ? "GAIN"
                          : antenna->horizontal.count == 0 ? "HORIZONTAL"
                          : antenna->vertical.count == 0   ? "VERTICAL"
                                                           : NULL;
    if (missing)
        return rw_fail(reader->context, RW_BAD_INPUT, "%s is not an MSI antenna file: it has no line %s", reader->path,
                       missing);
    antenna->kind = RW_ANTENNA_CUTS;
    antenna->deepest_loss_db = find_deepest_loss(&antenna->vertical, find_deepest_loss(&antenna->horizontal, 0));
    return RW_OK;
}

rw_status rw_antenna_read_msi(rw_context *context, const char *path, rw_antenna *antenna)
{
    char *bytes;
    size_t size;
    RW_TRY(rw_file_read(context, path, &bytes, &size));
    msi_reader reader = {.context = context, .path = path, .at = bytes, .antenna = antenna};
    rw_status status = rw_string_replace(context, path, &antenna->name);
    antenna->electrical_tilt_deg = NAN;
    if (status == RW_OK)
        status = read_msi_lines(&reader);
    free(bytes);
    return status;
}
