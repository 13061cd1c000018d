/* Meshes in the models: buildings that are made of them, and what each model takes of them. */
#include "prediction.h"

/* A mesh of walls over a ring and, where asked for, a fan of triangles at a height over its first corner. */
typedef struct mesh_maker {
    double xyz[300];
    uint32_t triangles[300];
    size_t vertices, corners;
} mesh_maker;

static uint32_t add_vertex(mesh_maker *make, double x, double y, double z)
{
    const double at[] = {x, y, z};
    memcpy(make->xyz + 3 * make->vertices, at, sizeof at);
    return (uint32_t)make->vertices++;
}

static void add_triangle(mesh_maker *make, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t three[] = {a, b, c};
    memcpy(make->triangles + make->corners, three, sizeof three);
    make->corners += 3;
}

static void add_walls(mesh_maker *make, const double *xy, size_t count, double low, double high)
{
    for (size_t i = 0; i < count; i++) {
        const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % count);
        uint32_t p = add_vertex(make, a[0], a[1], low), q = add_vertex(make, b[0], b[1], low);
        uint32_t r = add_vertex(make, b[0], b[1], high), s = add_vertex(make, a[0], a[1], high);
        add_triangle(make, p, q, r);
        add_triangle(make, p, r, s);
    }
}

static void add_fan(mesh_maker *make, const double *xy, size_t count, double z)
{
    uint32_t first = (uint32_t)make->vertices;
    for (size_t i = 0; i < count; i++)
        add_vertex(make, xy[2 * i], xy[2 * i + 1], z);
    for (uint32_t i = 1; i + 1 < count; i++)
        add_triangle(make, first, first + i, first + i + 1);
}

static void finish_mesh(rw_context *context, rw_scene *scene, mesh_maker *make, const char *name, const char *surface)
{
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = name,
                    .xyz = make->xyz,
                    .vertex_count = make->vertices,
                    .triangles = make->triangles,
                    .triangle_count = make->corners / 3,
                    .surface = surface};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    *make = (mesh_maker){0};
}

static void check_buildings(rw_context *context, rw_scene *scene, size_t buildings, size_t meshes, size_t triangles)
{
    rw_scene_info info = {.size = sizeof info};
    assert_ok(context, rw_scene_meshes_to_buildings(scene));
    assert_ok(context, rw_scene_commit(scene));
    rw_scene_get_info(scene, &info);
    assert_int_equal(info.parts, buildings);
    assert_int_equal(info.meshes, meshes);
    assert_int_equal(info.triangles, triangles);
}

/* Closed boxes, one of them turned, on a floor: buildings with the floor's ground, and nothing is left. */
static void closed_prisms_become_buildings(void **state)
{
    (void)state;
    static const double floor_xy[] = {-60, -60, 60, -60, 60, 60, -60, 60}, turned[] = {20, 0, 40, 10, 30, 30, 10, 20};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    mesh_maker make = {0};
    const double low[] = {-40, -40, 300}, high[] = {-20, -10, 315};
    add_box_mesh(context, scene, low, high);
    add_walls(&make, turned, 4, 300, 308);
    add_fan(&make, turned, 4, 308);
    add_fan(&make, turned, 4, 300);
    finish_mesh(context, scene, &make, "turned", "itu_brick");
    add_fan(&make, floor_xy, 4, 300);
    finish_mesh(context, scene, &make, "floor", NULL);
    check_buildings(context, scene, 2, 0, 0);
    rw_map_info area;
    rw_predict_options options;
    rw_predict_options_init(&options);
    rw_transmitter tx;
    rw_transmitter_init(&tx);
    tx.height_m = 10; /* above the floor at 300 m, which is the ground now */
    options.transmitters = &tx;
    options.transmitter_count = 1;
    options.freq_hz = 1e9;
    options.res_m = 10;
    rw_map *map;
    assert_ok(context, rw_predict(scene, &options, &map));
    area.size = sizeof area;
    rw_map_get_info(map, &area);
    assert_int_equal(area.columns, 12); /* the floor's extent */
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Walls in one mesh, roofs in another, of houses that touch and differ in height; and a courtyard. */
static void walls_and_roofs_are_joined(void **state)
{
    (void)state;
    static const double west[] = {0, 0, 10, 0, 10, 10, 0, 10}, east[] = {10, 0, 20, 0, 20, 10, 10, 10};
    static const double outer[] = {40, 0, 60, 0, 60, 20, 40, 20}, inner[] = {45, 15, 55, 15, 55, 5, 45, 5};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    mesh_maker make = {0};
    for (int i = 0; i < 2; i++) {
        add_walls(&make, i ? east : west, 4, 0, i ? 14 : 9);
        finish_mesh(context, scene, &make, "walls", "itu_brick");
        add_fan(&make, i ? east : west, 4, i ? 14 : 9);
        finish_mesh(context, scene, &make, "roof", "itu_metal");
    }
    add_walls(&make, outer, 4, 0, 12);
    add_walls(&make, inner, 4, 0, 12);
    for (uint32_t i = 0; i < 4; i++) { /* the roof between the rings: corners of both in one order */
        static const double rings[][2] = {{40, 0}, {60, 0}, {60, 20}, {40, 20}, {45, 5}, {55, 5}, {55, 15}, {45, 15}};
        const double *a = rings[i], *b = rings[(i + 1) % 4], *c = rings[4 + (i + 1) % 4], *d = rings[4 + i];
        uint32_t p = add_vertex(&make, a[0], a[1], 12), q = add_vertex(&make, b[0], b[1], 12);
        uint32_t r = add_vertex(&make, c[0], c[1], 12), s = add_vertex(&make, d[0], d[1], 12);
        add_triangle(&make, p, q, r);
        add_triangle(&make, p, r, s);
    }
    finish_mesh(context, scene, &make, "court", NULL);
    check_buildings(context, scene, 3, 0, 0);
    rw_scene_info info = {.size = sizeof info};
    rw_scene_get_info(scene, &info);
    assert_int_equal(info.walls, 4 + 4 + 8);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A gabled house is a prism up to its ridge, with a note; a free-standing sheet is a wall, a level one stays a mesh. */
static void other_bodies_are_told(void **state)
{
    (void)state;
    static const double sheet[] = {30, 0, 30, 10};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    mesh_maker make = {0};
    static const double plan[] = {0, 0, 10, 0, 10, 8, 0, 8};
    add_walls(&make, plan, 4, 0, 6);
    uint32_t a = add_vertex(&make, 0, 0, 6), b = add_vertex(&make, 10, 0, 6), c = add_vertex(&make, 10, 8, 6);
    uint32_t d = add_vertex(&make, 0, 8, 6), e = add_vertex(&make, 0, 4, 9), f = add_vertex(&make, 10, 4, 9);
    add_triangle(&make, a, b, f);
    add_triangle(&make, a, f, e);
    add_triangle(&make, c, d, e);
    add_triangle(&make, c, e, f);
    add_triangle(&make, d, a, e);
    add_triangle(&make, b, c, f);
    finish_mesh(context, scene, &make, "gable", NULL);
    add_walls(&make, sheet, 2, 0, 5);
    finish_mesh(context, scene, &make, "sheet", NULL);
    static const double canopy[] = {40, 0, 50, 0, 50, 10, 40, 10};
    add_fan(&make, canopy, 4, 5);
    finish_mesh(context, scene, &make, "canopy", NULL);
    check_buildings(context, scene, 1, 1, 2);
    rw_scene_info info = {.size = sizeof info};
    rw_scene_get_info(scene, &info);
    assert_int_equal(info.panels, 1);
    assert_int_equal(note_count(scene, "steep planes of meshes that are no prisms taken as free-standing walls", NULL),
                     1);
    assert_int_equal(note_count(scene, "meshes with sloped roofs taken as prisms up to their highest point", NULL), 1);
    check_sentence(context, rw_scene_meshes_to_buildings(scene), RW_BAD_CALL, "committed");
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A square block that a diagonal party wall cuts into two houses: at two of its corners both houses meet. */
static void shared_corners_diffract(void **state)
{
    (void)state;
    static const double south[] = {0, 0, 20, 0, 20, 20}, north[] = {0, 0, 20, 20, 0, 20};
    static const char *const models[] = {"shadow", "beams", "tiles", "rt", "images"};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_outline(context, scene, south, 3, 25, "south");
    add_outline(context, scene, north, 3, 25, "north");
    assert_ok(context, rw_scene_commit(scene));
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        prediction now = begin_with(context, scene);
        rw_predict_options_init_for(&now.options, models[m]);
        now.tx[0].x_m = 9;
        now.tx[0].y_m = -12;
        now.tx[0].height_m = 2;
        now.options.freq_hz = 1e9;
        now.options.transmitters = now.tx;
        now.options.transmitter_count = 1;
        if (strcmp(models[m], "shadow") == 0)
            now.options.effects = "streets";
        if (strcmp(models[m], "images") == 0)
            now.options.diffractions = 1;
        rw_point points[2] = {{.size = sizeof(rw_point), .x_m = -8, .y_m = 14, .height_m = 2},
                              {.size = sizeof(rw_point), .x_m = 30, .y_m = -30, .height_m = 2}};
        rw_paths *paths;
        int found = 0;
        assert_ok(context, rw_trace(scene, &now.options, points, 2, &paths));
        for (size_t i = 0; i < rw_paths_count(paths); i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            for (size_t v = 0; v < path.vertex_count; v++)
                found |= path.point == 0 && path.vertex_count == 3 &&
                         path.vertices[v].interaction == RW_INTERACTION_STREET &&
                         hypot(path.vertices[v].x_m, path.vertices[v].y_m) < 0.5;
        }
        rw_paths_destroy(paths);
        if (!found)
            fail_msg("model %s has no path round the corner of both houses\n", models[m]);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void add_sheet(rw_context *context, rw_scene *scene, double x0, double y0, double x1, double y1, double top)
{
    mesh_maker make = {0};
    uint32_t p = add_vertex(&make, x0, y0, 0), q = add_vertex(&make, x1, y1, 0);
    uint32_t r = add_vertex(&make, x1, y1, top), t = add_vertex(&make, x0, y0, top);
    add_triangle(&make, p, q, r);
    add_triangle(&make, p, r, t);
    finish_mesh(context, scene, &make, "sheet", "itu_metal");
}

static rw_paths *trace_with(rw_context *context, rw_scene *scene, const char *model, const rw_point *points,
                            size_t count)
{
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, model);
    now.tx[0].x_m = -22;
    now.tx[0].y_m = 9;
    now.tx[0].height_m = 6;
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2e9;
    now.options.depth = 2;
    now.options.diffractions = 1;
    now.options.loss_max_db = 200;
    if (strcmp(model, "tiles") == 0)
        now.options.tile_area_m2 = 25;
    rw_paths *paths;
    assert_ok(context, rw_trace(scene, &now.options, points, count, &paths));
    return paths;
}

static int has_path(const rw_paths *paths, const rw_path *wanted)
{
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        int same = path.point == wanted->point && path.vertex_count == wanted->vertex_count &&
                   fabs(path.length_m - wanted->length_m) < 1e-3 && fabs(path.loss_db - wanted->loss_db) < 0.05;
        for (size_t v = 0; same && v < path.vertex_count; v++)
            same = path.vertices[v].interaction == wanted->vertices[v].interaction &&
                   fabs(path.vertices[v].x_m - wanted->vertices[v].x_m) < 0.01 &&
                   fabs(path.vertices[v].z_m - wanted->vertices[v].z_m) < 0.01;
        if (same)
            return 1;
    }
    return 0;
}

/* Two sheets that meet in a wedge, a third of another material, and a house with a gable: paths that one model has and
 * the other has not. */
static void add_bodies(rw_context *context, rw_scene *scene)
{
    static const double house[] = {10, 20, 26, 20, 26, 30, 10, 30};
    mesh_maker make = {0};
    add_sheet(context, scene, 0, 0, 30, 0, 15);
    add_sheet(context, scene, 0, 0, 0, -30, 15);
    uint32_t p = add_vertex(&make, -40, -25, 0), q = add_vertex(&make, -20, -40, 0);
    uint32_t r = add_vertex(&make, -24, -46, 18), t = add_vertex(&make, -44, -31, 18);
    add_triangle(&make, p, q, r);
    add_triangle(&make, p, r, t);
    finish_mesh(context, scene, &make, "leaning", "itu_brick");
    add_walls(&make, house, 4, 0, 6);
    uint32_t a = add_vertex(&make, 10, 20, 6), b = add_vertex(&make, 26, 20, 6), c = add_vertex(&make, 26, 30, 6);
    uint32_t d = add_vertex(&make, 10, 30, 6), e = add_vertex(&make, 10, 25, 10), f = add_vertex(&make, 26, 25, 10);
    add_triangle(&make, a, b, f);
    add_triangle(&make, a, f, e);
    add_triangle(&make, c, d, e);
    add_triangle(&make, c, e, f);
    add_triangle(&make, d, a, e);
    add_triangle(&make, b, c, f);
    finish_mesh(context, scene, &make, "gable", "itu_concrete");
}

static void tiles_has_the_paths_of_rt_at_meshes(void **state)
{
    (void)state;
    enum { count = 24 };
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_bodies(context, scene);
    assert_ok(context, rw_scene_commit(scene));
    rw_point points[count];
    for (int i = 0; i < count; i++)
        points[i] = (rw_point){
            .size = sizeof(rw_point), .x_m = -45 + 13.7 * (i % 6), .y_m = -41 + 19.3 * (i / 6), .height_m = 1.5};
    rw_paths *exact = trace_with(context, scene, "rt", points, count);
    rw_paths *found = trace_with(context, scene, "tiles", points, count);
    size_t missing = 0, extra = 0, bent = 0;
    rw_path path = {.size = sizeof path};
    for (size_t i = 0; i < rw_paths_count(exact); i++) {
        rw_paths_get(exact, i, &path);
        missing += path.loss_db < 195 && !has_path(found, &path);
        for (size_t v = 0; v < path.vertex_count; v++)
            bent += path.vertices[v].interaction == RW_INTERACTION_STREET ||
                    path.vertices[v].interaction == RW_INTERACTION_ROOF;
    }
    for (size_t i = 0; i < rw_paths_count(found); i++) {
        rw_paths_get(found, i, &path);
        extra += path.loss_db < 195 && !has_path(exact, &path);
    }
    printf("rt %zu paths at meshes, %zu with an edge; tiles %zu, %zu missing, %zu extra\n", rw_paths_count(exact), bent,
           rw_paths_count(found), missing, extra);
    assert_true(rw_paths_count(exact) > 200 && bent > 100);
    assert_true(50 * missing <= rw_paths_count(exact)); /* partly shaded tiles */
    assert_int_equal(extra, 0);
    rw_paths_destroy(exact);
    rw_paths_destroy(found);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static double scattered_loss(const char *model, double roughness)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double far_box[] = {60, 60, 62, 62};
    add_box(context, scene, far_box, 2, "shed");
    add_sheet(context, scene, 0, 0, 40, 0, 20);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, model);
    now.tx[0].x_m = 10;
    now.tx[0].y_m = 20;
    now.tx[0].height_m = 8;
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2e9;
    now.options.res_m = 1;
    now.options.depth = 1;
    now.options.reflections = 0;
    now.options.diffractions = 0;
    now.options.scatterings = 1;
    now.options.roughness = roughness;
    now.options.tile_area_m2 = 4;
    now.options.roofs = strcmp(model, "tiles") == 0 ? "none" : now.options.roofs;
    now.options.layers = "path_loss";
    const double area_m[] = {29.5, 24.5, 30.5, 25.5};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    rw_map *map = predict(&now);
    const float *values = layer_of(map, "path_loss").values;
    assert_non_null(values);
    double loss_db = (double)values[0];
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    return loss_db;
}

static void tiles_scatters_at_meshes(void **state)
{
    (void)state;
    double smooth = scattered_loss("tiles", 1e-6), rough = scattered_loss("tiles", 0.9);
    assert_true(smooth - rough > 0.02);
    assert_near(rough, scattered_loss("rt", 0.9), 0.02);
}

/* A scene of more surfaces than a picture has numbers: each view has fewer. */
static void images_takes_many_surfaces(void **state)
{
    (void)state;
    enum { count = 66000 };
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    double *xyz = malloc(9 * count * sizeof *xyz);
    uint32_t *triangles = malloc(3 * count * sizeof *triangles);
    assert_true(xyz && triangles);
    for (uint32_t i = 0; i < count; i++) { /* on a sphere of 50 m, each in a plane of its own */
        double z = 1 - 2 * (i + 0.5) / count, turn = 2.399963 * i, flat = sqrt(1 - z * z);
        for (uint32_t j = 0; j < 3; j++) {
            double *at = xyz + 9 * (size_t)i + 3 * (size_t)j;
            at[0] = 50 * flat * cos(turn) + (j == 1 ? 0.1 : 0);
            at[1] = 50 * flat * sin(turn) + (j == 2 ? 0.1 : 0);
            at[2] = 60 + 50 * z + (j == 1 ? 0.1 * sin(i) : j == 2 ? 0.1 * cos(2.0 * i) : 0);
            triangles[3 * i + j] = 3 * i + j;
        }
    }
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "sphere",
                    .xyz = xyz,
                    .vertex_count = 3 * count,
                    .triangles = triangles,
                    .triangle_count = count};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    assert_ok(context, rw_scene_commit(scene));
    free(xyz);
    free(triangles);
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, "images");
    now.tx[0].height_m = 60;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 1e9;
    now.options.res_m = 1;
    now.options.rx_height_m = 58;
    now.options.depth = 1;
    now.options.pixels = 64;
    now.options.threshold = 60;
    const double area_m[] = {3, 3, 4, 4};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    rw_map *map = predict(&now);
    assert_true(value_at(map, "path_loss", 3.5, 3.5) < 60);
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* The table of docs/reference/features.md: what each model does with each thing of a scene and each option. */
#define MODELS 7

typedef struct warnings {
    int count;
} warnings;

static void count_warning(void *user, const char *message)
{
    warnings *told = user;
    told->count +=
        strstr(message, "meshes only block") || strstr(message, "do not count") || strstr(message, "over a flat earth");
}

/* A house in the way, and another whose wall reflects round it, of leaves of brick. */
static void add_slab_walls(rw_context *context, rw_scene *scene, double thickness_m)
{
    const rw_layer layer = {sizeof layer, "itu_brick", thickness_m};
    const rw_slab slab = {.size = sizeof slab, .name = "leaf", .layers = &layer, .layer_count = 1};
    const double xy[2][8] = {{25, 12, 27, 12, 27, 28, 25, 28}, {5, 30, 45, 30, 45, 32, 5, 32}};
    const size_t four = 4;
    assert_ok(context, rw_scene_add_slab(scene, &slab));
    for (int i = 0; i < 2; i++) {
        rw_building building = {.size = sizeof building,
                                .xy = xy[i],
                                .ring_sizes = &four,
                                .ring_count = 1,
                                .ground_m = NAN,
                                .roof_height_m = 30,
                                .surface = "leaf",
                                .source = "leaf"};
        assert_ok(context, rw_scene_add_building(scene, &building));
    }
}

/* What a row of the table is about, in a scene with transmitter and receiver at y = 20, x = 10 and 40; without it, or
 * otherwise, where there is 0. */
static void add_feature(rw_context *context, rw_scene *scene, const char *feature, int there)
{
    const double low[] = {24, 12, 0}, high[] = {26, 28, 12}, box[] = {24, 12, 26, 28};
    rw_panel panel = {.size = sizeof panel, .x0_m = 25, .y0_m = 12, .x1_m = 25, .y1_m = 28, .top_m = 12};
    if (strcmp(feature, "buildings") == 0 && there)
        add_box(context, scene, box, 12, "house");
    if (strcmp(feature, "free-standing walls") == 0 && there)
        assert_ok(context, rw_scene_add_panel(scene, &panel));
    if (strcmp(feature, "closed meshes") == 0 && there)
        add_box_mesh(context, scene, low, high);
    if (strcmp(feature, "open meshes in the way") == 0 && there)
        add_sheet(context, scene, 25, 0, 25, 40, 60);
    if (strcmp(feature, "reflections at open meshes") == 0) { /* round a house, by a sheet beside it or farther off */
        add_box(context, scene, box, 12, "house");
        add_sheet(context, scene, 5, there ? 30 : 32, 45, there ? 30 : 32, 12);
    }
    if (strcmp(feature, "edges of open meshes") ==
        0) /* behind a sheet that ends nearer to the line or farther from it */
        add_sheet(context, scene, 25, there ? 18.5 : 16, 25, 60, 60);
    if (strcmp(feature, "thickness of walls") == 0)
        add_slab_walls(context, scene, there ? 0.35 : 0.1);
    if (strcmp(feature, "terrain") == 0) {
        float heights[25] = {0};
        heights[12] = there ? 40.0f : 0.0f;
        rw_raster hill = {.size = sizeof hill,
                          .columns = 5,
                          .rows = 5,
                          .x0_m = -15,
                          .y0_m = -20,
                          .dx_m = 20,
                          .dy_m = 20,
                          .values = heights};
        assert_ok(context, rw_scene_set_terrain(scene, &hill));
    }
    if (strcmp(feature, "foliage") == 0) {
        float heights[25] = {0};
        heights[12] = there ? 15.0f : 0.0f;
        rw_raster trees = {.size = sizeof trees,
                           .columns = 5,
                           .rows = 5,
                           .x0_m = 15,
                           .y0_m = 10,
                           .dx_m = 5,
                           .dy_m = 5,
                           .values = heights};
        assert_ok(context, rw_scene_set_foliage(scene, &trees));
    }
}

/* Path loss at the receiver, NaN where the model refuses the scene. */
static double loss_with(const char *model, const char *feature, int there, int *warned)
{
    warnings told = {0};
    rw_context_options context_options;
    rw_context_options_init(&context_options);
    context_options.backend = RW_BACKEND_CPU;
    context_options.threads = 1;
    context_options.on_warning = count_warning;
    context_options.user = &told;
    rw_context *context;
    assert_int_equal(rw_context_create(&context_options, &context), RW_OK);
    rw_scene *scene = make_scene(context);
    const double far_box[] = {2, 44, 4, 46}, far_other[] = {46, 2, 48, 4};
    add_box(context, scene, far_box, 2, "shed");
    add_box(context, scene, far_other, 2, "shed");
    add_feature(context, scene, feature, there);
    int bodies = strcmp(model, "shadow") == 0 || strcmp(model, "beams") == 0;
    if (bodies)
        assert_ok(context, rw_scene_meshes_to_buildings(scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, model);
    now.tx[0].x_m = 10;
    now.tx[0].y_m = 20;
    now.tx[0].height_m = 3;
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2e9;
    now.options.res_m = 1;
    now.options.layers = "path_loss";
    const double area_m[] = {39.5, 19.5, 40.5, 20.5};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    int rooms = strcmp(model, "images") == 0 || strcmp(model, "sbr") == 0;
    if (rooms)
        now.options.depth = 2;
    if (rooms || strcmp(model, "rt") == 0)
        now.options.diffractions = strcmp(feature, "edges of open meshes") == 0;
    if (strcmp(model, "images") == 0)
        now.options.pixels = 128;
    if (strcmp(model, "sbr") == 0)
        now.options.rays = 64;
    rw_map *map = NULL;
    rw_status status = rw_predict(scene, &now.options, &map);
    const float *values = status == RW_OK ? layer_of(map, "path_loss").values : NULL;
    double loss_db = values ? (double)values[0] : NAN;
    if (status == RW_OK && isnan(loss_db))
        loss_db = INFINITY;
    *warned = told.count > 0;
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    return loss_db;
}

static int has_option(const char *model, const char *name)
{
    rw_model_option_info info = {.size = sizeof info};
    for (size_t i = 0; rw_model_option_get(model, i, &info) == RW_OK; i++)
        if (strcmp(info.name, name) == 0)
            return 1;
    return 0;
}

/* A plain of 60 km: models without a curved earth say so before they begin, the others have its k factor. */
static const char *find_curvature(const char *model)
{
    warnings told = {0};
    rw_context_options context_options;
    rw_context_options_init(&context_options);
    context_options.backend = RW_BACKEND_CPU;
    context_options.on_warning = count_warning;
    context_options.user = &told;
    rw_context *context;
    assert_int_equal(rw_context_create(&context_options, &context), RW_OK);
    rw_scene *scene = make_scene(context);
    float heights[9] = {0};
    const rw_raster plain = {
        .size = sizeof plain, .columns = 3, .rows = 3, .dx_m = 30e3, .dy_m = 30e3, .values = heights};
    assert_ok(context, rw_scene_set_terrain(scene, &plain));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, model);
    now.tx[0].x_m = now.tx[0].y_m = 1000;
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.res_m = 1000;
    int rooms = strcmp(model, "images") == 0 || strcmp(model, "sbr") == 0;
    rw_map *map = NULL;
    rw_status status = rooms ? rw_predict(scene, &now.options, &map) : rw_check_transmitter(scene, &now.options, 0);
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    if (status != RW_OK)
        return "refused";
    return told.count ? "warned" : has_option(model, "k-factor") ? "used" : "ignored";
}

static const char *find_cell(const char *model, const char *feature)
{
    int warned, before;
    if (strcmp(feature, "curvature of the earth") == 0)
        return find_curvature(model);
    if (feature[0] == '`') { /* an option */
        char name[128];
        snprintf(name, sizeof name, "%s", feature + 3);
        name[strcspn(name, "`")] = 0;
        return has_option(model, name) ? "used" : "refused";
    }
    if (strncmp(feature, "reflections", 11) == 0 && !has_option(model, "reflections"))
        return "refused";
    double with_db = loss_with(model, feature, 1, &warned), without_db = loss_with(model, feature, 0, &before);
    if (isnan(with_db))
        return "refused";
    int same = with_db == without_db || fabs(with_db - without_db) < 0.01;
    return !same ? "used" : warned ? "warned" : "ignored";
}

/* Each cell of the table is what the model does. */
static void the_table_of_features_holds(void **state)
{
    (void)state;
    static const char *const models[MODELS] = {"shadow", "beams", "cubes", "tiles", "images", "sbr", "rt"};
    FILE *file = fopen(RW_SOURCE_DIR "/docs/reference/features.md", "r");
    char line[2048];
    int rows = 0, wrong = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char feature[128], cells[MODELS][32];
        if (sscanf(line, "| %127[^|]| %31[a-z] | %31[a-z] | %31[a-z] | %31[a-z] | %31[a-z] | %31[a-z] | %31[a-z] |",
                   feature, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6]) != 1 + MODELS ||
            strcmp(cells[0], "shadow") == 0)
            continue;
        rows++;
        for (size_t end = strlen(feature); end > 0 && feature[end - 1] == ' '; end--)
            feature[end - 1] = 0;
        for (int m = 0; m < MODELS; m++) {
            const char *found = find_cell(models[m], feature);
            if (strcmp(found, cells[m]) != 0) {
                printf("%s in %s: %s, and the table says %s\n", feature, models[m], found, cells[m]);
                wrong++;
            }
        }
    }
    fclose(file);
    assert_true(rows >= 16);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_prisms_become_buildings), cmocka_unit_test(walls_and_roofs_are_joined),
        cmocka_unit_test(other_bodies_are_told),          cmocka_unit_test(shared_corners_diffract),
        cmocka_unit_test(images_takes_many_surfaces),     cmocka_unit_test(tiles_has_the_paths_of_rt_at_meshes),
        cmocka_unit_test(tiles_scatters_at_meshes),       cmocka_unit_test(the_table_of_features_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
