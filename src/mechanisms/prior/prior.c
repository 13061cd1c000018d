#include "mechanisms/prior/prior.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "field/paths/free_space.k.h"
#include "mechanisms/rooftop/over_rooftop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double rw_mean_roof_m(const rw_scene *scene)
{
    const rw_scene_summary *all = &scene->prepared->summary;
    if (scene->region_roof_m > 0)
        return scene->region_roof_m;
    return all->area_m2 > 0 ? all->volume_m3 / all->area_m2 : 0;
}

static rw_compose_rule find_rule(const rw_scene *scene, const char *name)
{
    if (!name || strcmp(name, "none") == 0)
        return RW_COMPOSE_SUM;
    return scene->parts.count > 0 ? RW_COMPOSE_OUTDOOR : scene->panels.count > 0 ? RW_COMPOSE_INDOOR : RW_COMPOSE_SUM;
}

/* Floors of a plan: altitudes at which walls of a storey begin that are at least 2 m high, which no lintel is, and at
 * least a fifth as long together as those of the longest storey; but the lowest. */
static void find_floors(const rw_scene *scene, rw_prior *prior)
{
    enum { LEVELS = 4 * RW_PRIOR_FLOORS_MAX };
    double level_m[LEVELS], length_m[LEVELS], longest_m = 0;
    int count = 0;
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        int k = 0;
        if (panel->top_m - panel->bottom_m < 2)
            continue;
        while (k < count && fabs(level_m[k] - panel->bottom_m) > 0.5)
            k++;
        if (k == LEVELS)
            continue;
        if (k == count) {
            level_m[count] = panel->bottom_m;
            length_m[count++] = 0;
        }
        length_m[k] += hypot(panel->p1.x - panel->p0.x, panel->p1.y - panel->p0.y);
        longest_m = fmax(longest_m, length_m[k]);
    }
    double lowest_m = INFINITY;
    for (int k = 0; k < count; k++)
        if (length_m[k] >= 0.2 * longest_m)
            lowest_m = fmin(lowest_m, level_m[k]);
    for (int k = 0; k < count && prior->floor_count < RW_PRIOR_FLOORS_MAX; k++)
        if (length_m[k] >= 0.2 * longest_m && level_m[k] > lowest_m)
            prior->floors_m[prior->floor_count++] = (float)level_m[k];
}

rw_status rw_prior_create(const rw_prediction *prediction, const char *name, size_t transmitter, rw_backend backend,
                          rw_prior *prior)
{
    const rw_scene *scene = prediction->scene;
    rw_compose_rule rule = find_rule(scene, name);
    double freq_hz = rw_prediction_freq_hz(prediction, transmitter);
    *prior = (rw_prior){.rule = rule,
                        .kind = name && strcmp(name, "p1411") == 0 ? RW_SITE_GENERAL_P1411 : RW_SITE_GENERAL_3GPP,
                        .weight = 1,
                        .base_height_m = prediction->options->transmitters[transmitter].height_m,
                        .freq_hz = freq_hz,
                        .slope = rw_compose_slope(rule, freq_hz)};
    if (rule == RW_COMPOSE_INDOOR)
        find_floors(scene, prior);
    if (rule != RW_COMPOSE_OUTDOOR)
        return RW_OK;
    prior->mean_roof_m = rw_mean_roof_m(scene);
    return rw_prepared_built_over(scene, backend, &prior->built_over);
}

const char *rw_prior_name(const rw_scene *scene, const char *requested)
{
    rw_compose_rule rule = find_rule(scene, requested);
    if (rule == RW_COMPOSE_SUM)
        return "none";
    return rule == RW_COMPOSE_INDOOR ? "p1238" : strcmp(requested, "p1411") == 0 ? "p1411" : "3gpp";
}

const char *rw_prior_name_find(const char *name)
{
    static const char *const names[] = {"3gpp", "p1411", "p1238"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return names[i];
    return "none";
}

/* Calibrated parameters of these models are of their own paths alone, and the papers have no prior. */
const char *rw_prior_by_engine(const rw_prediction *prediction)
{
    const rw_predict_options *options = prediction->options;
    int of_paper =
        options->losses || options->dimensions == 2 || (options->roofs && strcmp(options->roofs, "vogler") != 0);
    if (!prediction->prior_by_engine)
        return NULL;
    if (options->prior)
        return strcmp(options->prior, "none") == 0 ? NULL : options->prior;
    return prediction->prior_by_engine == RW_PRIOR_BY_NAME || options->params || of_paper ||
                   prediction->scene->parts.count == 0
               ? NULL
               : "3gpp";
}

/* Splits an excess over free space into what is and is not by buildings, whichever path the wave takes. Of the terrain
 * its loss without buildings; of the foliage what both the straight line and that over the rooftops cross; of the
 * smooth earth what it adds to the rest of the excess, which is the root of the sum of squares (decision 0010). Paths
 * that reflect need not cross any of it, so that no part is more than what is left. */
static void split_excess(const rw_ray_prior *work, rw_vec3 receiver, rw_compose_input *in, double *foliage_out_db)
{
    double left_db = in->excess_db, terrain_db = 0, foliage_db = 0, smooth_db = 0;
    *foliage_out_db = 0;
    if (!(left_db > 0))
        return;
    if (rw_roof_has_hill(&work->grid)) {
        rw_roof_source from = {work->source, (float)(RW_SPEED_OF_LIGHT_M_S / work->prior.freq_hz), RW_FACADE_DB};
        rw_sight sight = rw_sight_of(&work->grid, receiver, work->source);
        rw_roof_hill hill = rw_roof_hill_find(&work->grid, &from, &sight);
        smooth_db = (double)hill.smooth_db;
        terrain_db = fmin(fmax((double)hill.open_db - smooth_db, 0), left_db);
        left_db -= terrain_db;
    }
    if (work->foliage.view.tops_m) {
        double straight_m = rw_foliage_depth_m(&work->foliage.view, receiver, work->source);
        double over_m = rw_foliage_roof_depth_m(&work->foliage.view, &work->grid, receiver, work->source);
        foliage_db = fmin(rw_foliage_loss_db(work->law, fmin(straight_m, over_m)), left_db);
        left_db -= foliage_db;
    }
    in->other_db = terrain_db + foliage_db;
    in->ground_db = left_db > smooth_db ? left_db - sqrt(left_db * left_db - smooth_db * smooth_db) : left_db;
    in->excess_db = left_db - in->ground_db;
    *foliage_out_db = foliage_db;
}

/* For link budgets. */
static void store_prior_composition(const rw_ray_prior *work, size_t cell, const rw_compose_input *in,
                                    double foliage_db, double gain_db)
{
    const rw_receivers_view *view = &work->prediction->receivers.view;
    rw_composition *composition =
        work->prediction->compositions + work->losses.transmitter * view->columns * view->rows + cell;
    *composition = rw_composition_of(work->prior.rule, in);
    composition->terrain_db = in->other_db - foliage_db;
    composition->foliage_db = foliage_db;
    composition->gain_db = gain_db;
    composition->in.other_db -= gain_db;
}

/* The rule is about the loss between isotropic antennas. */
static double find_prior_gain_dbi(const rw_ray_prior *work, rw_vec3 away)
{
    const rw_prediction *prediction = work->prediction;
    const rw_transmitter *about = &prediction->options->transmitters[work->losses.transmitter];
    if (!work->losses.with_antenna)
        return 0;
    return rw_antenna_gain_towards(prediction->antennas[work->losses.transmitter], about->azimuth_deg,
                                   about->downtilt_deg, about->roll_deg, away) +
           rw_receiver_gain_dbi(prediction, rw_vec3_scale(away, -1));
}

rw_compose_input rw_ray_prior_input(const rw_ray_prior *work, rw_vec3 source, rw_vec3 receiver)
{
    rw_prior prior = work->prior;
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / prior.freq_hz;
    prior.base_height_m += source.z - work->source.z;
    return rw_prior_input(&prior, &work->grid, source, receiver,
                          rw_free_space_loss_db(rw_vec3_length(rw_vec3_sub(receiver, source)), wavelength_m));
}

int rw_ray_prior_split(const rw_ray_prior *work, rw_vec3 receiver, double value, rw_prior_split *split)
{
    double sent_db = 0;
    if (work->losses.sign < 0)
        sent_db = work->prediction->options->transmitters[work->losses.transmitter].power_dbm;
    split->gain_db = find_prior_gain_dbi(work, rw_vec3_sub(receiver, work->source));
    split->sent_db = split->gain_db + sent_db;
    double paths_db = split->sent_db + work->losses.sign * value;
    if (!isfinite(paths_db))
        return 0;
    split->in = rw_ray_prior_input(work, work->source, receiver);
    split->in.excess_db = paths_db - split->in.free_space_db;
    split_excess(work, receiver, &split->in, &split->foliage_db);
    return 1;
}

typedef struct cell_composition {
    const rw_ray_prior *work;
    float *values;
} cell_composition;

static void compose_cells(void *user, size_t begin, size_t end)
{
    const cell_composition *of = user;
    const rw_ray_prior *work = of->work;
    const rw_receivers_view *view = &work->prediction->receivers.view;
    int sign = work->losses.sign;
    for (size_t i = begin; i < end; i++) {
        float *value = of->values + view->outdoor[i];
        rw_prior_split split;
        if (!rw_ray_prior_split(work, rw_receiver_point(view, view->outdoor[i]), (double)*value, &split))
            continue;
        *value = (float)(sign * (rw_compose(work->prior.rule, &split.in).loss_db - split.sent_db));
        if (work->prediction->compositions && sign > 0)
            store_prior_composition(work, view->outdoor[i], &split.in, split.foliage_db, split.gain_db);
    }
}

rw_status rw_ray_prior_open(const rw_prediction *prediction, const char *name, rw_prior_losses losses,
                            rw_ray_prior *work)
{
    const rw_scene *scene = prediction->scene;
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[losses.transmitter];
    *work = (rw_ray_prior){.prediction = prediction,
                           .losses = losses,
                           .source = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z),
                           .grid = scene->prepared->grid.view,
                           .law = rw_foliage_law_of(rw_prediction_freq_hz(prediction, losses.transmitter))};
    RW_TRY(rw_prior_create(prediction, name, losses.transmitter, RW_BACKEND_CPU, &work->prior));
    RW_TRY(rw_foliage_upload(scene, RW_BACKEND_CPU, &work->foliage));
    work->grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    work->grid.ground_curve_per_m = rw_prediction_ground_curve_per_m(prediction);
    rw_grid_widen(&work->grid, &prediction->receivers.view, work->source);
    return RW_OK;
}

void rw_ray_prior_close(rw_ray_prior *work)
{
    rw_foliage_release(&work->foliage);
}

rw_status rw_prior_add(const rw_prediction *prediction, const char *name, rw_prior_losses losses, float *values)
{
    rw_ray_prior work;
    RW_TRY(rw_ray_prior_open(prediction, name, losses, &work));
    cell_composition of = {&work, values};
    rw_status status = RW_OK;
    if (work.prior.rule != RW_COMPOSE_SUM)
        status =
            rw_parallel(prediction->scene->context, prediction->receivers.view.outdoor_count, 512, compose_cells, &of);
    rw_ray_prior_close(&work);
    return status;
}

rw_status rw_prior_find_cut(const rw_prediction *prediction, rw_prior_losses losses, const float *values,
                            double *fraction)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_ray_prior work;
    size_t cut = 0;
    *fraction = 0;
    if (prediction->scene->parts.count > 0 || prediction->scene->panels.count == 0 || view->outdoor_count == 0)
        return RW_OK;
    RW_TRY(rw_ray_prior_open(prediction, "3gpp", losses, &work));
    for (size_t i = 0; i < view->outdoor_count; i++) {
        float value = values[view->outdoor[i]];
        rw_prior_split split;
        if (isnan(value))
            continue;
        cut += !rw_ray_prior_split(&work, rw_receiver_point(view, view->outdoor[i]), (double)value, &split) ||
               split.in.excess_db > split.in.median_db + RW_COMPOSE_LEAK_DB;
    }
    rw_ray_prior_close(&work);
    *fraction = (double)cut / (double)view->outdoor_count;
    return RW_OK;
}
