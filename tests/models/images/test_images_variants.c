/* The paper's variants of images and sbr, each against what it must equal, or how far it strays: the recursion with one
 * frame buffer, views that are not shifted, rays straight through walls, receivers that the depth buffer alone decides
 * about, coplanar parts as one surface, and rays normalised by their density. */
#include "models/sbr/sbr.h"
#include "rooms.h"

#define RECEIVERS 40

/* Two rooms with receivers all over them. */
typedef struct rooms {
    rw_context *context;
    rw_scene *scene;
    rw_ray_scene rays;
    rw_points points;
} rooms;

static rooms open_scene(rw_context *context, rw_scene *scene, rw_ray_scene_request request)
{
    rooms made = {.context = context, .scene = scene};
    rw_vec3 places[RECEIVERS];
    for (int i = 0; i < RECEIVERS; i++)
        places[i] = in_frame(scene, 0.63 + 1.23 * (i % 8), 0.41 + 0.77 * (int)(i / 8), 1.13);
    request.freq_hz = 2.4e9;
    made.rays = rays_as(context, scene, request, "dipole", 45, in_frame(scene, 1.17, 2.71, 2.21));
    made.points = points_of(context, places, RECEIVERS);
    return made;
}

static rooms open_rooms(rw_ray_scene_request request)
{
    rw_context *context = make_context();
    return open_scene(context, two_rooms(context), request);
}

static void close_rooms(rooms *at)
{
    rw_points_destroy(&at->points);
    rw_ray_scene_destroy(&at->rays);
    rw_scene_destroy(at->scene);
    rw_context_destroy(at->context);
}

static void solve(rooms *at, rw_images_options options, rw_ray_sums *sums, rw_view_tree_size *size)
{
    memset(sums, 0, RECEIVERS * sizeof *sums);
    options.depth = options.depth ? options.depth : 3;
    options.threshold = 1;
    options.anew = 1;
    assert_ok(at->context, rw_images_solve(&at->rays, &at->points, &options, sums, size));
}

/* Paths too few and too many against another search, and all that it has. */
typedef struct path_counts {
    int64_t lost, more, all;
} path_counts;

static path_counts count_paths(const rw_ray_sums *sums, const rw_ray_sums *expected)
{
    path_counts found = {0};
    for (int i = 0; i < RECEIVERS; i++) {
        int64_t by = sums[i].count - expected[i].count;
        found.lost += by < 0 ? -by : 0;
        found.more += by > 0 ? by : 0;
        found.all += expected[i].count;
    }
    return found;
}

static size_t drawn_from(const rw_view_tree_size *size)
{
    size_t candidates = 0;
    for (int i = 0; i <= RW_IMAGE_DEPTH_MAX; i++)
        candidates += size->candidates[i];
    return candidates;
}

/* Walls behind each other, each larger than the one before: what is seen through the first is filled by the second. */
static rw_scene *growing_walls(rw_context *context)
{
    rw_scene *scene = make_scene(context);
    add_slab_of(context, scene, "wall", "itu_brick", 0.12);
    for (int i = 0; i < 5; i++) {
        double x = 2.5 + i, wide = 0.4 + 2.2 * i * i;
        add_panel_of(context, scene, x, 2 - wide, x, 2 + wide, i ? 0 : 1, i ? 2 + 4 * i : 2, "wall");
    }
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* Occlusion culling leaves views, pixels and sums as they are, and views are drawn from fewer surfaces. */
static void culling_hides_nothing_that_is_seen(void **state)
{
    (void)state;
    for (int place = 0; place < 2; place++) {
        rw_context *context = make_context();
        rooms at = open_scene(context, place ? growing_walls(context) : two_rooms(context), (rw_ray_scene_request){0});
        rw_ray_sums all[RECEIVERS], culled[RECEIVERS];
        rw_view_tree_size size, other;
        for (int unchecked = 0; unchecked <= 1; unchecked++) {
            solve(&at, (rw_images_options){.pixels = 128, .unchecked = unchecked, .skips_culling = 1}, all, &size);
            solve(&at, (rw_images_options){.pixels = 128, .unchecked = unchecked}, culled, &other);
            assert_memory_equal(all, culled, sizeof all);
            assert_memory_equal(size.views, other.views, sizeof size.views);
            assert_memory_equal(size.pixels, other.pixels, sizeof size.pixels);
            printf("views are drawn from %zu surfaces, with occlusion culling from %zu\n", drawn_from(&size),
                   drawn_from(&other));
            assert_true(drawn_from(&other) <= drawn_from(&size));
            assert_true(!place || drawn_from(&other) < drawn_from(&size));
        }
        close_rooms(&at);
    }
}

/* The same views, the same sums to the bit, checked or not. */
static void recursion_equals_levels(void **state)
{
    (void)state;
    rooms at = open_rooms((rw_ray_scene_request){0});
    rw_ray_sums levels[RECEIVERS], recursion[RECEIVERS];
    rw_view_tree_size size, other;
    for (int unchecked = 0; unchecked <= 1; unchecked++) {
        solve(&at, (rw_images_options){.pixels = 96, .unchecked = unchecked}, levels, &size);
        solve(&at, (rw_images_options){.pixels = 96, .unchecked = unchecked, .recursion = 1}, recursion, &other);
        assert_memory_equal(levels, recursion, sizeof levels);
        assert_memory_equal(size.views, other.views, sizeof size.views);
        assert_memory_equal(size.pixels, other.pixels, sizeof size.pixels);
        assert_true(size.views[3] > 500);
    }
    close_rooms(&at);
}

/* Most memory that pictures of so many pixels take, in bytes. */
static double peak_bytes(rooms *at, uint32_t pixels, int depth, int recursion)
{
    rw_account *account, *before;
    rw_ray_sums sums[RECEIVERS];
    rw_view_tree_size size;
    assert_ok(at->context, rw_account_create(at->context, &account));
    before = rw_account_enter(account);
    solve(at, (rw_images_options){.pixels = pixels, .depth = depth, .recursion = recursion}, sums, &size);
    rw_account_enter(before);
    double peak = rw_account_use(account, RW_BACKEND_CPU).peak;
    rw_account_close(account);
    return peak;
}

/* The recursion holds one frame buffer and a stencil, 3 bytes a pixel, however deep the tree is. */
static void recursion_needs_one_frame_buffer(void **state)
{
    (void)state;
    rooms at = open_rooms((rw_ray_scene_request){0});
    const uint32_t pixels = 1024;
    const double frame = 3.0 * pixels * pixels, lists = 2e6;
    double least = peak_bytes(&at, 16, 1, 1);
    for (int depth = 1; depth <= 3; depth++)
        assert_true(peak_bytes(&at, pixels, depth, 1) - least < frame + lists);
    assert_true(peak_bytes(&at, pixels, 3, 0) - least > 3 * frame);
    close_rooms(&at);
}

/* Views with no shift find nearly the same sequences; what is found is the same to the bit. */
static void unshifted_views_lose_few_paths(void **state)
{
    (void)state;
    rooms at = open_rooms((rw_ray_scene_request){0});
    rw_ray_sums shifted[RECEIVERS], unshifted[RECEIVERS], expected[RECEIVERS] = {{0}};
    rw_view_tree_size size, other;
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    enumerate_paths(&at.rays, &at.points, 3, steps, 0, expected);
    solve(&at, (rw_images_options){.pixels = 512}, shifted, &size);
    solve(&at, (rw_images_options){.pixels = 512, .straight = 1}, unshifted, &other);
    path_counts with = count_paths(shifted, expected), without = count_paths(unshifted, expected);
    printf("of %lld paths %lld are lost with the shift, %lld without; %zu and %zu views\n", (long long)with.all,
           (long long)with.lost, (long long)without.lost, size.views[3], other.views[3]);
    assert_int_equal(with.more + without.more, 0);
    assert_true(without.lost > with.lost);
    assert_true(without.lost * 50 < without.all);
    for (int i = 0; i < RECEIVERS; i++)
        if (unshifted[i].count == expected[i].count)
            assert_int_equal(unshifted[i].re, shifted[i].re);
    close_rooms(&at);
}

/* Straight through walls: the path is the straight line, its wall is met at the line's angle, and delay has the slab's
 * index. */
static void straight_rays_are_lines(void **state)
{
    (void)state;
    rooms at = open_rooms((rw_ray_scene_request){.straight = 1});
    rw_ray_sums sums[RECEIVERS], expected[RECEIVERS] = {{0}};
    rw_view_tree_size size;
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    size_t lines = 0;
    rw_vec3 source = at.rays.host.source;
    for (uint32_t s = 0; s < at.rays.surfaces.view.surface_count; s++)
        for (size_t i = 0; i < at.points.view.count; i++) {
            rw_image_path path;
            const rw_refractor *slab = &at.rays.slabs[at.rays.surfaces.surfaces[s].kind];
            rw_vec3 to = at.points.positions[i], way = rw_vec3_sub(to, source);
            uint32_t step = RW_STEP(s, 1);
            if (!rw_image_path_solve(&at.rays.host.surfaces, at.rays.slabs, &step, 1, source, to, &path))
                continue;
            double length_m = rw_vec3_length(way),
                   share = rw_vec3_length(rw_vec3_sub(path.leaves[0], source)) / length_m;
            double cosine = fabs(rw_vec3_dot(way, at.rays.surfaces.surfaces[s].normal)) / length_m;
            double inside_m = slab->thickness_m / cosine;
            assert_near(path.spreading_m, length_m, 1e-12);
            assert_near(path.phase_m, length_m, 1e-12);
            assert_near(path.cosines[0], cosine, 1e-12);
            assert_near(path.delay_m, length_m + inside_m * (slab->index[0] - 1), 1e-9);
            assert_near(rw_vec3_length(rw_vec3_sub(path.leaves[0], rw_vec3_add(source, rw_vec3_scale(way, share)))), 0,
                        1e-12);
            lines++;
        }
    assert_true(lines > 15);
    enumerate_paths(&at.rays, &at.points, 3, steps, 0, expected);
    solve(&at, (rw_images_options){.pixels = 1024}, sums, &size);
    path_counts found = count_paths(sums, expected);
    printf("straight: of %lld paths %lld lost, %lld more\n", (long long)found.all, (long long)found.lost,
           (long long)found.more);
    assert_int_equal(found.more, 0);
    assert_true(found.lost * 500 < found.all);
    close_rooms(&at);
}

/* Without validation a share of the paths is wrong, which gets smaller with the pixels: "no further validation is
 * necessary" holds to a pixel. */
static void depth_buffer_alone_is_right_to_a_pixel(void **state)
{
    (void)state;
    rooms at = open_rooms((rw_ray_scene_request){0});
    rw_ray_sums sums[RECEIVERS], expected[RECEIVERS] = {{0}};
    rw_view_tree_size size;
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    double wrong[3];
    enumerate_paths(&at.rays, &at.points, 3, steps, 0, expected);
    for (int i = 0; i < 3; i++) {
        solve(&at, (rw_images_options){.pixels = 128u << 2 * i, .unchecked = 1}, sums, &size);
        path_counts found = count_paths(sums, expected);
        wrong[i] = (double)(found.lost + found.more) / (double)found.all;
        printf("%u pixels, depth buffer alone: of %lld paths %lld lost, %lld more\n", 128u << 2 * i,
               (long long)found.all, (long long)found.lost, (long long)found.more);
    }
    assert_true(wrong[0] > wrong[1] && wrong[1] > wrong[2]);
    assert_true(wrong[0] < 0.1 && wrong[2] < 0.01);
    close_rooms(&at);
}

/* Pillars in one plane, and two more behind: each plane is one surface, with the same paths. */
static rw_scene *make_pillars(rw_context *context)
{
    rw_scene *scene = make_scene(context);
    add_slab_of(context, scene, "wall", "itu_brick", 0.12);
    add_room(context, scene, 10, 4, 3, "itu_concrete");
    for (int i = 0; i < 6; i++)
        add_panel_of(context, scene, 4, 0.2 + 0.65 * i, 4, 0.5 + 0.65 * i, 0, 3, "wall");
    for (int i = 0; i < 4; i++)
        add_panel_of(context, scene, 7, 0.3 + i, 7, 0.8 + i, 0, 2, "wall");
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static void coplanar_parts_are_one_surface(void **state)
{
    (void)state;
    rw_ray_sums apart[RECEIVERS], together[RECEIVERS];
    rw_view_tree_size many, few;
    rw_context *context = make_context();
    rooms at = open_scene(context, make_pillars(context), (rw_ray_scene_request){0});
    assert_int_equal(at.rays.surfaces.view.surface_count, 6 + 10);
    solve(&at, (rw_images_options){.pixels = 512}, apart, &many);
    close_rooms(&at);
    context = make_context();
    at = open_scene(context, make_pillars(context), (rw_ray_scene_request){.form = {.coplanar = 1}});
    assert_int_equal(at.rays.surfaces.view.surface_count, 6 + 2);
    solve(&at, (rw_images_options){.pixels = 512}, together, &few);
    close_rooms(&at);
    path_counts found = count_paths(together, apart);
    printf("%zu views of separate parts, %zu of planes; of %lld paths %lld lost, %lld more\n", many.views[3],
           few.views[3], (long long)found.all, (long long)found.lost, (long long)found.more);
    assert_true(few.views[3] * 2 < many.views[3]);
    assert_int_equal(found.lost + found.more, 0);
    for (int i = 0; i < RECEIVERS; i++) {
        assert_int_equal(apart[i].re, together[i].re);
        assert_int_equal(apart[i].power, together[i].power);
    }
}

/* The direct rays in a sphere add up to the direct path, in field and in power: to the noise of how many of them are in
 * it, and to what a large sphere has beyond edges. */
static void density_adds_up_to_the_wavefront(void **state)
{
    (void)state;
    rooms at = open_rooms((rw_ray_scene_request){0});
    const double spheres_m[3] = {0.1, 0.2, 0.4};
    double error[3];
    for (int k = 0; k < 3; k++) {
        rw_ray_sums nearest[RECEIVERS] = {{0}}, normalised[RECEIVERS] = {{0}};
        assert_ok(at.context, rw_sbr_solve(&at.rays, &at.points, &(rw_sbr_settings){.divisions = 256}, nearest, NULL));
        assert_ok(at.context,
                  rw_sbr_solve(&at.rays, &at.points, &(rw_sbr_settings){.divisions = 256, .sphere_m = spheres_m[k]},
                               normalised, NULL));
        size_t compared = 0;
        error[k] = 0;
        for (int i = 0; i < RECEIVERS; i++) {
            if (nearest[i].count == 0)
                continue;
            double power = (double)normalised[i].power / (double)nearest[i].power;
            double field = hypot((double)normalised[i].re, (double)normalised[i].im) /
                           hypot((double)nearest[i].re, (double)nearest[i].im);
            error[k] += fabs(power - 1) + fabs(field - 1);
            compared++;
        }
        error[k] /= 2.0 * (double)compared;
        printf("spheres of %g m: %.2g from the wavefront\n", spheres_m[k], error[k]);
        assert_true(compared > 15);
    }
    assert_true(error[1] < 0.1);
    close_rooms(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recursion_equals_levels),          cmocka_unit_test(culling_hides_nothing_that_is_seen),
        cmocka_unit_test(recursion_needs_one_frame_buffer), cmocka_unit_test(unshifted_views_lose_few_paths),
        cmocka_unit_test(straight_rays_are_lines),          cmocka_unit_test(depth_buffer_alone_is_right_to_a_pixel),
        cmocka_unit_test(coplanar_parts_are_one_surface),   cmocka_unit_test(density_adds_up_to_the_wavefront),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
