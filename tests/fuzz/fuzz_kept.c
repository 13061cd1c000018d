/* Kept beams from any bytes: what is read makes a map or is refused with a sentence. */
#include "target.h"

#include <stdlib.h>

static rw_scene *wall(void)
{
    static rw_scene *scene;
    if (scene)
        return scene;
    rw_panel panel = {.size = sizeof panel, .x0_m = 0, .y0_m = 20, .x1_m = 40, .y1_m = 20, .top_m = 9};
    if (rw_scene_create(fuzz_context(), &scene) != RW_OK || rw_scene_add_panel(scene, &panel) != RW_OK ||
        rw_scene_commit(scene) != RW_OK)
        abort();
    return scene;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rw_transmitter transmitter;
    rw_predict_options options;
    rw_map *map;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = 11;
    transmitter.y_m = 8;
    transmitter.height_m = 5;
    rw_predict_options_init(&options);
    options.model = "beams";
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    options.res_m = 10;
    options.area_m[2] = options.area_m[3] = 40;
    options.reflections = 1;
    options.reuse = fuzz_write("kept.rwbeams", bytes, size);
    rw_status status = rw_predict(wall(), &options, &map);
    fuzz_check(status);
    rw_map_destroy(map);
    fuzz_remove("kept.rwbeams");
    return 0;
}
