/* The header of a PLY file: which elements of which properties follow it, and how they are written. */
#ifndef RW_SCENE_READERS_MESHES_PLY_HEADER_H
#define RW_SCENE_READERS_MESHES_PLY_HEADER_H

#include "base/context.h"

#define RW_PLY_ELEMENTS_MAX 16
#define RW_PLY_PROPERTIES_MAX 32

typedef enum rw_ply_encoding { RW_PLY_ASCII, RW_PLY_LITTLE_ENDIAN, RW_PLY_BIG_ENDIAN } rw_ply_encoding;

typedef enum rw_ply_type {
    RW_PLY_INT8,
    RW_PLY_UINT8,
    RW_PLY_INT16,
    RW_PLY_UINT16,
    RW_PLY_INT32,
    RW_PLY_UINT32,
    RW_PLY_FLOAT32,
    RW_PLY_FLOAT64
} rw_ply_type;

#define RW_PLY_NAME_MAX 64 /* of the format's own words; longer ones are none that matter */

typedef struct rw_ply_property {
    char name[RW_PLY_NAME_MAX];
    int is_list;
    rw_ply_type count_type; /* of a list */
    rw_ply_type type;
} rw_ply_property;

typedef struct rw_ply_element {
    char name[RW_PLY_NAME_MAX];
    size_t count;
    size_t property_count;
    rw_ply_property properties[RW_PLY_PROPERTIES_MAX];
} rw_ply_element;

typedef struct rw_ply_header {
    rw_ply_encoding encoding;
    size_t element_count;
    rw_ply_element elements[RW_PLY_ELEMENTS_MAX];
    size_t bytes; /* length of the header */
    size_t lines;
} rw_ply_header;

/* Reads the header and checks that the file is long enough for the counts in it, before anything is allocated for them.
 */
rw_status rw_ply_header_read(rw_context *context, const char *path, const char *bytes, size_t size,
                             rw_ply_header *header);

/* Bytes of a value of the type in a binary file. */
size_t rw_ply_type_size(rw_ply_type type);

#endif
