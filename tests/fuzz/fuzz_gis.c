/* Fuzz target: any bytes as a GIS file (GeoJSON, GeoPackage, OSM, Shapefile and others). */
#include "scene/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Readers take paths: the bytes go through one temporary file. */
static const char *write_file(const uint8_t *data, size_t size)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/rasterwave-fuzz-%ld.gis", (long)getpid());
    FILE *file = fopen(path, "wb");
    if (!file)
        return NULL;
    size_t written = fwrite(data, 1, size, file);
    return fclose(file) == 0 && written == size ? path : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rw_context *context;
    if (!context && rw_context_create(NULL, &context) != RW_OK)
        return 0;
    const char *path = write_file(data, size);
    if (!path)
        return 0;
    rw_load_options options;
    rw_load_options_init(&options);
    options.format = "gis";
    rw_scene *scene;
    if (rw_scene_load(context, path, &options, &scene) == RW_OK)
        rw_scene_destroy(scene);
    unlink(path);
    return 0;
}
