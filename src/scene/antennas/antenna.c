/* Antennas by name or file, and their gain over the sphere.
 *
 * dipole: half a wavelength, vertical, in closed form (Balanis, Antenna Theory, section 4.6). 3gpp: one element after
 * 3GPP TR 38.901 table 7.3-1. Files give two cuts only; between them the pattern is blended as loss_between_cuts_db
 * says. */
#include "scene/antennas/antenna.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define RADIANS (PI / 180)
#define DIPOLE_PEAK_DBI 2.150909 /* 10 log10 of 4 / Cin(2 pi) */

static const struct {
    const char *name;
    rw_antenna_kind kind;
    double peak_gain_dbi;
} shapes[] = {{"isotropic", RW_ANTENNA_ISOTROPIC, 0},
              {"dipole", RW_ANTENNA_DIPOLE, DIPOLE_PEAK_DBI},
              {"3gpp", RW_ANTENNA_3GPP, 8}};

int rw_antenna_is_shape(const char *name)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(name, shapes[i].name) == 0)
            return 1;
    return 0;
}

static rw_status load_antenna_pattern(rw_context *context, const char *description, rw_antenna *antenna)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(description, shapes[i].name) == 0) {
            antenna->kind = shapes[i].kind;
            antenna->peak_gain_dbi = shapes[i].peak_gain_dbi;
            return rw_string_replace(context, description, &antenna->name);
        }
    rw_status status = rw_antenna_read_msi(context, description, antenna);
    if (status == RW_NOT_FOUND)
        return rw_fail(context, status, "there is no antenna '%.400s': expected isotropic, dipole, 3gpp or an MSI file",
                       description);
    return status;
}

rw_status rw_antenna_create(rw_context *context, const char *description, rw_antenna **antenna)
{
    *antenna = NULL;
    rw_antenna *new_antenna;
    if (!description || !*description)
        return rw_fail(context, RW_BAD_CALL, "an antenna has no name: expected isotropic, dipole, 3gpp or an MSI file");
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
