/* Buildings from meshes: what hangs together in meshes and is an upright prism becomes a building, and a floor under
 * them the ground, for models that know buildings and no other bodies.
 *
 * From triangles to outlines: triangles that share corners are one body. A body is a prism where each triangle is
 * vertical, or level at its top or bottom, the walls have the area of the roof's border times the height, and the
 * bottom is open or as large as the roof. The border of the roof is the outline. Bodies that are no prism because their
 * roof is sloped or has steps become one up to their highest point, with a note. Houses that touch share corners: what
 * is no prism together is tried again in pairs of meshes (walls and roof), then mesh by mesh. Vertices stay in the
 * scene, for its extent. */
#include "scene/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CORNER_STEPS_PER_M 1000.0 /* corners that are nearer than a millimetre are one */
#define LEVEL_NORMAL_MIN 0.999
#define UPRIGHT_NORMAL_MAX 0.02
#define SAME_LEVEL_M 0.01
#define AREA_TOLERANCE 0.01
#define WALLS_MISSING 0.7   /* share of the walls up to the highest point that a body with a sloped roof may lack */
#define GROUND_WITHIN_M 0.5 /* a floor that is nearer to altitude 0 is level ground there */
#define NO_BODY UINT32_MAX

typedef struct welded_corner {
    int64_t x, y, z;
    size_t mesh; /* 0 in the first turn */
    uint32_t vertex;
} welded_corner;

/* A directed side of the roof's border, by welded corners. */
typedef struct border_side {
    uint32_t from, to;
} border_side;

typedef struct body_triangle {
    uint32_t body, triangle, mesh;
} body_triangle;

typedef struct converter {
    rw_scene *scene;
    uint32_t *corners; /* the welded corner of each vertex: the first vertex there */
    uint32_t *parents; /* of welded corners that hang together */
    body_triangle *list;
    size_t count;
    uint8_t *converted; /* triangles that became part of a building or the ground */
    border_side *sides;
    size_t side_count;
    rw_vec2 *outline;
    size_t *ring_sizes;
    double floor_m; /* NaN: none */
    int sloped;     /* roofs may be sloped or have steps */
} converter;

static int compare_welded_corners(const void *left, const void *right)
{
    const welded_corner *a = left, *b = right;
    if (a->mesh != b->mesh)
        return a->mesh < b->mesh ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/* Finds equal corners; of one mesh only where by_mesh. */
static rw_status weld_corners(converter *to, int by_mesh)
{
    const rw_scene *scene = to->scene;
    welded_corner *list;
    size_t count = 0;
    RW_TRY(rw_array_create(scene->context, scene->vertices.count, sizeof *list, "corners", &list));
    for (size_t m = 0; m < scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &scene->meshes.items[m];
        for (size_t i = mesh->first_vertex; i < mesh->first_vertex + mesh->vertex_count; i++) {
            rw_vec3 at = scene->vertices.items[i];
            list[count++] = (welded_corner){llround(at.x * CORNER_STEPS_PER_M), llround(at.y * CORNER_STEPS_PER_M),
                                            llround(at.z * CORNER_STEPS_PER_M), by_mesh ? m : 0, (uint32_t)i};
        }
    }
    rw_sort(list, count, sizeof *list, compare_welded_corners);
    for (size_t i = 0; i < count; i++) {
        const welded_corner *here = &list[i], *before = i > 0 ? &list[i - 1] : here;
        int same =
            i > 0 && here->x == before->x && here->y == before->y && here->z == before->z && here->mesh == before->mesh;
        to->corners[here->vertex] = same ? to->corners[before->vertex] : here->vertex;
        to->parents[here->vertex] = here->vertex;
    }
    free(list);
    return RW_OK;
}

static uint32_t find_corner_root(converter *to, uint32_t corner)
{
    while (to->parents[corner] != corner)
        corner = to->parents[corner] = to->parents[to->parents[corner]];
    return corner;
}

static rw_vec3 corner_at(const converter *to, size_t triangle, int corner)
{
    return to->scene->vertices.items[to->scene->triangles.items[3 * triangle + (size_t)corner]];
}

/* Twice the area, as a vector. */
static rw_vec3 double_area(const converter *to, size_t triangle)
{
    rw_vec3 a = corner_at(to, triangle, 0);
    return rw_vec3_cross(rw_vec3_sub(corner_at(to, triangle, 1), a), rw_vec3_sub(corner_at(to, triangle, 2), a));
}

static int compare_bodies(const void *left, const void *right)
{
    const body_triangle *a = left, *b = right;
    if (a->body != b->body)
        return a->body < b->body ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Lists the triangles that are left by the body they belong to. */
static void list_bodies(converter *to)
{
    const rw_scene *scene = to->scene;
    to->count = 0;
    for (size_t m = 0; m < scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &scene->meshes.items[m];
        for (size_t i = mesh->first_triangle; i < mesh->first_triangle + mesh->triangle_count; i++) {
            const uint32_t *corner = scene->triangles.items + 3 * i;
            uint32_t first = find_corner_root(to, to->corners[corner[0]]);
            if (to->converted[i])
                continue;
            to->parents[find_corner_root(to, to->corners[corner[1]])] = first;
            to->parents[find_corner_root(to, to->corners[corner[2]])] = first;
            to->list[to->count++] = (body_triangle){NO_BODY, (uint32_t)i, (uint32_t)m};
        }
    }
    for (size_t i = 0; i < to->count; i++)
        to->list[i].body = find_corner_root(to, to->corners[scene->triangles.items[3 * (size_t)to->list[i].triangle]]);
    rw_sort(to->list, to->count, sizeof *to->list, compare_bodies);
}

/* What a body is made of. */
typedef struct body_shape {
    double low_m, high_m, wall_m2, roof_m2, bottom_m2;
    uint32_t surface; /* of the most wall */
    uint32_t mesh;
} body_shape;

/* Areas by direction, of roofs on the map; 0 where something is neither upright nor, but for sloped roofs, level at the
 * top or the bottom. */
static int measure_body(const converter *to, const body_triangle *list, size_t count, body_shape *shape)
{
    double largest_m2 = 0;
    *shape = (body_shape){.low_m = INFINITY, .high_m = -INFINITY, .mesh = list[0].mesh};
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < 3; j++) {
            shape->low_m = fmin(shape->low_m, corner_at(to, list[i].triangle, j).z);
            shape->high_m = fmax(shape->high_m, corner_at(to, list[i].triangle, j).z);
        }
    for (size_t i = 0; i < count; i++) {
        rw_vec3 normal = double_area(to, list[i].triangle);
        double area_m2 = 0.5 * rw_vec3_length(normal), z_m = corner_at(to, list[i].triangle, 0).z;
        double up = area_m2 > 0 ? 0.5 * fabs(normal.z) / area_m2 : 0;
        if (up < UPRIGHT_NORMAL_MAX) {
            shape->wall_m2 += area_m2;
            if (area_m2 > largest_m2) {
                largest_m2 = area_m2;
                shape->surface = to->scene->meshes.items[list[i].mesh].surface;
                shape->mesh = list[i].mesh;
            }
        } else if (up > LEVEL_NORMAL_MIN && z_m < shape->low_m + SAME_LEVEL_M) {
            shape->bottom_m2 += up * area_m2;
        } else if (to->sloped || (up > LEVEL_NORMAL_MIN && z_m > shape->high_m - SAME_LEVEL_M)) {
            shape->roof_m2 += up * area_m2;
        } else {
            return 0;
        }
    }
    int closed = shape->bottom_m2 == 0 || fabs(shape->bottom_m2 - shape->roof_m2) <= AREA_TOLERANCE * shape->roof_m2;
    return closed && shape->roof_m2 > 0 && shape->high_m - shape->low_m > 2 * SAME_LEVEL_M;
}

static int compare_sides(const void *left, const void *right)
{
    const border_side *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* The sides of the roof's triangles, counter-clockwise from above, without those that two of them share. */
static void list_border(converter *to, const body_triangle *list, size_t count, double low_m)
{
    size_t all = 0, remaining = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *corner = to->scene->triangles.items + 3 * (size_t)list[i].triangle;
        rw_vec3 normal = double_area(to, list[i].triangle);
        double twice_m2 = rw_vec3_length(normal);
        int level = fabs(normal.z) > LEVEL_NORMAL_MIN * twice_m2;
        if (!(twice_m2 > 0) || fabs(normal.z) < UPRIGHT_NORMAL_MAX * twice_m2 ||
            (level && corner_at(to, list[i].triangle, 0).z < low_m + SAME_LEVEL_M))
            continue;
        for (int j = 0; j < 3; j++) {
            uint32_t a = to->corners[corner[j]], b = to->corners[corner[(j + 1) % 3]];
            if (a != b)
                to->sides[all++] = normal.z > 0 ? (border_side){a, b} : (border_side){b, a};
        }
    }
    qsort(to->sides, all, sizeof *to->sides, compare_sides);
    for (size_t i = 0; i < all; i++) {
        border_side back = {to->sides[i].to, to->sides[i].from};
        if (!bsearch(&back, to->sides, all, sizeof back, compare_sides))
            to->sides[all + remaining++] = to->sides[i];
    }
    memmove(to->sides, to->sides + all, remaining * sizeof *to->sides);
    to->side_count = remaining;
}

static rw_vec2 plan_of(const converter *to, uint32_t corner)
{
    rw_vec3 at = to->scene->vertices.items[corner];
    return rw_vec2_of(at.x, at.y);
}

/* The side that begins at a corner; SIZE_MAX where none or several do. */
static size_t side_from(const converter *to, uint32_t corner)
{
    size_t low = 0, high = to->side_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (to->sides[middle].from < corner)
            low = middle + 1;
        else
            high = middle;
    }
    int one = low < to->side_count && to->sides[low].from == corner &&
              (low + 1 == to->side_count || to->sides[low + 1].from != corner);
    return one ? low : SIZE_MAX;
}

/* Chains the border to rings, the outer one first; 0 where it is not one outline with its courtyards. */
static size_t chain_rings(converter *to, double *border_m)
{
    size_t rings = 0, points = 0, outer = SIZE_MAX, outer_first = 0;
    uint8_t *used = to->converted + to->scene->triangles.count / 3; /* room behind the triangles' own */
    memset(used, 0, to->side_count);
    *border_m = 0;
    for (size_t start = 0; start < to->side_count; start++) {
        if (used[start])
            continue;
        size_t first = points;
        for (size_t at = start; !used[at];) {
            rw_vec2 here = plan_of(to, to->sides[at].from), next = plan_of(to, to->sides[at].to);
            used[at] = 1;
            to->outline[points++] = here;
            *border_m += hypot(next.x - here.x, next.y - here.y);
            at = side_from(to, to->sides[at].to);
            if (at == SIZE_MAX)
                return 0;
        }
        if (rw_ring_area(to->outline + first, points - first) > 0) {
            if (outer != SIZE_MAX)
                return 0;
            outer = rings;
            outer_first = first;
        }
        to->ring_sizes[rings++] = points - first;
    }
    if (outer == SIZE_MAX)
        return 0;
    if (outer > 0) { /* a turn of the points before it to behind it puts it first */
        rw_vec2 *copy = to->outline + points;
        size_t size = to->ring_sizes[outer];
        memcpy(copy, to->outline + outer_first, size * sizeof *copy);
        memmove(to->outline + size, to->outline, outer_first * sizeof *copy);
        memcpy(to->outline, copy, size * sizeof *copy);
        memmove(to->ring_sizes + 1, to->ring_sizes, outer * sizeof *to->ring_sizes);
        to->ring_sizes[0] = size;
    }
    return rings;
}

static rw_status add_building(converter *to, const body_shape *shape, size_t rings)
{
    rw_scene *scene = to->scene;
    size_t points = 0;
    for (size_t i = 0; i < rings; i++)
        points += to->ring_sizes[i];
    double *xy = (double *)(void *)to->outline;
    for (size_t i = 0; i < points; i++) {
        xy[2 * i] += scene->origin.x;
        xy[2 * i + 1] += scene->origin.y;
    }
    double ground_m = isnan(to->floor_m) ? fmin(0, shape->low_m) : to->floor_m;
    double base_m = shape->low_m - ground_m > GROUND_WITHIN_M && !scene->terrain.values ? shape->low_m - ground_m : 0;
    rw_building building = {.size = sizeof building,
                            .xy = xy,
                            .ring_sizes = to->ring_sizes,
                            .ring_count = rings,
                            .ground_m = shape->low_m - base_m,
                            .base_height_m = base_m,
                            .roof_height_m = shape->high_m - shape->low_m + base_m,
                            .surface = scene->surfaces.items[shape->surface],
                            .source = scene->meshes.items[shape->mesh].name};
    return rw_scene_add_building(scene, &building);
}

static rw_status convert_body(converter *to, const body_triangle *list, size_t count)
{
    body_shape shape;
    double border_m;
    if (!measure_body(to, list, count, &shape))
        return RW_OK;
    list_border(to, list, count, shape.low_m);
    size_t rings = chain_rings(to, &border_m);
    double expected_m2 = border_m * (shape.high_m - shape.low_m), short_m2 = expected_m2 - shape.wall_m2;
    if (rings == 0 || short_m2 > (to->sloped ? WALLS_MISSING : AREA_TOLERANCE) * expected_m2 ||
        -short_m2 > AREA_TOLERANCE * expected_m2)
        return RW_OK;
    if (to->sloped)
        RW_TRY(rw_scene_note(to->scene, "meshes with sloped roofs taken as prisms up to their highest point",
                             to->scene->meshes.items[shape.mesh].name));
    RW_TRY(add_building(to, &shape, rings));
    for (size_t i = 0; i < count; i++)
        to->converted[list[i].triangle] = 1;
    return RW_OK;
}

static rw_status convert_bodies(converter *to, int by_mesh)
{
    RW_TRY(weld_corners(to, by_mesh));
    list_bodies(to);
    for (size_t first = 0, next; first < to->count; first = next) {
        for (next = first; next < to->count && to->list[next].body == to->list[first].body;)
            next++;
        RW_TRY(convert_body(to, to->list + first, next - first));
    }
    return RW_OK;
}

/* A mesh at a corner. */
typedef struct corner_mesh {
    uint32_t corner, mesh;
} corner_mesh;

static int compare_corner_meshes(const void *left, const void *right)
{
    const corner_mesh *a = left, *b = right;
    if (a->corner != b->corner)
        return a->corner < b->corner ? -1 : 1;
    return a->mesh < b->mesh ? -1 : a->mesh > b->mesh;
}

/* Appends the triangles of a mesh that are left. */
static void list_mesh(converter *to, uint32_t mesh)
{
    const rw_scene_mesh *from = &to->scene->meshes.items[mesh];
    for (size_t i = from->first_triangle; i < from->first_triangle + from->triangle_count; i++)
        if (!to->converted[i])
            to->list[to->count++] = (body_triangle){0, (uint32_t)i, mesh};
}

/* The mesh that shares the most corners with another; the same where none does. */
static uint32_t find_partner(const converter *to, uint32_t mesh, const corner_mesh *corner_meshes, size_t count,
                             uint32_t *shared)
{
    uint32_t best = mesh;
    for (int clear = 0; clear < 2; clear++)
        for (size_t i = 0; i < to->count; i++)
            for (int j = 0; j < 3; j++) {
                uint32_t corner = to->corners[to->scene->triangles.items[3 * (size_t)to->list[i].triangle + (size_t)j]];
                size_t low = 0, high = count;
                while (low < high) {
                    size_t middle = (low + high) / 2;
                    if (corner_meshes[middle].corner < corner)
                        low = middle + 1;
                    else
                        high = middle;
                }
                for (; low < count && corner_meshes[low].corner == corner; low++) {
                    uint32_t other = corner_meshes[low].mesh;
                    shared[other] = clear || other == mesh ? 0 : shared[other] + 1;
                    best = shared[other] > shared[best] ? other : best;
                }
            }
    return best;
}

/* Walls in one mesh and their roof in another, also where houses touch. */
static rw_status convert_pairs(converter *to)
{
    const rw_scene *scene = to->scene;
    corner_mesh *corner_meshes;
    uint32_t *shared;
    size_t count = 0;
    RW_TRY(rw_array_create(scene->context, scene->triangles.count, sizeof *corner_meshes, "corners", &corner_meshes));
    rw_status status = rw_array_create(scene->context, scene->meshes.count, sizeof *shared, "corners", &shared);
    for (uint32_t m = 0; m < scene->meshes.count && status == RW_OK; m++) {
        const rw_scene_mesh *mesh = &scene->meshes.items[m];
        for (size_t i = 3 * mesh->first_triangle; i < 3 * (mesh->first_triangle + mesh->triangle_count); i++)
            if (!to->converted[i / 3])
                corner_meshes[count++] = (corner_mesh){to->corners[scene->triangles.items[i]], m};
    }
    rw_sort(corner_meshes, count, sizeof *corner_meshes, compare_corner_meshes);
    for (uint32_t m = 0; m < scene->meshes.count && status == RW_OK; m++) {
        to->count = 0;
        list_mesh(to, m);
        uint32_t partner = find_partner(to, m, corner_meshes, count, shared);
        if (to->count == 0 || partner == m)
            continue;
        list_mesh(to, partner);
        status = convert_body(to, to->list, to->count);
    }
    free(corner_meshes);
    free(shared);
    return status;
}

/* Makes the ground of what the floor is of, unless the scene tells what its ground is. */
static rw_status name_ground(rw_scene *scene, uint32_t surface)
{
    static const char name[] = "ground";
    const char *floor = scene->surfaces.items[surface];
    const rw_scene_slab *slab = rw_scene_find_slab(scene, floor);
    if (rw_scene_find_slab(scene, name) || rw_scene_find_material(scene, name))
        return RW_OK;
    const rw_scene_material *material = rw_scene_find_material(scene, floor);
    if (!material)
        material = rw_builtin_material(floor);
    if (!slab && !material)
        return RW_OK; /* whoever asks for the floor's material says so */
    if (!slab)
        return rw_scene_add_material(scene, &(rw_material){.size = sizeof(rw_material),
                                                           .name = name,
                                                           .a = material->a,
                                                           .b = material->b,
                                                           .c = material->c,
                                                           .d = material->d,
                                                           .freq_min_hz = material->freq_min_hz,
                                                           .freq_max_hz = material->freq_max_hz,
                                                           .perfect_conductor = material->perfect_conductor,
                                                           .scattering = material->scattering});
    rw_layer layers[RW_SLAB_LAYERS_MAX];
    for (size_t i = 0; i < slab->layer_count; i++)
        layers[i] = (rw_layer){sizeof layers[i], slab->layer_material[i], slab->layer_thickness_m[i]};
    rw_slab ground = {.size = sizeof ground, .name = name, .layers = layers, .layer_count = slab->layer_count};
    return rw_scene_add_slab(scene, &ground);
}

/* Takes the triangles of the floor out: models that know buildings have the ground itself. Far from altitude 0 it
 * becomes level terrain. */
static rw_status extract_floor(converter *to)
{
    rw_scene *scene = to->scene;
    uint32_t surface = 0;
    double largest_m2 = 0;
    if (isnan(to->floor_m))
        return RW_OK;
    for (size_t m = 0; m < scene->meshes.count; m++)
        for (size_t i = 0; i < scene->meshes.items[m].triangle_count; i++) {
            size_t triangle = scene->meshes.items[m].first_triangle + i;
            double area_m2 = fabs(double_area(to, triangle).z);
            if (area_m2 > largest_m2 && fabs(corner_at(to, triangle, 0).z - to->floor_m) <= SAME_LEVEL_M) {
                largest_m2 = area_m2;
                surface = scene->meshes.items[m].surface;
            }
        }
    RW_TRY(name_ground(scene, surface));
    for (size_t i = 0; i < scene->triangles.count / 3; i++) {
        rw_vec3 normal = double_area(to, i);
        if (fabs(normal.z) > LEVEL_NORMAL_MIN * rw_vec3_length(normal) &&
            fabs(corner_at(to, i, 0).z - to->floor_m) <= SAME_LEVEL_M)
            to->converted[i] = 1;
    }
    if (fabs(to->floor_m) <= GROUND_WITHIN_M || scene->terrain.values || scene->flat)
        return RW_OK;
    float level = (float)to->floor_m;
    float values[] = {level, level, level, level};
    rw_raster terrain = {.size = sizeof terrain,
                         .columns = 2,
                         .rows = 2,
                         .x0_m = scene->box_min.x + scene->origin.x,
                         .y0_m = scene->box_min.y + scene->origin.y,
                         .dx_m = fmax(1, scene->box_max.x - scene->box_min.x),
                         .dy_m = fmax(1, scene->box_max.y - scene->box_min.y),
                         .values = values};
    return rw_scene_set_terrain(scene, &terrain);
}

/* Leaves the triangles that nothing has taken, and the meshes that have any. */
static void drop_converted(converter *to)
{
    rw_scene *scene = to->scene;
    size_t meshes = 0, remaining = 0;
    for (size_t m = 0; m < scene->meshes.count; m++) {
        rw_scene_mesh mesh = scene->meshes.items[m];
        size_t first = remaining;
        for (size_t i = mesh.first_triangle; i < mesh.first_triangle + mesh.triangle_count; i++)
            if (!to->converted[i])
                memmove(scene->triangles.items + 3 * remaining++, scene->triangles.items + 3 * i,
                        3 * sizeof *scene->triangles.items);
        mesh.first_triangle = first;
        mesh.triangle_count = remaining - first;
        if (mesh.triangle_count)
            scene->meshes.items[meshes++] = mesh;
    }
    scene->meshes.count = meshes;
    scene->triangles.count = 3 * remaining;
}

static rw_status convert_meshes(converter *to)
{
    rw_scene *scene = to->scene;
    rw_context *context = scene->context;
    size_t vertices = scene->vertices.count, triangles = scene->triangles.count / 3;
    RW_TRY(rw_array_create(context, vertices, sizeof *to->corners, "corners", &to->corners));
    RW_TRY(rw_array_create(context, vertices, sizeof *to->parents, "corners", &to->parents));
    RW_TRY(rw_array_create(context, triangles, sizeof *to->list, "triangles", &to->list));
    RW_TRY(rw_array_create(context, 7 * triangles, 1, "triangles", &to->converted));
    RW_TRY(rw_array_create(context, 6 * triangles, sizeof *to->sides, "outlines", &to->sides));
    RW_TRY(rw_array_create(context, 6 * triangles, sizeof *to->outline, "outlines", &to->outline));
    RW_TRY(rw_array_create(context, 3 * triangles, sizeof *to->ring_sizes, "outlines", &to->ring_sizes));
    RW_TRY(extract_floor(to));
    for (to->sloped = 0; to->sloped < 2; to->sloped++) {
        RW_TRY(convert_bodies(to, 0));
        RW_TRY(convert_pairs(to));
        RW_TRY(convert_bodies(to, 1));
    }
    RW_TRY(rw_scene_extract_mesh_walls(scene, to->converted));
    drop_converted(to);
    return RW_OK;
}

rw_status rw_scene_meshes_to_buildings(rw_scene *scene)
{
    if (scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is committed and cannot be changed");
    if (scene->triangles.count == 0)
        return RW_OK;
    RW_TRY(rw_scene_find_extent(scene));
    RW_TRY(rw_scene_find_floor(scene));
    converter to = {.scene = scene, .floor_m = scene->has_floor ? scene->floor_m : NAN};
    rw_status status = convert_meshes(&to);
    free(to.corners);
    free(to.parents);
    free(to.list);
    free(to.converted);
    free(to.sides);
    free(to.outline);
    free(to.ring_sizes);
    return status;
}
