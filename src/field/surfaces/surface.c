#include "field/surfaces/surface.h"

#include "field/calc/calc.h"
#include "field/surfaces/material.k.h"

static rw_status find_surface_permittivity(const rw_scene *scene, const char *name, double freq_hz,
                                           rw_complex *permittivity)
{
    const rw_scene_material *own = rw_scene_find_material(scene, name);
    if (own) {
        double sigma = rw_material_conductivity_s_m(own->c, own->d, freq_hz);
        *permittivity = rw_complex_permittivity(rw_material_permittivity(own->a, own->b, freq_hz), sigma, freq_hz);
        if (own->perfect_conductor)
            *permittivity = rw_complex_of(1.0, RW_PERMITTIVITY_CONDUCTOR_IM);
        return RW_OK;
    }
    rw_calc_surface found;
    RW_TRY(rw_calc_find_surface(scene->context, name, freq_hz, &found));
    *permittivity = found.perfect_conductor ? rw_complex_of(1.0, RW_PERMITTIVITY_CONDUCTOR_IM) : found.permittivity;
    return RW_OK;
}

rw_status rw_surface_find(const rw_scene *scene, size_t index, double freq_hz, rw_surface *surface)
{
    const char *name = scene->surfaces.items[index];
    const rw_scene_slab *slab = rw_scene_find_slab(scene, name);
    *surface = (rw_surface){.half_space = !slab, .layer_count = slab ? slab->layer_count : 1};
    for (size_t i = 0; i < surface->layer_count; i++) {
        const char *material = slab ? slab->layer_material[i] : name;
        RW_TRY(find_surface_permittivity(scene, material, freq_hz, &surface->layers[i].permittivity));
        surface->layers[i].thickness_m = slab ? slab->layer_thickness_m[i] : RW_PLAIN_WALL_M;
    }
    surface->permittivity = surface->layers[0].permittivity;
    return RW_OK;
}

rw_interface rw_surface_coefficients(const rw_surface *surface, double cosine_incidence, double wavelength_m)
{
    rw_interface stack = rw_slab_stack(surface->layers, surface->layer_count, cosine_incidence, wavelength_m);
    if (surface->half_space)
        stack.reflection = rw_fresnel(surface->permittivity, cosine_incidence).reflection;
    return stack;
}
