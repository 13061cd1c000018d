/* What measurements add to a prediction (mechanisms/measured), in every model: to path loss and received power, with
 * the standard deviation near measurements and the benefit of one more. */
#include "models/engine/run/run.h"

#include "base/memory.h"
#include "mechanisms/measured/correction.h"

#include <math.h>
#include <stdlib.h>

static const rw_correction *correction_of(const rw_prediction *prediction)
{
    return prediction->options->params ? prediction->options->params->correction : NULL;
}

static size_t count_corrected_cells(const rw_prediction *prediction)
{
    return prediction->receivers.view.columns * prediction->receivers.view.rows;
}

/* Whether the standard deviation is that of measurements, and not of the model. */
static int has_sigma(const rw_correction *correction)
{
    return correction && (correction->residuals.count > 0 || isfinite(correction->sigma_db));
}

static rw_status allocate_corrections(rw_prediction *prediction, size_t count, int sigma)
{
    rw_corrections *corrections = &prediction->corrections;
    size_t cells = count_corrected_cells(prediction);
    if (corrections->capacity >= count && (!sigma || corrections->sigma_db))
        return RW_OK;
    rw_corrections_free(prediction);
    RW_TRY(rw_array_create(prediction->scene->context, count * cells, sizeof(float), "corrections",
                           &corrections->values_db));
    if (sigma)
        RW_TRY(rw_array_create(prediction->scene->context, count * cells, sizeof(float), "corrections",
                               &corrections->sigma_db));
    corrections->capacity = count;
    return RW_OK;
}

rw_status rw_run_find_corrections(rw_run *run, size_t first, size_t count)
{
    rw_prediction *prediction = run->prediction;
    rw_corrections *corrections = &prediction->corrections;
    const rw_correction *correction = correction_of(prediction);
    size_t cells = count_corrected_cells(prediction);
    int sigma = has_sigma(correction) &&
                (rw_layer_is_wanted(prediction, "sigma") || rw_layer_is_wanted(prediction, "coverage_probability"));
    int benefit = rw_layer_is_wanted(prediction, "benefit");
    if (benefit && !(correction && correction->residuals.count))
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "layer benefit needs parameters with residuals: calibrate with residuals");
    if (!correction || cells == 0 || !prediction->sources)
        return RW_OK;
    RW_TRY(allocate_corrections(prediction, count, sigma));
    corrections->first = first;
    for (size_t i = 0; i < count; i++)
        RW_TRY(rw_correction_find(prediction, correction, first + i, corrections->values_db + i * cells,
                                  sigma ? corrections->sigma_db + i * cells : NULL,
                                  benefit ? rw_run_layer_named(run, "benefit", first + i) : NULL));
    return RW_OK;
}

void rw_prediction_correct(const rw_prediction *prediction, size_t transmitter, int sign, float *values)
{
    const rw_corrections *corrections = &prediction->corrections;
    const rw_receivers_view *view = &prediction->receivers.view;
    if (!corrections->values_db)
        return;
    const float *values_db =
        corrections->values_db + (transmitter - corrections->first) * count_corrected_cells(prediction);
    for (size_t i = 0; i < view->outdoor_count; i++)
        values[view->outdoor[i]] += (float)sign * values_db[view->outdoor[i]];
}

const float *rw_prediction_sigma_db(const rw_prediction *prediction, size_t transmitter)
{
    const rw_corrections *corrections = &prediction->corrections;
    return corrections->sigma_db
               ? corrections->sigma_db + (transmitter - corrections->first) * count_corrected_cells(prediction)
               : NULL;
}

void rw_run_finish_sigma(rw_run *run, size_t transmitter)
{
    const rw_receivers_view *view = &run->prediction->receivers.view;
    const float *sigma_db = rw_prediction_sigma_db(run->prediction, transmitter);
    float *layer = rw_run_layer_named(run, "sigma", transmitter);
    for (size_t i = 0; sigma_db && layer && i < view->outdoor_count; i++)
        layer[view->outdoor[i]] = sigma_db[view->outdoor[i]];
}

void rw_corrections_free(rw_prediction *prediction)
{
    free(prediction->corrections.values_db);
    free(prediction->corrections.sigma_db);
    prediction->corrections = (rw_corrections){0};
}
