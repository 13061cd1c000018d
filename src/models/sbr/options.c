/* The options of the sbr model. */
#include "models/engine/model.h"
#include "models/rays/image_path.k.h"
#include "models/sbr/sbr.h"

#define PARTS_MAX 16384

const rw_model_option rw_sbr_options[] = {
    {RW_OPTION_RES, .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_EVALUATE, .usual = "0.33333333333333331m",
     .words = "1/3 m"},
    {RW_OPTION_RX_HEIGHT, .calls = RW_OPTION_OF_PATHS, .usual = "1.1m"},
    {RW_OPTION_DEPTH},
    {RW_OPTION_STEPS("reflections", reflections), .help = "Most reflections of a path."},
    {RW_OPTION_STEPS("transmissions", transmissions), .help = "Most transmissions of a path, through walls."},
    {RW_OPTION_EDGES},
    {RW_OPTION_DIRECT},
    {RW_OPTION_COUNT("rays", rays, 1, PARTS_MAX), .usual = "256",
     .help = "Parts n that an edge of the icosahedron is cut into: 10 n^2 + 2 rays."},
    {RW_OPTION_SUM, .choices = "coherent,power,local",
     .help = "How paths add: fields, powers, or the mean power of a cell."},
    {RW_OPTION_PLANE_OF_MAP},
    {0}};
