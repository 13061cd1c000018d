/* The scene as the library sees it: parts (prisms), panels, meshes, terrain, materials and slabs.
 *
 * Coordinates are kept as doubles relative to origin, so that scenes in UTM coordinates lose no precision where kernels
 * go on in float. World coordinates are local + origin. Before commit, heights are above ground; after it, bottom_m and
 * top_m of each part are altitudes. */
#ifndef RW_SCENE_SCENE_H
#define RW_SCENE_SCENE_H

#include "base/context.h"
#include "base/inputs.h"
#include "base/maths/vector.h"

typedef struct rw_part {
    uint32_t building; /* parts with one number are one building */
    uint32_t surface;  /* into surfaces */
    size_t first_ring; /* into ring_first; the first ring is the outer one */
    size_t ring_count;
    double ground_m;      /* NaN before commit: from the terrain */
    double base_height_m; /* above ground */
    double roof_height_m;
    int roof_is_altitude;   /* 1 before commit: roof_height_m is an altitude */
    int ground_is_assumed;  /* 1 from commit: neither the building nor a terrain gave ground_m, which is 0 */
    double bottom_m, top_m; /* altitudes, from commit */
    int height_from;        /* RW_HEIGHT_FROM_FILE and so on (surface/surface.h) */
    double height_spread_m; /* of a roof measured in a surface model; 0: not known */
} rw_part;

typedef struct rw_scene_panel {
    rw_vec2 p0, p1;
    double bottom_m, top_m;
    uint32_t surface;
} rw_scene_panel;

typedef struct rw_scene_mesh {
    const char *name; /* this and the names below belong to the scene */
    size_t first_vertex, vertex_count;
    size_t first_triangle, triangle_count;
    uint32_t surface;
} rw_scene_mesh;

typedef struct rw_scene_material {
    const char *name;
    double a, b, c, d; /* as in rw_material */
    double freq_min_hz, freq_max_hz;
    int perfect_conductor;
    double scattering;
} rw_scene_material;

#define RW_SLAB_LAYERS_MAX 16

typedef struct rw_scene_slab {
    const char *name;
    size_t layer_count;
    const char *layer_material[RW_SLAB_LAYERS_MAX];
    double layer_thickness_m[RW_SLAB_LAYERS_MAX];
} rw_scene_slab;

typedef struct rw_scene_note {
    char *what;
    char *example;
    size_t count;
} rw_scene_note_entry;

/* A growing array of one type: items, how many there are, and how many there is room for. */
#define RW_ARRAY(type)                                                                                                 \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }

struct rw_scene {
    rw_context *context;
    int committed;
    int flat;                 /* terrain and ground altitudes are ignored */
    int no_ground;            /* no level ground is laid */
    double terrain_area_m[4]; /* as in rw_load_options, while terrain is read */
    double read_area_m[4];    /* the part of the file that was read: west, south, east, north; all 0: the whole */
    const char *terrain_area_crs;
    rw_vec2 origin;
    int has_origin;
    char *crs;

    RW_ARRAY(rw_part) parts;
    RW_ARRAY(size_t) ring_first; /* first point of each ring, and one more entry at the end */
    RW_ARRAY(rw_vec2) points;
    RW_ARRAY(char *) part_sources;
    RW_ARRAY(rw_scene_panel) panels;
    RW_ARRAY(rw_scene_mesh) meshes;
    RW_ARRAY(rw_vec3) vertices;
    RW_ARRAY(uint32_t) triangles; /* three a triangle, into vertices */
    RW_ARRAY(rw_scene_material) materials;
    RW_ARRAY(rw_scene_slab) slabs;
    RW_ARRAY(char *) surfaces; /* names of slabs or materials, each once */
    RW_ARRAY(rw_scene_note_entry) notes;
    RW_ARRAY(char *) strings; /* names that the above point to */

    rw_raster terrain;        /* values NULL: none; x0 and y0 are local */
    uint8_t *terrain_unknown; /* 1 for each post whose height was not known; NULL: all are known */
    rw_raster foliage;        /* trees: heights above ground, 0 where there is none; x0 and y0 are world coordinates */
    uint32_t next_building;
    rw_vec2 box_min, box_max; /* of everything, local, from commit */
    int has_floor;            /* meshes have a floor of their own, from commit */
    double floor_m;           /* its altitude */
    double region_roof_m;     /* mean height of the roofs of the region that this is a part of; 0: it is all there is */
    double load_s, prepare_s;
    rw_inputs inputs;                 /* files that it was read from */
    rw_surface_report surface_report; /* of rw_scene_read_surface; posts 0: none was read */

    struct rw_prepared *prepared; /* what discretisation keeps with a committed scene; freed by destroy_prepared */
    void (*destroy_prepared)(struct rw_prepared *prepared);
};

/* Number of points in a ring, and its first. */
static inline size_t rw_ring_size(const rw_scene *scene, size_t ring)
{
    return scene->ring_first.items[ring + 1] - scene->ring_first.items[ring];
}

static inline const rw_vec2 *rw_ring_points(const rw_scene *scene, size_t ring)
{
    return scene->points.items + scene->ring_first.items[ring];
}

/* Appends room for more elements to an RW_ARRAY. */
#define RW_ARRAY_RESERVE(context, array, more, what)                                                                   \
    rw_array_reserve((context), &(array).items, &(array).capacity, (array).count + (more), sizeof *(array).items,      \
                     (what))

/* Altitude of the ground at a local point: the terrain's two triangles a cell, 0 where there is none. Outside, the
 * nearest post. */
double rw_scene_ground_m(const rw_scene *scene, rw_vec2 at);
double rw_raster_height_m(const rw_raster *raster, rw_vec2 at); /* the same of any raster, in its own frame */

/* Whether a raster of heights of at least fewest x fewest posts is possible: size, spacing and place. what names it in
 * the sentence of a failure. */
rw_status rw_scene_check_raster(rw_context *context, const rw_raster *raster, size_t fewest, const char *what);

/* Signed area of a ring, positive counter-clockwise. */
double rw_ring_area(const rw_vec2 *points, size_t count);

/* Whether the point is inside the part's outline and outside its holes (even-odd). */
int rw_part_contains(const rw_scene *scene, const rw_part *part, rw_vec2 point);

/* Whether a point inside the part's outline is inside the part, by its altitude and its height above the ground there.
 * On a slope the ground inside an outline may rise above the roof, which stands on the lowest: what is lower than the
 * building is high is still inside. */
int rw_part_holds(const rw_part *part, double z_m, double height_m);

/* The scene's own copy of a text, for as long as the scene lives. One that was kept last is not kept again. */
rw_status rw_scene_store_string(rw_scene *scene, const char *string, const char **stored);

/* The material or slab behind a surface name: NULL where the scene has none of that name. */
const rw_scene_material *rw_scene_find_material(const rw_scene *scene, const char *name);
const rw_scene_slab *rw_scene_find_slab(const rw_scene *scene, const char *name);

/* Whether models of plane surfaces lay level ground at altitude 0 under a committed scene: not where its meshes have a
 * floor of their own or, being all that there is, reach below it. A material or slab named "ground" always asks for it.
 */
int rw_scene_lays_ground(const rw_scene *scene);

/* The box of everything in the scene (finalise.c). */
rw_status rw_scene_find_extent(rw_scene *scene);

/* Looks for the floor of meshes (finalise.c). */
rw_status rw_scene_find_floor(rw_scene *scene);

/* mesh_walls.c: free-standing walls from steep triangles that are not taken yet, which are marked then. */
rw_status rw_scene_extract_mesh_walls(rw_scene *scene, uint8_t *converted);

/* Validation and repair of outlines before heights are fixed (validate.c). */
rw_status rw_scene_validate(rw_scene *scene);

/* Posts that are not known take the height of the nearest one of their row that is, rows without any that of the
 * nearest row. At least one post is known. */
void rw_raster_fill_unknown(float *values, const uint8_t *unknown, size_t columns, size_t rows);

/* Validates, puts heights on the terrain, takes the extent: the scene's own half of rw_scene_commit, which is followed
 * by discretisation (discretise/prepared.c). */
rw_status rw_scene_finalise(rw_scene *scene);

/* The materials that every scene knows: Recommendation ITU-R P.2040-3 (2023), table 3. */

/* The material of that name ("itu_concrete", or "concrete"), NULL where there is none. Of a material with two frequency
 * ranges, the first. */
const rw_scene_material *rw_builtin_material(const char *name);

/* The same, but of several ranges the one that holds at the frequency, and where none does the nearest. Compare the
 * frequency with freq_min_hz and freq_max_hz to know. */
const rw_scene_material *rw_builtin_material_at(const char *name, double freq_hz);

/* The rows of the table in its order; a material with several ranges has several rows of one name. */
size_t rw_builtin_material_count(void);
const rw_scene_material *rw_builtin_material_row(size_t index);

#endif
