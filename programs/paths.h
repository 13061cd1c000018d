/* What the parts of the command paths share. */
#ifndef PROGRAMS_PATHS_H
#define PROGRAMS_PATHS_H

#include "call.h"

/* paths_report.c */
void report_paths(const struct call *call, const struct request *request, const rw_paths *paths);

#endif
