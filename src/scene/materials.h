/* The materials that every scene knows: Recommendation ITU-R P.2040-3 (2023), table 3. */
#ifndef RW_SCENE_MATERIALS_H
#define RW_SCENE_MATERIALS_H

#include "scene/scene.h"

/* The material of that name ("itu_concrete", or "concrete"), NULL where there is none. Of a material with two frequency
 * ranges, the first. */
const rw_scene_material *rw_builtin_material(const char *name);

/* The same, but of several ranges the one that holds at the frequency, and where none does the nearest. Compare the
 * frequency with freq_min_hz and freq_max_hz to know. */
const rw_scene_material *rw_builtin_material_at(const char *name, double freq_hz);

/* The rows of the table in its order; a material with several ranges has several rows of one name. */
size_t rw_builtin_material_count(void);
const rw_scene_material *rw_builtin_material_row(size_t index);

#endif
