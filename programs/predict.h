/* What a prediction was and what it left, for its report. */
#ifndef PROGRAMS_PREDICT_H
#define PROGRAMS_PREDICT_H

#include "call.h"

#define PICTURES_MAX 8 /* of one layer */
#define LAYERS_MAX 32

struct written_layer {
    char raster[4096];
    char pictures[PICTURES_MAX][4096];
    size_t picture_count;
};

struct prediction {
    struct request request;
    rw_map *map;
    double prepare_s, solve_s, write_s;
    struct written_layer *layers; /* LAYERS_MAX */
    size_t layer_count;
};

/* predict_write.c: all rasters and pictures, or none. Returns the exit status; what is wrong has been said. */
int write_layers(struct call *call, struct prediction *prediction);

/* predict_report.c */
void report_prediction(const struct call *call, const struct prediction *prediction);

#endif
