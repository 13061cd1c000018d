/* Buildings that stand out: churches with towers, palaces, and whole blocks under one roof. */
#ifndef RW_SCENE_GENERATORS_GENERATE_LANDMARK_H
#define RW_SCENE_GENERATORS_GENERATE_LANDMARK_H

#include "scene/generators/generate.h"

/* A church about its centre, along a direction; its tower is a second part of the same building. */
rw_status rw_landmark_church(rw_city *city, rw_vec2 centre, rw_vec2 direction, double length_m, rw_random *random);

/* Half the length and half the breadth a church of that length takes, tower included. */
rw_vec2 rw_landmark_church_half_m(double length_m);

/* A palace with two side wings round a forecourt. */
rw_status rw_landmark_palace(rw_city *city, rw_vec2 centre, rw_vec2 direction, double length_m, rw_random *random);

/* A building on the whole lot with up to two courtyards. */
rw_status rw_landmark_courts(rw_city *city, const rw_lot *lot, int courts, double depth_m, double roof_height_m);

#endif
