/* Losses of interactions: the user's constants, or tables of Fresnel coefficients over the cosine of incidence. */
#include "base/memory.h"
#include "field/paths/free_space.k.h"
#include "field/surfaces/surface.h"
#include "models/beams/beams.h"

#include <stdlib.h>
#include <string.h>

static float power_loss_db(rw_complex coefficient)
{
    double loss_db = -10 * log10(rw_complex_abs2(coefficient) + 1e-30);
    return loss_db < (double)RW_BEAM_LOSS_MAX_DB ? (float)loss_db : RW_BEAM_LOSS_MAX_DB;
}

static rw_status fill_tables(const rw_scene *scene, double freq_hz, float *reflection_db, float *transmission_db,
                             rw_complex *permittivity)
{
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    for (size_t s = 0; s < scene->surfaces.count; s++) {
        rw_surface surface;
        RW_TRY(rw_surface_find(scene, s, freq_hz, &surface));
        permittivity[s] = surface.permittivity;
        for (int i = 0; i <= RW_BEAM_TABLE; i++) {
            double cosine = (double)i / RW_BEAM_TABLE;
            rw_interface both = rw_surface_coefficients(&surface, cosine, wavelength_m);
            reflection_db[s * RW_BEAM_TABLE_ROW + (size_t)i] = power_loss_db(both.reflection.te);
            transmission_db[s * RW_BEAM_TABLE_ROW + (size_t)i] = power_loss_db(both.transmission.te);
        }
    }
    return RW_OK;
}

static void point_losses(void *const arrays[3], rw_beam_losses *losses)
{
    losses->reflection_table = arrays[0];
    losses->transmission_table = arrays[1];
    losses->permittivity = arrays[2];
}

static rw_status create_theory(const rw_scene *scene, double freq_hz, rw_beam_tables *tables)
{
    rw_context *context = scene->context;
    size_t surfaces = scene->surfaces.count ? scene->surfaces.count : 1;
    size_t table_bytes = surfaces * RW_BEAM_TABLE_ROW * sizeof(float);
    size_t bytes[3] = {table_bytes, table_bytes, surfaces * sizeof(rw_complex)};
    for (int i = 0; i < 3; i++)
        RW_TRY(rw_array_create(context, bytes[i], 1, "tables of losses", &tables->host_arrays[i]));
    RW_TRY(fill_tables(scene, freq_hz, tables->host_arrays[0], tables->host_arrays[1], tables->host_arrays[2]));
    for (int i = 0; i < 3; i++) {
        RW_TRY(rw_device_alloc(context, tables->backend, bytes[i], "tables of losses", &tables->arrays[i]));
        RW_TRY(rw_device_upload(context, tables->backend, tables->arrays[i], tables->host_arrays[i], bytes[i]));
    }
    point_losses(tables->arrays, &tables->losses);
    return RW_OK;
}

/* Constants from the values of the model's parameters; further interactions cost what the last parameter says. */
static void set_constant_losses(const double *values, rw_beam_losses *losses)
{
    losses->theory = 0;
    losses->exponent = values[RW_BEAM_EXPONENT];
    losses->constant_db = values[RW_BEAM_CONSTANT];
    for (int i = 0; i < RW_BEAM_ORDERS; i++) {
        losses->reflection_db[i] = (float)values[RW_BEAM_REFLECTION + (i < 4 ? i : 3)];
        losses->transmission_db[i] = (float)values[RW_BEAM_TRANSMISSION + (i < 2 ? i : 1)];
        losses->diffraction_db[i] = (float)values[RW_BEAM_DIFFRACTION + (i < 2 ? i : 1)];
    }
}

rw_status rw_beam_tables_create(const rw_prediction *prediction, const rw_beam_settings *settings, size_t transmitter,
                                rw_beam_tables *tables)
{
    double freq_hz = rw_prediction_freq_hz(prediction, transmitter), wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    double values[RW_PARAMETERS_MAX];
    *tables = (rw_beam_tables){.backend = prediction->scene->context->backend};
    rw_beam_losses *losses = &tables->losses;
    losses->exponent = settings->exponent;
    losses->constant_db =
        isnan(settings->constant_db) ? rw_free_space_loss_db(1.0, wavelength_m) : settings->constant_db;
    losses->theory = settings->theory;
    losses->holm = settings->holm;
    losses->wavenumber = 2 * RW_PI / wavelength_m;
    losses->loss_max_db = (float)settings->loss_max_db;
    memcpy(losses->reflection_db, settings->reflection_db, sizeof losses->reflection_db);
    memcpy(losses->transmission_db, settings->transmission_db, sizeof losses->transmission_db);
    memcpy(losses->diffraction_db, settings->diffraction_db, sizeof losses->diffraction_db);
    if (prediction->options->params) {
        RW_TRY(rw_prediction_values(prediction, transmitter, values));
        set_constant_losses(values, losses);
    }
    rw_status status = losses->theory ? create_theory(prediction->scene, freq_hz, tables) : RW_OK;
    tables->host_losses = tables->losses;
    point_losses(tables->host_arrays, &tables->host_losses);
    if (status != RW_OK)
        rw_beam_tables_destroy(tables);
    return status;
}

void rw_beam_tables_destroy(rw_beam_tables *tables)
{
    for (int i = 0; i < 3; i++)
        if (tables->arrays[i])
            rw_device_free(tables->backend, tables->arrays[i]);
    for (int i = 0; i < 3; i++)
        free(tables->host_arrays[i]);
    *tables = (rw_beam_tables){0};
}
