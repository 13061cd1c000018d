/* Temporary definitions of what other branches bring; deleted at the merge. */
#include "call.h"

#include <string.h>

#define INIT(name)                                                                                                     \
    void name##_init(name *options)                                                                                    \
    {                                                                                                                  \
        memset(options, 0, sizeof *options);                                                                           \
        options->size = sizeof *options;                                                                               \
    }
INIT(rw_city_options)
INIT(rw_office_options)
INIT(rw_terrain_options)
INIT(rw_predict_options)
INIT(rw_transmitter)

#define PENDING(name, ...)                                                                                             \
    rw_status name(__VA_ARGS__)                                                                                        \
    {                                                                                                                  \
        return RW_UNSUPPORTED;                                                                                         \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
PENDING(rw_generate_city, rw_context *c, const rw_city_options *o, rw_scene **s)
PENDING(rw_generate_office, rw_context *c, const rw_office_options *o, rw_scene **s)
PENDING(rw_generate_terrain, rw_context *c, const rw_terrain_options *o, rw_scene **s)
PENDING(rw_predict, const rw_scene *s, const rw_predict_options *o, rw_map **m)
PENDING(rw_predict_estimate, const rw_scene *s, const rw_predict_options *o, rw_estimate *e)
PENDING(rw_sites_load, rw_context *c, const char *p, rw_transmitter **s, size_t *n)
PENDING(rw_scene_save, const rw_scene *s, const char *p)
PENDING(rw_scene_get_info, const rw_scene *s, rw_scene_info *i)
PENDING(rw_scene_get_note, const rw_scene *s, size_t i, rw_note *n)
PENDING(rw_bench_run, rw_context *c, const char *d, const char *o, rw_bench_fn f, void *u)

void rw_sites_free(rw_transmitter *sites)
{
}

const char *rw_scene_material_name(const rw_scene *scene, size_t index)
{
    return "";
}

int command_calc(int argc, char **argv)
{
    return complain("calc is not there yet");
}
