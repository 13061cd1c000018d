/* One cut of an antenna pattern as a smooth closed curve.
 * Reference: F. N. Fritsch, J. Butland, A method for constructing local monotone piecewise cubic interpolants, SIAM
 * Journal on Scientific and Statistical Computing 5 (1984). */
#include "scene/antennas/antenna.h"

static double secant_after(const rw_antenna_cut *cut, size_t index)
{
    size_t next = (index + 1) % cut->count;
    return (cut->loss_db[next] - cut->loss_db[index]) / rw_cut_step_after(cut, index);
}

/* The slope at a sample is a weighted harmonic mean of those on its two sides, zero at peaks and nulls. */
void rw_antenna_cut_smooth(rw_antenna_cut *cut)
{
    for (size_t i = 0; i < cut->count; i++) {
        size_t before = (i + cut->count - 1) % cut->count;
        double left = secant_after(cut, before), right = secant_after(cut, i);
        double left_step = rw_cut_step_after(cut, before), right_step = rw_cut_step_after(cut, i);
        cut->slope_db_per_deg[i] = 0;
        if (left * right > 0) {
            double weight = (left_step + 2 * right_step) / (3 * (left_step + right_step));
            cut->slope_db_per_deg[i] = left * right / (weight * right + (1 - weight) * left);
        }
    }
}
