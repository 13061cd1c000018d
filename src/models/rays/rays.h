/* What the models of rays between plane surfaces share: images, sbr and rt. A model is open with the surfaces of the
 * scene at a frequency and with the receivers that are not inside a wall; it only finds the paths of one transmitter.
 */
#ifndef RW_MODELS_RAYS_RAYS_H
#define RW_MODELS_RAYS_RAYS_H

#include "discretise/receivers/receivers.h"
#include "field/surfaces/construction.k.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "models/engine/model.h"
#include "models/engine/prediction/prediction.h"
#include "models/rays/image_path.k.h"
#include "models/rays/ray_layers.h"
#include "models/rays/ray_view.h"

typedef struct rw_rays rw_rays;

/* What a model adds; any may be NULL but solve. */
typedef struct rw_rays_search {
    rw_status (*open)(rw_rays *rays);  /* checks options and takes memory: rays->own */
    void (*close)(rw_rays *rays);      /* of what open has made; own may be NULL */
    rw_status (*solve)(rw_rays *rays); /* adds all paths of the transmitter to rays->sums, which are zero */
    rw_status (*trace)(rw_rays *rays, rw_paths *paths); /* appends them one by one */
    int reports_walls; /* 1: the model's layers are RW_ROOM_LAYERS, and its sums tell which paths go through walls */
} rw_rays_search;

/* An open model. */
struct rw_rays {
    const rw_prediction *prediction;
    const rw_rays_search *search;
    rw_use use;
    rw_ray_scene scene; /* at the frequency of the transmitter, which is placed in it */
    double freq_hz;     /* 0: not made yet */
    rw_points points;   /* receivers that are not inside a wall */
    int has_points;
    rw_ray_sum_kind kind;
    rw_ray_sums *sums; /* of each point, on the host */
    float *power_dbm;
    size_t transmitter; /* at hand */
    rw_device_medium medium;
    void *own; /* the model's */
};

rw_status rw_rays_open(const rw_prediction *prediction, rw_use use, const rw_rays_search *search, void **state);

/* Calls of rw_model; state is an rw_rays. */
void rw_rays_close(void *state);
rw_status rw_rays_solve(void *state, rw_run *run, size_t first, size_t count);
rw_status rw_rays_trace(void *state, size_t first, size_t count, rw_paths *paths);
/* About how many plane surfaces a scene has, before they are made. */
double rw_rays_surface_estimate(const rw_scene *scene);
rw_status rw_rays_estimate(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate);

/* The first options of images and sbr: cells, receivers, and limits of the search: one of all interactions, one of each
 * kind, and whether they hold for the direct path. Without a depth each kind has its own limit, and one of them alone
 * leaves the other at its default. */
#define RW_OPTION_STEPS(option, member)                                                                                \
    RW_OPTION_COUNT(option, member, 0, RW_IMAGE_DEPTH_MAX), .default_text = "as depth; 4 where only the other is "     \
                                                                            "given"
#define RW_OPTIONS_OF_ROOMS                                                                                            \
    {RW_OPTION_RES, .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_EVALUATE, .default_value = "0.33333333333333331m",    \
     .default_text = "1/3 m"},                                                                                         \
        {RW_OPTION_RX_HEIGHT, .calls = RW_OPTION_OF_PATHS, .default_value = "1.1m"}, {RW_OPTION_PRIOR_OF_ROOMS},       \
        {RW_OPTION_COUNT("depth", depth, 1, RW_IMAGE_DEPTH_MAX),                                                       \
         .default_text = "4; reflections + transmissions where given",                                                 \
         .help = "Most interactions of a path, all kinds together."},                                                  \
        {RW_OPTION_STEPS("reflections", reflections), .help = "Most reflections of a path."},                          \
        {RW_OPTION_STEPS("transmissions", transmissions), .help = "Most transmissions of a path, through walls."},     \
        {RW_OPTION_COUNT("diffractions", diffractions, 0, 1), .default_value = "0",                                    \
         .help = "Most diffractions of a path: 1 adds those at edges of doors, windows, walls and meshes."},           \
    {                                                                                                                  \
        .name = "direct", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(direct),                 \
        .default_value = "always", .choices = "always,limited",                                                        \
        .help = "The direct path through walls: through any number of them, or within the limits."                     \
    }

/* How slabs displace rays, and what one surface is. */
#define RW_OPTION_REFRACTION                                                                                           \
    .name = "refraction", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(refraction),             \
    .default_value = "full"
#define RW_OPTION_SURFACES                                                                                             \
    .name = "surfaces", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(surfaces),                 \
    .default_value = "touching", .choices = "touching,coplanar",                                                       \
    .help = "Parts of one plane and construction that are one surface: those that touch, or all."

typedef struct rw_search_limits {
    int depth; /* most interactions of a path */
    rw_step_limits steps;
    int diffraction; /* 1: free edges diffract once */
    int direct_always;
} rw_search_limits;
rw_search_limits rw_search_limits_of(const rw_predict_options *options);

/* Adds rays over free edges, each once for each receiver; points and sums are the backend's. */
rw_status rw_rays_add_edges(const rw_ray_scene *scene, const rw_points_view *points, rw_ray_sums *sums);

/* Adds the direct path where the search has found none; points and sums are the backend's. */
rw_status rw_rays_add_straight(const rw_ray_scene *scene, const rw_points_view *points, rw_ray_sums *sums);

/* A vertex of a path at a place in the frame of the wall grid. */
rw_path_vertex rw_ray_vertex(const rw_scene *scene, rw_vec3 position, rw_interaction kind);

/* Angle by which a path turns at a vertex that is not its first or last. */
float rw_ray_vertex_angle_rad(const rw_path_vertex *vertex);

/* The images model's parameters for calibration (parameters.c). */

/* The order of the parameters: factors of materials from 0 on, then these. */
enum { RW_IMAGE_OTHER = 5, RW_IMAGE_REFLECTION, RW_IMAGE_OFFSET, RW_IMAGE_PARAMETERS };

#define RW_IMAGE_PATHS_FITTED 30 /* of a point, one by one; those weaker are one together */
#define RW_IMAGE_PATH_TERMS (1 + RW_IMAGE_OFFSET)
#define RW_IMAGE_TERMS (2 + RW_IMAGE_PATH_TERMS * RW_IMAGE_PATHS_FITTED)

extern const rw_parameter_kind rw_image_parameters[RW_IMAGE_PARAMETERS];

rw_status rw_image_parameter_defaults(rw_context *context, double freq_hz, double *values);

/* Which factor a material of that name takes. */
size_t rw_image_material(const char *name);

/* Gives a construction its factors; user: the values. As rw_ray_scene_request wants it. */
void rw_image_adjust(void *user, const char *material, rw_construction *wall);

/* Adds a path to the terms of its point. */
void rw_image_path_terms(const rw_path *path, float *terms);

/* Loss of the power sum of a point's paths, and its derivatives. */
double rw_image_terms_loss_db(const float *terms, const double *values, double *derivatives);

#endif
