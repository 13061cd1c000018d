/* Yardsticks: what formulas that know only distance, heights and frequency say of the measured points. A model that is
 * not better than these has learnt nothing from its map. Points in sight take a formula's own line for that; where
 * sight is not known, all are taken as out of sight. */
#include "base/memory.h"
#include "calibrate/evaluation/evaluation.h"
#include "field/paths/free_space.k.h"
#include "field/paths/site_general.k.h"

#include <math.h>
#include <stdlib.h>

/* Streets and houses of a usual European city; COST 231 final report, section 4.4.1. */
static const rw_site_buildings typical_buildings = {15, 20, 40, 90, 0};

static double walfisch_ikegami(rw_site_link link, rw_site_buildings buildings, int in_sight)
{
    return in_sight ? rw_walfisch_ikegami_los_db(link) : rw_walfisch_ikegami_nlos_db(link, buildings);
}

static double cost_hata(rw_site_link link, rw_site_buildings buildings, int in_sight)
{
    (void)in_sight;
    return rw_cost_hata_db(link, buildings.metropolitan);
}

static double compute_p1411_db(rw_site_link link, rw_site_buildings buildings, int in_sight)
{
    int above = link.base_height_m > buildings.mean_roof_m;
    if (in_sight)
        return rw_p1411_los_db(link, above);
    return rw_p1411_nlos_db(link, above ? RW_P1411_ABOVE_ROOFS : RW_P1411_HIGH_RISE);
}

static double compute_umi_db(rw_site_link link, rw_site_buildings buildings, int in_sight)
{
    (void)buildings;
    return in_sight ? rw_3gpp_umi_los_db(link) : rw_3gpp_umi_nlos_db(link);
}

static double compute_uma_db(rw_site_link link, rw_site_buildings buildings, int in_sight)
{
    (void)buildings;
    return in_sight ? rw_3gpp_uma_los_db(link) : rw_3gpp_uma_nlos_db(link);
}

static double free_space(rw_site_link link, rw_site_buildings buildings, int in_sight)
{
    (void)buildings;
    (void)in_sight;
    double height_m = link.base_height_m - link.mobile_height_m;
    return rw_free_space_loss_db(hypot(link.distance_m, height_m), RW_SPEED_OF_LIGHT_M_S / link.freq_hz);
}

static const struct {
    const char *name;
    double (*loss_db)(rw_site_link link, rw_site_buildings buildings, int in_sight);
} formulas[RW_BASELINE_COUNT] = {{"free_space", free_space},   {"walfisch_ikegami", walfisch_ikegami},
                                 {"cost_hata", cost_hata},     {"p1411", compute_p1411_db},
                                 {"3gpp_umi", compute_umi_db}, {"3gpp_uma", compute_uma_db}};

static rw_site_link link_to(const rw_evaluation *evaluation, const rw_baseline_setting *setting, size_t point)
{
    const rw_transmitter *site = evaluation->transmitters ? evaluation->transmitters[point] : setting->transmitter;
    double distance_m = hypot(evaluation->x_m[point] - site->x_m, evaluation->y_m[point] - site->y_m);
    return rw_site_link_of(distance_m, site->height_m, evaluation->height_m[point],
                           site->freq_hz > 0 ? site->freq_hz : setting->freq_hz);
}

rw_status rw_evaluation_add_baselines(rw_evaluation *evaluation, const rw_baseline_setting *setting)
{
    rw_evaluation_info *info = &evaluation->info;
    rw_site_buildings buildings = typical_buildings;
    double *loss_db;
    if (setting->mean_roof_m > 0)
        buildings.mean_roof_m = setting->mean_roof_m;
    RW_TRY(rw_array_create(evaluation->context, info->points, sizeof *loss_db, "path loss", &loss_db));
    rw_status status = RW_OK;
    for (size_t k = 0; k < RW_BASELINE_COUNT && status == RW_OK; k++) {
        for (size_t i = 0; i < info->points; i++)
            loss_db[i] = formulas[k].loss_db(link_to(evaluation, setting, i), buildings,
                                             setting->in_sight && setting->in_sight[i]);
        rw_baseline *baseline = &evaluation->baselines[k];
        *baseline = (rw_baseline){.size = sizeof *baseline, .name = formulas[k].name};
        status = rw_evaluation_level(evaluation, loss_db, NULL);
        if (status == RW_OK)
            status = rw_error_figures(evaluation->context, evaluation->measured_db, loss_db, info->points,
                                      &baseline->errors);
        info->baselines = k + 1;
    }
    free(loss_db);
    return status;
}
