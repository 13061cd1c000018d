/* Radio materials of Mitsuba scenes as slabs: from ITU type or constants, thickness and scattering coefficient to a
 * material and a slab of the scene.
 *
 * A surface of such a scene is one sheet for a wall, so that its thickness decides what it reflects and lets through. A
 * material that tells none has the default of Sionna RT's radio materials. */
#include "scene/readers/meshes/meshes.h"

#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define THICKNESS_DEFAULT_M 0.1

static double thickness_of(const rw_mitsuba_material *material)
{
    return isnan(material->thickness_m) ? THICKNESS_DEFAULT_M : material->thickness_m;
}

/* Whether the scene has no slab of that name, or one of just this layer. */
static int is_free_name(const rw_scene *scene, const char *name, const char *layer, double thickness_m)
{
    const rw_scene_slab *slab = rw_scene_find_slab(scene, name);
    return !slab || (slab->layer_count == 1 && slab->layer_thickness_m[0] == thickness_m &&
                     strcmp(slab->layer_material[0], layer) == 0);
}

static rw_status add_mitsuba_slab(rw_scene *scene, const char *name, const char *layer, double thickness_m)
{
    if (rw_scene_find_slab(scene, name))
        return RW_OK;
    const rw_layer only = {sizeof only, layer, thickness_m};
    const rw_slab slab = {.size = sizeof slab, .name = name, .layers = &only, .layer_count = 1};
    return rw_scene_add_slab(scene, &slab);
}

static rw_status add_material(rw_scene *scene, const rw_mitsuba_material *source, const char *name)
{
    rw_material material = {.size = sizeof material,
                            .name = name,
                            .a = source->permittivity,
                            .c = source->conductivity_s_per_m,
                            .freq_max_hz = INFINITY,
                            .scattering = source->scattering};
    const rw_scene_material *row = source->itu_type ? rw_builtin_material(source->itu_type) : NULL;
    if (row) {
        material.a = row->a;
        material.b = row->b;
        material.c = row->c;
        material.d = row->d;
        material.freq_min_hz = row->freq_min_hz;
        material.freq_max_hz = row->freq_max_hz;
        material.perfect_conductor = row->perfect_conductor;
    }
    return rw_scene_add_material(scene, &material);
}

rw_status rw_mitsuba_add_itu(rw_scene *scene, const rw_mitsuba_material *material, const char **surface)
{
    char layer[128], name[192];
    double thickness_m = thickness_of(material);
    snprintf(layer, sizeof layer, "itu_%.60s", material->itu_type);
    if (!rw_builtin_material(layer))
        return rw_fail(scene->context, RW_BAD_INPUT, "there is no ITU material '%.60s'", material->itu_type);
    if (material->scattering > 0) {
        size_t length = strlen(layer);
        snprintf(layer + length, sizeof layer - length, "_s%g", material->scattering);
        if (!rw_scene_find_material(scene, layer))
            RW_TRY(add_material(scene, material, layer));
    }
    snprintf(name, sizeof name, "%s", layer);
    if (!is_free_name(scene, name, layer, thickness_m))
        snprintf(name, sizeof name, "%s_%gm", layer, thickness_m);
    RW_TRY(add_mitsuba_slab(scene, name, layer, thickness_m));
    return rw_scene_store_string(scene, name, surface);
}

rw_status rw_mitsuba_add_own(rw_scene *scene, const rw_mitsuba_material *material, const char *name)
{
    RW_TRY(add_material(scene, material, name));
    return add_mitsuba_slab(scene, name, name, thickness_of(material));
}

rw_status rw_mitsuba_add_named(rw_scene *scene, const char *surface)
{
    if (!*surface || rw_scene_find_slab(scene, surface) || !rw_builtin_material(surface))
        return RW_OK;
    RW_TRY(
        rw_scene_note(scene, "materials without thickness taken as slabs of 0.1 m, the default of Sionna RT", surface));
    return add_mitsuba_slab(scene, surface, surface, THICKNESS_DEFAULT_M);
}
