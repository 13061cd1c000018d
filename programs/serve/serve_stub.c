/* Builds without libmicrohttpd have no server. */
#include "serve/serve_settings.h"

int run_serve(struct call *call)
{
    (void)call;
    return report_error("this build has no server; install libmicrohttpd-dev and build again");
}
