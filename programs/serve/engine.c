/* Scenes for requests: opened once and kept, described, and as arrays for pictures. */
#include "report/json.h"
#include "serve/serving.h"

#include <rasterwave/geometry.h>
#include <rasterwave/inputs.h>

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* The names next to a file that begin as its own does, up to the dot: sidecars that appear or vanish. */
static void write_sidecar_names(FILE *stream, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    struct dirent **names;
    int count = folder ? scandir(folder, &names, NULL, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        if (strncmp(names[i]->d_name, name, length) == 0)
            fprintf(stream, "%s\n", names[i]->d_name);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    free(folder);
}

/* All options that decide what is read. */
static char *format_scene_key(const struct call *call)
{
    char *key = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&key, &size);
    if (!stream)
        return NULL;
    for (const struct option *option = option_table; option->name; option++) {
        void *target =
            option->roles & OF_SCENE ? find_option_target((struct call *)(uintptr_t)call, option->name) : NULL;
        const char *string = target && option->kind != OPTION_QUANTITY ? *(const char **)target : NULL;
        if (target && option->kind == OPTION_QUANTITY)
            fprintf(stream, "%s %.17g\n", option->name, *(const double *)target);
        if (string)
            fprintf(stream, "%s %s\n", option->name, string);
        if (string && option->kind == OPTION_READ)
            write_sidecar_names(stream, string);
    }
    fprintf(stream, "%d", wants_buildings(call));
    if (fclose(stream) == 0)
        return key;
    free(key);
    return NULL;
}

static void close_warm_database(struct warm_scene *warm)
{
    rw_database_destroy(warm->database);
    warm->database = NULL;
    warm->database_key[0] = 0;
}

static void close_warm_scene(struct warm_scene *warm)
{
    close_warm_database(warm); /* before its scene */
    rw_scene_destroy(warm->scene);
    rw_inputs_end(warm->inputs);
    free(warm->key);
    *warm = (struct warm_scene){0};
}

static int read_warm_scene(struct served_call *served, rw_scene **scene, rw_inputs **inputs)
{
    const struct scene_options *options = scene_options_of(&served->call);
    TRY_RW(&served->call, rw_inputs_begin(served->call.context, inputs));
    int exit_status = open_scene(&served->call, options, options->file, scene);
    rw_inputs_stop(*inputs);
    return exit_status;
}

/* The scene of that key, in use from here on. */
static struct warm_scene *use_warm_scene(struct engine *engine, const char *key)
{
    struct warm_scene *found = NULL;
    pthread_mutex_lock(&engine->lock);
    for (int i = 0; i < WARM_SCENES && !found; i++)
        if (engine->scenes[i].key && !engine->scenes[i].is_stale && strcmp(engine->scenes[i].key, key) == 0)
            found = &engine->scenes[i];
    if (found) {
        found->users++;
        found->used = ++engine->uses;
    }
    pthread_mutex_unlock(&engine->lock);
    return found;
}

void release_warm_scene(struct engine *engine, struct served_call *served)
{
    struct warm_scene *warm = served->warm;
    served->warm = NULL;
    if (!warm)
        return;
    pthread_mutex_lock(&engine->lock);
    if (--warm->users == 0 && warm->is_stale)
        close_warm_scene(warm);
    pthread_mutex_unlock(&engine->lock);
}

/* A scene whose files have other content than when they were read is not used any more. */
static struct warm_scene *use_fresh_scene(struct engine *engine, struct served_call *served, const char *key)
{
    struct warm_scene *warm = use_warm_scene(engine, key);
    if (!warm || !rw_inputs_find_changed(engine->context, warm->inputs))
        return warm;
    pthread_mutex_lock(&engine->lock);
    warm->is_stale = 1;
    pthread_mutex_unlock(&engine->lock);
    served->warm = warm;
    release_warm_scene(engine, served);
    return NULL;
}

/* The one that is not in use for the longest time: of two threads the other uses one at most. */
static struct warm_scene *find_oldest_scene(struct engine *engine)
{
    struct warm_scene *oldest = NULL;
    for (int i = 0; i < WARM_SCENES; i++)
        if (engine->scenes[i].users == 0 && (!oldest || engine->scenes[i].used < oldest->used))
            oldest = &engine->scenes[i];
    return oldest;
}

/* Takes over the key, the scene and its inputs. */
static struct warm_scene *store_warm_scene(struct engine *engine, const struct warm_scene *opened)
{
    pthread_mutex_lock(&engine->lock);
    struct warm_scene *warm = find_oldest_scene(engine);
    close_warm_scene(warm);
    *warm = *opened;
    warm->users = 1;
    warm->used = ++engine->uses;
    pthread_mutex_unlock(&engine->lock);
    return warm;
}

/* On the thread of openings, so that requests for open scenes do not wait. */
static int open_warm_scene(struct engine *engine, struct served_call *served, const char *key)
{
    struct warm_scene opened = {.key = strdup(key)};
    if (serve_task_is_deferred(served->task)) {
        free(opened.key);
        return report_error("the scene must be read first");
    }
    serve_task_begin_opening(served->task);
    int exit_status =
        opened.key ? read_warm_scene(served, &opened.scene, &opened.inputs) : report_out_of_memory("the scene");
    serve_task_end_opening(served->task);
    if (exit_status)
        close_warm_scene(&opened);
    else
        served->warm = store_warm_scene(engine, &opened);
    return exit_status;
}

int find_warm_scene(struct engine *engine, struct served_call *served, rw_scene **scene)
{
    char *key = format_scene_key(&served->call);
    if (!key)
        return report_out_of_memory("the scene");
    release_warm_scene(engine, served);
    served->warm = use_fresh_scene(engine, served, key);
    int exit_status = served->warm ? 0 : open_warm_scene(engine, served, key);
    free(key);
    *scene = exit_status ? NULL : served->warm->scene;
    return exit_status;
}

void close_warm_scenes(struct engine *engine)
{
    for (int i = 0; i < WARM_SCENES; i++)
        close_warm_scene(&engine->scenes[i]);
}

/* A file by its name, size, inode and times; an empty key: it may have been written again within its times' steps, or
 * cannot be described. */
static void format_database_key(const char *path, char *key, size_t size)
{
    struct stat about;
    struct timespec now;
    key[0] = 0;
    if (stat(path, &about) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0 || now.tv_sec - about.st_mtim.tv_sec <= 2 ||
        now.tv_sec - about.st_ctim.tv_sec <= 2)
        return;
    snprintf(key, size, "%lld %llu %llu %lld.%09ld %lld.%09ld %s", (long long)about.st_size,
             (unsigned long long)about.st_dev, (unsigned long long)about.st_ino, (long long)about.st_mtim.tv_sec,
             about.st_mtim.tv_nsec, (long long)about.st_ctim.tv_sec, about.st_ctim.tv_nsec, path);
}

int find_warm_database(struct engine *engine, struct served_call *served, rw_scene *scene, rw_database **database)
{
    const char *path = model_argument_value(&served->call, "database");
    struct warm_scene *warm = served->warm;
    *database = NULL;
    if (!path)
        return 0;
    char key[DATABASE_KEY_SIZE];
    format_database_key(path, key, sizeof key);
    pthread_mutex_lock(&engine->lock);
    if (*key && strcmp(warm->database_key, key) == 0)
        *database = warm->database;
    pthread_mutex_unlock(&engine->lock);
    if (*database)
        return 0;
    TRY_RW(&served->call, rw_database_load(scene, path, &served->own_database));
    *database = served->own_database;
    pthread_mutex_lock(&engine->lock);
    if (warm->users == 1) { /* no other call uses the one that it replaces */
        close_warm_database(warm);
        warm->database = served->own_database;
        served->own_database = NULL;
        memcpy(warm->database_key, key, sizeof key);
    }
    pthread_mutex_unlock(&engine->lock);
    return 0;
}

/* The scene that a request names as ?scene=NAME, or the server's. */
static int scene_of_request(struct engine *engine, struct serve_task *task, struct served_call *served,
                            rw_scene **scene)
{
    const char *name = serve_task_argument(task, "scene");
    TRY(begin_served_call(engine, task, "predict", served));
    if (name && *name) {
        TRY(check_inside_root(&served->call, "scene", name));
        name_scene(engine, &served->call, name);
    }
    TRY(find_warm_scene(engine, served, scene));
    if (!name || !*name)
        store_description(engine, served, *scene);
    return 0;
}

static void write_extent(struct json *json, const rw_scene *scene, const rw_scene_info *info)
{
    rw_scene_geometry geometry = {.size = sizeof geometry};
    double low = info->has_terrain ? info->terrain_min_m : 0, high = info->has_terrain ? info->terrain_max_m : 0;
    rw_scene_get_geometry(scene, &geometry);
    for (size_t i = 0; i < geometry.part_count; i++) {
        rw_scene_part part = {.size = sizeof part};
        rw_scene_get_part(scene, i, &part);
        low = fmin(low, part.bottom_m);
        high = fmax(high, part.top_m);
    }
    for (size_t i = 0; i < geometry.panel_count; i++) {
        rw_panel panel = {.size = sizeof panel};
        rw_scene_get_panel(scene, i, &panel);
        low = fmin(low, panel.bottom_m);
        high = fmax(high, panel.top_m);
    }
    for (size_t i = 0; i < geometry.vertex_count; i++) {
        low = fmin(low, geometry.vertices_m[3 * i + 2]);
        high = fmax(high, geometry.vertices_m[3 * i + 2]);
    }
    json_object(json, "bounds");
    json_number(json, "x0", info->x_min_m);
    json_number(json, "y0", info->y_min_m);
    json_number(json, "x1", info->x_max_m);
    json_number(json, "y1", info->y_max_m);
    json_number(json, "zmin", low);
    json_number(json, "zmax", high);
    json_object_end(json);
    json_list(json, "origin");
    json_number(json, NULL, geometry.origin_x_m);
    json_number(json, NULL, geometry.origin_y_m);
    json_list_end(json);
}

/* What the readers have noticed, such as heights that the file does not have, as the command line warns of it. */
static void write_scene_notes(struct json *json, const rw_scene *scene, const rw_scene_info *info)
{
    json_list(json, "notes");
    for (size_t i = 0; i < info->notes; i++) {
        char text[400];
        rw_note note = {.size = sizeof note};
        if (rw_scene_get_note(scene, i, &note) != RW_OK)
            continue;
        snprintf(text, sizeof text, "%s: %zu, first: %s", note.what, note.count, note.example);
        json_string(json, NULL, text);
    }
    json_list_end(json);
}

void describe_scene(struct served_call *served, const rw_scene *scene, struct serve_answer *answer)
{
    struct json json;
    char hash[24];
    double corner[2];
    rw_scene_info info = {.size = sizeof info};
    rw_scene_get_info(scene, &info);
    const char *crs = rw_scene_crs(scene);
    corner[0] = info.x_min_m;
    corner[1] = info.y_min_m;
    int has_lonlat = *crs && rw_transform_points(served->call.context, crs, "lonlat", corner, 1) == RW_OK &&
                     isfinite(corner[0]) && isfinite(corner[1]);
    FILE *stream = serve_answer_json(answer);
    if (!stream)
        return;
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)rw_scene_hash(scene));
    json_begin(&json, stream);
    json_string(&json, "id", hash);
    json_string(&json, "name", scene_options_of(&served->call)->file);
    write_scene_options(&json, &served->call);
    json_string(&json, "crs", crs);
    json_flag(&json, "lonlat", has_lonlat);
    write_extent(&json, scene, &info);
    json_count(&json, "buildings", info.buildings);
    json_count(&json, "parts", info.parts);
    json_count(&json, "walls", info.walls);
    json_count(&json, "panels", info.panels);
    json_count(&json, "triangles", info.triangles);
    json_flag(&json, "terrain", info.has_terrain);
    json_string(&json, "hash", hash);
    json_number(&json, "load_s", info.load_s);
    json_number(&json, "prepare_s", info.prepare_s);
    write_scene_notes(&json, scene, &info);
    json_end(&json);
}

void store_description(struct engine *engine, struct served_call *served, const rw_scene *scene)
{
    struct serve_answer answer = {0};
    describe_scene(served, scene, &answer);
    if (!answer.stream)
        return;
    int failed = ferror(answer.stream);
    failed |= fclose(answer.stream) != 0;
    pthread_mutex_lock(&engine->lock);
    free(engine->description);
    engine->description = failed ? NULL : answer.bytes;
    snprintf(engine->described, sizeof engine->described, "%s", scene_options_of(&served->call)->file);
    pthread_mutex_unlock(&engine->lock);
    if (failed)
        free(answer.bytes);
}

int answer_scene_at_once(void *user, struct serve_task *task, struct serve_answer *answer)
{
    struct engine *engine = user;
    const char *name = serve_task_argument(task, "scene");
    pthread_mutex_lock(&engine->lock);
    int is_described = (!name || !*name) && engine->description && strcmp(engine->described, engine->scene) == 0;
    FILE *stream = is_described ? serve_answer_json(answer) : NULL;
    if (stream)
        fputs(engine->description, stream);
    pthread_mutex_unlock(&engine->lock);
    return is_described;
}

static int describe_requested_scene(struct engine *engine, struct serve_task *task, struct served_call *served,
                                    struct serve_answer *answer)
{
    rw_scene *scene = NULL;
    TRY(scene_of_request(engine, task, served, &scene));
    describe_scene(served, scene, answer);
    return 0;
}

void serve_scene(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(describe_requested_scene, user, task, answer);
}

/* One array of the answer: its name, type, and how many numbers of four bytes it has. */
struct answer_section {
    const char *name, *type;
    size_t count;
};

enum {
    RING_START,
    RING_XY,
    BASE,
    ROOF,
    GROUND,
    BUILDING,
    PART_OF_RING,
    MESH_VERTICES,
    MESH_TRIANGLES,
    PANELS,
    TERRAIN,
    ARRAYS
};

static void list_arrays(const rw_scene_geometry *geometry, struct answer_section arrays[ARRAYS])
{
    const struct answer_section new_section[ARRAYS] = {
        [RING_START] = {"ring_start", "u32", geometry->ring_count + 1},
        [RING_XY] = {"ring_xy", "f32", 2 * geometry->point_count},
        [BASE] = {"base", "f32", geometry->part_count},
        [ROOF] = {"roof", "f32", geometry->part_count},
        [GROUND] = {"ground", "f32", geometry->part_count},
        [BUILDING] = {"building", "u32", geometry->part_count},
        [PART_OF_RING] = {"part_of_ring", "u32", geometry->ring_count},
        [MESH_VERTICES] = {"mesh_vertices", "f32", 3 * geometry->vertex_count},
        [MESH_TRIANGLES] = {"mesh_triangles", "u32", 3 * geometry->triangle_count},
        [PANELS] = {"panels", "f32", 6 * geometry->panel_count},
        [TERRAIN] = {"terrain", "f32", geometry->terrain_m ? geometry->terrain_columns * geometry->terrain_rows : 0},
    };
    memcpy(arrays, new_section, sizeof new_section);
}

static char *format_geometry_header(const rw_scene_geometry *geometry, const struct answer_section arrays[ARRAYS],
                                    size_t *size)
{
    char *string = NULL;
    size_t offset = 0;
    struct json json;
    FILE *stream = open_memstream(&string, size);
    if (!stream)
        return NULL;
    json_begin(&json, stream);
    json_list(&json, "origin");
    json_number(&json, NULL, geometry->origin_x_m);
    json_number(&json, NULL, geometry->origin_y_m);
    json_list_end(&json);
    json_object(&json, "arrays");
    for (int i = 0; i < ARRAYS; i++) {
        json_object(&json, arrays[i].name);
        json_string(&json, "type", arrays[i].type);
        json_count(&json, "offset", offset);
        json_count(&json, "count", arrays[i].count);
        if (i == TERRAIN && arrays[i].count) {
            json_count(&json, "nx", geometry->terrain_columns);
            json_count(&json, "ny", geometry->terrain_rows);
            json_number(&json, "x0", geometry->terrain_x0_m);
            json_number(&json, "y0", geometry->terrain_y0_m);
            json_number(&json, "dx", geometry->terrain_dx_m);
            json_number(&json, "dy", geometry->terrain_dy_m);
            json_number(&json, "step", geometry->terrain_dx_m);
        }
        json_object_end(&json);
        offset += 4 * arrays[i].count;
    }
    json_object_end(&json);
    json_end(&json);
    return fclose(stream) == 0 ? string : NULL;
}

static void write_building_parts(const rw_scene *scene, const rw_scene_geometry *geometry, float *base, float *roof,
                                 float *ground, uint32_t *building, uint32_t *part_of_ring)
{
    memset(part_of_ring, 0xff, 4 * geometry->ring_count);
    for (size_t i = 0; i < geometry->part_count; i++) {
        rw_scene_part part = {.size = sizeof part};
        if (rw_scene_get_part(scene, i, &part) != RW_OK)
            continue;
        base[i] = (float)part.bottom_m;
        roof[i] = (float)part.top_m;
        ground[i] = (float)part.ground_m;
        building[i] = part.building;
        for (size_t ring = 0; ring < part.ring_count; ring++)
            part_of_ring[part.first_ring + ring] = (uint32_t)i;
    }
}

static void write_panel_array(const rw_scene *scene, const rw_scene_geometry *geometry, float *out)
{
    for (size_t i = 0; i < geometry->panel_count; i++) {
        rw_panel panel = {.size = sizeof panel};
        if (rw_scene_get_panel(scene, i, &panel) != RW_OK)
            continue;
        const float made[6] = {(float)(panel.x0_m - geometry->origin_x_m),
                               (float)(panel.y0_m - geometry->origin_y_m),
                               (float)(panel.x1_m - geometry->origin_x_m),
                               (float)(panel.y1_m - geometry->origin_y_m),
                               (float)panel.bottom_m,
                               (float)panel.top_m};
        memcpy(out + 6 * i, made, sizeof made);
    }
}

static void write_floats(const double *values, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (float)values[i];
}

/* at: where the arrays begin, a multiple of four. */
static void write_geometry_arrays(const rw_scene *scene, const rw_scene_geometry *geometry,
                                  const struct answer_section arrays[ARRAYS], char *at)
{
    void *start[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
        start[i] = at;
        at += 4 * arrays[i].count;
    }
    uint32_t *ring_start = start[RING_START];
    for (size_t i = 0; i <= geometry->ring_count; i++)
        ring_start[i] = geometry->ring_count ? (uint32_t)geometry->ring_first[i] : 0;
    write_floats(geometry->points_m, arrays[RING_XY].count, start[RING_XY]);
    write_building_parts(scene, geometry, start[BASE], start[ROOF], start[GROUND], start[BUILDING],
                         start[PART_OF_RING]);
    write_floats(geometry->vertices_m, arrays[MESH_VERTICES].count, start[MESH_VERTICES]);
    if (arrays[MESH_TRIANGLES].count)
        memcpy(start[MESH_TRIANGLES], geometry->triangles, 4 * arrays[MESH_TRIANGLES].count);
    write_panel_array(scene, geometry, start[PANELS]);
    if (arrays[TERRAIN].count)
        memcpy(start[TERRAIN], geometry->terrain_m, 4 * arrays[TERRAIN].count);
}

char *begin_binary(const char magic[4], const char *header, size_t header_size, size_t data_size, size_t *size,
                   char **data)
{
    size_t padded = (header_size + 3) / 4 * 4;
    char *bytes = calloc(1, 8 + padded + data_size + 1);
    if (!bytes)
        return NULL;
    uint32_t length = (uint32_t)padded;
    memcpy(bytes, magic, 4);
    memcpy(bytes + 4, &length, 4);
    memcpy(bytes + 8, header, header_size);
    memset(bytes + 8 + header_size, ' ', padded - header_size);
    *size = 8 + padded + data_size;
    *data = bytes + 8 + padded;
    return bytes;
}

static int answer_geometry(struct engine *engine, struct serve_task *task, struct served_call *served,
                           struct serve_answer *answer)
{
    struct answer_section arrays[ARRAYS];
    rw_scene *scene = NULL;
    rw_scene_geometry geometry = {.size = sizeof geometry};
    TRY(scene_of_request(engine, task, served, &scene));
    rw_scene_get_geometry(scene, &geometry);
    list_arrays(&geometry, arrays);
    size_t header_size = 0, data_size = 0, size;
    for (int i = 0; i < ARRAYS; i++)
        data_size += 4 * arrays[i].count;
    char *header = format_geometry_header(&geometry, arrays, &header_size), *data;
    char *bytes = header ? begin_binary("RWG1", header, header_size, data_size, &size, &data) : NULL;
    free(header);
    if (!bytes)
        return report_out_of_memory("the geometry");
    write_geometry_arrays(scene, &geometry, arrays, data);
    serve_answer_bytes(answer, "application/octet-stream", bytes, size);
    return 0;
}

void serve_geometry(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(answer_geometry, user, task, answer);
}
