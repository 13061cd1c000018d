/* A scene as cubes, as kernels see it: which cubes are filled, and what deflects waves in the others.
 *
 * After section IV of the cubes paper (Catrein, Reyer, Rick 2007): a cube is filled if its centre is inside a building
 * or below ground; it is a source of reflection if a surface passes through it, of horizontal or vertical diffraction
 * if a horizontal or vertical edge does. One bit a cube and class. Coordinates are in cubes from the south-western,
 * lowest corner of the grid: cube (i, j, k) has its centre at (i + 0.5, j + 0.5, k + 0.5). */
#ifndef RW_DISCRETISE_CUBES_CUBES_K_H
#define RW_DISCRETISE_CUBES_CUBES_K_H

#include "base/kernel/qualifiers.h"
#include <stddef.h>

typedef enum rw_cube_kind {
    RW_CUBE_REFLECTION,
    RW_CUBE_HORIZONTAL, /* diffraction at a horizontal edge */
    RW_CUBE_VERTICAL,   /* diffraction at a vertical edge */
    RW_CUBE_KINDS
} rw_cube_kind;

/* A surface or an edge of the scene. */
typedef struct rw_cube_element {
    uint32_t kind;
    float at[3];       /* a point of it */
    float axis[3];     /* of a surface its outward normal, of an edge its direction; of length 1 */
    float inner[3];    /* of an edge: across it into the solid, midway between its faces; of length 1 */
    float half_cosine; /* of an edge: cosine of half the solid's angle; 1 for a thin wall */
} rw_cube_element;

/* The piece of an element that lies in one cube: of a surface the corners of its bounds, of an edge its ends. */
typedef struct rw_cube_item {
    uint32_t element;
    uint32_t cube; /* as rw_cube_index */
    float from[3], to[3];
} rw_cube_item;

typedef struct rw_cubes_view {
    int columns, rows, layers;
    int words; /* of 32 bits in a row */
    const uint32_t *filled;
    const uint32_t *source;        /* some element passes through the cube */
    const uint32_t *source_before; /* sources in the words before each word */
    const uint32_t *first_item;    /* of each source, and one more */
    const rw_cube_item *items;
    const rw_cube_element *elements;
    size_t source_count, item_count, element_count;
} rw_cubes_view;

RW_FN int rw_cube_in_grid(const rw_cubes_view *cubes, int i, int j, int k)
{
    return (unsigned)i < (unsigned)cubes->columns && (unsigned)j < (unsigned)cubes->rows &&
           (unsigned)k < (unsigned)cubes->layers;
}

/* Word of a cube's bits; the bit in it is i % 32. */
RW_FN size_t rw_cube_word(const rw_cubes_view *cubes, int i, int j, int k)
{
    return ((size_t)k * (size_t)cubes->rows + (size_t)j) * (size_t)cubes->words + (size_t)(i >> 5);
}

RW_FN uint32_t rw_cube_bit(const uint32_t *bits, size_t word, int i)
{
    return bits[word] >> (i & 31) & 1u;
}

/* Cubes are numbered by their bits. */
RW_FN size_t rw_cube_index(const rw_cubes_view *cubes, int i, int j, int k)
{
    return rw_cube_word(cubes, i, j, k) * 32u + (size_t)(i & 31);
}

RW_FN void rw_cube_coordinates(const rw_cubes_view *cubes, size_t index, int *i, int *j, int *k)
{
    size_t word = index / 32u, row = word / (size_t)cubes->words;
    *i = (int)((word - row * (size_t)cubes->words) * 32u + index % 32u);
    *k = (int)(row / (size_t)cubes->rows);
    *j = (int)(row - (size_t)*k * (size_t)cubes->rows);
}

/* Number of a source cube among the sources. */
RW_FN uint32_t rw_cube_source(const rw_cubes_view *cubes, size_t word, int i)
{
    uint32_t below = (1u << (i & 31)) - 1u;
    return cubes->source_before[word] + rw_bit_count(cubes->source[word] & below);
}

#endif
