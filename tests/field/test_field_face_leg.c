/* Two edges of one face against Kirchhoff's integrals over the planes of both walls, with the roof between them hard,
 * soft or of an impedance. */
#include "field/edges/face_leg.k.h"

#include "flat_roof.h"
#include "unit.h"

#define PI 3.14159265358979323846

/* The same from the factors of both edges. */
static double complex by_edges(const flat_roof *at, const rw_wedge_material *material, int across)
{
    double first = hypot(at->before, at->source), third = hypot(at->behind, at->observer);
    double all = first + at->width + third,
           straight = hypot(at->before + at->width + at->behind, at->observer - at->source);
    rw_along_across one = rw_face_edge_factor(1.5, PI + atan2(-at->source, at->before), 1,
                                              first * at->width / (first + at->width), material, at->k);
    rw_along_across two = rw_face_edge_factor(1.5, PI + atan2(-at->observer, at->behind), 1,
                                              third * at->width / (third + at->width), material, at->k);
    rw_along_across leg = rw_face_leg_factor(material, at->width, at->k);
    rw_complex product = across ? rw_complex_mul(rw_complex_mul(one.across, two.across), leg.across)
                                : rw_complex_mul(rw_complex_mul(one.along, two.along), leg.along);
    double spread = straight / sqrt(first * at->width * third * all);
    return spread * (product.re + I * product.im) * cexp(-I * at->k * (all - straight));
}

static const flat_roof roofs[] = {{40, 60, 20, 70, -5, -4},
                                  {40, 60, 12, 70, -8, -3},
                                  {40, 200, 30, 40, -6, -5},
                                  {20, 100, 15, 100, -10, -12},
                                  {40, 45, 25, 45, -4, -4}};

static double compare(const rw_wedge_material *material, int across, int kind, double complex impedance)
{
    double worst = 0;
    for (size_t i = 0; i < sizeof roofs / sizeof *roofs; i++) {
        double complex exact = flat_roof_field(&roofs[i], kind, impedance), got = by_edges(&roofs[i], material, across);
        printf("  roof %zu: %.2f dB, by edges %.2f dB, %.0f deg apart\n", i, -20 * log10(cabs(exact)),
               -20 * log10(cabs(got)), carg(got / exact) * 180 / PI);
        worst = worse_of(worst, fabs(20 * log10(cabs(got / exact))));
    }
    return worst;
}

static void metal_across_is_hard(void **state)
{
    (void)state;
    rw_wedge_material metal = {{1, 0}, 1, 1};
    assert_near(compare(&metal, 1, 1, 0), 0, 1);
}

static void metal_along_is_soft(void **state)
{
    (void)state;
    rw_wedge_material metal = {{1, 0}, 1, 1};
    assert_near(compare(&metal, 0, -1, 0), 0, 1);
}

static void concrete_is_of_its_impedance(void **state)
{
    (void)state;
    double complex permittivity = 5.24 - 0.6 * I, root = csqrt(permittivity - 1);
    rw_wedge_material concrete = {{5.24, -0.6}, 0, 1};
    assert_near(compare(&concrete, 1, 0, root / permittivity), 0, 1);
    assert_near(compare(&concrete, 0, 0, root), 0, 1);
    permittivity = 1 - 1e4 * I; /* between hard and soft */
    root = csqrt(permittivity - 1);
    rw_wedge_material between = {{1, -1e4}, 0, 1};
    assert_near(compare(&between, 1, 0, root / permittivity), 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(metal_across_is_hard), cmocka_unit_test(metal_along_is_soft),
                                       cmocka_unit_test(concrete_is_of_its_impedance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
