/* What commands read: scenes, sites, measurements, and all of them together as a request to a model. */
#ifndef INPUTS_INPUTS_H
#define INPUTS_INPUTS_H

#include "command.h"

/* Lists of options that may be repeated. */
struct transmitter_list {
    rw_transmitter *items;
    size_t count;
};

struct point_list {
    rw_point *items;
    size_t count;
};

/* --level: a value of a layer. */
#define LEVELS_MAX 8
struct level {
    char layer[32]; /* "": not named yet */
    char unit[8];   /* "": not given */
    double value;
};
struct level_list {
    struct level items[LEVELS_MAX];
    size_t count;
};

struct scene_options {
    const char *file; /* or a generator */
    const char *terrain, *surface, *foliage, *materials, *format, *height_field, *storeys_field, *height_unit, *crs;
    double default_height_m; /* 0: that of the library */
};

/* Of a generated scene; 0 and NULL: those of the generator. */
struct generator_options {
    const char *style;
    double size_m[2], storey_height_m, spacing_m, relief_m;
    uint64_t seed;
    int hills, storeys;
};

struct site_options {
    struct transmitter_list tx;
    const char *file, *polarisation, *columns;
    const char *antenna; /* of --tx, as the three numbers */
    double azimuth_deg, tilt_deg, power_dbm;
    int skip_bad;
};

struct measurement_options {
    const char *file, *columns, *quantity, *route, *site;
    double tx_power_dbm; /* NaN: that of the sites */
    int resource_blocks;
};

/* Of a request to a model. */
struct input_options {
    struct scene_options scene;
    struct site_options sites;
    const char *candidates; /* of a plan, in place of sites */
    int by_blocks;          /* the scene is read block by block */
    int are_measured;       /* the library counts samples of bad sites itself */
};

/* scene_source.c: rejects what belongs to a scene if none is named, in commands that need none. Returns the exit
 * status. */
int check_scene_is_named(const struct scene_options *options);

/* A committed scene from a file or, as "city:grid:seed=2", from a generator. Returns the exit status.
 * *scene must be destroyed in any case. */
int open_scene(struct call *call, const struct scene_options *options, const char *source, rw_scene **scene);

/* The same of a file alone, as far as it touches an area (NULL: all), as a status of the library. */
rw_status load_scene(struct call *call, const struct scene_options *options, const char *source, const double *area_m,
                     rw_scene **scene);

/* Whether the command needs a model that uses no other bodies than buildings (rw_scene_meshes_to_buildings). */
int wants_buildings(const struct call *call);
int is_generator(const char *source);
/* A setting of generators that was given and that this kind does not have; NULL: none. */
const char *find_foreign_setting(const struct call *call, const char *kind);
rw_status generate_scene(struct call *call, const struct generator_options *options, const char *kind,
                         rw_scene **scene);

/* inputs.c: what a model is called with: scene, transmitters, parameters and the options that hold them. */
struct request {
    rw_scene *scene;
    rw_transmitter *sites;         /* from a file */
    rw_plan_candidate *candidates; /* of a plan, one for each; NULL: there is none */
    rw_params *params;
    rw_database *database;
    rw_predict_options options;
    double load_s, prepare_s;
    int is_warm; /* the scene is the caller's and open already; so is the database, if there is one */
};

/* Returns the exit status. The request is closed in any case. */
int open_request(struct call *call, struct input_options *inputs, struct request *request);
void close_request(struct request *request);

/* Sites of a file, or --tx, in the coordinate system crs. Both return the exit status; *sites is to be freed. */
int load_sites(struct call *call, const struct site_options *options, const char *crs, rw_transmitter **sites,
               size_t *count);
int finish_transmitters(struct call *call, struct site_options *options, const char *crs);

/* What a prediction uses because no option and no table names it: "947 MHz, 30 dBm, ..."; "": nothing. */
void describe_defaults(struct call *call, const struct input_options *inputs, const struct request *request,
                       const rw_map_info *info, char *text, size_t size);

/* Stores why a site was left out, and warns of the first; user: the call. */
void record_skipped_site(void *user, const char *message);

/* Measurements as the options say, in the coordinate system crs. Returns the exit status. */
int load_measurements(struct call *call, const struct measurement_options *options, const char *crs,
                      rw_measurements **measurements);

/* delays.c: the histogram of delays at the one point of --at; its power is to be freed. Returns the exit status. */
int read_delay_profile(struct call *call, const char *path, const struct point_list *points, const char *crs,
                       int transmitter, rw_delay_profile *profile);

/* Which transmitter of a map a command uses: the one of --transmitter, or the strongest in each cell. */
struct map_choice {
    size_t band;    /* of the map as it is then */
    size_t count;   /* transmitters of the map; 1: there was nothing to choose */
    char name[160]; /* "strongest of 3", or the transmitter's name */
};

/* map_choice.c: transmitter from 1, -1: not given. Returns the exit status. */
int choose_transmitter_of_map(struct call *call, rw_map *map, int transmitter, struct map_choice *choice);

/* Whether --transmitter is a number from 1, before anything is read. Returns the exit status. */
int check_transmitter_number(int transmitter);

/* listed_heights.c: an option whose values may be listed, the unit of a value, and what its folder begins with. */
struct listed_heights {
    const char *name;
    rw_quantity quantity;
    const char *unit, *folder, *example;
};
#define LISTED_HEIGHTS_MAX 64

/* The option whose value is a list; NULL: none is. */
const struct listed_heights *find_listed_heights(const struct call *call);

/* Returns how many there are; 0: it has been reported what is wrong. */
int read_listed_heights(struct call *call, const struct listed_heights *of, double values[LISTED_HEIGHTS_MAX]);

#endif
