#include "field/edges/deflection.h"

#include "field/surfaces/material.k.h"
#include "field/edges/wedge.k.h"
#include "scene/scene.h"

#include <string.h>

#define SAMPLES 64
#define EXTERIOR_OVER_PI 1.5 /* a corner of 90 degrees */
#define ORIENTATIONS 9

rw_deflection_setting rw_deflection_setting_default(rw_deflection_kind kind, double freq_hz)
{
    const rw_scene_material *concrete = rw_builtin_material("itu_concrete");
    rw_deflection_setting setting;
    setting.freq_hz = freq_hz;
    setting.permittivity =
        rw_complex_permittivity(rw_material_permittivity(concrete->a, concrete->b, freq_hz),
                                rw_material_conductivity_s_m(concrete->c, concrete->d, freq_hz), freq_hz);
    setting.before_m = kind == RW_DEFLECTION_ROOF ? 200.0 : 50.0;
    setting.after_m = kind == RW_DEFLECTION_ROOF ? 30.0 : 50.0;
    return setting;
}

/* Diffracted over free-space power at one orientation of the edge to the ray. */
static double edge_power(rw_deflection_kind kind, const rw_deflection_setting *setting, double source_rad,
                         double angle_rad)
{
    double wavenumber = 2.0 * RW_PI * setting->freq_hz / RW_SPEED_OF_LIGHT_M_S;
    rw_wedge_geometry geometry = {EXTERIOR_OVER_PI, source_rad, source_rad + RW_PI + angle_rad, 1.0,
                                  rw_wedge_distance_spherical_m(setting->before_m, setting->after_m, 1.0)};
    rw_wedge_terms terms = rw_wedge_terms_of(&geometry, wavenumber);
    rw_wedge_faces faces = rw_wedge_faces_of(&geometry, setting->permittivity, 0, 1);
    rw_soft_hard d = rw_wedge_coefficients_of(&geometry, &terms, &faces);
    double spread = (setting->before_m + setting->after_m) / (setting->before_m * setting->after_m);
    return spread * rw_complex_abs2(kind == RW_DEFLECTION_STREET ? d.soft : d.hard);
}

/* Mean over the orientations that the corner leaves to a ray of this deflection; none of them along a face. */
static double edge_loss_db(rw_deflection_kind kind, const rw_deflection_setting *setting, double angle_rad)
{
    double free_rad = (EXTERIOR_OVER_PI - 1.0) * RW_PI - angle_rad, power = 0.0;
    for (int i = 0; i < ORIENTATIONS; i++)
        power += edge_power(kind, setting, free_rad * (i + 0.5) / ORIENTATIONS, angle_rad);
    return -10.0 * log10(power / ORIENTATIONS);
}

/* Both polarisations of a wall in equal parts; the ray meets it at half the deflection. */
static double reflection_loss_db(const rw_deflection_setting *setting, double angle_rad)
{
    rw_te_tm reflection = rw_fresnel(setting->permittivity, sin(0.5 * angle_rad)).reflection;
    return -10.0 * log10(0.5 * (rw_complex_abs2(reflection.te) + rw_complex_abs2(reflection.tm)));
}

double rw_deflection_theory_db(rw_deflection_kind kind, const rw_deflection_setting *setting, double angle_rad)
{
    return kind == RW_DEFLECTION_REFLECTION ? reflection_loss_db(setting, angle_rad)
                                            : edge_loss_db(kind, setting, angle_rad);
}

/* The four shapes that keep the loss from falling between 0 and pi, each with or without a0: free a1 and a2, a1 = 0,
 * slope 0 at pi (a1 = -2 pi a2), and constant. */
enum { SHAPE_FREE, SHAPE_NO_LINEAR, SHAPE_FLAT_END, SHAPE_CONSTANT, SHAPES };

/* Basis functions of a shape at an angle; returns how many. */
static int evaluate_basis(int shape, int with_constant, double angle, double *values)
{
    int count = 0;
    if (with_constant)
        values[count++] = 1.0;
    if (shape == SHAPE_FREE)
        values[count++] = angle;
    if (shape == SHAPE_FREE || shape == SHAPE_NO_LINEAR)
        values[count++] = angle * angle;
    if (shape == SHAPE_FLAT_END)
        values[count++] = angle * angle - 2.0 * RW_PI * angle;
    return count;
}

/* Solves the small normal equations by elimination; they are positive definite. */
static void solve_normal_equations(double a[3][4], int n, double *x)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j <= n; j++)
                a[i][j] -= factor * a[k][j];
        }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = a[i][n];
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
}

static rw_deflection fit_shape(int shape, int with_constant, const double *angle, const double *loss_db)
{
    double normal[3][4], values[3], x[3] = {0.0, 0.0, 0.0};
    int n = 0;
    memset(normal, 0, sizeof normal);
    for (int sample = 0; sample < SAMPLES; sample++) {
        n = evaluate_basis(shape, with_constant, angle[sample], values);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                normal[i][j] += values[i] * values[j];
            normal[i][n] += values[i] * loss_db[sample];
        }
    }
    solve_normal_equations(normal, n, x);
    rw_deflection result = {.a0_db = 0.0};
    int next = 0;
    if (with_constant)
        result.a0_db = x[next++];
    if (shape == SHAPE_FREE)
        result.a1_db = x[next++];
    if (shape != SHAPE_CONSTANT)
        result.a2_db = x[next];
    if (shape == SHAPE_FLAT_END)
        result.a1_db = -2.0 * RW_PI * result.a2_db;
    return result;
}

static double rms_error_db(rw_deflection deflection, const double *angle, const double *loss_db)
{
    double sum = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        double error = rw_deflection_loss_db(deflection, angle[i]) - loss_db[i];
        sum += error * error;
    }
    return sqrt(sum / SAMPLES);
}

static double slope_db_rad(rw_deflection d, double angle_rad)
{
    return d.a1_db + angle_rad * (2.0 * d.a2_db + 3.0 * angle_rad * d.a3_db);
}

int rw_deflection_is_physical(rw_deflection d)
{
    /* The slope is a parabola: least at an end or, where that lies between them, at its vertex. */
    double vertex = d.a3_db > 0.0 ? -d.a2_db / (3.0 * d.a3_db) : 0.0;
    double within = vertex > 0.0 && vertex < RW_PI ? slope_db_rad(d, vertex) : 0.0;
    return d.a0_db >= 0.0 && slope_db_rad(d, 0.0) >= -1e-9 && slope_db_rad(d, RW_PI) >= -1e-9 && within >= -1e-9;
}

rw_status rw_deflection_fit(rw_context *context, rw_deflection_kind kind, const rw_deflection_setting *setting,
                            rw_deflection *deflection, double *rms_db)
{
    double angle[SAMPLES], loss_db[SAMPLES], best = INFINITY;
    /* At edges up to 75 degrees: towards 90 the ray can only graze both faces. */
    double end = kind == RW_DEFLECTION_REFLECTION ? RW_PI : 75.0 * RW_PI / 180.0;
    if (!(setting->freq_hz > 0.0) || !(setting->before_m > 0.0) || !(setting->after_m > 0.0))
        return rw_fail(context, RW_BAD_CALL, "deflection: frequency and distances must be above zero");
    for (int i = 0; i < SAMPLES; i++) {
        angle[i] = end * (i + 0.5) / SAMPLES;
        loss_db[i] = rw_deflection_theory_db(kind, setting, angle[i]);
    }
    for (int shape = 0; shape < SHAPES; shape++)
        for (int with_constant = shape == SHAPE_CONSTANT; with_constant <= 1; with_constant++) {
            rw_deflection candidate = fit_shape(shape, with_constant, angle, loss_db);
            double error = rms_error_db(candidate, angle, loss_db);
            if (rw_deflection_is_physical(candidate) && error < best) {
                best = error;
                *deflection = candidate;
            }
        }
    if (!(best < INFINITY))
        return rw_fail(context, RW_INTERNAL, "deflection: the theory gave no finite loss to fit at %g Hz",
                       setting->freq_hz);
    if (rms_db)
        *rms_db = best;
    return RW_OK;
}
