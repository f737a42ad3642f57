// SPDX-License-Identifier: MIT
//
// The field of a fragment: planes, polygons and a box, gathered into one block.
//
// What the box makes superfluous is left out: a plane that all of the box is behind is nowhere
// nearer than the box's own faces, and neither is a polygon outside of it.

#include "field/fragment_field.h"

#include "base/log.h"
#include "field/field_kernels.h"

enum { FRAGMENT_COOKIE = 0x66726167, MAX_ITEMS = 1 << 24, MOST_CORNERS = 128 };

// --- the field as a thing -----------------------------------------------------------------------

static void correct_points(const rbl_fragment_field *field, const rbl_vec3 *points, int count,
                           float *distances, float *bounds, rbl_vec3 *gradients)
{
	for (int i = 0; i < count; ++i) {
		if (!(distances[i] < FLT_MAX))
			continue;
		rbl_vec3 p = rbl_add(rbl_mat_vec(field->rotation, points[i]), field->translation);
		rbl_vec3 gradient = { 0.0f, 0.0f, 0.0f };
		rbl_field_occupancy_correct(&field->occupancy, p, &distances[i], &bounds[i], &gradient);
		if (gradients && rbl_dot(gradient, gradient) > 0.0f)
			gradients[i] = rbl_mat_vec(rbl_mat_transpose(field->rotation), gradient);
	}
}

static void evaluate_fragment(const rbl_distance_field *head, const rbl_vec3 *points, int count,
                              float *distances, float *bounds, rbl_vec3 *gradients)
{
	const rbl_fragment_field *field = (const rbl_fragment_field *)head;
	RBL_PICK(rbl_fragment_field_evaluate)(field, points, count, distances, bounds, gradients);
	if (field->occupancy.distances)
		correct_points(field, points, count, distances, bounds, gradients);
}

static void destroy_fragment(rbl_distance_field *head)
{
	rbl_fragment_field *field = (rbl_fragment_field *)head;
	rbl_allocator allocator = head->allocator;
	rbl_field_occupancy_destroy(&field->occupancy, &allocator);
	rbl_release(&allocator, field, field->size, 1);
}

static const rbl_distance_field_kind fragment_kind = { evaluate_fragment, destroy_fragment };

const rbl_fragment_field *rbl_as_fragment_field(const rbl_distance_field *field)
{
	return field && field->kind == &fragment_kind ? (const rbl_fragment_field *)field : NULL;
}

// --- what is asked for --------------------------------------------------------------------------

rbl_fragment_field_def rbl_default_fragment_field_def(void)
{
	return (rbl_fragment_field_def){ .transform = rbl_transform_identity(),
		                             .box = rbl_box_empty(),
		                             .cookie = FRAGMENT_COOKIE };
}

static bool is_good_plane(rbl_plane plane)
{
	float square = rbl_dot(plane.normal, plane.normal);
	return square > 0.998f && square < 1.002f && isfinite(plane.offset);
}

// Starts from 0 on, each list with `least` items or more.
static bool are_good_starts(const int *starts, int count, int least)
{
	if (!starts || starts[0] != 0)
		return false;
	for (int i = 0; i < count; ++i)
		if (starts[i + 1] < starts[i] || starts[i + 1] - starts[i] < least)
			return false;
	return starts[count] <= MAX_ITEMS;
}

static bool are_finite(const rbl_vec3 *points, int count)
{
	for (int i = 0; i < count; ++i)
		if (!rbl_is_finite(points[i]))
			return false;
	return true;
}

static rbl_result check_union(const rbl_cell_union *u, int index)
{
	if (u->cell_count < 1 || u->cell_count > MAX_ITEMS || u->polygon_count < 0 ||
	    u->polygon_count > MAX_ITEMS)
		return rbl_fail(RBL_BAD_ARGUMENT, "union %d has %d cells and %d polygons", index,
		                u->cell_count, u->polygon_count);
	if (!are_good_starts(u->plane_starts, u->cell_count, 1) || !u->planes)
		return rbl_fail(RBL_BAD_ARGUMENT, "union %d has a cell without planes", index);
	for (int i = 0; i < u->plane_starts[u->cell_count]; ++i)
		if (!is_good_plane(u->planes[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "plane %d of union %d has no unit normal", i, index);
	for (int i = 0; u->cell_boxes && i < u->cell_count; ++i)
		if (!rbl_box_is_valid(u->cell_boxes[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "box %d of union %d is empty or not finite", i,
			                index);
	if (u->polygon_count > 0 &&
	    (!are_good_starts(u->corner_starts, u->polygon_count, 3) || !u->corners))
		return rbl_fail(RBL_BAD_ARGUMENT, "union %d has a polygon of less than three corners",
		                index);
	if (u->polygon_count > 0 && !are_finite(u->corners, u->corner_starts[u->polygon_count]))
		return rbl_fail(RBL_BAD_ARGUMENT, "a corner of union %d is not finite", index);
	return RBL_OK;
}

static rbl_result check_triangles(rbl_triangle_list list, const char *name)
{
	if (list.triangle_count < 0 || list.triangle_count > MAX_ITEMS)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s has %d triangles", name, list.triangle_count);
	if (list.triangle_count > 0 &&
	    (!list.corners || !are_finite(list.corners, 3 * list.triangle_count)))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s has corners that are NULL or not finite", name);
	return RBL_OK;
}

static rbl_result check_fragment_def(const rbl_fragment_field_def *def)
{
	if (!def || def->cookie != FRAGMENT_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_fragment_field_def()");
	if (def->without_original && (def->original || def->surface.triangle_count > 0))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is given, without_original too",
		                def->original ? "original" : "surface");
	if (!def->without_original && !rbl_as_asset_field(def->original))
		return rbl_fail(RBL_BAD_ARGUMENT, "original is %s",
		                def->original ? "not the field of a mesh" : "NULL");
	rbl_quat q = def->transform.rotation;
	float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	if (!rbl_is_finite(def->transform.position) || !(square > 0.998f && square < 1.002f))
		return rbl_fail(RBL_BAD_ARGUMENT, "transform is not finite, or its rotation is none");
	if (!rbl_box_is_valid(def->box))
		return rbl_fail(RBL_BAD_ARGUMENT, "box is empty or not finite");
	if (def->plane_count < 0 || def->plane_count > MAX_ITEMS || def->union_count < 0 ||
	    def->union_count > MAX_ITEMS)
		return rbl_fail(RBL_BAD_ARGUMENT, "plane_count is %d, union_count %d", def->plane_count,
		                def->union_count);
	if ((def->plane_count > 0 && !def->planes) || (def->union_count > 0 && !def->unions))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", def->planes ? "unions" : "planes");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	for (int i = 0; i < def->plane_count; ++i)
		if (!is_good_plane(def->planes[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "plane %d has no unit normal", i);
	rbl_result result = RBL_OK;
	for (int i = 0; i < def->union_count && result == RBL_OK; ++i)
		result = check_union(&def->unions[i], i);
	if (result == RBL_OK)
		result = check_triangles(def->surface, "surface");
	return result == RBL_OK ? check_triangles(def->others, "others") : result;
}

// --- gathering ----------------------------------------------------------------------------------

// Counts of what is kept, and where it goes once there is room.
typedef struct gathering {
	const rbl_fragment_field_def *def;
	rbl_vec3 centre, half; // of the box
	float margin;          // what touches the box within this is in it
	int plane_count, union_count, cell_count, box_count, cell_plane_count;
	int polygon_count, ball_count, edge_count;
	rbl_plane *planes; // this and the others NULL while counting
	rbl_field_union *unions;
	rbl_field_cell *cells;
	rbl_field_boxes *boxes;
	rbl_field_planes *cell_planes;
	rbl_field_polygon *polygons;
	rbl_field_balls *balls;
	rbl_field_edges *edges;
} gathering;

static rbl_plane unit_plane(rbl_plane plane)
{
	double inverse = 1.0 / rbl_length_d(rbl_to_d(plane.normal));
	return (rbl_plane){ rbl_to_f(rbl_scale_d(inverse, rbl_to_d(plane.normal))),
		                (float)((double)plane.offset * inverse) };
}

// Blocks that hold some items.
static int block_count(int items)
{
	return (items + RBL_FIELD_BLOCK - 1) / RBL_FIELD_BLOCK;
}

static void put_vec3(float block[3][RBL_FIELD_BLOCK], int k, rbl_vec3 v)
{
	block[0][k] = v.x, block[1][k] = v.y, block[2][k] = v.z;
}

// How far the box reaches beyond a plane at most; and with `sign` -1, how far it is beyond it at
// least.
static float reach_beyond(const gathering *g, rbl_plane plane, float sign)
{
	rbl_vec3 n = plane.normal;
	float half = fabsf(n.x) * g->half.x + fabsf(n.y) * g->half.y + fabsf(n.z) * g->half.z;
	return rbl_dot(n, g->centre) - plane.offset + sign * half;
}

// A cell that the box lies outside of is left out; planes that the box is behind as well.
// @param box  around the cell, or NULL
// @return whether the box lies in the cell
static bool gather_cell(gathering *g, const rbl_plane *planes, int count, const rbl_box *box,
                        int first_cell, int first_box)
{
	rbl_box around = rbl_box_grow(g->def->box, g->margin);
	for (int i = 0; i < count; ++i)
		if (reach_beyond(g, planes[i], -1.0f) > g->margin)
			return false;
	if (box && !rbl_box_overlaps(*box, around))
		return false;
	int kept = 0;
	for (int i = 0; i < count; ++i) {
		if (reach_beyond(g, planes[i], 1.0f) < -g->margin)
			continue;
		if (g->cell_planes) {
			rbl_field_planes *block = &g->cell_planes[g->cell_plane_count + kept / RBL_FIELD_BLOCK];
			rbl_plane plane = unit_plane(planes[i]);
			put_vec3(block->normal, kept % RBL_FIELD_BLOCK, plane.normal);
			block->offset[kept % RBL_FIELD_BLOCK] = plane.offset;
		}
		kept++;
	}
	int first = g->cell_plane_count, index = g->cell_count - first_cell;
	g->cell_plane_count += block_count(kept);
	g->box_count = first_box + block_count(index + 1);
	if (g->cells) {
		rbl_field_boxes *block = &g->boxes[first_box + index / RBL_FIELD_BLOCK];
		rbl_box grown = box ? rbl_box_grow(*box, g->margin) : around;
		g->cells[g->cell_count] = (rbl_field_cell){ first, g->cell_plane_count };
		put_vec3(block->lower, index % RBL_FIELD_BLOCK, rbl_max(grown.lower, around.lower));
		put_vec3(block->upper, index % RBL_FIELD_BLOCK, rbl_min(grown.upper, around.upper));
	}
	g->cell_count++;
	return kept == 0;
}

static void make_edge(rbl_field_edges *block, int k, rbl_vec3d from, rbl_vec3d to, rbl_vec3d normal)
{
	rbl_vec3d along = rbl_sub_d(to, from);
	double square = rbl_dot_d(along, along);
	put_vec3(block->from, k, rbl_to_f(from));
	put_vec3(block->along, k, rbl_to_f(along));
	put_vec3(block->side, k, rbl_to_f(rbl_normalize_d(rbl_cross_d(normal, along))));
	block->inverse_square[k] = square > 1e-37 ? (float)(1.0 / square) : 0.0f;
}

// The ball around the corners of a polygon.
static rbl_vec3 ball_around(const rbl_vec3 *corners, int count, float *radius)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < count; ++i)
		box = rbl_box_add_point(box, corners[i]);
	rbl_vec3 centre = rbl_box_centre(box);
	float square = 0.0f;
	for (int i = 0; i < count; ++i)
		square = rbl_maxf(square, rbl_length_squared(rbl_sub(corners[i], centre)));
	*radius = sqrtf(square) * (1.0f + 8.0f * FLT_EPSILON);
	return centre;
}

// Leave out corners that are next to the one before, or on the line to the next: of an edge that
// is hardly longer than rounding nobody knows where it leads. A convex polygon loses no more than
// the margin by it.
// @param kept  receives their indices; room for `count`, at most MOST_CORNERS
static int keep_corners(const gathering *g, const rbl_vec3 *corners, int count, int *kept)
{
	const double least = 32.0 * (double)g->margin;
	int n = 0;
	for (int i = 0; i < count; ++i) {
		rbl_vec3d p = rbl_to_d(corners[i]);
		if (n > 0 && rbl_distance_d(p, rbl_to_d(corners[kept[n - 1]])) < least)
			continue;
		kept[n++] = i;
	}
	while (n > 3 && rbl_distance(corners[kept[0]], corners[kept[n - 1]]) < (float)least)
		n--;
	for (int i = 0; i < n && n > 3;) {
		rbl_vec3d before = rbl_to_d(corners[kept[(i + n - 1) % n]]), p = rbl_to_d(corners[kept[i]]);
		rbl_vec3d along = rbl_sub_d(rbl_to_d(corners[kept[(i + 1) % n]]), before);
		rbl_vec3d off = rbl_cross_d(along, rbl_sub_d(p, before));
		if (rbl_length_d(off) > (double)g->margin * rbl_length_d(along)) {
			++i;
			continue;
		}
		for (int k = i; k + 1 < n; ++k)
			kept[k] = kept[k + 1];
		n--;
	}
	return n;
}

static void make_polygon(gathering *g, const rbl_vec3 *corners, int count)
{
	rbl_vec3d first = rbl_to_d(corners[0]), normal = { 0.0, 0.0, 0.0 };
	for (int i = 1; i + 1 < count; ++i)
		normal = rbl_add_d(normal, rbl_cross_d(rbl_sub_d(rbl_to_d(corners[i]), first),
		                                       rbl_sub_d(rbl_to_d(corners[i + 1]), first)));
	normal = rbl_normalize_d(normal);
	double offset = 0.0;
	for (int i = 0; i < count; ++i) {
		rbl_vec3d from = rbl_to_d(corners[i]), to = rbl_to_d(corners[(i + 1) % count]);
		offset += rbl_dot_d(normal, from) / count;
		make_edge(&g->edges[g->edge_count + i / RBL_FIELD_BLOCK], i % RBL_FIELD_BLOCK, from, to,
		          normal);
	}
	g->polygons[g->polygon_count] = (rbl_field_polygon){ { rbl_to_f(normal), (float)offset },
		                                                 g->edge_count,
		                                                 g->edge_count + block_count(count) };
}

// A polygon that is outside of the box, or of the original, is nowhere the nearest of what is
// inside.
static void gather_polygon(gathering *g, const rbl_vec3 *corners, int count, int first_polygon,
                           int first_ball)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < count; ++i)
		box = rbl_box_add_point(box, corners[i]);
	if (!rbl_box_overlaps(box, rbl_box_grow(g->def->box, g->margin)))
		return;
	float radius, distance = 0.0f, bound = 0.0f;
	rbl_vec3 centre = ball_around(corners, count, &radius);
	if (g->def->original)
		rbl_distance_field_evaluate(g->def->original, &centre, 1, &distance, &bound, NULL);
	if (distance - bound > radius)
		return;
	rbl_vec3 cleaned[MOST_CORNERS];
	if (count <= MOST_CORNERS) {
		int kept[MOST_CORNERS], n = keep_corners(g, corners, count, kept);
		for (int i = 0; i < n; ++i)
			cleaned[i] = corners[kept[i]];
		if (n < 3)
			return;
		corners = cleaned, count = n;
	}
	int index = g->polygon_count - first_polygon;
	if (g->polygons) {
		rbl_field_balls *block = &g->balls[first_ball + index / RBL_FIELD_BLOCK];
		make_polygon(g, corners, count);
		put_vec3(block->centre, index % RBL_FIELD_BLOCK, centre);
		block->radius[index % RBL_FIELD_BLOCK] = radius;
	}
	g->polygon_count++;
	g->edge_count += block_count(count);
	g->ball_count = first_ball + block_count(index + 1);
}

static void gather_union(gathering *g, const rbl_cell_union *u)
{
	gathering before = *g;
	bool is_all = false;
	for (int i = 0; i < u->cell_count && !is_all; ++i)
		is_all = gather_cell(
			g, u->planes + u->plane_starts[i], u->plane_starts[i + 1] - u->plane_starts[i],
			u->cell_boxes ? &u->cell_boxes[i] : NULL, before.cell_count, before.box_count);
	if (is_all) { // one of the cells holds the whole box
		*g = before;
		return;
	}
	for (int i = 0; i < u->polygon_count; ++i)
		gather_polygon(g, u->corners + u->corner_starts[i],
		               u->corner_starts[i + 1] - u->corner_starts[i], before.polygon_count,
		               before.ball_count);
	if (g->unions)
		g->unions[g->union_count] =
			(rbl_field_union){ before.cell_count,    g->cell_count,    before.box_count,
			                   before.polygon_count, g->polygon_count, before.ball_count };
	g->union_count++;
}

static void gather(gathering *g)
{
	const rbl_fragment_field_def *def = g->def;
	g->plane_count = g->union_count = g->cell_count = g->box_count = g->cell_plane_count = 0;
	g->polygon_count = g->ball_count = g->edge_count = 0;
	for (int i = 0; i < def->plane_count; ++i) {
		if (reach_beyond(g, def->planes[i], 1.0f) < -g->margin)
			continue;
		if (g->planes)
			g->planes[g->plane_count] = unit_plane(def->planes[i]);
		g->plane_count++;
	}
	for (int i = 0; i < def->union_count; ++i)
		gather_union(g, &def->unions[i]);
}

// The next part of a block. @param base  NULL: only its size is asked for
static void *take(unsigned char *base, size_t *at, int count, size_t size)
{
	void *part = base ? base + *at : NULL;
	*at += (size_t)count * size;
	return part;
}

// Where everything lies in the block. @return its size
static size_t lay_out(gathering *g, rbl_fragment_field *field)
{
	unsigned char *base = (unsigned char *)field;
	size_t at = sizeof(rbl_fragment_field);
	g->planes = take(base, &at, g->plane_count, sizeof *g->planes);
	g->unions = take(base, &at, g->union_count, sizeof *g->unions);
	g->cells = take(base, &at, g->cell_count, sizeof *g->cells);
	g->boxes = take(base, &at, g->box_count, sizeof *g->boxes);
	g->cell_planes = take(base, &at, g->cell_plane_count, sizeof *g->cell_planes);
	g->polygons = take(base, &at, g->polygon_count, sizeof *g->polygons);
	g->balls = take(base, &at, g->ball_count, sizeof *g->balls);
	g->edges = take(base, &at, g->edge_count, sizeof *g->edges);
	return at;
}

static size_t lay_out_counts(const int counts[RBL_FRAGMENT_ARRAYS], rbl_fragment_field *field,
                             gathering *g)
{
	*g = (gathering){ .plane_count = counts[RBL_FRAGMENT_PLANES],
		              .union_count = counts[RBL_FRAGMENT_UNIONS],
		              .cell_count = counts[RBL_FRAGMENT_CELLS],
		              .box_count = counts[RBL_FRAGMENT_BOXES],
		              .cell_plane_count = counts[RBL_FRAGMENT_CELL_PLANES],
		              .polygon_count = counts[RBL_FRAGMENT_POLYGONS],
		              .ball_count = counts[RBL_FRAGMENT_BALLS],
		              .edge_count = counts[RBL_FRAGMENT_EDGES] };
	return lay_out(g, field);
}

static void set_arrays(rbl_fragment_field *field, const gathering *g)
{
	field->planes = g->planes;
	field->plane_count = g->plane_count;
	field->unions = g->unions;
	field->union_count = g->union_count;
	field->cells = g->cells;
	field->boxes = g->boxes;
	field->cell_planes = g->cell_planes;
	field->polygons = g->polygons;
	field->balls = g->balls;
	field->edges = g->edges;
}

void rbl_fragment_field_count(const rbl_fragment_field *f, int counts[RBL_FRAGMENT_ARRAYS])
{
	counts[RBL_FRAGMENT_PLANES] = f->plane_count;
	counts[RBL_FRAGMENT_UNIONS] = f->union_count;
	counts[RBL_FRAGMENT_CELLS] = (int)((const rbl_field_cell *)(const void *)f->boxes - f->cells);
	counts[RBL_FRAGMENT_BOXES] =
		(int)((const rbl_field_boxes *)(const void *)f->cell_planes - f->boxes);
	counts[RBL_FRAGMENT_CELL_PLANES] =
		(int)((const rbl_field_planes *)(const void *)f->polygons - f->cell_planes);
	counts[RBL_FRAGMENT_POLYGONS] =
		(int)((const rbl_field_polygon *)(const void *)f->balls - f->polygons);
	counts[RBL_FRAGMENT_BALLS] = (int)((const rbl_field_balls *)(const void *)f->edges - f->balls);
	const unsigned char *end = (const unsigned char *)f + f->size;
	counts[RBL_FRAGMENT_EDGES] = (int)((const rbl_field_edges *)(const void *)end - f->edges);
}

rbl_fragment_field *rbl_fragment_field_new(const rbl_allocator *allocator,
                                           const int counts[RBL_FRAGMENT_ARRAYS])
{
	gathering g;
	rbl_allocator own = rbl_allocator_or_default(allocator);
	size_t size = lay_out_counts(counts, NULL, &g);
	rbl_fragment_field *made = rbl_allocate(&own, size, 1);
	if (!made)
		return NULL;
	*made =
		(rbl_fragment_field){ .head = { .kind = &fragment_kind, .allocator = own }, .size = size };
	lay_out_counts(counts, made, &g);
	set_arrays(made, &g);
	return made;
}

// Blocks of parts that never count: boxes and balls far away, planes far behind, edges without a
// side.
static void fill_blocks(const gathering *g)
{
	const float far = 1e18f;
	for (int i = 0; i < g->box_count; ++i)
		for (int k = 0; k < RBL_FIELD_BLOCK; ++k) {
			put_vec3(g->boxes[i].lower, k, (rbl_vec3){ far, far, far });
			put_vec3(g->boxes[i].upper, k, (rbl_vec3){ far, far, far });
		}
	if (g->cell_plane_count > 0)
		memset(g->cell_planes, 0, (size_t)g->cell_plane_count * sizeof *g->cell_planes);
	for (int i = 0; i < g->cell_plane_count; ++i)
		for (int k = 0; k < RBL_FIELD_BLOCK; ++k)
			g->cell_planes[i].offset[k] = FLT_MAX;
	for (int i = 0; i < g->ball_count; ++i)
		for (int k = 0; k < RBL_FIELD_BLOCK; ++k) {
			put_vec3(g->balls[i].centre, k, (rbl_vec3){ far, far, far });
			g->balls[i].radius[k] = 0.0f;
		}
	if (g->edge_count > 0)
		memset(g->edges, 0, (size_t)g->edge_count * sizeof *g->edges);
}

void rbl_fragment_field_describe(rbl_fragment_field *field)
{
	rbl_box bounds = rbl_box_empty();
	for (int i = 0; i < 8; ++i) {
		rbl_vec3 corner = { i & 1 ? field->box_half.x : -field->box_half.x,
			                i & 2 ? field->box_half.y : -field->box_half.y,
			                i & 4 ? field->box_half.z : -field->box_half.z };
		corner = rbl_sub(rbl_add(corner, field->box_centre), field->translation);
		corner = rbl_mat_vec(rbl_mat_transpose(field->rotation), corner);
		bounds = rbl_box_add_point(bounds, corner);
	}
	rbl_distance_field_info *info = &field->head.info;
	*info = field->original ? field->original->head.info : (rbl_distance_field_info){ 0 };
	float rounding = 2.0f * field->rounding * field->scale;
	const rbl_field_occupancy *occupancy = &field->occupancy;
	size_t cubes =
		(size_t)occupancy->size[0] * (size_t)occupancy->size[1] * (size_t)occupancy->size[2];
	info->bounds = rbl_box_grow(bounds, rounding);
	info->surface_error += rounding, info->largest_error += rounding;
	info->bytes = field->size + 2 * cubes;
	memset(info->brick_counts, 0, sizeof info->brick_counts);
}

rbl_result rbl_create_fragment_field(const rbl_fragment_field_def *def, rbl_distance_field **field)
{
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	*field = NULL;
	rbl_result result = check_fragment_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_vec3 reach = rbl_max(rbl_neg(def->box.lower), def->box.upper);
	float scale = rbl_maxf(reach.x, rbl_maxf(reach.y, reach.z));
	scale =
		2.0f * (scale + rbl_length(def->transform.position) + rbl_length(rbl_box_size(def->box)));
	gathering g = { .def = def,
		            .centre = rbl_box_centre(def->box),
		            .half = rbl_scale(0.5f, rbl_box_size(def->box)),
		            .margin = 4.0f * FLT_EPSILON * scale };
	gather(&g);
	size_t size = lay_out(&g, NULL);
	rbl_fragment_field *made = rbl_allocate(&allocator, size, 1);
	if (!made)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for the field of a fragment");
	lay_out(&g, made);
	fill_blocks(&g);
	gather(&g);
	*made = (rbl_fragment_field){
		.head = { .kind = &fragment_kind, .allocator = allocator },
		.size = size,
		.original = rbl_as_asset_field(def->original),
		.rounding =
			def->original ? rbl_as_asset_field(def->original)->rounding : 8.0f * FLT_EPSILON,
		.rotation = rbl_quat_to_mat(rbl_quat_normalize(def->transform.rotation)),
		.translation = def->transform.position,
		.box_centre = g.centre,
		.box_half = g.half,
		.scale = scale,
		.tie = g.margin,
	};
	set_arrays(made, &g);
	if (def->surface.triangle_count > 0)
		result = rbl_field_occupancy_init(&made->occupancy, &allocator, def->box,
		                                  made->original->cell, def->surface, def->others);
	if (result != RBL_OK) {
		destroy_fragment(&made->head);
		return rbl_fail(result, "no memory for the field of a fragment");
	}
	rbl_fragment_field_describe(made);
	*field = &made->head;
	return RBL_OK;
}
