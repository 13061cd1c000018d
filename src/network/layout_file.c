/* The file parts/plan: how a run is cut and what a merge needs, for all processes of a run. The first writes it, the
 * others compare. */
#include "base/container.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/range.h"
#include "network/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rw_container_kind plan_kind = {.name = "network plan",
                                            .model = "network",
                                            .version = 4,
                                            .again = "remove the folder and run rasterwave network again",
                                            .other = "rasterwave network makes one"};

static void plan_path(const char *folder, char path[RW_NETWORK_PATH_MAX])
{
    snprintf(path, RW_NETWORK_PATH_MAX, "%.3900s/parts/plan", folder);
}

int rw_plan_file_is_there(const char *folder)
{
    char path[RW_NETWORK_PATH_MAX];
    plan_path(folder, path);
    return rw_path_is_regular_file(path);
}

static rw_status write_sections(const rw_network_run_state *run, rw_container_writer *writer)
{
    const rw_run_head *head = &run->head;
    RW_TRY(rw_container_write(writer, "run", 0, sizeof *head, 1, head));
    RW_TRY(rw_container_write(writer, "channels", 0, sizeof *run->channels, head->site_count, run->channels));
    RW_TRY(rw_container_write(writer, "loads", 0, sizeof *run->loads, head->site_count, run->loads));
    if (head->own_carriers)
        RW_TRY(rw_container_write(writer, "carriers", 0, sizeof *run->carriers, head->site_count, run->carriers));
    RW_TRY(rw_container_write(writer, "groups", 0, sizeof *run->groups, head->group_count + 1, run->groups));
    RW_TRY(rw_container_write(writer, "parts", 0, 1, rw_chunk_count(run), run->has_sites));
    RW_TRY(rw_container_write(writer, "places", 0, sizeof *run->positions_m, head->site_count, run->positions_m));
    RW_TRY(rw_container_write(writer, "names", 0, 1, strlen(run->names) + 1, run->names));
    const char *provenance = run->context->provenance ? run->context->provenance : "";
    RW_TRY(rw_container_write(writer, "provenance", 0, 1, strlen(provenance) + 1, provenance));
    const uint64_t shards = run->options.shards;
    RW_TRY(rw_container_write(writer, "shards", 0, sizeof shards, 1, &shards));
    return rw_container_write(writer, "crs", 0, 1, strlen(run->crs) + 1, run->crs);
}

/* Values of another backend or instruction set differ in their last digits: a map of both would be of no machine. */
static rw_status compare_machines(const rw_network_run_state *run, const rw_run_head *there, const char *path)
{
    const rw_run_head *head = &run->head;
    const char *lesser =
        strcmp(there->isa, "baseline") == 0 || strcmp(head->isa, "baseline") == 0 ? "baseline" : "avx2";
    if (strncmp(there->backend, head->backend, sizeof head->backend) != 0)
        return rw_fail(run->context, RW_BAD_CALL,
                       "%s is of backend %.15s, this process computes with %s: give all shards --backend %.15s", path,
                       there->backend, head->backend, there->backend);
    if (strncmp(there->isa, head->isa, sizeof head->isa) != 0)
        return rw_fail(run->context, RW_BAD_CALL,
                       "%s is of instruction set %.15s, this process computes with %s: set RASTERWAVE_ISA=%s in the "
                       "environment of all shards, and remove %s/parts unless it is of that one",
                       path, there->isa, head->isa, lesser, run->options.folder);
    return RW_OK;
}

static rw_status compare_with_stored_plan(const rw_network_run_state *run, const char *path)
{
    rw_container container;
    rw_run_head there;
    RW_TRY(rw_container_open(run->context, path, &plan_kind, &container));
    rw_status status = rw_container_get_one(&container, "run", 0, sizeof there, &there);
    rw_container_close(&container);
    RW_TRY(status);
    if (memcmp(&there, &run->head, sizeof there) == 0)
        return RW_OK;
    RW_TRY(compare_machines(run, &there, path));
    return rw_fail(
        run->context, RW_BAD_CALL,
        "%s is of another run: the content of its files, its sites, cells, options or version differ; choose "
        "another folder, or remove %s/parts to begin anew",
        path, run->options.folder);
}

rw_status rw_plan_file_write(const rw_network_run_state *run)
{
    char path[RW_NETWORK_PATH_MAX];
    rw_container_writer writer;
    plan_path(run->options.folder, path);
    if (rw_path_is_regular_file(path))
        return compare_with_stored_plan(run, path);
    RW_TRY(rw_container_begin(run->context, path, &plan_kind, rw_run_identity_start(run), 0, &writer));
    rw_status status = write_sections(run, &writer);
    if (status != RW_OK) {
        rw_container_abandon(&writer);
        return status;
    }
    RW_TRY(rw_container_commit(&writer));
    return compare_with_stored_plan(run, path); /* of two runs that start together in one folder the last has written */
}

static int is_sensible(const rw_run_head *head)
{
    return rw_is_cell_size(head->res_m) && rw_is_coordinate(head->x0_m) && rw_is_coordinate(head->y0_m) &&
           head->columns > 0 && head->rows > 0 && head->columns <= UINT32_MAX && head->rows <= UINT32_MAX &&
           head->block > 0 && head->block <= UINT32_MAX && head->group_count > 0 && head->channel_count > 0 &&
           memchr(head->model, 0, sizeof head->model) && memchr(head->prior, 0, sizeof head->prior);
}

/* A loop over streams that a file asks for must end. */
static int carriers_are_sensible(const rw_network_plan *carriers, size_t count)
{
    int sensible = 1;
    for (size_t i = 0; i < count; i++)
        sensible = sensible && carriers[i].noise_mw > 0 && carriers[i].streams >= 1 &&
                   carriers[i].streams <= RW_STREAMS_MAX && carriers[i].rate_count >= 0 &&
                   carriers[i].rate_count <= RW_RATE_STEPS_MAX;
    return sensible;
}

/* Every array as long as the head says, and no site of a channel that is not there. */
static rw_status read_sections(rw_container *container, rw_network_run_state *run)
{
    size_t channels, loads, carriers = 0, groups, chunk_count, position_count, names, crs, provenance;
    rw_run_head *head = &run->head;
    RW_TRY(rw_container_get_one(container, "run", 0, sizeof *head, head));
    RW_TRY(rw_container_get_one(container, "shards", 0, sizeof run->shards, &run->shards));
    RW_TRY(rw_container_copy(container, "channels", 0, sizeof *run->channels, &run->channels, &channels));
    RW_TRY(rw_container_copy(container, "loads", 0, sizeof *run->loads, &run->loads, &loads));
    if (head->own_carriers)
        RW_TRY(rw_container_copy(container, "carriers", 0, sizeof *run->carriers, &run->carriers, &carriers));
    RW_TRY(rw_container_copy(container, "groups", 0, sizeof *run->groups, &run->groups, &groups));
    RW_TRY(rw_container_copy(container, "parts", 0, 1, &run->has_sites, &chunk_count));
    RW_TRY(rw_container_copy(container, "places", 0, sizeof *run->positions_m, &run->positions_m, &position_count));
    RW_TRY(rw_container_copy(container, "names", 0, 1, &run->names, &names));
    RW_TRY(rw_container_copy(container, "crs", 0, 1, &run->crs, &crs));
    RW_TRY(rw_container_copy(container, "provenance", 0, 1, &run->provenance, &provenance));
    int holds = is_sensible(head) && carriers_are_sensible(&head->plan, 1) &&
                carriers_are_sensible(run->carriers, carriers) &&
                (carriers == head->site_count || !head->own_carriers) && head->own_loads <= 1 && run->shards > 0 &&
                channels == head->site_count && loads == channels && groups == head->group_count + 1 &&
                position_count == head->site_count && names && crs && head->channel_count <= head->site_count;
    holds = holds && chunk_count / rw_block_count(run) == head->group_count && chunk_count % rw_block_count(run) == 0;
    for (size_t i = 0; holds && i < channels; i++)
        holds = run->channels[i] < head->channel_count;
    return holds ? RW_OK : rw_container_damaged(container, "run");
}

rw_status rw_plan_file_read(rw_context *context, const char *folder, rw_network_run_state *run)
{
    char path[RW_NETWORK_PATH_MAX];
    rw_container container;
    plan_path(folder, path);
    if (!rw_path_is_regular_file(path))
        return rw_fail(context, RW_NOT_FOUND, "%s has no parts of a network: rasterwave network makes them", folder);
    RW_TRY(rw_container_open(context, path, &plan_kind, &container));
    rw_status status = read_sections(&container, run);
    rw_container_close(&container);
    if (status != RW_OK)
        return status;
    run->cells = (rw_map_info){.size = sizeof run->cells,
                               .x0_m = run->head.x0_m,
                               .y0_m = run->head.y0_m,
                               .res_m = run->head.res_m,
                               .rx_height_m = run->head.rx_height_m,
                               .columns = (size_t)run->head.columns,
                               .rows = (size_t)run->head.rows};
    return RW_OK;
}
