#include "bench/bench.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <embree3/rtcore.h>

#include <stdlib.h>
#include <string.h>

#define PACKET 16
#define LINES_PER_BATCH 4096 /* lines that a thread takes at a time; whole packets */

struct rw_embree {
    RTCDevice device;
    RTCScene scene;
};

static rw_status check_embree_error(rw_context *context, const rw_embree *embree)
{
    enum RTCError error = rtcGetDeviceError(embree->device);
    return error == RTC_ERROR_NONE ? RW_OK : rw_fail(context, RW_INTERNAL, "Embree fails with error %d", (int)error);
}

static rw_status build_embree_scene(rw_context *context, rw_embree *embree, const float *vertices, size_t vertex_count,
                                    const uint32_t *triangles, size_t triangle_count)
{
    embree->device = rtcNewDevice(NULL);
    if (!embree->device)
        return rw_fail(context, RW_INTERNAL, "Embree does not start");
    embree->scene = rtcNewScene(embree->device);
    rtcSetSceneFlags(embree->scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(embree->scene, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry geometry = rtcNewGeometry(embree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *points = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                           vertex_count);
    void *corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                            triangle_count);
    if (points && corners) {
        memcpy(points, vertices, 3 * sizeof(float) * vertex_count);
        memcpy(corners, triangles, 3 * sizeof(uint32_t) * triangle_count);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(embree->scene, geometry);
        rtcCommitScene(embree->scene);
    }
    rtcReleaseGeometry(geometry);
    return check_embree_error(context, embree);
}

rw_status rw_embree_create(rw_context *context, const float *vertices, size_t vertex_count, const uint32_t *triangles,
                           size_t triangle_count, rw_embree **embree)
{
    RW_TRY(rw_array_create(context, 1, sizeof **embree, "Embree", embree));
    rw_status status = build_embree_scene(context, *embree, vertices, vertex_count, triangles, triangle_count);
    if (status != RW_OK) {
        rw_embree_destroy(*embree);
        *embree = NULL;
    }
    return status;
}

void rw_embree_destroy(rw_embree *embree)
{
    if (!embree)
        return;
    if (embree->scene)
        rtcReleaseScene(embree->scene);
    if (embree->device)
        rtcReleaseDevice(embree->device);
    free(embree);
}

static void test_single_lines(RTCScene scene, const float *from, const float *to, size_t count, uint8_t *clear)
{
    struct RTCIntersectContext how;
    rtcInitIntersectContext(&how);
    for (size_t i = 0; i < count; i++) {
        struct RTCRay ray = {.org_x = from[3 * i],
                             .org_y = from[3 * i + 1],
                             .org_z = from[3 * i + 2],
                             .dir_x = to[3 * i] - from[3 * i],
                             .dir_y = to[3 * i + 1] - from[3 * i + 1],
                             .dir_z = to[3 * i + 2] - from[3 * i + 2],
                             .tfar = 1.0f,
                             .mask = UINT32_MAX};
        rtcOccluded1(scene, &how, &ray);
        clear[i] = ray.tfar >= 0.0f;
    }
}

static void test_packet_lines(RTCScene scene, const float *from, const float *to, size_t count, uint8_t *clear)
{
    struct RTCIntersectContext how;
    rtcInitIntersectContext(&how);
    how.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    for (size_t first = 0; first < count; first += PACKET) {
        size_t lines = count - first < PACKET ? count - first : PACKET;
        struct RTCRay16 rays = {0};
        int valid[PACKET] __attribute__((aligned(64)));
        for (size_t k = 0; k < PACKET; k++) {
            valid[k] = k < lines ? -1 : 0;
            const float *a = from + 3 * (first + (k < lines ? k : 0)), *b = to + 3 * (first + (k < lines ? k : 0));
            rays.org_x[k] = a[0];
            rays.org_y[k] = a[1];
            rays.org_z[k] = a[2];
            rays.dir_x[k] = b[0] - a[0];
            rays.dir_y[k] = b[1] - a[1];
            rays.dir_z[k] = b[2] - a[2];
            rays.tfar[k] = 1.0f;
            rays.mask[k] = UINT32_MAX;
        }
        rtcOccluded16(valid, scene, &how, &rays);
        for (size_t k = 0; k < lines; k++)
            clear[first + k] = rays.tfar[k] >= 0.0f;
    }
}

typedef struct line_query {
    RTCScene scene;
    const float *from, *to;
    int packets;
    uint8_t *clear;
} line_query;

static void test_line_batch(void *user, size_t begin, size_t end)
{
    const line_query *lines = user;
    if (lines->packets)
        test_packet_lines(lines->scene, lines->from + 3 * begin, lines->to + 3 * begin, end - begin,
                          lines->clear + begin);
    else
        test_single_lines(lines->scene, lines->from + 3 * begin, lines->to + 3 * begin, end - begin,
                          lines->clear + begin);
}

rw_status rw_embree_clear(rw_context *context, rw_embree *embree, const float *from, const float *to, size_t count,
                          int packets, uint8_t *clear)
{
    line_query lines = {embree->scene, from, to, packets, clear};
    return rw_parallel(context, count, LINES_PER_BATCH, test_line_batch, &lines);
}
