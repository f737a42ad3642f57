// SPDX-License-Identifier: MIT
// rubble play: serve the playground to a browser on this machine.

#define _DEFAULT_SOURCE // readlink
#define _POSIX_C_SOURCE 200809L

#include "commands.h"
#include "errors.h"
#include "files.h"
#include "interrupts.h"
#include "web_server.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Where the page is installed, unless the build says otherwise.
#ifndef RBL_WEB_FOLDER
#define RBL_WEB_FOLDER "/usr/local/share/rubble/web"
#endif

static bool has_page(const char *folder)
{
	char path[4200];
	int length = snprintf(path, sizeof path, "%s/index.html", folder);
	return length > 0 && length < (int)sizeof path && access(path, R_OK) == 0;
}

// The folder of the page: beside the installed program, or in the tree that it was built in.
static bool find_page(char *folder, size_t capacity)
{
	static const char *const places[] = { "../share/rubble/web", "../../web/page", "../../web" };
	char program[3900];
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	program[length > 0 ? length : 0] = '\0';
	char *slash = strrchr(program, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; ++i) {
		snprintf(folder, capacity, "%s/%s", program, places[i]);
		if (has_page(folder))
			return true;
	}
	snprintf(folder, capacity, "%s", RBL_WEB_FOLDER);
	return has_page(folder);
}

// Open an address in the user's browser, if there is a program for that; twice a child, so that
// nobody waits for it.
static void open_browser(const char *address)
{
#ifdef __APPLE__
	const char *program = "open";
#else
	const char *program = "xdg-open";
#endif
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (fork() == 0) {
			int nothing = open("/dev/null", O_RDWR);
			setsid();
			for (int i = 0; i < 3 && nothing >= 0; ++i)
				dup2(nothing, i);
			execlp(program, program, address, (char *)NULL);
		}
		_exit(0);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

// Whether this can be a scene of the page, by name: "wall".
static bool is_scene_name(const char *scene)
{
	return *scene && strlen(scene) < 64 &&
	       scene[strspn(scene, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static int serve(web_server *server, const char *folder, const char *scene, int port, bool opens)
{
	int status = open_web_server(server, folder, port);
	if (status != STATUS_OK)
		return status;
	char address[200];
	snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/%s%s", server->port, server->token,
	         scene ? "?scene=" : "", scene ? scene : "");
	say("%s\n", address);
	say("serving %s to this machine; Ctrl-C ends it\n", folder);
	fflush(stdout);
	if (opens)
		open_browser(address);
	defer_interrupts();
	return run_web_server(server);
}

static int run(int argc, char **argv)
{
	const char *told = NULL;
	bool stays_closed = false;
	int port = 0;
	const option options[] = {
		OPTION_TEXT("folder", "DIR", &told, "serve this folder, which has an index.html"),
		OPTION_INT("port", "N", &port, 1, 65535, "of 127.0.0.1, default one that is free"),
		OPTION_FLAG("no-open", &stays_closed, "print the address and open no browser"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_play, options, argc, argv, &found, &status))
		return status;
	char folder[4100];
	if (told)
		snprintf(folder, sizeof folder, "%s", told);
	if (told ? !has_page(folder) : !find_page(folder, sizeof folder))
		return told ? fail("%s: there is no index.html", told)
		            : fail("the playground is not built; make web builds it");
	const char *scene = found.count > 0 ? found.items[0] : NULL;
	if (scene && !is_scene_name(scene))
		return fail(
			"%s: the playground has scenes of its own, by name; rubble run SCENE.json --report "
			"FILE.html makes a page of a scene file",
			scene);
	web_server server;
	status = serve(&server, folder, scene, port, !stays_closed);
	close_web_server(&server);
	return status;
}

const command command_play = {
	.name = "play",
	.arguments = "[SCENE]",
	.about = "open the playground in a browser",
	.details =
		"SCENE is one of the page's own by its name: wall, window. The page comes from a server\n"
		"that this machine alone can reach, with a secret in its address; Ctrl-C ends it.",
	.max_arguments = 1,
	.run = run,
};
