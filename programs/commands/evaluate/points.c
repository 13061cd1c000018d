/* The points of an evaluation as a table: for a GIS, for other programs, and as measurements that a model made. */
#include "commands/evaluate/evaluate.h"

#include <stdio.h>
#include <string.h>

/* A name between quotes where it holds what would end a field. */
static void write_name(FILE *stream, const char *name)
{
    int plain = !strpbrk(name, ",;\"\t\r\n");
    if (!plain)
        fputc('"', stream);
    for (; *name; name++) {
        if (*name == '"')
            fputc('"', stream);
        fputc(*name, stream);
    }
    if (!plain)
        fputc('"', stream);
}

static void write_points_csv(const rw_evaluation *evaluation, FILE *stream)
{
    rw_evaluation_info info = {.size = sizeof info};
    rw_evaluation_get_info(evaluation, &info);
    fputs("x,y,measured_db,predicted_db,error_db,samples,route,height,site,device,mechanism\n", stream);
    for (size_t i = 0; i < info.points; i++) {
        rw_evaluation_point point = {.size = sizeof point};
        rw_evaluation_get_point(evaluation, i, &point);
        fprintf(stream, "%.3f,%.3f,%.4f,%.4f,%.4f,%zu,", point.x_m, point.y_m, point.measured_db, point.predicted_db,
                point.measured_db - point.predicted_db, point.samples);
        write_name(stream, point.route);
        fprintf(stream, ",%.3f,", point.height_m);
        write_name(stream, point.site);
        fputc(',', stream);
        write_name(stream, point.device);
        if (point.mechanism >= 0)
            fprintf(stream, ",%d\n", point.mechanism);
        else
            fputs(",\n", stream);
    }
}

int write_evaluation_points(struct call *call, const struct evaluation *evaluation)
{
    struct text_file file;
    FILE *stream = begin_text_file(&file);
    if (stream)
        write_points_csv(evaluation->result, stream);
    return end_text_file(call, &file, evaluation->points_path, 0);
}
