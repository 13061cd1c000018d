/* rasterwave calc terrain: the loss of a link over a profile. */
#include "commands/calc/calc.h"

#include <string.h>

#define LENGTH(name, required, value, help)                                                                            \
    {                                                                                                                  \
        name, CALC_QUANTITY, RW_QUANTITY_LENGTH_M, required, value, help                                               \
    }

const struct calc_option calc_terrain_options[] = {
    {"profile", CALC_STRING, RW_QUANTITY_NUMBER, 1, "FILE.csv", "columns distance_m (or _km), height_m, clutter_m"},
    {"freq", CALC_QUANTITY, RW_QUANTITY_FREQUENCY_HZ, 1, "F", "frequency"},
    LENGTH("tx-height", 0, "H", "of the antenna at the first point (30)"),
    LENGTH("rx-height", 0, "H", "of the antenna at the last point (1.5)"),
    {"k-factor", CALC_QUANTITY, RW_QUANTITY_NUMBER, 0, "K", "effective over true earth radius (1.33333)"},
    {"sea", CALC_QUANTITY, RW_QUANTITY_NUMBER, 0, "S", "share of the path over sea, 0 to 1 (0)"},
    {"pol", CALC_STRING, RW_QUANTITY_NUMBER, 0, "vertical|horizontal", "polarisation (vertical)"},
    {NULL, CALC_STRING, RW_QUANTITY_NUMBER, 0, NULL, NULL}};

rw_status calc_run_terrain(struct calc_call *call)
{
    rw_terrain_loss_options options;
    rw_terrain_loss_result result = {.size = sizeof result};
    const char *polarisation = calc_string(call, "pol", "vertical");
    rw_terrain_loss_options_init(&options);
    options.horizontal = strcmp(polarisation, "horizontal") == 0;
    if (!options.horizontal && strcmp(polarisation, "vertical") != 0)
        return calc_fail(call, "--pol: '%.60s' is neither vertical nor horizontal", polarisation);
    options.profile = calc_string(call, "profile", NULL);
    options.freq_hz = calc_number(call, "freq", 0);
    options.first_height_m = calc_number(call, "tx-height", options.first_height_m);
    options.last_height_m = calc_number(call, "rx-height", options.last_height_m);
    options.k_factor = calc_number(call, "k-factor", options.k_factor);
    options.sea_fraction = calc_number(call, "sea", 0);
    rw_status status = rw_calc_terrain(call->context, &options, &result);
    if (status != RW_OK)
        return status;
    answer_begin(call);
    answer_number(call, "freq_hz", "frequency", options.freq_hz, "Hz");
    answer_number(call, "length_m", "length", result.length_m, "m");
    answer_number(call, "loss_db", "loss", result.loss_db, "dB");
    answer_number(call, "free_space_db", "free space alone", result.free_space_db, "dB");
    answer_number(call, "diffraction_db", "diffraction, ITU-R P.1812", result.diffraction_db, "dB");
    answer_number(call, "bullington_db", "Bullington's edge", result.bullington_db, "dB");
    answer_number(call, "nu", "nu of that edge", result.nu, "");
    answer_number(call, "smooth_earth_db", "smooth earth", result.smooth_earth_db, "dB");
    answer_number(call, "earth_radius_m", "effective earth radius", result.earth_radius_m, "m");
    answer_flag(call, "line_of_sight", "line of sight", result.line_of_sight);
    answer_end(call);
    return RW_OK;
}
