/* Specific attenuation of rain. */
#ifndef RW_FIELD_AIR_RAIN_H
#define RW_FIELD_AIR_RAIN_H

/* dB/km = k rate^alpha, rate in mm/h. */
typedef struct rw_rain_law {
    double k, alpha;
} rw_rain_law;

/* ITU-R P.838-3, for 1 to 1000 GHz: of a path at an elevation, and a polarisation whose field is tilted from the
 * horizontal: 0 horizontal, a right angle vertical, half of it circular. */
rw_rain_law rw_rain_law_of(double freq_hz, double elevation_rad, double tilt_rad);

double rw_rain_db_km(rw_rain_law law, double rate_mm_h);

#endif
