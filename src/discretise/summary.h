/* What calls ask of a whole scene, worked out once at its commit: a region has a hundred thousand buildings, and a
 * network predicts on it hundreds of times. */
#ifndef RW_DISCRETISE_SUMMARY_H
#define RW_DISCRETISE_SUMMARY_H

#include "discretise/walls/walls.h"

typedef struct rw_part_box {
    double west, south, east, north; /* of the outline, in the scene's local frame */
} rw_part_box;

typedef struct rw_group_box {
    double west, south, east, north; /* of the corners of a group, in the wall grid's frame */
} rw_group_box;

typedef struct rw_scene_summary {
    double area_m2, volume_m3;               /* of the buildings that stand on the ground */
    double lowest_roof_m;                    /* altitude; infinite without buildings */
    int has_decks;                           /* 1: some building has air below */
    float lowest_ground_m, highest_ground_m; /* of the terrain; 0 without one */
    float lowest_corner_m;                   /* top of the lowest corner; infinite without corners */
    size_t max_points;                       /* of the rings of one part */
    rw_part_box *boxes;                      /* of each part */
    rw_group_box *corner_boxes;              /* of each group of corners */
} rw_scene_summary;

/* Of a scene that is settled, with its corners. */
rw_status rw_scene_summary_create(const rw_scene *scene, const rw_corner_list *corners, rw_scene_summary *summary);
void rw_scene_summary_destroy(rw_scene_summary *summary);

/* Adds the ground area and the volume of buildings that begin in a box: west, south, east, north (world). */
typedef struct rw_built {
    double area_m2, volume_m3;
} rw_built;
void rw_add_built(const rw_scene *scene, const double box_m[4], rw_built *built);

#endif
