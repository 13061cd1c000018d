/* Rendering the image tree: the shift of refracted views against the paper's equations, and cracks between surfaces. */
#include "rooms.h"

/* Equations (1) and (2): behind the shift that belongs to an angle, a ray of that angle is aligned. */
static void shifted_viewpoints_are_aligned(void **state)
{
    (void)state;
    rw_refractor slab = {.layer_count = 1, .thickness_m = 0.2, .layer_m = {0.2}, .index = {2.3}};
    for (int degrees = 1; degrees < 85; degrees += 3) {
        double angle = degrees * RW_PI / 180, shift = rw_refraction_shift_m(&slab, cos(angle));
        assert_near(rw_refraction_misalignment(&slab, 1.7, angle, shift), 0, 1e-12);
        assert_true(fabs(rw_refraction_misalignment(&slab, 1.7, angle, 0)) > 1e-4);
    }
    /* Over a window, the best shift has the least of the largest errors in metres; so no other shift does better. */
    double from = cos(0.2), to = cos(1.1), slack;
    double best = rw_refraction_best_shift_m(&slab, from, to, &slack);
    for (int i = -20; i <= 20; i++) {
        double other = best + 0.002 * i, worst = 0;
        for (int k = 0; k <= 50; k++) {
            double cosine = cos(0.2 + 0.9 * k / 50);
            worst = fmax(worst, fabs(rw_refraction_shift_m(&slab, cosine) - other));
        }
        assert_true(worst >= slack - 1e-12);
    }
}

/* The exact path through a slab obeys Snell's law: the lateral way of each part adds up. */
static void paths_through_a_slab_obey_snell(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_slab_of(context, scene, "thick", "itu_concrete", 0.3);
    add_panel_of(context, scene, 5, -50, 5, 50, -50, 50, "thick");
    assert_ok(context, rw_scene_commit(scene));
    rw_vec3 source = in_frame(scene, 1, 0.3, 1.2), receiver = in_frame(scene, 7.5, 6.1, 3.4);
    rw_ray_scene rays = rays_of(context, scene, 3e9, "isotropic", 0, source);
    const uint32_t steps[1] = {RW_STEP(0, 1)};
    rw_image_path path = {0};
    assert_true(rw_image_path_solve(&rays.host.surfaces, rays.slabs, steps, 1, source, receiver, &path));
    assert_true(rw_image_path_free(&rays.host.surfaces, &path, source, receiver));
    double sine = sqrt(1 - path.cosines[0] * path.cosines[0]), index = rays.slabs[0].index[0];
    double inside = sine / index; /* Snell */
    double way = (2.5 + 4 - 0.3) * sine / path.cosines[0] + 0.3 * inside / sqrt(1 - inside * inside);
    assert_near(way, hypot(6.1 - 0.3, 3.4 - 1.2), 1e-9);
    /* optical length: air legs and n times the way inside */
    double optical = (2.5 + 4 - 0.3) / path.cosines[0] + index * 0.3 / sqrt(1 - inside * inside);
    assert_near(path.delay_m, optical, 1e-9);
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

typedef struct far_views {
    const rw_ray_scene *rays;
    rw_vec3 place; /* on the wall that is asked for, which is across x */
    size_t count;
} far_views;

static rw_status count_far_views(void *user, const rw_view_batch *batch)
{
    far_views *found = user;
    for (size_t i = 0; batch->level == 1 && i < batch->count; i++) {
        const rw_surface *surface = &found->rays->surfaces.surfaces[RW_STEP_SURFACE(batch->steps[i])];
        found->count += fabs(surface->normal.x) > 0.999 && fabs(rw_surface_height_m(surface, found->place)) < 0.01;
    }
    return RW_OK;
}

/* How many views of the wall at x = 10 there are behind a folded wall at x = 5, whose strips share their ends. pinhole:
 * a gap of 15 mm, which shows a few pixels of that wall. */
static size_t views_behind(rw_context *context, int pinhole, uint32_t threshold)
{
    rw_scene *scene = make_scene(context);
    add_room(context, scene, 10, 4, 3, "itu_concrete");
    for (int i = 0; i < 60; i++) {
        double y0 = 4.0 * i / 60, y1 = i == 59 ? 4 : 4.0 * (i + 1) / 60, x0 = 5 + 0.1 * sin(1.7 * i),
               x1 = 5 + 0.1 * sin(1.7 * (i + 1));
        int open = pinhole && i == 30;
        add_panel_of(context, scene, x0, y0, x1, y1, 0, open ? 1.5 : 3, "itu_brick");
        if (open)
            add_panel_of(context, scene, x0, y0, x1, y1, 1.515, 3, "itu_brick");
    }
    assert_ok(context, rw_scene_commit(scene));
    rw_vec3 source = in_frame(scene, 2.03, 1.97, 1.51);
    rw_ray_scene rays = rays_of(context, scene, 2.4e9, "isotropic", 0, source);
    far_views behind = {.rays = &rays, .place = in_frame(scene, 10, 2, 1.5)};
    rw_view_tree_size size;
    rw_view_tree_options options = {.source = source, .pixels = 1024, .threshold = threshold, .depth = 1};
    assert_ok(context, rw_view_tree_walk(context, RW_BACKEND_CPU, &rays.surfaces.view, rays.slabs, &options,
                                         count_far_views, &behind, &size));
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    return behind.count;
}

/* Nothing is seen through seams; what is smaller than the threshold is not followed, as the paper filters seams. */
static void cracks_stay_below_the_threshold(void **state)
{
    (void)state;
    rw_context *context = make_context();
    assert_int_equal(views_behind(context, 0, 16), 0);
    assert_true(views_behind(context, 1, 1) > 0);
    assert_int_equal(views_behind(context, 1, 400), 0);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifted_viewpoints_are_aligned),
        cmocka_unit_test(paths_through_a_slab_obey_snell),
        cmocka_unit_test(cracks_stay_below_the_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
