/* labels: numbers */
/* Least squares with bounds: classic problems whose solutions are known, and random linear ones against every
 * combination of bounds tried in turn. */
#include "base/maths/hash.h"
#include "calibrate/fitting/solvers.h"

#include "unit.h"

#define N RW_UNKNOWNS_MAX

typedef struct residuals {
    size_t count, unknowns;
    void (*at)(const double *x, double *values); /* count residuals */
    double low[N], high[N];
    int left_bounds; /* places outside the bounds that were tried */
} residuals;

/* Derivatives by central differences: close enough for every problem here. */
static rw_status evaluate(void *user, const double *x, rw_normal_equations *equations)
{
    residuals *problem = user;
    double here[32], up[32], down[32], jacobian[32][N], at[N];
    memset(equations, 0, sizeof *equations);
    problem->at(x, here);
    memcpy(at, x, problem->unknowns * sizeof *at);
    for (size_t k = 0; k < problem->unknowns; k++) {
        double h = 1e-6 * fmax(1, fabs(x[k]));
        problem->left_bounds += x[k] < problem->low[k] || x[k] > problem->high[k];
        at[k] = x[k] + h;
        problem->at(at, up);
        at[k] = x[k] - h;
        problem->at(at, down);
        at[k] = x[k];
        for (size_t i = 0; i < problem->count; i++)
            jacobian[i][k] = (up[i] - down[i]) / (2 * h);
    }
    for (size_t i = 0; i < problem->count; i++) {
        equations->cost += here[i] * here[i];
        for (size_t k = 0; k < problem->unknowns; k++) {
            equations->gradient[k] += jacobian[i][k] * here[i];
            for (size_t l = 0; l < problem->unknowns; l++)
                equations->matrix[k][l] += jacobian[i][k] * jacobian[i][l];
        }
    }
    return RW_OK;
}

static double solve(residuals *problem, double *x)
{
    rw_least_squares least = {.count = problem->unknowns, .evaluate = evaluate, .user = problem, .steps_max = 1000};
    rw_least_squares_result result;
    memcpy(least.low, problem->low, sizeof least.low);
    memcpy(least.high, problem->high, sizeof least.high);
    assert_int_equal(rw_least_squares_solve(&least, x, &result), RW_OK);
    assert_true(result.converged);
    assert_int_equal(problem->left_bounds, 0);
    return result.equations.cost;
}

static void unbounded(residuals *problem)
{
    for (int i = 0; i < N; i++) {
        problem->low[i] = -100;
        problem->high[i] = 100;
    }
}

static void rosenbrock(const double *x, double *values)
{
    values[0] = 10 * (x[1] - x[0] * x[0]);
    values[1] = 1 - x[0];
}

static void rosenbrock_is_solved(void **state)
{
    (void)state;
    residuals problem = {.count = 2, .unknowns = 2, .at = rosenbrock};
    double x[2] = {-1.2, 1};
    unbounded(&problem);
    assert_near(solve(&problem, x), 0, 1e-20);
    assert_near(x[0], 1, 1e-9);
    assert_near(x[1], 1, 1e-9);
}

/* With x <= 0.5 the valley is followed to (0.5, 0.25), where the cost is 0.25; with y <= 0.04 to the place of least
 * cost on that bound, where 200 x (x^2 - 0.04) * 2 + 2 (x - 1) = 0. */
static void rosenbrock_stops_at_its_bounds(void **state)
{
    (void)state;
    residuals problem = {.count = 2, .unknowns = 2, .at = rosenbrock};
    double x[2] = {-1.2, 1};
    unbounded(&problem);
    problem.high[0] = 0.5;
    assert_near(solve(&problem, x), 0.25, 1e-12);
    assert_near(x[0], 0.5, 0);
    assert_near(x[1], 0.25, 1e-8);
    double y[2] = {-1.2, 0};
    unbounded(&problem);
    problem.high[1] = 0.04;
    solve(&problem, y);
    assert_near(y[1], 0.04, 0);
    assert_near(200 * y[0] * (y[0] * y[0] - 0.04) + (y[0] - 1), 0, 1e-5);
}

static void powell(const double *x, double *values)
{
    values[0] = x[0] + 10 * x[1];
    values[1] = sqrt(5) * (x[2] - x[3]);
    values[2] = (x[1] - 2 * x[2]) * (x[1] - 2 * x[2]);
    values[3] = sqrt(10) * (x[0] - x[3]) * (x[0] - x[3]);
}

/* Its matrix is singular at the solution, 0. */
static void powell_is_solved(void **state)
{
    (void)state;
    residuals problem = {.count = 4, .unknowns = 4, .at = powell};
    double x[4] = {3, -1, 0, 1};
    unbounded(&problem);
    assert_near(solve(&problem, x), 0, 1e-14);
    for (int i = 0; i < 4; i++)
        assert_near(x[i], 0, 1e-3);
}

static void wood(const double *x, double *values)
{
    values[0] = 10 * (x[1] - x[0] * x[0]);
    values[1] = 1 - x[0];
    values[2] = sqrt(90) * (x[3] - x[2] * x[2]);
    values[3] = 1 - x[2];
    values[4] = sqrt(10) * (x[1] + x[3] - 2);
    values[5] = (x[1] - x[3]) / sqrt(10);
}

static void box(const double *x, double *values)
{
    for (int i = 0; i < 10; i++) {
        double t = 0.1 * (i + 1);
        values[i] = exp(-t * x[0]) - exp(-t * x[1]) - x[2] * (exp(-t) - exp(-10 * t));
    }
}

static void wood_and_box_are_solved(void **state)
{
    (void)state;
    residuals problem = {.count = 6, .unknowns = 4, .at = wood};
    double x[4] = {-3, -1, -3, -1};
    unbounded(&problem);
    assert_near(solve(&problem, x), 0, 1e-18);
    for (int i = 0; i < 4; i++)
        assert_near(x[i], 1, 1e-8);
    residuals other = {.count = 10, .unknowns = 3, .at = box};
    double y[3] = {0, 10, 20};
    unbounded(&other);
    assert_near(solve(&other, y), 0, 1e-18);
    assert_near(y[0], 1, 1e-6);
    assert_near(y[1], 10, 1e-5);
    assert_near(y[2], 1, 1e-6);
}

static void one_direction(const double *x, double *values)
{
    values[0] = x[0] + x[1] - 3;
    values[1] = 2 * (x[0] + x[1] - 3);
}

/* What nothing depends on stays where it starts; what only a sum depends on gets a sum that is right. */
static void undetermined_unknowns_stay_finite(void **state)
{
    (void)state;
    residuals problem = {.count = 2, .unknowns = 3, .at = one_direction};
    double x[3] = {0.5, 0.5, 7};
    unbounded(&problem);
    assert_near(solve(&problem, x), 0, 1e-12);
    assert_near(x[0] + x[1], 3, 1e-6);
    assert_near(x[2], 7, 0);
}

/* ---- linear problems, against every combination of bounds ---- */

#define LINEAR 4
#define ROWS 9
static double linear_matrix[ROWS][LINEAR], linear_right[ROWS];

static void linear(const double *x, double *values)
{
    for (int i = 0; i < ROWS; i++) {
        values[i] = -linear_right[i];
        for (int k = 0; k < LINEAR; k++)
            values[i] += linear_matrix[i][k] * x[k];
    }
}

static double linear_cost(const double *x)
{
    double values[ROWS], cost = 0;
    linear(x, values);
    for (int i = 0; i < ROWS; i++)
        cost += values[i] * values[i];
    return cost;
}

/* The minimum where some unknowns are held (by Gauss-Seidel, long enough); infinite where it leaves the bounds. */
static double held_cost(const residuals *problem, int combination, double *x)
{
    int held[LINEAR];
    for (int k = 0; k < LINEAR; k++, combination /= 3) {
        held[k] = combination % 3;
        x[k] = held[k] == 1 ? problem->low[k] : held[k] == 2 ? problem->high[k] : 0;
    }
    for (int round = 0; round < 4000; round++)
        for (int k = 0; k < LINEAR; k++) {
            double values[ROWS], top = 0, bottom = 0;
            linear(x, values);
            for (int i = 0; i < ROWS; i++) {
                top += linear_matrix[i][k] * values[i];
                bottom += linear_matrix[i][k] * linear_matrix[i][k];
            }
            if (!held[k])
                x[k] -= top / bottom;
        }
    for (int k = 0; k < LINEAR; k++)
        if (x[k] < problem->low[k] - 1e-9 || x[k] > problem->high[k] + 1e-9)
            return INFINITY;
    return linear_cost(x);
}

static void linear_problems_equal_every_combination_of_bounds(void **state)
{
    (void)state;
    rw_random random = rw_random_of(11, 0);
    int at_bounds = 0;
    for (int repeat = 0; repeat < 60; repeat++) {
        residuals problem = {.count = ROWS, .unknowns = LINEAR, .at = linear};
        for (int i = 0; i < ROWS; i++) {
            linear_right[i] = rw_random_range(&random, -10, 10);
            for (int k = 0; k < LINEAR; k++)
                linear_matrix[i][k] = rw_random_range(&random, -1, 1);
        }
        double x[LINEAR], best = INFINITY, tried[LINEAR];
        for (int k = 0; k < LINEAR; k++) {
            problem.low[k] = rw_random_range(&random, -3, 1);
            problem.high[k] = problem.low[k] + rw_random_range(&random, 0.1, 4);
            x[k] = rw_random_range(&random, problem.low[k], problem.high[k]);
        }
        double cost = solve(&problem, x);
        for (int combination = 0; combination < 81; combination++)
            best = fmin(best, held_cost(&problem, combination, tried));
        assert_near(cost, best, 1e-8 * best);
        for (int k = 0; k < LINEAR; k++)
            at_bounds += x[k] == problem.low[k] || x[k] == problem.high[k];
    }
    assert_true(at_bounds > 60 && at_bounds < 200); /* bounds mattered, and not all of them */
}

static void inverses_are_inverse(void **state)
{
    (void)state;
    double matrix[N][N] = {{4, 1, 9, 0.5}, {1, 3, 9, 0.25}, {9, 9, 9, 9}, {0.5, 0.25, 9, 2}}, inverse[N][N];
    const int chosen[4] = {1, 1, 0, 1};
    assert_true(rw_matrix_inverse((const double(*)[N])matrix, chosen, 4, inverse));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            double product = 0;
            for (int l = 0; l < 4; l++)
                product += chosen[l] ? matrix[i][l] * inverse[l][k] : 0;
            if (chosen[i])
                assert_near(product, i == k, 1e-13);
            else
                assert_near(inverse[i][k], 0, 0);
        }
    matrix[1][0] = matrix[0][1] = sqrt(12);
    assert_false(rw_matrix_inverse((const double(*)[N])matrix, chosen, 2, inverse));
}

/* A small quadratic problem with sides side.step <= room; the first ones are equations. */
typedef struct sided_problem {
    int unknowns, sides, equations;
    double matrix[N][N], gradient[N], sides_of[16][N], rooms[16];
} sided_problem;

/* The minimum where the chosen sides are equations, by elimination; 0 where they depend on each other. */
static int minimum_on(const sided_problem *problem, unsigned chosen, double *step)
{
    double system[24][25] = {{0}};
    int n = problem->unknowns, size = n;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            system[i][k] = problem->matrix[i][k];
        system[i][24] = -problem->gradient[i];
    }
    for (int s = 0; s < problem->sides; s++)
        if (chosen >> s & 1) {
            if (size == 2 * n)
                return 0;
            for (int k = 0; k < n; k++)
                system[size][k] = system[k][size] = problem->sides_of[s][k];
            system[size++][24] = problem->rooms[s];
        }
    for (int c = 0; c < size; c++) {
        int best = c;
        for (int r = c; r < size; r++)
            best = fabs(system[r][c]) > fabs(system[best][c]) ? r : best;
        if (fabs(system[best][c]) < 1e-10)
            return 0;
        for (int k = 0; k < 25; k++) {
            double kept = system[best][k];
            system[best][k] = system[c][k];
            system[c][k] = kept;
        }
        for (int r = 0; r < size; r++) {
            double factor = r == c ? 0 : system[r][c] / system[c][c];
            for (int k = 0; k < 25; k++)
                system[r][k] -= factor * system[c][k];
        }
    }
    for (int i = 0; i < n; i++)
        step[i] = system[i][24] / system[i][i];
    return 1;
}

static double value_at(const sided_problem *problem, const double *step)
{
    double value = 0;
    for (int i = 0; i < problem->unknowns; i++) {
        value += problem->gradient[i] * step[i];
        for (int k = 0; k < problem->unknowns; k++)
            value += 0.5 * step[i] * problem->matrix[i][k] * step[k];
    }
    return value;
}

static int allowed(const sided_problem *problem, const double *step)
{
    for (int s = 0; s < problem->sides; s++) {
        double sum = -problem->rooms[s];
        for (int k = 0; k < problem->unknowns; k++)
            sum += problem->sides_of[s][k] * step[k];
        if (sum > 1e-8 || (s < problem->equations && sum < -1e-8))
            return 0;
    }
    return 1;
}

/* A random problem: rows first, equations before inequalities, then bounds. */
static void make_sided(rw_random *random, sided_problem *problem, rw_linear_rows *rows, double *low, double *high)
{
    int n = problem->unknowns = 2 + (int)rw_random_index(random, 3);
    problem->equations = (int)rw_random_index(random, 2);
    rows->count = (size_t)problem->equations + rw_random_index(random, 3);
    problem->sides = 0;
    for (int i = 0; i < n; i++)
        problem->gradient[i] = rw_random_range(random, -3, 3);
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            problem->matrix[i][k] = problem->matrix[k][i] = (i == k ? 3 : 0) + rw_random_range(random, -0.7, 0.7);
    for (size_t r = 0; r < rows->count; r++, problem->sides++) {
        rows->equal[r] = (int)r < problem->equations;
        rows->bounds[r] = problem->rooms[r] = rows->equal[r] ? 0 : rw_random_range(random, 0, 1);
        for (int k = 0; k < n; k++)
            rows->rows[r][k] = problem->sides_of[r][k] = rw_random_range(random, -2, 2);
    }
    for (int i = 0; i < n; i++)
        for (int sign = -1; sign <= 1; sign += 2, problem->sides++) {
            double room = rw_random_index(random, 4) ? rw_random_range(random, 0, 2) : 0;
            memset(problem->sides_of[problem->sides], 0, sizeof problem->sides_of[0]);
            problem->sides_of[problem->sides][i] = sign;
            problem->rooms[problem->sides] = room;
            *(sign < 0 ? &low[i] : &high[i]) = sign * room;
        }
}

/* Within bounds, inequalities and equations: against every choice of constraints that could be met, tried in turn. */
static void constrained(void **state)
{
    (void)state;
    rw_random random = rw_random_of(31, 0);
    size_t met = 0;
    for (int trial = 0; trial < 2000; trial++) {
        sided_problem problem = {0};
        rw_linear_rows rows = {0};
        double low[N] = {0}, high[N] = {0}, found[N], step[N], least = INFINITY;
        make_sided(&random, &problem, &rows, low, high);
        assert_true(rw_constrained_minimum((const double(*)[N])problem.matrix, problem.gradient,
                                           (size_t)problem.unknowns, low, high, &rows, rows.bounds, found));
        for (unsigned chosen = 0; chosen < 1u << problem.sides; chosen++)
            if ((chosen & ((1u << problem.equations) - 1)) == (1u << problem.equations) - 1 &&
                minimum_on(&problem, chosen, step) && allowed(&problem, step))
                least = fmin(least, value_at(&problem, step));
        assert_true(allowed(&problem, found));
        if (isfinite(least)) /* otherwise every choice is degenerate */
            assert_near(value_at(&problem, found), least, 1e-8);
        met += least < value_at(&problem, (double[N]){0}) - 0.1;
    }
    assert_true(met > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constrained),
        cmocka_unit_test(rosenbrock_is_solved),
        cmocka_unit_test(rosenbrock_stops_at_its_bounds),
        cmocka_unit_test(powell_is_solved),
        cmocka_unit_test(wood_and_box_are_solved),
        cmocka_unit_test(undetermined_unknowns_stay_finite),
        cmocka_unit_test(linear_problems_equal_every_combination_of_bounds),
        cmocka_unit_test(inverses_are_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
