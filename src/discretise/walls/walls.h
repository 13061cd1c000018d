/* Walls, and what is found from them: the list of walls, the grid over it, building parts over a point, wall ends,
 * rasters of outlines, vertical edges and other edges, and the quadtree of beams. */
#ifndef RW_DISCRETISE_WALLS_WALLS_H
#define RW_DISCRETISE_WALLS_WALLS_H

#include "discretise/walls/wall_grid.k.h"
#include "scene/scene.h"
#include "discretise/walls/corners.k.h"
#include "discretise/walls/edge_grid.k.h"
#include "discretise/walls/wall_quadtree.k.h"

struct rw_prepared; /* discretise/prepared.h */

#define RW_NO_PART RW_NO_WALL_PART

/* In the scene's local frame; altitudes. Seen from p0 to p1, the outside of the building is to the right. */
typedef struct rw_wall {
    rw_vec2 p0, p1;
    double bottom_m, top_m;
} rw_wall;

/* Every vertical wall of the scene, of buildings and free-standing, with its outward normal. */
typedef struct rw_wall_list {
    size_t count;
    rw_wall *walls;
    rw_vec2 *normals;   /* outward, of length 1 */
    uint32_t *parts;    /* part of the scene, or RW_NO_PART for a free-standing wall */
    uint32_t *surfaces; /* into the scene's surfaces */
    double longest_m;
} rw_wall_list;

rw_status rw_wall_list_create(const rw_scene *scene, rw_wall_list *list);
void rw_wall_list_destroy(rw_wall_list *list);

/* wall_grid.c: builds the uniform grid of walls, in time linear in walls and cells. */
typedef struct rw_wall_grid {
    rw_vec2 centre;         /* of the grid's frame, in the scene's local frame */
    rw_wall_grid_view view; /* its arrays belong to this struct */
    size_t entry_count;
    rw_grid_cell *cells;
    rw_wall_entry *entries;
    rw_exact_wall *exact;
    float *cell_ground, *cell_floor;
} rw_wall_grid;

/* cell_m 0: chosen so that a cell has about one wall. The grid covers the scene's
 * extent and its terrain. */
rw_status rw_wall_grid_create(const rw_scene *scene, const rw_wall_list *walls, double cell_m, rw_wall_grid *grid);
void rw_wall_grid_destroy(rw_wall_grid *grid);

/* part_cover.c: which building parts lie over a point, in a time that depends on what is near it alone: for each cell
 * of the wall grid the parts that cover it whole. Those that cover some of it have walls there. */
typedef struct rw_part_cover {
    uint32_t *first; /* into parts, for each cell of the grid and one more; NULL: no building */
    uint32_t *parts; /* also some that cover their cell in part */
} rw_part_cover;

rw_status rw_part_cover_create(const rw_scene *scene, const rw_wall_list *walls, const rw_wall_grid *grid,
                               rw_part_cover *cover);
void rw_part_cover_destroy(rw_part_cover *cover);

/* Lists the parts whose volume contains the point (local frame) at altitude z: at most most of them; returns how many.
 */
size_t rw_parts_at(const rw_scene *scene, const struct rw_prepared *prepared, rw_vec2 point, double z_m,
                   uint32_t *parts, size_t max_count);

/* The same at whatever altitude: the parts whose outline contains the point. */
size_t rw_parts_over(const rw_scene *scene, const struct rw_prepared *prepared, rw_vec2 point, uint32_t *parts,
                     size_t max_count);

/* wall_ends.c: corners: which wall of the same outline meets each end of a wall. */

/* Two numbers a wall, for its first and its second end: the wall that begins or ends there, RW_NO_PART for the ends of
 * a free-standing wall. ends has room for 2 count of the list. */
void rw_wall_ends(const rw_scene *scene, const rw_wall_list *walls, uint32_t *ends);

/* height_raster.c: the scene as a height raster: ground or the highest roof over each cell's centre. */

/* Altitudes at columns x rows cell centres, rows from the south; area_min is the south-western corner in the scene's
 * local frame. heights is to be freed by the caller. In time linear in the cells covered. */
rw_status rw_height_raster_create(const rw_scene *scene, rw_vec2 area_min, size_t columns, size_t rows, double res_m,
                                  float **heights);

/* rasterise_outlines.c: which cell centres of a raster lie inside a part's outline: the one place where outlines are
 * rasterised. */
typedef struct rw_raster_frame {
    double x0, y0, res; /* centre of cell (0, 0), scene's local frame */
    size_t columns, rows;
    double res_y; /* of cells that are not square; 0: res */
} rw_raster_frame;

/* Called for each run of cells first to end - 1 of a row that lies inside the part (even-odd rule, holes left out). */
typedef void (*rw_outline_row_fn)(void *user, const rw_part *part, size_t row, size_t first, size_t end);

rw_status rw_rasterise_outlines(const rw_scene *scene, const rw_raster_frame *frame, rw_outline_row_fn on_run,
                                void *user);

/* corners.c: finds the convex corners of a scene: of buildings where nothing stands before them, and the ends of free
 * walls. */
typedef struct rw_corner_list {
    rw_corner *items;
    size_t count, capacity;
} rw_corner_list;

/* Needs the walls and the wall grid of the prepared scene. Corners come in strips, each once: those near in
 * the list are near in space. */
rw_status rw_corner_list_create(const rw_scene *scene, const struct rw_prepared *prepared, rw_corner_list *list);
void rw_corner_list_destroy(rw_corner_list *list);

/* edge_grid.c: the same corners where their walls end exactly, with the surfaces of these walls, on a coarse grid. */
typedef struct rw_edge_grid {
    rw_edge_grid_view view; /* its arrays belong to this struct */
    rw_upright_edge *edges;
    uint32_t *first;
    size_t count;
} rw_edge_grid;

/* Needs the corners of the prepared scene. */
rw_status rw_edge_grid_create(const rw_scene *scene, rw_edge_grid *grid);
void rw_edge_grid_destroy(rw_edge_grid *grid);

/* near_ground.c: sets near_ground of each corner: no terrain within near_m is higher. It may be that of terrain a
 * little farther away. */
rw_status rw_find_near_ground(const rw_scene *scene, const struct rw_prepared *prepared, double near_m,
                              rw_corner_list *list);

/* wall_quadtree.c: builds the quadtree of walls from the wall grid's exact walls. */
typedef struct rw_wall_quadtree {
    rw_quadtree_node *nodes;
    rw_wall_entry *entries;
    size_t node_count, node_capacity, entry_count, entry_capacity;
} rw_wall_quadtree;

/* A node with more than a few walls is divided, as long as that parts them. */
rw_status rw_wall_quadtree_create(rw_context *context, const rw_wall_grid *grid, rw_wall_quadtree *tree);
void rw_wall_quadtree_destroy(rw_wall_quadtree *tree);

/* building_edges.c: edges at which waves bend: vertical ones at convex corners of buildings, those of flat roofs, and
 * ridges of the ground. */

/* In the frame of the wall grid. The 0-face is told by a direction in it away from the edge and its outward normal; the
 * other face follows at the exterior angle. edge = zero_along x zero_normal. */
typedef struct rw_building_edge {
    rw_vec3 from, to;
    rw_vec3 edge, zero_along, zero_normal;
    double exterior_over_pi;
    uint32_t part; /* RW_NO_PART: the ground */
    int upright;
} rw_building_edge;

/* The parts of edges that no other building covers. Free with free(). */
rw_status rw_building_edges_find(const rw_scene *scene, rw_building_edge **edges, size_t *count);

/* ground_edges.c: appends the lines where the terrain's triangles fold upwards by a degree or more; none on flat
 * ground.
 */
rw_status rw_ground_edges_add(const rw_scene *scene, rw_building_edge **edges, size_t *count);

/* Notes outlines that cross themselves and buildings that overlap (overlaps.c). */
rw_status rw_note_overlaps(rw_scene *scene, const struct rw_prepared *prepared);

#endif
