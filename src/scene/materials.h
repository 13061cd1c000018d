/* Materials that every scene knows by name. */
#ifndef RW_SCENE_MATERIALS_H
#define RW_SCENE_MATERIALS_H

#include "scene/scene.h"

/* A material of ITU-R P.2040-3, table 3, by its name ("itu_concrete"); NULL where there is none of that name. */
const rw_scene_material *rw_builtin_material(const char *name);

#endif
