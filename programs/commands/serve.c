/* serve: options and help; programs/serve runs the server, or says that this build has none. */
#include "serve/serve_settings.h"

#include <stddef.h>

#define AT(member) offsetof(struct serve_settings, member)
static const struct command_option serve_options[] = {{"scene", AT(scene.file)},
                                                      {"root", AT(root)},
                                                      {"port", AT(port)},
                                                      {"listen", AT(listen)},
                                                      {"token", AT(token)},
                                                      {"backdrop", AT(backdrop)},
                                                      {"answer", AT(answer)},
                                                      {"out", AT(out)},
                                                      {"backend", OF_CALL},
                                                      {"threads", OF_CALL},
                                                      {"json", OF_CALL},
                                                      {"quiet", OF_CALL},
                                                      {"+predict", OF_CALL},
                                                      {"terrain", AT(scene.terrain)},
                                                      {"foliage", AT(scene.foliage)},
                                                      {"materials", AT(scene.materials)},
                                                      {"crs", AT(scene.crs)},
                                                      {"height-field", AT(scene.height_field)},
                                                      {"storeys-field", AT(scene.storeys_field)},
                                                      {"height-unit", AT(scene.height_unit)},
                                                      {NULL, 0}};
#undef AT

static const struct serve_settings serve_defaults = {.port = 8080};

const struct command serve_command = {
    .name = "serve",
    .summary = "the engine as a page in the browser, and over HTTP; share: a plan as one HTML file",
    .options = serve_options,
    .settings_size = sizeof(struct serve_settings),
    .defaults = &serve_defaults,
    .examples = {"rasterwave serve --scene city:european:seed=1",
                 "rasterwave serve --scene city.gpkg --port 8080 --root plans"},
    .run = run_serve};
