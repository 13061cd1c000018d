/* The rule of composition in kept gains of models whose losses the engine composes: a reference for each pair of
 * transmitter and point. What is not by buildings is that of a prediction at the points. */
#include "mechanisms/prior/prior.h"
#include "models/gradients/gradients.h"

#include <math.h>

typedef struct link_reference {
    const rw_ray_prior *work;
    rw_vec3 receiver;
} link_reference;

/* An rw_gain_reference_fn. */
static void find_link_reference(void *user, rw_vec3 source, rw_compose_input *in)
{
    const link_reference *of = user;
    *in = rw_ray_prior_input(of->work, source, of->receiver);
}

static rw_status record_point_references(const rw_ray_prior *work, const float *powers_dbm, rw_gain_record *record)
{
    const rw_receivers_view *view = &work->prediction->receivers.view;
    for (size_t i = 0; i < view->outdoor_count; i++) {
        link_reference of = {work, rw_receiver_point(view, view->outdoor[i])};
        rw_prior_split split;
        if (!rw_ray_prior_split(work, of.receiver, (double)powers_dbm[view->outdoor[i]], &split))
            continue;
        double received_dbi = rw_receiver_gain_dbi(
            work->prediction, rw_vec3_sub(work->source, of.receiver)); /* not in the record's gain */
        const rw_gain_reference reference = {.rule = work->prior.rule,
                                             .other_db = split.in.other_db - received_dbi,
                                             .ground_db = split.in.ground_db,
                                             .find = find_link_reference,
                                             .user = &of};
        RW_TRY(rw_gain_record_reference(record, work->losses.transmitter, view->outdoor[i], work->source, of.receiver,
                                        &reference));
    }
    return RW_OK;
}

static rw_status record_transmitter_references(const rw_prediction *prediction, const char *prior, size_t transmitter,
                                               const float *powers_dbm, rw_gain_record *record)
{
    const rw_prior_losses powers = {transmitter, -1, 1};
    rw_ray_prior work;
    RW_TRY(rw_ray_prior_open(prediction, prior, powers, &work));
    rw_status status = work.prior.rule != RW_COMPOSE_SUM ? record_point_references(&work, powers_dbm, record) : RW_OK;
    rw_ray_prior_close(&work);
    return status;
}

rw_status rw_gains_record_references(const rw_prediction *prediction, rw_gain_record *record)
{
    const char *prior = rw_prior_by_engine(prediction);
    rw_predict_options options = *prediction->options;
    rw_map_layer power = {.size = sizeof power};
    rw_map *map;
    if (!prior)
        return RW_OK;
    options.prior = "none";
    options.layers = "power";
    RW_TRY(rw_predict_points(prediction->scene, &options, prediction->points, prediction->point_count, &map));
    rw_status status = rw_map_get_layer(map, 0, &power);
    for (size_t i = 0; i < options.transmitter_count && status == RW_OK; i++)
        status =
            record_transmitter_references(prediction, prior, i, power.values + i * prediction->point_count, record);
    rw_map_destroy(map);
    return status;
}
