/* What the parts of the command paths share. */
#ifndef PROGRAMS_PATHS_H
#define PROGRAMS_PATHS_H

#include "call.h"

/* channel.c: the arrays that --rx-array and --tx-array say, checked before the work. Returns the exit status. */
int check_arrays(const struct call *call);
rw_status write_channel(struct call *call, const rw_paths *paths);

/* paths_report.c */
void report_paths(const struct call *call, const struct request *request, const rw_paths *paths);

#endif
