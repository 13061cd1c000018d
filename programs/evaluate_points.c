/* The points of an evaluation as a table: for a GIS, for other programs, and as measurements that a model made. */
#include "evaluate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A name between quotes where it holds what would end a field. */
static void put_name(FILE *stream, const char *name)
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

static void put_points(const rw_evaluation *evaluation, FILE *stream)
{
    rw_evaluation_info info = {.size = sizeof info};
    rw_evaluation_get_info(evaluation, &info);
    fputs("x,y,measured_db,predicted_db,error_db,samples,route\n", stream);
    for (size_t i = 0; i < info.points; i++) {
        rw_evaluation_point point = {.size = sizeof point};
        rw_evaluation_get_point(evaluation, i, &point);
        fprintf(stream, "%.3f,%.3f,%.4f,%.4f,%.4f,%zu,", point.x_m, point.y_m, point.measured_db, point.predicted_db,
                point.measured_db - point.predicted_db, point.samples);
        put_name(stream, point.route);
        fputc('\n', stream);
    }
}

int write_evaluation_points(const struct evaluation *evaluation)
{
    char partial[4160];
    snprintf(partial, sizeof partial, "%s.partial-%ld", evaluation->points_path, (long)getpid());
    FILE *stream = fopen(partial, "w");
    if (!stream)
        return complain("%s cannot be written: %s", evaluation->points_path, strerror(errno));
    put_points(evaluation->result, stream);
    int failed = fflush(stream) != 0 || ferror(stream);
    failed |= fclose(stream) != 0;
    if (!failed && rename(partial, evaluation->points_path) == 0)
        return 0;
    complain("%s cannot be written: %s", evaluation->points_path, strerror(errno));
    unlink(partial);
    return 1;
}
