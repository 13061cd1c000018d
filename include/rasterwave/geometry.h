/* rasterwave: the geometry of a committed scene, for programs that show it.
 *
 * All arrays belong to the scene and live as long. Conventions are those of rasterwave.h; places in arrays are relative
 * to the origin, so that single precision is enough for pictures, and heights are altitudes. */
#ifndef RASTERWAVE_GEOMETRY_H
#define RASTERWAVE_GEOMETRY_H

#include <rasterwave/rasterwave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays of a scene. */
typedef struct rw_scene_geometry {
    size_t size;
    double origin_x_m, origin_y_m; /* world coordinates = place + origin */
    const double *points_m;        /* x, y of the points of rings */
    size_t point_count;
    const size_t *ring_first; /* first point of each ring, and one more entry for the end of the last */
    size_t ring_count;
    size_t part_count, panel_count; /* for rw_scene_get_part and rw_scene_get_panel */
    const double *vertices_m;       /* x, y, altitude of the vertices of all meshes */
    size_t vertex_count;
    const uint32_t *triangles; /* three vertices each */
    size_t triangle_count;
    const float *terrain_m; /* altitudes at posts, row after row from the south; NULL: the ground is level at 0 */
    size_t terrain_columns, terrain_rows;
    double terrain_x0_m, terrain_y0_m, terrain_dx_m, terrain_dy_m;
} rw_scene_geometry;

/* A prism of a building: the rings are its outline and the holes in it. */
typedef struct rw_scene_part {
    size_t size;
    uint32_t building; /* parts of one number are one building */
    size_t first_ring, ring_count;
    double ground_m, bottom_m, top_m;
    const char *surface; /* slab or material */
} rw_scene_part;

/* The geometry of a committed scene. */
RW_API rw_status rw_scene_get_geometry(const rw_scene *scene, rw_scene_geometry *geometry);
/* One prism, from 0. */
RW_API rw_status rw_scene_get_part(const rw_scene *scene, size_t index, rw_scene_part *part);
/* One free-standing wall, from 0, in world coordinates. */
RW_API rw_status rw_scene_get_panel(const rw_scene *scene, size_t index, rw_panel *panel);
/* A mesh, from 0: its name, surface and counts, which live as long as the scene; xyz and triangles are NULL.
 * RW_BAD_CALL beyond the last. */
RW_API rw_status rw_scene_get_mesh(const rw_scene *scene, size_t index, rw_mesh *mesh);
/* Copies what a mesh is made of: 3 * vertex_count coordinates, 3 * triangle_count vertex numbers. NULL: not asked for.
 */
RW_API rw_status rw_scene_copy_mesh(const rw_scene *scene, size_t index, double *xyz, uint32_t *triangles);

/* Heights of foliage above ground; values is NULL if the scene has none. */
RW_API rw_status rw_scene_get_foliage(const rw_scene *scene, rw_raster *heights);
/* 1 if level ground lies under a scene without terrain (see rw_scene_set_no_ground). */
RW_API int rw_scene_has_ground(const rw_scene *scene);

/* The section along a straight line: altitudes of the ground and of the highest roof, or the ground where there is
 * none, at count places from (x0, y0) to (x1, y1) in world coordinates, both ends included. */
RW_API rw_status rw_scene_profile(const rw_scene *scene, double x0_m, double y0_m, double x1_m, double y1_m,
                                  size_t count, double *ground_m, double *top_m);

/* A link between two antennas seen from the side. Altitudes are over a level line through sea level at each end: the
 * curvature of the earth raises what lies between them by the bulge, so that the line of sight is straight. */
typedef struct rw_link_options {
    size_t size;
    double first_m[3], second_m[3]; /* x, y, and height above ground */
    double freq_hz;
    double k_factor; /* effective earth radius over the true one, 6371 km; unset (NaN): 4/3 */
    size_t count;    /* of samples, at least 2; 0: one per 10 m, 200 to 4000 */
} rw_link_options;

/* 947 MHz, k = 4/3, all else zero. */
RW_API void rw_link_options_init_sized(rw_link_options *options, size_t size);
#define rw_link_options_init(options) rw_link_options_init_sized((options), sizeof *(options))

/* One sample of a link, from the first antenna to the second. */
typedef struct rw_link_sample {
    double distance_m;
    double x_m, y_m;
    double ground_m, top_m; /* altitudes of the ground and of the highest roof, without the bulge */
    double bulge_m;         /* by which the earth's curvature raises both */
    double line_m;          /* altitude of the line of sight */
    double fresnel_m;       /* radius of the first Fresnel zone */
} rw_link_sample;

/* The section of a link and what stands in it. */
typedef struct rw_link_profile {
    size_t size;
    size_t count;
    rw_link_sample *samples;                  /* to be freed with rw_free */
    double length_m;                          /* along the ground */
    double line_of_sight_m;                   /* of the straight line */
    double azimuth_deg, back_azimuth_deg;     /* from the first to the second antenna and back, clockwise from north */
    double elevation_deg, back_elevation_deg; /* of the line at each end */
    double clearance_m;        /* least height of the line over what stands below it; negative: it is blocked */
    double clearance_fraction; /* least clearance over the Fresnel radius: 0.6 and more is free space */
    size_t nearest;            /* sample with that least share */
    double knife_edge_db;      /* loss of that point alone as a knife edge (ITU-R P.526-15, eq. 31) */
} rw_link_profile;

/* The section of a link. On failure profile->samples is NULL. */
RW_API rw_status rw_link_profile_create(const rw_scene *scene, const rw_link_options *options,
                                        rw_link_profile *profile);
/* A table: distance, position, altitudes, line of sight and Fresnel radius of each sample, as CSV. */
RW_API rw_status rw_link_profile_write(rw_context *context, const rw_link_profile *profile, const char *path);
/* A picture of the section with the line of sight and the first Fresnel zone, as PNG. */
RW_API rw_status rw_link_profile_draw(rw_context *context, const rw_link_profile *profile, const char *title,
                                      const char *path);

/* What encloses a point. */
typedef enum rw_enclosure { RW_ENCLOSURE_NONE = 0, RW_ENCLOSURE_BUILDING = 1, RW_ENCLOSURE_MESH = 2 } rw_enclosure;

/* For each of count points, x, y and height above ground in world coordinates, the rw_enclosure bits of what encloses
 * it: a building, a closed mesh, or both. Outdoor models reject a transmitter that is enclosed; models of rooms accept
 * one in a mesh. */
RW_API rw_status rw_scene_find_enclosures(const rw_scene *scene, const double *points_m, size_t count,
                                          unsigned char *enclosures);

#ifdef __cplusplus
}
#endif
#endif
