// SPDX-License-Identifier: MIT
//
// The table of events of `rubble run`: what a sound designer or an effects artist needs besides the
// film. One row per event, the same columns for all; what an event does not have is empty. Objects
// are numbered as in the film; a fragment has a row of its own that names what it came from.

#include "run.h"

#include "errors.h"
#include "files.h"

#include <math.h>
#include <string.h>

// A row; NaN and -1 are empty.
typedef struct event_row {
	const char *event, *detail, *material;
	int object, other, fragments, dust;
	rbl_vec3 point, normal;
	float speed, impulse, energy, mass;
} event_row;

static const event_row empty_row = { .object = -1,
	                                 .other = -1,
	                                 .fragments = -1,
	                                 .dust = -1,
	                                 .point = { NAN, NAN, NAN },
	                                 .normal = { NAN, NAN, NAN },
	                                 .speed = NAN,
	                                 .impulse = NAN,
	                                 .energy = NAN,
	                                 .mass = NAN };

static bool is_json_table(const simulation *s)
{
	const char *dot = strrchr(s->options->events, '.');
	return dot && strcmp(dot, ".json") == 0;
}

static void put_text(simulation *s, const char *name, const char *text)
{
	if (is_json_table(s) && text)
		fprintf(s->events, ", \"%s\": \"%s\"", name, text);
	else if (!is_json_table(s))
		fprintf(s->events, ",%s", text ? text : "");
}

static void put_number(simulation *s, const char *name, double value)
{
	bool is_empty = isnan(value);
	if (is_json_table(s) && !is_empty)
		fprintf(s->events, ", \"%s\": %.9g", name, value);
	else if (!is_json_table(s) && is_empty)
		fprintf(s->events, ",");
	else if (!is_json_table(s))
		fprintf(s->events, ",%.9g", value);
}

static void put_count(simulation *s, const char *name, int value)
{
	put_number(s, name, value < 0 ? (double)NAN : (double)value);
}

static void put_row(simulation *s, const event_row *row)
{
	double time = (s->step + 1) * s->scene.dt;
	if (is_json_table(s))
		fprintf(s->events, "%s\n{\"time\": %.9g", s->event_count > 0 ? "," : "", time);
	else
		fprintf(s->events, "%.9g", time);
	put_count(s, "step", s->step);
	put_text(s, "event", row->event);
	put_text(s, "detail", row->detail);
	put_count(s, "object", row->object);
	put_count(s, "other", row->other);
	put_number(s, "x", (double)row->point.x);
	put_number(s, "y", (double)row->point.y);
	put_number(s, "z", (double)row->point.z);
	put_number(s, "normal_x", (double)row->normal.x);
	put_number(s, "normal_y", (double)row->normal.y);
	put_number(s, "normal_z", (double)row->normal.z);
	put_number(s, "speed", (double)row->speed);
	put_number(s, "impulse", (double)row->impulse);
	put_number(s, "energy", (double)row->energy);
	put_number(s, "mass", (double)row->mass);
	put_count(s, "fragments", row->fragments);
	put_count(s, "dust", row->dust);
	char name[300] = "";
	if (row->object >= 0 && row->object < s->object_count)
		object_name(s, row->object, name, sizeof name);
	put_text(s, "name", name[0] ? name : NULL);
	char made_of[RBL_MAX_MATERIAL_NAME] = "";
	snprintf(made_of, sizeof made_of, "%s", row->material ? row->material : "");
	for (char *c = made_of; *c; ++c)
		if ((unsigned char)*c < ' ' || *c == '"' || *c == ',' || *c == '\\')
			*c = '_';
	put_text(s, "material", made_of[0] ? made_of : NULL);
	fprintf(s->events, is_json_table(s) ? "}" : "\n");
	s->event_count++;
}

int begin_events(simulation *s)
{
	s->events = create_file(s->options->events);
	if (!s->events)
		return STATUS_FAILED;
	fprintf(s->events, is_json_table(s)
	                       ? "["
	                       : "time,step,event,detail,object,other,x,y,z,normal_x,normal_y,"
	                         "normal_z,speed,impulse,energy,mass,fragments,dust,name,material\n");
	return STATUS_OK;
}

int end_events(simulation *s)
{
	if (is_json_table(s))
		fprintf(s->events, "\n]\n");
	return close_file(s->events, s->options->events);
}

// --- events -------------------------------------------------------------------------------------

static int object_of(const simulation *s, rbl_body_id body)
{
	return rbl_body_id_is_null(body) ? -1 : find_object(s, body);
}

static void put_hit(simulation *s, const rbl_hit_event *hit)
{
	event_row row = empty_row;
	row.event = "hit";
	row.object = object_of(s, hit->body_a), row.other = object_of(s, hit->body_b);
	row.point = hit->point, row.normal = hit->normal;
	row.speed = hit->speed, row.impulse = hit->impulse, row.energy = hit->energy;
	put_row(s, &row);
}

// What the first part of a body is made of; NULL: of nothing that has a name.
static const char *material_of_body(const simulation *s, rbl_body_id body)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, body);
	const rbl_material *material = NULL;
	int end = compound ? rbl_compound_get_info(compound).part_end : 0;
	for (int i = 0; i < end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		if (!part.convex)
			continue;
		material = rbl_compound_get_material(compound, part.material);
		break;
	}
	material = material ? material : rbl_body_get_shared_material(s->world, body);
	return material ? rbl_material_name(material) : NULL;
}

// A fragment has no object yet: it gets the next number when the film follows.
static void put_fracture(simulation *s, const rbl_fracture_event *event, int *next_object)
{
	static const char *const causes[] = { "hit", "blow", "load", "bend", "wear", "cut" };
	int parent = object_of(s, event->parent);
	event_row row = empty_row;
	row.event = "fracture";
	row.detail = causes[event->cause];
	row.object = parent, row.other = object_of(s, event->other);
	row.point = event->point, row.normal = event->normal;
	row.energy = event->energy;
	row.fragments = event->new_count, row.dust = event->dust_count;
	row.material = event->made_of ? rbl_material_name(event->made_of) : NULL;
	put_row(s, &row);
	for (int i = 0; i < event->new_count && parent >= 0; ++i) {
		rbl_body_id body = event->new_bodies[i];
		if (!rbl_body_exists(s->world, body))
			continue;
		rbl_body_mass mass = rbl_body_get_mass(s->world, body);
		row = empty_row;
		row.event = "fragment";
		row.material = material_of_body(s, body);
		row.object = (*next_object)++, row.other = parent;
		row.point = rbl_body_pose(s->world, body).position;
		row.mass = mass.mass;
		put_row(s, &row);
	}
}

static void put_retirement(simulation *s, const rbl_retire_event *event)
{
	static const char *const names[] = {
		[RBL_RETIRED_FROZEN] = "frozen",     [RBL_RETIRED_UNFROZEN] = "unfrozen",
		[RBL_RETIRED_REMOVED] = "removed",   [RBL_RETIRED_BAKED] = "baked",
		[RBL_RETIRED_RELEASED] = "released", [RBL_RETIRED_EXPIRED] = "expired",
	};
	event_row row = empty_row;
	row.event = names[event->what];
	row.object = event->user < (uint64_t)s->object_count ? (int)event->user : -1;
	row.point = event->pose.position;
	row.mass = event->mass;
	put_row(s, &row);
}

void write_events(simulation *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	int next_object = s->object_count;
	for (int i = 0; i < events.hit_count; ++i)
		put_hit(s, &events.hits[i]);
	for (int i = 0; i < events.fracture_count; ++i)
		put_fracture(s, &events.fractures[i], &next_object);
	for (int i = 0; i < events.joint_count; ++i) {
		event_row row = empty_row;
		row.event = "joint_break";
		row.object = object_of(s, events.joints[i].body_a);
		row.other = object_of(s, events.joints[i].body_b);
		put_row(s, &row);
	}
	for (int i = 0; i < events.retire_count; ++i)
		put_retirement(s, &events.retires[i]);
	for (int i = 0; i < events.sensor_count; ++i) {
		event_row row = empty_row;
		row.event = events.sensors[i].is_inside ? "enter" : "leave";
		row.object = object_of(s, events.sensors[i].sensor);
		row.other = object_of(s, events.sensors[i].visitor);
		put_row(s, &row);
	}
}
