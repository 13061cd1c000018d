#include "field/surfaces/surfaces.h"

#include <math.h>
#include <string.h>

#define NODES 64
#define SECTORS 24 /* exact for cosines to the power RW_SCATTER_EXPONENT_MAX */
#define ROUNDS 200

/* Shape integrated over the azimuth. */
static double integrate_ring(const rw_scatter_model *model, double from, double to)
{
    double sum = 0.0;
    for (int i = 0; i < SECTORS; i++)
        sum += rw_scatter_shape(model, from, to, cos(2.0 * RW_PI * (i + 0.5) / SECTORS));
    return sum * 2.0 * RW_PI / SECTORS;
}

/* What a / cos must be at a cosine, given it at the nodes: 1 / int shape a. */
static double find_needed_shape(const rw_scatter_model *model, double cosine, const double *ratio)
{
    double sum = 0.0;
    for (int i = 0; i < NODES; i++) {
        double node = (i + 0.5) / NODES;
        sum += integrate_ring(model, cosine, node) * node * ratio[i];
    }
    return NODES / sum;
}

void rw_scatter_balance_compute(const rw_scatter_model *model, rw_scatter_balance *balance)
{
    double kernel[NODES][NODES], ratio[NODES];
    for (int i = 0; i < NODES; i++) {
        ratio[i] = 1.0 / sqrt(RW_PI);
        for (int j = 0; j < NODES; j++)
            kernel[i][j] = integrate_ring(model, (i + 0.5) / NODES, (j + 0.5) / NODES) * (j + 0.5) / NODES / NODES;
    }
    for (int round = 0; round < ROUNDS; round++) {
        double next[NODES];
        for (int i = 0; i < NODES; i++) {
            double sum = 0.0;
            for (int j = 0; j < NODES; j++)
                sum += kernel[i][j] * ratio[j];
            next[i] = sqrt(ratio[i] / sum); /* the mean of old and wanted, in which the steps do not swing */
        }
        for (int i = 0; i < NODES; i++)
            ratio[i] = next[i];
    }
    for (int i = 0; i <= RW_SCATTER_BALANCE_STEPS; i++)
        balance->ratio[i] = find_needed_shape(model, (double)i / RW_SCATTER_BALANCE_STEPS, ratio);
}

void rw_scatter_lobe_init(const char *name, rw_scatter_lobe *lobe)
{
    rw_scatter_kind kind = !name || strcmp(name, "lambertian") == 0 ? RW_LOBE_LAMBERTIAN
                           : strcmp(name, "backscattering") == 0    ? RW_LOBE_BACKSCATTERING
                                                                    : RW_LOBE_DIRECTIVE;
    *lobe = (rw_scatter_lobe){
        .model = {.kind = kind, .specular_exponent = 4, .back_exponent = 4, .specular_fraction = 0.75}};
    if (kind != RW_LOBE_LAMBERTIAN)
        rw_scatter_balance_compute(&lobe->model, &lobe->balance);
}
