// SPDX-License-Identifier: MIT
// Bullet's discrete world with its sequential-impulse solver at default settings: ten iterations,
// hulls with their margin of 40 mm. It multiplies the two coefficients of friction, so each body gets
// the root.

#include "../world_engine.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace
{

struct bullet_world {
	const rigid_scene *scene;
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld world;
	std::vector<std::unique_ptr<btCollisionShape>> shapes;   // of the scene
	std::vector<std::unique_ptr<btCollisionShape>> replaced; // by body
	std::vector<std::unique_ptr<btRigidBody>> bodies;

	explicit bullet_world(const rigid_scene *of)
		: scene(of), dispatcher(&configuration),
		  world(&dispatcher, &broadphase, &solver, &configuration), shapes(of->shape_count),
		  replaced(of->body_count), bodies(of->body_count)
	{
	}
};

btVector3 vector_of(rbl_vec3d v)
{
	return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

std::unique_ptr<btCollisionShape> make_shape(const rigid_shape &shape)
{
	if (shape.radius > 0.0)
		return std::make_unique<btSphereShape>(btScalar(shape.radius));
	if (shape.is_box)
		return std::make_unique<btBoxShape>(vector_of(shape.half));
	auto hull = std::make_unique<btConvexHullShape>();
	for (int v = 0; v < shape.vertex_count; ++v)
		hull->addPoint(vector_of(shape.vertices[v]), false);
	hull->recalcLocalAabb();
	return hull;
}

void add_body(bullet_world *self, int index, btCollisionShape *form, const rigid_shape &shape,
              const rbl_transformd &pose, rbl_vec3d velocity)
{
	const rigid_body &body = self->scene->bodies[index];
	btScalar mass = body.is_static ? 0.0f : btScalar(shape.mass);
	btVector3 inertia = body.is_static ? btVector3(0, 0, 0) : vector_of(shape.inertia);
	btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, form, inertia);
	const rbl_quatd &q = pose.rotation;
	info.m_startWorldTransform =
		btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)),
	                vector_of(pose.position));
	info.m_friction = btScalar(std::sqrt(self->scene->friction));
	info.m_restitution = 0;
	auto made = std::make_unique<btRigidBody>(info);
	made->setLinearVelocity(vector_of(velocity));
	if (!body.is_static && !self->scene->is_sleeping)
		made->setActivationState(DISABLE_DEACTIVATION);
	self->world.addRigidBody(made.get());
	self->bodies[index] = std::move(made);
}

void add(void *pointer, int index)
{
	auto *self = static_cast<bullet_world *>(pointer);
	const rigid_body &body = self->scene->bodies[index];
	auto &form = self->shapes[body.shape];
	if (!form)
		form = make_shape(self->scene->shapes[body.shape]);
	add_body(self, index, form.get(), self->scene->shapes[body.shape], body.pose, body.velocity);
}

void *create(const rigid_scene *scene, int)
{
	auto *self = new bullet_world(scene);
	self->world.setGravity(btVector3(0, btScalar(scene->gravity), 0));
	for (int i = 0; i < scene->body_count; ++i)
		if (scene->bodies[i].birth_step <= 0)
			add(self, i);
	return self;
}

void destroy(void *pointer)
{
	auto *self = static_cast<bullet_world *>(pointer);
	for (auto &body : self->bodies)
		if (body)
			self->world.removeRigidBody(body.get());
	delete self;
}

void replace(void *pointer, const int *bodies, const rigid_shape *shapes, int count)
{
	auto *self = static_cast<bullet_world *>(pointer);
	for (int k = 0; k < count; ++k) {
		btRigidBody *old = self->bodies[bodies[k]].get();
		btTransform at = old->getWorldTransform();
		btVector3 v = old->getLinearVelocity();
		btQuaternion q = at.getRotation();
		rbl_transformd pose = { { at.getOrigin().x(), at.getOrigin().y(), at.getOrigin().z() },
			                    { q.x(), q.y(), q.z(), q.w() } };
		self->world.removeRigidBody(old);
		self->replaced[bodies[k]] = make_shape(shapes[k]);
		add_body(self, bodies[k], self->replaced[bodies[k]].get(), shapes[k], pose,
		         { v.x(), v.y(), v.z() });
	}
}

void step(void *pointer)
{
	auto *self = static_cast<bullet_world *>(pointer);
	self->world.stepSimulation(btScalar(self->scene->dt), 0);
}

void read(void *pointer, rigid_state *states)
{
	auto *self = static_cast<bullet_world *>(pointer);
	for (int i = 0; i < self->scene->body_count; ++i) {
		if (!self->bodies[i])
			continue;
		btTransform at = self->bodies[i]->getWorldTransform();
		btVector3 p = at.getOrigin(), v = self->bodies[i]->getLinearVelocity();
		btQuaternion q = at.getRotation();
		states[i].pose = { { p.x(), p.y(), p.z() }, { q.x(), q.y(), q.z(), q.w() } };
		states[i].velocity = { v.x(), v.y(), v.z() };
	}
}

} // namespace

extern "C" const world_engine world_bullet = { "bullet", 1,    create, destroy, add,    nullptr,
	                                           replace,  step, read,   nullptr, nullptr };
