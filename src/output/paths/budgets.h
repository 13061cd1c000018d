/* Link budgets in memory: rows one after another, and where those of each budget begin. */
#ifndef RW_OUTPUT_PATHS_BUDGETS_H
#define RW_OUTPUT_PATHS_BUDGETS_H

#include "output/paths/paths.h"

/* Names of rows, with the text for readers. */
#define RW_BUDGET_NAMES(X)                                                                                             \
    X(LINE_OF_SIGHT, "line_of_sight", "line of sight")                                                                 \
    X(STREETS, "streets", "along streets, by diffraction at vertical edges")                                           \
    X(ROOFTOP, "rooftop", "over rooftops")                                                                             \
    X(WALLS, "walls", "through walls")                                                                                 \
    X(PATHS, "paths", "the model's own paths")                                                                         \
    X(REFLECTION, "reflection", "reflection")                                                                          \
    X(SCATTERING, "scattering", "scattering")                                                                          \
    X(MIXED, "mixed", "several kinds of interactions")                                                                 \
    X(OTHER_PATHS, "other_paths", "paths that are not listed")                                                         \
    X(INTERFERENCE, "interference", "sum with phase, or over the cell, less sum of powers")                            \
    X(FREE_SPACE, "free_space", "free space over the straight line")                                                   \
    X(TRANSMITTER_GAIN, "transmitter_gain", "gain of the transmitter's antenna, along the paths")                      \
    X(RECEIVER_GAIN, "receiver_gain", "gain of the receiver's antenna, along the straight line")                       \
    X(BUILDINGS, "buildings", "buildings: all arrivals together beyond free space")                                    \
    X(FREQUENCY_SLOPE, "frequency_slope", "buildings: less at high frequencies than by screens")                       \
    X(LEAKAGE, "leakage", "what leaks by stairs, shafts, windows and facades")                                         \
    X(GROUND, "ground", "smooth ground")                                                                               \
    X(TERRAIN, "terrain", "hills")                                                                                     \
    X(FOLIAGE, "foliage", "foliage")                                                                                   \
    X(GASES, "gases", "gases of the air")                                                                              \
    X(RAIN, "rain", "rain")                                                                                            \
    X(MEDIAN, "median", "empirical median, by its weight")                                                             \
    X(OFFSET, "offset", "calibrated offset")                                                                           \
    X(MEASURED, "measured", "measurements nearby")                                                                     \
    X(ENTRY, "entry", "entry into the building")                                                                       \
    X(REFERENCE, "reference", "EIRP or ERP over the power at the antenna")                                             \
    X(TRANSMITTED, "transmitted", "transmitted power, at the antenna's port")                                          \
    X(PATH_LOSS, "path_loss", "path loss")

typedef enum rw_budget_name {
#define RW_BUDGET_ENUM(name, word, about) RW_BUDGET_NAME_##name,
    RW_BUDGET_NAMES(RW_BUDGET_ENUM)
#undef RW_BUDGET_ENUM
} rw_budget_name;

struct rw_budgets {
    rw_context *context;
    rw_link_budget *items; /* rows are set when they are read */
    size_t *first_rows;    /* of each */
    size_t count;
    rw_budget_row *rows;
    size_t row_count, row_capacity;
    rw_paths *paths; /* with the points and transmitters */
    int has_arrival_paths;
};

/* count budgets without rows, and nothing else. */
rw_status rw_budgets_create(rw_context *context, size_t count, rw_budgets **budgets);

/* Appends a row to the last budget that was begun. path: of an arrival, else (size_t)-1. */
rw_status rw_budgets_add_row(rw_budgets *budgets, size_t budget, rw_budget_part part, rw_budget_name name,
                             double value_db, double fraction, size_t path);

#endif
