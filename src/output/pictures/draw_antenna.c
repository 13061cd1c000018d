/* A picture of an antenna's pattern: gain over the angle in the horizontal and in the vertical plane through its
 * boresight. */
#include "base/memory.h"
#include "output/pictures/pictures.h"
#include "scene/antennas/antenna.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ANGLES 1441 /* a quarter of a degree, -180 to 180 */
#define SHOWN_DB 45 /* below the largest gain */

/* Width of the main lobe at 3 dB below the peak, from the samples around it; NaN: it has none. */
static double find_beamwidth_deg(const double *angle_deg, const double *gain_dbi)
{
    size_t peak = 0, left, right;
    for (size_t i = 1; i < ANGLES; i++)
        if (gain_dbi[i] > gain_dbi[peak])
            peak = i;
    for (left = peak; left > 0 && gain_dbi[left] > gain_dbi[peak] - 3; left--)
        ;
    for (right = peak; right + 1 < ANGLES && gain_dbi[right] > gain_dbi[peak] - 3; right++)
        ;
    int is_lobe = gain_dbi[left] <= gain_dbi[peak] - 3 && gain_dbi[right] <= gain_dbi[peak] - 3;
    return is_lobe ? angle_deg[right] - angle_deg[left] : NAN;
}

static void name_cut(const char *plane, double width_deg, char *name, size_t size)
{
    if (isnan(width_deg))
        snprintf(name, size, "%s", plane);
    else
        snprintf(name, size, "%s, %.3g degrees at 3 dB", plane, width_deg);
}

rw_status rw_antenna_draw(rw_context *context, const rw_antenna *antenna, const char *path)
{
    double *values;
    char names[2][80], subtitle[80];
    if (!antenna)
        return rw_fail(context, RW_BAD_CALL, "there is no antenna to draw");
    RW_TRY(rw_array_create(context, 3 * ANGLES, sizeof *values, "a picture of an antenna", &values));
    double *angle_deg = values, *horizontal = values + ANGLES, *vertical = values + 2 * ANGLES, peak_dbi = -INFINITY;
    for (size_t i = 0; i < ANGLES; i++) {
        angle_deg[i] = -180 + 0.25 * (double)i;
        horizontal[i] = rw_antenna_gain_dbi(antenna, 90, -angle_deg[i]);
        vertical[i] = rw_antenna_gain_dbi(antenna, 90 + angle_deg[i], 0);
        peak_dbi = fmax(peak_dbi, fmax(horizontal[i], vertical[i]));
    }
    name_cut("horizontal, clockwise", find_beamwidth_deg(angle_deg, horizontal), names[0], sizeof names[0]);
    name_cut("vertical, downwards", find_beamwidth_deg(angle_deg, vertical), names[1], sizeof names[1]);
    for (size_t i = 0; i < 2 * ANGLES; i++)
        horizontal[i] = fmax(horizontal[i], peak_dbi - SHOWN_DB);
    const rw_series series[] = {{names[0], angle_deg, horizontal, ANGLES, RW_SERIES_LINE},
                                {names[1], angle_deg, vertical, ANGLES, RW_SERIES_LINE}};
    snprintf(subtitle, sizeof subtitle, "largest gain %.2f dBi", peak_dbi);
    const rw_plot plot = {.title = rw_antenna_name(antenna),
                          .subtitle = subtitle,
                          .x_label = "angle from the boresight in degrees",
                          .y_label = "gain in dBi",
                          .series = series,
                          .series_count = 2};
    rw_status status = rw_plot_write(context, &plot, path);
    free(values);
    return status;
}
