/* Normal noise from a seed, for measurements that tests make (Box and Muller 1958). */
#ifndef RW_TESTS_NOISE_H
#define RW_TESTS_NOISE_H

#include "base/maths/hash.h"

#include <math.h>

static inline double normal_noise(rw_random *random)
{
    double radius = sqrt(-2 * log(1 - rw_random_unit(random)));
    return radius * cos(2 * 3.14159265358979323846 * rw_random_unit(random));
}

#endif
