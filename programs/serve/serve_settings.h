/* serve: its options, and the server that they start. */
#ifndef SERVE_SERVE_SETTINGS_H
#define SERVE_SERVE_SETTINGS_H

#include "cli/cli.h"

struct serve_settings {
    struct scene_options scene;
    const char *root, *listen, *token, *backdrop, *answer, *out;
    int port;
};

/* serve.c, or serve_stub.c in builds without libmicrohttpd. Returns the exit status. */
int run_serve(struct call *call);

#endif
