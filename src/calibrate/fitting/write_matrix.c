/* The linear form of a fit, M x - d, as a table.
 *
 * After equations (5) to (11) and figure 7 of Schmitz and others (2011): a row of M is one measured point, and its
 * blocks are the paths that arrive there, each with its length in dB and a 1 for the first, second and further
 * interaction that it has. A line of the table is one block; lines with the same number of a point are one row. d is
 * what was measured. */
#include "calibrate/fitting/fitting.h"

#include "base/file.h"

#include <math.h>
#include <string.h>

/* One line: coefficients of the parameters, by terms that are of one path or of a point. */
static void write_matrix_line(const rw_calibration *calibration, size_t point, size_t path, const float *terms,
                              FILE *stream)
{
    const rw_model *model = calibration->params->model;
    double coefficients[RW_PARAMETERS_MAX];
    model->terms_loss_db(terms, calibration->params->values, coefficients);
    fprintf(stream, "%zu,%.3f,%.3f,%d,%.6f,%zu", point + 1, calibration->sample_points[2 * point],
            calibration->sample_points[2 * point + 1], point >= calibration->info.points,
            (double)calibration->measured_db[point], path);
    for (size_t i = 0; i < model->parameter_count; i++)
        fprintf(stream, ",%.9g", coefficients[i]);
    fputc('\n', stream);
}

/* The paths of a point one by one: terms of a point begin with their number. */
static void write_matrix_point(const rw_calibration *calibration, const rw_fit_data *data, size_t point, FILE *stream)
{
    const rw_model *model = data->model;
    const float *terms = rw_fit_terms(data, point);
    float one[RW_TERMS_MAX] = {1};
    if (!model->path_term_count) {
        write_matrix_line(calibration, point, 0, terms, stream);
        return;
    }
    for (size_t path = 0; path < (size_t)terms[0]; path++) {
        memcpy(one + model->term_count, terms + model->term_count + path * model->path_term_count,
               model->path_term_count * sizeof *one);
        write_matrix_line(calibration, point, path + 1, one, stream);
    }
}

rw_status rw_calibration_write_matrix(const rw_calibration *calibration, const char *path)
{
    rw_context *context = calibration->context;
    rw_fit_data data = rw_calibration_data(calibration);
    rw_file_writer writer;
    if (!calibration->point_count)
        return rw_fail(context, RW_BAD_CALL,
                       "the matrix is that of a fit of the model's parameters: name groups with fit");
    RW_TRY(rw_file_begin(context, path, &writer));
    fputs("point,x,y,held_out,measured_db,path", writer.stream);
    for (size_t i = 0; i < data.model->parameter_count; i++)
        fprintf(writer.stream, ",%s", data.model->parameters[i].name);
    fputc('\n', writer.stream);
    for (size_t i = 0; i < data.count; i++)
        write_matrix_point(calibration, &data, i, writer.stream);
    return rw_file_commit(context, &writer);
}
