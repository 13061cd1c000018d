/* The histograms of some receivers as power gains: one item is one bin of one receiver. Most receivers of a city have
 * no path at all, and what is not copied costs nothing. */
#ifndef RW_MODELS_BEAMS_EVALUATION_GATHER_HISTOGRAM_K_H
#define RW_MODELS_BEAMS_EVALUATION_GATHER_HISTOGRAM_K_H

#include "base/kernel/qualifiers.h"
#include <stddef.h>

struct rw_gather_histogram_args {
    const uint64_t *histogram; /* bins of every receiver, in quanta */
    const uint32_t *receivers; /* those wanted */
    int bins;
    double quantum;
    float *gains; /* bins of those wanted */
};

RW_FN void rw_gather_histogram_item(const struct rw_gather_histogram_args *args, size_t item)
{
    size_t index = item / (size_t)args->bins, bin = item - index * (size_t)args->bins;
    size_t from = (size_t)args->receivers[index] * (size_t)args->bins + bin;
    args->gains[item] = (float)((double)args->histogram[from] * args->quantum);
}

#endif
