/* Antennas by name or file, and their gain over the sphere.
 *
 * dipole: half a wavelength, vertical, in closed form (Balanis, Antenna Theory, section 4.6). 3gpp: one element after
 * 3GPP TR 38.901 table 7.3-1. macro, omni, sector: antenna_sector.c. Files give two cuts only; between them the pattern
 * is blended as loss_between_cuts_db says. */
#include "scene/antennas/antenna.h"

#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define RADIANS (PI / 180)
#define DIPOLE_PEAK_DBI 2.150909 /* 10 log10 of 4 / Cin(2 pi) */

static const struct {
    const char *name;
    rw_antenna_kind kind;
    double peak_gain_dbi, deepest_loss_db;
    rw_sector_widths sector;
} shapes[] = {{.name = "isotropic", .kind = RW_ANTENNA_ISOTROPIC},
              {.name = "dipole", .kind = RW_ANTENNA_DIPOLE, .peak_gain_dbi = DIPOLE_PEAK_DBI},
              {.name = "3gpp",
               .kind = RW_ANTENNA_SECTOR,
               .peak_gain_dbi = 8,
               .deepest_loss_db = 30,
               .sector = {.horizontal_deg = 65, .vertical_deg = 65}}};

#define EXPECTED_ANTENNAS "isotropic, dipole, 3gpp, macro, omni, sector:gain=G:horizontal=W or an MSI file"

int rw_antenna_is_shape(const char *name)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(name, shapes[i].name) == 0)
            return 1;
    return rw_antenna_is_sector(name);
}

int rw_antenna_has_azimuth(const char *name)
{
    return strcmp(name, "isotropic") != 0 && strcmp(name, "dipole") != 0 && strcmp(name, "omni") != 0 &&
           strncmp(name, "omni:", 5) != 0;
}

static rw_status load_antenna_pattern(rw_context *context, const char *description, rw_antenna *antenna)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(description, shapes[i].name) == 0) {
            antenna->kind = shapes[i].kind;
            antenna->peak_gain_dbi = shapes[i].peak_gain_dbi;
            antenna->deepest_loss_db = shapes[i].deepest_loss_db;
            antenna->sector = shapes[i].sector;
            return rw_string_replace(context, description, &antenna->name);
        }
    if (rw_antenna_is_sector(description))
        return rw_antenna_read_sector(context, description, antenna);
    rw_status status = rw_antenna_read_msi(context, description, antenna);
    if (status == RW_NOT_FOUND)
        return rw_fail(context, status, "there is no antenna '%.400s': expected " EXPECTED_ANTENNAS, description);
    return status;
}

rw_status rw_antenna_create(rw_context *context, const char *description, rw_antenna **antenna)
{
    *antenna = NULL;
    rw_antenna *new_antenna;
    if (!description || !*description)
        return rw_fail(context, RW_BAD_CALL, "an antenna has no name: expected " EXPECTED_ANTENNAS);
    RW_TRY(rw_array_create(context, 1, sizeof *new_antenna, "an antenna", &new_antenna));
    rw_status status = load_antenna_pattern(context, description, new_antenna);
    if (status != RW_OK) {
        rw_antenna_destroy(new_antenna);
        return status;
    }
    *antenna = new_antenna;
    return RW_OK;
}

static void free_cut(rw_antenna_cut *cut)
{
    free(cut->angle_deg);
    free(cut->loss_db);
    free(cut->slope_db_per_deg);
}

void rw_antenna_destroy(rw_antenna *antenna)
{
    if (!antenna)
        return;
    free_cut(&antenna->horizontal);
    free_cut(&antenna->vertical);
    free(antenna->name);
    free(antenna);
}

const char *rw_antenna_name(const rw_antenna *antenna)
{
    return antenna->name;
}

/* theta to [0, 180] and phi to [-180, 180]: over the pole is on the other side. */
static void normalise_angles(double *theta_deg, double *phi_deg)
{
    double theta = *theta_deg - 360 * floor(*theta_deg / 360), phi = *phi_deg;
    if (theta > 180) {
        theta = 360 - theta;
        phi += 180;
    }
    *theta_deg = theta;
    *phi_deg = phi - 360 * floor((phi + 180) / 360);
}

rw_antenna_shape rw_antenna_shape_of(const rw_antenna *antenna)
{
    return (rw_antenna_shape){.kind = antenna->kind,
                              .peak_gain_dbi = antenna->peak_gain_dbi,
                              .deepest_loss_db = antenna->deepest_loss_db,
                              .sector = antenna->sector,
                              .horizontal = antenna->horizontal,
                              .vertical = antenna->vertical};
}

double rw_antenna_gain_dbi(const rw_antenna *antenna, double theta_deg, double phi_deg)
{
    rw_antenna_shape pattern = rw_antenna_shape_of(antenna);
    normalise_angles(&theta_deg, &phi_deg);
    return rw_shape_gain_dbi(&pattern, theta_deg, phi_deg);
}

rw_mounting rw_mounting_of(double azimuth_deg, double downtilt_deg, double roll_deg)
{
    double azimuth = azimuth_deg * RADIANS, tilt = downtilt_deg * RADIANS, roll = roll_deg * RADIANS;
    rw_vec3 level = rw_vec3_of(sin(azimuth), cos(azimuth), 0);
    rw_vec3 level_left = rw_vec3_of(-cos(azimuth), sin(azimuth), 0);
    rw_vec3 zenith = rw_vec3_of(0, 0, 1);
    rw_vec3 tilted_up = rw_vec3_add(rw_vec3_scale(zenith, cos(tilt)), rw_vec3_scale(level, sin(tilt)));
    return (rw_mounting){.boresight = rw_vec3_sub(rw_vec3_scale(level, cos(tilt)), rw_vec3_scale(zenith, sin(tilt))),
                         .up = rw_vec3_sub(rw_vec3_scale(tilted_up, cos(roll)), rw_vec3_scale(level_left, sin(roll))),
                         .left =
                             rw_vec3_add(rw_vec3_scale(level_left, cos(roll)), rw_vec3_scale(tilted_up, sin(roll)))};
}

double rw_antenna_gain_towards(const rw_antenna *antenna, double azimuth_deg, double downtilt_deg, double roll_deg,
                               rw_vec3 direction)
{
    rw_antenna_shape pattern = rw_antenna_shape_of(antenna);
    rw_mounting mounting = rw_mounting_of(azimuth_deg, downtilt_deg, roll_deg);
    return rw_shape_gain_towards(&pattern, &mounting, direction);
}

/* Transmitters of callers. */
static const rw_transmitter default_transmitter = {
    .name = "transmitter", .height_m = 10, .power_dbm = 30, .antenna = "isotropic", .channel = ""};

void rw_transmitter_init_sized(rw_transmitter *transmitter, size_t size)
{
    rw_defaults_copy(&default_transmitter, sizeof default_transmitter, transmitter, size);
}

const char *rw_transmitter_prefix(const char *name)
{
    return strncmp(name, default_transmitter.name, strlen(default_transmitter.name)) == 0 ? "" : "transmitter ";
}

static void name_all(rw_transmitter *transmitters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        transmitters[i].name = transmitters[i].name ? transmitters[i].name : "";
        transmitters[i].antenna = transmitters[i].antenna ? transmitters[i].antenna : default_transmitter.antenna;
        transmitters[i].channel = transmitters[i].channel ? transmitters[i].channel : default_transmitter.channel;
    }
}

rw_status rw_transmitter_resolve(rw_context *context, const rw_transmitter *user_transmitters, rw_transmitter *resolved)
{
    *resolved = default_transmitter;
    RW_TRY(RW_RESOLVE(context, user_transmitters, resolved));
    name_all(resolved, 1);
    return RW_OK;
}

rw_status rw_transmitters_resolve(rw_context *context, const rw_transmitter *user_transmitters, size_t count,
                                  const rw_transmitter **resolved, rw_transmitter **copy)
{
    int named = 1;
    RW_TRY(RW_RESOLVE_ARRAY(context, user_transmitters, count, &default_transmitter, resolved, copy));
    for (size_t i = 0; i < count; i++)
        named = named && (*resolved)[i].name && (*resolved)[i].antenna && (*resolved)[i].channel;
    if (named)
        return RW_OK;
    if (!*copy) {
        RW_TRY(rw_array_create(context, count, sizeof **copy, "transmitters", copy));
        memcpy(*copy, *resolved, count * sizeof **copy);
        *resolved = *copy;
    }
    name_all(*copy, count);
    return RW_OK;
}
