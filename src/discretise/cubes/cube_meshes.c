/* Meshes in cubes: their surfaces and edges piece by piece, and which cubes they fill.
 *
 * A mesh is closed if each of its edges is shared by an even number of triangles; vertices at one place are one. The
 * inside of a closed mesh is filled where a line upwards from the cube's centre crosses it an odd number of times; an
 * open one fills the cubes it passes through. An edge diffracts where it has one triangle, or two that are not in one
 * plane; it counts as vertical if it rises by more than 45 degrees. */
#include "base/memory.h"
#include "discretise/cubes/cubes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One side of a triangle, with the direction from it into the triangle. */
typedef struct mesh_edge {
    float low[3], high[3]; /* ends, the smaller first */
    float face[3];
    uint32_t mesh;
} mesh_edge;

typedef struct mesh_job {
    rw_context *context;
    const rw_scene *scene;
    rw_cubes *cubes;
    mesh_edge *edges;
    size_t edge_count;
    uint8_t *open; /* of each mesh */
} mesh_job;

static void subtract_floats(const float a[3], const float b[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = a[axis] - b[axis];
}

static float compute_dot_product(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void compute_cross_product(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static float make_unit(float a[3])
{
    float length = sqrtf(compute_dot_product(a, a));
    for (int axis = 0; axis < 3; axis++)
        a[axis] = length > 0 ? a[axis] / length : 0;
    return length;
}

static int compare_vertices(const float a[3], const float b[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (a[axis] != b[axis])
            return a[axis] < b[axis] ? -1 : 1;
    return 0;
}

static int compare_mesh_edges(const void *a, const void *b)
{
    const mesh_edge *first = a, *second = b;
    if (first->mesh != second->mesh)
        return first->mesh < second->mesh ? -1 : 1;
    int order = compare_vertices(first->low, second->low);
    return order ? order : compare_vertices(first->high, second->high);
}

static void corners_of(const mesh_job *job, size_t triangle, float corners[3][3])
{
    for (int corner = 0; corner < 3; corner++) {
        rw_vec3 at = job->scene->vertices.items[job->scene->triangles.items[3 * triangle + (size_t)corner]];
        rw_cubes_locate(&job->cubes->frame, at, corners[corner]);
    }
}

/* The sides of one triangle; its normal, 0 where it has no area. */
static int add_sides(mesh_job *job, uint32_t mesh, float corners[3][3], float normal[3])
{
    float first[3], second[3];
    subtract_floats(corners[1], corners[0], first);
    subtract_floats(corners[2], corners[0], second);
    compute_cross_product(first, second, normal);
    if (!(make_unit(normal) > 1e-9f))
        return 0;
    for (int i = 0; i < 3; i++) {
        const float *a = corners[i], *b = corners[(i + 1) % 3];
        mesh_edge *edge = &job->edges[job->edge_count++];
        int ordered = compare_vertices(a, b) < 0;
        memcpy(edge->low, ordered ? a : b, sizeof edge->low);
        memcpy(edge->high, ordered ? b : a, sizeof edge->high);
        subtract_floats(b, a, first);
        compute_cross_product(normal, first, edge->face);
        make_unit(edge->face);
        edge->mesh = mesh;
    }
    return 1;
}

/* Cuts a polygon to one side of a plane across an axis; returns its new size. */
static int clip_polygon_to_plane(float (*points)[3], int count, int axis, float border, float side)
{
    float clipped[16][3];
    int out = 0;
    for (int i = 0; i < count; i++) {
        const float *a = points[i], *b = points[(i + 1) % count];
        float da = side * (a[axis] - border), db = side * (b[axis] - border);
        if (da >= 0)
            memcpy(clipped[out++], a, sizeof clipped[0]);
        if ((da >= 0) != (db >= 0)) {
            float t = da / (da - db);
            for (int c = 0; c < 3; c++)
                clipped[out][c] = c == axis ? border : a[c] + t * (b[c] - a[c]);
            out++;
        }
    }
    memcpy(points, clipped, (size_t)out * sizeof clipped[0]);
    return out;
}

/* The bounds of the part of a triangle in a cube; 0 where there is none. */
static int piece_in_cube(float corners[3][3], const int cube[3], float from[3], float to[3])
{
    float points[16][3];
    int count = 3;
    memcpy(points, corners, 9 * sizeof(float));
    for (int axis = 0; axis < 3 && count; axis++) {
        count = clip_polygon_to_plane(points, count, axis, (float)cube[axis], 1);
        count = count ? clip_polygon_to_plane(points, count, axis, (float)(cube[axis] + 1), -1) : 0;
    }
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = i ? fminf(from[axis], points[i][axis]) : points[i][axis];
            to[axis] = i ? fmaxf(to[axis], points[i][axis]) : points[i][axis];
        }
    return count > 2;
}

/* First and last cube of a triangle along an axis, within the grid. */
static void find_triangle_cubes(const mesh_job *job, float corners[3][3], int low[3], int high[3])
{
    const rw_cubes_view *view = &job->cubes->view;
    const int sizes[3] = {view->columns, view->rows, view->layers};
    for (int axis = 0; axis < 3; axis++) {
        float lowest = fminf(corners[0][axis], fminf(corners[1][axis], corners[2][axis]));
        float highest = fmaxf(corners[0][axis], fmaxf(corners[1][axis], corners[2][axis]));
        low[axis] = (int)fmaxf(0, floorf(lowest));
        high[axis] = (int)fminf((float)sizes[axis] - 1, floorf(highest));
    }
}

/* One side of a triangle as an element, with its pieces; fill: its cubes are filled too. */
static rw_status add_triangle(mesh_job *job, float corners[3][3], const float normal[3], float side, int fill)
{
    rw_cube_element element = {.kind = RW_CUBE_REFLECTION,
                               .at = {corners[0][0], corners[0][1], corners[0][2]},
                               .axis = {side * normal[0], side * normal[1], side * normal[2]}};
    RW_TRY(rw_cubes_add_element(job->context, job->cubes, &element));
    int low[3], high[3], cube[3];
    float from[3], to[3];
    find_triangle_cubes(job, corners, low, high);
    for (cube[2] = low[2]; cube[2] <= high[2]; cube[2]++)
        for (cube[1] = low[1]; cube[1] <= high[1]; cube[1]++)
            for (cube[0] = low[0]; cube[0] <= high[0]; cube[0]++) {
                if (!piece_in_cube(corners, cube, from, to))
                    continue;
                RW_TRY(rw_cubes_add_item(job->context, job->cubes, cube[0], cube[1], cube[2], from, to));
                if (fill)
                    job->cubes->filled[rw_cube_word(&job->cubes->view, cube[0], cube[1], cube[2])] |= 1u
                                                                                                      << (cube[0] & 31);
            }
    return RW_OK;
}

static void average_vectors(const float a[3], const float b[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = 0.5f * (a[axis] + b[axis]);
}

/* An edge with the faces of one or two triangles on it. */
static rw_status add_mesh_edge(mesh_job *job, const mesh_edge *edge, const mesh_edge *other)
{
    rw_cube_element element = {.at = {edge->low[0], edge->low[1], edge->low[2]}};
    average_vectors(edge->face, other->face, element.inner);
    element.half_cosine = make_unit(element.inner);
    if (element.half_cosine < 0.08f) /* nearly in one plane */
        return RW_OK;
    subtract_floats(edge->high, edge->low, element.axis);
    make_unit(element.axis);
    element.kind = fabsf(element.axis[2]) > 0.7071f ? RW_CUBE_VERTICAL : RW_CUBE_HORIZONTAL;
    RW_TRY(rw_cubes_add_element(job->context, job->cubes, &element));
    return rw_cubes_add_edge(job->context, job->cubes, edge->low, edge->high);
}

/* Edges that several triangles share lie side by side once sorted. */
static rw_status add_mesh_edges(mesh_job *job)
{
    qsort(job->edges, job->edge_count, sizeof *job->edges, compare_mesh_edges);
    for (size_t i = 0, end; i < job->edge_count; i = end) {
        for (end = i + 1; end < job->edge_count && compare_mesh_edges(&job->edges[i], &job->edges[end]) == 0;)
            end++;
        if ((end - i) % 2)
            job->open[job->edges[i].mesh] = 1;
        if (end - i <= 2)
            RW_TRY(add_mesh_edge(job, &job->edges[i], &job->edges[end - 1]));
    }
    return RW_OK;
}

/* Changes all cubes of a column that lie below where a triangle crosses its centre line. */
static void toggle_columns(const mesh_job *job, float corners[3][3], uint8_t *inside)
{
    const rw_cubes_view *view = &job->cubes->view;
    int low[3], high[3];
    find_triangle_cubes(job, corners, low, high);
    for (int j = low[1]; j <= high[1]; j++)
        for (int i = low[0]; i <= high[0]; i++) {
            /* A little off the centre, so that the line meets no edge of a mesh that is drawn on the raster. */
            double x = i + 0.5 + 1.3e-5, y = j + 0.5 + 2.9e-5, area = 0, height = 0;
            int left = 0;
            for (int c = 0; c < 3; c++) {
                const float *a = corners[(c + 1) % 3], *b = corners[(c + 2) % 3];
                double weight = ((double)a[0] - x) * ((double)b[1] - y) - ((double)a[1] - y) * ((double)b[0] - x);
                left += weight > 0;
                area += weight;
                height += weight * (double)corners[c][2];
            }
            if (area == 0 || (left != 0 && left != 3))
                continue;
            for (int k = 0; k < view->layers && k + 0.5 < height / area; k++)
                inside[((size_t)j * (size_t)view->columns + (size_t)i) * (size_t)view->layers + (size_t)k] ^= 1;
        }
}

static rw_status fill_closed(mesh_job *job)
{
    const rw_cubes_view *view = &job->cubes->view;
    uint8_t *inside;
    RW_TRY(rw_array_create(job->context, (size_t)view->columns * (size_t)view->rows * (size_t)view->layers, 1,
                           "insides of meshes", &inside));
    for (size_t m = 0; m < job->scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &job->scene->meshes.items[m];
        float corners[3][3];
        for (size_t i = 0; !job->open[m] && i < mesh->triangle_count; i++) {
            corners_of(job, mesh->first_triangle + i, corners);
            toggle_columns(job, corners, inside);
        }
    }
    const uint8_t *next = inside;
    for (int j = 0; j < view->rows; j++)
        for (int i = 0; i < view->columns; i++)
            for (int k = 0; k < view->layers; k++)
                if (*next++)
                    job->cubes->filled[rw_cube_word(view, i, j, k)] |= 1u << (i & 31);
    free(inside);
    return RW_OK;
}

static rw_status add_mesh_elements(mesh_job *job)
{
    float corners[3][3], normal[3];
    for (size_t m = 0; m < job->scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &job->scene->meshes.items[m];
        for (size_t i = 0; i < mesh->triangle_count; i++) {
            corners_of(job, mesh->first_triangle + i, corners);
            add_sides(job, (uint32_t)m, corners, normal);
        }
    }
    RW_TRY(add_mesh_edges(job));
    RW_TRY(fill_closed(job));
    for (size_t m = 0; m < job->scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &job->scene->meshes.items[m];
        for (size_t i = 0; i < mesh->triangle_count; i++) {
            corners_of(job, mesh->first_triangle + i, corners);
            job->edge_count = 0; /* the edges are done: only the normal is wanted */
            if (!add_sides(job, (uint32_t)m, corners, normal))
                continue;
            RW_TRY(add_triangle(job, corners, normal, 1, job->open[m]));
            RW_TRY(add_triangle(job, corners, normal, -1, 0));
        }
    }
    return RW_OK;
}

rw_status rw_cubes_add_meshes(const rw_scene *scene, rw_cubes *cubes)
{
    if (!scene->triangles.count)
        return RW_OK;
    mesh_job job = {.context = scene->context, .scene = scene, .cubes = cubes};
    rw_status status =
        rw_array_create(scene->context, scene->triangles.count, sizeof *job.edges, "edges of meshes", &job.edges);
    if (status == RW_OK)
        status = rw_array_create(scene->context, scene->meshes.count, 1, "meshes", &job.open);
    if (status == RW_OK)
        status = add_mesh_elements(&job);
    free(job.edges);
    free(job.open);
    return status;
}
