/* Loss through several walls on a straight line.
 *
 * From the number of walls of a kind to decibels, after Lott and Forkel, VTC 2001 (the shadow paper's PL_wall in eq.
 * (20)): each further wall of a kind costs less than the one before, since waves find ways round. Here the k-th wall
 * costs first_db ratio^(k-1), so K walls cost first_db (1 - ratio^K) / (1 - ratio). Empirical: valid inside buildings
 * of the kind that the numbers were fitted for. */
#ifndef RW_FIELD_PATHS_MULTI_WALL_K_H
#define RW_FIELD_PATHS_MULTI_WALL_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>

typedef struct rw_wall_kind {
    double first_db; /* loss of the first wall, >= 0 */
    double ratio;    /* of each wall's loss to the one before, in [0, 1] */
} rw_wall_kind;

RW_FN double rw_multi_wall_loss_db(rw_wall_kind kind, double wall_count)
{
    if (!(wall_count > 0.0))
        return 0.0;
    if (kind.ratio >= 1.0)
        return kind.first_db * wall_count;
    return kind.first_db * (1.0 - pow(kind.ratio, wall_count)) / (1.0 - kind.ratio);
}

/* Loss of a way over roofs that are only counted, by the walls below the straight line. each_db, of each wall, where it
 * is not negative; else a row of equal screens at grazing, one for the two walls of a house: N of them cost 20 log10(N
 * + 1) (L. E. Vogler, Radio Science 17, 1982). */
RW_FN double rw_counted_roofs_loss_db(double each_db, double wall_count)
{
    return each_db >= 0.0 ? each_db * wall_count : 20.0 * log10(1.0 + ceil(0.5 * wall_count));
}

#endif
