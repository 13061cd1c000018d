/* rw_calc_site_general: path loss from distance, heights and frequency, by name of the formula, with warnings outside
 * the ranges that the documents state. */
#include "field/calc/calc.h"

#include "base/options.h"
#include "field/paths/site_general.k.h"

#include <math.h>
#include <string.h>

typedef enum site_method { WALFISCH_IKEGAMI, COST_HATA, UMI, UMA, P1411, METHOD_COUNT } site_method;

/* Where a formula was fitted: least and most. */
typedef struct site_range {
    const char *name;
    double freq_hz[2], distance_m[2], base_m[2], mobile_m[2];
} site_range;

static const site_range ranges[METHOD_COUNT] = {
    [WALFISCH_IKEGAMI] = {"walfisch_ikegami", {800e6, 2000e6}, {20, 5000}, {4, 50}, {1, 3}},
    [COST_HATA] = {"cost_hata", {1500e6, 2000e6}, {1000, 20000}, {30, 200}, {1, 10}},
    [UMI] = {"3gpp_umi", {0.5e9, 100e9}, {10, 5000}, {1, 25}, {1.5, 22.5}},
    [UMA] = {"3gpp_uma", {0.5e9, 100e9}, {10, 5000}, {10, 200}, {1.5, 22.5}},
    [P1411] = {"p1411", {0.8e9, 82e9}, {30, 715}, {1, 200}, {0.5, 22.5}},
};

/* Table 8 of ITU-R P.1411 is for other distances and frequencies than table 4, whose kinds of city differ as well. */
static const site_range p1411_above = {"p1411", {2.2e9, 66.5e9}, {260, 1200}, {1, 200}, {0.5, 22.5}};
static const site_range p1411_low_rise = {"p1411", {10e9, 73e9}, {30, 250}, {1, 200}, {0.5, 22.5}};
static const site_range p1411_residential = {"p1411", {0.8e9, 73e9}, {30, 170}, {1, 200}, {0.5, 22.5}};

void rw_site_general_options_init_sized(rw_site_general_options *options, size_t size)
{
    const rw_site_general_options own = {.method = "walfisch_ikegami",
                                         .mobile_height_m = 1.5,
                                         .mean_roof_m = 15,
                                         .street_width_m = 20,
                                         .building_spacing_m = 40,
                                         .street_angle_deg = 90,
                                         .environment = "high-rise"};
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status find_method(rw_context *context, const char *name, site_method *method)
{
    for (int i = 0; name && i < METHOD_COUNT; i++)
        if (strcmp(name, ranges[i].name) == 0) {
            *method = (site_method)i;
            return RW_OK;
        }
    return rw_fail(context, RW_BAD_CALL,
                   "there is no formula '%.60s'; use walfisch_ikegami, cost_hata, 3gpp_umi, 3gpp_uma or p1411",
                   name ? name : "");
}

static rw_status find_p1411_environment(rw_context *context, const rw_site_general_options *options,
                                        rw_p1411_environment *environment, const site_range **range)
{
    static const struct {
        const char *name;
        rw_p1411_environment environment;
        const site_range *range;
    } kinds[] = {{"high-rise", RW_P1411_HIGH_RISE, &ranges[P1411]},
                 {"low-rise", RW_P1411_LOW_RISE, &p1411_low_rise},
                 {"residential", RW_P1411_RESIDENTIAL, &p1411_residential}};
    for (size_t i = 0; options->environment && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(options->environment, kinds[i].name) == 0) {
            int above = options->base_height_m > options->mean_roof_m;
            *environment = above ? RW_P1411_ABOVE_ROOFS : kinds[i].environment;
            *range = above ? &p1411_above : kinds[i].range;
            return RW_OK;
        }
    return rw_fail(context, RW_BAD_CALL, "there is no environment '%.60s'; use high-rise, low-rise or residential",
                   options->environment ? options->environment : "");
}

static int warn_of(rw_context *context, const site_range *range, double value, const double limits[2], double unit,
                   const char *what)
{
    if (value >= limits[0] && value <= limits[1])
        return 0;
    rw_warn(context, "%s was fitted to %g to %g %s; %g is extrapolated", range->name, limits[0] / unit,
            limits[1] / unit, what, value / unit);
    return 1;
}

static int check_ranges(rw_context *context, const site_range *range, const rw_site_general_options *options)
{
    int outside = warn_of(context, range, options->freq_hz, range->freq_hz, 1e9, "GHz");
    outside += warn_of(context, range, options->distance_m, range->distance_m, 1, "m of distance");
    outside += warn_of(context, range, options->base_height_m, range->base_m, 1, "m of mast height");
    outside += warn_of(context, range, options->mobile_height_m, range->mobile_m, 1, "m of mobile height");
    return !outside;
}

static rw_status check_lengths(rw_context *context, const rw_site_general_options *options)
{
    const struct {
        double value;
        const char *what;
    } lengths[] = {{options->distance_m, "the distance"},
                   {options->base_height_m, "the height of the mast"},
                   {options->mobile_height_m, "the mobile's height"},
                   {options->mean_roof_m, "the mean roof height"},
                   {options->street_width_m, "the street's width"},
                   {options->building_spacing_m, "the spacing"}};
    RW_TRY(rw_calc_check_freq(context, options->freq_hz));
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        RW_TRY(rw_calc_check_positive(context, lengths[i].value, lengths[i].what));
    return rw_calc_check_range(context, options->street_angle_deg, 0, 90, "the street's angle", "deg");
}

static void compute_site_losses(site_method method, const rw_site_general_options *options,
                                rw_p1411_environment environment, rw_site_general_result *result)
{
    rw_site_link link =
        rw_site_link_of(options->distance_m, options->base_height_m, options->mobile_height_m, options->freq_hz);
    rw_site_buildings buildings = {options->mean_roof_m, options->street_width_m, options->building_spacing_m,
                                   options->street_angle_deg, options->metropolitan};
    result->free_space_db = rw_site_free_space_db(link);
    if (method == WALFISCH_IKEGAMI) {
        result->los_db = rw_walfisch_ikegami_los_db(link);
        result->nlos_db = rw_walfisch_ikegami_nlos_db(link, buildings);
    } else if (method == COST_HATA) {
        result->los_db = NAN;
        result->nlos_db = rw_cost_hata_db(link, options->metropolitan);
    } else if (method == P1411) {
        result->los_db = rw_p1411_los_db(link, environment == RW_P1411_ABOVE_ROOFS);
        result->nlos_db = rw_p1411_nlos_db(link, environment);
    } else {
        result->los_db = method == UMI ? rw_3gpp_umi_los_db(link) : rw_3gpp_uma_los_db(link);
        result->nlos_db = method == UMI ? rw_3gpp_umi_nlos_db(link) : rw_3gpp_uma_nlos_db(link);
    }
}

rw_status rw_calc_site_general(rw_context *context, const rw_site_general_options *user_options,
                               rw_site_general_result *result)
{
    rw_site_general_options options;
    rw_site_general_result site_general_result = {.size = sizeof site_general_result};
    site_method method = WALFISCH_IKEGAMI;
    rw_p1411_environment environment = RW_P1411_HIGH_RISE;
    rw_site_general_options_init(&options);
    RW_TRY(RW_RESOLVE(context, user_options, &options));
    RW_TRY(find_method(context, options.method, &method));
    const site_range *range = &ranges[method];
    if (method == P1411)
        RW_TRY(find_p1411_environment(context, &options, &environment, &range));
    RW_TRY(check_lengths(context, &options));
    site_general_result.in_range = check_ranges(context, range, &options);
    compute_site_losses(method, &options, environment, &site_general_result);
    return RW_ASSIGN(context, &site_general_result, result);
}
