/* ENVI maps from any bytes: the header, and after a line "---" the values. What is read can be drawn and measured. */
#include "target.h"

#include <stdlib.h>

/* Coding a picture as PNG takes most of the time, and none of the input is left in it but colours. */
rw_status __wrap_rw_png_write(rw_context *context, const char *path, int width, int height, const uint8_t *rgb);
rw_status __wrap_rw_png_write(rw_context *context, const char *path, int width, int height, const uint8_t *rgb)
{
    (void)context, (void)path, (void)width, (void)height, (void)rgb;
    return RW_OK;
}

/* Of few pixels, and only for every sixteenth size of an input. */
static void draw(const rw_map *map)
{
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.width_px = 16;
    fuzz_check(rw_map_draw(map, &options, fuzz_path("map.png")));
}

static void use(const rw_map *map, int draws)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer layer = {.size = sizeof layer};
    rw_transmitter transmitter;
    rw_coverage coverage = {.size = sizeof coverage};
    char written[512];
    if (rw_map_get_info(map, &info) != RW_OK || rw_map_get_layer(map, 0, &layer) != RW_OK)
        abort();
    rw_transmitter_init(&transmitter);
    for (size_t band = 0; band < layer.bands; band++) {
        fuzz_check(rw_map_get_transmitter(map, band, &transmitter));
        fuzz_check(rw_map_coverage(map, band, -90, &coverage));
    }
    if (draws && info.columns * info.rows <= 256)
        draw(map);
    if (rw_map_write_layer(map, 0, fuzz_folder(), written, sizeof written) == RW_OK) {
        fuzz_remove("path_loss.tif");
        fuzz_remove("path_loss.bin");
        fuzz_remove("path_loss.hdr");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *values;
    rw_map *map = NULL;
    size_t header_size = fuzz_split(bytes, size, &values);
    fuzz_write("map.bin", values, values ? (size_t)(bytes + size - values) : 0);
    rw_status status = rw_map_read(fuzz_context(), fuzz_write("map.hdr", bytes, header_size), &map);
    fuzz_check(status);
    if (status == RW_OK)
        use(map, size % 16 == 0);
    rw_map_destroy(map);
    fuzz_remove("map.hdr");
    fuzz_remove("map.bin");
    return 0;
}
