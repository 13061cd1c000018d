#include "mechanisms/atmosphere/atmosphere.h"

#include "base/maths/elementary.h"
#include "base/parallel.h"

#include "field/air/air.h"

#include <math.h>
#include <string.h>

static double gases_db_km(const rw_prediction *prediction, double freq_hz)
{
    const char *requested = prediction->options->gas;
    int counts = requested ? strcmp(requested, "standard") == 0 : freq_hz >= RW_AIR_FROM_HZ && prediction->has_air;
    if (!counts)
        return 0;
    rw_air_state air = rw_air_standard();
    return rw_oxygen_db_km(freq_hz, &air) + rw_vapour_db_km(freq_hz, &air);
}

static double find_rain_db_km(const rw_prediction *prediction, double freq_hz)
{
    double rain_mm_h = prediction->options->rain_mm_h;
    return rain_mm_h > 0 ? rw_rain_db_km(rw_rain_law_of(freq_hz, 0, 0.5 * RW_PI), rain_mm_h) : 0;
}

double rw_rain_db_per_m(const rw_prediction *prediction, size_t transmitter)
{
    return 1e-3 * find_rain_db_km(prediction, rw_prediction_freq_hz(prediction, transmitter));
}

double rw_air_db_per_m(const rw_prediction *prediction, size_t transmitter)
{
    double freq_hz = rw_prediction_freq_hz(prediction, transmitter);
    return 1e-3 * (find_rain_db_km(prediction, freq_hz) + gases_db_km(prediction, freq_hz));
}

typedef struct air_work {
    const rw_receivers_view *view;
    rw_vec3 source;
    double db_per_m;
    float *values;
} air_work;

static void add_air(void *user, size_t begin, size_t end)
{
    const air_work *work = user;
    for (size_t i = begin; i < end; i++) {
        size_t cell = work->view->outdoor[i];
        double length_m = rw_vec3_length(rw_vec3_sub(rw_receiver_point(work->view, cell), work->source));
        work->values[cell] = (float)((double)work->values[cell] + work->db_per_m * length_m);
    }
}

rw_status rw_air_add(const rw_prediction *prediction, size_t transmitter, int sign, float *values)
{
    double db_per_m = sign * rw_air_db_per_m(prediction, transmitter);
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter];
    air_work work = {view, rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z), db_per_m, values};
    return db_per_m == 0 ? RW_OK : rw_parallel(prediction->scene->context, view->outdoor_count, 1024, add_air, &work);
}
