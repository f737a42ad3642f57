// SPDX-License-Identifier: MIT
//
// The cloths of a scene: made with its bodies, moved after each step of the world, and shown.
//
// A film has no vertices that move by themselves: morph targets would need one for each frame, and
// viewers blend a few at most. So a cloth is a mesh for each frame, which is shown until the next
// one. A sheet that rests keeps the mesh that it has.

#include "run.h"

#include "array.h"
#include "errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float SEEN_MOTION = 0.002f; // metres that a point moves before a sheet is shown anew

// The body of an instance that is nearest to a point.
static rbl_body_id nearest_body(const simulation *s, int instance, rbl_vec3 point)
{
	rbl_body_id best = { 0, 0 };
	float nearest = INFINITY;
	for (int i = s->first_objects[instance]; i < s->first_objects[instance + 1]; ++i) {
		rbl_world_hit hit;
		if (rbl_body_closest_point(s->world, s->objects[i].body, point, &hit) &&
		    hit.distance < nearest)
			nearest = hit.distance, best = s->objects[i].body;
	}
	return best;
}

// Hold the particles along a line of a sheet.
static rbl_result add_pin(simulation *s, const scene_cloth *of, const scene_pin *pin, int first)
{
	double columns = fabs(pin->to[0] - pin->from[0]) * of->columns;
	double rows = fabs(pin->to[1] - pin->from[1]) * of->rows;
	int spans = pin->count > 0 ? pin->count - 1 : (int)floor(fmax(columns, rows) + 0.5);
	rbl_result result = RBL_OK;
	for (int i = 0; i <= spans && result == RBL_OK; ++i) {
		double share = spans > 0 ? (double)i / spans : 0.0;
		double u = pin->from[0] + share * (pin->to[0] - pin->from[0]);
		double v = pin->from[1] + share * (pin->to[1] - pin->from[1]);
		int column = (int)floor(u * of->columns + 0.5), row = (int)floor(v * of->rows + 0.5);
		int particle = first + row * (of->columns + 1) + column;
		rbl_body_id body = { 0, 0 };
		if (pin->instance >= 0)
			body = nearest_body(s, pin->instance, cloth_get_data(s->cloth).positions[particle]);
		result = cloth_pin(s->cloth, particle, body, pin->releases);
	}
	return result;
}

static rbl_result add_sheet(simulation *s, const scene_cloth *of)
{
	cloth_sheet_def def = cloth_default_sheet_def();
	def.pose = (rbl_transform){ vector_of(of->position), rotation_of(of->rotation) };
	for (int k = 0; k < 2; ++k)
		def.size[k] = (float)of->size[k];
	def.cells[0] = of->columns, def.cells[1] = of->rows;
	def.thickness = (float)of->thickness;
	def.density = (float)of->density;
	def.stiffness = (float)of->stiffness;
	def.bending = (float)of->bending;
	def.friction = (float)of->friction;
	def.tear_strain = (float)of->tear_strain;
	int first = 0;
	rbl_result result = cloth_add_sheet(s->cloth, &def, &first);
	for (int i = 0; i < of->pin_count && result == RBL_OK; ++i)
		result = add_pin(s, of, &of->pins[i], first);
	return result;
}

// What sheets look like, from both sides.
static rbl_result add_cloth_looks(simulation *s)
{
	int count = s->scene.cloth_count;
	rbl_scene_material *materials = calloc((size_t)count, sizeof *materials);
	if (!materials)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		rbl_vec3 color = vector_of(s->scene.cloths[i].color);
		materials[i] = rbl_default_scene_material();
		materials[i].name = *s->scene.cloths[i].name ? s->scene.cloths[i].name : "cloth";
		materials[i].base_color = (rbl_vec4){ color.x, color.y, color.z, 1.0f };
		materials[i].metallic = 0.0f, materials[i].roughness = 0.9f;
		materials[i].is_double_sided = true;
	}
	rbl_scene looks = { .material_count = count, .materials = materials };
	rbl_result result = rbl_film_add_materials(s->film, &looks, &s->cloth_looks);
	free(materials);
	return result;
}

static cloth_def cloths_def(const simulation *s)
{
	cloth_def def = cloth_default_def();
	def.gravity = vector_of(s->scene.gravity);
	def.wind = vector_of(s->scene.wind);
	def.jobs = s->jobs;
	return def;
}

rbl_result begin_cloths(simulation *s)
{
	if (s->scene.cloth_count == 0)
		return RBL_OK;
	s->shown_cloths = calloc((size_t)s->scene.cloth_count, sizeof *s->shown_cloths);
	if (!s->shown_cloths)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < s->scene.cloth_count; ++i)
		s->shown_cloths[i].film_object = -1;
	cloth_def def = cloths_def(s);
	rbl_result result = cloth_create(&def, s->world, &s->cloth);
	for (int i = 0; i < s->scene.cloth_count && result == RBL_OK; ++i)
		result = add_sheet(s, &s->scene.cloths[i]);
	if (result == RBL_OK && s->film)
		result = add_cloth_looks(s);
	return result == RBL_OK && s->film ? film_cloths(s) : result;
}

rbl_result load_cloths(const simulation *s, const void *bytes, size_t size, rbl_world *world,
                       cloth **made)
{
	cloth_def def = cloths_def(s);
	return cloth_load(bytes, size, &def, world, made);
}

rbl_result cut_cloths(simulation *s, const scene_trigger *of)
{
	rbl_vec3 handle = vector_of(of->position);
	return s->cloth ? cloth_cut(s->cloth, handle, rbl_add(handle, vector_of(of->translation)),
	                            rbl_add(handle, vector_of(of->sweep)), NULL)
	                : RBL_OK;
}

void end_cloths(simulation *s)
{
	for (int i = 0; i < s->scene.cloth_count && s->shown_cloths; ++i)
		free(s->shown_cloths[i].positions);
	free(s->shown_cloths);
	cloth_destroy(s->cloth);
	s->shown_cloths = NULL, s->cloth = NULL;
}

// --- the film -----------------------------------------------------------------------------------

// Whether a sheet looks as it was shown last; if not, note how it looks now.
static rbl_result note_shape(simulation *s, int sheet, bool *has_changed)
{
	shown_cloth *shown = &s->shown_cloths[sheet];
	cloth_data data = cloth_get_data(s->cloth);
	int count = 0;
	*has_changed = shown->film_object < 0;
	for (int p = 0; p < data.particle_count; ++p) {
		if (data.particle_sheets[p] != sheet)
			continue;
		*has_changed = *has_changed || count >= shown->count ||
		               rbl_distance(shown->positions[count], data.positions[p]) > SEEN_MOTION;
		count++;
	}
	if (!*has_changed)
		return RBL_OK;
	rbl_vec3 *positions = realloc(shown->positions, ((size_t)count + 1) * sizeof *positions);
	if (!positions)
		return RBL_OUT_OF_MEMORY;
	shown->positions = positions, shown->count = 0;
	for (int p = 0; p < data.particle_count; ++p)
		if (data.particle_sheets[p] == sheet)
			positions[shown->count++] = data.positions[p];
	return RBL_OK;
}

// The arrays of the mesh of a sheet.
typedef struct sheet_mesh {
	rbl_vec3d *positions;
	int *numbers; // by particle
	int *corners, *starts;
	rbl_vec3 *normals;
} sheet_mesh;

static rbl_result create_sheet_mesh(const simulation *s, int sheet, sheet_mesh *m, rbl_mesh **mesh)
{
	cloth_data data = cloth_get_data(s->cloth);
	int vertices = 0, triangles = 0;
	for (int p = 0; p < data.particle_count; ++p)
		if (data.particle_sheets[p] == sheet) {
			m->positions[vertices] = rbl_to_d(data.positions[p]);
			m->numbers[p] = vertices++;
		}
	for (int t = 0; t < data.triangle_count; ++t) {
		if (data.triangle_sheets[t] != sheet)
			continue;
		m->starts[triangles] = 3 * triangles;
		for (int k = 0; k < 3; ++k)
			m->corners[3 * triangles + k] = m->numbers[data.triangles[3 * t + k]];
		triangles++;
		m->starts[triangles] = 3 * triangles;
	}
	const scene_cloth *of = &s->scene.cloths[sheet];
	rbl_vec3 color = vector_of(of->color);
	rbl_mesh_material material = { .base_color = { color.x, color.y, color.z, 1.0f },
		                           .roughness = 0.9f,
		                           .source = s->cloth_looks + 1 + sheet };
	snprintf(material.name, sizeof material.name, "%.*s", (int)sizeof material.name - 1,
	         *of->name ? of->name : "cloth");
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = vertices,
		                        .positions = m->positions,
		                        .face_count = triangles,
		                        .face_starts = m->starts,
		                        .corner_count = 3 * triangles,
		                        .corner_vertices = m->corners,
		                        .material_count = 1,
		                        .materials = &material };
	rbl_mesh *flat = NULL;
	rbl_result result = rbl_create_mesh(&def, &flat);
	if (result == RBL_OK)
		result = rbl_mesh_compute_normals(flat, 3.0f, m->normals);
	def.data.corner_normals = m->normals;
	if (result == RBL_OK)
		result = rbl_create_mesh(&def, mesh);
	rbl_destroy_mesh(flat);
	return result;
}

static rbl_result show_sheet(simulation *s, int sheet)
{
	cloth_data data = cloth_get_data(s->cloth);
	size_t vertices = (size_t)data.particle_count, corners = 3 * (size_t)data.triangle_count;
	sheet_mesh m = { malloc(vertices * sizeof *m.positions), malloc(vertices * sizeof *m.numbers),
		             malloc(corners * sizeof *m.corners), malloc((corners + 1) * sizeof *m.starts),
		             malloc(corners * sizeof *m.normals) };
	rbl_result result = RBL_OUT_OF_MEMORY;
	rbl_mesh *mesh = NULL;
	int film_mesh, object;
	if (m.positions && m.numbers && m.corners && m.starts && m.normals)
		result = create_sheet_mesh(s, sheet, &m, &mesh);
	free(m.positions), free(m.numbers), free(m.corners), free(m.starts), free(m.normals);
	if (result == RBL_OK)
		result = rbl_film_add_mesh(s->film, mesh, &film_mesh);
	if (result == RBL_OK)
		result = rbl_film_add_object(s->film, film_mesh, rbl_transform_identity(), &object);
	shown_cloth *shown = &s->shown_cloths[sheet];
	if (result != RBL_OK)
		return result;
	if (shown->film_object >= 0)
		rbl_film_remove(s->film, shown->film_object);
	shown->film_object = object;
	char name[SCENE_NAME_LENGTH + 40];
	const char *base = s->scene.cloths[sheet].name;
	snprintf(name, sizeof name, "%s%s%d shape %d", *base ? base : "cloth", *base ? "." : " ", sheet,
	         shown->shape_count++);
	return rbl_film_set_name(s->film, object, name);
}

rbl_result film_cloths(simulation *s)
{
	rbl_result result = RBL_OK;
	for (int i = 0; s->cloth && i < s->scene.cloth_count && result == RBL_OK; ++i) {
		bool has_changed;
		result = note_shape(s, i, &has_changed);
		if (result == RBL_OK && has_changed)
			result = show_sheet(s, i);
	}
	return result;
}

uint64_t run_hash(const simulation *s)
{
	uint64_t hash = rbl_world_hash(s->world);
	return s->cloth ? hash ^ (cloth_hash(s->cloth) * UINT64_C(0x9e3779b97f4a7c15)) : hash;
}
