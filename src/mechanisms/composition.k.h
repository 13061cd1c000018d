/* How one loss is composed, recorded while it is solved. Link budgets read it (models/engine/calls/link_budget.c); a
 * map records nothing. One record per receiver and transmitter; steps that come later add what they change. */
#ifndef RW_MECHANISMS_COMPOSITION_K_H
#define RW_MECHANISMS_COMPOSITION_K_H

#include "mechanisms/compose.k.h"

typedef struct rw_composition {
    int rule;            /* rw_compose_rule */
    int known;           /* 0: nothing recorded it yet */
    int by_mechanisms;   /* 1: fraction is of the mechanisms; 0: the model's own paths alone */
    rw_compose_input in; /* of the rule */
    double fraction[RW_MECHANISMS];
    double terrain_db, foliage_db, gain_db, offset_db;  /* of in.other_db: terrain + foliage - gain + offset */
    double loss_db;                                     /* after the last step */
    double air_db, measured_db, entry_db, reference_db; /* what the steps after the rule add */
} rw_composition;

/* Before the first step. The parts of in.other_db are the caller's. */
RW_FN rw_composition rw_composition_of(int rule, const rw_compose_input *in)
{
    rw_composition composition;
    composition.rule = rule;
    composition.known = 1;
    composition.by_mechanisms = 0;
    composition.in = *in;
    for (int i = 0; i < RW_MECHANISMS; i++)
        composition.fraction[i] = 0.0;
    composition.terrain_db = composition.foliage_db = composition.gain_db = composition.offset_db = 0.0;
    composition.air_db = composition.measured_db = composition.entry_db = composition.reference_db = 0.0;
    composition.loss_db = rw_compose(rule, in).loss_db;
    return composition;
}

/* The fractions of a sum of mechanisms; sees: its first wave is the straight one, else that over the rooftops. */
RW_FN void rw_composition_set_mechanisms(rw_composition *composition, const rw_mechanism_sum *sum, int sees)
{
    composition->by_mechanisms = 1;
    for (int i = 1; i < RW_MECHANISMS; i++)
        composition->fraction[i] = sum->fraction[i];
    composition->fraction[sees ? RW_MECHANISM_SIGHT : RW_MECHANISM_ROOFTOP] += sum->fraction[0];
}

#endif
