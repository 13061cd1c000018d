/* Offsets: a cable that is not in the table, a phone that reads 4 dB low, a power that is not known. One constant a
 * group, which is the mean of its errors: the best in least squares whatever the rest of a model says. */
#include "calibrate/measurements/measurements.h"

#include <string.h>

rw_status rw_offset_kind_parse(rw_context *context, const char *string, rw_offset_kind *kind)
{
    static const struct {
        const char *string;
        rw_offset_kind kind;
    } kinds[] = {
        {"none", {0, 0}}, {"site", {1, 0}}, {"device", {0, 1}}, {"site,device", {1, 1}}, {"device,site", {1, 1}}};
    *kind = (rw_offset_kind){0, 0};
    for (size_t i = 0; string && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(string, kinds[i].string) == 0) {
            *kind = kinds[i].kind;
            return RW_OK;
        }
    return string ? rw_fail(context, RW_BAD_CALL,
                            "there are no offsets by '%.60s'; use site, device, site,device or none", string)
                  : RW_OK;
}

#define DEVICES_MAX 4096

rw_status rw_sample_devices(const rw_measurements *measurements, uint32_t *devices, size_t *device_count)
{
    const char *names[DEVICES_MAX];
    size_t count = 0, last = 0;
    if (measurements->device_column == RW_CSV_NO_COLUMN)
        return rw_fail(measurements->context, RW_BAD_INPUT,
                       "%s: no column for device, so offsets of devices cannot be fitted; name it, such as columns "
                       "device=NAME",
                       measurements->csv.path);
    for (size_t i = 0; i < measurements->sample_count; i++) {
        const char *name = rw_sample_device(measurements, i);
        if (!count || strcmp(names[last], name) != 0) /* neighbours in the file are mostly of one device */
            for (last = 0; last < count && strcmp(names[last], name) != 0;)
                last++;
        if (last == count && count == DEVICES_MAX)
            return rw_fail(measurements->context, RW_BAD_INPUT, "%s: column device has more than %d different names",
                           measurements->csv.path, DEVICES_MAX);
        if (last == count)
            names[count++] = name;
        devices[i] = (uint32_t)last;
    }
    *device_count = count;
    return RW_OK;
}

void rw_offsets_fit(const double *measured_db, double *predicted_db, const uint32_t *groups, size_t count,
                    size_t group_count, double *offsets_db, size_t *counts)
{
    for (size_t g = 0; g < group_count; g++) {
        offsets_db[g] = 0;
        counts[g] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        offsets_db[groups[i]] += measured_db[i] - predicted_db[i];
        counts[groups[i]]++;
    }
    for (size_t g = 0; g < group_count; g++)
        offsets_db[g] = counts[g] ? offsets_db[g] / (double)counts[g] : 0;
    for (size_t i = 0; i < count; i++)
        predicted_db[i] += offsets_db[groups[i]];
}
