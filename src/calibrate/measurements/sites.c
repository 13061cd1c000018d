/* The transmitter of a sample: the only one, or the one that the sample's site names. */
#include "calibrate/measurements/places.h"

#include <string.h>

/* Whether the samples name more than one site. */
static int names_several(const rw_measurements *measurements)
{
    for (size_t i = 1; i < measurements->sample_count; i++)
        if (strcmp(rw_sample_site(measurements, i), rw_sample_site(measurements, 0)) != 0)
            return 1;
    return 0;
}

static rw_status refuse_site(const rw_measurements *measurements, size_t sample)
{
    return rw_fail(measurements->context, RW_BAD_INPUT,
                   "%s, line %zu: no transmitter is called '%.60s'; name the transmitters as the sites are, or "
                   "choose one with site",
                   measurements->csv.path, measurements->csv.lines[measurements->samples[sample].row],
                   rw_sample_site(measurements, sample));
}

rw_status rw_sample_transmitters(const rw_measurements *measurements, const rw_predict_options *prediction,
                                 uint32_t *transmitters)
{
    size_t count = prediction->transmitter_count, last = 0;
    memset(transmitters, 0, measurements->sample_count * sizeof *transmitters);
    if (count == 1 && !names_several(measurements))
        return RW_OK;
    if (measurements->site_column == RW_CSV_NO_COLUMN)
        return rw_fail(measurements->context, RW_BAD_INPUT,
                       "%s: there are %zu transmitters and no column that names the site of a sample; give one "
                       "transmitter, or the column as columns site=NAME",
                       measurements->csv.path, count);
    for (size_t i = 0; i < measurements->sample_count; i++) {
        const char *site = rw_sample_site(measurements, i);
        size_t at = last; /* neighbours in the file are mostly of one site */
        for (size_t tried = 0; tried < count && strcmp(prediction->transmitters[at].name, site) != 0; tried++)
            at = tried;
        if (strcmp(prediction->transmitters[at].name, site) != 0)
            return refuse_site(measurements, i);
        transmitters[i] = (uint32_t)(last = at);
    }
    return RW_OK;
}
