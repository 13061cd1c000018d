/* rasterwave: prediction of radio waves in cities and buildings.
 *
 * The core; C11 and C++. It reads as a book with a header for each chapter: context.h, scene.h, transmitters.h,
 * predict.h, paths.h, output.h; a program includes this one. calc.h has the physics behind the models, calibrate.h
 * measurements and what is learnt from them, device_maps.h many maps in one call and memory of the GPU, gradients.h
 * derivatives, network.h and plan.h networks of many sites, geometry.h what shows a scene.
 *
 * Conventions: metres, right-handed frame, z up; SI units, the unit stands in each name; path loss in decibels is
 * positive. Every call that can fail returns an rw_status; rw_last_error(context) says why in one sentence. What a call
 * is given it copies where it keeps it; texts and arrays that it gives belong to the object they come from and live as
 * long, unless the call says that they are to be freed with rw_free. Texts may have any length.
 *
 * Sizes: every struct that a call takes or fills starts with its size in bytes. Options are filled by their init call,
 * which sets it; of other structs the caller sets it to sizeof of the struct before the call: rw_map_info info = {.size
 * = sizeof info}. The library reads and writes no more than that, so that a program and a library of other versions
 * work together: what an older program does not know stays at its default and is not written; what an older library
 * does not know is left out of options and is zero in results. A size of 0 is refused with RW_BAD_CALL. In an array of
 * structs all sizes are equal, and the first says how far the elements are apart. Structs that stand inside others by
 * value (rw_field_value, rw_error_statistics, rw_histogram) have no size and do not change.
 */
#ifndef RASTERWAVE_H
#define RASTERWAVE_H

#include <rasterwave/context.h>
#include <rasterwave/scene.h>
#include <rasterwave/transmitters.h>
#include <rasterwave/predict.h>
#include <rasterwave/paths.h>
#include <rasterwave/output.h>

#endif
