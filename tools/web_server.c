// SPDX-License-Identifier: MIT
//
// A server of one folder to browsers on this machine.
//
// Whoever can open a socket on this machine can send anything, and any page in a browser can make it
// ask. So: it listens on 127.0.0.1 only, a request needs a secret token in its path and this machine
// in its Host (a name that leads here would otherwise do), reads only, and each part of a path is
// opened below the last without following links. One thread, one poll() loop; what is slow is closed,
// and where all places are taken, the one that has waited longest without a whole request.

#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "web_server.h"

#include "errors.h"
#include "files.h"
#include "interrupts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MAX_CLIENTS = 64,
	REQUEST_SIZE = 8192, // of a whole request
	CHUNK_SIZE = 65536,  // of what is sent at once
	REQUEST_MS = 5000,   // a request must be whole by then
	RESPONSE_MS = 30000, // and something of a response be taken within this
};

typedef struct web_client {
	int socket;
	double since; // when it came, or when it last took something
	bool is_answered;
	char request[REQUEST_SIZE + 1];
	int request_size;
	int file; // that is sent, -1 none
	off_t offset;
	char chunk[CHUNK_SIZE];
	int chunk_size, chunk_sent;
} web_client;

typedef struct web_clients {
	web_client *items[MAX_CLIENTS];
	int count;
} web_clients;

// --- opening ------------------------------------------------------------------------------------

static bool make_token(char *token)
{
	unsigned char bytes[16];
	int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	bool is_read = source >= 0 && read(source, bytes, sizeof bytes) == (ssize_t)sizeof bytes;
	if (source >= 0)
		close(source);
	for (size_t i = 0; is_read && i < sizeof bytes; ++i)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	return is_read;
}

int open_web_server(web_server *server, const char *folder, int port)
{
	*server = (web_server){ .listener = -1, .folder = -1 };
	server->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (server->folder < 0)
		return fail("%s: %s", folder, strerror(errno));
	if (!make_token(server->token))
		return fail("no random numbers for the address: %s", strerror(errno));
	server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	socklen_t size = sizeof address;
	int yes = 1;
	if (server->listener < 0 ||
	    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
	    bind(server->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
	    listen(server->listener, SOMAXCONN) != 0 ||
	    getsockname(server->listener, (struct sockaddr *)&address, &size) != 0)
		return fail("cannot listen on 127.0.0.1, port %d: %s", port, strerror(errno));
	server->port = ntohs(address.sin_port);
	return STATUS_OK;
}

void close_web_server(web_server *server)
{
	if (server->listener >= 0)
		close(server->listener);
	if (server->folder >= 0)
		close(server->folder);
	*server = (web_server){ .listener = -1, .folder = -1 };
}

// --- requests -----------------------------------------------------------------------------------

static int hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

bool read_web_target(const web_server *server, const char *target, char *path, size_t capacity)
{
	size_t token = strlen(server->token), length = 0;
	if (target[0] != '/' || strncmp(target + 1, server->token, token) != 0 ||
	    target[token + 1] != '/')
		return false;
	for (const char *c = target + token + 2; *c && *c != '?' && *c != '#'; ++c) {
		int byte = (unsigned char)*c;
		if (byte == '%') {
			int high = hex_digit(c[1]), low = high >= 0 ? hex_digit(c[2]) : -1;
			if (low < 0)
				return false;
			byte = 16 * high + low;
			c += 2;
		}
		if (byte < ' ' || byte == 127 || byte == '\\' || length + 1 >= capacity)
			return false;
		bool begins = length == 0 || path[length - 1] == '/';
		if (begins && (byte == '/' || byte == '.'))
			return false;
		path[length++] = (char)byte;
	}
	path[length] = '\0';
	return length == 0 || path[length - 1] != '/';
}

// Open a file below the folder, part by part, without following links. @return -1 if there is none
static int open_below(int folder, const char *path)
{
	int at = dup(folder);
	while (at >= 0) {
		const char *slash = strchr(path, '/');
		char part[256];
		size_t length = slash ? (size_t)(slash - path) : strlen(path);
		int next = -1;
		if (length < sizeof part) {
			memcpy(part, path, length);
			part[length] = '\0';
			next =
				openat(at, part,
			           O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (slash ? O_DIRECTORY : 0));
		}
		close(at);
		at = next;
		if (!slash)
			break;
		path = slash + 1;
	}
	return at;
}

static const char *type_of(const char *path)
{
	static const char *const types[][2] = {
		{ ".html", "text/html; charset=utf-8" },
		{ ".js", "text/javascript; charset=utf-8" },
		{ ".mjs", "text/javascript; charset=utf-8" },
		{ ".css", "text/css; charset=utf-8" },
		{ ".json", "application/json" },
		{ ".map", "application/json" },
		{ ".wasm", "application/wasm" },
		{ ".png", "image/png" },
		{ ".jpg", "image/jpeg" },
		{ ".webp", "image/webp" },
		{ ".svg", "image/svg+xml" },
		{ ".ico", "image/x-icon" },
		{ ".glb", "model/gltf-binary" },
		{ ".txt", "text/plain; charset=utf-8" },
		{ ".woff2", "font/woff2" },
	};
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && i < sizeof types / sizeof *types; ++i)
		if (strcmp(dot, types[i][0]) == 0)
			return types[i][1];
	return "application/octet-stream";
}

static void answer(web_client *client, const char *status, const char *type, long long size)
{
	client->chunk_size =
		snprintf(client->chunk, sizeof client->chunk,
	             "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %lld\r\nConnection: close\r\n"
	             "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
	             "Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n"
	             "Cross-Origin-Embedder-Policy: require-corp\r\n"
	             "Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
	             status, type, size);
	client->chunk_sent = 0;
	client->is_answered = true;
}

static void refuse(web_client *client, const char *status)
{
	answer(client, status, "text/plain; charset=utf-8", (long long)strlen(status) + 1);
	client->chunk_size +=
		snprintf(client->chunk + client->chunk_size,
	             sizeof client->chunk - (size_t)client->chunk_size, "%s\n", status);
}

// Whether the Host of a request is this server, and no other name that leads to this machine.
static bool has_own_host(const web_server *server, const char *headers)
{
	char names[2][32];
	snprintf(names[0], sizeof names[0], "127.0.0.1:%d", server->port);
	snprintf(names[1], sizeof names[1], "localhost:%d", server->port);
	int found = 0, right = 0;
	for (const char *line = headers; line && *line; line = strstr(line, "\r\n")) {
		line += strncmp(line, "\r\n", 2) == 0 ? 2 : 0;
		if (strncasecmp(line, "Host:", 5) != 0)
			continue;
		const char *value = line + 5 + strspn(line + 5, " \t");
		size_t length = strcspn(value, " \t\r");
		++found;
		for (int i = 0; i < 2; ++i)
			right += length == strlen(names[i]) && strncmp(value, names[i], length) == 0;
	}
	return found == 1 && right == 1;
}

static void serve_file(const web_server *server, web_client *client, const char *path, bool is_head)
{
	struct stat found;
	client->file = open_below(server->folder, *path ? path : "index.html");
	if (client->file < 0 || fstat(client->file, &found) != 0 || !S_ISREG(found.st_mode)) {
		refuse(client, "404 Not Found");
	} else {
		answer(client, "200 OK", type_of(*path ? path : "index.html"), (long long)found.st_size);
		if (!is_head)
			return;
	}
	if (client->file >= 0)
		close(client->file);
	client->file = -1;
}

// Answer a whole request: its line and headers.
static void answer_request(const web_server *server, web_client *client)
{
	char *line_end = strstr(client->request, "\r\n");
	char *target = strchr(client->request, ' ');
	char *version = target && target < line_end ? strchr(target + 1, ' ') : NULL;
	char path[1024];
	if (strlen(client->request) != (size_t)client->request_size || !version || version > line_end ||
	    strncmp(version, " HTTP/1.", 8) != 0) {
		refuse(client, "400 Bad Request");
		return;
	}
	*target++ = *version = '\0';
	bool is_head = strcmp(client->request, "HEAD") == 0;
	if (!is_head && strcmp(client->request, "GET") != 0)
		refuse(client, "405 Method Not Allowed");
	else if (!has_own_host(server, line_end) || !read_web_target(server, target, path, sizeof path))
		refuse(client, "404 Not Found");
	else
		serve_file(server, client, path, is_head);
}

// --- clients ------------------------------------------------------------------------------------

static void close_client(web_clients *clients, int index)
{
	web_client *client = clients->items[index];
	if (client->file >= 0)
		close(client->file);
	close(client->socket);
	free(client);
	clients->items[index] = clients->items[--clients->count];
}

// @return whether there may be more
static bool accept_client(const web_server *server, web_clients *clients)
{
	int made = accept(server->listener, NULL, NULL);
	if (made < 0)
		return false;
	if (clients->count == MAX_CLIENTS) {
		int oldest = 0;
		for (int i = 1; i < clients->count; ++i) {
			const web_client *a = clients->items[i], *b = clients->items[oldest];
			if (a->is_answered != b->is_answered ? !a->is_answered : a->since < b->since)
				oldest = i;
		}
		close_client(clients, oldest);
	}
	web_client *client = malloc(sizeof *client);
	if (!client || fcntl(made, F_SETFL, O_NONBLOCK) != 0 || fcntl(made, F_SETFD, FD_CLOEXEC) != 0) {
		free(client);
		close(made);
		return true;
	}
	client->socket = made;
	client->file = -1;
	client->offset = 0;
	client->since = now_ms();
	client->is_answered = false;
	client->request_size = client->chunk_size = client->chunk_sent = 0;
	clients->items[clients->count++] = client;
	return true;
}

// @return false when the client is gone
static bool receive(const web_server *server, web_client *client)
{
	ssize_t count = recv(client->socket, client->request + client->request_size,
	                     (size_t)(REQUEST_SIZE - client->request_size), 0);
	if (count <= 0)
		return count < 0 && (errno == EAGAIN || errno == EINTR);
	client->request_size += (int)count;
	client->request[client->request_size] = '\0';
	// With a zero in it, it ends early and is refused when it is whole or too long.
	if (strstr(client->request, "\r\n\r\n") ||
	    memchr(client->request, '\0', (size_t)client->request_size))
		answer_request(server, client);
	else if (client->request_size == REQUEST_SIZE)
		refuse(client, "431 Request Header Fields Too Large");
	return true;
}

// @return false when all is sent, or the client is gone
static bool send_some(web_client *client)
{
	if (client->chunk_sent == client->chunk_size) {
		ssize_t count =
			client->file >= 0 ? pread(client->file, client->chunk, CHUNK_SIZE, client->offset) : 0;
		if (count <= 0)
			return false;
		client->offset += count;
		client->chunk_size = (int)count, client->chunk_sent = 0;
	}
	ssize_t sent = send(client->socket, client->chunk + client->chunk_sent,
	                    (size_t)(client->chunk_size - client->chunk_sent), MSG_NOSIGNAL);
	if (sent < 0)
		return errno == EAGAIN || errno == EINTR;
	client->chunk_sent += (int)sent;
	client->since = now_ms();
	return true;
}

int run_web_server(web_server *server)
{
	web_clients clients = { .count = 0 };
	int status = STATUS_OK;
	while (!is_interrupted() && status == STATUS_OK) {
		struct pollfd polls[MAX_CLIENTS + 1];
		int count = clients.count;
		for (int i = 0; i < count; ++i)
			polls[i] =
				(struct pollfd){ .fd = clients.items[i]->socket,
				                 .events = clients.items[i]->is_answered ? POLLOUT : POLLIN };
		polls[count] = (struct pollfd){ .fd = server->listener, .events = POLLIN };
		if (poll(polls, (nfds_t)count + 1, 250) < 0) {
			if (errno != EINTR)
				status = fail("cannot wait for browsers: %s", strerror(errno));
			continue;
		}
		double now = now_ms();
		for (int i = count - 1; i >= 0; --i) { // closing one moves the last into its place
			web_client *client = clients.items[i];
			bool is_there = now - client->since < (client->is_answered ? RESPONSE_MS : REQUEST_MS);
			if (is_there && polls[i].revents != 0)
				is_there = client->is_answered ? send_some(client) : receive(server, client);
			if (!is_there)
				close_client(&clients, i);
		}
		for (int i = 0; polls[count].revents != 0 && i < MAX_CLIENTS / 2; ++i)
			if (!accept_client(server, &clients))
				break;
	}
	while (clients.count > 0)
		close_client(&clients, 0);
	return status;
}
