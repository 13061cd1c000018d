/* The ground under the other gdal_*.c files: drivers registered once, GDAL's errors caught, files in memory published.
 */
#include "ext/gdal_internal.h"

#include "base/file.h"
#include "base/inputs.h"
#include "base/memory.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_once_t registered = PTHREAD_ONCE_INIT;

static const char *load_error;

static void register_drivers(void)
{
    if (rw_gdal_load(&load_error))
        GDALAllRegister();
}

int rw_gdal_is_in(void)
{
    return 1;
}

static void CPL_STDCALL catch_error(CPLErr class, CPLErrorNum number, const char *message)
{
    (void)number;
    rw_gdal_guard *guard = CPLGetErrorHandlerUserData();
    if (class < CE_Failure || guard->failed)
        return;
    guard->failed = 1;
    snprintf(guard->message, sizeof guard->message, "%s", message);
    for (char *at = guard->message; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
}

void rw_gdal_enter(rw_gdal_guard *guard)
{
    pthread_once(&registered, register_drivers);
    if (load_error[0]) {
        guard->failed = 1;
        snprintf(guard->message, sizeof guard->message, "%s", load_error);
    }
    CPLPushErrorHandlerEx(catch_error, guard);
}

void rw_gdal_leave(void)
{
    CPLPopErrorHandler();
}

const char *rw_gdal_last_message(const rw_gdal_guard *guard, char string[420])
{
    string[0] = 0;
    if (guard->failed && guard->message[0])
        snprintf(string, 420, ": %s", guard->message);
    return string;
}

void rw_gdal_memory_path(const void *owner, const char *path, char memory_path[512])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    /* The end of the name is what drivers go by. */
    snprintf(memory_path, 512, "/vsimem/rasterwave-%p/%s", owner, length > 200 ? name + length - 200 : name);
}

rw_status rw_gdal_publish(rw_context *context, const char *memory_path, const char *path)
{
    vsi_l_offset size = 0;
    const void *bytes = VSIGetMemFileBuffer(memory_path, &size, FALSE);
    if (!bytes)
        return rw_fail(context, RW_INTERNAL, "%s: GDAL left no file in memory", path);
    rw_file_writer writer;
    rw_status status = rw_file_begin(context, path, &writer);
    if (status == RW_OK) {
        fwrite(bytes, 1, (size_t)size, writer.stream);
        status = rw_file_commit(context, &writer);
    }
    VSIUnlink(memory_path);
    return status;
}

/* Formats that are one file, or a few of one name side by side. Closed lists: drivers of services (WMS, WCS), of files
 * that name others (VRT, ERS, HFA) and of databases that reach beyond their file (SQLite with SpatiaLite, HDF5 with
 * external links) are left out, whatever a file is called that holds something for them. Regions: gdal_region.c. */
const char *const rw_gdal_vector_drivers[] = {
    "GPKG", "ESRI Shapefile", "GeoJSON", "GeoJSONSeq", "TopoJSON", "OSM", "GML",
    "KML",  "FlatGeobuf",     "LIBKML",  "Parquet",    "DXF",      NULL};
static const char *const raster_drivers[] = {
    "GTiff", "AAIGrid", "GRASSASCIIGrid", "SRTMHGT", "ENVI",        "EHdr", "DTED",     "USGSDEM", "XYZ",
    "GSAG",  "GSBG",    "GS7BG",          "SAGA",    "BT",          "RST",  "PCRaster", "NWT_GRD", "GTX",
    "PNG",   "JPEG",    "GPKG",           "SIGDEM",  "JP2OpenJPEG", NULL};

int rw_gdal_recognises(const char *path)
{
    rw_gdal_guard guard = {0};
    rw_gdal_enter(&guard);
    int recognised = GDALIdentifyDriverEx(path, GDAL_OF_VECTOR, rw_gdal_vector_drivers, NULL) ||
                     GDALIdentifyDriverEx(path, GDAL_OF_RASTER, raster_drivers, NULL);
    rw_gdal_leave();
    return recognised;
}

int rw_gdal_is_raster(const char *path)
{
    rw_gdal_guard guard = {0};
    rw_gdal_enter(&guard);
    int is_raster = !GDALIdentifyDriverEx(path, GDAL_OF_VECTOR, rw_gdal_vector_drivers, NULL) &&
                    GDALIdentifyDriverEx(path, GDAL_OF_RASTER, raster_drivers, NULL);
    rw_gdal_leave();
    return is_raster;
}

/* The files beside a raster that GDAL may look at: position, coordinate system, header. It would open overviews and
 * masks
 * (.ovr, .msk) with any driver. */
static char **list_siblings(const char *path)
{
    static const char *const endings[] = {"prj", "wld", "tfw", "tifw", "pgw", "jgw", "hdr", "rdc", "sgrd", "mgrd"};
    const char *name = CPLGetFilename(path);
    char **list = CSLAddString(NULL, name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        for (int upper = 0; upper < 2; upper++) {
            char ending[8];
            snprintf(ending, sizeof ending, "%s", endings[i]);
            for (char *at = ending; upper && *at; at++)
                *at = (char)toupper((unsigned char)*at);
            if (access(CPLResetExtension(path, ending), R_OK) == 0)
                list = CSLAddString(list, CPLResetExtension(name, ending));
        }
    const char *notes = CPLSPrintf("%s.aux.xml", path);
    return access(notes, R_OK) == 0 ? CSLAddString(list, CPLGetFilename(notes)) : list;
}

/* Grids of text are read a row after the other. Where one is missing, GDAL looks for it again and again on the way to
 * each later row, twice as long for each: so all are asked for once, in order, before any other is wanted. */
static int has_all_rows(GDALDatasetH dataset)
{
    static const char *const ascii_drivers[] = {"AAIGrid", "GRASSASCIIGrid"};
    const char *driver = GDALGetDriverShortName(GDALGetDatasetDriver(dataset));
    int is_ascii_grid = 0, rows = GDALGetRasterYSize(dataset);
    float value;
    for (size_t i = 0; i < sizeof ascii_drivers / sizeof *ascii_drivers; i++)
        is_ascii_grid |= strcmp(driver, ascii_drivers[i]) == 0;
    GDALRasterBandH band = GDALGetRasterCount(dataset) > 0 ? GDALGetRasterBand(dataset, 1) : NULL;
    for (int row = 0; is_ascii_grid && band && row < rows; row++)
        if (GDALRasterIO(band, GF_Read, 0, row, 1, 1, &value, 1, 1, GDT_Float32, 0, 0) != CE_None)
            return 0;
    return 1;
}

GDALDatasetH rw_gdal_open_raster(const char *path)
{
    char **siblings = list_siblings(path);
    GDALDatasetH dataset =
        GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY, raster_drivers, NULL, (const char *const *)siblings);
    CSLDestroy(siblings);
    if (dataset && !has_all_rows(dataset)) {
        GDALClose(dataset);
        return NULL;
    }
    return dataset;
}

rw_status rw_gdal_record_inputs(rw_context *context, GDALDatasetH dataset)
{
    rw_gdal_guard guard = {0};
    rw_status status = RW_OK;
    rw_gdal_enter(&guard);
    char **files = GDALGetFileList(dataset);
    rw_gdal_leave();
    for (char **file = files; file && *file && status == RW_OK; file++)
        status = rw_input_record(context, *file);
    CSLDestroy(files);
    return status;
}

GDALDatasetH rw_gdal_open_alone(const char *path, unsigned flags, const char *const *drivers,
                                const char *const *options)
{
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "NO");
    GDALDatasetH dataset = GDALOpenEx(path, flags, drivers, options, NULL);
    if (dataset)
        GDALGetMetadata(dataset, NULL); /* the setting counts at the first use */
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", NULL);
    return dataset;
}

rw_status rw_gdal_read_item(rw_context *context, const char *path, const char *item, char **string)
{
    static const char *const drivers[] = {"GTiff", "GPKG", NULL};
    rw_gdal_guard guard = {0};
    int out_of_memory = 0;
    *string = NULL;
    rw_gdal_enter(&guard);
    GDALDatasetH dataset = rw_gdal_open_alone(path, GDAL_OF_RASTER | GDAL_OF_VECTOR | GDAL_OF_READONLY, drivers, NULL);
    const char *value = dataset ? GDALGetMetadataItem(dataset, item, NULL) : NULL;
    if (value) {
        *string = rw_string_copy(value);
        out_of_memory = !*string;
    }
    if (dataset)
        GDALClose(dataset);
    rw_gdal_leave();
    return out_of_memory ? rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a text") : RW_OK;
}
