/* The subcommands of rasterwave calc: their options, the library's call, and what they answer. */
#include "commands/calc/calc.h"

#include <math.h>
#include <string.h>

#define FREQ                                                                                                           \
    {                                                                                                                  \
        "freq", CALC_QUANTITY, RW_QUANTITY_FREQUENCY_HZ, 1, "F", "frequency"                                           \
    }
#define LENGTH(name, required, value, help)                                                                            \
    {                                                                                                                  \
        name, CALC_QUANTITY, RW_QUANTITY_LENGTH_M, required, value, help                                               \
    }
#define ANGLE(name, required, value, help)                                                                             \
    {                                                                                                                  \
        name, CALC_QUANTITY, RW_QUANTITY_ANGLE_DEG, required, value, help                                              \
    }
#define NUMBER(name, required, value, help)                                                                            \
    {                                                                                                                  \
        name, CALC_QUANTITY, RW_QUANTITY_NUMBER, required, value, help                                                 \
    }
#define STRING(name, required, value, help)                                                                            \
    {                                                                                                                  \
        name, CALC_STRING, RW_QUANTITY_NUMBER, required, value, help                                                   \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        NULL, CALC_STRING, RW_QUANTITY_NUMBER, 0, NULL, NULL                                                           \
    }

static const struct calc_option free_space_options[] = {FREQ, LENGTH("distance", 1, "D", "between the antennas"), END};

static rw_status run_free_space(struct calc_call *call)
{
    rw_free_space_result result = {.size = sizeof result};
    double freq_hz = calc_number(call, "freq", 0), distance_m = calc_number(call, "distance", 0);
    TRY(rw_calc_free_space(call->context, distance_m, freq_hz, &result));
    answer_begin(call);
    answer_number(call, "freq_hz", "frequency", freq_hz, "Hz");
    answer_number(call, "distance_m", "distance", distance_m, "m");
    answer_number(call, "loss_db", "free-space loss", result.loss_db, "dB");
    answer_number(call, "wavelength_m", "wavelength", result.wavelength_m, "m");
    answer_number(call, "delay_s", "delay", result.delay_s, "s");
    answer_number(call, "phase_deg", "phase", result.phase_deg, "deg");
    answer_end(call);
    return RW_OK;
}

static const struct calc_option material_options[] = {
    STRING("name", 1, "NAME", "such as itu_concrete, pec or 5.2,0.03"), FREQ, END};

static rw_status run_material(struct calc_call *call)
{
    rw_material_result result = {.size = sizeof result};
    double freq_hz = calc_number(call, "freq", 0);
    const char *name = calc_string(call, "name", "");
    TRY(rw_calc_material(call->context, name, freq_hz, &result));
    answer_begin(call);
    answer_string(call, "name", "material", name);
    answer_number(call, "freq_hz", "frequency", freq_hz, "Hz");
    answer_number(call, "permittivity", "relative permittivity eps'", result.permittivity.re, "");
    answer_number(call, "permittivity_imaginary", "eps'' (loss)", -result.permittivity.im, "");
    answer_number(call, "conductivity_s_m", "conductivity", result.conductivity_s_m, "S/m");
    answer_number(call, "loss_tangent", "loss tangent", result.loss_tangent, "");
    answer_number(call, "attenuation_db_m", "attenuation inside", result.attenuation_db_m, "dB/m");
    answer_number(call, "freq_min_hz", "valid from", result.freq_min_hz, "Hz");
    answer_number(call, "freq_max_hz", "valid to", result.freq_max_hz, "Hz");
    answer_flag(call, "in_range", "in its range", result.in_range);
    answer_flag(call, "perfect_conductor", "perfect conductor", result.perfect_conductor);
    answer_end(call);
    return RW_OK;
}

static const struct calc_option slab_options[] = {
    STRING("material", 1, "NAME", "of a layer; repeat with --thickness for a stack"),
    LENGTH("thickness", 1, "D", "of that layer"),
    FREQ,
    ANGLE("angle", 0, "A", "of incidence, from the normal (0)"),
    LENGTH("distance", 0, "L", "of a source from the slab: misalignment of the view"),
    LENGTH("shift", 0, "D", "of the viewpoint towards the slab (exact along the normal)"),
    END};

static rw_status run_slab(struct calc_call *call)
{
    const struct calc_value *materials = calc_values(call, "material"), *thicknesses = calc_values(call, "thickness");
    rw_layer layers[CALC_REPEAT_MAX];
    rw_slab_options options;
    rw_slab_result result = {.size = sizeof result};
    rw_slab_options_init(&options);
    if (materials->count != thicknesses->count)
        return calc_fail(call, "%d materials and %d thicknesses are given; each layer needs both", materials->count,
                         thicknesses->count);
    options.layer_count = (size_t)materials->count;
    for (size_t i = 0; i < options.layer_count; i++) {
        layers[i].size = sizeof *layers;
        layers[i].material = materials->strings[i];
        layers[i].thickness_m = thicknesses->numbers[i][0];
    }
    options.layers = layers;
    options.freq_hz = calc_number(call, "freq", 0);
    options.angle_deg = calc_number(call, "angle", 0);
    options.source_distance_m = calc_number(call, "distance", 0);
    options.view_shift_m = calc_number(call, "shift", NAN);
    if (options.source_distance_m == 0 && !isnan(options.view_shift_m))
        return calc_fail(call, "--shift needs --distance, the distance of the source from the slab");
    TRY(rw_calc_slab(call->context, &options, &result));
    answer_begin(call);
    answer_number(call, "freq_hz", "frequency", options.freq_hz, "Hz");
    answer_number(call, "angle_deg", "angle of incidence", options.angle_deg, "deg");
    answer_complex(call, "reflection_te", "reflection TE", result.reflection_te, "");
    answer_complex(call, "reflection_tm", "reflection TM", result.reflection_tm, "");
    answer_complex(call, "transmission_te", "transmission TE", result.transmission_te, "");
    answer_complex(call, "transmission_tm", "transmission TM", result.transmission_tm, "");
    answer_number(call, "absorbed_te", "absorbed power TE", result.absorbed_te, "");
    answer_number(call, "absorbed_tm", "absorbed power TM", result.absorbed_tm, "");
    if (!isnan(result.misalignment_deg)) {
        answer_number(call, "view_shift_m", "shift of the viewpoint", result.view_shift_m, "m");
        answer_number(call, "misalignment_deg", "misalignment of the view", result.misalignment_deg, "deg");
    }
    answer_end(call);
    return RW_OK;
}

static const struct calc_option knife_edge_options[] = {
    NUMBER("nu", 0, "NU", "diffraction parameter of ITU-R P.526; or by geometry:"),
    LENGTH("height", 0, "H", "of the edge above the straight line"),
    LENGTH("before", 0, "D", "distance from the transmitter to the edge"),
    LENGTH("after", 0, "D", "distance from the edge to the receiver"),
    {"freq", CALC_QUANTITY, RW_QUANTITY_FREQUENCY_HZ, 0, "F", "frequency"},
    END};

static rw_status run_knife_edge(struct calc_call *call)
{
    rw_knife_edge_result result = {.size = sizeof result};
    double nu = calc_number(call, "nu", 0);
    if (!calc_values(call, "nu")->count) {
        rw_knife_edge_options options;
        rw_knife_edge_options_init(&options);
        options.freq_hz = calc_number(call, "freq", 0);
        options.height_m = calc_number(call, "height", 0);
        options.distance_before_m = calc_number(call, "before", 0);
        options.distance_after_m = calc_number(call, "after", 0);
        TRY(rw_calc_knife_edge_nu(call->context, &options, &nu));
    }
    TRY(rw_calc_knife_edge(call->context, nu, &result));
    answer_begin(call);
    answer_number(call, "nu", "nu", result.nu, "");
    answer_number(call, "loss_db", "loss, exact", result.loss_db, "dB");
    answer_number(call, "loss_p526_db", "loss, ITU-R P.526", result.loss_p526_db, "dB");
    answer_complex(call, "field", "field over free space", result.field, "");
    answer_end(call);
    return RW_OK;
}

static const struct calc_option wedge_options[] = {
    FREQ,
    ANGLE("exterior-angle", 0, "A", "free angle round the wedge: 270deg is a house corner (270)"),
    {"source", CALC_POINT, RW_QUANTITY_NUMBER, 1, "R,A[,Z]", "distance from edge, angle from one face, place along it"},
    {"observer", CALC_POINT, RW_QUANTITY_NUMBER, 1, "R,A[,Z]", "likewise"},
    STRING("pol", 0, "soft|hard", "electric field along the edge or across it (soft)"),
    STRING("material", 0, "NAME", "of both faces (pec)"),
    STRING("method", 0, "holm|luebbers", "of lossy faces (holm)"),
    END};

static void fill_wedge(const struct calc_call *call, rw_wedge_options *options)
{
    const double *source = calc_values(call, "source")->numbers[0],
                 *observer = calc_values(call, "observer")->numbers[0];
    rw_wedge_options_init(options);
    options->freq_hz = calc_number(call, "freq", 0);
    options->exterior_angle_deg = calc_number(call, "exterior-angle", options->exterior_angle_deg);
    options->source_m = source[0];
    options->source_angle_deg = source[1];
    options->source_along_m = source[2];
    options->observer_m = observer[0];
    options->observer_angle_deg = observer[1];
    options->observer_along_m = observer[2];
    options->material = calc_string(call, "material", options->material);
    options->method = calc_string(call, "method", options->method);
}

static rw_status run_wedge(struct calc_call *call)
{
    rw_wedge_options options;
    rw_wedge_result result = {.size = sizeof result};
    const char *polarisation = calc_string(call, "pol", "soft");
    int hard = strcmp(polarisation, "hard") == 0;
    if (!hard && strcmp(polarisation, "soft") != 0)
        return calc_fail(call, "--pol: '%s' is neither soft nor hard", polarisation);
    fill_wedge(call, &options);
    TRY(rw_calc_wedge(call->context, &options, &result));
    answer_begin(call);
    answer_number(call, "freq_hz", "frequency", options.freq_hz, "Hz");
    answer_string(call, "polarisation", "polarisation", polarisation);
    answer_complex(call, "field", "field over free space", hard ? result.hard : result.soft, "");
    answer_number(call, "loss_db", "loss beside free space", hard ? result.hard_loss_db : result.soft_loss_db, "dB");
    answer_complex(call, "diffracted", "diffracted part", hard ? result.diffracted_hard : result.diffracted_soft, "");
    answer_complex(call, "coefficient", "coefficient D", hard ? result.coefficient_hard : result.coefficient_soft,
                   "sqrt(m)");
    answer_number(call, "direct_m", "straight distance", result.direct_m, "m");
    answer_number(call, "over_edge_m", "distance over the edge", result.over_edge_m, "m");
    answer_flag(call, "line_of_sight", "line of sight", result.line_of_sight);
    answer_end(call);
    return RW_OK;
}

static const struct calc_option two_ray_options[] = {FREQ,
                                                     LENGTH("tx-height", 1, "H", "of the transmitter"),
                                                     LENGTH("rx-height", 1, "H", "of the receiver"),
                                                     LENGTH("distance", 1, "D", "along the ground"),
                                                     STRING("ground", 0, "NAME", "material (itu_medium_dry_ground)"),
                                                     END};

static rw_status run_two_ray(struct calc_call *call)
{
    rw_two_ray_options options;
    rw_two_ray_result result = {.size = sizeof result};
    rw_two_ray_options_init(&options);
    options.freq_hz = calc_number(call, "freq", 0);
    options.first_height_m = calc_number(call, "tx-height", 0);
    options.second_height_m = calc_number(call, "rx-height", 0);
    options.distance_m = calc_number(call, "distance", 0);
    options.ground = calc_string(call, "ground", options.ground);
    TRY(rw_calc_two_ray(call->context, &options, &result));
    answer_begin(call);
    answer_number(call, "freq_hz", "frequency", options.freq_hz, "Hz");
    answer_number(call, "loss_vertical_db", "loss, vertical", result.loss_vertical_db, "dB");
    answer_number(call, "loss_horizontal_db", "loss, horizontal", result.loss_horizontal_db, "dB");
    answer_number(call, "free_space_db", "free space alone", result.free_space_db, "dB");
    answer_complex(call, "field_vertical", "field over free space, vert.", result.field_vertical, "");
    answer_complex(call, "field_horizontal", "field over free space, hor.", result.field_horizontal, "");
    answer_complex(call, "reflection_vertical", "ground reflection, vertical", result.reflection_vertical, "");
    answer_complex(call, "reflection_horizontal", "ground reflection, horiz.", result.reflection_horizontal, "");
    answer_number(call, "direct_m", "direct path", result.direct_m, "m");
    answer_number(call, "reflected_m", "reflected path", result.reflected_m, "m");
    answer_number(call, "grazing_angle_deg", "grazing angle", result.grazing_angle_deg, "deg");
    answer_end(call);
    return RW_OK;
}

static const struct calc_option scatter_options[] = {
    STRING("pattern", 0, "NAME", "lambertian, directive or backscattering (lambertian)"),
    NUMBER("scattering", 0, "S", "of the reflected power, S^2 is scattered (0.4)"),
    NUMBER("alpha-r", 0, "N", "exponent of the specular lobe, 1 to 20 (4)"),
    NUMBER("alpha-i", 0, "N", "exponent of the back lobe, 1 to 20 (4)"),
    NUMBER("share", 0, "L", "of the specular lobe, 0 to 1 (0.75)"),
    ANGLE("incidence", 1, "A", "from the normal"),
    ANGLE("scatter", 1, "A", "from the normal"),
    ANGLE("azimuth", 0, "A", "from the specular direction (0)"),
    END};

/* An exponent, which must be a whole number. */
static rw_status read_exponent(struct calc_call *call, const char *name, int *exponent)
{
    double value = calc_number(call, name, *exponent);
    if (!(value >= 1 && value <= 20) || value != (int)value)
        return calc_fail(call, "--%s is %g; it must be a whole number from 1 to 20", name, value);
    *exponent = (int)value;
    return RW_OK;
}

static rw_status run_scatter(struct calc_call *call)
{
    rw_scatter_options options;
    rw_scatter_result result = {.size = sizeof result};
    rw_scatter_options_init(&options);
    options.pattern = calc_string(call, "pattern", options.pattern);
    options.scattering = calc_number(call, "scattering", options.scattering);
    TRY(read_exponent(call, "alpha-r", &options.specular_exponent));
    TRY(read_exponent(call, "alpha-i", &options.back_exponent));
    options.specular_fraction = calc_number(call, "share", options.specular_fraction);
    options.incidence_deg = calc_number(call, "incidence", 0);
    options.scattering_deg = calc_number(call, "scatter", 0);
    options.azimuth_deg = calc_number(call, "azimuth", 0);
    TRY(rw_calc_scatter(call->context, &options, &result));
    answer_begin(call);
    answer_string(call, "pattern", "pattern", options.pattern);
    answer_number(call, "pattern_per_sr", "share per steradian", result.pattern_per_sr, "1/sr");
    answer_number(call, "scattered_share", "scattered share S^2", result.scattered_fraction, "");
    answer_number(call, "specular_loss_db", "taken from specular ray", result.specular_loss_db, "dB");
    answer_number(call, "cross_section_m2_m2", "cross section of 1 m^2", result.cross_section_m2_m2, "m^2");
    answer_end(call);
    return RW_OK;
}

static const struct calc_option antenna_options[] = {
    STRING("antenna", 1, "NAME", "isotropic, dipole, 3gpp or an MSI file"),
    ANGLE("theta", 0, "A", "direction: from zenith (90)"),
    ANGLE("phi", 0, "A", "direction: from east, counter-clockwise (0)"),
    ANGLE("azimuth", 0, "A", "of the boresight, clockwise from north (0)"),
    ANGLE("downtilt", 0, "A", "of the boresight (0)"),
    ANGLE("roll", 0, "A", "about the boresight (0)"),
    ANGLE("slant", 0, "A", "polarisation: 0 vertical, 90 horizontal (0)"),
    {"freq", CALC_QUANTITY, RW_QUANTITY_FREQUENCY_HZ, 0, "F", "frequency, for the effective length"},
    END};

static rw_status run_antenna(struct calc_call *call)
{
    rw_antenna_options options;
    rw_antenna_result result = {.size = sizeof result};
    rw_antenna_options_init(&options);
    options.antenna = calc_string(call, "antenna", options.antenna);
    options.theta_deg = calc_number(call, "theta", options.theta_deg);
    options.phi_deg = calc_number(call, "phi", 0);
    options.azimuth_deg = calc_number(call, "azimuth", 0);
    options.downtilt_deg = calc_number(call, "downtilt", 0);
    options.roll_deg = calc_number(call, "roll", 0);
    options.slant_deg = calc_number(call, "slant", 0);
    options.freq_hz = calc_number(call, "freq", 0);
    TRY(rw_calc_antenna(call->context, &options, &result));
    answer_begin(call);
    answer_string(call, "antenna", "antenna", options.antenna);
    answer_number(call, "gain_dbi", "gain", result.gain_dbi, "dBi");
    answer_number(call, "vertical", "field on theta", result.vertical, "");
    answer_number(call, "horizontal", "field on phi", result.horizontal, "");
    if (options.freq_hz > 0)
        answer_number(call, "effective_length_m", "effective length, 50 ohm", result.effective_length_m, "m");
    answer_end(call);
    return RW_OK;
}

#define SITE_LINK                                                                                                      \
    FREQ, LENGTH("distance", 1, "D", "along the ground"), LENGTH("tx-height", 1, "H", "of the mast"),                  \
        LENGTH("rx-height", 0, "H", "of the mobile (1.5)")

static const struct calc_option walfisch_ikegami_options[] = {
    SITE_LINK,
    LENGTH("roof", 0, "H", "mean height of roofs (15)"),
    LENGTH("street", 0, "W", "width of the street (20)"),
    LENGTH("spacing", 0, "B", "from house to house (40)"),
    ANGLE("angle", 0, "A", "of the street to the direct line (90)"),
    STRING("city", 0, "NAME", "medium or metropolitan (medium)"),
    END};
static const struct calc_option cost_hata_options[] = {
    SITE_LINK, STRING("city", 0, "NAME", "medium or metropolitan (medium)"), END};
static const struct calc_option site_3gpp_options[] = {SITE_LINK, END};
static const struct calc_option p1411_options[] = {
    SITE_LINK, LENGTH("roof", 0, "H", "mean height of roofs, above which a mast is over rooftops (15)"),
    STRING("environment", 0, "NAME", "high-rise, low-rise or residential (high-rise)"), END};

static rw_status run_site_general(struct calc_call *call, const char *method)
{
    rw_site_general_options options;
    rw_site_general_result result = {.size = sizeof result};
    rw_site_general_options_init(&options);
    const char *city = calc_string(call, "city", "medium");
    options.metropolitan = strcmp(city, "metropolitan") == 0;
    if (!options.metropolitan && strcmp(city, "medium") != 0)
        return calc_fail(call, "--city: '%.60s' is neither medium nor metropolitan", city);
    options.method = method;
    options.freq_hz = calc_number(call, "freq", 0);
    options.distance_m = calc_number(call, "distance", 0);
    options.base_height_m = calc_number(call, "tx-height", 0);
    options.mobile_height_m = calc_number(call, "rx-height", options.mobile_height_m);
    options.mean_roof_m = calc_number(call, "roof", options.mean_roof_m);
    options.street_width_m = calc_number(call, "street", options.street_width_m);
    options.building_spacing_m = calc_number(call, "spacing", options.building_spacing_m);
    options.street_angle_deg = calc_number(call, "angle", options.street_angle_deg);
    options.environment = calc_string(call, "environment", options.environment);
    TRY(rw_calc_site_general(call->context, &options, &result));
    answer_begin(call);
    answer_number(call, "freq_hz", "frequency", options.freq_hz, "Hz");
    answer_number(call, "nlos_db", "loss out of sight", result.nlos_db, "dB");
    if (strcmp(method, "cost_hata") != 0)
        answer_number(call, "los_db", "loss in sight", result.los_db, "dB");
    answer_number(call, "free_space_db", "free space alone", result.free_space_db, "dB");
    answer_flag(call, "in_range", "within its range", result.in_range);
    answer_end(call);
    return RW_OK;
}

static rw_status run_walfisch_ikegami(struct calc_call *call)
{
    return run_site_general(call, "walfisch_ikegami");
}

static rw_status run_cost_hata(struct calc_call *call)
{
    return run_site_general(call, "cost_hata");
}

static rw_status run_3gpp_umi(struct calc_call *call)
{
    return run_site_general(call, "3gpp_umi");
}

static rw_status run_3gpp_uma(struct calc_call *call)
{
    return run_site_general(call, "3gpp_uma");
}

static rw_status run_p1411(struct calc_call *call)
{
    return run_site_general(call, "p1411");
}

static const struct calc_option air_options[] = {
    FREQ,
    {"rain", CALC_QUANTITY, RW_QUANTITY_RAIN_MM_H, 0, "R", "rate of rain (0mm/h)"},
    NUMBER("temperature", 0, "C", "degrees Celsius (15)"),
    NUMBER("pressure", 0, "P", "of dry air, hPa (1013.25)"),
    NUMBER("vapour", 0, "W", "water vapour, g/m3 (7.5)"),
    ANGLE("elevation", 0, "A", "of the path (0)"),
    ANGLE("tilt", 0, "A", "of the field from the horizontal (90: vertical)"),
    LENGTH("distance", 0, "D", "of the path (1km)"),
    END};

static rw_status run_air(struct calc_call *call)
{
    rw_air_options options;
    rw_air_result result = {.size = sizeof result};
    rw_air_options_init(&options);
    options.freq_hz = calc_number(call, "freq", 0);
    options.rain_mm_h = calc_number(call, "rain", 0);
    options.temperature_c = calc_number(call, "temperature", options.temperature_c);
    options.dry_pressure_hpa = calc_number(call, "pressure", options.dry_pressure_hpa);
    options.vapour_g_m3 = calc_number(call, "vapour", options.vapour_g_m3);
    options.elevation_deg = calc_number(call, "elevation", 0);
    options.tilt_deg = calc_number(call, "tilt", options.tilt_deg);
    TRY(rw_calc_air(call->context, &options, &result));
    answer_begin(call);
    answer_number(call, "freq_hz", "frequency", options.freq_hz, "Hz");
    answer_number(call, "oxygen_db_km", "oxygen", result.oxygen_db_km, "dB/km");
    answer_number(call, "vapour_db_km", "water vapour", result.vapour_db_km, "dB/km");
    answer_number(call, "rain_db_km", "rain", result.rain_db_km, "dB/km");
    answer_number(call, "rain_k", "k of rain", result.rain_k, "");
    answer_number(call, "rain_alpha", "alpha of rain", result.rain_alpha, "");
    answer_number(call, "total_db_km", "together", result.total_db_km, "dB/km");
    answer_number(call, "loss_db", "over the distance", result.total_db_km * calc_number(call, "distance", 1e3) * 1e-3,
                  "dB");
    answer_end(call);
    return RW_OK;
}

static const struct calc_option foliage_options[] = {FREQ, LENGTH("depth", 1, "D", "of the way in trees"), END};

static rw_status run_foliage(struct calc_call *call)
{
    rw_foliage_result result = {.size = sizeof result};
    double freq_hz = calc_number(call, "freq", 0), depth_m = calc_number(call, "depth", 0);
    TRY(rw_calc_foliage(call->context, depth_m, freq_hz, &result));
    answer_begin(call);
    answer_number(call, "freq_hz", "frequency", freq_hz, "Hz");
    answer_number(call, "depth_m", "depth", depth_m, "m");
    answer_number(call, "loss_db", "loss", result.loss_db, "dB");
    answer_number(call, "db_per_m", "first metres", result.db_per_m, "dB/m");
    answer_number(call, "most_db", "at most", result.max_db, "dB");
    answer_end(call);
    return RW_OK;
}

const struct calc_command calc_commands[] = {
    {"free-space",
     "loss, delay and phase over a distance",
     free_space_options,
     {"free-space --freq 947MHz --distance 1km", "free-space --freq 60GHz --distance 10m --json"},
     run_free_space},
    {"material",
     "permittivity and conductivity at a frequency",
     material_options,
     {"material --name itu_concrete --freq 3.5GHz", "material --name 5.2,0.03 --freq 900MHz --json"},
     run_material},
    {"slab",
     "reflection and transmission of a wall or stack of layers",
     slab_options,
     {"slab --material itu_glass --thickness 6mm --freq 3.5GHz --angle 30deg",
      "slab --material itu_wood --thickness 2cm --material 1,0 --thickness 9cm --freq 6e9"},
     run_slab},
    {"air",
     "attenuation by oxygen, water vapour and rain",
     air_options,
     {"air --freq 28GHz --rain 20mm/h", "air --freq 60GHz --distance 500m --json"},
     run_air},
    {"foliage",
     "loss of a way through trees",
     foliage_options,
     {"foliage --freq 947MHz --depth 30m", "foliage --freq 2GHz --depth 100m --json"},
     run_foliage},
    {"knife-edge",
     "diffraction by one sharp edge",
     knife_edge_options,
     {"knife-edge --nu 1 --json", "knife-edge --height 10m --before 500m --after 200m --freq 947MHz"},
     run_knife_edge},
    {"wedge",
     "the field round a wedge: direct, reflected and diffracted",
     wedge_options,
     {"wedge --freq 1GHz --source 20m,30deg --observer 50m,250deg --pol soft",
      "wedge --freq 2GHz --source 50m,10deg --observer 30m,200deg --material itu_brick"},
     run_wedge},
    {"two-ray",
     "direct and ground-reflected path together",
     two_ray_options,
     {"two-ray --freq 900MHz --tx-height 13m --rx-height 1.5m --distance 1km",
      "two-ray --freq 3.5GHz --tx-height 25m --rx-height 2m --distance 300m --json"},
     run_two_ray},
    {"terrain",
     "diffraction over a terrain profile (ITU-R P.1812)",
     calc_terrain_options,
     {"terrain --profile profile.csv --freq 800MHz",
      "terrain --profile profile.csv --freq 2GHz --tx-height 60m --k-factor 1 --json"},
     calc_run_terrain},
    {"scatter",
     "diffuse scattering by a rough wall",
     scatter_options,
     {"scatter --incidence 30deg --scatter 60deg",
      "scatter --pattern directive --alpha-r 8 --incidence 45deg --scatter 45deg --json"},
     run_scatter},
    {"antenna",
     "gain and polarisation towards a direction",
     antenna_options,
     {"antenna --antenna dipole --theta 60deg",
      "antenna --antenna 3gpp --azimuth 90deg --downtilt 6deg --theta 96deg --json"},
     run_antenna},
    {"walfisch-ikegami",
     "path loss in a city by its averages (COST 231)",
     walfisch_ikegami_options,
     {"walfisch-ikegami --freq 947MHz --distance 1km --tx-height 13m --roof 17m",
      "walfisch-ikegami --freq 1.8GHz --distance 2km --tx-height 30m --json"},
     run_walfisch_ikegami},
    {"cost-hata",
     "path loss from a mast high above a city (COST 231)",
     cost_hata_options,
     {"cost-hata --freq 1.8GHz --distance 2km --tx-height 30m",
      "cost-hata --freq 1.8GHz --distance 5km --tx-height 50m --city metropolitan --json"},
     run_cost_hata},
    {"3gpp-umi",
     "path loss in street canyons (3GPP TR 38.901)",
     site_3gpp_options,
     {"3gpp-umi --freq 3.5GHz --distance 100m --tx-height 10m",
      "3gpp-umi --freq 28GHz --distance 80m --tx-height 6m --json"},
     run_3gpp_umi},
    {"3gpp-uma",
     "path loss from above roofs (3GPP TR 38.901)",
     site_3gpp_options,
     {"3gpp-uma --freq 2GHz --distance 1km --tx-height 25m",
      "3gpp-uma --freq 700MHz --distance 3km --tx-height 35m --json"},
     run_3gpp_uma},
    {"p1411",
     "path loss in streets and over roofs (ITU-R P.1411)",
     p1411_options,
     {"p1411 --freq 3.5GHz --distance 200m --tx-height 10m",
      "p1411 --freq 3.5GHz --distance 500m --tx-height 25m --roof 17m --json"},
     run_p1411},
    {NULL, NULL, NULL, {NULL, NULL}, NULL},
};
