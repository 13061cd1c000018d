/* Parameters of the images model: losses of walls, for calibration.
 *
 * The loss in dB that a passage through a wall has by the slab's formulas is multiplied by a factor of the wall's main
 * material, that of a reflection by one of all walls: |T|^f, |R|^f. A factor is never negative, so no wall amplifies;
 * of a lossy slab it is nearly a factor of the conductivity, since the loss grows as that does. The loss of a path is
 * linear in the factors; all paths of a point enter at once by their power sum. */
#include "models/rays/rays.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define FACTOR(material, about)                                                                                        \
    {                                                                                                                  \
        material "_factor", "1", about, "walls", 0.05, 10.0, RW_ALONE, 0                                               \
    }

const rw_parameter_kind rw_image_parameters[RW_IMAGE_PARAMETERS] = {
    FACTOR("concrete", "of the loss through concrete, by the slab's formulas"),
    FACTOR("brick", "through brick and stone"),
    FACTOR("plaster", "through plaster and plasterboard"),
    FACTOR("wood", "through wood, chipboard and plywood"),
    FACTOR("glass", "through glass"),
    FACTOR("other", "through everything else"),
    {"reflection_factor", "1", "of the loss of a reflection", "reflection", 0.05, 10.0, RW_ALONE, 0},
    {"offset_db", "dB", "added to every path: cables, antennas", "offset", -60.0, 60.0, RW_ALONE, 1}};

_Static_assert(RW_IMAGE_TERMS <= RW_TERMS_MAX, "room for a point's terms");
_Static_assert(RW_IMAGE_PARAMETERS <= RW_PARAMETERS_MAX, "room for the parameters");

rw_status rw_image_parameter_defaults(rw_context *context, double freq_hz, double *values)
{
    (void)context, (void)freq_hz;
    for (int i = 0; i < RW_IMAGE_PARAMETERS; i++)
        values[i] = i == RW_IMAGE_OFFSET ? 0 : 1;
    return RW_OK;
}

size_t rw_image_material(const char *name)
{
    /* The first word that a name holds decides: plasterboard before board, chipboard before it too. */
    static const struct {
        const char *word;
        size_t parameter;
    } words[] = {{"concrete", 0}, {"brick", 1}, {"stone", 1},     {"marble", 1},     {"plaster", 2}, {"gypsum", 2},
                 {"ceiling", 2},  {"wood", 3},  {"chipboard", 3}, {"floorboard", 3}, {"timber", 3},  {"glass", 4}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = name; at && *at; at++)
            if (strncasecmp(at, words[i].word, strlen(words[i].word)) == 0)
                return words[i].parameter;
    return RW_IMAGE_OTHER;
}

void rw_image_adjust(void *user, const char *material, rw_construction *wall)
{
    const double *values = user;
    wall->through_factor = values[rw_image_material(material)];
    wall->reflection_factor = values[RW_IMAGE_REFLECTION];
}

/* A path's terms: what neither factors nor the offset change, then the losses that each factor multiplies, by the
 * formulas alone. */
typedef struct path_losses {
    double rest_db; /* the path's loss without its vertices' */
    double vertices_db;
    double factored_db[RW_IMAGE_OFFSET];
} path_losses;

static path_losses split_path_loss(const rw_path *path)
{
    path_losses losses = {0};
    for (size_t i = 0; i < path->vertex_count; i++) {
        const rw_path_vertex *vertex = &path->vertices[i];
        size_t parameter = vertex->interaction == RW_INTERACTION_REFLECTION ? RW_IMAGE_REFLECTION
                           : vertex->interaction == RW_INTERACTION_WALL     ? rw_image_material(vertex->material)
                                                                            : RW_IMAGE_OFFSET;
        int bent = vertex->interaction == RW_INTERACTION_STREET || vertex->interaction == RW_INTERACTION_ROOF;
        if (bent) /* diffraction stays as it is */
            continue;
        losses.vertices_db += (double)vertex->loss_db;
        if (parameter < RW_IMAGE_OFFSET)
            losses.factored_db[parameter] += (double)vertex->loss_db / (double)vertex->loss_factor;
    }
    losses.rest_db = path->loss_db - losses.vertices_db;
    return losses;
}

/* terms[0]: how many paths; terms[1]: loss of the last one where it stands for several. */
void rw_image_path_terms(const rw_path *path, float *terms)
{
    size_t count = (size_t)terms[0], last = RW_IMAGE_PATHS_FITTED - 1;
    path_losses losses = split_path_loss(path);
    float *own = terms + 2 + RW_IMAGE_PATH_TERMS * (count > last ? last : count);
    if (count <= last) {
        terms[0] = (float)(count + 1);
        terms[1] = (float)path->loss_db;
        own[0] = (float)losses.rest_db;
        for (size_t i = 0; i < RW_IMAGE_OFFSET; i++)
            own[1 + i] = (float)losses.factored_db[i];
        return;
    }
    /* The weakest of all are one path: their power, and the mean of their walls. */
    double before = pow(10, -0.1 * (double)terms[1]), added = pow(10, -0.1 * path->loss_db);
    double fraction = added / (before + added), vertices_db = (double)terms[1] - (double)own[0];
    vertices_db += fraction * (losses.vertices_db - vertices_db);
    terms[1] = (float)(-10 * log10(before + added));
    own[0] = (float)((double)terms[1] - vertices_db);
    for (size_t i = 0; i < RW_IMAGE_OFFSET; i++)
        own[1 + i] += (float)(fraction * (losses.factored_db[i] - (double)own[1 + i]));
}

double rw_image_terms_loss_db(const float *terms, const double *values, double *derivatives)
{
    size_t count = (size_t)terms[0];
    double losses_db[RW_IMAGE_PATHS_FITTED], min_db = INFINITY, sum = 0;
    memset(derivatives, 0, RW_IMAGE_PARAMETERS * sizeof *derivatives);
    for (size_t p = 0; p < count; p++) {
        const float *own = terms + 2 + RW_IMAGE_PATH_TERMS * p;
        losses_db[p] = (double)own[0] + values[RW_IMAGE_OFFSET];
        for (size_t i = 0; i < RW_IMAGE_OFFSET; i++)
            losses_db[p] += values[i] * (double)own[1 + i];
        min_db = fmin(min_db, losses_db[p]);
    }
    for (size_t p = 0; p < count; p++)
        sum += pow(10, 0.1 * (min_db - losses_db[p]));
    for (size_t p = 0; p < count; p++) { /* each path's derivatives by its share of the power */
        double fraction = pow(10, 0.1 * (min_db - losses_db[p])) / sum;
        for (size_t i = 0; i < RW_IMAGE_OFFSET; i++)
            derivatives[i] += fraction * (double)terms[2 + RW_IMAGE_PATH_TERMS * p + 1 + i];
    }
    derivatives[RW_IMAGE_OFFSET] = 1;
    return min_db - 10 * log10(sum);
}
