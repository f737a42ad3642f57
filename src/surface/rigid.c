// SPDX-License-Identifier: MIT
//
// Bodies that move as if they were rigid: what is proven about them once stays valid.
//
// Whether triangles touch does not change under a linear map that can be undone. So let every pair
// of triangles of a body be apart at positions q, and stay so although each vertex moves by up to a
// slack. When a vertex is later at A q + d, with a rotation A and |d| < slack, then A undone takes
// it to within the slack of q: nothing touches. Positions are rounded, so d is never 0; it is
// measured.
//
// In each step the motion is told from three vertices, as a rotation R, and the largest distance of
// any vertex from where R takes it is added to the drift |d|, rounding included. Positions of the
// last update are the starts of this step, so nothing is kept per vertex.
//
// Over a step vertices move on lines, and the map at time t is ((1 - t) I + t R) A. Turned by an
// angle of up to a right angle, it shrinks nothing by more than cos 45 degrees, so a drift of half
// the slack is allowed; this holds at one instant all the more.
//
// A large body that is bent a little is proven in place of being looked at, at one instant: that
// takes somewhat more time, but its next step may be the one in which it breaks. The pieces of a
// body that is proven are, too (surface/heirs.c), so a break does not come with a look at all of
// them.
//
// What is proven, and how: surface/proof.c.

#include "surface/rigid.h"
#include "surface/rigid_kernels.h"

#include "base/kernel.h"

enum {
	/// Vertices or triangles that tell corners and slack, about.
	SAMPLES = 256,
	/// A proof should last so many queries, or the next one waits longer.
	LASTING = 16,
	/// At one instant, bodies with more triangles are not proven in the query that sees them first,
	/// and so many triangles of them in one query at least. For others a proof costs what a look at
	/// them costs, and over a step less.
	LARGE = 1024,
	LEAST_PROVEN = 4096,
	MAX_WAIT = 256,
	/// Vertices that are followed at a time, some 10 us, and what it takes to begin, in vertices.
	FOLLOWED = 4096,
	PREPARING = 64,
	/// Triangles that are proven at a time, at least: some 50 us.
	PROVEN_JOB = 512,
	/// Vertices that tell whether a body is stiff, and choices of three among them.
	STIFF_SAMPLES = 64,
	STIFF_TRIES = 8,
};

// The slack is the mean height divided by this: smaller triangles than the mean need some room.
// What bends is proven for a few steps, and less slack takes less time. So it is for the first
// proof of a body: the frame that made it is long enough, and another will be made when that is
// used up, some dozens of frames later.
static const double heights_per_slack = 32.0, heights_per_thin_slack = 128.0;

// Shares of the slack: what a body may be off a rigid motion in one step and still count as rigid,
// so that a proof lasts for some steps; and what it may be off in all, see above.
static const double step_share = 0.125, drift_share = 0.5;

bool rbl_rigid_counts(const rbl_surface *surface)
{
	// Keeping clear of contact says nothing about a distance to keep.
	return surface->def.culling == RBL_CULL_EXACT &&
	       !(surface->motion == RBL_SURFACE_CONTINUOUS && surface->def.separation > 0.0f);
}

// --- following -----------------------------------------------------------------------------------

// Large bodies are judged by some of their vertices and triangles: any corners will do, and any
// slack.
static int stride_of(int count)
{
	return 1 + count / SAMPLES;
}

static int farthest(const rbl_surface *surface, const rbl_surface_body *body, int from, int line)
{
	rbl_vec3d p = rbl_to_d(surface->positions[1][from]), translation = { 0.0, 0.0, 0.0 };
	if (line >= 0)
		translation = rbl_normalize_d(rbl_sub_d(rbl_to_d(surface->positions[1][line]), p));
	double best = -1.0;
	int result = from;
	for (int i = 0; i < body->vertices.count; i += stride_of(body->vertices.count)) {
		int vertex = body->vertices.data[i];
		rbl_vec3d d = rbl_sub_d(rbl_to_d(surface->positions[1][vertex]), p);
		double along = rbl_dot_d(d, translation), distance = rbl_dot_d(d, d) - along * along;
		if (distance > best)
			best = distance, result = vertex;
	}
	return result;
}

static double slack_of(const rbl_rigid *rigid, bool is_thin)
{
	return rigid->height / (is_thin ? heights_per_thin_slack : heights_per_slack);
}

// The mean of the smallest heights of triangles.
static double mean_height(const rbl_surface *surface, const rbl_surface_body *body)
{
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < body->triangles.count; i += stride_of(body->triangles.count), ++count) {
		const int *v = surface->triangles + 3 * body->triangles.data[i];
		rbl_vec3 p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = surface->positions[1][v[k]];
		rbl_vec3 a = rbl_sub(p[1], p[0]), b = rbl_sub(p[2], p[0]), c = rbl_sub(p[2], p[1]), n;
		n = rbl_cross(a, b);
		float edge = rbl_maxf(rbl_dot(a, a), rbl_maxf(rbl_dot(b, b), rbl_dot(c, c)));
		if (edge > 0.0f)
			sum += sqrt((double)rbl_dot(n, n) / (double)edge);
	}
	return sum / count;
}

// Three vertices far from each other, and the slack of the body.
static void find_corners(const rbl_surface *surface, rbl_surface_body *body, rbl_rigid *rigid)
{
	int b = farthest(surface, body, body->vertices.data[0], -1);
	int a = farthest(surface, body, b, -1);
	rigid->corners[0] = a, rigid->corners[1] = b;
	rigid->corners[2] = farthest(surface, body, a, b);
	body->has_corners = true;
	rigid->wait = 1;
	// At one instant large bodies are looked at first: they may be cheap, and the frame that made
	// them is long enough. Over a step the look takes longer than the proof.
	bool is_put_off = body->triangles.count > LARGE && surface->motion == RBL_SURFACE_DISCRETE;
	rigid->next_query = surface->query_number + (is_put_off ? 2 : 1);
	if (body->is_certified)
		return; // a piece of a body that was: all it lacks are corners
	rigid->is_new = true;
	rigid->height = mean_height(surface, body);
	rigid->drift = 0.0;
	rigid->doubts.count = 0;
}

// Axes that move with three points: off from right angles by 1e-12 at most.
static bool frame_of(const rbl_vec3 *positions, const int corners[3], rbl_mat3d *frame)
{
	rbl_vec3d a = rbl_to_d(positions[corners[0]]);
	rbl_vec3d b = rbl_sub_d(rbl_to_d(positions[corners[1]]), a);
	rbl_vec3d c = rbl_sub_d(rbl_to_d(positions[corners[2]]), a);
	double squares = rbl_dot_d(b, b) * rbl_dot_d(c, c);
	rbl_vec3d x = rbl_normalize_d(b), n = rbl_cross_d(x, rbl_normalize_d(c));
	if (!(squares > 1e-100 && squares < 1e100) || !(rbl_dot_d(n, n) > 1e-6))
		return false;
	rbl_vec3d z = rbl_normalize_d(n);
	*frame = (rbl_mat3d){ x, rbl_cross_d(z, x), z };
	return true;
}

// How three vertices turn in the step.
static bool turn_of(const rbl_surface *surface, const int corners[3], rbl_mat3d *turn)
{
	rbl_mat3d start, end;
	if (!frame_of(surface->positions[0], corners, &start) ||
	    !frame_of(surface->positions[1], corners, &end))
		return false;
	*turn = rbl_mat_mul_d(end, rbl_mat_transpose_d(start));
	return true;
}

// How far some vertices are from a rigid motion at the end of the step. @return infinite when
// farther than the limit, or when no such motion is found
static double step_error(const rbl_surface *surface, const int *vertices, int count,
                         const rbl_rigid *rigid, double limit)
{
	rbl_mat3d turn;
	if (!turn_of(surface, rigid->corners, &turn))
		return INFINITY;
	// Turned by more than a right angle.
	if (surface->motion == RBL_SURFACE_CONTINUOUS && turn.x.x + turn.y.y + turn.z.z < 1.0)
		return INFINITY;
	rbl_vec3 from = surface->positions[0][rigid->corners[0]];
	rbl_rigid_motion motion = { .middle = from,
		                        .shift = rbl_sub(surface->positions[1][rigid->corners[0]], from) };
	const rbl_vec3d columns[3] = { turn.x, turn.y, turn.z };
	for (int k = 0; k < 3; ++k) {
		motion.turn[0][k] = (float)(columns[k].x - (k == 0));
		motion.turn[1][k] = (float)(columns[k].y - (k == 1));
		motion.turn[2][k] = (float)(columns[k].z - (k == 2));
	}
	float error = RBL_PICK(rbl_rigid_error)(&motion, surface->positions[0], surface->positions[1],
	                                        vertices, count, (float)limit);
	return 1.75 * (double)error; // from the largest coordinate to the length
}

// How many samples go along with three vertices, up to a slack.
static int count_along(const rbl_surface *surface, const int *samples, int count,
                       const int corners[3], double slack)
{
	const rbl_vec3 *starts = surface->positions[0], *ends = surface->positions[1];
	rbl_mat3d turn;
	if (!turn_of(surface, corners, &turn))
		return 0;
	rbl_vec3d from = rbl_to_d(starts[corners[0]]), to = rbl_to_d(ends[corners[0]]);
	int result = 0;
	for (int i = 0; i < count; ++i) {
		rbl_vec3d arm = rbl_sub_d(rbl_to_d(starts[samples[i]]), from);
		rbl_vec3d off =
			rbl_sub_d(rbl_to_d(ends[samples[i]]), rbl_add_d(to, rbl_mat_vec_d(turn, arm)));
		result += rbl_dot_d(off, off) <= slack * slack;
	}
	return result;
}

// Whether most of a body goes along with three of its vertices. The corners may lie where it bends:
// the best of some others take their place. This decides about speed alone.
static bool is_bent_little(const rbl_surface *surface, const rbl_surface_body *body,
                           rbl_rigid *rigid)
{
	int samples[STIFF_SAMPLES], corners[3], tries = 0;
	for (int i = 0; i < STIFF_SAMPLES; ++i)
		samples[i] = body->vertices.data[(int64_t)i * body->vertices.count / STIFF_SAMPLES];
	memcpy(corners, rigid->corners, sizeof corners);
	for (int best = 0; tries <= STIFF_TRIES; ++tries) {
		int along = count_along(surface, samples, STIFF_SAMPLES, corners, slack_of(rigid, false));
		if (along > best) {
			best = along;
			memcpy(rigid->corners, corners, sizeof corners);
		}
		if (2 * best > STIFF_SAMPLES)
			return true;
		for (int k = 0; k < 3; ++k)
			corners[k] = samples[(tries + k * STIFF_SAMPLES / 3) % STIFF_SAMPLES];
	}
	return false;
}

static void lose_proof(const rbl_surface *surface, rbl_surface_body *body, rbl_rigid *rigid)
{
	bool has_lasted = surface->query_number - rigid->proof_query > LASTING;
	rigid->wait = has_lasted ? 1 : rigid->wait < MAX_WAIT ? 2 * rigid->wait : MAX_WAIT;
	rigid->next_query = surface->query_number + (uint32_t)rigid->wait;
	body->is_certified = false;
}

// @return whether the body moved as a whole: what its vertices are off must be measured
static bool begin_following(const rbl_surface *surface, rbl_surface_body *body, rbl_rigid *rigid)
{
	body->is_rigid = body->is_stiff = false;
	if (!body->is_touched)
		return false;
	if (body->is_certified && (!body->is_followed || !body->is_whole))
		lose_proof(surface, body, rigid);
	if (!body->is_whole)
		return false;
	if (!body->has_corners)
		find_corners(surface, body, rigid);
	return true;
}

static double limit_of(const rbl_surface_body *body, const rbl_rigid *rigid)
{
	return body->is_certified ? drift_share * rigid->slack - rigid->drift
	                          : step_share * slack_of(rigid, false);
}

static void end_following(const rbl_surface *surface, rbl_surface_body *body, rbl_rigid *rigid,
                          double error)
{
	body->is_rigid = error <= step_share * slack_of(rigid, false);
	body->is_stiff = !body->is_rigid && surface->motion == RBL_SURFACE_DISCRETE &&
	                 body->triangles.count >= surface->least_stiff &&
	                 is_bent_little(surface, body, rigid);
	if (!body->is_certified)
		return;
	rigid->drift = rigid->drift * (1.0 + 1e-9) + error;
	if (rigid->drift <= drift_share * rigid->slack)
		return;
	if (body->is_stiff)
		body->is_certified = false; // and proven anew
	else
		lose_proof(surface, body, rigid);
}

// Some vertices of a body, or all.
typedef struct follow_part {
	int slot, first, count;
	double error;
} follow_part;

typedef struct following {
	rbl_surface *surface;
	follow_part *parts;
	int part_count;
	rbl_runs runs;
} following;

// Large bodies are followed in parts, always the same: each of them has its own measure, and the
// largest counts.
static void add_body(following *f, int slot)
{
	int count = f->surface->bodies.data[slot].vertices.count;
	for (int first = 0; first < count; first += FOLLOWED) {
		int size = count - first < FOLLOWED ? count - first : FOLLOWED;
		f->parts[f->part_count] = (follow_part){ slot, first, size, 0.0 };
		rbl_runs_add(&f->runs, f->part_count++, PREPARING + size, FOLLOWED);
	}
}

static void follow_parts(void *context, int begin, int end, int worker)
{
	const following *f = context;
	const rbl_surface *surface = f->surface;
	(void)worker;
	for (int i = f->runs.starts[begin]; i < f->runs.starts[end]; ++i) {
		follow_part *part = &f->parts[i];
		rbl_surface_body *body = &surface->bodies.data[part->slot];
		rbl_rigid *rigid = &surface->rigids[part->slot];
		bool is_all = part->count == body->vertices.count;
		if (is_all && !begin_following(surface, body, rigid))
			continue;
		part->error = step_error(surface, body->vertices.data + part->first, part->count, rigid,
		                         limit_of(body, rigid));
		if (is_all)
			end_following(surface, body, rigid, part->error);
	}
}

static bool is_followed(const rbl_surface *surface, int slot)
{
	return rbl_id_pool_is_live(&surface->ids, slot) &&
	       surface->bodies.data[slot].triangles.count >= RBL_RIGID_MIN_TRIANGLES;
}

static void plan_following(following *f)
{
	const rbl_surface *surface = f->surface;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!is_followed(surface, slot))
			continue;
		if (body->vertices.count <= FOLLOWED ||
		    begin_following(surface, body, &surface->rigids[slot]))
			add_body(f, slot);
	}
}

static void end_parts(const following *f)
{
	for (int i = 0; i < f->part_count; ++i) {
		const follow_part *part = &f->parts[i];
		rbl_surface_body *body = &f->surface->bodies.data[part->slot];
		if (part->count == body->vertices.count)
			continue;
		double error = part->error;
		for (; i + 1 < f->part_count && f->parts[i + 1].slot == part->slot; ++i)
			error = f->parts[i + 1].error > error ? f->parts[i + 1].error : error;
		end_following(f->surface, body, &f->surface->rigids[part->slot], error);
	}
}

bool rbl_rigid_reserve(rbl_surface *surface, int count)
{
	int wanted = surface->bodies.capacity;
	if (surface->rigid_count >= count)
		return true;
	rbl_rigid *rigids = RBL_NEW_ZERO(&surface->allocator, rbl_rigid, wanted);
	if (!rigids)
		return false;
	for (int i = 0; i < surface->rigid_count; ++i)
		rigids[i] = surface->rigids[i];
	RBL_FREE(&surface->allocator, surface->rigids, surface->rigid_count);
	surface->rigids = rigids;
	surface->rigid_count = wanted;
	return true;
}

bool rbl_rigid_follow(rbl_surface *surface, rbl_team *team)
{
	if (surface->def.culling != RBL_CULL_EXACT || surface->def.certificate_share == 0.0f)
		return true;
	if (!rbl_rigid_reserve(surface, surface->bodies.count))
		return false;
	rbl_arena *arena = &surface->scratch;
	rbl_arena_reset(arena);
	int most = surface->bodies.count + surface->vertex_end / FOLLOWED;
	following f = { surface,
		            RBL_ARENA_NEW(arena, follow_part, most),
		            0,
		            { .starts = RBL_ARENA_NEW(arena, int, most + 1) } };
	if (!f.parts || !f.runs.starts)
		return false;
	plan_following(&f);
	rbl_team_for(team, f.runs.count, 1, follow_parts, &f);
	end_parts(&f);
	return true;
}

void rbl_rigid_free(rbl_surface *surface)
{
	for (int i = 0; i < surface->rigid_count; ++i)
		rbl_array_free(&surface->allocator, &surface->rigids[i].doubts);
	RBL_FREE(&surface->allocator, surface->rigids, surface->rigid_count);
}

size_t rbl_rigid_memory(const rbl_surface *surface)
{
	size_t bytes = (size_t)surface->rigid_count * sizeof(rbl_rigid);
	for (int i = 0; i < surface->rigid_count; ++i)
		bytes += (size_t)surface->rigids[i].doubts.capacity * sizeof(rbl_surface_pair);
	return bytes;
}

// --- proving -------------------------------------------------------------------------------------

static bool is_due(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	// Of what bends, a proof says nothing about the way there.
	bool is_bent = body->is_stiff && surface->motion == RBL_SURFACE_DISCRETE && !body->is_clear;
	bool is_wanted = body->is_rigid || is_bent;
	return is_wanted && !body->is_certified && !body->is_known &&
	       (int32_t)(surface->query_number - surface->rigids[slot].next_query) >= 0;
}

bool rbl_rigid_is_due(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	return rbl_rigid_counts(surface) && body->is_rigid && body->triangles.count <= LARGE &&
	       (int32_t)(surface->query_number + 1 - surface->rigids[slot].next_query) >= 0;
}

bool rbl_rigid_plan(rbl_surface *surface, rbl_proofs *proofs)
{
	*proofs = (rbl_proofs){ .surface = surface };
	double share = (double)surface->def.certificate_share;
	if (!rbl_rigid_counts(surface) || share == 0.0)
		return true;
	int end =
		surface->rigid_count < surface->bodies.count ? surface->rigid_count : surface->bodies.count;
	rbl_arena_reset(&surface->scratch);
	proofs->slots = RBL_ARENA_NEW(&surface->scratch, int, end);
	proofs->runs.starts = RBL_ARENA_NEW(&surface->scratch, int, end + 1);
	if (!proofs->slots || !proofs->runs.starts)
		return false;
	int left = LEAST_PROVEN + (int)(share * surface->triangle_count), count = 0;
	for (int slot = 0; slot < end; ++slot) {
		int triangles = surface->bodies.data[slot].triangles.count;
		bool is_counted = triangles > LARGE && !surface->bodies.data[slot].is_stiff &&
		                  surface->motion == RBL_SURFACE_DISCRETE;
		if (!is_due(surface, slot) || (is_counted && left <= 0))
			continue;
		left -= is_counted ? triangles : 0;
		proofs->slots[count] = slot;
		rbl_runs_add(&proofs->runs, count++, triangles, PROVEN_JOB);
	}
	return true;
}

void rbl_rigid_prove(const rbl_proofs *proofs, int run, rbl_surface_worker *worker)
{
	rbl_surface *surface = proofs->surface;
	for (int i = proofs->runs.starts[run]; i < proofs->runs.starts[run + 1]; ++i) {
		int slot = proofs->slots[i];
		rbl_surface_body *body = &surface->bodies.data[slot];
		rbl_rigid *rigid = &surface->rigids[slot];
		rigid->slack = slack_of(rigid, body->is_stiff || rigid->is_new);
		rigid->is_new = false;
		rigid->drift = 0.0;
		rigid->proof_query = surface->query_number;
		body->is_certified = rbl_rigid_prove_body(surface, worker, slot);
		body->is_clear |= body->is_certified;
		if (!body->is_certified)
			lose_proof(surface, body, rigid);
	}
}
