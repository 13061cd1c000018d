/* Rays to points for kept gains: the exact path of each as numbers (models/engine/record.h). */
#include "models/engine/record.h"
#include "models/tiles/tile_ray.k.h"
#include "models/tiles/tiles.h"

#include "base/memory.h"

/* A ray whose transmitter may move. */
typedef struct frozen_ray {
    const rw_tile_scene *scene;
    const rw_tile_ray *ray;
    rw_vec3 point;
    const uint32_t *walls; /* in the record, of each material */
} frozen_ray;

static void set_vector(double *numbers, rw_vec3 vector, double sign)
{
    numbers[0] = sign * vector.x;
    numbers[1] = sign * vector.y;
    numbers[2] = sign * vector.z;
}

static void set_complex(double *numbers, rw_complex value)
{
    numbers[0] = value.re;
    numbers[1] = value.im;
}

/* The matrices that multiply the two coefficients of a face. */
static void set_face_numbers(double *te, double *tm, rw_vec3 edge, rw_vec3 direction, rw_vec3 normal)
{
    rw_te_tm on_te = {{1, 0}, {0, 0}}, on_tm = {{0, 0}, {1, 0}};
    rw_matrix2 matrices[2] = {rw_face_matrix_of(edge, direction, normal, on_te),
                              rw_face_matrix_of(edge, direction, normal, on_tm)};
    double *to[2] = {te, tm};
    for (int i = 0; i < 2; i++) {
        to[i][0] = matrices[i].beta_beta.re;
        to[i][1] = matrices[i].beta_phi.re;
        to[i][2] = matrices[i].phi_beta.re;
        to[i][3] = matrices[i].phi_phi.re;
    }
}

/* Faces and terms of an edge, as rw_wedge_matrix puts them together. Returns the node's flags. */
static uint32_t set_edge_numbers(const rw_edge_frame *frame, const rw_wedge_geometry *geometry, double cosine_edge,
                                 double wavelength_m, double *numbers)
{
    int source_first = geometry->source_angle_rad <= geometry->observer_angle_rad;
    double zero = rw_wedge_angle_to_zero_face(geometry), far = rw_wedge_angle_to_n_face(geometry);
    double angle = frame->exterior_over_pi * RW_PI;
    rw_vec3 far_along =
        rw_vec3_add(rw_vec3_scale(frame->zero_along, cos(angle)), rw_vec3_scale(frame->zero_normal, sin(angle)));
    rw_vec3 far_normal =
        rw_vec3_add(rw_vec3_scale(frame->zero_along, sin(angle)), rw_vec3_scale(frame->zero_normal, -cos(angle)));
    rw_vec3 to_zero = rw_face_direction(frame->edge, frame->zero_along, frame->zero_normal,
                                        source_first ? zero : RW_PI - zero, cosine_edge);
    rw_vec3 to_far =
        rw_face_direction(frame->edge, far_along, far_normal, source_first ? RW_PI - far : far, cosine_edge);
    numbers[RW_GAIN_ZERO_COSINE] = fabs(rw_vec3_dot(to_zero, frame->zero_normal));
    numbers[RW_GAIN_FAR_COSINE] = fabs(rw_vec3_dot(to_far, far_normal));
    set_face_numbers(numbers + RW_GAIN_ZERO_TE, numbers + RW_GAIN_ZERO_TM, frame->edge, to_zero, frame->zero_normal);
    set_face_numbers(numbers + RW_GAIN_FAR_TE, numbers + RW_GAIN_FAR_TM, frame->edge, to_far, far_normal);
    rw_wedge_terms terms = rw_wedge_terms_fast_of(geometry, 2 * RW_PI / wavelength_m);
    set_complex(numbers + RW_GAIN_LIT, source_first ? terms.incidence_below : terms.incidence_above);
    set_complex(numbers + RW_GAIN_UNLIT, source_first ? terms.incidence_above : terms.incidence_below);
    set_complex(numbers + RW_GAIN_TERM_ZERO, terms.reflection_zero);
    set_complex(numbers + RW_GAIN_TERM_FAR, terms.reflection_n);
    return source_first ? RW_GAIN_SOURCE_FIRST : 0;
}

/* A diffraction: as rw_diffract_field, with the wave's own radii in the amplitude. */
static void freeze_edge(const frozen_ray *of, const rw_tile_edge *edge, rw_vec3 direction, double after_m,
                        rw_wave *wave, rw_gain_frozen *frozen)
{
    rw_edge_frame frame = rw_tile_edge_frame(edge);
    double *numbers = frozen->numbers + frozen->number_count;
    double cosine = fmax(-RW_EDGE_COSINE_MAX, fmin(RW_EDGE_COSINE_MAX, rw_vec3_dot(wave->direction, frame.edge)));
    double sine = sqrt(1 - cosine * cosine);
    rw_wedge_geometry geometry = {frame.exterior_over_pi, rw_edge_angle_rad(&frame, rw_vec3_scale(wave->direction, -1)),
                                  rw_edge_angle_rad(&frame, direction), sine,
                                  rw_wedge_distance_spherical_m(wave->leg_m, after_m, sine)};
    rw_edge_basis in = rw_edge_basis_incident(frame.edge, wave->direction);
    rw_edge_basis out = rw_edge_basis_diffracted(frame.edge, direction);
    set_vector(numbers + RW_GAIN_IN, in.beta, 1);
    set_vector(numbers + RW_GAIN_IN + 3, in.phi, 1);
    set_vector(numbers + RW_GAIN_OUT, out.beta, -1);
    set_vector(numbers + RW_GAIN_OUT + 3, out.phi, -1);
    uint32_t flags = set_edge_numbers(&frame, &geometry, cosine, of->scene->wavelength_m, numbers);
    uint32_t material = of->scene->tiles.surfaces[of->scene->tiles.tiles[edge->tiles[0]].surface].material;
    frozen->nodes[frozen->node_count++] = (rw_gain_node){.kind = RW_GAIN_WEDGE,
                                                         .wall = of->walls[material],
                                                         .flags = flags | (of->scene->holm ? RW_GAIN_HOLM : 0),
                                                         .first = frozen->number_count};
    frozen->number_count += RW_GAIN_WEDGE_NUMBERS;
    frozen->numbers[RW_GAIN_AMPLITUDE] *= rw_wave_diffract_radii(wave, &frame, direction);
}

/* An rw_gain_freeze_fn: the way of rw_tile_wave_along. */
static int freeze_ray(void *user, rw_vec3 moved, rw_gain_frozen *frozen)
{
    const frozen_ray *of = user;
    const rw_tile_ray *ray = of->ray;
    rw_tile_scene scene = *of->scene;
    rw_tile_legs legs;
    scene.source = rw_vec3_add(scene.source, moved);
    if (!rw_tile_legs_of(&scene, ray, of->point, &legs))
        return 0;
    rw_wave wave = rw_wave_start(&scene.transmitter, legs.directions[0]);
    rw_te_tm none = {{0, 0}, {0, 0}};
    int piece = 0;
    rw_gain_freeze_head(frozen, legs.directions[0], legs.directions[ray->count], &scene.receiver, 1, 0);
    for (int i = 0; i < ray->count; i++) {
        uint32_t index = RW_TILE_STEP_INDEX(ray->steps[i]);
        if (RW_TILE_STEP_BENDS(ray->steps[i])) {
            rw_wave_go(&wave, legs.lengths_m[piece]);
            freeze_edge(of, scene.tiles.edges + index, legs.directions[i + 1], legs.lengths_m[piece + 1], &wave,
                        frozen);
            piece++;
            continue;
        }
        const rw_tile *tile = scene.tiles.tiles + index;
        const rw_tile_surface *surface = scene.tiles.surfaces + tile->surface;
        uint32_t wall = of->walls[surface->material];
        rw_gain_freeze_wall(frozen, surface->back ? RW_GAIN_BACK : RW_GAIN_FRONT, wall, legs.directions[i],
                            tile->normal, -rw_vec3_dot(legs.directions[i], tile->normal));
        rw_wave_reflect(&wave, tile->normal, none);
    }
    rw_wave_go(&wave, legs.lengths_m[piece]);
    frozen->numbers[RW_GAIN_AMPLITUDE] *=
        scene.wavelength_m / (4 * RW_PI) / sqrt(wave.radius_across_m * wave.radius_along_m);
    frozen->numbers[RW_GAIN_PHASE_M] = wave.length_m;
    return 1;
}

/* Edges of meshes have the slabs of their faces, which a kept wedge has not. */
static int has_mesh_edges(const rw_tiles_view *tiles)
{
    for (uint32_t i = 0; i < tiles->edge_count; i++)
        if (tiles->edges[i].kind == RW_TILE_EDGE_MESH)
            return 1;
    return 0;
}

rw_status rw_tiles_begin_record(const rw_tile_solver *solver, size_t transmitter, rw_gain_record *record,
                                uint32_t **walls)
{
    const rw_tile_city *city = solver->city;
    if (solver->incidents || solver->limits.roofs || solver->limits.diffractions > 1)
        return rw_fail(city->context, RW_BAD_CALL,
                       "gradients of model tiles are of reflections and of one diffraction: set %s",
                       solver->incidents      ? "scatterings to 0"
                       : solver->limits.roofs ? "roofs to none"
                                              : "diffractions to 1");
    if (solver->limits.diffractions > 0 && has_mesh_edges(&city->tiles.view))
        return rw_fail(city->context, RW_BAD_CALL,
                       "gradients of model tiles know no edges of meshes: set diffractions to 0");
    RW_TRY(rw_array_create(city->context, city->tiles.material_count + 1, sizeof **walls, "constructions", walls));
    RW_TRY(rw_gain_record_pattern(record, transmitter, &solver->host.transmitter));
    for (size_t i = 0; i < city->tiles.material_count; i++)
        RW_TRY(rw_gain_record_wall(record, city->tiles.materials[i], &solver->walls[i], 0, &(*walls)[i]));
    return RW_OK;
}

rw_status rw_tiles_record_ray(const rw_tile_solver *solver, const rw_tile_ray *ray, size_t transmitter, size_t point,
                              const uint32_t *walls, rw_gain_record *record, size_t *record_number)
{
    frozen_ray of = {&solver->host, ray, solver->points[ray->end], walls};
    size_t before = record->path_count;
    RW_TRY(rw_gain_record_path(record, transmitter, point, freeze_ray, &of));
    *record_number = record->path_count > before ? record->path_count : 0;
    return RW_OK;
}
