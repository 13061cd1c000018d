#include "models/engine/received/received.h"

#include <math.h>
#include <strings.h>

/* Frequencies come from texts in megahertz or gigahertz: what differs by less is rounding. */
#define SAME_FREQ_HZ 1.0

static int channels_interfere(const rw_prediction *prediction, size_t first, size_t second)
{
    const rw_transmitter *transmitters = prediction->options->transmitters;
    double apart_hz = rw_prediction_freq_hz(prediction, first) - rw_prediction_freq_hz(prediction, second);
    return fabs(apart_hz) < SAME_FREQ_HZ && strcasecmp(transmitters[first].channel, transmitters[second].channel) == 0;
}

size_t rw_channels_find(const rw_prediction *prediction, uint32_t *channels)
{
    size_t count = 0;
    for (size_t i = 0; i < prediction->options->transmitter_count; i++) {
        size_t earlier = 0;
        while (earlier < i && !channels_interfere(prediction, earlier, i))
            earlier++;
        channels[i] = earlier < i ? channels[earlier] : (uint32_t)count++;
    }
    return count;
}
