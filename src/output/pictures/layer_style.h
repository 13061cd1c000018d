/* How a layer looks: from its values to colours, and what the legend has to explain. */
#ifndef RW_OUTPUT_PICTURES_LAYER_STYLE_H
#define RW_OUTPUT_PICTURES_LAYER_STYLE_H

#include "output/pictures/pictures.h"
#include "output/maps/map.h"

typedef enum rw_scale_kind {
    RW_SCALE_CONTINUOUS,
    RW_SCALE_COUNTS, /* whole numbers in order */
    RW_SCALE_CLASSES /* whole numbers that are names */
} rw_scale_kind;

#define RW_CLASSES_MAX 16    /* with names of their own; transmitters may be any number */
#define RW_CLASS_NAME_MAX 64 /* longer names are cut in the legend */

typedef struct rw_layer_style {
    const char *title;
    rw_scale_kind kind;
    int bright_is_low; /* what is good for radio is bright */
    double min, max;
    int cut_below, cut_above; /* values beyond the ends take their colours */
    int has_no_path, has_nodata;
    int plain_no_path;   /* where no path was found it is one colour (rw_colour_no_path), in place of stripes */
    int of_transmitters; /* classes are transmitters, the first is class 0 */
    const rw_map *map;   /* that has their names */
    size_t class_count;
    char class_names[RW_CLASSES_MAX][RW_CLASS_NAME_MAX];
    rw_colour class_colours[RW_CLASSES_MAX];
    rw_colour steps[RW_COLOUR_STEPS];
} rw_layer_style;

/* From one band of the layer. Ends given by the user (value_min < value_max) are kept; others are chosen from the
 * values, without the outermost few, and rounded. */
rw_status rw_layer_style_init(const rw_map *map, const rw_layer_data *layer, size_t band, double value_min,
                              double value_max, rw_layer_style *style);

/* Name and colour of a class, from 0. */
void rw_layer_class_name(const rw_layer_style *style, size_t index, char name[RW_CLASS_NAME_MAX]);
rw_colour rw_layer_class_colour(const rw_layer_style *style, size_t index);

/* The colour of a value that is finite. */
rw_colour rw_layer_style_colour(const rw_layer_style *style, double value);

extern const rw_colour rw_colour_nodata, rw_colour_no_path;

/* "No path" is hatched, so that no colour of a scale can be taken for it. */
rw_colour rw_no_path_colour(int x, int y);

#endif
