/* The excess over free space of an empirical median at one receiver, and how far the median is within its range.
 *
 * Outdoors, masts above the mean roof height: ITU-R P.2108-1 section 3.2, clutter at the lower end of a terrestrial
 * path, median (0.5 to 67 GHz; also used below 250 m); lower masts: 3GPP TR 38.901 UMi street canyon outside line of
 * sight (0.5 to 100 GHz, up to 5 km, towards which it fades from 4 km on), or by name ITU-R P.1411-12 for both; smooth
 * between them over 5 m about the mean roof height. The higher end decides. P.2108 is about what is less than 10 m
 * above ground: d' = min(d, 2.65 l) with l the length of the direct line below that height; 2.65 l = d for a mast of 24
 * m. A receiver at roof height is not in clutter: the median fades out from half of it on. The lower end likewise, for
 * P.2108 from 5 m to 10 m. In floor plans: ITU-R P.1238, N = 30, with its loss of floors. */
#ifndef RW_MECHANISMS_PRIOR_MEDIAN_K_H
#define RW_MECHANISMS_PRIOR_MEDIAN_K_H

#include "discretise/built_over.k.h"
#include "field/paths/site_general.k.h"
#include "mechanisms/compose.k.h"
#include "visibility/los/sight.k.h"

/* Storeys of a floor plan that count as floors between two ends. */
#define RW_PRIOR_FLOORS_MAX 16

/* The rule of composition and what its empirical median needs, for one transmitter. */
typedef struct rw_prior {
    int rule;             /* rw_compose_rule */
    int kind;             /* rw_site_general_kind */
    double weight;        /* factor of w: 1 without calibration */
    double base_height_m; /* of the transmitter above ground */
    double mean_roof_m;
    double freq_hz;
    double slope;                  /* rw_compose_slope */
    rw_built_over_view built_over; /* on the backend */
    int floor_count;               /* altitudes of floors above the lowest */
    float floors_m[RW_PRIOR_FLOORS_MAX];
} rw_prior;

typedef struct rw_median {
    double excess_db; /* at least 0 */
    double available; /* 0 to 1 */
} rw_median;

#define RW_P2108_CLUTTER_M 10.0
#define RW_P2108_LINE_FACTOR 2.65
#define RW_MEDIAN_FADES_M 4000.0 /* the medians below roofs */
#define RW_MEDIAN_ENDS_M 5000.0

/* ITU-R P.2108-1, eq. (3) to (5): median clutter loss of a path of a length in km, f in GHz. */
RW_FN double rw_p2108_clutter_db(double distance_km, double freq_ghz)
{
    double held_ghz = rw_site_within(freq_ghz, 0.5, 67.0), freq = log10(held_ghz);
    double long_db = -2.0 * log10(pow(10.0, -5.0 * freq - 12.5) + pow(10.0, -16.5));
    double short_db = 32.98 + 23.9 * log10(rw_site_within(distance_km, 1e-6, 1e6)) + 3.0 * freq;
    return -5.0 * log10(pow(10.0, -0.2 * long_db) + pow(10.0, -0.2 * short_db));
}

/* 1 up to from, 0 from to on, smooth between. */
RW_FN double rw_median_fade(double value, double from, double to)
{
    double s = rw_site_within((value - from) / (to - from), 0.0, 1.0);
    return 1.0 - s * s * (3.0 - 2.0 * s);
}

/* Length of the direct line less than 10 m above ground, of its length in plan. */
RW_FN double rw_p2108_low_length_m(double plan_m, double high_m, double low_m)
{
    if (high_m <= RW_P2108_CLUTTER_M)
        return plan_m;
    if (low_m >= RW_P2108_CLUTTER_M)
        return 0.0;
    return plan_m * (RW_P2108_CLUTTER_M - low_m) / (high_m - low_m);
}

RW_FN rw_median rw_median_outdoors(const rw_prior *prior, double plan_m, double mobile_height_m)
{
    double high_m = prior->base_height_m > mobile_height_m ? prior->base_height_m : mobile_height_m;
    double low_m = prior->base_height_m > mobile_height_m ? mobile_height_m : prior->base_height_m;
    rw_site_link link = rw_site_link_of(plan_m, high_m, low_m, prior->freq_hz);
    rw_median median = {0.0, 0.0};
    if (!(prior->mean_roof_m > 0.0))
        return median;
    double above = rw_site_above_roofs_fraction(high_m, prior->mean_roof_m), free_db = rw_site_free_space_db(link);
    double in_clutter = rw_median_fade(mobile_height_m, 0.5 * prior->mean_roof_m, prior->mean_roof_m);
    double below_part = (1.0 - above) * in_clutter * rw_median_fade(plan_m, RW_MEDIAN_FADES_M, RW_MEDIAN_ENDS_M);
    double low_end_m = prior->mean_roof_m < RW_P2108_CLUTTER_M ? prior->mean_roof_m : RW_P2108_CLUTTER_M;
    double above_part = above * in_clutter * rw_median_fade(low_m, 0.5 * low_end_m, low_end_m);
    double below_db = 0.0, above_db = 0.0;
    int p1411 = prior->kind == RW_SITE_GENERAL_P1411;
    if (below_part > 0.0)
        below_db = (p1411 ? rw_p1411_nlos_db(link, RW_P1411_HIGH_RISE) : rw_3gpp_umi_nlos_db(link)) - free_db;
    if (above_part > 0.0 && p1411) {
        above_part *= rw_median_fade(plan_m, RW_MEDIAN_FADES_M, RW_MEDIAN_ENDS_M);
        above_db = rw_p1411_nlos_db(link, RW_P1411_ABOVE_ROOFS) - free_db;
    } else if (above_part > 0.0) {
        double low_line_m = RW_P2108_LINE_FACTOR * rw_p2108_low_length_m(plan_m, high_m, low_m);
        above_db = rw_p2108_clutter_db(1e-3 * (low_line_m < plan_m ? low_line_m : plan_m), 1e-9 * prior->freq_hz);
    }
    median.available = below_part + above_part;
    if (median.available > 0.0)
        median.excess_db =
            (below_part * (below_db > 0.0 ? below_db : 0.0) + above_part * (above_db > 0.0 ? above_db : 0.0)) /
            median.available;
    return median;
}

/* ITU-R P.1238-11, eq. (1): 20 log f + N log d + L_f(n) - 28, of which free space is N = 20 and 27.55; L_f is 15 + 4 (n
 * - 1) for n floors (offices). */
RW_FN rw_median rw_median_indoors(const rw_prior *prior, double distance_m, double source_z_m, double receiver_z_m)
{
    double low_m = source_z_m < receiver_z_m ? source_z_m : receiver_z_m;
    double high_m = source_z_m < receiver_z_m ? receiver_z_m : source_z_m;
    double floors = 0.0;
    for (int i = 0; i < prior->floor_count; i++)
        floors += (double)prior->floors_m[i] > low_m && (double)prior->floors_m[i] <= high_m;
    double excess_db = 10.0 * log10(distance_m > 1.0 ? distance_m : 1.0) - 0.45;
    rw_median median = {0.0, 1.0};
    excess_db += floors > 0.0 ? 15.0 + 4.0 * (floors - 1.0) : 0.0;
    median.excess_db = excess_db > 0.0 ? excess_db : 0.0;
    return median;
}

/* Height of a point above the ground, which is at 0 without terrain. */
RW_FN double rw_height_above_ground_m(const rw_wall_grid_view *grid, rw_vec3 point)
{
    if (!grid->posts)
        return point.z;
    return point.z - (double)rw_ground_height(grid, (float)((point.x - grid->post_x0) * grid->posts_per_m_x),
                                              (float)((point.y - grid->post_y0) * grid->posts_per_m_y));
}

/* What the prior says of a receiver: free space, median, its weight; the mechanisms' losses and the rest are the
 * caller's to add. source and receiver in the frame of the grid. */
RW_FN rw_compose_input rw_prior_input(const rw_prior *prior, const rw_wall_grid_view *grid, rw_vec3 source,
                                      rw_vec3 receiver, double free_space_db)
{
    rw_compose_input in = {free_space_db, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, prior->weight, prior->slope};
    rw_median median = {0.0, 0.0};
    double dx = receiver.x - source.x, dy = receiver.y - source.y, dz = receiver.z - source.z;
    if (prior->rule == RW_COMPOSE_OUTDOOR) {
        in.built = rw_built_over_at(&prior->built_over, receiver.x, receiver.y);
        median = rw_median_outdoors(prior, sqrt(dx * dx + dy * dy), rw_height_above_ground_m(grid, receiver));
    } else if (prior->rule == RW_COMPOSE_INDOOR) {
        median = rw_median_indoors(prior, sqrt(dx * dx + dy * dy + dz * dz), source.z, receiver.z);
    }
    in.median_db = median.excess_db;
    in.available = median.available;
    return in;
}

#endif
