#include "output/paths/paths.h"

#include "base/memory.h"
#include "ext/gdal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INTERACTIONS_MAX 512

/* The kinds of interaction of a path with commas between; "" for the direct one. */
static void list_path_interactions(const rw_path *path, char *string, size_t size)
{
    size_t used = 0;
    string[0] = 0;
    for (size_t i = 1; i + 1 < path->vertex_count && used < size; i++) {
        int length = snprintf(string + used, size - used, "%s%s", i > 1 ? "," : "",
                              rw_interaction_word(path->vertices[i].interaction));
        used += length > 0 ? (size_t)length : 0;
    }
}

/* A name in quotes, its own quotes twice (RFC 4180). */
static void write_csv_name(FILE *stream, const char *string)
{
    fputc('"', stream);
    for (; *string; string++) {
        if (*string == '"')
            fputc('"', stream);
        fputc(*string, stream);
    }
    fputc('"', stream);
}

static void write_csv_point(FILE *stream, const rw_paths *paths, size_t point, size_t transmitter)
{
    const rw_point *at = &paths->points[point];
    const rw_motion motion = rw_paths_motion(paths, point);
    fprintf(stream, "%zu,%.10g,%.10g,%g,%.10g,%g,%g,%g,%zu,", point + 1, at->x_m, at->y_m, at->height_m, motion.time_s,
            motion.velocity_m_s[0], motion.velocity_m_s[1], motion.velocity_m_s[2], transmitter + 1);
    write_csv_name(stream, paths->transmitters[transmitter].name);
}

static void write_csv_path(FILE *stream, const rw_path *path, size_t number)
{
    char interactions[INTERACTIONS_MAX];
    list_path_interactions(path, interactions, sizeof interactions);
    fprintf(stream, ",%zu,%.6f,%.6f,%.9g,%.6g,%.4f,%.4f,%.4f,%.4f,%.9g,%.9g,\"%s\",\"LINESTRING Z (", number,
            path->loss_db, path->length_m, path->delay_s, path->doppler_hz, path->departure_theta_deg,
            path->departure_phi_deg, path->arrival_theta_deg, path->arrival_phi_deg, path->gain_re, path->gain_im,
            interactions);
    for (size_t i = 0; i < path->vertex_count; i++)
        fprintf(stream, "%s%.10g %.10g %.6g", i ? ", " : "", path->vertices[i].x_m, path->vertices[i].y_m,
                path->vertices[i].z_m);
    fputs(")\"\n", stream);
}

rw_status rw_paths_write_csv(FILE *stream, const rw_paths *paths)
{
    size_t next = 0;
    fputs("point,x,y,height_m,time_s,vx_m_s,vy_m_s,vz_m_s,transmitter,name,path,loss_db,length_m,delay_s,doppler_hz,"
          "departure_theta_deg,departure_phi_deg,arrival_theta_deg,arrival_phi_deg,gain_re,gain_im,interactions,"
          "vertices\n",
          stream);
    for (size_t transmitter = 0; transmitter < paths->transmitter_count; transmitter++)
        for (size_t point = 0; point < paths->point_count; point++) {
            size_t number = 0;
            while (next < paths->count && paths->entries[next].transmitter == transmitter &&
                   paths->entries[next].point == point) {
                rw_path path = {.size = sizeof path};
                RW_TRY(rw_paths_get(paths, next++, &path));
                write_csv_point(stream, paths, point, transmitter);
                write_csv_path(stream, &path, ++number);
            }
            if (number)
                continue;
            write_csv_point(stream, paths, point, transmitter);
            fputs(",,,,,,,,,,,,,\n", stream);
        }
    return RW_OK;
}

/* What a point gets of all transmitters together. */
typedef struct point_sum {
    size_t paths;
    double min_loss_db;
} point_sum;

static rw_status write_points(const rw_paths *paths, rw_vector_writer *writer, const point_sum *sums)
{
    static const rw_vector_field fields[] = {{"point", RW_FIELD_INTEGER}, {"height_m", RW_FIELD_REAL},
                                             {"time_s", RW_FIELD_REAL},   {"vx_m_s", RW_FIELD_REAL},
                                             {"vy_m_s", RW_FIELD_REAL},   {"inside_building", RW_FIELD_INTEGER},
                                             {"paths", RW_FIELD_INTEGER}, {"loss_db", RW_FIELD_REAL}};
    RW_TRY(rw_vector_writer_layer(writer, "points", RW_SHAPE_POINT, fields, sizeof fields / sizeof *fields));
    for (size_t i = 0; i < paths->point_count; i++) {
        const rw_point *at = &paths->points[i];
        const rw_motion motion = rw_paths_motion(paths, i);
        rw_vector_write_integer(writer, 0, (long long)i + 1);
        rw_vector_write_real(writer, 1, at->height_m);
        rw_vector_write_real(writer, 2, motion.time_s);
        rw_vector_write_real(writer, 3, motion.velocity_m_s[0]);
        rw_vector_write_real(writer, 4, motion.velocity_m_s[1]);
        rw_vector_write_integer(writer, 5, paths->indoor[i]);
        rw_vector_write_integer(writer, 6, (long long)sums[i].paths);
        rw_vector_write_real(writer, 7, sums[i].paths ? sums[i].min_loss_db : NAN);
        RW_TRY(rw_vector_write_point(writer, at->x_m, at->y_m));
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

static rw_status write_path_line(rw_context *context, rw_vector_writer *writer, const rw_path *path)
{
    double *xyz;
    RW_TRY(rw_array_create(context, 3 * path->vertex_count, sizeof *xyz, "a path", &xyz));
    for (size_t i = 0; i < path->vertex_count; i++) {
        xyz[3 * i] = path->vertices[i].x_m;
        xyz[3 * i + 1] = path->vertices[i].y_m;
        xyz[3 * i + 2] = path->vertices[i].z_m;
    }
    rw_status status = rw_vector_write_line_z(writer, xyz, path->vertex_count);
    free(xyz);
    return status;
}

static rw_status write_lines(const rw_paths *paths, rw_vector_writer *writer, point_sum *sums)
{
    static const rw_vector_field fields[] = {{"point", RW_FIELD_INTEGER},
                                             {"transmitter", RW_FIELD_INTEGER},
                                             {"name", RW_FIELD_STRING},
                                             {"time_s", RW_FIELD_REAL},
                                             {"loss_db", RW_FIELD_REAL},
                                             {"length_m", RW_FIELD_REAL},
                                             {"delay_s", RW_FIELD_REAL},
                                             {"doppler_hz", RW_FIELD_REAL},
                                             {"departure_theta_deg", RW_FIELD_REAL},
                                             {"departure_phi_deg", RW_FIELD_REAL},
                                             {"arrival_theta_deg", RW_FIELD_REAL},
                                             {"arrival_phi_deg", RW_FIELD_REAL},
                                             {"gain_re", RW_FIELD_REAL},
                                             {"gain_im", RW_FIELD_REAL},
                                             {"interactions", RW_FIELD_STRING}};
    RW_TRY(rw_vector_writer_layer(writer, "paths", RW_SHAPE_LINE_Z, fields, sizeof fields / sizeof *fields));
    for (size_t i = 0; i < paths->count; i++) {
        char interactions[INTERACTIONS_MAX];
        rw_path path = {.size = sizeof path};
        RW_TRY(rw_paths_get(paths, i, &path));
        point_sum *sum = &sums[path.point];
        sum->min_loss_db = sum->paths ? fmin(sum->min_loss_db, path.loss_db) : path.loss_db;
        sum->paths++;
        rw_vector_write_integer(writer, 0, (long long)path.point + 1);
        rw_vector_write_integer(writer, 1, (long long)path.transmitter + 1);
        rw_vector_write_string(writer, 2, paths->transmitters[path.transmitter].name);
        const double numbers[] = {rw_paths_motion(paths, path.point).time_s,
                                  path.loss_db,
                                  path.length_m,
                                  path.delay_s,
                                  path.doppler_hz,
                                  path.departure_theta_deg,
                                  path.departure_phi_deg,
                                  path.arrival_theta_deg,
                                  path.arrival_phi_deg,
                                  path.gain_re,
                                  path.gain_im};
        for (int k = 0; k < 11; k++)
            rw_vector_write_real(writer, 3 + k, numbers[k]);
        list_path_interactions(&path, interactions, sizeof interactions);
        rw_vector_write_string(writer, 14, interactions);
        RW_TRY(write_path_line(paths->context, writer, &path));
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

rw_status rw_paths_write_gpkg(const rw_paths *paths, const char *path)
{
    rw_vector_writer *writer = NULL;
    point_sum *sums;
    RW_TRY(rw_array_create(paths->context, paths->point_count + 1, sizeof *sums, "points", &sums));
    rw_status status = rw_vector_writer_create(paths->context, "GPKG", path, paths->crs, &writer);
    if (status == RW_OK) {
        status = write_lines(paths, writer, sums);
        if (status == RW_OK)
            status = write_points(paths, writer, sums);
        if (status == RW_OK)
            status = rw_vector_writer_finish(writer);
        else
            rw_vector_writer_abandon(writer);
    }
    free(sums);
    return status;
}
