/* Which share of a network's blocks a process has. */
#ifndef COMMANDS_NETWORK_H
#define COMMANDS_NETWORK_H

#include "command.h"

struct shard {
    size_t number, count; /* from 1 */
    const char *from;     /* what says so */
};

/* By --shard (NULL: not given), or by what started the process. Returns the exit status. */
int find_shard(const char *option, struct shard *shard);

/* The GPU of this process as the environment has it for the CUDA library, by --device or its rank on the machine. */
void choose_device(const struct call *call);

#endif
