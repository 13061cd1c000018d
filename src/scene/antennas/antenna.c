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
} known[] = {{"isotropic", RW_ANTENNA_ISOTROPIC, 0},
             {"dipole", RW_ANTENNA_DIPOLE, DIPOLE_PEAK_DBI},
             {"3gpp", RW_ANTENNA_3GPP, 8}};

static rw_status fill(rw_context *context, const char *description, rw_antenna *antenna)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(description, known[i].name) == 0) {
            antenna->kind = known[i].kind;
            antenna->peak_gain_dbi = known[i].peak_gain_dbi;
            return rw_text_keep(context, description, &antenna->name);
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
    rw_antenna *made;
    if (!description || !*description)
        return rw_fail(context, RW_BAD_CALL, "an antenna has no name: expected isotropic, dipole, 3gpp or an MSI file");
    RW_TRY(rw_array_create(context, 1, sizeof *made, "an antenna", &made));
    rw_status status = fill(context, description, made);
    if (status != RW_OK) {
        rw_antenna_destroy(made);
        return status;
    }
    *antenna = made;
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

/* E = cos(pi/2 cos theta) / sin theta */
static double dipole_loss_db(double theta_deg)
{
    double theta = theta_deg * RADIANS, sine = fabs(sin(theta));
    if (sine < 1e-9)
        return INFINITY;
    double field = fabs(cos(0.5 * PI * cos(theta))) / sine;
    return -20 * log10(field);
}

/* 3GPP TR 38.901 table 7.3-1: 65 degrees at 3 dB in both planes, 30 dB at most. */
static double sector_loss_db(double theta_deg, double phi_deg)
{
    double vertical = fmin(12 * pow((theta_deg - 90) / 65, 2), 30);
    double horizontal = fmin(12 * pow(phi_deg / 65, 2), 30);
    return fmin(vertical + horizontal, 30);
}

/* A Coons patch over each quarter of the sphere, in decibels: the front and back halves of the vertical cut, blended
 * over azimuth, plus what the horizontal cut has beyond such a blend, fading towards the poles. Exact on the vertical
 * cut, and on the horizontal one where the two agree where they cross; smooth, and with one value at each pole. */
static double loss_between_cuts_db(const rw_antenna *antenna, double theta_deg, double phi_deg)
{
    double below_deg = theta_deg - 90;
    double back = 0.5 * (1 - cos(phi_deg * RADIANS)), level = sin(theta_deg * RADIANS);
    double front_loss = rw_antenna_cut_loss_db(&antenna->vertical, below_deg);
    double back_loss = rw_antenna_cut_loss_db(&antenna->vertical, 180 - below_deg);
    double beyond = rw_antenna_cut_loss_db(&antenna->horizontal, -phi_deg) -
                    (1 - back) * rw_antenna_cut_loss_db(&antenna->horizontal, 0) -
                    back * rw_antenna_cut_loss_db(&antenna->horizontal, 180);
    double loss = (1 - back) * front_loss + back * back_loss + level * beyond;
    return fmin(fmax(loss, 0), antenna->deepest_loss_db);
}

/* theta to [0, 180] and phi to [-180, 180]: over the pole is on the other side. */
static void normalise(double *theta_deg, double *phi_deg)
{
    double theta = *theta_deg - 360 * floor(*theta_deg / 360), phi = *phi_deg;
    if (theta > 180) {
        theta = 360 - theta;
        phi += 180;
    }
    *theta_deg = theta;
    *phi_deg = phi - 360 * floor((phi + 180) / 360);
}

double rw_antenna_gain_dbi(const rw_antenna *antenna, double theta_deg, double phi_deg)
{
    double loss_db = 0;
    normalise(&theta_deg, &phi_deg);
    switch (antenna->kind) {
    case RW_ANTENNA_ISOTROPIC:
        break;
    case RW_ANTENNA_DIPOLE:
        loss_db = dipole_loss_db(theta_deg);
        break;
    case RW_ANTENNA_3GPP:
        loss_db = sector_loss_db(theta_deg, phi_deg);
        break;
    case RW_ANTENNA_CUTS:
        loss_db = loss_between_cuts_db(antenna, theta_deg, phi_deg);
        break;
    }
    double gain_dbi = antenna->peak_gain_dbi - loss_db;
    return gain_dbi < RW_ANTENNA_NULL_DBI ? RW_ANTENNA_NULL_DBI : gain_dbi;
}

double rw_antenna_gain_towards(const rw_antenna *antenna, double azimuth_deg, double downtilt_deg, double roll_deg,
                               rw_vec3 direction)
{
    double azimuth = azimuth_deg * RADIANS, tilt = downtilt_deg * RADIANS, roll = roll_deg * RADIANS;
    rw_vec3 level = rw_vec3_make(sin(azimuth), cos(azimuth), 0);
    rw_vec3 level_left = rw_vec3_make(-cos(azimuth), sin(azimuth), 0);
    rw_vec3 zenith = rw_vec3_make(0, 0, 1);
    rw_vec3 boresight = rw_vec3_sub(rw_vec3_scale(level, cos(tilt)), rw_vec3_scale(zenith, sin(tilt)));
    rw_vec3 tilted_up = rw_vec3_add(rw_vec3_scale(zenith, cos(tilt)), rw_vec3_scale(level, sin(tilt)));
    rw_vec3 up = rw_vec3_sub(rw_vec3_scale(tilted_up, cos(roll)), rw_vec3_scale(level_left, sin(roll)));
    rw_vec3 left = rw_vec3_add(rw_vec3_scale(level_left, cos(roll)), rw_vec3_scale(tilted_up, sin(roll)));
    double forward = rw_vec3_dot(direction, boresight), aside = rw_vec3_dot(direction, left);
    double above = rw_vec3_dot(direction, up);
    double theta_deg = atan2(hypot(forward, aside), above) / RADIANS;
    return rw_antenna_gain_dbi(antenna, theta_deg, atan2(aside, forward) / RADIANS);
}
