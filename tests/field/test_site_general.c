/* Site-general path loss: against values worked out by hand from the tables of COST 231, 3GPP TR 38.901 and ITU-R
 * P.1411, and the properties that the documents state (slopes, continuity at breakpoints). */
#include "field/paths/site_general.k.h"

#include "unit.h"

#define HAND_DB 0.006 /* values by hand have two decimals */

static const rw_site_buildings munich = {17, 20, 40, 90, 0};

static void walfisch_ikegami_agrees_with_hand_calculation(void **state)
{
    (void)state;
    /* L0 91.93 + Lrts 23.67 + Lmsd (57.2 - 11.86 - 14.42) at 947 MHz, mast 4 m below the roofs */
    assert_near(rw_walfisch_ikegami_nlos_db(rw_site_link_of(1000, 13, 1.5, 947e6), munich), 146.52, HAND_DB);
    /* at 250 m: k_a = 54 + 3.2 / 2, k_d = 18 + 60 / 17 */
    assert_near(rw_walfisch_ikegami_nlos_db(rw_site_link_of(250, 13, 1.5, 947e6), munich), 119.92, HAND_DB);
    /* 10 m above the roofs in a metropolis: L_bsh = -18 log 11, k_f = -4 + 1.5 (1800/925 - 1), L_ori = 3.25 */
    rw_site_buildings metropolis = {20, 25, 50, 45, 1};
    assert_near(rw_walfisch_ikegami_nlos_db(rw_site_link_of(2000, 30, 1.5, 1800e6), metropolis), 150.77, HAND_DB);
    assert_near(rw_walfisch_ikegami_los_db(rw_site_link_of(500, 13, 1.5, 1800e6)), 99.88, HAND_DB);
}

static void walfisch_ikegami_terms_have_their_values(void **state)
{
    (void)state;
    assert_near(rw_walfisch_ikegami_orientation_db(0), -10, 0);
    assert_near(rw_walfisch_ikegami_orientation_db(20), -2.92, 1e-12);
    assert_near(rw_walfisch_ikegami_orientation_db(45), 3.25, 1e-12);
    assert_near(rw_walfisch_ikegami_orientation_db(90), 0.01, 1e-12);
    /* Medium against metropolitan at 1850 MHz: 0.8 log 1850. */
    rw_site_buildings large = munich;
    large.metropolitan = 1;
    rw_site_link link = rw_site_link_of(800, 13, 1.5, 1850e6);
    double more = rw_walfisch_ikegami_nlos_db(link, large) - rw_walfisch_ikegami_nlos_db(link, munich);
    assert_near(more, 2.614, 0.001);
    /* Houses twice as close: 9 log 2, down to a metre. */
    rw_site_buildings close = munich, closer = munich;
    close.building_spacing_m = 3;
    closer.building_spacing_m = 1.5;
    assert_near(rw_walfisch_ikegami_nlos_db(link, closer) - rw_walfisch_ikegami_nlos_db(link, close), 2.709, 0.001);
    /* In sight the report chose its constant so that 20 m is free space. */
    rw_site_link near = rw_site_link_of(20, 1.5, 1.5, 1800e6);
    assert_near(rw_walfisch_ikegami_los_db(near), rw_site_free_space_db(near), 0.1);
    /* A street that runs towards the mast, wide, of low houses: never below free space over the ground. */
    rw_site_buildings low = {2, 1000, 1000, 0, 0};
    assert_near(rw_walfisch_ikegami_nlos_db(rw_site_link_of(100, 50, 1.5, 900e6), low), 71.485, 0.001);
}

static void cost_hata_agrees_with_hand_calculation(void **state)
{
    (void)state;
    assert_near(rw_cost_hata_db(rw_site_link_of(2000, 30, 1.5, 1800e6), 0), 146.80, HAND_DB);
    assert_near(rw_cost_hata_db(rw_site_link_of(2000, 30, 1.5, 1800e6), 1), 149.80, HAND_DB);
    /* 44.9 - 6.55 log 30 = 35.22 dB a decade */
    double near_db = rw_cost_hata_db(rw_site_link_of(1000, 30, 1.5, 1800e6), 0);
    assert_near(rw_cost_hata_db(rw_site_link_of(10000, 30, 1.5, 1800e6), 0) - near_db, 35.225, 0.001);
    rw_site_link beside = rw_site_link_of(1, 30, 1.5, 1800e6);
    assert_near(rw_cost_hata_db(beside, 0), rw_site_free_space_db(beside), 0);
}

static void umi_and_uma_agree_with_hand_calculation(void **state)
{
    (void)state;
    /* UMi, 10 m mast, 3.5 GHz: d_BP' = 4 9 0.5 3.5e9 / c = 210.1 m */
    rw_site_link street = rw_site_link_of(100, 10, 1.5, 3.5e9);
    assert_near(rw_3gpp_breakpoint_m(street), 210.145, 0.001);
    assert_near(rw_3gpp_umi_los_db(street), 85.31, HAND_DB);
    assert_near(rw_3gpp_umi_nlos_db(street), 104.64, HAND_DB);
    assert_near(rw_3gpp_umi_los_db(rw_site_link_of(1000, 10, 1.5, 3.5e9)), 119.15, HAND_DB);
    /* UMa, 25 m mast, 2 GHz: d_BP' = 4 24 0.5 2e9 / c = 320.2 m */
    assert_near(rw_3gpp_breakpoint_m(rw_site_link_of(1000, 25, 1.5, 2e9)), 320.222, 0.001);
    assert_near(rw_3gpp_uma_los_db(rw_site_link_of(100, 25, 1.5, 2e9)), 78.28, HAND_DB);
    assert_near(rw_3gpp_uma_los_db(rw_site_link_of(1000, 25, 1.5, 2e9)), 108.91, HAND_DB);
    assert_near(rw_3gpp_uma_nlos_db(rw_site_link_of(1000, 25, 1.5, 2e9)), 136.81, HAND_DB);
    /* A mobile 10 m higher: 0.6 and 0.3 dB a metre, the distance hardly shorter. */
    assert_near(rw_3gpp_uma_nlos_db(rw_site_link_of(1000, 25, 11.5, 2e9)), 136.81 - 6.0, 0.01);
    assert_near(rw_3gpp_umi_nlos_db(rw_site_link_of(1000, 10, 11.5, 2e9)),
                rw_3gpp_umi_nlos_db(rw_site_link_of(1000, 10, 1.5, 2e9)) - 3.0, 0.01);
}

static void nlos_of_3gpp_is_never_below_los_and_the_breakpoint_is_no_step(void **state)
{
    (void)state;
    for (double distance_m = 10; distance_m < 5000; distance_m *= 1.07)
        for (double base_m = 5; base_m < 60; base_m += 9) {
            rw_site_link link = rw_site_link_of(distance_m, base_m, 1.5, 3.5e9);
            assert_true(rw_3gpp_umi_nlos_db(link) >= rw_3gpp_umi_los_db(link));
            assert_true(rw_3gpp_uma_nlos_db(link) >= rw_3gpp_uma_los_db(link));
        }
    rw_site_link before = rw_site_link_of(210.144, 10, 1.5, 3.5e9), behind = rw_site_link_of(210.146, 10, 1.5, 3.5e9);
    assert_near(rw_3gpp_umi_los_db(before), rw_3gpp_umi_los_db(behind), 1e-3);
    assert_near(rw_3gpp_uma_los_db(before), rw_3gpp_uma_los_db(behind), 1e-3);
    double decade = rw_3gpp_umi_los_db(rw_site_link_of(1e5, 10, 1.5, 3.5e9)) -
                    rw_3gpp_umi_los_db(rw_site_link_of(1e4, 10, 1.5, 3.5e9));
    assert_near(decade, 40, 1e-3);
}

static void p1411_agrees_with_hand_calculation(void **state)
{
    (void)state;
    rw_site_link street = rw_site_link_of(200, 10, 1.5, 3.5e9), over = rw_site_link_of(500, 25, 1.5, 3.5e9);
    assert_near(rw_p1411_nlos_db(street, RW_P1411_HIGH_RISE), 115.10, HAND_DB);
    assert_near(rw_p1411_nlos_db(street, RW_P1411_RESIDENTIAL), 99.34, HAND_DB);
    assert_near(rw_p1411_nlos_db(rw_site_link_of(200, 10, 1.5, 28e9), RW_P1411_LOW_RISE), 141.00, HAND_DB);
    assert_near(rw_p1411_nlos_db(over, RW_P1411_ABOVE_ROOFS), 124.75, HAND_DB);
    assert_near(rw_p1411_los_db(street, 0), 89.47, HAND_DB);
    assert_near(rw_p1411_los_db(over, 1), 101.08, HAND_DB);
    rw_site_link beside = rw_site_link_of(3, 25, 1.5, 3.5e9);
    assert_near(rw_p1411_nlos_db(beside, RW_P1411_ABOVE_ROOFS), rw_site_free_space_db(beside), 0);
}

static void the_mast_chooses_the_formula_smoothly(void **state)
{
    (void)state;
    rw_site_link low = rw_site_link_of(700, 10, 1.5, 2e9), high = rw_site_link_of(700, 30, 1.5, 2e9);
    assert_near(rw_site_general_nlos_db(RW_SITE_GENERAL_3GPP, 700, 10, 1.5, 17, 2e9), rw_3gpp_umi_nlos_db(low), 1e-12);
    assert_near(rw_site_general_nlos_db(RW_SITE_GENERAL_3GPP, 700, 30, 1.5, 17, 2e9), rw_3gpp_uma_nlos_db(high), 1e-12);
    assert_near(rw_site_general_nlos_db(RW_SITE_GENERAL_P1411, 700, 10, 1.5, 17, 2e9),
                rw_p1411_nlos_db(low, RW_P1411_HIGH_RISE), 1e-12);
    assert_near(rw_site_general_nlos_db(RW_SITE_GENERAL_P1411, 700, 30, 1.5, 17, 2e9),
                rw_p1411_nlos_db(high, RW_P1411_ABOVE_ROOFS), 1e-12);
    rw_site_link level = rw_site_link_of(700, 17, 1.5, 2e9);
    assert_near(rw_site_general_nlos_db(RW_SITE_GENERAL_3GPP, 700, 17, 1.5, 17, 2e9),
                0.5 * (rw_3gpp_umi_nlos_db(level) + rw_3gpp_uma_nlos_db(level)), 1e-12);
    for (int kind = RW_SITE_GENERAL_3GPP; kind <= RW_SITE_GENERAL_P1411; kind++)
        for (double base_m = 8; base_m < 30; base_m += 0.1)
            assert_near(rw_site_general_nlos_db(kind, 700, base_m, 1.5, 17, 2e9),
                        rw_site_general_nlos_db(kind, 700, base_m + 0.1, 1.5, 17, 2e9), 0.4);
}

/* Where a formula ends: what is held there, and where the pieces of a curve meet. */
static void limits_stand_where_the_documents_have_them(void **state)
{
    (void)state;
    assert_near(rw_walfisch_ikegami_orientation_db(34.9), -10 + 0.354 * 34.9, 1e-9);
    assert_near(rw_walfisch_ikegami_orientation_db(54.9), 2.5 + 0.075 * 19.9, 1e-9);
    assert_near(rw_walfisch_ikegami_orientation_db(120), 0.01, 1e-9);
    /* k_f is that of 2 GHz beyond, so a factor of 10 costs 20 + 10 + k_f = 26 + 0.7 (2000 / 925 - 1); that of 800 below
     */
    rw_site_link at_3 = rw_site_link_of(1000, 13, 1.5, 3e9), at_30 = rw_site_link_of(1000, 13, 1.5, 30e9);
    assert_near(rw_walfisch_ikegami_nlos_db(at_30, munich) - rw_walfisch_ikegami_nlos_db(at_3, munich), 26.8135, 1e-4);
    rw_site_link at_70 = rw_site_link_of(1000, 13, 1.5, 70e6), at_700 = rw_site_link_of(1000, 13, 1.5, 700e6);
    assert_near(rw_walfisch_ikegami_nlos_db(at_700, munich) - rw_walfisch_ikegami_nlos_db(at_70, munich), 25.9054,
                1e-4);
    /* 3GPP: mobiles count as 1.5 to 22.5 m high */
    double rise = rw_3gpp_uma_nlos_db(rw_site_link_of(2000, 50, 22, 2e9)) -
                  rw_3gpp_uma_nlos_db(rw_site_link_of(2000, 50, 40, 2e9));
    assert_near(rise, 0.3, 0.01);
    assert_near(rw_3gpp_uma_nlos_db(rw_site_link_of(2000, 50, 0.6, 2e9)),
                rw_3gpp_uma_nlos_db(rw_site_link_of(2000, 50, 1.5, 2e9)), 0.01);
    /* P.1411 in sight: below 5 and 55 m as in free space */
    assert_near(rw_p1411_los_db(rw_site_link_of(5, 1.5, 1.5, 2e9), 0) -
                    rw_p1411_los_db(rw_site_link_of(2.5, 1.5, 1.5, 2e9), 0),
                6.0206, 1e-4);
    assert_near(rw_p1411_los_db(rw_site_link_of(55, 1.5, 1.5, 2e9), 1) -
                    rw_p1411_los_db(rw_site_link_of(27.5, 1.5, 1.5, 2e9), 1),
                6.0206, 1e-4);
    /* A mast's change from street to roofs takes 10 m. */
    assert_near(rw_site_above_roofs_fraction(14.5, 17), 0.15625, 1e-12);
    assert_near(rw_site_above_roofs_fraction(22, 17), 1, 0);
    assert_near(rw_site_above_roofs_fraction(12, 17), 0, 0);
    /* Near the mast and high up the line in sight is the higher, and counts: log d3D = 1.01316 */
    rw_site_link close = rw_site_link_of(10, 25, 22.5, 2e9);
    assert_near(rw_3gpp_uma_nlos_db(close), 56.310, 1e-3);
    assert_near(rw_3gpp_umi_nlos_db(close), 59.697, 1e-3);
}

static void assert_finite_everywhere(rw_site_link link, rw_site_buildings houses)
{
    assert_true(isfinite(rw_walfisch_ikegami_los_db(link)) && isfinite(rw_walfisch_ikegami_nlos_db(link, houses)));
    assert_true(isfinite(rw_cost_hata_db(link, 1)));
    assert_true(isfinite(rw_3gpp_umi_los_db(link)) && isfinite(rw_3gpp_umi_nlos_db(link)));
    assert_true(isfinite(rw_3gpp_uma_los_db(link)) && isfinite(rw_3gpp_uma_nlos_db(link)));
    for (int place = RW_P1411_HIGH_RISE; place <= RW_P1411_ABOVE_ROOFS; place++)
        assert_true(isfinite(rw_p1411_nlos_db(link, (rw_p1411_environment)place)));
    assert_true(isfinite(rw_p1411_los_db(link, 0)) && isfinite(rw_p1411_los_db(link, 1)));
}

static void every_positive_input_has_a_finite_value(void **state)
{
    (void)state;
    const double numbers[] = {1e-300, 1e-3, 1, 17, 1e5, 1e300};
    for (int i = 0; i < 6 * 6 * 6 * 6; i++) {
        double distance_m = numbers[i % 6], base_m = numbers[i / 6 % 6], mobile_m = numbers[i / 36 % 6];
        double freq_hz = 1e6 * numbers[i / 216];
        for (int r = 0; r < 6; r++) {
            rw_site_buildings houses = {numbers[r], numbers[5 - r], numbers[r], numbers[r], r % 2};
            assert_finite_everywhere(rw_site_link_of(distance_m, base_m, mobile_m, freq_hz), houses);
            for (int kind = RW_SITE_GENERAL_3GPP; kind <= RW_SITE_GENERAL_P1411; kind++)
                assert_true(isfinite(rw_site_general_nlos_db(kind, distance_m, base_m, mobile_m, numbers[r], freq_hz)));
        }
    }
}

/* Near the mast the loss never grows as the mobile comes nearer, and has no step at the formula's least distance. */
static void near_the_mast_nothing_jumps(void **state)
{
    (void)state;
    double before[4] = {-1e9, -1e9, -1e9, -1e9};
    for (double distance_m = 0.5; distance_m < 100; distance_m *= 1.001) {
        rw_site_link link = rw_site_link_of(distance_m, 10, 1.5, 2e9);
        double now[4] = {rw_3gpp_umi_nlos_db(link), rw_3gpp_uma_nlos_db(link),
                         rw_walfisch_ikegami_nlos_db(link, munich), rw_walfisch_ikegami_los_db(link)};
        for (int i = 0; i < 4; i++) {
            assert_true(now[i] >= before[i] - 1e-9 && (before[i] < 0 || now[i] - before[i] < 0.1));
            before[i] = now[i];
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walfisch_ikegami_agrees_with_hand_calculation),
        cmocka_unit_test(walfisch_ikegami_terms_have_their_values),
        cmocka_unit_test(cost_hata_agrees_with_hand_calculation),
        cmocka_unit_test(umi_and_uma_agree_with_hand_calculation),
        cmocka_unit_test(nlos_of_3gpp_is_never_below_los_and_the_breakpoint_is_no_step),
        cmocka_unit_test(p1411_agrees_with_hand_calculation),
        cmocka_unit_test(the_mast_chooses_the_formula_smoothly),
        cmocka_unit_test(limits_stand_where_the_documents_have_them),
        cmocka_unit_test(every_positive_input_has_a_finite_value),
        cmocka_unit_test(near_the_mast_nothing_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
