/* The options of the images model, and what the search takes from them. */
#include "models/images/images.h"

#include <string.h>

const rw_model_option rw_images_options_table[] = {
    RW_OPTIONS_OF_ROOMS,
    {RW_OPTION_COUNT("pixels", pixels, 16, RW_VIEW_PIXELS_MAX), .default_value = "1024",
     .help = "Pixels along a side of each of the six views."},
    {RW_OPTION_COUNT("threshold", threshold, 1, 1 << 24), .default_text = "(pixels / 256) squared",
     .help = "Least pixels of a surface that is followed."},
    {RW_OPTION_SUM},
    {RW_OPTION_REFRACTION, .choices = "full,paths,none",
     .help = "What slabs displace: views and paths, paths alone, or nothing: straight through walls."},
    {RW_OPTION_SURFACES},
    {.name = "validation",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(validation),
     .default_value = "exact",
     .choices = "exact,none",
     .help = "Whether paths are checked against all surfaces, or the depth buffer alone decides about receivers."},
    {.name = "traversal",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(traversal),
     .default_value = "levels",
     .choices = "levels,recursion",
     .help = "The image tree level by level, or depth first with one frame buffer."},
    RW_OPTIONS_RX_ANTENNA(RW_OPTION_OF_PATHS),
    {RW_OPTION_RX_SLANT},
    {.name = "rx-ports",
     .type = RW_OPTION_INTEGER,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(rx_ports),
     .min = 1,
     .max = 2,
     .default_value = "1",
     .help = "Ports of the receivers' antenna: 2 for dual polarisation, whose powers add (sum power)."},
    {RW_OPTION_REFERENCE},
    RW_OPTIONS_NEAR_FIELD,
    {RW_OPTION_PLANE_OF_MAP},
    {RW_OPTION_PARAMS_OF_MODEL},
    {0}};

rw_status rw_images_resolve(const rw_prediction *prediction, rw_images_options *options)
{
    const rw_predict_options *user = prediction->options;
    /* A window of (pixels / 256)^2 is a third of a degree wide whatever the number of pixels. */
    int default_threshold = user->pixels / 256 < 1 ? 1 : (user->pixels / 256) * (user->pixels / 256);
    rw_search_limits limits = rw_search_limits_of(user);
    if (user->rx_ports == 2 && strcmp(user->sum ? user->sum : "", "power") != 0)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "rx-ports 2 adds the powers of both ports: it needs the option sum with the value power");
    options->depth = limits.depth;
    options->limits = limits.steps;
    options->direct_always = limits.direct_always;
    options->diffraction = limits.diffraction;
    options->straight = strcmp(user->refraction, "paths") == 0;
    options->unchecked = strcmp(user->validation, "none") == 0;
    options->recursion = strcmp(user->traversal, "recursion") == 0;
    options->pixels = (uint32_t)user->pixels;
    options->threshold = (uint32_t)(user->threshold == RW_UNSET ? default_threshold : user->threshold);
    return RW_OK;
}
