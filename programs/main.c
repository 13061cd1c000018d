#include <rasterwave/rasterwave.h>
#include <stdio.h>

int main(void)
{
    puts(rw_version());
    return 0;
}
