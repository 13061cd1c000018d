/* What interactions cost: the user's constants, or tables of Fresnel coefficients over the cosine of incidence. */
#include "base/memory.h"
#include "field/free_space.k.h"
#include "field/surface.h"
#include "models/beams/beams.h"

#include <stdlib.h>
#include <string.h>

/* Host copies of the tables, before they go to the backend. */
typedef struct host_tables {
    float *reflection_db, *transmission_db;
    rw_complex *permittivity;
} host_tables;

static float power_loss_db(rw_complex coefficient)
{
    double loss_db = -10 * log10(rw_complex_abs2(coefficient) + 1e-30);
    return loss_db < (double)RW_BEAM_LOSS_MAX_DB ? (float)loss_db : RW_BEAM_LOSS_MAX_DB;
}

static rw_status fill_tables(const rw_scene *scene, double freq_hz, host_tables *host)
{
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    for (size_t s = 0; s < scene->surfaces.count; s++) {
        rw_surface surface;
        RW_TRY(rw_surface_find(scene, s, freq_hz, &surface));
        host->permittivity[s] = surface.permittivity;
        for (int i = 0; i <= RW_BEAM_TABLE; i++) {
            double cosine = (double)i / RW_BEAM_TABLE;
            rw_interface both = rw_surface_coefficients(&surface, cosine, wavelength_m);
            host->reflection_db[s * RW_BEAM_TABLE_ROW + (size_t)i] = power_loss_db(both.reflection.te);
            host->transmission_db[s * RW_BEAM_TABLE_ROW + (size_t)i] = power_loss_db(both.transmission.te);
        }
    }
    return RW_OK;
}

static rw_status send(rw_context *context, rw_beam_tables *tables, int slot, const void *host, size_t bytes,
                      const void **pointer)
{
    RW_TRY(rw_device_alloc(context, tables->backend, bytes, "tables of losses", &tables->arrays[slot]));
    RW_TRY(rw_device_upload(context, tables->backend, tables->arrays[slot], host, bytes));
    *pointer = tables->arrays[slot];
    return RW_OK;
}

static rw_status create_theory(const rw_scene *scene, double freq_hz, rw_beam_tables *tables)
{
    size_t surfaces = scene->surfaces.count ? scene->surfaces.count : 1, entries = surfaces * RW_BEAM_TABLE_ROW;
    rw_context *context = scene->context;
    rw_beam_losses *losses = &tables->losses;
    host_tables host = {0};
    rw_status status = rw_array_create(context, entries, sizeof(float), "tables of losses", &host.reflection_db);
    if (status == RW_OK)
        status = rw_array_create(context, entries, sizeof(float), "tables of losses", &host.transmission_db);
    if (status == RW_OK)
        status = rw_array_create(context, surfaces, sizeof(rw_complex), "surfaces", &host.permittivity);
    if (status == RW_OK)
        status = fill_tables(scene, freq_hz, &host);
    size_t bytes = entries * sizeof(float);
    if (status == RW_OK)
        status = send(context, tables, 0, host.reflection_db, bytes, (const void **)&losses->reflection_table);
    if (status == RW_OK)
        status = send(context, tables, 1, host.transmission_db, bytes, (const void **)&losses->transmission_table);
    if (status == RW_OK)
        status = send(context, tables, 2, host.permittivity, surfaces * sizeof(rw_complex),
                      (const void **)&losses->permittivity);
    free(host.reflection_db);
    free(host.transmission_db);
    free(host.permittivity);
    return status;
}

rw_status rw_beam_tables_create(const rw_scene *scene, const rw_beam_settings *settings, double freq_hz,
                                rw_beam_tables *tables)
{
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / freq_hz;
    *tables = (rw_beam_tables){.backend = scene->context->backend};
    rw_beam_losses *losses = &tables->losses;
    losses->exponent = settings->exponent;
    losses->constant_db =
        isnan(settings->constant_db) ? rw_free_space_loss_db(1.0, wavelength_m) : settings->constant_db;
    losses->theory = settings->theory;
    losses->wavenumber = 2 * RW_PI / wavelength_m;
    losses->loss_max_db = (float)settings->loss_max_db;
    memcpy(losses->reflection_db, settings->reflection_db, sizeof losses->reflection_db);
    memcpy(losses->transmission_db, settings->transmission_db, sizeof losses->transmission_db);
    memcpy(losses->diffraction_db, settings->diffraction_db, sizeof losses->diffraction_db);
    rw_status status = settings->theory ? create_theory(scene, freq_hz, tables) : RW_OK;
    if (status != RW_OK)
        rw_beam_tables_destroy(tables);
    return status;
}

void rw_beam_tables_destroy(rw_beam_tables *tables)
{
    for (int i = 0; i < 3; i++)
        if (tables->arrays[i])
            rw_device_free(tables->backend, tables->arrays[i]);
    *tables = (rw_beam_tables){0};
}
