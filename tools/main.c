// SPDX-License-Identifier: MIT
//
// The program `rubble`: finds the sub-command and runs it.

#include "commands.h"
#include "errors.h"
#include "interrupts.h"
#include "system.h"

#include <stdio.h>
#include <string.h>

#define COMMAND_ADDRESS(name) &command_##name,
const command *const commands[] = { COMMANDS(COMMAND_ADDRESS) NULL };

const command *find_command(const char *name)
{
	for (int i = 0; commands[i]; ++i)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

void print_program_help(void)
{
	printf("Usage: rubble COMMAND [arguments] [options]\n\n"
	       "Breaks things in real time and knows what touches what while they break.\n\n");
	for (int i = 0; commands[i]; ++i)
		printf("  %-12s %s\n", commands[i]->name, commands[i]->about);
	printf("\nrubble COMMAND --help tells more. Exit status: 0 all is well, 1 it failed, "
	       "2 wrong usage, 130 interrupted.\n");
}

int refuse_command(const char *name)
{
	const char *names[sizeof commands / sizeof commands[0]];
	int count = 0;
	for (; commands[count]; ++count)
		names[count] = commands[count]->name;
	const char *nearest = nearest_name(name, names, count);
	if (nearest)
		fail("unknown command '%s'; did you mean '%s'?", name, nearest);
	else
		fail("unknown command '%s'; see rubble --help", name);
	return STATUS_USAGE;
}

int main(int argc, char **argv)
{
	prepare_program(&argc, &argv);
	watch_log();
	watch_interrupts();
	if (argc < 2) {
		fail("which command? See rubble --help");
		return STATUS_USAGE;
	}
	const char *name = argv[1];
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	else if (strcmp(name, "--version") == 0)
		name = "version";
	if (name[0] == '-') {
		fail("unknown option %s before the command; see rubble --help", name);
		return STATUS_USAGE;
	}
	const command *found = find_command(name);
	if (!found)
		return refuse_command(name);
	int status = found->run(argc - 2, argv + 2);
	if (fflush(stdout) != 0 || ferror(stdout))
		return fail("cannot write to standard output");
	return status;
}
