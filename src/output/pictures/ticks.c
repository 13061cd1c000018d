#include "output/pictures/pictures.h"

#include <math.h>
#include <stdio.h>

void rw_tick_widen(double *low, double *high)
{
    double largest = fmax(fabs(*low), fabs(*high)), half = fmax(0.5, 1e-6 * largest);
    if (*high - *low > fmax(1e-12 * largest, 1e-300))
        return;
    *low -= half;
    *high += half;
}

double rw_tick_step(double range, int wanted)
{
    if (!(range > 0) || !isfinite(range))
        return 1;
    double raw = range / wanted, power = pow(10, floor(log10(raw))), lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

void rw_tick_label(double value, double step, char *label, size_t size)
{
    if (fabs(value) < 1e-9 * step)
        value = 0;
    if (fabs(value) >= 1e7 || (step > 0 && step < 1e-6)) {
        snprintf(label, size, "%.3g", value);
        return;
    }
    int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    snprintf(label, size, "%s%.*f", value < 0 ? "\xe2\x88\x92" : "", decimals, fabs(value));
}
