/* What a plan was asked for, came to and left, for its reports. */
#ifndef COMMANDS_PLAN_PLAN_H
#define COMMANDS_PLAN_PLAN_H

#include "command.h"

/* Options. */
struct plan_settings {
    struct input_options inputs;
    const char *objective, *azimuths, *tilts, *powers, *antennas, *report, *out, *weights, *zones, *zone_field;
    struct level_list level;
    double level_dbm, budget, distance_min_m, percentile, confidence, shadowing_db, correlation_m, target;
    int sectors, sites_max, sectors_max, rounds;
    uint64_t seed;
};

#define PLAN_PICTURES_MAX 64
#define PLAN_PATH_SIZE 4096

struct plan_picture {
    char path[PLAN_PATH_SIZE];
    char title[128];
};

struct planning {
    struct request request;
    rw_plan_options options;
    double *azimuths_deg, *tilts_deg, *powers_dbm; /* lists of the options */
    char **antennas;
    const struct listed_heights *listed; /* several heights or floors; NULL: one */
    double levels[LISTED_HEIGHTS_MAX];
    size_t level_count;
    rw_plan *plan;
    rw_plan_info info;
    struct plan_picture *pictures; /* PLAN_PICTURES_MAX */
    size_t picture_count;
    char sites[PLAN_PATH_SIZE], record[PLAN_PATH_SIZE]; /* files */
};

/* lists.c: the lists of azimuths, tilts, powers and antennas: values with commas, or FIRST:LAST:STEP. Returns the
 * exit status. */
int read_plan_lists(struct call *call, struct planning *planning);
void free_plan_lists(struct planning *planning);

/* files.c: sites, maps before and after, their pictures. Returns the exit status. */
int write_plan_files(struct call *call, struct planning *planning);

/* report.c: as text, and as JSON on a stream. */
void report_plan(const struct call *call, const struct planning *planning);
void write_plan_json(FILE *out, const struct call *call, const struct planning *planning);

/* How far from optimal the choice can be, in a sentence; "" where nothing is known. */
void describe_plan_bound(const rw_plan_info *info, char *text, size_t size);

/* How likely the coverage is. */
void describe_plan_confidence(const struct plan_settings *settings, const rw_plan_info *info, char *text, size_t size);

/* A step in words: "add mast 3 at 120 deg, tilt 6, 43 dBm". */
void describe_plan_step(const rw_plan_step *step, char *text, size_t size);

/* html.c: --report. Returns the exit status. */
int write_plan_page(struct call *call, const struct planning *planning);

#endif
