/* From candidates and lists to what can be chosen: sites, their sectors, places that are predicted once, and the
 * configurations of each sector: antenna, azimuth, tilt, power. */
#include "network/plan/plan.h"

#include "base/memory.h"
#include "models/engine/received/received.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One table of gains is kept for each antenna, tilt and roll. */
#define PATTERNS_MAX 4096
#define CARRIERS_MAX 255

static rw_status find_antenna(rw_plan_problem *problem, const char *name, uint32_t *antenna)
{
    size_t i = 0, count = problem->antenna_count;
    while (i < count && strcmp(problem->antenna_names[i], name) != 0)
        i++;
    *antenna = (uint32_t)i;
    if (i < count)
        return RW_OK;
    size_t names_capacity = count, antennas_capacity = count;
    RW_TRY(rw_array_reserve(problem->context, &problem->antenna_names, &names_capacity, count + 1,
                            sizeof *problem->antenna_names, "antennas"));
    RW_TRY(rw_array_reserve(problem->context, &problem->antennas, &antennas_capacity, count + 1,
                            sizeof *problem->antennas, "antennas"));
    problem->antenna_names[count] = NULL;
    problem->antennas[count] = NULL;
    RW_TRY(rw_antenna_create(problem->context, name, &problem->antennas[count]));
    problem->antenna_names[count] = rw_string_copy(name);
    if (!problem->antenna_names[count]) {
        rw_antenna_destroy(problem->antennas[count]);
        return rw_fail(problem->context, RW_OUT_OF_MEMORY, "no memory for the names of antennas");
    }
    problem->antenna_count++;
    return RW_OK;
}

static rw_status find_pattern(rw_plan_problem *problem, uint32_t antenna, double tilt_deg, double roll_deg,
                              uint32_t *pattern)
{
    size_t i = 0, count = problem->pattern_count, capacity = count;
    for (; i < count; i++) {
        const rw_plan_pattern *existing = &problem->patterns[i];
        if (existing->antenna == antenna && existing->tilt_deg == tilt_deg && existing->roll_deg == roll_deg)
            break;
    }
    *pattern = (uint32_t)i;
    if (i < count)
        return RW_OK;
    if (count == PATTERNS_MAX)
        return rw_fail(problem->context, RW_BAD_CALL, "more than %d pairs of antenna and tilt: give fewer tilts",
                       PATTERNS_MAX);
    RW_TRY(rw_array_reserve(problem->context, &problem->patterns, &capacity, count + 1, sizeof *problem->patterns,
                            "antenna patterns"));
    problem->patterns[problem->pattern_count++] = (rw_plan_pattern){antenna, tilt_deg, roll_deg};
    return RW_OK;
}

/* The site of a candidate: a new one, or that of an earlier candidate of the same name. */
static uint32_t find_candidate_site(rw_plan_problem *problem, size_t candidate, const uint32_t *sites_before)
{
    const char *site = problem->candidates[candidate].site;
    for (size_t i = 0; site && *site && i < candidate; i++)
        if (problem->candidates[i].site && strcmp(problem->candidates[i].site, site) == 0)
            return sites_before[i];
    const rw_transmitter *at = &problem->transmitters[candidate];
    problem->sites[problem->site_count] = (rw_plan_site){.x_m = at->x_m, .y_m = at->y_m};
    return (uint32_t)problem->site_count++;
}

static uint32_t find_candidate_position(rw_plan_problem *problem, size_t candidate)
{
    const rw_transmitter *at = &problem->transmitters[candidate];
    size_t i = 0;
    for (; i < problem->position_count; i++) {
        const rw_transmitter *other = &problem->transmitters[problem->position_candidates[i]];
        if (other->x_m == at->x_m && other->y_m == at->y_m && other->height_m == at->height_m &&
            other->freq_hz == at->freq_hz)
            break;
    }
    if (i == problem->position_count) {
        problem->position_candidates[i] = (uint32_t)candidate;
        problem->position_eirp_dbm[i] = -INFINITY;
        problem->position_count++;
    }
    return (uint32_t)i;
}

/* Several sectors of a candidate are numbered; number 0: it is one. */
static rw_status name_sector(const rw_plan_problem *problem, rw_plan_sector *sector, int number)
{
    const char *name = problem->transmitters[sector->candidate].name;
    size_t capacity = strlen(name) + 16;
    sector->name = malloc(capacity);
    if (!sector->name)
        return rw_fail(problem->context, RW_OUT_OF_MEMORY, "no memory for the names of sectors");
    if (number)
        snprintf(sector->name, capacity, "%s/%d", name, number);
    else
        snprintf(sector->name, capacity, "%s", name);
    return RW_OK;
}

/* The sectors of a candidate. Several of them have the same choices; what stands already is one. */
static rw_status add_sectors(rw_plan_problem *problem, size_t candidate, uint32_t site)
{
    const rw_plan_candidate *about = &problem->candidates[candidate];
    rw_plan_site *of = &problem->sites[site];
    int stays = about->keep != RW_PLAN_FREE, count = stays ? 1 : problem->options.sectors;
    uint32_t position = find_candidate_position(problem, candidate);
    of->is_retained |= stays;
    of->cost = fmax(of->cost, about->site_cost);
    for (int i = 0; i < count; i++) {
        rw_plan_sector *sector = &problem->sectors[problem->sector_count];
        *sector = (rw_plan_sector){.candidate = (uint32_t)candidate,
                                   .site = site,
                                   .position = position,
                                   .cost = stays ? 0 : about->cost,
                                   .keep = about->keep};
        RW_TRY(name_sector(problem, sector, count > 1 ? i + 1 : 0));
        problem->sector_count++;
        of->sector_count++;
    }
    return RW_OK;
}

static rw_status list_sectors(rw_plan_problem *problem)
{
    rw_context *context = problem->context;
    size_t count = problem->candidate_count, sectors = count * (size_t)problem->options.sectors;
    uint32_t *sites = NULL;
    RW_TRY(rw_array_create(context, count, sizeof *problem->sites, "sites", &problem->sites));
    RW_TRY(rw_array_create(context, sectors, sizeof *problem->sectors, "sectors", &problem->sectors));
    RW_TRY(rw_array_create(context, count, sizeof(uint32_t), "places", &problem->position_candidates));
    RW_TRY(rw_array_create(context, count, sizeof(double), "places", &problem->position_eirp_dbm));
    RW_TRY(rw_array_create(context, count, 1, "places", &problem->is_position_bad));
    RW_TRY(rw_array_create(context, count, sizeof *sites, "sites", &sites));
    rw_status status = RW_OK;
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        sites[i] = find_candidate_site(problem, i, sites);
        status = add_sectors(problem, i, sites[i]);
    }
    free(sites);
    for (size_t i = 0; i < problem->site_count; i++)
        if (problem->sites[i].is_retained) /* it is paid for */
            problem->sites[i].cost = 0;
    return status;
}

/* The choices of one sector: lists, or its own value alone. */
typedef struct choices {
    const double *azimuths_deg, *tilts_deg, *powers_dbm;
    const char *const *antennas;
    size_t azimuths, tilts, powers, antenna_count;
} choices;

static choices list_choices(const rw_plan_options *options, const rw_transmitter *own, rw_plan_keep keep)
{
    int lists = keep != RW_PLAN_FIXED;
    choices new_choices = {&own->azimuth_deg, &own->downtilt_deg, &own->power_dbm, &own->antenna, 1, 1, 1, 1};
    if (lists && options->azimuth_count) {
        new_choices.azimuths_deg = options->azimuths_deg;
        new_choices.azimuths = options->azimuth_count;
    }
    if (lists && options->tilt_count) {
        new_choices.tilts_deg = options->tilts_deg;
        new_choices.tilts = options->tilt_count;
    }
    if (lists && options->power_count) {
        new_choices.powers_dbm = options->powers_dbm;
        new_choices.powers = options->power_count;
    }
    if (lists && options->antenna_count) {
        new_choices.antennas = options->antennas;
        new_choices.antenna_count = options->antenna_count;
    }
    return new_choices;
}

static rw_status add_variant(rw_plan_problem *problem, rw_plan_sector *sector, const rw_plan_setting *setting)
{
    const rw_transmitter *own = &problem->transmitters[sector->candidate];
    size_t at = problem->variant_count;
    double eirp_dbm = setting->power_dbm + problem->antennas[setting->antenna]->peak_gain_dbi;
    rw_plan_variant *variant = &problem->variants[at];
    *variant = (rw_plan_variant){.position = sector->position,
                                 .azimuth = rw_plan_azimuth_index(setting->azimuth_deg),
                                 .carrier = problem->candidate_carriers[sector->candidate],
                                 .power_cdbm = (int32_t)lround(100 * setting->power_dbm)};
    RW_TRY(find_pattern(problem, setting->antenna, setting->tilt_deg, own->roll_deg, &variant->pattern));
    problem->settings[at] = *setting;
    problem->variant_sectors[at] = (uint32_t)(sector - problem->sectors);
    problem->position_eirp_dbm[sector->position] = fmax(problem->position_eirp_dbm[sector->position], eirp_dbm);
    problem->variant_count++;
    sector->variant_count++;
    return RW_OK;
}

static rw_status list_variants(rw_plan_problem *problem, rw_plan_sector *sector)
{
    const rw_transmitter *own = &problem->transmitters[sector->candidate];
    choices of = list_choices(&problem->options, own, sector->keep);
    sector->first_variant = (uint32_t)problem->variant_count;
    rw_plan_setting setting = {own->azimuth_deg, own->downtilt_deg, own->power_dbm, 0};
    if (sector->keep != RW_PLAN_FREE) { /* as it stands */
        RW_TRY(find_antenna(problem, own->antenna, &setting.antenna));
        RW_TRY(add_variant(problem, sector, &setting));
    }
    for (size_t k = 0; sector->keep != RW_PLAN_FIXED && k < of.antenna_count; k++) {
        RW_TRY(find_antenna(problem, of.antennas[k], &setting.antenna));
        for (size_t i = 0; i < of.tilts * of.azimuths * of.powers; i++) {
            setting.azimuth_deg = of.azimuths_deg[i % of.azimuths];
            setting.tilt_deg = of.tilts_deg[i / of.azimuths % of.tilts];
            setting.power_dbm = of.powers_dbm[i / of.azimuths / of.tilts];
            RW_TRY(add_variant(problem, sector, &setting));
        }
    }
    return RW_OK;
}

/* One more than the lists give, for what stands already. */
static double count_variants_at_most(const rw_plan_problem *problem)
{
    const rw_plan_options *options = &problem->options;
    double each = fmax(1, (double)options->azimuth_count) * fmax(1, (double)options->tilt_count) *
                  fmax(1, (double)options->power_count) * fmax(1, (double)options->antenna_count);
    return (each + 1) * (double)problem->sector_count;
}

/* The number of a carrier: that of an equal one, or a new one. */
static uint32_t number_carrier(rw_plan_problem *problem, const rw_network_plan *network, uint32_t channel, double load)
{
    size_t i = 0;
    for (; i < problem->carrier_count; i++) {
        const rw_network_plan *other = &problem->carrier_networks[i];
        if (problem->carriers[i].channel == channel && problem->carriers[i].load == load &&
            other->bandwidth_hz == network->bandwidth_hz && other->noise_mw == network->noise_mw &&
            other->streams == network->streams)
            break;
    }
    if (i == problem->carrier_count) {
        problem->carriers[i] = (rw_plan_carrier){channel, rw_plan_noise_units(network->noise_mw), load};
        problem->carrier_networks[i] = *network;
        problem->carrier_count++;
    }
    return (uint32_t)i;
}

/* Channel, bandwidth, streams and load of each candidate. */
static rw_status find_candidate_carriers(rw_plan_problem *problem)
{
    rw_context *context = problem->context;
    rw_prediction prediction = {.scene = problem->scene, .options = &problem->predict};
    size_t count = problem->candidate_count;
    rw_network_plan *own;
    RW_TRY(rw_array_create(context, count, sizeof(uint32_t), "carriers", &problem->candidate_carriers));
    RW_TRY(rw_array_create(context, count, sizeof *problem->carriers, "carriers", &problem->carriers));
    RW_TRY(rw_array_create(context, count, sizeof *problem->carrier_networks, "carriers", &problem->carrier_networks));
    problem->channel_count = rw_channels_find(&prediction, problem->candidate_carriers);
    RW_TRY(rw_carriers_create(context, &problem->predict, &own));
    for (size_t i = 0; i < count; i++) {
        double load = problem->transmitters[i].load;
        load = load == 0 ? problem->network.load : fmax(load, 0);
        problem->candidate_carriers[i] =
            number_carrier(problem, own ? &own[i] : &problem->network, problem->candidate_carriers[i], load);
    }
    free(own);
    if (problem->carrier_count > CARRIERS_MAX)
        return rw_fail(context, RW_BAD_CALL, "%zu carriers are too many for a plan: at most %d", problem->carrier_count,
                       CARRIERS_MAX);
    return RW_OK;
}

rw_status rw_plan_list_configurations(rw_plan_problem *problem)
{
    rw_context *context = problem->context;
    RW_TRY(find_candidate_carriers(problem));
    RW_TRY(list_sectors(problem));
    double variant_bound = count_variants_at_most(problem);
    if (variant_bound > 1e8)
        return rw_fail(context, RW_BAD_CALL, "%.3g configurations are too many: give shorter lists", variant_bound);
    size_t count = (size_t)variant_bound;
    RW_TRY(rw_array_create(context, count, sizeof *problem->variants, "configurations", &problem->variants));
    RW_TRY(rw_array_create(context, count, sizeof *problem->settings, "configurations", &problem->settings));
    RW_TRY(
        rw_array_create(context, count, sizeof *problem->variant_sectors, "configurations", &problem->variant_sectors));
    for (size_t i = 0; i < problem->sector_count; i++)
        RW_TRY(list_variants(problem, &problem->sectors[i]));
    return RW_OK;
}
