/* labels: numbers */
/* The direct path through walls that meet at corners, and the faces that reflect: each wall is crossed once, a corner
 * counts as one wall, both directions have the same loss, and a panel reflects at its face. */
#include "prediction.h"
#include "rooms.h"

#include <complex.h>

#define FREQ_HZ 2.4e9
#define THICK_M 0.12
#define PATHS_MAX 256

/* A square room of panels from -size to size, with two walls that cross in its middle. */
static rw_scene *crossed_room(rw_context *context, double size)
{
    rw_scene *scene;
    rw_material material = {.size = sizeof material, .name = "board", .a = 2.7, .c = 0.12, .freq_max_hz = INFINITY};
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_add_material(scene, &material));
    add_slab_of(context, scene, "wall", "board", THICK_M);
    add_panel_of(context, scene, -size, -size, size, -size, 0, 30, "wall");
    add_panel_of(context, scene, size, -size, size, size, 0, 30, "wall");
    add_panel_of(context, scene, size, size, -size, size, 0, 30, "wall");
    add_panel_of(context, scene, -size, size, -size, -size, 0, 30, "wall");
    add_panel_of(context, scene, -size, 0, size, 0, 0, 30, "wall");
    add_panel_of(context, scene, 0, -size, 0, size, 0, 30, "wall");
    add_panel_of(context, scene, -2 * size, -2 * size, 1 - 2 * size, -2 * size, 0, 1, "wall"); /* the scene's extent */
    add_panel_of(context, scene, 2 * size - 1, 2 * size, 2 * size, 2 * size, 0, 1, "wall");
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static prediction begin_direct(rw_context *context, rw_scene *scene, double x, double y, double z)
{
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = x;
    now.tx[0].y_m = y;
    now.tx[0].height_m = z;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.freq_hz = FREQ_HZ;
    now.options.depth = 1;
    now.options.reflections = 0;
    now.options.pixels = 16; /* the direct path does not depend on pictures */
    return now;
}

/* The paths from the transmitter to a point, copied; vertices are those of the first. */
typedef struct traced {
    size_t count, vertex_count;
    double loss_db, length_m;
    rw_path_vertex vertices[PATHS_MAX];
} traced;

static traced trace_first(prediction *now, double x, double y, double z, rw_interaction with)
{
    rw_point point = {.size = sizeof point, .x_m = x, .y_m = y, .height_m = z};
    rw_paths *paths;
    traced found = {0};
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (with != RW_INTERACTION_END && (path.vertex_count != 3 || path.vertices[1].interaction != with))
            continue;
        if (found.count++ == 0) {
            found.loss_db = path.loss_db;
            found.length_m = path.delay_s * 299792458.0;
            found.vertex_count = path.vertex_count;
            assert_true(path.vertex_count <= PATHS_MAX);
            memcpy(found.vertices, path.vertices, path.vertex_count * sizeof *path.vertices);
        }
    }
    rw_paths_destroy(paths);
    return found;
}

/* |T| in dB of one slab for a field along the wall (TE), by the sum of all its inner reflections. */
static double slab_loss_db(double cosine)
{
    double complex permittivity = 2.7 - I * 0.12 / (2 * M_PI * FREQ_HZ * 8.8541878128e-12);
    double complex inside = csqrt(permittivity - (1 - cosine * cosine));
    double complex r = (cosine - inside) / (cosine + inside);
    double complex turn = cexp(-I * 2 * M_PI * THICK_M * FREQ_HZ / 299792458.0 * inside);
    return -20 * log10(cabs((1 - r * r) * turn / (1 - r * r * turn * turn)));
}

/* Lines at 45 degrees over the corner of a room and over the crossing of two walls, at many distances: two walls where
 * the line passes far from the joint, one through it, never more. */
static void a_corner_is_one_wall(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    prediction now = begin_direct(context, crossed_room(context, 6), 0, 0, 15);
    double free_db = 20 * log10(4 * M_PI * hypot(5, 5) * FREQ_HZ / 299792458.0);
    for (int joint = 0; joint < 2; joint++)
        for (int i = -40; i <= 40; i++) {
            double off = 0.011 * i + 0.0013, x = joint ? 6 : 0, y = joint ? 6 : 0; /* along x + y = const */
            double aside = 0.5 * off;
            now.tx[0].x_m = x - 2.5 + aside;
            now.tx[0].y_m = y + 2.5 + aside;
            traced found = trace_first(&now, x + 2.5 + aside, y - 2.5 + aside, 15, RW_INTERACTION_END);
            assert_int_equal(found.count, 1);
            size_t walls = found.vertex_count - 2;
            if (joint && off > 1e-3) /* outside the corner */
                assert_int_equal(walls, 0);
            else if (fabs(off) < 0.5 * THICK_M - 1e-3) /* in the block that both walls share */
                assert_int_equal(walls, 1);
            else if (fabs(off) > 0.5 * THICK_M + 1e-3)
                assert_int_equal(walls, 2);
            assert_near(found.loss_db, free_db + (double)walls * slab_loss_db(sqrt(0.5)), 0.3); /* spreading: 3 % */
        }
    end(&now);
}

/* Lines in all directions near the joint: no wall twice, and the loss is that of the same walls without refraction to
 * what refraction changes of their angles. */
static void no_wall_is_crossed_twice(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    prediction now = begin_direct(context, crossed_room(context, 6), 0, 0, 15);
    double worst_db = 0;
    for (int i = 0; i < 400; i++) {
        double turn = 0.0157 * i + 0.003, off = 0.3 * sin(12.9898 * i);
        double from[2] = {4 * cos(turn) - off * sin(turn), 4 * sin(turn) + off * cos(turn)};
        double to[2] = {-4 * cos(turn) - off * sin(turn), -4 * sin(turn) + off * cos(turn)};
        if (fmin(fmin(fabs(from[0]), fabs(from[1])), fmin(fabs(to[0]), fabs(to[1]))) < 0.4)
            continue; /* grazing a wall, or inside it */
        now.tx[0].x_m = from[0];
        now.tx[0].y_m = from[1];
        now.options.refraction = "full";
        traced bent = trace_first(&now, to[0], to[1], 14, RW_INTERACTION_END);
        now.options.refraction = "none";
        traced straight = trace_first(&now, to[0], to[1], 14, RW_INTERACTION_END);
        assert_int_equal(bent.count, 1);
        assert_true(bent.vertex_count >= 3 && bent.vertex_count <= 4);
        assert_int_equal(bent.vertex_count, straight.vertex_count);
        worst_db = worse_of(worst_db, fabs(bent.loss_db - straight.loss_db));
    }
    printf("refraction changes the direct path by up to %.2f dB\n", worst_db);
    assert_true(worst_db < 3);
    end(&now);
}

static double hash01(int index)
{
    double value = sin(78.233 * index + 1.7) * 43758.5453;
    return value - floor(value);
}

/* The direct path between random points of two rooms and of an office is the same in both directions. */
static void the_direct_path_is_reciprocal(void **state)
{
    (void)state;
    for (int place = 0; place < 2; place++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
        rw_office_options office;
        rw_office_options_init(&office);
        rw_scene *scene;
        if (place) {
            assert_ok(context, rw_generate_office(context, &office, &scene));
            assert_ok(context, rw_scene_commit(scene));
        } else
            scene = two_rooms(context);
        prediction now = begin_direct(context, scene, 0, 0, 1.5);
        double wide = place ? 30 : 10, deep = place ? 15 : 4, worst_db = 0;
        size_t compared = 0;
        for (int i = 0; i < 150; i++) {
            double ends[2][3];
            for (int e = 0; e < 2; e++) {
                ends[e][0] = 0.3 + (wide - 0.6) * hash01(6 * i + 3 * e);
                ends[e][1] = 0.3 + (deep - 0.6) * hash01(6 * i + 3 * e + 1);
                ends[e][2] = 1 + hash01(6 * i + 3 * e + 2);
            }
            traced both[2];
            int blocked = 0;
            for (int e = 0; e < 2 && !blocked; e++) {
                rw_point point = {
                    .size = sizeof point, .x_m = ends[!e][0], .y_m = ends[!e][1], .height_m = ends[!e][2]};
                rw_paths *paths;
                now.tx[0].x_m = ends[e][0];
                now.tx[0].y_m = ends[e][1];
                now.tx[0].height_m = ends[e][2];
                now.options.transmitters = now.tx;
                blocked = rw_trace(now.scene, &now.options, &point, 1, &paths) != RW_OK; /* inside a wall */
                if (!blocked)
                    rw_paths_destroy(paths);
                if (!blocked)
                    both[e] = trace_first(&now, point.x_m, point.y_m, point.height_m, RW_INTERACTION_END);
            }
            if (blocked)
                continue;
            assert_int_equal(both[0].count, both[1].count);
            assert_int_equal(both[0].vertex_count, both[1].vertex_count);
            worst_db = worse_of(worst_db, fabs(both[0].loss_db - both[1].loss_db));
            compared++;
        }
        printf("%zu pairs, largest difference %.2g dB\n", compared, worst_db);
        assert_true(compared > 100);
        assert_true(worst_db < 1e-6);
        end(&now);
    }
}

/* A panel reflects at its face, from both sides; the plane of a mesh is the face. */
static void faces_reflect(void **state)
{
    (void)state;
    for (int mesh = 0; mesh < 2; mesh++)
        for (int side = -1; side <= 1; side += 2) {
            rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
            rw_scene *scene;
            assert_ok(context, rw_scene_create(context, &scene));
            add_slab_of(context, scene, "wall", "itu_concrete", 0.2);
            if (mesh) {
                const double corners[] = {0, -20, 0, 0, 20, 0, 0, 20, 9, 0, -20, 9};
                const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
                rw_mesh sheet = {.size = sizeof sheet,
                                 .name = "sheet",
                                 .xyz = corners,
                                 .vertex_count = 4,
                                 .triangles = triangles,
                                 .triangle_count = 2,
                                 .surface = "wall"};
                assert_ok(context, rw_scene_add_mesh(scene, &sheet));
            } else
                add_panel_of(context, scene, 0, -20, 0, 20, 0, 9, "wall");
            assert_ok(context, rw_scene_commit(scene));
            prediction now = begin_direct(context, scene, 3 * side, -4, 2);
            now.options.reflections = 1;
            now.options.pixels = 256;
            traced found = trace_first(&now, 5 * side, 4, 2, RW_INTERACTION_REFLECTION);
            double face_m = mesh ? 0 : 0.1;
            assert_int_equal(found.count, 1);
            assert_near(found.length_m, hypot(8, 8 - 2 * face_m), 1e-9);
            assert_near(found.vertices[1].x_m, side * face_m, 1e-9);
            assert_near(found.vertices[1].y_m, -4 + 8 * (3 - face_m) / (8 - 2 * face_m), 1e-9);
            end(&now);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_is_one_wall), cmocka_unit_test(no_wall_is_crossed_twice),
        cmocka_unit_test(the_direct_path_is_reciprocal), cmocka_unit_test(faces_reflect)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
