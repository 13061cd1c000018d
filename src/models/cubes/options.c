/* The options of the cubes model: most deflections of each kind, and what counts beside its own paths. */
#include "models/cubes/cubes.h"

#define LIMIT_MAX 4

const rw_model_option rw_cubes_options[] = {
    {RW_OPTION_COUNT("reflections", reflections, 0, LIMIT_MAX), .default_value = "2",
     .help = "Most reflections of a path."},
    {RW_OPTION_COUNT("horizontal-diffractions", horizontal_diffractions, 0, LIMIT_MAX), .default_value = "2",
     .help = "Most diffractions of a path at horizontal edges: over roofs."},
    {RW_OPTION_COUNT("vertical-diffractions", vertical_diffractions, 0, LIMIT_MAX), .default_value = "2",
     .help = "Most diffractions of a path at vertical edges: round street corners."},
    {.name = "method",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(method),
     .default_value = "exact",
     .choices = "exact,cubes,supercubes,rings",
     .help = "What decides on paths: exact geometry, or as in the paper lines of cubes or blocks of cubes."},
    {RW_OPTION_COUNT("block", block, 1, RW_SIGHT_BLOCK_MAX), .default_value = RW_SIGHT_BLOCK_DEFAULT_TEXT,
     .help = "Cubes a side of a block, for the methods supercubes and rings."},
    {RW_OPTION_RES, .calls = RW_OPTION_OF_PATHS, .default_value = "5m"},
    {RW_OPTION_ROOFS, .choices = "vogler,none"},
    {RW_OPTION_K_FACTOR},
    {RW_OPTION_GROUND},
    {RW_OPTION_PRIOR, .default_text = "3gpp in maps of buildings; none with calibrated params"},
    {RW_OPTION_PARAMS_OF_MODEL},
    {RW_OPTION_RAIN},
    {RW_OPTION_GAS},
    {RW_OPTION_REFERENCE},
    RW_OPTIONS_NEAR_FIELD,
    {RW_OPTION_INDOOR},
    {RW_OPTION_FLOOR},
    {0}};

rw_sight_line rw_cubes_sight_line(const rw_predict_options *options)
{
    rw_sight_line line = {(rw_sight_method)rw_sight_method_find(options->method), options->block};
    return line;
}

void rw_cubes_limits(const rw_predict_options *options, int limits[RW_CUBE_KINDS])
{
    limits[RW_CUBE_REFLECTION] = options->reflections;
    limits[RW_CUBE_HORIZONTAL] = options->horizontal_diffractions;
    limits[RW_CUBE_VERTICAL] = options->vertical_diffractions;
}
