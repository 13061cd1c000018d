#include "discretise/built_over.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>

#define FINE_M 2.0                 /* side of the cells that are built over or not */
#define FINE_PER_CELL 5            /* of them along a cell of the raster */
#define FINE_CELLS_MAX 250000000.0 /* 31 MB of bits */

/* The area of the scene with buildings, in fine cells of which a bit each says whether its centre is built over. */
typedef struct built_bits {
    double x0, y0, fine_m; /* south-western corner of the first cell, local frame */
    size_t columns, rows;  /* of cells; five fine cells each */
    uint64_t *bits;
    size_t words; /* of a row of fine cells */
    double *crossings;
} built_bits;

static int is_on_ground(const rw_part *part)
{
    return part->ring_count > 0 && !(part->base_height_m > 0);
}

/* Where buildings are, and how many edges one has at most: west, south, east, north. */
static size_t find_built_box(const rw_scene *scene, double box[4])
{
    size_t max_points = 0;
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        size_t count = 0;
        for (size_t r = 0; is_on_ground(part) && r < part->ring_count; r++) {
            const rw_vec2 *points = rw_ring_points(scene, part->first_ring + r);
            size_t size = rw_ring_size(scene, part->first_ring + r);
            count += size;
            for (size_t k = 0; k < size; k++) {
                box[0] = fmin(box[0], points[k].x);
                box[1] = fmin(box[1], points[k].y);
                box[2] = fmax(box[2], points[k].x);
                box[3] = fmax(box[3], points[k].y);
            }
        }
        max_points = count > max_points ? count : max_points;
    }
    return max_points;
}

static int compare_crossings(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Sets the bits of fine cells whose centres are between two places of a row. */
static void set_run(const built_bits *built, size_t row, double from, double to)
{
    double max = (double)(built->columns * FINE_PER_CELL);
    double first = fmax(ceil((from - built->x0) / built->fine_m - 0.5), 0);
    double end = fmin(ceil((to - built->x0) / built->fine_m - 0.5), max);
    for (size_t i = (size_t)first; (double)i < end; i++)
        built->bits[row * built->words + i / 64] |= (uint64_t)1 << i % 64;
}

/* Even-odd over all rings, so that courtyards stay open. */
static void rasterise_part(const rw_scene *scene, const rw_part *part, const built_bits *built)
{
    double low = INFINITY, high = -INFINITY;
    const rw_vec2 *outer = rw_ring_points(scene, part->first_ring);
    for (size_t k = 0; k < rw_ring_size(scene, part->first_ring); k++) {
        low = fmin(low, outer[k].y);
        high = fmax(high, outer[k].y);
    }
    double rows = (double)(built->rows * FINE_PER_CELL);
    double first = fmax(ceil((low - built->y0) / built->fine_m - 0.5), 0);
    double end = fmin(ceil((high - built->y0) / built->fine_m - 0.5), rows);
    for (size_t row = (size_t)first; (double)row < end; row++) {
        double y = built->y0 + ((double)row + 0.5) * built->fine_m;
        size_t count = 0;
        for (size_t r = 0; r < part->ring_count; r++) {
            const rw_vec2 *points = rw_ring_points(scene, part->first_ring + r);
            size_t size = rw_ring_size(scene, part->first_ring + r);
            for (size_t k = 0; k < size; k++) {
                rw_vec2 a = points[k], b = points[(k + 1) % size];
                if ((a.y <= y) != (b.y <= y))
                    built->crossings[count++] = a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y);
            }
        }
        qsort(built->crossings, count, sizeof *built->crossings, compare_crossings);
        for (size_t k = 0; k + 1 < count; k += 2)
            set_run(built, row, built->crossings[k], built->crossings[k + 1]);
    }
}

/* Sums along each row of cells: built-over fine cells west of each cell's border. */
typedef struct row_sums {
    const built_bits *built;
    double *sums; /* columns + 1 of each row */
} row_sums;

static void sum_rows(void *user, size_t begin, size_t end)
{
    const row_sums *work = user;
    const built_bits *built = work->built;
    for (size_t row = begin; row < end; row++) {
        double *sums = work->sums + row * (built->columns + 1), sum = 0;
        for (size_t column = 0; column < built->columns; column++) {
            sums[column] = sum;
            for (size_t i = 0; i < (size_t)FINE_PER_CELL * FINE_PER_CELL; i++) {
                size_t fine = column * FINE_PER_CELL + i % FINE_PER_CELL;
                sum += (double)(built->bits[(row * FINE_PER_CELL + i / FINE_PER_CELL) * built->words + fine / 64] >>
                                    fine % 64 &
                                1);
            }
        }
        sums[built->columns] = sum;
    }
}

/* Means over discs round the centres of cells of the raster, which is wider than the built area by a radius. */
typedef struct disc_means {
    const built_bits *built;
    const double *sums;
    long long margin; /* cells by which the raster is wider */
    double radius_in_cells;
    double *halves; /* of the disc in each row of cells from its centre, in cells: their mean over the row */
    rw_built_over *out;
} disc_means;

/* Half of the area of a disc below a height, for the rows that it is cut into. */
static double half_area_below(double radius, double height)
{
    double h = fmin(fmax(height, -radius), radius);
    return 0.5 * (h * sqrt(radius * radius - h * h) + radius * radius * asin(h / radius));
}

/* Built-over fine cells of a row of cells up to a place in it, in cells. */
static double sum_up_to(const disc_means *work, const double *sums, double at)
{
    double end = (double)work->built->columns,
           clamped = at > 0 ? (at < end ? at : end) : 0; /* no calls of fmin, floor */
    size_t index = (size_t)clamped;
    double inside = clamped - (double)index;
    return inside > 0 ? (1 - inside) * sums[index] + inside * sums[index + 1] : sums[index];
}

static void find_disc_means(void *user, size_t begin, size_t end)
{
    const disc_means *work = user;
    const built_bits *built = work->built;
    int columns = work->out->view.columns;
    double disc = 3.14159265358979323846 * work->radius_in_cells * work->radius_in_cells;
    for (size_t row = begin; row < end; row++)
        for (int column = 0; column < columns; column++) {
            double centre = (double)(column - work->margin) + 0.5, sum = 0;
            for (long long up = -(work->margin - 1); up < work->margin; up++) {
                long long other = (long long)row - work->margin + up;
                if (other < 0 || other >= (long long)built->rows)
                    continue;
                double half = work->halves[up < 0 ? -up : up];
                const double *sums = work->sums + (size_t)other * (built->columns + 1);
                sum += sum_up_to(work, sums, centre + half) - sum_up_to(work, sums, centre - half);
            }
            work->out->fractions[row * (size_t)columns + (size_t)column] =
                (float)fmin(sum / (FINE_PER_CELL * FINE_PER_CELL * disc), 1);
        }
}

static rw_status build_means(const rw_scene *scene, built_bits *built, rw_vec2 centre, rw_built_over *out)
{
    rw_context *context = scene->context;
    double cell_m = built->fine_m * FINE_PER_CELL;
    disc_means work = {.built = built, .radius_in_cells = RW_BUILT_OVER_RADIUS_M / cell_m, .out = out};
    work.margin = (long long)ceil(work.radius_in_cells) + 1;
    size_t columns = built->columns + 2 * (size_t)work.margin, rows = built->rows + 2 * (size_t)work.margin;
    double *sums;
    RW_TRY(rw_array_create(context, columns * rows, sizeof *out->fractions, "built-over area", &out->fractions));
    RW_TRY(rw_array_create(context, built->rows * (built->columns + 1), sizeof *sums, "built-over area", &sums));
    out->view = (rw_built_over_view){.columns = (int)columns,
                                     .rows = (int)rows,
                                     .x0 = built->x0 + (0.5 - (double)work.margin) * cell_m - centre.x,
                                     .y0 = built->y0 + (0.5 - (double)work.margin) * cell_m - centre.y,
                                     .cell_m = cell_m,
                                     .fractions = out->fractions};
    rw_status status =
        rw_array_create(context, (size_t)work.margin, sizeof *work.halves, "built-over area", &work.halves);
    for (long long i = 0; status == RW_OK && i < work.margin; i++)
        work.halves[i] = half_area_below(work.radius_in_cells, (double)i + 0.5) -
                         half_area_below(work.radius_in_cells, (double)i - 0.5);
    if (status == RW_OK) {
        row_sums rows_of = {built, sums};
        status = rw_parallel(context, built->rows, 16, sum_rows, &rows_of);
        work.sums = sums;
    }
    if (status == RW_OK)
        status = rw_parallel(context, rows, 4, find_disc_means, &work);
    free(work.halves);
    free(sums);
    return status;
}

rw_status rw_built_over_create(const rw_scene *scene, rw_vec2 centre, rw_built_over *built_over)
{
    double box[4];
    size_t max_points = find_built_box(scene, box);
    *built_over = (rw_built_over){0};
    if (max_points == 0 || !(box[2] > box[0]) || !(box[3] > box[1]))
        return RW_OK;
    built_bits built = {.fine_m = FINE_M};
    while ((box[2] - box[0]) * (box[3] - box[1]) > FINE_CELLS_MAX * built.fine_m * built.fine_m)
        built.fine_m *= 2;
    double cell_m = built.fine_m * FINE_PER_CELL;
    built.x0 = floor(box[0] / cell_m) * cell_m;
    built.y0 = floor(box[1] / cell_m) * cell_m;
    built.columns = (size_t)ceil((box[2] - built.x0) / cell_m);
    built.rows = (size_t)ceil((box[3] - built.y0) / cell_m);
    built.words = (built.columns * FINE_PER_CELL + 63) / 64;
    rw_context *context = scene->context;
    size_t words = built.words * built.rows * FINE_PER_CELL;
    rw_status status = rw_array_create(context, words, sizeof *built.bits, "built-over area", &built.bits);
    if (status == RW_OK)
        status = rw_array_create(context, max_points, sizeof *built.crossings, "built-over area", &built.crossings);
    for (size_t i = 0; status == RW_OK && i < scene->parts.count; i++)
        if (is_on_ground(&scene->parts.items[i]))
            rasterise_part(scene, &scene->parts.items[i], &built);
    if (status == RW_OK)
        status = build_means(scene, &built, centre, built_over);
    free(built.bits);
    free(built.crossings);
    if (status != RW_OK)
        rw_built_over_destroy(built_over);
    return status;
}

void rw_built_over_destroy(rw_built_over *built)
{
    free(built->fractions);
    *built = (rw_built_over){0};
}
