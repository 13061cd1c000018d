/* The images model after Novak (2016): the discrete method of images. Reflections and transmissions of plane surfaces,
 * found by rendering, summed as exact paths. Valid where surfaces are plane and large against the wavelength. */
#include "models/images/images.h"

#include "models/images/parameters.h"
#include "models/rays/ray_layers.h"

#define DEPTH 4
#define PIXELS 1024

rw_status rw_images_settle(const rw_prediction *prediction, const rw_ray_scene *scene, rw_images_options *options)
{
    rw_context *context = prediction->scene->context;
    const rw_predict_options *asked = prediction->options;
    int pixels, threshold;
    RW_TRY(rw_ray_option(context, "depth", asked->depth, 1, RW_IMAGE_DEPTH_MAX, DEPTH, &options->depth));
    RW_TRY(rw_ray_option(context, "pixels", asked->pixels, 16, RW_VIEW_PIXELS_MAX, PIXELS, &pixels));
    /* A window of (pixels / 256)^2 is a third of a degree wide whatever the number of pixels. */
    int usual = pixels / 256 < 1 ? 1 : (pixels / 256) * (pixels / 256);
    RW_TRY(rw_ray_option(context, "threshold", asked->threshold, 1, 1 << 24, usual, &threshold));
    RW_TRY(rw_ray_option(context, "diffraction", asked->diffraction, 0, 1, 0, &options->diffraction));
    options->pixels = (uint32_t)pixels;
    options->threshold = (uint32_t)threshold;
    if (scene->surfaces.view.surface_count >= UINT16_MAX)
        return rw_fail(
            context, RW_TOO_LARGE,
            "the scene has %u plane surfaces and this model takes %d: curved or very fine meshes are not for it",
            scene->surfaces.view.surface_count, UINT16_MAX - 1);
    return RW_OK;
}

static rw_status solve_transmitter(const rw_prediction *prediction, rw_ray_scene *scene, const rw_points *points,
                                   rw_ray_sums *sums)
{
    rw_images_options options = {0};
    RW_TRY(rw_images_settle(prediction, scene, &options));
    return rw_images_solve(scene, points, &options, sums, NULL);
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    return rw_ray_layers_fill(prediction, map, solve_transmitter);
}

const rw_model rw_model_images = {.name = "images",
                                  .layers = RW_RAY_LAYERS,
                                  .default_layers = RW_RAY_DEFAULT_LAYERS,
                                  .solve = solve,
                                  .trace = rw_images_trace,
                                  .rooms = 1,
                                  .any_plane = 1,
                                  .res_m = 1.0 / 3,
                                  .rx_height_m = 1.1,
                                  .parameters = rw_image_parameters,
                                  .parameter_count = RW_IMAGE_PARAMETERS,
                                  .parameter_defaults = rw_image_parameter_defaults,
                                  .term_count = RW_IMAGE_TERMS,
                                  .path_terms = rw_image_path_terms,
                                  .terms_loss_db = rw_image_terms_loss_db,
                                  .all_paths = 1};
