// SPDX-License-Identifier: MIT
// Embree 3 on one thread: Morton (low), binned surface area (medium), refit.

#include "tree_clock.hpp"
#include "tree_peers.h"

#include <embree3/rtcore.h>

#include <cstring>

static RTCDevice device()
{
	static RTCDevice only = rtcNewDevice("threads=1");
	return only;
}

static RTCGeometry make_geometry(const tree_peer_mesh *mesh, RTCBuildQuality quality)
{
	RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
	void *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
	                                         12, (size_t)mesh->vertex_count);
	void *triangles = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
	                                          12, (size_t)mesh->triangle_count);
	std::memcpy(vertices, mesh->positions, 12 * (size_t)mesh->vertex_count);
	std::memcpy(triangles, mesh->triangles, 12 * (size_t)mesh->triangle_count);
	rtcSetGeometryBuildQuality(geometry, quality);
	rtcCommitGeometry(geometry);
	return geometry;
}

static double build(const tree_peer_mesh *mesh, int repeat, RTCBuildQuality quality)
{
	RTCScene scene = nullptr;
	auto prepare = [&](int) {
		if (scene)
			rtcReleaseScene(scene);
		scene = rtcNewScene(device());
		rtcSetSceneBuildQuality(scene, quality);
		if (quality == RTC_BUILD_QUALITY_LOW)
			rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
		RTCGeometry geometry = make_geometry(mesh, quality);
		rtcAttachGeometry(scene, geometry);
		rtcReleaseGeometry(geometry);
	};
	double least = peer_least_ns(repeat, prepare, [&](int) { rtcCommitScene(scene); });
	rtcReleaseScene(scene);
	return least;
}

static double build_low(const tree_peer_mesh *mesh, int repeat)
{
	return build(mesh, repeat, RTC_BUILD_QUALITY_LOW);
}

static double build_medium(const tree_peer_mesh *mesh, int repeat)
{
	return build(mesh, repeat, RTC_BUILD_QUALITY_MEDIUM);
}

static double refit(const tree_peer_mesh *mesh, int repeat)
{
	RTCScene scene = rtcNewScene(device());
	rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
	rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
	RTCGeometry geometry = make_geometry(mesh, RTC_BUILD_QUALITY_REFIT);
	rtcAttachGeometry(scene, geometry);
	rtcCommitScene(scene);
	void *vertices = rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
	auto move = [&](int i) {
		std::memcpy(vertices, i % 2 ? mesh->positions : mesh->moved,
		            12 * (size_t)mesh->vertex_count);
	};
	double least = peer_least_ns(repeat, move, [&](int) {
		rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
		rtcCommitGeometry(geometry);
		rtcCommitScene(scene);
	});
	rtcReleaseGeometry(geometry);
	rtcReleaseScene(scene);
	return least;
}

extern "C" const tree_peer tree_peer_embree_low = { "embree-low", build_low, refit, nullptr };
extern "C" const tree_peer tree_peer_embree_medium = { "embree-medium", build_medium, nullptr,
	                                                   nullptr };
