/* Surface models: a raster of the altitude of whatever is on top (roofs, trees, ground) gives heights to buildings that
 * have none, finds buildings without an outline, and takes the rest that is high as foliage. The terrain is known.
 *
 * Steps: heights above ground at the posts; the median under each outline without a height; posts of roofs and of
 * crowns by their roughness (Zhang and others, IEEE Trans. Geosci. Remote Sens. 44, 2006, use the same plane
 * criterion); roofs of one height as outlines, with right angles where they occur. Posts are the centres of pixels, 0.2
 * to 2 m apart. */
#ifndef RW_SCENE_SURFACE_SURFACE_H
#define RW_SCENE_SURFACE_SURFACE_H

#include "scene/scene.h"

/* Where the height of a part comes from. */
enum { RW_HEIGHT_FROM_FILE, RW_HEIGHT_ASSUMED, RW_HEIGHT_FROM_SURFACE, RW_HEIGHT_FOUND };

/* Words for it in files; another word, or none: of the file. */
const char *rw_height_source_name(int height_from);
int rw_height_source_find(const char *name);

/* A spread beyond this is a mistake of a file. */
#define RW_HEIGHT_SPREAD_MAX_M 50.0

/* Lower than this above ground is neither a building nor a tree. */
#define RW_SURFACE_MIN_M 2.5

enum { RW_POST_LOW, RW_POST_COVERED, RW_POST_ROOF, RW_POST_CROWN };

typedef struct rw_surface {
    rw_scene *scene;
    rw_raster posts;  /* altitudes; x0_m and y0_m are world coordinates */
    double spacing_m; /* of its posts, the mean of both directions */
    float *above_m;   /* above ground, of each post */
    uint8_t *kinds;   /* RW_POST_ of each post */
    rw_surface_report report;
} rw_surface;

/* A post in the scene's local frame. */
static inline rw_vec2 rw_surface_post(const rw_surface *surface, size_t column, size_t row)
{
    return rw_vec2_of(surface->posts.x0_m + (double)column * surface->posts.dx_m - surface->scene->origin.x,
                      surface->posts.y0_m + (double)row * surface->posts.dy_m - surface->scene->origin.y);
}

/* roof_heights.c: parts without a height of their own get the median of the posts under them, and its spread; posts
 * under parts, and those next to them, are covered. */
rw_status rw_surface_measure_roofs(rw_surface *surface);

/* classify_posts.c: roofs and crowns among the high posts that no part covers. */
rw_status rw_surface_classify(rw_surface *surface);

/* find_buildings.c: a part for each roof of one height; what is too small for one becomes crown. */
rw_status rw_surface_find_buildings(rw_surface *surface);

/* building_outline.c: an outline along the sides of posts, in metres, with fewer points, and with right angles if most
 * of its sides have them; in place. squared: whether it has. Returns the number of points, 0: nothing is left. */
size_t rw_outline_simplify(rw_vec2 *points, size_t count, double tolerance_m, int *squared);

#endif
