/* Kept beams and paths as a file (kept.h): a header, then of each transmitter its numbers, beams, firsts and lasts. */
#include "base/file.h"
#include "base/maths/hash.h"
#include "base/memory.h"
#include "models/beams/kept/kept.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FILE_VERSION 1
#define BYTE_ORDER_MARK 0x01020304u

static const char file_magic[8] = {'R', 'W', 'B', 'E', 'A', 'M', 'S', '1'};

typedef struct kept_header {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t beam_bytes; /* size of a beam */
    rw_kept_subject subject;
    uint64_t payload_bytes, payload_hash;
    uint64_t header_hash; /* of everything before */
} kept_header;

/* Numbers of one transmitter, before its arrays. */
typedef struct kept_section {
    rw_vec3 source;
    uint64_t level_firsts[RW_KEPT_LEVELS];
    uint64_t path_count;
} kept_section;

#define PART_COUNT 3

/* The arrays of one transmitter. */
typedef struct file_part {
    void **array;
    uint64_t count;
    size_t size;
} file_part;

static void list_parts(rw_kept_paths *paths, uint64_t outdoor_count, file_part parts[PART_COUNT])
{
    const file_part all[PART_COUNT] = {
        {(void **)&paths->beams, paths->level_firsts[RW_KEPT_LEVELS - 1], sizeof *paths->beams},
        {(void **)&paths->firsts, outdoor_count + 1, sizeof *paths->firsts},
        {(void **)&paths->lasts, paths->path_count, sizeof *paths->lasts}};
    memcpy(parts, all, sizeof all);
}

static kept_section section_of(const rw_kept_paths *paths)
{
    kept_section section = {.source = paths->source, .path_count = paths->path_count};
    memcpy(section.level_firsts, paths->level_firsts, sizeof section.level_firsts);
    return section;
}

/* Hash and size of all that comes after the header. */
static void measure(const rw_kept *kept, uint64_t *hash, uint64_t *bytes)
{
    *hash = RW_HASH_START;
    *bytes = 0;
    for (size_t i = 0; i < kept->subject.transmitter_count; i++) {
        rw_kept_paths paths = kept->transmitters[i];
        kept_section section = section_of(&paths);
        file_part parts[PART_COUNT];
        list_parts(&paths, kept->subject.outdoor_count, parts);
        *hash = rw_hash(*hash, &section, sizeof section);
        *bytes += sizeof section;
        for (int part = 0; part < PART_COUNT; part++) {
            *hash = rw_hash(*hash, *parts[part].array, parts[part].count * parts[part].size);
            *bytes += parts[part].count * parts[part].size;
        }
    }
}

rw_status rw_kept_write(rw_context *context, const char *path, const rw_kept *kept)
{
    rw_file_writer writer;
    kept_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, file_magic, sizeof file_magic);
    header.version = FILE_VERSION;
    header.byte_order = BYTE_ORDER_MARK;
    header.beam_bytes = sizeof(rw_beam);
    header.subject = kept->subject;
    measure(kept, &header.payload_hash, &header.payload_bytes);
    header.header_hash = rw_hash(RW_HASH_START, &header, offsetof(kept_header, header_hash));
    RW_TRY(rw_file_begin(context, path, &writer));
    fwrite(&header, sizeof header, 1, writer.stream);
    for (size_t i = 0; i < kept->subject.transmitter_count; i++) {
        rw_kept_paths paths = kept->transmitters[i];
        kept_section section = section_of(&paths);
        file_part parts[PART_COUNT];
        list_parts(&paths, kept->subject.outdoor_count, parts);
        fwrite(&section, sizeof section, 1, writer.stream);
        for (int part = 0; part < PART_COUNT; part++)
            fwrite(*parts[part].array, parts[part].size, parts[part].count, writer.stream);
    }
    return rw_file_commit(context, &writer);
}

static rw_status refuse(rw_context *context, const char *path, const char *why)
{
    return rw_fail(context, RW_BAD_INPUT, "%s %s; delete it, and --reuse makes it anew", path, why);
}

static rw_status read_header(rw_context *context, const char *path, const char *bytes, size_t size, kept_header *header)
{
    if (size < sizeof file_magic || memcmp(bytes, file_magic, sizeof file_magic) != 0)
        return rw_fail(context, RW_BAD_INPUT,
                       "%s holds no kept beams; give --reuse a file that does not exist yet, or one that it made",
                       path);
    if (size < sizeof *header)
        return refuse(context, path, "ends within its header");
    memcpy(header, bytes, sizeof *header);
    if (header->version != FILE_VERSION || header->byte_order != BYTE_ORDER_MARK ||
        header->beam_bytes != sizeof(rw_beam))
        return refuse(context, path, "was made by another version or on another kind of machine");
    if (header->header_hash != rw_hash(RW_HASH_START, header, offsetof(kept_header, header_hash)))
        return refuse(context, path, "has a damaged header");
    if (header->payload_bytes != size - sizeof *header || header->subject.transmitter_count == 0 ||
        header->subject.outdoor_count > size || header->subject.transmitter_count > size)
        return refuse(context, path, "is not as long as its header says");
    return RW_OK;
}

static int wall_holds(uint32_t wall, size_t wall_count)
{
    return wall == RW_NO_WALL || wall < wall_count;
}

/* Whether a beam of a level points to walls that there are and to a beam of the level before. */
static int beam_holds(const rw_beam *beam, const rw_kept_paths *paths, size_t level, size_t wall_count)
{
    if (beam->kind > RW_BEAM_DIFFRACTED ||
        (size_t)(beam->reflections + beam->transmissions + beam->diffractions) != level)
        return 0;
    if (level == 0)
        return beam->kind == RW_BEAM_SOURCE;
    return beam->kind != RW_BEAM_SOURCE && beam->wall < wall_count && wall_holds(beam->other_wall, wall_count) &&
           beam->parent >= paths->level_firsts[level - 1] && beam->parent < paths->level_firsts[level];
}

static int paths_hold(const rw_kept_paths *paths, uint64_t outdoor_count, size_t wall_count)
{
    uint64_t beam_count = paths->level_firsts[RW_KEPT_LEVELS - 1];
    int holds = paths->firsts[0] == 0 && paths->firsts[outdoor_count] == paths->path_count;
    for (size_t level = 0; level + 1 < RW_KEPT_LEVELS && holds; level++)
        for (uint64_t i = paths->level_firsts[level]; i < paths->level_firsts[level + 1] && holds; i++)
            holds = beam_holds(paths->beams + i, paths, level, wall_count);
    for (uint64_t i = 0; i < outdoor_count && holds; i++)
        holds = paths->firsts[i] <= paths->firsts[i + 1];
    for (uint64_t i = 0; i < paths->path_count && holds; i++)
        holds = paths->lasts[i] < beam_count;
    return holds;
}

/* Levels rise, and no array is longer than the file. */
static int section_holds(const kept_section *section, size_t size)
{
    int holds = section->level_firsts[0] == 0 && section->path_count <= size;
    for (size_t i = 0; i + 1 < RW_KEPT_LEVELS && holds; i++)
        holds = section->level_firsts[i] <= section->level_firsts[i + 1] && section->level_firsts[i + 1] <= size;
    return holds;
}

/* Takes one transmitter from the bytes. */
static rw_status read_section(rw_context *context, const char *path, const char **bytes, size_t *left,
                              uint64_t outdoor_count, rw_kept_paths *paths)
{
    kept_section section;
    file_part parts[PART_COUNT];
    if (*left < sizeof section)
        return refuse(context, path, "ends too early");
    memcpy(&section, *bytes, sizeof section);
    *bytes += sizeof section;
    *left -= sizeof section;
    if (!section_holds(&section, *left))
        return refuse(context, path, "is damaged");
    paths->source = section.source;
    paths->path_count = section.path_count;
    memcpy(paths->level_firsts, section.level_firsts, sizeof paths->level_firsts);
    list_parts(paths, outdoor_count, parts);
    for (int i = 0; i < PART_COUNT; i++) {
        if (parts[i].count > *left / parts[i].size)
            return refuse(context, path, "ends too early");
        size_t part_bytes = parts[i].count * parts[i].size;
        RW_TRY(rw_array_create(context, parts[i].count + 1, parts[i].size, "kept beams", parts[i].array));
        memcpy(*parts[i].array, *bytes, part_bytes);
        *bytes += part_bytes;
        *left -= part_bytes;
    }
    return RW_OK;
}

static rw_status read_all(rw_context *context, const char *path, const char *bytes, size_t size, size_t wall_count,
                          rw_kept *kept)
{
    kept_header header;
    uint64_t hash, length;
    RW_TRY(read_header(context, path, bytes, size, &header));
    kept->subject = header.subject;
    RW_TRY(rw_array_create(context, header.subject.transmitter_count, sizeof *kept->transmitters, "kept beams",
                           &kept->transmitters));
    bytes += sizeof header;
    size -= sizeof header;
    for (size_t i = 0; i < header.subject.transmitter_count; i++)
        RW_TRY(read_section(context, path, &bytes, &size, header.subject.outdoor_count, &kept->transmitters[i]));
    measure(kept, &hash, &length);
    if (size != 0 || hash != header.payload_hash)
        return refuse(context, path, "is damaged");
    for (size_t i = 0; i < header.subject.transmitter_count; i++)
        if (!paths_hold(&kept->transmitters[i], header.subject.outdoor_count, wall_count))
            return refuse(context, path, "is damaged, or of another scene");
    return RW_OK;
}

rw_status rw_kept_read(rw_context *context, const char *path, size_t wall_count, rw_kept *kept)
{
    char *bytes;
    size_t size;
    *kept = (rw_kept){0};
    RW_TRY(rw_file_read(context, path, &bytes, &size));
    rw_status status = read_all(context, path, bytes, size, wall_count, kept);
    free(bytes);
    if (status != RW_OK)
        rw_kept_destroy(kept);
    return status;
}

rw_status rw_kept_check(rw_context *context, const char *path, const rw_kept *kept, const rw_kept_subject *wanted)
{
    const rw_kept_subject *is = &kept->subject;
    if (is->scene_hash != wanted->scene_hash)
        return refuse(context, path, "was made for another scene or terrain than this one");
    if (is->columns != wanted->columns || is->rows != wanted->rows || is->outdoor_count != wanted->outdoor_count ||
        is->x0_m != wanted->x0_m || is->y0_m != wanted->y0_m || is->res_m != wanted->res_m ||
        is->height_m != wanted->height_m)
        return rw_fail(context, RW_BAD_CALL,
                       "%s is of other receivers: write --res %.10g --rx-height %.10g --area "
                       "%.10g,%.10g,%.10g,%.10g, or give --reuse another file",
                       path, is->res_m, is->height_m, is->x0_m, is->y0_m, is->x0_m + (double)is->columns * is->res_m,
                       is->y0_m + (double)is->rows * is->res_m);
    if (is->reflections != wanted->reflections || is->transmissions != wanted->transmissions ||
        is->diffractions != wanted->diffractions || is->angle_min_rad != wanted->angle_min_rad)
        return rw_fail(context, RW_BAD_CALL,
                       "%s was traced with --reflections %u --transmissions %u --diffractions %u: write these, or give "
                       "--reuse another file",
                       path, is->reflections, is->transmissions, is->diffractions);
    if (is->transmitter_count != wanted->transmitter_count)
        return rw_fail(context, RW_BAD_CALL, "%s is of %u transmitters, not of %u; give --reuse another file", path,
                       is->transmitter_count, wanted->transmitter_count);
    return RW_OK;
}

void rw_kept_destroy(rw_kept *kept)
{
    for (size_t i = 0; kept->transmitters && i < kept->subject.transmitter_count; i++) {
        free(kept->transmitters[i].beams);
        free(kept->transmitters[i].firsts);
        free(kept->transmitters[i].lasts);
        rw_kept_remove(&kept->transmitters[i]);
    }
    free(kept->transmitters);
    *kept = (rw_kept){0};
}
