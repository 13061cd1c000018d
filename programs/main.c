#include "calc.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "calc") == 0)
        return command_calc(argc - 1, argv + 1);
    puts(rw_version());
    return 0;
}
