// SPDX-License-Identifier: MIT
// Jolt's physics system at its default settings, one collision step, on one thread, behind the table of
// ../world_engine.h. It is compiled when RBL_JOLT_DIR names a folder with its headers and library. It
// combines two coefficients of friction by the root of their product, as the scenes want it.

#include "../world_engine.h"

#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include <memory>
#include <vector>

namespace
{

constexpr JPH::ObjectLayer STANDING = 0, MOVING = 1;

class layers_of_boxes final : public JPH::BroadPhaseLayerInterface
{
  public:
	JPH::uint GetNumBroadPhaseLayers() const override
	{
		return 2;
	}

	JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer layer) const override
	{
		return JPH::BroadPhaseLayer(JPH::BroadPhaseLayer::Type(layer));
	}

#if defined(JPH_EXTERNAL_PROFILE) || defined(JPH_PROFILE_ENABLED)
	const char *GetBroadPhaseLayerName(JPH::BroadPhaseLayer) const override
	{
		return "layer";
	}
#endif
};

class pairs_of_boxes final : public JPH::ObjectVsBroadPhaseLayerFilter
{
  public:
	bool ShouldCollide(JPH::ObjectLayer a, JPH::BroadPhaseLayer b) const override
	{
		return a == MOVING || b == JPH::BroadPhaseLayer(MOVING);
	}
};

class pairs_of_layers final : public JPH::ObjectLayerPairFilter
{
  public:
	bool ShouldCollide(JPH::ObjectLayer a, JPH::ObjectLayer b) const override
	{
		return a == MOVING || b == MOVING;
	}
};

struct jolt_world {
	const rigid_scene *scene;
	layers_of_boxes layers;
	pairs_of_boxes box_pairs;
	pairs_of_layers layer_pairs;
	JPH::TempAllocatorImpl memory{ 512 << 20 };
	JPH::JobSystemSingleThreaded jobs{ JPH::cMaxPhysicsJobs };
	JPH::PhysicsSystem system;
	std::vector<JPH::RefConst<JPH::Shape>> shapes;
	std::vector<JPH::BodyID> bodies;
};

JPH::Vec3 vector_of(rbl_vec3d v)
{
	return JPH::Vec3(float(v.x), float(v.y), float(v.z));
}

JPH::RefConst<JPH::Shape> make_shape(const rigid_shape &shape)
{
	if (shape.radius > 0.0)
		return new JPH::SphereShape(float(shape.radius));
	if (shape.is_box)
		return JPH::BoxShapeSettings(vector_of(shape.half)).Create().Get();
	JPH::Array<JPH::Vec3> points;
	for (int i = 0; i < shape.vertex_count; ++i)
		points.push_back(vector_of(shape.vertices[i]));
	return JPH::ConvexHullShapeSettings(points).Create().Get();
}

void add_body(jolt_world *self, int index, const rigid_shape &shape, const JPH::Shape *form,
              const rbl_transformd &pose, rbl_vec3d velocity)
{
	const rigid_body &body = self->scene->bodies[index];
	const rbl_quatd &q = pose.rotation;
	JPH::BodyCreationSettings settings(
		form, JPH::RVec3(pose.position.x, pose.position.y, pose.position.z),
		JPH::Quat(float(q.x), float(q.y), float(q.z), float(q.w)),
		body.is_static ? JPH::EMotionType::Static : JPH::EMotionType::Dynamic,
		body.is_static ? STANDING : MOVING);
	settings.mFriction = float(self->scene->friction);
	settings.mRestitution = 0.0f;
	settings.mLinearVelocity = vector_of(velocity);
	settings.mAllowSleeping = self->scene->is_sleeping;
	if (!body.is_static) {
		settings.mOverrideMassProperties = JPH::EOverrideMassProperties::MassAndInertiaProvided;
		settings.mMassPropertiesOverride.mMass = float(shape.mass);
		settings.mMassPropertiesOverride.mInertia = JPH::Mat44::sScale(vector_of(shape.inertia));
	}
	self->bodies[size_t(index)] = self->system.GetBodyInterface().CreateAndAddBody(
		settings, body.is_static ? JPH::EActivation::DontActivate : JPH::EActivation::Activate);
}

void add(void *pointer, int index)
{
	auto *self = static_cast<jolt_world *>(pointer);
	const rigid_body &body = self->scene->bodies[index];
	auto &form = self->shapes[size_t(body.shape)];
	if (form == nullptr)
		form = make_shape(self->scene->shapes[body.shape]);
	add_body(self, index, self->scene->shapes[body.shape], form, body.pose, body.velocity);
}

void *create(const rigid_scene *scene, int)
{
	static bool is_ready = false;
	if (!is_ready) {
		JPH::RegisterDefaultAllocator();
		JPH::Factory::sInstance = new JPH::Factory();
		JPH::RegisterTypes();
		is_ready = true;
	}
	auto *self = new jolt_world;
	self->scene = scene;
	self->shapes.resize(size_t(scene->shape_count));
	self->bodies.resize(size_t(scene->body_count));
	JPH::uint bodies = JPH::uint(scene->body_count) + 16;
	self->system.Init(bodies, 0, 48 * bodies + 1024, 24 * bodies + 1024, self->layers,
	                  self->box_pairs, self->layer_pairs);
	self->system.SetGravity(JPH::Vec3(0.0f, float(scene->gravity), 0.0f));
	for (int i = 0; i < scene->body_count; ++i)
		if (scene->bodies[i].birth_step <= 0)
			add(self, i);
	self->system.OptimizeBroadPhase();
	return self;
}

void destroy(void *pointer)
{
	auto *self = static_cast<jolt_world *>(pointer);
	JPH::BodyInterface &interface = self->system.GetBodyInterface();
	for (JPH::BodyID id : self->bodies)
		if (!id.IsInvalid()) {
			interface.RemoveBody(id);
			interface.DestroyBody(id);
		}
	delete self;
}

rigid_state state_of(jolt_world *self, JPH::BodyID id)
{
	JPH::RVec3 p;
	JPH::Quat q;
	JPH::BodyInterface &interface = self->system.GetBodyInterfaceNoLock();
	interface.GetPositionAndRotation(id, p, q);
	JPH::Vec3 v = interface.GetLinearVelocity(id);
	return { { { p.GetX(), p.GetY(), p.GetZ() }, { q.GetX(), q.GetY(), q.GetZ(), q.GetW() } },
		     { v.GetX(), v.GetY(), v.GetZ() } };
}

void replace(void *pointer, const int *bodies, const rigid_shape *shapes, int count)
{
	auto *self = static_cast<jolt_world *>(pointer);
	JPH::BodyInterface &interface = self->system.GetBodyInterface();
	for (int k = 0; k < count; ++k) {
		JPH::BodyID old = self->bodies[size_t(bodies[k])];
		rigid_state state = state_of(self, old);
		interface.RemoveBody(old);
		interface.DestroyBody(old);
		add_body(self, bodies[k], shapes[k], make_shape(shapes[k]), state.pose, state.velocity);
	}
}

void step(void *pointer)
{
	auto *self = static_cast<jolt_world *>(pointer);
	self->system.Update(float(self->scene->dt), 1, &self->memory, &self->jobs);
}

void read(void *pointer, rigid_state *states)
{
	auto *self = static_cast<jolt_world *>(pointer);
	for (int i = 0; i < self->scene->body_count; ++i)
		if (!self->bodies[size_t(i)].IsInvalid())
			states[i] = state_of(self, self->bodies[size_t(i)]);
}

} // namespace

extern "C" const world_engine world_jolt = { "jolt",  1,    create, destroy, add,     nullptr,
	                                         replace, step, read,   nullptr, nullptr, nullptr };
