/* Files of predict beside its map: values on walls, roofs and ground, or the rays that end there; beams and diffraction
 * sources. */
#include "commands/predict/predict.h"

#include <string.h>
#include <strings.h>

/* --tiles NAME.h5: every ray that ends at a tile, in place of the values on tiles. */
static int wants_rays(const struct call *call)
{
    const struct predict_settings *settings = call->settings;
    const char *dot = settings->tiles ? strrchr(settings->tiles, '.') : NULL;
    return dot && strcasecmp(dot, ".h5") == 0;
}

int wants_values_on_tiles(const struct call *call)
{
    const struct predict_settings *settings = call->settings;
    return settings->tiles && !wants_rays(call);
}

int check_names(struct call *call)
{
    const struct predict_settings *settings = call->settings;
    if (wants_rays(call) && strcmp(model_of(call), "tiles") != 0)
        return report_error("--tiles %s: rays to tiles are those of --model tiles; others have paths: rasterwave paths",
                            settings->tiles);
    rw_status status = wants_values_on_tiles(call) ? rw_tile_map_check_name(call->context, settings->tiles) : RW_OK;
    if (status != RW_OK)
        return report_status(call, status);
    TRY(check_output_file("tiles", settings->tiles));
    TRY(check_output_file("beam-outlines", settings->beam_outlines));
    TRY(check_output_file("diffraction-sources", settings->diffraction_sources));
    return check_output_file("reuse", model_argument_value(call, "reuse"));
}

int write_beams(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    const rw_scene *scene = prediction->request.scene;
    const rw_predict_options *options = &prediction->request.options;
    rw_status status = RW_OK;
    if (settings->beam_outlines)
        status = rw_write_beams(scene, options, settings->beam_outlines);
    if (status == RW_OK && settings->diffraction_sources)
        status = rw_write_diffraction_sources(scene, options, settings->diffraction_sources);
    return status == RW_OK ? 0 : report_status(call, status);
}

int write_rays_file(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    if (!wants_rays(call))
        return 0;
    rw_status status = rw_write_rays(prediction->request.scene, &prediction->request.options, settings->tiles);
    return status == RW_OK ? 0 : report_status(call, status);
}

int write_tiles(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    if (!prediction->tiles)
        return 0;
    rw_status status = rw_tile_map_write(prediction->tiles, settings->tiles, NULL);
    return status == RW_OK ? 0 : report_status(call, status);
}
