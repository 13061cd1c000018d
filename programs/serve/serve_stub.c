/* Stand-in for builds without libmicrohttpd. */
#include "command.h"

int command_serve(struct call *call)
{
    (void)call;
    return report_error("this build has no server; install libmicrohttpd-dev and build again");
}
