/* rw_network_merge: from the parts of a run to rasters. Block by block, so that a region may be larger than memory: a
 * cloud-optimised GeoTIFF for each layer, or one for each layer and block with a virtual raster (VRT) over them. */
#include "base/file.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/text/xml.h"
#include "network/network.h"
#include "ext/gdal.h"
#include "output/maps/raster_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "best.tif", or of one of several blocks "blocks/best-3.tif", relative to the folder of the run. */
static void raster_name(const rw_network_run_state *run, const char *layer, size_t block, char name[128])
{
    const char *extension = rw_gdal_is_in() ? "tif" : "bin";
    if (rw_block_count(run) == 1)
        snprintf(name, 128, "%.40s.%s", layer, extension);
    else
        snprintf(name, 128, "blocks/%.40s-%zu.%s", layer, block + 1, extension);
}

static rw_status write_block(const rw_network_run_state *run, size_t block, const rw_map *map)
{
    char name[128], path[RW_NETWORK_PATH_MAX];
    for (size_t i = 0; i < map->info.layers; i++) {
        raster_name(run, map->layers[i].name, block, name);
        snprintf(path, sizeof path, "%.3900s/%s", run->options.folder, name);
        RW_TRY(rw_map_write_cog(map, &map->layers[i], path, run->options.centi_db));
    }
    return RW_OK;
}

static void write_item(FILE *file, const char *key, const char *value)
{
    fprintf(file, "    <MDI key=\"%s\">", key);
    rw_xml_write_text(file, value);
    fputs("</MDI>\n", file);
}

/* Overviews of the whole, which a reader takes from those of the blocks: halved until few cells are left. */
static void write_overviews(const rw_run_head *head, int is_number, FILE *file)
{
    uint64_t side = head->columns > head->rows ? head->columns : head->rows;
    fprintf(file, "  <OverviewList resampling=\"%s\">2", is_number ? "nearest" : "average");
    for (uint64_t factor = 4; side / factor >= 128; factor *= 2)
        fprintf(file, " %llu", (unsigned long long)factor);
    fputs("</OverviewList>\n", file);
}

/* Rows of a raster begin in the north. */
static void write_vrt(const rw_network_run_state *run, const rw_layer_data *layer, FILE *file)
{
    const rw_run_head *head = &run->head;
    rw_raster_kind kind = rw_raster_kind_of(layer, run->options.centi_db);
    fprintf(file, "<VRTDataset rasterXSize=\"%zu\" rasterYSize=\"%zu\">\n", (size_t)head->columns, (size_t)head->rows);
    if (run->crs[0]) {
        fputs("  <SRS>", file);
        rw_xml_write_text(file, run->crs);
        fputs("</SRS>\n", file);
    }
    fprintf(file, "  <GeoTransform>%.17g, %.17g, 0, %.17g, 0, %.17g</GeoTransform>\n", head->x0_m, head->res_m,
            head->y0_m + (double)head->rows * head->res_m, -head->res_m);
    fputs("  <Metadata>\n", file);
    write_item(file, "layer", layer->name);
    write_item(file, "unit", layer->unit);
    write_item(file, "model", head->model);
    write_item(file, "transmitter_names", run->names);
    fputs("  </Metadata>\n", file);
    fprintf(file, "  <VRTRasterBand dataType=\"%s\" band=\"1\">\n    <Description>%s</Description>\n", kind.type_name,
            layer->name);
    fprintf(file, "    <NoDataValue>%s</NoDataValue>\n    <UnitType>%s</UnitType>\n", kind.nodata_string, layer->unit);
    if (kind.scale != 1)
        fprintf(file, "    <Offset>0</Offset>\n    <Scale>%.17g</Scale>\n", kind.scale);
    for (size_t block = 0; block < rw_block_count(run); block++) {
        char name[128];
        rw_window window = rw_block_window(run, block);
        raster_name(run, layer->name, block, name);
        fprintf(file,
                "    <SimpleSource>\n      <SourceFilename relativeToVRT=\"1\">%s</SourceFilename>\n"
                "      <SourceBand>1</SourceBand>\n"
                "      <SrcRect xOff=\"0\" yOff=\"0\" xSize=\"%zu\" ySize=\"%zu\"/>\n"
                "      <DstRect xOff=\"%zu\" yOff=\"%zu\" xSize=\"%zu\" ySize=\"%zu\"/>\n    </SimpleSource>\n",
                name, window.columns, window.rows, window.column, (size_t)head->rows - window.row - window.rows,
                window.columns, window.rows);
    }
    fputs("  </VRTRasterBand>\n", file);
    write_overviews(head, strcmp(layer->unit, "transmitter") == 0, file);
    fputs("</VRTDataset>\n", file);
}

/* One virtual raster over the blocks of each layer that the last block has. */
static rw_status write_vrts(const rw_network_run_state *run, const rw_map *map)
{
    char path[RW_NETWORK_PATH_MAX];
    rw_file_writer writer;
    for (size_t i = 0; i < map->info.layers; i++) {
        snprintf(path, sizeof path, "%.3900s/%.40s.vrt", run->options.folder, map->layers[i].name);
        RW_TRY(rw_file_begin(run->context, path, &writer));
        write_vrt(run, &map->layers[i], writer.stream);
        RW_TRY(rw_file_commit(run->context, &writer));
    }
    return RW_OK;
}

static rw_status merge_blocks(const rw_network_run_state *run)
{
    size_t blocks = rw_block_count(run);
    char folder[RW_NETWORK_PATH_MAX];
    snprintf(folder, sizeof folder, "%.3900s/blocks", run->options.folder);
    if (blocks > 1)
        RW_TRY(rw_folder_create(run->context, folder));
    for (size_t block = 0; block < blocks; block++) {
        rw_map *map;
        RW_TRY(rw_block_layers(run, block, &map));
        rw_status status = write_block(run, block, map);
        if (status == RW_OK && blocks > 1 && block + 1 == blocks && rw_gdal_is_in())
            status = write_vrts(run, map);
        rw_map_destroy(map);
        RW_TRY(status);
        RW_TRY(rw_progress(run->context, (double)(block + 1) / (double)blocks, "merging"));
    }
    return RW_OK;
}

#define LISTED_MAX 8

/* "block1-group2 (shard 2/3), block1-group5 (shard 2/3) and 7 more"; the shards are those of the run that came first.
 */
static void list_missing(const rw_network_run_state *run, size_t missing, char *list, size_t size)
{
    size_t listed = 0, length = 0;
    for (size_t i = 0; i < rw_chunk_count(run) && listed < LISTED_MAX && length < size; i++) {
        char shard[64] = "";
        if (rw_chunk_state_of(run, i) == RW_CHUNK_DONE)
            continue;
        rw_network_chunk chunk = rw_chunk_at(run, i);
        if (run->shards > 1)
            snprintf(shard, sizeof shard, " (shard %zu/%zu)", i % (size_t)run->shards + 1, (size_t)run->shards);
        length += (size_t)snprintf(list + length, size - length, "%sblock%zu-group%zu%s", listed ? ", " : "",
                                   chunk.block + 1, chunk.group + 1, shard);
        listed++;
    }
    if (missing > listed && length < size)
        snprintf(list + length, size - length, " and %zu more", missing - listed);
}

static rw_status check_complete(const rw_network_run_state *run, size_t done)
{
    size_t chunk_count = rw_chunk_count(run), missing = chunk_count - done;
    char list[LISTED_MAX * 80];
    if (!missing)
        return RW_OK;
    list_missing(run, missing, list, sizeof list);
    return rw_fail(run->context, RW_NOT_FOUND,
                   "%zu of %zu chunks of %.200s are missing: %s; run rasterwave network again, with%s shards, which "
                   "computes only these",
                   missing, chunk_count, run->options.folder, list, run->shards > 1 ? " those" : "out");
}

rw_status rw_network_merge(rw_context *context, const rw_network_options *options, rw_network_report *report)
{
    rw_network_run_state run = {.context = context};
    rw_network_report network_report = {.size = sizeof network_report};
    double start_s = rw_seconds();
    RW_TRY(rw_network_options_resolve(context, options, &run.options));
    if (!rw_network_has_folder(&run.options))
        return rw_fail(context, RW_BAD_CALL, "a network needs a folder for its parts");
    rw_status status = rw_plan_file_read(context, run.options.folder, &run);
    if (status == RW_OK) {
        network_report.columns = run.cells.columns;
        network_report.rows = run.cells.rows;
        network_report.blocks = rw_block_count(&run);
        network_report.chunks = rw_chunk_count(&run);
        network_report.done = rw_chunks_done(&run);
        network_report.sites = (size_t)run.head.site_count;
        status = check_complete(&run, network_report.done);
    }
    char *own = context->provenance; /* rasters have that of the run, whoever puts them together */
    context->provenance = run.provenance && *run.provenance ? run.provenance : NULL;
    if (status == RW_OK)
        status = merge_blocks(&run);
    context->provenance = own;
    rw_network_run_free(&run);
    RW_TRY(status);
    network_report.merge_s = rw_seconds() - start_s;
    return report ? RW_ASSIGN(context, &network_report, report) : RW_OK;
}
