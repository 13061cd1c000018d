#include "scene/load.h"

static int recognises(const char *path, const char *start, size_t size)
{
    (void)path, (void)start, (void)size;
    return 0;
}

static rw_status read_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    (void)options;
    return rw_fail(scene->context, RW_UNSUPPORTED, "%s: the reader for gis is not there yet", path);
}

const rw_reader rw_reader_gis = {"gis", "", recognises, read_scene};

rw_status rw_scene_read_terrain(rw_scene *scene, const char *path)
{
    return rw_fail(scene->context, RW_UNSUPPORTED, "%s: terrain needs GDAL", path);
}
