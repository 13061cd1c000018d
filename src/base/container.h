/* The one container of all files that the library keeps: databases of preprocessing, kept beams, kept rays.
 *
 * A file is a header and then sections, each a head and its elements as they are in memory, in the byte order of the
 * machine, padded to eight bytes with zeros. The header says what the file holds and of which scene, and has a hash of
 * itself and of all heads; a head has a hash of itself and of its elements. docs/reference/formats.md describes the
 * layout.
 *
 * Nothing is allocated that the size of the file does not allow, and no elements are handed out before their hash is
 * checked: that of the copy which is handed out, for the file may be changed while it is read. */
#ifndef RW_BASE_CONTAINER_H
#define RW_BASE_CONTAINER_H

#include "base/file.h"

#include <stdint.h>

#define RW_CONTAINER_VERSION 1
#define RW_CONTAINER_BYTE_ORDER 0x01020304u

/* What a file can hold: one constant for each kind, in the folder of its model. */
typedef struct rw_container_kind {
    const char *name;  /* "corner database" */
    const char *model; /* "shadow" */
    uint32_t version;  /* of its sections; raised with every change of them */
    const char *again; /* what to do about a file that is of no use: "make it again with rasterwave preprocess" */
    const char *other; /* what to do about a file of something else: "rasterwave preprocess makes one" */
} rw_container_kind;

/* The first bytes of a file. Magic, byte order, version and program stay where they are in all versions. */
typedef struct rw_container_header {
    char magic[8];
    uint32_t byte_order, version;
    char program[32]; /* version of the program that made it */
    char kind[24], model[16];
    uint32_t kind_version;
    uint32_t finished;      /* 0 while it is written; then the next three are 0, too */
    uint64_t section_count; /* heads */
    uint64_t bytes;         /* of the file */
    uint64_t heads_hash;    /* of all heads */
    uint64_t scene;         /* rw_scene_identity */
    uint64_t header_hash;   /* of everything before */
} rw_container_header;

/* The bytes before the elements of a section. A name may occur many times, with numbers from 0: a section for each
 * transmitter, or for each band of rows. */
typedef struct rw_container_head {
    char name[16];
    uint32_t number, element_bytes;
    uint64_t count;
    uint64_t hash;      /* of the elements */
    uint64_t head_hash; /* of everything before */
} rw_container_head;

/* Whether a hash in a file is the one that was computed. It is alone in its file (container_hash.c): fuzz targets link
 * another in its place, which accepts any hash, so that the search comes behind them. */
int rw_container_hash_agrees(uint64_t stored, uint64_t computed);

/* The first bytes of every container. */
extern const char rw_container_magic[8];

/* --- reading --- */

typedef struct rw_container_section {
    rw_container_head head;
    uint64_t at; /* of the elements in the file */
} rw_container_section;

typedef struct rw_container {
    rw_context *context;
    const char *path; /* the caller's */
    const rw_container_kind *kind;
    rw_file_reader file;
    uint64_t size;
    rw_container_header header;
    rw_container_section *sections;
    size_t section_count, next; /* next: where the search for a section starts */
} rw_container;

/* Opens the file and checks header and heads. Files of another kind are refused; kind NULL takes every kind. */
rw_status rw_container_open(rw_context *context, const char *path, const rw_container_kind *kind,
                            rw_container *container);
void rw_container_close(rw_container *container);

/* Whether it is of the scene with this identity; a sentence where not. */
rw_status rw_container_check_scene(const rw_container *container, uint64_t scene);

/* The elements of a section, which must be there, of this size, and undamaged, with room for one more element, zeroed.
 * To be freed by the caller. */
rw_status rw_container_copy(rw_container *container, const char *name, size_t number, size_t element_bytes,
                            void *elements_out, size_t *count);

/* A section of exactly one element. */
rw_status rw_container_get_one(rw_container *container, const char *name, size_t number, size_t element_bytes,
                               void *element);

/* container_info.c: the container behind a file that a caller has opened. */
rw_container *rw_stored_file_container(rw_stored_file *file);

/* How many sections of that name there are. */
size_t rw_container_count(const rw_container *container, const char *name);

/* Checks the elements of all sections. */
rw_status rw_container_verify(const rw_container *container);

/* The sentence for elements that are whole but make no sense. */
rw_status rw_container_damaged(const rw_container *container, const char *name);

/* Whether the file is of that kind, by its first bytes alone; files of earlier versions, before there was a container,
 * are recognised as well. kind NULL: of any kind. */
rw_status rw_container_recognise(rw_context *context, const char *path, const rw_container_kind *kind, int *is);

/* --- writing --- */

typedef struct rw_container_writer {
    rw_context *context;
    rw_file_writer file;
    int resumable;
    rw_container_header header;
    uint64_t at; /* end of what is written or taken over */
    uint64_t heads_hash, section_count;
    rw_file_reader left; /* the unfinished file of an earlier run */
    int has_left;        /* 0: there is none, or all of it is taken over */
} rw_container_writer;

/* Starts a file beside its path. resumable: as path.unfinished, which no other run may write at the same time; where an
 * earlier run of the same program left one of the same kind and scene, its sections can be taken over. */
rw_status rw_container_begin(rw_context *context, const char *path, const rw_container_kind *kind, uint64_t scene,
                             int resumable, rw_container_writer *writer);

/* Appends a section. Where the earlier run left the same one in this place, that is taken over; otherwise what it left
 * from here on is cut off. In a resumable file the section is with the system when the call returns. */
rw_status rw_container_write(rw_container_writer *writer, const char *name, size_t number, size_t element_bytes,
                             size_t count, const void *elements);

/* The elements of the next section that the earlier run left, where it is this one and undamaged; NULL otherwise. To be
 * freed by the caller. The section is taken over by rw_container_accept. */
rw_status rw_container_left(const rw_container_writer *writer, const char *name, size_t number, size_t element_bytes,
                            void *elements_out, size_t *count);
void rw_container_accept(rw_container_writer *writer);

/* Ends the file and gives it its name. */
rw_status rw_container_commit(rw_container_writer *writer);

/* Removes what is written. */
void rw_container_abandon(rw_container_writer *writer);

/* Leaves a resumable file unfinished, to be resumed. */
void rw_container_leave(rw_container_writer *writer);

/* Heads and elements of a container's sections as they are in an open file: for its reader and for the writer that
 * resumes it. */

/* Bytes that elements take in the file. */
size_t rw_section_padded(size_t bytes);

uint64_t rw_section_hash_header(const rw_container_header *header);
uint64_t rw_section_hash_head(const rw_container_head *head);

/* Reads the head at *at and goes behind its elements; 0 where head or elements are not whole. Elements are not looked
 * at. */
int rw_section_read_head(const rw_file_reader *file, uint64_t *at, rw_container_section *section);

/* Reads the elements into room for them where there is some, and tells whether they are those that were written. Where
 * elements is NULL, they are read in parts and only checked. The status is that of reading. */
rw_status rw_section_read(const rw_file_reader *file, const rw_container_section *section, void *elements, int *holds);

int rw_section_is(const rw_container_head *head, const char *name, size_t number, size_t element_bytes);

#endif
