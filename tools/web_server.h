// SPDX-License-Identifier: MIT
// A server of one folder to browsers on this machine, for `rubble play`.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// What is served, and where.
typedef struct web_server {
	int listener;   // -1 none
	int folder;     // descriptor of the folder, -1 none
	int port;       // of 127.0.0.1
	char token[33]; // first part of every path
} web_server;

/// Open a folder and listen on 127.0.0.1. @param port  0: one that is free
/// @return a STATUS_; an error is printed
int open_web_server(web_server *server, const char *folder, int port);

/// Serve until Ctrl-C (interrupts.h, deferred) is pressed. @return a STATUS_
int run_web_server(web_server *server);

void close_web_server(web_server *server);

/// The path of a request, decoded and checked: what is below the token, "" for the page itself.
/// @param target  as the request has it: "/token/a%20b.js?x"
/// @return whether it names something that may be served: no parts that are empty or begin with a
///         dot, no control characters, no backslashes
bool read_web_target(const web_server *server, const char *target, char *path, size_t capacity);
