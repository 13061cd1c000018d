/* labels: files */
/* PLY and OBJ meshes: every encoding, groups, bad input. */
#include "scene/readers/meshes/meshes.h"
#include "temporary.h"

#define HEADER(format)                                                                                                 \
    "ply\n"                                                                                                            \
    "format " format " 1.0\n"                                                                                          \
    "comment made by hand\n"                                                                                           \
    "element camera 1\n"                                                                                               \
    "property list uchar short angles\n"                                                                               \
    "element vertex 4\n"                                                                                               \
    "property uchar red\n"                                                                                             \
    "property double z\n"                                                                                              \
    "property float x\n"                                                                                               \
    "property int16 y\n"                                                                                               \
    "element face 1\n"                                                                                                 \
    "property float quality\n"                                                                                         \
    "property list uint8 uint vertex_index\n"                                                                          \
    "end_header\n"

/* Bytes of a body in either order. */
typedef struct body {
    unsigned char bytes[512];
    size_t size;
    int big_endian;
} body;

static void put(body *out, const void *value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out->bytes[out->size + i] = ((const unsigned char *)value)[out->big_endian ? size - 1 - i : i];
    out->size += size;
}

static void put_square(body *out)
{
    uint8_t two = 2, red = 255, four = 4;
    int16_t angle = -3;
    put(out, &two, 1);
    put(out, &angle, 2);
    put(out, &angle, 2);
    for (int i = 0; i < 4; i++) {
        double z = 2.5;
        float x = i == 1 || i == 2 ? 1.5f : 0;
        int16_t y = i >= 2 ? -300 : 0;
        put(out, &red, 1);
        put(out, &z, 8);
        put(out, &x, 4);
        put(out, &y, 2);
    }
    float quality = 1;
    put(out, &quality, 4);
    put(out, &four, 1);
    for (uint32_t i = 0; i < 4; i++)
        put(out, &i, 4);
}

static void check_square(rw_context *context, const char *path)
{
    rw_triangle_list list;
    assert_ok(context, rw_ply_read(context, path, &list));
    assert_int_equal(list.vertices.count, 4);
    assert_int_equal(list.corners.count, 6);
    static const uint32_t expected[6] = {0, 1, 2, 0, 2, 3};
    assert_memory_equal(list.corners.items, expected, sizeof expected);
    assert_near(list.vertices.items[2].x, 1.5, 0);
    assert_near(list.vertices.items[2].y, -300, 0);
    assert_near(list.vertices.items[2].z, 2.5, 0);
    rw_triangle_list_free(&list);
}

static void reads_every_encoding_of_ply(void **state)
{
    (void)state;
    rw_context *context = make_context();
    for (int big_endian = 0; big_endian < 2; big_endian++) {
        const char *header = big_endian ? HEADER("binary_big_endian") : HEADER("binary_little_endian");
        body out = {.big_endian = 0};
        memcpy(out.bytes, header, strlen(header));
        out.size = strlen(header);
        out.big_endian = big_endian;
        put_square(&out);
        check_square(context, write_bytes("square.ply", out.bytes, out.size));
        for (size_t cut = 0; cut < out.size; cut++) {
            rw_triangle_list list;
            rw_status status = rw_ply_read(context, write_bytes("cut.ply", out.bytes, cut), &list);
            assert_int_equal(status, RW_BAD_INPUT);
            assert_non_null(strstr(rw_last_error(context), "cut.ply"));
        }
    }
    check_square(context,
                 write_text("ascii.ply", HEADER("ascii") "2 -3 -3\n255 2.5 0 0\n255 2.5 1.5 0\n255 2.5 1.5 -300\n"
                                                         "255 2.5 0 -300\n1 4 0 1 2 3"));
    rw_context_destroy(context);
}

#define SMALL(vertices, faces)                                                                                         \
    "ply\nformat ascii 1.0\nelement vertex " vertices "\nproperty float x\nproperty float y\nproperty float z\n"       \
    "element face " faces "\nproperty list uchar int vertex_indices\nend_header\n"

static void refuses_bad_ply(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "empty"},
        {"plyx\n", "first line"},
        {"ply\nformat ascii 1.0\n", "end_header"},
        {"ply\nformat utf8 1.0\nend_header\n", "line 2"},
        {"ply\nelement vertex 3\nend_header\n", "format line"},
        {"ply\nformat ascii 1.0\nproperty float x\nend_header\n", "line 3"},
        {"ply\nformat ascii 1.0\nelement vertex -3\nend_header\n", "whole number"},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty complex x\nend_header\n", "type"},
        {SMALL("99999999999999", "1") "0 0 0\n", "cut off"},
        {SMALL("18446744073709551615", "18446744073709551615") "0 0 0\n", "cut off"},
        {SMALL("3", "1") "0 0 0\n1 0 0\n0 1 nan\n3 0 1 2\n", "line 12 (vertex 2)"},
        {SMALL("3", "1") "0 0 0\n1 0 0\n0 1 inf\n3 0 1 2\n", "not a finite"},
        {SMALL("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "names vertex 3"},
        {SMALL("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "names vertex -1"},
        {SMALL("3", "1") "0 0 0\n1 0 0\n0 1 0\n999999999 0 1 2\n", "length of a list"},
        {SMALL("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 x\n", "expected a number"},
        {SMALL("3", "0") "0 0 0\n1 0 0\n0 1 0\n", NULL},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n", "x, y and z"},
        {"ply\nformat ascii 1.0\nelement none 5\nend_header\n1\n", "no properties"},
    };
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *path = write_text("bad.ply", bad[i].text);
        if (bad[i].words)
            refuses(context, path, RW_BAD_INPUT, bad[i].words);
    }
    refuses(context, temporary_path("none.ply"), RW_NOT_FOUND, "none.ply");
    rw_context_destroy(context);
}

static void reads_groups_of_obj(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path =
        write_text("a.obj", "# by hand\nmtllib a.mtl\nv 0 0 0\nv 10 0 0\r\nv 10 10 0 1.0\nv 0 10 0\nvt 0 0\n"
                            "usemtl mat-itu_brick\no ground\nf 1/1 2/1 3/1 4/1\n"
                            "g roof\nusemtl itu-metal\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf -3//1 -2//1 -1//1\nf 1 2\n");
    rw_scene *scene = read_uncommitted(context, path);
    assert_int_equal(scene->meshes.count, 2);
    assert_int_equal(scene->triangles.count, 9);
    assert_string_equal(scene->meshes.items[0].name, "ground");
    assert_string_equal(scene->meshes.items[1].name, "roof");
    assert_int_equal(scene->meshes.items[1].vertex_count, 3);
    assert_string_equal(scene->surfaces.items[scene->meshes.items[0].surface], "itu_brick");
    assert_string_equal(scene->surfaces.items[scene->meshes.items[1].surface], "itu_metal");
    assert_near(scene->vertices.items[4].z, 5, 0);
    assert_int_equal(count_note(scene, "faces with fewer than three corners left out"), 1);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void refuses_bad_obj(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "empty"},
        {"v 0 0\n", "line 1: expected v"},
        {"v 0 0 nan\n", "line 1: expected v"},
        {"v 0 0 1e999\n", "line 1: expected v"},
        {"v 0 0 0\nf 1 1 2\n", "line 2: vertex 2"},
        {"v 0 0 0\nf 1 1 0\n", "line 2: vertex 0"},
        {"v 0 0 0\nf 1 1 -2\n", "line 2: vertex -2"},
        {"v 0 0 0\nf 1 1 99999999999999999999999\n", "line 2: vertex"},
        {"v 0 0 0\nf a b c\n", "line 2: expected f"},
        {"v 0 0 0\n", "no faces"},
    };
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(context, write_text("bad.obj", bad[i].text), RW_BAD_INPUT, bad[i].words);
    refuses(context, write_bytes("zero.obj", "v 0 0 0\nf 1\0 1 1\n", 17), RW_BAD_INPUT, "zero byte");
    refuses(context, temporary_path("none.obj"), RW_NOT_FOUND, "none.obj");
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_every_encoding_of_ply), cmocka_unit_test(refuses_bad_ply),
                                       cmocka_unit_test(reads_groups_of_obj), cmocka_unit_test(refuses_bad_obj)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
