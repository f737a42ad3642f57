// SPDX-License-Identifier: MIT
//
// Section 4.2 of Glondu et al. 2014, after Heidelberger et al. Nodes of cut tetrahedra start with
// the distance from the planes that cut these; then a front passes over edges within fragments
// until no distance shrinks by a micrometre. A node is averaged once per step.

#include "field_literal.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

bool literal_open(literal_field *field, const rbl_tets_data *data, const float *surface,
                  const rbl_vec3 *directions)
{
	size_t n = (size_t)data->vertex_count;
	*field = (literal_field){ .node_count = data->vertex_count,
		                      .tet_count = data->tet_count,
		                      .data = data,
		                      .surface = surface,
		                      .directions = directions };
	field->nodes = malloc(n * sizeof *field->nodes);
	field->edge_starts = calloc(n + 1, sizeof *field->edge_starts);
	field->edges = malloc(12 * (size_t)data->tet_count * sizeof *field->edges);
	field->distances = malloc(n * sizeof *field->distances);
	field->normals = malloc(n * sizeof *field->normals);
	field->witnesses = malloc(n * sizeof *field->witnesses);
	field->front = malloc(n * sizeof *field->front);
	field->next = malloc(n * sizeof *field->next);
	field->steps = malloc(n * sizeof *field->steps);
	field->tried = malloc(n * sizeof *field->tried);
	if (!field->nodes || !field->edge_starts || !field->edges || !field->distances ||
	    !field->normals || !field->witnesses || !field->front || !field->next || !field->steps ||
	    !field->tried)
		return false;
	for (int i = 0; i < field->node_count; ++i)
		field->nodes[i] = rbl_to_f(data->positions[i]);
	// Neighbours with repetitions, then without.
	for (int i = 0; i < 4 * data->tet_count; ++i)
		field->edge_starts[data->tet_vertices[i] + 1] += 3;
	for (int i = 0; i < field->node_count; ++i)
		field->edge_starts[i + 1] += field->edge_starts[i];
	for (int i = 0; i < 4 * data->tet_count; ++i)
		for (int k = 0; k < 4; ++k)
			if (k != i % 4)
				field->edges[field->edge_starts[data->tet_vertices[i]]++] =
					data->tet_vertices[i / 4 * 4 + k];
	for (int i = field->node_count; i > 0; --i)
		field->edge_starts[i] = field->edge_starts[i - 1];
	field->edge_starts[0] = 0;
	int n_kept = 0;
	for (int i = 0; i < field->node_count; ++i) {
		int begin = field->edge_starts[i], end = field->edge_starts[i + 1], first = n_kept;
		field->edge_starts[i] = first;
		for (int k = begin; k < end; ++k) {
			bool is_known = false;
			for (int j = first; j < n_kept && !is_known; ++j)
				is_known = field->edges[j] == field->edges[k];
			if (!is_known)
				field->edges[n_kept++] = field->edges[k];
		}
	}
	field->edge_starts[field->node_count] = n_kept;
	return true;
}

void literal_close(literal_field *field)
{
	free(field->nodes);
	free(field->edge_starts);
	free(field->edges);
	free(field->distances);
	free(field->normals);
	free(field->witnesses);
	free(field->front);
	free(field->next);
	free(field->steps);
	free(field->tried);
	*field = (literal_field){ 0 };
}

// Nodes of cut tetrahedra, with the nearest of their planes. @return how many are in the front
static int start(literal_field *field, const crack_input *input)
{
	memcpy(field->distances, field->surface, (size_t)field->node_count * sizeof(float));
	memcpy(field->normals, field->directions, (size_t)field->node_count * sizeof(rbl_vec3));
	for (int i = 0; i < field->node_count; ++i)
		field->witnesses[i] = field->steps[i] = field->tried[i] = -1;
	int count = 0;
	field->update_count = 0;
	for (int i = 0; i < input->cut_count; ++i) {
		const rbl_crack_cut *cut = &input->cuts[i];
		for (int k = 0; k < 4 && cut->plane >= 0; ++k) {
			int node = field->data->tet_vertices[4 * cut->tet + k], part = input->node_parts[node];
			if (part != cut->back && part != cut->front)
				continue;
			rbl_plane plane = input->planes[cut->plane];
			float distance = fabsf(rbl_plane_distance(plane, field->nodes[node]));
			if (distance >= field->distances[node])
				continue;
			field->distances[node] = distance;
			field->normals[node] = part == cut->back ? plane.normal : rbl_neg(plane.normal);
			field->witnesses[node] = cut->plane;
			if (field->steps[node] < 0)
				field->front[count++] = node;
			field->steps[node] = 0;
		}
	}
	return count;
}

// Equations 1 and 2 over the neighbours that were reached in the last step.
static bool average(literal_field *field, const int *parts, int node, int step, float *distance,
                    rbl_vec3 *normal)
{
	float sum = 0.0f, weights = 0.0f;
	rbl_vec3 direction = { 0.0f, 0.0f, 0.0f }, p = field->nodes[node];
	for (int k = field->edge_starts[node]; k < field->edge_starts[node + 1]; ++k) {
		int other = field->edges[k];
		if (field->steps[other] != step || parts[other] != parts[node])
			continue;
		rbl_vec3 to = rbl_sub(field->nodes[other], p);
		float weight = 1.0f / rbl_dot(to, to);
		sum += weight * (field->distances[other] + rbl_dot(field->normals[other], to));
		weights += weight;
		direction = rbl_add_scaled(direction, weight, field->normals[other]);
	}
	if (weights == 0.0f)
		return false;
	*distance = sum / weights;
	*normal = rbl_normalize(direction);
	return true;
}

static void swap_fronts(literal_field *field)
{
	int *swap = field->front;
	field->front = field->next;
	field->next = swap;
}

void literal_update(literal_field *field, const crack_input *input)
{
	const int *parts = input->node_parts;
	int count = start(field, input);
	for (int step = 0; count > 0 && step < 1000; ++step) {
		int reached = 0;
		for (int i = 0; i < count; ++i) {
			int node = field->front[i];
			for (int k = field->edge_starts[node]; k < field->edge_starts[node + 1]; ++k) {
				int other = field->edges[k];
				float distance;
				rbl_vec3 normal;
				if (parts[other] != parts[node] || field->tried[other] == step ||
				    field->steps[other] >= step)
					continue;
				field->tried[other] = step;
				if (!average(field, parts, other, step, &distance, &normal) ||
				    !(distance < field->distances[other] - 1e-6f))
					continue;
				field->distances[other] = distance;
				field->normals[other] = normal;
				field->steps[other] = step + 1;
				field->next[reached++] = other;
				field->update_count++;
			}
		}
		count = reached;
		swap_fronts(field);
	}
}

void literal_update_witnesses(literal_field *field, const crack_input *input)
{
	const int *parts = input->node_parts;
	int count = start(field, input);
	for (int step = 0; count > 0; ++step) {
		int reached = 0;
		for (int i = 0; i < count; ++i) {
			int node = field->front[i], witness = field->witnesses[node];
			if (witness < 0)
				continue;
			rbl_plane plane = input->planes[witness];
			for (int k = field->edge_starts[node]; k < field->edge_starts[node + 1]; ++k) {
				int other = field->edges[k];
				float distance = fabsf(rbl_plane_distance(plane, field->nodes[other]));
				if (parts[other] != parts[node] || !(distance < field->distances[other]))
					continue;
				field->distances[other] = distance;
				field->witnesses[other] = witness;
				if (field->steps[other] != step + 1)
					field->next[reached++] = other;
				field->steps[other] = step + 1;
				field->update_count++;
			}
		}
		count = reached;
		swap_fronts(field);
	}
}
