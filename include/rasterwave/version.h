/* Version of these headers. The library that a program runs with says its own: rw_version, rw_version_number. */
#ifndef RASTERWAVE_VERSION_H
#define RASTERWAVE_VERSION_H

/* The parts of the version, and all of it as a text. */
#define RW_VERSION_MAJOR 0
#define RW_VERSION_MINOR 1
#define RW_VERSION_PATCH 0
#define RW_VERSION_STRING "0.1.0"

/* One number that grows with each version, to be compared with rw_version_number(). */
#define RW_VERSION_NUMBER (RW_VERSION_MAJOR * 10000 + RW_VERSION_MINOR * 100 + RW_VERSION_PATCH)

#endif
