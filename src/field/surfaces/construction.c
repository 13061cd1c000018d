#include "field/surfaces/surfaces.h"

#include "base/parallel.h"

#include "field/surfaces/material.k.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* The scene's own material goes before one of the table of ITU-R P.2040. */
static rw_status find_layer_material(const rw_scene *scene, const char *name, double freq_hz, rw_layer_field *layer,
                                     double *scattering)
{
    const rw_scene_material *material = rw_scene_find_material(scene, name);
    if (!material)
        material = rw_builtin_material_at(name, freq_hz);
    if (!material)
        return rw_fail(scene->context, RW_BAD_INPUT,
                       "nothing says what '%s' is: define it as a slab or material, or use a name such as itu_concrete",
                       name);
    if (freq_hz < material->freq_min_hz || freq_hz > material->freq_max_hz)
        rw_warn(scene->context, "%s holds from %g to %g GHz, not at %g GHz", material->name,
                material->freq_min_hz * 1e-9, material->freq_max_hz * 1e-9, freq_hz * 1e-9);
    *scattering = material->scattering;
    layer->permittivity =
        rw_complex_permittivity(rw_material_permittivity(material->a, material->b, freq_hz),
                                rw_material_conductivity_s_m(material->c, material->d, freq_hz), freq_hz);
    if (material->perfect_conductor)
        layer->permittivity = rw_complex_of(1.0, RW_PERMITTIVITY_CONDUCTOR_IM);
    return RW_OK;
}

rw_status rw_construction_find(const rw_scene *scene, const char *name, double freq_hz, rw_construction *wall)
{
    const rw_scene_slab *slab = rw_scene_find_slab(scene, name);
    double scattering = 0, roughest = 0;
    memset(wall, 0, sizeof *wall);
    wall->through_factor = wall->reflection_factor = 1;
    wall->opaque = !slab;
    wall->layer_count = slab ? (int)slab->layer_count : 1;
    for (int i = 0; i < wall->layer_count; i++) {
        const char *material = slab ? slab->layer_material[i] : name;
        RW_TRY(find_layer_material(scene, material, freq_hz, &wall->layers[i], &scattering));
        wall->layers[i].thickness_m = slab ? slab->layer_thickness_m[i] : 0;
        wall->thickness_m += wall->layers[i].thickness_m;
        if (i == 0 || i == wall->layer_count - 1)
            roughest = fmax(roughest, scattering);
    }
    wall->smooth = sqrt(1 - roughest * roughest);
    return RW_OK;
}

double rw_wall_roughness(const rw_scene *scene, double requested, int must_scatter)
{
    int rough = 0;
    for (size_t i = 0; i < scene->materials.count; i++)
        rough |= scene->materials.items[i].scattering > 0;
    return isnan(requested) && must_scatter && !rough ? RW_ROUGHNESS_DEFAULT : requested;
}

void rw_construction_roughen(rw_construction *wall, double scattering)
{
    if (wall->smooth >= 1 && scattering > 0)
        wall->smooth = sqrt(1 - scattering * scattering);
}

const char *rw_construction_material(const rw_scene *scene, const char *name)
{
    const rw_scene_slab *slab = rw_scene_find_slab(scene, name);
    size_t thickest = 0;
    double max_m = -1;
    for (size_t i = 0; slab && i < slab->layer_count; i++) {
        int air = strstr(slab->layer_material[i], "air") || strstr(slab->layer_material[i], "vacuum");
        double thickness_m = air ? 0 : slab->layer_thickness_m[i];
        thickest = thickness_m > max_m ? i : thickest;
        max_m = fmax(max_m, thickness_m);
    }
    return slab ? slab->layer_material[thickest] : name;
}

typedef struct tabulation {
    const rw_construction *wall;
    double wavelength_m;
    rw_wall_response *table;
} tabulation;

static void tabulate_wall_response(void *user, size_t begin, size_t end)
{
    const tabulation *new_tabulation = user;
    for (size_t i = begin; i < end; i++)
        new_tabulation->table[i] = rw_wall_response_exact(new_tabulation->wall, (double)i / RW_CONSTRUCTION_SAMPLES,
                                                          new_tabulation->wavelength_m);
}

void rw_construction_tabulate(rw_context *context, const rw_construction *wall, double wavelength_m,
                              rw_wall_response *table)
{
    tabulation new_tabulation = {wall, wavelength_m, table};
    rw_parallel_whole(context, RW_CONSTRUCTION_SAMPLES + 1, 64, tabulate_wall_response, &new_tabulation);
}
