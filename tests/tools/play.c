// SPDX-License-Identifier: MIT
// ctest: native
//
// `rubble play`: what it serves and to whom, and that nothing else can be had from it or bring it down.

#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

static pid_t server;
static int port;
static char token[40], reply[1 << 16];

// Start it in the folder. @return whether it told its address
static bool start(test *t, const char *scene)
{
	int ends[2];
	CHECK(t, pipe(ends) == 0);
	fflush(stdout);
	server = fork();
	if (server == 0) {
		dup2(ends[1], 1);
		close(ends[0]);
		signal(SIGINT, SIG_DFL);
		if (chdir(folder) == 0)
			execl(PROGRAM, PROGRAM, "play", "--no-open", "--folder", "page", scene, (char *)NULL);
		_exit(3);
	}
	close(ends[1]);
	char line[400] = "";
	ssize_t length = read(ends[0], line, sizeof line - 1);
	close(ends[0]);
	port = 0;
	return length > 0 && sscanf(line, "http://127.0.0.1:%d/%32[0-9a-f]/", &port, token) == 2 &&
	       (!scene || strstr(line, "/?scene=") != NULL);
}

// Ctrl-C. @return its exit status
static int stop(void)
{
	int status = -1;
	kill(server, SIGINT);
	waitpid(server, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int connect_to(const char *host)
{
	int made = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	inet_pton(AF_INET, host, &address.sin_addr);
	struct timeval limit = { .tv_sec = 10 };
	setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	if (connect(made, (struct sockaddr *)&address, sizeof address) == 0)
		return made;
	close(made);
	return -1;
}

// Send bytes and read the reply to its end. @return the status of the reply, 0 none
static int ask_bytes(const char *bytes, size_t size, size_t *length)
{
	int made = connect_to("127.0.0.1");
	*length = 0;
	if (made < 0)
		return 0;
	for (size_t sent = 0; sent < size;) {
		ssize_t count = send(made, bytes + sent, size - sent, MSG_NOSIGNAL);
		if (count <= 0)
			break;
		sent += (size_t)count;
	}
	for (ssize_t count; *length < sizeof reply - 1 &&
	                    (count = recv(made, reply + *length, sizeof reply - 1 - *length, 0)) > 0;)
		*length += (size_t)count;
	close(made);
	reply[*length] = '\0';
	int status = 0;
	return sscanf(reply, "HTTP/1.1 %d ", &status) == 1 ? status : 0;
}

// Ask for a path below the token.
static int ask(const char *path)
{
	char request[3000];
	size_t length;
	int size = snprintf(request, sizeof request,
	                    "GET /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", token, path, port);
	return ask_bytes(request, (size_t)size, &length);
}

// A page with what pages have, and things that are none of its business.
static bool open_page(test *t)
{
	if (!open_folder(t, "play"))
		return false;
	char line[600];
	snprintf(line, sizeof line,
	         "cd '%s' && mkdir -p page/sub && echo '<p>hello' >page/index.html && echo 'secret' "
	         ">out.txt && "
	         "for f in a.wasm a.js a.css a.json a.png 'sub/x y.txt'; do echo \"body of $f\" "
	         ">\"page/$f\"; done && "
	         "ln -s ../out.txt page/link.txt && ln -s .. page/up && echo no >page/.hidden && "
	         "mkfifo page/pipe && "
	         "head -c 3000000 /dev/zero >page/large.bin && echo '{\"version\": 2}' >own.json",
	         folder);
	CHECK(t, system(line) == 0);
	return true;
}

static void a_page_and_its_files_are_served(test *t)
{
	if (!open_page(t))
		return;
	CHECK(t, start(t, NULL) && port > 0 && strlen(token) == 32);
	CHECK(t,
	      ask("") == 200 && strstr(reply, "<p>hello") && strstr(reply, "Content-Type: text/html"));
	static const char *const types[][2] = {
		{ "a.wasm", "application/wasm" }, { "a.js?v=1", "text/javascript" },
		{ "a.css", "text/css" },          { "a.json", "application/json" },
		{ "a.png", "image/png" },         { "sub/x%20y.txt", "text/plain" }
	};
	for (int i = 0; i < 6; ++i) {
		char type[80];
		snprintf(type, sizeof type, "Content-Type: %s", types[i][1]);
		CHECK(t,
		      ask(types[i][0]) == 200 && strstr(reply, type) && strstr(reply, "\r\n\r\nbody of"));
	}
	CHECK(t, strstr(reply, "X-Content-Type-Options: nosniff") && strstr(reply, "no-store"));
	CHECK(t, ask("large.bin") == 200 && strstr(reply, "Content-Length: 3000000"));
	char request[300];
	size_t length;
	int size = snprintf(request, sizeof request, "HEAD /%s/ HTTP/1.1\r\nhost: localhost:%d\r\n\r\n",
	                    token, port);
	CHECK(t, ask_bytes(request, (size_t)size, &length) == 200 && !strstr(reply, "hello"));
	CHECK(t, stop() == 0);
	close_folder(t);
}

static void scenes_go_by_name(test *t)
{
	if (!open_page(t))
		return;
	CHECK(t, start(t, "wall") && ask("?scene=wall") == 200 && stop() == 0);
	CHECK(t, run("play --no-open --folder page own.json") == 1 && strstr(output, "by name"));
	CHECK(t, run("play --no-open --folder page 'wall&x'") == 1);
	CHECK(t, run("play --folder nowhere") == 1 && strstr(output, "no index.html"));
	close_folder(t);
}

static void nothing_else_can_be_had(test *t)
{
	if (!open_page(t))
		return;
	CHECK(t, start(t, NULL));
	static const char *const bad[] = {
		"../out.txt",
		"..%2fout.txt",
		"%2e%2e/out.txt",
		"%2e%2e%2fout.txt",
		"sub/../../out.txt",
		"sub/%2e%2e/%2e%2e/out.txt",
		"..\\out.txt",
		"..%5cout.txt",
		"link.txt",
		"up/out.txt",
		"pipe",
		".hidden",
		"%2ehidden",
		"sub",
		"sub/",
		"sub//x%20y.txt",
		"/out.txt",
		"%00",
		"a.js%00.png",
		"a.js%0d%0aX: y",
		"%zz",
		"%2",
		"%",
		"nothing.html",
		"index.html/",
		"index.html/x",
		"./index.html",
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
		int status = ask(bad[i]);
		if (status != 404 && status != 400)
			test_fail(t, __FILE__, __LINE__, bad[i]);
		CHECK(t, !strstr(reply, "secret"));
	}
	char request[400];
	size_t length;
	static const char *const whole[] = {
		"GET / HTTP/1.1\r\nHost: 127.0.0.1:%2$d\r\n\r\n",                 // without the token
		"GET /%1$.31s/ HTTP/1.1\r\nHost: 127.0.0.1:%2$d\r\n\r\n",         // with less of it
		"GET /%1$s/ HTTP/1.1\r\nHost: evil.example:%2$d\r\n\r\n",         // another name for here
		"GET /%1$s/ HTTP/1.1\r\n\r\n",                                    // no name
		"GET /%1$s/ HTTP/1.1\r\nHost: 127.0.0.1:%2$d\r\nHost: x\r\n\r\n", // two
		"POST /%1$s/ HTTP/1.1\r\nHost: 127.0.0.1:%2$d\r\n\r\n",           // not reading
		"GET /%1$s/\r\n\r\n",                                             // before HTTP 1.0
		"\r\n\r\n",
		"GET\r\n\r\n",
		"GET  HTTP/1.1\r\n\r\n",
		" / HTTP/1.1\r\n\r\n",
	};
	for (size_t i = 0; i < sizeof whole / sizeof *whole; ++i) {
		int size = snprintf(request, sizeof request, whole[i], token, port);
		int status = ask_bytes(request, (size_t)size, &length);
		if (status != 404 && status != 400 && status != 405)
			test_fail(t, __FILE__, __LINE__, whole[i]);
		CHECK(t, !strstr(reply, "hello"));
	}
	// Zeros, noise, and a line without end.
	CHECK(t, ask_bytes("GET /\0/ HTTP/1.1\r\n\r\n", 20, &length) == 400);
	uint64_t random = 1;
	for (int k = 0; k < 200; ++k) {
		for (size_t i = 0; i < sizeof request - 4; ++i) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			request[i] = (char)(random >> 56);
		}
		memcpy(request + sizeof request - 4, "\r\n\r\n", 4);
		int status = ask_bytes(request, sizeof request, &length);
		CHECK(t, status == 400 || status == 404 || status == 405 || status == 0);
	}
	static char line[100000];
	memset(line, 'a', sizeof line);
	memcpy(line, "GET /", 5);
	int status = ask_bytes(line, sizeof line, &length);
	CHECK(t, status == 431 || status == 0); // the reply may be lost with what was not read
	CHECK(t, ask("") == 200 && stop() == 0);
	close_folder(t);
}

// Many that say nothing, or a byte now and then, and ten thousand that come and go.
static void crowds_and_slow_ones_do_not_stop_it(test *t)
{
	if (!open_page(t))
		return;
	CHECK(t, start(t, NULL));
	int silent[300], count = 0;
	for (; count < 300; ++count) {
		silent[count] = connect_to("127.0.0.1");
		if (silent[count] < 0)
			break;
		if (count % 2)
			(void)!send(silent[count], "GET /", 5, MSG_NOSIGNAL);
	}
	CHECK(t, count > 100);
	CHECK(t, ask("") == 200 && strstr(reply, "hello"));
	int asked = 0;
	for (int i = 0; i < 10000; ++i) {
		int made = connect_to("127.0.0.1");
		if (made < 0)
			continue;
		asked++;
		if (i % 3 == 0)
			(void)!send(made, "x", 1, MSG_NOSIGNAL);
		struct linger hard = { .l_onoff = 1, .l_linger = 0 };
		setsockopt(made, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
		close(made);
	}
	CHECK(t, asked > 9000);
	CHECK(t, ask("a.js") == 200);
	for (int i = 0; i < count; ++i)
		close(silent[i]);
	// Nobody else on the network: only 127.0.0.1 is listened on.
	CHECK(t, connect_to("127.0.0.2") < 0);
	CHECK(t, stop() == 0);
	close_folder(t);
}

// A client that never finishes its request is closed after some seconds.
static void slow_requests_end(test *t)
{
	if (!open_page(t))
		return;
	CHECK(t, start(t, NULL));
	int made = connect_to("127.0.0.1");
	CHECK(t, made >= 0 && send(made, "GET /", 5, MSG_NOSIGNAL) == 5);
	struct pollfd waiting = { .fd = made, .events = POLLIN };
	char byte;
	CHECK(t, poll(&waiting, 1, 9000) == 1 && recv(made, &byte, 1, 0) <= 0);
	close(made);
	CHECK(t, ask("") == 200 && stop() == 0);
	close_folder(t);
}

TEST_MAIN(TEST(a_page_and_its_files_are_served), TEST(scenes_go_by_name),
          TEST(nothing_else_can_be_had), TEST(crowds_and_slow_ones_do_not_stop_it),
          TEST(slow_requests_end))
