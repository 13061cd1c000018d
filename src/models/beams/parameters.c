/* Parameters of the beams model, and the loss of all paths of a point under other values.
 *
 * After section 5 of Schmitz and others (2011): the loss of a path is linear in the parameters (equation (5)), with a
 * constant for the first, second and further interaction of a kind; which of them count is the binary encoding of
 * equations (10) and (11). All paths of a point enter at once, by their power sum, so that nothing hangs on which of
 * them the values at hand make the strongest. */
#include "models/beams/beams.h"

#include "base/maths/elementary.h"
#include "field/paths/free_space.k.h"

#include <math.h>
#include <string.h>

#define REFLECTION(order, about)                                                                                       \
    {                                                                                                                  \
        "reflection" order "_db", "dB", about, "reflection", 0.0, 40.0, RW_ALONE, 0                                    \
    }
#define TRANSMISSION(order, about)                                                                                     \
    {                                                                                                                  \
        "transmission" order "_db", "dB", about, "transmission", 0.0, 60.0, RW_ALONE, 0                                \
    }
#define DIFFRACTION(order, about)                                                                                      \
    {                                                                                                                  \
        "diffraction" order "_db", "dB", about, "diffraction", 0.0, 60.0, RW_ALONE, 0                                  \
    }

const rw_parameter_kind rw_beam_parameters[RW_BEAM_PARAMETERS] = {
    {"exponent", "1", "of the loss over distance: 2 in free space", "distance", 1.5, 5.0, RW_ALONE, 0},
    {"constant_db", "dB", "loss over the first metre", "distance", 0.0, 120.0, RW_ALONE, 0},
    REFLECTION("1", "loss of the first reflection"),
    REFLECTION("2", "of the second"),
    REFLECTION("3", "of the third"),
    REFLECTION("4", "of the fourth and each further one"),
    TRANSMISSION("1", "loss of the first wall"),
    TRANSMISSION("2", "of each further one"),
    DIFFRACTION("1", "loss of the first corner"),
    DIFFRACTION("2", "of each further one")};

_Static_assert(RW_BEAM_PARAMETERS <= RW_PARAMETERS_MAX, "room for the parameters");

/* Where each kind begins, and how many constants it has. */
static const size_t kind_first[3] = {RW_BEAM_REFLECTION, RW_BEAM_TRANSMISSION, RW_BEAM_DIFFRACTION};
static const size_t kind_count[3] = {4, 2, 2};

#define RW_LN10 2.302585092994046

/* Free space, and what a wall of brick or concrete and a corner in a street usually cost at mobile radio. */
rw_status rw_beam_parameter_defaults(rw_context *context, double freq_hz, double *values)
{
    static const double default_db[3] = {6, 12, 22};
    (void)context;
    values[RW_BEAM_EXPONENT] = 2;
    values[RW_BEAM_CONSTANT] = rw_free_space_loss_db(1.0, RW_SPEED_OF_LIGHT_M_S / freq_hz);
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < kind_count[kind]; i++)
            values[kind_first[kind] + i] = default_db[kind];
    return RW_OK;
}

void rw_beam_path_terms(const rw_path *path, float *terms)
{
    size_t count = (size_t)terms[0];
    for (size_t i = 0; i < path->vertex_count; i++)
        if (path->vertices[i].interaction == RW_INTERACTION_ROOF)
            return; /* over the roofs: none of these parameters is in it */
    float *own = terms + RW_BEAM_TERMS + RW_BEAM_PATH_TERMS * count;
    terms[0] = (float)(count + 1);
    own[0] = (float)(10 * log10(path->length_m));
    for (size_t i = 0; i < path->vertex_count; i++) {
        own[1] += path->vertices[i].interaction == RW_INTERACTION_REFLECTION;
        own[2] += path->vertices[i].interaction == RW_INTERACTION_WALL;
        own[3] += path->vertices[i].interaction == RW_INTERACTION_STREET;
    }
}

/* How often the i-th constant of a kind counts for that many interactions: once, or, for the last, for all the rest. */
static double count_encoded(int kind, size_t i, double interactions)
{
    double more = interactions - (double)i;
    return more <= 0 ? 0 : i + 1 < kind_count[kind] ? 1 : more;
}

static double path_loss_db(const float *own, const double *values)
{
    double loss_db = values[RW_BEAM_CONSTANT] + values[RW_BEAM_EXPONENT] * (double)own[0];
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < kind_count[kind]; i++)
            loss_db += count_encoded(kind, i, (double)own[1 + kind]) * values[kind_first[kind] + i];
    return loss_db;
}

/* Powers are told relative to the first path's. */
double rw_beam_terms_loss_db(const float *terms, const double *values, double *derivatives)
{
    size_t count = (size_t)terms[0];
    double first_db = 0, sum = 0;
    memset(derivatives, 0, RW_BEAM_PARAMETERS * sizeof *derivatives);
    if (count == 0)
        return INFINITY;
    for (size_t p = 0; p < count; p++) { /* each path's derivatives by its power */
        const float *own = terms + RW_BEAM_TERMS + RW_BEAM_PATH_TERMS * p;
        double loss_db = path_loss_db(own, values);
        first_db = p == 0 ? loss_db : first_db;
        double power = exp((0.1 * RW_LN10) * (first_db - loss_db));
        sum += power;
        derivatives[RW_BEAM_CONSTANT] += power;
        derivatives[RW_BEAM_EXPONENT] += power * (double)own[0];
        for (int kind = 0; kind < 3; kind++)
            for (size_t i = 0; i < kind_count[kind] && (double)own[1 + kind] > (double)i; i++)
                derivatives[kind_first[kind] + i] += power * count_encoded(kind, i, (double)own[1 + kind]);
    }
    for (size_t i = 0; i < RW_BEAM_PARAMETERS; i++)
        derivatives[i] /= sum;
    return first_db - 10 * log10(sum);
}
