/* Polarisations of transmitters by name. */
#include "scene/antennas/antenna.h"

#include "base/text/units.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    double slant_deg;
    int dual;
} words[] = {{"vertical", 0, 0},
             {"v", 0, 0},
             {"horizontal", 90, 0},
             {"h", 90, 0},
             {"slant", 45, 0},
             {"dual", 45, 1},
             {"cross", 45, 1},
             {"x", 45, 1},
             {"xpol", 45, 1},
             {"x-pol", 45, 1},
             {"\xC2\xB1"
              "45",
              45, 1},
             {"+-45", 45, 1},
             {"+/-45", 45, 1},
             {"vh", 0, 1},
             {"v/h", 0, 1}};

rw_status rw_polarisation_parse(rw_context *context, const char *string, double *slant_deg, int *dual)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(string, words[i].word) == 0) {
            *slant_deg = words[i].slant_deg;
            *dual = words[i].dual;
            return RW_OK;
        }
    double value;
    size_t used = rw_parse_number(string, &value);
    const char *unit = string + used + strspn(string + used, " ");
    if (used == 0 || !(fabs(value) <= 180) || (*unit && strcasecmp(unit, "deg") != 0))
        return rw_fail(context, RW_BAD_INPUT,
                       "there is no polarisation '%.40s'; use vertical, horizontal, a slant such as 45 or -45 degrees, "
                       "dual (+45 and -45) or vh",
                       string);
    *slant_deg = value;
    *dual = 0;
    return RW_OK;
}

rw_status rw_transmitter_set_polarisation(rw_context *context, rw_transmitter *transmitter, const char *string)
{
    return rw_polarisation_parse(context, string, &transmitter->slant_deg, &transmitter->dual_polarised);
}
