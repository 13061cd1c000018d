/* How far a wave and the wave that an edge diffracts of it are one wave.
 *
 * From s, the root of k times what the path over the edge is longer by, to the coherence of both: at the edge's
 * boundary of shadow or reflection they have one length and one direction, the wave ends there, and only their fields
 * together are continuous (Kouyoumjian and Pathak, Proc. IEEE 62, 1974). s^2 = k (s1 + s2 - s12) is the argument of
 * their transition function; s = 1.53 is the first maximum of the field behind a half screen (ITU-R P.526-15,
 * section 4.1). Beyond a few Fresnel zones they are different waves, which add by power. */
#ifndef RW_FIELD_EDGES_EDGE_BOUNDARY_K_H
#define RW_FIELD_EDGES_EDGE_BOUNDARY_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>

/* s up to which they are one wave, and from which they are two. */
#define RW_BOUNDARY_ROOT_WHOLE 1.25
#define RW_BOUNDARY_ROOT_MAX 3.0

/* 0 at 0 and below, 1 at 1 and above, smooth between. */
RW_FN double rw_boundary_window(double at)
{
    double t = at < 0.0 ? 0.0 : at > 1.0 ? 1.0 : at;
    return t * t * (3.0 - 2.0 * t);
}

/* 1: one wave, 0: two. */
RW_FN double rw_boundary_coherence(double root)
{
    return rw_boundary_window((RW_BOUNDARY_ROOT_MAX - root) / (RW_BOUNDARY_ROOT_MAX - RW_BOUNDARY_ROOT_WHOLE));
}

#endif
