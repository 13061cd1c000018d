/* Mitsuba scenes from any bytes, with a good mesh.ply and mesh.obj beside them to refer to. */
#include "target.h"

#include <string.h>

static const char ply[] =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_write("mesh.ply", (const uint8_t *)ply, strlen(ply));
    fuzz_write("mesh.obj", (const uint8_t *)obj, strlen(obj));
    fuzz_scene("input.xml", "mitsuba", bytes, size);
    fuzz_remove("mesh.ply");
    fuzz_remove("mesh.obj");
    return 0;
}
