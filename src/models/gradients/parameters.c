/* Parameters of kept gains: what walls and transmitters are made of, as one list of numbers. */
#include "models/gradients/gradients.h"

#include "base/memory.h"
#include "field/surfaces/material.k.h"
#include "field/surfaces/surface.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *unit;
} quantities[] = {
#define ROW(name, word, unit) {word, unit},
    RW_GAIN_QUANTITY_MAP(ROW)
#undef ROW
};

static rw_status store_parameter_name(rw_gains *gains, const char *name, const char **stored)
{
    for (size_t i = 0; i < gains->name_count; i++)
        if (strcmp(gains->names[i], name) == 0) {
            *stored = gains->names[i];
            return RW_OK;
        }
    RW_TRY(rw_array_reserve(gains->context, &gains->names, &gains->name_capacity, gains->name_count + 1,
                            sizeof *gains->names, "names"));
    gains->names[gains->name_count] = NULL;
    RW_TRY(rw_string_replace(gains->context, name, &gains->names[gains->name_count]));
    *stored = gains->names[gains->name_count++];
    return RW_OK;
}

/* The parameter of a quantity of a name; RW_NO_PARAMETER where there is none. */
static uint32_t find_gain_parameter(const rw_gains *gains, rw_gain_quantity quantity, const char *name, size_t index)
{
    for (size_t i = 0; i < gains->parameter_count; i++) {
        const rw_gain_parameter *at = &gains->parameters[i];
        if (at->quantity == quantity && at->index == index && strcmp(at->name, name) == 0)
            return (uint32_t)i;
    }
    return RW_NO_PARAMETER;
}

static rw_status add_gain_parameter(rw_gains *gains, rw_gain_quantity quantity, const char *name, size_t index,
                                    double value)
{
    if (quantity <= RW_GAIN_QUANTITY_THICKNESS && find_gain_parameter(gains, quantity, name, index) != RW_NO_PARAMETER)
        return RW_OK;
    RW_TRY(rw_array_reserve(gains->context, &gains->parameters, &gains->parameter_capacity, gains->parameter_count + 1,
                            sizeof *gains->parameters, "parameters"));
    rw_gain_parameter gain_parameter = {.size = sizeof gain_parameter,
                                        .quantity = quantity,
                                        .word = quantities[quantity].word,
                                        .unit = quantities[quantity].unit,
                                        .index = index,
                                        .value = value};
    RW_TRY(store_parameter_name(gains, name, &gain_parameter.name));
    gains->parameters[gains->parameter_count++] = gain_parameter;
    return RW_OK;
}

/* The material of a layer of a recorded wall. */
static const char *layer_material(const rw_gains *gains, const rw_recorded_wall *wall, int layer)
{
    const rw_scene_slab *slab = rw_scene_find_slab(gains->record.scene, wall->name);
    return slab ? slab->layer_material[layer] : wall->name;
}

/* A perfect conductor, or air: nothing that could be otherwise. */
static int is_fixed(const rw_recorded_wall *wall, int layer)
{
    rw_complex permittivity = wall->wall.layers[layer].permittivity;
    return permittivity.im <= 0.5 * RW_PERMITTIVITY_CONDUCTOR_IM || (permittivity.re == 1 && permittivity.im == 0);
}

/* Roughness of a wall as the model has it. */
static double roughness_of(const rw_recorded_wall *wall)
{
    double smooth = wall->wall.smooth;
    return wall->unscattered ? 0 : sqrt(fmax(0, 1 - smooth * smooth));
}

static rw_status list_wall(rw_gains *gains, const rw_recorded_wall *wall)
{
    double over_sigma = -2 * RW_PI * gains->record.freq_hz * RW_VACUUM_PERMITTIVITY_F_M;
    for (int i = 0; i < wall->wall.layer_count; i++) {
        const char *material = layer_material(gains, wall, i);
        rw_complex permittivity = wall->wall.layers[i].permittivity;
        if (is_fixed(wall, i))
            continue;
        RW_TRY(add_gain_parameter(gains, RW_GAIN_QUANTITY_PERMITTIVITY, material, 0, permittivity.re));
        RW_TRY(add_gain_parameter(gains, RW_GAIN_QUANTITY_CONDUCTIVITY, material, 0, permittivity.im * over_sigma));
    }
    for (int i = 0; i < wall->wall.layer_count && !wall->unscattered; i++) {
        const rw_scene_material *material = rw_scene_find_material(gains->record.scene, layer_material(gains, wall, i));
        double own = material ? material->scattering : 0;
        if (i == 0 || i == wall->wall.layer_count - 1) /* roughened by an option: all of its materials are */
            RW_TRY(add_gain_parameter(gains, RW_GAIN_QUANTITY_ROUGHNESS, layer_material(gains, wall, i), 0,
                                      own > 0 ? own : roughness_of(wall)));
    }
    const rw_scene_slab *slab = rw_scene_find_slab(gains->record.scene, wall->name);
    for (int i = 0; slab && i < wall->wall.layer_count; i++)
        RW_TRY(add_gain_parameter(gains, RW_GAIN_QUANTITY_THICKNESS, wall->name, (size_t)i,
                                  wall->wall.layers[i].thickness_m));
    return RW_OK;
}

static rw_status list_transmitter_parameters(rw_gains *gains, size_t index)
{
    const rw_transmitter *about = &gains->transmitters[index];
    const double values[] = {about->power_dbm, about->azimuth_deg, about->downtilt_deg, about->roll_deg,
                             about->x_m,       about->y_m,         about->height_m};
    int count = gains->record.positions ? 7 : 4;
    for (int i = 0; i < count; i++)
        RW_TRY(
            add_gain_parameter(gains, (rw_gain_quantity)(RW_GAIN_QUANTITY_POWER + i), about->name, index, values[i]));
    return RW_OK;
}

/* Materials and thicknesses of walls first, then what each transmitter has, in the same order for all. */
rw_status rw_gains_list_parameters(rw_gains *gains)
{
    for (size_t i = 0; i < gains->record.wall_count; i++)
        RW_TRY(list_wall(gains, &gains->record.walls[i]));
    gains->first_transmitter_parameter = gains->parameter_count;
    for (size_t i = 0; i < gains->record.transmitter_count; i++)
        RW_TRY(list_transmitter_parameters(gains, i));
    return RW_OK;
}

static double choose_parameter_value(const rw_gains *gains, const double *values, uint32_t parameter)
{
    return values ? values[parameter] : gains->parameters[parameter].value;
}

/* Which parameters the constants of a wall are; the scene is not asked afterwards. */
static void link_wall(const rw_gains *gains, rw_recorded_wall *from, rw_gain_wall *to)
{
    int last = from->wall.layer_count - 1;
    for (int i = 0; i <= last; i++) {
        const char *material = layer_material(gains, from, i);
        int lossy = !is_fixed(from, i);
        to->permittivity[i] =
            lossy ? find_gain_parameter(gains, RW_GAIN_QUANTITY_PERMITTIVITY, material, 0) : RW_NO_PARAMETER;
        to->conductivity[i] =
            lossy ? find_gain_parameter(gains, RW_GAIN_QUANTITY_CONDUCTIVITY, material, 0) : RW_NO_PARAMETER;
        to->thickness[i] = find_gain_parameter(gains, RW_GAIN_QUANTITY_THICKNESS, from->name, (size_t)i);
    }
    for (int side = 0; side < 2; side++)
        from->roughness[side] = from->unscattered
                                    ? RW_NO_PARAMETER
                                    : find_gain_parameter(gains, RW_GAIN_QUANTITY_ROUGHNESS,
                                                          layer_material(gains, from, side ? last : 0), 0);
}

/* The rougher of the outer layers counts. */
static void apply_roughness(const rw_gains *gains, const double *values, const rw_recorded_wall *from, rw_gain_wall *to)
{
    to->roughness_parameter = RW_NO_PARAMETER;
    to->roughness = 0;
    for (int side = 0; side < 2 && !from->unscattered; side++) {
        double roughness = choose_parameter_value(gains, values, from->roughness[side]);
        if (side == 0 || roughness > to->roughness) {
            to->rough_side = (uint32_t)side;
            to->roughness = roughness;
            to->roughness_parameter = from->roughness[side];
        }
    }
    to->wall.smooth = sqrt(fmax(1e-12, 1 - to->roughness * to->roughness));
}

static void apply_wall(const rw_gains *gains, const double *values, const rw_recorded_wall *from, rw_gain_wall *to)
{
    to->wall = from->wall;
    to->wall.thickness_m = 0;
    for (int i = 0; i < from->wall.layer_count; i++) {
        rw_layer_field *layer = &to->wall.layers[i];
        if (to->permittivity[i] != RW_NO_PARAMETER)
            layer->permittivity = rw_complex_permittivity(choose_parameter_value(gains, values, to->permittivity[i]),
                                                          choose_parameter_value(gains, values, to->conductivity[i]),
                                                          gains->record.freq_hz);
        if (to->thickness[i] != RW_NO_PARAMETER)
            layer->thickness_m = choose_parameter_value(gains, values, to->thickness[i]);
        to->wall.thickness_m += layer->thickness_m;
    }
    apply_roughness(gains, values, from, to);
}

void rw_gains_link_parameters(rw_gains *gains)
{
    for (size_t i = 0; i < gains->record.wall_count; i++)
        link_wall(gains, &gains->record.walls[i], &gains->walls[i]);
}

static void apply_sender(const rw_gains *gains, const double *values, size_t index, rw_gain_sender *to)
{
    uint32_t each = gains->record.positions ? 7 : 4;
    uint32_t first = (uint32_t)gains->first_transmitter_parameter + (uint32_t)index * each;
    double azimuth_deg = choose_parameter_value(gains, values, first + 1),
           tilt_deg = choose_parameter_value(gains, values, first + 2);
    double azimuth = azimuth_deg * RW_PI / 180;
    to->power = first;
    to->azimuth = first + 1;
    to->downtilt = first + 2;
    to->roll = first + 3;
    to->position = gains->record.positions ? first + 4 : RW_NO_PARAMETER;
    to->power_dbm = choose_parameter_value(gains, values, first);
    to->sender.pattern.axes =
        rw_antenna_axes_of(azimuth_deg, tilt_deg, choose_parameter_value(gains, values, first + 3));
    to->tilt_axis = rw_vec3_of(-cos(azimuth), sin(azimuth), 0);
}

/* Within what a number may be. */
static rw_status check_value(const rw_gains *gains, const rw_gain_parameter *about, double value)
{
    int wrong = !isfinite(value);
    wrong |= about->quantity == RW_GAIN_QUANTITY_PERMITTIVITY && value < 1;
    wrong |= about->quantity == RW_GAIN_QUANTITY_CONDUCTIVITY && value < 0;
    wrong |= about->quantity == RW_GAIN_QUANTITY_ROUGHNESS && !(value >= 0 && value < 1);
    wrong |= about->quantity == RW_GAIN_QUANTITY_THICKNESS && value < 0;
    if (wrong)
        return rw_fail(gains->context, RW_BAD_CALL, "%s of %s is %g; it must be %s", about->word, about->name, value,
                       about->quantity == RW_GAIN_QUANTITY_PERMITTIVITY ? "at least 1"
                       : about->quantity == RW_GAIN_QUANTITY_ROUGHNESS  ? "from 0 to below 1"
                       : about->quantity <= RW_GAIN_QUANTITY_THICKNESS  ? "at least 0"
                                                                        : "finite");
    if (about->quantity >= RW_GAIN_QUANTITY_X_M && value != about->value)
        return rw_fail(gains->context, RW_BAD_CALL,
                       "%s of transmitter %s is %.12g and was %.12g as its paths were kept: another place has other "
                       "paths; keep them anew",
                       about->word, about->name, value, about->value);
    return RW_OK;
}

rw_status rw_gains_apply(rw_gains *gains, const double *values)
{
    for (size_t i = 0; values && i < gains->parameter_count; i++)
        RW_TRY(check_value(gains, &gains->parameters[i], values[i]));
    for (size_t i = 0; i < gains->record.wall_count; i++)
        apply_wall(gains, values, &gains->record.walls[i], &gains->walls[i]);
    for (size_t i = 0; i < gains->record.transmitter_count; i++)
        apply_sender(gains, values, i, &gains->senders[i]);
    rw_context *context = gains->context;
    RW_TRY(rw_device_upload(context, gains->backend, gains->device.walls, gains->walls,
                            gains->record.wall_count * sizeof *gains->walls));
    return rw_device_upload(context, gains->backend, gains->device.senders, gains->senders,
                            gains->record.transmitter_count * sizeof *gains->senders);
}
