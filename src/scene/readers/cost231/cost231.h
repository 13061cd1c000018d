/* Between the two halves of the COST 231 reader: the file's walls (read_cost231.c) and the buildings that they enclose
 * (cost231_buildings.c). */
#ifndef RW_SCENE_READERS_COST231_COST231_H
#define RW_SCENE_READERS_COST231_COST231_H

#include "scene/readers/cost231/join_walls.h"
#include "scene/readers/ground_samples.h"

typedef struct rw_cost231_wall {
    rw_segment segment;
    double roof_height_m, ground_m;
    uint32_t building;
    size_t line;
} rw_cost231_wall;

typedef struct rw_cost231_reader {
    rw_scene *scene;
    const char *path;
    int flat; /* ground altitudes are not wanted */
    RW_ARRAY(rw_cost231_wall) walls;
    rw_ground_samples grounds; /* one for each outline */
} rw_cost231_reader;

/* Adds what count walls of one building enclose to the scene. Walls that enclose nothing stay as free-standing walls,
 * and every repair is noted. */
rw_status rw_cost231_add_building(rw_cost231_reader *reader, const rw_cost231_wall *walls, size_t count);

#endif
