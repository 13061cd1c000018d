/* Tiles of both sides of the planes that the triangles of meshes lie in, and segments of the edges of meshes.
 *
 * Section III.A of Lu and others (2019), as roofs: the smallest rectangle round a plane surface is cut, and tiles whose
 * centre is beside the surface are dropped, also those that look into a closed mesh, into a building or from under the
 * ground. Tiles keep the area of their surface, and paths ask the triangles themselves (tile_path.k.h). Edges are those
 * of rw_free_edges_find, cut as the tiles are. */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"
#include "discretise/surfaces/surfaces.h"
#include "discretise/bvh/cross_meshes.k.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* A plane surface and the grid that it was cut by. */
typedef struct mesh_plane {
    const rw_surface *surface; /* NULL: not of a mesh, or too small */
    rw_tile_rectangle rectangle;
    size_t columns, rows, first_cell; /* into the numbers of mesh_maker: all of one side, then all of the other */
} mesh_plane;

typedef struct mesh_maker {
    rw_tile_maker *to;
    rw_surfaces surfaces;
    mesh_plane *planes;         /* of each surface */
    RW_ARRAY(uint32_t) numbers; /* of the first tile of each cell; RW_NO_TILE: none */
    int has_ground;
} mesh_maker;

static rw_vec3 mesh_plane_to_space(const rw_surface *surface, rw_vec2 at)
{
    return rw_vec3_add(rw_vec3_add(rw_vec3_scale(surface->axis_u, at.x), rw_vec3_scale(surface->axis_v, at.y)),
                       rw_vec3_scale(surface->normal, surface->offset_m));
}

static rw_vec3 direction_in_space(const rw_surface *surface, rw_vec2 direction, double length)
{
    return rw_vec3_add(rw_vec3_scale(surface->axis_u, length * direction.x),
                       rw_vec3_scale(surface->axis_v, length * direction.y));
}

static rw_vec3 side_normal(const rw_surface *surface, int side)
{
    return rw_vec3_scale(surface->normal, side ? -1 : 1);
}

/* The side of a surface that a normal shows to. */
static int side_of(const rw_surface *surface, rw_vec3 normal)
{
    return rw_vec3_dot(surface->normal, normal) < 0;
}

static double mesh_surface_area(const rw_surfaces *surfaces, const rw_surface *surface)
{
    double sum = 0;
    for (uint32_t i = 0; i < surface->edge_count; i++) {
        const rw_surface_edge *edge = &surfaces->edges[surface->first_edge + i];
        sum += (edge->u0 - surface->low_u) * (edge->v1 - surface->low_v) -
               (edge->u1 - surface->low_u) * (edge->v0 - surface->low_v);
    }
    return 0.5 * fabs(sum);
}

/* Whether air is before one side of a surface at a place of it. */
static int side_is_open(const mesh_maker *make, rw_vec3 point, rw_vec3 normal)
{
    const rw_tile_maker *maker = make->to;
    const rw_wall_grid *grid = &maker->prepared->grid;
    rw_vec3 eye = rw_vec3_add(point, rw_vec3_scale(normal, RW_TILE_OFFSET_M));
    rw_vec2 plan = {eye.x + grid->centre.x, eye.y + grid->centre.y};
    if (make->has_ground && eye.z < rw_scene_ground_m(maker->scene, plan))
        return 0;
    return !rw_tile_filled(maker, plan, eye.z) &&
           !(grid->view.node_count && rw_inside_meshes(&grid->view, eye, rw_bvh_outside(&grid->view)));
}

static int is_on(const mesh_maker *make, const mesh_plane *plane, double u, double v)
{
    rw_vec2 at = rw_rectangle_point(&plane->rectangle, u, v);
    return rw_surface_holds(&make->surfaces.view, plane->surface, mesh_plane_to_space(plane->surface, at));
}

/* Whether a border runs through a tile, as its corners and centre tell. */
static int mesh_tile_is_mixed(const mesh_maker *make, const mesh_plane *plane, double u, double v, double half_u,
                              double half_v)
{
    int sum = is_on(make, plane, u, v);
    for (int i = 0; i < 4; i++)
        sum += is_on(make, plane, u + (i & 1 ? 0.999 : -0.999) * half_u, v + (i & 2 ? 0.999 : -0.999) * half_v);
    return sum != 0 && sum != 5;
}

static rw_status cut_mesh_tile(mesh_maker *make, const mesh_plane *plane, int side, double u, double v, double half_u,
                               double half_v, int quarters)
{
    const rw_surface *surface = plane->surface;
    if (quarters > 0 && mesh_tile_is_mixed(make, plane, u, v, half_u, half_v)) {
        for (int i = 0; i < 4; i++)
            RW_TRY(cut_mesh_tile(make, plane, side, u + (i & 1 ? 0.5 : -0.5) * half_u,
                                 v + (i & 2 ? 0.5 : -0.5) * half_v, 0.5 * half_u, 0.5 * half_v, quarters - 1));
        return RW_OK;
    }
    rw_vec3 centre = mesh_plane_to_space(surface, rw_rectangle_point(&plane->rectangle, u, v));
    if (!rw_surface_holds(&make->surfaces.view, surface, centre) ||
        !side_is_open(make, centre, side_normal(surface, side)))
        return RW_OK;
    rw_vec3 along_u = direction_in_space(surface, plane->rectangle.u, half_u);
    rw_vec3 along_v = direction_in_space(surface, plane->rectangle.v, half_v);
    return rw_tile_add(make->to, centre, side ? along_v : along_u, side ? along_u : along_v);
}

/* One side with tiles of about side_m, and which tile is the first of each cell. */
static rw_status cut_mesh_side(mesh_maker *make, const mesh_plane *plane, int side)
{
    rw_tile_maker *maker = make->to;
    uint32_t *numbers = make->numbers.items + plane->first_cell + (size_t)side * plane->columns * plane->rows;
    double half_u = 0.5 * plane->rectangle.length_u / (double)plane->columns;
    double half_v = 0.5 * plane->rectangle.length_v / (double)plane->rows;
    rw_tile_surface surface = {.kind = RW_TILE_MESH,
                               .part = RW_NO_TILE,
                               .material = plane->surface->kind,
                               .wall = RW_NO_TILE,
                               .back = (uint32_t)(side != (plane->surface->turned != 0))};
    RW_TRY(rw_tile_add_surface(maker, surface));
    for (size_t i = 0; i < plane->columns * plane->rows; i++) {
        size_t before = maker->tiles.count;
        RW_TRY(cut_mesh_tile(make, plane, side, (2 * (double)(i % plane->columns) + 1) * half_u,
                             (2 * (double)(i / plane->columns) + 1) * half_v, half_u, half_v,
                             maker->options.border_quarter));
        numbers[i] = maker->tiles.count > before ? (uint32_t)before : RW_NO_TILE;
    }
    return RW_OK;
}

/* The area alone: what a tile claims beyond its sides is the neighbours' business. */
static void scale_mesh_tile_areas(rw_tile_maker *maker, size_t first, double wanted_m2)
{
    double sum_m2 = 0;
    for (size_t i = first; i < maker->tiles.count; i++)
        sum_m2 += (double)maker->tiles.items[i].area_m2;
    for (size_t i = first; i < maker->tiles.count; i++)
        maker->tiles.items[i].area_m2 *= (float)fmin(2, fmax(0.5, wanted_m2 / sum_m2));
}

/* Whether the centre of some cell is on the surface. */
static int has_centres(const mesh_maker *make, const mesh_plane *plane)
{
    double step_u = plane->rectangle.length_u / (double)plane->columns;
    double step_v = plane->rectangle.length_v / (double)plane->rows;
    for (size_t i = 0; i < plane->columns * plane->rows; i++)
        if (is_on(make, plane, ((double)(i % plane->columns) + 0.5) * step_u,
                  ((double)(i / plane->columns) + 0.5) * step_v))
            return 1;
    return 0;
}

/* A surface so narrow that no centre is on it is cut into smaller tiles. */
static rw_status lay_grid(mesh_maker *make, mesh_plane *plane)
{
    double side_m = make->to->side_m;
    for (int refinement = 0; refinement < 4; refinement++, side_m *= 0.5) {
        plane->columns = rw_tile_pieces(plane->rectangle.length_u, side_m);
        plane->rows = rw_tile_pieces(plane->rectangle.length_v, side_m);
        if (has_centres(make, plane))
            break;
    }
    plane->first_cell = make->numbers.count;
    size_t cells = 2 * plane->columns * plane->rows;
    RW_TRY(RW_ARRAY_RESERVE(make->to->scene->context, make->numbers, cells, "tiles of meshes"));
    make->numbers.count += cells;
    return RW_OK;
}

static rw_status circumscribe_surface(const mesh_maker *make, const rw_surface *surface, rw_tile_rectangle *rectangle)
{
    rw_context *context = make->to->scene->context;
    rw_vec2 *corners;
    RW_TRY(rw_array_create(context, surface->edge_count, sizeof *corners, "an outline", &corners));
    for (uint32_t i = 0; i < surface->edge_count; i++) {
        const rw_surface_edge *edge = &make->surfaces.edges[surface->first_edge + i];
        corners[i] = rw_vec2_of(edge->u0, edge->v0);
    }
    rw_status status = rw_smallest_rectangle(context, corners, surface->edge_count, rectangle);
    free(corners);
    return status;
}

static rw_status cut_plane(mesh_maker *make, const rw_surface *surface, mesh_plane *plane)
{
    rw_tile_maker *maker = make->to;
    double area_m2 = mesh_surface_area(&make->surfaces, surface);
    RW_TRY(circumscribe_surface(make, surface, &plane->rectangle));
    const double rounding = 1 - 1e-6; /* of vertices in float */
    if (fmin(plane->rectangle.length_u, plane->rectangle.length_v) < rounding * maker->options.min_m ||
        area_m2 < rounding * maker->options.min_m2) {
        maker->skipped_count++;
        maker->skipped_m2 += area_m2;
        return RW_OK;
    }
    plane->surface = surface;
    RW_TRY(lay_grid(make, plane));
    for (int side = 0; side < 2; side++) {
        size_t first = maker->tiles.count;
        RW_TRY(cut_mesh_side(make, plane, side));
        scale_mesh_tile_areas(maker, first, area_m2);
    }
    return RW_OK;
}

static uint32_t number_at(const mesh_maker *make, const mesh_plane *plane, int side, long column, long row)
{
    if (column < 0 || row < 0 || column >= (long)plane->columns || row >= (long)plane->rows)
        return RW_NO_TILE;
    size_t cell = (size_t)row * plane->columns + (size_t)column;
    return make->numbers.items[plane->first_cell + (size_t)side * plane->columns * plane->rows + cell];
}

/* A tile of one side that is nearest to a place, by squares of cells round it. */
static uint32_t find_nearest_mesh_tile(const mesh_maker *make, uint32_t surface, int side, rw_vec3 point)
{
    const mesh_plane *plane = &make->planes[surface];
    if (!plane->surface)
        return RW_NO_TILE;
    const rw_tile_rectangle *of = &plane->rectangle;
    rw_vec2 off = rw_vec2_sub(
        rw_vec2_of(rw_vec3_dot(plane->surface->axis_u, point), rw_vec3_dot(plane->surface->axis_v, point)), of->corner);
    long column = (long)floor(rw_vec2_dot(off, of->u) / of->length_u * (double)plane->columns);
    long row = (long)floor(rw_vec2_dot(off, of->v) / of->length_v * (double)plane->rows);
    column = column < 0 ? 0 : column >= (long)plane->columns ? (long)plane->columns - 1 : column;
    row = row < 0 ? 0 : row >= (long)plane->rows ? (long)plane->rows - 1 : row;
    long ring_max = (long)(plane->columns > plane->rows ? plane->columns : plane->rows);
    for (long ring = 0; ring < ring_max; ring++)
        for (long i = -ring; i <= ring; i++)
            for (long k = -ring; k <= ring; k += i == -ring || i == ring || ring == 0 ? 1 : 2 * ring) {
                uint32_t number = number_at(make, plane, side, column + k, row + i);
                if (number != RW_NO_TILE)
                    return number;
            }
    return RW_NO_TILE;
}

/* The index of a surface's kind among the materials of tiles; RW_NO_TILE where tiles do not have it. */
static uint32_t material_of(const mesh_maker *make, uint32_t surface)
{
    uint32_t kind = make->surfaces.surfaces[surface].kind;
    return kind < make->to->ground_material ? kind : make->to->options.ground ? make->to->ground_material : RW_NO_TILE;
}

/* The tile edge that a free edge becomes, without its ends and parents. */
static rw_tile_edge face_edge(const mesh_maker *make, const rw_free_edge *edge)
{
    const rw_surface *surfaces = make->surfaces.surfaces;
    double exterior_rad = edge->exterior_over_pi * PI;
    rw_vec3 far_normal = rw_edge_is_wedge(edge) ? rw_vec3_add(rw_vec3_scale(edge->along, sin(exterior_rad)),
                                                              rw_vec3_scale(edge->normal, -cos(exterior_rad)))
                                                : rw_vec3_scale(edge->normal, -1);
    rw_tile_edge tile_edge = {.normals = {edge->normal, far_normal},
                              .exterior_rad = exterior_rad,
                              .kind = RW_TILE_EDGE_MESH,
                              .materials = {material_of(make, edge->surface), RW_NO_TILE},
                              .along = edge->along};
    tile_edge.backs[0] = (uint32_t)side_of(&surfaces[edge->surface], edge->normal) ^ surfaces[edge->surface].turned;
    if (edge->other != RW_NO_SURFACE) {
        rw_vec3 normal = rw_edge_is_wedge(edge) ? far_normal : edge->normal;
        tile_edge.materials[1] = material_of(make, edge->other);
        tile_edge.backs[1] = (uint32_t)side_of(&surfaces[edge->other], normal) ^ surfaces[edge->other].turned;
    }
    return tile_edge;
}

static rw_status add_piece(mesh_maker *make, const rw_free_edge *edge, rw_tile_edge piece)
{
    const rw_surface *surfaces = make->surfaces.surfaces;
    rw_vec3 middle = rw_vec3_scale(rw_vec3_add(piece.from, piece.to), 0.5);
    int wedge = rw_edge_is_wedge(edge);
    uint32_t far_surface = wedge ? edge->other : edge->surface;
    uint32_t near_tile =
        find_nearest_mesh_tile(make, edge->surface, side_of(&surfaces[edge->surface], piece.normals[0]), middle);
    uint32_t far_tile =
        find_nearest_mesh_tile(make, far_surface, side_of(&surfaces[far_surface], piece.normals[1]), middle);
    if (near_tile == RW_NO_TILE && far_tile == RW_NO_TILE)
        return RW_OK;
    piece.tiles[0] = near_tile == RW_NO_TILE ? far_tile : near_tile;
    piece.tiles[1] = far_tile == RW_NO_TILE ? near_tile : far_tile;
    rw_tile_maker *maker = make->to;
    RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, maker->edges, 1, "edges of tiles"));
    maker->edges.items[maker->edges.count++] = piece;
    return RW_OK;
}

static rw_status add_mesh_tile_edge(mesh_maker *make, const rw_free_edge *edge)
{
    const rw_surface *surfaces = make->surfaces.surfaces;
    if (!surfaces[edge->surface].mesh && (edge->other == RW_NO_SURFACE || !surfaces[edge->other].mesh))
        return RW_OK;
    rw_tile_edge piece = face_edge(make, edge);
    rw_vec3 span = rw_vec3_sub(edge->to, edge->from);
    size_t count = rw_tile_pieces(rw_vec3_length(span), make->to->side_m);
    if (piece.materials[0] == RW_NO_TILE || (rw_edge_is_wedge(edge) && piece.materials[1] == RW_NO_TILE))
        return RW_OK;
    for (size_t i = 0; i < count; i++) {
        piece.from = rw_vec3_add(edge->from, rw_vec3_scale(span, (double)i / (double)count));
        piece.to = rw_vec3_add(edge->from, rw_vec3_scale(span, (double)(i + 1) / (double)count));
        RW_TRY(add_piece(make, edge, piece));
    }
    return RW_OK;
}

static int surface_is_wanted(const mesh_maker *make, const rw_surface *surface)
{
    rw_vec2 centre = make->to->prepared->grid.centre;
    double x = (double)surface->middle[0] + centre.x, y = (double)surface->middle[1] + centre.y;
    double radius_m = (double)surface->radius_m;
    return rw_tile_is_wanted(&make->to->options, x - radius_m, y - radius_m, x + radius_m, y + radius_m);
}

static rw_status cut_all(mesh_maker *make)
{
    rw_context *context = make->to->scene->context;
    rw_free_edge *edges;
    size_t count;
    RW_TRY(rw_array_create(context, make->surfaces.view.surface_count + 1, sizeof *make->planes, "planes of meshes",
                           &make->planes));
    for (uint32_t i = 0; i < make->surfaces.view.surface_count; i++)
        if (make->surfaces.surfaces[i].mesh && surface_is_wanted(make, &make->surfaces.surfaces[i]))
            RW_TRY(cut_plane(make, &make->surfaces.surfaces[i], &make->planes[i]));
    RW_TRY(rw_free_edges_find(context, &make->surfaces, &edges, &count));
    rw_status status = RW_OK;
    for (size_t i = 0; i < count && status == RW_OK; i++)
        status = add_mesh_tile_edge(make, &edges[i]);
    free(edges);
    return status;
}

rw_status rw_tile_meshes(rw_tile_maker *maker)
{
    const rw_scene *scene = maker->scene;
    if (scene->triangles.count == 0)
        return RW_OK;
    mesh_maker make = {.to = maker, .has_ground = rw_scene_lays_ground(scene)};
    rw_surfaces_form form = {.outdoors = 1, .apart = 1};
    RW_TRY(rw_surfaces_create_as(scene, maker->prepared->grid.centre, form, &make.surfaces));
    rw_status status = cut_all(&make);
    free(make.planes);
    free(make.numbers.items);
    rw_surfaces_destroy(&make.surfaces);
    return status;
}
