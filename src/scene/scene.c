/* Editing a scene: everything that readers, generators and programs add goes through here and is checked here. */
#include "scene/scene.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rw_status rw_scene_create(rw_context *context, rw_scene **scene)
{
    RW_TRY(rw_array_create(context, 1, sizeof **scene, "a scene", scene));
    (*scene)->context = context;
    (*scene)->next_building = 1;
    return RW_OK;
}

static void free_strings(char **strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(strings[i]);
    free(strings);
}

void rw_scene_destroy(rw_scene *scene)
{
    if (!scene)
        return;
    if (scene->destroy_prepared)
        scene->destroy_prepared(scene->prepared);
    for (size_t i = 0; i < scene->notes.count; i++) {
        free(scene->notes.items[i].what);
        free(scene->notes.items[i].example);
    }
    free(scene->notes.items);
    free_strings(scene->strings.items, scene->strings.count);
    free_strings(scene->surfaces.items, scene->surfaces.count);
    free_strings(scene->part_sources.items, scene->part_sources.count);
    free(scene->parts.items);
    free(scene->ring_first.items);
    free(scene->points.items);
    free(scene->panels.items);
    free(scene->meshes.items);
    free(scene->vertices.items);
    free(scene->triangles.items);
    free(scene->materials.items);
    free(scene->slabs.items);
    free(scene->terrain.values);
    free(scene->terrain_unknown);
    free(scene->foliage.values);
    free(scene->crs);
    rw_inputs_free(&scene->inputs);
    free(scene);
}

static rw_status check_editable(rw_scene *scene)
{
    if (scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is committed and can no longer be changed");
    return RW_OK;
}

/* The first coordinate sets the origin, rounded to whole kilometres so that integer coordinates stay integers. */
static rw_vec2 to_local(rw_scene *scene, double x, double y)
{
    if (!scene->has_origin) {
        scene->origin = rw_vec2_of(floor(x / 1000) * 1000, floor(y / 1000) * 1000);
        scene->has_origin = 1;
    }
    return rw_vec2_of(x - scene->origin.x, y - scene->origin.y);
}

rw_status rw_scene_store_string(rw_scene *scene, const char *string, const char **stored)
{
    if (scene->strings.count && strcmp(scene->strings.items[scene->strings.count - 1], string) == 0) {
        *stored = scene->strings.items[scene->strings.count - 1];
        return RW_OK;
    }
    RW_TRY(RW_ARRAY_RESERVE(scene->context, scene->strings, 1, "names"));
    char *copy = rw_string_copy(string);
    if (!copy)
        return rw_fail(scene->context, RW_OUT_OF_MEMORY, "no memory left for names");
    scene->strings.items[scene->strings.count++] = copy;
    *stored = copy;
    return RW_OK;
}

static rw_status store_scene_name(rw_scene *scene, const char *name, const char *what, const char **stored)
{
    if (!name || !*name)
        return rw_fail(scene->context, RW_BAD_INPUT, "a %s has no name", what);
    return rw_scene_store_string(scene, name, stored);
}

static rw_status add_surface_name(rw_scene *scene, const char *name, uint32_t *index)
{
    if (!name)
        name = "itu_concrete";
    for (size_t i = scene->surfaces.count; i-- > 0;)
        if (strcmp(scene->surfaces.items[i], name) == 0) {
            *index = (uint32_t)i;
            return RW_OK;
        }
    if (scene->surfaces.count >= 65535)
        return rw_fail(scene->context, RW_BAD_INPUT, "more than 65535 different surface materials");
    RW_TRY(RW_ARRAY_RESERVE(scene->context, scene->surfaces, 1, "surface names"));
    char *copy = rw_string_copy(name);
    if (!copy)
        return rw_fail(scene->context, RW_OUT_OF_MEMORY, "no memory left for surface names");
    *index = (uint32_t)scene->surfaces.count;
    scene->surfaces.items[scene->surfaces.count++] = copy;
    return RW_OK;
}

rw_status rw_scene_note(rw_scene *scene, const char *what, const char *example)
{
    for (size_t i = 0; i < scene->notes.count; i++)
        if (strcmp(scene->notes.items[i].what, what) == 0) {
            scene->notes.items[i].count++;
            return RW_OK;
        }
    RW_TRY(RW_ARRAY_RESERVE(scene->context, scene->notes, 1, "notes"));
    rw_scene_note_entry note = {rw_string_copy(what), rw_string_copy(example ? example : ""), 1};
    if (!note.what || !note.example) {
        free(note.what);
        free(note.example);
        return rw_fail(scene->context, RW_OUT_OF_MEMORY, "no memory left for notes");
    }
    scene->notes.items[scene->notes.count++] = note;
    return RW_OK;
}

/* Permittivity a f^b and conductivity c f^d with f in GHz: within these bounds both stay finite up to 1 THz. */
static int material_is_possible(const rw_scene_material *material)
{
    const double factor_max = 1e12, exponent_max = 10;
    int scatters = rw_is_within(material->scattering, 0, 1);
    int has_band = material->freq_min_hz >= 0 && material->freq_max_hz >= material->freq_min_hz;
    return scatters && has_band &&
           (material->perfect_conductor ||
            (rw_is_within(material->a, 1, factor_max) && rw_is_within(material->b, -exponent_max, exponent_max) &&
             rw_is_within(material->c, 0, factor_max) && rw_is_within(material->d, -exponent_max, exponent_max)));
}

rw_status rw_scene_add_material(rw_scene *scene, const rw_material *user_struct)
{
    rw_material material = {0};
    RW_TRY(check_editable(scene));
    RW_TRY(RW_RESOLVE(scene->context, user_struct, &material));
    rw_scene_material scene_material = {.a = material.a,
                                        .b = material.b,
                                        .c = material.c,
                                        .d = material.d,
                                        .freq_min_hz = material.freq_min_hz,
                                        .freq_max_hz = material.freq_max_hz,
                                        .perfect_conductor = material.perfect_conductor,
                                        .scattering = material.scattering};
    RW_TRY(store_scene_name(scene, material.name, "material", &scene_material.name));
    if (!material_is_possible(&scene_material))
        return rw_fail(scene->context, RW_BAD_INPUT,
                       "material %s: permittivity must be at least 1, conductivity not negative, scattering 0 to 1",
                       scene_material.name);
    if (rw_scene_find_material(scene, scene_material.name))
        return rw_fail(scene->context, RW_BAD_INPUT, "material %s is defined twice", scene_material.name);
    RW_TRY(RW_ARRAY_RESERVE(scene->context, scene->materials, 1, "materials"));
    scene->materials.items[scene->materials.count++] = scene_material;
    return RW_OK;
}

#define THICKNESS_MIN_M 1e-9
#define THICKNESS_MAX_M 1e3

static rw_status add_slab_layers(rw_scene *scene, const rw_layer *layers, rw_scene_slab *scene_slab)
{
    for (size_t i = 0; i < scene_slab->layer_count; i++) {
        RW_TRY(store_scene_name(scene, layers[i].material, "layer material", &scene_slab->layer_material[i]));
        scene_slab->layer_thickness_m[i] = layers[i].thickness_m;
        if (!rw_is_within(scene_slab->layer_thickness_m[i], THICKNESS_MIN_M, THICKNESS_MAX_M))
            return rw_fail(scene->context, RW_BAD_INPUT, "slab %s: layer %zu is %g m thick; 1 nm to 1 km is possible",
                           scene_slab->name, i, scene_slab->layer_thickness_m[i]);
    }
    RW_TRY(RW_ARRAY_RESERVE(scene->context, scene->slabs, 1, "slabs"));
    scene->slabs.items[scene->slabs.count++] = *scene_slab;
    return RW_OK;
}

rw_status rw_scene_add_slab(rw_scene *scene, const rw_slab *user_struct)
{
    rw_slab slab = {0};
    const rw_layer *layers;
    rw_layer *layer_copy;
    RW_TRY(check_editable(scene));
    RW_TRY(RW_RESOLVE(scene->context, user_struct, &slab));
    rw_scene_slab scene_slab = {.layer_count = slab.layer_count};
    RW_TRY(store_scene_name(scene, slab.name, "slab", &scene_slab.name));
    if (slab.layer_count < 1 || slab.layer_count > RW_SLAB_LAYERS_MAX)
        return rw_fail(scene->context, RW_BAD_INPUT, "slab %s has %zu layers; 1 to %d are possible", scene_slab.name,
                       slab.layer_count, RW_SLAB_LAYERS_MAX);
    if (rw_scene_find_slab(scene, scene_slab.name))
        return rw_fail(scene->context, RW_BAD_INPUT, "slab %s is defined twice", scene_slab.name);
    RW_TRY(RW_RESOLVE_ARRAY(scene->context, slab.layers, slab.layer_count, &(rw_layer){0}, &layers, &layer_copy));
    rw_status status = add_slab_layers(scene, layers, &scene_slab);
    free(layer_copy);
    return status;
}

static rw_status check_building(rw_scene *scene, const rw_building *building, const char *source, size_t *points)
{
    *points = 0;
    if (building->ring_count < 1)
        return rw_fail(scene->context, RW_BAD_INPUT, "%s: a building has no outline", source);
    for (size_t i = 0; i < building->ring_count; i++)
        *points += building->ring_sizes[i];
    size_t bad = rw_find_bad_coordinate(building->xy, 2 * *points);
    if (bad < 2 * *points)
        return rw_fail(scene->context, RW_BAD_INPUT, "%s: coordinate %g is not a finite number of metres", source,
                       building->xy[bad]);
    double base = building->base_height_m, roof = building->roof_height_m;
    if (!rw_is_altitude(roof) || !rw_is_altitude(base) || roof <= 0 || roof <= base)
        return rw_fail(scene->context, RW_BAD_INPUT,
                       "%s: roof height %g m over base %g m: a roof is above 0 and above its base", source, roof, base);
    if (!isnan(building->ground_m) && !rw_is_altitude(building->ground_m))
        return rw_fail(scene->context, RW_BAD_INPUT, "%s: ground altitude %g m is not possible", source,
                       building->ground_m);
    return RW_OK;
}

rw_status rw_scene_add_building(rw_scene *scene, const rw_building *user_struct)
{
    rw_building resolved = {0};
    const rw_building *building = &resolved;
    RW_TRY(check_editable(scene));
    RW_TRY(RW_RESOLVE(scene->context, user_struct, &resolved));
    rw_context *context = scene->context;
    const char *source = building->source ? building->source : "building";
    size_t point_count;
    RW_TRY(check_building(scene, building, source, &point_count));
    rw_part part = {.building = building->building_id ? building->building_id : scene->next_building,
                    .first_ring = scene->ring_first.count ? scene->ring_first.count - 1 : 0,
                    .ring_count = building->ring_count,
                    .ground_m = building->ground_m,
                    .base_height_m = building->base_height_m,
                    .roof_height_m = building->roof_height_m};
    RW_TRY(add_surface_name(scene, building->surface, &part.surface));
    RW_TRY(RW_ARRAY_RESERVE(context, scene->parts, 1, "buildings"));
    RW_TRY(RW_ARRAY_RESERVE(context, scene->part_sources, 1, "buildings"));
    RW_TRY(RW_ARRAY_RESERVE(context, scene->ring_first, building->ring_count + 1, "outlines"));
    RW_TRY(RW_ARRAY_RESERVE(context, scene->points, point_count, "outlines"));
    char *source_copy = rw_string_copy(source);
    if (!source_copy)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for buildings");

    if (scene->ring_first.count == 0)
        scene->ring_first.items[scene->ring_first.count++] = 0;
    const double *xy = building->xy;
    for (size_t ring = 0; ring < building->ring_count; ring++) {
        for (size_t i = 0; i < building->ring_sizes[ring]; i++, xy += 2)
            scene->points.items[scene->points.count++] = to_local(scene, xy[0], xy[1]);
        scene->ring_first.items[scene->ring_first.count++] = scene->points.count;
    }
    scene->parts.items[scene->parts.count++] = part;
    scene->part_sources.items[scene->part_sources.count++] = source_copy;
    if (part.building >= scene->next_building)
        scene->next_building = part.building + 1;
    return RW_OK;
}

rw_status rw_scene_add_panel(rw_scene *scene, const rw_panel *user_struct)
{
    rw_panel resolved = {0};
    const rw_panel *panel = &resolved;
    RW_TRY(check_editable(scene));
    RW_TRY(RW_RESOLVE(scene->context, user_struct, &resolved));
    const char *source = panel->source ? panel->source : "wall";
    double ends[6] = {panel->x0_m, panel->y0_m, panel->x1_m, panel->y1_m, panel->bottom_m, panel->top_m};
    for (int i = 0; i < 6; i++)
        if (i < 4 ? !rw_is_coordinate(ends[i]) : !rw_is_altitude(ends[i]))
            return rw_fail(scene->context, RW_BAD_INPUT, "%s: %g is not a finite number of metres", source, ends[i]);
    if (!(panel->top_m > panel->bottom_m))
        return rw_fail(scene->context, RW_BAD_INPUT, "%s: its top (%g m) is not above its bottom (%g m)", source,
                       panel->top_m, panel->bottom_m);
    rw_scene_panel scene_panel = {.p0 = to_local(scene, ends[0], ends[1]),
                                  .p1 = to_local(scene, ends[2], ends[3]),
                                  .bottom_m = panel->bottom_m,
                                  .top_m = panel->top_m};
    if (!(hypot(scene_panel.p1.x - scene_panel.p0.x, scene_panel.p1.y - scene_panel.p0.y) >
          1e-9)) /* shorter ones have no direction */
        return rw_scene_note(scene, "walls of no length left out", source);
    RW_TRY(add_surface_name(scene, panel->surface, &scene_panel.surface));
    RW_TRY(RW_ARRAY_RESERVE(scene->context, scene->panels, 1, "walls"));
    scene->panels.items[scene->panels.count++] = scene_panel;
    return RW_OK;
}

static rw_status check_mesh(rw_scene *scene, const rw_mesh *mesh, const char *name)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *xyz = mesh->xyz + 3 * i;
        if (!rw_is_coordinate(xyz[0]) || !rw_is_coordinate(xyz[1]) || !rw_is_altitude(xyz[2]))
            return rw_fail(scene->context, RW_BAD_INPUT, "mesh %s: vertex %zu is not a finite point on Earth", name, i);
    }
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        if (mesh->triangles[i] >= mesh->vertex_count)
            return rw_fail(scene->context, RW_BAD_INPUT, "mesh %s: triangle %zu names vertex %u of %zu", name, i / 3,
                           mesh->triangles[i], mesh->vertex_count);
    if (scene->vertices.count + mesh->vertex_count > UINT32_MAX)
        return rw_fail(scene->context, RW_TOO_LARGE, "mesh %s: more than 2^32 vertices in a scene", name);
    return RW_OK;
}

rw_status rw_scene_add_mesh(rw_scene *scene, const rw_mesh *user_struct)
{
    rw_mesh resolved = {0};
    const rw_mesh *mesh = &resolved;
    RW_TRY(check_editable(scene));
    RW_TRY(RW_RESOLVE(scene->context, user_struct, &resolved));
    rw_context *context = scene->context;
    rw_scene_mesh scene_mesh = {.first_vertex = scene->vertices.count,
                                .vertex_count = mesh->vertex_count,
                                .first_triangle = scene->triangles.count / 3,
                                .triangle_count = mesh->triangle_count};
    RW_TRY(store_scene_name(scene, mesh->name ? mesh->name : "mesh", "mesh", &scene_mesh.name));
    RW_TRY(check_mesh(scene, mesh, scene_mesh.name));
    RW_TRY(add_surface_name(scene, mesh->surface, &scene_mesh.surface));
    RW_TRY(RW_ARRAY_RESERVE(context, scene->meshes, 1, "meshes"));
    RW_TRY(RW_ARRAY_RESERVE(context, scene->vertices, mesh->vertex_count, "mesh vertices"));
    RW_TRY(RW_ARRAY_RESERVE(context, scene->triangles, 3 * mesh->triangle_count, "mesh triangles"));
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        rw_vec2 local = to_local(scene, mesh->xyz[3 * i], mesh->xyz[3 * i + 1]);
        scene->vertices.items[scene->vertices.count++] = rw_vec3_of(local.x, local.y, mesh->xyz[3 * i + 2]);
    }
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        scene->triangles.items[scene->triangles.count++] = (uint32_t)scene_mesh.first_vertex + mesh->triangles[i];
    scene->meshes.items[scene->meshes.count++] = scene_mesh;
    return RW_OK;
}

rw_status rw_scene_check_raster(rw_context *context, const rw_raster *raster, size_t fewest, const char *what)
{
    const size_t max_side = (size_t)1 << 20;
    if (raster->columns < fewest || raster->rows < fewest || raster->columns > max_side || raster->rows > max_side)
        return rw_fail(context, RW_BAD_INPUT, "%s of %zu x %zu posts is not possible", what, raster->columns,
                       raster->rows);
    if (!rw_is_within(raster->dx_m, RW_POST_MIN_M, RW_CELL_MAX_M) ||
        !rw_is_within(raster->dy_m, RW_POST_MIN_M, RW_CELL_MAX_M))
        return rw_fail(context, RW_BAD_INPUT, "%s with posts %g x %g m apart is not possible; use 0.01 to 1e6 m", what,
                       raster->dx_m, raster->dy_m);
    double corners_m[4] = {raster->x0_m, raster->y0_m, raster->x0_m + (double)raster->columns * raster->dx_m,
                           raster->y0_m + (double)raster->rows * raster->dy_m};
    size_t bad = rw_find_bad_coordinate(corners_m, 4);
    if (bad < 4)
        return rw_fail(context, RW_BAD_INPUT, "%s reaches %g m, which is not on Earth", what, corners_m[bad]);
    return RW_OK;
}

rw_status rw_scene_set_terrain(rw_scene *scene, const rw_raster *user_struct)
{
    rw_context *context = scene->context;
    rw_raster resolved = {0};
    const rw_raster *terrain = &resolved;
    RW_TRY(check_editable(scene));
    RW_TRY(RW_RESOLVE(context, user_struct, &resolved));
    RW_TRY(rw_scene_check_raster(context, terrain, 2, "terrain"));
    size_t count = terrain->columns * terrain->rows;
    float *values;
    uint8_t *unknowns = NULL;
    RW_TRY(rw_array_create(context, count, sizeof *values, "the terrain", &values));
    size_t unknown = 0;
    for (size_t i = 0; i < count; i++) {
        values[i] = terrain->values[i];
        unknown += !rw_is_altitude(terrain->values[i]);
    }
    if (unknown == count) {
        free(values);
        return rw_fail(context, RW_BAD_INPUT, "the terrain has no known height");
    }
    rw_status status = unknown ? rw_array_create(context, count, 1, "the terrain", &unknowns) : RW_OK;
    if (status != RW_OK) {
        free(values);
        return status;
    }
    for (size_t i = 0; unknowns && i < count; i++)
        unknowns[i] = !rw_is_altitude(terrain->values[i]);
    if (unknowns)
        rw_raster_fill_unknown(values, unknowns, terrain->columns, terrain->rows);
    free(scene->terrain.values);
    free(scene->terrain_unknown);
    scene->terrain_unknown = unknowns;
    rw_vec2 first = to_local(scene, terrain->x0_m, terrain->y0_m);
    scene->terrain = *terrain;
    scene->terrain.x0_m = first.x;
    scene->terrain.y0_m = first.y;
    scene->terrain.values = values;
    scene->flat = 0;
    return unknown ? rw_scene_note(scene, "terrain has unknown heights, set to those beside them", "") : RW_OK;
}

rw_status rw_scene_set_flat(rw_scene *scene)
{
    RW_TRY(check_editable(scene));
    free(scene->terrain.values);
    free(scene->terrain_unknown);
    scene->terrain_unknown = NULL;
    memset(&scene->terrain, 0, sizeof scene->terrain);
    scene->flat = 1;
    return RW_OK;
}

rw_status rw_scene_set_no_ground(rw_scene *scene)
{
    RW_TRY(check_editable(scene));
    scene->no_ground = 1;
    return RW_OK;
}

rw_status rw_scene_set_crs(rw_scene *scene, const char *crs)
{
    RW_TRY(check_editable(scene));
    char *copy = rw_string_copy(crs);
    if (!copy)
        return rw_fail(scene->context, RW_OUT_OF_MEMORY, "no memory left for the coordinate system");
    free(scene->crs);
    scene->crs = copy;
    return RW_OK;
}

const char *rw_scene_crs(const rw_scene *scene)
{
    return scene->crs ? scene->crs : "";
}

const rw_scene_material *rw_scene_find_material(const rw_scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->materials.count; i++)
        if (strcmp(scene->materials.items[i].name, name) == 0)
            return &scene->materials.items[i];
    return NULL;
}

const rw_scene_slab *rw_scene_find_slab(const rw_scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->slabs.count; i++)
        if (strcmp(scene->slabs.items[i].name, name) == 0)
            return &scene->slabs.items[i];
    return NULL;
}
