#include "base/container.h"

int rw_container_hash_agrees(uint64_t stored, uint64_t computed)
{
    return stored == computed;
}
