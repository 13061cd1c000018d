/* Path loss from distance, heights and frequency alone: what a city does on average, without a map.
 *
 * From a link (distance along the ground, heights above it, frequency) to decibels, after
 *   COST 231 final report (1999), section 4.4.1: Walfisch-Ikegami and the COST 231 extension of Hata's formula
 *   3GPP TR 38.901 V17, table 7.4.1-1: UMi street canyon and UMa
 *   ITU-R P.1411-12, sections 4.1.1 and 4.2.1: site-general, below and above rooftops
 * Medians: no shadowing is added. Each formula is followed beyond the range it was fitted for as far as that is
 * harmless (logarithms of distance and frequency continue, terms that would grow without limit are held at the end of
 * their range) and below its least distance the loss falls as in free space, so that every finite positive input has a
 * finite value. The ranges are in field/calc/calc_site_general.c, which warns outside them. */
#ifndef RW_FIELD_PATHS_SITE_GENERAL_K_H
#define RW_FIELD_PATHS_SITE_GENERAL_K_H

#include "base/maths/elementary.h"

/* One end on a mast, the other carried about. */
typedef struct rw_site_link {
    double distance_m; /* along the ground */
    double base_height_m, mobile_height_m;
    double freq_hz;
} rw_site_link;

/* The houses, as Walfisch-Ikegami sees them. */
typedef struct rw_site_buildings {
    double mean_roof_m;
    double street_width_m, building_spacing_m;
    double street_angle_deg; /* between the street of the mobile and the direct line, 0 to 90 */
    int metropolitan;        /* otherwise a medium-sized city or suburb */
} rw_site_buildings;

/* Value within [low, high]; low for what is no number. */
RW_FN double rw_site_within(double value, double low, double high)
{
    if (!(value > low))
        return low;
    return value < high ? value : high;
}

/* A link whose numbers logarithms and squares can take. */
RW_FN rw_site_link rw_site_link_of(double distance_m, double base_height_m, double mobile_height_m, double freq_hz)
{
    rw_site_link link;
    link.distance_m = rw_site_within(distance_m, 0.1, 1e7);
    link.base_height_m = rw_site_within(base_height_m, 0.5, 1e4);
    link.mobile_height_m = rw_site_within(mobile_height_m, 0.5, 1e4);
    link.freq_hz = rw_site_within(freq_hz, 1e6, 1e13);
    return link;
}

RW_FN double rw_site_distance_3d_m(rw_site_link link)
{
    double rise_m = link.base_height_m - link.mobile_height_m;
    return sqrt(link.distance_m * link.distance_m + rise_m * rise_m);
}

/* 20 log(4 pi d f / c) over the straight line. */
RW_FN double rw_site_free_space_db(rw_site_link link)
{
    return 20.0 * log10(4.0 * RW_PI * rw_site_distance_3d_m(link) * link.freq_hz / RW_SPEED_OF_LIGHT_M_S);
}

/* The link at its formula's least distance, if it is shorter. */
RW_FN rw_site_link rw_site_not_nearer(rw_site_link link, double min_m)
{
    link.distance_m = link.distance_m > min_m ? link.distance_m : min_m;
    return link;
}

/* The loss of a link from that of the same link not nearer than the least distance: less by what free space says. */
RW_FN double rw_site_extrapolate_near_db(double loss_db, rw_site_link far, rw_site_link link)
{
    if (!(link.distance_m < far.distance_m))
        return loss_db;
    return loss_db + rw_site_free_space_db(link) - rw_site_free_space_db(far);
}

/* ------------------------------------------------------------------------ Walfisch-Ikegami */

#define RW_WALFISCH_IKEGAMI_MIN_M 20.0

/* COST 231, eq. (4.4.5): along a street canyon. */
RW_FN double rw_walfisch_ikegami_los_db(rw_site_link link)
{
    rw_site_link far = rw_site_not_nearer(link, RW_WALFISCH_IKEGAMI_MIN_M);
    double loss_db = 42.6 + 26.0 * log10(far.distance_m * 1e-3) + 20.0 * log10(far.freq_hz * 1e-6);
    return rw_site_extrapolate_near_db(loss_db, far, link);
}

/* COST 231, eq. (4.4.9): what the direction of the street adds. */
RW_FN double rw_walfisch_ikegami_orientation_db(double street_angle_deg)
{
    double angle = rw_site_within(street_angle_deg, 0.0, 90.0);
    if (angle < 35.0)
        return -10.0 + 0.354 * angle;
    return angle < 55.0 ? 2.5 + 0.075 * (angle - 35.0) : 4.0 - 0.114 * (angle - 55.0);
}

/* COST 231, eq. (4.4.8): from the last roof down to the street. A mobile at the roofs counts as half a metre below. */
RW_FN double rw_walfisch_ikegami_roof_to_street_db(rw_site_link link, rw_site_buildings buildings)
{
    double below_m = rw_site_within(buildings.mean_roof_m - link.mobile_height_m, 0.5, 1e4);
    return -16.9 - 10.0 * log10(rw_site_within(buildings.street_width_m, 1.0, 1e4)) +
           10.0 * log10(link.freq_hz * 1e-6) + 20.0 * log10(below_m) +
           rw_walfisch_ikegami_orientation_db(buildings.street_angle_deg);
}

/* COST 231, eq. (4.4.12) to (4.4.17): over many roofs. The frequency in k_f is held to 800 to 2000 MHz: the term is
 * linear in frequency and would otherwise outgrow all others. */
RW_FN double rw_walfisch_ikegami_screens_db(rw_site_link link, rw_site_buildings buildings)
{
    double roof_m = rw_site_within(buildings.mean_roof_m, 1.0, 1e4), above_m = link.base_height_m - roof_m;
    double distance_km = link.distance_m * 1e-3, held_mhz = rw_site_within(link.freq_hz * 1e-6, 800.0, 2000.0);
    double base_db = 0.0, near_far = 54.0, per_distance = 18.0;
    if (above_m > 0.0) {
        base_db = -18.0 * log10(1.0 + above_m);
    } else {
        near_far -= 0.8 * above_m * (distance_km < 0.5 ? distance_km / 0.5 : 1.0);
        per_distance -= 15.0 * above_m / roof_m;
    }
    double per_freq = -4.0 + (buildings.metropolitan ? 1.5 : 0.7) * (held_mhz / 925.0 - 1.0);
    return base_db + near_far + per_distance * log10(distance_km) + per_freq * log10(link.freq_hz * 1e-6) -
           9.0 * log10(rw_site_within(buildings.building_spacing_m, 1.0, 1e4));
}

/* COST 231, eq. (4.4.6): out of sight. Valid for 800 to 2000 MHz, mast 4 to 50 m, mobile 1 to 3 m, 20 m to 5 km. */
RW_FN double rw_walfisch_ikegami_nlos_db(rw_site_link link, rw_site_buildings buildings)
{
    rw_site_link far = rw_site_not_nearer(link, RW_WALFISCH_IKEGAMI_MIN_M);
    double free_db = 32.4 + 20.0 * log10(far.distance_m * 1e-3) + 20.0 * log10(far.freq_hz * 1e-6);
    double buildings_db =
        rw_walfisch_ikegami_roof_to_street_db(far, buildings) + rw_walfisch_ikegami_screens_db(far, buildings);
    return rw_site_extrapolate_near_db(buildings_db > 0.0 ? free_db + buildings_db : free_db, far, link);
}

/* -------------------------------------------------------------------------------- COST-Hata */

/* COST 231, eq. (4.4.3). Valid for 1500 to 2000 MHz, mast 30 to 200 m above all roofs, mobile 1 to 10 m, 1 to 20 km;
 * outside them never less than free space. */
RW_FN double rw_cost_hata_db(rw_site_link link, int metropolitan)
{
    double freq = log10(link.freq_hz * 1e-6), base = log10(rw_site_within(link.base_height_m, 1.0, 200.0));
    double mobile_m = rw_site_within(link.mobile_height_m, 1.0, 10.0);
    double mobile_db = (1.1 * freq - 0.7) * mobile_m - (1.56 * freq - 0.8);
    double loss_db = 46.3 + 33.9 * freq - 13.82 * base - mobile_db +
                     (44.9 - 6.55 * base) * log10(link.distance_m * 1e-3) + (metropolitan ? 3.0 : 0.0);
    double free_db = rw_site_free_space_db(link);
    return loss_db > free_db ? loss_db : free_db;
}

/* --------------------------------------------------------------------------- 3GPP TR 38.901 */

#define RW_3GPP_MIN_M 10.0

/* The height of a mobile in the formulas, 1.5 to 22.5 m. */
RW_FN double rw_3gpp_mobile_m(rw_site_link link)
{
    return rw_site_within(link.mobile_height_m, 1.5, 22.5);
}

/* Note 1: 4 h'_BS h'_UT f / c with an effective environment 1 m high, which is certain for mobiles below 13 m. */
RW_FN double rw_3gpp_breakpoint_m(rw_site_link link)
{
    double base_m = rw_site_within(link.base_height_m - 1.0, 0.5, 1e4), mobile_m = rw_3gpp_mobile_m(link) - 1.0;
    return 4.0 * base_m * mobile_m * link.freq_hz / RW_SPEED_OF_LIGHT_M_S;
}

/* PL1 = first + slope log d up to the breakpoint; PL2 falls with the fourth power from there on. */
RW_FN double rw_3gpp_two_slopes_db(rw_site_link link, double first_db, double slope_db)
{
    double freq_db = 20.0 * log10(link.freq_hz * 1e-9), along = log10(rw_site_distance_3d_m(link));
    rw_site_link break_link = link;
    break_link.distance_m = rw_3gpp_breakpoint_m(link);
    if (link.distance_m <= break_link.distance_m)
        return first_db + slope_db * along + freq_db;
    return first_db + 40.0 * along + freq_db - (40.0 - slope_db) * log10(rw_site_distance_3d_m(break_link));
}

RW_FN double rw_3gpp_umi_los_db(rw_site_link link)
{
    rw_site_link far = rw_site_not_nearer(link, RW_3GPP_MIN_M);
    return rw_site_extrapolate_near_db(rw_3gpp_two_slopes_db(far, 32.4, 21.0), far, link);
}

/* UMi street canyon, mast at about 10 m; 0.5 to 100 GHz, 10 m to 5 km. */
RW_FN double rw_3gpp_umi_nlos_db(rw_site_link link)
{
    rw_site_link far = rw_site_not_nearer(link, RW_3GPP_MIN_M);
    double los_db = rw_3gpp_two_slopes_db(far, 32.4, 21.0);
    double loss_db = 22.4 + 35.3 * log10(rw_site_distance_3d_m(far)) + 21.3 * log10(far.freq_hz * 1e-9) -
                     0.3 * (rw_3gpp_mobile_m(far) - 1.5);
    return rw_site_extrapolate_near_db(loss_db > los_db ? loss_db : los_db, far, link);
}

RW_FN double rw_3gpp_uma_los_db(rw_site_link link)
{
    rw_site_link far = rw_site_not_nearer(link, RW_3GPP_MIN_M);
    return rw_site_extrapolate_near_db(rw_3gpp_two_slopes_db(far, 28.0, 22.0), far, link);
}

/* UMa, mast at about 25 m; 0.5 to 100 GHz, 10 m to 5 km. */
RW_FN double rw_3gpp_uma_nlos_db(rw_site_link link)
{
    rw_site_link far = rw_site_not_nearer(link, RW_3GPP_MIN_M);
    double los_db = rw_3gpp_two_slopes_db(far, 28.0, 22.0);
    double loss_db = 13.54 + 39.08 * log10(rw_site_distance_3d_m(far)) + 20.0 * log10(far.freq_hz * 1e-9) -
                     0.6 * (rw_3gpp_mobile_m(far) - 1.5);
    return rw_site_extrapolate_near_db(loss_db > los_db ? loss_db : los_db, far, link);
}

/* ---------------------------------------------------------------------------- ITU-R P.1411 */

typedef enum rw_p1411_environment {
    RW_P1411_HIGH_RISE,   /* both ends below rooftops: table 4, 0.8 to 82 GHz, 30 to 715 m */
    RW_P1411_LOW_RISE,    /* likewise, low-rise or suburban: 10 to 73 GHz, 30 to 250 m */
    RW_P1411_RESIDENTIAL, /* likewise: 0.8 to 73 GHz, 30 to 170 m */
    RW_P1411_ABOVE_ROOFS  /* one end above rooftops: table 8, 2.2 to 66.5 GHz, 260 to 1200 m */
} rw_p1411_environment;

/* Eq. (1): 10 alpha log d + beta + 10 gamma log f. */
RW_FN double rw_p1411_median_db(rw_site_link link, double alpha, double beta, double gamma)
{
    return 10.0 * alpha * log10(rw_site_distance_3d_m(link)) + beta + 10.0 * gamma * log10(link.freq_hz * 1e-9);
}

/* In sight: tables 4 and 8, the same for all kinds of city; 5 and 55 m to 660 and 1200 m. */
RW_FN double rw_p1411_los_db(rw_site_link link, int above_roofs)
{
    rw_site_link far = rw_site_not_nearer(link, above_roofs ? 55.0 : 5.0);
    double loss_db =
        above_roofs ? rw_p1411_median_db(far, 2.29, 28.6, 1.96) : rw_p1411_median_db(far, 2.12, 29.2, 2.11);
    return rw_site_extrapolate_near_db(loss_db, far, link);
}

/* Out of sight. The lines are steep and were fitted far from the mast: near it never less than free space. */
RW_FN double rw_p1411_nlos_db(rw_site_link link, rw_p1411_environment environment)
{
    double free_db = rw_site_free_space_db(link), loss_db;
    if (environment == RW_P1411_ABOVE_ROOFS)
        loss_db = rw_p1411_median_db(link, 4.39, -6.27, 2.30);
    else if (environment == RW_P1411_LOW_RISE)
        loss_db = rw_p1411_median_db(link, 5.06, -4.68, 2.02);
    else if (environment == RW_P1411_RESIDENTIAL)
        loss_db = rw_p1411_median_db(link, 3.01, 18.8, 2.07);
    else
        loss_db = rw_p1411_median_db(link, 4.00, 10.2, 2.36);
    return loss_db > free_db ? loss_db : free_db;
}

/* ------------------------------------------------------------------ one formula for all masts */

/* 0 is left to callers for "none". */
typedef enum rw_site_general_kind { RW_SITE_GENERAL_3GPP = 1, RW_SITE_GENERAL_P1411 = 2 } rw_site_general_kind;

/* Half of the heights over which a mast changes from below the roofs to above them. */
#define RW_SITE_GENERAL_CHANGE_M 5.0

/* 0 for a mast well below the mean roof, 1 well above; smooth between (3 s^2 - 2 s^3). */
RW_FN double rw_site_above_roofs_fraction(double base_height_m, double mean_roof_m)
{
    double fraction = rw_site_within(0.5 + (base_height_m - mean_roof_m) / (2.0 * RW_SITE_GENERAL_CHANGE_M), 0.0, 1.0);
    return fraction * fraction * (3.0 - 2.0 * fraction);
}

/* Median loss out of sight in a city: 3GPP UMi for masts below the mean roof and UMa above, or ITU-R P.1411 (urban
 * high-rise, the one kind of city with values below 10 GHz for both) likewise. */
RW_FN double rw_site_general_nlos_db(int kind, double distance_m, double base_height_m, double mobile_height_m,
                                     double mean_roof_m, double freq_hz)
{
    rw_site_link link = rw_site_link_of(distance_m, base_height_m, mobile_height_m, freq_hz);
    double above = rw_site_above_roofs_fraction(base_height_m, mean_roof_m), below_db = 0.0, above_db = 0.0;
    if (above < 1.0)
        below_db =
            kind == RW_SITE_GENERAL_P1411 ? rw_p1411_nlos_db(link, RW_P1411_HIGH_RISE) : rw_3gpp_umi_nlos_db(link);
    if (above > 0.0)
        above_db =
            kind == RW_SITE_GENERAL_P1411 ? rw_p1411_nlos_db(link, RW_P1411_ABOVE_ROOFS) : rw_3gpp_uma_nlos_db(link);
    return (1.0 - above) * below_db + above * above_db;
}

#endif
