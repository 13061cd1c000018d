/* The image tree against Algorithm 1 of the paper to the letter, by an oracle that shares nothing with the library: the
 * sequences found, and of each view its viewpoint, axes, clipping plane and window. */
#include "rooms.h"
#include "stencil_tree.h"

/* Two rooms of 5 x 4 x 3 m side by side; the wall between has a window and an open door; a screen stands askew. */
static const stencil_plate plates[] = {
    {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1, {{0, 0, 4, 3}}, 0.12, 2, "wall"},
    {{10, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1, {{0, 0, 4, 3}}, 0.12, 2, "wall"},
    {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 1, {{0, 0, 10, 3}}, 0.12, 2, "wall"},
    {{0, 4, 0}, {1, 0, 0}, {0, 0, 1}, 1, {{0, 0, 10, 3}}, 0.12, 2, "wall"},
    {{5, 0, 0},
     {0, 1, 0},
     {0, 0, 1},
     6,
     {{0, 0, 1, 3}, {1, 0, 2.5, 0.9}, {1, 2.1, 2.5, 3}, {2.5, 0, 3, 3}, {3, 2, 3.8, 3}, {3.8, 0, 4, 3}},
     0.12,
     2,
     "wall"},
    {{5, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1, {{1, 0.9, 2.5, 2.1}}, 0.006, 2.5, "glass"},
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 1, {{0, 0, 10, 4}}, 0.2, 2.3, "deck"},
    {{0, 0, 3}, {1, 0, 0}, {0, 1, 0}, 1, {{0, 0, 10, 4}}, 0.2, 2.3, "deck"},
    {{2.6, 0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}, 1, {{0, 0.3, 1.5, 1.9}}, 0.25, 1.6, "screen"},
    {{7, 2.4, 0}, {0.6, -0.8, 0}, {0, 0, 1}, 1, {{0, 0, 1.25, 2.2}}, 0, 0, "steel"},
};
#define PLATES (sizeof plates / sizeof *plates)

/* Without loss, so that the index is the root of the permittivity. */
static void add_dielectric(rw_context *context, rw_scene *scene, const char *name, double index, double thickness_m)
{
    char material[32];
    snprintf(material, sizeof material, "%s body", name);
    rw_material made = {.size = sizeof made, .name = material, .a = index * index};
    assert_ok(context, rw_scene_add_material(scene, &made));
    add_slab_of(context, scene, name, material, thickness_m);
}

static void add_plate(rw_context *context, rw_scene *scene, const stencil_plate *plate)
{
    for (int i = 0; i < plate->part_count; i++) {
        const double *part = plate->parts[i], *from = plate->origin, *u = plate->u;
        if (plate->v[2] > 0)
            add_panel_of(context, scene, from[0] + part[0] * u[0], from[1] + part[0] * u[1], from[0] + part[2] * u[0],
                         from[1] + part[2] * u[1], part[1], part[3], plate->surface);
        else
            add_deck(context, scene, part[2], part[3], from[2], plate->surface);
    }
}

static rw_scene *rooms_of_plates(rw_context *context)
{
    rw_scene *scene = make_scene(context);
    add_dielectric(context, scene, "wall", 2, 0.12);
    add_dielectric(context, scene, "glass", 2.5, 0.006);
    add_dielectric(context, scene, "deck", 2.3, 0.2);
    add_dielectric(context, scene, "screen", 1.6, 0.25);
    rw_material steel = {.size = sizeof steel, .name = "steel", .a = 1, .c = 1e7};
    assert_ok(context, rw_scene_add_material(scene, &steel));
    for (size_t i = 0; i < PLATES; i++)
        add_plate(context, scene, &plates[i]);
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* What the library has drawn, told in the oracle's numbers. */
typedef struct drawn_sequences {
    const rw_ray_scene *rays;
    double zero[3]; /* of the plates, in the frame of the library */
    found_sequence *list;
    size_t count, capacity;
} drawn_sequences;

/* The plate of the same plane and construction. */
static uint32_t plate_of(const drawn_sequences *kept, uint32_t surface)
{
    const rw_surface *about = &kept->rays->surfaces.surfaces[surface];
    const char *name = kept->rays->surfaces.kinds[about->kind];
    for (uint32_t i = 0; i < PLATES; i++) {
        const double *o = plates[i].origin, *u = plates[i].u, *v = plates[i].v, *zero = kept->zero;
        rw_vec3 corner = rw_vec3_of(o[0] + zero[0], o[1] + zero[1], o[2] + zero[2]);
        rw_vec3 other = rw_vec3_add(corner, rw_vec3_of(u[0] + v[0], u[1] + v[1], u[2] + v[2]));
        rw_vec3 third = rw_vec3_add(corner, rw_vec3_of(u[0] - v[0], u[1] - v[1], u[2] - v[2]));
        if (strcmp(name, plates[i].surface) == 0 && fabs(rw_surface_height_m(about, corner)) < 1e-6 &&
            fabs(rw_surface_height_m(about, other)) < 1e-6 && fabs(rw_surface_height_m(about, third)) < 1e-6)
            return i;
    }
    fail_msg("surface %u is none of the plates\n", surface);
    return 0;
}

/* Clipping as the oracle tells it: on which side of which plate. */
static void tell_clip(const drawn_sequences *kept, const rw_view *view, uint32_t plate, stencil_view *told)
{
    float in_plane[3], over[3];
    double above[3];
    memcpy(above, plates[plate].origin, sizeof above);
    stencil_lift(&plates[plate], 0.01, above);
    for (int i = 0; i < 3; i++) {
        in_plane[i] = (float)(plates[plate].origin[i] + kept->zero[i]);
        over[i] = (float)(above[i] + kept->zero[i]);
    }
    assert_near((double)rw_view_clip(view, in_plane), 0, 1e-5);
    double height = (double)rw_view_clip(view, over);
    assert_near(fabs(height), 0.01, 1e-5);
    told->clip = plate;
    told->clip_shows = height > 0 ? 1 : -1;
}

static void tell_view(const drawn_sequences *kept, const rw_view *view, found_sequence *told)
{
    const uint32_t window[4] = {view->x0, view->x1, view->y0, view->y1};
    told->side = view->side;
    memcpy(told->window, window, sizeof window);
    for (int i = 0; i < 3; i++) {
        told->view.eye[i] = (double)view->eye[i] - kept->zero[i];
        told->view.right[i] = (double)view->right[i];
        told->view.up[i] = (double)view->up[i];
        told->view.forward[i] = (double)view->forward[i];
    }
    tell_clip(kept, view, told->steps[told->level - 1] >> 1, &told->view);
}

static rw_status keep_views(void *user, const rw_view_batch *batch)
{
    drawn_sequences *kept = user;
    for (size_t i = 0; batch->level > 0 && i < batch->count; i++) {
        const rw_view *view = &batch->views[i];
        if (kept->count == kept->capacity) {
            kept->capacity = kept->capacity ? 2 * kept->capacity : 1024;
            kept->list = realloc(kept->list, kept->capacity * sizeof *kept->list);
        }
        found_sequence *told = &kept->list[kept->count++];
        *told = (found_sequence){.level = batch->level};
        for (int s = 0; s < batch->level; s++) {
            uint32_t step = batch->steps[i * (size_t)batch->level + (size_t)s];
            told->steps[s] = 2 * plate_of(kept, RW_STEP_SURFACE(step)) + (uint32_t)RW_STEP_THROUGH(step);
        }
        told->slack_m = (double)view->slack_m - (double)batch->parents[view->parent].slack_m;
        tell_view(kept, view, told);
    }
    return RW_OK;
}

static int compare_sequences(const void *left, const void *right)
{
    const found_sequence *a = left, *b = right;
    if (a->level != b->level)
        return a->level - b->level;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    return memcmp(a->steps, b->steps, (size_t)a->level * sizeof *a->steps);
}

/* What the list lacks of those in all that have at least so many pixels; 0 pixels: of all. */
static size_t lacking(const found_sequence *all, size_t all_count, size_t pixels, const found_sequence *list,
                      size_t count)
{
    size_t missing = 0;
    for (size_t i = 0; i < all_count; i++)
        missing += all[i].pixels >= pixels && !bsearch(&all[i], list, count, sizeof *list, compare_sequences);
    return missing;
}

/* Largest differences of views that both have. */
typedef struct view_differences {
    size_t compared, windows, sides, unaligned;
    double eye_m, axes;
} view_differences;

static double largest(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

/* Viewpoints behind slabs go by the window, so they are compared where all windows on the way are the same. */
static int same_windows(const found_sequence *one, const stencil_tree *oracle, const drawn_sequences *drawn)
{
    found_sequence prefix = *one;
    for (prefix.level = one->level; prefix.level > 0; prefix.level--) {
        const found_sequence *here =
            bsearch(&prefix, oracle->found, oracle->found_count, sizeof prefix, compare_sequences);
        const found_sequence *there = bsearch(&prefix, drawn->list, drawn->count, sizeof prefix, compare_sequences);
        if (!here || !there || memcmp(here->window, there->window, sizeof here->window) != 0)
            return 0;
    }
    return 1;
}

static view_differences compare_views(const stencil_tree *oracle, const drawn_sequences *drawn)
{
    view_differences most = {0};
    for (size_t i = 0; i < drawn->count; i++) {
        const found_sequence *view = &drawn->list[i];
        const found_sequence *wanted =
            bsearch(view, oracle->found, oracle->found_count, sizeof *view, compare_sequences);
        if (!wanted)
            continue;
        most.compared++;
        most.sides += view->view.clip_shows != wanted->view.clip_shows;
        if (!same_windows(view, oracle, drawn))
            continue;
        most.windows++;
        most.eye_m = fmax(most.eye_m, largest(view->view.eye, wanted->view.eye));
        most.axes = fmax(most.axes, fmax(largest(view->view.right, wanted->view.right),
                                         fmax(largest(view->view.up, wanted->view.up),
                                              largest(view->view.forward, wanted->view.forward))));
        /* Nine places of a window miss the extremes of what is visible by a tenth; receivers are looked for within one
         * and a half times the slack. */
        if (view->steps[view->level - 1] & 1u)
            most.unaligned += 0.5 * (wanted->max_m - wanted->min_m) > 1.1 * view->slack_m + 1e-5;
    }
    return most;
}

static void levels_equal_the_recursion_with_a_stencil(void **state)
{
    (void)state;
    const double place[3] = {1.17, 2.71, 2.21};
    rw_context *context = make_context();
    rw_scene *scene = rooms_of_plates(context);
    rw_vec3 source = in_frame(scene, place[0], place[1], place[2]);
    rw_ray_scene rays = rays_of(context, scene, 2.4e9, "isotropic", 0, source);
    static stencil_tree oracle;
    oracle.plates = plates;
    oracle.plate_count = PLATES;
    oracle.depth = 3;
    oracle.threshold = 1;
    stencil_tree_build(&oracle, place);
    drawn_sequences drawn = {.rays = &rays, .zero = {source.x - place[0], source.y - place[1], source.z - place[2]}};
    rw_view_tree_size size;
    rw_view_tree_options options = {.source = source, .pixels = STENCIL_PIXELS, .threshold = 1, .depth = 3};
    assert_int_equal(rays.surfaces.view.surface_count, PLATES);
    assert_ok(context, rw_view_tree_walk(context, RW_BACKEND_CPU, &rays.surfaces.view, rays.slabs, &options, keep_views,
                                         &drawn, &size));
    qsort(oracle.found, oracle.found_count, sizeof *oracle.found, compare_sequences);
    qsort(drawn.list, drawn.count, sizeof *drawn.list, compare_sequences);
    size_t lost = lacking(oracle.found, oracle.found_count, 4, drawn.list, drawn.count);
    size_t extra = lacking(drawn.list, drawn.count, 0, oracle.found, oracle.found_count);
    view_differences most = compare_views(&oracle, &drawn);
    printf(
        "%zu sequences, %zu by the stencil; %zu lost, %zu more; of %zu views %zu have the same windows, viewpoints to "
        "%.2g m, axes to %.2g\n",
        drawn.count, oracle.found_count, lost, extra, most.compared, most.windows, most.eye_m, most.axes);
    /* Single pixels on a border may fall either way; windows of several may not. */
    assert_int_equal(lost, 0);
    assert_true(extra <= drawn.count / 50);
    assert_true(drawn.count > 1000);
    assert_true(most.windows > drawn.count * 9 / 10);
    assert_int_equal(most.sides, 0);
    assert_int_equal(most.unaligned, 0);
    assert_true(most.eye_m < 1e-5);
    assert_true(most.axes < 1e-6);
    for (size_t i = 1; i < drawn.count; i++) /* none twice */
        assert_true(compare_sequences(&drawn.list[i - 1], &drawn.list[i]) < 0);
    free(oracle.found);
    free(drawn.list);
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_equal_the_recursion_with_a_stencil),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
