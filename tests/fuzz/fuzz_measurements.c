/* Tables of measurements from any bytes, each compared with a small map: whatever is read must give finite figures. */
#include "target.h"

#include "output/maps/map.h"

#include <rasterwave/calibrate.h>
#include <math.h>
#include <stdlib.h>

static const rw_map *small_map(void)
{
    static rw_map *map;
    if (map)
        return map;
    rw_map_info info = {.size = sizeof info, .columns = 8, .rows = 8, .res_m = 10, .rx_height_m = 1.5};
    float *values;
    if (rw_map_create(fuzz_context(), &info, "", &map) != RW_OK ||
        rw_map_add_layer(map, "path_loss", "dB", 1, &values) != RW_OK)
        exit(1);
    for (int i = 2; i < 64; i++)
        values[i] = (float)(70 + i);
    values[1] = INFINITY;
    return map;
}

static void evaluate(const rw_measurements *measurements, const char *average)
{
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    options.average = average;
    options.transmitter = &transmitter;
    rw_evaluation *evaluation = NULL;
    rw_status status = rw_evaluate_map(small_map(), 0, measurements, &options, &evaluation);
    fuzz_check(status);
    rw_evaluation_info info = {.size = sizeof info};
    if (status == RW_OK && rw_evaluation_get_info(evaluation, &info) == RW_OK)
        if (!isfinite(info.prediction.mean_db) || !isfinite(info.prediction.rmse_db) || info.points == 0)
            abort();
    rw_evaluation_destroy(evaluation);
}

static void load(const char *path, const rw_measurements_options *options)
{
    rw_measurements *measurements = NULL;
    rw_status status = rw_measurements_load(fuzz_context(), path, options, &measurements);
    fuzz_check(status);
    if (status != RW_OK)
        return;
    evaluate(measurements, "linear");
    evaluate(measurements, "none");
    rw_measurements_destroy(measurements);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *path = fuzz_write("measurements.csv", bytes, size);
    rw_measurements_options options;
    rw_measurements_options_init(&options);
    load(path, &options);
    options.columns = "x=1,y=2,value=3,route=1";
    options.quantity = "power";
    options.tx_power_dbm = 43;
    load(path, &options);
    fuzz_remove("measurements.csv");
    return 0;
}
