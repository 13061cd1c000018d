/* What the parts of the command paths share. */
#ifndef COMMANDS_PATHS_PATHS_H
#define COMMANDS_PATHS_PATHS_H

#include "command.h"

/* Options. */
struct paths_settings {
    struct input_options inputs;
    const char *points_file, *plot, *rx_array, *tx_array, *out, *views, *profile, *to_crs;
    struct point_list points;
    double bandwidth_hz, speed_m_s;
    int frequencies;
};

/* channel.c: the arrays that --rx-array and --tx-array say, checked before the work. Returns the exit status. */
int check_arrays(const struct call *call);
rw_status write_channel(struct call *call, const rw_paths *paths, int ports);

/* points.c: the points that are asked for, of --at and --points, in the scene's coordinates; *points and *motions
 * are to be freed. Returns the exit status. */
int find_points(struct call *call, const rw_scene *scene, rw_point **points, rw_motion **motions, size_t *count);

/* points.c: a dual-polarised transmitter as two, one for each port, which follow each other; *ports is to be
 * freed. NULL where there is none. each: 2 where all transmitters have two ports, 1 otherwise. Returns the exit status.
 */
int split_ports(struct call *call, struct request *request, rw_transmitter **ports, int *each);

/* report.c; budgets NULL: none. */
void report_paths(const struct call *call, const struct request *request, const rw_paths *paths,
                  const rw_budgets *budgets);

#endif
