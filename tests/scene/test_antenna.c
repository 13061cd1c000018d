/* Antennas against closed forms and their own cuts, MSI files, sites tables. */
#include "scene/antennas/antenna.h"
#include "scene/coordinates.h"
#include "temporary.h"

#define PI 3.14159265358979323846

static rw_antenna *make_antenna(rw_context *context, const char *description)
{
    rw_antenna *antenna = NULL;
    assert_ok(context, rw_antenna_create(context, description, &antenna));
    return antenna;
}

/* Power over the sphere over 4 pi; 1 for an antenna without loss. */
static double mean_power(const rw_antenna *antenna)
{
    double sum = 0;
    for (int i = 0; i < 720; i++)
        for (int j = 0; j < 360; j++) {
            double theta_deg = (i + 0.5) / 4;
            sum += pow(10, 0.1 * rw_antenna_gain_dbi(antenna, theta_deg, j)) * sin(theta_deg * PI / 180);
        }
    return sum * (PI / 720) * (2 * PI / 360) / (4 * PI);
}

static void agrees_with_closed_forms(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_antenna *isotropic = make_antenna(context, "isotropic"), *dipole = make_antenna(context, "dipole"),
               *sector = make_antenna(context, "3gpp");
    assert_near(rw_antenna_gain_dbi(isotropic, 12, 34), 0, 0);
    assert_near(mean_power(dipole), 1, 1e-5);
    assert_near(rw_antenna_gain_dbi(dipole, 90, 77), 2.15, 0.001);
    assert_near(rw_antenna_gain_dbi(dipole, 90 + 39.04, 0), 2.15 - 3.01, 0.01); /* 78 degrees between half powers */
    assert_near(rw_antenna_gain_dbi(dipole, 0, 0), -100, 0);
    assert_near(rw_antenna_gain_dbi(sector, 90, 0), 8, 0);
    assert_near(rw_antenna_gain_dbi(sector, 90, -32.5), 5, 1e-12);
    assert_near(rw_antenna_gain_dbi(sector, 90 + 32.5, 32.5), 2, 1e-12);
    assert_near(rw_antenna_gain_dbi(sector, 90, 180), -22, 1e-12);
    assert_near(rw_antenna_gain_dbi(sector, -57.5, 0), rw_antenna_gain_dbi(sector, 57.5, 180), 1e-12);
    rw_antenna_destroy(isotropic);
    rw_antenna_destroy(dipole);
    rw_antenna_destroy(sector);
    rw_context_destroy(context);
}

static void turns_with_the_mast(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_antenna *sector = make_antenna(context, "3gpp"), *dipole = make_antenna(context, "dipole");
    assert_near(rw_antenna_gain_towards(sector, 0, 0, 0, rw_vec3_of(0, 5, 0)), 8, 1e-9);
    assert_near(rw_antenna_gain_towards(sector, 90, 0, 0, rw_vec3_of(3, 0, 0)), 8, 1e-9);
    assert_near(rw_antenna_gain_towards(sector, 225, 0, 0, rw_vec3_of(-1, -1, 0)), 8, 1e-9);
    assert_near(rw_antenna_gain_towards(sector, 0, 45, 0, rw_vec3_of(0, 1, -1)), 8, 1e-9);
    assert_near(rw_antenna_gain_towards(sector, 0, 32.5, 0, rw_vec3_of(0, 1, 0)), 5, 1e-9);
    assert_near(rw_antenna_gain_towards(dipole, 0, 0, 0, rw_vec3_of(0, 0, 1)), -100, 0);
    assert_near(rw_antenna_gain_towards(dipole, 0, 0, 90, rw_vec3_of(0, 0, 1)), 2.1509, 1e-3);
    assert_near(rw_antenna_gain_towards(dipole, 0, 0, 90, rw_vec3_of(1, 0, 0)), -100, 0);
    /* Rolled clockwise from behind, the top leans to the right: the null is there, 30 degrees off the zenith to the
     * east. */
    assert_true(rw_antenna_gain_towards(dipole, 0, 0, 30, rw_vec3_of(0.5, 0, sqrt(0.75))) < -90);
    assert_true(rw_antenna_gain_towards(dipole, 0, 0, 30, rw_vec3_of(-0.5, 0, sqrt(0.75))) > -10);
    rw_antenna_destroy(sector);
    rw_antenna_destroy(dipole);
    rw_context_destroy(context);
}

/* Widths at 3 dB, tilts and gains of data sheets, and no more power than the transmitter has. */
static void sectors_are_their_data_sheets(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_antenna *macro = make_antenna(context, "macro"), *tilted = make_antenna(context, "macro:etilt=6");
    assert_near(rw_antenna_gain_dbi(macro, 90, 0), 17, 0);
    assert_near(rw_antenna_gain_dbi(macro, 90, 32.5), 14, 1e-12);
    assert_near(rw_antenna_gain_dbi(macro, 95, 0), 14, 1e-12);
    assert_near(rw_antenna_gain_dbi(macro, 85, -32.5), 11, 1e-12);
    assert_near(rw_antenna_gain_dbi(macro, 90, 180), -13, 1e-12);
    for (int phi = -180; phi < 180; phi += 15) /* an electrical tilt is a cone */
        assert_near(rw_antenna_gain_dbi(tilted, 96, phi), rw_antenna_gain_dbi(macro, 90, phi), 1e-12);
    assert_near(mean_power(macro), 0.5 * (0.8 + 1.1), 0.5 * (1.1 - 0.8));
    rw_antenna *omni = make_antenna(context, "omni"), *sector = make_antenna(context, "sector:gain=15:horizontal=90");
    assert_near(rw_antenna_gain_dbi(omni, 90, 123), 8, 0);
    assert_near(rw_antenna_gain_dbi(omni, 90 + 0.5 * 107.6 / pow(10, 0.8), -77), 5, 1e-9); /* ITU-R F.1336, omni */
    assert_near(mean_power(omni), 0.5 * (0.95 + 1.02), 0.5 * (1.02 - 0.95));
    assert_near(rw_antenna_gain_dbi(sector, 90 + 0.5 * 31000 / 90 / pow(10, 1.5), 0), 12, 1e-9);
    assert_near(mean_power(sector), 0.5 * (0.8 + 1.1), 0.5 * (1.1 - 0.8));
    rw_antenna *narrow = make_antenna(context, "macro:horizontal=33:front-to-back=25dB");
    assert_near(rw_antenna_gain_dbi(narrow, 90, 0), 10 * log10(31000 / 330.), 1e-9);
    assert_near(rw_antenna_gain_dbi(narrow, 90, 180), 10 * log10(31000 / 330.) - 25, 1e-9);
    static const char *const wrong[] = {"sector",
                                        "sector:gain=17",
                                        "sector:gain=25:horizontal=65:vertical=10",
                                        "omni:gain=20:vertical=30",
                                        "macro:tilt=3",
                                        "macro:etilt=91",
                                        "macro:etilt",
                                        "macro:gain=17dBm",
                                        "macro:",
                                        "macro:vertical=0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rw_antenna *antenna = macro;
        assert_int_equal(rw_antenna_create(context, wrong[i], &antenna), RW_BAD_CALL);
        assert_null(antenna);
    }
    rw_antenna *const all[] = {macro, tilted, omni, sector, narrow};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        rw_antenna_destroy(all[i]);
    rw_context_destroy(context);
}

/* A sector with a downtilt of 6 degrees and a horizontal lobe that is not the same on its two sides. */
static double horizontal_loss(int angle_deg)
{
    double right = angle_deg <= 180 ? angle_deg : angle_deg - 360;
    return fmin(12 * pow(right / (right > 0 ? 65 : 80), 2), 25);
}

static double vertical_loss(int angle_deg)
{
    double down = angle_deg <= 180 ? angle_deg : angle_deg - 360;
    return fmin(12 * pow((down - 6) / 20, 2), 28);
}

static const char *write_msi(const char *gain_line, const char *end)
{
    const char *path = temporary_path("sector.msi");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "Name Sector 65%s%s%sFrequency 947%sTILT ELECTRICAL%sCOMMENT by hand%s", end, gain_line, end, end,
            end, end);
    fprintf(file, "horizontal 360%s", end);
    for (int i = 0; i < 360; i++)
        fprintf(file, "%d.0 %.4f%s", i, horizontal_loss(i), end);
    fprintf(file, "VERTICAL 360%s", end);
    for (int i = 0; i < 360; i++)
        fprintf(file, "%d\t%.4f%s", i, vertical_loss(i), end);
    fclose(file);
    return path;
}

static void is_exact_on_the_cuts(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_antenna *antenna = make_antenna(context, write_msi("GAIN 15 dBi", "\r\n"));
    assert_string_equal(rw_antenna_name(antenna), "Sector 65");
    assert_near(antenna->freq_hz, 947e6, 1e-3);
    for (int i = 0; i < 360; i++) {
        double theta_deg = i <= 90 ? 90 + i : i < 270 ? 270 - i : i - 270, phi_deg = i > 90 && i < 270 ? 180 : 0;
        assert_near(rw_antenna_gain_dbi(antenna, theta_deg, phi_deg), 15 - vertical_loss(i), 1e-3);
    }
    /* The horizontal cut is 0 dB ahead where the vertical one has lost 1.08 dB to the tilt and 28 - 25 dB behind: the
     * shape is kept up to the blend between the two. */
    for (int i = 0; i < 360; i++) {
        double back = 0.5 * (1 - cos(i * PI / 180));
        double expected = horizontal_loss(i) + (1 - back) * vertical_loss(0) + back * (vertical_loss(180) - 25);
        assert_near(rw_antenna_gain_dbi(antenna, 90, -i), 15 - expected, 1e-3);
    }
    assert_true(rw_antenna_gain_dbi(antenna, 90, -60) < rw_antenna_gain_dbi(antenna, 90, 60));
    for (int i = 0; i < 360; i += 7)
        assert_near(rw_antenna_gain_dbi(antenna, 180, i), 15 - vertical_loss(90), 1e-3);
    rw_antenna_destroy(antenna);
    rw_context_destroy(context);
}

static void is_smooth_between_samples(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_antenna *antenna = make_antenna(context, write_msi("GAIN 15 dBi", "\n"));
    double before = rw_antenna_gain_dbi(antenna, 80, -180);
    for (int i = 1; i <= 36000; i++) {
        double now = rw_antenna_gain_dbi(antenna, 80, -180 + 0.01 * i);
        assert_true(fabs(now - before) < 0.02);
        assert_true(now <= 15 && now >= 15 - 28);
        before = now;
    }
    /* A sampled cosine-like lobe between its samples: the cubic is far closer than a straight line. */
    assert_near(rw_cut_loss_db(&antenna->vertical, 20.5), 12 * pow(14.5 / 20, 2), 1e-3);
    rw_antenna_destroy(antenna);
    rw_context_destroy(context);
}

static void tells_dbd_from_dbi(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        double peak_dbi;
    } gains[] = {{"GAIN 15", 17.15}, {"GAIN 15 dBd", 17.15}, {"gain 15.0dBi", 15}, {"GAIN 15 (dBd)", NAN}};
    rw_context *context = make_context();
    for (size_t i = 0; i < 3; i++) {
        rw_antenna *antenna = make_antenna(context, write_msi(gains[i].line, "\n"));
        assert_near(rw_antenna_gain_dbi(antenna, 96, 0), gains[i].peak_dbi, 1e-9);
        rw_antenna_destroy(antenna);
    }
    rw_antenna *antenna;
    check_sentence(context, rw_antenna_create(context, write_msi(gains[3].line, "\n"), &antenna), RW_BAD_INPUT,
                   "line 2");
    rw_context_destroy(context);
}

static void refuses_bad_antennas(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "empty"},
        {"NAME x\n", "no line GAIN"},
        {"GAIN x\n", "line 1: GAIN"},
        {"GAIN nan\n", "line 1: GAIN"},
        {"GAIN 3\nHORIZONTAL 360\n0 0\n1 0\n", "line 4: expected an angle"},
        {"GAIN 3\nHORIZONTAL 1e18\n0 0\n", "line 2"},
        {"GAIN 3\nHORIZONTAL -1\n0 0\n", "line 2"},
        {"GAIN 3\nHORIZONTAL 2\n0 0\n0 0\n", "must rise"},
        {"GAIN 3\nHORIZONTAL 2\n0 0\n400 0\n", "must rise"},
        {"GAIN 3\nHORIZONTAL 2\n0 0\n180 nan\n", "number of dB"},
        {"GAIN 3\nHORIZONTAL 2\n0 0\n180 9\nHORIZONTAL 2\n0 0\n180 9\n", "second table"},
        {"GAIN 3\nHORIZONTAL 2\n0 0\n180 9\n", "no line VERTICAL"},
    };
    rw_context *context = make_context();
    rw_antenna *antenna;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_sentence(context, rw_antenna_create(context, write_text("bad.msi", bad[i].text), &antenna), RW_BAD_INPUT,
                       bad[i].words);
    check_sentence(context, rw_antenna_create(context, "yagi", &antenna), RW_NOT_FOUND, "isotropic, dipole");
    check_sentence(context, rw_antenna_create(context, "", &antenna), RW_BAD_CALL, "no name");
    rw_context_destroy(context);
}

static void reads_sites(void **state)
{
    (void)state;
    rw_context *context = make_context();
    write_msi("GAIN 15", "\n");
    const char *path = write_text("sites.csv", "Name;x;y;height;azimuth;tilt;power;freq;antenna\n"
                                               "North;1281.36;1.38127km;13m;120deg;6;43dBm;947MHz;sector.msi\n"
                                               ";0;0;30;;;;;\n"
                                               "South;1;2;30;0;0;20;;dipole\n");
    rw_transmitter *sites;
    size_t count;
    assert_ok(context, rw_sites_load(context, path, &sites, &count));
    assert_int_equal(count, 3);
    assert_string_equal(sites[0].name, "North");
    assert_near(sites[0].y_m, 1381.27, 1e-9);
    assert_near(sites[0].azimuth_deg, 120, 0);
    assert_near(sites[0].downtilt_deg, 6, 0);
    assert_near(sites[0].power_dbm, 43, 0);
    assert_near(sites[0].freq_hz, 947e6, 1e-3);
    assert_string_equal(sites[0].antenna, temporary_path("sector.msi"));
    assert_string_equal(sites[1].name, "site 2");
    assert_string_equal(sites[1].antenna, "isotropic");
    assert_near(sites[1].freq_hz, 0, 0);
    assert_string_equal(sites[2].antenna, "dipole");
    rw_free(sites);
    rw_context_destroy(context);
}

static void write_pattern(const char *name, const char *tilt, const char *freq_mhz)
{
    char text[1024];
    snprintf(text, sizeof text,
             "NAME %s\nFREQUENCY %s\nGAIN 15 dBi\n%sHORIZONTAL 4\n0 0\n90 20\n180 30\n270 20\nVERTICAL 4\n0 0\n90 "
             "20\n180 30\n270 20\n",
             name, freq_mhz, tilt);
    write_text(name, text);
}

/* A table as operators keep it: semicolons and decimal commas, watts and EIRP, feeder loss, electrical tilt, channel.
 */
static void reads_operators_sites(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_transmitter *sites;
    size_t count;
    write_pattern("x_02T.msi", "", "900");
    write_pattern("x_06T.msi", "", "900");
    write_pattern("x_06T_2100.msi", "ELECTRICAL_TILT 6\n", "2100");
    const char *path = write_text("operator.csv",
                                  "site;easting;northing;agl;power;eirp;erp;feeder_loss;freq_mhz;antenna;etilt;channel;"
                                  "polarisation\n"
                                  "A;100,5;200,25;30;20W;;;2,5;900;x_*.msi;6;1300;dual\n"
                                  "B;100,5;200,25;30;;58;;2,5;2100;x_*.msi;6;;-45\n"
                                  "C;100,5;200,25;30;;;40;;;;;;h\n"
                                  "D;1;2;3;43;;;;;3gpp;;;\n");
    assert_ok(context, rw_sites_load(context, path, &sites, &count));
    assert_int_equal(count, 4);
    assert_near(sites[0].x_m, 100.5, 1e-12);
    assert_near(sites[0].y_m, 200.25, 1e-12);
    assert_near(sites[0].power_dbm, 43.0103 - 2.5, 1e-4);
    assert_near(sites[0].freq_hz, 900e6, 1);
    assert_string_equal(sites[0].antenna, temporary_path("x_06T.msi"));
    assert_string_equal(sites[0].channel, "1300");
    assert_near(sites[0].slant_deg, 45, 0);
    assert_int_equal(sites[0].dual_polarised, 1);
    assert_near(sites[1].power_dbm, 58 - 15, 1e-9); /* radiated: the feeder does not count */
    assert_string_equal(sites[1].antenna, temporary_path("x_06T_2100.msi"));
    assert_near(sites[1].slant_deg, -45, 0);
    assert_near(sites[2].power_dbm, 42.15, 1e-9);
    assert_near(sites[2].slant_deg, 90, 0);
    assert_near(sites[3].power_dbm, 43, 0);
    assert_string_equal(sites[3].channel, "");
    rw_free(sites);
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"x,y,height,antenna,etilt\n1,2,3,x_*.msi,4\n", "no file of an electrical tilt of 4 degrees; it has 2, 6"},
        {"x,y,height,antenna\n1,2,3,x_*.msi\n", "choose one with the column etilt"},
        {"x,y,height,antenna,etilt\n1,2,3,x_06T_2100.msi,4\n", "electrical tilt of 6 degrees, and etilt is 4"},
        {"x,y,height,antenna,etilt\n1,2,3,3gpp,4\n", "none is named"},
        {"x,y,height,power,eirp\n1,2,3,43,58\n", "line 2: power and EIRP are both given"},
        {"x,y,height,power\n1,2,3,-2W\n", "above 0"},
        {"x,y,height,pol\n1,2,3,round\n", "no polarisation 'round'"},
        {"lon,lat,height\n11.5,48.1,3\n", "no coordinate system"},
        {"lon,lat,height\n-33.8,151.2,3\n", "latitude and longitude are swapped"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_sentence(context, rw_sites_load(context, write_text("bad.csv", bad[i].text), &sites, &count),
                       strstr(bad[i].words, "coordinate system") ? RW_BAD_CALL : RW_BAD_INPUT, bad[i].words);
    rw_context_destroy(context);
}

/* UTM 32N of 11.5 E, 48.1 N on WGS84 by Krueger's series to the third order in n, computed apart from PROJ. */
#define EAST_M 686121.7558
#define NORTH_M 5330438.1301

static void count_sentence(void *user, const char *sentence)
{
    assert_non_null(strstr(sentence, "line 3"));
    ++*(size_t *)user;
}

static void reads_sites_in_degrees(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_transmitter *sites;
    rw_sites_options options;
    size_t count, left_out, told = 0;
    rw_sites_options_init(&options);
    options.to_crs = "EPSG:32632";
    options.skip_bad = 1;
    options.on_skipped = count_sentence;
    options.user = &told;
    const char *path = write_text("degrees.csv", "name,longitude,latitude,height\nA,11.5,48.1,30\nB,48.1,111.5,30\n");
    assert_ok(context, rw_sites_load_for(context, path, &options, &sites, &count, &left_out));
    assert_int_equal(count, 1);
    assert_int_equal(left_out, 1);
    assert_int_equal(told, 1);
    assert_near(sites[0].x_m, EAST_M, 0.001);
    assert_near(sites[0].y_m, NORTH_M, 0.001);
    rw_free(sites);
    options.crs = "lonlat";
    path = write_text("xy.csv", "name,x,y,height\nA,11.5,48.1,30\n");
    assert_ok(context, rw_sites_load_for(context, path, &options, &sites, &count, &left_out));
    assert_near(sites[0].x_m, EAST_M, 0.001);
    rw_free(sites);
    rw_context_destroy(context);
}

/* Our own transverse Mercator is what GDAL has, and comes back. */
static void utm_without_gdal(void **state)
{
    (void)state;
    static const double places[][2] = {{11.5, 48.1}, {6, 0.001}, {15.9, 59.3}, {-71.06, 42.36}, {151.2, -33.86}};
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        double own[2] = {places[i][0], places[i][1]}, other[2] = {places[i][0], places[i][1]};
        rw_utm_zone zone = {(int)floor((own[0] + 180) / 6) + 1, own[1] < 0};
        char crs[32];
        snprintf(crs, sizeof crs, "EPSG:%d", (zone.is_south ? 32700 : 32600) + zone.number);
        rw_utm_from_degrees(zone, &own[0], &own[1]);
        assert_ok(context, rw_transform_points(context, "EPSG:4326", crs, other, 1));
        assert_near(own[0], other[0], 1e-5);
        assert_near(own[1], other[1], 1e-5);
        rw_utm_to_degrees(zone, &own[0], &own[1]);
        assert_near(own[0], places[i][0], 1e-11);
        assert_near(own[1], places[i][1], 1e-11);
    }
    double at[2] = {11.5, 48.1}, swapped[2] = {48.1, 111.5};
    assert_ok(context, rw_transform_points(context, "lonlat", "EPSG:25832", at, 1));
    assert_near(at[0], EAST_M, 0.001);
    check_sentence(context, rw_transform_points(context, "lonlat", "EPSG:32632", swapped, 1), RW_BAD_INPUT, "swapped");
    check_sentence(context, rw_transform_points(context, "lonlat", "", at, 1), RW_BAD_CALL, "no coordinate system");
    rw_context_destroy(context);
}

/* Gain and electrical tilt of a table, and columns by the names of another program. */
static void reads_third_party_tables(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_transmitter *sites;
    size_t count, skipped;
    rw_sites_options options;
    rw_sites_options_init(&options);
    const char *path = write_text("table.csv", "Cell,East,North,Ant_H,Dir,x,Pwr,Gain_dBi,Pattern,ET\n"
                                               "A,500,600,30,120,1,43,17,3gpp,\nB,510,610,25,240,2,40,,macro,6\n");
    options.columns = "name=cell,x=East,y=3,height=Ant_H,azimuth=Dir,power=Pwr,gain=Gain_dBi,antenna=Pattern,etilt=ET";
    assert_ok(context, rw_sites_load_for(context, path, &options, &sites, &count, &skipped));
    assert_int_equal(count, 2);
    assert_string_equal(sites[0].name, "A");
    assert_near(sites[0].x_m, 500, 0); /* the file's own column x is not read */
    assert_near(sites[0].y_m, 600, 0);
    assert_near(sites[0].height_m, 30, 0);
    assert_near(sites[0].azimuth_deg, 120, 0);
    assert_near(sites[0].power_dbm, 43 + 17 - 8, 1e-12); /* the element has 8 dBi */
    assert_near(sites[1].power_dbm, 40, 0);
    assert_string_equal(sites[1].antenna, "macro:etilt=6");
    rw_free(sites);
    static const char *const wrong[] = {"x=Nowhere", "colour=Cell",     "x",   "=East",
                                        "x=",        "x=East,,y=North", "x=0", "x=99"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.columns = wrong[i];
        assert_int_not_equal(rw_sites_load_for(context, path, &options, &sites, &count, &skipped), RW_OK);
        assert_null(sites);
    }
    rw_context_destroy(context);
}

static void refuses_bad_sites(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        rw_status status;
        const char *words;
    } bad[] = {
        {"", RW_BAD_INPUT, "empty"},
        {"name,x,y,height\n", RW_BAD_INPUT, "no sites"},
        {"name,x,y\nA,1,2\n", RW_BAD_INPUT, "'height'"},
        {"name,x,y,height\nA,1,,3\n", RW_BAD_INPUT, "line 2, column y"},
        {"name,x,y,height\nA,1,nan,3\n", RW_BAD_INPUT, "line 2, column y"},
        {"name,x,y,height\nA,1,1e99,3\n", RW_BAD_INPUT, "line 2"},
        {"name,x,y,height\nA,1,2,-3\n", RW_BAD_INPUT, "above 0"},
        {"name,x,y,height,freq\nA,1,2,3,947\n", RW_BAD_INPUT, "947MHz"},
        {"name,x,y,height,freq\nA,1,2,3,5m\n", RW_BAD_INPUT, "column freq"},
        {"name,x,y,height,antenna\nA,1,2,3,none.msi\n", RW_NOT_FOUND, "line 2: there is no antenna 'none.msi'"},
    };
    rw_context *context = make_context();
    rw_transmitter *sites;
    size_t count;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_sentence(context, rw_sites_load(context, write_text("bad.csv", bad[i].text), &sites, &count),
                       bad[i].status, bad[i].words);
        assert_null(sites);
    }
    check_sentence(context, rw_sites_load(context, temporary_path("none.csv"), &sites, &count), RW_NOT_FOUND,
                   "none.csv");
    rw_context_destroy(context);
}

/* One line that cannot be used does not keep the others from being read. */
static void leaves_out_bad_sites(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_transmitter *sites;
    size_t count, left_out;
    const char *path = write_text("some.csv", "name,x,y,height,antenna\nA,1,2,3,\nB,1,,3,\nC,4,5,6,none.msi\n"
                                              "D,7,8,9,dipole\nE,1,2,-3,\n");
    assert_ok(context, rw_sites_load_good(context, path, &sites, &count, &left_out));
    assert_int_equal(count, 2);
    assert_int_equal(left_out, 3);
    assert_string_equal(sites[0].name, "A");
    assert_string_equal(sites[1].name, "D");
    assert_string_equal(sites[1].antenna, "dipole");
    assert_near(sites[1].height_m, 9, 0);
    rw_free(sites);
    path = write_text("none_good.csv", "name,x,y,height\nA,1,,3\nB,,2,3\n");
    check_sentence(context, rw_sites_load_good(context, path, &sites, &count, &left_out), RW_BAD_INPUT,
                   "none of its 2 sites can be used");
    assert_null(sites);
    assert_int_equal(left_out, 2);
    rw_context_destroy(context);
}

static void check_site(const rw_transmitter *site, const char *name, double freq_mhz, double power_dbm)
{
    assert_string_equal(site->name, name);
    assert_near(site->freq_hz, 1e6 * freq_mhz, 1);
    assert_near(site->power_dbm, power_dbm, 1e-9);
}

/* Several bands in one row: lists, columns of bands, bands of 3GPP. */
static void reads_tables_of_several_bands(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_transmitter *sites;
    size_t count;
    assert_ok(context, rw_sites_load(context,
                                     write_text("lists.csv", "name;x;y;height;freq;power;antenna;bandwidth;mimo\n"
                                                             "east;1;2;30;800/1800 MHz;43/46;macro;10MHz/20MHz;4x4\n"
                                                             "west;3;4;30;1800MHz;41;omni;20MHz;\n"),
                                     &sites, &count));
    assert_int_equal(count, 3);
    check_site(&sites[0], "east 800MHz", 800, 43);
    check_site(&sites[1], "east 1800MHz", 1800, 46);
    check_site(&sites[2], "west", 1800, 41);
    assert_near(sites[0].bandwidth_hz, 10e6, 0);
    assert_near(sites[1].bandwidth_hz, 20e6, 0);
    assert_int_equal(sites[1].streams, 4);
    assert_string_equal(sites[1].antenna, "macro");
    assert_near(sites[1].x_m, 1, 0);
    rw_free(sites);
    assert_ok(
        context,
        rw_sites_load(
            context,
            write_text("columns.csv",
                       "name,x,y,height,azimuth,power_L800,power_L1800,N3500 power,azimuth_L1800,antenna,power_max\n"
                       "east,1,2,30,10,43,46,-,20,macro,60\n"
                       "west,3,4,30,30,,45,50,,macro,60\n"),
            &sites, &count));
    assert_int_equal(count, 4);
    check_site(&sites[0], "east L800", 800, 43);
    check_site(&sites[1], "east L1800", 1800, 46);
    check_site(&sites[2], "west L1800", 1800, 45);
    check_site(&sites[3], "west N3500", 3500, 50);
    assert_near(sites[0].azimuth_deg, 10, 0);
    assert_near(sites[1].azimuth_deg, 20, 0);
    assert_near(sites[2].azimuth_deg, 30, 0);
    rw_free(sites);
    assert_ok(context,
              rw_sites_load(context,
                            write_text("numbered.csv", "name,x,y,height,freq_1,power_1,freq_2,power_2\n"
                                                       "east,1,2,30,700MHz,40,3.5GHz,50\nwest,3,4,30,2100MHz,44,,\n"),
                            &sites, &count));
    assert_int_equal(count, 3);
    check_site(&sites[1], "east 2", 3500, 50);
    check_site(&sites[2], "west 1", 2100, 44);
    rw_free(sites);
    assert_ok(context,
              rw_sites_load(context,
                            write_text("bands.csv",
                                       "name,x,y,height,band,power\neast,1,2,30,B20 + n78,40+50\nwest,3,4,30,1,44\n"),
                            &sites, &count));
    assert_int_equal(count, 3);
    check_site(&sites[0], "east B20", 806, 40);
    check_site(&sites[1], "east n78", 3550, 50);
    check_site(&sites[2], "west", 2140, 44);
    rw_free(sites);
    check_sentence(
        context,
        rw_sites_load(context,
                      write_text("three.csv", "name,x,y,height,freq_mhz,power\neast,1,2,30,800/1800,40/41/42\n"),
                      &sites, &count),
        RW_BAD_INPUT, "line 2: column power has 3 values for 2 bands");
    check_sentence(
        context,
        rw_sites_load(context, write_text("x.csv", "name,x,y,height,band,power\neast,1,2,30,B99,40\n"), &sites, &count),
        RW_BAD_INPUT, "neither a 3GPP band such as B20 or n78 nor a frequency");
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_closed_forms),
                                       cmocka_unit_test(turns_with_the_mast),
                                       cmocka_unit_test(sectors_are_their_data_sheets),
                                       cmocka_unit_test(is_exact_on_the_cuts),
                                       cmocka_unit_test(is_smooth_between_samples),
                                       cmocka_unit_test(tells_dbd_from_dbi),
                                       cmocka_unit_test(refuses_bad_antennas),
                                       cmocka_unit_test(reads_sites),
                                       cmocka_unit_test(reads_operators_sites),
                                       cmocka_unit_test(reads_sites_in_degrees),
                                       cmocka_unit_test(utm_without_gdal),
                                       cmocka_unit_test(reads_third_party_tables),
                                       cmocka_unit_test(reads_tables_of_several_bands),
                                       cmocka_unit_test(refuses_bad_sites),
                                       cmocka_unit_test(leaves_out_bad_sites)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
