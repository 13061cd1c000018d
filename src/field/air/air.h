/* Specific attenuation of the air's gases near the ground. */
#ifndef RW_FIELD_AIR_AIR_H
#define RW_FIELD_AIR_AIR_H

/* The state of the air. */
typedef struct rw_air_state {
    double temperature_k, dry_pressure_hpa, vapour_g_m3;
} rw_air_state;

/* 15 degrees Celsius, 1013.25 hPa of dry air, 7.5 g/m3 of water vapour: the reference of ITU-R P.676. */
rw_air_state rw_air_standard(void);

/* dB/km of oxygen with the dry continuum, and of water vapour, after ITU-R P.676-13, annex 1. All oxygen lines to 119
 * GHz and the strongest beyond; of water vapour the strongest and the continuum: together within 1 % of the whole
 * tables from 1 to 100 GHz, and worse beyond 350 GHz. */
double rw_oxygen_db_km(double freq_hz, const rw_air_state *air);
double rw_vapour_db_km(double freq_hz, const rw_air_state *air);

/* Specific attenuation of rain. */

/* dB/km = k rate^alpha, rate in mm/h. */
typedef struct rw_rain_law {
    double k, alpha;
} rw_rain_law;

/* ITU-R P.838-3, for 1 to 1000 GHz: of a path at an elevation, and a polarisation whose field is tilted from the
 * horizontal: 0 horizontal, a right angle vertical, half of it circular. */
rw_rain_law rw_rain_law_of(double freq_hz, double elevation_rad, double tilt_rad);

double rw_rain_db_km(rw_rain_law law, double rate_mm_h);

#endif
