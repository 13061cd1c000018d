/* labels: numbers */
/* The composition of losses against formulas written out again in double: the rule and its derivatives, the empirical
 * medians of ITU-R P.2108-1, 3GPP TR 38.901 and ITU-R P.1238 with their ranges, and the sum of mechanisms; everything
 * without a step. */
#include "unit.h"

#include "mechanisms/prior/median.k.h"

/* Numbers in [0, 1) from a counter. */
static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static double lack(double built)
{
    return built < 0.05 ? built / 0.05 : built < 0.22 ? 1 : built < 0.40 ? (0.40 - built) / 0.18 : 0;
}

/* The rule as it is published, k from the frequency. */
static double expected_db(int rule, const rw_compose_input *in)
{
    double a = in->excess_db, o = lack(in->built), bent = a, weight = 0;
    if (rule == RW_COMPOSE_OUTDOOR) {
        double shadow = fmax(a, 0), in_sight = 0.65 * o, without = in->built < 0.05 ? 0.85 * o : 0.5 + 0.35 * o;
        if (in->built <= 0)
            without = 0;
        bent = a > 0 ? in->slope * a + (1 - in->slope) * 6 * (1 - exp(-a / 6)) : a;
        weight = in_sight + (without - in_sight) * (1 - exp(-shadow / 10));
    } else if (rule == RW_COMPOSE_INDOOR) {
        weight = 0.7 * (1 - exp(-fmax(a, 0) / 10));
        if (a > 0) /* what leaks, 20 dB over the median */
            bent = -10 * log10(pow(10, -a / 10) + (1 - pow(10, -a / 10)) * pow(10, -(in->median_db + 20) / 10));
    }
    weight *= in->weight * in->available;
    return in->free_space_db + (1 - weight) * (bent + in->ground_db) + weight * in->median_db + in->other_db;
}

static rw_compose_input draw_input(int rule, unsigned *state)
{
    rw_compose_input in = {.free_space_db = 60 + 60 * draw(state),
                           .excess_db = -8 + 70 * draw(state),
                           .ground_db = -6 + 12 * draw(state),
                           .median_db = 40 * draw(state),
                           .other_db = 20 * draw(state),
                           .built = 0.5 * draw(state),
                           .available = draw(state),
                           .weight = 1.15 * draw(state),
                           .slope = rule == RW_COMPOSE_OUTDOOR ? 0.5 + 0.5 * draw(state) : 1};
    return in;
}

static void rule_is_as_published(void **state)
{
    (void)state;
    unsigned random = 1;
    for (int rule = RW_COMPOSE_SUM; rule <= RW_COMPOSE_INDOOR; rule++)
        for (int i = 0; i < 4000; i++) {
            rw_compose_input in = draw_input(rule, &random);
            assert_near(rw_compose(rule, &in).loss_db, expected_db(rule, &in), 1e-9);
        }
    assert_near(rw_compose_slope(RW_COMPOSE_OUTDOOR, 1e9), 0.8, 1e-12);
    assert_near(rw_compose_slope(RW_COMPOSE_OUTDOOR, 28e9), 0.8 * pow(28, -0.1), 1e-12);
    assert_near(rw_compose_slope(RW_COMPOSE_INDOOR, 28e9), 1, 0);
    rw_compose_input nothing = {.excess_db = INFINITY, .weight = 1, .available = 1, .built = 0.1, .slope = 0.8};
    for (int rule = RW_COMPOSE_SUM; rule <= RW_COMPOSE_INDOOR; rule++)
        assert_true(rw_compose(rule, &nothing).loss_db == (double)INFINITY);
}

static void derivatives_are_those_of_the_value(void **state)
{
    (void)state;
    unsigned random = 2;
    for (int rule = RW_COMPOSE_SUM; rule <= RW_COMPOSE_INDOOR; rule++)
        for (int i = 0; i < 1000; i++) {
            rw_compose_input in = draw_input(rule, &random);
            in.built = fabs(in.built - 0.05) < 1e-3 || fabs(in.built - 0.22) < 1e-3 || fabs(in.built - 0.4) < 1e-3
                           ? 0.1
                           : in.built;
            rw_composed at = rw_compose(rule, &in);
            const double h = 1e-6;
            double *inputs[] = {&in.excess_db, &in.ground_db, &in.median_db, &in.built,
                                &in.available, &in.weight,    &in.slope,     &in.other_db};
            double slopes[] = {at.by_excess,    at.by_ground, at.by_median, at.by_built,
                               at.by_available, at.by_weight, at.by_slope,  1};
            for (int k = 0; k < 8; k++) {
                double value = *inputs[k];
                *inputs[k] = value + h;
                double more = rw_compose(rule, &in).loss_db;
                *inputs[k] = value - h;
                double less = rw_compose(rule, &in).loss_db;
                *inputs[k] = value;
                if (rule != RW_COMPOSE_OUTDOOR && k == 6) /* k is 1 there */
                    continue;
                assert_near((more - less) / (2 * h), slopes[k], 2e-5 * (1 + fabs(slopes[k])));
            }
        }
}

/* No step where a branch begins: in the excess, in the built-over fraction. */
static void rule_has_no_step(void **state)
{
    (void)state;
    const double built[] = {0, 0.05, 0.22, 0.40};
    rw_compose_input in = {100, 25, 2, 20, 3, 0.1, 1, 1, 0.7};
    for (int i = 0; i < 4; i++) {
        rw_compose_input low = in, high = in;
        low.built = built[i] - 1e-9;
        high.built = built[i] + 1e-9;
        assert_near(rw_compose(RW_COMPOSE_OUTDOOR, &high).loss_db, rw_compose(RW_COMPOSE_OUTDOOR, &low).loss_db, 1e-5);
    }
    for (int rule = RW_COMPOSE_SUM; rule <= RW_COMPOSE_INDOOR; rule++) {
        rw_compose_input low = in, high = in;
        low.excess_db = -1e-9;
        high.excess_db = 1e-9;
        assert_near(rw_compose(rule, &high).loss_db, rw_compose(rule, &low).loss_db, 1e-7);
    }
    in.built = 0; /* open land: no median at all */
    double before = rw_compose(RW_COMPOSE_OUTDOOR, &in).loss_db;
    in.median_db = 60;
    assert_near(rw_compose(RW_COMPOSE_OUTDOOR, &in).loss_db, before, 0);
}

/* ITU-R P.2108-1, equations (3) to (5) at 50 % of locations, for 0.5 to 67 GHz. */
static double p2108_db(double km, double ghz)
{
    double l1 = -2 * log10(pow(10, -5 * log10(ghz) - 12.5) + pow(10, -16.5));
    double l2 = 32.98 + 23.9 * log10(km) + 3 * log10(ghz);
    return -5 * log10(pow(10, -0.2 * l1) + pow(10, -0.2 * l2));
}

static double umi_db(double m, double ghz, double mobile_m)
{
    return 22.4 + 35.3 * log10(m) + 21.3 * log10(ghz) - 0.3 * (mobile_m - 1.5);
}

static rw_prior mast(double height_m, double roof_m, double ghz)
{
    rw_prior prior = {.rule = RW_COMPOSE_OUTDOOR,
                      .kind = RW_SITE_GENERAL_3GPP,
                      .weight = 1,
                      .base_height_m = height_m,
                      .mean_roof_m = roof_m,
                      .freq_hz = ghz * 1e9};
    return prior;
}

static void medians_are_those_of_the_recommendations(void **state)
{
    (void)state;
    const double m[] = {100, 250, 500, 1000}, db[] = {10.7, 20.2, 27.0, 30.2};
    rw_prior above = mast(24, 12, 3.6), below = mast(8, 20, 28);
    for (int i = 0; i < 4; i++) { /* 2.65 l of a 24 m mast is d */
        rw_median at = rw_median_outdoors(&above, m[i], 1.5);
        assert_near(at.excess_db, db[i], 0.06);
        assert_near(at.excess_db, p2108_db(1e-3 * fmin(m[i], 2.65 * m[i] * 8.5 / 22.5), 3.6), 1e-9);
        assert_near(at.available, 1, 0);
        double away = hypot(m[i], 8 - 1.5), free_db = 20 * log10(4 * M_PI * away * 28e9 / 299792458.0);
        at = rw_median_outdoors(&below, m[i], 1.5);
        assert_near(at.excess_db, umi_db(away, 28, 1.5) - free_db, 1e-9);
        assert_near(at.available, 1, 0);
    }
    above.base_height_m = 60; /* a third of the line is low */
    assert_near(rw_median_outdoors(&above, 900, 1.5).excess_db, p2108_db(0.9 * 2.65 * 8.5 / 58.5, 3.6), 1e-9);
    above.freq_hz = 0.1e9; /* held at the ends of its range */
    assert_near(rw_median_outdoors(&above, 900, 1.5).excess_db, p2108_db(0.9 * 2.65 * 8.5 / 58.5, 0.5), 1e-9);
    /* the higher end decides, whichever it is */
    rw_prior low = mast(3, 30, 3.6), high = mast(9, 30, 3.6);
    assert_near(rw_median_outdoors(&low, 300, 9).excess_db, rw_median_outdoors(&high, 300, 3).excess_db, 1e-12);
    assert_near(rw_median_outdoors(&low, 300, 9).available, 1, 0);
}

static void medians_end_where_they_do_not_hold(void **state)
{
    (void)state;
    rw_prior below = mast(8, 20, 2), above = mast(30, 15, 2);
    assert_near(rw_median_outdoors(&below, 5001, 1.5).available, 0, 0);
    assert_near(rw_median_outdoors(&below, 3999, 1.5).available, 1, 0);
    assert_near(rw_median_outdoors(&above, 9000, 1.5).available, 1, 0);
    assert_near(rw_median_outdoors(&above, 500, 15).available, 0, 0); /* at roof height */
    assert_near(rw_median_outdoors(&below, 500, 20).available, 0, 0);
    rw_prior open = mast(30, 0, 2); /* no buildings at all */
    assert_near(rw_median_outdoors(&open, 500, 1.5).available, 0, 0);
}

/* Of what counts, w E and w, over each of distance, mast and mobile height. */
static void medians_have_no_step(void **state)
{
    (void)state;
    for (int kind = RW_SITE_GENERAL_3GPP; kind <= RW_SITE_GENERAL_P1411; kind++)
        for (int axis = 0; axis < 3; axis++) {
            double before = NAN, before_weight = NAN, steepest = 0;
            const double from[3] = {20, 2, 1}, to[3] = {6000, 60, 30};
            const int count = 60000;
            for (int i = 0; i <= count; i++) {
                double value = from[axis] + (to[axis] - from[axis]) * i / count;
                rw_prior prior = mast(axis == 1 ? value : 14, 16, 2);
                prior.kind = kind;
                rw_median at = rw_median_outdoors(&prior, axis == 0 ? value : 700, axis == 2 ? value : 1.5);
                assert_true(at.excess_db >= 0 && at.available >= 0 && at.available <= 1);
                double counts = at.available * at.excess_db;
                if (i > 0)
                    steepest = fmax(steepest, fabs(counts - before) + 20 * fabs(at.available - before_weight));
                before = counts;
                before_weight = at.available;
            }
            assert_near(steepest, 0, 0.1); /* of up to 50 dB */
        }
}

static void rooms_have_floors(void **state)
{
    (void)state;
    rw_prior office = {
        .rule = RW_COMPOSE_INDOOR, .weight = 1, .freq_hz = 2e9, .slope = 1, .floor_count = 3, .floors_m = {3, 6, 9}};
    double ghz = 2, m = 20, free_db = 20 * log10(4 * M_PI * m * ghz * 1e9 / 299792458.0);
    for (int floors = 0; floors < 4; floors++) { /* ITU-R P.1238: 20 log f + N log d + L_f - 28, f in MHz */
        double expected = 20 * log10(ghz * 1e3) + 30 * log10(m) + (floors ? 15 + 4 * (floors - 1) : 0) - 28 - free_db;
        assert_near(rw_median_indoors(&office, m, 2, 1 + 3 * floors).excess_db, expected, 0.02);
        assert_near(rw_median_indoors(&office, m, 1 + 3 * floors, 2).excess_db, expected, 0.02);
    }
    assert_near(rw_median_indoors(&office, 0.5, 2, 2).excess_db, 0, 0);
}

static rw_mechanism_losses draw_losses(unsigned *state)
{
    rw_mechanism_losses losses = {.first_db = 30 * draw(state), .first_medium_db = 4 * draw(state)};
    for (int i = 0; i < RW_MECHANISMS; i++) {
        losses.other_db[i] = i % 2 ? 8 + 30 * draw(state) : INFINITY;
        losses.other_medium_db[i] = 3 * draw(state);
    }
    return losses;
}

static double total_db(const rw_mechanism_losses *losses)
{
    rw_mechanism_sum sum = rw_compose_sum(losses);
    return sum.excess_db + sum.medium_db;
}

static void mechanisms_add_in_power(void **state)
{
    (void)state;
    unsigned random = 3;
    for (int i = 0; i < 2000; i++) {
        rw_mechanism_losses losses = draw_losses(&random);
        double first = pow(10, -0.1 * (losses.first_db + losses.first_medium_db)), others = 0;
        for (int k = 1; k < RW_MECHANISMS; k++)
            others += pow(10, -0.1 * (losses.other_db[k] + losses.other_medium_db[k]));
        double expected = -10 * log10(first + (1 - pow(10, -0.1 * losses.first_db)) * others);
        rw_mechanism_sum sum = rw_compose_sum(&losses);
        assert_near(sum.excess_db + sum.medium_db, expected, 1e-9);
        double fractions = 0, largest = -1;
        int dominant = -1;
        for (int k = 0; k < RW_MECHANISMS; k++) {
            fractions += sum.fraction[k];
            if (sum.fraction[k] > largest)
                dominant = k;
            largest = fmax(largest, sum.fraction[k]);
        }
        assert_near(fractions, 1, 1e-12);
        assert_int_equal(sum.dominant, dominant);
        assert_near(sum.medium_db, dominant ? losses.other_medium_db[dominant] : losses.first_medium_db, 0);
        const double h = 1e-5;
        for (int k = 0; k < RW_MECHANISMS; k++) {
            rw_mechanism_losses more = losses, less = losses;
            *(k ? &more.other_db[k] : &more.first_db) += h;
            *(k ? &less.other_db[k] : &less.first_db) -= h;
            double slope = (total_db(&more) - total_db(&less)) / (2 * h);
            if (isfinite(k ? losses.other_db[k] : 0))
                assert_near(k ? sum.other_by[k] : sum.first_by, slope, 1e-6);
        }
    }
    rw_mechanism_losses none = {.first_db = INFINITY};
    for (int k = 0; k < RW_MECHANISMS; k++)
        none.other_db[k] = INFINITY;
    assert_int_equal(rw_compose_sum(&none).dominant, -1);
    assert_true(rw_compose_sum(&none).excess_db == (double)INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rule_is_as_published),
                                       cmocka_unit_test(derivatives_are_those_of_the_value),
                                       cmocka_unit_test(rule_has_no_step),
                                       cmocka_unit_test(medians_are_those_of_the_recommendations),
                                       cmocka_unit_test(medians_end_where_they_do_not_hold),
                                       cmocka_unit_test(medians_have_no_step),
                                       cmocka_unit_test(rooms_have_floors),
                                       cmocka_unit_test(mechanisms_add_in_power)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
