/* The beams that leave a beam: reflected and transmitted at a wall, diffracted at a corner.
 *
 * After section 4.2.3 of Schmitz and others (2011). A child that no ray can take, or whose every path would cost more
 * than the highest loss, is not made. */
#ifndef RW_MODELS_BEAMS_BEAM_CHILDREN_K_H
#define RW_MODELS_BEAMS_BEAM_CHILDREN_K_H

#include "discretise/walls/wall_quadtree.k.h"
#include "models/beams/losses.k.h"

typedef struct rw_beam_limits {
    int reflections, transmissions, diffractions;
    double angle_min_rad;                  /* narrower beams are not followed */
    double cut_rad;                        /* beams of corners are cut into no wider ones */
    double source_m;                       /* altitude of the transmitter */
    float receiver_low_m, receiver_high_m; /* altitudes of receivers */
} rw_beam_limits;

/* A part of a beam that is traced by itself. */
typedef struct rw_beam_window {
    rw_vec2 right, left;
    uint32_t beam;
    uint32_t unused;
} rw_beam_window;

struct rw_trace_beams_args {
    rw_wall_grid_view grid;
    rw_quadtree_view quadtree;     /* fans are clipped by it where there is one, else by the grid */
    int split_pixels;              /* of the buffer by which fans are split; 0: by the exact sweep */
    const uint32_t *receiver_tops; /* in each cell of the grid; NULL: not known */
    rw_beam_walls walls;
    rw_beam_limits limits;
    rw_beam_losses losses;
    rw_beam *beams; /* all there are; new ones are appended */
    int windowed;   /* 0: items are beams; 1: windows of beams */
    size_t first;   /* item 0 is this beam or window */
    uint32_t *beam_count;
    uint32_t beam_capacity; /* places beyond are counted and not filled */
    rw_beam_piece *pieces;
    uint32_t *piece_count;
    uint32_t piece_capacity;
    rw_beam_window *windows; /* halves of what has too many walls are appended */
    uint32_t *window_count;
    uint32_t window_capacity;
};

/* A beam being traced and what is known of it: kept together to be handed on. */
typedef struct rw_tracing {
    const struct rw_trace_beams_args *args;
    rw_beam beam;
    uint32_t index;
    rw_fan fan;   /* the window of the beam that is being swept */
    double width; /* sine of its angle */
    rw_ray_heights heights;
    const rw_fan_walls *found; /* walls in it */
} rw_tracing;

RW_FN void rw_append_beam(const struct rw_trace_beams_args *args, const rw_beam *beam)
{
    uint32_t at = rw_shared_reserve_one(args->beam_count);
    if (at < args->beam_capacity)
        args->beams[at] = *beam;
}

/* No path of a beam is longer in plan: its length alone would cost more than paths may. */
RW_FN double rw_beam_longest_m(const rw_beam *beam, const rw_beam_losses *losses)
{
    double left_db = (double)losses->loss_max_db - losses->constant_db - (double)beam->min_db;
    return 1.000001 * exp(left_db * (0.23025850929940457 / losses->exponent)); /* ln(10) / 10: equation (3) */
}

RW_FN rw_ray_heights rw_beam_heights(const rw_beam *beam, const rw_beam_limits *limits, const rw_beam_losses *losses)
{
    rw_ray_heights heights;
    float source_m = (float)limits->source_m;
    heights.low_m = source_m < limits->receiver_low_m ? source_m : limits->receiver_low_m;
    heights.high_m = source_m > limits->receiver_high_m ? source_m : limits->receiver_high_m;
    heights.source_m = limits->source_m;
    heights.receiver_low_m = (double)limits->receiver_low_m;
    heights.receiver_high_m = (double)limits->receiver_high_m;
    heights.before_m = beam->before_m;
    heights.slope_low = (double)beam->slope_low;
    heights.slope_high = (double)beam->slope_high;
    heights.longest_m = rw_beam_longest_m(beam, losses);
    return heights;
}

/* Distances in plan, from the source, between which a stretch of a wall lies that is seen at u0 and u1. */
RW_FN void rw_stretch_distances(const rw_tracing *tracing, double w0, double w1, double *near_m, double *far_m)
{
    *near_m = tracing->beam.before_m + tracing->fan.min_length / (w0 > w1 ? w0 : w1);
    *far_m = tracing->beam.before_m + 1 / (w0 < w1 ? w0 : w1);
}

/* Least slope of rays between u0 and u1 that reach what has nearness w0 and w1 there: they pass over the walls of
 * middling height that stand before all of it. */
RW_FN double rw_passed_slope(const rw_tracing *tracing, const rw_fan_wall *hit, double u0, double u1, double w0,
                             double w1)
{
    double lowest = (double)hit->slope_low;
    for (int i = 0; i < tracing->found->count; i++) {
        const rw_fan_wall *other = &tracing->found->walls[i];
        const rw_exact_wall *wall = tracing->args->walls.exact + other->wall;
        if (other->solid || other->u0 > u0 || other->u1 < u1 || wall->bottom > (double)tracing->heights.low_m)
            continue;
        double before0 = rw_fan_nearness(other, u0), before1 = rw_fan_nearness(other, u1), near_m, far_m;
        if (before0 <= w0 || before1 <= w1)
            continue;
        rw_stretch_distances(tracing, before0, before1, &near_m, &far_m);
        double over = rw_slope_below(rw_slope_over(&tracing->heights, near_m, far_m, wall->top));
        lowest = over > lowest ? over : lowest;
    }
    return lowest;
}

/* Bounds on the slope of rays that are turned by a wall between u0 and u1. Returns whether any ray is left. */
RW_FN int rw_child_bounds(const rw_tracing *tracing, const rw_fan_wall *hit, double u0, double u1, rw_beam *child)
{
    const rw_exact_wall *wall = tracing->args->walls.exact + hit->wall;
    double w0 = rw_fan_nearness(hit, u0), w1 = rw_fan_nearness(hit, u1), near_m, far_m;
    rw_stretch_distances(tracing, w0, w1, &near_m, &far_m);
    double under = rw_slope_above(rw_slope_under(&tracing->heights, near_m, far_m, wall->top));
    double over = rw_slope_below(rw_slope_over(&tracing->heights, near_m, far_m, wall->bottom));
    double passed = rw_passed_slope(tracing, hit, u0, u1, w0, w1);
    child->slope_low = (float)(over > passed ? over : passed);
    child->slope_high = under < (double)child->slope_high ? (float)under : child->slope_high;
    return child->slope_low < child->slope_high;
}

RW_FN float rw_min_of_three(const float values[3])
{
    float lowest = values[0] < values[1] ? values[0] : values[1];
    return values[2] < lowest ? values[2] : lowest;
}

/* Least loss of the last corner between two directions, from a distance on. It is least towards the shadow boundary,
 * and falls or rises with distance: near the dark face two terms cancel, and the nearer the corner the more. */
RW_FN double rw_min_diffraction_db(const rw_beam_losses *losses, const rw_beam *beam, rw_vec2 right, rw_vec2 left,
                                   double min_m)
{
    double a = rw_observer_angle(beam, right), b = rw_observer_angle(beam, left);
    rw_vec2 brightest = a > b ? right : left;
    double near_db = rw_corner_loss_db(losses, beam, brightest, min_m);
    double far_db = rw_corner_loss_db(losses, beam, brightest, 1e6);
    return near_db < far_db ? near_db : far_db;
}

/* Losses between the directions at which they are known, and corners that are lit from nearer by, may be less by this:
 * then no path is lost that would be told. */
#define RW_WORTH_MARGIN_DB 2.0

RW_FN uint8_t rw_integer_db(double loss_db)
{
    return (uint8_t)(loss_db < 0 ? 0 : loss_db > 255 ? 255 : loss_db);
}

/* Whether any path through a child can be worth following: it has at least the length to where the child begins. made
 * holds the child's edges as its parent sees them. Tells the child what its paths cost at least. */
RW_FN int rw_child_worth(const rw_tracing *tracing, const rw_beam *new_beam, double min_m, rw_beam *child)
{
    const rw_beam_losses *losses = &tracing->args->losses;
    const rw_beam *beam = &tracing->beam;
    double length_db = rw_length_loss_db(losses, beam->before_m + min_m);
    double min_db = (double)rw_min_of_three(child->loss_db) - RW_WORTH_MARGIN_DB;
    if (beam->diffractions && length_db + min_db <= (double)losses->loss_max_db)
        min_db += rw_min_diffraction_db(losses, beam, new_beam->right, new_beam->left, min_m);
    child->min_db = rw_integer_db(min_db);
    return length_db + min_db <= (double)losses->loss_max_db;
}

/* What reflected and transmitted beams share: the interaction is at a wall, between two directions of the parent. */
RW_FN int rw_child_init(const rw_tracing *tracing, const rw_fan_wall *hit, double u0, double u1, int needs_check,
                        rw_beam *child)
{
    const rw_beam *beam = &tracing->beam;
    rw_vec2 right = rw_unit(rw_fan_direction(&tracing->fan, u0)), left = rw_unit(rw_fan_direction(&tracing->fan, u1));
    if (rw_vec2_cross(right, left) < tracing->args->limits.angle_min_rad)
        return 0;
    *child = *beam;
    child->right = right;
    child->left = left;
    child->parent = tracing->index;
    child->wall = hit->wall;
    child->needs_check = (uint8_t)(beam->needs_check || needs_check || !hit->solid);
    return rw_child_bounds(tracing, hit, u0, u1, child);
}

RW_FN void rw_reflect(const rw_tracing *tracing, const rw_fan_wall *hit, const rw_beam *new_beam, double min_m)
{
    const struct rw_trace_beams_args *args = tracing->args;
    const rw_exact_wall *wall = args->walls.exact + hit->wall;
    rw_vec2 normal = rw_wall_normal(wall);
    rw_beam child = *new_beam;
    child.kind = RW_BEAM_REFLECTED;
    child.reflections++;
    child.mirrored = !child.mirrored;
    child.origin = rw_mirror_point(new_beam->origin, wall, normal);
    child.right = rw_mirror_direction(new_beam->left, normal); /* a mirror changes right and left */
    child.left = rw_mirror_direction(new_beam->right, normal);
    child.face = rw_mirror_direction(new_beam->face, normal);
    rw_beam_add_losses(&args->losses, &args->walls, &tracing->beam, &child);
    double along = 2 * atan2(wall->y1 - wall->y0, wall->x1 - wall->x0); /* a direction p comes from along - p */
    if (!new_beam->diffractions)
        child.rotation_rad = (float)(new_beam->mirrored ? (double)new_beam->rotation_rad - along
                                                        : (double)new_beam->rotation_rad + along);
    if (rw_child_worth(tracing, new_beam, min_m, &child))
        rw_append_beam(args, &child);
}

RW_FN void rw_transmit(const rw_tracing *tracing, const rw_beam *new_beam, double min_m)
{
    const struct rw_trace_beams_args *args = tracing->args;
    rw_beam child = *new_beam;
    child.kind = RW_BEAM_TRANSMITTED;
    child.transmissions++;
    rw_beam_add_losses(&args->losses, &args->walls, &tracing->beam, &child);
    if (rw_child_worth(tracing, new_beam, min_m, &child))
        rw_append_beam(args, &child);
}

/* Whether a beam meets a wall from the inside of a building that it never entered: it came through a crack between two
 * walls, or down through the roof, which always costs loss. */
RW_FN int rw_meets_inside(const rw_tracing *tracing, const rw_fan_wall *hit)
{
    return tracing->args->walls.building[hit->wall] && !hit->turned && tracing->beam.transmissions == 0;
}

/* Reflected and transmitted beams at a wall, between u0 and u1. No ray leaves a building through one wall:
 * a beam enters where it may also leave. */
RW_RARE_FN void rw_leave_wall(const rw_tracing *tracing, const rw_fan_wall *hit, double u0, double u1, int needs_check)
{
    const rw_beam_limits *limits = &tracing->args->limits;
    const rw_beam *beam = &tracing->beam;
    int entering = tracing->args->walls.building[hit->wall] && hit->turned;
    int reflects = beam->reflections < limits->reflections;
    int transmits = beam->transmissions + entering < limits->transmissions;
    rw_beam new_beam;
    if (rw_meets_inside(tracing, hit) || (!reflects && !transmits) ||
        !rw_child_init(tracing, hit, u0, u1, needs_check, &new_beam))
        return;
    rw_vec2 across = rw_wall_normal(tracing->args->walls.exact + hit->wall);
    rw_vec2 end = rw_wall_end(tracing->args->walls.exact + hit->wall, 0);
    if (fabs(rw_vec2_dot(rw_vec2_sub(end, beam->origin), across)) < RW_NEAR_TOLERANCE_M)
        return; /* seen edge-on */
    double w0 = rw_fan_nearness(hit, u0), w1 = rw_fan_nearness(hit, u1);
    double min_m =
        rw_vec2_dot(new_beam.right, new_beam.left) / (w0 > w1 ? w0 : w1); /* cosine of the opening: a bound */
    min_m = min_m > 0 ? min_m : 0;
    if (reflects)
        rw_reflect(tracing, hit, &new_beam, min_m);
    if (transmits)
        rw_transmit(tracing, &new_beam, min_m);
}

/* Walls that meet in a corner. */
typedef struct rw_corner_walls {
    rw_vec2 corner, body, face; /* and directions along the lit wall and the dark one, away from it */
    uint32_t other;             /* the dark one, RW_NO_WALL: a free-standing wall is both */
    double exterior_rad;
} rw_corner_walls;

RW_FN rw_corner_walls rw_corner_of(const rw_beam_walls *walls, uint32_t lit, int end)
{
    rw_corner_walls at;
    const rw_exact_wall *wall = walls->exact + lit;
    at.corner = rw_wall_end(wall, end);
    at.body = rw_unit(rw_vec2_sub(rw_wall_end(wall, !end), at.corner));
    at.face = at.body;
    at.exterior_rad = 2 * RW_PI;
    at.other = walls->next[2 * (size_t)lit + (size_t)end];
    if (at.other != RW_NO_WALL) { /* rings run one way: at a wall's first end the other wall has its second */
        at.face = rw_unit(rw_vec2_sub(rw_wall_end(walls->exact + at.other, end), at.corner));
        at.exterior_rad = 2 * RW_PI - fabs(rw_angle_between(at.body, at.face));
    }
    return at;
}

/* Appends the beams of a corner: the dark side from the shadow boundary on, cut into sectors. */
RW_FN void rw_append_sectors(const struct rw_trace_beams_args *args, rw_beam *child, rw_vec2 ray, int body_right)
{
    double dark_rad = (double)child->shadow_rad, side = body_right ? -1 : 1;
    int sectors = (int)ceil(dark_rad / args->limits.cut_rad);
    rw_vec2 from = ray;
    for (int i = 1; i <= sectors; i++) {
        double turned = side * dark_rad * i / sectors, c = cos(turned), s = sin(turned);
        rw_vec2 to = i == sectors ? child->face : rw_vec2_of(ray.x * c - ray.y * s, ray.x * s + ray.y * c);
        child->right = body_right ? to : from;
        child->left = body_right ? from : to;
        from = to;
        double length_db = rw_length_loss_db(&args->losses, child->before_m);
        double min_db = (double)child->loss_db[0] - RW_WORTH_MARGIN_DB;
        if (length_db + min_db <= (double)args->losses.loss_max_db)
            min_db += rw_min_diffraction_db(&args->losses, child, child->right, child->left, 1.0);
        child->min_db = rw_integer_db(min_db);
        if (length_db + min_db <= (double)args->losses.loss_max_db)
            rw_append_beam(args, child);
    }
}

/* The beams round a corner: its dark side, from the shadow boundary to the dark face. body_right: the wall that is lit
 * lies right of the ray to the corner. */
RW_RARE_FN void rw_diffract(const rw_tracing *tracing, const rw_fan_wall *hit, int body_right, int needs_check)
{
    const struct rw_trace_beams_args *args = tracing->args;
    const rw_beam *beam = &tracing->beam;
    rw_beam child = *beam;
    int end = body_right ? !hit->turned : hit->turned;
    double u = body_right ? hit->u1 : hit->u0;
    if (beam->diffractions >= args->limits.diffractions || rw_meets_inside(tracing, hit) ||
        !rw_child_bounds(tracing, hit, u, u, &child))
        return;
    rw_corner_walls at = rw_corner_of(&args->walls, hit->wall, end);
    rw_vec2 ray = rw_vec2_sub(at.corner, beam->origin);
    double ray_m = sqrt(rw_vec2_dot(ray, ray)), side = body_right ? -1 : 1; /* the dark side is clockwise or not */
    if (ray_m < 1e-6)
        return;
    ray = rw_unit(ray);
    double dark_rad = side * rw_angle_between(ray, at.face);
    if (dark_rad <= args->limits.angle_min_rad || dark_rad > side * rw_angle_between(ray, at.body) + 1e-12)
        return; /* the other wall is lit as well or seen edge-on, or it is the lit one */
    child.kind = RW_BEAM_DIFFRACTED;
    child.origin = at.corner;
    child.before_m = beam->before_m + ray_m;
    child.leg_m = (float)ray_m;
    child.face = at.face;
    child.shadow_rad = (float)dark_rad;
    child.exterior_rad = (float)at.exterior_rad;
    child.parent = tracing->index;
    child.wall = hit->wall;
    child.other_wall = at.other;
    child.diffractions++;
    child.needs_check = (uint8_t)(beam->needs_check || needs_check || !hit->solid);
    double ray_rad = atan2(ray.y, ray.x), azimuth = (double)beam->rotation_rad;
    child.rotation_rad = (float)(beam->diffractions ? azimuth : beam->mirrored ? azimuth - ray_rad : azimuth + ray_rad);
    child.mirrored = 0;
    rw_beam_add_losses(&args->losses, &args->walls, beam, &child);
    rw_append_sectors(args, &child, ray, body_right);
}

#endif
