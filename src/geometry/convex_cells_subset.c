// SPDX-License-Identifier: MIT
//
// A subset of the cells, for bodies that overlap only those.
//
// A blow meets a few dozen stones, and each of them a few of the pattern's cells. Cutting a stone
// by all cells would cost as much as the pattern is large, stone after stone. Faces towards cells
// that are left out keep their planes: those still part the stone, although nothing of it is just
// beyond them. (A cell without one of its planes reaches past that face into cells that are no
// neighbours.)

#include "geometry/convex_cells.h"

#include "base/sort.h"
#include "base/vec.h"

enum { WALLS = 6 };

typedef struct picker {
	rbl_cells *picked;
	const rbl_cells *cells;
	const int *chosen;
	int count;
	rbl_sort_item64 *items, *scratch; // one for each face of a chosen cell, and as many more
} picker;

static void copy_cell(rbl_cells *picked, int to, const rbl_cells *cells, int from, rbl_vec3d shift)
{
	int face = picked->cell_faces[to], old_face = cells->cell_faces[from];
	int vertex = picked->cell_vertices[to], old_vertex = cells->cell_vertices[from];
	int corner = 3 * vertex, old_corner = 3 * old_vertex;
	int face_count = cells->cell_faces[from + 1] - old_face;
	int vertex_count = cells->cell_vertices[from + 1] - old_vertex;
	size_t bytes = (size_t)(3 * vertex_count) * sizeof(int);
	for (int f = 0; f < face_count; ++f) {
		picked->faces[face + f] = cells->faces[old_face + f];
		picked->face_corners[face + f] = cells->face_corners[old_face + f] + corner - old_corner;
	}
	memcpy(picked->corner_vertices + corner, cells->corner_vertices + old_corner, bytes);
	memcpy(picked->corner_faces + corner, cells->corner_faces + old_corner, bytes);
	memcpy(picked->corner_twins + corner, cells->corner_twins + old_corner, bytes);
	for (int v = 0; v < vertex_count; ++v)
		picked->vertices[vertex + v] = rbl_add_d(cells->vertices[old_vertex + v], shift);
	picked->seeds[to] = rbl_add_d(cells->seeds[from], shift);
	picked->volumes[to] = cells->volumes[from];
	picked->centres[to] = rbl_add_d(cells->centres[from], shift);
	picked->numbers[to] = rbl_cell_number(cells, from);
	picked->cell_faces[to + 1] = face + face_count;
	picked->cell_vertices[to + 1] = vertex + vertex_count;
}

// The place of a cell among the chosen, or -1.
static int place_of(const picker *p, int cell)
{
	int low = 0;
	for (int high = p->count; low < high;) {
		int middle = low + (high - low) / 2;
		if (p->chosen[middle] < cell)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->count && p->chosen[low] == cell ? low : -1;
}

// Neighbours and twins by their new numbers, and one item for each wall between cells: large ones
// first, and those of one area as they were.
static int renumber(const picker *p)
{
	rbl_cells *picked = p->picked;
	const rbl_cells *cells = p->cells;
	int n = 0;
	for (int i = 0; i < p->count; ++i) {
		int old = cells->cell_faces[p->chosen[i]] - picked->cell_faces[i];
		for (int f = picked->cell_faces[i]; f < picked->cell_faces[i + 1]; ++f) {
			rbl_cell_face *face = &picked->faces[f];
			int beyond = face->neighbour, twin = face->twin, shared = old + f;
			int place = beyond >= 0 ? place_of(p, beyond) : -1;
			if (place >= 0) {
				face->neighbour = place;
				face->twin =
					twin < 0 ? -1 : twin - cells->cell_faces[beyond] + picked->cell_faces[place];
			} else if (beyond >= 0) {
				face->neighbour = RBL_CELL_LEFT_OUT - rbl_cell_number(cells, beyond);
				face->twin = -1;
			}
			if (beyond >= 0 && twin >= 0 && twin < shared && place < 0)
				shared = twin; // the face that stood for both was left out
			else if (beyond >= 0 && twin < shared)
				continue;
			p->items[n++] = (rbl_sort_item64){ (uint64_t)shared, (uint32_t)f, 0 };
		}
	}
	rbl_sort64(p->items, p->scratch, n);
	for (int i = 0; i < n; ++i)
		p->items[i].key = ~rbl_sort_key_double(cells->faces[p->items[i].key].area);
	rbl_sort64(p->items, p->scratch, n);
	for (int i = 0; i < n; ++i)
		picked->shared_faces[i] = (int)p->items[i].value;
	return n;
}

// List the planes in use, with the places that they get: key, face and extra. @return how many
// there are, with the walls
static int sort_planes(const picker *p, int *item_count)
{
	int n = 0, face = 0, count = WALLS;
	for (int i = 0; i < p->count; ++i) {
		int c = p->chosen[i];
		for (int f = p->cells->cell_faces[c]; f < p->cells->cell_faces[c + 1]; ++f, ++face)
			if (p->cells->faces[f].plane >= WALLS)
				p->items[n++] =
					(rbl_sort_item64){ (uint64_t)p->cells->faces[f].plane, (uint32_t)face, 0 };
	}
	rbl_sort64(p->items, p->scratch, n);
	for (int i = 0; i < n; ++i) {
		count += i == 0 || p->items[i].key != p->items[i - 1].key;
		p->items[i].extra = (uint32_t)count - 1;
	}
	*item_count = n;
	return count;
}

static void copy_plane(const picker *p, int to, int from, rbl_vec3d shift)
{
	rbl_planed plane = p->cells->planes[from];
	plane.offset += rbl_dot_d(plane.normal, shift);
	p->picked->planes[to] = plane;
	p->picked->plane_numbers[to] = rbl_cell_plane_number(p->cells, from);
}

// Copy what was chosen; memory is reserved.
static void copy_all(const picker *p, int item_count, rbl_vec3d shift)
{
	rbl_cells *picked = p->picked;
	for (int i = 0; i < p->count; ++i)
		copy_cell(picked, i, p->cells, p->chosen[i], shift);
	picked->face_corners[picked->face_count] = picked->corner_count;
	for (int i = 0; i < WALLS; ++i)
		copy_plane(p, i, i, shift);
	for (int i = 0; i < item_count; ++i) {
		int place = (int)p->items[i].extra;
		picked->faces[p->items[i].value].plane = place;
		copy_plane(p, place, (int)p->items[i].key, shift);
	}
	picked->shared_face_count = renumber(p);
}

rbl_result rbl_cells_subset(rbl_cells *picked, const rbl_allocator *allocator,
                            const rbl_cells *cells, const int *chosen, int count, rbl_vec3d shift)
{
	*picked = (rbl_cells){ .cell_count = count, .plane_end = cells->plane_end };
	picked->box =
		(rbl_boxd){ rbl_add_d(cells->box.lower, shift), rbl_add_d(cells->box.upper, shift) };
	for (int i = 0; i < count; ++i) {
		int c = chosen[i];
		RBL_ASSERT(i == 0 || c > chosen[i - 1]);
		picked->face_count += cells->cell_faces[c + 1] - cells->cell_faces[c];
		picked->vertex_count += cells->cell_vertices[c + 1] - cells->cell_vertices[c];
	}
	picked->corner_count = 3 * picked->vertex_count;
	size_t capacity = (size_t)picked->face_count + 1;
	rbl_sort_item64 *items = RBL_NEW(allocator, rbl_sort_item64, 2 * capacity);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (items) {
		picker p = { picked, cells, chosen, count, items, items + capacity };
		int item_count;
		picked->plane_count = sort_planes(&p, &item_count);
		if (rbl_cells_allocate(picked, allocator)) {
			picked->numbers = RBL_NEW(&picked->allocator, int, count + 1);
			picked->plane_numbers = RBL_NEW(&picked->allocator, int, picked->plane_count + 1);
			if (picked->numbers && picked->plane_numbers) {
				copy_all(&p, item_count, shift);
				result = RBL_OK;
			} else {
				rbl_cells_destroy(picked);
			}
		}
	}
	RBL_FREE(allocator, items, 2 * capacity);
	if (result != RBL_OK)
		*picked = (rbl_cells){ 0 };
	return result;
}

// --- most of the cells, in slices ---------------------------------------------------------------

typedef enum pick_stage {
	MARK_PLANES,   // of the chosen cells
	NUMBER_PLANES, // as they were
	COPY_CELLS,
	COPY_PLANES,
	RENUMBER,
	LIST_SHARED, // as they were: large ones first
	PICKED,
} pick_stage;

// How many items of a stage are as much work as copying a cell.
static const int items_per_cell[PICKED] = { 8, 200, 1, 40, 2, 80 };

enum { UNUSED = -1, USED = -2 };

static int items_of(const rbl_cell_picking *p)
{
	switch (p->stage) {
	case NUMBER_PLANES:
	case COPY_PLANES:
		return p->cells->plane_count;
	case LIST_SHARED:
		return p->cells->shared_face_count;
	default:
		return p->count;
	}
}

rbl_result rbl_cells_pick_begin(rbl_cell_picking *p, rbl_cells *picked,
                                const rbl_allocator *allocator, const rbl_cells *cells,
                                const int *chosen, int count, rbl_vec3d shift)
{
	*p = (rbl_cell_picking){ .picked = picked, .cells = cells, .allocator = allocator };
	p->chosen = chosen, p->count = count, p->shift = shift;
	*picked = (rbl_cells){ .cell_count = count, .plane_end = cells->plane_end };
	picked->box =
		(rbl_boxd){ rbl_add_d(cells->box.lower, shift), rbl_add_d(cells->box.upper, shift) };
	p->planes = RBL_NEW(allocator, int, cells->plane_count + 1);
	p->faces = RBL_NEW(allocator, int, cells->face_count + 1);
	if (!p->planes || !p->faces)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < cells->plane_count; ++i)
		p->planes[i] = i < WALLS ? USED : UNUSED;
	for (int i = 0; i < cells->face_count; ++i)
		p->faces[i] = UNUSED;
	return RBL_OK;
}

void rbl_cells_pick_end(rbl_cell_picking *p)
{
	if (p->cells) {
		RBL_FREE(p->allocator, p->planes, p->cells->plane_count + 1);
		RBL_FREE(p->allocator, p->faces, p->cells->face_count + 1);
	}
	*p = (rbl_cell_picking){ .picked = NULL };
}

static void mark_planes(const rbl_cell_picking *p, int begin, int end)
{
	for (int i = begin; i < end; ++i) {
		int c = p->chosen[i];
		RBL_ASSERT(i == 0 || c > p->chosen[i - 1]);
		for (int f = p->cells->cell_faces[c]; f < p->cells->cell_faces[c + 1]; ++f)
			p->planes[p->cells->faces[f].plane] = USED;
		p->picked->face_count += p->cells->cell_faces[c + 1] - p->cells->cell_faces[c];
		p->picked->vertex_count += p->cells->cell_vertices[c + 1] - p->cells->cell_vertices[c];
	}
}

static void number_planes(const rbl_cell_picking *p, int begin, int end)
{
	for (int i = begin; i < end; ++i)
		if (p->planes[i] == USED)
			p->planes[i] = p->picked->plane_count++;
}

static bool reserve_picked(const rbl_cell_picking *p)
{
	rbl_cells *picked = p->picked;
	picked->corner_count = 3 * picked->vertex_count;
	if (!rbl_cells_allocate(picked, p->allocator))
		return false;
	picked->numbers = RBL_NEW(&picked->allocator, int, picked->cell_count + 1);
	picked->plane_numbers = RBL_NEW(&picked->allocator, int, picked->plane_count + 1);
	if (picked->numbers && picked->plane_numbers)
		return true;
	rbl_cells_destroy(picked);
	return false;
}

static void copy_cells(const rbl_cell_picking *p, int begin, int end)
{
	for (int i = begin; i < end; ++i) {
		copy_cell(p->picked, i, p->cells, p->chosen[i], p->shift);
		int old = p->cells->cell_faces[p->chosen[i]] - p->picked->cell_faces[i];
		for (int f = p->picked->cell_faces[i]; f < p->picked->cell_faces[i + 1]; ++f) {
			p->picked->faces[f].plane = p->planes[p->picked->faces[f].plane];
			p->faces[old + f] = f;
		}
	}
	p->picked->face_corners[p->picked->face_count] = p->picked->corner_count;
}

static void copy_planes(const rbl_cell_picking *p, int begin, int end)
{
	picker copier = { .picked = p->picked, .cells = p->cells };
	for (int i = begin; i < end; ++i)
		if (p->planes[i] >= 0)
			copy_plane(&copier, p->planes[i], i, p->shift);
}

static void renumber_faces(const rbl_cell_picking *p, int begin, int end)
{
	picker finder = { .chosen = p->chosen, .count = p->count };
	for (int f = p->picked->cell_faces[begin]; f < p->picked->cell_faces[end]; ++f) {
		rbl_cell_face *face = &p->picked->faces[f];
		if (face->neighbour < 0)
			continue;
		int place = place_of(&finder, face->neighbour);
		if (place < 0)
			face->neighbour = RBL_CELL_LEFT_OUT - rbl_cell_number(p->cells, face->neighbour);
		else
			face->neighbour = place;
		face->twin = face->twin < 0 || place < 0 ? -1 : p->faces[face->twin];
	}
}

static void list_shared(const rbl_cell_picking *p, int begin, int end)
{
	rbl_cells *picked = p->picked;
	for (int i = begin; i < end; ++i) {
		int old = p->cells->shared_faces[i], twin = p->cells->faces[old].twin;
		int face = p->faces[old];
		if (face < 0 && twin >= 0)
			face = p->faces[twin]; // the face that stood for both was left out
		if (face >= 0)
			picked->shared_faces[picked->shared_face_count++] = face;
	}
}

static bool pick_items(const rbl_cell_picking *p, int begin, int end)
{
	switch (p->stage) {
	case MARK_PLANES:
		mark_planes(p, begin, end);
		return true;
	case NUMBER_PLANES:
		number_planes(p, begin, end);
		return end < p->cells->plane_count || reserve_picked(p);
	case COPY_CELLS:
		copy_cells(p, begin, end);
		return true;
	case COPY_PLANES:
		copy_planes(p, begin, end);
		return true;
	case RENUMBER:
		renumber_faces(p, begin, end);
		return true;
	default:
		list_shared(p, begin, end);
		return true;
	}
}

rbl_result rbl_cells_pick_some(rbl_cell_picking *p, int *budget, bool *is_done)
{
	while (p->stage != PICKED && *budget > 0) {
		int per_cell = items_per_cell[p->stage], left = items_of(p) - p->next;
		int64_t most = (int64_t)per_cell * *budget;
		int n = left > most ? (int)most : left;
		if (!pick_items(p, p->next, p->next + n)) {
			*p->picked = (rbl_cells){ 0 };
			return RBL_OUT_OF_MEMORY;
		}
		*budget -= (n + per_cell - 1) / per_cell;
		p->next += n;
		if (n == left)
			p->stage++, p->next = 0;
	}
	*is_done = p->stage == PICKED;
	return RBL_OK;
}
