/* Maps with values inside buildings: a cell inside takes its value from the streets around the building, which may lie
 * beyond the area of the map. The map is predicted on the cells around these buildings too, and then cut to its area,
 * so that values inside do not depend on where the area ends. */
#ifndef RW_MODELS_ENGINE_RUN_SURROUNDINGS_H
#define RW_MODELS_ENGINE_RUN_SURROUNDINGS_H

#include "models/engine/prediction/prediction.h"

typedef struct rw_surroundings {
    int widened;
    size_t column, row; /* of the map's first cell in the widened one */
    rw_map_info cells;  /* of the map */
    uint8_t *excluded;  /* its cells that no polygon holds; NULL: none */
} rw_surroundings;

/* Widens the cells of a checked call whose receivers are not located yet, where that is needed. */
rw_status rw_surroundings_widen(rw_prediction *prediction, rw_surroundings *surroundings);

/* The map of the call from that of the widened one, which is destroyed; nothing to do where it was not widened. */
rw_status rw_surroundings_cut(const rw_surroundings *surroundings, rw_map **map);

void rw_surroundings_free(rw_surroundings *surroundings);

#endif
