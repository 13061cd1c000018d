/* Derivatives of the field that an antenna sends, over its direction and over a turn of the antenna.
 *
 * From an antenna and a direction to the field vector and its change along two tangents of the direction. An antenna
 * that is turned by a small rotation sends the turned field of the direction turned back, so that these two tangents
 * also give the derivatives over azimuth, downtilt and roll (rw_rotation_slope). Tables of a pattern are linear between
 * degrees (ray_field.k.h), and their derivatives those of the piece; scalar antennas are exact curves. */
#ifndef RW_FIELD_PATHS_PATTERN_SLOPE_K_H
#define RW_FIELD_PATHS_PATTERN_SLOPE_K_H

#include "field/paths/ray_field.k.h"

/* A cut of an antenna (scene/antennas/antenna_cut.c): samples of loss at rising angles and the slopes there. */
typedef struct rw_cut_view {
    const double *angle_deg, *loss_db, *slope_db_per_deg;
    int count;
} rw_cut_view;

/* The gain of an antenna as models without polarisation take it: kinds are those of rw_antenna_kind. */
typedef struct rw_scalar_antenna {
    int kind; /* 0 isotropic, 1 dipole, 2 sector by its widths, 3 cuts */
    double peak_dbi, deepest_loss_db;
    double horizontal_deg, vertical_deg, electrical_tilt_deg; /* of a sector */
    rw_cut_view horizontal, vertical;
} rw_scalar_antenna;

/* An antenna that sends a vector, or (scalar) the square root of its gain along x. */
typedef struct rw_sender {
    int scalar;
    rw_pattern pattern; /* axes of both forms */
    rw_scalar_antenna antenna;
} rw_sender;

/* A value with its derivatives over theta and phi, in degrees. */
typedef struct rw_angle_slope {
    double value, over_theta, over_phi;
} rw_angle_slope;

/* The field of a direction and its change for a step of 1 along each tangent. */
typedef struct rw_sent_slopes {
    rw_vec3c field, first, second;
} rw_sent_slopes;

/* A cut and its derivative at an angle. */
RW_FN double rw_cut_slope(const rw_cut_view *cut, double angle_deg, double *over_angle)
{
    double angle = angle_deg - 360.0 * floor(angle_deg / 360.0);
    int low = 0, high = cut->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (cut->angle_deg[middle] <= angle)
            low = middle + 1;
        else
            high = middle;
    }
    int before = low ? low - 1 : cut->count - 1, after = before + 1 < cut->count ? before + 1 : 0;
    double step = cut->angle_deg[after] - cut->angle_deg[before] + (after == 0 ? 360.0 : 0.0);
    double offset = angle - cut->angle_deg[before];
    double t = (offset < 0.0 ? offset + 360.0 : offset) / step, u = 1.0 - t;
    double start = cut->loss_db[before], end = cut->loss_db[after];
    double left = cut->slope_db_per_deg[before], right = cut->slope_db_per_deg[after];
    double over_t = 6.0 * t * u * (end - start) + step * (u * (u - 2.0 * t) * left - t * (2.0 * u - t) * right);
    *over_angle = over_t / step;
    return u * u * (1.0 + 2.0 * t) * start + t * t * (1.0 + 2.0 * u) * end + t * u * step * (u * left - t * right);
}

/* Loss between the cuts, as loss_between_cuts_db of antenna.c. */
RW_FN rw_angle_slope rw_cuts_loss(const rw_scalar_antenna *antenna, double theta_deg, double phi_deg)
{
    const double radians = RW_PI / 180.0;
    double back = 0.5 * (1.0 - cos(phi_deg * radians)), back_slope = 0.5 * sin(phi_deg * radians) * radians;
    double level = sin(theta_deg * radians), level_slope = cos(theta_deg * radians) * radians;
    double front_slope, behind_slope, aside_slope, none;
    double front = rw_cut_slope(&antenna->vertical, theta_deg - 90.0, &front_slope);
    double behind = rw_cut_slope(&antenna->vertical, 270.0 - theta_deg, &behind_slope);
    double aside = rw_cut_slope(&antenna->horizontal, -phi_deg, &aside_slope);
    double ahead = rw_cut_slope(&antenna->horizontal, 0.0, &none),
           rear = rw_cut_slope(&antenna->horizontal, 180.0, &none);
    double beyond = aside - (1.0 - back) * ahead - back * rear;
    rw_angle_slope loss;
    loss.value = (1.0 - back) * front + back * behind + level * beyond;
    loss.over_theta = (1.0 - back) * front_slope - back * behind_slope + level_slope * beyond;
    loss.over_phi = back_slope * (behind - front) + level * (-aside_slope - back_slope * (rear - ahead));
    if (!(loss.value > 0.0 && loss.value < antenna->deepest_loss_db)) {
        loss.value = loss.value > 0.0 ? antenna->deepest_loss_db : 0.0;
        loss.over_theta = loss.over_phi = 0.0;
    }
    return loss;
}

/* 3GPP TR 38.901 table 7.3-1, as rw_sector_loss_db of scene/antennas/antenna_shape.k.h. */
RW_FN rw_angle_slope rw_sector_loss(const rw_scalar_antenna *antenna, double theta_deg, double phi_deg)
{
    double deepest = antenna->deepest_loss_db;
    double down = (theta_deg - 90.0 - antenna->electrical_tilt_deg) / antenna->vertical_deg;
    double aside = phi_deg / antenna->horizontal_deg;
    double vertical = 12.0 * down * down, horizontal = 12.0 * aside * aside;
    rw_angle_slope loss = {0.0, 24.0 * down / antenna->vertical_deg, 24.0 * aside / antenna->horizontal_deg};
    loss.over_theta = vertical < deepest ? loss.over_theta : 0.0;
    loss.over_phi = horizontal < deepest ? loss.over_phi : 0.0;
    loss.value = (vertical < deepest ? vertical : deepest) + (horizontal < deepest ? horizontal : deepest);
    if (!(loss.value < deepest)) {
        loss.value = deepest;
        loss.over_theta = loss.over_phi = 0.0;
    }
    return loss;
}

/* Square root of the gain. */
RW_FN rw_angle_slope rw_scalar_amplitude(const rw_scalar_antenna *antenna, double theta_deg, double phi_deg)
{
    const double min_dbi = -100.0, neper_per_db = 0.11512925464970229; /* ln(10) / 20 */
    rw_angle_slope loss = {0.0, 0.0, 0.0};
    if (antenna->kind == 1) {
        double theta = theta_deg * RW_PI / 180.0, sine = sin(theta), cosine = cos(theta);
        double shape = rw_dipole_amplitude(cosine);
        loss.value = shape > 1e-8 ? -20.0 * log10(shape) : 200.0;
        if (shape > 1e-8) /* of ln(cos(pi/2 c) / s) over theta */
            loss.over_theta =
                -(0.5 * RW_PI * tan(0.5 * RW_PI * cosine) * sine - cosine / sine) / neper_per_db * RW_PI / 180.0;
    } else if (antenna->kind == 2) {
        loss = rw_sector_loss(antenna, theta_deg, phi_deg);
    } else if (antenna->kind == 3) {
        loss = rw_cuts_loss(antenna, theta_deg, phi_deg);
    }
    double gain_dbi = antenna->peak_dbi - loss.value;
    int null = gain_dbi < min_dbi;
    rw_angle_slope amplitude;
    amplitude.value = exp(neper_per_db * (null ? min_dbi : gain_dbi));
    amplitude.over_theta = null ? 0.0 : -neper_per_db * loss.over_theta * amplitude.value;
    amplitude.over_phi = null ? 0.0 : -neper_per_db * loss.over_phi * amplitude.value;
    return amplitude;
}

/* As rw_pattern_amplitude, which it equals. */
RW_FN rw_angle_slope rw_pattern_amplitude_slope(const rw_pattern *pattern, double theta_deg, double phi_deg,
                                                double cosine)
{
    rw_angle_slope amplitude = {pattern->peak_amplitude, 0.0, 0.0};
    if (pattern->kind == RW_PATTERN_DIPOLE) {
        double sine = sqrt(1.0 - cosine * cosine), shape = rw_dipole_amplitude(cosine);
        amplitude.value *= shape;
        if (sine > 1e-6) /* -s times the derivative over the cosine */
            amplitude.over_theta = pattern->peak_amplitude *
                                   (0.5 * RW_PI * sin(0.5 * RW_PI * cosine) - cosine * shape / sine) * RW_PI / 180.0;
    }
    if (pattern->kind != RW_PATTERN_TABLE)
        return amplitude;
    double along_phi = phi_deg + 180.0;
    int row = (int)theta_deg, column = (int)along_phi;
    row = row > RW_PATTERN_ROWS - 2 ? RW_PATTERN_ROWS - 2 : row;
    column = column > RW_PATTERN_COLUMNS - 2 ? RW_PATTERN_COLUMNS - 2 : column;
    double down = theta_deg - row, along = along_phi - column;
    const float *at = pattern->amplitudes + row * RW_PATTERN_COLUMNS + column;
    double a = (double)at[0], b = (double)at[1], c = (double)at[RW_PATTERN_COLUMNS];
    double d = (double)at[RW_PATTERN_COLUMNS + 1];
    double upper = (1.0 - along) * a + along * b, lower = (1.0 - along) * c + along * d;
    amplitude.value = pattern->peak_amplitude * ((1.0 - down) * upper + down * lower);
    amplitude.over_theta = pattern->peak_amplitude * (lower - upper);
    amplitude.over_phi = pattern->peak_amplitude * ((1.0 - down) * (b - a) + down * (d - c));
    return amplitude;
}

/* Two unit vectors across a direction and across each other. */
RW_FN void rw_tangents(rw_vec3 direction, rw_vec3 *first, rw_vec3 *second)
{
    *first = rw_perpendicular(direction, rw_vec3_of(0.0, 0.0, 1.0));
    *second = rw_vec3_cross(direction, *first);
}

/* The amplitude's change along a tangent. */
RW_FN double rw_amplitude_along(const rw_antenna_axes *axes, rw_vec3 direction, rw_vec3 tangent,
                                rw_angle_slope amplitude)
{
    double x = rw_vec3_dot(direction, axes->forward), y = rw_vec3_dot(direction, axes->left);
    double across2 = x * x + y * y;
    if (!(across2 > 1e-18))
        return 0.0;
    double theta = -rw_vec3_dot(tangent, axes->up) / sqrt(across2);
    double phi = (x * rw_vec3_dot(tangent, axes->left) - y * rw_vec3_dot(tangent, axes->forward)) / across2;
    return (amplitude.over_theta * theta + amplitude.over_phi * phi) * 180.0 / RW_PI;
}

/* Change of the polarisation vector along a tangent. */
RW_FN rw_vec3c rw_polarisation_along(const rw_pattern *pattern, rw_vec3 direction, rw_vec3 tangent)
{
    rw_vec3c none = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    rw_vec3 across = rw_vec3_cross(pattern->axes.up, direction), turned = rw_vec3_cross(pattern->axes.up, tangent);
    double length = rw_vec3_length(across);
    if (!(length > 1e-9))
        return none;
    rw_vec3 phi = rw_vec3_scale(across, 1.0 / length);
    rw_vec3 of_phi = rw_vec3_scale(rw_vec3_sub(turned, rw_vec3_scale(phi, rw_vec3_dot(phi, turned))), 1.0 / length);
    rw_vec3 of_theta = rw_vec3_add(rw_vec3_cross(of_phi, direction), rw_vec3_cross(phi, tangent));
    return rw_vec3c_add(rw_vec3c_along(pattern->polarisation.theta, of_theta),
                        rw_vec3c_along(pattern->polarisation.phi, of_phi));
}

RW_FN rw_angle_slope rw_sender_amplitude(const rw_sender *sender, rw_vec3 direction)
{
    const rw_antenna_axes *axes = &sender->pattern.axes;
    double x = rw_vec3_dot(direction, axes->forward), y = rw_vec3_dot(direction, axes->left);
    double z = rw_vec3_dot(direction, axes->up), cosine = z > 1.0 ? 1.0 : z < -1.0 ? -1.0 : z;
    double theta_deg = acos(cosine) * 180.0 / RW_PI, phi_deg = atan2(y, x) * 180.0 / RW_PI;
    return sender->scalar ? rw_scalar_amplitude(&sender->antenna, theta_deg, phi_deg)
                          : rw_pattern_amplitude_slope(&sender->pattern, theta_deg, phi_deg, cosine);
}

/* The field that is sent in a direction (unit). */
RW_FN rw_vec3c rw_sent_field(const rw_sender *sender, rw_vec3 direction)
{
    rw_angle_slope amplitude = rw_sender_amplitude(sender, direction);
    rw_vec3c alone = {{amplitude.value, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    if (sender->scalar)
        return alone;
    return rw_vec3c_scale(rw_polarisation_vector(&sender->pattern.axes, sender->pattern.polarisation, direction),
                          rw_complex_of(amplitude.value, 0.0));
}

/* The same with its change along two tangents. */
RW_FN rw_sent_slopes rw_sent_field_slopes(const rw_sender *sender, rw_vec3 direction, rw_vec3 first, rw_vec3 second)
{
    const rw_pattern *pattern = &sender->pattern;
    rw_angle_slope amplitude = rw_sender_amplitude(sender, direction);
    double along_first = rw_amplitude_along(&pattern->axes, direction, first, amplitude);
    double along_second = rw_amplitude_along(&pattern->axes, direction, second, amplitude);
    rw_sent_slopes slopes = {{{amplitude.value, 0.0}, {0.0, 0.0}, {0.0, 0.0}},
                             {{along_first, 0.0}, {0.0, 0.0}, {0.0, 0.0}},
                             {{along_second, 0.0}, {0.0, 0.0}, {0.0, 0.0}}};
    if (sender->scalar)
        return slopes;
    rw_vec3c unit = rw_polarisation_vector(&pattern->axes, pattern->polarisation, direction);
    rw_complex size = rw_complex_of(amplitude.value, 0.0);
    slopes.field = rw_vec3c_scale(unit, size);
    slopes.first = rw_vec3c_add(rw_vec3c_scale(unit, rw_complex_of(along_first, 0.0)),
                                rw_vec3c_scale(rw_polarisation_along(pattern, direction, first), size));
    slopes.second = rw_vec3c_add(rw_vec3c_scale(unit, rw_complex_of(along_second, 0.0)),
                                 rw_vec3c_scale(rw_polarisation_along(pattern, direction, second), size));
    return slopes;
}

/* a x b without conjugates. */
RW_FN rw_vec3c rw_vec3c_cross(rw_vec3c a, rw_vec3c b)
{
    rw_vec3c result;
    result.x = rw_complex_sub(rw_complex_mul(a.y, b.z), rw_complex_mul(a.z, b.y));
    result.y = rw_complex_sub(rw_complex_mul(a.z, b.x), rw_complex_mul(a.x, b.z));
    result.z = rw_complex_sub(rw_complex_mul(a.x, b.y), rw_complex_mul(a.y, b.x));
    return result;
}

/* dg over the direction and over a rotation vector of the antenna (radians), where dg = weight . d(field): p x w - d x
 * G, and -d x G where the field is not a vector. sent: along the tangents of rw_tangents. */
RW_FN void rw_rotation_slope(const rw_sender *sender, rw_vec3 direction, const rw_sent_slopes *sent, rw_vec3c weight,
                             rw_vec3c *over_direction, rw_vec3c *over_rotation)
{
    rw_vec3 first, second;
    rw_tangents(direction, &first, &second);
    rw_vec3c on = rw_vec3c_add(rw_vec3c_along(rw_received_voltage(weight, sent->first), first),
                               rw_vec3c_along(rw_received_voltage(weight, sent->second), second));
    rw_vec3c along = rw_vec3c_along(rw_complex_of(-1.0, 0.0), direction), rotation = rw_vec3c_cross(along, on);
    *over_direction = on;
    *over_rotation = sender->scalar ? rotation : rw_vec3c_add(rotation, rw_vec3c_cross(sent->field, weight));
}

#endif
