/* What interactions cost where nobody has calibrated: theory at the transmitter's frequency. */
#include "base/elementary.h"
#include "field/deflection.h"
#include "models/shadow/shadow.h"

#include <math.h>

/* Loss of one wall and how much less each further one costs: an outer wall of brick or concrete costs about 12 dB at
 * the frequencies of mobile radio. */
static const rw_wall_kind wall_default = {12.0, 0.95};

static rw_status fit(rw_context *context, rw_deflection_kind kind, double freq_hz, rw_deflection *deflection)
{
    rw_deflection_setting setting = rw_deflection_setting_default(kind, freq_hz);
    return rw_deflection_fit(context, kind, &setting, deflection, NULL);
}

/* Steepest slope between 0 and pi: at an end, or where the slope itself is extreme. */
static double steepest_db(rw_deflection d)
{
    double steepest = 0, turn = d.a3_db != 0 ? -d.a2_db / (3 * d.a3_db) : 0;
    double places[3] = {0, RW_PI, turn > 0 && turn < RW_PI ? turn : 0};
    for (int i = 0; i < 3; i++)
        steepest = fmax(steepest, fabs(d.a1_db + places[i] * (2 * d.a2_db + places[i] * 3 * d.a3_db)));
    return steepest;
}

rw_status rw_shadow_source_make(const rw_prediction *prediction, size_t transmitter, rw_shadow_source *source)
{
    rw_context *context = prediction->scene->context;
    double freq_hz = rw_prediction_freq_hz(prediction, transmitter);
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter];
    *source = (rw_shadow_source){.at = rw_vec3_make(at.x - centre.x, at.y - centre.y, at.z),
                                 .wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz,
                                 .wall = wall_default};
    RW_TRY(fit(context, RW_DEFLECTION_STREET, freq_hz, &source->street));
    RW_TRY(fit(context, RW_DEFLECTION_ROOF, freq_hz, &source->roof));
    source->street_slope_db = (float)(1.0001 * steepest_db(source->street));
    source->roof_count_db = rw_deflection_loss_db(source->roof, 0.1);
    return RW_OK;
}
