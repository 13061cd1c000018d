/* info: what is in a file. */
#ifndef COMMANDS_INFO_INFO_H
#define COMMANDS_INFO_INFO_H

#include "command.h"

/* Options. */
struct info_settings {
    struct scene_options scene;
    const char *csr;
    struct point_list points;
    int transmitter;
};

/* stored.c: a file that the library stores, such as a database. Returns the exit status. */
int describe_stored_file(struct call *call, const char *path);

/* delays.c: the histogram of delays at the point of --at. Returns the exit status. */
int describe_delays(struct call *call);

/* budget.c: the prediction that made a map, opened again; --quiet: not opened, NULL. */
struct map_call;
struct report;
struct map_call *open_map_call(struct call *call, const char *path);
void close_map_call(struct map_call *made); /* NULL is allowed */
/* Link budgets at a point of the map, in its coordinates, of each transmitter; or why there are none. */
void report_map_budgets(struct report *report, struct call *call, struct map_call *made, const rw_map *map,
                        const double at[2]);

#endif
