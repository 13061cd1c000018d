/* Point clouds (.laz, .las) as rasters, by the program pdal where it is installed: the highest point of each pixel for
 * a surface model, the mean of those classified as ground (class 2, ASPRS LAS 1.4, table 17) for a terrain. The raster
 * is a temporary file of pixels of a metre, without points of noise (classes 7 and 18). */
#include "ext/gdal_internal.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int rw_gdal_is_point_cloud(const char *path)
{
    return rw_path_has_extension(path, ".laz") || rw_path_has_extension(path, ".las");
}

void rw_gdal_points_remove(const char *raster_path)
{
    char folder[RW_PATH_MAX];
    if (!*raster_path)
        return;
    unlink(raster_path);
    snprintf(folder, sizeof folder, "%.*s", (int)(rw_path_name(raster_path) - raster_path - 1), raster_path);
    rmdir(folder);
}

static rw_status name_raster_of_points(rw_context *context, char raster_path[RW_PATH_MAX])
{
    const char *parent = getenv("TMPDIR");
    char folder[RW_PATH_MAX];
    snprintf(folder, sizeof folder, "%.400s/rasterwave-XXXXXX", parent && *parent ? parent : "/tmp");
    *raster_path = 0;
    if (!mkdtemp(folder))
        return rw_fail(context, RW_IO, "there is no folder for temporary files: set TMPDIR");
    snprintf(raster_path, RW_PATH_MAX, "%.4000s/points.tif", folder);
    return RW_OK;
}

/* Runs pdal without its output; -1: it cannot be started. */
static int run_pdal(char *const words[])
{
    posix_spawn_file_actions_t actions;
    pid_t process;
    int status = -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(&process, "pdal", &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return -1;
    while (waitpid(process, &status, 0) != process)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

rw_status rw_gdal_points_rasterise(rw_context *context, const char *path, int only_ground, char *raster_path)
{
    char program[] = "pdal", translate[] = "translate", filter[] = "range", filter_option[] = "-f",
         ground[] = "--filters.range.limits=Classification[2:2]",
         /* without noise, 7 and 18: ranges of one dimension are alternatives */
        all[] = "--filters.range.limits=Classification[0:6],Classification[8:17],Classification[19:255]",
         mean[] = "--writers.gdal.output_type=mean", highest[] = "--writers.gdal.output_type=max",
         pixel[] = "--writers.gdal.resolution=1", window[] = "--writers.gdal.window_size=3",
         driver[] = "--writers.gdal.gdaldriver=GTiff", nodata[] = "--writers.gdal.nodata=-9999", cloud[RW_PATH_MAX];
    RW_TRY(name_raster_of_points(context, raster_path));
    snprintf(cloud, sizeof cloud, "%s", path);
    char *const words[] = {program,
                           translate,
                           cloud,
                           raster_path,
                           filter_option,
                           filter,
                           only_ground ? ground : all,
                           pixel,
                           window,
                           driver,
                           nodata,
                           only_ground ? mean : highest,
                           NULL};
    int exit_status = run_pdal(words);
    if (exit_status == 0)
        return RW_OK;
    rw_gdal_points_remove(raster_path);
    *raster_path = 0;
    if (exit_status == 127 || exit_status < 0)
        return rw_fail(context, RW_UNSUPPORTED,
                       "%s is a point cloud, which needs the program pdal (PDAL), and it is not found; install it, or "
                       "make a raster of its %s points",
                       path, only_ground ? "ground" : "highest");
    return rw_fail(context, RW_BAD_INPUT, "%s: pdal cannot make a raster of its %s points (exit status %d)", path,
                   only_ground ? "ground" : "highest", exit_status);
}
