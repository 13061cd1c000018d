/* One cut of an antenna pattern as a smooth closed curve.
 * Reference: F. N. Fritsch, J. Butland, A method for constructing local monotone piecewise cubic interpolants, SIAM
 * Journal on Scientific and Statistical Computing 5 (1984). */
#include "scene/antennas/antenna.h"

static double step_after(const rw_antenna_cut *cut, size_t index)
{
    size_t next = (index + 1) % cut->count;
    double step = cut->angle_deg[next] - cut->angle_deg[index];
    return next == 0 ? step + 360 : step;
}

static double secant_after(const rw_antenna_cut *cut, size_t index)
{
    size_t next = (index + 1) % cut->count;
    return (cut->loss_db[next] - cut->loss_db[index]) / step_after(cut, index);
}

/* The slope at a sample is a weighted harmonic mean of those on its two sides, zero at peaks and nulls. */
void rw_antenna_cut_smooth(rw_antenna_cut *cut)
{
    for (size_t i = 0; i < cut->count; i++) {
        size_t before = (i + cut->count - 1) % cut->count;
        double left = secant_after(cut, before), right = secant_after(cut, i);
        double left_step = step_after(cut, before), right_step = step_after(cut, i);
        cut->slope_db_per_deg[i] = 0;
        if (left * right > 0) {
            double share = (left_step + 2 * right_step) / (3 * (left_step + right_step));
            cut->slope_db_per_deg[i] = left * right / (share * right + (1 - share) * left);
        }
    }
}

static size_t sample_before(const rw_antenna_cut *cut, double angle_deg)
{
    size_t low = 0, high = cut->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (cut->angle_deg[middle] <= angle_deg)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : cut->count - 1;
}

double rw_antenna_cut_loss_db(const rw_antenna_cut *cut, double angle_deg)
{
    angle_deg -= 360 * floor(angle_deg / 360);
    size_t before = sample_before(cut, angle_deg), after = before + 1 < cut->count ? before + 1 : 0;
    double step = step_after(cut, before);
    double offset = angle_deg - cut->angle_deg[before];
    double t = (offset < 0 ? offset + 360 : offset) / step, u = 1 - t;
    double start = cut->loss_db[before], end = cut->loss_db[after];
    return u * u * (1 + 2 * t) * start + t * t * (1 + 2 * u) * end +
           t * u * step * (u * cut->slope_db_per_deg[before] - t * cut->slope_db_per_deg[after]);
}
