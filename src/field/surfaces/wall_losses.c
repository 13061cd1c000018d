
#include "field/calc/calc.h"
#include "field/surfaces/material.k.h"
#include "field/surfaces/surface.h"
#include "field/surfaces/surfaces.h"
#include "scene/scene.h"

#include <math.h>

#define DEFAULT_MATERIAL "itu_concrete"

/* Without a warning where the frequency is outside the material's range: the table of ITU-R P.2040 goes on smoothly,
 * and 947 MHz is below most of its rows. */
static rw_complex permittivity_of(const rw_scene_material *material, double freq_hz)
{
    if (material->perfect_conductor)
        return rw_complex_of(1.0, RW_PERMITTIVITY_CONDUCTOR_IM);
    return rw_complex_permittivity(rw_material_permittivity(material->a, material->b, freq_hz),
                                   rw_material_conductivity_s_m(material->c, material->d, freq_hz), freq_hz);
}

static rw_complex find_permittivity(const rw_scene *scene, const char *name, double freq_hz)
{
    const rw_scene_material *material = rw_scene_find_material(scene, name);
    rw_calc_surface found;
    if (!material)
        material = rw_builtin_material_at(name, freq_hz);
    if (!material && rw_calc_find_surface(scene->context, name, freq_hz, &found) == RW_OK)
        return found.permittivity; /* "pec", or numbers in place of a name */
    if (!material) {
        rw_warn(scene->context, "nothing says what '%s' is: walls of it are taken as " DEFAULT_MATERIAL, name);
        material = rw_builtin_material_at(DEFAULT_MATERIAL, freq_hz);
    }
    return permittivity_of(material, freq_hz);
}

/* The layers behind a name at a frequency: of a slab, or of a plain wall. */
static rw_surface find_wall_layers(const rw_scene *scene, const char *name, double freq_hz)
{
    const rw_scene_slab *slab = rw_scene_find_slab(scene, name);
    rw_surface surface = {.half_space = !slab, .layer_count = slab ? slab->layer_count : 1};
    for (size_t i = 0; i < surface.layer_count; i++) {
        surface.layers[i].permittivity = find_permittivity(scene, slab ? slab->layer_material[i] : name, freq_hz);
        surface.layers[i].thickness_m = slab ? slab->layer_thickness_m[i] : RW_PLAIN_WALL_M;
    }
    return surface;
}

rw_construction rw_wall_losses_construction(const rw_scene *scene, const char *name, double freq_hz)
{
    rw_surface surface = find_wall_layers(scene, name, freq_hz);
    rw_construction wall = {.layer_count = (int)surface.layer_count,
                            .opaque = surface.half_space,
                            .smooth = 1,
                            .through_factor = 1,
                            .reflection_factor = 1};
    for (size_t i = 0; i < surface.layer_count; i++) {
        wall.layers[i] = surface.layers[i];
        wall.thickness_m += surface.layers[i].thickness_m;
    }
    return wall;
}

static float bounded_db(rw_complex transmission)
{
    double power = rw_complex_abs2(transmission);
    double loss_db = power > 0 ? -10 * log10(power) : RW_WALL_LOSS_MAX_DB;
    return (float)(loss_db > RW_WALL_LOSS_MAX_DB || isnan(loss_db) ? RW_WALL_LOSS_MAX_DB : loss_db);
}

static void tabulate_wall_loss(const rw_scene *scene, const char *name, double freq_hz, rw_wall_loss *table)
{
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    rw_surface surface = find_wall_layers(scene, name, freq_hz);
    for (int i = 0; i <= RW_WALL_LOSS_SAMPLES; i++) {
        double cosine = (double)i / RW_WALL_LOSS_SAMPLES;
        rw_te_tm through = rw_slab_stack(surface.layers, surface.layer_count, cosine, wavelength_m).transmission;
        table[i] = (rw_wall_loss){bounded_db(through.te), bounded_db(through.tm)};
    }
}

void rw_wall_losses_tabulate(const rw_scene *scene, double freq_hz, rw_wall_loss *tables)
{
    for (size_t s = 0; s < scene->surfaces.count; s++)
        tabulate_wall_loss(scene, scene->surfaces.items[s], freq_hz, tables + s * (RW_WALL_LOSS_SAMPLES + 1));
}

void rw_wall_losses_of_concrete(const rw_scene *scene, double freq_hz, rw_wall_loss *table)
{
    tabulate_wall_loss(scene, DEFAULT_MATERIAL, freq_hz, table);
}

double rw_wall_losses_diffuse_db(const rw_wall_loss *table)
{
    double sum = 0;
    for (int i = 1; i <= RW_WALL_LOSS_SAMPLES; i++) { /* trapezoids; nothing comes in at grazing */
        double cosine = (double)i / RW_WALL_LOSS_SAMPLES, weight = i == RW_WALL_LOSS_SAMPLES ? 0.5 : 1;
        double power = 0.5 * (pow(10, -0.1 * (double)table[i].te_db) + pow(10, -0.1 * (double)table[i].tm_db));
        sum += weight * 2 * cosine * power / RW_WALL_LOSS_SAMPLES;
    }
    return -10 * log10(sum);
}

double rw_wall_losses_min_db(const rw_wall_loss *tables, size_t surface_count)
{
    double min_db = RW_WALL_LOSS_MAX_DB;
    for (size_t s = 0; s < surface_count; s++)
        for (int i = 1; i <= RW_WALL_LOSS_SAMPLES; i++) {
            const rw_wall_loss *at = &tables[s * (RW_WALL_LOSS_SAMPLES + 1) + (size_t)i];
            min_db = fmin(min_db, (double)fminf(at->te_db, at->tm_db));
        }
    return min_db;
}
