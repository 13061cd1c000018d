/* The images model after Novak (2016): the discrete method of images. Reflections and transmissions of plane surfaces,
 * found by rendering, summed as exact paths. Valid where surfaces are plane and large against the wavelength. */
#include "models/images/images.h"

#include "models/rays/rays.h"

#include <math.h>

static rw_status open_images_search(rw_rays *rays)
{
    rw_images_options options = {0};
    RW_TRY(rw_images_resolve(rays->prediction, &options));
    return rw_images_open(&rays->scene, &rays->points, &options, rays->use == RW_USE_MAP,
                          (rw_images_solver **)(void *)&rays->own);
}

static void close_images_search(rw_rays *rays)
{
    rw_images_close(rays->own);
}

static rw_status solve_images_search(rw_rays *rays)
{
    return rw_images_run(rays->own, rays->sums, NULL);
}

static const rw_rays_search images_search = {open_images_search, close_images_search, solve_images_search,
                                             rw_images_trace, 1};

static rw_status open_images_model(const rw_prediction *prediction, rw_use use, void **state)
{
    return rw_rays_open(prediction, use, &images_search, state);
}

/* Views of the image tree, and receivers in them; measured on offices of 300 to 600 walls. */
static rw_status estimate_images_cost(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    const rw_predict_options *options = prediction->options;
    double surfaces = rw_rays_surface_estimate(prediction->scene), depth = rw_search_limits_of(options).depth;
    double views = surfaces / 305 * pow(2.2, depth - 4), pixels = options->pixels / 1024.0;
    rw_estimate_work(prediction, estimate,
                     (double)estimate->transmitters *
                         (0.1 * pixels * pixels + views * (0.6 + 8e-5 * (double)estimate->cells)));
    return rw_rays_estimate(prediction, cells, estimate);
}

const rw_model rw_model_images = {.name = "images",
                                  .title = "Indoors: exact images",
                                  .polarised = 1,
                                  .layer_kinds = rw_room_layer_kinds,
                                  .layers = RW_LAYER_NAMES(RW_ROOM_LAYERS),
                                  .default_layers = RW_ROOM_DEFAULT_LAYERS,
                                  .options = rw_images_options_table,
                                  .open = open_images_model,
                                  .close = rw_rays_close,
                                  .solve = rw_rays_solve,
                                  .trace = rw_rays_trace,
                                  .estimate = estimate_images_cost,
                                  .prior_by_engine = RW_PRIOR_BY_NAME,
                                  .rooms = 1,
                                  .records_gains = 1,
                                  .antenna_in_loss = 1,
                                  .parameters = rw_image_parameters,
                                  .parameter_count = RW_IMAGE_PARAMETERS,
                                  .parameter_defaults = rw_image_parameter_defaults,
                                  .term_count = RW_IMAGE_TERMS,
                                  .path_terms = rw_image_path_terms,
                                  .terms_loss_db = rw_image_terms_loss_db,
                                  .all_paths = 1};
