/* rasterwave: the physics behind the models, one number at a time, for engineers and for checking.
 *
 * Free space, materials, slabs, edges, ground reflection, scattering and antennas. Conventions are those of
 * rasterwave.h; fields follow e^{+j omega t}. Every call takes frequencies from 100 MHz to 100 GHz and warns outside,
 * as it does outside a material's range; what has no meaning is RW_BAD_CALL.
 *
 * A material is a name of ITU-R P.2040 ("itu_concrete"), "pec" (a perfect conductor), or two numbers "EPS,SIGMA":
 * relative permittivity and conductivity in S/m. */
#ifndef RASTERWAVE_CALC_H
#define RASTERWAVE_CALC_H

#include <rasterwave/rasterwave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A complex number of a field. */
typedef struct rw_field_value {
    double re, im;
} rw_field_value;

/* Free space over a distance. */
typedef struct rw_free_space_result {
    size_t size;
    double loss_db;
    double wavelength_m, delay_s;
    double phase_deg; /* of the field, in (-180, 180] */
} rw_free_space_result;

/* Free-space loss (Friis). */
RW_API rw_status rw_calc_free_space(rw_context *context, double distance_m, double freq_hz,
                                    rw_free_space_result *result);

/* A material at a frequency. */
typedef struct rw_material_result {
    size_t size;
    rw_field_value permittivity; /* relative, eps' - j eps'' */
    double conductivity_s_m, loss_tangent;
    double attenuation_db_m;         /* of a plane wave inside */
    double freq_min_hz, freq_max_hz; /* where the values hold */
    int in_range;
    int perfect_conductor; /* then conductivity and loss are infinite */
} rw_material_result;

/* Permittivity and conductivity of a material at a frequency (ITU-R P.2040). */
RW_API rw_status rw_calc_material(rw_context *context, const char *material, double freq_hz,
                                  rw_material_result *result);

/* Reflection and transmission of a stack of layers between air and air, at an angle from the normal. The phase of the
 * transmission is taken straight opposite the point of incidence. */
typedef struct rw_slab_options {
    size_t size;
    const rw_layer *layers;
    size_t layer_count;
    double freq_hz, angle_deg;
    double source_distance_m; /* before the slab; 0: no view through it is computed */
    double view_shift_m;      /* of the viewpoint towards the slab; NaN: the shift that is exact along the normal */
} rw_slab_options;

/* Field coefficients of a slab; TE: electric field perpendicular to the plane of incidence, TM: in it. */
typedef struct rw_slab_result {
    size_t size;
    rw_field_value reflection_te, reflection_tm, transmission_te, transmission_tm;
    double absorbed_te, absorbed_tm; /* share of power: 1 - |R|^2 - |T|^2 */
    /* Of a view through the slab, NaN without source_distance_m: the shift, and the angle between a ray after the slab
     * and the line from the shifted viewpoint (Novak 2016, equation (1)). */
    double view_shift_m, misalignment_deg;
} rw_slab_result;

/* No layers, 1 GHz, along the normal, no view. */
RW_API void rw_slab_options_init_sized(rw_slab_options *options, size_t size);
#define rw_slab_options_init(options) rw_slab_options_init_sized((options), sizeof *(options))
/* Reflection and transmission of a slab. */
RW_API rw_status rw_calc_slab(rw_context *context, const rw_slab_options *options, rw_slab_result *result);

/* Air between the antennas: gases and rain. */
typedef struct rw_air_options {
    size_t size;
    double freq_hz;
    double rain_mm_h;
    double temperature_c, dry_pressure_hpa, vapour_g_m3;
    double elevation_deg; /* of the path */
    double tilt_deg;      /* of the field from the horizontal: 90 vertical, 45 circular */
} rw_air_options;

/* Specific attenuations. */
typedef struct rw_air_result {
    size_t size;
    double oxygen_db_km, vapour_db_km; /* ITU-R P.676 */
    double rain_db_km;                 /* ITU-R P.838: rain_k rain_mm_h^rain_alpha */
    double rain_k, rain_alpha;
    double total_db_km;
} rw_air_result;

/* 10 GHz, dry, 15 degrees Celsius, 1013.25 hPa, 7.5 g/m3, level and vertical. */
RW_API void rw_air_options_init_sized(rw_air_options *options, size_t size);
#define rw_air_options_init(options) rw_air_options_init_sized((options), sizeof *(options))
/* Attenuation by oxygen, water vapour and rain. */
RW_API rw_status rw_calc_air(rw_context *context, const rw_air_options *options, rw_air_result *result);

/* Woodland on the way. */
typedef struct rw_foliage_result {
    size_t size;
    double loss_db;
    double db_per_m, max_db; /* of the first metres, and what no depth exceeds */
} rw_foliage_result;

/* Loss of a way through so many metres of trees (ITU-R P.833). */
RW_API rw_status rw_calc_foliage(rw_context *context, double depth_m, double freq_hz, rw_foliage_result *result);

/* Diffraction by one knife edge. */
typedef struct rw_knife_edge_result {
    size_t size;
    double nu;
    double loss_db;       /* exact Fresnel integral */
    double loss_p526_db;  /* ITU-R P.526's approximation */
    rw_field_value field; /* relative to free space */
} rw_knife_edge_result;

/* Loss of a knife edge from its parameter nu (ITU-R P.526). */
RW_API rw_status rw_calc_knife_edge(rw_context *context, double nu, rw_knife_edge_result *result);

/* nu of an edge height_m above the line between two points. */
typedef struct rw_knife_edge_options {
    size_t size;
    double freq_hz, height_m, distance_before_m, distance_after_m;
} rw_knife_edge_options;

/* All zero, to be filled by the caller. */
RW_API void rw_knife_edge_options_init_sized(rw_knife_edge_options *options, size_t size);
#define rw_knife_edge_options_init(options) rw_knife_edge_options_init_sized((options), sizeof *(options))
/* The parameter nu of a knife edge from its geometry. */
RW_API rw_status rw_calc_knife_edge_nu(rw_context *context, const rw_knife_edge_options *options, double *nu);

/* A link over terrain. The profile begins under one antenna and ends under the other. */
typedef struct rw_terrain_loss_options {
    size_t size;
    double freq_hz;
    const char *profile; /* CSV with columns distance_m (or distance_km), height_m and, of what stands on the ground
                            between the ends, clutter_m; NULL: the arrays */
    const double *distance_m, *height_m, *clutter_m; /* clutter_m may be NULL */
    size_t count;
    double first_height_m, last_height_m; /* of the antennas above ground */
    double k_factor;                      /* effective earth radius over the true one, 6371 km; 1e6: flat */
    double sea_fraction;                  /* of the path */
    int horizontal;                       /* polarisation; 0: vertical */
} rw_terrain_loss_options;

/* No profile, antennas at 30 m and 1.5 m, k = 4/3, land, vertical. */
RW_API void rw_terrain_loss_options_init_sized(rw_terrain_loss_options *options, size_t size);
#define rw_terrain_loss_options_init(options) rw_terrain_loss_options_init_sized((options), sizeof *(options))

/* Loss of a link over terrain. */
typedef struct rw_terrain_loss_result {
    size_t size;
    double loss_db;         /* free space and diffraction */
    double diffraction_db;  /* delta-Bullington: ITU-R P.1812, section 4.3, for half of the time */
    double bullington_db;   /* the part of Bullington's edge over the profile */
    double nu;              /* of that edge */
    double smooth_earth_db; /* of a smooth earth of the same trend */
    double free_space_db;
    double length_m, earth_radius_m; /* the radius is the effective one */
    int line_of_sight;
} rw_terrain_loss_result;

/* Diffraction over a profile by delta-Bullington (ITU-R P.1812). */
RW_API rw_status rw_calc_terrain(rw_context *context, const rw_terrain_loss_options *options,
                                 rw_terrain_loss_result *result);

/* A point source by a wedge. Angles are measured round the outside from one face; along is the place along the edge. */
typedef struct rw_wedge_options {
    size_t size;
    double freq_hz, exterior_angle_deg;
    double source_m, source_angle_deg, source_along_m;
    double observer_m, observer_angle_deg, observer_along_m;
    const char *material;
    const char *method; /* of lossy faces: "holm" or "luebbers" */
} rw_wedge_options;

/* Soft: electric field along the edge. Hard: across it. Fields are relative to free space over direct_m. */
typedef struct rw_wedge_result {
    size_t size;
    rw_field_value soft, hard; /* direct, reflected and diffracted together */
    double soft_loss_db, hard_loss_db;
    rw_field_value diffracted_soft, diffracted_hard;   /* the diffracted part alone */
    rw_field_value coefficient_soft, coefficient_hard; /* D in sqrt(m) */
    double direct_m, over_edge_m;
    int line_of_sight;
} rw_wedge_result;

/* An exterior angle of 270 degrees, perfectly conducting faces. */
RW_API void rw_wedge_options_init_sized(rw_wedge_options *options, size_t size);
#define rw_wedge_options_init(options) rw_wedge_options_init_sized((options), sizeof *(options))
/* Direct, reflected and diffracted field at a wedge (UTD). */
RW_API rw_status rw_calc_wedge(rw_context *context, const rw_wedge_options *options, rw_wedge_result *result);

/* Two antennas over flat ground. */
typedef struct rw_two_ray_options {
    size_t size;
    double freq_hz, first_height_m, second_height_m, distance_m; /* horizontal distance */
    const char *ground;
} rw_two_ray_options;

/* Direct and ground-reflected path together. */
typedef struct rw_two_ray_result {
    size_t size;
    double loss_vertical_db, loss_horizontal_db, free_space_db;
    rw_field_value field_vertical, field_horizontal; /* relative to free space over direct_m */
    rw_field_value reflection_vertical, reflection_horizontal;
    double direct_m, reflected_m, grazing_angle_deg;
} rw_two_ray_result;

/* Medium dry ground. */
RW_API void rw_two_ray_options_init_sized(rw_two_ray_options *options, size_t size);
#define rw_two_ray_options_init(options) rw_two_ray_options_init_sized((options), sizeof *(options))
/* Field of the direct and the ground-reflected path. */
RW_API rw_status rw_calc_two_ray(rw_context *context, const rw_two_ray_options *options, rw_two_ray_result *result);

/* A mast and a mobile in a city that is known by its averages alone. */
typedef struct rw_site_general_options {
    size_t size;
    const char *method;         /* "walfisch_ikegami", "cost_hata", "3gpp_umi", "3gpp_uma" or "p1411" */
    double freq_hz, distance_m; /* along the ground */
    double base_height_m, mobile_height_m;
    double mean_roof_m;                                          /* p1411: a mast above it is above rooftops */
    double street_width_m, building_spacing_m, street_angle_deg; /* of walfisch_ikegami */
    int metropolitan;                                            /* of walfisch_ikegami and cost_hata */
    const char *environment; /* of p1411 below rooftops: "high-rise", "low-rise" or "residential" */
} rw_site_general_options;

/* Median losses, without shadowing. */
typedef struct rw_site_general_result {
    size_t size;
    double los_db; /* in line of sight; NaN where the formula has none */
    double nlos_db, free_space_db;
    int in_range; /* of what the formula was fitted to */
} rw_site_general_result;

/* Walfisch-Ikegami, a mobile at 1.5 m, roofs at 15 m, streets 20 m wide, houses 40 m apart, a street across. */
RW_API void rw_site_general_options_init_sized(rw_site_general_options *options, size_t size);
#define rw_site_general_options_init(options) rw_site_general_options_init_sized((options), sizeof *(options))
/* Path loss without a map (COST 231, 3GPP TR 38.901, ITU-R P.1411); warns where it extrapolates. */
RW_API rw_status rw_calc_site_general(rw_context *context, const rw_site_general_options *options,
                                      rw_site_general_result *result);

/* Diffuse scattering by effective roughness: "lambertian", "directive" or "backscattering". Angles from the normal;
 * azimuth from the specular direction. */
typedef struct rw_scatter_options {
    size_t size;
    const char *pattern;
    double scattering; /* S: of the reflected power, S^2 is scattered */
    int specular_exponent, back_exponent;
    double specular_fraction; /* of the two lobes of "backscattering" */
    double incidence_deg, scattering_deg, azimuth_deg;
} rw_scatter_options;

/* Diffuse scattering towards one direction. */
typedef struct rw_scatter_result {
    size_t size;
    double pattern_per_sr;      /* of the scattered power; 1 over the half space */
    double scattered_fraction;  /* S^2 */
    double specular_loss_db;    /* what roughness takes from the specular ray */
    double cross_section_m2_m2; /* 4 pi S^2 cos(incidence) pattern: bistatic, per square metre of a wall that reflects
                                   all */
} rw_scatter_result;

/* Lambertian, S = 0.4. */
RW_API void rw_scatter_options_init_sized(rw_scatter_options *options, size_t size);
#define rw_scatter_options_init(options) rw_scatter_options_init_sized((options), sizeof *(options))
/* Diffuse scattering by effective roughness. */
RW_API rw_status rw_calc_scatter(rw_context *context, const rw_scatter_options *options, rw_scatter_result *result);

/* An antenna where it stands: gain and polarisation towards a direction of the scene (theta from zenith, phi from east,
 * counter-clockwise). slant_deg 0 is vertical, 90 horizontal, 45 slanted. */
typedef struct rw_antenna_options {
    size_t size;
    const char *antenna;
    double azimuth_deg, downtilt_deg, roll_deg, slant_deg;
    double theta_deg, phi_deg;
    double freq_hz; /* 0: no effective length */
} rw_antenna_options;

/* Gain and polarisation of an antenna towards one direction. */
typedef struct rw_antenna_result {
    size_t size;
    double gain_dbi;
    double vertical, horizontal; /* components of the unit field vector on theta and phi of the scene */
    double effective_length_m;   /* into 50 ohm */
} rw_antenna_result;

/* Isotropic, towards the horizon. */
RW_API void rw_antenna_options_init_sized(rw_antenna_options *options, size_t size);
#define rw_antenna_options_init(options) rw_antenna_options_init_sized((options), sizeof *(options))
/* Gain and polarisation of an antenna in the scene. */
RW_API rw_status rw_calc_antenna(rw_context *context, const rw_antenna_options *options, rw_antenna_result *result);

#ifdef __cplusplus
}
#endif
#endif
