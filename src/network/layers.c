/* Options of a network, and the layers of a block from its sums. */
#include "network/network.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <string.h>

#define NAME(name, unit) "," #name
static const char *const layer_names = &(RW_SUM_LAYERS(NAME))[1];
#define DEFAULT_LAYERS "best,strongest,sinr"

static const rw_network_options default_options = {.size = sizeof default_options,
                                                   .level_dbm = NAN,
                                                   .block = 2048,
                                                   .group = 48,
                                                   .shard = 1,
                                                   .shards = 1,
                                                   .margin_m = 200};

void rw_network_options_init_sized(rw_network_options *options, size_t size)
{
    rw_defaults_copy(&default_options, sizeof default_options, options, size);
}

rw_status rw_network_options_resolve(rw_context *context, const rw_network_options *user_options,
                                     rw_network_options *options)
{
    *options = default_options;
    RW_TRY(RW_RESOLVE(context, user_options, options));
    if (!options->layers)
        options->layers = DEFAULT_LAYERS;
    RW_TRY(rw_list_check(context, options->layers, layer_names, "layer of a network"));
    if (options->block < 16 || options->block > 32768)
        return rw_fail(context, RW_BAD_CALL, "a block of %zu cells a side is not between 16 and 32768", options->block);
    if (options->group < 1 || options->shards < 1 || options->shard < 1 || options->shard > options->shards)
        return rw_fail(context, RW_BAD_CALL, "shard %zu of %zu: expected a shard from 1 to their number",
                       options->shard, options->shards);
    if (!(options->margin_m >= 0 && options->margin_m < 1e6))
        return rw_fail(context, RW_BAD_CALL, "a margin of %g m is not between 0 and 1000 km", options->margin_m);
    return RW_OK;
}

/* The cells of a block as a map. */
static rw_status create_map(const rw_network_run_state *run, size_t block, rw_map **map)
{
    rw_map_info info = rw_window_cells(&run->cells, rw_block_window(run, block));
    info.model = run->head.model;
    info.backend = "network"; /* whose parts may come from several */
    info.prior = run->head.prior;
    RW_TRY(rw_map_create(run->context, &info, run->crs, map));
    RW_TRY(rw_map_set_bands(*map, (size_t)run->head.site_count));
    const char *name = run->names;
    for (size_t i = 0; i < run->head.site_count; i++) {
        char name_copy[RW_BAND_NAME_MAX];
        size_t length = strcspn(name, "\n");
        size_t copied = length < sizeof name_copy ? length : sizeof name_copy - 1;
        memcpy(name_copy, name, copied);
        name_copy[copied] = 0;
        RW_TRY(rw_string_replace(run->context, name_copy, &(*map)->band_names[i]));
        name += length + (name[length] == '\n');
    }
    return RW_OK;
}

#define ADD(layer, layer_unit)                                                                                         \
    if (rw_list_contains(run->options.layers, #layer))                                                                 \
        RW_TRY(rw_map_add_layer(map, #layer, layer_unit, 1, &args.layer));

static rw_status compute_network_layers(const rw_network_run_state *run, rw_sums *sums, rw_map *map)
{
    struct rw_finish_sums_args args = {.plan = run->head.plan,
                                       .channels = run->channels,
                                       .carriers = run->carriers,
                                       .loads = run->head.own_loads ? run->loads : NULL,
                                       .channel_count = (size_t)run->head.channel_count};
    RW_SUM_LAYERS(ADD)
    return rw_sums_finish(sums, args);
}

rw_status rw_layers_of_sums(const rw_network_run_state *run, size_t block, rw_sums *sums, rw_map **map)
{
    *map = NULL;
    rw_status status = create_map(run, block, map);
    if (status == RW_OK)
        status = compute_network_layers(run, sums, *map);
    if (status != RW_OK) {
        rw_map_destroy(*map);
        *map = NULL;
    }
    return status;
}

rw_status rw_block_sums_create(const rw_network_run_state *run, size_t block, rw_sums *sums)
{
    rw_window window = rw_block_window(run, block);
    return rw_sums_create(run->context, RW_BACKEND_CPU, window.columns, window.rows, rw_sum_count(run), sums);
}

rw_status rw_block_layers(const rw_network_run_state *run, size_t block, rw_map **map)
{
    rw_sums sums;
    *map = NULL;
    RW_TRY(rw_block_sums_create(run, block, &sums));
    rw_status status = RW_OK;
    for (size_t group = 0; group < run->head.group_count && status == RW_OK; group++) {
        size_t number = block * (size_t)run->head.group_count + group;
        if (run->has_sites[number])
            status = rw_chunk_join(run, number, &sums);
    }
    if (status == RW_OK)
        status = rw_layers_of_sums(run, block, &sums, map);
    rw_sums_destroy(&sums);
    return status;
}
