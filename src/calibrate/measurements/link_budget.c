/* From received power to path loss, by what the site of each sample sends towards it: L = P + G - P_received.
 *
 * G is the gain of the site's antenna along the straight line, as the power of a map has it
 * (models/engine/received/received.c). A model whose path loss has the antenna in it already, because the pattern
 * weighs each path, gets none. RSRP is the power of one subcarrier: the site's power counts for its share. */
#include "calibrate/measurements/samples.h"

#include "base/memory.h"
#include "scene/antennas/antenna.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The antenna of each transmitter; those of one name share one. */
typedef struct site_antennas {
    rw_antenna **items;
    uint8_t *own;
    size_t count;
} site_antennas;

static rw_status open_antenna(const rw_sample_points *sample_points, size_t at, site_antennas *antennas)
{
    const rw_transmitter *transmitters = sample_points->prediction->transmitters;
    for (size_t i = 0; i < at; i++)
        if (strcmp(transmitters[i].antenna, transmitters[at].antenna) == 0) {
            antennas->items[at] = antennas->items[i];
            return RW_OK;
        }
    antennas->own[at] = 1;
    return rw_antenna_create(sample_points->scene->context, transmitters[at].antenna, &antennas->items[at]);
}

static void close_antennas(site_antennas *antennas)
{
    for (size_t i = 0; i < antennas->count; i++)
        if (antennas->own[i])
            rw_antenna_destroy(antennas->items[i]);
    free(antennas->items);
    free(antennas->own);
}

static rw_status open_antennas(const rw_sample_points *sample_points, site_antennas *antennas)
{
    rw_context *context = sample_points->scene->context;
    size_t count = sample_points->prediction->transmitter_count;
    RW_TRY(rw_array_create(context, count, sizeof *antennas->items, "antennas", &antennas->items));
    RW_TRY(rw_array_create(context, count, 1, "antennas", &antennas->own));
    for (size_t i = 0; i < count; i++, antennas->count++)
        RW_TRY(open_antenna(sample_points, i, antennas));
    return RW_OK;
}

static double site_gain_towards_sample(const rw_sample_points *sample_points, const rw_antenna *antenna,
                                       const rw_transmitter *site, const rw_sample *sample)
{
    double height_m = rw_sample_height_m(sample_points, (size_t)(sample - sample_points->measurements->samples));
    const rw_scene *scene = sample_points->scene;
    rw_vec2 from = {site->x_m - scene->origin.x, site->y_m - scene->origin.y};
    rw_vec2 to = {sample->x_m - scene->origin.x, sample->y_m - scene->origin.y};
    double rise_m = rw_scene_ground_m(scene, to) + height_m - rw_scene_ground_m(scene, from) - site->height_m;
    rw_vec3 direction = rw_vec3_of(to.x - from.x, to.y - from.y, rise_m);
    if (rw_vec3_length(direction) == 0)
        return antenna->peak_gain_dbi;
    return rw_antenna_gain_towards(antenna, site->azimuth_deg, site->downtilt_deg, site->roll_deg, direction);
}

static rw_status find_losses(const rw_sample_points *sample_points, const uint32_t *transmitters, double *loss_db)
{
    const rw_measurements *measurements = sample_points->measurements;
    const rw_model *model;
    site_antennas antennas = {0};
    RW_TRY(rw_model_find(sample_points->scene->context, sample_points->prediction->model, &model));
    rw_status status = model->antenna_in_loss ? RW_OK : open_antennas(sample_points, &antennas);
    for (size_t i = 0; i < measurements->sample_count && status == RW_OK; i++) {
        const rw_sample *sample = &measurements->samples[i];
        if (transmitters[i] == RW_NO_TRANSMITTER)
            continue;
        const rw_transmitter *site = &sample_points->prediction->transmitters[transmitters[i]];
        double gain = model->antenna_in_loss
                          ? 0
                          : site_gain_towards_sample(sample_points, antennas.items[transmitters[i]], site, sample);
        loss_db[i] = site->power_dbm - measurements->power_fraction_db + gain - sample->power_dbm;
    }
    close_antennas(&antennas);
    return status;
}

/* Path loss is between isotropic antennas; whoever gives others should know that they do not count. */
static void warn_of_antennas(const rw_sample_points *sample_points)
{
    const rw_predict_options *prediction = sample_points->prediction;
    const rw_model *model = rw_model_lookup(prediction->model);
    for (size_t i = 0; i < prediction->transmitter_count; i++) {
        const rw_transmitter *site = &prediction->transmitters[i];
        if (!model || model->antenna_in_loss || strcmp(site->antenna, "isotropic") == 0)
            continue;
        rw_warn(sample_points->scene->context,
                "the antenna of %s does not count: %s; quantity power or rsrp without tx-power uses each site's power, "
                "antenna, azimuth and tilt",
                site->name,
                isnan(sample_points->measurements->samples[0].power_dbm)
                    ? "measured path loss is between isotropic antennas"
                    : "one transmitted power is given for all directions");
        return;
    }
}

rw_status rw_sample_losses(const rw_sample_points *sample_points, const uint32_t *transmitters, double *loss_db)
{
    const rw_measurements *measurements = sample_points->measurements;
    for (size_t i = 0; i < measurements->sample_count; i++)
        loss_db[i] = measurements->samples[i].path_loss_db;
    if (measurements->by_site)
        return find_losses(sample_points, transmitters, loss_db);
    warn_of_antennas(sample_points);
    return RW_OK;
}
