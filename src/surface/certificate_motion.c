// SPDX-License-Identifier: MIT
//
// Separation certificates of bodies that move rigidly: what is certified once stays valid.
//
// Whether triangles touch does not change under an invertible linear map. So let every pair of
// triangles of a body be apart at positions q, and stay apart when each vertex moves by up to a
// margin. If a vertex is later at A q + d, with a rotation A and |d| < margin, then the inverse of
// A takes it to within the margin of q: nothing touches. Positions are rounded, so d is never 0;
// it is measured.
//
// In each step the motion is found from three vertices, as a rotation R. The largest distance of
// any vertex from where R takes it, rounding included, is added to the drift |d|. Positions of the
// last update are the starts of this step, so nothing is stored per vertex.
//
// Over a step vertices move on straight lines, and the map at time t is ((1 - t) I + t R) A. For
// rotations of up to a right angle it shrinks nothing by more than cos 45 degrees, so a drift of
// half the margin is allowed; at one instant this holds all the more.
//
// With a thickness h, features that share no vertex must stay h apart, and so they do when nothing
// touches although each vertex moves by h / 2 (surface.h). Rotations of up to 60 degrees shrink
// nothing by more than c = cos 30 degrees. So a certificate has a margin of h / (2 c) besides, for
// which distances of h are left, and of which a drift takes nothing: c m is more than the drift.
//
// A large body that bends a little is certified instead of traversed, at one instant: that takes
// somewhat longer, but the next step may be the one in which it breaks. Fragments inherit the
// certificates of their body (certificate_split.c), so a split needs no traversal of them.
//
// certificate.c has what is certified, and how.

#include "surface/certificate.h"
#include "surface/surface_kernels.h"

#include "base/kernel.h"

enum {
	/// Vertices or triangles that tell corners and margin, about.
	MOTION_SAMPLES = 256,
	/// A certificate should last so many queries, or the next one waits longer.
	LASTING = 16,
	/// At one instant, bodies with more triangles are not certified in the query that sees them
	/// first, and so many triangles of them in one query at least. For others a certificate costs
	/// what testing them costs, and over a step less.
	MOTION_LARGE = 1024,
	MIN_CERTIFIED = 4096,
	MAX_WAIT = 256,
	/// Vertices that are followed at a time, some 10 us, and what it takes to begin, in vertices.
	FOLLOWED = 4096,
	PREPARING = 64,
	/// Triangles that are certified at a time, at least: some 50 us.
	PROVEN_JOB = 512,
	/// Vertices that tell whether a body is stiff, and choices of three among them.
	STIFF_SAMPLES = 64,
	STIFF_TRIES = 8,
};

// The margin is the mean height divided by this: smaller triangles than the mean need some space.
// What bends is certified for a few steps, and less margin takes less time. So it is for the first
// certificate of a body: the frame that made it is long enough, and another will be made when that
// is used up, some dozens of frames later.
static const double heights_per_margin = 32.0, heights_per_thin_margin = 128.0;

// Shares of the margin: what a body may be off a rigid motion in one step and still count as rigid,
// so that a certificate lasts for some steps; and what it may be off in all, see above.
static const double step_share = 0.125, drift_share = 0.5;

bool rbl_surface_uses_certificates(const rbl_surface *surface)
{
	return surface->def.culling == RBL_CULL_EXACT;
}

static bool is_certifying(const rbl_surface *surface)
{
	return rbl_surface_uses_certificates(surface) && surface->def.certificate_share > 0.0f &&
	       rbl_surface_uses(surface, RBL_SURFACE_CERTIFICATES);
}

// --- following ----------------------------------------------------------------------------------

// Large bodies are sampled at some of their vertices and triangles: any corners will do, and any
// margin.
static int stride_of(int count)
{
	return 1 + count / MOTION_SAMPLES;
}

static int farthest(const rbl_surface *surface, const rbl_surface_body *body, int from, int line)
{
	rbl_vec3d p = rbl_to_d(surface->positions[1][from]), direction = { 0.0, 0.0, 0.0 };
	if (line >= 0)
		direction = rbl_normalize_d(rbl_sub_d(rbl_to_d(surface->positions[1][line]), p));
	double best = -1.0;
	int result = from;
	for (int i = 0; i < body->vertices.count; i += stride_of(body->vertices.count)) {
		int vertex = body->vertices.data[i];
		rbl_vec3d d = rbl_sub_d(rbl_to_d(surface->positions[1][vertex]), p);
		double along = rbl_dot_d(d, direction), distance = rbl_dot_d(d, d) - along * along;
		if (distance > best)
			best = distance, result = vertex;
	}
	return result;
}

static double margin_of(const rbl_surface_certificate *certificate, bool is_thin)
{
	return certificate->height / (is_thin ? heights_per_thin_margin : heights_per_margin);
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

// Three vertices far from each other, and the margin of the body.
static void find_corners(const rbl_surface *surface, rbl_surface_body *body,
                         rbl_surface_certificate *certificate)
{
	int b = farthest(surface, body, body->vertices.data[0], -1);
	int a = farthest(surface, body, b, -1);
	certificate->corners[0] = a, certificate->corners[1] = b;
	certificate->corners[2] = farthest(surface, body, a, b);
	body->motion.has_frame = true;
	certificate->wait = 1;
	// At one instant large bodies are tested first: they may be cheap, and the frame that made
	// them is long enough. Over a step the look takes longer than the certificate.
	bool is_put_off =
		body->triangles.count > MOTION_LARGE && surface->motion == RBL_SURFACE_DISCRETE;
	certificate->next_query = surface->query_number + (is_put_off ? 2 : 1);
	if (body->self.is_certified)
		return; // a piece of a body that was: all it lacks are corners
	certificate->is_new = true;
	certificate->height = mean_height(surface, body);
	certificate->drift = 0.0;
	certificate->uncertain_pairs.count = 0;
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

// The rotation of three vertices in the step.
static bool find_rotation(const rbl_surface *surface, const int corners[3], rbl_mat3d *rotation)
{
	rbl_mat3d start, end;
	if (!frame_of(surface->positions[0], corners, &start) ||
	    !frame_of(surface->positions[1], corners, &end))
		return false;
	*rotation = rbl_mat_mul_d(end, rbl_mat_transpose_d(start));
	return true;
}

// How far some vertices are from a rigid motion at the end of the step. @return infinite when
// farther than the limit, or when no such motion is found
static double step_error(const rbl_surface *surface, const int *vertices, int count,
                         const rbl_surface_certificate *certificate, double limit)
{
	rbl_mat3d rotation;
	if (!find_rotation(surface, certificate->corners, &rotation))
		return INFINITY;
	// Rotated by more than a right angle, or by 60 degrees where a clearance must be kept.
	if (surface->motion == RBL_SURFACE_CONTINUOUS &&
	    rotation.x.x + rotation.y.y + rotation.z.z < (certificate->clearance > 0.0f ? 2.0 : 1.0))
		return INFINITY;
	rbl_vec3 from = surface->positions[0][certificate->corners[0]];
	rbl_surface_rigid_motion motion = {
		.middle = from, .shift = rbl_sub(surface->positions[1][certificate->corners[0]], from)
	};
	const rbl_vec3d columns[3] = { rotation.x, rotation.y, rotation.z };
	for (int k = 0; k < 3; ++k) {
		motion.rotation[0][k] = (float)(columns[k].x - (k == 0));
		motion.rotation[1][k] = (float)(columns[k].y - (k == 1));
		motion.rotation[2][k] = (float)(columns[k].z - (k == 2));
	}
	float error = RBL_PICK(rbl_surface_rigid_error)(
		&motion, surface->positions[0], surface->positions[1], vertices, count, (float)limit);
	return 1.75 * (double)error; // from the largest coordinate to the length
}

// How many samples go along with three vertices, up to a margin.
static int count_along(const rbl_surface *surface, const int *samples, int count,
                       const int corners[3], double margin)
{
	const rbl_vec3 *starts = surface->positions[0], *ends = surface->positions[1];
	rbl_mat3d rotation;
	if (!find_rotation(surface, corners, &rotation))
		return 0;
	rbl_vec3d from = rbl_to_d(starts[corners[0]]), to = rbl_to_d(ends[corners[0]]);
	int result = 0;
	for (int i = 0; i < count; ++i) {
		rbl_vec3d arm = rbl_sub_d(rbl_to_d(starts[samples[i]]), from);
		rbl_vec3d off =
			rbl_sub_d(rbl_to_d(ends[samples[i]]), rbl_add_d(to, rbl_mat_vec_d(rotation, arm)));
		result += rbl_dot_d(off, off) <= margin * margin;
	}
	return result;
}

// Whether most of a body goes along with three of its vertices. The corners may lie where it bends:
// the best of some others take their place. This decides about speed alone.
static bool is_bent_little(const rbl_surface *surface, const rbl_surface_body *body,
                           rbl_surface_certificate *certificate)
{
	int samples[STIFF_SAMPLES], corners[3], tries = 0;
	for (int i = 0; i < STIFF_SAMPLES; ++i)
		samples[i] = body->vertices.data[(int64_t)i * body->vertices.count / STIFF_SAMPLES];
	memcpy(corners, certificate->corners, sizeof corners);
	for (int best = 0; tries <= STIFF_TRIES; ++tries) {
		int along =
			count_along(surface, samples, STIFF_SAMPLES, corners, margin_of(certificate, false));
		if (along > best) {
			best = along;
			memcpy(certificate->corners, corners, sizeof corners);
		}
		if (2 * best > STIFF_SAMPLES)
			return true;
		for (int k = 0; k < 3; ++k)
			corners[k] = samples[(tries + k * STIFF_SAMPLES / 3) % STIFF_SAMPLES];
	}
	return false;
}

static void lose_certificate(const rbl_surface *surface, rbl_surface_body *body,
                             rbl_surface_certificate *certificate)
{
	bool has_lasted = surface->query_number - certificate->certified_query > LASTING;
	certificate->wait = has_lasted                     ? 1
	                    : certificate->wait < MAX_WAIT ? 2 * certificate->wait
	                                                   : MAX_WAIT;
	certificate->next_query = surface->query_number + (uint32_t)certificate->wait;
	body->self.is_certified = false;
}

// @return whether the body moved as a whole: what its vertices are off must be measured
static bool begin_tracking(const rbl_surface *surface, rbl_surface_body *body,
                           rbl_surface_certificate *certificate)
{
	body->motion.is_rigid = body->motion.is_nearly_rigid = false;
	if (!body->motion.has_moved)
		return false;
	if (body->self.is_certified && (!body->motion.is_tracked || !body->motion.is_whole))
		lose_certificate(surface, body, certificate);
	float clearance = rbl_surface_certified_clearance(surface, body);
	if (body->self.is_certified && certificate->clearance < clearance)
		body->self.is_certified = false; // what was enough is not: certified again
	if (!body->self.is_certified)
		certificate->clearance = clearance;
	if (!body->motion.is_whole)
		return false;
	if (!body->motion.has_frame)
		find_corners(surface, body, certificate);
	return true;
}

static double limit_of(const rbl_surface_body *body, const rbl_surface_certificate *certificate)
{
	return body->self.is_certified ? drift_share * certificate->margin - certificate->drift
	                               : step_share * margin_of(certificate, false);
}

static void end_tracking(const rbl_surface *surface, rbl_surface_body *body,
                         rbl_surface_certificate *certificate, double error)
{
	body->motion.is_rigid = error <= step_share * margin_of(certificate, false);
	body->motion.is_nearly_rigid =
		!body->motion.is_rigid && surface->motion == RBL_SURFACE_DISCRETE &&
		body->triangles.count >= surface->limits.bent_triangles &&
		rbl_surface_uses(surface, RBL_SURFACE_BENT) && is_bent_little(surface, body, certificate);
	if (!body->self.is_certified)
		return;
	certificate->drift = certificate->drift * (1.0 + 1e-9) + error;
	if (certificate->drift <= drift_share * certificate->margin)
		return;
	if (body->motion.is_nearly_rigid)
		body->self.is_certified = false; // and certified again
	else
		lose_certificate(surface, body, certificate);
}

// Some vertices of a body, or all.
typedef struct tracked_part {
	int slot, first, count;
	double error;
} tracked_part;

typedef struct tracking {
	rbl_surface *surface;
	tracked_part *parts;
	int part_count;
	rbl_surface_batches batches;
} tracking;

// Large bodies are followed in parts, always the same: each of them has its own measure, and the
// largest counts.
static void add_tracked_body(tracking *f, int slot)
{
	int count = f->surface->bodies.data[slot].vertices.count;
	for (int first = 0; first < count; first += FOLLOWED) {
		int size = count - first < FOLLOWED ? count - first : FOLLOWED;
		f->parts[f->part_count] = (tracked_part){ slot, first, size, 0.0 };
		rbl_surface_batches_add(&f->batches, f->part_count++, PREPARING + size, FOLLOWED);
	}
}

static void track_parts(void *context, int begin, int end, int worker)
{
	const tracking *f = context;
	const rbl_surface *surface = f->surface;
	(void)worker;
	for (int i = f->batches.starts[begin]; i < f->batches.starts[end]; ++i) {
		tracked_part *part = &f->parts[i];
		rbl_surface_body *body = &surface->bodies.data[part->slot];
		rbl_surface_certificate *certificate = &surface->certificates[part->slot];
		bool is_all = part->count == body->vertices.count;
		if (is_all && !begin_tracking(surface, body, certificate))
			continue;
		part->error = step_error(surface, body->vertices.data + part->first, part->count,
		                         certificate, limit_of(body, certificate));
		if (is_all)
			end_tracking(surface, body, certificate, part->error);
	}
}

static bool is_followed(const rbl_surface *surface, int slot)
{
	return rbl_id_pool_is_live(&surface->ids, slot) &&
	       surface->bodies.data[slot].triangles.count >= RBL_SURFACE_CERTIFICATE_MIN_TRIANGLES;
}

static void plan_tracking(tracking *f)
{
	const rbl_surface *surface = f->surface;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!is_followed(surface, slot))
			continue;
		if (body->vertices.count <= FOLLOWED ||
		    begin_tracking(surface, body, &surface->certificates[slot]))
			add_tracked_body(f, slot);
	}
}

static void end_parts(const tracking *f)
{
	for (int i = 0; i < f->part_count; ++i) {
		const tracked_part *part = &f->parts[i];
		rbl_surface_body *body = &f->surface->bodies.data[part->slot];
		if (part->count == body->vertices.count)
			continue;
		double error = part->error;
		for (; i + 1 < f->part_count && f->parts[i + 1].slot == part->slot; ++i)
			error = f->parts[i + 1].error > error ? f->parts[i + 1].error : error;
		end_tracking(f->surface, body, &f->surface->certificates[part->slot], error);
	}
}

bool rbl_surface_reserve_certificates(rbl_surface *surface, int count)
{
	int wanted = surface->bodies.capacity;
	if (surface->certificate_count >= count)
		return true;
	rbl_surface_certificate *certificates =
		RBL_NEW_ZERO(&surface->allocator, rbl_surface_certificate, wanted);
	if (!certificates)
		return false;
	for (int i = 0; i < surface->certificate_count; ++i)
		certificates[i] = surface->certificates[i];
	RBL_FREE(&surface->allocator, surface->certificates, surface->certificate_count);
	surface->certificates = certificates;
	surface->certificate_count = wanted;
	return true;
}

bool rbl_surface_track_motion(rbl_surface *surface, rbl_worker_group *workers)
{
	if (!is_certifying(surface))
		return true;
	if (!rbl_surface_reserve_certificates(surface, surface->bodies.count))
		return false;
	rbl_arena *arena = &surface->scratch;
	rbl_arena_reset(arena);
	int capacity = surface->bodies.count + surface->vertex_end / FOLLOWED;
	tracking f = { surface,
		           RBL_ARENA_NEW(arena, tracked_part, capacity),
		           0,
		           { .starts = RBL_ARENA_NEW(arena, int, capacity + 1) } };
	if (!f.parts || !f.batches.starts)
		return false;
	plan_tracking(&f);
	rbl_worker_group_for(workers, f.batches.count, 1, track_parts, &f);
	end_parts(&f);
	return true;
}

void rbl_surface_free_certificates(rbl_surface *surface)
{
	for (int i = 0; i < surface->certificate_count; ++i)
		rbl_array_free(&surface->allocator, &surface->certificates[i].uncertain_pairs);
	RBL_FREE(&surface->allocator, surface->certificates, surface->certificate_count);
}

size_t rbl_surface_certificate_memory(const rbl_surface *surface)
{
	size_t bytes = (size_t)surface->certificate_count * sizeof(rbl_surface_certificate);
	for (int i = 0; i < surface->certificate_count; ++i)
		bytes +=
			(size_t)surface->certificates[i].uncertain_pairs.capacity * sizeof(rbl_surface_pair);
	return bytes;
}

// --- proving ------------------------------------------------------------------------------------

static bool is_due(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	// Of what bends, a certificate says nothing about the way there.
	bool is_bent = body->motion.is_nearly_rigid && surface->motion == RBL_SURFACE_DISCRETE &&
	               !body->self.is_clear;
	bool is_wanted =
		(body->motion.is_rigid || is_bent) && rbl_surface_tests_itself(body) && !body->is_loose;
	return is_wanted && !body->self.is_certified && !body->self.is_unchanged &&
	       (int32_t)(surface->query_number - surface->certificates[slot].next_query) >= 0;
}

bool rbl_surface_certificate_is_due(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	return rbl_surface_uses_certificates(surface) && body->motion.is_rigid &&
	       body->triangles.count <= MOTION_LARGE &&
	       (int32_t)(surface->query_number + 1 - surface->certificates[slot].next_query) >= 0;
}

bool rbl_surface_plan_certificates(rbl_surface *surface, rbl_surface_certificate_work *work)
{
	*work = (rbl_surface_certificate_work){ .surface = surface };
	double share = (double)surface->def.certificate_share;
	if (!is_certifying(surface))
		return true;
	int end = surface->certificate_count < surface->bodies.count ? surface->certificate_count
	                                                             : surface->bodies.count;
	rbl_arena_reset(&surface->scratch);
	work->slots = RBL_ARENA_NEW(&surface->scratch, int, end);
	work->batches.starts = RBL_ARENA_NEW(&surface->scratch, int, end + 1);
	if (!work->slots || !work->batches.starts)
		return false;
	int left = MIN_CERTIFIED + (int)(share * surface->triangle_count), count = 0;
	for (int slot = 0; slot < end; ++slot) {
		int triangles = surface->bodies.data[slot].triangles.count;
		bool is_counted = triangles > MOTION_LARGE &&
		                  !surface->bodies.data[slot].motion.is_nearly_rigid &&
		                  surface->motion == RBL_SURFACE_DISCRETE;
		if (!is_due(surface, slot) || (is_counted && left <= 0))
			continue;
		left -= is_counted ? triangles : 0;
		work->slots[count] = slot;
		rbl_surface_batches_add(&work->batches, count++, triangles, PROVEN_JOB);
	}
	return true;
}

void rbl_surface_certify_batch(const rbl_surface_certificate_work *work, int run,
                               rbl_surface_worker *worker)
{
	rbl_surface *surface = work->surface;
	for (int i = work->batches.starts[run]; i < work->batches.starts[run + 1]; ++i) {
		int slot = work->slots[i];
		rbl_surface_body *body = &surface->bodies.data[slot];
		rbl_surface_certificate *certificate = &surface->certificates[slot];
		certificate->margin =
			margin_of(certificate, body->motion.is_nearly_rigid || certificate->is_new);
		certificate->clearance = rbl_surface_certified_clearance(surface, body);
		certificate->is_new = false;
		certificate->drift = 0.0;
		certificate->certified_query = surface->query_number;
		body->self.is_certified = rbl_surface_certify_body(surface, worker, slot);
		body->self.is_clear |= body->self.is_certified;
		if (!body->self.is_certified)
			lose_certificate(surface, body, certificate);
	}
}
