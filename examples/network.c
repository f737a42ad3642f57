// SPDX-License-Identifier: MIT
// Destruction over a network: a server and a player, two processes with a socket between them.
//
//     network [SECONDS]
//
// The server simulates an arena under fire. The player joins a second late and keeps two worlds:
//
//   follower  gets a snapshot when it joins, then only what is thrown in each step. It simulates
//             itself, to the same bits: once a second the server sends its hash, and they compare.
//   viewer    does not simulate. It gets the log of fractures, which breaks the same bodies into the
//             same pieces, and poses of what moves. It compares the number of bodies.
//
// Both processes have the same assets. What either way takes in bytes per second is printed.

#include <rubble/rubble.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RATE = 60, JOIN_STEP = 60, POSE_INTERVAL = 6, MOST_SHOTS = 4 };

// What the server and the player both have.
typedef struct stage {
	rbl_asset *arena;
	rbl_pattern *pattern;
	rbl_material *stone;
	rbl_collider *floor, *ball;
} stage;

// A ball that is thrown in: all that players do in this game.
typedef struct shot {
	rbl_vec3 position, velocity;
} shot;

typedef struct pose {
	uint32_t fragment; // its number, or 0
	uint32_t index;    // of a body that is no fragment
	rbl_vec3 position;
	rbl_quat rotation;
} pose;

typedef enum message_kind {
	STEP,      // shots of a step
	FRACTURES, // what broke in it
	POSES,     // of bodies that moved
	SNAPSHOT,
	CHECK, // step, hash and bodies of the server
	MESSAGE_KINDS,
} message_kind;

typedef struct check {
	uint64_t hash;
	int32_t step, body_count;
} check;

// --- the stage -------------------------------------------------------------------------------

static bool make_stage(stage *s)
{
	rbl_mesh *mesh = NULL;
	rbl_arena_def arena = rbl_default_arena_def();
	arena.detail = 1;
	rbl_prepare_def prepare = rbl_default_prepare_def();
	prepare.tolerance = 2.0;
	rbl_pattern_def pattern = rbl_default_pattern_def();
	pattern.cell_count = 40;
	pattern.size = (rbl_vec3d){ 5.0, 5.0, 5.0 };
	rbl_collider_def floor = rbl_default_collider_def(RBL_COLLIDER_BOX);
	floor.half_size = (rbl_vec3){ 150.0f, 1.0f, 150.0f };
	rbl_collider_def ball = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	ball.radius = 1.0f;
	bool ok = rbl_create_arena_mesh(&arena, &mesh) == RBL_OK &&
	          rbl_prepare(mesh, &prepare, &s->arena) == RBL_OK &&
	          rbl_create_pattern(&pattern, &s->pattern) == RBL_OK &&
	          rbl_create_collider(&floor, &s->floor) == RBL_OK &&
	          rbl_create_collider(&ball, &s->ball) == RBL_OK;
	rbl_destroy_mesh(mesh);
	rbl_damage_level level = { .energy = 4e5, .pattern = s->pattern, .radius = 2.5 };
	rbl_material_def stone = rbl_default_material_def();
	stone.values.density = 2400.0f;
	stone.damage.levels = &level;
	stone.damage.level_count = 1;
	stone.damage.min_size = 0.4;
	return ok && rbl_create_material(&stone, &s->stone) == RBL_OK;
}

static void free_stage(stage *s)
{
	rbl_destroy_asset(s->arena);
	rbl_destroy_material(s->stone);
	rbl_destroy_pattern(s->pattern);
	rbl_destroy_collider(s->floor);
	rbl_destroy_collider(s->ball);
}

static rbl_world *make_world(const stage *s)
{
	rbl_world_def def = rbl_default_world_def();
	rbl_world *world = NULL;
	if (rbl_create_world(&def, &world) != RBL_OK)
		return NULL;
	rbl_body_def body = rbl_default_body_def();
	body.kind = RBL_BODY_STATIC;
	body.collider = s->floor;
	body.pose.position.y = -1.0f;
	rbl_create_body(world, &body);
	body = rbl_default_body_def();
	body.kind = RBL_BODY_STATIC;
	body.asset = s->arena;
	body.shared_material = s->stone;
	rbl_create_body(world, &body);
	return world;
}

static void throw_in(rbl_world *world, const stage *s, const shot *shots, int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_body_def body = rbl_default_body_def();
		body.collider = s->ball;
		body.material.density = 7000.0f;
		body.pose.position = shots[i].position;
		body.velocity = shots[i].velocity;
		rbl_create_body(world, &body);
	}
}

// --- messages: kind and size, then the bytes -------------------------------------------------------

static bool send_all(int socket, const void *bytes, size_t size)
{
	for (const char *at = bytes; size > 0;) {
		ssize_t sent = write(socket, at, size);
		if (sent <= 0)
			return false;
		at += sent, size -= (size_t)sent;
	}
	return true;
}

static bool receive_all(int socket, void *bytes, size_t size)
{
	for (char *at = bytes; size > 0;) {
		ssize_t got = read(socket, at, size);
		if (got <= 0)
			return false;
		at += got, size -= (size_t)got;
	}
	return true;
}

static bool send_message(int socket, message_kind kind, const void *bytes, size_t size)
{
	uint32_t head[2] = { (uint32_t)kind, (uint32_t)size };
	return send_all(socket, head, sizeof head) && send_all(socket, bytes, size);
}

// --- the server ------------------------------------------------------------------------------

typedef struct log_bytes {
	unsigned char *bytes;
	size_t size, sent; // the player has those before
	bool is_lost;
} log_bytes;

static void keep_fracture(void *user, const void *bytes, size_t size)
{
	log_bytes *log = user;
	unsigned char *more = realloc(log->bytes, log->size + size);
	log->is_lost |= !more;
	if (!more)
		return;
	memcpy(more + log->size, bytes, size);
	log->bytes = more;
	log->size += size;
}

// Somebody shoots five times a second.
static int choose_shots(int step, shot *shots)
{
	if (step % 12 != 0)
		return 0;
	float aside = (float)(step * 7 % 31) - 15.0f;
	shots[0] = (shot){ { aside, 8.0f, 62.0f }, { 0.0f, 4.0f, -55.0f } };
	return 1;
}

static bool send_poses(int socket, const rbl_world *world)
{
	int capacity = rbl_world_body_count(world), count = 0;
	rbl_body_id *ids = malloc((size_t)capacity * sizeof *ids);
	pose *poses = malloc((size_t)capacity * sizeof *poses);
	if (ids && poses)
		rbl_world_get_bodies(world, ids, capacity);
	for (int i = 0; ids && poses && i < capacity; ++i) {
		rbl_body_state state = rbl_body_get_state(world, ids[i]);
		if (state.kind == RBL_BODY_DYNAMIC && state.is_awake)
			poses[count++] = (pose){ rbl_body_fragment(world, ids[i]), ids[i].index,
				                     state.pose.position, state.pose.rotation };
	}
	bool ok = ids && poses && send_message(socket, POSES, poses, (size_t)count * sizeof *poses);
	free(ids), free(poses);
	return ok;
}

static bool send_snapshot(int socket, const rbl_world *world)
{
	size_t size = 0;
	bool ok = rbl_world_save(world, NULL, &size) == RBL_OK;
	void *bytes = malloc(size);
	ok = ok && bytes && rbl_world_save(world, bytes, &size) == RBL_OK &&
	     send_message(socket, SNAPSHOT, bytes, size);
	free(bytes);
	return ok;
}

static bool serve(int socket, const stage *s, int steps)
{
	rbl_world *world = make_world(s);
	log_bytes log = { .bytes = NULL };
	bool ok = world && rbl_world_log_fractures(world, keep_fracture, &log) == RBL_OK;
	for (int step = 0; step < steps && ok; ++step) {
		shot shots[MOST_SHOTS];
		int count = choose_shots(step, shots);
		if (step == JOIN_STEP)
			ok = send_snapshot(socket, world);
		throw_in(world, s, shots, count);
		// Also before the player joins: viewers need all that was thrown and broken, in order.
		ok = ok && send_message(socket, STEP, shots, (size_t)count * sizeof *shots);
		ok = ok && rbl_world_step(world, 1.0f / RATE) == RBL_OK && !log.is_lost;
		if (ok && log.size > log.sent)
			ok = send_message(socket, FRACTURES, log.bytes + log.sent, log.size - log.sent);
		log.sent = log.size;
		if (ok && step % POSE_INTERVAL == 0)
			ok = send_poses(socket, world);
		if (ok && (step + 1) % RATE == 0) {
			check now = { rbl_world_hash(world), step, rbl_world_body_count(world) };
			ok = send_message(socket, CHECK, &now, sizeof now);
		}
	}
	rbl_destroy_world(world);
	free(log.bytes);
	return ok;
}

// --- the player ------------------------------------------------------------------------------

typedef struct player {
	const stage *stage;
	rbl_world *follower, *viewer;
	size_t bytes[MESSAGE_KINDS];
	int step, hashes, differences;
} player;

static rbl_world *join(const stage *s, const void *bytes, size_t size)
{
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *assets[] = { s->arena };
	const rbl_material *materials[] = { s->stone };
	sources.assets = assets, sources.asset_count = 1;
	sources.materials = materials, sources.material_count = 1;
	rbl_world *world = NULL;
	return rbl_world_load(bytes, size, &def, &sources, &world) == RBL_OK ? world : NULL;
}

static void show_poses(rbl_world *viewer, const pose *poses, size_t count)
{
	rbl_body_id first[4096] = { { 0, 0 } };
	int known = rbl_world_get_bodies(viewer, first, 4096);
	for (size_t i = 0; i < count; ++i) {
		rbl_body_id body = { 0, 0 };
		if (poses[i].fragment)
			body = rbl_world_find_fragment(viewer, poses[i].fragment);
		for (int k = 0; !poses[i].fragment && k < known && k < 4096; ++k)
			if (first[k].index == poses[i].index)
				body = first[k];
		rbl_transform at = { poses[i].position, poses[i].rotation };
		rbl_body_set_pose(viewer, body, at);
	}
}

static void compare(player *p, const check *server)
{
	uint64_t hash = p->follower ? rbl_world_hash(p->follower) : server->hash;
	int count = rbl_world_body_count(p->viewer);
	p->hashes += p->follower != NULL;
	p->differences += hash != server->hash || count != server->body_count;
	printf("%2d s: hash %016llx, the follower's %s; %d bodies, the viewer has %d\n",
	       (server->step + 1) / RATE, (unsigned long long)server->hash,
	       hash == server->hash ? "is the same" : "DIFFERS", server->body_count, count);
}

static bool take(player *p, message_kind kind, const void *bytes, size_t size)
{
	rbl_result result = RBL_OK;
	p->bytes[kind] += 8 + size;
	switch (kind) {
	case STEP:
		throw_in(p->viewer, p->stage, bytes, (int)(size / sizeof(shot)));
		if (p->follower) {
			throw_in(p->follower, p->stage, bytes, (int)(size / sizeof(shot)));
			result = rbl_world_step(p->follower, 1.0f / RATE);
		}
		p->step++;
		break;
	case FRACTURES:
		result = rbl_world_apply_fractures(p->viewer, bytes, size, NULL);
		break;
	case POSES:
		show_poses(p->viewer, bytes, size / sizeof(pose));
		break;
	case SNAPSHOT:
		p->follower = join(p->stage, bytes, size);
		return p->follower != NULL;
	case CHECK:
		compare(p, bytes);
		break;
	case MESSAGE_KINDS:
		return false;
	}
	return result == RBL_OK;
}

static bool play(int socket, const stage *s)
{
	player p = { .stage = s, .viewer = make_world(s) };
	bool ok = p.viewer != NULL;
	uint32_t head[2];
	while (ok && receive_all(socket, head, sizeof head)) {
		void *bytes = malloc(head[1] ? head[1] : 1);
		ok = bytes && head[0] < MESSAGE_KINDS && receive_all(socket, bytes, head[1]) &&
		     take(&p, (message_kind)head[0], bytes, head[1]);
		free(bytes);
	}
	double seconds = fmax((double)p.step / RATE, 1.0 / RATE), kilobyte = 1000.0;
	double events = (double)(p.bytes[STEP] + p.bytes[FRACTURES] + p.bytes[CHECK]);
	printf("inputs, fractures and hashes: %.2f kB/s; poses ten times a second: %.1f kB/s; the "
	       "snapshot: "
	       "%.0f kB once\n",
	       events / kilobyte / seconds, (double)p.bytes[POSES] / kilobyte / seconds,
	       (double)p.bytes[SNAPSHOT] / kilobyte);
	rbl_destroy_world(p.follower);
	rbl_destroy_world(p.viewer);
	return ok && p.hashes > 0 && p.differences == 0;
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 7, ends[2], status = 0;
	stage s = { .arena = NULL };
	if (seconds < 2 || seconds > 3600 || !make_stage(&s) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
		fprintf(stderr, "network: seconds are 2 to 3600, and the stage must be made\n");
		return 1;
	}
	pid_t child = fork();
	if (child == 0) {
		close(ends[0]);
		bool ok = play(ends[1], &s);
		fflush(stdout);
		_exit(ok ? 0 : 1);
	}
	close(ends[1]);
	bool ok = child > 0 && serve(ends[0], &s, seconds * RATE);
	close(ends[0]);
	ok &= child > 0 && waitpid(child, &status, 0) == child && status == 0;
	free_stage(&s);
	printf("%s\n",
	       ok ? "both worlds of the player agree with the server" : "the worlds do not agree");
	return ok ? 0 : 1;
}
