/* The plane polygons of a scene: a rectangle for each panel, a triangle for each of a mesh, walls and roof for each
 * part, the floor and ceiling that a floor plan names, and outdoors the ground: level, or the triangles of the terrain.
 */
#include "discretise/surfaces/surfaces.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AREA_MIN_M2 1e-8
#define TERRAIN_POSTS_MAX 1e5

typedef struct maker {
    const rw_scene *scene;
    rw_vec2 centre;
    rw_surfaces *kinds;
    rw_pieces *pieces;
    int built; /* what is added is of buildings, or the ground under them */
    int mesh;  /* what is added is of meshes */
} maker;

static rw_vec3 vector_area(const rw_vec3 *points, size_t count)
{
    rw_vec3 sum = {0, 0, 0};
    for (size_t i = 1; i + 1 < count; i++)
        sum = rw_vec3_add(sum, rw_vec3_cross(rw_vec3_sub(points[i], points[0]), rw_vec3_sub(points[i + 1], points[0])));
    return rw_vec3_scale(sum, 0.5);
}

/* One sign for both sides of a plane. Parts that are zero but for rounding are made zero, so that walls along an axis
 * have that axis as their normal to the bit. */
static rw_vec3 find_canonical_normal(rw_vec3 normal)
{
    double *component[3] = {&normal.x, &normal.y, &normal.z};
    double sign = 0;
    for (int i = 0; i < 3; i++) {
        if (fabs(*component[i]) < 1e-12)
            *component[i] = 0;
        if (sign == 0 && *component[i] != 0)
            sign = *component[i] > 0 ? 1 : -1;
    }
    double length = rw_vec3_length(normal);
    return rw_vec3_scale(normal, sign / length);
}

/* A polygon of one outer ring and its holes; points that are already in the frame. Polygons of no area are left out. */
static rw_status add_polygon(maker *make, const rw_vec3 *points, const size_t *ring_sizes, size_t ring_count,
                             uint32_t kind)
{
    rw_pieces *pieces = make->pieces;
    rw_context *context = make->scene->context;
    rw_vec3 area = vector_area(points, ring_sizes[0]);
    size_t count = 0;
    for (size_t i = 0; i < ring_count; i++)
        count += ring_sizes[i];
    if (!(rw_vec3_length(area) > AREA_MIN_M2)) {
        pieces->skipped_count++;
        return RW_OK;
    }
    RW_TRY(RW_ARRAY_RESERVE(context, pieces->list, 1, "surfaces"));
    RW_TRY(RW_ARRAY_RESERVE(context, pieces->points, count, "corners of surfaces"));
    RW_TRY(RW_ARRAY_RESERVE(context, pieces->ring_sizes, ring_count, "rings of surfaces"));
    rw_piece piece = {.normal = find_canonical_normal(area),
                      .area_m2 = rw_vec3_length(area),
                      .first_point = pieces->points.count,
                      .point_count = count,
                      .first_ring = pieces->ring_sizes.count,
                      .ring_count = ring_count,
                      .kind = kind,
                      .built = make->built,
                      .mesh = make->mesh};
    /* The corners of a panel turn counter-clockwise as seen from its right. */
    piece.turned = make->kinds->one_sided[kind] && rw_vec3_dot(area, piece.normal) < 0;
    piece.offset_m = rw_vec3_dot(piece.normal, points[0]);
    for (size_t i = 0; i < count; i++)
        pieces->points.items[pieces->points.count++] = points[i];
    for (size_t i = 0; i < ring_count; i++)
        pieces->ring_sizes.items[pieces->ring_sizes.count++] = ring_sizes[i];
    pieces->list.items[pieces->list.count++] = piece;
    return RW_OK;
}

static rw_vec3 to_wall_grid_frame(const maker *make, rw_vec2 at, double z_m)
{
    return rw_vec3_of(at.x - make->centre.x, at.y - make->centre.y, z_m);
}

static rw_status add_wall_rectangle(maker *make, rw_vec2 p0, rw_vec2 p1, double bottom_m, double top_m, uint32_t kind)
{
    rw_vec3 corners[4] = {to_wall_grid_frame(make, p0, bottom_m), to_wall_grid_frame(make, p1, bottom_m),
                          to_wall_grid_frame(make, p1, top_m), to_wall_grid_frame(make, p0, top_m)};
    const size_t sizes[] = {4};
    return add_polygon(make, corners, sizes, 1, kind);
}

static rw_status add_panel_rectangles(maker *make)
{
    for (size_t i = 0; i < make->scene->panels.count; i++) {
        const rw_scene_panel *panel = &make->scene->panels.items[i];
        RW_TRY(add_wall_rectangle(make, panel->p0, panel->p1, panel->bottom_m, panel->top_m, panel->surface));
    }
    return RW_OK;
}

static rw_status add_mesh_triangles(maker *make)
{
    const rw_scene *scene = make->scene;
    for (size_t m = 0; m < scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &scene->meshes.items[m];
        for (size_t i = mesh->first_triangle; i < mesh->first_triangle + mesh->triangle_count; i++) {
            rw_vec3 corners[3];
            for (size_t j = 0; j < 3; j++) {
                rw_vec3 vertex = scene->vertices.items[scene->triangles.items[3 * i + j]];
                corners[j] = rw_vec3_of(vertex.x - make->centre.x, vertex.y - make->centre.y, vertex.z);
            }
            const size_t sizes[] = {3};
            RW_TRY(add_polygon(make, corners, sizes, 1, mesh->surface));
        }
    }
    return RW_OK;
}

static rw_status add_roof(maker *make, const rw_part *part)
{
    const rw_scene *scene = make->scene;
    size_t count = 0;
    for (size_t r = 0; r < part->ring_count; r++)
        count += rw_ring_size(scene, part->first_ring + r);
    rw_vec3 *points;
    size_t *sizes;
    RW_TRY(rw_array_create(scene->context, count, sizeof *points, "a roof", &points));
    rw_status status = rw_array_create(scene->context, part->ring_count, sizeof *sizes, "a roof", &sizes);
    if (status == RW_OK) {
        size_t at = 0;
        for (size_t r = 0; r < part->ring_count; r++) {
            sizes[r] = rw_ring_size(scene, part->first_ring + r);
            for (size_t i = 0; i < sizes[r]; i++)
                points[at++] = to_wall_grid_frame(make, rw_ring_points(scene, part->first_ring + r)[i], part->top_m);
        }
        status = add_polygon(make, points, sizes, part->ring_count, part->surface);
        free(sizes);
    }
    free(points);
    return status;
}

static rw_status add_part_surfaces(maker *make)
{
    const rw_scene *scene = make->scene;
    make->built = 1;
    for (size_t p = 0; p < scene->parts.count; p++) {
        const rw_part *part = &scene->parts.items[p];
        for (size_t r = part->first_ring; r < part->first_ring + part->ring_count; r++) {
            const rw_vec2 *points = rw_ring_points(scene, r);
            size_t size = rw_ring_size(scene, r);
            for (size_t i = 0; i < size; i++)
                RW_TRY(add_wall_rectangle(make, points[i], points[(i + 1) % size], part->bottom_m, part->top_m,
                                          part->surface));
        }
        RW_TRY(add_roof(make, part));
    }
    make->built = 0;
    return RW_OK;
}

/* The slab of the scene that goes by one of two names. */
static const char *find_slab(const rw_scene *scene, const char *name, const char *other)
{
    for (size_t i = 0; i < scene->slabs.count; i++)
        if (strcasecmp(scene->slabs.items[i].name, name) == 0 || strcasecmp(scene->slabs.items[i].name, other) == 0)
            return scene->slabs.items[i].name;
    return NULL;
}

static int is_one_sided(const rw_scene *scene, const char *surface)
{
    const rw_scene_slab *slab = rw_scene_find_slab(scene, surface);
    for (size_t i = 0; slab && i < slab->layer_count / 2; i++) {
        size_t j = slab->layer_count - 1 - i;
        if (slab->layer_thickness_m[i] != slab->layer_thickness_m[j] ||
            strcmp(slab->layer_material[i], slab->layer_material[j]) != 0)
            return 1;
    }
    return 0;
}

/* Two more kinds than the scene names, for a floor and a ceiling. */
static rw_status list_kinds(const rw_scene *scene, rw_surfaces *surfaces)
{
    size_t kind_capacity = scene->surfaces.count + 2;
    RW_TRY(
        rw_array_create(scene->context, kind_capacity, sizeof *surfaces->kinds, "kinds of surfaces", &surfaces->kinds));
    RW_TRY(rw_array_create(scene->context, kind_capacity, 1, "kinds of surfaces", &surfaces->one_sided));
    for (size_t i = 0; i < scene->surfaces.count; i++) {
        surfaces->kinds[i] = scene->surfaces.items[i];
        surfaces->one_sided[i] = (uint8_t)is_one_sided(scene, surfaces->kinds[i]);
    }
    surfaces->kind_count = scene->surfaces.count;
    return RW_OK;
}

const char *rw_ground_surface(const rw_scene *scene)
{
    static const char name[] = "ground";
    return rw_scene_find_slab(scene, name) || rw_scene_find_material(scene, name) ? name : "itu_medium_dry_ground";
}

/* One more kind of surface. */
static uint32_t add_kind(maker *make, const char *slab)
{
    rw_surfaces *kinds = make->kinds;
    kinds->kinds[kinds->kind_count] = slab;
    kinds->one_sided[kinds->kind_count] = (uint8_t)is_one_sided(make->scene, slab);
    return (uint32_t)kinds->kind_count++;
}

static rw_status add_level_rectangle(maker *make, const char *slab, double z_m, double beyond_m)
{
    if (!slab)
        return RW_OK;
    rw_vec2 beyond = {beyond_m, beyond_m};
    rw_vec2 low = rw_vec2_sub(make->scene->box_min, beyond), high = rw_vec2_add(make->scene->box_max, beyond);
    rw_vec3 corners[4] = {to_wall_grid_frame(make, low, z_m), to_wall_grid_frame(make, rw_vec2_of(high.x, low.y), z_m),
                          to_wall_grid_frame(make, high, z_m),
                          to_wall_grid_frame(make, rw_vec2_of(low.x, high.y), z_m)};
    const size_t sizes[] = {4};
    return add_polygon(make, corners, sizes, 1, add_kind(make, slab));
}

/* A post of the terrain; beyond its outline, where the ground goes on level, those of the outline moved outwards. */
static rw_vec3 terrain_post_beyond(const maker *make, long column, long row)
{
    const rw_raster *terrain = &make->scene->terrain;
    long columns = (long)terrain->columns, rows = (long)terrain->rows;
    long inside_column = column < 0 ? 0 : column < columns ? column : columns - 1;
    long inside_row = row < 0 ? 0 : row < rows ? row : rows - 1;
    rw_vec2 at = {terrain->x0_m + (double)inside_column * terrain->dx_m +
                      (double)(column - inside_column) * RW_GROUND_BEYOND_M,
                  terrain->y0_m + (double)inside_row * terrain->dy_m + (double)(row - inside_row) * RW_GROUND_BEYOND_M};
    return to_wall_grid_frame(make, at, (double)terrain->values[inside_row * columns + inside_column]);
}

/* The terrain as scene/terrain.c has it: two triangles to each cell. */
static rw_status add_terrain_triangles(maker *make, const char *slab)
{
    const rw_raster *terrain = &make->scene->terrain;
    uint32_t kind = add_kind(make, slab);
    const size_t three[] = {3};
    if ((double)terrain->columns * (double)terrain->rows > TERRAIN_POSTS_MAX)
        return rw_fail(
            make->scene->context, RW_TOO_LARGE,
            "the terrain has %zu x %zu posts, too many for a model that tries every triangle: use coarser or "
            "flat terrain",
            terrain->columns, terrain->rows);
    for (long row = -1; row < (long)terrain->rows; row++)
        for (long column = -1; column < (long)terrain->columns; column++) {
            rw_vec3 south_west = terrain_post_beyond(make, column, row),
                    north_east = terrain_post_beyond(make, column + 1, row + 1);
            rw_vec3 lower[] = {south_west, terrain_post_beyond(make, column + 1, row), north_east};
            rw_vec3 upper[] = {south_west, north_east, terrain_post_beyond(make, column, row + 1)};
            RW_TRY(add_polygon(make, lower, three, 1, kind));
            RW_TRY(add_polygon(make, upper, three, 1, kind));
        }
    return RW_OK;
}

static rw_status add_ground_surface(maker *make, int apart)
{
    const char *slab = rw_ground_surface(make->scene);
    if (!rw_scene_lays_ground(make->scene) || (apart && make->scene->terrain.values))
        return RW_OK;
    return make->scene->terrain.values ? add_terrain_triangles(make, slab)
                                       : add_level_rectangle(make, slab, 0, RW_GROUND_BEYOND_M);
}

static rw_status add_floor_and_ceiling(maker *make)
{
    const rw_scene *scene = make->scene;
    if (scene->panels.count == 0 || scene->meshes.count > 0 || scene->parts.count > 0)
        return RW_OK;
    double bottom_m = INFINITY, top_m = -INFINITY;
    for (size_t i = 0; i < scene->panels.count; i++) {
        bottom_m = fmin(bottom_m, scene->panels.items[i].bottom_m);
        top_m = fmax(top_m, scene->panels.items[i].top_m);
    }
    RW_TRY(add_level_rectangle(make, find_slab(scene, "floor", "ground"), bottom_m, 0));
    return add_level_rectangle(make, find_slab(scene, "ceil", "ceiling"), top_m, 0);
}

rw_status rw_pieces_create(const rw_scene *scene, rw_vec2 centre, rw_surfaces_form form, rw_surfaces *kinds,
                           rw_pieces *pieces)
{
    *pieces = (rw_pieces){0};
    maker make = {.scene = scene, .centre = centre, .kinds = kinds, .pieces = pieces};
    rw_status status = list_kinds(scene, kinds);
    if (status == RW_OK)
        status = add_panel_rectangles(&make);
    make.mesh = 1;
    if (status == RW_OK)
        status = add_mesh_triangles(&make);
    make.mesh = 0;
    if (status == RW_OK)
        status = add_part_surfaces(&make);
    make.built = form.outdoors;
    if (status == RW_OK)
        status = form.outdoors ? add_ground_surface(&make, form.apart) : add_floor_and_ceiling(&make);
    if (status != RW_OK)
        rw_pieces_destroy(pieces);
    return status;
}

void rw_pieces_destroy(rw_pieces *pieces)
{
    free(pieces->list.items);
    free(pieces->points.items);
    free(pieces->ring_sizes.items);
    *pieces = (rw_pieces){0};
}
