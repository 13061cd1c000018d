/* Loss through a wall's construction over the angle, from a table in decibels.
 *
 * From the cosine of incidence and the share of the field that is TE to the loss of one passage (slab.k.h). The table
 * has RW_WALL_LOSS_SAMPLES steps of the cosine and is read linearly: within 0.1 dB of the formula for walls of up to
 * 0.3 m at 6 GHz beyond grazing. What lets nothing through costs RW_WALL_LOSS_MAX_DB, so that sums stay finite; a ray
 * along a wall counts as one at the first step of the table. */
#ifndef RW_FIELD_SURFACES_WALL_LOSSES_K_H
#define RW_FIELD_SURFACES_WALL_LOSSES_K_H

#include "base/maths/vector.h"

#define RW_WALL_LOSS_SAMPLES 512
#define RW_WALL_LOSS_MAX_DB 150.0

/* At one angle. Sample i of a table is at cosine i / RW_WALL_LOSS_SAMPLES. */
typedef struct rw_wall_loss {
    float te_db, tm_db;
} rw_wall_loss;

RW_FN float rw_wall_loss_db(const rw_wall_loss *table, double cosine, double te_fraction)
{
    float at = (float)(cosine * RW_WALL_LOSS_SAMPLES);
    at = at < 1.0f ? 1.0f : at > (float)RW_WALL_LOSS_SAMPLES ? (float)RW_WALL_LOSS_SAMPLES : at;
    int first = (int)at < RW_WALL_LOSS_SAMPLES - 1 ? (int)at : RW_WALL_LOSS_SAMPLES - 1;
    float fraction = at - (float)first;
    float te_db = table[first].te_db + fraction * (table[first + 1].te_db - table[first].te_db);
    float tm_db = table[first].tm_db + fraction * (table[first + 1].tm_db - table[first].tm_db);
    if (te_fraction > 0.9999)
        return te_db;
    return (float)(-10.0 * log10(te_fraction * pow(10.0, -0.1 * (double)te_db) +
                                 (1.0 - te_fraction) * pow(10.0, -0.1 * (double)tm_db)));
}

/* Share of the power of a vertically polarised wave along d that is TE at a surface of that normal; both of length 1.
 * The field is along theta, TE along d x n. */
RW_FN double rw_te_fraction(rw_vec3 d, rw_vec3 normal)
{
    rw_vec3 across = rw_vec3_cross(d, normal);
    double level = sqrt(d.x * d.x + d.y * d.y), size2 = rw_vec3_dot(across, across);
    if (!(level > 1e-9) || !(size2 > 1e-18))
        return 0.5;
    double along = (across.x * d.x + across.y * d.y) * d.z / level - across.z * level;
    double fraction = along * along / size2;
    return fraction < 1.0 ? fraction : 1.0;
}

#endif
