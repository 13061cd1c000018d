/* The first map from C: a generated city in, line of sight and path loss out, as a raster file each.
 * Usage: first_map [FOLDER] */
#include <rasterwave/rasterwave.h>
#include <stdio.h>
#include <stdlib.h>

static void need(rw_context *context, rw_status status)
{
    if (status == RW_OK)
        return;
    fprintf(stderr, "first_map: %s\n", rw_last_error(context));
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "out";
    rw_context *context;
    rw_status status = rw_context_create(NULL, &context); /* NULL: a GPU where there is one, all cores */
    need(context, status);

    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 600;
    rw_scene *scene;
    need(context, rw_generate_city(context, &city, &scene));
    need(context, rw_scene_commit(scene)); /* from here on any number of threads may predict on it */

    rw_transmitter mast;
    rw_transmitter_init(&mast);
    mast.x_m = mast.y_m = 300;
    mast.height_m = 60; /* above ground, and higher than the roof there */
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.layers = "los,path_loss";
    options.transmitters = &mast;
    options.transmitter_count = 1;
    rw_map *map;
    need(context, rw_predict(scene, &options, &map));

    for (size_t i = 0; i < 2; i++) {
        char path[4096];
        rw_map_layer layer = {.size = sizeof layer};
        need(context, rw_map_get_layer(map, i, &layer));
        need(context, rw_map_write_layer(map, i, folder, path, sizeof path));
        printf("%s: %zu cells, %g to %g %s, in %s\n", layer.name, layer.count, layer.min, layer.max, layer.unit, path);
    }
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    return 0;
}
