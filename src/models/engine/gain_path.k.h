/* A kept path as a product of factors, its gain under other values of parameters, and the derivatives of that.
 *
 * The sequence of a path is kept with every number of its geometry: the direction of departure, of each interaction
 * the cosine of incidence and the vectors that its field is taken apart and put together by, the spreading and the
 * length that the phase is of. The gain sqrt(P_r/P_t) is then
 *
 *     g = amplitude e^{-j k phase_m} receiver . M_n ... M_1 sent(antenna, departs),
 *
 * with M the 2x2 matrix of an interaction between those vectors: diagonal in the coefficients of a slab, bilinear in
 * those of the two faces of an edge (wedge_dyad.k.h). Derivatives are one sweep back: behind interaction i stands what
 * the field there counts for in g, so that dg over an element of M_i is one product. Numbers of the geometry come with
 * their slopes over the position of the transmitter where those were asked for. */
#ifndef RW_MODELS_ENGINE_GAIN_PATH_K_H
#define RW_MODELS_ENGINE_GAIN_PATH_K_H

#include "field/edges/face_leg.k.h"
#include "field/paths/pattern_slope.k.h"
#include "field/surfaces/slab_slope.k.h"

#define RW_GAIN_NODES_MAX 48 /* interactions of a kept path */
#define RW_NO_PARAMETER 0xffffffffu

/* Numbers of a path, before those of its interactions. */
enum {
    RW_GAIN_DEPARTS,       /* 3: direction, of length 1 */
    RW_GAIN_RECEIVER = 3,  /* 6: what the receiver takes of each component, re and im */
    RW_GAIN_AMPLITUDE = 9, /* spreading and what else is a factor */
    RW_GAIN_PHASE_M = 10,  /* length that the phase is of */
    RW_GAIN_ARRIVES = 11,  /* 3: direction of travel at the receiver */
    RW_GAIN_HEAD = 14,
    RW_GAIN_DIRECT_DB = 11, /* of a reference, the input of rw_compose in place of the arrival: free space */
    RW_GAIN_MEDIAN_DB = 12,
    RW_GAIN_AVAILABLE = 13,
    RW_GAIN_RULE = 14,
    RW_GAIN_OTHER_DB = 15,
    RW_GAIN_OFFSET_DB = 16, /* calibrated: added to the loss, and not in the paths */
    RW_GAIN_BUILT = 17,
    RW_GAIN_PRIOR_WEIGHT = 18,
    RW_GAIN_SLOPE = 19,
    RW_GAIN_GROUND_DB = 20,
    RW_GAIN_REFERENCE_NUMBERS = 21
};

/* Kinds of interactions. */
enum {
    RW_GAIN_FRONT,
    RW_GAIN_BACK,
    RW_GAIN_THROUGH,
    RW_GAIN_WEDGE,
    RW_GAIN_MIXED /* through, with the powers of both polarisations in fixed shares; of models without fields */
};

/* Numbers of every interaction: vectors before and behind it, two and two. Then its own. */
enum {
    RW_GAIN_IN = 0,      /* 6 */
    RW_GAIN_OUT = 6,     /* 6 */
    RW_GAIN_COSINE = 12, /* of a wall */
    RW_GAIN_WALL_NUMBERS = 13,
    RW_GAIN_TE_FRACTION = 13, /* of a mixed passage */
    RW_GAIN_MIXED_NUMBERS = 14,
    RW_GAIN_ZERO_COSINE = 12, /* of an edge: cosines of incidence on its faces */
    RW_GAIN_FAR_COSINE = 13,
    RW_GAIN_ZERO_TE = 14, /* 4 each: matrices that the coefficients of the faces multiply, row after row */
    RW_GAIN_ZERO_TM = 18,
    RW_GAIN_FAR_TE = 22,
    RW_GAIN_FAR_TM = 26,
    RW_GAIN_LIT = 30, /* 2 each: terms of the wedge, re and im */
    RW_GAIN_UNLIT = 32,
    RW_GAIN_TERM_ZERO = 34,
    RW_GAIN_TERM_FAR = 36,
    RW_GAIN_WEDGE_NUMBERS = 38
};

typedef struct rw_gain_node {
    uint32_t kind, wall; /* wall: of the constructions */
    uint32_t flags;
    uint32_t first; /* of its numbers, from the path's */
    uint32_t rank;  /* among the interactions with its wall, in the order of paths */
} rw_gain_node;

#define RW_GAIN_HOLM 1u         /* an edge after Holm: the unlit term has both faces */
#define RW_GAIN_SOURCE_FIRST 2u /* which of them the ray meets first */

typedef struct rw_gain_path {
    uint64_t first_number, first_node;
    uint64_t key;  /* of its numbers: an order that does not depend on who has found it when */
    uint32_t pair; /* transmitter times points, plus point */
    uint32_t transmitter;
    uint32_t node_count;
    uint32_t diffuse; /* 1: adds by its power; RW_GAIN_REFERENCE */
} rw_gain_path;

/* No path but what the level of its pair is drawn towards (gain_kernels.k.h); the one before those of its pair. */
#define RW_GAIN_REFERENCE 2u

/* Slots of a path and of each of its interactions, one for each derivative that it may have. Backward a path writes
 * into slots of its own alone, so that all paths go side by side; those of one parameter lie in runs, which are summed
 * up afterwards in a fixed order. */
enum {
    RW_GAIN_SLOT_PERMITTIVITY = 0, /* of an interaction, by layers */
    RW_GAIN_SLOT_CONDUCTIVITY = 1,
    RW_GAIN_SLOT_THICKNESS = 2,
    RW_GAIN_LAYER_SLOTS = 3,  /* then two for the roughness of either side */
    RW_GAIN_SLOT_AZIMUTH = 0, /* of a path */
    RW_GAIN_SLOT_DOWNTILT = 1,
    RW_GAIN_SLOT_ROLL = 2,
    RW_GAIN_SLOT_POSITION = 3, /* 3 */
    RW_GAIN_PATH_SLOTS = 6
};

/* A construction under the values at hand, and which parameters its constants are. */
typedef struct rw_gain_wall {
    rw_construction wall;
    double roughness;
    uint32_t permittivity[RW_CONSTRUCTION_LAYERS_MAX], conductivity[RW_CONSTRUCTION_LAYERS_MAX];
    uint32_t thickness[RW_CONSTRUCTION_LAYERS_MAX];
    uint32_t roughness_parameter;
    uint32_t rough_side; /* that counts: 0 the first layer's, 1 the last's */
    uint32_t node_count; /* interactions with it: slots of one run */
    uint64_t first_slot;
} rw_gain_wall;

RW_FN uint32_t rw_gain_wall_slots(const rw_gain_wall *wall)
{
    return RW_GAIN_LAYER_SLOTS * (uint32_t)wall->wall.layer_count + 2u;
}

/* A transmitter under the values at hand. */
typedef struct rw_gain_sender {
    rw_sender sender;
    rw_vec3 tilt_axis; /* of its downtilt */
    double power_dbm;
    uint32_t power, azimuth, downtilt, roll, position; /* parameters; position: the first of three */
} rw_gain_sender;

/* A 2x2 matrix by elements: row after row. */
typedef struct rw_gain_matrix {
    rw_complex at[4];
} rw_gain_matrix;

/* An interaction on the way forward: the two components before it, and its matrix. */
typedef struct rw_gain_state {
    rw_complex before[2];
    rw_gain_matrix matrix;
} rw_gain_state;

/* All that kernels need; arrays are the backend's. */
typedef struct rw_gain_view {
    const rw_gain_path *paths;
    const rw_gain_node *nodes;
    const double *numbers;
    const double *slopes; /* three a number; NULL: without positions */
    const rw_gain_wall *walls;
    const rw_gain_sender *senders;
    rw_gain_state *states; /* of each interaction, kept on the way forward for the way back; NULL: there is none */
    size_t path_count;
    double wavelength_m, freq_hz;
} rw_gain_view;

/* Where derivatives go: into slots, weighed by a cotangent, or along a tangent. */
typedef struct rw_gain_sink {
    double *slots;       /* all of them; NULL: along the tangent */
    double *here;        /* the first of the path or interaction at hand */
    size_t here_to_next; /* from one of its slots to the next */
    rw_complex cotangent;
    const double *tangent;
    rw_complex change;
    int real; /* 1: of each slope the real part counts, times factor */
    rw_complex factor;
} rw_gain_sink;

RW_FN void rw_gain_write_slope(rw_gain_sink *sink, uint32_t slot, uint32_t parameter, rw_complex slope)
{
    if (parameter == RW_NO_PARAMETER)
        return;
    if (sink->real)
        slope = rw_complex_scale(sink->factor, slope.re);
    if (sink->slots)
        sink->here[slot * sink->here_to_next] = sink->cotangent.re * slope.re + sink->cotangent.im * slope.im;
    else
        sink->change = rw_complex_add(sink->change, rw_complex_scale(slope, sink->tangent[parameter]));
}

/* What is put next belongs to an interaction, or to the path itself. */
RW_FN void rw_gain_sink_at_node(const rw_gain_view *view, const rw_gain_node *node, rw_gain_sink *sink)
{
    const rw_gain_wall *wall = view->walls + node->wall;
    sink->here_to_next = wall->node_count;
    sink->here = sink->slots ? sink->slots + wall->first_slot + node->rank : 0;
}

RW_FN void rw_gain_sink_at_path(const rw_gain_view *view, const rw_gain_path *path, rw_gain_sink *sink)
{
    sink->here_to_next = view->path_count;
    sink->here = sink->slots ? sink->slots + (path - view->paths) : 0;
}

/* A path that does not count. */
RW_FN void rw_gain_clear_slots(const rw_gain_view *view, const rw_gain_path *path, rw_gain_sink *sink)
{
    for (uint32_t i = 0; i < path->node_count; i++) {
        const rw_gain_node *node = view->nodes + path->first_node + i;
        uint32_t count = rw_gain_wall_slots(view->walls + node->wall);
        rw_gain_sink_at_node(view, node, sink);
        for (uint32_t slot = 0; slot < count; slot++)
            sink->here[slot * sink->here_to_next] = 0.0;
    }
    rw_gain_sink_at_path(view, path, sink);
    for (uint32_t slot = 0; slot < (view->slopes ? RW_GAIN_PATH_SLOTS : RW_GAIN_SLOT_POSITION); slot++)
        sink->here[slot * sink->here_to_next] = 0.0;
}

RW_FN rw_vec3 rw_number_vector(const double *numbers)
{
    return rw_vec3_of(numbers[0], numbers[1], numbers[2]);
}

RW_FN rw_complex rw_number_complex(const double *numbers)
{
    return rw_complex_of(numbers[0], numbers[1]);
}

/* What a wall does to both polarisations. */
RW_FN rw_te_tm rw_gain_wall_coefficients(const rw_gain_wall *of, uint32_t kind, double cosine, double wavelength_m)
{
    const rw_construction *wall = &of->wall;
    rw_complex smooth = rw_complex_of(wall->smooth, 0.0);
    if (kind != RW_GAIN_THROUGH && wall->opaque)
        return rw_te_tm_scale(rw_fresnel(wall->layers[0].permittivity, cosine).reflection, smooth);
    rw_layer_field turned[RW_CONSTRUCTION_LAYERS_MAX];
    const rw_layer_field *layers = wall->layers;
    if (kind == RW_GAIN_BACK) {
        for (int i = 0; i < wall->layer_count; i++)
            turned[i] = wall->layers[wall->layer_count - 1 - i];
        layers = turned;
    }
    rw_interface stack = rw_slab_stack(layers, (size_t)wall->layer_count, cosine, wavelength_m);
    double cycles = wall->thickness_m * cosine / wavelength_m;
    rw_complex air = rw_complex_polar(1.0, 2.0 * RW_PI * (cycles - rw_round_nearest(cycles)));
    return kind == RW_GAIN_THROUGH ? rw_te_tm_scale(stack.transmission, air) : rw_te_tm_scale(stack.reflection, smooth);
}

/* Derivatives over the constants of a layer. */
RW_FN void rw_gain_write_layer_slopes(const rw_gain_view *view, const rw_gain_wall *of, int layer,
                                      rw_complex permittivity, rw_gain_sink *sink)
{
    double over_sigma = -1.0 / (2.0 * RW_PI * view->freq_hz * 8.8541878128e-12);
    uint32_t slot = RW_GAIN_LAYER_SLOTS * (uint32_t)layer;
    rw_gain_write_slope(sink, slot + RW_GAIN_SLOT_PERMITTIVITY, of->permittivity[layer], permittivity);
    rw_gain_write_slope(sink, slot + RW_GAIN_SLOT_CONDUCTIVITY, of->conductivity[layer],
                        rw_complex_mul(permittivity, rw_complex_of(0.0, over_sigma)));
}

/* Derivatives of a wall whose coefficients count with weights; returns that over the cosine. */
RW_FN rw_complex rw_gain_wall_slopes(const rw_gain_view *view, const rw_gain_wall *of, uint32_t kind, double cosine,
                                     rw_te_tm coefficients, rw_te_tm weights, rw_gain_sink *sink)
{
    const rw_construction *wall = &of->wall;
    rw_complex zero = rw_complex_of(0.0, 0.0), over_cosine;
    rw_complex sum =
        rw_complex_add(rw_complex_mul(weights.te, coefficients.te), rw_complex_mul(weights.tm, coefficients.tm));
    if (kind != RW_GAIN_THROUGH) { /* smooth = sqrt(1 - S^2) */
        uint32_t slot = RW_GAIN_LAYER_SLOTS * (uint32_t)wall->layer_count;
        rw_complex slope = rw_complex_scale(sum, -of->roughness / (wall->smooth * wall->smooth));
        rw_gain_write_slope(sink, slot + of->rough_side, of->roughness_parameter, slope);
        rw_gain_write_slope(sink, slot + 1u - of->rough_side, of->roughness_parameter, zero);
        weights = rw_te_tm_scale(weights, rw_complex_of(wall->smooth, 0.0));
    }
    if (kind != RW_GAIN_THROUGH && wall->opaque) {
        rw_complex permittivity;
        rw_fresnel_slopes(wall->layers[0].permittivity, cosine, weights, &permittivity, &over_cosine);
        rw_gain_write_layer_slopes(view, of, 0, permittivity, sink);
        return over_cosine;
    }
    double wavenumber = 2.0 * RW_PI / view->wavelength_m;
    rw_interface_weights both = {{zero, zero}, {zero, zero}};
    rw_slab_slopes slopes;
    if (kind == RW_GAIN_THROUGH)
        both.transmission =
            rw_te_tm_scale(weights, rw_path_phasor(-wall->thickness_m * rw_cosine_bounded(cosine), view->wavelength_m));
    else
        both.reflection = weights;
    rw_slab_stack_slopes(wall, kind == RW_GAIN_BACK, cosine, view->wavelength_m, &both, &slopes);
    for (int i = 0; i < wall->layer_count; i++) {
        rw_gain_write_layer_slopes(view, of, i, slopes.permittivity[i], sink);
        if (kind == RW_GAIN_THROUGH) /* as much air less */
            slopes.thickness[i] =
                rw_complex_add(slopes.thickness[i], rw_complex_mul(sum, rw_complex_of(0.0, wavenumber * cosine)));
        rw_gain_write_slope(sink, RW_GAIN_LAYER_SLOTS * (uint32_t)i + RW_GAIN_SLOT_THICKNESS, of->thickness[i],
                            slopes.thickness[i]);
    }
    if (kind == RW_GAIN_THROUGH)
        slopes.cosine =
            rw_complex_add(slopes.cosine, rw_complex_mul(sum, rw_complex_of(0.0, wavenumber * wall->thickness_m)));
    return slopes.cosine;
}

RW_FN rw_gain_matrix rw_gain_matrix_mul(const rw_gain_matrix *a, const rw_gain_matrix *b)
{
    rw_gain_matrix product;
    for (int i = 0; i < 4; i++)
        product.at[i] = rw_complex_add(rw_complex_mul(a->at[i & 2], b->at[i & 1]),
                                       rw_complex_mul(a->at[(i & 2) + 1], b->at[2 + (i & 1)]));
    return product;
}

RW_FN rw_gain_matrix rw_gain_matrix_turned(const rw_gain_matrix *a)
{
    rw_gain_matrix turned = {{a->at[0], a->at[2], a->at[1], a->at[3]}};
    return turned;
}

RW_FN void rw_gain_matrix_add(rw_gain_matrix *sum, const rw_gain_matrix *a, rw_complex factor)
{
    for (int i = 0; i < 4; i++)
        sum->at[i] = rw_complex_add(sum->at[i], rw_complex_mul(a->at[i], factor));
}

/* Sum of the products of the elements. */
RW_FN rw_complex rw_gain_matrix_dot(const rw_gain_matrix *a, const rw_gain_matrix *b)
{
    rw_complex sum = rw_complex_of(0.0, 0.0);
    for (int i = 0; i < 4; i++)
        sum = rw_complex_add(sum, rw_complex_mul(a->at[i], b->at[i]));
    return sum;
}

/* An edge at hand: the coefficients of its faces and their matrices. */
typedef struct rw_gain_edge {
    rw_te_tm zero, far;
    rw_gain_matrix on_zero, on_far, both; /* both: what the unlit term multiplies */
} rw_gain_edge;

RW_FN rw_gain_matrix rw_gain_face(const double *te, const double *tm, rw_te_tm coefficients)
{
    rw_gain_matrix face;
    for (int i = 0; i < 4; i++)
        face.at[i] = rw_complex_add(rw_complex_scale(coefficients.te, te[i]), rw_complex_scale(coefficients.tm, tm[i]));
    return face;
}

RW_FN rw_te_tm rw_gain_face_reflection(rw_complex permittivity, double cosine)
{
    return permittivity.im <= -0.5e30 ? rw_fresnel_perfect_conductor().reflection
                                      : rw_fresnel(permittivity, cosine).reflection;
}

RW_FN rw_gain_edge rw_gain_edge_of(const rw_gain_node *node, const rw_gain_wall *wall, const double *numbers)
{
    rw_gain_edge edge;
    rw_complex permittivity = wall->wall.layers[0].permittivity;
    rw_complex one = rw_complex_of(1.0, 0.0), none = rw_complex_of(0.0, 0.0);
    rw_gain_matrix unit = {{one, none, none, one}};
    edge.zero = rw_gain_face_reflection(permittivity, numbers[RW_GAIN_ZERO_COSINE]);
    edge.far = rw_gain_face_reflection(permittivity, numbers[RW_GAIN_FAR_COSINE]);
    edge.on_zero = rw_gain_face(numbers + RW_GAIN_ZERO_TE, numbers + RW_GAIN_ZERO_TM, edge.zero);
    edge.on_far = rw_gain_face(numbers + RW_GAIN_FAR_TE, numbers + RW_GAIN_FAR_TM, edge.far);
    edge.both = unit;
    if (node->flags & RW_GAIN_HOLM)
        edge.both = node->flags & RW_GAIN_SOURCE_FIRST ? rw_gain_matrix_mul(&edge.on_far, &edge.on_zero)
                                                       : rw_gain_matrix_mul(&edge.on_zero, &edge.on_far);
    return edge;
}

RW_FN rw_gain_matrix rw_gain_edge_matrix(const rw_gain_edge *edge, const double *numbers)
{
    rw_complex lit = rw_number_complex(numbers + RW_GAIN_LIT), none = rw_complex_of(0.0, 0.0);
    rw_gain_matrix matrix = {{lit, none, none, lit}};
    rw_gain_matrix_add(&matrix, &edge->both, rw_number_complex(numbers + RW_GAIN_UNLIT));
    rw_gain_matrix_add(&matrix, &edge->on_zero, rw_number_complex(numbers + RW_GAIN_TERM_ZERO));
    rw_gain_matrix_add(&matrix, &edge->on_far, rw_number_complex(numbers + RW_GAIN_TERM_FAR));
    return matrix;
}

/* Size of a wave behind a mixed passage. */
RW_FN double rw_gain_mixed_size(rw_te_tm through, double te_fraction)
{
    return sqrt(te_fraction * rw_complex_abs2(through.te) + (1.0 - te_fraction) * rw_complex_abs2(through.tm));
}

RW_FN rw_gain_matrix rw_gain_node_matrix(const rw_gain_view *view, const rw_gain_node *node, const double *numbers)
{
    const rw_gain_wall *wall = view->walls + node->wall;
    rw_complex none = rw_complex_of(0.0, 0.0);
    if (node->kind == RW_GAIN_WEDGE) {
        rw_gain_edge edge = rw_gain_edge_of(node, wall, numbers);
        return rw_gain_edge_matrix(&edge, numbers);
    }
    uint32_t kind = node->kind == RW_GAIN_MIXED ? RW_GAIN_THROUGH : node->kind;
    rw_te_tm both = rw_gain_wall_coefficients(wall, kind, numbers[RW_GAIN_COSINE], view->wavelength_m);
    rw_gain_matrix matrix = {{both.te, none, none, both.tm}};
    if (node->kind == RW_GAIN_MIXED) {
        matrix.at[0] = rw_complex_of(rw_gain_mixed_size(both, numbers[RW_GAIN_TE_FRACTION]), 0.0);
        matrix.at[3] = none;
    }
    return matrix;
}

RW_FN void rw_gain_behind(const rw_gain_state *state, rw_complex behind[2])
{
    for (int i = 0; i < 2; i++)
        behind[i] = rw_complex_add(rw_complex_mul(state->matrix.at[2 * i], state->before[0]),
                                   rw_complex_mul(state->matrix.at[2 * i + 1], state->before[1]));
}

RW_FN rw_vec3c rw_gain_compose_field(const double *vectors, const rw_complex components[2])
{
    return rw_vec3c_add(rw_vec3c_along(components[0], rw_number_vector(vectors)),
                        rw_vec3c_along(components[1], rw_number_vector(vectors + 3)));
}

RW_FN rw_vec3c rw_gain_receiver(const double *numbers)
{
    rw_vec3c receiver = {rw_number_complex(numbers + RW_GAIN_RECEIVER),
                         rw_number_complex(numbers + RW_GAIN_RECEIVER + 2),
                         rw_number_complex(numbers + RW_GAIN_RECEIVER + 4)};
    return receiver;
}

/* The field behind the last interaction of one that is sent. */
RW_FN rw_vec3c rw_gain_field(const rw_gain_view *view, const rw_gain_path *path, rw_vec3c sent)
{
    const double *numbers = view->numbers + path->first_number;
    rw_vec3c field = sent;
    for (uint32_t i = 0; i < path->node_count; i++) {
        const rw_gain_node *node = view->nodes + path->first_node + i;
        const double *own = numbers + node->first;
        rw_gain_state state;
        rw_complex behind[2];
        state.before[0] = rw_vec3c_dot(field, rw_number_vector(own + RW_GAIN_IN));
        state.before[1] = rw_vec3c_dot(field, rw_number_vector(own + RW_GAIN_IN + 3));
        state.matrix = rw_gain_node_matrix(view, node, own);
        rw_gain_behind(&state, behind);
        field = rw_gain_compose_field(own + RW_GAIN_OUT, behind);
        if (view->states)
            view->states[path->first_node + i] = state;
    }
    return field;
}

/* amplitude e^{-j k phase_m} */
RW_FN rw_complex rw_gain_transfer(const rw_gain_view *view, const double *numbers)
{
    return rw_complex_scale(rw_path_phasor(numbers[RW_GAIN_PHASE_M], view->wavelength_m), numbers[RW_GAIN_AMPLITUDE]);
}

/* sqrt(P_r/P_t) with phase. */
RW_FN rw_complex rw_gain_of_path(const rw_gain_view *view, const rw_gain_path *path)
{
    const double *numbers = view->numbers + path->first_number;
    rw_vec3c sent =
        rw_sent_field(&view->senders[path->transmitter].sender, rw_number_vector(numbers + RW_GAIN_DEPARTS));
    rw_vec3c field = rw_gain_field(view, path, sent);
    return rw_complex_mul(rw_gain_transfer(view, numbers), rw_received_voltage(rw_gain_receiver(numbers), field));
}

/* Derivatives over the position of the transmitter, by those over numbers. */
typedef struct rw_gain_move {
    const double *slopes; /* of the path's numbers; NULL: not wanted */
    rw_complex sum[3];
} rw_gain_move;

RW_FN void rw_gain_moved(rw_gain_move *move, uint32_t number, rw_complex slope)
{
    for (int axis = 0; axis < 3; axis++)
        move->sum[axis] =
            rw_complex_add(move->sum[axis], rw_complex_scale(slope, move->slopes[3 * (size_t)number + (size_t)axis]));
}

RW_FN void rw_gain_moved_complex(rw_gain_move *move, uint32_t number, rw_complex slope)
{
    rw_gain_moved(move, number, slope);
    rw_gain_moved(move, number + 1u, rw_complex_mul(slope, rw_complex_of(0.0, 1.0)));
}

RW_FN void rw_gain_moved_vector(rw_gain_move *move, uint32_t number, rw_vec3c slope)
{
    rw_gain_moved(move, number, slope.x);
    rw_gain_moved(move, number + 1u, slope.y);
    rw_gain_moved(move, number + 2u, slope.z);
}

/* Derivatives of an edge, whose matrix counts with weights. */
RW_FN void rw_gain_edge_slopes(const rw_gain_view *view, const rw_gain_node *node, const double *numbers,
                               const rw_gain_matrix *weights, rw_gain_sink *sink, rw_gain_move *move)
{
    const rw_gain_wall *wall = view->walls + node->wall;
    rw_gain_edge edge = rw_gain_edge_of(node, wall, numbers);
    rw_complex unlit = rw_number_complex(numbers + RW_GAIN_UNLIT), none = rw_complex_of(0.0, 0.0);
    rw_gain_matrix of_zero = {{none, none, none, none}}, of_far = of_zero;
    rw_gain_matrix_add(&of_zero, weights, rw_number_complex(numbers + RW_GAIN_TERM_ZERO));
    rw_gain_matrix_add(&of_far, weights, rw_number_complex(numbers + RW_GAIN_TERM_FAR));
    if (node->flags & RW_GAIN_HOLM) {
        int source_first = (node->flags & RW_GAIN_SOURCE_FIRST) != 0;
        rw_gain_matrix zero = rw_gain_matrix_turned(&edge.on_zero), far = rw_gain_matrix_turned(&edge.on_far);
        rw_gain_matrix by_far = source_first ? rw_gain_matrix_mul(&far, weights) : rw_gain_matrix_mul(weights, &far);
        rw_gain_matrix by_zero = source_first ? rw_gain_matrix_mul(weights, &zero) : rw_gain_matrix_mul(&zero, weights);
        rw_gain_matrix_add(&of_zero, &by_far, unlit);
        rw_gain_matrix_add(&of_far, &by_zero, unlit);
    }
    rw_te_tm at_zero = {none, none}, at_far = {none, none};
    for (int i = 0; i < 4; i++) {
        at_zero.te = rw_complex_add(at_zero.te, rw_complex_scale(of_zero.at[i], numbers[RW_GAIN_ZERO_TE + i]));
        at_zero.tm = rw_complex_add(at_zero.tm, rw_complex_scale(of_zero.at[i], numbers[RW_GAIN_ZERO_TM + i]));
        at_far.te = rw_complex_add(at_far.te, rw_complex_scale(of_far.at[i], numbers[RW_GAIN_FAR_TE + i]));
        at_far.tm = rw_complex_add(at_far.tm, rw_complex_scale(of_far.at[i], numbers[RW_GAIN_FAR_TM + i]));
    }
    rw_complex permittivity = wall->wall.layers[0].permittivity, zero_eps = none, far_eps = none;
    rw_complex zero_cosine = none, far_cosine = none;
    if (permittivity.im > -0.5e30) {
        rw_fresnel_slopes(permittivity, numbers[RW_GAIN_ZERO_COSINE], at_zero, &zero_eps, &zero_cosine);
        rw_fresnel_slopes(permittivity, numbers[RW_GAIN_FAR_COSINE], at_far, &far_eps, &far_cosine);
        rw_gain_write_layer_slopes(view, wall, 0, rw_complex_add(zero_eps, far_eps), sink);
    }
    if (!move->slopes)
        return;
    uint32_t first = node->first;
    rw_gain_moved(move, first + RW_GAIN_ZERO_COSINE, zero_cosine);
    rw_gain_moved(move, first + RW_GAIN_FAR_COSINE, far_cosine);
    for (uint32_t i = 0; i < 4; i++) {
        rw_gain_moved(move, first + RW_GAIN_ZERO_TE + i, rw_complex_mul(of_zero.at[i], edge.zero.te));
        rw_gain_moved(move, first + RW_GAIN_ZERO_TM + i, rw_complex_mul(of_zero.at[i], edge.zero.tm));
        rw_gain_moved(move, first + RW_GAIN_FAR_TE + i, rw_complex_mul(of_far.at[i], edge.far.te));
        rw_gain_moved(move, first + RW_GAIN_FAR_TM + i, rw_complex_mul(of_far.at[i], edge.far.tm));
    }
    rw_gain_moved_complex(move, first + RW_GAIN_LIT, rw_complex_add(weights->at[0], weights->at[3]));
    rw_gain_moved_complex(move, first + RW_GAIN_UNLIT, rw_gain_matrix_dot(weights, &edge.both));
    rw_gain_moved_complex(move, first + RW_GAIN_TERM_ZERO, rw_gain_matrix_dot(weights, &edge.on_zero));
    rw_gain_moved_complex(move, first + RW_GAIN_TERM_FAR, rw_gain_matrix_dot(weights, &edge.on_far));
}

/* Derivatives of a mixed passage, whose size a = sqrt(s |te|^2 + (1 - s) |tm|^2) counts with a weight. */
RW_FN void rw_gain_mixed_slopes(const rw_gain_view *view, const rw_gain_node *node, const double *numbers,
                                rw_complex weight, rw_gain_sink *sink, rw_gain_move *move)
{
    const rw_gain_wall *wall = view->walls + node->wall;
    double cosine = numbers[RW_GAIN_COSINE], te_fraction = numbers[RW_GAIN_TE_FRACTION];
    rw_te_tm through = rw_gain_wall_coefficients(wall, RW_GAIN_THROUGH, cosine, view->wavelength_m);
    double size = rw_gain_mixed_size(through, te_fraction), over = size > 0.0 ? 1.0 / size : 0.0;
    rw_te_tm counts = {rw_complex_scale(rw_complex_conj(through.te), te_fraction * over),
                       rw_complex_scale(rw_complex_conj(through.tm), (1.0 - te_fraction) * over)};
    sink->real = 1;
    sink->factor = weight;
    rw_complex over_cosine = rw_gain_wall_slopes(view, wall, RW_GAIN_THROUGH, cosine, through, counts, sink);
    sink->real = 0;
    if (!move->slopes)
        return;
    double over_fraction = 0.5 * over * (rw_complex_abs2(through.te) - rw_complex_abs2(through.tm));
    rw_gain_moved(move, node->first + RW_GAIN_COSINE, rw_complex_scale(weight, over_cosine.re));
    rw_gain_moved(move, node->first + RW_GAIN_TE_FRACTION, rw_complex_scale(weight, over_fraction));
}

/* One interaction on the way back: weight of the field behind it becomes that of the field before it. */
RW_FN rw_vec3c rw_gain_node_back(const rw_gain_view *view, const rw_gain_node *node, const double *numbers,
                                 const rw_gain_state *state, rw_vec3c weight, rw_vec3c before, rw_gain_sink *sink,
                                 rw_gain_move *move)
{
    rw_complex behind[2], on[2], to[2];
    rw_gain_behind(state, behind);
    on[0] = rw_vec3c_dot(weight, rw_number_vector(numbers + RW_GAIN_OUT));
    on[1] = rw_vec3c_dot(weight, rw_number_vector(numbers + RW_GAIN_OUT + 3));
    rw_gain_matrix weights;
    for (int i = 0; i < 4; i++)
        weights.at[i] = rw_complex_mul(on[i / 2], state->before[i % 2]);
    for (int i = 0; i < 2; i++)
        to[i] =
            rw_complex_add(rw_complex_mul(state->matrix.at[i], on[0]), rw_complex_mul(state->matrix.at[2 + i], on[1]));
    if (node->kind == RW_GAIN_WEDGE) {
        rw_gain_edge_slopes(view, node, numbers, &weights, sink, move);
    } else if (node->kind == RW_GAIN_MIXED) {
        rw_gain_mixed_slopes(view, node, numbers, weights.at[0], sink, move);
    } else {
        rw_te_tm coefficients = {state->matrix.at[0], state->matrix.at[3]}, counts = {weights.at[0], weights.at[3]};
        rw_complex over_cosine = rw_gain_wall_slopes(view, view->walls + node->wall, node->kind,
                                                     numbers[RW_GAIN_COSINE], coefficients, counts, sink);
        if (move->slopes)
            rw_gain_moved(move, node->first + RW_GAIN_COSINE, over_cosine);
    }
    if (move->slopes) {
        for (uint32_t i = 0; i < 2; i++) {
            rw_gain_moved_vector(move, node->first + RW_GAIN_IN + 3 * i, rw_vec3c_scale(before, to[i]));
            rw_gain_moved_vector(move, node->first + RW_GAIN_OUT + 3 * i, rw_vec3c_scale(weight, behind[i]));
        }
    }
    return rw_gain_compose_field(numbers + RW_GAIN_IN, to);
}

/* Derivatives over the antenna's orientation, in degrees, and over the direction of departure. */
RW_FN void rw_gain_sender_slopes(const rw_gain_sender *of, rw_vec3 direction, const rw_sent_slopes *sent,
                                 rw_vec3c weight, rw_gain_sink *sink, rw_gain_move *move)
{
    rw_vec3c over_direction, over_rotation;
    double degree = RW_PI / 180.0;
    rw_rotation_slope(&of->sender, direction, sent, weight, &over_direction, &over_rotation);
    rw_gain_write_slope(sink, RW_GAIN_SLOT_AZIMUTH, of->azimuth, /* a bearing is clockwise */
                        rw_complex_scale(over_rotation.z, -degree));
    rw_gain_write_slope(sink, RW_GAIN_SLOT_DOWNTILT, of->downtilt,
                        rw_complex_scale(rw_vec3c_dot(over_rotation, of->tilt_axis), degree));
    rw_gain_write_slope(sink, RW_GAIN_SLOT_ROLL, of->roll,
                        rw_complex_scale(rw_vec3c_dot(over_rotation, of->sender.pattern.axes.forward), degree));
    if (move->slopes)
        rw_gain_moved_vector(move, RW_GAIN_DEPARTS, over_direction);
}

/* The field behind an interaction, from its state. */
RW_FN rw_vec3c rw_gain_field_behind(const rw_gain_view *view, const rw_gain_path *path, uint32_t index)
{
    uint64_t at = path->first_node + index;
    rw_complex behind[2];
    rw_gain_behind(view->states + at, behind);
    return rw_gain_compose_field(view->numbers + path->first_number + view->nodes[at].first + RW_GAIN_OUT, behind);
}

/* Derivatives over numbers of the head, but those of the departure. */
RW_FN void rw_gain_head_slopes(const rw_gain_view *view, const double *numbers, rw_complex gain, rw_complex transfer,
                               rw_vec3c field, rw_gain_move *move)
{
    double wavenumber = 2.0 * RW_PI / view->wavelength_m;
    rw_gain_moved(move, RW_GAIN_AMPLITUDE, rw_complex_scale(gain, 1.0 / numbers[RW_GAIN_AMPLITUDE]));
    rw_gain_moved(move, RW_GAIN_PHASE_M, rw_complex_mul(gain, rw_complex_of(0.0, -wavenumber)));
    rw_gain_moved_complex(move, RW_GAIN_RECEIVER, rw_complex_mul(transfer, field.x));
    rw_gain_moved_complex(move, RW_GAIN_RECEIVER + 2, rw_complex_mul(transfer, field.y));
    rw_gain_moved_complex(move, RW_GAIN_RECEIVER + 4, rw_complex_mul(transfer, field.z));
}

/* Puts the derivatives of the path's gain over all parameters: the way back, from the states that rw_gain_of_path has
 * kept and the gain that it has returned. */
RW_FN void rw_gain_path_back(const rw_gain_view *view, const rw_gain_path *path, rw_complex gain, rw_gain_sink *sink)
{
    const double *numbers = view->numbers + path->first_number;
    const rw_gain_sender *sender = view->senders + path->transmitter;
    rw_vec3 direction = rw_number_vector(numbers + RW_GAIN_DEPARTS);
    rw_vec3 first, second;
    rw_tangents(direction, &first, &second);
    rw_sent_slopes sent = rw_sent_field_slopes(&sender->sender, direction, first, second);
    rw_vec3c field = path->node_count ? rw_gain_field_behind(view, path, path->node_count - 1u) : sent.field;
    rw_complex transfer = rw_gain_transfer(view, numbers), none = rw_complex_of(0.0, 0.0);
    rw_gain_move move = {view->slopes ? view->slopes + 3 * path->first_number : 0, {none, none, none}};
    if (move.slopes)
        rw_gain_head_slopes(view, numbers, gain, transfer, field, &move);
    rw_vec3c weight = rw_vec3c_scale(rw_gain_receiver(numbers), transfer);
    for (uint32_t i = path->node_count; i-- > 0;) {
        const rw_gain_node *node = view->nodes + path->first_node + i;
        if (move.slopes)
            field = i > 0 ? rw_gain_field_behind(view, path, i - 1u) : sent.field;
        rw_gain_sink_at_node(view, node, sink);
        weight = rw_gain_node_back(view, node, numbers + node->first, view->states + path->first_node + i, weight,
                                   field, sink, &move);
    }
    rw_gain_sink_at_path(view, path, sink);
    rw_gain_sender_slopes(sender, direction, &sent, weight, sink, &move);
    for (uint32_t axis = 0; move.slopes && axis < 3; axis++)
        rw_gain_write_slope(sink, RW_GAIN_SLOT_POSITION + axis,
                            sender->position == RW_NO_PARAMETER ? RW_NO_PARAMETER : sender->position + axis,
                            move.sum[axis]);
}

#endif
