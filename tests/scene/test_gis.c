/* labels: files */
/* Buildings from GIS files: heights, coordinate systems, what is left out and told, and what is refused. */
#include "temporary.h"

#include "ext/gdal.h"
#include "scene/readers/gis/gis.h"
#include "scene/scene.h"

static rw_context *context;

/* A feature with a square of 30 m near 11.5 degrees east, 48.1 north. */
#define FEATURE(properties, coordinates)                                                                               \
    "{\"type\":\"Feature\",\"properties\":{" properties                                                                \
    "},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":" coordinates "}}"
#define PLAIN "[[[11.5,48.1],[11.5004,48.1],[11.5004,48.1003],[11.5,48.1003],[11.5,48.1]]]"
#define HOLED                                                                                                          \
    "[[[11.51,48.1],[11.5104,48.1],[11.5104,48.1003],[11.51,48.1003],[11.51,48.1]],"                                   \
    "[[11.5101,48.1001],[11.5103,48.1001],[11.5103,48.1002],[11.5101,48.1002],[11.5101,48.1001]]]"
#define COLLECTION(features) "{\"type\":\"FeatureCollection\",\"features\":[" features "]}"

#define need_gdal()                                                                                                    \
    if (!rw_gdal_is_in())                                                                                              \
    skip_test("this build has no GDAL")

static rw_status load(const char *path, const char *height_field, const char *crs, rw_scene **scene)
{
    rw_load_options options;
    rw_load_options_init(&options);
    options.height_field = height_field;
    options.crs = crs;
    options.commit = 0;
    return rw_scene_load(context, path, &options, scene);
}

static size_t notes_like(const rw_scene *scene, const char *words)
{
    for (size_t i = 0; i < scene->notes.count; i++)
        if (strstr(scene->notes.items[i].what, words))
            return scene->notes.items[i].count;
    return 0;
}

static void assert_refused(rw_status got, rw_status expected, const char *words)
{
    if (got != expected || !strstr(rw_last_error(context), words))
        fail_msg("status %d, '%s'; expected %d and '%s'\n", (int)got, rw_last_error(context), (int)expected, words);
}

static void lengths_with_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double length_m;
    } good[] = {{"12", 12}, {"12 m", 12},      {"12.5m", 12.5}, {"12,5", 12.5},
                {" 7 ", 7}, {"100 ft", 30.48}, {"10'", 3.048},  {"-3", -3}};
    double length_m;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(rw_gis_parse_length(good[i].text, &length_m));
        assert_near(length_m, good[i].length_m, 1e-12);
    }
    static const char *const bad[] = {"", "high", "12 storeys", "nan", "inf", "m"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(rw_gis_parse_length(bad[i], &length_m));
}

static void geojson_goes_to_utm(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    const char *path = write_text("city.geojson", COLLECTION(FEATURE("\"height\":\"12.5 m\"", PLAIN) "," FEATURE(
                                                      "\"height\":30,\"min_height\":4", HOLED)));
    assert_ok(context, load(path, NULL, NULL, &scene));
    assert_string_equal(rw_scene_crs(scene), "EPSG:32632");
    assert_int_equal(scene->parts.count, 2);
    assert_true(scene->parts.items[0].roof_height_m == 12.5);
    assert_true(scene->parts.items[1].base_height_m == 4);
    assert_int_equal(scene->parts.items[1].ring_count, 2);
    assert_int_equal(rw_ring_size(scene, 0), 4);
    /* UTM 32N of 11.5 E, 48.1 N on WGS84 by Krueger's series to the third order in n, computed apart from PROJ. */
    rw_vec2 first = rw_ring_points(scene, 0)[0];
    assert_near(first.x + scene->origin.x, 686121.7558, 0.001);
    assert_near(first.y + scene->origin.y, 5330438.1301, 0.001);
    assert_near(fabs(rw_ring_area(rw_ring_points(scene, 0), 4)), 29.78 * 33.36, 5);
    assert_int_equal(notes_like(scene, "UTM"), 1);
    assert_string_equal(scene->part_sources.items[1], "feature 1 of layer city");
    rw_scene_destroy(scene);
}

static void odd_heights_are_told(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    const char *path = write_text(
        "odd.geojson",
        COLLECTION(FEATURE("\"height\":0", PLAIN) "," FEATURE("\"height\":-3", PLAIN) "," FEATURE(
            "\"height\":null",
            PLAIN) "," FEATURE("\"height\":\"tall\"",
                               PLAIN) "," FEATURE("\"height\":5,\"min_height\":8",
                                                  PLAIN) ","
                                                         "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{"
                                                         "\"type\":\"Point\",\"coordinates\":[11.5,48.1]}},"
                                                         "{\"type\":\"Feature\",\"properties\":{\"height\":9},"
                                                         "\"geometry\":null}"));
    assert_ok(context, load(path, NULL, NULL, &scene));
    assert_int_equal(scene->parts.count, 5);
    for (int i = 0; i < 4; i++)
        assert_true(scene->parts.items[i].roof_height_m == 10);
    assert_true(scene->parts.items[4].base_height_m == 0);
    assert_int_equal(notes_like(scene, "not above 0"), 2);
    assert_int_equal(notes_like(scene, "without a height"), 1);
    assert_int_equal(notes_like(scene, "not a number given"), 1);
    assert_int_equal(notes_like(scene, "base"), 1);
    assert_int_equal(notes_like(scene, "without a polygon"), 2);
    rw_scene_destroy(scene);
}

static void fields_and_systems_can_be_chosen(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    const char *path = write_text("named.geojson", COLLECTION(FEATURE("\"height\":12,\"eaves\":\"7,5 m\"", PLAIN)));
    assert_ok(context, load(path, "EAVES", NULL, &scene));
    assert_true(scene->parts.items[0].roof_height_m == 7.5);
    rw_scene_destroy(scene);
    assert_refused(load(path, "roof", NULL, &scene), RW_BAD_INPUT,
                   "no field 'roof' for the height; it has height, eaves");
    assert_refused(load(path, NULL, "EPSG:nonsense", &scene), RW_BAD_INPUT, "not a coordinate system");
    /* Web Mercator calls its unit a metre, and it is not: 44.5 m there are 29.8 m at 48.1 degrees north. */
    path = write_text("web.geojson", COLLECTION(FEATURE("\"height\":12", "[[[1280174,6123250],[1280218.5,6123250],"
                                                                         "[1280218.5,6123300],[1280174,6123250]]]")));
    assert_ok(context, load(path, NULL, "EPSG:3857", &scene));
    assert_string_equal(rw_scene_crs(scene), "EPSG:32632");
    rw_vec2 side = rw_vec2_sub(rw_ring_points(scene, 0)[1], rw_ring_points(scene, 0)[0]);
    assert_near(hypot(side.x, side.y), 44.5 * cos(48.1 * 3.14159265358979 / 180), 0.1);
    rw_scene_destroy(scene);
    path = write_text("local.geojson", COLLECTION(FEATURE("\"height\":12", "[[[0,0],[10,0],[10,10],[0,0]]]")));
    assert_ok(context, load(path, NULL, "EPSG:25832", &scene));
    assert_string_equal(rw_scene_crs(scene), "EPSG:25832");
    assert_true(rw_ring_points(scene, 0)[1].x == 10);
    rw_scene_destroy(scene);
}

static void multipolygons_are_one_building(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    const char *path = write_text(
        "multi.geojson",
        COLLECTION(FEATURE("\"building_id\":1,\"height\":3",
                           PLAIN) ","
                                  "{\"type\":\"Feature\",\"properties\":{\"height\":9},\"geometry\":{\"type\":"
                                  "\"MultiPolygon\",\"coordinates\":[" PLAIN "," HOLED
                                  "]}}," FEATURE("\"building_id\":1,\"height\":6,\"base_height\":3", PLAIN)));
    assert_ok(context, load(path, NULL, NULL, &scene));
    assert_int_equal(scene->parts.count, 4);
    assert_int_equal(scene->parts.items[1].building, scene->parts.items[2].building);
    assert_int_equal(scene->parts.items[0].building, scene->parts.items[3].building);
    assert_int_not_equal(scene->parts.items[0].building, scene->parts.items[1].building);
    rw_scene_destroy(scene);
    path = write_text("ids.geojson", COLLECTION(FEATURE("\"building_id\":\"B12\",\"height\":3", PLAIN)));
    assert_ok(context, load(path, NULL, NULL, &scene));
    assert_int_equal(notes_like(scene, "building_id"), 1);
    rw_scene_destroy(scene);
}

#define OSM_NODE(id, lat, lon) "<node id='" #id "' lat='" #lat "' lon='" #lon "' version='1'/>\n"
#define OSM_WAY(id, tags)                                                                                              \
    "<way id='" #id "' version='1'><nd ref='1'/><nd ref='2'/><nd ref='3'/><nd ref='4'/><nd ref='1'/>" tags "</way>\n"
#define TAG(key, value) "<tag k='" key "' v='" value "'/>"

static void openstreetmap_tags(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    const char *path = write_text(
        "map.osm", "<?xml version='1.0' encoding='UTF-8'?>\n<osm version='0.6'>\n" OSM_NODE(1, 48.1, 11.5)
                       OSM_NODE(2, 48.1, 11.501) OSM_NODE(3, 48.101, 11.501) OSM_NODE(4, 48.101, 11.5)
                           OSM_WAY(10, TAG("building", "yes") TAG("height", "12 m"))
                               OSM_WAY(11, TAG("building", "yes") TAG("building:levels", "4")
                                               TAG("building:min_level", "1")) OSM_WAY(12, TAG("building", "house"))
                                   OSM_WAY(13, TAG("landuse", "grass")) OSM_WAY(14, TAG("building", "no")) "</osm>\n");
    assert_ok(context, load(path, NULL, NULL, &scene));
    assert_int_equal(scene->parts.count, 3);
    assert_true(scene->parts.items[0].roof_height_m == 12);
    assert_true(scene->parts.items[1].roof_height_m == 12);
    assert_true(scene->parts.items[1].base_height_m == 3);
    assert_true(scene->parts.items[2].roof_height_m == 10);
    assert_int_equal(notes_like(scene, "without a height"), 1);
    rw_scene_destroy(scene);
    path =
        write_text("part.osm", "<?xml version='1.0' encoding='UTF-8'?>\n<osm version='0.6'>\n" OSM_NODE(1, 48.1, 11.5)
                                   OSM_NODE(2, 48.1, 11.501) OSM_NODE(3, 48.101, 11.501) OSM_NODE(4, 48.101, 11.5)
                                       OSM_WAY(10, TAG("building", "yes") TAG("height", "12 m"))
                                           OSM_WAY(11, TAG("building:part", "yes") TAG("height", "7")) "</osm>\n");
    assert_ok(context, load(path, NULL, NULL, &scene));
    assert_int_equal(scene->parts.count, 1);
    assert_true(scene->parts.items[0].roof_height_m == 7);
    rw_scene_destroy(scene);
}

static double roof_with(const char *properties, const char *unit)
{
    rw_scene *scene;
    rw_load_options options;
    char text[512];
    snprintf(text, sizeof text, COLLECTION(FEATURE("%s", PLAIN)), properties);
    rw_load_options_init(&options);
    options.height_unit = unit;
    assert_ok(context, rw_scene_load(context, write_text("unit.geojson", text), &options, &scene));
    double roof_m = scene->parts.items[0].roof_height_m;
    rw_scene_destroy(scene);
    return roof_m;
}

static void heights_in_feet(void **state)
{
    (void)state;
    need_gdal();
    static const struct {
        const char *properties, *unit;
        double roof_m;
    } cases[] = {{"\"height_ft\":100", NULL, 30.48},      {"\"HEIGHT_FEET\":100", NULL, 30.48},
                 {"\"roof_height_ft\":100", NULL, 30.48}, {"\"heightroof\":100", NULL, 30.48},
                 {"\"heightroof\":100", "m", 100},        {"\"height\":100", "ft", 30.48},
                 {"\"height\":100", NULL, 100},           {"\"height\":\"12 m\"", "ft", 12},
                 {"\"height_ft\":\"12 m\"", NULL, 12},    {"\"building:levels\":4", "ft", 12},
                 {"\"height_lift\":5", NULL, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(roof_with(cases[i].properties, cases[i].unit), cases[i].roof_m, 1e-9);
    rw_scene *scene;
    rw_load_options options;
    rw_load_options_init(&options);
    options.height_unit = "inch";
    assert_refused(rw_scene_load(context, "unit.geojson", &options, &scene), RW_BAD_CALL, "no unit of heights 'inch'");
}

#define AT_Z(z)                                                                                                        \
    "[[[11.5,48.1," z "],[11.5004,48.1," z "],[11.5004,48.1003," z "],[11.5,48.1003," z "],[11.5,48.1," z "]]]"

static void heights_by_z(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    /* A roof, a wall and a floor; the roof's ridge is at 523 m. */
    static const char model[] =
        "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":["
        "[[[11.5,48.1,518],[11.5004,48.1,523],[11.5004,48.1003,523],[11.5,48.1003,518],[11.5,48.1,518]]],"
        "[[[11.5,48.1,511],[11.5004,48.1,511],[11.5004,48.1,523],[11.5,48.1,518],[11.5,48.1,511]]]," AT_Z("511") "]}}";
    char text[2048];
    snprintf(text, sizeof text, COLLECTION("%s"), model);
    assert_ok(context, rw_scene_load(context, write_text("model.geojson", text), NULL, &scene));
    assert_int_equal(scene->parts.count, 1);
    assert_near(scene->parts.items[0].roof_height_m, 12, 1e-9);
    assert_near(scene->parts.items[0].ground_m, 511, 1e-9);
    assert_near(rw_scene_ground_m(scene, rw_ring_points(scene, 0)[0]), 511, 1e-3);
    rw_scene_destroy(scene);
    const char *flat = COLLECTION(FEATURE("\"name\":1", AT_Z("17")));
    assert_ok(context, rw_scene_load(context, write_text("flat.geojson", flat), NULL, &scene));
    assert_near(scene->parts.items[0].roof_height_m, 17, 1e-9);
    assert_int_equal(notes_like(scene, "for want of a terrain"), 1);
    rw_scene_destroy(scene);
    const char *zero = COLLECTION(FEATURE("\"name\":1", AT_Z("0")) "," FEATURE("\"height\":8", AT_Z("511")));
    assert_ok(context, rw_scene_load(context, write_text("zero.geojson", zero), NULL, &scene));
    assert_near(scene->parts.items[0].roof_height_m, 10, 1e-9);
    assert_near(scene->parts.items[1].roof_height_m, 8, 1e-9);
    rw_scene_destroy(scene);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {COLLECTION(FEATURE("\"height\":12", PLAIN) "," FEATURE("\"height\":9999", PLAIN)),
         "feature 1 of layer refused: a height of 9999 m"},
        {COLLECTION(FEATURE("\"height\":12", PLAIN) "," FEATURE(
             "\"height\":5", "[[[48.1,11.5],[48.1,11.5004],[48.1003,11.5004],[48.1,11.5]]]") "," FEATURE("\"height\":3",
                                                                                                         HOLED)),
         "feature 1 of layer refused at 48.1, 11.5: latitude and longitude are swapped"},
        {COLLECTION(FEATURE("\"height\":5", "[[[-33.86,151.2],[-33.86,151.21],[-33.85,151.2],[-33.86,151.2]]]")),
         "feature 0 of layer refused at -33.86, 151.2: latitude and longitude are swapped: no latitude is beyond 90"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(load(write_text("refused.geojson", cases[i].text), NULL, NULL, &scene), RW_BAD_INPUT,
                       cases[i].words);
}

/* A house with two parts that cover it, another with one small part, and a part of its own. */
static void parts_stand_for_buildings(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
#define BOX(x0, y0, x1, y1) "[[[" x0 "," y0 "],[" x1 "," y0 "],[" x1 "," y1 "],[" x0 "," y1 "],[" x0 "," y0 "]]]"
    const char *path = write_text(
        "parts.geojson",
        COLLECTION(FEATURE("\"building\":\"yes\",\"height\":20", BOX("11.5", "48.1", "11.5004", "48.1003")) "," FEATURE(
            "\"building:part\":\"yes\",\"height\":20",
            BOX("11.5", "48.1", "11.5002",
                "48.1003")) "," FEATURE("\"building:part\":\"yes\",\"height\":6",
                                        BOX("11.5002", "48.1", "11.5004",
                                            "48.1003")) "," FEATURE("\"building\":\"yes\",\"height\":9",
                                                                    BOX("11.501", "48.1", "11.5014",
                                                                        "48.1003")) "," FEATURE("\"building:part\":"
                                                                                                "\"tower\",\"height\":"
                                                                                                "30,\"min_height\":9",
                                                                                                BOX("11.501", "48.1",
                                                                                                    "11.5011",
                                                                                                    "48.1001")) "," FEATURE("\"building:part\":\"yes\",\"height\":4",
                                                                                                                            BOX("11.502",
                                                                                                                                "48.1",
                                                                                                                                "11.5021",
                                                                                                                                "48.1001"))));
    assert_ok(context, load(path, NULL, NULL, &scene));
    assert_int_equal(scene->parts.count, 5);
    const double roofs_m[5] = {20, 6, 9, 30, 4};
    for (size_t i = 0; i < 5; i++)
        assert_near(scene->parts.items[i].roof_height_m, roofs_m[i], 1e-9);
    assert_int_equal(scene->parts.items[0].building, scene->parts.items[1].building);
    assert_int_equal(scene->parts.items[2].building, scene->parts.items[3].building);
    assert_int_not_equal(scene->parts.items[0].building, scene->parts.items[2].building);
    assert_int_equal(notes_like(scene, "replaced by their parts"), 1);
    rw_scene_destroy(scene);
}

static void nothing_usable_is_an_error(void **state)
{
    (void)state;
    need_gdal();
    rw_scene *scene;
    const char *path = write_text(
        "points.geojson",
        COLLECTION("{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}"));
    assert_refused(load(path, NULL, NULL, &scene), RW_BAD_INPUT, "no usable building among 1 features");
    path = write_text("huge.geojson", COLLECTION(FEATURE("\"height\":3", "[[[1e400,0],[1,0],[1,1],[0,0]]]")));
    assert_int_equal(load(path, NULL, "EPSG:25832", &scene), RW_BAD_INPUT);
    path = write_text("cut.geojson", "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"prop");
    assert_int_equal(load(path, NULL, NULL, &scene), RW_BAD_INPUT);
    assert_int_equal(load(temporary_path("missing.gpkg"), NULL, NULL, &scene), RW_NOT_FOUND);
    path = write_text("wrong.gpkg", "SQLite format 3\0 this is no database at all");
    assert_int_equal(load(path, NULL, NULL, &scene), RW_BAD_INPUT);
    path = write_text("text.shp", "hello");
    assert_int_equal(load(path, NULL, NULL, &scene), RW_BAD_INPUT);
}

/* A layer of squares, some with coordinates that are no numbers, as a damaged export has them. */
static void broken_coordinates_are_told(void **state)
{
    (void)state;
    need_gdal();
    static const rw_vector_field fields[] = {{"Height", RW_FIELD_STRING}};
    const double bad[] = {NAN, 1e12};
    const size_t ring_sizes[] = {4};
    rw_vector_writer *writer;
    assert_ok(context, rw_vector_writer_create(context, "GPKG", temporary_path("broken.gpkg"), "EPSG:25832", &writer));
    assert_ok(context, rw_vector_writer_layer(writer, "Houses", RW_SHAPE_POLYGON, fields, 1));
    for (int i = 0; i < 3; i++) {
        double xy[] = {0, 0, 10, 0, 10, 10, i < 2 ? bad[i] : 0, 10};
        assert_ok(context, rw_vector_write_polygon(writer, xy, ring_sizes, 1));
        rw_vector_write_string(writer, 0, "9");
        assert_ok(context, rw_vector_writer_add(writer));
    }
    assert_ok(context, rw_vector_writer_finish(writer));
    rw_scene *scene;
    assert_ok(context, load(temporary_path("broken.gpkg"), NULL, NULL, &scene));
    assert_int_equal(scene->parts.count, 1);
    assert_int_equal(notes_like(scene, "not a finite number"), 2);
    assert_string_equal(rw_scene_crs(scene), "EPSG:25832");
    rw_scene_destroy(scene);
}

/* Names as cities and statistical offices publish them; what each means to whom. */
static void names_in_many_languages(void **state)
{
    static const char *const buildings[] = {"buildings", "GEBÄUDE",     "Gebaeudebestand", "osm_buildings_a",
                                            "BÂTIMENTS", "edificações", "Construcciones",  "fabbricati",
                                            "épületek",  "BUDYNKI",     "Ehitised",        "Hus",
                                            "yapı",      "ΚΤΙΡΙΑ",      "ЗДАНИЯ",          "建物",
                                            "Pand"};
    static const char *const no_buildings[] = {"landuse", "Flächennutzung", "expanded",    "husbandry",
                                               "roads",   "вода",           "urbanisation"};
    static const char *const storeys[] = {"building:levels",  "building_l",    "BLDG_LEVELS",        "Anzahl_Ges",
                                          "anzahl geschosse", "NOMBRE_D_E",    "nb_etages",          "num_floors",
                                          "NumberOfFl",       "no_of_storeys", "storeysAboveGround", "PIANI",
                                          "num_pisos",        "bouwlagen",     "LICZBA_KONDYGNACJI", "kerroslkm",
                                          "Étages",           "этажность"};
    static const char *const no_storeys[] = {"floor_area",    "storey_height", "levels_below", "Geschossflaeche",
                                             "ground_level",  "floors_id",     "height",       "name",
                                             "geschosshoehe", "niveau_sol"};
    static const char *const heights[] = {"Höhe",      "Gebaeude_Hoehe", "ALTEZZA_M",   "altura_edificio",
                                          "hauteur",   "HEIGHT_MEAN",    "roof-height", "wysokosc_budynku",
                                          "yükseklik", "Высота здания",  "hoogte"};
    static const char *const no_heights[] = {"storey_height", "base_height", "min_height", "hoehenlage", "eaves_height",
                                             "height_source", "heightid",    "m",          "max",        "building"};
    (void)state;
    for (size_t i = 0; i < sizeof buildings / sizeof *buildings; i++)
        assert_true(rw_gis_names_buildings(buildings[i]) || !printf("%s\n", buildings[i]));
    for (size_t i = 0; i < sizeof no_buildings / sizeof *no_buildings; i++)
        assert_true(!rw_gis_names_buildings(no_buildings[i]) || !printf("%s\n", no_buildings[i]));
    for (size_t i = 0; i < sizeof storeys / sizeof *storeys; i++)
        assert_true(rw_gis_names_storeys(storeys[i]) || !printf("%s\n", storeys[i]));
    for (size_t i = 0; i < sizeof no_storeys / sizeof *no_storeys; i++)
        assert_true(!rw_gis_names_storeys(no_storeys[i]) || !printf("%s\n", no_storeys[i]));
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        assert_true(rw_gis_names_height(heights[i]) || !printf("%s\n", heights[i]));
    for (size_t i = 0; i < sizeof no_heights / sizeof *no_heights; i++)
        assert_true(!rw_gis_names_height(no_heights[i]) || !printf("%s\n", no_heights[i]));
    assert_true(rw_gis_same_but_numbers("tile_1", "tile_23"));
    assert_false(rw_gis_same_but_numbers("tile_1", "roads_1"));
}

static void says_when_gdal_is_missing(void **state)
{
    (void)state;
    if (rw_gdal_is_in())
        skip_test("this build has GDAL");
    rw_scene *scene;
    const char *path = write_text("city.geojson", COLLECTION(FEATURE("\"height\":12", PLAIN)));
    assert_refused(load(path, NULL, NULL, &scene), RW_UNSUPPORTED, "needs GDAL");
    assert_ok(context, rw_scene_create(context, &scene));
    assert_refused(rw_scene_save(scene, temporary_path("out.gpkg")), RW_UNSUPPORTED, "needs GDAL");
    rw_scene_destroy(scene);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths_with_units),
                                       cmocka_unit_test(geojson_goes_to_utm),
                                       cmocka_unit_test(odd_heights_are_told),
                                       cmocka_unit_test(fields_and_systems_can_be_chosen),
                                       cmocka_unit_test(multipolygons_are_one_building),
                                       cmocka_unit_test(openstreetmap_tags),
                                       cmocka_unit_test(broken_coordinates_are_told),
                                       cmocka_unit_test(heights_in_feet),
                                       cmocka_unit_test(heights_by_z),
                                       cmocka_unit_test(what_cannot_be_is_refused),
                                       cmocka_unit_test(parts_stand_for_buildings),
                                       cmocka_unit_test(nothing_usable_is_an_error),
                                       cmocka_unit_test(names_in_many_languages),
                                       cmocka_unit_test(says_when_gdal_is_missing)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
