/* Antennas: from a direction to a gain. */
#ifndef RW_SCENE_ANTENNAS_ANTENNA_H
#define RW_SCENE_ANTENNAS_ANTENNA_H

#include "base/context.h"
#include "base/path.h"
#include "scene/antennas/antenna_shape.k.h"

struct rw_antenna {
    rw_antenna_kind kind;
    char *name;
    double peak_gain_dbi;
    double freq_hz;             /* as the file says; 0 where it does not */
    double electrical_tilt_deg; /* of a file, which its cuts hold already; NaN where it does not say */
    rw_sector_widths sector;    /* of a pattern by formula, with its own electrical tilt */
    rw_antenna_cut horizontal;  /* clockwise from boresight, seen from above */
    rw_antenna_cut vertical;    /* from boresight downwards: 90 is straight down, 180 behind */
    double deepest_loss_db;
};

/* Gain towards a direction (any length but zero) in the scene's frame: x east, y north, z up. The azimuth is a compass
 * bearing (clockwise from north), a positive downtilt lowers the boresight, and a positive roll turns the antenna
 * clockwise as seen from behind it. */
double rw_antenna_gain_towards(const rw_antenna *antenna, double azimuth_deg, double downtilt_deg, double roll_deg,
                               rw_vec3 direction);

/* The same in two steps, for many directions: the pattern, whose cuts are the antenna's, and how it is mounted. */
rw_antenna_shape rw_antenna_shape_of(const rw_antenna *antenna);
rw_mounting rw_mounting_of(double azimuth_deg, double downtilt_deg, double roll_deg);

/* Whether a name is that of a pattern of formulas, and not of a file. */
int rw_antenna_is_shape(const char *name);

/* Whether a pattern of formulas has an electrical tilt that a description may set: macro, omni, sector. */
int rw_antenna_is_sector(const char *name);

/* Whether the values of a macro, omni or sector are possible; other names pass. */
rw_status rw_antenna_check_shape(rw_context *context, const char *description);

/* Whether the gain depends on the azimuth: not of isotropic, dipole, omni. */
int rw_antenna_has_azimuth(const char *name);

/* antenna_sector.c: macro, omni or sector by their gain, widths and electrical tilt, into an antenna that is all zero.
 */
rw_status rw_antenna_read_sector(rw_context *context, const char *description, rw_antenna *antenna);

/* Reads an MSI/Planet file into an antenna that is all zero (antenna_msi.c). */
rw_status rw_antenna_read_msi(rw_context *context, const char *path, rw_antenna *antenna);

/* antenna_polarisation.c: from a word to the slant of the first port, and whether a second one stands across it. */
rw_status rw_polarisation_parse(rw_context *context, const char *string, double *slant_deg, int *dual);

/* antenna_set.c: whether a path is a set of MSI files: a folder, or a pattern with *. */
int rw_antenna_is_set(const char *path);

/* Of the set, the file of that electrical tilt (NaN: the only one) whose frequency is nearest (0: any). */
rw_status rw_antenna_choose(rw_context *context, const char *set, double electrical_tilt_deg, double freq_hz,
                            char path[RW_PATH_MAX]);

/* Sets the slopes of a cut from its samples (antenna_cut.c). */
void rw_antenna_cut_smooth(rw_antenna_cut *cut);

/* Transmitters of callers as whole structs with a name and an antenna. *resolved is the caller's own if
 * they are that already; else it is a copy, also stored in *copy, to be freed. */
rw_status rw_transmitter_resolve(rw_context *context, const rw_transmitter *user_transmitters,
                                 rw_transmitter *resolved);
rw_status rw_transmitters_resolve(rw_context *context, const rw_transmitter *user_transmitters, size_t count,
                                  const rw_transmitter **resolved, rw_transmitter **copy);

/* "transmitter " before a name in messages and titles, "" if the name already contains it, as the default does
 *. */
const char *rw_transmitter_prefix(const char *name);

#endif
