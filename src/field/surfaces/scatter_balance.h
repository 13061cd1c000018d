/* The table that makes a diffuse lobe reciprocal: computed once for a model of roughness. */
#ifndef RW_FIELD_SURFACES_SCATTER_BALANCE_H
#define RW_FIELD_SURFACES_SCATTER_BALANCE_H

#include "field/surfaces/scatter_balance.k.h"

void rw_scatter_balance_compute(const rw_scatter_model *model, rw_scatter_balance *balance);

/* "lambertian" (also NULL), "directive" or "backscattering", with exponents of 4 and three quarters of the power in the
 * specular lobe. */
#define RW_LOBE_CHOICES "lambertian,directive,backscattering"
void rw_scatter_lobe_init(const char *name, rw_scatter_lobe *lobe);

#endif
