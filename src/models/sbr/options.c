/* The options of the sbr model. */
#include "models/engine/model.h"
#include "models/rays/image_path.k.h"
#include "models/sbr/sbr.h"

#define PARTS_MAX 16384

const rw_model_option rw_sbr_options[] = {
    RW_OPTIONS_OF_ROOMS,
    {RW_OPTION_COUNT("rays", rays, 1, PARTS_MAX), .default_value = "256",
     .help = "Parts n that an edge of the icosahedron is cut into: 10 n^2 + 2 rays."},
    {RW_OPTION_SUM},
    {RW_OPTION_REFRACTION, .choices = "full,none", .help = "Whether slabs displace rays, or rays go straight through."},
    {RW_OPTION_SURFACES},
    {.name = "sphere",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_LENGTH_M,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(sphere_m),
     .min = 1e-3,
     .max = 100,
     .default_text = "none: of the rays of a wavefront the nearest counts",
     .unit = "m",
     .help = "Radius of reception spheres: each ray in one counts, weighed by the density of rays."},
    RW_OPTIONS_RX_ANTENNA(RW_OPTION_OF_PATHS),
    {RW_OPTION_RX_SLANT},
    {RW_OPTION_REFERENCE},
    RW_OPTIONS_NEAR_FIELD,
    {RW_OPTION_PLANE_OF_MAP},
    {0}};
