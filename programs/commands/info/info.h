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

#endif
