/* Calibration from any bytes: the first line holds what to fit, what to hold out, constraints, averaging and offsets,
 * with bars between; the rest is the table of measurements. Values that are found are finite and within their bounds.
 */
#include "target.h"

#include <rasterwave/calibrate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX 512

/* The texts between the bars; NULL for an empty one. */
static void cut(char *line, const char *texts[5])
{
    for (int i = 0; i < 5; i++) {
        char *bar = line ? strchr(line, '|') : NULL;
        texts[i] = line && *line && *line != '|' ? line : NULL;
        if (bar)
            *bar = 0;
        line = bar ? bar + 1 : NULL;
    }
}

static void check_values(const rw_calibration *calibration)
{
    const rw_params *params = rw_calibration_params(calibration);
    rw_parameter parameter = {.size = sizeof parameter};
    for (size_t i = 0; i < rw_params_count(params); i++)
        if (rw_params_get(params, i, &parameter) != RW_OK || !(parameter.value >= parameter.low) ||
            !(parameter.value <= parameter.high))
            abort();
    rw_calibration_info info = {.size = sizeof info};
    if (rw_calibration_get_info(calibration, &info) != RW_OK || !isfinite(info.after.rmse_db))
        abort();
}

static void calibrate(char *line, const rw_measurements *measurements)
{
    const char *texts[5];
    rw_transmitter transmitter;
    rw_predict_options prediction;
    rw_calibrate_options options;
    rw_calibration *calibration = NULL;
    cut(line, texts);
    rw_transmitter_init(&transmitter);
    transmitter.x_m = 12;
    transmitter.y_m = 14;
    transmitter.height_m = 5;
    rw_predict_options_init(&prediction);
    prediction.transmitters = &transmitter;
    prediction.transmitter_count = 1;
    prediction.res_m = 1;
    prediction.order = 1;
    prediction.freq_hz = 2e9;
    prediction.params = fuzz_params();
    rw_calibrate_options_init(&options);
    options.fit = texts[0];
    options.holdout = texts[1];
    options.constraints = texts[2];
    options.average = texts[3] ? texts[3] : options.average;
    options.offsets = texts[4] ? texts[4] : options.offsets;
    options.iterations_max = 2;
    options.folds = 2;
    rw_status status = rw_calibrate(fuzz_houses(), &prediction, measurements, &options, &calibration);
    fuzz_check(status);
    if (status == RW_OK)
        check_values(calibration);
    rw_calibration_destroy(calibration);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char line[LINE_MAX] = "";
    rw_measurements *measurements = NULL;
    const uint8_t *end = size ? memchr(bytes, '\n', size) : NULL;
    size_t length = end ? (size_t)(end - bytes) : 0;
    memcpy(line, bytes, length < LINE_MAX ? length : LINE_MAX - 1);
    size_t skip = end ? length + 1 : 0;
    const char *path = fuzz_write("measurements.csv", bytes + skip, size - skip);
    rw_status status = rw_measurements_load(fuzz_context(), path, NULL, &measurements);
    fuzz_check(status);
    if (status == RW_OK)
        calibrate(line, measurements);
    rw_measurements_destroy(measurements);
    fuzz_remove("measurements.csv");
    return 0;
}
