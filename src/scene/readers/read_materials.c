/* Materials from a table, for scenes of any format: name; either relative_permittivity and conductivity_s_per_m,
 * constant over frequency, or a, b, c, d of ITU-R P.2040; and, where wanted, roughness (effective, 0 to 1), thickness_m
 * (a slab of that name; without, a half space) and conductor (1: a perfect one). A name that the scene has is replaced.
 */
#include "scene/scene.h"

#include "base/memory.h"
#include "base/text/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct material_columns {
    size_t name, permittivity, conductivity, a, b, c, d, roughness, thickness, conductor;
} material_columns;

static rw_status find_material_columns(const rw_csv *csv, material_columns *columns)
{
    RW_TRY(rw_csv_require(csv, "name|material", &columns->name));
    columns->permittivity = rw_csv_find(csv, "relative_permittivity|permittivity");
    columns->conductivity = rw_csv_find(csv, "conductivity_s_per_m|conductivity");
    columns->a = rw_csv_find(csv, "a");
    columns->b = rw_csv_find(csv, "b");
    columns->c = rw_csv_find(csv, "c");
    columns->d = rw_csv_find(csv, "d");
    columns->roughness = rw_csv_find(csv, "roughness|scattering");
    columns->thickness = rw_csv_find(csv, "thickness_m|thickness");
    columns->conductor = rw_csv_find(csv, "conductor|perfect_conductor");
    if (columns->permittivity != RW_CSV_NO_COLUMN || columns->a != RW_CSV_NO_COLUMN)
        return RW_OK;
    return rw_fail(csv->context, RW_BAD_INPUT, "%s: no column relative_permittivity, and none named a of ITU-R P.2040",
                   csv->path);
}

static rw_status read_material_row(const rw_csv *csv, const material_columns *columns, size_t row,
                                   rw_material *material, double *thickness_m)
{
    double conductor = 0;
    *material = (rw_material){
        .size = sizeof *material, .name = rw_csv_string(csv, row, columns->name), .a = NAN, .freq_max_hz = INFINITY};
    RW_TRY(rw_csv_optional_number(csv, row, columns->permittivity, RW_QUANTITY_NUMBER, &material->a));
    RW_TRY(rw_csv_optional_number(csv, row, columns->a, RW_QUANTITY_NUMBER, &material->a));
    RW_TRY(rw_csv_optional_number(csv, row, columns->b, RW_QUANTITY_NUMBER, &material->b));
    RW_TRY(rw_csv_optional_number(csv, row, columns->conductivity, RW_QUANTITY_NUMBER, &material->c));
    RW_TRY(rw_csv_optional_number(csv, row, columns->c, RW_QUANTITY_NUMBER, &material->c));
    RW_TRY(rw_csv_optional_number(csv, row, columns->d, RW_QUANTITY_NUMBER, &material->d));
    RW_TRY(rw_csv_optional_number(csv, row, columns->roughness, RW_QUANTITY_NUMBER, &material->scattering));
    RW_TRY(rw_csv_optional_number(csv, row, columns->conductor, RW_QUANTITY_NUMBER, &conductor));
    RW_TRY(rw_csv_optional_number(csv, row, columns->thickness, RW_QUANTITY_LENGTH_M, thickness_m));
    material->perfect_conductor = conductor != 0;
    if (conductor != 0 && isnan(material->a))
        material->a = 1;
    return isnan(material->a) ? rw_fail(csv->context, RW_BAD_INPUT, "%s, line %zu: material %s has no permittivity",
                                        csv->path, csv->lines[row], material->name)
                              : RW_OK;
}

/* Changes of one letter that lead from one word to the other, two at most (Levenshtein, in a band). */
static int are_near_names(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    size_t rest_a = strlen(a), rest_b = strlen(b);
    while (rest_a && rest_b && a[rest_a - 1] == b[rest_b - 1]) {
        rest_a--;
        rest_b--;
    }
    return (rest_a > rest_b ? rest_a : rest_b) <= 2;
}

/* A name that something of the scene may have; near receives one that was probably meant, NULL if there is none. */
static int is_material_used(const rw_scene *scene, const char *name, const char **near)
{
    *near = NULL;
    for (size_t i = 0; i < scene->surfaces.count; i++) {
        const char *surface = scene->surfaces.items[i];
        if (strcmp(surface, name) == 0)
            return 1;
        *near = are_near_names(surface, name) ? surface : *near;
    }
    for (size_t i = 0; i < scene->slabs.count; i++)
        for (size_t k = 0; k < scene->slabs.items[i].layer_count; k++)
            if (strcmp(scene->slabs.items[i].layer_material[k], name) == 0)
                return 1;
    for (size_t i = 0; i < rw_builtin_material_count(); i++) {
        const char *builtin = rw_builtin_material_row(i)->name;
        *near = !*near && are_near_names(builtin, name) ? builtin : *near;
    }
    return rw_builtin_material(name) || rw_scene_find_material(scene, name) || rw_scene_find_slab(scene, name) ||
           strcmp(name, "ground") == 0;
}

/* A table for another scene, or a name that is misspelt, would change nothing. */
static rw_status check_material_name(const rw_scene *scene, const rw_csv *csv, size_t row, const char *name)
{
    const char *near;
    if (is_material_used(scene, name, &near))
        return RW_OK;
    if (near)
        return rw_fail(scene->context, RW_BAD_INPUT,
                       "%s, line %zu: no surface has the material '%s'; did you mean '%s'?", csv->path, csv->lines[row],
                       name, near);
    rw_warn(scene->context, "%s, line %zu: no surface has the material '%s', which changes nothing", csv->path,
            csv->lines[row], name);
    return RW_OK;
}

/* Makes room for a material, and a slab, of that name. */
static void remove_material(rw_scene *scene, const char *name)
{
    size_t remaining = 0;
    for (size_t i = 0; i < scene->materials.count; i++)
        if (strcmp(scene->materials.items[i].name, name) != 0)
            scene->materials.items[remaining++] = scene->materials.items[i];
    scene->materials.count = remaining;
    remaining = 0;
    for (size_t i = 0; i < scene->slabs.count; i++)
        if (strcmp(scene->slabs.items[i].name, name) != 0)
            scene->slabs.items[remaining++] = scene->slabs.items[i];
    scene->slabs.count = remaining;
}

static rw_status add_material_row(rw_scene *scene, const rw_csv *csv, const material_columns *columns, size_t row)
{
    rw_material material;
    double thickness_m = NAN;
    RW_TRY(read_material_row(csv, columns, row, &material, &thickness_m));
    RW_TRY(check_material_name(scene, csv, row, material.name));
    remove_material(scene, material.name);
    rw_status status = rw_scene_add_material(scene, &material);
    if (status == RW_OK && !isnan(thickness_m)) {
        const rw_layer layer = {sizeof layer, material.name, thickness_m};
        const rw_slab slab = {.size = sizeof slab, .name = material.name, .layers = &layer, .layer_count = 1};
        status = rw_scene_add_slab(scene, &slab);
    }
    if (status != RW_BAD_INPUT)
        return status;
    char reason[RW_MESSAGE_MAX / 2];
    snprintf(reason, sizeof reason, "%s", rw_last_error(scene->context));
    return rw_fail(scene->context, status, "%s, line %zu: %s", csv->path, csv->lines[row], reason);
}

static rw_status read_materials_file(rw_scene *scene, const char *path)
{
    rw_csv csv;
    material_columns columns;
    if (scene->committed)
        return rw_fail(scene->context, RW_BAD_CALL, "the scene is committed and cannot be changed");
    RW_TRY(rw_csv_read(scene->context, path, &csv));
    rw_status status = find_material_columns(&csv, &columns);
    for (size_t row = 0; row < csv.row_count && status == RW_OK; row++)
        status = add_material_row(scene, &csv, &columns, row);
    rw_csv_free(&csv);
    return status;
}

rw_status rw_scene_read_materials(rw_scene *scene, const char *path)
{
    int is_within_load = scene->inputs.is_open; /* rw_scene_load records already */
    if (!is_within_load)
        rw_inputs_open(&scene->inputs);
    rw_status status = read_materials_file(scene, path);
    if (!is_within_load)
        rw_inputs_close(&scene->inputs);
    return status;
}
