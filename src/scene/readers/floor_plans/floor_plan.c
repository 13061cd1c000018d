#include "scene/readers/floor_plans/floor_plan.h"

#include "scene/scene.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Usual constructions of named materials: words that name them in plans, layers from side to side. Thicknesses are of
 * common walls: masonry of one brick, stud walls of two boards, double glazing, doors. */
typedef struct default_wall {
    const char *words; /* in lower case, parted by | */
    const char *slab;
    rw_layer layers[3];
    size_t layer_count;
} default_wall;

#define LAYER(material, thickness)                                                                                     \
    {                                                                                                                  \
        sizeof(rw_layer), material, thickness                                                                          \
    }
static const default_wall default_walls[] = {
    {"plasterboard|drywall|gypsum|gips|partition|stud",
     "plasterboard",
     {LAYER("itu_plasterboard", 0.0125), LAYER("vacuum", 0.075), LAYER("itu_plasterboard", 0.0125)},
     3},
    {"window|glazing|glass|fenster",
     "glass",
     {LAYER("itu_glass", 0.004), LAYER("vacuum", 0.016), LAYER("itu_glass", 0.004)},
     3},
    {"door|wood|timber|tuer", "wood", {LAYER("itu_wood", 0.04)}, 1},
    {"brick|masonry|ziegel", "brick", {LAYER("itu_brick", 0.115)}, 1},
    {"metal|steel|lift|elevator", "metal", {LAYER("itu_metal", 0.002)}, 1},
    {"chipboard", "chipboard", {LAYER("itu_chipboard", 0.02)}, 1},
    {"plywood", "plywood", {LAYER("itu_plywood", 0.02)}, 1},
    {"marble", "marble", {LAYER("itu_marble", 0.03)}, 1},
    {"acrylic", "clear_acrylic", {LAYER("itu_clear_acrylic", 0.01)}, 1},
    {"ceiling", "ceiling_board", {LAYER("itu_ceiling_board", 0.015)}, 1},
    {"concrete|beton|core|column|outer|exterior", "concrete", {LAYER("itu_concrete", 0.2)}, 1},
};
#define DEFAULT_WALL_COUNT (sizeof default_walls / sizeof *default_walls)

static int has_word(const char *string, const char *words)
{
    char lower[128];
    size_t length = 0;
    for (; string[length] && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)string[length]);
    lower[length] = 0;
    while (*words) {
        char word[32];
        size_t size = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)size, words);
        if (strstr(lower, word))
            return 1;
        words += size + (words[size] == '|');
    }
    return 0;
}

static rw_status add_plan_slab(rw_scene *scene, const char *name, const rw_layer *layers, size_t count)
{
    if (rw_scene_find_slab(scene, name))
        return RW_OK;
    rw_slab slab = {.size = sizeof slab, .name = name, .layers = layers, .layer_count = count};
    return rw_scene_add_slab(scene, &slab);
}

/* A slab of one material in a thickness of its own, "itu_brick_0.24m". */
static rw_status add_thick(rw_scene *scene, const char *material, double thickness_m, char name[128])
{
    const rw_layer layer = {sizeof layer, material, thickness_m};
    snprintf(name, 128, "%.80s_%gm", material, thickness_m);
    return add_plan_slab(scene, name, &layer, 1);
}

/* Of a wall in a thickness of its own: that of its first side. */
static const char *main_material(const default_wall *wall)
{
    return wall->layers[0].material;
}

rw_status rw_plan_surface(rw_scene *scene, const rw_plan_wall *wall, char name[RW_PLAN_NAME_MAX])
{
    const default_wall *found = NULL;
    snprintf(name, RW_PLAN_NAME_MAX, "%.120s", wall->material);
    int is_known_surface =
        *wall->material && (rw_scene_find_slab(scene, wall->material) || rw_scene_find_material(scene, wall->material));
    if (is_known_surface && isnan(wall->thickness_m))
        return RW_OK;
    if (is_known_surface)
        return add_thick(scene, wall->material, wall->thickness_m, name);
    for (size_t i = 0; i < DEFAULT_WALL_COUNT && !found; i++)
        if (has_word(wall->material, default_walls[i].words))
            found = &default_walls[i];
    if (!found) {
        RW_TRY(rw_scene_note(scene, "walls of no known material taken as 0.2 m of concrete", wall->source));
        found = &default_walls[DEFAULT_WALL_COUNT - 1];
    }
    if (!isnan(wall->thickness_m))
        return add_thick(scene, main_material(found), wall->thickness_m, name);
    snprintf(name, 128, "%s", found->slab);
    return add_plan_slab(scene, found->slab, found->layers, found->layer_count);
}

rw_status rw_plan_add_line(rw_scene *scene, const double *xy, size_t count, int closed, const rw_plan_wall *wall)
{
    char surface[RW_PLAN_NAME_MAX];
    double floor_m = isnan(wall->storey) ? 0 : RW_PLAN_STOREY_M * wall->storey;
    RW_TRY(rw_plan_surface(scene, wall, surface));
    for (size_t i = 0; i + (closed ? 0 : 1) < count; i++) {
        size_t next = (i + 1) % count;
        rw_panel panel = {.size = sizeof panel,
                          .x0_m = xy[2 * i],
                          .y0_m = xy[2 * i + 1],
                          .x1_m = xy[2 * next],
                          .y1_m = xy[2 * next + 1],
                          .bottom_m = isnan(wall->bottom_m) ? floor_m : wall->bottom_m,
                          .top_m = isnan(wall->top_m) ? floor_m + RW_PLAN_STOREY_M : wall->top_m,
                          .surface = surface,
                          .source = wall->source};
        if (panel.x0_m == panel.x1_m && panel.y0_m == panel.y1_m)
            continue;
        RW_TRY(rw_scene_add_panel(scene, &panel));
    }
    return RW_OK;
}

/* A level rectangle over the plan. */
static rw_status add_floor(rw_scene *scene, const double low[2], const double high[2], double z_m, size_t number)
{
    const double vertices[] = {low[0], low[1], z_m, high[0], low[1], z_m, high[0], high[1], z_m, low[0], high[1], z_m};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    char name[32];
    snprintf(name, sizeof name, "floor_%zu", number);
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = name,
                    .xyz = vertices,
                    .vertex_count = 4,
                    .triangles = triangles,
                    .triangle_count = 2,
                    .surface = "floor"};
    return rw_scene_add_mesh(scene, &mesh);
}

rw_status rw_plan_raise_basements(rw_scene *scene)
{
    double bottom_m = 0;
    char example[96];
    for (size_t i = 0; i < scene->panels.count; i++)
        bottom_m = fmin(bottom_m, scene->panels.items[i].bottom_m);
    if (!(bottom_m < 0))
        return RW_OK;
    for (size_t i = 0; i < scene->panels.count; i++) {
        scene->panels.items[i].bottom_m -= bottom_m;
        scene->panels.items[i].top_m -= bottom_m;
    }
    snprintf(example, sizeof example, "the ground floor is at %.4g m", -bottom_m);
    return rw_scene_note(scene, "floor plans with basements: heights count from the lowest floor", example);
}

rw_status rw_plan_add_floors(rw_scene *scene)
{
    static const rw_layer layers[] = {LAYER("itu_concrete", 0.22), LAYER("vacuum", 0.3),
                                      LAYER("itu_ceiling_board", 0.015)};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, top_m = 0, bottom_m = INFINITY;
    RW_TRY(rw_plan_raise_basements(scene));
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        const rw_vec2 ends[2] = {panel->p0, panel->p1};
        for (int k = 0; k < 2; k++) {
            low[0] = fmin(low[0], ends[k].x + scene->origin.x);
            low[1] = fmin(low[1], ends[k].y + scene->origin.y);
            high[0] = fmax(high[0], ends[k].x + scene->origin.x);
            high[1] = fmax(high[1], ends[k].y + scene->origin.y);
        }
        top_m = fmax(top_m, panel->top_m);
        bottom_m = fmin(bottom_m, panel->bottom_m);
    }
    if (scene->panels.count == 0)
        return RW_OK;
    RW_TRY(add_plan_slab(scene, "floor", layers, 3));
    size_t storeys = (size_t)fmax(1, round((top_m - bottom_m) / RW_PLAN_STOREY_M));
    for (size_t i = 0; i <= storeys && i < 200; i++)
        RW_TRY(add_floor(scene, low, high, bottom_m + (double)i * RW_PLAN_STOREY_M, i));
    return RW_OK;
}
